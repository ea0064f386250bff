/* Takes descriptions, each by its kind, and keeps the graph.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fabric/internal.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Kinds ---- */

static const struct kind {
    const char *name;
    bool (*is)(const char *line);
    int (*read)(struct fabric *fabric, struct sheet *sheet, struct sim_error *error);
} kinds[] = {
    {"hwloc's XML", hwloc_is, hwloc_read},
    {"topology.conf", slurm_is, slurm_read},
    {"ibnetdiscover", ibnetdiscover_is, ibnetdiscover_read},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], LINES_LOOKED_AT = 30 };

static const struct kind *kind_of(struct sheet *sheet)
{
    const struct kind *found = NULL;
    for (int n = 0; n < LINES_LOOKED_AT && found == NULL && sheet_next(sheet); n++)
        for (int i = 0; i < N_KINDS; i++)
            if (kinds[i].is(sheet->line + strspn(sheet->line, " \t")))
                found = &kinds[i];
    return found;
}

/* Open a description; false if the file is none, or cannot be read. */
static bool open_description(struct sheet *sheet, const struct kind **kind, const char *file, struct sim_error *error)
{
    if (sheet_open(sheet, file, error) != 0)
        return false;
    *kind = kind_of(sheet);
    sheet_rewind(sheet);
    if (*kind == NULL)
        sheet_close(sheet);
    return *kind != NULL;
}

bool fabric_is_description(const char *file)
{
    struct sheet sheet;
    struct sim_error error;
    const struct kind *kind;
    if (!open_description(&sheet, &kind, file, &error))
        return false;
    sheet_close(&sheet);
    return true;
}

int fabric_read(struct fabric *fabric, const char *file, struct sim_error *error)
{
    struct sheet sheet;
    const struct kind *kind;
    if (!open_description(&sheet, &kind, file, error))
        return -1;
    size_t length = strlen(fabric->sources);
    snprintf(fabric->sources + length, sizeof fabric->sources - length, "%s%.80s (%s)", length > 0 ? ", " : "", file,
             kind->name);
    int status = kind->read(fabric, &sheet, error);
    sheet_close(&sheet);
    return status;
}

void fabric_dispose(struct fabric *fabric)
{
    for (size_t i = 0; i < fabric->n_nodes; i++)
        free(fabric->nodes[i].name);
    free(fabric->nodes);
    free(fabric->links);
    map_dispose(&fabric->places);
    map_dispose(&fabric->pairs);
}

/* ---- The graph ---- */

static struct map_key key_of(const char *name)
{
    size_t length = strlen(name);
    return (struct map_key){hash_bytes(HASH_START, name, length), hash_bytes(~HASH_START, name, length)};
}

int fabric_node(struct fabric *fabric, const char *name, bool is_switch, const struct sheet *sheet,
                struct sim_error *error)
{
    uint32_t index;
    if (map_get(&fabric->places, key_of(name), &index)) {
        fabric->nodes[index].is_switch |= is_switch;
        return (int)index;
    }
    if (fabric->n_nodes == FABRIC_NODES)
        return sheet_fail(sheet, error, "more than %d hosts and switches, which is the most", FABRIC_NODES);
    fabric->nodes = xgrow(fabric->nodes, fabric->n_nodes, &fabric->nodes_capacity, sizeof *fabric->nodes);
    fabric->nodes[fabric->n_nodes] = (struct fabric_node){xstrdup(name), is_switch};
    map_add(&fabric->places, key_of(name))->index = (uint32_t)fabric->n_nodes;
    return (int)fabric->n_nodes++;
}

int fabric_link(struct fabric *fabric, int a, int b, double bandwidth_Bps, const struct sheet *sheet,
                struct sim_error *error)
{
    struct map_key key = a < b ? map_key(a, b, 0, 0) : map_key(b, a, 0, 0);
    uint32_t index;
    if (map_get(&fabric->pairs, key, &index)) {
        fabric->links[index].count++;
        return 0;
    }
    if (fabric->n_links == FABRIC_LINKS)
        return sheet_fail(sheet, error, "more than %d wires, which is the most", FABRIC_LINKS);
    fabric->links = xgrow(fabric->links, fabric->n_links, &fabric->links_capacity, sizeof *fabric->links);
    fabric->links[fabric->n_links] = (struct fabric_link){a < b ? a : b, a < b ? b : a, 1, bandwidth_Bps};
    map_add(&fabric->pairs, key)->index = (uint32_t)fabric->n_links++;
    return 0;
}
