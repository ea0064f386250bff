/* test_dsm_random [PROGRAMS [FIRST]]: the protocol of shared memory proved on random programs, numbered from FIRST on.
 *
 * On programs without data races: every read sees the last write that happens before it, the accounts of all locations
 * close, and taking any one rule out of the protocol is noticed. On programs in which one thing happens after the
 * other: the messages between each two nodes, their bytes, and the waits for pages, diffs, locks and barriers are those
 * of a second and simpler count (lazy_release.h).
 *
 * A program without races is a sequence of phases between barriers. In each phase every piece of memory has one of four
 * uses: one node alone reads and writes it, all read it, all read and write it under a lock, or nobody uses it. Pieces
 * are shorter than pages, so pages are shared in every pattern.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/metrics/detail_sums.h"
#include "tests/sim/dsm/lazy_release.h"
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

#include "sim/program/dsm_options.h"
#include "sim/simulate.h"

enum { MAX_NODES = 16, PAGE_BYTES = 64, WORD = 4, MAX_PIECES = 64, MAX_OPS_OF_NODE = 4000, N_LOCKS = 5 };

struct random_program {
    int n_ranks;
    int count[MAX_NODES];
    struct op ops[MAX_NODES][MAX_OPS_OF_NODE];
};

static uint64_t seed;

static int random_below(int n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((seed >> 33) % (uint64_t)n);
}

static bool emit_shared(const void *config, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    const struct random_program *program = config;
    (void)seen;
    if (step >= program->count[rank])
        return false;
    const struct op *op = &program->ops[rank][step];
    *op_list_add(list, (enum op_kind)op->kind, op->scope) = *op;
    return true;
}

static const struct app_spec random_app = {
    .name = "random", .scopes = script_scopes, .kernels = script_kernels, .emit_shared = emit_shared};

static struct op *add_op(struct random_program *program, int rank, enum op_kind kind)
{
    struct op *op = &program->ops[rank][program->count[rank]++];
    *op = (struct op){.kind = (uint8_t)kind, .peer = -1, .scope = 1};
    return op;
}

struct piece {
    int from, words; /* in words */
    int use;         /* a node, or one of the following */
};
enum { USE_READ = -1, USE_NONE = -2, USE_LOCK = -3 }; /* USE_LOCK - l: under lock l */

static int make_pieces(struct piece *pieces, int n_words)
{
    int count = 0;
    for (int from = 0; from < n_words && count < MAX_PIECES;) {
        int words = 1 + random_below(random_below(4) == 0 ? 40 : 6);
        words = words < n_words - from ? words : n_words - from;
        pieces[count++] = (struct piece){from, words, 0};
        from += words;
    }
    return count;
}

static void add_access(struct random_program *program, int rank, const struct piece *piece, bool write)
{
    int first = random_below(piece->words), words = 1 + random_below(piece->words - first);
    struct op *op = add_op(program, rank, write ? OP_PAGE_WRITE : OP_PAGE_READ);
    op->address = (int64_t)(piece->from + first) * WORD;
    op->bytes = WORD;
    op->pieces = words;
    op->stride = WORD;
    if (random_below(2) == 0) {
        op->bytes = (int64_t)words * WORD;
        op->pieces = 0;
    }
}

static void add_computation(struct random_program *program, int rank)
{
    add_op(program, rank, OP_COMPUTE)->times = 1 + random_below(2000) * (int64_t)random_below(100) * 1000000;
}

/* Some accesses to pieces of one use. */
static void add_accesses(struct random_program *program, int rank, const struct piece *pieces, int n_pieces, int use,
                         bool write)
{
    for (int i = 1 + random_below(4); i > 0; i--) {
        const struct piece *piece = &pieces[random_below(n_pieces)];
        if (piece->use == use)
            add_access(program, rank, piece, write && random_below(2) == 0);
    }
}

static void add_action(struct random_program *program, int rank, const struct piece *pieces, int n_pieces)
{
    int lock = random_below(N_LOCKS), kind = random_below(4);
    if (kind == 0) {
        add_computation(program, rank);
    } else if (kind == 1) {
        add_accesses(program, rank, pieces, n_pieces, USE_READ, false);
    } else if (kind == 2) {
        add_accesses(program, rank, pieces, n_pieces, rank, true);
    } else {
        add_op(program, rank, OP_ACQUIRE)->lock = lock;
        add_accesses(program, rank, pieces, n_pieces, USE_LOCK - lock, true);
        if (random_below(3) == 0)
            add_computation(program, rank);
        add_op(program, rank, OP_RELEASE)->lock = lock;
    }
}

static void make_program(struct random_program *program, int n_ranks, int n_words)
{
    struct piece pieces[MAX_PIECES];
    program->n_ranks = n_ranks;
    memset(program->count, 0, sizeof program->count);
    int n_pieces = make_pieces(pieces, n_words), n_phases = 1 + random_below(8), n_actions = 1 + random_below(30);
    for (int phase = 0; phase < n_phases; phase++) {
        for (int i = 0; i < n_pieces; i++) {
            int kind = random_below(8);
            pieces[i].use = kind < 3   ? random_below(n_ranks)
                            : kind < 5 ? USE_READ
                            : kind < 7 ? USE_LOCK - random_below(N_LOCKS)
                                       : USE_NONE;
        }
        for (int rank = 0; rank < n_ranks; rank++) {
            for (int i = random_below(n_actions + 1); i > 0 && program->count[rank] < MAX_OPS_OF_NODE - 100; i--)
                add_action(program, rank, pieces, n_pieces);
            add_op(program, rank, OP_BARRIER);
        }
    }
}

/* --- running --- */

struct ledger {
    int64_t present[2 * MAX_NODES];
    int64_t state_ps[2 * MAX_NODES];
    bool broken;
    struct lrc_count count;
};

static void ledger_take(void *self, const struct interval *interval)
{
    struct ledger *ledger = self;
    if (interval->is_message) {
        ledger->count.messages[interval->location][interval->peer]++;
        ledger->count.bytes += interval->bytes;
    }
    if (interval->wait_ps != NULL)
        ledger->count.waits[interval->location][interval->operation]++;
    ledger->broken |=
        interval->start_ps != ledger->present[interval->location] || interval->end_ps < interval->start_ps;
    ledger->present[interval->location] = interval->end_ps;
}

/* Count the messages and waits of the run in `count`, unless that is NULL. */
static int run_random(struct lrc_count *count, const struct random_program *random, const struct dsm_options *options,
                      const char *network, struct sim_error *error)
{
    int n = random->n_ranks, n_locations = options->controller ? 2 * n : n;
    struct ledger ledger = {0};
    struct placement placement;
    struct metrics metrics;
    struct result result;
    struct kernel_stats stats = {0};
    const struct placement_request request = {.n_ranks = n, .ranks_per_host = 1};
    const struct program program = {.app = &random_app, .config = (void *)(uintptr_t)random, .dsm = *options};
    if (placement_init(&placement, &request, &machine, error) != 0)
        return -1;
    metrics_open(&metrics, &(struct interval_setup){.n_ranks = n,
                                                    .n_locations = n_locations,
                                                    .scopes = script_scopes,
                                                    .n_scopes = 3,
                                                    .has_categories = true,
                                                    .details = DETAILS_ALL});
    struct interval_sink sinks[METRICS_MAX + 1] = {{.take = ledger_take, .self = &ledger}};
    for (int i = 0; i < metrics.count; i++)
        sinks[i + 1] = metrics.sinks[i];
    const struct kernel_run run = {.program = &program,
                                   .machine = &machine,
                                   .placement = &placement,
                                   .network = network_named(network),
                                   .sinks = sinks,
                                   .n_sinks = metrics.count + 1};
    int status = simulate_run(&stats, &run, error);
    result_init(&result);
    if (status == 0)
        metrics_report(&metrics, &(struct metrics_totals){stats.end_ps, 0}, &result);
    for (int location = 0; location < n_locations && status == 0; location++)
        if (ledger.broken || ledger.present[location] != stats.end_ps)
            status =
                sim_error_set(error, SIM_UNFINISHED, NULL, 0, "the account of location %d does not close", location);
    const char *fault = status == 0 ? sums_fault(&result) : NULL;
    if (fault != NULL)
        status = sim_error_set(error, SIM_UNFINISHED, NULL, 0, "%s", fault);
    result_dispose(&result);
    metrics_close(&metrics);
    if (count != NULL)
        *count = ledger.count;
    return status;
}

static struct dsm_options variant(int which, int64_t shared_bytes)
{
    const int64_t values[] = {which, random_below(2) == 0 ? INT64_C(1) << 40 : 200 + random_below(4000), 1,
                              random_below(2)}; /* which policy */
    return dsm_options(values, shared_bytes, N_LOCKS, 0);
}

enum { N_VARIANTS = 6 };
static const char *const networks[] = {"quiet", "fifo", "fluid"};

static int check_program(uint64_t number)
{
    static struct random_program program;
    struct sim_error error;
    seed = number * 7919 + 1;
    int n_words = 1 + random_below(random_below(2) == 0 ? 40 : 200);
    make_program(&program, 2 + random_below(MAX_NODES - 1), n_words);
    struct dsm_options options = variant((int)(number % N_VARIANTS), (int64_t)n_words * WORD);
    if (run_random(NULL, &program, &options, networks[number / N_VARIANTS % 3], &error) == 0)
        return 0;
    fprintf(stderr, "program %llu, variant %s: %s\n", (unsigned long long)number,
            dsm_variant_names[number % N_VARIANTS], error.message);
    return 1;
}

/* --- programs in which one thing happens after the other --- */

/* Each op of a program has a slot of time for itself, in which all other nodes compute or wait at a barrier. */
#define SLOT_PS (INT64_C(1000) * 1000 * MS)

struct sequence {
    struct random_program program;
    struct lrc lrc;
    int slot, last[MAX_NODES]; /* slots: the present one, and that of each node's last op */
    int lock[MAX_NODES];       /* that each node has, or -1 */
};

static struct op *add_in_slot(struct sequence *sequence, int node, enum op_kind kind)
{
    sequence->slot++;
    add_op(&sequence->program, node, OP_COMPUTE)->times = (sequence->slot - sequence->last[node]) * SLOT_PS;
    sequence->last[node] = sequence->slot;
    return add_op(&sequence->program, node, kind);
}

static void sequence_access(struct sequence *sequence, int node, int n_words)
{
    bool write = random_below(2) == 0;
    int from = random_below(n_words), words = 1 + random_below(n_words - from < 24 ? n_words - from : 24);
    struct op *op = add_in_slot(sequence, node, write ? OP_PAGE_WRITE : OP_PAGE_READ);
    op->address = (int64_t)from * WORD;
    op->bytes = (int64_t)words * WORD;
    for (int word = from; word < from + words; word++)
        lrc_access(&sequence->lrc, node, word / LRC_PAGE_WORDS, UINT32_C(1) << word % LRC_PAGE_WORDS, write);
}

static void sequence_barrier(struct sequence *sequence)
{
    for (int n = 0; n < sequence->program.n_ranks; n++)
        if (sequence->lock[n] >= 0)
            return;
    for (int n = 0; n < sequence->program.n_ranks; n++)
        add_in_slot(sequence, n, OP_BARRIER);
    for (int n = 0; n < sequence->program.n_ranks; n++)
        sequence->last[n] = sequence->slot;
    lrc_barrier(&sequence->lrc);
}

/* Let go the lock that the node has, or take one that nobody has. */
static void sequence_lock(struct sequence *sequence, int node)
{
    int lock = random_below(N_LOCKS);
    if (sequence->lock[node] >= 0) {
        add_in_slot(sequence, node, OP_RELEASE)->lock = sequence->lock[node];
        sequence->lock[node] = -1;
        return;
    }
    for (int n = 0; n < sequence->program.n_ranks; n++)
        if (sequence->lock[n] == lock)
            return;
    add_in_slot(sequence, node, OP_ACQUIRE)->lock = lock;
    sequence->lock[node] = lock;
    lrc_acquire(&sequence->lrc, node, lock);
}

static void make_sequence(struct sequence *sequence, int n_ranks, int n_words, const struct dsm_options *options)
{
    *sequence = (struct sequence){.program = {.n_ranks = n_ranks}};
    lrc_begin(&sequence->lrc, n_ranks, (n_words + LRC_PAGE_WORDS - 1) / LRC_PAGE_WORDS, options);
    memset(sequence->lock, -1, sizeof sequence->lock);
    int n_actions = 1 + random_below(60), per_barrier = 2 + random_below(40);
    for (int i = 0; i < n_actions; i++) {
        int node = random_below(n_ranks), kind = random_below(per_barrier);
        if (kind == 0)
            sequence_barrier(sequence);
        else if (kind % 3 == 0)
            sequence_lock(sequence, node);
        else
            sequence_access(sequence, node, n_words);
    }
    for (int n = 0; n < n_ranks; n++)
        if (sequence->lock[n] >= 0)
            sequence_lock(sequence, n);
    for (int n = 0; n < n_ranks; n++) /* what is under way arrives before the end */
        add_op(&sequence->program, n, OP_COMPUTE)->times = (sequence->slot + 1 - sequence->last[n]) * SLOT_PS;
}

static int check_traffic(uint64_t number)
{
    static struct sequence sequence;
    struct lrc_count count;
    struct sim_error error;
    seed = number * 7919 + 2;
    int n_words = 1 + random_below(random_below(2) == 0 ? 40 : 200), n_ranks = 2 + random_below(MAX_NODES - 1);
    struct dsm_options options = variant((int)(number % N_VARIANTS), (int64_t)n_words * WORD);
    options.check = false; /* the order of things is no happening before */
    make_sequence(&sequence, n_ranks, n_words, &options);
    error.message[0] = '\0';
    if (run_random(&count, &sequence.program, &options, number % 2 == 0 ? "fifo" : "quiet", &error) == 0 &&
        sequence.lrc.broken == NULL && lrc_same(&count, &sequence.lrc.count))
        return 0;
    fprintf(stderr, "traffic of program %llu, variant %s: %s\n", (unsigned long long)number,
            dsm_variant_names[number % N_VARIANTS], sequence.lrc.broken != NULL ? sequence.lrc.broken : error.message);
    return 1;
}

/* --- */

static uint64_t n_programs = 5000, first_program;

static int check_each(const void *argument)
{
    int (*const *check)(uint64_t) = argument;
    int failures = 0;
    for (uint64_t i = 0; i < n_programs && failures < 5; i++)
        failures += (*check)(first_program + i);
    return failures;
}

/* How many programs of the first `n` notice that a rule is missing. */
static int check_fault(const void *argument)
{
    static struct random_program program;
    int noticed = 0;
    for (int i = 0; i < 300; i++) {
        struct sim_error error;
        seed = (uint64_t)i * 7919 + 1;
        make_program(&program, 2 + random_below(MAX_NODES - 1), 60);
        struct dsm_options options = variant(i % N_VARIANTS, 60 * WORD);
        options.fault = *(const enum dsm_fault *)argument;
        noticed +=
            run_random(NULL, &program, &options, "fifo", &error) != 0 && strncmp(error.message, "check:", 6) == 0;
    }
    return noticed > 0 ? 0 : 1;
}

static char *platform(void)
{
    return star_platform(TESTING_DSM_PROPS("64B"), MAX_NODES, (struct wire_row){12.5e6, 10000});
}

static void test_random_programs(void)
{
    int (*check)(uint64_t) = check_program;
    CU_ASSERT_EQUAL(on_platform(platform(), check_each, &check), 0);
}

static void test_traffic(void)
{
    int (*check)(uint64_t) = check_traffic;
    CU_ASSERT_EQUAL(on_platform(platform(), check_each, &check), 0);
}

static void test_faults_are_noticed(void)
{
    static const enum dsm_fault faults[] = {DSM_FAULT_NOTICE, DSM_FAULT_DIFF, DSM_FAULT_ORDER};
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(on_platform(platform(), check_fault, &faults[i]), 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"random programs without races", test_random_programs},
        {"the traffic is that of a simpler count", test_traffic},
        {"a missing rule is noticed", test_faults_are_noticed},
        {NULL, NULL},
    };
    if (testing_arguments[0] != NULL)
        n_programs = strtoull(testing_arguments[0], NULL, 10);
    if (testing_arguments[0] != NULL && testing_arguments[1] != NULL)
        first_program = strtoull(testing_arguments[1], NULL, 10);
    return testing_run("dsm_random", tests);
}
