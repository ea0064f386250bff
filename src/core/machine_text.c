/* Reads a machine from text: simrun.h says what it holds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/simrun.h"

#include "base/memory.h"
#include "sim/graph/connect.h"
#include "sim/graph/graph.h"
#include "sim/machine/cost_props.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A machine that is being read. */
struct reader {
    const char *name; /* in messages */
    long line;
    struct machine_props props;
    struct graph graph;
    struct graph_names *names; /* of hosts, routers and links; NULL: no route has been read yet */
    bool has_routes, has_edges;
    struct topology topology; /* of `hosts`; spec NULL: there is no such line */
    struct topology_style style;
    struct sim_error *error;
};

static int fail(const struct reader *reader, const char *what, const char *text)
{
    return sim_error_set(reader->error, SIM_BAD_INPUT, reader->name, reader->line, "%s '%.80s'", what, text);
}

static int read_value(double *value, const struct reader *reader, const char *word, enum graph_quantity quantity)
{
    static const char *const examples[] = {
        [GRAPH_SPEED] = "a speed such as 1.36Mf is needed instead of",
        [GRAPH_BANDWIDTH] = "a bandwidth such as 2.5MBps is needed instead of",
        [GRAPH_LATENCY] = "a latency such as 50us is needed instead of",
    };
    return graph_value(value, word, quantity) ? 0 : fail(reader, examples[quantity], word);
}

/* ---- Lines ---- */

/* hosts TOPOLOGY SPEED BANDWIDTH LATENCY; the topology is of two words or more. */
static int read_hosts(struct reader *reader, char *rest)
{
    static const enum graph_quantity quantities[] = {GRAPH_LATENCY, GRAPH_BANDWIDTH, GRAPH_SPEED};
    double values[3];
    struct topology topology;
    char why[512], *blank = rest;
    for (int i = 0; i < 4 && blank != NULL; i++)
        blank = strchr(blank + (i > 0), ' ');
    if (blank == NULL)
        return fail(reader, "'hosts' needs TOPOLOGY SPEED BANDWIDTH LATENCY, such as torus 4x4 1Gf 125MBps 20us, not",
                    rest);
    for (int i = 0; i < 3; i++) {
        blank = strrchr(rest, ' ');
        if (read_value(&values[i], reader, blank + 1, quantities[i]) != 0)
            return -1;
        *blank = '\0';
    }
    if (topology_parse(&topology, rest, why, sizeof why) != 0)
        return sim_error_set(reader->error, SIM_BAD_INPUT, reader->name, reader->line, "%s", why);
    if (reader->topology.spec != NULL)
        return fail(reader, "'hosts' must be the only source of hosts; others come before", rest);
    reader->topology = topology;
    reader->style =
        (struct topology_style){.speed_flopps = values[2], .bandwidth_Bps = values[1], .latency_s = values[0]};
    return 0;
}

/* The kinds of lines that list hosts and wires one by one. */
enum kind { HOST, ROUTER, LINK, PIPE, ROUTE, EDGE, N_KINDS };
static const struct {
    const char *word, *needs;
    int n_words; /* behind it; of a route and a pipe at least */
} kinds[N_KINDS] = {
    [HOST] = {"host", "'host' needs NAME SPEED, not", 2},
    [ROUTER] = {"router", "'router' needs NAME, not", 1},
    [LINK] = {"link", "'link' needs NAME BANDWIDTH LATENCY, not", 3},
    [PIPE] = {"pipe", "'pipe' needs NAME or NAME BANDWIDTH LATENCY, not", 1},
    [ROUTE] = {"route", "'route' needs FROM TO LINK..., not", 3},
    [EDGE] = {"edge", "'edge' needs FROM TO LINK, not", 3},
};
enum { MOST_WORDS = 4096 };

static int read_node(struct reader *reader, char **words, bool is_host)
{
    double speed_flopps = 0;
    if (is_host && read_value(&speed_flopps, reader, words[1], GRAPH_SPEED) != 0)
        return -1;
    graph_add_node(&reader->graph, words[0], speed_flopps);
    return 0;
}

static int read_link(struct reader *reader, char **words, int n_words, bool is_wire)
{
    struct graph_link link = {.name = words[0], .bandwidth_Bps = INFINITY, .number = is_wire ? 0 : -1};
    if (n_words > 1 && (read_value(&link.bandwidth_Bps, reader, words[1], GRAPH_BANDWIDTH) != 0 ||
                        read_value(&link.latency_s, reader, words[2], GRAPH_LATENCY) != 0))
        return -1;
    graph_add_link(&reader->graph, &link);
    return 0;
}

/* Names must be known before routes. */
static int find_names(struct reader *reader)
{
    if (reader->names == NULL)
        reader->names = graph_names_new(&reader->graph, NULL);
    if (reader->names != NULL)
        return 0;
    return sim_error_set(reader->error, SIM_BAD_INPUT, reader->name, reader->line,
                         "two hosts or routers, or two links, have the same name");
}

/* A route from a host to itself goes with routes and with edges. */
static int read_route(struct reader *reader, enum kind kind, char **words, int n_words)
{
    struct graph *graph = &reader->graph;
    if (find_names(reader) != 0)
        return -1;
    int from = graph_find_node(reader->names, words[0]), to = graph_find_node(reader->names, words[1]);
    if (from < 0 || to < 0)
        return fail(reader, "there is no host or router called", words[from >= 0]);
    if (from == to && (kind == EDGE || graph->nodes[from].speed_flopps <= 0))
        return fail(reader, "only a route may begin and end at the same node, and only at a host:", words[0]);
    graph_add_edge(graph, from, to);
    for (int i = 2; i < n_words; i++) {
        int link = graph_find_link(reader->names, words[i]);
        if (link < 0)
            return fail(reader, "there is no link or pipe called", words[i]);
        graph_add_hop(graph, link);
    }
    reader->has_routes |= kind == ROUTE && from != to;
    reader->has_edges |= kind == EDGE;
    if (reader->has_edges && reader->has_routes)
        return fail(reader, "routes and edges cannot be mixed; found at", words[0]);
    return 0;
}

static int read_part(struct reader *reader, enum kind kind, char *rest)
{
    char *words[MOST_WORDS], *next, *all = xstrdup(rest);
    int n_words = 0, status = 0;
    char *word = strtok_r(rest, " \t", &next);
    for (; word != NULL && n_words < MOST_WORDS; word = strtok_r(NULL, " \t", &next))
        words[n_words++] = word;
    bool is_pipe = kind == PIPE && n_words == 3;
    if (word != NULL)
        status = fail(reader, "too many words:", words[0]);
    else if (n_words < kinds[kind].n_words || (kind != ROUTE && n_words > kinds[kind].n_words && !is_pipe))
        status = fail(reader, kinds[kind].needs, all);
    else if (reader->names != NULL && kind < ROUTE)
        status = fail(reader, "hosts, routers, links and pipes must come before routes and edges:", words[0]);
    free(all);
    if (status != 0)
        return status;
    if (kind >= ROUTE)
        return read_route(reader, kind, words, n_words);
    return kind >= LINK ? read_link(reader, words, n_words, kind == LINK) : read_node(reader, words, kind == HOST);
}

static int read_line(struct reader *reader, char *line)
{
    size_t length = strcspn(line, " \t");
    char *rest = line + length + strspn(line + length, " \t");
    line[length] = '\0';
    if (strcmp(line, "hosts") == 0)
        return read_hosts(reader, rest);
    for (int kind = 0; kind < N_KINDS; kind++)
        if (strcmp(line, kinds[kind].word) == 0)
            return read_part(reader, (enum kind)kind, rest);
    if (strcmp(line, "costs_from") == 0)
        return fail(reader, "this text contains the costs, so costs_from is not allowed:", rest);
    if (machine_props_find(&reader->props, line) != NULL)
        return fail(reader, "given twice:", line);
    machine_props_append(&reader->props, reader->name, reader->line, line, rest);
    return 0;
}

static int read_lines(struct reader *reader, char *text)
{
    for (char *line = text, *end; line != NULL; line = end) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        size_t length = strlen(line);
        while (length > 0 && isspace((unsigned char)line[length - 1]))
            line[--length] = '\0';
        line += strspn(line, " \t");
        reader->line++;
        if (line[0] != '\0' && line[0] != '#' && read_line(reader, line) != 0)
            return -1;
    }
    return 0;
}

/* ---- The machine ---- */

/* Hosts and wires that are a topology, which says also what is a mesh. */
static int connect_topology(struct machine *machine, struct reader *reader)
{
    for (size_t i = 0; i < reader->props.count; i++)
        if (machine_prop_is_own(reader->props.items[i].id) && strncmp(reader->props.items[i].id, "about.", 6) != 0)
            return machine_prop_error(&reader->props.items[i], NULL, reader->error, "'hosts' already sets that");
    if (reader->graph.n_nodes + reader->graph.n_links > 0)
        return fail(reader, "with 'hosts' there must be no", reader->graph.n_nodes > 0 ? "host" : "link");
    struct topology_style style = machine->net->style; /* what the props say */
    style.speed_flopps = reader->style.speed_flopps;
    style.bandwidth_Bps = reader->style.bandwidth_Bps;
    style.latency_s = reader->style.latency_s;
    interconnect_release(machine->net);
    machine->net = interconnect_of(&reader->topology, &style);
    return 0;
}

static int connect_graph(struct machine *machine, struct reader *reader)
{
    char why[512] = "there are no hosts";
    struct route_table *routes = NULL;
    if (find_names(reader) != 0)
        return -1;
    if (reader->graph.n_nodes > 0) {
        reader->graph.searches = reader->has_edges;
        routes = graph_routes(&reader->graph, why, sizeof why);
        reader->graph = (struct graph){.searches = false};
    }
    if (routes == NULL)
        return sim_error_set(reader->error, SIM_BAD_INPUT, reader->name, 0, "%s", why);
    return machine_connect(machine, routes, &reader->props, reader->error);
}

static int make_machine(struct machine *machine, struct reader *reader)
{
    machine_init(machine, reader->name, reader->name);
    reader->line = 0; /* what is wrong now is wrong with the whole */
    if (machine_read_props(machine, &reader->props, reader->error) != 0)
        return -1;
    return reader->topology.spec != NULL ? connect_topology(machine, reader) : connect_graph(machine, reader);
}

int simrun_read_machine(struct machine **machine, const char *name, const char *text, struct sim_error *error)
{
    struct reader reader = {.name = name, .props.file = xstrdup(name), .error = error};
    struct machine *made = xcalloc(1, sizeof *made);
    char *copy = xstrdup(text);
    int status = read_lines(&reader, copy);
    if (status == 0 && (status = make_machine(made, &reader)) != 0)
        machine_dispose(made);
    if (status == 0) {
        made->passed_over = machine_props_passed_over(&reader.props);
        *machine = made;
    } else {
        free(made);
    }
    graph_names_free(reader.names);
    graph_dispose(&reader.graph);
    machine_props_dispose(&reader.props);
    free(copy);
    return status;
}

void simrun_free_machine(struct machine *machine)
{
    if (machine == NULL)
        return;
    machine_dispose(machine);
    free(machine);
}
