/* Most lines of a TI trace, read in one pass: messages and waits, written as SMPI and simrun write them, with one blank
 * between words. A line that is written otherwise, or wrong, is not plain: it is left to actions.h, which says what is
 * wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_PLAIN_H
#define TRACE_TI_PLAIN_H

#include "trace/record/record.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct ti_plain {
    int64_t first;      /* the line's rank, or in a spool its number */
    int64_t numbers[4]; /* message: peer, tag, count, datatype; wait: sender, receiver, tag; wait for all: how many */
    int n_numbers;      /* 3 or 4; of a wait for all 1 */
    uint8_t kind;       /* enum record_kind */
    const char *end;    /* the '\n' */
};

/* A number of no more than 14 digits, and what stands behind it; NULL if there is none. */
static inline const char *ti_plain_number(int64_t *value, const char *p)
{
    const char *first = p;
    uint64_t sum = (uint64_t)(unsigned char)*p - '0';
    if (sum > 9)
        return NULL;
    for (unsigned digit; (digit = (unsigned)(unsigned char)*++p - '0') < 10;)
        sum = sum * 10 + digit; /* runs over only where there are too many */
    *value = (int64_t)sum;
    return p - first <= 14 ? p : NULL;
}

/* The action at p, of which at least 8 bytes may be read, and where its first number is; NULL if it is another. */
static inline const char *ti_plain_action(uint8_t *kind, const char *p)
{
    if (memcmp(p, "send ", 5) == 0)
        return *kind = RECORD_SEND, p + 5;
    if (memcmp(p, "recv ", 5) == 0)
        return *kind = RECORD_RECV, p + 5;
    if (memcmp(p, "isend ", 6) == 0)
        return *kind = RECORD_ISEND, p + 6;
    if (memcmp(p, "irecv ", 6) == 0)
        return *kind = RECORD_IRECV, p + 6;
    if (memcmp(p, "wait ", 5) == 0)
        return *kind = RECORD_WAIT, p + 5;
    if (memcmp(p, "waitall ", 8) == 0)
        return *kind = RECORD_WAIT, p + 8;
    return NULL;
}

/* True if the line at p, behind which are at least 7 bytes more, is plain. */
static inline bool ti_plain_read(struct ti_plain *line, const char *p)
{
    p = ti_plain_number(&line->first, p);
    const char *action = p + 1;
    if (p == NULL || *p != ' ' || (p = ti_plain_action(&line->kind, action)) == NULL)
        return false;
    int n = 0, least = p - action == 8 ? 1 : 3;
    for (;;) {
        p = ti_plain_number(&line->numbers[n++], p);
        if (p == NULL || *p != ' ' || n == 4)
            break;
        p++;
    }
    line->n_numbers = n;
    line->end = p;
    return p != NULL && *p == '\n' && n >= least && (least == 3 || n == 1);
}

#endif
