/* Performance models of the measures of a sweep: what is asked for, and what is found.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_MODELS_H
#define STUDY_MODELS_H

#include "base/error.h"
#include "model/regression.h"
#include "study/run.h"

#include <stdbool.h>

/* A table of runs of whose rows models are made: a row is about `count` things of a mean size, amount / count. */
struct models_table {
    enum table_id id;
    size_t amount, count; /* the columns, by their places in the row's struct */
};
extern const struct models_table models_tables[]; /* the last has the identity N_TABLES */

/* The mean size in a row; NAN where there is nothing. */
double models_amount(const struct result_table *table, size_t row, const struct models_table *spec);
const char *models_amount_name(const struct models_table *spec);

#define MODELS_AMOUNT (-1) /* in place of a parameter: the mean size in the rows of the table */

struct models_request {
    /* "time_s,overhead_ratio.idle"; a group stands for all its measures. NULL: the time, and what it consists of
     * (study/models/parts.h). */
    const char *measures;
    int n_parameters;
    int parameters[REGRESSION_PARAMETERS]; /* indices into those of a run, or MODELS_AMOUNT */
    const struct models_table *table;      /* NULL: models are made of the runs */
    double (*at)[REGRESSION_PARAMETERS];   /* where to extrapolate to; on the heap */
    int n_at;
};

/* One measure of one series, the runs that differ in nothing but the parameters of the model. */
struct model {
    const struct measure *measure; /* of some run: its names and type */
    const char *series;            /* "broadcast neighbour"; "" where nothing else varies */
    char why[160];                 /* no model: the reason; else "" */
    enum unit quantity;            /* of the values: UNIT_NUMBER if `unit` says it, or nothing does */
    const char *unit;              /* "J", "s", as a table has it; "": it does not say; NULL: no table */
    bool unit_in_name;             /* the measure's name ends with it */
    bool never_negative;           /* no value can be below zero */
    struct regression_model model;
    struct regression_point *points; /* n_points of them, in the order of the runs */
    int n_points;
    struct regression_forecast *forecasts; /* n_at of them */
    struct regression_proposal *next;      /* measurements that could be made, the one to make first; the cost is in
                                              processor seconds, 1 if no time is known; narrowing is NAN: to test */
    int n_next;
};

/* The model whose value is largest from x on, among the models of one group and series. */
struct models_lead {
    const struct model *model;
    double from;
    bool starts; /* the first of its group and series */
};

struct models {
    bool explains;  /* they are of the time and what it consists of: which part grows is the answer */
    bool simulated; /* what is modeled scatters by nothing */
    int n_parameters;
    const char *parameters[REGRESSION_PARAMETERS];
    bool over_ranks;                                                  /* the first parameter is their number */
    bool are_ranks[REGRESSION_PARAMETERS];                            /* the same of each */
    double first[REGRESSION_PARAMETERS], last[REGRESSION_PARAMETERS]; /* of the runs */
    double (*at)[REGRESSION_PARAMETERS];
    int n_at;
    struct model *models;
    int n_models;
    struct models_lead *leads; /* of models of one parameter */
    int n_leads;
    char **series;
    int n_series;
    char *along; /* "W, p": parameters that vary, but have one value at each place; "" if none does */
    struct measure
        *columns; /* of the table that models are made of, as measures, whose value is their place; else NULL */
};

/* Fit, and take request->at over, also after an error: if no run has a measure, or there is no model at all. */
int models_make(struct models *models, const struct study *study, const struct models_request *request,
                struct sim_error *error);
void models_dispose(struct models *models);

/* The same in steps, of points that are in a model already: fit it; then, of all, an error if there is none. */
void models_fit(struct model *model, const struct models *models);
int models_check(const struct models *models, struct sim_error *error);

/* How many times the value at the last measured place it is at the first one to predict; NAN where there is no model,
 * or one of these is not above 0. */
double models_factor(const struct models *models, const struct model *model);

/* The forecast of a model at a place. The band ends at 0 where the measure cannot be below it. */
struct regression_forecast models_forecast(const struct model *model, const double *place);

/* To draw a model of one parameter: places 0 ... MODELS_CURVE_STEPS, from the first run to the last forecast, each so
 * many times the one before. */
#define MODELS_CURVE_STEPS 32
double models_curve_place(const struct models *models, int step);

/* Why a forecast is doubted, in words, and the key of it in JSON; NULL after the last. */
struct models_doubt {
    unsigned doubt;
    const char *key, *words;
};
extern const struct models_doubt models_doubts[];

#endif
