/* Finds scenarios and platforms by their names.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_NAMED_H
#define OS_NAMED_H

/* The folders in which files of a kind ("scenarios", "platforms") are looked for, the first first: ./KIND, and simrun's
 * own; to be freed. */
enum { NAMED_PLACES = 2 };
char *named_place(int i, const char *kind);

/* The file of that name, or of that name and ".xml", in one of these; to be freed. NULL if there is none, or the name
 * has a folder in it. */
char *named_find(const char *kind, const char *name);

#endif
