/* Checks that the details of a run add up to its measures, exactly: in picoseconds, messages and bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_METRICS_DETAIL_SUMS_H
#define TESTS_METRICS_DETAIL_SUMS_H

#include "tests/metrics/cells.h"

#include <string.h>

static inline wide_int sums_measure(const struct result *result, const char *group, const char *name)
{
    const struct measure *measure = result_find(result, group, name);
    return measure != NULL ? measure_number(measure) : 0;
}

static inline wide_int sums_cell(const struct result_table *table, size_t row, const char *column)
{
    return cells_at(table, row, column).number;
}

/* Over the rows whose cell of `key` is this text; NULL: over all. */
static inline wide_int sums_column(const struct result_table *table, const char *column, const char *key,
                                   const char *text)
{
    wide_int sum = 0;
    for (size_t row = 0; table != NULL && row < table->n_rows; row++)
        if (key == NULL || strcmp(cells_at(table, row, key).text, text) == 0)
            sum += sums_cell(table, row, column);
    return sum;
}

static inline const char *sums_fault_of_messages(const struct result *result)
{
    const struct result_table *pairs = result_find_table(result, TABLE_COMMUNICATION_MATRIX),
                              *of = result_find_table(result, TABLE_COMMUNICATION_MATRIX_OF),
                              *sizes = result_find_table(result, TABLE_MESSAGE_SIZES);
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

/* The component of time that is not recorded is unknown. */
static inline const char *sums_fault_of_path(const struct result *result)
{
    static const char *const names[] = {"processing", "memory", "communication", "io"};
    const struct result_table *segments = result_find_table(result, TABLE_CRITICAL_PATH_SEGMENTS);
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

static inline const char *sums_fault_of_scopes(const struct result *result)
{
    size_t n_rows, row = 0;
    const struct scope_states_row *states = result_scope_states(result, &n_rows);
    wide_int by_rank[N_LOCATION_STATES];
    for (int rank = 0; rank < result->n_processors; rank++) {
        memset(by_rank, 0, sizeof by_rank);
        for (; row < n_rows && states[row].rank == rank; row++)
            for (int s = 0; s < N_LOCATION_STATES; s++)
                by_rank[s] += states[row].state_ps[s];
        for (int s = 0; s < N_LOCATION_STATES; s++)
            if (by_rank[s] != result->state_ps[rank][s])
                return "states of a rank by scope are not its states";
    }
    const struct result_table *waits = result_find_table(result, TABLE_WAITS),
                              *intervals = result_find_table(result, TABLE_WAIT_INTERVALS);
    if (sums_column(waits, "total_s", NULL, NULL) != sums_column(intervals, "time_s", NULL, NULL))
        return "the intervals of waits are not the waits";
    return row == n_rows ? NULL : "there are states of no rank";
}

/* Columns that metrics/list.def says to add up to another one. */
static inline const char *sums_fault_of_rows(const struct result *result)
{
    for (const struct result_table *table = result->tables; table < result->tables + result->n_tables; table++)
        for (size_t row = 0; row < table->n_rows; row++) {
            const struct table_spec *spec = &table_specs[table->id];
            for (size_t whole = 0; whole < spec->n_columns; whole++) {
                wide_int sum = 0;
                bool has_parts = false;
                for (size_t c = 0; c < spec->n_columns; c++)
                    if (strcmp(spec->columns[c].whole, spec->columns[whole].name) == 0) {
                        has_parts = true;
                        sum += result_cell(table, row, c).number;
                    }
                if (has_parts && sum != result_cell(table, row, whole).number)
                    return "the parts of a row do not add up to it";
            }
        }
    return NULL;
}

/* NULL: all is well. The result is of a run of which all details were asked for. */
static inline const char *sums_fault(const struct result *result)
{
    const char *fault = sums_fault_of_messages(result);
    fault = fault != NULL ? fault : sums_fault_of_path(result);
    fault = fault != NULL ? fault : sums_fault_of_rows(result);
    return fault != NULL ? fault : sums_fault_of_scopes(result);
}

#endif
