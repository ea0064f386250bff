/* Call sites of the message library in a traced program: what the family `calls` says of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_SITES_H
#define METRICS_SITES_H

#include "interval/interval.h"
#include "metrics/result.h"

struct sites;

/* NULL if the trace has no call sites; the others take that. */
struct sites *sites_new(const struct interval_setup *setup);
void sites_free(struct sites *sites);
void sites_take(struct sites *sites, const struct interval *interval);
/* The site at which a function waits most in that state, and how long there; NULL: none is known. */
const char *sites_largest(const struct sites *sites, int function, enum wait_state state, wide_int *time_ps);
/* Tables: of sites, and of their waits. */
void sites_report(const struct sites *sites, struct result *result);

#endif
