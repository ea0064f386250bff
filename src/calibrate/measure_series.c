/* Times ping-pongs, exchanges, combining, copies and broadcasts of all lengths, kind after kind, round after round.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/measure_series.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PASS_S 0.3       /* of rounds of one kind */
#define BATCH_S 0.02     /* of messages, at most */
#define CALL_LONGEST 512 /* beyond, what the call takes is lost in the message */
enum { N_PASSES = 3, MOST_ROUNDS = 300, LEAST_ROUNDS = 2, WARM_CALLS = 2, LEAST_CALLS = 2 };

void pair_send(const struct pair *pair, const char *buffer, int64_t bytes)
{
    MPI_Send(buffer, (int)bytes, MPI_BYTE, pair->peer, 0, pair->comm);
}

void pair_receive(const struct pair *pair, char *buffer, int64_t bytes)
{
    MPI_Recv(buffer, (int)bytes, MPI_BYTE, pair->peer, 0, pair->comm, MPI_STATUS_IGNORE);
}

/* ---- What is timed: the i-th of a series of calls, each of which passes on what the one before gave ---- */

typedef void series_call(const struct pair *pair, int64_t bytes, int i);

static void call_message(const struct pair *pair, int64_t bytes, int i)
{
    if (i % 2 == pair->rank)
        pair_send(pair, pair->buffers[0], bytes);
    else
        pair_receive(pair, pair->buffers[0], bytes);
}

static void call_copy(const struct pair *pair, int64_t bytes, int i)
{
    memcpy(pair->buffers[1 - i % 2], pair->buffers[i % 2], (size_t)bytes);
}

static void exchange(const struct pair *pair, const char *from, char *to, int64_t bytes)
{
    MPI_Sendrecv(from, (int)bytes, MPI_BYTE, pair->peer, 0, to, (int)bytes, MPI_BYTE, pair->peer, 0, pair->comm,
                 MPI_STATUS_IGNORE);
}

/* A step as programs do it: a block of one's own is copied, then others are exchanged. Exchanges that follow each other
 * at once keep in step, and often take longer. */
static void call_exchange(const struct pair *pair, int64_t bytes, int i)
{
    const char *from = pair->buffers[i % 2] + bytes;
    char *to = pair->buffers[1 - i % 2] + bytes;
    call_copy(pair, bytes, i);
    exchange(pair, from, to, bytes);
}

/* As libraries do a step of a reduction: a vector of one's own is copied, half of it exchanged into memory that is
 * taken for it and added, and the sums are exchanged. Data that a processor has computed is slower to fetch for another
 * one than data that it only passes on, and newly allocated memory is slow to write. */
static void call_combine(const struct pair *pair, int64_t bytes, int i)
{
    const char *from = pair->buffers[i % 2];
    char *to = pair->buffers[1 - i % 2], *arrived = xmalloc(2 * (size_t)bytes);
    memcpy(to, from, 2 * (size_t)bytes);
    exchange(pair, to, arrived, bytes);
    MPI_Reduce_local(arrived, to + bytes, (int)(bytes / (int64_t)sizeof(double)), MPI_DOUBLE, MPI_SUM);
    free(arrived);
    exchange(pair, to + bytes, to, bytes);
}

/* The same without the exchanges. */
static void call_sum(const struct pair *pair, int64_t bytes, int i)
{
    char *to = pair->buffers[1 - i % 2];
    memcpy(to, pair->buffers[i % 2], 2 * (size_t)bytes);
    MPI_Reduce_local(to + bytes, to, (int)(bytes / (int64_t)sizeof(double)), MPI_DOUBLE, MPI_SUM);
}

/* A broadcast and an answer; always with the same root, because trees are made for one and kept. */
static void call_broadcast(const struct pair *pair, int64_t bytes, int i)
{
    if (i % 2 == 0)
        MPI_Bcast(pair->buffers[0], (int)bytes, MPI_BYTE, 0, pair->comm);
    else
        call_message(pair, bytes, i);
}

static void call_allreduce(const struct pair *pair, int64_t bytes, int i)
{
    MPI_Allreduce(pair->buffers[i % 2], pair->buffers[1 - i % 2], (int)(bytes / (int64_t)sizeof(double)), MPI_DOUBLE,
                  MPI_SUM, pair->comm);
}

static const struct series {
    series_call *call;
    size_t offset; /* of the time in a sample */
    int64_t longest;
} all_series[] = {
    {call_message, offsetof(struct message_sample, half_s), INT64_MAX},
    {call_exchange, offsetof(struct message_sample, exchange_s), INT64_MAX},
    {call_combine, offsetof(struct message_sample, combine_s), INT64_MAX},
    {call_sum, offsetof(struct message_sample, sum_s), INT64_MAX},
    {call_copy, offsetof(struct message_sample, copy_s), INT64_MAX},
    {call_broadcast, offsetof(struct message_sample, broadcast_s), CALL_LONGEST},
    {call_allreduce, offsetof(struct message_sample, allreduce_s), CALL_LONGEST},
};
enum { N_SERIES = sizeof all_series / sizeof all_series[0] };

/* ---- Batches ---- */

/* How many calls make a batch: fewer where they take long. The same on both ranks. */
static int count_calls(const struct pair *pair, int64_t bytes)
{
    double least_s = INFINITY;
    for (int i = 0; i < WARM_CALLS; i++) {
        double start = MPI_Wtime();
        call_message(pair, bytes, 0);
        call_message(pair, bytes, 1);
        least_s = fmin(least_s, (MPI_Wtime() - start) / 2);
    }
    int calls = (int)fmax(LEAST_CALLS, fmin(bytes < 4096 ? 100 : 20, BATCH_S / fmax(least_s, 1e-9)));
    MPI_Bcast(&calls, 1, MPI_INT, 0, pair->comm);
    return calls;
}

/* The mean time of a call; of the first ones nothing is taken, they warm up. */
static double time_batch(const struct pair *pair, series_call *call, int64_t bytes, int calls)
{
    double start = 0;
    for (int i = -WARM_CALLS; i < calls; i++) {
        if (i == 0)
            start = MPI_Wtime();
        call(pair, bytes, i + WARM_CALLS);
    }
    return (MPI_Wtime() - start) / calls;
}

double pair_half_s(const struct pair *pair, int64_t bytes)
{
    return time_batch(pair, call_message, bytes, count_calls(pair, bytes));
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double series_median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* ---- Passes and rounds ---- */

/* The times of one kind at each length, round by round. */
struct rounds {
    const struct series *series;
    int n_samples, count;
    double *times; /* MOST_ROUNDS of each sample */
};

static void run_round(const struct pair *pair, struct rounds *rounds, const struct message_sample *samples,
                      const int *calls)
{
    for (int s = 0; s < rounds->n_samples; s++)
        if (samples[s].bytes <= rounds->series->longest)
            rounds->times[(size_t)s * MOST_ROUNDS + (size_t)rounds->count] =
                time_batch(pair, rounds->series->call, samples[s].bytes, calls[s]);
}

/* Rounds of one kind, as many as there is time for, and as there is room. Rank 0 says when it is enough. What the
 * first one takes is written over by the second. */
static void run_pass(const struct pair *pair, struct rounds *rounds, const struct message_sample *samples,
                     const int *calls)
{
    int most = rounds->count + MOST_ROUNDS / N_PASSES, least = rounds->count + LEAST_ROUNDS, go_on = 1;
    double start = MPI_Wtime();
    run_round(pair, rounds, samples, calls);
    while (go_on != 0) {
        run_round(pair, rounds, samples, calls);
        rounds->count++;
        go_on = rounds->count < most && (rounds->count < least || MPI_Wtime() - start < PASS_S);
        MPI_Bcast(&go_on, 1, MPI_INT, 0, pair->comm);
    }
}

void measure_series(const struct pair *pair, struct message_sample *samples, int n_samples,
                    void (*progress)(const char *what, double share))
{
    struct rounds all_rounds[N_SERIES];
    int *calls = xcalloc((size_t)n_samples, sizeof *calls);
    for (int s = 0; s < n_samples; s++)
        calls[s] = count_calls(pair, samples[s].bytes);
    for (int k = 0; k < N_SERIES; k++)
        all_rounds[k] = (struct rounds){&all_series[k], n_samples, 0,
                                        xcalloc((size_t)n_samples * MOST_ROUNDS, sizeof *all_rounds[k].times)};
    for (int i = 0; i < N_PASSES * N_SERIES; i++) {
        run_pass(pair, &all_rounds[i % N_SERIES], samples, calls);
        if (pair->rank == 0)
            progress("messages", (i + 1.0) / (N_PASSES * N_SERIES));
    }
    for (int k = 0; k < N_SERIES; k++) {
        for (int s = 0; s < n_samples; s++)
            *(double *)((char *)&samples[s] + all_series[k].offset) =
                series_median(all_rounds[k].times + (size_t)s * MOST_ROUNDS, all_rounds[k].count);
        free(all_rounds[k].times);
    }
    free(calls);
}
