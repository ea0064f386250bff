/* Reference data: a CSV file, read and matched with runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/reference.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_COLUMNS = 64, MAX_LINE = 4096, MAX_ROWS = 10000, MAX_FILE = 16 * 1024 * 1024 };

/* A time outside is no measurement of a program; nor is anything else. */
static const double min_number = 1e-12, max_number = 1e12;

/* A column, by what the head names; nothing else looks at the letters of that. */
struct reference_column {
    char name[40];      /* shorter than a measure's, so that there is room for another beginning */
    int parameter;      /* its number; -1: a time, another measure, or the note */
    enum measure_id id; /* of a time, M_OUTLIER, M_REMARK; or of the families M_PREDICTED and M_MEASURED */
    char part[40];      /* which one of the family */
    char counted[40];   /* of a part that may be a rate, what there is so many of in a second; else "" */
};

struct row {
    int64_t values[MAX_COLUMNS]; /* of the parameters */
    double numbers[MAX_COLUMNS]; /* of the times and measures; NAN where empty */
    char note[NOTE_SIZE];
};

struct reference {
    struct reference_column columns[MAX_COLUMNS];
    int n_columns;
    struct row *rows;
    size_t n_rows, capacity;
};

/* The state of reading, for messages. They quote a line only if the head of the file has shown that it is reference
 * data. */
struct reading {
    struct reference *reference;
    const struct reference_parameters *parameters;
    const char *file;
    long line;
    struct sim_error *error;
};

#define FAIL(reading, ...) sim_error_set((reading)->error, SIM_BAD_INPUT, (reading)->file, (reading)->line, __VA_ARGS__)

static bool is_time(const struct reference_column *column)
{
    return column->id != M_MEASURED && column->id != M_OUTLIER;
}

static bool is_remark(const struct reference_column *column)
{
    return column->parameter < 0 && column->id == M_REMARK;
}

/* A prediction may leave a component out. */
static bool may_be_zero(const struct reference_column *column)
{
    return column->id == M_PREDICTED_TIME || column->id == M_PREDICTED;
}

/* Cut a line at its commas; the number of cells, or -1 when there are more than MAX_COLUMNS. */
static int split(char *line, char *cells[MAX_COLUMNS])
{
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    while (line != NULL && count < MAX_COLUMNS) {
        cells[count++] = line;
        line = strchr(line, ',');
        if (line != NULL)
            *line++ = '\0';
    }
    return line == NULL ? count : -1;
}

static int find_parameter(const struct reference_parameters *parameters, const char *name)
{
    for (int i = 0; i < parameters->n_parameters; i++)
        if (strcmp(name, parameters->parameters[i].name) == 0)
            return i;
    return -1;
}

/* The only place where names are compared. Return whether there is such a column. */
static bool parse_name(struct reference_column *column, const struct reading *reading, const char *name)
{
    static const char rate[] = "_per_s";
    *column = (struct reference_column){.parameter = find_parameter(reading->parameters, name)};
    size_t length = strlen(name), rate_length = sizeof rate - 1;
    if (length >= sizeof column->name)
        return false;
    memcpy(column->name, name, length + 1);
    if (column->parameter >= 0)
        return true;
    column->id = measure_identify("reference", name, M_NONE);
    if (column->id == M_MEASURED_TIME || column->id == M_PREDICTED_TIME || column->id == M_PRINTED_TIME ||
        column->id == M_OUTLIER || column->id == M_FITTED || column->id == M_REMARK)
        return true;
    if (column->id != M_PREDICTED && column->id != M_MEASURED)
        return false;
    strcpy(column->part, name + strlen(measure_specs[column->id].name) - 1);
    length = strlen(column->part);
    if (length > rate_length && strcmp(column->part + length - rate_length, rate) == 0)
        memcpy(column->counted, column->part, length - rate_length);
    return column->id == M_PREDICTED || length > 0;
}

static bool is_twice(const struct reference *reference, int column)
{
    for (int before = 0; before < column; before++)
        if (strcmp(reference->columns[before].name, reference->columns[column].name) == 0)
            return true;
    return false;
}

static int read_head(const struct reading *reading, char *cells[], int count)
{
    struct reference *reference = reading->reference;
    struct reference_column *columns = reference->columns;
    bool is_head = false;
    for (int c = 0; c < count; c++)
        is_head |= parse_name(&columns[c], reading, cells[c]);
    for (int c = 0; c < count; c++) {
        if (!parse_name(&columns[c], reading, cells[c]))
            return FAIL(
                reading,
                "unknown column%s%.60s%s; allowed: measured_s, measured.<measure>, outlier, fitted, predicted_s, "
                "predicted.<component>, printed_s, note, and the scenario's parameters",
                is_head ? " '" : "", is_head ? cells[c] : "", is_head ? "'" : "");
        if (is_twice(reference, c))
            return FAIL(reading, "column '%s' is named twice", columns[c].name);
    }
    reference->n_columns = count;
    return 0;
}

/* True if a number may stand in the column. */
static bool is_allowed(const struct reference_column *column, double number)
{
    if (column->id == M_OUTLIER || column->id == M_FITTED)
        return number == 1 || (number == 2 && column->id == M_FITTED);
    return (number == 0 && may_be_zero(column)) || (number >= min_number && number <= max_number);
}

static int read_number(const struct reading *reading, const struct reference_column *column, const char *cell,
                       double *number)
{
    char *end = NULL;
    *number = *cell != '\0' ? strtod(cell, &end) : (double)NAN;
    if (*cell == '\0' ||
        (*end == '\0' && strspn(cell, "0123456789.eE+-") == strlen(cell) && is_allowed(column, *number)))
        return 0;
    return FAIL(reading, "column '%s': '%.60s' is not %s", column->name, cell,
                column->id == M_OUTLIER  ? "1, which marks an outlier, or empty"
                : column->id == M_FITTED ? "1, where a cost was fitted to it, 2, a choice made on it, or empty"
                : is_time(column)        ? "a time in seconds"
                                         : "a number above 0");
}

static int read_note(const struct reading *reading, struct row *row, const char *cell)
{
    if (strlen(cell) >= sizeof row->note)
        return FAIL(reading, "column 'note': longer than %zu characters", sizeof row->note - 1);
    strcpy(row->note, cell);
    return 0;
}

static int read_cell(const struct reading *reading, struct row *row, int c, const char *cell)
{
    const struct reference_column *column = &reading->reference->columns[c];
    const struct reference_parameters *parameters = reading->parameters;
    char why[400];
    if (is_remark(column))
        return read_note(reading, row, cell);
    if (column->parameter < 0)
        return read_number(reading, column, cell, &row->numbers[c]);
    if (parameters->parse(parameters->context, column->parameter, cell, &row->values[c], why, sizeof why) != 0)
        return FAIL(reading, "column '%s': %.400s", column->name, why);
    return 0;
}

static bool same_parameters(const struct reference *reference, const struct row *a, const struct row *b)
{
    for (int c = 0; c < reference->n_columns; c++)
        if (reference->columns[c].parameter >= 0 && a->values[c] != b->values[c])
            return false;
    return true;
}

static int read_row(const struct reading *reading, char *cells[], int count)
{
    struct reference *reference = reading->reference;
    if (count != reference->n_columns)
        return FAIL(reading, "a row of %d cells under %d columns", count, reference->n_columns);
    if (reference->n_rows == MAX_ROWS)
        return FAIL(reading, "more than %d rows", MAX_ROWS);
    reference->rows = xgrow(reference->rows, reference->n_rows, &reference->capacity, sizeof *reference->rows);
    struct row *row = &reference->rows[reference->n_rows];
    memset(row, 0, sizeof *row);
    for (int c = 0; c < count; c++)
        if (read_cell(reading, row, c, cells[c]) != 0)
            return -1;
    for (size_t i = 0; i < reference->n_rows; i++)
        if (same_parameters(reference, &reference->rows[i], row))
            return FAIL(reading, "a second row for the same parameters");
    reference->n_rows++;
    return 0;
}

static int read_line(const struct reading *reading, char *text)
{
    char *cells[MAX_COLUMNS];
    if (text[0] == '#' || text[strspn(text, " \t\r\n")] == '\0')
        return 0;
    for (const char *c = text; *c != '\0'; c++)
        if (((unsigned char)*c < 0x20 && strchr("\t\r\n", *c) == NULL) || (unsigned char)*c >= 0x7f)
            return FAIL(reading, "a character that is not printable ASCII");
    int count = split(text, cells);
    if (count < 0)
        return FAIL(reading, "more than %d columns", MAX_COLUMNS);
    return reading->reference->n_columns == 0 ? read_head(reading, cells, count) : read_row(reading, cells, count);
}

/* A regular file of sensible size, so that no device or pipe is waited for. */
static FILE *open_regular(const char *file, struct sim_error *error)
{
    struct stat status;
    int descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MAX_FILE)
        return fdopen(descriptor, "r");
    sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read the reference data: %s",
                  descriptor < 0 ? strerror(errno) : "not a regular file of at most 16 MiB");
    if (descriptor >= 0)
        close(descriptor);
    return NULL;
}

int reference_load(struct reference **reference, const char *file, const struct reference_parameters *parameters,
                   struct sim_error *error)
{
    FILE *stream = open_regular(file, error);
    if (stream == NULL)
        return -1;
    struct reading reading = {xcalloc(1, sizeof(struct reference)), parameters, file, 0, error};
    char text[MAX_LINE];
    int status = 0;
    while (status == 0 && fgets(text, sizeof text, stream) != NULL) {
        reading.line++;
        if (strchr(text, '\n') == NULL && !feof(stream)) /* too long, or cut short by a zero byte */
            status = FAIL(&reading, "a line too long, or with a zero byte");
        else
            status = read_line(&reading, text);
    }
    if (status == 0 && ferror(stream))
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read the reference data: %s", strerror(errno));
    if (status == 0 && reading.reference->n_columns == 0)
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "has no line that names the columns");
    fclose(stream);
    if (status == 0)
        *reference = reading.reference;
    else
        reference_free(reading.reference);
    return status;
}

void reference_free(struct reference *reference)
{
    if (reference == NULL)
        return;
    free(reference->rows);
    free(reference);
}

static bool belongs(const struct reference *reference, const struct row *row, const struct study_run *run)
{
    for (int c = 0; c < reference->n_columns; c++) {
        int parameter = reference->columns[c].parameter;
        if (parameter >= 0 && row->values[c] != run->parameters[parameter].number)
            return false;
    }
    return true;
}

/* The run's value of the measure; NAN if it has none. */
static double simulated(const struct result *result, const struct reference_column *column)
{
    const struct measure *measure = result_find(result, "", column->part), *time = result_get(result, M_TIME);
    if (measure == NULL && column->counted[0] != '\0') {
        measure = result_find(result, "", column->counted);
        return measure != NULL ? measure_value(measure) / measure_value(time) : (double)NAN;
    }
    if (measure == NULL)
        measure = result_find(result, "critical_path_s", column->part);
    return measure != NULL ? measure_value(measure) : (double)NAN;
}

static void add_of(struct result *result, enum measure_id family, const char *part, double value)
{
    char name[64];
    measure_name_of(name, sizeof name, family, part);
    result_add_ratio(result, measure_specs[family].group, name, value);
}

/* The simulated value beside a measured one, and the error. */
static void compare(struct result *result, const struct reference_column *column, double measured)
{
    double value = simulated(result, column);
    if (isnan(value))
        return;
    add_of(result, M_SIMULATED, column->part, value);
    add_of(result, M_SIMULATED_ERROR, column->part, value / measured - 1.0);
}

static void add_column(struct study_run *run, const struct reference_column *column, double number)
{
    result_add_ratio(&run->result, measure_specs[column->id].group, column->name, number);
    if (column->id == M_MEASURED_TIME)
        result_add_ratio(&run->result, "reference", "error",
                         measure_value(result_get(&run->result, M_TIME)) / number - 1.0);
    if (column->id == M_MEASURED)
        compare(&run->result, column, number);
}

/* Measurements are of the machine as it is, unless a column says of which topology. */
static bool is_of_the_machine(const struct reference *reference, const struct study_run *run)
{
    for (int p = 0; p < run->n_parameters; p++) {
        bool has_column = false;
        for (int c = 0; c < reference->n_columns; c++)
            has_column |= reference->columns[c].parameter == p;
        if (run->parameters[p].subject == SUBJECT_TOPOLOGY && run->parameters[p].number != 0 && !has_column)
            return false;
    }
    return true;
}

void reference_match(const struct reference *reference, struct study_run *run)
{
    const struct row *row = NULL;
    if (!is_of_the_machine(reference, run))
        return;
    for (size_t i = 0; i < reference->n_rows && row == NULL; i++)
        if (belongs(reference, &reference->rows[i], run))
            row = &reference->rows[i];
    for (int c = 0; row != NULL && c < reference->n_columns; c++)
        if (is_remark(&reference->columns[c]))
            run_note(run, NOTE_REFERENCE, "%s", row->note);
        else if (reference->columns[c].parameter < 0 && !isnan(row->numbers[c]))
            add_column(run, &reference->columns[c], row->numbers[c]);
}
