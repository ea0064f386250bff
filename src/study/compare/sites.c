/* Aligns call sites by their order.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/sites.h"

#include "base/memory.h"
#include "base/sort.h"
#include "interval/intern.h"

#include <stdlib.h>
#include <string.h>

struct site {
    struct part_entry *entry;
    const char *group; /* its name without the line */
    long line;
    int version;
};

/* Sites of one group: of several with one line the first. */
struct lines {
    const struct site **list;
    int count;
};

/* "halo.c:41 in exchange". False: it has no line. */
static bool read_site(struct site *site, struct part_entry *entry, int version)
{
    const char *colon = strrchr(entry->place, ':');
    char *end;
    if (colon == NULL || strspn(colon + 1, "0123456789") == 0)
        return false;
    long line = strtol(colon + 1, &end, 10);
    const char *group = intern_format("%.*s%s: %s", (int)(colon - entry->place), entry->place, end, entry->function);
    *site = (struct site){entry, group, line, version};
    return true;
}

static int by_group(const void *a, const void *b)
{
    const struct site *left = a, *right = b;
    int order = strcmp(left->group, right->group);
    if (order == 0)
        order = (left->version > right->version) - (left->version < right->version);
    return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

static struct lines find_lines(const struct site *sites, size_t count)
{
    struct lines lines = {.list = xcalloc(count + 1, sizeof *lines.list)};
    for (size_t i = 0; i < count; i++)
        if (i == 0 || sites[i].line != sites[i - 1].line)
            lines.list[lines.count++] = &sites[i];
    return lines;
}

static bool has_line(const struct lines *lines, long line)
{
    for (int i = 0; i < lines->count; i++)
        if (lines->list[i]->line == line)
            return true;
    return false;
}

static void rename_line(struct site *sites, size_t count, long line, const struct site *as)
{
    for (size_t i = 0; i < count; i++)
        if (sites[i].line == line) {
            sites[i].entry->name = as->entry->name;
            sites[i].entry->place = as->entry->place;
        }
}

/* Those of a later version with those of the first. */
static void align_version(const struct lines *first, struct site *sites, size_t count)
{
    struct lines own = find_lines(sites, count);
    bool all = own.count == first->count;
    for (int i = 0, k = 0; i < own.count; i++) {
        if (!all && has_line(first, own.list[i]->line))
            continue;
        while (!all && k < first->count && has_line(&own, first->list[k]->line))
            k++;
        if (k < first->count)
            rename_line(sites, count, own.list[i]->line, first->list[k++]);
    }
    free(own.list);
}

/* The number of sites from the first one on that are of its group, and of its version. */
static size_t count_alike(const struct site *sites, size_t count, bool of_version)
{
    size_t n = 0;
    while (n < count && strcmp(sites[n].group, sites->group) == 0 &&
           (!of_version || sites[n].version == sites->version))
        n++;
    return n;
}

static void align_group(struct site *sites, size_t count)
{
    size_t n_first = sites->version == 0 ? count_alike(sites, count, true) : 0;
    struct lines first = find_lines(sites, n_first);
    for (size_t i = n_first, n; i < count; i += n) {
        n = count_alike(&sites[i], count - i, true);
        align_version(&first, &sites[i], n);
    }
    free(first.list);
}

void sites_align(struct part_entries *entries, const int *version_of)
{
    struct site *sites = xcalloc(entries->count + 1, sizeof *sites);
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++) {
        struct part_entry *entry = &entries->list[i];
        count += entry->by == BY_SITE && read_site(&sites[count], entry, version_of[entry->run]);
    }
    if (count > 0)
        sort_stable(sites, count, sizeof *sites, by_group);
    for (size_t i = 0, n; i < count; i += n) {
        n = count_alike(&sites[i], count - i, false);
        align_group(&sites[i], n);
    }
    free(sites);
}
