/* Between the parts of the cursor.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_CALLS_H
#define TRACE_OTF2_CALLS_H

#include "trace/otf2/cursor.h"

/* A region that a location is in. */
struct otf_frame {
    uint32_t region;
    uint8_t role;       /* enum otf_role, if it has one; else that of the frame around it */
    bool is_call, says; /* says: it has a role of its own */
    bool is_hidden;     /* it is within a call that waits for streams; of streams, it is no kernel */
};

/* trace/otf2/cursor.c */
void otf_cursor_put(struct otf_cursor *cursor, const struct record *record);
/* All that is in the queue may be taken. What is no call, and was done from the latest place that is known up to one on
 * that path, is on what both have in common. */
void otf_settle(struct otf_cursor *cursor, uint32_t path);

/* trace/otf2/pieces.c: true if a region of that role is a pause, and the reason of the pause (enum record_sleep;
 * SLEEP_IDLE for all other roles). */
bool otf_role_is_pause(uint8_t role);
uint8_t otf_role_sleep(uint8_t role);
/* End a piece of time outside of calls, up to now. `leave` says how much was done, if a phase ends here; else it is
 * NULL. */
void otf_end_piece(struct otf_cursor *cursor, const struct otf_leave *leave);
void otf_cursor_end_piece(struct otf_cursor *cursor); /* likewise, without a phase */
/* End the time in which the rank had, or lacked, a processor. */
void otf_end_spell(struct otf_cursor *cursor);

/* trace/otf2/visits.c */
void otf_cursor_put_scope(struct otf_cursor *cursor, uint8_t kind, uint16_t scope);

/* trace/otf2/calls.c: the outermost call, of that region (NULL: of none) and for `call` (enum record_call), begins now,
 * or ends. */
void otf_calls_begin(struct otf_cursor *cursor, const struct otf_region *region, uint8_t call, int64_t polls);
int otf_calls_end(struct otf_cursor *cursor, const struct otf_leave *leave);

/* The call does more than begin the latest collective that it has begun, which becomes a part of its own. */
void otf_calls_put_begun(struct otf_cursor *cursor);

/* Take what the call does now: a record without its position. An event outside any call is a call of no length. Returns
 * 0. */
int otf_calls_do(struct otf_cursor *cursor, struct record *part);

/* The rank in the communicator; -1: it is not in it. */
int otf_calls_comm_rank(struct otf_cursor *cursor, const struct otf_comm *comm);

/* trace/otf2/synchronise.c: whether a collective's operation, in the present call, only synchronizes. */
bool otf_only_synchronises(const struct otf_cursor *cursor, uint8_t op);
bool otf_makes_handle(uint8_t op);
/* A call of which nothing is said may be one of all members of a window that the archive does not name: it becomes what
 * only synchronizes. */
void otf_assume(struct otf_cursor *cursor, struct record *call);
/* A call that only synchronizes, of which the times are known: where it does not, it becomes any call. */
void otf_meet(struct otf_cursor *cursor, struct record *call, bool assumes);

/* trace/otf2/threads.c: of a rank with further threads, those begin that do so of themselves until then; none follows.
 * The thread waits for the end of another one's life, and has done nothing else since the piece began (only_waits). */
void otf_threads_begin(struct otf_cursor *cursor, int64_t up_to_ps);
/* Give the cursor the streams of its rank, or the stream that it reads, if there are any. */
void otf_threads_attach(struct otf_cursor *cursor);
/* After its last event: threads that have not begun do so, and a fork that has no join ends. */
void otf_threads_end(struct otf_cursor *cursor);
/* An archive of simrun's own says what the thread has done since the piece began: named a mark, or waited for it. */
void otf_threads_mark(struct otf_cursor *cursor, const struct otf_leave *leave);
void otf_threads_wait(struct otf_cursor *cursor, uint32_t team, uint64_t number, bool only_waits);

/* trace/otf2/teams.c: true if what the thread does to others of its team counts here. A barrier of it begins; it ends,
 * in which case true if what is left of it is not waiting. A region begins within one. */
bool otf_teams_count(const struct otf_cursor *cursor);
void otf_teams_enter(struct otf_cursor *cursor);
bool otf_teams_leave(struct otf_cursor *cursor);
void otf_teams_work(struct otf_cursor *cursor);
/* Regions of a task that goes on may lie below those of the one before it: put the innermost one of that kind on top.
 * False if there is none. */
bool otf_teams_find_frame(struct otf_cursor *cursor, uint32_t region);

/* trace/otf2/info.c: in the first pass, a call without events that ends now. */
void otf_gaps_add(struct otf_cursor *cursor, const struct record *call);
/* Likewise one that does not become what synchronizes. */
void otf_fixed_add(struct otf_cursor *cursor, const struct record *call);

/* True if the call is MPI_Ssend or MPI_Issend. */
bool otf_calls_synchronous(const struct otf_cursor *cursor);

/* In the first pass, count a receive if it was from any source. */
void otf_calls_count_any(struct otf_cursor *cursor, bool from_any);

/* Peer, tag, bytes and group of a record. The tag 2^32 - 1 is -1: none. */
int otf_calls_fill(struct record *record, struct otf_cursor *cursor, const struct otf_message *message);

/* A record that says nothing but its kind and times. */
struct record otf_record(uint8_t kind, int64_t start_ps, int64_t end_ps);

/* How much of a record was waiting: not more than all of it; -1 for what is not said. */
int64_t otf_idle_within(const struct record *record, int64_t idle_ps);

/* trace/otf2/pending.c: a request of the reader's own, by its index into the cursor's slots. */
uint32_t otf_slot_take(struct otf_cursor *cursor);
void otf_slot_free(struct otf_cursor *cursor, uint32_t slot);

#endif
