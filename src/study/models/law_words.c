/* Says the formula of a model in words.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/law_words.h"

#include "base/builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDE 1000 /* a band so many times the value decides on the unit */

/* ---- Terms ---- */

static const char *name_of(const struct models *models, int p)
{
    return models->are_ranks[p] ? "the ranks" : models->parameters[p];
}

/* "the square of n", of n^2; an exponent below 0 is "the inverse" of that. */
static void add_power(struct builder *text, const struct regression_term *term, const char *name)
{
    static const struct {
        int numerator, denominator;
        const char *word;
    } words[] = {{2, 1, "square"}, {3, 1, "cube"}, {1, 2, "square root"}, {1, 3, "cube root"}, {1, 4, "fourth root"}};
    int numerator = abs(term->numerator);
    const char *inverse = term->numerator < 0 ? "inverse " : "";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].numerator == numerator && words[i].denominator == term->denominator) {
            builder_add(text, "the %s%s of %s", inverse, words[i].word, name);
            return;
        }
    if (numerator == 1 && term->denominator == 1)
        builder_add(text, inverse[0] != '\0' ? "the inverse of %s" : "%s", name);
    else
        builder_add(text, "the %spower %d/%d of %s", inverse, numerator, term->denominator, name);
}

/* "the square of n and the logarithm of the ranks", a product: powers first, so that no logarithm seems to be of what
 * comes behind it. */
static void add_product(struct builder *text, const struct models *models, const struct regression_term *column)
{
    const char *before = "";
    for (int p = 0; p < models->n_parameters; p++)
        if (column[p].numerator != 0) {
            builder_add(text, "%s", before);
            add_power(text, &column[p], name_of(models, p));
            before = " and ";
        }
    for (int p = 0; p < models->n_parameters; p++)
        if (column[p].logs != 0) {
            builder_add(text, "%sthe %slogarithm of %s", before, column[p].logs == 2 ? "squared " : "",
                        name_of(models, p));
            before = " and ";
        }
}

/* ---- Summands ---- */

/* How a summand goes with its parameters: up if all of it rises, down if all of it falls, 0 if it does both. */
static int find_slope(const struct models *models, const struct regression_term *column)
{
    bool rises = false, falls = false;
    for (int p = 0; p < models->n_parameters; p++) {
        falls |= column[p].numerator < 0;
        rises |= column[p].numerator > 0 || (column[p].numerator == 0 && column[p].logs > 0);
    }
    return rises && falls ? 0 : rises ? 1 : -1;
}

static const char *find_verb(int slope, double coefficient)
{
    if (slope == 0)
        return coefficient > 0 ? "goes with" : "goes against";
    if (slope > 0)
        return coefficient > 0 ? "grows with" : "falls with";
    return coefficient > 0 ? "falls as" : "grows toward a bound, as";
}

/* The columns in the order in which they are said: what falls comes first, as something else grows later. */
static void find_order(int *order, const struct models *models, const struct regression_formula *formula)
{
    int first = 0, last = formula->n_columns - 1;
    for (int i = last; i >= 0; i--)
        order[find_slope(models, formula->columns[i]) < 0 ? first++ : last--] = i;
}

static void add_law(struct builder *text, const struct models *models, const struct regression_formula *formula)
{
    int order[REGRESSION_COLUMNS];
    const char *last = "", *between = " ";
    find_order(order, models, formula);
    for (int i = 0; i < formula->n_columns; i++) {
        const struct regression_term *column = formula->columns[order[i]];
        int slope = find_slope(models, column);
        const char *verb = find_verb(slope, formula->coefficients[1 + order[i]]);
        bool is_same = strcmp(verb, last) == 0;
        builder_add(text, "%s%s ", is_same ? ", " : between, is_same ? "plus" : verb);
        add_product(text, models, column);
        between = slope < 0 ? ", then " : " and ";
        last = verb;
    }
}

/* ---- What it says further out ---- */

void law_add_place(struct builder *text, const struct models *models, const double *place)
{
    for (int p = 0; p < models->n_parameters; p++) {
        builder_add(text, "%s", p > 0 ? ", " : "");
        if (!models->are_ranks[p])
            builder_add(text, "%s = ", models->parameters[p]);
        builder_add(text, place[p] < 1e9 && place[p] == floor(place[p]) ? "%.0f" : "%.4g", place[p]);
        if (models->are_ranks[p])
            builder_add(text, place[p] == 1 ? " rank" : " ranks");
    }
}

void law_add_number(struct builder *text, double value)
{
    double magnitude = fabs(value), unit = magnitude > 0 ? pow(10, floor(log10(magnitude)) - 2) : 1;
    if (magnitude >= 1e3 && magnitude < 1e9)
        builder_add(text, "%.0f", round(value / unit) * unit);
    else
        builder_add(text, "%.3g", value);
}

static void add_forecast(struct builder *text, const struct model *model, const struct regression_forecast *forecast)
{
    double high = fabs(forecast->high);
    struct scale scale = {1, model->unit != NULL ? model->unit : "", 0};
    if (model->quantity == UNIT_SECONDS || model->quantity == UNIT_BYTES)
        scale = scale_for(model->quantity, fmax(fabs(forecast->value), isfinite(high) ? high / WIDE : 0));
    law_add_number(text, forecast->value * scale.factor);
    builder_add(text, "%s%s", scale.name[0] != '\0' ? " " : "", scale.name);
    if (isfinite(forecast->low) && isfinite(forecast->high)) {
        builder_add(text, ", ");
        law_add_number(text, forecast->low * scale.factor);
        builder_add(text, " to ");
        law_add_number(text, forecast->high * scale.factor);
    }
    if (forecast->doubts & REGRESSION_UNSUPPORTED)
        builder_add(text, ", not supported by the data");
}

void law_add_name(struct builder *text, const struct model *model)
{
    const char *group = model->measure->of->group;
    builder_add(text, "%s%s%s%s%s", group, group[0] != '\0' ? "." : "", model->measure->of->name,
                model->series[0] != '\0' ? ", " : "", model->series);
}

char *law_describe(const struct models *models, const struct model *model)
{
    struct builder text = {0};
    if (model->why[0] != '\0')
        return NULL;
    law_add_name(&text, model);
    builder_add(&text, model->series[0] != '\0' ? "," : "");
    add_law(&text, models, &model->model.best.formula);
    if (model->model.best.formula.n_columns == 0)
        builder_add(&text, " does not grow with %s beyond chance", name_of(models, 0));
    if (models->n_at > 0) {
        builder_add(&text, "; at ");
        law_add_place(&text, models, models->at[models->n_at - 1]);
        builder_add(&text, " ");
        add_forecast(&text, model, &model->forecasts[models->n_at - 1]);
    }
    return builder_take(&text);
}
