/* What the tables of the text report are put together from. */
#ifndef REPORT_TEXT_PARTS_H
#define REPORT_TEXT_PARTS_H

#include "report/report.h"
#include "report/table.h"

/* A number of the run, seconds for a time; NAN where it has none. */
double text_value(const struct report_run *run, const char *group, const char *name);
double text_time(const struct report_run *run);
/* Whether any run has the measure. */
bool text_has(const struct report *report, const char *group, const char *name);

/* How many of the ranks compute; the same, but all of them where none does or nothing is known; the speedup over
 * these. */
int text_computing(const struct report_run *run);
int text_processors(const struct report_run *run);
double text_efficiency(const struct report_run *run);

/* The unit and digits in which a column of times is written. */
struct text_scale {
    double factor;
    const char *unit;
    int decimals;
};

struct text_scale text_scale_for(double largest_s);
struct text_scale text_scale(const struct report *report, const char *group, const char *name);
/* The same unit with as many digits as the column's smallest time needs for three of them, three decimals at most. */
struct text_scale text_scale_column(const struct report *report, const char *group, const char *name,
                                    struct text_scale unit);
struct text_scale text_scale_least(double least_s, struct text_scale unit);
const char *text_format_time(double seconds, char *text, size_t size);

/* Cells; NAN is written as "-". */
void text_cell_time(struct table *table, struct text_scale scale, double seconds);
void text_cell_percent(struct table *table, double ratio);
void text_cell_error(struct table *table, double ratio);
void text_cell_ratio(struct table *table, double ratio);
/* Three digits of what may be of any magnitude. */
void text_cell_digits(struct table *table, double value);
/* "x 1.25", how many times the best; "-" where the best takes no time. */
void text_cell_factor(struct table *table, double factor);

/* Append to a text on the heap, which is freed; the result is to be freed. */
char *text_append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Write a sentence, broken into lines of at most 118 columns, and free it. */
void text_write_line(FILE *stream, char *text);

/* The columns that tell the runs apart: the parameters that vary, or the ranks of a single run. */
bool text_shows(const struct report *report, int parameter);
void text_head_run(struct table *table, const struct report *report);
void text_cell_run(struct table *table, const struct report *report, const struct report_run *run);
/* The order of two runs by the parameters of the problem; 0: it is the same. */
int text_compare_problems(const struct report_run *a, const struct report_run *b);
/* "128 ranks", "128 ranks, broadcast binomial": what tells this run from the others. */
void text_name_run(FILE *stream, const struct report *report, const struct report_run *run);

#endif
