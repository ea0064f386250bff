/* Tables of timings that a platform's props kernel.NAME name: "table FILE ...".
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PLATFORM_TABLE_H
#define SIM_PLATFORM_TABLE_H

#include "sim/machine/cost_props.h"

/* Read the table of a prop, and fit a law to the rows of that kernel; to be freed by law_free(). A law_reader. */
int table_read_law(struct kernel_law **law, const struct machine_prop *prop, const char *kernel,
                   struct sim_error *error);

/* The file that the prop names, as seen from here; to be freed. */
char *table_file(const struct machine_prop *prop);

#endif
