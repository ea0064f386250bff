/* The common parts of the event kernel and of the engine for shared memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_ENGINE_H
#define SIM_KERNEL_ENGINE_H

#include "sim/kernel/kernel.h"

/* The run fails: *failed becomes true. The first failure is the one that *error says. */
void engine_fail(struct sim_error *error, bool *failed, enum sim_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The clock of the simulation is at its end. */
void engine_fail_clock(struct sim_error *error, bool *failed, int rank);

/* The costs of the program's compute kernels on the machine, to be freed. SIM_BAD_INPUT where the machine lacks one. */
int engine_bind_kernels(struct kernel_cost **costs, const struct kernel_run *run, struct sim_error *error);

/* Make the run's changes of what a computation takes; the sum, -1 where it is past any clock. */
int64_t engine_change_work(const struct kernel_run *run, int processor, int64_t step, const struct op *op,
                           int64_t *work_ps);

#endif
