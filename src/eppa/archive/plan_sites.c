/* The call sites of all ranks: the same place of the same file is one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/memory.h"
#include "eppa/archive/plan.h"
#include "eppa/sites/resolve.h"

#include <stdlib.h>

static struct map_key key_of(const char *text, uint64_t place)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
    return (struct map_key){hash, place};
}

bool plan_take_site(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    uint64_t place;
    struct rank_map *map = &rank->map;
    if (length <= sizeof place + 1 || map->n_sites >= SPOOL_MAX_SITES)
        return false;
    memcpy(&place, data, sizeof place);
    const char *module = data + sizeof place;
    struct map_entry *entry = map_add(&plan->site_numbers, key_of(module, place));
    if (entry->index == MAP_NOTHING) {
        entry->index = plan->n_sites;
        plan->sites = memory_grow(plan->sites, plan->n_sites, sizeof *plan->sites);
        plan->sites[plan->n_sites++] = (struct plan_site){place, memory_copy(module, strlen(module)), 0};
    }
    map->sites = memory_grow(map->sites, map->n_sites, sizeof *map->sites);
    map->sites[map->n_sites++] = entry->index;
    return true;
}

static uint32_t number_name(struct plan *plan, struct map *numbers, const char *name)
{
    struct map_entry *entry = map_add(numbers, key_of(name, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = plan->n_site_names;
        plan->site_names = memory_grow(plan->site_names, plan->n_site_names, sizeof *plan->site_names);
        plan->site_names[plan->n_site_names++] = memory_copy(name, strlen(name));
    }
    return entry->index;
}

/* Name all sites. One that cannot be looked up here has been on another machine, or is gone: it is named by its file
 * and place. */
void plan_name_sites(struct plan *plan)
{
    struct resolver resolver = {0};
    struct map numbers = {0};
    char name[SITE_MAX_TEXT];
    for (uint32_t i = 0; i < plan->n_sites; i++) {
        resolver_name(&resolver, plan->sites[i].module, plan->sites[i].place, name);
        plan->sites[i].name = number_name(plan, &numbers, name);
    }
    for (int rank = 0; rank < plan->n_ranks; rank++)
        for (uint32_t i = 0; i < plan->ranks[rank].map.n_sites; i++)
            plan->ranks[rank].map.sites[i] = plan->sites[plan->ranks[rank].map.sites[i]].name;
    resolver_dispose(&resolver);
    map_dispose(&numbers);
}

void plan_free_sites(struct plan *plan)
{
    for (uint32_t i = 0; i < plan->n_sites; i++)
        free(plan->sites[i].module);
    for (uint32_t i = 0; i < plan->n_site_names; i++)
        free(plan->site_names[i]);
    free(plan->site_names);
    map_dispose(&plan->site_numbers);
    free(plan->sites);
}
