/* JSON as it is written, value by value: nothing of it is kept, so memory does not grow with its length.
 *
 *     struct json_writer writer;
 *     json_writer_init(&writer, take, self);
 *     json_begin(&writer, '{');
 *     json_name(&writer, "runs");
 *     json_integer(&writer, 8);                {
 *     json_end(&writer, '}');                   "runs": 8
 *     json_writer_finish(&writer);             }
 *
 * Each level is indented by a space more. Reals have up to 15 digits, as printf's "%.15g" has them; they always have a
 * point or an exponent. Bytes of a text that are not UTF-8 become '?'.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_JSON_WRITER_H
#define REPORT_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of what docs/ref/json.md promises; it rises where that is broken. */
enum { JSON_SCHEMA = 1 };

struct json_writer {
    /* Where pieces of the text go. */
    void (*take)(void *self, const void *bytes, size_t length);
    void *self;
    int depth;
    bool is_compact; /* all on one line, as programs read it; set it behind json_writer_init() */
    bool is_first;   /* nothing is in the array or object yet */
    bool has_name;   /* the name of the next value is written */
    size_t length;   /* of what waits to be taken */
    char text[1 << 14];
};

void json_writer_init(struct json_writer *writer, void (*take)(void *self, const void *bytes, size_t length),
                      void *self);
/* Hand over the rest. */
void json_writer_finish(struct json_writer *writer);

/* An array '[' or object '{' begins, or ends with its other bracket. */
void json_begin(struct json_writer *writer, char bracket);
void json_end(struct json_writer *writer, char bracket);
/* The name of the next value, in an object. */
void json_name(struct json_writer *writer, const char *name);

/* A text; NULL: null. */
void json_text(struct json_writer *writer, const char *text);
void json_integer(struct json_writer *writer, int64_t integer);
/* null where it is not finite */
void json_real(struct json_writer *writer, double real);
void json_flag(struct json_writer *writer, bool flag);

#endif
