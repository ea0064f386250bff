/* Machines whose hosts and wires are those of another, put together as a topology. */
#include "sim/machine/machine.h"

#include "base/memory.h"
#include "sim/machine/routes.h"

/* Meshes and tori of one or two sides have a place for `mesh`, `layout` and `root`. */
static void set_mesh(struct machine *machine, const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    bool flat = topology->spec->is_grid && dimensions->n <= 2;
    machine->mesh_width = machine->mesh_pitch = flat ? dimensions->side[0] : 0;
    machine->mesh_height = !flat ? 0 : dimensions->n == 2 ? dimensions->side[1] : 1;
}

void machine_derive(struct machine *machine, const struct machine *base, const struct topology *topology)
{
    char shape[200];
    struct machine derived = *base;
    topology_format(shape, sizeof shape, topology);
    derived.name = xformat("%s as %s", base->name, shape);
    derived.file = xstrdup(base->file);
    derived.n_hosts = topology->n_hosts;
    derived.borrows = true;
    derived.profiles = NULL;
    derived.hop_trees = NULL;
    derived.trials = (struct machine_memo){.data = NULL};
    derived.routes = machine_routes_compute(topology, &base->style);
    derived.wires = machine_routes_wires(derived.routes);
    derived.one_wire = true;
    derived.topology = machine_routes_topology(derived.routes);
    derived.wiring = *topology;
    set_mesh(&derived, topology);
    *machine = derived;
}
