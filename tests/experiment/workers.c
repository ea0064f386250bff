/* Runs in child processes: dealt to whoever is free, complete, and with the failure of the first that fails.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/workers.h"
#include "base/memory.h"
#include "interval/intern.h"
#include "study/texts.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { N_RUNS = 40, PATIENCE_MS = 20000 }; /* so long is waited for what must come */

/* Behavior of the runs in these tests. */
struct work {
    bool outlasts;   /* run 0 ends after all others */
    int fails, dies; /* those that fail or end their process, as bits */
    bool refuses;
    int awaited; /* done() returns when so many have been simulated */
    int n_done, n_prepared;
    atomic_int *n_simulated; /* in memory that children share, where they are counted */
    int most_ahead;          /* runs that had been simulated when one was done with, and were not done with */
};

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* True if so many runs have been simulated in the end. */
static bool await(const struct work *work, int n_simulated)
{
    for (int i = 0; i < PATIENCE_MS && atomic_load(work->n_simulated) < n_simulated; i++)
        sleep_ms(1);
    return atomic_load(work->n_simulated) >= n_simulated;
}

static int prepare(void *data, struct sim_error *error)
{
    struct work *work = data;
    work->n_prepared++;
    return work->refuses ? sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "refused") : 0;
}

static int simulate(void *data, struct study_run *run, int index, struct sim_error *error)
{
    static struct texts names; /* of the child */
    const struct work *work = data;
    if (work->outlasts && index == 0 && !await(work, N_RUNS - 1))
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "nobody has done the other runs");
    if (index < 30 && (work->dies >> index & 1) != 0)
        raise(SIGKILL);
    if (index < 30 && (work->fails >> index & 1) != 0) {
        sleep_ms(index == 3 ? 50 : 0); /* the first fails last */
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "run %d failed", index);
    }
    char platform[40];
    snprintf(platform, sizeof platform, "platform %d", index % 3);
    run->platform = texts_intern(&names, platform);
    run->events = (int64_t)work->n_prepared;
    run->result.n_processors = 2;
    run->result.state_ps = xcalloc(2, sizeof *run->result.state_ps);
    run->result.state_ps[1][STATE_SEND] = index;
    result_add_count(&run->result, "", "index", index);
    if (work->n_simulated != NULL)
        atomic_fetch_add(work->n_simulated, 1);
    struct result_table *table = result_add_table(&run->result, TABLE_ALGORITHMS);
    for (int i = 0; i < index; i++) {
        struct algorithms_row *row = result_add_algorithms(table);
        row->algorithm = intern_format("%d", i);
        row->calls = (int64_t)i * i;
    }
    return 0;
}

static int done(void *data, struct study_run *run, int index, struct sim_error *error)
{
    (void)index;
    struct work *work = data;
    (void)run;
    (void)error;
    if (work->n_simulated != NULL) {
        await(work, work->awaited);
        sleep_ms(work->awaited == 0 ? 2 : 0); /* time enough to go on, for whoever may not */
        int ahead = atomic_load(work->n_simulated) - work->n_done;
        work->most_ahead = ahead > work->most_ahead ? ahead : work->most_ahead;
    }
    work->n_done++;
    return 0;
}

static bool is_right(const struct study_run *run, int index)
{
    char platform[40];
    snprintf(platform, sizeof platform, "platform %d", index % 3);
    size_t n_rows;
    const struct algorithms_row *rows = result_algorithms(&run->result, &n_rows);
    bool right = strcmp(run->platform, platform) == 0 && run->result.state_ps[1][STATE_SEND] == index &&
                 testing_measure(run, "", "index") == index && n_rows == (size_t)index;
    for (int i = 0; right && i < index; i++)
        right = rows[i].calls == (int64_t)i * i && atoi(rows[i].algorithm) == i;
    return right;
}

/* Every third run is left out: it is not to be done. */
static int deal(struct study *report, struct work *work, int jobs, struct sim_error *error)
{
    int todo[N_RUNS], n_todo = 0;
    *report = (struct study){.n_runs = N_RUNS, .runs = xcalloc(N_RUNS, sizeof *report->runs)};
    for (int i = 0; i < N_RUNS; i++)
        if (i % 3 != 1)
            todo[n_todo++] = i;
    const struct workers_task task = {.self = work,
                                      .todo = todo,
                                      .n_todo = n_todo,
                                      .jobs = jobs,
                                      .prepare = prepare,
                                      .simulate = simulate,
                                      .done = done};
    return workers_run(report, &task, error);
}

static void dispose(struct study *report)
{
    for (int i = 0; i < report->n_runs; i++)
        result_dispose(&report->runs[i].result);
    free(report->runs);
}

static void test_all(void)
{
    for (int jobs = 1; jobs <= 5; jobs++) {
        struct study report;
        struct sim_error error;
        struct work work = {0};
        CU_ASSERT(deal(&report, &work, jobs, &error) == 0);
        CU_ASSERT(work.n_done == N_RUNS - N_RUNS / 3 && work.n_prepared == 0);
        for (int i = 0; i < N_RUNS; i++) {
            CU_ASSERT(i % 3 == 1 ? report.runs[i].result.n_measures == 0 : is_right(&report.runs[i], i));
            CU_ASSERT(i % 3 == 1 || report.runs[i].events == 1); /* each child was prepared once */
        }
        dispose(&report);
    }
}

static atomic_int *shared_counter(void)
{
    return mmap(NULL, sizeof(atomic_int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/* How many runs would be lost if all ended at once: no more than two a job, if they are confirmed. */
static void test_confirms(void)
{
    for (int jobs = 1; jobs <= 4; jobs++)
        for (int confirms = 0; confirms < 2; confirms++) {
            struct study report = {.n_runs = N_RUNS, .runs = xcalloc(N_RUNS, sizeof *report.runs)};
            struct sim_error error;
            struct work work = {.n_simulated = shared_counter(), .awaited = confirms != 0 ? 0 : 2 * jobs + 1};
            int todo[N_RUNS];
            for (int i = 0; i < N_RUNS; i++)
                todo[i] = i;
            const struct workers_task task = {.self = &work,
                                              .todo = todo,
                                              .n_todo = N_RUNS,
                                              .jobs = jobs,
                                              .confirms = confirms != 0,
                                              .simulate = simulate,
                                              .done = done};
            CU_ASSERT(workers_run(&report, &task, &error) == 0);
            CU_ASSERT(atomic_load(work.n_simulated) == N_RUNS && work.n_done == N_RUNS);
            CU_ASSERT(confirms != 0 ? work.most_ahead <= 2 * jobs : work.most_ahead > 2 * jobs);
            munmap(work.n_simulated, sizeof(atomic_int));
            dispose(&report);
        }
}

/* The first run ends after all others. Dealt in turn to two children, half of these would wait for it. */
static void test_balance(void)
{
    struct study report = {.n_runs = N_RUNS, .runs = xcalloc(N_RUNS, sizeof *report.runs)};
    struct sim_error error = {.message = ""};
    struct work work = {.outlasts = true, .n_simulated = shared_counter()};
    int todo[N_RUNS];
    for (int i = 0; i < N_RUNS; i++)
        todo[i] = i;
    const struct workers_task task = {
        .self = &work, .todo = todo, .n_todo = N_RUNS, .jobs = 2, .simulate = simulate, .done = done};
    CU_ASSERT(workers_run(&report, &task, &error) == 0);
    CU_ASSERT_STRING_EQUAL(error.message, "");
    munmap(work.n_simulated, sizeof(atomic_int));
    dispose(&report);
}

static void expect_error(struct work work, int jobs, const char *message)
{
    struct study report;
    struct sim_error error = {.message = ""};
    CU_ASSERT(deal(&report, &work, jobs, &error) == -1);
    if (strcmp(error.message, message) != 0)
        printf("\n  \"%s\" instead of \"%s\"", error.message, message);
    CU_ASSERT_STRING_EQUAL(error.message, message);
    dispose(&report);
}

static void test_errors(void)
{
    for (int jobs = 1; jobs <= 4; jobs++) {
        expect_error((struct work){.fails = 1 << 3 | 1 << 5 | 1 << 6}, jobs, "run 3 failed");
        expect_error((struct work){.fails = 1 << 0}, jobs, "run 0 failed");
        expect_error((struct work){.dies = 1 << 8}, jobs,
                     "a job was ended by signal 9 (Killed) before its runs were done");
        expect_error((struct work){.refuses = true}, jobs, "refused");
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"all runs, each once", test_all},
        {"balance", test_balance},
        {"confirmed", test_confirms},
        {"errors", test_errors},
        {NULL, NULL},
    };
    return testing_run("workers", tests);
}
