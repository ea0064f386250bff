/* Puts ranks on hosts: in the order of hosts, or row by row or as a snake on a part of a mesh.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/program/placement.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/range.h"
#include "sim/program/arrange.h"
#include "sim/topology/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

const char *const layout_names[] = {"snake", "row-major", NULL};
const char *const root_place_names[] = {"edge", "corner", "centre", NULL};

static int place_on_mesh(struct placement *placement, const struct placement_request *request,
                         const struct machine *machine, struct sim_error *error)
{
    int width = request->width, height = request->height;
    if (width == 0)
        dimensions_choose_mesh(placement->n_slots, machine->net->mesh_width, machine->net->mesh_height, &width,
                               &height);
    if (width > machine->net->mesh_width || height > machine->net->mesh_height)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'mesh': %dx%d does not fit into the %dx%d mesh of %s", width, height,
                             machine->net->mesh_width, machine->net->mesh_height, machine->name);
    if ((int64_t)width * height < placement->n_slots)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'mesh': %dx%d has %d nodes, too few for %d ranks with %d per host%s", width,
                             height, width * height, placement->n_ranks, placement->ranks_per_host,
                             machine->costs.dsm.page_bytes == 0 ? "; set 'mesh' or 'ranks_per_host'" : "");
    placement->width = width;
    placement->height = height;
    return 0;
}

/* The rank on the node of the root's place, or the last one where the mesh is not full there. */
static int find_root(const struct placement *placement, enum root_place place)
{
    if (placement->height == 0 || place == ROOT_CORNER)
        return 0;
    int slot = placement_slot_at(placement, placement->width / 2, place == ROOT_CENTRE ? placement->height / 2 : 0);
    if (slot < 0)
        slot = placement->n_slots - 1;
    return slot * placement->ranks_per_host;
}

/* The number of the topology's wires that lead to no host without ranks. */
static int64_t count_wires(const struct placement *placement, const struct topology *wiring)
{
    bool *used = xcalloc((size_t)wiring->n_hosts, sizeof *used);
    for (int rank = 0; rank < placement->n_ranks; rank++)
        used[placement_host(placement, rank)] = true;
    int64_t count = topology_wire_count(wiring, used);
    free(used);
    return count;
}

/* One to a host that has more cores may be more, where there are too few hosts: as many as are needed, up to the
 * cores. */
static int choose_per_host(const struct placement_request *request, const struct machine *machine, int64_t hosts)
{
    if (request->ranks_per_host > 1 || machine->cores <= 1 || request->n_ranks <= hosts ||
        machine->costs.dsm.page_bytes > 0)
        return request->ranks_per_host;
    int64_t needed = (request->n_ranks - 1) / hosts + 1;
    return needed < machine->cores ? (int)needed : machine->cores;
}

/* Take the hosts of the ranks, and count who is on which. */
static void set_hosts(struct placement *placement, int *hosts)
{
    int *counts = xcalloc((size_t)placement->machine->net->n_hosts, sizeof *counts);
    placement->hosts = hosts;
    placement->identity = hash_bytes(HASH_START, hosts, (size_t)placement->n_ranks * sizeof *hosts);
    placement->seats = xmalloc((size_t)placement->n_ranks * sizeof *placement->seats);
    placement->ranks_per_host = 1;
    placement->n_slots = 0;
    for (int rank = 0; rank < placement->n_ranks; rank++) {
        placement->n_slots += counts[hosts[rank]] == 0;
        placement->seats[rank] = counts[hosts[rank]]++;
        placement->ranks_per_host = int_max(placement->ranks_per_host, counts[hosts[rank]]);
    }
    free(counts);
}

/* On the hosts of the allocation, whatever the machine's wires are. */
static int place_allocated(struct placement *placement, const struct placement_request *request,
                           const struct machine *machine, struct sim_error *error)
{
    int *hosts = xmalloc((size_t)request->n_ranks * sizeof *hosts);
    if (arrange_allocated(hosts, request, machine, error) != 0) {
        free(hosts);
        return -1;
    }
    *placement = (struct placement){.n_ranks = request->n_ranks, .machine = machine};
    set_hosts(placement, hosts);
    return 0;
}

static int place_in_order(struct placement *placement, const struct placement_request *request,
                          const struct machine *machine, struct sim_error *error)
{
    int64_t hosts = machine->net->n_hosts;
    if (machine->net->mesh_width > 0)
        hosts = (int64_t)machine->net->mesh_width * machine->net->mesh_height;
    int per_host = choose_per_host(request, machine, hosts);
    int64_t room = hosts * per_host;
    if (request->n_ranks > room)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'ranks': %d ranks on the %lld hosts of %s with %d per host; at most %lld%s",
                             request->n_ranks, (long long)hosts, machine->name, per_host, (long long)room,
                             machine->costs.dsm.page_bytes == 0
                                 ? ", or set 'ranks_per_host'"
                                 : "; only a program that exchanges messages can have more, with 'ranks_per_host'");
    if (request->width > 0 && machine->net->mesh_width == 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter 'mesh': %s is not a mesh; allowed: auto",
                             machine->name);
    *placement = (struct placement){.n_ranks = request->n_ranks,
                                    .ranks_per_host = per_host,
                                    .n_slots = (request->n_ranks - 1) / per_host + 1,
                                    .pitch = machine->net->mesh_pitch,
                                    .layout = request->layout,
                                    .machine = machine};
    if (machine->net->mesh_width > 0 && place_on_mesh(placement, request, machine, error) != 0)
        return -1;
    placement->root = find_root(placement, request->root);
    return 0;
}

/* Put the ranks in another order on the same hosts; the root stays where it is. */
static void reorder(struct placement *placement, const struct placement_request *request)
{
    int *hosts = xmalloc((size_t)request->n_ranks * sizeof *hosts);
    int root = placement_host(placement, placement->root);
    arrange_slots(hosts, request, placement);
    set_hosts(placement, hosts);
    placement->height = 0;
    for (placement->root = 0; hosts[placement->root] != root;)
        placement->root++;
}

/* The wires of a mesh between two hosts that both have ranks. */
static int64_t count_mesh_wires(const struct placement *placement, const struct interconnect *net)
{
    bool *used = xcalloc((size_t)net->n_hosts + (size_t)net->mesh_pitch + 1, sizeof *used);
    int64_t count = 0;
    for (int rank = 0; rank < placement->n_ranks; rank++)
        used[placement->hosts[rank]] = true;
    for (int host = 0; host < net->n_hosts; host++)
        if (used[host])
            count += used[host + net->mesh_pitch] + (host % net->mesh_pitch + 1 < net->mesh_width && used[host + 1]);
    free(used);
    return count;
}

static int64_t wires_of(const struct placement *placement, const struct interconnect *net)
{
    if (placement->n_slots < 2)
        return 0;
    if (net->wiring.spec != NULL)
        return count_wires(placement, &net->wiring);
    return placement->hosts != NULL && net->mesh_width > 0 ? count_mesh_wires(placement, net) : 0;
}

int placement_init(struct placement *placement, const struct placement_request *request, const struct machine *machine,
                   struct sim_error *error)
{
    struct placement placed;
    bool is_allocated = machine->allocation != NULL;
    if ((is_allocated ? place_allocated : place_in_order)(&placed, request, machine, error) != 0)
        return -1;
    if (!is_allocated && PLACEMENT_ORDER(request->order) > ORDER_BLOCK && placed.n_slots > 1)
        reorder(&placed, request);
    placed.n_wires = wires_of(&placed, machine->net);
    *placement = placed;
    return 0;
}

void placement_dispose(struct placement *placement)
{
    free(placement->hosts);
    free(placement->seats);
    placement->hosts = placement->seats = NULL;
}

bool placement_same(const struct placement *a, const struct placement *b)
{
    return a->n_ranks == b->n_ranks && a->ranks_per_host == b->ranks_per_host && a->width == b->width &&
           a->height == b->height && a->pitch == b->pitch && a->layout == b->layout && a->identity == b->identity;
}

double placement_wire_ps(const struct placement *placement, int64_t bytes)
{
    const struct machine *machine = placement->machine;
    const struct cost_model *costs = &machine->costs;
    const struct topology *topology = machine->net->topology;
    struct topology_segment segment = {.first = 0};
    if (machine->net->n_hosts < 2 || machine_link_count(machine) == 0)
        return 0;
    if (costs->message.count > 0)
        return (double)cost_model_message_parts(costs, bytes, 1, false).link_busy_ps;
    if (topology != NULL)
        topology->spec->segment(topology, 0, 1, &segment);
    return (double)cost_model_wire_bytes(costs, bytes) * machine_wire(machine, segment.first)->byte_ps;
}

void placement_node(const struct placement *placement, int slot, int *x, int *y)
{
    *y = slot / placement->width;
    *x = slot % placement->width;
    if (placement->layout == LAYOUT_SNAKE && *y % 2 == 1)
        *x = placement->width - 1 - *x;
}

int placement_slot_at(const struct placement *placement, int x, int y)
{
    if (x < 0 || y < 0 || x >= placement->width || y >= placement->height)
        return -1;
    if (placement->layout == LAYOUT_SNAKE && y % 2 == 1)
        x = placement->width - 1 - x;
    int64_t slot = (int64_t)y * placement->width + x;
    return slot < placement->n_slots ? (int)slot : -1;
}

int placement_sharers(const struct placement *placement, const struct machine *machine)
{
    int64_t sharers = (int64_t)placement->ranks_per_host * machine->hosts_per_computer;
    return sharers < placement->n_ranks ? (int)sharers : placement->n_ranks;
}

int placement_host(const struct placement *placement, int rank)
{
    int slot = rank / placement->ranks_per_host;
    if (placement->hosts != NULL)
        return placement->hosts[rank];
    if (placement->height == 0)
        return slot;
    int x, y;
    placement_node(placement, slot, &x, &y);
    return y * placement->pitch + x;
}

int64_t placement_link_count(const struct placement *placement)
{
    if (placement->n_wires > 0)
        return placement->n_wires;
    if (placement->height == 0)
        return placement->n_slots > 1 ? placement->n_slots : 0;
    int64_t count = 0;
    for (int slot = 0; slot < placement->n_slots; slot++) {
        int x, y;
        placement_node(placement, slot, &x, &y);
        count += placement_slot_at(placement, x + 1, y) >= 0;
        count += placement_slot_at(placement, x, y + 1) >= 0;
    }
    return count;
}
