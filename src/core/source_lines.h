/* The lines of an application's own source: how long ranks are in the op that each line adds, what they wait for there,
 * and for whom. They are told as the call sites of a traced program are, "gauss_jordan.c:96 in broadcast".
 *
 * The program is run with other steps, whose ops have the number of a place (a line with a scope and a kind of op) for
 * their scope; between the kernel and those who watch, intervals get their scopes back. So the kernel knows nothing of
 * lines, and a run for which they are not asked does not pay for them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_SOURCE_LINES_H
#define CORE_SOURCE_LINES_H

#include "metrics/result.h"
#include "sim/kernel/app.h"

struct source_lines;

/* For a program that replays nothing; it and the setup are borrowed. */
struct source_lines *source_lines_new(const struct program *program, const struct interval_setup *setup);
void source_lines_free(struct source_lines *lines);
/* The program that is to be run in its place. */
const struct program *source_lines_program(struct source_lines *lines);
/* The only sink of that run, which gives all intervals on to others, borrowed. */
struct interval_sink source_lines_sink(struct source_lines *lines, const struct interval_sink *sinks, int n_sinks);
/* The run begins again. */
void source_lines_restart(struct source_lines *lines);
/* Add the tables of sites and their waits, as a detail. */
void source_lines_report(struct source_lines *lines, struct result *result);

#endif
