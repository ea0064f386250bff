/* Finds the two ends of every message, by its serial (interval/interval.h). The receipt may come before the message,
 * because intervals of several locations are in no common order.
 * Memory grows with the messages of which one end has come.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_MATCHER_H
#define TRACE_RECORD_MATCHER_H

#include "interval/interval.h"

#include <stdbool.h>

/* One end of a message. */
struct message_end {
    int64_t called_ps; /* when the call began: logical send or receive */
    int64_t at_ps;     /* when the message went, or had come: physical send or receive */
    int32_t location;
};

struct message_ends {
    struct message_end sent, received;
};

struct matcher;

struct matcher *matcher_new(void);

/* An interval with is_message or is_receipt, and its end of the message. True when the other end has come before: *ends
 * is then both. */
bool matcher_add(struct matcher *matcher, const struct interval_setup *setup, const struct interval *interval,
                 struct message_end end, struct message_ends *ends);

void matcher_free(struct matcher *matcher);

#endif
