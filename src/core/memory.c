/* Adds up the data of all ranks on each host, and compares the sum with the host's memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/memory.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

int memory_find_most(struct memory_use *most, const struct program *program, const struct placement *placement)
{
    bool shared = program->app->emit_shared != NULL;
    if (program->app->memory == NULL && !shared)
        return -1;
    *most = (struct memory_use){0};
    struct memory_use *uses = xcalloc((size_t)placement->machine->net->n_hosts, sizeof *uses);
    for (int rank = 0; rank < placement->n_ranks; rank++) {
        struct memory_use *use = &uses[placement_host(placement, rank)];
        use->first = use->n_ranks == 0 ? rank : use->first;
        use->last = rank;
        use->n_ranks++;
        use->bytes += shared ? program->dsm.shared_bytes : program->app->memory(program->config, rank);
        if (use->bytes > most->bytes)
            *most = *use;
    }
    free(uses);
    return 0;
}

bool memory_exceeds(char *why, size_t why_size, const struct memory_use *use, const struct machine *machine)
{
    if (machine->costs.memory_bytes == 0 || use->bytes <= machine->costs.memory_bytes)
        return false;
    char ranks[40];
    if (use->n_ranks == 1)
        snprintf(ranks, sizeof ranks, "rank %d", use->first);
    else if (use->last - use->first + 1 == use->n_ranks)
        snprintf(ranks, sizeof ranks, "ranks %d to %d", use->first, use->last);
    else
        snprintf(ranks, sizeof ranks, "rank %d and %d others", use->first, use->n_ranks - 1);
    snprintf(why, why_size, "the data of %s take %.1f MB, but a host has %.1f MB of memory", ranks,
             (double)use->bytes / 1e6, (double)machine->costs.memory_bytes / 1e6);
    return true;
}
