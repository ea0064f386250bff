/* The kinds of things that simrun list lists, and that a user can name, out of the tables that the program works
 * with.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_LIST_KINDS_H
#define SIMRUN_LIST_KINDS_H

#include "base/scale.h"
#include "simrun/inputs.h"

#include <stdbool.h>
#include <stddef.h>

enum list_detail {
    /* A line each, among all other kinds. */
    LIST_BRIEF,
    /* All of a kind: what several have in common is explained once. */
    LIST_KIND,
    /* One thing: all of it. */
    LIST_THING
};

struct list {
    struct found scenarios, platforms;
};

/* A thing, with a sentence and where that is from; these two may be NULL. */
struct list_row {
    const char *name, *summary, *source;
};

struct list_kind {
    /* Kinds of the same name are listed together. */
    const char *name;
    const char *title;
    /* The i-th thing; after the last its name is NULL. NULL: it is in the table. */
    struct list_row (*row)(const struct list *list, int i);
    /* Pointers to the things, NULL-terminated, and where in each the members of its row are; NO_MEMBER: it has none. */
    const void *table;
    size_t name_at, summary_at, source_at;
    /* Print the i-th, in place of its row; NULL: the row is all there is. */
    void (*print)(const struct list *list, int i, enum list_detail detail);
    /* Prints what is said below all of them; NULL: nothing. */
    void (*end)(enum list_detail detail);
    /* True if a thing has another name, or a part of that name; NULL: none has. */
    bool (*has)(int i, const char *name);
};

/* In the order of the list; the name of the last is NULL. */
extern const struct list_kind list_kinds[];

/* "seconds", "a share of 1". */
const char *list_unit(enum unit unit);

struct list_row list_row_of(const struct list *list, const struct list_kind *kind, int i);
void list_print(const struct list *list, const struct list_kind *kind, int i, enum list_detail detail);

#endif
