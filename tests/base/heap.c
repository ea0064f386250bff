/* The heap that finds its items by their number, and keys of reals. tests/sim/kernel/event_queue.c has the other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/heap.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>

#define LENGTH(array) (int)(sizeof(array) / sizeof(array)[0])

/* Against a table of keys; what is the least is looked for in it. */
static void test_tracked(void)
{
    enum { ITEMS = 50 };
    int64_t keys[ITEMS];
    struct tracked_heap tracked = {0};
    tracked_heap_track(&tracked, ITEMS);
    for (int i = 0; i < ITEMS; i++)
        keys[i] = INT64_MAX;
    for (int step = 0; step < 20000; step++) {
        uint32_t item = (uint32_t)testing_random_to(ITEMS) - 1, least = 0;
        if (testing_random_to(3) > 1)
            tracked_heap_set(&tracked, item, keys[item] = testing_random_to(100));
        else
            tracked_heap_remove(&tracked, item), keys[item] = INT64_MAX;
        for (uint32_t i = 1; i < ITEMS; i++)
            least = keys[i] < keys[least] ? i : least;
        if (heap_first_key(&tracked.heap) != keys[least] ||
            (tracked.heap.count > 0 && tracked.heap.entries[0].item != least)) {
            CU_FAIL("another entry is the first");
            break;
        }
        if (tracked.heap.count > ITEMS / 2)
            keys[tracked_heap_pop(&tracked).item] = INT64_MAX;
    }
    tracked_heap_dispose(&tracked);
}

static void test_keys(void)
{
    static const double numbers[] = {0, 1e-300, 1e-9, 0.5, 1, 1 + 1e-15, 2, 1e18, 1e300, INFINITY};
    for (int i = 0; i < LENGTH(numbers); i++) {
        CU_ASSERT(!(heap_number(heap_key(numbers[i])) < numbers[i]) &&
                  !(heap_number(heap_key(numbers[i])) > numbers[i]));
        CU_ASSERT(i == 0 || heap_key(numbers[i - 1]) < heap_key(numbers[i]));
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"items that are tracked", test_tracked},
        {"keys of real numbers", test_keys},
        {NULL, NULL},
    };
    return testing_run("heap", tests);
}
