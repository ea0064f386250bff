/* Programs that share memory: pages kept coherent by software, in lazy release consistency (TreadMarks).
 *
 * Each rank is a node with a main processor, location `rank`, and, where the variant has one, a protocol controller,
 * location n_ranks + rank. Interrupts take the main processor from the program for exactly the handler's time.
 *
 * The protocol (Keleher, Cox, Dwarkadas, Zwaenepoel 1994). The execution of a node is cut into intervals by its
 * synchronizations. A vector time says of a node which intervals of each node it knows of. Writes of an interval are
 * announced by write notices, a list of pages; who learns of a notice invalidates its copy. The first write to a page
 * makes a twin; the diff, the words that were written since, is made only when a node asks for it, or when the page is
 * invalidated. An access to an invalid page brings in the diffs that are missing.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_DSM_DSM_H
#define SIM_DSM_DSM_H

#include "sim/kernel/kernel.h"

/* Check that the machine, the network and the placement can run the program, which shares memory, and that this
 * computer can simulate as much of it. */
int dsm_check_run(const struct kernel_run *run, struct sim_error *error);

/* Run a program with emit_shared to the end; the contract is that of kernel_run(). */
int dsm_run(struct kernel_stats *stats, const struct kernel_run *run, struct sim_error *error);

#endif
