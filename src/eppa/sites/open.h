/* Files that may be looked into: a spool that anyone may have written names them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_SITES_OPEN_H
#define EPPA_SITES_OPEN_H

/* Open a regular file of this user or of root for reading; -1 if it is none. */
int sites_open(const char *path);
/* The last part of a path. */
const char *sites_file_name(const char *path);

#endif
