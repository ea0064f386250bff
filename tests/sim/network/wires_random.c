/* Random programs on wires: times on the quiet network against a reckoning of its own, the accounts, the critical path
 * against a walk back through the trace, the same intervals from the same program.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/metrics/detail_sums.h"
#include "tests/sim/kernel/histories.h"
#include "tests/testing.h"

#include <sys/mman.h>

static const char *const networks[] = {"quiet", "fifo", "fluid", "loggp"};
enum { N_NETWORKS = sizeof networks / sizeof networks[0] };

/* --- one program --- */

static bool repeats(const struct script *script, const struct network_spec *network, uint64_t first)
{
    struct outcome again = run_with(script, network, NULL);
    bool same = again.status == 0 && digest(&again.record) == first;
    free(again.record.intervals);
    return same;
}

static const char *fault_of(const struct outcome *outcome, const struct script *script, const struct history *history,
                            const struct network_spec *network, const struct metrics *metrics)
{
    if (outcome->status != 0)
        return "it does not end well";
    struct result result;
    result_init(&result);
    metrics_report(metrics, &(struct metrics_totals){outcome->stats.end_ps, 0}, &result);
    bool good = path_agrees(outcome, script->n_ranks, &result);
    const char *fault = sums_fault(&result);
    result_dispose(&result);
    if (!good)
        return "the critical path differs from the walk back";
    if (fault != NULL)
        return fault;
    if (!messages_counted(outcome, history))
        return "messages or bytes are lost";
    if (!receipts_counted(outcome, history))
        return "receipts are not those of the messages";
    if (strcmp(network->name, "quiet") == 0 && script->ranks_per_host == 1 && outcome->stats.end_ps != reckon(history))
        return "the makespan differs from the reckoning";
    return repeats(script, network, digest(&outcome->record)) ? NULL : "a second run differs";
}

/* 1 and a message where something is wrong with it; the digest of its intervals. */
static int run_program(const struct script *script, const struct history *history, const char *network, uint64_t *hash)
{
    const struct interval_setup setup = {.n_ranks = script->n_ranks,
                                         .n_locations = script->n_ranks,
                                         .scopes = script_scopes,
                                         .n_scopes = 3,
                                         .details = DETAILS_ALL};
    struct metrics metrics;
    metrics_open(&metrics, &setup);
    struct outcome outcome = run_with(script, network_named(network), &metrics);
    const char *fault = fault_of(&outcome, script, history, network_named(network), &metrics);
    if (fault != NULL)
        fprintf(stderr, "%s: %s\n", network, fault);
    *hash = digest(&outcome.record);
    metrics_close(&metrics);
    free(outcome.record.intervals);
    return fault != NULL;
}

enum { PROGRAMS = 80, REPEATED = 10 }; /* every other with receives that are posted ahead */

#define BUFFERED "<prop id='send_completes' value='buffered'/><prop id='control' value='8B'/>"
#define EAGER(limit) "<prop id='eager_limit' value='" limit "'/>"
#define SEND_OVERHEAD "<prop id='send_overhead' value='start=10us byte=1ns'/>"
#define RECEIVE_OVERHEAD "<prop id='receive_overhead' value='start=5us byte=2ns'/>"

static const struct setting {
    const char *props;
    bool star;
    int ranks_per_host, n_tags;
} settings[] = {
    {"", true, 1, 1000},
    {BUFFERED EAGER("4KiB"), true, 1, 1000},
    {BUFFERED EAGER("1KiB") SEND_OVERHEAD RECEIVE_OVERHEAD, false, 1, 1000},
    {EAGER("10kB") SEND_OVERHEAD, false, 1, 2},
    {BUFFERED EAGER("16KiB") SEND_OVERHEAD, false, 2, 2},
    {BUFFERED EAGER("16KiB") RECEIVE_OVERHEAD, false, 2, 1000},
};
enum { N_SETTINGS = sizeof settings / sizeof settings[0] };

/* Shared with the children: the digests of all programs, and how many to run. */
struct board {
    uint64_t digests[PROGRAMS][N_NETWORKS];
    int n_programs;
};
static struct board *board;

static int check_programs(const void *argument)
{
    const struct setting *setting = argument;
    static struct history history;
    static struct script script;
    int failures = 0, number = (int)(setting - settings);
    for (int i = 0; i < board->n_programs; i++) {
        random_state = (uint64_t)(number * PROGRAMS + i);
        make_history(&history, 2 + (int)random_below(7), setting->n_tags, i % 2 == 1);
        make_script(&script, &history, setting->ranks_per_host, false);
        int wrong = 0;
        for (int n = 0; n < N_NETWORKS; n++)
            wrong += run_program(&script, &history, networks[n], &board->digests[i][n]);
        if (wrong > 0)
            fprintf(stderr, "... setting %d, program %d\n", number, i);
        failures += wrong;
    }
    return failures;
}

static const struct wire_row wires[] = {{11e6, 50000},  {1e8, 7000},  {3e6, 200000}, {11e6, 50000},
                                        {12.5e6, 1000}, {1e9, 30000}, {11e6, 40000}};

static void run_setting(const struct setting *setting, int n_programs)
{
    board->n_programs = n_programs;
    char *text = setting->star ? star_platform(setting->props, 8, wires[0]) : line_platform(setting->props, wires, 7);
    CU_ASSERT_EQUAL(on_platform(text, check_programs, setting), 0);
}

/* All programs on each platform, and the first of them once more in a process of their own. */
static void test_programs(void)
{
    uint64_t first[REPEATED][N_NETWORKS];
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_PTR_NOT_EQUAL_FATAL(board, MAP_FAILED);
    for (int s = 0; s < N_SETTINGS; s++) {
        run_setting(&settings[s], PROGRAMS);
        memcpy(first, board->digests, sizeof first);
        memset(board->digests, 0, sizeof board->digests);
        run_setting(&settings[s], REPEATED);
        CU_ASSERT_EQUAL(memcmp(first, board->digests, sizeof first), 0);
    }
    munmap(board, sizeof *board);
}

int main(void)
{
    static const struct test tests[] = {
        {"random programs", test_programs},
        {NULL, NULL},
    };
    return testing_run("wires, at random", tests);
}
