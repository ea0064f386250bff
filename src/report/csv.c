/* One row a run; the columns are the parameters, in a decision why a run is discarded, and every measure that some run
 * has, named as in JSON (group.name). */
#include "report/report.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Whether a spreadsheet would compute what the text begins with. A number is none the less a number. */
static bool is_formula(const char *text)
{
    char *end;
    if (text[0] == '\0' || strchr("=+-@\t\r\n", text[0]) == NULL)
        return false;
    strtod(text, &end);
    return end == text || *end != '\0' || strspn(text, "0123456789.eE+-") != strlen(text);
}

/* A cell as RFC 4180 has it: in quotes where it needs them. A quote before what would be a formula makes it text. */
static void write_text(FILE *stream, const char *text)
{
    const char *mark = is_formula(text) ? "'" : "";
    if (strpbrk(text, ",\"\n\r") == NULL) {
        fprintf(stream, "%s%s", mark, text);
        return;
    }
    fprintf(stream, "\"%s", mark);
    for (; *text != '\0'; text++)
        fprintf(stream, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', stream);
}

static void write_parameters(FILE *stream, const struct report_run *run)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (run->parameters[i].is_number)
            fprintf(stream, "%lld,", (long long)run->parameters[i].number);
        else {
            write_text(stream, run->parameters[i].text);
            fputc(',', stream);
        }
    write_text(stream, run->platform);
    fputc(',', stream);
    write_text(stream, run->network);
}

static bool same_name(const struct measure *a, const struct measure *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->group, b->group) == 0;
}

/* The distinct measures of all runs, in the order of their first appearance; to be freed. Most runs have the same
 * ones. */
static const struct measure **find_columns(const struct report *report, size_t *n_columns)
{
    const struct measure **columns = NULL;
    size_t count = 0, capacity = 0;
    for (int run = 0; run < report->n_runs; run++)
        for (size_t i = 0; i < report->runs[run].result.n_measures; i++) {
            const struct measure *measure = &report->runs[run].result.measures[i];
            size_t c = i < count && same_name(columns[i], measure) ? i : 0;
            while (c < count && !same_name(columns[c], measure))
                c++;
            if (c < count)
                continue;
            columns = xgrow(columns, count, &capacity, sizeof(const struct measure *));
            columns[count++] = measure;
        }
    *n_columns = count;
    return columns;
}

/* NULL: the run has none of column c. */
static const struct measure *find_value(const struct result *result, const struct measure *const *columns, size_t c)
{
    if (c < result->n_measures && same_name(&result->measures[c], columns[c]))
        return &result->measures[c];
    return result_find(result, columns[c]->group, columns[c]->name);
}

static void write_value(FILE *stream, const struct measure *measure)
{
    if (measure == NULL)
        fputc(',', stream);
    else if (measure->type == MEASURE_COUNT && measure->number <= INT64_MAX)
        fprintf(stream, ",%lld", (long long)measure->number);
    else
        fprintf(stream, ",%.15g", measure_value(measure));
}

/* Whether a column has the name of a parameter: a measure, such as bytes, or that of the platform. */
static bool is_taken(const struct measure *const *columns, size_t n_columns, const char *name)
{
    if (strcmp(name, "platform") == 0)
        return true;
    for (size_t c = 0; c < n_columns; c++)
        if (columns[c]->group[0] == '\0' && strcmp(columns[c]->name, name) == 0)
            return true;
    return false;
}

static void csv_write(FILE *stream, const struct report *report)
{
    size_t n_columns;
    if (report->n_runs == 0)
        return;
    const struct measure **columns = find_columns(report, &n_columns);
    for (int i = 0; i < report->runs[0].n_parameters; i++) {
        const char *name = report->runs[0].parameters[i].name;
        char *column = xformat("%s%s", is_taken(columns, n_columns, name) ? "parameters." : "", name);
        write_text(stream, column);
        fputc(',', stream);
        free(column);
    }
    fputs("platform,network_used", stream);
    if (report->decision != NULL)
        fputs(",discarded", stream);
    if (report->is_ranked)
        fputs(",dominant,largest_overhead", stream);
    for (size_t c = 0; c < n_columns; c++) {
        char name[96];
        snprintf(name, sizeof name, "%s%s%s", columns[c]->group, columns[c]->group[0] != '\0' ? "." : "",
                 columns[c]->name);
        fputc(',', stream);
        write_text(stream, name);
    }
    fputc('\n', stream);
    for (int run = 0; run < report->n_runs; run++) {
        write_parameters(stream, &report->runs[run]);
        if (report->decision != NULL) {
            fputc(',', stream);
            write_text(stream, report->runs[run].discarded);
        }
        if (report->is_ranked) {
            fputc(',', stream);
            write_text(stream, report->runs[run].dominant);
            fputc(',', stream);
            write_text(stream, report->runs[run].largest_overhead);
        }
        for (size_t c = 0; c < n_columns; c++)
            write_value(stream, find_value(&report->runs[run].result, columns, c));
        fputc('\n', stream);
    }
    free(columns);
}

const struct report_spec report_csv = {.name = "csv", .summary = "one row a run, named as in JSON", .write = csv_write};
