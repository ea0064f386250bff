/* Names, arguments and places of all options, for the code that reads options and the code that explains them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_OPTION_ROWS_H
#define SIMRUN_OPTION_ROWS_H

#include "os/libraries.h"
#include "simrun/options.h"

enum option_kind {
    /* It takes no argument. */
    FLAG,
    /* Kept as it is. */
    TEXT,
    /* The name of a file to write. */
    A_FILE,
    /* The same; "-" is standard output. */
    RESULT,
    /* Given to a function. */
    TAKEN
};

/* Groups of a help, in their order. */
enum option_group { RUNS, QUESTIONS, OUTPUT, N_OPTION_GROUPS };
extern const char *const option_group_names[N_OPTION_GROUPS];

enum {
    MAY_LACK_ARGUMENT = 1,
    /* It goes with one file only. */
    ALONE = 2
};

struct option_row {
    const char *name;
    /* 0: none. */
    char letter;
    /* NULL: none. */
    const char *argument;
    int flags;
    enum option_group group;
    enum option_kind kind;
    /* The member of struct options; of TAKEN the function is in its place. */
    size_t offset;
    int (*take)(struct options *options, const char *text, struct sim_error *error);
    /* The library that it cannot do without: a build without that refuses the option. */
    enum library needs;
    /* At most 49 columns. */
    const char *help;
};
extern const struct option_row option_rows[N_OPTIONS];

/* Put the argument, NULL if there is none, in its place. */
int option_take(struct options *options, enum option_id id, const char *text, struct sim_error *error);

/* Bad usage; -1. */
#define option_fail(error, ...) sim_error_set(error, SIM_BAD_INPUT, NULL, 0, __VA_ARGS__)

#endif
