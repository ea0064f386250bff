/* How much there is to simulate, by a few ranks, steps and ops.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/extent.h"

#include "base/range.h"
#include "base/units.h"
#include "sim/kernel/mailbox.h"

#include <stdbool.h>
#include <stdio.h>

enum { RANK_SAMPLES = 7, STEP_SAMPLES = 16, OP_SAMPLES = 48, OPS_TOGETHER = 6 };

/* Nor of those that are not run by the kernel. */
static bool is_known(const struct kernel_run *run)
{
    return run->program->app->emit_shared == NULL && run->program->traced == NULL;
}

/* The i-th of `count` samples of 0 ... n - 1, spread evenly with the first and the last. */
static int64_t sample(int64_t i, int64_t count, int64_t n)
{
    return count < 2 ? 0 : (int64_t)((wide_int)i * (n - 1) / (count - 1));
}

/* --- how many steps, and how many ops of a collective, a rank has --- */

struct list {
    const struct program *program;
    const struct coll_call *call; /* NULL: the list of the program's steps */
    const struct coll_spec *spec;
    int rank;
};

static bool has_item(const struct list *list, int64_t i)
{
    struct op_list ops = {.count = 0};
    if (list->call != NULL)
        return list->spec->next(list->call, list->rank, i, &ops.ops[0]);
    return list->program->app->emit(list->program->config, list->rank, i, &ops);
}

/* The items from 0 on are without gaps, so the first that is not there is found by halving. */
static int64_t count_items(const struct list *list)
{
    static const int64_t most = INT64_C(1) << 50;
    int64_t there = 0, missing = 1; /* items 0 ... there - 1 are there, missing - 1 is not */
    while (missing <= most && has_item(list, missing - 1)) {
        there = missing;
        missing *= 2;
    }
    while (there + 1 < missing) {
        int64_t middle = there + (missing - there) / 2;
        *(has_item(list, middle - 1) ? &there : &missing) = middle;
    }
    return there;
}

/* --- a collective --- */

/* Its call as the kernel makes it, or false where the kernel has something to say against it, or to find out. */
static bool make_call(struct coll_call *call, const struct kernel_run *run, const struct op *op)
{
    const struct coll_spec *spec = coll_of(&run->program->collectives, op);
    *call = (struct coll_call){.placement = run->placement,
                               .machine = run->machine,
                               .options = &run->program->collectives,
                               .n_ranks = run->placement->n_ranks,
                               .root = op->peer,
                               .bytes = op->bytes,
                               .blocks = op->blocks};
    int64_t blocks = op->kind == OP_SCATTER || op->kind == OP_GATHER ? op->blocks : call->n_ranks;
    return op->group == 0 && spec->next != NULL && !spec->asks_placement && op->peer >= 0 && op->peer < call->n_ranks &&
           (wide_int)op->bytes * blocks <= INT64_MAX / 2;
}

/* Every message is sent once and received once: what is dealt out is counted where it is received, since few send much
 * of it, all else where it is sent. */
static double count_messages(const struct kernel_run *run, int rank, const struct op *op)
{
    struct coll_call call;
    bool dealt = op->kind == OP_BROADCAST || op->kind == OP_SCATTER;
    if (run->placement->n_ranks == 1 || !make_call(&call, run, op))
        return op->kind == OP_BARRIER || run->placement->n_ranks == 1 ? 0 : 1;
    const struct list list = {.call = &call, .spec = coll_of(&run->program->collectives, op), .rank = rank};
    int64_t n_ops = count_items(&list), n_samples = int64_min(n_ops, OP_SAMPLES), n_counted = 0;
    for (int64_t i = 0; i < n_samples; i++) {
        struct op message = {0};
        int64_t at = i;
        if (n_ops > OP_SAMPLES) /* some beside each other, since ops come in twos and threes */
            at = i % OPS_TOGETHER + sample(i / OPS_TOGETHER, OP_SAMPLES / OPS_TOGETHER, n_ops - OPS_TOGETHER + 1);
        list.spec->next(&call, rank, at, &message);
        bool sends = message.kind == OP_SEND || message.kind == OP_ISEND;
        n_counted += dealt ? message.kind == OP_RECV || message.kind == OP_IRECV : sends;
    }
    return n_samples == 0 ? 0 : (double)n_counted * (double)n_ops / (double)n_samples;
}

/* --- messages under way --- */

/* True if the op leaves its rank free, so that it may begin the next. */
static bool leaves_free(const struct machine *machine, const struct op *op)
{
    bool eager = op->mode == SEND_STANDARD && machine->costs.buffers_sends && op->bytes <= machine->costs.eager_limit;
    return op->kind == OP_ISEND || op->kind == OP_IRECV || (op->kind == OP_SEND && eager);
}

/* How many messages a rank begins in a call before it waits for anything; all its ops if they are few. A receive that
 * is posted early is no message of its own: it shares the place of the one that it is for. */
static int64_t count_begun(const struct list *list, const struct machine *machine)
{
    int64_t n_ops = count_items(list), begun = 0;
    if (n_ops < MAILBOX_MOST / list->call->n_ranks)
        return n_ops;
    for (int64_t i = 0; i < n_ops; i++) {
        struct op op = {0};
        list->spec->next(list->call, list->rank, i, &op);
        if (!leaves_free(machine, &op))
            break;
        begun += op.kind != OP_IRECV;
        if (begun > MAILBOX_MOST)
            return n_ops;
    }
    return begun;
}

static int fail_under_way(const struct list *list, int64_t n_messages, struct sim_error *error)
{
    const struct coll_call *call = list->call;
    static const double bytes_each = MAILBOX_MESSAGE_BYTES;
    char segments[80] = "parameter 'ranks': ";
    if (list->spec->is_segmented)
        snprintf(segments, sizeof segments, "parameter 'broadcast_segment': segments of %lld bytes, ",
                 (long long)call->options->segment_bytes);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "%s'%s' of %lld bytes on %d ranks: up to %lld messages under way at once, which would take "
                         "%.1f GB of memory; at most %d, which take %.1f GB, are allowed",
                         segments, list->spec->name, (long long)call->bytes, call->n_ranks, (long long)n_messages,
                         (double)n_messages * bytes_each / 1e9, MAILBOX_MOST, MAILBOX_MOST * bytes_each / 1e9);
}

/* The messages begun by all ranks: those of the root and of the ranks beside it, which may be the ends of a chain, are
 * counted, those of the others estimated from a few of them. */
static wide_int count_all_begun(struct list *list, const struct machine *machine)
{
    int p = list->call->n_ranks, n_others = p > 3 ? (int)int64_min(p - 3, RANK_SAMPLES) : 0;
    wide_int ends = 0, others = 0;
    for (int place = 0; place < p && place < 3 && ends <= MAILBOX_MOST; place++) {
        list->rank = (list->call->root + (place == 2 ? p - 1 : place)) % p;
        ends += count_begun(list, machine);
    }
    for (int i = 0; i < n_others && ends + others <= MAILBOX_MOST; i++) {
        list->rank = (list->call->root + 2 + (int)sample(i, n_others, p - 3)) % p;
        others += count_begun(list, machine);
    }
    return n_others == 0 ? ends : ends + others * (p - 3) / n_others;
}

static int check_call(const struct kernel_run *run, const struct op *op, struct sim_error *error)
{
    struct coll_call call;
    if (!make_call(&call, run, op))
        return 0;
    struct list list = {.call = &call, .spec = coll_of(call.options, op), .rank = call.root};
    wide_int all = count_all_begun(&list, run->machine);
    return all <= MAILBOX_MOST ? 0 : fail_under_way(&list, units_clamp(all), error);
}

static bool is_collective(const struct op *op)
{
    return op->kind >= OP_BROADCAST && op->kind <= OP_ALLTOALL;
}

/* All ranks do the same collectives, so those of one rank are all there are. */
int extent_check(const struct kernel_run *run, struct sim_error *error)
{
    const struct program *program = run->program;
    const struct list list = {.program = program};
    struct op last = {0};
    int status = 0;
    if (!is_known(run) || run->placement->n_ranks < 2)
        return 0;
    int64_t n_steps = count_items(&list), n_samples = int64_min(n_steps, STEP_SAMPLES);
    for (int64_t i = 0; status == 0 && i < n_samples; i++) {
        struct op_list ops = {.count = 0};
        program->app->emit(program->config, 0, sample(i, n_samples, n_steps), &ops);
        for (const struct op *op = ops.ops; status == 0 && op < ops.ops + ops.count; op++) {
            if (!is_collective(op) || (op->kind == last.kind && op->bytes == last.bytes))
                continue;
            status = check_call(run, op, error);
            last = *op;
        }
    }
    return status;
}

/* --- all messages --- */

static double messages_of_rank(const struct kernel_run *run, int rank)
{
    const struct program *program = run->program;
    const struct list list = {.program = program, .rank = rank};
    int64_t n_steps = count_items(&list), n_samples = int64_min(n_steps, STEP_SAMPLES);
    double sum = 0;
    for (int64_t i = 0; i < n_samples; i++) {
        struct op_list ops = {.count = 0};
        program->app->emit(program->config, rank, sample(i, n_samples, n_steps), &ops);
        for (const struct op *op = ops.ops; op < ops.ops + ops.count; op++)
            sum += is_collective(op) ? count_messages(run, rank, op) : op->kind == OP_SEND || op->kind == OP_ISEND;
    }
    return n_samples == 0 ? 0 : sum * (double)n_steps / (double)n_samples;
}

/* The first and the last rank may differ from those between, of which a few stand for all. */
double extent_messages(const struct kernel_run *run)
{
    int n_ranks = run->placement->n_ranks, n_samples = (int)int64_min(n_ranks, RANK_SAMPLES);
    double ends = 0, between = 0;
    if (!is_known(run))
        return 0;
    for (int i = 0; i < n_samples; i++)
        *(i == 0 || i == n_samples - 1 ? &ends : &between) += messages_of_rank(run, (int)sample(i, n_samples, n_ranks));
    return n_samples < 3 ? ends : ends + between * (n_ranks - 2) / (n_samples - 2);
}
