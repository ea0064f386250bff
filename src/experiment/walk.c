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

void walk_remark_shared(struct trace *trace, const struct program *program)
{
    if (program->app->emit_shared != NULL && trace->format->copy != NULL)
        trace->remark =
            xstrdup("a replay may take another time than the run, since a request of shared memory is answered "
                    "when it comes, and the trace has it at the place in the program where this run "
                    "answered it");
}

/* --- work --- */

static void walk_sleep(struct walk *walk, wide_int time_ps)
{
    walk->words->sleep(walk->state, &walk->place, units_clamp(time_ps));
}

static void walk_kernel(struct walk *walk, const struct op *op)
{
    int64_t work[N_WORK_COMPONENTS];
    int64_t ps = machine_kernel_ps(&walk->costs[op->kernel], op->times, op->m, op->n, op->k, work);
    walk->words->work(walk->state, &walk->place, ps, op->role);
}

static void walk_io(struct walk *walk, const struct op *op)
{
    const struct machine *machine = walk->machine;
    bool input = op->kind == OP_READ;
    walk_sleep(walk, (wide_int)(input ? machine->costs.input_byte_ps : machine->costs.output_byte_ps) * op->bytes +
                         (input ? machine->costs.input_start_ps : machine->costs.output_start_ps));
}

/* --- messages --- */

/* Wait for one that has been begun, the i-th. */
static void end_begun(struct walk *walk, size_t i)
{
    const struct walk_begun ended = walk->begun[i];
    for (size_t k = 0; k < i; k++)
        walk->place.lost[WALK_OVERTAKEN] += walk->begun[k].peer == ended.peer && walk->begun[k].tag == ended.tag &&
                                            walk->begun[k].receives == ended.receives;
    walk->words->wait(walk->state, &walk->place, &ended);
    if (ended.combination_ps > 0)
        walk_sleep(walk, ended.combination_ps);
    walk->n_begun--;
    memmove(&walk->begun[i], &walk->begun[i + 1], (walk->n_begun - i) * sizeof *walk->begun);
}

/* Wait for all requests of one kind, in the order in which they were begun. In a collective those begun outside go
 * on. */
static void end_all(struct walk *walk, bool receives, bool collective)
{
    for (size_t i = 0; i < walk->n_begun;)
        if (walk->begun[i].receives == receives && (walk->begun[i].context != 0 || !collective))
            end_begun(walk, i);
        else
            i++;
}

/* True if the order in which receives are waited for can matter: it costs the processor something to take a message
 * in. */
static bool has_order(const struct walk *walk)
{
    const struct cost_model *costs = &walk->machine->costs;
    size_t n_receives = 0;
    for (size_t i = 0; i < walk->n_begun; i++)
        n_receives += walk->begun[i].receives;
    return n_receives > 1 && cost_model_receive_ps(costs, INT64_C(1) << 20, false) > 0;
}

/* Wait for all requests; the first to come is taken in first: where the format cannot say that, they are waited for one
 * by one. */
static void wait_for_all(struct walk *walk, bool collective)
{
    bool any_outside = false;
    for (size_t i = 0; collective && i < walk->n_begun; i++)
        any_outside = any_outside || walk->begun[i].context == 0;
    if (walk->words->wait_for_all != NULL && !any_outside) {
        if (walk->n_begun > 0)
            walk->words->wait_for_all(walk->state, &walk->place);
        walk->n_begun = 0;
        return;
    }
    walk->place.lost[WALK_UNORDERED] += has_order(walk);
    end_all(walk, true, collective);
    end_all(walk, false, collective);
}

static void walk_wait(struct walk *walk, const struct op *op, int context)
{
    size_t i = 0;
    if (op->request == 0) {
        wait_for_all(walk, context != 0);
        return;
    }
    while (i < walk->n_begun &&
           (walk->begun[i].request != op->request || (walk->begun[i].context != 0) != (context != 0)))
        i++;
    if (i < walk->n_begun) /* else nothing is pending under that number */
        end_begun(walk, i);
}

/* The time that the message takes longer on its way, or less, because its sender receives at the same time. */
static int64_t exchange_ps(const struct walk *walk, const struct op *op)
{
    const struct cost_model *costs = &walk->machine->costs;
    int hops = placement_host(walk->placement, walk->place.rank) == placement_host(walk->placement, op->peer) ? 0 : 1;
    if (!op->exchanges || op->kind != OP_ISEND || !cost_model_has_formula(costs, hops))
        return 0;
    return cost_model_message_ps(costs, op->bytes, hops, true) - cost_model_message_ps(costs, op->bytes, hops, false);
}

/* The time that combining takes, if the message is combined with what the rank has. */
static int64_t combination_ps(struct walk *walk, const struct op *op)
{
    const struct cost_model *costs = &walk->machine->costs;
    const struct placement *placement = walk->placement;
    bool local = placement_host(placement, walk->place.rank) == placement_host(placement, op->peer);
    if (op->kind == OP_SEND || op->kind == OP_ISEND || op->mode != RECV_COMBINES)
        return 0;
    int64_t ps = cost_model_combine_ps(costs, op->bytes);
    walk->place.lost[WALK_COMBINATION] += ps > 0 && placement->ranks_per_host > walk->machine->cores &&
                                          cost_model_receive_ps(costs, op->bytes, local) > 0;
    return ps;
}

/* With its prices as times, where the format has no words for them. */
static uint32_t walk_priced(struct walk *walk, const struct op *op)
{
    int64_t exchange = exchange_ps(walk, op), combination = op->kind == OP_RECV ? combination_ps(walk, op) : 0;
    walk->place.lost[WALK_EXCHANGE] += exchange != 0;
    if (exchange > 0)
        walk_sleep(walk, exchange);
    uint32_t number = walk->words->message(walk->state, &walk->place, op);
    if (combination > 0)
        walk_sleep(walk, combination);
    return number;
}

static void walk_message(struct walk *walk, const struct op *op, int context)
{
    bool sends = op->kind == OP_SEND || op->kind == OP_ISEND;
    if (op->kind == OP_WAIT) {
        walk_wait(walk, op, context);
        return;
    }
    walk->place.lost[WALK_SYNCHRONOUS] += sends && op->mode == SEND_SYNCHRONOUS;
    uint32_t number =
        walk->words->says_prices ? walk->words->message(walk->state, &walk->place, op) : walk_priced(walk, op);
    if (op->kind != OP_ISEND && op->kind != OP_IRECV)
        return;
    walk->begun = xgrow(walk->begun, walk->n_begun, &walk->capacity, sizeof *walk->begun);
    walk->begun[walk->n_begun++] =
        (struct walk_begun){.peer = op->peer,
                            .tag = op->tag,
                            .request = op->request,
                            .number = number,
                            .context = context,
                            .receives = op->kind == OP_IRECV,
                            .combination_ps = walk->words->says_prices ? 0 : combination_ps(walk, op)};
}

static void walk_collective(struct walk *walk, const struct op *op)
{
    const struct coll_options *options = &walk->program->collectives;
    const struct coll_spec *spec = coll_of(options, op);
    int group_rank = groups_group_rank(&walk->groups, op->group, walk->place.rank);
    bool has_root = coll_families[coll_family_of((enum op_kind)op->kind)].has_root;
    if (spec->next == NULL)
        spec = autotune_look_up(options->autotune, &walk->groups, op);
    const struct coll_call call = {.placement = walk->placement,
                                   .machine = walk->machine,
                                   .options = options,
                                   .n_ranks = groups_size(&walk->groups, op->group),
                                   .root = has_root ? groups_group_rank(&walk->groups, op->group, op->peer) : 0,
                                   .bytes = op->bytes,
                                   .blocks = op->blocks};
    struct op message = {.tag = -1};
    int64_t call_ps = coll_call_ps(&walk->machine->costs, (enum op_kind)op->kind, op->bytes);
    if (call_ps > 0)
        walk_sleep(walk, call_ps);
    for (int64_t i = 0; spec->next(&call, group_rank, i, &message); i++) {
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
        walk->place.lost[WALK_PROBE]++;
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
    walk->place.lost[WALK_UNWAITED] += (int64_t)walk->n_begun;
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

/* --- what is lost --- */

/* True if the loss means anything: the format has no words for it. */
static bool is_lost(const struct walk *walk, enum walk_loss loss)
{
    const struct walk_words *words = walk->words;
    bool means = loss == WALK_SYNCHRONOUS ? !words->says_synchronous
                 : loss == WALK_UNWAITED  ? words->waits_in_the_end
                 : loss == WALK_OVERTAKEN ? !words->tells_requests
                                          : true;
    return means && walk->place.lost[loss] > 0;
}

/* Describe the losses of the time, for the user who has the trace written: one sentence, or NULL. */
static char *describe_losses(const struct walk *walk)
{
    static const char *const texts[N_WALK_LOSSES] = {
        [WALK_PICOSECONDS] = "times that are no whole nanoseconds",
        [WALK_SYNCHRONOUS] = "synchronous sends, which are written as others",
        [WALK_EXCHANGE] = "prices of exchanges, which are written as computation before them",
        [WALK_COMBINATION] = "receipts that combine, after which others get the processor",
        [WALK_PROBE] = "looks whether a message has come, of which only the last is written",
        [WALK_UNWAITED] = "requests that nobody waits for, and that the end of a rank waits for",
        [WALK_OVERTAKEN] = "waits that are written as for the first of several requests of the same rank and tag",
        [WALK_UNORDERED] = "waits for what comes first, which are written as for one after another",
    };
    char *text = NULL;
    for (int i = 0; i < N_WALK_LOSSES; i++) {
        if (!is_lost(walk, (enum walk_loss)i))
            continue;
        char *longer = xformat("%s%s%lld %s", text != NULL ? text : "", text != NULL ? "; " : "",
                               (long long)walk->place.lost[i], texts[i]);
        free(text);
        text = longer;
    }
    char *whole = text == NULL
                      ? NULL
                      : xformat("a replay may take another time than the run, since %s traces have no words for "
                                "%s",
                                walk->words->format->name, text);
    free(text);
    return whole;
}

int walk_write(struct trace *trace, const struct program *program, struct machine *machine,
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
    if (status == 0)
        trace->remark = describe_losses(&walk);
    free(walk.costs);
    free(walk.begun);
    groups_dispose(&walk.groups);
    return status;
}
