/* Names of the processes and threads of a file of trace events, and names in it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TIMELINE_CHROME_NAMES_H
#define TRACE_TIMELINE_CHROME_NAMES_H

#include "interval/interval.h"

#include <stdbool.h>
#include <stdio.h>

/* Where a location's events are: processors of ranks are in process 1, controllers in 2, links in 3; threads from 1 on.
 */
int chrome_process(const struct interval_setup *setup, int location);
int chrome_thread(const struct interval_setup *setup, int location);

/* The head of the file. */
void chrome_write_names(FILE *stream, const struct interval_setup *setup, bool has_links);

/* A text between quotes, cut to 255 bytes; at most 512 are put. */
char *chrome_put_text(char *to, const char *text);

#endif
