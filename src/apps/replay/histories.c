/* The check that the members of each group do the same collectives: the history of each, and what is said if not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/internal.h"

#include <inttypes.h>
#include <stdio.h>

/* True if all members must name the same length. In a gather or scatter, the root and the others may name it
 * differently. */
static bool has_one_length(const struct record *record)
{
    return record->blocks == NULL && !record->varies && record->collective != RECORD_GATHER &&
           record->collective != RECORD_SCATTER;
}

void replay_note_collective(struct replay *replay, int group_rank, const struct record *record)
{
    if (replay->n_locations > replay->groups.n_ranks) /* threads of a rank may call them in another order */
        return;
    struct collective_history *history = &replay->histories[record->group][group_rank];
    uint64_t what =
        (uint64_t)record->collective << 33 | (uint64_t)(record->blocks != NULL) << 32 | (uint32_t)record->peer;
    if (!replay->input->reader.info.has_times && has_one_length(record))
        history->lengths = (history->lengths ^ (uint64_t)record->bytes) * UINT64_C(0xC2B2AE3D27D4EB4F);
    history->hash = (history->hash ^ what) * UINT64_C(0x9E3779B97F4A7C15);
    history->hash ^= history->hash >> 29;
    history->count++;
}

static void explain_splits(const struct record_info *info, char *text, size_t size)
{
    text[0] = '\0';
    if (info->split_line > 0)
        snprintf(text, size,
                 "; the trace splits communicators, first on line %" PRId64
                 ", and a TI trace does not record which ranks are in which",
                 info->split_line);
}

void replay_explain(const void *config, char *text, size_t size)
{
    const struct record_info *info = &(*(struct replay *const *)config)->input->reader.info;
    explain_splits(info, text, size);
    if (info->n_unrecorded > 0)
        snprintf(text, size, "; calls by other threads are missing from the trace: %" PRId64, info->n_unrecorded);
    else if (info->n_gaps > 0)
        snprintf(text, size, "; the trace does not record what %.40s sends or receives, in %" PRId64 " call%s",
                 info->gaps[0].function, info->gaps[0].n_calls, info->gaps[0].n_calls == 1 ? "" : "s");
    if (text[0] == '\0' && info->exchange_line > 0)
        snprintf(text, size,
                 "; the trace has sendRecv, first on line %" PRId64
                 ", and SMPI omits those with MPI_PROC_NULL on one side: use MPI_Send and MPI_Recv there",
                 info->exchange_line);
}

void replay_compare_histories(struct replay *replay)
{
    for (int g = 0; g < replay->groups.n_groups; g++)
        for (int i = 1; i < groups_size(&replay->groups, g); i++) {
            const struct collective_history *first = &replay->histories[g][0], *other = &replay->histories[g][i];
            bool same = first->hash == other->hash && first->count == other->count;
            if (same && first->lengths == other->lengths)
                continue;
            char why[200];
            replay->failed = true;
            explain_splits(&replay->input->reader.info, why, sizeof why);
            sim_error_set(&replay->error, SIM_UNFINISHED, replay->input->file, 0,
                          "ranks %d and %d do not call the same collectives %s%s", groups_rank(&replay->groups, g, 0),
                          groups_rank(&replay->groups, g, i), same ? "with the same lengths" : "in the same order",
                          why);
            return;
        }
}
