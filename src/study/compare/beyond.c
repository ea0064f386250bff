/* Finds the parts of two versions that differ beyond noise.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/beyond.h"

#include "base/memory.h"
#include "study/compare/noise.h"
#include "study/compare/verdict.h"

#include <math.h>
#include <stdlib.h>

/* So many of either kind are told; a time, if it is that share of the whole. */
enum { MOST_TIMES = 2 };
#define LEAST_TOLD 0.005

/* --- numbers of calls --- */

/* The number that all runs of a version have; NAN: they differ. */
static double constant_count(const struct compare_parts *parts, const struct compare_part *part, int version)
{
    const struct part_amount *amounts = part_of_version(parts, part, version);
    for (int i = 1; i < parts->versions[version].n_runs; i++)
        if (!(fabs(amounts[i].count - amounts[0].count) <= 0))
            return (double)NAN;
    return amounts[0].count;
}

/* The function whose number of calls has changed most, of those that always have the same. */
static bool add_calls(struct builder *line, const struct compare_parts *parts, int version)
{
    const struct compare_part *largest = NULL;
    double most = 0, first = 0, second = 0;
    for (size_t i = 0; i < parts->count; i++) {
        double before = constant_count(parts, &parts->list[i], 0),
               after = constant_count(parts, &parts->list[i], version);
        if (parts->list[i].by != BY_FUNCTION || !(fabs(after - before) > most))
            continue;
        largest = &parts->list[i];
        most = fabs(after - before);
        first = before;
        second = after;
    }
    if (largest != NULL)
        builder_add(line, "%s called %.0f times instead of %.0f", largest->name, second, first);
    return largest != NULL;
}

/* --- times --- */

struct tested {
    const struct compare_part **parts;
    double *values, *p; /* by row, then by run */
    int n_rows, n_runs;
};

/* Kinds of parts that do not repeat each other. */
static bool is_tested(const struct compare_parts *parts, const struct compare_part *part, int version)
{
    return (part->by == BY_FUNCTION || part->by == BY_RANK || part->by == BY_OFF || part->by == BY_WAIT) &&
           !isnan(part_change(parts, part, version));
}

static void add_row(struct tested *self, const struct compare_parts *parts, const struct compare_part *part,
                    int version)
{
    double *row = self->values + self->n_rows * self->n_runs;
    const int versions[] = {0, version};
    self->parts[self->n_rows++] = part;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < parts->versions[versions[side]].n_runs; i++)
            *row++ = part_of_version(parts, part, versions[side])[i].time_s;
}

static struct tested test_all(const struct compare_parts *parts, int version)
{
    int n_first = parts->versions[0].n_runs, n_second = parts->versions[version].n_runs;
    struct tested self = {.parts = xcalloc(parts->count + 1, sizeof *self.parts),
                          .p = xcalloc(parts->count + 1, sizeof *self.p),
                          .values = xcalloc(parts->count * (size_t)(n_first + n_second) + 1, sizeof *self.values),
                          .n_runs = n_first + n_second};
    for (size_t i = 0; i < parts->count; i++)
        if (is_tested(parts, &parts->list[i], version))
            add_row(&self, parts, &parts->list[i], version);
    noise_adjusted_p(self.p, self.values, self.n_rows, n_first, n_second);
    return self;
}

/* The largest change that is proven and matters; it is then no longer. NULL: there is none. */
static const struct compare_part *take_largest(struct tested *self, const struct compare_parts *parts, int version)
{
    double most_s = LEAST_TOLD * verdict_of(parts->versions, version).first_s;
    int largest = -1;
    for (int i = 0; i < self->n_rows; i++) {
        double change_s = fabs(part_change(parts, self->parts[i], version));
        if (self->p[i] > VERDICT_LEVEL || change_s < most_s)
            continue;
        most_s = change_s;
        largest = i;
    }
    if (largest >= 0)
        self->p[largest] = 1;
    return largest >= 0 ? self->parts[largest] : NULL;
}

static void add_time(struct builder *line, const struct compare_parts *parts, const struct compare_part *part,
                     int version)
{
    double first_s = part_median(parts, part, 0).time_s, change_s = part_change(parts, part, version);
    builder_add(line, "%s (%s) ", compare_axis_heads[part->by], part->name);
    builder_add_time(line, fabs(change_s));
    builder_add(line, change_s > 0 ? " longer" : " less");
    if (first_s > 0)
        builder_add(line, " (x %.2f)", (first_s + change_s) / first_s);
}

/* --- both --- */

void beyond_add(struct builder *line, const struct compare_parts *parts, int version)
{
    struct builder found = {0};
    const struct compare_part *part;
    if (parts->versions[0].n_runs < 2 || parts->versions[version].n_runs < 2)
        return;
    bool any = add_calls(&found, parts, version);
    struct tested tested = test_all(parts, version);
    for (int i = 0; i < MOST_TIMES && (part = take_largest(&tested, parts, version)) != NULL; i++) {
        builder_add(&found, "%s", any ? ", " : "");
        add_time(&found, parts, part, version);
        any = true;
    }
    if (any)
        builder_add(line, "Beyond noise are: %s.", found.text);
    free(builder_take(&found));
    free(tested.parts);
    free(tested.p);
    free(tested.values);
}
