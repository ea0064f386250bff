/* Files on the command line: what they are, and that none that is read would be overwritten.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_INPUTS_H
#define SIMRUN_INPUTS_H

#include "base/error.h"
#include "simrun/options.h"

/* Check that a file, which is not a trace that can be read, may be a scenario: not if it is a trace of another format,
 * or part of an archive, or there is a trace of that name and a known extension. The message says what to give. */
int inputs_check_scenario(const char *file, struct sim_error *error);

/* The file that a word on the command line means as a scenario: itself, or what it names among the scenarios that are
 * known; to be freed. NULL with an error if it can be neither. */
char *inputs_find_scenario(const char *name, struct sim_error *error);

struct found {
    /* Sorted; without folders and ".xml". If two have the same name, the first folder's. */
    char **names, **files;
    int count;
};
/* All that named_find() would find. */
void find_all(struct found *found, const char *kind);
/* SIM_BAD_INPUT: simrun's own folder is not there, so that no scenario or platform can be found by its name. */
int inputs_check_data(struct sim_error *error);
void found_dispose(struct found *found);

/* For known_find_meant(): the i-th name of a struct found. */
const char *found_name_at(const void *table, int i);

/* Reserve all files that the options name to write (os/reserved_outputs.h), before anything is read. */
int inputs_reserve_outputs(const struct options *options, struct sim_error *error);
/* The same for a store, which messages call `option`; also where it is read, since SQLite writes beside it. */
int inputs_reserve_store(const char *option, const char *file, struct sim_error *error);

#endif
