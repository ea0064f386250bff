/* The best candidate of each problem, arranged by the one or two parameters that make the problems.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_SECTIONS_BEST_MATRIX_H
#define STUDY_SECTIONS_BEST_MATRIX_H

#include "study/sections/sections.h"

enum { MOST_AXES = 2 };

/* A parameter that varies, with its values in rising order. */
struct axis {
    int parameter;
    const struct study_parameter **values;
    int n_values;
};

struct matrix {
    const struct study *study;
    const struct decision *decision;
    struct axis axes[MOST_AXES]; /* rows and columns; of one axis alone there is one column */
    int n_axes;
    const struct decision_ranking **cells; /* row by row; NULL where there is none */
};

/* The ranking of a problem; NULL where there is none. */
const struct decision_ranking *matrix_at(const struct matrix *matrix, int row, int column);
const char *matrix_axis_name(const struct matrix *matrix, const struct axis *axis);
/* Append "star, chain": the values of the candidate alone. */
void matrix_name_candidate(struct builder *text, const struct study *study, const struct study_run *run);

/* Add which candidate is the best in which part of the first axis that is a number; and where that changes along the
 * rows' axis, if verbose along both, of those that are numbers. */
void matrix_add_summary(struct document *document, const struct matrix *matrix);
void matrix_add_changes(struct document *document, const struct matrix *matrix);

#endif
