/* A Trace Event file, line by line: names that would break out of their quotes, times within a nanosecond, messages
 * without one end or without a length. Whole runs, by a program that is not ours: tests/cli/trace/traces.sh.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "tests/testing.h"
#include "trace/trace.h"

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const scopes[] = {"", "a\"b\\\n\x1b</script>\xff", "second"};

static struct interval made(int location, int64_t start_ps, int64_t end_ps, int state, int scope)
{
    return (struct interval){.location = location,
                             .start_ps = start_ps,
                             .end_ps = end_ps,
                             .state = (uint8_t)state,
                             .scope = (uint8_t)scope,
                             .peer = -1};
}

static struct interval sent(struct interval interval, int peer, int64_t bytes)
{
    interval.is_message = 1;
    interval.peer = peer;
    interval.bytes = bytes;
    interval.tag = -1;
    return interval;
}

static struct interval received(struct interval interval, int peer, int64_t bytes)
{
    interval = sent(interval, peer, bytes);
    interval.is_message = 0;
    interval.is_receipt = 1;
    return interval;
}

static struct interval of_controller(struct interval interval)
{
    interval.category = CATEGORY_CPCOMP;
    interval.operation = OPERATION_PAGE;
    return interval;
}

/* Bins of 3 ns; equal values in a row, one that more than one message is on, one behind the end at 9 ns. */
static const struct trace_link links[] = {
    {.name = "a-\"b", .bin_ps = 3000, .n_bins = 4, .busy = (const double[]){0.25, 0.25, 1.5, 1}},
    {.name = "idle", .bin_ps = 3000, .n_bins = 2, .busy = (const double[]){0, 0.001}},
};

/* The events of a trace, after the names. */
static char *written(const struct interval *intervals, size_t n_intervals, int n_ranks, int n_locations)
{
    const struct interval_setup setup = {
        .n_ranks = n_ranks, .n_locations = n_locations, .scopes = scopes, .n_scopes = 3, .has_categories = true};
    char folder[] = "/tmp/unit-chrome-XXXXXX", *text = NULL;
    struct trace trace;
    struct sim_error error;
    size_t size = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    char *file = xformat("%s/x.json", folder);
    CU_ASSERT_EQUAL_FATAL(trace_open(&trace, file, &error), 0);
    if (n_intervals > 0)
        trace_begin(&trace, &setup);
    for (size_t i = 0; i < n_intervals; i++)
        trace_take(&trace, &intervals[i]);
    CU_ASSERT_TRUE(trace_has_links(&trace));
    for (size_t i = 0; n_intervals > 0 && i < sizeof links / sizeof links[0]; i++)
        trace_add_link(&trace, &links[i]);
    CU_ASSERT_EQUAL_FATAL(trace_close(&trace, &error), 0);
    FILE *stream = fopen(file, "r");
    CU_ASSERT_FATAL(stream != NULL && getdelim(&text, &size, '\0', stream) > 0);
    fclose(stream);
    unlink(file);
    rmdir(folder);
    free(file);
    return text;
}

static void test_file(void)
{
    const struct interval intervals[] = {
        made(0, 0, 1500, STATE_USEFUL, 1),
        made(0, 1500, 1700, STATE_CONTROL, 1), /* within a nanosecond */
        sent(made(0, 1700, 4000, STATE_SEND, 2), 1, 7),
        sent(made(0, 4000, 4000, STATE_SEND, 2), 1, 8), /* nobody receives it */
        made(0, 4000, 6000, STATE_USEFUL, 2),
        made(0, 6000, 7000, STATE_USEFUL, 2), /* one slice with that before */
        made(0, 7000, 9000, STATE_IDLE, 0),
        received(made(1, 0, 5000, STATE_RECEIVE, 2), 0, 7),
        sent(made(1, 5000, 5000, STATE_SEND, 2), 1, 0),
        received(made(1, 5000, 5000, STATE_RECEIVE, 2), 1, 0), /* of no length */
        made(1, 5000, 9000, STATE_IDLE, 0),
        of_controller(made(2, 0, 9000, STATE_CONTROL, 0)),
    };
    static const char expected[] =
        "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"ranks\"}},\n"
        "{\"ph\":\"M\",\"pid\":2,\"name\":\"process_name\",\"args\":{\"name\":\"controllers\"}},\n"
        "{\"ph\":\"M\",\"pid\":3,\"name\":\"process_name\",\"args\":{\"name\":\"links\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"rank 0\"}},\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"rank 1\"}},\n"
        "{\"ph\":\"M\",\"pid\":2,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"controller 0\"}},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0.000,\"dur\":0.001,\"name\":\"a\\\"b\\\\?"
        "?</script>?\"},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":0.000,\"dur\":0.005,\"name\":\"second\"},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0.000,\"dur\":0.001,\"name\":\"useful\"},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":0.000,\"dur\":0.005,\"name\":\"receive\"},\n"
        "{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":0.000,\"dur\":0.009,\"name\":\"CPComp/page\","
        "\"args\":{\"state\":\"control\"}},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0.001,\"dur\":0.006,\"name\":\"second\"},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0.001,\"dur\":0.003,\"name\":\"send\"},\n"
        "{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"ts\":0.001,\"cat\":\"message\",\"name\":\"message\",\"id\":0,"
        "\"args\":{\"bytes\":7,\"tag\":-1}},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0.004,\"dur\":0.003,\"name\":\"useful\"},\n"
        "{\"ph\":\"f\",\"pid\":1,\"tid\":2,\"ts\":0.004,\"bp\":\"e\",\"cat\":\"message\",\"name\":\"message\",\"id\":0}"
        ",\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":0.005,\"dur\":0.004,\"name\":\"idle\"},\n"
        "{\"ph\":\"s\",\"pid\":1,\"tid\":2,\"ts\":0.005,\"cat\":\"message\",\"name\":\"message\",\"id\":1,"
        "\"args\":{\"bytes\":0,\"tag\":-1}},\n"
        "{\"ph\":\"f\",\"pid\":1,\"tid\":2,\"ts\":0.005,\"bp\":\"e\",\"cat\":\"message\",\"name\":\"message\",\"id\":1}"
        ",\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0.007,\"dur\":0.002,\"name\":\"idle\"},\n"
        "{\"ph\":\"C\",\"pid\":1,\"tid\":1,\"ts\":0.000,\"name\":\"useful ranks\",\"args\":{\"ranks\":1.000}},\n";
    static const char end[] =
        "{\"ph\":\"C\",\"pid\":3,\"tid\":1,\"ts\":0.000,\"name\":\"a-\\\"b\",\"args\":{\"busy [%]\":25.0}},\n"
        "{\"ph\":\"C\",\"pid\":3,\"tid\":1,\"ts\":0.006,\"name\":\"a-\\\"b\",\"args\":{\"busy [%]\":150.0}},\n"
        "{\"ph\":\"C\",\"pid\":3,\"tid\":2,\"ts\":0.000,\"name\":\"idle\",\"args\":{\"busy [%]\":0.0}},\n"
        "{\"ph\":\"C\",\"pid\":3,\"tid\":2,\"ts\":0.003,\"name\":\"idle\",\"args\":{\"busy [%]\":0.1}},\n"
        "{\"ph\":\"C\",\"pid\":3,\"tid\":2,\"ts\":0.006,\"name\":\"idle\",\"args\":{\"busy [%]\":0.0}}\n]}\n";
    char *text = written(intervals, sizeof intervals / sizeof intervals[0], 2, 3);
    CU_ASSERT_EQUAL(strncmp(text, expected, strlen(expected)), 0);
    if (strncmp(text, expected, strlen(expected)) != 0)
        puts(text);
    size_t length = strlen(text);
    CU_ASSERT_TRUE(length > strlen(end) && strcmp(text + length - strlen(end), end) == 0);
    free(text);
}

static void test_nothing(void)
{
    char *text = written(NULL, 0, 0, 0);
    CU_ASSERT_STRING_EQUAL(text,
                           "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                           "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"ranks\"}}\n]}\n");
    free(text);
}

int main(void)
{
    static const struct test tests[] = {{"the file", test_file}, {"no run", test_nothing}, {0}};
    return testing_run("chrome", tests);
}
