/* The binary form of GOAL, as LogGOPSim's txt2bin writes it: numbers least significant byte first, nothing aligned.
 *
 *     u64 4223 | u32 ranks, u8 largest cpu, u8 largest nic | of each rank u64 begin, u64 end | ranks
 *
 * `begin` and `end` count from behind the first 8 bytes. A rank is
 *
 *     u32 operations, u32 roots | u32 of each root | operations | u32 of each dependent
 *     operation: u32 what it waits for, u8 kind, u32 peer, u64 bytes or ns, u32 tag, u8 cpu, u8 nic,
 *                u32 how many wait for its end, u32 first of them, u32 how many for its beginning, u32 first of them
 *
 * Roots wait for nothing. Dependents are numbers of operations, from 0.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_BINARY_H
#define TRACE_GOAL_BINARY_H

#include "base/error.h"
#include "trace/goal/graph.h"

#include <stdint.h>
#include <stdio.h>

enum {
    GOAL_COOKIE = 4223,
    GOAL_COOKIE_USED = 2342, /* LogGOPSim has used the file as its memory */
    GOAL_COOKIE_BYTES = 8,
    GOAL_HEAD_BYTES = 6,   /* behind the cookie */
    GOAL_RANGE_BYTES = 16, /* of each rank */
    GOAL_RANK_BYTES = 8,   /* of its head */
    GOAL_NODE_BYTES = 39,
    GOAL_INDEX_BYTES = 4
};

static inline uint32_t goal_get_u32(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t goal_get_u64(const unsigned char *bytes)
{
    return goal_get_u32(bytes) | (uint64_t)goal_get_u32(bytes + 4) << 32;
}

/* 1 if a file is of that form, 0 if not, or -1 with an error. */
int goal_is_binary(int descriptor, int64_t size, const char *file, struct sim_error *error);

/* Write a rank; its number of bytes. */
int64_t goal_write_rank(FILE *stream, const struct goal_graph *graph);

/* Write what comes before the ranks, of which `ends` has where each ends behind the first, from 0 on. */
void goal_write_head(FILE *stream, int n_ranks, int last_cpu, int last_nic, const int64_t *ends);

#endif
