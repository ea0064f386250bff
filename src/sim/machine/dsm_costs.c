#include "sim/machine/dsm_costs.h"

#include "base/units.h"
#include "sim/program/dsm_options.h"

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

const char *const dsm_variant_names[] = {"treadmarks", "I", "I+D", "P", "I+P", "I+P+D", NULL};
const char *const dsm_check_names[] = {"no", "yes", NULL};

struct dsm_options dsm_options(const int64_t *values, int64_t shared_bytes, int n_locks, int n_counters)
{
    static const struct {
        bool controller, hardware_diffs, prefetch;
    } variants[] = {{false, false, false}, {true, false, false}, {true, true, false},
                    {false, false, true},  {true, false, true},  {true, true, true}};
    return (struct dsm_options){.shared_bytes = shared_bytes,
                                .n_locks = n_locks,
                                .n_counters = n_counters,
                                .controller = variants[values[0]].controller,
                                .hardware_diffs = variants[values[0]].hardware_diffs,
                                .prefetch = variants[values[0]].prefetch,
                                .collect_at_bytes = values[1],
                                .check = values[2] != 0};
}
