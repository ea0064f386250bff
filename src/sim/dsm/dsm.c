/* The nodes of a program that shares memory: main processors, protocol controllers and what they send each other, in
 * order of time.
 *
 * The program runs op by op. An op that cannot be done at once leaves the node busy or waiting, and is tried again when
 * that is over: a page that has come is found valid then, a lock that has been granted is found held. Messages become
 * jobs at their destination. A main processor takes a job while it computes or waits, not while it is in code of the
 * protocol; a controller takes one command after another.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/debug.h"
#include "base/memory.h"
#include "base/units.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dsm_call(struct dsm *dsm, enum event_kind kind, uint32_t which, uint32_t actor, int64_t at_ps)
{
    if (at_ps > PS_MAX) {
        engine_fail_clock(dsm->error, &dsm->failed, (int)actor);
        return;
    }
    assert(at_ps >= dsm->now_ps && actor < (uint32_t)dsm->n_nodes);
    event_queue_push(&dsm->queue,
                     (struct heap_entry){.key = at_ps, .order = actor * N_EVENT_KINDS + kind, .item = which});
}

int64_t dsm_cost(const struct dsm *dsm, enum dsm_cost cost, int64_t count)
{
    return dsm_cost_ps(dsm->costs, cost, count);
}

/* ---- from the beginning to the end ---- */

#ifndef NDEBUG
/* True if all nodes are done and have left the barriers, and no lock is held or waited for. */
static bool is_at_rest(const struct dsm *dsm)
{
    for (int n = 0; n < dsm->n_nodes; n++)
        if (dsm->nodes[n].status != NODE_DONE || dsm->arrived[n] != NULL)
            return false;
    for (int l = 0; l < dsm->options->n_locks; l++)
        if (dsm->locks[l].held || dsm->locks[l].waiting != NULL)
            return false;
    return dsm->n_arrived == 0;
}
#endif

static void close_locations(struct dsm *dsm)
{
    assert(is_at_rest(dsm) && dsm_memory_is_sound(dsm));
    dsm->now_ps = dsm->stats.end_ps;
    for (int n = 0; n < dsm->n_nodes; n++) {
        dsm_set_main(dsm, &dsm->nodes[n], CATEGORY_WAIT, OPERATION_NONE);
        if (dsm->options->controller)
            dsm_set_controller(dsm, &dsm->nodes[n], CATEGORY_CPIDLE, OPERATION_NONE);
    }
}

static const char *what_it_does(const struct node *node)
{
    if (node->status == NODE_DONE)
        return "has ended";
    if (node->status != NODE_WAITING)
        return "goes on";
    return node->wait_operation == OPERATION_LOCK ? "waits for a lock" : "waits at a barrier";
}

/* Nothing is left to happen: say who holds what the first waiting rank waits for, or who does not come. */
static void fail_deadlock(struct dsm *dsm)
{
    for (int n = 0; n < dsm->n_nodes; n++) {
        const struct node *node = &dsm->nodes[n];
        if (node->status != NODE_WAITING || node->wait_operation != OPERATION_LOCK)
            continue;
        int lock = node->waits_for->page, holder = dsm->locks[lock].holder;
        dsm_fail(dsm, "deadlock: rank %d waits for lock %d, which rank %d holds; rank %d %s", n, lock, holder, holder,
                 what_it_does(&dsm->nodes[holder]));
        return;
    }
    char waiting[160] = "", missing[160] = "";
    for (int n = 0; n < dsm->n_nodes; n++) {
        char *list = dsm->arrived[n] != NULL ? waiting : missing;
        snprintf(list + strlen(list), sizeof waiting - strlen(list), " %d", n);
    }
    dsm_fail(dsm, "deadlock: ranks that wait at a barrier:%s; ranks that never come, because they have ended:%s",
             waiting, missing);
}

/* A program must let go what it holds, even if no rank waits for it. */
static void check_locks(struct dsm *dsm)
{
    for (int l = 0; l < dsm->options->n_locks && !dsm->failed; l++)
        if (dsm->locks[l].held)
            dsm_fail(dsm, "rank %d has ended and still holds lock %d, for which nobody waits", dsm->locks[l].holder, l);
}

/* Packets that end on the network not later than the queue's next event take their place in the queue. */
static void queue_ends(struct dsm *dsm)
{
    uint32_t packet;
    int64_t at;
    while (!network_rests(dsm->network) && network_next(dsm->network, event_queue_next(&dsm->queue), &packet, &at)) {
        assert(!dsm->packets[packet].transfer.done && dsm->packets[packet].injected);
        dsm->packets[packet].transfer.done = true;
        dsm_call(dsm, EVENT_PACKET, packet, (uint32_t)dsm->packets[packet].from, at);
    }
}

static void run_events(struct dsm *dsm)
{
    struct heap_entry event;
    for (int n = 0; n < dsm->n_nodes && !dsm->failed; n++)
        dsm_continue(dsm, &dsm->nodes[n]);
    while (!dsm->failed && dsm->n_done < dsm->n_nodes) {
        queue_ends(dsm);
        if (!event_queue_pop(&dsm->queue, &event)) {
            fail_deadlock(dsm);
            return;
        }
        assert(event.key >= dsm->now_ps); /* time never runs backwards */
        dsm->now_ps = event.key;
        dsm->stats.events++;
        if (dsm->run->most_events > 0 && dsm->stats.events > dsm->run->most_events)
            dsm_fail(dsm, "the program has not ended after %lld events", (long long)dsm->run->most_events);
        DEBUG(SCHEDULE, dsm->now_ps, event.order % N_EVENT_KINDS == EVENT_PACKET ? "packet" : "node", event.item,
              "is called%s", event.order % N_EVENT_KINDS == EVENT_CONTROLLER ? ", its controller" : "");
        switch ((enum event_kind)(event.order % N_EVENT_KINDS)) {
        case EVENT_MAIN:
            dsm_handle_main(dsm, &dsm->nodes[event.item]);
            break;
        case EVENT_CONTROLLER:
            dsm_end_command(dsm, &dsm->nodes[event.item]);
            break;
        default:
            dsm_handle_packet(dsm, event.item);
            break;
        }
    }
    check_locks(dsm);
    if (!dsm->failed)
        close_locations(dsm);
}

static void open_node(struct dsm *dsm, int id)
{
    struct node *node = &dsm->nodes[id];
    *node = (struct node){.id = id,
                          .host = placement_host(dsm->run->placement, id),
                          .jobs = {NO_PACKET, NO_PACKET},
                          .commands = {NO_PACKET, NO_PACKET},
                          .job = NO_PACKET,
                          .command = NO_PACKET,
                          .location = {.category = CATEGORY_COMP},
                          .controller_location = {.category = CATEGORY_CPIDLE},
                          .collect_page = -1};
}

static void open_dsm(struct dsm *dsm)
{
    size_t n = (size_t)dsm->n_nodes;
    dsm->nodes = xcalloc(n, sizeof *dsm->nodes);
    for (int i = 0; i < dsm->n_nodes; i++)
        open_node(dsm, i);
    dsm->locks = xcalloc((size_t)dsm->options->n_locks, sizeof *dsm->locks);
    for (int l = 0; l < dsm->options->n_locks; l++)
        dsm->locks[l].last_requester = dsm->locks[l].holder = l % dsm->n_nodes;
    dsm->counters = xcalloc((size_t)dsm->options->n_counters, sizeof *dsm->counters);
    dsm->stacks = xcalloc((size_t)dsm->options->n_counters, sizeof *dsm->stacks);
    dsm->arrived = xcalloc(n, sizeof *dsm->arrived);
    dsm->free_packets = NO_PACKET;
    dsm->network = network_open(dsm->run->network, dsm->machine, dsm->run->loads);
    dsm_memory_open(dsm);
    dsm_check_open(dsm);
}

static void close_dsm(struct dsm *dsm)
{
    dsm_check_close(dsm);
    dsm_memory_close(dsm);
    dsm_fetches_close(dsm);
    dsm_requests_close(dsm);
    event_queue_dispose(&dsm->queue);
    dsm->run->network->close(dsm->network);
    free(dsm->arrived);
    for (int c = 0; c < dsm->options->n_counters; c++)
        free(dsm->stacks[c].items);
    free(dsm->stacks);
    free(dsm->counters);
    free(dsm->locks);
    free(dsm->packets);
    free(dsm->nodes);
    free(dsm->kernel_costs);
}

/* The most of this computer's memory that a simulation may take for copies of pages. */
static const int64_t max_footprint_bytes = INT64_C(1) << 30;

static int check_size(const struct kernel_run *run, struct sim_error *error)
{
    const struct dsm_options *options = &run->program->dsm;
    int64_t page_bytes = run->machine->costs.dsm.page_bytes, n_pages = (options->shared_bytes - 1) / page_bytes + 1;
    int64_t footprint = dsm_page_footprint(options, run->placement->n_ranks, page_bytes);
    int64_t max_pages = max_footprint_bytes / footprint;
    if (n_pages <= max_pages)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "%d ranks share %.1f MB: simulating %lld pages of %lld bytes takes %.0f MB of memory%s; at "
                         "most %.0f MB are allowed; make the problem smaller: up to %.1f MB can be shared",
                         run->placement->n_ranks, (double)options->shared_bytes / 1e6, (long long)n_pages,
                         (long long)page_bytes, (double)n_pages * (double)footprint / 1e6,
                         options->check ? " with the parameter 'check'" : "", (double)max_footprint_bytes / 1e6,
                         (double)(max_pages * page_bytes) / 1e6);
}

int dsm_check_run(const struct kernel_run *run, struct sim_error *error)
{
    const struct machine *machine = run->machine;
    const struct dsm_options *options = &run->program->dsm;
    if (machine->costs.dsm.page_bytes == 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "the machine %s has no costs of shared memory (prop dsm.page)", machine->name);
    if (options->controller && !machine->costs.dsm.given[DSM_EXECUTE])
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'variant': the machine %s has no protocol controllers (prop dsm.execute)",
                             machine->name);
    if (options->hardware_diffs && !machine->costs.dsm.given[DSM_HW_DIFF])
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'variant': the machine %s makes no diffs by hardware (prop dsm.hardware_diff)",
                             machine->name);
    if (run->placement->ranks_per_host > 1)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "a program that shares memory has one rank per host; ranks_per_host is %d",
                             run->placement->ranks_per_host);
    return check_size(run, error);
}

int dsm_run(struct kernel_stats *stats, const struct kernel_run *run, struct sim_error *error)
{
    struct dsm dsm = {.run = run,
                      .options = &run->program->dsm,
                      .costs = &run->machine->costs.dsm,
                      .machine = run->machine,
                      .n_nodes = run->placement->n_ranks,
                      .error = error};
    if (dsm_check_run(run, error) != 0 || engine_bind_kernels(&dsm.kernel_costs, run, error) != 0)
        return -1;
    DEBUG(RUN, 0, "ranks", dsm.n_nodes, "begin %s on %s, network %s, which share memory", run->program->app->name,
          run->machine->name, run->network->name);
    open_dsm(&dsm);
    run_events(&dsm);
    DEBUG(RUN, dsm.now_ps, "ranks", dsm.n_nodes, "%s after %lld messages and %lld events", dsm.failed ? "fail" : "end",
          (long long)dsm.stats.messages, (long long)dsm.stats.events);
    dsm.stats.most_queued = (int64_t)dsm.queue.most;
    dsm.stats.most_messages = (int64_t)dsm.n_packets;
    if (!dsm.failed)
        *stats = dsm.stats;
    close_dsm(&dsm);
    return dsm.failed ? -1 : 0;
}
