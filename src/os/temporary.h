/* Temporary files.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_TEMPORARY_H
#define OS_TEMPORARY_H

/* A file without a name, open for reading and writing, so that nothing is left of it however the process ends; in the
 * folder, or for NULL in $TMPDIR or else /tmp. -1 and errno on failure. The caller closes it. */
int temporary_open(const char *folder);

#endif
