/* Performance models as JSON. */
#include "report/models.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* null where there is no number. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *key_of(const struct measure *measure)
{
    return json_sprintf("%s%s%s", measure->group, measure->group[0] != '\0' ? "." : "", measure->name);
}

static json_t *formula_text(const struct report_models *models, const struct regression_formula *formula)
{
    char text[400];
    regression_formula_format(text, sizeof text, formula, models->parameters);
    return json_string(text);
}

/* {"coefficient": 2.5, "ranks": {"exponent": 1.5, "log2": 1}} */
static json_t *term_of(const struct report_models *models, const struct regression_formula *formula, int column)
{
    json_t *object = json_pack("{s:o}", "coefficient", number(formula->coefficients[1 + column]));
    for (int p = 0; p < models->n_parameters; p++) {
        const struct regression_term *term = &formula->columns[column][p];
        if (term->numerator != 0 || term->logs != 0)
            json_object_set_new(object, models->parameters[p],
                                json_pack("{s:f, s:i}", "exponent", (double)term->numerator / term->denominator, "log2",
                                          (int)term->logs));
    }
    return object;
}

static json_t *doubts_of(unsigned doubts)
{
    json_t *array = json_array();
    for (int d = 0; models_doubts[d].words != NULL; d++)
        if (doubts & models_doubts[d].doubt)
            json_array_append_new(array, json_string(models_doubts[d].key));
    return array;
}

static json_t *forecast_of(const struct report_models *models, const struct report_model *model, int i)
{
    const struct regression_forecast *forecast = &model->forecasts[i];
    json_t *object = json_object();
    for (int p = 0; p < models->n_parameters; p++)
        json_object_set_new(object, models->parameters[p], json_real(models->at[i][p]));
    json_object_set_new(object, "value", number(forecast->value));
    json_object_set_new(object, "low", number(forecast->low));
    json_object_set_new(object, "high", number(forecast->high));
    json_object_set_new(object, "own_low", number(forecast->own_low));
    json_object_set_new(object, "own_high", number(forecast->own_high));
    json_object_set_new(object, "supported", json_boolean((forecast->doubts & REGRESSION_UNSUPPORTED) == 0));
    json_object_set_new(object, "doubts", doubts_of(forecast->doubts));
    return object;
}

static void add_fit(json_t *object, const struct report_models *models, const struct report_model *report_model)
{
    const struct regression_model *model = &report_model->model;
    const struct regression_formula *formula = &model->best.formula;
    json_t *terms = json_array(), *rivals = json_array(), *forecasts = json_array();
    for (int c = 0; c < formula->n_columns; c++)
        json_array_append_new(terms, term_of(models, formula, c));
    for (int r = 0; r < model->n_rivals; r++)
        json_array_append_new(rivals, formula_text(models, &model->rivals[r].formula));
    for (int i = 0; i < models->n_at; i++)
        json_array_append_new(forecasts, forecast_of(models, report_model, i));
    json_object_set_new(object, "formula", formula_text(models, formula));
    json_object_set_new(object, "constant", number(formula->coefficients[0]));
    json_object_set_new(object, "terms", terms);
    json_object_set_new(object, "points", json_integer(model->n_points));
    json_object_set_new(object, "adjusted_r2", number(model->adjusted_r2));
    json_object_set_new(object, "smape", number(model->best.smape));
    json_object_set_new(object, "left_out_smape", number(model->best.left_out_smape));
    json_object_set_new(object, "constant_smape", number(model->constant_smape));
    json_object_set_new(object, "doubts", doubts_of(regression_doubts(model)));
    json_object_set_new(object, "systematic", json_boolean(model->systematic));
    json_object_set_new(object, "rivals", rivals);
    json_object_set_new(object, "forecasts", forecasts);
}

static json_t *model_of(const struct report_models *models, const struct report_model *model)
{
    json_t *object = json_pack("{s:o}", "measure", key_of(model->measure));
    if (models->n_series > 1)
        json_object_set_new(object, "series", json_string(model->series));
    if (model->why[0] != '\0')
        json_object_set_new(object, "no_model", json_string(model->why));
    else
        add_fit(object, models, model);
    return object;
}

static json_t *leads_of(const struct report_models *models)
{
    json_t *array = json_array();
    for (int i = 0; i < models->n_leads; i++) {
        const struct report_lead *lead = &models->leads[i];
        json_t *object = json_pack("{s:s, s:o, s:f}", "group", lead->model->measure->group, "measure",
                                   key_of(lead->model->measure), "from", lead->from);
        if (models->n_series > 1)
            json_object_set_new(object, "series", json_string(lead->model->series));
        json_array_append_new(array, object);
    }
    return array;
}

json_t *models_json(const struct report_models *models)
{
    json_t *parameters = json_array(), *array = json_array();
    for (int p = 0; p < models->n_parameters; p++)
        json_array_append_new(parameters, json_string(models->parameters[p]));
    for (int i = 0; i < models->n_models; i++)
        json_array_append_new(array, model_of(models, &models->models[i]));
    return json_pack("{s:o, s:o, s:o}", "over", parameters, "fits", array, "largest", leads_of(models));
}
