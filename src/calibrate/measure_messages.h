/* The times of real messages between two processes of this computer. MPI must be initialized, with two processes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_MEASURE_MESSAGES_H
#define CALIBRATE_MEASURE_MESSAGES_H

#include "calibrate/message_fit.h"

#include <mpi.h>
#include <stdbool.h>

#define MESSAGES_MAX_SAMPLES 64
#define MESSAGES_LONGEST (INT64_C(4) << 20)

struct messages {
    struct message_sample samples[MESSAGES_MAX_SAMPLES];
    int n_samples;
    struct message_facts facts;
    bool sees_limit;     /* the eager limit was seen in the times; else it is Open MPI's documented default */
    bool buffers_sends;  /* a send below the limit returned before its receiver looked for messages */
    int64_t tried_bytes; /* by a send of this length */
};

/* Both processes of `comm` call it; the result is that of rank 0, which calls `progress` with the share done. */
void measure_messages(struct messages *messages, MPI_Comm comm, void (*progress)(const char *what, double share));

#endif
