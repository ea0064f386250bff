/* The rank-sum test: exact, by counting the ways to reach each sum of ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/noise.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct ranked {
    double value;
    int twice_rank; /* whole even where equal values share the mean of their ranks */
    int is_first;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    return (left->value > right->value) - (left->value < right->value);
}

/* All values with their ranks; NULL if any is NAN. To be freed. */
static struct ranked *rank_all(const double *first, int n_first, const double *second, int n_second)
{
    int n = n_first + n_second;
    struct ranked *all = xcalloc((size_t)n + 1, sizeof *all);
    for (int i = 0; i < n; i++) {
        all[i] = (struct ranked){.value = i < n_first ? first[i] : second[i - n_first], .is_first = i < n_first};
        if (isnan(all[i].value)) {
            free(all);
            return NULL;
        }
    }
    sort_stable(all, (size_t)n, sizeof *all, by_value);
    for (int i = 0, end; i < n; i = end) {
        for (end = i; end < n && all[end].value <= all[i].value; end++)
            ;
        for (int k = i; k < end; k++)
            all[k].twice_rank = i + 1 + end; /* twice the mean of ranks i + 1 ... end */
    }
    return all;
}

/* ways[k * (most + 1) + sum]: to choose k of the values with twice that sum of ranks. */
static double exact_p(const struct ranked *all, int n, int k, int sum, int mean)
{
    int most = 0;
    for (int i = 0; i < n; i++)
        most += all[i].twice_rank;
    size_t width = (size_t)most + 1;
    double *ways = xcalloc((size_t)(k + 1) * width, sizeof *ways), extreme = 0, total = 0;
    ways[0] = 1;
    for (int i = 0; i < n; i++)
        for (int chosen = k; chosen > 0; chosen--) /* downwards, so that each value is taken once */
            for (int s = most; s >= all[i].twice_rank; s--)
                ways[(size_t)chosen * width + (size_t)s] +=
                    ways[(size_t)(chosen - 1) * width + (size_t)(s - all[i].twice_rank)];
    for (int s = 0; s <= most; s++) {
        double count = ways[(size_t)k * width + (size_t)s];
        total += count;
        extreme += abs(s - mean) >= abs(sum - mean) ? count : 0;
    }
    free(ways);
    return extreme / total;
}

/* With the correction for values that are equal. */
static double normal_p(const struct ranked *all, int n_first, int n_second, int sum, int mean)
{
    double n = n_first + n_second, ties = 0;
    for (int i = 0, end; i < n_first + n_second; i = end) {
        for (end = i; end < n_first + n_second && all[end].twice_rank == all[i].twice_rank; end++)
            ;
        double equal = end - i;
        ties += equal * equal * equal - equal;
    }
    double variance = n_first * n_second / 12.0 * (n + 1 - ties / (n * (n - 1)));
    return variance <= 0 ? 1 : erfc(fmax(0, abs(sum - mean) / 2.0 - 0.5) / sqrt(2 * variance));
}

double noise_p(const double *first, int n_first, const double *second, int n_second)
{
    int n = n_first + n_second, sum = 0, mean = n_first * (n + 1); /* twice the sum that is expected */
    struct ranked *all = n_first > 0 && n_second > 0 ? rank_all(first, n_first, second, n_second) : NULL;
    if (all == NULL)
        return 1;
    for (int i = 0; i < n; i++)
        sum += all[i].is_first ? all[i].twice_rank : 0;
    double p = n <= NOISE_EXACT ? exact_p(all, n, n_first, sum, mean) : normal_p(all, n_first, n_second, sum, mean);
    free(all);
    return p;
}

double noise_least_p(int n_first, int n_second)
{
    double ways = 1;
    for (int i = 1; i <= n_first; i++)
        ways *= (double)(n_second + i) / i;
    return fmin(1, 2 / ways);
}

/* --- many rows --- */

/* Rows with a mean of 0 and squares that add up to 1; all 0 where they are equal, or any is NAN. Then the square of the
 * sum over a group is its share of the variance, up to a factor that all rows have. */
static double *normalize(const double *values, int n_rows, int n)
{
    double *rows = xcalloc((size_t)(n_rows * n) + 1, sizeof *rows);
    for (int i = 0; i < n_rows; i++) {
        const double *from = values + i * n;
        double mean = 0, squares = 0;
        for (int k = 0; k < n; k++)
            mean += from[k] / n;
        for (int k = 0; k < n; k++)
            squares += (from[k] - mean) * (from[k] - mean);
        bool is_equal = !(squares > 1e-18 * mean * mean); /* but for rounding; or NAN */
        for (int k = 0; k < n && !is_equal; k++)
            rows[i * n + k] = (from[k] - mean) / sqrt(squares);
    }
    return rows;
}

/* How clearly a group differs in a row from all others. */
static double distinction(const double *row, int n, unsigned group)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += (group >> k & 1) != 0 ? row[k] : 0;
    return fabs(sum);
}

static int size_of(unsigned group)
{
    int size = 0;
    for (; group != 0; group &= group - 1)
        size++;
    return size;
}

static void deal(double *p, const double *rows, int n_rows, int n_first, int n)
{
    double n_groups = 0;
    for (unsigned group = 0; group < 1U << n; group++) {
        double most = 0;
        if (size_of(group) != n_first)
            continue;
        for (int i = 0; i < n_rows; i++)
            most = fmax(most, distinction(rows + i * n, n, group));
        for (int i = 0; i < n_rows; i++)
            p[i] += most >= distinction(rows + i * n, n, (1U << n_first) - 1) * (1 - 1e-9);
        n_groups++;
    }
    for (int i = 0; i < n_rows; i++)
        p[i] /= n_groups;
}

void noise_adjusted_p(double *p, const double *values, int n_rows, int n_first, int n_second)
{
    int n = n_first + n_second;
    for (int i = 0; i < n_rows; i++)
        p[i] = n <= NOISE_DEALT
                   ? 0
                   : fmin(1, n_rows * noise_p(values + i * n, n_first, values + i * n + n_first, n_second));
    if (n > NOISE_DEALT)
        return;
    double *rows = normalize(values, n_rows, n);
    deal(p, rows, n_rows, n_first, n);
    free(rows);
}
