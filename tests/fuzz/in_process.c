/* Opens archives without a trial in another process, with the numbers of the anchor bounded.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "in_process.h"

#include "fuzzing.h"
#include "shared/archive.h"
#include "trace/otf2/input.h"

#include <stdlib.h>
#include <string.h>

/* In place of that in trace/otf2/trial.c. */
int otf_input_try(const char *file, struct sim_error *error)
{
    (void)file, (void)error;
    return 0;
}

/* The anchor file: 12 bytes of kind and version, of which the second says that what follows is little-endian; chunk
 * sizes of events and definitions; file system, compression; numbers of locations and of definitions; machine, creator
 * and description; number of properties. The library crashes over numbers that are far out, or takes minutes: they are
 * made small here. */
enum { ANCHOR_ENDIANNESS = 1, ANCHOR_CHUNKS = 12, ANCHOR_COUNTS = 30, ANCHOR_TEXTS = 46, N_ANCHOR_TEXTS = 3 };

static void bound_anchor(char *anchor, size_t size)
{
    static const char chunks[16] = {[2] = 4, [10] = 4}; /* the least, 256 KiB */
    size_t at = ANCHOR_TEXTS;
    if (size <= ANCHOR_TEXTS)
        return;
    anchor[ANCHOR_ENDIANNESS] = 'B';
    memcpy(anchor + ANCHOR_CHUNKS, chunks, sizeof chunks);
    memset(anchor + ANCHOR_COUNTS + 2, 0, 6);
    memset(anchor + ANCHOR_COUNTS + 10, 0, 6);
    for (int i = 0; i < N_ANCHOR_TEXTS && at < size; i++)
        at += strlen(anchor + at) + 1;
    for (size_t i = at + 1; i < at + 4 && i < size; i++)
        anchor[i] = 0;
}

const char *in_process_write(const uint8_t *data, size_t size)
{
    struct fuzz_parts parts;
    fuzz_split(&parts, data, size);
    char *bounded = fuzz_text(data, size);
    bound_anchor(bounded, parts.items[0].size);
    const char *anchor = archive_write((uint8_t *)bounded, size);
    free(bounded);
    return anchor;
}
