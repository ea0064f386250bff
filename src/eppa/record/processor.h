/* Finds out what the thread does between two calls of MPI, beside computing: it lacks a processor, or it sleeps.
 *
 * Linux says how long a thread has had a processor, and how long it would have gone on but had none: its run delay.
 * Asking takes a microsecond or more, so it is done only where the thread has left its processor since. This is visible
 * in its restartable sequence (rseq), whose address the system takes away from a thread that leaves: reading it takes
 * less than a nanosecond. Where that is missing (before glibc 2.35), or fails, as it does at times with Linux 6.18, no
 * more than half a millisecond goes by without asking.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_PROCESSOR_H
#define EPPA_RECORD_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

/* Find out, together with all ranks, which cores they have, and write it down (eppa/record/cores.c). */
void cores_look(void);

/* Begin to watch this thread, at the beginning of its recorded time. */
void processor_start(int64_t now_ns);
/* Put what the process and the thread have used since then into a definition; nothing is watched from now on. */
void processor_stop(void);

/* A gap between two calls begins, or ends: what was no computation in it is recorded. */
void processor_begin_gap(int64_t now_ns);
void processor_end_gap(int64_t now_ns);

#endif
