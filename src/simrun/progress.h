/* How far a sweep has come, on a terminal's standard error: "312 of 1000 runs, about 12 s left". */
#ifndef SIMRUN_PROGRESS_H
#define SIMRUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool shown;
    int total, known; /* all runs, and those of them that were known before the first was simulated */
    int done;         /* with those that were known */
    double start_s, last_s;
};

void progress_open(struct progress *progress, bool shown, int total, int known);
/* One more run is done. */
void progress_step(struct progress *progress);
/* Leave an empty line. */
void progress_close(struct progress *progress);

/* ", about 12 s left": of what `remaining` more runs take if each takes as long as the `simulated` ones did that took
 * `elapsed_s`; "" where nothing is known yet. */
void progress_format_left(char *text, size_t size, double elapsed_s, int simulated, int remaining);

#endif
