/* Which host each rank has, where that is not in order: of an allocation, or by turns or at random.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PROGRAM_ARRANGE_H
#define SIM_PROGRAM_ARRANGE_H

#include "sim/program/placement.h"

/* On the hosts of the machine's allocation. An unknown host, a rank that is missing or there twice, and too few slots
 * are errors that name the file and the line. hosts: n_ranks. */
int arrange_allocated(int *hosts, const struct placement_request *request, const struct machine *machine,
                      struct sim_error *error);

/* On the hosts that the placement has in order, all of them with room for ranks_per_host. */
void arrange_slots(int *hosts, const struct placement_request *request, const struct placement *placement);

/* An order as the parameter `placement` has it: "auto", "block", "cyclic", "plane=4", "random", "random=7", and Open
 * MPI's words "core", "slot" and "node". The value is packed. */
int arrange_parse(int64_t *value, const char *text, char *why, size_t why_size);
void arrange_format(char *text, size_t text_size, int64_t value);

#endif
