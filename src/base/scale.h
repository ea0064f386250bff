/* Numbers for readers: in which unit and with how many digits a value, or a column of values, is written. The only
 * place where that is decided; text with units is read in base/units.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_SCALE_H
#define BASE_SCALE_H

#include <stddef.h>

/* The kind of quantity that a number is. Inside the program numbers are in the base unit. */
enum unit {
    UNIT_TEXT,       /* no number */
    UNIT_COUNT,      /* whole */
    UNIT_SECONDS,    /* ns us ms s years */
    UNIT_BYTES,      /* B kB MB GB */
    UNIT_BANDWIDTH,  /* bytes in a second */
    UNIT_RATIO,      /* of two quantities of one kind */
    UNIT_SHARE,      /* of a whole: in percent */
    UNIT_DIFFERENCE, /* from what it is held against, as a share of it: in percent, with its sign */
    UNIT_SLOWDOWN,   /* how many times as long as the best */
    UNIT_NUMBER,     /* of any magnitude, and of a unit that its name says */
};

/* A unit that fits the largest of several values, and the digits behind the point. */
struct scale {
    double factor;    /* from the base unit */
    const char *name; /* "" where the unit has none */
    int decimals;
};

struct scale scale_for(enum unit unit, double largest);
/* The same unit with three digits of the least value, three decimals at most. */
struct scale scale_digits(struct scale scale, double least);
/* A value alone, in the unit that fits it: "7.026 s", "629.1 MB", "17.4 %", "x 1.25", "-" of what is not a number. */
const char *scale_format(char *text, size_t size, enum unit unit, double value);

#endif
