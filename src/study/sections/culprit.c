/* Finds why a rank is late that others wait for: what it does longer than they do.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include <math.h>

/* It computes so many times as long as the mean. */
#define LEAST_LOAD 1.05
/* Another reason takes so much more of the time than it does of the others. */
#define LEAST_REASON 0.02

/* "writes a file by" the function. */
static const char *const does[N_BUSY] = {
    [BUSY_READING] = "reads a file by", [BUSY_WRITING] = "writes a file by", [BUSY_IN_LIBRARY] = "is in"};

/* The rows of the ranks, if they have the reasons: those of an older store have not. */
static const struct rank_waits_row *find_ranks(const struct study_run *run)
{
    const struct result_table *ranks = result_find_table(&run->result, TABLE_RANK_WAITS);
    size_t column = table_column_at(TABLE_RANK_WAITS, offsetof(struct rank_waits_row, busy_in[BUSY_IN_LIBRARY]));
    bool are_there = ranks != NULL && ranks->n_rows == (size_t)run->ranks && result_has_column(ranks, column);
    return are_there ? ranks->rows : NULL;
}

/* The time that it sleeps, or is blocked, outside of the library; in older traces also the time that it lacks a
 * processor. */
static double asleep_of(const struct study_run *run, int rank)
{
    size_t n_rows;
    const struct processors_row *rows = result_processors(&run->result, &n_rows);
    if ((size_t)rank >= n_rows)
        return 0;
    return units_seconds(rows[rank].without_ps[WAIT_SLEEP - WAIT_PROCESSOR]) +
           units_seconds(rows[rank].without_ps[WAIT_OFF - WAIT_PROCESSOR]);
}

/* It computes, no longer than it had a processor; files that are read and written by other means than the library are
 * part of that. Or it sleeps. */
double culprit_busy_s(const struct study_run *run, int rank)
{
    const struct rank_waits_row *ranks = find_ranks(run);
    const int64_t *state_ps = run->result.state_ps[rank];
    double busy_s = (double)state_ps[STATE_USEFUL] / 1e12;
    size_t n_rows;
    const struct processors_row *processors = result_processors(&run->result, &n_rows);
    if ((size_t)rank < n_rows && processors_are_known(run))
        busy_s = fmin(busy_s, processors[rank].processor_s); /* skips NAN */
    if (ranks != NULL)
        busy_s += (double)state_ps[STATE_IO] / 1e12 - units_seconds(ranks[rank].busy_ps[BUSY_READING]) -
                  units_seconds(ranks[rank].busy_ps[BUSY_WRITING]);
    return busy_s + asleep_of(run, rank);
}

double culprit_load(const struct study_run *run, int rank)
{
    double sum_s = 0;
    for (int i = 0; i < run->ranks; i++)
        sum_s += culprit_busy_s(run, i);
    return sum_s > 0 ? culprit_busy_s(run, rank) * run->ranks / sum_s : 1;
}

const char *culprit_word(const struct study_run *run, int rank)
{
    double asleep_s = asleep_of(run, rank), all_s = culprit_busy_s(run, rank);
    if (asleep_s >= 0.95 * all_s)
        return "sleeps";
    return 20 * asleep_s < all_s ? "computes" : 2 * asleep_s < all_s ? "computes or sleeps" : "sleeps or computes";
}

static double value_of(const struct study_run *run, const struct rank_waits_row *ranks, int rank, int reason)
{
    return reason == N_BUSY ? culprit_busy_s(run, rank) : units_seconds(ranks[rank].busy_ps[reason]);
}

/* How much longer than the mean of all ranks; N_BUSY: it computes. */
static double more_than_mean(const struct study_run *run, const struct rank_waits_row *ranks, int rank, int reason)
{
    double sum_s = 0;
    for (int i = 0; i < run->ranks; i++)
        sum_s += value_of(run, ranks, i, reason);
    return value_of(run, ranks, rank, reason) - sum_s / run->ranks;
}

static void add_load(struct builder *line, const struct study_run *run, int rank)
{
    double load = culprit_load(run, rank);
    if (load >= LEAST_LOAD)
        builder_add(line, ", which %s %.2g times as long as the mean", culprit_word(run, rank), load);
}

void culprit_add_reason(struct builder *line, const struct study_run *run, int rank)
{
    const struct rank_waits_row *ranks = find_ranks(run);
    int largest = N_BUSY;
    double most_s = more_than_mean(run, ranks, rank, N_BUSY);
    for (int reason = 0; ranks != NULL && reason < N_BUSY; reason++) {
        double more_s = more_than_mean(run, ranks, rank, reason);
        if (more_s <= most_s || more_s < LEAST_REASON * run_program_time(run))
            continue;
        largest = reason;
        most_s = more_s;
    }
    if (largest == N_BUSY) {
        add_load(line, run, rank);
        return;
    }
    builder_add(line, ", which %s %s for ", does[largest], ranks[rank].busy_in[largest]);
    builder_add_time(line, units_seconds(ranks[rank].busy_ps[largest]));
}
