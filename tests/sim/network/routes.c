/* Routes on the network fifo that adapt, or are drawn: when single messages come, by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/network.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A wire takes 1 us, and a message occupies it for 10 us. */
enum { US = 1000000, MOST = 64 };
static const int64_t bytes = 10000;

struct messages {
    int n;
    struct {
        int from, to;
        int64_t at_ps, came_ps;
    } row[MOST];
};

static void open_machine(struct machine *machine, const char *shape, enum routing routing)
{
    struct machine base;
    struct topology topology;
    char why[200];
    CU_ASSERT_EQUAL_FATAL(topology_parse(&topology, shape, why, sizeof why), 0);
    CU_ASSERT_FATAL(topology_set_routing(&topology, routing, 1));
    machine_init(&base, "base", "base.xml");
    base.net->style = (struct topology_style){.speed_flopps = 1e9, .bandwidth_Bps = 1e9, .latency_s = 1e-6};
    machine_derive(machine, &base, &topology);
    machine_dispose(&base);
}

/* Advance all, always that which is first, and of equal ones the one with the lower number. */
static void send_all(struct messages *messages, const char *shape, enum routing routing)
{
    struct machine machine;
    struct transfer transfers[MOST];
    int64_t at_ps[MOST];
    bool ends[MOST] = {false};
    open_machine(&machine, shape, routing);
    struct network *network = network_open(&network_fifo, &machine, NULL);
    for (int i = 0; i < messages->n; i++) {
        struct route room;
        const struct route *route =
            network_route(&network_fifo, &machine, messages->row[i].from, messages->row[i].to, &room);
        transfer_init(&transfers[i], &machine, route, bytes, false);
        at_ps[i] = messages->row[i].at_ps;
    }
    for (int left = messages->n; left > 0;) {
        int first = -1;
        for (int i = 0; i < messages->n; i++)
            if (!ends[i] && (first < 0 || at_ps[i] < at_ps[first]))
                first = i;
        ends[first] = network->spec->advance(network, &transfers[first], (uint32_t)first, at_ps[first],
                                             &at_ps[first]) == TRANSFER_ENDS;
        messages->row[first].came_ps = at_ps[first];
        left -= ends[first];
    }
    network->spec->close(network);
    machine_dispose(&machine);
}

static void expect(const struct messages *messages, const char *shape, enum routing routing, const int64_t *us)
{
    for (int i = 0; i < messages->n; i++) {
        if (messages->row[i].came_ps == us[i] * US)
            continue;
        fprintf(stderr, "%s, %s: message %d comes at %" PRId64 " us, not %" PRId64 "\n", shape, routing_names[routing],
                i, messages->row[i].came_ps / US, us[i]);
        CU_FAIL("when a message comes");
    }
}

/* Two messages from corner to corner: in dimension order the second waits for the first wire; the other is free. */
static void test_mesh(void)
{
    struct messages messages = {.n = 2, .row = {{.from = 0, .to = 3}, {.from = 0, .to = 3}}};
    send_all(&messages, "mesh 2x2", ROUTING_DIMENSION_ORDER);
    expect(&messages, "mesh 2x2", ROUTING_DIMENSION_ORDER, (const int64_t[]){12, 22});
    send_all(&messages, "mesh 2x2", ROUTING_ADAPTIVE);
    expect(&messages, "mesh 2x2", ROUTING_ADAPTIVE, (const int64_t[]){12, 12});
}

/* Hosts 0 and 1 to hosts 4 and 8, whose ways up are the same by D-mod-k. */
static void test_fat_tree(void)
{
    struct messages messages = {.n = 2, .row = {{.from = 0, .to = 4}, {.from = 1, .to = 8}}};
    send_all(&messages, "fat_tree 4x4", ROUTING_DMODK);
    expect(&messages, "fat_tree 4x4", ROUTING_DMODK, (const int64_t[]){14, 24});
    send_all(&messages, "fat_tree 4x4", ROUTING_LEAST_LOADED);
    expect(&messages, "fat_tree 4x4", ROUTING_LEAST_LOADED, (const int64_t[]){14, 14});
}

/* A way up is chosen when the message comes to the switch: the second finds the first one's wire busy, and the third
 * finds all free again. */
static void test_moment(void)
{
    struct messages messages = {
        .n = 3,
        .row = {{.from = 0, .to = 4}, {.from = 1, .to = 8, .at_ps = 5 * US}, {.from = 2, .to = 12, .at_ps = 30 * US}}};
    send_all(&messages, "fat_tree 4x4:1x2", ROUTING_LEAST_LOADED);
    expect(&messages, "fat_tree 4x4:1x2", ROUTING_LEAST_LOADED, (const int64_t[]){14, 19, 44});
}

/* From group 0 to group 1 of a dragonfly with one wire between them. Four hosts send at once; three of them wait for
 * that wire where all go minimally. The hosts' ways have 1 or 2 wires between switches there, and by a third group 2 to
 * 5. Under ugal_g no message comes later than minimal does, and the last one comes sooner. */
static void test_ugal(void)
{
    enum { HOSTS = 8 };
    struct messages messages = {.n = HOSTS}, other;
    for (int i = 0; i < HOSTS; i++) {
        messages.row[i].from = i;
        messages.row[i].to = HOSTS + i;
    }
    int64_t last_ps[N_ROUTINGS] = {0};
    other = messages;
    static const enum routing routings[] = {ROUTING_MINIMAL, ROUTING_UGAL_L, ROUTING_UGAL_G};
    for (size_t r = 0; r < sizeof routings / sizeof routings[0]; r++) {
        messages = other;
        send_all(&messages, "dragonfly 9x4x2x2", routings[r]);
        for (int i = 0; i < HOSTS; i++)
            if (messages.row[i].came_ps > last_ps[routings[r]])
                last_ps[routings[r]] = messages.row[i].came_ps;
    }
    /* The wire serves eight, 10 us each; the first needs 1 us to come there from its router or 2 from another. */
    CU_ASSERT(last_ps[ROUTING_MINIMAL] >= 80 * US);
    CU_ASSERT(last_ps[ROUTING_UGAL_G] < 50 * US);
    CU_ASSERT(last_ps[ROUTING_UGAL_L] <= last_ps[ROUTING_MINIMAL]);
}

/* A message by a third group alone: each of its wires takes 1 us, and its tail 10. On a free network ugal is
 * minimal. */
static void test_alone(void)
{
    for (int to = 8; to < 72; to += 7) {
        struct messages minimal = {.n = 1, .row = {{.from = 0, .to = to}}}, ugal = minimal, valiant = minimal;
        send_all(&minimal, "dragonfly 9x4x2x2", ROUTING_MINIMAL);
        send_all(&ugal, "dragonfly 9x4x2x2", ROUTING_UGAL_G);
        send_all(&valiant, "dragonfly 9x4x2x2", ROUTING_VALIANT);
        CU_ASSERT_EQUAL(ugal.row[0].came_ps, minimal.row[0].came_ps);
        int64_t wires = (valiant.row[0].came_ps - 10 * US) / US;
        CU_ASSERT(wires >= 4 && wires <= 7);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"mesh", test_mesh}, {"fat tree", test_fat_tree}, {"the moment of choice", test_moment},
        {"ugal", test_ugal}, {"alone", test_alone},       {NULL, NULL},
    };
    return testing_run("routes of fifo", tests);
}
