/* Times overheads, the eager limit and the completion of sends between two MPI processes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/measure_messages.h"

#include "base/memory.h"
#include "calibrate/measure_series.h"

#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#define BURST 16 /* messages that are sent without an answer */
#define BURSTS 60
#define PAUSE_S 5e-5 /* after which a burst has arrived, besides the time of its messages one by one */
#define LATE_S 8e-3  /* how much later than its send a receive is posted */
#define TRIES 15
#define LIMIT_TRIES 25
#define DEFAULT_EAGER_LIMIT 4096 /* btl_vader_eager_limit, as ompi_info --param btl vader --level 4 documents it */

/* Powers of two, and the lengths halfway. */
static void plan_lengths(struct messages *messages)
{
    messages->n_samples = 0;
    for (int64_t bytes = 1; bytes <= MESSAGES_LONGEST; bytes *= 2) {
        messages->samples[messages->n_samples++].bytes = bytes;
        if (bytes >= 2 && bytes < MESSAGES_LONGEST)
            messages->samples[messages->n_samples++].bytes = bytes + bytes / 2;
    }
}

/* ---- Overheads ---- */

static void busy_wait(double seconds)
{
    for (double start = MPI_Wtime(); MPI_Wtime() - start < seconds;)
        ;
}

/* Rank 0 times sends that rank 1 does not wait for; rank 1 times receives of messages that have all arrived. */
static double time_burst(const struct pair *pair, const struct message_sample *sample)
{
    int64_t bytes = sample->bytes;
    int count = bytes <= 1024 ? BURST : BURST / 4;
    MPI_Barrier(pair->comm);
    if (pair->rank == 1)
        busy_wait(PAUSE_S + 2 * count * sample->half_s);
    double start = MPI_Wtime();
    for (int i = 0; i < count; i++) {
        if (pair->rank == 0)
            pair_send(pair, pair->buffers[0], bytes);
        else
            pair_receive(pair, pair->buffers[0], bytes);
    }
    return (MPI_Wtime() - start) / count;
}

/* The median of each length up to the eager limit. Each rank knows one of the two overheads; rank 0 gets the other. */
static void measure_overheads(struct messages *messages, const struct pair *pair)
{
    struct message_facts *facts = &messages->facts;
    for (int s = 0; s < messages->n_samples && messages->samples[s].bytes <= facts->eager_limit; s++) {
        struct message_sample *sample = &messages->samples[s];
        double bursts_s[BURSTS], own_s, theirs_s = 0;
        for (int i = 0; i < BURSTS; i++)
            bursts_s[i] = time_burst(pair, sample);
        own_s = series_median(bursts_s, BURSTS);
        MPI_Sendrecv(&own_s, 1, MPI_DOUBLE, pair->peer, 0, &theirs_s, 1, MPI_DOUBLE, pair->peer, 0, pair->comm,
                     MPI_STATUS_IGNORE);
        sample->send_s = own_s;
        sample->receive_s = theirs_s;
    }
    facts->send_s = messages->samples[0].send_s;
    facts->receive_s = messages->samples[0].receive_s;
}

/* ---- The eager limit ---- */

/* The same on both ranks. */
static double median_half_s(const struct pair *pair, int64_t bytes)
{
    double tries_s[LIMIT_TRIES];
    for (int i = 0; i < LIMIT_TRIES; i++)
        tries_s[i] = pair_half_s(pair, bytes);
    double half_s = series_median(tries_s, LIMIT_TRIES);
    MPI_Bcast(&half_s, 1, MPI_DOUBLE, 0, pair->comm);
    return half_s;
}

/* Bisect for the jump in the times between two neighboring lengths. */
static int64_t find_jump(const struct pair *pair, int64_t below, int64_t above)
{
    double threshold_s = sqrt(median_half_s(pair, below) * median_half_s(pair, above));
    while (above - below > 1) {
        int64_t middle = below + (above - below) / 2;
        if (median_half_s(pair, middle) < threshold_s)
            below = middle;
        else
            above = middle;
    }
    return below;
}

static void measure_eager_limit(struct messages *messages, const struct pair *pair)
{
    int jump = message_find_jump(messages->samples, messages->n_samples);
    MPI_Bcast(&jump, 1, MPI_INT, 0, pair->comm);
    messages->sees_limit = jump >= 0;
    messages->facts.eager_limit = DEFAULT_EAGER_LIMIT;
    if (jump >= 0)
        messages->facts.eager_limit = find_jump(pair, messages->samples[jump].bytes, messages->samples[jump + 1].bytes);
}

/* ---- When sends are complete ---- */

static void sleep_for(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    while (nanosleep(&left, &left) != 0)
        ;
}

/* The computer's clock, so that both processes can compare times. MPI_Wtime() may count from the start of each. */
static double common_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* True if a send returned before its receive was posted, in most of several tries. Both ranks learn it. */
static bool returns_early(const struct pair *pair, int64_t bytes)
{
    int n_early = 0;
    for (int i = 0; i < TRIES; i++) {
        double own_s = 0, theirs_s = 0;
        MPI_Barrier(pair->comm);
        if (pair->rank == 0) {
            pair_send(pair, pair->buffers[0], bytes);
            own_s = common_clock_s();
        } else {
            sleep_for(LATE_S);
            own_s = common_clock_s();
            pair_receive(pair, pair->buffers[0], bytes);
        }
        MPI_Sendrecv(&own_s, 1, MPI_DOUBLE, pair->peer, 0, &theirs_s, 1, MPI_DOUBLE, pair->peer, 0, pair->comm,
                     MPI_STATUS_IGNORE);
        n_early += pair->rank == 0 ? own_s < theirs_s : theirs_s < own_s;
    }
    return n_early > TRIES / 2;
}

void measure_messages(struct messages *messages, MPI_Comm comm, void (*progress)(const char *what, double share))
{
    struct pair pair = {.comm = comm};
    MPI_Comm_rank(comm, &pair.rank);
    pair.peer = 1 - pair.rank;
    assert(pair.peer == 0 || pair.peer == 1);
    for (int i = 0; i < 2; i++)
        pair.buffers[i] = xcalloc(2, (size_t)MESSAGES_LONGEST);
    *messages = (struct messages){.n_samples = 0};
    plan_lengths(messages);
    measure_series(&pair, messages->samples, messages->n_samples, progress);
    measure_eager_limit(messages, &pair);
    measure_overheads(messages, &pair);
    messages->tried_bytes = messages->facts.eager_limit / 2 + 1;
    messages->buffers_sends = returns_early(&pair, messages->tried_bytes);
    for (int i = 0; i < 2; i++)
        free(pair.buffers[i]);
}
