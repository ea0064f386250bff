/* Adds the parts of the time of runs to their measures, by function and by scope.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/parts.h"

#include "base/memory.h"
#include "base/sort.h"
#include "metrics/metrics.h"
#include "study/models/observations.h"
#include "study/models/time_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.001
enum { MOST_ROWS = 24 };

const struct parts_group parts_groups[N_PARTS_GROUPS] = {
    [PARTS_FUNCTIONS] = {"function_s", "function_part_s", M_FUNCTION, M_FUNCTION_PART},
    [PARTS_SCOPES] = {"scope_s", "scope_part_s", M_SCOPE, M_SCOPE_PART},
};

/* ---- Kinds ---- */

const char *part_kind_name(enum part_kind kind)
{
    static const char *const names[] = {"computation", "control", "io", "transfer", "library", "waiting"};
    return kind <= DOING_WAITING ? names[kind] : wait_state_names[kind - DOING_WAITING];
}

enum part_kind part_kind_named(const char *name)
{
    int kind = 0;
    while (kind < N_PART_KINDS && strcmp(part_kind_name((enum part_kind)kind), name) != 0)
        kind++;
    return (enum part_kind)kind;
}

bool parts_are_meant(const char *measures)
{
    bool meant = measures[0] == '\0';
    for (int g = 0; g < N_PARTS_GROUPS; g++)
        meant = meant || observations_mean(measures, parts_groups[g].rows) ||
                observations_mean(measures, parts_groups[g].kinds);
    return meant;
}

/* ---- Small ones ---- */

struct name {
    size_t first; /* its parts */
    double share; /* the largest of a run */
};

static int by_share(const void *a, const void *b)
{
    const struct name *left = a, *right = b;
    if (left->share != right->share)
        return left->share > right->share ? -1 : 1;
    return left->first < right->first ? -1 : left->first > right->first;
}

static double largest_share(const struct time_parts *parts, size_t first, const struct study *study, double *sums)
{
    double largest = 0;
    size_t end = time_parts_end_of_name(parts, first);
    memset(sums, 0, (size_t)study->n_runs * sizeof *sums);
    for (size_t i = first; i < end; i++) {
        const struct study_run *run = &study->runs[parts->list[i].run];
        double share = sums[parts->list[i].run] +=
            units_seconds(parts->list[i].ps) / (run_all_processors(run) * run_time(run));
        largest = share > largest ? share : largest;
    }
    return largest;
}

/* Give one name to all that is small in all runs, or comes after the first MOST_ROWS. */
static void lump(struct time_parts *parts, const struct study *study, const char *others)
{
    size_t n_names = 0, n_kept = 0;
    struct name *names = xcalloc(parts->count + 1, sizeof *names);
    double *sums = xcalloc((size_t)study->n_runs + 1, sizeof *sums);
    for (size_t first = 0; first < parts->count; first = time_parts_end_of_name(parts, first))
        names[n_names++] = (struct name){first, largest_share(parts, first, study, sums)};
    sort_stable(names, n_names, sizeof *names, by_share);
    while (n_kept < n_names && n_kept < MOST_ROWS && names[n_kept].share >= LEAST_SHARE)
        n_kept++;
    for (size_t n = n_kept; n < n_names && n_names - n_kept > 1; n++)
        for (size_t i = names[n].first, end = time_parts_end_of_name(parts, i); i < end; i++)
            parts->list[i].run |= INT32_MIN; /* marked, as a new name would end the search */
    for (size_t i = 0; i < parts->count; i++)
        if (parts->list[i].run < 0) {
            parts->list[i].run &= INT32_MAX;
            snprintf(parts->list[i].name, sizeof parts->list[i].name, "%s", others);
        }
    time_parts_merge(parts);
    free(names);
    free(sums);
}

/* ---- To measures ---- */

static void add_mean(struct study_run *run, const char *group, const char *name, wide_int ps)
{
    result_add_time(&run->result, group, name, ps / run_all_processors(run));
}

/* Computation and control are the rows of functions that are no function. */
static bool is_kind(const char *name, const struct parts_group *group)
{
    return group == &parts_groups[PARTS_FUNCTIONS] && part_kind_named(name) != DOING_MIXED;
}

/* True if no time is a time, too: where the name is no function or scope that a run may lack, and on one rank, which
 * has no other to exchange messages with. */
static bool is_always_there(const char *name, const struct parts_group *group, const struct study_run *run)
{
    return run_all_processors(run) == 1 || is_kind(name, group) || strcmp(name, PARTS_NO_FUNCTION) == 0 ||
           strcmp(name, METRICS_NO_SCOPE) == 0;
}

/* The parts of one row, in a run that has it: their sum, or the sum of each kind that any run has. */
static void write_row(struct study_run *run, int index, const struct time_part *parts, size_t n,
                      const struct parts_group *group, bool by_kind)
{
    wide_int whole = 0, sums[N_PART_KINDS] = {0};
    bool has[N_PART_KINDS] = {false};
    for (size_t i = 0; i < n; i++) {
        wide_int ps = parts[i].run == index ? parts[i].ps : 0;
        has[parts[i].kind] |= parts[i].ps > 0;
        sums[parts[i].kind] += ps;
        whole += ps;
    }
    if (whole <= 0 && !is_always_there(parts->name, group, run))
        return;
    if (!by_kind)
        add_mean(run, group->rows, parts->name, whole);
    for (int kind = 0; kind < N_PART_KINDS && by_kind && !is_kind(parts->name, group); kind++) {
        char name[MEASURE_NAME];
        snprintf(name, sizeof name, "%s.%s", parts->name, part_kind_name((enum part_kind)kind));
        if (has[kind])
            add_mean(run, group->kinds, name, sums[kind]);
    }
}

/* All rows, then all kinds in them. */
static void write_all(struct study *study, const struct time_parts *parts, const struct parts_group *group)
{
    for (int by_kind = 0; by_kind < 2; by_kind++)
        for (size_t first = 0, end; first < parts->count; first = end) {
            end = time_parts_end_of_name(parts, first);
            for (int r = 0; r < study->n_runs; r++)
                if (result_get(&study->runs[r].result, M_TIME) != NULL)
                    write_row(&study->runs[r], r, &parts->list[first], end - first, group, by_kind == 1);
        }
}

void parts_add(struct study *study)
{
    static void (*const find[N_PARTS_GROUPS])(struct time_parts *, int, const struct study_run *) = {
        [PARTS_FUNCTIONS] = time_parts_find_functions, [PARTS_SCOPES] = time_parts_find_scopes};
    static const char *const others[N_PARTS_GROUPS] = {"other functions", "other scopes"};
    for (int g = 0; g < N_PARTS_GROUPS; g++) {
        struct time_parts parts = {0};
        for (int r = 0; r < study->n_runs; r++)
            if (run_time(&study->runs[r]) > 0)
                find[g](&parts, r, &study->runs[r]);
        time_parts_merge(&parts);
        if (g == PARTS_FUNCTIONS || time_parts_end_of_name(&parts, 0) < parts.count) {
            lump(&parts, study, others[g]);
            write_all(study, &parts, &parts_groups[g]);
        }
        free(parts.list);
    }
}
