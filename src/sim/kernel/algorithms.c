/* Counts the calls of collectives by the algorithms that they were done by.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/algorithms.h"

#include "base/range.h"

#include <string.h>

static void add(struct algorithms *algorithms, const struct algorithm_use *use)
{
    int i = 0;
    while (i < algorithms->count &&
           (algorithms->items[i].family != use->family || algorithms->items[i].spec != use->spec ||
            algorithms->items[i].is_auto != use->is_auto))
        i++;
    if (i == ALGORITHMS_MOST)
        return;
    struct algorithm_use *item = &algorithms->items[i];
    if (i == algorithms->count) {
        *item = *use;
        algorithms->count++;
        return;
    }
    item->n_calls += use->n_calls;
    item->from_bytes = int64_min(item->from_bytes, use->from_bytes);
    item->to_bytes = int64_max(item->to_bytes, use->to_bytes);
}

void algorithms_count(struct algorithms *algorithms, enum coll_family family, const struct coll_spec *spec,
                      const struct coll_call *call)
{
    const struct algorithm_use use = {.family = family,
                                      .spec = coll_chosen(spec, call),
                                      .is_auto = strcmp(spec->name, "auto") == 0,
                                      .n_calls = 1,
                                      .from_bytes = call->bytes,
                                      .to_bytes = call->bytes};
    add(algorithms, &use);
}

bool algorithms_have_auto(const struct algorithms *algorithms)
{
    for (int i = 0; i < algorithms->count; i++)
        if (algorithms->items[i].is_auto)
            return true;
    return false;
}
