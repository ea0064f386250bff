/* The end of a run with strands: all have ended, or some wait for ever.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/strand.h"

#include "base/range.h"
#include "base/units.h"

#include <stdio.h>

/* In the order of ranks, and of a rank's strands. */
static bool is_listed_before(const struct strand_place *a, const struct strand_place *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->line < b->line;
}

enum { MOST_WAITING = 10 };

/* The things that a strand may wait for; NULL: none. */
static const char *const waits_for[RANK_DONE + 1] = {[RANK_WAITING] = "for its sends",
                                                     [RANK_WAITING_ONE] = "for its",
                                                     [RANK_WAITING_ANY] = "for its",
                                                     [RANK_JOINING] = "for what it has begun"};

/* The first of the strands that wait, MOST_WAITING at most, in order; how many there are. */
static int find_waiting(const struct kernel *kernel, size_t first[MOST_WAITING])
{
    int n_waiting = 0;
    for (size_t s = 0; s < kernel->n_strands; s++) {
        if (waits_for[kernel->ranks[s].status] == NULL)
            continue;
        int at = int_min(n_waiting++, MOST_WAITING);
        for (; at > 0 && is_listed_before(&kernel->places[s], &kernel->places[first[at - 1]]); at--)
            if (at < MOST_WAITING)
                first[at] = first[at - 1];
        if (at < MOST_WAITING)
            first[at] = s;
    }
    return n_waiting;
}

/* "rank 3 (x.goal:7) waits for its receive from rank 5 (tag 7)" */
static void say_waiting(char *text, size_t size, const struct kernel *kernel, size_t strand)
{
    const struct program *program = kernel->run->program;
    const struct rank *self = &kernel->ranks[strand];
    const struct strand_place *at = &kernel->places[strand];
    bool for_message = self->status == RANK_WAITING_ONE || self->status == RANK_WAITING_ANY;
    char place[200] = "", what[100] = "", peer[32] = "any rank";
    int op =
        self->status == RANK_WAITING_ANY ? self->op : int_max(self->op - 1, 0); /* a wait for all is not counted yet */
    if (program->app->describe_strand != NULL)
        program->app->describe_strand(program->config, at->rank, at->line, op, place, sizeof place);
    if (for_message) {
        const struct pending *pending = &kernel->requests.items[self->pending];
        if (pending->peer >= 0)
            snprintf(peer, sizeof peer, "rank %d", pending->peer);
        snprintf(what, sizeof what, " %s %s (tag %d)", pending->is_receive ? "receive from" : "send to", peer,
                 pending->tag);
    }
    bool is_known = place[0] != '\0';
    snprintf(text, size, "rank %d%s%s%s waits %s%s", at->rank, is_known ? " (" : "", place, is_known ? ")" : "",
             waits_for[self->status], what);
}

static void fail_deadlock(struct kernel *kernel)
{
    const struct program *program = kernel->run->program;
    size_t first[MOST_WAITING], used = 0;
    char text[900] = "", why[200] = "", one[400];
    int n_waiting = find_waiting(kernel, first);
    for (int i = 0; i < int_min(n_waiting, MOST_WAITING); i++) {
        say_waiting(one, sizeof one, kernel, first[i]);
        int n = snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "", one);
        used = n > 0 && used + (size_t)n < sizeof text ? used + (size_t)n : used;
    }
    if (program->app->explain != NULL)
        program->app->explain(program->config, why, sizeof why);
    sim_error_set(kernel->error, SIM_UNFINISHED, NULL, 0, "deadlock after %.6g s, %zu operations under way: %s%s%s",
                  units_seconds(kernel->now_ps), kernel->n_alive, text, n_waiting > MOST_WAITING ? ", ..." : "", why);
    kernel->failed = true;
}

void strands_check_finished(struct kernel *kernel)
{
    const struct program *program = kernel->run->program;
    if (!kernel->failed && program->app->finished != NULL)
        kernel->failed = program->app->finished(program->config, kernel->n_started, kernel->error) != 0;
    if (!kernel->failed && kernel->n_alive > 0)
        fail_deadlock(kernel);
}
