/* The sums that a figure reads out of an encoded timeline: against the intervals themselves; and damaged bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/timeline_sums.h"
#include "base/memory.h"
#include "tests/testing.h"
#include "timeline/timeline.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOCATIONS = 6, EACH = 40, COLUMNS = 50 };

static struct interval planted[LOCATIONS][EACH];
static int64_t end_ps;

/* Intervals of each location up to the same end, and a message from each to the next. */
static struct timeline *plant(const struct timeline_limits *limits)
{
    static const char *const scopes[] = {""};
    const struct interval_setup setup = {
        .n_ranks = LOCATIONS, .n_locations = LOCATIONS, .scopes = scopes, .n_scopes = 1};
    struct timeline *timeline = timeline_new(&setup, limits);
    end_ps = 0;
    for (int l = 0; l < LOCATIONS; l++) {
        int64_t at_ps = 0;
        for (int i = 0; i < EACH; i++) {
            int64_t length_ps = (testing_random_to(1000) - 1) / 3 * 1000; /* some of no length */
            planted[l][i] =
                (struct interval){.location = l,
                                  .start_ps = at_ps,
                                  .end_ps = at_ps + length_ps,
                                  .peer = -1,
                                  .state = (uint8_t)((testing_random_to(2) == 1) ? STATE_USEFUL : STATE_IDLE)};
            at_ps += length_ps;
        }
        end_ps = at_ps > end_ps ? at_ps : end_ps;
    }
    for (int l = 0; l < LOCATIONS; l++)
        for (int i = 0; i < EACH; i++) {
            if (i == EACH - 1)
                planted[l][i].end_ps = end_ps;
            timeline_take(timeline, &planted[l][i]);
        }
    for (int l = 0; l + 1 < LOCATIONS; l++) {
        struct interval end = {
            .location = l, .start_ps = end_ps, .end_ps = end_ps, .peer = l + 1, .is_message = 1, .bytes = 8};
        timeline_take(timeline, &end);
        end.location = l + 1;
        end.peer = l;
        end.is_message = 0;
        end.is_receipt = 1;
        timeline_take(timeline, &end);
    }
    timeline_finish(timeline, end_ps);
    return timeline;
}

/* The time of a state on some locations within a part of the run. */
static double expected_ps(int first, int end, double from_ps, double to_ps, int state)
{
    double sum = 0;
    for (int l = first; l < end; l++)
        for (int i = 0; i < EACH; i++) {
            double begin = fmax((double)planted[l][i].start_ps, from_ps),
                   last = fmin((double)planted[l][i].end_ps, to_ps);
            sum += planted[l][i].state == state && last > begin ? last - begin : 0;
        }
    return sum;
}

static void test_sums(void)
{
    static const size_t rows[] = {LOCATIONS, 3, 4, 1};
    struct timeline *timeline = plant(NULL);
    uint8_t *bytes;
    size_t length;
    timeline_encode(&bytes, &length, timeline, 1 << 20);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        struct timeline_sums sums;
        CU_ASSERT_FATAL(timeline_sums_read(&sums, bytes, length, rows[k], COLUMNS, 100));
        CU_ASSERT(sums.n_rows <= rows[k]);
        CU_ASSERT_EQUAL(sums.n_messages, LOCATIONS - 1);
        double column_ps = (double)end_ps / COLUMNS, unit_ps = 0;
        for (size_t r = 0; r < sums.n_rows; r++)
            for (size_t c = 0; c < COLUMNS; c++)
                for (int s = 0; s < N_LOCATION_STATES; s++) {
                    int first = (int)(r * sums.per_row),
                        end = (int)fmin((double)(first + (int)sums.per_row), LOCATIONS);
                    double wanted = expected_ps(first, end, (double)c * column_ps, (double)(c + 1) * column_ps, s);
                    double found = sums.sums[(r * COLUMNS + c) * sums.n_states + (size_t)s];
                    if (unit_ps == 0 && found > 0)
                        unit_ps = wanted / found; /* sums are in the timeline's unit */
                    CU_ASSERT(fabs(found * unit_ps - wanted) < 1e-6 * column_ps);
                }
        for (size_t i = 0; i < sums.n_messages; i++)
            CU_ASSERT(sums.messages[i].to == sums.messages[i].from + 1 && fabs(sums.messages[i].taken - 1) < 1e-9);
        timeline_sums_dispose(&sums);
    }
    free(bytes);
    timeline_free(timeline);
}

/* With bins, the sums of all columns are those of the run. */
static void test_bins(void)
{
    struct timeline *timeline = plant(&(struct timeline_limits){.most_intervals = 10, .most_messages = 0});
    struct timeline_sums sums;
    uint8_t *bytes;
    size_t length;
    timeline_encode(&bytes, &length, timeline, 1 << 20);
    CU_ASSERT_FATAL(timeline_sums_read(&sums, bytes, length, LOCATIONS, COLUMNS, 100));
    CU_ASSERT_EQUAL(sums.n_rows, LOCATIONS);
    for (int l = 0; l < LOCATIONS; l++)
        for (int s = 0; s < N_LOCATION_STATES; s++) {
            double found = 0, wanted = expected_ps(l, l + 1, 0, (double)end_ps, s);
            for (size_t c = 0; c < COLUMNS; c++)
                found += sums.sums[((size_t)l * COLUMNS + c) * sums.n_states + (size_t)s];
            CU_ASSERT(fabs(found - wanted) < 0.01 * (double)end_ps);
        }
    timeline_sums_dispose(&sums);
    free(bytes);
    timeline_free(timeline);
}

/* Bytes that are cut, or of which one is another: they are refused, or read as something else. */
static void test_damaged(void)
{
    struct timeline *timeline = plant(NULL);
    struct timeline_sums sums;
    uint8_t *bytes;
    size_t length;
    timeline_encode(&bytes, &length, timeline, 1 << 20);
    for (size_t cut = 0; cut < length; cut++) {
        uint8_t *copy = xmalloc(cut + 1); /* so that sanitizers see what is read behind it */
        memcpy(copy, bytes, cut);
        copy = xrealloc(copy, cut > 0 ? cut : 1);
        bool is_read = timeline_sums_read(&sums, copy, cut, LOCATIONS, COLUMNS, 100);
        CU_ASSERT(!is_read);
        if (is_read)
            timeline_sums_dispose(&sums);
        free(copy);
    }
    for (int round = 0; round < 3000; round++) {
        size_t at = (size_t)testing_random_to((int)length) - 1;
        uint8_t before = bytes[at];
        bytes[at] = (uint8_t)(testing_random_to(256) - 1);
        if (timeline_sums_read(&sums, bytes, length, LOCATIONS, COLUMNS, 100))
            timeline_sums_dispose(&sums);
        bytes[at] = before;
    }
    free(bytes);
    timeline_free(timeline);
}

int main(void)
{
    static const struct test tests[] = {
        {"sums of intervals", test_sums},
        {"sums of bins", test_bins},
        {"damaged bytes", test_damaged},
        {NULL, NULL},
    };
    return testing_run("timeline_sums", tests);
}
