#include "metrics/regression.h"

#include "base/memory.h"
#include "metrics/regression_problem.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAND 0.95
#define NO_WIDTH (100 * REGRESSION_EXACT) /* what is left of exact data is no doubt, not even about a zero */
#define LEAST 1e-150                      /* values and parameters beyond LEAST ... LARGEST would overflow in squares */
#define LARGEST 1e150
#define LARGEST_X 1e30 /* the largest term is x^3 log2(x) */

/* ---- The model ---- */

/* How the terms a and b of the two parameters go together. */
struct shape {
    int n_columns;
    bool uses[REGRESSION_COLUMNS][REGRESSION_PARAMETERS];
};
static const struct shape shapes[] = {
    {1, {{true, true}}},                 /* ab; also a or b where no term of the other one beats the constant */
    {1, {{true, false}}},                /* a, where that of the other one was chance */
    {1, {{false, true}}},                /* b */
    {2, {{true, false}, {false, true}}}, /* a + b */
    {2, {{true, false}, {true, true}}},  /* a + ab */
    {2, {{false, true}, {true, true}}},  /* b + ab */
};
enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

static int solve_shape(struct regression_fit *fit, const struct regression_problem *problem, const struct shape *shape,
                       const struct regression_term *a, const struct regression_term *b)
{
    *fit = (struct regression_fit){.formula.n_columns = shape->n_columns};
    for (int c = 0; c < shape->n_columns; c++) {
        fit->formula.columns[c][0] = shape->uses[c][0] ? *a : regression_one;
        fit->formula.columns[c][1] = shape->uses[c][1] ? *b : regression_one;
    }
    return regression_solve_all(fit, problem);
}

static int by_rank(const void *a, const void *b)
{
    const struct regression_fitted *left = a, *right = b;
    return (left->left_out_smape > right->left_out_smape) - (left->left_out_smape < right->left_out_smape);
}

static struct regression_fitted fitted(const struct regression_problem *problem, const struct regression_fit *fit)
{
    int n = problem->n_points, degrees = n - 1 - fit->formula.n_columns;
    struct regression_fitted result = {fit->formula, fit->smape / n, fit->left_out / n, degrees, INFINITY, {0}};
    double squares = fit->squares - n * REGRESSION_EXACT * REGRESSION_EXACT; /* which assessing has added */
    if (degrees > 0)
        result.deviation = sqrt(fmax(squares, 0) / degrees);
    memcpy(result.inverse, fit->inverse, sizeof result.inverse);
    return result;
}

static void add_rival(struct regression_model *model, const struct regression_problem *problem,
                      const struct regression_fit *fit)
{
    if (model->n_rivals < REGRESSION_MAX_RIVALS)
        model->rivals[model->n_rivals++] = fitted(problem, fit);
}

/* The terms of each parameter that may be right; [0] is the best, or 1 where no term beats the constant. */
struct terms {
    struct regression_term of[REGRESSION_PARAMETERS][REGRESSION_TERMS];
    int count[REGRESSION_PARAMETERS];
};

/* All pairs of terms, in all shapes that there are. */
static struct regression_candidates find_candidates(const struct regression_problem *problem, const struct terms *terms)
{
    int n_a = terms->count[0] > 0 ? terms->count[0] : 1, n_b = terms->count[1] > 0 ? terms->count[1] : 1;
    int n_shapes = terms->count[0] > 0 && terms->count[1] > 0 ? N_SHAPES : 1;
    size_t n = (size_t)(n_a * n_b * n_shapes);
    struct regression_candidates candidates = {.fits = xmalloc(n * sizeof *candidates.fits)};
    for (int s = 0; s < n_shapes; s++)
        for (int a = 0; a < n_a; a++)
            for (int b = 0; b < n_b; b++)
                candidates.count += solve_shape(&candidates.fits[candidates.count], problem, &shapes[s],
                                                &terms->of[0][a], &terms->of[1][b]) == 0;
    return candidates;
}

/* Two columns must forecast left-out points better than one, and lower the squares by more than chance. */
static const struct regression_fit *choose(const struct regression_candidates *candidates, int n_points)
{
    const struct regression_fit *one = regression_find_best(candidates, 1), *two = regression_find_best(candidates, 2);
    int degrees = n_points - 3;
    if (two == NULL || one == NULL || degrees < 1)
        return one;
    bool better = two->left_out < one->left_out && two->squares * regression_growth_bound(degrees) <= one->squares;
    return better ? two : one;
}

/* Of formulas with no more columns than the model, those that explain the points about as well as the best,
 * with so many degrees of freedom. */
static void find_rivals(struct regression_model *model, const struct regression_problem *problem,
                        const struct regression_candidates *candidates, const struct regression_fit *chosen,
                        int degrees)
{
    int n_columns = chosen->formula.n_columns;
    double least = INFINITY, factor = degrees > 0 ? regression_rival_bound(degrees) : INFINITY;
    for (int i = 0; i < candidates->count; i++)
        if (candidates->fits[i].formula.n_columns <= n_columns)
            least = fmin(least, candidates->fits[i].squares);
    for (int i = 0; i < candidates->count; i++) {
        const struct regression_fit *fit = &candidates->fits[i];
        if (fit != chosen && fit->formula.n_columns <= n_columns && fit->squares <= least * factor)
            add_rival(model, problem, fit);
    }
    qsort(model->rivals, (size_t)model->n_rivals, sizeof *model->rivals, by_rank);
}

static double adjusted_r2(const struct regression_problem *problem, const struct regression_fit *fit)
{
    double mean = 0, total = 0, left = 0;
    int n = problem->n_points, degrees = n - 1 - fit->formula.n_columns;
    for (int i = 0; i < n; i++)
        mean += problem->points[i].value / n;
    for (int i = 0; i < n; i++) {
        double value = problem->points[i].value,
               residual = value - regression_formula_value(&fit->formula, problem->points[i].x);
        total += (value - mean) * (value - mean);
        left += residual * residual;
    }
    if (fit->formula.n_columns == 0 || degrees < 1 || !(total > 0))
        return 0;
    return 1 - left / degrees / (total / (n - 1));
}

static void describe(struct regression_model *model, const struct regression_problem *problem,
                     const struct regression_fit *fit)
{
    model->best = fitted(problem, fit);
    model->n_points = problem->n_points;
    model->n_parameters = problem->n_parameters;
    model->relative = problem->relative;
    model->mean_magnitude = problem->magnitude;
    model->sign = !problem->relative ? 0 : problem->points[0].value > 0 ? 1 : -1;
    model->adjusted_r2 = adjusted_r2(problem, fit);
}

/* The coefficients, and one exponent, are what is fitted. */
static int free_degrees(const struct regression_problem *problem, const struct regression_fit *chosen)
{
    return problem->n_points - chosen->formula.n_columns - 2;
}

static void find_model(struct regression_model *model, const struct regression_problem *problem)
{
    struct terms terms = {.of = {{regression_one}, {regression_one}}};
    struct regression_fit constant = {.formula.n_columns = 0};
    const struct regression_fit *chosen = NULL;
    struct regression_candidates candidates = {0}, valley = {0};
    for (int p = 0; p < problem->n_parameters; p++)
        terms.count[p] = regression_find_terms(terms.of[p], problem, p);
    regression_solve_all(&constant, problem);
    if (terms.count[0] > 0 || terms.count[1] > 0) {
        candidates = find_candidates(problem, &terms);
        chosen = choose(&candidates, problem->n_points);
    }
    if (problem->n_parameters == 1)
        valley = regression_find_valley(problem, chosen != NULL ? chosen : &constant);
    if (valley.count > 0) {
        chosen = regression_find_best(&valley, 2);
        find_rivals(model, problem, &valley, chosen, free_degrees(problem, chosen) - 1);
    } else if (chosen != NULL)
        find_rivals(model, problem, &candidates, chosen, free_degrees(problem, chosen));
    describe(model, problem, chosen != NULL ? chosen : &constant);
    model->constant_smape = constant.left_out / problem->n_points;
    free(candidates.fits);
    free(valley.fits);
}

static int check_points(const struct regression_point *points, int n_points, int n_parameters, struct sim_error *error)
{
    for (int i = 0; i < n_points; i++) {
        double magnitude = fabs(points[i].value);
        if (!(magnitude == 0 || (magnitude >= LEAST && magnitude <= LARGEST)))
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                                 "the value %g is no number to make a performance model of", points[i].value);
        for (int p = 0; p < n_parameters; p++)
            if (!(points[i].x[p] > 0 && points[i].x[p] <= LARGEST_X))
                return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                                     "a performance model is of parameters above 0, and here is %g", points[i].x[p]);
    }
    return 0;
}

int regression_fit(struct regression_model *model, const struct regression_point *points, int n_points,
                   int n_parameters, struct sim_error *error)
{
    struct regression_problem problem;
    if (check_points(points, n_points, n_parameters, error) != 0)
        return -1;
    regression_problem_open(&problem, points, n_points, n_parameters);
    int status = 0;
    if (problem.n_points < REGRESSION_MIN_POINTS)
        status = sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "a model needs at least %d different points, not %d",
                               REGRESSION_MIN_POINTS, problem.n_points);
    else {
        *model = (struct regression_model){.n_rivals = 0};
        find_model(model, &problem);
    }
    regression_problem_close(&problem);
    return status;
}

/* ---- What it says ---- */

unsigned regression_doubts(const struct regression_model *model)
{
    bool few = model->n_points < REGRESSION_FEW_POINTS;
    bool scatters = !(model->best.left_out_smape <= REGRESSION_MAX_SCATTER);
    return (few ? (unsigned)REGRESSION_FEW : 0) | (scatters ? (unsigned)REGRESSION_SCATTER : 0);
}

/* Half of the prediction band: t(BAND, degrees) deviation sqrt(s^2 + a^T (A^T A)^-1 a), s the scale of the scatter. */
static double half_band(const struct regression_model *model, const struct regression_fitted *fitted, const double *x,
                        double value)
{
    int n = 1 + fitted->formula.n_columns;
    double row[REGRESSION_COEFFICIENTS] = {1}, scale = model->relative ? fabs(value) : model->mean_magnitude;
    if (fitted->degrees < 1)
        return INFINITY;
    for (int c = 1; c < n; c++)
        row[c] = regression_column_value(fitted->formula.columns[c - 1], x);
    return gsl_cdf_tdist_Qinv((1 - BAND) / 2, fitted->degrees) * fitted->deviation *
           sqrt(scale * scale + regression_leverage(row, fitted->inverse, n));
}

struct regression_forecast regression_forecast(const struct regression_model *model, const double *x)
{
    double value = regression_formula_value(&model->best.formula, x), half = half_band(model, &model->best, x, value);
    struct regression_forecast forecast = {value,        value - half, value + half,
                                           value - half, value + half, regression_doubts(model)};
    for (int r = 0; r < model->n_rivals; r++) {
        double other = regression_formula_value(&model->rivals[r].formula, x);
        half = half_band(model, &model->rivals[r], x, other);
        forecast.low = fmin(forecast.low, other - half);
        forecast.high = fmax(forecast.high, other + half);
    }
    double width = forecast.high - forecast.low;
    if (!(width <= fmax(fabs(value), NO_WIDTH * model->mean_magnitude)))
        forecast.doubts |= REGRESSION_WIDE;
    if (model->sign * value < 0)
        forecast.doubts |= REGRESSION_SIGN;
    return forecast;
}
