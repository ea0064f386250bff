/* Traces of runs that were aborted, or that lack something, analyzed and replayed by the program: what the reports say
 * of it. The archives are written event by event.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/testing.h"
#include "tests/trace/otf2/otf2_fixture.h"

enum { MS = 1000000000, MOST_TEXT = 1 << 20 };

static const struct script_event blocked[] = {
    {0, S_BEGIN, 0},
    {0, S_ENTER, 20 * (uint64_t)MS, RECV},
    {0, S_LEAVE_CUT, 50 * (uint64_t)MS, RECV, 2, 0},
    {0, S_END, 50 * (uint64_t)MS, 1},
    {1, S_BEGIN, 0},
    {1, S_ENTER, 10 * (uint64_t)MS, RECV},
    {1, S_LEAVE_CUT, 50 * (uint64_t)MS, RECV, 1, 0},
    {1, S_END, 50 * (uint64_t)MS, 1},
};

/* Rank 1 dies after 5 ms, having sent. */
static const struct script_event killed[] = {
    {0, S_BEGIN, 0},
    {0, S_ENTER, 20 * (uint64_t)MS, RECV},
    {0, S_LEAVE, 50 * (uint64_t)MS, RECV},
    {0, S_END, 50 * (uint64_t)MS, 1},
    {1, S_BEGIN, 0},
    {1, S_ENTER, 4 * (uint64_t)MS, SEND},
    {1, S_SEND, 4 * (uint64_t)MS, 0, 0, 3, 64},
    {1, S_LEAVE, 5 * (uint64_t)MS, SEND},
    {1, S_END, 5 * (uint64_t)MS, 1},
};

/* A receive whose send the trace lacks, and a send that nobody receives. */
static const struct script_event lacking[] = {
    {0, S_BEGIN, 0},
    {0, S_ENTER, 20 * (uint64_t)MS, RECV},
    {0, S_RECV, 30 * (uint64_t)MS, 1, 0, 9, 8},
    {0, S_LEAVE, 30 * (uint64_t)MS, RECV},
    {0, S_END, 50 * (uint64_t)MS},
    {1, S_BEGIN, 0},
    {1, S_END, 50 * (uint64_t)MS},
};

static const struct script_event unreceived[] = {
    {0, S_BEGIN, 0},
    {0, S_END, 50 * (uint64_t)MS},
    {1, S_BEGIN, 0},
    {1, S_ENTER, 4 * (uint64_t)MS, SEND},
    {1, S_SEND, 4 * (uint64_t)MS, 0, 0, 3, 64},
    {1, S_LEAVE, 5 * (uint64_t)MS, SEND},
    {1, S_END, 50 * (uint64_t)MS},
};

static void write_scenario(void)
{
    char *path = xformat("%s/replay.xml", folder);
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "<scenario name='replay'><platform file='" SOURCE_DIR "/platforms/icluster.xml'/>"
                  "<application name='trace' file='trace.otf2'/></scenario>\n");
    fclose(file);
    free(path);
}

/* The program's output, errors included, for a file of the folder; returns its status. */
static int run(char *text, const char *file)
{
    char *command = xformat("cd %s && \"$SIMRUN\" -q -f json %s 2>&1", folder, file);
    FILE *pipe = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    text[fread(text, 1, MOST_TEXT - 1, pipe)] = '\0';
    free(command);
    return pclose(pipe);
}

struct row {
    const char *name;
    struct script script;
    const char *in_analysis[3], *in_replay[2];
    double useful_s, idle_s; /* of the analysis */
    bool replay_fails;
};

static double state(const char *text, const char *name)
{
    char *key = xformat("\"%s\":", name);
    const char *states = strstr(text, "\"state_s\""), *found = states != NULL ? strstr(states, key) : NULL;
    double value = found != NULL ? strtod(found + strlen(key), NULL) : -1;
    free(key);
    return value;
}

static void expect_all(const char *name, const char *text, const char *const *expected, int count)
{
    for (int i = 0; i < count && expected[i] != NULL; i++) {
        if (strstr(text, expected[i]) == NULL)
            fprintf(stderr, "\n%s: expected '%s', found\n%s\n", name, expected[i], text);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, expected[i]));
    }
}

static bool is_close(double found, double expected)
{
    return found > expected - 1e-9 && found < expected + 1e-9;
}

#define SCRIPT_OF(events, ...)                                                                                         \
    {                                                                                                                  \
        SCRIPT(2, events), .regions = regions, .n_regions = COUNT(regions), __VA_ARGS__                                \
    }
#define ABORTED .properties = {"EPPA::COMPLETE", "false"}

static void test_reports(void)
{
    static const struct row rows[] = {
        {"blocked",
         SCRIPT_OF(blocked, ABORTED),
         {"waits that never ended: 2; rank 1 waits in MPI_Recv for rank 0 from 0.01 s on"},
         {"the traced run was aborted", "\"time_s\": 0.02,"},
         0.03,
         0.07,
         false},
        {"killed",
         SCRIPT_OF(killed, ABORTED),
         {"waits that never ended: 1; rank 0 waits in MPI_Recv from 0.02 s on",
          "the end of 1 rank, which counts as idle: rank 1, after 0.005 s"},
         {"the traced run was aborted"},
         0.024,
         0.075,
         false},
        {"calls are missing",
         SCRIPT_OF(lacking, .properties = {"EPPA::COMPLETE", "false", "EPPA::UNRECORDED_CALLS", "40"}),
         {"not analyzed: calls by other threads are missing from the trace: 40;"},
         {"deadlock"},
         0.09,
         0.01,
         true},
        {"nobody receives",
         SCRIPT_OF(unreceived, .n_comms = 0),
         {"1 message is never received, the first of 64 bytes from rank 1 to rank 0 with tag 3, sent at 0.004 s"},
         {"1 message is never received, the first of 64 bytes from rank 1 to rank 0 with tag 3, sent at 0.00403 s"},
         0.099,
         0,
         false},
    };
    char *text = xmalloc(MOST_TEXT);
    for (int i = 0; i < COUNT(rows); i++) {
        new_folder();
        script_write(&rows[i].script, folder);
        write_scenario();
        CU_ASSERT_EQUAL(run(text, "trace.otf2"), 0);
        expect_all(rows[i].name, text, rows[i].in_analysis, COUNT(rows[i].in_analysis));
        bool good = is_close(state(text, "useful"), rows[i].useful_s) && is_close(state(text, "idle"), rows[i].idle_s);
        if (!good)
            fprintf(stderr, "\n%s: useful or idle time is another in\n%s\n", rows[i].name, text);
        CU_ASSERT_TRUE(good);
        CU_ASSERT_EQUAL(run(text, "replay.xml") != 0, rows[i].replay_fails);
        expect_all(rows[i].name, text, rows[i].in_replay, COUNT(rows[i].in_replay));
        remove_tree(folder);
    }
    free(text);
}

/* How long one rank takes says nothing if it was aborted. */
static void test_baseline(void)
{
    static const struct script_event events[] = {{0, S_BEGIN, 0}, {0, S_END, 50 * (uint64_t)MS, 1}};
    struct script script = {SCRIPT(1, events)};
    char *text = xmalloc(MOST_TEXT);
    for (int aborted = 0; aborted < 2; aborted++) {
        script.properties[0] = "EPPA::COMPLETE";
        script.properties[1] = aborted ? "false" : "true";
        new_folder();
        script_write(&script, folder);
        write_scenario();
        for (int replay = 0; replay < 2; replay++) {
            int status = run(text, replay ? "--baseline trace.otf2 replay.xml" : "--baseline trace.otf2 trace.otf2");
            const char *expected = aborted ? "--baseline needs a trace of a whole run; this one was aborted"
                                           : "\"sequential_time_s\": 0.05";
            CU_ASSERT_EQUAL(status != 0, aborted);
            expect_all(aborted ? "aborted" : "whole", text, &expected, 1);
        }
        remove_tree(folder);
    }
    free(text);
}

int main(void)
{
    static const struct test tests[] = {
        {"reports", test_reports},
        {"baseline", test_baseline},
        {NULL, NULL},
    };
    return testing_run("aborted", tests);
}
