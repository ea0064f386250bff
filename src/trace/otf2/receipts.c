/* Keeps who sent what to each non-blocking receive in a nameless file, between the two passes. */
#include "trace/otf2/receipts.h"

#include "os/temporary.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fail(const char *what, struct sim_error *error)
{
    return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "temporary file of receives (in $TMPDIR or /tmp): %s: %s",
                         what, strerror(errno));
}

int otf_receipts_open(struct sim_error *error)
{
    int file = temporary_open(NULL);
    return file >= 0 ? file : fail("cannot be made", error);
}

static off_t place_of(uint64_t index)
{
    return (off_t)(index * sizeof(struct otf_receipt));
}

int otf_receipts_put(int file, uint64_t index, const struct otf_receipt *receipt, struct sim_error *error)
{
    ssize_t written = pwrite(file, receipt, sizeof *receipt, place_of(index));
    if (written >= 0 && (size_t)written < sizeof *receipt)
        errno = ENOSPC;
    return written == (ssize_t)sizeof *receipt ? 0 : fail("cannot be written", error);
}

int otf_receipts_get(struct otf_receipt *receipt, int file, struct otf_receipt_block *block, uint64_t index,
                     struct sim_error *error)
{
    if (index < block->first || index >= block->first + block->count) {
        memset(block->receipts, 0, sizeof block->receipts); /* the file may end before: never written */
        if (pread(file, block->receipts, sizeof block->receipts, place_of(index)) < 0)
            return fail("cannot be read", error);
        block->first = index;
        block->count = OTF_RECEIPT_BLOCK;
    }
    *receipt = block->receipts[index - block->first];
    return 0;
}
