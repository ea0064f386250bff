/* Reads "4x4x8" and "4x4:1x2", and keeps the lists that have been read, so that a value is an index.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/dimensions.h"

#include "base/error.h"
#include "base/memory.h"

#include <assert.h>
#include <ctype.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One number and what follows it: the end, or NULL where there is none in range. */
static const char *parse_side(int *side, const char *text)
{
    int64_t number = 0;
    const char *end = text;
    for (; isdigit((unsigned char)*end) && number <= DIMENSIONS_MAX_SIDE; end++)
        number = number * 10 + (*end - '0');
    *side = (int)number;
    return end == text || number < 1 || number > DIMENSIONS_MAX_SIDE ? NULL : end;
}

/* Numbers joined by x; NULL where the text does not begin with them. */
static const char *parse_list(int *n, int *side, const char *text)
{
    const char *rest = text;
    *n = 0;
    while (rest != NULL && *n < DIMENSIONS_MAX) {
        rest = parse_side(&side[(*n)++], rest);
        if (rest == NULL || *rest != 'x')
            return rest;
        rest++;
    }
    return NULL;
}

int dimensions_parse(struct dimensions *dimensions, const char *text, char *why, size_t why_size)
{
    struct dimensions parsed = {.n = 0};
    const char *rest = parse_list(&parsed.n, parsed.side, text);
    if (rest != NULL && *rest == ':')
        rest = parse_list(&parsed.n_up, parsed.up, rest + 1);
    if (rest == NULL || *rest != '\0')
        return sim_error_why(why, why_size, "'%.80s' is not " DIMENSIONS_FORM, text);
    *dimensions = parsed;
    return 0;
}

static void format_list(char *text, size_t text_size, const char *before, const int *side, int n)
{
    size_t used = strlen(text);
    for (int i = 0; i < n && used < text_size; i++)
        used += (size_t)snprintf(text + used, text_size - used, "%s%d", i == 0 ? before : "x", side[i]);
}

void dimensions_format(char *text, size_t text_size, const struct dimensions *dimensions)
{
    text[0] = '\0';
    format_list(text, text_size, "", dimensions->side, dimensions->n);
    format_list(text, text_size, ":", dimensions->up, dimensions->n_up);
}

int64_t dimensions_product(const int *side, int n, int64_t most)
{
    int64_t product = 1;
    for (int i = 0; i < n; i++) {
        product *= side[i];
        if (product > most)
            return -1;
    }
    return product;
}

/* A list that has been read. Entries of the chain never change, so that threads read it without a lock. */
struct known {
    struct dimensions dimensions;
    int64_t value; /* one more than that of the one before */
    const struct known *before;
};
static _Atomic(const struct known *) latest;

static const struct known *find_known(const struct known *from, const struct dimensions *dimensions)
{
    while (from != NULL && memcmp(&from->dimensions, dimensions, sizeof *dimensions) != 0)
        from = from->before;
    return from;
}

int64_t dimensions_value(const struct dimensions *dimensions)
{
    const struct known *last = atomic_load(&latest), *found = find_known(last, dimensions);
    if (found != NULL)
        return found->value;
    struct known *added = xmalloc(sizeof *added);
    do { /* again where another thread has added one meanwhile, which may be the same */
        found = find_known(last, dimensions);
        *added = (struct known){*dimensions, last != NULL ? last->value + 1 : 1, last};
    } while (found == NULL && !atomic_compare_exchange_weak(&latest, &last, added));
    if (found == NULL)
        return added->value;
    free(added);
    return found->value;
}

struct dimensions dimensions_of(int64_t value)
{
    const struct known *known = atomic_load(&latest);
    while (known != NULL && known->value != value)
        known = known->before;
    assert(value == 0 || known != NULL);
    return known != NULL ? known->dimensions : (struct dimensions){.n = 0};
}

/* Sides of a mesh, in the order of preference: at most twice as wide as high, at most twice as long as the other,
 * any. */
static bool has_shape(int width, int height, int preference)
{
    bool wide = width >= height && width <= 2 * height, tall = height >= width && height <= 2 * width;
    return preference == 2 || wide || (preference == 1 && tall);
}

void dimensions_choose_mesh(int n, int max_width, int max_height, int *width, int *height)
{
    int64_t best = 0;
    for (int preference = 0; best == 0 && preference <= 2; preference++)
        for (int h = 1; h <= max_height && h <= n; h++) {
            int w = (n + h - 1) / h;
            int64_t area = (int64_t)w * h;
            if (w > max_width || !has_shape(w, h, preference))
                continue;
            if (best == 0 || area < best || (area == best && abs(w - h) < abs(*width - *height))) {
                best = area;
                *width = w;
                *height = h;
            }
        }
}
