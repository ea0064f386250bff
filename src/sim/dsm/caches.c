/* The effects of the protocol's own work on the program, besides taking its processor.
 *
 * Twins, diffs and copies by the main processor drive lines of the program out of its cache. A controller leaves the
 * cache alone, but keeps the memory bus: a program that computes waits for it as often as it wants memory itself,
 * which is the share of memory in its work. Both are paid when the program goes on, or goes back to its computation.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/range.h"
#include "base/units.h"

static void keep_bus(struct dsm *dsm, struct node *node, int64_t bytes)
{
    if (node->status != NODE_COMPUTING || node->handling || node->left_ps == 0)
        return;
    wide_int ps = (wide_int)dsm_cost(dsm, DSM_BUS, bytes) * node->left_work_ps[WORK_EXTERNAL] / node->left_ps;
    node->owed_ps = units_clamp(node->owed_ps + ps);
}

void dsm_touch(struct dsm *dsm, struct node *node, int64_t bytes, bool controller)
{
    if (controller) {
        keep_bus(dsm, node, bytes);
        return;
    }
    node->driven_out_bytes += bytes;
    if (dsm->costs->cache_bytes > 0)
        node->driven_out_bytes = int64_min(node->driven_out_bytes, dsm->costs->cache_bytes);
}

int64_t dsm_owed_ps(struct dsm *dsm, struct node *node)
{
    if (node->driven_out_bytes > 0)
        node->owed_ps = units_clamp((wide_int)node->owed_ps + dsm_cost(dsm, DSM_REFILL, node->driven_out_bytes));
    node->driven_out_bytes = 0;
    return node->owed_ps;
}

void dsm_pay(struct node *node, int64_t ps)
{
    node->owed_ps -= int64_min(ps, node->owed_ps);
}
