/* Details: what a run says only if it is asked for. Without, it costs nothing.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_DETAIL_H
#define METRICS_DETAIL_H

#include <stddef.h>
#include <stdint.h>

enum detail {
#define DETAIL(id, ...) DETAIL_##id,
#include "metrics/detail.def"
#undef DETAIL
    N_DETAILS
};

/* Sets of details are sums of these. */
#define DETAIL_BIT(detail) (UINT32_C(1) << (detail))
#define DETAILS_ALL (DETAIL_BIT(N_DETAILS) - 1)
/* The details that are drawn of a run, and that users may ask for. */
#define DETAILS_DRAWN (DETAILS_ALL & ~DETAIL_BIT(DETAIL_PLACES) & ~DETAIL_BIT(DETAIL_COUNTERS))

struct detail_spec {
    const char *name; /* NULL: users cannot ask for it */
    const char *summary;
};
extern const struct detail_spec detail_specs[N_DETAILS];

/* The name of the i-th detail that has one, behind them "all"; NULL after the last. `table` is not used. */
const char *detail_name_at(const void *table, int i);

/* The set that a comma-separated list of names means; "all": each that has a name. -1 and in `why` what was found and
 * what is allowed. */
int detail_parse(uint32_t *details, const char *list, char *why, size_t why_size);

#endif
