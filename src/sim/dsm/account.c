/* The accounts of the nodes' processors: every moment goes to the sinks once, in one category.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include <assert.h>

/* ---- accounts ---- */

static const uint8_t state_of[N_CATEGORIES] = {
    [CATEGORY_NONE] = STATE_IDLE,   [CATEGORY_COMP] = STATE_USEFUL,   [CATEGORY_EXTRA] = STATE_CONTROL,
    [CATEGORY_WAIT] = STATE_IDLE,   [CATEGORY_PRSTE] = STATE_CONTROL, [CATEGORY_CPCOMP] = STATE_CONTROL,
    [CATEGORY_CPWAIT] = STATE_IDLE, [CATEGORY_CPIDLE] = STATE_IDLE,
};

void dsm_emit(const struct dsm *dsm, const struct interval *interval)
{
    for (int i = 0; i < dsm->run->n_sinks; i++)
        dsm->run->sinks[i].take(dsm->run->sinks[i].self, interval);
}

struct interval dsm_location_interval(const struct dsm *dsm, const struct location *location, int number)
{
    return (struct interval){.start_ps = location->since_ps,
                             .end_ps = dsm->now_ps,
                             .location = number,
                             .peer = -1,
                             .state = location->fetches ? STATE_RECEIVE : state_of[location->category],
                             .kind = INTERVAL_COMMUNICATE,
                             .category = location->category,
                             .operation = location->operation,
                             .scope = location->scope};
}

/* Hand over the location's account up to the present. */
static void flush_location(const struct dsm *dsm, struct location *location, int number)
{
    struct interval interval = dsm_location_interval(dsm, location, number);
    assert(interval.end_ps >= interval.start_ps); /* accounts have no gaps and no overlaps */
    if (interval.end_ps > interval.start_ps)
        dsm_emit(dsm, &interval);
    location->since_ps = dsm->now_ps;
}

static void set_location(const struct dsm *dsm, struct location *location, int number, enum category category,
                         enum operation operation)
{
    flush_location(dsm, location, number);
    *location = (struct location){dsm->now_ps, (uint8_t)category, (uint8_t)operation, location->scope, false};
}

void dsm_set_main(const struct dsm *dsm, struct node *node, enum category category, enum operation operation)
{
    set_location(dsm, &node->location, node->id, category, operation);
}

void dsm_set_controller(const struct dsm *dsm, struct node *node, enum category category, enum operation operation)
{
    set_location(dsm, &node->controller_location, dsm->n_nodes + node->id, category, operation);
}

/* The node waits, from now on or again. */
void dsm_wait_on(const struct dsm *dsm, struct node *node)
{
    dsm_set_main(dsm, node, CATEGORY_WAIT, (enum operation)node->wait_operation);
    node->location.fetches = node->fetches;
}

/* The time up to now was spent computing: divide its work as the whole divides, the last piece taking what remains. */
void dsm_account_computation(struct dsm *dsm, struct node *node)
{
    int64_t length = dsm->now_ps - node->location.since_ps, work[N_WORK_COMPONENTS], rest = length;
    for (int c = 0; c < N_WORK_COMPONENTS; c++) {
        work[c] = length == node->left_ps ? node->left_work_ps[c]
                                          : (int64_t)((wide_int)node->left_work_ps[c] * length / node->left_ps);
        node->left_work_ps[c] -= work[c];
        rest -= work[c];
    }
    for (int c = 0; c < N_WORK_COMPONENTS && rest > 0; c++) { /* what rounding down has left over */
        int64_t part = rest < node->left_work_ps[c] ? rest : node->left_work_ps[c];
        work[c] += part;
        node->left_work_ps[c] -= part;
        rest -= part;
    }
    assert(rest == 0 && length <= node->left_ps); /* the work divides without a rest */
    struct interval interval = dsm_location_interval(dsm, &node->location, node->id);
    interval.kind = INTERVAL_COMPUTE;
    interval.state = node->control ? STATE_CONTROL : STATE_USEFUL;
    interval.work_ps = work;
    interval.operations = node->operations;
    node->operations = 0;
    node->left_ps -= length;
    node->location.since_ps = dsm->now_ps;
    if (length > 0 || interval.operations > 0)
        dsm_emit(dsm, &interval);
}

/* Hand over the main processor's account up to the present. */
void dsm_account_main(struct dsm *dsm, struct node *node)
{
    if (node->location.category == CATEGORY_COMP && node->status == NODE_COMPUTING)
        dsm_account_computation(dsm, node);
    else
        flush_location(dsm, &node->location, node->id);
}

void dsm_set_scope(struct dsm *dsm, struct node *node, uint8_t scope)
{
    if (node->location.scope != scope)
        dsm_account_main(dsm, node);
    node->location.scope = scope;
}

void dsm_checkpoint(struct dsm *dsm, struct node *node, uint32_t checkpoint)
{
    dsm_account_main(dsm, node);
    struct interval interval = dsm_location_interval(dsm, &node->location, node->id);
    interval.is_checkpoint = 1;
    interval.message = checkpoint;
    dsm_emit(dsm, &interval);
}
