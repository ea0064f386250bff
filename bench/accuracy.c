/* Simulated against measured, cell by cell: tables 3 and 4 of Zemerly95, and the same for the paper's own
 * prediction.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "base/memory.h"
#include "experiment/run.h"
#include "experiment/sweep.h"
#include "sim/platform/platform.h"
#include "sim/scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct errors {
    double sum, worst;
    int count;
};

static void count_error(struct errors *errors, double error)
{
    errors->sum += fabs(error);
    errors->worst = fmax(errors->worst, fabs(error));
    errors->count++;
}

static double mean_percent(const struct errors *errors)
{
    return errors->count > 0 ? 100 * errors->sum / errors->count : 0;
}

static double reference_of(const struct study_run *run, const char *name)
{
    const struct measure *measure = result_find(&run->result, "reference", name);
    return measure != NULL ? measure_value(measure) : (double)NAN;
}

static void print_cells(const struct study *report, struct errors *simulated, struct errors *predicted)
{
    struct errors mine = {0}, theirs = {0};
    printf("%s\n  %5s %10s %10s %8s %11s %8s\n", report->scenario, "ranks", "measured", "simulated", "error",
           "predicted", "error");
    for (int i = 0; i < report->n_runs; i++) {
        const struct study_run *run = &report->runs[i];
        double measured = reference_of(run, "measured_s"), prediction = reference_of(run, "predicted_s");
        double error = reference_of(run, "error"), prediction_error = prediction / measured - 1;
        if (isnan(measured))
            continue;
        printf("  %5d %8.2f s %8.2f s %+6.1f %% %9.2f s %+6.1f %%\n", run->ranks, measured,
               measure_value(result_find(&run->result, "", "time_s")), 100 * error, prediction, 100 * prediction_error);
        count_error(&mine, error);
        count_error(&theirs, prediction_error);
        count_error(simulated, error);
        count_error(predicted, prediction_error);
    }
    printf("  mean |error|: simulated %.2f %%, predicted %.2f %%\n\n", mean_percent(&mine), mean_percent(&theirs));
}

static int run_scenario(const char *name, const char *broadcast, struct machine *machine, struct errors *simulated,
                        struct errors *predicted)
{
    struct scenario scenario;
    struct sim_error error;
    struct study report = {0};
    char *file = xformat("%s/scenarios/%s.xml", SOURCE_DIR, name);
    int status = scenario_load_file(&scenario, file, app_specs, &error);
    printf("%s, ", broadcast);
    char *setting = xformat("broadcast=%s", broadcast);
    if (status == 0)
        status = scenario_set(&scenario, setting, &error);
    free(setting);
    struct run_context context = {.scenario = &scenario, .machine = machine, .sequential = sequential_times_new()};
    if (status == 0)
        status = sweep_simulate(&report, &context, 1, false, &error);
    if (status == 0)
        print_cells(&report, simulated, predicted);
    else
        fprintf(stderr, "bench: %s\n", error.message);
    sweep_dispose(&report);
    sequential_times_free(context.sequential);
    scenario_dispose(&scenario);
    free(file);
    return status;
}

int main(void)
{
    static const char *const runs[][2] = {
        {"gj128", "flat"}, {"gj256", "flat"}, {"gj128", "neighbour"}, {"gj256", "neighbour"}};
    struct machine machine;
    struct sim_error error;
    struct errors simulated = {0}, predicted = {0};
    if (machine_load(&machine, SOURCE_DIR "/platforms/t800-mesh.xml", &error) != 0) {
        fprintf(stderr, "bench: %s\n", error.message);
        return 1;
    }
    int status = 0;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        status |= run_scenario(runs[i][0], runs[i][1], &machine, &simulated, &predicted);
    printf("All %d cells: mean |error| simulated %.2f %% (worst %.1f %%), predicted by the paper %.2f %% (worst %.1f "
           "%%)\n",
           simulated.count, mean_percent(&simulated), 100 * simulated.worst, mean_percent(&predicted),
           100 * predicted.worst);
    machine_dispose(&machine);
    return status != 0;
}
