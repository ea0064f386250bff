/* The triangular solve in the library's form: its messages against those of the real library, pair by pair, and in
 * order where that is telling; that it does the whole work, and always ends; and that the kernel can run it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "base/units.h"
#include "sim/kernel/app.h"
#include "sim/kernel/kernel.h"
#include "sim/network/network.h"
#include "sim/platform/platform.h"
#include "sim/simulate.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RANKS = 16, N_PARAMS = 10, MAX_SENT = 4096, MAX_COMPLAINTS = 20 };
enum { UPPER, LOWER, LEFT = 0, RIGHT, NO = 0, YES, LIBRARY = 1 };
enum { TAG_COLLECTIVE = 1, KERNEL_DTRSM = 0, KERNEL_DGEMM, KERNEL_MATADD };

static struct machine machine;

/* The case that runs. */
static struct row {
    int rows, columns, uplo, side, trans, m, n, block;
} row;

static bool expect(const char *what, int a, int b, int64_t found, int64_t good)
{
    static int complaints;
    if (found == good || complaints++ >= MAX_COMPLAINTS)
        return found == good;
    fprintf(
        stderr, "\n  %s %s%s, %d right-hand sides, order %d, block %d, %dx%d: %s (%d, %d): %" PRId64 ", not %" PRId64,
        row.uplo == UPPER ? "upper" : "lower", row.side == LEFT ? "left" : "right",
        row.trans == YES ? " transposed" : "", row.m, row.n, row.block, row.rows, row.columns, what, a, b, found, good);
    CU_FAIL("a triangular solve is wrong");
    return false;
}

static void start(struct program *program, struct placement *placement)
{
    static const char *const names[] = {"m",    "n",     "block",     "grid", "uplo",
                                        "side", "trans", "algorithm", "diag", "alpha"};
    const struct app_spec *app = app_find(app_specs, "pdtrsm");
    const int64_t given[] = {row.m,    row.n,     row.block, PARAM_MESH_PACK(row.rows, row.columns),
                             row.uplo, row.side,  row.trans, LIBRARY,
                             0,        UNITS_REAL};
    int64_t values[N_PARAMS];
    struct sim_error error;
    int n_ranks = row.rows * row.columns;
    *placement = (struct placement){.n_ranks = n_ranks, .ranks_per_host = 1, .n_slots = n_ranks};
    CU_ASSERT_FATAL(app != NULL && app->n_params == N_PARAMS);
    for (int i = 0; i < N_PARAMS; i++) {
        int place = param_find(app->params, app->n_params, names[i]);
        CU_ASSERT_FATAL(place >= 0);
        values[place] = given[i];
    }
    CU_ASSERT_EQUAL_FATAL(program_init(program, app, values, placement, &error), 0);
}

/* --- the interpreter: every OP_SEND waits for its receive --- */

static struct rank {
    int64_t step;
    int done;
    struct op_list list;
    bool ended, sending; /* sending: the present OP_SEND is on its way */
    int64_t work;        /* multiplications and additions of dtrsm and dgemm */
    int64_t waits;
} ranks[MAX_RANKS];

static struct channel {
    int64_t n_sent, n_received;
    struct op sent[MAX_SENT];
    int64_t messages, bytes; /* point to point */
} channels[MAX_RANKS][MAX_RANKS];

static int64_t collective_messages, collective_bytes;
static bool going; /* something has happened */

static bool same_op(const struct op *a, const struct op *b)
{
    return a->times == b->times && a->bytes == b->bytes && a->peer == b->peer && a->tag == b->tag && a->m == b->m &&
           a->n == b->n && a->k == b->k && a->kernel == b->kernel && a->kind == b->kind && a->role == b->role &&
           a->scope == b->scope && a->mode == b->mode;
}

/* The rank's next op, or NULL when its program has ended. Every step is asked for twice. */
static const struct op *next_op(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    while (!self->ended && self->done == self->list.count) {
        struct op_list again = {.count = 0};
        self->list.count = self->done = 0;
        self->ended = !program->app->emit(program->config, rank, self->step, &self->list);
        expect("asked again, it ends", rank, 0, program->app->emit(program->config, rank, self->step++, &again),
               !self->ended);
        expect("asked again, ops", rank, 0, again.count, self->list.count);
        for (int i = 0; i < self->list.count; i++)
            expect("asked again, the op", rank, i, same_op(&again.ops[i], &self->list.ops[i]), true);
    }
    return self->ended ? NULL : &self->list.ops[self->done];
}

static bool send(int rank, const struct op *op)
{
    struct rank *self = &ranks[rank];
    struct channel *channel = &channels[rank][op->peer];
    if (!self->sending) {
        CU_ASSERT_FATAL(op->peer != rank && op->bytes > 0 && channel->n_sent - channel->n_received < MAX_SENT);
        channel->sent[channel->n_sent++ % MAX_SENT] = *op;
        self->sending = op->kind == OP_SEND;
        going = true;
    } else if (channel->n_received == channel->n_sent) {
        self->sending = false;
    }
    return !self->sending;
}

static bool receive(int rank, const struct op *op)
{
    struct channel *channel = &channels[op->peer][rank];
    if (channel->n_received == channel->n_sent)
        return false;
    const struct op *sent = &channel->sent[channel->n_received++ % MAX_SENT];
    expect("length of a message", op->peer, rank, sent->bytes, op->bytes);
    expect("tag of a message", op->peer, rank, sent->tag, op->tag);
    expect("scope of a message", op->peer, rank, sent->scope, op->scope);
    if (op->tag == TAG_COLLECTIVE) {
        collective_messages++;
        collective_bytes += op->bytes;
    } else {
        channel->messages++;
        channel->bytes += op->bytes;
    }
    return true;
}

static void compute(int rank, const struct op *op)
{
    expect("one call", rank, 0, op->times, 1);
    expect("role", rank, op->kernel, op->role, op->kernel == KERNEL_MATADD ? ROLE_CONTROL : ROLE_USEFUL);
    if (op->kernel == KERNEL_DTRSM)
        ranks[rank].work += (int64_t)op->m * op->n * op->n;
    if (op->kernel == KERNEL_DGEMM)
        ranks[rank].work += 2 * (int64_t)op->m * op->n * op->k;
}

static bool advance(const struct program *program, int rank)
{
    const struct op *op = next_op(program, rank);
    if (op == NULL || ((op->kind == OP_SEND || op->kind == OP_ISEND) && !send(rank, op)) ||
        (op->kind == OP_RECV && !receive(rank, op)))
        return false;
    if (op->kind == OP_COMPUTE)
        compute(rank, op);
    ranks[rank].waits += op->kind == OP_WAIT;
    ranks[rank].done++;
    return true;
}

/* Run the row. It ends, all messages are received, and the work is that of the sequential program, m n^2. */
static void interpret(void)
{
    struct program program;
    struct placement placement;
    int64_t work = 0;
    start(&program, &placement);
    memset(ranks, 0, sizeof ranks);
    for (int i = 0; i < MAX_RANKS * MAX_RANKS; i++) {
        struct channel *channel = &channels[i / MAX_RANKS][i % MAX_RANKS];
        channel->n_sent = channel->n_received = channel->messages = channel->bytes = 0;
    }
    collective_messages = collective_bytes = 0;
    do {
        going = false;
        for (int r = 0; r < placement.n_ranks; r++)
            while (advance(&program, r))
                going = true;
    } while (going);
    for (int r = 0; r < placement.n_ranks; r++) {
        expect("it ends", r, 0, next_op(&program, r) == NULL, true);
        expect("it waits once for what it has sent", r, 0, ranks[r].waits, 1);
        for (int peer = 0; peer < placement.n_ranks; peer++)
            expect("all is received", r, peer, channels[r][peer].n_received, channels[r][peer].n_sent);
        work += ranks[r].work;
    }
    expect("work of all", 0, 0, work, (int64_t)row.m * row.n * row.n);
    program_dispose(&program);
}

/* --- the real library --- */

/* Messages of pdtrsm of ScaLAPACK 2.2.1 (libscalapack-openmpi), counted through PMPI: messages and bytes of
 * collectives, if each moves the whole once for every process but one; and for all pairs of ranks between which there
 * is a point-to-point message, sender > receiver, messages, bytes. */
static const struct {
    struct row row;
    int collective_messages, collective_bytes;
    const char *pairs;
} counted[] = {
    /* upper, right, not transposed: figure 3 of the paper */
    {{1, 4, UPPER, RIGHT, NO, 256, 256, 64}, 0, 0, "0>1 24 393216 1>2 24 393216 2>3 24 393216 3>0 24 393216"},
    {{4, 1, UPPER, RIGHT, NO, 256, 256, 64}, 0, 0, "0>1 6 204800 1>2 6 237568 2>3 6 270336 3>0 6 172032"},
    {{2, 2, UPPER, RIGHT, NO, 256, 256, 64},
     0,
     0,
     "0>1 4 131072 0>2 4 81920 1>0 2 65536 1>3 4 98304 2>0 2 32768 2>3 4 131072 3>1 4 81920 3>2 2 65536"},
    {{4, 1, UPPER, RIGHT, NO, 64, 512, 64}, 12, 1179648, "0>1 4 196608 1>2 4 131072 2>3 4 65536"},
    /* all calls on all grids */
    {{2, 2, UPPER, LEFT, NO, 64, 512, 64},
     16,
     458752,
     "0>1 2 131072 0>2 8 131072 1>0 8 131072 2>3 2 131072 3>1 8 131072"},
    {{1, 4, UPPER, LEFT, NO, 100, 130, 50}, 12, 312000, "0>2 2 52000 1>0 4 40000 1>2 2 52000 2>1 4 80000"},
    {{4, 1, UPPER, LEFT, NO, 1, 100, 64}, 0, 0, "0>3 2 800 1>0 1 288 2>1 1 512 3>2 2 800"},
    {{3, 1, UPPER, LEFT, NO, 256, 256, 64}, 0, 0, "0>2 3 196608 1>0 4 262144 2>1 4 262144"},
    {{1, 3, UPPER, LEFT, NO, 512, 64, 64}, 0, 0, "0>1 6 98304 0>2 4 65536 1>0 6 98304 2>0 4 65536"},
    {{4, 1, LOWER, LEFT, NO, 320, 320, 10}, 0, 0, "0>1 30 614400 1>2 30 614400 2>3 30 614400 3>0 30 614400"},
    {{3, 2, LOWER, LEFT, NO, 65, 65, 16},
     0,
     0,
     "0>1 2 6144 0>2 3 12672 1>0 2 12288 1>3 3 12288 2>3 3 2312 2>4 3 12672 3>2 2 4608 3>5 3 12288 4>0 2 8448 "
     "4>5 2 4096 5>1 2 8192 5>4 2 8192"},
    {{2, 1, LOWER, LEFT, NO, 300, 200, 48}, 0, 0, "0>1 4 230400 1>0 4 230400"},
    {{4, 2, LOWER, LEFT, NO, 33, 500, 20},
     16,
     196416,
     "0>2 28 68640 1>0 13 45184 1>3 12 31680 2>3 12 31680 2>4 16 36960 3>2 1 12480 3>5 24 63360 4>6 28 68640 "
     "5>4 13 44160 5>7 12 31680 6>0 12 31680 6>7 12 31680 7>1 24 63360 7>6 1 12480"},
    {{1, 3, LOWER, LEFT, NO, 1000, 40, 40}, 0, 0, "0>1 2 10752 1>2 2 10752"},
    {{3, 2, UPPER, LEFT, YES, 64, 512, 64}, 28, 458752, "1>0 8 253952 3>2 8 212992 5>4 6 155648"},
    {{1, 3, UPPER, LEFT, YES, 300, 200, 48}, 0, 0, "0>1 5 154624 1>2 5 136704 2>0 4 124416"},
    {{1, 4, UPPER, LEFT, YES, 40, 1000, 24},
     0,
     0,
     "0>1 66 321024 0>2 1 46080 0>3 1 46080 1>0 2 82944 1>2 67 273920 1>3 1 30720 2>0 1 46080 2>1 1 30720 "
     "2>3 68 243200 3>0 67 281600 3>1 1 30720"},
    {{2, 3, UPPER, LEFT, YES, 130, 700, 7},
     66,
     720720,
     "0>1 30 1086688 0>3 46 267536 1>2 31 1014000 1>4 46 244272 2>0 29 1089096 2>5 46 244272 3>0 49 287776 "
     "3>4 29 1066456 4>1 49 262752 4>5 30 993768 5>2 49 262752 5>3 29 1069256"},
    {{4, 2, UPPER, LEFT, YES, 256, 256, 64},
     36,
     1179648,
     "0>1 3 65536 1>0 4 65536 2>3 2 32768 3>2 4 57344 4>5 2 24576 5>4 2 32768 7>6 2 24576"},
    {{4, 1, LOWER, LEFT, YES, 33, 500, 20}, 45, 380160, "0>3 3 12672 1>0 6 19008 2>1 6 25344 3>2 6 31680"},
    {{1, 4, LOWER, LEFT, YES, 20, 300, 16},
     0,
     0,
     "0>1 2 12800 0>2 1 9728 0>3 31 45952 1>0 30 48000 1>2 1 2432 1>3 1 2048 2>0 1 9728 2>1 29 37632 "
     "3>0 1 8192 3>1 1 2048 3>2 28 35840"},
    {{2, 4, LOWER, LEFT, YES, 65, 65, 16},
     8,
     33280,
     "0>3 3 12808 1>0 2 8576 2>1 3 12808 3>2 3 10632 4>0 2 4352 4>7 2 12288 5>1 2 4096 5>4 2 8192 6>2 2 4096 "
     "6>5 2 12288 7>3 2 4096 7>6 2 10240"},
    {{2, 3, LOWER, LEFT, YES, 320, 320, 10},
     30,
     793600,
     "0>2 16 262144 0>3 14 197120 1>0 14 238912 1>4 14 197120 2>1 10 167744 2>5 14 179200 3>0 15 205920 "
     "3>5 17 276256 4>1 15 205920 4>3 15 252896 5>2 15 187200 5>4 10 177344"},
    {{2, 2, LOWER, LEFT, YES, 300, 200, 48},
     12,
     460800,
     "0>1 5 66048 1>0 4 28672 2>0 2 39936 2>3 4 73728 3>1 2 36864 3>2 4 47104"},
    {{1, 2, UPPER, RIGHT, NO, 20, 300, 16}, 0, 0, "0>1 10 24960 1>0 9 23040"},
    {{3, 2, UPPER, RIGHT, NO, 512, 64, 64}, 0, 0, "0>2 2 24576 2>4 2 24576"},
    {{4, 1, UPPER, RIGHT, NO, 33, 500, 20},
     12,
     589248,
     "0>1 12 95040 1>0 1 52000 1>2 12 93984 2>3 12 83424 3>0 12 72864"},
    {{4, 2, UPPER, RIGHT, NO, 256, 256, 64},
     0,
     0,
     "0>1 4 65536 0>2 4 81920 1>0 2 32768 1>3 6 122880 2>3 4 65536 2>4 4 90112 3>2 2 32768 3>5 6 147456 "
     "4>5 4 65536 4>6 6 114688 5>4 2 32768 5>7 6 155648 6>0 4 57344 6>7 4 65536 7>1 6 114688 7>6 2 32768"},
    {{2, 2, UPPER, RIGHT, NO, 64, 512, 64}, 16, 458752, "0>1 8 131072 1>3 8 131072 3>2 8 131072"},
    {{4, 1, LOWER, RIGHT, NO, 20, 300, 16},
     12,
     266880,
     "0>2 1 38400 0>3 6 23040 1>0 10 28160 1>2 1 9600 2>1 10 33280 3>2 8 30720"},
    {{3, 2, LOWER, RIGHT, NO, 65, 65, 16},
     0,
     0,
     "0>1 3 8448 0>4 3 8456 1>0 2 8192 1>5 3 8448 2>0 3 10504 2>3 3 4488 3>1 3 10496 3>2 2 4352 4>2 2 12288 "
     "4>5 3 4224 5>3 2 12288 5>4 2 4096"},
    {{1, 3, LOWER, RIGHT, NO, 300, 200, 48}, 0, 0, "0>2 40 364800 1>0 30 249600 2>1 30 345600"},
    {{2, 2, LOWER, RIGHT, NO, 100, 130, 50},
     0,
     0,
     "0>1 3 19200 0>2 4 39744 1>0 3 20000 1>3 3 15584 2>0 3 38368 2>3 3 19200 3>1 3 26144 3>2 3 20000"},
    {{2, 3, LOWER, RIGHT, NO, 130, 700, 7},
     0,
     0,
     "0>2 79 251384 0>3 22 577440 1>0 78 247632 1>4 22 565792 2>1 79 251384 2>5 22 555712 3>0 22 491520 "
     "3>5 79 236376 4>1 22 481552 4>3 78 232848 5>2 22 472368 5>4 79 236376"},
    {{2, 3, UPPER, RIGHT, YES, 65, 65, 16},
     8,
     66560,
     "0>2 1 4224 0>3 2 12288 1>0 1 4224 1>4 3 4616 2>5 2 8192 3>0 2 6144 3>5 1 4096 4>1 2 2304 4>3 1 4096 "
     "5>2 2 4096"},
    {{3, 2, UPPER, RIGHT, YES, 100, 130, 50},
     8,
     80000,
     "0>4 4 41408 1>0 1 7200 1>5 4 34944 2>0 4 21216 3>1 3 14944 3>2 1 7200 4>2 3 39968 5>3 2 25600"},
    {{2, 4, UPPER, RIGHT, YES, 320, 320, 10},
     60,
     2380800,
     "0>3 6 122880 0>4 10 81984 1>0 8 143360 1>5 10 85952 2>1 8 163840 2>6 10 90752 3>2 7 156160 3>7 10 94592 "
     "4>0 10 69792 4>7 6 122880 5>1 10 74528 5>4 8 143360 6>2 10 79136 6>5 8 163840 7>3 11 85056 7>6 7 156160"},
    {{3, 1, UPPER, RIGHT, YES, 64, 512, 64}, 0, 0, "1>0 5 376832 2>0 4 278528"},
    {{2, 2, UPPER, RIGHT, YES, 500, 33, 16},
     0,
     0,
     "0>1 2 34816 0>2 2 4232 1>0 2 34816 1>3 2 4224 2>1 2 4224 2>3 2 33184 3>2 2 33280"},
    {{4, 1, LOWER, RIGHT, YES, 65, 65, 16}, 0, 0, "0>1 3 23176 1>2 3 17032 2>3 3 23176 3>0 2 20608"},
    {{3, 2, LOWER, RIGHT, YES, 1000, 40, 40}, 0, 0, "0>2 2 10752 2>4 2 10752"},
    {{4, 2, LOWER, RIGHT, YES, 20, 300, 16},
     93,
     1238400,
     "0>1 9 51200 1>0 5 61440 1>4 4 40960 2>3 9 51200 3>1 5 61440 3>5 4 40960 4>5 9 54784 5>0 5 56320 "
     "5>4 4 53248 6>7 8 40960 7>1 4 40960 7>5 4 40960"},
    {{1, 2, LOWER, RIGHT, YES, 130, 700, 7}, 22, 720720, "0>1 46 756080 1>0 49 813280"},
    {{2, 3, LOWER, RIGHT, YES, 1, 100, 64}, 4, 1600, "0>3 1 512 1>3 1 288 3>1 1 288 3>4 1 288 4>1 1 288"},
    /* transposed, at the edges of what the library chooses by */
    {{1, 3, LOWER, RIGHT, YES, 32, 57, 32}, 0, 0, "0>1 2 14592"},
    {{3, 1, LOWER, LEFT, YES, 2, 28, 48}, 2, 896, ""},
    {{1, 3, UPPER, LEFT, YES, 1, 38, 64}, 0, 0, ""},
    {{1, 4, LOWER, LEFT, YES, 100, 1, 16}, 6, 48, ""},
    {{2, 2, UPPER, RIGHT, YES, 129, 74, 16},
     4,
     66048,
     "0>2 3 18208 1>0 2 16640 1>3 2 12288 2>0 2 8704 3>1 2 6144 3>2 2 16384"},
    {{2, 2, LOWER, LEFT, YES, 40, 700, 16},
     24,
     428800,
     "0>1 44 112640 0>2 1 67584 1>2 1 45056 1>3 32 81920 2>0 45 180224 2>1 1 45056 2>3 1 66816 3>2 45 178176"},
    {{2, 3, UPPER, LEFT, YES, 20, 600, 40},
     6,
     130560,
     "0>1 7 51200 0>2 1 19200 0>3 3 23040 1>0 1 12800 1>2 5 32000 1>3 1 19200 1>4 3 19200 2>0 6 51200 "
     "2>3 1 12800 2>5 2 12800 3>0 3 25600 3>1 1 19200 3>2 1 12800 3>4 5 25600 4>1 2 12800 4>5 6 32000 "
     "5>2 3 19200 5>3 5 32000"},
    {{3, 2, LOWER, RIGHT, YES, 20, 600, 32},
     6,
     130560,
     "0>1 4 30720 0>2 8 49920 0>4 1 15360 1>0 3 24320 1>2 1 15360 1>3 6 30720 1>4 1 15360 2>0 1 15360 "
     "2>1 1 15360 2>3 3 15360 2>4 7 34560 3>2 3 15360 3>5 6 30720 4>0 7 46080 4>1 1 15360 4>5 3 15360 "
     "5>1 6 30720 5>4 3 15360"},
    {{4, 2, UPPER, RIGHT, YES, 10, 500, 64},
     8,
     60480,
     "0>1 1 10240 0>5 1 10240 0>6 4 20480 1>0 3 20480 1>3 1 10240 1>7 3 19520 2>0 2 10240 2>3 2 10240 "
     "3>1 5 29760 4>2 4 20480 5>0 1 10240 5>3 2 9280 5>4 2 10240 6>4 2 10240 7>1 1 9280 7>5 4 19520"},
};

static void test_counts(void)
{
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        int64_t all = 0, expected = 0;
        int from, to, count, length, read;
        row = counted[i].row;
        interpret();
        for (const char *text = counted[i].pairs;
             sscanf(text, "%d>%d %d %d%n", &from, &to, &count, &length, &read) == 4; text += read) {
            expect("messages counted", from, to, channels[from][to].messages, count);
            expect("bytes counted", from, to, channels[from][to].bytes, length);
            expected += count;
        }
        for (from = 0; from < MAX_RANKS; from++)
            for (to = 0; to < MAX_RANKS; to++)
                all += channels[from][to].messages;
        expect("messages of all pairs", 0, 0, all, expected);
        expect("messages in collectives", 0, 0, collective_messages, counted[i].collective_messages);
        expect("bytes in collectives", 0, 0, collective_bytes, counted[i].collective_bytes);
    }
    CU_PASS("all counts have been compared");
}

/* --- its order --- */

/* Messages of a rank in their order, recorded through PMPI: i is an MPI_Isend, > an MPI_Send to a rank, < a receive
 * from one, c a send within a collective of two or three ranks, as its root and the length of the data imply it; then
 * the length. */
static const struct {
    struct row row;
    int rank;
    const char *messages;
} orders[] = {
    {{2, 2, UPPER, RIGHT, NO, 100, 130, 50},
     0,
     ">2:20480 >1:12800 i2:6912 <2:12288 >1:7200 <1:5600 <2:7680 <1:12800 <2:960 >2:7680 <1:1600 >1:11200 "
     ">2:32 "},
    {{2, 2, UPPER, RIGHT, NO, 100, 130, 50},
     2,
     "<0:20480 >3:12800 <0:6912 >0:12288 >3:7200 <3:5600 >0:7680 <3:12800 i0:960 <0:7680 <3:1600 >3:11200 "
     "<0:32 "},
    {{2, 3, LOWER, LEFT, YES, 100, 100, 24},
     3,
     "i5:4608 <4:6144 i0:3072 <4:10240 >5:10240 c0:12288 <0:6144 <4:3072 >5:12288 i0:9216 "},
    {{2, 3, LOWER, LEFT, YES, 20, 90, 24},
     0,
     "<3:6048 <2:4992 i3:3744 c3:1280 i3:3072 <3:6144 <5:4096 c3:2560 <3:1536 c3:3840 "},
    {{2, 3, LOWER, LEFT, YES, 20, 90, 24},
     3,
     "i0:6048 <1:4992 <0:3744 c0:2880 <0:3072 i0:6144 <4:6144 c0:2560 i0:1536 <1:2048 c0:1280 "},
    {{3, 1, UPPER, LEFT, YES, 20, 300, 16},
     0,
     "i1:38400 <1:27648 c2:2560 c1:2560 <2:34304 i1:20480 i2:24576 c2:2560 c1:2560 <2:19456 i1:26112 "
     "<1:19456 c2:2560 c1:2560 <2:22016 i1:12288 i2:16384 c2:2560 c1:2560 <2:11264 i1:13824 <1:11264 "
     "c2:2560 c1:2560 <2:9728 i1:4096 i2:8192 c2:2560 c1:2560 <2:3072 "},
    {{2, 2, LOWER, LEFT, YES, 40, 700, 16},
     0,
     "i2:67584 <2:3072 >1:3072 <2:3072 >1:3072 c2:12288 <2:3072 >1:3072 <2:3072 >1:3072 <2:3072 >1:3072 "
     "<2:3072 >1:3072 c2:12288 <2:3072 >1:3072 <2:3072 >1:3072 <2:3072 >1:3072 <2:3072 >1:3072 c2:12288 "
     "<2:3072 >1:3072 <2:3072 >1:3072 <2:3072 >1:3072 <2:3072 >1:3072 c2:12288 <2:3072 >1:3072 <2:3072 "
     ">1:3072 <2:3072 >1:3072 <2:3072 >1:3072 c2:12288 <2:3072 >1:3072 <2:3072 >1:3072 <2:3072 >1:3072 "
     "<2:3072 >1:3072 c2:67584 <2:67584 <2:2048 >1:2048 <2:2048 >1:2048 c2:8192 <2:2048 >1:2048 <2:2048 "
     ">1:2048 <2:2048 >1:2048 <2:2048 >1:2048 c2:8192 <2:2048 >1:2048 <2:2048 >1:2048 <2:2048 >1:2048 "
     "<2:2048 >1:2048 c2:8192 <2:2048 >1:2048 <2:2048 >1:2048 <2:2048 >1:2048 <2:2048 >1:2048 c2:8192 "
     "<2:2048 >1:2048 <2:2048 >1:2048 <2:2048 >1:2048 <2:2048 >1:2048 c2:8192 <2:2048 >1:2048 <2:2048 "
     ">1:2048 <2:2048 >1:2048 <2:2048 >1:2048 c2:45056 "},
    {{2, 2, LOWER, LEFT, YES, 40, 700, 16},
     3,
     "<2:66816 >2:2304 <1:3072 >2:3072 >2:3072 <1:3072 >2:3072 <1:3072 >2:3072 <1:3072 >2:3072 >2:3072 "
     "<1:3072 >2:3072 <1:3072 >2:3072 <1:3072 >2:3072 >2:3072 <1:3072 >2:3072 <1:3072 >2:3072 <1:3072 "
     ">2:3072 >2:3072 <1:3072 >2:3072 <1:3072 >2:3072 <1:3072 >2:3072 >2:3072 <1:3072 >2:3072 <1:3072 "
     ">2:3072 <1:3072 >2:3072 i2:66816 >2:1536 <1:2048 >2:2048 >2:2048 <1:2048 >2:2048 <1:2048 >2:2048 "
     "<1:2048 >2:2048 >2:2048 <1:2048 >2:2048 <1:2048 >2:2048 <1:2048 >2:2048 >2:2048 <1:2048 >2:2048 "
     "<1:2048 >2:2048 <1:2048 >2:2048 >2:2048 <1:2048 >2:2048 <1:2048 >2:2048 <1:2048 >2:2048 >2:2048 "
     "<1:2048 >2:2048 <1:2048 >2:2048 <1:2048 >2:2048 "},
    {{3, 2, UPPER, RIGHT, YES, 40, 300, 40},
     0,
     "i4:5120 <4:10240 i1:5120 <2:12288 c1:10240 <1:2560 <2:20480 c1:10240 i4:6656 <4:26624 c1:10240 "
     "<1:7680 <2:30720 i1:5120 <2:24576 c1:10240 <1:2560 "},
    {{2, 3, UPPER, LEFT, NO, 10, 600, 40},
     0,
     "i2:25600 <1:3200 >3:3200 i2:3200 <3:1280 <3:1920 i2:3200 <1:3200 >3:3200 i2:3200 <1:3200 <3:3200 "
     "i2:3200 <1:3200 >3:3200 "},
    {{2, 3, UPPER, LEFT, NO, 10, 600, 40},
     4,
     "<5:3200 >1:3200 i3:3200 <5:1280 <1:3200 i3:1280 c3:14720 <5:3200 >1:3200 i3:3200 <5:3200 <1:3200 "
     "i3:3200 <5:3200 >1:3200 c3:22400 "},
    {{2, 2, UPPER, LEFT, NO, 30, 500, 16},
     1,
     "<0:32768 <3:512 i0:2048 <3:2048 i0:2048 <3:2048 i0:2048 <3:2048 i0:2048 <3:2048 i0:2048 <3:2048 "
     "i0:2048 <3:2048 i0:2048 <3:2048 i0:2048 <3:2048 i0:2048 <3:2048 i0:2048 <3:2048 i0:2048 <3:2048 "
     "i0:2048 <3:2048 i0:2048 <3:2048 i0:2048 <3:2048 i0:2048 <3:2048 i0:2048 c0:32768 <3:448 i0:1792 "
     "<3:1792 i0:1792 <3:1792 i0:1792 <3:1792 i0:1792 <3:1792 i0:1792 <3:1792 i0:1792 <3:1792 i0:1792 "
     "<3:1792 i0:1792 <3:1792 i0:1792 <3:1792 i0:1792 <3:1792 i0:1792 <3:1792 i0:1792 <3:1792 i0:1792 "
     "<3:1792 i0:1792 <3:1792 i0:1792 <3:1792 i0:1792 "},
};

/* An op as it is written in the table; empty if it is not. */
static void write_op(char *text, size_t size, const struct op *op)
{
    bool collective = op->tag == TAG_COLLECTIVE, receives = op->kind == OP_RECV;
    text[0] = 0;
    if (op->kind == OP_COMPUTE || op->kind == OP_WAIT || (collective && receives))
        return;
    char what = receives ? '<' : collective ? 'c' : op->kind == OP_ISEND ? 'i' : '>';
    snprintf(text, size, "%c%d:%" PRId64 " ", what, (int)op->peer, op->bytes);
}

static void check_order(int rank, const char *text)
{
    struct program program;
    struct placement placement;
    struct op_list list = {.count = 0};
    bool good = true;
    start(&program, &placement);
    for (int64_t step = 0; program.app->emit(program.config, rank, step, &list); step++, list.count = 0)
        for (int i = 0; i < list.count && good; i++) {
            char op[64];
            write_op(op, sizeof op, &list.ops[i]);
            good = expect(op, rank, (int)step, strncmp(text, op, strlen(op)), 0);
            text += good ? strlen(op) : 0;
        }
    expect("all messages", rank, 0, *text, 0);
    program_dispose(&program);
}

static void test_order(void)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        row = orders[i].row;
        check_order(orders[i].rank, orders[i].messages);
    }
    CU_PASS("all orders have been compared");
}

/* --- what always holds --- */

/* A random number below `bound`, the same ones in every run. */
static int draw(int bound)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)bound);
}

static void draw_row(int largest)
{
    static const int grids[][2] = {{1, 1}, {1, 2}, {2, 1}, {1, 4}, {4, 1}, {2, 2}, {2, 3}, {3, 2},
                                   {4, 2}, {2, 4}, {3, 3}, {1, 7}, {5, 1}, {4, 4}, {3, 5}, {6, 2}};
    const int *grid = grids[draw(sizeof grids / sizeof *grids)];
    int small_m = draw(2), small_n = draw(2);
    row = (struct row){.rows = grid[0], .columns = grid[1], .uplo = draw(2), .side = draw(2), .trans = draw(2)};
    row.m = 1 + draw(small_m ? 70 : largest);
    row.n = 1 + draw(small_n ? 70 : largest);
    row.block = 1 + draw(draw(2) ? 70 : 20);
}

static void test_random(void)
{
    for (int i = 0; i < 3000; i++) {
        draw_row(400);
        interpret();
    }
    CU_PASS("all programs have ended");
}

/* The kernel runs it to its end, with the machine's sends and with such that all wait for their receives. */
static void test_kernel(void)
{
    int64_t eager_limit = machine.costs.eager_limit;
    for (int i = 0; i < 400; i++) {
        struct program program;
        struct placement placement;
        struct sim_error error = {.message = ""};
        struct kernel_stats stats = {0};
        draw_row(300);
        start(&program, &placement);
        machine.costs.eager_limit = i % 2 == 0 ? 0 : eager_limit;
        const struct kernel_run run = {
            .program = &program, .machine = &machine, .placement = &placement, .network = network_specs[0]};
        expect(error.message, i, 0, simulate_run(&stats, &run, &error), 0);
        program_dispose(&program);
    }
    machine.costs.eager_limit = eager_limit;
    CU_PASS("all programs have been simulated");
}

int main(void)
{
    static const struct test tests[] = {
        {"the library's messages", test_counts},
        {"the library's order", test_order},
        {"random calls", test_random},
        {"random calls on the kernel", test_kernel},
        {NULL, NULL},
    };
    struct sim_error error;
    if (machine_load(&machine, SOURCE_DIR "/platforms/icluster.xml", &error) != 0)
        return 1;
    int status = testing_run("pdtrsm, library", tests);
    machine_dispose(&machine);
    return status;
}
