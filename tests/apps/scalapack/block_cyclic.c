/* The block-cyclic distribution against dealing the blocks out one by one.
 *
 * Rows and columns of a matrix are dealt independently, and the program multiplies two overlaps to get a volume. So one
 * dimension is proved for every n <= 40, block <= 7, number of processes <= 5 and source, and the overlap for every
 * pair of such distributions; two dimensions for every matrix up to 6 x 6 with blocks <= 3 on grids <= 2 x 2, all
 * sources, and for every matrix up to 40 x 40 with samples of blocks <= 7, grids <= 5 x 5 and sources. What no small
 * case has, many periods and numbers near the limits, is tried with a fixed sequence of random distributions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/block_cyclic.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_N = 40, MAX_BLOCK = 7, MAX_PROCESSES = 5, SMALL_N = 6, SMALL_BLOCK = 3, SMALL_PROCESSES = 2 };
enum { MAX_LARGE_N = 20000, MAX_COMPLAINTS = 20, N_SAMPLES = 200 };

/* --- rows and complaints --- */

static void complain(const struct block_cyclic *x, const struct block_cyclic *y, const char *what, int64_t where,
                     int64_t found, int64_t expected)
{
    static int complaints;
    if (complaints++ >= MAX_COMPLAINTS)
        return;
    fprintf(stderr, "\n  n %" PRId64 ", block %" PRId64 ", %d processes from %d", x->n, x->block, x->processes,
            x->source);
    if (y != NULL)
        fprintf(stderr, " and block %" PRId64 ", %d processes from %d", y->block, y->processes, y->source);
    fprintf(stderr, ": %s %" PRId64 ": %" PRId64 " instead of %" PRId64, what, where, found, expected);
    CU_FAIL("a distribution is wrong");
}

/* --- dealing --- */

/* Deal the indices out as one deals cards: a block to each process in turn. */
static void deal(int owners[], const struct block_cyclic *d)
{
    int process = d->source;
    int64_t in_block = 0;
    for (int64_t i = 0; i < d->n; i++) {
        if (in_block == d->block) {
            process = process + 1 == d->processes ? 0 : process + 1;
            in_block = 0;
        }
        owners[i] = process;
        in_block++;
    }
}

/* Every distribution of n up to the limits, one after another; start with all zero and the n. */
static bool next_distribution(struct block_cyclic *d, int max_block, int max_processes)
{
    if (d->block == 0) {
        *d = (struct block_cyclic){d->n, 1, 1, 0};
        return true;
    }
    if (++d->source < d->processes)
        return true;
    d->source = 0;
    if (++d->processes <= max_processes)
        return true;
    d->processes = 1;
    return ++d->block <= max_block;
}

static struct block_cyclic random_distribution(int64_t n, int64_t max_block, int max_processes)
{
    struct block_cyclic d = {.n = n, .block = testing_random_to((int)max_block)};
    d.processes = testing_random_to(max_processes);
    d.source = testing_random_to(d.processes) - 1;
    return d;
}

/* --- one distribution --- */

/* owned[i]: of the indices below i. */
static void check_process(const struct block_cyclic *d, int process, const int owners[])
{
    int64_t owned[MAX_N + 1] = {0};
    for (int64_t i = 0; i < d->n; i++)
        owned[i + 1] = owned[i] + (owners[i] == process);
    if (block_cyclic_count(d, process) != owned[d->n])
        complain(d, NULL, "count of process", process, block_cyclic_count(d, process), owned[d->n]);
    for (int64_t i = d->n; i >= 0; i--)
        for (int64_t to = i; to <= d->n; to++) {
            int64_t count = block_cyclic_count_range(d, process, i, to);
            if (count != owned[to] - owned[i])
                complain(d, NULL, "count in the range from", i, count, owned[to] - owned[i]);
        }
}

static void check_indices(const struct block_cyclic *d, const int owners[])
{
    for (int64_t i = 0; i < d->n; i++)
        if (block_cyclic_owner(d, i) != owners[i])
            complain(d, NULL, "owner of", i, block_cyclic_owner(d, i), owners[i]);
}

static void test_one(void)
{
    for (int64_t n = 0; n <= MAX_N; n += testing_one_in())
        for (struct block_cyclic d = {.n = n}; next_distribution(&d, MAX_BLOCK, MAX_PROCESSES);) {
            int owners[MAX_N];
            deal(owners, &d);
            check_indices(&d, owners);
            for (int process = 0; process < d.processes; process++)
                check_process(&d, process, owners);
        }
    CU_PASS("all distributions have been tried");
}

/* --- overlaps --- */

static void check_pair(const struct block_cyclic *x, const int x_owners[], const struct block_cyclic *y,
                       const int y_owners[])
{
    int64_t counts[MAX_PROCESSES][MAX_PROCESSES] = {{0}};
    for (int64_t i = 0; i < x->n; i++)
        counts[x_owners[i]][y_owners[i]]++;
    for (int a = 0; a < x->processes; a++)
        for (int b = 0; b < y->processes; b++) {
            int64_t overlap = block_cyclic_overlap(x, a, y, b);
            if (overlap != counts[a][b])
                complain(x, y, "overlap of pair", a * 100 + b, overlap, counts[a][b]);
        }
}

static void test_pairs(void)
{
    static struct {
        struct block_cyclic d;
        int owners[MAX_N];
    } all[MAX_BLOCK * MAX_PROCESSES * MAX_PROCESSES];
    for (int64_t n = 0; n <= MAX_N; n += testing_one_in()) {
        int count = 0;
        for (struct block_cyclic d = {.n = n}; next_distribution(&d, MAX_BLOCK, MAX_PROCESSES); count++) {
            all[count].d = d;
            deal(all[count].owners, &d);
        }
        CU_ASSERT_EQUAL(count, MAX_BLOCK * MAX_PROCESSES * (MAX_PROCESSES + 1) / 2);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
                check_pair(&all[i].d, all[i].owners, &all[j].d, all[j].owners);
    }
}

/* Some processes of larger distributions, so that there are several periods and a part of one. */
static void test_larger_pairs(void)
{
    static int x_owners[MAX_LARGE_N], y_owners[MAX_LARGE_N];
    for (int sample = 0; sample < 1000; sample++) {
        int64_t n = testing_random_to(MAX_LARGE_N), max_block = testing_random_to(300);
        int max_processes = testing_random_to(50);
        struct block_cyclic x = random_distribution(n, max_block, max_processes);
        struct block_cyclic y = random_distribution(n, max_block, max_processes);
        deal(x_owners, &x);
        deal(y_owners, &y);
        for (int pair = 0; pair < 10; pair++) {
            int a = testing_random_to(x.processes) - 1, b = testing_random_to(y.processes) - 1;
            int64_t count = 0;
            for (int64_t i = 0; i < n; i++)
                count += x_owners[i] == a && y_owners[i] == b;
            if (block_cyclic_overlap(&x, a, &y, b) != count)
                complain(&x, &y, "overlap of pair", a * 100 + b, block_cyclic_overlap(&x, a, &y, b), count);
        }
    }
    CU_PASS("all larger pairs have been tried");
}

/* --- numbers too large to count --- */

static const struct {
    struct block_cyclic x, y;
    int a, b;
    int64_t expected;
} large_rows[] = {
    /* Blocks of 1 over 2 and over 3 processes agree every 6 indices. */
    {{INT64_C(6000000000), 1, 2, 0}, {INT64_C(6000000000), 1, 3, 0}, 1, 2, 1000000000},
    {{INT64_C(6000000006), 1, 2, 1}, {INT64_C(6000000006), 1, 3, 2}, 0, 0, 1000000001},
    /* The same distribution twice, and with the processes one on. */
    {{INT64_C(1) << 61, 64, 4, 0}, {INT64_C(1) << 61, 64, 4, 0}, 3, 3, INT64_C(1) << 59},
    {{INT64_C(1) << 61, 64, 4, 0}, {INT64_C(1) << 61, 64, 4, 1}, 3, 3, 0},
    {{INT64_C(1) << 61, 64, 4, 0}, {INT64_C(1) << 61, 64, 4, 1}, 3, 0, INT64_C(1) << 59},
    /* One process has all. */
    {{INT64_C(1) << 61, 1, 1, 0}, {INT64_C(1) << 61, INT64_C(1) << 30, INT32_MAX, 0}, 0, 0, INT64_C(1) << 31},
    {{INT64_C(1) << 61, INT64_C(1) << 61, 1, 0}, {INT64_C(1) << 61, 1, 1, 0}, 0, 0, INT64_C(1) << 61},
    /* A period of both that no number holds: only the first blocks meet. */
    {{INT64_C(1) << 31, 65535, 65537, 1}, {INT64_C(1) << 31, 65536, 65536, 2}, 1, 2, 65535},
    {{INT64_C(1) << 31, 65535, 65537, 1}, {INT64_C(1) << 31, 65536, 65536, 2}, 2, 2, 1},
    {{INT64_C(1) << 31, 65535, 65537, 1}, {INT64_C(1) << 31, 65536, 65536, 2}, 2, 4, 0},
    {{INT64_C(1) << 41, INT64_C(1) << 40, 3, 0}, {INT64_C(1) << 41, (INT64_C(1) << 40) - 1, 5, 0}, 0, 1, 1},
    {{INT64_C(1) << 41, INT64_C(1) << 40, 3, 0}, {INT64_C(1) << 41, (INT64_C(1) << 40) - 1, 5, 0}, 1, 2, 2},
};

static void test_large(void)
{
    for (size_t i = 0; i < sizeof large_rows / sizeof *large_rows; i++) {
        const struct block_cyclic *x = &large_rows[i].x, *y = &large_rows[i].y;
        int64_t there = block_cyclic_overlap(x, large_rows[i].a, y, large_rows[i].b);
        int64_t back = block_cyclic_overlap(y, large_rows[i].b, x, large_rows[i].a);
        if (there != large_rows[i].expected)
            complain(x, y, "large row", (int64_t)i, there, large_rows[i].expected);
        if (back != large_rows[i].expected)
            complain(y, x, "large row", (int64_t)i, back, large_rows[i].expected);
    }
    CU_PASS("all large rows have been tried");
}

static int64_t smallest(int64_t a, int64_t b, int64_t c)
{
    int64_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* The part of a process in x is shared out among the processes of y: all overlaps added up, and one of them walked from
 * one end of a block to the next. */
/* The first index from i on that the process owns; n when there is none. */
static int64_t first_from(const struct block_cyclic *d, int process, int64_t i)
{
    while (i < d->n && block_cyclic_owner(d, i) != process)
        i += d->block - i % d->block;
    return i < d->n ? i : d->n;
}

static void check_sum(const struct block_cyclic *x, int a, const struct block_cyclic *y)
{
    int64_t sum = 0, walked = 0;
    int b = testing_random_to(y->processes) - 1;
    for (int other = 0; other < y->processes; other++)
        sum += block_cyclic_overlap(x, a, y, other);
    if (sum != block_cyclic_count(x, a))
        complain(x, y, "sum of the overlaps of process", a, sum, block_cyclic_count(x, a));
    for (int64_t i = first_from(x, a, 0), end; i < x->n; i = first_from(x, a, end)) {
        end = smallest(i - i % x->block + x->block, i - i % y->block + y->block, x->n);
        walked += block_cyclic_owner(y, i) == b ? end - i : 0;
    }
    if (walked != block_cyclic_overlap(x, a, y, b))
        complain(x, y, "overlap walked with", b, block_cyclic_overlap(x, a, y, b), walked);
}

static void test_sums(void)
{
    for (int sample = 0; sample < 100; sample++) {
        int64_t n = (INT64_C(1) << 31) - testing_random_to(1000000);
        struct block_cyclic x = random_distribution(n, 65536, 1000), y = random_distribution(n, 65536, 1000);
        x.block += 10000;
        y.block += 10000;
        x.processes += 100;
        check_sum(&x, testing_random_to(x.processes) - 1, &y);
    }
    CU_PASS("all sums have been made");
}

/* However large n, an overlap takes little time; one index after another it would be 2^31 of them each. */
static void test_time(void)
{
    static const struct {
        int64_t block;
        int processes;
    } rows[] = {{1, 1}, {1, 2}, {1, 46337}, {3, 15451}, {64, 724}, {65536, 1}, {1, 46349}, {65535, 65537}};
    enum { N_ROWS = sizeof rows / sizeof *rows };
    clock_t start = clock();
    for (int i = 0; i < N_ROWS * N_ROWS; i++) {
        struct block_cyclic x = {INT32_MAX, rows[i / N_ROWS].block, rows[i / N_ROWS].processes, 0};
        struct block_cyclic y = {INT32_MAX, rows[i % N_ROWS].block, rows[i % N_ROWS].processes, 0};
        for (int times = 0; times < 5; times++)
            if (block_cyclic_overlap(&x, 0, &y, 0) <= 0)
                complain(&x, &y, "overlap of the first processes, row", i, 0, 1);
    }
    CU_ASSERT((double)(clock() - start) / CLOCKS_PER_SEC < 5);
}

/* --- matrices --- */

static void check_matrix(const struct block_cyclic_matrix *x, const struct block_cyclic_matrix *y)
{
    enum { GRID = MAX_PROCESSES * MAX_PROCESSES };
    int64_t volumes[GRID][GRID] = {{0}};
    int x_rows[MAX_N], x_columns[MAX_N], y_rows[MAX_N], y_columns[MAX_N];
    deal(x_rows, &x->rows);
    deal(x_columns, &x->columns);
    deal(y_rows, &y->rows);
    deal(y_columns, &y->columns);
    for (int64_t i = 0; i < x->rows.n; i++)
        for (int64_t j = 0; j < x->columns.n; j++)
            volumes[x_rows[i] * x->columns.processes + x_columns[j]][y_rows[i] * y->columns.processes + y_columns[j]]++;
    for (int a = 0; a < x->rows.processes * x->columns.processes; a++)
        for (int b = 0; b < y->rows.processes * y->columns.processes; b++) {
            int64_t volume = block_cyclic_volume(x, a, y, b);
            if (volume == volumes[a][b])
                continue;
            complain(&x->rows, &y->rows, "rows of the matrices, volume of pair", a * 100 + b, volume, volumes[a][b]);
            complain(&x->columns, &y->columns, "their columns, volume of pair", a * 100 + b, volume, volumes[a][b]);
        }
}

static void test_small_matrices(void)
{
    const struct block_cyclic start = {0};
    struct block_cyclic_matrix x, y;
    for (int64_t m = 0; m <= SMALL_N; m++)
        for (int64_t n = 0; n <= SMALL_N; n++)
            for (x.rows = start, x.rows.n = m; next_distribution(&x.rows, SMALL_BLOCK, SMALL_PROCESSES);)
                for (x.columns = start, x.columns.n = n; next_distribution(&x.columns, SMALL_BLOCK, SMALL_PROCESSES);)
                    for (y.rows = start, y.rows.n = m; next_distribution(&y.rows, SMALL_BLOCK, SMALL_PROCESSES);)
                        for (y.columns = start, y.columns.n = n;
                             next_distribution(&y.columns, SMALL_BLOCK, SMALL_PROCESSES);)
                            check_matrix(&x, &y);
    CU_PASS("all small matrices have been tried");
}

static void test_sampled_matrices(void)
{
    for (int64_t m = 0; m <= MAX_N; m++)
        for (int64_t n = 0; n <= MAX_N; n += testing_one_in())
            for (int sample = 0; sample < N_SAMPLES; sample++) {
                struct block_cyclic_matrix x = {random_distribution(m, MAX_BLOCK, MAX_PROCESSES),
                                                random_distribution(n, MAX_BLOCK, MAX_PROCESSES)};
                struct block_cyclic_matrix y = {random_distribution(m, MAX_BLOCK, MAX_PROCESSES),
                                                random_distribution(n, MAX_BLOCK, MAX_PROCESSES)};
                check_matrix(&x, &y);
            }
    CU_PASS("all sizes of matrices have been tried");
}

int main(void)
{
    static const struct test tests[] = {
        {"one distribution", test_one},
        {"all pairs of distributions", test_pairs},
        {"larger pairs", test_larger_pairs},
        {"numbers too large to count", test_large},
        {"sums of overlaps", test_sums},
        {"time", test_time},
        {"small matrices", test_small_matrices},
        {"matrices of all sizes", test_sampled_matrices},
        {NULL, NULL},
    };
    return testing_run("block-cyclic", tests);
}
