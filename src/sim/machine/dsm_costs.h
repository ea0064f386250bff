/* The costs of keeping up shared memory on a machine: props dsm.NAME of its platform file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_DSM_COSTS_H
#define SIM_MACHINE_DSM_COSTS_H

#include <stdbool.h>
#include <stdint.h>

/* Each is start + each * count; what is counted stands in brackets. Those of the main processor come first, then those
 * of the protocol controller. Main processors send and receive at the machine's send_overhead and receive_overhead. */
enum dsm_cost {
    DSM_INTERRUPT,  /* leave the program for a handler and come back [-] */
    DSM_WAKE,       /* driver, and waking who sleeps or computes; once for messages that are handled in one go [-] */
    DSM_RESUME,     /* back from messages to the program: late work of the kernel, cold caches; delays no message [-] */
    DSM_TRAP,       /* an access to a protected page: trap, handler, change of protection [-] */
    DSM_PROTECT,    /* change the protection of a page that is invalidated, or whose diff is made [page] */
    DSM_TWIN,       /* copy a page before its first write [byte of the page] */
    DSM_DIFF,       /* compare a page with its twin [byte of the page] */
    DSM_APPLY,      /* apply a diff [byte of the diff] */
    DSM_COPY,       /* copy a page into or out of a message [byte of the page] */
    DSM_INTERVAL,   /* close an interval, at a synchronization [page written in it] */
    DSM_NOTICES,    /* take write notices in and invalidate pages [write notice] */
    DSM_COMMAND,    /* put a command into the controller's queue [-] */
    DSM_EXECUTE,    /* controller: take a command out of the queue and decode it [-] */
    DSM_MESSAGE,    /* controller: send a message, or take one in [byte] */
    DSM_CP_COPY,    /* controller: copy a page from or to main memory [byte] */
    DSM_CP_DIFF,    /* controller: compare a page with its twin [byte of the page] */
    DSM_CP_APPLY,   /* controller: apply a diff [byte of the diff] */
    DSM_CP_NOTICES, /* controller: take write notices in [write notice] */
    DSM_HW_DIFF,    /* controller: gather the words that the snoop logic has seen written [byte of them] */
    DSM_HW_APPLY,   /* controller: scatter them [byte of the diff] */
    DSM_REFILL,     /* fill the program's cache lines again that the protocol's own work drove out [byte it touched] */
    DSM_BUS,        /* controller: keep memory from the program when both want it [byte moved to or from memory] */
    N_DSM_COSTS
};

struct linear_cost {
    int64_t start_ps, each_ps;
};

struct dsm_costs {
    int64_t page_bytes;   /* 0: the machine has no shared memory */
    int64_t header_bytes; /* of a protocol message */
    double loss_share;    /* of messages that are lost; each is sent again when the timeout is over */
    int64_t loss_timeout_ps;
    int64_t cache_bytes;     /* of a main processor: the most that can be driven out of it; 0: no bound */
    bool given[N_DSM_COSTS]; /* by a prop */
    struct linear_cost cost[N_DSM_COSTS];
};

extern const char *const dsm_cost_names[N_DSM_COSTS];

/* Leave out what messages cost a main processor besides its overheads, or what the protocol costs. */
void dsm_costs_remove(struct dsm_costs *costs, bool of_messages, bool of_protocol);
int64_t dsm_cost_ps(const struct dsm_costs *costs, enum dsm_cost cost, int64_t count);

#endif
