/* The message about a sweep that a signal ends. Nothing outside this folder includes this.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_PROGRESS_INTERNAL_H
#define EXPERIMENT_PROGRESS_INTERNAL_H

#include "experiment/progress.h"

/* Make the message ready for when it is too late to make it. */
void progress_prepare_message(const struct progress *progress);
/* From now on, until the signals are as they were. */
void progress_catch_signals(struct progress *progress);
void progress_restore_signals(void);

#endif
