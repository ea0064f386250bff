/* Exports a program rank by rank: its ops, and collectives as their messages, are written as a format says them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/program_export.h"

#include "apps/replay/list.h"
#include "base/memory.h"
#include "base/units.h"
#include "sim/collective/collective.h"
#include "sim/kernel/autotune.h"
#include "sim/program/groups.h"
#include "trace/goal/writer.h"

#include <stdlib.h>
#include <string.h>

struct program_export {
    const struct export_writer *writer;
    void *state;
    struct export_position position;
    const struct program *program;
    struct machine *machine;
    const struct placement *placement;
    struct kernel_cost *costs;
    struct groups groups;
    struct export_request *begun;
    size_t n_begun, capacity;
    bool is_loggp; /* the network on which the program has run */
};

bool export_is_wanted(const struct trace *trace)
{
    return trace != NULL && trace->format->of_program;
}

int export_check(const struct trace *trace, const struct program *program, struct sim_error *error)
{
    const struct goal_file *schedule = replay_schedule(program);
    bool is_one_line = schedule != NULL && schedule->class != GOAL_PARALLEL; /* for LogGOPS it has strands, too */
    if (program->n_processors > 0 && !is_one_line && (trace->format != &trace_goal || schedule == NULL))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "its ranks do several things at once, or receive from any source, which a %s trace cannot "
                             "express; --trace with %sanother extension can",
                             trace->format->extension, schedule != NULL ? ".goal or " : "");
    if (program->app->emit_shared == NULL)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "application '%s' shares memory, which a %s trace cannot express; --trace with another "
                         "extension records its messages",
                         program->app->name, trace->format->extension);
}

void export_remark_shared(struct trace *trace, const struct program *program)
{
    if (program->n_processors > 0 && trace->format->copy != NULL)
        trace->remark =
            xstrdup("a replay may take a different time than the run: the trace records what ranks do at once "
                    "in the order of this run");
    if (program->app->emit_shared != NULL && trace->format->copy != NULL)
        trace->remark = xstrdup("a replay may take a different time than the run: it answers a request for shared "
                                "memory when the request arrives, but the trace records it where this run answered it");
}

/* --- work --- */

static void export_sleep(struct program_export *self, wide_int time_ps)
{
    self->writer->sleep(self->state, &self->position, units_clamp(time_ps));
}

static void export_kernel(struct program_export *self, const struct op *op)
{
    int64_t work[N_WORK_COMPONENTS];
    int64_t ps = machine_kernel_ps(&self->costs[op->kernel], op->times, op->m, op->n, op->k, work);
    self->writer->work(self->state, &self->position, ps, op->role);
}

static void export_io(struct program_export *self, const struct op *op)
{
    const struct machine *machine = self->machine;
    bool input = op->kind == OP_READ;
    export_sleep(self, (wide_int)(input ? machine->costs.input_byte_ps : machine->costs.output_byte_ps) * op->bytes +
                           (input ? machine->costs.input_start_ps : machine->costs.output_start_ps));
}

/* --- messages --- */

/* Wait for one that has been begun, the i-th. */
static void end_begun(struct program_export *self, size_t i)
{
    const struct export_request ended = self->begun[i];
    for (size_t k = 0; k < i; k++)
        self->position.lost[EXPORT_OVERTAKEN] += self->begun[k].peer == ended.peer && self->begun[k].tag == ended.tag &&
                                                 self->begun[k].receives == ended.receives;
    self->writer->wait(self->state, &self->position, &ended);
    if (ended.combination_ps > 0)
        export_sleep(self, ended.combination_ps);
    self->n_begun--;
    memmove(&self->begun[i], &self->begun[i + 1], (self->n_begun - i) * sizeof *self->begun);
}

/* True if the wait is for the request: one in a collective leaves those begun outside alone, and one for what is marked
 * all else. */
static bool is_for(const struct op *wait, int context, const struct export_request *begun)
{
    return context != 0 ? begun->context != 0 : !wait->marked || begun->marked;
}

/* Wait for its requests of one kind, in the order in which they were begun. */
static void end_all(struct program_export *self, const struct op *wait, int context, bool receives)
{
    for (size_t i = 0; i < self->n_begun;)
        if (self->begun[i].receives == receives && is_for(wait, context, &self->begun[i]))
            end_begun(self, i);
        else
            i++;
}

/* True if the order in which so many receives are waited for can matter: it costs the processor something to take a
 * message in. */
static bool has_order(const struct program_export *self, size_t n_receives)
{
    return n_receives > 1 && cost_model_receive_ps(&self->machine->costs, INT64_C(1) << 20, false) > 0;
}

/* Wait for all requests, or all that are marked; the first to come is taken in first: where the format cannot say that,
 * they are waited for one by one. */
static void wait_for_all(struct program_export *self, const struct op *wait, int context)
{
    size_t n_others = 0, n_receives = 0;
    for (size_t i = 0; i < self->n_begun; i++) {
        bool is_its = is_for(wait, context, &self->begun[i]);
        n_others += !is_its;
        n_receives += is_its && self->begun[i].receives;
    }
    if (self->writer->wait_for_all != NULL && n_others == 0) {
        if (self->n_begun > 0)
            self->writer->wait_for_all(self->state, &self->position);
        self->n_begun = 0;
        return;
    }
    self->position.lost[EXPORT_UNORDERED] += has_order(self, n_receives);
    end_all(self, wait, context, true);
    end_all(self, wait, context, false);
}

static void export_wait(struct program_export *self, const struct op *op, int context)
{
    size_t i = 0;
    if (op->request == 0) {
        wait_for_all(self, op, context);
        return;
    }
    while (i < self->n_begun &&
           (self->begun[i].request != op->request || (self->begun[i].context != 0) != (context != 0)))
        i++;
    if (i == self->n_begun) /* nothing is pending under that number */
        return;
    if (op->kind == OP_MARK)
        self->begun[i].marked = true;
    else
        end_begun(self, i);
}

/* The time that the message takes longer on its way, or less, because its sender receives at the same time. */
static int64_t exchange_ps(const struct program_export *self, const struct op *op)
{
    const struct cost_model *costs = &self->machine->costs;
    int hops =
        placement_host(self->placement, self->position.rank) == placement_host(self->placement, op->peer) ? 0 : 1;
    if (!op->exchanges || op->kind != OP_ISEND)
        return 0;
    if (!cost_model_has_formula(costs, hops))
        return hops == 0
                   ? 0
                   : cost_model_endpoint_ps(costs, op->bytes, true) - cost_model_endpoint_ps(costs, op->bytes, false);
    return cost_model_message_ps(costs, op->bytes, hops, true) - cost_model_message_ps(costs, op->bytes, hops, false);
}

/* The time that combining takes, if the message is combined with what the rank has. */
static int64_t combination_ps(struct program_export *self, const struct op *op)
{
    const struct cost_model *costs = &self->machine->costs;
    const struct placement *placement = self->placement;
    bool local = placement_host(placement, self->position.rank) == placement_host(placement, op->peer);
    if (op->kind == OP_SEND || op->kind == OP_ISEND || op->mode != RECV_COMBINES)
        return 0;
    int64_t ps = cost_model_combine_ps(costs, op->bytes);
    self->position.lost[EXPORT_COMBINATION] += ps > 0 && placement->ranks_per_host > self->machine->cores &&
                                               cost_model_receive_ps(costs, op->bytes, local) > 0;
    return ps;
}

/* With its prices as times, where the format cannot say them. */
static uint32_t export_priced(struct program_export *self, const struct op *op)
{
    int64_t exchange = exchange_ps(self, op), combination = op->kind == OP_RECV ? combination_ps(self, op) : 0;
    self->position.lost[EXPORT_EXCHANGE] += exchange != 0;
    if (exchange > 0)
        export_sleep(self, exchange);
    uint32_t number = self->writer->message(self->state, &self->position, op);
    if (combination > 0)
        export_sleep(self, combination);
    return number;
}

static void export_message(struct program_export *self, const struct op *op, int context)
{
    bool sends = op->kind == OP_SEND || op->kind == OP_ISEND;
    if (op->kind == OP_WAIT || op->kind == OP_MARK) {
        export_wait(self, op, context);
        return;
    }
    self->position.lost[EXPORT_SYNCHRONOUS] += sends && op->mode == SEND_SYNCHRONOUS;
    uint32_t number =
        self->writer->says_prices ? self->writer->message(self->state, &self->position, op) : export_priced(self, op);
    if (op->kind != OP_ISEND && op->kind != OP_IRECV)
        return;
    self->begun = xgrow(self->begun, self->n_begun, &self->capacity, sizeof *self->begun);
    self->begun[self->n_begun++] =
        (struct export_request){.peer = op->peer,
                                .tag = op->tag,
                                .request = op->request,
                                .number = number,
                                .context = context,
                                .receives = op->kind == OP_IRECV,
                                .combination_ps = self->writer->says_prices ? 0 : combination_ps(self, op)};
}

static void export_collective(struct program_export *self, const struct op *op)
{
    const struct coll_options *options = &self->program->collectives;
    const struct coll_spec *spec = coll_of(options, op);
    int group_rank = groups_group_rank(&self->groups, op->group, self->position.rank);
    bool has_root = coll_families[coll_family_of((enum op_kind)op->kind)].has_root;
    if (spec->next == NULL)
        spec = autotune_look_up(options->autotune, &self->groups, op);
    const struct coll_call call = {.placement = self->placement,
                                   .machine = self->machine,
                                   .options = options,
                                   .n_ranks = groups_size(&self->groups, op->group),
                                   .root = has_root ? groups_group_rank(&self->groups, op->group, op->peer) : 0,
                                   .bytes = op->bytes,
                                   .blocks = op->blocks};
    struct op message = {.tag = -1};
    int64_t call_ps = coll_call_ps(&self->machine->costs, (enum op_kind)op->kind, op->bytes);
    if (call_ps > 0)
        export_sleep(self, call_ps);
    for (int64_t i = 0; spec->next(&call, group_rank, i, &message); i++) {
        message.peer = message.kind == OP_WAIT ? 0 : groups_rank(&self->groups, op->group, message.peer);
        export_message(self, &message, op->group + 1);
    }
}

/* --- the program --- */

static void export_op(struct program_export *self, const struct op *op)
{
    switch ((enum op_kind)op->kind) {
    case OP_COMPUTE:
        export_kernel(self, op);
        break;
    case OP_FLOPS:
        self->writer->flops(self->state, &self->position, op->flops, op->role);
        break;
    case OP_DELAY:
        if (op->role != ROLE_USEFUL)
            export_sleep(self, op->delay_ps);
        else
            self->writer->work(self->state, &self->position, op->delay_ps, op->role);
        break;
    case OP_READ:
    case OP_WRITE:
        export_io(self, op);
        break;
    case OP_LINK_INIT:
        export_sleep(self, (wide_int)op->links * self->machine->costs.link_init_ps);
        break;
    case OP_SEND:
    case OP_RECV:
    case OP_ISEND:
    case OP_IRECV:
    case OP_WAIT:
    case OP_MARK:
        export_message(self, op, 0);
        break;
    case OP_PROBE: /* no format has one: what it may find is written after the last one */
        self->position.lost[EXPORT_PROBE]++;
        break;
    default: /* those of shared memory are not in such a program */
        export_collective(self, op);
        break;
    }
}

static int export_rank(struct program_export *self, int rank, struct sim_error *error)
{
    const struct app_spec *app = self->program->app;
    const void *config = self->program->config;
    struct op_list list = {.count = 0};
    self->position.rank = rank;
    self->position.speed = machine_host_speed(self->machine, placement_host(self->placement, rank));
    self->n_begun = 0;
    self->writer->begin_rank(self->state, &self->position);
    for (int64_t step = 0; app->emit(config, rank, step, &list); step++) {
        for (int i = 0; i < list.count; i = op_list_after(&list, i))
            export_op(self, &list.ops[i]);
        list.count = 0;
    }
    self->position.lost[EXPORT_UNWAITED] += (int64_t)self->n_begun;
    int status = self->writer->end_rank(self->state, &self->position, error);
    return status == 0 && app->failed != NULL ? app->failed(config, error) : status;
}

static int export_all(struct program_export *self, struct sim_error *error)
{
    const struct export_writer *writer = self->writer;
    int status = 0;
    self->state = xcalloc(1, writer->state_size + 1);
    if (writer->begin != NULL)
        writer->begin(self->state, &self->position, self->placement->n_ranks);
    for (int r = 0; status == 0 && r < self->placement->n_ranks; r++)
        status = export_rank(self, r, error);
    if (writer->dispose != NULL)
        writer->dispose(self->state);
    free(self->state);
    return status;
}

/* --- what is lost --- */

/* True if the loss means anything: the format cannot say it. */
static bool is_lost(const struct program_export *self, enum export_loss loss)
{
    const struct export_writer *writer = self->writer;
    bool means = loss == EXPORT_SYNCHRONOUS ? !writer->says_synchronous
                 : loss == EXPORT_UNWAITED  ? writer->waits_in_the_end
                 : loss == EXPORT_OVERTAKEN ? !writer->tells_requests
                                            : true;
    return means && self->position.lost[loss] > 0;
}

/* The remark with one more reason; NULL: there is none yet. */
static char *add_reason(char *remark, const char *reason)
{
    char *longer = remark == NULL ? xformat("a replay may take a different time than the run: %s", reason)
                                  : xformat("%s; %s", remark, reason);
    free(remark);
    return longer;
}

/* Describe the losses of the time, for the user who has the trace written: one sentence, or NULL. */
static char *describe_losses(const struct program_export *self)
{
    static const char *const texts[N_EXPORT_LOSSES] = {
        [EXPORT_PICOSECONDS] = "fractions of nanoseconds",
        [EXPORT_SYNCHRONOUS] = "synchronous sends, which are written as standard ones",
        [EXPORT_EXCHANGE] = "costs of exchanges, which are written as computation before them",
        [EXPORT_COMBINATION] = "receives that combine data, after which other ranks get the processor",
        [EXPORT_PROBE] = "probes for messages, of which only the last is written",
        [EXPORT_UNWAITED] = "requests that only the end of a rank waits for",
        [EXPORT_OVERTAKEN] =
            "waits for one of several requests with the same rank and tag, which are written as waits for the first",
        [EXPORT_UNORDERED] =
            "waits for whichever request completes first, which are written as waits one after another",
    };
    char *text = NULL;
    for (int i = 0; i < N_EXPORT_LOSSES; i++) {
        if (!is_lost(self, (enum export_loss)i))
            continue;
        char *longer = xformat("%s%s%lld %s", text != NULL ? text : "", text != NULL ? "; " : "",
                               (long long)self->position.lost[i], texts[i]);
        free(text);
        text = longer;
    }
    char *whole = NULL,
         *cannot = text != NULL ? xformat("%s traces cannot express %s", self->writer->format->name, text) : NULL;
    if (self->is_loggp && self->writer->format == &trace_goal)
        whole = add_reason(whole, "on the network loggp, schedules go by LogGOPS");
    if (cannot != NULL)
        whole = add_reason(whole, cannot);
    free(cannot);
    free(text);
    return whole;
}

int export_write(struct trace *trace, const struct program *program, struct machine *machine,
                 const struct placement *placement, bool is_loggp, struct sim_error *error)
{
    static const struct export_writer *const all[] = {&export_writer_ti, &export_writer_goal};
    int which = 0;
    while (all[which]->format != trace->format)
        which++;
    struct program_export self = {.writer = all[which],
                                  .position.trace = trace->self,
                                  .program = program,
                                  .machine = machine,
                                  .placement = placement,
                                  .is_loggp = is_loggp};
    int n_kernels = names_count(program->app->kernels), status;
    struct goal_file *schedule = replay_schedule(program);
    if (schedule != NULL && trace->format == &trace_goal)
        return trace_goal_write(trace->self, schedule, error);
    if (groups_init(&self.groups, program->groups, program->n_groups, placement->n_ranks, error) != 0)
        return -1;
    self.costs = xcalloc((size_t)n_kernels, sizeof *self.costs);
    status = machine_bind_kernels(machine, program->app->kernels, n_kernels, placement_sharers(placement, machine),
                                  self.costs, error);
    if (status == 0)
        status = export_all(&self, error);
    if (status == 0)
        trace->remark = describe_losses(&self);
    free(self.costs);
    free(self.begun);
    groups_dispose(&self.groups);
    return status;
}
