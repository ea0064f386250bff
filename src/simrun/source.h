/* The source of a traced program with what its lines cost, as the main window of CARNIVAL has it (Pereira98, figure 4).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_SOURCE_H
#define SIMRUN_SOURCE_H

#include "base/error.h"
#include "document/document.h"
#include "study/run.h"

#include <stdbool.h>

/* Add the lines that call the message library, and for a page what is around them. folders: "DIR,DIR". Notes say what
 * is not found or left out. Returns -1 if one is no folder, or if the trace has no call sites. */
int source_add(struct document *document, const struct study_run *run, const char *folders, struct sim_error *error);
/* The same of a simulated application whose lines are known (DETAIL_SOURCE), out of its own source; for readers only if
 * they ask for it. Nothing where the source is not installed. */
void source_add_application(struct document *document, const struct study_run *run, bool is_asked);

#endif
