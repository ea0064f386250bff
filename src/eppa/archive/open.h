/* Files where a spool or an archive is, or is to be. Others may have put something there: no symbolic link is followed,
 * a name is of a regular file or a directory as it should be, and nothing is waited for. `folder` is an open
 * directory.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_OPEN_H
#define EPPA_ARCHIVE_OPEN_H

/* A directory, by its name in another or, with AT_FDCWD, by its path, whose last part only may be no link. -1 with
 * errno: ENOTDIR for anything but a directory. */
int open_folder(int parent, const char *name);

/* A regular file, with the flags of open(). -1 with errno: EINVAL for anything but a regular file. */
int open_regular(int folder, const char *name, int flags);
/* The same of RANK.EXTENSION. */
int open_of_rank(int folder, int rank, const char *extension, int flags);

#endif
