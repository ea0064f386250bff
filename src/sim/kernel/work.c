/* The work of a rank on its own processor: computation, I/O, setting up links.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/internal.h"

#include "base/debug.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* The ranks of a host have its cores in turn. */
static struct shared_cpu *cpu_of(struct kernel *kernel, int location)
{
    const struct placement *placement = kernel->run->placement;
    int cores = kernel->machine->cores, host = kernel->ranks[location % placement->n_ranks].host;
    int place = placement_seat(placement, location % placement->n_ranks) +
                location / placement->n_ranks * placement->ranks_per_host;
    return &kernel->cpus[(int64_t)host * cores + place % cores];
}

/* Idle until the shared processor is free; the time from which on it is. */
static int64_t wait_for_cpu(struct kernel *kernel, const struct shared_cpu *cpu, int64_t start,
                            const struct interval *interval)
{
    struct interval wait = {.start_ps = start,
                            .end_ps = cpu->free_ps,
                            .origin_ps = cpu->free_ps,
                            .location = interval->location,
                            .peer = cpu->last_location,
                            .state = STATE_IDLE,
                            .kind = INTERVAL_WAIT_CPU,
                            .cause = CAUSE_PEER,
                            .scope = interval->scope};
    if (cpu->free_ps <= start)
        return start;
    kernel_emit(kernel, &wait);
    return cpu->free_ps;
}

int64_t kernel_take_cpu(struct kernel *kernel, const struct interval *interval, int64_t start_ps, int64_t length_ps)
{
    struct shared_cpu *cpu = cpu_of(kernel, interval->location);
    if (cpu->free_ps > PS_MAX - length_ps)
        return PS_TOO_LONG;
    int64_t from_ps = wait_for_cpu(kernel, cpu, start_ps, interval);
    assert(from_ps >= cpu->free_ps); /* a core serves one at a time */
    cpu->free_ps = from_ps + length_ps;
    cpu->last_location = interval->location;
    return from_ps;
}

/* True if the location has a processor; with progress of messages, strands at the rank's last location need none. */
static bool has_processor(const struct kernel *kernel, int rank)
{
    const struct program *program = kernel->run->program;
    return !program->has_progress ||
           kernel_location_of(kernel, rank) < kernel->run->placement->n_ranks * (program->n_processors - 1);
}

bool kernel_occupy(struct kernel *kernel, int rank, struct interval *interval)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t length = interval->end_ps - interval->start_ps, start = self->clock_ps;
    if (length < 0 || length > PS_MAX - start) {
        kernel_fail_clock(kernel, rank);
        return false;
    }
    interval->location = kernel_location_of(kernel, rank);
    /* Neither work that takes no time nor sleep needs a processor. */
    if (kernel->cpus != NULL && length > 0 && interval->state != STATE_IDLE && has_processor(kernel, rank)) {
        if (kernel_needs_order(kernel))
            return false;
        if (start > kernel->now_ps) {
            kernel_call_rank(kernel, rank, start);
            return false;
        }
        start = kernel_take_cpu(kernel, interval, start, length);
        if (start > PS_MAX) {
            kernel_fail_clock(kernel, rank);
            return false;
        }
    }
    assert(start >= self->clock_ps);
    interval->start_ps = start;
    interval->end_ps = start + length;
    self->clock_ps = interval->end_ps;
    DEBUG(SCHEDULE, start, "rank", rank, "%s until %.12f s", location_state_names[interval->state],
          DEBUG_S(interval->end_ps));
    kernel_emit(kernel, interval);
    return true;
}

/* --- kernels whose cost the machine knows --- */

/* Basic operations of the op: iterations, or the product of the dimensions of each call. */
static int64_t count_operations(const struct op *op)
{
    const int32_t dimensions[] = {op->m, op->n, op->k};
    wide_int count = op->times;
    for (int i = 0; i < 3; i++)
        count = dimensions[i] > 0 && count < INT64_MAX ? count * dimensions[i] : count;
    return count < INT64_MAX ? (int64_t)count : INT64_MAX;
}

/* True if the op's call takes less than no time, which ends the run. */
static bool fail_negative(struct kernel *kernel, int rank, const struct op *op)
{
    const struct kernel_cost *cost = &kernel->kernel_costs[op->kernel];
    char why[300];
    if (machine_explain_law(why, sizeof why, cost, op->times, op->m, op->n, op->k)) {
        kernel_fail(kernel, "rank %d %s", kernel_rank_of(kernel, rank), why);
        return true;
    }
    if (!polynomial_is_negative(&cost->polynomial, op->m, op->n, op->k))
        return false;
    kernel_fail(kernel, "rank %d calls %s with m=%d n=%d k=%d, for which the polynomial kernel.%s of %s is negative",
                kernel_rank_of(kernel, rank), cost->name, op->m, op->n, op->k, cost->name, kernel->machine->name);
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
    if (inside || op->times == 0 || kernel_needs_order(kernel)) /* the first one is noted */
        return;
    if (outside->n_calls == 0) {
        *outside = (struct kernel_outside){0, "", polynomial->from, polynomial->to, op->m, op->n, op->k};
        memcpy(outside->kernel, cost->name, sizeof outside->kernel);
    }
    outside->n_calls += op->times;
}

/* Compute for `total`. If that is -1, more than any clock holds, kernel_occupy() has the run fail. */
static bool compute(struct kernel *kernel, int rank, const struct op *op, int64_t total, int64_t *work,
                    int64_t operations)
{
    if (kernel->run->change != NULL && total > 0)
        total = engine_change_work(kernel->run, kernel_location_of(kernel, rank), kernel->ranks[rank].step, op, work);
    struct interval interval = {.end_ps = total,
                                .operations = operations,
                                .work_ps = work,
                                .peer = -1,
                                .kind = INTERVAL_COMPUTE,
                                .state = op->role == ROLE_CONTROL ? STATE_CONTROL : STATE_USEFUL,
                                .scope = op->scope};
    return kernel_occupy(kernel, rank, &interval);
}

static bool do_compute(struct kernel *kernel, int rank, const struct op *op)
{
    int64_t work[N_WORK_COMPONENTS];
    int64_t total = machine_kernel_ps(&kernel->kernel_costs[op->kernel], op->times, op->m, op->n, op->k, work);
    if (total <= 0 && fail_negative(kernel, rank, op))
        return false;
    watch_range(kernel, op);
    if (kernel->failed)
        return false;
    return compute(kernel, rank, op, total, work, count_operations(op));
}

/* --- work that is given as floating-point operations or as a time --- */

/* The speed of the rank's host, flop/s; asked from the machine once. */
static double speed_of(struct kernel *kernel, int rank)
{
    int host = kernel->ranks[rank].host;
    if (kernel->host_speeds == NULL)
        kernel->host_speeds = xcalloc((size_t)kernel->machine->net->n_hosts, sizeof *kernel->host_speeds);
    if (kernel->host_speeds[host] == 0)
        kernel->host_speeds[host] = machine_host_speed(kernel->machine, host);
    return kernel->host_speeds[host];
}

static bool do_flops(struct kernel *kernel, int rank, const struct op *op)
{
    double speed_flopps = speed_of(kernel, rank), ps = op->flops * 1e12 / speed_flopps;
    int64_t total = ps >= 0 && ps <= (double)PS_MAX ? round_quotient(op->flops, 1e12, speed_flopps) : -1;
    int64_t work[N_WORK_COMPONENTS] = {[WORK_FPU] = total};
    int64_t operations = op->flops < 9e18 ? llround(op->flops) : INT64_MAX;
    return compute(kernel, rank, op, total, work, op->operations > 0 ? op->operations : operations);
}

/* Time in the message library, or asleep, which no processor makes shorter. */
static bool do_call(struct kernel *kernel, int rank, const struct op *op)
{
    static const struct {
        uint8_t kind, state, call, wait;
    } ways[] = {[ROLE_LIBRARY] = {INTERVAL_COMMUNICATE, STATE_LIBRARY, CALL_PLAIN, WAIT_NONE},
                [ROLE_START] = {INTERVAL_COMMUNICATE, STATE_LIBRARY, CALL_START, WAIT_NONE},
                [ROLE_INPUT] = {INTERVAL_INPUT, STATE_IO, CALL_PLAIN, WAIT_NONE},
                [ROLE_OUTPUT] = {INTERVAL_OUTPUT, STATE_IO, CALL_PLAIN, WAIT_NONE},
                [ROLE_SLEEP] = {INTERVAL_WAIT_CPU, STATE_IDLE, CALL_PLAIN, WAIT_SLEEP},
                [ROLE_LAUNCH] = {INTERVAL_WAIT_CPU, STATE_IDLE, CALL_PLAIN, WAIT_LAUNCH},
                [ROLE_SEND] = {INTERVAL_COMMUNICATE, STATE_SEND, CALL_COLLECTIVE, WAIT_NONE}};
    int64_t work[N_WORK_COMPONENTS] = {[WORK_CPU] = op->delay_ps}, total = op->delay_ps;
    if (kernel->run->change != NULL && total > 0 && op->role != ROLE_SLEEP && op->role != ROLE_LAUNCH)
        total = engine_change_work(kernel->run, kernel_location_of(kernel, rank), kernel->ranks[rank].step, op, work);
    struct interval interval = {.end_ps = total,
                                .bytes = op->bytes,
                                .peer = -1,
                                .state = ways[op->role].state,
                                .kind = ways[op->role].kind,
                                .call = ways[op->role].call,
                                .wait = ways[op->role].wait,
                                .scope = op->scope};
    return kernel_occupy(kernel, rank, &interval);
}

static bool do_delay(struct kernel *kernel, int rank, const struct op *op)
{
    if (op->role > ROLE_CONTROL)
        return do_call(kernel, rank, op);
    int64_t work[N_WORK_COMPONENTS] = {[WORK_CPU] = op->delay_ps};
    return compute(kernel, rank, op, op->delay_ps, work, op->operations);
}

/* --- I/O and links --- */

static bool do_io(struct kernel *kernel, int rank, const struct op *op)
{
    const struct machine *machine = kernel->machine;
    bool input = op->kind == OP_READ;
    int64_t start = input ? machine->costs.input_start_ps : machine->costs.output_start_ps;
    int64_t byte = input ? machine->costs.input_byte_ps : machine->costs.output_byte_ps;
    int64_t length;
    if (__builtin_mul_overflow(byte, op->bytes, &length) || __builtin_add_overflow(length, start, &length))
        length = -1;
    struct interval interval = {.end_ps = length,
                                .bytes = op->bytes,
                                .peer = -1,
                                .state = STATE_USEFUL,
                                .kind = input ? INTERVAL_INPUT : INTERVAL_OUTPUT,
                                .scope = op->scope};
    return kernel_occupy(kernel, rank, &interval);
}

static bool do_link_init(struct kernel *kernel, int rank, const struct op *op)
{
    struct interval interval = {.end_ps = units_clamp((wide_int)op->links * kernel->machine->costs.link_init_ps),
                                .peer = -1,
                                .state = STATE_CONTROL,
                                .kind = INTERVAL_COMMUNICATE,
                                .scope = op->scope};
    return kernel_occupy(kernel, rank, &interval);
}

bool kernel_work(struct kernel *kernel, int rank, const struct op *op)
{
    switch ((enum op_kind)op->kind) {
    case OP_COMPUTE:
        return do_compute(kernel, rank, op);
    case OP_FLOPS:
        return do_flops(kernel, rank, op);
    case OP_DELAY:
        return do_delay(kernel, rank, op);
    case OP_LINK_INIT:
        return do_link_init(kernel, rank, op);
    default:
        return do_io(kernel, rank, op);
    }
}
