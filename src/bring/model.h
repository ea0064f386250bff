/* The costs of messages on a machine, out of what benchmarks measured there. docs/howto/import-measurements.md has the
 * equations and what is assumed.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BRING_MODEL_H
#define BRING_MODEL_H

#include "bring/limit.h"
#include "bring/rows.h"
#include "bring/series.h"

#include <stdbool.h>

/* Messages between two places: hosts, or ranks of one host. */
struct message_model {
    const struct series *latency; /* that they are from; NULL: there are no such messages */
    const struct series *stream;  /* windows one way or, for want of these, both ways; NULL: none */
    struct limit limit;
    struct end_rows rows;
};

/* Facts that no table has. */
struct model_facts {
    int64_t eager_limit;   /* -1: to be found */
    double wire_Bps;       /* of a host's wire, 0: not known */
    double wire_latency_s; /* of a wire */
};

struct model {
    struct message_model between;
    struct message_model local; /* of no value if it is assumed */
    bool local_is_assumed;
    const struct series *pairs, *both, *exchange; /* sources of the node's rate and of exchanges; NULL: none */
    int wires;                                    /* that the messages of `between` cross */
    double wire_latency_s;
    double core_Bps, node_Bps; /* the rate of one core's messages, and of all of a host */
    bool node_is_measured;
    double node_gap_s; /* between two messages of a host, besides their length on its wire; 0: its ranks set no bound */
    const struct series *gap;    /* its source */
    double memory_Bps;           /* of all messages within a host together; 0: its pairs set no bound */
    const struct series *memory; /* its source */
    double both_ways;            /* how much longer messages take while others come the other way; 1: no longer */
    struct end_rows exchanges;
    bool has_exchanges; /* they take at least 5 % longer than messages one way */
};

/* Fit a model. Series that are used are marked. An error if there is no latency between hosts, or at fewer than four
 * lengths. */
int bring_fit(struct model *model, const struct series_list *list, const struct model_facts *facts,
              struct sim_error *error);

#endif
