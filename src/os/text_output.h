/* Text that is written line by line through a large buffer, many times as fast as by printf, which knows locales and
 * any format. A line is put together at a cursor, behind what has been put before:
 *
 *   char *to = text_begin(text);
 *   to = text_integer(TEXT(to, "7 "), bytes);
 *   text_end(text, to);
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_TEXT_OUTPUT_H
#define OS_TEXT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_LONGEST = 1024, TEXT_BUFFER = 1 << 16 };

struct text_output {
    FILE *stream; /* borrowed; others may write to it after text_flush() */
    size_t filled;
    bool failed; /* a write has, and the stream says so */
    char bytes[TEXT_BUFFER];
};

/* Write what the buffer holds. */
void text_flush(struct text_output *text);

/* Where a line, or a part of one, of up to TEXT_LONGEST bytes begins. */
static inline char *text_begin(struct text_output *text)
{
    if (text->filled > TEXT_BUFFER - TEXT_LONGEST)
        text_flush(text);
    return text->bytes + text->filled;
}

static inline void text_end(struct text_output *text, const char *to)
{
    text->filled = (size_t)(to - text->bytes);
}

/* --- what is put at a cursor; each returns the one behind it, and none ends it with a 0 --- */

static inline char *text_bytes(char *to, const char *bytes, size_t length)
{
    memcpy(to, bytes, length);
    return to + length;
}

/* A string literal. */
#define TEXT(to, literal) text_bytes(to, literal, sizeof(literal) - 1)

static inline char *text_string(char *to, const char *string)
{
    return text_bytes(to, string, strlen(string));
}

/* At most 20 bytes. */
char *text_integer(char *to, int64_t integer);
char *text_natural(char *to, uint64_t number);
/* The last `n_digits` digits, 0 to 20, with zeros before them. */
char *text_digits(char *to, uint64_t number, size_t n_digits);

/* A text of up to 31 bytes that is put many times. */
struct word {
    uint8_t length;
    char bytes[31];
};

/* As printf has it; what is longer is cut. */
void word_set(struct word *word, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* It needs room for 31 bytes however long it is: so many are copied. */
static inline char *text_word(char *to, const struct word *word)
{
    memcpy(to, word->bytes, sizeof word->bytes);
    return to + word->length;
}

#endif
