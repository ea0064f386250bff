/* Schedules of operations by the LogGOPS model (Hoefler10), as LogGOPSim has it: s bytes, the parameters L, o, g, G, O
 * and S. L is the time of a message of one byte without contention, and (s - 1) G what the others add to that.
 *
 * - A send begins when its processor and its rank's wire out are free. It keeps the processor busy for o + (s - 1) O,
 *   and the wire for g + (s - 1) G. The first byte of its message comes o + L after its beginning.
 * - A message that has come is taken in when the processor and its rank's wire in are free, whether or not its receive
 *   is posted. This keeps the processor busy for o + the larger of (s - 1) O and (s - 1) G, and the wire for
 *   g + (s - 1) G. Ops that require the receive go on when the processor is free again.
 * - A send of more than S bytes, a rendezvous, ends when its message is taken in and its receive is posted; others when
 *   their processor is free. Nothing is sent besides.
 *
 * o and O are the machine's costs of sending and of receiving, of one byte and of each further one; g is its gap; S its
 * eager limit. Without contention (what if) wires are always free.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_LOGGOPS_H
#define SIM_KERNEL_LOGGOPS_H

#include "sim/kernel/internal.h"

struct loggops {
    bool has_wires;                  /* else they are always free */
    int64_t *out_ps, *in_ps;         /* of each rank, when its wires are free again */
    struct run_heap *sends, *comers; /* of each location: turns of what needs a wire besides; comers are messages */
    int64_t *wakes_ps;               /* of each location: when it is called, because a wire may be free */
    int releaser;                    /* the location that has a rendezvous end */
    int released;                    /* the strand that the receive which is being posted lets go on; -1: none */
};

struct loggops *loggops_new(const struct kernel *kernel, size_t n_locations);
void loggops_free(struct loggops *loggops, size_t n_locations);

/* The time of the processor for a send until its first byte leaves. */
int64_t loggops_send_ps(const struct cost_model *costs, int64_t bytes, bool local);
/* A send begins: the wire is busy. Its first byte has left: the processor's time for the others. */
void loggops_begin_send(struct kernel *kernel, int strand, const struct op *op, struct price *price);
void loggops_end_send(struct kernel *kernel, int strand, const struct op *op);

/* The processor begins to take a message in: its account goes on to the present. */
void loggops_account_wait(struct kernel *kernel, int location, uint32_t index);
/* It takes the message in: it and the wire are busy. */
void loggops_take_in(struct kernel *kernel, int location, uint32_t index);
/* The message has met its receive at the location: the strand that waited for the end of the send; -1: none did. */
int loggops_release(struct kernel *kernel, uint32_t index, int location);

/* The heap whose first turn comes first: `best`, which may be NULL, or one of turns that need a wire which is free. */
struct run_heap *loggops_next_heap(const struct kernel *kernel, int location, struct run_heap *best);
/* A processor has nothing that it could do: have it called when a wire is free that something waits for. */
void loggops_wake(struct kernel *kernel, int location);

#endif
