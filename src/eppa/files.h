/* The files of a spool and of an archive as a whole. */
#ifndef EPPA_FILES_H
#define EPPA_FILES_H

#include <stdbool.h>

/* Does the directory hold any rank's events? */
bool spool_has_events(const char *directory);
/* Remove what is there of an unfinished archive. */
void archive_discard(const char *directory);
/* Remove all files of a spool but its lock, and with them what is there of an unfinished archive. */
void spool_empty(const char *directory);
/* Nobody is to recover it by himself: remove the lock. */
void spool_keep(const char *directory);
/* Remove a spool that is no longer needed. */
void spool_remove(const char *directory);

/* Nothing is removed or renamed that this library has not written. These say whether there is room for a spool, and for
 * an archive BASE.otf2, BASE.def, BASE/: nothing is there, or an earlier one of this library. 0, or -1 with what is in
 * the way in `message`. */
int spool_check_place(const char *directory, char *message, int n_message);
int archive_check_place(const char *base, char *message, int n_message);

/* Move the archive DIRECTORY/archive/trace to BASE.otf2, BASE.def and BASE/, replacing an earlier one. The anchor file
 * goes first and comes last: as long as it is there, the archive is whole. 0, or -1 with the reason in `message`, and
 * all is as it was. */
int archive_publish(const char *directory, const char *base, char *message, int n_message);

#endif
