/* The next value of a series of measurements, in the manner of the Network Weather Service: many simple predictors are
 * fed with each measurement, and the one whose forecasts have been best so far makes the next one.
 *
 * Source: R. Wolski, Dynamically forecasting network performance using the Network Weather Service, Cluster Computing
 * 1, 1998; R. Wolski, N. Spring, J. Hayes, The Network Weather Service, Future Generation Computer Systems 15, 1999.
 * Their windows and gains are taken; their autoregressive model is left out.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_PROFILE_PREDICTOR_H
#define SIM_MACHINE_PROFILE_PREDICTOR_H

#include <stdint.h>

#define PREDICTOR_COUNT 24
#define PREDICTOR_WINDOW 51 /* measurements that are remembered; bounds memory and the cost of each measurement */

/* The state of one predictor. Its errors are those of the forecasts that it made for all measurements but the first. */
struct predictor_state {
    double next; /* its forecast of the next measurement */
    double absolute_error_sum, square_error_sum;
    double sorted[PREDICTOR_WINDOW]; /* its window in ascending order, where it needs that */
    int width;                       /* of an adaptive window */
};

struct predictors {
    int64_t count;                   /* of the measurements so far */
    double sum;                      /* of all of them */
    double recent[PREDICTOR_WINDOW]; /* measurement i is at i % PREDICTOR_WINDOW */
    struct predictor_state states[PREDICTOR_COUNT];
};

struct prediction {
    double value;
    const char *predictor; /* "mean of the last 5" */
    int64_t measurements;
    double mean_absolute_error, mean_square_error; /* of the predictor's forecasts so far; 0 where it has made none */
};

void predictors_init(struct predictors *predictors);

/* The next measurement of the series, a finite number. Costs the time of some thousand additions at most. */
void predictors_add(struct predictors *predictors, double value);

/* The forecast of the predictor of that number, 0 to PREDICTOR_COUNT - 1, and of the one with the least mean absolute
 * error, the first of several. There must be a measurement. */
struct prediction predictors_ask(const struct predictors *predictors, int predictor);
struct prediction predictors_best(const struct predictors *predictors);

#endif
