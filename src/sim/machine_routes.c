/* SimGrid's side of a machine: its hosts and links by number, and the routes, remembered. */
#include "sim/machine_internal.h"

#include "base/memory.h"
#include "sim/machine.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xbt/dynar.h>

/* SimGrid holds one platform for the life of the process, so what it holds is remembered here. */
static int load_once(const char *file, struct sim_error *error)
{
    static char *loaded;
    char *path = realpath(file, NULL);
    if (path == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be opened: %s", strerror(errno));
    int result = 0;
    if (loaded == NULL) {
        char threshold[] = "--log=root.thres:critical";
        result = machine_trial(file, error);
        if (result == 0)
            machine_simgrid_load(file, threshold);
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

/* A remembered route of `count` links. An entry with from < 0 is free. */
struct route_entry {
    int32_t from, to;
    const int32_t *links;
    int32_t count;
};

/* Links of routes, which stay where they are as long as the machine lives. */
struct link_block {
    struct link_block *next;
    size_t used, size;
    int32_t links[];
};

struct route_table {
    sg_host_t *hosts; /* by number */
    int n_hosts, n_links;
    struct route_entry *entries; /* open addressing, at most half full */
    size_t n_entries, mask;
    struct link_block *blocks; /* the first one has room */
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
    for (size_t i = 0; i < sg_link_count(); i++)
        if (sg_link_is_shared(links[i]) != 0)
            sg_link_set_data(links[i], (void *)++n);
    routes->n_links = (int)n;
    free(links);
}

static void resize_entries(struct route_table *routes, size_t size);

struct route_table *machine_routes_open(const char *file, struct sim_error *error)
{
    if (load_once(file, error) != 0)
        return NULL;
    struct route_table *routes = xcalloc(1, sizeof *routes);
    routes->n_hosts = (int)sg_host_count();
    number_hosts(routes);
    number_links(routes);
    resize_entries(routes, 256);
    return routes;
}

void machine_routes_close(struct route_table *routes)
{
    if (routes == NULL)
        return;
    free(routes->hosts);
    free(routes->entries);
    for (struct link_block *block = routes->blocks, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
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
static struct route_entry *find_entry(const struct route_table *routes, int32_t from, int32_t to)
{
    uint64_t hash = ((uint64_t)(uint32_t)from << 32 | (uint32_t)to) * UINT64_C(0x9E3779B97F4A7C15);
    size_t place = (size_t)(hash >> 32) & routes->mask;
    for (;; place = (place + 1) & routes->mask) {
        struct route_entry *entry = &routes->entries[place];
        if ((entry->from == from && entry->to == to) || entry->from < 0)
            return entry;
    }
}

static void resize_entries(struct route_table *routes, size_t size)
{
    struct route_entry *old = routes->entries;
    size_t old_size = old != NULL ? routes->mask + 1 : 0;
    routes->entries = xmalloc(size * sizeof *routes->entries);
    routes->mask = size - 1;
    for (size_t i = 0; i < size; i++)
        routes->entries[i].from = -1;
    for (size_t i = 0; i < old_size; i++)
        if (old[i].from >= 0)
            *find_entry(routes, old[i].from, old[i].to) = old[i];
    free(old);
}

/* A block that has room for `count` more links. */
static struct link_block *find_room(struct route_table *routes, size_t count)
{
    enum { BLOCK_LINKS = 16384 };
    struct link_block *block = routes->blocks;
    if (block != NULL && block->size - block->used >= count)
        return block;
    size_t size = count > BLOCK_LINKS ? count : BLOCK_LINKS;
    block = xmalloc(sizeof *block + size * sizeof block->links[0]);
    *block = (struct link_block){.next = routes->blocks, .size = size};
    routes->blocks = block;
    return block;
}

/* NULL when SimGrid knows no route. */
static struct route_entry *remember_route(struct route_table *routes, int from, int to)
{
    xbt_dynar_t links = ask_route(routes->hosts[from], routes->hosts[to]);
    if (xbt_dynar_is_empty(links)) {
        xbt_dynar_free(&links);
        return NULL;
    }
    if (++routes->n_entries > routes->mask / 2)
        resize_entries(routes, (routes->mask + 1) * 2);
    struct route_entry *entry = find_entry(routes, from, to);
    struct link_block *block = find_room(routes, xbt_dynar_length(links));
    *entry = (struct route_entry){from, to, &block->links[block->used], 0};
    for (unsigned long i = 0; i < xbt_dynar_length(links); i++) {
        intptr_t number = (intptr_t)sg_link_get_data(xbt_dynar_get_as(links, i, sg_link_t));
        if (number > 0)
            block->links[block->used++] = (int32_t)(number - 1);
    }
    entry->count = (int32_t)(&block->links[block->used] - entry->links);
    xbt_dynar_free(&links);
    return entry;
}

int machine_route(struct machine *machine, int from_host, int to_host, const int32_t **links)
{
    struct route_table *routes = machine->routes;
    assert(from_host >= 0 && from_host < routes->n_hosts && to_host >= 0 && to_host < routes->n_hosts);
    *links = NULL;
    if (from_host == to_host)
        return 0;
    struct route_entry *entry = find_entry(routes, from_host, to_host);
    if (entry->from < 0)
        entry = remember_route(routes, from_host, to_host);
    if (entry == NULL)
        return -1;
    *links = entry->links;
    return entry->count;
}

int machine_link_count(const struct machine *machine)
{
    return machine->routes->n_links;
}
