/* The data of a text table, for the files that make it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_LAYOUT_INTERNAL_H
#define REPORT_LAYOUT_INTERNAL_H

#include "report/layout.h"

#include <stddef.h>

/* A cell of the last column, such as a remark, may be as wide as a line; others have at most LAYOUT_CELL_MOST bytes. */
enum { LAYOUT_CELL_SIZE = 128, LAYOUT_CELL_MOST = 63, LAYOUT_WIDEST = 120 };

struct layout_column {
    unsigned flags; /* enum layout_flag */
    bool is_left_out;
    char head[LAYOUT_CELL_MOST + 1];
    char below[LAYOUT_CELL_MOST + 1]; /* the second line of the head; "": none */
};

struct layout {
    const char *unit;
    struct layout_column *columns;
    size_t n_columns, columns_capacity;
    char (*cells)[LAYOUT_CELL_SIZE]; /* row by row */
    size_t n_cells, cells_capacity;
    bool *is_shown; /* of each row */
    size_t n_rows, rows_capacity;
};

const char *layout_at(const struct layout *layout, size_t row, size_t column);
/* With the two blanks before it; of one that is left out 0. */
int layout_width(const struct layout *layout, size_t column);
int layout_width_of_line(const struct layout *layout);
/* Give heads that are wider than what is below them a second line. */
void layout_split_heads(struct layout *layout);

#endif
