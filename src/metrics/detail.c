/* The table of details, and lists of their names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/detail.h"

#include "base/known.h"

#include <stdio.h>
#include <string.h>

const struct detail_spec detail_specs[N_DETAILS] = {
#define DETAIL(id, name, summary) [DETAIL_##id] = {name, summary},
#include "metrics/detail.def"
#undef DETAIL
};

const char *detail_name_at(const void *table, int i)
{
    (void)table;
    for (int detail = 0; detail < N_DETAILS; detail++)
        if (detail_specs[detail].name != NULL && i-- == 0)
            return detail_specs[detail].name;
    return i == 0 ? "all" : NULL;
}

/* The details that the name means, as bits; 0: it means none. */
static uint32_t find(const char *name)
{
    uint32_t named = 0;
    for (int detail = 0; detail < N_DETAILS; detail++) {
        if (detail_specs[detail].name == NULL)
            continue;
        if (strcmp(detail_specs[detail].name, name) == 0)
            return DETAIL_BIT(detail);
        named |= DETAIL_BIT(detail);
    }
    return strcmp(name, "all") == 0 ? named : 0;
}

int detail_parse(uint32_t *details, const char *list, char *why, size_t why_size)
{
    uint32_t asked = 0;
    while (list != NULL) {
        char name[40], known[160];
        size_t length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        uint32_t found = length < sizeof name ? find(name) : 0;
        if (found == 0) {
            known_format(known, sizeof known, name, detail_name_at, NULL);
            snprintf(why, why_size, "unknown detail '%s'%s", name, known);
            return -1;
        }
        asked |= found;
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    *details = asked;
    return 0;
}
