/* Writes the JSON Schema (draft 2020-12) of what --format json writes. Measures and tables of runs come from their
 * tables, all other objects from json_schema.def. It is strict: what it does not know is wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/json_schema.h"

#include "report/json_writer.h"
#include "simrun/json_schema_types.h"

static void take(void *stream, const void *bytes, size_t length)
{
    fwrite(bytes, 1, length, stream);
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
    schema_begin(writer, object->name, '{');
    schema_put_text(writer, "type", "object");
    schema_begin(writer, "properties", '{');
    for (const struct member *member = object->members; member->name != NULL; member++)
        schema_put_member(writer, member->name, member->type, member->what);
    json_end(writer, '}');
    schema_begin(writer, "required", '[');
    for (const struct member *member = object->members; member->name != NULL; member++)
        if (schema_must_be_there(member->type))
            json_text(writer, member->name);
    json_end(writer, ']');
    json_name(writer, "additionalProperties");
    if (object->others == NOTHING) {
        json_flag(writer, false);
    } else {
        json_begin(writer, '{');
        schema_put_type(writer, object->others == NUMBERS ? "number" : "{exponents}");
        json_end(writer, '}');
    }
    json_end(writer, '}');
}

/* --- all --- */

/* If a document has this member, it is that object; otherwise one of the next. */
static void put_choice(struct json_writer *writer, const char *member, const char *object)
{
    schema_begin(writer, "if", '{');
    schema_begin(writer, "required", '[');
    json_text(writer, member);
    json_end(writer, ']');
    json_end(writer, '}');
    schema_begin(writer, "then", '{');
    schema_put_reference(writer, object);
    json_end(writer, '}');
    schema_begin(writer, "else", '{');
}

void json_schema_write(FILE *stream)
{
    struct json_writer writer;
    char id[40];
    snprintf(id, sizeof id, "urn:simrun:schema:%d", JSON_SCHEMA);
    json_writer_init(&writer, take, stream);
    json_begin(&writer, '{');
    schema_put_text(&writer, "$schema", "https://json-schema.org/draft/2020-12/schema");
    schema_put_text(&writer, "$id", id);
    schema_put_text(&writer, "title", "The JSON of simrun " SIMRUN_VERSION);
    schema_put_text(
        &writer, "description",
        "What --format json of this version writes, and nothing else: later versions may add members, tables and "
        "words while \"schema\" stays the same (docs/ref/json.md).");
    schema_put_text(&writer, "type", "object");
    put_choice(&writer, "differences", "comparison");
    put_choice(&writer, "forecasts", "forecasts_document");
    put_choice(&writer, "benchmarks", "calibration_document");
    put_choice(&writer, "metrics", "profile_document");
    schema_put_reference(&writer, "runs_document");
    json_end(&writer, '}');
    json_end(&writer, '}');
    json_end(&writer, '}');
    json_end(&writer, '}');
    schema_begin(&writer, "$defs", '{');
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        put_object(&writer, &objects[i]);
    schema_put_run(&writer);
    json_end(&writer, '}');
    json_end(&writer, '}');
    json_writer_finish(&writer);
    fputc('\n', stream);
}
