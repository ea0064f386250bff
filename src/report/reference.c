#include "report/reference.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 64, MAX_LINE = 4096, MAX_ROWS = 100000 };

struct row {
    char *cells[MAX_COLUMNS]; /* point into `line` */
    char *line;
};

struct reference {
    struct row head;
    int n_columns;
    struct row *rows;
    size_t n_rows, capacity;
};

static bool is_value_column(const char *name)
{
    return strcmp(name, "measured_s") == 0 || strncmp(name, "predicted", 9) == 0;
}

/* Cut a line at its commas; the number of cells, or -1 when there are too many. */
static int split(struct row *row, const char *line)
{
    row->line = xstrdup(line);
    row->line[strcspn(row->line, "\r\n")] = '\0';
    int count = 0;
    for (char *at = row->line; at != NULL && count < MAX_COLUMNS; count++) {
        row->cells[count] = at;
        at = strchr(at, ',');
        if (at != NULL)
            *at++ = '\0';
    }
    return strchr(row->cells[count - 1], ',') != NULL ? -1 : count;
}

static int check_head(const struct reference *reference, const char *file, long line,
                      const struct report_parameter *parameters, int n_parameters, struct sim_error *error)
{
    for (int c = 0; c < reference->n_columns; c++) {
        const char *name = reference->head.cells[c];
        bool known = is_value_column(name);
        for (int i = 0; i < n_parameters; i++)
            known = known || strcmp(name, parameters[i].name) == 0;
        if (!known)
            return sim_error_set(
                error, SIM_BAD_INPUT, file, line,
                "unknown column '%.60s'; allowed: measured_s, predicted_s, predicted.<component>, and the "
                "scenario's parameters",
                name);
    }
    return 0;
}

static int check_row(const struct reference *reference, const struct row *row, const char *file, long line,
                     struct sim_error *error)
{
    for (int c = 0; c < reference->n_columns; c++) {
        const char *name = reference->head.cells[c], *cell = row->cells[c];
        char *end = NULL;
        if (!is_value_column(name) || *cell == '\0')
            continue;
        double value = strtod(cell, &end);
        if (*end != '\0' || !isfinite(value) || value < 0 || (value == 0 && strcmp(name, "measured_s") == 0))
            return sim_error_set(error, SIM_BAD_INPUT, file, line, "column '%s': '%.60s' is not a time in seconds",
                                 name, cell);
    }
    return 0;
}

static int read_line(struct reference *reference, const char *text, const char *file, long line,
                     const struct report_parameter *parameters, int n_parameters, struct sim_error *error)
{
    if (text[0] == '#' || text[strspn(text, " \t\r\n")] == '\0')
        return 0;
    if (reference->n_columns == 0) {
        int count = split(&reference->head, text);
        if (count < 0)
            return sim_error_set(error, SIM_BAD_INPUT, file, line, "more than %d columns", MAX_COLUMNS);
        reference->n_columns = count;
        return check_head(reference, file, line, parameters, n_parameters, error);
    }
    if (reference->n_rows >= MAX_ROWS)
        return sim_error_set(error, SIM_BAD_INPUT, file, line, "more than %d rows", MAX_ROWS);
    reference->rows = xgrow(reference->rows, reference->n_rows, &reference->capacity, sizeof *reference->rows);
    struct row *row = &reference->rows[reference->n_rows++];
    int count = split(row, text);
    if (count != reference->n_columns)
        return sim_error_set(error, SIM_BAD_INPUT, file, line, "a row of %d cells under %d columns",
                             count < 0 ? MAX_COLUMNS + 1 : count, reference->n_columns);
    return check_row(reference, row, file, line, error);
}

int reference_load(struct reference **reference, const char *file, const struct report_parameter *parameters,
                   int n_parameters, struct sim_error *error)
{
    FILE *stream = fopen(file, "re");
    if (stream == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read the reference data: %s", strerror(errno));
    struct reference *loaded = xcalloc(1, sizeof *loaded);
    char text[MAX_LINE];
    int status = 0;
    for (long line = 1; status == 0 && fgets(text, sizeof text, stream) != NULL; line++) {
        if (strlen(text) == sizeof text - 1)
            status = sim_error_set(error, SIM_BAD_INPUT, file, line, "a line longer than %d characters", MAX_LINE - 2);
        else
            status = read_line(loaded, text, file, line, parameters, n_parameters, error);
    }
    if (status == 0 && ferror(stream))
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read the reference data: %s", strerror(errno));
    if (status == 0 && loaded->n_columns == 0)
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "has no line that names the columns");
    fclose(stream);
    if (status == 0)
        *reference = loaded;
    else
        reference_free(loaded);
    return status;
}

void reference_free(struct reference *reference)
{
    if (reference == NULL)
        return;
    for (size_t i = 0; i < reference->n_rows; i++)
        free(reference->rows[i].line);
    free(reference->rows);
    free(reference->head.line);
    free(reference);
}

static bool belongs(const struct reference *reference, const struct row *row, const struct report_run *run)
{
    for (int c = 0; c < reference->n_columns; c++)
        for (int i = 0; i < run->n_parameters; i++)
            if (strcmp(reference->head.cells[c], run->parameters[i].name) == 0 &&
                strcmp(row->cells[c], run->parameters[i].text) != 0)
                return false;
    return true;
}

void reference_match(const struct reference *reference, struct report_run *run)
{
    const struct row *row = NULL;
    for (size_t i = 0; i < reference->n_rows && row == NULL; i++)
        if (belongs(reference, &reference->rows[i], run))
            row = &reference->rows[i];
    if (row == NULL)
        return;
    for (int c = 0; c < reference->n_columns; c++) {
        const char *name = reference->head.cells[c];
        if (!is_value_column(name) || row->cells[c][0] == '\0')
            continue;
        double value = strtod(row->cells[c], NULL);
        result_add_ratio(&run->result, "reference", name, value);
        if (strcmp(name, "measured_s") == 0)
            result_add_ratio(&run->result, "reference", "error",
                             measure_value(result_find(&run->result, "", "time_s")) / value - 1.0);
    }
}
