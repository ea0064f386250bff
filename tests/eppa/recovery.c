/* eppa-recover: what it makes of the records of a run, and that it refuses what is none.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/recovery.h"
#include "eppa/archive/regions.h"
#include "eppa/archive/spool.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_RANKS = 2, LONGEST_S = 20 };

/* Faults of a spool. 0: none. */
struct fault {
    int32_t n_ranks, rank, member;
    int64_t offset_ns, realtime_ns;
    uint32_t length;    /* of a last definition, of zeros */
    int64_t time_ns;    /* of a record before the last */
    const char *site;   /* the file of a call site, of which two calls are; NULL: none is defined, and they have none */
    const char *name;   /* of what is put there, in place of what was */
    const char *target; /* a link to it; "pipe", "file" */
    const char *message; /* that is expected; NULL: an archive */
};

static const struct fault faults[] = {
    {.message = NULL},
    {.time_ns = INT64_MAX, .offset_ns = 1},
    {.time_ns = -1},
    {.offset_ns = SPOOL_MAX_TIME_NS},
    {.offset_ns = -SPOOL_MAX_TIME_NS, .realtime_ns = SPOOL_MAX_REALTIME_NS},
    {.name = "former.otf2", .target = "file", .message = "former.otf2 is in the way: it is not a file of an archive"},
    {.n_ranks = INT32_MAX, .message = "x.eppa/0.defs: 2147483647 ranks; 1 to 65536 are allowed"},
    {.n_ranks = SPOOL_MAX_RANKS, .message = "x.eppa: 65536 ranks, but no communicator that has all of them"},
    {.n_ranks = -1, .message = "x.eppa: no records of a run"},
    {.rank = 1, .message = "x.eppa/0.defs: no definition at byte 0"},
    {.member = N_RANKS, .message = "x.eppa/0.defs: no definition at byte 57"},
    {.member = -1, .message = "x.eppa/0.defs: no definition at byte 57"},
    {.offset_ns = INT64_MAX, .message = "x.eppa/0.defs: no definition at byte 89"},
    {.offset_ns = INT64_MIN, .message = "x.eppa/0.defs: no definition at byte 89"},
    {.realtime_ns = INT64_MAX, .message = "x.eppa/0.defs: no definition at byte 0"},
    {.realtime_ns = -1, .message = "x.eppa/0.defs: no definition at byte 0"},
    {.length = SPOOL_MAX_DEFINITION + 1, .message = "x.eppa/0.defs: no definition at byte 113"},
    {.site = "/nowhere/program"},
    {.site = "/dev/zero"},
    {.site = "/etc/passwd"},
    {.site = "program"},
    {.site = "", .message = "x.eppa/0.defs: no definition at byte 125"},
    {.name = "0.defs",
     .target = "../mine/0.defs",
     .message = "x.eppa is in the way: it contains 0.defs, which is not part of an archive"},
    {.name = "1.events", .target = "../mine/1.events", .message = "x.eppa is in the way: it contains 1.events"},
    {.name = "lock", .target = "../mine/0.defs", .message = "x.eppa is in the way: it contains lock"},
    {.name = "recovery", .target = "../mine/0.defs", .message = "x.eppa is in the way: it contains recovery"},
    {.name = "archive", .target = "../mine", .message = "x.eppa is in the way: it contains archive"},
    {.name = "archive/trace", .target = "../../mine", .message = "x.eppa/archive is in the way: it contains trace"},
    {.name = "archive/trace/0.evt",
     .target = "../../../mine/0.evt",
     .message = "x.eppa/archive/trace is in the way: it contains 0.evt"},
    {.name = "former", .target = "../mine", .message = "x.eppa is in the way: it contains former"},
    {.name = "0.defs", .target = "pipe", .message = "x.eppa is in the way: it contains 0.defs"},
    {.name = "0.events", .target = "pipe", .message = "x.eppa is in the way: it contains 0.events"},
    {.name = "lock", .target = "pipe", .message = "x.eppa is in the way: it contains lock"},
    {.name = "notes.txt", .target = "file", .message = "x.eppa is in the way: it contains notes.txt"},
    {.name = "00.events", .target = "file", .message = "x.eppa is in the way: it contains 00.events"},
    {.name = "65536.events", .target = "file", .message = "x.eppa is in the way: it contains 65536.events"},
    {.name = "archive/notes.txt", .target = "file", .message = "x.eppa/archive is in the way: it contains notes.txt"},
    {.name = "archive/trace/notes",
     .target = "file",
     .message = "x.eppa/archive/trace is in the way: it contains notes"},
};

/* A file in the working directory, which is there until now or not. */
static FILE *create(const char *format, int rank)
{
    char name[64];
    snprintf(name, sizeof name, "%s/%d.%s", "x.eppa", rank, format);
    FILE *file = fopen(name, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    return file;
}

static void define(FILE *file, enum definition_kind kind, const void *data, size_t length)
{
    struct definition_head head = {(uint32_t)kind, (uint32_t)length};
    fwrite(&head, sizeof head, 1, file);
    fwrite(data, 1, length, file);
}

static void write_definitions(const struct fault *fault, int rank)
{
    FILE *file = create("defs", rank);
    struct {
        struct define_rank self;
        char names[9];
    } __attribute__((packed)) self = {{rank, N_RANKS, 1000, 1, 0, 0, 0}, "host\0prog"};
    struct {
        struct define_comm head;
        int32_t members[N_RANKS];
    } world = {{0, 0, N_RANKS, 0}, {0, 1}};
    struct define_clock clock = {1000, fault->offset_ns};
    self.self.n_ranks = fault->n_ranks == 0 ? N_RANKS : fault->n_ranks;
    self.self.rank = (rank + fault->rank) % N_RANKS;
    self.self.realtime_ns = fault->realtime_ns;
    world.members[1] = fault->member == 0 ? 1 : fault->member;
    define(file, DEFINE_RANK, &self, sizeof self);
    define(file, DEFINE_COMM, &world, sizeof world);
    define(file, DEFINE_CLOCK, &clock, sizeof clock);
    void *zeros = calloc(1, fault->length + 1);
    if (fault->length > 0)
        define(file, DEFINE_COMM_NAME, zeros, fault->length);
    free(zeros);
    if (fault->site != NULL) {
        uint32_t call = REGION_Barrier;
        char site[64] = {0x30};
        strcpy(site + 8, fault->site);
        define(file, DEFINE_CALL, &call, sizeof call);
        define(file, DEFINE_SITE, site, 8 + strlen(fault->site) + 1);
    }
    fclose(file);
}

static void put_record(FILE *file, enum spool_kind kind, int64_t time_ns, uint32_t site)
{
    struct spool_record record = {.kind = (uint8_t)kind, .id = REGION_Barrier, .a = site, .time_ns = time_ns};
    fwrite(&record, SPOOL_HEAD, 1, file);
}

static void write_events(const struct fault *fault, int rank)
{
    FILE *file = create("events", rank);
    put_record(file, SPOOL_BEGIN, 2000, 0);
    for (uint32_t site = 1; fault->site != NULL && site <= 2; site++) { /* the second is not defined */
        put_record(file, SPOOL_ENTER, 2100, site);
        put_record(file, SPOOL_LEAVE, 2100, 0);
    }
    if (fault->time_ns != 0)
        put_record(file, SPOOL_LEAVE, fault->time_ns, 0);
    put_record(file, SPOOL_FINISH, 3000, 0);
    fclose(file);
}

/* Make what is in the way. What was there under this name comes to the folder of another. */
static void obstruct(const struct fault *fault)
{
    char path[64], mine[64];
    snprintf(path, sizeof path, "x.eppa/%s", fault->name);
    snprintf(mine, sizeof mine, "mine/%s", fault->name);
    if (strncmp(fault->name, "archive/", 8) == 0)
        CU_ASSERT_EQUAL(mkdir("x.eppa/archive", 0777), 0);
    if (strncmp(fault->name, "archive/trace/", 14) == 0)
        CU_ASSERT_EQUAL(mkdir("x.eppa/archive/trace", 0777), 0);
    rename(path, mine);
    int status;
    if (strcmp(fault->target, "pipe") == 0)
        status = mkfifo(path, 0666);
    else if (strcmp(fault->target, "file") == 0)
        status = close(open(path, O_CREAT | O_WRONLY, 0666));
    else
        status = symlink(fault->target, path);
    CU_ASSERT_EQUAL(status, 0);
}

static void try_fault(const struct fault *fault)
{
    char message[SPOOL_MAX_PATH];
    CU_ASSERT_EQUAL(
        system("rm -rf x x.* mine && mkdir x.eppa mine mine/trace && echo mine | tee mine/0.evt >mine/trace/0.evt"), 0);
    for (int rank = 0; rank < N_RANKS; rank++) {
        write_definitions(fault, rank);
        write_events(fault, rank);
    }
    if (fault->name != NULL)
        obstruct(fault);
    alarm(LONGEST_S);
    int status = recovery_run("x.eppa/", false, message, sizeof message);
    alarm(0);
    bool is_good = fault->message == NULL ? status == 0 && access("x.otf2", F_OK) == 0 && access("x.eppa", F_OK) != 0
                                          : status == -1 && strstr(message, fault->message) != NULL &&
                                                strchr(message, '\n') == NULL && access("x.otf2", F_OK) != 0;
    CU_ASSERT(is_good);
    if (!is_good)
        fprintf(stderr, "expected '%s', found '%s' (%d)\n", fault->message == NULL ? "" : fault->message, message,
                status);
    CU_ASSERT_EQUAL(system("cd mine && echo mine | cmp -s - 0.evt && cmp -s 0.evt trace/0.evt"), 0);
}

static void all_faults(void)
{
    char work[] = P_tmpdir "/test-recovery-XXXXXX";
    CU_ASSERT_FATAL(mkdtemp(work) != NULL && chdir(work) == 0);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        try_fault(&faults[i]);
    CU_ASSERT_EQUAL(system("rm -rf x x.* mine"), 0);
    CU_ASSERT_EQUAL(rmdir(work), 0);
}

/* A spool by a link, and names that are none. */
static void names(void)
{
    static const struct {
        const char *name, *message;
    } rows[] = {{"link.eppa", "link.eppa: no directory of records"},
                {"no.eppa", "no.eppa: No such file or directory"},
                {"empty.eppa", "empty.eppa: no records of a run"},
                {"empty", "empty: the name of a directory of records must end in .eppa"},
                {".eppa", ".eppa: the name of a directory of records must end in .eppa"}};
    char work[] = P_tmpdir "/test-recovery-XXXXXX", message[SPOOL_MAX_PATH];
    CU_ASSERT_FATAL(mkdtemp(work) != NULL && chdir(work) == 0);
    CU_ASSERT_EQUAL(system("mkdir empty empty.eppa .eppa && ln -s empty.eppa link.eppa"), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CU_ASSERT_EQUAL(recovery_run(rows[i].name, false, message, sizeof message), -1);
        CU_ASSERT_STRING_EQUAL(message, rows[i].message);
    }
    CU_ASSERT_EQUAL(system("rm -rf empty empty.eppa .eppa link.eppa"), 0);
    CU_ASSERT_EQUAL(rmdir(work), 0);
}

int main(void)
{
    static const struct test tests[] = {{"spools and what is none", all_faults}, {"names", names}, {NULL, NULL}};
    return testing_run("recovery", tests);
}
