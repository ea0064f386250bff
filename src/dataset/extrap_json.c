/* Reads the documents of Extra-P in JSON: the present format, {"parameters": ["p"], "measurements": {REGION: {METRIC:
 * [{"point": [4], "values": [1.5]}]}}}; experiments, with "coordinate" and a mean in place of these; and the older
 * format, whose lists refer to each other by identities.
 *
 * Source: docs/file-formats.md and extrap/entities of github.com/extra-p/extrap, version 4.2.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/extrap_json.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 16 };

struct document {
    struct dataset *dataset;
    const struct json *json;
    struct archive *archive;
    struct sim_error *error;
    int n_parameters;
    const char *region, *metric; /* of the measurements that come next */
};

static int fail(const struct document *self, const struct json_node *node, const char *what, const char *wanted)
{
    return json_fail(self->json, self->dataset->file, node, what, wanted, self->error);
}

/* A member of a kind that must be there. */
static const struct json_node *want(const struct document *self, const struct json_node *object, const char *name,
                                    enum json_kind kind, const char *wanted)
{
    const struct json_node *member = json_member(self->json, object, name);
    char what[80];
    snprintf(what, sizeof what, "'%s'", name);
    if (member != NULL && member->kind == kind)
        return member;
    if (member != NULL)
        fail(self, member, what, wanted);
    else
        dataset_fail(self->error, self->dataset->file, object->line, object->column, "has no %s; %s is wanted", what,
                     wanted);
    return NULL;
}

static int add_parameter(struct document *self, const struct json_node *name)
{
    if (name == NULL)
        return -1;
    if (name->kind != JSON_TEXT)
        return fail(self, name, "a parameter", "its name");
    if (self->n_parameters++ == MOST_PARAMETERS)
        return fail(self, name, "a further parameter", "at most 16");
    return dataset_add_column(self->dataset, json_text_of(self->json, name), DATASET_PARAMETER, name->line,
                              name->column, self->error);
}

/* ---- The present format ---- */

static int read_point(double *point, const struct document *self, const struct json_node *list)
{
    int n = 0;
    for (const struct json_node *one = json_at(self->json, list->first); one != NULL;
         one = json_at(self->json, one->next)) {
        bool is_number = one->kind == JSON_NUMBER;
        if (one->kind == JSON_TEXT)
            is_number = dataset_number(&point[n < self->n_parameters ? n : 0], json_text_of(self->json, one));
        else if (is_number && n < self->n_parameters)
            point[n] = one->number;
        if (!is_number || n++ == self->n_parameters)
            return fail(self, one, "a coordinate", is_number ? "one for each parameter" : "a number");
    }
    return n == self->n_parameters ? 0 : fail(self, list, "the point", "a list with a value of each parameter");
}

static int add_value(const struct document *self, const double *point, double value, const struct json_node *node)
{
    return dataset_add_measurement(self->dataset, point, self->region, self->metric, value, node->line, self->error);
}

static int read_values(const struct document *self, const double *point, const struct json_node *values)
{
    const struct json_node *one = json_at(self->json, values->first);
    if (one == NULL)
        return fail(self, values, "the list of values", "at least one");
    for (; one != NULL; one = json_at(self->json, one->next)) {
        if (one->kind != JSON_NUMBER)
            return fail(self, one, "a value", "a number");
        if (add_value(self, point, one->number, one) != 0)
            return -1;
    }
    return 0;
}

/* "values": [part, number], two places in the archive. */
static int read_archived(const struct document *self, const double *point, const struct json_node *place)
{
    struct repetitions values;
    const struct json_node *part = json_at(self->json, place->first),
                           *number = part != NULL ? json_at(self->json, part->next) : NULL;
    if (number == NULL || part->kind != JSON_NUMBER || number->kind != JSON_NUMBER || !(part->number >= 0) ||
        !(number->number >= 0) || part->number > 1e6 || number->number > 1e9)
        return fail(self, place, "the place of the values", "two whole numbers");
    if (archive_find(&values, self->archive, (long)part->number, (long)number->number, self->error) != 0)
        return -1;
    for (size_t i = 0; i < values.count; i++)
        if (add_value(self, point, values.values[i], place) != 0)
            return -1;
    return 0;
}

/* The values of a measurement, or its mean if the experiment keeps no values. */
static int read_measurement(const struct document *self, const struct json_node *one)
{
    double point[MOST_PARAMETERS];
    bool is_experiment = json_member(self->json, one, "coordinate") != NULL;
    const struct json_node *place =
        want(self, one, is_experiment ? "coordinate" : "point", JSON_LIST, "the point, a list of numbers");
    if (place == NULL || read_point(point, self, place) != 0)
        return -1;
    const struct json_node *values = json_member(self->json, one, "values");
    if (is_experiment && (values == NULL || values->kind == JSON_NULL || self->archive == NULL)) {
        const struct json_node *mean = want(self, one, "mean", JSON_NUMBER, "a number");
        return mean != NULL ? add_value(self, point, mean->number, mean) : -1;
    }
    if ((values = want(self, one, "values", JSON_LIST, "a list of numbers")) == NULL)
        return -1;
    return is_experiment ? read_archived(self, point, values) : read_values(self, point, values);
}

static int read_metrics(struct document *self, const struct json_node *region)
{
    if (region->kind != JSON_OBJECT)
        return fail(self, region, "a region", "an object with its metrics");
    self->region = json_name_of(self->json, region);
    for (const struct json_node *metric = json_at(self->json, region->first); metric != NULL;
         metric = json_at(self->json, metric->next)) {
        self->metric = json_name_of(self->json, metric);
        if (metric->kind != JSON_LIST)
            return fail(self, metric, "a metric", "a list of its measurements");
        for (const struct json_node *one = json_at(self->json, metric->first); one != NULL;
             one = json_at(self->json, one->next))
            if (read_measurement(self, one) != 0)
                return -1;
    }
    return 0;
}

static int read_present(struct document *self, const struct json_node *root)
{
    const struct json_node *parameters = want(self, root, "parameters", JSON_LIST, "a list of names");
    const struct json_node *regions = json_member(self->json, root, "measurements");
    if (parameters == NULL)
        return -1;
    for (const struct json_node *name = json_at(self->json, parameters->first); name != NULL;
         name = json_at(self->json, name->next))
        if (add_parameter(self, name) != 0)
            return -1;
    if (dataset_add_measurements(self->dataset, root->line, self->error) != 0)
        return -1;
    for (const struct json_node *region = json_at(self->json, regions->first); region != NULL;
         region = json_at(self->json, region->next))
        if (read_metrics(self, region) != 0)
            return -1;
    return 0;
}

/* ---- The older format ---- */

/* The one of a list that has the identity that a member of another one says; NULL with an error. */
static const struct json_node *find_named(const struct document *self, const char *list, const struct json_node *from,
                                          const char *name)
{
    const struct json_node *root = json_at(self->json, 0), *id = want(self, from, name, JSON_NUMBER, "an identity");
    const struct json_node *all = want(self, root, list, JSON_LIST, "a list");
    if (id == NULL || all == NULL)
        return NULL;
    for (const struct json_node *one = json_at(self->json, all->first); one != NULL;
         one = json_at(self->json, one->next)) {
        const struct json_node *own = json_member(self->json, one, "id");
        if (own != NULL && own->kind == JSON_NUMBER && own->number == id->number)
            return one;
    }
    fail(self, id, "the identity", "one that is in the list it is of");
    return NULL;
}

static const char *find_name(const struct document *self, const char *list, const struct json_node *from,
                             const char *name)
{
    const struct json_node *one = find_named(self, list, from, name);
    const struct json_node *text = one != NULL ? want(self, one, "name", JSON_TEXT, "a name") : NULL;
    return text != NULL ? json_text_of(self->json, text) : NULL;
}

static int read_pairs(double *point, const struct document *self, const struct json_node *coordinate)
{
    bool has[MOST_PARAMETERS] = {false};
    int n = 0;
    const struct json_node *pairs =
        want(self, coordinate, "parameter_value_pairs", JSON_LIST, "a list of values of parameters");
    for (const struct json_node *pair = pairs != NULL ? json_at(self->json, pairs->first) : NULL; pair != NULL;
         pair = json_at(self->json, pair->next)) {
        const char *name = find_name(self, "parameters", pair, "parameter_id");
        const struct json_node *value = want(self, pair, "parameter_value", JSON_NUMBER, "a number");
        int p = name != NULL ? dataset_find(self->dataset, name, strlen(name)) : -1;
        if (name == NULL || value == NULL)
            return -1;
        if (p < 0 || p >= self->n_parameters || has[p])
            return fail(self, pair, "the parameter", "another one, each once");
        has[p] = true;
        point[p] = value->number;
        n++;
    }
    return pairs == NULL             ? -1
           : n == self->n_parameters ? 0
                                     : fail(self, pairs, "the point", "a value of each parameter");
}

static int read_older_measurement(struct document *self, const struct json_node *one)
{
    double point[MOST_PARAMETERS];
    const struct json_node *coordinate = find_named(self, "coordinates", one, "coordinate_id");
    if (coordinate == NULL || read_pairs(point, self, coordinate) != 0)
        return -1;
    self->region = find_name(self, "callpaths", one, "callpath_id");
    self->metric = self->region != NULL ? find_name(self, "metrics", one, "metric_id") : NULL;
    const struct json_node *value = self->metric != NULL ? want(self, one, "value", JSON_NUMBER, "a number") : NULL;
    return value != NULL ? add_value(self, point, value->number, value) : -1;
}

static int read_older(struct document *self, const struct json_node *root)
{
    const struct json_node *parameters = want(self, root, "parameters", JSON_LIST, "a list of parameters");
    const struct json_node *all = json_member(self->json, root, "measurements");
    if (parameters == NULL)
        return -1;
    for (const struct json_node *one = json_at(self->json, parameters->first); one != NULL;
         one = json_at(self->json, one->next))
        if (add_parameter(self, want(self, one, "name", JSON_TEXT, "a name")) != 0)
            return -1;
    if (dataset_add_measurements(self->dataset, root->line, self->error) != 0)
        return -1;
    for (const struct json_node *one = json_at(self->json, all->first); one != NULL;
         one = json_at(self->json, one->next))
        if (read_older_measurement(self, one) != 0)
            return -1;
    return 0;
}

/* ---- Both ---- */

bool extrap_json_is(const struct json *json)
{
    const struct json_node *all = json_member(json, json_at(json, 0), "measurements");
    return all != NULL && (all->kind == JSON_OBJECT || all->kind == JSON_LIST);
}

int extrap_json_read(struct dataset *dataset, const struct json *json, struct archive *archive, struct sim_error *error)
{
    struct document self = {.dataset = dataset, .json = json, .archive = archive, .error = error};
    const struct json_node *root = json_at(json, 0);
    bool is_older = json_member(json, root, "measurements")->kind == JSON_LIST;
    return (is_older ? read_older : read_present)(&self, root);
}
