/* How a decision begins: which candidates are best, as a matrix or in sentences, and where that changes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/best_matrix.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

enum { MOST_ROWS = 60, MOST_COLUMNS = 20 };

/* --- what it consists of --- */

static const struct study_parameter *value_of(const struct decision_ranking *ranking, const struct axis *axis)
{
    return &ranking->runs[0]->parameters[axis->parameter];
}

static int by_number(const void *left, const void *right)
{
    const struct study_parameter *a = *(const struct study_parameter *const *)left,
                                 *b = *(const struct study_parameter *const *)right;
    return (a->number > b->number) - (a->number < b->number);
}

static void find_values(struct axis *axis, const struct decision *decision)
{
    axis->values = xmalloc((size_t)decision->n_rankings * sizeof *axis->values);
    for (int i = 0; i < decision->n_rankings; i++)
        axis->values[i] = value_of(&decision->rankings[i], axis);
    sort_stable(axis->values, (size_t)decision->n_rankings, sizeof *axis->values, by_number);
    for (int i = 0; i < decision->n_rankings; i++)
        if (i == 0 || axis->values[i]->number != axis->values[axis->n_values - 1]->number)
            axis->values[axis->n_values++] = axis->values[i];
}

static int index_of(const struct axis *axis, const struct study_parameter *value)
{
    int i = 0;
    while (axis->values[i]->number != value->number)
        i++;
    return i;
}

static bool candidates_vary(const struct study *study)
{
    for (int i = 0; i < study->runs[0].n_parameters; i++)
        if (study->runs[0].parameters[i].is_candidate && study_varies(study, i))
            return true;
    return false;
}

/* How many parameters that are no candidates vary; the first of them are the axes. */
static int find_axes(struct matrix *matrix)
{
    const struct study_run *run = &matrix->study->runs[0];
    int count = 0;
    for (int i = 0; i < run->n_parameters; i++)
        if (!run->parameters[i].is_candidate && study_varies(matrix->study, i)) {
            if (count < MOST_AXES)
                matrix->axes[count] = (struct axis){.parameter = i};
            count++;
        }
    return count;
}

const char *matrix_axis_name(const struct matrix *matrix, const struct axis *axis)
{
    return matrix->study->runs[0].parameters[axis->parameter].name;
}

static int width_of(const struct matrix *matrix)
{
    return matrix->n_axes > 1 ? matrix->axes[1].n_values : 1;
}

const struct decision_ranking *matrix_at(const struct matrix *matrix, int row, int column)
{
    return matrix->cells[row * width_of(matrix) + column];
}

/* Arrange the axes; true if there are few enough values. The longer axis goes down; of two of the same length the
 * second, since ranks are the first of all parameters. */
static bool arrange(struct matrix *matrix)
{
    for (int a = 0; a < matrix->n_axes; a++)
        find_values(&matrix->axes[a], matrix->decision);
    if (matrix->n_axes > 1 && matrix->axes[0].n_values <= matrix->axes[1].n_values) {
        struct axis axis = matrix->axes[0];
        matrix->axes[0] = matrix->axes[1];
        matrix->axes[1] = axis;
    }
    return matrix->axes[0].n_values <= MOST_ROWS && width_of(matrix) <= MOST_COLUMNS;
}

static void fill(struct matrix *matrix)
{
    matrix->cells = xcalloc((size_t)matrix->axes[0].n_values * (size_t)width_of(matrix), sizeof *matrix->cells);
    for (int i = 0; i < matrix->decision->n_rankings; i++) {
        const struct decision_ranking *ranking = &matrix->decision->rankings[i];
        int row = index_of(&matrix->axes[0], value_of(ranking, &matrix->axes[0]));
        int column = matrix->n_axes > 1 ? index_of(&matrix->axes[1], value_of(ranking, &matrix->axes[1])) : 0;
        matrix->cells[row * width_of(matrix) + column] = ranking;
    }
}

/* --- the matrix --- */

void matrix_name_candidate(struct builder *text, const struct study *study, const struct study_run *run)
{
    const char *before = "";
    for (int i = 0; i < run->n_parameters; i++)
        if (run->parameters[i].is_candidate && study_varies(study, i)) {
            builder_add(text, "%s%s", before, run->parameters[i].text);
            before = ", ";
        }
}

static void add_cell(struct table *table, const struct study *study, const struct decision_ranking *ranking)
{
    struct builder name = {0};
    if (ranking == NULL) {
        table_blank(table);
        return;
    }
    if (ranking->n_ranked == 0)
        builder_add(&name, "none");
    else
        matrix_name_candidate(&name, study, ranking->runs[0]);
    table_text(table, document_own(table->document, builder_take(&name)));
}

static void add_matrix(struct document *document, const struct matrix *matrix)
{
    const struct axis *down = &matrix->axes[0], *across = &matrix->axes[1];
    struct table *table =
        document_table(document, "best_candidates",
                       document_format(document, "Best by %s", decision_title(matrix->study->decision)), FOR_READERS);
    table->chart = CHART_HEATMAP;
    table_column(table, (struct column){.id = matrix->n_axes > 1 ? document_format(document, "%s \\ %s",
                                                                                   matrix_axis_name(matrix, down),
                                                                                   matrix_axis_name(matrix, across))
                                                                 : matrix_axis_name(matrix, down),
                                        .unit = UNIT_TEXT,
                                        .flags = COLUMN_KEY});
    for (int column = 0; column < width_of(matrix); column++)
        table_column(table, (struct column){.id = matrix->n_axes > 1 ? across->values[column]->text : "best",
                                            .unit = UNIT_TEXT});
    for (int row = 0; row < down->n_values; row++) {
        table_text(table, down->values[row]->text);
        for (int column = 0; column < width_of(matrix); column++)
            add_cell(table, matrix->study, matrix_at(matrix, row, column));
    }
}

/* False if there are too many parameters or values. */
static bool add_winners(struct document *document, const struct study *study, const struct decision *decision)
{
    struct matrix matrix = {.study = study, .decision = decision};
    matrix.n_axes = find_axes(&matrix);
    if (matrix.n_axes < 1 || matrix.n_axes > MOST_AXES || !candidates_vary(study))
        return false;
    bool fits = arrange(&matrix);
    if (fits) {
        fill(&matrix);
        matrix_add_summary(document, &matrix);
        if (matrix.n_axes > 1 || decision->n_rankings > DECISION_FEW)
            add_matrix(document, &matrix);
        matrix_add_changes(document, &matrix);
    }
    for (int a = 0; a < matrix.n_axes; a++)
        free(matrix.axes[a].values);
    free(matrix.cells);
    return fits;
}

/* A sentence for each ranking, unless there are so many of them that a matrix says it better. */
void section_best_candidates(struct document *document, const struct study *study, const struct decision *decision)
{
    enum { MOST = 20 };
    bool has_matrix = add_winners(document, study, decision);
    if (has_matrix && decision->n_rankings > DECISION_FEW)
        return;
    for (int i = 0; i < decision->n_rankings && i < MOST; i++)
        document_sentence(document, decision_describe(study, &decision->rankings[i]));
    if (decision->n_rankings > MOST)
        document_sentence(document, xformat("... %d more in the table.", decision->n_rankings - MOST));
}
