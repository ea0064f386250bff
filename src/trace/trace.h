/* Trace files: a sink that writes every interval of a run. The format goes by the file's extension.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/error.h"
#include "interval/interval.h"
#include "trace/record/record.h"
#include "trace/record/writer.h"

#include <stdbool.h>

struct trace {
    const struct trace_format *format;
    void *self;
    struct interval_setup setup; /* with names of its own */
    char **scopes, **parameters;
    char **processors; /* names of the ranks\' processors, some NULL; NULL: none has one */
    bool begun;
    int64_t end_ps; /* of the latest interval */
    char *remark;   /* what the format cannot say, for who has it written, who may take it; NULL: nothing */
};

/* Open a file for writing; what cannot be written is SIM_BAD_INPUT. Then trace_take() is the sink's function. The setup
 * and its names are copied. After trace_close() and trace_abandon() there is nothing left to free. */
int trace_open(struct trace *trace, const char *file, struct sim_error *error);
void trace_begin(struct trace *trace, const struct interval_setup *setup);
void trace_take(void *trace, const struct interval *interval);
/* True if the format has a place for links; trace_add_link() says what one of them did, after the last interval. */
bool trace_has_links(const struct trace *trace);
void trace_add_link(struct trace *trace, const struct trace_link *link);
/* In place of trace_begin() and the intervals, where the format has copy(): the trace that the reader has open. It must
 * stay open until the trace is closed. 0, or -1 with the reader's error. */
int trace_copy(struct trace *trace, struct record_reader *reader, struct sim_error *error);
int trace_close(struct trace *trace, struct sim_error *error);
void trace_abandon(struct trace *trace);

#endif
