/* Loads of links: sums against the transfers that a network is given, and closed forms on small machines.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/link_loads.h"

#include "apps/list.h"
#include "base/range.h"
#include "core/simrun.h"
#include "core/simulation.h"
#include "sim/simulate.h"
#include "tests/sim/network/values.h"
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

/* ---- Sums ---- */

/* Stands before a network and counts what each transfer asks of it when it sets out. */
static struct {
    const struct network_spec *real;
    wide_int bytes, messages; /* each times its hops */
} counted;

static struct network *counting_open(const struct machine *of)
{
    return counted.real->open(of);
}

static enum transfer_state counting_advance(struct network *network, struct transfer *transfer, uint32_t number,
                                            int64_t now, int64_t *at)
{
    if (transfer->next_hop == 0) {
        counted.bytes += (wide_int)transfer->bytes * transfer->hops;
        counted.messages += transfer->hops;
    }
    return counted.real->advance(network, transfer, number, now, at);
}

static void add_loads(struct link_load *sum, const struct link_loads *loads)
{
    *sum = (struct link_load){0};
    for (int link = 0; link < link_loads_count(loads); link++) {
        const struct link_load *load = link_loads_of(loads, link);
        sum->messages += load->messages;
        sum->bytes += load->bytes;
        sum->busy_ps += load->busy_ps;
        sum->waited_ps += load->waited_ps;
    }
}

/* The bins of each link add up to its totals, none is negative, and none is behind the last. */
static bool bins_add_up(const struct link_loads *loads)
{
    int n_bins = link_loads_bin_count(loads);
    bool fine = n_bins <= LINK_BINS_MOST;
    for (int link = 0; link < link_loads_count(loads); link++) {
        const struct link_load *load = link_loads_of(loads, link);
        struct link_bin sum = {0};
        for (int i = 0; i < n_bins; i++) {
            const struct link_bin *bin = &link_loads_bins(loads, link)[i];
            fine &= bin->busy_ps >= 0 && bin->bytes >= 0;
            sum.busy_ps += bin->busy_ps;
            sum.bytes += bin->bytes;
        }
        fine &= sum.busy_ps == load->busy_ps && sum.bytes == load->bytes;
    }
    return fine;
}

static void check_run(struct machine *on, const char *network, const char *app_name, const char *const *settings)
{
    const struct app_spec *app = app_find(app_skeletons, app_name);
    int64_t *values = values_of(app, settings);
    struct simulation simulation;
    struct sim_error error = {.message = ""};
    struct kernel_stats stats = {0};
    struct link_load sum;
    struct network_spec counting = *network_named(network);
    counted.real = network_named(network);
    counted.bytes = counted.messages = 0;
    counting.open = counting_open;
    counting.advance = counting_advance;
    CU_ASSERT_EQUAL_FATAL(simulation_init(&simulation, on, &counting, app, NULL, values, false, &error), 0);
    struct kernel_run run = simulation_kernel_run(&simulation);
    run.loads = link_loads_new(machine_link_count(on));
    CU_ASSERT_EQUAL(simulate_run(&stats, &run, &error), 0);
    add_loads(&sum, run.loads);
    if (sum.bytes == 0 || sum.bytes != counted.bytes || sum.messages != counted.messages) {
        fprintf(stderr, "%s on %s: links carry %lld B in %lld messages, of %lld B in %lld\n", app_name, network,
                (long long)sum.bytes, (long long)sum.messages, (long long)counted.bytes, (long long)counted.messages);
        CU_FAIL("bytes or messages of links");
    }
    CU_ASSERT(bins_add_up(run.loads));
    CU_ASSERT((counting.is_quiet || counting.is_loggp) == (sum.waited_ps == 0)); /* loggp: not for a link */
    link_loads_free(run.loads);
    simulation_dispose(&simulation);
    free(values);
}

static const char torus_text[] = "hosts torus 4x4 1Gf 125MBps 20us\n"
                                 "send_overhead start=5us\n"
                                 "send_completes buffered\n"
                                 "eager_limit 4KiB\n"
                                 "control 64B\n"
                                 "cycle 10ns\n"
                                 "kernel.gj.rsub cpu=12 fpu=8\n"
                                 "kernel.gj.norm cpu=8 fpu=5\n"
                                 "kernel.gj.set cpu=12\n"
                                 "kernel.gj.inv cpu=8 fpu=30\n"
                                 "kernel.gj.buf cpu=6\n";

/* Eager messages and such as are agreed upon by RTS and CTS, of one rank and of several to a host. */
static void test_sums_of_messages(void)
{
    static const char *const small[] = {"ranks", "16", "n", "96", NULL};
    static const char *const large[] = {"ranks", "32", "ranks_per_host", "2", "n", "640", "broadcast", "chain", NULL};
    static const char *const all[] = {"ranks", "16", "collective", "alltoall", "bytes", "20000", NULL};
    struct machine *torus;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(simrun_read_machine(&torus, "torus", torus_text, &error), 0);
    for (int i = 0; network_specs[i] != NULL; i++) {
        check_run(torus, network_specs[i]->name, "gauss-jordan", small);
        check_run(torus, network_specs[i]->name, "gauss-jordan", large);
        check_run(torus, network_specs[i]->name, "collective", all);
    }
    simrun_free_machine(torus);
}

/* Packet by packet, and packets of programs that share memory. */
static void test_sums_on_platforms(void)
{
    static const char *const solve[] = {"ranks", "64", "n", "64", NULL};
    static const char *const sort[] = {"ranks", "8", "keys", "2048", NULL};
    struct machine mesh, cluster;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(machine_load(&mesh, SOURCE_DIR "/platforms/t800-mesh.xml", &error), 0);
    check_run(&mesh, "quiet", "gauss-jordan", solve);
    check_run(&mesh, "fifo", "gauss-jordan", solve);
    machine_dispose(&mesh);
    CU_ASSERT_EQUAL_FATAL(machine_load(&cluster, SOURCE_DIR "/platforms/decstation-atm.xml", &error), 0);
    for (int i = 0; network_specs[i] != NULL; i++)
        check_run(&cluster, network_specs[i]->name, "radix", sort);
    machine_dispose(&cluster);
}

/* ---- Closed forms ---- */

/* A script of three ranks on a star, with 100 bytes in a microsecond. */
static struct link_loads *run_on_star(int64_t *end_ps, const char *network, const struct script *script)
{
    struct machine *star;
    struct sim_error error = {.message = ""};
    struct placement placement;
    const struct placement_request request = {.n_ranks = 3, .ranks_per_host = 1};
    struct kernel_stats stats = {0};
    CU_ASSERT_EQUAL_FATAL(
        simrun_read_machine(&star, "star", "hosts star 3 1Gf 100MBps 1us\ncycle 1ns\nkernel.work cpu=1\n", &error), 0);
    CU_ASSERT_EQUAL_FATAL(placement_init(&placement, &request, star, &error), 0);
    const struct program program = {.app = &script_app, .config = (void *)(uintptr_t)script};
    const struct kernel_run run = {.program = &program,
                                   .machine = star,
                                   .placement = &placement,
                                   .network = network_named(network),
                                   .loads = link_loads_new(machine_link_count(star))};
    CU_ASSERT_EQUAL_FATAL(kernel_run(&stats, &run, &error), 0);
    *end_ps = stats.end_ps;
    simrun_free_machine(star);
    return run.loads;
}

/* Two ranks send to the third at once. */
static struct link_loads *run_two_senders(int64_t *end_ps, const char *network, int64_t first_bytes,
                                          int64_t second_bytes)
{
    struct script script = {.n_ranks = 3};
    add(&script, 0, OP_SEND, 2, first_bytes);
    add(&script, 1, OP_SEND, 2, second_bytes);
    add(&script, 2, OP_RECV, 0, first_bytes);
    add(&script, 2, OP_RECV, 1, second_bytes);
    return run_on_star(end_ps, network, &script);
}

/* Link 2h leads up from host h to the switch, and link 2h + 1 down. */
static bool has_load(const struct link_loads *loads, int link, int64_t messages, int64_t bytes, int64_t busy_ps,
                     int64_t waited_ps)
{
    const struct link_load *load = link_loads_of(loads, link);
    bool same =
        load->messages == messages && load->bytes == bytes && load->busy_ps == busy_ps && load->waited_ps == waited_ps;
    if (!same)
        fprintf(stderr, "link %d: %lld messages, %lld B, %lld ps busy, %lld ps waited for\n", link,
                (long long)load->messages, (long long)load->bytes, (long long)load->busy_ps,
                (long long)load->waited_ps);
    return same;
}

/* 1000 bytes take 10 us, 3000 take 30. On `fifo` the second waits for all of the first. On `fluid` both have half the
 * rate for 20 us, then the second has all of it: they lose 10 us each. */
static void test_two_senders(void)
{
    static const struct {
        const char *network;
        int64_t end_us, first_us, second_us, down_us,
            waited_us; /* the busy times of the ways up, and of the way down */
    } rows[] = {{"quiet", 32, 10, 30, 30, 0}, {"fifo", 42, 10, 30, 40, 10}, {"fluid", 42, 20, 40, 40, 20}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t end_ps = 0;
        struct link_loads *loads = run_two_senders(&end_ps, rows[i].network, 1000, 3000);
        CU_ASSERT_EQUAL(end_ps, rows[i].end_us * US);
        CU_ASSERT(has_load(loads, 0, 1, 1000, rows[i].first_us * US, 0));
        CU_ASSERT(has_load(loads, 2, 1, 3000, rows[i].second_us * US, 0));
        CU_ASSERT(has_load(loads, 5, 2, 4000, rows[i].down_us * US, rows[i].waited_us * US));
        CU_ASSERT(has_load(loads, 1, 0, 0, 0, 0));
        CU_ASSERT(bins_add_up(loads));
        link_loads_free(loads);
    }
}

/* Two messages of 10 us each go the same way at once: each takes 20 us, and loses 10. */
static void test_two_on_one_route(void)
{
    struct script script = {.n_ranks = 3};
    struct link_load sum;
    int64_t end_ps;
    for (int i = 0; i < 2; i++) {
        add(&script, 0, OP_ISEND, 2, 1000);
        add(&script, 2, OP_RECV, 0, 1000);
    }
    struct link_loads *loads = run_on_star(&end_ps, "fluid", &script);
    add_loads(&sum, loads);
    CU_ASSERT_EQUAL(end_ps, 22 * US);
    CU_ASSERT_EQUAL(sum.waited_ps, 20 * US);
    CU_ASSERT_EQUAL(sum.busy_ps, 40 * US);
    CU_ASSERT_EQUAL(sum.bytes, 4000);
    CU_ASSERT(bins_add_up(loads));
    link_loads_free(loads);
}

/* On `fluid` the way down carries 100 bytes in each microsecond that it is busy; the first way up half of that. */
static void test_bytes_by_bin(void)
{
    int64_t end_ps;
    struct link_loads *loads = run_two_senders(&end_ps, "fluid", 100000, 300000);
    int64_t bin_ps = link_loads_bin_ps(loads), n_bins = link_loads_bin_count(loads);
    CU_ASSERT(n_bins > LINK_BINS_MOST / 2);
    for (int i = 0; i < n_bins; i++) {
        const struct link_bin *down = &link_loads_bins(loads, 5)[i], *up = &link_loads_bins(loads, 0)[i];
        CU_ASSERT(llabs(down->bytes - down->busy_ps / 10000) <= 2);
        CU_ASSERT(llabs(up->bytes - up->busy_ps / 20000) <= 2);
        CU_ASSERT(down->busy_ps <= bin_ps && (i == 0 || i == n_bins - 1 || down->busy_ps == bin_ps));
    }
    link_loads_free(loads);
}

/* ---- Bins ---- */

static void test_widening(void)
{
    struct link_loads *loads = link_loads_new(2);
    link_loads_serve(loads, 0, 7, 0, 3, 10);
    link_loads_serve(loads, 0, 5, 100, 100, 0);
    CU_ASSERT_EQUAL(link_loads_bin_count(loads), 1);
    link_loads_serve(loads, 1, 1000003, 20, 20, 3 * MS); /* over all bins, which widen for it */
    CU_ASSERT(bins_add_up(loads));
    CU_ASSERT(link_loads_bin_count(loads) > LINK_BINS_MOST / 2);
    CU_ASSERT(has_load(loads, 0, 2, 12, 10, 3));
    int n_bins = link_loads_bin_count(loads);
    link_loads_coarsen(loads);
    CU_ASSERT_EQUAL(link_loads_bin_count(loads), (n_bins + 1) / 2);
    CU_ASSERT(bins_add_up(loads));
    link_loads_serve(loads, 1, 1, 0, PS_MAX, 1);
    CU_ASSERT(bins_add_up(loads));
    link_loads_free(loads);
}

/* With many links there are fewer bins. */
static void test_many_links(void)
{
    enum { MANY = 300000 };
    struct link_loads *loads = link_loads_new(MANY);
    link_loads_serve(loads, MANY - 1, 1000, 0, 0, MS);
    link_loads_serve(loads, MANY - 1, 1000, 0, MS, MS);
    CU_ASSERT(link_loads_bin_count(loads) > 1 && link_loads_bin_count(loads) < LINK_BINS_MOST / 4);
    CU_ASSERT(has_load(loads, MANY - 1, 2, 2000, 2 * MS, MS));
    link_loads_free(loads);
}

/* Work of a link counts in the bin in which it is done, whatever it has done before; over an edge, in both. */
static void test_served_by_bin(void)
{
    struct link_loads *loads = link_loads_new(1);
    int64_t bin_ps = link_loads_bin_ps(loads);
    link_loads_serve(loads, 0, 10, 0, 0, 100);
    link_loads_serve(loads, 0, 20, 200, 200, 300);
    link_loads_serve(loads, 0, 40, 3 * bin_ps, 3 * bin_ps, 500);
    link_loads_serve(loads, 0, 80, 6 * bin_ps - 600, 6 * bin_ps - 600, 800);
    link_loads_serve(loads, 0, 160, 6 * bin_ps + 200, 6 * bin_ps + 200, 7);
    const struct link_bin *bins = link_loads_bins(loads, 0);
    static const struct link_bin expected[] = {{400, 30}, {0, 0}, {0, 0}, {500, 40}, {0, 0}, {600, 60}, {207, 180}};
    CU_ASSERT_EQUAL(link_loads_bin_count(loads), 7);
    for (int i = 0; i < 7; i++) {
        CU_ASSERT_EQUAL(bins[i].busy_ps, expected[i].busy_ps);
        CU_ASSERT_EQUAL(bins[i].bytes, expected[i].bytes);
    }
    link_loads_free(loads);
}

/* ---- The end of a run ---- */

enum { SERVICES = 60 };
struct service {
    int64_t from_ps, to_ps;
};

/* How long one or more of the services, in the order of their beginnings, are under way between two moments. */
static int64_t union_within(const struct service *services, int64_t from_ps, int64_t to_ps)
{
    int64_t sum_ps = 0, done_ps = from_ps;
    for (int i = 0; i < SERVICES; i++) {
        int64_t start_ps = int64_max(services[i].from_ps, done_ps), end_ps = int64_min(services[i].to_ps, to_ps);
        sum_ps += int64_max(end_ps - start_ps, 0);
        done_ps = int64_max(done_ps, end_ps);
    }
    return sum_ps;
}

/* Messages come to a link that serves them one by one, or lets them pass each other. The run's end is known when some
 * have come, while others are served, wait, or have not come. */
static void check_end(bool pass)
{
    struct service services[SERVICES];
    struct link_loads *loads = link_loads_new(1);
    int n_before = testing_random_to(SERVICES - 1);
    int64_t came_ps = 0, free_ps = 0, limit_ps = 0;
    for (int i = 0; i < SERVICES; i++) {
        int64_t busy_ps = testing_random_to(400000);
        if (i == n_before) {
            limit_ps = came_ps + 1 + testing_random_to(1000000);
            link_loads_end(loads, limit_ps);
        }
        came_ps += testing_random_to(300000);
        services[i].from_ps = pass ? came_ps : int64_max(came_ps, free_ps);
        free_ps = services[i].to_ps = services[i].from_ps + busy_ps;
        link_loads_serve(loads, 0, 10, came_ps, services[i].from_ps, busy_ps);
    }
    CU_ASSERT_EQUAL(link_loads_of(loads, 0)->busy_ps, union_within(services, 0, limit_ps));
    CU_ASSERT(bins_add_up(loads));
    for (int b = 0; b < link_loads_bin_count(loads); b++) {
        int64_t from_ps = b * link_loads_bin_ps(loads);
        CU_ASSERT_EQUAL(link_loads_bins(loads, 0)[b].busy_ps,
                        union_within(services, from_ps, int64_min(from_ps + link_loads_bin_ps(loads), limit_ps)));
    }
    link_loads_free(loads);
}

static void test_end(void)
{
    for (int i = 0; i < 300; i++)
        check_end(i % 2 == 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"sums of messages", test_sums_of_messages},
        {"sums on platforms", test_sums_on_platforms},
        {"two senders", test_two_senders},
        {"two on one route", test_two_on_one_route},
        {"bytes by bin", test_bytes_by_bin},
        {"served by bin", test_served_by_bin},
        {"widening", test_widening},
        {"many links", test_many_links},
        {"the end of a run", test_end},
        {NULL, NULL},
    };
    return testing_run("link loads", tests);
}
