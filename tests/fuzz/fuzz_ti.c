/* Fuzzing of the TI reader, and of the replay that makes a program of what it gives: the list, then the files of ranks
 * 0, 1, ..., which the list names 0.ti, 1.ti, ... Each step of the program is asked for twice, and is the same both
 * times.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"
#include "shared/program.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz_parts parts;
    int n_before = parts.count;
    fuzz_check_quiet();
    fuzz_split(&parts, data, size);
    fuzz_write("list.ti", parts.items[0].data, parts.items[0].size);
    for (int i = 1; i < parts.count || i < n_before; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.ti", i - 1);
        fuzz_write(name, parts.items[i].data, parts.items[i].size);
    }
    char *file = fuzz_path("list.ti");
    fuzz_check_replay(file);
    free(file);
    fuzz_check_quiet();
    return 0;
}
