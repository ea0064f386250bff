/* Recorded timelines come back as they were written: intervals, messages, path; and bins have the same sums.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline.h"
#include "base/memory.h"
#include "core/simrun.h"
#include "tests/testing.h"
#include "tests/timeline/decode.h"

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const scopes[] = {"", "first", "</script>\"\\", "fourth"};
enum { N_SCOPES = 4, MOST_LOCATIONS = 700, MOST_INTERVALS = 20000 };

static struct decoded encoded(const struct timeline *timeline, size_t most_bytes)
{
    uint8_t *bytes;
    size_t length;
    timeline_encode(&bytes, &length, timeline, most_bytes);
    struct decoded decoded = decode(bytes, length);
    CU_ASSERT_TRUE(decoded.valid);
    free(bytes);
    return decoded;
}

/* ---- A run made by chance, and what is known of it ---- */

struct run {
    int n_ranks, n_locations, n_intervals, n_messages, n_segments;
    int64_t end_ps;
    struct interval intervals[2 * MOST_INTERVALS];
    int64_t at_ps[MOST_LOCATIONS];
};

static int64_t random_length(int64_t unit_ps, int magnitude)
{
    return (int64_t)(testing_random_to(1000) - 1) * testing_random_to(magnitude) * unit_ps;
}

static struct interval *add_interval(struct run *run, int location, int64_t length_ps)
{
    struct interval *interval = &run->intervals[run->n_intervals++];
    *interval = (struct interval){.location = location, .start_ps = run->at_ps[location], .peer = -1};
    interval->end_ps = run->at_ps[location] += length_ps;
    interval->state = (uint8_t)(testing_random_to(N_LOCATION_STATES) - 1);
    interval->kind = (uint8_t)(testing_random_to(2) - 1);
    interval->scope = (uint8_t)(testing_random_to(N_SCOPES) - 1);
    interval->category = (uint8_t)(testing_random_to(2) - 1);
    interval->operation = (uint8_t)(testing_random_to(2) - 1);
    if (interval->end_ps > run->end_ps)
        run->end_ps = interval->end_ps;
    return interval;
}

/* One end of a message and the other, the receipt first where `early`. */
static void add_message(struct run *run, int64_t unit_ps, bool early)
{
    int from = testing_random_to(run->n_ranks) - 1, to = testing_random_to(run->n_ranks) - 1;
    int tag = testing_random_to(3) - 2;
    int64_t bytes = testing_random_to(1 << 20);
    for (int end = 0; end < 2; end++) {
        bool sends = (end == 0) != early;
        struct interval *interval = add_interval(run, sends ? from : to, random_length(unit_ps, 10));
        interval->is_message = sends;
        interval->is_receipt = !sends;
        interval->peer = sends ? to : from;
        interval->bytes = bytes;
        interval->tag = tag;
    }
    run->n_messages++;
}

static struct run *make_run(int n_ranks, int n_controllers, int n_intervals, int64_t unit_ps)
{
    struct run *run = xcalloc(1, sizeof *run);
    run->n_ranks = n_ranks;
    run->n_locations = n_ranks + n_controllers;
    for (int i = 0; i < n_intervals; i++)
        if (testing_random_to(4) == 1)
            add_message(run, unit_ps, testing_random_to(2) == 1);
        else
            add_interval(run, testing_random_to(run->n_locations) - 1, random_length(unit_ps, 1000));
    return run;
}

static struct timeline *record(const struct run *run, const struct timeline_limits *limits)
{
    const struct interval_setup setup = {
        .n_ranks = run->n_ranks, .n_locations = run->n_locations, .scopes = scopes, .n_scopes = N_SCOPES};
    struct timeline *timeline = timeline_new(&setup, limits);
    for (int i = 0; i < run->n_intervals; i++)
        timeline_take(timeline, &run->intervals[i]);
    timeline_finish(timeline, run->end_ps);
    return timeline;
}

static bool alike(const struct decoded_interval *drawn, const struct interval *interval)
{
    return drawn->state == interval->state && drawn->kind == interval->kind && drawn->scope == interval->scope &&
           drawn->category == interval->category && drawn->operation == interval->operation;
}

/* The intervals that are drawn are those of each location; equal ones that meet are one. */
static void check_intervals(const struct decoded *decoded, const struct run *run)
{
    int64_t next = 0;
    for (int location = 0; location < run->n_locations; location++) {
        bool open = false;
        for (int i = 0; i < run->n_intervals; i++) {
            const struct interval *interval = &run->intervals[i];
            if (interval->location != location || interval->start_ps == interval->end_ps)
                continue;
            const struct decoded_interval *drawn = &decoded->intervals[next];
            if (open && !alike(drawn, interval))
                drawn = &decoded->intervals[++next];
            bool begins = !open || drawn->start == interval->start_ps;
            bool right = next < decoded->n_intervals && drawn->location == location && alike(drawn, interval) &&
                         (!begins || drawn->start == interval->start_ps) &&
                         drawn->start + drawn->length >= interval->end_ps;
            open = true;
            if (!right) {
                CU_FAIL_FATAL("what is drawn differs");
            }
        }
        const struct decoded_interval *last = &decoded->intervals[next];
        if (open && last->start + last->length != run->at_ps[location])
            CU_FAIL("a lane ends elsewhere");
        next += open;
    }
    CU_ASSERT_EQUAL(next, decoded->n_intervals);
    CU_ASSERT_EQUAL(next, decoded->all_intervals);
}

/* The i-th interval that is an end of a message between the two under the tag, sent or received. */
static const struct interval *find_end(const struct run *run, const struct decoded_message *message, bool sent, int i)
{
    for (int k = 0; k < run->n_intervals; k++) {
        const struct interval *interval = &run->intervals[k];
        if ((sent ? interval->is_message : interval->is_receipt) && interval->tag == message->tag &&
            interval->location == (sent ? message->from : message->to) &&
            interval->peer == (sent ? message->to : message->from) && i-- == 0)
            return interval;
    }
    return NULL;
}

static bool same_key(const struct decoded_message *a, const struct decoded_message *b)
{
    return a->from == b->from && a->to == b->to && a->tag == b->tag;
}

static void check_messages(const struct decoded *decoded, const struct run *run)
{
    CU_ASSERT_EQUAL(decoded->all_messages, run->n_messages);
    CU_ASSERT_EQUAL(decoded->n_messages, run->n_messages);
    for (int64_t i = 0; i < decoded->n_messages; i++) {
        const struct decoded_message *message = &decoded->messages[i];
        int before = 0;
        for (int64_t k = i; k-- > 0 && decoded->messages[k].from == message->from;)
            before += same_key(&decoded->messages[k], message);
        const struct interval *sent = find_end(run, message, true, before),
                              *received = find_end(run, message, false, before);
        if (sent == NULL || received == NULL || sent->start_ps != message->sent ||
            received->end_ps != message->received || received->bytes != message->bytes)
            CU_FAIL_FATAL("a message differs");
    }
}

static int64_t row_of(const struct decoded *decoded, int64_t location)
{
    int64_t per = decoded->locations_per_row, n_rank_rows = (decoded->n_ranks + per - 1) / per;
    return location < decoded->n_ranks ? location / per : n_rank_rows + (location - decoded->n_ranks) / per;
}

static int64_t overlap(const struct interval *interval, int64_t from_ps, int64_t until_ps)
{
    int64_t start_ps = interval->start_ps > from_ps ? interval->start_ps : from_ps;
    int64_t end_ps = interval->end_ps < until_ps ? interval->end_ps : until_ps;
    return start_ps < end_ps ? end_ps - start_ps : 0;
}

/* Count the running sums of remainders over bins that are above 0, or at least a cell below it. */
static int64_t count_wrong(const int64_t *left_ps, int64_t n_channels, int64_t n_bins, int64_t cell_ps)
{
    int64_t n_wrong = 0;
    for (int64_t channel = 0; channel < n_channels; channel++) {
        int64_t sum_ps = 0;
        for (int64_t bin = 0; bin < n_bins; bin++) {
            sum_ps += left_ps[channel * n_bins + bin];
            n_wrong += sum_ps > 0 || sum_ps <= -cell_ps;
        }
    }
    return n_wrong;
}

/* Take what the intervals have from the bins; nothing is left, or less than a cell. */
static void check_bins(struct decoded *decoded, const struct run *run)
{
    int64_t n_bins = decoded->n_bins, bin_ps = decoded->bin_ps, n_left = 0;
    CU_ASSERT_FATAL(n_bins * bin_ps >= run->end_ps && (n_bins - 1) * bin_ps < run->end_ps);
    for (int i = 0; i < run->n_intervals; i++) {
        const struct interval *interval = &run->intervals[i];
        int64_t row = row_of(decoded, interval->location);
        CU_ASSERT_FATAL(row < decoded->n_rows);
        for (int64_t bin = interval->start_ps / bin_ps; bin < n_bins && bin * bin_ps < interval->end_ps; bin++) {
            int64_t ps = overlap(interval, bin * bin_ps, (bin + 1) * bin_ps);
            decoded->states[(row * N_LOCATION_STATES + interval->state) * n_bins + bin] -= ps;
            decoded->scopes[(row * N_SCOPES + interval->scope) * n_bins + bin] -= ps;
        }
    }
    n_left += count_wrong(decoded->states, decoded->n_rows * N_LOCATION_STATES, n_bins, decoded->cell_ps);
    n_left += count_wrong(decoded->scopes, decoded->n_rows * N_SCOPES, n_bins, decoded->cell_ps);
    CU_ASSERT_EQUAL(n_left, 0);
}

static const struct {
    int n_ranks, n_controllers, n_intervals;
    int64_t unit_ps;
} runs[] = {
    {1, 0, 1, 1},      {1, 0, 50, 7},       {3, 3, 200, 1},         {16, 0, 3000, 20},
    {256, 0, 3000, 1}, {257, 0, 3000, 100}, {301, 301, 5000, 1000}, {7, 1, 3000, INT64_C(1000000000)},
};

static void test_exact(void)
{
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct run *run = make_run(runs[i].n_ranks, runs[i].n_controllers, runs[i].n_intervals, runs[i].unit_ps);
        struct timeline *timeline = record(run, NULL);
        struct decoded decoded = encoded(timeline, SIZE_MAX);
        CU_ASSERT_EQUAL(decoded.n_ranks, run->n_ranks);
        CU_ASSERT_EQUAL(decoded.n_locations, run->n_locations);
        CU_ASSERT_EQUAL(decoded.end_ps, run->end_ps);
        CU_ASSERT_EQUAL(decoded.unit_ps % runs[i].unit_ps, 0);
        CU_ASSERT_EQUAL(decoded.n_rows, 0);
        for (int scope = 0; scope < N_SCOPES; scope++)
            CU_ASSERT_STRING_EQUAL(decoded.names[SCOPE_NAMES].names[scope], scopes[scope]);
        check_intervals(&decoded, run);
        check_messages(&decoded, run);
        decoded_dispose(&decoded);
        timeline_free(timeline);
        free(run);
    }
}

/* However few intervals are kept, and so from whenever on there are bins: they are the same. */
static void test_bins(void)
{
    static const size_t most[] = {0, 1, 100, 1000};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct run *run = make_run(runs[i].n_ranks, runs[i].n_controllers, runs[i].n_intervals, runs[i].unit_ps);
        for (size_t k = 0; k < sizeof most / sizeof most[0]; k++) {
            struct timeline *timeline = record(run, &(struct timeline_limits){most[k], most[k]});
            struct decoded decoded = encoded(timeline, SIZE_MAX);
            bool is_kept = decoded.all_intervals <= (int64_t)most[k], has_messages = run->n_messages <= (int)most[k];
            CU_ASSERT_EQUAL(decoded.n_intervals, is_kept ? decoded.all_intervals : 0);
            CU_ASSERT_EQUAL(decoded.n_messages, has_messages ? run->n_messages : 0);
            CU_ASSERT_EQUAL(decoded.all_messages, run->n_messages);
            CU_ASSERT_TRUE(decoded.n_rows <= TIMELINE_ROWS && decoded.n_bins <= TIMELINE_BINS);
            if (!is_kept) {
                CU_ASSERT_EQUAL(decoded.cell_ps, 1);
                check_bins(&decoded, run);
            }
            decoded_dispose(&decoded);
            timeline_free(timeline);
        }
        free(run);
    }
}

/* An overview is as small as it must be, has the same sums, and does not depend on what was kept. */
static void test_overview(void)
{
    static const size_t most_bytes[] = {200000, 20000, 3000, 500, 1};
    struct run *run = make_run(300, 300, 5000, 1000);
    struct timeline *whole = record(run, NULL), *bare = record(run, &(struct timeline_limits){10, 10});
    for (size_t i = 0; i < sizeof most_bytes / sizeof most_bytes[0]; i++) {
        uint8_t *bytes, *again;
        size_t length, length_again;
        timeline_encode(&bytes, &length, whole, most_bytes[i]);
        timeline_encode(&again, &length_again, bare, most_bytes[i]);
        CU_ASSERT_TRUE(length <= (most_bytes[i] > 500 ? most_bytes[i] : 500));
        struct decoded decoded = decode(bytes, length);
        CU_ASSERT_TRUE_FATAL(decoded.valid);
        if (decoded.n_intervals == 0) {
            CU_ASSERT_TRUE(length == length_again && memcmp(bytes, again, length) == 0);
            check_bins(&decoded, run);
        }
        decoded_dispose(&decoded);
        free(bytes);
        free(again);
    }
    timeline_free(whole);
    timeline_free(bare);
    free(run);
}

/* A message may be sent, and be received, within what has become one interval: its times count for the unit, too. */
static void test_unit(void)
{
    struct run *run = xcalloc(1, sizeof *run);
    *run = (struct run){.n_ranks = 2, .n_locations = 2, .n_intervals = 5, .n_messages = 1, .end_ps = 100};
    run->intervals[0] = (struct interval){.end_ps = 30, .peer = -1};
    run->intervals[1] = (struct interval){.start_ps = 30, .end_ps = 100, .peer = 1, .bytes = 9, .is_message = 1};
    run->intervals[2] = (struct interval){.location = 1, .end_ps = 44, .peer = -1};
    run->intervals[3] = (struct interval){.location = 1, .start_ps = 44, .end_ps = 75, .bytes = 9, .is_receipt = 1};
    run->intervals[4] = (struct interval){.location = 1, .start_ps = 75, .end_ps = 100, .peer = -1};
    run->at_ps[0] = run->at_ps[1] = 100;
    struct timeline *timeline = record(run, NULL);
    struct decoded decoded = encoded(timeline, SIZE_MAX);
    CU_ASSERT_EQUAL(decoded.unit_ps, 5);
    CU_ASSERT_EQUAL(decoded.n_intervals, 2);
    check_intervals(&decoded, run);
    check_messages(&decoded, run);
    decoded_dispose(&decoded);
    timeline_free(timeline);
    free(run);
}

/* Messages name ranks, and are drawn between the processors of these that sent and took them in, in whatever order. */
static void test_processors(void)
{
    const struct interval_setup setup = {
        .n_ranks = 2, .n_locations = 6, .n_more_processors = 2, .scopes = scopes, .n_scopes = N_SCOPES};
    static const struct interval intervals[] = {
        {.location = 4, .end_ps = 10, .peer = 1, .bytes = 9, .is_message = 1, .serial = 1},
        {.location = 0, .end_ps = 10, .peer = 1, .bytes = 8, .is_message = 1, .serial = 2},
        {.location = 1, .end_ps = 20, .bytes = 8, .is_receipt = 1, .serial = 2},
        {.location = 3, .end_ps = 30, .bytes = 9, .is_receipt = 1, .serial = 1},
    };
    struct timeline *timeline = timeline_new(&setup, NULL);
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++)
        timeline_take(timeline, &intervals[i]);
    timeline_finish(timeline, 30);
    struct decoded decoded = encoded(timeline, SIZE_MAX);
    CU_ASSERT_EQUAL(decoded.n_more_processors, 2);
    CU_ASSERT_EQUAL_FATAL(decoded.n_messages, 2);
    CU_ASSERT(decoded.messages[0].from == 0 && decoded.messages[0].to == 1 && decoded.messages[0].bytes == 8);
    CU_ASSERT(decoded.messages[1].from == 4 && decoded.messages[1].to == 3 && decoded.messages[1].bytes == 9);
    decoded_dispose(&decoded);
    timeline_free(timeline);
}

static void test_path(void)
{
    static const char *const components[] = {"work", "wait"};
    static const struct timeline_segment segments[] = {
        {0, 70, 2, 0, 1}, {70, 70, 0, 1, 2}, {70, 700, 0, 1, 2}, {770, 7000, 1, 0, 0}};
    enum { N = sizeof segments / sizeof segments[0] };
    for (size_t most = N - 1; most <= N; most++) {
        const struct interval_setup setup = {.n_ranks = 3, .n_locations = 3, .scopes = scopes, .n_scopes = N_SCOPES};
        struct timeline *timeline = timeline_new(&setup, &(struct timeline_limits){.most_messages = most});
        timeline_name_components(timeline, components, 2);
        for (int i = 0; i < N; i++)
            timeline_add_path_segment(timeline, &segments[i]);
        timeline_finish(timeline, 7000);
        struct decoded decoded = encoded(timeline, SIZE_MAX);
        CU_ASSERT_STRING_EQUAL(decoded.names[COMPONENT_NAMES].names[1], "wait");
        CU_ASSERT_EQUAL(decoded.all_segments, N);
        CU_ASSERT_EQUAL(decoded.n_segments, most == N ? N : 0);
        for (int64_t i = 0; i < decoded.n_segments; i++) {
            const struct decoded_segment *got = &decoded.segments[i];
            CU_ASSERT_TRUE(got->location == segments[i].location && got->start == segments[i].start_ps &&
                           got->start + got->length == segments[i].end_ps && got->component == segments[i].component &&
                           got->scope == segments[i].scope);
        }
        decoded_dispose(&decoded);
        timeline_free(timeline);
    }
}

static void test_nothing(void)
{
    struct run *run = make_run(2, 0, 0, 1);
    struct timeline *timeline = record(run, NULL);
    struct decoded decoded = encoded(timeline, 0);
    CU_ASSERT_EQUAL(decoded.all_intervals + decoded.all_messages + decoded.n_bins, 0);
    decoded_dispose(&decoded);
    timeline_free(timeline);
    timeline_free(NULL);
    free(run);
}

/* ---- A simulation ---- */

static const char torus[] = "hosts torus 4x4 1Gf 125MBps 20us\nsend_overhead start=5us\nreceive_overhead start=5us\n"
                            "cycle 10ns\nkernel.gj.rsub cpu=12 fpu=8\nkernel.gj.norm cpu=8 fpu=5\n"
                            "kernel.gj.set cpu=12\nkernel.gj.inv cpu=8 fpu=30\nkernel.gj.buf cpu=6\n";

static void must(int status, const struct sim_error *error)
{
    if (status == 0)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* Gauss-Jordan on 16 ranks; the segments are no path, but what a path may look like. */
static struct timeline *simulate(struct result *result)
{
    static const char *const settings[] = {"ranks=16", "n=128", "broadcast=binomial", NULL};
    static const char *const components[] = {"cpu", "latency"};
    struct sim_error error;
    struct machine *machine = NULL;
    struct simrun *simulation = NULL;
    must(simrun_read_machine(&machine, "torus", torus, &error), &error);
    must(simrun_open(&simulation, machine, "gauss-jordan", settings, &error), &error);
    const struct interval_setup setup = simrun_events(simulation);
    struct timeline *timeline = timeline_new(&setup, NULL);
    struct interval_sink sink = {.take = timeline_take, .self = timeline};
    must(simrun_run(result, simulation, &sink, &error), &error);
    int64_t end_ps = (int64_t)measure_number(result_find(result, "", "time_s"));
    timeline_name_components(timeline, components, 2);
    for (int i = 0; i < 100; i++)
        timeline_add_path_segment(timeline, &(struct timeline_segment){end_ps / 100 * i, end_ps / 100 * (i + 1),
                                                                       i * 7 % 16, (uint8_t)(i % 2), (uint8_t)(i % 3)});
    timeline_finish(timeline, end_ps);
    simrun_close(simulation);
    simrun_free_machine(machine);
    return timeline;
}

static void test_simulation(void)
{
    struct result result;
    result_init(&result);
    struct timeline *timeline = simulate(&result);
    struct decoded decoded = encoded(timeline, SIZE_MAX);
    CU_ASSERT_EQUAL(decoded.n_messages, (int64_t)measure_number(result_find(&result, "", "messages")));
    for (int64_t i = 0; i < decoded.n_intervals; i++)
        result.state_ps[decoded.intervals[i].location][decoded.intervals[i].state] -= decoded.intervals[i].length;
    for (int rank = 0; rank < result.n_processors; rank++)
        for (int state = 0; state < N_LOCATION_STATES; state++)
            CU_ASSERT_EQUAL(result.state_ps[rank][state], 0);
    decoded_dispose(&decoded);
    timeline_free(timeline);
    result_dispose(&result);
}

/* ---- For the decoder of the page: an encoding, and all that it says ---- */

static void print_names(const struct decoded *decoded)
{
    for (int i = 0; i < N_NAMES; i++)
        for (int64_t k = 0; k < decoded->names[i].count; k++)
            printf("name %d %s\n", i, decoded->names[i].names[k]);
}

static void print_cells(const char *what, const int64_t *cells, int64_t n_cells)
{
    for (int64_t i = 0; i < n_cells; i++)
        printf("%s %" PRId64 "\n", what, cells[i]);
}

static void print(const struct decoded *decoded)
{
    printf("timeline %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", decoded->n_ranks, decoded->n_locations,
           decoded->end_ps, decoded->unit_ps);
    print_names(decoded);
    printf("all %" PRId64 " %" PRId64 " %" PRId64 "\n", decoded->all_intervals, decoded->all_messages,
           decoded->all_segments);
    for (int64_t i = 0; i < decoded->n_intervals; i++) {
        const struct decoded_interval *its = &decoded->intervals[i];
        printf("interval %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
               "\n",
               its->location, its->start, its->length, its->state, its->kind, its->scope, its->category,
               its->operation);
    }
    for (int64_t i = 0; i < decoded->n_messages; i++) {
        const struct decoded_message *its = &decoded->messages[i];
        printf("message %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", its->from, its->to,
               its->sent, its->received, its->bytes, its->tag);
    }
    for (int64_t i = 0; i < decoded->n_segments; i++) {
        const struct decoded_segment *its = &decoded->segments[i];
        printf("segment %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", its->location, its->start,
               its->length, its->component, its->scope);
    }
    printf("bins %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", decoded->n_rows, decoded->n_bins,
           decoded->locations_per_row, decoded->bin_ps, decoded->cell_ps);
    print_cells("state", decoded->states, decoded->n_rows * decoded->names[STATE_NAMES].count * decoded->n_bins);
    print_cells("scope", decoded->scopes, decoded->n_rows * decoded->names[SCOPE_NAMES].count * decoded->n_bins);
}

/* unit timeline FILE BYTES: write an encoding of at most so many bytes, and print what is in it. */
static int print_encoding(const char *file, const char *most_bytes)
{
    struct result result;
    uint8_t *bytes;
    size_t length;
    result_init(&result);
    struct timeline *timeline = simulate(&result);
    timeline_encode(&bytes, &length, timeline, (size_t)strtoul(most_bytes, NULL, 10));
    struct decoded decoded = decode(bytes, length);
    print(&decoded);
    FILE *stream = fopen(file, "wb");
    bool written = stream != NULL && fwrite(bytes, 1, length, stream) == length && fclose(stream) == 0;
    decoded_dispose(&decoded);
    free(bytes);
    timeline_free(timeline);
    result_dispose(&result);
    return written && decoded.valid ? 0 : 1;
}

int main(void)
{
    static const struct test tests[] = {
        {"intervals and messages, exactly", test_exact},
        {"the unit", test_unit},
        {"bins", test_bins},
        {"overviews", test_overview},
        {"processors of ranks", test_processors},
        {"the critical path", test_path},
        {"a simulation", test_simulation},
        {"nothing", test_nothing},
        {0},
    };
    if (testing_arguments[0] != NULL && testing_arguments[1] != NULL)
        return print_encoding(testing_arguments[0], testing_arguments[1]);
    return testing_run("timeline", tests);
}
