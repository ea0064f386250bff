/* Ranks run ahead of the present on their own clocks as far as nothing outside can touch them: through computation and
 * into a receive. What changes the network is done at the present only, so a rank that wants to send later than now
 * asks to be called again at that moment. A blocked rank holds no stack: its program is asked for the step once more. */
#include "sim/kernel_internal.h"

#include "base/memory.h"
#include "base/units.h"
#include "sim/dsm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { COLLECTIVE_TAG = -1 };

void kernel_emit(const struct kernel *kernel, const struct event *event)
{
    for (int i = 0; i < kernel->run->n_sinks; i++)
        kernel->run->sinks[i].take(kernel->run->sinks[i].self, event);
}

/* The queue's tie order: by the rank that acts, its own going on before its messages. */
void kernel_call_rank(struct kernel *kernel, int rank, int64_t at_ps)
{
    event_queue_push(&kernel->queue, (struct moment){at_ps, (uint32_t)rank * 2, (uint32_t)rank});
}

void kernel_call_message(struct kernel *kernel, uint32_t message, int64_t at_ps)
{
    uint32_t sender = (uint32_t)kernel->mailbox.messages[message].sender;
    event_queue_push(&kernel->queue, (struct moment){at_ps, sender * 2 + 1, message});
}

void kernel_fail_clock(struct kernel *kernel, int rank)
{
    if (!kernel->failed)
        sim_error_set(kernel->error, SIM_UNFINISHED, NULL, 0,
                      "rank %d passes the end of the simulated clock, %.3g days; make the problem smaller", rank,
                      units_seconds(PS_MAX) / 86400);
    kernel->failed = true;
}

/* --- work on a rank's own processor --- */

/* Occupy the rank's processor for the event's length, which is given by end_ps - start_ps; start_ps is set here.
 * False when the rank has to be called again, because others may want the shared processor before. */
static bool occupy(struct kernel *kernel, int rank, struct event *event)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t length = event->end_ps - event->start_ps, start = self->clock_ps;
    if (length < 0 || length > PS_MAX - start) {
        kernel_fail_clock(kernel, rank);
        return false;
    }
    event->lane = rank;
    event->peer = -1;
    if (kernel->cpus != NULL) {
        if (start > kernel->now_ps) {
            kernel_call_rank(kernel, rank, start);
            return false;
        }
        struct shared_cpu *cpu = &kernel->cpus[self->host];
        if (cpu->free_ps > PS_MAX - length) {
            kernel_fail_clock(kernel, rank);
            return false;
        }
        if (cpu->free_ps > start) {
            struct event wait = {.start_ps = start,
                                 .end_ps = cpu->free_ps,
                                 .origin_ps = cpu->free_ps,
                                 .lane = rank,
                                 .peer = cpu->last_rank,
                                 .state = STATE_IDLE,
                                 .kind = EVENT_WAIT_CPU,
                                 .cause = CAUSE_PEER,
                                 .scope = event->scope};
            kernel_emit(kernel, &wait);
            start = cpu->free_ps;
        }
        cpu->free_ps = start + length;
        cpu->last_rank = rank;
    }
    event->start_ps = start;
    event->end_ps = start + length;
    self->clock_ps = event->end_ps;
    kernel_emit(kernel, event);
    return true;
}

/* Basic operations of the op: iterations, or the product of the dimensions of each call. */
static int64_t count_operations(const struct op *op)
{
    const int32_t dimensions[] = {op->m, op->n, op->k};
    wide_int count = op->times;
    for (int i = 0; i < 3; i++)
        count = dimensions[i] > 0 && count < INT64_MAX ? count * dimensions[i] : count;
    return count < INT64_MAX ? (int64_t)count : INT64_MAX;
}

/* Whether the op's call takes less than no time, which ends the run. */
static bool fail_negative(struct kernel *kernel, int rank, const struct op *op)
{
    const struct kernel_cost *cost = &kernel->kernel_costs[op->kernel];
    if (!polynomial_is_negative(&cost->polynomial, op->m, op->n, op->k))
        return false;
    sim_error_set(kernel->error, SIM_BAD_INPUT, NULL, 0,
                  "rank %d calls %s with m=%d n=%d k=%d, for which the polynomial kernel.%s of %s is negative", rank,
                  cost->name, op->m, op->n, op->k, cost->name, kernel->machine->name);
    kernel->failed = true;
    return true;
}

/* Note a call outside the range of its kernel's polynomial. A call with nothing to do is none. */
static void watch_range(struct kernel *kernel, const struct op *op)
{
    const struct kernel_cost *cost = &kernel->kernel_costs[op->kernel];
    const struct polynomial *polynomial = &cost->polynomial;
    const int32_t dimensions[] = {op->m, op->n, op->k};
    struct kernel_outside *outside = &kernel->stats.outside;
    bool inside = true;
    if (polynomial->from <= 1 && (polynomial->n_terms == 0 || polynomial->to == INT64_MAX))
        return;
    for (int d = 0; d < polynomial_dimensions(polynomial); d++) {
        if (dimensions[d] == 0)
            return;
        inside &= dimensions[d] >= polynomial->from && dimensions[d] <= polynomial->to;
    }
    if (inside || op->times == 0)
        return;
    if (outside->n_calls == 0) {
        *outside = (struct kernel_outside){0, "", polynomial->from, polynomial->to, op->m, op->n, op->k};
        memcpy(outside->kernel, cost->name, sizeof outside->kernel);
    }
    outside->n_calls += op->times;
}

static bool do_compute(struct kernel *kernel, int rank, const struct op *op)
{
    int64_t work[N_WORK_COMPONENTS];
    int64_t total = machine_kernel_ps(&kernel->kernel_costs[op->kernel], op->times, op->m, op->n, op->k, work);
    if (total == 0 && fail_negative(kernel, rank, op))
        return false;
    watch_range(kernel, op);
    struct event event = {.end_ps = total,
                          .operations = count_operations(op),
                          .work_ps = work,
                          .kind = EVENT_COMPUTE,
                          .state = op->role == ROLE_CONTROL ? STATE_CONTROL : STATE_USEFUL,
                          .scope = op->scope};
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
    struct event event = {.end_ps = length,
                          .bytes = op->bytes,
                          .state = STATE_USEFUL,
                          .kind = input ? EVENT_INPUT : EVENT_OUTPUT,
                          .scope = op->scope};
    return occupy(kernel, rank, &event);
}

static bool do_link_init(struct kernel *kernel, int rank, const struct op *op)
{
    struct event event = {.end_ps = units_clamp((wide_int)op->times * kernel->machine->link_init_ps),
                          .state = STATE_CONTROL,
                          .kind = EVENT_COMMUNICATE,
                          .scope = op->scope};
    return occupy(kernel, rank, &event);
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

/* Spend the processor's time on handing a message over; false when the rank has to be called again. */
static bool pay_overhead(struct kernel *kernel, int rank, const struct op *op)
{
    const struct machine *machine = kernel->machine;
    struct rank *self = &kernel->ranks[rank];
    int64_t overhead = units_clamp(machine->send_start_ps + (wide_int)machine->send_byte_ps * op->bytes);
    if (overhead == 0 || self->overhead_paid)
        return true;
    struct event event = {.end_ps = overhead, .state = STATE_SEND, .kind = EVENT_COMMUNICATE, .scope = op->scope};
    self->overhead_paid = occupy(kernel, rank, &event);
    return self->overhead_paid;
}

/* Spend the processor's time on the message that has come last; false when the rank has to be called again. */
static bool finish_take_in(struct kernel *kernel, int rank)
{
    struct rank *self = &kernel->ranks[rank];
    if (self->take_in_ps == 0)
        return true;
    struct event event = {
        .end_ps = self->take_in_ps, .state = STATE_RECEIVE, .kind = EVENT_COMMUNICATE, .scope = self->scope};
    if (!occupy(kernel, rank, &event))
        return false;
    self->take_in_ps = 0;
    return true;
}

/* Do a send or receive; false when the rank is blocked by it. *count is advanced once it has begun. */
static bool do_message(struct kernel *kernel, int rank, const struct op *op, int tag, int64_t *count)
{
    struct rank *self = &kernel->ranks[rank];
    if (!finish_take_in(kernel, rank))
        return false;
    if (op->kind == OP_RECV) {
        ++*count;
        return kernel_recv(kernel, rank, op, tag);
    }
    if (!pay_overhead(kernel, rank, op))
        return false;
    if (self->clock_ps > kernel->now_ps) {
        kernel_call_rank(kernel, rank, self->clock_ps);
        return false;
    }
    self->overhead_paid = false;
    ++*count;
    return kernel_send(kernel, rank, op, tag);
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
    if (!finish_take_in(kernel, rank))
        return false;
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
    case OP_ISEND:
    case OP_RECV:
        done = do_message(kernel, rank, op, op->tag, &begun);
        self->op = (uint8_t)(self->op + begun);
        return done;
    case OP_WAIT:
        self->op++;
        return kernel_wait(kernel, rank, op);
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
    case OP_PAGE_READ:
    case OP_PAGE_WRITE:
    case OP_ACQUIRE:
    case OP_RELEASE:
    case OP_FETCH_ADD:
    case OP_PUT:
    case OP_TAKE:
        assert(!"an op of programs that share memory");
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

void kernel_run_rank(struct kernel *kernel, int rank)
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
    if (!finish_take_in(kernel, rank))
        return;
    kernel->listed_rank = -1;
    self->status = RANK_DONE;
    if (self->clock_ps > kernel->stats.end_ps)
        kernel->stats.end_ps = self->clock_ps;
}

/* --- from the beginning to the end --- */

/* Every lane's account runs to the end of the run. */
static void close_lanes(struct kernel *kernel)
{
    for (int r = 0; r < kernel->run->placement->n_ranks; r++) {
        struct event event = {.start_ps = kernel->ranks[r].clock_ps,
                              .end_ps = kernel->stats.end_ps,
                              .lane = r,
                              .peer = -1,
                              .state = STATE_IDLE,
                              .kind = EVENT_COMMUNICATE};
        if (event.start_ps < event.end_ps)
            kernel_emit(kernel, &event);
    }
}

/* The network has something of its own to happen before the queue's next moment. */
static bool network_event(struct kernel *kernel)
{
    const struct network_spec *network = kernel->run->network;
    uint32_t message;
    if (network->wait == NULL)
        return false;
    int64_t until = event_queue_next(&kernel->queue);
    if (!network->wait(kernel->network, until, &message, &kernel->now_ps))
        return false;
    kernel->mailbox.messages[message].transfer.done = true;
    kernel_handle_message(kernel, message);
    return true;
}

/* Do what comes next; false when there is nothing left. */
static bool next_event(struct kernel *kernel)
{
    struct moment moment;
    if (network_event(kernel))
        return true;
    if (!event_queue_pop(&kernel->queue, &moment))
        return false;
    kernel->now_ps = moment.at_ps;
    if (moment.order % 2 == 0)
        kernel_run_rank(kernel, (int)moment.index);
    else
        kernel_handle_message(kernel, moment.index);
    return true;
}

static void run_events(void *data)
{
    struct kernel *kernel = data;
    int n_ranks = kernel->run->placement->n_ranks;
    for (int r = 0; r < n_ranks; r++)
        kernel_call_rank(kernel, r, 0);
    while (!kernel->failed && next_event(kernel))
        kernel->stats.events++;
    for (int r = 0; r < n_ranks && !kernel->failed; r++)
        if (kernel->ranks[r].status != RANK_DONE)
            kernel_fail_deadlock(kernel);
    if (!kernel->failed)
        close_lanes(kernel);
    kernel->finished = true;
}

static void open_kernel(struct kernel *kernel)
{
    const struct placement *placement = kernel->run->placement;
    kernel->ranks = xcalloc((size_t)placement->n_ranks, sizeof *kernel->ranks);
    for (int r = 0; r < placement->n_ranks; r++)
        kernel->ranks[r].host = placement_host(placement, r);
    if (placement->ranks_per_host > 1)
        kernel->cpus = xcalloc((size_t)kernel->machine->n_hosts, sizeof *kernel->cpus);
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
    if (run->program->app->emit_shared != NULL)
        return dsm_run(stats, run, error);
    struct kernel kernel = {.run = run, .machine = run->machine, .listed_rank = -1, .error = error};
    int n_kernels = names_count(run->program->app->kernels);
    kernel.kernel_costs = xcalloc((size_t)n_kernels, sizeof *kernel.kernel_costs);
    if (machine_bind_kernels(run->machine, run->program->app->kernels, n_kernels, kernel.kernel_costs, error) != 0) {
        free(kernel.kernel_costs);
        return -1;
    }
    open_kernel(&kernel);
    if (run->network->host != NULL)
        run->network->host(kernel.network, run_events, &kernel);
    else
        run_events(&kernel);
    if (!kernel.finished) {
        sim_error_set(error, SIM_UNFINISHED, NULL, 0, "network '%s' stopped before the simulation was done",
                      run->network->name);
        kernel.failed = true;
    }
    if (!kernel.failed)
        *stats = kernel.stats;
    close_kernel(&kernel);
    return kernel.failed ? -1 : 0;
}
