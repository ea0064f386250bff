/* Shared by the readers of descriptions: the graph that they put together.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FABRIC_INTERNAL_H
#define FABRIC_INTERNAL_H

#include "fabric/fabric.h"
#include "measurement/sheet.h"

/* The node of that name, which may be new; -1 with an error if there are too many. */
int fabric_node(struct fabric *fabric, const char *name, bool is_switch, const struct sheet *sheet,
                struct sim_error *error);
/* One more wire between two nodes. */
int fabric_link(struct fabric *fabric, int a, int b, double bandwidth_Bps, const struct sheet *sheet,
                struct sim_error *error);

/* Each kind of description: true for a line, without blanks before it, that only such a file has; and its reader. */
bool hwloc_is(const char *line);
bool slurm_is(const char *line);
bool ibnetdiscover_is(const char *line);
int hwloc_read(struct fabric *fabric, struct sheet *sheet, struct sim_error *error);
int slurm_read(struct fabric *fabric, struct sheet *sheet, struct sim_error *error);
int ibnetdiscover_read(struct fabric *fabric, struct sheet *sheet, struct sim_error *error);

#endif
