/* Records that are read ahead, perhaps by a second thread: in whichever order ranks are asked for theirs, they are
 * those of their lines, however these are written, and what is known of the whole trace is known when it was.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "trace/formats.h"
#include "trace/record/record.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 13, LINES = 12000, SPLIT = 7001, EXCHANGE = 8500 };

static char folder[] = P_tmpdir "/test-ahead-ti-XXXXXX";

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* --- traces --- */

struct blanks {
    const char *before, *between, *after;
};

/* Forms of the same lines: as they are mostly written, and as they may be. */
static const struct blanks forms[] = {{"", " ", ""}, {" ", "\t ", " "}, {"", "  ", "\r"}};
enum { N_FORMS = sizeof forms / sizeof forms[0] };

/* Path of a rank's lines, or with rank -1 of the list. */
static const char *path_of(int form, int rank)
{
    static char path[256];
    if (rank < 0)
        snprintf(path, sizeof path, "%s/%d.ti", folder, form);
    else
        snprintf(path, sizeof path, "%s/%d-%d.txt", folder, form, rank);
    return path;
}

/* Words with one blank between them, as the form has them. */
static void put(FILE *stream, const struct blanks *form, const char *words)
{
    fputs(form->before, stream);
    for (; *words != '\0'; words++)
        if (*words == ' ')
            fputs(form->between, stream);
        else
            fputc(*words, stream);
    fprintf(stream, "%s\n", form->after);
}

static const char *line_of(int rank, int i, uint64_t *state)
{
    static char line[256];
    int peer = (int)(next_random(state) % RANKS), tag = (int)(next_random(state) % 3), kind = i % 16;
    int64_t count = (int64_t)(next_random(state) % 100000);
    static const char *const messages[] = {"send", "recv", "isend", "irecv"};
    if (i == SPLIT + rank)
        snprintf(line, sizeof line, "%d comm_split 1 2 3", rank);
    else if (i == EXCHANGE)
        snprintf(line, sizeof line, "%d sendRecv 5 %d 6 %d 1 0", rank, peer, tag);
    else if (i % 501 == 500)
        snprintf(line, sizeof line, "%d gatherv 9 1 2 3 4 5 6 7 8 9 10 11 12 13 %d 6 1", rank, peer);
    else if (i % 300 == 299)
        snprintf(line, sizeof line, "%d waitall", rank);
    else if (kind == 15)
        snprintf(line, sizeof line, "%d compute %" PRId64 ".5e2%s", rank, count, tag == 0 ? " control" : "");
    else if (kind == 14)
        snprintf(line, sizeof line, "%d sleep %" PRId64 "e-6", rank, count);
    else if (kind == 13)
        snprintf(line, sizeof line, "%d allreduce %" PRId64 " 7e3 6", rank, count);
    else
        snprintf(line, sizeof line, "%d %s %d %d %" PRId64 "%s", rank, messages[kind % 4], peer, tag, count,
                 tag == 0   ? " 1"
                 : tag == 1 ? " 6"
                            : "");
    return line;
}

/* All lines of one rank; its requests are waited for by their names, too. */
static void write_rank(FILE *stream, const struct blanks *form, int rank)
{
    uint64_t state = (uint64_t)rank + 1;
    char wait[64];
    for (int i = 0; i < LINES; i++) {
        const char *line = i == 0 ? "init" : i == LINES - 1 ? "finalize" : NULL;
        if (line != NULL)
            snprintf(wait, sizeof wait, "%d %s", rank, line);
        int peer, tag;
        const char *words = line != NULL ? wait : line_of(rank, i, &state), *isend = strstr(words, "isend ");
        put(stream, form, words);
        if (isend == NULL || sscanf(isend, "isend %d %d", &peer, &tag) != 2 || i % 3 == 0)
            continue;
        snprintf(wait, sizeof wait, "%d wait %d %d %d", rank, rank, peer, tag);
        put(stream, form, wait);
        i++;
    }
}

static void write_traces(void)
{
    for (int form = 0; form < N_FORMS; form++) {
        FILE *list = fopen(path_of(form, -1), "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(list);
        for (int rank = 0; rank < RANKS; rank++) {
            FILE *stream = fopen(path_of(form, rank), "w");
            CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
            write_rank(stream, &forms[form], rank);
            fclose(stream);
            fprintf(list, "%s\n", strrchr(path_of(form, rank), '/') + 1);
        }
        fclose(list);
    }
}

/* --- what was read --- */

struct seen {
    uint64_t hash[RANKS];
    int64_t count[RANKS], position[RANKS]; /* the last line */
    bool ended[RANKS];
};

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    *hash ^= *hash >> 29;
}

static void see(struct seen *seen, int rank, const struct record *record)
{
    uint64_t *hash = &seen->hash[rank], flops;
    memcpy(&flops, &record->flops, sizeof flops);
    const uint64_t values[] = {record->kind,
                               record->collective,
                               (uint64_t)record->bytes,
                               (uint64_t)(record->end_ps - record->start_ps),
                               flops,
                               (uint64_t)record->peer,
                               (uint64_t)record->tag,
                               record->request,
                               (uint64_t)record->position,
                               (uint64_t)record->exchanges << 2 | (uint64_t)record->control << 1 | record->synchronous};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        mix(hash, values[i]);
    for (int r = 0; record->blocks != NULL && r < RANKS; r++)
        mix(hash, (uint64_t)record->blocks[r]);
    seen->count[rank]++;
    seen->position[rank] = record->position;
}

static bool take(struct seen *seen, struct record_reader *reader, int rank)
{
    struct record record;
    struct sim_error error = {0};
    if (seen->ended[rank])
        return false;
    int status = record_next(reader, rank, &record, &error);
    if (status < 0) {
        fprintf(stderr, "\n  %s", error.message);
        CU_FAIL_FATAL("a good line is refused");
    }
    if (status == 1)
        see(seen, rank, &record);
    seen->ended[rank] = status == 0;
    return status == 1;
}

static bool has_ended(const struct seen *seen)
{
    for (int r = 0; r < RANKS; r++)
        if (!seen->ended[r])
            return false;
    return true;
}

/* Rank by rank; by turns; now this one, now that one, some records each. */
enum order { RANK_BY_RANK, BY_TURNS, AT_RANDOM, N_ORDERS };

static void take_some(struct seen *seen, struct record_reader *reader, enum order order, uint64_t *state)
{
    int rank = (int)(next_random(state) % RANKS), n = (int)(next_random(state) % 90);
    if (order == RANK_BY_RANK) {
        for (rank = 0; seen->ended[rank]; rank++) {
        }
        n = INT32_MAX;
    }
    if (order != BY_TURNS) {
        for (int i = 0; i < n && take(seen, reader, rank); i++) {
        }
        return;
    }
    for (rank = 0; rank < RANKS; rank++)
        take(seen, reader, rank);
}

static void open_trace(struct record_reader *reader, int form)
{
    struct sim_error error = {0};
    CU_ASSERT_EQUAL_FATAL(record_open(reader, path_of(form, -1), &error), 0);
    CU_ASSERT_EQUAL(reader->info.n_ranks, RANKS);
}

static void read_all(struct seen *seen, struct record_reader *reader, enum order order)
{
    uint64_t state = 5;
    *seen = (struct seen){.count = {0}};
    while (!has_ended(seen))
        take_some(seen, reader, order, &state);
}

/* --- tests --- */

static struct seen expected;

static void test_orders(void)
{
    for (int form = 0; form < N_FORMS; form++)
        for (int order = 0; order < N_ORDERS; order++) {
            struct record_reader reader;
            struct seen seen;
            open_trace(&reader, form);
            read_all(&seen, &reader, (enum order)order);
            record_close(&reader);
            if (form == 0 && order == 0)
                expected = seen;
            CU_ASSERT_EQUAL(memcmp(&seen, &expected, sizeof seen), 0);
        }
    for (int r = 0; r < RANKS; r++)
        CU_ASSERT(expected.count[r] > LINES - 200 && expected.position[r] >= LINES - 1);
}

static void test_rewind(void)
{
    struct record_reader reader;
    struct seen seen;
    struct sim_error error = {0};
    uint64_t state = 3;
    open_trace(&reader, 0);
    for (int round = 0; round < 40; round++) {
        seen = (struct seen){.count = {0}};
        for (int i = 0; i < 15 * round; i++)
            take_some(&seen, &reader, AT_RANDOM, &state);
        CU_ASSERT_EQUAL(record_rewind(&reader, &error), 0);
    }
    read_all(&seen, &reader, BY_TURNS);
    CU_ASSERT_EQUAL(memcmp(&seen, &expected, sizeof seen), 0);
    record_close(&reader);
}

/* A trace is closed however far it has been read. */
static void test_close(void)
{
    for (int round = 0; round < 20; round++) {
        struct record_reader reader;
        struct seen seen = {.count = {0}};
        uint64_t state = (uint64_t)round;
        open_trace(&reader, round % N_FORMS);
        for (int i = 0; i < 30 * round; i++)
            take_some(&seen, &reader, AT_RANDOM, &state);
        record_close(&reader);
    }
}

/* The first line that splits and the first exchange are known as soon as a rank has gone past one, and not before. */
static void test_first_lines(void)
{
    struct record_reader reader;
    struct seen seen = {.count = {0}};
    uint64_t state = 11;
    open_trace(&reader, 1);
    while (!has_ended(&seen)) {
        take_some(&seen, &reader, AT_RANDOM, &state);
        bool split = false, exchanged = false;
        for (int r = 0; r < RANKS; r++) {
            split |= seen.position[r] > SPLIT + r + 1;
            exchanged |= seen.position[r] >= EXCHANGE + 1;
        }
        if ((reader.info.split_line != 0) != split || (reader.info.exchange_line != 0) != exchanged)
            CU_FAIL_FATAL("a first line is known too early, or too late");
    }
    int64_t first = reader.info.split_line;
    CU_ASSERT(first > SPLIT && first <= SPLIT + RANKS && reader.info.exchange_line == EXCHANGE + 1);
    record_close(&reader);
}

static void test_fork(void)
{
    struct record_reader reader;
    open_trace(&reader, 0);
    CU_ASSERT(record_is_shared(&reader));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct seen seen;
        read_all(&seen, &reader, BY_TURNS);
        record_close(&reader);
        _exit(memcmp(&seen, &expected, sizeof seen) == 0 ? 0 : 1);
    }
    struct seen seen;
    read_all(&seen, &reader, AT_RANDOM);
    CU_ASSERT_EQUAL(memcmp(&seen, &expected, sizeof seen), 0);
    int status = -1;
    CU_ASSERT(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    child = fork();
    if (child == 0) { /* that of a parent whose thread runs is only closed */
        record_close(&reader);
        _exit(0);
    }
    CU_ASSERT(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    record_close(&reader);
}

/* A fault behind good lines comes after their records. */
static void test_fault(void)
{
    FILE *stream = fopen(path_of(9, -1), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    for (int i = 0; i < 5000; i++)
        for (int r = 0; r < 2; r++)
            fprintf(stream, i == 4321 && r == 1 ? "1 send 0 1 many\n" : "%d send 0 1 2 6\n", r);
    fclose(stream);
    struct record_reader reader;
    struct record record;
    struct sim_error error = {0};
    CU_ASSERT_EQUAL_FATAL(record_open(&reader, path_of(9, -1), &error), 0);
    for (int i = 0; i < 5000; i++)
        CU_ASSERT_EQUAL(record_next(&reader, 0, &record, &error), 1);
    for (int i = 0; i < 4321; i++)
        CU_ASSERT_EQUAL(record_next(&reader, 1, &record, &error), 1);
    CU_ASSERT_EQUAL(record_next(&reader, 1, &record, &error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "9.ti:8644: send: the count 'many' is not a whole number"));
    record_close(&reader);
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
    CU_pSuite suite = CU_add_suite("ahead_ti", NULL, NULL);
    CU_add_test(suite, "traces", write_traces);
    CU_add_test(suite, "any order of ranks", test_orders);
    CU_add_test(suite, "rewinding", test_rewind);
    CU_add_test(suite, "closing", test_close);
    CU_add_test(suite, "first lines", test_first_lines);
    CU_add_test(suite, "forked processes", test_fork);
    CU_add_test(suite, "a fault", test_fault);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    remove_folder();
    return failures != 0;
}
