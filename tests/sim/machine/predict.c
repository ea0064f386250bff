/* FAST's forecasts for four loaded nodes: against the formulas, and profiles fed to predictors by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/predict.h"
#include "sim/platform/platform.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>

#define LOADED SOURCE_DIR "/platforms/icluster-loaded.xml"

static struct machine machine;

static void check_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fprintf(stderr, "\n  expected %.12g, found %.12g\n", expected, found);
    CU_ASSERT(fabs(found - expected) <= 1e-9 * fabs(expected));
}

static void test_availability(void)
{
    static const struct {
        int host, n_profiles;
        double at_s, expected, error;
    } rows[] = {
        {0, 0, 600, 1, 0},
        {2, 1, 0, 1, 0},
        {2, 1, 299, 1, 0},
        {2, 1, 300, 0.34, 0.66 / 30}, /* one step down in 30 forecasts */
        {2, 1, 895, 0.34, 0.66 / 89},
        {2, 1, 1499, 1, 2 * 0.66 / 149}, /* and up again at 900; the second period has the next step at 1500 */
        {3, 1, 149, 0.9, 0},
        {3, 1, 150, 0.5, 0.4 / 15},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct predicted_value found = predict_availability(&machine, rows[i].host, rows[i].at_s);
        CU_ASSERT_EQUAL(found.n_profiles, rows[i].n_profiles);
        CU_ASSERT_EQUAL(found.best, 1);
        check_near(found.expected, rows[i].expected);
        check_near(found.error, rows[i].error);
    }
}

static void test_time(void)
{
    const struct kernel_cost *dgemm = machine_find_kernel(&machine, "dgemm");
    const struct memory_need *need = machine_find_need(&machine, "dgemm");
    CU_ASSERT_PTR_NOT_NULL_FATAL(dgemm);
    CU_ASSERT_PTR_NOT_NULL_FATAL(need);
    check_near(predict_time_best(dgemm, 100, 200, 300), 4.3956e-9 * 100 * 200 * 300);
    check_near(polynomial_value(&need->polynomial, 100, 200, 300), 8 * (100 * 300 + 300 * 200 + 100 * 200));
    check_near(predict_time_best(dgemm, 2000000000, 2000000000, 2000000000), 4.3956e-9 * 8e27); /* beyond the clock */
    CU_ASSERT_FALSE(polynomial_is_negative(&dgemm->polynomial, 1, 1, 1));
    CU_ASSERT_PTR_NULL(machine_find_need(&machine, "dgetrf"));
    CU_ASSERT_EQUAL(polynomial_dimensions(&dgemm->polynomial), 3);
    CU_ASSERT_EQUAL(polynomial_dimensions(&machine_find_kernel(&machine, "dtrsm")->polynomial), 2);
}

/* The wire of host 2 varies, the others do not. */
static void test_wires(void)
{
    const struct route *quiet = machine_route(&machine, 0, 3), *varying = machine_route(&machine, 3, 2);
    CU_ASSERT_EQUAL_FATAL(varying->hops, 2);
    struct predictors predictors;
    predictors_init(&predictors);
    const struct profile *profile = machine_link_profile(&machine, varying->links[1], PROFILE_BANDWIDTH);
    CU_ASSERT_PTR_NOT_NULL_FATAL(profile);
    for (int t = 0; t <= 700; t += PROFILE_PERIOD_S)
        predictors_add(&predictors, profile_value(profile, t, 0));
    struct prediction expected = predictors_best(&predictors);

    struct predicted_value bandwidth = predict_bandwidth(&machine, varying, 705),
                           latency = predict_latency(&machine, varying, 705);
    check_near(bandwidth.expected, expected.value);
    check_near(bandwidth.error, expected.mean_absolute_error);
    CU_ASSERT_STRING_EQUAL(bandwidth.prediction.predictor, expected.predictor);
    check_near(bandwidth.best, 1e12 / machine.net->wires[varying->links[1]].byte_ps);
    check_near(latency.expected, 20e-6 + 170e-6);
    check_near(latency.best, 40e-6);
    check_near(predict_bandwidth(&machine, quiet, 705).expected, 11e6);
    check_near(predict_latency(&machine, quiet, 705).expected, 40e-6);

    /* The processors take 60 us. Beyond 64 KiB there are an RTS and a CTS, of 4 B each. */
    const struct network_state now = {latency.expected, bandwidth.expected}, best = {40e-6, 11e6};
    check_near(predict_message_s(&machine, varying, 65536, now), 60e-6 + 190e-6 + 65536 / expected.value);
    check_near(predict_message_s(&machine, varying, 65537, now), 60e-6 + 3 * 190e-6 + (65537 + 2 * 4) / expected.value);
    check_near(predict_message_s(&machine, quiet, 65537, best), 60e-6 + 3 * 40e-6 + (65537 + 2 * 4) / 11e6);
    const struct network_state none = {0, INFINITY};
    CU_ASSERT_EQUAL(predict_message_s(&machine, machine_route(&machine, 1, 1), 1000, none), 60e-6);
}

int main(void)
{
    static const struct test tests[] = {
        {"availability", test_availability},
        {"time and memory of a routine", test_time},
        {"wires and messages", test_wires},
        {NULL, NULL},
    };
    struct sim_error error = {.message = ""};
    if (machine_load(&machine, LOADED, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int status = testing_run("fast", tests);
    machine_dispose(&machine);
    return status;
}
