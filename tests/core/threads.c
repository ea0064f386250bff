/* Threads that simulate side by side, each on machines of its own, get what one gets alone.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/simrun.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { N_THREADS = 4, N_RUNS = 40 };

/* Results of a thread. */
struct found {
    int64_t end_ps[N_RUNS];
    size_t n_measures[N_RUNS];
    int n_failed;
};

/* Each run has dimensions of its own, which are kept for all threads, and a name that is not of ASCII. */
static int simulate(struct found *found, int i)
{
    char name[32], dimensions[32], bytes[32];
    snprintf(name, sizeof name, "f\xc3\xbcnf \xe2\x82\xac %d", i);
    snprintf(dimensions, sizeof dimensions, "dimensions=%dx%d", 4 + i % 8, 2 + i / 8);
    snprintf(bytes, sizeof bytes, "bytes=%dkB", i + 1);
    const char *const settings[] = {"ranks=8", "topology=torus", dimensions, bytes, NULL};
    const char *const refused[] = {"ranks=\xc3\xbc", NULL};
    struct machine *machine = NULL;
    struct simrun *simulation = NULL;
    struct sim_error error;
    struct result result;
    result_init(&result);
    int status = simrun_read_machine(&machine, name, "hosts torus 4x4 1Gf 125MBps 20us\n", &error);
    if (status == 0 && simrun_open(&simulation, machine, "broadcast", refused, &error) == 0)
        status = -1;
    if (status == 0)
        status = simrun_open(&simulation, machine, "broadcast", settings, &error);
    if (status == 0)
        status = simrun_run(&result, simulation, NULL, &error);
    if (status == 0)
        status = simrun_what_if(&result, simulation, "latency", &error);
    if (status == 0) {
        found->end_ps[i] = (int64_t)measure_number(result_find(&result, "what_if", "latency.time_s")) +
                           (int64_t)measure_number(result_find(&result, "", "time_s"));
        found->n_measures[i] = result.n_measures;
    }
    result_dispose(&result);
    simrun_close(simulation);
    simrun_free_machine(machine);
    return status;
}

static void *simulate_all(void *self)
{
    struct found *found = self;
    for (int i = 0; i < N_RUNS; i++)
        found->n_failed += simulate(found, i) != 0;
    return NULL;
}

static void test_threads(void)
{
    struct found alone, found[N_THREADS];
    pthread_t threads[N_THREADS];
    memset(&alone, 0, sizeof alone);
    memset(found, 0, sizeof found);
    for (int i = 0; i < N_THREADS; i++) /* first, so that they have to make what is shared */
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, simulate_all, &found[i]), 0);
    for (int i = 0; i < N_THREADS; i++)
        CU_ASSERT_EQUAL(pthread_join(threads[i], NULL), 0);
    simulate_all(&alone);
    CU_ASSERT_EQUAL(alone.n_failed, 0);
    CU_ASSERT(alone.end_ps[0] > 0);
    CU_ASSERT_NOT_EQUAL(alone.end_ps[0], alone.end_ps[N_RUNS - 1]);
    for (int i = 0; i < N_THREADS; i++)
        CU_ASSERT_EQUAL(memcmp(&found[i], &alone, sizeof alone), 0);
}

int main(void)
{
    static const struct test tests[] = {{"side by side", test_threads}, {NULL, NULL}};
    return testing_run("threads", tests);
}
