/* Where the best candidate changes: in a sentence for all problems, and along each axis.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/best_matrix.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_REGIMES = 6 };

/* Neighboring values of an axis with the same best candidate for most problems. */
struct regime {
    const struct study_run *best;
    int first, last; /* values */
    int n_problems, n_best;
};

/* --- where it changes --- */

static bool same_candidate(const struct study_run *a, const struct study_run *b)
{
    for (int i = 0; i < a->n_parameters; i++)
        if (a->parameters[i].is_candidate && a->parameters[i].number != b->parameters[i].number)
            return false;
    return true;
}

/* True if a candidate is as good as the best one of a ranking. */
static bool is_best(const struct study *study, const struct decision_ranking *ranking, const struct study_run *run)
{
    for (int i = 0; i < ranking->n_ranked; i++) {
        if (run_value(ranking->runs[i], study->decision) > run_value(ranking->runs[0], study->decision))
            return false;
        if (same_candidate(ranking->runs[i], run))
            return true;
    }
    return false;
}

/* "ranks 16: from flat to binary between bytes 64 and 1KiB, to chain between 64KiB and 512KiB." along one axis;
 * `other` is the index on the other one. "" if the best one stays; to be freed. */
static char *describe_changes(const struct matrix *matrix, int along, int other)
{
    const struct axis *axis = &matrix->axes[along], *fixed = &matrix->axes[1 - along];
    const struct study_run *best = NULL;
    struct builder line = {0};
    int n_changes = 0, last = 0;
    for (int i = 0; i < axis->n_values; i++) {
        const struct decision_ranking *ranking = along == 0 ? matrix_at(matrix, i, other) : matrix_at(matrix, other, i);
        if (ranking == NULL || ranking->n_ranked == 0)
            continue;
        if (best != NULL && !is_best(matrix->study, ranking, best)) {
            if (n_changes == 0 && matrix->n_axes > 1)
                builder_add(&line, "%s %s: ", matrix_axis_name(matrix, fixed), fixed->values[other]->text);
            builder_add(&line, n_changes == 0 ? "from " : "");
            if (n_changes == 0)
                matrix_name_candidate(&line, matrix->study, best);
            builder_add(&line, n_changes == 0 ? " to " : ", to ");
            matrix_name_candidate(&line, matrix->study, ranking->runs[0]);
            builder_add(&line, " between %s%s%s and %s", n_changes == 0 ? matrix_axis_name(matrix, axis) : "",
                        n_changes == 0 ? " " : "", axis->values[last]->text, axis->values[i]->text);
            n_changes++;
            best = NULL;
        }
        best = best != NULL ? best : ranking->runs[0];
        last = i;
    }
    builder_add(&line, n_changes > 0 ? "." : "");
    return builder_take(&line);
}

void matrix_add_changes(struct document *document, const struct matrix *matrix)
{
    enum { MOST = 16 };
    bool is_seen = !matrix->study->verbose && matrix->axes[0].values[0]->is_number; /* the matrix shows the other one */
    int n_axes = is_seen ? 1 : matrix->n_axes;
    bool any_change = false;
    for (int along = 0; along < n_axes; along++) {
        int n_lines = matrix->n_axes > 1 ? matrix->axes[1 - along].n_values : 1;
        for (int i = 0; i < n_lines && i < MOST && matrix->axes[along].values[0]->is_number; i++) {
            char *line = describe_changes(matrix, along, i);
            if (line[0] == '\0') {
                free(line);
                continue;
            }
            if (!any_change)
                document_heading(document, xstrdup("Where the best candidate changes:"));
            document_sentence(document, line);
            any_change = true;
        }
    }
}

/* --- in a sentence --- */

static const struct decision_ranking *ranking_at(const struct matrix *matrix, int along, int value, int other)
{
    const struct decision_ranking *ranking =
        along == 0 ? matrix_at(matrix, value, other) : matrix_at(matrix, other, value);
    return ranking != NULL && ranking->n_ranked > 0 ? ranking : NULL;
}

static int count_others(const struct matrix *matrix, int along)
{
    return matrix->n_axes > 1 ? matrix->axes[1 - along].n_values : 1;
}

/* For how many problems with that value of the axis a candidate is the best, or as good. */
static int count_best(const struct matrix *matrix, int along, int value, const struct study_run *run)
{
    int count = 0;
    for (int other = 0; other < count_others(matrix, along); other++) {
        const struct decision_ranking *ranking = ranking_at(matrix, along, value, other);
        count += ranking != NULL && is_best(matrix->study, ranking, run);
    }
    return count;
}

/* The best for most problems with that value; among equals the one of the value before. */
static struct regime find_regime(const struct matrix *matrix, int along, int value, const struct study_run *before)
{
    struct regime regime = {.best = before, .first = value, .last = value};
    regime.n_best = before != NULL ? count_best(matrix, along, value, before) : 0;
    for (int other = 0; other < count_others(matrix, along); other++) {
        const struct decision_ranking *ranking = ranking_at(matrix, along, value, other);
        if (ranking == NULL)
            continue;
        regime.n_problems++;
        int n_best = count_best(matrix, along, value, ranking->runs[0]);
        if (n_best > regime.n_best) {
            regime.best = ranking->runs[0];
            regime.n_best = n_best;
        }
    }
    return regime;
}

/* The regimes, at most MOST_REGIMES; of more, one more than these. */
static int find_regimes(struct regime *regimes, const struct matrix *matrix, int along)
{
    int count = 0;
    for (int value = 0; value < matrix->axes[along].n_values && count <= MOST_REGIMES; value++) {
        struct regime *last = count > 0 ? &regimes[count - 1] : NULL;
        const struct regime next = find_regime(matrix, along, value, last != NULL ? last->best : NULL);
        if (next.n_problems == 0)
            continue;
        if (last != NULL && same_candidate(last->best, next.best)) {
            last->last = value;
            last->n_problems += next.n_problems;
            last->n_best += next.n_best;
        } else {
            regimes[count++] = next;
        }
    }
    return count;
}

/* "knomial up to bytes 256, split_binary at 1KiB, scatter_doubling from 4KiB to 64KiB, ring from 256KiB on" */
static void add_regime(struct builder *line, const struct matrix *matrix, int along, const struct regime *regime,
                       bool is_first, bool is_last)
{
    const struct axis *axis = &matrix->axes[along];
    const char *from = axis->values[regime->first]->text, *to = axis->values[regime->last]->text;
    builder_add(line, is_first ? "" : ", ");
    if (is_first && is_last) {
        decision_name_candidate(line, matrix->study, regime->best);
        builder_add(line, " throughout");
        return;
    }
    matrix_name_candidate(line, matrix->study, regime->best);
    if (is_first)
        builder_add(line, " up to %s %s", matrix_axis_name(matrix, axis), to);
    else if (is_last)
        builder_add(line, " from %s on", from);
    else if (strcmp(from, to) == 0)
        builder_add(line, " at %s", from);
    else
        builder_add(line, " from %s to %s", from, to);
}

void matrix_add_summary(struct document *document, const struct matrix *matrix)
{
    struct regime regimes[MOST_REGIMES + 1];
    struct builder line = {0};
    int along = 0, n_problems = 0, n_best = 0;
    while (along < matrix->n_axes && !matrix->axes[along].values[0]->is_number)
        along++;
    int count = along < matrix->n_axes ? find_regimes(regimes, matrix, along) : 0;
    if (count == 0 || count > MOST_REGIMES)
        return;
    builder_add(&line, "Best by %s: ", decision_title(matrix->study->decision));
    for (int i = 0; i < count; i++) {
        add_regime(&line, matrix, along, &regimes[i], i == 0, i == count - 1);
        n_problems += regimes[i].n_problems;
        n_best += regimes[i].n_best;
    }
    builder_add(&line, ".");
    if (n_best < n_problems)
        builder_add(&line, " %d of %d cases have another best.", n_problems - n_best, n_problems);
    document_sentence(document, builder_take(&line));
}
