/* Turns of strands, and of messages, on processors.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_STRAND_TURNS_H
#define SIM_KERNEL_STRAND_TURNS_H

#include "sim/kernel/strand.h"

/* The place of a turn in the queue is the op that it follows, then its class, then who has asked first: the key and the
 * order of a heap's entry, whose item is the strand or, of CLASS_MESSAGE, the message. */
enum { CLASSES = 4 };

static inline int64_t turn_key(int64_t begun, enum strand_class class)
{
    return begun * CLASSES + class;
}

static inline bool strand_is_free(const struct kernel *kernel, const struct strand_processor *processor)
{
    return processor->current == NO_STRAND && processor->clock_ps <= kernel->now_ps;
}

static inline struct strand_processor *strand_processor_of(const struct kernel *kernel, int strand)
{
    return &kernel->processors[kernel->places[strand].location];
}

/* The number of an op, of which the low bits are given. */
static inline int64_t turns_whole_number(const struct kernel *kernel, uint32_t low)
{
    return kernel->n_begun - ((uint32_t)kernel->n_begun - low);
}

/* Number the strand's op, or what it has waited for: what follows has its place in queues by that. */
void strand_begin_op(struct kernel *kernel, int strand);
/* The strand goes on: see to what comes next, of it and those that it starts, until they wait. */
void strand_advance(struct kernel *kernel, int strand);

/* The heap whose first has the processor's next turn; NULL: no strand has one. */
struct run_heap *turns_next_heap(const struct kernel *kernel, struct strand_processor *processor);
/* The processor may have something to do at the present. */
void turns_make_due(struct kernel *kernel, int location);
/* Put a turn into one of the processor's heaps. */
void turns_queue(struct kernel *kernel, struct run_heap *heap, int64_t key, uint32_t item, int location);
/* The strand waits for a turn. */
void strand_wait_for_turn(struct kernel *kernel, int strand, enum strand_turn turn, bool sends);

#endif
