/* One JSON document: SI units, measures grouped into objects by their group. The keys are an interface. */
#include "report/models.h"
#include "report/report.h"

#include "report/study.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *number_of(const struct measure *measure)
{
    if (measure->type == MEASURE_COUNT && measure->number <= INT64_MAX)
        return json_integer((json_int_t)measure->number);
    return json_real(measure_value(measure));
}

static json_t *parameters_of(const struct report_run *run)
{
    json_t *object = json_object();
    for (int i = 0; i < run->n_parameters; i++) {
        const struct report_parameter *parameter = &run->parameters[i];
        if (!parameter->is_number && parameter->text[0] == '\0') /* of stored runs, one that this run does not have */
            continue;
        json_object_set_new(object, parameter->name,
                            parameter->is_number ? json_integer(parameter->number) : json_string(parameter->text));
    }
    return object;
}

static void add_measures(json_t *object, const struct result *result)
{
    for (size_t i = 0; i < result->n_measures; i++) {
        const struct measure *measure = &result->measures[i];
        json_t *target = object;
        if (measure->group[0] != '\0') {
            target = json_object_get(object, measure->group);
            if (target == NULL) {
                target = json_object();
                json_object_set_new(object, measure->group, target);
            }
        }
        json_object_set_new(target, measure->name, number_of(measure));
    }
}

static json_t *cell_of(const struct result_table *table, size_t row, size_t column)
{
    const union result_cell *cell = result_cell(table, row, column);
    if (table->columns[column].type == MEASURE_TEXT)
        return json_string(cell->text);
    if (table->columns[column].type == MEASURE_COUNT && cell->number <= INT64_MAX)
        return json_integer((json_int_t)cell->number);
    return json_real(result_cell_value(table, row, column));
}

/* Each table is an array of objects, one for each row. */
static void add_tables(json_t *object, const struct result *result)
{
    for (size_t i = 0; i < result->n_tables; i++) {
        const struct result_table *table = &result->tables[i];
        json_t *rows = json_array();
        for (size_t r = 0; r < table->n_rows; r++) {
            json_t *row = json_object();
            for (size_t c = 0; c < table->n_columns; c++)
                json_object_set_new(row, table->columns[c].name, cell_of(table, r, c));
            json_array_append_new(rows, row);
        }
        json_object_set_new(object, table->name, rows);
    }
}

/* The states of every process, one array for each state. */
static json_t *processes_of(const struct result *result)
{
    json_t *object = json_object();
    for (int s = 0; s < N_LOCATION_STATES; s++) {
        json_t *array = json_array();
        for (int rank = 0; rank < result->n_ranks; rank++)
            json_array_append_new(array, json_real((double)result->state_ps[rank][s] / 1e12));
        json_object_set_new(object, location_state_names[s], array);
    }
    return object;
}

static json_t *notes_of(const struct report_run *run)
{
    json_t *array = json_array();
    for (int note = 0; note < N_NOTES; note++)
        if (run->notes[note][0] != '\0')
            json_array_append_new(array, json_string(run->notes[note]));
    return array;
}

static json_t *run_of(const struct report_run *run)
{
    json_t *object = json_object();
    json_object_set_new(object, "parameters", parameters_of(run));
    json_object_set_new(object, "platform", json_string(run->platform));
    json_object_set_new(object, "network", json_string(run->network));
    json_object_set_new(object, "ranks", json_integer(run->ranks));
    if (run->discarded[0] != '\0') { /* it was not simulated */
        json_object_set_new(object, "discarded", json_string(run->discarded));
        return object;
    }
    json_object_set_new(object, "notes", notes_of(run));
    add_measures(object, &run->result);
    if (run->dominant[0] != '\0')
        json_object_set_new(object, "dominant", json_string(run->dominant));
    if (run->largest_overhead[0] != '\0')
        json_object_set_new(object, "largest_overhead", json_string(run->largest_overhead));
    add_tables(object, &run->result);
    json_object_set_new(object, "process_state_s", processes_of(&run->result));
    json_object_set_new(object, "host",
                        json_pack("{s:f, s:I, s:I}", "wall_s", run->wall_s, "events", (json_int_t)run->events,
                                  "peak_rss_bytes", (json_int_t)run->peak_rss_bytes));
    return object;
}

/* Pairs of alternatives that two networks rank differently, with the indices of their runs. */
static json_t *pairs_of(const struct report *report)
{
    json_t *array = json_array();
    struct study_pairs found;
    study_find_pairs(&found, report);
    for (int i = 0; i < found.n_pairs; i++) {
        const struct study_pair *pair = &found.pairs[i];
        json_array_append_new(array, json_pack("{s:s, s:[i,i], s:s, s:[i,i]}", "network",
                                               report->runs[pair->first[0]].network, "order", pair->first[0],
                                               pair->second[0], "other_network", report->runs[pair->first[1]].network,
                                               "other_order", pair->second[1], pair->first[1]));
    }
    free(found.pairs);
    return array;
}

static json_t *effects_of(const struct report *report)
{
    json_t *array = json_array();
    int n_effects;
    struct study_effect *effects = study_find_effects(&n_effects, report);
    for (int i = 0; i < n_effects; i++) {
        char *text = study_describe_effect(report, &effects[i]);
        json_array_append_new(array, json_pack("{s:s, s:b, s:i, s:i, s:s, s:[i,i], s:s}", "parameter",
                                               report->runs[0].parameters[effects[i].parameter].name, "all_values",
                                               (int)effects[i].all, "settings", effects[i].n_settings, "of",
                                               effects[i].n_others, "reason", study_reason_names[effects[i].reason],
                                               "runs", effects[i].first, effects[i].second, "text", text));
        free(text);
    }
    free(effects);
    return array;
}

/* A list that is left out where it is empty. */
static void add_list(json_t *document, const char *name, json_t *list)
{
    if (json_array_size(list) > 0)
        json_object_set(document, name, list);
    json_decref(list);
}

static void json_write(FILE *stream, const struct report *report)
{
    json_t *runs = json_array();
    for (int i = 0; i < report->n_runs; i++)
        json_array_append_new(runs, run_of(&report->runs[i]));
    json_t *document =
        json_pack("{s:s, s:s, s:o}", "simrun", report->version, "scenario", report->scenario, "runs", runs);
    if (report->models != NULL)
        json_object_set_new(document, "models", models_json(report->models));
    add_list(document, "ranked_differently", pairs_of(report));
    add_list(document, "without_effect", effects_of(report));
    json_dumpf(document, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    fputc('\n', stream);
    json_decref(document);
}

const struct report_spec report_json = {.name = "json", .summary = "one JSON document, SI units", .write = json_write};
