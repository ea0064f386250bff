/* Declarations that the files of FAST share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_FAST_INTERNAL_H
#define CORE_FAST_INTERNAL_H

#include "core/fast.h"
#include "sim/machine/machine.h"
#include "sim/machine/predict.h"

struct host_name {
    const char *name;
    int host;
};

struct fast {
    struct machine *machine; /* borrowed */
    struct fast_sensor sensor;
    double at_s;
    char **hosts;             /* the name of each */
    struct host_name *sorted; /* the same in their order */
};

int find_fast_host(int *host, const struct fast *fast, const char *name, struct sim_error *error);

/* The value of a resource, by numbers of hosts; `to` does not count for an availability. */
int sense_resource(struct fast_value *value, struct fast *fast, enum fast_resource resource, int from, int to,
                   struct sim_error *error);

/* The choice between the best latency and bandwidth, and those that are expected. */
enum fast_load { FAST_AT_BEST, FAST_AS_EXPECTED };
struct network_state network_state_of(const struct fast_value *latency, const struct fast_value *bandwidth,
                                      enum fast_load load);

/* The route between two hosts; NULL with the error. */
const struct route *find_fast_route(struct fast *fast, int from, int to, struct sim_error *error);

/* Check that a message is short enough to be priced; -1 with SIM_BAD_INPUT where it is not. */
int check_fits(const struct fast *fast, const struct route *route, double bytes, struct sim_error *error);

/* The parameters of a message in LogP; `processes` is left 0. */
struct fast_logp logp_of_message(const struct fast *fast, const struct route *route, double bytes,
                                 struct network_state state);

/* A parallel routine, and the parameters of its application that are its dimensions. */
struct parallel_routine {
    const char *name;
    int n_dimensions;
    const char *dimensions[3];
};
extern const struct parallel_routine parallel_routines[];               /* the last has no name */
const struct parallel_routine *find_parallel_routine(const char *name); /* NULL: it is none */

/* How many dimensions a call has; an error where one is out of range, or there are others than the n of the routine.
 * The words say which these are. */
int count_dimensions(const struct fast_call *call);
int refuse_dimensions(const struct fast_call *call, const char *words, struct sim_error *error);
int check_range(const struct fast_call *call, struct sim_error *error);

#endif
