/* The contents of a loaded scenario, the order of its runs, and --set.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/scenario/scenario.h"
#include "apps/replay/list.h"
#include "base/memory.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOOD(params)                                                                                                   \
    "<scenario name='good'><platform file='p.xml'/><application name='gauss-jordan'/><param name='n' "                 \
    "value='4'/>" params "</scenario>"

static int load(struct scenario *scenario, const char *text, struct sim_error *error)
{
    return scenario_load_text(scenario, text, strlen(text), "dir/good.xml", app_specs, error);
}

/* A scenario of exactly the largest size loads, one byte more does not. */
static void test_largest(void)
{
    struct scenario scenario;
    struct sim_error error;
    const char *text = GOOD("");
    char *bytes = xmalloc(SCENARIO_MAX_BYTES + 1);
    memset(bytes, ' ', SCENARIO_MAX_BYTES + 1);
    memcpy(bytes, text, strlen(text));
    CU_ASSERT(scenario_load_text(&scenario, bytes, SCENARIO_MAX_BYTES, "large.xml", app_specs, &error) == 0);
    scenario_dispose(&scenario);
    CU_ASSERT(scenario_load_text(&scenario, bytes, SCENARIO_MAX_BYTES + 1, "large.xml", app_specs, &error) == -1);
    free(bytes);
}

static void test_fields(void)
{
    struct scenario scenario;
    struct sim_error error;
    const char *text = "<scenario name='a-1_b.c' title='A &lt; B'>\n<!-- any order -->\n<param name='n' value='4'/>\n"
                       "<reference file='ref/a.csv'/>\n<application name='gauss-jordan'/>\n<platform file='/p.xml'/>\n"
                       "<param name='mesh' value='4x2,auto'/></scenario>";
    CU_ASSERT_FATAL(load(&scenario, text, &error) == 0);
    CU_ASSERT_STRING_EQUAL(scenario.file, "dir/good.xml");
    CU_ASSERT_STRING_EQUAL(scenario.name, "a-1_b.c");
    CU_ASSERT_STRING_EQUAL(scenario.title, "A < B");
    CU_ASSERT_STRING_EQUAL(scenario.platform_file, "/p.xml");
    CU_ASSERT(scenario.platform_line == 6);
    CU_ASSERT_STRING_EQUAL(scenario.reference_file, "dir/ref/a.csv");
    CU_ASSERT(scenario.reference_line == 4);
    CU_ASSERT(scenario.app == app_find(app_specs, "gauss-jordan"));
    CU_ASSERT(scenario.n_params == N_COMMON_PARAMS + scenario.app->n_params);
    const struct scenario_param *mesh = &scenario.params[COMMON_MESH];
    CU_ASSERT(mesh->line == 7 && mesh->n_values == 2 && mesh->values[0] == PARAM_MESH_PACK(4, 2) &&
              mesh->values[1] == 0);
    CU_ASSERT(scenario.params[COMMON_RANKS].line == 0 && scenario.params[COMMON_RANKS].values[0] == 1);
    scenario_dispose(&scenario);
    scenario_dispose(&scenario);
    CU_ASSERT_FATAL(scenario_load_text(&scenario, GOOD(""), strlen(GOOD("")), "good.xml", app_specs, &error) == 0);
    CU_ASSERT_STRING_EQUAL(scenario.platform_file, "p.xml");
    CU_ASSERT(scenario.title == NULL && scenario.reference_file == NULL);
    scenario_dispose(&scenario);
}

/* The first parameter varies fastest. */
static void test_run_order(void)
{
    static const int64_t runs[][2] = {{8, 0}, {2, 0}, {4, 0}, {8, 2}, {2, 2}, {4, 2}};
    struct scenario scenario;
    struct sim_error error;
    int64_t values[64];
    CU_ASSERT_FATAL(load(&scenario,
                         GOOD("<param name='layout' value='snake'/><param name='root' value='edge,centre'/>"
                              "<param name='ranks' value='8,2,4'/>"),
                         &error) == 0);
    CU_ASSERT_FATAL(scenario_run_count(&scenario) == 6 && scenario.n_params <= 64);
    for (int64_t i = 0; i < 6; i++) {
        scenario_run_values(&scenario, i, values);
        if (values[COMMON_RANKS] != runs[i][0] || values[COMMON_ROOT] != runs[i][1])
            printf("\n  run %" PRId64 ": ranks %" PRId64 ", root %" PRId64, i, values[COMMON_RANKS],
                   values[COMMON_ROOT]);
        CU_ASSERT(values[COMMON_RANKS] == runs[i][0] && values[COMMON_ROOT] == runs[i][1]);
        CU_ASSERT(values[N_COMMON_PARAMS] == 4 && values[COMMON_MESH] == 0);
    }
    scenario_dispose(&scenario);
}

/* Each assignment follows on those before it; a refused one changes nothing. */
static const struct {
    const char *assignment;
    const char *message; /* NULL: accepted */
    int64_t run_count;
} assignments[] = {
    {"ranks=1,2,4", NULL, 3},
    {"ranks=0", "--set ranks=0: '0' is outside 1 ... 16777216", 3},
    {"ranks=2,,4", "--set ranks=2,,4: '2,,4' has an empty item; several values are written 1,2,4 or 1..128", 3},
    {"ranks=", "--set ranks=: '' has an empty item; several values are written 1,2,4 or 1..128", 3},
    {"ranks=2,2", "--set ranks=2,2: '2' is listed twice", 3},
    {"=3", "--set =3: must be NAME=VALUE[,VALUE...]", 3},
    {"", "--set : must be NAME=VALUE[,VALUE...]", 3},
    {"ranks", "--set ranks: must be NAME=VALUE[,VALUE...]", 3},
    {"n=8=9", "--set n=8=9: '8=9' is not a whole number such as 256", 3},
    {"ranks=1..16", NULL, 16},
    {"ranks=1..16:4", NULL, 4},
    {"ranks=1..100*2", NULL, 7},
    {"ranks=5..5", NULL, 1},
    {"ranks=1..4,8..64*2,100", NULL, 9},
    {"broadcast_segment=1KiB..1MiB*4", NULL, 54},
    {"broadcast_segment=1KiB..4KiB:1KiB", NULL, 36},
    {"broadcast_segment=1KiB", NULL, 9},
    {"ranks=1..3,2", "--set ranks=1..3,2: '2' is listed twice", 9},
    {"ranks=8..4", "--set ranks=8..4: '8..4' ends before it begins", 9},
    {"ranks=1..8:0", "--set ranks=1..8:0: the step of '1..8:0' is '0'; it must be a whole number from 1 on", 9},
    {"ranks=1..8*1", "--set ranks=1..8*1: the factor of '1..8*1' is '1'; it must be a whole number from 2 on", 9},
    {"ranks=1..8*", "--set ranks=1..8*: the factor of '1..8*' is ''; it must be a whole number from 2 on", 9},
    {"ranks=0..8*2", "--set ranks=0..8*2: '0' is outside 1 ... 16777216", 9},
    {"ranks=1..", "--set ranks=1..: '1..' is not a range, such as 1..128, 16..256:16 (step) or 1..128*2 (factor)", 9},
    {"ranks=1...8", "--set ranks=1...8: '1...8' is not a range, such as 1..128, 16..256:16 (step) or 1..128*2 (factor)",
     9},
    {"ranks=..8", "--set ranks=..8: '..8' is not a range, such as 1..128, 16..256:16 (step) or 1..128*2 (factor)", 9},
    {"ranks=1..99999999", "--set ranks=1..99999999: '99999999' is outside 1 ... 16777216", 9},
    {"ranks=1..16777216",
     "--set ranks=1..16777216: '1..16777216' is 16777216 values; at most 100000 are allowed: take a step, as in "
     "FROM..TO:1000, or a factor, as in FROM..TO*2",
     9},
    {"ranks=1..16777216*2", NULL, 25},
    {"ranks=1,2,4", NULL, 3},
    {"root=edge..centre", "--set root=edge..centre: 'edge..centre' is unknown; known: edge corner centre", 3},
    {"root=edge,corner", NULL, 6},
    {"n=16", NULL, 6},
    {"ranks=7", NULL, 2},
    {"ranks=7\n", "--set ranks=7?: '7?' is not a whole number such as 256", 2},
};

static void check_assignment(struct scenario *scenario, size_t row)
{
    struct sim_error error = {.message = ""};
    int status = scenario_set(scenario, assignments[row].assignment, &error);
    int64_t run_count = scenario_run_count(scenario);
    bool right = run_count == assignments[row].run_count;
    if (assignments[row].message == NULL)
        right = right && status == 0;
    else
        right = right && status == -1 && error.status == SIM_BAD_INPUT &&
                strcmp(error.message, assignments[row].message) == 0;
    if (!right)
        printf("\n  '%s': %" PRId64 " runs, \"%s\"", assignments[row].assignment, run_count, error.message);
    CU_ASSERT(right);
}

static void test_set(void)
{
    static const char unknown[] =
        "--set m=3: unknown parameter 'm' of application 'gauss-jordan'; known: ranks network ";
    struct scenario scenario;
    struct sim_error error;
    CU_ASSERT_FATAL(load(&scenario, GOOD(""), &error) == 0);
    for (size_t i = 0; i < sizeof assignments / sizeof *assignments; i++)
        check_assignment(&scenario, i);
    CU_ASSERT(scenario.params[N_COMMON_PARAMS].line == 0 && scenario.params[N_COMMON_PARAMS].values[0] == 16);
    CU_ASSERT(scenario_set(&scenario, "m=3", &error) == -1);
    CU_ASSERT(strncmp(error.message, unknown, strlen(unknown)) == 0);
    scenario_dispose(&scenario);
}

/* "NAME=1,2, ... ,n" */
static char *counting(const char *name, int n)
{
    char *text = xmalloc((size_t)n * 8 + strlen(name) + 2);
    char *end = text + sprintf(text, "%s=", name);
    for (int i = 1; i <= n; i++)
        end += sprintf(end, i < n ? "%d," : "%d", i);
    return text;
}

static void check_counting(struct scenario *scenario, const char *name, int n, const char *message)
{
    struct sim_error error = {.message = ""};
    char *assignment = counting(name, n);
    int status = scenario_set(scenario, assignment, &error);
    bool right = message == NULL ? status == 0 : status == -1 && strstr(error.message, message) != NULL;
    if (!right)
        printf("\n  %d values of %s: \"%s\"", n, name, error.message);
    CU_ASSERT(right);
    free(assignment);
}

static void test_many_runs(void)
{
    struct scenario scenario;
    struct sim_error error;
    CU_ASSERT_FATAL(load(&scenario, GOOD(""), &error) == 0);
    check_counting(&scenario, "ranks", SCENARIO_MAX_RUNS, NULL);
    check_counting(&scenario, "ranks", SCENARIO_MAX_RUNS + 1,
                   "more than 100000 values found, the most that are allowed");
    check_counting(&scenario, "n", 2, "combine to ranks 100000 x n 2 = 200000 runs; at most 100000 are allowed");
    CU_ASSERT(scenario_run_count(&scenario) == SCENARIO_MAX_RUNS);
    check_counting(&scenario, "ranks", 1, NULL);
    check_counting(&scenario, "n", 16384, NULL);
    check_counting(&scenario, "broadcast_segment", 7, "combine to n 16384 x broadcast_segment 7 = 114688 runs");
    check_counting(&scenario, "broadcast_segment", 6, NULL);
    scenario_dispose(&scenario);
}

/* Properties of the tables of parameters: no name twice, and defaults that are allowed. */
static void test_tables(void)
{
    for (int a = 0; app_specs[a] != NULL; a++) {
        const struct app_spec *app = app_specs[a];
        for (int i = 0; i < app->n_params; i++) {
            int64_t value;
            char why[256] = "";
            const struct param_spec *spec = &app->params[i];
            bool right = param_find(common_params, N_COMMON_PARAMS, spec->name) == -1 &&
                         param_find(app->params, app->n_params, spec->name) == i &&
                         (spec->fallback == NULL || param_parse(&value, spec, spec->fallback, why, sizeof why) == 0);
            if (!right)
                printf("\n  %s, %s: %s", app->name, spec->name, why);
            CU_ASSERT(right);
        }
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"largest file", test_largest},
        {"fields", test_fields},
        {"run order", test_run_order},
        {"set", test_set},
        {"many runs", test_many_runs},
        {"tables of parameters", test_tables},
        {NULL, NULL},
    };
    return testing_run("scenario", tests);
}
