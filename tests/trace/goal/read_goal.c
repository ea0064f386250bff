/* The reader and the writer of GOAL schedules: in which order a rank does what, what is refused and where, and that
 * both forms say the same.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/testing.h"

#include "base/memory.h"
#include "trace/formats.h"
#include "trace/goal/schedule.h"
#include "trace/goal/writer.h"
#include "trace/record/record.h"
#include "trace/trace.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[] = P_tmpdir "/test-read-goal-XXXXXX";

/* --- helpers --- */

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_bytes(const char *name, const void *bytes, size_t size)
{
    FILE *stream = fopen(path_of(name), "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
}

static void describe(char *text, size_t size, const struct record *record)
{
    static const char *const kinds[] = {
        [RECORD_SEND] = "send", [RECORD_RECV] = "recv", [RECORD_ISEND] = "isend", [RECORD_IRECV] = "irecv"};
    size_t used = strlen(text);
    text += used;
    size -= used;
    if (record->kind == RECORD_COMPUTE)
        snprintf(text, size, "calc %" PRId64 ";", record->end_ps);
    else if (record->kind == RECORD_WAIT)
        snprintf(text, size, "wait #%" PRIu32 ";", record->request);
    else if (record->kind == RECORD_ISEND || record->kind == RECORD_IRECV)
        snprintf(text, size, "%s %d %d %" PRId64 " #%" PRIu32 ";", kinds[record->kind], record->peer, record->tag,
                 record->bytes, record->request);
    else
        snprintf(text, size, "%s %d %d %" PRId64 ";", kinds[record->kind], record->peer, record->tag, record->bytes);
}

/* All records of a rank; -1 if there is an error, which is then in *error. */
static int read_rank(char *text, size_t size, struct record_reader *reader, int rank, struct sim_error *error)
{
    struct record record;
    int status;
    text[0] = '\0';
    while ((status = record_next(reader, rank, &record, error)) == 1)
        describe(text, size, &record);
    return status;
}

static int read_file(char *text, size_t size, const char *path, int rank, struct sim_error *error)
{
    struct record_reader reader;
    if (record_open(&reader, path, error) != 0)
        return -1;
    int status = read_rank(text, size, &reader, rank, error);
    record_close(&reader);
    return status;
}

/* --- the order --- */

static const struct {
    const char *lines, *records; /* of rank 0 of three */
} good[] = {
    {"", ""},
    {"a: calc 5\n", "calc 5000;"},
    {"calc 5\ncalc 0\n", "calc 5000;calc 0;"},
    {"\tl1 :calc 5 cpu 3 // why\r\n/* two\nlines */ l2:send 8b to 2 tag 9 cpu 3 nic 2\nl2  requires\tl1\n",
     "calc 5000;send 2 9 8;"},
    {"l1: send 8b to 1\nl2: recv 8b from 2 tag 5\n", "irecv 2 5 8 #1;isend 1 0 8 #0;wait #1;wait #0;"},
    /* what is waited for at once is blocking */
    {"l1: recv 8b from 1\nl2: calc 1\nl2 requires l1\nl3: send 0b to 1\nl3 requires l2\nl4: calc 2\nl4 requires l3\n",
     "recv 1 0 8;calc 1000;send 1 0 0;calc 2000;"},
    {"l1: send 8b to 1\nl2: calc 1\nl2 irequires l1\nl3: calc 2\nl3 requires l2\nl3 requires l1\n",
     "isend 1 0 8 #0;calc 1000;wait #0;calc 2000;"},
    /* what can be done is done before anything is waited for */
    {"l1: recv 8b from 1\nl2: calc 1\nl2 requires l1\nl3: calc 2\n", "irecv 1 0 8 #0;calc 2000;wait #0;calc 1000;"},
    {"l1: calc 2\nl2: recv 8b from 1\nl3: calc 1\nl3 requires l2\nl3 requires l1\n",
     "irecv 1 0 8 #1;calc 2000;wait #1;calc 1000;"},
    /* operations wait in the order of the schedule; for what they require, first for receives, in their order */
    {"a: recv 1b from 1\nb: recv 2b from 2\nd: calc 4\nd requires b\nd requires a\n",
     "irecv 1 0 1 #0;irecv 2 0 2 #1;wait #0;wait #1;calc 4000;"},
    {"a: send 1b to 1\nb: recv 2b from 2\nb irequires a\nd: calc 4\nd requires a\nd requires b\n",
     "isend 1 0 1 #0;recv 2 0 2;wait #0;calc 4000;"},
    {"a: recv 1b from 1\nb: send 2b to 2\nb irequires a\nc: calc 0\nc requires b\nd: calc 4\nd requires a\nd requires "
     "c\n",
     "irecv 1 0 1 #0;send 2 0 2;calc 0;wait #0;calc 4000;"},
    {"a: recv 1b from 1\nb: recv 2b from 2\nc: calc 3\nd: calc 4\nd requires a\nc requires b\n",
     "irecv 1 0 1 #0;recv 2 0 2;calc 3000;wait #0;calc 4000;"},
    /* sends go before calculations that become ready with them, as in LogGOPSim */
    {"a: calc 1\nb: calc 2\nc: send 1b to 1\n", "isend 1 0 1 #2;calc 1000;calc 2000;wait #2;"},
    {"a: calc 1\nb: calc 2\nb requires a\nc: calc 3\n", "calc 1000;calc 3000;calc 2000;"},
    {"a: calc 1\nb: recv 1b from 1\nb irequires a\nc: calc 2\nc irequires b\n",
     "calc 1000;irecv 1 0 1 #1;calc 2000;wait #1;"},
    {"a: recv 8b from 1 tag 4\nb: recv 0b from 1 tag 4294967290\n", "irecv 1 4 8 #0;irecv 1 -6 -1 #1;wait #0;wait #1;"},
    {"a: recv 8b from 1 tag -1\nb: recv 8b from 2 tag 7\n", "irecv 1 0 8 #0;irecv 2 7 8 #1;wait #0;wait #1;"},
    /* ranks 1 and 2 take what comes from rank 0 under any tag, and under a tag */
    {"a: send 1b to 1 tag 5\nb: send 1b to 2 tag 5\n", "isend 1 5 1 #0;isend 2 5 1 #1;wait #0;wait #1;"},
};

#define REST "rank 1 {\nx: recv 1b from 0 tag -1\n}\nrank 2 {\nx: recv 1b from 0 tag 5\n}\n"

static void test_order(void)
{
    char records[512];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct sim_error error = {.message = ""};
        char *text = xformat("num_ranks 3\n%s rank 0 {\n%s}\n", REST, good[i].lines);
        write_bytes("x.goal", text, strlen(text));
        free(text);
        int status = read_file(records, sizeof records, path_of("x.goal"), 0, &error);
        if (status != 0 || strcmp(records, good[i].records) != 0)
            printf("\n  %s    %s%s instead of\n    %s", good[i].lines, records, error.message, good[i].records);
        CU_ASSERT(status == 0 && strcmp(records, good[i].records) == 0);
    }
}

/* --- refusals --- */

/* The file is tests/data/bad/goal/<name>.goal; the message follows on its name. */
static const struct {
    const char *name, *message;
} bad_files[] = {
    {"ranks/no-ranks", ":1: rank 0 comes before num_ranks, which says how many there are"},
    {"grammar/other-file", ":1: something else found where 'num_ranks' is expected"},
    {"ranks/zero-ranks", ":1: a schedule of 0 ranks; 1 to 65536 are allowed"},
    {"ranks/too-many-ranks", ":1: a schedule of 65537 ranks; 1 to 65536 are allowed"},
    {"ranks/huge-ranks", ":1: a schedule of 9223372036854775807 ranks; 1 to 65536 are allowed"},
    {"ranks/ranks-twice", ":2: num_ranks is given a second time; once is allowed"},
    {"ranks/rank-outside", ":2: rank 1 of a schedule of 1 ranks; 0 to 0 are allowed"},
    {"ranks/rank-twice", ":4: rank 0 a second time; once is allowed"},
    {"ranks/rank-missing", ": has no operations of rank 1; a rank that does nothing is 'rank 1 { }'"},
    {"grammar/no-brace", ":2: the line ends where '{' is expected"},
    {"grammar/not-closed", ": ends within rank 0, without a '}'"},
    {"grammar/comment-open", ": ends within a comment"},
    {"grammar/semicolon", ":3: '; l2: calc 6' found where the end of the line is expected"},
    {"grammar/two-operations", ":3: 'l2: calc 6' found where the end of the line is expected"},
    {"grammar/unknown-operation", ":3: 'sleep 5' found where 'calc', 'send' or 'recv' is expected"},
    {"grammar/unknown-statement", ":3: '5' found where 'calc', 'send', 'recv', a label or '}' is expected"},
    {"grammar/no-bytes", ":3: 'to 1' found where a number of bytes, such as 8b, is expected"},
    {"grammar/no-b", ":3: 'to 1' found where 'b', for bytes, is expected"},
    {"grammar/wrong-way", ":3: 'from 1' found where 'to' is expected"},
    {"grammar/negative-calc", ":3: '-5' found where a time in ns is expected"},
    {"meaning/long-calc", ":3: calculates for 2305843009213694 ns; 0 to 2305843009213693 are allowed"},
    {"meaning/long-message", ":3: a message of 281474976710657 bytes; 0 to 281474976710656 are allowed"},
    {"meaning/peer-outside", ":3: sends to rank 2 of a schedule of 2 ranks; 0 to 1 are allowed"},
    {"meaning/sent-under-any", ":3: sends with any tag (-1); only a receive may leave it open"},
    {"grammar/large-cpu", ":3: a cpu of 256; 0 to 255 are allowed"},
    {"grammar/calc-with-tag", ":3: 'tag 1' found where the end of the line is expected"},
    {"labels/no-label", ":4: there is no operation with the label 'l2' before this line in rank 0"},
    {"labels/label-of-other", ":7: there is no operation with the label 'l1' before this line in rank 1"},
    {"labels/label-twice", ":4: a second operation with the label 'l1' in rank 0"},
    {"grammar/no-second-label", ":4: the line ends where a label is expected"},
    {"grammar/unknown-relation", ":4: 'needs l1' found where ':', 'requires' or 'irequires' is expected"},
    {"labels/itself", ":3: requires itself"},
    {"labels/cycle", ":3: requires itself, by way of the operation on line 5"},
    {"binary/used", ": has been consumed by LogGOPSim's --save-mem; make it again from its text"},
    {"binary/binary-head", ": ends within the head of a binary GOAL schedule"},
    {"binary/binary-ranks", ": ends within the table of its 1 ranks"},
};
enum { N_BAD_FILES = sizeof bad_files / sizeof bad_files[0] };

static void expect_error(const char *what, int status, const struct sim_error *error, const char *message)
{
    bool right = status == -1 && error->status == SIM_BAD_INPUT && strcmp(error->message, message) == 0;
    if (!right)
        printf("\n  %s: status %d\n    %s instead of\n    %s", what, status, error->message, message);
    CU_ASSERT(right);
}

static void test_bad_files(void)
{
    char records[512];
    for (size_t i = 0; i < N_BAD_FILES; i++) {
        struct sim_error error = {.message = ""};
        char *file = xformat("%s/tests/data/bad/goal/%s.goal", SOURCE_DIR, bad_files[i].name);
        char *message = xformat("%s%s", file, bad_files[i].message);
        int status = read_file(records, sizeof records, file, 0, &error);
        expect_error(bad_files[i].name, status, &error, message);
        free(message);
        free(file);
    }
}

static const char *bad_name(size_t i)
{
    return i < N_BAD_FILES ? bad_files[i].name : NULL;
}

static void test_table_is_complete(void)
{
    testing_check_table(SOURCE_DIR "/tests/data/bad/goal", ".goal", bad_name);
}

/* --- the binary form --- */

/* Output of LogGOPSim's txt2bin for
 *
 *     num_ranks 2
 *     rank 0 {
 *     l1: calc 1000
 *     l2: send 80b to 1 tag 3
 *     l2 requires l1
 *     l3: calc 70
 *     l3 irequires l2
 *     }
 *     rank 1 {
 *     l1: recv 80b from 0 tag 3
 *     l2: calc 5
 *     l2 requires l1
 *     } */
static const unsigned char fixture[] = {
    // clang-format off
    0x7f, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x26, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xaf, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xaf, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00,
    0x00, 0x00, 0x00, 0xe8, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x50, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00,
    0x00, 0x46, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x50, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x03, 0x00,
    0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00,
    // clang-format on
};

static void test_fixture(void)
{
    static const char *const records[] = {"calc 1000000;isend 1 3 80 #1;calc 70000;wait #1;", "recv 0 3 80;calc 5000;"};
    static const char *const names[] = {"x.bin", "x.goal"}; /* the first bytes decide */
    char found[512];
    struct sim_error error = {.message = ""};
    for (int i = 0; i < 2; i++) {
        write_bytes(names[i], fixture, sizeof fixture);
        for (int rank = 0; rank < 2; rank++) {
            CU_ASSERT_EQUAL(read_file(found, sizeof found, path_of(names[i]), rank, &error), 0);
            CU_ASSERT_STRING_EQUAL(found, records[rank]);
        }
    }
}

static void write_fixture(struct trace *trace)
{
    const struct goal_op ops[] = {{.kind = GOAL_CALC, .amount = 1000},
                                  {.kind = GOAL_SEND, .amount = 80, .peer = 1, .tag = 3},
                                  {.kind = GOAL_CALC, .amount = 70},
                                  {.kind = GOAL_RECV, .amount = 80, .peer = 0, .tag = 3},
                                  {.kind = GOAL_CALC, .amount = 5}};
    struct sim_error error;
    trace_goal_begin(trace->self, 2);
    trace_goal_begin_rank(trace->self);
    for (uint32_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(trace_goal_add(trace->self, &ops[i]), i);
        if (i > 0)
            trace_goal_depend(trace->self, i - 1, i == 2);
    }
    CU_ASSERT_EQUAL(trace_goal_end_rank(trace->self, &error), 0);
    trace_goal_begin_rank(trace->self);
    trace_goal_add(trace->self, &ops[3]);
    trace_goal_add(trace->self, &ops[4]);
    trace_goal_depend(trace->self, 0, false);
    CU_ASSERT_EQUAL(trace_goal_end_rank(trace->self, &error), 0);
}

/* simrun writes the same bytes. */
static void test_written(void)
{
    static const char text[] =
        "num_ranks 2\n\nrank 0 {\nl1: calc 1000\nl2: send 80b to 1 tag 3\nl2 requires l1\nl3: calc 70\n"
        "l3 irequires l2\n}\n\nrank 1 {\nl1: recv 80b from 0 tag 3\nl2: calc 5\nl2 requires l1\n}\n";
    static const struct {
        const char *name;
        const void *bytes;
        size_t size;
    } files[] = {{"w.bin", fixture, sizeof fixture}, {"w.goal", text, sizeof text - 1}};
    for (int i = 0; i < 2; i++) {
        struct trace trace;
        struct sim_error error = {.message = ""};
        char found[512];
        CU_ASSERT_EQUAL_FATAL(trace_open(&trace, path_of(files[i].name), &error), 0);
        write_fixture(&trace);
        CU_ASSERT_EQUAL(trace_close(&trace, &error), 0);
        FILE *stream = fopen(path_of(files[i].name), "rb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
        size_t size = fread(found, 1, sizeof found, stream);
        fclose(stream);
        CU_ASSERT(size == files[i].size && memcmp(found, files[i].bytes, size) == 0);
    }
}

enum { RANK_0 = 8 + 38, OP_0 = RANK_0 + 12, OP_1 = OP_0 + 39, DEPENDENTS = OP_0 + 3 * 39, RANK_1 = 8 + 175 };

/* Numbers of the fixture that say what cannot be. */
static const struct {
    size_t offset;
    uint32_t value;
    const char *message;
} faults[] = {
    {8, 0, ": a schedule of 0 ranks; 1 to 65536 are allowed"},
    {8, 70000, ": a schedule of 70000 ranks; 1 to 65536 are allowed"},
    {8, 65536, ": ends within the table of its 65536 ranks"},
    {14, 37, ": rank 0 is at bytes 37 to 175; 38 to 269 are left for it"},
    {22, 270, ": rank 0 is at bytes 38 to 270; 38 to 269 are left for it"},
    {22, 20, ": rank 0 is at bytes 38 to 20; 38 to 269 are left for it"},
    {22, 40, ": rank 0: has more operations than it has bytes for"},
    {30, 174, ": rank 1 is at bytes 174 to 269; 175 to 269 are left for it"},
    {RANK_0, 4, ": rank 0: has more operations than it has bytes for"},
    {RANK_0, UINT32_MAX, ": rank 0: has more operations than it has bytes for"},
    {RANK_0 + 4, UINT32_MAX, ": rank 0: has more operations than it has bytes for"},
    {OP_0, 1, ": operation 1 of rank 0: waits for another number of operations than name it, 0"},
    {OP_0 + 4, 4, ": operation 1 of rank 0: is of kind 4; 1 (send), 2 (receive) and 3 (calc) are allowed"},
    {OP_1 + 5, 2, ": operation 2 of rank 0: sends to rank 2 of a schedule of 2 ranks; 0 to 1 are allowed"},
    {OP_1 + 13, UINT32_MAX,
     ": operation 2 of rank 0: a message of 18446744069414584400 bytes; 0 to 281474976710656 are allowed"},
    {OP_0 + 23, 3, ": operation 1 of rank 0: has dependents where the rank has none"},
    {OP_0 + 23, UINT32_MAX, ": operation 1 of rank 0: has dependents where the rank has none"},
    {OP_0 + 27, UINT32_MAX, ": operation 1 of rank 0: has dependents where the rank has none"},
    {OP_0 + 23, 2, ": operation 2 of rank 0: has dependents where the rank has none"},
    {DEPENDENTS, 3, ": operation 1 of rank 0: has the dependent 3 of a rank with 3 operations"},
    {DEPENDENTS, 0, ": operation 1 of rank 0: waits for another number of operations than name it, 1"},
};

static void put(unsigned char *bytes, size_t offset, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[offset + (size_t)i] = (unsigned char)(value >> (8 * i));
}

static void test_faults(void)
{
    char records[512];
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct sim_error error = {.message = ""};
        unsigned char bytes[sizeof fixture];
        memcpy(bytes, fixture, sizeof fixture);
        put(bytes, faults[i].offset, faults[i].value);
        write_bytes("x.bin", bytes, sizeof bytes);
        char *message = xformat("%s%s", path_of("x.bin"), faults[i].message);
        char *what = xformat("fault %zu", i);
        int status = read_file(records, sizeof records, path_of("x.bin"), 0, &error);
        expect_error(what, status, &error, message);
        free(what);
        free(message);
    }
}

/* A cut-off file is refused wherever it is cut. */
static void test_cut(void)
{
    char records[512];
    for (size_t size = 8; size < sizeof fixture; size++) {
        struct sim_error error = {.message = ""};
        write_bytes("x.bin", fixture, size);
        CU_ASSERT_EQUAL(read_file(records, sizeof records, path_of("x.bin"), 0, &error), -1);
        CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
    }
}

/* --- length --- */

enum { LONG = 200000, TURNS = 7 };
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* Each operation requires the next one: nothing takes longer for it. */
static void test_backwards(void)
{
    struct record_reader reader;
    struct record record;
    struct sim_error error = {.message = ""};
    FILE *stream = fopen(path_of("x.goal"), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    fputs("num_ranks 1\nrank 0 {\n", stream);
    for (int i = 0; i < LONG; i++)
        fprintf(stream, "l%d: recv 1b from 0 tag %d\n", i, i);
    for (int i = 1; i < LONG; i++)
        fprintf(stream, "l%d requires l%d\n", i - 1, i);
    fputs("}\n", stream);
    fclose(stream);
    alarm(60);
    CU_ASSERT_EQUAL_FATAL(record_open(&reader, path_of("x.goal"), &error), 0);
    for (int i = LONG - 1; i >= 0; i--) {
        CU_ASSERT_EQUAL_FATAL(record_next(&reader, 0, &record, &error), 1);
        CU_ASSERT_FATAL(record.kind == RECORD_RECV && record.tag == i && record.position == i + 3);
    }
    CU_ASSERT_EQUAL(record_next(&reader, 0, &record, &error), 0);
    record_close(&reader);
    alarm(0);
}

/* Ranks take turns, each by another number of records, and again. */
static void test_turns(void)
{
    struct record_reader reader;
    struct record record;
    struct sim_error error = {.message = ""};
    FILE *stream = fopen(path_of("x.goal"), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    fprintf(stream, "num_ranks %d\n", TURNS);
    for (int r = TURNS - 1; r >= 0; r--) {
        fprintf(stream, "rank %d {\n", r);
        for (int i = 0; i < LONG / 20; i++)
            fprintf(stream, "calc %d\n", r * LONG + i);
        fputs("}\n", stream);
    }
    fclose(stream);
    CU_ASSERT_EQUAL_FATAL(record_open(&reader, path_of("x.goal"), &error), 0);
    for (int again = 0; again < 2; again++) {
        int next[TURNS] = {0}, n_ended = 0;
        while (n_ended < TURNS)
            for (int r = 0; r < TURNS; r++)
                for (int n = 0; n <= 37 * r && next[r] >= 0; n++) {
                    int status = record_next(&reader, r, &record, &error);
                    CU_ASSERT_FATAL(status == (next[r] < LONG / 20));
                    CU_ASSERT_FATAL(status == 0 || record.end_ps == INT64_C(1000) * (r * LONG + next[r]));
                    n_ended += status == 0;
                    next[r] = status == 1 ? next[r] + 1 : -1;
                }
        CU_ASSERT_EQUAL(record_rewind(&reader, &error), 0);
    }
    record_close(&reader);
}

/* So many ranks that each do the same; the most memory that this process has had, in KiB. */
static long memory_of(int n_ranks)
{
    struct record_reader reader;
    struct rusage usage;
    struct sim_error error = {.message = ""};
    FILE *stream = fopen(path_of("x.goal"), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    fprintf(stream, "num_ranks %d\n", n_ranks);
    for (int r = 0; r < n_ranks; r++) {
        fprintf(stream, "rank %d {\n", r);
        for (int i = 1; i <= LONG; i++)
            fprintf(stream, i == 1 ? "l%d: calc 5\n" : "l%d: calc 5\nl%d requires l%d\n", i, i, i - 1);
        fputs("}\n", stream);
    }
    fclose(stream);
    CU_ASSERT_EQUAL_FATAL(record_open(&reader, path_of("x.goal"), &error), 0);
    record_close(&reader);
    CU_ASSERT_EQUAL(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* Memory goes with the longest rank, not with all of them. Sanitizers keep what is freed. */
static void test_memory(void)
{
    if (SANITIZED)
        return;
    long two = memory_of(2), eight = memory_of(8);
    if (eight > two + 4096)
        printf("\n  %ld KiB for 2 ranks, %ld KiB for 8", two, eight);
    CU_ASSERT(eight <= two + 4096);
}

int main(void)
{
    static const struct test tests[] = {
        {"order", test_order},
        {"bad files", test_bad_files},
        {"no bad file is left out", test_table_is_complete},
        {"what txt2bin writes", test_fixture},
        {"what simrun writes", test_written},
        {"faults of the binary form", test_faults},
        {"cut off", test_cut},
        {"backwards", test_backwards},
        {"by turns", test_turns},
        {"memory", test_memory},
        {NULL, NULL},
    };
    if (mkdtemp(folder) == NULL)
        return 1;
    int status = testing_run("read_goal", tests);
    char *command = xformat("rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "cannot remove %s\n", folder);
    free(command);
    return status;
}
