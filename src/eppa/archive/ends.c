/* Watches processes by pidfd, and notes when each of them ended.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/ends.h"

#include "eppa/archive/machine.h"
#include "eppa/archive/spool.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void ends_open(struct ends *ends, int folder, int observer)
{
    struct define_rank self;
    uint64_t numbering = machine_identity("pid");
    *ends = (struct ends){.observer = observer};
    if (!spool_read_rank(folder, observer, &self) || self.n_ranks > SPOOL_MAX_RANKS ||
        (ends->ranks = calloc((size_t)self.n_ranks, sizeof *ends->ranks)) == NULL)
        return;
    ends->n_ranks = self.n_ranks;
    for (int rank = 0; rank < ends->n_ranks; rank++) {
        struct rank_end *end = &ends->ranks[rank];
        end->process = -1;
        if (!spool_read_rank(folder, rank, &self) || self.numbering != numbering || self.process <= 0)
            continue;
        end->process = pidfd_open(self.process, 0);
        end->is_gone = end->process < 0 && errno == ESRCH;
    }
}

/* Give the time to those that have ended; how many have not. */
static int take_ended(struct ends *ends, struct pollfd *files)
{
    int n_left = 0;
    int64_t time_ns = now_ns();
    for (int rank = 0; rank < ends->n_ranks; rank++) {
        if (files[rank].fd >= 0 && files[rank].revents != 0) {
            ends->ranks[rank].ended_ns = time_ns;
            files[rank].fd = -1;
        }
        n_left += files[rank].fd >= 0;
    }
    return n_left;
}

void ends_wait(struct ends *ends)
{
    struct pollfd *files = calloc((size_t)ends->n_ranks + 1, sizeof *files);
    if (files == NULL)
        return;
    for (int rank = 0; rank < ends->n_ranks; rank++) {
        files[rank] = (struct pollfd){.fd = ends->ranks[rank].process, .events = POLLIN};
        if (ends->ranks[rank].is_gone)
            ends->ranks[rank].ended_ns = now_ns();
    }
    while (take_ended(ends, files) > 0)
        if (poll(files, (nfds_t)ends->n_ranks, -1) < 0 && errno != EINTR)
            break;
    free(files);
}

void ends_look(struct ends *ends)
{
    for (int rank = 0; rank < ends->n_ranks; rank++) {
        struct rank_end *end = &ends->ranks[rank];
        struct pollfd file = {.fd = end->process, .events = POLLIN};
        if (!end->is_gone && (end->process < 0 || poll(&file, 1, 0) == 0))
            end->ended_ns = now_ns();
    }
}

void ends_close(struct ends *ends)
{
    for (int rank = 0; rank < ends->n_ranks; rank++)
        if (ends->ranks[rank].process >= 0)
            close(ends->ranks[rank].process);
    free(ends->ranks);
    *ends = (struct ends){0};
}
