/* The kernel's state, shared by the files that make it up: kernel.c runs programs, sim/kernel/work.c occupies
 * processors, sim/kernel/collective.c lowers collectives, sim/kernel/message.c sends and receives messages,
 * sim/kernel/transfer.c moves them, sim/kernel/account.c closes the accounts of their ends, sim/kernel/wait.c has what
 * is waited for later, sim/kernel/deadlock.c says who waits for whom, sim/kernel/price.c remembers what messages cost.
 * sim/kernel/ahead.c does without a queue where it can, and sim/kernel/joint_collective.c then does a collective of all
 * its ranks at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_INTERNAL_H
#define SIM_KERNEL_INTERNAL_H

#include "base/memory.h"
#include "sim/kernel/autotune.h"
#include "sim/kernel/engine.h"
#include "sim/kernel/event_queue.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/mailbox.h"
#include "sim/kernel/request_table.h"
#include "sim/program/groups.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum rank_status {
    RANK_RUNNING,
    RANK_SENDING,
    RANK_RECEIVING,
    RANK_WAITING,     /* for all its OP_ISENDs */
    RANK_WAITING_ONE, /* for `pending` */
    RANK_WAITING_ANY, /* for the first that comes of its posted receives: of one kind, see is_awaited() */
    RANK_JOINING,     /* for the others of a collective, see sim/kernel/joint_collective.h; for strands of its rank */
    RANK_DONE
};

/* A cache line. Peer, tag and context are those of what a blocked rank waits for, or of the message it takes in. */
struct rank {
    int64_t clock_ps;
    int64_t step;
    int64_t collective_op; /* the next op of the collective that the rank is in */
    int64_t bytes;         /* of the message that it takes in, or of the receive that it is blocked in */
    int32_t host;
    int32_t peer;
    int32_t tag, context;
    int32_t n_pending; /* OP_ISENDs that are not complete, or not known to be at any time */
    int32_t n_posted;  /* OP_IRECVs whose message has not been sent */
    union {
        uint32_t pending; /* what a rank in RANK_WAITING_ONE waits for; in RANK_WAITING_ANY the first of them */
        uint32_t serial;  /* of the message that it takes in */
    };
    uint8_t op;                  /* the next op of the step */
    uint8_t status;              /* enum rank_status */
    uint8_t scope;               /* of the receive or wait that it is in */
    bool overhead_paid : 1;      /* of the send that comes next */
    bool matched : 1;            /* the receive that it is in has its message */
    bool combines : 1;           /* the receive that it is in */
    bool owes_recv_overhead : 1; /* a message has come, which the processor has still to take in */
    bool found : 1;              /* what it probes for */
    bool call_paid : 1;          /* of the collective that it is in: what its call costs besides messages */
    bool marked : 1;             /* in RANK_WAITING_ANY: of what it has marked */
    bool alone : 1;              /* it goes through the collective that it is in without the others */
};

/* Where ranks do several things at once, a strand has a struct rank of its own, a rank's first one that of the rank; of
 * all of them, what a lone one has by its number. See sim/kernel/strand.h. */
struct strand_place {
    int64_t line;     /* the program's name of it */
    int64_t begun;    /* the number of the op that its next one follows, in the order of beginning */
    int32_t rank;     /* its rank */
    int32_t location; /* the processor that it runs on */
    uint32_t next;    /* of those that are free, or have been started */
    uint8_t turn;     /* enum strand_turn, that it waits for */
};

#define NO_STRAND UINT32_MAX

/* A core that several ranks share serves one computation after another. */
struct shared_cpu {
    int64_t free_ps;
    int32_t last_location; /* who used it until then */
};

/* The step that a rank is in, until a rank that has the same slot is listed. */
struct listed_step {
    int32_t rank; /* -1: none */
    bool in_collective;
    int64_t step;
    /* For the collective that the rank is in. */
    const struct coll_spec *algorithm;
    struct coll_call call;
    int group_rank; /* the rank's */
    struct op_list list;
};

/* The cost of a message of some length between two hosts; one cache line. */
struct price {
    int64_t bytes;
    int32_t from, to;            /* hosts */
    int64_t send_ps, receive_ps; /* of the processors */
    int64_t eager_limit;
    int64_t alone_ps; /* of the network, where it is quiet; found with its transfer, where has_way says so */
    bool exchanges, is_known, has_way;
    int64_t of_line; /* fills it */
};
_Static_assert(sizeof(struct rank) == CACHE_LINE_BYTES, "a rank is a cache line");
_Static_assert(sizeof(struct price) == CACHE_LINE_BYTES, "a price is a cache line");

/* The common part of the transfers of a message that go over as many links. */
enum { N_TRANSFER_KINDS = 32 };
struct transfer_kind {
    struct transfer transfer;
    int64_t bytes; /* of the message */
    bool exchanges, is_known;
};

/* Intervals on their way to the sinks, each of which then takes them one after the other. */
enum { BATCH_INTERVALS = 64 };
struct interval_batch {
    int count;
    bool is_more; /* some have set more than kernel_add_interval() does */
    struct interval intervals[BATCH_INTERVALS];
    int64_t work_ps[BATCH_INTERVALS][N_WORK_COMPONENTS], parts_ps[BATCH_INTERVALS][N_MESSAGE_PARTS];
};

struct joint_collectives;
struct strand_processor;
struct arrivals;
struct first_come;
struct own_wires;
struct ports;
struct loggops;

struct kernel {
    const struct kernel_run *run;
    struct machine *machine;
    struct network *network;
    struct rank *ranks;
    struct shared_cpu *cpus; /* the cores of all hosts; NULL where every rank has its own */
    struct kernel_cost *kernel_costs;
    double *host_speeds; /* flop/s, 0 where not asked yet; NULL: of none */
    struct groups groups;
    struct autotune own_autotune; /* where the run has none */
    struct request_table requests;
    struct event_queue queue;
    struct mailbox mailbox;
    struct price *prices;       /* price_mask + 1 of them */
    struct transfer *transfers; /* of each price, one that has not begun */
    uint32_t price_mask;
    struct price latest_price; /* that has been made; `to`: whether between ranks of a host, `from`: 0 */
    struct transfer_kind kinds[N_TRANSFER_KINDS]; /* at their hops, round and round */
    bool counts_local;                            /* messages within a host, which are free */
    bool runs_ahead; /* ranks need no order of time, and there is no queue: see sim/kernel/ahead.h */
    int32_t *ready;  /* then: the ranks that can go on, each once, a ring */
    int first_ready, n_ready;
    int running;                           /* the rank whose turn it is */
    struct first_come *first_come;         /* of a program that knows_sources; else NULL */
    struct joint_collectives *collectives; /* see sim/kernel/joint_collective.h; NULL: there are none */
    int n_done;                            /* ranks whose program has ended */
    /* Where ranks have strands, else NULL: see sim/kernel/strand.h. */
    struct strand_place *places;          /* of each strand */
    struct own_wires *own_wires;          /* without contention; else NULL */
    struct ports *ports;                  /* where cores are slower than their hosts; else NULL */
    struct loggops *loggops;              /* of schedules that go by that model; else NULL */
    struct arrivals *arrivals;            /* where some receive from any source; else NULL */
    struct strand_processor *processors;  /* of each location */
    size_t n_strands, strands_capacity;   /* of ranks and places */
    uint32_t free_strand;                 /* NO_STRAND: none is free */
    uint32_t first_started, last_started; /* a queue of those that have been started, and not gone on yet */
    size_t n_alive;                       /* strands that have not ended */
    int64_t n_started;                    /* those that have been begun by others */
    int64_t n_begun;                      /* ops */
    uint32_t n_asked;                     /* turns asked for, since they have been numbered anew */
    struct map joins;    /* rank and line of strands that some OP_STARTs have named: how many, and the low bits of the
                         latest number among the ops of those */
    struct map waiters;  /* the same of strands that wait for others: which strand */
    struct run_heap due; /* locations whose processor may have something to do, by whose turn is next */
    struct interval_batch batch;
    size_t most_messages; /* in it at once */
    int64_t now_ps; /* the present; where ranks run ahead that of the rank, or of the message, that is dealt with */
    struct listed_step *listed; /* listed_mask + 1 of them, a rank's at its number */
    uint32_t listed_mask;
    struct kernel_stats stats;
    struct sim_error *error; /* where a failure goes */
    bool failed;
};

/* The rank of a strand, as others name it; and the location of its intervals. */
static inline int kernel_rank_of(const struct kernel *kernel, int strand)
{
    return kernel->places != NULL ? kernel->places[strand].rank : strand;
}
static inline int kernel_location_of(const struct kernel *kernel, int strand)
{
    return kernel->places != NULL ? kernel->places[strand].location : strand;
}

/* Hand an interval to every sink, when there are enough. */
void kernel_emit(struct kernel *kernel, const struct interval *interval);
void kernel_flush(struct kernel *kernel);

static inline struct interval *kernel_next_interval(struct kernel *kernel)
{
    if (kernel->batch.count == BATCH_INTERVALS)
        kernel_flush(kernel);
    return &kernel->batch.intervals[kernel->batch.count++];
}

/* The next interval of a message, to be filled in further. All else in it is zero, but for the serial; code that sets
 * more than is set here also sets is_more. */
static inline struct interval *kernel_add_interval(struct kernel *kernel, int rank, int peer, int scope,
                                                   enum location_state state, int64_t start_ps, int64_t end_ps)
{
    struct interval *interval = kernel_next_interval(kernel);
    assert(start_ps >= 0 && end_ps >= start_ps);
    interval->start_ps = start_ps;
    interval->end_ps = end_ps;
    interval->origin_ps = 0;
    interval->bytes = 0;
    interval->message = 0;
    interval->location = kernel_location_of(kernel, rank);
    interval->peer = peer;
    interval->tag = 0;
    interval->state = (uint8_t)state;
    interval->kind = INTERVAL_COMMUNICATE;
    interval->cause = CAUSE_SELF;
    interval->scope = (uint8_t)scope;
    interval->is_message = 0;
    interval->is_receipt = 0;
    interval->call = CALL_PLAIN;
    interval->is_checkpoint = CHECKPOINT_NONE;
    return interval;
}

/* A message's place among events of equal time. */
static inline uint32_t kernel_message_order(const struct message *message)
{
    return (uint32_t)message->sender * 2 + 1;
}

/* Count a message, which is sent; its serial. */
static inline uint32_t kernel_count_message(struct kernel *kernel, int from, int to, int64_t bytes)
{
    struct kernel_stats *stats = &kernel->stats;
    stats->bytes += bytes;
    if (kernel->counts_local && kernel->ranks[from].host == kernel->ranks[to].host) {
        stats->local_messages++;
        stats->local_bytes += bytes;
    }
    return (uint32_t)++stats->messages;
}

/* Ask for a rank, or for a message, to be called at a moment. */
void kernel_call_rank(struct kernel *kernel, int rank, int64_t at_ps);
void kernel_call_message(struct kernel *kernel, uint32_t message, int64_t at_ps);
/* The same for a moment that the network has said, which may be past the clock's end. */
void kernel_call_moved(struct kernel *kernel, uint32_t message, int64_t at_ps);

/* The clock of the simulation is at its end: the run fails. */
void kernel_fail_clock(struct kernel *kernel, int rank);

/* Too many messages are under way, or routes are in use: the run fails. `what` says which, and what they take. */
void kernel_fail_memory(struct kernel *kernel, const char *what, double count, double bytes);
void kernel_fail_messages(struct kernel *kernel);

/* Let a rank go on until it has to wait or its program ends. */
void kernel_run_rank(struct kernel *kernel, int rank);

/* Its parts. The rank's present step is good as long as it is the rank's turn; NULL: its program has ended. Doing the
 * rank's next op is false when the rank must wait. */
struct listed_step *kernel_list_anew(struct kernel *kernel, int rank);
bool kernel_do_op(struct kernel *kernel, int rank, struct listed_step *listed);
void kernel_end_rank(struct kernel *kernel, int rank);
static inline struct listed_step *kernel_list_step(struct kernel *kernel, int rank)
{
    struct listed_step *listed = &kernel->listed[(uint32_t)rank & kernel->listed_mask];
    return listed->rank == rank && listed->step == kernel->ranks[rank].step ? listed : kernel_list_anew(kernel, rank);
}

/* The run fails with an error of the program. */
#define kernel_fail(kernel, ...) engine_fail((kernel)->error, &(kernel)->failed, SIM_BAD_INPUT, __VA_ARGS__)

/* Occupy the rank's processor for the interval's length, which is given by end_ps - start_ps; start_ps is set here.
 * False when the rank has to be called again, because others may want the shared processor before. */
bool kernel_occupy(struct kernel *kernel, int rank, struct interval *interval);

/* Where cores are shared (kernel->cpus): have that of the interval's location for a length, from when it is free, but
 * not before start_ps; until then the location idles, in the interval's scope. The moment; PS_TOO_LONG: the clock ends
 * before. */
int64_t kernel_take_cpu(struct kernel *kernel, const struct interval *interval, int64_t start_ps, int64_t length_ps);

/* Do an op that needs the rank's processor and nothing else; false when the rank has to be called again. */
bool kernel_work(struct kernel *kernel, int rank, const struct op *op);

/* Spend the processor's time on the message that has come last; false when the rank has to be called again. */
bool kernel_do_recv_overhead(struct kernel *kernel, int rank);
static inline bool kernel_recv_overhead(struct kernel *kernel, int rank)
{
    return !kernel->ranks[rank].owes_recv_overhead || kernel_do_recv_overhead(kernel, rank);
}

/* Do a send, a receive or a wait of a rank that has taken in what came before, of a collective where context is not 0;
 * false when the rank is blocked by it or has
 * to be called again. *count is advanced once it has begun and need not be done again. */
bool kernel_do_message(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count);

/* Spend the processor's time on handing a message over; false when the rank has to be called again. */
bool kernel_send_overhead(struct kernel *kernel, int rank, const struct op *op);

/* Go on in a collective, an op of the rank's step; true when the rank has done its part. */
bool kernel_collective(struct kernel *kernel, int rank, const struct op *op, struct listed_step *listed);
/* One is done: in a replay it is counted by its algorithm. */
void kernel_count_collective(struct kernel *kernel, const struct op *op, const struct coll_spec *algorithm,
                             const struct coll_call *call);

/* The parts of kernel_do_message(): begin a receive, wait (true when the rank may go on at once), or say for what the
 * next wait is. */
bool kernel_irecv(struct kernel *kernel, int rank, const struct op *op, int context);
bool kernel_wait(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count);
void kernel_mark(struct kernel *kernel, int rank, const struct op *op);
/* A strand's OP_RECV, of which a rank may have several at a time: a receive is posted, and waited for. */
bool kernel_recv_posted(struct kernel *kernel, int strand, const struct op *op, int context);

/* For those who write calls down: here the rank begins to wait for what is pending under the index. */
void kernel_note_wait(struct kernel *kernel, int rank, int scope, uint32_t index);

/* Look for a message and go on where the answer says; false when the rank has to be called again. */
bool kernel_probe(struct kernel *kernel, int rank, const struct op *op);

/* In a program that replays a trace, a message of `bytes` must not be longer than the room of its receive (-1: not
 * known). */
void kernel_fail_length(struct kernel *kernel, int from, int to, int tag, int64_t bytes, int64_t room);
static inline void kernel_check_length(struct kernel *kernel, int from, int to, int tag, int context, int64_t bytes,
                                       int64_t room)
{
    if (bytes > room && room >= 0 && context == 0 && kernel->run->program->traced != NULL)
        kernel_fail_length(kernel, from, to, tag, bytes, room);
}

/* A message has met its receive: the blocked rank's, or that of a posted receive. */
void kernel_await(struct kernel *kernel, uint32_t message, uint32_t posted);

/* Leave a checkpoint in the intervals under the number of a message or posted receive: what follows from that follows
 * from the location as it is at `at_ps`. With a send it is also where its message counts as sent. */
void kernel_checkpoint(struct kernel *kernel, uint32_t index, int location, int64_t at_ps, int scope,
                       const struct op *send);

/* A message that a rank takes in; `serial`: see struct interval. */
struct receipt {
    int64_t bytes;
    int32_t peer, tag;
    uint32_t serial;
    uint8_t scope;
};

/* A rank begins to take a message in, before it does anything else. */
static inline void kernel_begin_receipt(struct rank *self, const struct receipt *receipt)
{
    self->owes_recv_overhead = true;
    self->bytes = receipt->bytes;
    self->peer = receipt->peer;
    self->tag = receipt->tag;
    self->serial = receipt->serial;
    self->scope = receipt->scope;
}

/* A message that has come is received, without having been waited for; the processor spends `receive_ps` on it, and
 * what combining takes. */
void kernel_receive(struct kernel *kernel, int rank, const struct receipt *receipt, int64_t receive_ps);

/* Close the accounts of both ends of a message that is delivered at the present, and let those go on that waited for
 * it. */
void kernel_deliver(struct kernel *kernel, uint32_t index);
/* The same in two parts where ranks have strands: a message has come, for which its sender may have waited; and a
 * processor takes it in, now or later: the strand that waited for it and goes on, -1 if none did. */
void kernel_come(struct kernel *kernel, uint32_t index);
int kernel_take_in(struct kernel *kernel, uint32_t index);
/* Its parts: the end of the receiver's wait; that of a send that its rank has begun without waiting, true when the rank
 * waited for it and goes on; and the rank's account of that wait. */
void kernel_end_receive(struct kernel *kernel, int rank, uint32_t index);
bool kernel_complete_isend(struct kernel *kernel, uint32_t index);
void kernel_end_isend(struct kernel *kernel, int rank, uint32_t index);
/* The RTS of a message and its receive have met: when that was posted, and, where it needs one, its checkpoint. */
void kernel_note_posting(struct kernel *kernel, uint32_t index);

/* Its RTS had come before its receive was posted. */
static inline bool message_is_late(const struct message *message)
{
    return (message->phase == PHASE_MATCHED || message->phase == PHASE_RENDEZVOUS_DATA) &&
           message->posted_ps > message->arrived_ps;
}

/* A message that has been received, and its posted receive, unless a request refers to it. */
static inline void kernel_free_message(struct kernel *kernel, uint32_t index)
{
    const struct message *message = &kernel->mailbox.messages[index];
    if (!message->awaited || message->n_keepers > 0)
        return;
    if (message->posted != NO_MESSAGE)
        mailbox_free_message(&kernel->mailbox, message->posted);
    mailbox_free_message(&kernel->mailbox, index);
}

/* The event has come that a message asked for. */
void kernel_handle_message(struct kernel *kernel, uint32_t index);
/* Put something on the network at the present moment, on behalf of a message (sim/kernel/transfer.c). */
void kernel_inject(struct kernel *kernel, uint32_t index, struct price *price);

/* Where ranks run ahead: the run needs the order of time, so it fails, to be made anew in it. False where it has that
 * order. */
bool kernel_needs_order(struct kernel *kernel);

static inline void kernel_make_ready(struct kernel *kernel, int rank)
{
    int n_ranks = kernel->run->placement->n_ranks, place = kernel->first_ready + kernel->n_ready++;
    assert(kernel->n_ready <= n_ranks); /* each rank is there once */
    kernel->ready[place < n_ranks ? place : place - n_ranks] = rank;
}

/* A rank that was blocked goes on. */
static inline void kernel_go_on(struct kernel *kernel, int rank)
{
    if (!kernel->runs_ahead) {
        kernel_run_rank(kernel, rank);
        return;
    }
    assert(kernel->ranks[rank].status != RANK_DONE);
    kernel->ranks[rank].status = RANK_RUNNING;
    if (rank != kernel->running)
        kernel_make_ready(kernel, rank);
}

/* Make the kernel, which is zero, ready for a run; close it in any case. -1 with an error. */
int kernel_open(struct kernel *kernel, const struct kernel_run *run, struct sim_error *error);
/* After the run: its ranks' accounts go on to stats.end_ps, and the sinks get what they have not had. */
void kernel_close_locations(struct kernel *kernel);
void kernel_close(struct kernel *kernel);

/* Nothing is left to happen, and some ranks have not ended. */
void kernel_fail_deadlock(struct kernel *kernel);

#endif
