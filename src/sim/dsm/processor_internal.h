/* The nodes: their main processors, their controllers, and what they wait for.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_DSM_PROCESSOR_INTERNAL_H
#define SIM_DSM_PROCESSOR_INTERNAL_H

#include "sim/dsm/memory_internal.h"
#include "sim/dsm/packet_internal.h"

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
    uint8_t status;                   /* enum node_status */
    bool handling;                    /* a job is on the main processor */
    bool fetches;                     /* it waits for pages or diffs */
    bool answered;                    /* what it waits for has come */
    bool started;                     /* the op that waits has been begun */
    bool awake;                       /* in the protocol's code: what comes now need not wake it */
    bool disturbed;                   /* by messages, since the program last computed */
    bool resuming;                    /* NODE_COMPUTING: but on the way back to it */
    int64_t driven_out_bytes;         /* by the protocol's work, since the program last computed */
    int64_t owed_ps, resume_start_ps; /* what the program pays for that and for the bus when it goes on */
    int64_t busy_until_ps;            /* of NODE_BUSY, of a computation or of the job */
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
    struct dsm_news news; /* of the last synchronization */
    struct dsm_history history;
};

/* ---- sim/dsm/processor.c ---- */

/* Take up the next command, or the next job or what the node was doing. */
void dsm_poll_controller(struct dsm *dsm, struct node *node);
void dsm_poll_main(struct dsm *dsm, struct node *node);
/* The event has come that the controller, or the main processor, asked for. */
void dsm_end_command(struct dsm *dsm, struct node *node);
void dsm_handle_main(struct dsm *dsm, struct node *node);
/* The program computes for node->left_ps, as soon as no job is left. */
void dsm_compute(struct dsm *dsm, struct node *node);
/* The main processor is in protocol code for `ps`; then `then`. */
void dsm_spend(struct dsm *dsm, struct node *node, int64_t ps, enum operation operation,
               void (*then)(struct dsm *dsm, struct node *node));
/* Begin to wait; the node goes on when dsm_answer() is called. */
void dsm_wait(struct dsm *dsm, struct node *node, enum operation operation, bool fetches);
void dsm_answer(struct dsm *dsm, struct node *node, const struct request *request);

/* ---- sim/dsm/caches.c ---- */

/* A job, or the node's own protocol code, goes through `bytes` of memory; `controller`: not the main processor's. */
void dsm_touch(struct dsm *dsm, struct node *node, int64_t bytes, bool controller);
/* The time that the program has to pay before it computes. */
int64_t dsm_owed_ps(struct dsm *dsm, struct node *node);
/* `ps` of it are paid. */
void dsm_pay(struct node *node, int64_t ps);

/* ---- sim/dsm/program.c: the nodes' programs, op by op ---- */

/* Go on with the program at the present. */
void dsm_continue(struct dsm *dsm, struct node *node);

/* ---- sim/dsm/account.c: every moment of every location, for the sinks ---- */

void dsm_emit(const struct dsm *dsm, const struct interval *interval);
/* The interval of what the location is doing, up to the present, with the number of the location. */
struct interval dsm_location_interval(const struct dsm *dsm, const struct location *location, int number);
/* Set what a processor does from now on; its account up to now is handed over. */
void dsm_set_main(const struct dsm *dsm, struct node *node, enum category category, enum operation operation);
void dsm_set_controller(const struct dsm *dsm, struct node *node, enum category category, enum operation operation);
/* The node waits, from now on or again. */
void dsm_wait_on(const struct dsm *dsm, struct node *node);
/* Hand over the account of the main processor up to the present. */
void dsm_account_computation(struct dsm *dsm, struct node *node);
void dsm_account_main(struct dsm *dsm, struct node *node);
void dsm_set_scope(struct dsm *dsm, struct node *node, uint8_t scope);
/* Mark the node's present for those whose waits will depend on it. */
void dsm_checkpoint(struct dsm *dsm, struct node *node, uint32_t checkpoint);

#endif
