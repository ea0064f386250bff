/* Writes the JSON Schema (draft 2020-12) of what --format json writes. Measures and tables of runs come from their
 * tables, all other objects from json_schema.def. It is strict: what it does not know is wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/json_schema.h"

#include "metrics/measure.h"
#include "metrics/tables.h"
#include "report/json_writer.h"
#include "sim/network/network.h"
#include "simrun/list_kinds.h"
#include "study/compare/verdict.h"
#include "study/models/growth.h"
#include "study/models/models.h"
#include "study/models/parts.h"
#include "study/no_effect.h"

#include <stdlib.h>
#include <string.h>

/* --- pieces --- */

static void take(void *stream, const void *bytes, size_t length)
{
    fwrite(bytes, 1, length, stream);
}

static void put_text(struct json_writer *writer, const char *name, const char *text)
{
    json_name(writer, name);
    json_text(writer, text);
}

static void begin(struct json_writer *writer, const char *name, char bracket)
{
    json_name(writer, name);
    json_begin(writer, bracket);
}

/* "$ref": "#/$defs/NAME" */
static void put_reference(struct json_writer *writer, const char *name)
{
    char place[120];
    snprintf(place, sizeof place, "#/$defs/%s", name);
    put_text(writer, "$ref", place);
}

/* An object of which all keys are known: its members come next, then end_object(). */
static void begin_object(struct json_writer *writer, const char *name, const char *what)
{
    begin(writer, name, '{');
    if (what != NULL)
        put_text(writer, "description", what);
    put_text(writer, "type", "object");
    begin(writer, "properties", '{');
}

static void end_object(struct json_writer *writer)
{
    json_end(writer, '}');
    json_name(writer, "additionalProperties");
    json_flag(writer, false);
    json_end(writer, '}');
}

/* --- words --- */

/* The i-th word of a list, NULL behind the last. */
typedef const char *word_at(int i);

static const char *network_word(int i)
{
    int n = 0;
    while (network_specs[n] != NULL)
        n++;
    return i < n ? network_specs[i]->name : i == n ? "real" : NULL; /* of a traced run */
}

static const char *doubt_word(int i)
{
    return models_doubts[i].words != NULL ? models_doubts[i].key : NULL;
}

static const char *growth_word(int i)
{
    return i <= GROWTH_FALLS ? growth_way_names[i] : NULL;
}

static const char *part_word(int i)
{
    return i < N_PART_KINDS ? part_kind_name((enum part_kind)i) : NULL;
}

static const char *parts_by_word(int i)
{
    return i == 0 ? "function" : i == 1 ? "scope" : NULL;
}

static const char *reason_word(int i)
{
    return i < N_NO_EFFECT_REASONS ? no_effect_reason_names[i] : NULL;
}

static const char *overhead_word(int i)
{
    for (int id = 0; id < N_MEASURES; id++)
        if (measure_specs[id].kind == KIND_OVERHEAD && i-- == 0)
            return measure_specs[id].name;
    return NULL;
}

static const char *compared_by_word(int i)
{
    return i < N_COMPARE_AXES ? compare_axis_names[i] : NULL;
}

static const char *verdict_word(int i)
{
    return i < N_VERDICTS ? verdict_names[i] : NULL;
}

static const struct {
    const char *name;
    word_at *at;
} word_lists[] = {
    {"network", network_word},   {"doubt", doubt_word},
    {"growth_way", growth_word}, {"part_kind", part_word},
    {"parts_by", parts_by_word}, {"no_effect", reason_word},
    {"overhead", overhead_word}, {"compared_by", compared_by_word},
    {"verdict", verdict_word},   {NULL, NULL},
};

static void put_enum(struct json_writer *writer, word_at *at)
{
    begin(writer, "enum", '[');
    for (int i = 0; at(i) != NULL; i++) {
        bool known = false; /* kinds that have several words in common */
        for (int k = 0; k < i && !known; k++)
            known = strcmp(at(k), at(i)) == 0;
        if (!known)
            json_text(writer, at(i));
    }
    json_end(writer, ']');
}

/* --- types, as json_schema.def names them --- */

static const struct {
    const char *name, *types[4];
} plain_types[] = {
    {"text", {"string"}},     {"number", {"number"}},
    {"integer", {"integer"}}, {"number?", {"number", "null"}},
    {"flag", {"boolean"}},    {"value?", {"string", "number", "null"}},
};

static bool put_plain_type(struct json_writer *writer, const char *type)
{
    for (size_t i = 0; i < sizeof plain_types / sizeof plain_types[0]; i++) {
        const char *const *types = plain_types[i].types;
        if (strcmp(plain_types[i].name, type) != 0)
            continue;
        if (types[1] == NULL) {
            put_text(writer, "type", types[0]);
            return true;
        }
        begin(writer, "type", '[');
        for (int k = 0; types[k] != NULL; k++)
            json_text(writer, types[k]);
        json_end(writer, ']');
        return true;
    }
    return false;
}

static void put_one(struct json_writer *writer, const char *type)
{
    if (strcmp(type, "schema") == 0) {
        json_name(writer, "const");
        json_integer(writer, JSON_SCHEMA);
        return;
    }
    for (int i = 0; word_lists[i].name != NULL; i++)
        if (strcmp(word_lists[i].name, type) == 0) {
            put_enum(writer, word_lists[i].at);
            return;
        }
    if (!put_plain_type(writer, type))
        put_reference(writer, type);
}

static bool must_be_there(const char *type)
{
    return type[strlen(type) - 1] == '*';
}

/* "text", "[text]*", "{object}": what a member is. */
static void put_type(struct json_writer *writer, const char *type)
{
    char inner[40];
    const char *from = type + (type[0] == '[' || type[0] == '{');
    snprintf(inner, sizeof inner, "%.*s", (int)strcspn(from, "]}*"), from);
    if (type[0] != '[') {
        put_one(writer, inner);
        return;
    }
    put_text(writer, "type", "array");
    begin(writer, "items", '{');
    put_one(writer, inner);
    json_end(writer, '}');
}

static void put_member(struct json_writer *writer, const char *name, const char *type, const char *what)
{
    begin(writer, name, '{');
    if (what != NULL)
        put_text(writer, "description", what);
    put_type(writer, type);
    json_end(writer, '}');
}

/* --- the objects of json_schema.def --- */

enum others { NOTHING, NUMBERS, EXPONENTS };

struct member {
    const char *name, *type, *what;
};

#define OBJECT(name, others) static const struct member members_of_##name[] = {
#define MEMBER(name, type, what) {name, type, what},
#define END                                                                                                            \
    {                                                                                                                  \
        NULL, NULL, NULL                                                                                               \
    }                                                                                                                  \
    }                                                                                                                  \
    ;
#include "simrun/json_schema.def"

static const struct object {
    const char *name;
    enum others others;
    const struct member *members;
} objects[] = {
#define OBJECT(name, others) {#name, others, members_of_##name},
#define MEMBER(name, type, what)
#define END
#include "simrun/json_schema.def"
};

static void put_object(struct json_writer *writer, const struct object *object)
{
    begin(writer, object->name, '{');
    put_text(writer, "type", "object");
    begin(writer, "properties", '{');
    for (const struct member *member = object->members; member->name != NULL; member++)
        put_member(writer, member->name, member->type, member->what);
    json_end(writer, '}');
    begin(writer, "required", '[');
    for (const struct member *member = object->members; member->name != NULL; member++)
        if (must_be_there(member->type))
            json_text(writer, member->name);
    json_end(writer, ']');
    json_name(writer, "additionalProperties");
    if (object->others == NOTHING) {
        json_flag(writer, false);
    } else {
        json_begin(writer, '{');
        put_type(writer, object->others == NUMBERS ? "number" : "{exponents}");
        json_end(writer, '}');
    }
    json_end(writer, '}');
}

/* --- tables of a run --- */

static void put_column(struct json_writer *writer, const struct column_spec *column)
{
    const struct kind_spec *kind = &kind_specs[column->kind];
    char what[160];
    begin(writer, column->name, '{');
    snprintf(what, sizeof what, "%s%s%s", kind->what != NULL ? kind->what : "a word",
             column->whole[0] != '\0' ? ", a part of " : "", column->whole);
    put_text(writer, "description", what);
    if (kind->n_words > 0) {
        begin(writer, "enum", '[');
        for (int i = 0; i < kind->n_words; i++)
            json_text(writer, kind->words[i]);
        json_end(writer, ']');
    } else if (kind->storage == STORED_FLAG) {
        begin(writer, "enum", '[');
        json_integer(writer, 0);
        json_integer(writer, 1);
        json_end(writer, ']');
    } else {
        put_one(writer, kind->type == MEASURE_TEXT ? "text" : kind->type == MEASURE_COUNT ? "integer" : "number");
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
        begin_object(writer, spec->name, NULL);
        put_columns(writer, spec);
        end_object(writer);
        return;
    }
    begin(writer, spec->name, '{');
    put_text(writer, "type", "array");
    begin_object(writer, "items", NULL);
    put_columns(writer, spec);
    end_object(writer);
    json_end(writer, '}');
}

/* --- measures of a run --- */

static void put_measure(struct json_writer *writer, const char *name, const struct measure_spec *spec)
{
    put_member(writer, name, spec->unit == UNIT_COUNT ? "integer" : "number", list_unit(spec->unit));
}

/* "critical_path_s": the measures with names of their own, and those that begin like "communication.*". */
static void put_group(struct json_writer *writer, const char *group)
{
    begin(writer, group, '{');
    put_text(writer, "type", "object");
    begin(writer, "properties", '{');
    for (int id = 1; id < N_MEASURES; id++)
        if (strcmp(measure_specs[id].group, group) == 0 && !measure_specs[id].is_family)
            put_measure(writer, measure_specs[id].name, &measure_specs[id]);
    json_end(writer, '}');
    begin(writer, "patternProperties", '{');
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
    begin(writer, "parameters", '{');
    put_text(writer, "description", "values of the parameters, sizes in bytes; what has a unit of its own is text");
    put_text(writer, "type", "object");
    begin(writer, "additionalProperties", '{');
    begin(writer, "type", '[');
    json_text(writer, "string");
    json_text(writer, "number");
    json_end(writer, ']');
    json_end(writer, '}');
    json_end(writer, '}');
}

static void put_run(struct json_writer *writer)
{
    begin_object(writer, "run", "a run: what was simulated or traced, its measures, and its tables");
    put_parameters(writer);
    put_member(writer, "platform", "text", "the platform");
    put_member(writer, "network", "network", "the model of the network that was used; real of a trace");
    put_member(writer, "ranks", "integer", "a count");
    put_member(writer, "processors_per_rank", "integer", "a count; only where it is above 1");
    put_member(writer, "discarded", "text", "why it could not be simulated; such a run has no measures");
    put_member(writer, "notes", "[text]", "remarks");
    put_member(writer, "dominant", "text", "the component of the critical path that takes most");
    put_member(writer, "largest_overhead", "overhead", "the largest of overhead_ratio");
    put_member(writer, "link_bins", "{link_bins}", "links in the course of time");
    begin_object(writer, "process_state_s", "seconds of each processor in a state, rank by rank");
    for (int state = 0; state < N_LOCATION_STATES; state++)
        put_member(writer, location_state_names[state], "[number]", NULL);
    end_object(writer);
    begin_object(writer, "process", "which processors these are, where ranks have several");
    put_member(writer, "rank", "[integer]", "the rank of each");
    put_member(writer, "processor", "[integer]", "its number within the rank");
    end_object(writer);
    put_measures(writer);
    for (int table = 0; table < N_TABLES; table++)
        put_table(writer, &table_specs[table]);
    json_end(writer, '}');
    begin(writer, "required", '[');
    for (const char *const *name = (const char *const[]){"platform", "network", "ranks", NULL}; *name != NULL; name++)
        json_text(writer, *name);
    json_end(writer, ']');
    json_name(writer, "additionalProperties");
    json_flag(writer, false);
    json_end(writer, '}');
}

/* --- all --- */

/* If a document has this member, it is that object; otherwise one of the next. */
static void put_choice(struct json_writer *writer, const char *member, const char *object)
{
    begin(writer, "if", '{');
    begin(writer, "required", '[');
    json_text(writer, member);
    json_end(writer, ']');
    json_end(writer, '}');
    begin(writer, "then", '{');
    put_reference(writer, object);
    json_end(writer, '}');
    begin(writer, "else", '{');
}

void json_schema_write(FILE *stream)
{
    struct json_writer writer;
    char id[40];
    snprintf(id, sizeof id, "urn:simrun:schema:%d", JSON_SCHEMA);
    json_writer_init(&writer, take, stream);
    json_begin(&writer, '{');
    put_text(&writer, "$schema", "https://json-schema.org/draft/2020-12/schema");
    put_text(&writer, "$id", id);
    put_text(&writer, "title", "The JSON of simrun " SIMRUN_VERSION);
    put_text(&writer, "description",
             "What --format json of this version writes, and nothing else: later versions may add members, tables and "
             "words while \"schema\" stays the same (docs/ref/json.md).");
    put_text(&writer, "type", "object");
    put_choice(&writer, "differences", "comparison");
    put_choice(&writer, "forecasts", "forecasts_document");
    put_choice(&writer, "benchmarks", "calibration_document");
    put_choice(&writer, "metrics", "profile_document");
    put_reference(&writer, "runs_document");
    json_end(&writer, '}');
    json_end(&writer, '}');
    json_end(&writer, '}');
    json_end(&writer, '}');
    begin(&writer, "$defs", '{');
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        put_object(&writer, &objects[i]);
    put_run(&writer);
    json_end(&writer, '}');
    json_end(&writer, '}');
    json_writer_finish(&writer);
    fputc('\n', stream);
}
