/* Reads lines into records: plain ones at once, all others action by action.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/decode.h"

#include "base/memory.h"
#include "trace/ti/actions.h"
#include "trace/ti/source.h"

#include <stdlib.h>

enum { NEEDS_BLOCKS = 2 };

struct ti_decoder {
    struct ti_source *source;
    struct ti_rank *ranks;
    int n_ranks;
};

struct ti_decoder *ti_decoder_open(const char *file, struct sim_error *error)
{
    struct ti_source *source;
    if (ti_source_open(&source, file, error) != 0)
        return NULL;
    struct ti_decoder *decoder = xmalloc(sizeof *decoder);
    *decoder = (struct ti_decoder){.source = source, .n_ranks = ti_source_ranks(source)};
    decoder->ranks = xcalloc((size_t)decoder->n_ranks, sizeof *decoder->ranks);
    for (int r = 0; r < decoder->n_ranks; r++)
        ti_decoder_rewind(decoder, r);
    return decoder;
}

void ti_decoder_close(struct ti_decoder *decoder)
{
    ti_source_close(decoder->source);
    for (int r = 0; r < decoder->n_ranks; r++)
        ti_pending_dispose(&decoder->ranks[r].pending);
    free(decoder->ranks);
    free(decoder);
}

int ti_decoder_has_any(const struct ti_decoder *decoder, struct sim_error *error)
{
    return ti_source_has_any(decoder->source, error);
}

int ti_decoder_ranks(const struct ti_decoder *decoder)
{
    return decoder->n_ranks;
}

const char *ti_decoder_file(const struct ti_decoder *decoder, int rank)
{
    return ti_source_file(decoder->source, rank);
}

void ti_decoder_rewind(struct ti_decoder *decoder, int rank)
{
    struct ti_rank *state = &decoder->ranks[rank];
    ti_pending_clear(&state->pending);
    *state = (struct ti_rank){.pending = state->pending, .default_bytes = 1};
    ti_source_rewind(decoder->source, rank);
}

/* --- plain lines --- */

static bool is_rank(const struct ti_decoder *decoder, int64_t number)
{
    return number < decoder->n_ranks;
}

/* A wait for all requests that have been begun, or for one. */
static bool take_wait(struct ti_decoder *decoder, int rank, const struct ti_plain *line, struct ti_short *record)
{
    const int64_t *numbers = line->numbers;
    if (line->n_numbers == 1) {
        *record = (struct ti_short){.kind = RECORD_WAIT, .peer = -1, .request = RECORD_ALL_REQUESTS};
        return ti_pending_end_all(&decoder->ranks[rank].pending);
    }
    if (line->n_numbers != 3 || !is_rank(decoder, numbers[0]) || !is_rank(decoder, numbers[1]) ||
        numbers[2] > INT32_MAX)
        return false;
    uint32_t request = ti_pending_end(&decoder->ranks[rank].pending, (int)numbers[0], (int)numbers[1], (int)numbers[2]);
    *record = (struct ti_short){.kind = RECORD_WAIT, .peer = -1, .request = request};
    return request != 0;
}

static bool take_message(struct ti_decoder *decoder, int rank, const struct ti_plain *line, struct ti_short *record)
{
    struct ti_rank *state = &decoder->ranks[rank];
    const int64_t *numbers = line->numbers;
    int bytes = line->n_numbers == 4 ? ti_datatype_bytes(numbers[3]) : state->default_bytes;
    if (!is_rank(decoder, numbers[0]) || numbers[1] > INT32_MAX || bytes < 0)
        return false;
    int peer = (int)numbers[0], tag = (int)numbers[1];
    *record = (struct ti_short){.kind = line->kind, .peer = peer, .tag = tag, .length = numbers[2] * bytes};
    if (line->kind == RECORD_ISEND)
        record->request = ti_pending_begin(&state->pending, rank, peer, tag);
    else if (line->kind == RECORD_IRECV)
        record->request = ti_pending_begin(&state->pending, peer, rank, tag);
    return true;
}

/* The rank's next record, if the next line makes one and is plain; else nothing has been read. */
static bool read_plain(struct ti_decoder *decoder, int rank, struct ti_short *record)
{
    struct ti_rank *state = &decoder->ranks[rank];
    struct ti_plain line;
    if (state->n_further > 0 || !ti_source_plain(decoder->source, rank, &line))
        return false;
    bool waits = line.kind == RECORD_WAIT;
    if (waits ? !take_wait(decoder, rank, &line, record) : !take_message(decoder, rank, &line, record))
        return false;
    record->position = ti_source_pass(decoder->source, rank, &line);
    state->is_known = true;
    return true;
}

/* --- all others --- */

static int end_rank(const struct ti_decoder *decoder, int rank, struct sim_error *error)
{
    const struct ti_rank *state = &decoder->ranks[rank];
    if (!state->begun || state->ended)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, ti_source_file(decoder->source, rank),
                         ti_source_line(decoder->source, rank),
                         "is the last line of rank %d, which has begun with init but not ended with finalize; the "
                         "trace is cut off",
                         rank);
}

/* The rank's next record: 1, 0 after its last, -1, or NEEDS_BLOCKS if it has some and there is no room for them. */
static int read_record(struct ti_decoder *decoder, int rank, int64_t *blocks, struct record *record,
                       struct sim_error *error)
{
    struct ti_rank *state = &decoder->ranks[rank];
    struct ti_call call = {.record = record,
                           .self = state,
                           .rank = rank,
                           .n_ranks = decoder->n_ranks,
                           .blocks = blocks,
                           .file = ti_source_file(decoder->source, rank),
                           .line = ti_source_line(decoder->source, rank),
                           .at = state->held,
                           .error = error};
    int status = state->held == NULL ? ti_action_further(state, record) : 0;
    while (status == 0) {
        status = call.at != NULL ? 1 : ti_source_next(decoder->source, rank, &call.at, error);
        if (status != 1)
            return status < 0 ? -1 : end_rank(decoder, rank, error);
        state->held = blocks == NULL && ti_has_blocks(call.at) ? call.at : NULL;
        if (state->held != NULL)
            return NEEDS_BLOCKS;
        call.line = ti_source_line(decoder->source, rank);
        status = ti_action_read(&call);
        call.at = NULL;
    }
    record->position = call.line;
    return status;
}

void ti_decoder_fill(struct ti_decoder *decoder, int rank, struct ti_batch *batch, int capacity)
{
    static const uint8_t ends[] = {[0] = TI_ENDED, [1] = TI_MORE, [NEEDS_BLOCKS] = TI_BLOCKS};
    struct sim_error error;
    struct record record;
    int status = 1, n = 0;
    while (n < capacity) {
        if (!read_plain(decoder, rank, &batch->records[n])) {
            status = read_record(decoder, rank, NULL, &record, &error);
            if (status != 1)
                break;
            ti_shorten(&batch->records[n], &record);
        }
        n++;
    }
    batch->at = 0;
    batch->count = n;
    batch->end = status < 0 ? TI_FAILED : ends[status];
    batch->split_line = decoder->ranks[rank].split_line;
    batch->exchange_line = decoder->ranks[rank].exchange_line;
    if (status >= 0)
        return;
    batch->error = xrealloc(batch->error, sizeof error);
    *batch->error = error;
}

int ti_decoder_blocks(struct ti_decoder *decoder, int rank, int64_t *blocks, struct record *record,
                      struct sim_error *error)
{
    return read_record(decoder, rank, blocks, record, error);
}
