/* Sorting that keeps equal rows in their order, against brute force.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

struct row {
    int key, place;
    char rest[5]; /* a size that is no power of two */
};

static int by_key(const void *a, const void *b)
{
    return ((const struct row *)a)->key - ((const struct row *)b)->key;
}

/* The order of the keys is what the context says. */
static int by_sign(const void *a, const void *b, void *context)
{
    return *(const int *)context * by_key(a, b);
}

/* Each row is behind those that come before it, by key and then by place. */
static void check_order(const struct row *rows, int n, int sign)
{
    for (int i = 1; i < n; i++) {
        int order = sign * (rows[i].key - rows[i - 1].key);
        CU_ASSERT(order > 0 || (order == 0 && rows[i].place > rows[i - 1].place));
    }
    for (int i = 0; i < n; i++)
        CU_ASSERT_EQUAL(rows[i].rest[4], (char)rows[i].place);
}

static void test_random(void)
{
    enum { MOST = 300 };
    static struct row rows[MOST], copy[MOST];
    for (int n = 0; n <= MOST; n += n < 20 ? 1 : 17)
        for (int keys = 1; keys <= 1000; keys *= 10) {
            int down = -1;
            memset(rows, 0, sizeof rows);
            for (int i = 0; i < n; i++) {
                rows[i].key = testing_random_to(keys);
                rows[i].place = i;
                rows[i].rest[4] = (char)i;
            }
            memcpy(copy, rows, sizeof rows);
            sort_stable(rows, (size_t)n, sizeof *rows, by_key);
            check_order(rows, n, 1);
            sort_rows(copy, (size_t)n, sizeof *copy, by_sign, &down);
            check_order(copy, n, -1);
        }
}

int main(void)
{
    static const struct test tests[] = {{"random rows", test_random}, {NULL, NULL}};
    return testing_run("sort", tests);
}
