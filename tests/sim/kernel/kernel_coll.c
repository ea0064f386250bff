/* Collectives in the kernel: what arrives, how many messages there are and how long it takes on a quiet network; among
 * all ranks, and among the members of groups.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

#include "sim/collective/collective.h"
#include "trace/record/record.h"

enum { MAX_MEMBERS = 64 };

static const struct wire_row wire = {11e6, 50000};
static const int rank_counts[] = {1, 2, 3, 7, 8, 13, 64};
static const int64_t lengths[] = {0, 1, 2048, 1048576};
enum { N_RANK_COUNTS = sizeof rank_counts / sizeof rank_counts[0], N_LENGTHS = sizeof lengths / sizeof lengths[0] };

static int floor_log2(int n)
{
    int k = 0;
    while (n >> (k + 1) > 0)
        k++;
    return k;
}

static int ceil_log2(int n)
{
    return floor_log2(n) + ((n & (n - 1)) != 0);
}

/* Messages, how long they all take if each takes one round on its own, and whether there is a root. */
static int64_t each_once(int p)
{
    return p - 1;
}

static int64_t each_to_each(int p)
{
    return (int64_t)p * (p - 1);
}

static int64_t barrier_messages(int p)
{
    return (int64_t)p * ceil_log2(p);
}

static int64_t allreduce_messages(int p)
{
    int m = floor_log2(p), even = 1 << m;
    return (int64_t)even * m + 2 * (p - even);
}

static int64_t log_up(int p)
{
    return ceil_log2(p);
}

static int64_t log_down(int p)
{
    return floor_log2(p);
}

static int64_t allreduce_rounds(int p)
{
    return floor_log2(p) + ((p & (p - 1)) != 0 ? 2 : 0);
}

static int64_t at_once(int p)
{
    return p > 1;
}

static const struct row {
    const char *name;
    enum op_kind kind;
    const char *broadcast;
    bool has_root;
    int64_t (*messages)(int p);
    int64_t (*rounds)(int p);
} rows[] = {
    {"flat broadcast", OP_BROADCAST, "flat", true, each_once, each_once},
    {"binomial broadcast", OP_BROADCAST, "binomial", true, each_once, log_up},
    {"chain broadcast", OP_BROADCAST, "chain", true, each_once, each_once},
    {"scatter", OP_SCATTER, "binomial", true, each_once, each_once},
    {"gather", OP_GATHER, "binomial", true, each_once, at_once},
    {"barrier", OP_BARRIER, "binomial", false, barrier_messages, log_up},
    {"reduce", OP_REDUCE, "binomial", true, each_once, log_down},
    {"allreduce", OP_ALLREDUCE, "binomial", false, allreduce_messages, allreduce_rounds},
    {"allgather", OP_ALLGATHER, "binomial", false, each_to_each, each_once},
    {"alltoall", OP_ALLTOALL, "binomial", false, each_to_each, each_once},
};
enum { N_ROWS = sizeof rows / sizeof rows[0], FIRST_NEW = 6 };

static const struct coll_spec *broadcast_named(const char *name)
{
    for (int b = 0; coll_broadcasts[b] != NULL; b++)
        if (strcmp(coll_broadcasts[b]->name, name) == 0)
            return coll_broadcasts[b];
    abort();
}

/* --- what arrives: the ops carried out on sets of blocks, without a clock --- */

/* How often each rank's contribution is in a vector, or which blocks a rank has. */
struct blocks {
    int count[MAX_MEMBERS];
};

struct parcel {
    struct blocks content;
    int64_t bytes;
};

struct member {
    int64_t i;
    struct blocks own;
    int last;            /* allgather: the block that came last */
    bool given_away;     /* its vector: what it receives then takes its place */
    bool begun, blocked; /* a send that is begun, that waits to be taken */
    int sent_to;
};

static struct {
    const struct row *row;
    struct coll_call call;
    bool rendezvous;
    struct member members[MAX_MEMBERS];
    struct parcel queue[MAX_MEMBERS][MAX_MEMBERS][4]; /* from, to */
    int queued[MAX_MEMBERS][MAX_MEMBERS];
    int64_t n_messages;
    bool moved; /* since it was last looked at */
    int failures;
} play;

static void complain(const char *what, int64_t found, int64_t expected)
{
    if (play.failures++ < 10)
        fprintf(stderr, "%s, %d ranks, root %d, %" PRId64 " bytes: %s: %" PRId64 ", expected %" PRId64 "\n",
                play.row->name, play.call.n_ranks, play.call.root, play.call.bytes, what, found, expected);
}

static void expect(const char *what, int64_t found, int64_t expected)
{
    if (found != expected)
        complain(what, found, expected);
}

static void hand_over(int rank, const struct op *op)
{
    struct member *self = &play.members[rank];
    struct parcel *parcel = &play.queue[rank][op->peer][play.queued[rank][op->peer]++];
    expect("messages at once between two", play.queued[rank][op->peer] <= 3, true);
    parcel->bytes = op->bytes;
    parcel->content = self->own;
    if (play.row->kind == OP_ALLGATHER || play.row->kind == OP_ALLTOALL) {
        memset(&parcel->content, 0, sizeof parcel->content);
        parcel->content.count[play.row->kind == OP_ALLGATHER ? self->last : rank] = 1;
    }
    play.n_messages++;
    play.moved = true;
    self->given_away = self->given_away || op->kind == OP_SEND;
    self->sent_to = op->peer;
}

static bool take(int rank, const struct op *op)
{
    struct member *self = &play.members[rank];
    int *queued = &play.queued[op->peer][rank];
    if (*queued == 0)
        return false;
    struct parcel *queue = play.queue[op->peer][rank], parcel = queue[0];
    memmove(queue, queue + 1, (size_t)-- * queued * sizeof *queue);
    expect("the length received", op->bytes, parcel.bytes);
    if (self->given_away)
        memset(&self->own, 0, sizeof self->own);
    for (int r = 0; r < play.call.n_ranks; r++) {
        self->own.count[r] += parcel.content.count[r];
        self->last = parcel.content.count[r] > 0 ? r : self->last;
    }
    return true;
}

/* Do the next op of a rank; false when it has to wait, or has done all. */
static bool do_next(const struct coll_spec *spec, int rank)
{
    struct member *self = &play.members[rank];
    struct op op = {.tag = 99}, again = {.tag = 99};
    bool there = spec->next(&play.call, rank, self->i, &op);
    expect("asked again", spec->next(&play.call, rank, self->i, &again), there);
    expect("asked again, the op", memcmp(&op, &again, sizeof op), 0);
    expect("the tag", op.tag, 99);
    if (!there)
        return false;
    if (op.kind != OP_WAIT && (op.peer < 0 || op.peer >= play.call.n_ranks || op.peer == rank || op.bytes < 0)) {
        complain("the peer", op.peer, -1);
        return false;
    }
    switch ((enum op_kind)op.kind) {
    case OP_SEND:
    case OP_ISEND:
        if (!self->blocked)
            hand_over(rank, &op);
        self->blocked = op.kind == OP_SEND && play.rendezvous;
        if (self->blocked && play.queued[rank][op.peer] > 0)
            return false;
        self->blocked = false;
        self->begun = self->begun || op.kind == OP_ISEND;
        break;
    case OP_RECV:
        if (!take(rank, &op))
            return false;
        break;
    case OP_WAIT:
        expect("a wait for what was begun", self->begun, true);
        expect("a wait has the request", op.request != 0, true);
        if (play.rendezvous && play.queued[rank][self->sent_to] > 0)
            return false;
        self->begun = false;
        break;
    default:
        complain("an op of kind", op.kind, OP_SEND);
    }
    self->i++;
    return true;
}

static void check_content(void)
{
    for (int rank = 0; rank < play.call.n_ranks; rank++) {
        bool has_all = play.row->kind != OP_REDUCE || rank == play.call.root;
        expect("begun and not waited for", play.members[rank].begun || play.members[rank].blocked, false);
        for (int other = 0; has_all && other < play.call.n_ranks; other++) {
            expect("a contribution, so many times", play.members[rank].own.count[other], 1);
            expect("messages that nobody takes", play.queued[other][rank], 0);
        }
    }
    expect("messages", play.n_messages, play.row->messages(play.call.n_ranks));
}

/* There is nothing after the end, however far. */
static void check_end(const struct coll_spec *spec)
{
    static const int64_t beyond[] = {0, 1, 2, 3, 7, 64, 189, 190, 1000, INT64_C(1) << 33, INT64_MAX >> 1};
    struct op op = {0};
    for (int rank = 0; rank < play.call.n_ranks; rank++)
        for (size_t b = 0; b < sizeof beyond / sizeof beyond[0]; b++)
            expect("an op beyond the end", spec->next(&play.call, rank, play.members[rank].i + beyond[b], &op), false);
}

static void run_play(const struct row *row, int p, int root, int64_t bytes, bool rendezvous)
{
    const struct coll_options options = {.broadcast = broadcast_named(row->broadcast)};
    const struct coll_spec *spec = coll_of(&options, &(struct op){.kind = (uint8_t)row->kind});
    memset(&play.members, 0, sizeof play.members);
    memset(&play.queued, 0, sizeof play.queued);
    play.row = row;
    play.call = (struct coll_call){.options = &options, .n_ranks = p, .root = root, .bytes = bytes, .blocks = p};
    play.rendezvous = rendezvous;
    play.n_messages = 0;
    for (int rank = 0; rank < p; rank++) {
        play.members[rank].own.count[rank] = 1;
        play.members[rank].last = rank;
    }
    for (play.moved = true; play.moved;) {
        play.moved = false;
        for (int rank = 0; rank < p && play.failures == 0; rank++) /* one op each, so that none runs far ahead */
            if (do_next(spec, rank))
                play.moved = true;
    }
    if (play.failures == 0)
        check_content();
    if (play.failures == 0)
        check_end(spec);
}

static bool is_root(int p, int root)
{
    return p <= 13 || root == 0 || root == 31 || root == p - 1;
}

static void test_content(void)
{
    play.failures = 0;
    for (int r = FIRST_NEW; r < N_ROWS; r++)
        for (int n = 0; n < N_RANK_COUNTS; n++)
            for (int root = 0; root < (rows[r].has_root ? rank_counts[n] : 1); root++)
                for (int l = 0; l < N_LENGTHS && is_root(rank_counts[n], root); l++)
                    for (int rendezvous = 0; rendezvous <= 1; rendezvous++)
                        run_play(&rows[r], rank_counts[n], root, lengths[l], rendezvous != 0);
    CU_ASSERT_EQUAL(play.failures, 0);
}

/* --- in the kernel --- */

enum { MAX_ACTS = 64, MAX_GROUPS = 8 };

/* Each act is one collective, done by the members of its group, or a send and a receive of two ranks. */
struct plan {
    int n_ranks, n_acts, n_groups;
    struct record_group groups[MAX_GROUPS];
    int members[MAX_GROUPS][MAX_MEMBERS];
    struct op acts[MAX_ACTS];
    int first[MAX_ACTS], second[MAX_ACTS]; /* of a message */
    bool late_first;                       /* rank 1 does the first two acts in the other order */
    const char *broadcast;
    const struct coll_spec *other; /* of the act's family; NULL: its first */
};

static bool is_member(const struct plan *plan, int group, int rank)
{
    for (int m = 0; group > 0 && m < plan->groups[group].n_members; m++)
        if (plan->members[group][m] == rank)
            return true;
    return group == 0;
}

static bool plan_emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    const struct plan *plan = config;
    if (step >= plan->n_acts)
        return false;
    if (plan->late_first && rank == 1 && step < 2)
        step = 1 - step;
    const struct op *act = &plan->acts[step];
    if (act->kind == OP_SEND) {
        if (rank == plan->first[step] || rank == plan->second[step]) {
            bool sends = rank == plan->first[step];
            struct op *op = op_list_add(list, sends ? OP_SEND : OP_RECV, 1);
            op->peer = sends ? plan->second[step] : plan->first[step];
            op->bytes = act->bytes;
            op->tag = act->tag;
        }
    } else if (is_member(plan, act->group, rank)) {
        *op_list_add(list, (enum op_kind)act->kind, 1) = *act;
    }
    return true;
}

static const char *const no_kernels[] = {NULL};
static const struct app_spec plan_app = {
    .name = "plan", .scopes = script_scopes, .kernels = no_kernels, .emit = plan_emit};

/* Traffic between each two ranks, and the ops that each was given, in their order. */
struct traffic {
    int64_t messages[MAX_MEMBERS][MAX_MEMBERS], bytes[MAX_MEMBERS][MAX_MEMBERS];
    int64_t received[MAX_MEMBERS][MAX_MEMBERS], received_bytes[MAX_MEMBERS][MAX_MEMBERS];
    int64_t tags; /* sum over the messages */
    int64_t present[MAX_MEMBERS];
    char rank_1[200];
    bool broken;
};

static void traffic_take(void *self, const struct interval *interval)
{
    struct traffic *traffic = self;
    traffic->broken = traffic->broken || interval->start_ps != traffic->present[interval->location];
    traffic->present[interval->location] = interval->end_ps;
    if (interval->is_message) {
        traffic->messages[interval->location][interval->peer]++;
        traffic->bytes[interval->location][interval->peer] += interval->bytes;
        traffic->tags += interval->tag;
    }
    if (!interval->is_receipt)
        return;
    traffic->received[interval->peer][interval->location]++;
    traffic->received_bytes[interval->peer][interval->location] += interval->bytes;
    size_t used = strlen(traffic->rank_1);
    if (interval->location == 1)
        snprintf(traffic->rank_1 + used, sizeof traffic->rank_1 - used, "%s%" PRId64, used > 0 ? " " : "",
                 interval->bytes);
}

static int run_plan(const struct plan *plan, const char *network, struct traffic *traffic, struct kernel_stats *stats,
                    struct sim_error *error)
{
    struct program program = {.app = &plan_app,
                              .config = (void *)(uintptr_t)plan,
                              .collectives = {.broadcast = broadcast_named(plan->broadcast), .segment_bytes = 512},
                              .groups = plan->groups,
                              .n_groups = plan->n_groups};
    for (int f = 0; plan->other != NULL && f < N_COLL_FAMILIES; f++)
        program.collectives.others[f] = f == (int)coll_family_of(plan->acts[0].kind) ? plan->other : NULL;
    struct placement placement;
    struct placement_request request = {.n_ranks = plan->n_ranks, .ranks_per_host = 1};
    struct interval_sink sink = {.take = traffic_take, .self = traffic};
    memset(traffic, 0, sizeof *traffic);
    if (placement_init(&placement, &request, &machine, error) != 0)
        return -1;
    const struct kernel_run run = {.program = &program,
                                   .machine = &machine,
                                   .placement = &placement,
                                   .network = network_named(network),
                                   .sinks = &sink,
                                   .n_sinks = 1};
    int status = kernel_run(stats, &run, error);
    for (int r = 0; status == 0 && r < plan->n_ranks; r++)
        if (traffic->broken || traffic->present[r] != stats->end_ps) {
            snprintf(error->message, sizeof error->message, "the account does not close");
            status = -1;
        }
    return status;
}

static int64_t message_ps(int64_t bytes)
{
    const struct route *route = machine_route(&machine, 0, 1);
    return route->latency_ps + llround((double)bytes * route->byte_ps);
}

static struct plan plan;
static struct traffic traffic;

static void run_alone(const struct row *row, int p, int root, int64_t bytes)
{
    struct kernel_stats stats = {0};
    struct sim_error error = {.message = ""};
    plan.n_ranks = p;
    plan.n_acts = 1;
    plan.broadcast = row->broadcast;
    plan.acts[0] = (struct op){
        .kind = (uint8_t)row->kind, .peer = row->has_root ? root : -1, .bytes = bytes, .blocks = p, .scope = 1};
    play.row = row;
    play.call = (struct coll_call){.n_ranks = p, .root = root, .bytes = bytes};
    if (run_plan(&plan, "quiet", &traffic, &stats, &error) != 0) {
        complain(error.message, -1, 0);
        return;
    }
    expect("messages", stats.messages, row->messages(p));
    expect("bytes", (int64_t)stats.bytes, row->messages(p) * bytes);
    expect("time", stats.end_ps, row->rounds(p) * message_ps(bytes));
    expect("sum of the tags", traffic.tags, -stats.messages);
}

static int check_alone(const void *argument)
{
    (void)argument;
    play.failures = 0;
    for (int r = 0; r < N_ROWS; r++)
        for (int n = 0; n < N_RANK_COUNTS; n++)
            for (int root = 0; root < (rows[r].has_root ? rank_counts[n] : 1); root++)
                for (int l = 0; l < N_LENGTHS && is_root(rank_counts[n], root); l++)
                    run_alone(&rows[r], rank_counts[n], root, lengths[l]);
    return play.failures;
}

static void test_closed_forms(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform("", MAX_MEMBERS, wire), check_alone, NULL), 0);
}

/* Where messages take nearly nothing and combining a byte 1 us, a collective takes as many bytes as are combined one
 * after another: so many vectors, in p-ths. */
static int64_t other_ranks(int p)
{
    return (int64_t)(p - 1) * p;
}

static int64_t all_but_one_part(int p)
{
    return p - 1;
}

static int64_t rounds_up(int p)
{
    return (int64_t)ceil_log2(p) * p;
}

static int64_t rounds_and_folded(int p)
{
    return (int64_t)(floor_log2(p) + ((p & (p - 1)) != 0)) * p;
}

static int64_t halves(int p)
{
    int even = 1 << floor_log2(p);
    return p % even == 0 ? p - p / even : -1; /* parts are equal only in powers of two */
}

static const struct combining {
    enum coll_family family;
    const char *name;
    int64_t (*parts)(int p);
} combinings[] = {
    {COLL_REDUCE, "flat", other_ranks},
    {COLL_REDUCE, "chain", other_ranks},
    {COLL_REDUCE, "binomial", rounds_up},
    {COLL_ALLREDUCE, "recursive_doubling", rounds_and_folded},
    {COLL_ALLREDUCE, "ring", all_but_one_part},
    {COLL_ALLREDUCE, "rabenseifner", halves},
    {COLL_ALLREDUCE, "reduce_broadcast", rounds_up},
    {COLL_BARRIER, "recursive_doubling", NULL},
    {COLL_ALLGATHER, "ring", NULL},
};

static int64_t combining_ps(const struct combining *row, int p, int64_t bytes, int *failures)
{
    struct kernel_stats stats = {0};
    struct sim_error error = {.message = ""};
    plan = (struct plan){.n_ranks = p,
                         .n_acts = 1,
                         .broadcast = "binomial",
                         .other = row->name != NULL ? coll_find(row->family, row->name) : NULL,
                         .acts = {{.kind = (uint8_t)coll_families[row->family].kind,
                                   .peer = coll_families[row->family].has_root ? 0 : -1,
                                   .bytes = bytes,
                                   .blocks = p,
                                   .scope = 1}}};
    *failures += run_plan(&plan, "quiet", &traffic, &stats, &error) != 0;
    plan = (struct plan){.n_ranks = 0};
    return stats.end_ps;
}

static int check_combining(const void *argument)
{
    int failures = 0;
    (void)argument;
    for (size_t r = 0; r < sizeof combinings / sizeof combinings[0]; r++)
        for (int n = 0; n < N_RANK_COUNTS; n++) {
            const struct combining *row = &combinings[r];
            int p = rank_counts[n];
            int64_t bytes = row->family == COLL_BARRIER ? 0 : 64 * p,
                    expected_ps = row->parts == NULL ? 0 : row->parts(p) * 64 * US;
            int64_t found_ps = combining_ps(row, p, bytes, &failures);
            if (expected_ps >= 0 && llabs(found_ps - expected_ps) > US) {
                fprintf(stderr, "%s of %d ranks: %" PRId64 " ps, expected %" PRId64 "\n", row->name, p, found_ps,
                        expected_ps);
                failures++;
            }
        }
    return failures;
}

static void test_combining(void)
{
    static const struct wire_row fast = {1e15, 0};
    CU_ASSERT_EQUAL(
        on_platform(star_platform("<prop id='combine.1' value='byte=1us'/>", MAX_MEMBERS, fast), check_combining, NULL),
        0);
}

/* Costs of exchanges, of a rank's own block and of calling a broadcast, as a platform gives them, each 1 us: if
 * messages take nearly nothing, a collective of two ranks or of four takes so many of them one after another. */
static const struct addition {
    const char *props;
    enum coll_family family;
    const char *name;
    int us_of_2, us_of_4;
} additions[] = {
    {"<prop id='message.1' value='start=0us'/><prop id='exchange.1' value='start=1us'/>", COLL_ALLREDUCE,
     "recursive_doubling", 1, 2},
    {"<prop id='message.1' value='start=0us'/><prop id='exchange.1' value='start=1us'/>", COLL_ALLTOALL, "pairwise", 1,
     3},
    {"<prop id='message.1' value='start=0us'/><prop id='exchange.1' value='start=1us'/>", COLL_ALLTOALL, "linear", 1,
     1},
    {"<prop id='message.1' value='start=0us'/><prop id='exchange.1' value='start=1us'/>"
     "<prop id='eager_limit' value='0B'/>",
     COLL_ALLTOALL, "pairwise", 1, 3}, /* the data of a rendezvous */
    {"<prop id='message.1' value='start=0us'/><prop id='exchange.1' value='start=1us'/>"
     "<prop id='eager_limit' value='0B'/>",
     COLL_ALLREDUCE, "recursive_doubling", 1, 2},
    {"<prop id='message.1' value='start=0us'/><prop id='exchange.1' value='start=1us'/>", COLL_REDUCE, "binomial", 0,
     0},
    {"<prop id='copy.1' value='start=1us'/>", COLL_ALLTOALL, "pairwise", 1, 1},
    {"<prop id='copy.1' value='start=1us'/>", COLL_ALLGATHER, "ring", 1, 1},
    {"<prop id='copy.1' value='start=1us'/>", COLL_ALLREDUCE, "ring", 0, 0},
    {"<prop id='broadcast_call' value='1us'/>", COLL_BROADCAST, NULL, 1, 1},
    {"<prop id='allreduce_call' value='1us'/>", COLL_ALLREDUCE, "ring", 1, 1},
    {"<prop id='broadcast_call' value='1us'/>", COLL_ALLGATHER, "ring", 0, 0},
};

static int check_addition(const void *argument)
{
    const struct addition *row = argument;
    const struct combining collective = {row->family, row->name, NULL};
    int failures = 0;
    for (int p = 2; p <= 4; p += 2) {
        int64_t expected_ps = (p == 2 ? row->us_of_2 : row->us_of_4) * US;
        int64_t found_ps = combining_ps(&collective, p, 64 * p, &failures);
        if (llabs(found_ps - expected_ps) > US / 100) {
            fprintf(stderr, "%s, %s of %d ranks: %" PRId64 " ps, expected %" PRId64 "\n", row->props,
                    coll_families[row->family].name, p, found_ps, expected_ps);
            failures++;
        }
    }
    return failures;
}

static void test_additions(void)
{
    static const struct wire_row fast = {1e15, 0};
    for (size_t r = 0; r < sizeof additions / sizeof additions[0]; r++)
        CU_ASSERT_EQUAL(
            on_platform(star_platform(additions[r].props, MAX_MEMBERS, fast), check_addition, &additions[r]), 0);
}

/* --- groups --- */

static uint64_t random_state;

static int random_below(int bound)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((random_state >> 33) % (uint64_t)bound);
}

/* Some ranks, in any order. */
static void make_group(struct plan *to, int group, const int *ranks, int n)
{
    int *members = to->members[group];
    memcpy(members, ranks, (size_t)n * sizeof *members);
    for (int i = n - 1; i > 0; i--) {
        int j = random_below(i + 1), held = members[i];
        members[i] = members[j];
        members[j] = held;
    }
    to->groups[group] = (struct record_group){n, members};
}

static struct op *add_act(struct plan *to, const struct row *row, int group, int64_t bytes)
{
    int n = group == 0 ? to->n_ranks : to->groups[group].n_members, root = random_below(n);
    bytes = row->kind == OP_BARRIER ? bytes % 9 : bytes; /* its sends must not be rendezvous */
    struct op *op = &to->acts[to->n_acts++];
    *op = (struct op){.kind = (uint8_t)row->kind, .peer = -1, .bytes = bytes, .blocks = n, .scope = 1};
    if (row->has_root)
        op->peer = group == 0 ? root : to->members[group][root];
    op->group = group;
    return op;
}

/* Messages that the act has to send, by the algorithm among the ranks of its group. */
static void expect_traffic(const struct plan *of, const struct op *act, struct traffic *expected)
{
    const struct coll_options options = {.broadcast = broadcast_named(of->broadcast), .segment_bytes = 512};
    int n = act->group == 0 ? of->n_ranks : of->groups[act->group].n_members, root = 0;
    for (int m = 0; m < n; m++)
        if ((act->group == 0 ? m : of->members[act->group][m]) == act->peer)
            root = m;
    const struct coll_call call = {
        .options = &options, .n_ranks = n, .root = root, .bytes = act->bytes, .blocks = act->blocks};
    for (int m = 0; m < n; m++) {
        struct op op = {0};
        for (int64_t i = 0; coll_of(&options, act)->next(&call, m, i, &op); i++) {
            int here = act->group == 0 ? m : of->members[act->group][m];
            int there = act->group == 0 ? op.peer : of->members[act->group][op.peer];
            if (op.kind == OP_WAIT || op.kind == OP_RECV || op.kind == OP_IRECV)
                continue;
            expected->messages[here][there]++;
            expected->bytes[here][there] += op.bytes;
        }
    }
}

static int compare_traffic(const char *network, const struct traffic *expected)
{
    for (int a = 0; a < plan.n_ranks; a++)
        for (int b = 0; b < plan.n_ranks; b++)
            if (traffic.messages[a][b] != expected->messages[a][b] || traffic.bytes[a][b] != expected->bytes[a][b] ||
                traffic.received[a][b] != expected->messages[a][b] ||
                traffic.received_bytes[a][b] != expected->bytes[a][b]) {
                fprintf(stderr,
                        "%s: from %d to %d: %" PRId64 " messages, %" PRId64 " bytes, expected %" PRId64 " and %" PRId64
                        "\n",
                        network, a, b, traffic.messages[a][b], traffic.bytes[a][b], expected->messages[a][b],
                        expected->bytes[a][b]);
                return 1;
            }
    return 0;
}

static void make_groups(int n_ranks)
{
    plan = (struct plan){.n_ranks = n_ranks, .n_groups = 2 + random_below(MAX_GROUPS - 1), .broadcast = "binomial"};
    for (int g = 1; g < plan.n_groups; g++) {
        int ranks[MAX_MEMBERS], n = 0;
        for (int r = 0; r < n_ranks; r++)
            if (random_below(2) == 0)
                ranks[n++] = r;
        if (n == 0)
            ranks[n++] = random_below(n_ranks);
        make_group(&plan, g, ranks, n);
    }
}

/* Collectives of groups that overlap, with messages between them, under any tag. */
static int check_random_groups(const void *argument)
{
    static const char *const networks[] = {"quiet", "fifo", "fluid"};
    static const char *const broadcasts[] = {"flat", "binomial", "chain", "chain_segmented"};
    static struct traffic expected;
    int failures = 0;
    (void)argument;
    for (int i = 0; i < 40; i++) {
        random_state = (uint64_t)i;
        make_groups(2 + random_below(15));
        plan.broadcast = broadcasts[i % 4];
        memset(&expected, 0, sizeof expected);
        while (plan.n_acts < 40) {
            if (random_below(4) > 0) {
                const struct op *act = add_act(&plan, &rows[random_below(N_ROWS)], random_below(plan.n_groups),
                                               random_below(3) == 0 ? 4000 : random_below(4000));
                expect_traffic(&plan, act, &expected);
                continue;
            }
            int first = random_below(plan.n_ranks), at = plan.n_acts++;
            int second = (first + 1 + random_below(plan.n_ranks - 1)) % plan.n_ranks;
            plan.first[at] = first;
            plan.second[at] = second;
            plan.acts[at] = (struct op){.kind = OP_SEND, .bytes = random_below(4000), .tag = random_below(5) - 2};
            expected.messages[first][second]++;
            expected.bytes[first][second] += plan.acts[at].bytes;
        }
        for (int n = 0; n < 3; n++) {
            struct kernel_stats stats = {0};
            struct sim_error error = {.message = ""};
            bool good = run_plan(&plan, networks[n], &traffic, &stats, &error) == 0;
            if (!good || compare_traffic(networks[n], &expected) != 0) {
                fprintf(stderr, "program %d, %s: %s\n", i, networks[n], error.message);
                failures++;
            }
        }
    }
    return failures;
}

static void test_random_groups(void)
{
    static const char *const props[] = {
        "", "<prop id='send_completes' value='buffered'/><prop id='eager_limit' value='1KiB'/>"
            "<prop id='receive_overhead' value='start=5us byte=1ns'/>"};
    for (int s = 0; s < 2; s++)
        CU_ASSERT_EQUAL(on_platform(star_platform(props[s], 16, wire), check_random_groups, NULL), 0);
}

/* Groups that share no rank do not disturb each other: each takes its own time, and the longest is that of all. */
static int check_disjoint(const void *argument)
{
    int failures = 0;
    (void)argument;
    for (int i = 0; i < 60; i++) {
        int64_t longest = 0, messages = 0, n_ranks = 16;
        random_state = (uint64_t)i;
        plan = (struct plan){.n_ranks = 16, .n_groups = 1, .broadcast = "binomial"};
        for (int at = 0, n; at < n_ranks; at += n) {
            int ranks[MAX_MEMBERS], g = plan.n_groups;
            const struct row *row = &rows[1 + random_below(N_ROWS - 1)];
            n = g == MAX_GROUPS - 1 ? 16 - at : 1 + random_below(16 - at);
            for (int m = 0; m < n; m++)
                ranks[m] = (at + m) * 7 % 16;
            make_group(&plan, plan.n_groups++, ranks, n);
            row = row->kind == OP_BROADCAST ? &rows[1] : row;
            const struct op *act = add_act(&plan, row, g, random_below(100000));
            longest = max64(longest, row->rounds(n) * message_ps(act->bytes));
            messages += row->messages(n);
        }
        struct kernel_stats stats = {0};
        struct sim_error error = {.message = ""};
        int status = run_plan(&plan, "quiet", &traffic, &stats, &error);
        if (status == 0 && stats.messages == messages && stats.end_ps == longest)
            continue;
        fprintf(stderr,
                "program %d, %d groups: %s, %" PRId64 " messages, %" PRId64 " ps, expected %" PRId64 " and %" PRId64
                "\n",
                i, plan.n_groups, error.message, stats.messages, stats.end_ps, messages, longest);
        failures++;
    }
    return failures;
}

static void test_disjoint_groups(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform("", 16, wire), check_disjoint, NULL), 0);
}

/* Rank 0 broadcasts in one group and then in the other, or sends; rank 1 asks for the second first. */
static int check_apart(const void *argument)
{
    static const int ranks[] = {0, 1, 2}, two[] = {1, 0};
    int failures = 0;
    (void)argument;
    for (int message = 0; message <= 1; message++) {
        struct kernel_stats stats = {0};
        struct sim_error error = {.message = ""};
        plan = (struct plan){.n_ranks = 3, .n_groups = 3, .n_acts = 2, .late_first = true, .broadcast = "flat"};
        make_group(&plan, 1, ranks, 3);
        make_group(&plan, 2, two, 2);
        plan.acts[0] = (struct op){.kind = OP_BROADCAST, .bytes = 1000, .group = 1};
        plan.acts[1] = (struct op){.kind = OP_BROADCAST, .bytes = 10, .group = 2};
        if (message) {
            plan.acts[1] = (struct op){.kind = OP_SEND, .bytes = 10, .tag = -1};
            plan.second[1] = 1;
        }
        int status = run_plan(&plan, "fifo", &traffic, &stats, &error);
        if (status == 0 && strcmp(traffic.rank_1, "10 1000") == 0)
            continue;
        fprintf(stderr, "%s; rank 1 is given %s bytes\n", error.message, traffic.rank_1);
        failures++;
    }
    return failures;
}

static void test_apart(void)
{
    CU_ASSERT_EQUAL(
        on_platform(star_platform("<prop id='send_completes' value='buffered'/>", 16, wire), check_apart, NULL), 0);
}

/* --- what is wrong with groups --- */

static const struct fault {
    int n_groups, n_members, members[3]; /* of group 1 */
    int group, root;
    const char *message;
} faults[] = {
    {2, 2, {0, 1, 0}, 2, 0, "rank 0 calls a collective of group 2; there are groups 0 to 1"},
    {0, 2, {0, 1, 0}, 1, 0, "rank 0 calls a collective of group 1; there are groups 0 to 0"},
    {2, 2, {0, 1, 0}, -1, 0, "rank 0 calls a collective of group -1"},
    {2, 2, {3, 1, 0}, 1, 1, "rank 0 calls a collective of group 1, but is not a member of it"},
    {2, 2, {2, 0, 0}, 1, 1, "rank 0 calls a collective of group 1 with root 1, which is not a member"},
    {2, 2, {2, 0, 0}, 1, 4, "rank 0 calls a collective of group 1 with root 4, which is not a member"},
    {2, 2, {2, 0, 0}, 0, 4, "rank 0 calls a collective of group 0 with root 4, which is not a member"},
    {2, 2, {2, 0, 0}, 0, -1, "rank 0 calls a collective of group 0 with root -1, which is not a member"},
    {2, 3, {2, 0, 2}, 0, 0, "group 1 has twice rank 2 as a member; allowed: each of 0 to 3 once"},
    {2, 3, {2, 0, 4}, 0, 0, "group 1 has rank 4 as a member; allowed: each of 0 to 3 once"},
    {2, 3, {2, -1, 1}, 0, 0, "group 1 has rank -1 as a member; allowed: each of 0 to 3 once"},
    {2, 0, {0, 0, 0}, 0, 0, "group 1 has no members"},
};

static bool fault_emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    const struct plan *of = config;
    if (step > 0)
        return false;
    (void)rank;
    *op_list_add(list, OP_BROADCAST, 1) = of->acts[0];
    return true;
}

static int check_faults(const void *argument)
{
    static const struct app_spec app = {
        .name = "fault", .scopes = script_scopes, .kernels = no_kernels, .emit = fault_emit};
    int failures = 0;
    (void)argument;
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        struct kernel_stats stats = {0};
        struct sim_error error = {.message = ""};
        plan = (struct plan){.n_ranks = 4};
        memcpy(plan.members[1], faults[f].members, sizeof faults[f].members);
        plan.groups[1] = (struct record_group){faults[f].n_members, plan.members[1]};
        plan.acts[0] = (struct op){.kind = OP_BROADCAST, .bytes = 1000, .peer = faults[f].root};
        plan.acts[0].group = faults[f].group;
        struct program program = {.app = &app,
                                  .config = &plan,
                                  .collectives = {.broadcast = broadcast_named("flat")},
                                  .groups = plan.groups,
                                  .n_groups = faults[f].n_groups};
        struct placement placement;
        struct placement_request request = {.n_ranks = 4, .ranks_per_host = 1};
        failures += placement_init(&placement, &request, &machine, &error) != 0;
        const struct kernel_run run = {.program = &program,
                                       .machine = &machine,
                                       .placement = &placement,
                                       .network = network_named("quiet"),
                                       .sinks = NULL,
                                       .n_sinks = 0};
        if (kernel_run(&stats, &run, &error) == -1 && error.status == SIM_BAD_INPUT &&
            strstr(error.message, faults[f].message) != NULL)
            continue;
        fprintf(stderr, "'%s' lacks '%s'\n", error.message, faults[f].message);
        failures++;
    }
    return failures;
}

static void test_faults(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform("", 16, wire), check_faults, NULL), 0);
}

/* A broadcast that asks where ranks sit is right for all of them only. */
static void test_algorithms(void)
{
    const struct coll_options mesh = {.broadcast = broadcast_named("neighbour")},
                              chain = {.broadcast = broadcast_named("chain")},
                              chosen = {.broadcast = &coll_auto_broadcast};
    CU_ASSERT_PTR_EQUAL(coll_of(&mesh, &(struct op){.kind = OP_BROADCAST}), mesh.broadcast);
    CU_ASSERT_PTR_EQUAL(coll_of(&chosen, &(struct op){.kind = OP_BROADCAST}), &coll_auto_broadcast);
    CU_ASSERT_PTR_EQUAL(coll_of(&chosen, &(struct op){.kind = OP_BROADCAST, .mode = COLL_BEGUN}),
                        broadcast_named("binomial"));
    CU_ASSERT_PTR_EQUAL(coll_of(&mesh, &(struct op){.kind = OP_BROADCAST, .mode = COLL_BEGUN}), mesh.broadcast);
    CU_ASSERT_PTR_EQUAL(coll_of(&mesh, &(struct op){.kind = OP_BROADCAST, .group = 1}), broadcast_named("binomial"));
    CU_ASSERT_PTR_EQUAL(coll_of(&chain, &(struct op){.kind = OP_BROADCAST, .group = 1}), chain.broadcast);
    for (int r = 3; r < N_ROWS; r++) {
        const struct coll_spec *spec = coll_of(&mesh, &(struct op){.kind = (uint8_t)rows[r].kind, .group = 1});
        CU_ASSERT_PTR_EQUAL(spec, coll_families[coll_family_of(rows[r].kind)].specs[0]);
        CU_ASSERT_EQUAL(coll_families[coll_family_of(rows[r].kind)].has_root, rows[r].has_root);
        CU_ASSERT_FALSE(spec->asks_placement);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"which algorithm", test_algorithms},
        {"what arrives", test_content},
        {"closed forms", test_closed_forms},
        {"combining", test_combining},
        {"exchanges, own blocks and calls of broadcasts cost what the platform says", test_additions},
        {"groups at random", test_random_groups},
        {"groups at once", test_disjoint_groups},
        {"messages of groups are kept apart", test_apart},
        {"wrong groups", test_faults},
        {NULL, NULL},
    };
    return testing_run("collectives", tests);
}
