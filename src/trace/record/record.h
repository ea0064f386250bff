/* The record: what one rank of a traced program did next. Every reader of traces (TI, OTF2) gives records, rank by
 * rank, in the order in which the rank did them. Replaying makes ops of them (src/apps/replay/trace.c), analyzing makes
 * intervals (trace/analysis/analysis.h); neither knows which format they came from.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_RECORD_H
#define TRACE_RECORD_RECORD_H

#include "base/error.h"
#include "interval/call_paths.h"
#include "interval/group.h"

#include <stdbool.h>
#include <stdint.h>

/* The `request` of a RECORD_WAIT without times that waits for all that the rank has begun and not waited for. */
#define RECORD_ALL_REQUESTS UINT32_MAX

enum record_kind {
    RECORD_COMPUTE,    /* computation between calls of the message library */
    RECORD_SLEEP,      /* time in which nothing is computed, of the length that the trace says on any machine */
    RECORD_SEND,       /* `bytes` to `peer` under `tag`; complete when the buffer is free again */
    RECORD_RECV,       /* a message from `peer` under `tag`, taken in; -1: from whom it comes first (has_any_source) */
    RECORD_ISEND,      /* like RECORD_SEND, but complete at the RECORD_WAIT with the same `request` */
    RECORD_IRECV,      /* like RECORD_RECV, posted */
    RECORD_WAIT,       /* until `request` is complete. MPI's sendrecv, waitall, test ... are several records */
    RECORD_COLLECTIVE, /* `collective` among the members of `group`; a non-blocking one where it is waited for */
    RECORD_PROBE,      /* until the first message from `peer` under `tag` that is not taken in yet is there */
    RECORD_CALL,       /* any other call of the library that takes time: see enum record_call */
    RECORD_ENTER,      /* `scope` begins; scopes nest */
    RECORD_LEAVE,      /* the innermost scope ends */
    RECORD_SIGNAL,     /* `mark` is named: other threads of the rank wait for that */
    RECORD_AWAIT,      /* until `mark` has been named as often as `request` says, less one */
};

/* Purposes of a RECORD_CALL. */
enum record_call {
    RECORD_CALL_OTHER,   /* one-sided communication, and messages of which the trace does not say more */
    RECORD_CALL_LIBRARY, /* it moves nothing of the program's: communicators, windows, types, ... */
    RECORD_CALL_START,   /* the library begins or ends */
    RECORD_CALL_READ,    /* reading files by the message library */
    RECORD_CALL_WRITE,   /* writing them */
    RECORD_CALL_INPUT,   /* reading files as the sequential program does */
    RECORD_CALL_OUTPUT,  /* writing them */
    RECORD_CALL_SEND,    /* sending, of which the trace does not say what; calling a collective */
    RECORD_CALL_RECEIVE, /* receiving, of which the trace does not say what */
    RECORD_CALL_CONTROL, /* setting up links: only parallel programs do */
    RECORD_CALL_POLL,    /* tests and probes that found nothing */
    RECORD_CALL_WAIT,    /* waiting, of which the trace does not say for what */
    RECORD_CALL_CUT,     /* waiting for what had not come when the run was aborted */
};

/* Tags of what stands for one-sided communication between some members of a window: an empty message says that memory
 * is exposed (MPI_Win_post), another one that it is not accessed any more (MPI_Win_complete), a third one that a lock
 * that its receiver waits for is given back. */
enum {
    RECORD_MOST_WINDOWS = 1 << 20,
    RECORD_EPOCH_TAGS = -(1 << 30),
    RECORD_LOCK_TAGS = RECORD_EPOCH_TAGS + 2 * RECORD_MOST_WINDOWS
};
static inline int32_t record_lock_tag(uint32_t lock)
{
    return RECORD_LOCK_TAGS + (int32_t)(lock % RECORD_MOST_WINDOWS);
}
static inline bool record_is_lock(int32_t tag)
{
    return tag >= RECORD_LOCK_TAGS && tag < RECORD_LOCK_TAGS + RECORD_MOST_WINDOWS;
}
static inline int32_t record_epoch_tag(uint32_t window, bool completes)
{
    return RECORD_EPOCH_TAGS + (int32_t)(2 * (window % RECORD_MOST_WINDOWS) + completes);
}
static inline bool record_is_epoch(int32_t tag)
{
    return tag >= RECORD_EPOCH_TAGS && tag < RECORD_LOCK_TAGS + RECORD_MOST_WINDOWS;
}
static inline bool record_completes_epoch(int32_t tag)
{
    return record_is_epoch(tag) && !record_is_lock(tag) && (tag - RECORD_EPOCH_TAGS) % 2 == 1;
}

/* Reasons of a RECORD_SLEEP. */
enum record_sleep {
    SLEEP_IDLE,       /* the trace does not say */
    SLEEP_PROCESSOR,  /* for a processor, which `peer` had until then; -1: some rank, unknown which */
    SLEEP_FOREIGN,    /* for a processor that programs had of which no rank is a part */
    SLEEP_ASLEEP,     /* it slept, or was blocked outside of the message library */
    SLEEP_OFF,        /* one of the last two: the trace does not say which */
    SLEEP_LAUNCH,     /* a stream, from the launch of something until it begins */
    SLEEP_UNRECORDED, /* recording was off: unknown */
    SLEEP_SERIAL,     /* a thread of the rank's teams, while it is in none; as the next ones, of AWAIT, too */
    SLEEP_TEAM,       /* for other threads of its team, which have not come to a barrier or the region's end */
    SLEEP_LOCK,       /* for a lock that another thread of the rank has */
    N_RECORD_SLEEPS
};

/* Collectives, and the meaning of `bytes`: nothing for barriers; the vector for broadcast, reduce, allreduce, scan,
 * exscan; for the others the block that goes from a member to a member (all-to-all, scatter), or that a member adds
 * (gather, allgather, reduce_scatter). If there are `blocks`, they are the lengths of all members' blocks: for
 * all-to-all what goes to each. */
enum record_collective {
    RECORD_BARRIER,
    RECORD_BROADCAST,
    RECORD_REDUCE,
    RECORD_ALLREDUCE,
    RECORD_SCAN,
    RECORD_EXSCAN,
    RECORD_GATHER,
    RECORD_ALLGATHER,
    RECORD_SCATTER,
    RECORD_ALLTOALL,
    RECORD_REDUCE_SCATTER,
    /* Collectives that only synchronize, and are in no order with the others. `call` is what else they are for. */
    RECORD_FENCE,  /* of a window: one-sided communication */
    RECORD_HANDLE, /* communicators and windows are made or freed */
    RECORD_FILE,   /* files are opened, closed, read, written by all together; `bytes` are the member's own */
    N_RECORD_COLLECTIVES
};

static inline bool record_synchronises(uint8_t collective)
{
    return collective >= RECORD_FENCE && collective < N_RECORD_COLLECTIVES;
}

struct record {
    /* Since the run began; of a rank in order and without overlap; 0 in a trace without times. */
    int64_t start_ps, end_ps;
    int64_t bytes;      /* of the message; of RECV and IRECV -1 if not known; of collectives see above */
    int64_t *blocks;    /* NULL, or as many as `group` has members; borrowed until the reader is asked again */
    int64_t idle_ps;    /* how much of the time was waiting, if the trace says; -1 if not */
    int64_t fixed_ps;   /* of what only synchronizes: how long it takes beyond waiting */
    double flops;       /* RECORD_COMPUTE: of a trace without times. Of collectives that reduce: done meanwhile */
    int64_t operations; /* RECORD_COMPUTE: basic operations as the programmer counts them; 0: not said */
    int64_t quantums;   /* RECORD_COMPUTE: quantums of work as the programmer counts them; 0: not said */
    int64_t mark;       /* of SIGNAL and AWAIT: different from others of the rank */
    int64_t position;   /* the line of the file, or the number of the rank's event; 0: not known */
    int64_t
        n_calls; /* of the library, with which this record begins: several are polls; 0: it is a call's further part */
    /* Rank of the world; of a collective with a root, the root; of SLEEP see below; of AWAIT, the processor of its rank
     * that it waits for, if it is one; else -1. */
    int32_t peer;
    int32_t tag;
    int32_t group; /* of collectives and messages: index of the communicator's members */
    /* ISEND, IRECV, WAIT: the request, unlike those of the rank's other pending ones; or RECORD_ALL_REQUESTS.
     * COLLECTIVE that was begun, and CALL that begins it: its number among those of the rank, from 1; 0: unknown, or
     * none. SIGNAL and AWAIT: the number of records that have the mark. */
    uint32_t request;
    uint16_t scope;     /* RECORD_ENTER: index of the scope's name */
    uint32_t site;      /* where the program calls the library: one more than the index of its name; 0: not said */
    uint32_t path;      /* through which functions it comes there, among info.paths; 0: not said */
    uint16_t function;  /* of the library: index of its name; 0: not said */
    uint8_t kind;       /* enum record_kind */
    uint8_t collective; /* enum record_collective */
    bool was_begun;     /* COLLECTIVE: a non-blocking one */
    bool varies;  /* COLLECTIVE: members' blocks may differ (MPI_Gatherv), and without `blocks` only `bytes` is known */
    uint8_t call; /* enum record_call, of RECORD_CALL and what only synchronizes; `bytes` are then the file's */
    const char *what; /* RECORD_CALL_CUT, whose peer may be known too: the name of the call, borrowed; or NULL */
    bool of_all;      /* RECORD_CALL_CUT: it is in a collective */
    bool exchanges;   /* of ISEND: the rank receives before it waits, as in MPI_Sendrecv */
    bool combines;    /* of RECV, IRECV and its WAIT: the rank adds what comes to what it has, as in a reduction */
    bool any_tag;     /* of RECV, IRECV: whatever the tag (has_any_source) */
    bool from_any;    /* of RECV, IRECV: from `peer`, but from any source in the traced run (n_any_source) */
    bool synchronous; /* of SEND, ISEND: complete only when the receive has begun (MPI_Ssend) */
    bool of_messages; /* RECORD_COMPUTE: no time; its quantums are those that messages of the rank hold */
    bool control;     /* RECORD_COMPUTE: work that exists only because the program is parallel */
    bool goes_on;  /* WAIT: the next record is a WAIT of the same call, in which what comes first is taken in first */
    uint8_t sleep; /* enum record_sleep, of RECORD_SLEEP; of AWAIT what it is for, SLEEP_IDLE: any thread, or stream */
};

/* How a rank was placed on its host, and what it had of a processor in its time. */
struct record_processor {
    int64_t used_ps;                             /* processor time of its process; -1: not known, as are the next two */
    int64_t thread_ps, delay_ps;                 /* of its thread: processor time; how long it lacked one */
    int32_t n_cores, n_host_cores, n_host_ranks; /* that it may use; of its host; 0: not known */
    /* Cores that it may have to share with other ranks, which may have to share them with further ones: the number of
     * these cores, the number of these ranks, itself included, and the first of them; 0: not known. */
    int32_t n_shared, n_sharing, sharing;
    uint32_t host; /* a number of the trace's */
    /* For a part of a run that was kept: how long the rank ran, and how much of that is lost; else 0. */
    int64_t run_ps, lost_ps;
};

/* Calls of a function of which the trace does not say what they wait for, or move. */
struct record_gap {
    const char *function; /* borrowed from the trace */
    int64_t n_calls, time_ps;
    int32_t caller; /* the only rank that makes them; -1: several do */
};

/* The part of a run that there is of it: between two of its moments, of some of its ranks. */
struct record_part {
    int64_t from_ps, to_ps, whole_ps; /* the moments, and how long the run is; 0: the trace has no times */
    int n_ranks, n_whole;             /* ranks of the part, and of the run */
    const char *ranks;                /* as they are asked for; NULL: all */
    int64_t n_crossing;               /* messages between these ranks of which only one end is in the part */
    int64_t n_outside;                /* messages of these ranks with others */
};

/* Information on a trace as a whole. */
struct record_info {
    int n_ranks;
    /* Threads of a rank that have records, at most: thread k of rank r has those of location k n_ranks + r, thread 0 is
     * the rank's own. 0: 1. A location may have none. */
    int n_processors;
    int first_stream;       /* processors from this one on are streams of accelerators; 0: there is none */
    char **processor_names; /* of each location, see struct interval_setup; NULL: they have none */
    int n_groups, n_scopes, n_functions;
    struct record_group *groups;
    char **scopes;    /* names; the first is "" */
    char **functions; /* of the message library; the first is ""; NULL if n_functions is 0 */
    char **sites;     /* among these strings, which are borrowed, are the names of call sites; NULL: it has none */
    size_t n_sites;
    struct call_paths *paths; /* that records name; users of the records may add more; NULL: it has none */
    int64_t n_cut_paths;      /* calls of which only a part of the path is known */
    bool has_times;
    bool has_lengths; /* a trace without times: RECORD_COMPUTE has its length all the same, from start_ps to end_ps */
    int64_t n_begun;  /* collectives that go on by themselves, of all ranks: where they begin is known */
    bool has_any_source; /* some receives are from any source, or under any tag */
    int64_t
        n_any_source; /* receives that were from any source in the traced run, and are from that of their messages */
    bool says_waits;  /* a send that waited for its receiver says so: `idle_ps` */
    bool is_cut;      /* the run was aborted: every rank's records end where its trace happened to end */
    int64_t end_ps;   /* of the latest event, which need not leave a record; 0 without times */
    /* Lines of which the trace may not say all, 0 where there is none: the first that splits a communicator, and the
     * first exchange; of those in which one side was none, such a trace has nothing. */
    int64_t split_line, exchange_line;
    /* Calls, of threads that were not traced, which the trace lacks; what they sent and received. */
    int64_t n_unrecorded;
    /* Times that recording went off, of all ranks, or 1 if the trace lacks what was before: messages may lack their
     * other side. */
    int64_t n_off;
    double off_percent; /* of the ranks' time, recording was off, as far as the trace says so */
    int64_t hole_ps;    /* it was off on all ranks so long: that time is left out (record/holes.h) */
    char *keep;         /* which part of the run was kept, in words such as "last 64 MiB"; NULL: all of it */
    int64_t n_alone_messages, n_alone_collectives; /* then, records left out because the other side's were not kept */
    /* Calls of one-sided communication of which the trace does not say the window: the k-th of each rank were taken as
     * one. */
    int64_t n_assumed;
    /* Time of which nothing is known: functions, of which the one with most time comes first; and what was recorded of
     * threads that do not communicate and of accelerators, which is passed over. */
    struct record_gap *gaps;
    int n_gaps;
    /* Likewise, calls of MPI of which only the time is known: one-sided communication, files, set-up. A replay takes as
     * long for them. */
    struct record_gap *fixed;
    int n_fixed;
    int n_threads, n_accelerators;
    int64_t n_passed_over; /* events of these */
    int n_miscounted;      /* locations that have another number of events than the trace says of them */
    /* The host with the most ranks for each core: its ranks, and the cores that they may use; 0: not known. */
    int n_host_ranks, n_host_cores;
    int64_t processor_ps;                /* processor time of all ranks; -1: not known */
    struct record_processor *processors; /* of each rank; NULL: nothing is known */
    bool tells_sleep;                    /* the trace tells what ranks lacked of a processor from what they slept */
    char *library;                       /* of MPI, with its version, as it calls itself; NULL: not known */
    const struct record_part *part;      /* what the records are of; NULL: the whole run */
    char **parameters; /* the program's own, as it named them: names and values in turns, NULL-terminated; or NULL */
};

/* How many locations may have records. */
static inline int record_locations(const struct record_info *info)
{
    return info->n_ranks * (info->n_processors > 1 ? info->n_processors : 1);
}

struct record_reader;
struct counters;  /* interval/counters.h */
struct goal_file; /* trace/goal/file.h */

/* A format that can be read. One line in trace/reader_list.def each. */
struct record_format {
    const char *name;
    const char *extension; /* ".ti" */
    const char *also;      /* that files may have as well, with no parts; NULL: none */
    bool is_untimed;       /* it says what ranks do, and not when they did */
    const char *summary;   /* NULL: this build is without it (src/stubs), and open() says so */
    /* Extensions of the files that it reads, NULL-terminated, its own first; "" is a folder. NULL: one file, or those
     * that it names. */
    const char *const *extensions;
    /* Open a trace; 0, or -1 with an error that names file and line (or rank and event). */
    int (*open)(struct record_reader *reader, const char *file, struct sim_error *error);
    /* The next record of a location, a rank or a further thread: 1, or 0 after its last, or -1 with an error. */
    int (*next)(struct record_reader *reader, int location, struct record *record, struct sim_error *error);
    /* Begin again with the rank's first record. */
    int (*rewind)(struct record_reader *reader, struct sim_error *error);
    void (*close)(struct record_reader *reader);
    /* True if a process that is forked now can go on with the reader, as long as it begins with rewind(): what is open
     * has no position that both would move. NULL: no. */
    bool (*is_shared)(const struct record_reader *reader);
    /* The schedule of which the records are one order, of many if its ranks do several things at once. NULL itself:
     * there is none. */
    struct goal_file *(*strands)(const struct record_reader *reader);
    /* Add what counters have counted, whose rows the caller frees: 0, or -1 with an error. NULL itself: it has none. */
    int (*count)(struct record_reader *reader, struct counters *counters, struct sim_error *error);
    /* The file that has the rank's lines, if `position` of its records is a line; else NULL. NULL itself: never. */
    const char *(*file_of)(const struct record_reader *reader, int rank);
};

/* An open trace. Its memory grows with the ranks and communicators, not with the length. */
struct record_reader {
    const struct record_format *format;
    struct record_info info;    /* valid from open to close */
    struct record_holes *holes; /* left out of the records' times; NULL: there is none */
    void *self;
};

int record_next(struct record_reader *reader, int location, struct record *record, struct sim_error *error);
int record_rewind(struct record_reader *reader, struct sim_error *error);
void record_close(struct record_reader *reader);
bool record_is_shared(const struct record_reader *reader);
int record_count(struct record_reader *reader, struct counters *counters, struct sim_error *error);

/* For readers: fill in the ranks, a group of all, and no scope. */
void record_info_world(struct record_info *info, int n_ranks);
void record_info_dispose_world(struct record_info *info);

#endif
