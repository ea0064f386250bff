/* Rank 0 has the one counter: a rank that is ready gets the next run.
 *
 * A rank says that it is ready, gets the index of a run, and sends what became of it, which says that it is ready
 * again. Its last message is PART_DONE, if another platform follows, or ALL_DONE. One that cannot go on sends its
 * error, and waits for ALL_DONE. So each has one run under way, and what it has sent is stored before it gets the next.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/deal.h"

#include "base/memory.h"
#include "experiment/serialized_run.h"
#include "experiment/workers.h"
#include "metrics/result.h"
#include "os/exit_signals.h"

#include <limits.h>
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_READY = 1, TAG_PARCEL, TAG_ERROR, TAG_INDEX };
enum { PART_DONE = -1, ALL_DONE = -2 };

/* The state of another rank, as far as rank 0 knows. It may be ready for the next platform while others still simulate
 * runs of this one. */
enum state { AWAY, READY, BUSY, GONE };

static int own_rank, n_ranks;
static bool is_over; /* of a rank: it has got ALL_DONE */
static enum state *states;

/* --- messages --- */

/* Wait for a message without using the processor, which others compute on. Signals come only here. */
static MPI_Status await_message(int from, const sigset_t *signals)
{
    enum { FIRST_NS = 20000, LONGEST_NS = 1000000 };
    MPI_Status status;
    int there = 0;
    for (long pause_ns = FIRST_NS;; pause_ns = pause_ns < LONGEST_NS ? 2 * pause_ns : pause_ns) {
        MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (there)
            return status;
        const struct timespec pause = {.tv_nsec = pause_ns};
        ppoll(NULL, 0, &pause, signals);
    }
}

/* The bytes of a message that is there; to be freed. */
static unsigned char *receive(int *size, const MPI_Status *status)
{
    MPI_Get_count(status, MPI_BYTE, size);
    unsigned char *bytes = xmalloc((size_t)*size + 1);
    MPI_Recv(bytes, *size, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    bytes[*size] = '\0';
    return bytes;
}

static void send_index(int to, int index)
{
    MPI_Send(&index, 1, MPI_INT, to, TAG_INDEX, MPI_COMM_WORLD);
    states[to] = index >= 0 ? BUSY : index == PART_DONE ? AWAY : GONE;
}

static int await_index(void)
{
    int index;
    await_message(0, NULL);
    MPI_Recv(&index, 1, MPI_INT, 0, TAG_INDEX, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    is_over = index == ALL_DONE;
    return index;
}

/* --- a rank that simulates --- */

static int send_run(int index, struct study_run *run, struct sim_error *error)
{
    size_t size;
    char *bytes = serialized_run_write(&size, index, run, error);
    int status = 0;
    if (size > INT_MAX)
        status = sim_error_set(error, SIM_UNFINISHED, NULL, 0, "a run is too large for a message: %zu bytes", size);
    else
        MPI_Send(bytes, (int)size, MPI_BYTE, 0, TAG_PARCEL, MPI_COMM_WORLD);
    free(bytes);
    return status;
}

static int simulate_runs(struct study *study, const struct workers_task *task, struct sim_error *error)
{
    bool prepared = task->prepare == NULL;
    int status = 0, index;
    (void)study; /* the runs are put together by rank 0 */
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_READY, MPI_COMM_WORLD);
    while (status == 0 && (index = await_index()) >= 0) {
        struct study_run run = {0};
        struct sim_error own = {.status = SIM_DONE};
        prepared = prepared || task->prepare(task->self, &own) == 0;
        if (prepared && task->simulate(task->self, &run, index, &own) == 0)
            own.status = SIM_DONE;
        status = send_run(index, &run, &own);
        if (status != 0)
            *error = own;
        result_dispose(&run.result);
    }
    if (status == 0 && is_over)
        status = sim_error_set(error, SIM_DONE, NULL, 0, "%s", "");
    return status;
}

/* --- rank 0 --- */

/* The state of the deal of a platform's runs. */
struct deal {
    const struct workers_task *task;
    int next;   /* the counter: an index into task->todo */
    int failed; /* the first run that has failed, or INT32_MAX */
    int n_open; /* ranks that have not got their PART_DONE */
    bool *open; /* which */
    int status; /* of what has ended all */
};

static void close_rank(struct deal *deal, int rank, int index)
{
    send_index(rank, index);
    deal->n_open -= deal->open[rank];
    deal->open[rank] = false;
}

/* Tell a rank that is ready what to do; one that is ready for what comes next is not answered yet. */
static void answer(struct deal *deal, int rank)
{
    states[rank] = READY;
    if (!deal->open[rank])
        return;
    if (deal->status == 0 && deal->failed == INT32_MAX && deal->next < deal->task->n_todo)
        send_index(rank, deal->task->todo[deal->next++]);
    else
        close_rank(deal, rank, PART_DONE);
}

static void take_message(struct deal *deal, struct study *study, const MPI_Status *message, struct sim_error *error)
{
    int size;
    unsigned char *bytes = receive(&size, message);
    if (message->MPI_TAG == TAG_PARCEL && deal->status == 0)
        deal->status = serialized_run_read(&deal->failed, study, deal->task, bytes, (size_t)size, error);
    if (message->MPI_TAG != TAG_ERROR) {
        answer(deal, message->MPI_SOURCE);
    } else { /* it takes part in nothing more */
        if (deal->status == 0)
            deal->status = sim_error_set(error, SIM_UNFINISHED, NULL, 0, "rank %d cannot simulate: %s",
                                         message->MPI_SOURCE, (const char *)bytes);
        close_rank(deal, message->MPI_SOURCE, ALL_DONE);
    }
    free(bytes);
}

static int deal_runs(struct study *study, const struct workers_task *task, struct sim_error *error)
{
    struct deal deal = {.task = task, .failed = INT32_MAX, .open = xcalloc((size_t)n_ranks, sizeof *deal.open)};
    sigset_t former;
    exit_signals_block(&former);
    for (int rank = 1; rank < n_ranks; rank++)
        deal.n_open += deal.open[rank] = states[rank] != GONE;
    for (int rank = 1; rank < n_ranks; rank++)
        if (states[rank] == READY)
            answer(&deal, rank);
    while (deal.n_open > 0) {
        const MPI_Status message = await_message(MPI_ANY_SOURCE, &former);
        take_message(&deal, study, &message, error);
    }
    sigprocmask(SIG_SETMASK, &former, NULL);
    free(deal.open);
    return deal.status != 0 || deal.failed < INT32_MAX ? -1 : 0;
}

/* --- begin and end --- */

void deal_begin(int rank, int n)
{
    static struct workers_elsewhere elsewhere;
    own_rank = rank;
    n_ranks = n;
    states = xcalloc((size_t)n, sizeof *states);
    elsewhere = (struct workers_elsewhere){rank == 0 ? deal_runs : simulate_runs, rank > 0};
    workers_elsewhere = n > 1 ? &elsewhere : NULL;
}

void deal_end(const struct sim_error *error)
{
    int size;
    if (own_rank > 0 && !is_over) {
        bool failed = error != NULL && error->message[0] != '\0';
        MPI_Send(failed ? error->message : "", failed ? (int)strlen(error->message) : 0, MPI_BYTE, 0,
                 failed ? TAG_ERROR : TAG_READY, MPI_COMM_WORLD);
        await_index();
    }
    for (int rank = 1; own_rank == 0 && rank < n_ranks; rank++)
        while (states[rank] != GONE) {
            if (states[rank] != READY) {
                const MPI_Status message = await_message(rank, NULL);
                free(receive(&size, &message));
            }
            send_index(rank, ALL_DONE);
        }
    free(states);
}
