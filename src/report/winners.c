#include "report/winners.h"

#include "base/memory.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AXES = 2, MOST_ROWS = 60, MOST_COLUMNS = 20 };

/* A parameter that varies, with its values in rising order. */
struct axis {
    int parameter;
    const struct report_parameter **values;
    int n_values;
};

struct matrix {
    const struct report *report;
    const struct decision *decision;
    struct axis axes[MOST_AXES]; /* rows and columns */
    int n_axes;
    const struct decision_ranking **cells; /* row by row; NULL where there is none */
};

/* --- what it consists of --- */

static const struct report_parameter *value_of(const struct decision_ranking *ranking, const struct axis *axis)
{
    return &ranking->runs[0]->parameters[axis->parameter];
}

static int by_number(const void *left, const void *right)
{
    const struct report_parameter *a = *(const struct report_parameter *const *)left,
                                  *b = *(const struct report_parameter *const *)right;
    return (a->number > b->number) - (a->number < b->number);
}

static void find_values(struct axis *axis, const struct decision *decision)
{
    axis->values = xmalloc((size_t)decision->n_rankings * sizeof *axis->values);
    for (int i = 0; i < decision->n_rankings; i++)
        axis->values[i] = value_of(&decision->rankings[i], axis);
    qsort(axis->values, (size_t)decision->n_rankings, sizeof *axis->values, by_number);
    for (int i = 0; i < decision->n_rankings; i++)
        if (i == 0 || axis->values[i]->number != axis->values[axis->n_values - 1]->number)
            axis->values[axis->n_values++] = axis->values[i];
}

static int index_of(const struct axis *axis, const struct report_parameter *value)
{
    int i = 0;
    while (axis->values[i]->number != value->number)
        i++;
    return i;
}

static bool candidates_vary(const struct report *report)
{
    for (int i = 0; i < report->runs[0].n_parameters; i++)
        if (report->runs[0].parameters[i].is_candidate && report_varies(report, i))
            return true;
    return false;
}

/* How many parameters that are no candidates vary; the first of them are the axes. */
static int find_axes(struct matrix *matrix)
{
    const struct report_run *run = &matrix->report->runs[0];
    int count = 0;
    for (int i = 0; i < run->n_parameters; i++)
        if (!run->parameters[i].is_candidate && report_varies(matrix->report, i)) {
            if (count < MOST_AXES)
                matrix->axes[count] = (struct axis){.parameter = i};
            count++;
        }
    return count;
}

static int width_of(const struct matrix *matrix)
{
    return matrix->n_axes > 1 ? matrix->axes[1].n_values : 1;
}

static const struct decision_ranking *cell_at(const struct matrix *matrix, int row, int column)
{
    return matrix->cells[row * width_of(matrix) + column];
}

/* Whether there are few enough values; the longer axis goes down; of two of the same length the second, since ranks are
 * the first of all parameters. */
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

/* "star, chain": the values of the candidate alone; to be freed. */
static char *name_values(const struct report *report, const struct report_run *run)
{
    char *name = xstrdup("");
    for (int i = 0; i < run->n_parameters; i++)
        if (run->parameters[i].is_candidate && report_varies(report, i))
            name = text_append(name, "%s%s", name[0] != '\0' ? ", " : "", run->parameters[i].text);
    return name;
}

static void cell_winner(struct table *table, const struct report *report, const struct decision_ranking *ranking)
{
    if (ranking == NULL || ranking->n_ranked == 0) {
        table_cell(table, "%s", ranking == NULL ? "" : "none");
        return;
    }
    char *name = name_values(report, ranking->runs[0]);
    table_cell(table, "%s", name);
    free(name);
}

static void write_matrix(FILE *stream, const struct matrix *matrix)
{
    const struct report_parameter *parameters = matrix->report->runs[0].parameters;
    const struct axis *down = &matrix->axes[0], *across = &matrix->axes[1];
    struct table *table = table_new();
    if (matrix->n_axes > 1)
        table_head(table, "%s \\ %s", parameters[down->parameter].name, parameters[across->parameter].name);
    else
        table_head(table, "%s", parameters[down->parameter].name);
    table_keys(table);
    for (int column = 0; column < width_of(matrix); column++)
        table_head(table, "%s", matrix->n_axes > 1 ? across->values[column]->text : "best");
    for (int row = 0; row < down->n_values; row++) {
        table_cell(table, "%s", down->values[row]->text);
        for (int column = 0; column < width_of(matrix); column++)
            cell_winner(table, matrix->report, cell_at(matrix, row, column));
    }
    fprintf(stream, "Best by %s\n", decision_title(matrix->report->decision));
    table_print(table, stream);
    fputc('\n', stream);
}

/* --- where it changes --- */

static bool same_candidate(const struct report_run *a, const struct report_run *b)
{
    for (int i = 0; i < a->n_parameters; i++)
        if (a->parameters[i].is_candidate && a->parameters[i].number != b->parameters[i].number)
            return false;
    return true;
}

/* Whether a candidate is as good as the best one of a ranking. */
static bool is_best(const struct report *report, const struct decision_ranking *ranking, const struct report_run *run)
{
    for (int i = 0; i < ranking->n_ranked; i++) {
        if (text_value(ranking->runs[i], "", report->decision) > text_value(ranking->runs[0], "", report->decision))
            return false;
        if (same_candidate(ranking->runs[i], run))
            return true;
    }
    return false;
}

/* "ranks 16: from flat to binary between bytes 64 and 1KiB, to chain between 64KiB and 512KiB." along one axis; `other`
 * is the index on the other one. False if the best one stays. */
static bool write_changes(FILE *stream, const struct matrix *matrix, int along, int other)
{
    const struct axis *axis = &matrix->axes[along];
    const struct report_run *best = NULL;
    const char *name = matrix->report->runs[0].parameters[axis->parameter].name;
    char *line = xstrdup("");
    int n_changes = 0, last = 0;
    if (matrix->n_axes > 1) {
        const struct axis *fixed = &matrix->axes[1 - along];
        line = text_append(line, "%s %s: ", matrix->report->runs[0].parameters[fixed->parameter].name,
                           fixed->values[other]->text);
    }
    for (int i = 0; i < axis->n_values; i++) {
        const struct decision_ranking *ranking = along == 0 ? cell_at(matrix, i, other) : cell_at(matrix, other, i);
        if (ranking == NULL || ranking->n_ranked == 0)
            continue;
        if (best != NULL && !is_best(matrix->report, ranking, best)) {
            char *from = name_values(matrix->report, best), *to = name_values(matrix->report, ranking->runs[0]);
            if (n_changes == 0)
                line = text_append(line, "from %s to %s between %s %s and %s", from, to, name, axis->values[last]->text,
                                   axis->values[i]->text);
            else
                line =
                    text_append(line, ", to %s between %s and %s", to, axis->values[last]->text, axis->values[i]->text);
            free(from);
            free(to);
            n_changes++;
            best = NULL;
        }
        best = best != NULL ? best : ranking->runs[0];
        last = i;
    }
    if (n_changes == 0)
        free(line);
    else
        text_write_line(stream, text_append(line, "."));
    return n_changes > 0;
}

/* Along the parameters that are numbers. */
static void write_all_changes(FILE *stream, const struct matrix *matrix)
{
    enum { MOST = 16 };
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    bool any = false;
    for (int along = 0; along < matrix->n_axes; along++) {
        int n_lines = matrix->n_axes > 1 ? matrix->axes[1 - along].n_values : 1;
        any |= matrix->axes[along].values[0]->is_number;
        for (int i = 0; i < n_lines && i < MOST && matrix->axes[along].values[0]->is_number; i++)
            write_changes(memory, matrix, along, i);
    }
    fclose(memory);
    if (any)
        fputs(size > 0 ? "Where the best one changes:\n" : "The best one is the same throughout.\n", stream);
    fprintf(stream, "%s%s", text, any ? "\n" : "");
    free(text);
}

bool winners_write(FILE *stream, const struct report *report, const struct decision *decision)
{
    struct matrix matrix = {.report = report, .decision = decision};
    matrix.n_axes = find_axes(&matrix);
    if (matrix.n_axes < 1 || matrix.n_axes > MOST_AXES || !candidates_vary(report))
        return false;
    bool fits = arrange(&matrix);
    if (fits) {
        fill(&matrix);
        if (matrix.n_axes > 1 || decision->n_rankings > DECISION_FEW)
            write_matrix(stream, &matrix);
        write_all_changes(stream, &matrix);
    }
    for (int a = 0; a < matrix.n_axes; a++)
        free(matrix.axes[a].values);
    free(matrix.cells);
    return fits;
}
