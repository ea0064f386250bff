/* The items of each location of a Paraver trace, in order of time, in a temporary file: the trace itself has the lines
 * of all locations in one order, and a receive in the line of its send.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_PARAVER_SPOOL_H
#define TRACE_PARAVER_SPOOL_H

#include "base/error.h"

#include <stdint.h>

enum prv_kind {
    PRV_RECEIVED, /* a message has come: `other_ps` is when its receive was called */
    PRV_CALL,     /* of the function `number` of MPI; 0: the call ends */
    PRV_VALUE,    /* of the call that has begun: event `type`, value `number` */
    PRV_SCOPE,    /* event `type`: the scope `number` begins; 0: the innermost one ends */
    PRV_POSTED,   /* a receive is called, of a message that comes at `other_ps` */
    PRV_SENT,     /* a send is called, and the message goes at `other_ps` */
    PRV_STATE,    /* `number`, until `other_ps` */
};

struct prv_item {
    int64_t at_ps, other_ps;
    int64_t number;   /* of messages: their bytes */
    int64_t position; /* the line */
    int32_t location;
    int32_t peer; /* of messages: the other location */
    int32_t type; /* of messages: their tag */
    uint8_t kind; /* enum prv_kind */
};

struct prv_spool;

struct prv_spool *prv_spool_new(int n_locations);
void prv_spool_free(struct prv_spool *spool);
/* A location's next item, after which comes none that is earlier: 0, or -1. Then, once, the end of all items. */
int prv_spool_add(struct prv_spool *spool, const struct prv_item *item, struct sim_error *error);
int prv_spool_finish(struct prv_spool *spool, struct sim_error *error);
/* A location's next item: 1, or 0 after its last one, or -1. */
int prv_spool_next(struct prv_spool *spool, int location, struct prv_item *item, struct sim_error *error);
void prv_spool_rewind(struct prv_spool *spool);

#endif
