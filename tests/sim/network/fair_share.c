/* The solver of max-min fair sharing: closed forms, and random changes of random systems against a solution from
 * scratch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/fair_share.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (int)(sizeof(array) / sizeof(array)[0])

enum { MAX_LINKS = 24, MAX_FLOWS = 60, MAX_HOPS = 6 };

/* The flows that the solver gets, kept separately. */
struct truth {
    int count; /* of transfers; 0: there is no such flow */
    int n_hops;
    int32_t links[MAX_HOPS];
    double weight;
    double bound;   /* of each transfer; INFINITY: none */
    int32_t number; /* of the solver */
};

struct world {
    int n_links;
    double capacity[MAX_LINKS];
    struct truth flows[MAX_FLOWS];
    struct fair_share *share;
};

static double capacity_of(const void *source, int32_t link)
{
    return ((const struct world *)source)->capacity[link];
}

/* ---- From scratch ---- */

/* How often the flow goes over the link. */
static int times_over(const struct truth *flow, int link)
{
    int times = 0;
    for (int hop = 0; hop < flow->n_hops; hop++)
        times += flow->links[hop] == link;
    return times;
}

/* Progressive filling: all that is not held grows until some link is full, which holds what goes over it, or a flow has
 * come to its bound; and so on. */
static void fill(double *rates, const struct world *world)
{
    bool held[MAX_FLOWS] = {false};
    for (;;) {
        double least = INFINITY;
        int fullest = -1, bounded = -1;
        for (int link = 0; link < world->n_links; link++) {
            double left = world->capacity[link], demand = 0;
            for (int f = 0; f < MAX_FLOWS; f++) {
                const struct truth *flow = &world->flows[f];
                double times = (double)times_over(flow, link) * flow->count;
                left -= held[f] ? times * rates[f] : 0;
                demand += held[f] ? 0 : times * flow->weight;
            }
            if (demand > 0 && left / demand < least) {
                least = left / demand;
                fullest = link;
            }
        }
        for (int f = 0; f < MAX_FLOWS; f++) {
            const struct truth *flow = &world->flows[f];
            if (flow->count > 0 && !held[f] && flow->bound / flow->weight < least) {
                least = flow->bound / flow->weight;
                bounded = f;
            }
        }
        if (bounded >= 0) {
            rates[bounded] = world->flows[bounded].bound;
            held[bounded] = true;
            continue;
        }
        if (fullest < 0)
            return;
        for (int f = 0; f < MAX_FLOWS; f++) {
            const struct truth *flow = &world->flows[f];
            if (flow->count == 0 || held[f] || times_over(flow, fullest) == 0)
                continue;
            rates[f] = least * flow->weight;
            held[f] = true;
        }
    }
}

static int compare(const struct world *world)
{
    double rates[MAX_FLOWS];
    int failures = 0;
    fill(rates, world);
    for (int f = 0; f < MAX_FLOWS; f++) {
        if (world->flows[f].count == 0)
            continue;
        double rate = fair_share_rate(world->share, world->flows[f].number);
        if (fabs(rate - rates[f]) <= 1e-9 * rates[f])
            continue;
        fprintf(stderr, "flow %d: rate %.12g, from scratch %.12g\n", f, rate, rates[f]);
        failures++;
    }
    return failures;
}

/* ---- Random systems ---- */

static double random_real(void)
{
    return exp((testing_random_to(2000) - 1000) / 300.0);
}

static void make_world(struct world *world)
{
    memset(world, 0, sizeof *world);
    world->n_links = testing_random_to(MAX_LINKS);
    bool even = testing_random_to(3) == 1; /* so that many levels are the same */
    for (int link = 0; link < world->n_links; link++)
        world->capacity[link] = even ? testing_random_to(2) : random_real();
    world->share = fair_share_new(world->n_links, capacity_of, world);
}

static void change_flow(struct world *world, struct truth *flow, bool even)
{
    if (flow->count == 0) {
        flow->count = 1;
        flow->n_hops = testing_random_to(MAX_HOPS);
        flow->weight = even ? 1 : random_real();
        for (int hop = 0; hop < flow->n_hops; hop++)
            flow->links[hop] = testing_random_to(world->n_links) - 1; /* some twice */
        flow->bound = testing_random_to(3) > 1 ? INFINITY : even ? testing_random_to(2) : random_real();
        flow->number = fair_share_add(world->share, flow->links, flow->n_hops, flow->weight);
        if (flow->bound < INFINITY)
            fair_share_set_bound(world->share, flow->number, flow->bound);
    } else if (testing_random_to(6) == 1) {
        flow->weight = even ? 1 : random_real();
        fair_share_set_weight(world->share, flow->number, flow->weight);
    } else {
        flow->count = testing_random_to(3) == 1 ? testing_random_to(5) : 0;
        fair_share_set_count(world->share, flow->number, flow->count);
    }
}

static void change_link(struct world *world)
{
    int link = testing_random_to(world->n_links) - 1;
    world->capacity[link] = random_real();
    fair_share_set_capacity(world->share, link, world->capacity[link]);
}

/* One change after another, now and then several at once. */
static int check_world(int n_changes)
{
    static struct world world;
    int failures = 0;
    const int32_t *changed;
    make_world(&world);
    bool even = testing_random_to(2) == 1;
    int n_flows = testing_random_to(MAX_FLOWS);
    for (int i = 0; i < n_changes && failures == 0; i++) {
        if (testing_random_to(20) == 1)
            change_link(&world);
        else
            change_flow(&world, &world.flows[testing_random_to(n_flows) - 1], even);
        if (testing_random_to(4) == 1)
            continue;
        fair_share_solve(world.share, &changed);
        failures += compare(&world);
    }
    fair_share_free(world.share);
    return failures;
}

static void test_random(void)
{
    int failures = 0;
    for (int i = 0; i < 300; i++)
        failures += check_world(120) != 0;
    CU_ASSERT_EQUAL(failures, 0);
}

/* ---- Closed forms ---- */

static double one(const void *source, int32_t link)
{
    (void)source;
    (void)link;
    return 1;
}

static void expect(const struct fair_share *share, int32_t flow, double rate)
{
    double found = fair_share_rate(share, flow);
    if (fabs(found - rate) > 1e-12)
        fprintf(stderr, "flow %d: rate %.15g, expected %.15g\n", (int)flow, found, rate);
    CU_ASSERT_DOUBLE_EQUAL(found, rate, 1e-12);
}

/* Two flows on one link, one of which may have a tenth of it; then two transfers of that. */
static void test_bound(void)
{
    static const int32_t link[] = {0};
    struct fair_share *share = fair_share_new(1, one, NULL);
    const int32_t *changed;
    int32_t free = fair_share_add(share, link, 1, 1), bound = fair_share_add(share, link, 1, 1);
    fair_share_set_bound(share, bound, 0.1);
    fair_share_solve(share, &changed);
    expect(share, free, 0.9);
    expect(share, bound, 0.1);
    CU_ASSERT_EQUAL(fair_share_bottleneck(share, bound), -1);
    fair_share_set_count(share, bound, 2);
    fair_share_solve(share, &changed);
    expect(share, free, 0.8);
    expect(share, bound, 0.1);
    fair_share_set_count(share, bound, 0);
    fair_share_solve(share, &changed);
    expect(share, free, 1);
    fair_share_free(share);
}

/* Links 0 to 3 in a row, one flow over all and one over each of them; link 2 has a second of its own. */
static void test_parking_lot(void)
{
    static const int32_t all[] = {0, 1, 2, 3};
    struct fair_share *share = fair_share_new(4, one, NULL);
    const int32_t *changed;
    int32_t whole = fair_share_add(share, all, 4, 1), own[4];
    for (int i = 0; i < 4; i++)
        own[i] = fair_share_add(share, &all[i], 1, 1);
    fair_share_solve(share, &changed);
    expect(share, whole, 1.0 / 2);
    int32_t second = fair_share_add(share, &all[2], 1, 1);
    fair_share_solve(share, &changed);
    expect(share, whole, 1.0 / 3);
    expect(share, own[0], 2.0 / 3);
    expect(share, own[2], 1.0 / 3);
    fair_share_set_count(share, second, 0);
    fair_share_set_weight(share, whole, 3);
    fair_share_solve(share, &changed);
    expect(share, whole, 3.0 / 4);
    expect(share, own[3], 1.0 / 4);
    fair_share_set_count(share, own[1], 5);
    fair_share_solve(share, &changed);
    expect(share, whole, 3.0 / 8);
    expect(share, own[1], 1.0 / 8);
    expect(share, own[0], 5.0 / 8);
    fair_share_set_capacity(share, 1, 2);
    fair_share_solve(share, &changed);
    expect(share, whole, 3.0 / 4);
    expect(share, own[1], 1.0 / 4);
    fair_share_free(share);
}

/* ---- What is looked at ---- */

static bool holds(const int32_t *flows, size_t n, int32_t flow)
{
    for (size_t i = 0; i < n; i++)
        if (flows[i] == flow)
            return true;
    return false;
}

/* Pairs of links 2i and 2i + 1, the second of which one flow has to itself: a change on one of the first concerns
 * the two flows of its own pair, and not the one whose share another link sets. */
static void test_reach(void)
{
    enum { PAIRS = 5 };
    static int32_t links[2 * PAIRS], narrow[] = {2 * PAIRS, 0};
    struct fair_share *share = fair_share_new(2 * PAIRS + 1, one, NULL);
    int32_t flows[PAIRS][2], bound;
    const int32_t *changed;
    for (int i = 0; i < 2 * PAIRS; i++)
        links[i] = i;
    for (int i = 0; i < PAIRS; i++) {
        flows[i][0] = fair_share_add(share, &links[2 * (size_t)i], 2, 1);
        flows[i][1] = fair_share_add(share, &links[2 * (size_t)i], 1, 1);
    }
    bound = fair_share_add(share, narrow, 2, 1);
    fair_share_set_capacity(share, 2 * PAIRS, 0.125);
    CU_ASSERT_EQUAL(fair_share_solve(share, &changed), 2 * PAIRS + 1);
    CU_ASSERT_EQUAL(fair_share_solve(share, &changed), 0);
    fair_share_set_count(share, flows[0][1], 2);
    CU_ASSERT_EQUAL(fair_share_solve(share, &changed), 2);
    CU_ASSERT(holds(changed, 2, flows[0][0]) && holds(changed, 2, flows[0][1]));
    expect(share, bound, 0.125);
    expect(share, flows[0][0], 0.875 / 3);
    fair_share_set_count(share, bound, 0);
    CU_ASSERT_EQUAL(fair_share_solve(share, &changed), 2);
    fair_share_set_capacity(share, 1, 100);
    CU_ASSERT_EQUAL(fair_share_solve(share, &changed), 0);
    fair_share_free(share);
}

/* Flows of all pairs of 8 hosts come and go; once all have been there, nothing more is allocated. */
static void test_no_allocation(void)
{
    enum { HOSTS = 8 };
    static int32_t routes[HOSTS * HOSTS][2], flows[HOSTS * HOSTS];
    struct fair_share *share = fair_share_new(2 * HOSTS, one, NULL);
    const int32_t *changed;
    size_t before = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < LENGTH(flows); i++) {
            routes[i][0] = i / HOSTS;
            routes[i][1] = HOSTS + i % HOSTS;
            flows[i] = fair_share_add(share, routes[i], 2, 1 + i % 3);
            fair_share_solve(share, &changed);
        }
        for (int i = 0; i < LENGTH(flows); i++) {
            fair_share_set_count(share, flows[i], 0);
            fair_share_solve(share, &changed);
        }
        if (round == 0)
            before = mallinfo2().uordblks;
    }
    CU_ASSERT_EQUAL(mallinfo2().uordblks, before);
    fair_share_free(share);
}

int main(void)
{
    static const struct test tests[] = {
        {"against progressive filling", test_random}, {"a flow with a bound", test_bound},
        {"a parking lot", test_parking_lot},          {"what a change reaches", test_reach},
        {"nothing is allocated", test_no_allocation}, {NULL, NULL},
    };
    return testing_run("fair share", tests);
}
