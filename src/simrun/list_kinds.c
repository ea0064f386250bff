/* The kinds of things that simrun list lists, and how each is printed in lines of at most 120 columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/list_kinds.h"

#include "apps/replay/list.h"
#include "base/builder.h"
#include "base/memory.h"
#include "core/what_if/what_if.h"
#include "figure/figure.h"
#include "metrics/metrics.h"
#include "report/report.h"
#include "sim/network/network.h"
#include "sim/scenario/scenario.h"
#include "sim/topology/topology.h"
#include "simrun/list_print.h"
#include "trace/formats.h"
#include "trace/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_MEMBER SIZE_MAX

static const char *member_of(const char *thing, size_t place)
{
    const char *text = NULL;
    if (place != NO_MEMBER)
        memcpy(&text, thing + place, sizeof text);
    return text;
}

struct list_row list_row_of(const struct list *list, const struct list_kind *kind, int i)
{
    const char *thing;
    if (kind->row != NULL)
        return kind->row(list, i);
    memcpy(&thing, (const char *)kind->table + (size_t)i * sizeof thing, sizeof thing);
    if (thing == NULL)
        return (struct list_row){NULL, NULL, NULL};
    return (struct list_row){member_of(thing, kind->name_at), member_of(thing, kind->summary_at),
                             member_of(thing, kind->source_at)};
}

void list_print(const struct list *list, const struct list_kind *kind, int i, enum list_detail detail)
{
    if (kind->print != NULL)
        kind->print(list, i, detail);
    else
        list_line(list_row_of(list, kind, i));
}

/* --- scenarios --- */

static struct list_row scenario_row(const struct list *list, int i)
{
    return (struct list_row){found_name_at(&list->scenarios, i), NULL, NULL};
}

static void print_scenario_row(const char *name, const struct scenario *scenario)
{
    char *heading = scenario_heading(scenario);
    list_line((struct list_row){name, scenario->title != NULL ? heading : scenario->app->summary, scenario->app->name});
    free(heading);
}

/* Among all kinds, many names to a line: the first prints them all. */
static void print_scenario(const struct list *list, int i, enum list_detail detail)
{
    struct sim_error error = {0};
    struct scenario scenario = {0};
    const char *name = list->scenarios.names[i], *file = list->scenarios.files[i];
    if (detail == LIST_BRIEF && i == 0)
        printf("  ");
    if (detail == LIST_BRIEF && i == 0)
        list_names(2, (const char *const *)list->scenarios.names, list->scenarios.count);
    if (detail == LIST_BRIEF)
        return;
    if (scenario_load_file(&scenario, file, app_specs, &error) != 0)
        list_line((struct list_row){name, error.message, NULL});
    else
        print_scenario_row(name, &scenario);
    if (detail == LIST_THING)
        printf("    %s\n", file);
    scenario_dispose(&scenario);
}

/* --- parameters --- */

static struct list_row parameter_row(const struct list *list, int i)
{
    (void)list;
    return (struct list_row){i < N_COMMON_PARAMS ? common_params[i].name : NULL, NULL, NULL};
}

static void print_parameter_of(const struct param_spec *param, bool with_range)
{
    char range[400];
    struct builder words = {0};
    builder_add(&words, "%s; %s%s", param->summary, param->fallback != NULL ? "default: " : "must be given",
                param->fallback != NULL ? param->fallback : "");
    printf("    %-18s ", param->name);
    list_taken(23, &words);
    if (!with_range)
        return;
    param_format_range(range, sizeof range, param);
    printf("    %-18s   ", "");
    list_words(25, range);
}

static void print_parameter(const struct list *list, int i, enum list_detail detail)
{
    (void)list;
    print_parameter_of(&common_params[i], detail != LIST_BRIEF);
}

/* --- applications --- */

static bool is_same(const struct param_spec *a, const struct param_spec *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->summary, b->summary) == 0 && a->type == b->type &&
           a->min == b->min && a->max == b->max && a->choices == b->choices;
}

/* True if an application before the i-th has this parameter, perhaps with another default. */
static bool is_listed(int i, const struct param_spec *param)
{
    for (int a = 0; a < i; a++)
        for (int k = 0; k < app_specs[a]->n_params; k++)
            if (is_same(&app_specs[a]->params[k], param))
                return true;
    return false;
}

static void print_application(const struct list *list, int i, enum list_detail detail)
{
    const struct app_spec *app = app_specs[i];
    struct builder again = {0};
    (void)list;
    list_line((struct list_row){app->name, app->summary, app->source});
    for (int k = 0; detail != LIST_BRIEF && k < app->n_params; k++) {
        const struct param_spec *param = &app->params[k];
        if (detail == LIST_KIND && is_listed(i, param))
            builder_add(&again, "%s%s (%s)", again.length > 0 ? ", " : "", param->name,
                        param->fallback != NULL ? param->fallback : "must be given");
        else
            print_parameter_of(param, true);
    }
    if (again.length == 0)
        return;
    printf("    as above, with defaults: ");
    list_taken(29, &again);
}

/* --- collectives --- */

/* "sag = scatter_ring, ...", behind the names. */
static void print_aliases(const struct coll_family_spec *family)
{
    struct builder words = {0};
    for (const struct param_alias *alias = family->aliases; alias->name != NULL; alias++)
        builder_add(&words, "%s%s = %s", words.length > 0 ? ", " : "", alias->name, alias->choice);
    printf("  other names: ");
    list_taken(15, &words);
}

/* Print the parameters that go with broadcasts, as the first application has them that does some. */
static void print_broadcast_parameters(const struct app_spec *app, bool with_ranges)
{
    int k = 0;
    while (app->params[k].choices != coll_broadcast_names)
        k++;
    puts("  with the parameters");
    for (int p = 1; p < N_BROADCAST_PARAMS; p++)
        print_parameter_of(&app->params[k + p], with_ranges);
}

static bool has_broadcasts(const struct app_spec *app)
{
    for (int k = 0; k < app->n_params; k++)
        if (app->params[k].choices == coll_broadcast_names)
            return true;
    return false;
}

static void end_broadcasts(enum list_detail detail)
{
    int a = 0;
    if (detail != LIST_BRIEF)
        print_aliases(&coll_families[COLL_BROADCAST]);
    while (app_specs[a] != NULL && !has_broadcasts(app_specs[a]))
        a++;
    if (app_specs[a] != NULL)
        print_broadcast_parameters(app_specs[a], detail != LIST_BRIEF);
}

/* Broadcasts, the first of the families, are a kind of their own. */
static struct list_row family_row(const struct list *list, int i)
{
    (void)list;
    return (struct list_row){i + 1 < N_COLL_FAMILIES ? coll_families[i + 1].name : NULL, NULL, NULL};
}

static bool family_has(int i, const char *name)
{
    return coll_find((enum coll_family)(i + 1), name) != NULL;
}

static void print_family(const struct list *list, int i, enum list_detail detail)
{
    const struct coll_family_spec *family = &coll_families[i + 1];
    (void)list;
    if (detail == LIST_BRIEF) {
        int n = 0;
        while (family->specs[n]->next != NULL && family->specs[n]->choose == NULL)
            n++;
        list_names(printf("  %-16s ", family->name), family->names, n);
        return;
    }
    printf("  %s\n", family->name);
    for (int k = 0; family->specs[k] != NULL; k++)
        list_line((struct list_row){family->names[k], family->specs[k]->summary, family->specs[k]->source});
    print_aliases(family);
}

/* --- topologies and causes --- */

/* The first in words, then the names of the others. */
static void print_routings(const struct topology_spec *spec)
{
    struct builder words = {0};
    const char *before = "; also ";
    builder_add(&words, "%s", spec->routing);
    for (int i = 0, first = __builtin_ctz(spec->routings); i < N_ROUTINGS; i++)
        if (i != first && (spec->routings >> i & 1)) {
            builder_add(&words, "%s%s", before, routing_names[i]);
            before = ", ";
        }
    list_taken(23, &words);
}

static void print_topology(const struct list *list, int i, enum list_detail detail)
{
    const struct topology_spec *spec = topology_specs[i];
    (void)list;
    list_line((struct list_row){spec->name, spec->summary, NULL});
    if (detail == LIST_BRIEF)
        return;
    printf("    %-18s ", "dimensions");
    list_words(23, spec->form);
    printf("    %-18s ", "routing");
    print_routings(spec);
}

/* By their place among the specs, without "auto". */
static struct list_row routing_row(const struct list *list, int i)
{
    (void)list;
    if (i + 1 >= N_ROUTINGS)
        return (struct list_row){NULL, NULL, NULL};
    return (struct list_row){routing_specs[i + 1].name, routing_specs[i + 1].summary, NULL};
}

/* Among all kinds, only their names. */
static void print_routing(const struct list *list, int i, enum list_detail detail)
{
    if (detail != LIST_BRIEF)
        list_line(routing_row(list, i));
    else if (i == 0)
        list_names(printf("  "), routing_names + 1, N_ROUTINGS - 1);
}

static struct list_row cause_row(const struct list *list, int i)
{
    (void)list;
    if (i >= N_CAUSES)
        return (struct list_row){NULL, NULL, NULL};
    return (struct list_row){without_names[i], what_if_causes[i].summary, NULL};
}

/* --- formats and panels --- */

static struct list_row writer_row(const struct list *list, int i)
{
    const struct trace_format *format = trace_format_at(i);
    (void)list;
    return format != NULL ? (struct list_row){format->extension, format->summary, NULL} : (struct list_row){0};
}

static struct list_row reader_row(const struct list *list, int i)
{
    const struct record_format *format = record_format_at(i);
    (void)list;
    return format != NULL ? (struct list_row){format->extension, format->summary, NULL} : (struct list_row){0};
}

static struct list_row panel_row(const struct list *list, int i)
{
    (void)list;
    return (struct list_row){figure_panels[i].name, figure_panels[i].summary, NULL};
}

/* --- the table --- */

#define IN(items, type, name, source)                                                                                  \
    .table = (items), .name_at = offsetof(struct type, name), .summary_at = offsetof(struct type, summary),            \
    .source_at = (source)
#define SOURCE_OF(type) offsetof(struct type, source)

const struct list_kind list_kinds[] = {
    {"scenarios", "Scenarios, simulated by name", .row = scenario_row, .print = print_scenario},
    {"platforms", "Platforms, the machines included in simrun (--platform NAME)", .row = list_platform_row,
     .print = list_platform, .end = list_platforms_end},
    {"parameters", "Parameters of every scenario", .row = parameter_row, .print = print_parameter},
    {"applications", "Applications; simrun list NAME shows the parameters of one",
     IN(app_specs, app_spec, name, SOURCE_OF(app_spec)), .print = print_application},
    {"broadcasts", "Broadcast algorithms", IN(coll_broadcasts, coll_spec, name, SOURCE_OF(coll_spec)),
     .end = end_broadcasts},
    {"collectives", "Algorithms of the other collectives; each may also be fastest, openmpi or auto", .row = family_row,
     .print = print_family, .has = family_has},
    {"networks", "Networks", IN(network_specs, network_spec, name, NO_MEMBER)},
    {"topologies", "Topologies", IN(topology_specs, topology_spec, name, NO_MEMBER), .print = print_topology},
    {"routings", "Routings, of which each topology has some", .row = routing_row, .print = print_routing},
    {"metrics", "Metrics", IN(metric_specs, metric_spec, name, SOURCE_OF(metric_spec)), .print = list_metric},
    {"measures", "Measures of a run; * stands for names from its program or machine", .row = list_measure_row,
     .print = list_measure},
    {"tables", "Tables of a run, arrays of objects in JSON, and their columns", .row = list_table_row,
     .print = list_table},
    {"details", "Details that --detail adds", .row = list_detail_row},
    {"causes", "Causes that --what-if removes", .row = cause_row},
    {"panels", "Panels that simrun figure draws", .row = panel_row},
    {"formats", "Formats of results (--format)", IN(report_specs, report_spec, name, NO_MEMBER)},
    {"formats", "Trace formats that simrun writes (--trace)", .row = writer_row},
    {"formats", "Trace formats that simrun reads, to analyze, or to replay with the application trace",
     .row = reader_row},
    {.name = NULL},
};
