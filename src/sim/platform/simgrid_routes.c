/* SimGrid as the source of a machine's hosts, links and routes. */
#include "sim/platform/internal.h"
#include "sim/platform/simgrid.h"

#include "base/memory.h"
#include "sim/graph/graph.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SimGrid holds one platform for the life of the process, so what it holds is remembered here, by the path of its
 * file. */
static int load_once(FILE *document, const char *file, const struct missing_routes **missing, struct sim_error *error)
{
    static char *loaded;
    static struct missing_routes *found; /* kept as long */
    char read[MACHINE_MEMORY_NAME];
    char *path = realpath(file, NULL);
    if (path == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    int result = simgrid_open(file, error);
    if (result == 0 && loaded == NULL) {
        char threshold[] = "--log=root.thres:critical";
        machine_memory_name(read, document);
        result = machine_trial(&found, read, file, error);
        if (result == 0)
            machine_simgrid_load(read, threshold);
    } else if (result == 0 && strcmp(loaded, path) != 0) {
        result = sim_error_set(error, SIM_BAD_INPUT, file, 0,
                               "cannot be loaded: this process already holds another platform");
    }
    *missing = found;
    if (result == 0 && loaded == NULL)
        loaded = path;
    else
        free(path);
    return result;
}

/* ---- Hosts and links by number ---- */

struct source {
    sg_host_t *hosts; /* by number */
    int *places;      /* of the hosts in SimGrid's list */
    const struct missing_routes *missing;
    const struct wire *wires; /* by number, the table's */
};

static void number_hosts(struct source *self, struct route_ends *ends)
{
    sg_host_t *list = simgrid.sg_host_list();
    size_t n = simgrid.sg_host_count();
    const char **names = xcalloc(n, sizeof *names);
    int *order = xcalloc(n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        names[i] = simgrid.sg_host_get_name(list[i]);
    graph_order_hosts(order, names, (int)n);
    self->hosts = xcalloc(n, sizeof *self->hosts);
    ends->n_hosts = (int)n;
    ends->hosts = xcalloc(n, sizeof *ends->hosts);
    for (size_t i = 0; i < n; i++) {
        self->hosts[i] = list[order[i]];
        ends->hosts[i] = (struct listed_host){names[order[i]], simgrid.sg_host_get_speed(self->hosts[i]),
                                              simgrid.sg_host_core_count(self->hosts[i])};
    }
    self->places = order;
    free(names);
    free(list);
}

/* A link's number is kept at the link as number + 1, so that the links that stand for no wire keep NULL. */
static void number_links(struct source *self, struct route_ends *ends)
{
    sg_link_t *links = simgrid.sg_link_list();
    size_t n_links = simgrid.sg_link_count();
    ends->links = xcalloc(n_links, sizeof *ends->links);
    ends->wires = xcalloc(n_links, sizeof *ends->wires);
    for (size_t i = 0; i < n_links; i++)
        if (simgrid.sg_link_is_shared(links[i]) != 0) {
            double bandwidth = simgrid.sg_link_get_bandwidth(links[i]), latency = simgrid.sg_link_get_latency(links[i]);
            ends->links[ends->n_links] = (struct listed_link){simgrid.sg_link_get_name(links[i]), bandwidth, latency};
            ends->wires[ends->n_links] = wire_of(bandwidth, latency);
            simgrid.sg_link_set_data(links[i], (void *)(intptr_t)++ends->n_links);
        }
    self->wires = ends->wires;
    free(links);
}

/* ---- The source ---- */

static struct route *find_route(void *data, int from, int to)
{
    const struct source *self = data;
    if (self->missing->any && self->missing->of[self->places[from]][self->places[to]])
        return NULL;
    size_t length;
    const_sg_link_t *links = simgrid_route(self->hosts[from], self->hosts[to], &length);
    struct route *route = length > 0 ? route_new(from, to, length) : NULL;
    for (size_t i = 0; i < length; i++) {
        intptr_t number = (intptr_t)simgrid.sg_link_get_data(links[i]);
        const struct wire pipe =
            wire_of(simgrid.sg_link_get_bandwidth(links[i]), simgrid.sg_link_get_latency(links[i]));
        if (number != 0)
            route_add(route, (int)(number - 1), &self->wires[number - 1]);
        else
            route_add_pipe(route, &pipe);
    }
    free(links);
    return route;
}

static void close_simgrid(void *data)
{
    struct source *self = data;
    free(self->places);
    free(self->hosts);
    free(self);
}

static const struct route_source simgrid_source = {.find = find_route, .close = close_simgrid};

struct route_table *simgrid_routes_open(FILE *document, const char *file, struct sim_error *error)
{
    const struct missing_routes *missing = NULL;
    if (load_once(document, file, &missing, error) != 0)
        return NULL;
    struct source *self = xcalloc(1, sizeof *self);
    self->missing = missing;
    struct route_ends ends = {.n_hosts = 0};
    number_hosts(self, &ends);
    number_links(self, &ends);
    return machine_routes_new(&simgrid_source, self, &ends);
}
