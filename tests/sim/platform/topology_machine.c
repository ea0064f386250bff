/* Machines made by topologies: written as platforms and read back through SimGrid they are the same; the T800's mesh is
 * that of its platform file; large ones are quick to make and to ask.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/topology/topology.h"

#include "base/memory.h"
#include "sim/machine/machine.h"
#include "sim/platform/platform.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define T800 SOURCE_DIR "/platforms/t800-mesh.xml"
#define ICLUSTER SOURCE_DIR "/platforms/icluster.xml"

/* SimGrid holds one platform for the life of a process: the check is made in a child. */
static bool in_child(bool (*check)(const void *argument), const void *argument)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(check(argument) ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
}

static bool say(const char *what, const struct machine *machine)
{
    fprintf(stderr, "%s: %s\n", machine->name, what);
    return false;
}

/* ---- The same machine ---- */

/* One number to each of the other machine's, both ways. */
struct pairing {
    int *there, *back; /* -1: none yet */
};

static bool pair(struct pairing *pairing, int link, int other)
{
    if (pairing->there[link] < 0 && pairing->back[other] < 0) {
        pairing->there[link] = other;
        pairing->back[other] = link;
    }
    return pairing->there[link] == other && pairing->back[other] == link;
}

static bool same_route(struct pairing *pairing, const struct route *a, const struct route *b)
{
    bool same = a->hops == b->hops && a->latency_ps == b->latency_ps && !(a->byte_ps < b->byte_ps) &&
                !(a->byte_ps > b->byte_ps);
    for (int i = 0; same && i < a->hops; i++)
        same = pair(pairing, a->links[i], b->links[i]);
    return same;
}

/* True if all routes of the two go over the same links, whatever these are called; `step` leaves most out. */
static bool same_routes(struct machine *a, struct machine *b, int step)
{
    size_t n_a = (size_t)machine_link_count(a), n_b = (size_t)machine_link_count(b);
    struct pairing pairing = {xmalloc((n_a + 1) * sizeof(int)), xmalloc((n_b + 1) * sizeof(int))};
    memset(pairing.there, -1, n_a * sizeof(int));
    memset(pairing.back, -1, n_b * sizeof(int));
    int n_hosts = a->net->n_hosts;
    bool same = n_hosts == b->net->n_hosts;
    for (int from = 0; same && from < n_hosts; from += step)
        for (int to = 0; same && to < n_hosts; to++)
            same = same_route(&pairing, machine_route(a, from, to), machine_route(b, from, to));
    free(pairing.there);
    free(pairing.back);
    return same;
}

static bool same_routines(const struct routines *a, const struct routines *b)
{
    bool same = a->n_kernels == b->n_kernels && a->n_needs == b->n_needs;
    for (int i = 0; same && i < a->n_kernels; i++)
        same = strcmp(a->kernels[i].name, b->kernels[i].name) == 0 &&
               memcmp(a->kernels[i].work_ps, b->kernels[i].work_ps, sizeof a->kernels[i].work_ps) == 0 &&
               a->kernels[i].polynomial.n_terms == b->kernels[i].polynomial.n_terms;
    return same;
}

static bool same_costs(const struct machine *left, const struct machine *right)
{
    const struct cost_model *a = &left->costs, *b = &right->costs;
    bool same = a->message.count == b->message.count && a->packet_bytes == b->packet_bytes &&
                a->window_bytes == b->window_bytes && a->control_bytes == b->control_bytes &&
                a->link_init_ps == b->link_init_ps && a->input_byte_ps == b->input_byte_ps &&
                a->output_start_ps == b->output_start_ps && a->send_start_ps == b->send_start_ps &&
                a->eager_limit == b->eager_limit && a->buffers_sends == b->buffers_sends &&
                a->memory_bytes == b->memory_bytes && a->dsm.page_bytes == b->dsm.page_bytes &&
                strcmp(left->default_network, right->default_network) == 0;
    for (int i = 0; same && i < a->message.count; i++)
        same = memcmp(&a->message.row[i], &b->message.row[i], sizeof a->message.row[i]) == 0;
    return same && same_routines(left->routines, right->routines);
}

/* ---- Written and read back ---- */

static bool derive(struct machine *machine, struct machine *base, const char *file, const struct topology *topology)
{
    struct sim_error error;
    if (machine_load_base(base, file, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    machine_derive(machine, base, topology);
    return true;
}

static bool write_file(const struct machine *machine, char *file)
{
    struct sim_error error;
    int descriptor = mkstemps(file, 4);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    return stream != NULL && machine_write_platform(machine, stream, &error) == 0 && fclose(stream) == 0;
}

struct back {
    const struct topology *topology;
    const char *base;
};

static bool comes_back(const void *argument)
{
    const struct back *row = argument;
    char file[] = P_tmpdir "/test-topology-XXXXXX.xml";
    struct machine base, machine, again;
    struct sim_error error;
    if (!derive(&machine, &base, row->base, row->topology))
        return false;
    bool written = write_file(&machine, file);
    int status = written ? machine_load(&again, file, &error) : -1;
    unlink(file);
    if (status != 0)
        return say(written ? error.message : "not written", &machine);
    if (!same_routes(&machine, &again, 1))
        return say("other routes", &machine);
    if (!same_costs(&machine, &again) || machine.net->mesh_width != again.net->mesh_width ||
        machine.net->mesh_height != again.net->mesh_height || again.net->mesh_pitch != machine.net->mesh_pitch)
        return say("other props", &machine);
    for (int host = 0; host < machine.net->n_hosts; host++)
        if (strcmp(machine_host_name(&machine, host), machine_host_name(&again, host)) != 0 ||
            machine_host_speed(&machine, host) != machine_host_speed(&again, host))
            return say("other hosts", &machine);
    machine_dispose(&again);
    machine_dispose(&machine);
    machine_dispose(&base);
    return true;
}

static void test_written(void)
{
    for (int r = 0; r < N_TOPOLOGY_ROWS; r++) {
        struct topology topology = topology_of_row(&topology_rows[r]);
        CU_ASSERT_TRUE(in_child(comes_back, &(struct back){&topology, r % 2 == 0 ? ICLUSTER : T800}));
    }
}

/* ---- The T800's own mesh ---- */

static bool is_the_t800(const void *argument)
{
    struct topology topology = topology_of_row(&(struct topology_case){"mesh", "16x8", ACYCLIC});
    struct machine base, mesh, t800;
    struct sim_error error;
    (void)argument;
    if (!derive(&mesh, &base, T800, &topology) || machine_load(&t800, T800, &error) != 0)
        return false;
    bool same = t800.net->n_hosts == 128 && same_routes(&mesh, &t800, 1) && same_costs(&mesh, &t800) &&
                mesh.net->mesh_width == t800.net->mesh_width && mesh.net->mesh_height == t800.net->mesh_height &&
                mesh.net->mesh_pitch == t800.net->mesh_pitch;
    /* Another mesh is not the same. */
    struct topology wide = topology_of_row(&(struct topology_case){"mesh", "8x16", ACYCLIC});
    struct machine turned;
    machine_derive(&turned, &base, &wide);
    same = same && !same_routes(&turned, &t800, 1);
    machine_dispose(&turned);
    machine_dispose(&t800);
    machine_dispose(&mesh);
    machine_dispose(&base);
    return same;
}

static void test_t800(void)
{
    CU_ASSERT_TRUE(in_child(is_the_t800, NULL));
}

/* ---- Bases ---- */

static void expect_base_error(const char *file, const char *expected)
{
    struct machine machine;
    struct sim_error error = {0};
    CU_ASSERT_EQUAL(machine_load_base(&machine, file, &error), -1);
    if (strstr(error.message, expected) == NULL)
        fprintf(stderr, "found:    %s\nexpected: %s\n", error.message, expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, expected));
}

static void test_bases(void)
{
    struct machine base;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(machine_load_base(&base, ICLUSTER, &error), 0);
    CU_ASSERT_EQUAL(base.net->n_hosts, 225);
    CU_ASSERT_DOUBLE_EQUAL(base.net->style.speed_flopps, 455e6, 0);
    CU_ASSERT_DOUBLE_EQUAL(base.net->style.bandwidth_Bps, 11e6, 0);
    CU_ASSERT_DOUBLE_EQUAL(base.net->style.latency_s, 20e-6, 1e-18);
    machine_dispose(&base);

    char alone[] = P_tmpdir "/test-topology-XXXXXX.xml";
    FILE *stream = fdopen(mkstemps(alone, 4), "w");
    fputs(
        "<?xml version=\"1.0\"?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"n0\" speed=\"1Mf\"/></zone></platform>\n",
        stream);
    fclose(stream);
    expect_base_error(alone, ".xml: has no wire between host 0 and host 1");
    unlink(alone);
    expect_base_error("/none.xml", "/none.xml: cannot read");
    expect_base_error(SOURCE_DIR "/tests/data/bad/platform/topology/narrow-pitch.xml",
                      "narrow-pitch.xml:7: <prop> mesh_pitch");
}

/* ---- Large ones ---- */

/* `unit topology_machine times` asks for many routes and wants them soon; without a word it is enough that there are
 * some. */
enum { N_ROUTES = 100000, N_SOME_ROUTES = 10000, MOST_S = 5 };

struct large {
    const char *name;
    int n_hosts;
};

static const struct large large[] = {{"mesh", 65536},      {"torus", 65536},      {"hypercube", 65536},
                                     {"star", 65536},      {"tree", 65536},       {"fat_tree", 65536},
                                     {"dragonfly", 65536}, {"complete", 4096},    {"ring", 4096},
                                     {"torus", 1048576},   {"fat_tree", 1048576}, {"dragonfly", 1048576}};

static double cpu_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool is_made(const void *argument)
{
    bool timed = testing_arguments[0] != NULL;
    int n_routes = timed ? N_ROUTES : N_SOME_ROUTES;
    const struct large *row = argument;
    struct topology topology;
    struct machine machine, base;
    struct sim_error error;
    uint64_t state = 1;
    int64_t hops = 0;
    double start_s = cpu_s();
    if (topology_init(&topology, topology_named(row->name), &(struct dimensions){.n = 0}, row->n_hosts, &error) != 0)
        return false;
    machine_init(&base, "base", "base.xml");
    base.net->style = (struct topology_style){.speed_flopps = 1e9, .bandwidth_Bps = 1e8, .latency_s = 1e-6};
    machine_derive(&machine, &base, &topology);
    machine_dispose(&base);
    for (int i = 0; i < n_routes; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int from = (int)(state >> 33) % row->n_hosts, to = (int)(state >> 13 & 0xFFFFF) % row->n_hosts;
        hops += machine_route(&machine, from, to)->hops;
    }
    double took_s = cpu_s() - start_s;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    char shape[100];
    topology_format(shape, sizeof shape, &topology);
    printf("    %-32s %6d hosts %6d switches %8d links: %d routes of %.1f hops in %.3f s, %.0f MB\n", shape,
           topology.n_hosts, topology.n_switches, topology.n_links, n_routes, (double)hops / n_routes, took_s,
           (double)usage.ru_maxrss / 1024);
    machine_dispose(&machine);
    return topology.n_hosts == row->n_hosts && (!timed || took_s < MOST_S);
}

static void test_large(void)
{
    putchar('\n');
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        CU_ASSERT_TRUE(in_child(is_made, &large[i]));
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("topology_machine", NULL, NULL);
    CU_ADD_TEST(suite, test_written);
    CU_ADD_TEST(suite, test_t800);
    CU_ADD_TEST(suite, test_bases);
    CU_ADD_TEST(suite, test_large);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    unsigned int failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures == 0 ? 0 : 1;
}
