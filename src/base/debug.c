/* Names of categories, and lines of debug output.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/debug.h"

#include "base/known.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const names[N_DEBUG_CATEGORIES] = {
#define NAME(ID, name, summary) name,
    DEBUG_CATEGORIES(NAME)
#undef NAME
};

uint32_t debug_categories;
static void (*debug_sink)(const char *line);

/* The bits of the name, "all" included; 0: unknown. */
static uint32_t find_bits(const char *name, size_t length)
{
    if (length == strlen("all") && strncmp(name, "all", length) == 0)
        return debug_bit(N_DEBUG_CATEGORIES) - 1;
    for (int i = 0; i < N_DEBUG_CATEGORIES; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
            return debug_bit((enum debug_category)i);
    return 0;
}

static const char *name_at(const void *table, int i)
{
    (void)table;
    return i == 0 ? "all" : i <= N_DEBUG_CATEGORIES ? names[i - 1] : NULL;
}

int debug_parse(uint32_t *categories, const char *list, char *why, size_t size)
{
    uint32_t found = 0;
    for (const char *name = list;; name++) {
        size_t length = strcspn(name, ",");
        uint32_t bits = find_bits(name, length);
        if (bits == 0) {
            char word[41], known[160];
            snprintf(word, sizeof word, "%.*s", (int)(length < 40 ? length : 40), name);
            known_format(known, sizeof known, word, name_at, NULL);
            snprintf(why, size, "unknown category '%s'%s", word, known);
            return -1;
        }
        found |= bits;
        name += length;
        if (*name == '\0')
            break;
    }
    *categories = found;
    return 0;
}

void debug_open(uint32_t categories, void (*sink)(const char *line))
{
    debug_sink = sink;
    debug_categories = sink != NULL ? categories : 0;
}

void debug_line(enum debug_category category, int64_t at_ps, const char *kind, int64_t number, const char *format, ...)
{
    char line[320], where[32];
    va_list arguments;
    int length = at_ps >= 0 ? snprintf(line, sizeof line, "%4lld.%012lld s  ", (long long)(at_ps / 1000000000000),
                                       (long long)(at_ps % 1000000000000))
                            : snprintf(line, sizeof line, "%-21s", "");
    snprintf(where, sizeof where, "%s %lld", kind, (long long)number);
    length += snprintf(line + length, sizeof line - (size_t)length, "%-9s %-10s ", where, names[category]);
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    debug_sink(line);
}
