/* The use that ranks made of the cores that they share, one piece of time after the other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/sharing.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

/* Nearly all: what the ranks have to have of the cores for an older archive's rank to wait for them; one of which other
 * programs have next to nothing. */
#define NEARLY_ALL 0.9
/* Less than this share of a core is little for what threads beside the recorded ones use. */
#define LITTLE 0.05
/* A turn on a processor [ps]: that long a rank may wait, whatever its share. */
#define TURN_PS (5 * PS_PER_S / 1000)

/* Ranks that share cores. */
struct cores {
    int n_cores, n_ranks;
    double beside;    /* of a core, what threads that are not recorded have */
    int64_t width_ps; /* of a piece */
    double *used_ps;  /* of each piece; NULL: not needed */
};

struct record_sharing {
    const struct record_info *info;
    struct cores *cores;
    uint32_t *cores_of; /* of each rank */
    size_t n_cores;
};

static bool is_older(const struct record_processor *processor)
{
    return processor->n_sharing <= 0 || processor->n_shared <= 0;
}

/* The cores of a processor; ranks of an older archive share all cores of their host. */
static uint32_t find_cores(struct record_sharing *self, struct map *map, const struct record_processor *processor)
{
    bool older = is_older(processor);
    struct map_key key = map_key((int32_t)(older ? processor->host : (uint32_t)processor->sharing), older, 0, 0);
    struct map_entry *known = map_find(map, key);
    if (known != NULL)
        return known->index;
    self->cores[self->n_cores] = (struct cores){.n_cores = older ? processor->n_host_cores : processor->n_shared,
                                                .n_ranks = older ? processor->n_host_ranks : processor->n_sharing,
                                                .width_ps = PS_PER_S / 1000000};
    map_add(map, key)->index = (uint32_t)self->n_cores;
    return (uint32_t)self->n_cores++;
}

struct record_sharing *record_sharing_new(const struct record_info *info, double length_s)
{
    if (info->processors == NULL)
        return NULL;
    size_t n_ranks = (size_t)info->n_ranks;
    struct record_sharing *self = xcalloc(1, sizeof *self);
    struct map map = {0};
    self->info = info;
    self->cores = xcalloc(n_ranks, sizeof *self->cores);
    self->cores_of = xcalloc(n_ranks, sizeof *self->cores_of);
    for (int rank = 0; rank < info->n_ranks; rank++) {
        const struct record_processor *processor = &info->processors[rank];
        struct cores *cores = &self->cores[self->cores_of[rank] = find_cores(self, &map, processor)];
        if (processor->thread_ps >= 0 && processor->used_ps > processor->thread_ps && length_s > 0)
            cores->beside += units_seconds(processor->used_ps - processor->thread_ps) / length_s;
    }
    map_dispose(&map);
    for (size_t i = 0; i < self->n_cores; i++) {
        struct cores *cores = &self->cores[i];
        if (cores->n_cores > 0 && (cores->n_ranks > cores->n_cores || cores->beside > LITTLE))
            cores->used_ps = xcalloc(SHARING_PIECES, sizeof *cores->used_ps);
    }
    return self;
}

void record_sharing_free(struct record_sharing *self)
{
    if (self == NULL)
        return;
    for (size_t i = 0; i < self->n_cores; i++)
        free(self->cores[i].used_ps);
    free(self->cores);
    free(self->cores_of);
    free(self);
}

/* Pieces twice as long, so that there are enough. */
static void widen(struct cores *cores)
{
    for (int i = 0; i < SHARING_PIECES / 2; i++)
        cores->used_ps[i] = cores->used_ps[2 * i] + cores->used_ps[2 * i + 1];
    memset(cores->used_ps + SHARING_PIECES / 2, 0, SHARING_PIECES / 2 * sizeof *cores->used_ps);
    cores->width_ps *= 2;
}

/* How much of the time lies in a piece. */
static double part_in(const struct cores *cores, int64_t piece, int64_t from_ps, int64_t to_ps)
{
    int64_t start_ps = int64_max(from_ps, piece * cores->width_ps);
    int64_t end_ps = to_ps < (piece + 1) * cores->width_ps ? to_ps : (piece + 1) * cores->width_ps;
    return end_ps > start_ps ? (double)(end_ps - start_ps) / (double)(to_ps - from_ps) : 0;
}

void record_sharing_add(struct record_sharing *self, int rank, int64_t from_ps, int64_t to_ps, int64_t used_ps)
{
    struct cores *cores = self == NULL ? NULL : &self->cores[self->cores_of[rank]];
    from_ps = int64_max(from_ps, 0);
    if (cores == NULL || cores->used_ps == NULL || to_ps <= from_ps || used_ps <= 0)
        return;
    while (to_ps > cores->width_ps * SHARING_PIECES)
        widen(cores);
    for (int64_t i = from_ps / cores->width_ps; i < SHARING_PIECES && i * cores->width_ps < to_ps; i++)
        cores->used_ps[i] += (double)used_ps * part_in(cores, i, from_ps, to_ps);
}

/* How many cores the ranks had in that time, on average. */
static double used_within(const struct cores *cores, int64_t from_ps, int64_t to_ps)
{
    double mean = cores->beside;
    for (int64_t i = from_ps / cores->width_ps; i < SHARING_PIECES && i * cores->width_ps < to_ps; i++)
        mean += cores->used_ps[i] / (double)cores->width_ps * part_in(cores, i, from_ps, to_ps);
    return mean;
}

/* At most what a rank waits that gets its share of the cores. */
static int64_t fair_ps(const struct cores *cores, int64_t used_ps, int64_t without_ps)
{
    double over = (double)cores->n_ranks / cores->n_cores;
    double most_ps = 1.5 * (double)used_ps * (over - 1) + over * (double)TURN_PS;
    return most_ps < (double)without_ps ? (int64_t)most_ps : without_ps;
}

int64_t record_sharing_by_ranks(const struct record_sharing *self, int rank, int64_t from_ps, int64_t to_ps,
                                int64_t used_ps, int64_t without_ps)
{
    if (self == NULL)
        return without_ps;
    const struct cores *cores = &self->cores[self->cores_of[rank]];
    from_ps = int64_max(from_ps, 0);
    if (cores->used_ps == NULL || to_ps <= from_ps)
        return cores->n_cores > 0 ? 0 : without_ps;
    double own = (double)used_ps / (double)(to_ps - from_ps), used = used_within(cores, from_ps, to_ps);
    if (!self->info->tells_sleep)
        return used >= NEARLY_ALL * cores->n_cores ? fair_ps(cores, used_ps, without_ps) : 0;
    double part = cores->n_cores > own ? (used - own) / (cores->n_cores - own) : 1;
    return part >= NEARLY_ALL ? without_ps : part <= 0 ? 0 : (int64_t)(part * (double)without_ps);
}

enum record_sleep record_sharing_rest(const struct record_sharing *self)
{
    return self->info->tells_sleep ? SLEEP_FOREIGN : SLEEP_OFF;
}
