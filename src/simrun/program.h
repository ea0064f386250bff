/* A call of simrun from its words to its status, for programs that are called like it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_PROGRAM_H
#define SIMRUN_PROGRAM_H

#include "base/error.h"
#include "simrun/command.h"

/* Before anything else. */
void program_begin(void);

/* Change what the options say, or refuse them; help and version are among them. */
typedef int program_adjust(struct options *options, const struct command *command, struct sim_error *error);

/* The version on a line with the program's name, then a line for each library. */
void program_write_version(const char *program);

/* Run the command that the words name; `adjust` may be NULL. */
int program_run(int n_words, char **words, program_adjust *adjust, struct sim_error *error);

/* Debug output of these categories too, each line at once on standard error; `where` they are named: in an option. */
int program_debug(const char *where, const char *categories, struct sim_error *error);

/* Say what is wrong; the program's status. `failed` is what program_run() gave. */
int program_end(int failed, const struct sim_error *error);

#endif
