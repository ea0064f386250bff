/* Locks and barriers, and the garbage collection that a barrier may bring.
 *
 * A lock has a manager, node lock mod n, which passes a request on to who asked last before; that node grants it when
 * it has let the lock go, and sends along what the other has to learn. A barrier's manager is node 0. */
#include "sim/dsm/internal.h"

#include "base/range.h"

#include <assert.h>
#include <stddef.h>

enum { BARRIER_MANAGER = 0 };

static void learn_vector(int32_t *known, const int32_t *other, int n)
{
    for (int i = 0; i < n; i++)
        known[i] = int_max(known[i], other[i]);
}

/* Checkpoints of departures: 0 ... n-1 are the nodes' own (dsm_wait), then one for each lock, then two for each node's
 * arrivals at barriers, in turn. */
static uint32_t lock_checkpoint(const struct dsm *dsm, int lock)
{
    return (uint32_t)(dsm->n_nodes + lock);
}

static uint32_t arrival_checkpoint(const struct dsm *dsm, int node)
{
    return (uint32_t)(dsm->n_nodes + dsm->options->n_locks + (int)(dsm->n_barriers % 2) * dsm->n_nodes + node);
}

/* Close the node's interval; what that takes. */
static int64_t close_ps(struct dsm *dsm, struct node *node)
{
    return dsm_cost(dsm, DSM_INTERVAL, dsm_close_interval(dsm, node));
}

/* Learn of the intervals in `vector`; what that takes. */
static int64_t learn_ps(struct dsm *dsm, struct node *node, const int32_t *vector, bool controller)
{
    int64_t page_bytes = dsm->costs->page_bytes;
    dsm_learn(dsm, node, vector);
    enum dsm_cost diff = !controller ? DSM_DIFF : dsm->options->hardware_diffs ? DSM_HW_DIFF : DSM_CP_DIFF;
    return dsm_cost(dsm, controller ? DSM_CP_NOTICES : DSM_NOTICES, node->news.n_notices) +
           node->news.n_diffs * dsm_cost(dsm, diff, page_bytes) + dsm_cost(dsm, DSM_PROTECT, node->news.n_invalidated);
}

/* The synchronisation is over: go on, after asking for what it has invalidated. True if there is nothing to ask for. */
static bool go_on(struct dsm *dsm, struct node *node)
{
    node->started = false;
    if (!dsm->options->prefetch || node->news.n_lost == 0)
        return true;
    int64_t ps = dsm_prefetch(dsm, node);
    node->op++;
    dsm_spend(dsm, node, ps, OPERATION_PREFETCH, dsm_continue);
    return false;
}

/* ---- locks ---- */

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
    int64_t ps = close_ps(dsm, node) + dsm_send_ps(dsm, dsm_vector_bytes(dsm));
    int manager = lock % dsm->n_nodes, target = manager;
    enum job_kind job = JOB_LOCK_REQUEST;
    if (manager == node->id) {
        target = dsm->locks[lock].last_requester;
        dsm->locks[lock].last_requester = node->id;
        job = JOB_LOCK_FORWARD;
    }
    struct request *request = dsm_request_new(dsm, node->id, target, OPERATION_LOCK);
    request->page = lock;
    request->last_ps = dsm->now_ps + ps;
    node->waits_for = request;
    node->started = true;
    dsm_send(dsm, node->id, target, job, request, dsm_vector_bytes(dsm), ps);
    dsm_spend(dsm, node, ps, OPERATION_LOCK, then_wait_lock);
}

bool dsm_acquire(struct dsm *dsm, struct node *node, const struct op *op)
{
    if (!check_lock(dsm, node, op))
        return false;
    struct lock *lock = &dsm->locks[op->lock];
    if (node->started)
        return go_on(dsm, node);
    if (lock->holder == node->id && lock->held) {
        dsm_fail(dsm, "rank %d acquires lock %d, which it holds already", node->id, op->lock);
        return false;
    }
    if (lock->holder == node->id) {
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
    int64_t n_notices, ps = close_ps(dsm, node);
    request->diff_bytes = dsm_vector_bytes(dsm) + dsm_news_bytes(dsm, node->vector, request->vector, &n_notices);
    learn_vector(request->vector, node->vector, dsm->n_nodes);
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
static int64_t begin_forward(struct dsm *dsm, struct node *node, struct packet *packet, bool controller)
{
    (void)controller;
    struct request *request = packet->request;
    struct lock *lock = &dsm->locks[request->page];
    request->target = node->id;
    request->granted = lock->holder == node->id && !lock->held;
    return request->granted ? grant_ps(dsm, node, request) : 0;
}

static void end_forward(struct dsm *dsm, struct node *node, struct packet *packet)
{
    struct request *request = packet->request;
    struct lock *lock = &dsm->locks[request->page];
    if (request->granted) {
        dsm_send(dsm, node->id, request->node, JOB_LOCK_GRANT, request, request->diff_bytes, 0);
        return;
    }
    request->next = lock->waiting;
    lock->waiting = request;
}

static int64_t begin_lock_request(struct dsm *dsm, struct node *node, struct packet *packet, bool controller)
{
    struct request *request = packet->request;
    struct lock *lock = &dsm->locks[request->page];
    request->target = lock->last_requester;
    lock->last_requester = request->node;
    if (request->target == node->id)
        return begin_forward(dsm, node, packet, controller);
    return dsm_send_ps(dsm, dsm_vector_bytes(dsm));
}

static void end_lock_request(struct dsm *dsm, struct node *node, struct packet *packet)
{
    struct request *request = packet->request;
    if (request->target == node->id)
        end_forward(dsm, node, packet);
    else
        dsm_send(dsm, node->id, request->target, JOB_LOCK_FORWARD, request, dsm_vector_bytes(dsm), 0);
}

static int64_t begin_news(struct dsm *dsm, struct node *node, struct packet *packet, bool controller)
{
    return learn_ps(dsm, node, packet->request->vector, controller);
}

static void end_news(struct dsm *dsm, struct node *node, struct packet *packet)
{
    node->waits_for = NULL;
    dsm_request_free(dsm, packet->request);
    dsm_answer(dsm, node, packet->request);
}

/* ---- barriers ---- */

static void then_wait_barrier(struct dsm *dsm, struct node *node)
{
    dsm_checkpoint(dsm, node, arrival_checkpoint(dsm, node->id));
    dsm_wait(dsm, node, node->collect_page >= 0 ? OPERATION_COLLECT : OPERATION_BARRIER, false);
}

/* Tell the manager that the node has come, and what it has written since the last barrier. The manager tells itself. */
static void arrive(struct dsm *dsm, struct node *node)
{
    bool is_manager = node->id == BARRIER_MANAGER;
    int64_t n_notices, ps = close_ps(dsm, node);
    int64_t bytes = dsm_vector_bytes(dsm) + dsm_own_news_bytes(dsm, node, &n_notices);
    ps += is_manager ? 0 : dsm_send_ps(dsm, bytes);
    struct request *request = dsm_request_new(dsm, node->id, BARRIER_MANAGER,
                                              node->collect_page >= 0 ? OPERATION_COLLECT : OPERATION_BARRIER);
    request->n_notices = is_manager ? 0 : n_notices;
    request->start_ps = request->last_ps = dsm->now_ps + ps;
    node->started = true;
    dsm_send(dsm, node->id, BARRIER_MANAGER, JOB_ARRIVAL, request, bytes, ps);
    dsm_spend(dsm, node, ps, (enum operation)request->operation, then_wait_barrier);
}

/* Whether a node has more consistency data than it may. */
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
    int64_t n_notices, bytes = dsm_vector_bytes(dsm) + dsm_news_bytes(dsm, all, request->vector, &n_notices);
    int64_t ps = dsm_send_ps(dsm, bytes);
    learn_vector(request->vector, all, dsm->n_nodes);
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
        learn_vector(all, dsm->arrived[n]->vector, dsm->n_nodes);
    }
    for (int n = 0; n < dsm->n_nodes; n++)
        if (n != BARRIER_MANAGER)
            ps += depart(dsm, dsm->arrived[n], all, after_ps + ps);
    ps += learn_ps(dsm, manager, all, false);
    if (dsm->collecting)
        dsm_collect(dsm);
    dsm->collecting = !dsm->collecting && wants_collection(dsm);
    dsm->n_barriers++;
    return ps;
}

static int64_t begin_arrival(struct dsm *dsm, struct node *manager, struct packet *packet, bool controller)
{
    (void)controller;
    struct request *request = packet->request;
    int64_t ps = request->n_notices > 0 ? dsm_cost(dsm, DSM_NOTICES, request->n_notices) : 0;
    assert(dsm->arrived[request->node] == NULL);
    dsm->arrived[request->node] = request;
    packet->is_last = ++dsm->n_arrived == dsm->n_nodes;
    if (packet->is_last) /* this sends, so that the packet may move in memory */
        ps += release_barrier(dsm, manager, request, manager->job_start_ps - dsm->now_ps + ps);
    return ps;
}

/* The manager goes on when all departures are under way. */
static void end_arrival(struct dsm *dsm, struct node *manager, struct packet *packet)
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
        return go_on(dsm, node);
    node->started = false;
    node->collect_page = 0;
    node->news.n_lost = 0;
    return collect(dsm, node);
}

const struct job_spec dsm_sync_jobs[] = {
    [JOB_LOCK_REQUEST] = {begin_lock_request, end_lock_request, true, false},
    [JOB_LOCK_FORWARD] = {begin_forward, end_forward, true, false},
    [JOB_LOCK_GRANT] = {begin_news, end_news, false, true},
    [JOB_ARRIVAL] = {begin_arrival, end_arrival, true, false},
    [JOB_DEPARTURE] = {begin_news, end_news, false, true},
    [JOB_NOTIFY] = {NULL, NULL, false, false},
};
