/* Finds the model of a measure: the best term or terms, rivals, bands, and whether the data support it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/regression.h"

#include "base/memory.h"
#include "base/sort.h"
#include "model/distributions.h"
#include "model/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALLEY_RISK 0.05 /* of taking noise for a second term */
#define NOISE_RISK 0.01  /* of taking noise for what a formula lacks */
#define ROUNDING 1e-9    /* a constant that is less of the mean value is none */
#define LEAST 1e-150     /* values and parameters beyond LEAST ... LARGEST would overflow in squares */
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
    if (fabs(result.formula.coefficients[0]) < ROUNDING * problem->magnitude)
        result.formula.coefficients[0] = 0;
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

/* Find the rivals: formulas with no more columns than the model that explain the points about as well as the best, with
 * so many degrees of freedom. */
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

/* True if what a formula leaves may be what it lacks: repetitions do not show that it is noise. */
static bool is_systematic(const struct regression_problem *problem, const struct regression_fit *fit)
{
    int degrees = problem->n_points - 1 - fit->formula.n_columns;
    if (problem->noise_degrees == 0 || degrees < 1)
        return true;
    return fit->squares / degrees > problem->noise * fisher_f_upper(NOISE_RISK, degrees, problem->noise_degrees);
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
    model->systematic = is_systematic(problem, fit);
    model->adjusted_r2 = adjusted_r2(problem, fit);
}

/* The coefficients, and one exponent, are what is fitted. */
static int free_degrees(const struct regression_problem *problem, const struct regression_fit *chosen)
{
    return problem->n_points - chosen->formula.n_columns - 2;
}

/* ---- Sums of a falling and a growing term ---- */

/* A coefficient and an exponent more than one term has: F(1 - risk; 2, d), whose bound is 1 + 2 F / d = risk^(-2 /
 * d). */
static bool explains_more(const struct regression_fit *valley, double squares, int n_points, double risk)
{
    int degrees = n_points - 5;
    return degrees > 0 && valley->squares * pow(risk, -2.0 / degrees) <= squares;
}

/* NULL if none is better than the one term beyond chance. */
static const struct regression_fit *choose_valley(const struct regression_candidates *valleys,
                                                  const struct regression_problem *problem,
                                                  const struct regression_fit *one)
{
    const struct regression_fit *best = regression_find_best(valleys, 2);
    if (best == NULL || best->left_out >= one->left_out)
        return NULL;
    double squares = fmin(one->squares, regression_least_alone(problem));
    return explains_more(best, squares, problem->n_points, VALLEY_RISK) ? best : NULL;
}

/* Add rivals to a model of one term: where nothing shows its residuals to be noise, each sum that leaves less may be
 * right. */
static void add_valleys(struct regression_model *model, const struct regression_problem *problem,
                        const struct regression_candidates *valleys, const struct regression_fit *one)
{
    double risk = is_systematic(problem, one) ? 1 : VALLEY_RISK;
    for (int i = 0; i < valleys->count; i++)
        if (explains_more(&valleys->fits[i], one->squares, problem->n_points, risk))
            add_rival(model, problem, &valleys->fits[i]);
}

/* ---- All together ---- */

static void find_model(struct regression_model *model, const struct regression_problem *problem)
{
    struct terms terms = {.of = {{regression_one}, {regression_one}}};
    struct regression_fit constant = {.formula.n_columns = 0};
    const struct regression_fit *chosen = NULL;
    struct regression_candidates candidates = {0}, valleys = {0};
    for (int p = 0; p < problem->n_parameters; p++)
        terms.count[p] = regression_find_terms(terms.of[p], problem, p);
    regression_solve_all(&constant, problem);
    if (terms.count[0] > 0 || terms.count[1] > 0) {
        candidates = find_candidates(problem, &terms);
        chosen = choose(&candidates, problem->n_points);
    }
    if (problem->n_parameters == 1)
        valleys = regression_find_valleys(problem);
    const struct regression_fit *valley = choose_valley(&valleys, problem, chosen != NULL ? chosen : &constant);
    if (valley != NULL) {
        find_rivals(model, problem, &valleys, valley, free_degrees(problem, valley) - 1);
        chosen = valley;
    } else if (chosen != NULL) {
        find_rivals(model, problem, &candidates, chosen, free_degrees(problem, chosen));
        add_valleys(model, problem, &valleys, chosen);
    }
    sort_stable(model->rivals, (size_t)model->n_rivals, sizeof *model->rivals, by_rank);
    describe(model, problem, chosen != NULL ? chosen : &constant);
    model->constant_smape = constant.left_out / problem->n_points;
    free(candidates.fits);
    free(valleys.fits);
}

/* ---- The largest points ---- */

static int by_number(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The value of a parameter above which lies the largest quarter of its values. */
static double find_limit(const struct regression_problem *problem, int parameter)
{
    int n = 0;
    double *values = xmalloc((size_t)problem->n_points * sizeof *values);
    for (int i = 0; i < problem->n_points; i++)
        values[i] = problem->points[i].x[parameter];
    sort_stable(values, (size_t)problem->n_points, sizeof *values, by_number);
    for (int i = 0; i < problem->n_points; i++)
        if (i == 0 || values[i] != values[n - 1])
            values[n++] = values[i];
    double limit = values[n - 1 - (n + 1) / 4];
    free(values);
    return limit;
}

static bool is_within(const struct regression_point *point, const double *limits, int n_parameters)
{
    for (int p = 0; p < n_parameters; p++)
        if (point->x[p] > limits[p])
            return false;
    return true;
}

/* Model the points that are not among the largest: find the model in them, and take as a rival the formula that was
 * found in all. */
static void model_smaller(struct regression_model *smaller, const struct regression_formula *formula,
                          const struct regression_point *points, int n_points, int n_parameters)
{
    struct regression_problem problem;
    struct regression_fit same = {.formula = *formula};
    regression_problem_open(&problem, points, n_points, n_parameters);
    find_model(smaller, &problem);
    if (regression_solve_all(&same, &problem) == 0)
        add_rival(smaller, &problem, &same);
    regression_problem_close(&problem);
}

/* How far a point is off its forecast, in halves of the band. */
static double miss_of(const struct regression_model *smaller, const struct regression_point *point)
{
    struct regression_forecast forecast = regression_forecast(smaller, point->x);
    double miss = point->value - forecast.value;
    double half = miss > 0 ? forecast.high - forecast.value : forecast.value - forecast.low;
    double least = smaller->relative ? fabs(point->value) : smaller->mean_magnitude;
    return miss / fmax(half, REGRESSION_NO_WIDTH * least);
}

static void check_largest(struct regression_model *model, const struct regression_problem *problem)
{
    struct regression_point *points = xmalloc((size_t)problem->n_points * sizeof *points);
    struct regression_model *smaller = xcalloc(1, sizeof *smaller);
    double limits[REGRESSION_PARAMETERS];
    int n = 0, n_parameters = problem->n_parameters;
    for (int p = 0; p < n_parameters; p++)
        limits[p] = find_limit(problem, p);
    for (int i = 0; i < problem->n_points; i++)
        if (is_within(&problem->points[i], limits, n_parameters))
            points[n++] = problem->points[i];
    if (n > REGRESSION_MIN_POINTS)
        model_smaller(smaller, &model->best.formula, points, n, n_parameters);
    for (int i = 0; n > REGRESSION_MIN_POINTS && i < problem->n_points; i++) {
        double miss = is_within(&problem->points[i], limits, n_parameters) ? 0 : miss_of(smaller, &problem->points[i]);
        if (fabs(miss) > fabs(model->miss))
            model->miss = miss;
    }
    free(points);
    free(smaller);
}

/* ---- Points ---- */

static int check_points(const struct regression_point *points, int n_points, int n_parameters, struct sim_error *error)
{
    for (int i = 0; i < n_points; i++) {
        double magnitude = fabs(points[i].value);
        if (!(magnitude == 0 || (magnitude >= LEAST && magnitude <= LARGEST)))
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "the value %g cannot be modeled", points[i].value);
        for (int p = 0; p < n_parameters; p++)
            if (!(points[i].x[p] > 0 && points[i].x[p] <= LARGEST_X))
                return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                                     "parameters of a performance model must be above 0 and at most %g; found %g",
                                     (double)LARGEST_X, points[i].x[p]);
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
        check_largest(model, &problem);
    }
    regression_problem_close(&problem);
    return status;
}
