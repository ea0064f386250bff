/* Totals of a profile in Cube's format, as one by libeppa has them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "cube/cube.h"
#include "metrics/metrics.h"
#include "simrun/profile_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Metrics that a run has. */
enum wanted { WANTED_TIME, WANTED_VISITS, WANTED_SENT, WANTED_RECEIVED, N_WANTED };
static const char *const wanted_names[N_WANTED] = {"time", "visits", "bytes_sent", "bytes_received"};

struct cube_run {
    struct cube cube;
    double *sums[N_WANTED]; /* [region * n_locations + location]; NULL: the profile has no such metric */
};

/* The values of the nodes of each region, summed up. */
static int read_sums(struct cube_run *self, enum wanted wanted, const struct cube_metric *metric,
                     struct sim_error *error)
{
    const struct cube *cube = &self->cube;
    size_t n = cube->n_locations;
    double *values;
    if (cube_read_values(&values, cube, metric, error) != 0)
        return -1;
    double *sums = self->sums[wanted] = xcalloc(cube->n_regions * n + 1, sizeof *sums);
    for (size_t i = 0; i < cube->n_nodes; i++)
        for (size_t location = 0; location < n; location++)
            sums[(size_t)cube->nodes[i].region * n + location] += values[i * n + location];
    free(values);
    return 0;
}

static int read_wanted(struct cube_run *self, const char *file, struct sim_error *error)
{
    const struct cube *cube = &self->cube;
    for (size_t m = 0; m < cube->n_metrics; m++)
        for (int w = 0; w < N_WANTED; w++)
            if (cube->metrics[m].is_stored && self->sums[w] == NULL &&
                strcmp(cube->metrics[m].name, wanted_names[w]) == 0 &&
                read_sums(self, (enum wanted)w, &cube->metrics[m], error) != 0)
                return -1;
    if (self->sums[WANTED_TIME] == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is a profile without a metric 'time'");
    if (cube->n_locations == 0 || cube->n_locations > INT32_MAX)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is a profile without locations");
    return 0;
}

static double sum_of(const struct cube_run *self, enum wanted wanted, size_t region, size_t location)
{
    return self->sums[wanted] == NULL ? 0 : self->sums[wanted][region * self->cube.n_locations + location];
}

static void add_call(struct run_profile *profile, const struct cube_run *self, size_t region)
{
    struct run_profile_call call = {.least_s = INFINITY};
    for (size_t location = 0; location < self->cube.n_locations; location++) {
        double time_s = sum_of(self, WANTED_TIME, region, location);
        call.time_s += time_s;
        call.calls += sum_of(self, WANTED_VISITS, region, location);
        call.bytes += sum_of(self, WANTED_SENT, region, location) + sum_of(self, WANTED_RECEIVED, region, location);
        call.least_s = time_s > 0 ? fmin(call.least_s, time_s) : call.least_s;
        profile->ranks[location].mpi_s += time_s;
    }
    if (call.time_s <= 0)
        return;
    call.function = xstrdup(self->cube.regions[region].name);
    profile->functions[profile->n_functions++] = call;
}

/* Waiting outside of calls, as simrun writes it. */
static void add_idle(struct run_profile *profile, const struct cube_run *self, size_t region)
{
    for (size_t location = 0; location < self->cube.n_locations; location++)
        profile->ranks[location].off_s += sum_of(self, WANTED_TIME, region, location);
}

static size_t add_scope(struct run_profile *profile, struct profile_scope *scopes, const struct cube_run *self,
                        size_t region)
{
    size_t n = 0;
    for (size_t location = 0; location < self->cube.n_locations; location++) {
        double time_s = sum_of(self, WANTED_TIME, region, location);
        profile->ranks[location].useful_s += time_s;
        if (time_s > 0)
            scopes[n++] = (struct profile_scope){result_name(self->cube.regions[region].name), (int)location, time_s};
    }
    return n;
}

static void make(struct run_profile *profile, struct profile_scope **scopes, size_t *n_scopes,
                 const struct cube_run *self)
{
    const struct cube *cube = &self->cube;
    *profile = (struct run_profile){.n_ranks = cube->n_locations,
                                    .ranks = xcalloc(cube->n_locations, sizeof *profile->ranks),
                                    .functions = xcalloc(cube->n_regions, sizeof *profile->functions),
                                    .has_bytes = self->sums[WANTED_SENT] != NULL};
    *scopes = xcalloc(cube->n_regions * cube->n_locations, sizeof **scopes);
    for (size_t region = 0; region < cube->n_regions; region++) {
        const char *paradigm = cube->regions[region].paradigm;
        if (paradigm != NULL && strcasecmp(paradigm, "mpi") == 0)
            add_call(profile, self, region);
        else if (strcmp(cube->regions[region].name, "idle") == 0)
            add_idle(profile, self, region);
        else
            *n_scopes += add_scope(profile, *scopes + *n_scopes, self, region);
    }
    for (size_t location = 0; location < cube->n_locations; location++) {
        struct run_profile_rank *rank = &profile->ranks[location];
        rank->time_s = rank->useful_s + rank->mpi_s + rank->off_s;
        profile->time_s = fmax(profile->time_s, rank->time_s);
    }
}

int cube_run_load(struct run_profile *profile, struct profile_scope **scopes, size_t *n_scopes, const char *file,
                  struct sim_error *error)
{
    struct cube_run self = {0};
    int status = cube_open(&self.cube, file, error);
    *n_scopes = 0;
    if (status == 0)
        status = read_wanted(&self, file, error);
    if (status == 0)
        make(profile, scopes, n_scopes, &self);
    for (int w = 0; w < N_WANTED; w++)
        free(self.sums[w]);
    cube_close(&self.cube);
    return status;
}
