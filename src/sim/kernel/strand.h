/* Ranks that do several things at once.
 *
 * A rank has strands: each a line of steps, which goes on by itself, may begin others (OP_START), and waits for its own
 * messages. Strands run on the rank's processors, each of which is a location of its own: processor k of rank r is
 * location k n_ranks + r. A processor does one thing at a time, to its end:
 *
 *     begins, or has done an op ──> what comes next? ──> an op that needs the processor ──> waits for a turn ─┐
 *               ^                          └──> a receive is posted, in its turn; the strand waits            │
 *               │                                   a message has come ──> waits for a turn to be taken in ──────┤
 *               └────────────────────────────────────────────────────────────────────────────────────────────────┘
 *
 * The next turn has the one waiting that follows what began first: after an op, or started by one, that op; after a
 * message, its sending. Among those that follow the same, sends are first, then receives, then others, each in the
 * order of their OP_STARTs. Receives are posted in that order, too, but do not wait until the processor is free. It is
 * the order of LogGOPSim (Hoefler and others 2010), which queues an operation when what it requires begins.
 *
 * The account is the processor's: strands that wait take none of its time, and what it does next says what it waited
 * for. A run in which no program asks for strands has none of this: there, a rank is its strand, and its only
 * processor.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_STRAND_H
#define SIM_KERNEL_STRAND_H

#include "sim/kernel/internal.h"

/* Priority of strands that follow the same one: the first class goes first. */
enum strand_class { CLASS_MESSAGE, CLASS_SEND, CLASS_RECEIVE, CLASS_OTHER };

/* The next action of a strand that waits for its turn. */
enum strand_turn {
    TURN_GO_ON, /* it has what it waited for, and goes on */
    TURN_OP,    /* the next op of its step */
    TURN_POST,  /* the same, which needs no processor */
};

/* The action of a strand when its processor is free again. */
enum strand_then {
    STRAND_ADVANCES,
    STRAND_AGAIN, /* its op is done once more */
    STRAND_WAITS, /* for what wakes it, or has woken it meanwhile */
};

struct strand_processor {
    int64_t clock_ps;      /* its account goes until then; it is busy if that is later than the present */
    int64_t again_ps;      /* when `current` is to be called again for the same op */
    struct run_heap ops;   /* those that wait for a turn, the next first: see turn_key() */
    struct run_heap posts; /* the same of those that wait to post a receive, ... */
    struct run_heap late;  /* ... and of those that came before the processor became busy at the present */
    uint32_t current;      /* whose op ends when the processor is called next; NO_STRAND */
    struct heap_entry due; /* as which it is in the kernel's heap of those that may have something to do; */
    bool is_due;           /* whether it is */
    bool calls_again;      /* what `current` does has to be done again */
    uint8_t then;          /* enum strand_then, of `current` */
};

/* A strand takes about so much while it is alive; there may be as many beside those of ranks as messages. */
enum { STRAND_BYTES = 176 };

/* An event's item is a location, not a rank. */
#define STRAND_EVENT (UINT32_C(1) << 31)

void strands_open(struct kernel *kernel);
void strands_close(struct kernel *kernel);
/* Begin the first strand of each rank. */
void strands_begin(struct kernel *kernel);
/* A processor's event has come. */
void strands_call(struct kernel *kernel, int location);
/* When all events of the present have happened: let those processors go on that have something to do. */
void strands_do_due(struct kernel *kernel);
/* The accounts of all processors go on to the end of the run. */
void strands_close_locations(struct kernel *kernel);
/* Nothing is left to happen: the run fails if some strands wait, or can never begin. */
void strands_check_finished(struct kernel *kernel);

/* A message has come: it is taken in when a processor of its receiver has a turn for that. */
void strands_receive(struct kernel *kernel, uint32_t index);

/* A strand that was blocked goes on. */
void strand_go_on(struct kernel *kernel, int strand);
/* The strand's op has to be done again at that moment. */
void strand_call_again(struct kernel *kernel, int strand, int64_t at_ps);

/* Intervals that follow are of the strand's processor, and begin where its account ends; until the other. */
static inline void strand_begin_account(struct kernel *kernel, int strand)
{
    if (kernel->places != NULL)
        kernel->ranks[strand].clock_ps = kernel->processors[kernel->places[strand].location].clock_ps;
}
static inline void strand_end_account(struct kernel *kernel, int strand)
{
    if (kernel->places != NULL)
        kernel->processors[kernel->places[strand].location].clock_ps = kernel->ranks[strand].clock_ps;
}

#endif
