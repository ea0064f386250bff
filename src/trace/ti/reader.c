/* TI: the time-independent traces of SimGrid, as text. */
#include "trace/record/record.h"

#include "base/memory.h"
#include "trace/ti/actions.h"
#include "trace/ti/source.h"

#include <stdlib.h>

struct reader {
    struct ti_source *source;
    struct ti_rank *ranks;
    int64_t *blocks;
    int n_ranks;
};

static void rewind_rank(struct reader *self, int rank)
{
    struct ti_rank *state = &self->ranks[rank];
    ti_pending_clear(&state->pending);
    *state = (struct ti_rank){.pending = state->pending, .default_bytes = 1};
    ti_source_rewind(self->source, rank);
}

static int ti_open(struct record_reader *reader, const char *file, struct sim_error *error)
{
    struct ti_source *source;
    if (ti_source_open(&source, file, error) != 0)
        return -1;
    struct reader *self = xmalloc(sizeof *self);
    int n_ranks = ti_source_ranks(source);
    *self = (struct reader){.source = source, .n_ranks = n_ranks};
    self->ranks = xcalloc((size_t)n_ranks, sizeof *self->ranks);
    self->blocks = xmalloc((size_t)n_ranks * sizeof *self->blocks);
    for (int r = 0; r < n_ranks; r++)
        rewind_rank(self, r);
    reader->info = (struct record_info){0};
    record_info_world(&reader->info, n_ranks);
    reader->self = self;
    return 0;
}

static int end_rank(const struct reader *self, int rank, struct sim_error *error)
{
    const struct ti_rank *state = &self->ranks[rank];
    if (!state->begun || state->ended)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, ti_source_file(self->source, rank), ti_source_line(self->source, rank),
                         "is the last line of rank %d, which has begun with init but not ended with finalize; the "
                         "trace is cut off",
                         rank);
}

static int ti_next(struct record_reader *reader, int rank, struct record *record, struct sim_error *error)
{
    struct reader *self = reader->self;
    struct ti_rank *state = &self->ranks[rank];
    if (ti_action_further(state, record) == 1) {
        record->place = ti_source_line(self->source, rank);
        return 1;
    }
    struct ti_call call = {.record = record,
                           .self = state,
                           .rank = rank,
                           .n_ranks = self->n_ranks,
                           .blocks = self->blocks,
                           .file = ti_source_file(self->source, rank),
                           .error = error};
    for (;;) {
        int status = ti_source_next(self->source, rank, &call.at, error);
        if (status == 0)
            return end_rank(self, rank, error);
        if (status < 0)
            return -1;
        call.line = ti_source_line(self->source, rank);
        status = ti_action_read(&call);
        record->place = call.line;
        if (state->splits && reader->info.split_place == 0)
            reader->info.split_place = call.line;
        if (state->exchanges && reader->info.exchange_place == 0)
            reader->info.exchange_place = call.line;
        if (status != 0)
            return status;
    }
}

static int ti_rewind(struct record_reader *reader, struct sim_error *error)
{
    struct reader *self = reader->self;
    (void)error;
    for (int r = 0; r < self->n_ranks; r++)
        rewind_rank(self, r);
    return 0;
}

static const char *ti_file_of(const struct record_reader *reader, int rank)
{
    return ti_source_file(((const struct reader *)reader->self)->source, rank);
}

static void ti_close(struct record_reader *reader)
{
    struct reader *self = reader->self;
    ti_source_close(self->source);
    for (int r = 0; r < self->n_ranks; r++)
        ti_pending_dispose(&self->ranks[r].pending);
    free(self->ranks);
    free(self->blocks);
    free(self);
    record_info_dispose_world(&reader->info);
}

const struct record_format read_ti = {
    .name = "ti",
    .ending = ".ti",
    .also = ".txt", /* smpirun's */
    .summary = "time-independent trace of SimGrid, also .txt: a list of files, or one for all",
    .open = ti_open,
    .next = ti_next,
    .rewind = ti_rewind,
    .close = ti_close,
    .file_of = ti_file_of,
};
