/* A format that traces are written in: what its writer does.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_WRITER_H
#define TRACE_RECORD_WRITER_H

#include "base/error.h"
#include "interval/interval.h"
#include "trace/record/links.h"
#include "trace/record/record.h"

#include <stdbool.h>
#include <stdint.h>

/* A writer. Its memory grows with the locations and the messages under way, not with the length of the run. Nothing can
 * be done about a write that fails while intervals come, so that only close() says so. */
struct trace_format {
    const char *name;
    const char *extension; /* ".paje" */
    const char *also;      /* another one of the same format, or NULL */
    const char *summary;   /* NULL: this build is without it (src/stubs), and open() says so */
    /* Extensions of the files that it writes, NULL-terminated, its own first; "" is a folder. NULL: writes one file. */
    const char *const *extensions;
    /* Open the file, or files, for writing under other names; NULL, with SIM_BAD_INPUT, if that cannot be done. */
    void *(*open)(const char *file, struct sim_error *error);
    /* It is made of what the program does, not of what happens to it: who exports the program writes it, and
     * begin() and write() are NULL. */
    bool of_program;
    /* Once, before the first interval. `setup` stays valid until the trace is closed or abandoned. */
    void (*begin)(void *self, const struct interval_setup *setup);
    void (*write)(void *self, const struct interval *interval);
    /* Behind the last interval, once for each link that carried anything; all is borrowed. NULL: the format has no
     * place for links, and the run need not look at them. */
    void (*add_link)(void *self, const struct trace_link *link);
    /* Every location has come to end_ps. Make the file whole, or leave nothing and say why: -1. Both end with `self`
     * freed. */
    int (*close)(void *self, int64_t end_ps, struct sim_error *error);
    /* In place of intervals: write a trace that was read, record by record; `setup` has its scopes. It must stay open
     * until the trace is closed. NULL: the format is made of intervals. */
    int (*copy)(void *self, struct record_reader *reader, struct sim_error *error);
    /* Leave nothing. */
    void (*abandon)(void *self);
};

#endif
