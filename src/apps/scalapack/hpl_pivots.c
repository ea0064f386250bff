/* Which rows HPL's pivots exchange, and so who has the rows that become those of U. Only how many of them each process
 * row has is kept: that is what lengths of messages depend on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/hpl_internal.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* --- pivots of a random matrix: any row that is left is as likely as any other --- */

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64, Steele, Lea, Flood 2014 */
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void draw(int32_t *pivots, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        pivots[i] = (int32_t)(i + (int64_t)(mix((uint64_t)i) % (uint64_t)(n - i)));
}

/* --- pivots of the matrix that HPL makes --- */

/* Column by column, from a linear congruential generator of 64 bits that begins with 100 (HPL 2.x). Its first number
 * comes from the state after that. */
static double *make_matrix(int64_t n)
{
    double *a = xcalloc((size_t)(n * n), sizeof *a);
    uint64_t state = 100;
    for (int64_t i = 0; i < n * n; i++) {
        state = state * UINT64_C(6364136223846793005) + 1;
        a[i] = 0.5 - ((double)(uint32_t)state / 4294967296.0 + (double)(state >> 32)) / 4294967296.0;
    }
    return a;
}

static int64_t largest(const double *column, int64_t from, int64_t n)
{
    int64_t at = from;
    for (int64_t i = from + 1; i < n; i++)
        if (fabs(column[i]) > fabs(column[at]))
            at = i;
    return at;
}

static void exchange(double *column, int64_t i, int64_t j)
{
    double element = column[i];
    column[i] = column[j];
    column[j] = element;
}

/* Bring column j up to date with those before it, all of whose rows have been exchanged already; then find its
 * pivot. */
static void eliminate(double *a, int64_t n, int64_t j, int32_t *pivots)
{
    double *column = &a[j * n];
    for (int64_t k = 0; k < j; k++)
        exchange(column, k, pivots[k]);
    for (int64_t k = 0; k < j; k++)
        for (int64_t i = k + 1; i < n; i++)
            column[i] -= a[k * n + i] * column[k];
    pivots[j] = (int32_t)largest(column, j, n);
    for (int64_t k = 0; k <= j; k++)
        exchange(&a[k * n], j, pivots[j]);
    for (int64_t i = j + 1; i < n; i++)
        column[i] /= column[j];
}

static void compute(int32_t *pivots, int64_t n)
{
    double *a = make_matrix(n);
    for (int64_t j = 0; j < n; j++)
        eliminate(a, n, j, pivots);
    free(a);
}

/* --- layouts --- */

static int bits_of(int x)
{
    int count = 0;
    for (; x > 0; x >>= 1)
        count += x & 1;
    return count;
}

static void exchange_places(int32_t *map, int32_t *lengths, int i, int j)
{
    int32_t length = lengths[i], row = map[i];
    lengths[i] = lengths[j];
    lengths[j] = length;
    map[i] = map[j];
    map[j] = row;
}

/* A place that is fewer steps of the tree away from place 0 changes with a farther one that gives more. */
static void sort_by_length(int32_t *map, int32_t *lengths, int count)
{
    for (int bits = 1; 1 << bits <= count; bits++)
        for (int j = 1; j < count; j++)
            for (int i = 2; bits_of(j) == bits && i < count; i++)
                if (bits_of(i) > bits && lengths[j] < lengths[i])
                    exchange_places(map, lengths, i, j);
}

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Each row below the panel's diagonal block, in another process row, that some pivot names once or more gives one row.
 * The others come from the process row that has the diagonal block. */
static void lay_out(struct hpl *hpl, const struct hpl_panel *panel, int32_t *pivots)
{
    int count = hpl->rows;
    int32_t *map = &hpl->layouts[panel->number * (2 * count + 1)], *from = map + count, *lengths = from + 1;
    for (int i = 0; i < count; i++)
        map[i] = hpl_place(i, panel->row, count);
    lengths[0] = (int32_t)panel->width;
    qsort(pivots, (size_t)panel->width, sizeof *pivots, compare);
    for (int64_t i = 0; i < panel->width; i++) {
        int place = hpl_distance(block_cyclic_owner(&hpl->row_map, pivots[i]), panel->row, count);
        if (place != 0 && (i == 0 || pivots[i] != pivots[i - 1])) {
            lengths[place]++;
            lengths[0]--;
        }
    }
    sort_by_length(map, lengths, count);
    for (int i = 0; i < count; i++)
        from[i + 1] += from[i];
}

int hpl_find_pivots(struct hpl *hpl, struct sim_error *error)
{
    if (hpl->pivots == HPL_PIVOTS_OF_MATRIX && hpl->n > HPL_MAX_MATRIX)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter 'pivots': matrix allows n up to %d; n is %lld",
                             HPL_MAX_MATRIX, (long long)hpl->n);
    int32_t *pivots = xcalloc((size_t)hpl->n, sizeof *pivots);
    if (hpl->rows > 1)
        (hpl->pivots == HPL_PIVOTS_OF_MATRIX ? compute : draw)(pivots, hpl->n);
    for (int64_t k = 0; k < hpl->n_panels; k++) {
        struct hpl_panel panel = hpl_panel(hpl, k);
        lay_out(hpl, &panel, &pivots[panel.begin]);
    }
    free(pivots);
    return 0;
}

struct hpl_layout hpl_layout(const struct hpl *hpl, int64_t panel)
{
    const int32_t *map = &hpl->layouts[panel * (2 * hpl->rows + 1)];
    return (struct hpl_layout){map, map + hpl->rows};
}
