/* Finds out on which hosts processes are, and lets the others sleep while two of them measure.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/measure_team.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NAP_NS 10000000

static void read_processor(char *name, size_t size)
{
    char line[256];
    snprintf(name, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(name, size, "%s", strchr(line, ':') + 1 + strspn(strchr(line, ':') + 1, " "));
            break;
        }
    if (file != NULL)
        fclose(file);
}

static void look_at_host(struct host *host)
{
    memset(host, 0, sizeof *host);
    read_processor(host->processor, sizeof host->processor);
    host->cores = (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    host->memory_bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

/* The first rank of this process' host stands for it. */
static int first_of_host(int rank)
{
    MPI_Comm host;
    int first = rank;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    MPI_Bcast(&first, 1, MPI_INT, 0, host);
    MPI_Comm_free(&host);
    return first;
}

/* Rank 0 with a partner; -1: there is none. */
static MPI_Comm pair_with(int partner, int rank)
{
    MPI_Comm pair = MPI_COMM_NULL;
    if (partner >= 0)
        MPI_Comm_split(MPI_COMM_WORLD, rank == 0 || rank == partner ? 0 : MPI_UNDEFINED, rank, &pair);
    return pair;
}

static void compare_hosts(struct team *team, const struct host *hosts)
{
    team->host = hosts[0];
    for (int r = 1; r < team->size; r++) {
        const struct host *host = &hosts[r];
        team->differs |= host->cores != hosts[0].cores || strcmp(host->processor, hosts[0].processor) != 0;
        if (host->cores < team->host.cores)
            team->host.cores = host->cores;
        if (host->memory_bytes < team->host.memory_bytes)
            team->host.memory_bytes = host->memory_bytes;
    }
}

void team_init(struct team *team)
{
    int near = -1, far = -1;
    struct host own;
    *team = (struct team){.rank = 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &team->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &team->size);
    int *firsts = xcalloc((size_t)team->size, sizeof *firsts), first = first_of_host(team->rank);
    struct host *hosts = xcalloc((size_t)team->size, sizeof *hosts);
    look_at_host(&own);
    MPI_Allgather(&first, 1, MPI_INT, firsts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&own, sizeof own, MPI_BYTE, hosts, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    for (int r = 0; r < team->size; r++) {
        int *partner = firsts[r] == 0 ? &near : &far;
        team->n_hosts += firsts[r] == r;
        if (r > 0 && *partner < 0)
            *partner = r;
    }
    compare_hosts(team, hosts);
    free(hosts);
    free(firsts);
    team->local = pair_with(near, team->rank);
    team->remote = pair_with(far, team->rank);
}

void team_dispose(struct team *team)
{
    if (team->local != MPI_COMM_NULL)
        MPI_Comm_free(&team->local);
    if (team->remote != MPI_COMM_NULL)
        MPI_Comm_free(&team->remote);
}

void team_meet(void)
{
    MPI_Request request;
    int met = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &met, MPI_STATUS_IGNORE); met == 0; MPI_Test(&request, &met, MPI_STATUS_IGNORE))
        nanosleep(&(struct timespec){0, NAP_NS}, NULL);
}
