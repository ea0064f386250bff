/* Platforms out of tables: the costs that times were made from come out again, by closed forms; and rows keep every
 * sample.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bring/trial.h"

#include "base/memory.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A machine whose times are known ---- */

/* A message takes `flat` and byte for each byte, and beyond the limit `more`; the next one comes after `gap` or the
 * time of its bytes. */
struct known {
    double flat_s, byte_s, more_s, gap_s;
    int64_t limit;
};

static double latency_of(const struct known *known, int64_t bytes)
{
    return known->flat_s + (bytes > known->limit ? known->more_s : 0) + known->byte_s * (double)bytes;
}

static void add(struct benchmarks *benchmarks, const char *name, int64_t bytes, double time_s, int pairs, int hosts)
{
    const struct benchmark_spec *spec = NULL;
    for (int i = 0; spec == NULL; i++)
        if (strcmp(benchmark_spec_at(i)->name, name) == 0)
            spec = benchmark_spec_at(i);
    benchmarks->rows = xgrow(benchmarks->rows, benchmarks->n_rows, &benchmarks->capacity, sizeof *benchmarks->rows);
    benchmarks->rows[benchmarks->n_rows++] = (struct benchmark_row){.spec = spec,
                                                                    .bytes = bytes,
                                                                    .time_s = time_s,
                                                                    .ranks = 2 * pairs,
                                                                    .hosts = hosts,
                                                                    .pairs = pairs,
                                                                    .window = 64};
}

/* A window of 64 takes 63 gaps, a message, and an empty one back. */
static double window_of(const struct known *known, int64_t bytes, double byte_s)
{
    double gap_s = fmax(known->gap_s, byte_s * (double)bytes);
    return (63 * gap_s + latency_of(known, bytes) + latency_of(known, 0)) / 64;
}

static void make(struct benchmarks *benchmarks, const struct known *known, bool windows)
{
    *benchmarks = (struct benchmarks){0};
    benchmarks->files = xmalloc(sizeof *benchmarks->files);
    benchmarks->files[benchmarks->n_files++] = xstrdup("known");
    for (int64_t bytes = 0; bytes <= 1 << 22; bytes = bytes == 0 ? 1 : 2 * bytes) {
        add(benchmarks, "osu_latency", bytes, latency_of(known, bytes), 1, 2);
        if (windows && bytes > 0)
            add(benchmarks, "osu_bw", bytes, window_of(known, bytes, known->byte_s), 1, 2);
    }
}

static const struct model_facts no_facts = {.eager_limit = -1, .wire_latency_s = 100e-9};

static void fit(struct model *model, struct series_list *list, struct benchmarks *benchmarks)
{
    struct sim_error error = {.message = ""};
    CU_ASSERT_EQUAL_FATAL(series_make(list, benchmarks, &error), 0);
    CU_ASSERT_EQUAL_FATAL(bring_fit(model, list, &no_facts, &error), 0);
}

static bool is_near(double value, double expected, double tolerance)
{
    bool is = fabs(value - expected) <= tolerance * fabs(expected);
    if (!is)
        printf("\n  %g instead of %g", value, expected);
    return is;
}

/* ---- Costs come out again ---- */

static void test_known(void)
{
    const struct known known = {.flat_s = 2e-6, .byte_s = 0.1e-9, .more_s = 3e-6, .gap_s = 0.4e-6, .limit = 8192};
    struct benchmarks benchmarks;
    struct series_list list;
    struct model model;
    make(&benchmarks, &known, true);
    fit(&model, &list, &benchmarks);
    CU_ASSERT(is_near(model.core_Bps, 1 / known.byte_s, 1e-6));
    CU_ASSERT_EQUAL(model.between.limit.source, LIMIT_LATENCY);
    CU_ASSERT_EQUAL(model.between.limit.bytes, known.limit);
    CU_ASSERT(is_near(model.between.limit.step, known.more_s / known.flat_s, 0.02));
    CU_ASSERT_EQUAL(model.between.rows.count, 2);
    const struct end_row *eager = &model.between.rows.rows[0], *other = &model.between.rows.rows[1];
    CU_ASSERT_EQUAL(eager->up_to, known.limit);
    CU_ASSERT(is_near(eager->send_s, known.gap_s, 1e-6));
    CU_ASSERT(is_near(eager->receive_s, known.gap_s, 1e-6));
    CU_ASSERT(is_near(eager->start_s, known.flat_s - 2 * known.gap_s - 2 * 100e-9, 1e-6));
    /* Its RTS and CTS are two empty messages more. */
    double control_s = eager->start_s + 2 * 100e-9;
    CU_ASSERT(is_near(other->send_s + other->receive_s + other->start_s,
                      known.flat_s + known.more_s - 2 * 100e-9 - 2 * control_s, 1e-6));
    series_dispose(&list);
    benchmarks_dispose(&benchmarks);
}

/* Half of a gap both ways is a message's; without windows it is assumed. */
static void test_sends(void)
{
    const struct known known = {.flat_s = 4e-6, .byte_s = 1e-9, .gap_s = 1e-6, .limit = INT64_MAX};
    struct benchmarks benchmarks;
    struct series_list list;
    struct model model;
    make(&benchmarks, &known, false);
    fit(&model, &list, &benchmarks);
    CU_ASSERT_EQUAL(model.between.limit.source, LIMIT_NONE);
    CU_ASSERT(is_near(model.between.rows.rows[0].send_s, known.flat_s / 4, 1e-6));
    CU_ASSERT(is_near(model.core_Bps, 1 / known.byte_s, 1e-6));
    series_dispose(&list);
    for (int64_t bytes = 1; bytes <= 1 << 22; bytes *= 2)
        add(&benchmarks, "osu_bibw", bytes, window_of(&known, bytes, known.byte_s), 1, 2);
    fit(&model, &list, &benchmarks);
    CU_ASSERT(is_near(model.between.rows.rows[0].send_s, known.gap_s / 2, 1e-6));
    series_dispose(&list);
    benchmarks_dispose(&benchmarks);
}

/* Four pairs of two hosts have three times the rate of one, and both ways at once messages take half as long again. */
static void test_rates(void)
{
    const struct known known = {.flat_s = 2e-6, .byte_s = 0.3e-9, .gap_s = 0.4e-6, .limit = INT64_MAX};
    struct benchmarks benchmarks;
    struct series_list list;
    struct model model;
    make(&benchmarks, &known, true);
    for (int64_t bytes = 1; bytes <= 1 << 22; bytes *= 2) {
        add(&benchmarks, "osu_mbw_mr", bytes, window_of(&known, bytes, known.byte_s * 4 / 3), 4, 2);
        add(&benchmarks, "osu_bibw", bytes, window_of(&known, bytes, known.byte_s * 1.5), 1, 2);
    }
    fit(&model, &list, &benchmarks);
    CU_ASSERT(model.node_is_measured);
    CU_ASSERT(is_near(model.node_Bps, 3 * model.core_Bps, 1e-6));
    CU_ASSERT(is_near(model.both_ways, 1.5, 1e-6));
    CU_ASSERT(model.has_exchanges);
    /* The larger half of a long message. */
    CU_ASSERT(is_near(end_rows_start(&model.exchanges, 1 << 22), 0.5 * known.byte_s * (1 << 22), 0.02));
    series_dispose(&list);
    benchmarks_dispose(&benchmarks);
}

/* The card of a host sends a message each 80 ns and its length, which three ranks with 0.4 us each do not reach before
 * the length is most of it, and eight do at once. */
static void check_gap(int pairs, double expected_s)
{
    const struct known known = {.flat_s = 2e-6, .byte_s = 0.3e-9, .gap_s = 0.4e-6, .limit = INT64_MAX};
    const double card_s = 80e-9, wire_byte_s = 0.1e-9;
    struct benchmarks benchmarks;
    struct series_list list;
    struct model model;
    make(&benchmarks, &known, true);
    for (int64_t bytes = 1; bytes <= 1 << 22; bytes *= 2) {
        struct known busy = known;
        busy.gap_s = fmax(known.gap_s, pairs * (card_s + wire_byte_s * (double)bytes));
        add(&benchmarks, "osu_mbw_mr", bytes, window_of(&busy, bytes, known.byte_s), pairs, 2);
    }
    fit(&model, &list, &benchmarks);
    CU_ASSERT(expected_s > 0 ? is_near(model.node_gap_s, expected_s, 1e-3) : model.node_gap_s == 0);
    CU_ASSERT((model.gap != NULL) == (expected_s > 0));
    series_dispose(&list);
    benchmarks_dispose(&benchmarks);
}

/* Pairs on one host: one has 10 GB/s, and all together 25. */
static void check_memory(int pairs, double expected_Bps)
{
    const struct known known = {.flat_s = 2e-6, .byte_s = 0.3e-9, .gap_s = 0.4e-6, .limit = INT64_MAX};
    const struct known local = {.flat_s = 0.3e-6, .byte_s = 0.1e-9, .gap_s = 0.1e-6, .limit = INT64_MAX};
    struct benchmarks benchmarks;
    struct series_list list;
    struct model model;
    make(&benchmarks, &known, true);
    for (int64_t bytes = 0; bytes <= 1 << 22; bytes = bytes == 0 ? 1 : 2 * bytes) {
        add(&benchmarks, "osu_latency", bytes, latency_of(&local, bytes), 1, 1);
        if (bytes == 0)
            continue;
        add(&benchmarks, "osu_bw", bytes, window_of(&local, bytes, local.byte_s), 1, 1);
        add(&benchmarks, "osu_mbw_mr", bytes, window_of(&local, bytes, fmax(local.byte_s, pairs / 25e9)), pairs, 1);
    }
    fit(&model, &list, &benchmarks);
    CU_ASSERT(expected_Bps > 0 ? is_near(model.memory_Bps, expected_Bps, 1e-3) : model.memory_Bps == 0);
    CU_ASSERT((model.memory != NULL) == (expected_Bps > 0));
    series_dispose(&list);
    benchmarks_dispose(&benchmarks);
}

static void test_memory(void)
{
    check_memory(2, 0);
    check_memory(8, 25e9);
}

static void test_gap(void)
{
    check_gap(3, 0);
    check_gap(8, 80e-9);
}

/* ---- What is made is simulated ---- */

static void test_trial(void)
{
    const struct known known = {.flat_s = 2e-6, .byte_s = 0.1e-9, .more_s = 3e-6, .gap_s = 0.4e-6, .limit = 8192};
    struct benchmarks benchmarks;
    struct series_list list;
    struct model model;
    struct fabric fabric = {0};
    struct made_platform platform;
    struct sim_error error = {.message = ""};
    make(&benchmarks, &known, true);
    fit(&model, &list, &benchmarks);
    platform_make(&platform, &model, &benchmarks, &fabric, "known");
    struct test_bed bed = {&platform, model.wires, TRIAL_MESSAGES};
    for (size_t i = 0; i < list.count; i++) {
        struct trial trial;
        CU_ASSERT_EQUAL_FATAL(trial_run(&trial, &bed, &list.items[i], &error), 0);
        CU_ASSERT_EQUAL(trial.count, list.items[i].count);
        if (list.items[i].spec->kind == BENCHMARK_LATENCY)
            CU_ASSERT(trial.mean_error < 1e-4);
        CU_ASSERT(trial.mean_error < 0.02);
        trial_dispose(&trial);
        bed.messages_left = 10;
        CU_ASSERT_EQUAL_FATAL(trial_run(&trial, &bed, &list.items[i], &error), 0);
        CU_ASSERT_PTR_NOT_NULL(trial.why);
        CU_ASSERT_EQUAL(trial.count, 0);
        trial_dispose(&trial);
        bed.messages_left = TRIAL_MESSAGES;
    }
    platform_dispose(&platform);
    series_dispose(&list);
    benchmarks_dispose(&benchmarks);
}

/* ---- Rows ---- */

/* Random times, most of which rise: no row is below 0 at any length, all samples are within the tolerance, and 24 rows
 * suffice. */
static void test_rows(void)
{
    for (int round = 0; round < 200; round++) {
        struct end_sample samples[40];
        struct end_rows rows;
        int n = 2 + testing_random_to(38), limit_at = testing_random_to(n) - 1;
        double time_s = 1e-6;
        for (int i = 0; i < n; i++) {
            time_s = fmax(time_s + 1e-8 * (testing_random_to(100) - 30), 1e-7);
            int64_t bytes = i == 0 ? 0 : samples[i - 1].bytes + testing_random_to(1000);
            samples[i] = (struct end_sample){bytes, time_s, 1e-8 * testing_random_to(60), time_s};
        }
        end_rows_fit(&rows, samples, n, limit_at, limit_at > 0 ? samples[limit_at].bytes - 1 : 0, 0.01);
        CU_ASSERT(rows.count >= 1 && rows.count <= END_ROWS);
        CU_ASSERT_EQUAL(rows.rows[rows.count - 1].up_to, INT64_MAX);
        for (int i = 0; i < rows.count; i++) {
            const struct end_row *row = &rows.rows[i];
            CU_ASSERT(row->start_s >= 0 && row->byte_s >= 0 && row->send_s >= 0 && row->send_byte_s >= 0 &&
                      row->receive_s >= 0 && row->receive_byte_s >= 0);
        }
        for (int i = 0; i < n; i++)
            CU_ASSERT(fabs(end_rows_at(&rows, samples[i].bytes) - samples[i].ends_s) <=
                      1.0001 * rows.tolerance * samples[i].whole_s);
    }
}

/* A straight line is one row, whatever its samples. */
static void test_straight(void)
{
    struct end_sample samples[20];
    struct end_rows rows;
    for (int i = 0; i < 20; i++)
        samples[i] = (struct end_sample){100 * i, 1e-6 + 1e-10 * 100 * i, 0, 1e-6};
    end_rows_fit(&rows, samples, 20, 0, 0, 0.01);
    CU_ASSERT_EQUAL(rows.count, 1);
    CU_ASSERT(is_near(rows.rows[0].start_s, 1e-6, 1e-6));
    CU_ASSERT(is_near(rows.rows[0].byte_s, 1e-10, 1e-6));
}

/* One time at any length that is a hundred times too long or too short is left out, and the others are as before. */
static void test_outliers(void)
{
    const struct known known = {.flat_s = 2e-6, .byte_s = 1e-10, .more_s = 3e-6, .limit = 8192};
    struct benchmarks benchmarks;
    struct series_list list;
    struct sim_error error;
    make(&benchmarks, &known, false);
    size_t n = benchmarks.n_rows;
    for (size_t wrong = 0; wrong <= n; wrong++)
        for (int is_short = 0; is_short < 2; is_short++) {
            double factor = is_short ? 1e-2 : 1e2, time_s = wrong < n ? benchmarks.rows[wrong].time_s : 0;
            size_t noted = benchmarks.n_notes;
            if (wrong < n)
                benchmarks.rows[wrong].time_s *= factor;
            CU_ASSERT_EQUAL_FATAL(series_make(&list, &benchmarks, &error), 0);
            CU_ASSERT_EQUAL(list.items[0].count, (int)n - (wrong < n));
            CU_ASSERT_EQUAL(benchmarks.n_notes - noted, wrong < n);
            for (int i = 0; i < list.items[0].count; i++)
                CU_ASSERT(wrong == n || list.items[0].points[i].bytes != benchmarks.rows[wrong].bytes);
            if (wrong < n)
                benchmarks.rows[wrong].time_s = time_s;
            series_dispose(&list);
        }
    benchmarks_dispose(&benchmarks);
}

int main(void)
{
    static const struct test tests[] = {
        {"known costs", test_known},
        {"processors", test_sends},
        {"rates", test_rates},
        {"the gap of a host", test_gap},
        {"the memory of a host", test_memory},
        {"simulated", test_trial},
        {"random rows", test_rows},
        {"a straight line", test_straight},
        {"far out of line", test_outliers},
        {NULL, NULL},
    };
    return testing_run("bring", tests);
}
