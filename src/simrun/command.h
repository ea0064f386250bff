/* The commands of simrun: the main command, which has no name, and those that are named first on the command line.
 *
 * A command is a `const struct command command_<name>` at the end of its own file, and a line in commands.c. It has its
 * options, out of the table in options.c, to itself: none of them forbids another.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_COMMAND_H
#define SIMRUN_COMMAND_H

#include "base/error.h"
#include "os/libraries.h"
#include "simrun/options.h"

#include <stdint.h>
#include <stdio.h>

struct command {
    /* "" of the main command; of two words where commands share the first: "store ls". */
    const char *name;
    /* Arguments behind the name and the options in the line of usage: "FILE...". */
    const char *arguments;
    /* A line of simrun --help: what it does. */
    const char *summary;
    /* More lines for its own help, each of at most 80 columns with a line end; "" if there is nothing to add. */
    const char *about;
    /* A call that works, for who gives too little, without "simrun". */
    const char *example;
    /* As bits of enum option_id; --help and --version go with every command. */
    uint64_t options;
    /* The first argument is a program, and what follows it is that program's, options as well. */
    bool takes_program;
    /* How many arguments it takes; most 0: any number. */
    int least, most;
    /* The library that it cannot do without: a build without that refuses the command. */
    enum library needs;
    /* -1 with an error, whose status is that of the program. Its message is "" if all has been said. */
    int (*run)(const struct options *options, struct sim_error *error);
};

/* All of them, NULL-terminated; the first is the main command. */
extern const struct command *const commands[];

/* The command that the words after the program's name begin with, and the number of words that name it; the main
 * command if they name none. NULL with an error if the first word needs a second one, or the command what this build
 * lacks. */
const struct command *command_find(int *n_words, int argc, char **argv, struct sim_error *error);
/* Likewise for its help, for which the first word of several commands is enough. */
const struct command *command_find_help(int *n_words, int argc, char **argv, struct sim_error *error);

/* The i-th command's first word; NULL after the last one. The table is not looked at. */
const char *command_word_at(const void *table, int i);

/* Write the help of a command; that of the main command also names the others. */
void command_help(FILE *stream, const struct command *command);

#endif
