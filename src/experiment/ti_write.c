/* Walks through a program rank by rank and writes its ops as lines of TI, collectives as their messages. */
#include "experiment/ti_write.h"

#include "base/memory.h"
#include "base/units.h"
#include "sim/collective/collective.h"
#include "sim/kernel/autotune.h"
#include "sim/program/groups.h"
#include "trace/ti/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A double gives a time back exactly up to 2^51 ps. */
#define MAX_PIECE_PS (1000 * PS_PER_S)

/* A send or receive that has been begun and not waited for. */
struct begun {
    int32_t peer, tag;
    uint32_t request;
    int32_t context; /* 0, or that of the collective */
    bool receives;
};

struct walk {
    FILE *stream;
    const struct program *program;
    struct machine *machine;
    const struct placement *placement;
    struct kernel_cost *costs;
    struct groups groups;
    int rank;
    double speed; /* of its host */
    struct begun *begun;
    size_t n_begun, capacity;
};

bool ti_is_wanted(const struct trace *trace)
{
    return trace != NULL && trace->format == &trace_ti;
}

int ti_check(const struct program *program, struct sim_error *error)
{
    if (program->app->emit_shared == NULL)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "application '%s' shares memory, for which a TI trace has no words; --trace with another "
                         "ending records its messages",
                         program->app->name);
}

/* --- work --- */

static void write_compute(const struct walk *walk, double flops, uint8_t role)
{
    fprintf(walk->stream, "%d compute %.17g%s\n", walk->rank, flops, role == ROLE_CONTROL ? " control" : "");
}

static void write_time(const struct walk *walk, int64_t ps, uint8_t role)
{
    do {
        int64_t piece = ps < MAX_PIECE_PS ? ps : MAX_PIECE_PS;
        write_compute(walk, (double)((long double)piece * (long double)walk->speed / 1e12L), role);
        ps -= piece;
    } while (ps > 0);
}

static void write_sleep(const struct walk *walk, wide_int time_ps)
{
    int64_t ps = units_clamp(time_ps);
    fprintf(walk->stream, "%d sleep %" PRId64 ".%012" PRId64 "\n", walk->rank, ps / PS_PER_S, ps % PS_PER_S);
}

static void write_kernel(const struct walk *walk, const struct op *op)
{
    int64_t work[N_WORK_COMPONENTS];
    write_time(walk, machine_kernel_ps(&walk->costs[op->kernel], op->times, op->m, op->n, op->k, work), op->role);
}

static void write_io(const struct walk *walk, const struct op *op)
{
    const struct machine *machine = walk->machine;
    bool input = op->kind == OP_READ;
    write_sleep(walk, (wide_int)(input ? machine->costs.input_byte_ps : machine->costs.output_byte_ps) * op->bytes +
                          (input ? machine->costs.input_start_ps : machine->costs.output_start_ps));
}

/* --- messages --- */

/* TI has no tags below 0, which are those of collectives. */
static int32_t tag_of(const struct op *op)
{
    return op->tag < 0 ? INT32_MAX + (op->tag + 1) : op->tag;
}

static void write_wait(struct walk *walk, const struct op *op, int context)
{
    size_t i = 0;
    if (op->request == 0) {
        fprintf(walk->stream, "%d waitall\n", walk->rank);
        walk->n_begun = 0;
        return;
    }
    while (i < walk->n_begun &&
           (walk->begun[i].request != op->request || (walk->begun[i].context != 0) != (context != 0)))
        i++;
    if (i == walk->n_begun) /* nothing is pending under that number */
        return;
    const struct begun *begun = &walk->begun[i];
    int from = begun->receives ? begun->peer : walk->rank, to = begun->receives ? walk->rank : begun->peer;
    fprintf(walk->stream, "%d wait %d %d %d\n", walk->rank, from, to, begun->tag);
    walk->n_begun--;
    memmove(&walk->begun[i], &walk->begun[i + 1], (walk->n_begun - i) * sizeof *walk->begun);
}

static void write_message(struct walk *walk, const struct op *op, int context)
{
    static const char *const names[] = {
        [OP_SEND] = "send", [OP_RECV] = "recv", [OP_ISEND] = "isend", [OP_IRECV] = "irecv"};
    bool receives = op->kind == OP_RECV || op->kind == OP_IRECV;
    int64_t count;
    int datatype;
    if (op->kind == OP_WAIT) {
        write_wait(walk, op, context);
        return;
    }
    trace_ti_elements(&count, &datatype, op->bytes);
    fprintf(walk->stream, "%d %s %d %d %" PRId64 " %d%s\n", walk->rank, names[op->kind], op->peer, tag_of(op), count,
            datatype, !receives && op->mode == SEND_SYNCHRONOUS ? " synchronous" : "");
    if (op->kind != OP_ISEND && op->kind != OP_IRECV)
        return;
    walk->begun = xgrow(walk->begun, walk->n_begun, &walk->capacity, sizeof *walk->begun);
    walk->begun[walk->n_begun++] = (struct begun){op->peer, tag_of(op), op->request, context, receives};
}

static void write_collective(struct walk *walk, const struct op *op)
{
    const struct coll_options *options = &walk->program->collectives;
    const struct coll_spec *spec = coll_of(options, (enum op_kind)op->kind, op->group);
    int place = groups_place(&walk->groups, op->group, walk->rank);
    bool has_root = coll_families[coll_family_of((enum op_kind)op->kind)].has_root;
    if (spec->next == NULL)
        spec = autotune_look_up(options->autotune, &walk->groups, op);
    const struct coll_call call = {.placement = walk->placement,
                                   .machine = walk->machine,
                                   .options = options,
                                   .n_ranks = groups_size(&walk->groups, op->group),
                                   .root = has_root ? groups_place(&walk->groups, op->group, op->peer) : 0,
                                   .bytes = op->bytes,
                                   .blocks = op->blocks};
    struct op message = {.tag = -1};
    for (int64_t i = 0; spec->next(&call, place, i, &message); i++) {
        message.peer = message.kind == OP_WAIT ? 0 : groups_rank(&walk->groups, op->group, message.peer);
        write_message(walk, &message, op->group + 1);
    }
}

/* --- the program --- */

static void write_op(struct walk *walk, const struct op *op)
{
    switch ((enum op_kind)op->kind) {
    case OP_COMPUTE:
        write_kernel(walk, op);
        break;
    case OP_FLOPS:
        write_compute(walk, op->flops, op->role);
        break;
    case OP_DELAY:
        if (op->role == ROLE_CONTROL)
            write_sleep(walk, op->delay_ps);
        else
            write_time(walk, op->delay_ps, op->role);
        break;
    case OP_READ:
    case OP_WRITE:
        write_io(walk, op);
        break;
    case OP_LINK_INIT:
        write_sleep(walk, (wide_int)op->links * walk->machine->costs.link_init_ps);
        break;
    case OP_SEND:
    case OP_RECV:
    case OP_ISEND:
    case OP_IRECV:
    case OP_WAIT:
        write_message(walk, op, 0);
        break;
    case OP_PROBE: /* TI has none: what it may find is written after the last one */
        break;
    default: /* those of shared memory are not in such a program */
        write_collective(walk, op);
        break;
    }
}

static int write_rank(struct walk *walk, int rank, struct sim_error *error)
{
    const struct app_spec *app = walk->program->app;
    const void *config = walk->program->config;
    struct op_list list = {.count = 0};
    walk->rank = rank;
    walk->speed = machine_host_speed(walk->machine, placement_host(walk->placement, rank));
    walk->n_begun = 0;
    fprintf(walk->stream, "%d init\n", rank);
    for (int64_t step = 0; app->emit(config, rank, step, &list); step++) {
        for (int i = 0; i < list.count; i = op_list_after(&list, i))
            write_op(walk, &list.ops[i]);
        list.count = 0;
    }
    fprintf(walk->stream, "%d finalize\n", rank);
    return app->failed != NULL ? app->failed(config, error) : 0;
}

int ti_write(const struct trace *trace, const struct program *program, struct machine *machine,
             const struct placement *placement, struct sim_error *error)
{
    struct walk walk = {
        .stream = trace_ti_stream(trace->self), .program = program, .machine = machine, .placement = placement};
    int n_kernels = names_count(program->app->kernels), status;
    if (groups_init(&walk.groups, program->groups, program->n_groups, placement->n_ranks, error) != 0)
        return -1;
    walk.costs = xcalloc((size_t)n_kernels, sizeof *walk.costs);
    status = machine_bind_kernels(machine, program->app->kernels, n_kernels, walk.costs, error);
    for (int r = 0; status == 0 && r < placement->n_ranks; r++)
        status = write_rank(&walk, r, error);
    free(walk.costs);
    free(walk.begun);
    groups_dispose(&walk.groups);
    return status;
}
