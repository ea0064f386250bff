/* Main processors and protocol controllers: the jobs that packets become, and what the program waits for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/debug.h"
#include "base/units.h"

#include <assert.h>
#include <string.h>

/* ---- the controller ---- */

static void begin_command(struct dsm *dsm, struct node *node)
{
    struct packet *packet = &dsm->packets[node->command];
    struct request *request = packet->request;
    assert(dsm->options->controller && (packet->outgoing ? packet->from : packet->to) == node->id);
    bool own = request->node == node->id;
    int64_t ps = dsm_cost(dsm, DSM_EXECUTE, 1) + dsm_cost(dsm, DSM_MESSAGE, packet->bytes);
    if (packet->outgoing) {
        dsm_request_mark(request, own ? 1 : 8, dsm->now_ps);
    } else {
        dsm_request_mark(request, own ? 11 : 4, dsm->now_ps);
        if (!dsm_job_of(packet)->needs_main)
            ps += dsm_job_of(packet)->begin(dsm, node, packet, true);
    }
    dsm_set_controller(dsm, node, CATEGORY_CPCOMP, (enum operation)request->operation);
    dsm_call(dsm, EVENT_CONTROLLER, (uint32_t)node->id, (uint32_t)node->id, dsm->now_ps + ps);
}

void dsm_poll_controller(struct dsm *dsm, struct node *node)
{
    if (node->command != NO_PACKET || node->controller_waits)
        return;
    node->command = dsm_take(dsm, &node->commands);
    if (node->command != NO_PACKET)
        begin_command(dsm, node);
    else
        dsm_set_controller(dsm, node, CATEGORY_CPIDLE, OPERATION_NONE);
}

/* Interrupt the main processor for a job, and wait until it takes it. */
static void raise_interrupt(struct dsm *dsm, struct node *node, uint32_t index)
{
    dsm->packets[index].raised = 1;
    node->controller_waits = true;
    dsm_set_controller(dsm, node, CATEGORY_CPWAIT, (enum operation)dsm->packets[index].operation);
    dsm_put(dsm, &node->jobs, index);
    dsm_poll_main(dsm, node);
}

void dsm_end_command(struct dsm *dsm, struct node *node)
{
    uint32_t index = node->command;
    assert(index != NO_PACKET);
    struct packet packet = dsm->packets[index];
    bool own = packet.request->node == node->id;
    node->command = NO_PACKET;
    if (packet.outgoing) {
        dsm_request_mark(packet.request, own ? 2 : 9, dsm->now_ps);
        dsm_inject(dsm, index);
    } else if (packet.job == JOB_PAGE_REQUEST || packet.job == JOB_DIFF_REQUEST) {
        dsm_request_mark(packet.request, 5, dsm->now_ps);
        dsm_job_of(&packet)->end(dsm, node, &packet);
        dsm->packets[index].job = JOB_NOTIFY;
        dsm->packets[index].request = NULL;
        raise_interrupt(dsm, node, index);
    } else {
        dsm_request_mark(packet.request, own ? 12 : 5, dsm->now_ps);
        if (dsm_job_of(&packet)->needs_main) {
            raise_interrupt(dsm, node, index);
        } else {
            dsm_packet_free(dsm, index);
            dsm_job_of(&packet)->end(dsm, node, &packet);
        }
    }
    dsm_poll_controller(dsm, node);
}

/* ---- the main processor ---- */

static void finish_wait(struct dsm *dsm, struct node *node);

/* A reply that the node waits for needs no interrupt; what a node tells itself costs neither that nor receiving. */
static void begin_job(struct dsm *dsm, struct node *node)
{
    struct packet *packet = &dsm->packets[node->job];
    assert(!node->handling && packet->to == node->id);
    bool raised = packet->raised, reply = dsm_job_of(packet)->is_reply;
    bool awaited = reply && node->status == NODE_WAITING && !packet->request->early;
    bool local = packet->from == packet->to;
    int64_t interrupt = awaited || local ? 0 : dsm_cost(dsm, DSM_INTERRUPT, 1), ps = 0;
    if (!local && !raised && !node->awake)
        interrupt += dsm_cost(dsm, DSM_WAKE, 1);
    dsm_account_main(dsm, node);
    if (node->resuming)
        dsm_pay(node, dsm->now_ps - node->resume_start_ps);
    node->resuming = false;
    node->awake = true;
    node->disturbed |= !local;
    dsm_set_main(dsm, node, reply || local ? CATEGORY_EXTRA : CATEGORY_PRSTE, (enum operation)packet->operation);
    if (packet->job != JOB_NOTIFY) {
        dsm_request_mark(packet->request, reply ? 11 : 6, dsm->now_ps + interrupt);
        ps = raised || local ? 0 : dsm_receive_ps(dsm, packet->bytes);
        node->job_start_ps = dsm->now_ps + interrupt + ps;
        ps += dsm_job_of(packet)->begin(dsm, node, packet, false);
    }
    node->handling = true;
    node->busy_until_ps = dsm->now_ps + interrupt + ps;
    dsm_call(dsm, EVENT_MAIN, (uint32_t)node->id, (uint32_t)node->id, node->busy_until_ps);
    if (raised) {
        node->controller_waits = false;
        dsm_poll_controller(dsm, node);
    }
}

static void end_job(struct dsm *dsm, struct node *node)
{
    struct packet packet = dsm->packets[node->job];
    bool reply = dsm_job_of(&packet)->is_reply;
    node->handling = false;
    dsm_packet_free(dsm, node->job);
    if (packet.job == JOB_NOTIFY)
        return;
    if (!packet.is_last) /* the last arrival at a barrier has been answered during the job, and may be over */
        dsm_request_mark(packet.request, reply ? 12 : 7, dsm->now_ps);
    dsm_job_of(&packet)->end(dsm, node, &packet);
}

static void compute(struct dsm *dsm, struct node *node)
{
    node->resuming = node->disturbed = false;
    dsm_set_main(dsm, node, CATEGORY_COMP, OPERATION_NONE);
    node->busy_until_ps = dsm->now_ps + node->left_ps;
    dsm_call(dsm, EVENT_MAIN, (uint32_t)node->id, (uint32_t)node->id, node->busy_until_ps);
}

/* Begin the computation, or go on with it. After messages the way back to it comes first, and what the cache and the
 * bus cost; that may be interrupted. */
static void take_up(struct dsm *dsm, struct node *node)
{
    int64_t ps = 0;
    if (node->left_ps > 0)
        ps = units_clamp((wide_int)dsm_owed_ps(dsm, node) + (node->disturbed ? dsm_cost(dsm, DSM_RESUME, 1) : 0));
    if (ps == 0) {
        compute(dsm, node);
        return;
    }
    node->resuming = true;
    node->resume_start_ps = dsm->now_ps;
    dsm_set_main(dsm, node, CATEGORY_EXTRA, OPERATION_RESUME);
    node->busy_until_ps = dsm->now_ps + ps;
    dsm_call(dsm, EVENT_MAIN, (uint32_t)node->id, (uint32_t)node->id, node->busy_until_ps);
}

void dsm_compute(struct dsm *dsm, struct node *node)
{
    node->status = NODE_COMPUTING;
    if (node->jobs.head != NO_PACKET)
        dsm_poll_main(dsm, node); /* they came while the node was in the protocol's code */
    else
        take_up(dsm, node);
}

/* Take up what the node was doing, or the next job. */
void dsm_poll_main(struct dsm *dsm, struct node *node)
{
    if (node->handling || node->status == NODE_BUSY || node->status == NODE_READY)
        return;
    node->job = dsm_take(dsm, &node->jobs);
    if (node->job != NO_PACKET) {
        begin_job(dsm, node);
        return;
    }
    node->awake = false;
    if (node->status == NODE_COMPUTING) {
        if (node->location.category != CATEGORY_COMP && !node->resuming)
            take_up(dsm, node);
    } else if (node->status == NODE_WAITING && node->answered) {
        finish_wait(dsm, node);
    } else if (node->status == NODE_WAITING) {
        dsm_wait_on(dsm, node);
    } else if (node->status == NODE_DONE) {
        dsm_set_main(dsm, node, CATEGORY_WAIT, OPERATION_NONE);
    }
}

/* An event that the main processor has asked for; it may have been interrupted since. */
void dsm_handle_main(struct dsm *dsm, struct node *node)
{
    if (dsm->now_ps != node->busy_until_ps)
        return;
    if (node->handling) {
        end_job(dsm, node);
        dsm_poll_main(dsm, node);
    } else if (node->status == NODE_BUSY) {
        void (*then)(struct dsm *, struct node *) = node->then;
        node->status = NODE_READY;
        then(dsm, node);
    } else if (node->resuming) {
        dsm_pay(node, node->owed_ps);
        compute(dsm, node);
    } else if (node->status == NODE_COMPUTING) {
        dsm_account_computation(dsm, node);
        node->op++;
        dsm_continue(dsm, node);
    }
}

void dsm_spend(struct dsm *dsm, struct node *node, int64_t ps, enum operation operation,
               void (*then)(struct dsm *dsm, struct node *node))
{
    assert(!node->handling && ps >= 0); /* protocol code is not interrupted */
    dsm_set_main(dsm, node, CATEGORY_EXTRA, operation);
    node->status = NODE_BUSY;
    node->awake = true;
    node->then = then;
    node->busy_until_ps = dsm->now_ps + ps;
    dsm_call(dsm, EVENT_MAIN, (uint32_t)node->id, (uint32_t)node->id, node->busy_until_ps);
}

/* ---- waiting ---- */

/* The wait's end depends on the node's own present unless the answer says otherwise. */
void dsm_wait(struct dsm *dsm, struct node *node, enum operation operation, bool fetches)
{
    DEBUG(WAIT, dsm->now_ps, "node", node->id, "waits: %s", operation_names[operation]);
    node->fetches = fetches;
    node->status = NODE_WAITING;
    node->answered = false;
    node->wait_operation = (uint8_t)operation;
    node->wait_start_ps = node->wait_origin_ps = dsm->now_ps;
    node->wait_checkpoint = (uint32_t)node->id;
    dsm_checkpoint(dsm, node, node->wait_checkpoint);
    dsm_wait_on(dsm, node);
    dsm_poll_main(dsm, node);
}

/* The request that came last explains the wait. */
void dsm_answer(struct dsm *dsm, struct node *node, const struct request *request)
{
    assert(node->id == request->node);
    node->answered = true;
    memcpy(node->wait_ps, request->wait_ps, sizeof node->wait_ps);
    if (request->origin_ps > node->wait_start_ps) {
        node->wait_origin_ps = request->origin_ps;
        node->wait_checkpoint = request->checkpoint;
    }
    dsm_poll_main(dsm, node);
}

static void finish_wait(struct dsm *dsm, struct node *node)
{
    struct interval interval = dsm_location_interval(dsm, &node->location, node->id);
    int64_t sum = 0;
    for (int i = 0; i < N_WAIT_INTERVALS - 1; i++)
        sum += node->wait_ps[i];
    node->wait_ps[N_WAIT_INTERVALS - 1] = dsm->now_ps - node->wait_start_ps - sum; /* 13: until the processor noticed */
    assert(node->wait_ps[N_WAIT_INTERVALS - 1] >= 0);
    if (node->location.category != CATEGORY_WAIT) {
        dsm_wait_on(dsm, node);
        interval = dsm_location_interval(dsm, &node->location, node->id);
    }
    interval.wait_ps = node->wait_ps;
    if (!node->fetches) {
        interval.cause = CAUSE_CHECKPOINT;
        interval.message = node->wait_checkpoint;
        interval.origin_ps = node->wait_origin_ps;
    }
    DEBUG(WAIT, dsm->now_ps, "node", node->id, "goes on after %.12f s: %s", DEBUG_S(dsm->now_ps - node->wait_start_ps),
          operation_names[node->wait_operation]);
    dsm_emit(dsm, &interval);
    node->location.since_ps = dsm->now_ps;
    node->status = NODE_READY;
    dsm_continue(dsm, node);
}
