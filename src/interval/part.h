/* The part of a run that is asked for, as its user writes it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTERVAL_PART_H
#define INTERVAL_PART_H

#include <stdbool.h>
#include <stddef.h>

/* All NULL: the whole run. `from` and `to`: a time, such as "1.5s", or the n-th occurrence of a scope, such as
 * "solve:10". `ranks`: a list, such as "0-3,8". Borrowed. */
struct part_request {
    const char *from, *to, *ranks;
};

static inline bool part_is_asked(const struct part_request *request)
{
    return request->from != NULL || request->to != NULL || request->ranks != NULL;
}

#endif
