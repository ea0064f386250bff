/* Barriers, whose manager is node 0, and the garbage collection that a barrier may bring.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/sync_internal.h"

#include "base/debug.h"

#include <assert.h>
#include <stddef.h>

enum { BARRIER_MANAGER = 0 };

static uint32_t arrival_checkpoint(const struct dsm *dsm, int node)
{
    return (uint32_t)(dsm->n_nodes + dsm->options->n_locks + (int)(dsm->n_barriers % 2) * dsm->n_nodes + node);
}

static void then_wait_barrier(struct dsm *dsm, struct node *node)
{
    dsm_checkpoint(dsm, node, arrival_checkpoint(dsm, node->id));
    dsm_wait(dsm, node, node->collect_page >= 0 ? OPERATION_COLLECT : OPERATION_BARRIER, false);
}

/* Tell the manager that the node has come, and what it has written since the last barrier. The manager tells itself. */
static void arrive(struct dsm *dsm, struct node *node)
{
    bool is_manager = node->id == BARRIER_MANAGER;
    int64_t n_notices, ps = dsm_close_ps(dsm, node);
    int64_t bytes = dsm_request_bytes(dsm) + dsm_own_news_bytes(dsm, node, &n_notices);
    ps += is_manager ? 0 : dsm_send_ps(dsm, bytes);
    struct request *request = dsm_request_new(dsm, node->id, BARRIER_MANAGER,
                                              node->collect_page >= 0 ? OPERATION_COLLECT : OPERATION_BARRIER);
    DEBUG(DSM, dsm->now_ps, "node", node->id, "arrives at barrier %lld with %lld notices", (long long)dsm->n_barriers,
          (long long)n_notices);
    request->n_notices = is_manager ? 0 : n_notices;
    request->start_ps = request->last_ps = dsm->now_ps + ps;
    node->started = true;
    dsm_send(dsm, node->id, BARRIER_MANAGER, JOB_ARRIVAL, request, bytes, ps);
    dsm_spend(dsm, node, ps, (enum operation)request->operation, then_wait_barrier);
}

/* True if a node has more consistency data than it may. */
static bool wants_collection(const struct dsm *dsm)
{
    for (int n = 0; n < dsm->n_nodes; n++)
        if (dsm->nodes[n].consistency_bytes > dsm->options->collect_at_bytes)
            return true;
    return false;
}

/* A departure that leaves `after_ps` from now; the time that sending it takes. */
static int64_t depart(struct dsm *dsm, struct request *request, const int32_t *all, int64_t after_ps)
{
    int64_t n_notices, bytes = dsm_news_bytes(dsm, all, request->vector, &n_notices);
    int64_t ps = dsm_send_ps(dsm, bytes);
    dsm_learn_vector(request->vector, all, dsm->n_nodes);
    dsm_request_mark(request, 7, dsm->now_ps + after_ps + ps);
    dsm_send(dsm, BARRIER_MANAGER, request->node, JOB_DEPARTURE, request, bytes, after_ps + ps);
    return ps;
}

/* All have come: everybody learns everything. Departures leave one after another; the time of all that. */
static int64_t release_barrier(struct dsm *dsm, struct node *manager, const struct request *last, int64_t after_ps)
{
    int32_t *all = dsm->arrived[BARRIER_MANAGER]->vector; /* the manager's own request has no other use for it */
    int64_t ps = 0, origin_ps = last->start_ps;
    uint32_t checkpoint = arrival_checkpoint(dsm, last->node);
    for (int n = 0; n < dsm->n_nodes; n++) {
        dsm->arrived[n]->origin_ps = origin_ps;
        dsm->arrived[n]->checkpoint = checkpoint;
        dsm_request_mark(dsm->arrived[n], 6, dsm->now_ps);
        dsm_learn_vector(all, dsm->arrived[n]->vector, dsm->n_nodes);
    }
    for (int n = 0; n < dsm->n_nodes; n++)
        if (n != BARRIER_MANAGER)
            ps += depart(dsm, dsm->arrived[n], all, after_ps + ps);
    ps += dsm_learn_ps(dsm, manager, all, false);
    for (int n = 0; n < dsm->n_nodes; n++)
        assert(all[n] == dsm->nodes[n].vector[n]); /* the manager knows of all */
    if (dsm->collecting)
        dsm_collect(dsm);
    dsm->collecting = !dsm->collecting && wants_collection(dsm);
    DEBUG(DSM, dsm->now_ps, "nodes", dsm->n_nodes, "leave barrier %lld, to which node %d came last%s",
          (long long)dsm->n_barriers, last->node, dsm->collecting ? "; garbage collection follows" : "");
    dsm->n_barriers++;
    return ps;
}

int64_t dsm_begin_arrival(struct dsm *dsm, struct node *manager, struct packet *packet, bool controller)
{
    (void)controller;
    struct request *request = packet->request;
    int64_t ps = request->n_notices > 0 ? dsm_cost(dsm, DSM_NOTICES, request->n_notices) : 0;
    assert(dsm->arrived[request->node] == NULL);
    dsm->arrived[request->node] = request;
    assert(dsm->n_arrived < dsm->n_nodes && dsm->nodes[request->node].status != NODE_DONE);
    packet->is_last = ++dsm->n_arrived == dsm->n_nodes;
    if (packet->is_last) /* this sends, so that the packet may move in memory */
        ps += release_barrier(dsm, manager, request, manager->job_start_ps - dsm->now_ps + ps);
    return ps;
}

/* The manager goes on when all departures are under way. */
void dsm_end_arrival(struct dsm *dsm, struct node *manager, struct packet *packet)
{
    if (!packet->is_last)
        return;
    struct request *own = dsm->arrived[BARRIER_MANAGER];
    dsm_request_mark(own, 7, dsm->now_ps);
    for (int n = 0; n < dsm->n_nodes; n++)
        dsm->arrived[n] = NULL;
    dsm->n_arrived = 0;
    dsm_request_free(dsm, own);
    dsm_answer(dsm, manager, own);
}

/* Bring up to date what is kept, page by page; then a barrier of its own, at which the past is thrown away. */
static bool collect(struct dsm *dsm, struct node *node)
{
    if (node->started) { /* it is over */
        node->started = false;
        node->collect_page = -1;
        return true;
    }
    for (; node->collect_page < dsm->n_pages; node->collect_page++) {
        int page = node->collect_page;
        if (node->copies[page].fetch != NULL) {
            dsm_await_fetch(dsm, node, page, OPERATION_COLLECT);
            return false;
        }
        if (dsm_keep_copy(dsm, node, page)) {
            dsm_fetch_page(dsm, node, page, OPERATION_COLLECT);
            return false;
        }
    }
    arrive(dsm, node);
    return false;
}

bool dsm_barrier(struct dsm *dsm, struct node *node)
{
    if (dsm->n_nodes == 1)
        return true;
    if (node->collect_page >= 0)
        return collect(dsm, node);
    if (!node->started) {
        arrive(dsm, node);
        return false;
    }
    if (!dsm->collecting)
        return dsm_go_on(dsm, node);
    node->started = false;
    node->collect_page = 0;
    node->news.n_lost = 0;
    return collect(dsm, node);
}
