/* The components of the machine along the critical path: their times, and which of them are the bottleneck. */
#include "report/components.h"

#include "base/memory.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const component_groups[] = {"processing", "memory", "communication", "io"};
static const char *const component_titles[] = {"processing", "memory", "communication", "I/O"};
enum { N_COMPONENT_GROUPS = 4 };

const char *components_dominant(const struct report_run *run, double *share)
{
    int dominant = 0;
    for (int g = 1; g < N_COMPONENT_GROUPS; g++)
        if (text_value(run, "critical_path_s", component_groups[g]) >
            text_value(run, "critical_path_s", component_groups[dominant]))
            dominant = g;
    *share = text_value(run, "critical_path_s", component_groups[dominant]) / text_time(run);
    return component_titles[dominant];
}

bool components_is_leaf(const struct result *result, const struct measure *component)
{
    size_t length = strlen(component->name);
    for (size_t i = 0; i < result->n_measures; i++)
        if (strcmp(result->measures[i].group, component->group) == 0 &&
            strncmp(result->measures[i].name, component->name, length) == 0 && result->measures[i].name[length] == '.')
            return false;
    return true;
}

const char *components_largest(const struct report_run *run, double *share)
{
    const struct measure *largest = NULL;
    for (size_t i = 0; i < run->result.n_measures; i++) {
        const struct measure *measure = &run->result.measures[i];
        if (strcmp(measure->group, "critical_path_s") == 0 && measure_value(measure) > 0 &&
            (largest == NULL || measure_value(measure) > measure_value(largest)) &&
            components_is_leaf(&run->result, measure))
            largest = measure;
    }
    *share = largest != NULL ? measure_value(largest) / text_time(run) : 0;
    return largest != NULL ? largest->name : NULL;
}

/* Components in the order of the columns, or rows, that they are shown in. */
struct components {
    const char **names; /* borrowed of the measures */
    size_t count, capacity;
    size_t shown; /* those after the first `shown` are shown as one, "others" */
};

static void add_component(struct components *components, const char *name)
{
    for (size_t c = 0; c < components->count; c++)
        if (strcmp(components->names[c], name) == 0)
            return;
    components->names = xgrow(components->names, components->count, &components->capacity, sizeof(const char *));
    components->names[components->count++] = name;
    components->shown = components->count;
}

/* Add the components below `prefix.` that some run has, in order. */
static void find_components(struct components *components, const struct report *report, const char *prefix)
{
    size_t length = strlen(prefix);
    for (int i = 0; i < report->n_runs; i++)
        for (size_t m = 0; m < report->runs[i].result.n_measures; m++) {
            const struct measure *measure = &report->runs[i].result.measures[m];
            if (strcmp(measure->group, "critical_path_s") == 0 && strncmp(measure->name, prefix, length) == 0 &&
                measure->name[length] == '.')
                add_component(components, measure->name);
        }
}

static double predicted_s(const struct report_run *run, const char *name)
{
    char predicted[80];
    snprintf(predicted, sizeof predicted, "predicted.%s", name);
    return text_value(run, "reference", predicted);
}

/* Whether some run has a prediction. */
static bool has_prediction(const struct report *report, const char *name)
{
    for (int i = 0; i < report->n_runs; i++)
        if (!isnan(predicted_s(&report->runs[i], name)))
            return true;
    return false;
}

/* Whether a component has any time, simulated or predicted. */
static bool takes_time(const struct report *report, const char *name)
{
    for (int i = 0; i < report->n_runs; i++)
        if (text_value(&report->runs[i], "critical_path_s", name) > 0 || predicted_s(&report->runs[i], name) > 0)
            return true;
    return false;
}

/* Leave out those that are 0 in all runs. */
static void drop_empty(struct components *components, const struct report *report)
{
    size_t kept = 0;
    for (size_t c = 0; c < components->count; c++)
        if (takes_time(report, components->names[c]))
            components->names[kept++] = components->names[c];
    components->count = components->shown = kept;
}

/* --- those that are shown --- */

static size_t count_shown(const struct components *components)
{
    return components->shown + (components->shown < components->count);
}

static const char *shown_name(const struct components *components, size_t c)
{
    if (c == components->shown)
        return "others";
    const char *dot = strchr(components->names[c], '.');
    return dot != NULL ? dot + 1 : components->names[c];
}

/* NAN where the run has none of it. */
static double shown_s(const struct components *components, const struct report_run *run, size_t c)
{
    if (c < components->shown)
        return text_value(run, "critical_path_s", components->names[c]);
    double sum = NAN;
    for (; c < components->count; c++) {
        double value = text_value(run, "critical_path_s", components->names[c]);
        if (!isnan(value))
            sum = isnan(sum) ? value : sum + value;
    }
    return sum;
}

/* The digits that the least of a column needs. */
static struct text_scale scale_of(const struct components *components, const struct report *report, size_t c,
                                  struct text_scale unit)
{
    double least = INFINITY;
    for (int i = 0; i < report->n_runs; i++) {
        double value = shown_s(components, &report->runs[i], c);
        if (value > 0 && value < least)
            least = value;
    }
    return text_scale_least(least, unit);
}

/* --- tables --- */

/* How a column is written, found once for all rows. */
struct component_column {
    struct text_scale digits;
    bool predicted; /* the reference's prediction is beside it */
};

static struct component_column *find_columns(const struct components *components, const struct report *report,
                                             struct text_scale unit)
{
    struct component_column *columns = xcalloc(count_shown(components), sizeof *columns);
    for (size_t c = 0; c < count_shown(components); c++) {
        columns[c].digits = scale_of(components, report, c, unit);
        columns[c].predicted = c < components->shown && has_prediction(report, components->names[c]);
    }
    return columns;
}

/* The components' times and, where the reference has them, its predictions beside them: a column each. */
static void write_columns(FILE *stream, const struct report *report, const struct components *components,
                          struct text_scale scale)
{
    struct component_column *columns = find_columns(components, report, scale);
    struct table *table = table_new();
    text_head_run(table, report);
    for (size_t c = 0; c < count_shown(components); c++) {
        table_head(table, "%s", shown_name(components, c));
        if (columns[c].predicted)
            table_head(table, "(pred.)");
    }
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        for (size_t c = 0; c < count_shown(components); c++) {
            text_cell_time(table, columns[c].digits, shown_s(components, run, c));
            if (columns[c].predicted)
                text_cell_time(table, columns[c].digits, predicted_s(run, components->names[c]));
        }
    }
    table_print(table, stream);
    free(columns);
}

/* The components of a single run that has many: a row each. */
static void write_rows(FILE *stream, const struct report_run *run, const struct components *components,
                       struct text_scale scale)
{
    double least = INFINITY;
    for (size_t c = 0; c < count_shown(components); c++)
        if (shown_s(components, run, c) > 0)
            least = fmin(least, shown_s(components, run, c));
    struct table *table = table_new();
    table_head(table, "phase");
    table_head(table, "time");
    table_head(table, "of all");
    for (size_t c = 0; c < count_shown(components); c++) {
        table_cell(table, "%s", shown_name(components, c));
        text_cell_time(table, text_scale_least(least, scale), shown_s(components, run, c));
        text_cell_percent(table, shown_s(components, run, c) / text_time(run));
    }
    table_print(table, stream);
}

static void write_components(FILE *stream, const struct report *report, const char *title,
                             const struct components *components, bool rows)
{
    struct text_scale scale = text_scale(report, "", "time_s");
    fprintf(stream, "\n%s [%s]\n", title, scale.unit);
    if (rows)
        write_rows(stream, &report->runs[0], components, scale);
    else
        write_columns(stream, report, components, scale);
}

/* --- phases --- */

struct ranked {
    const char *name;
    double largest; /* share of a run */
    size_t place;
};

static int by_size(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    if (left->largest != right->largest)
        return left->largest < right->largest ? 1 : -1;
    return (left->place > right->place) - (left->place < right->place);
}

/* Put those first that are the largest part of any run. */
static void sort_components(struct components *components, const struct report *report)
{
    struct ranked *ranked = xcalloc(components->count, sizeof *ranked);
    for (size_t c = 0; c < components->count; c++) {
        ranked[c] = (struct ranked){components->names[c], 0, c};
        for (int i = 0; i < report->n_runs; i++) /* fmax skips NAN */
            ranked[c].largest =
                fmax(ranked[c].largest, shown_s(components, &report->runs[i], c) / text_time(&report->runs[i]));
    }
    qsort(ranked, components->count, sizeof *ranked, by_size);
    for (size_t c = 0; c < components->count; c++)
        components->names[c] = ranked[c].name;
    free(ranked);
}

/* One phase alone is all of the communication, which the reader knows; of many those are shown that matter. */
static void write_phases(FILE *stream, const struct report *report)
{
    enum { MANY = 6, MOST = 10 };
    struct components phases = {0};
    find_components(&phases, report, "communication");
    drop_empty(&phases, report);
    bool rows = report->n_runs == 1 && phases.count > MANY;
    if (rows || phases.count > MOST + 1)
        sort_components(&phases, report);
    if (phases.count > MOST + 1)
        phases.shown = MOST;
    if (phases.count > 1 || (phases.count == 1 && has_prediction(report, phases.names[0])))
        write_components(stream, report, "  of it communication, by phase", &phases, rows);
    free(phases.names);
}

void components_write_path(FILE *stream, const struct report *report)
{
    struct components parts = {0}, groups = {0};
    for (int g = 0; g < N_COMPONENT_GROUPS; g++)
        add_component(&groups, component_groups[g]);
    drop_empty(&groups, report);
    if (groups.count > 0)
        write_components(stream, report,
                         "What the time consists of, along the chain of work and messages that the end waited for",
                         &groups, false);
    for (int g = 0; g < N_COMPONENT_GROUPS; g++)
        if (g != 2)
            find_components(&parts, report, component_groups[g]);
    drop_empty(&parts, report);
    if (parts.count > 1) /* a single one is all there is of its group */
        write_components(stream, report, "  of it processing, memory, I/O", &parts, false);
    free(parts.names);
    free(groups.names);
    write_phases(stream, report);
}

/* In a sweep over ranks: say for which of them the ratio is above 1. False if for none. */
static bool write_range(FILE *stream, const struct report *report, const char *group, const char *name,
                        const char *text)
{
    int first = -1, last = -1, count = 0;
    for (int i = 0; i < report->n_runs; i++)
        if (text_value(&report->runs[i], group, name) > 1) {
            first = first < 0 ? i : first;
            last = i;
            count++;
        }
    if (first < 0)
        return false;
    fprintf(stream, "  %s %s", text, count < last - first + 1 ? "with exceptions " : "");
    if (first == 0 && last == report->n_runs - 1)
        fputs("throughout.\n", stream);
    else if (last == report->n_runs - 1)
        fprintf(stream, "from %d ranks on.\n", report->runs[first].ranks);
    else if (first == 0)
        fprintf(stream, "up to %d rank%s.\n", report->runs[last].ranks, report->runs[last].ranks == 1 ? "" : "s");
    else
        fprintf(stream, "from %d to %d ranks.\n", report->runs[first].ranks, report->runs[last].ranks);
    return true;
}

static void write_verdicts(FILE *stream, const struct report *report)
{
    static const char *const verdicts[N_COMPONENT_GROUPS] = {
        "Processing is the bottleneck, more than all else together,",
        "Memory is the bottleneck, more than all else together,",
        "Communication is the bottleneck, more than all else together,",
        "I/O is the bottleneck, more than all else together,",
    };
    bool any = false;
    for (int g = 0; g < N_COMPONENT_GROUPS; g++)
        any |= write_range(stream, report, "b_ratio", component_groups[g], verdicts[g]);
    if (!any)
        fputs("  No single component outweighs all the others.\n", stream);
    write_range(stream, report, "", "communication_computation_ratio", "Communication takes longer than computation");
}

/* Whether the runs differ in the number of ranks only, in rising order. */
static bool is_rank_sweep(const struct report *report)
{
    for (int i = 0; i < report->runs[0].n_parameters; i++)
        if (report_varies(report, i) && strcmp(report->runs[0].parameters[i].name, "ranks") != 0)
            return false;
    for (int i = 1; i < report->n_runs; i++)
        if (report->runs[i].ranks <= report->runs[i - 1].ranks)
            return false;
    return report->n_runs > 1;
}

static bool any_ratio(const struct report *report, const char *group, const char *name)
{
    for (int i = 0; i < report->n_runs; i++)
        if (text_value(&report->runs[i], group, name) > 0)
            return true;
    return false;
}

/* A column of zeros is left out: such a component takes no time in any of the runs. */
void components_write_bottlenecks(FILE *stream, const struct report *report)
{
    static const struct {
        const char *group, *name, *title;
    } ratios[] = {
        {"b_ratio", "processing", "processing"},
        {"b_ratio", "memory", "memory"},
        {"b_ratio", "communication", "communication"},
        {"b_ratio", "io", "I/O"},
        {"", "communication_computation_ratio", "comm./comp."},
        {"", "memory_processing_ratio", "mem./proc."},
    };
    enum { N_RATIOS = sizeof ratios / sizeof ratios[0] };
    bool shown[N_RATIOS];
    struct table *table = table_new();
    text_head_run(table, report);
    for (int r = 0; r < N_RATIOS; r++)
        if ((shown[r] = any_ratio(report, ratios[r].group, ratios[r].name)))
            table_head(table, "%s", ratios[r].title);
    table_head(table, "utilisation");
    for (int i = 0; i < report->n_runs; i++) {
        text_cell_run(table, report, &report->runs[i]);
        for (int r = 0; r < N_RATIOS; r++)
            if (shown[r])
                text_cell_ratio(table, text_value(&report->runs[i], ratios[r].group, ratios[r].name));
        text_cell_percent(table, text_value(&report->runs[i], "", "utilisation"));
    }
    fprintf(stream, "\nBottlenecks (B-ratio: a component over all others; above 1 it dominates)\n");
    table_print(table, stream);
    const struct report *all = report->whole != NULL ? report->whole : report;
    if (is_rank_sweep(all))
        write_verdicts(stream, all);
}
