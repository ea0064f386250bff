/* Fuzzing of the GOAL reader, in both forms, and of the replay that makes a program of what it gives.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"
#include "shared/program.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_check_quiet();
    fuzz_write("x.goal", data, size);
    char *file = fuzz_path("x.goal");
    fuzz_check_replay(file);
    free(file);
    fuzz_check_quiet();
    return 0;
}
