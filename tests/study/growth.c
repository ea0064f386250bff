/* Which part of the time grows: runs are made of planted laws, so that parts, formulas, shares and the part that grows
 * most are known.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/growth.h"
#include "base/memory.h"
#include "interval/intern.h"
#include "metrics/metrics.h"
#include "study/models/growth_words.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 8, N_FUNCTIONS = 3 };

/* ---- Planted runs ---- */

/* Time of a rank in a function on p ranks, in seconds. */
struct law {
    const char *function;
    enum wait_state wait; /* WAIT_NONE: it is transfer */
    double constant, linear, logarithmic;
    int from; /* ranks on which it is called first */
};

static const struct law laws[N_FUNCTIONS] = {
    {"MPI_Allreduce", WAIT_N_TO_N, 0.01, 0.004, 0, 2},
    {"MPI_Bcast", WAIT_NONE, 0, 0, 0.01, 2},
    {"MPI_Gather", WAIT_EARLY_ROOT, 0.002, 0, 0.001, 4},
};
static const double end_s = 0.001;
static double computation_s = 0.5;

static double law_at(const struct law *law, int ranks)
{
    return ranks < law->from ? 0 : law->constant + law->linear * ranks + law->logarithmic * log2(ranks);
}

static wide_int ps_of(double seconds)
{
    return (wide_int)llround(seconds * 1e12);
}

struct planted {
    struct study study;
    struct study_run runs[MOST_RUNS];
    struct study_parameter parameters[MOST_RUNS];
    struct models models;
};

static void add_functions(struct study_run *run)
{
    struct result_table *table = result_add_table(&run->result, TABLE_FUNCTIONS);
    for (int f = 0; f < N_FUNCTIONS; f++) {
        if (run->ranks < laws[f].from)
            continue;
        struct functions_row *row = result_add_functions(table);
        row->function = laws[f].function;
        row->state_ps[laws[f].wait != WAIT_NONE ? STATE_IDLE : STATE_RECEIVE] =
            ps_of(law_at(&laws[f], run->ranks)) * run->ranks;
    }
}

static void add_waits(struct study_run *run)
{
    struct result_table *functions = result_add_table(&run->result, TABLE_FUNCTION_WAITS);
    const wide_int end_ps = ps_of(end_s) * run->ranks;
    for (int f = 0; f < N_FUNCTIONS; f++)
        if (laws[f].wait != WAIT_NONE && run->ranks >= laws[f].from)
            *result_add_function_waits(functions) =
                (struct function_waits_row){.wait = laws[f].wait,
                                            .function = laws[f].function,
                                            .time_ps = ps_of(law_at(&laws[f], run->ranks)) * run->ranks};
    *result_add_function_waits(functions) =
        (struct function_waits_row){.wait = WAIT_END, .function = "", .time_ps = end_ps};
    struct result_table *scopes = result_add_table(&run->result, TABLE_SCOPE_WAITS);
    for (int f = 0; f < N_FUNCTIONS; f++)
        if (laws[f].wait != WAIT_NONE && run->ranks >= laws[f].from)
            *result_add_scope_waits(scopes) =
                (struct scope_waits_row){laws[f].wait, "solve", ps_of(law_at(&laws[f], run->ranks)) * run->ranks};
    *result_add_scope_waits(scopes) = (struct scope_waits_row){WAIT_END, METRICS_NO_SCOPE, end_ps};
}

static void make_run(struct study_run *run, struct study_parameter *parameter, int ranks)
{
    double transfer_s = law_at(&laws[1], ranks), idle_s = law_at(&laws[0], ranks) + law_at(&laws[2], ranks);
    *run = (struct study_run){.parameters = parameter, .n_parameters = 1, .ranks = ranks, .is_traced = true};
    *parameter = (struct study_parameter){.name = "ranks", .is_number = true, .number = ranks};
    parameter->text = intern_format("%d", ranks);
    result_init(&run->result);
    result_add_time(&run->result, "", "time_s",
                    ps_of(computation_s) + ps_of(transfer_s) + ps_of(law_at(&laws[0], ranks)) +
                        ps_of(law_at(&laws[2], ranks)) + ps_of(end_s));
    result_add_time(&run->result, "state_s", "useful", ps_of(computation_s) * ranks);
    result_add_time(&run->result, "state_s", "receive", ps_of(transfer_s) * ranks);
    result_add_time(&run->result, "state_s", "idle", ps_of(idle_s + end_s) * ranks);
    result_add_time(&run->result, "scope_state_s", "solve.useful", ps_of(computation_s) * ranks);
    result_add_time(&run->result, "scope_state_s", "solve.receive", ps_of(transfer_s) * ranks);
    result_add_time(&run->result, "scope_state_s", "solve.idle", ps_of(idle_s) * ranks);
    result_add_time(&run->result, "scope_state_s", "end.idle", ps_of(end_s) * ranks);
    add_functions(run);
    add_waits(run);
}

/* Runs on 2, 4, 8 ... ranks, their parts, and models of these that say something at one place. */
static void plant(struct planted *planted, int n_runs, double at)
{
    struct sim_error error;
    memset(planted, 0, sizeof *planted);
    planted->study = (struct study){.runs = planted->runs, .n_runs = n_runs, .scenario = "planted"};
    for (int i = 0; i < n_runs; i++)
        make_run(&planted->runs[i], &planted->parameters[i], 2 << i);
    parts_add(&planted->study);
    struct models_request request = {.n_parameters = 1, .n_at = 1, .at = xcalloc(1, sizeof *request.at)};
    request.at[0][0] = at;
    request.at[0][1] = 1;
    CU_ASSERT_EQUAL_FATAL(models_make(&planted->models, &planted->study, &request, &error), 0);
}

static void clear(struct planted *planted)
{
    models_dispose(&planted->models);
    for (int i = 0; i < planted->study.n_runs; i++)
        result_dispose(&planted->runs[i].result);
}

static const struct growth_row *find_row(const struct growth *growth, const char *name, enum part_kind kind)
{
    for (int i = 0; i < growth->n_rows; i++)
        if (strcmp(growth->rows[i].name, name) == 0 && (kind == DOING_MIXED || growth->rows[i].kind == kind))
            return &growth->rows[i];
    CU_FAIL_FATAL("there is no such row");
    return NULL;
}

static double seconds(const struct study_run *run, const char *group, const char *name)
{
    return testing_measure(run, group, name);
}

/* ---- Tests ---- */

/* Both bands of what cannot be negative end at 0, unless the value itself is below; a difference may be negative. */
static void test_never_negative(void)
{
    struct sim_error error;
    struct model model = {0};
    struct regression_point points[12];
    const double place[REGRESSION_PARAMETERS] = {64, 1};
    for (int i = 0; i < 12; i++)
        points[i] = (struct regression_point){.x = {4 << i / 2, 1}, .value = i * 5 % 3 == 0 ? 2 : 0.01};
    CU_ASSERT_EQUAL_FATAL(regression_fit(&model.model, points, 12, 1, &error), 0);
    struct regression_forecast own = models_forecast(&model, place);
    CU_ASSERT_FATAL(own.value > 0 && own.low < 0 && own.own_low < 0);
    model.never_negative = true;
    struct regression_forecast cut = models_forecast(&model, place);
    CU_ASSERT(fabs(cut.low) <= 0 && fabs(cut.own_low) <= 0 && fabs(cut.value - own.value) <= 0);
    CU_ASSERT(fabs(cut.high - own.high) <= 0 && fabs(cut.own_high - own.own_high) <= 0);
}

/* Rows of a group are the run's time, to a picosecond each; kinds are their rows. */
static void test_parts(void)
{
    struct planted planted;
    plant(&planted, 6, 128);
    for (int i = 0; i < 6; i++) {
        const struct study_run *run = &planted.runs[i];
        for (int g = 0; g < N_PARTS_GROUPS; g++) {
            wide_int rows = 0, kinds = 0;
            for (size_t m = 0; m < run->result.n_measures; m++) {
                const struct measure *measure = &run->result.measures[m];
                rows += strcmp(measure->of->group, parts_groups[g].rows) == 0 ? measure_number(measure) : 0;
                kinds += strcmp(measure->of->group, parts_groups[g].kinds) == 0 ? measure_number(measure) : 0;
            }
            wide_int time = measure_number(result_get(&run->result, M_TIME));
            CU_ASSERT(rows <= time && time - rows < 8);
            /* computation is a row of its own, without kinds */
            CU_ASSERT(g == PARTS_SCOPES ? kinds <= time && time - kinds < 8
                                        : time - kinds - ps_of(computation_s) < 8 && kinds < time);
        }
        CU_ASSERT_DOUBLE_EQUAL(seconds(run, "function_s", "MPI_Bcast"), law_at(&laws[1], run->ranks), 1e-11);
        CU_ASSERT_DOUBLE_EQUAL(seconds(run, "function_part_s", "MPI_Allreduce.wait at N x N"),
                               law_at(&laws[0], run->ranks), 1e-11);
        CU_ASSERT_DOUBLE_EQUAL(seconds(run, "scope_part_s", "solve.transfer"), law_at(&laws[1], run->ranks), 1e-11);
        CU_ASSERT_DOUBLE_EQUAL(seconds(run, "function_s", PARTS_NO_FUNCTION), end_s, 1e-11);
    }
    CU_ASSERT_PTR_NULL(
        result_find(&planted.runs[0].result, "function_s", "MPI_Gather")); /* on 2 ranks it is not called */
    CU_ASSERT_PTR_NOT_NULL(result_find(&planted.runs[1].result, "function_s", "MPI_Gather"));
    clear(&planted);
}

/* The clock lasts 26.7 days, but the times of all ranks together may be longer. */
static void test_long(void)
{
    struct planted planted;
    double usual_s = computation_s;
    computation_s = 1e6;
    plant(&planted, 6, 128);
    for (int i = 0; i < 6; i++) {
        CU_ASSERT_DOUBLE_EQUAL(seconds(&planted.runs[i], "function_s", "computation"), computation_s, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(seconds(&planted.runs[i], "scope_part_s", "solve.computation"), computation_s, 1e-6);
    }
    clear(&planted);
    computation_s = usual_s;
}

/* The planted law is found, and what it says far out. */
static void test_laws(void)
{
    struct planted planted;
    struct growth growth;
    char term[120];
    const double at = 256,
                 sum = computation_s + end_s + law_at(&laws[0], 256) + law_at(&laws[1], 256) + law_at(&laws[2], 256);
    plant(&planted, 6, at);
    growth_make(&growth, &planted.models, 0, PARTS_FUNCTIONS, 0);
    for (int f = 0; f < N_FUNCTIONS; f++) {
        const struct growth_row *row = find_row(&growth, laws[f].function, DOING_MIXED);
        double truth = law_at(&laws[f], 256);
        CU_ASSERT_DOUBLE_EQUAL(row->forecast.value, truth, 1e-6 * truth);
        CU_ASSERT_DOUBLE_EQUAL(row->share, truth / sum, 1e-6);
        CU_ASSERT(row->share_low <= row->share + 1e-9 && row->share <= row->share_high + 1e-9);
        CU_ASSERT_EQUAL(row->way, GROWTH_GROWS);
        growth_term(term, sizeof term, &planted.models, row);
        CU_ASSERT_STRING_EQUAL(term, laws[f].linear > 0 ? "ranks" : "log2(ranks)");
    }
    CU_ASSERT_EQUAL(find_row(&growth, "computation", DOING_MIXED)->way, GROWTH_CONSTANT);
    CU_ASSERT_DOUBLE_EQUAL(growth.sum_s, sum, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(growth.last_time_s, run_time(&planted.runs[5]), 1e-12);
    /* The growing one, of a single kind, is the row itself. */
    CU_ASSERT_STRING_EQUAL(growth.rows[growth.most].name, "MPI_Allreduce");
    CU_ASSERT_EQUAL(growth.rows[growth.most].kind, (enum part_kind)(DOING_WAITING + WAIT_N_TO_N));
    CU_ASSERT_EQUAL(growth.fastest, growth.most);
    /* From 64 to 256 ranks 0.266 s become 1.034 s. */
    CU_ASSERT_DOUBLE_EQUAL(growth.rows[growth.most].exponent, log(1.034 / 0.266) / log(4), 1e-6);
    growth_dispose(&growth);
    growth_make(&growth, &planted.models, 0, PARTS_SCOPES, 0);
    CU_ASSERT_STRING_EQUAL(growth.rows[growth.most].name, "solve");
    CU_ASSERT_EQUAL(growth.rows[growth.most].kind, (enum part_kind)(DOING_WAITING + WAIT_N_TO_N));
    growth_dispose(&growth);
    clear(&planted);
}

static void test_sentences(void)
{
    struct planted planted;
    struct growth growth;
    plant(&planted, 6, 256);
    growth_make(&growth, &planted.models, 0, PARTS_FUNCTIONS, 0);
    char *text = growth_describe(&planted.models, &growth);
    CU_ASSERT_STRING_EQUAL(text,
                           "At 256 ranks 64 % (64 to 64 %) of the time will be waiting in MPI_Allreduce (wait at N "
                           "x N): it grows fastest, as ranks.");
    free(text);
    growth_dispose(&growth);
    clear(&planted);
    plant(&planted, 3, 64); /* what was measured is all that there is */
    growth_make(&growth, &planted.models, 0, PARTS_SCOPES, 0);
    text = growth_describe(&planted.models, &growth);
    CU_ASSERT_STRING_EQUAL(text,
                           "By scope: from 2 ranks to 8 ranks waiting in scope solve (wait at N x N) grew most, from "
                           "3.4 to 7.3 % of the time.");
    free(text);
    growth_dispose(&growth);
    clear(&planted);
}

/* A function that is not there on the fewest ranks has a formula of the others; in too few it has none. */
static void test_absent(void)
{
    struct planted planted;
    struct growth growth;
    plant(&planted, 4, 64);
    growth_make(&growth, &planted.models, 0, PARTS_FUNCTIONS, 0);
    const struct growth_row *gather = find_row(&growth, "MPI_Gather", DOING_MIXED);
    CU_ASSERT(isnan(gather->first_s) && !isnan(gather->last_s));
    CU_ASSERT(!gather->is_told && gather->way == GROWTH_UNKNOWN);
    CU_ASSERT_DOUBLE_EQUAL(gather->forecast.value, law_at(&laws[2], 16), 1e-11); /* taken as it was */
    CU_ASSERT(find_row(&growth, "MPI_Bcast", DOING_MIXED)->is_told);
    growth_dispose(&growth);
    clear(&planted);
    plant(&planted, 5, 64);
    growth_make(&growth, &planted.models, 0, PARTS_FUNCTIONS, 0);
    CU_ASSERT(find_row(&growth, "MPI_Gather", DOING_MIXED)->is_told);
    growth_dispose(&growth);
    clear(&planted);
}

/* Parts that are small everywhere make one row, and so do those after many others; the sum stays. */
static void test_small(void)
{
    struct study_parameter parameter;
    struct study_run run;
    struct study study = {.runs = &run, .n_runs = 1};
    make_run(&run, &parameter, 4);
    for (int i = 0; i < 40; i++) {
        char name[40];
        snprintf(name, sizeof name, "scope_%02d.useful", i);
        result_add_time(&run.result, "scope_state_s", name, i < 4 ? 1000 : ps_of(0.01) * 4);
    }
    result_add_time(&run.result, "scope_state_s",
                    "a name that is longer than what has room for a kind behind it.useful", ps_of(0.4));
    parts_add(&study);
    int n_rows = 0;
    wide_int sum = 0;
    for (size_t m = 0; m < run.result.n_measures; m++)
        if (run.result.measures[m].of->id == M_SCOPE) {
            n_rows++;
            sum += measure_number(&run.result.measures[m]);
        }
    CU_ASSERT_EQUAL(n_rows, 25);
    CU_ASSERT(sum >= measure_number(result_get(&run.result, M_TIME)) + 36 * ps_of(0.01));
    CU_ASSERT_PTR_NOT_NULL(result_find(&run.result, "scope_s", "other scopes"));
    CU_ASSERT_PTR_NULL(result_find(&run.result, "scope_s", "scope_00"));
    result_dispose(&run.result);
}

/* Tables that a store has been given by somebody else. */
static void test_hostile(void)
{
    struct study_parameter parameter = {.name = "ranks", .is_number = true, .number = 2};
    struct study_run run = {.parameters = &parameter, .n_parameters = 1, .ranks = 2};
    struct study study = {.runs = &run, .n_runs = 1};
    result_init(&run.result);
    result_add_time(&run.result, "", "time_s", 1000);
    result_add_time(&run.result, "state_s", "useful", (wide_int)1 << 120);
    result_add_time(&run.result, "state_s", "idle", -5);
    *result_add_functions(result_add_table(&run.result, TABLE_FUNCTIONS)) =
        (struct functions_row){.function = "", .state_ps[STATE_USEFUL] = (wide_int)1 << 90};
    result_add_table(&run.result, TABLE_FUNCTION_WAITS);
    result_add_time(&run.result, "scope_state_s", "no dot", 7);
    parts_add(&study);
    CU_ASSERT(testing_measure(&run, "function_s", "computation") > 0);
    result_dispose(&run.result);
}

static void test_meant(void)
{
    static const struct {
        const char *measures;
        bool is_meant;
    } cases[] = {{"", true},
                 {"time_s", false},
                 {"time_s,function_s", true},
                 {"scope_part_s.solve.transfer", true},
                 {"function_stuff", false},
                 {"scope_state_s", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CU_ASSERT_EQUAL(parts_are_meant(cases[i].measures), cases[i].is_meant);
    for (int kind = 0; kind < N_PART_KINDS; kind++)
        CU_ASSERT_EQUAL(part_kind_named(part_kind_name((enum part_kind)kind)), (enum part_kind)kind);
    CU_ASSERT_EQUAL(part_kind_named("nothing"), DOING_MIXED);
}

int main(void)
{
    static const struct test tests[] = {
        {"what is never negative", test_never_negative},
        {"parts add up to the time", test_parts},
        {"longer than the clock", test_long},
        {"planted laws", test_laws},
        {"sentences", test_sentences},
        {"functions that are not always there", test_absent},
        {"small and many", test_small},
        {"hostile tables", test_hostile},
        {"which measures are meant", test_meant},
        {NULL, NULL},
    };
    return testing_run("growth", tests);
}
