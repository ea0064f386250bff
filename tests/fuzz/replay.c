/* Hands each of the files that it is given to a fuzz target, as libFuzzer would: for builds without it. What fails
 * ends the process; the last file that is named on what was standard error is then the input.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "base/memory.h"

#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Some targets have it. */
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static uint8_t *read_file(size_t *size, const char *name)
{
    FILE *stream = fopen(name, "rb");
    fuzz_check(stream != NULL && fseek(stream, 0, SEEK_END) == 0);
    *size = (size_t)ftell(stream);
    rewind(stream);
    uint8_t *data = xmalloc(*size);
    fuzz_check(fread(data, 1, *size, stream) == *size);
    fclose(stream);
    return data;
}

int main(int argc, char **argv)
{
    int says = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* targets watch the other one */
    __sanitizer_set_report_fd((void *)(intptr_t)says);
    if (LLVMFuzzerInitialize != NULL)
        LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        size_t size;
        dprintf(says, "%s\n", argv[i]);
        uint8_t *data = read_file(&size, argv[i]);
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
    return 0;
}
