/* The tables of a comparison: versions, and the parts of their times.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/tables.h"

#include "base/memory.h"
#include "base/sort.h"
#include "study/compare/verdict.h"

#include <math.h>
#include <stdlib.h>

/* A part that changes less than that share of the time is not told in brief, and of an axis no more than that many. */
#define LEAST_TOLD 0.005
enum { MOST_OF_AXIS = 4 };

/* --- versions --- */

static void add_version(struct table *table, const struct comparison *comparison, int v)
{
    const struct compare_version *version = &comparison->versions[v];
    const struct verdict verdict = verdict_of(comparison->versions, v);
    double least_s = INFINITY, most_s = -INFINITY;
    for (int i = 0; i < version->n_runs; i++) {
        least_s = fmin(least_s, run_time(&version->runs[i]));
        most_s = fmax(most_s, run_time(&version->runs[i]));
    }
    table_text(table, version->name);
    table_integer(table, version->n_runs);
    table_integer(table, version->middle->ranks);
    table_real(table, verdict.second_s);
    table_real(table, isfinite(least_s) ? least_s : (double)NAN);
    table_real(table, isfinite(most_s) ? most_s : (double)NAN);
    table_real(table, v > 0 ? verdict.second_s / verdict.first_s : (double)NAN);
    table_real(table, v > 0 ? verdict.p : (double)NAN);
    table_real(table, v > 0 ? verdict.least_p : (double)NAN);
    table_cell(table, v > 0 ? cell_of_text(verdict_names[verdict.is]) : (struct cell){.kind = CELL_NONE});
}

void comparison_add_versions(struct document *document, const struct comparison *comparison, enum audience audience)
{
    static const struct column columns[] = {
        {.id = "version", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "runs", .unit = UNIT_COUNT},
        {.id = "ranks", .unit = UNIT_COUNT},
        {.id = "time_s", .head = "time", .unit = UNIT_SECONDS},
        {.id = "least_s", .head = "least", .unit = UNIT_SECONDS, .flags = COLUMN_LIKE_LAST},
        {.id = "most_s", .head = "most", .unit = UNIT_SECONDS, .flags = COLUMN_LIKE_LAST},
        {.id = "factor", .unit = UNIT_SLOWDOWN},
        {.id = "p", .unit = UNIT_NUMBER},
        {.id = "least_p", .unit = UNIT_NUMBER, .flags = COLUMN_BESIDE},
        {.id = "verdict", .unit = UNIT_TEXT},
    };
    bool several = comparison->n_versions > 2;
    for (int v = 0; v < comparison->n_versions; v++)
        several |= comparison->versions[v].n_runs > 1;
    if (!several && audience == FOR_READERS)
        return;
    struct table *table = document_table(document, "versions", "Versions", audience);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (int v = 0; v < comparison->n_versions; v++)
        add_version(table, comparison, v);
}

/* --- parts --- */

struct ordered_part {
    const struct compare_part *part;
    int version;
    double change_s; /* NAN: only counts are known */
    bool is_told;
};

static int by_change(const void *a, const void *b)
{
    const struct ordered_part *left = a, *right = b;
    double x = isnan(left->change_s) ? -1 : fabs(left->change_s),
           y = isnan(right->change_s) ? -1 : fabs(right->change_s);
    return (x < y) - (x > y);
}

static bool is_equal(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a <= b && a >= b);
}

/* The parts of a version that differ in any way from the first one's. */
static struct ordered_part *order_parts(size_t *count, const struct compare_parts *parts, int version)
{
    struct ordered_part *ordered = xcalloc(parts->count + 1, sizeof *ordered);
    *count = 0;
    for (size_t i = 0; i < parts->count; i++) {
        const struct compare_part *part = &parts->list[i];
        struct part_amount first = part_median(parts, part, 0), second = part_median(parts, part, version);
        double change_s = second.time_s - first.time_s;
        if (is_equal(first.time_s, second.time_s) && is_equal(first.count, second.count) &&
            is_equal(first.bytes, second.bytes))
            continue;
        ordered[(*count)++] = (struct ordered_part){part, version, change_s, false};
    }
    sort_stable(ordered, *count, sizeof *ordered, by_change);
    return ordered;
}

static double part_p(const struct compare_parts *parts, const struct compare_part *part, int version)
{
    const struct compare_version *first = &parts->versions[0], *second = &parts->versions[version];
    double *values = xcalloc((size_t)(first->n_runs + second->n_runs) + 1, sizeof *values);
    const struct part_amount *of_first = part_of_version(parts, part, 0),
                             *of_second = part_of_version(parts, part, version);
    for (int i = 0; i < first->n_runs; i++)
        values[i] = of_first[i].time_s;
    for (int i = 0; i < second->n_runs; i++)
        values[first->n_runs + i] = of_second[i].time_s;
    struct verdict verdict = verdict_of_values(values, first->n_runs, values + first->n_runs, second->n_runs,
                                               verdict_is_exact(parts->versions, version));
    free(values);
    return verdict.p;
}

/* All of it, for programs. */
static void add_part(struct table *table, const struct compare_parts *parts, const struct ordered_part *ordered)
{
    struct part_amount first = part_median(parts, ordered->part, 0),
                       second = part_median(parts, ordered->part, ordered->version);
    double factor = second.time_s / first.time_s;
    table_text(table, compare_axis_names[ordered->part->by]);
    table_text(table, ordered->part->name);
    table_text(table, parts->versions[ordered->version].name);
    table_real(table, first.time_s);
    table_real(table, second.time_s);
    table_real(table, ordered->change_s);
    table_real(table, isfinite(factor) ? factor : (double)NAN);
    table_real(table, part_p(parts, ordered->part, ordered->version));
    table_real(table, first.count);
    table_real(table, second.count);
    table_real(table, first.bytes);
    table_real(table, second.bytes);
}

static void add_data(struct document *document, const struct compare_parts *parts)
{
    static const struct {
        const char *id;
        enum unit unit;
    } columns[] = {{"by", UNIT_TEXT},           {"part", UNIT_TEXT},
                   {"version", UNIT_TEXT},      {"first_s", UNIT_SECONDS},
                   {"second_s", UNIT_SECONDS},  {"change_s", UNIT_SECONDS},
                   {"factor", UNIT_SLOWDOWN},   {"p", UNIT_NUMBER},
                   {"first_count", UNIT_COUNT}, {"second_count", UNIT_COUNT},
                   {"first_bytes", UNIT_BYTES}, {"second_bytes", UNIT_BYTES}};
    struct table *table = document_table(document, "time_parts", NULL, FOR_PROGRAMS);
    table->needs_rows = true;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table,
                     (struct column){.id = columns[c].id, .unit = columns[c].unit, .flags = c < 3 ? COLUMN_KEY : 0});
    for (int v = 1; v < parts->n_versions; v++) {
        size_t count;
        struct ordered_part *ordered = order_parts(&count, parts, v);
        for (size_t i = 0; i < count; i++)
            add_part(table, parts, &ordered[i]);
        free(ordered);
    }
}

/* True if the rank computes in that scope alone. */
static bool says_no_more(const struct compare_parts *parts, const struct ordered_part *ordered)
{
    for (size_t i = 0; i < parts->count && ordered->part->by == BY_RANK_SCOPE; i++)
        if (parts->list[i].by == BY_RANK && parts->list[i].rank == ordered->part->rank)
            return fabs(part_change(parts, &parts->list[i], ordered->version) - ordered->change_s) <=
                   0.01 * fabs(ordered->change_s);
    return false;
}

/* Mark the largest parts of each axis; how many others there are. */
static size_t choose_parts(struct ordered_part *ordered, size_t count, const struct comparison *comparison,
                           const struct compare_parts *parts, int version)
{
    int n_told[N_COMPARE_AXES] = {0};
    size_t n_others = 0;
    double least_s = LEAST_TOLD * fmax(verdict_of(comparison->versions, version).first_s,
                                       verdict_of(comparison->versions, version).second_s);
    for (size_t i = 0; i < count; i++) {
        enum compare_axis by = ordered[i].part->by;
        ordered[i].is_told = !isnan(ordered[i].change_s) &&
                             (comparison->verbose || (fabs(ordered[i].change_s) >= least_s &&
                                                      n_told[by] < MOST_OF_AXIS && !says_no_more(parts, &ordered[i])));
        n_told[by] += ordered[i].is_told;
        n_others += !ordered[i].is_told && !isnan(ordered[i].change_s);
    }
    return n_others;
}

static void add_signed_time(struct table *table, double seconds)
{
    char text[40];
    scale_format(text, sizeof text, UNIT_SECONDS, fabs(seconds));
    table_cell(table, cell_shown(cell_of_real(seconds),
                                 document_format(table->document, "%s%s", seconds < 0 ? "-" : "+", text)));
}

/* A row for readers. */
static void add_told(struct table *table, const struct compare_parts *parts, const struct ordered_part *ordered,
                     double whole_s)
{
    struct part_amount first = part_median(parts, ordered->part, 0),
                       second = part_median(parts, ordered->part, ordered->version);
    double factor = second.time_s / first.time_s;
    table_text(table, compare_axis_heads[ordered->part->by]);
    table_text(table, ordered->part->name);
    table_real(table, first.time_s);
    table_real(table, second.time_s);
    add_signed_time(table, ordered->change_s);
    table_real(table, ordered->change_s / whole_s);
    table_cell(table, cell_shown(cell_of_real(factor), isfinite(factor) ? NULL : "-"));
    if (table->n_columns > 7)
        table_real(table, part_p(parts, ordered->part, ordered->version));
}

static void add_columns(struct table *table, const struct comparison *comparison, int version)
{
    const struct compare_version *first = &comparison->versions[0], *second = &comparison->versions[version];
    const struct column columns[] = {
        {.id = "by", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "part", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "first", .head = first->name, .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "second", .head = second->name, .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "change", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "of time", .unit = UNIT_DIFFERENCE},
        {.id = "factor", .unit = UNIT_SLOWDOWN},
        {.id = "p", .unit = UNIT_NUMBER, .flags = COLUMN_OWN_DIGITS},
    };
    bool has_p = first->n_runs + second->n_runs > 2 && !verdict_is_exact(comparison->versions, version);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0] - !has_p; c++)
        table_column(table, columns[c]);
}

static void add_for_readers(struct document *document, const struct comparison *comparison,
                            const struct compare_parts *parts, int version)
{
    size_t count;
    struct ordered_part *ordered = order_parts(&count, parts, version);
    size_t n_others = choose_parts(ordered, count, comparison, parts, version);
    double whole_s = verdict_of(comparison->versions, version).first_s;
    struct table *table =
        document_table(document, "time_parts",
                       document_format(document, "What takes longer or less in %s than in %s",
                                       comparison->versions[version].name, comparison->versions[0].name),
                       FOR_READERS);
    add_columns(table, comparison, version);
    for (int by = 0; by < N_COMPARE_AXES; by++)
        for (size_t i = 0; i < count; i++)
            if ((int)ordered[i].part->by == by && ordered[i].is_told) {
                table_mark(table);
                add_told(table, parts, &ordered[i], whole_s);
            }
    if (n_others > 0)
        document_note(document, xformat("%zu smaller change%s: -v", n_others, n_others == 1 ? "" : "s"));
    free(ordered);
}

void comparison_add_parts(struct document *document, const struct comparison *comparison,
                          const struct compare_parts *parts, enum audience audience)
{
    if (audience == FOR_PROGRAMS && document->audience & FOR_PROGRAMS)
        add_data(document, parts);
    for (int v = 1; v < comparison->n_versions && audience & document->audience & FOR_READERS; v++)
        add_for_readers(document, comparison, parts, v);
}
