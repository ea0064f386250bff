/* The kinds of simrun list that tell of results: metrics, measures, tables with their columns, and details.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/list_print.h"

#include "base/memory.h"
#include "metrics/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "of --detail messages: ..." */
void list_metric(const struct list *list, int i, enum list_detail kind)
{
    const struct metric_spec *spec = metric_specs[i];
    char *summary = xstrdup(spec->summary);
    (void)list;
    (void)kind;
    for (int detail = 0; detail < N_DETAILS; detail++) {
        if ((spec->details & DETAIL_BIT(detail)) == 0)
            continue;
        const char *name = detail_specs[detail].name; /* without one it is for pages */
        char *more = xformat("--%s %s%s: %s", name != NULL ? "detail" : "format", name != NULL ? name : "html",
                             spec->always_for_traces ? ", or a trace" : "", summary);
        free(summary);
        summary = more;
    }
    list_line((struct list_row){spec->name, summary, spec->source});
    free(summary);
}

struct list_row list_table_row(const struct list *list, int i)
{
    (void)list;
    return (struct list_row){i < N_TABLES ? table_specs[i].name : NULL, "", NULL};
}

static void print_result_column(const struct column_spec *column)
{
    const struct kind_spec *kind = &kind_specs[column->kind];
    struct builder words = {0};
    builder_add(&words, "%s", kind->what != NULL ? kind->what : "one of:");
    for (int w = 0; w < kind->n_words; w++)
        builder_add(&words, "%s \"%s\"", w > 0 ? "," : "", kind->words[w]);
    if (column->whole[0] != '\0')
        builder_add(&words, ", a part of %s", column->whole);
    printf("    %-20s ", column->name);
    list_taken(25, &words);
}

/* In a list of all kinds, print only where these many things are listed; true if it is such a list. */
static bool print_where(const char *kind, int i, enum list_detail detail)
{
    if (detail == LIST_BRIEF && i == 0)
        printf("  all of them: simrun list %s\n", kind);
    return detail == LIST_BRIEF;
}

/* A table with its columns, and what is in them. */
void list_table(const struct list *list, int i, enum list_detail detail)
{
    const struct table_spec *spec = &table_specs[i];
    (void)list;
    if (print_where("tables", i, detail))
        return;
    printf("  %s\n", spec->name);
    for (size_t c = 0; c < spec->n_columns; c++)
        print_result_column(&spec->columns[c]);
}

/* "critical_path_s.io" */
struct list_row list_measure_row(const struct list *list, int i)
{
    static char name[MEASURE_GROUP + MEASURE_NAME];
    const struct measure_spec *spec = &measure_specs[i + 1 < N_MEASURES ? i + 1 : 0];
    (void)list;
    if (i + 1 >= N_MEASURES)
        return (struct list_row){NULL, NULL, NULL};
    snprintf(name, sizeof name, "%s%s%s", spec->group, spec->group[0] != '\0' ? "." : "", spec->name);
    return (struct list_row){name, "", NULL};
}

const char *list_unit(enum unit unit)
{
    static const char *const units[] = {[UNIT_TEXT] = "text",
                                        [UNIT_COUNT] = "a count",
                                        [UNIT_SECONDS] = "seconds",
                                        [UNIT_BYTES] = "bytes",
                                        [UNIT_BANDWIDTH] = "bytes per second",
                                        [UNIT_RATIO] = "a ratio",
                                        [UNIT_SHARE] = "a fraction",
                                        [UNIT_DIFFERENCE] = "a relative difference",
                                        [UNIT_SLOWDOWN] = "a multiple of the best",
                                        [UNIT_NUMBER] = "a number"};
    return units[unit];
}

void list_measure(const struct list *list, int i, enum list_detail detail)
{
    if (!print_where("measures", i, detail))
        printf("  %-36s %s\n", list_measure_row(list, i).name, list_unit(measure_specs[i + 1].unit));
}

struct list_row list_detail_row(const struct list *list, int i)
{
    const char *name = detail_name_at(NULL, i);
    (void)list;
    for (int detail = 0; name != NULL && detail < N_DETAILS; detail++)
        if (detail_specs[detail].name != NULL && strcmp(detail_specs[detail].name, name) == 0)
            return (struct list_row){name, detail_specs[detail].summary, NULL};
    return (struct list_row){name, "all of these", NULL};
}
