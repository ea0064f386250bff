/* Fuzzing of the platform reader, without what SimGrid does with the file: the platform, a file for its costs_from, which
 * is "costs.xml", and one for its profiles, "profile.txt". */
#include "fuzzing.h"

#include "sim/machine_internal.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"platform.xml", "costs.xml", "profile.txt"};
    struct fuzz_parts parts;
    struct machine machine;
    struct sim_error error;
    fuzz_check_quiet();
    fuzz_split(&parts, data, size);
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++)
        fuzz_write(names[i], parts.items[i].data, parts.items[i].size);
    char *file = fuzz_path("platform.xml");
    if (fuzz_has_read(machine_load_props(&machine, file, &error), &error))
        machine_dispose(&machine);
    free(file);
    fuzz_check_quiet();
    return 0;
}
