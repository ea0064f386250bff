/* Programs that share memory, by hand: what single operations take, how programs that are wrong end, and that memory
 * does not grow with the number of barriers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

#include "sim/program/dsm_options.h"
#include "sim/simulate.h"

#include <malloc.h>

enum {
    SEND_US = 80,
    SIGNAL_US = 85,
    WIRE_US = 10,
    INTERVAL_US = 75,
    NOTICES_US = 90,
    TRAP_US = 50,
    TWIN_US = 100,
    DIFF_US = 400,
    PAGE_US = 20,
    APPLY_US = 30,
    MESSAGE_US = 7,
    WAKE_US = 30,
    RESUME_US = 500,
    TIMEOUT_US = 10000,
    N_HOSTS = 8,
    PAGE_BYTES = 4096
};

/* Costs without amounts for each byte, but for notices, so that times can be added up by hand. */
#define PROPS                                                                                                          \
    "<prop id='dsm.page' value='4KiB'/><prop id='send_overhead' value='start=80us'/>"                                  \
    "<prop id='receive_overhead' value='start=80us'/><prop id='dsm.interrupt' value='start=85us'/>"                    \
    "<prop id='dsm.interval' value='start=75us'/><prop id='dsm.notices' value='start=90us each=1us'/>"                 \
    "<prop id='dsm.trap' value='start=50us'/><prop id='dsm.twin' value='start=100us'/>"                                \
    "<prop id='dsm.diff' value='start=400us'/><prop id='dsm.copy' value='start=20us'/>"                                \
    "<prop id='dsm.apply' value='start=30us'/>"

static char *platform(void)
{
    return star_platform(PROPS, N_HOSTS, (struct wire_row){1e15, 5000});
}

/* Where messages disturb the program. */
static char *disturbed_platform(void)
{
    return star_platform(PROPS "<prop id='dsm.wake' value='start=30us'/><prop id='dsm.resume' value='start=500us'/>",
                         N_HOSTS, (struct wire_row){1e15, 5000});
}

/* Where the protocol's work drives out what the program has in its cache, two pages at most, and a controller keeps the
 * memory bus: a page's bytes take 256 us of both. */
#define CACHE_PROPS                                                                                                    \
    PROPS "<prop id='dsm.execute' value='start=0us'/><prop id='dsm.cache' value='8KiB'/>"                              \
          "<prop id='dsm.refill' value='each=62.5ns'/><prop id='dsm.bus' value='each=62.5ns'/>"

static char *cache_platform(void)
{
    return star_platform(CACHE_PROPS, N_HOSTS, (struct wire_row){1e15, 5000});
}

/* The same, and computations take four times as long, three quarters of it in memory. */
static char *memory_platform(void)
{
    char *text = cache_platform(), *changed = NULL;
    const char *work = "cpu=1'", *found = strstr(text, work);
    size_t size;
    FILE *stream = open_memstream(&changed, &size);
    fprintf(stream, "%.*scpu=1 external=3'%s", (int)(found - text), text, found + strlen(work));
    fclose(stream);
    free(text);
    return changed;
}

/* Where a controller takes time for each message that it sends, and for each that it takes in. */
static char *controller_platform(void)
{
    return star_platform(PROPS "<prop id='dsm.execute' value='start=0us'/><prop id='dsm.message' value='start=7us'/>",
                         N_HOSTS, (struct wire_row){1e15, 5000});
}

static char *lossy_platform(void)
{
    return star_platform(PROPS "<prop id='dsm.loss' value='share=0.4 timeout=10ms'/>", N_HOSTS,
                         (struct wire_row){1e15, 5000});
}

/* --- programs: a few ops for each rank, all of it repeated --- */

struct line {
    enum op_kind kind;
    int64_t number; /* of a lock; the address of an access; microseconds of a computation */
};

struct hand {
    int n_ranks, repeat;
    struct line lines[3][8]; /* rank 2's are those of all further ranks */
};

#define END                                                                                                            \
    {                                                                                                                  \
        OP_WAIT, 0                                                                                                     \
    } /* no op of such programs */

static bool emit_shared(const void *config, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    const struct hand *hand = config;
    const struct line *line = hand->lines[rank < 2 ? rank : 2];
    (void)seen;
    if (step >= hand->repeat)
        return false;
    for (; line->kind != OP_WAIT; line++) {
        struct op *op = op_list_add(list, line->kind, 1);
        op->tag = (int32_t)line->number;
        op->bytes = 4;
        op->times = line->kind == OP_COMPUTE ? line->number * US : line->number;
    }
    return true;
}

static const struct app_spec hand_app = {
    .name = "hand", .scopes = script_scopes, .kernels = script_kernels, .emit_shared = emit_shared};

enum variant { TREADMARKS = 0, CONTROLLER = 1, PREFETCHING = 3 }; /* of dsm_variant_names */

static int run_hand(struct kernel_stats *stats, const struct hand *hand, enum variant variant, int64_t collect_at,
                    struct sim_error *error)
{
    const int64_t values[] = {variant, collect_at, 1, DSM_PREFETCH_INVALIDATED};
    struct placement placement;
    const struct placement_request request = {.n_ranks = hand->n_ranks, .ranks_per_host = 1};
    const struct program program = {
        .app = &hand_app, .config = (void *)(uintptr_t)hand, .dsm = dsm_options(values, 64 * PAGE_BYTES, 4, 0)};
    const struct kernel_run run = {
        .program = &program, .machine = &machine, .placement = &placement, .network = network_named("fifo")};
    if (placement_init(&placement, &request, &machine, error) != 0)
        return -1;
    return simulate_run(stats, &run, error);
}

/* --- what operations take --- */

#define ROUND_TRIP_US (2 * (SEND_US + WIRE_US + SEND_US) + SIGNAL_US)
#define SERVE_PAGE_US (SIGNAL_US + SEND_US + PAGE_US + SEND_US)
#define FETCH_PAGE_US (TRAP_US + ROUND_TRIP_US + 2 * PAGE_US)

struct timed {
    const char *name;
    struct hand hand;
    int64_t us, messages;
};

static const struct timed timed[] = {
    {"a lock from its manager",
     {2, 1, {{END}, {{OP_ACQUIRE, 0}, {OP_RELEASE, 0}, END}}},
     2 * (SEND_US + WIRE_US + SEND_US) + SIGNAL_US + 2 * INTERVAL_US + NOTICES_US,
     2},
    {"a lock with notices of two pages",
     {2,
      1,
      {{{OP_COMPUTE, 5000}, {OP_PAGE_WRITE, 0}, {OP_PAGE_WRITE, 4096}, END},
       {{OP_PAGE_READ, 0}, {OP_PAGE_READ, 4096}, {OP_COMPUTE, 9000}, {OP_ACQUIRE, 0}, {OP_RELEASE, 0}, END}}},
     2 * FETCH_PAGE_US + 9000 + ROUND_TRIP_US + 2 * INTERVAL_US + NOTICES_US + 2,
     2 + 2 + 2},
    {"a lock that the rank has",
     {2, 1, {{{OP_ACQUIRE, 0}, {OP_RELEASE, 0}, {OP_ACQUIRE, 0}, {OP_RELEASE, 0}, END}, {END}}},
     0,
     0},
    {"a page",
     {2, 1, {{END}, {{OP_PAGE_READ, 0}, END}}},
     TRAP_US + 2 * (SEND_US + WIRE_US + SEND_US) + SIGNAL_US + 2 * PAGE_US,
     2},
    {"a page that the rank has", {2, 1, {{{OP_PAGE_READ, 0}, END}, {END}}}, 0, 0},
    {"a page that nobody else has asked for", {2, 1, {{{OP_PAGE_WRITE, 0}, {OP_PAGE_WRITE, 8}, END}, {END}}}, 0, 0},
    {"a twin",
     {2, 1, {{{OP_COMPUTE, 1000}, {OP_PAGE_WRITE, 0}, {OP_PAGE_WRITE, 8}, END}, {{OP_PAGE_READ, 0}, END}}},
     1000 + SERVE_PAGE_US + TRAP_US + TWIN_US,
     2},
    {"a barrier of two",
     {2, 1, {{{OP_BARRIER, 0}, END}, {{OP_BARRIER, 0}, END}}},
     INTERVAL_US + SEND_US + WIRE_US + SIGNAL_US + SEND_US + SEND_US + WIRE_US + SEND_US + NOTICES_US,
     2},
    {"an interrupted computation",
     {2, 1, {{{OP_COMPUTE, 1000}, END}, {{OP_PAGE_READ, 0}, END}}},
     1000 + SIGNAL_US + SEND_US + PAGE_US + SEND_US,
     2},
    {"one rank alone",
     {1, 1, {{{OP_ACQUIRE, 0}, {OP_PAGE_WRITE, 0}, {OP_RELEASE, 0}, {OP_BARRIER, 0}, {OP_COMPUTE, 7}, END}}},
     7,
     0},
};
enum { N_TIMED = sizeof timed / sizeof timed[0] };

/* Waking who waits or computes, once for what comes in one go; the way back to the program, which delays nobody. */
static const struct timed disturbed[] = {
    {"a lock wakes its manager and who asked",
     {2, 1, {{END}, {{OP_ACQUIRE, 0}, {OP_RELEASE, 0}, END}}},
     ROUND_TRIP_US + 2 * WAKE_US + 2 * INTERVAL_US + NOTICES_US,
     2},
    {"two arrivals at a barrier wake its manager once",
     {3, 1, {{{OP_BARRIER, 0}, END}, {{OP_BARRIER, 0}, END}, {{OP_BARRIER, 0}, END}}},
     INTERVAL_US + SEND_US + WIRE_US + WAKE_US + 2 * (SIGNAL_US + SEND_US) + 2 * SEND_US + WIRE_US + WAKE_US + SEND_US +
         NOTICES_US,
     4},
    {"a computation after an answer",
     {2, 1, {{END}, {{OP_ACQUIRE, 0}, {OP_RELEASE, 0}, {OP_COMPUTE, 100}, {OP_COMPUTE, 100}, END}}},
     ROUND_TRIP_US + 2 * WAKE_US + 2 * INTERVAL_US + NOTICES_US + RESUME_US + 200,
     2},
    {"an interrupted computation, served",
     {2, 1, {{{OP_COMPUTE, 2000}, END}, {{OP_PAGE_READ, 0}, END}}},
     2000 + WAKE_US + SERVE_PAGE_US + RESUME_US,
     2},
    {"who asks does not wait for the way back",
     {2, 1, {{{OP_COMPUTE, 1000}, END}, {{OP_PAGE_READ, 0}, {OP_COMPUTE, 2000}, END}}},
     FETCH_PAGE_US + 2 * WAKE_US + RESUME_US + 2000,
     2},
    {"an interrupted way back begins again",
     {3, 1, {{{OP_COMPUTE, 1000}, END}, {{OP_PAGE_READ, 0}, END}, {{OP_COMPUTE, 500}, {OP_PAGE_READ, 4096}, END}}},
     1000 + (500 - WAKE_US - SERVE_PAGE_US) + 2 * (WAKE_US + SERVE_PAGE_US) + RESUME_US,
     4},
};
enum { N_DISTURBED = sizeof disturbed / sizeof disturbed[0] };

/* Two pages gone through are 512 us, one that a controller moves 256 us, of which three quarters hold up the
 * program. */
static const struct timed cached[] = {
    {"a page copied in, then a computation",
     {2, 1, {{END}, {{OP_PAGE_READ, 0}, {OP_COMPUTE, 2000}, {OP_COMPUTE, 100}, END}}},
     FETCH_PAGE_US + 512 + 2100,
     2},
    {"a page and a twin are no more than the cache",
     {2, 1, {{END}, {{OP_PAGE_READ, 0}, {OP_PAGE_WRITE, 0}, {OP_COMPUTE, 2000}, END}}},
     FETCH_PAGE_US + TRAP_US + TWIN_US + 512 + 2000,
     2},
    {"a program that does not compute does not pay", {2, 1, {{END}, {{OP_PAGE_READ, 0}, END}}}, FETCH_PAGE_US, 2},
    {"a page copied out of an interrupted computation",
     {2, 1, {{{OP_COMPUTE, 2000}, END}, {{OP_PAGE_READ, 0}, END}}},
     2000 + SERVE_PAGE_US + 512,
     2},
    {"what is interrupted goes on where it was",
     {3, 1, {{{OP_COMPUTE, 1000}, END}, {{OP_PAGE_READ, 0}, END}, {{OP_COMPUTE, 500}, {OP_PAGE_READ, 4096}, END}}},
     1000 + 2 * (SERVE_PAGE_US + 512),
     4},
};
static const struct timed cached_controllers[] = {
    {"a controller copies a page out while the program computes",
     {2, 1, {{{OP_COMPUTE, 500}, END}, {{OP_PAGE_READ, 0}, END}}},
     2000 + SIGNAL_US + 192,
     2},
    {"a controller copies a page in while the program waits",
     {2, 1, {{END}, {{OP_PAGE_READ, 0}, {OP_COMPUTE, 500}, END}}},
     TRAP_US + 2 * WIRE_US + 2000,
     2},
};

static const struct timed messages[] = {
    {"controllers fetch a page",
     {2, 1, {{END}, {{OP_PAGE_READ, 0}, END}}},
     TRAP_US + 2 * (MESSAGE_US + WIRE_US + MESSAGE_US),
     2},
    {"a controller passes the request for a lock on to its main processor",
     {2, 1, {{END}, {{OP_ACQUIRE, 0}, {OP_RELEASE, 0}, END}}},
     2 * INTERVAL_US + SIGNAL_US + 2 * (MESSAGE_US + WIRE_US + MESSAGE_US),
     2},
};

static int time_all(const struct timed *rows, int n_rows, enum variant variant)
{
    int failures = 0;
    for (int i = 0; i < n_rows; i++) {
        struct kernel_stats stats = {0};
        struct sim_error error;
        bool ran = run_hand(&stats, &rows[i].hand, variant, 1 << 20, &error) == 0;
        if (ran && llabs(stats.end_ps - rows[i].us * US) < 1000 && stats.messages == rows[i].messages)
            continue;
        fprintf(stderr, "%s: %s, %" PRId64 " ps and %" PRId64 " messages, expected %" PRId64 " us and %" PRId64 "\n",
                rows[i].name, ran ? "" : error.message, stats.end_ps, stats.messages, rows[i].us, rows[i].messages);
        failures++;
    }
    return failures;
}

static int check_times(const void *argument)
{
    (void)argument;
    return time_all(timed, N_TIMED, TREADMARKS);
}

static int check_disturbed(const void *argument)
{
    (void)argument;
    return time_all(disturbed, N_DISTURBED, TREADMARKS);
}

static int check_cached(const void *argument)
{
    (void)argument;
    return time_all(cached, sizeof cached / sizeof cached[0], TREADMARKS);
}

static int check_cached_controllers(const void *argument)
{
    (void)argument;
    return time_all(cached_controllers, sizeof cached_controllers / sizeof cached_controllers[0], CONTROLLER);
}

static int check_messages(const void *argument)
{
    (void)argument;
    return time_all(messages, sizeof messages / sizeof messages[0], CONTROLLER);
}

/* Each message that is lost is sent again, one timeout later; of 20 and those, some but not most are. */
static int check_lost(const void *argument)
{
    (void)argument;
    const struct hand hand = {
        2, 10, {{END}, {{OP_ACQUIRE, 0}, {OP_RELEASE, 0}, {OP_ACQUIRE, 2}, {OP_RELEASE, 2}, END}}};
    struct kernel_stats stats = {0};
    struct sim_error error;
    if (run_hand(&stats, &hand, TREADMARKS, 1 << 20, &error) != 0)
        return 1;
    int64_t lost = stats.messages - 4, expected_us = 2 * (ROUND_TRIP_US + 2 * INTERVAL_US + NOTICES_US);
    bool as_expected = llabs(stats.end_ps - (expected_us + lost * TIMEOUT_US) * US) < 1000;
    if (lost > 0 && lost < 10 && as_expected)
        return 0;
    fprintf(stderr, "%" PRId64 " messages lost, %" PRId64 " ps\n", lost, stats.end_ps);
    return 1;
}

/* --- what is sent, with prefetching and without: all that is prefetched is used --- */

/* Bytes in programs on n ranks; one interval lists one page. */
enum { WORD_BYTES = 4, RUN_BYTES = 4, DIFF_BYTES = 4, INTERVAL_BYTES = 2, NOTICE_BYTES = 2, REQUEST_BYTES = 4 };
enum { ASKED_BYTES = 4 }; /* of a request, for each diff */
#define VECTOR(n) (2 * (n))
#define SYNC(n) (REQUEST_BYTES + VECTOR(n))
#define NEWS(n) (INTERVAL_BYTES + VECTOR(n) + NOTICE_BYTES)
#define PAGE(n) (REQUEST_BYTES + PAGE_BYTES + VECTOR(n))
#define DIFF(words) (DIFF_BYTES + RUN_BYTES + WORD_BYTES * (words))
#define FETCHED(words) (ASKED_BYTES + DIFF(words))
#define BARRIER(n) (((n)-1) * SYNC(n))
#define NEVER (INT64_C(1) << 40)

static const struct sent {
    const char *name;
    struct hand hand;
    int64_t collect_at, messages, bytes;
} sent[] = {
    {"diffs of two writers, the last of whom has them all",
     {3,
      1,
      {{{OP_BARRIER, 0}, {OP_BARRIER, 0}, {OP_PAGE_READ, 0}, END},
       {{OP_PAGE_WRITE, 0}, {OP_BARRIER, 0}, {OP_BARRIER, 0}, {OP_PAGE_READ, 0}, END},
       {{OP_BARRIER, 0}, {OP_PAGE_WRITE, 4}, {OP_BARRIER, 0}, END}}},
     NEVER,
     2 + 4 + (2 + 2) + 4 + 2 + 2, /* rank 2 gets the page as rank 0 has it, and the diff of rank 1 */
     2 * PAGE(3) + 2 * (BARRIER(3) + 2 * NEWS(3)) + 3 * REQUEST_BYTES + 4 * FETCHED(1)},
    {"no diff twice",
     {2,
      2,
      {{{OP_BARRIER, 0}, {OP_PAGE_READ, 0}, {OP_BARRIER, 0}, END},
       {{OP_PAGE_WRITE, 0}, {OP_BARRIER, 0}, {OP_BARRIER, 0}, END}}},
     NEVER,
     2 + 2 * (2 + 2 + 2),
     PAGE(2) + 2 * (2 * BARRIER(2) + NEWS(2) + REQUEST_BYTES + FETCHED(1))},
    {"a run beyond the 64th word",
     {2,
      1,
      {{{OP_BARRIER, 0}, {OP_PAGE_READ, 0}, END}, {{OP_PAGE_WRITE, 252}, {OP_PAGE_WRITE, 256}, {OP_BARRIER, 0}, END}}},
     NEVER,
     2 + 2 + 2,
     PAGE(2) + BARRIER(2) + NEWS(2) + REQUEST_BYTES + FETCHED(2)},
    {"a lock from its manager, who has it",
     {3, 1, {{END}, {END}, {{OP_ACQUIRE, 1}, {OP_RELEASE, 1}, END}}},
     NEVER,
     2,
     SYNC(3)},
    {"an interval as large as may be", /* a vector time and a notice */
     {2, 1, {{{OP_BARRIER, 0}, END}, {{OP_PAGE_WRITE, 0}, {OP_BARRIER, 0}, END}}},
     NEWS(2),
     2 + 2,
     PAGE(2) + BARRIER(2) + NEWS(2)},
    {"an interval that is too large, once",
     {2, 1, {{{OP_BARRIER, 0}, {OP_BARRIER, 0}, END}, {{OP_PAGE_WRITE, 0}, {OP_BARRIER, 0}, {OP_BARRIER, 0}, END}}},
     NEWS(2) - 1,
     2 + 2 + 2 + 2,
     PAGE(2) + 3 * BARRIER(2) + NEWS(2)},
    {"diffs that are too large where they are applied", /* on rank 0 four, on the others two and an interval */
     {3,
      1,
      {{{OP_BARRIER, 0}, {OP_PAGE_READ, 0}, {OP_PAGE_READ, 4096}, {OP_BARRIER, 0}, END},
       {{OP_PAGE_WRITE, 0}, {OP_PAGE_WRITE, 4096}, {OP_BARRIER, 0}, {OP_BARRIER, 0}, END},
       {{OP_PAGE_WRITE, 8}, {OP_PAGE_WRITE, 4104}, {OP_BARRIER, 0}, {OP_BARRIER, 0}, END}}},
     4 * DIFF(1) - 1,
     2 * (2 + 2) + 4 + 2 * (2 + 2) + 4 + 2 * (2 + 2) + 4,
     4 * PAGE(3) + 3 * BARRIER(3) + 4 * (NEWS(3) + NOTICE_BYTES) + 8 * (REQUEST_BYTES + FETCHED(1))},
    {"a prefetch of a page that lacks nothing", /* it came before its notice, stays invalid, and is given up */
     {3,
      1,
      {{{OP_COMPUTE, 3000}, {OP_PAGE_WRITE, 0}, {OP_ACQUIRE, 1}, {OP_RELEASE, 1}, {OP_BARRIER, 0}, END},
       {{OP_COMPUTE, 9000},
        {OP_PAGE_READ, 0},
        {OP_ACQUIRE, 0},
        {OP_RELEASE, 0},
        {OP_BARRIER, 0},
        {OP_PAGE_READ, 0},
        END},
       {{OP_PAGE_READ, 0}, {OP_BARRIER, 0}, END}}},
     NEWS(3),
     2 + 2 + 2 + 2 + 4 + 4 + 2,
     2 * SYNC(3) + 2 * NEWS(3) + 3 * PAGE(3) + 2 * BARRIER(3)},
};
enum { N_SENT = sizeof sent / sizeof sent[0] };

static bool is_sent(const struct sent *it, enum variant variant)
{
    struct kernel_stats stats = {0};
    struct sim_error error = {0};
    bool ran = run_hand(&stats, &it->hand, variant, it->collect_at, &error) == 0;
    if (ran && stats.messages == it->messages && stats.bytes == it->bytes)
        return true;
    fprintf(stderr,
            "%s, variant %s: %s, %" PRId64 " messages, %" PRId64 " bytes, expected %" PRId64 " and %" PRId64 "\n",
            it->name, dsm_variant_names[variant], error.message, stats.messages, (int64_t)stats.bytes, it->messages,
            it->bytes);
    return false;
}

static int check_sent(const void *argument)
{
    (void)argument;
    int failures = 0;
    for (int i = 0; i < N_SENT; i++)
        failures += !is_sent(&sent[i], TREADMARKS) + !is_sent(&sent[i], PREFETCHING);
    return failures;
}

/* --- programs that are wrong --- */

static const struct wrong {
    struct hand hand;
    const char *message;
} wrongs[] = {
    {{2, 1, {{{OP_ACQUIRE, 1}, END}, {{OP_COMPUTE, 9000}, {OP_ACQUIRE, 1}, END}}},
     "deadlock: rank 1 waits for lock 1, which rank 0 holds; rank 0 has ended"},
    {{2, 1, {{{OP_ACQUIRE, 3}, END}, {END}}}, "rank 0 has ended and still holds lock 3, for which nobody waits"},
    {{3, 1, {{{OP_BARRIER, 0}, END}, {{OP_BARRIER, 0}, END}, {END}}},
     "deadlock: ranks that wait at a barrier: 0 1; ranks that never come, because they have ended: 2"},
    {{2, 1, {{{OP_RELEASE, 2}, END}, {END}}}, "rank 0 releases lock 2, which it does not hold"},
    {{2, 1, {{{OP_ACQUIRE, 0}, {OP_ACQUIRE, 0}, END}, {END}}}, "rank 0 acquires lock 0, which it holds already"},
    {{2, 1, {{END}, {{OP_ACQUIRE, 4}, END}}}, "rank 1 uses lock 4; the program has locks 0 to 3"},
    {{2, 1, {{END}, {{OP_PAGE_READ, 64 * PAGE_BYTES}, END}}},
     "rank 1 accesses shared memory from byte 262144 on, beyond its end at 262144"},
    {{2, 1, {{{OP_ACQUIRE, 0}, {OP_BARRIER, 0}, END}, {{OP_ACQUIRE, 0}, {OP_BARRIER, 0}, END}}},
     "deadlock: rank 1 waits for lock 0, which rank 0 holds; rank 0 waits at a barrier"},
};
enum { N_WRONGS = sizeof wrongs / sizeof wrongs[0] };

static int check_wrongs(const void *argument)
{
    (void)argument;
    int failures = 0;
    for (int i = 0; i < N_WRONGS; i++) {
        struct kernel_stats stats;
        struct sim_error error = {0};
        if (run_hand(&stats, &wrongs[i].hand, TREADMARKS, 1 << 20, &error) != 0 &&
            strcmp(error.message, wrongs[i].message) == 0)
            continue;
        fprintf(stderr, "'%s', expected '%s'\n", error.message, wrongs[i].message);
        failures++;
    }
    return failures;
}

/* --- garbage collection --- */

/* Peak of allocated memory, sampled by the program itself at each of its steps. */
static size_t most_allocated;

static bool emit_sampled(const void *config, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    if (rank == 0) {
        size_t now = mallinfo2().uordblks;
        most_allocated = now > most_allocated ? now : most_allocated;
    }
    return emit_shared(config, rank, step, seen, list);
}

static size_t allocated(int n_barriers, int64_t collect_at)
{
    static struct app_spec sampled;
    const struct hand hand = {4,
                              n_barriers,
                              {{{OP_PAGE_WRITE, 0}, {OP_BARRIER, 0}, {OP_PAGE_READ, 4096}, {OP_BARRIER, 0}, END},
                               {{OP_PAGE_WRITE, 4}, {OP_BARRIER, 0}, {OP_PAGE_WRITE, 4096}, {OP_BARRIER, 0}, END},
                               {{OP_PAGE_READ, 8192}, {OP_BARRIER, 0}, {OP_PAGE_READ, 0}, {OP_BARRIER, 0}, END}}};
    const int64_t values[] = {0, collect_at, 0, 0};
    struct placement placement;
    struct kernel_stats stats;
    struct sim_error error;
    const struct placement_request request = {.n_ranks = 4, .ranks_per_host = 1};
    sampled = hand_app;
    sampled.emit_shared = emit_sampled;
    const struct program program = {
        .app = &sampled, .config = (void *)(uintptr_t)&hand, .dsm = dsm_options(values, 64 * PAGE_BYTES, 4, 0)};
    const struct kernel_run run = {
        .program = &program, .machine = &machine, .placement = &placement, .network = network_named("fifo")};
    most_allocated = 0;
    if (placement_init(&placement, &request, &machine, &error) != 0 || simulate_run(&stats, &run, &error) != 0)
        return 0;
    return most_allocated;
}

static int check_collection(const void *argument)
{
    (void)argument;
    size_t few = allocated(100, 10000), many = allocated(10000, 10000), never = allocated(10000, INT64_C(1) << 40);
    if (few == 0 ||
        (never > 3 * many && many < few + (never - few) / 50)) /* the address sanitizer's heap says nothing */
        return 0;
    fprintf(stderr, "100 rounds %zu bytes, 10000 %zu, without collection %zu\n", few, many, never);
    return 1;
}

/* --- all of it --- */

static void test_times(void)
{
    CU_ASSERT_EQUAL(on_platform(platform(), check_times, NULL), 0);
}

static void test_messages(void)
{
    CU_ASSERT_EQUAL(on_platform(controller_platform(), check_messages, NULL), 0);
}

static void test_cached(void)
{
    CU_ASSERT_EQUAL(on_platform(cache_platform(), check_cached, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(memory_platform(), check_cached_controllers, NULL), 0);
}

static void test_disturbed(void)
{
    CU_ASSERT_EQUAL(on_platform(disturbed_platform(), check_disturbed, NULL), 0);
}

static void test_lost(void)
{
    CU_ASSERT_EQUAL(on_platform(lossy_platform(), check_lost, NULL), 0);
}

static void test_sent(void)
{
    CU_ASSERT_EQUAL(on_platform(platform(), check_sent, NULL), 0);
}

static void test_wrong_programs(void)
{
    CU_ASSERT_EQUAL(on_platform(platform(), check_wrongs, NULL), 0);
}

static void test_collection(void)
{
    CU_ASSERT_EQUAL(on_platform(platform(), check_collection, NULL), 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"what operations take", test_times},
        {"what messages cost the program", test_disturbed},
        {"what the cache and the memory bus cost the program", test_cached},
        {"what messages take a controller", test_messages},
        {"messages that are lost", test_lost},
        {"what is sent", test_sent},
        {"programs that are wrong", test_wrong_programs},
        {"memory does not grow with the number of barriers", test_collection},
        {NULL, NULL},
    };
    return testing_run("dsm", tests);
}
