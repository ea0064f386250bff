/* Recording is off and on: by MPI_Pcontrol, and by the conditions EPPA_START and EPPA_STOP. While it is off, requests
 * and communicators are followed as ever, and records go nowhere. And which part is kept of what is recorded: by
 * EPPA_KEEP.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_SWITCH_H
#define EPPA_RECORD_SWITCH_H

#include "eppa/archive/spool.h"

#include <stdbool.h>
#include <stdint.h>

/* Read which part of the run is to be kept; false if all is. Errors are printed only if it speaks. */
bool switch_keeps(struct define_keep *part, bool speaks);
/* Read the conditions; what is wrong with them is said if it speaks, and has no effect. */
void switch_prepare(bool speaks);
/* The rank's time has begun: recording is off if it waits for EPPA_START. */
void switch_begin(int64_t now_ns);
/* MPI_Pcontrol(1), or (0), in the thread's turn. */
void switch_turn(bool on, int64_t now_ns);
/* The rank enters a scope of that name. */
void switch_meet_scope(const char *name, int64_t now_ns);
/* True if a condition counts the calls of the function. */
bool switch_counts(uint16_t region);
/* It is called. */
void switch_meet_call(uint16_t region, int64_t now_ns);
/* The rank's time ends, at *time_ns: if recording is off, where it went off, which is *time_ns then. How long it was
 * off is written down. */
void switch_end(int64_t *time_ns);

#endif
