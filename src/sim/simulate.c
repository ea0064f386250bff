/* Which engine runs a program.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/simulate.h"

#include "sim/dsm/dsm.h"

int simulate_run(struct kernel_stats *stats, const struct kernel_run *run, struct sim_error *error)
{
    bool shares = run->program->app->emit_shared != NULL;
    return shares ? dsm_run(stats, run, error) : kernel_run(stats, run, error);
}
