/* Types in the JSON Schema, as json_schema.def names them: text, numbers, words of a list, objects, arrays.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/json_schema_types.h"

#include "metrics/measure.h"
#include "report/json_writer.h"
#include "sim/network/network.h"
#include "study/compare/verdict.h"
#include "study/models/growth.h"
#include "study/models/models.h"
#include "study/models/parts.h"
#include "study/no_effect.h"

#include <stdio.h>
#include <string.h>

/* --- pieces --- */

void schema_put_text(struct json_writer *writer, const char *name, const char *text)
{
    json_name(writer, name);
    json_text(writer, text);
}

void schema_begin(struct json_writer *writer, const char *name, char bracket)
{
    json_name(writer, name);
    json_begin(writer, bracket);
}

void schema_put_reference(struct json_writer *writer, const char *name)
{
    char place[120];
    snprintf(place, sizeof place, "#/$defs/%s", name);
    schema_put_text(writer, "$ref", place);
}

void schema_begin_object(struct json_writer *writer, const char *name, const char *what)
{
    schema_begin(writer, name, '{');
    if (what != NULL)
        schema_put_text(writer, "description", what);
    schema_put_text(writer, "type", "object");
    schema_begin(writer, "properties", '{');
}

void schema_end_object(struct json_writer *writer)
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
    schema_begin(writer, "enum", '[');
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
            schema_put_text(writer, "type", types[0]);
            return true;
        }
        schema_begin(writer, "type", '[');
        for (int k = 0; types[k] != NULL; k++)
            json_text(writer, types[k]);
        json_end(writer, ']');
        return true;
    }
    return false;
}

void schema_put_one(struct json_writer *writer, const char *type)
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
        schema_put_reference(writer, type);
}

bool schema_must_be_there(const char *type)
{
    return type[strlen(type) - 1] == '*';
}

void schema_put_type(struct json_writer *writer, const char *type)
{
    char inner[40];
    const char *from = type + (type[0] == '[' || type[0] == '{');
    snprintf(inner, sizeof inner, "%.*s", (int)strcspn(from, "]}*"), from);
    if (type[0] != '[') {
        schema_put_one(writer, inner);
        return;
    }
    schema_put_text(writer, "type", "array");
    schema_begin(writer, "items", '{');
    schema_put_one(writer, inner);
    json_end(writer, '}');
}

void schema_put_member(struct json_writer *writer, const char *name, const char *type, const char *what)
{
    schema_begin(writer, name, '{');
    if (what != NULL)
        schema_put_text(writer, "description", what);
    schema_put_type(writer, type);
    json_end(writer, '}');
}
