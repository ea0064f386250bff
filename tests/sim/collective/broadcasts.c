/* Collectives, run by a small interpreter without a clock: what is sent, in which order, and that it all arrives, on
 * every mesh and with every option. Broadcasts here are those in which every rank gets the message once, from its
 * beginning to its end; collectives.c has all of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 128, MAX_COMPLAINTS = 20, MARK = 99 };

/* --- rows and complaints --- */

/* The case that runs, for the messages. */
static struct {
    const char *coll, *mesh;
    const struct coll_call *call;
} row;

static int complaints;

static void complain(const char *what, int64_t found, int64_t expected)
{
    if (complaints++ >= MAX_COMPLAINTS)
        return;
    const struct placement *placement = row.call->placement;
    fprintf(stderr,
            "\n  %s: %d ranks, root %d, %d to a host, mesh %s (%dx%d), %s, %s, %" PRId64
            " bytes in segments of %" PRId64 ", %" PRId64 " blocks: %s: %" PRId64 " instead of %" PRId64,
            row.coll, row.call->n_ranks, row.call->root, placement->ranks_per_host, row.mesh, placement->width,
            placement->height, layout_names[placement->layout], send_mode_names[row.call->options->mode],
            row.call->bytes, row.call->options->segment_bytes, row.call->blocks, what, found, expected);
    CU_FAIL("a collective is wrong");
}

static bool expect(const char *what, int64_t found, int64_t expected)
{
    if (found != expected)
        complain(what, found, expected);
    return found == expected;
}

/* --- the interpreter ---
 *
 * Ranks do their ops one after another. A message is passed when its send meets its receive (rendezvous), or waits in
 * the order of its sending until it is asked for (buffered). In which order the ranks are run makes no difference,
 * because a receive names its sender. */

enum rank_state { READY, AT_SEND, AT_RECV, DONE };

/* The ranks that one has heard of, itself among them: a bit for each. */
struct rank_set {
    uint64_t bits[MAX_RANKS / 64];
};

struct transfer_record {
    int from, to;
    int64_t bytes;
    int64_t round; /* when every send takes one round and a receive none */
    int64_t next;  /* buffered: the next message to the same receiver; -1: none */
    struct rank_set heard;
};

struct rank {
    enum rank_state state;
    int64_t i;     /* the number of ops begun */
    struct op op;  /* the last one begun */
    int64_t round; /* rounds until now */
    int64_t received_bytes, sent_bytes, n_received, n_sent;
    int64_t first, last; /* buffered: of the messages to this rank; -1: none */
    struct rank_set heard;
};

struct world {
    const struct coll_spec *coll;
    const struct coll_call *call;
    bool buffered;
    bool broken;
    struct rank ranks[MAX_RANKS];
    int ready[MAX_RANKS], n_ready;
    struct transfer_record *messages; /* in the order of their sending */
    int64_t n_messages, capacity;
    void (*on_send)(struct world *world, const struct transfer_record *message); /* may be NULL */
};

static struct world world; /* the messages' room is kept from run to run */

static void make_ready(struct world *w, int rank)
{
    w->ranks[rank].state = READY;
    w->ready[w->n_ready++] = rank;
}

static bool same_op(const struct op *a, const struct op *b)
{
    return a->times == b->times && a->bytes == b->bytes && a->peer == b->peer && a->tag == b->tag &&
           a->kernel == b->kernel && a->kind == b->kind && a->role == b->role && a->scope == b->scope &&
           a->mode == b->mode;
}

/* Ask for the rank's next op twice: the answers must be the same, and leave alone what is the kernel's. A receive that
 * is posted ahead is done where it is waited for, and a send that is begun where it begins; collective_play.h looks at
 * requests. */
static bool fetch(struct world *w, int rank, struct op *op)
{
    struct rank *self = &w->ranks[rank];
    bool there;
    do {
        struct op again = {.tag = MARK, .scope = MARK, .kernel = MARK, .times = MARK};
        *op = again;
        there = w->coll->next(w->call, rank, self->i, op);
        if (!expect("asked again, there is an op", w->coll->next(w->call, rank, self->i, &again), there) || !there ||
            !expect("asked again, the op is the same", same_op(op, &again), true))
            return false;
        self->i++;
    } while (op->kind == OP_IRECV || (op->kind == OP_WAIT && op->request == 0));
    if (op->kind == OP_ISEND || op->kind == OP_WAIT)
        op->kind = op->kind == OP_ISEND ? OP_SEND : OP_RECV;
    bool good =
        expect("the tag", op->tag, MARK) && expect("the scope", op->scope, MARK) &&
        expect("a send or a receive", op->kind == OP_SEND || op->kind == OP_RECV, true) &&
        expect("the peer is another rank", op->peer >= 0 && op->peer < w->call->n_ranks && op->peer != rank, true) &&
        expect("the length is no less than 0", op->bytes >= 0, true);
    w->broken = w->broken || !good;
    return good;
}

/* There is nothing after the end, however far. */
static void check_end(struct world *w, int rank, int64_t end)
{
    static const int64_t beyond[] = {1, 2, 3, 7, 63, 64, 126, 127, 128, 129, 1000, INT64_C(1) << 32, INT64_C(1) << 33};
    struct op op = {0};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        expect("an op beyond the end", w->coll->next(w->call, rank, end + beyond[i], &op), false);
    expect("an op beyond the end", w->coll->next(w->call, rank, INT64_MAX, &op), false);
}

static int64_t record(struct world *w, int from)
{
    struct rank *sender = &w->ranks[from];
    if (w->n_messages == w->capacity) {
        w->capacity = w->capacity == 0 ? 1024 : w->capacity * 2;
        w->messages = realloc(w->messages, (size_t)w->capacity * sizeof *w->messages);
        if (w->messages == NULL)
            abort();
    }
    w->messages[w->n_messages] = (struct transfer_record){.from = from,
                                                          .to = sender->op.peer,
                                                          .bytes = sender->op.bytes,
                                                          .round = ++sender->round,
                                                          .next = -1,
                                                          .heard = sender->heard};
    sender->n_sent++;
    sender->sent_bytes += sender->op.bytes;
    if (w->on_send != NULL)
        w->on_send(w, &w->messages[w->n_messages]);
    return w->n_messages++;
}

static void deliver(struct world *w, int64_t index)
{
    struct transfer_record *message = &w->messages[index];
    struct rank *receiver = &w->ranks[message->to];
    if (!expect("the length received", receiver->op.bytes, message->bytes))
        w->broken = true;
    for (int i = 0; i < MAX_RANKS / 64; i++)
        receiver->heard.bits[i] |= message->heard.bits[i];
    receiver->n_received++;
    receiver->received_bytes += message->bytes;
    if (receiver->round < message->round)
        receiver->round = message->round;
}

/* The sender goes on at once. */
static void send_buffered(struct world *w, int rank)
{
    int64_t index = record(w, rank);
    struct rank *receiver = &w->ranks[w->messages[index].to];
    if (receiver->first < 0)
        receiver->first = index;
    else
        w->messages[receiver->last].next = index;
    receiver->last = index;
    if (receiver->state == AT_RECV && receiver->op.peer == rank)
        make_ready(w, w->messages[index].to);
}

/* Take the oldest message from the peer; false when there is none yet. */
static bool recv_buffered(struct world *w, int rank)
{
    struct rank *self = &w->ranks[rank];
    int64_t before = -1, index = self->first;
    while (index >= 0 && w->messages[index].from != self->op.peer) {
        before = index;
        index = w->messages[index].next;
    }
    if (index < 0)
        return false;
    if (before < 0)
        self->first = w->messages[index].next;
    else
        w->messages[before].next = w->messages[index].next;
    if (self->last == index)
        self->last = before;
    deliver(w, index);
    return true;
}

/* Send or receive; false when the other side has not come yet. */
static bool meet(struct world *w, int rank)
{
    struct rank *self = &w->ranks[rank], *other = &w->ranks[self->op.peer];
    bool sends = self->op.kind == OP_SEND;
    if (other->state != (sends ? AT_RECV : AT_SEND) || other->op.peer != rank)
        return false;
    deliver(w, record(w, sends ? rank : self->op.peer));
    make_ready(w, self->op.peer);
    return true;
}

static bool do_op(struct world *w, int rank)
{
    struct rank *self = &w->ranks[rank];
    if (!w->buffered)
        return meet(w, rank);
    if (self->op.kind == OP_RECV)
        return recv_buffered(w, rank);
    send_buffered(w, rank);
    return true;
}

/* Run a rank until it has to wait or has done all. `retry`: it waits for its op to be done already. */
static void run_rank(struct world *w, int rank, bool retry)
{
    struct rank *self = &w->ranks[rank];
    while (!w->broken) {
        if (!retry && !fetch(w, rank, &self->op)) {
            check_end(w, rank, self->i);
            self->state = DONE;
            return;
        }
        retry = false;
        if (!do_op(w, rank)) {
            self->state = self->op.kind == OP_SEND ? AT_SEND : AT_RECV;
            return;
        }
    }
}

/* Run the collective to its end; false, with a complaint, when a rank still waits or a message is left. */
static bool run(const struct coll_spec *coll, const struct coll_call *call, bool buffered,
                void (*on_send)(struct world *w, const struct transfer_record *message))
{
    struct world *w = &world;
    w->coll = coll;
    w->call = call;
    w->buffered = buffered;
    w->on_send = on_send;
    w->broken = false;
    w->n_messages = w->n_ready = 0;
    row.coll = coll->name;
    row.call = call;
    memset(w->ranks, 0, (size_t)call->n_ranks * sizeof *w->ranks);
    for (int rank = call->n_ranks - 1; rank >= 0; rank--) {
        w->ranks[rank].first = w->ranks[rank].last = -1;
        w->ranks[rank].heard.bits[rank / 64] |= UINT64_C(1) << rank % 64;
        make_ready(w, rank);
    }
    while (w->n_ready > 0 && !w->broken) {
        int rank = w->ready[--w->n_ready];
        run_rank(w, rank, buffered && w->ranks[rank].i > 0);
    }
    for (int rank = 0; rank < call->n_ranks && !w->broken; rank++)
        if (!expect("a rank has done all", w->ranks[rank].state, DONE) ||
            !expect("a message nobody takes", w->ranks[rank].first, -1))
            w->broken = true;
    return !w->broken;
}

/* --- machines and placements --- */

static const struct machine machine_wide = {
    .name = (char[]){"wide"},
    .net = &(struct interconnect){.n_hosts = 128, .mesh_width = 16, .mesh_height = 8, .mesh_pitch = 16}};
static const struct machine machine_row = {
    .name = (char[]){"row"},
    .net = &(struct interconnect){.n_hosts = 128, .mesh_width = 128, .mesh_height = 1, .mesh_pitch = 128}};
static const struct machine machine_column = {
    .name = (char[]){"column"},
    .net = &(struct interconnect){.n_hosts = 128, .mesh_width = 1, .mesh_height = 128, .mesh_pitch = 1}};
static const struct machine machine_odd = {
    .name = (char[]){"odd"},
    .net = &(struct interconnect){.n_hosts = 129, .mesh_width = 3, .mesh_height = 43, .mesh_pitch = 3}};
static const struct machine machine_cluster = {.name = (char[]){"cluster"},
                                               .net = &(struct interconnect){.n_hosts = 128}};

/* Width and height 0: near-square. Ranks that do not fit are left out. */
static const struct mesh {
    const char *name;
    const struct machine *machine;
    int width, height;
} meshes[] = {
    {"near-square", &machine_wide, 0, 0},    {"5x3 of 16x8", &machine_wide, 5, 3},
    {"4x4 of 16x8", &machine_wide, 4, 4},    {"16x8", &machine_wide, 16, 8},
    {"one row, full", &machine_row, 0, 0},   {"one row, not full", &machine_row, 128, 1},
    {"one column", &machine_column, 1, 128}, {"3x43", &machine_odd, 3, 43},
    {"no mesh", &machine_cluster, 0, 0},
};
enum { N_MESHES = sizeof meshes / sizeof *meshes, PLAIN_MESH = 0 };

static bool place(struct placement *placement, const struct mesh *mesh, int n_ranks, int per_host, enum layout layout)
{
    int slots = (n_ranks + per_host - 1) / per_host;
    if (mesh->width > 0 && mesh->width * mesh->height < slots)
        return false;
    struct placement_request request = {.n_ranks = n_ranks,
                                        .ranks_per_host = per_host,
                                        .width = mesh->width,
                                        .height = mesh->height,
                                        .layout = layout,
                                        .root = ROOT_CENTRE};
    struct sim_error error = {0};
    if (placement_init(placement, &request, mesh->machine, &error) == 0)
        return true;
    fprintf(stderr, "\n  %s: %s", mesh->name, error.message);
    CU_FAIL("the ranks were not placed");
    return false;
}

/* --- every broadcast --- */

/* A rank must have the data that it sends on: its messages to each receiver are the message from its beginning. */
static void check_held(struct world *w, const struct transfer_record *message)
{
    const struct coll_call *call = w->call;
    const struct rank *sender = &w->ranks[message->from], *receiver = &w->ranks[message->to];
    if (message->from == call->root)
        return;
    expect("the sender has something", sender->n_received > 0, true);
    expect("the sender has what it sends", receiver->received_bytes + message->bytes <= sender->received_bytes, true);
}

static int64_t n_pieces(const struct coll_spec *coll, const struct coll_call *call)
{
    int64_t segment = call->options->segment_bytes;
    if (strstr(coll->name, "_segmented") == NULL || call->bytes == 0)
        return 1;
    return call->bytes / segment + (call->bytes % segment != 0);
}

static void check_received(const struct coll_spec *coll, const struct coll_call *call)
{
    int64_t pieces = n_pieces(coll, call);
    expect("messages in all", world.n_messages, (call->n_ranks - 1) * pieces);
    for (int rank = 0; rank < call->n_ranks; rank++) {
        const struct rank *self = &world.ranks[rank];
        expect("bytes that a rank receives", self->received_bytes, rank == call->root ? 0 : call->bytes);
        expect("messages that a rank receives", self->n_received, rank == call->root ? 0 : pieces);
    }
    for (int64_t m = 0; m < world.n_messages; m++)
        expect("length of a piece", world.messages[m].bytes <= call->options->segment_bytes || pieces == 1, true);
}

static int ceil_log2(int n)
{
    int k = 0;
    while (1 << k < n)
        k++;
    return k;
}

/* How long it takes when every send takes one round and who has received may send in the next. */
static void check_rounds(const struct coll_spec *coll, const struct coll_call *call)
{
    const struct {
        const char *name;
        int64_t rounds;
    } rows[] = {{"binomial", ceil_log2(call->n_ranks)},
                {"flat", call->n_ranks - 1},
                {"chain", call->n_ranks - 1},
                {"chain_segmented", call->n_ranks == 1   ? 0
                                    : call->n_ranks == 2 ? n_pieces(coll, call)
                                                         : call->n_ranks - 2 + n_pieces(coll, call)}};
    int64_t last = 0;
    for (int rank = 0; rank < call->n_ranks; rank++)
        last = world.ranks[rank].round > last ? world.ranks[rank].round : last;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, coll->name) == 0)
            expect("rounds", last, rows[i].rounds);
}

/* Messages go to neighboring nodes or stay on one, a node's column is served before its row, and no node is reached by
 * a detour of more than the two steps that a last row which is not full costs. */
static void check_mesh(const struct coll_call *call)
{
    const struct placement *placement = call->placement;
    int away[MAX_RANKS] = {0}, sideways[MAX_RANKS] = {0}, in[MAX_RANKS] = {0}, path[MAX_RANKS] = {0};
    int root_x, root_y;
    placement_node(placement, call->root / placement->ranks_per_host, &root_x, &root_y);
    for (int64_t m = 0; m < world.n_messages; m++) {
        int from = world.messages[m].from / placement->ranks_per_host,
            to = world.messages[m].to / placement->ranks_per_host;
        int from_x, from_y, to_x, to_y;
        if (from == to)
            continue;
        placement_node(placement, from, &from_x, &from_y);
        placement_node(placement, to, &to_x, &to_y);
        expect("hops of a message", abs(to_x - from_x) + abs(to_y - from_y), 1);
        expect("a node's column comes before its row", from_x == to_x && sideways[from] > 0, false);
        away[from]++;
        sideways[from] += from_y == to_y;
        in[to]++;
        path[to] = path[from] + 1;
        int shortest = abs(to_x - root_x) + abs(to_y - root_y);
        bool full = (root_y + 1) * placement->width <= placement->n_slots || root_y == 0;
        expect("a detour", path[to] == shortest || (!full && path[to] == shortest + 2), true);
    }
    for (int slot = 0; slot < placement->n_slots; slot++) {
        expect("more than 4 messages from a node", away[slot] > 4, false);
        expect("messages to a node", in[slot], slot == call->root / placement->ranks_per_host ? 0 : 1);
    }
}

static void check_modes(const struct coll_spec *coll, const struct coll_call *call, enum send_mode mode)
{
    struct op op = {0};
    for (int rank = 0; rank < call->n_ranks; rank++)
        for (int64_t i = 0; i < 20 && coll->next(call, rank, i, &op); i++)
            if (op.kind == OP_SEND)
                expect("the send mode", op.mode, (int64_t)mode);
}

/* Standard sends run ahead of their receivers, synchronous ones wait for them. */
static void run_broadcast(const struct coll_spec *coll, const struct coll_call *call)
{
    if (!run(coll, call, call->options->mode == SEND_STANDARD, check_held))
        return;
    check_modes(coll, call, call->options->mode);
    check_received(coll, call);
    check_rounds(coll, call);
    if (coll->asks_placement)
        check_mesh(call);
}

static const int64_t segments[] = {1, 100, 512, 5000};
static const int64_t lengths[] = {0, 1, 2056};

/* All lengths, segments and modes. Chains of single bytes are long, so they run on one of the meshes only. */
static void run_options(const struct coll_spec *coll, struct coll_call call, bool plain)
{
    for (size_t s = 0; s < sizeof segments / sizeof *segments; s++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (int mode = SEND_STANDARD; mode <= SEND_SYNCHRONOUS; mode++) {
                const struct coll_options options = {
                    .broadcast = coll, .segment_bytes = segments[s], .mode = (enum send_mode)mode};
                call.options = &options;
                call.bytes = lengths[l];
                bool is_long = n_pieces(coll, &call) * call.n_ranks > 2000;
                if (!is_long || plain)
                    run_broadcast(coll, &call);
            }
}

/* All roots of a few ranks; of many the first, the middle, the last, and the one that does I/O. */
static void run_roots(const struct coll_spec *coll, const struct placement *placement, bool plain)
{
    int p = placement->n_ranks;
    for (int root = 0; root < p; root++) {
        if (p > 13 && root != 0 && root != p / 2 && root != p - 1 && root != placement->root)
            continue;
        run_options(coll, (struct coll_call){.placement = placement, .n_ranks = p, .root = root},
                    plain && (p <= 13 || root == p / 2));
    }
}

static const int rank_counts[] = {1, 2, 3, 7, 8, 13, 64, 128};
enum { N_RANK_COUNTS = sizeof rank_counts / sizeof *rank_counts };

static void run_meshes(const struct coll_spec *coll, int n_ranks, int per_host)
{
    for (int m = 0; m < N_MESHES; m++)
        for (int layout = LAYOUT_SNAKE; layout <= LAYOUT_ROW_MAJOR; layout++) {
            struct placement placement;
            bool has_mesh = meshes[m].machine->net->mesh_width > 0;
            if ((coll->asks_placement && !has_mesh) || (!coll->asks_placement && m != PLAIN_MESH && has_mesh) ||
                !place(&placement, &meshes[m], n_ranks, per_host, (enum layout)layout))
                continue;
            row.mesh = meshes[m].name;
            run_roots(coll, &placement, m == PLAIN_MESH && per_host == 1 && layout == LAYOUT_SNAKE);
        }
}

static bool is_plain(const struct coll_spec *coll)
{
    static const char *const others[] = {"split_binary", "scatter_ring", "scatter_doubling", "own", "fastest"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], coll->name) == 0)
            return false;
    return true;
}

static void test_broadcasts(void)
{
    int number = 0;
    for (int b = 0; coll_broadcasts[b] != NULL; b++)
        for (int n = 0; n < N_RANK_COUNTS; n++)
            for (int per_host = 1; per_host <= 3 && is_plain(coll_broadcasts[b]); per_host += 2)
                if (number++ % testing_one_in() == 0)
                    run_meshes(coll_broadcasts[b], rank_counts[n], per_host);
    CU_PASS("all broadcasts have run");
}

/* --- lists of messages, exactly --- */

static const struct coll_spec *broadcast_named(const char *name)
{
    for (int b = 0; coll_broadcasts[b] != NULL; b++)
        if (strcmp(coll_broadcasts[b]->name, name) == 0)
            return coll_broadcasts[b];
    CU_FAIL_FATAL("no such broadcast");
    return NULL;
}

/* The ops of a rank: "<2 >3 >4" receives from 2, then sends to 3 and to 4. */
static void write_ops(char *text, size_t size, const struct coll_spec *coll, const struct coll_call *call, int rank)
{
    struct op op = {0};
    size_t used = 0;
    text[0] = '\0';
    for (int64_t i = 0; used < size && coll->next(call, rank, i, &op); i++)
        used += (size_t)snprintf(text + used, size - used, "%s%c%d", i > 0 ? " " : "", op.kind == OP_SEND ? '>' : '<',
                                 op.peer);
}

static void expect_ops(const struct coll_spec *coll, const struct coll_call *call, int rank, const char *expected)
{
    char text[512];
    write_ops(text, sizeof text, coll, call, rank);
    if (strcmp(text, expected) != 0) {
        fprintf(stderr, "\n  %s, %d ranks, root %d: rank %d does \"%s\" instead of \"%s\"", coll->name, call->n_ranks,
                call->root, rank, text, expected);
        CU_FAIL("the ops differ");
    }
}

static const struct {
    enum flat_order order;
    int ranks, root;
    const char *ops;
} flat_rows[] = {
    {ORDER_RANK, 5, 2, ">0 >1 >3 >4"},
    {ORDER_REVERSE, 5, 2, ">4 >3 >1 >0"},
    {ORDER_UPWARD, 5, 2, ">3 >4 >0 >1"},
    {ORDER_DOWNWARD, 5, 2, ">1 >0 >4 >3"},
    {ORDER_RANK, 4, 0, ">1 >2 >3"},
    {ORDER_REVERSE, 4, 0, ">3 >2 >1"},
    {ORDER_UPWARD, 4, 0, ">1 >2 >3"},
    {ORDER_DOWNWARD, 4, 0, ">3 >2 >1"},
    {ORDER_RANK, 4, 3, ">0 >1 >2"},
    {ORDER_REVERSE, 4, 3, ">2 >1 >0"},
    {ORDER_UPWARD, 4, 3, ">0 >1 >2"},
    {ORDER_DOWNWARD, 4, 3, ">2 >1 >0"},
    {ORDER_RANK, 1, 0, ""},
    {ORDER_REVERSE, 1, 0, ""},
    {ORDER_UPWARD, 2, 1, ">0"},
    {ORDER_DOWNWARD, 2, 1, ">0"},
};

static void test_flat_orders(void)
{
    const struct coll_spec *flat = broadcast_named("flat");
    for (size_t i = 0; i < sizeof flat_rows / sizeof *flat_rows; i++) {
        const struct coll_options options = {.order = flat_rows[i].order};
        struct placement placement;
        CU_ASSERT_FATAL(place(&placement, &meshes[PLAIN_MESH], flat_rows[i].ranks, 1, LAYOUT_SNAKE));
        const struct coll_call call = {.placement = &placement,
                                       .options = &options,
                                       .n_ranks = flat_rows[i].ranks,
                                       .root = flat_rows[i].root,
                                       .bytes = 8};
        expect_ops(flat, &call, flat_rows[i].root, flat_rows[i].ops);
        row.mesh = meshes[PLAIN_MESH].name;
        run_broadcast(flat, &call);
    }
    CU_PASS("all orders have run");
}

/* Row-major ranks on a mesh, per_host to a node. In 5x3 with 13 ranks the last row holds 10, 11 and 12. */
static const struct {
    const char *coll;
    int ranks, per_host, width, height, root, rank;
    const char *ops;
} op_rows[] = {
    {"binomial", 8, 1, 4, 2, 0, 0, ">4 >2 >1"},
    {"binomial", 8, 1, 4, 2, 0, 4, "<0 >6 >5"},
    {"binomial", 8, 1, 4, 2, 0, 7, "<6"},
    {"binomial", 7, 1, 4, 2, 5, 5, ">2 >0 >6"},
    {"binomial", 7, 1, 4, 2, 5, 2, "<5 >4 >3"},
    {"binomial", 7, 1, 4, 2, 5, 0, "<5 >1"},
    {"chain", 5, 1, 4, 2, 3, 3, ">4"},
    {"chain", 5, 1, 4, 2, 3, 4, "<3 >0"},
    {"chain", 5, 1, 4, 2, 3, 2, "<1"},
    {"neighbour", 13, 1, 5, 3, 7, 7, ">12 >2 >8 >6"},
    {"neighbour", 13, 1, 5, 3, 7, 6, "<7 >11 >1 >5"},
    {"neighbour", 13, 1, 5, 3, 7, 9, "<8 >4"},
    {"neighbour", 13, 1, 5, 3, 7, 12, "<7"},
    {"neighbour", 13, 1, 5, 3, 2, 2, ">7 >3 >1"},
    {"neighbour", 13, 1, 5, 3, 2, 7, "<2 >12"},
    {"neighbour", 13, 1, 5, 3, 12, 12, ">7"},
    {"neighbour", 13, 1, 5, 3, 12, 7, "<12 >2 >8 >6"},
    {"neighbour", 13, 1, 5, 3, 12, 6, "<7 >11 >1 >5"},
    {"neighbour", 13, 1, 5, 3, 12, 11, "<6"},
    {"neighbour", 7, 3, 2, 2, 4, 4, ">0 >3 >5"},
    {"neighbour", 7, 3, 2, 2, 4, 0, "<4 >6 >1 >2"},
    {"neighbour", 7, 3, 2, 2, 4, 3, "<4"},
    {"neighbour", 7, 3, 2, 2, 4, 6, "<0"},
    {"neighbour", 3, 3, 1, 1, 1, 1, ">0 >2"},
    {"neighbour", 1, 1, 1, 1, 0, 0, ""},
};

/* The farthest first, of a digit from the nearest on. */
static void test_knomial_order(void)
{
    static const int receivers[] = {9, 18, 3, 6, 1, 2};
    enum { N_RECEIVERS = sizeof receivers / sizeof receivers[0] };
    const struct coll_options options = {.radix = 3};
    const struct coll_call call = {.options = &options, .n_ranks = 27, .bytes = 100};
    const struct coll_spec *coll = coll_find(COLL_BROADCAST, "knomial");
    struct op op = {.kind = OP_WAIT};
    for (int i = 0; i < N_RECEIVERS; i++)
        CU_ASSERT(coll->next(&call, 0, i, &op) && op.kind == OP_SEND && op.peer == receivers[i]);
    CU_ASSERT_FALSE(coll->next(&call, 0, N_RECEIVERS, &op));
}

/* The mode and the order of the program's broadcasts are none of what other collectives are made of. */
static void test_modes_of_others(void)
{
    static const enum coll_family families[] = {COLL_ALLREDUCE, COLL_ALLGATHER, COLL_BARRIER};
    const struct coll_options options = {.mode = SEND_SYNCHRONOUS, .order = ORDER_REVERSE};
    const struct coll_call call = {.options = &options, .n_ranks = 8, .bytes = 100};
    for (int f = 0; f < 3; f++)
        for (int s = 0; coll_families[families[f]].specs[s] != NULL; s++)
            for (int rank = 0; rank < 8; rank++) {
                struct op op = {.kind = OP_WAIT};
                const struct coll_spec *spec = coll_families[families[f]].specs[s];
                for (int i = 0; spec->next != NULL && spec->next(&call, rank, i, &op); i++)
                    CU_ASSERT(op.kind != OP_SEND || op.mode == SEND_STANDARD);
            }
    struct op op = {.kind = OP_WAIT};
    CU_ASSERT(coll_find(COLL_BARRIER, "flat")->next(&call, 0, 8, &op) && op.kind == OP_SEND && op.peer == 1);
}

static void test_op_lists(void)
{
    const struct coll_options options = {.segment_bytes = 512};
    for (size_t i = 0; i < sizeof op_rows / sizeof *op_rows; i++) {
        struct placement placement;
        const struct mesh mesh = {"given", &machine_wide, op_rows[i].width, op_rows[i].height};
        CU_ASSERT_FATAL(place(&placement, &mesh, op_rows[i].ranks, op_rows[i].per_host, LAYOUT_ROW_MAJOR));
        const struct coll_call call = {.placement = &placement,
                                       .options = &options,
                                       .n_ranks = op_rows[i].ranks,
                                       .root = op_rows[i].root,
                                       .bytes = 8};
        expect_ops(broadcast_named(op_rows[i].coll), &call, op_rows[i].rank, op_rows[i].ops);
    }
    CU_PASS("all lists have been compared");
}

/* --- scatter, gather, barrier: their sends are standard ones, whatever the mode of the broadcasts --- */

/* Blocks of rank r when n are dealt out in turn. */
static int64_t dealt(int64_t n, int p, int r)
{
    int64_t blocks = 0;
    for (int64_t k = r; k < n; k += p)
        blocks++;
    return blocks;
}

static void check_dealt(const struct coll_call *call, bool scatter)
{
    int64_t roots = call->bytes * dealt(call->blocks, call->n_ranks, call->root), sum = roots;
    for (int rank = 0; rank < call->n_ranks; rank++) {
        const struct rank *self = &world.ranks[rank];
        bool is_root = rank == call->root, gives = is_root == scatter;
        int64_t share = call->bytes * dealt(call->blocks, call->n_ranks, rank);
        int64_t amount = is_root ? call->bytes * call->blocks - roots : share;
        expect("bytes that a rank sends", self->sent_bytes, gives ? amount : 0);
        expect("bytes that a rank receives", self->received_bytes, gives ? 0 : amount);
        sum += is_root ? 0 : self->sent_bytes + self->received_bytes;
    }
    expect("bytes of all ranks", sum, call->bytes * call->blocks);
    expect("messages in all", world.n_messages, call->n_ranks - 1);
    for (int64_t m = 0; m < world.n_messages; m++) {
        int root_side = scatter ? world.messages[m].from : world.messages[m].to;
        int other = scatter ? world.messages[m].to : world.messages[m].from;
        expect("the root's side of a message", root_side, call->root);
        if (!world.buffered) /* then messages pass in the order in which the root does them */
            expect("the other side of a message", other, m + (m >= call->root));
    }
}

static void run_dealt(const struct placement *placement, int root)
{
    static const int64_t counts[] = {0, 1, 2, 12, 13, 14, 100, 16384};
    static const int64_t block_bytes[] = {0, 8, 2056};
    const struct coll_options options = {.mode = SEND_SYNCHRONOUS, .segment_bytes = 512};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t b = 0; b < sizeof block_bytes / sizeof *block_bytes; b++)
            for (int buffered = 0; buffered <= 1; buffered++) {
                const struct coll_call call = {.placement = placement,
                                               .options = &options,
                                               .root = root,
                                               .n_ranks = placement->n_ranks,
                                               .bytes = block_bytes[b],
                                               .blocks = counts[c]};
                if (run(coll_scatter_specs[0], &call, buffered != 0, NULL))
                    check_dealt(&call, true);
                check_modes(coll_scatter_specs[0], &call, SEND_STANDARD);
                if (run(coll_gather_specs[0], &call, buffered != 0, NULL))
                    check_dealt(&call, false);
                check_modes(coll_gather_specs[0], &call, SEND_STANDARD);
            }
}

static void test_scatter_gather(void)
{
    for (int n = 0; n < N_RANK_COUNTS; n++) {
        struct placement placement;
        CU_ASSERT_FATAL(place(&placement, &meshes[PLAIN_MESH], rank_counts[n], 1, LAYOUT_SNAKE));
        row.mesh = meshes[PLAIN_MESH].name;
        for (int root = 0; root<rank_counts[n]; root += rank_counts[n]> 13 && root > 0 ? 21 : 1)
            run_dealt(&placement, root);
    }
    CU_PASS("all shares have been dealt");
}

/* Nobody leaves before all have come: whoever has done all has heard of every rank, through whomever. */
static void check_heard(const struct coll_call *call)
{
    for (int rank = 0; rank < call->n_ranks; rank++)
        for (int other = 0; other < call->n_ranks; other++)
            expect("a rank has heard of another", world.ranks[rank].heard.bits[other / 64] >> other % 64 & 1, 1);
}

static void test_barrier(void)
{
    for (int p = 1; p <= MAX_RANKS; p++) {
        struct placement placement;
        const struct coll_options options = {.mode = SEND_SYNCHRONOUS, .segment_bytes = 512};
        CU_ASSERT_FATAL(place(&placement, &meshes[PLAIN_MESH], p, 1, LAYOUT_SNAKE));
        row.mesh = meshes[PLAIN_MESH].name;
        const struct coll_call call = {
            .placement = &placement, .options = &options, .n_ranks = p, .root = p - 1, .bytes = 4};
        if (!run(coll_barrier_specs[0], &call, true, NULL))
            continue;
        expect("messages in all", world.n_messages, (int64_t)p * ceil_log2(p));
        for (int rank = 0; rank < p; rank++) {
            expect("messages that a rank receives", world.ranks[rank].n_received, ceil_log2(p));
            expect("bytes that a rank receives", world.ranks[rank].received_bytes, 4 * ceil_log2(p));
        }
        check_heard(&call);
        check_modes(coll_barrier_specs[0], &call, SEND_STANDARD);
    }
    CU_PASS("all barriers have been passed");
}

/* --- shares --- */

/* Every block has one owner, owners follow each other, and shares differ by one at most, the larger first. */
static void test_shares(void)
{
    for (int64_t n = 0; n <= 40; n++)
        for (int p = 1; p <= 13; p++) {
            int64_t start = 0;
            for (int r = 0; r < p; r++) {
                int64_t share = coll_share(n, p, r);
                if (share != dealt(n, p, r) || coll_share_start(n, p, r) != start) {
                    fprintf(stderr, "\n  rank %d of %d, %" PRId64 " blocks: %" PRId64 " from %" PRId64, r, p, n, share,
                            coll_share_start(n, p, r));
                    CU_FAIL("a share is wrong");
                }
                start += share;
            }
            CU_ASSERT_EQUAL(start, n);
        }
    CU_ASSERT_EQUAL(coll_share(INT64_C(1) << 40, 65536, 65535), INT64_C(1) << 24);
    CU_ASSERT_EQUAL(coll_share_start(INT64_C(1) << 40, 65536, 65535), INT64_C(65535) << 24);
}

/* --- tables --- */

static void test_tables(void)
{
    int n = 0;
    for (; coll_broadcasts[n] != NULL; n++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(coll_broadcast_names[n]);
        CU_ASSERT_STRING_EQUAL(coll_broadcast_names[n], coll_broadcasts[n]->name);
        CU_ASSERT_PTR_NOT_NULL(coll_broadcasts[n]->summary);
        for (int i = 0; i < n; i++)
            CU_ASSERT_STRING_NOT_EQUAL(coll_broadcasts[i]->name, coll_broadcasts[n]->name);
    }
    CU_ASSERT_PTR_NULL(coll_broadcast_names[n]);
    CU_ASSERT(n >= 5);
    CU_ASSERT_TRUE(broadcast_named("neighbour")->asks_placement);
    CU_ASSERT_STRING_EQUAL(flat_order_names[ORDER_RANK], "rank");
    CU_ASSERT_STRING_EQUAL(flat_order_names[ORDER_REVERSE], "reverse");
    CU_ASSERT_STRING_EQUAL(flat_order_names[ORDER_UPWARD], "upward");
    CU_ASSERT_STRING_EQUAL(flat_order_names[ORDER_DOWNWARD], "downward");
    CU_ASSERT_PTR_NULL(flat_order_names[ORDER_DOWNWARD + 1]);
    CU_ASSERT_STRING_EQUAL(send_mode_names[SEND_STANDARD], "standard");
    CU_ASSERT_STRING_EQUAL(send_mode_names[SEND_SYNCHRONOUS], "synchronous");
    CU_ASSERT_PTR_NULL(send_mode_names[SEND_SYNCHRONOUS + 1]);
}

int main(void)
{
    static const struct test tests[] = {
        {"tables", test_tables},
        {"shares", test_shares},
        {"orders of flat", test_flat_orders},
        {"order of a k-nomial tree", test_knomial_order},
        {"modes of other collectives", test_modes_of_others},
        {"lists of ops", test_op_lists},
        {"scatter and gather", test_scatter_gather},
        {"barrier", test_barrier},
        {"every broadcast", test_broadcasts},
        {NULL, NULL},
    };
    int status = testing_run("coll", tests);
    free(world.messages);
    return status;
}
