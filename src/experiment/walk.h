/* Programs as traces that say what is done and not when, such as TI: who walks through a program, rank by rank, asks
 * for its steps and has each written in the words of the format. Collectives are the messages that they are made of.
 *
 * Words get times and operations as the program has them: what takes the same time on any host, what takes so many
 * operations, and what takes so long on the rank's own host. Scopes are lost. */
#ifndef EXPERIMENT_WALK_H
#define EXPERIMENT_WALK_H

#include "base/error.h"
#include "sim/kernel/app.h"
#include "sim/machine/machine.h"
#include "sim/program/op.h"
#include "sim/program/placement.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A send or receive that has been begun and not waited for. */
struct walk_begun {
    int32_t peer, tag;
    uint32_t request;
    uint32_t number; /* what the format calls it: words->message() */
    int32_t context; /* 0, or that of the collective */
    bool receives;
};

/* Where the walk is. */
struct walk_place {
    void *trace; /* `self` of the open trace */
    int rank;
    double speed; /* of its host, in flop/s */
};

/* How a format says what a rank does. One of all zero is to be made for each trace; `state` is the format's. */
struct walk_words {
    const struct trace_format *format;
    size_t state_size; /* of what lives while all ranks are walked through; all zero at first */
    void (*begin)(void *state, const struct walk_place *place, int n_ranks); /* NULL: nothing is to be done */
    void (*begin_rank)(void *state, const struct walk_place *place);
    /* Floating-point operations; or a time that the rank's host takes for some. */
    void (*flops)(void *state, const struct walk_place *place, double flops, uint8_t role);
    void (*work)(void *state, const struct walk_place *place, int64_t ps, uint8_t role);
    /* A time that is the same on any host. */
    void (*sleep)(void *state, const struct walk_place *place, int64_t ps);
    /* OP_SEND, OP_RECV, OP_ISEND, OP_IRECV; its number, if it has one. */
    uint32_t (*message)(void *state, const struct walk_place *place, const struct op *op);
    void (*wait)(void *state, const struct walk_place *place, const struct walk_begun *begun);
    /* For all that are left, in the order in which they were begun. */
    void (*wait_for_all)(void *state, const struct walk_place *place, const struct walk_begun *begun, size_t n_begun);
    int (*end_rank)(void *state, const struct walk_place *place, struct sim_error *error);
    void (*dispose)(void *state); /* NULL: nothing is to be freed */
};

extern const struct walk_words walk_words_ti, walk_words_goal;

/* Whether the trace, NULL for none, wants the program and not its events. */
bool walk_is_wanted(const struct trace *trace);

/* Whether the program can be written: not one that shares memory. */
int walk_check(const struct trace *trace, const struct program *program, struct sim_error *error);

/* Write all of the program, which is asked for its steps from the beginning. Where it wants the fastest collectives it
 * has been simulated, and program->collectives.autotune is what they were. */
int walk_write(const struct trace *trace, const struct program *program, struct machine *machine,
               const struct placement *placement, struct sim_error *error);

#endif
