/* A platform that was made, tried: benchmarks are simulated on it, and held against what they measured.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BRING_TRIAL_H
#define BRING_TRIAL_H

#include "bring/platform.h"

#include <stdbool.h>

struct trial_row {
    int64_t bytes;
    double measured_s, simulated_s;
    double error; /* of the simulated, as a share of the measured */
};

struct trial {
    const struct series *series;
    struct trial_row *rows;
    int count;
    double mean_error; /* of the amounts */
    double worst_error;
    int64_t worst_bytes;
    char *why; /* it was not simulated; NULL: it was */
};

#define TRIAL_MESSAGES 3e8 /* of all runs together: some minutes */

/* The machine on which benchmarks are tried. */
struct test_bed {
    const struct made_platform *platform;
    int wires;            /* between the hosts of a latency */
    double messages_left; /* that may still be simulated, TRIAL_MESSAGES at first */
};

/* Simulate a series length by length; one that would take too many messages is left out, which trial->why says. An
 * error is one of the platform. */
int trial_run(struct trial *trial, struct test_bed *bed, const struct series *series, struct sim_error *error);
void trial_dispose(struct trial *trial);

#endif
