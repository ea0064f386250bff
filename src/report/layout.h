/* A text table: columns under their heads, as wide as their widest cell. Columns without information can be left out,
 * and those for which a line of 120 columns has no room.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include <stdbool.h>
#include <stdio.h>

enum layout_flag {
    LAYOUT_KEY = 1,     /* it says what a row is; keys come first, and are never left out */
    LAYOUT_LEFT = 2,    /* its cells begin below each other; others end so */
    LAYOUT_BEGINS = 4,  /* a group of columns begins here; its head may be "group: column" */
    LAYOUT_FOLLOWS = 8, /* it belongs to the column before it: both are left out, or none */
    LAYOUT_BESIDE = 16, /* the first to go where there is no room */
};

struct layout;

/* Heads are given one by one, then row by row: whether it is shown, and its cells. `unit` is that of numbers whose
 * heads do not say theirs. */
struct layout *layout_new(const char *unit);
void layout_head(struct layout *layout, unsigned flags, const char *format, ...) __attribute__((format(printf, 3, 4)));
void layout_row(struct layout *layout, bool is_shown);
void layout_cell(struct layout *layout, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Leave out the columns that are empty, the same in all rows that are shown, or as one before them. Returns in words
 * what the same is in all rows there are, and, if all is to be said, zeros and repetitions, too; NULL: nothing. To be
 * freed. */
char *layout_simplify(struct layout *layout, bool says_all);
/* Leave out columns until a line has room for the others. Returns their heads; NULL: it had. To be freed. */
char *layout_narrow(struct layout *layout);

/* True if there is anything beside the keys. */
bool layout_has_values(const struct layout *layout);
/* Write it, if it has values, indented by two blanks, and free it. A table that is still too wide becomes several,
 * below each other. */
void layout_print(struct layout *layout, FILE *stream);

#endif
