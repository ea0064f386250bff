/* What became of non-blocking receives. OTF2 says from whom a message came, and how long it was, only where the receive
 * completes, but replay must know when it posts the receive. So a first pass through the archive writes this down into
 * a nameless temporary file, by the number of the receive's posting, and the second pass reads it in order. That costs
 * disk (24 bytes a receive, less than its events take in the archive) and no memory, however long receives are pending.
 * Without non-blocking receives there is no file. */
#ifndef TRACE_OTF2_RECEIPTS_H
#define TRACE_OTF2_RECEIPTS_H

#include "base/error.h"

#include <stdint.h>

struct otf_receipt {
    int64_t bytes;
    int32_t peer, tag, group; /* as in struct record */
    int32_t complete;         /* 0: it never was; the rest says nothing then */
};

enum { OTF_RECEIPT_BLOCK = 64 };

/* A reader of successive receipts. */
struct otf_receipt_block {
    uint64_t first, count;
    struct otf_receipt receipts[OTF_RECEIPT_BLOCK];
};

/* A new, empty temporary file, which vanishes when closed; -1 with an error (SIM_UNFINISHED). */
int otf_receipts_open(struct sim_error *error);

/* Write the receipt number `index`; what is never written reads as zero. */
int otf_receipts_put(int file, uint64_t index, const struct otf_receipt *receipt, struct sim_error *error);

/* Read it; cheap for successive indices. */
int otf_receipts_get(struct otf_receipt *receipt, int file, struct otf_receipt_block *block, uint64_t index,
                     struct sim_error *error);

#endif
