/* Gives a machine its hosts and wires, and looks whether what its props say of them holds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/graph/connect.h"

#include "base/memory.h"
#include "sim/machine/routes.h"

#include <stdlib.h>

#define MAX_MESH_TRIED 16384 /* nodes; of larger meshes eight are tried: on graph zones each takes a search */

/* True if the mesh node (x, y) has a wire of its own to its neighbor, or has no neighbor there. */
static bool is_wired(struct machine *machine, int x, int y, int dx, int dy)
{
    const struct interconnect *net = machine->net;
    int here = y * net->mesh_pitch + x, there = (y + dy) * net->mesh_pitch + x + dx;
    if (x + dx >= net->mesh_width || y + dy >= net->mesh_height)
        return true;
    const struct route *route = machine_route(machine, here, there);
    return route != NULL && route->hops == 1;
}

static int check_mesh(struct machine *machine, const struct machine_props *props, struct sim_error *error)
{
    const struct interconnect *net = machine->net;
    const struct machine_prop *prop = machine_props_find(props, "mesh");
    if (net->mesh_width == 0)
        return 0;
    int64_t needed = (int64_t)(net->mesh_height - 1) * net->mesh_pitch + net->mesh_width;
    if (needed > net->n_hosts)
        return machine_prop_error(prop, NULL, error,
                                  "a mesh of %dx%d with pitch %d needs %lld hosts; the platform has %d",
                                  net->mesh_width, net->mesh_height, net->mesh_pitch, (long long)needed, net->n_hosts);
    int n_nodes = net->mesh_width * net->mesh_height, step = n_nodes > MAX_MESH_TRIED ? n_nodes / 8 : 1;
    for (int node = 0; node < n_nodes; node += step) {
        int x = node % net->mesh_width, y = node / net->mesh_width;
        if (!is_wired(machine, x, y, 1, 0) || !is_wired(machine, x, y, 0, 1))
            return machine_prop_error(prop, NULL, error,
                                      "the route from node %d,%d of the mesh to the next is not a single wire", x, y);
    }
    return 0;
}

/* The routes of a topology are not looked at one by one: so many of those from host 0, evenly, are. */
enum { ROUTES_TRIED = 64 };

static int check_topology(struct machine *machine, const struct machine_props *props, struct sim_error *error)
{
    const struct topology *wiring = &machine->net->wiring;
    const struct machine_prop *prop = machine_props_find(props, "topology");
    if (prop == NULL)
        return 0;
    if (wiring->n_hosts != machine->net->n_hosts)
        return machine_prop_error(prop, NULL, error, "a %s has %d hosts; the platform has %d", prop->value,
                                  wiring->n_hosts, machine->net->n_hosts);
    int32_t *links = xmalloc((size_t)(wiring->max_hops + 1) * sizeof *links);
    int status = 0, step = wiring->n_hosts / ROUTES_TRIED + 1;
    for (int to = 1; status == 0 && to < wiring->n_hosts; to += step) {
        const struct route *route = machine_route(machine, 0, to);
        int hops = topology_route(wiring, 0, to, links), found = route != NULL ? route->hops : 0;
        if (hops != found)
            status =
                machine_prop_error(prop, NULL, error, "from host 0 to host %d a %s has %d hops; the platform has %d",
                                   to, prop->value, hops, found);
    }
    free(links);
    return status;
}

/* SimGrid's cores, unless a prop says how many there are. All hosts have as many as the one with the fewest. */
static void take_cores(struct machine *machine, const struct route_table *routes, struct machine_props *props)
{
    int least, most;
    machine_routes_cores(routes, &least, &most);
    if (least == 0 || machine_props_find(props, "cores") != NULL)
        return;
    machine->cores = least;
    if (most > least)
        machine_props_pass_over(props, "cores above the fewest", "", props->zone_line);
}

int machine_connect(struct machine *machine, struct route_table *routes, struct machine_props *props,
                    struct sim_error *error)
{
    interconnect_take_routes(machine->net, routes);
    if (machine->default_network == NULL && machine->costs.message.count == 0 && machine->costs.local.count == 0)
        machine_routes_take_loops(routes);
    take_cores(machine, routes, props);
    if (check_mesh(machine, props, error) != 0)
        return -1;
    return check_topology(machine, props, error);
}
