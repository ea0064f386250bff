/* The reader of TI traces: what every action becomes, what is refused and where, and that the forms of a trace say the
 * same.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "trace/formats.h"
#include "trace/record/record.h"
#include "trace/ti/pending.h"
#include "trace/ti/text.h"
#include "trace/ti/writer.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = P_tmpdir "/test-read-ti-XXXXXX";

/* --- helpers --- */

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_bytes(const char *name, const char *bytes, size_t size)
{
    FILE *stream = fopen(path_of(name), "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
}

static void write_text(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

static void describe_blocks(char *text, size_t size, const struct record *record, int n_ranks)
{
    for (int r = 0; record->blocks != NULL && r < n_ranks; r++)
        snprintf(text + strlen(text), size - strlen(text), "%s%" PRId64, r == 0 ? "[" : ",", record->blocks[r]);
    if (record->blocks != NULL)
        snprintf(text + strlen(text), size - strlen(text), "]");
}

/* "kind peer tag bytes ...", with what is of interest for the kind. */
static void describe(char *text, size_t size, const struct record *record, int n_ranks)
{
    static const char *const kinds[] = {"compute", "sleep", "send", "recv", "isend", "irecv", "wait"};
    static const char *const collectives[] = {"barrier", "broadcast", "reduce",  "allreduce", "scan",          "exscan",
                                              "gather",  "allgather", "scatter", "alltoall",  "reduce_scatter"};
    size_t used = strlen(text);
    switch (record->kind) {
    case RECORD_COMPUTE:
        snprintf(text + used, size - used, "compute %.17g%s;", record->flops, record->control ? " control" : "");
        break;
    case RECORD_SLEEP:
        snprintf(text + used, size - used, "sleep %" PRId64 ";", record->end_ps - record->start_ps);
        break;
    case RECORD_WAIT:
        if (record->request == RECORD_ALL_REQUESTS)
            snprintf(text + used, size - used, "wait all;");
        else
            snprintf(text + used, size - used, "wait #%" PRIu32 ";", record->request);
        break;
    case RECORD_COLLECTIVE:
        snprintf(text + used, size - used, "%s %d %" PRId64 " %g", collectives[record->collective], record->peer,
                 record->bytes, record->flops);
        describe_blocks(text, size, record, n_ranks);
        strncat(text, ";", size - strlen(text) - 1);
        break;
    default:
        snprintf(text + used, size - used, "%s %d %d %" PRId64 "%s", kinds[record->kind], record->peer, record->tag,
                 record->bytes, record->synchronous ? " synchronous" : "");
        used = strlen(text);
        if (record->request != 0)
            snprintf(text + used, size - used, " #%" PRIu32 "%s", record->request,
                     record->exchanges ? " exchanges" : "");
        strncat(text, ";", size - strlen(text) - 1);
    }
}

/* All records of a rank; -1 if there is an error, which is then in *error. */
static int read_rank(char *text, size_t size, struct record_reader *reader, int rank, struct sim_error *error)
{
    struct record record;
    int status;
    text[0] = '\0';
    while ((status = record_next(reader, rank, &record, error)) == 1)
        describe(text, size, &record, reader->info.n_ranks);
    return status;
}

static int read_file(char *text, size_t size, const char *name, int rank, struct sim_error *error)
{
    struct record_reader reader;
    if (record_open(&reader, path_of(name), error) != 0)
        return -1;
    int status = read_rank(text, size, &reader, rank, error);
    record_close(&reader);
    return status;
}

/* --- what actions become --- */

#define REST "1 init\n1 finalize\n2 init\n2 finalize\n"

static const struct {
    const char *lines, *records; /* of rank 0 of three */
} good[] = {
    {"0 init\n0 finalize\n", ""},
    {"# a comment\n\n  \t\n0\tinit \t1\r\n 0 send 1 0 3\r\n0 finalize\r\n", "send 1 0 24;"},
    {"0 init\n0 send 1 0 3\n0 finalize\n", "send 1 0 3;"},
    {"0 send 2 2147483647 3 0\n", "send 2 2147483647 24;"},
    {"0 send 1 0 3 6 synchronous\n", "send 1 0 3 synchronous;"},
    {"0 send 1 0 281474976710656 27\n", "send 1 0 9007199254740992;"},
    {"0 recv 1 0 3 1\n", "recv 1 0 12;"},
    {"0 recv 1 0 -1 1\n0 recv 1 0 18446744073709551615 6\n", "recv 1 0 -1;recv 1 0 -1;"},
    {"0 compute 0\n0 compute 1e6\n0 compute 2.5E-1\n0 compute 123456789012345678901234567890\n",
     "compute 0;compute 1000000;compute 0.25;compute 1.2345678901234568e+29;"},
    {"0 compute 5.e+2 control\n0 compute .5\n", "compute 500 control;compute 0.5;"},
    {"0 sleep 1.0000000000015\n0 sleep 1e-12\n0 sleep 4.9e-13\n0 sleep 2305843\n",
     "sleep 1000000000002;sleep 1;sleep 0;sleep 2305843000000000000;"},
    {"0 isend 1 7 8 6\n0 irecv 2 7 8 6\n0 wait 2 0 7\n0 wait 0 1 7\n",
     "isend 1 7 8 #1;irecv 2 7 8 #2;wait #2;wait #1;"},
    {"0 isend 1 7 8 6\n0 isend 1 7 9 6\n0 wait 0 1 7\n0 wait 0 1 7\n",
     "isend 1 7 8 #1;isend 1 7 9 #2;wait #1;wait #2;"},
    {"0 isend 1 7 8 6\n0 wait 0 1 6\n0 test 0 1 7\n0 wait 0 1 7\n", "isend 1 7 8 #1;wait #1;"},
    {"0 isend 1 7 8 6\n0 irecv 1 7 8 6\n0 isend 2 7 8\n0 wait 1 0 7\n0 waitall 3\n0 waitall\n",
     "isend 1 7 8 #1;irecv 1 7 8 #2;isend 2 7 8 #3;wait #2;wait all;"},
    {"0 sendRecv 5 1 6 2 1 0\n0 isend 1 0 1\n", "isend 1 0 20 #1 exchanges;recv 2 0 48;wait #1;isend 1 0 1 #2;"},
    {"0 bcast 5e4\n0 bcast 1.5e+2 2\n", "broadcast 0 50000 0;broadcast 2 150 0;"},
    {"0 barrier\n0 bcast 10\n0 bcast 10 2\n0 bcast 10 1 0\n",
     "barrier -1 0 0;broadcast 0 10 0;broadcast 2 10 0;broadcast 1 80 0;"},
    {"0 reduce 10 1e3\n0 reduce 10 5 1 1\n0 allreduce 10 5 1\n0 scan 3 0\n0 exscan 3 1 0\n",
     "reduce 0 10 1000;reduce 1 40 5;allreduce -1 40 5;scan -1 3 0;exscan -1 24 1;"},
    {"0 alltoall 2 3 1 6\n0 allgather 2 3\n", "alltoall -1 8 0;allgather -1 2 0;"},
    {"0 gather 2 3 0 1 0\n0 gather 2 3 1 1 0\n", "gather 0 24 0;gather 1 8 0;"},
    {"0 scatter 2 3 0 1 0\n0 scatter 2 3 1 1 0\n", "scatter 0 8 0;scatter 1 24 0;"},
    {"0 gatherv 9 1 2 3 0 6 1\n0 gatherv 9 1 2 3 2 6 1\n", "gather 0 4 0[4,8,12];gather 2 9 0[9,8,12];"},
    {"0 allgatherv 9 1 2 3\n0 allgatherv 9 1 2 3 6 1 0 10 20\n", "allgather -1 1 0[1,2,3];allgather -1 4 0[4,8,12];"},
    {"0 scatterv 1 2 3 9 0 1 6\n0 scatterv 1 2 3 9 1 6 1\n", "scatter 0 4 0[4,8,12];scatter 1 36 0[36,2,3];"},
    {"0 reducescatter 1 2 3 4e2 1\n", "reduce_scatter -1 4 400[4,8,12];"},
    {"0 alltoallv 100 1 2 3 100 4 5 6 1 1\n", "alltoall -1 4 0[4,8,12];"},
    {"0 location a.c 12\n0 comm_size 3\n0 comm_split 1 2 3\n0 comm_dup 0\n", ""},
};

static void test_actions(void)
{
    char text[4096], records[2048];
    struct sim_error error = {0};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        snprintf(text, sizeof text, "%s%s", good[i].lines, REST);
        write_text("x.ti", text);
        int status = read_file(records, sizeof records, "x.ti", 0, &error);
        if (status != 0 || strcmp(records, good[i].records) != 0) {
            fprintf(stderr, "\n  %s gives (%d, %s)\n  %s\n  instead of\n  %s", good[i].lines, status,
                    status == 0 ? "" : error.message, records, good[i].records);
            CU_FAIL("an action is read wrongly");
        }
    }
}

/* The last line needs no end. */
static void test_last_line(void)
{
    char records[256];
    struct sim_error error = {0};
    write_text("x.ti", "0 compute 1\n0 compute 25");
    CU_ASSERT_EQUAL(read_file(records, sizeof records, "x.ti", 0, &error), 0);
    CU_ASSERT_STRING_EQUAL(records, "compute 1;compute 25;");
}

/* --- what is refused --- */

static const struct {
    const char *text, *message; /* %s is the folder */
} bad[] = {
    {"", "x.ti: is empty"},
    {"# nothing\n\n", "x.ti: has neither a line of a TI trace nor the name of a file"},
    {"\x7f"
     "FLE\x01\x02\n",
     "x.ti:1: is neither a line of a TI trace nor the name of a file"},
    {"none.txt\n", "x.ti:1: is neither a line of a TI trace nor the name of a file with one: "},
    {"none.txt\n", "none.txt: No such file"},
    {"# 1\np_0 compute 5\n", "x.ti:2: is neither a line of a TI trace nor the name of a file with one: "},
    {".\n", "is a folder, not a trace"},
    {"0 init\n0 fly 1\n0 finalize\n", "x.ti:2: unknown action 'fly'; known: send recv"},
    {"0 init\n0\n", "x.ti:2: the line ends where it must have an action"},
    {"0 init\nhello\n", "x.ti:2: 'hello' found where a line of a TI trace has its rank, 0 ... 65535"},
    {"0 init\n-1 init\n", "x.ti:2: '-1' found where a line"},
    {"0 init\n65536 init\n", "x.ti:2: '65536' found where a line"},
    {"0 init\n1x init\n", "x.ti:2: '1x' found where a line"},
    {"0 init\n2 init\n", "x.ti: has lines of rank 2, but none of rank 1"},
    {"0 send\n", "x.ti:1: send: the line ends where it must have the destination"},
    {"0 send 0\n", "x.ti:1: send: the line ends where it must have the tag"},
    {"0 send 0 0\n", "x.ti:1: send: the line ends where it must have the count"},
    {"0 send 1 0 8\n", "x.ti:1: send: the destination '1' is not a whole number within 0 ... 0"},
    {"0 send -333 0 8\n",
     "the destination '-333' is not a whole number within 0 ... 0; it stands for MPI_PROC_NULL, to which nothing"},
    {"0 isend 0 0 8\n0 wait 0 -333 0\n", "it stands for MPI_PROC_NULL"},
    {"0 send 0 -444 8\n", "x.ti:1: send: the tag '-444' is not a whole number within 0 ... 2147483647"},
    {"0 recv 0 2147483648 8\n", "the tag '2147483648' is not a whole number within 0 ... 2147483647"},
    {"0 send 0 0 -1\n", "the count '-1' is not a whole number within 0 ..."},
    {"0 send 0 0 99999999999999999999999\n", "the count '99999999999999999999999' is not"},
    {"0 send 0 0 281474976710657\n", "the count '281474976710657' is not"},
    {"0 send 0 0 1.5\n", "the count '1.5' is not a whole number"},
    {"0 send 0 0 15e-1\n", "the count '15e-1' is not a whole number"},
    {"0 send 0 0 1e20\n", "the count '1e20' is not a whole number"},
    {"0 send 0 0 -1e2\n", "the count '-1e2' is not a whole number"},
    {"0 send 0 0 1e\n", "the count '1e' is not a whole number"},
    {"0 send 0 0 8 60\n", "the datatype '60' is not a whole number within 0 ... 59"},
    {"0 send 0 0 8 6 6\n", "x.ti:1: send: '6' found after its last argument"},
    {"0 recv 0 0 8 6 synchronous\n", "recv: 'synchronous' found after its last argument"},
    {"0 compute\n", "compute: the line ends where it must have the operations"},
    {"0 compute -1\n", "compute: '-1' is not a number of operations"},
    {"0 compute nan\n", "compute: 'nan' is not a number of operations"},
    {"0 compute 1e\n", "compute: '1e' is not a number of operations"},
    {"0 compute 1e31\n", "compute: '1e31' is not a number of operations within 0 ... 1e+30"},
    {"0 compute 1e999999999999\n", "compute: '1e999999999999' is not a number of operations"},
    {"0 sleep -1\n", "sleep: '-1' is not a number of seconds"},
    {"0 sleep 2305844\n", "sleep: '2305844' is not a number of seconds within 0 ... 2.30584e+06"},
    {"0 sleep 1e400\n", "sleep: '1e400' is not a number of seconds"},
    {"0 wait 0 0 1\n", "x.ti:1: wait: rank 0 has no isend or irecv"},
    {"0 isend 0 0 1\n0 waitall\n0 wait 0 0 0\n", "x.ti:3: wait: rank 0 has no isend or irecv"},
    {"0 bcast 5 1\n", "bcast: the root '1' is not a whole number within 0 ... 0"},
    {"0 gatherv 1\n", "gatherv: the line ends where it must have the count"},
    {"0 alltoallv 1 2 3\n", "alltoallv: the line ends where it must have the count"},
    {"0 init\n0 compute 1\n", "x.ti:2: is the last line of rank 0, which has begun with init but not ended"},
    {"0 init\n0 compute 1\n0 final", "x.ti:3: unknown action 'final'"},
};

static void test_refusals(void)
{
    char records[2048];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct sim_error error = {0};
        write_text("x.ti", bad[i].text);
        int status = read_file(records, sizeof records, "x.ti", 0, &error);
        if (status != -1 || error.status != SIM_BAD_INPUT || strstr(error.message, bad[i].message) == NULL) {
            fprintf(stderr, "\n  %s gives (%d)\n  %s\n  instead of\n  %s", bad[i].text, status, error.message,
                    bad[i].message);
            CU_FAIL("a bad trace is not refused as it should be");
        }
    }
}

static void test_nul(void)
{
    static const char text[] = "0 init\n0 com\0pute 1\n";
    char records[256];
    struct sim_error error = {0};
    write_bytes("x.ti", text, sizeof text - 1);
    CU_ASSERT_EQUAL(read_file(records, sizeof records, "x.ti", 0, &error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "x.ti:2: unknown action 'com"));
}

static void test_missing_file(void)
{
    struct record_reader reader;
    struct sim_error error = {0};
    CU_ASSERT_EQUAL(record_open(&reader, path_of("nothing.ti"), &error), -1);
    CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "cannot read: No such file"));
}

/* --- lists --- */

static void test_lists(void)
{
    char records[256];
    struct sim_error error = {0};
    write_text("a.txt", "0 send 1 0 1\n");
    write_text("b.txt", "1 recv 0 0 1\n1 recv 0 0 2\n");
    write_text("x.ti", "# one for each rank\na.txt \n\n  b.txt\r\n");
    CU_ASSERT_EQUAL(read_file(records, sizeof records, "x.ti", 1, &error), 0);
    CU_ASSERT_STRING_EQUAL(records, "recv 0 0 1;recv 0 0 2;");
    write_text("both.txt", "1 recv 0 0 1\n0 send 1 0 1\n");
    write_text("x.ti", "both.txt\n");
    CU_ASSERT_EQUAL(read_file(records, sizeof records, "x.ti", 0, &error), 0);
    CU_ASSERT_STRING_EQUAL(records, "send 1 0 1;");
    write_text("x.ti", "b.txt\na.txt\n");
    CU_ASSERT_EQUAL(read_file(records, sizeof records, "x.ti", 0, &error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "b.txt:1: a line of rank 1 found among those of rank 0"));
    write_text("b.txt", "");
    write_text("x.ti", "a.txt\nb.txt\n");
    CU_ASSERT_EQUAL(read_file(records, sizeof records, "x.ti", 0, &error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "b.txt: is empty"));
}

/* --- the forms of a trace --- */

enum { FORM_RANKS = 7, FORM_LINES = 5000, FORMS = 4 };

static void add_line(FILE *stream, int rank, int i)
{
    fprintf(stream, "%d send %d %d %d 6\n", rank, (rank + 1) % FORM_RANKS, i % 100, rank * 100000 + i);
}

/* Rank by rank; in pieces of some lines; line by line; a file for each. With a fault in line `fault` of rank 3. */
static void write_form(int form, int fault)
{
    static const int pieces[FORMS] = {FORM_LINES, 250, 1, FORM_LINES};
    FILE *stream = form < 3 ? fopen(path_of("form.ti"), "w") : NULL,
         *list = form < 3 ? NULL : fopen(path_of("form.ti"), "w");
    for (int first = 0; first < FORM_LINES; first += pieces[form])
        for (int r = 0; r < FORM_RANKS; r++) {
            if (list != NULL) {
                char name[32];
                snprintf(name, sizeof name, "form%d.txt", r);
                fprintf(list, "%s\n", name);
                stream = fopen(path_of(name), "w");
            }
            for (int i = first; i < first + pieces[form]; i++)
                if (r == 3 && i == fault)
                    fprintf(stream, "3 crash\n");
                else
                    add_line(stream, r, i);
            if (list != NULL)
                fclose(stream);
        }
    fclose(list != NULL ? list : stream);
}

/* The line that a fault has in the whole of a form. */
static long line_of_fault(int form, int fault)
{
    static const int pieces[FORMS] = {FORM_LINES, 250, 1, FORM_LINES};
    int piece = fault / pieces[form];
    return form == 3 ? fault + 1 : (long)(piece * FORM_RANKS + 3) * pieces[form] + fault % pieces[form] + 1;
}

/* Ranks take turns, each by another number of records. */
static int read_turns(struct record_reader *reader, struct sim_error *error)
{
    int next[FORM_RANKS] = {0}, n_ended = 0, wrong = 0;
    while (n_ended < FORM_RANKS)
        for (int r = 0; r < FORM_RANKS; r++)
            for (int n = 0; n <= r * 37 && next[r] >= 0; n++) {
                struct record record;
                int status = record_next(reader, r, &record, error);
                if (status < 0)
                    return -1;
                wrong += status == 1 && (record.bytes != r * 100000 + next[r] || record.tag != next[r] % 100);
                wrong += status == 0 && next[r] != FORM_LINES;
                n_ended += status == 0;
                next[r] = status == 1 ? next[r] + 1 : -1;
            }
    return wrong;
}

static void test_forms(void)
{
    char place[64];
    for (int form = 0; form < FORMS; form++) {
        struct record_reader reader;
        struct sim_error error = {0};
        write_form(form, -1);
        CU_ASSERT_EQUAL_FATAL(record_open(&reader, path_of("form.ti"), &error), 0);
        CU_ASSERT_EQUAL(reader.info.n_ranks, FORM_RANKS);
        CU_ASSERT_EQUAL(read_turns(&reader, &error), 0);
        CU_ASSERT_EQUAL(record_rewind(&reader, &error), 0);
        CU_ASSERT_EQUAL(read_turns(&reader, &error), 0);
        record_close(&reader);
        write_form(form, 4321);
        CU_ASSERT_EQUAL_FATAL(record_open(&reader, path_of("form.ti"), &error), 0);
        CU_ASSERT_EQUAL(read_turns(&reader, &error), -1);
        record_close(&reader);
        snprintf(place, sizeof place, "%s:%ld: unknown action 'crash'", form == 3 ? "form3.txt" : "form.ti",
                 line_of_fault(form, 4321));
        if (strstr(error.message, place) == NULL) {
            fprintf(stderr, "\n  form %d: %s instead of %s", form, error.message, place);
            CU_FAIL("a fault is not where it should be");
        }
    }
}

/* Lines longer than any buffer, in all of one file, among others, and line by line. */
static void test_long_lines(void)
{
    enum { RANKS = 3000 };
    for (int n_lines = 1; n_lines <= 10; n_lines += 9) { /* 10: so many parts that they are spooled */
        struct record_reader reader;
        struct record record;
        struct sim_error error = {0};
        FILE *stream = fopen(path_of("x.ti"), "w");
        for (int line = 0; line < n_lines; line++)
            for (int r = 0; r < RANKS; r++) {
                bool is_long = r == 17 && line == n_lines - 1;
                fprintf(stream, is_long ? "%d reducescatter" : "%d compute 1\n", r);
                for (int i = 0; is_long && i < RANKS; i++)
                    fprintf(stream, " %d", 1000000 + i);
                if (is_long)
                    fputs(" 0 6\n17 compute 1\n", stream);
            }
        fclose(stream);
        CU_ASSERT_EQUAL_FATAL(record_open(&reader, path_of("x.ti"), &error), 0);
        for (int line = 0; line < n_lines; line++)
            CU_ASSERT_EQUAL_FATAL(record_next(&reader, 17, &record, &error), 1);
        CU_ASSERT_EQUAL(record.collective, RECORD_REDUCE_SCATTER);
        CU_ASSERT(record.blocks != NULL && record.blocks[RANKS - 1] == 1000000 + RANKS - 1);
        CU_ASSERT_EQUAL(record_next(&reader, 17, &record, &error), 1);
        CU_ASSERT_EQUAL(record_next(&reader, 17, &record, &error), 0);
        record_close(&reader);
    }
}

/* A trace, its list, and a file of its list from which nothing ever comes: themselves, or by a link. */
static void test_irregular_files(void)
{
    static const char *const names[] = {"pipe.ti", "link.ti", "list.ti", "links.ti"};
    char pipe[256], message[80], records[64];
    write_text("list.ti", "pipe.ti\n");
    write_text("links.ti", "link.ti\n");
    snprintf(pipe, sizeof pipe, "%s", path_of("pipe.ti"));
    CU_ASSERT_EQUAL(mkfifo(pipe, 0600), 0);
    CU_ASSERT_EQUAL(symlink(pipe, path_of("link.ti")), 0);
    for (int i = 0; i < 4; i++) {
        struct sim_error error = {0};
        snprintf(message, sizeof message, "%s: is not a regular file", names[i % 2]);
        alarm(20);
        CU_ASSERT_EQUAL(read_file(records, sizeof records, names[i], 0, &error), -1);
        alarm(0);
        CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, message));
    }
}

static void test_endless_line(void)
{
    size_t size = 5 * 1024 * 1024;
    char records[64], *text = xmalloc(size);
    struct sim_error error = {0};
    memset(text, '1', size);
    memcpy(text, "0 compute 1\n0 compute ", 22);
    write_bytes("x.ti", text, size);
    free(text);
    CU_ASSERT_EQUAL(read_file(records, sizeof records, "x.ti", 0, &error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "x.ti:2: a line of more than 4194304 bytes"));
}

/* --- parts --- */

/* Many requests at once, waited for in any order: none is lost, and there is no more room than needed. */
static void test_pending(void)
{
    struct ti_pending pending = {0};
    enum { N = 1000 };
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < N; i++)
            CU_ASSERT(ti_pending_begin(&pending, 0, i, 0) != 0);
        for (int i = 0; i < N; i++) {
            int to = round % 2 == 0 ? i : (i * 7 + 3) % N;
            CU_ASSERT_EQUAL_FATAL(ti_pending_end(&pending, 0, to, 0), (uint32_t)(round * N + to + 1));
        }
        CU_ASSERT_EQUAL(ti_pending_end(&pending, 0, 0, 0), 0);
    }
    CU_ASSERT(pending.capacity <= 4 * N);
    pending.last_number = UINT32_MAX;
    CU_ASSERT_EQUAL(ti_pending_begin(&pending, 0, 1, 0), 1);
    ti_pending_dispose(&pending);
}

/* Requests of several names: a wait for all takes them in the order of their beginning. */
static void test_pending_order(void)
{
    struct ti_pending pending = {0};
    static const int tags[] = {5, 3, 5, 4, 3, 5};
    for (int i = 0; i < 6; i++)
        ti_pending_begin(&pending, 0, 1, tags[i]);
    CU_ASSERT_EQUAL(ti_pending_end(&pending, 0, 1, 3), 2);
    CU_ASSERT_EQUAL(ti_pending_end(&pending, 0, 1, 5), 1);
    CU_ASSERT_EQUAL(ti_pending_begin(&pending, 0, 1, 3), 7);
    static const uint32_t left[] = {3, 4, 5, 6, 7, 0, 0};
    for (int i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(ti_pending_end_first(&pending), left[i]);
    ti_pending_dispose(&pending);
}

/* Numbers as printf() writes them come back as they are. */
static void test_reals(void)
{
    char text[64];
    for (int i = 0; i < 2000; i++) {
        double number = (double)(i * 7919 + 1) / 3 * (i % 3 == 0 ? 1e-9 : i % 3 == 1 ? 1e17 : 1), found;
        const char *p = text;
        snprintf(text, sizeof text, "%.17g\n", number);
        CU_ASSERT(ti_parse_real(&found, &p) && *p == '\n' && found == number);
    }
}

static void test_elements(void)
{
    static const struct {
        int64_t bytes, count;
        int datatype;
    } rows[] = {{0, 0, 6},
                {-1, -1, 6},
                {INT32_MAX, INT32_MAX, 6},
                {INT64_C(1) << 31, 1 << 28, 0},
                {INT64_C(1) << 35, 1 << 30, 27},
                {INT64_C(1) << 34, 1 << 30, 14},
                {3000000001, 3000000001, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t count;
        int datatype;
        trace_ti_elements(&count, &datatype, rows[i].bytes);
        CU_ASSERT_EQUAL(count, rows[i].count);
        CU_ASSERT_EQUAL(datatype, rows[i].datatype);
    }
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "cannot remove %s\n", folder);
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS || mkdtemp(folder) == NULL)
        return 1;
    CU_pSuite suite = CU_add_suite("read_ti", NULL, NULL);
    CU_add_test(suite, "actions", test_actions);
    CU_add_test(suite, "last line", test_last_line);
    CU_add_test(suite, "refusals", test_refusals);
    CU_add_test(suite, "files that are no regular ones", test_irregular_files);
    CU_add_test(suite, "NUL", test_nul);
    CU_add_test(suite, "missing file", test_missing_file);
    CU_add_test(suite, "lists", test_lists);
    CU_add_test(suite, "forms", test_forms);
    CU_add_test(suite, "long lines", test_long_lines);
    CU_add_test(suite, "endless line", test_endless_line);
    CU_add_test(suite, "pending requests", test_pending);
    CU_add_test(suite, "pending requests in their order", test_pending_order);
    CU_add_test(suite, "real numbers", test_reals);
    CU_add_test(suite, "elements", test_elements);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    remove_folder();
    return failures != 0;
}
