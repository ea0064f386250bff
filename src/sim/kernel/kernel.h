/* The event kernel: runs a program on a machine over a network and streams intervals to sinks.
 *
 * Deterministic: equal times fall in the order of the rank that acts (for a message, its sender). Every location's
 * intervals cover its time from 0 to the end of the run without gap.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_KERNEL_H
#define SIM_KERNEL_KERNEL_H

#include "base/error.h"
#include "base/units.h"
#include "interval/interval.h"
#include "sim/kernel/algorithms.h"
#include "sim/kernel/app.h"
#include "sim/machine/machine.h"
#include "sim/network/network.h"
#include "sim/program/placement.h"

#include <stdbool.h>
#include <stdint.h>

/* A change of what a computation of a rank takes, in N_WORK_COMPONENTS times. `op` is one of the rank's step: the same
 * step may be asked for again and must get the same change. `processor` is the location that computes. */
struct work_change {
    void (*apply)(const void *data, int processor, int64_t step, const struct op *op, int64_t *work_ps);
    const void *data;
    const struct work_change *next; /* made after this one; NULL: none */
};

struct kernel_run {
    const struct program *program;
    struct machine *machine;
    const struct placement *placement;
    const struct network_spec *network;
    const struct interval_sink *sinks;
    int n_sinks;
    bool splits_messages;             /* say in parts_ps what the time of messages consists of */
    const struct work_change *change; /* of all computations; NULL: none is changed */
    /* For programs that share memory, which may poll: the run fails with SIM_UNFINISHED after so many events; 0:
     * never. */
    int64_t most_events;
    /* The run fails with SIM_UNFINISHED when more messages are under way at once, or more strands beside those of
     * ranks; 0: MAILBOX_MOST. */
    int64_t most_messages;
    struct link_loads *loads; /* is told what crosses the machine's links; NULL: not asked for */
    /* Omit zero-length receive and call intervals (is_receipt, enum interval_call): only traces, and what looks
     * at each message or at where ranks end, need them. */
    bool without_receipts;
    /* Have the sinks forget what they took. Where it is given, ranks may run ahead of the present: the run may begin
     * again, and intervals of different locations may come in another order than that of time, as interval.h has it.
     * NULL: they must not. */
    void (*restart)(void *restarted);
    void *restarted;
};

/* Calls with dimensions that the cost of their kernel was not fitted for: how many, and the first of them. */
struct kernel_outside {
    int64_t n_calls;
    char kernel[32];
    int64_t from, to;
    int32_t m, n, k;
};

/* Receives that were from any source when they were traced (op.from_any), and what they would get by the clock: see
 * sim/kernel/first_come.h. */
struct first_come_stats {
    int64_t n_receives, n_others; /* those; those of them that would get a message from another rank */
    wide_int waits_ps; /* how long ranks are blocked in such a receive after the other message has come. Without those
                        * that wait for requests, and where ranks have strands */
    /* The first of n_others, by posting: its rank, its place in the trace, and who sends what it gets and would get. */
    int64_t posted_ps, position;
    int32_t rank, traced, first;
};

struct kernel_stats {
    int64_t end_ps;   /* when the last rank was done: the makespan */
    int64_t messages; /* of the program; a rendezvous' control messages are not counted */
    wide_int bytes;
    /* Those of them between ranks of one host, where ranks share hosts and such messages take no time. */
    int64_t local_messages;
    wide_int local_bytes;
    int64_t events;                     /* taken from the event queue */
    int64_t most_queued, most_messages; /* at once: in the event queue; messages and posted receives that wait */
    struct kernel_outside outside;
    /* Where ranks do several things at once, without contention: how long messages are on wires, and how much of that
     * on one end's own wire that others are on already (sim/kernel/own_wires.h). */
    wide_int wire_ps, shared_wire_ps;
    struct unreceived unreceived;
    struct first_come_stats first_come; /* 0 without `knows_sources` */
    struct algorithms algorithms;       /* of a program that replays a trace */
    int64_t checked_reads;              /* words of shared memory that were proved to be read as last written */
};

/* Run a program that shares no memory (see simulate_run()) to the end. -1 with SIM_UNFINISHED and the cycle of waiting
 * ranks when there is a deadlock, or when the clock's range (PS_MAX, 26.7 days) is exceeded; -1 with SIM_BAD_INPUT when
 * the machine lacks a kernel's cost. */
int kernel_run(struct kernel_stats *stats, const struct kernel_run *run, struct sim_error *error);

#endif
