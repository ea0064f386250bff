/* The records of one location of a Paraver trace: of what it does in calls of MPI, which events name, or in states.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_PARAVER_PLACE_H
#define TRACE_PARAVER_PLACE_H

#include "trace/paraver/input.h"
#include "trace/record/record.h"

#include <stdbool.h>
#include <stddef.h>

struct prv_place {
    struct prv_input *input;
    const struct prv_function *functions; /* by index */
    const struct map *roots; /* of communicator and number: the task that is the root; NULL: they are being found out */
    int location;
    struct record *records; /* n of them, of which `taken` have been asked for */
    size_t n, taken, capacity;
    int64_t now_ps;  /* what is before has records; -1: it has not begun */
    int64_t last_ps; /* its latest state ends */
    size_t n_scopes; /* that are open */
    bool is_over;
    /* In a call, from call_ps on (calls.c). */
    bool in_call;
    int64_t call_ps;
    uint16_t function;
    uint16_t outer;         /* goes on when this call has ended; 0: none */
    bool is_piece;          /* it is the rest of a call, behind another one that it made */
    int64_t values[4];      /* of the types from PRV_SENT_BYTES on */
    struct prv_item *parts; /* messages and scopes in the call */
    size_t n_parts, parts_capacity;
    uint32_t *sends; /* requests that are not waited for yet */
    size_t n_sends, sends_capacity;
    struct map n_collectives; /* communicator -> collectives with a root up to now */
    /* A message of which the end is to come (states.c). */
    struct prv_item message;
    bool has_message;
    int64_t idle_ps;
};

/* The meaning of a function of MPI. */
struct prv_function {
    uint8_t collective; /* enum record_collective; N_RECORD_COLLECTIVES: it is none */
    uint8_t call;       /* enum record_call, where it moves nothing that the trace says */
    bool has_root, varies;
    bool goes_on;          /* it begins what goes on by itself: MPI_Isend */
    bool waits, waits_all; /* for requests; for all */
    bool synchronous;
};
struct prv_function prv_function_make(const char *name);

void prv_place_dispose(struct prv_place *place);

/* Put a record that begins where the last one ended, or nothing was; and computation before it. */
void prv_place_put(struct prv_place *place, struct record record, int64_t end_ps, int64_t position);
void prv_place_compute(struct prv_place *place, int64_t until_ps, int64_t position);
/* A scope begins or ends. */
void prv_place_scope(struct prv_place *place, const struct prv_item *item);
struct record prv_message_record(uint8_t kind, const struct prv_place *place, const struct prv_item *item);

/* An item, in order of time; the end of all items. calls.c is for a location that has calls, states.c for the
 * others. */
void prv_calls_take(struct prv_place *place, const struct prv_item *item);
void prv_calls_end(struct prv_place *place);
void prv_states_take(struct prv_place *place, const struct prv_item *item);
void prv_states_end(struct prv_place *place);

#endif
