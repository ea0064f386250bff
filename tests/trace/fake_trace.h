/* A trace in memory: records of every rank as a reader would give them, for tests.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FAKE_TRACE_H
#define TESTS_FAKE_TRACE_H

#include "base/memory.h"
#include "trace/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_RANKS = 16, FAKE_GROUPS = 8 };

struct fake_trace {
    int n_ranks, n_groups;
    struct record_group groups[FAKE_GROUPS];
    int members[FAKE_GROUPS][FAKE_RANKS];
    struct record *records[FAKE_RANKS];
    size_t counts[FAKE_RANKS], capacities[FAKE_RANKS], next[FAKE_RANKS];
};

static int fake_open(struct record_reader *reader, const char *file, struct sim_error *error)
{
    (void)reader;
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is not opened by its name");
}

static int fake_next(struct record_reader *reader, int rank, struct record *record, struct sim_error *error)
{
    struct fake_trace *trace = reader->self;
    (void)error;
    if (trace->next[rank] == trace->counts[rank])
        return 0;
    *record = trace->records[rank][trace->next[rank]++];
    return 1;
}

static int fake_rewind(struct record_reader *reader, struct sim_error *error)
{
    struct fake_trace *trace = reader->self;
    (void)error;
    memset(trace->next, 0, sizeof trace->next);
    return 0;
}

static void fake_close(struct record_reader *reader)
{
    (void)reader;
}

static const struct record_format fake_format = {.name = "fake",
                                                 .extension = ".fake",
                                                 .summary = "records in memory",
                                                 .open = fake_open,
                                                 .next = fake_next,
                                                 .rewind = fake_rewind,
                                                 .close = fake_close};

/* A trace of so many ranks without records, and group 0. */
static void fake_init(struct fake_trace *trace, int n_ranks)
{
    *trace = (struct fake_trace){.n_ranks = n_ranks, .n_groups = 1};
    trace->groups[0] = (struct record_group){n_ranks, trace->members[0]};
    for (int i = 0; i < n_ranks; i++)
        trace->members[0][i] = i;
}

static void fake_dispose(struct fake_trace *trace)
{
    for (int rank = 0; rank < trace->n_ranks; rank++)
        free(trace->records[rank]);
}

static void fake_add(struct fake_trace *trace, int rank, struct record record)
{
    trace->records[rank] = xgrow(trace->records[rank], trace->counts[rank], &trace->capacities[rank], sizeof record);
    trace->records[rank][trace->counts[rank]++] = record;
}

static char fake_scope_names[4][16] = {"", "solve", "exchange", "solve"};
static char *fake_scopes[] = {fake_scope_names[0], fake_scope_names[1], fake_scope_names[2], fake_scope_names[3]};

static struct record_reader fake_reader(struct fake_trace *trace)
{
    memset(trace->next, 0, sizeof trace->next);
    return (struct record_reader){.format = &fake_format,
                                  .self = trace,
                                  .info = {.n_ranks = trace->n_ranks,
                                           .n_groups = trace->n_groups,
                                           .groups = trace->groups,
                                           .n_scopes = 4,
                                           .scopes = fake_scopes,
                                           .has_times = true}};
}

/* A record without a peer, in a call of the function; 0: in none. */
static inline struct record fake_span(int kind, int64_t from, int64_t to, int function)
{
    return (struct record){.start_ps = from,
                           .end_ps = to,
                           .idle_ps = -1,
                           .kind = (uint8_t)kind,
                           .function = (uint16_t)function,
                           .n_calls = function != 0,
                           .peer = -1};
}

#endif
