/* A simulation: a program on a machine, made of the values of parameters, and run as often as one likes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_SIMULATION_H
#define CORE_SIMULATION_H

#include "base/error.h"
#include "core/settings.h"
#include "interval/interval.h"
#include "metrics/result.h"
#include "sim/kernel/autotune.h"
#include "sim/kernel/kernel.h"
#include "sim/program/placement.h"

#include <stdbool.h>
#include <stdint.h>

struct simulation {
    struct machine *machine; /* borrowed */
    const struct network_spec *network;
    struct placement placement;
    struct program program;
    uint32_t details; /* what is asked for beside the usual, metrics/detail.h; 0 at first */
    int64_t n_runs;   /* that share what may be kept of details; 0, as at first: it is alone */
};

/* The network that the value of COMMON_NETWORK means on a machine; for auto the machine's own. One that names none
 * shares its wires (fluid), or is quiet where it has a formula for its messages. */
int simulation_network(const struct network_spec **network, const struct machine *machine, int64_t value,
                       struct sim_error *error);

/* Put together what is to be simulated: `machine` and `network` are the simulation's for as long as it lives, `input`
 * is that of an application which a file describes, or NULL. is_sequential: the same problem on one rank. -1, and
 * nothing to be disposed of, if the values do not go together, or are more than can be simulated; the message begins
 * with "parameter 'NAME': " where it is one that is wrong. */
int simulation_init(struct simulation *simulation, struct machine *machine, const struct network_spec *network,
                    const struct app_spec *app, const struct program_input *input, const int64_t *values,
                    bool is_sequential, struct sim_error *error);
void simulation_dispose(struct simulation *simulation);

/* The run to be handed to the engine, without sinks. */
struct kernel_run simulation_kernel_run(const struct simulation *simulation);

/* The facts that consumers of the intervals have to know beforehand. */
struct interval_setup simulation_events(const struct simulation *simulation);

/* Run it without looking at it: how long does it take? See kernel_run(). */
int simulation_time(int64_t *end_ps, const struct simulation *simulation, struct sim_error *error);

/* T_seq: the same of the problem on one rank; errors say that they are of that. The application can run on one. */
int simulation_sequential_time(int64_t *end_ps, struct machine *machine, const struct network_spec *network,
                               const struct app_spec *app, const int64_t *values, struct sim_error *error);

/* Run it and add what all metrics say of it to an initialized result. sequential_ps as in struct metrics_totals;
 * `observer` gets all intervals, too, or is NULL. */
int simulation_measure(struct result *result, struct kernel_stats *stats, const struct simulation *simulation,
                       int64_t sequential_ps, const struct interval_sink *observer, struct sim_error *error);

/* Add the table "algorithms": those by which the collectives of a replay were done, if there were any. */
void simulation_add_algorithms(struct result *result, const struct algorithms *algorithms);

/* Add the table "fastest": what the algorithm of that name stood for. */
void simulation_add_fastest(struct result *result, const struct autotune *autotune);

#endif
