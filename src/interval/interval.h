/* The interval of one location (a rank's processor) in one state: the only thing that metrics and trace writers see of
 * a simulation or of a real run.
 *
 * The intervals of a location follow each other without gap or overlap from time 0, so that its states add up to its
 * time exactly; kernel and tracers guarantee it. Intervals of zero length are allowed. Those of one location arrive in
 * order of time; those of different locations may not, except that an interval which follows another location (see enum
 * interval_cause) arrives while that location still stands at or before `origin`.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTERVAL_INTERVAL_H
#define INTERVAL_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum location_state {
    STATE_USEFUL,  /* computation or I/O that the sequential program has too */
    STATE_CONTROL, /* work that exists only because the program is parallel */
    STATE_IO,      /* in traces: reading and writing of files by the message library, as MPI-IO */
    STATE_SEND,    /* sending: from the start of the message until the sender may go on */
    STATE_RECEIVE, /* receiving: the part of a receive in which its message was under way or being taken in */
    STATE_LIBRARY, /* in traces: calls of the message library that move nothing of the program's: beginning and ending,
                    * communicators, windows, types, files that are opened and closed */
    STATE_IDLE,    /* waiting: for a message not yet sent, a receiver not yet ready, or a shared processor */
    N_LOCATION_STATES
};

/* Names as they stand in JSON and CSV: useful control io send receive library idle. */
extern const char *const location_state_names[N_LOCATION_STATES];
/* True for a state that every run has. One that only some traces have is left out where a run has none of it. */
extern const bool location_state_is_usual[N_LOCATION_STATES];

/* The activity of the processor, for the component tree of Zemerly95, table 5. */
enum interval_kind {
    INTERVAL_COMPUTE, /* work[] says how the time divides */
    INTERVAL_INPUT,
    INTERVAL_OUTPUT,
    INTERVAL_COMMUNICATE, /* sending, receiving, waiting for a message, initializing links; all else of the library */
    INTERVAL_WAIT_CPU,    /* waiting for a processor that several ranks share */
    N_INTERVAL_KINDS
};

/* Components of a computation (Zemerly95, eq. 2); FPU is net of what overlaps the CPU, EXTERNAL includes fetches. */
enum work_component { WORK_CPU, WORK_FPU, WORK_EXTERNAL, WORK_INTERNAL, N_WORK_COMPONENTS };

/* Which earlier moment this interval's end depended on. */
enum interval_cause {
    CAUSE_SELF,       /* on its own location: the interval began when the location's previous one ended */
    CAUSE_PEER,       /* on location `peer` at time `origin`: everything before that on this location had slack */
    CAUSE_CHECKPOINT, /* on what led to the sending of `message` at time `origin` (see is_checkpoint) */
};

/* The parts of a message's time: that of an empty message, what its length adds, what others on its way add. */
enum message_part { MESSAGE_LATENCY, MESSAGE_LENGTH, MESSAGE_CONTENTION, N_MESSAGE_PARTS };

/* The activity of a location of a program that shares memory, as CARNIVAL has it (Pereira98, section 4.1): of the main
 * processor, then of the protocol controller. Others are in CATEGORY_NONE. */
enum category {
    CATEGORY_NONE,
    CATEGORY_COMP,   /* the program's own computation */
    CATEGORY_EXTRA,  /* keeping memory coherent, on the node's own behalf */
    CATEGORY_WAIT,   /* for an answer; also after the program's end */
    CATEGORY_PRSTE,  /* serving others, in interrupts */
    CATEGORY_CPCOMP, /* the controller executes a command */
    CATEGORY_CPWAIT, /* it waits for its main processor to take an interrupt */
    CATEGORY_CPIDLE, /* there is nothing to do */
    N_CATEGORIES
};
extern const char *const category_names[N_CATEGORIES];

/* The operation of the protocol that an interval belongs to. */
enum operation {
    OPERATION_NONE,
    OPERATION_PAGE, /* fetching a page */
    OPERATION_DIFF, /* fetching diffs of a page */
    OPERATION_TWIN, /* the first write to a page */
    OPERATION_LOCK,
    OPERATION_BARRIER,
    OPERATION_PREFETCH, /* diffs, before they are needed */
    OPERATION_COLLECT,  /* garbage collection */
    OPERATION_RESUME,   /* from messages back to the program */
    N_OPERATIONS
};
extern const char *const operation_names[N_OPERATIONS];

/* The program's call, as far as the states do not tell it; of use to those who write the call down. A request is what a
 * call has begun, to be waited for later under the program's number. Combinations are sums. */
enum interval_call {
    CALL_PLAIN = 0,
    CALL_SYNCHRONOUS = 1, /* with is_message: complete only once the receive has begun, because the program says so */
    CALL_BEGUN = 2,       /* with is_message: the send is `request`; else, of no length: a receive is posted, which
                           * has a `message` that no other one has meanwhile */
    /* On an interval of no length: from here on the location waits; with STATE_RECEIVE for a receive that it has
     * posted, of the same `message`, with STATE_SEND for the send `request`, or, if that is 0, for all its sends within
     * a collective, or for all others. `tag` as in messages. */
    CALL_WAITS = 4,
    CALL_WAITED = 8, /* the interval in which a location waited for sends, up to now */
    /* Calls that a machine may have a price for: */
    CALL_COLLECTIVE = 16, /* an interval of its own: calling a collective, besides its messages */
    CALL_EXCHANGES = 32,  /* with is_message: the rank receives before it waits for the send */
    CALL_COMBINES = 64,   /* with is_receipt: what has come is added to what the rank has */
    CALL_START = 128, /* with STATE_LIBRARY: the beginning or the end of the message library, no part of the program */
};

/* The moment of this interval, if any, that later dependents of `message` depend on. */
enum interval_checkpoint {
    CHECKPOINT_NONE,
    CHECKPOINT_END,       /* the message leaves at the interval's end */
    CHECKPOINT_BEGINNING, /* it leaves at the beginning */
};

/* Why a location is idle, where the trace of a real run says so; the terms are those of Scalasca. */
enum wait_state {
    WAIT_NONE,
    WAIT_LATE_SENDER,   /* for a message that was not sent yet */
    WAIT_LATE_RECEIVER, /* in a send, for a receiver that was not ready */
    WAIT_BARRIER,       /* for the last one in a barrier */
    WAIT_N_TO_N,        /* for the last one in a collective of which each needs all */
    WAIT_LATE_ROOT,     /* for the root of a broadcast or a scatter */
    WAIT_EARLY_ROOT,    /* the root of a reduce or a gather, for the last of the others */
    WAIT_EARLY_SCAN,    /* for one before it in a scan */
    WAIT_FENCE,         /* for the last one at a fence of one-sided communication */
    WAIT_LATE_POST,     /* for memory of another rank that it has not exposed yet */
    WAIT_EARLY_WAIT,    /* until another rank accesses its memory no more */
    WAIT_LOCK,          /* for a lock of a window that another rank has */
    WAIT_CREATE,        /* for the last one where a communicator or a window is made or freed */
    WAIT_FILE,          /* for the last one in a call by which all use a file */
    WAIT_IN_VAIN,       /* polls that found nothing */
    WAIT_PROCESSOR,     /* for a processor that other ranks had */
    WAIT_FOREIGN,       /* for a processor that programs had of which no rank is a part */
    WAIT_SLEEP,         /* for nothing of the sort: it slept, or was blocked outside of the library */
    WAIT_OFF,           /* one of the last two: the trace does not say which */
    WAIT_UNRECORDED,    /* recording was off: the rank's activity is unknown */
    WAIT_START,         /* before the rank's first record */
    WAIT_END,           /* after its last one */
    WAIT_NEVER,         /* for a message that had not come when the run was aborted */
    WAIT_THREAD,        /* for another thread of the rank: that it begins, or ends */
    WAIT_STREAM,        /* for what streams of the rank's accelerators do */
    WAIT_LAUNCH,        /* a stream, until its rank launches something, and that begins */
    WAIT_SERIAL,        /* a thread of the rank's teams, while the rank's own thread is in no parallel region */
    WAIT_TEAM,          /* for the last thread of its team, at a barrier or the end of a parallel region */
    WAIT_THREAD_LOCK,   /* for a lock that another thread of the rank has */
    WAIT_OTHER,         /* the trace does not say for what */
    N_WAIT_STATES
};
/* Names as they stand in reports: "late sender", ... */
extern const char *const wait_state_names[N_WAIT_STATES];

/* The 13 intervals of a request (Pereira98, figures 1-3 and table 1); [i] is interval i + 1. */
enum { N_WAIT_INTERVALS = 13 };

/* Marks, on intervals of no length, where setup.iterations asks for them. */
enum interval_iteration {
    ITERATION_NONE,
    ITERATION_BEGINS, /* an iteration of the program on this rank, after the one before, if that has not ended */
    ITERATION_ENDS
};

struct interval {
    int64_t start_ps, end_ps;
    int64_t origin_ps;  /* the time from which the critical path runs on, where cause is not CAUSE_SELF; else, with
                         * is_receipt in the trace of a real run, when its message was sent */
    int64_t bytes;      /* of the I/O, or of the message where is_message or is_receipt */
    int64_t operations; /* basic operations done, where state is STATE_USEFUL or STATE_CONTROL */
    int64_t quantums;   /* parts of work dealt with, as a traced program says where a phase of it ends, or with
                         * INTERVAL_COMMUNICATE those that its messages hold; else 0 */
    const int64_t
        *work_ps; /* INTERVAL_COMPUTE: N_WORK_COMPONENTS times that add up to end - start; else NULL; borrowed */
    /* On the last interval of a wait: N_WAIT_INTERVALS times, which add up to the whole of it; else NULL; borrowed. The
     * location's last departure before that is at the wait's beginning. */
    const int64_t *wait_ps;
    /* On an interval that ends with a message: N_MESSAGE_PARTS times, which add up to the time from origin_ps, or
     * start_ps with CAUSE_SELF, to the end; NULL elsewhere, and if they were not asked for; borrowed. */
    const int64_t *parts_ps;
    int64_t n_calls;  /* of the message library, which begin with the interval; several are polls */
    uint32_t message; /* a number that no other message has meanwhile; only with is_checkpoint or CAUSE_CHECKPOINT */
    int32_t awaited;  /* where `wait` is one for a rank: that rank */
    int32_t location; /* processors of ranks first, then protocol controllers */
    int32_t peer;     /* the other end of the message: a rank, or a protocol controller; -1 if none. With
                         * CAUSE_PEER, without a message, the location that is followed; where a
                         * thread or a stream is waited for (from WAIT_THREAD on), its location; -1: not known */
    int32_t tag;      /* where is_message or is_receipt: the message's tag as the program gave it, -1 within a
                             * collective; else 0 */
    union {
        uint32_t request; /* of simulations: see enum interval_call; else 0 */
        uint32_t path; /* of traces: through which functions the program comes there, in setup->paths; 0: not known */
    };
    uint32_t site;         /* of its call in the program: one more than an index; 0: not known */
    uint16_t function;     /* of the message library, in which the rank is: an index; 0: none */
    uint8_t state;         /* enum location_state */
    uint8_t kind;          /* enum interval_kind */
    uint8_t cause;         /* enum interval_cause */
    uint8_t scope;         /* index into the program's scopes */
    uint8_t category;      /* enum category */
    uint8_t operation;     /* enum operation */
    uint8_t is_message;    /* 1 on the sender's interval that completes a message */
    uint8_t is_receipt;    /* 1 on the receiver's interval that completes a message, with its peer, bytes and tag; where
                             * that took no time, of no length. May come before its is_message */
    uint8_t is_collective; /* 1 on the last interval of a collective that the trace of a real run has; with its bytes */
    uint8_t call;          /* enum interval_call */
    uint8_t wait;          /* enum wait_state, of STATE_IDLE in traces; WAIT_SLEEP, WAIT_LAUNCH also of replays */
    uint8_t is_checkpoint; /* enum interval_checkpoint */
    uint8_t iteration;     /* enum interval_iteration */
    uint32_t serial; /* where is_message or is_receipt: a number that both ends of the message have, and no other one
                            * that is under way meanwhile from its sender to its receiver under its tag */
};

/* True if the location is without a processor, outside of the library. */
static inline bool interval_is_off(const struct interval *interval)
{
    return interval->wait >= WAIT_PROCESSOR && interval->wait <= WAIT_OFF;
}

/* The facts that are known of a run before its first interval; names are borrowed. */
struct interval_setup {
    int n_ranks;
    int n_locations;       /* processors of ranks and, after them, protocol controllers */
    bool has_progress;     /* behind each rank's processors is a location for what goes on by itself, without one */
    int n_more_processors; /* that each rank has beside its first: location k n_ranks + r is its processor k */
    int first_stream;      /* of traces: processors from this one on are streams of accelerators; 0: none is */
    /* Names of these processors within their ranks, by location, such as "thread 2". An element that is NULL: "cpu 2"
     * if it is the rank's processor 2; NULL itself: all are named so. Borrowed. */
    const char *const *processor_names;
    const char *const *scopes; /* names, n_scopes of them; the first is that of no scope, "" */
    int n_scopes;
    const char *const *functions; /* of the message library: names, n_functions of them, the first is ""; or NULL */
    int n_functions;
    const char *const *sites; /* names of call sites of the message library, and other texts; NULL: none is known */
    const struct call_paths *paths; /* that the program takes: grow while the intervals come; NULL: none is known */
    /* Parameters of the program, names and values in turns, NULL-terminated; NULL: none is known. Borrowed. */
    const char *const *parameters;
    const char *iterations; /* how iterations are told: the name of a scope or a function; NULL: they are not */
    /* While a mark of one that begins is taken: which one of its rank it is in the whole run, from 1. NULL: not
     * known. */
    const int64_t *iteration;
    bool has_categories; /* of a program that shares memory: intervals say more than the state (enum category) */
    bool is_traced;      /* the intervals come from a trace, not from a simulation */
    uint32_t details;    /* what is asked for beside the usual: a sum of bits, metrics/detail.h; 0: nothing */
    double flops;        /* by which the program's rate is counted; 0: not said */
    const int64_t
        *processor_ps; /* of each rank, of a trace: what its process had of a processor; -1: not known; or NULL */
    const struct counters *counters; /* of a trace (interval/counters.h); NULL: not asked for, or not known */
    /* The host on which a rank sits, a number of the machine's; NULL: it is not known. */
    int (*host_of)(const void *placement, int rank);
    const void *placement;
    /* Which scopes lie in which: [scope * n_scopes + parent]; filled in while the intervals come. NULL: none nests. */
    const bool *nests;
};

/* The locations that have critical paths: these from 0 on. */
static inline int interval_paths(const struct interval_setup *setup)
{
    return setup->n_ranks * (1 + setup->n_more_processors + setup->has_progress);
}

/* The locations that are processors of ranks: these from 0 on. */
static inline int interval_processors(const struct interval_setup *setup)
{
    return setup->n_ranks * (1 + setup->n_more_processors);
}

/* The number by which messages name a location as their other end: its rank, or the protocol controller itself. */
static inline int interval_party(const struct interval_setup *setup, int location)
{
    return location < interval_paths(setup) ? location % setup->n_ranks : location;
}

/* The i-th location, where the first n_each of each rank stand side by side, then all others. */
static inline int interval_in_order(const struct interval_setup *setup, int n_each, int i)
{
    return i < setup->n_ranks * n_each ? i % n_each * setup->n_ranks + i / n_each : i;
}

/* A location's name: "rank 5", of its other processors "rank 5 cpu 1", "rank 5 thread 2" or "rank 5 stream 7 (gpu 0)",
 * of what goes on by itself "rank 5 progress", of its protocol controller "controller 5". */
enum { PROCESSOR_NAME = 40, LOCATION_NAME = PROCESSOR_NAME + 24 };
/* The part behind the rank of a processor that is not its first. */
void interval_name_processor(char name[PROCESSOR_NAME], const struct interval_setup *setup, int location);
void interval_name_location(char name[LOCATION_NAME], const struct interval_setup *setup, int location);

/* The messages of a run that no rank receives: how many, and the one that is sent first. */
struct unreceived {
    int64_t n_messages;
    int from, to, tag;
    int64_t at_ps, bytes;
};

/* A consumer of intervals. Several are chained by an array. `self` is passed back. */
struct interval_sink {
    void (*take)(void *self, const struct interval *interval);
    void *self;
    /* The same for several, one after the other; NULL: each is given to take(). */
    void (*take_many)(void *self, const struct interval *intervals, int count);
};

/* Give intervals to a sink, one after the other. */
void interval_sink_give(const struct interval_sink *sink, const struct interval *intervals, int count);

#endif
