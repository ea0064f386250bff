/* Which runs matter most: a few of each group of runs that are next to each other in the tables.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/prominent.h"

#include "base/range.h"
#include "study/ranking.h"

enum { MANY_RUNS = 14, MOST_MARKED = 12 };

static bool same_group(const struct study *study, int a, int b)
{
    const struct study_run *left = &study->runs[a], *right = &study->runs[b];
    return (ranking_is_one(study) ? ranking_compare(study, left, right) : run_compare_problems(left, right)) == 0;
}

static int find_end(const struct study *study, int first)
{
    int end = first + 1;
    while (end < study->n_runs && same_group(study, first, end))
        end++;
    return end;
}

static int count_groups(const struct study *study)
{
    int count = 0;
    for (int first = 0; first < study->n_runs; first = find_end(study, first))
        count++;
    return count;
}

bool prominent_is_spread(int i, int count, int wanted)
{
    if (wanted >= count)
        return true;
    for (int k = 0; k < wanted; k++)
        if (i == (wanted > 1 ? k * (count - 1) / (wanted - 1) : 0))
            return true;
    return false;
}

/* True for the best and the worst of a ranking. */
static bool is_end(int i, int count, int wanted)
{
    return i < wanted - (wanted > 2) || (wanted > 2 && i == count - 1);
}

void prominent_mark(struct study *study)
{
    const int n_groups = count_groups(study), wanted = int_max(1, MOST_MARKED / n_groups);
    const bool ranks = ranking_is_one(study);
    if (study->n_runs <= MANY_RUNS)
        return;
    for (int group = 0, first = 0, end; first < study->n_runs; first = end, group++) {
        end = find_end(study, first);
        for (int i = first; i < end; i++)
            study->runs[i].matters = prominent_is_spread(group, n_groups, MOST_MARKED) &&
                                     (ranks ? is_end : prominent_is_spread)(i - first, end - first, wanted);
    }
}
