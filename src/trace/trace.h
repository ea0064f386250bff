/* Trace files: a sink that writes every event of a run. The format goes by the file's ending. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/error.h"
#include "base/output.h"
#include "trace/event.h"

#include <stdbool.h>
#include <stdio.h>

struct trace_setup {
    int n_ranks;
    int n_lanes;               /* ranks and, after them, protocol controllers */
    const char *const *scopes; /* names, n_scopes of them */
    int n_scopes;
    bool has_categories; /* events say more than the state (enum category) */
};

struct trace_format {
    const char *name;
    const char *ending; /* ".paje" */
    const char *summary;
    void (*begin)(FILE *stream, const struct trace_setup *setup);
    void (*write)(FILE *stream, const struct event *event);
    void (*end)(FILE *stream, int n_lanes, int64_t end_ps);
};

/* All formats, NULL-terminated. */
extern const struct trace_format *const trace_formats[];

struct trace {
    const struct trace_format *format;
    struct output output;
    struct trace_setup setup;
    int64_t end_ps; /* of the latest event */
};

/* The format for a file name, or NULL with an error that lists the known endings. */
const struct trace_format *trace_format_of(const char *file, struct sim_error *error);

/* Open a file for writing; what cannot be written is SIM_BAD_INPUT. Then trace_take() is the sink's function. */
int trace_open(struct trace *trace, const char *file, struct sim_error *error);
void trace_begin(struct trace *trace, const struct trace_setup *setup);
void trace_take(void *trace, const struct event *event);
int trace_close(struct trace *trace, struct sim_error *error);
void trace_abandon(struct trace *trace);

#endif
