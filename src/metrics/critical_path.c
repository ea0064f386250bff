/* What the longest chain of intervals consists of: rows, checkpoints of departures, and the longest row. */
#include "metrics/critical_path.h"

#include "base/memory.h"

#include <stdlib.h>

void critical_path_init(struct critical_path *path, int n_ranks, int n_parts, int n_more)
{
    *path = (struct critical_path){.n_ranks = n_ranks, .n_parts = n_parts, .n_numbers = n_parts + n_more};
    path->rows = xcalloc((size_t)n_ranks * (size_t)path->n_numbers, sizeof *path->rows);
}

void critical_path_dispose(struct critical_path *path)
{
    free(path->rows);
    free(path->checkpoints);
}

void critical_path_grow(struct critical_path *path, uint32_t message)
{
    size_t size = (size_t)path->n_numbers * sizeof *path->checkpoints, n_before = path->n_checkpoints;
    path->n_checkpoints = ((size_t)message + 1) * 2;
    path->checkpoints = xrealloc(path->checkpoints, path->n_checkpoints * size);
    memset(critical_path_checkpoint(path, (uint32_t)n_before), 0, (path->n_checkpoints - n_before) * size);
}

int64_t critical_path_length(const struct critical_path *path, const int64_t *row)
{
    int64_t sum = 0;
    for (int part = 0; part < path->n_parts; part++)
        sum += row[part];
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
    return longest;
}
