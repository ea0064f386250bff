/* The strands of a replay: operations of a schedule, or else threads, and collectives that go on beside them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/begun.h"

#include <stdio.h>

/* The line of a trace whose records are not a schedule: its location, and the number there. */
static int64_t split_line(const struct replay *replay, int rank, int64_t line, int *location)
{
    *location = (int)(line >> REPLAY_LINES) * replay->groups.n_ranks + rank;
    return line & ((INT64_C(1) << REPLAY_LINES) - 1);
}

static void describe_thread(struct replay *replay, int rank, int64_t line, int op, char *text, size_t size)
{
    int location, length = 0, thread = (int)(line >> REPLAY_LINES);
    int64_t number = split_line(replay, rank, line, &location);
    if (thread > 0)
        length = snprintf(text, size, "thread %d, ", thread);
    if (number == 0)
        replay_describe(&replay, location, op, text + length, size - (size_t)length);
    else
        snprintf(text + length, size - (size_t)length, "in a non-blocking collective");
}

void replay_describe_strand(const void *config, int rank, int64_t line, int op, char *text, size_t size)
{
    struct replay *replay = *(struct replay *const *)config;
    const struct record_reader *reader = &replay->input->reader;
    const char *file = reader->format->file_of != NULL ? reader->format->file_of(reader, rank) : NULL;
    if (replay->schedule == NULL) {
        describe_thread(replay, rank, line, op, text, size);
        return;
    }
    int64_t position = schedule_position(replay->schedule, rank, line);
    if (file != NULL)
        snprintf(text, size, "%.150s:%lld", file, (long long)position);
    else
        snprintf(text, size, "operation %lld", (long long)position);
}

bool replay_emit_strand(const void *config, int rank, int64_t line, int64_t step, struct op_list *list)
{
    struct replay *replay = *(struct replay *const *)config;
    if (replay->schedule == NULL) {
        int location;
        int64_t number = split_line(replay, rank, line, &location);
        return number == 0 ? replay_emit(config, location, step, list)
                           : begun_emit(replay, location, (uint32_t)number, step, list);
    }
    int status =
        replay->failed ? -1 : schedule_emit(replay->schedule, replay->speed, rank, line, step, list, &replay->error);
    replay->failed = status < 0;
    return status == 1;
}

int replay_finished(const void *config, int64_t n_started, struct sim_error *error)
{
    const struct replay *replay = *(struct replay *const *)config;
    return replay->schedule != NULL ? schedule_finished(replay->schedule, n_started, error) : 0;
}
