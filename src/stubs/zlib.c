/* Stub of zlib: what is compressed there is stored here, in the same format (RFC 1950, RFC 1951),
 * which every reader of that reads. Only what src/report/page_block.c calls.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_STORED = 65535, MOST_WAITING = 16 };

/* The state that zlib keeps for a stream. */
struct internal_state {
    unsigned char waiting[MOST_WAITING]; /* for room: what stands between stored bytes */
    uInt n_waiting;
    uInt left; /* of a stored block */
    bool is_done;
};

static void wait_for_room(struct internal_state *state, const unsigned char *bytes, uInt length)
{
    memcpy(state->waiting + state->n_waiting, bytes, length);
    state->n_waiting += length;
}

static void begin_block(struct internal_state *state, uInt length, bool is_last)
{
    const unsigned char header[] = {is_last, length & 0xff, (unsigned char)(length >> 8), ~length & 0xff,
                                    ~length >> 8 & 0xff};
    wait_for_room(state, header, sizeof header);
    state->left = length;
}

int deflateInit_(z_streamp stream, int level, const char *version, int stream_size)
{
    static const unsigned char header[] = {0x78, 0x01};
    (void)level, (void)version, (void)stream_size;
    stream->state = xcalloc(1, sizeof *stream->state);
    stream->adler = 1;
    wait_for_room(stream->state, header, sizeof header);
    return Z_OK;
}

int deflateEnd(z_streamp stream)
{
    free(stream->state);
    return Z_OK;
}

static uLong checksum(uLong adler, const unsigned char *bytes, uInt length)
{
    enum { LARGEST_PRIME = 65521 };
    uint32_t a = (uint32_t)adler & 0xffff, b = (uint32_t)adler >> 16;
    for (uInt i = 0; i < length; i++) {
        a = (a + bytes[i]) % LARGEST_PRIME;
        b = (b + a) % LARGEST_PRIME;
    }
    return b << 16 | a;
}

static void put(z_streamp stream, const unsigned char *bytes, uInt length)
{
    memcpy(stream->next_out, bytes, length);
    stream->next_out += length;
    stream->avail_out -= length;
}

static void put_waiting(z_streamp stream)
{
    struct internal_state *state = stream->state;
    uInt length = state->n_waiting < stream->avail_out ? state->n_waiting : stream->avail_out;
    put(stream, state->waiting, length);
    state->n_waiting -= length;
    memmove(state->waiting, state->waiting + length, state->n_waiting);
}

static void store(z_streamp stream)
{
    struct internal_state *state = stream->state;
    uInt length = state->left < stream->avail_out ? state->left : stream->avail_out;
    put(stream, stream->next_in, length);
    stream->adler = checksum(stream->adler, stream->next_in, length);
    stream->next_in += length;
    stream->avail_in -= length;
    state->left -= length;
}

static void end_stream(z_streamp stream)
{
    const uLong adler = stream->adler;
    const unsigned char end[] = {adler >> 24 & 0xff, adler >> 16 & 0xff, adler >> 8 & 0xff, adler & 0xff};
    begin_block(stream->state, 0, true);
    wait_for_room(stream->state, end, sizeof end);
    stream->state->is_done = true;
}

/* A block is never longer than what has come, so that none is open when all of that is stored. */
int deflate(z_streamp stream, int flush)
{
    struct internal_state *state = stream->state;
    while (stream->avail_out > 0) {
        if (state->n_waiting > 0)
            put_waiting(stream);
        else if (state->left > 0)
            store(stream);
        else if (stream->avail_in > 0)
            begin_block(state, stream->avail_in < MOST_STORED ? stream->avail_in : MOST_STORED, false);
        else if (flush == Z_FINISH && !state->is_done)
            end_stream(stream);
        else
            break;
    }
    return state->is_done && state->n_waiting == 0 ? Z_STREAM_END : Z_OK;
}
