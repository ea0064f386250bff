/* Locks. A lock has a manager, node lock mod n, which passes a request on to who asked last before; that node grants it
 * when it has let the lock go, and sends along what the other has to learn.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/sync_internal.h"

#include "base/debug.h"

#include <assert.h>
#include <stddef.h>

static uint32_t lock_checkpoint(const struct dsm *dsm, int lock)
{
    return (uint32_t)(dsm->n_nodes + lock);
}

static void then_wait_lock(struct dsm *dsm, struct node *node)
{
    dsm_wait(dsm, node, OPERATION_LOCK, false);
}

static bool check_lock(struct dsm *dsm, const struct node *node, const struct op *op)
{
    if (op->lock >= 0 && op->lock < dsm->options->n_locks)
        return true;
    dsm_fail(dsm, "rank %d uses lock %d; the program has locks 0 to %d", node->id, op->lock, dsm->options->n_locks - 1);
    return false;
}

static void ask_for_lock(struct dsm *dsm, struct node *node, int lock)
{
    int64_t ps = dsm_close_ps(dsm, node) + dsm_send_ps(dsm, dsm_request_bytes(dsm));
    int manager = lock % dsm->n_nodes, target = manager;
    enum job_kind job = JOB_LOCK_REQUEST;
    if (manager == node->id) {
        target = dsm->locks[lock].last_requester;
        dsm->locks[lock].last_requester = node->id;
        job = JOB_LOCK_FORWARD;
    }
    struct request *request = dsm_request_new(dsm, node->id, target, OPERATION_LOCK);
    DEBUG(DSM, dsm->now_ps, "node", node->id, "asks node %d for lock %d, which node %d %s", target, lock,
          dsm->locks[lock].holder, dsm->locks[lock].held ? "holds" : "had last");
    request->page = lock;
    request->last_ps = dsm->now_ps + ps;
    node->waits_for = request;
    node->started = true;
    dsm_send(dsm, node->id, target, job, request, dsm_request_bytes(dsm), ps);
    dsm_spend(dsm, node, ps, OPERATION_LOCK, then_wait_lock);
}

bool dsm_acquire(struct dsm *dsm, struct node *node, const struct op *op)
{
    if (!check_lock(dsm, node, op))
        return false;
    struct lock *lock = &dsm->locks[op->lock];
    if (node->started)
        return dsm_go_on(dsm, node);
    if (lock->holder == node->id && lock->held) {
        dsm_fail(dsm, "rank %d acquires lock %d, which it holds already", node->id, op->lock);
        return false;
    }
    if (lock->holder == node->id) {
        DEBUG(DSM, dsm->now_ps, "node", node->id, "takes lock %d, which it had last", op->lock);
        lock->held = true;
        return true;
    }
    ask_for_lock(dsm, node, op->lock);
    return false;
}

/* Give the lock to who asked: the grant's time on the main processor. request->vector becomes what there is to
 * learn. */
static int64_t grant_ps(struct dsm *dsm, struct node *node, struct request *request)
{
    struct lock *lock = &dsm->locks[request->page];
    assert(lock->holder == node->id && !lock->held); /* one node has the token, and it has let the lock go */
    int64_t n_notices, ps = dsm_close_ps(dsm, node);
    request->diff_bytes = dsm_news_bytes(dsm, node->vector, request->vector, &n_notices);
    dsm_learn_vector(request->vector, node->vector, dsm->n_nodes);
    DEBUG(DSM, dsm->now_ps, "node", node->id, "grants lock %d to node %d with %lld notices", request->page,
          request->node, (long long)n_notices);
    lock->holder = request->node;
    lock->held = true;
    return ps + dsm_send_ps(dsm, request->diff_bytes);
}

/* Take out who waits for this node to let the lock go. */
static struct request *take_waiting(struct lock *lock, int node)
{
    for (struct request **at = &lock->waiting; *at != NULL; at = &(*at)->next)
        if ((*at)->target == node) {
            struct request *found = *at;
            *at = found->next;
            return found;
        }
    return NULL;
}

bool dsm_release(struct dsm *dsm, struct node *node, const struct op *op)
{
    if (node->started) {
        node->started = false;
        return true;
    }
    if (!check_lock(dsm, node, op))
        return false;
    struct lock *lock = &dsm->locks[op->lock];
    if (lock->holder != node->id || !lock->held) {
        dsm_fail(dsm, "rank %d releases lock %d, which it does not hold", node->id, op->lock);
        return false;
    }
    DEBUG(DSM, dsm->now_ps, "node", node->id, "releases lock %d", op->lock);
    lock->held = false;
    struct request *request = take_waiting(lock, node->id);
    if (request == NULL)
        return true;
    request->origin_ps = dsm->now_ps;
    request->checkpoint = lock_checkpoint(dsm, op->lock);
    dsm_checkpoint(dsm, node, request->checkpoint);
    dsm_request_mark(request, 6, dsm->now_ps);
    int64_t ps = grant_ps(dsm, node, request);
    dsm_request_mark(request, 7, dsm->now_ps + ps);
    dsm_send(dsm, node->id, request->node, JOB_LOCK_GRANT, request, request->diff_bytes, ps);
    node->started = true;
    dsm_spend(dsm, node, ps, OPERATION_LOCK, dsm_continue);
    return false;
}

/* The lock is wanted from this node: grant it now, or when it is let go. request->granted says which, to the end. */
int64_t dsm_begin_forward(struct dsm *dsm, struct node *node, struct packet *packet, bool controller)
{
    (void)controller;
    struct request *request = packet->request;
    struct lock *lock = &dsm->locks[request->page];
    request->target = node->id;
    request->granted = lock->holder == node->id && !lock->held;
    return request->granted ? grant_ps(dsm, node, request) : 0;
}

void dsm_end_forward(struct dsm *dsm, struct node *node, struct packet *packet)
{
    struct request *request = packet->request;
    struct lock *lock = &dsm->locks[request->page];
    if (request->granted) {
        dsm_send(dsm, node->id, request->node, JOB_LOCK_GRANT, request, request->diff_bytes, 0);
        return;
    }
    assert(request->node != node->id);
    for (const struct request *other = lock->waiting; other != NULL; other = other->next)
        assert(other->node != request->node && other->target != request->target); /* it is a chain of nodes */
    request->next = lock->waiting;
    lock->waiting = request;
}

int64_t dsm_begin_lock_request(struct dsm *dsm, struct node *node, struct packet *packet, bool controller)
{
    struct request *request = packet->request;
    struct lock *lock = &dsm->locks[request->page];
    request->target = lock->last_requester;
    lock->last_requester = request->node;
    if (request->target == node->id)
        return dsm_begin_forward(dsm, node, packet, controller);
    return dsm_send_ps(dsm, dsm_request_bytes(dsm));
}

void dsm_end_lock_request(struct dsm *dsm, struct node *node, struct packet *packet)
{
    struct request *request = packet->request;
    if (request->target == node->id)
        dsm_end_forward(dsm, node, packet);
    else
        dsm_send(dsm, node->id, request->target, JOB_LOCK_FORWARD, request, dsm_request_bytes(dsm), 0);
}
