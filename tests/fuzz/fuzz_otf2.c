/* Fuzzing of the OTF2 reader and of all that is made of a trace, in one process: what is read gives a report. The
 * trial, which is a process of its own, is left to fuzz_otf2_trial.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "in_process.h"
#include "simrun/analyse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sim_error error;
    fuzz_check_quiet();
    struct options options = options_default();
    options.format = report_specs[size % 3];
    options.output = "/dev/null";
    fuzz_has_read(analyse_file(in_process_write(data, size), &options, &error), &error);
    fuzz_check_quiet();
    return 0;
}
