/* A machine: what things cost on it, and how its hosts are connected. It is read from a platform file (sim/platform),
 * or made of another one by machine_derive() or machine_copy(). Each is disposed of by machine_dispose(), in any
 * order.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_MACHINE_H
#define SIM_MACHINE_MACHINE_H

#include "base/error.h"
#include "sim/machine/cost_model.h"
#include "sim/machine/interconnect.h"
#include "sim/machine/kernels.h"
#include "sim/machine/profile/profile.h"

#include <stdint.h>

/* Data that a higher layer keeps with a machine as long as it lives. Zero: nothing yet. */
struct machine_memo {
    void *data;
    void (*free)(void *data);
};

/* How far times on a machine have been held against the real one. */
enum machine_basis {
    BASIS_UNKNOWN,      /* the platform does not say */
    BASIS_MEASURED,     /* times that were measured on it are among the references */
    BASIS_UNMEASURED,   /* it was built, and nothing that was measured on it is at hand */
    BASIS_HYPOTHETICAL, /* it never was built like that */
    N_BASES
};
extern const char *const machine_basis_names[N_BASES];

/* Facts for readers, which no time depends on; NULL and 0: not said. */
struct machine_about {
    char *what;  /* the hosts, their processors and wires */
    char *error; /* the mean error against the references, and over how many numbers */
    char *wires; /* the topology of the real machine, where its wires are those of a scenario */
    int year;
    enum machine_basis basis;
};

struct machine {
    char *name; /* the platform file's name without folder and extension */
    char *file;
    char *default_network; /* the network to simulate it with unless another is asked for; NULL if none is named */
    char *passed_over;     /* what of the file is not simulated, for a note; NULL: nothing */
    struct machine_about about;
    struct cost_model costs;   /* its own */
    struct routines *routines; /* shared with its copies, like all that is connected */
    struct interconnect *net;
    int links_per_host;     /* that the hardware of a host has; 0: unknown */
    int base_hosts;         /* made by machine_derive(): of the base machine; else 0 */
    int cores;              /* of a host; a rank has one of them, and shares it where there are more ranks */
    int hosts_per_computer; /* so many hosts in a row are processors of one computer and share its memory */
    const struct allocation *allocation; /* the hosts for ranks (sim/program/allocation.h), borrowed; NULL: all */
    struct machine_memo memo;            /* of this machine at its costs */
};

/* A machine of which nothing is known but its name and file, which are copied. */
void machine_init(struct machine *machine, const char *name, const char *file);
void machine_dispose(struct machine *machine);

/* The same machine once more, to be given other costs: nothing is remembered of it yet. */
void machine_copy(struct machine *copy, const struct machine *machine);

/* The base machine with its hosts wired as the topology says. Routes are computed. The name is
 * "t800-mesh as torus 16x8", and the machine is
 * hypothetical unless the real one has that topology. */
void machine_derive(struct machine *machine, const struct machine *base, const struct topology *topology);

/* The route from one host to another, valid as long as the machine; NULL if there is none, which can be met on machines
 * too large for all their pairs to be tried when they are loaded. From a host to itself it has no hop and takes no
 * time, but where the platform names no network: then it is SimGrid's. Links that stand for no wire (FATPIPE) are left
 * out, but for their latency and for what they let through. Link numbers are below machine_link_count(); both
 * directions of a wire are links of their own. */
const struct route *machine_route(struct machine *machine, int from_host, int to_host);

/* The same without links where a topology computes them, so that nothing is remembered: written into *room. */
const struct route *machine_way(struct machine *machine, int from_host, int to_host, struct route *room);

/* The most of this computer's memory that the routes of a machine may take. Beyond that a route that is new is NULL,
 * too; then machine_routes_full() says of how many pairs of hosts there are routes, otherwise 0. */
#define MACHINE_ROUTES_MOST_BYTES (INT64_C(1) << 32)
int64_t machine_routes_full(const struct machine *machine);
/* Between two runs: forget the routes where they are many, so that each run has the same room for its own. */
void machine_forget_routes(struct machine *machine);
int machine_link_count(const struct machine *machine);

static inline const struct wire *machine_wire(const struct machine *machine, int link)
{
    return &machine->net->wires[machine->net->one_wire ? 0 : link];
}

/* A host's name; its speed in flop/s. On derived machines names are valid until the
 * next is asked for, and the name of a link is that of its nodes, n0-n1, switches counted behind hosts. */
const char *machine_host_name(const struct machine *machine, int host);
double machine_host_speed(const struct machine *machine, int host);
const char *machine_link_name(const struct machine *machine, int link);
/* A link's bandwidth and latency as the platform has them. */
void machine_link_speed(const struct machine *machine, int link, double *bandwidth_Bps, double *latency_s);

/* How a host's availability, or a link's bandwidth or latency, changes with time; NULL: not at all. */
const struct profile *machine_host_profile(const struct machine *machine, int host);
const struct profile *machine_link_profile(const struct machine *machine, int link, enum profile_kind kind);
bool machine_has_profiles(const struct machine *machine); /* any at all */

/* The time of a message without contention, and of that the time of an empty one. */
int64_t machine_alone_ps(const struct machine *machine, const struct route *route, int64_t bytes, bool exchanges,
                         int64_t *latency_ps);

/* The facts that are known of a routine of that name; NULL if there are none. */
const struct kernel_cost *machine_find_kernel(const struct machine *machine, const char *name);
const struct memory_need *machine_find_need(const struct machine *machine, const char *name);

/* Find the costs of `count` kernels by name, where so many ranks share a memory (placement_sharers()). An unknown one
 * is an error that lists the known. */
int machine_bind_kernels(const struct machine *machine, const char *const *names, int count, int sharers,
                         struct kernel_cost *costs, struct sim_error *error);

#endif
