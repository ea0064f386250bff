/* Requests and the packets that carry them from node to node.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/debug.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- requests and packets, pooled ---- */

struct request *dsm_request_new(struct dsm *dsm, int node, int target, enum operation operation)
{
    struct request *request = dsm->free_requests;
    int32_t *vector;
    if (request != NULL) {
        dsm->free_requests = request->next;
        vector = request->vector;
    } else {
        request = xcalloc(1, sizeof *request);
        request->all = dsm->all_requests;
        dsm->all_requests = request;
        vector = xmalloc((size_t)dsm->n_nodes * sizeof *vector);
    }
    struct request *all = request->all;
    *request = (struct request){.all = all,
                                .node = node,
                                .target = target,
                                .operation = (uint8_t)operation,
                                .last_ps = dsm->now_ps,
                                .vector = vector};
    memcpy(vector, dsm->nodes[node].vector, (size_t)dsm->n_nodes * sizeof *vector);
    return request;
}

void dsm_request_free(struct dsm *dsm, struct request *request)
{
    request->next = dsm->free_requests;
    dsm->free_requests = request;
}

void dsm_request_mark(struct request *request, int i, int64_t until_ps)
{
    if (until_ps <= request->last_ps) /* of a prefetch that a rank came to wait for later */
        return;
    assert(i >= 1 && i < N_WAIT_INTERVALS);
    request->wait_ps[i - 1] += until_ps - request->last_ps;
    request->last_ps = until_ps;
}

void dsm_requests_close(struct dsm *dsm)
{
    while (dsm->all_requests != NULL) {
        struct request *request = dsm->all_requests;
        dsm->all_requests = request->all;
        free(request->vector);
        free(request);
    }
}

static uint32_t new_packet(struct dsm *dsm)
{
    uint32_t index = dsm->free_packets;
    if (index != NO_PACKET) {
        dsm->free_packets = dsm->packets[index].next;
        assert(index < dsm->n_packets);
        return index;
    }
    dsm->packets = xgrow(dsm->packets, dsm->n_packets, &dsm->packets_capacity, sizeof *dsm->packets);
    return (uint32_t)dsm->n_packets++;
}

void dsm_packet_free(struct dsm *dsm, uint32_t index)
{
    assert(index < dsm->n_packets && index != dsm->free_packets);
    dsm->packets[index].next = dsm->free_packets;
    dsm->free_packets = index;
}

void dsm_put(struct dsm *dsm, struct job_queue *queue, uint32_t index)
{
    dsm->packets[index].next = NO_PACKET;
    if (queue->head == NO_PACKET)
        queue->head = index;
    else
        dsm->packets[queue->tail].next = index;
    queue->tail = index;
}

uint32_t dsm_take(struct dsm *dsm, struct job_queue *queue)
{
    uint32_t index = queue->head;
    if (index != NO_PACKET)
        queue->head = dsm->packets[index].next;
    return index;
}

const struct job_spec *dsm_job_of(const struct packet *packet)
{
    return packet->job < JOB_LOCK_REQUEST ? &dsm_fetch_jobs[packet->job] : &dsm_sync_jobs[packet->job];
}

/* ---- sending ---- */

int64_t dsm_send_ps(const struct dsm *dsm, int64_t bytes)
{
    if (dsm->options->controller)
        return dsm_cost(dsm, DSM_COMMAND, 1);
    bytes += dsm->costs->header_bytes;
    return cost_model_send_ps(&dsm->machine->costs, bytes, false);
}

int64_t dsm_receive_ps(const struct dsm *dsm, int64_t bytes)
{
    return cost_model_receive_ps(&dsm->machine->costs, bytes, false);
}

static void post(struct dsm *dsm, int from, int to, enum job_kind job, struct request *request, int64_t bytes,
                 int64_t at_ps, bool by_controller)
{
    uint32_t index = new_packet(dsm);
    dsm->packets[index] = (struct packet){.request = request,
                                          .bytes = bytes + dsm->costs->header_bytes,
                                          .from = from,
                                          .to = to,
                                          .job = (uint8_t)job,
                                          .operation = request->operation,
                                          .outgoing = by_controller};
    dsm_call(dsm, EVENT_PACKET, index, (uint32_t)from, at_ps);
}

void dsm_send(struct dsm *dsm, int from, int to, enum job_kind job, struct request *request, int64_t bytes,
              int64_t after_ps)
{
    post(dsm, from, to, job, request, bytes, dsm->now_ps + after_ps, dsm->options->controller);
}

void dsm_reply(struct dsm *dsm, int from, enum job_kind job, struct request *request, int64_t bytes)
{
    post(dsm, from, request->node, job, request, bytes, dsm->now_ps, false);
}

/* True if the network loses the message that is sent now: a pure function of how many there were before it. */
static bool is_lost(const struct dsm *dsm)
{
    if (dsm->costs->loss_share == 0)
        return false;
    uint64_t hash = hash_bytes(HASH_START, &dsm->stats.messages, sizeof dsm->stats.messages);
    return (double)(hash >> 11) * 0x1p-53 < dsm->costs->loss_share;
}

/* Put the packet on the network, at the present. */
void dsm_inject(struct dsm *dsm, uint32_t index)
{
    struct packet *packet = &dsm->packets[index];
    struct node *from = &dsm->nodes[packet->from], *to = &dsm->nodes[packet->to];
    struct route room;
    const struct route *route = network_route(dsm->run->network, dsm->machine, from->host, to->host, &room);
    dsm_account_main(dsm, from);
    struct interval interval = dsm_location_interval(dsm, &from->location, packet->from);
    interval.is_message = 1;
    interval.bytes = packet->bytes;
    interval.peer = packet->to;
    packet->serial = interval.serial = (uint32_t)++dsm->stats.messages;
    dsm_emit(dsm, &interval);
    dsm->stats.bytes += packet->bytes;
    assert(!packet->injected && packet->from != packet->to);
    packet->injected = 1;
    packet->outgoing = 0;
    packet->lost = is_lost(dsm);
    DEBUG(NETWORK, dsm->now_ps, "packet", index, "sets out from node %d to %d, %lld bytes%s", packet->from, packet->to,
          (long long)packet->bytes, packet->lost ? "; it gets lost" : "");
    packet->again_ps = units_clamp((wide_int)dsm->now_ps + dsm->costs->loss_timeout_ps);
    if (route == NULL) {
        dsm_fail(dsm, "there is no route from the host of rank %d to that of rank %d", packet->from, packet->to);
        return;
    }
    transfer_init(&packet->transfer, dsm->machine, route, packet->bytes, false);
    if (dsm->run->network->is_loggp)
        transfer_lead_by_byte(&packet->transfer, dsm->machine, route, packet->bytes, false);
    dsm_call(dsm, EVENT_PACKET, index, (uint32_t)packet->from, dsm->now_ps);
}

static void emit_receipt(struct dsm *dsm, const struct packet *packet)
{
    struct node *node = &dsm->nodes[packet->to];
    dsm_account_main(dsm, node);
    struct interval interval = dsm_location_interval(dsm, &node->location, packet->to);
    interval.is_receipt = 1;
    interval.bytes = packet->bytes;
    interval.peer = packet->from;
    interval.serial = packet->serial;
    dsm_emit(dsm, &interval);
}

/* The packet has come to the node. */
static void deliver(struct dsm *dsm, uint32_t index)
{
    struct packet *packet = &dsm->packets[index];
    struct node *node = &dsm->nodes[packet->to];
    DEBUG(NETWORK, dsm->now_ps, "packet", index, "comes to node %d", packet->to);
    if (!dsm->run->without_receipts)
        emit_receipt(dsm, packet);
    dsm_request_mark(packet->request, dsm_job_of(packet)->is_reply ? 10 : 3, dsm->now_ps);
    if (dsm->options->controller) {
        dsm_put(dsm, &node->commands, index);
        dsm_poll_controller(dsm, node);
    } else {
        dsm_put(dsm, &node->jobs, index);
        dsm_poll_main(dsm, node);
    }
}

void dsm_handle_packet(struct dsm *dsm, uint32_t index)
{
    struct packet *packet = &dsm->packets[index];
    if (packet->from == packet->to) {
        dsm_put(dsm, &dsm->nodes[packet->to].jobs, index);
        dsm_poll_main(dsm, &dsm->nodes[packet->to]);
        return;
    }
    if (packet->outgoing) {
        dsm_put(dsm, &dsm->nodes[packet->from].commands, index);
        dsm_poll_controller(dsm, &dsm->nodes[packet->from]);
        return;
    }
    if (!packet->injected) {
        dsm_inject(dsm, index);
        return;
    }
    int64_t at = dsm->now_ps;
    assert(!packet->outgoing && packet->request != NULL);
    if (!packet->transfer.done) {
        enum transfer_state state =
            dsm->run->network->advance(dsm->network, &packet->transfer, index, dsm->now_ps, &at);
        packet->transfer.done = state == TRANSFER_ENDS;
        if (state != TRANSFER_SHARES)
            dsm_call(dsm, EVENT_PACKET, index, (uint32_t)packet->from, at);
        return;
    }
    if (packet->lost) {
        packet->injected = 0;
        dsm_call(dsm, EVENT_PACKET, index, (uint32_t)packet->from, int64_max(at, packet->again_ps));
        return;
    }
    deliver(dsm, index);
}
