/* Reads tables in JSON: lines with an object each, or a list of objects. An object is a row whose members are its
 * cells, {"p": 4, "time_s": 1.5}; or, as Extra-P has it, a measurement: {"params": {"p": 4}, "metric": "time",
 * "callpath": "main", "value": 1.5}, where `value` may be a list, and metric and callpath may be absent. All are of the
 * first one's kind.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/extrap_json.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct rows {
    struct dataset *dataset;
    struct json json; /* the row */
    struct sim_error *error;
    bool is_begun, are_measurements;
    char **heads; /* of columns that are set by objects: names as the file has them */
    int n_heads;
    bool *are_set; /* of them, in this row */
    double *values;
};

static int fail(const struct rows *self, const struct json_node *node, const char *what, const char *wanted)
{
    return json_fail(&self->json, self->dataset->file, node, what, wanted, self->error);
}

/* ---- Columns ---- */

static int add_columns(struct rows *self, const struct json_node *object)
{
    for (const struct json_node *one = json_at(&self->json, object->first); one != NULL;
         one = json_at(&self->json, one->next)) {
        const char *head = json_name_of(&self->json, one);
        enum dataset_role role = self->are_measurements   ? DATASET_PARAMETER
                                 : one->kind == JSON_TEXT ? DATASET_LABEL
                                                          : DATASET_UNTOLD;
        if (dataset_add_column(self->dataset, head, role, one->line, one->column, self->error) != 0)
            return -1;
        self->heads[self->n_heads++] = xstrdup(head);
    }
    return self->n_heads > 0 ? 0 : fail(self, object, "the row", "an object with the names of columns");
}

/* The column that a member sets; members mostly stand in the order of the columns. */
static int find_head(const struct rows *self, const char *name, int likely)
{
    if (likely < self->n_heads && strcmp(self->heads[likely], name) == 0)
        return likely;
    int i = 0;
    while (i < self->n_heads && strcmp(self->heads[i], name) != 0)
        i++;
    return i < self->n_heads ? i : -1;
}

/* Check that an object sets each column once, with a value of its kind, and set the cells of a row that is there. */
static int take_members(struct rows *self, const struct json_node *object)
{
    int n = 0;
    memset(self->are_set, 0, (size_t)self->n_heads * sizeof *self->are_set);
    for (const struct json_node *one = json_at(&self->json, object->first); one != NULL;
         one = json_at(&self->json, one->next), n++) {
        const char *name = json_name_of(&self->json, one);
        char what[100];
        int column = find_head(self, name, n);
        snprintf(what, sizeof what, "'%.80s'", name);
        if (column < 0 || self->are_set[column])
            return dataset_fail(self->error, self->dataset->file, one->line, one->column, "%s %s", what,
                                column < 0 ? "is not in the first row; all rows have the same names"
                                           : "is there twice");
        self->are_set[column] = true;
        bool is_number = dataset_is_number(&self->dataset->columns[column]);
        if (one->kind != (is_number ? JSON_NUMBER : JSON_TEXT))
            return fail(self, one, what, is_number ? "a number" : "a text, as in the first row,");
        if (self->are_measurements)
            self->values[column] = one->number;
        else if ((is_number ? dataset_set_number(self->dataset, column, one->number, one->line, self->error)
                            : dataset_set_text(self->dataset, column, json_text_of(&self->json, one), one->line,
                                               self->error)) != 0)
            return -1;
    }
    for (int i = 0; i < self->n_heads; i++)
        if (!self->are_set[i])
            return dataset_fail(self->error, self->dataset->file, object->line, object->column,
                                "'%.80s' is missing; all rows have the same names", self->heads[i]);
    return 0;
}

/* ---- Rows ---- */

/* A name that may be absent; NULL with an error. */
static const char *find_text(const struct rows *self, const struct json_node *row, const char *name, const char *other)
{
    const struct json_node *text = json_member(&self->json, row, name);
    if (text == NULL)
        return other;
    if (text->kind == JSON_TEXT)
        return json_text_of(&self->json, text);
    fail(self, text, name, "a text");
    return NULL;
}

static int take_value(struct rows *self, const char *region, const char *metric, const struct json_node *value)
{
    if (value->kind == JSON_NUMBER)
        return dataset_add_measurement(self->dataset, self->values, region, metric, value->number, value->line,
                                       self->error);
    if (value->kind != JSON_LIST || value->first == JSON_NONE)
        return fail(self, value, "'value'", "a number or a list of numbers");
    for (const struct json_node *one = json_at(&self->json, value->first); one != NULL;
         one = json_at(&self->json, one->next))
        if (one->kind == JSON_LIST ? fail(self, one, "a value", "a number") : take_value(self, region, metric, one))
            return -1;
    return 0;
}

static int take_measurement(struct rows *self, const struct json_node *row, const struct json_node *params)
{
    const struct json_node *value = json_member(&self->json, row, "value");
    if (params == NULL || params->kind != JSON_OBJECT)
        return fail(self, params != NULL ? params : row, "the row",
                    "an object with the object 'params', as the first,");
    if (value == NULL)
        return fail(self, row, "the row, which has no 'value',", "a measurement");
    if (take_members(self, params) != 0)
        return -1;
    const char *region = find_text(self, row, "callpath", ""), *metric = find_text(self, row, "metric", "value");
    return region == NULL || metric == NULL ? -1 : take_value(self, region, metric, value);
}

static int take_row(struct rows *self)
{
    const struct json_node *row = json_at(&self->json, 0);
    const struct json_node *params = json_member(&self->json, row, "params");
    if (row->kind != JSON_OBJECT)
        return fail(self, row, "the row", "an object");
    if (!self->is_begun) {
        self->are_measurements = params != NULL;
        if (add_columns(self, params != NULL ? params : row) != 0 ||
            (params != NULL && dataset_add_measurements(self->dataset, row->line, self->error) != 0))
            return -1;
    }
    self->is_begun = true;
    if (self->are_measurements)
        return take_measurement(self, row, params);
    return dataset_add_row(self->dataset, row->line, self->error) != 0 ? -1 : take_members(self, row);
}

/* ---- Both forms ---- */

/* Behind the first row, which may be a document of Extra-P that is all of the file. */
static int read_lines(struct rows *self, struct input *input)
{
    if (json_parse(&self->json, input, self->error) != 0)
        return -1;
    input_skip_space(input);
    if (extrap_json_is(&self->json) && input->next == EOF)
        return extrap_json_read(self->dataset, &self->json, NULL, self->error);
    for (;;) {
        if (take_row(self) != 0)
            return -1;
        if (input->next == EOF)
            return 0;
        if (json_parse(&self->json, input, self->error) != 0)
            return -1;
        input_skip_space(input);
    }
}

static int read_list(struct rows *self, struct input *input)
{
    do {
        input_advance(input);
        if (json_parse(&self->json, input, self->error) != 0 || take_row(self) != 0)
            return -1;
        input_skip_space(input);
    } while (input->next == ',');
    if (input->next != ']')
        return dataset_fail(self->error, input->file, input->line, input->column, "',' or ']' is wanted behind a row");
    input_advance(input);
    input_skip_space(input);
    return input->next == EOF ? 0
                              : dataset_fail(self->error, input->file, input->line, input->column,
                                             "something behind the list, which is all that a file has");
}

int json_read(struct dataset *dataset, struct input *input, struct sim_error *error)
{
    struct rows self = {.dataset = dataset,
                        .error = error,
                        .heads = xcalloc(DATASET_COLUMNS, sizeof *self.heads),
                        .are_set = xcalloc(DATASET_COLUMNS, sizeof *self.are_set),
                        .values = xcalloc(DATASET_COLUMNS, sizeof *self.values)};
    input_skip_space(input);
    int status = (input->next == '[' ? read_list : read_lines)(&self, input);
    for (int i = 0; i < self.n_heads; i++)
        free(self.heads[i]);
    free(self.heads);
    free(self.are_set);
    free(self.values);
    json_dispose(&self.json);
    return status;
}
