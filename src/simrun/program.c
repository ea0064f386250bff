/* The code that simrun and simrun-mpi have in common: a command is found, and its status is that of the program.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/program.h"

#include "base/debug.h"
#include "base/memory.h"
#include "base/message.h"
#include "experiment/identity.h"
#include "os/data.h"
#include "os/libraries.h"
#include "simrun/inputs.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file opened later must not take the place of a standard stream that the caller has closed. */
void program_begin(void)
{
    int descriptor;
    setlocale(LC_ALL, "C"); /* numbers have a point, whatever a preloaded library has set */
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

/* Print what an installation lacks; in a build it can still be made. */
static void write_pages(void)
{
    char *page = data_page(), *lab = data_lab();
    if (!data_is_build() && (access(page, R_OK) != 0 || access(lab, R_OK) != 0))
        puts("without --format html and simrun lab (-DSIMRUN_PAGES=OFF)");
    free(page);
    free(lab);
}

void program_write_version(const char *program)
{
    printf("%s %s\n", program, SIMRUN_VERSION);
    printf("%s, compiled by %s\n", strstr(identity_program, "sources"), identity_compiler);
    libraries_write(stdout);
    write_pages();
}

int program_debug(const char *where, const char *categories, struct sim_error *error)
{
    uint32_t asked;
    char why[240];
    if (debug_parse(&asked, categories, why, sizeof why) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s: %s", where, why);
    debug_open(debug_categories | asked, message_print_line);
    return 0;
}

/* SIMRUN_DEBUG is for all commands, and for programs that call simrun. */
static int debug_by_environment(struct sim_error *error)
{
    const char *categories = getenv("SIMRUN_DEBUG");
    return categories == NULL || *categories == '\0' ? 0 : program_debug("SIMRUN_DEBUG", categories, error);
}

static int run(const struct command *command, const struct options *options, struct sim_error *error)
{
    if (options->help)
        command_help(stdout, command);
    else if (options->version)
        program_write_version("simrun");
    else
        return inputs_reserve_outputs(options, error) == 0 ? command->run(options, error) : -1;
    return 0;
}

/* Without any word, tell the user where to begin. */
static int greet(struct sim_error *error)
{
    static const char *const tries[][2] = {
        {"simrun gj256", "how many processors are worth using: a machine of 1990"},
        {"simrun --what-if --set ranks=64 gj256", "what limits it, and what each remedy would gain"},
        {"simrun list", "all scenarios, machines, programs, networks"},
    };
    fprintf(stderr,
            "simrun %s simulates parallel programs on parallel machines, and explains where their time goes.\n\n"
            "Three things to try:\n",
            SIMRUN_VERSION);
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        fprintf(stderr, "  %-40s %s\n", tries[i][0], tries[i][1]);
    fputs("\nYour own MPI program: simrun trace -n 4 ./app. All options: simrun --help. The manual: man simrun.\n",
          stderr);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s", "");
}

/* simrun help [COMMAND], as others have it: the same as simrun [COMMAND] --help. */
static int help(int n_words, char **words, struct sim_error *error)
{
    int n_named;
    const struct command *command = command_find_help(&n_named, n_words, words, error);
    if (command == NULL)
        return -1;
    if (n_named < n_words && n_named == 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "help: '%.80s' is not a command; simrun --help shows the commands", words[0]);
    command_help(stdout, command);
    return 0;
}

int program_run(int n_words, char **words, program_adjust *adjust, struct sim_error *error)
{
    struct options options = options_default();
    int n_named;
    memory_map_large_blocks();
    if (n_words == 0)
        return greet(error);
    bool wants_help = n_words > 0 && strcmp(words[0], "help") == 0 && access(words[0], F_OK) != 0;
    if (wants_help)
        return help(n_words - 1, words + 1, error);
    const struct command *command = command_find(&n_named, n_words, words, error);
    if (command == NULL || debug_by_environment(error) != 0)
        return -1;
    int status = options_parse(&options, command, n_words - n_named, words + n_named, error);
    if (status == 0 && adjust != NULL)
        status = adjust(&options, command, error);
    if (status == 0)
        status = run(command, &options, error);
    options_dispose(&options);
    return status;
}

int program_end(int failed, const struct sim_error *error)
{
    int status = failed != 0 ? (int)error->status : SIM_DONE;
    if (failed != 0 && error->message[0] != '\0') /* otherwise it has been said */
        message_print("%s", error->message);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status == SIM_DONE) /* likewise */
        message_print("standard output could not be written");
    return status == SIM_DONE ? SIM_UNFINISHED : status;
}
