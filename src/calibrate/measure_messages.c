/* Times round trips, overheads and the completion of sends between two MPI processes. */
#include "calibrate/measure_messages.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#define BUDGET_S 2.5 /* of the ping-pong */
#define BURST 16     /* messages that are sent without an answer */
#define BURSTS 60
#define SLOWEST_Bps 1e8 /* a burst has arrived after its bytes at this rate */
#define PAUSE_S 5e-5    /* after which a short message has arrived */
#define LATE_S 8e-3     /* how much later than its send a receive is posted */
#define TRIES 15
#define LIMIT_TRIES 50
#define DEFAULT_EAGER_LIMIT 4096 /* btl_vader_eager_limit, as ompi_info --param btl vader --level 4 documents it */

static int rank, peer;

static void send_bytes(const char *buffer, int64_t bytes)
{
    MPI_Send(buffer, (int)bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
}

static void receive_bytes(char *buffer, int64_t bytes)
{
    MPI_Recv(buffer, (int)bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* ---- Ping-pong ---- */

/* Half of a round trip, as the mean of a few; right for rank 0 only. */
static double ping_pong(char *buffer, int64_t bytes)
{
    int trips = bytes < 4096 ? 20 : bytes < 65536 ? 5 : 1;
    double start = MPI_Wtime();
    for (int i = 0; i < trips; i++) {
        if (rank == 0)
            send_bytes(buffer, bytes);
        receive_bytes(buffer, bytes);
        if (rank == 1)
            send_bytes(buffer, bytes);
    }
    return (MPI_Wtime() - start) / (2 * trips);
}

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

/* Rank 0 times sends that nobody waits for; rank 1 times receives of messages that have all arrived. */
static double time_burst(char *buffer, int64_t bytes)
{
    int count = bytes <= 1024 ? BURST : BURST / 4;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        busy_wait(PAUSE_S + (double)(count * bytes) / SLOWEST_Bps);
    double start = MPI_Wtime();
    for (int i = 0; i < count; i++) {
        if (rank == 0)
            send_bytes(buffer, bytes);
        else
            receive_bytes(buffer, bytes);
    }
    return (MPI_Wtime() - start) / count;
}

/* The least of each length up to the eager limit. Each rank knows one of the two overheads; rank 0 gets the other. */
static void measure_overheads(struct messages *messages, char *buffer)
{
    struct message_facts *facts = &messages->facts;
    for (int s = 0; s < messages->n_samples && messages->samples[s].bytes <= facts->eager_limit; s++) {
        struct message_sample *sample = &messages->samples[s];
        double own_s = INFINITY, theirs_s = 0;
        for (int i = 0; i < BURSTS; i++)
            own_s = fmin(own_s, time_burst(buffer, sample->bytes));
        MPI_Sendrecv(&own_s, 1, MPI_DOUBLE, peer, 0, &theirs_s, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        sample->send_s = own_s;
        sample->receive_s = theirs_s;
    }
    facts->send_s = messages->samples[0].send_s;
    facts->receive_s = messages->samples[0].receive_s;
}

/* ---- Again and again: a disturbance may last longer than a round ---- */

static void run_round(struct messages *messages, char *buffer)
{
    for (int s = 0; s < messages->n_samples; s++)
        messages->samples[s].half_s = fmin(messages->samples[s].half_s, ping_pong(buffer, messages->samples[s].bytes));
}

static void forget_round(struct messages *messages)
{
    for (int s = 0; s < messages->n_samples; s++)
        messages->samples[s].half_s = INFINITY;
}

/* The first round only warms up. Rank 0 says when it is enough. */
static void run_rounds(struct messages *messages, char *buffer, void (*progress)(const char *what, double share))
{
    double start = MPI_Wtime();
    int go_on = 1;
    for (int round = 0; go_on != 0; round++) {
        if (round < 2)
            forget_round(messages);
        run_round(messages, buffer);
        double spent = MPI_Wtime() - start;
        if (rank == 0)
            progress("messages", fmin(spent / BUDGET_S, 1));
        go_on = round < 3 || spent < BUDGET_S;
        MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

/* ---- The eager limit ---- */

/* The least of many; the same on both ranks. */
static double least_ping_pong(char *buffer, int64_t bytes)
{
    double least_s = INFINITY;
    for (int i = 0; i < LIMIT_TRIES; i++)
        least_s = fmin(least_s, ping_pong(buffer, bytes));
    MPI_Bcast(&least_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return least_s;
}

/* Bisect for the jump in the times between two neighbouring lengths. */
static int64_t find_jump(char *buffer, int64_t below, int64_t above)
{
    double threshold_s = sqrt(least_ping_pong(buffer, below) * least_ping_pong(buffer, above));
    while (above - below > 1) {
        int64_t middle = below + (above - below) / 2;
        if (least_ping_pong(buffer, middle) < threshold_s)
            below = middle;
        else
            above = middle;
    }
    return below;
}

static void measure_eager_limit(struct messages *messages, char *buffer)
{
    int jump = message_find_jump(messages->samples, messages->n_samples);
    MPI_Bcast(&jump, 1, MPI_INT, 0, MPI_COMM_WORLD);
    messages->sees_limit = jump >= 0;
    messages->facts.eager_limit = DEFAULT_EAGER_LIMIT;
    if (jump >= 0)
        messages->facts.eager_limit =
            find_jump(buffer, messages->samples[jump].bytes, messages->samples[jump + 1].bytes);
}

/* ---- When sends are complete ---- */

static void sleep_for(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    while (nanosleep(&left, &left) != 0)
        ;
}

/* Of the computer, so that both processes can compare. MPI_Wtime() may count from the start of each. */
static double common_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether a send returned before its receive was posted, in most of several tries. Both ranks learn it. */
static bool returns_early(char *buffer, int64_t bytes)
{
    int n_early = 0;
    for (int i = 0; i < TRIES; i++) {
        double own_s = 0, theirs_s = 0;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            send_bytes(buffer, bytes);
            own_s = common_clock_s();
        } else {
            sleep_for(LATE_S);
            own_s = common_clock_s();
            receive_bytes(buffer, bytes);
        }
        MPI_Sendrecv(&own_s, 1, MPI_DOUBLE, peer, 0, &theirs_s, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        n_early += rank == 0 ? own_s < theirs_s : theirs_s < own_s;
    }
    return n_early > TRIES / 2;
}

void measure_messages(struct messages *messages, void (*progress)(const char *what, double share))
{
    char *buffer = xcalloc(1, (size_t)MESSAGES_LONGEST + 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    assert(peer == 0 || peer == 1);
    *messages = (struct messages){.n_samples = 0};
    plan_lengths(messages);
    run_rounds(messages, buffer, progress);
    measure_eager_limit(messages, buffer);
    measure_overheads(messages, buffer);
    messages->tried_bytes = messages->facts.eager_limit / 2 + 1;
    messages->buffers_sends = returns_early(buffer, messages->tried_bytes);
    free(buffer);
}
