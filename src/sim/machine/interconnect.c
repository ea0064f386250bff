/* The life of an interconnect, and the one that a topology describes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/interconnect.h"

#include "base/memory.h"
#include "sim/machine/hop_tree.h"
#include "sim/machine/profiles.h"
#include "sim/machine/routes.h"

#include <stdlib.h>

struct interconnect *interconnect_new(void)
{
    struct interconnect *net = xcalloc(1, sizeof *net);
    net->n_machines = 1;
    return net;
}

void interconnect_release(struct interconnect *net)
{
    if (--net->n_machines > 0)
        return;
    hop_trees_free(net->hop_trees);
    machine_routes_close(net->routes);
    machine_profiles_free(net->profiles);
    free(net);
}

void interconnect_take_routes(struct interconnect *net, struct route_table *routes)
{
    net->routes = routes;
    net->n_hosts = machine_routes_host_count(routes);
    net->wires = machine_routes_wires(routes);
}

/* Meshes and tori of one or two sides have a place for `mesh`, `layout` and `root`. */
static void set_mesh(struct interconnect *net, const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    bool flat = topology->spec->is_grid && dimensions->n <= 2;
    net->mesh_width = net->mesh_pitch = flat ? dimensions->side[0] : 0;
    net->mesh_height = !flat ? 0 : dimensions->n == 2 ? dimensions->side[1] : 1;
}

struct interconnect *interconnect_of(const struct topology *topology, const struct topology_style *style)
{
    struct interconnect *net = interconnect_new();
    interconnect_take_routes(net, machine_routes_compute(topology, style));
    net->one_wire = topology_is_uniform(topology, style);
    net->wiring = *topology;
    net->topology = &net->wiring;
    net->style = *style;
    set_mesh(net, topology);
    return net;
}
