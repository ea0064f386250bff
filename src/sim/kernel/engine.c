/* How a run fails, and what its computations cost, whichever engine it is made by.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/engine.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void engine_fail(struct sim_error *error, bool *failed, enum sim_status status, const char *format, ...)
{
    char text[768];
    va_list arguments;
    if (*failed)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sim_error_set(error, status, NULL, 0, "%s", text);
    *failed = true;
}

void engine_fail_clock(struct sim_error *error, bool *failed, int rank)
{
    engine_fail(error, failed, SIM_UNFINISHED,
                "rank %d runs past the limit of the simulated clock, %.3g days; make the problem smaller", rank,
                units_seconds(PS_MAX) / 86400);
}

int engine_bind_kernels(struct kernel_cost **costs, const struct kernel_run *run, struct sim_error *error)
{
    const char *const *names = run->program->app->kernels;
    int n_kernels = names_count(names);
    struct kernel_cost *bound = xcalloc((size_t)n_kernels, sizeof *bound);
    if (machine_bind_kernels(run->machine, names, n_kernels, placement_sharers(run->placement, run->machine), bound,
                             error) != 0) {
        free(bound);
        return -1;
    }
    *costs = bound;
    return 0;
}

int64_t engine_change_work(const struct kernel_run *run, int processor, int64_t step, const struct op *op,
                           int64_t *work_ps)
{
    int64_t total = 0;
    for (const struct work_change *change = run->change; change != NULL; change = change->next)
        change->apply(change->data, processor, step, op, work_ps);
    for (int c = 0; c < N_WORK_COMPONENTS; c++)
        if (__builtin_add_overflow(total, work_ps[c], &total))
            return -1;
    return total;
}
