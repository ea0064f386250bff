/* SimGrid as the source of a machine's hosts, links and routes. */
#include "sim/platform/internal.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xbt/dynar.h>

/* SimGrid holds one platform for the life of the process, so what it holds is remembered here, by the path of its file. */
static int load_once(FILE *document, const char *file, struct sim_error *error)
{
    static char *loaded;
    char read[MACHINE_MEMORY_NAME];
    char *path = realpath(file, NULL);
    if (path == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be opened: %s", strerror(errno));
    int result = 0;
    if (loaded == NULL) {
        char threshold[] = "--log=root.thres:critical";
        machine_memory_name(read, document);
        result = machine_trial(read, file, error);
        if (result == 0)
            machine_simgrid_load(read, threshold);
    } else if (strcmp(loaded, path) != 0) {
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

struct simgrid {
    sg_host_t *hosts;         /* by number */
    const struct wire *wires; /* by number, the table's */
    sg_link_t *links;         /* likewise */
};

static int by_name(const void *left, const void *right)
{
    const sg_host_t *a = left, *b = right;
    return strcmp(sg_host_get_name(*a), sg_host_get_name(*b));
}

/* Where the digits at the end of a name begin, at most nine of them so that the number fits. */
static size_t number_start(const char *name)
{
    size_t start = strlen(name);
    for (size_t digits = 0; start > 0 && digits < 9 && isdigit((unsigned char)name[start - 1]); digits++)
        start--;
    return start;
}

/* Put the hosts in the order of the numbers at the end of their names, if those are 0 .. n-1 behind one prefix. */
static bool order_by_number(sg_host_t *ordered, sg_host_t *list, int n)
{
    size_t prefix = number_start(sg_host_get_name(list[0]));
    for (int i = 0; i < n; i++) {
        const char *name = sg_host_get_name(list[i]);
        if (number_start(name) != prefix || name[prefix] == '\0' ||
            strncmp(name, sg_host_get_name(list[0]), prefix) != 0)
            return false;
        long number = strtol(name + prefix, NULL, 10);
        if (number >= n || ordered[number] != NULL)
            return false;
        ordered[number] = list[i];
    }
    return true;
}

static void number_hosts(struct simgrid *self)
{
    sg_host_t *list = sg_host_list();
    int n = (int)sg_host_count();
    sg_host_t *ordered = xcalloc((size_t)n, sizeof *ordered);
    if (!order_by_number(ordered, list, n)) {
        memcpy(ordered, list, (size_t)n * sizeof *list);
        qsort(ordered, (size_t)n, sizeof *ordered, by_name);
    }
    self->hosts = ordered;
    free(list);
}

/* A link's number is kept at the link as number + 1, so that the links that stand for no wire keep NULL. */
static int number_links(struct simgrid *self, struct wire *wires)
{
    sg_link_t *links = sg_link_list();
    intptr_t n = 0;
    self->wires = wires;
    self->links = xcalloc(sg_link_count(), sizeof(sg_link_t));
    for (size_t i = 0; i < sg_link_count(); i++)
        if (sg_link_is_shared(links[i]) != 0) {
            wires[n].latency_ps = llround(sg_link_get_latency(links[i]) * 1e12);
            wires[n].byte_ps = 1e12 / sg_link_get_bandwidth(links[i]);
            self->links[n] = links[i];
            sg_link_set_data(links[i], (void *)++n);
        }
    free(links);
    return (int)n;
}

/* ---- The source ---- */

/* The links of a route as SimGrid has them. The caller frees them with xbt_dynar_free(). */
static xbt_dynar_t ask_route(const_sg_host_t from, const_sg_host_t to)
{
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(from, to, links);
    return links;
}

static struct route *find_route(void *data, int from, int to)
{
    const struct simgrid *self = data;
    xbt_dynar_t links = ask_route(self->hosts[from], self->hosts[to]);
    unsigned long length = xbt_dynar_length(links);
    struct route *route = length > 0 ? route_new(from, to, length) : NULL;
    for (unsigned long i = 0; i < length; i++) {
        intptr_t number = (intptr_t)sg_link_get_data(xbt_dynar_get_as(links, i, sg_link_t));
        if (number != 0)
            route_add(route, (int)(number - 1), &self->wires[number - 1]);
    }
    xbt_dynar_free(&links);
    return route;
}

static double host_speed(const void *data, int host)
{
    const struct simgrid *self = data;
    return sg_host_get_speed(self->hosts[host]);
}

static const char *host_name(void *data, int host)
{
    const struct simgrid *self = data;
    return sg_host_get_name(self->hosts[host]);
}

static const char *link_name(void *data, int link)
{
    const struct simgrid *self = data;
    return sg_link_get_name(self->links[link]);
}

static void close_simgrid(void *data)
{
    struct simgrid *self = data;
    free(self->hosts);
    free(self->links);
    free(self);
}

static const struct route_source simgrid_source = {
    .find = find_route,
    .host_speed = host_speed,
    .host_name = host_name,
    .link_name = link_name,
    .close = close_simgrid,
};

struct route_table *simgrid_routes_open(FILE *document, const char *file, struct sim_error *error)
{
    if (load_once(document, file, error) != 0)
        return NULL;
    struct simgrid *self = xcalloc(1, sizeof *self);
    struct wire *wires = xcalloc(sg_link_count(), sizeof *wires);
    number_hosts(self);
    int n_links = number_links(self, wires);
    return machine_routes_new(&simgrid_source, self, (int)sg_host_count(), n_links, wires);
}

void machine_link_speed(const struct machine *machine, int link, double *bandwidth_Bps, double *latency_s)
{
    const struct simgrid *self = machine_routes_source(machine->routes, &simgrid_source);
    *bandwidth_Bps = sg_link_get_bandwidth(self->links[link]);
    *latency_s = sg_link_get_latency(self->links[link]);
}
