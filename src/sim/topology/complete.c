/* Complete network: each pair of hosts has a wire.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

static int complete_build(struct topology *topology, char *why, size_t why_size)
{
    (void)why;
    (void)why_size;
    topology->n_links = topology->n_hosts * topology->n_hosts;
    topology->max_hops = 1;
    return 0;
}

static void complete_segment(const struct topology *topology, int from, int to, struct topology_segment *segment)
{
    *segment = (struct topology_segment){.first = from * topology->n_hosts + to, .count = 1, .end = to};
}

static bool complete_ends(const struct topology *topology, int link, int *from, int *to)
{
    *from = link / topology->n_hosts;
    *to = link % topology->n_hosts;
    return *from != *to;
}

static void complete_facts(struct topology_facts *facts, const struct topology *topology)
{
    int64_t n = topology->n_hosts;
    facts->wires = n * (n - 1) / 2;
    facts->diameter = n > 1;
    facts->bisection = n / 2 * ((n + 1) / 2);
    facts->degree = facts->host_degree = n - 1;
}

static void complete_place(double at[3], const struct topology *topology, int node)
{
    place_on_circle(at, node, topology->n_hosts, circle_radius(topology->n_hosts));
}

static void complete_write(FILE *stream, const struct topology *topology, const struct topology_text *text)
{
    for (int host = 0; host < topology->n_hosts; host++)
        fprintf(stream, "    <host id=\"n%d\" speed=\"%sf\"/>\n", host, text->speed);
    for (int from = 0; from < topology->n_hosts; from++)
        for (int to = from + 1; to < topology->n_hosts; to++)
            fprintf(stream,
                    "    <link id=\"w%d-%d\" bandwidth=\"%sBps\" latency=\"%ss\" "
                    "sharing_policy=\"SPLITDUPLEX\"/>\n",
                    from, to, text->bandwidth, text->latency);
    for (int from = 0; from < topology->n_hosts; from++)
        for (int to = from + 1; to < topology->n_hosts; to++)
            fprintf(stream, "    <route src=\"n%d\" dst=\"n%d\"><link_ctn id=\"w%d-%d\" direction=\"UP\"/></route>\n",
                    from, to, from, to);
}

const struct topology_spec topology_complete = {
    .name = "complete",
    .summary = "each host is wired to every other",
    .most_hosts = 4096, /* the wires grow with their square */
    .form = "HOSTS, at most 4096",
    .routing = "the one wire",
    .routings = ROUTING_BIT(MINIMAL),
    .choose = line_choose,
    .build = complete_build,
    .segment = complete_segment,
    .ends = complete_ends,
    .facts = complete_facts,
    .place = complete_place,
    .zone_routing = "Full",
    .write = complete_write,
};
