/* Reads a machine from text: simrun.h says what it holds. */
#include "core/simrun.h"

#include "base/memory.h"
#include "sim/graph/connect.h"
#include "sim/graph/graph.h"
#include "sim/machine/cost_props.h"

#include <ctype.h>
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

/* Cut the next word off; NULL if there is none. */
static char *next_word(char **rest)
{
    return strtok_r(NULL, " \t", rest);
}

static int read_value(double *value, const struct reader *reader, const char *word, enum graph_quantity quantity)
{
    static const char *const examples[] = {
        [GRAPH_SPEED] = "a speed such as 1.36Mf is needed instead of",
        [GRAPH_BANDWIDTH] = "a bandwidth such as 2.5MBps is needed instead of",
        [GRAPH_LATENCY] = "a latency such as 50us is needed instead of",
    };
    if (word == NULL || !graph_value(value, word, quantity))
        return fail(reader, examples[quantity], word != NULL ? word : "");
    return 0;
}

/* ---- Lines ---- */

/* hosts TOPOLOGY SPEED BANDWIDTH LATENCY */
static int read_hosts(struct reader *reader, char *rest)
{
    static const enum graph_quantity quantities[] = {GRAPH_LATENCY, GRAPH_BANDWIDTH, GRAPH_SPEED};
    double values[3];
    struct topology topology;
    char why[512];
    for (int i = 0; i < 3; i++) {
        char *blank = strrchr(rest, ' ');
        if (blank == NULL)
            return fail(reader, "hosts TOPOLOGY SPEED BANDWIDTH LATENCY is needed instead of", rest);
        if (read_value(&values[i], reader, blank + 1, quantities[i]) != 0)
            return -1;
        *blank = '\0';
    }
    if (topology_parse(&topology, rest, why, sizeof why) != 0)
        return sim_error_set(reader->error, SIM_BAD_INPUT, reader->name, reader->line, "%s", why);
    if (reader->topology.spec != NULL)
        return fail(reader, "there are hosts already before", rest);
    reader->topology = topology;
    reader->style = (struct topology_style){values[2], values[1], values[0]};
    return 0;
}

/* host NAME SPEED, router NAME */
static int read_node(struct reader *reader, const char *name, char *rest, bool is_host)
{
    double speed_flopps = 0;
    if (is_host && read_value(&speed_flopps, reader, next_word(&rest), GRAPH_SPEED) != 0)
        return -1;
    graph_add_node(&reader->graph, name, speed_flopps);
    return 0;
}

/* link NAME BANDWIDTH LATENCY, pipe NAME */
static int read_link(struct reader *reader, char *name, char *rest, bool is_wire)
{
    struct graph_link link = {.name = name, .bandwidth_Bps = 1, .number = is_wire ? 0 : -1};
    if (is_wire && (read_value(&link.bandwidth_Bps, reader, next_word(&rest), GRAPH_BANDWIDTH) != 0 ||
                    read_value(&link.latency_s, reader, next_word(&rest), GRAPH_LATENCY) != 0))
        return -1;
    graph_add_link(&reader->graph, &link);
    return 0;
}

/* route FROM TO LINK..., edge FROM TO LINK */
static int read_route(struct reader *reader, const char *name, char *rest)
{
    struct graph *graph = &reader->graph;
    const char *other = next_word(&rest);
    if (reader->names == NULL)
        reader->names = graph_names_new(graph, NULL);
    if (reader->names == NULL)
        return fail(reader, "two hosts and routers, or two links, have one name before the route from", name);
    int from = graph_find_node(reader->names, name), to = graph_find_node(reader->names, other);
    if (from < 0 || to < 0 || from == to)
        return fail(reader, "there is no other host or router called", from < 0 || other == NULL ? name : other);
    graph_add_edge(graph, from, to);
    int n_links = 0;
    for (const char *word = next_word(&rest); word != NULL; word = next_word(&rest), n_links++) {
        int link = graph_find_link(reader->names, word);
        if (link < 0)
            return fail(reader, "there is no link or pipe called", word);
        graph_add_hop(graph, link);
    }
    if (n_links == 0 || (reader->has_edges && (n_links > 1 || reader->has_routes)))
        return fail(reader, "a route has links, an edge has one, and there are only routes or only edges; from", name);
    return 0;
}

enum word { HOST, ROUTER, LINK, PIPE, ROUTE, EDGE, N_WORDS };
static const char *const words[N_WORDS] = {"host", "router", "link", "pipe", "route", "edge"};

static int read_part(struct reader *reader, enum word word, char *rest)
{
    char *name = next_word(&rest);
    if (name == NULL)
        return fail(reader, "a name is needed behind", words[word]);
    if (reader->names != NULL && word < ROUTE)
        return fail(reader, "routes and edges come last, behind", name);
    reader->has_routes |= word == ROUTE;
    reader->has_edges |= word == EDGE;
    if (word >= ROUTE)
        return read_route(reader, name, rest);
    return word >= LINK ? read_link(reader, name, rest, word == LINK) : read_node(reader, name, rest, word == HOST);
}

static int read_line(struct reader *reader, char *line)
{
    size_t length = strcspn(line, " \t");
    char *rest = line + length + strspn(line + length, " \t");
    line[length] = '\0';
    if (strcmp(line, "hosts") == 0)
        return read_hosts(reader, rest);
    for (int word = 0; word < N_WORDS; word++)
        if (strcmp(line, words[word]) == 0)
            return read_part(reader, (enum word)word, rest);
    if (machine_props_find(&reader->props, line) != NULL)
        return fail(reader, "this stands there already:", line);
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
        if (machine_prop_is_geometry(reader->props.items[i].id))
            return machine_prop_error(&reader->props.items[i], NULL, reader->error, "'hosts' says that");
    if (reader->graph.n_nodes + reader->graph.n_links > 0)
        return fail(reader, "there are 'hosts', and besides them", reader->graph.n_nodes > 0 ? "host" : "link");
    interconnect_release(machine->net);
    machine->net = interconnect_of(&reader->topology, &reader->style);
    return 0;
}

static int connect_graph(struct machine *machine, struct reader *reader)
{
    struct route_table *routes = NULL;
    if (reader->graph.n_nodes > 0) {
        reader->graph.searches = reader->has_edges;
        routes = graph_routes(&reader->graph);
        reader->graph = (struct graph){.searches = false};
    }
    if (routes == NULL)
        return sim_error_set(reader->error, SIM_BAD_INPUT, reader->name, 0,
                             "there are no hosts, or not exactly one shortest route from each host to each other");
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
    if (status == 0)
        *machine = made;
    else
        free(made);
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
