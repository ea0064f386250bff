/* The components of the machine along the critical path: their times, and which of them are the bottleneck. */
#include "report/components.h"

#include "report/text_parts.h"

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
            strncmp(result->measures[i].name, component->name, length) == 0 &&
            result->measures[i].name[length] == '.')
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

/* The names of the components below `prefix.` that some run has, in order; at most `max`. */
static int find_components(const struct report *report, const char *prefix, const char **names, int max)
{
    int count = 0;
    size_t length = strlen(prefix);
    for (int i = 0; i < report->n_runs; i++)
        for (size_t m = 0; m < report->runs[i].result.n_measures; m++) {
            const struct measure *measure = &report->runs[i].result.measures[m];
            if (strcmp(measure->group, "critical_path_s") != 0 || strncmp(measure->name, prefix, length) != 0 ||
                measure->name[length] != '.')
                continue;
            int c = 0;
            while (c < count && strcmp(names[c], measure->name) != 0)
                c++;
            if (c == count && count < max)
                names[count++] = measure->name;
        }
    return count;
}

/* Whether a component has any time, simulated or predicted. */
static bool takes_time(const struct report *report, const char *name)
{
    char predicted[64];
    snprintf(predicted, sizeof predicted, "predicted.%s", name);
    for (int i = 0; i < report->n_runs; i++)
        if (text_value(&report->runs[i], "critical_path_s", name) > 0 ||
            text_value(&report->runs[i], "reference", predicted) > 0)
            return true;
    return false;
}

/* Leave out those that are 0 in all runs; how many remain. */
static int drop_empty(const struct report *report, const char **names, int count)
{
    int kept = 0;
    for (int c = 0; c < count; c++)
        if (takes_time(report, names[c]))
            names[kept++] = names[c];
    return kept;
}

/* The components' times and, where the reference has them, its predictions beside them. */
static void write_components(FILE *stream, const struct report *report, const char *title, const char **names,
                             int count)
{
    struct text_scale scale = text_scale(report, "", "time_s");
    char predicted[64];
    struct table *table = table_new();
    text_head_run(table, report);
    for (int c = 0; c < count; c++) {
        const char *dot = strchr(names[c], '.');
        table_head(table, "%s", dot != NULL ? dot + 1 : names[c]);
        snprintf(predicted, sizeof predicted, "predicted.%s", names[c]);
        if (text_has(report, "reference", predicted))
            table_head(table, "(pred.)");
    }
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        for (int c = 0; c < count; c++) {
            text_cell_time(table, text_scale_column(report, "critical_path_s", names[c], scale),
                           text_value(run, "critical_path_s", names[c]));
            snprintf(predicted, sizeof predicted, "predicted.%s", names[c]);
            if (text_has(report, "reference", predicted))
                text_cell_time(table, text_scale_column(report, "critical_path_s", names[c], scale),
                               text_value(run, "reference", predicted));
        }
    }
    fprintf(stream, "\n%s [%s]\n", title, scale.unit);
    table_print(table, stream);
}

void components_write_path(FILE *stream, const struct report *report)
{
    enum { MAX_NAMES = 32, MAX_PHASES = 6 }; /* of a table, so that it is not too wide */
    const char *names[MAX_NAMES];
    int count = 0;
    for (int g = 0; g < N_COMPONENT_GROUPS; g++)
        names[count++] = component_groups[g];
    count = drop_empty(report, names, count);
    if (count > 0)
        write_components(stream, report,
                         "What the time consists of, along the chain of work and messages that the end waited for",
                         names, count);
    count = 0;
    for (int g = 0; g < N_COMPONENT_GROUPS; g++)
        if (g != 2)
            count += find_components(report, component_groups[g], names + count, MAX_NAMES - count);
    count = drop_empty(report, names, count);
    if (count > 1) /* a single one is all there is of its group */
        write_components(stream, report, "  of it processing, memory, I/O", names, count);
    count = drop_empty(report, names, find_components(report, "communication", names, MAX_NAMES));
    for (int from = 0; from < count; from += MAX_PHASES)
        write_components(stream, report, "  of it communication, by phase", names + from,
                         count - from < MAX_PHASES ? count - from : MAX_PHASES);
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
    struct table *table = table_new();
    text_head_run(table, report);
    for (int r = 0; r < N_RATIOS; r++)
        if (any_ratio(report, ratios[r].group, ratios[r].name))
            table_head(table, "%s", ratios[r].title);
    table_head(table, "utilisation");
    for (int i = 0; i < report->n_runs; i++) {
        text_cell_run(table, report, &report->runs[i]);
        for (int r = 0; r < N_RATIOS; r++)
            if (any_ratio(report, ratios[r].group, ratios[r].name))
                text_cell_ratio(table, text_value(&report->runs[i], ratios[r].group, ratios[r].name));
        text_cell_percent(table, text_value(&report->runs[i], "", "utilisation"));
    }
    fprintf(stream, "\nBottlenecks (B-ratio: a component over all others; above 1 it dominates)\n");
    table_print(table, stream);
    if (is_rank_sweep(report))
        write_verdicts(stream, report);
}
