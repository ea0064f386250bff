/* The detail `links`: which links and nodes a machine has, what each link carried, and the bins of both.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/links.h"

#include "base/memory.h"
#include "core/simrun.h"
#include "metrics/result_transport.h"
#include "sim/machine/nodes.h"
#include "sim/platform/platform.h"
#include "tests/metrics/cells.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Runs ---- */

static const char torus[] = "hosts torus 4x4 1Gf 125MBps 20us\nlinks_per_host 4\n";
static const char tree[] = "hosts fat_tree 2x2 1Gf 125MBps 20us\n";
static const char large[] = "hosts torus 64x64 1Gf 125MBps 20us\n";
static const char star[] = "host h0 1Gf\nhost h1 1Gf\nhost h2 1Gf\nrouter hub\n"
                           "link up0 1MBps 1us\nlink up1 1MBps 1us\nlink up2 1MBps 1us\n"
                           "link down0 1MBps 1us\nlink down1 1MBps 1us\nlink down2 1MBps 1us\n"
                           "edge h0 hub up0\nedge h1 hub up1\nedge h2 hub up2\n"
                           "edge hub h0 down0\nedge hub h1 down1\nedge hub h2 down2\n";
static const char bus[] = "host h0 1Gf\nhost h1 1Gf\nhost h2 1Gf\nlink bus 1MBps 1us\n"
                          "route h0 h1 bus\nroute h1 h0 bus\nroute h0 h2 bus\nroute h2 h0 bus\n"
                          "route h1 h2 bus\nroute h2 h1 bus\n";

/* A broadcast of 64 KiB to all ranks, on as many hosts. */
static void run_on(struct result *result, const char *text, const char *ranks, const char *details)
{
    const char *const settings[] = {ranks, "bytes=64KiB", "broadcast=binomial", "network=fifo", NULL};
    struct machine *machine;
    struct simrun *simulation;
    struct sim_error error = {.message = ""};
    result_init(result);
    CU_ASSERT_EQUAL_FATAL(simrun_read_machine(&machine, "m", text, &error), 0);
    CU_ASSERT_EQUAL_FATAL(simrun_open(&simulation, machine, "broadcast", settings, &error), 0);
    if (details != NULL)
        CU_ASSERT_EQUAL_FATAL(simrun_ask(simulation, details, &error), 0);
    CU_ASSERT_EQUAL_FATAL(simrun_run(result, simulation, NULL, &error), 0);
    simrun_close(simulation);
    simrun_free_machine(machine);
}

static const char *text_at(const struct result_table *table, size_t row, const char *column)
{
    return cells_at(table, row, column).text;
}

static int64_t number_at(const struct result_table *table, size_t row, const char *column)
{
    return (int64_t)cells_at(table, row, column).number;
}

/* Each link's bins add up to its row; links without bins carried nothing. */
static void check_bins(const struct result *result)
{
    const struct result_table *links = result_find_table(result, TABLE_LINKS);
    const struct result_bins *bins = &result->link_bins;
    size_t used = 0;
    for (size_t row = 0; row < links->n_rows; row++) {
        int64_t bytes = 0, busy_ps = 0;
        bool has_bins = used < bins->n_links && bins->link[used] == (int64_t)row;
        for (size_t i = 0; has_bins && i < bins->n_bins; i++) {
            bytes += bins->bytes[used * bins->n_bins + i];
            busy_ps += bins->busy_ps[used * bins->n_bins + i];
        }
        used += has_bins;
        CU_ASSERT_EQUAL(bytes, number_at(links, row, "bytes"));
        CU_ASSERT_EQUAL(busy_ps, number_at(links, row, "busy_s"));
    }
    CU_ASSERT_EQUAL(used, bins->n_links);
    CU_ASSERT(bins->n_links * bins->n_bins <= LINKS_MOST_BINS);
}

static void test_without(void)
{
    struct result result;
    run_on(&result, torus, "ranks=16", NULL);
    CU_ASSERT_PTR_NULL(result_find_table(&result, TABLE_LINKS));
    CU_ASSERT_PTR_NULL(result_find_table(&result, TABLE_TOPOLOGY));
    CU_ASSERT_EQUAL(result.link_bins.n_links, 0);
    result_dispose(&result);
}

static void test_torus(void)
{
    struct result result;
    run_on(&result, torus, "ranks=16", "links");
    const struct result_table *links = result_find_table(&result, TABLE_LINKS);
    const struct result_table *nodes = result_find_table(&result, TABLE_NODES);
    const struct result_table *placement = result_find_table(&result, TABLE_PLACEMENT);
    const struct result_table *topology = result_find_table(&result, TABLE_TOPOLOGY);
    CU_ASSERT_EQUAL(links->n_rows, 64);
    for (size_t row = 0; row < links->n_rows; row++) {
        char name[48];
        snprintf(name, sizeof name, "%.20s-%.20s", text_at(links, row, "from"), text_at(links, row, "to"));
        CU_ASSERT_STRING_EQUAL(name, text_at(links, row, "link"));
    }
    CU_ASSERT_EQUAL(nodes->n_rows, 16);
    CU_ASSERT_STRING_EQUAL(text_at(nodes, 6, "node"), "n6");
    CU_ASSERT_STRING_EQUAL(text_at(nodes, 6, "kind"), "host");
    CU_ASSERT_DOUBLE_EQUAL(cells_at(nodes, 6, "x").ratio, 2, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(cells_at(nodes, 6, "y").ratio, 1, 1e-9);
    CU_ASSERT_EQUAL(placement->n_rows, 16);
    CU_ASSERT_STRING_EQUAL(text_at(placement, 4, "host"), "n7"); /* the second row of a snake */
    CU_ASSERT_EQUAL(topology->n_rows, 1);
    CU_ASSERT_STRING_EQUAL(text_at(topology, 0, "name"), "torus 4x4");
    CU_ASSERT_EQUAL(number_at(topology, 0, "diameter"), 4);
    CU_ASSERT_EQUAL(number_at(topology, 0, "bisection"), 8);
    CU_ASSERT_EQUAL(number_at(topology, 0, "wires"), 32);
    CU_ASSERT_EQUAL(number_at(topology, 0, "links_per_host"), 4);
    check_bins(&result);
    result_dispose(&result);
}

static void test_switches(void)
{
    struct result result;
    run_on(&result, tree, "ranks=4", "links");
    const struct result_table *nodes = result_find_table(&result, TABLE_NODES);
    CU_ASSERT_EQUAL(nodes->n_rows, 8);
    CU_ASSERT_STRING_EQUAL(text_at(nodes, 4, "node"), "n4");
    CU_ASSERT_STRING_EQUAL(text_at(nodes, 4, "kind"), "switch");
    check_bins(&result);
    result_dispose(&result);
}

/* Where a platform lists links, an end that is at a host is known, and one within the network is not. */
static void test_listed(void)
{
    struct result result;
    run_on(&result, star, "ranks=3", "links");
    const struct result_table *links = result_find_table(&result, TABLE_LINKS);
    CU_ASSERT_EQUAL(links->n_rows, 6);
    for (size_t row = 0; row < links->n_rows; row++) {
        const char *name = text_at(links, row, "link");
        bool is_up = name[0] == 'u';
        CU_ASSERT_EQUAL(text_at(links, row, is_up ? "from" : "to")[1], name[strlen(name) - 1]);
        CU_ASSERT_STRING_EQUAL(text_at(links, row, is_up ? "to" : "from"), "");
    }
    CU_ASSERT_PTR_NULL(result_find_table(&result, TABLE_TOPOLOGY));
    CU_ASSERT_EQUAL(result_find_table(&result, TABLE_NODES)->n_rows, 3);
    check_bins(&result);
    result_dispose(&result);
    run_on(&result, bus, "ranks=3", "links");
    links = result_find_table(&result, TABLE_LINKS);
    CU_ASSERT_EQUAL(links->n_rows, 1);
    CU_ASSERT_STRING_EQUAL(text_at(links, 0, "from"), "");
    CU_ASSERT_STRING_EQUAL(text_at(links, 0, "to"), "");
    result_dispose(&result);
}

/* If there are many links and nodes, the tables have only those that were used. */
static void test_large(void)
{
    struct result result;
    run_on(&result, large, "ranks=100", "links");
    const struct result_table *links = result_find_table(&result, TABLE_LINKS);
    CU_ASSERT(links->n_rows > 0 && links->n_rows == result.link_bins.n_links);
    CU_ASSERT_EQUAL(result_find_table(&result, TABLE_NODES)->n_rows, 4096);
    CU_ASSERT_EQUAL(result_find_table(&result, TABLE_PLACEMENT)->n_rows, 100);
    check_bins(&result);
    result_dispose(&result);
}

/* ---- Platforms ---- */

/* Each link of the mesh is called by the hosts that it joins. */
static void test_ends_of_platform(void)
{
    struct machine machine;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(machine_load(&machine, SOURCE_DIR "/platforms/t800-mesh.xml", &error), 0);
    struct machine_nodes *nodes = machine_nodes_new(&machine);
    CU_ASSERT_EQUAL(machine.links_per_host, 4);
    CU_ASSERT_EQUAL(machine_link_count(&machine), 464);
    for (int link = 0; link < machine_link_count(&machine); link++) {
        struct link_ends ends = machine_link_ends(nodes, link);
        char name[48];
        snprintf(name, sizeof name, "n%d-n%d", ends.from, ends.to);
        CU_ASSERT_STRING_EQUAL(name, machine_link_name(&machine, link));
    }
    machine_nodes_free(nodes);
    machine_dispose(&machine);
}

/* ---- Bytes ---- */

static void test_transport(void)
{
    struct result result, again;
    char *bytes;
    size_t size;
    run_on(&result, torus, "ranks=16", "links");
    result_init(&again);
    struct transport to = {.to = open_memstream(&bytes, &size)};
    result_transport(&to, &result);
    fclose(to.to);
    struct transport from = {.from = (unsigned char *)bytes, .size = size};
    result_transport(&from, &again);
    CU_ASSERT(!from.failed && from.size == 0);
    CU_ASSERT_EQUAL(again.link_bins.bin_ps, result.link_bins.bin_ps);
    CU_ASSERT_EQUAL(again.link_bins.n_bins, result.link_bins.n_bins);
    check_bins(&again);
    result_dispose(&again);
    for (size_t short_of = 1; short_of < size; short_of += size / 50) {
        struct transport cut = {.from = (unsigned char *)bytes, .size = size - short_of};
        result_transport(&cut, &again);
        CU_ASSERT(cut.failed);
        result_dispose(&again);
    }
    free(bytes);
    result_dispose(&result);
}

int main(void)
{
    static const struct test tests[] = {
        {"without", test_without}, {"torus", test_torus}, {"switches", test_switches},
        {"listed", test_listed},   {"large", test_large}, {"ends of a platform", test_ends_of_platform},
        {"bytes", test_transport}, {NULL, NULL},
    };
    return testing_run("detail links", tests);
}
