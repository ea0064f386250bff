/* Compares the times of two versions, and says it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/verdict.h"

#include "base/memory.h"
#include "study/compare/changes.h"
#include "study/compare/noise.h"
#include "study/compare/reason.h"

#include <math.h>
#include <stdlib.h>

const char *const verdict_names[N_VERDICTS] = {
    [VERDICT_SAME] = "same", [VERDICT_NOISE] = "noise", [VERDICT_UNTESTED] = "untested", [VERDICT_DIFFERS] = "differs"};

/* --- the test --- */

static double *times_of(const struct compare_version *version)
{
    double *times = xcalloc((size_t)version->n_runs + 1, sizeof *times);
    for (int i = 0; i < version->n_runs; i++)
        times[i] = run_time(&version->runs[i]);
    return times;
}

bool verdict_is_exact(const struct compare_version *versions, int version)
{
    return !versions[0].middle->is_traced && !versions[version].middle->is_traced;
}

struct verdict verdict_of_values(const double *first, int n_first, const double *second, int n_second, bool is_exact)
{
    struct verdict verdict = {.first_s = compare_median(first, n_first),
                              .second_s = compare_median(second, n_second),
                              .p = is_exact ? (double)NAN : noise_p(first, n_first, second, n_second),
                              .least_p = is_exact ? (double)NAN : noise_least_p(n_first, n_second)};
    bool is_small = fabs(verdict.second_s - verdict.first_s) < VERDICT_LEAST * fabs(verdict.first_s);
    if (comparison_is_same(verdict.first_s, verdict.second_s))
        verdict.is = VERDICT_SAME;
    else if (is_exact)
        verdict.is = VERDICT_DIFFERS;
    else if (verdict.least_p > VERDICT_LEVEL)
        verdict.is = verdict.p > 1.001 * verdict.least_p ? VERDICT_NOISE : VERDICT_UNTESTED;
    else
        verdict.is = verdict.p <= VERDICT_LEVEL && !is_small ? VERDICT_DIFFERS : VERDICT_NOISE;
    return verdict;
}

struct verdict verdict_of(const struct compare_version *versions, int version)
{
    double *first = times_of(&versions[0]), *second = times_of(&versions[version]);
    struct verdict verdict = verdict_of_values(first, versions[0].n_runs, second, versions[version].n_runs,
                                               verdict_is_exact(versions, version));
    free(first);
    free(second);
    return verdict;
}

/* --- words --- */

static void add_times(struct builder *line, const struct verdict *verdict)
{
    builder_add(line, " (");
    builder_add_time(line, verdict->first_s);
    builder_add(line, " to ");
    builder_add_time(line, verdict->second_s);
    builder_add(line, ")");
}

/* "v1 is 1.43 times as slow as v0", or, where it is less, "v1 takes 3.2 % longer than v0". */
static void add_factor(struct builder *line, const struct verdict *verdict, const char *first, const char *second)
{
    double factor = verdict->second_s / verdict->first_s, times = factor < 1 ? 1 / factor : factor;
    if (times >= 1.1 && isfinite(times))
        builder_add(line, "%s is %.3g times as %s as %s", second, times, factor > 1 ? "slow" : "fast", first);
    else
        builder_add(line, "%s takes %.2g %% %s than %s", second, 100 * fabs(factor - 1), factor > 1 ? "longer" : "less",
                    first);
    add_times(line, verdict);
}

void verdict_add(struct builder *line, const struct compare_parts *parts, int version)
{
    const struct compare_version *first = &parts->versions[0], *second = &parts->versions[version];
    const struct verdict verdict = verdict_of(parts->versions, version);
    if (isnan(verdict.first_s) || isnan(verdict.second_s)) {
        const struct compare_version *side = isnan(verdict.first_s) ? first : second;
        builder_add(line, "%s was discarded: %s.", side->name,
                    side->middle->discarded != NULL ? side->middle->discarded : "its time is not known");
        return;
    }
    if (verdict.is == VERDICT_SAME) {
        builder_add(line, "No difference: %s takes as long as %s, ", second->name, first->name);
        builder_add_time(line, verdict.first_s);
        builder_add(line, ".");
        return;
    }
    if (verdict.is == VERDICT_NOISE) {
        builder_add(line, "No difference beyond noise: %s takes ", second->name);
        builder_add_time(line, verdict.second_s);
        builder_add(line, ", %s ", first->name);
        builder_add_time(line, verdict.first_s);
        builder_add(line, ".");
        return;
    }
    struct builder why = {0};
    add_factor(line, &verdict, first->name, second->name);
    bool known = reason_add(&why, parts, version, verdict.second_s - verdict.first_s);
    builder_add(line, known ? ": %s." : "%s.", known ? why.text : "");
    free(builder_take(&why));
}

/* The least number of runs of each that can tell a difference from noise. */
static int enough_runs(void)
{
    int n = 1;
    while (noise_least_p(n, n) > VERDICT_LEVEL)
        n++;
    return n;
}

void verdict_add_noise(struct builder *line, const struct compare_parts *parts, int version)
{
    const struct compare_version *first = &parts->versions[0], *second = &parts->versions[version];
    const struct verdict verdict = verdict_of(parts->versions, version);
    if (verdict.is == VERDICT_SAME || isnan(verdict.p) || isnan(verdict.first_s) || isnan(verdict.second_s))
        return;
    if (first->n_runs == 1 && second->n_runs == 1) {
        builder_add(line, "Noise is not known: there is one run of each.");
        return;
    }
    builder_add(line, "The times are medians of %d and %d runs; by the rank-sum test p = %.2g", first->n_runs,
                second->n_runs, verdict.p);
    if (verdict.least_p > VERDICT_LEVEL)
        builder_add(line,
                    ", and so few runs cannot have less than %.2g: to tell a difference from noise (p <= %g) takes %d "
                    "of each",
                    verdict.least_p, VERDICT_LEVEL, enough_runs());
    else if (verdict.is == VERDICT_DIFFERS)
        builder_add(line, ", so this is more than noise");
    else if (verdict.p <= VERDICT_LEVEL)
        builder_add(line, ", but the difference is below %g %%", 100 * VERDICT_LEAST);
    builder_add(line, ".");
}
