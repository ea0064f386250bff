/* Adds explanations of waits up to paths, where they are alike.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/paths.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The difference of shares below which paths are alike. Differences sum up to 0 if the paths are equal and to 2 if no
 * step is in both: this is three quarters the same. */
static const double alike = 0.5;

void paths_init(struct paths *paths, int n_steps, int n_waiters)
{
    *paths = (struct paths){.n_steps = n_steps, .n_waiters = n_waiters, .direct = -1};
}

void paths_dispose(struct paths *paths)
{
    for (int i = 0; i < paths->count; i++) {
        free(paths->paths[i].step_ps);
        free(paths->paths[i].waiters);
    }
}

static double share(wide_int ps, double magnitude)
{
    return magnitude > 0 ? (double)ps / magnitude : 0;
}

/* The steps that the explanation lacks add what the path has of them: all of its 1, but for those that are in both. */
static double distance(const struct path *path, const struct step *steps, int n_steps, double magnitude)
{
    double sum = path->magnitude > 0;
    for (int i = 0; i < n_steps; i++) {
        double here = share(path->step_ps[steps[i].index], (double)path->magnitude);
        sum += fabs(share(steps[i].ps, magnitude) - here) - fabs(here);
    }
    return sum;
}

/* The path that is most like the steps, and how far it is from them; -1 if there is none. */
static int find_nearest(const struct paths *paths, const struct step *steps, int n_steps, double *nearest)
{
    wide_int magnitude = 0;
    int found = -1;
    for (int i = 0; i < n_steps; i++)
        magnitude += magnitude_of(steps[i].ps);
    for (int i = 0; i < paths->count; i++) {
        if (i == paths->direct)
            continue;
        double here = distance(&paths->paths[i], steps, n_steps, (double)magnitude);
        if (found < 0 || here < *nearest) {
            *nearest = here;
            found = i;
        }
    }
    return found;
}

static int add_path(struct paths *paths, bool has_steps)
{
    struct path *path = &paths->paths[paths->count];
    *path = (struct path){0};
    path->waiters = xcalloc((size_t)paths->n_waiters, sizeof *path->waiters);
    if (has_steps)
        path->step_ps = xcalloc((size_t)paths->n_steps, sizeof *path->step_ps);
    return paths->count++;
}

static int find_path(struct paths *paths, const struct step *steps, int n_steps)
{
    double nearest = 0;
    if (n_steps == 0) {
        if (paths->direct < 0)
            paths->direct = add_path(paths, false);
        return paths->direct;
    }
    int found = find_nearest(paths, steps, n_steps, &nearest), n_used = paths->count - (paths->direct >= 0);
    return found < 0 || (nearest >= alike && n_used < MAX_PATHS) ? add_path(paths, true) : found;
}

void paths_add(struct paths *paths, const struct step *steps, int n_steps, int waiter, int64_t answer_ps)
{
    struct path *path = &paths->paths[find_path(paths, steps, n_steps)];
    path->count++;
    path->waiters[waiter] = true;
    path->answer_ps += answer_ps;
    for (int i = 0; i < n_steps; i++) {
        wide_int *step_ps = &path->step_ps[steps[i].index];
        path->magnitude -= magnitude_of(*step_ps);
        *step_ps += steps[i].ps;
        path->magnitude += magnitude_of(*step_ps);
        path->late_ps += steps[i].ps;
    }
}
