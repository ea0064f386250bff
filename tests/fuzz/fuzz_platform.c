/* Fuzzing of the platform reader, without what SimGrid does with the file: see fuzz_simgrid.c for that. */
#include "fuzzing.h"

#include "platform_parts.h"
#include "sim/platform/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine machine;
    struct sim_error error;
    fuzz_check_quiet();
    if (fuzz_has_read(machine_load_props(&machine, platform_write(data, size), &error), &error))
        machine_dispose(&machine);
    fuzz_check_quiet();
    return 0;
}
