/* How a program's shared memory is kept up.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PROGRAM_DSM_OPTIONS_H
#define SIM_PROGRAM_DSM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* The parts that can be left out of the protocol, to show that the check notices. */
enum dsm_fault { DSM_FAULT_NONE, DSM_FAULT_NOTICE, DSM_FAULT_DIFF, DSM_FAULT_ORDER, N_DSM_FAULTS };

/* Which pages prefetching asks for at a synchronization: those that it has invalidated and that were in use, or those
 * that were accessed after it before. */
enum dsm_prefetch_policy { DSM_PREFETCH_INVALIDATED, DSM_PREFETCH_HISTORY };

struct dsm_options {
    int64_t shared_bytes; /* addresses are below this */
    int n_locks, n_counters;
    bool controller;     /* I: protocol controllers do the basic operations */
    bool hardware_diffs; /* D: their snoop logic notes what is written */
    bool prefetch;       /* P: pages are brought up to date at a synchronization, before they are accessed */
    enum dsm_prefetch_policy policy;
    int64_t collect_at_bytes; /* at a barrier, more than this of intervals and diffs is collected as garbage */
    bool check;               /* prove of every read that it sees the last write that happens before it */
    enum dsm_fault fault;     /* for tests */
};

/* The rows by which an application lets its user choose the variant, and the options made of their values. */
#define DSM_PARAMS                                                                                                     \
    {"variant", PARAM_CHOICE, "treadmarks", .choices = dsm_variant_names,                                              \
     .summary =                                                                                                        \
         "treadmarks: all work on the main processors; I: basic operations on controllers, D: hardware diffs, P: "     \
         "prefetching"},                                                                                               \
        {"collect_at",                                                                                                 \
         PARAM_SIZE,                                                                                                   \
         "4MiB",                                                                                                       \
         .min = 1,                                                                                                     \
         .max = INT64_C(1) << 40,                                                                                      \
         .summary = "consistency data per node above which it is garbage-collected at the next barrier"},              \
        {"check", PARAM_CHOICE, "no", .choices = dsm_check_names,                                                      \
         .summary = "prove that every read sees the last write before it"},                                            \
    {                                                                                                                  \
        "prefetch", PARAM_CHOICE, "invalidated", .choices = dsm_prefetch_names,                                        \
                                                 .summary = "what P requests at a synchronization: pages in use that " \
                                                            "it invalidates, or what history says will be accessed"    \
    }
enum { N_DSM_PARAMS = 4 };
extern const char *const dsm_variant_names[];  /* treadmarks I I+D P I+P I+P+D, NULL-terminated */
extern const char *const dsm_check_names[];    /* no yes, NULL-terminated */
extern const char *const dsm_prefetch_names[]; /* of enum dsm_prefetch_policy, NULL-terminated */

/* `values` points to the first of the rows. */
struct dsm_options dsm_options(const int64_t *values, int64_t shared_bytes, int n_locks, int n_counters);

#endif
