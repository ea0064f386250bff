/* Which of two versions is faster, and whether that is more than noise.
 *
 * A version's time is the median of its runs. A difference is more than noise if the rank-sum test says so (noise.h)
 * and it is not too small to matter. Simulated times have no noise.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_VERDICT_H
#define STUDY_COMPARE_VERDICT_H

#include "study/compare/parts.h"

/* The largest p, and the least difference, as a share of the first time, of a difference that is more than noise. */
#define VERDICT_LEVEL 0.01
#define VERDICT_LEAST 0.01

enum verdict_is {
    VERDICT_SAME,     /* the times are equal, to four digits */
    VERDICT_NOISE,    /* no difference beyond noise */
    VERDICT_UNTESTED, /* there is a difference, and too few runs to tell it from noise */
    VERDICT_DIFFERS,
    N_VERDICTS
};
/* As in JSON: same noise untested differs. */
extern const char *const verdict_names[N_VERDICTS];

struct verdict {
    enum verdict_is is;
    double first_s, second_s; /* medians */
    double p, least_p;        /* NAN: both are simulated */
};

/* Compare a version with the first. */
struct verdict verdict_of(const struct compare_version *versions, int version);
/* Compare the values of two sets of runs. */
struct verdict verdict_of_values(const double *first, int n_first, const double *second, int n_second, bool is_exact);
/* True if the runs of both are simulated. */
bool verdict_is_exact(const struct compare_version *versions, int version);

/* Append the first sentence, "v1 is 1.43 times as slow as v0 (4.1 s to 5.9 s): rank 3 computes ...", and what is known
 * of noise. */
void verdict_add(struct builder *line, const struct compare_parts *parts, int version);
void verdict_add_noise(struct builder *line, const struct compare_parts *parts, int version);

#endif
