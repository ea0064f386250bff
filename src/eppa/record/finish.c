/* The work of MPI_Finalize: the ranks agree on definitions, write their parts of the archive, and publish it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/finish.h"

#include "eppa/archive/archive.h"
#include "eppa/archive/cut.h"
#include "eppa/archive/files.h"
#include "eppa/archive/memory.h"
#include "eppa/archive/open.h"
#include "eppa/record/recorder.h"

#include <mpi.h>
#include <otf2/OTF2_MPI_Collectives.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TAG = 8 };

/* The part of the plan that a rank has to know: the head, its communicators, its scopes, its call sites and paths. */
struct share {
    uint32_t n_comms, n_scopes, n_sites, n_paths, first_site;
    uint32_t n_calls, calls[N_REGIONS];
    struct plan_cut cut;
    int32_t n_clocks;
    struct define_clock clocks[2];
};

/* One status for all: the worst. */
static int agree(int status)
{
    int worst = status;
    PMPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return worst;
}

static void send_shares(const struct plan *plan)
{
    for (int i = 1; i < plan->n_ranks; i++) {
        const struct plan_rank *rank = &plan->ranks[i];
        struct share share = {.n_comms = rank->map.n_comms,
                              .n_scopes = rank->map.n_scopes,
                              .n_sites = rank->map.n_sites,
                              .n_paths = rank->map.n_paths,
                              .first_site = rank->map.first_site,
                              .n_calls = plan->n_calls,
                              .cut = rank->map.cut,
                              .n_clocks = rank->n_clocks,
                              .clocks = {rank->clocks[0], rank->clocks[1]}};
        memcpy(share.calls, plan->calls, sizeof share.calls);
        PMPI_Send(&share, (int)sizeof share, MPI_BYTE, i, TAG, MPI_COMM_WORLD);
        PMPI_Send(rank->map.comms, (int)share.n_comms, MPI_UINT32_T, i, TAG, MPI_COMM_WORLD);
        PMPI_Send(rank->map.windows, (int)share.n_comms, MPI_UINT32_T, i, TAG, MPI_COMM_WORLD);
        PMPI_Send(rank->map.scopes, (int)share.n_scopes, MPI_UINT32_T, i, TAG, MPI_COMM_WORLD);
        PMPI_Send(rank->map.sites, (int)share.n_sites, MPI_UINT32_T, i, TAG, MPI_COMM_WORLD);
        PMPI_Send(rank->map.paths, (int)(2 * share.n_paths), MPI_UINT32_T, i, TAG, MPI_COMM_WORLD);
    }
}

static uint32_t *receive_numbers(uint32_t n)
{
    uint32_t *numbers = memory_need(malloc(((size_t)n + 1) * sizeof *numbers));
    PMPI_Recv(numbers, (int)n, MPI_UINT32_T, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return numbers;
}

static struct plan_rank receive_share(void)
{
    static struct share share;
    PMPI_Recv(&share, (int)sizeof share, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    struct plan_rank self = {.n_clocks = share.n_clocks,
                             .map = {.n_comms = share.n_comms,
                                     .n_scopes = share.n_scopes,
                                     .n_sites = share.n_sites,
                                     .n_paths = share.n_paths,
                                     .first_site = share.first_site,
                                     .cut = share.cut,
                                     .calls = share.calls,
                                     .n_calls = share.n_calls}};
    self.clocks[0] = share.clocks[0];
    self.clocks[1] = share.clocks[1];
    self.map.comms = receive_numbers(share.n_comms);
    self.map.windows = receive_numbers(share.n_comms);
    self.map.scopes = receive_numbers(share.n_scopes);
    self.map.sites = receive_numbers(share.n_sites);
    self.map.paths = memory_need(malloc(((size_t)share.n_paths + 1) * sizeof *self.map.paths));
    PMPI_Recv(self.map.paths, (int)(2 * share.n_paths), MPI_UINT32_T, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return self;
}

static int write_rank(OTF2_Archive *archive, int folder, const struct plan_rank *self, struct archive_rank *result)
{
    bool is_good = OTF2_Archive_OpenEvtFiles(archive) == OTF2_SUCCESS;
    is_good = is_good && archive_write_rank(archive, folder, recorder.rank, recorder.n_ranks, &self->map,
                                            (struct archive_end){clock_now_ns(), true}, result) == 0;
    errno = 0;
    is_good = OTF2_Archive_CloseEvtFiles(archive) == OTF2_SUCCESS && !archive_has_no_room() && is_good;
    is_good = OTF2_Archive_OpenDefFiles(archive) == OTF2_SUCCESS && is_good;
    is_good = is_good && archive_write_clocks(archive, recorder.rank, recorder.n_ranks, self, result) == 0;
    errno = 0;
    return OTF2_Archive_CloseDefFiles(archive) == OTF2_SUCCESS && !archive_has_no_room() && is_good ? 0 : -1;
}

/* Rank 0 has the results of all, and the events of their threads; *events is to be freed. */
static void gather(struct archive_rank *results, uint64_t **events, const struct archive_rank *own)
{
    uint32_t most = own->n_threads;
    PMPI_Gather(own, (int)sizeof *own, MPI_BYTE, results, (int)sizeof *own, MPI_BYTE, 0, MPI_COMM_WORLD);
    PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT32_T, MPI_MAX, MPI_COMM_WORLD);
    uint64_t *padded = memory_need(calloc((size_t)most + 1, sizeof *padded));
    if (own->n_threads > 0)
        memcpy(padded, own->thread_events, own->n_threads * sizeof *padded);
    if (results != NULL)
        *events = memory_need(calloc((size_t)recorder.n_ranks * most + 1, sizeof **events));
    PMPI_Gather(padded, (int)most, MPI_UINT64_T, *events, (int)most, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int rank = 0; results != NULL && rank < recorder.n_ranks; rank++)
        results[rank].thread_events = *events + (size_t)rank * most;
    free(padded);
}

/* Everyone writes its events, rank 0 then the definitions. */
static int write_together(int folder, const struct plan *plan, const struct plan_rank *self)
{
    struct archive_rank result = {0}, *results = NULL;
    uint64_t *events = NULL;
    char path[SPOOL_MAX_PATH];
    snprintf(path, sizeof path, "%s/archive", recorder.directory);
    OTF2_Archive *archive = archive_create(path);
    if (agree(archive == NULL ||
                      OTF2_MPI_Archive_SetCollectiveCallbacks(archive, MPI_COMM_WORLD, MPI_COMM_NULL) != OTF2_SUCCESS
                  ? -1
                  : 0) != 0)
        return -1;
    int status = agree(write_rank(archive, folder, self, &result));
    if (recorder.rank == 0)
        results = memory_need(calloc((size_t)recorder.n_ranks, sizeof *results));
    gather(results, &events, &result);
    errno = 0;
    if (recorder.rank == 0 && status == 0)
        status = archive_write_definitions(archive, plan, results);
    free(results);
    free(events);
    free(result.thread_events);
    if (archive_finish(archive) != 0)
        status = -1;
    return agree(status);
}

/* Ranks that kept a part learn what the others have. */
static int count_together(int folder, const struct plan *plan, const struct plan_rank *self)
{
    if (!self->map.cut.is_cut) /* it is for all or none */
        return 0;
    int status = agree(cut_survey(folder, recorder.rank, &self->map));
    if (status == 0 && recorder.rank == 0)
        status = cut_join(folder, plan);
    return agree(status);
}

static void publish(int folder, int status)
{
    char message[SPOOL_MAX_PATH + 256];
    if (status != 0) {
        archive_discard(folder);
        eppa_say("the archive could not be written; eppa-recover %s may help", recorder.directory);
        spool_keep(folder);
    } else if (archive_publish(folder, recorder.base, message, sizeof message) != 0) {
        eppa_say("%s; the archive is %s/archive/trace.otf2", message, recorder.directory);
        spool_keep(folder);
    } else {
        spool_remove(folder, recorder.directory);
    }
}

static void say_unrecorded(const struct plan *plan)
{
    uint64_t n = 0;
    for (int i = 0; i < plan->n_ranks; i++)
        n += plan->ranks[i].n_unrecorded;
    if (n > 0)
        eppa_say("calls by other threads, which are not recorded: %llu", (unsigned long long)n);
}

void finish_together(void)
{
    struct plan plan = {0};
    struct plan_rank self = {0};
    char message[SPOOL_MAX_PATH + 256];
    int status = 0, folder = open_folder(AT_FDCWD, recorder.directory);
    PMPI_Barrier(MPI_COMM_WORLD); /* all records are in their files */
    if (recorder.rank == 0 && (status = plan_load(&plan, folder, recorder.directory, message, sizeof message)) != 0)
        eppa_say("%s", message);
    if (agree(folder < 0 ? -1 : status) != 0)
        return;
    if (recorder.rank == 0)
        send_shares(&plan);
    else
        self = receive_share();
    const struct plan_rank *own = recorder.rank == 0 ? &plan.ranks[0] : &self;
    status = count_together(folder, &plan, own);
    if (status == 0)
        status = write_together(folder, &plan, own);
    if (recorder.rank == 0) {
        publish(folder, status);
        say_unrecorded(&plan);
        plan_free(&plan);
    }
    free(self.map.comms);
    free(self.map.windows);
    free(self.map.scopes);
    free(self.map.sites);
    free(self.map.paths);
    close(folder);
    PMPI_Barrier(MPI_COMM_WORLD); /* no rank ends the run before the archive is in its place */
}
