#include "report/worth.h"

#include "base/memory.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct worth read_worth(const struct report_run *run, const struct result_table *table, size_t row)
{
#define CELL(name) result_cell(table, row, result_column(table, name))
#define VALUE(name) result_cell_value(table, row, result_column(table, name))
    return (struct worth){
        .cause = CELL("cause")->text,
        .part_of = CELL("part_of")->text,
        .status = CELL("status")->text,
        .partner = CELL("partner")->text,
        .is_attributed = CELL("is_attributed")->number != 0,
        .differs = CELL("differs")->number != 0,
        .base_s = text_time(run),
        .attributed_s = VALUE("attributed_s"),
        .time_s = VALUE("time_s"),
        .mean_s = VALUE("mean_computation_s"),
        .path_s = VALUE("path_s"),
        .removed_s = VALUE("removed_s"),
        .returned_s = VALUE("returned_s"),
        .moved = VALUE("moved"),
        .partner_time_s = VALUE("partner_time_s"),
        .joint_time_s = VALUE("joint_time_s"),
    };
#undef CELL
#undef VALUE
}

bool worth_is_removed(const struct worth *worth)
{
    return strcmp(worth->status, "removed") == 0;
}

double worth_part(const struct worth *worth, double seconds)
{
    return worth->base_s > 0 ? seconds / worth->base_s : 0;
}

double worth_gain(const struct worth *worth)
{
    return worth_part(worth, worth->base_s - worth->time_s);
}

double worth_share(const struct worth *worth)
{
    return worth->is_attributed ? worth_part(worth, worth->attributed_s) : NAN;
}

bool worth_is_small(const struct worth *worth)
{
    return worth_is_removed(worth) && worth->is_attributed && fabs(worth_share(worth)) < WORTH_SMALL &&
           fabs(worth_gain(worth)) < WORTH_SMALL;
}

static int by_gain(const void *left, const void *right)
{
    const struct worth *a = left, *b = right;
    double x = worth_gain(a), y = worth_gain(b);
    if (worth_is_removed(a) != worth_is_removed(b))
        return worth_is_removed(b) - worth_is_removed(a);
    return !worth_is_removed(a) || x == y ? a->index - b->index : (x < y) - (x > y);
}

bool worths_are_known(const struct report_run *run)
{
    return result_find_table(&run->result, "what_if_causes") != NULL;
}

struct worths worths_read(const struct report_run *run)
{
    const struct result_table *table = result_find_table(&run->result, "what_if_causes");
    struct worths worths = {.rows = xcalloc(table->n_rows + 1, sizeof *worths.rows), .count = table->n_rows};
    for (size_t row = 0; row < table->n_rows; row++) {
        worths.rows[row] = read_worth(run, table, row);
        worths.rows[row].index = (int)row;
        worths.n_removed += worth_is_removed(&worths.rows[row]);
    }
    qsort(worths.rows, worths.count, sizeof *worths.rows, by_gain);
    return worths;
}
