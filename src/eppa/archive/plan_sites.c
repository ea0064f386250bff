/* The call sites of all ranks: the same place of the same file is one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"
#include "eppa/archive/memory.h"
#include "eppa/archive/plan.h"
#include "eppa/sites/resolve.h"

#include <stdio.h>
#include <stdlib.h>

static struct map_key key_of(const char *text, uint64_t place)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
    return (struct map_key){hash, place};
}

/* The rank's next site is in that module or source; one that is known already has its number. */
static void add_site(struct plan *plan, struct rank_map *map, uint64_t place, const char *module, const char *function)
{
    struct map_key key = key_of(module, place);
    if (function != NULL)
        key.high ^= ~key_of(function, 0).high;
    struct map_entry *entry = map_add(&plan->site_numbers, key);
    if (entry->index == MAP_NOTHING) {
        entry->index = plan->n_sites;
        plan->sites = memory_grow(plan->sites, plan->n_sites, sizeof *plan->sites);
        plan->sites[plan->n_sites++] =
            (struct plan_site){place, memory_copy(module, strlen(module)),
                               function == NULL ? NULL : memory_copy(function, strlen(function)), 0};
    }
    map->sites = memory_grow(map->sites, map->n_sites, sizeof *map->sites);
    map->sites[map->n_sites++] = entry->index;
}

bool plan_take_site(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    uint64_t place;
    if (length <= sizeof place + 1 || rank->map.n_sites >= SPOOL_MAX_SITES)
        return false;
    memcpy(&place, data, sizeof place);
    add_site(plan, &rank->map, place, data + sizeof place, NULL);
    return true;
}

bool plan_take_source(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    uint64_t line;
    if (length <= sizeof line + 2 || rank->map.n_sites >= SPOOL_MAX_SITES)
        return false;
    memcpy(&line, data, sizeof line);
    const char *file = data + sizeof line;
    size_t n = sizeof line + strlen(file) + 1;
    if (n >= length || line > UINT32_MAX)
        return false;
    add_site(plan, &rank->map, line, file, data + n);
    return true;
}

bool plan_take_path(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    struct define_path path;
    struct rank_map *map = &rank->map;
    (void)plan;
    if (length != sizeof path || map->n_paths >= SPOOL_MAX_PATHS)
        return false;
    memcpy(&path, data, sizeof path);
    if (path.outer > map->n_paths || path.site == 0 || path.site > map->n_sites)
        return false;
    map->paths = memory_grow(map->paths, map->n_paths, sizeof *map->paths);
    map->paths[map->n_paths++] = path;
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

static void name_source(const struct plan_site *site, char name[SITE_MAX_TEXT])
{
    char text[SITE_MAX_TEXT];
    const char *slash = strrchr(site->module, '/');
    snprintf(text, sizeof text, "%s:%u in %s", slash == NULL ? site->module : slash + 1, (unsigned)site->place,
             site->function);
    utf8_trim(text);
    utf8_copy(name, SITE_MAX_TEXT, text);
}

/* ---- Contexts ---- */

struct naming {
    struct plan *plan;
    struct resolver resolver;
    struct map names, functions, contexts;
    /* The frames of each site: functions and lines, the outermost first. */
    struct named_site {
        bool is_system; /* of the library that calls main() */
        int n;
        struct plan_context frames[SITE_MAX_FRAMES];
    } * sites;
};

static uint32_t number_function(struct naming *self, const char *name, const char *file)
{
    struct plan *plan = self->plan;
    struct plan_function function = {number_name(plan, &self->names, name), number_name(plan, &self->names, file)};
    struct map_entry *entry = map_add(&self->functions, map_key((int32_t)function.name, (int32_t)function.file, 0, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = plan->n_functions;
        plan->functions = memory_grow(plan->functions, plan->n_functions, sizeof *plan->functions);
        plan->functions[plan->n_functions++] = function;
    }
    return entry->index;
}

/* True if the outermost frame is the library's that calls main() or a thread's function: it is left out. */
static bool is_system(const struct plan_site *site, const struct site_frame *outermost)
{
    const char *slash = strrchr(site->module, '/'), *file = slash == NULL ? site->module : slash + 1;
    return strncmp(file, "libc.so", 7) == 0 || strncmp(file, "libc-", 5) == 0 ||
           strcmp(outermost->function, "_start") == 0;
}

static void find_frames(struct naming *self, uint32_t i)
{
    struct site_frame frames[SITE_MAX_FRAMES];
    const struct plan_site *site = &self->plan->sites[i];
    struct named_site *named = &self->sites[i];
    if (site->function == NULL) {
        named->n = resolver_frames(&self->resolver, site->module, site->place, frames);
    } else {
        const char *slash = strrchr(site->module, '/');
        utf8_copy(frames[0].function, SITE_MAX_TEXT, site->function);
        utf8_copy(frames[0].file, SITE_MAX_TEXT, slash == NULL ? site->module : slash + 1);
        frames[0].line = (uint32_t)site->place;
        named->n = 1;
    }
    named->is_system = site->function == NULL && is_system(site, &frames[0]);
    for (int k = 0; k < named->n; k++)
        named->frames[k] =
            (struct plan_context){0, number_function(self, frames[k].function, frames[k].file), frames[k].line};
}

static uint32_t context_within(struct naming *self, struct plan_context context)
{
    struct plan *plan = self->plan;
    const struct plan_context *around = &plan->contexts[context.outer];
    if (context.line == 0 && context.outer != 0 && around->line == 0 && around->function == context.function)
        return context.outer; /* a library of which no function is known */
    struct map_entry *entry =
        map_add(&self->contexts, map_key((int32_t)context.outer, (int32_t)context.function, (int32_t)context.line, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = plan->n_contexts;
        plan->contexts = memory_grow(plan->contexts, plan->n_contexts, sizeof *plan->contexts);
        plan->contexts[plan->n_contexts++] = context;
    }
    return entry->index;
}

/* Nothing of the program: no path, or the beginning of a file without names. */
static bool is_outside(const struct plan *plan, uint32_t context)
{
    const struct plan_function *function = &plan->functions[plan->contexts[context].function];
    return context == 0 || (plan->contexts[context].outer == 0 && function->name == function->file);
}

/* Put each path of a rank into the archive's tree. */
static void place_paths(struct naming *self, struct rank_map *map)
{
    for (uint32_t i = 0; i < map->n_paths; i++) {
        struct define_path *path = &map->paths[i];
        const struct named_site *site = &self->sites[map->sites[path->site - 1]];
        path->outer = path->outer == 0 ? 0 : map->paths[path->outer - 1].outer;
        if (site->is_system && is_outside(self->plan, path->outer)) {
            path->outer = 0;
            continue;
        }
        for (int k = 0; k < site->n; k++) {
            struct plan_context context = site->frames[k];
            context.outer = path->outer;
            path->outer = context_within(self, context);
        }
    }
}

static void name_paths(struct naming *self)
{
    struct plan *plan = self->plan;
    bool has_paths = false;
    for (int rank = 0; rank < plan->n_ranks; rank++)
        has_paths = has_paths || plan->ranks[rank].map.n_paths > 0;
    if (!has_paths)
        return;
    plan->contexts = memory_grow(NULL, 0, sizeof *plan->contexts);
    plan->contexts[plan->n_contexts++] = (struct plan_context){0};
    self->sites = memory_need(calloc((size_t)plan->n_sites + 1, sizeof *self->sites));
    for (uint32_t i = 0; i < plan->n_sites; i++)
        find_frames(self, i);
    for (int rank = 0; rank < plan->n_ranks; rank++)
        place_paths(self, &plan->ranks[rank].map);
    map_dispose(&self->functions);
    map_dispose(&self->contexts);
    free(self->sites);
}

/* Name all sites. One that cannot be looked up here has been on another machine, or is gone: it is named by its file
 * and place. */
void plan_name_sites(struct plan *plan)
{
    struct naming naming = {.plan = plan};
    char name[SITE_MAX_TEXT];
    for (uint32_t i = 0; i < plan->n_sites; i++) {
        if (plan->sites[i].function != NULL)
            name_source(&plan->sites[i], name);
        else
            resolver_name(&naming.resolver, plan->sites[i].module, plan->sites[i].place, name);
        plan->sites[i].name = number_name(plan, &naming.names, name);
    }
    name_paths(&naming);
    for (int rank = 0; rank < plan->n_ranks; rank++)
        for (uint32_t i = 0; i < plan->ranks[rank].map.n_sites; i++)
            plan->ranks[rank].map.sites[i] = plan->sites[plan->ranks[rank].map.sites[i]].name;
    resolver_dispose(&naming.resolver);
    map_dispose(&naming.names);
}

void plan_free_sites(struct plan *plan)
{
    for (uint32_t i = 0; i < plan->n_sites; i++) {
        free(plan->sites[i].module);
        free(plan->sites[i].function);
    }
    for (uint32_t i = 0; i < plan->n_site_names; i++)
        free(plan->site_names[i]);
    free(plan->site_names);
    free(plan->functions);
    free(plan->contexts);
    map_dispose(&plan->site_numbers);
    free(plan->sites);
}
