/* Which part of the time grows fastest, of the models of all parts: functions of the message library, or scopes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_GROWTH_H
#define STUDY_GROWTH_H

#include "study/models/models.h"
#include "study/models/parts.h"

#include <stdbool.h>

/* How a formula grows far out. */
enum growth_way {
    GROWTH_UNKNOWN,    /* too few points, or none at the largest place */
    GROWTH_CONSTANT,   /* no formula is better than the mean beyond chance */
    GROWTH_GROWS,      /* as its leading term */
    GROWTH_SHRINKS,    /* as its leading term */
    GROWTH_LEVELS_OFF, /* it rises to a bound */
    GROWTH_FALLS,      /* below 0 in the end, so it is none far out */
};

/* Kinds of names that a row may have. */
enum growth_name {
    GROWTH_NAMED,       /* a function or a scope */
    GROWTH_KIND,        /* that of its only kind */
    GROWTH_NO_FUNCTION, /* PARTS_NO_FUNCTION */
};

struct growth_row {
    enum growth_name type;
    const struct model *model;
    const char *name;       /* of function or scope */
    enum part_kind kind;    /* DOING_MIXED: of several kinds, which are the rows behind it */
    bool is_inner;          /* it is a kind of the last row that is none */
    double first_s, last_s; /* measured at the first and last place, the mean of repetitions; NAN: it is not there */
    double first_share, last_share;
    bool is_told;                        /* there is a formula that could grow, and it holds at the last place */
    struct regression_forecast forecast; /* where it is told; else the last value, without a band */
    double share, share_low, share_high; /* of the sum; the others are off by the root of their bands' squares */
    double exponent;                     /* of the formula between the last place and this one; NAN: none */
    enum growth_way way;
};

/* The growth of the parts over the runs of one series. */
struct growth {
    const char *series;
    int group; /* of parts_groups */
    double first, last, at;
    int n_places;            /* different ones */
    struct growth_row *rows; /* the largest first; on the heap */
    int n_rows;
    const struct model *whole; /* of the time; NULL: there is none */
    struct regression_forecast time;
    double first_time_s, last_time_s, sum_s; /* sum_s: of the rows at `at` */
    int most, fastest; /* the rows of one kind that add most to the time, and grow fastest; -1: none grows */
    int most_measured; /* the same from the first place to the last one; -1: none */
};

/* The models of that series and group of parts, at the i-th place to forecast. Without rows where there are none. */
void growth_make(struct growth *growth, const struct models *models, int series, int group, int at);
/* The same for all series, places and groups, in that order; *count of them, to be disposed of and freed. */
struct growth *growth_make_all(int *count, const struct models *models);
void growth_dispose(struct growth *growth);

/* The formula's leading term, "ranks log2(ranks)"; "" if there is none. */
void growth_term(char *text, size_t size, const struct models *models, const struct growth_row *row);

/* For programs: "grows". */
extern const char *const growth_way_names[];

#endif
