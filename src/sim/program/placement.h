/* Which rank sits on which host.
 *
 * On a mesh the ranks fill a near-square sub-mesh of width x height nodes row by row, all in one direction (row-major)
 * or alternately there and back (snake: neighboring ranks sit on neighboring nodes). Elsewhere they take the hosts
 * in order. With several ranks to a host, consecutive ranks share one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PROGRAM_PLACEMENT_H
#define SIM_PROGRAM_PLACEMENT_H

#include "base/error.h"
#include "sim/machine/machine.h"

enum layout { LAYOUT_SNAKE, LAYOUT_ROW_MAJOR };
enum root_place { ROOT_EDGE, ROOT_CORNER, ROOT_CENTRE };

extern const char *const layout_names[];     /* snake row-major, NULL-terminated */
extern const char *const root_place_names[]; /* edge corner centre, NULL-terminated */

struct placement {
    int n_ranks;
    int ranks_per_host;
    int n_slots;       /* hosts in use */
    int width, height; /* of the sub-mesh; height 0 where the machine is not a mesh */
    int pitch;
    int64_t n_wires; /* of a machine whose wiring is known, without those of unused hosts; 0 elsewhere */
    enum layout layout;
    const struct machine *machine; /* borrowed: it has the hosts */
    int root; /* the rank that does I/O: on the middle of the sub-mesh's first row, its corner, or its center */
};

struct placement_request {
    int n_ranks, ranks_per_host;
    int width, height; /* 0, 0: choose near-square */
    enum layout layout;
    enum root_place root;
};

/* Too many ranks, or a mesh that does not fit, is an error that says how many hosts there are. */
int placement_init(struct placement *placement, const struct placement_request *request, const struct machine *machine,
                   struct sim_error *error);

/* The time for which a message occupies the first wire of a host, in ps: that of host 0 in a topology, the first link
 * of a platform as it is. 0 where there is none. */
double placement_wire_ps(const struct placement *placement, int64_t bytes);

/* The most ranks that share a memory: those of a host, or of a computer of several hosts. */
int placement_sharers(const struct placement *placement);

int placement_host(const struct placement *placement, int rank);
/* Mesh node of a slot (slot = rank / ranks_per_host), and back; slot_at() is -1 where no rank sits. */
void placement_node(const struct placement *placement, int slot, int *x, int *y);
int placement_slot_at(const struct placement *placement, int x, int y);
/* Wires inside the part of the machine that is used: what the initialization has to set up. */
int64_t placement_link_count(const struct placement *placement);

#endif
