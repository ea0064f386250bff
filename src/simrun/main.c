/* simrun: scenario or trace in, explained result out. Finds the command, and ends with its status.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/program.h"

#include <stddef.h>

int main(int argc, char **argv)
{
    struct sim_error error = {0};
    program_begin();
    int failed = program_run(argc > 0 ? argc - 1 : 0, argv + 1, NULL, &error);
    return program_end(failed, &error);
}
