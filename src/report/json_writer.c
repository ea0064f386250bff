/* Writes JSON: punctuation, texts, numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/json_writer.h"

#include "base/utf8.h"
#include "os/text_output.h"
#include "report/digits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NUMBER = 40 };

void json_writer_init(struct json_writer *writer, void (*take)(void *self, const void *bytes, size_t length),
                      void *self)
{
    writer->take = take;
    writer->self = self;
    writer->depth = 0;
    writer->is_compact = false;
    writer->length = 0;
    writer->is_first = true;
    writer->has_name = false;
}

void json_writer_finish(struct json_writer *writer)
{
    writer->take(writer->self, writer->text, writer->length);
    writer->length = 0;
}

/* --- pieces --- */

/* Room for so many bytes, which are fewer than the whole. */
static char *room(struct json_writer *writer, size_t length)
{
    if (writer->length + length > sizeof writer->text)
        json_writer_finish(writer);
    return writer->text + writer->length;
}

static void put(struct json_writer *writer, const char *bytes, size_t length)
{
    while (length > 0) {
        size_t most = sizeof writer->text / 2, part = length < most ? length : most;
        memcpy(room(writer, part), bytes, part);
        writer->length += part;
        bytes += part;
        length -= part;
    }
}

static void put_line(struct json_writer *writer)
{
    static const char spaces[] = "\n                               ";
    if (writer->is_compact)
        return;
    size_t length = (size_t)writer->depth + 1;
    put(writer, spaces, length < sizeof spaces ? length : sizeof spaces - 1);
}

/* Write what stands before a value or its name. */
static void separate(struct json_writer *writer)
{
    if (writer->depth > 0 && !writer->has_name) {
        if (!writer->is_first)
            put(writer, ",", 1);
        put_line(writer);
    }
    writer->is_first = writer->has_name = false;
}

void json_begin(struct json_writer *writer, char bracket)
{
    separate(writer);
    put(writer, &bracket, 1);
    writer->depth++;
    writer->is_first = true;
}

void json_end(struct json_writer *writer, char bracket)
{
    writer->depth--;
    if (!writer->is_first)
        put_line(writer);
    put(writer, &bracket, 1);
    writer->is_first = false;
}

/* --- texts --- */

static bool is_plain(char byte)
{
    return (unsigned char)byte >= 0x20 && (unsigned char)byte < 0x80 && byte != '"' && byte != '\\';
}

static void put_escaped(struct json_writer *writer, char byte)
{
    static const char named[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    const char *found = strchr(named, byte);
    if (found != NULL)
        writer->length += (size_t)sprintf(room(writer, 8), "\\%c", names[found - named]);
    else
        writer->length += (size_t)sprintf(room(writer, 8), "\\u%04X", (unsigned)(unsigned char)byte);
}

static void put_text(struct json_writer *writer, const char *text)
{
    put(writer, "\"", 1);
    while (*text != '\0') {
        size_t length = 0;
        while (is_plain(text[length]))
            length++;
        put(writer, text, length);
        text += length;
        if ((unsigned char)*text >= 0x80) {
            length = utf8_length(text);
            put(writer, length > 0 ? text : "?", length > 0 ? length : 1);
            text += length > 0 ? length : 1;
        } else if (*text != '\0') {
            put_escaped(writer, *text++);
        }
    }
    put(writer, "\"", 1);
}

void json_name(struct json_writer *writer, const char *name)
{
    separate(writer);
    put_text(writer, name);
    put(writer, ": ", 2);
    writer->has_name = true;
}

static void put_word(struct json_writer *writer, const char *word)
{
    separate(writer);
    put(writer, word, strlen(word));
}

void json_text(struct json_writer *writer, const char *text)
{
    if (text == NULL) {
        put_word(writer, "null");
        return;
    }
    separate(writer);
    put_text(writer, text);
}

void json_flag(struct json_writer *writer, bool flag)
{
    put_word(writer, flag ? "true" : "false");
}

/* --- numbers --- */

void json_integer(struct json_writer *writer, int64_t integer)
{
    separate(writer);
    char *to = room(writer, LONGEST_NUMBER);
    writer->length += (size_t)(text_integer(to, integer) - to);
}

void json_real(struct json_writer *writer, double real)
{
    if (!isfinite(real)) {
        put_word(writer, "null");
        return;
    }
    separate(writer);
    writer->length += digits_of_real(room(writer, LONGEST_NUMBER), real);
}
