/* ScaLAPACK's matrix product, simulated, against its forecast: figures 4 and 5 of Caron02.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "experiment/run.h"
#include "experiment/sweep.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct machine machine;

/* The forecast by the constants of the machine: 4.3956 ns, 100 us, 11 MB/s; matrices of 2048, blocks of 64. */
static double forecast_2048(int p, int q)
{
    double rounds_a = ceil(log2(q)), rounds_b = ceil(log2(p));
    return 32 * 4.3956e-9 * 64 * ceil(2048.0 / p) * ceil(2048.0 / q) +
           2048.0 * 2048 * 8 / 11e6 * (rounds_a / p + rounds_b / q) + (rounds_a + rounds_b) * 32 * 1e-4;
}

static void grid_of_run(const struct study_run *run, int *p, int *q)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (strcmp(run->parameters[i].name, "grid") == 0)
            CU_ASSERT_EQUAL_FATAL(sscanf(run->parameters[i].text, "%dx%d", p, q), 2);
}

/* Two grids in the order in which the forecast has them; and of equally many processes the more compact one is
 * faster. */
static void compare_grids(const struct study_run *a, const struct study_run *b)
{
    int ap, aq, bp, bq;
    grid_of_run(a, &ap, &aq);
    grid_of_run(b, &bp, &bq);
    if (forecast_2048(ap, aq) > 1.05 * forecast_2048(bp, bq))
        CU_ASSERT(testing_measure(a, "", "time_s") > testing_measure(b, "", "time_s"));
    if (ap * aq == bp * bq && abs(ap - aq) > abs(bp - bq))
        CU_ASSERT(testing_measure(a, "", "time_s") > testing_measure(b, "", "time_s"));
}

/* Figure 4: 3.79 % on the average and 14.69 % at most lay between the paper's forecasts and measurements. */
static void test_all_grids(void)
{
    struct study report;
    double sum = 0, worst = 0;
    testing_simulate(&report, &machine, SOURCE_DIR "/scenarios/pdgemm2048.xml");
    CU_ASSERT_EQUAL_FATAL(report.n_runs, 119);
    for (int i = 0; i < report.n_runs; i++) {
        int p = 0, q = 0;
        grid_of_run(&report.runs[i], &p, &q);
        double forecast_s = forecast_2048(p, q),
               error = fabs(testing_measure(&report.runs[i], "", "time_s") / forecast_s - 1);
        CU_ASSERT_DOUBLE_EQUAL(testing_measure(&report.runs[i], "", "forecast_s") / forecast_s, 1, 1e-6);
        sum += error;
        worst = fmax(worst, error);
        for (int j = 0; j < report.n_runs; j++)
            compare_grids(&report.runs[i], &report.runs[j]);
    }
    CU_ASSERT(sum / report.n_runs <= 0.04);
    CU_ASSERT(worst <= 0.15);
    sweep_dispose(&report);
}

/* Figure 5: 2.77 % on the average. */
static void test_sizes(void)
{
    struct study report;
    double sum = 0;
    testing_simulate(&report, &machine, SOURCE_DIR "/scenarios/pdgemm-8x4.xml");
    CU_ASSERT_EQUAL_FATAL(report.n_runs, 10);
    for (int i = 0; i < report.n_runs; i++)
        sum += fabs(
            testing_measure(&report.runs[i], "", "time_s") / testing_measure(&report.runs[i], "", "forecast_s") - 1);
    CU_ASSERT(sum / report.n_runs <= 0.04);
    sweep_dispose(&report);
}

int main(void)
{
    static const struct test tests[] = {
        {"all grids up to 32", test_all_grids},
        {"sizes on 8x4", test_sizes},
        {NULL, NULL},
    };
    int status = testing_run("pdgemm's figures", tests);
    if (machine.name != NULL)
        machine_dispose(&machine);
    return status;
}
