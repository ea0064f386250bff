/* simrun compare: versions of a program side by side.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/answer.h"
#include "simrun/command.h"
#include "simrun/compare_gate.h"
#include "simrun/compare_inputs.h"

static int make_document(struct document *document, void *data, struct sim_error *error)
{
    const struct comparison *comparison = data;
    (void)error;
    comparison_document(document, comparison);
    return 0;
}

/* The answer, and then the gate. */
static int answer(struct comparison *comparison, const struct options *options, struct sim_error *error)
{
    int status = answer_output(options, make_document, comparison, error);
    return status == 0 ? compare_gate_check(comparison, options, error) : -1;
}

typedef int load_inputs(struct compare_inputs *inputs, const struct options *options, struct sim_error *error);

static int run_with(load_inputs *load, bool are_stored_runs, const struct options *options, struct sim_error *error)
{
    struct compare_inputs inputs;
    if (compare_gate_parse(options, error) != 0)
        return -1;
    int status = load(&inputs, options, error);
    struct comparison comparison = {.simrun = SIMRUN_VERSION,
                                    .versions = inputs.versions,
                                    .n_versions = inputs.n_versions,
                                    .are_stored_runs = are_stored_runs,
                                    .verbose = options->verbose};
    if (status == 0)
        status = answer(&comparison, options, error);
    compare_inputs_dispose(&inputs);
    return status;
}

static int run(const struct options *options, struct sim_error *error)
{
    return run_with(compare_inputs_load, false, options, error);
}

static int run_diff(const struct options *options, struct sim_error *error)
{
    return run_with(compare_inputs_load_runs, true, options, error);
}

const struct command command_compare = {
    .name = "compare",
    .arguments = "FILE... [vs FILE...]",
    .summary = "compare versions: what got slower, and why",
    .about = "Each FILE is a version: a trace, profile, scenario, or store with CONDITIONs.\n",
    .example = "compare old/*.otf2 vs new/*.otf2",
    .options = OPTION_BIT(OPTION_PLATFORM) | OPTION_BIT(OPTION_SET) | OPTION_BIT(OPTION_NETWORK) |
               OPTION_BIT(OPTION_PART_FROM) | OPTION_BIT(OPTION_PART_TO) | OPTION_BIT(OPTION_PART_RANKS) |
               OPTION_BIT(OPTION_FAIL_IF) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT) |
               OPTION_BIT(OPTION_JUNIT) | OPTION_BIT(OPTION_VERBOSE) | OPTION_BIT(OPTION_QUIET),
    .least = 2,
    .run = run,
};

const struct command command_store_diff = {
    .name = "store diff",
    .arguments = "FILE RUN RUN",
    .summary = "compare two stored runs",
    .about = "RUNs are the numbers that simrun store ls shows.\n",
    .example = "store diff study.db 3 7",
    .options =
        OPTION_BIT(OPTION_FAIL_IF) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_JUNIT),
    .least = 3,
    .most = 3,
    .needs = LIBRARY_SQLITE,
    .run = run_diff,
};
