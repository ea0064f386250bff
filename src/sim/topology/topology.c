/* Topologies by number of hosts and dimensions: made, parsed, written.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Check what is common to all topologies, then let the one build itself. */
static int build(struct topology *topology, char *why, size_t why_size)
{
    const struct topology_spec *spec = topology->spec;
    struct dimensions *dimensions = &topology->dimensions;
    if (!spec->has_up && dimensions->n_up > 0)
        return sim_error_why(why, why_size, "a %s has no second list after a colon; allowed: %s", spec->name,
                             spec->form);
    if (spec->most_hosts > 0) {
        if (count_hosts(topology, spec->most_hosts, why, why_size) != 0)
            return -1;
        *dimensions = (struct dimensions){.n = 1, .side = {topology->n_hosts}};
    }
    return spec->build(topology, why, why_size);
}

static int make(struct topology *topology, const struct topology_spec *spec, const struct dimensions *dimensions,
                char *why, size_t why_size)
{
    struct topology made = {.spec = spec, .dimensions = *dimensions};
    char text[200], what[200];
    if (build(&made, what, sizeof what) != 0) {
        dimensions_format(text, sizeof text, dimensions);
        return sim_error_why(why, why_size, "%s does not fit the topology %s: %s", text, spec->name, what);
    }
    made.max_hops *= spec->detour != NULL ? 2 : 1;
    topology_set_routing(&made, ROUTING_AUTO, 0);
    *topology = made;
    return 0;
}

int topology_init(struct topology *topology, const struct topology_spec *spec, const struct dimensions *dimensions,
                  int n_hosts, struct sim_error *error)
{
    struct topology made;
    char why[480], text[200];
    assert(n_hosts >= 1);
    if (n_hosts > TOPOLOGY_MAX_HOSTS)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'topology': %d hosts are wanted; a topology has at most %d", n_hosts,
                             TOPOLOGY_MAX_HOSTS);
    struct dimensions wanted = *dimensions;
    if (dimensions->n == 0)
        spec->choose(&wanted, n_hosts);
    if (make(&made, spec, &wanted, why, sizeof why) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter 'dimensions': %s", why);
    dimensions_format(text, sizeof text, &wanted);
    if (made.n_hosts < n_hosts)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'dimensions': a %s of %s has %d hosts; at least %d are needed, or a larger "
                             "'ranks_per_host'",
                             spec->name, text, made.n_hosts, n_hosts);
    *topology = made;
    return 0;
}

/* The next segment; the usual way is short. */
static inline void go_on(const struct topology *topology, int from, int to, uint32_t *drawn,
                         struct topology_segment *segment)
{
    if (*drawn != 0)
        topology_follow(topology, from, to, drawn, segment);
    else
        topology->spec->segment(topology, from, to, segment);
}

int topology_route(const struct topology *topology, int from, int to, int32_t *links)
{
    struct topology_segment segment;
    uint32_t drawn = topology_draw_pair(topology, from, to);
    int hops = 0;
    for (int here = from; here != to; here = segment.end) {
        go_on(topology, here, to, &drawn, &segment);
        for (int i = 0; i < segment.count; i++)
            links[hops++] = segment.first + i * segment.step;
    }
    return hops;
}

int topology_hops(const struct topology *topology, int from, int to)
{
    struct topology_segment segment;
    uint32_t drawn = topology->routing == ROUTING_VALIANT ? topology_draw_pair(topology, from, to) : 0;
    int hops = 0;
    if (topology->spec->hops != NULL && drawn == 0)
        return topology->spec->hops(topology, from, to);
    for (int here = from; here != to; here = segment.end) {
        go_on(topology, here, to, &drawn, &segment);
        hops += segment.count;
    }
    return hops;
}

int topology_bundle(const struct topology *topology, int link)
{
    return topology->spec->bundle != NULL ? topology->spec->bundle(topology, link) : 1;
}

bool topology_has_bundles(const struct topology *topology)
{
    return topology->spec->bundle != NULL && topology->dimensions.n_up > 0;
}

enum wire_level leaf_level(const struct topology *topology, int link)
{
    return link < 2 * topology->n_hosts ? WIRE_HOST : WIRE_LEAF;
}

const char *const wire_level_names[N_WIRE_LEVELS] = {"host", "leaf", "spine", "global"};

struct wire_speed topology_wire(const struct topology *topology, const struct topology_style *style, int link)
{
    enum wire_level level = topology->spec->level != NULL ? topology->spec->level(topology, link) : WIRE_HOST;
    struct wire_speed wire = style->levels[level];
    if (!(wire.bandwidth_Bps > 0))
        wire = (struct wire_speed){style->bandwidth_Bps, style->latency_s};
    wire.bandwidth_Bps *= topology_bundle(topology, link);
    return wire;
}

bool topology_is_uniform(const struct topology *topology, const struct topology_style *style)
{
    for (int level = 0; level < N_WIRE_LEVELS; level++)
        if (style->levels[level].bandwidth_Bps > 0)
            return false;
    return !topology_has_bundles(topology);
}

/* Which is what a fat tree without second list has; of a dragonfly, single wires. */
static bool has_full_bisection(const struct dimensions *dimensions)
{
    for (int l = 0; l < dimensions->n_up; l++)
        if (dimensions->up[l] != (l == 0 ? 1 : dimensions->side[l - 1]))
            return false;
    return true;
}

void topology_format(char *text, size_t text_size, const struct topology *topology)
{
    char sizes[200];
    struct dimensions shown = topology->dimensions;
    if (!topology->spec->has_up || has_full_bisection(&shown))
        shown.n_up = 0;
    if (topology->spec->most_hosts > 0)
        shown = (struct dimensions){.n = 1, .side = {topology->n_hosts}};
    dimensions_format(sizes, sizeof sizes, &shown);
    snprintf(text, text_size, "%s %s", topology->spec->name, sizes);
}

int topology_parse(struct topology *topology, const char *text, char *why, size_t why_size)
{
    size_t length = strcspn(text, " ");
    struct dimensions dimensions;
    int i = 0;
    while (topology_specs[i] != NULL &&
           (strlen(topology_specs[i]->name) != length || strncmp(topology_specs[i]->name, text, length) != 0))
        i++;
    if (topology_specs[i] == NULL || text[length] == '\0')
        return sim_error_why(why, why_size, "'%.80s' is not a topology with its dimensions, such as torus 16x8", text);
    if (dimensions_parse(&dimensions, text + length + 1, why, why_size) != 0)
        return -1;
    return make(topology, topology_specs[i], &dimensions, why, why_size);
}

static bool is_used(const struct topology *topology, const bool *used, int node)
{
    return used == NULL || node >= topology->n_hosts || used[node];
}

int64_t topology_wire_count(const struct topology *topology, const bool *used)
{
    int64_t count = 0;
    int from, to;
    for (int link = 0; link < topology->n_links; link++)
        count += topology->spec->ends(topology, link, &from, &to) && from < to && is_used(topology, used, from) &&
                 is_used(topology, used, to);
    return count;
}

void topology_facts(struct topology_facts *facts, const struct topology *topology)
{
    *facts = (struct topology_facts){.hosts = topology->n_hosts, .switches = topology->n_switches};
    topology->spec->facts(facts, topology);
}

/* To three digits, without -0: so they are the same on any computer. */
static void round_place(double at[3])
{
    for (int axis = 0; axis < 3; axis++)
        at[axis] = round(at[axis] * 1000) / 1000 + 0.0;
}

void topology_place(double at[3], const struct topology *topology, int node)
{
    at[0] = at[1] = at[2] = 0;
    topology->spec->place(at, topology, node);
    round_place(at);
}

void place_on_circle(double at[3], int i, int n, double radius)
{
    double angle = 2 * acos(-1) * i / n;
    at[0] += radius * sin(angle);
    at[1] += radius * cos(angle);
}

double circle_radius(int n)
{
    return n > 1 ? n / (2 * acos(-1)) : 0;
}

void topology_place_on_circle(double at[3], int i, int n)
{
    at[0] = at[1] = at[2] = 0;
    place_on_circle(at, i, n, circle_radius(n));
    round_place(at);
}

int count_hosts(struct topology *topology, int most, char *why, size_t why_size)
{
    int64_t n = dimensions_product(topology->dimensions.side, topology->dimensions.n, most);
    if (n < 0)
        return sim_error_why(why, why_size, "at most %d hosts are allowed", most);
    topology->n_hosts = (int)n;
    return 0;
}

int any_other_switch(const struct topology *topology, int one, int two, uint64_t random)
{
    int taken = one == two ? 1 : 2, n = topology->n_switches - taken;
    if (n <= 0)
        return -1;
    int low = one < two ? one : two, high = one < two ? two : one, other = (int)(random % (uint64_t)n);
    other += other >= low;
    other += taken == 2 && other >= high;
    return topology->n_hosts + other;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

int64_t hosts_to_cut(int64_t hosts, int64_t there)
{
    int64_t low = distance(there, hosts / 2), high = distance(there, (hosts + 1) / 2);
    return low < high ? low : high;
}

void line_choose(struct dimensions *dimensions, int n_hosts)
{
    *dimensions = (struct dimensions){.n = 1, .side = {n_hosts}};
}

void write_cluster(FILE *stream, const struct topology *topology, const struct topology_text *text, const char *kind,
                   const char *parameters)
{
    fprintf(stream,
            "    <cluster id=\"%s\" prefix=\"n\" suffix=\"\" radical=\"0-%d\" speed=\"%sf\"\n"
            "             bw=\"%sBps\" lat=\"%ss\" sharing_policy=\"SPLITDUPLEX\"",
            topology->spec->name, topology->n_hosts - 1, text->speed, text->bandwidth, text->latency);
    if (kind != NULL)
        fprintf(stream, "\n             topology=\"%s\" topo_parameters=\"%s\"", kind, parameters);
    fputs("/>\n", stream);
}

static void write_route(FILE *stream, const struct topology *topology, int from, int to, int32_t *links)
{
    int hops = topology_route(topology, from, to, links);
    fprintf(stream, "    <route src=\"n%d\" dst=\"n%d\" symmetrical=\"NO\">", from, to);
    for (int i = 0; i < hops; i++)
        fprintf(stream, "<link_ctn id=\"l%d\"/>", links[i]);
    fputs("</route>\n", stream);
}

void write_routes(FILE *stream, const struct topology *topology, const struct topology_text *text)
{
    int32_t *links = xmalloc((size_t)topology->max_hops * sizeof *links);
    int from, to;
    for (int host = 0; host < topology->n_hosts; host++)
        fprintf(stream, "    <host id=\"n%d\" speed=\"%sf\"/>\n", host, text->speed);
    for (int link = 0; link < topology->n_links; link++)
        if (topology->spec->ends(topology, link, &from, &to))
            fprintf(stream, "    <link id=\"l%d\" bandwidth=\"%sBps\" latency=\"%ss\"/>\n", link, text->bandwidth,
                    text->latency);
    for (from = 0; from < topology->n_hosts; from++)
        for (to = 0; to < topology->n_hosts; to++)
            if (from != to)
                write_route(stream, topology, from, to, links);
    free(links);
}

/* The shortest text that is read back as the same number. */
static void format_exactly(char *text, size_t text_size, double number)
{
    int digits = 12;
    do
        snprintf(text, text_size, "%.*g", digits++, number);
    while (digits <= 17 && !(strtod(text, NULL) >= number && strtod(text, NULL) <= number));
}

void topology_write(FILE *stream, const struct topology *topology, const struct topology_style *style)
{
    struct topology_text text;
    format_exactly(text.speed, sizeof text.speed, style->speed_flopps);
    format_exactly(text.bandwidth, sizeof text.bandwidth, style->bandwidth_Bps);
    format_exactly(text.latency, sizeof text.latency, style->latency_s);
    topology->spec->write(stream, topology, &text);
}
