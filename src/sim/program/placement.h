/* Which rank sits on which host.
 *
 * On a mesh the ranks fill a near-square sub-mesh of width x height nodes row by row, all in one direction (row-major)
 * or alternately there and back (snake: neighboring ranks sit on neighboring nodes). Elsewhere they take the hosts
 * in order. With several ranks to a host, consecutive ranks share one. The parameter `placement` asks for another
 * order, and an allocation (allocation.h) for other hosts.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PROGRAM_PLACEMENT_H
#define SIM_PROGRAM_PLACEMENT_H

#include "base/error.h"
#include "sim/machine/machine.h"

#include <stdbool.h>
#include <stdint.h>

enum layout { LAYOUT_SNAKE, LAYOUT_ROW_MAJOR };
/* The order in which ranks are put on hosts. The value of a parameter packs it with a number: the ranks of a plane, or
 * a seed. */
enum placement_order {
    ORDER_AUTO,   /* that of a rankfile; else a block */
    ORDER_BLOCK,  /* as many as there is room for on one host after the other */
    ORDER_CYCLIC, /* one on each host by turns */
    ORDER_PLANE,  /* so many on each host by turns */
    ORDER_RANDOM, /* a block, shuffled */
    N_PLACEMENT_ORDERS
};
#define PLACEMENT_PACK(order, number) ((int64_t)(number) << 8 | (int64_t)(order))
#define PLACEMENT_ORDER(value) ((enum placement_order)((value)&255))
#define PLACEMENT_NUMBER(value) ((int)((value) >> 8))

enum root_place { ROOT_EDGE, ROOT_CORNER, ROOT_CENTRE };

extern const char *const layout_names[];     /* snake row-major, NULL-terminated */
extern const char *const root_place_names[]; /* edge corner centre, NULL-terminated */

struct placement {
    int n_ranks;
    int ranks_per_host;
    int n_slots;       /* hosts in use */
    int width, height; /* of the sub-mesh; height 0 where the machine is not a mesh */
    int pitch;
    int64_t n_wires; /* without those of unused hosts, if the wiring is known, or `hosts` are on a mesh; else 0 */
    enum layout layout;
    const struct machine *machine; /* borrowed: it has the hosts */
    int *hosts;        /* of each rank, if they are not in order; else NULL. ranks_per_host is the most of them then */
    int *seats;        /* likewise: which of the ranks on its host each is */
    uint64_t identity; /* a hash of `hosts`; 0 without */
    int root; /* the rank that does I/O: on the middle of the sub-mesh's first row, its corner, or its center */
};

struct placement_request {
    int n_ranks, ranks_per_host;
    int width, height; /* 0, 0: choose near-square */
    enum layout layout;
    enum root_place root;
    int64_t order; /* PLACEMENT_PACK() */
};

/* Too many ranks, or a mesh that does not fit, is an error that says how many hosts there are. */
int placement_init(struct placement *placement, const struct placement_request *request, const struct machine *machine,
                   struct sim_error *error);
void placement_dispose(struct placement *placement);

/* True if two put the same ranks on the same hosts. */
bool placement_same(const struct placement *placement, const struct placement *other);

/* The time for which a message occupies the first wire of a host, in ps: that of host 0 in a topology, the first link
 * of a platform as it is. 0 where there is none. */
double placement_wire_ps(const struct placement *placement, int64_t bytes);

/* The most ranks that share a memory: those of a host, or of a computer of several hosts. */
int placement_sharers(const struct placement *placement, const struct machine *machine);

int placement_host(const struct placement *placement, int rank);
/* Which of the ranks on its host the rank is, from 0. */
static inline int placement_seat(const struct placement *placement, int rank)
{
    return placement->seats != NULL ? placement->seats[rank] : rank % placement->ranks_per_host;
}
/* Mesh node of a slot (slot = rank / ranks_per_host), and back; slot_at() is -1 where no rank sits. */
void placement_node(const struct placement *placement, int slot, int *x, int *y);
int placement_slot_at(const struct placement *placement, int x, int y);
/* Wires inside the part of the machine that is used: what the initialization has to set up. */
int64_t placement_link_count(const struct placement *placement);

#endif
