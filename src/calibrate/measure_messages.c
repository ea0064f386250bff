#include "calibrate/measure_messages.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#define BUDGET_S 3.0 /* of the ping-pong */
#define BURST 16     /* messages that are sent without an answer */
#define BURSTS 200
#define PAUSE_S 5e-5 /* after which a short message has arrived */
#define LATE_S 8e-3  /* how much later than its send a receive is posted */
#define TRIES 6      /* for a send to return early, although other work disturbs it */
#define CONTROL_BYTES 64

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

/* All lengths again and again; the first round only warms up. Rank 0 says when it is enough. */
static void run_ping_pong(struct messages *messages, char *buffer, void (*progress)(const char *what, double share))
{
    double start = MPI_Wtime();
    int go_on = 1;
    for (int s = 0; s < messages->n_samples; s++)
        messages->samples[s].half_s = INFINITY;
    for (int round = 0; go_on != 0; round++) {
        for (int s = 0; s < messages->n_samples; s++) {
            double half_s = ping_pong(buffer, messages->samples[s].bytes);
            if (round > 0)
                messages->samples[s].half_s = fmin(messages->samples[s].half_s, half_s);
        }
        double spent = MPI_Wtime() - start;
        if (rank == 0)
            progress("messages", fmin(spent / BUDGET_S, 1));
        go_on = round < 3 || spent < BUDGET_S;
        MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

/* ---- Overheads ---- */

static void busy_wait(double seconds)
{
    for (double start = MPI_Wtime(); MPI_Wtime() - start < seconds;)
        ;
}

/* Rank 0 times sends that nobody waits for; rank 1 times receives of messages that have all arrived. */
static double time_burst(char *buffer)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        busy_wait(PAUSE_S);
    double start = MPI_Wtime();
    for (int i = 0; i < BURST; i++) {
        if (rank == 0)
            send_bytes(buffer, 1);
        else
            receive_bytes(buffer, 1);
    }
    return (MPI_Wtime() - start) / BURST;
}

static void measure_overheads(struct message_facts *facts, char *buffer)
{
    double own_s = INFINITY, theirs_s = 0;
    for (int i = 0; i < BURSTS; i++)
        own_s = fmin(own_s, time_burst(buffer));
    MPI_Sendrecv(&own_s, 1, MPI_DOUBLE, peer, 0, &theirs_s, 1, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    facts->send_s = own_s;
    facts->receive_s = theirs_s;
}

/* ---- The eager limit ---- */

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

/* Whether a send returned, in one of several tries, before its receive was posted. Both ranks learn it. */
static bool returns_early(char *buffer, int64_t bytes)
{
    int early = 0;
    for (int i = 0; i < TRIES && early == 0; i++) {
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
        early = rank == 0 ? own_s < theirs_s : theirs_s < own_s;
    }
    return early != 0;
}

/* Double a length until it is too long, then bisect. */
static int64_t find_eager_limit(char *buffer)
{
    int64_t early = 0, late = 64;
    while (late <= MESSAGES_LONGEST && returns_early(buffer, late)) {
        early = late;
        late *= 2;
    }
    while (late - early > 1 && early < MESSAGES_LONGEST) {
        int64_t middle = early + (late - early) / 2;
        if (returns_early(buffer, middle))
            early = middle;
        else
            late = middle;
    }
    return early;
}

void measure_messages(struct messages *messages, void (*progress)(const char *what, double share))
{
    char *buffer = xcalloc(1, (size_t)MESSAGES_LONGEST + 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    assert(peer == 0 || peer == 1);
    *messages = (struct messages){.facts = {.control_bytes = CONTROL_BYTES}};
    plan_lengths(messages);
    run_ping_pong(messages, buffer, progress);
    measure_overheads(&messages->facts, buffer);
    messages->facts.eager_limit = find_eager_limit(buffer);
    free(buffer);
}
