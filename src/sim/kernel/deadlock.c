/* The ranks that wait, and for which rank each waits, when nothing can happen any more.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/internal.h"

#include "base/units.h"
#include "sim/user_broadcast/user_broadcast.h"

#include <stdio.h>

/* In a broadcast of lines: the line. */
static bool describe_line(const struct kernel *kernel, int rank, char *text, size_t size)
{
    const struct program *program = kernel->run->program;
    const struct rank *self = &kernel->ranks[rank];
    const struct user_broadcast_messages *own = program->collectives.own;
    struct op_list list = {.count = 0};
    if (own == NULL || self->context != 1 || self->collective_op == 0)
        return false;
    program->app->emit(program->config, rank, self->step, &list);
    if (self->op >= list.count || list.ops[self->op].kind != OP_BROADCAST)
        return false;
    int counted = (rank - list.ops[self->op].peer + own->n_ranks) % own->n_ranks;
    snprintf(text, size, "line %d of %s", own->ops[own->starts[counted] + self->collective_op - 1].line, own->label);
    return true;
}

/* Where the rank is: an op that has begun has been counted, but for a collective, which goes on. */
static void describe_place(const struct kernel *kernel, int rank, char *text, size_t size)
{
    const struct program *program = kernel->run->program;
    const struct rank *self = &kernel->ranks[rank];
    if (describe_line(kernel, rank, text, size))
        return;
    if (program->app->describe == NULL) {
        snprintf(text, size, "step %lld%s", (long long)self->step, self->context != 0 ? ", in a collective" : "");
        return;
    }
    program->app->describe(program->config, rank, self->op - (self->context == 0 && self->op > 0), text, size);
}

/* Append "rank 3 (step 7) waits to receive from rank 5, " and return the rank waited for, or -1 if that one has
 * ended. */
static int describe_wait(const struct kernel *kernel, int rank, char *text, size_t size, size_t *used)
{
    static const char *const waits_for[] = {
        [RANK_SENDING] = "to send to", [RANK_RECEIVING] = "to receive from", [RANK_WAITING] = "for its sends to"};
    const struct rank *self = &kernel->ranks[rank];
    const char *what;
    char tag[32] = "", place[200];
    if (self->status == RANK_WAITING_ONE || self->status == RANK_WAITING_ANY) {
        what = kernel->requests.items[self->pending].is_receive ? "for its receive from" : "for its send to";
        if (self->context == 0)
            snprintf(tag, sizeof tag, " (tag %d)", self->tag);
    } else {
        what = waits_for[self->status];
    }
    describe_place(kernel, rank, place, sizeof place);
    bool ended = kernel->ranks[self->peer].status == RANK_DONE;
    int n = snprintf(text + *used, size - *used, "%srank %d (%s) waits %s rank %d%s%s", *used > 0 ? ", " : "", rank,
                     place, what, self->peer, tag, ended ? ", which has ended" : "");
    if (n > 0)
        *used = *used + (size_t)n < size ? *used + (size_t)n : size - 1;
    return ended ? -1 : self->peer;
}

/* Set the `peer` of each rank that waits for all its sends to the receiver of one of them. */
static void find_sends(struct kernel *kernel)
{
    for (size_t i = 0; i < kernel->mailbox.n_messages; i++) {
        const struct message *message = &kernel->mailbox.messages[i];
        struct rank *sender = &kernel->ranks[message->sender];
        if (message->tracked && sender->status == RANK_WAITING)
            sender->peer = message->receiver;
    }
}

/* A rank on the cycle, or one that waits for a rank that has ended; *n_waiting is how many wait in all. */
static int find_start(const struct kernel *kernel, int *n_waiting)
{
    int n_ranks = kernel->run->placement->n_ranks, rank = 0;
    *n_waiting = 0;
    for (int r = n_ranks - 1; r >= 0; r--)
        if (kernel->ranks[r].status != RANK_DONE) {
            rank = r;
            ++*n_waiting;
        }
    for (int i = 0; i < n_ranks && kernel->ranks[kernel->ranks[rank].peer].status != RANK_DONE; i++)
        rank = kernel->ranks[rank].peer; /* after n steps certainly on the cycle */
    return rank;
}

/* Report who waits for whom until the cycle closes; of a long cycle the beginning and the end. */
void kernel_fail_deadlock(struct kernel *kernel)
{
    enum { MAX_LISTED = 10 };
    const struct program *program = kernel->run->program;
    char text[900] = "", why[200] = "";
    size_t used = 0;
    find_sends(kernel);
    int n_waiting, first = find_start(kernel, &n_waiting), rank = first, length = 0;
    do {
        length++;
        rank = kernel->ranks[rank].peer;
    } while (rank != first && kernel->ranks[rank].status != RANK_DONE);
    rank = first;
    for (int i = 0; i < length; i++)
        if (i < MAX_LISTED || i == length - 1)
            rank = describe_wait(kernel, rank, text, sizeof text, &used);
        else {
            used += i == MAX_LISTED ? (size_t)snprintf(text + used, sizeof text - used, ", ...") : 0;
            rank = kernel->ranks[rank].peer;
        }
    if (program->app->explain != NULL)
        program->app->explain(program->config, why, sizeof why);
    sim_error_set(kernel->error, SIM_UNFINISHED, NULL, 0, "deadlock after %.6g s, %d of %d ranks wait: %s%s",
                  units_seconds(kernel->now_ps), n_waiting, kernel->run->placement->n_ranks, text, why);
    kernel->failed = true;
}
