/* Performance models: the formulas, what they say further out, and how far to trust them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "study/models/models.h"
#include "study/models/rank.h"
#include "study/models/sequential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-9 /* a smaller share is none */
#define SPREAD 2      /* repetitions that differ more are remarked on */

enum { SHOWN_MODELS = 10, SHOWN_RIVALS = 3, SHOWN_POINTS = 24 };

/* The models that the text has: all, or those that come first in the order in which they are told. */
struct shown {
    const struct model **list;
    int n;
};

/* The name of the measure and what else varies. */
static void add_key(struct builder *text, const struct model *model)
{
    const char *group = model->measure->of->group;
    builder_add(text, "%s%s%s%s%s", group, group[0] != '\0' ? "." : "", model->measure->of->name,
                model->series[0] != '\0' ? ", " : "", model->series);
    if (model->unit != NULL && model->unit[0] != '\0' && !model->unit_in_name)
        builder_add(text, " [%s]", model->unit);
}

/* A value of a parameter: whole numbers as they are, up to nine digits. */
static void add_place(struct builder *text, double x)
{
    builder_add(text, x < 1e9 && x == floor(x) ? "%.0f" : "%.4g", x);
}

/* "512", "512:4096". */
static void add_at(struct builder *text, const struct models *models, int i)
{
    for (int p = 0; p < models->n_parameters; p++) {
        builder_add(text, p > 0 ? ":" : "");
        add_place(text, models->at[i][p]);
    }
}

static bool is_supported(const struct regression_forecast *forecast)
{
    return (forecast->doubts & REGRESSION_UNSUPPORTED) == 0;
}

/* "time_s = 4.475 + 69.83 ranks^-1; at 512: 4.612 (not supported)". */
static char *describe_formula(const struct models *models, const struct model *model)
{
    char formula[400], value[32];
    struct builder text = {0};
    add_key(&text, model);
    if (model->why[0] != '\0') {
        builder_add(&text, ": no model: %s", model->why);
        return builder_take(&text);
    }
    regression_formula_format(formula, sizeof formula, &model->model.best.formula, models->parameters);
    builder_add(&text, " = %s", formula);
    for (int k = 0; k < models->n_at; k++) {
        builder_add(&text, "; at ");
        add_at(&text, models, k);
        builder_add(&text, ": %s%s", scale_format(value, sizeof value, UNIT_NUMBER, model->forecasts[k].value),
                    is_supported(&model->forecasts[k]) ? "" : " (not supported)");
    }
    return builder_take(&text);
}

static void add_formulas(struct document *document, const struct models *models, const struct shown *shown)
{
    struct builder head = {0};
    builder_add(&head, "Models");
    for (int p = 0; p < models->n_parameters; p++) {
        builder_add(&head, "%s %s = ", p > 0 ? " and" : " over", models->parameters[p]);
        add_place(&head, models->first[p]);
        builder_add(&head, " ... ");
        add_place(&head, models->last[p]);
    }
    if (models->n_models > 0 && models->models[0].unit == NULL)
        builder_add(&head, " (times in s)");
    document_heading(document, builder_take(&head));
    for (int i = 0; i < shown->n; i++)
        document_note(document, describe_formula(models, shown->list[i]));
}

/* ---- Values further out ---- */

static void add_columns(struct table *table, const struct models *models)
{
    static const struct column columns[] = {
        {.id = "value", .unit = UNIT_NUMBER},
        {.id = "low", .head = "95 % from", .unit = UNIT_NUMBER},
        {.id = "high", .head = "to", .unit = UNIT_NUMBER},
        {.id = "supported", .unit = UNIT_TEXT},
        {.id = "adjusted_r2", .head = "R2", .unit = UNIT_NUMBER, .flags = COLUMN_BEGINS},
        {.id = "left_out_smape", .head = "SMAPE", .unit = UNIT_SHARE},
        {.id = "constant_smape", .head = "constant", .unit = UNIT_SHARE},
    };
    table_column(table, (struct column){.id = "measure", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    for (int p = 0; p < models->n_parameters; p++)
        table_column(table, (struct column){
                                .id = models->parameters[p],
                                .head = document_format(table->document, p > 0 ? "%s" : "at %s", models->parameters[p]),
                                .unit = UNIT_NUMBER,
                                .flags = COLUMN_KEY});
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
}

static void add_finite(struct table *table, double value)
{
    table_real(table, isfinite(value) ? value : (double)NAN);
}

static void add_row(struct table *table, const struct models *models, const struct model *model, int i)
{
    const struct regression_forecast *forecast = &model->forecasts[i];
    const struct regression_model *fit = &model->model;
    struct builder key = {0};
    add_key(&key, model);
    table_text(table, document_own(table->document, builder_take(&key)));
    for (int p = 0; p < models->n_parameters; p++) {
        struct builder place = {0};
        add_place(&place, models->at[i][p]);
        table_cell(table,
                   cell_shown(cell_of_real(models->at[i][p]), document_own(table->document, builder_take(&place))));
    }
    add_finite(table, forecast->value);
    add_finite(table, forecast->low);
    add_finite(table, forecast->high);
    table_cell(table, cell_of_flag(is_supported(forecast)));
    add_finite(table, fit->best.formula.n_columns > 0 ? fit->adjusted_r2 : (double)NAN);
    add_finite(table, fit->best.left_out_smape);
    add_finite(table, fit->constant_smape);
}

static void add_values(struct document *document, const struct models *models, const struct shown *shown)
{
    struct table *table = document_table(document, "forecasts", NULL, FOR_READERS);
    table->chart = CHART_LINE;
    add_columns(table, models);
    for (int m = 0; m < shown->n; m++)
        for (int i = 0; shown->list[m]->why[0] == '\0' && i < models->n_at; i++)
            add_row(table, models, shown->list[m], i);
    if (table_n_rows(table) > 0)
        document_note(document,
                      xstrdup("SMAPE is that of each point from the model made without it, constant that from "
                              "the mean; R2 is adjusted. The band is where one more measurement would lie."));
}

/* ---- What the formula was made of ---- */

static void add_point(struct table *table, const struct models *models, const struct model *model, int i)
{
    const struct regression_point *point = &model->points[i];
    struct builder key = {0};
    double fitted = regression_value(&model->model, point->x);
    add_key(&key, model);
    table_text(table, document_own(table->document, builder_take(&key)));
    for (int p = 0; p < models->n_parameters; p++) {
        struct builder place = {0};
        add_place(&place, point->x[p]);
        table_cell(table, cell_shown(cell_of_real(point->x[p]), document_own(table->document, builder_take(&place))));
    }
    double off = fitted / point->value - 1;
    table_real(table, point->value);
    add_finite(table, fitted);
    add_finite(table, fabs(off) < ROUNDING ? 0 : off);
}

static int count_points(const struct shown *shown)
{
    int count = 0;
    for (int m = 0; m < shown->n; m++)
        count += shown->list[m]->why[0] == '\0' ? shown->list[m]->n_points : 0;
    return count;
}

/* A table of measurements has no runs. */
static bool is_measured(const struct study *study)
{
    return study->n_runs == 0 || study->runs[0].is_traced;
}

/* Add the points of measured runs, unless there are many. */
static void add_points(struct document *document, const struct study *study, const struct models *models,
                       const struct shown *shown)
{
    const struct column columns[] = {
        {.id = is_measured(study) ? "measured" : "simulated", .unit = UNIT_NUMBER},
        {.id = "formula", .unit = UNIT_NUMBER},
        {.id = "off", .unit = UNIT_DIFFERENCE},
    };
    bool is_shown = study->verbose || (is_measured(study) && count_points(shown) <= SHOWN_POINTS);
    struct table *table = is_shown ? document_table(document, "points", NULL, FOR_READERS) : NULL;
    if (table == NULL) {
        if (is_measured(study))
            document_note(document, xstrdup("With -v each run stands beside its formula."));
        return;
    }
    table->chart = CHART_LINE;
    table_column(table, (struct column){.id = "measure", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    for (int p = 0; p < models->n_parameters; p++)
        table_column(table, (struct column){.id = models->parameters[p], .unit = UNIT_NUMBER, .flags = COLUMN_KEY});
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (int m = 0; m < shown->n; m++)
        for (int i = 0; shown->list[m]->why[0] == '\0' && i < shown->list[m]->n_points; i++)
            add_point(table, models, shown->list[m], i);
}

/* ---- In words ---- */

/* Add remarks on the runs as a whole. */
static void add_remarks(struct document *document, const struct study *study, const struct models *models)
{
    if (models->along[0] != '\0' && models->columns != NULL)
        document_note(document, xformat("Points with different %s are of one series.", models->along));
    else if (models->along[0] != '\0')
        document_note(document, xformat("%s: one value at each place of the models, so no series of %s own.",
                                        models->along, strchr(models->along, ',') != NULL ? "their" : "its"));
    double spread = study->n_runs > 0 && study->runs[0].is_traced ? sequential_spread(study) : 1;
    if (spread > SPREAD)
        document_note(document, xformat("Warning: runs with the same parameters differ %.1f-fold in their time. A "
                                        "program that does not say its size (eppa_parameter) has runs that cannot be "
                                        "told apart.",
                                        spread));
    if (study->n_sequential > 0)
        document_note(document, xformat("T_seq of %d of %d runs is the time of the same problem on one rank.",
                                        study->n_sequential, study->n_runs));
}

/* "time_s at 512, 1024 is not supported by the data: the band is wider than the value." */
static void add_doubts(struct document *document, const struct models *models, const struct model *model)
{
    unsigned doubts = 0;
    struct builder text = {0};
    add_key(&text, model);
    const char *before = " at ";
    for (int i = 0; i < models->n_at; i++) {
        if (is_supported(&model->forecasts[i]))
            continue;
        builder_add(&text, "%s", before);
        add_at(&text, models, i);
        doubts |= model->forecasts[i].doubts;
        before = ", ";
    }
    builder_add(&text, " is not supported by the data");
    before = ": ";
    for (int d = 0; models_doubts[d].words != NULL; d++)
        if (doubts & models_doubts[d].doubt) {
            builder_add(&text, "%s%s", before, models_doubts[d].words);
            before = "; ";
        }
    builder_add(&text, ".");
    if (doubts != 0)
        document_note(document, builder_take(&text));
    free(text.text);
}

/* "time_s changes between ranks = 20 and 24: up to 20 it is 1 log2(ranks)." */
static void add_change(struct document *document, const struct models *models, const struct model *model)
{
    const struct regression_change *change = &model->model.change;
    char formula[400];
    struct builder text = {0};
    if (change->last == 0)
        return;
    add_key(&text, model);
    builder_add(&text, " changes between %s = ", models->parameters[0]);
    add_place(&text, change->last);
    builder_add(&text, " and ");
    add_place(&text, change->first);
    regression_formula_format(formula, sizeof formula, &change->fitted.formula, models->parameters);
    builder_add(&text, ": up to ");
    add_place(&text, change->last);
    builder_add(&text, " it is %s.", formula);
    document_note(document, builder_take(&text));
}

/* Up to SHOWN_RIVALS of them; JSON has all. */
static void add_rivals(struct document *document, const struct models *models, const struct model *model)
{
    const struct regression_model *fit = &model->model;
    struct builder text = {0};
    add_key(&text, model);
    if (fit->best.formula.n_columns == 0)
        builder_add(&text, ": no formula is better than the mean value beyond chance.");
    else
        builder_add(&text, ": %d other formula%s may be right, too:", fit->n_rivals, fit->n_rivals == 1 ? "" : "s");
    for (int r = 0; fit->best.formula.n_columns > 0 && r < fit->n_rivals && r < SHOWN_RIVALS; r++) {
        char formula[400];
        regression_formula_format(formula, sizeof formula, &fit->rivals[r].formula, models->parameters);
        builder_add(&text, "%s %s", r > 0 ? ";" : "", formula);
    }
    if (fit->best.formula.n_columns > 0)
        builder_add(&text, fit->n_rivals > SHOWN_RIVALS ? "; ... more in -f json." : ".");
    if (fit->best.formula.n_columns == 0 || fit->n_rivals > 0)
        document_note(document, builder_take(&text));
    free(text.text);
}

static void add_few(struct document *document, const struct models *models)
{
    int fewest = REGRESSION_FEW_POINTS;
    for (int i = 0; i < models->n_models; i++)
        if (models->models[i].why[0] == '\0' && models->models[i].model.n_points < fewest)
            fewest = models->models[i].model.n_points;
    if (fewest < REGRESSION_FEW_POINTS)
        document_note(document, xformat("Warning: %d points are too few to support a model; it takes %d and more.",
                                        fewest, REGRESSION_FEW_POINTS));
}

/* "Largest of overhead_ratio: communication from ranks = 2 on, idle from 143 on." */
static void add_leads(struct document *document, const struct models *models)
{
    struct builder text = {0};
    for (int i = 0; i < models->n_leads; i++) {
        const struct models_lead *lead = &models->leads[i];
        const struct measure *measure = lead->model->measure;
        const char *series = lead->model->series;
        if (lead->starts)
            builder_add(&text, "Largest of %s%s%s: %s from %s = ", measure->of->group, *series != '\0' ? ", " : "",
                        series, measure->of->name, models->parameters[0]);
        else
            builder_add(&text, ", %s from ", measure->of->name);
        add_place(&text, ceil(lead->from * (1 - 1e-8)));
        builder_add(&text, " on%s", lead->from > models->last[0] ? " (extrapolated)" : "");
        if (i + 1 == models->n_leads || models->leads[i + 1].starts) {
            builder_add(&text, ".");
            document_note(document, builder_take(&text));
        }
    }
}

static struct shown find_shown(const struct models *models, bool verbose)
{
    struct shown shown = {xcalloc((size_t)models->n_models + 1, sizeof(const struct model *)), models->n_models};
    int *order, n_matter, n_ranked = models_rank(&order, &n_matter, models);
    bool all = verbose || models->n_models <= SHOWN_MODELS;
    if (!all)
        shown.n = n_ranked < SHOWN_MODELS ? n_ranked : SHOWN_MODELS;
    for (int i = 0; i < shown.n; i++)
        shown.list[i] = &models->models[all ? i : order[i]];
    free(order);
    return shown;
}

void section_models(struct document *document, const struct study *study)
{
    const struct models *models = study->models;
    if (models->explains) { /* the formulas are in the tables of the parts */
        add_remarks(document, study, models);
        return;
    }
    struct shown shown = find_shown(models, study->verbose);
    document->are_asked = true;
    add_formulas(document, models, &shown);
    add_values(document, models, &shown);
    add_points(document, study, models, &shown);
    add_remarks(document, study, models);
    add_few(document, models);
    add_leads(document, models);
    for (int i = 0; i < shown.n; i++)
        if (shown.list[i]->why[0] == '\0') {
            add_change(document, models, shown.list[i]);
            add_rivals(document, models, shown.list[i]);
            add_doubts(document, models, shown.list[i]);
        }
    if (shown.n < models->n_models)
        document_note(document,
                      xformat("These %d of %d models grow most, of what is at least 1 %% of the largest value "
                              "of its measure; the others are in -v, -f csv and -f json.",
                              shown.n, models->n_models));
    document->are_asked = false;
    free(shown.list);
}
