/* Conditions of rows, "ranks=64", "broadcast!=flat", "time_s<10ms": a name, an operator and a value.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_CONDITION_H
#define BASE_CONDITION_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct condition {
    const char *name, *op, *value; /* op is one of = != < <= > >= */
};

/* Cut a text into a name, an operator and a value, which are parts of it. */
int condition_parse(struct condition *condition, char *text, struct sim_error *error);

/* The units that a number may have. */
enum condition_unit {
    CONDITION_SIZE,  /* of size; it becomes bytes */
    CONDITION_TIME,  /* of time; it becomes seconds */
    CONDITION_RATIO, /* none */
};
/* Parse a number, with a unit or without: -1, and why. */
int condition_number(double *number, const char *text, enum condition_unit unit, char *why, size_t why_size);

/* True if an operator compares the order, so that it is for numbers alone. */
bool condition_is_order(const struct condition *condition);
/* True if two things, of which `order` is below 0, 0 or above 0, fulfill it. */
bool condition_holds(const struct condition *condition, int order);

#endif
