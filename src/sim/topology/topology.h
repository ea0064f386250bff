/* Topologies: which node has a wire to which, and which way a message goes; made from a few numbers, computed, not
 * stored.
 *
 * Hosts are the nodes 0 ... n_hosts-1, switches the nodes behind them. Every wire is two links, one in each direction.
 * Links are numbered below n_links; not every number is a link. The same topology can be written as a platform of
 * SimGrid's, whose routes are the same. One file <name>.c here, one line in list.def.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_TOPOLOGY_TOPOLOGY_H
#define SIM_TOPOLOGY_TOPOLOGY_H

#include "base/error.h"
#include "sim/topology/dimensions.h"
#include "sim/topology/routing.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define TOPOLOGY_MAX_HOSTS 1048576
#define TOPOLOGY_MOST_LISTED 1024  /* hosts of which the routes of all pairs are written */
#define TOPOLOGY_MAX_NODES 4194304 /* with the switches */

/* Wires between groups of routers, each with so many ports, which are numbered along the routers of its group. Two
 * groups have `copies` wires: as many as there are ports for all, and the last ports may have none.
 *
 * Relative arrangement: port k of group i leads to the group k mod (groups - 1) + 1 behind it, round and round, so all
 * groups look alike (Hastings et al. 2015); and the wires between two groups are spread over the routers of both.
 * Absolute, as in SimGrid: port k leads to group k, and port i of group i to none; one port to a router, one wire. */
struct group_wires {
    int groups, routers, ports; /* routers of a group, ports of a router */
    int copies;
    bool is_absolute;
};

struct topology {
    const struct topology_spec *spec;
    struct dimensions dimensions;
    int n_hosts, n_switches, n_links;
    int max_hops;                  /* no route has more */
    int level[DIMENSIONS_MAX + 1]; /* trees: the first node of each level, hosts being level 0 */
    int up_link[DIMENSIONS_MAX];   /* trees: the first link from each level to the next */
    int low[DIMENSIONS_MAX + 1];   /* trees: the product of the wires up from all levels below */
    int below[DIMENSIONS_MAX +
              1]; /* trees: hosts under a switch of each level; grids: the product of the sides before */
    uint64_t reciprocal[DIMENSIONS_MAX]; /* grids: 2^64 by each side, rounded up; 0 of a side of 1 */
    struct group_wires wires;            /* dragonflies */
    enum routing routing;                /* one that the spec has, not ROUTING_AUTO */
    uint32_t seed;                       /* of what is drawn */
    uint64_t steps[2][2];                /* slim flies: bits of the differences of y in either half that are wires */
    bool is_listed;                      /* SimGrid has no cluster for it: the routes of all pairs are written */
    bool is_drawn, adapts;               /* the way of a message is drawn; it depends on the load of links */
};

/* A part of a route: `count` links from `first` on, each `step` more than the one before, which lead to a node. */
struct topology_segment {
    int32_t first, step, count;
    int32_t end;
};

/* Where a wire is: at a host; between a leaf switch and those above, or within a group of a dragonfly; higher up in a
 * tree; between groups. */
enum wire_level { WIRE_HOST, WIRE_LEAF, WIRE_SPINE, WIRE_GLOBAL, N_WIRE_LEVELS };
extern const char *const wire_level_names[N_WIRE_LEVELS];

struct wire_speed {
    double bandwidth_Bps, latency_s;
};

/* The properties of the hosts and wires. No message of one core is faster than core_bandwidth_Bps; 0: unknown. A level
 * whose bandwidth is 0 has wires as all others. */
struct topology_style {
    double speed_flopps, bandwidth_Bps, latency_s, core_bandwidth_Bps;
    struct wire_speed levels[N_WIRE_LEVELS];
};

/* The same as text that is read back exactly. */
struct topology_text {
    char speed[32], bandwidth[32], latency[32];
};

/* The facts about a topology beside its routes. Hops are those of the shortest way. */
struct topology_facts {
    int64_t hosts, switches, wires;
    int64_t diameter;    /* hops between the two hosts that are farthest apart */
    int64_t bisection;   /* wires at least that are cut to part the hosts into halves that differ by one host at most */
    int64_t degree;      /* wires of the node that has most */
    int64_t host_degree; /* of a host */
};

struct topology_spec {
    const char *name;
    const char *summary;
    const char *form;    /* what the dimensions are, such as "SIDExSIDE..." */
    const char *routing; /* and where it is from */
    uint32_t routings;   /* bits of enum routing; auto is the first of them, which segment() is */
    int most_hosts;      /* where the dimensions are nothing but factors of the number of hosts; else 0 */
    bool has_up;         /* the dimensions have a second list */
    bool is_grid;        /* hosts are numbered along the first side first, and have wires to the next along each side */
    bool wraps;          /* a grid with wraparound */

    /* The dimensions for at least n_hosts hosts, where none are given; at most TOPOLOGY_MAX_HOSTS. */
    void (*choose)(struct dimensions *dimensions, int n_hosts);

    /* Fill in what is behind `dimensions`, whose sides are at least 1. -1, and in `why` what fits, if these do not.
     * With most_hosts, there is one side, and n_hosts is known. */
    int (*build)(struct topology *topology, char *why, size_t why_size);

    /* How a route to a host goes on from another node on it, computed from the two numbers alone; with detour(), to a
     * switch, too. */
    void (*segment)(const struct topology *topology, int from, int to, struct topology_segment *segment);

    /* ecmp, least_loaded, adaptive: how many ways go on from a node, each as short as any; and one of them, from 0 on,
     * by its next link. */
    int (*options)(const struct topology *topology, int from, int to);
    void (*option)(const struct topology *topology, int from, int to, int option, struct topology_segment *segment);

    /* valiant, ugal_l, ugal_g: the switch by which a message between two hosts is to go, of those that there are each
     * with the same probability; -1: there is none, as its minimal way would lead there anyway. */
    int (*detour)(const struct topology *topology, int from, int to, uint64_t random);

    /* How many links a route between hosts has, where that is known without its segments; NULL: it is not. */
    int (*hops)(const struct topology *topology, int from, int to);

    /* How many wires the link is, with the bandwidth of all of them; NULL: each is one. */
    int (*bundle)(const struct topology *topology, int link);

    /* Where its wires are; NULL: all are at hosts. */
    enum wire_level (*level)(const struct topology *topology, int link);

    /* The nodes that a link leads from and to; false where the number is no link. */
    bool (*ends)(const struct topology *topology, int link, int *from, int *to);

    /* Fill in what is behind `wires`, of 2 hosts or more. */
    void (*facts)(struct topology_facts *facts, const struct topology *topology);

    /* Where to draw a node: right, up, and, of three sides or more, to the back. Neighbors are about 1 apart. */
    void (*place)(double at[3], const struct topology *topology, int node);

    /* Write what a zone of SimGrid's with this routing holds, behind its props. */
    const char *zone_routing;
    void (*write)(FILE *stream, const struct topology *topology, const struct topology_text *text);
};

/* All topologies, NULL-terminated, and their names in the same order behind "auto". */
extern const struct topology_spec *const topology_specs[];
extern const char *const topology_choices[];

/* Each by its name: topology_mesh, topology_torus ... */
#define TOPOLOGY(name) extern const struct topology_spec topology_##name;
#include "sim/topology/list.def"
#undef TOPOLOGY

/* The topology of that kind with these dimensions; without any (n 0) those chosen for n_hosts. -1, and what fits, if
 * the dimensions do not, or are of less than n_hosts hosts. */
int topology_init(struct topology *topology, const struct topology_spec *spec, const struct dimensions *dimensions,
                  int n_hosts, struct sim_error *error);

/* Have that routing, drawn from that seed; topology_init() sets ROUTING_AUTO. False if the topology has it not. */
bool topology_set_routing(struct topology *topology, enum routing routing, uint32_t seed);

/* The choice for a message between two hosts, where that is drawn: for valiant, 1 + the switch by which to go, or 0 if
 * there is none; for ecmp, a hash. topology_detour() is the same for valiant, whatever the routing.
 * topology_draw_pair() is the same for all messages between the two; 0 where nothing is drawn. */
uint32_t topology_draw(const struct topology *topology, int from, int to, uint64_t random);
uint32_t topology_detour(const struct topology *topology, int from, int to, uint64_t random);
uint32_t topology_draw_pair(const struct topology *topology, int from, int to);

/* How a route goes on from a node by what has been drawn of it: *drawn becomes 0 where the switch has been reached. */
void topology_follow(const struct topology *topology, int from, int to, uint32_t *drawn,
                     struct topology_segment *segment);

/* "torus 16x8". */
void topology_format(char *text, size_t text_size, const struct topology *topology);

/* Write what a zone with the routing spec->zone_routing holds: hosts n0, n1 ..., wires, routes. */
void topology_write(FILE *stream, const struct topology *topology, const struct topology_style *style);

/* Read the text that topology_format() writes. -1, and in `why` what was found and what is allowed, if it is not
 * one. */
int topology_parse(struct topology *topology, const char *text, char *why, size_t why_size);

/* The links from one host to another, in order; returns how many. Room for max_hops. Only their number. Random choices
 * are drawn for the pair; what adapts goes as without load. */
int topology_route(const struct topology *topology, int from, int to, int32_t *links);
int topology_hops(const struct topology *topology, int from, int to);

/* True if some link is a bundle of wires; how many the link is. */
bool topology_has_bundles(const struct topology *topology);
int topology_bundle(const struct topology *topology, int link);

/* Speed of a link with the wires of that style, the whole bundle together; true if all links are alike. */
struct wire_speed topology_wire(const struct topology *topology, const struct topology_style *style, int link);
bool topology_is_uniform(const struct topology *topology, const struct topology_style *style);

/* All of it from closed forms. */
void topology_facts(struct topology_facts *facts, const struct topology *topology);

/* Where to draw a node, see the spec, to three digits. */
void topology_place(double at[3], const struct topology *topology, int node);

/* The i-th of n points on a circle, 1 apart, clockwise from the top. */
void topology_place_on_circle(double at[3], int i, int n);

/* Wires between nodes of which none is a host that is not used; `used` NULL: all are. */
int64_t topology_wire_count(const struct topology *topology, const bool *used);

#endif
