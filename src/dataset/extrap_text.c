/* Reads the text format of the tool Extra-P: lines that begin with PARAMETER, POINTS, METRIC, REGION and DATA. Each
 * DATA has the values at one point, in the order of the points, and begins again with a metric or a region.
 *
 * Source: docs/file-formats.md of github.com/extra-p/extrap, version 4.2.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct extrap_text {
    struct dataset *dataset;
    struct input *input;
    int n_parameters;
    double *coordinates; /* n_parameters of each point */
    size_t n_coordinates, capacity;
    size_t n_data; /* of the points, how many have their values; for the present region and metric */
    bool has_data; /* the columns are complete */
    char *region, *metric;
};

static size_t count_points(const struct extrap_text *self)
{
    return self->n_parameters > 0 ? self->n_coordinates / (size_t)self->n_parameters : 0;
}

static int fail(const struct extrap_text *self, const char *what, struct sim_error *error)
{
    return dataset_fail(error, self->input->file, self->input->line, self->input->column, "%s", what);
}

static bool ends_line(const struct input *input)
{
    return input->next == '\n' || input->next == EOF;
}

/* The next word of the line becomes the token, "" at its end; one that parentheses are no part of. */
static int read_word(struct input *input, const char *ends, struct sim_error *error)
{
    input_begin(input);
    input_skip_blanks(input);
    while (!ends_line(input) && strchr(ends, input->next) == NULL)
        if (input_keep(input, error) != 0)
            return -1;
    return 0;
}

/* The rest of the line becomes the token. */
static int read_rest(struct input *input, struct sim_error *error)
{
    if (read_word(input, "", error) != 0)
        return -1;
    input_trim(input);
    return 0;
}

static int read_number(const struct extrap_text *self, double *value, struct sim_error *error)
{
    struct input *input = self->input;
    long column = input->column;
    if (read_word(input, " \t()", error) != 0)
        return -1;
    if (dataset_number(value, input->token))
        return 0;
    return dataset_fail(error, input->file, input->line, column, "'%.60s' is not a finite number", input->token);
}

/* ---- Sections ---- */

static int read_parameters(struct extrap_text *self, struct sim_error *error)
{
    if (self->n_coordinates > 0)
        return fail(self, "PARAMETER behind POINTS; all parameters come first", error);
    while (read_word(self->input, " \t", error) == 0) {
        if (self->input->length == 0)
            return self->n_parameters > 0 ? 0 : fail(self, "PARAMETER without a name", error);
        if (dataset_add_column(self->dataset, self->input->token, DATASET_PARAMETER, self->input->line,
                               self->input->column, error) != 0)
            return -1;
        self->n_parameters++;
    }
    return -1;
}

static int add_coordinate(struct extrap_text *self, struct sim_error *error)
{
    double value;
    if (read_number(self, &value, error) != 0)
        return -1;
    if (self->n_coordinates == DATASET_CELLS)
        return fail(self, "too many points", error);
    self->coordinates = xgrow(self->coordinates, self->n_coordinates, &self->capacity, sizeof *self->coordinates);
    self->coordinates[self->n_coordinates++] = value;
    return 0;
}

/* "(4 1) (8 1)", also "((4) (1))"; of one parameter "4 8" as well. */
static int read_points(struct extrap_text *self, struct sim_error *error)
{
    struct input *input = self->input;
    size_t first = self->n_coordinates;
    int depth = 0;
    if (self->n_parameters == 0 || self->has_data)
        return fail(self, "POINTS come behind PARAMETER and before DATA", error);
    for (input_skip_blanks(input); !ends_line(input); input_skip_blanks(input)) {
        bool is_bracket = input->next == '(' || input->next == ')';
        depth += input->next == '(' ? 1 : input->next == ')' ? -1 : 0;
        bool between = depth == 0 && (self->n_coordinates - first) % (size_t)self->n_parameters != 0;
        if (depth < 0 || depth > 2 || (between && is_bracket))
            return fail(self, "a point has a value for each parameter, in parentheses: (4 1)", error);
        if (is_bracket)
            input_advance(input);
        else if (add_coordinate(self, error) != 0)
            return -1;
    }
    if (depth == 0 && self->n_coordinates > first && (self->n_coordinates - first) % (size_t)self->n_parameters == 0)
        return 0;
    return fail(self, "a point has a value for each parameter, in parentheses: (4 1)", error);
}

/* Each region has the values of all points. */
static int end_region(struct extrap_text *self, struct sim_error *error)
{
    size_t n_points = count_points(self), n_data = self->n_data;
    self->n_data = 0;
    if (n_data == 0 || n_data == n_points)
        return 0;
    return dataset_fail(error, self->input->file, self->input->line, 0,
                        "before this line, region '%.60s' has DATA for %zu of %zu points; a region has one for each",
                        self->region, n_data, n_points);
}

static int read_name(struct extrap_text *self, char **name, struct sim_error *error)
{
    if (end_region(self, error) != 0 || read_rest(self->input, error) != 0)
        return -1;
    free(*name);
    *name = xstrdup(self->input->token);
    return 0;
}

static int read_data(struct extrap_text *self, struct sim_error *error)
{
    struct input *input = self->input;
    size_t n_points = count_points(self);
    int n_values = 0;
    if (n_points == 0)
        return fail(self, "DATA before POINTS", error);
    if (self->n_data == n_points)
        return dataset_fail(error, input->file, input->line, 0,
                            "DATA for a further point, but there are %zu points; a region has one for each", n_points);
    if (!self->has_data && dataset_add_measurements(self->dataset, input->line, error) != 0)
        return -1;
    self->has_data = true;
    for (input_skip_blanks(input); !ends_line(input); input_skip_blanks(input), n_values++) {
        double value;
        const double *point = &self->coordinates[self->n_data * (size_t)self->n_parameters];
        if (read_number(self, &value, error) != 0 ||
            dataset_add_measurement(self->dataset, point, self->region, self->metric, value, input->line, error) != 0)
            return -1;
    }
    self->n_data++;
    return n_values > 0 ? 0 : fail(self, "DATA without a value", error);
}

static int read_section(struct extrap_text *self, struct sim_error *error)
{
    struct input *input = self->input;
    long column = input->column;
    if (read_word(input, " \t", error) != 0)
        return -1;
    if (strcmp(input->token, "PARAMETER") == 0)
        return read_parameters(self, error);
    if (strcmp(input->token, "POINTS") == 0)
        return read_points(self, error);
    if (strcmp(input->token, "DATA") == 0)
        return read_data(self, error);
    if (strcmp(input->token, "METRIC") == 0)
        return read_name(self, &self->metric, error);
    if (strcmp(input->token, "REGION") == 0)
        return read_name(self, &self->region, error);
    return dataset_fail(error, input->file, input->line, column,
                        "unknown section '%.60s'; known: PARAMETER POINTS METRIC REGION DATA", input->token);
}

int extrap_text_read(struct dataset *dataset, struct input *input, struct sim_error *error)
{
    struct extrap_text self = {.dataset = dataset, .input = input, .region = xstrdup(""), .metric = xstrdup("value")};
    int status = 0;
    for (input_skip_space(input); status == 0 && input->next != EOF; input_skip_space(input))
        if (input->next == '#')
            input_skip_line(input);
        else
            status = read_section(&self, error);
    if (status == 0)
        status = end_region(&self, error);
    free(self.coordinates);
    free(self.region);
    free(self.metric);
    return status;
}
