/* Output files that are either whole or not there.
 *
 * A regular file has no name until all of it is on disk, so that nothing is left of it however the process ends. Where
 * the file system has no such files it is written under a name simrun.partial-... beside it, and that is removed on an
 * error, and when the program is ended by a signal that it can see or by want of memory. What is no regular file (a
 * terminal, a pipe) is written directly. A link stays, and what it leads to is replaced. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *stream;
    char *file;    /* NULL: standard output */
    char *partial; /* NULL: written directly; else the name that it has before its own, in the same folder */
    bool unnamed;  /* it has no name until it is closed */
};

/* file NULL is standard output. A file that cannot be written, or is a store, is SIM_BAD_INPUT. */
int output_open(struct output *output, const char *file, struct sim_error *error);
/* Make it whole. A write that failed (a full disk) is SIM_UNFINISHED. */
int output_close(struct output *output, struct sim_error *error);
/* The name without links and ".." of what a file is written to, which need not be there; to be freed. */
char *output_target(const char *file);
/* Leave nothing. */
void output_abandon(struct output *output);
/* In a signal handler: leave nothing of any, and end as the signal does by itself. */
void output_end_by_signal(int signal_number);

/* An output of several files beside each other, of which one, FILE, makes the others mean anything. All are written
 * into a folder simrun.partial-... beside it, and moved out of it when they are on disk, FILE last. It may hold a
 * folder of its own. */
struct output_folder {
    char *file;                 /* FILE */
    char *stem;                 /* FILE without folder and ending: the name that all files begin with */
    char *partial;              /* the folder to write into */
    const char *const *endings; /* of the files, NULL-terminated, FILE's first; "" is a folder */
    const char *const *begins;  /* of each: what it, or all in the folder, begins with; '?' is any character */
};

/* What cannot be written is SIM_BAD_INPUT, and so is a FILE that is there and not regular, or whose name is nothing but
 * its ending, or a part that is there and belongs to no FILE: one without its FILE, one that does not begin as
 * such files do, or in the folder a name that is not a number with an ending. */
int output_folder_open(struct output_folder *output, const char *file, const char *const *endings,
                       const char *const *begins, struct sim_error *error);
/* Make it whole, replacing what a former FILE had. Whoever has written sees to it that the writes have succeeded. */
int output_folder_close(struct output_folder *output, struct sim_error *error);
/* Leave nothing. */
void output_folder_abandon(struct output_folder *output);

#endif
