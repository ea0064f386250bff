/* Messages that wait for their receiver: first in, first out for every key, whatever else is in the box.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/mailbox.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_COMPLAINTS = 20, LONGEST_SEARCH = 24 };

static uint64_t random_state;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % bound;
}

struct key {
    int32_t receiver, sender, tag;
};

/* Put a message, or a posted receive, that carries `serial` as its length; its index. */
static uint32_t put_as(struct mailbox *mailbox, struct key key, int32_t context, bool posted, int64_t serial)
{
    uint32_t index = posted ? mailbox_new_receive(mailbox) : mailbox_new_message(mailbox);
    struct message *message = &mailbox->messages[index];
    memset(message, 0xa5, sizeof *message);
    message->receiver = key.receiver;
    message->sender = key.sender;
    message->tag = key.tag;
    message->context = context;
    message->is_posted_receive = posted;
    message->bytes = serial;
    mailbox_put(mailbox, index);
    return index;
}

static uint32_t put(struct mailbox *mailbox, struct key key, int64_t serial)
{
    return put_as(mailbox, key, 0, false, serial);
}

/* Take and free a message, or a posted receive: its serial number, or -1 if there is none. -2 if it is another
 * key's. */
static int64_t take_as(struct mailbox *mailbox, struct key key, int32_t context, bool posted)
{
    uint32_t index = posted ? mailbox_take_receive(mailbox, key.receiver, key.sender, key.tag, context)
                            : mailbox_take(mailbox, key.receiver, key.sender, key.tag, context);
    if (index == NO_MESSAGE)
        return -1;
    struct message message = mailbox->messages[index];
    mailbox_free_message(mailbox, index);
    bool same = message.receiver == key.receiver && message.sender == key.sender && message.tag == key.tag &&
                message.context == context && message.is_posted_receive == posted;
    return same ? message.bytes : -2;
}

static int64_t take(struct mailbox *mailbox, struct key key)
{
    return take_as(mailbox, key, 0, false);
}

static void complain(const char *row, int64_t at, int64_t found, int64_t expected)
{
    static int complaints;
    if (complaints++ >= MAX_COMPLAINTS)
        return;
    fprintf(stderr, "\n  %s, at %" PRId64 ": %" PRId64 " instead of %" PRId64, row, at, found, expected);
    CU_FAIL("the mailbox gives something else");
}

static void expect(const char *row, int64_t at, int64_t found, int64_t expected)
{
    if (found != expected)
        complain(row, at, found, expected);
}

/* --- many keys --- */

/* receivers x senders x tags keys; the numbers of each are `stride` apart, beginning at `first`. */
static const struct grid {
    const char *name;
    int32_t receivers, senders, tags, per_key;
    int32_t first, stride;
} grids[] = {
    {"one message", 1, 1, 1, 1, 0, 1},
    {"one key", 1, 1, 1, 1000, 3, 1},
    {"257 keys, one more than half of 512", 257, 1, 1, 2, 0, 1},
    {"5000 receivers", 5000, 1, 1, 2, 0, 1},
    {"5000 senders", 1, 5000, 1, 2, 0, 1},
    {"5000 tags", 1, 1, 5000, 2, -2500, 1},
    {"all to all", 100, 100, 1, 1, 0, 1},
    {"cube", 20, 20, 20, 2, -10, 1},
    {"a stride of 256", 70, 70, 1, 2, 0, 256},
    {"a stride of 65536", 70, 70, 1, 2, 0, 65536},
    {"the ends of the range", 2, 2, 2, 3, INT32_MIN, INT32_MAX},
};

enum order { FORWARD, BACKWARD, SHUFFLED, N_ORDERS };
static const char *const order_names[N_ORDERS] = {"forward", "backward", "shuffled"};

static struct key key_of(const struct grid *grid, int32_t number)
{
    int32_t r = number % grid->receivers, s = number / grid->receivers % grid->senders,
            t = number / grid->receivers / grid->senders;
    return (struct key){grid->first + r * grid->stride, grid->first + s * grid->stride, grid->first + t * grid->stride};
}

static int32_t *make_order(int32_t n, enum order order)
{
    int32_t *numbers = malloc((size_t)n * sizeof *numbers);
    for (int32_t i = 0; numbers != NULL && i < n; i++)
        numbers[i] = order == BACKWARD ? n - 1 - i : i;
    for (int32_t i = n - 1; numbers != NULL && order == SHUFFLED && i > 0; i--) {
        int32_t j = (int32_t)random_below((uint32_t)i + 1), kept = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = kept;
    }
    return numbers;
}

/* The longest way from where the search for a key begins to the key. */
static int64_t longest_search(const struct map *map)
{
    size_t longest = 0;
    for (size_t i = 0; i < map->size; i++) {
        size_t steps = (i - map_home(map, map->entries[i].key)) & (map->size - 1);
        if (map->entries[i].index != MAP_NOTHING && steps > longest)
            longest = steps;
    }
    return (int64_t)longest;
}

static void check_full(const struct mailbox *mailbox, const char *row, int32_t n_keys)
{
    const struct map *map = &mailbox->queues;
    expect(row, -1, (int64_t)map->count, n_keys);
    if (map->size < 2 * (size_t)n_keys || (map->size & (map->size - 1)) != 0)
        complain(row, -1, (int64_t)map->size, n_keys);
    if (longest_search(map) > LONGEST_SEARCH)
        complain(row, -1, longest_search(map), LONGEST_SEARCH);
}

/* The first message of all keys, then the second of all; taken key by key in another order. */
static void run_grid(const struct grid *grid, enum order order)
{
    int32_t n_keys = grid->receivers * grid->senders * grid->tags;
    char row[128];
    snprintf(row, sizeof row, "%s, %s", grid->name, order_names[order]);
    struct mailbox mailbox;
    mailbox_init(&mailbox, 0);
    for (int32_t i = 0; i < grid->per_key; i++)
        for (int32_t k = 0; k < n_keys; k++)
            put(&mailbox, key_of(grid, k), (int64_t)k * grid->per_key + i);
    check_full(&mailbox, row, n_keys);
    int32_t *numbers = make_order(n_keys, order);
    CU_ASSERT_PTR_NOT_NULL_FATAL(numbers);
    for (int32_t k = 0; k < n_keys; k++)
        for (int32_t i = 0; i <= grid->per_key; i++) /* one more than there are */
            expect(row, numbers[k], take(&mailbox, key_of(grid, numbers[k])),
                   i < grid->per_key ? (int64_t)numbers[k] * grid->per_key + i : -1);
    expect(row, -1, (int64_t)mailbox.queues.count, 0);
    free(numbers);
    mailbox_dispose(&mailbox);
}

static void test_grids(void)
{
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (int order = 0; order < N_ORDERS; order++)
            run_grid(&grids[g], (enum order)order);
    CU_PASS("all grids have run");
}

/* --- keys that are nearly the same --- */

static void test_near_keys(void)
{
    static const struct key absent[] = {{2, 1, 3}, {1, 2, -3}, {1, 2, 4}, {1, 3, 3},
                                        {0, 2, 3}, {3, 2, 1},  {2, 3, 1}, {-1, 2, 3}};
    struct mailbox mailbox;
    mailbox_init(&mailbox, 3);
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) /* nothing has been put yet */
        expect("empty", (int64_t)i, take(&mailbox, absent[i]), -1);
    put(&mailbox, (struct key){1, 2, 3}, 77);
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        expect("near key", (int64_t)i, take(&mailbox, absent[i]), -1);
    expect("near key", -1, take(&mailbox, (struct key){1, 2, 3}), 77);
    expect("near key", -1, take(&mailbox, (struct key){1, 2, 3}), -1);
    mailbox_dispose(&mailbox);
    CU_PASS("all keys have been asked for");
}

/* --- the pool --- */

/* However long it runs, the pool is no larger than the most messages there were at once, and no two share a place. */
static void test_reuse(void)
{
    enum { AT_ONCE = 100, ROUNDS = 200 };
    struct mailbox mailbox;
    mailbox_init(&mailbox, 0);
    for (int round = 0; round < ROUNDS; round++) {
        bool used[AT_ONCE] = {false};
        for (int i = 0; i < AT_ONCE; i++) {
            uint32_t index = put(&mailbox, (struct key){i % 7, i % 3, round}, i);
            if (index >= AT_ONCE || used[index])
                complain("reuse", round, index, AT_ONCE);
            else
                used[index] = true;
        }
        for (int i = 0; i < AT_ONCE; i++)
            expect("reuse", round, take(&mailbox, (struct key){i % 7, i % 3, round}), i);
    }
    expect("reuse", -1, (int64_t)mailbox.n_messages, AT_ONCE);
    mailbox_dispose(&mailbox);
}

/* Messages that are never put, as when the receiver waits already, share the pool with those that are. */
static void test_reuse_without_put(void)
{
    struct mailbox mailbox;
    mailbox_init(&mailbox, 0);
    for (int i = 0; i < 1000; i++) {
        put(&mailbox, (struct key){1, 2, 3}, i);
        uint32_t passing = mailbox_new_message(&mailbox);
        mailbox.messages[passing] = (struct message){.bytes = -5};
        mailbox_free_message(&mailbox, passing);
    }
    for (int i = 0; i < 1000; i++)
        expect("passing messages", i, take(&mailbox, (struct key){1, 2, 3}), i);
    expect("passing messages", -1, (int64_t)mailbox.n_messages, 1001);
    mailbox_dispose(&mailbox);
    CU_PASS("all messages have been taken");
}

/* --- contexts and posted receives --- */

static void test_contexts(void)
{
    enum { CONTEXTS = 50, EACH = 20 };
    static const struct key key = {3, 4, -1};
    struct mailbox mailbox;
    mailbox_init(&mailbox, 4);
    for (int i = 0; i < EACH; i++)
        for (int32_t context = 0; context < CONTEXTS; context++)
            put_as(&mailbox, key, context, false, i * CONTEXTS + context);
    for (int32_t context = CONTEXTS - 1; context >= 0; context--)
        for (int i = 0; i < EACH; i++)
            expect("contexts", context, take_as(&mailbox, key, context, false), i * CONTEXTS + context);
    expect("contexts", -1, (int64_t)mailbox.queues.count, 0);
    mailbox_dispose(&mailbox);
    CU_PASS("all contexts have been taken");
}

/* A posted receive is not taken for a message, nor a message for a posted receive; what was one becomes one again. */
static void test_posted_receives(void)
{
    enum { N = 10 };
    static const struct key posted_receives = {1, 2, 3}, messages = {1, 2, 4};
    struct mailbox mailbox;
    bool was_posted[2 * N] = {false};
    mailbox_init(&mailbox, 2);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++) {
            uint32_t posted = put_as(&mailbox, posted_receives, 0, true, i), message = put(&mailbox, messages, i);
            if (round == 0)
                was_posted[posted] = true;
            expect("what was a posted receive", round, was_posted[posted], true);
            expect("what was a message", round, was_posted[message], false);
        }
        expect("a message for a posted receive", round, take(&mailbox, posted_receives), -1);
        expect("a posted receive for a message", round, take_as(&mailbox, messages, 0, true), -1);
        for (int i = 0; i < N; i++) {
            expect("posted receives", i, take_as(&mailbox, posted_receives, 0, true), i);
            expect("messages", i, take(&mailbox, messages), i);
        }
    }
    expect("reuse", -1, (int64_t)mailbox.n_messages, 2 * N);
    mailbox_dispose(&mailbox);
    CU_PASS("posted receives and messages are apart");
}

/* --- time --- */

/* A list searched for its end would take 5 * 10^9 steps, which is seconds anywhere. */
static void test_long_queue(void)
{
    enum { N = 100000 };
    static const struct key key = {5, 6, -1};
    struct mailbox mailbox;
    mailbox_init(&mailbox, 0);
    clock_t start = clock();
    for (int64_t i = 0; i < N; i++)
        put(&mailbox, key, i);
    CU_ASSERT_FATAL(clock() - start <= CLOCKS_PER_SEC);
    for (int64_t i = 0; i < N; i++) {
        expect("long queue", i, take(&mailbox, key), i);
        put(&mailbox, key, N + i);
    }
    for (int64_t i = 0; i < N; i++)
        expect("long queue, again", i, take(&mailbox, key), N + i);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds > 1)
        fprintf(stderr, "\n  %d messages of one key: %g s", N, seconds);
    CU_ASSERT(seconds <= 1);
    mailbox_dispose(&mailbox);
}

/* --- against a list --- */

enum { LIST_MAX = 600 };

struct list {
    int count;
    struct key keys[LIST_MAX];
    int64_t serials[LIST_MAX];
};

/* The oldest message of the key, or -1. */
static int64_t list_take(struct list *list, struct key key)
{
    for (int i = 0; i < list->count; i++) {
        struct key at = list->keys[i];
        if (at.receiver != key.receiver || at.sender != key.sender || at.tag != key.tag)
            continue;
        int64_t serial = list->serials[i];
        size_t after = (size_t)(--list->count - i);
        memmove(&list->keys[i], &list->keys[i + 1], after * sizeof *list->keys);
        memmove(&list->serials[i], &list->serials[i + 1], after * sizeof *list->serials);
        return serial;
    }
    return -1;
}

/* How many receivers, senders and tags there are, and of ten ops how many put while the list is not full. */
static const struct {
    const char *name;
    uint32_t receivers, senders, tags, puts;
} mixes[] = {
    {"few keys, mostly puts", 2, 2, 2, 7},
    {"few keys, mostly takes", 2, 2, 2, 3},
    {"some keys", 5, 5, 3, 6},
    {"many keys, mostly puts", 40, 40, 2, 9},
    {"many keys", 12, 12, 2, 5},
};

static void run_mix(size_t m, int n_inboxes)
{
    static struct list list;
    list.count = 0;
    random_state = m;
    struct mailbox mailbox;
    mailbox_init(&mailbox, n_inboxes);
    for (int64_t i = 0; i < 30000 / testing_one_in(); i++) {
        struct key key = {(int32_t)random_below(mixes[m].receivers), (int32_t)random_below(mixes[m].senders),
                          (int32_t)random_below(mixes[m].tags) - 1};
        if (list.count < LIST_MAX && random_below(10) < mixes[m].puts) {
            put(&mailbox, key, i);
            list.keys[list.count] = key;
            list.serials[list.count++] = i;
        } else {
            expect(mixes[m].name, i, take(&mailbox, key), list_take(&list, key));
        }
    }
    while (list.count > 0) {
        struct key key = list.keys[random_below((uint32_t)list.count)];
        expect(mixes[m].name, -1, take(&mailbox, key), list_take(&list, key));
    }
    expect(mixes[m].name, -1, (int64_t)mailbox.queues.count, 0);
    mailbox_dispose(&mailbox);
}

static void test_mixes(void)
{
    for (size_t m = 0; m < sizeof mixes / sizeof *mixes; m++)
        for (int n_inboxes = 0; n_inboxes <= 40; n_inboxes += 4) /* of some receivers, of all */
            run_mix(m, n_inboxes);
    CU_PASS("all mixes have run");
}

/* Messages in the box: posted receives do not count, and the first is the one that was sent first, of two at once the
 * lower rank's. */
static void test_count(void)
{
    enum { N = 40 };
    struct mailbox mailbox;
    uint32_t first, indices[N];
    mailbox_init(&mailbox, 2);
    CU_ASSERT_EQUAL(mailbox_count(&mailbox, &first), 0);
    CU_ASSERT_EQUAL(first, NO_MESSAGE);
    put_as(&mailbox, (struct key){99, 99, 99}, 0, true, 0);
    CU_ASSERT_EQUAL(mailbox_count(&mailbox, &first), 0);
    for (int i = 0; i < N; i++) {
        indices[i] = put(&mailbox, (struct key){1, i % 7, i % 3}, i);
        mailbox.messages[indices[i]].start_ps = i == 20 || i == 30 ? 5 : 100 - i;
    }
    CU_ASSERT_EQUAL(mailbox_count(&mailbox, &first), N);
    CU_ASSERT_EQUAL(first, indices[30]);                                    /* of rank 2; 20 is of rank 6 */
    mailbox.messages[put(&mailbox, (struct key){2, 2, 0}, N)].start_ps = 5; /* to rank 2; 30 is to rank 1 */
    CU_ASSERT_EQUAL(mailbox_count(&mailbox, &first), N + 1);
    CU_ASSERT_EQUAL(first, indices[30]);
    CU_ASSERT_EQUAL(take(&mailbox, (struct key){2, 2, 0}), N);
    CU_ASSERT_EQUAL(take(&mailbox, (struct key){1, 0, 0}), 0);
    CU_ASSERT_EQUAL(mailbox_count(&mailbox, &first), N - 1);
    mailbox_dispose(&mailbox);
}

int main(void)
{
    static const struct test tests[] = {
        {"first in, first out, for many keys", test_grids},
        {"keys that are nearly the same", test_near_keys},
        {"reuse of messages", test_reuse},
        {"messages that are never put", test_reuse_without_put},
        {"contexts", test_contexts},
        {"posted receives", test_posted_receives},
        {"linear time for one key", test_long_queue},
        {"against a list", test_mixes},
        {"what lies in it", test_count},
        {NULL, NULL},
    };
    return testing_run("mailbox", tests);
}
