/* The reader of OTF2: calls that only synchronize, among all or some members; and what nothing is known of.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/testing.h"
#include "tests/trace/otf2/otf2_fixture.h"
#include "trace/formats.h"

/* A call of a rank with what is said of it at its end. */
#define CALL(rank, region, begin, end, ...)                                                                            \
    {rank, S_ENTER, begin, region}, {rank, __VA_ARGS__},                                                               \
    {                                                                                                                  \
        rank, S_LEAVE, end, region                                                                                     \
    }
#define FENCE(rank, begin, end, window)                                                                                \
    CALL(rank, WIN_FENCE, begin, end, S_WINDOW, end, OTF2_COLLECTIVE_OP_BARRIER, window)
#define PLAIN(rank, region, begin, end)                                                                                \
    {rank, S_ENTER, begin, region},                                                                                    \
    {                                                                                                                  \
        rank, S_LEAVE, end, region                                                                                     \
    }

static int open_script(struct record_reader *reader, struct script script)
{
    struct sim_error error;
    script.regions = regions;
    script.n_regions = COUNT(regions);
    script.comms = comms;
    script.n_comms = script.n_ranks > 2 ? COUNT(comms) : 0;
    new_folder();
    script_write(&script, folder);
    int status = record_open(reader, anchor, &error);
    if (status < 0)
        fprintf(stderr, "\n%s\n", error.message);
    return status;
}

static void check(const char *name, struct script script, int n_expected, const char *const *expected)
{
    struct record_reader reader;
    CU_ASSERT_EQUAL_FATAL(open_script(&reader, script), 0);
    for (int rank = 0; rank < n_expected; rank++) {
        char *found = records_of(&reader, rank);
        expect_text(name, rank, found, expected[rank]);
        free(found);
    }
    record_close(&reader);
    remove_tree(folder);
}
#define CHECK(name, script, ...)                                                                                       \
    check(name, script, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)),                            \
          (const char *const[]){__VA_ARGS__})

/* The second one rank 0 leaves before the others come: it does not synchronize. Window 1 is of ranks 2 and 0. */
static void test_fences(void)
{
    static const struct script_event events[] = {
        FENCE(0, 0, 10, 0),  FENCE(0, 10, 11, 0), FENCE(0, 11, 30, 1), FENCE(1, 4, 11, 0),
        FENCE(1, 11, 17, 0), FENCE(2, 8, 12, 0),  FENCE(2, 12, 17, 0), FENCE(2, 20, 32, 1),
    };
    CHECK("fences", ((struct script){SCRIPT(3, events), .n_windows = 2}),
          "collective 0-10 11 root -1 bytes 0 group 0 fixed 2\ncall 10-11\n"
          "collective 11-30 11 root -1 bytes 0 group 1 fixed 10\n",
          "collective 4-11 11 root -1 bytes 0 group 0 fixed 3\ncall 11-17\n",
          "collective 8-12 11 root -1 bytes 0 group 0 fixed 4\ncall 12-17\ncompute 17-20\n"
          "collective 20-32 11 root -1 bytes 0 group 1 fixed 12\n");
}

/* The members have different numbers of fences: nobody knows which belong together. */
static void test_disagreement(void)
{
    static const struct script_event events[] = {FENCE(0, 0, 10, 0), FENCE(0, 10, 20, 0), FENCE(1, 0, 10, 0),
                                                 FENCE(1, 10, 20, 0), FENCE(2, 0, 10, 0)};
    CHECK("disagreement", ((struct script){SCRIPT(3, events), .n_windows = 1}), "call 0-10\ncall 10-20\n",
          "call 0-10\ncall 10-20\n", "call 0-10\n");
}

/* No window is defined: the k-th fences belong together if all that make any make as many. */
static void test_assumed(void)
{
    static const struct script_event events[] = {
        PLAIN(0, WIN_FENCE, 0, 10),
        PLAIN(0, WIN_FENCE, 10, 30),
        PLAIN(2, WIN_FENCE, 8, 12),
        PLAIN(2, WIN_FENCE, 20, 32),
        {1, S_BEGIN, 0},
        {1, S_END, 40},
        PLAIN(0, WIN_FENCE, 40, 50), /* the third one is rank 0's alone, and the last event */
    };
    struct record_reader reader;
    struct script script = {SCRIPT(3, events)};
    script.n_events -= 2;
    CHECK("assumed", script,
          "collective 0-10 11 root -1 bytes 0 group 7 fixed 2\ncollective 10-30 11 root -1 bytes 0 group 7 fixed 10\n",
          "compute 0-40\n");
    CU_ASSERT_EQUAL_FATAL(open_script(&reader, script), 0);
    CU_ASSERT_EQUAL(reader.info.n_assumed, 4);
    CU_ASSERT_EQUAL(reader.info.n_gaps, 0);
    record_close(&reader);
    script.n_events += 2;
    CU_ASSERT_EQUAL_FATAL(open_script(&reader, script), 0);
    CU_ASSERT_EQUAL(reader.info.n_assumed, 0);
    CU_ASSERT_EQUAL_FATAL(reader.info.n_gaps, 1);
    CU_ASSERT_STRING_EQUAL(reader.info.gaps[0].function, "MPI_Win_fence");
    CU_ASSERT_EQUAL(reader.info.gaps[0].n_calls, 5);
    CU_ASSERT_EQUAL(reader.info.gaps[0].time_ps, 56);
    record_close(&reader);
    remove_tree(folder);
}

/* Files: of 100 bytes each. Handles are no part of the order of other collectives. */
static void test_files(void)
{
    static const struct script_event events[] = {
        CALL(0, FILE_WRITE, 0, 10, S_FILE, 0, 0),
        CALL(0, BCAST, 10, 16, S_COLLECTIVE, 16, OTF2_COLLECTIVE_OP_CREATE_HANDLE, 0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0),
        CALL(1, FILE_WRITE, 3, 12, S_FILE, 3, 0),
        CALL(1, BCAST, 14, 17, S_COLLECTIVE, 17, OTF2_COLLECTIVE_OP_CREATE_HANDLE, 0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0),
    };
    CHECK("files", ((struct script){SCRIPT(2, events), .n_files = 1}),
          "collective 0-10 13 root -1 bytes 100 group 0 fixed 7\ncollective 10-16 12 root -1 bytes 0 group 0 fixed 2\n",
          "collective 3-12 13 root -1 bytes 100 group 0 fixed 9\ncompute 12-14\n"
          "collective 14-17 12 root -1 bytes 0 group 0 fixed 3\n");
}

/* A non-blocking barrier that rank 0 waits for before, and rank 1 after a communicator is made: that synchronizes where
 * nothing is pending. */
static void test_overtaking(void)
{
#define BEGUN(rank, at) CALL(rank, IBCAST, at, at, S_COLLECTIVE_BEGUN, at, 0, 0, 0, 0, 7)
#define DONE(rank, begin, end)                                                                                         \
    CALL(rank, WAIT, begin, end, S_COLLECTIVE_DONE, end, OTF2_COLLECTIVE_OP_BARRIER, 0, OTF2_COLLECTIVE_ROOT_NONE)
#define MADE(rank, begin, end)                                                                                         \
    CALL(rank, BCAST, begin, end, S_COLLECTIVE, end, OTF2_COLLECTIVE_OP_CREATE_HANDLE, 0, OTF2_COLLECTIVE_ROOT_NONE)
    static const struct script_event events[] = {
        BEGUN(0, 0), DONE(0, 0, 5),  MADE(0, 5, 10),  MADE(0, 10, 15),
        BEGUN(1, 0), MADE(1, 3, 10), DONE(1, 10, 11), MADE(1, 11, 15),
    };
    CHECK("overtaking", ((struct script){SCRIPT(2, events)}),
          "call 0\ncollective 0-5 0 root -1 bytes 0 group 0\ncall 5-10\n"
          "collective 10-15 12 root -1 bytes 0 group 0 fixed 4\n",
          "call 0\ncompute 0-3\ncall 3-10\ncollective 10-11 0 root -1 bytes 0 group 0\n"
          "collective 11-15 12 root -1 bytes 0 group 0 fixed 4\n");
}

/* Rank 1 exposes its memory to rank 0. In the first round the start waits, in the second one the complete. */
static void test_epochs(void)
{
    static const struct script_event events[] = {
        CALL(0, WIN_START, 0, 12, S_GROUP, 12, 0, 5),  CALL(0, WIN_COMPLETE, 12, 14, S_GROUP, 14, 0, 5),
        CALL(0, WIN_START, 14, 15, S_GROUP, 15, 0, 5), CALL(0, WIN_COMPLETE, 15, 40, S_GROUP, 40, 0, 5),
        CALL(1, WIN_POST, 10, 11, S_GROUP, 11, 0, 6),  CALL(1, WIN_WAIT, 11, 20, S_GROUP, 20, 0, 6),
        CALL(1, WIN_POST, 30, 31, S_GROUP, 31, 0, 6),  CALL(1, WIN_WAIT, 31, 45, S_GROUP, 45, 0, 6),
    };
    static const struct script_comm partners[] = {
        {.n_members = 1, .members = {0}}, {.n_members = 1, .members = {0}}, {.n_members = 1, .members = {0}},
        {.n_members = 1, .members = {0}}, {.n_members = 1, .members = {1}}, {.n_members = 1, .members = {0}},
    };
    struct script script = {SCRIPT(2, events),           .n_windows = 1,    .regions = regions,
                            .n_regions = COUNT(regions), .comms = partners, .n_comms = COUNT(partners)};
    static const char *const expected[] = {
        "probe 0-12 peer 1 tag -1073741824 bytes 0 group 0\n"
        "irecv 12 peer 1 tag -1073741824 bytes 0 group 0 r1\nwait 12 r1\n"
        "send 12-14 peer 1 tag -1073741823 bytes 0 group 0\ncall 14-15\n"
        "irecv 15 peer 1 tag -1073741824 bytes 0 group 0 r1\nwait 15-30 r1\n"
        "send 30-40 peer 1 tag -1073741823 bytes 0 group 0\n",
        "send 10-11 peer 0 tag -1073741824 bytes 0 group 0\n"
        "irecv 11 peer 0 tag -1073741823 bytes 0 group 0 r1\nwait 11-20 r1\ncompute 20-30\n"
        "send 30-31 peer 0 tag -1073741824 bytes 0 group 0\n"
        "irecv 31 peer 0 tag -1073741823 bytes 0 group 0 r1\nwait 31-45 r1\n"};
    struct record_reader reader;
    struct sim_error error;
    new_folder();
    script_write(&script, folder);
    CU_ASSERT_EQUAL_FATAL(record_open(&reader, anchor, &error), 0);
    for (int rank = 0; rank < 2; rank++) {
        char *found = records_of(&reader, rank);
        expect_text("epochs", rank, found, expected[rank]);
        free(found);
    }
    CU_ASSERT_EQUAL(reader.info.n_gaps, 0);
    record_close(&reader);
    remove_tree(folder);
}

/* Rank 0 has the lock of rank 2's memory first, then rank 1, who has waited for it, then rank 0 again, for rank 1. That
 * of rank 1's is another one. Who shares a lock with who has it waits for nobody. */
static void test_locks(void)
{
#define LOCK(rank, begin, end, target, type) CALL(rank, WIN_LOCK, begin, end, S_LOCK, end, 0, target, type)
#define UNLOCK(rank, begin, end, target) CALL(rank, WIN_UNLOCK, begin, end, S_UNLOCK, end, 0, target)
    static const struct script_event events[] = {
        LOCK(0, 0, 2, 2, OTF2_LOCK_EXCLUSIVE),
        UNLOCK(0, 10, 12, 2),
        LOCK(0, 12, 31, 2, OTF2_LOCK_SHARED),
        UNLOCK(0, 40, 42, 2),
        LOCK(1, 5, 13, 2, OTF2_LOCK_EXCLUSIVE),
        LOCK(1, 13, 14, 1, OTF2_LOCK_EXCLUSIVE),
        UNLOCK(1, 30, 32, 2),
        UNLOCK(1, 32, 33, 1),
        LOCK(2, 35, 45, 2, OTF2_LOCK_SHARED),
        UNLOCK(2, 45, 46, 2),
    };
    CHECK("locks", ((struct script){SCRIPT(3, events), .n_windows = 1}),
          "call 0-2\ncompute 2-10\nsend 10-12 peer 1 tag -1071644672 bytes 0 group 0\n"
          "recv 12-31 peer 1 tag -1071644672 bytes 0 group 0\ncompute 31-40\ncall 40-42\n",
          "recv 5-13 peer 0 tag -1071644672 bytes 0 group 0\ncall 13-14\ncompute 14-30\n"
          "send 30-32 peer 0 tag -1071644672 bytes 0 group 0\ncall 32-33\n",
          "call 35-45\ncall 45-46\n");
}

/* Large counts always; a wait that nothing is known of if it is long. */
static void test_gaps(void)
{
    static const struct script_event events[] = {
        PLAIN(0, SEND_C, 0, 1),      PLAIN(0, WAIT, 1, 2000),    PLAIN(0, BCAST, 2000, 2001),
        PLAIN(0, START, 2001, 4000), PLAIN(1, SEND_C, 100, 200), {1, S_END, 4000},
    };
    struct record_reader reader;
    CU_ASSERT_EQUAL_FATAL(open_script(&reader, (struct script){SCRIPT(2, events), .n_others = 1}), 0);
    CU_ASSERT_EQUAL_FATAL(reader.info.n_gaps, 2);
    CU_ASSERT_STRING_EQUAL(reader.info.gaps[0].function, "MPI_Wait");
    CU_ASSERT_EQUAL(reader.info.gaps[0].time_ps, 1999);
    CU_ASSERT_STRING_EQUAL(reader.info.gaps[1].function, "MPI_Send_c");
    CU_ASSERT_EQUAL(reader.info.gaps[1].n_calls, 2);
    CU_ASSERT_EQUAL(reader.info.gaps[1].time_ps, 101);
    CU_ASSERT_EQUAL(reader.info.n_threads, 0); /* it has no events */
    record_close(&reader);
    remove_tree(folder);
}

static void test_threads(void)
{
    static const struct script_event events[] = {{0, S_BEGIN, 0}, {0, S_END, 7},   {1, S_BEGIN, 0},
                                                 {1, S_END, 8},   {2, S_BEGIN, 0}, {2, S_END, 10}};
    struct record_reader reader;
    CU_ASSERT_EQUAL_FATAL(open_script(&reader, (struct script){SCRIPT(2, events), .n_others = 1}), 0);
    CU_ASSERT_EQUAL(reader.info.n_threads, 1);
    CU_ASSERT_EQUAL(reader.info.n_passed_over, 2);
    record_close(&reader);
    remove_tree(folder);
}

int main(void)
{
    static const struct test tests[] = {
        {"fences", test_fences},
        {"members that disagree", test_disagreement},
        {"windows without a name", test_assumed},
        {"files", test_files},
        {"non-blocking collectives", test_overtaking},
        {"post, start, complete, wait", test_epochs},
        {"locks", test_locks},
        {"what nothing is known of", test_gaps},
        {"threads", test_threads},
        {NULL, NULL},
    };
    return testing_run("synchronise", tests);
}
