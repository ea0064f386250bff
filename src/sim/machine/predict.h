/* The answers of FAST, the forecasting tool of Caron02, for a machine: what a routine takes of a host, what a message
 * takes between two, at best and as NWS would expect it at a given time.
 *
 * A kernel's cost is the same on all hosts, as it is in a simulation.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_PREDICT_H
#define SIM_MACHINE_PREDICT_H

#include "sim/machine/machine.h"

#include <stdbool.h>
#include <stdint.h>

struct predicted_value {
    double best;                  /* without load: as the platform has it at time 0 */
    double expected;              /* the forecast; the best where there is no profile */
    int n_profiles;               /* that it goes by */
    struct prediction prediction; /* of the profile that decides: the slowest wire's, or that with the largest error */
    double error;                 /* mean absolute error of the forecast; over several profiles their sum */
};

/* The share of a host's speed that a computation gets. */
struct predicted_value predict_availability(const struct machine *machine, int host, double at_s);

/* fast_comp_time_best: seconds of one call with those dimensions, or of `m` iterations of a kernel that costs by
 * component or by iterations, on a host without load, also where the clock does not reach. With availability a, 1/a
 * times as much is expected. NAN where the law of a table has no time for it. */
double predict_time_best(const struct kernel_cost *cost, int m, int n, int k);

/* predict_latency, predict_bandwidth: of the wires between two hosts, in s and B/s; of a machine with a message cost
 * formula, the formula's for that many hops and its last row, without profiles. Bandwidth may be infinite. */
struct predicted_value predict_latency(const struct machine *machine, const struct route *route, double at_s);
struct predicted_value predict_bandwidth(const struct machine *machine, const struct route *route, double at_s);

/* The network as it was measured: in s and B/s, which may be infinite. */
struct network_state {
    double latency_s, bandwidth_Bps;
};

/* The longest message that is predicted, an exbibyte. */
#define PREDICT_MOST_BYTES (INT64_C(1) << 60)

/* True if each part of a message's cost is within the clock's range (PS_MAX, 26.7 days): the costs of a machine are no
 * longer than that, whatever the message is. */
bool predict_message_fits(const struct machine *machine, const struct route *route, double bytes);

/* Seconds from the beginning of a standard send to the end of its receive, which waits for it: latency + bytes /
 * bandwidth, with overheads, and beyond the eager limit with RTS and CTS. On a machine with a message cost formula that
 * counts, and the state does not. */
double predict_message_s(const struct machine *machine, const struct route *route, double bytes,
                         struct network_state state);

/* The parameters of LogP (Culler96) but for P, for messages of that length, and G as LogGP has it for long ones
 * (Alexandrov95): o is the mean of the overheads at both ends, L what an empty message takes on the wires, with RTS and
 * CTS of one beyond the eager limit, G the time of a byte behind the first, and g = max(o, G bytes). */
struct logp {
    double latency_s, overhead_s, gap_s, gap_byte_s; /* L, o, g, G */
};
struct logp predict_logp(const struct machine *machine, const struct route *route, double bytes,
                         struct network_state state);

#endif
