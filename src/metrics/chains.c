/* Chains by step, and how that which a wait ended with differs from the waiting rank's own.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/chains.h"

#include "base/memory.h"
#include "metrics/critical_path.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

struct chains {
    int n_ranks, n_scopes, n_steps;
    struct critical_path path; /* its parts: the steps */
    uint32_t *begins;          /* of each rank, its last departure: that at which its wait began */
    int64_t *difference;       /* n_steps */
};

struct chains *chains_new(int n_ranks, int n_scopes)
{
    struct chains *chains = xcalloc(1, sizeof *chains);
    chains->n_ranks = n_ranks;
    chains->n_scopes = n_scopes;
    chains->n_steps = n_ranks * n_scopes * N_STEP_CATEGORIES;
    critical_path_init(&chains->path, n_ranks, chains->n_steps, 0);
    chains->begins = xcalloc((size_t)n_ranks, sizeof *chains->begins);
    chains->difference = xcalloc((size_t)chains->n_steps, sizeof *chains->difference);
    return chains;
}

double chains_footprint(int n_ranks, int n_scopes)
{
    enum { ROWS_OF_A_RANK = 3 };
    double row = (double)n_ranks * n_scopes * N_STEP_CATEGORIES * (double)sizeof(int64_t);
    return ROWS_OF_A_RANK * (double)n_ranks * row;
}

void chains_free(struct chains *chains)
{
    critical_path_dispose(&chains->path);
    free(chains->begins);
    free(chains->difference);
    free(chains);
}

int chains_n_steps(const struct chains *chains)
{
    return chains->n_steps;
}

int chains_step(const struct chains *chains, int rank, int scope, enum category category)
{
    return (rank * chains->n_scopes + scope) * N_STEP_CATEGORIES + (int)category - CATEGORY_COMP;
}

int chains_rank_of(const struct chains *chains, int step)
{
    return step / N_STEP_CATEGORIES / chains->n_scopes;
}

int chains_scope_of(const struct chains *chains, int step)
{
    return step / N_STEP_CATEGORIES % chains->n_scopes;
}

enum category chains_category_of(int step)
{
    return (enum category)(step % N_STEP_CATEGORIES + CATEGORY_COMP);
}

/* True if the difference adds up to the time from the wait's beginning to its origin. */
__attribute__((unused)) static bool adds_up(const struct chains *chains, const struct interval *interval)
{
    int64_t waited_ps = 0, sum = 0;
    for (int i = 0; i < N_WAIT_INTERVALS; i++)
        waited_ps += interval->wait_ps[i];
    for (int s = 0; s < chains->n_steps; s++)
        sum += chains->difference[s];
    return sum == interval->origin_ps - (interval->end_ps - waited_ps);
}

/* The chain of the departure that the wait ended with, less the rank's own chain at the beginning of the wait. */
static const int64_t *compare(struct chains *chains, const struct interval *interval)
{
    const int64_t *late = critical_path_checkpoint(&chains->path, interval->message);
    const int64_t *own = critical_path_checkpoint(&chains->path, chains->begins[interval->location]);
    for (int s = 0; s < chains->n_steps; s++)
        chains->difference[s] = late[s] - own[s];
    assert(adds_up(chains, interval));
    return chains->difference;
}

static void add_interval(void *data, const struct interval *interval, int64_t length_ps)
{
    const struct chains *chains = data;
    int64_t *chain = critical_path_row(&chains->path, interval->location);
    chain[chains_step(chains, interval->location, interval->scope, (enum category)interval->category)] += length_ps;
}

const int64_t *chains_take(struct chains *chains, const struct interval *interval)
{
    if (interval->location >= chains->n_ranks || interval->category == CATEGORY_NONE)
        return NULL;
    bool ends_wait = interval->cause == CAUSE_CHECKPOINT && interval->wait_ps != NULL;
    const int64_t *difference = ends_wait ? compare(chains, interval) : NULL;
    critical_path_take(&chains->path, interval, add_interval, chains);
    if (interval->is_checkpoint)
        chains->begins[interval->location] = interval->message;
    return difference;
}
