/* Fuzzing of runs as bytes, as jobs send them and as the store keeps parts of them. What has been read is written and
 * read again: the same.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "study/run_transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t pack(char **bytes, struct study_run *run)
{
    size_t size;
    struct transport writer = {.to = open_memstream(bytes, &size)};
    run_transport(&writer, run);
    fclose(writer.to);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct study_run run = {0}, again = {0};
    struct transport reader = {.from = data, .size = size};
    fuzz_check_quiet();
    run_transport(&reader, &run);
    if (!reader.failed) {
        char *first, *second;
        size_t n_first = pack(&first, &run);
        reader = (struct transport){.from = (const uint8_t *)first, .size = n_first};
        run_transport(&reader, &again);
        fuzz_check(!reader.failed && reader.size == 0);
        fuzz_check(pack(&second, &again) == n_first && memcmp(first, second, n_first) == 0);
        free(first);
        free(second);
        result_dispose(&again.result);
    }
    result_dispose(&run.result);
    fuzz_check_quiet();
    return 0;
}
