/* The meaning of the lines of a TI trace: each is an action, which makes none, one, or several records.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_ACTIONS_H
#define TRACE_TI_ACTIONS_H

#include "base/error.h"
#include "trace/record/record.h"
#include "trace/ti/arguments.h"
#include "trace/ti/pending.h"

#include <stdbool.h>
#include <stdint.h>

/* State that a rank's earlier lines leave for its next ones. */
struct ti_rank {
    struct ti_pending pending;
    uint8_t n_further;     /* records that the last line, a sendRecv, makes besides its first */
    uint8_t default_bytes; /* of an element whose datatype is not given */
    bool is_known;         /* a line has had an action, so that messages may quote what is wrong with another */
    bool begun, ended;     /* init and finalize have come */
    int64_t split_line;    /* the first comm_split, of which the line does not say who is where; 0: none */
    int64_t exchange_line; /* the first sendRecv; 0: none */
    const char *held;      /* a line that has been asked for and is to be read next; NULL: none */
    struct record further[2];
};

/* True if a line has the name of an action there. */
bool ti_is_action(const char *word);

/* True if that is an action which says how long the block of each rank is. */
bool ti_has_blocks(const char *word);

/* Read the action at call->at: 1 and a record, 0 if the line makes none, -1 with an error. */
int ti_action_read(struct ti_call *call);

/* A record that an earlier line has left: 1, or 0 if there is none. */
int ti_action_further(struct ti_rank *self, struct record *record);

#endif
