/* The file of a profile: whole or not there.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_PROFILE_DESTINATION_H
#define EPPA_PROFILE_DESTINATION_H

#include <stdio.h>

struct destination {
    FILE *stream;
    int folder, file;
    char name[256];   /* of the file in the folder */
    const char *path; /* borrowed */
};

/* Can a profile be written there: nothing is there, or an earlier one of this library, and the folder can be written
 * to? 0, or -1 with the reason in `message`. */
int destination_check(const char *path, char *message, int n_message);
/* Begin to write it, into a file that has no name. 0, or -1 with the reason in `message`. */
int destination_open(struct destination *destination, const char *path, char *message, int n_message);
/* Give it its name, if all of it could be written. 0, or -1 with the reason in `message`, and all is as it was. */
int destination_close(struct destination *destination, char *message, int n_message);

/* Every profile has this, JSON near its beginning and text near its end: what it is of is replaced by a new one. */
#define PROFILE_MARK "profile by libeppa " SIMRUN_VERSION

#endif
