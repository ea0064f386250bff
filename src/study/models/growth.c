/* Works out which part of the time grows fastest: its share further out, and by which exponent it grows till there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/growth.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORTH 0.01 /* parts below that share of the time, measured and forecast, are not called the fastest */

const char *const growth_way_names[] = {
    [GROWTH_UNKNOWN] = "unknown", [GROWTH_CONSTANT] = "constant",     [GROWTH_GROWS] = "grows",
    [GROWTH_SHRINKS] = "shrinks", [GROWTH_LEVELS_OFF] = "levels off", [GROWTH_FALLS] = "falls",
};

/* ---- What was measured ---- */

/* The mean of the points at a place; NAN where there is none. */
static double mean_at(const struct model *model, double place)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < model->n_points; i++)
        if (model->points[i].x[0] == place) {
            sum += model->points[i].value;
            n++;
        }
    return n > 0 ? sum / n : (double)NAN;
}

static int by_number(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The range of a series, which need not be that of all runs. */
static void find_range(struct growth *growth, const struct model *model)
{
    double *places = xcalloc((size_t)model->n_points + 1, sizeof *places);
    for (int i = 0; i < model->n_points; i++)
        places[i] = model->points[i].x[0];
    sort_stable(places, (size_t)model->n_points, sizeof *places, by_number);
    for (int i = 0; i < model->n_points; i++)
        growth->n_places += i == 0 || places[i] != places[i - 1];
    growth->first = model->n_points > 0 ? places[0] : 0;
    growth->last = model->n_points > 0 ? places[model->n_points - 1] : 0;
    free(places);
}

/* ---- Rows ---- */

static enum growth_way find_way(const struct regression_formula *formula)
{
    int leading = regression_leading_column(formula);
    if (leading < 0)
        return GROWTH_CONSTANT;
    const struct regression_term *term = formula->columns[leading];
    bool rises = term->numerator > 0 || (term->numerator == 0 && term->logs > 0);
    if (formula->coefficients[1 + leading] > 0)
        return rises ? GROWTH_GROWS : GROWTH_SHRINKS;
    return rises ? GROWTH_FALLS : GROWTH_LEVELS_OFF;
}

static double value_at(const struct model *model, double x)
{
    const double place[REGRESSION_PARAMETERS] = {x, 1};
    return regression_value(&model->model, place);
}

/* True if the formula is far from the last measurement: then it says nothing of places further out. */
static bool misses_last(const struct growth_row *row, const struct growth *growth)
{
    return fabs(value_at(row->model, growth->last) - row->last_s) > row->last_s / 2;
}

static void forecast_row(struct growth_row *row, const struct growth *growth, int at)
{
    const struct model *model = row->model;
    row->first_s = mean_at(model, growth->first);
    row->last_s = mean_at(model, growth->last);
    row->first_share = row->first_s / growth->first_time_s;
    row->last_share = row->last_s / growth->last_time_s;
    row->exponent = NAN;
    row->is_told = model->why[0] == '\0' && model->model.n_points >= REGRESSION_GROWTH_POINTS && !isnan(row->last_s) &&
                   !misses_last(row, growth);
    if (!row->is_told) {
        double last_s = isnan(row->last_s) ? 0 : row->last_s;
        row->forecast = (struct regression_forecast){.value = last_s,
                                                     .low = NAN,
                                                     .high = NAN,
                                                     .mean_low = NAN,
                                                     .mean_high = NAN,
                                                     .own_low = NAN,
                                                     .own_high = NAN,
                                                     .doubts = REGRESSION_FEW};
        return;
    }
    row->forecast = model->forecasts[at];
    row->way = find_way(&model->model.best.formula);
    double last_s = value_at(model, growth->last), at_s = value_at(model, growth->at);
    if (last_s > 0 && at_s > 0 && growth->at > growth->last)
        row->exponent = log(at_s / last_s) / log(growth->at / growth->last);
}

static bool is_of(const struct model *model, const char *series, enum measure_id id)
{
    return model->series == series && model->measure->of->id == id;
}

/* The kinds in a row: "MPI_Recv.late sender" of "MPI_Recv". A single one is that of the row itself. */
static void add_kinds(struct growth *growth, const struct models *models, enum measure_id id)
{
    int row = growth->n_rows - 1;
    const char *name = growth->rows[row].name;
    size_t length = strlen(name);
    for (int m = 0; m < models->n_models; m++) {
        const struct model *model = &models->models[m];
        const char *own = model->measure->of->name;
        if (!is_of(model, growth->series, id) || strncmp(own, name, length) != 0 || own[length] != '.')
            continue;
        enum part_kind kind = part_kind_named(own + length + 1);
        if (kind != DOING_MIXED && model->n_points > 0)
            growth->rows[growth->n_rows++] = (struct growth_row){
                .type = growth->rows[row].type, .model = model, .name = name, .kind = kind, .is_inner = true};
    }
    if (growth->n_rows == row + 2) {
        growth->rows[row].kind = growth->rows[row + 1].kind;
        growth->n_rows--;
    }
}

/* Rows of functions that are no functions have names of their own. */
static struct growth_row begin_row(const struct model *model, int group)
{
    const char *name = model->measure->of->name;
    struct growth_row row = {.model = model, .name = name, .kind = DOING_MIXED};
    if (group != PARTS_FUNCTIONS)
        return row;
    row.kind = part_kind_named(name);
    if (row.kind != DOING_MIXED)
        row.type = GROWTH_KIND;
    else if (strcmp(name, PARTS_NO_FUNCTION) == 0)
        row.type = GROWTH_NO_FUNCTION;
    return row;
}

static void add_rows(struct growth *growth, const struct models *models)
{
    const struct parts_group *group = &parts_groups[growth->group];
    for (int m = 0; m < models->n_models; m++) {
        const struct model *model = &models->models[m];
        if (!is_of(model, growth->series, group->row) || model->n_points == 0)
            continue;
        growth->rows[growth->n_rows++] = begin_row(model, growth->group);
        add_kinds(growth, models, group->kind);
    }
}

/* ---- Shares ---- */

static double not_below_0(double value)
{
    return value > 0 ? value : 0;
}

/* The share of a value in a whole that consists of it and others. */
static double share_of(double value_s, double others_s)
{
    if (isinf(value_s) && value_s > 0)
        return isinf(others_s) ? 0 : 1;
    return value_s > 0 ? value_s / (value_s + others_s) : 0;
}

/* How far all rows but one may be off together, if they are off one by one: above or below their sum. */
static double spread_of_others(const struct growth *growth, const struct growth_row *except, bool above)
{
    double squares = 0;
    for (int i = 0; i < growth->n_rows; i++) {
        const struct growth_row *row = &growth->rows[i];
        if (row->is_inner || row == except || !row->is_told)
            continue;
        double value_s = not_below_0(row->forecast.value);
        double end_s = above ? row->forecast.high : not_below_0(row->forecast.low);
        squares += (end_s - value_s) * (end_s - value_s);
    }
    return sqrt(squares);
}

/* The time beside a row, or beside a kind in a row. Kinds have formulas of their own: the row is their sum then. */
static double others_of(const struct growth *growth, const struct growth_row *row, const struct growth_row *outer)
{
    double others_s = growth->sum_s - not_below_0(outer->forecast.value);
    for (const struct growth_row *kind = outer + 1;
         row->is_inner && kind < growth->rows + growth->n_rows && kind->is_inner; kind++)
        others_s += kind != row ? not_below_0(kind->forecast.value) : 0;
    return not_below_0(others_s);
}

static void find_shares(struct growth *growth)
{
    const struct growth_row *outer = growth->rows;
    for (int i = 0; i < growth->n_rows; i++)
        if (!growth->rows[i].is_inner)
            growth->sum_s += not_below_0(growth->rows[i].forecast.value);
    for (int i = 0; i < growth->n_rows; i++) {
        struct growth_row *row = &growth->rows[i];
        outer = row->is_inner ? outer : row;
        double others_s = others_of(growth, row, outer);
        row->share = share_of(row->forecast.value, others_s);
        row->share_low = row->share_high = NAN;
        if (!row->is_told)
            continue;
        double more_s = spread_of_others(growth, outer, true), less_s = spread_of_others(growth, outer, false);
        row->share_low = share_of(row->forecast.low, others_s + more_s);
        row->share_high = share_of(row->forecast.high, not_below_0(others_s - less_s));
    }
}

/* A row with the kinds in it. */
struct block {
    const struct growth_row *rows;
    int count;
};

static int by_size(const void *a, const void *b)
{
    const struct block *left = a, *right = b;
    double x = left->rows->share, y = right->rows->share;
    return x != y ? (x < y ? 1 : -1) : strcmp(left->rows->name, right->rows->name);
}

static int by_row_size(const void *a, const void *b)
{
    const struct growth_row *left = a, *right = b;
    return (left->share < right->share) - (left->share > right->share);
}

/* The largest share first, and in a row the largest kind. */
static void sort_by_size(struct growth *growth)
{
    struct block *blocks = xcalloc((size_t)growth->n_rows + 1, sizeof *blocks);
    struct growth_row *sorted = xcalloc((size_t)growth->n_rows + 1, sizeof *sorted);
    int n_blocks = 0, n_rows = 0;
    for (int i = 0; i < growth->n_rows; i++) {
        if (!growth->rows[i].is_inner)
            blocks[n_blocks++].rows = &growth->rows[i];
        blocks[n_blocks - 1].count++;
    }
    sort_stable(blocks, (size_t)n_blocks, sizeof *blocks, by_size);
    for (int b = 0; b < n_blocks; b++) {
        memcpy(&sorted[n_rows], blocks[b].rows, (size_t)blocks[b].count * sizeof *sorted);
        sort_stable(&sorted[n_rows + 1], (size_t)blocks[b].count - 1, sizeof *sorted, by_row_size);
        n_rows += blocks[b].count;
    }
    free(growth->rows);
    free(blocks);
    growth->rows = sorted;
}

/* ---- What grows ---- */

static bool grows(const struct growth_row *row)
{
    return row->is_told && (row->way == GROWTH_GROWS || row->way == GROWTH_LEVELS_OFF);
}

static double added(const struct growth *growth, const struct growth_row *row)
{
    return row->forecast.value - value_at(row->model, growth->last);
}

static double added_measured(const struct growth_row *row)
{
    return row->last_s - (isnan(row->first_s) ? 0 : row->first_s);
}

static void find_growing(struct growth *growth)
{
    growth->most = growth->fastest = growth->most_measured = -1;
    for (int i = 0; i < growth->n_rows; i++) {
        const struct growth_row *row = &growth->rows[i];
        if (row->kind == DOING_MIXED)
            continue;
        if (added_measured(row) > 0 &&
            (growth->most_measured < 0 || added_measured(row) > added_measured(&growth->rows[growth->most_measured])))
            growth->most_measured = i;
        if (!grows(row) || !(added(growth, row) > 0))
            continue;
        if (growth->most < 0 || added(growth, row) > added(growth, &growth->rows[growth->most]))
            growth->most = i;
        if (fmax(row->share, row->last_share) >= WORTH &&
            (growth->fastest < 0 || row->exponent > growth->rows[growth->fastest].exponent))
            growth->fastest = i;
    }
}

static const struct model *find_whole(const struct models *models, const char *series)
{
    for (int m = 0; m < models->n_models; m++)
        if (models->models[m].series == series && models->models[m].measure->of->id == M_TIME)
            return &models->models[m];
    return NULL;
}

void growth_make(struct growth *growth, const struct models *models, int series, int group, int at)
{
    *growth = (struct growth){.series = models->series[series], .group = group, .at = models->at[at][0]};
    growth->whole = find_whole(models, growth->series);
    growth->rows = xcalloc((size_t)models->n_models + 1, sizeof *growth->rows);
    growth->most = growth->fastest = growth->most_measured = -1;
    if (growth->whole == NULL)
        return;
    find_range(growth, growth->whole);
    growth->first_time_s = mean_at(growth->whole, growth->first);
    growth->last_time_s = mean_at(growth->whole, growth->last);
    if (growth->whole->why[0] == '\0')
        growth->time = growth->whole->forecasts[at];
    add_rows(growth, models);
    for (int i = 0; i < growth->n_rows; i++)
        forecast_row(&growth->rows[i], growth, at);
    find_shares(growth);
    sort_by_size(growth);
    find_growing(growth);
}

struct growth *growth_make_all(int *count, const struct models *models)
{
    struct growth *growths =
        xcalloc((size_t)models->n_series * (size_t)models->n_at * N_PARTS_GROUPS + 1, sizeof *growths);
    *count = 0;
    for (int s = 0; s < models->n_series; s++)
        for (int at = 0; at < models->n_at; at++)
            for (int group = 0; group < N_PARTS_GROUPS; group++)
                growth_make(&growths[(*count)++], models, s, group, at);
    return growths;
}

void growth_dispose(struct growth *growth)
{
    free(growth->rows);
}

void growth_term(char *text, size_t size, const struct models *models, const struct growth_row *row)
{
    const struct regression_formula *formula = &row->model->model.best.formula;
    int leading = row->is_told ? regression_leading_column(formula) : -1;
    text[0] = '\0';
    if (leading >= 0)
        regression_term_format(text, size, formula->columns[leading], models->parameters[0]);
}
