/* A collective in which a run hung: the ranks that are in it, and those that have not come, and where these stand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/internal.h"

#include <string.h>

/* True if the location waits in a collective to the end, in the same one as `other`. */
static bool is_in(const struct analysis_stand *stand, const struct analysis_stand *other)
{
    return stand->is_collective && stand->group == other->group && stand->number == other->number &&
           strcmp(stand->what, other->what) == 0;
}

/* The ranks that wait in the same collective as the rank. */
static int count_in(const struct analysis *analysis, int rank)
{
    int count = 0;
    for (int i = 0; i < analysis->n_ranks; i++)
        count += is_in(&analysis->locations[i].stand, &analysis->locations[rank].stand);
    return count;
}

/* The rank whose collective the most ranks wait in, the first of several; -1: none waits in one. Ranks that have one
 * before them in the same need no count. */
static int find_fullest(const struct analysis *analysis, int *n_in)
{
    enum { MOST_COUNTED = 64 };
    int fullest = -1, n_counted = 0, counted[MOST_COUNTED];
    *n_in = 0;
    for (int rank = 0; rank < analysis->n_ranks && n_counted < MOST_COUNTED; rank++) {
        const struct analysis_stand *stand = &analysis->locations[rank].stand;
        bool is_known = !stand->is_collective;
        for (int i = 0; i < n_counted && !is_known; i++)
            is_known = is_in(stand, &analysis->locations[counted[i]].stand);
        if (is_known)
            continue;
        int count = count_in(analysis, rank);
        counted[n_counted++] = rank;
        if (count > *n_in)
            *n_in = count, fullest = rank;
    }
    return fullest;
}

static void add_absent(struct analysis_hang *hang, const struct analysis *analysis, int rank)
{
    const struct location *location = &analysis->locations[rank];
    if (hang->n_absent < ANALYSIS_MOST_ABSENT)
        hang->absent[hang->n_absent] =
            location->stand.waits ? location->stand
                                  : (struct analysis_stand){.rank = rank, .peer = -1, .from_ps = location->left_ps};
    hang->n_absent++;
}

void hang_find(struct analysis_hang *hang, const struct analysis *analysis)
{
    *hang = (struct analysis_hang){0};
    int fullest = find_fullest(analysis, &hang->n_in);
    if (fullest < 0)
        return;
    const struct analysis_stand *in = &analysis->locations[fullest].stand;
    hang->what = in->what;
    hang->n_members = collective_members(analysis, in->group);
    for (int i = 0; i < hang->n_members; i++) {
        int rank = collective_member(analysis, in->group, i);
        const struct analysis_stand *stand = &analysis->locations[rank].stand;
        if (is_in(stand, in))
            hang->last_ps = stand->from_ps > hang->last_ps ? stand->from_ps : hang->last_ps;
        else if (!collective_has_come(analysis, in->group, i, in->number))
            add_absent(hang, analysis, rank);
    }
}
