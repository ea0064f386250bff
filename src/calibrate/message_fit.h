/* The costs of messages, fitted to the times of a ping-pong.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_MESSAGE_FIT_H
#define CALIBRATE_MESSAGE_FIT_H

#include "base/error.h"

#include <stdint.h>

struct message_sample {
    int64_t bytes;
    double half_s;      /* half of a round trip */
    double copy_s;      /* from one's own memory to one's own */
    double exchange_s;  /* such a copy, then both send and receive: MPI_Sendrecv */
    double sum_s;       /* a copy of twice the length, and a sum */
    double combine_s;   /* a copy of twice the length, and two exchanges with a sum between them */
    double broadcast_s; /* half of a broadcast and an answer; 0: not measured at this length */
    double allreduce_s; /* 0: not measured */
    double send_s,
        receive_s; /* of the processor: a send that is not waited for, a receive of an arrived message; 0: unknown */
};

/* Facts known besides the ping-pong. */
struct message_facts {
    double send_s, receive_s; /* of the processor, for a short message; 0 if not known */
    int64_t eager_limit;      /* a longer message is a rendezvous */
};

struct message_fit {
    double latency_s; /* from processor to processor */
    double rate_Bps;
    double send_s, receive_s; /* 0 if they cannot be told from the latency */
    int64_t eager_limit;
    double control_bytes; /* length of a rendezvous' RTS and of its CTS that accounts for its time */
    double residual;      /* mean relative deviation of the samples */
    int n_samples;
};

/* The simulator's model: half = send + receive + latency + bytes / rate; a rendezvous takes three latencies, and the
 * time of two control messages besides its own bytes. Relative deviations are what is squared. An error if no positive
 * latency and rate come out. */
int message_fit(struct message_fit *fit, const struct message_sample *samples, int n_samples,
                const struct message_facts *facts, struct sim_error *error);

double message_fit_predict(const struct message_fit *fit, int64_t bytes);

/* Between which two of the samples, which are in ascending order, the time jumps as it does where rendezvous begin: the
 * index of the first of them, or -1 if there is no jump. */
int message_find_jump(const struct message_sample *samples, int n_samples);

#endif
