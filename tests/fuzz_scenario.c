/* Fuzzing of the scenario reader: any bytes either load or give an error of one line; nothing else happens.
 *
 * Built with clang -fsanitize=fuzzer,address,undefined; good seeds are scenarios/ and tests/data/bad. */
#include "apps/app_list.h"
#include "base/memory.h"
#include "sim/scenario.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LONGEST_ASSIGNMENT 300

/* Unlike an assert, it is there in every build. */
static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_error(const struct sim_error *error)
{
    check(error->status == SIM_BAD_INPUT);
    check(error->message[0] != '\0' && strpbrk(error->message, "\r\n") == NULL);
}

/* Every value of the first and the last run can be written, and is read back as itself. */
static void check_runs(const struct scenario *scenario)
{
    int64_t count = scenario_run_count(scenario);
    int64_t *values = xcalloc((size_t)scenario->n_params, sizeof *values);
    check(count >= 1 && count <= SCENARIO_MAX_RUNS);
    int64_t step = count > 1 ? count - 1 : 1;
    for (int64_t run = 0; run < count; run += step) {
        scenario_run_values(scenario, run, values);
        for (int i = 0; i < scenario->n_params; i++) {
            char text[128], why[256];
            int64_t again = -1;
            param_format(text, sizeof text, scenario->params[i].spec, values[i]);
            int status = param_parse(&again, scenario->params[i].spec, text, why, sizeof why);
            check(status == 0 && again == values[i]);
        }
    }
    free(values);
}

static void try_assignment(struct scenario *scenario, const uint8_t *data, size_t size)
{
    struct sim_error error;
    char *assignment = xcalloc(size + 1, 1);
    memcpy(assignment, data, size);
    if (scenario_set(scenario, assignment, &error) != 0)
        check_error(&error);
    check_runs(scenario);
    free(assignment);
}

static void try_file(const uint8_t *data, size_t size)
{
    struct scenario scenario;
    struct sim_error error;
    int status = scenario_load_text(&scenario, (const char *)data, size, "folder/fuzz.xml", app_specs, &error);
    if (status != 0)
        check_error(&error);
    else
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
    try_file(data, size);
    if (size > LONGEST_ASSIGNMENT || (size > 0 && data[0] == '<'))
        return 0;
    int status = scenario_load_text(&scenario, text, sizeof text - 1, "set.xml", app_specs, &error);
    check(status == 0);
    try_assignment(&scenario, data, size);
    scenario_dispose(&scenario);
    return 0;
}
