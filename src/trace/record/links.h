/* Links of a trace that are kept until its file is written.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_LINKS_H
#define TRACE_RECORD_LINKS_H

#include <stddef.h>
#include <stdint.h>

/* The use of a link in the course of time: the part of each bin in which it was busy, from 0 to 1; where a link serves
 * several messages at once (network `quiet`), also more. */
struct trace_link {
    const char *name;
    int64_t bin_ps;
    size_t n_bins;
    const double *busy;
};

/* One of zeros is empty. */
struct trace_links {
    struct trace_link *links; /* with names and values of their own */
    size_t n_links, capacity;
};

void trace_links_add(struct trace_links *links, const struct trace_link *link);
/* It is empty afterwards. */
void trace_links_dispose(struct trace_links *links);

#endif
