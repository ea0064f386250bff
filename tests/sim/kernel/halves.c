/* A simulation that may use two threads has the same result as one that may not, whether its halves come to the end or
 * are given up: because they wait for each other too often, or because the program needs the order of time. */
#include "tests/testing.h"

#include <CUnit/Basic.h>

#include "core/simrun.h"
#include "core/simrun_internal.h"
#include "core/simulation.h"

#include <stdio.h>
#include <string.h>

static const char machine_text[] = "hosts mesh 8x8 1.36Mf 2.5MBps 5us\neager_limit 64KiB\n";

static const struct {
    const char *app, *settings[6];
} programs[] = {
    {"ring", {"ranks=64", "rounds=2000"}},
    {"ring", {"ranks=63", "rounds=1000", "bytes=0"}},
    {"broadcast", {"ranks=64", "rounds=1000"}},
    {"broadcast", {"ranks=64", "rounds=1000", "broadcast=flat"}},
    {"broadcast", {"ranks=64", "rounds=1000", "broadcast=chain", "root=centre"}},
    {"broadcast", {"ranks=64", "rounds=1000", "broadcast_mode=synchronous"}},
    {"collective", {"ranks=64", "rounds=200", "collective=allreduce"}},
    {"collective", {"ranks=64", "rounds=200", "collective=gather"}},
    {"collective", {"ranks=64", "rounds=200", "collective=barrier"}},
    {"collective", {"ranks=64", "rounds=10", "collective=alltoall", "bytes=64"}},
};

struct outcome {
    struct kernel_stats stats;
    struct result result;
};

static int run(struct outcome *outcome, const struct simulation *simulation, int n_threads)
{
    struct simulation threaded = *simulation;
    struct sim_error error;
    threaded.n_threads = n_threads;
    result_init(&outcome->result);
    int status = simulation_measure(&outcome->result, &outcome->stats, &threaded, -1, NULL, &error);
    if (status != 0)
        fprintf(stderr, "%s\n", error.message);
    return status;
}

static bool is_same(const struct outcome *one, const struct outcome *two)
{
    bool same = memcmp(&one->stats, &two->stats, sizeof one->stats) == 0;
    same = same && one->result.n_measures == two->result.n_measures && one->result.n_measures > 20;
    for (size_t i = 0; same && i < one->result.n_measures; i++)
        same = memcmp(&one->result.measures[i], &two->result.measures[i], sizeof one->result.measures[i]) == 0;
    for (int rank = 0; same && rank < one->result.n_ranks; rank++)
        same = memcmp(one->result.state_ps[rank], two->result.state_ps[rank], sizeof *one->result.state_ps) == 0;
    return same;
}

static bool compare(struct machine *machine, int program)
{
    const char *settings[8] = {"network=quiet"};
    struct simrun *opened;
    struct sim_error error;
    struct outcome one = {0}, two = {0};
    for (int i = 0; programs[program].settings[i] != NULL; i++)
        settings[1 + i] = programs[program].settings[i];
    if (simrun_open(&opened, machine, programs[program].app, settings, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    bool same = run(&one, opened_simulation(opened), 1) == 0 && run(&two, opened_simulation(opened), 2) == 0;
    same = same && is_same(&one, &two);
    result_dispose(&one.result);
    result_dispose(&two.result);
    simrun_close(opened);
    return same;
}

static void test_programs(void)
{
    struct machine *machine;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(simrun_read_machine(&machine, "mesh", machine_text, &error), 0);
    for (int program = 0; program < (int)(sizeof programs / sizeof programs[0]); program++) {
        bool same = compare(machine, program);
        if (!same)
            fprintf(stderr, "%s, program %d\n", programs[program].app, program);
        CU_ASSERT(same);
    }
    simrun_free_machine(machine);
}

int main(void)
{
    static const struct test tests[] = {{"programs", test_programs}, {NULL, NULL}};
    return testing_run("halves", tests);
}
