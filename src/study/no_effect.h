/* Changes that change nothing, and why.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_NO_EFFECT_H
#define STUDY_NO_EFFECT_H

#include "study/run.h"

enum no_effect_reason {
    NO_EFFECT_UNUSED,      /* nothing at all changes */
    NO_EFFECT_SAME_WAYS,   /* another routing, and nothing at all changes */
    NO_EFFECT_NO_MESSAGES, /* nothing at all changes, and nothing is sent */
    NO_EFFECT_ZERO,        /* the component that it concerns takes no time */
    NO_EFFECT_UNCONTENDED, /* another network, but no message waits for another */
    NO_EFFECT_OFF_PATH,    /* something changes, the critical path does not */
    NO_EFFECT_SAME_PATH,   /* the same, though what the parameter concerns is on the path */
    NO_EFFECT_BALANCED,    /* the critical path changes, its length does not */
    NO_EFFECT_CHOSEN,      /* one value, `fastest`, stood for the other */
    N_NO_EFFECT_REASONS
};
extern const char *const no_effect_reason_names[N_NO_EFFECT_REASONS];

/* Values of a parameter between which the time is the same to the last picosecond. */
struct no_effect {
    int parameter; /* its index */
    enum no_effect_reason reason;
    bool all;                 /* no value makes a difference */
    int n_settings, n_others; /* of the other parameters: those where it is so, and all there are */
    int first, second;        /* two runs that it is true of */
};

/* To be freed. */
struct no_effect *no_effect_find(int *n_effects, const struct study *study);
/* The component of the critical path that a parameter is about; NULL where none is known. */
const struct measure *no_effect_component(const struct study *study, const struct study_run *run, enum subject subject);
/* The sentence, without full stop; to be freed. */
char *no_effect_describe(const struct study *study, const struct no_effect *effect, enum audience audience);

#endif
