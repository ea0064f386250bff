/* What a run gains without each of its causes. */
#include "study/what_if_gain.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct gain read_gain(const struct study_run *run, const struct result_table *table, size_t row)
{
    return (struct gain){
        .cause = named_text(table, row, "cause"),
        .part_of = named_text(table, row, "part_of"),
        .removal = result_cell_removal(table, row, result_column(table, "status")),
        .status = named_text(table, row, "status"),
        .partner = named_text(table, row, "partner"),
        .is_attributed = named_number(table, row, "is_attributed") > 0,
        .differs = named_number(table, row, "differs") > 0,
        .base_s = run_time(run),
        .attributed_s = named_number(table, row, "attributed_s"),
        .time_s = named_number(table, row, "time_s"),
        .mean_s = named_number(table, row, "mean_computation_s"),
        .path_s = named_number(table, row, "path_s"),
        .removed_s = named_number(table, row, "removed_s"),
        .returned_s = named_number(table, row, "returned_s"),
        .moved = named_number(table, row, "moved"),
        .partner_time_s = named_number(table, row, "partner_time_s"),
        .joint_time_s = named_number(table, row, "joint_time_s"),
    };
}

bool gain_is_removed(const struct gain *gain)
{
    return gain->removal == REMOVAL_DONE;
}

const char *gains_whole(const struct gains *gains, const struct gain *gain)
{
    for (size_t i = 0; i < gains->n_removed; i++)
        if (strcmp(gains->rows[i].cause, gain->part_of) == 0)
            return gain->part_of;
    return "";
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
    return result_find_table(&run->result, "what_if_causes") != NULL;
}

struct gains gains_read(const struct study_run *run)
{
    const struct result_table *table = result_find_table(&run->result, "what_if_causes");
    struct gains gains = {.rows = xcalloc(table->n_rows + 1, sizeof *gains.rows), .count = table->n_rows};
    for (size_t row = 0; row < table->n_rows; row++) {
        gains.rows[row] = read_gain(run, table, row);
        gains.rows[row].index = (int)row;
        gains.n_removed += gain_is_removed(&gains.rows[row]);
    }
    sort_stable(gains.rows, gains.count, sizeof *gains.rows, by_gain);
    return gains;
}
