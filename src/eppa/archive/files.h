/* The files of a spool and of an archive as a whole.
 *
 * Nothing is removed, replaced or renamed that this library has not written, and no symbolic link is followed.
 * `folder` is the spool, an open directory (open.h); its path is for messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_FILES_H
#define EPPA_ARCHIVE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Does the spool hold any rank's events? */
bool spool_has_events(int folder);
/* The number of a rank that NAME.defs is of; -1: it is of none. */
int spool_rank_of(const char *name);
/* Remove what is there of an unfinished archive. */
void archive_discard(int folder);
/* Remove all files of a spool but its lock, and with them what is there of an unfinished archive. */
void spool_empty(int folder);
/* Remove the lock, so that eppa-recover leaves the spool alone. */
void spool_keep(int folder);
/* Remove a spool that is no longer needed. */
void spool_remove(int folder, const char *directory);

/* The kind that an entry of a directory of ours may be: S_IFREG, S_IFDIR, or 0: it is no name of ours. */
typedef mode_t (*kind_of_entry)(const char *name);
mode_t kind_in_events(const char *name); /* of the directory of an archive */
/* Look through a directory named `name` in `folder`; all is well if there is none. -1 with what is in the way in
 * `message`: anything that has no name of ours, or is something else than its name says. */
int files_check(int folder, const char *name, kind_of_entry kind_of, const char *shown, char *message, int n_message);
/* Remove our files of a directory, and itself if nothing else is in it. */
void files_remove(int folder, const char *name, kind_of_entry kind_of);

/* Is there room for a spool: nothing is there, or an earlier one of this library, with what it left of an archive? 0,
 * or -1 with what is in the way in `message`. */
int spool_check_destination(const char *directory, char *message, int n_message);

/* Likewise for an archive BASE.otf2, BASE.def, BASE/. */
int archive_check_destination(const char *base, char *message, int n_message);

/* Move the archive archive/trace in the spool to BASE.otf2, BASE.def and BASE/, replacing an earlier one. The anchor
 * file goes first and comes last: as long as it is there, the archive is whole. 0, or -1 with the reason in `message`,
 * and all is as it was. */
int archive_publish(int folder, const char *base, char *message, int n_message);

#endif
