/* The library: what its functions give, and what they say of wrong input.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/simrun.h"
#include "tests/metrics/detail_sums.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Three hosts in a row, of which routes are searched for. */
#define ROW                                                                                                            \
    "host h0 1Gf\nhost h1 1Gf\nhost h2 1Gf\nlink a 1MBps 1us\nlink b 1MBps 1us\nlink c 1MBps 1us\nlink d 1MBps 1us\n"  \
    "edge h0 h1 a\nedge h1 h0 b\nedge h1 h2 c\nedge h2 h1 d\n"

static struct machine *made(const char *text)
{
    struct machine *machine = NULL;
    struct sim_error error;
    if (simrun_read_machine(&machine, "made", text, &error) != 0)
        CU_FAIL_FATAL(error.message);
    return machine;
}

/* ---- Version ---- */

/* The version in the headers, in the library, and of the project. */
static void test_version(void)
{
    char text[40];
    snprintf(text, sizeof text, "%d.%d.", SIMRUN_API_VERSION_MAJOR, SIMRUN_API_VERSION_MINOR);
    CU_ASSERT_EQUAL(strncmp(text, SIMRUN_VERSION, strlen(text)), 0);
    CU_ASSERT_EQUAL(simrun_api_version(), SIMRUN_API_VERSION);
}

/* ---- Machines ---- */

static void test_wrong_machines(void)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "made: there are no hosts"},
        {"# nothing\n\n", "made: there are no hosts"},
        {"hosts torus 4x4\n",
         "made:1: 'hosts' needs TOPOLOGY SPEED BANDWIDTH LATENCY, such as torus 4x4 1Gf 125MBps 20us, not 'torus 4x4'"},
        {"hosts torus\n",
         "made:1: 'hosts' needs TOPOLOGY SPEED BANDWIDTH LATENCY, such as torus 4x4 1Gf 125MBps 20us, not 'torus'"},
        {"\nhosts torus 4x4 1Gf 1MBps 1\n", "made:2: a latency such as 50us is needed instead of '1'"},
        {"hosts torus 4x4 1Gf 1 1us\n", "made:1: a bandwidth such as 2.5MBps is needed instead of '1'"},
        {"hosts torus 4x4 0f 1MBps 1us\n", "made:1: a speed such as 1.36Mf is needed instead of '0f'"},
        {"hosts torus 2x2 1Gf 1MBps 1us\nhosts ring 4 1Gf 1MBps 1us\n",
         "made:2: 'hosts' must be the only source of hosts; others come before 'ring 4'"},
        {"hosts torus 2x2 1Gf 1MBps 1us\nhost h0 1Gf\n", "made: with 'hosts' there must be no 'host'"},
        {"mesh 2x2\nhosts torus 2x2 1Gf 1MBps 1us\n", "made:1: <prop> mesh: 'hosts' already sets that"},
        {"host\n", "made:1: 'host' needs NAME SPEED, not ''"},
        {"host h0\n", "made:1: 'host' needs NAME SPEED, not 'h0'"},
        {"link a 1MBps\n", "made:1: 'link' needs NAME BANDWIDTH LATENCY, not 'a 1MBps'"},
        {"host h0 1Gf\nhost h0 1Gf\nroute h0 h1 a\n", "made:3: two hosts or routers, or two links, have the same name"},
        {"host h0 1Gf\nhost h1 1Gf\nroute h0 h2 a\n", "made:3: there is no host or router called 'h2'"},
        {"host h0 1Gf\nhost h1 1Gf\nroute h0 h0 a\n", "made:3: there is no link or pipe called 'a'"},
        {ROW "edge h0 h0 a\n", "made:12: only a route may begin and end at the same node, and only at a host: 'h0'"},
        {"pipe a 1MBps\n", "made:1: 'pipe' needs NAME or NAME BANDWIDTH LATENCY, not 'a 1MBps'"},
        {"host h0 1Gf\nhost h1 1Gf\nroute h0\n", "made:3: 'route' needs FROM TO LINK..., not 'h0'"},
        {"host h0 1Gf\nhost h1 1Gf\nroute h0 h1 a\n", "made:3: there is no link or pipe called 'a'"},
        {"host h0 1Gf\nhost h1 1Gf\nroute h0 h1\n", "made:3: 'route' needs FROM TO LINK..., not 'h0 h1'"},
        {ROW "edge h0 h2 a b\n", "made:12: 'edge' needs FROM TO LINK, not 'h0 h2 a b'"},
        {ROW "route h0 h2 a\n", "made:12: routes and edges cannot be mixed; found at 'h0'"},
        {ROW "link e 1MBps 1us\n", "made:12: hosts, routers, links and pipes must come before routes and edges: 'e'"},
        {"host h0 1Gf\nhost h1 1Gf\npipe a\nroute h0 h1 a\n", "made: from 'h1' to 'h0' there is no route"},
        {"host h0 1Gf\nhost h0 1Gf\n", "made: two hosts or routers, or two links, have the same name"},
        {"host h0 1Gf\nhost h1 1Gf\nlink a 1MBps 1us\nedge h0 h1 a\n", "made: from 'h1' to 'h0' there is no way"},
        {ROW "router r\n", "made:12: hosts, routers, links and pipes must come before routes and edges: 'r'"},
        {ROW "edge h0 h1 c\n", "made: from 'h0' to 'h1' there are two"},
        {"router r\nrouter s\nhost h0 1Gf\nhost h1 1Gf\nlink a 1MBps 1us\nedge h0 r a\nedge h0 s a\nedge r h1 a\nedge "
         "s h1 a\n"
         "edge h1 h0 a\n",
         "made: from 'h0' to 'h1' there are several shortest ways"},
        {"costs_from other.xml\n" ROW,
         "made:1: this text contains the costs, so costs_from is not allowed: 'other.xml'"},
        {"host h0 1Gf 2Gf\n", "made:1: 'host' needs NAME SPEED, not 'h0 1Gf 2Gf'"},
        {"eager_limit 1KiB\neager_limit 2KiB\n" ROW, "made:2: given twice: 'eager_limit'"},
        {"eager_limit 1parsec\n" ROW,
         "made:1: <prop> eager_limit: unknown unit 'parsec' in '1parsec'; known: B kB MB GB KiB MiB GiB"},
        {"mesh 2x2\n" ROW, "made:1: <prop> mesh: a mesh of 2x2 with pitch 2 needs 4 hosts; the platform has 3"},
        {"topology ring 4\n" ROW, "made:1: <prop> topology: a ring 4 has 4 hosts; the platform has 3"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct machine *machine = NULL;
        struct sim_error error = {.status = SIM_DONE};
        CU_ASSERT_EQUAL(simrun_read_machine(&machine, "made", wrong[i].text, &error), -1);
        CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
        CU_ASSERT_PTR_NULL(machine);
        if (strcmp(error.message, wrong[i].message) != 0)
            printf("%s\n%s\n", error.message, wrong[i].message);
        CU_ASSERT_STRING_EQUAL(error.message, wrong[i].message);
    }
}

/* ---- Applications ---- */

static void test_lists(void)
{
    int n = 0, n_parameters = 0;
    bool has_ring = false;
    const char *summary = NULL;
    for (const char *name; (name = simrun_application(n, &summary)) != NULL; n++) {
        has_ring |= strcmp(name, "ring") == 0;
        CU_ASSERT_STRING_NOT_EQUAL(name, "trace"); /* that is read from a file */
        CU_ASSERT(summary != NULL && summary[0] != '\0');
    }
    CU_ASSERT(n >= 20);
    CU_ASSERT(has_ring);
    struct simrun_parameter parameter;
    bool has_ranks = false, has_rounds = false;
    while (simrun_parameter(&parameter, "ring", n_parameters)) {
        has_ranks |= strcmp(parameter.name, "ranks") == 0;
        if (strcmp(parameter.name, "rounds") == 0) {
            has_rounds = true;
            CU_ASSERT_STRING_EQUAL(parameter.fallback, "1");
            CU_ASSERT_STRING_EQUAL(parameter.allowed, "1 ... 1000000000");
        }
        n_parameters++;
    }
    CU_ASSERT(has_ranks);
    CU_ASSERT(has_rounds);
    CU_ASSERT_FALSE(simrun_parameter(&parameter, "no-such", 0));
    CU_ASSERT_STRING_EQUAL(simrun_kernel("gauss-jordan", 4), "gj.buf");
    CU_ASSERT_PTR_NULL(simrun_kernel("gauss-jordan", 5));
    CU_ASSERT_PTR_NULL(simrun_kernel("ring", 0));
    CU_ASSERT_PTR_NULL(simrun_kernel("no-such", 0));
}

static void test_wrong_settings(void)
{
    static const struct {
        const char *application, *setting, *message;
    } wrong[] = {
        {"rings", "ranks=2", "unknown application 'rings'; did you mean 'ring'? known: gauss-jordan ring"},
        {"ring", "ranks", "'ranks' is not NAME=VALUE"},
        {"ring", "ranke=2", "unknown parameter 'ranke'; did you mean 'ranks'? known: ranks network"},
        {"ring", "ranks=two", "parameter 'ranks': "},
        {"ring", "ranks=4", "parameter 'ranks': 4 ranks on the 3 hosts of made with 1 per host"},
        {"ring", "network=none", "parameter 'network': "},
        {"ring", "dimensions=4x4", "parameter 'dimensions' belongs to a topology; set 'topology' as well"},
        {"gauss-jordan", "ranks=2", "parameter 'n' must be set"},
        {"gauss-jordan", "n=8", "made: lacks the kernel 'gj."},
    };
    struct machine *machine = made(ROW);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct simrun *simulation = NULL;
        struct sim_error error = {.status = SIM_DONE};
        const char *const settings[] = {wrong[i].setting, NULL};
        CU_ASSERT_EQUAL(simrun_open(&simulation, machine, wrong[i].application, settings, &error), -1);
        CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
        CU_ASSERT_PTR_NULL(simulation);
        bool right = strncmp(error.message, wrong[i].message, strlen(wrong[i].message)) == 0;
        if (!right)
            printf("%s\n%s\n", error.message, wrong[i].message);
        CU_ASSERT(right);
    }
    simrun_free_machine(machine);
}

/* ---- Runs ---- */

struct seen {
    int64_t busy_ps[3];
    int n_messages;
};

static void see(void *self, const struct interval *interval)
{
    struct seen *seen = self;
    seen->busy_ps[interval->location] += interval->end_ps - interval->start_ps;
    seen->n_messages += interval->is_message;
}

/* Two messages round a row of three hosts, one of them over two wires, by hand: 1000 bytes take 1 ms a wire. */
static void test_run(void)
{
    static const char *const settings[] = {"bytes=1kB", "ranks=9", "ranks=3", "rounds=2", "network=quiet", NULL};
    struct machine *machine = made(ROW);
    struct simrun *simulation = NULL;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(simrun_open(&simulation, machine, "ring", settings, &error), 0);
    CU_ASSERT_EQUAL(simrun_events(simulation).n_ranks, 3);
    CU_ASSERT_EQUAL(simrun_events(simulation).n_locations, 3);
    struct result result;
    struct seen seen = {.n_messages = 0};
    const struct interval_sink observer = {.take = see, .self = &seen};
    result_init(&result);
    for (int run = 1; run <= 2; run++) { /* as often as one likes */
        CU_ASSERT_EQUAL_FATAL(simrun_run(&result, simulation, &observer, &error), 0);
        const struct measure *time = result_find(&result, "", "time_s");
        CU_ASSERT_PTR_NOT_NULL_FATAL(time);
        int64_t end_ps = (int64_t)measure_number(time);
        CU_ASSERT_EQUAL(end_ps, 2 * INT64_C(1002000000));
        CU_ASSERT_EQUAL(seen.n_messages, 6 * run);
        for (int rank = 0; rank < 3; rank++)
            CU_ASSERT_EQUAL(seen.busy_ps[rank], end_ps * run);
    }
    size_t n_measures = result.n_measures;
    CU_ASSERT_EQUAL(simrun_what_if(&result, simulation, "latency,no", &error), -1);
    CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
    CU_ASSERT_EQUAL(result.n_measures, n_measures);
    CU_ASSERT_EQUAL(simrun_what_if(&result, simulation, "latency", &error), 0);
    CU_ASSERT(result.n_measures > n_measures);
    CU_ASSERT_PTR_NOT_NULL(result_find_table(&result, TABLE_WHAT_IF_CAUSES));
    result_dispose(&result);
    simrun_close(simulation);
    simrun_free_machine(machine);
}

#define PAIR                                                                                                           \
    "host h0 1Gf\nhost h1 1Gf\nlink a 1MBps 1ms\nlink b 1MBps 1ms\npipe p 500kBps 3ms\nroute h0 h1 a p\nroute h1 h0 "  \
    "b p\n"

/* A message of 1000 bytes each way: two milliseconds in the pipe, and four of latency. Between two ranks of a host it
 * is the pipe alone, or 10 GB/s where nobody says, or no time where a network is named. */
static void test_pipes(void)
{
    static const struct {
        const char *text, *settings[2];
        int64_t end_ps;
    } rows[] = {
        {PAIR, {"ranks=2", "network=quiet"}, 6000000000},
        {PAIR, {"ranks=2", "network=fifo"}, 6000000000},
        {PAIR, {"ranks=2"}, 6000000000},
        {PAIR "route h0 h0 p\n", {"ranks=2", "ranks_per_host=2"}, 5000000000},
        {PAIR, {"ranks=2", "ranks_per_host=2"}, 100000},
        {"network fifo\n" PAIR "route h0 h0 p\n", {"ranks=2", "ranks_per_host=2"}, 0},
        {"message.1 start=1ms\n" PAIR, {"ranks=2"}, 1000000000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *settings[] = {"bytes=1kB", "rounds=1", rows[i].settings[0], rows[i].settings[1], NULL};
        struct machine *machine = made(rows[i].text);
        struct simrun *simulation = NULL;
        struct sim_error error;
        struct result result;
        result_init(&result);
        CU_ASSERT_EQUAL_FATAL(simrun_open(&simulation, machine, "ring", settings, &error), 0);
        CU_ASSERT_EQUAL_FATAL(simrun_run(&result, simulation, NULL, &error), 0);
        const struct measure *time = result_find(&result, "", "time_s");
        CU_ASSERT_EQUAL((int64_t)measure_number(time), rows[i].end_ps);
        result_dispose(&result);
        simrun_close(simulation);
        simrun_free_machine(machine);
    }
}

/* A message of 1000 bytes between the two leaf switches of a fat tree. Of four wires two have the level leaf; the
 * slower core and the ends are of the machine. Where hosts are listed, wires have no levels. */
static void test_ends_and_levels(void)
{
#define TREE "hosts fat_tree 2x2:1x1 1Gf 100MBps 1us\n"
#define LEAF "wire.leaf bandwidth=10MBps latency=3us\n"
    static const struct {
        const char *text;
        int64_t way_ps;
    } rows[] = {
        {TREE, 14000000},
        {TREE LEAF, 8000000 + 100000000},
        {TREE "core_bandwidth 5MBps\n" LEAF, 8000000 + 200000000},
        {TREE "endpoint.1 start=2us byte=1ns\n" LEAF, 8000000 + 100000000 + 3000000},
        {"wire.host bandwidth=10MBps latency=3us\nhost h0 1Gf\nhost h1 1Gf\nlink a 1MBps 1us\nroute h0 h1 a\n"
         "route h1 h0 a\n",
         1001000000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine *machine = made(rows[i].text);
        const struct route *route = machine_route(machine, 0, machine->net->n_hosts - 1);
        int64_t latency_ps;
        CU_ASSERT_EQUAL(machine_alone_ps(machine, route, 1000, false, &latency_ps), rows[i].way_ps);
        simrun_free_machine(machine);
    }
}

/* Details are there from the next run on, until others are asked for. */
static void test_details(void)
{
    static const char *const settings[] = {"ranks=3", "bytes=1kB", "rounds=2", NULL};
    static const char *const asked[] = {NULL, "messages", "path,scopes", "all"};
    static const bool has[][3] = {{false, false, false}, {true, false, false}, {false, true, true}, {true, true, true}};
    struct machine *machine = made(ROW);
    struct simrun *simulation = NULL;
    struct sim_error error;
    struct result result;
    result_init(&result);
    CU_ASSERT_EQUAL_FATAL(simrun_open(&simulation, machine, "ring", settings, &error), 0);
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(asked[i] != NULL ? simrun_ask(simulation, asked[i], &error) : 0, 0);
        CU_ASSERT_EQUAL(simrun_ask(simulation, "colours", &error), -1);
        CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
        CU_ASSERT_EQUAL_FATAL(simrun_run(&result, simulation, NULL, &error), 0);
        CU_ASSERT_EQUAL(result_find_table(&result, TABLE_COMMUNICATION_MATRIX) != NULL, has[i][0]);
        CU_ASSERT_EQUAL(result_find_table(&result, TABLE_CRITICAL_PATH_SEGMENTS) != NULL, has[i][1]);
        CU_ASSERT_EQUAL(result_find_table(&result, TABLE_SCOPE_STATES) != NULL, has[i][2]);
    }
    CU_ASSERT_PTR_NULL(sums_fault(&result));
    result_dispose(&result);
    simrun_close(simulation);
    simrun_free_machine(machine);
}

/* Earlier causes are replaced: the result is as if only the last ones had been asked for. */
static void test_what_if_again(void)
{
    static const char *const settings[] = {"ranks=3", "bytes=1kB", NULL}, *const again[] = {NULL, "latency"};
    struct machine *machine = made(ROW);
    struct simrun *simulation = NULL;
    struct sim_error error;
    struct result once, result;
    result_init(&once);
    result_init(&result);
    CU_ASSERT_EQUAL_FATAL(simrun_open(&simulation, machine, "ring", settings, &error), 0);
    CU_ASSERT_EQUAL_FATAL(simrun_run(&once, simulation, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(simrun_run(&result, simulation, NULL, &error), 0);
    CU_ASSERT_EQUAL(simrun_what_if(&once, simulation, "latency", &error), 0);
    for (int i = 0; i < 2; i++)
        CU_ASSERT_EQUAL(simrun_what_if(&result, simulation, again[i], &error), 0);
    CU_ASSERT_EQUAL(result.n_tables, once.n_tables);
    CU_ASSERT_EQUAL(result_find_table(&result, TABLE_WHAT_IF_CAUSES)->n_rows, 1);
    CU_ASSERT_EQUAL_FATAL(result.n_measures, once.n_measures);
    for (size_t i = 0; i < once.n_measures; i++) {
        CU_ASSERT_STRING_EQUAL(result.measures[i].of->group, once.measures[i].of->group);
        CU_ASSERT_STRING_EQUAL(result.measures[i].of->name, once.measures[i].of->name);
        CU_ASSERT_EQUAL(measure_value(&result.measures[i]), measure_value(&once.measures[i]));
    }
    for (int i = 0; i < 2; i++) /* nothing is freed twice */
        result_dispose(&result);
    CU_ASSERT_EQUAL(result.n_measures, 0);
    result_dispose(&once);
    simrun_close(simulation);
    simrun_free_machine(machine);
}

/* A run that comes to no end leaves the result as it was. */
static void test_deadlock(void)
{
    static const char *const settings[] = {"ranks=3", "mode=synchronous", NULL};
    struct machine *machine = made(ROW);
    struct simrun *simulation = NULL;
    struct sim_error error;
    struct result result;
    result_init(&result);
    result_add_count(&result, "", "messages", 7);
    CU_ASSERT_EQUAL_FATAL(simrun_open(&simulation, machine, "ring", settings, &error), 0);
    CU_ASSERT_EQUAL(simrun_run(&result, simulation, NULL, &error), -1);
    CU_ASSERT_EQUAL(error.status, SIM_UNFINISHED);
    CU_ASSERT_EQUAL_FATAL(result.n_measures, 1);
    CU_ASSERT_EQUAL((int64_t)measure_number(&result.measures[0]), 7);
    result_dispose(&result);
    simrun_close(simulation);
    simrun_free_machine(machine);
}

/* The parameter topology wires the machine anew, and leaves it as it is. */
static void test_topology(void)
{
    static const char *const settings[] = {"ranks=16", "topology=hypercube", "bytes=1kB", "network=quiet", NULL};
    struct machine *machine = made("hosts ring 3 1Gf 1MBps 1us\n");
    struct simrun *simulation = NULL;
    struct sim_error error;
    struct result result;
    result_init(&result);
    CU_ASSERT_EQUAL_FATAL(simrun_open(&simulation, machine, "broadcast", settings, &error), 0);
    CU_ASSERT_EQUAL(simrun_run(&result, simulation, NULL, &error), 0);
    CU_ASSERT_EQUAL((int64_t)measure_number(result_find(&result, "", "time_s")), 4 * INT64_C(1001000000));
    result_dispose(&result);
    simrun_close(simulation);
    simrun_free_machine(machine);
}

int main(void)
{
    static const struct test tests[] = {
        {"the version", test_version},
        {"machines that are wrong", test_wrong_machines},
        {"what there is", test_lists},
        {"settings that are wrong", test_wrong_settings},
        {"a run by hand", test_run},
        {"pipes and loops", test_pipes},
        {"ends and levels", test_ends_and_levels},
        {"details", test_details},
        {"what if, again", test_what_if_again},
        {"a deadlock", test_deadlock},
        {"another topology", test_topology},
        {NULL, NULL},
    };
    return testing_run("simrun", tests);
}
