/* How a program's shared memory is kept up, as its parameters say.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/program/dsm_options.h"

#include <stddef.h>

const char *const dsm_variant_names[] = {"treadmarks", "I", "I+D", "P", "I+P", "I+P+D", NULL};
const char *const dsm_check_names[] = {"no", "yes", NULL};
const char *const dsm_prefetch_names[] = {"invalidated", "history", NULL};

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
                                .check = values[2] != 0,
                                .policy = variants[values[0]].prefetch ? (enum dsm_prefetch_policy)values[3]
                                                                       : DSM_PREFETCH_INVALIDATED};
}
