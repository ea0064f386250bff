/* Stub of files of src/os where there are no processes and no signals: WebAssembly. The caller drops the program's
 * files when it fails, so that an output needs no name of its own until it is whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "os/data.h"
#include "os/host_use.h"
#include "os/output.h"
#include "os/output_folder.h"
#include "os/partial.h"
#include "os/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- what the computer gives --- */

double host_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int host_processors(void)
{
    return 1;
}

int64_t host_peak_rss_bytes(void)
{
    return (int64_t)__builtin_wasm_memory_size(0) << 16;
}

/* Its own data are where it finds all files. */
char *data_folder(void)
{
    return xstrdup("/");
}

bool data_is_build(void)
{
    return false;
}

char *data_lack(void)
{
    return NULL;
}

char *data_apps(void)
{
    return xstrdup("/apps");
}

char *data_page(void)
{
    return xstrdup("/page.html");
}

char *data_lab(void)
{
    return xstrdup("/lab.html");
}

char *data_engine(void)
{
    return data_lab();
}

char *data_solutions(void)
{
    return data_lab();
}

/* --- files --- */

int temporary_open(const char *folder)
{
    static int number;
    char *name = xformat("%s/simrun.temporary-%d", folder != NULL ? folder : "/tmp", number++);
    int descriptor = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    free(name);
    return descriptor;
}

char *output_target(const char *file)
{
    return xstrdup(file);
}

int output_check_no_store(const char *file, struct sim_error *error)
{
    (void)file, (void)error;
    return 0;
}

int output_open(struct output *output, const char *file, struct sim_error *error)
{
    *output = (struct output){.stream = stdout};
    if (file == NULL)
        return 0;
    output->stream = fopen(file, "wb");
    if (output->stream == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: %s", strerror(errno));
    output->file = xstrdup(file);
    return 0;
}

int output_close(struct output *output, struct sim_error *error)
{
    bool failed = ferror(output->stream) != 0;
    failed |= (output->file != NULL ? fclose : fflush)(output->stream) != 0;
    if (failed)
        sim_error_set(error, SIM_UNFINISHED, output->file, 0, "could not be written: %s", strerror(errno));
    free(output->file);
    *output = (struct output){.stream = NULL};
    return failed ? -1 : 0;
}

void output_abandon(struct output *output)
{
    if (output->file != NULL)
        fclose(output->stream);
    free(output->file);
    *output = (struct output){.stream = NULL};
}

int output_folder_open(struct output_folder *output, const char *file, const char *const *extensions,
                       const char *const *begins, struct sim_error *error)
{
    (void)output, (void)extensions, (void)begins;
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written here: it would be several files");
}

int output_folder_close(struct output_folder *output, struct sim_error *error)
{
    (void)output, (void)error;
    return 0;
}

void output_folder_abandon(struct output_folder *output)
{
    (void)output;
}

/* --- nothing ends the program but itself --- */

void partial_remember(char *partial)
{
    (void)partial;
}

void partial_forget(const char *partial)
{
    (void)partial;
}

void partial_catch_signals(void)
{
}

void partial_end_by_signal(int signal_number)
{
    (void)signal_number;
}

int partial_reserve(void)
{
    return 0;
}

void partial_release(void)
{
}

void partial_remove_folder(int at, const char *folder)
{
    (void)at, (void)folder;
}

char *partial_beside(const char *file, const char *end)
{
    return xformat("%s%s", file, end);
}
