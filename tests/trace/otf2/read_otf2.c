/* The reader of OTF2: archives written event by event, and the records that must come of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/testing.h"
#include "tests/trace/otf2/otf2_fixture.h"
#include "trace/formats.h"
#include "trace/otf2/sizes.h"
#include "trace/trace.h"

/* FOLDER.copy.otf2, FOLDER.copy.def and FOLDER.copy/ */
static void remove_copy(void)
{
    static const char *const extensions[] = {".copy.otf2", ".copy.def"};
    char *name = xformat("%s.copy", folder);
    remove_tree(name);
    free(name);
    for (int i = 0; i < 2; i++) {
        name = xformat("%s%s", folder, extensions[i]);
        unlink(name);
        free(name);
    }
}

/* True if the rank's records are of the same functions, in as many calls, where the first trace says of which. */
static bool has_same_calls(struct record_reader *reader, struct record_reader *again, int rank)
{
    struct record a, b;
    struct sim_error error;
    while (record_next(reader, rank, &a, &error) == 1 && record_next(again, rank, &b, &error) == 1) {
        bool control = a.kind == RECORD_CALL && a.call == RECORD_CALL_CONTROL;
        bool seeks = a.kind == RECORD_CALL && a.call == RECORD_CALL_WRITE; /* by no name of what writes */
        if (a.function != 0 && !control && !seeks &&
            (a.n_calls != b.n_calls || a.goes_on != b.goes_on ||
             strcmp(reader->info.functions[a.function], again->info.functions[b.function]) != 0))
            return false;
    }
    return true;
}

/* Write what the reader has as another archive, which must give the same records again. */
static void check_copy(const char *name, struct record_reader *reader, int n_expected, const char *const *expected)
{
    struct record_reader again;
    struct trace trace;
    struct sim_error error = {0};
    char *copy = xformat("%s.copy.otf2", folder);
    int status = trace_open(&trace, copy, &error);
    if (status == 0) {
        status = trace_copy(&trace, reader, &error);
        if (status == 0)
            status = trace_close(&trace, &error);
        else
            trace_abandon(&trace);
    }
    if (status == 0)
        status = record_open(&again, copy, &error);
    if (status != 0)
        fprintf(stderr, "\n%s, copied: %s\n", name, error.message);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    for (int rank = 0; rank < n_expected; rank++) {
        char *found = records_of(&again, rank);
        expect_text(name, rank, found, expected[rank]);
        free(found);
    }
    CU_ASSERT_EQUAL(record_rewind(reader, &error), 0);
    CU_ASSERT_EQUAL(record_rewind(&again, &error), 0);
    for (int rank = 0; rank < n_expected; rank++)
        CU_ASSERT_TRUE(has_same_calls(reader, &again, rank));
    CU_ASSERT_EQUAL(again.info.is_cut, reader->info.is_cut);
    CU_ASSERT_EQUAL(again.info.says_waits, reader->info.says_waits);
    CU_ASSERT_EQUAL(again.info.n_host_cores, reader->info.n_host_cores);
    CU_ASSERT_EQUAL(again.info.n_host_ranks, reader->info.n_host_ranks);
    CU_ASSERT_EQUAL(again.info.processor_ps, reader->info.processor_ps);
    CU_ASSERT_EQUAL(again.info.n_unrecorded, reader->info.n_unrecorded);
    CU_ASSERT_EQUAL(again.info.n_groups, reader->info.n_groups);
    CU_ASSERT_EQUAL(again.info.end_ps, reader->info.end_ps);
    for (int i = 0; reader->info.parameters != NULL && reader->info.parameters[i] != NULL; i++)
        CU_ASSERT_STRING_EQUAL(again.info.parameters[i], reader->info.parameters[i]);
    record_close(&again);
    free(copy);
    remove_copy();
}

/* Write the archive, read it twice (rewound), and compare the first ranks' records with `expected`. */
static void check(const char *name, struct script script, int n_expected, const char *const *expected)
{
    struct record_reader reader;
    struct sim_error error;
    script.regions = regions;
    script.n_regions = COUNT(regions);
    script.comms = script.n_comms == 0 ? comms : script.comms;
    script.n_comms = script.n_comms == 0 && script.n_ranks > 2 ? COUNT(comms) : script.n_comms;
    new_folder();
    script_write(&script, folder);
    int status = record_open(&reader, anchor, &error);
    if (status < 0)
        fprintf(stderr, "\n%s: %s\n", name, error.message);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    CU_ASSERT_EQUAL(reader.info.n_ranks, script.n_ranks);
    CU_ASSERT_TRUE(reader.info.has_times);
    for (int round = 0; round < 2; round++) {
        for (int rank = 0; rank < n_expected; rank++) {
            char *found = records_of(&reader, rank);
            expect_text(name, rank, found, expected[rank]);
            free(found);
        }
        CU_ASSERT_EQUAL(record_rewind(&reader, &error), 0);
    }
    check_copy(name, &reader, n_expected, expected);
    record_close(&reader);
    remove_tree(folder);
}

#define CHECK(name, script, ...)                                                                                       \
    check(name, script, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)),                            \
          (const char *const[]){__VA_ARGS__})

/* ---- What events become ---- */

static void test_blocking(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 0},
        {0, S_ENTER, 0, MAIN},
        {0, S_ENTER, 100, SEND},
        {0, S_SEND, 101, 1, 0, 5, 1000},
        {0, S_LEAVE, 130, SEND},
        {0, S_ENTER, 130, SSEND},
        {0, S_SEND, 131, 2, 0, 6, 2000},
        {0, S_LEAVE, 150, SSEND},
        {0, S_LEAVE, 170, MAIN},
        {0, S_END, 175},
        {1, S_ENTER, 20, PROBE},
        {1, S_LEAVE, 25, PROBE},
        {1, S_ENTER, 25, RECV},
        {1, S_RECV, 139, 0, 0, 5, 1000},
        {1, S_LEAVE, 140, RECV, .d = 1 + 76},
        {2, S_ENTER, 10, RECV}, /* in communicator 1 the rank 0 of the world is 1 */
        {2, S_RECV, 20, 1, 1, UINT32_MAX, 8},
        {2, S_LEAVE, 20, RECV, .d = 1 + 11},
        {2, S_ENTER, 30, RECV},
        {2, S_RECV, 40, 0, 2, 4, 8},
        {2, S_LEAVE, 40, RECV},
        {2, S_RECV, 45, 0, 3, 4, 8}, /* from itself, outside any call */
    };
    CHECK(
        "blocking", ((struct script){SCRIPT(3, events)}),
        "enter main 0\ncompute 0-100\nsend 100-130 peer 1 tag 5 bytes 1000 group 0\n"
        "send 130-150 peer 2 tag 6 bytes 2000 group 0 synchronous\ncompute 150-170\nleave main 170\ncompute 170-175\n",
        "call 20-25\nrecv 25-140 peer 0 tag 5 bytes 1000 group 0 idle 76\n",
        "recv 10-20 peer 0 tag -1 bytes 8 group 1 idle 10\ncompute 20-30\nrecv 30-40 peer 0 tag 4 bytes 8 group 2\n"
        "compute 40-45\nrecv 45 peer 2 tag 4 bytes 8 group 5\n");
}

static void test_nonblocking(void)
{
    static const struct script_event events[] = {
        {0, S_ENTER, 0, IRECV},
        {0, S_IRECV, 1, .e = 70},
        {0, S_LEAVE, 5, IRECV},
        {0, S_ENTER, 5, IRECV}, /* any source, any tag */
        {0, S_IRECV, 6, .e = 71},
        {0, S_LEAVE, 10, IRECV},
        {0, S_ENTER, 10, ISEND},
        {0, S_ISEND, 11, 1, 0, 3, 64, 72},
        {0, S_LEAVE, 15, ISEND},
        {0, S_ENTER, 15, IRECV}, /* will be cancelled */
        {0, S_IRECV, 16, .e = 73},
        {0, S_LEAVE, 20, IRECV},
        {0, S_ENTER, 20, TEST},
        {0, S_TEST, 21, .e = 70},
        {0, S_LEAVE, 22, TEST},
        {0, S_ENTER, 30, WAITALL},
        {0, S_IRECV_DONE, 40, 1, 0, 9, 256, 71},
        {0, S_ISEND_DONE, 45, .e = 72},
        {0, S_IRECV_DONE, 50, 0, 1, 8, 128, 70},
        {0, S_LEAVE, 55, WAITALL},
        {0, S_ENTER, 60, WAIT},
        {0, S_CANCELLED, 61, .e = 73},
        {0, S_LEAVE, 65, WAIT},
        {0, S_ENTER, 65, ISEND}, /* will be cancelled too */
        {0, S_ISEND, 66, 1, 0, 3, 64, 74},
        {0, S_LEAVE, 70, ISEND},
        {0, S_ENTER, 70, ISEND}, /* never waited for */
        {0, S_ISEND, 71, 1, 0, 3, 65, 75},
        {0, S_LEAVE, 75, ISEND},
        {0, S_ENTER, 75, WAIT},
        {0, S_CANCELLED, 76, .e = 74},
        {0, S_LEAVE, 80, WAIT},
        {0, S_ENTER, 80, IRECV}, /* never completes */
        {0, S_IRECV, 81, .e = 76},
        {0, S_LEAVE, 82, IRECV},
        {1, S_ENTER, 0, START}, /* persistent: the same request again and again; Startall of two */
        {1, S_IRECV, 1, .e = 1},
        {1, S_ISEND, 2, 0, 0, 9, 256, 2},
        {1, S_LEAVE, 3, START},
        {1, S_ENTER, 3, WAITALL},
        {1, S_IRECV_DONE, 4, 0, 0, 3, 64, 1},
        {1, S_ISEND_DONE, 4, .e = 2},
        {1, S_LEAVE, 5, WAITALL},
        {1, S_ENTER, 5, START},
        {1, S_IRECV, 6, .e = 1},
        {1, S_LEAVE, 7, START},
        {1, S_ENTER, 7, WAIT},
        {1, S_IRECV_DONE, 8, 2, 0, 4, 32, 1},
        {1, S_LEAVE, 9, WAIT},
        {2, S_ENTER, 0, SENDRECV},
        {2, S_SEND, 1, 1, 0, 4, 32},
        {2, S_RECV, 8, 0, 0, 1, 16},
        {2, S_LEAVE, 10, SENDRECV},
        {2, S_ENTER, 10, SENDRECV}, /* the other way round */
        {2, S_RECV, 18, 0, 0, 1, 16},
        {2, S_SEND, 18, 1, 0, 4, 32},
        {2, S_LEAVE, 20, SENDRECV},
    };
    CHECK("non-blocking", ((struct script){SCRIPT(3, events)}),
          "irecv 0-5 peer 2 tag 8 bytes 128 group 1 r1\nirecv 5-10 peer 1 tag 9 bytes 256 group 0 r2\n"
          "isend 10-15 peer 1 tag 3 bytes 64 group 0 r3\ncall 15-20\ncall 20-22 poll\ncompute 22-30\n"
          "wait 30-40 r2\nwait 40-45 r3\nwait 45-55 r1\ncompute 55-60\ncall 60-65 wait\ncall 65-70\n"
          "isend 70-75 peer 1 tag 3 bytes 65 group 0 r1\ncall 75-80 wait\ncall 80-82\n",
          "irecv 0-1 peer 0 tag 3 bytes 64 group 0 r1\nisend 1-3 peer 0 tag 9 bytes 256 group 0 r2\nwait 3-4 r1\n"
          "wait 4-5 r2\nirecv 5-7 peer 2 tag 4 bytes 32 group 0 r2\nwait 7-9 r2\n",
          "isend 0-1 peer 1 tag 4 bytes 32 group 0 r1 exchanges\nrecv 1-8 peer 0 tag 1 bytes 16 group 0\nwait 8-10 r1\n"
          "isend 10-18 peer 1 tag 4 bytes 32 group 0 r1 exchanges\nrecv 18 peer 0 tag 1 bytes 16 group 0\nwait 18-20 "
          "r1\n");
}

static void test_phases(void)
{
    static const struct script_event events[] = {
        {0, S_ENTER, 0, MAIN},      {0, S_ENTER, 10, PHASE, 2}, /* control, with a call inside */
        {0, S_ENTER, 20, SEND},     {0, S_SEND, 20, 0, 0, 0, 1}, {0, S_LEAVE, 25, SEND},  {0, S_LEAVE, 40, PHASE, 7, 3},
        {0, S_ENTER, 40, OTHER, 1},                             /* useful: no time, but operations */
        {0, S_LEAVE, 40, OTHER, 5}, {0, S_ENTER, 50, OTHER, 3}, /* idle */
        {0, S_LEAVE, 60, OTHER},    {0, S_ENTER, 60, PHASE},    /* a scope; of the same name as another region */
        {0, S_ENTER, 61, OTHER},    {0, S_LEAVE, 62, OTHER},     {0, S_LEAVE, 63, PHASE}, {0, S_ENTER, 63, WRITE},
        {0, S_LEAVE, 70, WRITE},    {0, S_ENTER, 70, WRITE, 1}, /* input and output that the program says is useful */
        {0, S_LEAVE, 80, WRITE},    {0, S_LEAVE, 80, MAIN},
    };
    CHECK("phases", ((struct script){SCRIPT(1, events)}),
          "enter main 0\ncompute 0-10\ncompute 10-20 control\nsend 20-25 peer 0 tag 0 bytes 1 group 0\n"
          "compute 25-40 operations 7 quantums 3 control\ncompute 40 operations 5 quantums 0\ncompute 40-50\n"
          "sleep 50-60\nenter phase 60\ncompute 60-61\nenter phase 61\ncompute 61-62\nleave phase 62\ncompute 62-63\n"
          "leave phase 63\ncall 63-70 output\ncall 70-80 output\nleave main 80\n");
}

/* Kinds of calls without messages: by the region, by its role, or by operations on files within. */
static void test_calls(void)
{
    static const struct script_event events[] = {
        {0, S_ENTER, 0, FILE_READ},
        {0, S_LEAVE, 10, FILE_READ, .e = 4096},
        {0, S_ENTER, 10, FILE_SEEK},
        {0, S_LEAVE, 20, FILE_SEEK},
        {0, S_ENTER, 20, FILE_READ}, /* the bytes of what it uses are not counted again */
        {0, S_IO_BEGIN, 21, OTF2_IO_OPERATION_MODE_READ},
        {0, S_ENTER, 22, WRITE},
        {0, S_IO_BEGIN, 22, OTF2_IO_OPERATION_MODE_WRITE},
        {0, S_IO_END, 23, .d = 512},
        {0, S_LEAVE, 23, WRITE},
        {0, S_IO_END, 29, .d = 100},
        {0, S_IO_END, 29, .d = 28},
        {0, S_LEAVE, 30, FILE_READ},
        {0, S_ENTER, 30, OTHER, 4}, /* receive, send */
        {0, S_LEAVE, 40, OTHER},
        {0, S_ENTER, 40, OTHER, 5},
        {0, S_LEAVE, 50, OTHER},
        {0, S_ENTER, 50, LINKS, 2},
        {0, S_LEAVE, 60, LINKS},
        {0, S_ENTER, 60, LINKS}, /* without a role nothing is known of it */
        {0, S_LEAVE, 70, LINKS},
        {0, S_ENTER, 70, FILE_SEEK}, /* only its operation says that it writes */
        {0, S_IO_BEGIN, 71, OTF2_IO_OPERATION_MODE_WRITE},
        {0, S_IO_END, 72, .d = UINT64_MAX},
        {0, S_LEAVE, 80, FILE_SEEK},
        {1, S_ENTER, 0, OTHER, 3}, /* idle, until another rank has done with the processor */
        {1, S_LEAVE_IDLE, 10, OTHER, 0},
        {1, S_ENTER, 10, OTHER, 3}, /* ... which cannot be itself, or none of the ranks */
        {1, S_LEAVE_IDLE, 20, OTHER, 1},
        {1, S_ENTER, 20, OTHER, 3},
        {1, S_LEAVE_IDLE, 30, OTHER, 2},
    };
    CHECK("calls", ((struct script){SCRIPT(2, events)}),
          "call 0-10 read bytes 4096\ncall 10-20 library\ncall 20-30 read bytes 128\ncall 30-40 receive\ncall 40-50 "
          "send\n"
          "call 50-60 control\ncall 60-70\ncall 70-80 write bytes 9223372036854775807\n",
          "sleep 0-10 for 0\nsleep 10-20\nsleep 20-30\n");
}

/* A number of events in the definitions that is not that of the file, as APEX 1.2 writes it, is counted and otherwise
 * of no account: a file that is too short has no end, and that the library says. */
static void test_miscount(void)
{
    static const struct script_event events[] = {
        {0, S_ENTER, 1, MAIN}, {0, S_LEAVE, 7, MAIN}, {1, S_ENTER, 2, MAIN}, {1, S_LEAVE, 9, MAIN}};
    static const int miscounts[] = {0, 1, -1, 40000};
    for (int i = 0; i < COUNT(miscounts); i++) {
        struct script script = {SCRIPT(2, events), .regions = regions, .n_regions = COUNT(regions),
                                .miscount = miscounts[i]};
        struct record_reader reader;
        struct sim_error error;
        new_folder();
        script_write(&script, folder);
        CU_ASSERT_EQUAL_FATAL(record_open(&reader, anchor, &error), 0);
        CU_ASSERT_EQUAL(reader.info.n_miscounted, miscounts[i] != 0 ? 2 : 0);
        CU_ASSERT_FALSE(reader.info.is_cut);
        char *found = records_of(&reader, 1);
        expect_text("miscounted", 1, found, "enter main 2\ncompute 2-9\nleave main 9\n");
        free(found);
        record_close(&reader);
        remove_tree(folder);
    }
}

/* A run is complete by the archive's own word, or because the archive does not say how many events there are. */
static void test_cut(void)
{
    static const struct script_event events[] = {{0, S_BEGIN, 0}, {0, S_ENTER, 1, MAIN}, {0, S_LEAVE, 7, MAIN}};
    static const struct {
        const char *name, *complete;
        bool unknown_ends, zero_ends, is_cut;
    } rows[] = {
        {"nothing said", NULL, false, false, false},
        {"complete", "true", false, false, false},
        {"not complete", "false", false, false, true},
        {"numbers of events unknown", NULL, true, false, true},
        {"numbers of events unknown, but complete", "true", true, false, true},
        {"numbers of events not written", NULL, false, true, true},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        struct script script = {SCRIPT(2, events), .regions = regions, .n_regions = COUNT(regions),
                                .unknown_ends = rows[i].unknown_ends, .zero_ends = rows[i].zero_ends};
        struct record_reader reader;
        struct sim_error error;
        if (rows[i].complete != NULL) {
            script.properties[0] = "EPPA::COMPLETE";
            script.properties[1] = rows[i].complete;
        }
        new_folder();
        script_write(&script, folder);
        CU_ASSERT_EQUAL_FATAL(record_open(&reader, anchor, &error), 0);
        if (reader.info.is_cut != rows[i].is_cut)
            fprintf(stderr, "\n%s: is_cut is %d\n", rows[i].name, reader.info.is_cut);
        CU_ASSERT_EQUAL(reader.info.is_cut, rows[i].is_cut);
        char *found = records_of(&reader, 0);
        expect_text(rows[i].name, 0, found, "compute 0-1\nenter main 1\ncompute 1-7\nleave main 7\n");
        free(found);
        record_close(&reader);
        remove_tree(folder);
    }
    static const struct script_event open[] = {
        {0, S_ENTER, 1, MAIN},  {0, S_ENTER, 2, RECV},   {0, S_LEAVE, 5, RECV}, {0, S_ENTER, 7, RECV},  {0, S_END, 9},
        {1, S_ENTER, 4, PROBE}, {1, S_LEAVE, 10, PROBE}, {1, S_END, 10},        {2, S_ENTER, 1, WRITE}, {2, S_END, 3},
    };
    CHECK("regions that are open in the end",
          ((struct script){SCRIPT(3, open), .properties = {"EPPA::COMPLETE", "false"}}),
          "enter main 1\ncompute 1-2\ncall 2-5\ncompute 5-7\ncall 7-9 cut in MPI_Recv\nleave main 9\n",
          "call 4-10 cut in MPI_Probe\n", "call 1-3 output\n");
    static const struct script_event awaiting[] = {
        {0, S_ENTER, 1, RECV}, {0, S_LEAVE_CUT, 9, RECV, 1, 1}, {0, S_END, 9, 1},
        {1, S_ENTER, 1, RECV}, {1, S_LEAVE_CUT, 9, RECV, 0, 0}, {1, S_END, 9, 1},
        {2, S_ENTER, 1, RECV}, {2, S_LEAVE_CUT, 9, RECV, 8, 1}, {2, S_END, 9, 1},
    };
    CHECK("whom a call that was cut off waited for: one, any, one that is not there",
          ((struct script){SCRIPT(3, awaiting), .properties = {"EPPA::COMPLETE", "false"}}),
          "call 1-9 cut in MPI_Recv for 2\n", "call 1-9 cut in MPI_Recv\n", "call 1-9 cut in MPI_Recv\n");
    CHECK("the same where only the numbers of events say that it was cut",
          ((struct script){SCRIPT(3, awaiting), .zero_ends = true}), "call 1-9 cut in MPI_Recv for 2\n",
          "call 1-9 cut in MPI_Recv\n", "call 1-9 cut in MPI_Recv\n");
}

/* Calls of other threads that are missing do not make an aborted run of one that came to its end. */
static void test_unrecorded(void)
{
    static const struct {
        const char *calls;
        uint64_t status;
        int64_t n_unrecorded;
        bool is_cut;
    } rows[] = {{"40", 0, 40, false}, {"40", 1, 40, true}, {"0", 0, 0, true}, {"-1", 0, INT64_MAX, false}};
    for (int i = 0; i < COUNT(rows); i++) {
        const struct script_event events[] = {{0, S_BEGIN, 0}, {0, S_END, 7}, {1, S_END, 7, rows[i].status}};
        const struct script script = {
            SCRIPT(2, events), .properties = {"EPPA::COMPLETE", "false", "EPPA::UNRECORDED_CALLS", rows[i].calls}};
        struct record_reader reader;
        struct sim_error error;
        new_folder();
        script_write(&script, folder);
        CU_ASSERT_EQUAL_FATAL(record_open(&reader, anchor, &error), 0);
        CU_ASSERT_EQUAL(reader.info.n_unrecorded, rows[i].n_unrecorded);
        CU_ASSERT_EQUAL(reader.info.is_cut, rows[i].is_cut);
        record_close(&reader);
        remove_tree(folder);
    }
}

/* Times in ticks of another resolution, from another beginning, by a clock that is wrong and drifts, and with a
 * location's own identifiers. */
static void test_clock(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 1000},       {0, S_END, 1003},          {1, S_ENTER, 0, MAIN},
        {1, S_ENTER, 500, PHASE}, {1, S_LEAVE, 1000, PHASE}, {1, S_LEAVE, 1000, MAIN},
    };
    /* Location 1: 0 -> 1000, 500 -> 1550, 1000 -> 2100. */
    CHECK("clock",
          ((struct script){SCRIPT(2, events), .resolution = 3000000000, .offset = 1000, .has_clock_offset = true,
                           .clock_offset = {1000, 1100}, .maps_regions = true}),
          "compute 0-1000\n",
          "enter main 0\ncompute 0-183333\nenter phase 183333\ncompute 183333-366666\nleave phase 366666\nleave main "
          "366666\n");
    static const struct script_event early[] = {
        {0, S_BEGIN, 990}, {0, S_END, 1010}, {1, S_BEGIN, 1000}, {1, S_END, 1001}};
    CHECK("before the beginning", ((struct script){SCRIPT(2, early), .offset = 1000}), "compute 0-20\n",
          "compute 10-11\n");
}

static void test_collectives(void)
{
    static const struct script_event events[] = {
        {0, S_ENTER, 0, BCAST},
        {0, S_COLLECTIVE, 5, OTF2_COLLECTIVE_OP_BCAST, 1, 1, 0, 64},
        {0, S_LEAVE, 10, BCAST, .d = 1 + 4},
        {0, S_ENTER, 10, IBCAST},
        {0, S_COLLECTIVE_BEGUN, 10, .e = 7},
        {0, S_LEAVE, 11, IBCAST},
        {0, S_ENTER, 20, WAIT},
        {0, S_COLLECTIVE_DONE, 25, OTF2_COLLECTIVE_OP_ALLREDUCE, 0, OTF2_COLLECTIVE_ROOT_NONE, 24, 24},
        {0, S_LEAVE, 30, WAIT},
        {0, S_ENTER, 30, BCAST},
        {0, S_COLLECTIVE, 31, OTF2_COLLECTIVE_OP_CREATE_HANDLE, 0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0},
        {0, S_LEAVE, 33, BCAST},
        {0, S_ENTER, 33, BCAST},
        {0, S_COLLECTIVE, 34, OTF2_COLLECTIVE_OP_BARRIER, 4, OTF2_COLLECTIVE_ROOT_NONE, 0, 0},
        {0, S_LEAVE, 35, BCAST},
        {0, S_ENTER, 35, SEND}, /* over an intercommunicator, to the second of the other side */
        {0, S_SEND, 36, 1, 4, 0, 10},
        {0, S_LEAVE, 37, SEND},
        {0, S_ENTER, 37, BCAST}, /* over it, too: only the time is left */
        {0, S_COLLECTIVE, 38, OTF2_COLLECTIVE_OP_BCAST, 4, OTF2_COLLECTIVE_ROOT_SELF, 8, 8},
        {0, S_LEAVE, 39, BCAST},
        {2, S_ENTER, 0, RECV},
        {2, S_RECV, 36, 0, 4, 0, 10},
        {2, S_LEAVE, 37, RECV},
        {2, S_ENTER, 40, BCAST},
        {2, S_COLLECTIVE, 41, OTF2_COLLECTIVE_OP_BCAST, 3, 0, 8, 8},
        {2, S_LEAVE, 42, BCAST},
    };
    CHECK("collectives", ((struct script){SCRIPT(3, events)}),
          "collective 0-10 1 root 0 bytes 64 group 1 idle 4\ncall 10-11\ncompute 11-20\n"
          "collective 20-30 3 root -1 bytes 8 group 0\ncall 30-33\ncollective 33-35 0 root -1 bytes 0 group 6\n"
          "send 35-37 peer 2 tag 0 bytes 10 group 6\ncall 37-39\n",
          "", "recv 0-37 peer 0 tag 0 bytes 10 group 6\ncompute 37-40\ncollective 40-42 1 root 2 bytes 8 group 5\n");
}

/* Blocks of b bytes on n members, as Score-P counts them; `me` is the root where there is one and is_root. */
static void test_sizes(void)
{
    enum { B = 1000 };
    static const struct {
        const char *name;
        uint8_t op;
        bool is_root;
        uint64_t n, me, sent, received;
        int kind;
        uint64_t bytes;
    } rows[] = {
        {"barrier", OTF2_COLLECTIVE_OP_BARRIER, false, 5, 1, 0, 0, RECORD_BARRIER, 0},
        {"broadcast, root", OTF2_COLLECTIVE_OP_BCAST, true, 5, 1, 5 * B, B, RECORD_BROADCAST, B},
        {"broadcast, other", OTF2_COLLECTIVE_OP_BCAST, false, 5, 1, 0, B, RECORD_BROADCAST, B},
        {"gather, root", OTF2_COLLECTIVE_OP_GATHER, true, 5, 1, B, 5 * B, RECORD_GATHER, B},
        {"gather, root in place", OTF2_COLLECTIVE_OP_GATHER, true, 5, 1, 0, 4 * B, RECORD_GATHER, B},
        {"gather, other", OTF2_COLLECTIVE_OP_GATHER, false, 5, 1, B, 0, RECORD_GATHER, B},
        {"gatherv, root", OTF2_COLLECTIVE_OP_GATHERV, true, 5, 1, 17, 5 * B, RECORD_GATHER, 17},
        {"gatherv, other", OTF2_COLLECTIVE_OP_GATHERV, false, 5, 1, 18, 0, RECORD_GATHER, 18},
        {"scatter, root", OTF2_COLLECTIVE_OP_SCATTER, true, 5, 1, 5 * B, B, RECORD_SCATTER, B},
        {"scatter, root in place", OTF2_COLLECTIVE_OP_SCATTER, true, 5, 1, 4 * B, 0, RECORD_SCATTER, B},
        {"scatter, other", OTF2_COLLECTIVE_OP_SCATTER, false, 5, 1, 0, B, RECORD_SCATTER, B},
        {"scatterv, root", OTF2_COLLECTIVE_OP_SCATTERV, true, 5, 1, 5 * B, 17, RECORD_SCATTER, B},
        {"scatterv, other", OTF2_COLLECTIVE_OP_SCATTERV, false, 5, 1, 0, 18, RECORD_SCATTER, 18},
        {"allgather", OTF2_COLLECTIVE_OP_ALLGATHER, false, 7, 1, 7 * B, 7 * B, RECORD_ALLGATHER, B},
        {"allgather in place", OTF2_COLLECTIVE_OP_ALLGATHER, false, 7, 1, 6 * B, 6 * B, RECORD_ALLGATHER, B},
        {"allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV, false, 7, 1, 7 * 19, 5 * B, RECORD_ALLGATHER, 19},
        {"alltoall", OTF2_COLLECTIVE_OP_ALLTOALL, false, 7, 1, 7 * B, 7 * B, RECORD_ALLTOALL, B},
        {"alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV, false, 7, 1, 7 * B + 6, 5, RECORD_ALLTOALL, B},
        {"alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW, false, 7, 1, 6, 5, RECORD_ALLTOALL, 0},
        {"allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, false, 7, 1, 7 * B, 7 * B, RECORD_ALLREDUCE, B},
        {"allreduce, alone", OTF2_COLLECTIVE_OP_ALLREDUCE, false, 1, 0, B, B, RECORD_ALLREDUCE, B},
        {"reduce, root", OTF2_COLLECTIVE_OP_REDUCE, true, 5, 1, B, 5 * B, RECORD_REDUCE, B},
        {"reduce, root in place", OTF2_COLLECTIVE_OP_REDUCE, true, 5, 1, 0, 4 * B, RECORD_REDUCE, B},
        {"reduce, other", OTF2_COLLECTIVE_OP_REDUCE, false, 5, 1, B, 0, RECORD_REDUCE, B},
        {"reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER, false, 7, 1, 5 * B, 7 * 17, RECORD_REDUCE_SCATTER, 17},
        {"reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, false, 7, 1, 7 * B, 7 * B,
         RECORD_REDUCE_SCATTER, B},
        {"scan, first", OTF2_COLLECTIVE_OP_SCAN, false, 7, 0, 7 * B, B, RECORD_SCAN, B},
        {"scan", OTF2_COLLECTIVE_OP_SCAN, false, 7, 2, 5 * B, 3 * B, RECORD_SCAN, B},
        {"scan, last", OTF2_COLLECTIVE_OP_SCAN, false, 7, 6, B, 7 * B, RECORD_SCAN, B},
        {"scan, first in place", OTF2_COLLECTIVE_OP_SCAN, false, 7, 0, 6 * B, 0, RECORD_SCAN, B},
        {"scan in place", OTF2_COLLECTIVE_OP_SCAN, false, 7, 2, 4 * B, 2 * B, RECORD_SCAN, B},
        {"scan, last in place", OTF2_COLLECTIVE_OP_SCAN, false, 7, 6, 0, 6 * B, RECORD_SCAN, B},
        {"exscan, first", OTF2_COLLECTIVE_OP_EXSCAN, false, 7, 0, 6 * B, 0, RECORD_EXSCAN, B},
        {"exscan", OTF2_COLLECTIVE_OP_EXSCAN, false, 7, 2, 4 * B, 2 * B, RECORD_EXSCAN, B},
        {"exscan, last", OTF2_COLLECTIVE_OP_EXSCAN, false, 7, 6, 0, 6 * B, RECORD_EXSCAN, B},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        struct otf_collective call = {rows[i].op, rows[i].is_root, rows[i].n,
                                      rows[i].me, rows[i].sent,    rows[i].received};
        int kind = otf_collective_kind(rows[i].op);
        uint64_t bytes = otf_collective_bytes(&call);
        if (kind != rows[i].kind || bytes != rows[i].bytes)
            fprintf(stderr, "\n%s: %d, %" PRIu64 " bytes\n", rows[i].name, kind, bytes);
        CU_ASSERT_EQUAL(kind, rows[i].kind);
        CU_ASSERT_EQUAL(bytes, rows[i].bytes);
    }
    CU_ASSERT_EQUAL(otf_collective_kind(OTF2_COLLECTIVE_OP_CREATE_HANDLE), -1);
    CU_ASSERT_EQUAL(otf_collective_kind(UINT8_MAX), -1);
}

/* Threads beside the ranks are not read, with and without a group that says who the ranks are. */
static void test_locations(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 0}, {0, S_END, 7},         {1, S_BEGIN, 0}, {1, S_END, 8},
        {2, S_BEGIN, 0}, {2, S_LEAVE, 9, MAIN}, {2, S_END, 10},
    };
    for (int i = 0; i < 2; i++)
        CHECK("locations", ((struct script){SCRIPT(2, events), .n_others = 1, .without_world = i == 1}),
              "compute 0-7\n", "compute 0-8\n");
}

static void test_info(void)
{
    static const struct script_event events[] = {{0, S_BEGIN, 5}, {1, S_BEGIN, 0}, {1, S_END, 40}, {0, S_END, 10}};
    struct script script = {
        SCRIPT(3, events), .regions = regions,      .n_regions = COUNT(regions),
        .comms = comms,    .n_comms = COUNT(comms), .properties = {"EPPA::PARAMETER::W", "1e9", "OTHER::NAME", "x"}};
    static const int members[][4] = {{3, 0, 1, 2}, {2, 2, 0}, {2, 2, 0}, {1, 0}, {1, 1}, {1, 2}, {3, 0, 1, 2}};
    struct record_reader reader;
    struct sim_error error;
    new_folder();
    script_write(&script, folder);
    CU_ASSERT_EQUAL_FATAL(record_open(&reader, anchor, &error), 0);
    const struct record_info *info = &reader.info;
    CU_ASSERT_EQUAL(info->end_ps, 40);
    CU_ASSERT_EQUAL_FATAL(info->n_groups, COUNT(members));
    for (int i = 0; i < COUNT(members); i++) {
        CU_ASSERT_EQUAL_FATAL(info->groups[i].n_members, members[i][0]);
        for (int j = 0; j < members[i][0]; j++)
            CU_ASSERT_EQUAL(info->groups[i].members[j], members[i][1 + j]);
    }
    CU_ASSERT_EQUAL_FATAL(info->n_scopes, 17);
    CU_ASSERT_STRING_EQUAL(info->scopes[0], "");
    CU_ASSERT_STRING_EQUAL(info->scopes[1], "main");
    CU_ASSERT_STRING_EQUAL(info->scopes[2], "phase");
    CU_ASSERT_STRING_EQUAL(info->scopes[3], "pthread_join");
    CU_ASSERT_PTR_NOT_NULL_FATAL(info->parameters);
    CU_ASSERT_STRING_EQUAL(info->parameters[0], "W");
    CU_ASSERT_STRING_EQUAL(info->parameters[1], "1e9");
    CU_ASSERT_PTR_NULL(info->parameters[2]);
    record_close(&reader);
    remove_tree(folder);
}

/* The library of MPI: nothing, one, and a name that is too long. */
static void test_library(void)
{
    static const struct script_event events[] = {{0, S_BEGIN, 5}, {0, S_END, 10}};
    static char name[200];
    struct sim_error error;
    memset(name, 'x', sizeof name - 1);
    const struct {
        const char *property, *value, *expected;
    } rows[] = {{"EPPA::PARAMETER::MPI_LIBRARY", "Open MPI", NULL},
                {"EPPA::MPI_LIBRARY", "", NULL},
                {"EPPA::MPI_LIBRARY", "Open MPI v4.1.4, ident: 4.1.4", "Open MPI v4.1.4, ident: 4.1.4"},
                {"EPPA::MPI_LIBRARY", name, name + sizeof name - 96}};
    for (int i = 0; i < COUNT(rows); i++) {
        struct record_reader reader;
        struct script script = {SCRIPT(1, events), .properties = {rows[i].property, rows[i].value}};
        new_folder();
        script_write(&script, folder);
        CU_ASSERT_EQUAL_FATAL(record_open(&reader, anchor, &error), 0);
        const char *found = reader.info.library;
        CU_ASSERT_EQUAL(found == NULL, rows[i].expected == NULL);
        CU_ASSERT_TRUE(found == NULL || rows[i].expected == NULL || strcmp(found, rows[i].expected) == 0);
        record_close(&reader);
        remove_tree(folder);
    }
}

/* More events than fit into one chunk of the library, a receive that is pending all the while, and memory that does not
 * follow: what a rank has is freed at its end and taken anew after rewinding. */
static void test_long(void)
{
    enum { MESSAGES = 20000 };
    struct script_event *events = xcalloc(3 * MESSAGES + 2, sizeof *events);
    struct record_reader reader;
    struct sim_error error;
    struct record record;
    int n = 0;
    events[n++] = (struct script_event){0, S_IRECV, 0, .e = UINT64_C(1) << 40};
    for (uint64_t i = 1; i <= MESSAGES; i++) {
        events[n++] = (struct script_event){0, S_ENTER, 10 * i, RECV};
        events[n++] = (struct script_event){0, S_RECV, 10 * i + 5, 1, 0, (uint32_t)i, i};
        events[n++] = (struct script_event){0, S_LEAVE, 10 * i + 5, RECV};
    }
    events[n++] = (struct script_event){0, S_IRECV_DONE, 10 * MESSAGES + 10, 1, 0, 77, 88, UINT64_C(1) << 40};
    struct script script = {
        .n_ranks = 2, .regions = regions, .n_regions = COUNT(regions), .events = events, .n_events = n};
    new_folder();
    script_write(&script, folder);
    CU_ASSERT_EQUAL_FATAL(record_open(&reader, anchor, &error), 0);
    for (int round = 0; round < 2; round++) {
        int64_t n_received = 0, wrong = 0;
        CU_ASSERT_EQUAL(record_next(&reader, 0, &record, &error), 1);
        CU_ASSERT_TRUE(record.kind == RECORD_IRECV && record.peer == 1 && record.tag == 77 && record.bytes == 88);
        while (record_next(&reader, 0, &record, &error) == 1)
            if (record.kind == RECORD_RECV)
                wrong += record.bytes != ++n_received || record.start_ps != 10 * n_received;
        CU_ASSERT_EQUAL(n_received, MESSAGES);
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT_EQUAL(record.kind, RECORD_WAIT);
        CU_ASSERT_EQUAL(record_rewind(&reader, &error), 0);
    }
    record_close(&reader);
    remove_tree(folder);
    free(events);
}

int main(void)
{
    static const struct test tests[] = {
        {"blocking", test_blocking},
        {"nonblocking", test_nonblocking},
        {"phases", test_phases},
        {"calls", test_calls},
        {"miscount", test_miscount},
        {"cut", test_cut},
        {"unrecorded", test_unrecorded},
        {"library of MPI", test_library},
        {"clock", test_clock},
        {"collectives", test_collectives},
        {"sizes", test_sizes},
        {"locations", test_locations},
        {"info", test_info},
        {"long", test_long},
        {NULL, NULL},
    };
    return testing_run("read_otf2", tests);
}
