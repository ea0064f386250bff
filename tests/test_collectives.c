/* Every algorithm of every collective: what arrives where, and, in the kernel, how many messages there are, their bytes
 * and the time, by the closed forms of collective_rows.h. Then what `fastest` takes, and the tree of `neighbour`. */
#include "wires.h"

#include "collective_rows.h"
#include "sim/choice.h"
#include "sim/coll.h"
#include "sim/hop_tree.h"
#include "sim/param.h"
#include "testing.h"

enum { MOST_CUTS = 4 * MOST * MOST };

static const struct wire_row wire = {11e6, 50000};
static const int rank_counts[] = {1, 2, 3, 7, 8, 13, 64};
static const int64_t lengths[] = {1, 2048, 1048576};
enum { N_RANK_COUNTS = sizeof rank_counts / sizeof rank_counts[0], N_LENGTHS = sizeof lengths / sizeof lengths[0] };

static int failures;

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
    return !coll_families[family].specs[0]->is_symmetric;
}

/* All roots of a few ranks, some of many. */
static bool is_tried(int p, int root)
{
    return p <= 13 || root == 0 || root == 31 || root == p - 1;
}

/* --- what arrives: sends and receives carried out, without a clock, on sets of blocks ---
 *
 * The whole, be it a message, a vector or all blocks in the order of ranks, is cut where any message's part of it begins
 * or ends. For each piece a rank has a set: of the ranks whose contribution is in it where something is combined, else
 * empty or not. A rank may send only what it has; it may add a contribution once only; a complete piece takes the place of
 * any other. */

struct parcel {
    int from, to;
    int64_t bytes;
    uint64_t *pieces; /* of the part */
    int first, count; /* which */
    bool taken;
    int next; /* of the same two ranks */
};

struct member {
    int64_t i;
    bool blocked;    /* in the send of a parcel that has not been taken */
    int parcel;      /* its */
    int begun[MOST]; /* by request: a parcel, or -1 */
    int n_begun;
};

static struct {
    const struct collective_row *row;
    const struct coll_spec *spec;
    struct coll_call call;
    bool rendezvous;
    int64_t whole; /* bytes */
    int64_t cuts[MOST_CUTS];
    int n_pieces;
    uint64_t pieces[MOST][MOST_CUTS]; /* of each rank */
    struct member members[MOST];
    struct parcel *parcels;
    size_t n_parcels, capacity;
    int first[MOST][MOST], last[MOST][MOST]; /* parcels that have not been taken */
    int at[MOST][MOST];                      /* all-to-all: where the block from, to is; -1: under way */
    int64_t bytes;
    bool moved; /* since it was last looked at */
    bool broken;
} play;

static void complain(const char *what, int64_t found, int64_t expected)
{
    play.broken = true;
    if (failures++ < 10)
        fprintf(stderr, "%s %s, %d ranks, root %d, %" PRId64 " bytes%s: %s: %" PRId64 ", expected %" PRId64 "\n",
                coll_families[play.row->family].name, play.row->name, play.call.n_ranks, play.call.root,
                play.call.bytes, play.rendezvous ? ", rendezvous" : "", what, found, expected);
}

static bool expect(const char *what, int64_t found, int64_t expected)
{
    if (found != expected)
        complain(what, found, expected);
    return found == expected;
}

static enum coll_family family(void)
{
    return play.row->family;
}

static bool combines(void)
{
    return family() == COLL_REDUCE || family() == COLL_ALLREDUCE || family() == COLL_BARRIER;
}

static bool is_dealt(void)
{
    return family() == COLL_SCATTER || family() == COLL_GATHER || family() == COLL_ALLGATHER;
}

static uint64_t complete(void)
{
    return !combines() ? 1 : play.call.n_ranks == 64 ? UINT64_MAX : (UINT64_C(1) << play.call.n_ranks) - 1;
}

/* --- cuts --- */

static int compare_cuts(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static void add_cut(int64_t at)
{
    if (play.n_pieces == MOST_CUTS) {
        qsort(play.cuts, MOST_CUTS, sizeof play.cuts[0], compare_cuts);
        int kept = 0;
        for (int i = 0; i < MOST_CUTS; i++)
            if (i == 0 || play.cuts[i] != play.cuts[kept - 1])
                play.cuts[kept++] = play.cuts[i];
        play.n_pieces = kept;
    }
    play.cuts[play.n_pieces++] = at;
}

/* The number of the piece that begins there. */
static int piece_at(int64_t at)
{
    int64_t *found = bsearch(&at, play.cuts, (size_t)play.n_pieces + 1, sizeof at, compare_cuts);
    return found != NULL ? (int)(found - play.cuts) : -1;
}

static void find_cuts(void)
{
    int p = play.call.n_ranks;
    play.n_pieces = 0;
    add_cut(0);
    add_cut(play.whole);
    for (int r = 0; r < p && is_dealt(); r++)
        add_cut(play.whole / p * r);
    for (int r = 0; r < p; r++) {
        struct op op = {.kind = OP_RECV};
        for (int64_t i = 0; play.spec->next(&play.call, r, i, &op); i++)
            if ((op.kind == OP_SEND || op.kind == OP_ISEND) && play.whole > 0) {
                add_cut(op.times % play.whole);
                add_cut((op.times + op.bytes) % play.whole);
            }
    }
    add_cut(play.whole); /* so that there is room behind the last one */
    qsort(play.cuts, (size_t)play.n_pieces, sizeof play.cuts[0], compare_cuts);
    int kept = 0;
    for (int i = 0; i < play.n_pieces; i++)
        if (kept == 0 || play.cuts[i] != play.cuts[kept - 1])
            play.cuts[kept++] = play.cuts[i];
    play.n_pieces = kept - 1;
}

/* --- sending and receiving --- */

/* Blocks of an all-to-all that a message carries: the one for its receiver; by Bruck's algorithm all that have the bit of
 * its distance in theirs. */
static bool carries(int from, int to, int source, int target)
{
    int p = play.call.n_ranks, distance = (to - from + p) % p;
    if (strcmp(play.row->name, "bruck") != 0)
        return source == from && target == to;
    return play.at[source][target] == from && (((target - source + p) % p) & distance) != 0;
}

/* Which blocks are under way is remembered in the parcel's pieces: a bit for each target, of each source. */
static void pick_blocks(struct parcel *parcel)
{
    int p = play.call.n_ranks;
    int64_t count = 0;
    parcel->pieces = xcalloc((size_t)p, sizeof *parcel->pieces);
    for (int source = 0; source < p; source++)
        for (int target = 0; target < p; target++)
            if (source != target && carries(parcel->from, parcel->to, source, target)) {
                expect("where the block is that is sent", play.at[source][target], parcel->from);
                parcel->pieces[source] |= UINT64_C(1) << target;
                play.at[source][target] = -1;
                count++;
            }
    expect("bytes of the blocks", parcel->bytes, count * play.call.bytes);
}

static void pick_pieces(struct parcel *parcel, int64_t at)
{
    parcel->first = play.whole > 0 ? piece_at(at) : 0;
    parcel->pieces = xcalloc((size_t)play.n_pieces + 1, sizeof *parcel->pieces);
    if (family() == COLL_BARRIER) { /* whatever its length, a message tells of all that have come */
        parcel->pieces[0] = play.pieces[parcel->from][0];
        parcel->count = 1;
        expect("bytes", parcel->bytes, play.call.bytes);
        return;
    }
    if (!expect("a part begins within the whole", parcel->first >= 0 && (at < play.whole || parcel->bytes == 0), true))
        return;
    for (int64_t bytes = 0; bytes < parcel->bytes; parcel->count++) {
        int piece = (parcel->first + parcel->count) % play.n_pieces;
        if (!expect("a part is not more than the whole", parcel->count < play.n_pieces, true))
            return;
        bytes += play.cuts[piece + 1] - play.cuts[piece];
        expect("a part ends where a piece ends", bytes <= parcel->bytes, true);
        parcel->pieces[parcel->count] = play.pieces[parcel->from][piece];
        expect("the sender has what it sends", parcel->pieces[parcel->count] != 0, true);
    }
}

static int hand_over(int from, const struct op *op)
{
    play.parcels = xgrow(play.parcels, play.n_parcels, &play.capacity, sizeof *play.parcels);
    int index = (int)play.n_parcels++, to = op->peer;
    struct parcel *parcel = &play.parcels[index];
    *parcel = (struct parcel){.from = from, .to = to, .bytes = op->bytes, .next = -1};
    if (family() == COLL_ALLTOALL)
        pick_blocks(parcel);
    else
        pick_pieces(parcel, op->times);
    if (play.first[from][to] < 0)
        play.first[from][to] = index;
    else
        play.parcels[play.last[from][to]].next = index;
    play.last[from][to] = index;
    play.bytes += op->bytes;
    play.moved = true;
    return index;
}

static void unpack(int rank, const struct parcel *parcel)
{
    int p = play.call.n_ranks;
    for (int source = 0; source < p && family() == COLL_ALLTOALL; source++)
        for (int target = 0; target < p; target++)
            if ((parcel->pieces[source] >> target & 1) != 0)
                play.at[source][target] = rank;
    for (int i = 0; i < parcel->count; i++) {
        uint64_t *own = &play.pieces[rank][(parcel->first + i) % play.n_pieces], given = parcel->pieces[i];
        if (combines() && family() != COLL_BARRIER && given != complete())
            expect("contributions that come twice", (int64_t)(*own & given), 0);
        *own = given == complete() ? given : *own | given;
    }
}

static bool take(int rank, const struct op *op)
{
    int index = play.first[op->peer][rank];
    if (index < 0)
        return false;
    struct parcel *parcel = &play.parcels[index];
    play.first[op->peer][rank] = parcel->next;
    expect("the length received", op->bytes, parcel->bytes);
    unpack(rank, parcel);
    free(parcel->pieces);
    parcel->pieces = NULL;
    parcel->taken = true;
    return true;
}

/* Do an op; false when it has to wait. */
static bool do_op(int rank, const struct op *op)
{
    struct member *self = &play.members[rank];
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
        if (!self->blocked)
            self->parcel = hand_over(rank, op);
        self->blocked = play.rendezvous && !play.parcels[self->parcel].taken;
        return !self->blocked;
    case OP_ISEND:
        if (!expect("a request", op->request > 0 && op->request < MOST && self->begun[op->request] < 0, true))
            return false;
        self->begun[op->request] = hand_over(rank, op);
        self->n_begun++;
        return true;
    case OP_RECV:
        return take(rank, op);
    case OP_WAIT:
        if (!expect("a wait for what was begun", op->request < MOST && self->begun[op->request] >= 0, true) ||
            (play.rendezvous && !play.parcels[self->begun[op->request]].taken))
            return false;
        self->begun[op->request] = -1;
        self->n_begun--;
        return true;
    default:
        complain("an op of kind", op->kind, OP_SEND);
        return false;
    }
}

/* Do the next op of a rank; false when it has to wait, or has done all. */
static bool do_next(int rank)
{
    struct member *self = &play.members[rank];
    struct op op = {.tag = 99}, again = {.tag = 99};
    bool there = play.spec->next(&play.call, rank, self->i, &op);
    expect("asked again", play.spec->next(&play.call, rank, self->i, &again), there);
    if (!there)
        return false;
    expect("asked again, the op", memcmp(&op, &again, sizeof op), 0);
    expect("the tag", op.tag, 99);
    if (op.peer < 0 || op.peer >= play.call.n_ranks || op.peer == rank || op.bytes < 0) {
        complain("the peer, or the length to it", op.peer, -1);
        return false;
    }
    bool done = do_op(rank, &op) && !play.broken;
    self->i += done;
    return done;
}

static void begin_with_pieces(int rank)
{
    int p = play.call.n_ranks;
    bool is_root = rank == play.call.root;
    for (int i = 0; i < play.n_pieces; i++) {
        bool own = play.cuts[i] >= play.whole / p * rank && play.cuts[i] < play.whole / p * (rank + 1);
        bool has = family() == COLL_GATHER || family() == COLL_ALLGATHER ? own : is_root;
        play.pieces[rank][i] = combines() ? UINT64_C(1) << rank : has;
    }
}

static void begin(void)
{
    int p = play.call.n_ranks;
    memset(play.members, 0, sizeof play.members);
    play.n_parcels = 0;
    play.bytes = 0;
    play.broken = false;
    play.whole = is_dealt() ? play.call.bytes * p : family() == COLL_BARRIER ? 1 : play.call.bytes;
    play.n_pieces = 1;
    if (family() != COLL_BARRIER && family() != COLL_ALLTOALL)
        find_cuts();
    else
        memcpy(play.cuts, (const int64_t[]){0, 1}, 2 * sizeof play.cuts[0]);
    for (int rank = 0; rank < p; rank++) {
        begin_with_pieces(rank);
        for (int i = 0; i < MOST; i++) {
            play.members[rank].begun[i] = -1;
            play.first[rank][i] = -1;
            play.at[rank][i] = rank;
        }
    }
}

static void check_pieces(int rank)
{
    int p = play.call.n_ranks;
    bool only_root = family() == COLL_REDUCE || family() == COLL_GATHER;
    for (int i = 0; i < play.n_pieces; i++) {
        bool own = play.cuts[i] >= play.whole / p * rank && play.cuts[i] < play.whole / p * (rank + 1);
        bool must = only_root ? rank == play.call.root : family() == COLL_SCATTER ? own : true;
        if (must && family() != COLL_ALLTOALL)
            expect("what a rank has in the end", (int64_t)play.pieces[rank][i], (int64_t)complete());
    }
}

static void check_end(void)
{
    static const int64_t beyond[] = {0, 1, 2, 3, 7, 64, 189, 190, 1000, INT64_C(1) << 33, INT64_MAX >> 1};
    struct op op = {0};
    const struct form form = {play.call.n_ranks, play.call.bytes, play.call.options->segment_bytes,
                              play.call.options->radix, NULL};
    for (int rank = 0; rank < play.call.n_ranks && !play.broken; rank++) {
        const struct member *self = &play.members[rank];
        expect("begun and not waited for", self->n_begun > 0 || self->blocked, false);
        for (int other = 0; other < play.call.n_ranks; other++) {
            expect("messages that nobody takes", play.first[rank][other], -1);
            if (family() == COLL_ALLTOALL)
                expect("where a block is in the end", play.at[rank][other], other == rank ? rank : other);
        }
        check_pieces(rank);
        for (size_t b = 0; b < sizeof beyond / sizeof beyond[0]; b++)
            expect("an op beyond the end", play.spec->next(&play.call, rank, self->i + beyond[b], &op), false);
    }
    expect("messages", (int64_t)play.n_parcels, play.row->messages(&form));
    expect("bytes", play.bytes, play.row->bytes(&form));
}

static void run_play(const struct collective_row *row, const struct coll_call *call, bool rendezvous)
{
    play.row = row;
    play.spec = coll_find(row->family, row->name);
    play.call = *call;
    play.rendezvous = rendezvous;
    begin();
    for (play.moved = true; play.moved && !play.broken;) {
        play.moved = false;
        for (int rank = 0; rank < call->n_ranks && !play.broken; rank++)
            play.moved = do_next(rank) || play.moved;
    }
    if (!play.broken)
        check_end();
    for (size_t i = 0; i < play.n_parcels; i++)
        free(play.parcels[i].pieces);
}

static int check_delivery(const void *argument)
{
    (void)argument;
    for (const struct collective_row *row = collective_rows; row->name != NULL; row++)
        for (int n = 0; n < N_RANK_COUNTS; n++)
            for (int root = 0; root < (has_root(row->family) ? rank_counts[n] : 1); root++)
                for (int l = 0; l < N_LENGTHS && is_tried(rank_counts[n], root); l++) {
                    struct placement placement = {
                        .n_ranks = rank_counts[n], .ranks_per_host = 1, .n_slots = rank_counts[n]};
                    const struct coll_spec *spec = coll_find(row->family, row->name);
                    struct coll_options options = options_for(spec, row->family, lengths[l]);
                    const struct coll_call call = {&placement, &machine,   &options,      rank_counts[n],
                                                   root,       lengths[l], rank_counts[n]};
                    run_play(row, &call, false);
                    /* The sends of a dissemination are plain ones, which must not wait. */
                    if (strcmp(row->name, "dissemination") != 0)
                        run_play(row, &call, true);
                }
    return failures;
}

static void test_delivery(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform("", MOST, wire), check_delivery, NULL), 0);
}

/* --- in the kernel --- */

static const char *const no_kernels[] = {NULL};

/* A config is a list of ops that every rank does; the last has no length below 0. */
struct common {
    int count;
    struct op ops[8];
};

static bool common_emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    const struct common *common = config;
    (void)rank;
    if (step >= common->count)
        return false;
    *op_list_add(list, (enum op_kind)common->ops[step].kind, 1) = common->ops[step];
    return true;
}

static const struct app_spec common_app = {
    .name = "common", .scopes = script_scopes, .kernels = no_kernels, .emit = common_emit};

static int run_common(struct kernel_stats *stats, const struct common *common, const struct coll_options *options,
                      int n_ranks, int per_host, const char *network)
{
    struct sim_error error = {.message = ""};
    struct placement placement;
    const struct placement_request request = {.n_ranks = n_ranks, .ranks_per_host = per_host};
    const struct program program = {.app = &common_app, .config = (void *)(uintptr_t)common, .collectives = *options};
    const struct kernel_run run = {
        .program = &program, .machine = &machine, .placement = &placement, .network = network_named(network)};
    if (placement_init(&placement, &request, &machine, &error) == 0 && kernel_run(stats, &run, &error) == 0)
        return 0;
    fprintf(stderr, "%s\n", error.message);
    return -1;
}

static struct op collective(enum coll_family of, int root, int64_t bytes, int n_ranks)
{
    return (struct op){
        .kind = (uint8_t)coll_families[of].kind, .peer = root, .bytes = bytes, .times = n_ranks, .scope = 1};
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

/* --- the tables --- */

static void test_tables(void)
{
    int n_rows = 0, n_specs = 0;
    for (const struct collective_row *row = collective_rows; row->name != NULL; row++, n_rows++)
        CU_ASSERT_PTR_NOT_NULL(coll_find(row->family, row->name));
    for (int of = 0; of < N_COLL_FAMILIES; of++) {
        const struct coll_family_spec *spec = &coll_families[of];
        CU_ASSERT_EQUAL(coll_family_of(spec->kind), of);
        for (int i = 0; spec->specs[i] != NULL; i++) {
            CU_ASSERT_STRING_EQUAL(spec->specs[i]->name, spec->names[i]);
            CU_ASSERT_EQUAL(spec->specs[i]->next == NULL, spec->specs[i] == &coll_fastest);
            n_specs += spec->specs[i]->next != NULL;
        }
        CU_ASSERT_PTR_EQUAL(coll_find((enum coll_family)of, "fastest"), &coll_fastest);
        CU_ASSERT_PTR_NULL(coll_find((enum coll_family)of, "no such"));
    }
    CU_ASSERT_EQUAL(n_rows, n_specs); /* each has its closed forms */
}

/* Another name is read as the algorithm, and written as it. */
static void test_aliases(void)
{
    int n_aliases = 0;
    for (int of = 0; of < N_COLL_FAMILIES; of++) {
        const struct param_spec param = {.type = PARAM_CHOICE, .min = 1, .choices = coll_families[of].names};
        const char *const *alias = coll_families[of].names;
        int64_t value = -1;
        char text[64], why[800];
        while (*alias != NULL)
            alias++;
        for (alias++; *alias != NULL; alias += 2, n_aliases++) {
            CU_ASSERT_PTR_NULL(coll_find((enum coll_family)of, alias[0]));
            CU_ASSERT_EQUAL(param_parse(&value, &param, alias[0], why, sizeof why), 0);
            CU_ASSERT_PTR_EQUAL(coll_families[of].specs[value], coll_find((enum coll_family)of, alias[1]));
            param_format(text, sizeof text, &param, value);
            CU_ASSERT_STRING_EQUAL(text, alias[1]);
        }
        CU_ASSERT_EQUAL(param_parse(&value, &param, "no such", why, sizeof why), -1);
    }
    CU_ASSERT(n_aliases >= 20);
}

/* --- the fastest --- */

static const char *const networks[] = {"quiet", "fifo", "fluid"};

/* The least time by any algorithm, where `fluid` is judged by `fifo`. */
static int64_t least_time(enum coll_family of, const struct common *common, int p, const char *network,
                          const struct coll_spec **spec)
{
    int64_t least = -1;
    for (int i = 0; coll_families[of].specs[i]->next != NULL; i++) {
        struct coll_options options = options_for(coll_families[of].specs[i], of, 2048);
        struct kernel_stats stats = {0};
        if (run_common(&stats, common, &options, p, 1, strcmp(network, "fluid") == 0 ? "fifo" : network) != 0)
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
    struct choices choices = {0};
    struct kernel_stats stats = {0};
    const struct coll_spec *spec = NULL;
    int64_t least = least_time(of, &common, p, network, &spec);
    int before = failures;
    options.choices = &choices;
    play.row = &row;
    play.call = (struct coll_call){.n_ranks = p, .root = (int)of, .bytes = bytes};
    expect("the run", run_common(&stats, &common, &options, p, 1, network), 0);
    if (strcmp(network, "fluid") != 0)
        expect("the time of the fastest", stats.end_ps, least);
    if (expect("decisions", (int64_t)choices.count, 1)) {
        expect("which", choices.items[0].spec == spec, true);
        expect("its time", choices.items[0].time_ps, least);
        expect("others are no faster", choices.items[0].slowest_ps >= least, true);
        expect("its ranks", choices.items[0].n_ranks, p);
    }
    choices_dispose(&choices);
    return failures - before;
}

/* One decision for each class of sizes, and only one for all rounds of the same. */
static int check_classes(void)
{
    static const struct collective_row row = {.name = "classes"};
    struct coll_options options = options_for(&coll_fastest, COLL_BROADCAST, 2048);
    struct choices choices = {0};
    struct kernel_stats stats = {0};
    struct common common = {.count = 7};
    static const int64_t sizes[] = {0, 1000, 1023, 1024, 600, 2047, 1000};
    static const int64_t from[] = {0, 512, 1024}, to[] = {0, 1023, 2047}, bytes[] = {0, 1000, 1024};
    for (int i = 0; i < 7; i++)
        common.ops[i] = collective(COLL_BROADCAST, i, sizes[i], 8);
    play.row = &row;
    options.choices = &choices;
    expect("the run", run_common(&stats, &common, &options, 8, 1, "fifo"), 0);
    if (expect("decisions", (int64_t)choices.count, 3))
        for (int i = 0; i < 3; i++) {
            expect("from", choices.items[i].from_bytes, from[i]);
            expect("to", choices.items[i].to_bytes, to[i]);
            expect("size", choices.items[i].bytes, bytes[i]);
        }
    choices_dispose(&choices);
    options.choices = NULL; /* nobody wants to know */
    expect("the run", run_common(&stats, &common, &options, 8, 1, "fifo"), 0);
    return failures;
}

static int check_fastest(const void *argument)
{
    (void)argument;
    for (int of = 0; of < N_COLL_FAMILIES; of++)
        for (int n = 0; n < 3; n++)
            for (int p = 2; p <= 13; p += 11)
                for (int64_t bytes = 8; bytes <= 1 << 15; bytes <<= 12)
                    run_fastest((enum coll_family)of, p, bytes, networks[n]);
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

/* One host of each switch gets the message from the root, before the others of the root's switch, and serves its own. */
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

int main(void)
{
    static const struct test tests[] = {
        {"tables", test_tables},
        {"other names", test_aliases},
        {"what arrives", test_delivery},
        {"closed forms", test_closed_forms},
        {"the fastest", test_fastest},
        {"neighbours", test_neighbours},
        {NULL, NULL},
    };
    return testing_run("collectives", tests);
}
