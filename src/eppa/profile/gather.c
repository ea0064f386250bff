/* The ranks' profiles become one on rank 0: lines of ranks side by side, rows of functions and sites added in pairs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/profile/profile.h"

#include "eppa/archive/memory.h"

#include <mpi.h>

#include <stdlib.h>

enum { TAG = 9 };

/* Up the tree: rank r takes what r + 1, r + 2, r + 4 ... have, as long as those bits of r are 0, and gives it to the
 * rank without its lowest bit. */
static void receive(void *data, size_t length, int from)
{
    PMPI_Recv(data, (int)length, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(const void *data, size_t length, int to)
{
    PMPI_Send(data, (int)length, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

static void add_classes(struct tally_class *sum, const struct tally_class *classes)
{
    for (int i = 0; i < N_SIZE_CLASSES; i++) {
        sum[i].n += classes[i].n;
        sum[i].bytes += classes[i].bytes;
    }
}

/* The part of a profile that has the same length in every rank. */
struct fixed {
    struct profile_row functions[N_REGIONS];
    struct tally_class messages[N_SIZE_CLASSES], collectives[N_SIZE_CLASSES];
    uint64_t n_unrecorded;
    int64_t n_others, others_ns;
    uint32_t n_sites, n_modules, n_paths; /* of bytes */
};

static void add_fixed(struct profile *profile, const struct fixed *fixed)
{
    for (int i = 0; i < N_REGIONS; i++)
        profile_add_row(&profile->functions[i], &fixed->functions[i]);
    add_classes(profile->messages, fixed->messages);
    add_classes(profile->collectives, fixed->collectives);
    profile->n_unrecorded += fixed->n_unrecorded;
    profile->n_others += fixed->n_others;
    profile->others_ns += fixed->others_ns;
}

/* The number of a module, which is added if it is new. */
static uint32_t find_module(struct profile *profile, const char *path)
{
    for (uint32_t i = 0; i < profile->n_modules; i++)
        if (strcmp(profile->modules[i], path) == 0)
            return i;
    profile->modules = memory_need(realloc(profile->modules, (profile->n_modules + 1) * sizeof *profile->modules));
    profile->modules[profile->n_modules] = memory_copy(path, strlen(path));
    return profile->n_modules++;
}

static int by_place(const void *a, const void *b)
{
    const struct profile_row *left = a, *right = b;
    if (left->module != right->module)
        return left->module > right->module ? 1 : -1;
    if (left->place != right->place)
        return left->place > right->place ? 1 : -1;
    return (int)left->region - (int)right->region;
}

/* Rows of one function and site become one. */
static void merge_sites(struct profile *profile)
{
    uint32_t n = 0;
    qsort(profile->sites, profile->n_sites, sizeof *profile->sites, by_place);
    for (uint32_t i = 0; i < profile->n_sites; i++)
        if (n > 0 && by_place(&profile->sites[n - 1], &profile->sites[i]) == 0)
            profile_add_row(&profile->sites[n - 1], &profile->sites[i]);
        else
            profile->sites[n++] = profile->sites[i];
    profile->n_sites = n;
}

static void receive_sites(struct profile *profile, const struct fixed *fixed, int from)
{
    char *paths = memory_need(malloc((size_t)fixed->n_paths + 1));
    uint32_t *numbers = memory_need(calloc((size_t)fixed->n_modules + 1, sizeof *numbers));
    profile->sites =
        memory_need(realloc(profile->sites, ((size_t)profile->n_sites + fixed->n_sites + 1) * sizeof *profile->sites));
    struct profile_row *added = profile->sites + profile->n_sites;
    receive(paths, fixed->n_paths, from);
    receive(added, fixed->n_sites * sizeof *added, from);
    const char *path = paths;
    for (uint32_t i = 0; i < fixed->n_modules; i++) {
        numbers[i] = find_module(profile, path);
        path += strlen(path) + 1;
    }
    for (uint32_t i = 0; i < fixed->n_sites; i++)
        added[i].module = numbers[added[i].module];
    profile->n_sites += fixed->n_sites;
    merge_sites(profile);
    free(numbers);
    free(paths);
}

/* The paths of the modules, each with its 0; to be freed. */
static char *join_paths(const struct profile *profile, uint32_t *n_paths)
{
    char *paths = NULL;
    size_t n = 0;
    for (uint32_t i = 0; i < profile->n_modules; i++) {
        size_t length = strlen(profile->modules[i]) + 1;
        paths = memory_need(realloc(paths, n + length));
        memcpy(paths + n, profile->modules[i], length);
        n += length;
    }
    *n_paths = (uint32_t)n;
    return paths;
}

static void give(const struct profile *profile, struct fixed *fixed, int to)
{
    char *paths = join_paths(profile, &fixed->n_paths);
    memcpy(fixed->functions, profile->functions, sizeof fixed->functions);
    memcpy(fixed->messages, profile->messages, sizeof fixed->messages);
    memcpy(fixed->collectives, profile->collectives, sizeof fixed->collectives);
    fixed->n_unrecorded = profile->n_unrecorded;
    fixed->n_others = profile->n_others;
    fixed->others_ns = profile->others_ns;
    fixed->n_sites = profile->n_sites;
    fixed->n_modules = profile->n_modules;
    send(fixed, sizeof *fixed, to);
    send(paths, fixed->n_paths, to);
    send(profile->sites, profile->n_sites * sizeof *profile->sites, to);
    free(paths);
}

void profile_gather(struct profile *profile)
{
    struct profile_rank *ranks = NULL, own = profile->ranks[0];
    struct fixed *fixed = memory_need(calloc(1, sizeof *fixed));
    int rank = own.rank, bit = 1;
    for (; bit < profile->n_ranks && (rank & bit) == 0; bit *= 2) {
        if (rank + bit >= profile->n_ranks)
            continue;
        receive(fixed, sizeof *fixed, rank + bit);
        add_fixed(profile, fixed);
        receive_sites(profile, fixed, rank + bit);
    }
    if (rank > 0)
        give(profile, fixed, rank - bit);
    free(fixed);
    if (rank == 0)
        ranks = memory_need(calloc((size_t)profile->n_ranks, sizeof *ranks));
    PMPI_Gather(&own, (int)sizeof own, MPI_BYTE, ranks, (int)sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank > 0)
        return;
    free(profile->ranks);
    profile->ranks = ranks;
    profile->n_rows = profile->n_ranks;
    profile->is_complete = true;
}
