/* The meaning of the numbers of a Paraver trace: its .pcf and .row files.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TIMELINE_PARAVER_NAMES_H
#define TRACE_TIMELINE_PARAVER_NAMES_H

#include "interval/interval.h"

#include <stdio.h>

/* States as Paraver's own configurations number them. */
extern const int paraver_state_numbers[N_LOCATION_STATES];

/* Types of events. Scopes have that of user functions, which Paraver's own configurations know. */
enum { EVENTS_SCOPE = 60000019, EVENTS_CATEGORY = 90000001, EVENTS_OPERATION = 90000002 };

/* The number of threads of each task: a rank's processors and, if there are any, its controller. */
int paraver_threads(const struct interval_setup *setup);

void paraver_write_pcf(FILE *stream, const struct interval_setup *setup);
void paraver_write_row(FILE *stream, const struct interval_setup *setup);

#endif
