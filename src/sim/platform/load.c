/* Loads a platform file: its hosts and routes, and what they cost by its props.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "base/memory.h"
#include "os/path.h"
#include "sim/graph/connect.h"
#include "sim/platform/table.h"

#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

static struct route_table *ask_simgrid(const struct platform_file *file, struct sim_error *error)
{
    FILE *document = NULL;
    if (machine_simgrid_write(&document, file->document, file->props.file, error) != 0)
        return NULL;
    bool may_lack = routes_may_lack(xmlDocGetRootElement(file->document));
    struct route_table *routes = simgrid_routes_open(document, file->props.file, may_lack, error);
    fclose(document);
    return routes;
}

/* The part of a platform that is to be loaded. */
enum extent { PROPS, WHOLE, WHOLE_BY_SIMGRID };

static int load_hosts(struct machine *machine, struct platform_file *file, struct sim_error *error)
{
    struct route_table *routes = file->routes != NULL ? file->routes : ask_simgrid(file, error);
    file->routes = NULL;
    if (routes == NULL)
        return -1;
    if (machine_connect(machine, routes, &file->props, error) != 0)
        return -1;
    machine->net->profiles = file->profiles;
    file->profiles = NULL;
    return 0;
}

static int load(struct machine *machine, const char *name, enum extent extent, struct sim_error *error)
{
    struct platform_file file;
    enum platform_use use = extent == WHOLE_BY_SIMGRID ? USE_BY_SIMGRID : USE_AS_PLAIN;
    if (platform_file_read(&file, name, use, error) != 0)
        return -1;
    struct machine loaded;
    char *title = path_title(name);
    machine_init(&loaded, title, name);
    free(title);
    file.props.read_table = table_read_law;
    int result = machine_read_props(&loaded, &file.props, error);
    if (result == 0 && extent != PROPS)
        result = load_hosts(&loaded, &file, error);
    if (result == 0) {
        loaded.passed_over = machine_props_passed_over(&file.props);
        *machine = loaded;
    } else
        machine_dispose(&loaded);
    platform_file_dispose(&file);
    return result;
}

int machine_load(struct machine *machine, const char *file, struct sim_error *error)
{
    return load(machine, file, WHOLE, error);
}

int machine_load_props(struct machine *machine, const char *file, struct sim_error *error)
{
    return load(machine, file, PROPS, error);
}

int machine_load_by_simgrid(struct machine *machine, const char *file, struct sim_error *error)
{
    return load(machine, file, WHOLE_BY_SIMGRID, error);
}
