/* The kernel's state, shared by the files that make it up: kernel.c runs programs, kernel_message.c carries messages,
 * kernel_deadlock.c says who waits for whom. */
#ifndef SIM_KERNEL_INTERNAL_H
#define SIM_KERNEL_INTERNAL_H

#include "sim/event_queue.h"
#include "sim/kernel.h"
#include "sim/mailbox.h"

#include <stdbool.h>
#include <stdint.h>

enum rank_status { RANK_RUNNING, RANK_SENDING, RANK_RECEIVING, RANK_WAITING, RANK_DONE };

struct rank {
    int64_t clock_ps;
    int64_t step;
    int64_t collective_op; /* the next op of the collective that the rank is in */
    int32_t host;
    int32_t peer; /* whom a blocked rank waits for */
    int32_t tag;
    uint8_t op; /* the next op of the step */
    uint8_t status;
    uint8_t scope;         /* of the receive or wait that it is in */
    uint8_t overhead_paid; /* of the send that comes next */
    uint8_t matched;       /* the receive that it is in has its message */
    int32_t n_pending;     /* OP_ISENDs that are not complete */
    int32_t isend_peer;    /* to whom the last of them goes */
    int64_t take_in_ps;    /* of the processor's time, still to be spent on a message that has come */
};

/* A processor that several ranks share serves one computation after another. */
struct shared_cpu {
    int64_t free_ps;
    int32_t last_rank; /* who used it until then */
};

struct kernel {
    const struct kernel_run *run;
    struct machine *machine;
    void *network;
    struct rank *ranks;
    struct shared_cpu *cpus; /* NULL where every rank has its own */
    struct kernel_cost *kernel_costs;
    struct event_queue queue;
    struct mailbox mailbox;
    int64_t now_ps;
    int32_t listed_rank; /* whose step is in `list`; -1: nobody's */
    int64_t listed_step;
    struct op_list list;
    struct kernel_stats stats;
    struct sim_error *error; /* where a failure goes */
    bool failed;
    bool finished; /* the loop has come to its end, with success or not */
};

/* Hand an event to every sink. */
void kernel_emit(const struct kernel *kernel, const struct event *event);

/* Ask for a rank, or for a message, to be called at a moment. */
void kernel_call_rank(struct kernel *kernel, int rank, int64_t at_ps);
void kernel_call_message(struct kernel *kernel, uint32_t message, int64_t at_ps);

/* The clock of the simulation is at its end: the run fails. */
void kernel_fail_clock(struct kernel *kernel, int rank);

/* Let a rank go on until it has to wait or its program ends. */
void kernel_run_rank(struct kernel *kernel, int rank);

/* Begin a send at the present, or a receive, or wait for the rank's sends; true when the rank may go on at once. */
bool kernel_send(struct kernel *kernel, int rank, const struct op *op, int tag);
bool kernel_recv(struct kernel *kernel, int rank, const struct op *op, int tag);
bool kernel_wait(struct kernel *kernel, int rank, const struct op *op);

/* The moment has come that a message asked for. */
void kernel_handle_message(struct kernel *kernel, uint32_t index);

/* Nothing is left to happen, and some ranks have not ended. */
void kernel_fail_deadlock(struct kernel *kernel);

#endif
