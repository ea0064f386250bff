/* simrun lab: the laboratory, which the build has made, as a file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/data.h"
#include "os/output.h"
#include "simrun/command.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void copy(FILE *to, FILE *from)
{
    char bytes[1 << 16];
    size_t length;
    while ((length = fread(bytes, 1, sizeof bytes, from)) > 0 && fwrite(bytes, 1, length, to) == length)
        ;
}

/* Write these files one after the other. */
static int write_files(const struct options *options, char *const *names, int n_names, struct sim_error *error)
{
    struct output output;
    if (output_open(&output, options->output, error) != 0)
        return -1;
    for (int i = 0; i < n_names; i++) {
        FILE *from = fopen(names[i], "rb");
        if (from != NULL)
            copy(output.stream, from);
        bool is_read = from != NULL && !ferror(from);
        if (from != NULL)
            fclose(from);
        if (is_read)
            continue;
        output_abandon(&output);
        return sim_error_set(error, SIM_UNFINISHED, names[i], 0, "cannot be read: %s", strerror(errno));
    }
    return output_close(&output, error);
}

static int run(const struct options *options, struct sim_error *error)
{
    if (options->n_files > 0)
        return sim_error_set(error, SIM_BAD_INPUT, options->files[0], 0,
                             "lab reads no file; it writes one with -o lab.html");
    if (options->output == NULL && isatty(STDOUT_FILENO))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "lab: is a file for a browser: simrun lab -o lab.html");
    char *names[] = {data_lab(), data_solutions()};
    int status;
    if (access(names[0], R_OK) != 0)
        status =
            sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s",
                          data_is_build() ? "lab: the laboratory has not been built: cmake --build build/release "
                                            "--target lab (needs npm and clang)"
                                          : "lab: this simrun was installed without its laboratory (SIMRUN_PAGES=OFF)");
    else
        status = write_files(options, names, options->solutions ? 2 : 1, error);
    free(names[0]);
    free(names[1]);
    return status;
}

const struct command command_lab = {
    .name = "lab",
    .arguments = "",
    .summary = "write the laboratory, a page that simulates",
    .about = "The page is one file that works offline, with experiments and labs for courses.\n",
    .example = "lab -o lab.html",
    .options = OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_SOLUTIONS),
    .run = run,
};
