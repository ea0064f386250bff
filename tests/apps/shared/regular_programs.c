/* Jacobi, SOR, Water, radix sort, Em3d and Ocean: their ops read one by one, then simulated.
 *
 * Read: no access is beyond the shared memory, and no two ranks use the same word between two barriers, one of them
 * writing, unless both hold the same lock. Barriers, locks, pairs of molecules and keys are those counted by hand.
 * Simulated with the check of all reads: on 1 to 8 ranks, in all variants, with and without garbage collections.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

#include "apps/replay/list.h"
#include "sim/kernel/app.h"
#include "sim/simulate.h"

#include <stdarg.h>

enum { MAX_PARAMS = 16, N_SETTINGS = 10, N_VARIANTS = 6 };

/* An application, some of its parameters, and ranks. */
struct setting {
    const char *app;
    int n_ranks;
    const char *params[2 * N_SETTINGS]; /* name, value, ... */
};

static int failures;

__attribute__((format(printf, 2, 3))) static void complain(const struct setting *setting, const char *format, ...)
{
    va_list arguments;
    if (failures++ >= 20)
        return;
    fprintf(stderr, "\n  %s", setting->app);
    for (int i = 0; i < 2 * N_SETTINGS && setting->params[i] != NULL; i += 2)
        fprintf(stderr, " %s=%s", setting->params[i], setting->params[i + 1]);
    fprintf(stderr, ", %d ranks: ", setting->n_ranks);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

static void parse(int64_t *value, const struct param_spec *spec, const char *text)
{
    char why[256];
    if (param_parse(value, spec, text, why, sizeof why) != 0) {
        fprintf(stderr, "%s: %s\n", spec->name, why);
        abort();
    }
}

static void init(struct program *program, const struct setting *setting, const struct placement *placement)
{
    int64_t values[MAX_PARAMS];
    struct sim_error error;
    const struct app_spec *app = app_find(app_specs, setting->app);
    for (int p = 0; p < app->n_params; p++)
        parse(&values[p], &app->params[p], app->params[p].fallback);
    for (int i = 0; i < 2 * N_SETTINGS && setting->params[i] != NULL; i += 2) {
        int p = param_find(app->params, app->n_params, setting->params[i]);
        parse(&values[p], &app->params[p], setting->params[i + 1]);
    }
    if (program_init(program, app, values, placement, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
}

/* ---- reading the ops ---- */

enum { NOBODY = -1, MANY = -2, NO_LOCK = -1 };

/* The rank that has read or written a word since the last barrier, and the lock that it held. */
struct use {
    int16_t rank;
    int32_t lock;
};

/* A program that is read barrier by barrier, all ranks in turn. */
struct reading {
    const struct setting *setting;
    struct program program;
    int64_t n_words;
    struct use *readers, *writers;
    int64_t *step;
    int *at;      /* in the step's ops */
    int32_t lock; /* held by the rank that is being read */
    int64_t n_locks, n_written;
    int64_t n_worked[16];
};

static bool clash(const struct use *use, int rank, int32_t lock)
{
    return use->rank != NOBODY && use->rank != rank && (lock == NO_LOCK || use->lock != lock);
}

static void note(struct use *use, int rank, int32_t lock)
{
    if (use->rank == NOBODY)
        *use = (struct use){(int16_t)rank, lock};
    use->rank = use->rank == rank ? use->rank : MANY;
    use->lock = use->lock == lock ? lock : NO_LOCK;
}

static void use_word(struct reading *reading, int rank, int64_t word, bool write)
{
    struct use *reader = &reading->readers[word], *writer = &reading->writers[word];
    if (clash(writer, rank, reading->lock) || (write && clash(reader, rank, reading->lock)))
        complain(reading->setting, "rank %d %s word %lld, which rank %d %s", rank, write ? "writes" : "reads",
                 (long long)word, writer->rank != NOBODY ? writer->rank : reader->rank,
                 writer->rank != NOBODY ? "writes" : "reads");
    note(write ? writer : reader, rank, reading->lock);
    reading->n_written += write;
}

static void use_pages(struct reading *reading, int rank, const struct op *op)
{
    int64_t pieces = op->pieces > 0 ? op->pieces : 1;
    if (op->address < 0 || op->bytes < 1 || op->stride < 0 ||
        op->address + (pieces - 1) * op->stride + op->bytes > reading->program.dsm.shared_bytes) {
        complain(reading->setting, "rank %d is beyond the shared memory", rank);
        return;
    }
    for (int64_t piece = 0; piece < pieces; piece++) {
        int64_t first = op->address + piece * op->stride;
        for (int64_t word = first / 4; word < (first + op->bytes) / 4; word++)
            use_word(reading, rank, word, op->kind == OP_PAGE_WRITE);
    }
}

static void use_lock(struct reading *reading, int rank, const struct op *op)
{
    bool acquires = op->kind == OP_ACQUIRE;
    if (op->lock < 0 || op->lock >= reading->program.dsm.n_locks || reading->lock != (acquires ? NO_LOCK : op->lock))
        complain(reading->setting, "rank %d has lock %d and uses lock %d", rank, reading->lock, op->lock);
    reading->lock = acquires ? op->lock : NO_LOCK;
    reading->n_locks += acquires;
}

/* Read a rank up to its next barrier; false at its end. */
static bool read_to_barrier(struct reading *reading, int rank)
{
    struct op_list list = {.count = 0};
    const struct program *program = &reading->program;
    while (program->app->emit_shared(program->config, rank, reading->step[rank], 0, &list)) {
        while (reading->at[rank] < list.count) {
            const struct op *op = &list.ops[reading->at[rank]++];
            if (op->kind == OP_BARRIER)
                return true;
            if (op->kind == OP_PAGE_READ || op->kind == OP_PAGE_WRITE)
                use_pages(reading, rank, op);
            else if (op->kind == OP_COMPUTE)
                reading->n_worked[op->kernel] += op->times;
            else
                use_lock(reading, rank, op);
        }
        list.count = reading->at[rank] = 0;
        reading->step[rank]++;
    }
    return false;
}

static void forget_uses(struct reading *reading)
{
    for (int64_t word = 0; word < reading->n_words; word++)
        reading->readers[word] = reading->writers[word] = (struct use){NOBODY, NO_LOCK};
}

/* Read all; the number of barriers. */
static int64_t read_program(struct reading *reading, const struct setting *setting)
{
    const struct placement placement = {.n_ranks = setting->n_ranks};
    int64_t n_barriers = 0;
    *reading = (struct reading){.setting = setting, .lock = NO_LOCK};
    init(&reading->program, setting, &placement);
    reading->n_words = reading->program.dsm.shared_bytes / 4;
    reading->readers = xcalloc((size_t)reading->n_words, sizeof *reading->readers);
    reading->writers = xcalloc((size_t)reading->n_words, sizeof *reading->writers);
    reading->step = xcalloc((size_t)setting->n_ranks, sizeof *reading->step);
    reading->at = xcalloc((size_t)setting->n_ranks, sizeof *reading->at);
    for (int going = setting->n_ranks; going > 0; n_barriers += going > 0) {
        forget_uses(reading);
        going = 0;
        for (int rank = 0; rank < setting->n_ranks; rank++)
            going += read_to_barrier(reading, rank);
        if (going != 0 && going != setting->n_ranks)
            complain(setting, "only %d ranks come to barrier %lld", going, (long long)n_barriers);
    }
    free(reading->readers);
    free(reading->writers);
    free(reading->step);
    free(reading->at);
    program_dispose(&reading->program);
    return n_barriers;
}

/* Counted by hand: barriers, locks, words written, and how often the kernels are done. -1: not counted. */
static const struct count_row {
    struct setting setting;
    int64_t barriers, locks, written, worked[7];
} count_rows[] = {
    /* 1 + 2 an iteration; 2 edges of 8 rows and 2 whole rows, then 6 x 8 inner elements an iteration */
    {{"jacobi", 3, {"rows", "8", "columns", "10", "iterations", "4"}}, 9, 0, 16 + 20 + 4 * 48, {4 * 48, 4 * 48}},
    {{"jacobi", 8, {"iterations", "5"}}, 11, 0, -1, {5 * 1998 * 998, 5 * 1998 * 998}},
    /* an edge element in each row of each color, two rows of 6 of each; then 7 rows of 5 of each */
    {{"sor", 2, {"rows", "7", "columns", "10", "iterations", "3"}}, 7, 0, 14 + 24 + 3 * 70, {3 * 70}},
    {{"sor", 8, {"iterations", "5"}}, 11, 0, -1, {5 * 2000000}},
    /* 343 own and 171 others' molecules for each rank, and six sums; all pairs twice a step, 52.3599 % of them near */
    {{"water", 8, {NULL}},
     35,
     5 * (343 + 8 * 171 + 8 * 6),
     -1,
     {5 * 343, 10 * 58653, -1, 5 * (343 + 8 * 171), 5 * 343, 5 * 343, -1}},
    {{"water", 8, {"print_every", "5"}},
     27,
     5 * (343 + 8 * 171 + 8 * 5) + 8,
     -1,
     {5 * 343, 6 * 58653, -1, -1, -1, 343}},
    /* an even number: each of 3 ranks with its 10 reaches 25; words: 7 sums of 2, record parts of 114 + 18 in predict,
     * 144 in correct, 6 in potential, 18 for each lock of a molecule; a virial twice, 3 directions, and 3 potentials */
    {{"water", 3, {"molecules", "30", "steps", "1"}},
     7,
     75 + 18,
     14 + 30 * (114 + 18 + 144 + 6) + 75 * 18 + 3 * (2 + 2 + 6 + 6),
     {30, 2 * 435, 228, 75, 30, 30, 228}},
    {{"water", 1, {"molecules", "2", "steps", "1"}}, 7, 2 + 6, -1, {2, 2, 1, 2, 2, 2, 1}},
    /* two digits: 1 + 3 a digit; the keys once, then for each digit the counts of 4 ranks and the keys once */
    {{"radix", 4, {"keys", "1000", "radix", "16", "max_key", "200"}}, 7, 0, 1000 + 2 * (64 + 1000), {2000, 512, 2000}},
    {{"radix", 8, {NULL}}, 7, 0, (1 << 20) + 2 * (8192 + (1 << 20)), {2 << 20, 2 * 8 * 8192, 2 << 20}},
    /* a barrier a half; doubles; all edges of both kinds in an iteration */
    {{"em3d", 16, {NULL}}, 1 + 2 * 6, 0, 2 * 40064 * (1 + 6), {6 * 20 * 40064}},
    {{"em3d", 3, {"objects", "100", "degree", "4", "span", "1", "iterations", "2"}}, 5, 0, 600, {800}},
    /* 900 barriers were counted in a run of SPLASH-2's own program; a lock a relaxation and a time step, and one at
     * the start. Time steps of 8 laplacians, 3 jacobians and 4 + 2 + 2 + 2 + 5 + 2 + 2 + 1 + 1 + 2 + 2 + 2 + 2
     * combinations, at the start 4. Of the 200 relaxations 84 are of the finest grid, 72 of the next and 44 of the
     * coarsest; each relaxes all points once. */
    {{"ocean", 16, {"size", "34"}},
     900,
     16 * (200 + 7),
     -1,
     {8 * 6 * 1024, 3 * 6 * 1024, (4 + 29 * 6) * 1024, 84 * 1024 + 72 * 256 + 44 * 64, -1, -1}},
};

static void expect(const struct setting *setting, const char *what, int64_t found, int64_t good)
{
    if (good >= 0 && found != good)
        complain(setting, "%s: %lld instead of %lld", what, (long long)found, (long long)good);
}

static void test_counts(void)
{
    struct reading reading;
    failures = 0;
    for (size_t i = 0; i < sizeof count_rows / sizeof count_rows[0]; i++) {
        const struct count_row *row = &count_rows[i];
        expect(&row->setting, "barriers", read_program(&reading, &row->setting), row->barriers);
        expect(&row->setting, "locks", reading.n_locks, row->locks);
        expect(&row->setting, "words written", reading.n_written, row->written);
        for (int k = 0; k < 7; k++)
            if (row->worked[k] != 0)
                expect(&row->setting, "times a kernel is done", reading.n_worked[k], row->worked[k]);
    }
    CU_ASSERT_EQUAL(failures, 0);
}

/* SOR's chessboard, rows of 6 words, red before black: where the even and the odd rows of each half begin. */
static void test_colours(void)
{
    static const int64_t words[2][2] = {{9 * 6 + 2 * 6 + 1, 9 * 6 + 6 + 0}, {2 * 6 + 0, 6 + 1}};
    const struct setting setting = {"sor", 1, {"rows", "7", "columns", "10"}};
    const struct placement placement = {.n_ranks = 1};
    struct program program;
    init(&program, &setting, &placement);
    for (int half = 0; half < 2; half++) {
        struct op_list list = {.count = 0};
        int found = 0;
        program.app->emit_shared(program.config, 0, 1 + half, 0, &list);
        for (int i = 0; i < list.count; i++)
            if (list.ops[i].kind == OP_PAGE_WRITE)
                CU_ASSERT_EQUAL(list.ops[i].address, 4 * words[half][found++ % 2]);
        CU_ASSERT_EQUAL(found, 2);
    }
    program_dispose(&program);
}

/* Jacobi's average reads a rank's inner rows, the one above and the one below. */
static void test_rows_read(void)
{
    static const int64_t rows[3][2] = {{0, 5}, {3, 9}, {7, 12}}; /* of the bands 0-3, 4-7, 8-11 */
    const struct setting setting = {"jacobi", 3, {"rows", "12", "columns", "10"}};
    const struct placement placement = {.n_ranks = 3};
    struct program program;
    init(&program, &setting, &placement);
    int64_t row_bytes = program.dsm.shared_bytes / 12;
    for (int rank = 0; rank < 3; rank++) {
        struct op_list list = {.count = 0};
        int64_t from = INT64_MAX, to = 0;
        program.app->emit_shared(program.config, rank, 1, 0, &list);
        for (int i = 0; i < list.count; i++)
            if (list.ops[i].kind == OP_PAGE_READ) {
                from = list.ops[i].address < from ? list.ops[i].address : from;
                to = max64(to, list.ops[i].address + list.ops[i].bytes);
            }
        CU_ASSERT(from == rows[rank][0] * row_bytes && to == rows[rank][1] * row_bytes);
    }
    program_dispose(&program);
}

/* Ranks of Water have as many molecules, and the last what is left over. */
static void test_molecules(void)
{
    const struct setting setting = {"water", 8, {NULL}};
    const struct placement placement = {.n_ranks = 8};
    struct program program;
    init(&program, &setting, &placement);
    for (int rank = 0; rank < 8; rank++) {
        struct op_list list = {.count = 0};
        program.app->emit_shared(program.config, rank, 1, 0, &list);
        int64_t molecules = 0;
        for (int i = 0; i < list.count; i++)
            if (list.ops[i].kind == OP_COMPUTE)
                molecules += list.ops[i].times;
        CU_ASSERT_EQUAL(molecules, rank < 7 ? 42 : 49);
    }
    program_dispose(&program);
}

/* Small problems, some of fewer rows or molecules than ranks, that do not divide evenly; ranks: those that are
 * simulated, 0: 1 to 8. */
static const struct setting small[] = {
    {"jacobi", 0, {"rows", "11", "columns", "50", "iterations", "3"}},
    {"jacobi", 0, {"rows", "3", "columns", "3", "element", "8", "iterations", "2"}},
    {"sor", 0, {"rows", "13", "columns", "60", "iterations", "3"}},
    {"sor", 0, {"rows", "2", "columns", "3", "iterations", "2"}},
    {"water", 0, {"molecules", "19", "steps", "3", "print_every", "2"}},
    {"water", 0, {"molecules", "12", "steps", "2"}},
    {"water", 0, {"molecules", "3", "steps", "2"}},
    {"radix", 0, {"keys", "700", "radix", "8", "max_key", "500"}},
    {"radix", 0, {"keys", "5", "radix", "2", "max_key", "2"}},
    {"em3d", 0, {"objects", "301", "degree", "7", "remote", "30", "iterations", "2"}},
    {"em3d", 0, {"objects", "40", "degree", "3", "remote", "100", "span", "1", "iterations", "3"}},
    {"em3d", 0, {"objects", "6", "degree", "2", "remote", "0", "iterations", "2"}},
    {"ocean", 6, {"size", "18", "steps", "1"}},
    {"ocean", 4, {"size", "6", "steps", "1"}},
};
enum { N_SMALL = sizeof small / sizeof small[0] };

static void test_races(void)
{
    struct reading reading;
    failures = 0;
    for (int i = 0; i < N_SMALL; i++)
        for (int n = 1; n <= 16; n++) {
            struct setting setting = small[i];
            setting.n_ranks = n;
            read_program(&reading, &setting);
        }
    CU_ASSERT_EQUAL(failures, 0);
}

/* ---- simulating ---- */

static void simulate(const struct setting *setting)
{
    struct program program;
    struct placement placement;
    struct sim_error error;
    struct kernel_stats stats;
    struct recording record = {0};
    const struct placement_request request = {.n_ranks = setting->n_ranks, .ranks_per_host = 1};
    struct interval_sink sink = {.take = record_take, .self = &record};
    if (placement_init(&placement, &request, &machine, &error) != 0)
        abort();
    init(&program, setting, &placement);
    const struct kernel_run run = {.program = &program,
                                   .machine = &machine,
                                   .placement = &placement,
                                   .network = network_named("fifo"),
                                   .sinks = &sink,
                                   .n_sinks = 1};
    if (simulate_run(&stats, &run, &error) != 0)
        complain(setting, "%s", error.message);
    else if (record.broken)
        complain(setting, "an account does not close");
    free(record.intervals);
    program_dispose(&program);
}

static int check_simulations(const void *argument)
{
    (void)argument;
    failures = 0;
    int number = 0;
    for (int i = 0; i < N_SMALL * N_VARIANTS * 8 * 2; i++) {
        struct setting setting = small[i / (N_VARIANTS * 8 * 2)];
        int last = 0;
        while (setting.params[last] != NULL)
            last += 2;
        const char *more[] = {"variant",    dsm_variant_names[i / 16 % N_VARIANTS],
                              "check",      "yes",
                              "collect_at", i % 2 == 0 ? "1GiB" : "1KiB",
                              "prefetch",   i / 2 % 2 == 0 ? "invalidated" : "history"};
        if (last + 8 >= 2 * N_SETTINGS)
            abort();
        memcpy(&setting.params[last], more, sizeof more);
        int n_ranks = 1 + i / 2 % 8;
        if (setting.n_ranks != 0 && setting.n_ranks != n_ranks)
            continue;
        setting.n_ranks = n_ranks;
        if (number++ % testing_one_in() == 0)
            simulate(&setting);
    }
    return failures;
}

static char *platform(void)
{
    char props[4096] = TESTING_DSM_PROPS("256B");
    static const char *const names[] = {"jacobi", "sor", "water", "radix", "em3d", "ocean"};
    for (size_t a = 0; a < sizeof names / sizeof names[0]; a++) {
        const char *const *kernels = app_find(app_specs, names[a])->kernels;
        for (int k = 0; kernels[k] != NULL; k++)
            snprintf(props + strlen(props), sizeof props - strlen(props), "<prop id='kernel.%s' value='cpu=%d'/>",
                     kernels[k], 300000 + 10000 * k);
    }
    return star_platform(props, 8, (struct wire_row){12.5e6, 10000});
}

static void test_simulations(void)
{
    CU_ASSERT_EQUAL(on_platform(platform(), check_simulations, NULL), 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"what is counted by hand", test_counts},
        {"the colours of SOR", test_colours},
        {"the rows that Jacobi reads", test_rows_read},
        {"the molecules of Water", test_molecules},
        {"no races, nothing beyond the memory", test_races},
        {"every read sees the last write before it", test_simulations},
        {NULL, NULL},
    };
    return testing_run("dsm_apps_a", tests);
}
