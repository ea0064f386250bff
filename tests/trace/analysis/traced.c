/* Random programs are simulated, their intervals written as an archive, and that analyzed: the account of every rank
 * comes back to the picosecond, and with it messages and bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/kernel/histories.h"
#include "tests/testing.h"
#include "trace/analysis/analysis.h"
#include "trace/formats.h"
#include "trace/trace.h"

static const char *const networks[] = {"quiet", "fifo", "fluid"};
enum { N_NETWORKS = sizeof networks / sizeof networks[0], PROGRAMS = 8 };

static char folder[64];

/* Results of the analysis that must be as in the simulation. */
struct account {
    int64_t now_ps[MAX_RANKS], state_ps[MAX_RANKS][N_LOCATION_STATES];
    int64_t messages, receipts, bytes, received_bytes;
    bool broken;
};

static void account_take(void *self, const struct interval *interval)
{
    struct account *account = self;
    account->broken |= interval->start_ps != account->now_ps[interval->location];
    account->now_ps[interval->location] = interval->end_ps;
    account->state_ps[interval->location][interval->state] += interval->end_ps - interval->start_ps;
    account->messages += interval->is_message;
    account->receipts += interval->is_receipt;
    account->bytes += interval->is_message ? interval->bytes : 0;
    account->received_bytes += interval->is_receipt ? interval->bytes : 0;
}

static int write_trace(struct outcome *outcome, const struct script *script, const char *network, const char *file)
{
    struct trace trace;
    struct sim_error error;
    struct metrics sink = {.count = 1, .sinks = {{.take = trace_take, .self = &trace}}};
    if (trace_open(&trace, file, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    trace_begin(&trace, &(struct interval_setup){.n_ranks = script->n_ranks,
                                                 .n_locations = script->n_ranks,
                                                 .scopes = script_scopes,
                                                 .n_scopes = 3});
    *outcome = run_with(script, network_named(network), &sink);
    if (outcome->status == 0)
        return trace_close(&trace, &error);
    trace_abandon(&trace);
    return -1;
}

static int analyse_trace(struct account *account, struct analysis_stats *stats, const char *file)
{
    struct record_reader reader;
    struct analysis_scopes scopes;
    struct sim_error error;
    const struct interval_sink sink = {.take = account_take, .self = account};
    *account = (struct account){0};
    if (record_open(&reader, file, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    analysis_scopes_init(&scopes, &reader.info);
    int status = analysis_run(stats, &reader, file, &scopes, &sink, 1, &error);
    if (status != 0)
        fprintf(stderr, "%s\n", error.message);
    analysis_scopes_dispose(&scopes);
    record_close(&reader);
    return status;
}

static bool agrees(const struct outcome *outcome, const struct account *account, const struct analysis_stats *stats,
                   int n_ranks)
{
    bool good = !account->broken && stats->end_ps == outcome->stats.end_ps && stats->clock_errors == 0 &&
                account->messages == outcome->stats.messages && account->receipts == outcome->stats.messages &&
                account->bytes == outcome->stats.bytes && account->received_bytes == outcome->stats.bytes;
    if (!good)
        fprintf(stderr,
                "end %" PRId64 " ps (simulated %" PRId64 "), %" PRId64 " clock errors, %" PRId64 " messages, %" PRId64
                " receipts (%" PRId64 "), %" PRId64 " and %" PRId64 " bytes (%" PRId64 ")\n",
                stats->end_ps, outcome->stats.end_ps, stats->clock_errors, account->messages, account->receipts,
                outcome->stats.messages, account->bytes, account->received_bytes, (int64_t)outcome->stats.bytes);
    for (int rank = 0; rank < n_ranks; rank++)
        for (int s = 0; s < N_LOCATION_STATES; s++)
            if (account->state_ps[rank][s] != outcome->record.state_ps[rank][s]) {
                fprintf(stderr, "rank %d %s: %" PRId64 " ps, simulated %" PRId64 "\n", rank, location_state_names[s],
                        account->state_ps[rank][s], outcome->record.state_ps[rank][s]);
                good = false;
            }
    return good;
}

/* 1 and a message where the analysis of the trace says something else than the simulation. */
static int try_program(const struct script *script, const char *network)
{
    struct outcome outcome = {.status = -1};
    struct account account;
    struct analysis_stats stats = {0};
    char *file = xformat("%s/run.otf2", folder);
    bool good = write_trace(&outcome, script, network, file) == 0 && analyse_trace(&account, &stats, file) == 0 &&
                agrees(&outcome, &account, &stats, script->n_ranks);
    free(outcome.record.intervals);
    free(file);
    return !good;
}

#define BUFFERED "<prop id='send_completes' value='buffered'/><prop id='control' value='8B'/>"
#define OVERHEADS                                                                                                      \
    "<prop id='send_overhead' value='start=10us byte=1ns'/><prop id='receive_overhead' value='start=5us byte=2ns'/>"

static const struct setting {
    const char *props;
    int ranks_per_host;
    bool ahead;
} settings[] = {
    {"", 1, false},
    {"", 1, true},
    {BUFFERED "<prop id='eager_limit' value='4KiB'/>", 1, true},
    {BUFFERED "<prop id='eager_limit' value='1KiB'/>" OVERHEADS, 1, true},
    {BUFFERED "<prop id='eager_limit' value='16KiB'/>" OVERHEADS, 2, false},
};

static int check_setting(const void *argument)
{
    const struct setting *setting = argument;
    static struct history history;
    static struct script script;
    int failures = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        random_state = (uint64_t)((setting - settings) * 1000 + i);
        make_history(&history, 2 + (int)random_below(7), 1 + i % 3, setting->ahead);
        make_script(&script, &history, setting->ranks_per_host, i % 2 == 1);
        for (int n = 0; n < N_NETWORKS; n++)
            if (try_program(&script, networks[n]) != 0) {
                fprintf(stderr, "... %s, setting %d, program %d\n", networks[n], (int)(setting - settings), i);
                failures++;
            }
    }
    return failures;
}

static void test_random_programs(void)
{
    bool quick = access("/dev/shm", W_OK) == 0; /* what is written there need not go to a disk */
    strcpy(folder, quick ? "/dev/shm/test-traced-XXXXXX" : P_tmpdir "/test-traced-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        const struct wire_row wire = {11e6, 50000};
        CU_ASSERT_EQUAL(on_platform(star_platform(settings[s].props, 8, wire), check_setting, &settings[s]), 0);
    }
    char *command = xformat("rm -rf %s", folder);
    CU_ASSERT_EQUAL(system(command), 0);
    free(command);
}

int main(void)
{
    static const struct test tests[] = {
        {"random programs", test_random_programs},
        {NULL, NULL},
    };
    return testing_run("traces of simulations, analysed", tests);
}
