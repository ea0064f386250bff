/* Polls: tests and probes that find nothing, one after the other, are one record with their number.
 *
 * A series of polls stays open, as a call that has been entered, until a poll finds something - which ends the call -
 * or the program does anything else. Computation between two polls, beyond the time of a loop, is moved before the
 * series; time in which it sleeps there belongs to the series.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_POLLS_H
#define EPPA_RECORD_POLLS_H

#include "eppa/record/callers.h"

#include <stdbool.h>
#include <stdint.h>

/* Measures what yielding the processor takes; called once, before recording begins. */
void polls_prepare(void);
/* A poll begins; false if it is not to be recorded. Either polls_failed() or polls_found()
 * follows. */
bool polls_begin(uint16_t region, struct caller caller);
/* It has found nothing. */
void polls_failed(void);
/* It has found something, or has failed: the call is `region`, and what belongs into it can be recorded up to
 * call_end(). */
void polls_found(uint16_t region);
/* The program does something else than polling. */
void polls_close(void);

#endif
