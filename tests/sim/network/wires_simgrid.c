/* The fluid network against SimGrid itself: random flows, run by the kernel and by actors that do nothing else, on the
 * same platform in the same process. */
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

/* --- flows --- */

enum { MAX_FLOWS = 12, N_HOSTS = 8 };

struct flow {
    int from, to;
    int64_t start_ps, bytes; /* bytes % MAX_FLOWS is the flow's number */
    double direct_s;         /* from the start of the run to the delivery, as SimGrid has it */
    int64_t delivered_ps;    /* as the kernel has it */
};

static struct flow flows[MAX_FLOWS];
static int n_flows;

/* In the order of their starts; a third of them start together. */
static void make_flows(struct drand48_data *source)
{
    long number[5];
    int64_t start_ps = 0;
    lrand48_r(source, number);
    n_flows = 1 + (int)(number[0] % MAX_FLOWS);
    for (int f = 0; f < n_flows; f++) {
        for (int i = 0; i < 5; i++)
            lrand48_r(source, &number[i]);
        start_ps += number[0] % 3 > 0 ? number[1] % (10 * MS) : 0;
        flows[f] = (struct flow){.from = (int)(number[2] % N_HOSTS), .start_ps = start_ps};
        flows[f].to = (int)((flows[f].from + 1 + number[3] % (N_HOSTS - 1)) % N_HOSTS);
        flows[f].bytes = (number[4] % 2000000 >> number[4] % 16) * MAX_FLOWS + f;
    }
}

/* --- by actors --- */

static double base_s;

static void carry(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct flow *flow = sg_actor_get_data(sg_actor_self());
    sg_actor_sleep_for((double)flow->start_ps / 1e12);
    sg_host_sendto(machine_simgrid_host(&machine, flow->from), machine_simgrid_host(&machine, flow->to),
                   (double)flow->bytes);
    flow->direct_s = simgrid_get_clock() - base_s;
}

static void run_directly(void)
{
    base_s = simgrid_get_clock();
    for (int f = 0; f < n_flows; f++) {
        sg_actor_t actor = sg_actor_init("flow", machine_simgrid_host(&machine, flows[f].from));
        sg_actor_set_data(actor, &flows[f]);
        sg_actor_start(actor, carry, 0, NULL);
    }
    simgrid_run();
}

/* --- by the kernel, on the fluid network with an ear at it --- */

enum { MAX_MESSAGES = 4096 };
static int flow_of[MAX_MESSAGES];

static void heard_start(void *state, uint32_t message, const struct transfer *transfer, int64_t now)
{
    if (message < MAX_MESSAGES)
        flow_of[message] = (int)(transfer->bytes % MAX_FLOWS);
    network_named("fluid")->start(state, message, transfer, now);
}

static bool heard_wait(void *state, int64_t until, uint32_t *message, int64_t *now)
{
    bool delivered = network_named("fluid")->wait(state, until, message, now);
    if (delivered && *message < MAX_MESSAGES)
        flows[flow_of[*message]].delivered_ps = *now;
    return delivered;
}

/* Each host sends at the starts of its flows; nobody receives. */
static int run_by_kernel(void)
{
    struct script script = {.n_ranks = N_HOSTS};
    struct network_spec network = *network_named("fluid");
    int64_t present[N_HOSTS] = {0};
    network.start = heard_start;
    network.wait = heard_wait;
    for (int f = 0; f < n_flows; f++) {
        add_work(&script, flows[f].from, flows[f].start_ps - present[flows[f].from]);
        add(&script, flows[f].from, OP_ISEND, flows[f].to, flows[f].bytes);
        present[flows[f].from] = flows[f].start_ps;
    }
    struct outcome outcome = run_with(&script, &network, NULL);
    free(outcome.record.events);
    return outcome.status;
}

/* Within 1e-9, or the few picoseconds to which the clocks are rounded. */
static int compare(int set)
{
    int failures = 0;
    for (int f = 0; f < n_flows; f++) {
        int64_t direct_ps = llround(flows[f].direct_s * 1e12);
        failures += differs("flow", "fluid", flows[f].delivered_ps, direct_ps, fmax(1e-9, 4.0 / (double)direct_ps));
    }
    if (failures > 0)
        fprintf(stderr, "... in set %d of %d flows\n", set, n_flows);
    return failures;
}

static int check_flows(const void *argument)
{
    (void)argument;
    struct drand48_data source;
    int failures = 0;
    srand48_r(1, &source);
    for (int set = 0; set < 100; set++) {
        make_flows(&source);
        run_directly();
        failures += run_by_kernel() != 0 || compare(set) != 0;
    }
    return failures;
}

static const struct wire_row unequal[] = {{11e6, 50000},  {1e8, 7000},  {3e6, 200000}, {11e6, 50000},
                                          {12.5e6, 1000}, {1e9, 30000}, {11e6, 40000}};
static const struct wire_row without_latency[] = {{11e6, 0}, {1e8, 0}, {3e6, 0}, {11e6, 0},
                                                  {1e7, 0},  {1e9, 0}, {5e6, 0}};

static void test_star(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform("", N_HOSTS, unequal[0]), check_flows, NULL), 0);
}

static void test_line(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform("", unequal, N_HOSTS - 1), check_flows, NULL), 0);
}

static void test_line_without_latency(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform("", without_latency, N_HOSTS - 1), check_flows, NULL), 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"flows on a star", test_star},
        {"flows on a line", test_line},
        {"flows on a line without latency", test_line_without_latency},
        {NULL, NULL},
    };
    return testing_run("wires, by SimGrid", tests);
}
