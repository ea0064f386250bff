/* Costs from tables: the law of a table gives the time of the same polynomial, and the bands of time and speedup are
 * those of a thousand draws of whole laws, each simulated.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost_band.h"

#include "core/simrun_internal.h"
#include "sim/platform/platform.h"
#include "tests/testing.h"

#include "base/memory.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Machines ---- */

static char folder[] = "/tmp/cost-band-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char *path = xformat("%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
    free(path);
}

/* Sixteen hosts with these props. */
static void load(struct machine *machine, const char *props)
{
    struct sim_error error;
    char *text = xformat("<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>"
                         "<platform version='4.1'><cluster id='c' prefix='n' suffix='' radical='0-15' speed='1Gf' "
                         "bw='100MBps' lat='20us'>%s</cluster></platform>",
                         props);
    char *path = xformat("%s/platform.xml", folder);
    write_file("platform.xml", text);
    if (machine_load(machine, path, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    free(text);
    free(path);
}

static struct simrun *open_run(struct machine *machine, const char *app, const char *const *settings)
{
    struct sim_error error;
    struct simrun *opened;
    if (simrun_open(&opened, machine, app, settings, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    return opened;
}

/* The time and the speedup, in that order. */
static void time_run(double answers[2], const struct simrun *opened)
{
    struct sim_error error;
    struct simulation alone;
    int64_t end_ps = 0, alone_ps = 0;
    if (simulation_time(&end_ps, opened_simulation(opened), &error) != 0 ||
        opened_on_one_rank(&alone, opened, &error) != 0 || simulation_time(&alone_ps, &alone, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    simulation_dispose(&alone);
    answers[0] = (double)end_ps / 1e12;
    answers[1] = (double)alone_ps / (double)end_ps;
}

/* ---- The same as a polynomial ---- */

static const char *const product[] = {"ranks=4", "grid=2x2", "m=512", NULL};

static void test_same_as_polynomial(void)
{
    struct machine by_law, by_polynomial;
    double law[2], polynomial[2];
    char *text = xcalloc(1, 65536);
    strcpy(text, "m,n,k,time [us]\n");
    for (int i = 0; i < 4 * 4 * 4; i++) {
        int m = 64 << i % 4, n = 64 << i / 4 % 4, k = 8 << i / 16;
        sprintf(text + strlen(text), "%d,%d,%d,%.15g\n", m, n, k, 4e-3 * m * n * k + 20);
    }
    write_file("dgemm.csv", text);
    free(text);
    load(&by_law, "<prop id='kernel.dgemm' value='table dgemm.csv'/><prop id='kernel.matadd' value='poly mn=80ns'/>");
    load(&by_polynomial, "<prop id='kernel.dgemm' value='poly mnk=4ns 1=20us'/>"
                         "<prop id='kernel.matadd' value='poly mn=80ns'/>");
    struct simrun *one = open_run(&by_law, "pdgemm", product), *other = open_run(&by_polynomial, "pdgemm", product);
    time_run(law, one);
    time_run(polynomial, other);
    CU_ASSERT_DOUBLE_EQUAL(law[0], polynomial[0], 1e-9 * polynomial[0]);
    CU_ASSERT(polynomial[0] > 0.1);
    simrun_close(one);
    simrun_close(other);
    machine_dispose(&by_law);
    machine_dispose(&by_polynomial);
}

/* ---- Bands against draws ---- */

static double normal(void)
{
    double u = (testing_random_to(1000000) - 0.5) / 1e6, v = testing_random_to(1000000) / 1e6;
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* Draw a formula by its probability, and its coefficients from their distribution: Student's t with the covariance of
 * the fit. */
static void draw_law(struct regression_model *drawn, const struct regression_model *model)
{
    enum { MOST = 1 + REGRESSION_COLUMNS };
    double left = testing_random_to(1000000) / 1e6, lower[MOST * MOST] = {0}, noise[MOST], squares = 0;
    const struct regression_fitted *fitted = &model->best;
    for (int r = 0; (left -= fitted->probability) > 0 && r < model->n_rivals; r++)
        fitted = &model->rivals[r];
    int n = 1 + fitted->formula.n_columns;
    for (int i = 0; i < fitted->degrees; i++) {
        double z = normal();
        squares += z * z;
    }
    for (int i = 0; i < n; i++) { /* Cholesky */
        noise[i] = normal() * fitted->deviation / sqrt(squares / fitted->degrees);
        for (int j = 0; j <= i; j++) {
            double sum = fitted->inverse[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= lower[i * n + k] * lower[j * n + k];
            lower[i * n + j] = i == j ? sqrt(fmax(sum, 0)) : lower[j * n + j] > 0 ? sum / lower[j * n + j] : 0;
        }
    }
    drawn->best = *fitted;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            drawn->best.formula.coefficients[i] += lower[i * n + j] * noise[j];
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

enum { DRAWS = 1000 };

/* Simulate with drawn laws: the times, and the speedups, rising. */
static void draw_all(double answers[2][DRAWS], struct machine *machine, const struct simrun *opened)
{
    struct routines *routines = machine->routines;
    struct regression_model *saved = xcalloc((size_t)routines->n_kernels, sizeof *saved);
    for (int k = 0; k < routines->n_kernels; k++)
        saved[k] = routines->kernels[k].law->model;
    for (int d = 0; d < DRAWS; d++) {
        double drawn[2];
        for (int k = 0; k < routines->n_kernels; k++)
            draw_law(&((struct kernel_law *)(uintptr_t)routines->kernels[k].law)->model, &saved[k]);
        time_run(drawn, opened);
        answers[0][d] = drawn[0];
        answers[1][d] = drawn[1];
    }
    for (int k = 0; k < routines->n_kernels; k++)
        ((struct kernel_law *)(uintptr_t)routines->kernels[k].law)->model = saved[k];
    qsort(answers[0], DRAWS, sizeof(double), by_value);
    qsort(answers[1], DRAWS, sizeof(double), by_value);
    free(saved);
}

/* Half a band's width, over that of the draws. */
static void compare(const char *what, const struct result *result, const char *low, const char *high,
                    const double *drawn)
{
    double from = measure_value(result_find(result, "cost_band", low)),
           to = measure_value(result_find(result, "cost_band", high)), least = drawn[DRAWS / 40],
           most = drawn[DRAWS - 1 - DRAWS / 40], width = most - least;
    printf("%s: %.6g to %.6g, drawn %.6g to %.6g\n", what, from, to, least, most);
    CU_ASSERT(fabs(from - least) < 0.15 * width);
    CU_ASSERT(fabs(to - most) < 0.15 * width);
}

/* Timings of the kernels of gj, so many repetitions each, which scatter by a share. */
static void write_timings(double scatter)
{
    static const struct {
        const char *kernel;
        double start_us, each_us;
    } kernels[] = {
        {"gj.rsub", 30, 0.5}, {"gj.norm", 3, 0.3}, {"gj.set", 5, 0.4}, {"gj.inv", 1, 0.3}, {"gj.buf", 1, 0.2}};
    char *text = xcalloc(1, 65536);
    strcpy(text, "kernel,iterations,time [us]\n");
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (int i = 1; i <= 4096; i *= 4)
            for (int r = 0; r < 3; r++)
                sprintf(text + strlen(text), "%s,%d,%.6g\n", kernels[k].kernel, i,
                        (kernels[k].start_us + kernels[k].each_us * i) * (1 + scatter * normal()));
    write_file("gj.csv", text);
    free(text);
}

static void check_bands(double scatter, const char *const *settings)
{
    static double drawn[2][DRAWS];
    static const char *const names[] = {"gj.rsub", "gj.norm", "gj.set", "gj.inv", "gj.buf"};
    struct machine machine;
    struct simulation alone;
    struct sim_error error;
    struct result result;
    struct kernel_stats stats;
    char props[600] = "";
    write_timings(scatter);
    for (int i = 0; i < 5; i++)
        sprintf(props + strlen(props), "<prop id='kernel.%s' value='table gj.csv'/>", names[i]);
    load(&machine, props);
    struct simrun *opened = open_run(&machine, "gauss-jordan", settings);
    if (opened_on_one_rank(&alone, opened, &error) != 0)
        abort();
    int64_t alone_ps = 0;
    result_init(&result);
    CU_ASSERT_EQUAL_FATAL(simulation_time(&alone_ps, &alone, &error), 0);
    CU_ASSERT_EQUAL_FATAL(simulation_measure(&result, &stats, opened_simulation(opened), alone_ps, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(cost_band_add(&result, opened_simulation(opened), &alone, &error), 0);
    draw_all(drawn, &machine, opened);
    printf("%s, scatter %g\n", settings[0], scatter);
    compare("time", &result, "time_low_s", "time_high_s", drawn[0]);
    compare("speedup", &result, "speedup_low", "speedup_high", drawn[1]);
    result_dispose(&result);
    simulation_dispose(&alone);
    simrun_close(opened);
    machine_dispose(&machine);
}

static void test_bands(void)
{
    static const char *const few[] = {"ranks=2", "n=60", NULL}, *const many[] = {"ranks=16", "n=60", NULL};
    check_bands(0.02, few);
    check_bands(0.1, few);
    check_bands(0.1, many);
}

int main(void)
{
    static const struct test tests[] = {
        {"the law of a table gives the time of the same polynomial", test_same_as_polynomial},
        {"bands are those of laws that are drawn", test_bands},
        {NULL, NULL},
    };
    if (mkdtemp(folder) == NULL)
        abort();
    int status = testing_run("cost_band", tests);
    char *command = xformat("rm -r %s", folder);
    status |= system(command) != 0;
    free(command);
    return status;
}
