/* Call paths of archives as other tools write them: nested regions, as compilers instrument them, and calling contexts
 * with samples, as Score-P writes where it unwinds. The call tree is compared with one made by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"
#include "tests/trace/otf2/locations.h"
#include "trace/analysis/analysis.h"
#include "trace/formats.h"

/* Each path of the tree: "main > phase: 2 calls, 30 ps, idle 10, own 20, own idle 0"; then its waits. */
static void write_tree(FILE *out, const struct result *result)
{
    size_t n_paths, n_waits;
    const struct call_paths_row *paths = result_call_paths(result, &n_paths);
    const struct call_path_waits_row *waits = result_call_path_waits(result, &n_waits);
    for (size_t i = 0; i < n_paths; i++)
        fprintf(out, "%s: %d calls, %d ps, idle %d, own %d, own idle %d\n", paths[i].path, (int)paths[i].calls,
                (int)paths[i].time_ps, (int)paths[i].idle_ps, (int)paths[i].own_ps, (int)paths[i].own_idle_ps);
    for (size_t i = 0; i < n_waits; i++)
        fprintf(out, "%s in %s: %d ps for %d\n", wait_state_names[waits[i].wait], paths[waits[i].id - 1].path,
                (int)waits[i].time_ps, waits[i].for_rank);
}

static void expect_tree(const struct script *script, const char *expected)
{
    struct record_reader reader;
    struct analysis_scopes scopes;
    struct analysis_stats stats;
    struct metrics metrics;
    struct result result;
    struct sim_error error = {0};
    char *text = NULL;
    size_t size = 0;
    struct script whole = *script;
    whole.regions = regions;
    whole.n_regions = COUNT(regions);
    new_folder();
    script_write(&whole, folder);
    int opened = record_open(&reader, anchor, &error);
    if (opened != 0)
        fprintf(stderr, "%s\n", error.message);
    CU_ASSERT_EQUAL_FATAL(opened, 0);
    analysis_scopes_init(&scopes, &reader.info);
    metrics_open(&metrics, &(struct interval_setup){.n_ranks = reader.info.n_ranks,
                                                    .n_locations = reader.info.n_ranks,
                                                    .scopes = scopes.names,
                                                    .n_scopes = scopes.count,
                                                    .functions = (const char *const *)reader.info.functions,
                                                    .n_functions = reader.info.n_functions,
                                                    .paths = reader.info.paths,
                                                    .is_traced = true});
    int status = analysis_run(&stats, &reader, anchor, &scopes, metrics.sinks, metrics.count, &error);
    if (status != 0)
        fprintf(stderr, "%s\n", error.message);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    result_init(&result);
    metrics_report(&metrics, &(struct metrics_totals){stats.end_ps, -1}, &result);
    FILE *out = open_memstream(&text, &size);
    write_tree(out, &result);
    fclose(out);
    expect_text("tree", 0, text, expected);
    free(text);
    result_dispose(&result);
    metrics_close(&metrics);
    analysis_scopes_dispose(&scopes);
    record_close(&reader);
    remove_tree(folder);
}

/* Rank 0 computes 10 ps in main, 20 in phase, sends from there for 2, and again from main for 1; rank 1 waits for both
 * messages in phase. */
static void test_nested(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 0},           {0, S_ENTER, 0, MAIN},   {0, S_ENTER, 10, PHASE}, SENDS(0, 30, 32, 1, 7),
        {0, S_LEAVE, 32, PHASE},   SENDS(0, 39, 40, 1, 7),  {0, S_LEAVE, 50, MAIN},  {0, S_END, 50},
        {1, S_BEGIN, 0},           {1, S_ENTER, 0, MAIN},   {1, S_ENTER, 5, PHASE},  RECEIVES(1, 5, 33, 0, 7),
        RECEIVES(1, 35, 41, 0, 7), {1, S_LEAVE, 45, PHASE}, {1, S_LEAVE, 50, MAIN},  {1, S_END, 50},
    };
    expect_tree(&(struct script){SCRIPT(2, events)},
                "main: 4 calls, 100 ps, idle 29, own 37, own idle 0\n"
                "main > phase: 3 calls, 62 ps, idle 29, own 26, own idle 0\n"
                "main > phase > MPI_Recv: 2 calls, 34 ps, idle 29, own 34, own idle 29\n"
                "main > phase > MPI_Send: 1 calls, 2 ps, idle 0, own 2, own idle 0\n"
                "main > MPI_Send: 1 calls, 1 ps, idle 0, own 1, own idle 0\n"
                "late sender in main > phase > MPI_Recv: 29 ps for 0\n");
}

/* Contexts: main, main > phase, main > phase > kernel, and calls from these. What is computed between two places that
 * are known is of what they have in common: 0-10 of main > phase (a sample at 10), 10-20 of main > phase (sampled in
 * kernel, then a call from phase), 22-30 of main, as at the end. */
static void test_contexts(void)
{
    static const struct script_context contexts[] = {{MAIN, 0}, {PHASE, 1}, {KERNEL, 2}, {SEND, 2}, {RECV, 1}};
    static const struct script_event events[] = {
        {0, S_BEGIN, 0},
        {0, S_SAMPLE, 5, 1},
        {0, S_SAMPLE, 10, 2},
        {0, S_CONTEXT_ENTER, 20, 3},
        {0, S_SEND, 22, 1, 0, 7, 8},
        {0, S_CONTEXT_LEAVE, 22, 3},
        {0, S_END, 30},
        {1, S_BEGIN, 0},
        {1, S_CONTEXT_ENTER, 8, 4},
        {1, S_RECV, 24, 0, 0, 7, 8},
        {1, S_CONTEXT_LEAVE, 24, 4},
        {1, S_END, 30},
    };
    expect_tree(&(struct script){SCRIPT(2, events), .contexts = contexts, .n_contexts = COUNT(contexts)},
                "main: 2 calls, 60 ps, idle 12, own 27, own idle 0\n"
                "main > phase: 1 calls, 17 ps, idle 0, own 15, own idle 0\n"
                "main > phase > MPI_Send: 1 calls, 2 ps, idle 0, own 2, own idle 0\n"
                "main > MPI_Recv: 1 calls, 16 ps, idle 12, own 16, own idle 12\n"
                "late sender in main > MPI_Recv: 12 ps for 0\n");
}

/* Computation in a region whose own path is not said, between two calls, is of their common path, too: 1-4 in
 * main > phase. */
static void test_region_between_calls(void)
{
    static const struct script_context contexts[] = {{MAIN, 0}, {PHASE, 1}, {KERNEL, 2}, {SEND, 3}, {SEND, 2}};
    static const struct script_event events[] = {
        {0, S_BEGIN, 0},
        {0, S_CONTEXT_ENTER, 0, 3},
        {0, S_SEND, 1, 1, 0, 7, 8},
        {0, S_CONTEXT_LEAVE, 1, 3},
        {0, S_ENTER, 2, OTHER},
        {0, S_LEAVE, 4, OTHER},
        {0, S_CONTEXT_ENTER, 4, 4},
        {0, S_SEND, 5, 1, 0, 7, 8},
        {0, S_CONTEXT_LEAVE, 5, 4},
        {0, S_END, 5},
        {1, S_BEGIN, 0},
        RECEIVES(1, 5, 6, 0, 7),
        RECEIVES(1, 6, 7, 0, 7),
        {1, S_END, 7},
    };
    expect_tree(&(struct script){SCRIPT(2, events), .contexts = contexts, .n_contexts = COUNT(contexts)},
                "main: 2 calls, 5 ps, idle 0, own 0, own idle 0\n"
                "main > phase: 2 calls, 5 ps, idle 0, own 3, own idle 0\n"
                "main > phase > kernel: 1 calls, 1 ps, idle 0, own 0, own idle 0\n"
                "main > phase > kernel > MPI_Send: 1 calls, 1 ps, idle 0, own 1, own idle 0\n"
                "main > phase > MPI_Send: 1 calls, 1 ps, idle 0, own 1, own idle 0\n");
}

/* Regions that do not nest make no tree. */
static void test_flat(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 0}, {0, S_ENTER, 0, PHASE}, SENDS(0, 3, 4, 1, 7),    {0, S_LEAVE, 9, PHASE}, {0, S_END, 9},
        {1, S_BEGIN, 0}, {1, S_ENTER, 0, PHASE}, RECEIVES(1, 5, 6, 0, 7), {1, S_LEAVE, 9, PHASE}, {1, S_END, 9},
    };
    expect_tree(&(struct script){SCRIPT(2, events)}, "");
}

/* Recorded paths make one, even if all are of a single function, as those of a program without symbols are. */
static void test_one_function(void)
{
    static const struct script_context contexts[] = {{MAIN, 0}, {SEND, 1}, {RECV, 1}};
    static const struct script_event events[] = {
        {0, S_BEGIN, 0},
        {0, S_CONTEXT_ENTER, 2, 1},
        {0, S_SEND, 3, 1, 0, 7, 8},
        {0, S_CONTEXT_LEAVE, 3, 1},
        {0, S_END, 5},
        {1, S_BEGIN, 0},
        {1, S_CONTEXT_ENTER, 3, 2},
        {1, S_RECV, 4, 0, 0, 7, 8},
        {1, S_CONTEXT_LEAVE, 4, 2},
        {1, S_END, 5},
    };
    expect_tree(&(struct script){SCRIPT(2, events), .contexts = contexts, .n_contexts = COUNT(contexts)},
                "main: 2 calls, 10 ps, idle 0, own 8, own idle 0\n"
                "main > MPI_Send: 1 calls, 1 ps, idle 0, own 1, own idle 0\n"
                "main > MPI_Recv: 1 calls, 1 ps, idle 0, own 1, own idle 0\n");
}

static void test_bad(void)
{
    static const struct script_context contexts[] = {{MAIN, 0}, {PHASE, 1}};
    static const struct script_event events[] = {{0, S_BEGIN, 0}, {0, S_CONTEXT_ENTER, 1, 9}, {0, S_END, 3}};
    const struct script script = {SCRIPT(1, events), .regions = regions, .n_regions = COUNT(regions),
                                  .contexts = contexts, .n_contexts = COUNT(contexts)};
    struct record_reader reader;
    struct sim_error error = {0};
    new_folder();
    script_write(&script, folder);
    CU_ASSERT_NOT_EQUAL(record_open(&reader, anchor, &error), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "enters calling context 9, which is not defined"));
    remove_tree(folder);
}

/* Two versions of a program for simrun compare, in ms. Both send and receive in phase; of the first, rank 0 is in
 * kernel for 20 ms, of the second for 50, and for 10 ms in a function that the first does not call; the first calls
 * kernel for 4 ms from main, too, which the second does not. */
static const struct script_event old_events[] = {
    {0, S_ENTER, 0, MAIN},       {0, S_ENTER, 10 MS, PHASE},   {0, S_ENTER, 10 MS, KERNEL},
    {0, S_LEAVE, 30 MS, KERNEL}, SENDS(0, 30 MS, 31 MS, 1, 7), {0, S_LEAVE, 40 MS, PHASE},
    {0, S_ENTER, 40 MS, KERNEL}, {0, S_LEAVE, 44 MS, KERNEL},  {0, S_LEAVE, 50 MS, MAIN},
    {1, S_ENTER, 0, MAIN},       {1, S_ENTER, 5 MS, PHASE},    RECEIVES(1, 5 MS, 32 MS, 0, 7),
    {1, S_LEAVE, 45 MS, PHASE},  {1, S_LEAVE, 50 MS, MAIN},
};
static const struct script_event new_events[] = {
    {0, S_ENTER, 0, MAIN},       {0, S_ENTER, 10 MS, PHASE},   {0, S_ENTER, 10 MS, KERNEL},
    {0, S_LEAVE, 60 MS, KERNEL}, SENDS(0, 60 MS, 61 MS, 1, 7), {0, S_LEAVE, 70 MS, PHASE},
    {0, S_ENTER, 70 MS, LINKS},  {0, S_LEAVE, 80 MS, LINKS},   {0, S_LEAVE, 80 MS, MAIN},
    {1, S_ENTER, 0, MAIN},       {1, S_ENTER, 5 MS, PHASE},    RECEIVES(1, 5 MS, 62 MS, 0, 7),
    {1, S_LEAVE, 75 MS, PHASE},  {1, S_LEAVE, 80 MS, MAIN},
};
static const struct archive archives[] = {
    {"old", {SCRIPT(2, old_events)}},
    {"new", {SCRIPT(2, new_events)}},
};

/* call_paths ARCHIVE FOLDER: writes the archive there. */
int main(void)
{
    int status;
    if (write_archive(&status, archives, COUNT(archives)))
        return status;
    static const struct test tests[] = {
        {"nested regions", test_nested},
        {"calling contexts", test_contexts},
        {"a region between calls", test_region_between_calls},
        {"regions that do not nest", test_flat},
        {"paths of one function", test_one_function},
        {"an undefined context", test_bad},
        {NULL, NULL},
    };
    return testing_run("call_paths", tests);
}
