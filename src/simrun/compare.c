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

static int run(const struct options *options, struct sim_error *error)
{
    struct compare_inputs inputs;
    if (compare_gate_parse(options, error) != 0)
        return -1;
    int status = compare_inputs_load(&inputs, options, error);
    struct comparison comparison = {.simrun = SIMRUN_VERSION,
                                    .versions = inputs.versions,
                                    .n_versions = inputs.n_versions,
                                    .verbose = options->verbose};
    if (status == 0)
        status = answer_output(options, make_document, &comparison, error);
    if (status == 0)
        status = compare_gate_check(&comparison, options, error);
    compare_inputs_dispose(&inputs);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .arguments = "FILE... [vs FILE...]",
    .summary = "compare versions: what got slower, and why",
    .about = "FILE is a trace, a profile by libeppa, a scenario, or a store with CONDITIONs. Each\n"
             "is a version; with several runs of each, 'vs' stands between versions.\n",
    .example = "compare old.otf2 new.otf2",
    .options = OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_VERBOSE) |
               OPTION_BIT(OPTION_QUIET) | OPTION_BIT(OPTION_FAIL_IF) | OPTION_BIT(OPTION_JUNIT),
    .least = 2,
    .run = run,
};
