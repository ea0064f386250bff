/* Profiles: how a host's availability, or a link's bandwidth or latency, changes with time, as SimGrid's profile files
 * and <trace> elements say it. Lines "TIME VALUE" in seconds, in order of time; PERIODICITY SECONDS or LOOPAFTER
 * SECONDS makes the list begin anew. In a STOCHASTIC profile delays and values are drawn, from a fixed
 * seed. docs/ref/profiles.md has the details.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_PROFILE_H
#define SIM_MACHINE_PROFILE_H

#include "base/error.h"
#include "sim/machine/profile/predictor.h"

#include <stddef.h>

enum profile_kind { PROFILE_SPEED, PROFILE_BANDWIDTH, PROFILE_LATENCY, N_PROFILE_KINDS };

/* How often NWS would have measured, and how many of its last measurements a forecast goes by: those of a day. */
#define PROFILE_PERIOD_S 10
#define PROFILE_MEASUREMENTS 8640

struct profile_point {
    double time_s, value;
};

struct profile {
    enum profile_kind kind;
    struct profile_point *points; /* in order of time */
    size_t n_points;
    double period_s; /* 0: once */
};

/* Read the lines of `text`, which is changed. `line` is where it begins in the file, for messages; `period_s` what a
 * <trace> has as periodicity, else 0. Values: of a speed from 0, of a bandwidth bytes per second above 0, of a latency
 * seconds. */
int profile_parse(struct profile *profile, enum profile_kind kind, char *text, const char *file, long line,
                  double period_s, struct sim_error *error);
void profile_dispose(struct profile *profile);

/* The value at a time; `before` is that before the first point. */
double profile_value(const struct profile *profile, double time_s, double before);

/* The forecast that NWS would make at that time: from measurements every PROFILE_PERIOD_S, from 0 on, up to it, the
 * last PROFILE_MEASUREMENTS of them. */
struct prediction profile_forecast(const struct profile *profile, double time_s, double before);

#endif
