/* Loads a platform file: its hosts and routes, what they cost by its props, and what must hold between both. */
#include "sim/platform/internal.h"

#include "base/memory.h"
#include "base/path.h"
#include "sim/platform/plain_internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_MESH_TRIED 16384 /* nodes; of larger meshes eight are tried: on graph zones each takes a search */

/* ---- What must hold between props and routes ---- */

/* Whether the mesh node (x, y) has a wire of its own to its neighbour, where there is one. */
static bool is_wired(struct machine *machine, int x, int y, int dx, int dy)
{
    const struct interconnect *net = machine->net;
    int here = y * net->mesh_pitch + x, there = (y + dy) * net->mesh_pitch + x + dx;
    return x + dx >= net->mesh_width || y + dy >= net->mesh_height || machine_route(machine, here, there)->hops == 1;
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
        int hops = wiring->spec->route(wiring, 0, to, links), found = route != NULL ? route->hops : 0;
        if (hops != found)
            status =
                machine_prop_error(prop, NULL, error, "from host 0 to host %d a %s has %d hops; the platform has %d",
                                   to, prop->value, hops, found);
    }
    free(links);
    return status;
}

/* ---- Loading ---- */

/* The routes of a platform that needs no SimGrid; else NULL. */
static struct route_table *plain_routes(const struct platform_file *file)
{
    struct plain plain;
    bool is_plain = file->profiles->count == 0 && plain_read(&plain, file->document);
    return is_plain ? plain_routes_new(&plain) : NULL;
}

static struct route_table *ask_simgrid(const struct platform_file *file, struct sim_error *error)
{
    FILE *document = NULL;
    if (machine_simgrid_write(&document, file->document, file->props.file, error) != 0)
        return NULL;
    struct route_table *routes = simgrid_routes_open(document, file->props.file, error);
    fclose(document);
    return routes;
}

/* What is to be loaded. */
enum extent { PROPS, WHOLE, WHOLE_BY_SIMGRID };

static int load_hosts(struct machine *machine, struct platform_file *file, enum extent extent, struct sim_error *error)
{
    struct route_table *routes = extent == WHOLE ? plain_routes(file) : NULL;
    if (routes == NULL)
        routes = ask_simgrid(file, error);
    if (routes == NULL)
        return -1;
    interconnect_take_routes(machine->net, routes);
    if (check_mesh(machine, &file->props, error) != 0 || check_topology(machine, &file->props, error) != 0)
        return -1;
    machine->net->profiles = file->profiles;
    file->profiles = NULL;
    return 0;
}

static int load(struct machine *machine, const char *name, enum extent extent, struct sim_error *error)
{
    struct platform_file file;
    if (platform_file_read(&file, name, error) != 0)
        return -1;
    struct machine loaded;
    char *title = path_title(name);
    machine_init(&loaded, title, name);
    free(title);
    int result = machine_read_props(&loaded, &file.props, error);
    if (result == 0 && extent != PROPS)
        result = load_hosts(&loaded, &file, extent, error);
    if (result == 0)
        *machine = loaded;
    else
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
