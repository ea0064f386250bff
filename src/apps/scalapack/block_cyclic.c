/* How many indices, blocks and overlaps a process has of a block-cyclic distribution, in closed form.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/block_cyclic.h"

#include "base/range.h"

#include <assert.h>

/* The distribution repeats after this many indices. */
static int64_t cycle_of(const struct block_cyclic *d)
{
    return d->block * d->processes;
}

/* The process's first index within a cycle. */
static int64_t start_of(const struct block_cyclic *d, int process)
{
    assert(process >= 0 && process < d->processes);
    int place = process - d->source;
    return d->block * (place < 0 ? place + d->processes : place);
}

/* The number of indices below `end` that the process has: a block in each full cycle, and a part of one in the last. */
static int64_t count_below(const struct block_cyclic *d, int process, int64_t end)
{
    int64_t cycle = cycle_of(d), rest = end % cycle - start_of(d, process);
    return end / cycle * d->block + int64_min(int64_max(rest, 0), d->block);
}

int64_t block_cyclic_count(const struct block_cyclic *d, int process)
{
    return count_below(d, process, d->n);
}

int64_t block_cyclic_count_range(const struct block_cyclic *d, int process, int64_t from, int64_t to)
{
    assert(from >= 0 && from <= to && to <= d->n);
    return count_below(d, process, to) - count_below(d, process, from);
}

int block_cyclic_owner(const struct block_cyclic *d, int64_t i)
{
    assert(i >= 0 && i < d->n);
    return (int)((i / d->block % d->processes + d->source) % d->processes);
}

static int64_t gcd(int64_t a, int64_t b)
{
    for (int64_t rest; (rest = a % b) != 0; b = rest)
        a = b;
    return b;
}

/* How many places the arcs of length a from 0 and of length b from `start` share on a circle of length g; a, b, start
 * below g. The second one may come round and meet the first again. */
static int64_t arc_overlap(int64_t a, int64_t start, int64_t b, int64_t g)
{
    return int64_max(int64_min(a, start + b) - start, 0) + int64_min(a, int64_max(start + b - g, 0));
}

/* The overlap in a period of both, the least common multiple of their cycles. By the Chinese remainder theorem an index
 * at u in x's cycle and at v in y's occurs in it exactly once if u = v modulo the greatest common divisor g of the
 * cycles, else never. So count the pairs of a u in a's block and a v in b's block that agree modulo g: the blocks go
 * round the circle of length g some whole times and then cover an arc of it. */
static int64_t period_overlap(const struct block_cyclic *x, int a, const struct block_cyclic *y, int b, int64_t g)
{
    int64_t x_rounds = x->block / g, x_arc = x->block % g;
    int64_t y_rounds = y->block / g, y_arc = y->block % g;
    int64_t distance = (start_of(y, b) - start_of(x, a)) % g;
    int64_t arcs = arc_overlap(x_arc, distance < 0 ? distance + g : distance, y_arc, g);
    return x_rounds * y->block + x_arc * y_rounds + arcs;
}

/* Whole periods in one go, then block by block of the distribution with the longer cycle. That many blocks are left:
 * less than n / longer cycle, and less than a period has, shorter cycle / g; so no more than the square root of n. */
int64_t block_cyclic_overlap(const struct block_cyclic *x, int a, const struct block_cyclic *y, int b)
{
    assert(x->n == y->n);
    if (cycle_of(x) < cycle_of(y))
        return block_cyclic_overlap(y, b, x, a);
    int64_t cycle = cycle_of(x), n = x->n, begin = 0, count = 0, g = gcd(cycle, cycle_of(y));
    int64_t cycles_in_period = cycle_of(y) / g;
    if (cycles_in_period <= n / cycle) {
        int64_t periods = n / cycle / cycles_in_period;
        count = periods * period_overlap(x, a, y, b, g);
        begin = periods * cycles_in_period * cycle;
    }
    for (int64_t i = begin + start_of(x, a); i < n; i += cycle)
        count += block_cyclic_count_range(y, b, i, int64_min(i + x->block, n));
    return count;
}

int64_t block_cyclic_volume(const struct block_cyclic_matrix *x, int a, const struct block_cyclic_matrix *y, int b)
{
    int x_columns = x->columns.processes, y_columns = y->columns.processes;
    int64_t rows = block_cyclic_overlap(&x->rows, a / x_columns, &y->rows, b / y_columns);
    return rows == 0 ? 0 : rows * block_cyclic_overlap(&x->columns, a % x_columns, &y->columns, b % y_columns);
}
