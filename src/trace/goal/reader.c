/* GOAL: the schedules of LogGOPSim and ATLAHS, as text or in the binary form, which the first bytes tell apart.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/record.h"

#include "base/memory.h"
#include "trace/goal/schedule.h"

#include <stdlib.h>

struct reader {
    struct goal_schedule schedule;
    char *file;
};

static int goal_open(struct record_reader *reader, const char *file, struct sim_error *error)
{
    struct reader *self = xcalloc(1, sizeof *self);
    if (goal_schedule_read(&self->schedule, file, error) != 0) {
        goal_schedule_dispose(&self->schedule);
        free(self);
        return -1;
    }
    self->file = xstrdup(file);
    reader->info = (struct record_info){.has_lengths = true, .has_any_source = self->schedule.has_any_source};
    record_info_world(&reader->info, self->schedule.n_ranks);
    reader->self = self;
    return 0;
}

static int goal_next(struct record_reader *reader, int rank, struct record *record, struct sim_error *error)
{
    struct goal_schedule *schedule = &((struct reader *)reader->self)->schedule;
    const struct goal_step *step;
    int status = goal_spool_next(&schedule->spool, rank, &step, error);
    if (status != 1)
        return status;
    *record = (struct record){.kind = (uint8_t)step->kind, .position = step->position, .idle_ps = -1, .n_calls = 1};
    if (step->kind == RECORD_COMPUTE) {
        record->end_ps = 1000 * step->amount;
        record->peer = -1;
        record->n_calls = 0;
        return 1;
    }
    bool receives = step->kind == RECORD_RECV || step->kind == RECORD_IRECV;
    record->bytes = receives && step->amount == 0 ? -1 : step->amount;
    record->peer = (int32_t)step->peer;
    bool sends = step->kind == RECORD_SEND || step->kind == RECORD_ISEND;
    record->tag = (int32_t)(sends ? goal_schedule_tag(schedule, step->peer, (uint32_t)rank, step->tag) : step->tag);
    record->request = step->request;
    return 1;
}

static int goal_rewind(struct record_reader *reader, struct sim_error *error)
{
    struct goal_schedule *schedule = &((struct reader *)reader->self)->schedule;
    (void)error;
    for (int r = 0; r < schedule->n_ranks; r++)
        goal_spool_rewind(&schedule->spool, r);
    return 0;
}

static const char *goal_file_of(const struct record_reader *reader, int rank)
{
    const struct reader *self = reader->self;
    (void)rank;
    return self->schedule.is_text ? self->file : NULL;
}

static const struct goal_graph *goal_graphs(const struct record_reader *reader)
{
    const struct reader *self = reader->self;
    return self->schedule.graphs;
}

static void goal_close(struct record_reader *reader)
{
    struct reader *self = reader->self;
    goal_schedule_dispose(&self->schedule);
    free(self->file);
    free(self);
    record_info_dispose_world(&reader->info);
}

const struct record_format read_goal = {
    .name = "goal",
    .extension = ".goal",
    .also = ".bin",
    .summary = "schedule of LogGOPSim and ATLAHS, as text or in its binary form",
    .open = goal_open,
    .next = goal_next,
    .rewind = goal_rewind,
    .close = goal_close,
    .graphs = goal_graphs,
    .file_of = goal_file_of,
};
