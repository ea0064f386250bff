/* Fuzzing of loading platforms whole, for which SimGrid is asked in a child process, after a trial in another one. The
 * trial may end as it likes, the child of which it is made may not; there is an error of one line, and no file is
 * written. Input as in fuzz_platform.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "platform_parts.h"
#include "sim/platform/internal.h"
#include "sim/platform/platform.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count_files(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    fuzz_check(folder != NULL);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static void enter_folder(void)
{
    char *folder = fuzz_path("");
    fuzz_check(chdir(folder) == 0);
    free(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine machine;
    struct sim_error error;
    fuzz_let_children_crash();
    fuzz_check_quiet();
    enter_folder();
    const char *file = platform_write(data, size);
    int n_files = count_files();
    if (fuzz_has_read(machine_load_props(&machine, file, &error), &error)) {
        machine_dispose(&machine);
        if (fuzz_has_read(machine_load_base(&machine, file, &error), &error))
            machine_dispose(&machine);
        else
            fuzz_check(error.status != SIM_UNFINISHED ||
                       strstr(error.message, "the process that loads it was") == NULL);
    }
    fuzz_check(count_files() == n_files);
    fuzz_check_quiet();
    return 0;
}
