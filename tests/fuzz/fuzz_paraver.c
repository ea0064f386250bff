/* Fuzzing of the reader of Paraver traces, and of the replay that makes a program of what it gives: the .prv, then the
 * .pcf.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"
#include "shared/program.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz_parts parts;
    fuzz_check_quiet();
    fuzz_split(&parts, data, size);
    fuzz_write("x.prv", parts.items[0].data, parts.items[0].size);
    fuzz_write("x.pcf", parts.count > 1 ? parts.items[1].data : NULL, parts.count > 1 ? parts.items[1].size : 0);
    char *file = fuzz_path("x.prv");
    fuzz_check_replay(file);
    free(file);
    fuzz_check_quiet();
    return 0;
}
