/* The application that replays a trace, shared by the files that make it up: trace.c is its row and its parameters,
 * apps/replay/ops.c makes ops of records, apps/replay/collectives.c of collectives, apps/replay/strands.c tells strands
 * apart, apps/replay/lower.c lowers collectives, apps/replay/histories.c compares those of a group's members.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_REPLAY_INTERNAL_H
#define APPS_REPLAY_INTERNAL_H

#include "apps/replay/lower.h"
#include "apps/replay/schedule.h"
#include "base/error.h"
#include "sim/kernel/app.h"
#include "sim/program/groups.h"
#include "trace/analysis/analysis.h"
#include "trace/record/record.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { REPLAY_STEP_OPS = 4, REPLAY_MAX_DEPTH = 1024, REPLAY_OUTSIDE = 1 }; /* the scope outside of the trace's */

/* An open trace. A process that was forked since has to open it again where others move what it reads
 * (record_is_shared()). */
struct trace_input {
    char *file;
    char *from, *to, *ranks; /* of the part that is replayed, see struct part_request */
    struct record_reader reader;
    pid_t process;
    const struct replay *user;     /* whose position the reader's is; NULL: it is at the beginning */
    struct app_spec app;           /* with the trace's scopes; it outlives the programs */
    struct analysis_scopes scopes; /* the same as in an analysis, so that the reports name them alike */
    const char **scope_names;      /* those names, NULL-terminated */
};

/* Its row. */
extern const struct app_spec app_trace;

/* Make input->app of what is known of the trace. */
void trace_input_describe(struct trace_input *input);

int trace_input_open(void **input, int *n_ranks, const char *file, const struct part_request *part,
                     struct sim_error *error);
void trace_input_close(void *input);

/* The collectives that a member of a group has done so far, in short. */
struct collective_history {
    uint64_t hash, lengths;
    int64_t count;
};

/* Where an op comes from: record.position, and the collective, or N_RECORD_COLLECTIVES. */
struct replay_origin {
    int64_t position;
    uint8_t collective;
};

/* Where a rank is, or a further thread of one. */
struct replay_rank {
    int64_t step; /* whose ops are in `ops`; -1: before the first */
    bool ended;   /* there is no further one */
    bool marks;   /* its latest record is one of a wait for several, which goes on */
    uint8_t count;
    int32_t depth; /* of the scopes that it is in; those within REPLAY_MAX_DEPTH of others count as them */
    uint8_t *scopes;
    size_t scopes_capacity;
    struct lowered *collective; /* that it is in; NULL: none */
    int64_t collective_op;
    int32_t collective_group;
    double flops;       /* to be done after the collective ... */
    int64_t fixed_ps;   /* ... or a time that it takes then */
    uint8_t fixed_role; /* enum op_role */
    struct op ops[REPLAY_STEP_OPS];
    struct replay_origin origins[REPLAY_STEP_OPS]; /* of each op */
    struct replay_origin origin;                   /* of the record that is being done */
};

struct begun_collectives;

struct replay {
    struct trace_input *input, *own; /* own: opened by this process */
    double speed;                    /* flop/s; 0: times are kept */
    struct groups groups;
    struct collective_history **histories; /* of each group, each member; the first group's are histories[0][rank] */
    int n_locations;                       /* thread k of rank r is location k n_ranks + r, on the rank's processor k */
    struct replay_rank *ranks;             /* of each location; functions take locations for ranks, too */
    struct goal_file *schedule;            /* of which records are one order; NULL: they say all */
    struct begun_collectives *begun;       /* of those that go on beside their ranks; NULL: none does */
    int progress; /* the processor on which they do always; 0: only when their rank does not compute */
    int n_ended;
    struct sim_error error;
    bool failed;
};

/* The rank that a location is of. */
static inline int replay_rank_of(const struct replay *replay, int location)
{
    return location % replay->groups.n_ranks;
}

/* A strand of the location, by its number there, which is below 2^REPLAY_LINES: 0 is the thread itself. */
enum { REPLAY_LINES = 44 };
static inline int64_t replay_line(const struct replay *replay, int location, int64_t number)
{
    return ((int64_t)(location / replay->groups.n_ranks) << REPLAY_LINES) + number;
}

/* Add a collective to the history of the member of that group rank. */
void replay_note_collective(struct replay *replay, int group_rank, const struct record *record);
/* Once all ranks have ended: that the members of each group have done the same collectives, as far as messages tell. */
void replay_compare_histories(struct replay *replay);

/* A collective as the messages that it is lowered to, where it is; the blocks are the record's. */
struct lowered replay_lowered(const struct replay *replay, int group_rank, const struct record *record);
/* Add the op of a collective that is not; `number`: among those that go on beside others. */
void replay_collective_op(const struct replay *replay, const struct record *record, uint8_t scope, int32_t number,
                          struct op_list *list);

/* Begin at the beginning. */
void replay_reset(struct replay *replay);

bool replay_emit(const void *config, int rank, int64_t step, struct op_list *list);
void replay_describe_strand(const void *config, int rank, int64_t line, int op, char *text, size_t size);
bool replay_emit_strand(const void *config, int rank, int64_t line, int64_t step, struct op_list *list);
void replay_describe(const void *config, int rank, int op, char *text, size_t size);
void replay_explain(const void *config, char *text, size_t size);
int replay_failed(const void *config, struct sim_error *error);
int replay_finished(const void *config, int64_t n_started, struct sim_error *error);

#endif
