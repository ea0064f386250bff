/* That the details of a run add up to its measures, exactly: in picoseconds, messages and bytes. */
#ifndef TESTS_METRICS_DETAIL_SUMS_H
#define TESTS_METRICS_DETAIL_SUMS_H

#include "metrics/result.h"

#include <string.h>

static inline wide_int sums_measure(const struct result *result, const char *group, const char *name)
{
    const struct measure *measure = result_find(result, group, name);
    return measure != NULL ? measure_number(measure) : 0;
}

static inline wide_int sums_cell(const struct result_table *table, size_t row, const char *column)
{
    return result_cell(table, row, result_column(table, column))->number;
}

/* Over the rows whose cell of `key` is this text; NULL: over all. */
static inline wide_int sums_column(const struct result_table *table, const char *column, const char *key,
                                   const char *text)
{
    wide_int sum = 0;
    for (size_t row = 0; table != NULL && row < table->n_rows; row++)
        if (key == NULL || strcmp(result_cell(table, row, result_column(table, key))->text, text) == 0)
            sum += sums_cell(table, row, column);
    return sum;
}

static inline const char *sums_fault_of_messages(const struct result *result)
{
    const struct result_table *pairs = result_find_table(result, "communication_matrix"),
                              *of = result_find_table(result, "communication_matrix_of"),
                              *sizes = result_find_table(result, "message_sizes");
    wide_int wait_ps = sums_column(pairs, "wait_s", NULL, NULL);
    if (sums_column(pairs, "messages", NULL, NULL) != sums_measure(result, "", "messages") ||
        sums_column(pairs, "bytes", NULL, NULL) != sums_measure(result, "", "bytes"))
        return "messages and bytes of pairs are not the run's";
    if (sums_column(pairs, "sender_wait_s", NULL, NULL) + sums_column(pairs, "receiver_wait_s", NULL, NULL) !=
            wait_ps ||
        wait_ps + sums_column(of, "other_wait_s", NULL, NULL) != sums_measure(result, "state_s", "idle"))
        return "waiting in pairs and elsewhere is not all idling";
    if (sums_column(sizes, "messages", NULL, NULL) != sums_measure(result, "", "messages") ||
        sums_column(sizes, "bytes", NULL, NULL) != sums_measure(result, "", "bytes"))
        return "messages and bytes of sizes are not the run's";
    for (size_t row = 1; row < pairs->n_rows; row++)
        if (sums_cell(pairs, row - 1, "from") > sums_cell(pairs, row, "from") ||
            (sums_cell(pairs, row - 1, "from") == sums_cell(pairs, row, "from") &&
             sums_cell(pairs, row - 1, "to") >= sums_cell(pairs, row, "to")))
            return "pairs are not in order";
    return NULL;
}

/* Of what is not recorded the component is not known. */
static inline const char *sums_fault_of_path(const struct result *result)
{
    static const char *const names[] = {"processing", "memory", "communication", "io"};
    const struct result_table *segments = result_find_table(result, "critical_path_segments");
    wide_int now = 0;
    for (size_t row = 0; row < segments->n_rows; row++) {
        if (sums_cell(segments, row, "start_s") != now || sums_cell(segments, row, "end_s") <= now)
            return "segments of the critical path leave gaps";
        now = sums_cell(segments, row, "end_s");
    }
    if (now != sums_measure(result, "", "time_s"))
        return "the segments of the critical path do not come to the end";
    bool whole = sums_column(segments, "end_s", "component", "unrecorded") == 0;
    for (int i = 0; whole && i < 4; i++)
        if (sums_column(segments, "end_s", "component", names[i]) -
                sums_column(segments, "start_s", "component", names[i]) !=
            sums_measure(result, "critical_path_s", names[i]))
            return "segments of a component are not its time on the critical path";
    return NULL;
}

/* A state that no rank is in may have none. */
static inline bool sums_has_column(const struct result_table *table, const char *name)
{
    bool found = false;
    for (size_t c = 0; c < table->n_columns; c++)
        found |= strcmp(table->columns[c].name, name) == 0;
    return found;
}

static inline const char *sums_fault_of_scopes(const struct result *result)
{
    const struct result_table *states = result_find_table(result, "scope_states");
    wide_int by_rank[N_LOCATION_STATES];
    size_t row = 0;
    for (int rank = 0; rank < result->n_ranks; rank++) {
        memset(by_rank, 0, sizeof by_rank);
        for (; row < states->n_rows && sums_cell(states, row, "rank") == rank; row++)
            for (int s = 0; s < N_LOCATION_STATES; s++)
                by_rank[s] += sums_has_column(states, location_state_columns[s])
                                  ? sums_cell(states, row, location_state_columns[s])
                                  : 0;
        for (int s = 0; s < N_LOCATION_STATES; s++)
            if (by_rank[s] != result->state_ps[rank][s])
                return "states of a rank by scope are not its states";
    }
    const struct result_table *waits = result_find_table(result, "waits"),
                              *intervals = result_find_table(result, "wait_intervals");
    if (sums_column(waits, "total_s", NULL, NULL) != sums_column(intervals, "time_s", NULL, NULL))
        return "the intervals of waits are not the waits";
    return row == states->n_rows ? NULL : "there are states of no rank";
}

/* NULL: all is well. The result is of a run of which all details were asked for. */
static inline const char *sums_fault(const struct result *result)
{
    const char *fault = sums_fault_of_messages(result);
    fault = fault != NULL ? fault : sums_fault_of_path(result);
    return fault != NULL ? fault : sums_fault_of_scopes(result);
}

#endif
