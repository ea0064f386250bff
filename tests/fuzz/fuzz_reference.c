/* Fuzzing of the reader of reference data. What is read is matched to a run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "sim/program/param.h"
#include "study/reference.h"

#include <math.h>
#include <stdlib.h>

static const char *const choices[] = {"flat", "binomial", NULL};
static const struct param_spec specs[] = {
    {"ranks", PARAM_COUNT, "2", .min = 1, .max = 65536},
    {"bytes", PARAM_SIZE, "1KiB", .max = INT64_MAX},
    {"broadcast", PARAM_CHOICE, "flat", .choices = choices},
    {"mesh", PARAM_MESH, "auto", .min = 0},
    {"topology", PARAM_COUNT, "0", .max = 1},
};
enum { N_SPECS = sizeof specs / sizeof specs[0] };

static int parse(const void *context, int parameter, const char *text, int64_t *value, char *why, size_t why_size)
{
    (void)context;
    return param_parse(value, &specs[parameter], text, why, why_size);
}

static void check_match(const struct reference *reference, struct study_run *run)
{
    run->ranks = 2;
    result_init(&run->result);
    result_add_time(&run->result, "", "time_s", 1000);
    result_add_count(&run->result, "", "messages", 7);
    result_add_time(&run->result, "critical_path_s", "communication", 500);
    reference_match(reference, run);
    for (size_t i = 0; i < run->result.n_measures; i++)
        fuzz_check(isfinite(measure_value(&run->result.measures[i])));
    result_dispose(&run->result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct study_parameter parameters[N_SPECS];
    struct study_run run = {.parameters = parameters, .n_parameters = N_SPECS};
    struct reference *reference;
    struct sim_error error;
    char why[200];
    fuzz_check_quiet();
    for (int i = 0; i < N_SPECS; i++) {
        parameters[i] = (struct study_parameter){.name = specs[i].name, .text = ""};
        fuzz_check(param_parse(&parameters[i].number, &specs[i], specs[i].fallback, why, sizeof why) == 0);
    }
    const struct reference_parameters known = {parameters, N_SPECS, parse, NULL};
    fuzz_write("reference.csv", data, size);
    char *file = fuzz_path("reference.csv");
    if (fuzz_has_read(reference_load(&reference, file, &known, &error), &error)) {
        check_match(reference, &run);
        reference_free(reference);
    }
    free(file);
    fuzz_check_quiet();
    return 0;
}
