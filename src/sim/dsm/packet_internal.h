/* Messages between nodes: requests, the packets that carry them, and the jobs that these become.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_DSM_PACKET_INTERNAL_H
#define SIM_DSM_PACKET_INTERNAL_H

#include "interval/interval.h"
#include "sim/dsm/dsm.h"

#include <stdbool.h>
#include <stdint.h>

struct dsm;
struct node;

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
    int64_t again_ps; /* if it is lost */
    int32_t from, to;
    uint32_t serial; /* see struct interval */
    uint32_t next;   /* in the queue of a processor, or of the free ones */
    uint8_t job;     /* enum job_kind at its destination */
    uint8_t operation;
    uint8_t injected;
    uint8_t lost;     /* on the network: comes again when the timeout is over */
    uint8_t outgoing; /* in the queue of its sender's controller, to be sent */
    uint8_t is_last;  /* of all arrivals at a barrier */
    uint8_t raised;   /* from the controller to its main processor, by interrupt */
};

#define NO_PACKET UINT32_MAX

struct job_queue {
    uint32_t head, tail;
};

/* One of the messages to and fro that a node waits for, or that goes on beside it. */
struct request {
    int32_t node; /* who asked */
    int32_t target;
    int32_t page; /* or lock */
    uint8_t operation;
    bool early;      /* a prefetch that is not waited for yet */
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

/* A job: what it costs the processor it is on, and what it does at its end. `controller`: it is the controller. */
struct job_spec {
    int64_t (*begin)(struct dsm *dsm, struct node *node, struct packet *packet, bool controller);
    void (*end)(struct dsm *dsm, struct node *node, struct packet *packet);
    bool needs_main; /* a controller passes it on to its main processor */
    bool is_reply;   /* comes to who waits */
};
extern const struct job_spec dsm_fetch_jobs[], dsm_sync_jobs[];

/* ---- sim/dsm/packet.c: requests ---- */

struct request *dsm_request_new(struct dsm *dsm, int node, int target, enum operation operation);
void dsm_request_free(struct dsm *dsm, struct request *request);
/* Fill interval `i` (1 ... 13) of the request's wait up to a time. */
void dsm_request_mark(struct request *request, int i, int64_t until_ps);
void dsm_requests_close(struct dsm *dsm);

/* ---- sim/dsm/packet.c: packets ---- */

/* A message that the main processor sends `after_ps` from now; by its controller, if it has one. */
void dsm_send(struct dsm *dsm, int from, int to, enum job_kind job, struct request *request, int64_t bytes,
              int64_t after_ps);
/* An answer that leaves at once, from the processor that has made it. */
void dsm_reply(struct dsm *dsm, int from, enum job_kind job, struct request *request, int64_t bytes);
/* The main processor's time for a dsm_send(). */
int64_t dsm_send_ps(const struct dsm *dsm, int64_t bytes);
/* The main processor's time for a message that comes. */
int64_t dsm_receive_ps(const struct dsm *dsm, int64_t bytes);
/* Put the packet on the network, at the present; an event has come that it asked for. */
void dsm_inject(struct dsm *dsm, uint32_t index);
void dsm_handle_packet(struct dsm *dsm, uint32_t index);
void dsm_packet_free(struct dsm *dsm, uint32_t index);
/* Queues of packets; of an empty one NO_PACKET is taken. */
void dsm_put(struct dsm *dsm, struct job_queue *queue, uint32_t index);
uint32_t dsm_take(struct dsm *dsm, struct job_queue *queue);
const struct job_spec *dsm_job_of(const struct packet *packet);

#endif
