/* The nodes of a program that shares memory: main processors, protocol controllers and what they send each other, in
 * order of time.
 *
 * The program runs op by op. An op that cannot be done at once leaves the node busy or waiting, and is tried again when
 * that is over: a page that has come is found valid then, a lock that has been granted is found held. Messages become
 * jobs at their destination. A main processor takes a job while it computes or waits, not while it is in code of the
 * protocol; a controller takes one command after another. */
#include "sim/dsm_internal.h"

#include "base/memory.h"
#include "base/units.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a moment in the queue is for: the low bits of its index. */
enum moment_kind { MOMENT_MAIN, MOMENT_CONTROLLER, MOMENT_PACKET, N_MOMENT_KINDS };

void dsm_fail(struct dsm *dsm, const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!dsm->failed)
        sim_error_set(dsm->error, SIM_UNFINISHED, NULL, 0, "%s", text);
    dsm->failed = true;
}

static void call(struct dsm *dsm, enum moment_kind kind, uint32_t which, uint32_t actor, int64_t at_ps)
{
    if (at_ps > PS_MAX) {
        dsm_fail(dsm, "rank %u passes the end of the simulated clock, %.3g days; make the problem smaller", actor,
                 units_seconds(PS_MAX) / 86400);
        return;
    }
    event_queue_push(&dsm->queue, (struct moment){at_ps, actor * N_MOMENT_KINDS + kind, which});
}

int64_t dsm_cost(const struct dsm *dsm, enum dsm_cost cost, int64_t count)
{
    return dsm_cost_ps(dsm->costs, cost, count);
}

/* ---- accounts ---- */

static const uint8_t state_of[N_CATEGORIES] = {
    [CATEGORY_NONE] = STATE_IDLE,   [CATEGORY_COMP] = STATE_USEFUL,   [CATEGORY_EXTRA] = STATE_CONTROL,
    [CATEGORY_WAIT] = STATE_IDLE,   [CATEGORY_PRSTE] = STATE_CONTROL, [CATEGORY_CPCOMP] = STATE_CONTROL,
    [CATEGORY_CPWAIT] = STATE_IDLE, [CATEGORY_CPIDLE] = STATE_IDLE,
};

static void emit(const struct dsm *dsm, const struct event *event)
{
    for (int i = 0; i < dsm->run->n_sinks; i++)
        dsm->run->sinks[i].take(dsm->run->sinks[i].self, event);
}

static struct event event_of(const struct dsm *dsm, const struct lane *lane, int number)
{
    return (struct event){.start_ps = lane->since_ps,
                          .end_ps = dsm->now_ps,
                          .lane = number,
                          .peer = -1,
                          .state = state_of[lane->category],
                          .kind = EVENT_COMMUNICATE,
                          .category = lane->category,
                          .operation = lane->operation,
                          .scope = lane->scope};
}

/* Waits whose end depends on nobody else count as receiving, not as idling: their answer is under way all the time. */
static bool is_fetch(enum operation operation)
{
    return operation == OPERATION_PAGE || operation == OPERATION_DIFF || operation == OPERATION_COLLECT;
}

static void set_lane(const struct dsm *dsm, struct lane *lane, int number, enum category category,
                     enum operation operation, int scope)
{
    struct event event = event_of(dsm, lane, number);
    if (lane->category == CATEGORY_WAIT && is_fetch((enum operation)lane->operation))
        event.state = STATE_RECEIVE;
    if (event.end_ps > event.start_ps)
        emit(dsm, &event);
    *lane = (struct lane){dsm->now_ps, (uint8_t)category, (uint8_t)operation, (uint8_t)scope};
}

static void set_main(const struct dsm *dsm, struct node *node, enum category category, enum operation operation)
{
    set_lane(dsm, &node->lane, node->id, category, operation, node->lane.scope);
}

static void set_controller(const struct dsm *dsm, struct node *node, enum category category, enum operation operation)
{
    set_lane(dsm, &node->controller_lane, dsm->n_nodes + node->id, category, operation, 0);
}

/* The time up to now was spent computing: divide its work as the whole divides, the last piece taking what remains. */
static void account_computation(struct dsm *dsm, struct node *node)
{
    int64_t length = dsm->now_ps - node->lane.since_ps, work[N_WORK_COMPONENTS], rest = length;
    for (int c = 0; c < N_WORK_COMPONENTS; c++) {
        work[c] = length == node->left_ps ? node->left_work_ps[c]
                                          : (int64_t)((wide_int)node->left_work_ps[c] * length / node->left_ps);
        node->left_work_ps[c] -= work[c];
        rest -= work[c];
    }
    for (int c = 0; c < N_WORK_COMPONENTS && rest > 0; c++) { /* what rounding down has left over */
        int64_t part = rest < node->left_work_ps[c] ? rest : node->left_work_ps[c];
        work[c] += part;
        node->left_work_ps[c] -= part;
        rest -= part;
    }
    struct event event = event_of(dsm, &node->lane, node->id);
    event.kind = EVENT_COMPUTE;
    event.state = node->control ? STATE_CONTROL : STATE_USEFUL;
    event.work_ps = work;
    event.operations = node->operations;
    node->operations = 0;
    node->left_ps -= length;
    node->lane.since_ps = dsm->now_ps;
    if (length > 0 || event.operations > 0)
        emit(dsm, &event);
}

/* Hand over the main processor's account up to the present. */
static void account_main(struct dsm *dsm, struct node *node)
{
    if (node->lane.category == CATEGORY_COMP && node->status == NODE_COMPUTING)
        account_computation(dsm, node);
    else
        set_main(dsm, node, (enum category)node->lane.category, (enum operation)node->lane.operation);
}

static void set_scope(struct dsm *dsm, struct node *node, uint8_t scope)
{
    if (node->lane.scope != scope)
        account_main(dsm, node);
    node->lane.scope = scope;
}

void dsm_mark(struct dsm *dsm, struct node *node, uint32_t mark)
{
    account_main(dsm, node);
    struct event event = event_of(dsm, &node->lane, node->id);
    event.departs = 1;
    event.message = mark;
    emit(dsm, &event);
}

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
    if (until_ps <= request->last_ps) /* of a prefetch that somebody came to wait for later */
        return;
    request->wait_ps[i - 1] += until_ps - request->last_ps;
    request->last_ps = until_ps;
}

static void close_requests(struct dsm *dsm)
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
        return index;
    }
    dsm->packets = xgrow(dsm->packets, dsm->n_packets, &dsm->packets_capacity, sizeof *dsm->packets);
    return (uint32_t)dsm->n_packets++;
}

static void free_packet(struct dsm *dsm, uint32_t index)
{
    dsm->packets[index].next = dsm->free_packets;
    dsm->free_packets = index;
}

static void put(struct dsm *dsm, struct job_queue *queue, uint32_t index)
{
    dsm->packets[index].next = NO_PACKET;
    if (queue->head == NO_PACKET)
        queue->head = index;
    else
        dsm->packets[queue->tail].next = index;
    queue->tail = index;
}

static uint32_t take(struct dsm *dsm, struct job_queue *queue)
{
    uint32_t index = queue->head;
    if (index != NO_PACKET)
        queue->head = dsm->packets[index].next;
    return index;
}

static const struct job_spec *job_of(const struct packet *packet)
{
    return packet->job < JOB_LOCK_REQUEST ? &dsm_fetch_jobs[packet->job] : &dsm_sync_jobs[packet->job];
}

/* ---- sending ---- */

static void poll_main(struct dsm *dsm, struct node *node);
static void poll_controller(struct dsm *dsm, struct node *node);

int64_t dsm_send_ps(const struct dsm *dsm, int64_t bytes)
{
    if (dsm->options->controller)
        return dsm_cost(dsm, DSM_COMMAND, 1);
    bytes += dsm->costs->header_bytes;
    return units_clamp(dsm->machine->send_start_ps + (wide_int)dsm->machine->send_byte_ps * bytes);
}

static int64_t receive_ps(const struct dsm *dsm, int64_t bytes)
{
    return units_clamp(dsm->machine->receive_start_ps + (wide_int)dsm->machine->receive_byte_ps * bytes);
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
    call(dsm, MOMENT_PACKET, index, (uint32_t)from, at_ps);
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

/* Put the packet on the network, at the present. */
static void inject(struct dsm *dsm, uint32_t index)
{
    struct packet *packet = &dsm->packets[index];
    struct node *from = &dsm->nodes[packet->from], *to = &dsm->nodes[packet->to];
    const struct route *route = machine_route(dsm->machine, from->host, to->host);
    account_main(dsm, from);
    struct event event = event_of(dsm, &from->lane, packet->from);
    event.is_message = 1;
    event.bytes = packet->bytes;
    event.peer = packet->to;
    emit(dsm, &event);
    dsm->stats.messages++;
    dsm->stats.bytes += packet->bytes;
    packet->injected = 1;
    packet->outgoing = 0;
    if (route == NULL) {
        dsm_fail(dsm, "there is no route from the host of rank %d to that of rank %d", packet->from, packet->to);
        return;
    }
    transfer_init(&packet->transfer, dsm->machine, route, packet->bytes);
    call(dsm, MOMENT_PACKET, index, (uint32_t)packet->from, dsm->now_ps);
}

/* The packet has come to the node. */
static void deliver(struct dsm *dsm, uint32_t index)
{
    struct packet *packet = &dsm->packets[index];
    struct node *node = &dsm->nodes[packet->to];
    dsm_request_mark(packet->request, job_of(packet)->is_reply ? 10 : 3, dsm->now_ps);
    if (dsm->options->controller) {
        put(dsm, &node->commands, index);
        poll_controller(dsm, node);
    } else {
        put(dsm, &node->jobs, index);
        poll_main(dsm, node);
    }
}

static void handle_packet(struct dsm *dsm, uint32_t index)
{
    struct packet *packet = &dsm->packets[index];
    if (packet->from == packet->to) {
        put(dsm, &dsm->nodes[packet->to].jobs, index);
        poll_main(dsm, &dsm->nodes[packet->to]);
        return;
    }
    if (packet->outgoing) {
        put(dsm, &dsm->nodes[packet->from].commands, index);
        poll_controller(dsm, &dsm->nodes[packet->from]);
        return;
    }
    if (!packet->injected) {
        inject(dsm, index);
        return;
    }
    int64_t at = dsm->now_ps;
    if (!packet->transfer.done) {
        packet->transfer.done = !dsm->run->network->advance(dsm->network, &packet->transfer, dsm->now_ps, &at);
        call(dsm, MOMENT_PACKET, index, (uint32_t)packet->from, at);
        return;
    }
    deliver(dsm, index);
}

/* ---- the controller ---- */

static void begin_command(struct dsm *dsm, struct node *node)
{
    struct packet *packet = &dsm->packets[node->command];
    struct request *request = packet->request;
    bool own = request->node == node->id;
    int64_t ps = dsm_cost(dsm, DSM_EXECUTE, 1);
    if (packet->outgoing) {
        dsm_request_mark(request, own ? 1 : 8, dsm->now_ps);
        ps += dsm_cost(dsm, DSM_MESSAGE, packet->bytes);
    } else {
        dsm_request_mark(request, own ? 11 : 4, dsm->now_ps);
        if (!job_of(packet)->needs_main)
            ps += job_of(packet)->begin(dsm, node, packet, true);
    }
    set_controller(dsm, node, CATEGORY_CPCOMP, (enum operation)request->operation);
    call(dsm, MOMENT_CONTROLLER, (uint32_t)node->id, (uint32_t)node->id, dsm->now_ps + ps);
}

static void poll_controller(struct dsm *dsm, struct node *node)
{
    if (node->command != NO_PACKET || node->controller_waits)
        return;
    node->command = take(dsm, &node->commands);
    if (node->command != NO_PACKET)
        begin_command(dsm, node);
    else
        set_controller(dsm, node, CATEGORY_CPIDLE, OPERATION_NONE);
}

/* Interrupt the main processor for a job, and wait until it takes it. */
static void raise_interrupt(struct dsm *dsm, struct node *node, uint32_t index)
{
    dsm->packets[index].raised = 1;
    node->controller_waits = true;
    set_controller(dsm, node, CATEGORY_CPWAIT, (enum operation)dsm->packets[index].operation);
    put(dsm, &node->jobs, index);
    poll_main(dsm, node);
}

static void end_command(struct dsm *dsm, struct node *node)
{
    uint32_t index = node->command;
    struct packet packet = dsm->packets[index];
    bool own = packet.request->node == node->id;
    node->command = NO_PACKET;
    if (packet.outgoing) {
        dsm_request_mark(packet.request, own ? 2 : 9, dsm->now_ps);
        inject(dsm, index);
    } else if (packet.job == JOB_PAGE_REQUEST || packet.job == JOB_DIFF_REQUEST) {
        dsm_request_mark(packet.request, 5, dsm->now_ps);
        job_of(&packet)->end(dsm, node, &packet);
        dsm->packets[index].job = JOB_NOTIFY;
        dsm->packets[index].request = NULL;
        raise_interrupt(dsm, node, index);
    } else {
        dsm_request_mark(packet.request, own ? 12 : 5, dsm->now_ps);
        if (job_of(&packet)->needs_main) {
            raise_interrupt(dsm, node, index);
        } else {
            free_packet(dsm, index);
            job_of(&packet)->end(dsm, node, &packet);
        }
    }
    poll_controller(dsm, node);
}

/* ---- the main processor ---- */

static void finish_wait(struct dsm *dsm, struct node *node);

/* A reply that the node waits for needs no interrupt; what a node tells itself costs neither that nor receiving. */
static void begin_job(struct dsm *dsm, struct node *node)
{
    struct packet *packet = &dsm->packets[node->job];
    bool raised = packet->raised, reply = job_of(packet)->is_reply;
    bool awaited = reply && node->status == NODE_WAITING && !packet->request->early;
    bool local = packet->from == packet->to;
    int64_t interrupt = awaited || local ? 0 : dsm_cost(dsm, DSM_INTERRUPT, 1), ps = 0;
    account_main(dsm, node);
    set_main(dsm, node, reply || local ? CATEGORY_EXTRA : CATEGORY_PRSTE, (enum operation)packet->operation);
    if (packet->job != JOB_NOTIFY) {
        dsm_request_mark(packet->request, reply ? 11 : 6, dsm->now_ps + interrupt);
        ps = raised || local ? 0 : receive_ps(dsm, packet->bytes);
        node->job_start_ps = dsm->now_ps + interrupt + ps;
        ps += job_of(packet)->begin(dsm, node, packet, false);
    }
    node->handling = true;
    node->busy_until_ps = dsm->now_ps + interrupt + ps;
    call(dsm, MOMENT_MAIN, (uint32_t)node->id, (uint32_t)node->id, node->busy_until_ps);
    if (raised) {
        node->controller_waits = false;
        poll_controller(dsm, node);
    }
}

static void end_job(struct dsm *dsm, struct node *node)
{
    struct packet packet = dsm->packets[node->job];
    bool reply = job_of(&packet)->is_reply;
    node->handling = false;
    free_packet(dsm, node->job);
    if (packet.job == JOB_NOTIFY)
        return;
    dsm_request_mark(packet.request, reply ? 12 : 7, dsm->now_ps);
    job_of(&packet)->end(dsm, node, &packet);
}

/* Take up what the node was doing, or the next job. */
static void poll_main(struct dsm *dsm, struct node *node)
{
    if (node->handling || node->status == NODE_BUSY || node->status == NODE_READY)
        return;
    node->job = take(dsm, &node->jobs);
    if (node->job != NO_PACKET) {
        begin_job(dsm, node);
        return;
    }
    if (node->status == NODE_COMPUTING && node->lane.category != CATEGORY_COMP) {
        set_main(dsm, node, CATEGORY_COMP, OPERATION_NONE);
        node->busy_until_ps = dsm->now_ps + node->left_ps;
        call(dsm, MOMENT_MAIN, (uint32_t)node->id, (uint32_t)node->id, node->busy_until_ps);
    } else if (node->status == NODE_WAITING && node->answered) {
        finish_wait(dsm, node);
    } else if (node->status == NODE_WAITING) {
        set_main(dsm, node, CATEGORY_WAIT, (enum operation)node->wait_operation);
    } else if (node->status == NODE_DONE) {
        set_main(dsm, node, CATEGORY_WAIT, OPERATION_NONE);
    }
}

/* A moment that the main processor has asked for; it may have been interrupted since. */
static void handle_main(struct dsm *dsm, struct node *node)
{
    if (dsm->now_ps != node->busy_until_ps)
        return;
    if (node->handling) {
        end_job(dsm, node);
        poll_main(dsm, node);
    } else if (node->status == NODE_BUSY) {
        void (*then)(struct dsm *, struct node *) = node->then;
        node->status = NODE_READY;
        then(dsm, node);
    } else if (node->status == NODE_COMPUTING) {
        account_computation(dsm, node);
        node->op++;
        dsm_continue(dsm, node);
    }
}

void dsm_spend(struct dsm *dsm, struct node *node, int64_t ps, enum operation operation,
               void (*then)(struct dsm *dsm, struct node *node))
{
    set_main(dsm, node, CATEGORY_EXTRA, operation);
    node->status = NODE_BUSY;
    node->then = then;
    node->busy_until_ps = dsm->now_ps + ps;
    call(dsm, MOMENT_MAIN, (uint32_t)node->id, (uint32_t)node->id, node->busy_until_ps);
}

/* ---- waiting ---- */

/* The wait's end depends on the node's own present unless the answer says otherwise. */
void dsm_wait(struct dsm *dsm, struct node *node, enum operation operation)
{
    node->status = NODE_WAITING;
    node->answered = false;
    node->wait_operation = (uint8_t)operation;
    node->wait_start_ps = node->wait_origin_ps = dsm->now_ps;
    node->wait_mark = (uint32_t)node->id;
    dsm_mark(dsm, node, node->wait_mark);
    set_main(dsm, node, CATEGORY_WAIT, operation);
    poll_main(dsm, node);
}

/* The request that came last explains the wait. */
void dsm_answer(struct dsm *dsm, struct node *node, const struct request *request)
{
    node->answered = true;
    memcpy(node->wait_ps, request->wait_ps, sizeof node->wait_ps);
    if (request->origin_ps > node->wait_start_ps) {
        node->wait_origin_ps = request->origin_ps;
        node->wait_mark = request->mark;
    }
    poll_main(dsm, node);
}

static void finish_wait(struct dsm *dsm, struct node *node)
{
    struct event event = event_of(dsm, &node->lane, node->id);
    int64_t sum = 0;
    for (int i = 0; i < N_WAIT_INTERVALS - 1; i++)
        sum += node->wait_ps[i];
    node->wait_ps[N_WAIT_INTERVALS - 1] = dsm->now_ps - node->wait_start_ps - sum; /* 13: until the processor noticed */
    assert(node->wait_ps[N_WAIT_INTERVALS - 1] >= 0);
    if (node->lane.category != CATEGORY_WAIT) {
        set_main(dsm, node, CATEGORY_WAIT, (enum operation)node->wait_operation);
        event = event_of(dsm, &node->lane, node->id);
    }
    event.wait_ps = node->wait_ps;
    if (is_fetch((enum operation)node->wait_operation)) {
        event.state = STATE_RECEIVE;
    } else {
        event.cause = CAUSE_MESSAGE;
        event.message = node->wait_mark;
        event.origin_ps = node->wait_origin_ps;
    }
    emit(dsm, &event);
    node->lane.since_ps = dsm->now_ps;
    node->status = NODE_READY;
    dsm_continue(dsm, node);
}

/* ---- the program ---- */

static bool do_compute(struct dsm *dsm, struct node *node, const struct op *op)
{
    int64_t work[N_WORK_COMPONENTS];
    int64_t ps = machine_kernel_ps(&dsm->kernel_costs[op->kernel], op->times, op->m, op->n, op->k, work);
    if (ps < 0 || ps > PS_MAX - dsm->now_ps) {
        dsm_fail(dsm, "rank %d passes the end of the simulated clock, %.3g days; make the problem smaller", node->id,
                 units_seconds(PS_MAX) / 86400);
        return false;
    }
    node->left_ps = ps;
    memcpy(node->left_work_ps, work, sizeof work);
    node->control = op->role == ROLE_CONTROL;
    node->operations = op->times;
    set_main(dsm, node, CATEGORY_COMP, OPERATION_NONE);
    node->status = NODE_COMPUTING;
    node->busy_until_ps = dsm->now_ps + ps;
    call(dsm, MOMENT_MAIN, (uint32_t)node->id, (uint32_t)node->id, node->busy_until_ps);
    poll_main(dsm, node); /* interrupts may have come while the node was in the protocol's code */
    return false;
}

/* The words of the page that a piece covers; pieces are half-open in bytes. */
static void touch(struct dsm *dsm, struct node *node, int64_t from, int64_t to, bool write)
{
    int64_t page_bytes = dsm->costs->page_bytes;
    int page = (int)(from / page_bytes);
    int first = (int)(from % page_bytes / DSM_WORD_BYTES);
    int last = (int)((to - 1 - (int64_t)page * page_bytes) / DSM_WORD_BYTES) + 1;
    struct copy *copy = &node->copies[page];
    copy->referenced = 1;
    if (write && copy->state == COPY_WRITE)
        dsm_note_write(dsm, node, page, first, last);
    if (!dsm->options->check)
        return;
    if (write)
        dsm_check_write(dsm, node, page, first, last);
    else
        dsm_check_read(dsm, node, page, first, last);
}

/* Go on in a page op, piece by piece and page by page; false when a page is not there. */
static bool do_pages(struct dsm *dsm, struct node *node, const struct op *op)
{
    bool write = op->kind == OP_PAGE_WRITE;
    int64_t pieces = op->n > 0 ? op->n : 1, page_bytes = dsm->costs->page_bytes;
    if (op->times < 0 || op->bytes < 1 || op->times + (pieces - 1) * op->m + op->bytes > dsm->options->shared_bytes) {
        dsm_fail(dsm, "rank %d accesses shared memory from byte %lld on, beyond its end at %lld", node->id,
                 (long long)op->times, (long long)dsm->options->shared_bytes);
        return false;
    }
    while (node->page_at < pieces * op->bytes) {
        int64_t piece = node->page_at / op->bytes, from = op->times + piece * op->m + node->page_at % op->bytes;
        int64_t end = op->times + piece * op->m + op->bytes, page_end = (from / page_bytes + 1) * page_bytes;
        int64_t to = end < page_end ? end : page_end;
        if (!dsm_access(dsm, node, (int)(from / page_bytes), write))
            return false;
        touch(dsm, node, from, to, write);
        node->page_at += to - from;
    }
    node->page_at = 0;
    return true;
}

/* Counters and stacks are outside of shared memory: what a task queue decides, without what deciding costs. */
static bool do_counter(struct dsm *dsm, struct node *node, const struct op *op)
{
    if (op->tag < 0 || op->tag >= dsm->options->n_counters) {
        dsm_fail(dsm, "rank %d uses counter %d; the program has counters 0 to %d", node->id, op->tag,
                 dsm->options->n_counters - 1);
        return false;
    }
    int64_t *counter = &dsm->counters[op->tag];
    struct stack *stack = &dsm->stacks[op->tag];
    if (op->kind == OP_FETCH_ADD) {
        node->seen = *counter;
        *counter += op->times;
    } else if (op->kind == OP_PUT) {
        stack->items = xgrow(stack->items, (size_t)*counter, &stack->capacity, sizeof *stack->items);
        stack->items[(*counter)++] = op->times;
    } else {
        node->seen = *counter > 0 ? stack->items[--*counter] : -1;
    }
    return true;
}

/* True when the op is done; else the node is busy, waits, or the run has failed. */
static bool do_op(struct dsm *dsm, struct node *node, const struct op *op)
{
    set_scope(dsm, node, op->scope);
    switch ((enum op_kind)op->kind) {
    case OP_COMPUTE:
        return do_compute(dsm, node, op);
    case OP_PAGE_READ:
    case OP_PAGE_WRITE:
        return do_pages(dsm, node, op);
    case OP_ACQUIRE:
        return dsm_acquire(dsm, node, op);
    case OP_RELEASE:
        return dsm_release(dsm, node, op);
    case OP_BARRIER:
        return dsm_barrier(dsm, node);
    case OP_FETCH_ADD:
    case OP_PUT:
    case OP_TAKE:
        return do_counter(dsm, node, op);
    default:
        dsm_fail(dsm, "rank %d: a program that shares memory has no op %d", node->id, op->kind);
        return false;
    }
}

static bool list_step(struct dsm *dsm, struct node *node)
{
    const struct program *program = dsm->run->program;
    dsm->list.count = 0;
    return program->app->emit_shared(program->config, node->id, node->step, node->seen, &dsm->list);
}

static void end_program(struct dsm *dsm, struct node *node)
{
    node->status = NODE_DONE;
    dsm->n_done++;
    dsm->stats.end_ps = dsm->now_ps;
    set_scope(dsm, node, 0);
    set_main(dsm, node, CATEGORY_WAIT, OPERATION_NONE);
    poll_main(dsm, node);
}

void dsm_continue(struct dsm *dsm, struct node *node)
{
    node->status = NODE_READY;
    while (!dsm->failed && list_step(dsm, node)) {
        while (node->op < dsm->list.count) {
            if (!do_op(dsm, node, &dsm->list.ops[node->op]))
                return;
            node->op++;
        }
        node->op = 0;
        node->step++;
    }
    if (!dsm->failed)
        end_program(dsm, node);
}

/* ---- from the beginning to the end ---- */

static void close_lanes(struct dsm *dsm)
{
    dsm->now_ps = dsm->stats.end_ps;
    for (int n = 0; n < dsm->n_nodes; n++) {
        set_main(dsm, &dsm->nodes[n], CATEGORY_WAIT, OPERATION_NONE);
        if (dsm->options->controller)
            set_controller(dsm, &dsm->nodes[n], CATEGORY_CPIDLE, OPERATION_NONE);
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
    dsm_fail(dsm, "deadlock: at a barrier wait ranks%s; not come, because they have ended:%s", waiting, missing);
}

static void run_events(struct dsm *dsm)
{
    struct moment moment;
    for (int n = 0; n < dsm->n_nodes && !dsm->failed; n++)
        dsm_continue(dsm, &dsm->nodes[n]);
    while (!dsm->failed && dsm->n_done < dsm->n_nodes) {
        if (!event_queue_pop(&dsm->queue, &moment)) {
            fail_deadlock(dsm);
            return;
        }
        dsm->now_ps = moment.at_ps;
        dsm->stats.events++;
        switch ((enum moment_kind)(moment.order % N_MOMENT_KINDS)) {
        case MOMENT_MAIN:
            handle_main(dsm, &dsm->nodes[moment.index]);
            break;
        case MOMENT_CONTROLLER:
            end_command(dsm, &dsm->nodes[moment.index]);
            break;
        default:
            handle_packet(dsm, moment.index);
            break;
        }
    }
    if (!dsm->failed)
        close_lanes(dsm);
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
                          .lane = {.category = CATEGORY_COMP},
                          .controller_lane = {.category = CATEGORY_CPIDLE},
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
    dsm->network = dsm->run->network->open(dsm->machine);
    event_queue_init(&dsm->queue);
    dsm_memory_open(dsm);
    dsm_check_open(dsm);
}

static void close_dsm(struct dsm *dsm)
{
    dsm_check_close(dsm);
    dsm_memory_close(dsm);
    dsm_fetches_close(dsm);
    close_requests(dsm);
    event_queue_dispose(&dsm->queue);
    free(dsm->network);
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

static int check_run(const struct kernel_run *run, struct sim_error *error)
{
    if (run->machine->dsm.page_bytes == 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "the machine %s has no costs of shared memory (prop dsm.page)", run->machine->name);
    if (run->network->advance == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "network '%s' carries no messages of shared memory; use quiet or fifo",
                             run->network->name);
    if (run->placement->ranks_per_host > 1)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "a program that shares memory has one rank to a host; ranks_per_host is %d",
                             run->placement->ranks_per_host);
    return 0;
}

int dsm_run(struct kernel_stats *stats, const struct kernel_run *run, struct sim_error *error)
{
    struct dsm dsm = {.run = run,
                      .options = &run->program->dsm,
                      .costs = &run->machine->dsm,
                      .machine = run->machine,
                      .n_nodes = run->placement->n_ranks,
                      .error = error};
    if (check_run(run, error) != 0)
        return -1;
    int n_kernels = names_count(run->program->app->kernels);
    dsm.kernel_costs = xcalloc((size_t)n_kernels, sizeof *dsm.kernel_costs);
    if (machine_bind_kernels(run->machine, run->program->app->kernels, n_kernels, dsm.kernel_costs, error) != 0) {
        free(dsm.kernel_costs);
        return -1;
    }
    open_dsm(&dsm);
    run_events(&dsm);
    if (!dsm.failed)
        *stats = dsm.stats;
    close_dsm(&dsm);
    return dsm.failed ? -1 : 0;
}
