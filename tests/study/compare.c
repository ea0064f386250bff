/* Versions side by side: what is said of planted differences, and gates.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/compare.h"
#include "base/memory.h"
#include "interval/intern.h"
#include "report/report.h"
#include "study/compare/beyond.h"
#include "study/compare/gate.h"
#include "study/compare/verdict.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- planted runs --- */

enum { RANKS = 4, MOST_RUNS = 8 };

/* The parts of a run: of each rank computation in a scope, all of a wait, calls of a function. */
struct plan {
    double time_s, useful_s[RANKS], path_useful_s, wait_s, path_s;
    int64_t calls, bytes;
};

struct planted {
    struct study_run runs[2][MOST_RUNS];
    struct compare_version versions[2];
};

static wide_int ps_of(double seconds)
{
    return (wide_int)llround(seconds * 1e12);
}

static void add_place(struct result_table *table, enum path_component component, const char *function,
                      const char *scope, double time_s)
{
    *result_add_path_places(table) =
        (struct path_places_row){component, intern_text(function), intern_text(scope), (int64_t)ps_of(time_s)};
}

static void add_tables(struct result *result, const struct plan *plan)
{
    struct result_table *table = result_add_table(result, TABLE_PATH_PLACES);
    add_place(table, COMPONENT_PROCESSING, "", "assemble", plan->path_useful_s);
    add_place(table, COMPONENT_COMMUNICATION, "MPI_Send", "", plan->path_s);
    table = result_add_table(result, TABLE_FUNCTIONS);
    *result_add_functions(table) = (struct functions_row){.function = intern_text("MPI_Send"),
                                                          .calls = plan->calls,
                                                          .bytes = plan->bytes,
                                                          .time_ps = ps_of(plan->path_s)};
    table = result_add_table(result, TABLE_FUNCTION_WAITS);
    *result_add_function_waits(table) = (struct function_waits_row){.wait = WAIT_N_TO_N,
                                                                    .function = intern_text("MPI_Allreduce"),
                                                                    .waits = 10,
                                                                    .time_ps = ps_of(plan->wait_s),
                                                                    .site = intern_text("")};
    table = result_add_table(result, TABLE_SCOPE_STATES);
    for (int rank = 0; rank < RANKS; rank++) {
        struct scope_states_row *row = result_add_scope_states(table);
        row->rank = rank;
        row->scope = intern_text("assemble");
        row->state_ps[STATE_USEFUL] = (int64_t)ps_of(plan->useful_s[rank]);
    }
}

/* "main > assemble", which computes, and "main > exchange > MPI_Send". */
static void add_paths(struct result *result, const struct plan *plan)
{
    static const struct {
        int64_t outer;
        const char *function, *path;
    } rows[] = {{0, "main", "main"},
                {1, "assemble", "main > assemble"},
                {1, "exchange", "main > exchange"},
                {3, "MPI_Send", "main > exchange > MPI_Send"}};
    double useful_s = 0;
    for (int rank = 0; rank < RANKS; rank++)
        useful_s += plan->useful_s[rank];
    const double own_s[] = {0.5, useful_s + plan->wait_s, 0, plan->path_s}, idle_s[] = {0, plan->wait_s, 0, 0};
    struct result_table *table = result_add_table(result, TABLE_CALL_PATHS);
    for (int i = 0; i < 4; i++)
        *result_add_call_paths(table) = (struct call_paths_row){.id = i + 1,
                                                                .outer = rows[i].outer,
                                                                .function = intern_text(rows[i].function),
                                                                .path = intern_text(rows[i].path),
                                                                .own_ps = ps_of(own_s[i]),
                                                                .own_idle_ps = ps_of(idle_s[i])};
}

static bool has_paths; /* runs have call paths */

static void add_run(struct study_run *run, const struct plan *plan, double noise)
{
    *run = (struct study_run){.platform = "traced", .network = "real", .is_traced = true, .ranks = RANKS};
    result_init(&run->result);
    result_add_time(&run->result, "", "time_s", ps_of(plan->time_s * (1 + noise)));
    result_add_time(&run->result, "scope_state_s", "assemble.useful", ps_of(1));
    result_add_time(&run->result, "scope_state_s", "solve.useful", ps_of(1));
    run->result.n_processors = RANKS;
    run->result.state_ps = xcalloc(RANKS, sizeof *run->result.state_ps);
    for (int rank = 0; rank < RANKS; rank++)
        run->result.state_ps[rank][STATE_USEFUL] = (int64_t)ps_of(plan->useful_s[rank]);
    add_tables(&run->result, plan);
    if (has_paths)
        add_paths(&run->result, plan);
}

/* So many runs of each, which scatter by a share of their time. */
static void plant(struct planted *planted, const struct plan plans[2], int n_runs, double scatter)
{
    static const char *const names[] = {"v0", "v1"};
    for (int v = 0; v < 2; v++) {
        for (int i = 0; i < n_runs; i++)
            add_run(&planted->runs[v][i], &plans[v], scatter * (i - (n_runs - 1) / 2.0));
        planted->versions[v] = (struct compare_version){.name = names[v], .runs = planted->runs[v], .n_runs = n_runs};
        compare_find_middle(&planted->versions[v]);
    }
}

static void dispose(struct planted *planted)
{
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < planted->versions[v].n_runs; i++)
            result_dispose(&planted->versions[v].runs[i].result);
}

static void check_text(const struct planted *planted, const char *expected, const char *noise)
{
    struct compare_parts parts;
    struct builder line = {0};
    parts_find(&parts, planted->versions, 2);
    verdict_add(&line, &parts, 1);
    CU_ASSERT_STRING_EQUAL(line.text, expected);
    free(builder_take(&line));
    verdict_add_noise(&line, &parts, 1);
    char *text = builder_take(&line);
    CU_ASSERT(strstr(text, noise) != NULL);
    if (strstr(text, noise) == NULL)
        printf("noise: %s\n", text);
    free(text);
    parts_dispose(&parts);
}

static const struct plan usual = {4.1, {2, 2, 2, 2}, 2, 0.4, 2.1, 100, 800000};
static const struct plan late = {5.9, {2, 2, 2, 3.7}, 3.7, 4.9, 2.2, 100, 800000};
static const struct plan slow = {5.9, {3.8, 3.8, 3.8, 3.8}, 3.8, 0.4, 2.1, 100, 800000};
static const struct plan split = {5.9, {2, 2, 2, 2}, 2, 0.4, 3.9, 100000, 800000};

/* The same as `late`, where the path runs over the sender that is not let go. */
static const struct plan hidden = {5.9, {2, 2, 2, 3.7}, 2, 0.4, 3.9, 100, 800000};

static void test_sentences(void)
{
    static const struct {
        const struct plan *plans[2];
        const char *text;
    } rows[] = {
        {{&usual, &late},
         "v1 is 1.44 times as slow as v0 (4.100 s to 5.900 s): rank 3 computes 1.700 s longer in assemble, for which "
         "the others wait 1.500 s longer in MPI_Allreduce."},
        {{&late, &usual},
         "v1 is 1.44 times as fast as v0 (5.900 s to 4.100 s): rank 3 computes 1.700 s less in assemble, for which the "
         "others wait 1.500 s less in MPI_Allreduce."},
        {{&usual, &slow},
         "v1 is 1.44 times as slow as v0 (4.100 s to 5.900 s): ranks compute 1.800 s longer in assemble."},
        {{&usual, &split},
         "v1 is 1.44 times as slow as v0 (4.100 s to 5.900 s): MPI_Send takes 1.800 s longer, called 100000 times "
         "instead "
         "of 100, with 8 B each instead of 8.000 kB."},
        {{&usual, &hidden},
         "v1 is 1.44 times as slow as v0 (4.100 s to 5.900 s): rank 3 computes 1.700 s longer, for which the others "
         "are "
         "600.0 ms longer in MPI_Send."},
        {{&usual, &usual}, "No difference: v1 takes as long as v0, 4.100 s."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct plan plans[2] = {*rows[i].plans[0], *rows[i].plans[1]};
        struct planted planted;
        plant(&planted, plans, 1, 0);
        check_text(&planted, rows[i].text, i < 5 ? "Noise is not known" : "");
        dispose(&planted);
    }
}

/* The first cause names the call path. */
static void test_call_paths(void)
{
    const struct plan computes[2] = {usual, slow}, sends[2] = {usual, split};
    struct planted planted;
    has_paths = true;
    plant(&planted, computes, 1, 0);
    check_text(&planted,
               "v1 is 1.44 times as slow as v0 (4.100 s to 5.900 s): ranks compute 1.800 s longer in assemble (main > "
               "assemble).",
               "");
    dispose(&planted);
    plant(&planted, sends, 1, 0);
    check_text(&planted,
               "v1 is 1.44 times as slow as v0 (4.100 s to 5.900 s): MPI_Send takes 1.800 s longer (main > exchange), "
               "called 100000 times instead of 100, with 8 B each instead of 8.000 kB.",
               "");
    dispose(&planted);
    has_paths = false;
}

/* A run that is off the processor for so long on its path, as rank 0 sleeps and other programs have the processor of
 * rank 2 for so long. */
static void add_off(struct study_run *run, double path_s, double asleep_s, double foreign_s)
{
    struct result_table *places = (struct result_table *)result_find_table(&run->result, TABLE_PATH_PLACES);
    add_place(places, COMPONENT_OFF, "", "assemble", path_s);
    struct result_table *table = result_add_table(&run->result, TABLE_PROCESSORS);
    for (int rank = 0; rank < RANKS; rank++) {
        struct processors_row *row = result_add_processors(table);
        row->rank = rank;
        row->without_ps[WAIT_SLEEP - WAIT_PROCESSOR] = (int64_t)ps_of(rank == 0 ? asleep_s : 0.2);
        row->without_ps[WAIT_FOREIGN - WAIT_PROCESSOR] = (int64_t)ps_of(rank == 2 ? foreign_s : 0.1);
    }
}

/* Sleep and other programs are told apart, and the ranks that wait are not those that sleep. */
static void test_off(void)
{
    static const struct {
        double asleep_s, foreign_s;
        const char *why;
    } rows[] = {{1.9, 0.1,
                 "rank 0 sleeps 1.700 s longer in assemble, for which the others wait 1.500 s longer in "
                 "MPI_Allreduce."},
                {0.2, 1.8,
                 "rank 2 is 1.700 s longer in assemble without a processor, which other programs use, for which the "
                 "others wait 1.500 s longer in MPI_Allreduce."},
                {0.2, 0.1, "1.700 s more time off the processor in assemble."}};
    const struct plan waits = {5.9, {2, 2, 2, 2}, 2, 4.9, 2.2, 100, 800000}, plans[2] = {usual, waits};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct planted planted;
        plant(&planted, plans, 1, 0);
        add_off(&planted.runs[0][0], 0.2, 0.2, 0.1);
        add_off(&planted.runs[1][0], 1.9, rows[i].asleep_s, rows[i].foreign_s);
        char *text = xformat("v1 is 1.44 times as slow as v0 (4.100 s to 5.900 s): %s", rows[i].why);
        check_text(&planted, text, "");
        free(text);
        dispose(&planted);
    }
}

/* The path is in a function longer, and the mean rank is not. */
static void test_opposite(void)
{
    const struct plan plans[2] = {usual, {5.9, {2, 2, 2, 2}, 2, 0.4, 3.9, 100, 800000}};
    struct planted planted;
    plant(&planted, plans, 1, 0);
    struct result_table *functions =
        (struct result_table *)result_find_table(&planted.runs[1][0].result, TABLE_FUNCTIONS);
    ((struct functions_row *)functions->rows)[0].time_ps = ps_of(0.1); /* of all ranks; before 2.1 s */
    check_text(&planted,
               "v1 is 1.44 times as slow as v0 (4.100 s to 5.900 s): MPI_Send takes 1.800 s longer on the critical "
               "path, although the mean rank is 500.0 ms less in it.",
               "");
    dispose(&planted);
}

/* The times scatter too much to differ; the calls and a rank do. */
static void test_beyond(void)
{
    static const struct plan busy = {4.2, {2, 2.5, 2, 2}, 2, 0.4, 2.1, 2000, 800000};
    const struct plan plans[2] = {usual, busy};
    struct planted planted;
    struct compare_parts parts;
    struct builder line = {0};
    plant(&planted, plans, 5, 0.05);
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < 5; i++)
            planted.runs[v][i].result.state_ps[1][STATE_USEFUL] += (int64_t)ps_of(0.01 * i);
    parts_find(&parts, planted.versions, 2);
    CU_ASSERT_EQUAL(verdict_of(planted.versions, 1).is, VERDICT_NOISE);
    beyond_add(&line, &parts, 1);
    CU_ASSERT_STRING_EQUAL(line.text, "Beyond noise are: MPI_Send called 2000 times instead of 100, computation (rank "
                                      "1) 500.0 ms longer (x 1.25).");
    free(builder_take(&line));
    parts_dispose(&parts);
    dispose(&planted);
}

/* Lines of a function that have moved, as pairs: of v0, and of v1. */
static void test_moved_sites(void)
{
    static const struct {
        int before[3], after[3]; /* 0: none */
        const char *name;
        double change_s;
    } rows[] = {
        {{24}, {27}, "halo.c:24 in exchange: MPI_Send", 1},
        {{24, 27}, {27, 30}, "halo.c:27 in exchange: MPI_Send", 2},     /* all have moved */
        {{24, 30}, {24, 27, 30}, "halo.c:27 in exchange: MPI_Send", 2}, /* one is new */
        {{24, 30}, {27, 28, 30}, "halo.c:24 in exchange: MPI_Send", 1}, /* one has moved, one is new */
    };
    const struct plan plans[2] = {usual, usual};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct planted planted;
        struct compare_parts parts;
        plant(&planted, plans, 1, 0);
        for (int v = 0; v < 2; v++) {
            struct result_table *table = result_add_table(&planted.runs[v][0].result, TABLE_SITES);
            for (int k = 0; k < 3; k++)
                if ((v == 0 ? rows[i].before : rows[i].after)[k] > 0)
                    *result_add_sites(table) = (struct sites_row){
                        .site = intern_format("halo.c:%d in exchange", (v == 0 ? rows[i].before : rows[i].after)[k]),
                        .function = intern_text("MPI_Send"),
                        .calls = 1,
                        .time_ps = ps_of(v == 0 ? 0 : RANKS * (k + 1))};
        }
        parts_find(&parts, planted.versions, 2);
        const struct compare_part *part = parts_named(&parts, BY_SITE, rows[i].name);
        CU_ASSERT_PTR_NOT_NULL_FATAL(part);
        CU_ASSERT_DOUBLE_EQUAL(part_change(&parts, part, 1), rows[i].change_s, 1e-9);
        parts_dispose(&parts);
        dispose(&planted);
    }
}

static void test_groups(void)
{
    const struct plan near[2] = {usual, {4.2, {2, 2, 2, 2}, 2, 0.4, 2.2, 100, 800000}}, far[2] = {usual, late};
    struct planted planted;
    plant(&planted, near, 5, 0.02);
    check_text(&planted, "No difference beyond noise: v1 takes 4.200 s, v0 4.100 s.", "by the rank-sum test p = 0.");
    dispose(&planted);
    plant(&planted, far, 5, 0.02);
    CU_ASSERT_EQUAL(verdict_of(planted.versions, 1).is, VERDICT_DIFFERS);
    CU_ASSERT_DOUBLE_EQUAL(verdict_of(planted.versions, 1).p, 2.0 / 252, 1e-12);
    dispose(&planted);
    plant(&planted, far, 3, 0.02);
    CU_ASSERT_EQUAL(verdict_of(planted.versions, 1).is, VERDICT_UNTESTED);
    CU_ASSERT_DOUBLE_EQUAL(verdict_of(planted.versions, 1).p, 0.1, 1e-12);
    dispose(&planted);
    const struct plan small[2] = {usual, {4.13, {2, 2, 2, 2}, 2, 0.4, 2.13, 100, 800000}};
    plant(&planted, small, 5, 1e-4); /* told apart, but 0.7 % */
    CU_ASSERT_EQUAL(verdict_of(planted.versions, 1).is, VERDICT_NOISE);
    dispose(&planted);
    const struct plan overlapping[2] = {usual, {4.5, {2, 2, 2, 2}, 2, 0.4, 2.5, 100, 800000}};
    plant(&planted, overlapping, 4, 0.04); /* 4 and 4: one pair is in the other order, p = 2 * 2 / 70 */
    CU_ASSERT_EQUAL(verdict_of(planted.versions, 1).is, VERDICT_NOISE);
    dispose(&planted);
}

/* --- gates --- */

/* Read a condition, which is one, and look at it. */
static int check_condition(struct gate_result *result, const char *text, const struct compare_parts *parts,
                           struct sim_error *error)
{
    struct gate gate;
    CU_ASSERT_EQUAL_FATAL(gate_parse(&gate, text, error), 0);
    int status = gate_check(result, &gate, parts, 1, error);
    gate_dispose(&gate);
    return status;
}

static void test_gates(void)
{
    static const struct {
        const char *text;
        bool fails;
    } rows[] = {
        {"time_s > 5 %", true},
        {"time_s>50%", false},
        {"time_s > 1.7s", true},
        {"time_s > 1900 ms", false},
        {"time_s < -5 %", false},
        {"function.MPI_Send > 50ms", false},
        {"function.MPI_Send > 20 ms", true},
        {"wait.wait at N x N in MPI_Allreduce > 1 s", true},
        {"rank.rank 3 > 1.6s", true},
        {"rank.rank 2 > 0", false},
        {"function.MPI_Send.count > 0", false},
        {"path.processing in assemble > 10 %", true},
        {"critical path.processing in assemble > 10 %", true},
        {"computation.rank 3 >= 1.6s", true},
        {"call path.main > exchange > MPI_Send > 4 %", true},
        {"call_path.main > exchange > MPI_Send > 5 %", false},
        {"function.MPI_Send.bytes > 1 MiB", false},
    };
    const struct plan plans[2] = {usual, late};
    struct planted planted;
    struct compare_parts parts;
    has_paths = true;
    plant(&planted, plans, 1, 0);
    has_paths = false;
    parts_find(&parts, planted.versions, 2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gate_result result;
        struct sim_error error = {.message = ""};
        CU_ASSERT_EQUAL_FATAL(check_condition(&result, rows[i].text, &parts, &error), 0);
        CU_ASSERT_EQUAL(result.fails, rows[i].fails);
        if (result.fails != rows[i].fails)
            printf("%s: %g\n", rows[i].text, result.change);
    }
    parts_dispose(&parts);
    dispose(&planted);
}

static void test_gate_of_noise(void)
{
    const struct plan plans[2] = {usual, {4.2, {2, 2, 2, 2}, 2, 0.4, 2.2, 100, 800000}};
    struct planted planted;
    struct compare_parts parts;
    struct gate gate;
    struct gate_result result;
    struct sim_error error = {.message = ""};
    CU_ASSERT_EQUAL_FATAL(gate_parse(&gate, "time_s > 1 %", &error), 0);
    plant(&planted, plans, 5, 0.02);
    parts_find(&parts, planted.versions, 2);
    CU_ASSERT_EQUAL_FATAL(gate_check(&result, &gate, &parts, 1, &error), 0);
    CU_ASSERT(!result.fails && result.is_noise);
    parts_dispose(&parts);
    dispose(&planted);
    plant(&planted, plans, 3, 0.02); /* too few to tell: the limit alone counts */
    parts_find(&parts, planted.versions, 2);
    CU_ASSERT_EQUAL_FATAL(gate_check(&result, &gate, &parts, 1, &error), 0);
    CU_ASSERT(result.fails && !result.is_noise);
    parts_dispose(&parts);
    dispose(&planted);
    gate_dispose(&gate);
}

/* Conditions that can be parsed, but whose name or unit is not that of a number. */
static void test_refused_gates(void)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"time_s > 5 MiB", "'time_s' is a time; its limit is a time such as 20ms, or a share such as 5 %"},
        {"function.MPI_Send > 0 B", "is a time; its limit is a time"},
        {"function.MPI_Send.bytes > 0 s", "is a size; its limit is a size such as 64KiB"},
        {"function.MPI_Send.count > 0 ms", "is a number without a unit; its limit is a number such as 0.1"},
        {"function.MPI_Send.count > 0 B", "is a number without a unit"},
        {"tim_s > 1", "v0 has no 'tim_s'; did you mean 'time_s'?"},
        {"fuction.MPI_Send > 1", "did you mean 'function.MPI_Send'?"},
    };
    const struct plan plans[2] = {usual, late};
    struct planted planted;
    struct compare_parts parts;
    plant(&planted, plans, 1, 0);
    parts_find(&parts, planted.versions, 2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gate_result result;
        struct sim_error error = {.message = ""};
        CU_ASSERT_EQUAL(check_condition(&result, rows[i].text, &parts, &error), -1);
        CU_ASSERT(strstr(error.message, rows[i].why) != NULL);
        if (strstr(error.message, rows[i].why) == NULL)
            printf("%s: %s\n", rows[i].text, error.message);
    }
    parts_dispose(&parts);
    dispose(&planted);
}

static void test_bad_gates(void)
{
    static const char *const bad[] = {"time_s",        "time_s > ",      "time_s = 5 %", "> 5 %",       "time_s > 5 %%",
                                      "time_s > 5 cm", "time_s > --5 %", "time_s != 5",  "time_s > inf"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct gate gate;
        struct sim_error error = {.message = ""};
        CU_ASSERT_EQUAL(gate_parse(&gate, bad[i], &error), -1);
        CU_ASSERT(strstr(error.message, "--fail-if: '") != NULL && strstr(error.message, "such as") != NULL);
    }
}

/* --- other numbers of ranks --- */

static void test_ranks(void)
{
    const struct plan plans[2] = {usual, usual};
    struct planted planted;
    struct compare_parts parts;
    plant(&planted, plans, 1, 0);
    planted.runs[1][0].ranks = 2; /* of which each has two processors */
    parts_find(&parts, planted.versions, 2);
    const struct compare_part *there = parts_named(&parts, BY_RANK, "rank 1"),
                              *lacking = parts_named(&parts, BY_RANK, "rank 3");
    CU_ASSERT_PTR_NOT_NULL_FATAL(there);
    CU_ASSERT_PTR_NOT_NULL_FATAL(lacking);
    CU_ASSERT_DOUBLE_EQUAL(part_change(&parts, there, 1), 2, 1e-9);
    CU_ASSERT(isnan(part_change(&parts, lacking, 1)));
    CU_ASSERT_PTR_NULL(parts_named(&parts, BY_RANK, "rank 4"));
    parts_dispose(&parts);
    dispose(&planted);
}

int main(void)
{
    static const struct test tests[] = {
        {"what is said of planted differences", test_sentences},
        {"call paths in what is said", test_call_paths},
        {"time off the processor", test_off},
        {"a function that the mean rank is in for less", test_opposite},
        {"call sites that have moved", test_moved_sites},
        {"several runs", test_groups},
        {"what differs beyond noise", test_beyond},
        {"gates", test_gates},
        {"a gate and noise", test_gate_of_noise},
        {"gates that nobody understands", test_bad_gates},
        {"gates of other names and units", test_refused_gates},
        {"other numbers of ranks", test_ranks},
        {NULL, NULL},
    };
    return testing_run("compare", tests);
}
