/* Programs as traces that say what is done and not when, such as TI: a program is asked, rank by rank, for its steps,
 * and each is written as the format says it. Collectives are the messages that they are made of.
 *
 * Formats get times and operations as the program has them: what takes the same time on any host, what takes so many
 * operations, and what takes so long on the rank's own host. The time of calling a collective, besides its messages, is
 * a time, too. Scopes are lost. The trace's remark names the costs that a replay lacks.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_PROGRAM_EXPORT_H
#define EXPERIMENT_PROGRAM_EXPORT_H

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
struct export_request {
    int32_t peer, tag;
    uint32_t request;
    uint32_t number; /* what the format calls it: writer->message() */
    int32_t context; /* 0, or that of the collective */
    bool receives;
    bool marked;            /* the program is about to wait for it and others together */
    int64_t combination_ps; /* what the processor does with it besides, if the format cannot say that */
};

/* Things that a format may not be able to say, so that a replay may take another time than the run. */
enum export_loss {
    EXPORT_PICOSECONDS, /* of fractions of nanoseconds */
    EXPORT_SYNCHRONOUS, /* that a send waits for its receive */
    EXPORT_EXCHANGE,    /* that what a send takes on the way is the price of an exchange */
    EXPORT_COMBINATION, /* that the processor takes a message in and combines it without doing anything between */
    EXPORT_PROBE,       /* looking whether a message has come */
    EXPORT_UNWAITED,    /* that a request is never waited for */
    EXPORT_OVERTAKEN,   /* which of several requests is waited for */
    EXPORT_UNORDERED,   /* that what comes first is taken in first */
    N_EXPORT_LOSSES
};

/* Where the export is. */
struct export_position {
    void *trace; /* `self` of the open trace */
    int rank;
    double speed;                  /* of its host, in flop/s */
    int64_t lost[N_EXPORT_LOSSES]; /* how often, up to now */
};

/* How a format says what a rank does. One of all zero is to be made for each trace; `state` is the format's. */
struct export_writer {
    const struct trace_format *format;
    bool says_prices; /* that a send is part of an exchange, that a receive combines: a machine may charge for that */
    bool says_synchronous;
    bool tells_requests;   /* of the same rank and tag from each other */
    bool waits_in_the_end; /* for requests, whether or not the program does */
    size_t state_size;     /* of what lives while all ranks are exported; all zero at first */
    void (*begin)(void *state, struct export_position *position, int n_ranks); /* NULL: nothing is to be done */
    void (*begin_rank)(void *state, struct export_position *position);
    /* Floating-point operations; or a time that the rank's host takes for some. */
    void (*flops)(void *state, struct export_position *position, double flops, uint8_t role);
    void (*work)(void *state, struct export_position *position, int64_t ps, uint8_t role);
    /* A time that is the same on any host. */
    void (*sleep)(void *state, struct export_position *position, int64_t ps);
    /* OP_SEND, OP_RECV, OP_ISEND, OP_IRECV; its number, if it has one. */
    uint32_t (*message)(void *state, struct export_position *position, const struct op *op);
    void (*wait)(void *state, struct export_position *position, const struct export_request *begun);
    /* For all that has been begun, what comes first first; NULL: the format cannot say that. */
    void (*wait_for_all)(void *state, struct export_position *position);
    int (*end_rank)(void *state, struct export_position *position, struct sim_error *error);
    void (*dispose)(void *state); /* NULL: nothing is to be freed */
};

extern const struct export_writer export_writer_ti, export_writer_goal;

/* True if the trace, NULL for none, wants the program and not its intervals. */
bool export_is_wanted(const struct trace *trace);

/* Check that the program can be written: not one that shares memory. */
int export_check(const struct trace *trace, const struct program *program, struct sim_error *error);

/* Where a trace of intervals, which can be replayed, is one of a program that shares memory, or whose ranks do several
 * things at once: put into trace->remark what a replay cannot know. */
void export_remark_shared(struct trace *trace, const struct program *program);

/* Write all of the program, which is asked for its steps from the beginning, and into trace->remark what is lost of the
 * time that a replay takes, on the network loggp or another one. Where it wants the fastest collectives it has been
 * simulated, and program->collectives.autotune is what they were. */
int export_write(struct trace *trace, const struct program *program, struct machine *machine,
                 const struct placement *placement, bool is_loggp, struct sim_error *error);

#endif
