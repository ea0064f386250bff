/* The composition of the longest chain of intervals: rows, checkpoints of departures, and the longest row.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/critical_path.h"

#include "base/memory.h"
#include "base/range.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

static void init(struct critical_path *path, int n_ranks, int n_parts, int n_more, bool is_narrow)
{
    int n_numbers = n_parts + n_more, width = is_narrow ? 0 : n_numbers;
    *path = (struct critical_path){
        .n_ranks = n_ranks, .n_parts = n_parts, .n_numbers = n_numbers, .n_used = width, .width = width};
    path->columns = xcalloc((size_t)n_numbers, sizeof *path->columns);
    for (int number = 0; number < n_numbers; number++)
        path->columns[number] = is_narrow ? NO_COLUMN : number;
    path->rows = xcalloc((size_t)n_ranks * (size_t)width, sizeof *path->rows);
    path->longest = xcalloc((size_t)n_numbers, sizeof *path->longest);
}

void critical_path_init(struct critical_path *path, int n_ranks, int n_parts, int n_more)
{
    init(path, n_ranks, n_parts, n_more, false);
}

void critical_path_init_narrow(struct critical_path *path, int n_ranks, int n_parts, int n_more)
{
    init(path, n_ranks, n_parts, n_more, true);
}

void critical_path_dispose(struct critical_path *path)
{
    free(path->columns);
    free(path->rows);
    free(path->checkpoints);
    free(path->longest);
}

void critical_path_grow(struct critical_path *path, uint32_t message)
{
    size_t size = (size_t)path->width * sizeof *path->checkpoints, n_before = path->n_checkpoints;
    path->n_checkpoints = ((size_t)message + 1) * 2;
    path->checkpoints = xrealloc(path->checkpoints, path->n_checkpoints * size);
    memset(critical_path_checkpoint(path, (uint32_t)n_before), 0, (path->n_checkpoints - n_before) * size);
}

/* Rows of another width, in place from the last on; what is new in them is 0. */
static int64_t *lay_out(int64_t *rows, size_t n_rows, size_t before, size_t width)
{
    rows = xrealloc(rows, n_rows * width * sizeof *rows);
    for (size_t i = n_rows; i-- > 0;) {
        int64_t *row = &rows[i * width];
        memmove(row, &rows[i * before], before * sizeof *row);
        memset(row + before, 0, (width - before) * sizeof *row);
    }
    return rows;
}

/* Give the number a column. Few come one by one, many by halves, so that all layouts together take as long as a few of
 * the last. */
static void widen(struct critical_path *path, int number)
{
    enum { FEW = 4 };
    int before = path->width;
    if (path->n_used == before) {
        path->width = int_min(path->n_numbers, before + (before < FEW ? 1 : before / 2));
        path->rows = lay_out(path->rows, (size_t)path->n_ranks, (size_t)before, (size_t)path->width);
        path->checkpoints = lay_out(path->checkpoints, path->n_checkpoints, (size_t)before, (size_t)path->width);
    }
    assert(path->columns[number] == NO_COLUMN && path->n_used < path->width);
    path->columns[number] = path->n_used++;
}

void critical_path_add_first(struct critical_path *path, int rank, int number, int64_t ps)
{
    if (ps == 0)
        return;
    widen(path, number);
    critical_path_row(path, rank)[path->columns[number]] += ps;
}

int64_t critical_path_length(const struct critical_path *path, const int64_t *row)
{
    int64_t sum = 0;
    for (int part = 0; part < path->n_parts; part++)
        sum += critical_path_number(path, row, part);
    return sum;
}

const int64_t *critical_path_longest(const struct critical_path *path)
{
    const int64_t *longest = critical_path_row(path, 0);
    int64_t longest_ps = -1;
    for (int rank = 0; rank < path->n_ranks; rank++) {
        const int64_t *row = critical_path_row(path, rank);
        int64_t length_ps = critical_path_length(path, row);
        if (length_ps > longest_ps) {
            longest = row;
            longest_ps = length_ps;
        }
    }
    for (int number = 0; number < path->n_numbers; number++)
        path->longest[number] = critical_path_number(path, longest, number);
    return path->longest;
}

int64_t critical_path_sum(const struct critical_path *path, const int64_t *numbers)
{
    int64_t sum = 0;
    for (int part = 0; part < path->n_parts; part++)
        sum += numbers[part];
    return sum;
}
