/* simrun lab: the laboratory, which the build has made, as a file. */
#include "os/data.h"
#include "os/output.h"
#include "simrun/command.h"

#include <errno.h>
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

static int write_copy(const struct options *options, FILE *from, const char *name, struct sim_error *error)
{
    struct output output;
    if (output_open(&output, options->output, error) != 0)
        return -1;
    copy(output.stream, from);
    if (!ferror(from))
        return output_close(&output, error);
    output_abandon(&output);
    return sim_error_set(error, SIM_UNFINISHED, name, 0, "cannot be read: %s", strerror(errno));
}

static int run(const struct options *options, struct sim_error *error)
{
    if (options->n_files > 0)
        return sim_error_set(error, SIM_BAD_INPUT, options->files[0], 0,
                             "lab takes no file; it writes one: -o lab.html");
    char *name = data_lab();
    FILE *from = NULL;
    int status;
    if (options->output == NULL && isatty(STDOUT_FILENO))
        status = sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "lab: is a file for a browser: simrun lab -o lab.html");
    else if ((from = fopen(name, "rb")) == NULL)
        status = sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                               "lab: the laboratory has not been built: cmake --build build/release --target lab (it "
                               "takes npm and clang)");
    else
        status = write_copy(options, from, name, error);
    if (from != NULL)
        fclose(from);
    free(name);
    return status;
}

const struct command command_lab = {
    .name = "lab",
    .arguments = "",
    .summary = "write the laboratory, a page that simulates in a browser",
    .about = "One file that needs no net, with experiments and labs for courses.\n",
    .example = "lab -o lab.html",
    .options = OPTION_BIT(OPTION_OUTPUT),
    .run = run,
};
