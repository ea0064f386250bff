/* What shared memory costs, evaluated; and the names of the costs. */
#include "sim/machine/dsm_costs.h"

#include "base/units.h"

#include <stddef.h>

const char *const dsm_cost_names[N_DSM_COSTS] = {
    [DSM_INTERRUPT] = "interrupt",
    [DSM_TRAP] = "trap",
    [DSM_PROTECT] = "protect",
    [DSM_TWIN] = "twin",
    [DSM_DIFF] = "diff",
    [DSM_APPLY] = "apply",
    [DSM_COPY] = "copy",
    [DSM_INTERVAL] = "interval",
    [DSM_NOTICES] = "notices",
    [DSM_COMMAND] = "command",
    [DSM_EXECUTE] = "execute",
    [DSM_MESSAGE] = "message",
    [DSM_CP_COPY] = "controller_copy",
    [DSM_CP_DIFF] = "controller_diff",
    [DSM_CP_APPLY] = "controller_apply",
    [DSM_CP_NOTICES] = "controller_notices",
    [DSM_HW_DIFF] = "hardware_diff",
    [DSM_HW_APPLY] = "hardware_apply",
};

int64_t dsm_cost_ps(const struct dsm_costs *costs, enum dsm_cost cost, int64_t count)
{
    const struct linear_cost *linear = &costs->cost[cost];
    return units_clamp(linear->start_ps + (wide_int)linear->each_ps * count);
}
