/* Outputs of several files that belong together, which are either whole or not there.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_OUTPUT_FOLDER_H
#define OS_OUTPUT_FOLDER_H

#include "base/error.h"

/* An output of several files beside each other, of which one, FILE, makes the others mean anything. All are written
 * into a folder simrun.partial-... beside it, and moved out of it when they are on disk, FILE last. It may hold a
 * folder of its own. */
struct output_folder {
    char *file;                    /* FILE */
    char *stem;                    /* FILE without folder and extension: the name that all files begin with */
    char *partial;                 /* the folder to write into */
    const char *const *extensions; /* of the files, NULL-terminated, FILE's first; "" is a folder */
    const char *const *begins;     /* of each: what it, or all in the folder, begins with; '?' is any character */
};

/* Open the output. SIM_BAD_INPUT if it cannot be written, if there is a FILE that is not regular, or whose name is
 * nothing but its extension, or if there is a part that belongs to no FILE: one without its FILE, one that does not
 * begin as such files do, or in the folder a name that is not a number with an extension. */
int output_folder_open(struct output_folder *output, const char *file, const char *const *extensions,
                       const char *const *begins, struct sim_error *error);
/* Make it whole, replacing what a former FILE had. The writer makes sure that its writes have succeeded. */
int output_folder_close(struct output_folder *output, struct sim_error *error);
/* Leave nothing. */
void output_folder_abandon(struct output_folder *output);

#endif
