/* One rank's way through its events: the calls, computations and scopes that they tell of, as records.
 *
 * Events are handed over one by one, in order, by the code that reads them (otf_cursor_...); records come out at the
 * other end of a queue. An event that cannot be is an error, after which the cursor must not be used.
 *
 * Memory grows with the depth of the regions, the records of one call, and the pending requests, of which a rank may
 * have OTF_MAX_PENDING.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_CURSOR_H
#define TRACE_OTF2_CURSOR_H

#include "trace/otf2/defs.h"
#include "trace/record/record.h"
#include "trace/record/sharing.h"

/* ---- Receipts ---- */

/* The outcome of non-blocking receives. OTF2 says from whom a message came, and how long it was, only where the receive
 * completes, but replay must know when it posts the receive. So a first pass through the archive writes this down into
 * a nameless temporary file, by the number of the receive's posting, and the second pass reads it in order. This takes
 * disk (24 bytes a receive, less than its events take in the archive) and no memory, however long receives are pending.
 * Without non-blocking receives there is no file. */
struct otf_receipt {
    int64_t bytes;
    int32_t peer, tag, group; /* as in struct record */
    int32_t complete;         /* 0: it never was; the rest says nothing then */
};

enum { OTF_RECEIPT_BLOCK = 64 };

/* A reader of successive receipts. */
struct otf_receipt_block {
    uint64_t first, count;
    struct otf_receipt receipts[OTF_RECEIPT_BLOCK];
};

/* A new, empty temporary file, which vanishes when closed; -1 with an error (SIM_UNFINISHED). */
int otf_receipts_open(struct sim_error *error);

/* Write the receipt number `index`; what is never written reads as zero. */
int otf_receipts_put(int file, uint64_t index, const struct otf_receipt *receipt, struct sim_error *error);

/* Read it; cheap for successive indices. */
int otf_receipts_get(struct otf_receipt *receipt, int file, struct otf_receipt_block *block, uint64_t index,
                     struct sim_error *error);

/* ---- Cursors ---- */

/* Data that all cursors of a trace share. */
struct otf_shared {
    const char *file;
    const struct otf_defs *defs;
    const struct call_paths *paths; /* that the archive defines */
    bool is_cut;                    /* the run was aborted: regions may be open at the end */
    int receipts;                   /* file, or -1: none yet */
    int64_t shift_ps;               /* added to all times, so that none is below 0 */
    int assumed_group;              /* of calls on windows that the archive does not say; -1: none */
    struct otf_meetings *meetings;  /* of each group, and at last of those windows (trace/otf2/synchronise.c) */
    size_t n_meetings;
    struct map locks;                /* of windows, likewise; the number of them is its count */
    struct otf_process *processes;   /* of each rank; NULL: none has further threads (trace/otf2/threads.c) */
    struct map lives;                /* of threads, likewise */
    struct map channels;             /* of one-sided communication between some members (trace/otf2/epochs.c) */
    struct record_gap *gaps, *fixed; /* of each region (trace/otf2/info.c) */
    struct record_sharing *sharing; /* who had the processors that ranks lacked; NULL: nothing is known of processors */
};

/* Findings of the first pass about a rank, or a further thread of one. */
struct otf_survey {
    bool has_events;
    bool has_ended;               /* with status 0 */
    bool is_miscounted;           /* it has another number of events than the definitions say */
    int64_t n_off;                /* times that recording goes off */
    int64_t first_ps, last_ps;    /* of its events, before shift_ps */
    uint64_t first_receipt;       /* index of its first posted non-blocking receive */
    uint64_t n_receives, n_sends; /* posted non-blocking ones */
    uint64_t n_cancelled;
    uint64_t *cancelled;  /* the numbers of the non-blocking sends that were cancelled, in order */
    int64_t n_begun;      /* non-blocking collectives that have a record where they are complete */
    struct map left_out;  /* the numbers of the others */
    int64_t n_any_source; /* receives that were from any source */
    int64_t n_assumed;    /* calls of one-sided communication, all members of a window's, that nothing is said of ... */
    uint64_t assumed_calls; /* ... and a hash of which they are */
    struct map_key life;    /* of a further thread, with which its events begin, if has_life */
    bool has_life;
    bool is_begun;      /* another thread lets it begin */
    bool starts_itself; /* it begins where the rank's own is at that moment */
};

enum { OTF_CACHED_COMMS = 8, OTF_MAX_PENDING = 1 << 20 };

struct otf_cursor {
    struct otf_shared *shared;
    struct otf_survey *survey;
    int rank, thread; /* thread 0 is the rank's own */
    int location;     /* index of both */
    bool first_pass;  /* fill in the survey; records are of no use then */
    struct sim_error *error;

    uint64_t n_events; /* position of the latest event, from 1 */
    bool has_begun;
    int64_t now_ps, since_ps; /* of the latest event; where the piece that is no call began */

    /* From a call or region to the next, but for regions that say that there was no processor: since when, how much of
     * it the rank had one. */
    int64_t spell_ps, spell_used_ps;
    bool in_spell;
    bool is_off; /* recording is */

    struct otf_frame *frames; /* the regions that the rank is in */
    size_t n_frames, capacity_frames;
    size_t n_calls;                  /* of them, those from the outermost call on */
    int64_t call_ps;                 /* the outermost call's beginning */
    uint8_t call;                    /* what it is for: enum record_call */
    const struct otf_region *called; /* NULL: an event outside any call */
    int64_t n_calls_at_once;         /* so many calls the outermost is: polls */
    uint32_t site;                   /* where the program makes it: one more than the index of a string; 0: not said */
    uint32_t path;                   /* of the call, as in records */
    uint32_t latest_path;            /* of the latest call of which one is known */
    int64_t call_bytes;              /* read or written in it */
    bool is_told;                    /* whom it synchronizes with, even if that is the rank alone */
    struct record *parts;            /* what the outermost call has done until now; end_ps is when */
    size_t n_parts, capacity_parts;

    struct map pending;     /* request -> index into slots */
    struct otf_slot *slots; /* index + 1 is the request's number in records */
    size_t n_slots, capacity_slots;
    uint32_t free_slot;                        /* the first of a chain, or UINT32_MAX */
    uint64_t n_receives, n_sends, n_cancelled; /* passed until now */
    struct otf_receipt_block receipts;
    int64_t n_begun_collectives, n_done_collectives; /* non-blocking ones */
    struct map begun_collectives;                    /* request -> its number, from 1 */
    uint32_t begun_in_call;                          /* of the latest one begun in the outermost call; 0: none was */
    struct map signals;  /* of channels: how many the rank has sent, or taken; of locks: where it stands */
    struct map meetings; /* group -> how many calls that synchronize the rank has made in it */

    int64_t fork; /* how many forks have been; of a further thread, in which it takes part, or has (takes_part) */
    int depth;    /* of forks, or of teams */
    bool takes_part;
    uint32_t n_team;            /* threads that take part in the latest fork, the rank's own included */
    size_t n_barriers, barrier; /* of its team: passed in that fork; one more than the index of that it is in, or 0 */
    bool has_tasks;             /* it has changed between tasks */
    size_t *passed;             /* of each further thread, the forks in which it has taken part; NULL: none has */
    size_t n_started;           /* what begins of itself */

    struct otf_offload *offload;   /* of a rank's own thread, if the rank has streams; else NULL */
    struct otf_activities *stream; /* of a stream; else NULL */
    size_t outer_frames; /* of a stream, the frames up to that of the kernel; of a rank, to that of the call; 0: none */
    uint8_t outer_does;  /* of the call: enum otf_offload_kind */
    bool copies;         /* the stream does, ... */
    bool copies_to_it;   /* ... to its own memory, ... */
    uint64_t copy_bytes; /* ... so many bytes */
    size_t n_scopes;     /* that it is in */
    bool begins_kernel;  /* it has entered one, and done nothing yet */
    size_t n_activities, n_offload_calls, n_awaits; /* passed until now */

    struct {
        uint32_t comm;
        bool valid;
        int comm_rank;
    } cache[OTF_CACHED_COMMS];

    struct record *queue; /* from head on; from n_settled on, their paths depend on the next call's */
    size_t head, n_settled, n_queue, capacity_queue;
};

struct otf_leave {
    int64_t operations, quantums; /* 0 if not said */
    int64_t idle_ps;              /* -1 if not said */
    int64_t bytes;                /* of I/O; 0 if not said */
    int64_t peer;                 /* of idling: for whose processor; -1 if not said */
    int64_t exchanges, combines;  /* of a message: not 0 where it does, see struct record */
    int64_t mark, needed, waited; /* of a signal or a wait of threads: see struct record; needed: 0 of all else */
    bool awaits;                  /* it is a wait, ... */
    uint8_t await_sleep;          /* ... and what it is for: enum record_sleep */
    int64_t awaited;              /* of a call that was cut off, of a probe: whose message; -1 if not said */
    uint32_t awaited_tag, awaited_comm;
};

/* The contents of an event that says nothing more. */
extern const struct otf_leave otf_leaves_plainly;

struct otf_message {
    uint32_t peer, comm, tag;
    uint64_t bytes, request;
    bool from_any; /* of a receive: it was from any source */
};

/* Roles of the time in a region, by its attribute "eppa.role". */
enum otf_role {
    OTF_ROLE_NONE,
    OTF_ROLE_USEFUL,
    OTF_ROLE_CONTROL,
    OTF_ROLE_IDLE,
    OTF_ROLE_SEND,
    OTF_ROLE_RECEIVE,
    OTF_ROLE_LIBRARY,
    OTF_ROLE_IO,
    OTF_ROLE_MESSAGES,  /* no time: its quantums are those of messages */
    OTF_ROLE_PROCESSOR, /* waiting for one: of ranks or of others, which the reader tells apart */
    OTF_ROLE_RANKS,     /* for one that ranks had */
    OTF_ROLE_FOREIGN,   /* for one that others had */
    OTF_ROLE_ASLEEP,
    OTF_ROLE_LAUNCH,     /* from the launch of what a stream does until it begins */
    OTF_ROLE_UNRECORDED, /* recording is off */
    OTF_ROLE_OFF,        /* asleep, or waiting for one that others had */
    OTF_ROLE_SERIAL,     /* a thread of teams is in none */
    OTF_ROLE_TEAM,       /* it waits for others of its team */
    OTF_ROLE_LOCK,       /* or for a lock that another one has */
    N_OTF_ROLES
};
uint8_t otf_role_of(const char *text);

/* `location`: index into defs->locations. */
void otf_cursor_init(struct otf_cursor *cursor, struct otf_shared *shared, struct otf_survey *survey, int location,
                     bool first_pass);
void otf_cursor_dispose(struct otf_cursor *cursor);

/* Every event begins with otf_cursor_at(): its number and its time in ticks. All that return something return 0, or -1
 * with an error. */
int otf_cursor_at(struct otf_cursor *cursor, uint64_t number, uint64_t ticks);
void otf_cursor_program_end(struct otf_cursor *cursor, int64_t status);
/* Further facts of a region in an event. */
struct otf_enter {
    uint8_t role;  /* enum otf_role */
    int64_t polls; /* above 1: the region is so many polls in a row */
    uint32_t site; /* of a call: its place in the program, as in records */
    uint32_t path; /* the path from which it is entered, likewise; 0: not said */
};
int otf_cursor_enter(struct otf_cursor *cursor, uint32_t region, const struct otf_enter *enter);
/* The rank is on that path now, in whatever. */
void otf_cursor_sample(struct otf_cursor *cursor, uint32_t path);
int otf_cursor_leave(struct otf_cursor *cursor, uint32_t region, const struct otf_leave *leave);
/* Recording goes on, or off. */
int otf_cursor_switch(struct otf_cursor *cursor, bool on);
int otf_cursor_send(struct otf_cursor *cursor, const struct otf_message *message);
int otf_cursor_isend(struct otf_cursor *cursor, const struct otf_message *message);
int otf_cursor_isend_complete(struct otf_cursor *cursor, uint64_t request);
int otf_cursor_recv(struct otf_cursor *cursor, const struct otf_message *message);
int otf_cursor_irecv(struct otf_cursor *cursor, uint64_t request, bool from_any);
int otf_cursor_irecv_complete(struct otf_cursor *cursor, const struct otf_message *message);
int otf_cursor_cancelled(struct otf_cursor *cursor, uint64_t request);
/* An operation on a file begins, which reads or writes; one ends. Those of functions that the
 * outermost call uses do not count: their bytes are in its own. */
int otf_cursor_io_begin(struct otf_cursor *cursor, bool writes);
int otf_cursor_io_end(struct otf_cursor *cursor, uint64_t bytes);
int otf_cursor_collective(struct otf_cursor *cursor, uint8_t op, uint32_t comm, uint32_t root, uint64_t sent,
                          uint64_t received, bool was_begun, uint32_t number);

/* A non-blocking collective begins; one is complete, before what becomes of it: its number, 0 if it is not known. */
void otf_cursor_collective_begun(struct otf_cursor *cursor, uint64_t request);
uint32_t otf_cursor_collective_done(struct otf_cursor *cursor, uint64_t request);
/* The non-blocking collective of that number, 0: none, has no record of its own: nor has its beginning. */
void otf_cursor_leave_out(struct otf_cursor *cursor, uint32_t number);
/* A collective that makes or frees a handle, or one of a function on files or windows; one of a window; an operation of
 * all on a file. */
int otf_cursor_synchronise(struct otf_cursor *cursor, uint8_t op, uint32_t comm, uint64_t sent, uint64_t received);
int otf_cursor_window(struct otf_cursor *cursor, uint8_t op, uint32_t window);
int otf_cursor_file(struct otf_cursor *cursor, uint32_t file);
/* The members of a group, and the rank, begin or end one-sided communication, by the function that it calls. */
int otf_cursor_epoch(struct otf_cursor *cursor, uint32_t window, uint32_t group);
/* The rank has got a lock, or gives it back; after the first pass, who has waited for whom. */
int otf_cursor_lock(struct otf_cursor *cursor, uint32_t window, uint32_t target, bool is_exclusive);
int otf_cursor_unlock(struct otf_cursor *cursor, uint32_t window, uint32_t target);
/* The rank's own thread forks, or joins; a further one takes part in the latest fork, or does no longer. */
void otf_cursor_fork(struct otf_cursor *cursor);
void otf_cursor_join(struct otf_cursor *cursor);
void otf_cursor_team(struct otf_cursor *cursor);
void otf_cursor_team_ends(struct otf_cursor *cursor);
/* A thread has got a lock; it goes on with another task. */
void otf_cursor_got_lock(struct otf_cursor *cursor);
void otf_cursor_switch_task(struct otf_cursor *cursor);
/* Lives of threads, by their team and number: one is created, begins, ends, is waited for. */
void otf_cursor_create(struct otf_cursor *cursor, uint32_t team, uint64_t number);
void otf_cursor_life_begins(struct otf_cursor *cursor, uint32_t team, uint64_t number);
void otf_cursor_life_ends(struct otf_cursor *cursor, uint32_t team, uint64_t number);
void otf_cursor_wait_life(struct otf_cursor *cursor, uint32_t team, uint64_t number);
void otf_locks_order(struct otf_shared *shared);
void otf_channels_dispose(struct otf_shared *shared);

/* After the last event. A complete archive leaves no region open; of an incomplete one, what is open ends here. */
int otf_cursor_end(struct otf_cursor *cursor, bool complete);

/* True if there is a record to take. */
bool otf_cursor_has_record(const struct otf_cursor *cursor);
/* The next record: whether there is one. */
bool otf_cursor_take(struct otf_cursor *cursor, struct record *record);

/* An error that names the rank, its location and the latest event. */
#define OTF_CURSOR_FAIL(cursor, format, ...)                                                                           \
    sim_error_set((cursor)->error, SIM_BAD_INPUT, (cursor)->shared->file, 0,                                           \
                  "rank %d (location %llu), event %llu: " format, (cursor)->rank,                                      \
                  (unsigned long long)(cursor)->shared->defs->locations[(cursor)->location].id,                        \
                  (unsigned long long)(cursor)->n_events, __VA_ARGS__)

#endif
