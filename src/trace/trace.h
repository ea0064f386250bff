/* Trace files: a sink that writes every event of a run. The format goes by the file's ending. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/error.h"
#include "event/event.h"
#include "trace/record/record.h"

#include <stdbool.h>

struct trace_setup {
    int n_ranks;
    int n_lanes;               /* ranks and, after them, protocol controllers */
    const char *const *scopes; /* names, n_scopes of them */
    int n_scopes;
    bool has_categories; /* events say more than the state (enum category) */
};

/* A writer. Its memory grows with the lanes and the messages under way, not with the length of the run. Nothing can be
 * done about a write that fails while events come, so that only close() says so. */
struct trace_format {
    const char *name;
    const char *ending; /* ".paje" */
    const char *summary;
    /* Of the files that it writes, NULL-terminated, its own first; "" is a folder. NULL: it writes one file. */
    const char *const *endings;
    /* Open the file, or files, for writing under other names; NULL, with SIM_BAD_INPUT, if that cannot be done. */
    void *(*open)(const char *file, struct sim_error *error);
    /* Once, before the first event. `setup` stays valid until the trace is closed or abandoned. */
    void (*begin)(void *self, const struct trace_setup *setup);
    void (*write)(void *self, const struct event *event);
    /* Every lane has come to end_ps. Make the file whole, or leave nothing and say why: -1. Both end with `self` freed. */
    int (*close)(void *self, int64_t end_ps, struct sim_error *error);
    /* In place of events: write a trace that was read, record by record; `setup` has its scopes. It must stay open until
     * the trace is closed. NULL: the format is made of events. */
    int (*copy)(void *self, struct record_reader *reader, struct sim_error *error);
    /* Leave nothing. */
    void (*abandon)(void *self);
};

/* All formats, NULL-terminated. */
extern const struct trace_format *const trace_formats[];

struct trace {
    const struct trace_format *format;
    void *self;
    struct trace_setup setup; /* with names of its own */
    char **scopes;
    bool begun;
    int64_t end_ps; /* of the latest event */
};

/* The format for a file name, or NULL with an error that lists the known endings. */
const struct trace_format *trace_format_of(const char *file, struct sim_error *error);

/* Open a file for writing; what cannot be written is SIM_BAD_INPUT. Then trace_take() is the sink's function. The setup
 * and its names are copied. After trace_close() and trace_abandon() there is nothing left to free. */
int trace_open(struct trace *trace, const char *file, struct sim_error *error);
void trace_begin(struct trace *trace, const struct trace_setup *setup);
void trace_take(void *trace, const struct event *event);
/* In place of trace_begin() and the events, where the format has copy(): the trace that the reader has open. It must stay
 * open until the trace is closed. 0, or -1 with the reader's error. */
int trace_copy(struct trace *trace, struct record_reader *reader, struct sim_error *error);
int trace_close(struct trace *trace, struct sim_error *error);
void trace_abandon(struct trace *trace);

#endif
