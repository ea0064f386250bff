/* The queue of events against a sorted array, for random sequences and for those that are hard on a heap.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/event_queue.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 3000, MAX_COMPLAINTS = 20 };

static uint64_t random_state;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % bound;
}

/* --- the events of a sequence: the i-th of n --- */

static struct heap_entry ascending(uint32_t i, uint32_t n)
{
    (void)n;
    return (struct heap_entry){.key = i, .order = 7, .item = 7};
}

static struct heap_entry descending(uint32_t i, uint32_t n)
{
    return (struct heap_entry){.key = n - i, .order = 7, .item = 7};
}

static struct heap_entry converging(uint32_t i, uint32_t n)
{
    return (struct heap_entry){.key = i % 2 == 0 ? i : 2 * n - i};
}

static struct heap_entry diverging(uint32_t i, uint32_t n)
{
    return (struct heap_entry){.key = i % 2 == 0 ? n + i : n - i};
}

static struct heap_entry order_ascending(uint32_t i, uint32_t n)
{
    return (struct heap_entry){.key = 5, .order = i, .item = n - i};
}

static struct heap_entry order_descending(uint32_t i, uint32_t n)
{
    return (struct heap_entry){.key = 5, .order = n - i, .item = i};
}

static struct heap_entry index_descending(uint32_t i, uint32_t n)
{
    return (struct heap_entry){.key = 5, .order = 5, .item = n - i};
}

static struct heap_entry all_equal(uint32_t i, uint32_t n)
{
    (void)i, (void)n;
    return (struct heap_entry){.key = 5, .order = 5, .item = 5};
}

static struct heap_entry many_ties(uint32_t i, uint32_t n)
{
    (void)i, (void)n;
    return (struct heap_entry){.key = random_below(4), .order = random_below(3), .item = random_below(3)};
}

static struct heap_entry scattered(uint32_t i, uint32_t n)
{
    (void)i, (void)n;
    return (struct heap_entry){.key = (int64_t)random_below(UINT32_MAX) << 20, .order = random_below(UINT32_MAX)};
}

/* The ends of all ranges: neither sign nor width may be lost in a comparison. */
static struct heap_entry extreme(uint32_t i, uint32_t n)
{
    static const int64_t times[] = {INT64_MAX, INT64_MIN, 0, -1, INT64_C(1) << 32, (INT64_C(1) << 32) - 1};
    static const uint32_t numbers[] = {UINT32_MAX, 0, INT32_MAX, UINT32_C(1) << 31};
    (void)n;
    return (struct heap_entry){.key = times[i % 6], .order = numbers[i / 6 % 4], .item = numbers[i / 24 % 4]};
}

static const struct {
    const char *name;
    struct heap_entry (*event)(uint32_t i, uint32_t n);
} sequences[] = {
    {"ascending", ascending},
    {"descending", descending},
    {"converging", converging},
    {"diverging", diverging},
    {"equal times, order ascending", order_ascending},
    {"equal times, order descending", order_descending},
    {"equal times and orders, index descending", index_descending},
    {"all equal", all_equal},
    {"many ties", many_ties},
    {"scattered", scattered},
    {"extreme", extreme},
};

/* So many are pushed, then so many popped, and again until all have been pushed; then the rest is popped.
 * 0 and 0: between none and four each time, at random. */
static const struct {
    const char *name;
    uint32_t pushes, pops;
} schedules[] = {
    {"all in, all out", MAX_EVENTS, 0},
    {"1 in, 1 out", 1, 1},
    {"2 in, 1 out", 2, 1},
    {"3 in, 2 out", 3, 2},
    {"2 in, 3 out", 2, 3},
    {"7 in, 5 out", 7, 5},
    {"50 in, 49 out", 50, 49},
    {"50 in, 50 out", 50, 50},
    {"at random", 0, 0},
};

static const uint32_t lengths[] = {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 21, 22, 85, 86, 1000, MAX_EVENTS};

/* --- the sorted array --- */

struct pair {
    struct event_queue queue;
    size_t count;
    struct heap_entry sorted[MAX_EVENTS]; /* the earliest last */
};

static int compare(const struct heap_entry *a, const struct heap_entry *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static void push_both(struct pair *pair, struct heap_entry event)
{
    event_queue_push(&pair->queue, event);
    size_t low = 0, high = pair->count; /* all before low are later than the event, none from high on is */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare(&pair->sorted[middle], &event) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(&pair->sorted[low + 1], &pair->sorted[low], (pair->count - low) * sizeof *pair->sorted);
    pair->sorted[low] = event;
    pair->count++;
}

/* Pop both; false when they differ. */
static bool pop_both(struct pair *pair, struct heap_entry *popped)
{
    if (!event_queue_pop(&pair->queue, popped))
        return pair->count == 0;
    return pair->count > 0 && compare(popped, &pair->sorted[--pair->count]) == 0;
}

static void complain(const char *sequence, const char *schedule, uint32_t n, struct heap_entry popped)
{
    static int complaints;
    if (complaints++ >= MAX_COMPLAINTS)
        return;
    fprintf(stderr, "\n  %s, %s, %" PRIu32 " events: popped (%" PRId64 ", %" PRIu32 ", %" PRIu32 ")", sequence,
            schedule, n, popped.key, popped.order, popped.item);
    CU_FAIL("the queue and the sorted array differ");
}

/* --- tests --- */

static struct pair pair;

static bool run_row(size_t sequence, size_t schedule, uint32_t n, struct heap_entry *popped)
{
    bool same = true;
    for (uint32_t pushed = 0; same && pushed < n;) {
        bool fixed = schedules[schedule].pushes > 0;
        uint32_t pushes = fixed ? schedules[schedule].pushes : random_below(5);
        uint32_t pops = fixed ? schedules[schedule].pops : random_below(5);
        for (uint32_t i = 0; i < pushes && pushed < n; i++, pushed++)
            push_both(&pair, sequences[sequence].event(pushed, n));
        for (uint32_t i = 0; same && i < pops; i++)
            same = pop_both(&pair, popped);
    }
    for (size_t left = pair.count + 2; same && left > 0; left--) /* two more than there are */
        same = pop_both(&pair, popped);
    return same && pair.count == 0;
}

static void test_sequences(void)
{
    for (size_t s = 0; s < sizeof sequences / sizeof *sequences; s++)
        for (size_t c = 0; c < sizeof schedules / sizeof *schedules; c++)
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                struct heap_entry popped = {0};
                random_state = s * 1000 + c * 100 + l;
                pair.count = 0;
                if (!run_row(s, c, lengths[l], &popped))
                    complain(sequences[s].name, schedules[c].name, lengths[l], popped);
                event_queue_dispose(&pair.queue);
            }
    CU_PASS("all sequences have run");
}

/* As a simulation does it: what is popped pushes others, at its own time or later. */
static void test_hold(void)
{
    static const uint32_t spreads[] = {1, 2, 10, 100000};
    for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
        struct heap_entry popped = {0}, last = {0};
        bool same = true;
        random_state = s;
        pair.count = 0;
        for (uint32_t i = 0; i < 50; i++)
            push_both(&pair, (struct heap_entry){.key = random_below(spreads[s]), .order = i, .item = i});
        for (int i = 0; same && i < 100000 && pair.count > 0; i++) {
            same = pop_both(&pair, &popped) && popped.key >= last.key;
            last = popped;
            popped.key += random_below(spreads[s]);
            for (uint32_t n = pair.count < 2 ? 2 : random_below(pair.count < 500 ? 3 : 2); n > 0; n--)
                push_both(&pair,
                          (struct heap_entry){.key = popped.key, .order = popped.order, .item = popped.item + n});
        }
        if (!same)
            complain("hold", "as a simulation", spreads[s], last);
        event_queue_dispose(&pair.queue);
    }
    CU_PASS("all spreads have run");
}

/* Equal times leave in the order of (order, index), whatever order they came in: all 720 orders of six. */
static void test_ties(void)
{
    static const struct heap_entry tied[] = {{.key = 9, .order = 0, .item = 3}, {.key = 9, .order = 1, .item = 0},
                                             {.key = 9, .order = 1, .item = 1}, {.key = 9, .order = 2, .item = 0},
                                             {.key = 9, .order = 2, .item = 2}, {.key = 9, .order = 3, .item = 1}};
    enum { N = sizeof tied / sizeof *tied };
    for (uint32_t code = 0; code < 720; code++) {
        struct heap_entry left[N], popped = {0};
        struct event_queue queue = {0};
        bool same = true;
        memcpy(left, tied, sizeof left);
        for (uint32_t n = N, rest = code; n > 0; rest /= n, n--) {
            uint32_t chosen = rest % n;
            event_queue_push(&queue, left[chosen]);
            left[chosen] = left[n - 1];
        }
        for (int i = 0; same && i < N; i++)
            same = event_queue_pop(&queue, &popped) && compare(&popped, &tied[i]) == 0;
        if (!same || event_queue_pop(&queue, &popped))
            complain("ties", "permutation", code, popped);
        event_queue_dispose(&queue);
    }
    CU_PASS("all permutations have run");
}

static void test_empty(void)
{
    struct event_queue queue = {0};
    struct heap_entry event = {.key = 1, .order = 2, .item = 3};
    CU_ASSERT_FALSE(event_queue_pop(&queue, &event));
    event_queue_push(&queue, event);
    CU_ASSERT_TRUE(event_queue_pop(&queue, &event));
    CU_ASSERT_FALSE(event_queue_pop(&queue, &event));
    CU_ASSERT(event.key == 1 && event.order == 2 && event.item == 3);
    event_queue_dispose(&queue);
}

int main(void)
{
    static const struct test tests[] = {
        {"empty", test_empty},
        {"ties", test_ties},
        {"sequences against a sorted array", test_sequences},
        {"popping and pushing on", test_hold},
        {NULL, NULL},
    };
    return testing_run("event queue", tests);
}
