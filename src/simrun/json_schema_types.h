/* Pieces of the JSON Schema, and the types of its members, for the files that write it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_JSON_SCHEMA_TYPES_H
#define SIMRUN_JSON_SCHEMA_TYPES_H

#include "report/json_writer.h"

#include <stdbool.h>

/* "NAME": "text"; the beginning of an object or array of that name; "$ref": "#/$defs/NAME". */
void schema_put_text(struct json_writer *writer, const char *name, const char *text);
void schema_begin(struct json_writer *writer, const char *name, char bracket);
void schema_put_reference(struct json_writer *writer, const char *name);

/* An object of which all keys are known: its members come next, then schema_end_object(). */
void schema_begin_object(struct json_writer *writer, const char *name, const char *what);
void schema_end_object(struct json_writer *writer);

/* The type of a value: "text", "integer", a list of words, an object; with brackets around it and "*" behind it. */
void schema_put_one(struct json_writer *writer, const char *type);
void schema_put_type(struct json_writer *writer, const char *type);
/* True if members of that type, "text*", are always there. */
bool schema_must_be_there(const char *type);

/* A member: its name, its type, and what it is, or NULL. */
void schema_put_member(struct json_writer *writer, const char *name, const char *type, const char *what);

/* simrun/json_schema_run.c: the object "run". */
void schema_put_run(struct json_writer *writer);

#endif
