/* The state of an analysis, shared by the files that make it up: analysis.c goes through the records,
 * messages.c matches sends with receives, collectives.c the calls of collectives, groups.c counts them by groups,
 * marks.c what threads of a rank do to each other, account.c makes intervals, stalled.c is for when no rank can go on,
 * hang.c for a collective that a run hung in.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_ANALYSIS_INTERNAL_H
#define TRACE_ANALYSIS_INTERNAL_H

#include "base/heap.h"
#include "base/map.h"
#include "trace/analysis/analysis.h"

#include <stddef.h>

/* --- messages --- */

/* A message whose send, or receive, or both have begun. Its place in the pool is the number of its checkpoint in the
 * intervals: that of the send or, where a synchronous send meets its receive only later, that of the receive. */
struct message {
    int64_t bytes;
    int64_t sent_ps, posted_ps; /* when the send, the receive began */
    int64_t ready_ps;           /* when its receiver, from then on, was in the library with the receive posted */
    int64_t origin_ps;          /* of the checkpoint */
    int32_t sender, receiver, tag, group; /* ranks ... */
    int32_t sent_at, posted_at;           /* ... and the locations that sent it, posted its receive */
    uint32_t next;                        /* of the same key, or of free ones */
    uint32_t serial;                      /* see struct interval */
    uint32_t next_unready; /* of those that the receiver has posted, and has not come back to the library since */
    bool sent, posted, ready;
    bool synchronous; /* its sender waits for the receive ... */
    bool waited;      /* ... or waited, as the trace says; for the receive's posting, which it may have lost */
    bool marked_by_receiver;
    bool sender_done, receiver_done;
};

/* --- collectives --- */

/* The members on whose beginning a member's end depends. */
enum dependence { ON_NOBODY, ON_ROOT, ON_ALL, ON_LOWER };

struct begun {
    int64_t at_ps;
    uint32_t checkpoint;
    int32_t rank;
    int32_t latest; /* of a scan: which of the members up to this one began last, of several the last */
};

/* One call of a collective by the members of a group. */
struct instance {
    uint8_t collective;
    int32_t root;
    int n_begun, n_ended;
    int first_rank;       /* who began it, for messages */
    struct begun latest;  /* of all that count; of broadcast and scatter: the root */
    struct begun started; /* of non-blocking ones, whose members begin where they wait: the latest start, likewise */
    bool root_begun;
    int n_prefix; /* scan: so many of the first members have begun ... */
    struct begun
        *begun; /* ... and when, of each member; its checkpoint is one more than it is, 0: it has not. Else NULL */
};

struct group {
    const struct record_group *members;
    struct group_member *by_rank; /* NULL: rank i has group rank i, or not asked for yet */
    bool used;
    bool identity;
    int64_t *n_calls;           /* of each member */
    struct instance *instances; /* a ring of those under way */
    size_t capacity, first, n_instances;
    int64_t first_number; /* how many have been done before the first */
};

/* --- ranks --- */

enum location_status {
    LOCATION_READY,
    LOCATION_STALLED,
    LOCATION_HELD, /* it could go on, but what others do until its end says how it waited */
    LOCATION_DONE
};

/* One side of a message that a record waits for; one call may wait for several. */
struct wait_part {
    struct record record;
    uint32_t message;
    bool receiving; /* else it is a send */
};

struct location {
    struct record record; /* in which it stands */
    int64_t now_ps;       /* accounted for up to here */
    int64_t asleep_ps;    /* if later: it sleeps until then, and if nothing follows, that is its end */
    uint8_t asleep_scope;
    uint8_t *scopes; /* the stack, the innermost last */
    size_t n_scopes, scopes_capacity;
    struct wait_part *parts; /* of a WAIT: those of the call */
    size_t n_parts, parts_capacity;
    uint32_t message;    /* that the record is about */
    uint32_t unready;    /* the first message to the rank that is sent and posted and not ready; MAP_NOTHING: none */
    int64_t left_ps;     /* when its latest call ended, or will */
    int64_t n_calls;     /* that the next interval is to have */
    uint16_t function;   /* of the record that is being accounted for */
    uint32_t site;       /* likewise */
    uint32_t given_path; /* likewise; 0: it says none */
    uint32_t *paths;     /* of each scope on the stack, the path to it */
    size_t paths_capacity;
    uint32_t asleep_path;
    struct analysis_stand stand; /* of a wait that never ended */
    int64_t number;              /* of the collective */
    int group_rank;
    int first_waiter; /* ranks that wait for a processor until this one comes to the end of their record; -1: none */
    int next_waiter;
    uint8_t status;
    bool begun;         /* the record has */
    bool receiving;     /* the record waits for a receive, not for a send */
    bool forced;        /* of an aborted run: it ends without what it waited for */
    uint8_t asleep_for; /* enum record_sleep */
};

struct analysis {
    struct record_reader *reader;
    const char *file;
    const struct analysis_scopes *scopes;
    struct call_paths *paths;                   /* of the trace, and those of its scopes; NULL: it has none */
    const char **scope_names, **function_names; /* of the trace, interned, if it has paths */
    const struct interval_sink *sinks;
    int n_sinks;
    int n_ranks, n_locations;
    struct location *locations; /* of thread k of rank r: number k n_ranks + r; `rank` names any of them */
    struct heap ready;          /* those that can go on, by the beginning of their records */
    struct message *messages;
    size_t n_messages, messages_capacity;
    uint32_t last_serial; /* of the messages up to now */
    uint32_t free_message;
    int64_t n_unreceived;
    struct map matches;  /* source, destination, tag, group: sends or receives that have not met the other */
    struct map requests; /* location, request: message * 2 + (1 if it is the receive) */
    struct map starts;   /* location, number of a collective: the message that is the checkpoint of its start */
    struct map marks;    /* rank, mark: index into these */
    struct named *named; /* how often marks have been named, and where last; free ones in a chain */
    size_t n_named, named_capacity;
    uint32_t free_named;
    struct group *groups; /* of each of the trace's groups two: for what only synchronizes the second */
    struct analysis_stats stats;
    struct sim_error *error;
};

/* The rank that a location is of. */
static inline int analysis_rank_of(const struct analysis *analysis, int location)
{
    return location % analysis->n_ranks;
}

/* A stalled rank can go on. */
void analysis_wake(struct analysis *analysis, int rank);
/* An error about a rank at the beginning of its record; returns -1. */
int analysis_fail(struct analysis *analysis, int rank, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* --- when no rank can go on --- */

/* All ranks are done, or wait: let those go on whose waiting only the trace says. Else, of a run that was aborted or
 * lacks calls, the first one's wait ends without what it was for. 0, or -1 and whose fault the waiting is. */
int analysis_resolve(struct analysis *analysis);
/* The rank's wait since the beginning of its record, in the call `what`, is without what it was for. */
void analysis_count_unfinished(struct analysis *analysis, int rank, int peer, const char *what);

/* The collective in which most ranks wait to the end; all is zero if there is none. */
void hang_find(struct analysis_hang *hang, const struct analysis *analysis);

/* --- where recording was off (unrecorded.c) --- */

/* The rank sends a message under the key at start_ps: receives that were over before then are of messages that were not
 * recorded. */
void unrecorded_give_up(struct analysis *analysis, struct map_key key, int64_t start_ps);
/* The rank's recording goes on at until_ps: what was sent to it before then has been received meanwhile. */
void unrecorded_forget(struct analysis *analysis, int rank, int64_t until_ps);

/* --- account --- */

/* The rank spends its time until `end_ps` as the interval says: location, times and scope are filled in. */
void account(struct analysis *analysis, int rank, int64_t end_ps, struct interval interval);
/* It waits for something that the trace does not show: the critical path stays with it. */
void account_wait(struct analysis *analysis, int rank, int64_t end_ps, struct interval interval);
/* True of a stream of an accelerator. */
static inline bool analysis_is_stream(const struct analysis *analysis, int location)
{
    int first = analysis->reader->info.first_stream;
    return first > 0 && location >= first * analysis->n_ranks;
}

/* The scope of intervals in which it is. */
uint8_t account_scope(const struct location *location);
/* A record of computation, or of a call without messages, is over. */
void account_compute(struct analysis *analysis, int rank);
void account_call(struct analysis *analysis, int rank);
/* The interval of a record of a call, by what it is for. */
struct interval account_call_interval(const struct record *record);
/* Its sleep is over, and was a wait. */
void account_sleep(struct analysis *analysis, int rank);
/* The rank's record is waiting for a processor that another one has: 1 if that is over, 0 if the other rank is not so
 * far yet, to whose account it adds its own then. */
int account_processor(struct analysis *analysis, int rank);
/* Mark a place in the rank's time: what depends on the checkpoint later depends on the rank's present. */
void account_checkpoint(struct analysis *analysis, int rank, uint32_t checkpoint, int peer);

/* --- messages --- */

uint32_t message_new(struct analysis *analysis);
void message_free(struct analysis *analysis, uint32_t index);
/* Begin the location's record: 1, 0 if the rank has to wait for others, or -1. */
int message_begin(struct analysis *analysis, int rank);
void message_finish(struct analysis *analysis, int rank);
/* True if how the rank waits in its record, which is about to end, depends on what others do until then. */
bool message_is_held(const struct analysis *analysis, int rank);
/* The rank comes to the library at the beginning of its record: messages to it can come in. */
void messages_notice(struct analysis *analysis, int rank);
/* The rank's record is complete: what it waited for is known. Each part of a wait, a send, a receive (waits.c). */
void message_finish_receive(struct analysis *analysis, int rank, uint32_t index);
void message_finish_send(struct analysis *analysis, int rank, uint32_t index, bool completes);
void message_finish_waits(struct analysis *analysis, int rank);
void message_finish_probe(struct analysis *analysis, int rank);
/* The first message from `peer` to the rank, as in its record, that is sent and not received; MAP_NOTHING: none. */
uint32_t message_probe(const struct analysis *analysis, int rank);
/* One side needs the message no more. */
void message_release(struct analysis *analysis, uint32_t index, bool receiver);
/* True if a part of a wait can be finished: a receive whose message is sent, or a send that need not wait. */
bool message_is_ready(const struct analysis *analysis, uint32_t index, bool receiving);

/* --- marks of threads (marks.c) --- */

/* The location names the mark of its record, or asks whether it has been named often enough: 1, or 0 where it has not.
 * In the latter case it has waited. */
void marks_signal(struct analysis *analysis, int location);
int marks_are_named(struct analysis *analysis, int location);
void marks_finish(struct analysis *analysis, int location);
void marks_dispose(struct analysis *analysis);

/* --- collectives --- */

int collective_begin(struct analysis *analysis, int rank);
/* The call in which a non-blocking one starts, which ends later in a record of its own. */
void collective_start(struct analysis *analysis, int rank);
void collective_finish(struct analysis *analysis, int rank);
int collectives_check_end(struct analysis *analysis);
/* The collective's name, for messages. */
const char *collective_name(const struct record *record);
int collective_awaited(const struct analysis *analysis, int rank);
int collective_blame(struct analysis *analysis, int rank);

/* --- groups --- */

/* The record's group; collectives that only synchronize are counted by themselves. */
struct group *group_of(const struct analysis *analysis, const struct record *record);
/* False if the members are not different ranks. */
bool group_prepare(struct group *group, const struct record_group *members, int n_ranks);
/* The group rank of the rank; -1 if it is not a member. */
int group_rank_of(const struct group *group, int rank);
/* The collective under way of that number; and the next one, to be filled in. */
struct instance *group_instance(const struct group *group, int64_t number);
struct instance *group_add_instance(struct group *group);
/* One member less stands in it; where it was the last of all, and of those before, they are over. */
void group_leave(struct analysis *analysis, struct group *group, struct instance *instance);

/* The members of a group, which for -1 are all ranks; true if one of them has called the group's collective of that
 * number. */
int collective_members(const struct analysis *analysis, int group);
int collective_member(const struct analysis *analysis, int group, int group_rank);
bool collective_has_come(const struct analysis *analysis, int group, int group_rank, int64_t number);
void collectives_dispose(struct analysis *analysis);

#endif
