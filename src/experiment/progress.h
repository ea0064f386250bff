/* How far a sweep has come: on a terminal's standard error, "312 of 1000 runs, about 12 s left", and when a signal ends
 * it, "interrupted after 312 of 1000 runs".
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_PROGRESS_H
#define EXPERIMENT_PROGRESS_H

#include "experiment/run_cache.h"

#include <stdbool.h>
#include <stddef.h>

enum { PROGRESS_RECENT = 16 };

struct progress {
    bool shown;
    int total, known; /* all runs, and those of them that were known before the first was simulated */
    int done;         /* with those that were known */
    double start_s, last_s;
    double ends_s[PROGRESS_RECENT + 1]; /* when the last runs were done, each in the place of its number */
    struct run_cache *cache;            /* where runs are kept, or NULL */
    volatile bool waits; /* signals come only while the program waits, so that the store may be closed then */
};

/* Until it is closed, SIGINT, SIGTERM and SIGHUP say how far it has come before they end the program; of no runs they
 * say nothing. There is one at a time. */
void progress_open(struct progress *progress, bool shown, int total, int known, struct run_cache *cache);
/* One more run is done. */
void progress_step(struct progress *progress);
/* Leave an empty line, and the signals as they were. */
void progress_close(struct progress *progress);

/* ", about 12 s left": of what `remaining` more runs take if each takes as long as the `simulated` ones did that took
 * `elapsed_s`; ", 12 to 60 s left" where the last PROGRESS_RECENT of them, which took `recent_s`, say something quite
 * different; "" where nothing is known yet. */
void progress_format_left(char *text, size_t size, double elapsed_s, int simulated, double recent_s, int remaining);

/* "12 s", "15 min", "3 h", "40 days". */
void progress_format_duration(char *text, size_t size, double seconds);

#endif
