/* Walks through a program rank by rank: its ops, and collectives as their messages, are put into words. */
#include "experiment/walk.h"

#include "base/memory.h"
#include "base/units.h"
#include "sim/collective/collective.h"
#include "sim/kernel/autotune.h"
#include "sim/program/groups.h"

#include <stdlib.h>
#include <string.h>

struct walk {
    const struct walk_words *words;
    void *state;
    struct walk_place place;
    const struct program *program;
    struct machine *machine;
    const struct placement *placement;
    struct kernel_cost *costs;
    struct groups groups;
    struct walk_begun *begun;
    size_t n_begun, capacity;
};

bool walk_is_wanted(const struct trace *trace)
{
    return trace != NULL && trace->format->of_program;
}

int walk_check(const struct trace *trace, const struct program *program, struct sim_error *error)
{
    if (program->app->emit_shared == NULL)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "application '%s' shares memory, for which a %s trace has no words; --trace with another "
                         "ending records its messages",
                         program->app->name, trace->format->ending);
}

/* --- work --- */

static void walk_sleep(const struct walk *walk, wide_int time_ps)
{
    walk->words->sleep(walk->state, &walk->place, units_clamp(time_ps));
}

static void walk_kernel(const struct walk *walk, const struct op *op)
{
    int64_t work[N_WORK_COMPONENTS];
    int64_t ps = machine_kernel_ps(&walk->costs[op->kernel], op->times, op->m, op->n, op->k, work);
    walk->words->work(walk->state, &walk->place, ps, op->role);
}

static void walk_io(const struct walk *walk, const struct op *op)
{
    const struct machine *machine = walk->machine;
    bool input = op->kind == OP_READ;
    walk_sleep(walk, (wide_int)(input ? machine->costs.input_byte_ps : machine->costs.output_byte_ps) * op->bytes +
                         (input ? machine->costs.input_start_ps : machine->costs.output_start_ps));
}

/* --- messages --- */

static void walk_wait(struct walk *walk, const struct op *op, int context)
{
    size_t i = 0;
    if (op->request == 0) {
        walk->words->wait_for_all(walk->state, &walk->place, walk->begun, walk->n_begun);
        walk->n_begun = 0;
        return;
    }
    while (i < walk->n_begun &&
           (walk->begun[i].request != op->request || (walk->begun[i].context != 0) != (context != 0)))
        i++;
    if (i == walk->n_begun) /* nothing is pending under that number */
        return;
    walk->words->wait(walk->state, &walk->place, &walk->begun[i]);
    walk->n_begun--;
    memmove(&walk->begun[i], &walk->begun[i + 1], (walk->n_begun - i) * sizeof *walk->begun);
}

static void walk_message(struct walk *walk, const struct op *op, int context)
{
    if (op->kind == OP_WAIT) {
        walk_wait(walk, op, context);
        return;
    }
    uint32_t number = walk->words->message(walk->state, &walk->place, op);
    if (op->kind != OP_ISEND && op->kind != OP_IRECV)
        return;
    walk->begun = xgrow(walk->begun, walk->n_begun, &walk->capacity, sizeof *walk->begun);
    walk->begun[walk->n_begun++] =
        (struct walk_begun){op->peer, op->tag, op->request, number, context, op->kind == OP_IRECV};
}

static void walk_collective(struct walk *walk, const struct op *op)
{
    const struct coll_options *options = &walk->program->collectives;
    const struct coll_spec *spec = coll_of(options, (enum op_kind)op->kind, op->group);
    int place = groups_place(&walk->groups, op->group, walk->place.rank);
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
        walk_message(walk, &message, op->group + 1);
    }
}

/* --- the program --- */

static void walk_op(struct walk *walk, const struct op *op)
{
    switch ((enum op_kind)op->kind) {
    case OP_COMPUTE:
        walk_kernel(walk, op);
        break;
    case OP_FLOPS:
        walk->words->flops(walk->state, &walk->place, op->flops, op->role);
        break;
    case OP_DELAY:
        if (op->role != ROLE_USEFUL)
            walk_sleep(walk, op->delay_ps);
        else
            walk->words->work(walk->state, &walk->place, op->delay_ps, op->role);
        break;
    case OP_READ:
    case OP_WRITE:
        walk_io(walk, op);
        break;
    case OP_LINK_INIT:
        walk_sleep(walk, (wide_int)op->links * walk->machine->costs.link_init_ps);
        break;
    case OP_SEND:
    case OP_RECV:
    case OP_ISEND:
    case OP_IRECV:
    case OP_WAIT:
        walk_message(walk, op, 0);
        break;
    case OP_PROBE: /* no format has one: what it may find is written after the last one */
        break;
    default: /* those of shared memory are not in such a program */
        walk_collective(walk, op);
        break;
    }
}

static int walk_rank(struct walk *walk, int rank, struct sim_error *error)
{
    const struct app_spec *app = walk->program->app;
    const void *config = walk->program->config;
    struct op_list list = {.count = 0};
    walk->place.rank = rank;
    walk->place.speed = machine_host_speed(walk->machine, placement_host(walk->placement, rank));
    walk->n_begun = 0;
    walk->words->begin_rank(walk->state, &walk->place);
    for (int64_t step = 0; app->emit(config, rank, step, &list); step++) {
        for (int i = 0; i < list.count; i = op_list_after(&list, i))
            walk_op(walk, &list.ops[i]);
        list.count = 0;
    }
    int status = walk->words->end_rank(walk->state, &walk->place, error);
    return status == 0 && app->failed != NULL ? app->failed(config, error) : status;
}

static int walk_all(struct walk *walk, struct sim_error *error)
{
    const struct walk_words *words = walk->words;
    int status = 0;
    walk->state = xcalloc(1, words->state_size + 1);
    if (words->begin != NULL)
        words->begin(walk->state, &walk->place, walk->placement->n_ranks);
    for (int r = 0; status == 0 && r < walk->placement->n_ranks; r++)
        status = walk_rank(walk, r, error);
    if (words->dispose != NULL)
        words->dispose(walk->state);
    free(walk->state);
    return status;
}

int walk_write(const struct trace *trace, const struct program *program, struct machine *machine,
               const struct placement *placement, struct sim_error *error)
{
    static const struct walk_words *const all[] = {&walk_words_ti, &walk_words_goal};
    int which = 0;
    while (all[which]->format != trace->format)
        which++;
    struct walk walk = {.words = all[which],
                        .place.trace = trace->self,
                        .program = program,
                        .machine = machine,
                        .placement = placement};
    int n_kernels = names_count(program->app->kernels), status;
    if (groups_init(&walk.groups, program->groups, program->n_groups, placement->n_ranks, error) != 0)
        return -1;
    walk.costs = xcalloc((size_t)n_kernels, sizeof *walk.costs);
    status = machine_bind_kernels(machine, program->app->kernels, n_kernels, walk.costs, error);
    if (status == 0)
        status = walk_all(&walk, error);
    free(walk.costs);
    free(walk.begun);
    groups_dispose(&walk.groups);
    return status;
}
