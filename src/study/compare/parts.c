/* Collects the parts of all runs, and aligns those of one name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/parts.h"

#include "base/memory.h"
#include "base/sort.h"
#include "study/compare/collect.h"
#include "study/compare/sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const compare_axis_names[N_COMPARE_AXES] = {
    [BY_PATH] = "path",
    [BY_FUNCTION] = "function",
    [BY_SITE] = "site",
    [BY_CALL_PATH] = "call_path",
    [BY_SCOPE] = "scope",
    [BY_RANK] = "rank",
    [BY_RANK_SCOPE] = "rank_scope",
    [BY_OFF] = "off_processor",
    [BY_SIZE] = "message_size",
    [BY_COLLECTIVE_SIZE] = "collective_size",
    [BY_WAIT] = "wait",
    [BY_AWAITED] = "awaited",
};

const char *const compare_axis_heads[N_COMPARE_AXES] = {
    [BY_PATH] = "critical path",          [BY_FUNCTION] = "function",     [BY_SITE] = "call site",
    [BY_CALL_PATH] = "call path",         [BY_SCOPE] = "scope",           [BY_RANK] = "computation",
    [BY_RANK_SCOPE] = "computation",      [BY_OFF] = "off the processor", [BY_SIZE] = "messages",
    [BY_COLLECTIVE_SIZE] = "collectives", [BY_WAIT] = "waiting",          [BY_AWAITED] = "waiting",
};

/* --- numbers --- */

static int by_number(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double compare_median(const double *values, int count)
{
    double *sorted = xmalloc(((size_t)count + 1) * sizeof *sorted), median = NAN;
    int known = 0;
    while (known < count && !isnan(values[known])) {
        sorted[known] = values[known];
        known++;
    }
    if (known == count && count > 0) {
        sort_stable(sorted, (size_t)count, sizeof *sorted, by_number);
        median = count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    }
    free(sorted);
    return median;
}

static double median_of(const struct part_amount *amounts, int count, size_t offset)
{
    double *values = xmalloc(((size_t)count + 1) * sizeof *values);
    for (int i = 0; i < count; i++)
        memcpy(&values[i], (const char *)&amounts[i] + offset, sizeof *values);
    double median = compare_median(values, count);
    free(values);
    return median;
}

static double time_of(const struct study_run *run)
{
    double time_s = run_time(run);
    return isnan(time_s) ? (double)INFINITY : time_s;
}

void compare_find_middle(struct compare_version *version)
{
    for (int i = 0; i < version->n_runs; i++) {
        int n_before = 0;
        for (int k = 0; k < version->n_runs; k++) {
            double own_s = time_of(&version->runs[i]), other_s = time_of(&version->runs[k]);
            n_before += other_s < own_s || (!(own_s < other_s) && k < i);
        }
        if (n_before == (version->n_runs - 1) / 2)
            version->middle = &version->runs[i];
    }
}

/* --- alignment --- */

static int by_name(const void *a, const void *b)
{
    const struct part_entry *left = a, *right = b;
    int order = (left->by > right->by) - (left->by < right->by);
    if (order == 0) /* ranks by their number */
        order = (left->rank > right->rank) - (left->rank < right->rank);
    return order != 0 ? order : strcmp(left->name, right->name);
}

static void add_amount(double *sum, double more)
{
    *sum = isnan(*sum) ? more : isnan(more) ? *sum : *sum + more;
}

/* A part without amounts: none where the run knows of such parts, NAN elsewhere. */
static void begin_part(struct compare_parts *parts, const struct part_entry *entry, const struct part_entries *entries)
{
    struct compare_part *part = &parts->list[parts->count];
    *part = (struct compare_part){.by = entry->by,
                                  .name = entry->name,
                                  .function = entry->function,
                                  .place = entry->place,
                                  .component = entry->component,
                                  .rank = entry->rank,
                                  .amounts = parts->amounts + parts->count * (size_t)parts->n_runs};
    parts->count++;
    for (int run = 0; run < parts->n_runs; run++) {
        bool knows = entries->knows[run * N_COMPARE_AXES + (int)entry->by];
        bool lacks = entry->rank >= entries->n_ranks[run]; /* a rank that it does not have */
        double none = knows && !lacks ? 0 : (double)NAN;
        part->amounts[run] = (struct part_amount){none, none, none};
    }
}

static void align(struct compare_parts *parts, struct part_entries *entries)
{
    if (entries->count > 0)
        sort_stable(entries->list, entries->count, sizeof *entries->list, by_name);
    parts->list = xcalloc(entries->count + 1, sizeof *parts->list);
    parts->amounts = xcalloc(entries->count * (size_t)parts->n_runs + 1, sizeof *parts->amounts);
    for (size_t i = 0; i < entries->count; i++) {
        const struct part_entry *entry = &entries->list[i];
        if (i == 0 || by_name(&entries->list[i - 1], entry) != 0)
            begin_part(parts, entry, entries);
        struct part_amount *amount = &parts->list[parts->count - 1].amounts[entry->run];
        add_amount(&amount->time_s, entry->amount.time_s);
        add_amount(&amount->count, entry->amount.count);
        add_amount(&amount->bytes, entry->amount.bytes);
        if (isnan(entry->amount.time_s)) /* of a run that counts, but does not time */
            amount->time_s = NAN;
    }
}

void parts_find(struct compare_parts *parts, const struct compare_version *versions, int n_versions)
{
    struct part_entries entries = {0};
    *parts = (struct compare_parts){.versions = versions, .n_versions = n_versions};
    for (int v = 0; v < n_versions; v++)
        parts->n_runs += versions[v].n_runs;
    entries.knows = xcalloc((size_t)parts->n_runs * N_COMPARE_AXES + 1, sizeof *entries.knows);
    entries.n_ranks = xcalloc((size_t)parts->n_runs + 1, sizeof *entries.n_ranks);
    enum path_detail detail = PATH_FUNCTIONS_AND_SCOPES;
    bool idle_waits = true;
    for (int v = 0; v < n_versions; v++)
        for (int r = 0; r < versions[v].n_runs; r++) {
            idle_waits &= result_find_table(&versions[v].runs[r].result, TABLE_FUNCTION_WAITS) == NULL;
            enum path_detail own = collect_path_detail(&versions[v].runs[r]);
            detail = own < detail ? own : detail;
        }
    parts->has_places = detail != PATH_COMPONENTS;
    int *version_of = xcalloc((size_t)parts->n_runs + 1, sizeof *version_of);
    for (int v = 0, run = 0; v < n_versions; v++)
        for (int r = 0; r < versions[v].n_runs; r++) {
            version_of[run] = v;
            collect_parts(&entries, run++, &versions[v].runs[r], detail, idle_waits);
        }
    sites_align(&entries, version_of);
    align(parts, &entries);
    free(version_of);
    free(entries.list);
    free(entries.knows);
    free(entries.n_ranks);
}

void parts_dispose(struct compare_parts *parts)
{
    free(parts->list);
    free(parts->amounts);
}

/* --- questions --- */

const struct part_amount *part_of_version(const struct compare_parts *parts, const struct compare_part *part,
                                          int version)
{
    const struct part_amount *amounts = part->amounts;
    for (int v = 0; v < version; v++)
        amounts += parts->versions[v].n_runs;
    return amounts;
}

struct part_amount part_median(const struct compare_parts *parts, const struct compare_part *part, int version)
{
    const struct part_amount *amounts = part_of_version(parts, part, version);
    int n_runs = parts->versions[version].n_runs;
    return (struct part_amount){median_of(amounts, n_runs, offsetof(struct part_amount, time_s)),
                                median_of(amounts, n_runs, offsetof(struct part_amount, count)),
                                median_of(amounts, n_runs, offsetof(struct part_amount, bytes))};
}

double part_change(const struct compare_parts *parts, const struct compare_part *part, int version)
{
    return part_median(parts, part, version).time_s - part_median(parts, part, 0).time_s;
}

bool parts_have(const struct compare_parts *parts, enum compare_axis by, int version)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->list[i].by == by && !isnan(part_change(parts, &parts->list[i], version)))
            return true;
    return false;
}

const struct compare_part *parts_named(const struct compare_parts *parts, enum compare_axis by, const char *name)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->list[i].by == by && strcmp(parts->list[i].name, name) == 0)
            return &parts->list[i];
    return NULL;
}
