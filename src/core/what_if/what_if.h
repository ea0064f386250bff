/* The cost of a cause, found by a run without it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_WHAT_IF_H
#define CORE_WHAT_IF_H

#include "base/error.h"
#include "metrics/result.h"
#include "sim/kernel/kernel.h"

#include <stddef.h>
#include <stdint.h>

/* A cause, and what becomes of the run without it; without_names has its name. */
struct what_if_cause {
    const char *summary;
    enum without part_of;  /* the cause that takes this one along */
    unsigned costs;        /* enum machine_cost: what the machine is rid of */
    uint32_t parts;        /* bits of enum path_part: what of the critical path is attributed to the cause */
    uint32_t shared_parts; /* the same where the program shares memory; 0: its path does not tell */
    uint32_t free_parts;   /* of PART_CPU ... PART_CONTROL_INTERNAL: computation that takes no time */
    uint8_t quiet;         /* the network has no contention */
    uint8_t balanced;      /* computation is the same on all ranks */
    uint8_t programs;      /* enum what_if_programs: where there is such a cause */
    uint8_t is_partner;    /* may be what another cause overlaps with: no sum of others */
};
enum what_if_programs { WITH_MESSAGES = 1, WITH_SHARED_MEMORY = 2 };

extern const struct what_if_cause what_if_causes[N_CAUSES]; /* by enum without */

/* Which causes a comma-separated list names, as bits by their place among what_if_causes; all of them for NULL. -1 and
 * in `why` what was found and what is allowed. */
int what_if_parse(uint32_t *causes, const char *list, char *why, size_t why_size);

/* Simulate the run without each of the causes, and add to its measures the groups "what_if" and "pop" and the tables
 * "what_if_causes" and "what_if_paths", in place of those that an earlier call has added. On an error the result is
 * unchanged. The sinks of `run` are not used. Let P(c) be the time of part c of the critical path, and a prime what it
 * is without the cause; then, in picoseconds, exactly,
 *
 *     T - T' = sum over all parts of (P(c) - P'(c)) = removed_s - returned_s
 *
 * with removed_s the sum over the parts that are attributed to the cause, and -returned_s that over all others.
 * docs/explain/models/gains.md says what is attributed to which cause. */
int what_if_measure(struct result *result, const struct kernel_run *run, uint32_t causes, struct sim_error *error);

#endif
