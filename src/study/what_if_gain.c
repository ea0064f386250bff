/* The gain of a run without each of its causes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/what_if_gain.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

static struct gain read_gain(const struct study_run *run, const struct what_if_causes_row *row)
{
    return (struct gain){
        .cause = row->cause,
        .part_of = row->part_of,
        .removal = row->removal,
        .partner = row->partner,
        .is_attributed = row->is_attributed,
        .differs = row->differs,
        .base_s = run_time(run),
        .attributed_s = units_seconds(row->attributed_ps),
        .time_s = units_seconds(row->time_ps),
        .mean_s = units_seconds(row->mean_computation_ps),
        .path_s = units_seconds(row->path_ps),
        .removed_s = units_seconds(row->removed_ps),
        .returned_s = units_seconds(row->returned_ps),
        .moved = row->moved,
        .partner_time_s = units_seconds(row->partner_time_ps),
        .joint_time_s = units_seconds(row->joint_time_ps),
    };
}

bool gain_is_removed(const struct gain *gain)
{
    return gain->removal == REMOVAL_DONE;
}

enum without gains_whole(const struct gains *gains, const struct gain *gain)
{
    for (size_t i = 0; i < gains->n_removed; i++)
        if (gains->rows[i].cause == gain->part_of)
            return gain->part_of;
    return WITHOUT_NOTHING;
}

double gain_part(const struct gain *gain, double seconds)
{
    return gain->base_s > 0 ? seconds / gain->base_s : 0;
}

double gain_ratio(const struct gain *gain)
{
    return gain_part(gain, gain->base_s - gain->time_s);
}

double gain_share(const struct gain *gain)
{
    return gain->is_attributed ? gain_part(gain, gain->attributed_s) : NAN;
}

bool gain_is_small(const struct gain *gain)
{
    return gain_is_removed(gain) && gain->is_attributed && fabs(gain_share(gain)) < GAIN_SMALL &&
           fabs(gain_ratio(gain)) < GAIN_SMALL;
}

static int by_gain(const void *left, const void *right)
{
    const struct gain *a = left, *b = right;
    double x = gain_ratio(a), y = gain_ratio(b);
    if (gain_is_removed(a) != gain_is_removed(b))
        return gain_is_removed(b) - gain_is_removed(a);
    return !gain_is_removed(a) || x == y ? a->index - b->index : (x < y) - (x > y);
}

bool gains_are_known(const struct study_run *run)
{
    return result_find_table(&run->result, TABLE_WHAT_IF_CAUSES) != NULL;
}

struct gains gains_read(const struct study_run *run)
{
    size_t n_rows;
    const struct what_if_causes_row *rows = result_what_if_causes(&run->result, &n_rows);
    struct gains gains = {.rows = xcalloc(n_rows + 1, sizeof *gains.rows), .count = n_rows};
    for (size_t row = 0; row < n_rows; row++) {
        gains.rows[row] = read_gain(run, &rows[row]);
        gains.rows[row].index = (int)row;
        gains.n_removed += gain_is_removed(&gains.rows[row]);
    }
    sort_stable(gains.rows, gains.count, sizeof *gains.rows, by_gain);
    return gains;
}
