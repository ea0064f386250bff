/* The end of a machine's life. */
#include "sim/machine/machine.h"

#include "sim/machine/hop_tree.h"
#include "sim/machine/profiles.h"
#include "sim/machine/routes.h"

#include <stdlib.h>

void machine_dispose(struct machine *machine)
{
    hop_trees_free(machine->hop_trees);
    if (machine->trials.data != NULL)
        machine->trials.free(machine->trials.data);
    machine_routes_close(machine->routes);
    machine_profiles_free(machine->profiles);
    if (!machine->borrows) {
        free(machine->kernels);
        free(machine->needs);
        free(machine->default_network);
    }
    free(machine->name);
    free(machine->file);
    *machine = (struct machine){.name = NULL};
}
