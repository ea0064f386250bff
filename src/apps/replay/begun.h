/* Non-blocking collectives, which go on beside the rank that has begun them: each is a strand of its rank.
 *
 * A trace says what a collective is where it is complete. So a second reader goes ahead of the replay as far as that.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_REPLAY_BEGUN_H
#define APPS_REPLAY_BEGUN_H

#include "apps/replay/internal.h"

struct begun_collectives;

struct begun_collectives *begun_new(const char *file);
void begun_free(struct begun_collectives *begun);

/* The location begins a collective under that number, in a scope. False if the trace does not say what it is, or
 * cannot be read (replay->failed). */
bool begun_start(struct replay *replay, int location, uint32_t number, uint8_t scope);
/* It has waited for it. */
void begun_end(struct replay *replay, int location, uint32_t number);
/* See emit_strand() in sim/kernel/app.h: the line is the location's of that number. */
bool begun_emit(struct replay *replay, int location, uint32_t number, int64_t step, struct op_list *list);

/* The number of the line that the strand names last, and for which its location waits. */
static inline int64_t begun_join(uint32_t number)
{
    return (INT64_C(1) << 40) + number;
}

#endif
