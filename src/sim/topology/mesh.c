/* Mesh of any number of sides: routes go along the first side, then the second, and so on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

/* For SimGrid, a node has a router for each dimension, and there is a way from each router to the next but none back,
 * so that the shortest routes are those of dimension order. What joins them stands for no wire. */
struct writer {
    FILE *stream;
    const struct topology *topology;
    const struct topology_text *text;
};

static void write_nodes(const struct writer *self)
{
    const struct dimensions *dimensions = &self->topology->dimensions;
    for (int host = 0; host < self->topology->n_hosts; host++) {
        fprintf(self->stream, "    <host id=\"n%d\" speed=\"%sf\"/>", host, self->text->speed);
        for (int d = 0; d < dimensions->n; d++)
            fprintf(self->stream, "<router id=\"%c%d\"/>", 'a' + d, host);
        fputc('\n', self->stream);
    }
}

static void write_wires(const struct writer *self, bool routes)
{
    const struct topology *topology = self->topology;
    int n = topology->dimensions.n, from, to;
    for (int link = 0; link < topology->n_links; link += 2) {
        int d = link / 2 % n;
        if (!grid_ends(topology, link, &from, &to))
            continue;
        if (routes)
            fprintf(self->stream,
                    "    <route src=\"%c%d\" dst=\"%c%d\"><link_ctn id=\"%c%d-%d\" direction=\"UP\"/></route>\n",
                    'a' + d, from, 'a' + d, to, 'a' + d, from, to);
        else
            fprintf(self->stream,
                    "    <link id=\"%c%d-%d\" bandwidth=\"%sBps\" latency=\"%ss\" "
                    "sharing_policy=\"SPLITDUPLEX\"/>\n",
                    'a' + d, from, to, self->text->bandwidth, self->text->latency);
    }
}

/* From the host through its routers and back to it. */
static void write_insides(const struct writer *self)
{
    for (int host = 0; host < self->topology->n_hosts; host++)
        for (int d = 0; d <= self->topology->dimensions.n; d++)
            fprintf(self->stream,
                    "    <route src=\"%c%d\" dst=\"%c%d\" symmetrical=\"NO\"><link_ctn id=\"inside\"/></route>\n",
                    d == 0 ? 'n' : 'a' + d - 1, host, d == self->topology->dimensions.n ? 'n' : 'a' + d, host);
}

static void mesh_write(FILE *stream, const struct topology *topology, const struct topology_text *text)
{
    const struct writer self = {stream, topology, text};
    write_nodes(&self);
    fputs("    <link id=\"inside\" bandwidth=\"1e15Bps\" latency=\"0s\" sharing_policy=\"FATPIPE\"/>\n", stream);
    write_wires(&self, false);
    write_insides(&self);
    write_wires(&self, true);
}

const struct topology_spec topology_mesh = {
    .name = "mesh",
    .summary = "a grid without wraparound",
    .form = "SIDExSIDE...",
    .routing = "dimension order: along the first side, then the second, ...",
    .routings = ROUTING_BIT(DIMENSION_ORDER) | ROUTING_BIT(ADAPTIVE),
    .is_grid = true,
    .choose = grid_choose,
    .build = grid_build,
    .segment = grid_segment,
    .options = grid_options,
    .option = grid_option,
    .hops = grid_hops,
    .ends = grid_ends,
    .facts = grid_facts,
    .place = grid_place,
    .zone_routing = "DijkstraCache",
    .write = mesh_write,
};
