/* --list: what there is to choose from, out of the tables that the program itself works with. */
#ifndef SIMRUN_LIST_H
#define SIMRUN_LIST_H

#include "base/error.h"

/* Print the kinds named, or all of them if there are none. An unknown kind is an error that lists the known. */
int list_print(char **kinds, int n_kinds, struct sim_error *error);

#endif
