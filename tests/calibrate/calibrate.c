/* Calibration: planted costs are found again under noise, and the platform that is written costs what was fitted.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <CUnit/Basic.h>
#include <stdio.h>

#ifdef CALIBRATE_BUILT

#include "base/memory.h"
#include "calibrate/fit.h"
#include "calibrate/message_fit.h"
#include "calibrate/platform.h"
#include "calibrate/process_status.h"
#include "calibrate/segments.h"
#include "calibrate/shapes.h"
#include "calibrate/sharing.h"
#include "model/least_squares.h"
#include "sim/machine/machine.h"
#include "sim/platform/platform.h"
#include "tests/testing.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOISE 0.03
#define NEAR 0.05
#define FROM 32
#define TO 2048
#define LENGTH(array) (int)(sizeof(array) / sizeof(array)[0])

static void check_near(double found, double expected, double relative, const char *what)
{
    bool near = fabs(found - expected) <= relative * fabs(expected);
    if (!near)
        fprintf(stderr, "\n  %s: expected %g, found %g\n", what, expected, found);
    CU_ASSERT(near);
}

/* Even between 1 - NOISE and 1 + NOISE. */
static double noise(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return 1 + NOISE * (2 * (double)(*state >> 11) / 9007199254740992.0 - 1);
}

/* ---- Least squares ---- */

static void test_least_squares(void)
{
    const double a[] = {1, 0, 1, 1, 1, 2, 1, 3}, b[] = {1, 3, 5, 7};
    const double twice[] = {1, 2, 2, 4, 3, 6}, c[] = {1, 2, 3};
    double x[2] = {0, 0};
    CU_ASSERT_EQUAL(least_squares(x, a, b, 4, 2), 0);
    CU_ASSERT_DOUBLE_EQUAL(x[0], 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(x[1], 2, 1e-12);
    const double none[] = {0, 1, 0, 1, 0, 1};
    CU_ASSERT_EQUAL(least_squares(x, none, c, 3, 2), -1);
    CU_ASSERT_EQUAL(least_squares(x, twice, c, 1, 2), -1);
    CU_ASSERT_DOUBLE_EQUAL(x[0], 1, 1e-12);
}

/* ---- Shapes ---- */

static void test_shapes(void)
{
    struct fit_sample samples[128];
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        int count = shapes_plan(samples, LENGTH(samples), dimensions, FROM, TO, 0), n_cubes = 0, n_thin = 0;
        CU_ASSERT(count >= 60);
        for (int s = 0; s < count; s++) {
            const struct fit_sample *at = &samples[s];
            CU_ASSERT(at->m >= FROM && at->m <= TO && at->n >= FROM && at->n <= TO);
            CU_ASSERT(dimensions == 2 ? at->k == 1 : at->k >= FROM && at->k <= TO);
            n_cubes += at->m == at->n && (dimensions == 2 || at->k == at->m);
            n_thin += at->m == FROM || at->n == FROM || at->k == FROM;
        }
        CU_ASSERT(n_cubes >= 9);
        CU_ASSERT(n_thin >= 8);
    }
    CU_ASSERT_EQUAL(shapes_plan(samples, 5, 3, FROM, TO, 0), 5);
}

/* ---- Polynomials ---- */

static const struct planted {
    const char *name, *candidates;
    int n_dimensions, n_terms;
    struct fit_term terms[4]; /* the leading one comes first */
} planted[] = {
    {"dgemm", "1 m n k mn mk nk mnk", 3, 3, {{0.05e-9, 1, 1, 1}, {0.6e-9, 1, 0, 1}, {0.5e-9, 0, 1, 1}}},
    {"dgemm alone", "1 m n k mn mk nk mnk", 3, 1, {{4.4e-9, 1, 1, 1}}},
    {"dgemm with start", "1 m n k mn mk nk mnk", 3, 3, {{0.1e-9, 1, 1, 1}, {2e-9, 1, 1, 0}, {2e-6, 0, 0, 0}}},
    {"dtrsm", "1 m n mn nn mnn", 2, 3, {{0.03e-9, 1, 2, 0}, {0.7e-9, 1, 1, 0}, {0.2e-9, 0, 2, 0}}},
    {"matadd", "1 m n mn", 2, 2, {{0.8e-9, 1, 1, 0}, {100e-9, 0, 0, 0}}},
};

static struct fit exact_fit(const struct planted *row)
{
    struct fit fit = {.n_terms = row->n_terms};
    memcpy(fit.terms, row->terms, sizeof row->terms);
    return fit;
}

static double coefficient(const struct fit *fit, const struct fit_term *like)
{
    for (int t = 0; t < fit->n_terms; t++)
        if (fit->terms[t].m == like->m && fit->terms[t].n == like->n && fit->terms[t].k == like->k)
            return fit->terms[t].coefficient;
    return 0;
}

/* At shapes that the fit has not seen. */
static void check_forecasts(const struct fit *fit, const struct planted *row)
{
    struct fit_sample fresh[128];
    struct fit exact = exact_fit(row);
    int count = shapes_plan(fresh, LENGTH(fresh), row->n_dimensions, FROM, TO, 3);
    for (int s = 0; s < count; s++)
        check_near(fit_predict(fit, fresh[s].m, fresh[s].n, fresh[s].k),
                   fit_predict(&exact, fresh[s].m, fresh[s].n, fresh[s].k), NEAR, row->name);
}

static void check_planted(const struct planted *row, uint64_t seed)
{
    struct fit_sample samples[128];
    struct fit fit = {0}, exact = exact_fit(row);
    struct sim_error error;
    int count = shapes_plan(samples, LENGTH(samples), row->n_dimensions, FROM, TO, 0);
    for (int s = 0; s < count; s++)
        samples[s].value = fit_predict(&exact, samples[s].m, samples[s].n, samples[s].k) * noise(&seed);
    CU_ASSERT_EQUAL(fit_polynomial(&fit, row->candidates, samples, count, FROM, TO, &error), 0);
    check_near(coefficient(&fit, &row->terms[0]), row->terms[0].coefficient, NEAR, row->name);
    check_forecasts(&fit, row);
    CU_ASSERT(fit.residual > NOISE / 4 && fit.residual < NOISE);
    CU_ASSERT(fit.left_out > fit.residual);
    CU_ASSERT(fit.n_samples == count && fit.from == FROM && fit.to == TO);
}

static void test_planted(void)
{
    for (int row = 0; row < LENGTH(planted); row++)
        for (uint64_t seed = 1; seed <= 5; seed++)
            check_planted(&planted[row], seed);
}

/* Terms that are not there make forecasts worse, and most of them are found out. */
static void test_elimination(void)
{
    struct fit_sample samples[128];
    struct fit fit = {0};
    struct sim_error error;
    int n_terms = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t state = seed;
        int count = shapes_plan(samples, LENGTH(samples), 3, FROM, TO, 0);
        for (int s = 0; s < count; s++)
            samples[s].value = 1e-9 * samples[s].m * samples[s].n * samples[s].k * noise(&state);
        CU_ASSERT_EQUAL(fit_polynomial(&fit, "1 m n k mn mk nk mnk", samples, count, FROM, TO, &error), 0);
        n_terms += fit.n_terms;
    }
    CU_ASSERT(n_terms <= 40);
}

/* Measured in a part of the range only, the full polynomial falls below zero in the other. */
static void test_stays_positive(void)
{
    struct fit_sample samples[20];
    struct fit fit = {0};
    struct sim_error error;
    for (int s = 0; s < LENGTH(samples); s++)
        samples[s] = (struct fit_sample){FROM + 20 * s, 1, 1, 1e-6 * (1000 - 0.9 * (FROM + 20 * s))};
    CU_ASSERT_EQUAL(fit_polynomial(&fit, "1 m", samples, LENGTH(samples), FROM, 500, &error), 0);
    CU_ASSERT_EQUAL(fit.n_terms, 2);
    CU_ASSERT_EQUAL(fit_polynomial(&fit, "1 m", samples, LENGTH(samples), FROM, TO, &error), 0);
    CU_ASSERT_EQUAL(fit.n_terms, 1);
    CU_ASSERT(fit_predict(&fit, TO, 1, 1) > 0);
}

static void test_too_few(void)
{
    struct fit_sample samples[15] = {{1, 1, 1, 1}};
    struct fit fit = {.n_terms = 7};
    struct sim_error error;
    CU_ASSERT_EQUAL(fit_polynomial(&fit, "1 m n k mn mk nk mnk", samples, 15, FROM, TO, &error), -1);
    CU_ASSERT_STRING_EQUAL(error.message, "15 samples are too few for a polynomial of 8 terms");
    CU_ASSERT_EQUAL(fit.n_terms, 7);
}

/* ---- Memory ---- */

static void test_process_status(void)
{
    static const char text[] =
        "Name:\tVmHWM: 7 kB\nVmPeak:\t  20 kB\nXVmHWM:\t1 kB\nVmHWMs:\t2 kB\nVmHWM:\t    9976 kB\nVmRSS:\t 0 kB\n"
        "Threads:\t2\nVmSwap:\t-3 kB\nVmPin:\t9223372036854775807 kB\nVmLib:\t5 kBytes\nVmData:\t77 kB";
    static const struct {
        const char *name;
        int64_t bytes;
    } rows[] = {
        {"VmHWM", 9976 * 1024}, {"VmRSS", 0},   {"VmData", 77 * 1024}, {"Vm", -1},    {"VmSize", -1},
        {"Threads", -1},        {"VmSwap", -1}, {"VmPin", -1},         {"VmLib", -1}, {"Name", -1},
    };
    for (int row = 0; row < LENGTH(rows); row++) {
        int64_t found = process_status_bytes(text, rows[row].name);
        if (found != rows[row].bytes)
            fprintf(stderr, "\n  %s: expected %lld, found %lld\n", rows[row].name, (long long)rows[row].bytes,
                    (long long)found);
        CU_ASSERT(found == rows[row].bytes);
    }
    CU_ASSERT_EQUAL(process_status_bytes("", "VmHWM"), -1);
    CU_ASSERT_EQUAL(process_status_bytes("VmHWM:", "VmHWM"), -1);
}

/* Memory as the system counts it: the pages of a matrix of m x n numbers. */
static double page_bytes(int m, int n)
{
    return 4096 * ceil(8.0 * m * n / 4096);
}

/* Whole pages of operands, and what the routine takes besides, come out as 8 bytes a number and as that. */
static void test_memory_fit(void)
{
    struct fit_sample samples[45];
    const struct fit_term mn = {.m = 1, .n = 1}, mk = {.m = 1, .k = 1}, nk = {.n = 1, .k = 1}, one = {0}, nn = {.n = 2};
    const double besides = 512 * 1024;
    struct fit fit = {0};
    struct sim_error error;
    int count = shapes_plan(samples, LENGTH(samples), 3, 256, 1024, 0);
    for (int s = 0; s < count; s++) {
        int m = samples[s].m, n = samples[s].n, k = samples[s].k;
        samples[s].value = page_bytes(m, n) + page_bytes(m, k) + page_bytes(n, k) + besides;
    }
    CU_ASSERT_EQUAL(fit_polynomial(&fit, "1 mn mk nk", samples, count, 256, 1024, &error), 0);
    check_near(coefficient(&fit, &mn), 8, 1e-3, "mn");
    check_near(coefficient(&fit, &mk), 8, 1e-3, "mk");
    check_near(coefficient(&fit, &nk), 8, 1e-3, "nk");
    check_near(coefficient(&fit, &one), besides, NEAR, "1");
    CU_ASSERT(fit.residual < 1e-3);
    count = shapes_plan(samples, LENGTH(samples), 2, 256, 1024, 0);
    for (int s = 0; s < count; s++)
        samples[s].value = page_bytes(samples[s].m, samples[s].n) + page_bytes(samples[s].n, samples[s].n);
    CU_ASSERT_EQUAL(fit_polynomial(&fit, "1 mn nn", samples, count, 256, 1024, &error), 0);
    check_near(coefficient(&fit, &mn), 8, 1e-3, "mn");
    check_near(coefficient(&fit, &nn), 8, 1e-3, "nn");
}

/* ---- Sharing ---- */

static void test_sharing_plan(void)
{
    static const struct {
        int processors, n, last_but_one;
    } rows[] = {{1, 1, 0}, {2, 2, 1}, {3, 3, 2}, {8, 8, 7}, {12, 9, 8}, {40, 13, 32}, {65536, 17, 128}};
    for (int row = 0; row < LENGTH(rows); row++) {
        int counts[1 + SHARING_COUNTS];
        int n = sharing_plan(counts, rows[row].processors);
        CU_ASSERT(n == rows[row].n && counts[0] == 1 && counts[n - 1] == rows[row].processors);
        CU_ASSERT(n == 1 || counts[n - 2] == rows[row].last_but_one);
        for (int i = 1; i < n; i++)
            CU_ASSERT(counts[i] > counts[i - 1]);
    }
}

/* A clock that counts: a call computes for a while and then takes bytes out of a memory whose rate its processor has
 * alone up to half of it, and shares beyond. */
static double planted_call_s(double compute_s, double bytes, int ranks)
{
    const double core_Bps = 10e9, memory_Bps = 20e9;
    return compute_s + bytes / fmin(core_Bps, memory_Bps / ranks);
}

static void test_sharing(void)
{
    static const double compute_s[] = {1e-3, 2e-3}, bytes[] = {1e7, 2e7};
    double seconds[(1 + SHARING_COUNTS) * 2];
    int counts[1 + SHARING_COUNTS], n = sharing_plan(counts, 8);
    struct sharing sharing;
    for (int c = 0; c < n; c++)
        for (int s = 0; s < 2; s++)
            seconds[2 * c + s] = planted_call_s(compute_s[s], bytes[s], counts[c]);
    sharing_fit(&sharing, counts, n, seconds, 2);
    CU_ASSERT_EQUAL(sharing.n, 7);
    for (int i = 0; i < sharing.n; i++) /* 1 ms of 2 is memory */
        check_near(sharing.times[i], sharing.ranks[i] <= 2 ? 1 : (1 + sharing.ranks[i] / 2.0) / 2, 1e-9, "sharing");
    CU_ASSERT(sharing.residual < 1e-9);
    uint64_t state = 11;
    for (int i = 0; i < 2 * n; i++)
        seconds[i] *= noise(&state);
    sharing_fit(&sharing, counts, n, seconds, 2);
    for (int i = 0; i < sharing.n; i++)
        check_near(sharing.times[i], sharing.ranks[i] <= 2 ? 1 : (1 + sharing.ranks[i] / 2.0) / 2, 2 * NOISE, "noise");
    CU_ASSERT(sharing.residual > 0 && sharing.residual < 2 * NOISE);
}

/* Shapes that differ have one factor, which is off by the same ratio for both; and no call is faster than alone. */
static void test_sharing_residual(void)
{
    const int counts[] = {1, 2, 3};
    const double seconds[] = {1, 1, 1, 4, 0.5, 0.5};
    struct sharing sharing;
    sharing_fit(&sharing, counts, 3, seconds, 2);
    check_near(sharing.times[0], 2, 1e-9, "geometric mean");
    check_near(sharing.times[1], 1, 1e-9, "as alone");
    check_near(sharing.residual, (1 + 0.5 + 1 + 1) / 4, 1e-9, "residual");
}

/* ---- Messages ---- */

static int plan_messages(struct message_sample *samples)
{
    int count = 0;
    for (int64_t bytes = 1; bytes <= INT64_C(4) << 20; bytes *= 2)
        samples[count++].bytes = bytes;
    return count;
}

static const struct message_fit planted_messages[] = {
    {.latency_s = 40e-6, .rate_Bps = 11e6, .send_s = 5e-6, .receive_s = 8e-6, .eager_limit = 65536},
    {.latency_s = 0.3e-6,
     .rate_Bps = 8e9,
     .send_s = 0.04e-6,
     .receive_s = 0.08e-6,
     .eager_limit = 4040,
     .control_bytes = 7500},
    {.latency_s = 1e-6, .rate_Bps = 1e9, .eager_limit = 4096, .control_bytes = 100},
};

static void test_messages(void)
{
    for (int row = 0; row < LENGTH(planted_messages); row++) {
        const struct message_fit *plant = &planted_messages[row];
        struct message_facts facts = {plant->send_s, plant->receive_s, plant->eager_limit};
        struct message_sample samples[32];
        struct message_fit fit = {0};
        struct sim_error error;
        uint64_t state = 5;
        int count = plan_messages(samples);
        for (int s = 0; s < count; s++)
            samples[s].half_s = message_fit_predict(plant, samples[s].bytes) * noise(&state);
        CU_ASSERT_EQUAL(message_fit(&fit, samples, count, &facts, &error), 0);
        check_near(fit.latency_s, plant->latency_s, NEAR, "latency");
        check_near(fit.rate_Bps, plant->rate_Bps, NEAR, "rate");
        for (int s = 0; s < count; s++)
            check_near(message_fit_predict(&fit, samples[s].bytes), message_fit_predict(plant, samples[s].bytes), NEAR,
                       "half round trip");
        CU_ASSERT(fit.residual < NOISE);
    }
}

/* Overheads that leave no latency are not told apart from it; times that fall with the length fit nothing. */
static void test_messages_without_overheads(void)
{
    struct message_facts facts = {.send_s = 3e-6, .receive_s = 3e-6, .eager_limit = INT64_C(1) << 30};
    struct message_sample samples[] = {{.bytes = 1, .half_s = 1.001e-6},
                                       {.bytes = 1000, .half_s = 2e-6},
                                       {.bytes = 10000, .half_s = 11e-6},
                                       {.bytes = 100000, .half_s = 101e-6}};
    struct message_fit fit = {0};
    struct sim_error error;
    CU_ASSERT_EQUAL(message_fit(&fit, samples, LENGTH(samples), &facts, &error), 0);
    CU_ASSERT(fit.send_s == 0 && fit.receive_s == 0);
    check_near(fit.latency_s, 1e-6, NEAR, "latency");
    for (int s = 0; s < LENGTH(samples); s++)
        samples[s].half_s = 1e-3 / (double)(s + 1);
    CU_ASSERT_EQUAL(message_fit(&fit, samples, LENGTH(samples), &facts, &error), -1);
}

/* ---- Segments ---- */

/* A memory of four regimes, as shared memory has them, the eager limit between the second and the third. */
static const struct segments planted_segments = {
    .items = {{96, 0.4e-6, 0.2e-9}, {4095, 0.5e-6, 0.3e-9}, {65536, 3e-6, 0.09e-9}, {INT64_MAX, 1e-6, 0.13e-9}},
    .count = 4};

static int plant_segments(struct message_sample *samples, double scatter)
{
    uint64_t state = 7;
    int count = 0;
    for (int64_t bytes = 1; bytes <= INT64_C(4) << 20; bytes = bytes < 4 ? bytes + 1 : bytes * 5 / 4)
        samples[count++] = (struct message_sample){.bytes = bytes,
                                                   .half_s = segments_predict(&planted_segments, bytes) *
                                                             (1 + scatter * (noise(&state) - 1) / NOISE)};
    return count;
}

static void test_segments(void)
{
    struct message_sample samples[100];
    struct segments found;
    struct sim_error error;
    int count = plant_segments(samples, 0);
    CU_ASSERT_EQUAL(segments_fit(&found, samples, count, 4095, 0.02, &error), 0);
    CU_ASSERT_EQUAL(found.count, 4);
    CU_ASSERT(found.worst < 1e-9 && found.residual <= found.worst);
    CU_ASSERT_EQUAL(found.items[1].up_to, 4095);
    for (int i = 0; i < found.count; i++) {
        check_near(found.items[i].start_s, planted_segments.items[i].start_s, 1e-6, "start");
        check_near(found.items[i].byte_s, planted_segments.items[i].byte_s, 1e-6, "byte");
    }
    count = plant_segments(samples, 0.01);
    CU_ASSERT_EQUAL(segments_fit(&found, samples, count, 4095, 0.02, &error), 0);
    for (int s = 0; s < count; s++)
        check_near(segments_predict(&found, samples[s].bytes), segments_predict(&planted_segments, samples[s].bytes),
                   0.03, "time");
    count = plant_segments(samples, 0.05); /* more segments do not help against what is no line */
    CU_ASSERT_EQUAL(segments_fit(&found, samples, count, 4095, 0.001, &error), 0);
    CU_ASSERT(found.count <= SEGMENTS_MAX && found.worst > 0.001);
    CU_ASSERT_EQUAL(segments_fit(&found, samples, 7, 4095, 0.02, &error), -1);
}

static double planted_combine_s(int64_t bytes)
{
    return bytes <= 4095 ? 10e-9 + 0.02e-9 * (double)bytes : 100e-9 + 0.08e-9 * (double)bytes;
}

/* Overheads that were planted are found, and where they are more than the time, they are cut. */
static void test_rows(void)
{
    struct message_sample samples[100];
    struct message_rows rows;
    struct sim_error error;
    int count = plant_segments(samples, 0);
    for (int s = 0; s < count && samples[s].bytes <= 4095; s++) {
        samples[s].send_s = 0.05e-6 + 0.06e-9 * (double)samples[s].bytes;
        samples[s].receive_s = samples[s].bytes <= 96 ? 0.08e-6 : 9e-6;
    }
    for (int s = 0; s < count; s++) {
        struct message_sample *sample = &samples[s];
        sample->copy_s = 0.5 * planted_combine_s(sample->bytes);
        sample->exchange_s = 1.25 * sample->half_s + sample->copy_s;
        sample->sum_s = sample->bytes <= 4095 ? planted_combine_s(sample->bytes) : 0;
        sample->combine_s = sample->bytes <= 4095 ? 0 : 2.5 * sample->half_s + planted_combine_s(sample->bytes);
        sample->allreduce_s =
            sample->bytes <= 64 ? 1.25 * sample->half_s + planted_combine_s(sample->bytes) + 30e-9 : 0;
        sample->broadcast_s = sample->bytes <= 64 ? sample->half_s + 20e-9 : 0;
    }
    CU_ASSERT_EQUAL(message_rows_fit(&rows, samples, count, 4095, &error), 0);
    CU_ASSERT_EQUAL(rows.count, 4);
    check_near(rows.rows[0].send_s, 0.05e-6, 1e-6, "send");
    check_near(rows.rows[0].send_byte_s, 0.06e-9, 1e-6, "send_byte");
    check_near(rows.rows[0].receive_s, 0.08e-6, 1e-6, "receive");
    check_near(rows.rows[0].start_s, 0.27e-6, 1e-6, "start");
    check_near(rows.rows[1].start_s, 0.05e-6, 1e-6, "a tenth of half the round trip");
    CU_ASSERT(rows.rows[2].send_s == 0 && rows.rows[2].receive_s == 0);
    check_near(rows.rows[2].start_s, 3e-6 - 2 * 0.27e-6, 1e-6, "start of a rendezvous");
    for (int s = 0; s < count; s++)
        check_near(message_rows_predict(&rows, samples[s].bytes), samples[s].half_s, 1e-6, "half round trip");
    for (int s = 0; s < count; s++) {
        int64_t bytes = samples[s].bytes;
        check_near(message_rows_predict_exchange(&rows, bytes), 1.25 * samples[s].half_s, 1e-6, "exchange");
        if (bytes >= 256) {
            check_near(segments_predict(&rows.combine, bytes), planted_combine_s(bytes), 1e-3, "combine");
            check_near(segments_predict(&rows.copy, bytes), 0.5 * planted_combine_s(bytes), 1e-3, "copy");
        }
    }
    check_near(rows.allreduce_s, 30e-9, 1e-6, "call of an allreduce");
    check_near(rows.broadcast_s, 40e-9, 1e-6, "call of a broadcast");
}

/* A time that falls with the length, and one that a line would put below 0. */
static void test_segments_stay_possible(void)
{
    struct message_sample samples[16];
    struct segments found;
    struct sim_error error;
    for (int s = 0; s < 16; s++)
        samples[s] = (struct message_sample){.bytes = s * s * s + 1,
                                             .half_s = s < 8 ? 1e-6 - 1e-8 * s : 1e-7 * (s - 7) * (s - 7)};
    CU_ASSERT_EQUAL(segments_fit(&found, samples, 16, 1 << 20, 0.02, &error), 0);
    int64_t from = 0;
    for (int i = 0; i < found.count; i++) {
        CU_ASSERT(found.items[i].byte_s >= 0);
        CU_ASSERT(found.items[i].start_s + found.items[i].byte_s * (double)from >= 0);
        from = found.items[i].up_to + (i + 1 < found.count);
    }
}

static void test_jump(void)
{
    struct message_sample samples[32];
    int count = plan_messages(samples);
    for (int s = 0; s < count; s++)
        samples[s].half_s = message_fit_predict(&planted_messages[1], samples[s].bytes);
    int jump = message_find_jump(samples, count);
    CU_ASSERT(jump >= 0 && samples[jump].bytes == 2048 && samples[jump + 1].bytes == 4096);
    for (int s = 0; s < count; s++)
        samples[s].half_s = 1e-6 + 1e-9 * (double)samples[s].bytes;
    CU_ASSERT_EQUAL(message_find_jump(samples, count), -1);
}

/* ---- The platform ---- */

static const struct message_rows planted_rows = {
    .rows = {{4040, 2e-6, 0.1e-9, 0.04e-6, 0.02e-9, 0.08e-6, 0.03e-9}, {INT64_MAX, -1e-6, 0.3e-9, 0, 0, 0, 0}},
    .count = 2,
    .eager_limit = 4040,
    .exchange = {.items = {{4040, 3e-6, 0.2e-9}, {INT64_MAX, 1e-6, 0.4e-9}}, .count = 2},
    .combine = {.items = {{INT64_MAX, 0.5e-6, 0.05e-9}}, .count = 1},
    .copy = {.items = {{INT64_MAX, 0.25e-6, 0.025e-9}}, .count = 1},
    .broadcast_s = 45e-9,
    .allreduce_s = 55e-9};

static struct platform new_platform(void)
{
    struct platform platform = {
        .processor = "A-- <processor> --> & more-",
        .date = "2002-04-15 12:00 UTC",
        .mpi = "MPI -- 1",
        .n_hosts = 3,
        .memory_bytes = INT64_C(3) << 30,
        .rate_flopps = 36e9,
        .copy_Bps = 11e9,
        .messages = planted_messages[1],
        .rows = planted_rows,
        .sees_limit = true,
        .buffers_sends = true,
        .tried_bytes = 2021,
        .longest_message = 4 << 20,
    };
    const int rows[PLATFORM_KERNELS] = {0, 3, 4};
    for (int i = 0; i < PLATFORM_KERNELS; i++) {
        platform.kernels[i] = (struct platform_kernel){.name = planted[rows[i]].name,
                                                       .summary = "a kernel",
                                                       .memory = i == 0 ? "mk=8B 1=3KiB" : NULL,
                                                       .fit = exact_fit(&planted[rows[i]])};
        platform.kernels[i].fit.from = FROM;
        platform.kernels[i].fit.to = TO;
        platform.kernels[i].fit.residual = 0.042;
    }
    platform.kernels[0].sharing = (struct sharing){.n = 2, .ranks = {2, 4}, .times = {1.05, 1.6}, .n_shapes = 4};
    platform.kernels[0].fit.terms[1].coefficient = -1.2345678e-12;
    platform.kernels[1].memory_fit = (struct fit){
        .terms = {{8.0123456, 1, 1, 0}, {2097.25, 0, 0, 0}}, .n_terms = 2, .from = 256, .to = 1024, .residual = 0.0012};
    return platform;
}

/* The cost of a kernel at some shapes, within the picosecond to which the simulator rounds and the digits written. */
static bool same_costs(const struct machine *machine, const struct platform_kernel *kernel)
{
    struct kernel_cost cost;
    struct sim_error error;
    int64_t work_ps[N_WORK_COMPONENTS];
    if (machine_bind_kernels(machine, &kernel->name, 1, 1, &cost, &error) != 0)
        return false;
    for (int m = FROM; m <= TO; m *= 2)
        for (int n = FROM; n <= TO; n *= 4) {
            double expected_ps = 1e12 * fit_predict(&kernel->fit, m, n, 77);
            double found_ps = (double)machine_kernel_ps(&cost, 1, m, n, 77, work_ps);
            if (fabs(found_ps - expected_ps) > 1 + 1e-7 * expected_ps)
                return false;
        }
    return cost.polynomial.from == FROM && cost.polynomial.to == TO && fabs(cost.polynomial.residual - 0.042) < 1e-9;
}

static bool same_extras(const struct cost_model *costs)
{
    return costs->exchange.count == 2 && costs->exchange.row[0].max_bytes == 4040 &&
           costs->exchange.row[0].start_ps == 3000000 && costs->exchange.row[1].byte_ps == 400 &&
           costs->combine.count == 1 && cost_model_combine_ps(costs, 100) == 505000 &&
           cost_model_copy_ps(costs, 100) == 252500 && costs->broadcast_ps == 45000 && costs->allreduce_ps == 55000;
}

static bool same_messages(struct machine *machine, const struct message_fit *fit)
{
    const struct route *route = machine_route(machine, 0, 2);
    const struct cost_model *costs = &machine->costs;
    const struct message_cost first = {4040, 2000000, 100, 0, 0, 40000, 20, 80000, 30},
                              last = {INT64_MAX, -1000000, 300, 0, 0, 0, 0, 0, 0};
    return route != NULL && fabs((double)route->latency_ps - 1e12 * fit->latency_s) <= 2 &&
           fabs(route->byte_ps * fit->rate_Bps / 1e12 - 1) < 1e-5 && costs->eager_limit == 4040 &&
           costs->message.count == 2 && memcmp(&costs->message.row[0], &first, sizeof first) == 0 &&
           memcmp(&costs->message.row[1], &last, sizeof last) == 0 && same_extras(costs);
}

/* The first of the three kernels needs the size of its operands, the second the measured size, the third nothing. */
static bool same_needs(const struct machine *machine, const struct platform *platform)
{
    const struct memory_need *derived = machine_find_need(machine, platform->kernels[0].name);
    const struct memory_need *measured = machine_find_need(machine, platform->kernels[1].name);
    return machine->routines->n_needs == 2 && derived != NULL && measured != NULL &&
           polynomial_value(&derived->polynomial, 5, 6, 7) == 8 * 5 * 7 + 3072 &&
           fabs(polynomial_value(&measured->polynomial, 5, 6, 7) - (8.0123456 * 5 * 6 + 2097.25)) < 1e-3 &&
           measured->polynomial.from == 256 && measured->polynomial.to == 1024 &&
           fabs(measured->polynomial.residual - 0.0012) < 1e-9;
}

/* Only the first kernel takes longer where others work. */
static bool same_sharing(const struct machine *machine, const struct platform *platform)
{
    const struct routines *routines = machine->routines;
    return machine->hosts_per_computer == (platform->cores == 0 ? platform->n_hosts : 1) && routines->n_sharings == 1 &&
           strcmp(routines->sharings[0].name, platform->kernels[0].name) == 0 &&
           fabs(kernel_sharing_times(&routines->sharings[0], 3) - (1.05 + 1.6) / 2) < 1e-9;
}

/* Costs within a host, if hosts have cores; the second row needs no overheads. */
static bool same_local(const struct machine *machine, const struct platform *platform)
{
    const struct cost_model *costs = &machine->costs;
    if (platform->cores == 0)
        return machine->cores == 1 && costs->local.count == 0 && costs->local_eager_limit == costs->eager_limit;
    if (platform->local.count == 0)
        return machine->cores == platform->cores && costs->local.count == 0;
    return machine->cores == platform->cores && costs->local_eager_limit == 512 && costs->local.count == 2 &&
           cost_model_message_ps(costs, 100, 0, false) == 250000 + 100 * 3 &&
           cost_model_send_ps(costs, 100, true) == 50000 && cost_model_send_ps(costs, 100, false) == 42000 &&
           cost_model_message_ps(costs, 1000, 0, false) == 700000 + 1000 * 5;
}

/* The exit status of the child that looks: a process can load one platform. */
static int look_at(const char *file, const struct platform *platform)
{
    struct machine machine;
    struct sim_error error;
    if (machine_load(&machine, file, &error) != 0) {
        fprintf(stderr, "\n  %s\n", error.message);
        return 1;
    }
    for (int i = 0; i < PLATFORM_KERNELS; i++)
        if (!same_costs(&machine, &platform->kernels[i]))
            return 2 + i;
    if (!same_messages(&machine, &platform->messages))
        return 10;
    if (!same_needs(&machine, platform))
        return 12;
    int64_t memory_bytes = INT64_C(3) << 30;
    if (machine.net->n_hosts != 3 || !machine.costs.buffers_sends || strcmp(machine.default_network, "fifo") != 0 ||
        machine.costs.memory_bytes != (platform->cores > 0 ? memory_bytes : memory_bytes / 3))
        return 11;
    if (!same_local(&machine, platform))
        return 13;
    if (!same_sharing(&machine, platform))
        return 14;
    machine_dispose(&machine);
    return 0;
}

static void check_platform(const struct platform *platform)
{
    char file[] = P_tmpdir "/test-calibrate-XXXXXX";
    struct sim_error error;
    int status = -1;
    close(mkstemp(file));
    CU_ASSERT_EQUAL(platform_write(platform, file, &error), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(look_at(file, platform));
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    unlink(file);
}

static void test_platform(void)
{
    struct platform platform = new_platform();
    struct sim_error error;
    check_platform(&platform);
    platform.cores = 4;
    check_platform(&platform);
    platform.hosts_differ = true;
    platform.local =
        (struct message_rows){.rows = {{512, 250e-9, 3e-12, 50e-9, 0, 0, 0}, {INT64_MAX, 700e-9, 5e-12, 0, 0, 0, 0}},
                              .count = 2,
                              .n_samples = 20,
                              .eager_limit = 512};
    check_platform(&platform);
    CU_ASSERT_EQUAL(platform_write(&platform, "/nonexistent/x.xml", &error), -1);
    CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
}

int main(void)
{
    static const struct test tests[] = {
        {"least squares", test_least_squares},
        {"shapes", test_shapes},
        {"planted polynomials", test_planted},
        {"elimination", test_elimination},
        {"stays positive", test_stays_positive},
        {"too few samples", test_too_few},
        {"process status", test_process_status},
        {"memory", test_memory_fit},
        {"processors to measure with", test_sharing_plan},
        {"sharing", test_sharing},
        {"sharing by shapes that differ", test_sharing_residual},
        {"messages", test_messages},
        {"messages without overheads", test_messages_without_overheads},
        {"jump", test_jump},
        {"segments", test_segments},
        {"rows", test_rows},
        {"segments that are possible", test_segments_stay_possible},
        {"platform", test_platform},
        {NULL, NULL},
    };
    return testing_run("calibrate", tests);
}

#else

int main(void)
{
    puts("NOT COMPARED: needs simrun-calibrate (Open MPI, OpenBLAS)");
    return 77; /* skipped */
}

#endif
