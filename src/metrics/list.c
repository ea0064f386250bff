/* All families of metrics, as metrics/list.def names them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include <stddef.h>

#define METRIC(name) extern const struct metric_spec metric_##name;
#include "metrics/list.def"
#undef METRIC

const struct metric_spec *const metric_specs[] = {
#define METRIC(name) &metric_##name,
#include "metrics/list.def"
#undef METRIC
    NULL,
};
