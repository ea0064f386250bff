/* The meaning of the props of a platform: they fill in a machine's costs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_COST_PROPS_H
#define SIM_MACHINE_COST_PROPS_H

#include "sim/machine/machine.h"
#include "sim/machine/prop.h"

/* Fill in all of a machine of machine_init() but its hosts with their routes. -1, with a machine to be disposed of, on
 * a prop that is wrong or misspelled; what is unlike all that are known is passed over. */
int machine_read_props(struct machine *machine, struct machine_props *props, struct sim_error *error);

/* The rest is for the files of this folder. */

#define BANDWIDTH_BOUND 1e15 /* the largest bandwidth in a prop: a PB per second */

/* Where the rows of each family stand, NULL where there is none. */
enum { ROWS_MESSAGE, ROWS_LOCAL, ROWS_ENDPOINT, ROWS_EXCHANGE, ROWS_COMBINE, ROWS_COPY, N_COST_ROW_FAMILIES };
struct machine_rows_given {
    const struct machine_prop *at[N_COST_ROW_FAMILIES][MACHINE_MAX_ROWS];
};

/* Read a row of one of the families. */
int machine_row_read(struct cost_model *costs, struct machine_rows_given *given, const struct machine_prop *prop,
                     struct sim_error *error);
/* Count the rows of all families. They must follow each other, cover all lengths, and give no negative time: each grows
 * with the length, so its shortest message without a hop is the one to look at. */
int machine_rows_check(struct cost_model *costs, const struct machine_rows_given *given,
                       const struct machine_props *props, struct sim_error *error);

/* Read one of the props mesh, mesh_pitch, topology, core_bandwidth and wire.LEVEL; mesh_pitch comes after mesh. */
int machine_wires_read(struct interconnect *net, const struct machine_prop *prop, struct sim_error *error);

/* Read a prop "dsm.NAME". */
int machine_dsm_read(struct dsm_costs *costs, const struct machine_prop *prop, struct sim_error *error);

enum polynomial_quantity { POLYNOMIAL_TIME, POLYNOMIAL_SIZE };

bool machine_is_polynomial(const struct machine_prop *prop);
/* True if it looks like a polynomial whose first word, poly, is missing. */
bool machine_lacks_poly(const struct machine_prop *prop);
int machine_polynomial_read(struct polynomial *polynomial, enum polynomial_quantity quantity,
                            const struct machine_prop *prop, struct sim_error *error);

/* True if a prop names a table of timings: "table FILE". */
bool machine_is_table(const struct machine_prop *prop);

/* A kernel's cost as a prop gives it: in cycles of cycle_ps (0 if the platform has none) scaled by `scale`, as a
 * polynomial, or by a table, which `read_table` reads (struct machine_props). And what a call needs of memory, always
 * a polynomial. */
int machine_need_read(struct memory_need *need, const struct machine_prop *prop, struct sim_error *error);
/* "2=1.05 4=1.3": how many times as long calls take where so many ranks share a host. */
int machine_sharing_read(struct kernel_sharing *sharing, const struct machine_prop *prop, struct sim_error *error);
int machine_kernel_read(struct kernel_cost *kernel, const struct machine_prop *prop, int64_t cycle_ps, double scale,
                        law_reader *read_table, struct sim_error *error);

#endif
