/* Functions that take linear time, by the processor's clock. Other programs on the computer can disturb the test: it is
 * run by target check-times and is no part of the tests.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/testing.h"
#include "trace/record/requests.h"
#include "trace/ti/pending.h"

#include <CUnit/Basic.h>
#include <time.h>

/* CPU seconds for n requests that are waited for in reverse order, half of them having the same name. */
static double time_reversed(int n)
{
    struct ti_pending pending = {0};
    clock_t start = clock();
    for (int i = 0; i < n; i++)
        ti_pending_begin(&pending, 0, i % 2, i % 2 * i);
    for (int i = n - 1; i >= 0; i -= 2)
        CU_ASSERT_FATAL(ti_pending_end(&pending, 0, 1, i) == (uint32_t)i + 1);
    for (int i = 0; i < n; i += 2)
        CU_ASSERT_FATAL(ti_pending_end(&pending, 0, 0, 0) == (uint32_t)i + 1);
    CU_ASSERT(!ti_pending_any(&pending));
    ti_pending_dispose(&pending);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Eight times as many take about eight times as long; looking through the list takes 64 times as long. */
static void test_pending_linear(void)
{
    double few_s = time_reversed(25000), many_s = time_reversed(200000);
    CU_ASSERT(many_s < 24 * few_s + 0.05);
}

/* CPU seconds for n sends and n receives: half of the sends are waited for one by one, from the first on, which lies
 * behind all others; then the receives in their order, and the other sends all at once. */
static double time_requests(uint32_t n)
{
    struct requests requests = {0};
    struct request ended;
    clock_t start = clock();
    for (uint32_t i = 1; i <= 2 * n; i++)
        requests_begin(&requests, i, i % 2 == 0, false);
    for (uint32_t i = 1; i <= n; i += 2)
        CU_ASSERT_FATAL(requests_end(&requests, &ended, i, false, false));
    for (uint32_t i = 1; i <= n; i++)
        CU_ASSERT_FATAL(requests_end(&requests, &ended, 2 * i, true, false) && ended.number == 2 * i);
    while (requests_end_send(&requests, &ended, false))
        ;
    CU_ASSERT(requests.latest.count == 0);
    requests_dispose(&requests);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Eight times as many take about eight times as long; looking through a list takes 64 times as long. */
static void test_requests_linear(void)
{
    double few_s = time_requests(12500), many_s = time_requests(100000);
    CU_ASSERT(many_s < 24 * few_s + 0.05);
}

int main(void)
{
    static const struct test tests[] = {
        {"pending requests of a TI trace", test_pending_linear},
        {"requests of an OTF2 archive", test_requests_linear},
        {NULL, NULL},
    };
    return testing_run("linear", tests);
}
