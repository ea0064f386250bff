/* Gains of causes: gains and shares against closed forms to the picosecond, why they differ for programs that are made
 * so that they must, and the identities of all for random programs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/what_if/what_if.h"
#include "sim/platform/platform.h"
#include "tests/metrics/cells.h"
#include "tests/sim/machine/t800.h"
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

#include "metrics/attribution.h"

/* --- asking --- */

static int n_failures;

static void expect(const char *what, const char *network, int64_t got, int64_t expected)
{
    if (got != expected) {
        fprintf(stderr, "%s, %s: %" PRId64 " ps, expected %" PRId64 "\n", what, network, got, expected);
        n_failures++;
    }
}

static void ask(struct result *result, const struct script *script, const char *network, const char *causes)
{
    struct placement placement;
    struct placement_request request = {.n_ranks = script->n_ranks,
                                        .ranks_per_host = script->ranks_per_host > 0 ? script->ranks_per_host : 1,
                                        .layout = LAYOUT_ROW_MAJOR};
    struct program program = {.app = &script_app, .config = (void *)(uintptr_t)script};
    const struct kernel_run run = {
        .program = &program, .machine = &machine, .placement = &placement, .network = network_named(network)};
    struct sim_error error = {0};
    uint32_t set = 0;
    char why[320];
    result_init(result);
    if (machine.net->mesh_width > 0) {
        request.width = script->n_ranks;
        request.height = 1;
    }
    if (what_if_parse(&set, causes, why, sizeof why) != 0 ||
        placement_init(&placement, &request, &machine, &error) != 0 ||
        what_if_measure(result, &run, set, &error) != 0) {
        fprintf(stderr, "%s %s\n", why, error.message);
        abort();
    }
}

static struct result_cell cell_of(const struct result *result, const char *cause, const char *column)
{
    const struct result_table *table = result_find_table(result, TABLE_WHAT_IF_CAUSES);
    for (size_t row = 0; row < table->n_rows; row++)
        if (strcmp(cells_at(table, row, "cause").text, cause) == 0)
            return cells_at(table, row, column);
    abort();
}

static int64_t time_of(const struct result *result, const char *cause, const char *column)
{
    return (int64_t)cell_of(result, cause, column).number;
}

/* The run's time: that without a cause, plus the gain. */
static int64_t base_of(const struct result *result, const char *cause)
{
    return time_of(result, cause, "time_s") + time_of(result, cause, "removed_s") -
           time_of(result, cause, "returned_s");
}

struct worth_row {
    const char *cause;
    int64_t share_ps, gain_ps;
};

/* All rows up to one without a name; the time of the run is `base_ps`. */
static void expect_worth(const char *what, const char *network, const struct script *script, int64_t base_ps,
                         const struct worth_row *rows)
{
    struct result result;
    char label[100];
    ask(&result, script, network, NULL);
    for (; rows->cause != NULL; rows++) {
        snprintf(label, sizeof label, "%s: time", what);
        expect(label, network, base_of(&result, rows->cause), base_ps);
        snprintf(label, sizeof label, "%s: share of %s", what, rows->cause);
        expect(label, network, time_of(&result, rows->cause, "attributed_s"), rows->share_ps);
        snprintf(label, sizeof label, "%s: gain of %s", what, rows->cause);
        expect(label, network, base_ps - time_of(&result, rows->cause, "time_s"), rows->gain_ps);
        snprintf(label, sizeof label, "%s.gain", rows->cause);
        expect(label, network, llround(result_find(&result, "what_if", label)->ratio * (double)base_ps), rows->gain_ps);
    }
    result_dispose(&result);
}

static int report_has(struct result *result, int64_t base_ps, const char *text)
{
    if (result_find(result, "", "time_s") == NULL)
        result_add_time(result, "", "time_s", base_ps);
    struct study_run run = {.platform = "line", .network = "quiet", .ranks = 2, .result = *result};
    const struct study report = {.version = "", .scenario = "test", .runs = &run, .n_runs = 1, .verbose = true};
    char *whole = testing_text(&report);
    for (char *c = whole; *c != '\0'; c++) /* lines are broken anywhere */
        if (*c == '\n')
            *c = ' ';
    char *from = whole, *to = whole; /* and indented */
    for (; *from != '\0'; from++)
        if (*from != ' ' || to == whole || to[-1] != ' ')
            *to++ = *from;
    *to = '\0';
    int found = strstr(whole, text) != NULL;
    if (!found)
        fprintf(stderr, "no '%s' in: %s\n", text, whole);
    free(whole);
    return found;
}

static int failures(void)
{
    int count = n_failures;
    n_failures = 0;
    return count;
}

static const char *const networks[] = {"quiet", "fifo", "fluid"};
enum { N_NETWORKS = sizeof networks / sizeof networks[0] };

/* Hosts in a line: 1 byte/us and 3 us a wire; a message costs its sender 5 us and 2 ns a byte, its receiver 7 us. */
#define LINE_PROPS                                                                                                     \
    "<prop id='send_overhead' value='start=5us byte=2ns'/><prop id='receive_overhead' value='start=7us'/>"             \
    "<prop id='input' value='start=11us byte=1us'/><prop id='output' value='start=13us byte=2us'/>"                    \
    "<prop id='link_init' value='17us'/>"
static const struct wire_row slow_wires[] = {{1e6, 3000}, {1e6, 3000}, {1e6, 3000}, {1e6, 3000},
                                             {1e6, 3000}, {1e6, 3000}, {1e6, 3000}};
enum { LATENCY = 3, LENGTH = 100, SEND = 5, RECEIVE = 7 };

/* --- closed forms --- */

/* Around a line of n ranks and back: every rank passes on what it gets. */
static struct script ring(int n_ranks, int64_t bytes)
{
    struct script script = {.n_ranks = n_ranks};
    for (int r = 0; r < n_ranks; r++) {
        if (r > 0)
            add(&script, r, OP_RECV, r - 1, bytes);
        add(&script, r, OP_SEND, (r + 1) % n_ranks, bytes);
    }
    add(&script, 0, OP_RECV, n_ranks - 1, bytes);
    return script;
}

/* A ring of n ranks in a line: n messages, n - 1 over one wire and the last over n - 1. */
static int check_ring(const void *argument)
{
    const int64_t n = 4;
    struct script script = ring((int)n, LENGTH);
    const int64_t latency = 2 * (n - 1) * LATENCY * US, length = n * LENGTH * US;
    const int64_t overhead = n * (SEND + RECEIVE) * US + n * LENGTH * 2000;
    const struct worth_row rows[] = {
        {"latency", latency, latency},
        {"bandwidth", length, length},
        {"overhead", overhead, overhead},
        {"contention", 0, 0},
        {"network", latency + length + overhead, latency + length + overhead},
        {"imbalance", 0, 0},
        {"computation", 0, 0},
        {NULL, 0, 0},
    };
    (void)argument;
    for (int i = 0; i < N_NETWORKS; i++)
        expect_worth("ring", networks[i], &script, latency + length + overhead, rows);
    return failures();
}

static void test_ring(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform(LINE_PROPS, slow_wires, 4), check_ring, NULL), 0);
}

/* With an RTS and a CTS of 8 bytes before it, a message is three. The receive is posted late, or not. */
static int check_rendezvous(const void *argument)
{
    (void)argument;
    for (int late = 0; late < 2; late++)
        for (int i = 0; i < 2; i++) {
            struct script script = {.n_ranks = 2};
            int legs = late ? 2 : 3;
            int64_t work = late ? 1000 * US : 0, latency = legs * LATENCY * US;
            int64_t length = (LENGTH + (legs - 1) * 8) * US;
            add_work(&script, 1, work);
            add(&script, 0, OP_SEND, 1, LENGTH)->mode = SEND_SYNCHRONOUS;
            add(&script, 1, OP_RECV, 0, LENGTH);
            const struct worth_row rows[] = {
                {"latency", latency, latency}, {"bandwidth", length, length}, {"contention", 0, 0}, {NULL, 0, 0}};
            expect_worth(late ? "late rendezvous" : "rendezvous", networks[i], &script, work + latency + length, rows);
        }
    return failures();
}

static void test_rendezvous(void)
{
    CU_ASSERT_EQUAL(
        on_platform(line_platform("<prop id='control' value='8B'/>", slow_wires, 1), check_rendezvous, NULL), 0);
}

/* Rank 0 computes 3 ms, rank 1 1 ms, in one phase; then rank 0 sends to rank 1. In another phase rank 1 computes 2
 * ms. */
static int check_imbalance(const void *argument)
{
    struct result result;
    struct script script = {.n_ranks = 2};
    int64_t message = (LATENCY + LENGTH) * US;
    add_work(&script, 0, 3 * MS);
    add_work(&script, 1, 1 * MS);
    add(&script, 0, OP_SEND, 1, LENGTH);
    add(&script, 1, OP_RECV, 0, LENGTH);
    add_work(&script, 1, 2 * MS);
    script.ops[1][2].scope = 2;
    (void)argument;
    /* The first phase becomes 2 ms on both, the second 1 ms on rank 1; each rank has 3 ms in all before. */
    const struct worth_row rows[] = {
        {"imbalance", 0, 2 * MS}, {"computation", 5 * MS, 5 * MS}, {"processing", 5 * MS, 5 * MS},
        {"memory", 0, 0},         {"network", message, message},   {NULL, 0, 0},
    };
    expect_worth("two phases", "quiet", &script, 5 * MS + message, rows);
    ask(&result, &script, "quiet", "imbalance");
    n_failures += !report_has(
        &result, 5 * MS + message,
        "imbalance: all ranks have about the same amount to compute, 3.000 ms, and when all have the mean in "
        "each phase the run is even 2.000 ms shorter; of the critical path 5.000 ms is computation, and "
        "then 3.000 ms; it goes from rank to rank, always where the next piece takes longest.");
    result_dispose(&result);
    script.count[1] = 2;
    const struct worth_row one[] = {{"imbalance", 1 * MS, 1 * MS}, {"computation", 3 * MS, 3 * MS}, {NULL, 0, 0}};
    expect_worth("one phase", "quiet", &script, 3 * MS + message, one);
    return failures();
}

static void test_imbalance(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform("", slow_wires, 1), check_imbalance, NULL), 0);
}

/* Only rank 0 reads, and initializes two links; then all others wait for it. And work of the role control. */
static int check_io(const void *argument)
{
    struct script script = {.n_ranks = 3};
    int64_t messages = (LATENCY + LENGTH + LENGTH + 2 * LATENCY) * US, io = (11 + 50 + 13 + 2 * 30) * US;
    (void)argument;
    add(&script, 0, OP_LINK_INIT, -1, 0)->links = 2;
    add(&script, 0, OP_READ, -1, 50);
    add_work(&script, 0, 40 * US);
    script.ops[0][2].role = ROLE_CONTROL;
    for (int to = 1; to < 3; to++) {
        add(&script, 0, OP_SEND, to, LENGTH);
        add(&script, to, OP_RECV, 0, LENGTH);
    }
    add(&script, 0, OP_WRITE, -1, 30);
    const struct worth_row rows[] = {
        {"io", io, io},
        {"link_init", 34 * US, 34 * US},
        {"control", 74 * US, 74 * US}, /* the links, too */
        {"memory", 0, 0},
        {"network", messages, messages},
        {"computation", 40 * US, 40 * US},
        {"imbalance", 0, 0},
        {"overhead", 0, 0},
        {"latency", 3 * LATENCY * US, 3 * LATENCY * US},
        {NULL, 0, 0},
    };
    expect_worth("root", "quiet", &script, messages + io + 74 * US, rows);
    return failures();
}

static void test_io(void)
{
    const char *props = "<prop id='input' value='start=11us byte=1us'/><prop id='output' value='start=13us byte=2us'/>"
                        "<prop id='link_init' value='17us'/>";
    CU_ASSERT_EQUAL(on_platform(line_platform(props, slow_wires, 2), check_io, NULL), 0);
}

/* Ranks 1 ... n of a line send to rank 0 at once. The wire to rank 0 is busy with one after another, the one from rank
 * n last, which alone would have had n wires' latency. */
static int check_contention(const void *argument)
{
    (void)argument;
    for (int n = 2; n <= 4; n++) {
        struct script script = {.n_ranks = n + 1};
        for (int from = 1; from <= n; from++) {
            add(&script, from, OP_SEND, 0, LENGTH);
            add(&script, 0, OP_RECV, from, LENGTH);
        }
        const int64_t contention = (n - 1) * (LENGTH - LATENCY) * US, latency = n * LATENCY * US;
        const struct worth_row rows[] = {
            {"contention", contention, contention},
            /* without latency all heads are at the last wire at once, and it is busy as long */
            {"latency", latency, LATENCY * US},
            /* with wires that take no time to be crossed, the furthest comes last and has not waited */
            {"bandwidth", LENGTH * US, (LENGTH + (n - 1) * (LENGTH - LATENCY)) * US},
            {"network", contention + latency + LENGTH * US, contention + latency + LENGTH * US},
            {NULL, 0, 0},
        };
        expect_worth("many to one", "fifo", &script, (n * LENGTH + LATENCY) * US, rows);
    }
    return failures();
}

/* On fluid, two ranks of a host send to the next one at once, and both have half of the wire. */
static int check_sharing(const void *argument)
{
    struct script script = {.n_ranks = 4, .ranks_per_host = 2};
    const int64_t latency = LATENCY * US, length = LENGTH * US;
    const struct worth_row rows[] = {
        {"contention", length, length},
        {"latency", latency, latency},
        {"bandwidth", length, 2 * length},
        {"network", latency + 2 * length, latency + 2 * length},
        {NULL, 0, 0},
    };
    (void)argument;
    for (int from = 2; from < 4; from++) {
        add(&script, from, OP_SEND, from - 2, LENGTH);
        add(&script, from - 2, OP_RECV, from, LENGTH);
    }
    expect_worth("two over one wire", "fluid", &script, latency + 2 * length, rows);
    return failures();
}

static void test_contention(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform("", slow_wires, 4), check_contention, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(line_platform("", slow_wires, 1), check_sharing, NULL), 0);
}

/* The T800: an empty message takes 51.1 us and 8.86 us a hop; what that leaves is the length's, windows with it. */
static int check_t800(void)
{
    static const int64_t lengths[] = {0, 1, 120, 121, 240, 2056, 1048576};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct script script = ring(4, lengths[i]);
        int64_t all = 3 * t800_ps(lengths[i], 1) + t800_ps(lengths[i], 3);
        int64_t latency = 3 * t800_ps(0, 1) + t800_ps(0, 3);
        const struct worth_row rows[] = {
            {"latency", latency, latency},
            {"bandwidth", all - latency, all - latency},
            {"network", all, all},
            {"contention", 0, 0},
            {NULL, 0, 0},
        };
        for (int n = 0; strcmp(networks[n], "fluid") != 0; n++)
            expect_worth("ring of T800", networks[n], &script, all, rows);
    }
    /* Without bounds to bandwidth, links are busy with one packet: the message from further away waits for nobody. */
    struct script script = {.n_ranks = 3};
    struct result result;
    for (int from = 1; from < 3; from++) {
        add(&script, from, OP_SEND, 0, 2056);
        add(&script, 0, OP_RECV, from, 2056);
    }
    ask(&result, &script, "fifo", "bandwidth");
    expect("two to one", "fifo", time_of(&result, "bandwidth", "time_s"), t800_ps(0, 2));
    result_dispose(&result);
    return failures();
}

static void test_t800(void)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct sim_error error;
        char *text = xformat("%s/platforms/t800-mesh.xml", SOURCE_DIR);
        int status = machine_load(&machine, text, &error);
        for (int i = 0; i < machine.routines->n_kernels; i++) /* the scripts' own kernel */
            snprintf(machine.routines->kernels[i].name, sizeof machine.routines->kernels[i].name, "%s",
                     i == 0 ? "work" : "other");
        if (status == 0)
            status = check_t800();
        machine_dispose(&machine);
        free(text);
        _exit(status != 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
}

/* --- where share and gain must differ --- */

/* Rank 1 computes 500 us beside a message that takes its latency of 600 us. Without latency the path runs over that
 * work. */
static int check_slack(const void *argument)
{
    struct script script = {.n_ranks = 2};
    struct result result;
    (void)argument;
    add(&script, 0, OP_SEND, 1, 0);
    add_work(&script, 1, 500 * US);
    add(&script, 1, OP_RECV, 0, 0);
    add_work(&script, 1, 1 * US);
    ask(&result, &script, "quiet", "latency,computation,network");
    expect("attributed", "quiet", time_of(&result, "latency", "attributed_s"), 600 * US);
    expect("removed", "quiet", time_of(&result, "latency", "removed_s"), 600 * US);
    expect("returned", "quiet", time_of(&result, "latency", "returned_s"), 500 * US);
    expect("partner's time", "quiet", time_of(&result, "latency", "partner_time_s"), 600 * US);
    expect("joint time", "quiet", time_of(&result, "latency", "joint_time_s"), 0);
    n_failures += strcmp(cell_of(&result, "latency", "partner").text, "computation") != 0;
    n_failures += strcmp(cell_of(&result, "network", "partner").text, "computation") != 0; /* not a part of itself */
    n_failures += cell_of(&result, "latency", "differs").number != 1;
    n_failures += cell_of(&result, "latency", "moved").ratio != 0; /* a message's time is its receiver's */
    static const char *const texts[] = {
        "latency, network: 600.0 us of the time, but without it the run is only 100.0 us shorter; 500.0 us "
        "of "
        "other things that ran beside it are waited for instead (+500.0 us computation in first).",
        "Without computation alone the run is 0.2 % shorter, without both 100.0 %: each hides part of the other.",
        "Without latency it would take 501.0 us, -16.6 %.",
        "too small to matter, below 0.5 % of the time: computation.",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        n_failures += !report_has(&result, 601 * US, texts[i]);
    result_dispose(&result);
    return failures();
}

static void test_slack(void)
{
    const struct wire_row wire = {1e6, 600000};
    CU_ASSERT_EQUAL(on_platform(line_platform("", &wire, 1), check_slack, NULL), 0);
}

/* Rank 0 sends to rank 2, rank 1 computes a little less than the message takes, and sends nothing. */
static int check_moved(const void *argument)
{
    struct script script = {.n_ranks = 3};
    struct result result;
    (void)argument;
    add_work(&script, 1, 90 * US);
    add(&script, 0, OP_SEND, 2, LENGTH);
    add(&script, 2, OP_RECV, 0, LENGTH);
    ask(&result, &script, "quiet", "bandwidth,network");
    int64_t base = (LENGTH + 2 * LATENCY) * US;
    expect("gain", "quiet", base - time_of(&result, "network", "time_s"), base - 90 * US);
    expect("returned", "quiet", time_of(&result, "network", "returned_s"), 90 * US);
    n_failures += cell_of(&result, "network", "moved").ratio != 1;
    n_failures += !report_has(&result, base, "100 % of the critical path then runs over other ranks.");
    result_dispose(&result);
    return failures();
}

static void test_moved(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform("", slow_wires, 2), check_moved, NULL), 0);
}

/* --- random programs --- */

/* Pairs of ranks meet in an order that all know, so that nothing can lock. */
static struct script random_script(void)
{
    struct script script = {.n_ranks = 2 + testing_random_to(6)};
    int n_rounds = 5 + testing_random_to(40);
    for (int round = 0; round < n_rounds; round++) {
        int from = testing_random_to(script.n_ranks) - 1, to = testing_random_to(script.n_ranks) - 1;
        int64_t bytes = testing_random_to(300);
        int scope = testing_random_to(2);
        add_work(&script, from, testing_random_to(200) * US);
        script.ops[from][script.count[from] - 1].scope = (uint8_t)scope;
        script.ops[from][script.count[from] - 1].role = testing_random_to(4) == 1 ? ROLE_CONTROL : ROLE_USEFUL;
        if (from == to) {
            add(&script, from, testing_random_to(2) == 1 ? OP_READ : OP_LINK_INIT, -1, bytes)->links = 1;
            continue;
        }
        struct op *send = add(&script, from, testing_random_to(3) == 1 ? OP_ISEND : OP_SEND, to, bytes);
        send->mode = testing_random_to(3) == 1 ? SEND_SYNCHRONOUS : SEND_STANDARD;
        send->scope = (uint8_t)scope;
        bool waits = send->kind == OP_ISEND && testing_random_to(2) == 1;
        if (testing_random_to(3) == 1) {
            add(&script, to, OP_IRECV, from, bytes)->request = 1;
            add_work(&script, to, testing_random_to(100) * US);
            add(&script, to, OP_WAIT, -1, 0)->request = 1;
        } else {
            add(&script, to, OP_RECV, from, bytes);
        }
        if (waits)
            add(&script, from, OP_WAIT, -1, 0);
    }
    return script;
}

/* The gain is the time removed less the time returned, and the rows of the paths add up to both. */
static void check_rows(const struct result *result, const char *network)
{
    const struct result_table *causes = result_find_table(result, TABLE_WHAT_IF_CAUSES);
    const struct result_table *paths = result_find_table(result, TABLE_WHAT_IF_PATHS);
    for (size_t row = 0; row < causes->n_rows; row++) {
        const char *cause = result_cell(causes, row, 0).text;
        int64_t own = 0, others = 0;
        if (strcmp(cell_of(result, cause, "status").text, "removed") != 0)
            continue;
        for (size_t i = 0; i < paths->n_rows; i++)
            if (strcmp(result_cell(paths, i, 0).text, cause) == 0) {
                int64_t change =
                    (int64_t)(cells_at(paths, i, "before_s").number - cells_at(paths, i, "after_s").number);
                *(cells_at(paths, i, "is_attributed").number ? &own : &others) += change;
            }
        expect("removed", network, time_of(result, cause, "removed_s"), own);
        expect("returned", network, time_of(result, cause, "returned_s"), -others);
        expect("the run's time", network, base_of(result, cause), base_of(result, "network"));
        if (strcmp(cause, "imbalance") != 0) /* nothing is left of what was removed */
            expect(cause, network, time_of(result, cause, "attributed_s"), time_of(result, cause, "removed_s"));
    }
}

static double efficiency(const struct result *result, const char *name)
{
    return measure_value(result_find(result, "pop", name));
}

static void check_efficiencies(const struct result *result, const char *network)
{
    double parallel = efficiency(result, "parallel_efficiency");
    double communication = efficiency(result, "communication_efficiency");
    if (fabs(parallel - efficiency(result, "load_balance") * communication) > 1e-12 ||
        fabs(communication - efficiency(result, "serialisation") * efficiency(result, "transfer")) > 1e-12) {
        fprintf(stderr, "%s: efficiencies do not multiply\n", network);
        n_failures++;
    }
    if (efficiency(result, "serialisation") > 1 || efficiency(result, "load_balance") > 1) {
        fprintf(stderr, "%s: an efficiency above 1\n", network);
        n_failures++;
    }
}

/* The parts of the path are those of the components that the metrics have, and messages on quiet wait for nobody. */
static void check_components(const struct script *script, const struct result *result, const char *network)
{
    const struct interval_setup setup = {
        .n_ranks = script->n_ranks, .n_locations = script->n_ranks, .scopes = script_scopes, .n_scopes = 3};
    struct metrics metrics;
    struct result measures;
    result_init(&measures);
    metrics_open(&metrics, &setup);
    struct outcome outcome = run_with(script, network_named(network), &metrics);
    metrics_report(&metrics, &(struct metrics_totals){outcome.stats.end_ps, -1}, &measures);
    metrics_close(&metrics);
    free(outcome.record.intervals);
    expect("time", network, base_of(result, "network"), outcome.stats.end_ps);
    expect("computation", network, time_of(result, "computation", "path_s"),
           (int64_t)(path_part(&measures, "processing") + path_part(&measures, "memory")));
    expect("I/O", network, time_of(result, "io", "path_s"), (int64_t)path_part(&measures, "io"));
    expect("communication", network, time_of(result, "network", "path_s") + time_of(result, "link_init", "path_s"),
           (int64_t)path_part(&measures, "communication"));
    bool contended = time_of(result, "contention", "path_s") > 0;
    if (time_of(result, "contention", "path_s") < 0 || (contended && strcmp(network, "quiet") == 0)) {
        fprintf(stderr, "%s: contention of %" PRId64 " ps\n", network, time_of(result, "contention", "path_s"));
        n_failures++;
    }
    result_dispose(&measures);
}

static int check_random(const void *argument)
{
    int n_contended = 0, n_differ = 0;
    (void)argument;
    for (int i = 0; i < 60; i++) {
        struct script script = random_script();
        for (int n = 0; n < N_NETWORKS; n++) {
            struct result result;
            ask(&result, &script, networks[n], NULL);
            check_rows(&result, networks[n]);
            check_efficiencies(&result, networks[n]);
            check_components(&script, &result, networks[n]);
            n_contended += time_of(&result, "contention", "path_s") > 0;
            n_differ += cell_of(&result, "latency", "differs").number != 0;
            result_dispose(&result);
        }
    }
    if (n_contended < 10 || n_differ < 5) {
        fprintf(stderr, "the programs are too tame: %d with contention, %d that differ\n", n_contended, n_differ);
        n_failures++;
    }
    return failures();
}

static void test_random(void)
{
    const struct wire_row wire = {1e6, 20000};
    CU_ASSERT_EQUAL(on_platform(line_platform(LINE_PROPS "<prop id='eager_limit' value='200B'/>", slow_wires, 7),
                                check_random, NULL),
                    0);
    CU_ASSERT_EQUAL(on_platform(star_platform(LINE_PROPS, 8, wire), check_random, NULL), 0);
}

/* --- names --- */

static void test_names(void)
{
    static const struct {
        const char *list, *why;
    } bad[] = {
        {"", "unknown cause ''; known: latency bandwidth"},
        {"io,latency,io", "'io' is listed twice"},
        {"latency,", "unknown cause ''; known: latency bandwidth"},
        {"laten", "unknown cause 'laten'; did you mean 'latency'? known: latency bandwidth"},
        {"io,latencyx", "unknown cause 'latencyx'; did you mean 'latency'? known: latency bandwidth"},
    };
    uint32_t causes = 77;
    char why[320];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_EQUAL(what_if_parse(&causes, bad[i].list, why, sizeof why), -1);
        CU_ASSERT_EQUAL(strncmp(why, bad[i].why, strlen(bad[i].why)), 0);
        CU_ASSERT_EQUAL(causes, 77);
    }
    CU_ASSERT_EQUAL(what_if_parse(&causes, "bandwidth,latency", why, sizeof why), 0);
    CU_ASSERT_EQUAL(causes, 3);
    CU_ASSERT_EQUAL(what_if_parse(&causes, NULL, why, sizeof why), 0);
    CU_ASSERT_EQUAL(causes, (UINT32_C(1) << N_CAUSES) - 1);
    CU_ASSERT_EQUAL(what_if_parse(&causes, "x", why, 12), -1);
    CU_ASSERT_EQUAL(strlen(why), 11);
}

/* A wire there and a slower one back. */
static char *two_ways(void)
{
    struct text text;
    platform_begin(&text, "<prop id='control' value='4B'/>");
    fputs("<host id='h0' speed='1Gf'/><host id='h1' speed='1Gf'/>"
          "<link id='there' bandwidth='1e15Bps' latency='10us'/><link id='back' bandwidth='1e15Bps' latency='1ms'/>"
          "<route src='h0' dst='h1' symmetrical='NO'><link_ctn id='there'/></route>"
          "<route src='h1' dst='h0' symmetrical='NO'><link_ctn id='back'/></route>\n",
          text.stream);
    return platform_end(&text);
}

/* Useful work is evened out, control is not: 100 and 300 us in the mean are 200, and 50 us of control stay what they
 * are. */
static int check_balance(const void *argument)
{
    static const struct worth_row rows[] = {{"imbalance", 100 * US, 100 * US}, {NULL, 0, 0}};
    struct script script = {.n_ranks = 2};
    (void)argument;
    for (int r = 0; r < 2; r++) {
        add_work(&script, r, r == 0 ? 100 * US : 300 * US);
        add(&script, r, OP_COMPUTE, -1, 0)->times = 50 * US;
        script.ops[r][script.count[r] - 1].role = ROLE_CONTROL;
    }
    expect_worth("balance", "quiet", &script, 350 * US, rows);
    return n_failures;
}

static void test_balance(void)
{
    CU_ASSERT_EQUAL(on_platform(two_ways(), check_balance, NULL), 0);
}

/* RTS and data go there, the CTS comes back. */
static int check_two_ways(const void *argument)
{
    static const struct worth_row rows[] = {
        {"latency", MS + 20 * US, MS + 20 * US}, {"bandwidth", 1, 1}, {"contention", 0, 0}, {NULL, 0, 0}};
    struct script script = {.n_ranks = 2};
    (void)argument;
    add(&script, 0, OP_SEND, 1, 1000)->mode = SEND_SYNCHRONOUS;
    add(&script, 1, OP_RECV, 0, 1000);
    expect_worth("two ways", "quiet", &script, MS + 20 * US + 1, rows);
    expect_worth("two ways", "fifo", &script, MS + 20 * US + 1, rows);
    return n_failures;
}

static void test_two_ways(void)
{
    CU_ASSERT_EQUAL(on_platform(two_ways(), check_two_ways, NULL), 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"names", test_names},
        {"a ring", test_ring},
        {"a rendezvous", test_rendezvous},
        {"imbalance", test_imbalance},
        {"I/O, links and control", test_io},
        {"contention", test_contention},
        {"eq. 4", test_t800},
        {"a cause with slack beside it", test_slack},
        {"a path that moves", test_moved},
        {"random programs", test_random},
        {"another way back", test_two_ways},
        {"useful work alone is balanced", test_balance},
        {NULL, NULL},
    };
    return testing_run("what-if", tests);
}
