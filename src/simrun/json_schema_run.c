/* A run in the JSON Schema: its members, measures and tables, from their own tables.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/json_schema_types.h"

#include "metrics/measure.h"
#include "metrics/tables.h"
#include "simrun/list_kinds.h"

#include <stdio.h>
#include <string.h>

/* --- tables of a run --- */

static void put_column(struct json_writer *writer, const struct column_spec *column)
{
    const struct kind_spec *kind = &kind_specs[column->kind];
    char what[160];
    schema_begin(writer, column->name, '{');
    snprintf(what, sizeof what, "%s%s%s", kind->what != NULL ? kind->what : "a word",
             column->whole[0] != '\0' ? ", a part of " : "", column->whole);
    schema_put_text(writer, "description", what);
    if (kind->n_words > 0) {
        schema_begin(writer, "enum", '[');
        for (int i = 0; i < kind->n_words; i++)
            json_text(writer, kind->words[i]);
        json_end(writer, ']');
    } else if (kind->storage == STORED_FLAG) {
        schema_begin(writer, "enum", '[');
        json_integer(writer, 0);
        json_integer(writer, 1);
        json_end(writer, ']');
    } else {
        schema_put_one(writer, kind->type == MEASURE_TEXT    ? "text"
                               : kind->type == MEASURE_COUNT ? "integer"
                                                             : "number");
    }
    json_end(writer, '}');
}

static void put_columns(struct json_writer *writer, const struct table_spec *spec)
{
    for (size_t c = 0; c < spec->n_columns; c++)
        put_column(writer, &spec->columns[c]);
}

static void put_table(struct json_writer *writer, const struct table_spec *spec)
{
    if (spec->place == AS_RECORD) {
        schema_begin_object(writer, spec->name, NULL);
        put_columns(writer, spec);
        schema_end_object(writer);
        return;
    }
    schema_begin(writer, spec->name, '{');
    schema_put_text(writer, "type", "array");
    schema_begin_object(writer, "items", NULL);
    put_columns(writer, spec);
    schema_end_object(writer);
    json_end(writer, '}');
}

/* --- measures of a run --- */

static void put_measure(struct json_writer *writer, const char *name, const struct measure_spec *spec)
{
    schema_put_member(writer, name, spec->unit == UNIT_COUNT ? "integer" : "number", list_unit(spec->unit));
}

/* "critical_path_s": the measures with names of their own, and those that begin like "communication.*". */
static void put_group(struct json_writer *writer, const char *group)
{
    schema_begin(writer, group, '{');
    schema_put_text(writer, "type", "object");
    schema_begin(writer, "properties", '{');
    for (int id = 1; id < N_MEASURES; id++)
        if (strcmp(measure_specs[id].group, group) == 0 && !measure_specs[id].is_family)
            put_measure(writer, measure_specs[id].name, &measure_specs[id]);
    json_end(writer, '}');
    schema_begin(writer, "patternProperties", '{');
    for (int id = 1; id < N_MEASURES; id++) {
        const struct measure_spec *spec = &measure_specs[id];
        if (strcmp(spec->group, group) != 0 || !spec->is_family)
            continue;
        char pattern[80];
        int length = (int)strcspn(spec->name, "*");
        bool dot = length > 0 && spec->name[length - 1] == '.';
        snprintf(pattern, sizeof pattern, "^%.*s%s", dot ? length - 1 : length, spec->name, dot ? "\\." : "");
        put_measure(writer, pattern, spec);
    }
    json_end(writer, '}');
    json_name(writer, "additionalProperties");
    json_flag(writer, false);
    json_end(writer, '}');
}

static bool is_first_of_group(int id)
{
    for (int before = 1; before < id; before++)
        if (strcmp(measure_specs[before].group, measure_specs[id].group) == 0)
            return false;
    return true;
}

static void put_measures(struct json_writer *writer)
{
    for (int id = 1; id < N_MEASURES; id++)
        if (measure_specs[id].group[0] == '\0')
            put_measure(writer, measure_specs[id].name, &measure_specs[id]);
        else if (is_first_of_group(id))
            put_group(writer, measure_specs[id].group);
}

/* --- a run --- */

static void put_parameters(struct json_writer *writer)
{
    schema_begin(writer, "parameters", '{');
    schema_put_text(writer, "description",
                    "values of the parameters, sizes in bytes; what has a unit of its own is text");
    schema_put_text(writer, "type", "object");
    schema_begin(writer, "additionalProperties", '{');
    schema_begin(writer, "type", '[');
    json_text(writer, "string");
    json_text(writer, "number");
    json_end(writer, ']');
    json_end(writer, '}');
    json_end(writer, '}');
}

void schema_put_run(struct json_writer *writer)
{
    schema_begin_object(writer, "run", "a run: what was simulated or traced, its measures, and its tables");
    put_parameters(writer);
    schema_put_member(writer, "platform", "text", "the platform");
    schema_put_member(writer, "network", "network", "the model of the network that was used; real of a trace");
    schema_put_member(writer, "ranks", "integer", "a count");
    schema_put_member(writer, "processors_per_rank", "integer", "a count; only where it is above 1");
    schema_put_member(writer, "discarded", "text", "why it could not be simulated; such a run has no measures");
    schema_put_member(writer, "notes", "[text]", "remarks");
    schema_put_member(writer, "dominant", "text", "the component of the critical path that takes most");
    schema_put_member(writer, "largest_overhead", "overhead", "the largest of overhead_ratio");
    schema_put_member(writer, "link_bins", "{link_bins}", "links in the course of time");
    schema_begin_object(writer, "process_state_s", "seconds of each processor in a state, rank by rank");
    for (int state = 0; state < N_LOCATION_STATES; state++)
        schema_put_member(writer, location_state_names[state], "[number]", NULL);
    schema_end_object(writer);
    schema_begin_object(writer, "process", "which processors these are, where ranks have several");
    schema_put_member(writer, "rank", "[integer]", "the rank of each");
    schema_put_member(writer, "processor", "[integer]", "its number within the rank");
    schema_end_object(writer);
    put_measures(writer);
    for (int table = 0; table < N_TABLES; table++)
        put_table(writer, &table_specs[table]);
    json_end(writer, '}');
    schema_begin(writer, "required", '[');
    for (const char *const *name = (const char *const[]){"platform", "network", "ranks", NULL}; *name != NULL; name++)
        json_text(writer, *name);
    json_end(writer, ']');
    json_name(writer, "additionalProperties");
    json_flag(writer, false);
    json_end(writer, '}');
}
