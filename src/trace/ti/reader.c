/* TI: the time-independent traces of SimGrid, as text.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/record.h"

#include "base/memory.h"
#include "trace/ti/ahead.h"
#include "trace/ti/decode.h"

#include <stdlib.h>

struct reader {
    struct ti_decoder *decoder;
    struct ti_ahead *ahead;
    int64_t *blocks;
};

static int ti_open(struct record_reader *reader, const char *file, struct sim_error *error)
{
    struct ti_decoder *decoder = ti_decoder_open(file, error);
    if (decoder == NULL)
        return -1;
    int has_any = ti_decoder_has_any(decoder, error);
    if (has_any < 0) {
        ti_decoder_close(decoder);
        return -1;
    }
    struct reader *self = xmalloc(sizeof *self);
    int n_ranks = ti_decoder_ranks(decoder);
    *self = (struct reader){.decoder = decoder, .ahead = ti_ahead_new(decoder)};
    self->blocks = xmalloc((size_t)n_ranks * sizeof *self->blocks);
    reader->info = (struct record_info){.has_any_source = has_any};
    record_info_world(&reader->info, n_ranks);
    reader->self = self;
    return 0;
}

/* The first lines of those that the trace does not say all of, once all before `position` has been taken. */
static void note_first_lines(struct record_info *info, const struct ti_batch *batch, int64_t position)
{
    if (info->split_line == 0 && batch->split_line <= position)
        info->split_line = batch->split_line;
    if (info->exchange_line == 0 && batch->exchange_line <= position)
        info->exchange_line = batch->exchange_line;
}

static int end_batch(struct record_reader *reader, int rank, const struct ti_batch *batch, struct record *record,
                     struct sim_error *error)
{
    struct reader *self = reader->self;
    if (batch->end == TI_BLOCKS)
        return ti_decoder_blocks(self->decoder, rank, self->blocks, record, error);
    if (batch->end == TI_FAILED)
        *error = *batch->error;
    return batch->end == TI_FAILED ? -1 : 0;
}

static int ti_next(struct record_reader *reader, int rank, struct record *record, struct sim_error *error)
{
    struct reader *self = reader->self;
    struct ti_batch *batch = ti_ahead_batch(self->ahead, rank);
    while (batch == NULL || batch->at == batch->count) {
        if (batch != NULL && batch->end != TI_MORE) {
            note_first_lines(&reader->info, batch, INT64_MAX);
            int status = end_batch(reader, rank, batch, record, error);
            if (batch->end == TI_BLOCKS)
                batch->end = TI_MORE;
            return status;
        }
        batch = ti_ahead_next(self->ahead, rank);
    }
    const struct ti_short *next = &batch->records[batch->at++];
    ti_lengthen(record, next);
    if (batch->split_line != 0 || batch->exchange_line != 0)
        note_first_lines(&reader->info, batch, next->position);
    return 1;
}

static int ti_rewind(struct record_reader *reader, struct sim_error *error)
{
    (void)error;
    ti_ahead_rewind(((struct reader *)reader->self)->ahead);
    return 0;
}

static const char *ti_file_of(const struct record_reader *reader, int rank)
{
    return ti_decoder_file(((const struct reader *)reader->self)->decoder, rank);
}

/* Files are read from offsets that each process remembers for itself. */
static bool ti_is_shared(const struct record_reader *reader)
{
    return ti_ahead_is_still(((const struct reader *)reader->self)->ahead);
}

static void ti_close(struct record_reader *reader)
{
    struct reader *self = reader->self;
    ti_ahead_free(self->ahead);
    ti_decoder_close(self->decoder);
    free(self->blocks);
    free(self);
    record_info_dispose_world(&reader->info);
}

const struct record_format read_ti = {
    .name = "ti",
    .extension = ".ti",
    .is_untimed = true,
    .also = ".txt", /* smpirun's */
    .summary = "time-independent trace of SimGrid, also .txt: a list of files, or one for all",
    .open = ti_open,
    .next = ti_next,
    .rewind = ti_rewind,
    .close = ti_close,
    .is_shared = ti_is_shared,
    .file_of = ti_file_of,
};
