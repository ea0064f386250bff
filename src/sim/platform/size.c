/* How much memory a platform takes in SimGrid. A few bytes of a file can stand for any number of hosts and links, so
 * this is counted before SimGrid makes them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "os/child.h"

#include <libxml/tree.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Measured with SimGrid 3.32: a host or link takes 720 to 1000 bytes in any cluster. A Full zone keeps 8 bytes for each
 * pair of what it holds, a Floyd zone 24. */
#define ITEM_BYTES 720.0
#define FULL_PAIR_BYTES 8.0
#define FLOYD_PAIR_BYTES 24.0

enum { MAX_LEVELS = 64 }; /* numbers of one list of topo_parameters that are looked at */

static const char *get(xmlChar **attribute, const xmlNode *node, const char *name)
{
    *attribute = xmlGetNoNsProp(node, (const xmlChar *)name);
    return *attribute != NULL ? (const char *)*attribute : "";
}

static bool is(const xmlNode *node, const char *name, const char *value)
{
    xmlChar *attribute;
    bool same = strcmp(get(&attribute, node, name), value) == 0;
    xmlFree(attribute);
    return same;
}

/* ---- Clusters ---- */

/* "0-3,7" are 5. SimGrid counts in an int and does not come to an end at the largest. SimGrid reports malformed
 * sizes. */
static double count_radicals(const char *text)
{
    double n = 0;
    for (; *text != '\0'; text += *text == ',') {
        char *end;
        long first = strtol(text, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        n += last >= INT_MAX ? UINT_MAX : last >= first ? (double)last - (double)first + 1 : 0;
        text = end + strcspn(end, ",");
    }
    return n;
}

/* The numbers between commas up to the next ';', and where the list after that begins. */
struct list {
    double numbers[MAX_LEVELS];
    int n;
};

static const char *read_list(struct list *list, const char *text)
{
    for (list->n = 0; *text != '\0' && *text != ';'; text += *text == ',') {
        if (list->n < MAX_LEVELS)
            list->numbers[list->n++] = (double)strtoul(text, NULL, 10);
        text += strcspn(text, ",;");
    }
    return text + (*text == ';');
}

/* The topologies' numbers of wires, as SimGrid lays them: "4,4,4"; */
static double count_torus(double n_hosts, const char *parameters)
{
    double n_sides = 1;
    for (; *parameters != '\0'; parameters++)
        n_sides += *parameters == ',';
    return n_hosts * n_sides;
}

/* "levels; children of each level; parents of each; wires to each of these"; */
static double count_fat_tree(double n_hosts, const char *parameters)
{
    struct list levels, down, up, wires;
    read_list(&wires, read_list(&up, read_list(&down, read_list(&levels, parameters))));
    double n = 0, n_nodes = n_hosts; /* of the level */
    for (int i = 0; i < down.n && i < up.n && i < wires.n; i++) {
        n += n_nodes * up.numbers[i] * wires.numbers[i];
        n_nodes = down.numbers[i] > 0 ? n_nodes / down.numbers[i] * up.numbers[i] : 0;
    }
    return n;
}

/* "groups, wires; chassis of a group, wires; routers of a chassis, wires; hosts of a router". Several wires side by
 * side are one faster link. */
static double count_dragonfly(double n_hosts, const char *parameters)
{
    struct list list;
    double n[3] = {0};
    for (int i = 0; i < 3; i++) {
        parameters = read_list(&list, parameters);
        n[i] = list.n > 0 ? list.numbers[0] : 0;
    }
    double groups = n[0], chassis = n[1], routers = n[2];
    return n_hosts + groups * chassis * routers * (routers - 1) / 2 + groups * routers * chassis * (chassis - 1) / 2 +
           groups * (groups - 1) / 2;
}

static double count_wires(const xmlNode *cluster, double n_hosts)
{
    xmlChar *attribute;
    const char *parameters = get(&attribute, cluster, "topo_parameters");
    double n = is(cluster, "topology", "TORUS")       ? count_torus(n_hosts, parameters)
               : is(cluster, "topology", "FAT_TREE")  ? count_fat_tree(n_hosts, parameters)
               : is(cluster, "topology", "DRAGONFLY") ? count_dragonfly(n_hosts, parameters)
                                                      : n_hosts;
    xmlFree(attribute);
    return is(cluster, "sharing_policy", "SHARED") || is(cluster, "sharing_policy", "FATPIPE") ? n : 2 * n;
}

/* ---- The platform ---- */

/* Hosts and links that the element stands for. */
static double count_items(const xmlNode *node)
{
    const char *name = (const char *)node->name;
    if (strcmp(name, "host") == 0 || strcmp(name, "link") == 0)
        return 1;
    if (strcmp(name, "cluster") != 0 && strcmp(name, "cabinet") != 0)
        return 0;
    xmlChar *attribute;
    double n_hosts = count_radicals(get(&attribute, node, "radical"));
    xmlFree(attribute);
    return strcmp(name, "cabinet") == 0 ? 3 * n_hosts : n_hosts + count_wires(node, n_hosts);
}

/* The bytes that a zone keeps for the pairs of hosts, routers, zones in it. */
static double zone_bytes(const xmlNode *zone)
{
    static const char *const ends[] = {"host", "router", "zone", "AS", "cluster"};
    double n = 0, pair_bytes = is(zone, "routing", "Full")    ? FULL_PAIR_BYTES
                               : is(zone, "routing", "Floyd") ? FLOYD_PAIR_BYTES
                                                              : 0;
    for (const xmlNode *node = zone->children; node != NULL; node = node->next)
        for (size_t i = 0; node->type == XML_ELEMENT_NODE && i < sizeof ends / sizeof ends[0]; i++)
            n += strcmp((const char *)node->name, ends[i]) == 0;
    return n * n * pair_bytes;
}

/* libxml2 has bounded the depth. `sum` is of all elements up to this. */
static int add_bytes(double *sum, const xmlNode *parent, const char *file, struct sim_error *error)
{
    const double gib = 1 << 30;
    for (const xmlNode *node = parent->children; node != NULL; node = node->next) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        *sum += ITEM_BYTES * count_items(node) + zone_bytes(node);
        if (!(*sum <= TRIAL_GIB * gib))
            return sim_error_set(
                error, SIM_BAD_INPUT, file, xmlGetLineNo(node),
                "<%s>: with this, the hosts and links take %.1f GiB of memory in SimGrid; allowed: %d GiB",
                (const char *)node->name, *sum / gib, TRIAL_GIB);
        if (add_bytes(sum, node, file, error) != 0)
            return -1;
    }
    return 0;
}

int machine_size_check(const struct _xmlNode *root, const char *file, struct sim_error *error)
{
    double sum = 0;
    return add_bytes(&sum, root, file, error);
}
