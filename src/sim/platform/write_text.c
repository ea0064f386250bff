/* Writes a machine as text for the library. */
#include "sim/platform/internal.h"

#include "sim/graph/graph.h"

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

static void write_link(FILE *stream, const char *name, double bandwidth_Bps, double latency_s)
{
    fprintf(stream, "link %s", name);
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
        if (graph->links[i].number >= 0)
            write_link(stream, graph->links[i].name, graph->links[i].bandwidth_Bps, graph->links[i].latency_s);
        else
            fprintf(stream, "pipe %s\n", graph->links[i].name);
    for (size_t i = 0; i < graph->n_edges; i++) {
        const struct graph_edge *edge = &graph->edges[i];
        fprintf(stream, "%s %s %s", graph->searches ? "edge" : "route", graph->nodes[edge->from].name,
                graph->nodes[edge->to].name);
        for (int hop = 0; hop < edge->n_links; hop++)
            fprintf(stream, " %s", graph->links[graph->hops[edge->first + hop]].name);
        fputc('\n', stream);
    }
}

/* A route without wires has a pipe. */
static void write_listed(FILE *stream, struct machine *machine)
{
    int n = machine->net->n_hosts;
    for (int host = 0; host < n; host++)
        write_host(stream, machine_host_name(machine, host), machine_host_speed(machine, host));
    for (int link = 0; link < machine_link_count(machine); link++) {
        double bandwidth_Bps, latency_s;
        machine_link_speed(machine, link, &bandwidth_Bps, &latency_s);
        write_link(stream, machine_link_name(machine, link), bandwidth_Bps, latency_s);
    }
    fputs("pipe no-wire\n", stream);
    for (int pair = 0; pair < n * n; pair++) {
        if (pair / n == pair % n)
            continue;
        const struct route *route = machine_route(machine, pair / n, pair % n);
        fprintf(stream, "route %s", machine_host_name(machine, pair / n));
        fprintf(stream, " %s", machine_host_name(machine, pair % n));
        for (int hop = 0; hop < route->hops; hop++)
            fprintf(stream, " %s", machine_link_name(machine, route->links[hop]));
        fputs(route->hops == 0 ? " no-wire\n" : "\n", stream);
    }
}

/* The library knows only machines with all routes. */
static int check_routes(struct machine *machine, struct sim_error *error)
{
    int n = machine->net->n_hosts;
    for (int pair = 0; pair < n * n; pair++)
        if (machine_route(machine, pair / n, pair % n) == NULL)
            return sim_error_set(error, SIM_BAD_INPUT, machine->file, 0,
                                 "has no route from host '%.60s' to host '%.60s', and text must have all",
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
        bool is_kept = machine->net->topology == NULL || !machine_prop_is_geometry(prop->id);
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
        return sim_error_set(error, SIM_BAD_INPUT, machine->file, 0,
                             "has profiles, which text has no word for; only machines without are written so");
    if (net->topology == NULL && graph == NULL && net->n_hosts > MOST_LISTED)
        return sim_error_set(error, SIM_BAD_INPUT, machine->file, 0,
                             "has %d hosts, and routes that are listed one by one; at most %d hosts are allowed then",
                             net->n_hosts, MOST_LISTED);
    bool is_listed = net->topology == NULL && graph == NULL;
    if ((is_listed && check_routes(machine, error) != 0) || write_costs(stream, machine, error) != 0)
        return -1;
    if (net->topology != NULL)
        write_topology(stream, net);
    else if (graph != NULL)
        write_graph(stream, graph);
    else
        write_listed(stream, machine);
    return 0;
}
