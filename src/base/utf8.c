/* Copies, cuts and measures text in UTF-8, character by character; what cannot be shown becomes '?'.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"

#include <locale.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

/* By the number of bytes: the bits of the first one that say it, and the least character that needs so many. */
static const struct {
    uint8_t mask, lead;
    uint32_t least;
} lengths[] = {{0x80, 0x00, 0x0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
enum { LONGEST = 4 };

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* How many bytes a character has whose first one this is; 0: it is the first of none. */
static int length_of(char first)
{
    for (int n = 1; n <= LONGEST; n++)
        if (((unsigned char)first & lengths[n - 1].mask) == lengths[n - 1].lead)
            return n;
    return 0;
}

/* The character that a text which is not empty begins with, and its length; 0 if it is no UTF-8. */
static int decode(uint32_t *character, const char *text)
{
    int length = length_of(text[0]);
    uint32_t sum = (unsigned char)text[0];
    if (length == 0)
        return 0;
    sum &= (uint32_t)(uint8_t)~lengths[length - 1].mask;
    for (int i = 1; i < length; i++) {
        if (!continues(text[i]))
            return 0;
        sum = sum << 6 | ((unsigned char)text[i] & 0x3f);
    }
    if (sum < lengths[length - 1].least || sum > 0x10ffff || (sum >= 0xd800 && sum <= 0xdfff))
        return 0;
    *character = sum;
    return length;
}

size_t utf8_length(const char *text)
{
    uint32_t character;
    return *text != '\0' ? (size_t)decode(&character, text) : 0;
}

/* The locale with all characters, made when it is first needed; 0 where there is none. */
static locale_t locale_of_all(void)
{
    static _Atomic(locale_t) cached;
    locale_t all = atomic_load(&cached), other = (locale_t)0;
    if (all != (locale_t)0)
        return all;
    all = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (all == (locale_t)0 || atomic_compare_exchange_strong(&cached, &other, all))
        return all;
    freelocale(all); /* another thread has made it meanwhile */
    return other;
}

/* Columns, or -1 if it cannot be printed. The C library knows, but tells only in a locale with all characters. */
static int columns_of(uint32_t character)
{
    if (character >= 0x20 && character < 0x7f)
        return 1;
    locale_t all = locale_of_all();
    if (all == (locale_t)0)
        return character < 0xa0 ? -1 : 1;
    locale_t former = uselocale(all);
    int columns = wcwidth((wchar_t)character);
    uselocale(former);
    return columns;
}

/* Marks that turn the direction of writing or end a line. */
static bool turns(uint32_t character)
{
    static const struct {
        uint32_t from, to;
    } ranges[] = {{0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (character >= ranges[i].from && character <= ranges[i].to)
            return true;
    return false;
}

void utf8_copy(char *to, size_t size, const char *from)
{
    size_t used = 0;
    while (*from != '\0') {
        uint32_t character;
        int length = decode(&character, from);
        bool prints = length > 0 && columns_of(character) >= 0 && !turns(character);
        size_t bytes = prints ? (size_t)length : 1;
        if (used + bytes >= size)
            break;
        if (prints)
            memcpy(to + used, from, bytes);
        else
            to[used] = '?';
        used += bytes;
        from += length > 0 ? length : 1;
    }
    to[used] = '\0';
}

void utf8_trim(char *text)
{
    size_t end = strlen(text), first = end;
    while (first > 0 && end - first < LONGEST && continues(text[first - 1]))
        first--;
    if (first > 0 && length_of(text[first - 1]) > (int)(end - first) + 1)
        text[first - 1] = '\0';
}

int utf8_width(const char *text)
{
    int width = 0;
    while (*text != '\0') {
        uint32_t character;
        int length = decode(&character, text), columns = length > 0 ? columns_of(character) : 1;
        width += columns > 0 ? columns : 0;
        text += length > 0 ? length : 1;
    }
    return width;
}
