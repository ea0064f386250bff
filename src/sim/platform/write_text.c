/* Writes a machine as text for the library.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "base/memory.h"
#include "base/range.h"
#include "sim/graph/graph.h"
#include "sim/machine/routes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 1024 }; /* hosts of which all pairs are listed */

/* A number that is read back exactly, without exponent. */
static void write_value(FILE *stream, double value, const char *unit)
{
    char text[400];
    int digits = 0;
    do
        snprintf(text, sizeof text, "%.*f", digits, value);
    while (strtod(text, NULL) != value && digits++ < 340);
    fprintf(stream, " %s%s", text, unit);
}

static void write_host(FILE *stream, const char *name, double speed_flopps)
{
    fprintf(stream, "host %s", name);
    write_value(stream, speed_flopps, "f\n");
}

static void write_link(FILE *stream, const char *word, const char *name, double bandwidth_Bps, double latency_s)
{
    fprintf(stream, "%s %s", word, name);
    write_value(stream, bandwidth_Bps, "Bps");
    write_value(stream, latency_s, "s\n");
}

/* ---- Hosts and wires ---- */

static void write_topology(FILE *stream, const struct interconnect *net)
{
    char shape[200];
    topology_format(shape, sizeof shape, net->topology);
    fprintf(stream, "hosts %s", shape);
    write_value(stream, net->style.speed_flopps, "f");
    write_value(stream, net->style.bandwidth_Bps, "Bps");
    write_value(stream, net->style.latency_s, "s\n");
}

static void write_graph(FILE *stream, const struct graph *graph)
{
    for (size_t i = 0; i < graph->n_nodes; i++)
        if (graph->nodes[i].speed_flopps > 0)
            write_host(stream, graph->nodes[i].name, graph->nodes[i].speed_flopps);
        else
            fprintf(stream, "router %s\n", graph->nodes[i].name);
    for (size_t i = 0; i < graph->n_links; i++)
        write_link(stream, graph->links[i].number >= 0 ? "link" : "pipe", graph->links[i].name,
                   graph->links[i].bandwidth_Bps, graph->links[i].latency_s);
    for (size_t i = 0; i < graph->n_edges; i++) {
        const struct graph_edge *edge = &graph->edges[i];
        fprintf(stream, "%s %s %s", graph->searches && edge->from != edge->to ? "edge" : "route",
                graph->nodes[edge->from].name, graph->nodes[edge->to].name);
        for (int hop = 0; hop < edge->n_links; hop++)
            fprintf(stream, " %s", graph->links[graph->hops[edge->first + hop]].name);
        fputc('\n', stream);
    }
}

/* The pipes: all that routes have besides wires, each kind once. */
struct pipes {
    struct wire *kinds;
    size_t n, capacity;
};

static double wires_byte_ps(const struct machine *machine, const struct route *route)
{
    double byte_ps = 0;
    for (int hop = 0; hop < route->hops; hop++)
        byte_ps = double_max(byte_ps, machine_wire(machine, route->links[hop])->byte_ps);
    return byte_ps;
}

/* The number of the pipe of a route, which is one more where it is new; -1: it has only wires. */
static int pipe_of(struct pipes *pipes, const struct machine *machine, const struct route *route)
{
    bool is_slower = route->byte_ps > wires_byte_ps(machine, route);
    const struct wire pipe = {route->beside_ps, is_slower ? route->byte_ps : 0};
    if (route->hops > 0 && !is_slower && pipe.latency_ps == 0)
        return -1;
    for (size_t i = 0; i < pipes->n; i++)
        if (pipes->kinds[i].latency_ps == pipe.latency_ps && pipes->kinds[i].byte_ps == pipe.byte_ps)
            return (int)i;
    pipes->kinds = xgrow(pipes->kinds, pipes->n, &pipes->capacity, sizeof *pipes->kinds);
    pipes->kinds[pipes->n] = pipe;
    return (int)pipes->n++;
}

static void write_pipe(FILE *stream, size_t number, const struct wire *pipe)
{
    char name[40];
    snprintf(name, sizeof name, "pipe-%zu", number);
    if (pipe->latency_ps == 0 && pipe->byte_ps == 0)
        fprintf(stream, "pipe %s\n", name);
    else
        write_link(stream, "pipe", name, pipe->byte_ps > 0 ? 1e12 / pipe->byte_ps : 1e15,
                   (double)pipe->latency_ps / 1e12);
}

/* All pairs of hosts; those of a host with itself only where messages take the time of such a route. */
static bool is_listed(const struct machine *machine, int pair)
{
    int n = machine->net->n_hosts;
    return pair / n != pair % n || machine_routes_have_loops(machine->net->routes);
}

static void write_routes(FILE *stream, struct machine *machine, struct pipes *pipes)
{
    int n = machine->net->n_hosts;
    for (int pair = 0; pair < n * n; pair++) {
        if (!is_listed(machine, pair))
            continue;
        const struct route *route = machine_route(machine, pair / n, pair % n);
        int pipe = pipe_of(pipes, machine, route);
        fprintf(stream, "route %s", machine_host_name(machine, pair / n));
        fprintf(stream, " %s", machine_host_name(machine, pair % n));
        for (int hop = 0; hop < route->hops; hop++)
            fprintf(stream, " %s", machine_link_name(machine, route->links[hop]));
        if (pipe >= 0)
            fprintf(stream, " pipe-%d", pipe);
        fputc('\n', stream);
    }
}

static void write_listed(FILE *stream, struct machine *machine)
{
    struct pipes pipes = {.n = 0};
    int n = machine->net->n_hosts;
    for (int host = 0; host < n; host++)
        write_host(stream, machine_host_name(machine, host), machine_host_speed(machine, host));
    for (int link = 0; link < machine_link_count(machine); link++) {
        double bandwidth_Bps, latency_s;
        machine_link_speed(machine, link, &bandwidth_Bps, &latency_s);
        write_link(stream, "link", machine_link_name(machine, link), bandwidth_Bps, latency_s);
    }
    for (int pair = 0; pair < n * n; pair++)
        if (is_listed(machine, pair))
            pipe_of(&pipes, machine, machine_route(machine, pair / n, pair % n));
    for (size_t i = 0; i < pipes.n; i++)
        write_pipe(stream, i, &pipes.kinds[i]);
    write_routes(stream, machine, &pipes);
    free(pipes.kinds);
}

/* The library knows only machines with all routes. */
static int check_routes(struct machine *machine, struct sim_error *error)
{
    int n = machine->net->n_hosts;
    for (int pair = 0; pair < n * n; pair++)
        if (machine_route(machine, pair / n, pair % n) == NULL)
            return sim_error_set(error, SIM_BAD_INPUT, machine->file, 0,
                                 "has no route from host '%.60s' to host '%.60s', and the text format needs all routes",
                                 machine_host_name(machine, pair / n), machine_host_name(machine, pair % n));
    return 0;
}

/* ---- Costs ---- */

static int write_costs(FILE *stream, const struct machine *machine, struct sim_error *error)
{
    struct platform_file file;
    if (platform_file_read(&file, machine->file, USE_AS_PLAIN, error) != 0)
        return -1;
    fprintf(stream, "# %s, written by simrun from %s\n", machine->name, machine->file);
    for (size_t i = 0; i < file.props.count; i++) {
        const struct machine_prop *prop = &file.props.items[i];
        if (machine_is_table(prop)) {
            machine_prop_error(prop, NULL, error,
                               "names a table, which the text format cannot express; allowed: cycles, or a polynomial");
            platform_file_dispose(&file);
            return -1;
        }
        bool is_kept = machine->net->topology == NULL || !machine_prop_is_own(prop->id);
        if (is_kept && strcmp(prop->id, "costs_from") != 0)
            fprintf(stream, "%s %s\n", prop->id, prop->value);
    }
    platform_file_dispose(&file);
    return 0;
}

int machine_write_text(struct machine *machine, FILE *stream, struct sim_error *error)
{
    const struct interconnect *net = machine->net;
    const struct graph *graph = net->topology == NULL ? graph_of(net->routes) : NULL;
    if (machine_has_profiles(machine))
        return sim_error_set(
            error, SIM_BAD_INPUT, machine->file, 0,
            "has profiles, which the text format cannot express; only machines without profiles can be written");
    if (net->topology != NULL && (net->topology->is_drawn || net->topology->adapts))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'routing': the text format cannot express '%s'; write the machine with routing "
                             "auto",
                             routing_names[net->topology->routing]);
    if (net->topology == NULL && graph == NULL && net->n_hosts > MOST_LISTED)
        return sim_error_set(
            error, SIM_BAD_INPUT, machine->file, 0,
            "has %d hosts, and its routes must be listed one by one; at most %d hosts are allowed then", net->n_hosts,
            MOST_LISTED);
    bool has_pairs = net->topology == NULL && graph == NULL;
    if ((has_pairs && check_routes(machine, error) != 0) || write_costs(stream, machine, error) != 0)
        return -1;
    if (net->topology != NULL)
        write_topology(stream, net);
    else if (graph != NULL)
        write_graph(stream, graph);
    else
        write_listed(stream, machine);
    return 0;
}
