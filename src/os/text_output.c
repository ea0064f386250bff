/* Digits two by two, and a buffer that goes to a stream.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/text_output.h"

#include <stdarg.h>

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
    "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
    "9899";

void text_flush(struct text_output *text)
{
    if (text->filled > 0 && fwrite(text->bytes, 1, text->filled, text->stream) != text->filled)
        text->failed = true;
    text->filled = 0;
}

char *text_digits(char *to, uint64_t number, size_t n_digits)
{
    for (size_t left = n_digits; left >= 2; left -= 2, number /= 100)
        memcpy(to + left - 2, pairs + number % 100 * 2, 2);
    if (n_digits % 2 != 0)
        to[0] = (char)('0' + number % 10);
    return to + n_digits;
}

char *text_natural(char *to, uint64_t number)
{
    enum { MOST_DIGITS = 20 };
    size_t n_digits = 1;
    for (uint64_t limit = 10; number >= limit && n_digits < MOST_DIGITS; n_digits++)
        limit = n_digits < MOST_DIGITS - 1 ? limit * 10 : limit;
    return text_digits(to, number, n_digits);
}

char *text_integer(char *to, int64_t integer)
{
    to[0] = '-';
    return integer < 0 ? text_natural(to + 1, 0 - (uint64_t)integer) : text_natural(to, (uint64_t)integer);
}

void word_set(struct word *word, const char *format, ...)
{
    char text[sizeof word->bytes + 1] = "";
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    word->length = (uint8_t)((size_t)length < sizeof word->bytes ? (size_t)length : sizeof word->bytes);
    memcpy(word->bytes, text, sizeof word->bytes);
}
