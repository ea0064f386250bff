/* Two kernels for one run, and how they go on, wait and come to an end together. */
#include "sim/kernel/flow/halves.h"

#include "sim/kernel/flow/flow.h"
#include "sim/kernel/flow/meeting.h"

#include "base/memory.h"

#include <stdlib.h>
#include <time.h>

#ifndef __wasm__

#include "sim/kernel/flow/half.h"

enum {
    MOST_PARCELS = 4096, /* that a half gives before the other takes any */
    FEW_LYING = 2048,    /* letters of a half that takes packs while it has ranks to run */
    LOOKS = 4000,        /* for a pack, one after the other, before a half lets others have the processor, */
    TURNS = 20,          /* and so often before it sleeps: some 50 us */
    GIVES = 4,           /* after so many a half waits for one parcel more */
    TRIAL = 64,          /* waits, in which it is seen whether halves are worth it: */
    LEAST_BETWEEN = 60,  /* messages that a half sends between two waits, some 3 us; */
    TRIED = 1 << 18,     /* after so many messages too much would have to be done again. */
    LONG_WAITS = 16,     /* of a half, in which it is seen whether the other has a processor: */
    LEAST_AWAKE = 1000,  /* messages that a half sends between two long waits */
};

/* --- going on, waiting, ending --- */

static const double long_wait_s = 1e-3;

static bool is_stopped(struct half *self)
{
    return atomic_load_explicit(&self->both->is_stopped, memory_order_relaxed);
}

/* So many parcels are under way that memory is to be thought of. */
static bool is_ahead(struct half *self)
{
    return atomic_load(&self->other->n_given) - atomic_load(&self->other->n_taken) > MOST_PARCELS;
}

/* What has been sent is given at once by a half that waits itself now and then; by one that never does, less and less
 * often. */
static bool is_wanted(const struct half *self)
{
    return self->out->count > self->n_gives / GIVES;
}

void half_offer(struct kernel *kernel)
{
    if (is_wanted(kernel->half))
        half_give(kernel->half);
}

void half_exchange(struct kernel *kernel)
{
    struct half *self = kernel->half;
    if (self->out->count == PACK || is_wanted(self))
        half_give(self);
    if (half_has_got(self) && kernel->flow->letters.n_lying <= FEW_LYING)
        half_take(self);
    while (is_ahead(self) && !is_stopped(self)) {
        if (half_has_got(self))
            half_take(self);
        thrd_yield();
    }
    if (is_stopped(self))
        flow_give_up(kernel);
}

static bool waits_in_meeting(const struct half *self)
{
    return meetings_waiting(self->kernel.flow->meetings);
}

/* Sleep until there is something to do; false when all is done. Both halves sleep: nothing is under way, and it is
 * seen what can be done. */
static bool sleep_until(struct half *self, int n_breaks)
{
    struct halves *both = self->both;
    self->sleeps = true;
    if (self->other->sleeps && self->other->first == NULL && self->first == NULL) {
        if (waits_in_meeting(self) || waits_in_meeting(self->other))
            both->n_breaks++;
        else
            both->is_over = true;
        self->other->sleeps = false; /* it is to wake up */
        cnd_broadcast(&both->changed);
    }
    while (self->first == NULL && both->n_breaks == n_breaks && !both->is_over && !is_stopped(self))
        cnd_wait(&both->changed, &both->lock);
    self->sleeps = false;
    return !both->is_over;
}

/* Whether the halves wait for each other so often that one processor is as fast. */
static bool waits_too_often(struct half *self)
{
    int64_t messages = self->kernel.stats.messages, before = self->n_tried;
    if (++self->n_waits % TRIAL != 0 || messages > TRIED)
        return false;
    self->n_tried = messages;
    return messages - before < TRIAL * LEAST_BETWEEN;
}

static double clock_s(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether it waits long so often that the other half seems to wait for a processor. */
static bool waits_too_long(struct half *self, double since_s)
{
    int64_t messages = self->kernel.stats.messages, before = self->n_awake;
    if (clock_s() - since_s < long_wait_s || ++self->n_long_waits % LONG_WAITS != 0)
        return false;
    self->n_awake = messages;
    return messages - before < LONG_WAITS * LEAST_AWAKE;
}

static bool give_up_in_vain(struct half *self)
{
    atomic_store(&self->both->is_in_vain, true);
    return flow_give_up(&self->kernel);
}

/* Look for a pack for a while, since most come soon. */
static void look_out(struct half *self)
{
    for (int turn = 0; turn < TURNS && !half_has_got(self) && !is_stopped(self); turn++) {
        for (int i = 0; i < LOOKS && !half_has_got(self); i++)
            continue;
        thrd_yield();
    }
}

bool half_wait(struct kernel *kernel)
{
    struct half *self = kernel->half;
    struct halves *both = self->both;
    bool has_more = true;
    self->n_gives = 0;
    if (waits_too_often(self))
        return give_up_in_vain(self);
    while (has_more && kernel->flow->n_runnable == 0 && !kernel->failed) {
        half_give(self); /* of a meeting, too, that has gone on and stopped again */
        double since_s = clock_s();
        look_out(self);
        mtx_lock(&both->lock);
        int n_breaks = both->n_breaks;
        if (self->first == NULL)
            has_more = sleep_until(self, n_breaks);
        bool breaks_up = both->n_breaks != n_breaks;
        mtx_unlock(&both->lock);
        if (is_stopped(self))
            flow_give_up(kernel);
        else if (has_more && waits_too_long(self, since_s))
            give_up_in_vain(self);
        else if (breaks_up)
            meetings_break_up(kernel);
        else
            half_take(self);
    }
    return has_more && !kernel->failed;
}

/* The run has failed: the other half ends, too. */
static void stop(struct kernel *kernel)
{
    struct halves *both = kernel->half->both;
    atomic_store(&both->is_stopped, true);
    mtx_lock(&both->lock);
    cnd_broadcast(&both->changed);
    mtx_unlock(&both->lock);
}

void half_lock_machine(struct kernel *kernel)
{
    mtx_lock(&kernel->half->both->machine);
}

void half_unlock_machine(struct kernel *kernel)
{
    mtx_unlock(&kernel->half->both->machine);
}

/* --- from the beginning to the end --- */

bool halves_suit(const struct kernel_run *run)
{
    bool suits = run->second != NULL && run->placement->n_ranks > 1 && run->program->traced == NULL;
    for (int s = 0; suits && s < run->n_sinks; s++)
        suits = run->sinks[s].share != NULL;
    return suits;
}

static int run_half(void *data)
{
    struct kernel *kernel = data;
    flow_run(kernel);
    if (kernel->failed)
        stop(kernel);
    return 0;
}

static bool open_halves(struct halves *both, const struct kernel_run *run)
{
    int n_ranks = run->placement->n_ranks, split = n_ranks / 2;
    bool has_opened = true;
    mtx_init(&both->lock, mtx_plain);
    mtx_init(&both->machine, mtx_plain);
    cnd_init(&both->changed);
    for (int s = 0; s < run->n_sinks; s++)
        both->row += half_departure_numbers(&run->sinks[s]);
    for (int h = 0; h < 2; h++) {
        struct half *half = &both->halves[h];
        half->run = *run;
        half->both = both;
        half->out = half_new_pack(both);
        half->in = half_new_pack(both);
        half->other = &both->halves[1 - h];
        half->kernel.half = half;
        half->kernel.first_rank = (run->placement->root + (h == 0 ? 0 : split)) % n_ranks;
        half->kernel.n_own = h == 0 ? split : n_ranks - split;
        if (h == 1)
            half->run.sinks = run->second(run->restarted);
        has_opened = has_opened && kernel_open(&half->kernel, &half->run, &half->error) == 0;
        if (has_opened)
            flow_open(&half->kernel);
    }
    return has_opened;
}

static void free_packs(struct pack *pack)
{
    while (pack != NULL) {
        struct pack *next = pack->next;
        free(pack);
        pack = next;
    }
}

static void close_halves(struct halves *both)
{
    for (int h = 0; h < 2; h++) {
        free_packs(both->halves[h].first);
        free(both->halves[h].out);
        free(both->halves[h].in);
        kernel_close(&both->halves[h].kernel);
    }
    free_packs(both->free);
    cnd_destroy(&both->changed);
    mtx_destroy(&both->machine);
    mtx_destroy(&both->lock);
}

/* The accounts of all ranks run to the end of the run. */
static void end_halves(struct kernel_stats *stats, struct halves *both)
{
    const struct kernel_stats *first = &both->halves[0].kernel.stats, *second = &both->halves[1].kernel.stats;
    *stats = *first;
    stats->end_ps = second->end_ps > first->end_ps ? second->end_ps : first->end_ps;
    stats->messages += second->messages;
    stats->bytes += second->bytes;
    stats->events += second->events;
    algorithms_join(&stats->algorithms, &second->algorithms);
    for (int h = 0; h < 2; h++) {
        both->halves[h].kernel.stats.end_ps = stats->end_ps;
        kernel_close_locations(&both->halves[h].kernel);
    }
}

enum halves_outcome halves_run(struct kernel_stats *stats, const struct kernel_run *run)
{
    struct halves *both = xcalloc_lines((sizeof *both + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES);
    thrd_t thread;
    enum halves_outcome outcome = HALVES_ONE_PROCESSOR;
    if (open_halves(both, run) && thrd_create(&thread, run_half, &both->halves[1].kernel) == thrd_success) {
        run_half(&both->halves[0].kernel);
        thrd_join(thread, NULL);
        const struct kernel *first = &both->halves[0].kernel, *second = &both->halves[1].kernel;
        if ((first->failed || second->failed) && !both->is_in_vain)
            outcome = HALVES_ORDER;
        else if (!first->failed && !second->failed && flow_is_complete(first) && flow_is_complete(second))
            outcome = HALVES_DONE;
    }
    if (outcome == HALVES_DONE)
        end_halves(stats, both);
    close_halves(both);
    free(both);
    return outcome;
}

#else /* no threads: no run has halves */

bool halves_suit(const struct kernel_run *run)
{
    (void)run;
    return false;
}

enum halves_outcome halves_run(struct kernel_stats *stats, const struct kernel_run *run)
{
    (void)stats, (void)run;
    return HALVES_ONE_PROCESSOR;
}

struct letter *half_send(struct kernel *kernel, int receiver, uint32_t *number)
{
    (void)kernel, (void)receiver, (void)number;
    abort();
}

bool half_is_full(const struct kernel *kernel)
{
    (void)kernel;
    abort();
}

void half_offer(struct kernel *kernel)
{
    (void)kernel;
}

void half_exchange(struct kernel *kernel)
{
    (void)kernel;
}

bool half_wait(struct kernel *kernel)
{
    (void)kernel;
    abort();
}

void half_lock_machine(struct kernel *kernel)
{
    (void)kernel;
}

void half_unlock_machine(struct kernel *kernel)
{
    (void)kernel;
}

#endif
