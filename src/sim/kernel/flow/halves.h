/* A run without an order of time on two processors: each has half of the ranks.
 *
 * Each half is a kernel with sinks of its own, which runs its ranks as any other (sim/kernel/flow/flow.c). Its ranks
 * lie together. What they send to the other half goes there in packs: the letter, and what the sinks know of its
 * departure. There it is put with the letters of its receiver, whether that waits for it or not. So what a rank does,
 * and when, is the same on one processor and on two.
 *
 * A half that has nothing to do waits for packs. When both do, and none is under way, all has been done, or the run
 * fails. Then it is made on one processor. */
#ifndef SIM_KERNEL_FLOW_HALVES_H
#define SIM_KERNEL_FLOW_HALVES_H

#include "sim/kernel/flow/letters.h"
#include "sim/kernel/internal.h"

struct half;

/* What becomes of a run in halves. */
enum halves_outcome {
    HALVES_DONE,
    HALVES_ONE_PROCESSOR, /* it has to be made on one */
    HALVES_ORDER,         /* it needs the order of time, or fails */
};

/* Whether a run may be made so: where it is asked for, none of its sinks wants all locations, and no trace is read. */
bool halves_suit(const struct kernel_run *run);
/* Make it; *stats is that of all ranks where it is done. */
enum halves_outcome halves_run(struct kernel_stats *stats, const struct kernel_run *run);

/* Room for a letter in the pack for the other half, to be filled in, and a number that no other letter of this half has
 * until the pack is given. */
struct letter *half_send(struct kernel *kernel, int receiver, uint32_t *number);
/* Whether the pack is, so that others are to run before more is sent. */
bool half_is_full(const struct kernel *kernel);
/* After the event of what has been sent: give it, if the other half looks out for something. */
void half_offer(struct kernel *kernel);
/* Between two ranks: give and take what is ready. */
void half_exchange(struct kernel *kernel);
/* No rank can go on: wait until one can, or false where nothing can come any more. */
bool half_wait(struct kernel *kernel);

/* Only one half at a time: asks the machine for what it remembers. */
void half_lock_machine(struct kernel *kernel);
void half_unlock_machine(struct kernel *kernel);

#endif
