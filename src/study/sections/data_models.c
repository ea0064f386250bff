/* Performance models, for programs: the formulas, what they say further out, and which is the largest.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/models.h"
#include "study/sections/sections.h"

#include <math.h>

static struct cell doubts_of(struct document *document, unsigned doubts)
{
    struct table *list = document_inner_list(document);
    for (int d = 0; models_doubts[d].words != NULL; d++)
        if (doubts & models_doubts[d].doubt)
            table_text(list, models_doubts[d].key);
    return cell_of_table(list, CELL_LIST);
}

static const char *formula_text(struct document *document, const struct models *models,
                                const struct regression_formula *formula)
{
    char text[400];
    regression_formula_format(text, sizeof text, formula, models->parameters);
    return document_format(document, "%s", text);
}

/* {"coefficient": 2.5, "ranks": {"exponent": 1.5, "log2": 1}} */
static struct cell terms_of(struct document *document, const struct models *models,
                            const struct regression_formula *formula)
{
    struct table *table = document_inner_table(document);
    table_column(table, (struct column){.id = "coefficient"});
    for (int p = 0; p < models->n_parameters; p++) {
        table_column(table, (struct column){.group = models->parameters[p], .id = "exponent"});
        table_column(table, (struct column){.group = models->parameters[p], .id = "log2"});
    }
    for (int c = 0; c < formula->n_columns; c++) {
        table_cell(table, cell_of_real(formula->coefficients[1 + c]));
        for (int p = 0; p < models->n_parameters; p++) {
            const struct regression_term *term = &formula->columns[c][p];
            bool there = term->numerator != 0 || term->logs != 0;
            struct cell exponent = cell_of_real((double)term->numerator / term->denominator);
            table_cell(table, there ? exponent : (struct cell){.kind = CELL_NONE});
            table_cell(table, there ? cell_of_integer(term->logs) : (struct cell){.kind = CELL_NONE});
        }
    }
    return cell_of_table(table, CELL_ROWS);
}

static struct cell forecasts_of(struct document *document, const struct models *models, const struct model *model)
{
    static const char *const names[] = {"value",   "low",      "high",      "mean_low", "mean_high",
                                        "own_low", "own_high", "supported", "doubts"};
    struct table *table = document_inner_table(document);
    for (int p = 0; p < models->n_parameters; p++)
        table_column(table, (struct column){.id = models->parameters[p]});
    for (size_t c = 0; c < sizeof names / sizeof names[0]; c++)
        table_column(table, (struct column){.id = names[c]});
    for (int i = 0; i < models->n_at; i++) {
        const struct regression_forecast *forecast = &model->forecasts[i];
        for (int p = 0; p < models->n_parameters; p++)
            table_real(table, models->at[i][p]);
        table_cell(table, cell_of_real(forecast->value));
        table_cell(table, cell_of_real(forecast->low));
        table_cell(table, cell_of_real(forecast->high));
        table_cell(table, cell_of_real(forecast->mean_low));
        table_cell(table, cell_of_real(forecast->mean_high));
        table_cell(table, cell_of_real(forecast->own_low));
        table_cell(table, cell_of_real(forecast->own_high));
        table_cell(table, cell_of_flag((forecast->doubts & REGRESSION_UNSUPPORTED) == 0));
        table_cell(table, doubts_of(document, forecast->doubts));
    }
    return cell_of_table(table, CELL_ROWS);
}

/* The points that the formula was made of, and the formula's values there. */
static struct cell measured_of(struct document *document, const struct models *models, const struct model *model)
{
    struct table *table = document_inner_table(document);
    for (int p = 0; p < models->n_parameters; p++)
        table_column(table, (struct column){.id = models->parameters[p]});
    table_column(table, (struct column){.id = "value"});
    table_column(table, (struct column){.id = "fitted"});
    for (int i = 0; i < model->n_points; i++) {
        for (int p = 0; p < models->n_parameters; p++)
            table_real(table, model->points[i].x[p]);
        table_cell(table, cell_of_real(model->points[i].value));
        table_cell(table, cell_of_real(regression_value(&model->model, model->points[i].x)));
    }
    return cell_of_table(table, CELL_ROWS);
}

/* The values of the second parameter for which there is a curve: at most `most` of those measured, rising. */
static int find_seconds(double *seconds, int most, const struct model *model)
{
    int count = 0;
    double last = 0;
    for (;;) {
        double next = INFINITY;
        for (int i = 0; i < model->n_points; i++)
            if (model->points[i].x[1] > last)
                next = fmin(next, model->points[i].x[1]);
        if (isinf(next) || count == most)
            return count;
        seconds[count++] = last = next;
    }
}

/* The values of the most probable rivals at a place. */
static struct cell rivals_at(struct document *document, const struct model *model, const double *place)
{
    enum { DRAWN = 3 };
    struct table *list = document_inner_list(document);
    for (int r = 0; r < model->model.n_rivals && r < DRAWN; r++)
        table_real(list, regression_formula_value(&model->model.rivals[r].formula, place));
    return cell_of_table(list, CELL_LIST);
}

/* The curve that is drawn of a model: the formula, its bands and its rivals, over the first parameter; for each value
 * of the second one, and the largest of all others. */
static struct cell curve_of(struct document *document, const struct models *models, const struct model *model)
{
    enum { MOST_CURVES = 8 };
    static const char *const names[] = {"value", "low", "high", "mean_low", "mean_high", "rivals", NULL};
    double seconds[MOST_CURVES];
    struct table *table = document_inner_table(document);
    int n_seconds = find_seconds(seconds, MOST_CURVES, model);
    for (int p = 0; p < models->n_parameters; p++)
        table_column(table, (struct column){.id = models->parameters[p]});
    for (const char *const *name = names; *name != NULL; name++)
        table_column(table, (struct column){.id = *name});
    for (int i = 0; i < n_seconds * (MODELS_CURVE_STEPS + 1); i++) {
        double place[REGRESSION_PARAMETERS] = {models_curve_place(models, i % (MODELS_CURVE_STEPS + 1)),
                                               seconds[i / (MODELS_CURVE_STEPS + 1)]};
        for (int p = 2; p < models->n_parameters; p++)
            place[p] = models->last[p];
        struct regression_forecast forecast = models_forecast(model, place);
        for (int p = 0; p < models->n_parameters; p++)
            table_real(table, place[p]);
        table_cell(table, cell_of_real(forecast.value));
        table_cell(table, cell_of_real(forecast.low));
        table_cell(table, cell_of_real(forecast.high));
        table_cell(table, cell_of_real(forecast.mean_low));
        table_cell(table, cell_of_real(forecast.mean_high));
        table_cell(table, rivals_at(document, model, place));
    }
    return cell_of_table(table, CELL_ROWS);
}

/* Measurements that would narrow the band at the last place to predict, the best first. */
static struct cell next_of(struct document *document, const struct models *models, const struct model *model)
{
    enum { MOST = 8 };
    struct table *table = document_inner_table(document);
    for (int p = 0; p < models->n_parameters; p++)
        table_column(table, (struct column){.id = models->parameters[p]});
    table_column(table, (struct column){.id = "narrowing"});
    table_column(table, (struct column){.id = "cost"});
    for (int i = 0; i < model->n_next && i < MOST; i++) {
        const struct regression_proposal *proposal = &model->next[i];
        for (int p = 0; p < models->n_parameters; p++)
            table_real(table, proposal->x[p]);
        table_cell(table,
                   isnan(proposal->narrowing) ? (struct cell){.kind = CELL_NONE} : cell_of_real(proposal->narrowing));
        table_cell(table, cell_of_real(proposal->cost));
    }
    return cell_of_table(table, CELL_ROWS);
}

static struct cell rivals_of(struct document *document, const struct models *models, const struct regression_model *fit)
{
    struct table *list = document_inner_list(document);
    for (int r = 0; r < fit->n_rivals; r++)
        table_text(list, formula_text(document, models, &fit->rivals[r].formula));
    return cell_of_table(list, CELL_LIST);
}

/* The formula before a change, and between which two points that lies. */
static struct cell change_of(struct document *document, const struct models *models,
                             const struct regression_change *change)
{
    struct table *table = document_inner_table(document);
    for (const char *const *name = (const char *const[]){"last", "first", "formula", NULL}; *name != NULL; name++)
        table_column(table, (struct column){.id = *name});
    table_real(table, change->last);
    table_real(table, change->first);
    table_text(table, formula_text(document, models, &change->fitted.formula));
    return cell_of_table(table, CELL_ROWS);
}

static struct cell key_of(struct document *document, const struct model *model)
{
    return cell_of_text(document_own(document, measure_key(model->measure)));
}

static void put_fit(struct sparse_row *row, const struct models *models, const struct model *model)
{
    struct document *document = row->table->document;
    const struct regression_model *fit = &model->model;
    const struct regression_formula *formula = &fit->best.formula;
    sparse_put(row, (struct column){.id = "measure", .flags = COLUMN_KEY}, key_of(document, model));
    if (models->n_series > 1)
        sparse_put(row, (struct column){.id = "series", .flags = COLUMN_KEY}, cell_of_text(model->series));
    if (model->unit != NULL && model->unit[0] != '\0')
        sparse_put(row, (struct column){.id = "unit"}, cell_of_text(model->unit));
    if (model->why[0] != '\0') {
        sparse_put(row, (struct column){.id = "no_model"}, cell_of_text(model->why));
        return;
    }
    sparse_put(row, (struct column){.id = "formula"}, cell_of_text(formula_text(document, models, formula)));
    sparse_put(row, (struct column){.id = "constant"}, cell_of_real(formula->coefficients[0]));
    sparse_put(row, (struct column){.id = "terms"}, terms_of(document, models, formula));
    sparse_put(row, (struct column){.id = "points"}, cell_of_integer(fit->n_points));
    sparse_put(row, (struct column){.id = "adjusted_r2"}, cell_of_real(fit->adjusted_r2));
    sparse_put(row, (struct column){.id = "smape"}, cell_of_real(fit->best.smape));
    sparse_put(row, (struct column){.id = "left_out_smape"}, cell_of_real(fit->best.left_out_smape));
    sparse_put(row, (struct column){.id = "constant_smape"}, cell_of_real(fit->constant_smape));
    sparse_put(row, (struct column){.id = "doubts"}, doubts_of(document, regression_doubts(fit)));
    sparse_put(row, (struct column){.id = "systematic"}, cell_of_flag(fit->systematic));
    if (fit->change.last > 0)
        sparse_put(row, (struct column){.id = "change"}, change_of(document, models, &fit->change));
    sparse_put(row, (struct column){.id = "rivals"}, rivals_of(document, models, fit));
    if (document->audience & FOR_LISTS) /* there may be millions of points */
        sparse_put(row, (struct column){.id = "measured"}, measured_of(document, models, model));
    sparse_put(row, (struct column){.id = "forecasts"}, forecasts_of(document, models, model));
    sparse_put(row, (struct column){.id = "next"}, next_of(document, models, model));
    if (models->n_parameters <= 2)
        sparse_put(row, (struct column){.id = "curve"}, curve_of(document, models, model));
}

static void add_fits(struct document *document, const struct models *models)
{
    struct table *table = document_table(document, "fits", NULL, FOR_PROGRAMS);
    table->group = "models";
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < models->n_models; i++) {
            struct sparse_row row = sparse_row_begin(table, pass == 1);
            put_fit(&row, models, &models->models[i]);
        }
}

static void add_leads(struct document *document, const struct models *models)
{
    struct table *table = document_table(document, "largest", NULL, FOR_PROGRAMS);
    table->group = "models";
    table_column(table, (struct column){.id = "group", .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "measure", .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "from"});
    table_column(table, (struct column){.id = "series"});
    for (int i = 0; i < models->n_leads; i++) {
        const struct models_lead *lead = &models->leads[i];
        struct cell *row = table_row(table);
        row[0] = cell_of_text(lead->model->measure->of->group);
        row[1] = key_of(document, lead->model);
        row[2] = cell_of_real(lead->from);
        if (models->n_series > 1)
            row[3] = cell_of_text(lead->model->series);
    }
}

void section_data_models(struct document *document, const struct models *models)
{
    struct table *over = document_inner_list(document);
    for (int p = 0; p < models->n_parameters; p++)
        table_text(over, models->parameters[p]);
    document_fact(document, (struct column){.group = "models", .id = "over"}, cell_of_table(over, CELL_LIST));
    add_fits(document, models);
    add_leads(document, models);
    section_data_growth(document, models);
}
