/* For the tests of pdgemm: ranks read op by op by a small interpreter, which keeps what each of them multiplies, adds,
 * sends and receives. An OP_SEND waits for its receive, so that what ends here ends on every machine; an OP_ISEND lies
 * down until it is received.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PDGEMM_H
#define TESTS_PDGEMM_H

#include "apps/replay/list.h"
#include "base/units.h"
#include "sim/kernel/app.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RANKS = 40, N_PARAMS = 12, SIZE = 30, MAX_LYING = 4096 };
enum { PAPER, LIBRARY };
enum { AUTO, TREE, RING, FLAT, N_TOPOLOGIES };
enum { SCOPE_A = 1, SCOPE_B, SCOPE_MULTIPLICATION, SCOPE_TRANSPOSITION, SCOPE_ACCUMULATION, N_SCOPES };
enum { KERNEL_DGEMM, KERNEL_MATADD };
enum { TAG_OWN, TAG_MPI };

/* The case that runs. */
static struct row {
    int p, q, m, n, k, block, algorithm, broadcast, n_ranks;
} row;

/* Its factors; no_product: alpha is 0. */
static struct variant {
    int trans_a, trans_b, no_product, beta;
} variant;

static inline bool expect(const char *what, int rank, int64_t found, int64_t good)
{
    static int complaints;
    if (found != good && complaints++ < 20) {
        fprintf(stderr,
                "\n  %dx%d, %d x %d x %d, blocks of %d, algorithm %d, broadcast %d, rank %d: %s: %" PRId64
                " instead of %" PRId64,
                row.p, row.q, row.m, row.n, row.k, row.block, row.algorithm, row.broadcast, rank, what, found, good);
        CU_FAIL("a matrix product is wrong");
    }
    return found == good;
}

/* A grid of 0x0 is auto. */
static inline int configure(struct program *program, struct sim_error *error)
{
    static const char *const names[] = {"size",      "m",         "n",      "k",      "block", "grid",
                                        "algorithm", "broadcast", "transa", "transb", "alpha", "beta"};
    const struct app_spec *app = app_find(app_specs, "pdgemm");
    const struct placement placement = {.n_ranks = row.n_ranks, .ranks_per_host = 1, .n_slots = row.n_ranks};
    int64_t grid = PARAM_MESH_PACK(row.p, row.q), values[N_PARAMS];
    const int64_t given[] = {SIZE,
                             row.m,
                             row.n,
                             row.k,
                             row.block,
                             grid,
                             row.algorithm,
                             row.broadcast,
                             variant.trans_a,
                             variant.trans_b,
                             variant.no_product ? 0 : UNITS_REAL,
                             variant.beta * UNITS_REAL};
    CU_ASSERT_FATAL(app != NULL && app->n_params == N_PARAMS);
    for (int i = 0; i < N_PARAMS; i++) {
        int place = param_find(app->params, app->n_params, names[i]);
        CU_ASSERT_FATAL(place >= 0);
        values[place] = given[i];
    }
    return program_init(program, app, values, &placement, error);
}

static inline void start(struct program *program)
{
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(configure(program, &error), 0);
}

/* --- the interpreter --- */

static struct rank {
    int64_t step;
    int done;
    struct op_list list;
    bool ended;
    int64_t multiplied;                      /* sum of m n k */
    int64_t depth;                           /* sum of k */
    int64_t added;                           /* sum of m n */
    int64_t got[N_SCOPES];                   /* bytes received */
    int64_t broadcasts_got, broadcast_bytes; /* of MPI's broadcasts, as one who is not the root */
    int64_t sums_given, sum_bytes;           /* of MPI's sums, as one who is not the root */
    int64_t sums_taken;                      /* bytes of their messages */
} ranks[MAX_RANKS];

/* The messages that a rank sends itself, outside MPI's collectives. */
static int64_t messages[MAX_RANKS][MAX_RANKS], bytes[MAX_RANKS][MAX_RANKS];

/* Messages of OP_ISEND that have not been received, in the order of their sending. */
static struct {
    int from;
    struct op op;
} lying[MAX_LYING];
static int n_lying;

static inline bool same_op(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->peer == b->peer && a->bytes == b->bytes && a->tag == b->tag &&
           a->scope == b->scope && a->role == b->role && a->mode == b->mode && a->kernel == b->kernel &&
           a->times == b->times && a->m == b->m && a->n == b->n && a->k == b->k;
}

/* The rank's next op, or NULL when its program has ended. A step is asked for twice, appended to what is there. */
static inline struct op *next_op(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    while (!self->ended && self->done == self->list.count) {
        struct op_list again = {.count = 1};
        self->list.count = self->done = 0;
        self->ended = !program->app->emit(program->config, rank, self->step, &self->list);
        bool ends = !program->app->emit(program->config, rank, self->step++, &again);
        expect("asked again, it ends", rank, ends, self->ended);
        expect("asked again, ops", rank, again.count - 1, self->list.count);
        for (int i = 0; i < self->list.count; i++)
            expect("asked again, it is the same", rank, same_op(&again.ops[i + 1], &self->list.ops[i]), true);
    }
    return self->ended ? NULL : &self->list.ops[self->done];
}

static inline void account(int from, int to, const struct op *op)
{
    bool sum = op->scope >= SCOPE_TRANSPOSITION;
    ranks[to].got[op->scope] += op->bytes;
    if (op->tag == TAG_OWN) {
        messages[from][to]++;
        bytes[from][to] += op->bytes;
    } else if (sum) {
        ranks[from].sums_given++;
        ranks[from].sum_bytes += op->bytes;
        ranks[to].sums_taken += op->bytes;
    } else {
        ranks[to].broadcasts_got++;
        ranks[to].broadcast_bytes += op->bytes;
    }
}

/* True if `op` is a send of that kind that meets the receive of `rank`. */
static inline bool meets(const struct op *op, enum op_kind kind, int rank, const struct op *receive)
{
    return op->kind == kind && op->peer == rank && op->tag == receive->tag;
}

static inline bool receive(const struct program *program, int rank, const struct op *op)
{
    int i = 0;
    while (i < n_lying && (lying[i].from != op->peer || !meets(&lying[i].op, OP_ISEND, rank, op)))
        i++;
    const struct op *send = i < n_lying ? &lying[i].op : next_op(program, op->peer);
    if (send == NULL || (i == n_lying && !meets(send, OP_SEND, rank, op)))
        return false;
    int from = op->peer;
    bool one_row = from / row.q == rank / row.q, one_column = from % row.q == rank % row.q;
    expect("bytes of a message", rank, send->bytes, op->bytes);
    expect("scope of a message", rank, send->scope, op->scope);
    expect("the same row or column", rank,
           op->scope == SCOPE_TRANSPOSITION || (variant.trans_a && variant.trans_b) ||
               (one_row && op->scope != SCOPE_B) || (one_column && op->scope != SCOPE_A),
           true);
    if (op->tag == TAG_OWN && op->scope >= SCOPE_TRANSPOSITION)
        expect("a single message is buffered", from, send->kind, OP_ISEND);
    account(from, rank, op);
    if (i == n_lying)
        ranks[from].done++;
    else
        memmove(&lying[i], &lying[i + 1], (size_t)(--n_lying - i) * sizeof lying[0]);
    return true;
}

static inline void compute(int rank, const struct op *op)
{
    bool adds = op->kernel == KERNEL_MATADD;
    expect("one call", rank, op->times, 1);
    expect("its role", rank, op->role, adds ? ROLE_CONTROL : ROLE_USEFUL);
    expect("its scope", rank, adds ? op->scope >= SCOPE_TRANSPOSITION : op->scope == SCOPE_MULTIPLICATION, true);
    ranks[rank].multiplied += adds ? 0 : (int64_t)op->m * op->n * op->k;
    ranks[rank].depth += adds ? 0 : op->k;
    ranks[rank].added += adds ? (int64_t)op->m * op->n : 0;
}

static inline bool has_lying(int rank)
{
    for (int i = 0; i < n_lying; i++)
        if (lying[i].from == rank)
            return true;
    return false;
}

static inline bool advance(const struct program *program, int rank)
{
    const struct op *op = next_op(program, rank);
    if (op == NULL || op->kind == OP_SEND || (op->kind == OP_WAIT && has_lying(rank)))
        return false;
    if (op->kind == OP_RECV && !receive(program, rank, op))
        return false;
    if (op->kind == OP_COMPUTE)
        compute(rank, op);
    if (op->kind == OP_ISEND) {
        CU_ASSERT_FATAL(n_lying < MAX_LYING);
        lying[n_lying].from = rank;
        lying[n_lying++].op = *op;
    }
    ranks[rank].done++;
    return true;
}

static inline void interpret(const struct program *program)
{
    memset(ranks, 0, sizeof ranks);
    memset(messages, 0, sizeof messages);
    memset(bytes, 0, sizeof bytes);
    n_lying = 0;
    for (bool going = true; going;) {
        going = false;
        for (int r = 0; r < row.n_ranks; r++)
            while (advance(program, r))
                going = true;
    }
    for (int r = 0; r < row.n_ranks; r++)
        expect("it ends", r, next_op(program, r) == NULL, true);
    expect("messages without a receive", -1, n_lying, 0);
}

/* How many of n indices a process of `count` has, one by one. */
static inline int64_t local_count(int n, int process, int count)
{
    int64_t own = 0;
    for (int i = 0; i < n; i++)
        own += i / row.block % count == process;
    return own;
}

#endif
