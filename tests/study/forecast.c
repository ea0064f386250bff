/* How the difference between a forecast and the simulated time is split: terms that add up to the picosecond, for every
 * network and call; where each term comes from; and what the text report says of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "experiment/run.h"
#include "experiment/sweep.h"
#include "sim/platform/platform.h"

#include "base/memory.h"
#include "interval/intern.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct machine machine;

static wide_int number(const struct study_run *run, const char *group, const char *name)
{
    const struct measure *measure = result_find(&run->result, group, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(measure);
    CU_ASSERT_EQUAL_FATAL(measure->of->type, MEASURE_TIME);
    return measure_number(measure);
}

static wide_int term(const struct study_run *run, const char *name)
{
    return number(run, "forecast", name);
}

/* --- the split --- */

static const char *const calls[] = {
    "<application name='pdgemm'/><param name='size' value='200,512'/><param name='block' value='32'/>"
    "<param name='grid' value='1x1,1x6,2x3,3x2,4x2'/><param name='algorithm' value='paper,library'/>",
    "<application name='pdtrsm'/><param name='m' value='70'/><param name='n' value='200,256'/>"
    "<param name='block' value='32'/><param name='grid' value='1x6,8x1,2x4,3x2'/><param name='trans' value='no,yes'/>"
    "<param name='algorithm' value='paper,library'/>",
};

static void simulate(struct study *report, const char *call)
{
    struct scenario scenario;
    struct sim_error error;
    memset(report, 0, sizeof *report);
    char *text = xformat("<scenario name='split'><platform file='" SOURCE_DIR "/platforms/icluster.xml'/>%s"
                         "<param name='ranks' value='8'/><param name='network' value='quiet,fifo,fluid'/></scenario>",
                         call);
    CU_ASSERT_EQUAL_FATAL(scenario_load_text(&scenario, text, strlen(text), "split", app_specs, &error), 0);
    if (machine.name == NULL) /* one platform a process */
        CU_ASSERT_EQUAL_FATAL(machine_load(&machine, SOURCE_DIR "/platforms/icluster.xml", &error), 0);
    struct run_context context = {.scenario = &scenario, .machine = &machine, .sequential = sequential_times_new()};
    CU_ASSERT_EQUAL_FATAL(sweep_simulate(report, &context, 1, false, &error), 0);
    sequential_times_free(context.sequential);
    scenario_dispose(&scenario);
    free(text);
}

static bool is_library(const struct study_run *run)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (strcmp(run->parameters[i].text, "library") == 0)
            return true;
    return false;
}

static void check_sums(const struct study_run *run)
{
    CU_ASSERT_EQUAL(measure_number(result_find(&run->result, "forecast", "of_another_algorithm")), is_library(run));
    wide_int forecast = term(run, "time_s"), time = number(run, "", "time_s");
    CU_ASSERT(forecast == number(run, "", "forecast_s"));
    CU_ASSERT(forecast == term(run, "computation_s") + term(run, "communication_s"));
    CU_ASSERT(time == forecast + term(run, "computation_difference_s") + term(run, "communication_difference_s") +
                          term(run, "contention_s"));
    double error = measure_value(result_find(&run->result, "", "forecast_error"));
    CU_ASSERT_DOUBLE_EQUAL(error, (double)(time - forecast) / (double)forecast, 1e-12);
}

/* On quiet the terms are those of the run's own critical path. */
static void check_quiet(const struct study_run *run)
{
    wide_int computed = number(run, "critical_path_s", "processing") + number(run, "critical_path_s", "memory");
    wide_int communicated = number(run, "critical_path_s", "communication");
    CU_ASSERT(term(run, "contention_s") == 0);
    CU_ASSERT(term(run, "computation_difference_s") == computed - term(run, "computation_s"));
    CU_ASSERT(term(run, "communication_difference_s") == communicated - term(run, "communication_s"));
}

static bool same_but_network(const struct study_run *a, const struct study_run *b)
{
    for (int i = 0; i < a->n_parameters; i++)
        if (strcmp(a->parameters[i].name, "network") != 0 && a->parameters[i].number != b->parameters[i].number)
            return false;
    return true;
}

/* On another network contention is what it takes longer, and the rest is as on quiet. */
static void check_contention(const struct study_run *quiet, const struct study_run *other)
{
    CU_ASSERT(term(other, "contention_s") == number(other, "", "time_s") - number(quiet, "", "time_s"));
    CU_ASSERT(term(other, "computation_difference_s") == term(quiet, "computation_difference_s"));
    CU_ASSERT(term(other, "communication_difference_s") == term(quiet, "communication_difference_s"));
}

static void test_split(void)
{
    int n_contended = 0, n_overlapping = 0;
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        struct study report;
        simulate(&report, calls[c]);
        for (int i = 0; i < report.n_runs; i++) {
            const struct study_run *run = &report.runs[i];
            check_sums(run);
            n_contended += term(run, "contention_s") > 0;
            n_overlapping += term(run, "communication_difference_s") < 0;
            if (strcmp(run->network, "quiet") != 0)
                continue;
            check_quiet(run);
            for (int j = 0; j < report.n_runs; j++)
                if (same_but_network(run, &report.runs[j]))
                    check_contention(run, &report.runs[j]);
        }
        sweep_dispose(&report);
    }
    CU_ASSERT(n_contended > 10 && n_overlapping > 10);
}

/* --- the words --- */

/* Shares of the forecast, in per mille of it, of one or two runs; and what must and must not be said. */
struct told {
    const char *name;
    int terms[2][3]; /* computation, communication, contention */
    int n_runs;
    int n_others; /* the first of them, whose formula is of another algorithm */
    const char *said[4], *unsaid[2];
};

static const struct told cases[] = {
    {"agreement", {{0, 0, 0}}, 1, 0, {"+0.0 %"}, {"in the mean", "another algorithm"}},
    {"small, though terms are large",
     {{0, -88, 97}},
     1,
     0,
     {"+0.9 %         +0.0 %           -8.8 %        +9.7 %"},
     {"in the mean", "another algorithm"}},
    {"all small",
     {{0, 10, 0}, {-19, 0, 0}},
     2,
     0,
     {"The mean absolute difference of 2 runs is 1.5 %, the largest difference -1.9 %."},
     {"another algorithm"}},
    {"computation", {{80, -10, 0}}, 1, 0, {"+7.0 %         +8.0 %           -1.0 %"}, {"at most", "another algorithm"}},
    {"largest share",
     {{-80, 9, 0}},
     1,
     0,
     {"-7.1 %         -8.0 %           +0.9 %"},
     {"at most", "another algorithm"}},
    {"overlap",
     {{0, -200, 0}, {0, -100, 0}},
     2,
     0,
     {"The mean absolute difference of 2 runs is 15.0 %, the largest difference -20.0 %."},
     {"another algorithm"}},
    {"both signs",
     {{0, 0, 210}, {-220, 0, 0}},
     2,
     0,
     {"+21.0 %", "-22.0 %", "The mean absolute difference of 2 runs is 21.5 %, the largest difference -22.0 %."},
     {"another algorithm"}},
    {"another algorithm",
     {{0, -300, 0}},
     1,
     1,
     {"  The formula describes a different algorithm than the simulated one.", "-30.0 %"},
     {"1 run", "in the mean"}},
    {"another algorithm beside the formula's own",
     {{0, -300, 0}, {0, 0, 50}},
     2,
     1,
     {"  In 1 of 2 runs, the formula describes a different algorithm than the simulated one.", "+5.0 %", "-30.0 %"},
     {"in the mean"}},
};

static void add_run(struct study_run *run, const int terms[3], int ranks, bool other)
{
    static const char *const names[] = {"computation_difference_s", "communication_difference_s", "contention_s"};
    static int64_t states[1][N_LOCATION_STATES] = {{[STATE_USEFUL] = 75, [STATE_IDLE] = 25}};
    struct result *result = &run->result;
    wide_int sum = 1000 * PS_PER_S;
    run->parameters = xcalloc(1, sizeof *run->parameters);
    run->n_parameters = 1;
    run->parameters[0] = (struct study_parameter){.name = "kind", .is_number = true, .number = ranks};
    run->parameters[0].text = intern_format("ranks %d", ranks);
    run->platform = run->network = "none";
    run->ranks = ranks;
    result_init(result);
    for (int t = 0; t < 3; t++) {
        result_add_time(result, "forecast", names[t], terms[t] * PS_PER_S);
        sum += terms[t] * PS_PER_S;
    }
    result_add_time(result, "forecast", "time_s", 1000 * PS_PER_S);
    result_add_count(result, "forecast", "of_another_algorithm", other);
    result_add_time(result, "", "forecast_s", 1000 * PS_PER_S);
    result_add_time(result, "", "time_s", sum);
    result_add_ratio(result, "", "forecast_error", (double)sum / 1000 / (double)PS_PER_S - 1);
    result->n_processors = 1;
    result->state_ps = xmalloc(sizeof states);
    memcpy(result->state_ps, states, sizeof states);
}

static void check_words(const struct told *told)
{
    struct study_run runs[2] = {{0}};
    struct study report = {.version = "0", .scenario = "words", .runs = runs, .n_runs = told->n_runs};
    for (int i = 0; i < told->n_runs; i++)
        add_run(&runs[i], told->terms[i], i + 1, i < told->n_others);
    char *text = testing_text(&report);
    const char *section = strstr(text, "\nThe application's formula");
    CU_ASSERT_PTR_NOT_NULL_FATAL(section);
    for (int i = 0; i < 4 && told->said[i] != NULL; i++)
        if (strstr(section, told->said[i]) == NULL) {
            printf("%s: '%s' is not said:\n%s", told->name, told->said[i], section);
            CU_FAIL("words are missing");
        }
    for (int i = 0; i < 2 && told->unsaid[i] != NULL; i++)
        if (strstr(section, told->unsaid[i]) != NULL) {
            printf("%s: '%s' is said:\n%s", told->name, told->unsaid[i], section);
            CU_FAIL("words are wrong");
        }
    CU_ASSERT_PTR_NOT_NULL(strstr(section, "25.0 %")); /* idle */
    free(text);
    for (int i = 0; i < told->n_runs; i++) {
        free(runs[i].parameters);
        result_dispose(&runs[i].result);
    }
}

static void test_words(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_words(&cases[i]);
}

/* For more than 20 runs, the 10 largest differences are shown. */
static void test_long(void)
{
    enum { N = 21 };
    struct study_run runs[N] = {{.ranks = 0}};
    struct study report = {.version = "0", .scenario = "long", .runs = runs, .n_runs = N};
    for (int i = 0; i < N; i++)
        add_run(&runs[i], (const int[3]){i, 0, 0}, i + 1, false);
    char *text = testing_text(&report), *section = strstr(text, "\nThe application's formula");
    CU_ASSERT_PTR_NOT_NULL_FATAL(section);
    CU_ASSERT_PTR_NOT_NULL(strstr(section, "the 10 largest differences; ... 11 more in -f csv"));
    char *end = strstr(section, "These are");
    *end = '\0';
    CU_ASSERT_PTR_NOT_NULL(strstr(section, "ranks 12 "));
    CU_ASSERT_PTR_NULL(strstr(section, "ranks 11 "));
    free(text);
    for (int i = 0; i < N; i++) {
        free(runs[i].parameters);
        result_dispose(&runs[i].result);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"split", test_split},
        {"words", test_words},
        {"long table", test_long},
        {NULL, NULL},
    };
    int status = testing_run("forecast", tests);
    if (machine.name != NULL)
        machine_dispose(&machine);
    return status;
}
