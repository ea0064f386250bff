/* A broadcast of one's own: lines that say who sends what to whom.
 *
 *     d = 1                       # a binomial tree
 *     while d < ranks
 *       for r = 0 to min(d, ranks - d) - 1
 *         r -> r + d
 *       end
 *       d = 2 * d
 *     end
 *
 * docs/ref/scenario-format.md has the language. Rank 0 is the root: of a broadcast from another rank, ranks are counted
 * from there. The lines are carried out once for a number of ranks; a rank then does its sends and receives in their
 * order. Mistakes are SIM_BAD_INPUT with file and line.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_USER_BROADCAST_USER_BROADCAST_H
#define SIM_USER_BROADCAST_USER_BROADCAST_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    USER_BROADCAST_MAX_BYTES = 64 * 1024, /* of a file */
    OWN_MAX_MESSAGES = 1000000,           /* of a broadcast */
    OWN_MAX_STEPS = 20000000,             /* lines carried out */
    OWN_MAX_SEGMENTS = 65536,             /* of a message */
    OWN_MAX_PARTS = 256 * 1048576         /* ranks times segments */
};

struct user_broadcast_lines;

/* Read the lines. `label` is the file's name in messages. The caller frees. */
int user_broadcast_lines_read(struct user_broadcast_lines **lines, const char *text, size_t size, const char *label,
                              struct sim_error *error);
void user_broadcast_lines_free(struct user_broadcast_lines *lines);

/* One send or receive of a rank; ranks are counted from the root. */
struct user_broadcast_op {
    int32_t peer;
    int32_t line;
    int32_t first, count; /* segments */
    bool is_send;
};

/* The messages of a broadcast among so many ranks: those of rank r are ops[starts[r]] to ops[starts[r + 1] - 1]. */
struct user_broadcast_messages {
    int32_t n_ranks, n_segments;
    int64_t *starts;
    struct user_broadcast_op *ops;
    const char *label; /* borrowed from the lines */
};

/* Carry the lines out, and check what can be known without time: that each send has its receive, that no rank sends
 * data that it does not have, and that every rank gets the whole message. Where ranks wait for each other for ever
 * nothing is said: the simulation explains that. The caller frees. */
int user_broadcast_messages_make(struct user_broadcast_messages **messages, const struct user_broadcast_lines *lines,
                                 int n_ranks, struct sim_error *error);
void user_broadcast_messages_free(struct user_broadcast_messages *messages);

#endif
