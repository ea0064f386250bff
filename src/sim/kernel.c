/* Ranks run ahead of the present on their own clocks as far as nothing outside can touch them: through computation and
 * into a receive. What changes the network is done at the present only, so a rank that wants to send later than now
 * asks to be called again at that moment. A blocked rank holds no stack: its program is asked for the step once more. */
#include "sim/kernel.h"

#include "base/memory.h"
#include "base/units.h"
#include "sim/event_queue.h"
#include "sim/mailbox.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLOCK_RANGE_DAYS = 106, COLLECTIVE_TAG = -1, DELIVERED = -1 };

enum rank_status { RANK_RUNNING, RANK_SENDING, RANK_RECEIVING, RANK_DONE };

struct rank {
    int64_t clock_ps;
    int64_t step;
    int64_t collective_op; /* the next op of the collective that the rank is in */
    int32_t host;
    int32_t peer; /* whom a blocked rank waits for */
    int32_t tag;
    uint8_t op; /* the next op of the step */
    uint8_t status;
    uint8_t scope; /* of the receive it waits in */
};

/* A processor that several ranks share serves one computation after another. */
struct shared_cpu {
    int64_t free_ps;
    int32_t last_rank; /* who used it until then */
};

struct kernel {
    const struct kernel_run *run;
    struct machine *machine;
    void *network;
    struct rank *ranks;
    struct shared_cpu *cpus; /* NULL where every rank has its own */
    struct kernel_cost *kernel_costs;
    struct event_queue queue;
    struct mailbox mailbox;
    int64_t now_ps;
    int32_t listed_rank; /* whose step is in `list`; -1: nobody's */
    int64_t listed_step;
    struct op_list list;
    struct kernel_stats stats;
    struct sim_error *error; /* where a failure goes */
    bool failed;
};

static void emit(struct kernel *kernel, const struct event *event)
{
    for (int i = 0; i < kernel->run->n_sinks; i++)
        kernel->run->sinks[i].take(kernel->run->sinks[i].self, event);
}

/* The queue's tie order: by the rank that acts, its own going on before its messages. */
static void call_rank(struct kernel *kernel, int rank, int64_t at_ps)
{
    event_queue_push(&kernel->queue, (struct moment){at_ps, (uint32_t)rank * 2, (uint32_t)rank});
}

static void call_message(struct kernel *kernel, uint32_t message, int64_t at_ps)
{
    uint32_t sender = (uint32_t)kernel->mailbox.messages[message].sender;
    event_queue_push(&kernel->queue, (struct moment){at_ps, sender * 2 + 1, message});
}

static void fail_clock(struct kernel *kernel, int rank)
{
    if (!kernel->failed)
        sim_error_set(kernel->error, SIM_UNFINISHED, NULL, 0,
                      "rank %d passes the end of the simulated clock, %d days; make the problem smaller", rank,
                      CLOCK_RANGE_DAYS);
    kernel->failed = true;
}

/* --- work on a rank's own processor --- */

/* Occupy the rank's processor for the event's length, which is given by end_ps - start_ps; start_ps is set here.
 * False when the rank has to be called again, because others may want the shared processor before. */
static bool occupy(struct kernel *kernel, int rank, struct event *event)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t length = event->end_ps - event->start_ps, start = self->clock_ps;
    if (length < 0 || __builtin_add_overflow(start, length, &event->end_ps)) {
        fail_clock(kernel, rank);
        return false;
    }
    event->lane = rank;
    event->peer = -1;
    if (kernel->cpus != NULL) {
        if (start > kernel->now_ps) {
            call_rank(kernel, rank, start);
            return false;
        }
        struct shared_cpu *cpu = &kernel->cpus[self->host];
        if (cpu->free_ps > start) {
            struct event wait = {.start_ps = start, .end_ps = cpu->free_ps, .origin_ps = cpu->free_ps, .lane = rank,
                                 .peer = cpu->last_rank, .state = STATE_IDLE, .kind = EVENT_WAIT_CPU,
                                 .cause = CAUSE_PEER, .scope = event->scope};
            emit(kernel, &wait);
            start = cpu->free_ps;
        }
        cpu->free_ps = start + length;
        cpu->last_rank = rank;
    }
    event->start_ps = start;
    event->end_ps = start + length;
    self->clock_ps = event->end_ps;
    emit(kernel, event);
    return true;
}

static bool do_compute(struct kernel *kernel, int rank, const struct op *op)
{
    const struct kernel_cost *cost = &kernel->kernel_costs[op->kernel];
    int64_t work[N_WORK_COMPONENTS], total = 0;
    for (int c = 0; c < N_WORK_COMPONENTS; c++)
        if (__builtin_mul_overflow(cost->work_ps[c], op->times, &work[c]) ||
            __builtin_add_overflow(total, work[c], &total))
            total = -1; /* makes occupy() fail */
    struct event event = {.end_ps = total, .operations = op->times, .work_ps = work, .kind = EVENT_COMPUTE,
                          .state = op->role == ROLE_CONTROL ? STATE_CONTROL : STATE_USEFUL, .scope = op->scope};
    return occupy(kernel, rank, &event);
}

static bool do_io(struct kernel *kernel, int rank, const struct op *op)
{
    const struct machine *machine = kernel->machine;
    bool input = op->kind == OP_READ;
    int64_t start = input ? machine->input_start_ps : machine->output_start_ps;
    int64_t byte = input ? machine->input_byte_ps : machine->output_byte_ps;
    int64_t length;
    if (__builtin_mul_overflow(byte, op->bytes, &length) || __builtin_add_overflow(length, start, &length))
        length = -1;
    struct event event = {.end_ps = length, .bytes = op->bytes, .state = STATE_USEFUL,
                          .kind = input ? EVENT_INPUT : EVENT_OUTPUT, .scope = op->scope};
    return occupy(kernel, rank, &event);
}

static bool do_link_init(struct kernel *kernel, int rank, const struct op *op)
{
    struct event event = {.end_ps = op->times * kernel->machine->link_init_ps, .state = STATE_CONTROL,
                          .kind = EVENT_COMMUNICATE, .scope = op->scope};
    return occupy(kernel, rank, &event);
}

/* --- messages --- */

/* Put `bytes` on the network at the present moment, on behalf of a message. */
static void inject(struct kernel *kernel, uint32_t index, int from_rank, int to_rank, int64_t bytes)
{
    struct message *message = &kernel->mailbox.messages[index];
    struct message_parts parts = machine_message_parts(kernel->machine, bytes);
    const int32_t *links = NULL;
    int from = kernel->ranks[from_rank].host, to = kernel->ranks[to_rank].host;
    int hops = from == to ? 0 : machine_route(kernel->machine, from, to, &links);
    message->transfer = (struct transfer){.bytes = bytes, .links = links, .hops = hops, .inject_ps = parts.inject_ps,
                                          .hop_ps = parts.hop_ps, .link_busy_ps = parts.link_busy_ps};
}

/* Let the network move a message on, and ask to be called when it has. */
static void move_on(struct kernel *kernel, uint32_t index)
{
    struct transfer *transfer = &kernel->mailbox.messages[index].transfer;
    int64_t at = 0;
    if (!kernel->run->network->advance(kernel->network, transfer, kernel->now_ps, &at))
        transfer->next_hop = DELIVERED;
    if (at < kernel->now_ps)
        fail_clock(kernel, kernel->mailbox.messages[index].sender);
    call_message(kernel, index, at);
}

static bool do_send(struct kernel *kernel, int rank, const struct op *op, int tag)
{
    struct rank *self = &kernel->ranks[rank];
    assert(op->peer >= 0 && op->peer < kernel->run->placement->n_ranks && op->peer != rank);
    uint32_t index = mailbox_new_message(&kernel->mailbox);
    struct message *message = &kernel->mailbox.messages[index];
    *message = (struct message){.bytes = op->bytes, .start_ps = kernel->now_ps, .sender = rank, .receiver = op->peer,
                                .tag = tag, .scope = op->scope};
    bool synchronous = op->mode == SEND_SYNCHRONOUS;
    message->phase = synchronous ? PHASE_REQUEST : PHASE_DATA;
    inject(kernel, index, rank, op->peer, synchronous ? kernel->machine->control_bytes : op->bytes);
    move_on(kernel, index);
    self->status = RANK_SENDING;
    self->peer = op->peer;
    self->tag = tag;
    kernel->stats.messages++;
    kernel->stats.bytes += op->bytes;
    return false;
}

/* The request of a synchronous send has met its receive, which was posted at the receiver's clock. */
static void clear_request(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->phase = PHASE_CLEAR;
    message->posted_ps = kernel->ranks[message->receiver].clock_ps;
    call_message(kernel, index, message->posted_ps > kernel->now_ps ? message->posted_ps : kernel->now_ps);
}

static bool do_recv(struct kernel *kernel, int rank, const struct op *op, int tag)
{
    struct rank *self = &kernel->ranks[rank];
    uint32_t index = mailbox_take(&kernel->mailbox, rank, op->peer, tag);
    if (index != NO_MESSAGE && kernel->mailbox.messages[index].phase == PHASE_DATA) {
        mailbox_free_message(&kernel->mailbox, index);
        return true;
    }
    self->status = RANK_RECEIVING;
    self->peer = op->peer;
    self->tag = tag;
    self->scope = op->scope;
    if (index != NO_MESSAGE)
        clear_request(kernel, index);
    return false;
}

/* The receiver's account of its wait: idle until the message was sent, then receiving. */
static void end_receive(struct kernel *kernel, const struct message *message, bool follows_sender)
{
    struct rank *receiver = &kernel->ranks[message->receiver];
    int64_t posted = receiver->clock_ps, sent = message->start_ps;
    if (posted >= kernel->now_ps)
        return; /* it came before it was asked for */
    struct event event = {.start_ps = posted, .end_ps = sent, .lane = message->receiver, .peer = message->sender,
                          .state = STATE_IDLE, .kind = EVENT_COMMUNICATE, .scope = receiver->scope};
    if (posted < sent)
        emit(kernel, &event);
    event.start_ps = posted < sent ? sent : posted;
    event.end_ps = kernel->now_ps;
    event.state = STATE_RECEIVE;
    if (follows_sender) {
        event.cause = CAUSE_PEER;
        event.origin_ps = sent;
    }
    emit(kernel, &event);
    receiver->clock_ps = kernel->now_ps;
}

/* The sender's account: sending, but idle between its request's coming and a receive posted only later. */
static void end_send(struct kernel *kernel, const struct message *message, bool follows_receiver)
{
    struct event event = {.start_ps = message->start_ps, .end_ps = kernel->now_ps, .lane = message->sender,
                          .peer = message->receiver, .state = STATE_SEND, .kind = EVENT_COMMUNICATE,
                          .scope = message->scope};
    if (follows_receiver) {
        event.end_ps = message->requested_ps;
        emit(kernel, &event);
        event.start_ps = message->requested_ps;
        event.end_ps = message->posted_ps;
        event.state = STATE_IDLE;
        emit(kernel, &event);
        event.start_ps = message->posted_ps;
        event.end_ps = kernel->now_ps;
        event.state = STATE_SEND;
        event.cause = CAUSE_PEER;
        event.origin_ps = message->posted_ps;
    }
    event.bytes = message->bytes;
    event.is_message = 1;
    emit(kernel, &event);
    kernel->ranks[message->sender].clock_ps = kernel->now_ps;
}

/* --- running a rank's program --- */

static const struct coll_spec *collective_of(const struct kernel *kernel, enum op_kind kind)
{
    switch (kind) {
    case OP_BROADCAST:
        return kernel->run->program->collectives.broadcast;
    case OP_SCATTER:
        return &coll_scatter;
    case OP_GATHER:
        return &coll_gather;
    default:
        return &coll_barrier;
    }
}

/* Do a send or receive; false when the rank is blocked by it. *count is advanced once it has begun. */
static bool do_message(struct kernel *kernel, int rank, const struct op *op, int tag, int64_t *count)
{
    if (op->kind == OP_RECV) {
        ++*count;
        return do_recv(kernel, rank, op, tag);
    }
    if (kernel->ranks[rank].clock_ps > kernel->now_ps) {
        call_rank(kernel, rank, kernel->ranks[rank].clock_ps);
        return false;
    }
    ++*count;
    return do_send(kernel, rank, op, tag);
}

/* Go on in a collective; true when the rank has done its part. */
static bool do_collective(struct kernel *kernel, int rank, const struct op *op)
{
    struct rank *self = &kernel->ranks[rank];
    const struct coll_call call = {.placement = kernel->run->placement,
                                   .options = &kernel->run->program->collectives,
                                   .n_ranks = kernel->run->placement->n_ranks,
                                   .root = op->peer,
                                   .bytes = op->bytes,
                                   .times = op->times};
    const struct coll_spec *spec = collective_of(kernel, op->kind);
    struct op message = {.scope = op->scope};
    while (spec->next(&call, rank, self->collective_op, &message))
        if (!do_message(kernel, rank, &message, COLLECTIVE_TAG, &self->collective_op))
            return false;
    self->collective_op = 0;
    return true;
}

/* Do the rank's next op; false when the rank must wait. */
static bool do_op(struct kernel *kernel, int rank, const struct op *op)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t begun = 0;
    bool done = false;
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
    case OP_RECV:
        done = do_message(kernel, rank, op, op->tag, &begun);
        self->op = (uint8_t)(self->op + begun);
        return done;
    case OP_COMPUTE:
        done = do_compute(kernel, rank, op);
        break;
    case OP_READ:
    case OP_WRITE:
        done = do_io(kernel, rank, op);
        break;
    case OP_LINK_INIT:
        done = do_link_init(kernel, rank, op);
        break;
    case OP_BROADCAST:
    case OP_SCATTER:
    case OP_GATHER:
    case OP_BARRIER:
        done = do_collective(kernel, rank, op);
        break;
    }
    self->op = (uint8_t)(self->op + done);
    return done;
}

/* Have the rank's present step in kernel->list; false when its program has ended. */
static bool list_step(struct kernel *kernel, int rank)
{
    struct rank *self = &kernel->ranks[rank];
    if (kernel->listed_rank == rank && kernel->listed_step == self->step)
        return true;
    const struct program *program = kernel->run->program;
    kernel->list.count = 0;
    kernel->listed_rank = rank;
    kernel->listed_step = self->step;
    return program->app->emit(program->config, rank, self->step, &kernel->list);
}

static void run_rank(struct kernel *kernel, int rank)
{
    struct rank *self = &kernel->ranks[rank];
    self->status = RANK_RUNNING;
    while (list_step(kernel, rank)) {
        while (self->op < kernel->list.count)
            if (!do_op(kernel, rank, &kernel->list.ops[self->op]))
                return;
        self->op = 0;
        self->step++;
    }
    kernel->listed_rank = -1;
    self->status = RANK_DONE;
    if (self->clock_ps > kernel->stats.end_ps)
        kernel->stats.end_ps = self->clock_ps;
}

/* --- what happens when a message arrives --- */

static bool awaits(const struct kernel *kernel, const struct message *message)
{
    const struct rank *receiver = &kernel->ranks[message->receiver];
    return receiver->status == RANK_RECEIVING && receiver->peer == message->sender && receiver->tag == message->tag;
}

static void data_arrived(struct kernel *kernel, uint32_t index)
{
    struct message message = kernel->mailbox.messages[index];
    bool awaited = awaits(kernel, &message);
    if (awaited) {
        end_receive(kernel, &message, true);
        mailbox_free_message(&kernel->mailbox, index);
    } else {
        mailbox_put(&kernel->mailbox, index);
    }
    end_send(kernel, &message, false);
    run_rank(kernel, message.sender);
    if (awaited)
        run_rank(kernel, message.receiver);
}

static void sync_data_arrived(struct kernel *kernel, uint32_t index)
{
    struct message message = kernel->mailbox.messages[index];
    mailbox_free_message(&kernel->mailbox, index);
    bool receiver_late = message.posted_ps > message.requested_ps;
    if (receiver_late) /* who follows the other must be accounted first */
        end_send(kernel, &message, true);
    end_receive(kernel, &message, !receiver_late);
    if (!receiver_late)
        end_send(kernel, &message, false);
    run_rank(kernel, message.sender);
    run_rank(kernel, message.receiver);
}

static void request_arrived(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->requested_ps = kernel->now_ps;
    if (awaits(kernel, message))
        clear_request(kernel, index);
    else
        mailbox_put(&kernel->mailbox, index);
}

static void transmit(struct kernel *kernel, uint32_t index, enum message_phase phase)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->phase = (uint8_t)phase;
    if (phase == PHASE_CLEARANCE)
        inject(kernel, index, message->receiver, message->sender, kernel->machine->control_bytes);
    else
        inject(kernel, index, message->sender, message->receiver, message->bytes);
    move_on(kernel, index);
}

static void handle_message(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    if (message->phase != PHASE_CLEAR && message->transfer.next_hop != DELIVERED) {
        move_on(kernel, index);
        return;
    }
    switch ((enum message_phase)message->phase) {
    case PHASE_DATA:
        data_arrived(kernel, index);
        break;
    case PHASE_REQUEST:
        request_arrived(kernel, index);
        break;
    case PHASE_CLEAR:
        transmit(kernel, index, PHASE_CLEARANCE);
        break;
    case PHASE_CLEARANCE:
        transmit(kernel, index, PHASE_SYNC_DATA);
        break;
    case PHASE_SYNC_DATA:
        sync_data_arrived(kernel, index);
        break;
    }
}

/* --- the end --- */

/* Append "rank 3 waits to receive from rank 5, " and return the rank waited for, or -1 if that one has ended. */
static int describe_wait(const struct kernel *kernel, int rank, char *text, size_t size, size_t *used)
{
    const struct rank *self = &kernel->ranks[rank];
    bool ended = kernel->ranks[self->peer].status == RANK_DONE;
    int n = snprintf(text + *used, size - *used, "%srank %d (step %lld) waits %s rank %d%s", *used > 0 ? ", " : "", rank,
                     (long long)self->step, self->status == RANK_SENDING ? "to send to" : "to receive from", self->peer,
                     ended ? ", which has ended" : "");
    if (n > 0)
        *used = *used + (size_t)n < size ? *used + (size_t)n : size - 1;
    return ended ? -1 : self->peer;
}

/* Report who waits for whom, from the first rank on the cycle until it closes. */
static void fail_deadlock(struct kernel *kernel)
{
    enum { MAX_LISTED = 12 };
    int n_ranks = kernel->run->placement->n_ranks, rank = 0, n_waiting = 0;
    for (int r = n_ranks - 1; r >= 0; r--)
        if (kernel->ranks[r].status != RANK_DONE) {
            rank = r;
            n_waiting++;
        }
    for (int i = 0; i < n_ranks && kernel->ranks[kernel->ranks[rank].peer].status != RANK_DONE; i++)
        rank = kernel->ranks[rank].peer; /* after n steps certainly on the cycle */
    char text[800] = "";
    size_t used = 0;
    int next = rank, listed = 0;
    do {
        next = describe_wait(kernel, next, text, sizeof text, &used);
    } while (++listed < MAX_LISTED && next >= 0 && next != rank);
    sim_error_set(kernel->error, SIM_UNFINISHED, NULL, 0, "deadlock after %.6g s, %d of %d ranks wait: %s%s",
                  units_seconds(kernel->now_ps), n_waiting, n_ranks, text, next >= 0 && next != rank ? ", ..." : "");
    kernel->failed = true;
}

/* Every lane's account runs to the end of the run. */
static void close_lanes(struct kernel *kernel)
{
    for (int r = 0; r < kernel->run->placement->n_ranks; r++) {
        struct event event = {.start_ps = kernel->ranks[r].clock_ps, .end_ps = kernel->stats.end_ps, .lane = r,
                              .peer = -1, .state = STATE_IDLE, .kind = EVENT_COMMUNICATE};
        if (event.start_ps < event.end_ps)
            emit(kernel, &event);
    }
}

static void run_events(struct kernel *kernel)
{
    int n_ranks = kernel->run->placement->n_ranks;
    for (int r = 0; r < n_ranks; r++)
        call_rank(kernel, r, 0);
    struct moment moment;
    while (!kernel->failed && event_queue_pop(&kernel->queue, &moment)) {
        kernel->now_ps = moment.at_ps;
        kernel->stats.events++;
        if (moment.order % 2 == 0)
            run_rank(kernel, (int)moment.index);
        else
            handle_message(kernel, moment.index);
    }
    for (int r = 0; r < n_ranks && !kernel->failed; r++)
        if (kernel->ranks[r].status != RANK_DONE)
            fail_deadlock(kernel);
    if (!kernel->failed)
        close_lanes(kernel);
}

static int count_names(const char *const *names)
{
    int count = 0;
    while (names[count] != NULL)
        count++;
    return count;
}

static void open_kernel(struct kernel *kernel)
{
    const struct placement *placement = kernel->run->placement;
    kernel->ranks = xcalloc((size_t)placement->n_ranks, sizeof *kernel->ranks);
    for (int r = 0; r < placement->n_ranks; r++)
        kernel->ranks[r].host = placement_host(placement, r);
    if (placement->ranks_per_host > 1)
        kernel->cpus = xcalloc((size_t)kernel->machine->n_hosts, sizeof *kernel->cpus);
    if (kernel->run->network->open != NULL)
        kernel->network = kernel->run->network->open(kernel->machine);
    event_queue_init(&kernel->queue);
    mailbox_init(&kernel->mailbox);
}

static void close_kernel(struct kernel *kernel)
{
    event_queue_dispose(&kernel->queue);
    mailbox_dispose(&kernel->mailbox);
    free(kernel->network);
    free(kernel->cpus);
    free(kernel->ranks);
    free(kernel->kernel_costs);
}

int kernel_run(struct kernel_stats *stats, const struct kernel_run *run, struct sim_error *error)
{
    struct kernel kernel = {.run = run, .machine = run->machine, .listed_rank = -1, .error = error};
    int n_kernels = count_names(run->program->app->kernels);
    kernel.kernel_costs = xcalloc((size_t)n_kernels, sizeof *kernel.kernel_costs);
    if (machine_bind_kernels(run->machine, run->program->app->kernels, n_kernels, kernel.kernel_costs, error) != 0) {
        free(kernel.kernel_costs);
        return -1;
    }
    open_kernel(&kernel);
    run_events(&kernel);
    if (!kernel.failed)
        *stats = kernel.stats;
    close_kernel(&kernel);
    return kernel.failed ? -1 : 0;
}
