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
    self->file = xstrdup(file);
    if (goal_schedule_read(&self->schedule, self->file, error) != 0) {
        goal_schedule_dispose(&self->schedule);
        free(self->file);
        free(self);
        return -1;
    }
    reader->info = (struct record_info){.has_lengths = true, .has_any_source = self->schedule.file.has_any};
    record_info_world(&reader->info, self->schedule.file.n_ranks);
    reader->self = self;
    return 0;
}

static int goal_next(struct record_reader *reader, int rank, struct record *record, struct sim_error *error)
{
    struct reader *self = reader->self;
    struct goal_step step;
    int status = goal_schedule_next(&step, &self->schedule, rank, error);
    if (status != 1)
        return status;
    *record = (struct record){.kind = (uint8_t)step.kind, .position = step.position, .idle_ps = -1, .n_calls = 1};
    if (step.kind == RECORD_COMPUTE) {
        record->end_ps = 1000 * step.amount;
        record->peer = -1;
        record->n_calls = 0;
        return 1;
    }
    bool receives = step.kind == RECORD_RECV || step.kind == RECORD_IRECV;
    record->bytes = receives && step.amount == 0 ? -1 : step.amount;
    record->peer = (int32_t)step.peer;
    record->tag = (int32_t)step.tag;
    record->request = step.request;
    return 1;
}

static int goal_rewind(struct record_reader *reader, struct sim_error *error)
{
    (void)error;
    goal_schedule_rewind(&((struct reader *)reader->self)->schedule);
    return 0;
}

/* All reading is at a place that it names. */
static bool goal_is_shared(const struct record_reader *reader)
{
    (void)reader;
    return true;
}

static const char *goal_file_of(const struct record_reader *reader, int rank)
{
    const struct reader *self = reader->self;
    (void)rank;
    return self->schedule.file.is_text ? self->file : NULL;
}

static struct goal_file *goal_strands(const struct record_reader *reader)
{
    struct reader *self = reader->self;
    return &self->schedule.file;
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
    .is_untimed = true,
    .summary = "schedule of LogGOPSim and ATLAHS, as text or in its binary form",
    .open = goal_open,
    .next = goal_next,
    .rewind = goal_rewind,
    .close = goal_close,
    .is_shared = goal_is_shared,
    .strands = goal_strands,
    .file_of = goal_file_of,
};
