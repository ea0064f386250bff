/* The 24 predictors of a series, such as means, medians and smoothing, and which of them has been best so far.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/profile/predictor.h"

#include "base/range.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A predictor of the family. `learn` is called before the new measurement is among the recent, `next` after. */
struct predictor_spec {
    const char *name;
    void (*learn)(const struct predictors *all, struct predictor_state *self, const struct predictor_spec *spec,
                  double value);
    double (*next)(const struct predictors *all, const struct predictor_state *self, const struct predictor_spec *spec);
    int window, smallest; /* measurements at most and, of an adaptive window, at least */
    double share;         /* gain of a smoothing; part of the window that is cut off at each end */
};

/* ---- The recent measurements ---- */

/* The measurement `back` places before the last, which is 0. */
static double recent(const struct predictors *all, int back)
{
    return all->recent[(all->count - 1 - back) % PREDICTOR_WINDOW];
}

static double mean_of_last(const struct predictors *all, int window)
{
    int n = (int)int64_min(window, all->count);
    double sum = 0;
    for (int back = 0; back < n; back++)
        sum += recent(all, back);
    return sum / n;
}

/* ---- All measurements, or the last ---- */

static double last_value(const struct predictors *all, const struct predictor_state *self,
                         const struct predictor_spec *spec)
{
    (void)self;
    (void)spec;
    return recent(all, 0);
}

static double running_mean(const struct predictors *all, const struct predictor_state *self,
                           const struct predictor_spec *spec)
{
    (void)self;
    (void)spec;
    return all->sum / (double)all->count;
}

static double window_mean(const struct predictors *all, const struct predictor_state *self,
                          const struct predictor_spec *spec)
{
    (void)self;
    return mean_of_last(all, spec->window);
}

/* ---- Exponential smoothing: the forecast moves by a share of its error ---- */

static void smooth(const struct predictors *all, struct predictor_state *self, const struct predictor_spec *spec,
                   double value)
{
    self->next = all->count == 0 ? value : self->next + spec->share * (value - self->next);
}

static double keep_next(const struct predictors *all, const struct predictor_state *self,
                        const struct predictor_spec *spec)
{
    (void)all;
    (void)spec;
    return self->next;
}

/* ---- Windows in order of size: median, trimmed mean ---- */

/* The oldest measurement of a full window leaves it, the new one enters, and those between move by one place. */
static void keep_sorted(const struct predictors *all, struct predictor_state *self, const struct predictor_spec *spec,
                        double value)
{
    int n = (int)int64_min(spec->window, all->count), place = n;
    if (n == spec->window) {
        double oldest = recent(all, n - 1);
        for (place = 0; self->sorted[place] != oldest;)
            place++;
    }
    for (; place > 0 && self->sorted[place - 1] > value; place--)
        self->sorted[place] = self->sorted[place - 1];
    for (; place + 1 < n && self->sorted[place + 1] < value; place++)
        self->sorted[place] = self->sorted[place + 1];
    self->sorted[place] = value;
}

/* The mean without that share of the window at each end; with a share of a half, the median. */
static double trimmed_mean(const struct predictors *all, const struct predictor_state *self,
                           const struct predictor_spec *spec)
{
    int n = (int)int64_min(spec->window, all->count);
    int cut = (int)int64_min((n - 1) / 2, (int64_t)(spec->share * n));
    double sum = 0;
    for (int i = cut; i < n - cut; i++)
        sum += self->sorted[i];
    return sum / (n - 2 * cut);
}

/* ---- Adaptive windows: one measurement wider or narrower, where that would have forecast the last one better ---- */

static void adapt_width(const struct predictors *all, struct predictor_state *self, const struct predictor_spec *spec,
                        double value)
{
    if (all->count == 0) {
        self->width = spec->smallest;
        return;
    }
    static const int steps[] = {0, -1, 1};
    double least = INFINITY;
    int best = self->width;
    for (int i = 0; i < 3; i++) {
        int width = self->width + steps[i];
        if (width < spec->smallest || width > spec->window)
            continue;
        double error = fabs(mean_of_last(all, width) - value);
        if (error < least) {
            least = error;
            best = width;
        }
    }
    self->width = best;
}

static double adaptive_mean(const struct predictors *all, const struct predictor_state *self,
                            const struct predictor_spec *spec)
{
    (void)spec;
    return mean_of_last(all, self->width);
}

/* ---- The family ---- */

static const struct predictor_spec specs[PREDICTOR_COUNT] = {
    {"last value", NULL, last_value, 1, 0, 0},
    {"running mean", NULL, running_mean, 1, 0, 0},
    {"mean of the last 5", NULL, window_mean, 5, 0, 0},
    {"mean of the last 10", NULL, window_mean, 10, 0, 0},
    {"mean of the last 20", NULL, window_mean, 20, 0, 0},
    {"mean of the last 30", NULL, window_mean, 30, 0, 0},
    {"mean of the last 50", NULL, window_mean, 50, 0, 0},
    {"median of the last 5", keep_sorted, trimmed_mean, 5, 0, 0.5},
    {"median of the last 11", keep_sorted, trimmed_mean, 11, 0, 0.5},
    {"median of the last 31", keep_sorted, trimmed_mean, 31, 0, 0.5},
    {"trimmed mean of the last 31", keep_sorted, trimmed_mean, 31, 0, 0.3},
    {"trimmed mean of the last 51", keep_sorted, trimmed_mean, 51, 0, 0.3},
    {"smoothing by 5 %", smooth, keep_next, 0, 0, 0.05},
    {"smoothing by 10 %", smooth, keep_next, 0, 0, 0.10},
    {"smoothing by 15 %", smooth, keep_next, 0, 0, 0.15},
    {"smoothing by 20 %", smooth, keep_next, 0, 0, 0.20},
    {"smoothing by 30 %", smooth, keep_next, 0, 0, 0.30},
    {"smoothing by 40 %", smooth, keep_next, 0, 0, 0.40},
    {"smoothing by 50 %", smooth, keep_next, 0, 0, 0.50},
    {"smoothing by 75 %", smooth, keep_next, 0, 0, 0.75},
    {"smoothing by 90 %", smooth, keep_next, 0, 0, 0.90},
    {"adaptive mean of the last 5 to 21", adapt_width, adaptive_mean, 21, 5, 0},
    {"adaptive mean of the last 21 to 51", adapt_width, adaptive_mean, 51, 21, 0},
    {"adaptive mean of the last 1 to 5", adapt_width, adaptive_mean, 5, 1, 0},
};

void predictors_init(struct predictors *predictors)
{
    memset(predictors, 0, sizeof *predictors);
}

void predictors_add(struct predictors *predictors, double value)
{
    assert(isfinite(value));
    for (int i = 0; i < PREDICTOR_COUNT; i++) {
        struct predictor_state *state = &predictors->states[i];
        double error = predictors->count > 0 ? state->next - value : 0;
        state->absolute_error_sum += fabs(error);
        state->square_error_sum += error * error;
        if (specs[i].learn != NULL)
            specs[i].learn(predictors, state, &specs[i], value);
    }
    predictors->recent[predictors->count++ % PREDICTOR_WINDOW] = value;
    predictors->sum += value;
    for (int i = 0; i < PREDICTOR_COUNT; i++)
        predictors->states[i].next = specs[i].next(predictors, &predictors->states[i], &specs[i]);
}

struct prediction predictors_ask(const struct predictors *predictors, int predictor)
{
    assert(predictors->count > 0 && predictor >= 0 && predictor < PREDICTOR_COUNT);
    const struct predictor_state *state = &predictors->states[predictor];
    double forecasts = predictors->count > 1 ? (double)(predictors->count - 1) : 1;
    return (struct prediction){.value = state->next,
                               .predictor = specs[predictor].name,
                               .measurements = predictors->count,
                               .mean_absolute_error = state->absolute_error_sum / forecasts,
                               .mean_square_error = state->square_error_sum / forecasts};
}

struct prediction predictors_best(const struct predictors *predictors)
{
    int best = 0;
    for (int i = 1; i < PREDICTOR_COUNT; i++)
        if (predictors->states[i].absolute_error_sum < predictors->states[best].absolute_error_sum)
            best = i;
    return predictors_ask(predictors, best);
}
