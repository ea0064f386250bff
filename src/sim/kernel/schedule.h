/* Schedules: the messages of a collective of all members of a group, in an order in which each send finds its receive.
 * They are kept, since programs do the same collective again and again.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_SCHEDULE_H
#define SIM_KERNEL_SCHEDULE_H

#include "sim/kernel/internal.h"

/* A message of a collective, and what it costs. */
struct move {
    int32_t sender, receiver;
    int64_t bytes;
    int64_t alone_ps, send_ps, receive_ps; /* see struct price */
    bool combines, exchanges;
};

/* The messages of a collective in an order in which each send finds its receive. */
struct schedule {
    struct op op; /* whose it is; of kind OP_COMPUTE: of no rank */
    struct move *moves;
    size_t n_moves, capacity;
};

/* A collective that all members of a group do. */
struct joint_call {
    struct op op;
    const struct coll_spec *algorithm;
    struct coll_call call;
    int n_members;
};

static inline bool schedule_is_of(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->group == b->group && a->peer == b->peer && a->bytes == b->bytes &&
           a->blocks == b->blocks && a->mode == b->mode;
}

struct schedules;

struct schedules *schedules_new(void);
void schedules_free(struct schedules *schedules);

/* The schedule of a call, good until the next is looked for; NULL: there is none. */
const struct schedule *schedules_find(struct kernel *kernel, struct schedules *schedules,
                                      const struct joint_call *joint);

#endif
