/* The call sites of all ranks: the same place of the same file is one. */
#include "eppa/archive/memory.h"
#include "eppa/archive/plan.h"

#include <stdlib.h>

static struct map_key key_of(const char *module, uint64_t place)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (const char *c = module; *c != '\0'; c++)
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
        plan->sites[plan->n_sites++] = (struct plan_site){place, memory_copy(module, strlen(module))};
    }
    map->sites = memory_grow(map->sites, map->n_sites, sizeof *map->sites);
    map->sites[map->n_sites++] = entry->index;
    return true;
}

void plan_free_sites(struct plan *plan)
{
    for (uint32_t i = 0; i < plan->n_sites; i++)
        free(plan->sites[i].module);
    map_dispose(&plan->site_numbers);
    free(plan->sites);
}
