/* Every algorithm of every collective: what arrives where, and, in the kernel, how many messages there are, their bytes
 * and the time, by the closed forms of collective_rows.h. Then what `fastest` takes, and the tree of `neighbour`.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/network/wires.h"

#include "sim/collective/collective.h"
#include "sim/kernel/autotune.h"
#include "sim/kernel/extent.h"
#include "sim/machine/hop_tree.h"
#include "sim/program/param.h"
#include "tests/sim/collective/collective_play.h"
#include "tests/testing.h"
#include "trace/record/record.h"

static const struct wire_row wire = {11e6, 50000};
static const int rank_counts[] = {1, 2, 3, 7, 8, 13, 64};
static const int64_t lengths[] = {1, 2048, 1048576};
enum { N_RANK_COUNTS = sizeof rank_counts / sizeof rank_counts[0], N_LENGTHS = sizeof lengths / sizeof lengths[0] };

/* Segments that cut the longer messages into several, of which the last is shorter. */
static struct coll_options options_for(const struct coll_spec *spec, enum coll_family family, int64_t bytes)
{
    struct coll_options options = {
        .broadcast = &coll_binomial, .segment_bytes = bytes > 2048 ? 100000 : 700, .radix = 3};
    if (family == COLL_BROADCAST)
        options.broadcast = spec;
    else
        options.others[family] = spec;
    return options;
}

static bool has_root(enum coll_family family)
{
    return coll_families[family].has_root;
}

/* All roots of a few ranks, some of many. */
static bool is_tried(int p, int root)
{
    return p <= 13 || root == 0 || root == 31 || root == p - 1;
}

/* bytes of a collective are those of a block for or of each rank. */
static bool has_blocks(enum coll_family family)
{
    return family == COLL_SCATTER || family == COLL_GATHER || family == COLL_ALLGATHER || family == COLL_ALLTOALL;
}

/* --- what arrives --- */

/* Algorithms chosen by ranks and length, in an order of posting of its own; the all-to-all's is that of `linear`. */
static const struct collective_row chosen_rows[] = {
    {COLL_BROADCAST, "openmpi", NULL, NULL, NULL}, {COLL_SCATTER, "openmpi", NULL, NULL, NULL},
    {COLL_GATHER, "openmpi", NULL, NULL, NULL},    {COLL_REDUCE, "openmpi", NULL, NULL, NULL},
    {COLL_ALLREDUCE, "openmpi", NULL, NULL, NULL}, {COLL_ALLGATHER, "openmpi", NULL, NULL, NULL},
    {COLL_BARRIER, "openmpi", NULL, NULL, NULL},   {COLL_BROADCAST, NULL, NULL, NULL, NULL},
};

static int check_delivery_of(const struct collective_row *row)
{
    int number = 0;
    for (; row->name != NULL; row++)
        for (int n = 0; n < N_RANK_COUNTS; n++)
            for (int root = 0; root < (has_root(row->family) ? rank_counts[n] : 1); root++)
                for (int l = 0; l < N_LENGTHS && is_tried(rank_counts[n], root); l++) {
                    if (number++ % testing_one_in() != 0)
                        continue;
                    struct placement placement = {
                        .n_ranks = rank_counts[n], .ranks_per_host = 1, .n_slots = rank_counts[n]};
                    const struct coll_spec *spec = coll_find(row->family, row->name);
                    struct coll_options options = options_for(spec, row->family, lengths[l]);
                    const struct coll_call call = {&placement, &machine,   &options,      rank_counts[n],
                                                   root,       lengths[l], rank_counts[n]};
                    run_play(row, &call, false);
                    /* The sends of a dissemination are plain ones, which must not wait. */
                    bool is_chosen_barrier = row->messages == NULL && row->family == COLL_BARRIER;
                    if (strcmp(row->name, "dissemination") != 0 && !is_chosen_barrier)
                        run_play(row, &call, true);
                }
    return failures;
}

static int check_delivery(const void *argument)
{
    (void)argument;
    return check_delivery_of(collective_rows) + check_delivery_of(chosen_rows);
}

static void test_delivery(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform("", MOST, wire), check_delivery, NULL), 0);
}

/* --- in which order --- */

/* Open MPI's basic_linear: receives from the next rank on upwards, then sends from the one before on downwards. */
static void test_linear_order(void)
{
    enum { P = 5, ME = 3 };
    static const int receives[] = {4, 0, 1, 2}, sends[] = {2, 1, 0, 4};
    struct placement placement = {.n_ranks = P, .ranks_per_host = 1, .n_slots = P};
    const struct coll_options options = {.mode = SEND_STANDARD};
    const struct coll_call call = {&placement, &machine, &options, P, 0, 100, P};
    const struct coll_spec *spec = coll_find(COLL_ALLTOALL, "linear");
    for (int i = 0; i < 2 * (P - 1); i++) {
        struct op op = {0};
        CU_ASSERT_TRUE_FATAL(spec->next(&call, ME, i, &op));
        CU_ASSERT_EQUAL(op.kind, i < P - 1 ? OP_IRECV : OP_ISEND);
        CU_ASSERT_EQUAL(op.peer, i < P - 1 ? receives[i] : sends[i - (P - 1)]);
    }
}

/* --- in the kernel --- */

static const char *const no_kernels[] = {NULL};

/* Ops that every rank does, or, those of a group, its members: odd ranks below 6. */
struct common {
    int count;
    struct op ops[8];
};

static bool common_emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    const struct common *common = config;
    if (step >= common->count)
        return false;
    if (common->ops[step].group == 0 || (rank % 2 == 1 && rank < 6))
        *op_list_add(list, (enum op_kind)common->ops[step].kind, 1) = common->ops[step];
    return true;
}

static const struct app_spec common_app = {
    .name = "common", .scopes = script_scopes, .kernels = no_kernels, .emit = common_emit};

static double estimated; /* how many messages the last run was said to have beforehand */

static int run_common(struct kernel_stats *stats, const struct common *common, const struct coll_options *options,
                      int n_ranks, int per_host, const char *network)
{
    struct sim_error error = {.message = ""};
    struct placement placement;
    const struct placement_request request = {.n_ranks = n_ranks, .ranks_per_host = per_host};
    const struct record_group groups[] = {{0, NULL}, {3, (int[]){5, 1, 3}}};
    const struct program program = {.app = &common_app,
                                    .config = (void *)(uintptr_t)common,
                                    .collectives = *options,
                                    .groups = groups,
                                    .n_groups = n_ranks > 5 ? 2 : 0};
    const struct kernel_run run = {
        .program = &program, .machine = &machine, .placement = &placement, .network = network_named(network)};
    if (placement_init(&placement, &request, &machine, &error) == 0 && kernel_run(stats, &run, &error) == 0) {
        estimated = extent_messages(&run);
        return 0;
    }
    fprintf(stderr, "%s\n", error.message);
    return -1;
}

static struct op collective(enum coll_family of, int root, int64_t bytes, int n_ranks)
{
    return (struct op){
        .kind = (uint8_t)coll_families[of].kind, .peer = root, .bytes = bytes, .blocks = n_ranks, .scope = 1};
}

static int64_t message_ps(int64_t bytes)
{
    const struct route *route = machine_route(&machine, 0, 1);
    return route->latency_ps + llround((double)bytes * route->byte_ps);
}

static void run_alone(const struct collective_row *row, int p, int root, int64_t bytes)
{
    struct kernel_stats stats = {0};
    const struct coll_options options = options_for(coll_find(row->family, row->name), row->family, bytes);
    const struct form form = {p, bytes, options.segment_bytes, options.radix, message_ps};
    const struct common common = {1, {collective(row->family, root, bytes, p)}};
    play.row = row;
    play.call = (struct coll_call){.n_ranks = p, .root = root, .bytes = bytes};
    if (!expect("the run", run_common(&stats, &common, &options, p, 1, "quiet"), 0))
        return;
    expect("messages in the kernel", stats.messages, row->messages(&form));
    if (strcmp(row->name, "neighbour") != 0 && root == 0) /* which says nothing of itself */
        expect("messages beforehand, to a half",
               2 * estimated >= (double)stats.messages && estimated <= 2 * (double)stats.messages, true);
    expect("bytes in the kernel", (int64_t)stats.bytes, row->bytes(&form));
    expect("time", stats.end_ps, row->time_ps(&form));
}

static int check_closed_forms(const void *argument)
{
    (void)argument;
    for (const struct collective_row *row = collective_rows; row->name != NULL; row++)
        for (int n = 0; n < N_RANK_COUNTS; n++)
            for (int root = 0; root < (has_root(row->family) ? rank_counts[n] : 1); root++)
                for (int l = 0; l < N_LENGTHS && is_tried(rank_counts[n], root); l++)
                    run_alone(row, rank_counts[n], root, lengths[l]);
    return failures;
}

static void test_closed_forms(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform("", MOST, wire), check_closed_forms, NULL), 0);
}

/* --- the literature --- */

/* The times of the same algorithms as they are published, for p = 2^k ranks that send and receive one message at a
 * time: `latencies` times the latency and `bytes` times the time of a byte. The unit of bytes is n / p, of all-to-all,
 * allgather, scatter and gather the block; so n is p of them. Thakur, Rabenseifner, Gropp 2005; Chan, Heimlich,
 * Purkayastha, van de Geijn 2007. */
struct published {
    enum coll_family family;
    const char *name;
    int64_t (*latencies)(int64_t p);
    int64_t (*bytes)(int64_t p);
};

static int64_t count_log(int64_t p)
{
    return log_up(p);
}

static int64_t count_two_log(int64_t p)
{
    return 2 * log_up(p);
}

static int64_t count_others(int64_t p)
{
    return p - 1;
}

static int64_t count_two_others(int64_t p)
{
    return 2 * (p - 1);
}

static int64_t count_log_and_others(int64_t p)
{
    return log_up(p) + p - 1;
}

static int64_t count_all_log(int64_t p) /* all n, log p times */
{
    return p * log_up(p);
}

static int64_t count_all_two_log(int64_t p)
{
    return 2 * p * log_up(p);
}

static int64_t count_all_others(int64_t p)
{
    return p * (p - 1);
}

static int64_t count_half_log(int64_t p)
{
    return p / 2 * log_up(p);
}

static int64_t count_gather_broadcast(int64_t p)
{
    return p - 1 + p * log_up(p);
}

static const struct published published[] = {
    {COLL_BROADCAST, "flat", count_others, count_all_others},
    {COLL_BROADCAST, "chain", count_others, count_all_others},
    {COLL_BROADCAST, "binomial", count_log, count_all_log},
    {COLL_BROADCAST, "scatter_ring", count_log_and_others, count_two_others},
    {COLL_BROADCAST, "scatter_doubling", count_two_log, count_two_others},
    {COLL_SCATTER, "flat", count_others, count_others},
    {COLL_SCATTER, "binomial", count_log, count_others},
    {COLL_GATHER, "binomial", count_log, count_others},
    {COLL_REDUCE, "binomial", count_log, count_all_log},
    {COLL_ALLREDUCE, "recursive_doubling", count_log, count_all_log},
    {COLL_ALLREDUCE, "ring", count_two_others, count_two_others},
    {COLL_ALLREDUCE, "rabenseifner", count_two_log, count_two_others},
    {COLL_ALLREDUCE, "reduce_broadcast", count_two_log, count_all_two_log},
    {COLL_ALLGATHER, "ring", count_others, count_others},
    {COLL_ALLGATHER, "recursive_doubling", count_log, count_others},
    {COLL_ALLGATHER, "bruck", count_log, count_others},
    {COLL_ALLGATHER, "gather_broadcast", count_two_log, count_gather_broadcast},
    {COLL_ALLTOALL, "pairwise", count_others, count_others},
    {COLL_ALLTOALL, "bruck", count_log, count_half_log},
};

static int check_published(const void *argument)
{
    (void)argument;
    const struct route *route = machine_route(&machine, 0, 1);
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        for (int p = 2; p <= MOST; p *= 2) {
            const struct published *form = &published[i];
            struct kernel_stats stats = {0};
            const int64_t part = 4096, bytes = has_blocks(form->family) ? part : p * part;
            const struct coll_options options = options_for(coll_find(form->family, form->name), form->family, bytes);
            const struct common common = {1, {collective(form->family, 0, bytes, p)}};
            const struct collective_row row = {.name = form->name};
            play.row = &row;
            play.call = (struct coll_call){.n_ranks = p, .bytes = bytes};
            expect("the run", run_common(&stats, &common, &options, p, 1, "quiet"), 0);
            double time_ps =
                (double)(form->latencies(p) * route->latency_ps) + (double)(form->bytes(p) * part) * route->byte_ps;
            expect("time, to a picosecond a message", fabs((double)stats.end_ps - time_ps) <= 2.0 * p, true);
        }
    return failures;
}

static void test_published(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform("", MOST, wire), check_published, NULL), 0);
}

/* Blocks that together have no size are no program. */
static int check_sizes(const void *argument)
{
    static const struct collective_row row = {.name = "too much"};
    struct kernel_stats stats = {0};
    (void)argument;
    play.row = &row;
    for (int of = COLL_SCATTER; of < N_COLL_FAMILIES; of++) {
        const struct coll_options options = options_for(&coll_fastest, (enum coll_family)of, 1);
        const struct common common = {1, {collective((enum coll_family)of, 0, INT64_MAX / 6, 4)}};
        expect("what is too much fails", run_common(&stats, &common, &options, 4, 1, "quiet"), -1);
    }
    return failures;
}

static void test_sizes(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform("", 8, wire), check_sizes, NULL), 0);
}

/* --- the tables --- */

/* True if the closed forms of an algorithm are there; else its name is said. */
static bool has_row(int family, const char *name)
{
    for (const struct collective_row *row = collective_rows; row->name != NULL; row++)
        if ((int)row->family == family && strcmp(row->name, name) == 0)
            return true;
    fprintf(stderr, "%s %s has no row in collective_rows.h\n", coll_families[family].name, name);
    return false;
}

static void test_tables(void)
{
    for (const struct collective_row *row = collective_rows; row->name != NULL; row++)
        CU_ASSERT_PTR_NOT_NULL(coll_find(row->family, row->name));
    for (int of = 0; of < N_COLL_FAMILIES; of++) {
        const struct coll_family_spec *spec = &coll_families[of];
        CU_ASSERT_EQUAL((int)coll_family_of(spec->kind), of);
        for (int i = 0; spec->specs[i] != NULL; i++) {
            CU_ASSERT_STRING_EQUAL(spec->specs[i]->name, spec->names[i]);
            CU_ASSERT_EQUAL(spec->specs[i]->next == NULL, spec->specs[i] == &coll_fastest);
            if (spec->specs[i]->next != NULL && !spec->specs[i]->of_all_ranks && spec->specs[i]->choose == NULL)
                CU_ASSERT(has_row(of, spec->names[i]));
        }
        CU_ASSERT_PTR_EQUAL(coll_find((enum coll_family)of, "fastest"), &coll_fastest);
        CU_ASSERT_PTR_NULL(coll_find((enum coll_family)of, "no such"));
    }
}

/* Another name is read as the algorithm, and written as it. */
static void test_aliases(void)
{
    int n_aliases = 0;
    for (int of = 0; of < N_COLL_FAMILIES; of++) {
        const struct param_spec param = {
            .type = PARAM_CHOICE, .choices = coll_families[of].names, .aliases = coll_families[of].aliases};
        int64_t value = -1;
        char text[64], why[800];
        for (const struct param_alias *alias = param.aliases; alias->name != NULL; alias++, n_aliases++) {
            CU_ASSERT_PTR_NULL(coll_find((enum coll_family)of, alias->name));
            CU_ASSERT_EQUAL(param_parse(&value, &param, alias->name, why, sizeof why), 0);
            CU_ASSERT_PTR_EQUAL(coll_families[of].specs[value], coll_find((enum coll_family)of, alias->choice));
            param_format(text, sizeof text, &param, value);
            CU_ASSERT_STRING_EQUAL(text, alias->choice);
        }
        CU_ASSERT_EQUAL(param_parse(&value, &param, "no such", why, sizeof why), -1);
    }
    CU_ASSERT(n_aliases >= 34);
}

/* --- the fastest --- */

static const char *const networks[] = {"quiet", "fifo", "fluid"};

/* The least time by any algorithm. */
static int64_t least_time(enum coll_family of, const struct common *common, int p, const char *network,
                          const struct coll_spec **spec)
{
    int64_t least = -1;
    for (int i = 0; coll_families[of].specs[i]->next != NULL; i++) {
        struct coll_options options = options_for(coll_families[of].specs[i], of, 2048);
        struct kernel_stats stats = {0};
        if (coll_families[of].specs[i]->of_all_ranks)
            continue;
        if (run_common(&stats, common, &options, p, 1, network) != 0)
            return -1;
        if (least < 0 || stats.end_ps < least) {
            least = stats.end_ps;
            *spec = coll_families[of].specs[i];
        }
    }
    return least;
}

static int run_fastest(enum coll_family of, int p, int64_t bytes, const char *network)
{
    static const struct collective_row row = {.name = "fastest"};
    const struct common common = {1, {collective(of, p / 2, bytes, p)}};
    struct coll_options options = options_for(&coll_fastest, of, 2048);
    struct autotune autotune = {0};
    struct kernel_stats stats = {0};
    const struct coll_spec *spec = NULL;
    int64_t least = least_time(of, &common, p, network, &spec);
    int before = failures;
    options.autotune = &autotune;
    play.row = &row;
    play.call = (struct coll_call){.n_ranks = p, .root = (int)of, .bytes = bytes};
    expect("the run", run_common(&stats, &common, &options, p, 1, network), 0);
    expect("the time of the fastest", stats.end_ps, least);
    if (expect("decisions", (int64_t)autotune.count, 1)) {
        expect("which", autotune.items[0].spec == spec, true);
        expect("its time", autotune.items[0].time_ps, least);
        expect("others are no faster", autotune.items[0].slowest_ps >= least, true);
        expect("its ranks", autotune.items[0].n_ranks, p);
        expect("its size", autotune.items[0].bytes, of == COLL_SCATTER || of == COLL_GATHER ? bytes * p : bytes);
    }
    autotune_dispose(&autotune);
    return failures - before;
}

/* One decision for each class of sizes, and only one for all rounds of the same. */
static int check_classes(void)
{
    static const struct collective_row row = {.name = "classes"};
    struct coll_options options = options_for(&coll_fastest, COLL_BROADCAST, 2048);
    struct autotune autotune = {0};
    struct kernel_stats stats = {0};
    struct common common = {.count = 7};
    static const int64_t sizes[] = {0, 1000, 1023, 1024, 600, 2047, 1000};
    static const int64_t from[] = {0, 512, 1024}, to[] = {0, 1023, 2047}, bytes[] = {0, 1000, 1024};
    for (int i = 0; i < 7; i++)
        common.ops[i] = collective(COLL_BROADCAST, i, sizes[i], 8);
    play.row = &row;
    options.autotune = &autotune;
    expect("the run", run_common(&stats, &common, &options, 8, 1, "fifo"), 0);
    if (expect("decisions", (int64_t)autotune.count, 3))
        for (int i = 0; i < 3; i++) {
            expect("from", autotune.items[i].from_bytes, from[i]);
            expect("to", autotune.items[i].to_bytes, to[i]);
            expect("size", autotune.items[i].bytes, bytes[i]);
        }
    autotune_dispose(&autotune);
    options.autotune = NULL; /* nobody wants to know */
    expect("the run", run_common(&stats, &common, &options, 8, 1, "fifo"), 0);
    return failures;
}

/* Only the members of a group take part, and they take as long as as many ranks alone on this platform. */
static int check_group(void)
{
    static const struct collective_row row = {.name = "group"};
    struct coll_options options = options_for(&coll_fastest, COLL_ALLREDUCE, 2048);
    struct autotune autotune = {0};
    struct kernel_stats stats = {0}, alone = {0};
    struct common common = {1, {collective(COLL_ALLREDUCE, 0, 5000, 3)}};
    play.row = &row;
    options.autotune = &autotune;
    expect("the run alone", run_common(&alone, &common, &options, 3, 1, "fifo"), 0);
    expect("a decision", (int64_t)autotune.count, 1);
    autotune_dispose(&autotune);
    common.ops[0].group = 1;
    expect("the run", run_common(&stats, &common, &options, 7, 1, "fifo"), 0);
    expect("the time of the group", stats.end_ps, alone.end_ps);
    if (expect("decisions", (int64_t)autotune.count, 1)) {
        expect("members", autotune.items[0].n_ranks, 3);
        expect("time of the members", autotune.items[0].time_ps, alone.end_ps);
    }
    autotune_dispose(&autotune);
    return failures;
}

/* Another run of the same does not try again; other roots, options, sizes and networks do. */
static int check_memory(void)
{
    static const struct collective_row row = {.name = "memory"};
    static const struct {
        int root;
        int64_t bytes, segment;
        const char *network;
        size_t more;
    } steps[] = {{0, 3000, 2048, "fifo", 1}, {0, 3000, 2048, "fifo", 0},  {0, 3001, 2048, "fifo", 1},
                 {0, 3000, 512, "fifo", 1},  {0, 3000, 2048, "quiet", 1}, {0, 3000, 2048, "fifo", 0},
                 {1, 3000, 2048, "fifo", 1}};
    size_t tried = autotune_trials_count(&machine);
    play.row = &row;
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        const struct common common = {1, {collective(COLL_BROADCAST, steps[s].root, steps[s].bytes, 5)}};
        struct coll_options options = options_for(&coll_fastest, COLL_BROADCAST, 2048);
        struct kernel_stats stats = {0};
        options.segment_bytes = steps[s].segment;
        expect("the run", run_common(&stats, &common, &options, 5, 1, steps[s].network), 0);
        tried += steps[s].more;
        expect("what has been tried", (int64_t)autotune_trials_count(&machine), (int64_t)tried);
    }
    return failures;
}

static int check_fastest(const void *argument)
{
    (void)argument;
    check_memory();
    for (int of = 0; of < N_COLL_FAMILIES; of++)
        for (int n = 0; n < 3; n++)
            for (int p = 2; p <= 13; p += 11)
                for (int64_t bytes = 8; bytes <= 1 << 15; bytes <<= 12)
                    run_fastest((enum coll_family)of, p, bytes, networks[n]);
    check_group();
    return check_classes();
}

static void test_fastest(void)
{
    CU_ASSERT_EQUAL(
        on_platform(star_platform("<prop id='send_completes' value='buffered'/>", 16, wire), check_fastest, NULL), 0);
}

/* --- the tree of the shortest routes --- */

/* Every host has a parent, no host is above itself, and hops together are no more than by Kruskal's algorithm. */
static int64_t tree_hops(const struct hop_tree *tree, int n, int root)
{
    int64_t sum = 0;
    for (int h = 0; h < n; h++) {
        int above = h, steps = 0;
        while (tree->parent[above] >= 0 && steps++ < n)
            above = tree->parent[above];
        expect("the top of the tree", above, root);
        sum += h == root ? 0 : machine_route(&machine, tree->parent[h], h)->hops;
        for (int c = tree->first[h]; c < tree->first[h + 1]; c++)
            expect("the parent of a child", tree->parent[tree->children[c]], h);
    }
    expect("children in all", tree->first[n], n - 1);
    return sum;
}

static int top_of(const int *above, int h)
{
    while (above[h] != h)
        h = above[h];
    return h;
}

static int64_t least_hops(int n)
{
    int above[MOST];
    int64_t sum = 0;
    for (int h = 0; h < n; h++)
        above[h] = h;
    for (int hops = 1; hops < MOST; hops++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < a; b++)
                if (machine_route(&machine, a, b)->hops == hops && top_of(above, a) != top_of(above, b)) {
                    above[top_of(above, a)] = top_of(above, b);
                    sum += hops;
                }
    return sum;
}

/* Hosts on switches, which are connected with each other. */
static char *switches_platform(int n_switches, int per_switch)
{
    struct text text;
    int n = n_switches * per_switch;
    platform_begin(&text, "");
    for (int h = 0; h < n; h++)
        fprintf(text.stream, "<host id='h%d' speed='1Gf'/>\n", h);
    for (int w = 0; w < n + n_switches; w++)
        fprintf(text.stream, "<link id='w%d' bandwidth='11MBps' latency='50us' sharing_policy='SPLITDUPLEX'/>\n", w);
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            fprintf(text.stream, "<route src='h%d' dst='h%d'><link_ctn id='w%d' direction='UP'/>", a, b, a);
            if (a / per_switch != b / per_switch)
                fprintf(text.stream, "<link_ctn id='w%d' direction='UP'/><link_ctn id='w%d' direction='DOWN'/>",
                        n + a / per_switch, n + b / per_switch);
            fprintf(text.stream, "<link_ctn id='w%d' direction='DOWN'/></route>\n", b);
        }
    return platform_end(&text);
}

static const struct collective_row neighbour_row = {.name = "neighbour"};

/* On a line messages go to the next host only, and run both ways at once. */
static int check_line(const void *argument)
{
    (void)argument;
    play.row = &neighbour_row;
    for (int root = 0; root < 9; root++) {
        const struct hop_tree *tree = hop_tree_of(&machine, 9, root);
        struct kernel_stats stats = {0};
        const struct coll_options options = {.broadcast = coll_find(COLL_BROADCAST, "neighbour")};
        const struct common common = {1, {collective(COLL_BROADCAST, root, 5000, 9)}};
        int64_t longer = max(root, 8 - root), shorter = 8 - longer;
        play.call = (struct coll_call){.n_ranks = 9, .root = root};
        expect("hops", tree_hops(tree, 9, root), 8);
        expect("the same tree", hop_tree_of(&machine, 9, root) == tree, true);
        expect("the run", run_common(&stats, &common, &options, 9, 1, "quiet"), 0);
        expect("time", stats.end_ps, max(longer, shorter > 0 ? shorter + 1 : 0) * message_ps(5000));
    }
    return failures;
}

/* One host of each switch gets the message from the root, before the others of the root's switch, and serves its
 * own. */
static int check_switches(const void *argument)
{
    (void)argument;
    play.row = &neighbour_row;
    for (int per_host = 1; per_host <= 2; per_host++)
        for (int root = 0; root < 12 * per_host; root++) {
            int top = root / per_host;
            const struct hop_tree *tree = hop_tree_of(&machine, 12, top);
            struct kernel_stats stats = {0};
            const struct coll_options options = {.broadcast = coll_find(COLL_BROADCAST, "neighbour")};
            const struct common common = {1, {collective(COLL_BROADCAST, root, 5000, 12 * per_host)}};
            play.call = (struct coll_call){.n_ranks = 12 * per_host, .root = root};
            expect("hops", tree_hops(tree, 12, top), least_hops(12));
            expect("children of the root", tree->first[top + 1] - tree->first[top], 5);
            for (int c = 0; c < 2; c++) {
                int first = tree->children[tree->first[top] + c];
                expect("first of its switch", first % 4, 0);
                expect("it serves the others", tree->first[first + 1] - tree->first[first], 3);
            }
            expect("the run", run_common(&stats, &common, &options, 12 * per_host, per_host, "fifo"), 0);
            expect("messages", stats.messages, 12 * per_host - 1);
        }
    return failures;
}

static void test_neighbours(void)
{
    struct wire_row wires[8];
    for (int i = 0; i < 8; i++)
        wires[i] = wire;
    CU_ASSERT_EQUAL(on_platform(line_platform("", wires, 8), check_line, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(switches_platform(3, 4), check_switches, NULL), 0);
}

/* `auto` follows the platform, or else the library that was traced. */
static void test_choosers(void)
{
    static const struct {
        const char *library;
        enum collectives platform, chooser;
        bool is_known;
        const char *algorithm; /* of a broadcast of 100 kB to 8 ranks */
    } rows[] = {{NULL, COLLECTIVES_UNSAID, COLLECTIVES_UNSAID, false, "binomial"},
                {NULL, COLLECTIVES_OPENMPI, COLLECTIVES_OPENMPI, false, "flattree"},
                {"Open MPI v4.1.4, package: x", COLLECTIVES_UNSAID, COLLECTIVES_OPENMPI, true, "flattree"},
                {"Open MPI v4.1.4, package: x", COLLECTIVES_PLAIN, COLLECTIVES_PLAIN, true, "binomial"},
                {"Open MPI v4.10.1", COLLECTIVES_UNSAID, COLLECTIVES_OPENMPI, false, "flattree"},
                {"Open MPI v5.0.3", COLLECTIVES_UNSAID, COLLECTIVES_OPENMPI, false, "flattree"},
                {"MPICH Version: 4.0.2", COLLECTIVES_UNSAID, COLLECTIVES_UNSAID, false, "binomial"},
                {"MPICH Version: 4.0.2", COLLECTIVES_OPENMPI, COLLECTIVES_OPENMPI, false, "flattree"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool is_known;
        struct machine costing = {.costs = {.collectives = rows[i].platform}};
        const struct coll_options options = {.broadcast = &coll_auto_broadcast,
                                             .traced = coll_chooser_of(rows[i].library, &is_known)};
        const struct coll_call call = {.machine = &costing, .options = &options, .n_ranks = 8, .bytes = 100000};
        CU_ASSERT_EQUAL(is_known, rows[i].is_known);
        CU_ASSERT_EQUAL(coll_chooser(&costing.costs, &options), rows[i].chooser);
        CU_ASSERT_STRING_EQUAL(coll_chosen(options.broadcast, &call)->name, rows[i].algorithm);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"tables", test_tables},
        {"choosers", test_choosers},
        {"other names", test_aliases},
        {"what arrives", test_delivery},
        {"order of linear", test_linear_order},
        {"closed forms", test_closed_forms},
        {"as published", test_published},
        {"too much", test_sizes},
        {"the fastest", test_fastest},
        {"neighbours", test_neighbours},
        {NULL, NULL},
    };
    return testing_run("collectives", tests);
}
