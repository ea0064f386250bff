/* SimGrid as the source of a machine's hosts, links and routes.
 * SPDX-License-Identifier: BSD-3-Clause */
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
static int load_once(FILE *document, const char *file, bool *lacks_routes, struct sim_error *error)
{
    static char *loaded;
    static bool lacks;
    char read[MACHINE_MEMORY_NAME];
    char *path = realpath(file, NULL);
    if (path == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    int result = simgrid_open(file, error);
    if (result == 0 && loaded == NULL) {
        char threshold[] = "--log=root.thres:critical";
        machine_memory_name(read, document);
        result = machine_trial(&lacks, read, file, error);
        if (result == 0)
            machine_simgrid_load(read, threshold);
    } else if (result == 0 && strcmp(loaded, path) != 0) {
        result = sim_error_set(error, SIM_BAD_INPUT, file, 0,
                               "cannot be loaded: this process already holds another platform");
    }
    *lacks_routes = lacks;
    if (result == 0 && loaded == NULL)
        loaded = path;
    else
        free(path);
    return result;
}

/* ---- Hosts and links by number ---- */

struct source {
    sg_host_t *hosts; /* by number */
    int n_hosts;
    sg_host_t *list;          /* of SimGrid */
    int *places;              /* of the hosts in it */
    bool lacks;               /* some routes may be missing, so that a child process is asked first: */
    bool **rows;              /* whether there is a route from the host at that place to each; NULL: not asked yet */
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
    self->n_hosts = (int)n;
    self->list = list;
    self->rows = xcalloc(n, sizeof *self->rows);
    free(names);
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

/* Where no process can be had, SimGrid is asked as it is. */
static bool has_route(struct source *self, int from, int to)
{
    struct sim_error error;
    bool **row = &self->rows[self->places[from]];
    if (*row == NULL) {
        size_t n = (size_t)self->n_hosts;
        *row = xcalloc(n, sizeof **row);
        if (routes_ask(*row, self->list, n, (size_t)self->places[from], &error) != 0)
            memset(*row, true, n);
    }
    return (*row)[self->places[to]];
}

static struct route *find_route(void *data, int from, int to)
{
    struct source *self = data;
    if (self->lacks && !has_route(self, from, to))
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
    for (int i = 0; i < self->n_hosts; i++)
        free(self->rows[i]);
    free(self->rows);
    free(self->list);
    free(self->places);
    free(self->hosts);
    free(self);
}

static const struct route_source simgrid_source = {.find = find_route, .close = close_simgrid};

struct route_table *simgrid_routes_open(FILE *document, const char *file, bool may_lack, struct sim_error *error)
{
    bool lacks = false;
    if (load_once(document, file, &lacks, error) != 0)
        return NULL;
    struct source *self = xcalloc(1, sizeof *self);
    struct route_ends ends = {.n_hosts = 0};
    number_hosts(self, &ends);
    self->lacks = lacks || (may_lack && self->n_hosts > TRIAL_PAIRS_HOSTS);
    number_links(self, &ends);
    return machine_routes_new(&simgrid_source, self, &ends);
}
