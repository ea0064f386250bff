/* The thread. A batch is asked for, then the helper's or its owner's again: the thread that changes its state has it.
 * The ranks whose batches are asked for stand in a queue.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/helper.h"

#include "base/memory.h"
#include "os/host_use.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum job_state { JOB_NONE, JOB_ASKED, JOB_FILLING, JOB_FULL };

/* So many records are worth waking the helper. */
enum { WAKING_RECORDS = 1024, MAX_TURNS = 200 };

struct job {
    atomic_int state;
    atomic_bool is_queued; /* its rank stands in the queue, even if it has been taken since */
    struct ti_batch *batch;
};

struct ti_helper {
    struct ti_decoder *decoder;
    int capacity;
    struct job *jobs; /* of each rank */
    int *queue;       /* of ranks, each at most once; a ring whose size is a power of two */
    size_t mask;
    atomic_size_t first, last; /* of the queue, without wrapping; last belongs to the owner, first to the helper */
    size_t waking;             /* so many in the queue wake the helper */
    atomic_bool sleeps, stops;
    pthread_mutex_t mutex; /* of the sleep */
    pthread_cond_t woken;
    pthread_t thread;
    pid_t process; /* that it runs in; a process that was forked since has no helper */
    bool runs, failed;
};

struct ti_helper *ti_helper_new(struct ti_decoder *decoder, int capacity)
{
    size_t n_ranks = (size_t)ti_decoder_ranks(decoder), size = 1, waking = (size_t)(WAKING_RECORDS / capacity);
    if (host_processors() < 2)
        return NULL;
    while (size < n_ranks)
        size *= 2;
    struct ti_helper *helper = xcalloc(1, sizeof *helper);
    helper->decoder = decoder;
    helper->capacity = capacity;
    helper->jobs = xcalloc(n_ranks, sizeof *helper->jobs);
    helper->queue = xcalloc(size, sizeof *helper->queue);
    helper->mask = size - 1;
    helper->waking = waking > n_ranks / 4 ? n_ranks / 4 : waking;
    pthread_mutex_init(&helper->mutex, NULL);
    pthread_cond_init(&helper->woken, NULL);
    return helper;
}

/* --- in the thread --- */

static size_t queued(const struct ti_helper *helper)
{
    return atomic_load(&helper->last) - atomic_load(&helper->first);
}

/* Sleep until it is worth waking up. */
static void sleep_until_woken(struct ti_helper *helper)
{
    pthread_mutex_lock(&helper->mutex);
    atomic_store(&helper->sleeps, true);
    while (queued(helper) <= helper->waking && !atomic_load(&helper->stops))
        pthread_cond_wait(&helper->woken, &helper->mutex);
    atomic_store(&helper->sleeps, false);
    pthread_mutex_unlock(&helper->mutex);
}

static void do_first(struct ti_helper *helper)
{
    size_t first = atomic_load(&helper->first);
    int rank = helper->queue[first & helper->mask], asked = JOB_ASKED;
    struct job *job = &helper->jobs[rank];
    atomic_store(&helper->first, first + 1);
    atomic_store(&job->is_queued, false);
    if (!atomic_compare_exchange_strong(&job->state, &asked, JOB_FILLING))
        return;
    ti_decoder_fill(helper->decoder, rank, job->batch, helper->capacity);
    atomic_store_explicit(&job->state, JOB_FULL, memory_order_release);
}

static void *run(void *data)
{
    struct ti_helper *helper = data;
    while (!atomic_load(&helper->stops)) {
        if (queued(helper) > 0)
            do_first(helper);
        else
            sleep_until_woken(helper);
    }
    return NULL;
}

/* --- its owner --- */

/* Signals are for the thread that runs the program. */
static void start(struct ti_helper *helper)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    helper->runs = pthread_create(&helper->thread, NULL, run, helper) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    helper->failed = !helper->runs;
    helper->process = getpid();
}

static void wake(struct ti_helper *helper)
{
    pthread_mutex_lock(&helper->mutex);
    pthread_cond_signal(&helper->woken);
    pthread_mutex_unlock(&helper->mutex);
}

void ti_helper_ask(struct ti_helper *helper, int rank, struct ti_batch *batch)
{
    struct job *job = &helper->jobs[rank];
    job->batch = batch;
    atomic_store(&job->state, JOB_ASKED);
    if (!atomic_exchange(&job->is_queued, true)) {
        size_t last = atomic_load(&helper->last);
        helper->queue[last & helper->mask] = rank;
        atomic_store(&helper->last, last + 1);
    }
    if (helper->failed || queued(helper) <= helper->waking)
        return;
    if (!helper->runs)
        start(helper);
    else if (atomic_load(&helper->sleeps))
        wake(helper);
}

/* Take the batch back: true if the helper has filled it. */
static bool take_back(struct job *job)
{
    int asked = JOB_ASKED;
    if (atomic_compare_exchange_strong(&job->state, &asked, JOB_NONE))
        return false;
    for (int turns = 0; atomic_load_explicit(&job->state, memory_order_acquire) != JOB_FULL; turns++)
        if (turns > MAX_TURNS)
            sched_yield();
    atomic_store(&job->state, JOB_NONE);
    return true;
}

void ti_helper_take(struct ti_helper *helper, int rank)
{
    struct job *job = &helper->jobs[rank];
    if (!take_back(job))
        ti_decoder_fill(helper->decoder, rank, job->batch, helper->capacity);
}

void ti_helper_drop(struct ti_helper *helper, int rank)
{
    take_back(&helper->jobs[rank]);
}

bool ti_helper_runs(const struct ti_helper *helper)
{
    return helper->runs;
}

void ti_helper_free(struct ti_helper *helper)
{
    if (helper == NULL)
        return;
    if (helper->runs && helper->process == getpid()) {
        atomic_store(&helper->stops, true);
        wake(helper);
        pthread_join(helper->thread, NULL);
        pthread_mutex_destroy(&helper->mutex);
        pthread_cond_destroy(&helper->woken);
    }
    free(helper->jobs);
    free(helper->queue);
    free(helper);
}
