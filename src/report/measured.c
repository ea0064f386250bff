/* Measures other than the time beside what was measured of them: a row for each run that the reference knows. */
#include "report/measured.h"

#include "report/reference.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <string.h>

enum { MAX_NAMES = 8 }; /* of a table, so that it is not too wide */

/* A number of the reference: its value `kind` of a measure. */
static double reference_value(const struct report_run *run, const char *kind, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", kind, name);
    return text_value(run, "reference", full);
}

/* The measures that the reference has of some run, in order. */
static int find_names(const struct report *report, const char *names[MAX_NAMES])
{
    int count = 0;
    for (int i = 0; i < report->n_runs; i++)
        for (size_t m = 0; m < report->runs[i].result.n_measures; m++) {
            const struct measure *measure = &report->runs[i].result.measures[m];
            size_t length = strlen(REFERENCE_MEASURED);
            if (strcmp(measure->group, "reference") != 0 || strncmp(measure->name, REFERENCE_MEASURED, length) != 0)
                continue;
            int n = 0;
            while (n < count && strcmp(names[n], measure->name + length) != 0)
                n++;
            if (n == count && count < MAX_NAMES)
                names[count++] = measure->name + length;
        }
    return count;
}

static bool is_known(const struct report_run *run, const char *const *names, int count)
{
    for (int n = 0; n < count; n++)
        if (!isnan(reference_value(run, REFERENCE_MEASURED, names[n])))
            return true;
    return false;
}

/* The components of the critical path are times, in a unit that fits them; everything else is a plain number. */
static bool find_scale(struct text_scale *scale, const struct report *report, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", REFERENCE_MEASURED, name);
    if (!text_has(report, "critical_path_s", name))
        return false;
    *scale = text_scale_column(report, "reference", full, text_scale(report, "reference", full));
    return true;
}

static void write_cell(struct table *table, const struct text_scale *scale, double value)
{
    if (scale != NULL)
        text_cell_time(table, *scale, value);
    else
        text_cell_ratio(table, value);
}

/* The measures, and for times their scales. */
struct columns {
    const char *names[MAX_NAMES];
    const struct text_scale *units[MAX_NAMES]; /* NULL: a plain number */
    struct text_scale scales[MAX_NAMES];
    int count;
};

static void write_heads(struct table *table, const struct report *report, const struct columns *columns)
{
    text_head_run(table, report);
    for (int n = 0; n < columns->count; n++) {
        const char *bar = n == 0 ? "" : "| ", *name = columns->names[n];
        if (columns->units[n] != NULL)
            table_head(table, "%s%s [%s]", bar, name, columns->units[n]->unit);
        else
            table_head(table, "%s%s", bar, name);
        table_head(table, "measured");
        table_head(table, "error");
    }
}

static void write_row(struct table *table, const struct report *report, const struct report_run *run,
                      const struct columns *columns)
{
    text_cell_run(table, report, run);
    for (int n = 0; n < columns->count; n++) {
        const char *name = columns->names[n];
        write_cell(table, columns->units[n], reference_value(run, REFERENCE_SIMULATED, name));
        write_cell(table, columns->units[n], reference_value(run, REFERENCE_MEASURED, name));
        text_cell_error(table, reference_value(run, REFERENCE_ERROR, name));
    }
}

/* "Mean |error|: speedup 10.9 % of 4, messages_per_s 17.7 % of 4." */
static void write_means(FILE *stream, const struct report *report, const char *const *names, int count)
{
    const char *before = "  Mean |error|: ";
    for (int n = 0; n < count; n++) {
        double sum = 0;
        int n_runs = 0;
        for (int i = 0; i < report->n_runs; i++) {
            double error = reference_value(&report->runs[i], REFERENCE_ERROR, names[n]);
            sum += isnan(error) ? 0 : fabs(error);
            n_runs += !isnan(error);
        }
        if (n_runs == 0)
            continue;
        fprintf(stream, "%s%s %.1f %% of %d", before, names[n], 100 * sum / n_runs, n_runs);
        before = ", ";
    }
    fputs(before[0] == ',' ? ".\n" : "", stream);
}

void measured_write(FILE *stream, const struct report *report)
{
    struct columns columns;
    const char *const *names = columns.names;
    int count = columns.count = find_names(report, columns.names);
    if (count == 0)
        return;
    for (int n = 0; n < count; n++)
        columns.units[n] = find_scale(&columns.scales[n], report, names[n]) ? &columns.scales[n] : NULL;
    struct table *table = table_new();
    write_heads(table, report, &columns);
    for (int i = 0; i < report->n_runs; i++)
        if (is_known(&report->runs[i], names, count))
            write_row(table, report, &report->runs[i], &columns);
    fputs("\nBeside what was measured on the real machine\n", stream);
    table_print(table, stream);
    write_means(stream, report, names, count);
}
