/* Fuzzing of the trial of platforms, in which SimGrid loads what the platform reader has taken. Whatever becomes of
 * the child process there is an error of one line, and no file is written. Input as in fuzz_platform.c. */
#include "fuzzing.h"

#include "platform_parts.h"
#include "sim/machine_internal.h"

#include <dirent.h>
#include <stdlib.h>
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

/* What SimGrid is given is in memory: what has been checked of the file. */
static void try_document(const char *file)
{
    struct machine_props props;
    struct sim_error error;
    char document[MACHINE_MEMORY_NAME];
    fuzz_check(machine_props_read(&props, file, &error) == 0);
    machine_memory_name(document, props.document);
    fuzz_has_read(machine_trial(document, file, &error), &error);
    machine_props_dispose(&props);
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
        try_document(file);
    }
    fuzz_check(count_files() == n_files);
    fuzz_check_quiet();
    return 0;
}
