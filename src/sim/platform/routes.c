/* SimGrid's side of a machine: its hosts and links by number, and the routes, remembered. */
#include "sim/platform/internal.h"

#include "base/memory.h"
#include "sim/machine/machine.h"

#include <assert.h>
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

/* SimGrid holds one platform for the life of the process, so what it holds is remembered here, by the path of its file or by
 * the name of a derived machine. */
static int load_once(FILE *document, const char *file, const char *name, struct sim_error *error)
{
    static char *loaded;
    char read[MACHINE_MEMORY_NAME];
    char *path = name != NULL ? xstrdup(name) : realpath(file, NULL);
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

struct route_table {
    sg_host_t *hosts; /* by number */
    int n_hosts, n_links;
    struct route **entries; /* open addressing, at most half full; NULL: free */
    size_t n_entries, mask;
    int64_t bytes;       /* that the routes take, with their entries */
    struct wire *wires;  /* by link number */
    sg_link_t *sg_links; /* likewise */
    struct route *local; /* from a host to itself */

    /* Of a topology: no hosts and sg_links unless SimGrid has it too, and one wire for all links. */
    struct topology topology; /* spec NULL: none */
    struct topology_style style;
    int32_t *scratch; /* room for the longest route */
    char name[32];
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
static bool order_by_number(sg_host_t *ordered, sg_host_t *hosts, int n)
{
    size_t prefix = number_start(sg_host_get_name(hosts[0]));
    for (int i = 0; i < n; i++) {
        const char *name = sg_host_get_name(hosts[i]);
        if (number_start(name) != prefix || name[prefix] == '\0' ||
            strncmp(name, sg_host_get_name(hosts[0]), prefix) != 0)
            return false;
        long number = strtol(name + prefix, NULL, 10);
        if (number >= n || ordered[number] != NULL)
            return false;
        ordered[number] = hosts[i];
    }
    return true;
}

static void number_hosts(struct route_table *routes)
{
    sg_host_t *hosts = sg_host_list();
    sg_host_t *ordered = xcalloc((size_t)routes->n_hosts, sizeof *ordered);
    if (!order_by_number(ordered, hosts, routes->n_hosts)) {
        memcpy(ordered, hosts, (size_t)routes->n_hosts * sizeof *hosts);
        qsort(ordered, (size_t)routes->n_hosts, sizeof *ordered, by_name);
    }
    routes->hosts = ordered;
    free(hosts);
}

/* A link's number is kept at the link as number + 1, so that the links that stand for no wire keep NULL. */
static void number_links(struct route_table *routes)
{
    sg_link_t *links = sg_link_list();
    intptr_t n = 0;
    routes->wires = xcalloc(sg_link_count(), sizeof *routes->wires);
    routes->sg_links = xcalloc(sg_link_count(), sizeof *routes->sg_links);
    for (size_t i = 0; i < sg_link_count(); i++)
        if (sg_link_is_shared(links[i]) != 0) {
            routes->wires[n].latency_ps = llround(sg_link_get_latency(links[i]) * 1e12);
            routes->wires[n].byte_ps = 1e12 / sg_link_get_bandwidth(links[i]);
            routes->sg_links[n] = links[i];
            sg_link_set_data(links[i], (void *)++n);
        }
    routes->n_links = (int)n;
    free(links);
}

enum { FIRST_ENTRIES = 256 };
static void resize_entries(struct route_table *routes, size_t size);

struct route_table *machine_routes_open(FILE *document, const char *file, struct sim_error *error)
{
    if (load_once(document, file, NULL, error) != 0)
        return NULL;
    struct route_table *routes = xcalloc(1, sizeof *routes);
    routes->n_hosts = (int)sg_host_count();
    routes->local = xcalloc(1, sizeof *routes->local);
    number_hosts(routes);
    number_links(routes);
    resize_entries(routes, FIRST_ENTRIES);
    return routes;
}

struct route_table *machine_routes_compute(const struct topology *topology, const struct topology_style *style)
{
    struct route_table *routes = xcalloc(1, sizeof *routes);
    routes->topology = *topology;
    routes->style = *style;
    routes->n_hosts = topology->n_hosts;
    routes->n_links = topology->n_links;
    routes->local = xcalloc(1, sizeof *routes->local);
    routes->wires = xmalloc(sizeof *routes->wires);
    routes->wires[0] = (struct wire){llround(style->latency_s * 1e12), 1e12 / style->bandwidth_Bps};
    routes->scratch = xmalloc((size_t)topology->max_hops * sizeof *routes->scratch);
    resize_entries(routes, FIRST_ENTRIES);
    return routes;
}

bool machine_routes_in_simgrid(const struct route_table *routes)
{
    return routes->hosts != NULL;
}

int machine_routes_enter_simgrid(struct route_table *routes, FILE *document, const char *name, struct sim_error *error)
{
    if (load_once(document, name, name, error) != 0)
        return -1;
    assert(sg_host_count() == (size_t)routes->n_hosts);
    number_hosts(routes);
    return 0;
}

const struct topology *machine_routes_topology(const struct route_table *routes)
{
    return &routes->topology;
}

static void free_entries(struct route_table *routes)
{
    for (size_t i = 0; i <= routes->mask; i++)
        free(routes->entries[i]);
    free(routes->entries);
}

void machine_routes_close(struct route_table *routes)
{
    if (routes == NULL)
        return;
    free(routes->scratch);
    free(routes->hosts);
    free_entries(routes);
    free(routes->wires);
    free(routes->sg_links);
    free(routes->local);
    free(routes);
}

int machine_routes_host_count(const struct route_table *routes)
{
    return routes->n_hosts;
}

/* ---- Routes ---- */

/* The links of a route as SimGrid has them. The caller frees them with xbt_dynar_free(). */
static xbt_dynar_t ask_route(const_sg_host_t from, const_sg_host_t to)
{
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(from, to, links);
    return links;
}

/* Where the route from one host to another is, or the free place where it belongs. */
static struct route **find_entry(const struct route_table *routes, int32_t from, int32_t to)
{
    uint64_t hash = ((uint64_t)(uint32_t)from << 32 | (uint32_t)to) * UINT64_C(0x9E3779B97F4A7C15);
    size_t place = (size_t)(hash >> 32) & routes->mask;
    while (routes->entries[place] != NULL && (routes->entries[place]->from != from || routes->entries[place]->to != to))
        place = (place + 1) & routes->mask;
    return &routes->entries[place];
}

static void resize_entries(struct route_table *routes, size_t size)
{
    struct route **old = routes->entries;
    size_t old_size = old != NULL ? routes->mask + 1 : 0;
    routes->entries = xcalloc(size, sizeof(struct route *));
    routes->mask = size - 1;
    for (size_t i = 0; i < old_size; i++)
        if (old[i] != NULL)
            *find_entry(routes, old[i]->from, old[i]->to) = old[i];
    free(old);
}

static struct route *add_route(struct route_table *routes, struct route *route)
{
    enum { ENTRIES_BYTES = 2 * sizeof(struct route *), BLOCK_BYTES = 16 }; /* the latter that the allocator keeps */
    routes->bytes += (int64_t)(sizeof *route + (size_t)route->hops * sizeof route->links[0]);
    routes->bytes += ENTRIES_BYTES + BLOCK_BYTES;
    if (++routes->n_entries > routes->mask / 2)
        resize_entries(routes, (routes->mask + 1) * 2);
    *find_entry(routes, route->from, route->to) = route;
    return route;
}

/* NULL when SimGrid knows no route. */
static struct route *remember_route(struct route_table *routes, int from, int to)
{
    xbt_dynar_t links = ask_route(routes->hosts[from], routes->hosts[to]);
    unsigned long length = xbt_dynar_length(links);
    if (length == 0) {
        xbt_dynar_free(&links);
        return NULL;
    }
    struct route *route = xmalloc(sizeof *route + length * sizeof route->links[0]);
    *route = (struct route){.from = from, .to = to};
    for (unsigned long i = 0; i < length; i++) {
        intptr_t number = (intptr_t)sg_link_get_data(xbt_dynar_get_as(links, i, sg_link_t));
        if (number == 0)
            continue;
        const struct wire *wire = &routes->wires[number - 1];
        route->links[route->hops++] = (int32_t)(number - 1);
        route->latency_ps += wire->latency_ps;
        route->byte_ps = wire->byte_ps > route->byte_ps ? wire->byte_ps : route->byte_ps;
    }
    xbt_dynar_free(&links);
    return add_route(routes, route);
}

static struct route *compute_route(struct route_table *routes, int from, int to)
{
    const struct topology *topology = &routes->topology;
    int hops = topology->spec->route(topology, from, to, routes->scratch);
    assert(hops <= topology->max_hops);
    struct route *route = xmalloc(sizeof *route + (size_t)hops * sizeof route->links[0]);
    *route = (struct route){.from = from,
                            .to = to,
                            .hops = hops,
                            .latency_ps = hops * routes->wires[0].latency_ps,
                            .byte_ps = routes->wires[0].byte_ps};
    memcpy(route->links, routes->scratch, (size_t)hops * sizeof route->links[0]);
    return add_route(routes, route);
}

const struct route *machine_route(struct machine *machine, int from_host, int to_host)
{
    struct route_table *routes = machine->routes;
    assert(from_host >= 0 && from_host < routes->n_hosts && to_host >= 0 && to_host < routes->n_hosts);
    if (from_host == to_host)
        return routes->local;
    const struct route *route = *find_entry(routes, from_host, to_host);
    if (route != NULL || routes->bytes > MACHINE_ROUTES_MOST_BYTES)
        return route;
    return routes->topology.spec != NULL ? compute_route(routes, from_host, to_host)
                                         : remember_route(routes, from_host, to_host);
}

int64_t machine_routes_full(const struct machine *machine)
{
    const struct route_table *routes = machine->routes;
    return routes->bytes > MACHINE_ROUTES_MOST_BYTES ? (int64_t)routes->n_entries : 0;
}

void machine_forget_routes(struct machine *machine)
{
    static const int64_t many_bytes = INT64_C(1) << 26;
    struct route_table *routes = machine->routes;
    if (routes == NULL || routes->bytes < many_bytes)
        return;
    free_entries(routes);
    routes->entries = NULL;
    routes->n_entries = 0;
    routes->bytes = 0;
    resize_entries(routes, FIRST_ENTRIES);
}

const struct wire *machine_routes_wires(const struct route_table *routes)
{
    return routes->wires;
}

void *machine_simgrid_host(const struct machine *machine, int host)
{
    return machine->routes->hosts[host];
}

const char *machine_host_name(const struct machine *machine, int host)
{
    struct route_table *routes = machine->routes;
    if (routes->topology.spec == NULL)
        return sg_host_get_name(routes->hosts[host]);
    snprintf(routes->name, sizeof routes->name, "n%d", host);
    return routes->name;
}

double machine_host_speed(const struct machine *machine, int host)
{
    const struct route_table *routes = machine->routes;
    return routes->topology.spec == NULL ? sg_host_get_speed(routes->hosts[host]) : routes->style.speed_flopps;
}

const char *machine_link_name(const struct machine *machine, int link)
{
    struct route_table *routes = machine->routes;
    int from = 0, to = 0;
    if (routes->topology.spec == NULL)
        return sg_link_get_name(routes->sg_links[link]);
    bool is_link = routes->topology.spec->ends(&routes->topology, link, &from, &to);
    snprintf(routes->name, sizeof routes->name, is_link ? "n%d-n%d" : "none", from, to);
    return routes->name;
}

int machine_link_count(const struct machine *machine)
{
    return machine->routes->n_links;
}

void machine_link_speed(const struct machine *machine, int link, double *bandwidth_Bps, double *latency_s)
{
    *bandwidth_Bps = sg_link_get_bandwidth(machine->routes->sg_links[link]);
    *latency_s = sg_link_get_latency(machine->routes->sg_links[link]);
}
