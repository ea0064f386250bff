/* The state of the shared memory, shared by the files that make it up:
 *
 * dsm.c            from the beginning to the end, in order of time
 * sim/dsm/program.c    the nodes' programs, op by op
 * sim/dsm/processor.c  main processors, controllers, and what they wait for
 * sim/dsm/packet.c     requests, and the packets that carry them
 * sim/dsm/account.c    every moment of every location, for the sinks
 * sim/dsm/fetch.c      bringing pages up to date
 * sim/dsm/sync.c       locks, barriers, garbage collection
 * sim/dsm/memory.c, sim/dsm/diffs.c  pages, intervals and diffs, which take no time
 * sim/dsm/check.c      the proof that reads see what they must */
#ifndef SIM_DSM_INTERNAL_H
#define SIM_DSM_INTERNAL_H

#include "sim/dsm/dsm.h"
#include "sim/kernel/event_queue.h"
#include "sim/machine/dsm_costs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DSM_WORD_BYTES = 4, DSM_NOBODY = -1 };

/* ---- Memory: pages, intervals, diffs ---- */

/* What one node wrote between two of its synchronisations. The interval's number is its place in the node's log + 1. */
struct interval {
    int32_t *vector; /* the node's vector time at its end, n_nodes */
    int32_t *pages;  /* written, n_pages */
    int32_t n_pages;
};

struct interval_log {
    struct interval *items;
    size_t count, capacity;
    int32_t first; /* number of the first that is kept; those before it are collected */
};

/* The words that one node has written to a page since the interval that lists it, until the diff was made. */
struct diff {
    int32_t interval;
    int32_t n_words, n_runs;
    uint64_t *words;    /* a bit for each word of the page */
    uint32_t *versions; /* of each word of the page, when checking */
};

/* What one node has done to one page since the last collection. */
struct writer {
    int32_t *notices; /* its intervals that list the page, ascending */
    size_t n_notices, notices_capacity;
    struct diff *diffs; /* in the order of their intervals */
    size_t n_diffs, diffs_capacity;
};

struct page {
    struct writer *writers; /* n_nodes; NULL as long as nobody has written */
    int32_t owner;          /* has a copy, when no notice says who has a better one */
};

enum copy_state { COPY_NONE, COPY_INVALID, COPY_READ, COPY_WRITE };

/* A node's copy of a page. */
struct copy {
    int32_t *applied;    /* n_nodes: the intervals of each node that the copy holds; NULL with COPY_NONE */
    uint64_t *words;     /* the words written since the twin was made, with COPY_WRITE */
    uint32_t *versions;  /* what the copy holds, when checking */
    struct fetch *fetch; /* under way, or NULL */
    int32_t listed;      /* the closed interval that lists the page since the twin was made; 0: none */
    uint8_t state;       /* enum copy_state */
    uint8_t written;     /* in the interval that is open */
    uint8_t referenced;  /* since it was last brought up to date */
};

/* ---- Processors ---- */

struct node;
struct dsm;
struct request;

/* What a node learned at a synchronisation: counts of notices, and of diffs that had to be made of pages that they
 * invalidate; with prefetching also the pages that were in use, room for n_pages. */
struct dsm_news {
    int64_t n_notices, n_diffs, n_invalidated;
    int32_t *lost;
    int32_t n_lost;
};

enum job_kind {
    JOB_PAGE_REQUEST, /* at who has the page */
    JOB_DIFF_REQUEST, /* at who has the diffs */
    JOB_PAGE_REPLY,
    JOB_DIFF_REPLY,
    JOB_LOCK_REQUEST, /* at the lock's manager */
    JOB_LOCK_FORWARD, /* at who has the lock, or will have it before */
    JOB_LOCK_GRANT,
    JOB_ARRIVAL, /* at the barrier's manager */
    JOB_DEPARTURE,
    JOB_NOTIFY, /* tell the main processor what its controller has served */
    N_JOB_KINDS
};

/* A message from node to node, which becomes a job where it arrives. Pooled, referred to by index. */
struct packet {
    struct transfer transfer;
    struct request *request; /* NULL with JOB_NOTIFY */
    int64_t bytes;
    int32_t from, to;
    uint32_t next; /* in the queue of a processor, or of the free ones */
    uint8_t job;   /* enum job_kind at its destination */
    uint8_t operation;
    uint8_t injected;
    uint8_t outgoing; /* in the queue of its sender's controller, to be sent */
    uint8_t is_last;  /* of all arrivals at a barrier */
    uint8_t raised;   /* from the controller to its main processor, by interrupt */
};

#define NO_PACKET UINT32_MAX

struct job_queue {
    uint32_t head, tail;
};

/* A processor's account: all up to since_ps has been handed to the sinks. */
struct location {
    int64_t since_ps;
    uint8_t category, operation, scope;
    bool fetches; /* CATEGORY_WAIT: for pages or diffs, which are under way all the time: receiving, not idling */
};

enum node_status {
    NODE_READY,
    NODE_COMPUTING, /* may be interrupted */
    NODE_BUSY,      /* in code of the protocol: interrupts wait */
    NODE_WAITING,   /* for an answer */
    NODE_DONE,
};

struct node {
    int32_t id;
    int32_t host;
    int32_t *vector; /* n_nodes */
    struct copy *copies;
    int32_t *twins; /* pages with a twin, n_twins */
    size_t n_twins, twins_capacity;
    int64_t consistency_bytes; /* of its intervals and diffs since the last collection */

    /* the program */
    int64_t step, seen, page_at; /* page_at: how far the page op has come, in bytes of its extent */
    uint8_t op;
    uint8_t status;                                   /* enum node_status */
    bool handling;                                    /* a job is on the main processor */
    bool fetches;                                     /* it waits for pages or diffs */
    bool answered;                                    /* what it waits for has come */
    bool started;                                     /* the op that waits has been begun */
    int64_t busy_until_ps;                            /* of NODE_BUSY, of a computation or of the job */
    int64_t left_ps, left_work_ps[N_WORK_COMPONENTS]; /* of the computation */
    bool control;                                     /* the computation's role */
    int64_t operations;                               /* of the computation, until they are accounted */
    void (*then)(struct dsm *dsm, struct node *node); /* at the end of NODE_BUSY */
    struct request *waits_for;
    int64_t wait_ps[N_WAIT_INTERVALS];
    int64_t wait_start_ps;
    uint8_t wait_operation;
    uint32_t wait_checkpoint; /* the message whose departure the wait's end depends on */
    int64_t wait_origin_ps;
    struct location location, controller_location;
    struct job_queue jobs; /* for the main processor */
    uint32_t job;          /* on it */
    int64_t job_start_ps;
    struct job_queue commands; /* for the controller */
    uint32_t command;          /* on it; NO_PACKET: idle */
    bool controller_waits;     /* for the main processor to take the interrupt */

    /* garbage collection */
    int32_t collect_page; /* the next page to look at; -1: none going on */

    int32_t fault_page;   /* of the access that is being made possible */
    int32_t n_announced;  /* intervals that the barrier's manager has been told of */
    struct dsm_news news; /* of the last synchronisation */
};

/* One of the messages to and fro that a node waits for, or that goes on beside it. */
struct request {
    int32_t node; /* who asked */
    int32_t target;
    int32_t page; /* or lock */
    uint8_t operation;
    bool early;      /* a prefetch nobody waits for yet */
    int64_t last_ps; /* until when wait_ps has been filled */
    int64_t wait_ps[N_WAIT_INTERVALS];
    int32_t *vector; /* of who asked, at that time; then of who grants */
    struct fetch *fetch;
    int64_t diff_bytes; /* of a reply */
    int64_t n_notices;
    bool granted;      /* what begins as a job ends as an answer */
    int64_t start_ps;  /* of an arrival: when the node has come */
    int64_t origin_ps; /* what the wait's end depends on: when the lock was let go, when the last one came */
    uint32_t checkpoint;
    struct request *next; /* of the free ones, or of those that wait for a lock */
    struct request *all;  /* of all there are */
};

/* The diffs that an access to a page lacks, and from whom each node's come. */
struct fetch {
    int32_t page;
    int32_t n_open;            /* replies that have not come */
    int32_t *upto;             /* n_nodes: the last interval of each that is asked for; 0: none */
    int32_t *provider;         /* n_nodes: who sends the diffs of that node */
    struct request **requests; /* n_nodes: those to the providers whose replies have not come */
    bool awaited;              /* the program waits for it */
    struct fetch *next;        /* of the free ones */
    struct fetch *all;         /* of all there are */
};

struct lock {
    int32_t last_requester; /* as the manager knows it */
    int32_t holder;         /* node with the token */
    bool held;
    struct request *waiting; /* that have come to who has the lock before them */
};

/* What OP_PUT has put; the depth is the counter of the same number. */
struct stack {
    int64_t *items;
    size_t capacity;
};

struct dsm {
    const struct kernel_run *run;
    const struct dsm_options *options;
    const struct dsm_costs *costs;
    struct machine *machine;
    struct network *network;
    struct kernel_cost *kernel_costs;
    struct event_queue queue;
    struct kernel_stats stats;
    struct sim_error *error;
    bool failed;
    int64_t now_ps;
    int n_nodes, n_done;
    struct node *nodes;

    int32_t n_pages, page_words, page_longs; /* longs: of 64 bits, for a bit a word */
    struct page *pages;
    struct interval_log *logs; /* n_nodes */
    struct lock *locks;
    int64_t *counters;
    struct stack *stacks; /* as many as counters */

    struct packet *packets;
    size_t n_packets, packets_capacity;
    uint32_t free_packets;
    struct request *free_requests, *all_requests;
    struct fetch *free_fetches, *all_fetches;

    /* the barrier */
    int n_arrived;
    struct request **arrived; /* n_nodes */
    int64_t n_barriers;       /* that are over */
    bool collecting;          /* the next barrier ends a collection */

    uint32_t version;   /* of the last word written, when checking */
    uint32_t *shadow;   /* the last version of every word */
    int32_t *writer_of; /* node that wrote it */

    struct op_list list;
};

/* What a moment in the queue is for: the low part of its order. */
enum moment_kind { MOMENT_MAIN, MOMENT_CONTROLLER, MOMENT_PACKET, N_MOMENT_KINDS };

/* dsm.c */
void dsm_call(struct dsm *dsm, enum moment_kind kind, uint32_t which, uint32_t actor, int64_t at_ps);

/* sim/dsm/account.c */
void dsm_emit(const struct dsm *dsm, const struct event *event);
struct event dsm_event_of(const struct dsm *dsm, const struct location *location, int number);
void dsm_set_main(const struct dsm *dsm, struct node *node, enum category category, enum operation operation);
void dsm_set_controller(const struct dsm *dsm, struct node *node, enum category category, enum operation operation);
void dsm_wait_on(const struct dsm *dsm, struct node *node);
void dsm_account_computation(struct dsm *dsm, struct node *node);
void dsm_account_main(struct dsm *dsm, struct node *node);
void dsm_set_scope(struct dsm *dsm, struct node *node, uint8_t scope);

/* sim/dsm/packet.c */
void dsm_requests_close(struct dsm *dsm);
void dsm_packet_free(struct dsm *dsm, uint32_t index);
void dsm_put(struct dsm *dsm, struct job_queue *queue, uint32_t index);
uint32_t dsm_take(struct dsm *dsm, struct job_queue *queue);
const struct job_spec *dsm_job_of(const struct packet *packet);
int64_t dsm_receive_ps(const struct dsm *dsm, int64_t bytes);
void dsm_inject(struct dsm *dsm, uint32_t index);
void dsm_handle_packet(struct dsm *dsm, uint32_t index);

/* sim/dsm/processor.c */
void dsm_poll_controller(struct dsm *dsm, struct node *node);
void dsm_end_command(struct dsm *dsm, struct node *node);
void dsm_poll_main(struct dsm *dsm, struct node *node);
void dsm_handle_main(struct dsm *dsm, struct node *node);

/* dsm.c and sim/dsm/processor.c */
void dsm_fail(struct dsm *dsm, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The main processor is in protocol code for `ps`; then `then`. */
void dsm_spend(struct dsm *dsm, struct node *node, int64_t ps, enum operation operation,
               void (*then)(struct dsm *dsm, struct node *node));
/* Begin to wait; the node goes on when dsm_answer() is called. */
void dsm_wait(struct dsm *dsm, struct node *node, enum operation operation, bool fetches);
void dsm_answer(struct dsm *dsm, struct node *node, const struct request *request);
/* Go on with the program at the present. */
void dsm_continue(struct dsm *dsm, struct node *node);
/* Mark the node's present for those whose waits will depend on it. */
void dsm_checkpoint(struct dsm *dsm, struct node *node, uint32_t checkpoint);
/* A message that the main processor sends `after_ps` from now; by its controller, if it has one. */
void dsm_send(struct dsm *dsm, int from, int to, enum job_kind job, struct request *request, int64_t bytes,
              int64_t after_ps);
/* An answer that leaves at once, from the processor that has made it. */
void dsm_reply(struct dsm *dsm, int from, enum job_kind job, struct request *request, int64_t bytes);
/* What the main processor spends on a dsm_send(). */
int64_t dsm_send_ps(const struct dsm *dsm, int64_t bytes);
/* Fill interval `i` (1 ... 13) of the request's wait up to a time. */
void dsm_request_mark(struct request *request, int i, int64_t until_ps);
struct request *dsm_request_new(struct dsm *dsm, int node, int target, enum operation operation);
void dsm_request_free(struct dsm *dsm, struct request *request);
int64_t dsm_cost(const struct dsm *dsm, enum dsm_cost cost, int64_t count);

/* Of a vector time in a message. */
static inline int64_t dsm_vector_bytes(const struct dsm *dsm)
{
    return (int64_t)dsm->n_nodes * (int64_t)sizeof(int32_t);
}

/* sim/dsm/memory.c and sim/dsm/diffs.c */
struct writer *dsm_writer(const struct dsm *dsm, int page, int node);
const struct interval *dsm_interval(const struct dsm *dsm, int node, int number);
void dsm_give_copy(struct dsm *dsm, struct copy *copy);
int64_t dsm_diff_bytes(const struct diff *diff);
void dsm_memory_open(struct dsm *dsm);
/* The bytes of this computer's memory that a page takes when all nodes have a copy of it and have written it. */
int64_t dsm_page_footprint(const struct dsm_options *options, int n_nodes, int64_t page_bytes);
void dsm_memory_close(struct dsm *dsm);
struct copy *dsm_copy(const struct dsm *dsm, const struct node *node, int page);
/* Close the node's open interval; the number of pages that it lists, 0 if nothing was written and there is none. */
int dsm_close_interval(struct dsm *dsm, struct node *node);
/* Give a valid page a twin. */
void dsm_make_twin(struct dsm *dsm, struct node *node, int page);
/* Make the diff of a page with a twin if closed intervals list it; whether one was made. */
bool dsm_flush(struct dsm *dsm, struct node *node, int page);
/* Note that words from ... to-1 of the page are written. */
void dsm_note_write(struct dsm *dsm, struct node *node, int page, int from, int to);
/* Learn of all intervals in `vector`, for node->news. */
void dsm_learn(struct dsm *dsm, struct node *node, const int32_t *vector);
/* Bytes of a message that tells the barrier's manager of what the node has written since the last one. */
int64_t dsm_own_news_bytes(const struct dsm *dsm, struct node *node, int64_t *n_notices);
/* Bytes of a message that tells of all intervals that `from` knows and `to` does not. */
int64_t dsm_news_bytes(const struct dsm *dsm, const int32_t *from, const int32_t *to, int64_t *n_notices);
/* The diffs that the copy lacks for all the node knows; false if none. */
bool dsm_plan_fetch(struct dsm *dsm, const struct node *node, int page, struct fetch *fetch);
/* At a provider: have the diffs made that are still to be made; how many were, and the bytes of all to be sent. */
int dsm_provide(struct dsm *dsm, struct node *provider, const struct request *request, int64_t *bytes,
                int64_t *n_words);
/* Put the fetched diffs into the copy in the order of time. */
void dsm_apply(struct dsm *dsm, struct node *node, const struct fetch *fetch);
/* Give a node the provider's copy. */
void dsm_copy_page(struct dsm *dsm, struct node *node, struct node *provider, int page);
/* Who to ask for a page that the node has no copy of. */
int dsm_page_source(const struct dsm *dsm, const struct node *node, int page);
/* What a node does with its copies before a collection: true if the page has to be brought up to date. */
bool dsm_keep_copy(struct dsm *dsm, struct node *node, int page);
void dsm_collect(struct dsm *dsm);

/* sim/dsm/fetch.c */
/* Whether the node can access the page at once; if not, what is needed has been begun. */
bool dsm_access(struct dsm *dsm, struct node *node, int page, bool write);
/* Wait for what is under way. */
void dsm_await_fetch(struct dsm *dsm, struct node *node, int page, enum operation operation);
/* Bring a page up to date, the node waiting for it. */
void dsm_fetch_page(struct dsm *dsm, struct node *node, int page, enum operation operation);
/* Ask for the pages that the last synchronisation has invalidated; the main processor's time for that. */
int64_t dsm_prefetch(struct dsm *dsm, struct node *node);
void dsm_fetches_close(struct dsm *dsm);

/* sim/dsm/sync.c */
/* True when the op is done, false when the node waits. */
bool dsm_acquire(struct dsm *dsm, struct node *node, const struct op *op);
bool dsm_release(struct dsm *dsm, struct node *node, const struct op *op);
bool dsm_barrier(struct dsm *dsm, struct node *node);

/* A job: what it costs the processor it is on, and what it does at its end. `controller`: it is the controller. */
struct job_spec {
    int64_t (*begin)(struct dsm *dsm, struct node *node, struct packet *packet, bool controller);
    void (*end)(struct dsm *dsm, struct node *node, struct packet *packet);
    bool needs_main; /* a controller passes it on to its main processor */
    bool is_reply;   /* comes to who waits */
};
extern const struct job_spec dsm_fetch_jobs[], dsm_sync_jobs[];

/* sim/dsm/check.c */
void dsm_check_open(struct dsm *dsm);
void dsm_check_close(struct dsm *dsm);
void dsm_check_write(struct dsm *dsm, struct node *node, int page, int from, int to);
void dsm_check_read(struct dsm *dsm, struct node *node, int page, int from, int to);

#endif
