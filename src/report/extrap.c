/* The text format of the tool Extra-P: every measure of a sweep over its numeric parameters, for models made there.
 *
 * Format: PARAMETER with their names, POINTS with their values in parentheses, then for each METRIC and REGION a line
 * DATA for each point, in the order of the points. What else varies, such as the broadcast, makes a region of its
 * own. */
#include "report/report.h"

#include "base/memory.h"
#include "report/text_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMETERS = 4 }; /* that Extra-P takes */

struct layout {
    int parameters[MAX_PARAMETERS];
    int n_parameters;
    bool *names_region;   /* of each parameter of a run: it varies, and is no coordinate */
    int *region, *point;  /* of each run */
    int *first_of_region; /* a run of it */
    int *first_of_point;
    int n_regions, n_points;
};

static bool is_coordinate(const struct layout *layout, int parameter)
{
    for (int p = 0; p < layout->n_parameters; p++)
        if (layout->parameters[p] == parameter)
            return true;
    return false;
}

/* Numbers that vary; of a single run the ranks. */
static void find_parameters(struct layout *layout, const struct report *report)
{
    const struct report_run *run = &report->runs[0];
    for (int i = 0; i < run->n_parameters && layout->n_parameters < MAX_PARAMETERS; i++)
        if (run->parameters[i].is_number && report_varies(report, i))
            layout->parameters[layout->n_parameters++] = i;
    if (layout->n_parameters == 0)
        layout->parameters[layout->n_parameters++] = 0;
    layout->names_region = xcalloc((size_t)run->n_parameters, sizeof *layout->names_region);
    for (int i = 0; i < run->n_parameters; i++)
        layout->names_region[i] = !is_coordinate(layout, i) && report_varies(report, i);
}

static bool agree(const struct report *report, const struct layout *layout, int a, int b, bool coordinates)
{
    for (int i = 0; i < report->runs[a].n_parameters; i++)
        if ((coordinates ? is_coordinate(layout, i) : layout->names_region[i]) &&
            report->runs[a].parameters[i].number != report->runs[b].parameters[i].number)
            return false;
    return true;
}

/* Number the runs by their coordinates, or by all else. */
static int *number_runs(const struct report *report, const struct layout *layout, bool coordinates, int **first, int *n)
{
    int *numbers = xcalloc((size_t)report->n_runs, sizeof *numbers);
    *first = xcalloc((size_t)report->n_runs, sizeof **first);
    for (int i = 0; i < report->n_runs; i++) {
        while (numbers[i] < *n && !agree(report, layout, i, (*first)[numbers[i]], coordinates))
            numbers[i]++;
        if (numbers[i] == *n)
            (*first)[(*n)++] = i;
    }
    return numbers;
}

static void write_head(FILE *stream, const struct report *report, const struct layout *layout)
{
    fprintf(stream, "# simrun %s\nPARAMETER", report->version);
    for (int p = 0; p < layout->n_parameters; p++)
        fprintf(stream, " %s", report->runs[0].parameters[layout->parameters[p]].name);
    fputs("\nPOINTS", stream);
    for (int i = 0; i < layout->n_points; i++) {
        const struct report_run *run = &report->runs[layout->first_of_point[i]];
        for (int p = 0; p < layout->n_parameters; p++)
            fprintf(stream, "%s%lld", p == 0 ? " (" : " ", (long long)run->parameters[layout->parameters[p]].number);
        fputc(')', stream);
    }
    fputc('\n', stream);
}

/* The run at each point of a region; false if one is missing, has been discarded, or has no such measure. */
static bool find_data(const struct measure **data, const struct report *report, const struct layout *layout, int region,
                      const struct measure *measure)
{
    int n_found = 0;
    for (int i = 0; i < report->n_runs; i++) {
        const struct measure *found =
            layout->region[i] == region ? result_find(&report->runs[i].result, measure->group, measure->name) : NULL;
        if (found == NULL)
            continue;
        data[layout->point[i]] = found;
        n_found++;
    }
    return n_found == layout->n_points;
}

static void write_region(FILE *stream, const struct report *report, const struct layout *layout, int region)
{
    const struct report_run *run = &report->runs[layout->first_of_region[region]];
    fputs("REGION ", stream);
    for (const char *c = report->scenario; *c != '\0'; c++) /* on one line, whatever the scenario is called */
        fputc((unsigned char)*c < ' ' ? ' ' : *c, stream);
    for (int i = 0; i < run->n_parameters; i++)
        if (layout->names_region[i])
            fprintf(stream, "->%s=%s", run->parameters[i].name, run->parameters[i].text);
    fputc('\n', stream);
}

/* A measure that a region does not have at every point is left out there: each DATA stands for the next point. */
static void write_measure(FILE *stream, const struct report *report, const struct layout *layout,
                          const struct measure *measure, const struct measure **data)
{
    bool named = false;
    for (int region = 0; region < layout->n_regions; region++) {
        if (!find_data(data, report, layout, region, measure))
            continue;
        if (!named)
            fprintf(stream, "\nMETRIC %s%s%s\n", measure->group, measure->group[0] != '\0' ? "." : "", measure->name);
        named = true;
        write_region(stream, report, layout, region);
        for (int i = 0; i < layout->n_points; i++)
            fprintf(stream, "DATA %.15g\n", measure_value(data[i]));
    }
}

static bool is_first(const struct report *report, int run, const struct measure *measure)
{
    for (int i = 0; i < run; i++)
        if (result_find(&report->runs[i].result, measure->group, measure->name) != NULL)
            return false;
    return true;
}

static void extrap_write(FILE *stream, const struct report *report)
{
    struct layout layout = {0};
    find_parameters(&layout, report);
    layout.region = number_runs(report, &layout, false, &layout.first_of_region, &layout.n_regions);
    layout.point = number_runs(report, &layout, true, &layout.first_of_point, &layout.n_points);
    const struct measure **data = xcalloc((size_t)layout.n_points, sizeof(const struct measure *));
    write_head(stream, report, &layout);
    for (int run = 0; run < report->n_runs; run++)
        for (size_t i = 0; i < report->runs[run].result.n_measures; i++)
            if (is_first(report, run, &report->runs[run].result.measures[i]))
                write_measure(stream, report, &layout, &report->runs[run].result.measures[i], data);
    free(data);
    free(layout.names_region);
    free(layout.region);
    free(layout.point);
    free(layout.first_of_region);
    free(layout.first_of_point);
}

const struct report_spec report_extrap = {
    .name = "extrap", .summary = "the measures of a sweep, in the text format of Extra-P", .write = extrap_write};
