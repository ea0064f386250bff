/* Lost cycles (Lemeire07, section 1.1): every moment of every processor that is not useful work is an overhead.
 *
 * overhead = p T_par - T_seq (eq. 1.3); Ovh_j = T_j / T_seq (eq. 1.13); Speedup = p / (1 + sum Ovh_j) (eq. 1.14).
 * Classes: control, communication (send + receive), idle, anomaly = sum of useful work - T_seq (eq. 1.6); of traces
 * also other calls of the message library, and its I/O, where there are any. p is the number of processors, of which a
 * rank may have several. If T_seq is unknown, there is no speedup, and the overheads are ratios to the sum of useful
 * work.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "interval/intern.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The states of a location that every run has, and those that only some traces have: of very many simulated ranks the
 * latter would take much memory for nothing. slots: the place of each among its own. */
enum { N_USUAL_STATES = 5, N_OTHER_STATES = N_LOCATION_STATES - N_USUAL_STATES };
static const uint8_t slots[N_LOCATION_STATES] = {
    [STATE_USEFUL] = 0, [STATE_CONTROL] = 1, [STATE_SEND] = 2,    [STATE_RECEIVE] = 3,
    [STATE_IDLE] = 4,   [STATE_IO] = 0,      [STATE_LIBRARY] = 1,
};

struct lost_cycles {
    struct interval_setup setup;
    int64_t *usual_ps; /* [location * N_USUAL_STATES + slot] */
    int64_t *other_ps; /* [location * N_OTHER_STATES + slot]; NULL: no rank was in any of these */
    wide_int (*scope_ps)[N_LOCATION_STATES];
    int64_t *ends_ps; /* of each location, the end of its last interval; for asserts */
    int64_t messages;
    wide_int bytes, operations;
    wide_int startup_ps; /* of all ranks: the beginning and the end of the message library */
};

static void *lost_cycles_open(const struct interval_setup *setup)
{
    struct lost_cycles *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->usual_ps = xcalloc((size_t)interval_processors(setup) * N_USUAL_STATES, sizeof *self->usual_ps);
#ifndef NDEBUG
    self->ends_ps = xcalloc((size_t)interval_processors(setup), sizeof *self->ends_ps);
#endif
    self->scope_ps = xcalloc((size_t)setup->n_scopes, sizeof *self->scope_ps);
    return self;
}

static int64_t *other_ps(struct lost_cycles *self, int location, int state)
{
    if (self->other_ps == NULL)
        self->other_ps = xcalloc((size_t)interval_processors(&self->setup) * N_OTHER_STATES, sizeof *self->other_ps);
    return &self->other_ps[(size_t)location * N_OTHER_STATES + slots[state]];
}

static inline int64_t *state_ps(struct lost_cycles *self, int location, int state)
{
    if (!location_state_is_usual[state])
        return other_ps(self, location, state);
    return &self->usual_ps[(size_t)location * N_USUAL_STATES + slots[state]];
}

#ifndef NDEBUG
/* True if the interval begins where the location's last one ended. */
static bool goes_on(struct lost_cycles *self, const struct interval *interval)
{
    int64_t *end_ps = &self->ends_ps[interval->location];
    bool is_next = interval->start_ps == *end_ps || interval->start_ps == interval->end_ps;
    *end_ps = interval->start_ps == interval->end_ps ? *end_ps : interval->end_ps;
    return is_next;
}
#endif

static inline void count_message(struct lost_cycles *self, const struct interval *interval)
{
    self->messages += interval->is_message;
    if (interval->is_message)
        self->bytes += interval->bytes;
}

static inline void lost_cycles_take(void *data, const struct interval *interval)
{
    struct lost_cycles *self = data;
    int64_t length = interval->end_ps - interval->start_ps;
    if (interval->location >= interval_processors(&self->setup)) { /* a protocol controller, or progress */
        count_message(self, interval);
        return;
    }
    assert(length >= 0 && interval->state < N_LOCATION_STATES && interval->scope < self->setup.n_scopes);
    assert(goes_on(self, interval));
    *state_ps(self, interval->location, interval->state) += length;
    self->scope_ps[interval->scope][interval->state] += length;
    count_message(self, interval);
    if (interval->state == STATE_USEFUL)
        self->operations += interval->operations;
    else if (interval->state == STATE_LIBRARY && (interval->call & CALL_START))
        self->startup_ps += length;
}

static void lost_cycles_take_many(void *data, const struct interval *intervals, int count)
{
    for (int i = 0; i < count; i++)
        lost_cycles_take(data, &intervals[i]);
}

/* A table of all states, in the place of that of the usual ones: very many ranks would not do with a second one. A row
 * is longer than before, so the last one moves first. */
static int64_t (*take_table(struct lost_cycles *self))[N_LOCATION_STATES]
{
    size_t n = (size_t)interval_processors(&self->setup);
    int64_t(*table)[N_LOCATION_STATES] = xrealloc(self->usual_ps, n * sizeof *table);
    const int64_t *usual = (const int64_t *)table, *other = self->other_ps;
    self->usual_ps = NULL;
    for (size_t location = n; location-- > 0;) {
        int64_t row[N_LOCATION_STATES] = {0};
        for (int s = 0; s < N_LOCATION_STATES; s++)
            if (location_state_is_usual[s])
                row[s] = usual[location * N_USUAL_STATES + slots[s]];
            else if (other != NULL)
                row[s] = other[location * N_OTHER_STATES + slots[s]];
        memcpy(table[location], row, sizeof row);
    }
    return table;
}

/* Adds the states up over the locations and sees that each location's account closes. */
static void sum_states(const struct result *result, int64_t end_ps, wide_int sum[N_LOCATION_STATES])
{
    for (int location = 0; location < result->n_processors; location++) {
        int64_t location_sum = 0;
        for (int s = 0; s < N_LOCATION_STATES; s++) {
            sum[s] += result->state_ps[location][s];
            location_sum += result->state_ps[location][s];
        }
        assert(location_sum == end_ps);
        (void)location_sum;
    }
    (void)end_ps;
}

static void add_speedup(const struct metrics_totals *totals, int p, struct result *result)
{
    result_add_time(result, "", "time_s", totals->end_ps);
    if (totals->sequential_ps >= 0)
        result_add_time(result, "", "sequential_time_s", totals->sequential_ps);
    if (totals->sequential_ps <= 0 || totals->end_ps <= 0)
        return;
    double speedup = (double)totals->sequential_ps / (double)totals->end_ps;
    result_add_ratio(result, "", "speedup", speedup);
    result_add_ratio(result, "", "efficiency", speedup / p);
}

/* T_comp / T_comm = (tau / beta) (operations / bytes), eqs. 1.16 and 1.17, with T_comp = T_seq. */
static void add_granularity(wide_int sequential_ps, wide_int communication_ps, wide_int operations, wide_int bytes,
                            struct result *result)
{
    if (sequential_ps <= 0 || communication_ps <= 0)
        return;
    double granularity = (double)sequential_ps / (double)communication_ps;
    result_add_ratio(result, "", "granularity", granularity);
    if (operations <= 0 || bytes <= 0)
        return;
    double software = (double)operations / (double)bytes;
    result_add_ratio(result, "", "software_granularity", software);
    result_add_ratio(result, "", "hardware_granularity", granularity / software);
}

/* The overheads over T_seq (EPPA), and over p T_par (AIMS). The last is left out where T_seq is only assumed. */
static void add_overheads(const struct metrics_totals *totals, wide_int sequential_ps, int p,
                          const wide_int sum[N_LOCATION_STATES], struct result *result)
{
    const struct {
        const char *name;
        wide_int ps;
        bool is_shown;
    } overheads[] = {{"control", sum[STATE_CONTROL], true},
                     {"communication", sum[STATE_SEND] + sum[STATE_RECEIVE], true},
                     {"library", sum[STATE_LIBRARY], sum[STATE_LIBRARY] != 0},
                     {"io", sum[STATE_IO], sum[STATE_IO] != 0},
                     {"idle", sum[STATE_IDLE], true},
                     {"anomaly", sum[STATE_USEFUL] - sequential_ps, totals->sequential_ps >= 0}};
    const struct {
        const char *group;
        double whole_ps;
    } ratios[] = {{"overhead_ratio", (double)sequential_ps}, {"aims_index", (double)totals->end_ps * p}};
    if (sequential_ps <= 0 || totals->end_ps <= 0)
        return;
    for (size_t r = 0; r < sizeof ratios / sizeof ratios[0]; r++)
        for (size_t i = 0; i < sizeof overheads / sizeof overheads[0]; i++)
            if (overheads[i].is_shown)
                result_add_ratio(result, ratios[r].group, overheads[i].name,
                                 (double)overheads[i].ps / ratios[r].whole_ps);
}

/* Where each state was spent, by scope; scopes without any are left out. */
static void add_scopes(const struct lost_cycles *self, struct result *result)
{
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        for (int s = 0; s < N_LOCATION_STATES; s++) {
            if (self->scope_ps[scope][s] == 0)
                continue;
            char name[MEASURE_NAME]; /* the state is there however long the scope's name is */
            snprintf(name, sizeof name, "%.47s.%s", metrics_scope_name(&self->setup, scope), location_state_names[s]);
            result_add_time(result, "scope_state_s", name, self->scope_ps[scope][s]);
        }
}

/* All that depends on T_seq, and the time in each state. */
static void add_account(const struct metrics_totals *totals, int p, const wide_int sum[N_LOCATION_STATES],
                        wide_int operations, wide_int bytes, struct result *result)
{
    wide_int sequential_ps = totals->sequential_ps < 0 ? sum[STATE_USEFUL] : totals->sequential_ps;
    add_speedup(totals, p, result);
    add_granularity(sequential_ps, sum[STATE_SEND] + sum[STATE_RECEIVE], operations, bytes, result);
    for (int s = 0; s < N_LOCATION_STATES; s++)
        if (sum[s] != 0 || location_state_is_usual[s])
            result_add_time(result, "state_s", location_state_names[s], sum[s]);
    add_overheads(totals, sequential_ps, p, sum, result);
}

#ifndef NDEBUG
/* True if the scopes have as much of each state as the locations. */
static bool scopes_close(const struct lost_cycles *self, const wide_int sum[N_LOCATION_STATES])
{
    for (int s = 0; s < N_LOCATION_STATES; s++) {
        wide_int in_scopes = 0;
        for (int scope = 0; scope < self->setup.n_scopes; scope++)
            in_scopes += self->scope_ps[scope][s];
        if (in_scopes != sum[s])
            return false;
    }
    return true;
}
#endif

static void add_locations(const struct interval_setup *setup, struct result *result)
{
    if (setup->processor_names == NULL)
        return;
    struct result_table *table = result_add_table(result, TABLE_LOCATIONS);
    for (int i = 0; i < interval_processors(setup); i++) {
        int location = interval_in_order(setup, 1 + setup->n_more_processors, i);
        const char *name = setup->processor_names[location];
        if (name != NULL)
            *result_add_locations(table) =
                (struct locations_row){location % setup->n_ranks, location / setup->n_ranks, intern_text(name)};
    }
}

static void lost_cycles_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    struct lost_cycles *self = data;
    wide_int sum[N_LOCATION_STATES] = {0};
    result->n_processors = interval_processors(&self->setup);
    result->state_ps = take_table(self);
    sum_states(result, totals->end_ps, sum);
    assert(scopes_close(self, sum));
    add_account(totals, interval_processors(&self->setup), sum, self->operations, self->bytes, result);
    add_scopes(self, result);
    add_locations(&self->setup, result);
    if (self->startup_ps != 0)
        result_add_time(result, "", "startup_s", self->startup_ps);
    result_add_count(result, "", "messages", self->messages);
    result_add_count(result, "", "bytes", self->bytes);
    result_add_count(result, "", "operations", self->operations);
    if (self->setup.flops > 0)
        result_add_ratio(result, "", "gflop", self->setup.flops / 1e9);
}

static wide_int number_of(const struct result *result, const char *group, const char *name)
{
    const struct measure *measure = result_find(result, group, name);
    return measure != NULL ? measure_number(measure) : 0;
}

void lost_cycles_set_sequential(struct result *result, int n_processors, int64_t sequential_ps)
{
    const struct metrics_totals totals = {(int64_t)number_of(result, "", "time_s"), sequential_ps};
    struct result more;
    wide_int sum[N_LOCATION_STATES];
    for (int s = 0; s < N_LOCATION_STATES; s++)
        sum[s] = number_of(result, "state_s", location_state_names[s]);
    result_init(&more);
    add_account(&totals, n_processors, sum, number_of(result, "", "operations"), number_of(result, "", "bytes"), &more);
    result_take_over(result, &more);
}

static void lost_cycles_free(void *data)
{
    struct lost_cycles *self = data;
    free(self->usual_ps);
    free(self->ends_ps);
    free(self->other_ps);
    free(self->scope_ps);
    free(self);
}

const struct metric_spec metric_lost_cycles = {
    .name = "lost_cycles",
    .summary = "speedup, efficiency, overhead ratios, granularity, by class and scope",
    .source = "Lemeire07, eqs. 1.1-1.17",
    .open = lost_cycles_open,
    .take = lost_cycles_take,
    .take_many = lost_cycles_take_many,
    .report = lost_cycles_report,
    .free = lost_cycles_free,
};
