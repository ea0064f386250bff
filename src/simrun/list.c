/* Prints the tables of applications, algorithms, networks, topologies, metrics, causes, formats and parameters. */
#include "simrun/list.h"
#include "apps/list.h"

#include "experiment/what_if.h"
#include "metrics/metrics.h"
#include "report/report.h"
#include "sim/kernel/app.h"
#include "sim/network/network.h"
#include "sim/scenario/scenario.h"
#include "sim/topology/topology.h"
#include "study/run.h"
#include "trace/formats.h"
#include "trace/record/record.h"
#include "trace/trace.h"

#include <stdio.h>
#include <string.h>

static void print_row(const char *name, const char *summary, const char *source)
{
    printf("  %-16s %s", name, summary);
    printf(source != NULL ? " (%s)\n" : "%s\n", source != NULL ? source : "");
}

static void print_parameters(const struct param_spec *params, int count)
{
    for (int i = 0; i < count; i++) {
        char range[400];
        param_format_range(range, sizeof range, &params[i]);
        printf("    %-18s %s; %s: %s\n", params[i].name, params[i].summary,
               params[i].fallback != NULL ? "default" : "must be given",
               params[i].fallback != NULL ? params[i].fallback : "no default");
        printf("    %-18s   %s\n", "", range);
    }
}

static void list_applications(void)
{
    for (int i = 0; app_specs[i] != NULL; i++) {
        print_row(app_specs[i]->name, app_specs[i]->summary, app_specs[i]->source);
        print_parameters(app_specs[i]->params, app_specs[i]->n_params);
    }
}

/* The algorithms, and other names for them. */
static void list_family(enum coll_family family)
{
    const struct coll_family_spec *spec = &coll_families[family];
    for (int i = 0; spec->specs[i] != NULL; i++)
        print_row(spec->names[i], spec->specs[i]->summary, spec->specs[i]->source);
    for (const struct param_alias *alias = spec->aliases; alias->name != NULL; alias++)
        printf("%s%s = %s", alias == spec->aliases ? "  other names: " : ", ", alias->name, alias->choice);
    puts("");
}

static void list_broadcasts(void)
{
    list_family(COLL_BROADCAST);
}

static void list_collectives(void)
{
    for (int f = 0; f < N_COLL_FAMILIES; f++) {
        if (f == COLL_BROADCAST)
            continue;
        printf("  %s\n", coll_families[f].name);
        list_family((enum coll_family)f);
    }
}

static void list_networks(void)
{
    for (int i = 0; network_specs[i] != NULL; i++)
        print_row(network_specs[i]->name, network_specs[i]->summary, NULL);
}

static void list_topologies(void)
{
    for (int i = 0; topology_specs[i] != NULL; i++) {
        print_row(topology_specs[i]->name, topology_specs[i]->summary, NULL);
        printf("    %-18s %s\n    %-18s %s\n", "dimensions", topology_specs[i]->form, "routing",
               topology_specs[i]->routing);
    }
}

static void list_metrics(void)
{
    for (int i = 0; metric_specs[i] != NULL; i++)
        print_row(metric_specs[i]->name, metric_specs[i]->summary, metric_specs[i]->source);
}

static void list_causes(void)
{
    for (int i = 0; i < what_if_n_causes; i++)
        print_row(what_if_causes[i].name, what_if_causes[i].summary, NULL);
}

static void list_formats(void)
{
    for (int i = 0; report_specs[i] != NULL; i++)
        print_row(report_specs[i]->name, report_specs[i]->summary, NULL);
    puts("  Traces, written by --trace:");
    for (int i = 0; trace_formats[i] != NULL; i++)
        print_row(trace_formats[i]->ending, trace_formats[i]->summary, NULL);
    if (record_formats[0] != NULL)
        puts("  Traces, read (analysed, or replayed by the application trace):");
    for (int i = 0; record_formats[i] != NULL; i++)
        print_row(record_formats[i]->ending, record_formats[i]->summary, NULL);
}

static void list_parameters(void)
{
    print_parameters(common_params, N_COMMON_PARAMS);
}

static const struct {
    const char *name;
    const char *title;
    void (*print)(void);
} kinds[] = {
    {"parameters", "Parameters of every scenario", list_parameters},
    {"applications", "Applications, with their parameters", list_applications},
    {"broadcasts", "Broadcast algorithms", list_broadcasts},
    {"collectives", "Algorithms of other collectives; the first is the default", list_collectives},
    {"networks", "Networks", list_networks},
    {"topologies", "Topologies", list_topologies},
    {"metrics", "Metrics", list_metrics},
    {"causes", "Causes that --what-if removes", list_causes},
    {"formats", "Formats of results (--format) and of traces (--trace)", list_formats},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static int find_kind(const char *name)
{
    for (int k = 0; k < N_KINDS; k++)
        if (strcmp(kinds[k].name, name) == 0)
            return k;
    return -1;
}

static void print_kind(int kind)
{
    printf("%s\n", kinds[kind].title);
    kinds[kind].print();
}

int list_print(char **names, int n_names, struct sim_error *error)
{
    for (int i = 0; i < n_names; i++)
        if (find_kind(names[i]) < 0)
            return sim_error_set(
                error, SIM_BAD_INPUT, NULL, 0,
                "--list: unknown kind '%s'; known: parameters applications broadcasts collectives networks topologies "
                "metrics causes formats",
                names[i]);
    for (int i = 0; i < n_names; i++)
        print_kind(find_kind(names[i]));
    for (int k = 0; n_names == 0 && k < N_KINDS; k++)
        print_kind(k);
    return 0;
}
