/* Times ping-pongs, exchanges, combining, copies and broadcasts of all lengths, round after round. */
#include "calibrate/measure_series.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET_S 6.0
#define CALL_LONGEST 512 /* beyond, what the call takes is lost in the message */
enum { MOST_ROUNDS = 400, LEAST_ROUNDS = 5 };

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
 * taken for it and added, and the sums are exchanged. What processors have computed is slower to fetch for another
 * than what has only come and goes on, and memory that is taken anew is slow to be written. */
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

/* ---- Batches and rounds ---- */

/* The mean time of a call; of the first ones nothing is taken, they warm up. */
static double time_batch(const struct pair *pair, series_call *call, int64_t bytes)
{
    int calls = bytes < 4096 ? 100 : 20;
    double start = 0;
    for (int i = -2; i < calls; i++) {
        if (i == 0)
            start = MPI_Wtime();
        call(pair, bytes, i + 2);
    }
    return (MPI_Wtime() - start) / calls;
}

double pair_half_s(const struct pair *pair, int64_t bytes)
{
    return time_batch(pair, call_message, bytes);
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

/* Row s * N_SERIES + k has the times of series k at sample s. */
static double *row_of(double *times, int s, int k)
{
    return times + ((size_t)s * N_SERIES + (size_t)k) * MOST_ROUNDS;
}

static void run_round(const struct pair *pair, const struct message_sample *samples, int n_samples, double *times,
                      int round)
{
    time_batch(pair, call_message, 1); /* both come back to work */
    for (int s = 0; s < n_samples; s++)
        for (int k = 0; k < N_SERIES; k++)
            if (samples[s].bytes <= all_series[k].longest)
                row_of(times, s, k)[round] = time_batch(pair, all_series[k].call, samples[s].bytes);
}

/* Rank 0 says when it is enough. The first round only warms up. */
static int run_rounds(const struct pair *pair, const struct message_sample *samples, int n_samples, double *times,
                      void (*progress)(const char *what, double share))
{
    double start = MPI_Wtime();
    int go_on = 1, rounds = 0;
    run_round(pair, samples, n_samples, times, 0);
    while (go_on != 0) {
        run_round(pair, samples, n_samples, times, rounds++);
        double spent = MPI_Wtime() - start;
        if (pair->rank == 0)
            progress("messages", fmin(spent / BUDGET_S, 1));
        go_on = rounds < MOST_ROUNDS && (rounds < LEAST_ROUNDS || spent < BUDGET_S);
        MPI_Bcast(&go_on, 1, MPI_INT, 0, pair->comm);
    }
    return rounds;
}

void measure_series(const struct pair *pair, struct message_sample *samples, int n_samples,
                    void (*progress)(const char *what, double share))
{
    double *times = xcalloc((size_t)n_samples * N_SERIES * MOST_ROUNDS, sizeof *times);
    int rounds = run_rounds(pair, samples, n_samples, times, progress);
    for (int s = 0; s < n_samples; s++)
        for (int k = 0; k < N_SERIES; k++)
            *(double *)((char *)&samples[s] + all_series[k].offset) = series_median(row_of(times, s, k), rounds);
    free(times);
}
