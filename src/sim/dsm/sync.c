/* The common parts of locks and barriers: a node learns of others' intervals, and goes on; and the table of their
 * jobs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/sync_internal.h"

#include "base/range.h"

#include <stddef.h>

void dsm_learn_vector(int32_t *known, const int32_t *other, int n)
{
    for (int i = 0; i < n; i++)
        known[i] = int_max(known[i], other[i]);
}

int64_t dsm_close_ps(struct dsm *dsm, struct node *node)
{
    return dsm_cost(dsm, DSM_INTERVAL, dsm_close_interval(dsm, node));
}

int64_t dsm_learn_ps(struct dsm *dsm, struct node *node, const int32_t *vector, bool controller)
{
    int64_t page_bytes = dsm->costs->page_bytes;
    dsm_learn(dsm, node, vector);
    if (node->news.n_diffs > 0)
        dsm_touch(dsm, node, 2 * node->news.n_diffs * page_bytes, controller);
    enum dsm_cost diff = !controller ? DSM_DIFF : dsm->options->hardware_diffs ? DSM_HW_DIFF : DSM_CP_DIFF;
    return dsm_cost(dsm, controller ? DSM_CP_NOTICES : DSM_NOTICES, node->news.n_notices) +
           node->news.n_diffs * dsm_cost(dsm, diff, page_bytes) + dsm_cost(dsm, DSM_PROTECT, node->news.n_invalidated);
}

bool dsm_go_on(struct dsm *dsm, struct node *node)
{
    node->started = false;
    dsm_history_predict(dsm, node);
    if (!dsm->options->prefetch || node->news.n_lost == 0)
        return true;
    int64_t ps = dsm_prefetch(dsm, node);
    node->op++;
    dsm_spend(dsm, node, ps, OPERATION_PREFETCH, dsm_continue);
    return false;
}

static int64_t begin_news(struct dsm *dsm, struct node *node, struct packet *packet, bool controller)
{
    return dsm_learn_ps(dsm, node, packet->request->vector, controller);
}

static void end_news(struct dsm *dsm, struct node *node, struct packet *packet)
{
    node->waits_for = NULL;
    dsm_request_free(dsm, packet->request);
    dsm_answer(dsm, node, packet->request);
}

const struct job_spec dsm_sync_jobs[] = {
    [JOB_LOCK_REQUEST] = {dsm_begin_lock_request, dsm_end_lock_request, true, false},
    [JOB_LOCK_FORWARD] = {dsm_begin_forward, dsm_end_forward, true, false},
    [JOB_LOCK_GRANT] = {begin_news, end_news, false, true},
    [JOB_ARRIVAL] = {dsm_begin_arrival, dsm_end_arrival, true, false},
    [JOB_DEPARTURE] = {begin_news, end_news, false, true},
    [JOB_NOTIFY] = {NULL, NULL, false, false},
};
