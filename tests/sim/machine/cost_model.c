/* The cost model is a value: what is changed in a copy, and what it is rid of, changes nothing else.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/testing.h"

#include "sim/machine/machine.h"

#include <CUnit/CUnit.h>
#include <string.h>

static const struct cost_model whole = {
    .message = {2, {{100, 1000, 10, 100, 1, 0, 0, 0, 0}, {INT64_MAX, 500, 20, 50, 2, 0, 0, 0, 0}}},
    .packet_bytes = 120,
    .window_bytes = 150,
    .control_bytes = 4,
    .input_start_ps = 1,
    .input_byte_ps = 2,
    .output_start_ps = 3,
    .output_byte_ps = 4,
    .link_init_ps = 5,
    .send_start_ps = 6,
    .send_byte_ps = 7,
    .send_frame_ps = 17,
    .receive_start_ps = 8,
    .receive_byte_ps = 9,
    .receive_frame_ps = 18,
    .eager_limit = 10,
    .memory_bytes = 11,
    .dsm = {.page_bytes = 12, .cost = {[DSM_INTERRUPT] = {13, 14}, [DSM_RESUME] = {19, 20}, [DSM_TRAP] = {15, 16}}},
};

static bool same(struct cost_model a, struct cost_model b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* A copy of the bytes, padding included, with the change. */
#define CHANGED(model, statement)                                                                                      \
    do {                                                                                                               \
        memcpy(&(model), &whole, sizeof(model));                                                                       \
        struct cost_model *c = &(model);                                                                               \
        statement;                                                                                                     \
    } while (0)

static void test_without(void)
{
    struct cost_model expected;
    CU_ASSERT(same(cost_model_without(&whole, 0), whole));
    static const struct linear_cost nothing;
    CHANGED(expected, c->send_start_ps = c->send_byte_ps = c->send_frame_ps = 0;
            c->receive_start_ps = c->receive_byte_ps = c->receive_frame_ps = 0;
            c->dsm.cost[DSM_INTERRUPT] = c->dsm.cost[DSM_RESUME] = nothing);
    CU_ASSERT(same(cost_model_without(&whole, COST_OVERHEAD), expected));
    CHANGED(expected, c->link_init_ps = 0);
    CU_ASSERT(same(cost_model_without(&whole, COST_LINK_INIT), expected));
    CHANGED(expected, c->input_start_ps = c->input_byte_ps = c->output_start_ps = c->output_byte_ps = 0);
    CU_ASSERT(same(cost_model_without(&whole, COST_IO), expected));
    CHANGED(expected, c->dsm.cost[DSM_TRAP] = nothing);
    CU_ASSERT(same(cost_model_without(&whole, COST_PROTOCOL), expected));
    CHANGED(expected, c->dsm.cost[DSM_INTERRUPT] = nothing);
    CU_ASSERT(same(cost_model_without(&whole, COST_INTERRUPT), expected));
}

/* A page of 4 KB and its vector time in UDP over Ethernet, and in cells of ATM. */
static void test_frames(void)
{
    const struct cost_model ethernet = {.frame_payload_bytes = 1480,
                                        .frame_header_bytes = 58,
                                        .datagram_bytes = 8,
                                        .frame_least_bytes = 26,
                                        .send_start_ps = 100,
                                        .send_byte_ps = 2,
                                        .send_frame_ps = 1000,
                                        .receive_frame_ps = 7};
    const struct cost_model cells = {
        .frame_payload_bytes = 44, .frame_least_bytes = 44, .frame_header_bytes = 9, .datagram_bytes = 8};
    CU_ASSERT_EQUAL(cost_model_wire_bytes(&ethernet, 4160), 4168 + 3 * 58);
    CU_ASSERT_EQUAL(cost_model_wire_bytes(&ethernet, 1472), 1480 + 58);
    CU_ASSERT_EQUAL(cost_model_wire_bytes(&ethernet, 1473), 1480 + 26 + 2 * 58); /* the last is filled up */
    CU_ASSERT_EQUAL(cost_model_wire_bytes(&ethernet, 0), 26 + 58);
    CU_ASSERT_EQUAL(cost_model_wire_bytes(&cells, 4160), 95 * 53);
    CU_ASSERT_EQUAL(cost_model_wire_bytes(&whole, 4160), 4160);
    CU_ASSERT_EQUAL(cost_model_send_ps(&ethernet, 4160, false), 100 + 2 * 4160 + 3 * 1000);
    CU_ASSERT_EQUAL(cost_model_receive_ps(&ethernet, 4160, false), 3 * 7);
    CU_ASSERT_EQUAL(cost_model_send_ps(&whole, 10, false), 6 + 70 + 17);
}

/* Rows of a host's own messages, without each of the costs; between hosts there is no formula. */
static void test_local_rows(void)
{
    const struct cost_model costs = {
        .local = {2, {{100, 1000, 10, 0, 0, 5, 1, 6, 2}, {INT64_MAX, 3000, 4, 0, 0, 7, 0, 8, 3}}},
        .send_start_ps = 20,
        .receive_start_ps = 30};
    struct cost_model late = cost_model_without(&costs, COST_LATENCY), empty = cost_model_without(&costs, COST_LENGTH),
                      idle = cost_model_without(&costs, COST_OVERHEAD);
    CU_ASSERT(cost_model_has_formula(&costs, 0) && !cost_model_has_formula(&costs, 1));
    CU_ASSERT_EQUAL(cost_model_message_ps(&costs, 100, 0, false), 1000 + 10 * 100);
    CU_ASSERT_EQUAL(cost_model_message_ps(&costs, 101, 0, false), 3000 + 4 * 101);
    CU_ASSERT_EQUAL(cost_model_message_ps(&late, 101, 0, false), 2000 + 4 * 101);
    CU_ASSERT_EQUAL(cost_model_message_ps(&empty, 101, 0, false), 1000);
    CU_ASSERT_EQUAL(cost_model_send_ps(&costs, 100, true), 20 + 5 + 100);
    CU_ASSERT_EQUAL(cost_model_receive_ps(&costs, 101, true), 30 + 8 + 3 * 101);
    CU_ASSERT_EQUAL(cost_model_receive_ps(&costs, 101, false), 30);
    CU_ASSERT(cost_model_send_ps(&idle, 101, true) == 0 && cost_model_receive_ps(&idle, 101, true) == 0);
}

/* T(l, d) - T(0, d) and T(0, d), but where that would be below 0: a hop of the second row is shorter. */
static void test_messages_without(void)
{
    struct cost_model late = cost_model_without(&whole, COST_LATENCY),
                      short_ones = cost_model_without(&whole, COST_LENGTH);
    CU_ASSERT(late.free_latency && !late.free_length && !short_ones.free_latency && short_ones.free_length);
    CU_ASSERT_EQUAL(cost_model_message_ps(&whole, 60, 3, false), 1000 + 600 + 3 * (100 + 60));
    CU_ASSERT_EQUAL(cost_model_message_ps(&late, 60, 3, false), 600 + 3 * 60);
    CU_ASSERT_EQUAL(cost_model_message_ps(&short_ones, 60, 3, false), 1000 + 3 * 100);
    int64_t refill = 100 + 1 * 50; /* the second window of 200 B is 50 B long; length causes it */
    CU_ASSERT_EQUAL(cost_model_message_ps(&whole, 200, 3, false), 500 + 20 * 200 + 3 * (50 + 2 * 200) + 2 * refill);
    CU_ASSERT_EQUAL(cost_model_message_ps(&late, 200, 3, false), 500 - 1000 + 20 * 200 + 3 * 2 * 200 + 2 * refill);
    CU_ASSERT_EQUAL(cost_model_message_ps(&short_ones, 200, 3, false), 1000 + 3 * 100);
}

/* Machines that share hosts and wires end in any order. */
static void test_copies(void)
{
    struct topology ring;
    struct machine base, derived, copy;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(topology_init(&ring, topology_specs[0], &(struct dimensions){.n = 0}, 4, &error), 0);
    machine_init(&base, "base", "base.xml");
    base.costs = whole;
    base.net->style = (struct topology_style){.speed_flopps = 1e9, .bandwidth_Bps = 1e8, .latency_s = 1e-6};
    machine_derive(&derived, &base, &ring);
    machine_copy(&copy, &derived);
    CU_ASSERT(copy.net == derived.net && copy.routines == base.routines && derived.net != base.net);
    copy.costs = cost_model_without(&copy.costs, COST_OVERHEAD);
    CU_ASSERT(derived.costs.send_start_ps == 6 && copy.costs.send_start_ps == 0);
    machine_dispose(&base);
    const struct route *route = machine_route(&derived, 0, 1);
    machine_dispose(&derived);
    CU_ASSERT(machine_route(&copy, 0, 1) == route && route->hops > 0);
    CU_ASSERT_STRING_EQUAL(copy.file, "base.xml");
    machine_dispose(&copy);
}

int main(void)
{
    return testing_run("cost model", (const struct test[]){{"without a cost", test_without},
                                                           {"messages without", test_messages_without},
                                                           {"frames", test_frames},
                                                           {"rows within a host", test_local_rows},
                                                           {"copies of a machine", test_copies},
                                                           {NULL, NULL}});
}
