/* Conclusions from a sweep: ranks, networks that disagree, and changes without effect; against brute force.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "experiment/progress.h"
#include "interval/intern.h"
#include "study/no_effect.h"
#include "study/ranking.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sweep over ranks, a choice of algorithms, and networks; times are made up. */
enum { N_RANKS = 3, N_ALGORITHMS = 5, N_NETWORKS = 2, N_RUNS = N_RANKS * N_ALGORITHMS * N_NETWORKS };
enum { P_RANKS, P_NETWORK, P_ALGORITHM, N_PARAMETERS };

static const char *const network_names[] = {"fifo", "fluid"};

static int64_t time_of(int run)
{
    return 1000000 + (int64_t)run * 7919 % 31 * 1000;
}

static void add_run(struct study *report, int i, int64_t time_ps)
{
    struct study_run *run = &report->runs[i];
    int values[] = {i % N_RANKS, i / N_RANKS % N_NETWORKS, i / (N_RANKS * N_NETWORKS)};
    static const char *const names[] = {"ranks", "network", "algorithm"};
    static const enum subject subjects[] = {SUBJECT_RANKS, SUBJECT_NETWORK, SUBJECT_BROADCAST};
    run->n_parameters = N_PARAMETERS;
    run->parameters = xcalloc(N_PARAMETERS, sizeof *run->parameters);
    for (int k = 0; k < N_PARAMETERS; k++) {
        struct study_parameter *parameter = &run->parameters[k];
        *parameter = (struct study_parameter){
            .name = names[k], .subject = subjects[k], .is_number = k == P_RANKS, .number = values[k]};
        parameter->text = intern_format("%s%d", k == P_ALGORITHM ? "a" : "", values[k]);
    }
    run->platform = "none";
    run->network = network_names[values[P_NETWORK]];
    run->ranks = values[P_RANKS] + 1;
    run->result.n_processors = 1;
    run->result.state_ps = xcalloc(1, sizeof *run->result.state_ps);
    run->result.state_ps[0][STATE_USEFUL] = time_ps;
    result_add_time(&run->result, "", "time_s", time_ps);
    result_add_count(&run->result, "", "messages", 4);
    result_add_time(&run->result, "state_s", "useful", time_ps);
    result_add_ratio(&run->result, "overhead_ratio", "idle", i % 2 == 0 ? 0.5 : 0.1);
    result_add_ratio(&run->result, "overhead_ratio", "control", 0.3);
    result_add_time(&run->result, "critical_path_s", "processing", time_ps);
    result_add_time(&run->result, "critical_path_s", "processing.cpu", time_ps - 1000);
    result_add_time(&run->result, "critical_path_s", "processing.fpu", 1000);
}

/* The phase that the algorithm is of. */
static const struct phase_spec phases[] = {{"algorithm_a", SUBJECT_BROADCAST, NULL}, {0}};

static struct study new_report(int64_t (*time)(int run))
{
    struct study report = {.version = "0", .scenario = "study", .phases = phases, .n_runs = N_RUNS};
    report.runs = xcalloc(N_RUNS, sizeof *report.runs);
    for (int i = 0; i < N_RUNS; i++)
        add_run(&report, i, time(i));
    return report;
}

static void dispose(struct study *report)
{
    for (int i = 0; i < report->n_runs; i++) {
        free(report->runs[i].parameters);
        result_dispose(&report->runs[i].result);
    }
    free(report->runs);
}

/* --- ranks --- */

/* Networks are told apart, since algorithms vary, too: 1 + the runs on the same network that are faster. */
static void test_ranks(void)
{
    struct study report = new_report(time_of);
    ranking_add(&report);
    CU_ASSERT(report.is_ranked);
    for (int i = 0; i < N_RUNS; i++) {
        int faster = 0;
        int64_t best = time_of(i);
        for (int k = 0; k < N_RUNS; k++)
            if (report.runs[k].network == report.runs[i].network) {
                faster += time_of(k) < time_of(i);
                best = time_of(k) < best ? time_of(k) : best;
            }
        CU_ASSERT_EQUAL(testing_measure(&report.runs[i], "", "rank"), 1 + faster);
        CU_ASSERT_DOUBLE_EQUAL(testing_measure(&report.runs[i], "", "factor_to_best"),
                               (double)time_of(i) / (double)best, 1e-12);
        CU_ASSERT_STRING_EQUAL(report.runs[i].dominant, "processing.cpu");
        CU_ASSERT_STRING_EQUAL(report.runs[i].largest_overhead, i % 2 == 0 ? "idle" : "control");
    }
    dispose(&report);
}

static void test_no_ranks(void)
{
    struct study report = new_report(time_of);
    report.decision = M_TIME;
    ranking_add(&report);
    CU_ASSERT(!report.is_ranked && result_find(&report.runs[0].result, "", "rank") == NULL);
    report.decision = M_NONE;
    report.n_runs = N_RANKS; /* only numbers vary */
    ranking_add(&report);
    CU_ASSERT(!report.is_ranked && result_find(&report.runs[0].result, "", "rank") == NULL);
    report.n_runs = N_RUNS;
    dispose(&report);
}

/* --- decisions --- */

static int64_t equal_time(int run)
{
    (void)run;
    return 1000000;
}

/* Runs that a decision discards, between others, have no time: equal times beside them are found all the same. */
static void test_discarded(void)
{
    struct study report = new_report(equal_time);
    int n_effects, n_found = 0;
    for (int i = 0; i < N_RUNS; i++)
        if (report.runs[i].parameters[P_ALGORITHM].number == 1) {
            result_dispose(&report.runs[i].result);
            report.runs[i].result = (struct result){0};
            report.runs[i].discarded = "too large";
        }
    struct no_effect *effects = no_effect_find(&n_effects, &report);
    for (int i = 0; i < n_effects; i++)
        if (effects[i].parameter == P_ALGORITHM) {
            CU_ASSERT_EQUAL(report.runs[effects[i].first].parameters[P_ALGORITHM].number, 0);
            CU_ASSERT_EQUAL(effects[i].n_settings, effects[i].n_others);
            CU_ASSERT_FALSE(effects[i].all);
            n_found++;
        }
    for (int i = 0; i < n_effects; i++) /* the discarded are not as fast as each other */
        if (effects[i].parameter == P_RANKS)
            CU_ASSERT_EQUAL(effects[i].n_settings, (N_ALGORITHMS - 1) * N_NETWORKS);
    CU_ASSERT_EQUAL(n_found, 1);
    free(effects);
    dispose(&report);
}

/* A value that stands for another one, as `fastest` does, is no value that nothing uses. */
static void test_chosen(void)
{
    struct study report = new_report(equal_time);
    int n_effects, n_chosen = 0;
    for (int i = 0; i < N_RUNS; i++)
        if (report.runs[i].parameters[P_ALGORITHM].number == 4)
            *result_add_fastest(result_add_table(&report.runs[i].result, TABLE_FASTEST)) =
                (struct fastest_row){.collective = SUBJECT_BROADCAST, .algorithm = "a2"};
    struct no_effect *effects = no_effect_find(&n_effects, &report);
    for (int i = 0; i < n_effects; i++)
        if (effects[i].reason == NO_EFFECT_CHOSEN) {
            char *text = no_effect_describe(&report, &effects[i], FOR_READERS);
            CU_ASSERT_PTR_NOT_NULL(strstr(text, "such as a4 and a2"));
            CU_ASSERT_PTR_NOT_NULL(strstr(text, "a4 has chosen a2 there"));
            CU_ASSERT_EQUAL(effects[i].n_settings, effects[i].n_others);
            free(text);
            n_chosen++;
        }
    CU_ASSERT_EQUAL(n_chosen, 1);
    free(effects);
    dispose(&report);
}

/* --- networks --- */

static int run_at(int ranks, int network, int algorithm)
{
    return ranks + N_RANKS * (network + N_NETWORKS * algorithm);
}

/* The product of the factors by which the two are apart on either network. */
static double contradiction_of(const struct ranking_pair *pair)
{
    return (double)time_of(pair->second[0]) / (double)time_of(pair->first[0]) * (double)time_of(pair->first[1]) /
           (double)time_of(pair->second[1]);
}

static void test_pairs(void)
{
    struct study report = new_report(time_of);
    struct ranking_pairs found;
    int expected = 0, matched = 0;
    ranking_find_pairs(&found, &report);
    for (int r = 0; r < N_RANKS; r++)
        for (int a = 0; a < N_ALGORITHMS; a++)
            for (int b = 0; b < N_ALGORITHMS; b++) {
                if (time_of(run_at(r, 0, a)) >= time_of(run_at(r, 0, b)) ||
                    time_of(run_at(r, 1, a)) <= time_of(run_at(r, 1, b)))
                    continue;
                expected++;
                for (int i = 0; i < found.n_pairs; i++)
                    matched +=
                        found.pairs[i].first[0] == run_at(r, 0, a) && found.pairs[i].first[1] == run_at(r, 1, a) &&
                        found.pairs[i].second[0] == run_at(r, 0, b) && found.pairs[i].second[1] == run_at(r, 1, b);
            }
    CU_ASSERT(expected > 3);
    CU_ASSERT_EQUAL(found.n_pairs, expected);
    CU_ASSERT_EQUAL(matched, expected);
    CU_ASSERT_EQUAL(found.n_compared, N_RANKS * N_ALGORITHMS * (N_ALGORITHMS - 1) / 2);
    for (int i = 1; i < found.n_pairs; i++)
        CU_ASSERT(contradiction_of(&found.pairs[i - 1]) >= contradiction_of(&found.pairs[i]));
    char *text = testing_text(&report), sentence[80];
    snprintf(sentence, sizeof sentence, "The networks do not agree on %d of %d pairs", found.n_pairs, found.n_compared);
    CU_ASSERT(strstr(text, sentence) != NULL);
    free(text);
    free(found.pairs);
    dispose(&report);
}

/* Every second algorithm takes so much longer on one network, and so much less on the other, in a billionth. */
static int64_t contrast;

static int64_t near_time(int run)
{
    return 1000000000 + (run / (N_RANKS * N_NETWORKS)) % 2 * (run / N_RANKS % N_NETWORKS == 0 ? contrast : -contrast);
}

/* A hundred-thousandth is what counts: 3 x 2 algorithms on each number of ranks. */
static void test_near(void)
{
    static const int64_t contrasts[] = {100, 9900, 10100};
    for (int i = 0; i < 3; i++) {
        contrast = contrasts[i];
        struct study report = new_report(near_time);
        struct ranking_pairs found;
        ranking_find_pairs(&found, &report);
        CU_ASSERT_EQUAL(found.n_pairs, contrast > 10000 ? 6 * N_RANKS : 0);
        CU_ASSERT(found.n_compared > 0);
        free(found.pairs);
        dispose(&report);
    }
}

/* --- changes without effect --- */

static int64_t time_by_ranks(int run)
{
    return 1000000 + run % N_RANKS * 1000;
}

static const struct no_effect *find_effect(const struct no_effect *effects, int n_effects, int parameter)
{
    const struct no_effect *found = NULL;
    for (int i = 0; i < n_effects; i++)
        if (effects[i].parameter == parameter) {
            CU_ASSERT(found == NULL); /* one of each in these tests */
            found = &effects[i];
        }
    return found;
}

/* Make the runs of all algorithms but the first differ in what `change` does. */
static void expect_reason(void (*change)(struct study_run *run, int algorithm), enum no_effect_reason reason,
                          const char *words)
{
    struct study report = new_report(time_by_ranks);
    for (int i = 0; i < N_RUNS; i++) {
        result_find(&report.runs[i].result, "overhead_ratio", "idle");
        for (size_t m = 0; m < report.runs[i].result.n_measures; m++)
            if (report.runs[i].result.measures[m].of->type == MEASURE_RATIO)
                report.runs[i].result.measures[m].ratio = 0.25;
        if (change != NULL)
            change(&report.runs[i], i / (N_RANKS * N_NETWORKS));
    }
    int n_effects;
    struct no_effect *effects = no_effect_find(&n_effects, &report);
    const struct no_effect *effect = find_effect(effects, n_effects, P_ALGORITHM);
    CU_ASSERT_PTR_NOT_NULL_FATAL(effect);
    CU_ASSERT(effect->all && effect->n_settings == N_RANKS * N_NETWORKS && effect->n_others == N_RANKS * N_NETWORKS);
    CU_ASSERT_EQUAL(effect->reason, reason);
    char *text = no_effect_describe(&report, effect, FOR_READERS);
    if (strstr(text, words) == NULL)
        printf("\n  %s", text);
    CU_ASSERT(strstr(text, words) != NULL && strncmp(text, "algorithm has no effect: ", 25) == 0);
    free(text);
    const struct no_effect *network = find_effect(effects, n_effects, P_NETWORK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(network);
    CU_ASSERT(network->all && (network->reason == NO_EFFECT_UNCONTENDED || reason == NO_EFFECT_NO_MESSAGES));
    CU_ASSERT(find_effect(effects, n_effects, P_RANKS) == NULL);
    free(effects);
    dispose(&report);
}

static struct measure *measure_of(struct study_run *run, const char *group, const char *name)
{
    return (struct measure *)(uintptr_t)result_find(&run->result, group, name);
}

static void send_nothing(struct study_run *run, int algorithm)
{
    (void)algorithm;
    measure_of(run, "", "messages")->narrow = 0;
}

static void send_more(struct study_run *run, int algorithm)
{
    measure_of(run, "", "messages")->narrow += algorithm;
}

static void exchange_parts(struct study_run *run, int algorithm)
{
    measure_of(run, "critical_path_s", "processing.cpu")->narrow -= algorithm;
    measure_of(run, "critical_path_s", "processing.fpu")->narrow += algorithm;
}

static void move_states(struct study_run *run, int algorithm)
{
    run->result.state_ps[0][STATE_IDLE] = algorithm;
}

static void add_component(struct study_run *run, int algorithm)
{
    result_add_time(&run->result, "critical_path_s", "communication.algorithm_a", 0);
    measure_of(run, "", "messages")->narrow += algorithm;
}

static void test_reasons(void)
{
    expect_reason(NULL, NO_EFFECT_UNUSED, "neither program nor machine uses it");
    expect_reason(send_nothing, NO_EFFECT_NO_MESSAGES, "no messages are sent there");
    expect_reason(send_more, NO_EFFECT_OFF_PATH, "what changes is messages, 4 to 5");
    expect_reason(exchange_parts, NO_EFFECT_BALANCED, "another one of the same length");
    expect_reason(move_states, NO_EFFECT_OFF_PATH, "the order of the ranks changes, but not the time");
    expect_reason(add_component, NO_EFFECT_ZERO, "communication.algorithm_a, takes no time");
}

/* Algorithm 1 does as much as 0 in all, 2 sends more, and 3 and 4 exchange parts of the path: the class has the
 * weightiest. */
static void differ_more_and_more(struct study_run *run, int algorithm)
{
    if (algorithm == 2)
        send_more(run, algorithm);
    if (algorithm > 2)
        exchange_parts(run, algorithm);
}

static void test_weightiest_reason(void)
{
    expect_reason(differ_more_and_more, NO_EFFECT_BALANCED, "another one of the same length");
}

/* Algorithms 0 and 1 are as fast on one network, 2 and 3 in one setting only. */
static int64_t time_with_ties(int run)
{
    int algorithm = run / (N_RANKS * N_NETWORKS), network = run / N_RANKS % N_NETWORKS;
    int like = algorithm == 1 && network == 0 ? 0 : algorithm == 3 && run == run_at(0, 0, 3) ? 2 : algorithm;
    return 1000000 + run_at(run % N_RANKS, network, like) * 1000;
}

/* An effect that holds in most settings comes first. */
static void test_extent(void)
{
    struct study report = new_report(time_with_ties);
    int n_effects;
    for (int i = 0; i < N_RUNS; i++) /* so that the two have reasons of their own */
        if (report.runs[i].parameters[P_ALGORITHM].number == 3)
            measure_of(&report.runs[i], "", "messages")->narrow++;
    struct no_effect *effects = no_effect_find(&n_effects, &report);
    CU_ASSERT_EQUAL_FATAL(n_effects, 2);
    CU_ASSERT(effects[0].n_settings > effects[1].n_settings && effects[1].n_settings == 1);
    free(effects);
    dispose(&report);
}

/* A single run of the sweep is as fast as its neighbor. */
static int64_t time_with_one_tie(int run)
{
    return 1000000 + (run == run_at(1, 0, 2) ? run_at(1, 0, 1) : run) * 1000;
}

static void test_partial(void)
{
    struct study report = new_report(time_with_one_tie);
    int n_effects;
    struct no_effect *effects = no_effect_find(&n_effects, &report);
    CU_ASSERT_EQUAL_FATAL(n_effects, 1);
    CU_ASSERT(!effects[0].all && effects[0].parameter == P_ALGORITHM && effects[0].n_settings == 1 &&
              effects[0].n_others == N_RANKS * N_NETWORKS && effects[0].first == run_at(1, 0, 1) &&
              effects[0].second == run_at(1, 0, 2));
    char *text = no_effect_describe(&report, &effects[0], FOR_READERS);
    CU_ASSERT(strstr(text, "such as a1 and a2, in 1 of 6 settings, such as ranks 1, network 0: ") != NULL);
    free(text);
    free(effects);
    dispose(&report);
}

/* --- the time left --- */

static void test_left(void)
{
    static const struct {
        double elapsed_s;
        int simulated;
        double recent_s; /* the last 16 */
        int remaining;
        const char *text;
    } rows[] = {
        {10, 0, 0, 5, ""},
        {10, 5, 10, 0, ""},
        {10, 10, 10, 20, ", about 20 s left"},
        {1, 1000, 0.016, 10, ", about 1 s left"},
        {99, 1, 99, 1, ", about 99 s left"},
        {100, 1, 100, 1, ", about 2 min left"},
        {60, 1, 60, 90, ", about 90 min left"},
        {3600, 1, 3600, 3, ", about 3 h left"},
        {100, 100, 20, 10, ", about 10 s left"},      /* a little slower in the end */
        {62, 223, 48, 17, ", 5 to 51 s left"},        /* much slower */
        {100, 200, 0.8, 100, ", 5 to 50 s left"},     /* much faster */
        {60, 200, 160, 100, ", 30 s to 17 min left"}, /* in different units */
        {1, 1000, 0.16, 10, ", about 1 s left"},      /* no difference that shows */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        progress_format_left(text, sizeof text, rows[i].elapsed_s, rows[i].simulated, rows[i].recent_s,
                             rows[i].remaining);
        CU_ASSERT_STRING_EQUAL(text, rows[i].text);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"ranks", test_ranks},
        {"no ranks", test_no_ranks},
        {"discarded runs", test_discarded},
        {"what fastest has chosen", test_chosen},
        {"networks that disagree", test_pairs},
        {"networks that differ by little", test_near},
        {"reasons", test_reasons},
        {"the weightiest reason", test_weightiest_reason},
        {"in most settings", test_extent},
        {"some values", test_partial},
        {"time left", test_left},
        {NULL, NULL},
    };
    return testing_run("study", tests);
}
