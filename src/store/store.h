/* The experiment store: an SQLite file with a row a run, of all sweeps that were made with it.
 *
 * A run is known by its origin (the text of its scenario, the content of its platform, what else it is made of, and the
 * version of the program) and its parameters. A run is in the file when store_add() returns, and a process that is
 * killed at any moment leaves the file whole. One process writes at a time to it; others may read meanwhile.
 *
 * docs/ref/store.md describes the tables. The file may be hostile: what does not fit is an error.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/error.h"
#include "study/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

enum store_mode {
    STORE_WRITE, /* a file that is not there is made */
    STORE_READ,
};

/* Suffixes of the names of files that are beside a store while it is used; NULL-terminated. */
extern const char *const store_file_suffixes[];

/* SIM_BAD_INPUT: no store, that of another version, damaged, not to be written; SIM_UNFINISHED: locked, full disk. */
int store_open(struct store **store, const char *file, enum store_mode mode, struct sim_error *error);
/* Runs that were read from it are not to be used any more. NULL is fine. */
void store_close(struct store *store);

/* --- adding --- */

/* All that decides, with the parameters, how a run comes out. */
struct store_origin {
    const char *kind;                          /* "simulated" or "traced" */
    const char *scenario;                      /* its name */
    const char *scenario_text, *platform_text; /* contents of the files; a trace has none, of length 0 */
    size_t scenario_size, platform_size;
    const char *platform; /* its name */
    const char *input;    /* what else goes in, such as a trace, in words; "" if nothing does */
    const char *program;  /* its version and the hash of its sources */
};

/* The number of an origin, a new one if it has not been there. */
int store_find_origin(int64_t *id, struct store *store, const struct store_origin *origin, struct sim_error *error);

/* Take the run with the parameters of *run from the store, if it is there: all of *run but its parameters. Texts of it
 * are the store's; the caller disposes of run->result. */
int store_find_run(bool *found, struct store *store, int64_t origin, struct study_run *run, struct sim_error *error);

/* Add a run, without what only its sweep knows (places, reference) and what it has cost. It gets the number, above 0,
 * if that is free, and else the next one behind all. One that is there stays: *added is false. `added` may be NULL. The
 * compiler and architecture of the program are kept with it, and decide nothing; "": not known. */
int store_add(bool *added, struct store *store, int64_t origin, int64_t number, const char *compiler,
              const struct study_run *run, struct sim_error *error);

/* The outcome of a merge. */
struct store_merged {
    int n_runs;
    char *compilers; /* of their programs, where there are several: "gcc 12.2.0, x86_64 and clang ..."; to be freed */
};

/* Make a new store of the runs of others, which are of the same scenario and program. It has the runs in the order of
 * their numbers, so that those of all shards become, to the last byte, what one process stores that simulates one run
 * after the other. A run that two have, with different results, is SIM_BAD_INPUT. The file is whole or not there. */
int store_merge(struct store_merged *merged, const char *file, char *const *files, int n_files,
                struct sim_error *error);

/* --- asking --- */

/* A stored run. Its texts are the store's. */
struct store_run {
    int64_t id, origin;
    const char *kind, *scenario, *program, *input, *compiler;
    const char *scenario_hash, *platform_hash; /* of the files' contents */
    struct study_run run;                      /* with its parameters, to be freed; the caller disposes of run.result */
};

/* No such run is SIM_BAD_INPUT. */
int store_load(struct store_run *run, struct store *store, int64_t id, struct sim_error *error);

/* The last program that has runs of the same origin but for the program, a text of the store; NULL: there is none. */
int store_find_other_program(const char **program, struct store *store, int64_t origin, struct sim_error *error);
/* "1.0.0 sources 0123456789ab": a program with the first digits of its hash, which tell it from others; to be freed. */
char *store_format_program(const char *program);

/* The contents of a stored run's files; both to be freed. */
int store_load_files(char **scenario, char **platform, struct store *store, int64_t id, struct sim_error *error);

/* The numbers of the stored runs that fulfill all conditions, such as "ranks=64", "broadcast!=flat" and "time_s<10ms",
 * rising; to be freed. A name that no run has is an error, and so is a value that no run can have. */
int conditions_select(int64_t **ids, int *n_ids, struct store *store, char *const *texts, int n_texts,
                      struct sim_error *error);

#endif
