/* The arguments of an action of a TI trace, word by word. A function that reads one returns 0, or -1 with an error that
 * names the line and what was found and is allowed.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_ARGUMENTS_H
#define TRACE_TI_ARGUMENTS_H

#include "base/error.h"
#include "trace/record/record.h"

#include <stdbool.h>
#include <stdint.h>

/* The most elements; with 32 bytes each a message is still far from the end of 64 bits. */
#define TI_MAX_COUNT (INT64_C(1) << 48)

struct ti_rank;

/* A line that is being read, and where what is found goes. */
struct ti_call {
    const char *at; /* the next word */
    struct record *record;
    struct ti_rank *self;
    int rank, n_ranks;
    int default_bytes;  /* of an element whose datatype is not given */
    int64_t *blocks;    /* room for n_ranks */
    const char *action; /* its name, for messages */
    const char *file;
    long line;
    struct sim_error *error;
};

/* True if there is another word, which call->at is then at. */
bool ti_has_more(struct ti_call *call);

/* The line ends although there must be another argument; -1. */
int ti_fail_missing(struct ti_call *call, const char *what);

/* How much of a word is shown in a message. */
int ti_shown_length(const char *word);

int ti_read_integer(struct ti_call *call, int64_t *value, const char *what, int64_t low, int64_t high);
int ti_read_rank(struct ti_call *call, int32_t *rank, const char *what);
int ti_read_tag(struct ti_call *call, int32_t *tag);
/* The same where SMPI's numbers for any source, -1 then, and for any tag are allowed. */
int ti_read_source(struct ti_call *call, int32_t *rank);
int ti_read_any_tag(struct ti_call *call, int32_t *tag, bool *any_tag);
int ti_read_count(struct ti_call *call, int64_t *count);
/* The same from `low` on. */
int ti_read_count_from(struct ti_call *call, int64_t *count, int64_t low);
int ti_read_flops(struct ti_call *call, double *flops);

/* Bytes of an element of the datatype of that number; -1 where there is none. */
int ti_datatype_bytes(int64_t datatype);

/* If the line goes on with a number, that is the datatype; *bytes of an element of it, or by default. */
int ti_read_datatype(struct ti_call *call, int64_t *bytes);
int ti_read_datatypes(struct ti_call *call, int64_t *sent_bytes, int64_t *received_bytes);

/* Into the record: the root, if the line goes on; else rank 0. */
int ti_read_root(struct ti_call *call);

/* True if the next word is that one, which is then passed. */
bool ti_read_word(struct ti_call *call, const char *word);

/* `result` if there is no further word. */
int ti_read_end(struct ti_call *call, int result);

#endif
