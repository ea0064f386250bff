/* The labels of a rank's operations, by which dependencies name them. As long as they are numbered one after the other,
 * as generators do it, with the same letters before each number, a row of operations is all there is of them: it takes
 * a fraction of the time of a table.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_LABELS_H
#define TRACE_GOAL_LABELS_H

#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is without any. */
struct goal_labels {
    uint32_t *row; /* the operations of those with the numbers first, first + 1, ... */
    size_t n_row, row_capacity;
    uint64_t first;
    char *stem; /* what stands before each number */
    size_t stem_length;
    /* When they have turned out not to be in a row, n_labels is not 0, and all are here: */
    struct map map; /* hashes of labels: the first of that hash */
    struct goal_label *labels;
    size_t n_labels, labels_capacity;
    char *text; /* of all, one behind the other */
    size_t length, text_capacity;
};

/* Add the label of an operation; false if there was one of that name. */
bool goal_labels_add(struct goal_labels *labels, const char *name, size_t length, uint32_t op);
/* True if there is one; *op is then its operation. */
bool goal_labels_find(const struct goal_labels *labels, const char *name, size_t length, uint32_t *op);
/* Forget all, and their memory. */
void goal_labels_dispose(struct goal_labels *labels);

#endif
