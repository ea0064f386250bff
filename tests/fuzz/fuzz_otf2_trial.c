/* Fuzzing of the trial of OTF2 archives, with any anchor and definitions: whatever becomes of the child process, which
 * the library may crash, the reader has an error of one line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "shared/archive.h"
#include "trace/otf2/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sim_error error;
    fuzz_let_children_crash();
    fuzz_check_quiet();
    fuzz_has_read(otf_input_try(archive_write(data, size), &error), &error);
    fuzz_check_quiet();
    return 0;
}
