/* A run as bytes (base/transport.h) and as columns: how it goes from one process to another, and into the store.
 *
 * Both go through one table of what a run is by itself, run_members, beside its result (metrics/result_transport.h).
 * Not in it are the parameters, which both ends have; whether the run was traced; and what is worked out of all runs
 * afterwards.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_RUN_TRANSPORT_H
#define STUDY_RUN_TRANSPORT_H

#include "base/transport.h"
#include "study/run.h"

#include <stddef.h>
#include <stdint.h>

/* As what a member lies in struct study_run; the first three are texts. */
enum run_member_type {
    RUN_NAME,   /* const char *; what is set lives as long as the program */
    RUN_REASON, /* the same, shorter than DISCARDED_SIZE; NULL for "" */
    RUN_NOTES,  /* const struct run_notes *, of texts shorter than NOTE_SIZE; as a text, a line for each */
    RUN_INT,    /* int, 0 or more */
    RUN_INT64,
    RUN_REAL,
};

struct run_member {
    const char *name; /* of the store's column */
    enum run_member_type type;
    size_t offset;
};

/* The first ones are the same on every computer: a store keeps these, and not what the run has cost. */
enum { N_STORED_MEMBERS = 6, N_RUN_MEMBERS = 10 };
extern const struct run_member run_members[N_RUN_MEMBERS];

/* The value of a member: one of the three, by its type. */
struct run_value {
    char *text; /* on the heap, or NULL */
    int64_t number;
    double real;
};

/* Its text is to be freed. */
struct run_value run_member_get(const struct run_member *member, const struct study_run *run);
/* -1 where the value does not fit. */
int run_member_set(struct study_run *run, const struct run_member *member, const struct run_value *value);

/* Write the members and the result of a run, or read them into it; its result is empty before. The caller disposes of
 * it, also after an error. */
void run_transport(struct transport *transport, struct study_run *run);

#endif
