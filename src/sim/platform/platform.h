/* Platform files: SimGrid's description of hosts, links and routes, and what it has no word for, as <prop>s of its root
 * zone.
 *
 * Plain ones (plain_internal.h) are read without SimGrid, all others by it: with the same hosts, links and routes, in
 * the same order. The props are read with their line numbers, so that a wrong one is named. docs/ref/platform-format.md
 * lists them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PLATFORM_PLATFORM_H
#define SIM_PLATFORM_PLATFORM_H

#include "sim/machine/machine.h"

#include <stdio.h>

/* Load a platform file. One machine per process, if it is not plain: SimGrid keeps one platform. -1 and error on any
 * fault of the file. */
int machine_load(struct machine *machine, const char *file, struct sim_error *error);

/* Load a platform file whose hosts and wires are to be put together otherwise: all of the machine but its routes, and
 * SimGrid is left free, for it is asked in a child process. The machine knows the speed of host 0 and the first wire of
 * the route from there to host 1. No wire is an error. */
int machine_load_base(struct machine *machine, const char *file, struct sim_error *error);

/* Visit the files that the props of a platform name: the one that it takes costs from (costs_from), and tables. None if
 * the platform is no good. */
void machine_visit_files(const char *file, void (*visit)(void *self, const char *named), void *self);

/* Write a derived machine as a platform file: whose hosts, wires, routes and props are its own. */
int machine_write_platform(const struct machine *machine, FILE *stream, struct sim_error *error);

/* Write a machine as text for simrun_read_machine() (core/simrun.h), without profiles, which are an error. Where
 * SimGrid has found the routes, those of all pairs of hosts are listed; more than 1024 hosts are an error then. */
int machine_write_text(struct machine *machine, FILE *stream, struct sim_error *error);

#endif
