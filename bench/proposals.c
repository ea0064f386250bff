/* The measurement that regression proposes, beside others: how much narrower the band becomes, and what that costs, on
 * planted laws. The table of docs/explain/models/regression.md.
 *
 *     proposals [CASES]      so many of each design; by default 1000
 *
 * Laws have a term, drawn from all, that is 1 to 100 times the constant where it is largest. Points lie at 2, 4, 8 ...;
 * the place that is asked lies at eight times the last. A measurement at x takes the law's value times x, as on x
 * processors. Widths are those of the band of one more measurement, in the geometric mean.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "random.h"
#include "model/regression.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_MEASUREMENTS = 64, AHEAD = 8 };

struct design {
    int n_points, repetitions;
    double noise;
};

enum way { PROPOSED, PROPOSED_WITHIN, LARGEST_AGAIN, ANY, N_WAYS };

struct tally {
    int cases;
    double widths[N_WAYS], costs[N_WAYS], said; /* sums of logarithms */
};

struct sample {
    struct regression_formula law;
    struct regression_point points[MOST_MEASUREMENTS];
    int n;
    double last, noise;
    int repetitions;
};

static double law_at(const struct regression_formula *law, double x)
{
    const double place[REGRESSION_PARAMETERS] = {x, 1, 1, 1};
    return regression_formula_value(law, place);
}

static void measure(struct sample *sample, double x, uint64_t *state)
{
    for (int r = 0; r < sample->repetitions; r++)
        sample->points[sample->n++] =
            (struct regression_point){{x}, law_at(&sample->law, x) * (1 + sample->noise * gauss(state))};
}

static void draw(struct sample *sample, const struct design *design, uint64_t *state)
{
    *sample = (struct sample){.law.n_columns = 1,
                              .last = ldexp(1, design->n_points),
                              .noise = design->noise,
                              .repetitions = design->repetitions};
    double share = pow(100, uniform(state)), largest = 0;
    const struct regression_term *term = &regression_terms[(int)(uniform(state) * REGRESSION_TERMS)];
    for (int i = 1; i <= design->n_points; i++)
        largest = fmax(largest, regression_term_value(term, ldexp(1, i)));
    sample->law.columns[0][0] = *term;
    sample->law.coefficients[0] = 1;
    sample->law.coefficients[1] = share / largest;
    for (int i = 1; i <= design->n_points; i++)
        measure(sample, ldexp(1, i), state);
}

static double width_at(const struct regression_model *model, const double *far)
{
    struct regression_forecast forecast = regression_forecast(model, far);
    return forecast.high - forecast.low;
}

static double cost_of(const struct sample *sample, double x)
{
    return x * law_at(&sample->law, x);
}

/* The place that is proposed, at most at `limit`; in *said the width that is said. */
static double propose(double *said, const struct sample *sample, const struct regression_model *model,
                      const double *far, double limit)
{
    struct regression_proposal *places;
    int n = regression_find_places(&places, sample->points, sample->n, 1, (const double[]){limit}, true);
    for (int i = 0; i < n; i++)
        places[i].cost = cost_of(sample, places[i].x[0]);
    regression_propose(places, n, model, far);
    double place = places[0].x[0];
    *said = places[0].narrowing;
    free(places);
    return place;
}

static void try_case(struct tally *tally, const struct design *design, uint64_t *state)
{
    static struct regression_model model, after;
    struct sample sample;
    struct sim_error error;
    draw(&sample, design, state);
    const double far[REGRESSION_PARAMETERS] = {AHEAD * sample.last, 1, 1, 1};
    if (regression_fit(&model, sample.points, sample.n, 1, &error) != 0)
        return;
    double said, within, before = width_at(&model, far);
    const double places[N_WAYS] = {
        [PROPOSED] = propose(&said, &sample, &model, far, far[0]),
        [PROPOSED_WITHIN] = propose(&within, &sample, &model, far, sample.last * 1.5),
        [LARGEST_AGAIN] = sample.last,
        [ANY] = ldexp(2, (int)(uniform(state) * design->n_points)),
    };
    for (int way = 0; way < N_WAYS; way++) {
        struct sample more = sample;
        measure(&more, places[way], state);
        if (regression_fit(&after, more.points, more.n, 1, &error) != 0)
            return;
        tally->widths[way] += log(width_at(&after, far) / before);
        tally->costs[way] += log(cost_of(&sample, places[way]) / cost_of(&sample, sample.last));
    }
    tally->said += log(said);
    tally->cases++;
}

int main(int argc, char **argv)
{
    static const struct design designs[] = {{5, 2, 0.02}, {5, 5, 0.05}, {5, 5, 0.1}, {7, 1, 0.02},
                                            {7, 2, 0.05}, {7, 5, 0.1},  {7, 5, 0.2}};
    int n_cases = argc > 1 ? atoi(argv[1]) : 1000;
    if (n_cases < 1)
        return fprintf(stderr, "proposals: the number of cases is 1 and more\n"), 2;
    printf("| points x repetitions | noise | proposed | as said | proposed of those measured | the largest again | "
           "any again |\n|---|---|---|---|---|---|---|\n");
    for (size_t d = 0; d < sizeof designs / sizeof designs[0]; d++) {
        struct tally tally = {0};
        uint64_t state = 20130817 + d;
        for (int i = 0; i < n_cases; i++)
            try_case(&tally, &designs[d], &state);
        printf("| %d x %d | %.0f %% ", designs[d].n_points, designs[d].repetitions, 100 * designs[d].noise);
        for (int way = 0; way < N_WAYS; way++) {
            printf("| %.2f for %.2f ", exp(tally.widths[way] / tally.cases), exp(tally.costs[way] / tally.cases));
            if (way == PROPOSED)
                printf("| %.2f ", exp(tally.said / tally.cases));
        }
        printf("|\n");
    }
    return 0;
}
