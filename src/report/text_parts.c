#include "report/text_parts.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A number of the run; NAN where it has none. */
double text_value(const struct report_run *run, const char *group, const char *name)
{
    const struct measure *measure = result_find(&run->result, group, name);
    return measure != NULL ? measure_value(measure) : (double)NAN;
}

double text_time(const struct report_run *run)
{
    return text_value(run, "", "time_s");
}

/* Whether any run has the measure. */
bool text_has(const struct report *report, const char *group, const char *name)
{
    for (int i = 0; i < report->n_runs; i++)
        if (result_find(&report->runs[i].result, group, name) != NULL)
            return true;
    return false;
}

int text_computing(const struct report_run *run)
{
    int count = 0;
    for (int rank = 0; rank < run->result.n_ranks; rank++)
        count += run->result.state_ps[rank][STATE_USEFUL] + run->result.state_ps[rank][STATE_CONTROL] > 0;
    return count;
}

int text_processors(const struct report_run *run)
{
    int count = text_computing(run);
    return count > 0 ? count : run->ranks;
}

double text_efficiency(const struct report_run *run)
{
    return text_value(run, "", "efficiency") * run->ranks / text_processors(run);
}

/* --- sentences --- */

char *text_append(char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments) + 1;
    va_end(arguments);
    size_t length = strlen(text);
    text = xrealloc(text, length + (size_t)size);
    va_start(arguments, format);
    vsnprintf(text + length, (size_t)size, format, arguments);
    va_end(arguments);
    return text;
}

static int width_of_word(const char *word, int length)
{
    char *copy = xformat("%.*s", length, word);
    int width = utf8_width(copy);
    free(copy);
    return width;
}

/* A word, with its unit if it is a number. */
static int length_of_word(const char *word)
{
    static const char *const units[] = {"%", "s", "ms", "us", "ns", "B", "kB", "MB", "GB"};
    size_t length = strcspn(word, " ");
    if (length == 0 || word[length] == '\0' || !isdigit((unsigned char)word[length - 1]))
        return (int)length;
    const char *next = word + length + 1;
    size_t unit = strcspn(next, " .,;:)");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i]) == unit && strncmp(next, units[i], unit) == 0)
            return (int)(length + 1 + strcspn(next, " "));
    return (int)length;
}

void text_write_line(FILE *stream, char *text)
{
    enum { WIDEST = 118 };
    int column = 0;
    for (const char *word = text; *word != '\0';) {
        int length = length_of_word(word), width = width_of_word(word, length);
        const char *before = column == 0 ? "" : column + 1 + width > WIDEST ? "\n  " : " ";
        fprintf(stream, "%s%.*s", before, length, word);
        column = before[0] == '\n' ? 2 + width : column + (before[0] == ' ') + width;
        word += length + (word[length] == ' ');
    }
    fputc('\n', stream);
    free(text);
}

/* --- units and digits --- */

/* The unit and digits in which a column of seconds, the largest of them `largest`, is written. */
struct text_scale text_scale_for(double largest)
{
    struct text_scale scale = {1.0, "s", 2};
    if (largest > 0 && largest < 1e-6)
        scale = (struct text_scale){1e9, "ns", 2};
    else if (largest < 1e-3)
        scale = (struct text_scale){1e6, "us", 2};
    else if (largest < 1.0)
        scale = (struct text_scale){1e3, "ms", 2};
    double shown = largest * scale.factor;
    scale.decimals = shown >= 1000 ? 0 : shown >= 100 ? 1 : shown >= 10 ? 2 : 3;
    return scale;
}

struct text_scale text_scale(const struct report *report, const char *group, const char *name)
{
    double largest = 0;
    for (int i = 0; i < report->n_runs; i++)
        largest = fmax(largest, text_value(&report->runs[i], group, name)); /* fmax skips NAN */
    return text_scale_for(largest);
}

struct text_scale text_scale_column(const struct report *report, const char *group, const char *name,
                                    struct text_scale unit)
{
    double least = INFINITY;
    for (int i = 0; i < report->n_runs; i++) {
        double value = text_value(&report->runs[i], group, name);
        if (value > 0 && value < least)
            least = value;
    }
    return text_scale_least(least, unit);
}

struct text_scale text_scale_least(double least_s, struct text_scale unit)
{
    double least = least_s * unit.factor;
    unit.decimals = least >= 1000 ? 0 : least >= 10 ? 1 : least >= 1 ? 2 : 3;
    return unit;
}

void text_cell_time(struct table *table, struct text_scale scale, double seconds)
{
    if (isnan(seconds))
        table_cell(table, "-");
    else
        table_cell(table, "%.*f", scale.decimals, seconds * scale.factor);
}

void text_cell_percent(struct table *table, double ratio)
{
    if (isnan(ratio))
        table_cell(table, "-");
    else
        table_cell(table, fabs(ratio) < 10 ? "%.1f %%" : "%.0f %%", fabs(ratio) < 0.0005 ? 0.0 : 100 * ratio);
}

void text_cell_error(struct table *table, double ratio)
{
    if (isnan(ratio))
        table_cell(table, "-");
    else
        table_cell(table, "%+.1f %%", 100 * ratio);
}

void text_cell_ratio(struct table *table, double ratio)
{
    if (isnan(ratio))
        table_cell(table, "-");
    else if (fabs(ratio) < 0.005) /* without the sign of what is written as 0 */
        table_cell(table, "0.00");
    else
        table_cell(table, ratio >= 100 ? "%.0f" : ratio >= 10 ? "%.1f" : "%.2f", ratio);
}

void text_cell_digits(struct table *table, double value)
{
    if (isnan(value))
        table_cell(table, "-");
    else if (value >= 100 || value <= 0)
        table_cell(table, "%.0f", value);
    else
        table_cell(table, value >= 1e-3 ? "%.*f" : "%.*g", value >= 1e-3 ? 2 - (int)floor(log10(value)) : 3, value);
}

void text_cell_factor(struct table *table, double factor)
{
    if (isfinite(factor))
        table_cell(table, "x %.2f", factor);
    else
        table_cell(table, "-");
}

const char *text_format_time(double seconds, char *text, size_t size)
{
    struct text_scale scale = text_scale_for(seconds);
    snprintf(text, size, "%.*f %s", scale.decimals, seconds * scale.factor, scale.unit);
    return text;
}

/* --- the columns that tell the runs apart --- */

bool text_shows(const struct report *report, int parameter)
{
    return report_varies(report, parameter) ||
           (report->n_runs == 1 && strcmp(report->runs[0].parameters[parameter].name, "ranks") == 0);
}

void text_head_run(struct table *table, const struct report *report)
{
    for (int i = 0; i < report->runs[0].n_parameters; i++)
        if (text_shows(report, i))
            table_head(table, "%s", report->runs[0].parameters[i].name);
    table_keys(table);
}

void text_cell_run(struct table *table, const struct report *report, const struct report_run *run)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (text_shows(report, i))
            table_cell(table, "%s", run->parameters[i].text);
}

/* "128 ranks" or "128 ranks, broadcast binomial": what tells this run from the others. */
void text_name_run(FILE *stream, const struct report *report, const struct report_run *run)
{
    fprintf(stream, "%d rank%s", run->ranks, run->ranks == 1 ? "" : "s");
    for (int i = 0; i < run->n_parameters; i++)
        if (report_varies(report, i) && strcmp(run->parameters[i].name, "ranks") != 0)
            fprintf(stream, ", %s %s", run->parameters[i].name, run->parameters[i].text);
}

int text_compare_problems(const struct report_run *a, const struct report_run *b)
{
    for (int i = 0; i < a->n_parameters; i++)
        if (a->parameters[i].is_problem && a->parameters[i].number != b->parameters[i].number)
            return a->parameters[i].number < b->parameters[i].number ? -1 : 1;
    return 0;
}
