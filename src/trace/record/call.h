/* Calls: which intervals of a location belong together because they are one call of a message library. A receive is
 * idle until its message is sent, then receives, then takes it in; a send that waits for its receive is idle in
 * between.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_CALL_H
#define TRACE_RECORD_CALL_H

#include "interval/interval.h"

#include <stdbool.h>

struct call {
    int64_t start_ps, end_ps;
    int64_t idle_ps; /* of its length */
    uint8_t state;   /* STATE_SEND or STATE_RECEIVE; STATE_IDLE as long as it has only waited */
    uint8_t scope;
    bool waited; /* a receive: its message had not come when it began */
    bool open;
};

/* True if the interval only marks what other intervals depend on, or what was called: it has no length and is no
 * message. */
bool call_is_mark(const struct interval *interval);

/* True if the interval goes on with the location's open call or, where none is open, begins one. If not, an open call
 * has ended before it without a message. */
bool call_takes(const struct call *call, const struct interval *interval);

/* Take the interval in; true when the call ends with it, and *call is to be closed. */
bool call_add(struct call *call, const struct interval *interval);

#endif
