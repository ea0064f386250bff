/* Carries the longest chain of steps to each rank's present, for the causes of waits. */
#include "metrics/chains.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct chains {
    int n_ranks, n_scopes, n_steps;
    int64_t *chains; /* n_steps for each rank */
    int64_t *marks;  /* n_steps for each message that has departed, as of then */
    size_t n_marks;
    uint32_t *begins;    /* of each rank, its last departure: that at which its wait began */
    int64_t *difference; /* n_steps */
};

struct chains *chains_new(int n_ranks, int n_scopes)
{
    struct chains *chains = xcalloc(1, sizeof *chains);
    chains->n_ranks = n_ranks;
    chains->n_scopes = n_scopes;
    chains->n_steps = n_ranks * n_scopes * N_STEP_CATEGORIES;
    chains->chains = xcalloc((size_t)n_ranks * (size_t)chains->n_steps, sizeof *chains->chains);
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
    free(chains->chains);
    free(chains->marks);
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

static int64_t *chain_of(const struct chains *chains, int rank)
{
    return &chains->chains[(size_t)rank * (size_t)chains->n_steps];
}

static int64_t *mark_of(struct chains *chains, uint32_t message)
{
    if (message >= chains->n_marks) {
        size_t old = chains->n_marks, row = (size_t)chains->n_steps;
        chains->n_marks = ((size_t)message + 1) * 2;
        chains->marks = xrealloc(chains->marks, chains->n_marks * row * sizeof *chains->marks);
        memset(&chains->marks[old * row], 0, (chains->n_marks - old) * row * sizeof *chains->marks);
    }
    return &chains->marks[(size_t)message * (size_t)chains->n_steps];
}

/* That the difference adds up to the time from the wait's beginning to its origin. */
__attribute__((unused)) static bool adds_up(const struct chains *chains, const struct event *event)
{
    int64_t waited_ps = 0, sum = 0;
    for (int i = 0; i < N_WAIT_INTERVALS; i++)
        waited_ps += event->wait_ps[i];
    for (int s = 0; s < chains->n_steps; s++)
        sum += chains->difference[s];
    return sum == event->origin_ps - (event->end_ps - waited_ps);
}

/* Take the departure's chain over. */
static const int64_t *adopt(struct chains *chains, const struct event *event)
{
    const int64_t *late = mark_of(chains, event->message);
    const int64_t *own = mark_of(chains, chains->begins[event->lane]); /* it exists: `late` does not move */
    for (int s = 0; s < chains->n_steps; s++)
        chains->difference[s] = late[s] - own[s];
    assert(event->wait_ps == NULL || adds_up(chains, event));
    memcpy(chain_of(chains, event->lane), late, (size_t)chains->n_steps * sizeof *late);
    return event->wait_ps != NULL ? chains->difference : NULL;
}

const int64_t *chains_take(struct chains *chains, const struct event *event)
{
    if (event->lane >= chains->n_ranks || event->category == CATEGORY_NONE)
        return NULL;
    const int64_t *difference = NULL;
    int64_t *chain = chain_of(chains, event->lane), length = event->end_ps - event->start_ps;
    if (event->cause == CAUSE_MESSAGE) {
        difference = adopt(chains, event);
        length = event->end_ps - event->origin_ps;
    }
    if (event->cause != CAUSE_SELF || event->state != STATE_IDLE) /* else overtaken by what ends the wait */
        chain[chains_step(chains, event->lane, event->scope, (enum category)event->category)] += length;
    if (event->departs) {
        memcpy(mark_of(chains, event->message), chain, (size_t)chains->n_steps * sizeof *chain);
        chains->begins[event->lane] = event->message;
    }
    return difference;
}
