/* The iterations of a traced program: how long each takes, and of which states; those that stand out, and a trend, with
 * what makes them longer. Asked for by setup.iterations.
 *
 * The time of an iteration is the mean over ranks. Where it varies much, a rank's useful time may stand out all the
 * same: each rank's is looked at by itself. The cause of a longer one is the largest excess: a rank's useful time over
 * its usual, with the scope in which useful time exceeds most; else communication, waiting, or files. The usual is the
 * median, for a trend the beginning. Memory grows with iterations times (ranks + scopes).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"
#include "metrics/series.h"

#include "base/memory.h"
#include "base/range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIME, ENDED, FIRST_STATE };

struct iterations {
    struct interval_setup setup;
    int width; /* of a row: TIME, ENDED, the states, useful time of each rank, of each scope [s] */
    double *rows;
    size_t n_rows, capacity;
    int64_t n_before; /* iterations of the run before these: the first rank's that begins one */
    int64_t *at;      /* of each rank, the iteration that it is in, or has been in; from 1 */
    int64_t *since_ps;
    bool *is_inside;
};

static int rank_column(int rank)
{
    return FIRST_STATE + N_LOCATION_STATES + rank;
}

static int scope_column(const struct iterations *self, int scope)
{
    return rank_column(self->setup.n_ranks) + scope;
}

static void *iterations_open(const struct interval_setup *setup)
{
    if (setup->iterations == NULL)
        return NULL;
    struct iterations *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->width = scope_column(self, setup->n_scopes);
    self->at = xcalloc((size_t)setup->n_ranks, sizeof *self->at);
    self->since_ps = xcalloc((size_t)setup->n_ranks, sizeof *self->since_ps);
    self->is_inside = xcalloc((size_t)setup->n_ranks, sizeof *self->is_inside);
    return self;
}

static double *row_of(const struct iterations *self, size_t row)
{
    return &self->rows[row * (size_t)self->width];
}

/* The number that the run gives to the iteration of a row. */
static int64_t number_of(const struct iterations *self, size_t row)
{
    return self->n_before + (int64_t)row + 1;
}

static void end_iteration(struct iterations *self, int rank, int64_t now_ps)
{
    if (!self->is_inside[rank])
        return;
    double *row = row_of(self, (size_t)self->at[rank] - 1);
    row[TIME] += units_seconds(now_ps - self->since_ps[rank]);
    row[ENDED]++;
    self->is_inside[rank] = false;
}

static void begin_iteration(struct iterations *self, int rank, int64_t now_ps)
{
    end_iteration(self, rank, now_ps);
    self->is_inside[rank] = true;
    self->since_ps[rank] = now_ps;
    if ((size_t)self->at[rank]++ < self->n_rows)
        return;
    if (self->n_rows == 0 && self->setup.iteration != NULL)
        self->n_before = *self->setup.iteration - 1;
    size_t size = (size_t)self->width * sizeof *self->rows;
    self->rows = xgrow(self->rows, self->n_rows, &self->capacity, size);
    memset(row_of(self, self->n_rows++), 0, size);
}

static void iterations_take(void *data, const struct interval *interval)
{
    struct iterations *self = data;
    int rank = interval->location;
    if (rank >= self->setup.n_ranks)
        return;
    if (interval->iteration == ITERATION_BEGINS)
        begin_iteration(self, rank, interval->start_ps);
    else if (interval->iteration == ITERATION_ENDS)
        end_iteration(self, rank, interval->start_ps);
    else if (self->is_inside[rank] && interval->end_ps > interval->start_ps) {
        double *row = row_of(self, (size_t)self->at[rank] - 1);
        double seconds = units_seconds(interval->end_ps - interval->start_ps);
        row[FIRST_STATE + interval->state] += seconds;
        if (interval->state != STATE_USEFUL)
            return;
        row[rank_column(rank)] += seconds;
        row[scope_column(self, interval->scope)] += seconds;
    }
}

/* --- causes --- */

/* An iteration, or a trend over all of them, with its excess of time. */
struct finding {
    size_t row; /* of the iteration; of a trend n_rows */
    double excess;
};

/* The facts that explain findings. */
struct usual {
    const struct iterations *iterations;
    size_t n;
    double *medians; /* of each column; NULL: not known yet */
    double *room;    /* for 2 n numbers */
};

static void copy_column(const struct usual *usual, int column, double *values)
{
    for (size_t i = 0; i < usual->n; i++)
        values[i] = row_of(usual->iterations, i)[column];
}

static void find_medians(struct usual *usual)
{
    int width = usual->iterations->width;
    usual->medians = xcalloc((size_t)width, sizeof *usual->medians);
    for (int column = 0; column < width; column++) {
        copy_column(usual, column, usual->room);
        usual->medians[column] = series_median(usual->room, usual->n);
    }
}

/* By how much a column exceeds its usual in the iteration, for each rank; by how much it grows, for a trend. */
static double excess_of(const struct usual *usual, const struct finding *finding, int column)
{
    double sign;
    if (finding->row < usual->n)
        return row_of(usual->iterations, finding->row)[column] - usual->medians[column];
    copy_column(usual, column, usual->room + usual->n);
    return series_slope(&sign, usual->room + usual->n, usual->n, usual->room) * (double)usual->n;
}

static int most_excess(double *most, struct usual *usual, const struct finding *finding, int first, int count)
{
    int found = 0;
    if (usual->medians == NULL && finding->row < usual->n)
        find_medians(usual);
    *most = -INFINITY;
    for (int i = 0; i < count; i++) {
        double excess = excess_of(usual, finding, first + i);
        if (excess > *most) {
            *most = excess;
            found = i;
        }
    }
    return found;
}

/* The scope in which useful time exceeds its usual most. */
static const char *scope_of(struct usual *usual, const struct finding *finding)
{
    const struct iterations *self = usual->iterations;
    double excess;
    int scope = most_excess(&excess, usual, finding, scope_column(self, 0), self->setup.n_scopes);
    return metrics_scope_name(&self->setup, scope);
}

static void explain(struct usual *usual, const struct finding *finding, struct iteration_findings_row *row)
{
    const struct iterations *self = usual->iterations;
    double rank_excess, state_excess;
    int n_ranks = self->setup.n_ranks;
    int rank = most_excess(&rank_excess, usual, finding, rank_column(0), n_ranks);
    int state = most_excess(&state_excess, usual, finding, FIRST_STATE, N_LOCATION_STATES);
    row->cause = (enum location_state)state;
    row->rank = -1;
    row->scope = result_name("");
    row->excess_s = finding->excess;
    if (rank_excess < finding->excess / 2)
        return;
    row->cause = STATE_USEFUL;
    row->rank = rank;
    row->excess_s = rank_excess;
    row->scope = scope_of(usual, finding);
}

/* --- the report --- */

/* Iterations that all ranks have ended which have the first. */
static size_t count_whole(const struct iterations *self)
{
    size_t n = 0;
    while (n < self->n_rows && row_of(self, n)[ENDED] > 0 && row_of(self, n)[ENDED] >= row_of(self, 0)[ENDED])
        n++;
    return n;
}

static double mean_of(const double *row, double sum)
{
    return sum / row[ENDED];
}

static void add_rows(const struct iterations *self, size_t n, const struct series *series, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_ITERATIONS);
    for (size_t i = 0; i < n; i++) {
        const double *cells = row_of(self, i), *states = cells + FIRST_STATE;
        struct iterations_row *row = result_add_iterations(table);
        row->iteration = number_of(self, i);
        row->time_s = mean_of(cells, cells[TIME]);
        row->useful_s = mean_of(cells, states[STATE_USEFUL]);
        row->communication_s = mean_of(cells, states[STATE_SEND] + states[STATE_RECEIVE] + states[STATE_LIBRARY]);
        row->idle_s = mean_of(cells, states[STATE_IDLE]);
        row->of_median = series->median > 0 ? row->time_s / series->median : 0;
    }
}

static void add_finding(struct usual *usual, const struct finding *finding, double factor, struct result_table *table)
{
    struct iteration_findings_row *row = result_add_iteration_findings(table);
    row->iteration = finding->row == usual->n ? 0 : number_of(usual->iterations, finding->row);
    row->factor = factor;
    explain(usual, finding, row);
}

/* The useful time of each rank; to be freed. */
static struct series *look_at_ranks(const struct usual *usual)
{
    int n_ranks = usual->iterations->setup.n_ranks;
    struct series *ranks = xcalloc((size_t)n_ranks, sizeof *ranks);
    for (int rank = 0; rank < n_ranks; rank++) {
        copy_column(usual, rank_column(rank), usual->room);
        ranks[rank] = series_look(usual->room, usual->n);
    }
    return ranks;
}

/* Add the iteration if a rank's useful time in it stands out, by `least_s` or more: that of the largest excess. */
static void add_slow_rank(struct usual *usual, const struct series *ranks, size_t i, double least_s,
                          struct result_table *table)
{
    const struct iterations *self = usual->iterations;
    struct iteration_findings_row found = {.iteration = number_of(self, i), .rank = -1, .excess_s = least_s};
    for (int rank = 0; rank < self->setup.n_ranks; rank++) {
        double useful_s = row_of(self, i)[rank_column(rank)], expected_s = series_expected(&ranks[rank], usual->n, i);
        if (useful_s - expected_s < found.excess_s || !series_stands_out(&ranks[rank], usual->n, i, useful_s))
            continue;
        found.rank = rank;
        found.factor = useful_s / expected_s;
        found.excess_s = useful_s - expected_s;
    }
    if (found.rank < 0)
        return;
    found.cause = STATE_USEFUL;
    found.scope = scope_of(usual, &(struct finding){.row = i, .excess = found.excess_s});
    found.of_rank = true;
    *result_add_iteration_findings(table) = found;
}

/* Excesses of iterations whose own time does not stand out. An excess below a quarter of that does not matter. */
static void add_slow_ranks(struct usual *usual, const double *times, const struct series *series,
                           struct result_table *table)
{
    struct series *ranks = look_at_ranks(usual);
    for (size_t i = 0; i < usual->n; i++)
        if (!series_stands_out(series, usual->n, i, times[i]))
            add_slow_rank(usual, ranks, i, series->median / 4, table);
    free(ranks);
}

static void add_findings(const struct iterations *self, size_t n, const double *times, const struct series *series,
                         struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_ITERATION_FINDINGS);
    struct usual usual = {.iterations = self, .n = n, .room = xcalloc(2 * n, sizeof *usual.room)};
    if (series->slope != 0) {
        const struct finding trend = {.row = n, .excess = series->slope * (double)n};
        add_finding(&usual, &trend, 1 + series->slope / series->median, table);
    }
    for (size_t i = 0; i < n; i++) {
        if (!series_stands_out(series, n, i, times[i]))
            continue;
        double expected = series_expected(series, n, i);
        const struct finding finding = {.row = i, .excess = times[i] - expected};
        add_finding(&usual, &finding, times[i] / expected, table);
    }
    add_slow_ranks(&usual, times, series, table);
    free(usual.medians);
    free(usual.room);
}

static void iterations_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct iterations *self = data;
    size_t n = count_whole(self);
    (void)totals;
    if (n == 0)
        return;
    double *times = xcalloc(n, sizeof *times);
    for (size_t i = 0; i < n; i++)
        times[i] = mean_of(row_of(self, i), row_of(self, i)[TIME]);
    struct series series = series_look(times, n);
    add_rows(self, n, &series, result);
    add_findings(self, n, times, &series, result);
    free(times);
}

static void iterations_free(void *data)
{
    struct iterations *self = data;
    free(self->rows);
    free(self->at);
    free(self->since_ps);
    free(self->is_inside);
    free(self);
}

const struct metric_spec metric_iterations = {.name = "iterations",
                                              .summary = "times of iterations, outliers and trends with their cause",
                                              .source = "medians and MAD: Rousseeuw93",
                                              .runs = OF_TRACES,
                                              .open = iterations_open,
                                              .take = iterations_take,
                                              .report = iterations_report,
                                              .free = iterations_free};
