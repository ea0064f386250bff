/* The reader of OTF2 on archives that are wrong, damaged, cut off or not there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/testing.h"
#include "tests/trace/otf2/otf2_fixture.h"
#include "trace/formats.h"
#include "trace/otf2/cursor.h"

#include <sys/stat.h>

/* ---- Bad archives ---- */

/* Opening the archive in `folder`, or reading it, must fail with a message that has `expected` in it. */
static void expect_error(const char *name, const char *expected)
{
    struct record_reader reader;
    struct sim_error error = {.message = "no error"};
    struct record record;
    int status = record_open(&reader, anchor, &error);
    for (int rank = 0; status == 0 && rank < reader.info.n_ranks; rank++)
        while ((status = record_next(&reader, rank, &record, &error)) == 1)
            continue;
    if (status == 0)
        snprintf(error.message, sizeof error.message, "no error");
    if (strstr(error.message, expected) == NULL || strstr(error.message, anchor) == NULL)
        fprintf(stderr, "\n%s: expected '%s', found '%s'\n", name, expected, error.message);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, expected));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, anchor));
    CU_ASSERT_EQUAL(status < 0 ? error.status : SIM_DONE, SIM_BAD_INPUT);
    record_close(&reader);
}

static void test_bad_events(void)
{
    static const struct {
        const char *name, *expected;
        struct script_event events[4];
    } rows[] = {
        {"unmatched leave",
         "rank 1 (location 1), event 1: leaves region 'main' without having entered it",
         {{1, S_LEAVE, 5, MAIN}}},
        {"wrong leave",
         "rank 1 (location 1), event 3: leaves region 'main', but is in 'phase'",
         {{1, S_ENTER, 5, MAIN}, {1, S_ENTER, 5, PHASE}, {1, S_LEAVE, 5, MAIN}}},
        {"unmatched enter", "event 1: the events end inside region 'main'", {{1, S_ENTER, 5, MAIN}}},
        {"unknown region", "enters region 99, which is not defined", {{1, S_ENTER, 5, 99}}},
        {"unknown region left", "leaves region 99, which is not defined", {{1, S_ENTER, 5, MAIN}, {1, S_LEAVE, 5, 99}}},
        {"unknown communicator", "communicator 9 is not defined", {{1, S_SEND, 5, 0, 9, 0, 1}}},
        {"no such peer", "communicator 0 has no rank 3", {{1, S_SEND, 5, 3, 0, 0, 1}}},
        {"no such peer in a part", "communicator 1 has no rank 2", {{0, S_SEND, 5, 2, 1, 0, 1}}},
        {"no such peer alone", "communicator 3 has no rank 1", {{0, S_SEND, 5, 1, 3, 0, 1}}},
        {"not a member", "the rank is not in communicator 1", {{1, S_SEND, 5, 0, 1, 0, 1}}},
        {"tag", "tag 2147483648; 0 to 2147483647 are allowed", {{1, S_SEND, 5, 0, 0, UINT64_C(1) << 31, 1}}},
        {"length", "a length of 9223372036854775808 bytes", {{1, S_RECV, 5, 0, 0, 0, UINT64_C(1) << 63}}},
        {"send not pending", "request 5 is not pending", {{1, S_ISEND_DONE, 5, .e = 5}}},
        {"receive not pending", "request 5 is not pending", {{1, S_IRECV_DONE, 5, 0, 0, 0, 1, 5}}},
        {"cancelled not pending", "request 5 is not pending", {{1, S_CANCELLED, 5, .e = 5}}},
        {"completes twice",
         "event 3: request 5 is not pending",
         {{1, S_ISEND, 5, 0, 0, 0, 1, 5}, {1, S_ISEND_DONE, 5, .e = 5}, {1, S_ISEND_DONE, 5, .e = 5}}},
        {"receive as send",
         "request 5 completes as a send, but is a receive",
         {{1, S_IRECV, 5, .e = 5}, {1, S_ISEND_DONE, 5, .e = 5}}},
        {"send as receive",
         "request 5 completes as a receive, but is a send",
         {{1, S_ISEND, 5, 0, 0, 0, 1, 5}, {1, S_IRECV_DONE, 5, 0, 0, 0, 1, 5}}},
        {"root", "the root of a collective is 3", {{1, S_COLLECTIVE, 5, OTF2_COLLECTIVE_OP_BCAST, 0, 3, 1, 1}}},
        {"time", "is more than 26 days from the run's beginning", {{1, S_BEGIN, UINT64_C(1) << 62}}},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        struct script script = {.n_ranks = 3,
                                .regions = regions,
                                .n_regions = COUNT(regions),
                                .comms = comms,
                                .n_comms = COUNT(comms),
                                .events = rows[i].events};
        while (script.n_events < 4 && (rows[i].events[script.n_events].time > 0))
            script.n_events++;
        new_folder();
        script_write(&script, folder);
        expect_error(rows[i].name, rows[i].expected);
        remove_tree(folder);
    }
}

/* The OTF2 writer refuses times that go back; clock corrections can bring them about. */
static void test_time_goes_back(void)
{
    static const struct script_event events[] = {{1, S_ENTER, 0, MAIN}, {1, S_LEAVE, 1000, MAIN}};
    struct script script = {SCRIPT(2, events), .regions = regions, .n_regions = COUNT(regions),
                            .has_clock_offset = true, .clock_offset = {5000, 0}};
    new_folder();
    script_write(&script, folder);
    expect_error("time goes back", "event 2: its time is 1000 ps, before that of the event before it, 5000 ps");
    remove_tree(folder);
}

static void test_bad_definitions(void)
{
    static const struct script_comm outside = {.n_members = 2, .members = {0, 2}};
    static const struct script_comm twice = {.n_members = 2, .members = {1, 1}};
    static const struct script_comm common = {.n_members = 2, .members = {0, 1}, .n_remote = 1, .remote = {1}};
    static const struct {
        const char *name, *expected;
        struct script script;
    } rows[] = {
        {"outside",
         "a communicator's group has the member 2; ranks of the world are 0 to 1",
         {.n_ranks = 2, .comms = &outside, .n_comms = 1}},
        {"twice", "a communicator's group has the member 1 twice", {.n_ranks = 2, .comms = &twice, .n_comms = 1}},
        {"common",
         "the two groups of an intercommunicator have a rank in common",
         {.n_ranks = 2, .comms = &common, .n_comms = 1}},
        {"no clock", "does not describe its clock", {.n_ranks = 2, .no_clock = true}},
        {"no ranks", "MPI's group of locations has no members", {.n_ranks = 0}},
        {"no processes", "has 0 processes; 1 to 65536 are allowed", {.n_ranks = 0, .without_world = true}},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        new_folder();
        script_write(&rows[i].script, folder);
        expect_error(rows[i].name, rows[i].expected);
        remove_tree(folder);
    }
}

/* ---- Files that are damaged ---- */

static const struct script_event exchange[] = {
    {0, S_ENTER, 0, MAIN},
    {0, S_ENTER, 5, IRECV},
    {0, S_IRECV, 6, .e = 5},
    {0, S_LEAVE, 7, IRECV},
    {0, S_ENTER, 10, SEND},
    {0, S_SEND, 11, 1, 0, 7, 300},
    {0, S_LEAVE, 12, SEND},
    {0, S_ENTER, 20, WAIT},
    {0, S_IRECV_DONE, 30, 1, 0, 9, 77777, 5},
    {0, S_LEAVE, 31, WAIT},
    {0, S_ENTER, 40, PHASE, 2},
    {0, S_LEAVE, 50, PHASE, 9, 8},
    {0, S_ENTER, 60, BCAST},
    {0, S_COLLECTIVE, 61, OTF2_COLLECTIVE_OP_BCAST, 0, 1, 0, 16},
    {0, S_LEAVE, 65, BCAST},
    {0, S_LEAVE, 70, MAIN},
    {1, S_ENTER, 0, MAIN},
    {1, S_LEAVE, 70, MAIN},
};
static const struct script exchange_script = {SCRIPT(2, exchange),
                                              .regions = regions,
                                              .n_regions = COUNT(regions),
                                              .comms = comms + 2,
                                              .n_comms = 1,
                                              .has_clock_offset = true,
                                              .clock_offset = {0, 0},
                                              .properties = {"EPPA::PARAMETER::W", "1"}};

static size_t read_file(const char *path, unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t length = fread(bytes, 1, size, file);
    fclose(file);
    return length;
}

static void write_file(const char *path, const unsigned char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void test_missing_files(void)
{
    static const struct {
        const char *file, *expected;
    } rows[] = {
        {"trace.otf2", "cannot be read: No such file or directory"},
        {"trace.def", "/trace.def: No such file or directory; an archive consists of "},
        {"trace/1.evt", "rank 1 (location 1), event 0: the file of its events cannot be read"},
        {"trace/1.def", "rank 1 (location 1): its definitions are missing, while other ranks have theirs"},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        new_folder();
        script_write(&exchange_script, folder);
        char *path = xformat("%s/%s", folder, rows[i].file);
        CU_ASSERT_EQUAL(remove(path), 0);
        expect_error(rows[i].file, rows[i].expected);
        free(path);
        remove_tree(folder);
    }
}

/* Definitions that are cut off; an archive of which one part has another name. */
static void test_parts(void)
{
    unsigned char bytes[4096];
    new_folder();
    script_write(&exchange_script, folder);
    char *definitions = xformat("%s/trace.def", folder), *renamed = xformat("%s/trace.old", folder),
         *events = xformat("%s/trace", folder);
    size_t length = read_file(definitions, bytes, sizeof bytes);
    write_file(definitions, bytes, length / 2);
    expect_error("cut off", "/trace.def, cannot be read: ");
    write_file(definitions, bytes, length);
    CU_ASSERT_EQUAL(rename(events, renamed), 0);
    expect_error("renamed", "/trace/: No such file or directory; an archive consists of ");
    free(definitions);
    free(renamed);
    free(events);
    remove_tree(folder);
}

enum { WAIT_SECONDS = 20 }; /* far more than any of it takes, far less than for ever */

/* Parts from which nothing ever comes, or comes without end, themselves or by a link. */
static void test_irregular_files(void)
{
    static const char *const parts[] = {"trace.otf2", "trace.def", "trace/0.def", "trace/1.def", "trace/1.evt"};
    static const char *const others[] = {NULL, "pipe", "/dev/zero"}; /* NULL: the part is the pipe */
    for (int i = 0; i < COUNT(parts) * COUNT(others); i++) {
        const char *other = others[i % COUNT(others)];
        new_folder();
        script_write(&exchange_script, folder);
        char *part = xformat("%s/%s", folder, parts[i / COUNT(others)]), *pipe = xformat("%s/pipe", folder);
        CU_ASSERT_EQUAL(remove(part), 0);
        CU_ASSERT_EQUAL(mkfifo(other == NULL ? part : pipe, 0600), 0);
        if (other != NULL)
            CU_ASSERT_EQUAL(symlink(other[0] == '/' ? other : pipe, part), 0);
        alarm(WAIT_SECONDS);
        expect_error(part, "is not a regular file");
        alarm(0);
        free(part);
        free(pipe);
        remove_tree(folder);
    }
}

static void test_foreign_file(void)
{
    static const char *const contents[] = {"", "compute 100\n", "BOTF2", "\3BOTF2"};
    for (int i = 0; i < COUNT(contents); i++) {
        new_folder();
        write_file(anchor, (const unsigned char *)contents[i], strlen(contents[i]));
        expect_error(contents[i], i == 0 ? "is empty, not the anchor" : "is not an OTF2 archive that can be read: ");
        remove_tree(folder);
    }
}

/* A file of events that is too short is an error; if the writer did not get to say how many there are, what is there
 * counts, and what was begun ends there. */
static void test_short_events(void)
{
    struct script unknown = exchange_script;
    unsigned char bytes[4096];
    unknown.unknown_ends = true;
    for (int i = 0; i < 2; i++) {
        new_folder();
        script_write(i == 0 ? &exchange_script : &unknown, folder);
        char *path = xformat("%s/trace/0.evt", folder);
        size_t length = read_file(path, bytes, sizeof bytes);
        write_file(path, bytes, length - 30);
        free(path);
        if (i == 0) {
            expect_error("short", "rank 0 (location 0), event ");
        } else {
            struct record_reader reader;
            struct sim_error error;
            CU_ASSERT_EQUAL_FATAL(record_open(&reader, anchor, &error), 0);
            char *found = records_of(&reader, 0);
            static const char start[] = "enter main 0\ncompute 0-5\nirecv 5-7 peer 1 tag 9 bytes 77777 group 0 r1\n"
                                        "compute 7-10\nsend 10-12 peer 1 tag 7 bytes 300 group 0\ncompute 12-20\n"
                                        "wait 20-31 r1\n";
            CU_ASSERT_EQUAL(strncmp(found, start, sizeof start - 1), 0);
            CU_ASSERT_PTR_NOT_NULL(strstr(found, "leave main "));
            CU_ASSERT_PTR_NULL(strstr(found, "leave main 70"));
            free(found);
            record_close(&reader);
        }
        remove_tree(folder);
    }
}

/* At tick 0 the library writes what it cannot read across the end of a chunk: then it finds events without end. */
static void test_lost_events(void)
{
    enum { PAIRS = 20000 };
    static struct script_event events[2 * PAIRS];
    for (int i = 0; i < 2 * PAIRS; i++)
        events[i] = (struct script_event){0, i % 2 == 0 ? S_ENTER : S_LEAVE, 0, MAIN};
    struct script script = exchange_script;
    script.events = events;
    script.n_events = 2 * PAIRS;
    for (int i = 0; i < 2; i++) {
        struct record_reader reader;
        struct sim_error error;
        new_folder();
        script.unknown_ends = i == 1;
        script_write(&script, folder);
        alarm(WAIT_SECONDS);
        if (i == 0) {
            expect_error("lost events", "there is more after it, but there can be only ");
        } else {
            CU_ASSERT_EQUAL(record_open(&reader, anchor, &error), 0);
            record_close(&reader);
        }
        alarm(0);
        remove_tree(folder);
    }
}

/* Requests that nothing ends: as many as may be pending, one of them freed and begun anew, and one more. */
static void test_pending(void)
{
    enum { N = OTF_MAX_PENDING + 2 };
    struct script_event *events = xcalloc(N, sizeof *events);
    struct script script = {.n_ranks = 1, .regions = regions, .n_regions = 1, .events = events, .n_events = N};
    for (int i = 0; i < N; i++)
        events[i] = (struct script_event){0, S_IRECV, (uint64_t)i, .e = (uint64_t)(i == N - 2 ? 7 : i)};
    new_folder();
    script_write(&script, folder);
    expect_error("pending", "event 1048578: begins a request while 1048576 are pending");
    remove_tree(folder);
    free(events);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* Damaged in a few bits or cut off, each file of the archive: an error or records, but no crash and no endless read. */
static void test_damaged(void)
{
    static const char *const files[] = {"trace.otf2", "trace.def", "trace/0.evt", "trace/0.def", "trace/1.def"};
    enum { VARIANTS = 40, MAX_RECORDS = 10000 };
    unsigned char whole[4096], bytes[4096];
    uint32_t random = 1;
    int n_errors = 0;
    new_folder();
    script_write(&exchange_script, folder);
    for (int f = 0; f < COUNT(files); f++) {
        char *path = xformat("%s/%s", folder, files[f]);
        size_t length = read_file(path, whole, sizeof whole);
        for (int i = 0; i < VARIANTS; i++) {
            struct record_reader reader;
            struct sim_error error;
            struct record record;
            int n_records = 0, n_bits = i % 4;
            memcpy(bytes, whole, length);
            for (int bit = 0; bit < n_bits; bit++)
                bytes[next_random(&random) % length] ^= (unsigned char)(1 << next_random(&random) % 8);
            write_file(path, bytes, n_bits == 0 ? next_random(&random) % length : length);
            int status = record_open(&reader, anchor, &error);
            n_errors += status < 0;
            for (int rank = 0; status == 0 && rank < reader.info.n_ranks; rank++)
                while (record_next(&reader, rank, &record, &error) == 1 && n_records < MAX_RECORDS)
                    n_records++;
            CU_ASSERT_TRUE(n_records < MAX_RECORDS);
            record_close(&reader);
        }
        write_file(path, whole, length);
        free(path);
    }
    CU_ASSERT_TRUE(n_errors > VARIANTS);
    remove_tree(folder);
}

int main(void)
{
    static const struct test tests[] = {
        {"bad_events", test_bad_events},
        {"time_goes_back", test_time_goes_back},
        {"bad_definitions", test_bad_definitions},
        {"missing_files", test_missing_files},
        {"parts", test_parts},
        {"irregular_files", test_irregular_files},
        {"foreign_file", test_foreign_file},
        {"short_events", test_short_events},
        {"pending", test_pending},
        {"lost_events", test_lost_events},
        {"damaged", test_damaged},
        {NULL, NULL},
    };
    return testing_run("read_otf2_bad", tests);
}
