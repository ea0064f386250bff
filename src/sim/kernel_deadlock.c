/* Who waits for whom, when nothing can happen any more. */
#include "sim/kernel_internal.h"

#include "base/units.h"

#include <stdio.h>

/* Append "rank 3 waits to receive from rank 5, " and return the rank waited for, or -1 if that one has ended. */
static int describe_wait(const struct kernel *kernel, int rank, char *text, size_t size, size_t *used)
{
    const struct rank *self = &kernel->ranks[rank];
    bool ended = kernel->ranks[self->peer].status == RANK_DONE;
    int n = snprintf(text + *used, size - *used, "%srank %d (step %lld) waits %s rank %d%s", *used > 0 ? ", " : "",
                     rank, (long long)self->step, self->status == RANK_SENDING ? "to send to" : "to receive from",
                     self->peer, ended ? ", which has ended" : "");
    if (n > 0)
        *used = *used + (size_t)n < size ? *used + (size_t)n : size - 1;
    return ended ? -1 : self->peer;
}

/* Report who waits for whom, from the first rank on the cycle until it closes. */
void kernel_fail_deadlock(struct kernel *kernel)
{
    enum { MAX_LISTED = 12 };
    int n_ranks = kernel->run->placement->n_ranks, rank = 0, n_waiting = 0;
    for (int r = n_ranks - 1; r >= 0; r--)
        if (kernel->ranks[r].status != RANK_DONE) {
            rank = r;
            n_waiting++;
        }
    for (int i = 0; i < n_ranks && kernel->ranks[kernel->ranks[rank].peer].status != RANK_DONE; i++)
        rank = kernel->ranks[rank].peer; /* after n steps certainly on the cycle */
    char text[800] = "";
    size_t used = 0;
    int next = rank, listed = 0;
    do {
        next = describe_wait(kernel, next, text, sizeof text, &used);
    } while (++listed < MAX_LISTED && next >= 0 && next != rank);
    sim_error_set(kernel->error, SIM_UNFINISHED, NULL, 0, "deadlock after %.6g s, %d of %d ranks wait: %s%s",
                  units_seconds(kernel->now_ps), n_waiting, n_ranks, text, next >= 0 && next != rank ? ", ..." : "");
    kernel->failed = true;
}
