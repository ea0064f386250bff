/* Time that no rank recorded: the records' clock stands still in it, by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/holes.h"

#include "tests/testing.h"
#include "tests/trace/fake_trace.h"

#include <CUnit/Basic.h>

static void add_off(struct fake_trace *trace, int rank, int64_t from, int64_t to)
{
    struct record record = fake_span(RECORD_SLEEP, from, to, 0);
    record.sleep = SLEEP_UNRECORDED;
    fake_add(trace, rank, record);
}

static void expect_spans(struct record_reader *reader, int rank, const int64_t spans[][2], size_t n)
{
    struct record record;
    struct sim_error error = {0};
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL_FATAL(record_next(reader, rank, &record, &error), 1);
        CU_ASSERT_EQUAL(record.start_ps, spans[i][0]);
        CU_ASSERT_EQUAL(record.end_ps, spans[i][1]);
    }
    CU_ASSERT_EQUAL(record_next(reader, rank, &record, &error), 0);
}

/* Rank 0 is off from 10 to 50 and from 60 to 70, rank 1 from 20 to 65: both from 20 to 50 and from 60 to 65. */
static void test_two(void)
{
    static const int64_t first[][2] = {{0, 10}, {10, 20}, {20, 30}, {30, 35}, {35, 65}};
    static const int64_t second[][2] = {{0, 20}, {20, 30}, {30, 65}};
    struct fake_trace trace;
    struct sim_error error = {0};
    fake_init(&trace, 2);
    fake_add(&trace, 0, fake_span(RECORD_COMPUTE, 0, 10, 0));
    add_off(&trace, 0, 10, 50);
    fake_add(&trace, 0, fake_span(RECORD_COMPUTE, 50, 60, 0));
    add_off(&trace, 0, 60, 70);
    fake_add(&trace, 0, fake_span(RECORD_COMPUTE, 70, 100, 0));
    fake_add(&trace, 1, fake_span(RECORD_COMPUTE, 0, 20, 0));
    add_off(&trace, 1, 20, 65);
    fake_add(&trace, 1, fake_span(RECORD_COMPUTE, 65, 100, 0));
    struct record_reader reader = fake_reader(&trace);
    reader.info.end_ps = 100;
    CU_ASSERT_EQUAL_FATAL(record_holes_find(&reader, &error), 0);
    CU_ASSERT_EQUAL(reader.info.hole_ps, 35);
    CU_ASSERT_EQUAL(reader.info.end_ps, 65);
    expect_spans(&reader, 0, first, 5);
    expect_spans(&reader, 1, second, 3);
    record_close(&reader);
    fake_dispose(&trace);
}

/* While a rank records, nothing is left out. */
static void test_none(void)
{
    static const int64_t spans[][2] = {{0, 10}, {10, 50}};
    struct fake_trace trace;
    struct sim_error error = {0};
    fake_init(&trace, 2);
    fake_add(&trace, 0, fake_span(RECORD_COMPUTE, 0, 10, 0));
    add_off(&trace, 0, 10, 50);
    add_off(&trace, 1, 0, 10);
    struct record_reader reader = fake_reader(&trace);
    CU_ASSERT_EQUAL_FATAL(record_holes_find(&reader, &error), 0);
    CU_ASSERT_EQUAL(reader.info.hole_ps, 0);
    expect_spans(&reader, 0, spans, 2);
    record_close(&reader);
    fake_dispose(&trace);
}

int main(void)
{
    static const struct test tests[] = {
        {"what all ranks lack", test_two},
        {"one rank records", test_none},
        {NULL, NULL},
    };
    return testing_run("holes", tests);
}
