/* Machines: props, message costs, routes, and every way in which a platform file can be wrong.
 *
 * A process holds one platform, so each machine is loaded in a child process, which writes what it finds to a pipe.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/machine.h"
#include "base/memory.h"
#include "sim/platform/platform.h"
#include "tests/sim/machine/t800.h"
#include "tests/sim/platform/child.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MESH SOURCE_DIR "/platforms/t800-mesh.xml"
#define LARGE_MESH SOURCE_DIR "/platforms/t800-mesh-64x64.xml"
#define LOADED SOURCE_DIR "/platforms/icluster-loaded.xml"
#define BAD SOURCE_DIR "/tests/data/bad/platform"

/* ---- Bad files ---- */

static const struct {
    /* BAD/<file>.xml; the message is of the file itself, or "file:line: ..." of another in the same folder */
    const char *file, *message;
} bad_platforms[] = {
#define KNOWN_PROPS                                                                                                    \
    "known: mesh mesh_pitch topology links_per_host cores hosts_per_computer network about.NAME "                      \
    "message.N local.N endpoint.N exchange.N wire.LEVEL core_bandwidth packet window control "                         \
    "input "                                                                                                           \
    "output "                                                                                                          \
    "link_init "                                                                                                       \
    "send_overhead receive_overhead frame combine.N copy.N collectives broadcast_call allreduce_call local_bandwidth " \
    "node_gap gap "                                                                                                    \
    "eager_limit "                                                                                                     \
    "local_eager_limit "                                                                                               \
    "send_completes "                                                                                                  \
    "memory "                                                                                                          \
    "memory.NAME cycle compute_scale "                                                                                 \
    "kernel.NAME shared.NAME "                                                                                         \
    "dsm.NAME costs_from"
#define ROW_KEYS "up_to start byte hop byte_hop send send_byte receive receive_byte"
#define ALLOWED                                                                                                        \
    "known: platform zone AS prop host disk router link link_ctn backbone cluster cabinet peer host_link route "       \
    "zoneRoute ASroute bypassRoute bypassZoneRoute bypassASroute trace trace_connect include"
    {"topology/bad-mesh", ":6: <prop> mesh: '2by1' is not WIDTHxHEIGHT such as 16x8, each 1 to 65536"},
    {"topology/unknown",
     ":6: <prop> topology: 'taurus 16x8' is not a topology with its dimensions, such as torus 16x8"},
    {"topology/bad-dimensions",
     ":6: <prop> topology: '2by1' is not numbers joined by x such as 16x8 (1 to 16 of them, each 1 "
     "... 65536)"},
    {"topology/misfit",
     ":6: <prop> topology: 3 does not fit the topology hypercube: the number of hosts must be a power of two; "
     "2 and 4 are the next"},
    {"topology/hosts", ":6: <prop> topology: a ring 3 has 3 hosts; the platform has 2"},
    {"topology/hops", ":6: <prop> topology: from host 0 to host 1 a star 2 has 2 hops; the platform has 1"},
    {"prop/about-basis", ":6: <prop> about.basis: 'guessed' is unknown; known: measured unmeasured hypothetical"},
    {"prop/about-machine", ":6: <prop> about.machine: has 0 bytes; allowed: 1 to 160"},
    {"prop/about-unknown", ":6: <prop> about.colour: is unknown; known: about.machine .year .basis .error .topology"},
    {"prop/about-year", ":6: <prop> about.year: 'MMXX' is not a year from 1940 to 2100"},
    {"prop/bad-links", ":6: <prop> links_per_host: 'four' is not a whole number; allowed: 1 to 65536"},
    {"prop/bad-network", ":6: <prop> network: 'fifo, please' is not the name of a network, such as fifo"},
    {"prop/bad-scale", ":6: <prop> compute_scale: 'fast' is not a number such as 58.85"},
    {"prop/costs-chained",
     "costs-missing.xml:5: <prop> costs_from: not allowed in a file that is itself named by costs_from"},
    {"prop/costs-missing", ":5: <prop> costs_from: cannot read 'no-such-platform.xml': No such file or directory"},
    {"prop/costs-wrong",
     "unknown-unit.xml:6: <prop> link_init: unknown unit 'parsec' in '3parsec'; known: ps ns us ms s"},
    {"prop/dsm-bad-cost", ":6: <prop> dsm.twin: unknown key 'begin'; known: start each"},
    {"prop/dsm-bad-page", ":6: <prop> dsm.page: '12B' is out of range; allowed: 64B to 65536B"},
    {"prop/dsm-bad-loss", ":6: <prop> dsm.loss share: '0.7' is out of range; allowed: 0 to 0.5"},
    {"prop/frame-without-payload", ":6: <prop> frame payload: is missing: the bytes that a frame carries"},
    {"prop/frame-too-full", ":6: <prop> frame least: is more than payload, the most that a frame carries"},
    {"prop/dsm-unknown",
     ":6: <prop> dsm.trwin: is unknown; known after 'dsm.': page header cache loss interrupt wake resume trap protect "
     "twin "
     "diff apply copy "
     "interval notices "
     "command execute message controller_copy controller_diff controller_apply controller_notices hardware_diff "
     "hardware_apply refill bus"},
    {"xml/empty", ": is empty, not a platform"},
    {"xml/entities", ": declares XML entities, which are not allowed in platforms"},
    {"graph/host-twice", ": SimGrid rejects it: Refusing to create a second host named 'n0'."},
    {"kernel/bad-cycles", ":7: <prop> kernel.gj.rsub cpu: '58.85us' is not a number such as 58.85"},
    {"kernel/overlap", ":7: <prop> kernel.gj.rsub fpu_overlap: is larger than fpu"},
    {"kernel/unknown-key",
     ":7: <prop> kernel.gj.rsub: unknown key 'gpu'; known: cpu fpu fpu_overlap internal external fetch"},
    {"kernel/without-cycle", ":6: <prop> kernel.gj.rsub: given in cycles, but the prop cycle is missing"},
    {"kernel/without-name", ":7: <prop> kernel.: the kernel's name must have 1 to 31 characters"},
    {"graph/link-without-bandwidth",
     ":8: SimGrid rejects it: Required attribute `bandwidth' not set for `link' element."},
    {"topology/mesh-too-large", ":6: <prop> mesh: a mesh of 2x2 with pitch 2 needs 4 hosts; the platform has 2"},
    {"message/empty", ":5: <prop> message.1: is empty; known: " ROW_KEYS},
    {"message/too-many", ":6: <prop> message.25: is not one of message.1 to message.24"},
    {"message/local-hop", ":5: <prop> local.1: has hop or byte_hop: there are no links within a host"},
    {"message/endpoint-hop", ":5: <prop> endpoint.1: has hop or byte_hop: the wires say what each of them takes"},
    {"message/endpoint-formula",
     ":6: <prop> endpoint.1: is for messages over wires, and the rows message.N say what messages take"},
    {"message/exchange-alone", ":5: <prop> exchange.1: needs the prop message.1 or endpoint.1"},
    {"prop/core-formula",
     ":6: <prop> core_bandwidth: is for messages over wires, and the rows message.N say what messages take"},
    {"prop/core-unit", ":5: <prop> core_bandwidth: '10' lacks a unit; known: Bps kBps MBps GBps KiBps MiBps GiBps"},
    {"prop/wire-level", ":5: <prop> wire.leafs: is unknown; known: wire.host .leaf .spine .global"},
    {"prop/wire-latency", ":5: <prop> wire.leaf latency: is missing"},
    {"prop/wire-bandwidth", ":5: <prop> wire.leaf bandwidth: is missing"},
    {"prop/wire-unit",
     ":5: <prop> wire.leaf bandwidth: '10' lacks a unit; known: Bps kBps MBps GBps KiBps MiBps GiBps"},
    {"message/local-gap", ":4: the root <zone> lacks the prop local.1"},
    {"message/gap", ":4: the root <zone> lacks the prop message.2, because the row before it has up_to"},
    {"message/key-twice", ":5: <prop> message.1 start: given twice"},
    {"message/negative-hop", ":5: <prop> message.1 hop: '-1us' is negative"},
    {"message/negative-time", ":6: <prop> message.2: gives a negative time for a message of 61 B without hops"},
    {"message/not-a-pair", ":5: <prop> message.1: '51.1us' is not key=value; known: " ROW_KEYS},
    {"message/order", ":6: <prop> message.2 up_to: the row before it already reaches up to 120 B"},
    {"message/unknown-key", ":5: <prop> message.1: unknown key 'strat'; known: " ROW_KEYS},
    {"message/unused", ":6: <prop> message.2: is never used: message.1 has no up_to"},
    {"topology/narrow-pitch",
     ":7: <prop> mesh_pitch: '1' is not a whole number; allowed: 2 (the width of the mesh) to 65536"},
    {"graph/negative-bandwidth", ": link 'wire': the bandwidth is not positive"},
    {"prop/negative-size", ":6: <prop> packet: '-120B' is negative"},
    {"graph/negative-speed", ": host 'n0': the speed is not positive"},
    {"graph/no-host", ": the platform has no host"},
    {"prop/no-unit", ":6: <prop> cycle: '40' lacks a unit; known: ps ns us ms s"},
    {"element/no-zone", ":3: <platform> has no <zone>, and no <cluster>"},
    {"xml/not-xml", ":1: not well-formed XML: Start tag expected, '<' not found"},
    {"prop/out-of-range", ":6: <prop> packet: '0B' is out of range; allowed: 1B to 1GiB"},
    {"prop/out-of-range-time", ":6: <prop> cycle: '2us' is out of range; allowed: 1ps to 1us"},
    {"topology/pitch-without-mesh", ":6: <prop> mesh_pitch: given without the prop mesh"},
    {"prop/twice", ":7: <prop> packet: given twice; first on line 6"},
    {"prop/without-value", ":5: <prop> lacks the attribute value"},
    {"xml/tag-not-closed", ":6: not well-formed XML: Opening and ending tag mismatch: host line 5 and zone"},
    {"graph/undefined-host", ":9: SimGrid rejects it: Route dst='n2' names no node"},
    {"graph/undefined-link", ": SimGrid rejects it: Link not found: string"},
    {"element/two-zones", ":8: a second root <zone>; allowed: one"},
    {"prop/unknown", ":6: unknown <prop> 'pakcet'; did you mean 'packet'? " KNOWN_PROPS},
    {"prop/unknown-unit", ":6: <prop> link_init: unknown unit 'parsec' in '3parsec'; known: ps ns us ms s"},
    {"element/wrong-root", ": is a scenario, not a platform; simrun FILE simulates it"},
    {"kernel/memory-not-poly", ":5: <prop> memory.dgemm: '8MB' is not a polynomial such as 'poly mk=8B kn=8B mn=8B'"},
    {"kernel/memory-unit",
     ":5: <prop> memory.dgemm: '8ns' is not a size such as 8B; known units: B kB MB GB KiB MiB GiB"},
    {"kernel/poly-negative",
     ":5: <prop> kernel.dgemm: the polynomial is negative at m=1 n=1 k=1; allowed: more than 0 at the "
     "ends of its range"},
    {"kernel/poly-negative-corner",
     ":5: <prop> kernel.dgemm: the polynomial is negative at m=20 n=20 k=20; allowed: more than "
     "0 at the ends of its range"},
    {"kernel/poly-zero",
     ":5: <prop> kernel.dgemm: the polynomial is 0 at m=1 n=1 k=1; allowed: more than 0 at the ends of its "
     "range"},
    {"kernel/poly-negative-residual",
     ":5: <prop> kernel.dgemm residual: is negative; allowed: a mean deviation of at least 0"},
    {"kernel/poly-empty",
     ":5: <prop> kernel.dgemm: a polynomial without terms; allowed: terms such as in 'poly mnk=4ns "
     "mn=3ns'"},
    {"kernel/poly-missing",
     ":5: <prop> kernel.dgemm: 'mnk=4ns mn=3ns' lacks the word poly; a polynomial is 'poly mnk=4ns', "
     "cycles are 'cpu=58'"},
    {"kernel/memory-negative",
     ":6: <prop> memory.dgemm: the polynomial is negative at m=1 n=1 k=1; allowed: 0 or more at the "
     "ends of its range"},
    {"kernel/memory-without-kernel",
     ":6: <prop> memory.dgemn: the prop kernel.dgemn is missing; did you mean 'dgemm'? known: "
     "dgemm"},
    {"graph/bandwidth-without-unit",
     ":7: <link> 'wire' bandwidth: '11' lacks a unit, and would be taken as bytes per second; known: "
     "Bps kBps MBps GBps bps kbps Mbps Gbps"},
    {"graph/latency-without-unit",
     ":7: <link> 'wire' latency: '50' lacks a unit, and would be taken as seconds; known: ps ns us ms s"},
    {"profile/missing", ":5: <host>: cannot read the profile 'that-does-not-exist.txt': No such file or directory"},
    {"profile/second", ":13: a second profile for the speed of 'n0'"},
    {"profile/times", "times.txt:4: profile: the time 5 comes after 10; allowed: times in order"},
    {"profile/trace-kind",
     ":13: <trace_connect> kind: 'BANDWITH' is unknown; known: SPEED BANDWIDTH LATENCY HOST_AVAIL LINK_AVAIL"},
    {"profile/trace-link", ":13: <trace_connect> element: no <link> has the id 'wrie'"},
    {"profile/trace-period",
     ":9: <trace> periodicity: 'nan' is out of range; allowed: 0 (once), or seconds from 0.001"},
    {"profile/trace-twice",
     ":14: <trace_connect>: the trace 't' is already connected on line 13, and SimGrid connects a trace only "
     "once; allowed: a <trace> for each host"},
    {"profile/trace-value",
     ":11: profile: '60%' is not an availability; allowed: a number without a unit from 0 to 1e+06"},
    {"element/include", ":4: <include>: not supported; insert the text of the named file instead"},
    {"element/vivaldi",
     ":4: <zone> routing Vivaldi: routes get latencies from coordinates, and simrun supports only those of links"},
    {"element/wifi", ":4: <zone> routing Wifi: stations share the air time of a cell, which is not simulated"},
    {"element/wifi-link",
     ":7: <link> sharing_policy WIFI: stations share the air time of a cell, which is not simulated"},
    {"element/unknown", ":5: unknown <hots>; did you mean 'host'? " ALLOWED},
    {"xml/parameter-entity", ": declares XML entities, which are not allowed in platforms"},
    {"size/radical",
     ":5: <cluster>: with this, the hosts and links take 201.2 GiB of memory in SimGrid; allowed: 4 GiB"},
    {"size/radical-list",
     ":5: <cluster>: with this, the hosts and links take 20.1 GiB of memory in SimGrid; allowed: 4 GiB"},
    {"size/radical-endless",
     ":5: <cluster>: with this, the hosts and links take 8640.0 GiB of memory in SimGrid; allowed: 4 GiB"},
    {"size/torus-wires",
     ":5: <cluster>: with this, the hosts and links take 14.1 GiB of memory in SimGrid; allowed: 4 GiB"},
    {"size/fat-tree-wires",
     ":5: <cluster>: with this, the hosts and links take 5364.4 GiB of memory in SimGrid; allowed: 4 GiB"},
    {"size/dragonfly-wires",
     ":5: <cluster>: with this, the hosts and links take 6705.7 GiB of memory in SimGrid; allowed: 4 GiB"},
    {"size/cabinets",
     ":6: <cabinet>: with this, the hosts and links take 6.0 GiB of memory in SimGrid; allowed: 4 GiB"},
    {"that-does-not-exist", ": cannot read: No such file or directory"},
};

static void load_bad(FILE *out, const char *file)
{
    struct machine machine = {.costs.memory_bytes = 4711};
    struct sim_error error;
    if (machine_load(&machine, file, &error) != -1)
        fputs("accepted", out);
    else if (error.status != SIM_BAD_INPUT)
        fputs("wrong status", out);
    else if (machine.costs.memory_bytes != 4711 || machine.net != NULL)
        fputs("the output changed", out);
    else
        fputs(error.message, out);
}

static void test_bad_platforms(void)
{
    for (size_t i = 0; i < sizeof bad_platforms / sizeof bad_platforms[0]; i++) {
        const char *message = bad_platforms[i].message;
        char *file = xformat(BAD "/%s.xml", bad_platforms[i].file);
        int begins = message[0] == ':' ? (int)strlen(file) : (int)(strrchr(file, '/') - file) + 1;
        char *expected = xformat("%.*s%s", begins, file, message);
        check_child(load_bad, file, expected);
        free(expected);
        free(file);
    }
    check_child(load_bad, SOURCE_DIR "/tests", SOURCE_DIR "/tests: is a folder, not a platform");
}

static const char *bad_name(size_t i)
{
    return i < sizeof bad_platforms / sizeof bad_platforms[0] ? bad_platforms[i].file : NULL;
}

/* No bad file is left out of the table. */
static void test_table_is_complete(void)
{
    testing_check_table(BAD, ".xml", bad_name);
}

static void load_two(FILE *out, const char *file)
{
    struct machine first, again, other;
    if (!load(&first, file, out) || !load(&again, file, out))
        return;
    if (machine_route(&again, 0, 17)->hops != 2 || machine_route(&first, 17, 0)->hops != 2)
        fputs("the second machine of one platform is not as the first; ", out);
    machine_dispose(&first);
    machine_dispose(&again);
    if (load(&other, LARGE_MESH, out)) /* the first that SimGrid reads */
        load(&again, LOADED, out);
}

static void test_second_platform(void)
{
    check_child(load_two, MESH, LOADED ": cannot be loaded: this process already holds another platform");
}

/* ---- Routes ---- */

static int node(const struct machine *machine, int x, int y)
{
    return y * machine->net->mesh_pitch + x;
}

static int step(int from, int to)
{
    return (from < to) - (from > to);
}

/* The links of the way from one mesh node to another, x first and then y, made up of routes of one hop each. */
static int xy_links(struct machine *machine, int x, int y, int to_x, int to_y, int32_t *links)
{
    int count = 0;
    while (x != to_x || y != to_y) {
        int dx = step(x, to_x), dy = dx == 0 ? step(y, to_y) : 0;
        const struct route *hop = machine_route(machine, node(machine, x, y), node(machine, x + dx, y + dy));
        if (hop->hops != 1)
            return -1;
        links[count++] = hop->links[0];
        x += dx;
        y += dy;
    }
    return count;
}

static bool is_xy_route(struct machine *machine, int from, int to)
{
    int32_t expected[256];
    int width = machine->net->mesh_width;
    int from_x = from % width, from_y = from / width, to_x = to % width, to_y = to / width;
    int count = xy_links(machine, from_x, from_y, to_x, to_y, expected);
    if (count != abs(to_x - from_x) + abs(to_y - from_y))
        return false;
    const struct route *route = machine_route(machine, node(machine, from_x, from_y), node(machine, to_x, to_y));
    return route->hops == count && memcmp(route->links, expected, (size_t)count * sizeof route->links[0]) == 0;
}

/* How many wires' directions have a link that no other has, over all neighbors. */
static int distinct_directions(struct machine *machine)
{
    char *used = xcalloc((size_t)machine_link_count(machine), 1);
    int distinct = 0;
    for (int from = 0; from < machine->net->mesh_width * machine->net->mesh_height; from++)
        for (int direction = 0; direction < 4; direction++) {
            static const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
            int x = from % machine->net->mesh_width + dx[direction],
                y = from / machine->net->mesh_width + dy[direction];
            if (x < 0 || x >= machine->net->mesh_width || y < 0 || y >= machine->net->mesh_height)
                continue;
            int here = node(machine, from % machine->net->mesh_width, from / machine->net->mesh_width);
            const struct route *route = machine_route(machine, here, node(machine, x, y));
            if (route->hops == 1 && used[route->links[0]]++ == 0)
                distinct++;
        }
    free(used);
    return distinct;
}

static void route_mesh(FILE *out, const char *file)
{
    struct machine machine;
    if (!load(&machine, file, out))
        return;
    int pairs = 0, wrong = 0;
    for (int from = 0; from < machine.net->n_hosts; from++)
        for (int to = 0; to < machine.net->n_hosts; to++) {
            pairs += from != to;
            wrong += !is_xy_route(&machine, from, to);
        }
    fprintf(out, "%s hosts=%d links=%d pairs=%d wrong=%d directions=%d", machine.name, machine.net->n_hosts,
            machine_link_count(&machine), pairs, wrong, distinct_directions(&machine));
    machine_dispose(&machine);
}

static void route_large_mesh(FILE *out, const char *file)
{
    struct machine machine;
    if (!load(&machine, file, out))
        return;
    int wrong = 0;
    for (int i = 0; i < 20000; i++)
        wrong += !is_xy_route(&machine, i * 607 % 4096, i * 1021 % 4093);
    wrong += !is_xy_route(&machine, 0, 4095) + !is_xy_route(&machine, 4095, 0);
    wrong += !is_xy_route(&machine, 63, 4032) + !is_xy_route(&machine, 4032, 63);
    fprintf(out, "%s wrong=%d directions=%d", machine.name, wrong, distinct_directions(&machine));
    machine_dispose(&machine);
}

/* A mesh of 16x8 has 2 * (15*8 + 16*7) links, one of 64x64 has 4 * 63 * 64. */
static void test_mesh_routes(void)
{
    check_child(route_mesh, MESH, "t800-mesh hosts=128 links=464 pairs=16256 wrong=0 directions=464");
    check_child(route_large_mesh, LARGE_MESH, "t800-mesh-64x64 wrong=0 directions=16128");
}

/* A remembered route must stay what it was, and where it was, while others are asked. */
static void ask_again(FILE *out, const char *file)
{
    struct machine machine;
    if (!load(&machine, file, out))
        return;
    int32_t before[64];
    const struct route *first = machine_route(&machine, 3, 120);
    int count = first->hops;
    memcpy(before, first->links, (size_t)count * sizeof before[0]);
    for (int i = 0; i < 128 * 128; i++)
        machine_route(&machine, i / 128, i % 128);
    const struct route *again = machine_route(&machine, 3, 120);
    if (again->hops != count || memcmp(again->links, before, (size_t)count * sizeof before[0]) != 0)
        fputs("the route has changed; ", out);
    if (again != first)
        fputs("the route was asked for anew", out);
    machine_dispose(&machine);
}

static void test_remembered_routes(void)
{
    check_child(ask_again, MESH, "");
}

/* How many links away from host 0 each host is. */
static void measure_hops(FILE *out, const char *file)
{
    struct machine machine;
    if (!load(&machine, file, out))
        return;
    for (int to = 0; to < machine.net->n_hosts; to++)
        fprintf(out, "%d ", machine_route(&machine, 0, to)->hops);
    machine_dispose(&machine);
}

/* Host a is one link away from b, two from c. */
static void check_numbering(const char *a, const char *b, const char *c, const char *expected)
{
    char *body =
        xformat("<prop id=\"message.1\" value=\"start=1us\"/>\n"
                "<host id=\"%s\" speed=\"1f\"/><host id=\"%s\" speed=\"1f\"/><host id=\"%s\" speed=\"1f\"/>\n"
                "<link id=\"l\" bandwidth=\"1Bps\" latency=\"0s\"/><link id=\"m\" bandwidth=\"1Bps\" latency=\"0s\"/>\n"
                "<link id=\"f\" bandwidth=\"1Bps\" latency=\"0s\" sharing_policy=\"FATPIPE\"/>\n"
                "<route src=\"%s\" dst=\"%s\"><link_ctn id=\"l\"/></route>\n"
                "<route src=\"%s\" dst=\"%s\"><link_ctn id=\"l\"/><link_ctn id=\"f\"/><link_ctn id=\"m\"/></route>\n"
                "<route src=\"%s\" dst=\"%s\"><link_ctn id=\"f\"/></route>\n",
                b, c, a, a, b, a, c, b, c);
    check_platform(measure_hops, body, expected);
    free(body);
}

/* Numbers at the end of the names count if they are 0 .. n-1 behind one prefix; else the names' order does. */
static void test_host_numbers(void)
{
    check_numbering("n0", "n1", "n2", "0 1 2 ");
    check_numbering("n0", "n2", "n1", "0 2 1 ");
    check_numbering("a9", "b", "c", "0 1 2 ");
    check_numbering("a", "c", "b", "0 2 1 ");
    check_numbering("n1", "n10", "n2", "0 1 2 ");
    check_numbering("a0", "a2", "b1", "0 1 2 ");
    check_numbering("0", "1", "2", "0 1 2 ");
}

/* ---- Costs ---- */

static void compare_times(FILE *out, const char *file)
{
    struct machine machine;
    if (!load(&machine, file, out))
        return;
    int64_t wrong = 0, checked = 0;
    for (int64_t l = 0; l <= 1 << 20; l += l < 5000 ? 1 : 17)
        for (int d = 0; d <= 22; d++, checked++)
            wrong += cost_model_message_ps(&machine.costs, l, d, false) != t800_ps(l, d);
    for (int64_t l = 0; l <= 1 << 20; l += l < 1000 ? 1 : 997) {
        struct message_parts parts = cost_model_message_parts(&machine.costs, l, 1, false);
        wrong += parts.inject_ps != eq4_ps(l, 0);
        wrong += parts.hop_ps != eq4_hop_ps(l);
        wrong += parts.link_busy_ps != t800_busy_ps(l);
    }
    fprintf(out, "checked=%lld wrong=%lld", (long long)checked, (long long)wrong);
    machine_dispose(&machine);
}

static void test_message_times(void)
{
    check_child(compare_times, MESH, "checked=1526901 wrong=0");
}

static void write_costs(FILE *out, const char *file)
{
    struct machine machine;
    if (!load(&machine, file, out))
        return;
    for (int i = 0; i < machine.costs.message.count; i++) {
        const struct message_cost *row = &machine.costs.message.row[i];
        fprintf(out, "row %lld %lld %lld %lld %lld\n", (long long)row->max_bytes, (long long)row->start_ps,
                (long long)row->byte_ps, (long long)row->hop_ps, (long long)row->byte_hop_ps);
    }
    fprintf(out, "packet %lld window %lld control %lld network %s\n", (long long)machine.costs.packet_bytes,
            (long long)machine.costs.window_bytes, (long long)machine.costs.control_bytes,
            machine.default_network != NULL ? machine.default_network : "none");
    fprintf(out, "input %lld %lld output %lld %lld link_init %lld\n", (long long)machine.costs.input_start_ps,
            (long long)machine.costs.input_byte_ps, (long long)machine.costs.output_start_ps,
            (long long)machine.costs.output_byte_ps, (long long)machine.costs.link_init_ps);
    for (int i = 0; i < machine.routines->n_kernels; i++) {
        const int64_t *work = machine.routines->kernels[i].work_ps;
        fprintf(out, "kernel %s %lld %lld %lld %lld\n", machine.routines->kernels[i].name, (long long)work[WORK_CPU],
                (long long)work[WORK_FPU], (long long)work[WORK_EXTERNAL], (long long)work[WORK_INTERNAL]);
    }
    machine_dispose(&machine);
}

static void test_costs_from(void)
{
    char *costs = in_child(write_costs, MESH);
    static const char expected[] = "row 120 51100000 270000 8860000 680000\n"
                                   "row 9223372036854775807 -81500000 1330000 93040000 50000\n"
                                   "packet 120 window 1320 control 4 network fifo\n"
                                   "input 642160000 3730000 output 1583730000 2200000 link_init 1270000000\n"
                                   "kernel gj.rsub ";
    CU_ASSERT(strncmp(costs, expected, strlen(expected)) == 0);
    check_child(write_costs, LARGE_MESH, costs);
    free(costs);
}

#define ONE_HOST "<host id=\"n0\" speed=\"1f\"/>\n"

/* The file's own props go before those of the file that it names, and its message rows go before all of those. */
static void test_own_props_first(void)
{
    check_platform(write_costs,
                   "<prop id=\"costs_from\" value=\"" MESH "\"/>\n<prop id=\"message.1\" value=\"start=2us\"/>\n"
                   "<prop id=\"packet\" value=\"1KiB\"/>\n<prop id=\"network\" value=\"quiet\"/>\n"
                   "<prop id=\"cycle\" value=\"1ns\"/>\n<prop id=\"compute_scale\" value=\"1\"/>\n" ONE_HOST,
                   "row 9223372036854775807 2000000 0 0 0\npacket 1024 window 1320 control 4 network quiet\n"
                   "input 642160000 3730000 output 1583730000 2200000 link_init 1270000000\n"
                   "kernel gj.rsub 58860 36780 98830 20980\nkernel gj.norm 29400 24000 49400 10500\n"
                   "kernel gj.set 58860 3000 49400 20980\nkernel gj.inv 29400 37000 49400 10500\n"
                   "kernel gj.buf 29400 6000 49400 10500\nkernel stencil.point 73580 51000 123540 26230\n"
                   "kernel stencil.column 73580 51000 123540 26230\n");
}

static void test_kernel_costs(void)
{
    check_platform(write_costs,
                   "<prop id=\"kernel.k\" value=\"cpu=58.85 fpu=36.78 fpu_overlap=6.78 external=98.83 fetch=1.17\"/>\n"
                   "<prop id=\"kernel.tiny\" value=\"cpu=0.00001\"/>\n"
                   "<prop id=\"message.1\" value=\"start=0us\"/>\n<prop id=\"compute_scale\" value=\"1.05\"/>\n"
                   "<prop id=\"cycle\" value=\"40ns\"/>\n" ONE_HOST,
                   "row 9223372036854775807 0 0 0 0\npacket 9223372036854775807 window 9223372036854775807 control 0 "
                   "network none\n"
                   "input 0 0 output 0 0 link_init 0\n"
                   "kernel k 2471700 1260000 4200000 0\nkernel tiny 0 0 0 0\n");
}

static void bind_kernels(FILE *out, const char *file)
{
    static const char *const good[] = {"gj.buf", "gj.rsub"}, *const bad[] = {"gj.inv", "dgemm"};
    struct machine machine;
    struct kernel_cost costs[2] = {{.name = ""}, {.name = ""}};
    struct sim_error error;
    if (!load(&machine, file, out))
        return;
    if (machine_bind_kernels(&machine, bad, 2, 1, costs, &error) != -1 || error.status != SIM_BAD_INPUT ||
        costs[0].name[0] != '\0')
        fputs("accepted, or changed its output; ", out);
    fputs(error.message, out);
    if (machine_bind_kernels(&machine, good, 2, 1, costs, &error) != 0 || strcmp(costs[0].name, good[0]) != 0 ||
        strcmp(costs[1].name, good[1]) != 0 || costs[1].work_ps[WORK_FPU] <= costs[0].work_ps[WORK_FPU])
        fputs("; did not bind", out);
    machine_dispose(&machine);
}

static void test_bind_kernels(void)
{
    check_child(bind_kernels, MESH,
                MESH ": lacks the kernel 'dgemm'; known: gj.rsub gj.norm gj.set gj.inv gj.buf "
                     "stencil.point stencil.column");
}

/* ---- The generator ---- */

static void test_generated_file(void)
{
    FILE *made = popen("'" SOURCE_DIR "/tools/make-mesh-platform' '" MESH "'", "r");
    FILE *kept = fopen(MESH, "r");
    CU_ASSERT_FATAL(made != NULL && kept != NULL);
    char *made_text = read_to_end(made), *kept_text = read_to_end(kept);
    CU_ASSERT(strlen(kept_text) > 100000);
    CU_ASSERT(strcmp(made_text, kept_text) == 0);
    CU_ASSERT_EQUAL(pclose(made), 0);
    fclose(kept);
    free(made_text);
    free(kept_text);
}

int main(void)
{
    static const struct test tests[] = {
        {"bad platforms", test_bad_platforms},
        {"the table of bad platforms", test_table_is_complete},
        {"second platform", test_second_platform},
        {"mesh routes", test_mesh_routes},
        {"remembered routes", test_remembered_routes},
        {"host numbers", test_host_numbers},
        {"message times", test_message_times},
        {"costs from", test_costs_from},
        {"own props first", test_own_props_first},
        {"kernel costs", test_kernel_costs},
        {"bind kernels", test_bind_kernels},
        {"generated file", test_generated_file},
        {NULL, NULL},
    };
    return testing_run("machine", tests);
}
