/* Reads CSV: a line with the names of the columns, and a line for each measurement or repetition.
 *
 * Fields are separated by tabs, semicolons or commas: the first of these that the first line has. Fields may be in
 * quotes, two of which are one; blanks around fields are none of theirs. Empty lines, and lines that begin with '#',
 * are skipped. A column has numbers if the first row has one there, and texts otherwise; then all rows have.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct csv {
    struct dataset *dataset;
    struct input *input;
    char separator;
};

static int fail(const struct csv *csv, long line, int column, const char *what, struct sim_error *error)
{
    const char *name = column < csv->dataset->n_columns ? csv->dataset->columns[column].name : "";
    return dataset_fail(error, csv->input->file, line, column + 1, "%.80s%s%s", name, name[0] != '\0' ? ": " : "",
                        what);
}

/* ---- Fields ---- */

static void skip_to_row(struct input *input)
{
    for (;;) {
        while (input->next == ' ')
            input_advance(input);
        if (input->next == '#')
            input_skip_line(input);
        else if (input->next == '\n')
            input_advance(input);
        else
            return;
    }
}

/* The separator of the line that comes next, which is not passed; '\0': it has none. */
static char find_separator(struct input *input)
{
    static const char known[] = "\t;,";
    const char *best = known + strlen(known);
    bool is_quoted = false;
    struct input_mark mark = input_mark(input);
    for (; input->next != EOF && (input->next != '\n' || is_quoted); input_advance(input)) {
        const char *found = input->next > 0 ? strchr(known, input->next) : NULL;
        is_quoted ^= input->next == '"';
        best = !is_quoted && found != NULL && found < best ? found : best;
    }
    input_return(input, &mark);
    return *best;
}

/* Behind the first quote. */
static int read_quoted(struct input *input, struct sim_error *error)
{
    long line = input->line;
    input_advance(input);
    for (;;) {
        if (input->next == EOF)
            return dataset_fail(error, input->file, line, 0, "a quote (\") is not closed");
        if (input->next == '"') {
            input_advance(input);
            if (input->next != '"')
                return 0;
        }
        if (input_keep(input, error) != 0)
            return -1;
    }
}

/* Skip blanks, and tabs if they separate nothing. */
static void skip_around(const struct csv *csv)
{
    while (csv->input->next == ' ' || (csv->input->next == '\t' && csv->separator != '\t'))
        input_advance(csv->input);
}

static bool ends_field(const struct csv *csv)
{
    int next = csv->input->next;
    return next == csv->separator || next == '\n' || next == EOF;
}

/* Read a field into the token, up to the separator or the end of the line. */
static int read_field(const struct csv *csv, int column, struct sim_error *error)
{
    struct input *input = csv->input;
    input_begin(input);
    skip_around(csv);
    if (input->next == '"') {
        if (read_quoted(input, error) != 0)
            return -1;
        skip_around(csv);
        return ends_field(csv)
                   ? 0
                   : fail(csv, input->line, column, "text between the closing quote and the separator", error);
    }
    while (!ends_field(csv))
        if (input_keep(input, error) != 0)
            return -1;
    input_trim(input);
    return 0;
}

/* ---- The first line ---- */

static int add_column(const struct csv *csv, long line, struct sim_error *error)
{
    double number;
    int column = csv->dataset->n_columns;
    if (dataset_number(&number, csv->input->token)) {
        char what[160];
        snprintf(what, sizeof what,
                 "'%.60s' is a number; the first line has the names of the columns, such as n,time_s",
                 csv->input->token);
        return fail(csv, line, column, what, error);
    }
    return dataset_add_column(csv->dataset, csv->input->token, DATASET_UNTOLD, line, column + 1, error);
}

static int read_head(struct csv *csv, struct sim_error *error)
{
    struct input *input = csv->input;
    skip_to_row(input);
    csv->separator = find_separator(input);
    long line = input->line;
    if (input->next == EOF)
        return dataset_fail(error, input->file, 0, 0, "has no line with the names of the columns");
    if (csv->separator == '\0')
        return dataset_fail(error, input->file, line, 0,
                            "one column only; separators of columns are the comma, the semicolon and the tab");
    for (;;) {
        if (read_field(csv, csv->dataset->n_columns, error) != 0 || add_column(csv, line, error) != 0)
            return -1;
        if (input->next != csv->separator)
            break;
        input_advance(input);
    }
    return 0;
}

/* ---- Rows ---- */

/* The first row says which columns have numbers. */
static int take_kind(const struct csv *csv, long line, int column, struct sim_error *error)
{
    double number;
    struct dataset_column *own = &csv->dataset->columns[column];
    if (strcmp(csv->input->token, own->name) == 0)
        return fail(csv, line, column, "the name of the column again; one line has the names", error);
    if (dataset_number(&number, csv->input->token))
        return 0;
    own->role = DATASET_LABEL;
    free(own->numbers);
    own->numbers = NULL;
    own->texts = xmalloc(csv->dataset->capacity * sizeof *own->texts);
    return 0;
}

static int set_cell(const struct csv *csv, long line, int column, struct sim_error *error)
{
    double number;
    char what[200];
    const char *text = csv->input->token;
    const struct dataset_column *own = &csv->dataset->columns[column];
    if (csv->dataset->n_rows == 1 && take_kind(csv, line, column, error) != 0)
        return -1;
    bool is_number = dataset_number(&number, text), is_missing = dataset_is_missing(text);
    if (is_number && dataset_is_number(own))
        return dataset_set_number(csv->dataset, column, number, line, error);
    if (!is_number && !is_missing && !dataset_is_number(own))
        return dataset_set_text(csv->dataset, column, text, line, error);
    if (is_missing)
        snprintf(what, sizeof what, "%s%.20s%s; every row has a value in every column", text[0] != '\0' ? "'" : "",
                 text[0] != '\0' ? text : "nothing", text[0] != '\0' ? "' is no value" : "");
    else
        snprintf(what, sizeof what, "'%.60s' is %s; the first row has %s there%s", text,
                 is_number ? "a number" : "not a number", is_number ? "text" : "a number",
                 strchr(text, ',') != NULL ? " (a decimal point is a point)" : "");
    return fail(csv, line, column, what, error);
}

static int read_row(const struct csv *csv, struct sim_error *error)
{
    struct input *input = csv->input;
    long line = input->line;
    int n_columns = csv->dataset->n_columns, n_fields = 0;
    if (dataset_add_row(csv->dataset, line, error) != 0)
        return -1;
    for (;;) {
        if (read_field(csv, n_fields, error) != 0 ||
            (n_fields < n_columns && set_cell(csv, line, n_fields, error) != 0))
            return -1;
        n_fields++;
        if (input->next != csv->separator)
            break;
        input_advance(input);
    }
    if (n_fields == n_columns)
        return 0;
    return dataset_fail(error, input->file, line, n_fields < n_columns ? n_fields : n_columns + 1,
                        "%d field%s, but the first line names %d columns", n_fields, n_fields == 1 ? "" : "s",
                        n_columns);
}

int csv_read(struct dataset *dataset, struct input *input, struct sim_error *error)
{
    struct csv csv = {.dataset = dataset, .input = input};
    if (read_head(&csv, error) != 0)
        return -1;
    for (skip_to_row(input); input->next != EOF; skip_to_row(input))
        if (read_row(&csv, error) != 0)
            return -1;
    return 0;
}
