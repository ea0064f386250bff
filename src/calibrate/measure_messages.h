/* The times of real messages between two processes of this computer. MPI must be initialised, with two processes. */
#ifndef CALIBRATE_MEASURE_MESSAGES_H
#define CALIBRATE_MEASURE_MESSAGES_H

#include "calibrate/message_fit.h"

#define MESSAGES_MAX_SAMPLES 64
#define MESSAGES_LONGEST (INT64_C(4) << 20)

struct messages {
    struct message_sample samples[MESSAGES_MAX_SAMPLES];
    int n_samples;
    struct message_facts facts;
};

/* Both processes call it; the result is that of rank 0. `progress` is called by rank 0 with the share done. */
void measure_messages(struct messages *messages, void (*progress)(const char *what, double share));

#endif
