/* The eager limit: the length behind which a message waits for its receiver, as a step of its time shows it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BRING_LIMIT_H
#define BRING_LIMIT_H

#include "bring/series.h"

enum limit_source {
    LIMIT_NONE,      /* there is no step */
    LIMIT_LATENCY,   /* half a round trip has one */
    LIMIT_BANDWIDTH, /* the rate of a window has one */
    LIMIT_TOLD       /* by the user */
};

struct limit {
    enum limit_source source;
    int64_t bytes;            /* the longest measured length before the step, or what the user says; 0 of LIMIT_NONE */
    double step, second_step; /* the greatest and the next greatest: of a latency as shares of the shortest, of a
                               * rate as shares of that before the step */
};

/* Find it, between 256 B and 1 MiB. A step of the latency is what a message takes more than the steeper of the straight
 * lines before and behind it. It counts from half of the shortest latency on, since a rendezvous takes two more
 * messages on their way. Without one, a step of the rate counts from a tenth on. stream may be NULL. */
struct limit limit_find(const struct series *latency, const struct series *stream);

/* The first point beyond it; 0: there is no limit, or no point on one side of it. */
int limit_point(const struct limit *limit, const struct series *latency);

#endif
