/* Laws by which the numbers of a STOCHASTIC profile are drawn, with SimGrid's names: DET NUMBER, NORM MEAN DEVIATION,
 * EXP RATE, UNIF LEAST MOST. A random number is a pure function of its place, so that runs repeat.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_PROFILE_LAW_H
#define SIM_MACHINE_PROFILE_LAW_H

#include <stdbool.h>
#include <stdint.h>

enum law_kind { LAW_SAME, LAW_NORMAL, LAW_EXPONENTIAL, LAW_UNIFORM };

struct law {
    enum law_kind kind;
    double first, second;
};

bool law_is_name(const char *word);

/* The law of a line's next words, of which `name`, which may be NULL, is the first and `rest` strtok_r()'s; false if
 * they say none. */
bool law_read(struct law *law, const char *name, char **rest);

/* The i-th number. */
double law_draw(const struct law *law, uint64_t i);

/* A decimal number without unit and without minus, as strtod() reads it in every locale that simrun runs in; -1 if the
 * word, which may be NULL, is none. */
int law_number(double *value, const char *word);

/* True if the word has no letters but those of a decimal number. */
bool law_has_digits_only(const char *word);

#endif
