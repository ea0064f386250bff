/* Words and numbers of a line of text that ends with '\n'. Blanks and tabs separate; a '\r' before the end is one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_TEXT_H
#define TRACE_TI_TEXT_H

#include <stdbool.h>
#include <stdint.h>

static inline bool ti_is_blank(char c)
{
    return (unsigned char)c <= ' ' && (c == ' ' || c == '\t' || c == '\r');
}

static inline bool ti_ends_word(char c)
{
    return (unsigned char)c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r');
}

static inline bool ti_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline const char *ti_skip_blanks(const char *p)
{
    while (ti_is_blank(*p))
        p++;
    return p;
}

static inline const char *ti_skip_word(const char *p)
{
    while (!ti_ends_word(*p))
        p++;
    return p;
}

/* A whole number at *p that ends where the word ends; false, with *p unchanged, if there is none or it has more than 18
 * digits. */
static inline bool ti_parse_integer(int64_t *value, const char **p)
{
    const char *first = *p + (**p == '-'), *c = first;
    uint64_t sum = 0; /* runs over only where there are too many digits */
    for (unsigned digit; (digit = (unsigned)(unsigned char)*c - '0') < 10; c++)
        sum = sum * 10 + digit;
    if (c == first || c - first > 18 || !ti_ends_word(*c))
        return false;
    *value = first == *p ? (int64_t)sum : -(int64_t)sum;
    *p = c;
    return true;
}

/* A number with or without fraction and exponent, not negative, that ends where the word ends; false if there is
 * none. */
bool ti_parse_real(double *value, const char **p);

/* The same in seconds, as picoseconds rounded to the nearest; -1 where there are more than PS_MAX. */
bool ti_parse_seconds(int64_t *value_ps, const char **p);

#endif
