/* Exports a program rank by rank: its ops, and collectives as their messages, are written as a format says them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/program_export_internal.h"

#include "apps/replay/list.h"
#include "base/memory.h"
#include "base/units.h"
#include "sim/collective/collective.h"
#include "sim/kernel/autotune.h"
#include "trace/goal/writer.h"

#include <stdlib.h>

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

/* --- collectives --- */

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
