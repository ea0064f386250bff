/* The costs of messages, input and output, and shared memory on a machine: a plain value without pointers. A copy is
 * another cost model, which may be changed as one likes.
 *
 * All times are picoseconds. docs/ref/platform-format.md lists the props from which they come.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_COST_MODEL_H
#define SIM_MACHINE_COST_MODEL_H

#include "sim/machine/dsm_costs.h"

#include <stdbool.h>
#include <stdint.h>

/* One row of the message cost formula T(l, d) = start + byte*l + hop*d + byte_hop*l*d (Zemerly95, eq. 4),
 * valid up to max_bytes. The rows are in ascending order of max_bytes; the last one is INT64_MAX. A row may also say
 * what such messages cost the processors at their ends, besides what all do. */
struct message_cost {
    int64_t max_bytes;
    int64_t start_ps, byte_ps, hop_ps, byte_hop_ps;
    int64_t send_ps, send_byte_ps, receive_ps, receive_byte_ps;
};

#define MACHINE_MAX_ROWS 24

/* The one who chooses the algorithms of collectives for which the program says `auto`. Unsaid is plain, but in a replay
 * as the library of the trace. */
enum collectives { COLLECTIVES_UNSAID, COLLECTIVES_PLAIN, COLLECTIVES_OPENMPI };

struct cost_rows {
    int count; /* 0: not given */
    struct message_cost row[MACHINE_MAX_ROWS];
};

struct cost_model {
    struct cost_rows message;  /* without, a message takes the latency of its route and the time of its slowest wire */
    struct cost_rows local;    /* between ranks of one host, d = 0; without, they are as the others */
    struct cost_rows endpoint; /* without `message`: what one between hosts takes at its ends, besides its wires */
    struct cost_rows
        exchange; /* on the way while its sender receives, too: start and byte for those of `message` or `endpoint` */
    /* Costs of a processor: start and byte alone. */
    struct cost_rows combine;           /* a vector that comes with one's own; nothing of an empty one */
    struct cost_rows copy;              /* the rank's own block, in a collective whose result has it */
    int64_t broadcast_ps, allreduce_ps; /* of a processor: calling them, besides their messages */
    enum collectives collectives;
    int64_t packet_bytes;                    /* a link serves a longer message packet by packet */
    int64_t window_bytes;                    /* of a message are under way at most */
    int64_t refill_ps;                       /* what every refill takes besides, where the rows are without latency */
    int64_t control_bytes;                   /* length of a rendezvous' RTS and CTS */
    int64_t input_start_ps, input_byte_ps;   /* Zemerly95, eq. 5 */
    int64_t output_start_ps, output_byte_ps; /* eq. 6 */
    int64_t link_init_ps;                    /* for each link */

    /* On wires a message is a datagram, cut into frames. Without a formula alone; payload 0: as it is. */
    int64_t frame_payload_bytes, frame_least_bytes, frame_header_bytes, datagram_bytes; /* least: of a payload */

    /* The costs of a message for the processors at its ends, besides its time on the network. */
    int64_t send_start_ps, send_byte_ps, send_frame_ps;
    int64_t receive_start_ps, receive_byte_ps, receive_frame_ps;
    int64_t eager_limit;       /* a longer standard send is a rendezvous */
    int64_t local_eager_limit; /* the same within a host */
    bool buffers_sends;        /* a standard send that is none is complete once it is handed to the network */
    int64_t gap_ps;            /* on loggp: between two messages on a host's own wire, besides their length */
    int64_t node_gap_ps;       /* between two messages of a host's ranks to others, and between two that come */
    int64_t local_Bps;         /* of all messages within a host together; 0: there is no bound */
    int64_t memory_bytes;      /* of a host; 0 if not given */

    struct dsm_costs dsm; /* of shared memory; dsm.page_bytes 0: the machine has none */

    bool free_latency, free_length; /* wires take no time that does not, or does, depend on a message's length */
};

/* The parts of cost_model_message_ps() = inject + hops * hop + (hops - 1) * refill, and the time for which the message
 * keeps each link busy: its packets one after another, each for the hop time of a packet. Times above PS_MAX are
 * PS_TOO_LONG.
 *
 * refill: each window but the first begins when the one before has arrived. Its first packet crosses all links again;
 * the first of them is in inject already. */
struct message_parts {
    int64_t inject_ps, hop_ps, refill_ps, link_busy_ps;
};
struct message_parts cost_model_message_parts(const struct cost_model *costs, int64_t bytes, int hops, bool exchanges);

/* The time of a message between hosts at its ends, besides its wires and processors, where there is no formula. */
int64_t cost_model_endpoint_ps(const struct cost_model *costs, int64_t bytes, bool exchanges);

/* True if messages over so many links have a formula; without one, routes and wires say what they take. */
static inline bool cost_model_has_formula(const struct cost_model *costs, int hops)
{
    return costs->message.count > 0 || (hops == 0 && costs->local.count > 0);
}

/* The time by which the tail is behind the head where the message has come over so many links. */
int64_t cost_model_tail_ps(const struct message_parts *parts, int hops);

/* Time of one message on a quiet network, where there is a formula: eq. 4 up to one window or one hop. `hops` may be 0
 * (two ranks of one host). `exchanges`: its sender receives at the same time. */
int64_t cost_model_message_ps(const struct cost_model *costs, int64_t bytes, int hops, bool exchanges);

/* The bytes that wires carry for a message of `bytes`: it, and the headers of its datagram and of each frame. */
int64_t cost_model_wire_bytes(const struct cost_model *costs, int64_t bytes);

/* The processor's time for sending and for receiving it; within a host, or between two. */
int64_t cost_model_send_ps(const struct cost_model *costs, int64_t bytes, bool local);
int64_t cost_model_receive_ps(const struct cost_model *costs, int64_t bytes, bool local);
/* The time for combining a vector that came with one's own, and for copying a block. */
int64_t cost_model_combine_ps(const struct cost_model *costs, int64_t bytes);
int64_t cost_model_copy_ps(const struct cost_model *costs, int64_t bytes);

/* The costs that a machine can be rid of, to see what that gains. */
enum machine_cost {
    COST_LATENCY = 1,  /* what a message takes that has no length */
    COST_LENGTH = 2,   /* what its length adds: bandwidth is without bounds */
    COST_OVERHEAD = 4, /* what handing messages over and taking them in costs processors */
    COST_LINK_INIT = 8,
    COST_IO = 16,
    COST_PROTOCOL = 32,  /* what keeping memory coherent costs processors and controllers */
    COST_INTERRUPT = 64, /* of it, leaving the program for a handler */
};

/* The model without these costs. Where there is a formula, a message that has no latency takes T(l, d) - T(0, d), one
 * with free length T(0, d). */
struct cost_model cost_model_without(const struct cost_model *costs, unsigned without);

#endif
