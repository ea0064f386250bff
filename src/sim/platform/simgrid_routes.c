/* SimGrid as the source of a machine's hosts, links and routes. */
#include "sim/platform/internal.h"
#include "sim/platform/simgrid.h"

#include "base/memory.h"
#include "sim/graph/graph.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SimGrid holds one platform for the life of the process, so what it holds is remembered here, by the path of its
 * file. */
static int load_once(FILE *document, const char *file, struct sim_error *error)
{
    static char *loaded;
    char read[MACHINE_MEMORY_NAME];
    char *path = realpath(file, NULL);
    if (path == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be opened: %s", strerror(errno));
    int result = simgrid_open(file, error);
    if (result == 0 && loaded == NULL) {
        char threshold[] = "--log=root.thres:critical";
        machine_memory_name(read, document);
        result = machine_trial(read, file, error);
        if (result == 0)
            machine_simgrid_load(read, threshold);
    } else if (result == 0 && strcmp(loaded, path) != 0) {
        result = sim_error_set(error, SIM_BAD_INPUT, file, 0,
                               "cannot be loaded: this process already holds another platform");
    }
    if (result == 0 && loaded == NULL)
        loaded = path;
    else
        free(path);
    return result;
}

/* ---- Hosts and links by number ---- */

struct source {
    sg_host_t *hosts;         /* by number */
    const struct wire *wires; /* by number, the table's */
    sg_link_t *links;         /* likewise */
};

static void number_hosts(struct source *self)
{
    sg_host_t *list = simgrid.sg_host_list();
    size_t n = simgrid.sg_host_count();
    const char **names = xcalloc(n, sizeof *names);
    int *order = xcalloc(n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        names[i] = simgrid.sg_host_get_name(list[i]);
    graph_order_hosts(order, names, (int)n);
    self->hosts = xcalloc(n, sizeof *self->hosts);
    for (size_t i = 0; i < n; i++)
        self->hosts[i] = list[order[i]];
    free(order);
    free(names);
    free(list);
}

/* A link's number is kept at the link as number + 1, so that the links that stand for no wire keep NULL. */
static int number_links(struct source *self, struct wire *wires)
{
    sg_link_t *links = simgrid.sg_link_list();
    intptr_t n = 0;
    self->wires = wires;
    self->links = xcalloc(simgrid.sg_link_count(), sizeof(sg_link_t));
    for (size_t i = 0; i < simgrid.sg_link_count(); i++)
        if (simgrid.sg_link_is_shared(links[i]) != 0) {
            wires[n].latency_ps = llround(simgrid.sg_link_get_latency(links[i]) * 1e12);
            wires[n].byte_ps = 1e12 / simgrid.sg_link_get_bandwidth(links[i]);
            self->links[n] = links[i];
            simgrid.sg_link_set_data(links[i], (void *)++n);
        }
    free(links);
    return (int)n;
}

/* ---- The source ---- */

/* The links of a route as SimGrid has them. The caller frees them with xbt_dynar_free(). */
static xbt_dynar_t ask_route(const_sg_host_t from, const_sg_host_t to)
{
    xbt_dynar_t links = simgrid.xbt_dynar_new(sizeof(sg_link_t), NULL);
    simgrid.sg_host_get_route(from, to, links);
    return links;
}

static struct route *find_route(void *data, int from, int to)
{
    const struct source *self = data;
    xbt_dynar_t links = ask_route(self->hosts[from], self->hosts[to]);
    unsigned long length = simgrid.xbt_dynar_length(links);
    struct route *route = length > 0 ? route_new(from, to, length) : NULL;
    for (unsigned long i = 0; i < length; i++) {
        intptr_t number = (intptr_t)simgrid.sg_link_get_data(*(sg_link_t *)simgrid.xbt_dynar_get_ptr(links, i));
        if (number != 0)
            route_add(route, (int)(number - 1), &self->wires[number - 1]);
    }
    simgrid.xbt_dynar_free(&links);
    return route;
}

static double host_speed(const void *data, int host)
{
    const struct source *self = data;
    return simgrid.sg_host_get_speed(self->hosts[host]);
}

static const char *host_name(void *data, int host)
{
    const struct source *self = data;
    return simgrid.sg_host_get_name(self->hosts[host]);
}

static const char *link_name(void *data, int link)
{
    const struct source *self = data;
    return simgrid.sg_link_get_name(self->links[link]);
}

static void link_speed(const void *data, int link, double *bandwidth_Bps, double *latency_s)
{
    const struct source *self = data;
    *bandwidth_Bps = simgrid.sg_link_get_bandwidth(self->links[link]);
    *latency_s = simgrid.sg_link_get_latency(self->links[link]);
}

static void close_simgrid(void *data)
{
    struct source *self = data;
    free(self->hosts);
    free(self->links);
    free(self);
}

static const struct route_source simgrid_source = {
    .find = find_route,
    .host_speed = host_speed,
    .host_name = host_name,
    .link_name = link_name,
    .link_speed = link_speed,
    .close = close_simgrid,
};

struct route_table *simgrid_routes_open(FILE *document, const char *file, struct sim_error *error)
{
    if (load_once(document, file, error) != 0)
        return NULL;
    struct source *self = xcalloc(1, sizeof *self);
    struct wire *wires = xcalloc(simgrid.sg_link_count(), sizeof *wires);
    number_hosts(self);
    int n_links = number_links(self, wires);
    return machine_routes_new(&simgrid_source, self, (int)simgrid.sg_host_count(), n_links, wires);
}
