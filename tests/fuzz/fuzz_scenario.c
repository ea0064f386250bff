/* Fuzzing of the scenario reader. Every value of what is read can be written, and is read back as itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "apps/replay/list.h"
#include "base/memory.h"
#include "sim/scenario/scenario.h"

#include <stdlib.h>

#define LONGEST_ASSIGNMENT 300

/* Every value of the first and the last run can be written, and is read back as itself. */
static void check_runs(const struct scenario *scenario)
{
    int64_t count = scenario_run_count(scenario);
    int64_t *values = xcalloc((size_t)scenario->n_params, sizeof *values);
    fuzz_check(count >= 1 && count <= SCENARIO_MAX_RUNS);
    int64_t step = count > 1 ? count - 1 : 1;
    for (int64_t run = 0; run < count; run += step) {
        scenario_run_values(scenario, run, values);
        for (int i = 0; i < scenario->n_params; i++) {
            char text[128], why[256];
            int64_t again = -1;
            param_format(text, sizeof text, scenario->params[i].spec, values[i]);
            int status = param_parse(&again, scenario->params[i].spec, text, why, sizeof why);
            fuzz_check(status == 0 && again == values[i]);
        }
    }
    free(values);
}

static void try_assignment(struct scenario *scenario, const uint8_t *data, size_t size)
{
    struct sim_error error;
    char *assignment = fuzz_text(data, size);
    fuzz_has_read(scenario_set(scenario, assignment, &error), &error);
    check_runs(scenario);
    free(assignment);
}

static void try_file(const uint8_t *data, size_t size)
{
    struct scenario scenario;
    struct sim_error error;
    int status = scenario_load_text(&scenario, (const char *)data, size, "folder/fuzz.xml", app_specs, &error);
    if (fuzz_has_read(status, &error))
        check_runs(&scenario);
    scenario_dispose(&scenario);
}

/* Every input is tried as a file, a short one that is no file also as what follows on --set. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] = "<scenario name='fuzz'><platform file='p.xml'/><application name='gauss-jordan'/>"
                               "<param name='n' value='4'/></scenario>";
    struct scenario scenario;
    struct sim_error error;
    fuzz_check_quiet();
    try_file(data, size);
    fuzz_check_quiet();
    if (size > LONGEST_ASSIGNMENT || (size > 0 && data[0] == '<'))
        return 0;
    int status = scenario_load_text(&scenario, text, sizeof text - 1, "set.xml", app_specs, &error);
    fuzz_check(status == 0);
    try_assignment(&scenario, data, size);
    scenario_dispose(&scenario);
    fuzz_check_quiet();
    return 0;
}
