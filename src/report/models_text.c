/* The section of the text report on performance models: the formulas, what they say further out, and how far to trust
 * them. */
#include "report/models.h"

#include "base/memory.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_RIVALS = 3 };

/* The name of the measure and what else varies, to be freed. */
static char *key_of(const struct report_model *model)
{
    const char *group = model->measure->group;
    return xformat("%s%s%s%s%s", group, group[0] != '\0' ? "." : "", model->measure->name,
                   model->series[0] != '\0' ? ", " : "", model->series);
}

static void write_sentence(FILE *stream, char *sentence)
{
    fputs("  ", stream);
    text_write_line(stream, sentence);
}

/* A value of a parameter: whole numbers as they are, up to nine digits. */
static char *append_place(char *text, double x)
{
    return x < 1e9 && x == floor(x) ? text_append(text, "%.0f", x) : text_append(text, "%.4g", x);
}

/* Four digits, without an exponent up to nine: "0.00649", "16500". */
static char *append_value(char *text, double value)
{
    double magnitude = fabs(value);
    if (!(magnitude >= 1e4 && magnitude < 1e9))
        return text_append(text, "%.4g", value + 0.0); /* never -0 */
    double unit = pow(10, floor(log10(magnitude)) - 3);
    return text_append(text, "%.0f", round(value / unit) * unit);
}

/* "512", "512:4096". */
static char *append_at(char *text, const struct report_models *models, int i)
{
    for (int p = 0; p < models->n_parameters; p++)
        text = append_place(p > 0 ? text_append(text, ":") : text, models->at[i][p]);
    return text;
}

static void write_head(FILE *stream, const struct report_models *models)
{
    char *head = xstrdup("Models");
    for (int p = 0; p < models->n_parameters; p++) {
        head = text_append(head, "%s %s = ", p > 0 ? " and" : " over", models->parameters[p]);
        head = text_append(append_place(head, models->first[p]), " ... ");
        head = append_place(head, models->last[p]);
    }
    fprintf(stream, "\n%s (times in s)\n", head);
    free(head);
}

static bool is_supported(const struct regression_forecast *forecast)
{
    return (forecast->doubts & REGRESSION_UNSUPPORTED) == 0;
}

/* "time_s = 4.475 + 69.83 ranks^-1; at 512: 4.612 (not supported)". */
static void write_formulas(FILE *stream, const struct report_models *models)
{
    for (int i = 0; i < models->n_models; i++) {
        const struct report_model *model = &models->models[i];
        char formula[400], *text = key_of(model);
        regression_formula_format(formula, sizeof formula, &model->model.best.formula, models->parameters);
        if (model->why[0] != '\0')
            text = text_append(text, ": no model: %s", model->why);
        else
            text = text_append(text, " = %s", formula);
        for (int k = 0; model->why[0] == '\0' && k < models->n_at; k++) {
            text = append_at(text_append(text, "; at "), models, k);
            text = append_value(text_append(text, ": "), model->forecasts[k].value);
            text = text_append(text, "%s", is_supported(&model->forecasts[k]) ? "" : " (not supported)");
        }
        write_sentence(stream, text);
    }
}

/* ---- Values further out ---- */

static void cell_value(struct table *table, double value)
{
    char *text = isfinite(value) ? append_value(xstrdup(""), value) : xstrdup("-");
    table_cell(table, "%s", text);
    free(text);
}

static void write_heads(struct table *table, const struct report_models *models)
{
    table_head(table, "measure");
    for (int p = 0; p < models->n_parameters; p++)
        table_head(table, p > 0 ? "%s" : "at %s", models->parameters[p]);
    table_keys(table);
    table_head(table, "value");
    table_head(table, "95 %% from");
    table_head(table, "to");
    table_head(table, "supported");
    table_head(table, "| R2");
    table_head(table, "SMAPE");
    table_head(table, "constant");
}

static void write_quality(struct table *table, const struct regression_model *fit)
{
    if (fit->best.formula.n_columns > 0)
        table_cell(table, "%.4f", fit->adjusted_r2);
    else
        table_cell(table, "-");
    text_cell_percent(table, isfinite(fit->best.left_out_smape) ? fit->best.left_out_smape : (double)NAN);
    text_cell_percent(table, fit->constant_smape);
}

static void write_row(struct table *table, const struct report_models *models, const struct report_model *model, int i)
{
    const struct regression_forecast *forecast = &model->forecasts[i];
    char *key = key_of(model);
    table_cell(table, "%s", key);
    free(key);
    for (int p = 0; p < models->n_parameters; p++) {
        char *place = append_place(xstrdup(""), models->at[i][p]);
        table_cell(table, "%s", place);
        free(place);
    }
    cell_value(table, forecast->value);
    cell_value(table, forecast->low);
    cell_value(table, forecast->high);
    table_cell(table, "%s", is_supported(forecast) ? "yes" : "no");
    write_quality(table, &model->model);
}

static void write_values(FILE *stream, const struct report_models *models)
{
    struct table *table = table_new();
    write_heads(table, models);
    for (int m = 0; m < models->n_models; m++)
        for (int i = 0; models->models[m].why[0] == '\0' && i < models->n_at; i++)
            write_row(table, models, &models->models[m], i);
    table_print(table, stream);
    fputs("  SMAPE is that of each point from the model made without it, constant that from the mean. R2 is adjusted. "
          "The band\n  is where one more measurement would lie, by the model or by a rival that explains the points as "
          "well; twice as wide\n  where no repetitions show that what the model leaves is noise.\n",
          stream);
}

/* ---- In words ---- */

/* "time_s at 512, 1024 is not supported by the data: the band is wider than the value." */
static void write_doubts(FILE *stream, const struct report_models *models, const struct report_model *model)
{
    unsigned doubts = 0;
    char *sentence = key_of(model);
    const char *before = " at ";
    for (int i = 0; i < models->n_at; i++) {
        if (is_supported(&model->forecasts[i]))
            continue;
        sentence = append_at(text_append(sentence, "%s", before), models, i);
        doubts |= model->forecasts[i].doubts;
        before = ", ";
    }
    sentence = text_append(sentence, " is not supported by the data");
    before = ": ";
    for (int d = 0; models_doubts[d].words != NULL; d++)
        if (doubts & models_doubts[d].doubt) {
            sentence = text_append(sentence, "%s%s", before, models_doubts[d].words);
            before = "; ";
        }
    if (doubts != 0)
        write_sentence(stream, text_append(sentence, "."));
    else
        free(sentence);
}

/* Up to SHOWN_RIVALS of them; JSON has all. */
static void write_rivals(FILE *stream, const struct report_models *models, const struct report_model *model)
{
    const struct regression_model *fit = &model->model;
    if (fit->best.formula.n_columns > 0 && fit->n_rivals == 0)
        return;
    char *sentence = key_of(model);
    if (fit->best.formula.n_columns == 0) {
        write_sentence(stream, text_append(sentence, ": no formula is better than the mean value beyond chance."));
        return;
    }
    sentence = text_append(sentence, ": %d other formula%s explain%s the points as well:", fit->n_rivals,
                           fit->n_rivals == 1 ? "" : "s", fit->n_rivals == 1 ? "s" : "");
    for (int r = 0; r < fit->n_rivals && r < SHOWN_RIVALS; r++) {
        char text[400];
        regression_formula_format(text, sizeof text, &fit->rivals[r].formula, models->parameters);
        sentence = text_append(sentence, "%s %s", r > 0 ? ";" : "", text);
    }
    write_sentence(stream, text_append(sentence, "%s", fit->n_rivals > SHOWN_RIVALS ? "; ... more in -f json." : "."));
}

static void write_few(FILE *stream, const struct report_models *models)
{
    int fewest = REGRESSION_FEW_POINTS;
    for (int i = 0; i < models->n_models; i++)
        if (models->models[i].why[0] == '\0' && models->models[i].model.n_points < fewest)
            fewest = models->models[i].model.n_points;
    if (fewest < REGRESSION_FEW_POINTS)
        fprintf(stream, "  Warning: %d points are too few to support a model; it takes %d and more.\n", fewest,
                REGRESSION_FEW_POINTS);
}

/* "Largest of overhead_ratio: communication from ranks = 2 on, idle from 143 on." */
static void write_leads(FILE *stream, const struct report_models *models)
{
    char *sentence = NULL;
    for (int i = 0; i < models->n_leads; i++) {
        const struct report_lead *lead = &models->leads[i];
        const struct measure *measure = lead->model->measure;
        const char *series = lead->model->series;
        if (lead->starts) {
            if (sentence != NULL)
                write_sentence(stream, text_append(sentence, "."));
            sentence = xformat("Largest of %s%s%s: %s from %s = ", measure->group, *series != '\0' ? ", " : "", series,
                               measure->name, models->parameters[0]);
        } else
            sentence = text_append(sentence, ", %s from ", measure->name);
        sentence = append_place(sentence, ceil(lead->from * (1 - 1e-8)));
        sentence = text_append(sentence, " on%s", lead->from > models->last[0] ? " (extrapolated)" : "");
    }
    if (sentence != NULL)
        write_sentence(stream, text_append(sentence, "."));
}

static bool has_any(const struct report_models *models)
{
    for (int i = 0; i < models->n_models; i++)
        if (models->models[i].why[0] == '\0')
            return true;
    return false;
}

void models_write(FILE *stream, const struct report *report)
{
    const struct report_models *models = report->models;
    if (models == NULL)
        return;
    write_head(stream, models);
    write_formulas(stream, models);
    if (has_any(models))
        write_values(stream, models);
    write_few(stream, models);
    write_leads(stream, models);
    for (int i = 0; i < models->n_models; i++)
        if (models->models[i].why[0] == '\0') {
            write_rivals(stream, models, &models->models[i]);
            write_doubts(stream, models, &models->models[i]);
        }
}
