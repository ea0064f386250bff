/* The words that tables have for what is no state, wait or operation of an interval: enumerations and their names.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_WORDS_H
#define METRICS_WORDS_H

#include "base/subject.h"
#include "interval/interval.h"

/* The component of a segment of the critical path: bottleneck.c's groups, and COMPONENT_UNRECORDED for time that was
 * not recorded. */
enum path_component {
    COMPONENT_PROCESSING,
    COMPONENT_MEMORY,
    COMPONENT_COMMUNICATION,
    COMPONENT_LIBRARY,
    COMPONENT_OFF,
    COMPONENT_IO,
    COMPONENT_UNRECORDED,
    N_PATH_COMPONENTS
};
extern const char *const path_component_names[N_PATH_COMPONENTS];

/* The parts of a run's time along the critical path, as finely as its causes can be removed. */
enum path_part {
    PART_CPU, /* useful computation; in the order of enum work_component */
    PART_FPU,
    PART_EXTERNAL,
    PART_INTERNAL,
    PART_CONTROL_CPU, /* computation with the role control */
    PART_CONTROL_FPU,
    PART_CONTROL_EXTERNAL,
    PART_CONTROL_INTERNAL,
    PART_INPUT,
    PART_OUTPUT,
    PART_LINK_INIT,
    PART_LIBRARY,  /* calls of the library that move no message, in replays */
    PART_STARTUP,  /* its beginning and end */
    PART_OFF,      /* sleep, in replays */
    PART_OVERHEAD, /* processor time for sending and receiving messages */
    PART_LATENCY,  /* enum message_part */
    PART_LENGTH,
    PART_CONTENTION,
    PART_PROTOCOL, /* shared memory: what main processors do to keep it coherent */
    PART_ANSWER,   /* and from the departure of what a wait ended with to the wait's end */
    N_PATH_PARTS
};

/* Names for JSON: computation.cpu ... */
extern const char *const path_part_names[N_PATH_PARTS];
/* Why others wait for a rank that is in a call which moves nothing: files, and the library itself. */
enum busy_with { BUSY_READING, BUSY_WRITING, BUSY_IN_LIBRARY, N_BUSY };

/* WAIT_PROCESSOR ... WAIT_OFF: without a processor. */
enum { N_WAITS_OFF = WAIT_OFF - WAIT_PROCESSOR + 1 };

/* The parts of a request for shared memory (Pereira98, table 1). */
enum request_part { CPLWAIT, CPLCOMP, CPCCOMM, CPRWAIT, CPRCOMP, PPRWAIT, PPRCOMP, PPLWAIT, N_REQUEST_PARTS };

/* By category: what the late side did; CATEGORY_NONE: "answer". */
extern const char *const waited_for_names[N_CATEGORIES];

/* The kind of the rows and columns of the communication matrix. */
enum place_kind { PLACE_RANK, PLACE_HOST, N_PLACE_KINDS };
extern const char *const place_kind_names[N_PLACE_KINDS];

enum node_kind { NODE_HOST, NODE_SWITCH, N_NODE_KINDS };
extern const char *const node_kind_names[N_NODE_KINDS];

/* The causes that a run can be without, as --what-if names them. */
enum without {
    WITHOUT_LATENCY,
    WITHOUT_BANDWIDTH,
    WITHOUT_CONTENTION,
    WITHOUT_OVERHEAD,
    WITHOUT_NETWORK,
    WITHOUT_IMBALANCE,
    WITHOUT_CONTROL,
    WITHOUT_LINK_INIT,
    WITHOUT_IO,
    WITHOUT_PROCESSING,
    WITHOUT_MEMORY,
    WITHOUT_COMPUTATION,
    WITHOUT_PROTOCOL,
    WITHOUT_INTERRUPTS,
    N_CAUSES,
    WITHOUT_NOTHING = N_CAUSES
};
extern const char *const without_names[N_CAUSES + 1];

/* The outcome for a cause that a run was to be without, and what tables say of it. */
enum removal { REMOVAL_DONE, REMOVAL_NEEDS_MESSAGES, REMOVAL_NEEDS_SHARED_MEMORY, REMOVAL_UNFINISHED, N_REMOVALS };
extern const char *const removal_names[N_REMOVALS];

#endif
