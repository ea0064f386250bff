/* A machine: a SimGrid platform file, and what SimGrid has no word for, as <prop>s of its root zone.
 *
 * Hosts, links and routes come from SimGrid; the props are read with their line numbers, so that a wrong one is named.
 * All times are picoseconds. docs/platform-format.md lists the props. */
#ifndef SIM_MACHINE_MACHINE_H
#define SIM_MACHINE_MACHINE_H

#include "base/error.h"
#include "event/event.h"
#include "sim/machine/dsm_costs.h"
#include "sim/machine/profile.h"
#include "sim/topology/topology.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* One row of the message cost formula T(l, d) = start + byte*l + hop*d + byte_hop*l*d (Zemerly95, eq. 4),
 * valid up to max_bytes. The rows are in ascending order of max_bytes; the last one is INT64_MAX. */
struct message_cost {
    int64_t max_bytes;
    int64_t start_ps, byte_ps, hop_ps, byte_hop_ps;
};

#define MACHINE_MAX_MESSAGE_ROWS 4

/* A polynomial in the dimensions m, n, k of one call of a routine (Caron02, section 2), fitted for dimensions in
 * [from, to]. */
struct polynomial_term {
    double factor;   /* ps or bytes */
    uint8_t m, n, k; /* exponents */
};

#define POLYNOMIAL_MAX_TERMS 12

struct polynomial {
    int n_terms;
    struct polynomial_term terms[POLYNOMIAL_MAX_TERMS];
    int64_t from, to;
    double residual; /* mean relative deviation of the measurements from the polynomial */
};

/* What a kernel costs on one processor: either one iteration by component (Zemerly95, eqs. 1-2), or a polynomial. */
struct kernel_cost {
    char name[32];
    int64_t work_ps[N_WORK_COMPONENTS];
    struct polynomial polynomial; /* without terms: by component */
};

/* How much memory a call of a routine needs, in bytes. */
struct memory_need {
    char name[32];
    struct polynomial polynomial;
};

/* A wire in one direction, as SimGrid has it; used by machines without message cost formula. */
struct wire {
    int64_t latency_ps;
    double byte_ps;
};

/* The wires from one host to another, in order. */
struct route {
    int32_t from, to;
    int32_t hops;
    int32_t number;     /* of the routes asked for so far, from 0 on; that of a host to itself has none */
    int64_t latency_ps; /* sum over the wires */
    double byte_ps;     /* of the slowest wire */
    int32_t links[];
};

/* What somebody above remembers of a machine as long as it lives. */
struct machine_memo {
    void *data; /* NULL: nothing yet */
    void (*free)(void *data);
    bool refused; /* nothing may be remembered */
};

struct machine {
    char *name; /* the platform file's name without folder and ending */
    char *file;
    int n_hosts;
    int mesh_width, mesh_height; /* 0, 0 where the machine is not a mesh */
    int mesh_pitch;              /* host number of mesh node (x, y) = y * mesh_pitch + x */

    char *default_network; /* the network to simulate it with unless another is asked for; NULL if none is named */

    int n_message_rows; /* 0: a message takes the latency of its route and the time of its slowest wire */
    struct message_cost message[MACHINE_MAX_MESSAGE_ROWS];
    int64_t packet_bytes;                    /* a link serves a longer message packet by packet */
    int64_t control_bytes;                   /* length of a rendezvous' RTS and CTS */
    int64_t input_start_ps, input_byte_ps;   /* Zemerly95, eq. 5 */
    int64_t output_start_ps, output_byte_ps; /* eq. 6 */
    int64_t link_init_ps;                    /* for each link */

    /* What a message costs the processors at its ends, besides its time on the network. */
    int64_t send_start_ps, send_byte_ps;
    int64_t receive_start_ps, receive_byte_ps;
    int64_t eager_limit;  /* a longer standard send is a rendezvous */
    bool buffers_sends;   /* a standard send that is none is complete once it is handed to the network */
    int64_t memory_bytes; /* of a host; 0 if not given */

    struct dsm_costs dsm; /* of shared memory; dsm.page_bytes 0: the machine has none */

    bool free_latency, free_length; /* wires take no time that does not, or does, depend on a message's length */
    const struct wire *wires;       /* machine_link_count() of them, or one for all links; borrowed from routes */
    bool one_wire;

    int n_kernels;
    struct kernel_cost *kernels;
    int n_needs;
    struct memory_need *needs;

    struct machine_profiles *profiles; /* opaque */
    struct route_table *routes;        /* opaque: asked from SimGrid or computed once, then remembered */

    struct topology wiring; /* which host has a wire to which; spec NULL: not known but for a mesh, see placement.h */

    const struct topology *topology; /* of a machine made by machine_derive(), borrowed from routes; else NULL */
    bool borrows;                    /* kernels, needs and default_network are another machine's */
    struct topology_style style;     /* of a base machine, or a derived one: its hosts and wires */
    struct hop_trees *hop_trees;     /* opaque: see hop_tree.h */
    struct machine_memo trials;      /* see sim/kernel/autotune.h */
};

void machine_dispose(struct machine *machine);

/* The base machine with its hosts wired as the topology says; borrows from it. Routes are computed, and SimGrid is not
 * needed. The name is "t800-mesh as torus 16x8". */
void machine_derive(struct machine *machine, const struct machine *base, const struct topology *topology);

/* The route from one host to another, valid as long as the machine; NULL if there is none, which can be met on machines
 * too large for all their pairs to be tried when they are loaded. From a host to itself it has no hop. Links that stand
 * for no wire (FATPIPE) are left out. Link numbers are below machine_link_count(); both directions of a wire are links
 * of their own. */
const struct route *machine_route(struct machine *machine, int from_host, int to_host);

/* What the routes of a machine may take of this computer's memory. Beyond that a route that is new is NULL, too; then
 * this says of how many pairs of hosts there are routes, otherwise 0. */
#define MACHINE_ROUTES_MOST_BYTES (INT64_C(1) << 32)
int64_t machine_routes_full(const struct machine *machine);
/* Between two runs: forget the routes where they are many, so that each run has the same room for its own. */
void machine_forget_routes(struct machine *machine);
int machine_link_count(const struct machine *machine);

static inline const struct wire *machine_wire(const struct machine *machine, int link)
{
    return &machine->wires[machine->one_wire ? 0 : link];
}

/* A host's name; its speed in flop/s. On derived machines names are valid until the
 * next is asked for, and the name of a link is that of its nodes, n0-n1, switches counted behind hosts. */
const char *machine_host_name(const struct machine *machine, int host);
double machine_host_speed(const struct machine *machine, int host);
const char *machine_link_name(const struct machine *machine, int link);

/* How a host's availability, or a link's bandwidth or latency, changes with time; NULL: not at all. */
const struct profile *machine_host_profile(const struct machine *machine, int host);
const struct profile *machine_link_profile(const struct machine *machine, int link, enum profile_kind kind);
bool machine_has_profiles(const struct machine *machine); /* any at all */

/* Time of one message on a quiet network: eq. 4. `hops` may be 0 (two ranks of one host). */
int64_t machine_message_ps(const struct machine *machine, int64_t bytes, int hops);

/* The parts of machine_message_ps() = inject + hops * hop, and the time for which the message keeps each link busy:
 * its packets one after another, each for the hop time of a packet. None is more than PS_MAX. */
struct message_parts {
    int64_t inject_ps, hop_ps, link_busy_ps;
};
struct message_parts machine_message_parts(const struct machine *machine, int64_t bytes);

/* What a message takes without contention, and of that what an empty one would take. */
int64_t machine_alone_ps(const struct machine *machine, const struct route *route, int64_t bytes, int64_t *latency_ps);

/* What a machine can be rid of, to see what that gains. */
enum machine_cost {
    COST_LATENCY = 1,  /* what a message takes that has no length */
    COST_LENGTH = 2,   /* what its length adds: bandwidth is without bounds */
    COST_OVERHEAD = 4, /* what handing messages over and taking them in costs processors */
    COST_LINK_INIT = 8,
    COST_IO = 16,
    COST_PROTOCOL = 32,  /* what keeping memory coherent costs processors and controllers */
    COST_INTERRUPT = 64, /* of it, leaving the program for a handler */
};

/* A copy of the machine without these costs. It borrows all else: it is not disposed of and lives no longer. Where
 * there is a formula, a message that has no latency takes T(l, d) - T(0, d), one with free length T(0, d). */
struct machine machine_without(const struct machine *machine, unsigned costs);

/* The time of `times` calls of a kernel with the dimensions, and its components; 0 where a polynomial is negative. -1
 * if it exceeds the clock. */
int64_t machine_kernel_ps(const struct kernel_cost *cost, int64_t times, int m, int n, int k,
                          int64_t work_ps[N_WORK_COMPONENTS]);

/* The value for those dimensions, 0 where it is negative; whether it is, as a fitted polynomial may where it was not
 * fitted; and how many dimensions it has: those up to the last that it mentions. */
double polynomial_value(const struct polynomial *polynomial, int m, int n, int k);
bool polynomial_is_negative(const struct polynomial *polynomial, int m, int n, int k);
int polynomial_dimensions(const struct polynomial *polynomial);

/* What is known of a routine of that name; NULL if nothing is. */
const struct kernel_cost *machine_find_kernel(const struct machine *machine, const char *name);
const struct memory_need *machine_find_need(const struct machine *machine, const char *name);

/* Find the costs of `count` kernels by name. An unknown one is an error that lists the known. */
int machine_bind_kernels(const struct machine *machine, const char *const *names, int count, struct kernel_cost *costs,
                         struct sim_error *error);

#endif
