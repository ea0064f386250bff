/* Stub of simgrid.c, simgrid_routes.c, trial.c and missing.c of src/sim/platform: a platform that is not plain is
 * refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/libraries.h"
#include "sim/platform/internal.h"

struct route_table *simgrid_routes_open(FILE *document, const char *file, bool may_lack, struct sim_error *error)
{
    (void)document;
    (void)may_lack;
    library_refuse(LIBRARY_SIMGRID, file, error);
    return NULL;
}
