/* Packs bytes for a page: compressed, then in base64, in pieces that a group of three never crosses.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/page_block.h"

#include "base/memory.h"

#include <stdlib.h>
#include <zlib.h>

enum { LEVEL = 8 }; /* of compression, as zlib counts: a twentieth smaller than by its usual 6 */

struct page_block {
    FILE *stream;
    z_stream deflate;
    size_t length; /* of what is compressed and not written yet */
    unsigned char bytes[3 << 14];
};

static void write_base64(FILE *stream, const unsigned char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        unsigned bits = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? (unsigned)bytes[i + 2] : 0);
        const char four[] = {digits[bits >> 18], digits[bits >> 12 & 63], left > 1 ? digits[bits >> 6 & 63] : '=',
                             left > 2 ? digits[bits & 63] : '='};
        fwrite(four, 1, sizeof four, stream);
    }
}

static void compress_bytes(struct page_block *block, const void *bytes, size_t length, int flush)
{
    z_stream *deflating = &block->deflate;
    deflating->next_in = (z_const Bytef *)bytes;
    deflating->avail_in = (uInt)length;
    do {
        if (block->length == sizeof block->bytes) {
            write_base64(block->stream, block->bytes, block->length);
            block->length = 0;
        }
        deflating->next_out = block->bytes + block->length;
        deflating->avail_out = (uInt)(sizeof block->bytes - block->length);
        deflate(deflating, flush);
        block->length = sizeof block->bytes - deflating->avail_out;
    } while (deflating->avail_out == 0);
}

void page_block_take(void *block, const void *bytes, size_t length)
{
    compress_bytes(block, bytes, length, Z_NO_FLUSH);
}

/* deflateInit() fails only without memory. */
struct page_block *page_block_begin(FILE *stream, const char *id)
{
    struct page_block *block = xcalloc(1, sizeof *block);
    block->stream = stream;
    if (deflateInit(&block->deflate, LEVEL) != Z_OK)
        abort();
    fprintf(stream, "<script type=\"application/octet-stream\" id=\"%s\">", id);
    return block;
}

void page_block_end(struct page_block *block)
{
    compress_bytes(block, "", 0, Z_FINISH);
    deflateEnd(&block->deflate);
    write_base64(block->stream, block->bytes, block->length);
    fprintf(block->stream, "</script>\n");
    free(block);
}
