/* The library's form of pdtrsm: who has what, and how data go through the grid. Point-to-point messages of the BLACS
 * are buffered, hence OP_ISEND; its rings and MPI's collectives are not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/pdtrsm_internal.h"

/* --- who has what --- */

int trsm_owner(const struct pdtrsm_library *call, int axis, int64_t index)
{
    return (int)(index / call->block % call->count[axis]);
}

static struct block_cyclic dealt(const struct pdtrsm_library *call, int axis, int64_t n)
{
    return (struct block_cyclic){n, call->block, call->count[axis], 0};
}

int64_t trsm_held(const struct pdtrsm_library *call, int axis, int coordinate, struct range range)
{
    const struct block_cyclic indices = dealt(call, axis, call->n);
    return block_cyclic_count_range(&indices, coordinate, range.from, range.to);
}

int64_t trsm_held_sides(const struct pdtrsm_library *call, int coordinate)
{
    const struct block_cyclic sides = dealt(call, 1 - call->side, call->m);
    return block_cyclic_count(&sides, coordinate);
}

bool trsm_spans(const struct pdtrsm_library *call, int axis, struct range range)
{
    return call->count[axis] > 1 && range.from / call->block != (range.to - 1) / call->block;
}

struct range trsm_piece_of(const struct pdtrsm_library *call, struct range range, bool cut, int64_t i)
{
    if (!cut)
        return i == 0 ? range : (struct range){range.to, range.to};
    int64_t first = range.from / call->block, last = (range.to - 1) / call->block;
    int64_t number = call->backward ? last - i : first + i;
    if (number < first || number > last)
        return (struct range){range.to, range.to};
    return (struct range){int64_max(range.from, number * call->block), int64_min(range.to, (number + 1) * call->block)};
}

struct range trsm_left_after(const struct pdtrsm_library *call, struct range range, struct range piece)
{
    return call->backward ? (struct range){range.from, piece.from} : (struct range){piece.to, range.to};
}

int trsm_further_on(const struct pdtrsm_library *call, int axis, int coordinate, int steps)
{
    int count = call->count[axis];
    return (coordinate + (call->backward ? -steps : steps) % count + count) % count;
}

/* --- ops --- */

void trsm_add_work(struct op_list *list, int kernel, int scope, int64_t m, int64_t n, int64_t k)
{
    if (m == 0 || n == 0 || (kernel == KERNEL_DGEMM && k == 0))
        return;
    op_list_call(list, scope, kernel, m, n, k);
    list->ops[list->count - 1].role = kernel == KERNEL_MATADD ? ROLE_CONTROL : ROLE_USEFUL;
}

int64_t trsm_sides_of_work(const struct pdtrsm_library *call, int64_t sides, int64_t n)
{
    return call->unit && n > 0 ? (2 * sides * (n - 1) + n) / (2 * n) : sides;
}

void trsm_add_solve(struct op_list *list, const struct pdtrsm_library *call, int64_t sides, int64_t n)
{
    trsm_add_work(list, KERNEL_DTRSM, SCOPE_SOLVE, trsm_sides_of_work(call, sides, n), n, 0);
}

void trsm_add_message(struct op_list *list, enum op_kind kind, int scope, int peer, int64_t elements)
{
    struct op *op = op_list_add(list, kind, scope);
    op->peer = peer;
    op->bytes = elements * DOUBLE_BYTES;
}

/* The rank that has another coordinate on one axis. */
static int peer_at(const struct pdtrsm_process *self, int axis, int coordinate)
{
    int columns = self->call->count[1];
    return axis == 0 ? coordinate * columns + self->at[1] : self->at[0] * columns + coordinate;
}

void trsm_add_move(const struct pdtrsm_process *self, int axis, int from, int to, int64_t elements, int scope)
{
    if (from == to || elements == 0)
        return;
    if (self->at[axis] == from)
        trsm_add_message(self->list, OP_ISEND, scope, peer_at(self, axis, to), elements);
    else if (self->at[axis] == to)
        trsm_add_message(self->list, OP_RECV, scope, peer_at(self, axis, from), elements);
}

/* --- broadcasts and sums --- */

static void add_ring(const struct pdtrsm_process *self, int axis, int root, int64_t elements)
{
    int next = trsm_further_on(self->call, axis, self->at[axis], 1),
        before = trsm_further_on(self->call, axis, self->at[axis], -1);
    if (self->at[axis] != root)
        trsm_add_message(self->list, OP_RECV, SCOPE_BROADCAST, peer_at(self, axis, before), elements);
    if (next != root)
        trsm_add_message(self->list, OP_SEND, SCOPE_BROADCAST, peer_at(self, axis, next), elements);
}

/* A round of a binomial tree: coordinates at distances from the root that are multiples of 2 `reach` and those `reach`
 * further. Up to the root what has come is added. */
static void add_round(const struct pdtrsm_process *self, int axis, int root, int64_t elements, int64_t reach, bool up)
{
    int count = self->call->count[axis], scope = up ? SCOPE_ACCUMULATE : SCOPE_BROADCAST;
    int64_t distance = (self->at[axis] - root + count) % count;
    bool near = distance % (2 * reach) == 0;
    if (distance % reach != 0 || (near && distance + reach >= count))
        return;
    int64_t other = (near ? distance + reach : distance - reach) + root;
    trsm_add_message(self->list, near == up ? OP_RECV : OP_SEND, scope, peer_at(self, axis, (int)(other % count)),
                     elements);
    self->list->ops[self->list->count - 1].tag = TAG_COLLECTIVE;
    if (near && up)
        trsm_add_work(self->list, KERNEL_MATADD, scope, 1, elements, 0);
}

int64_t trsm_sum_steps(const struct pdtrsm_library *call, int axis)
{
    int64_t rounds = 0;
    while (INT64_C(1) << rounds < call->count[axis])
        rounds++;
    return rounds;
}

void trsm_add_sum(const struct pdtrsm_process *self, int axis, int root, int64_t elements, int64_t step)
{
    if (elements > 0)
        add_round(self, axis, root, elements, INT64_C(1) << step, true);
}

int64_t trsm_broadcast_steps(const struct pdtrsm_library *call, int axis)
{
    return call->rings ? 1 : trsm_sum_steps(call, axis);
}

static void add_tree(const struct pdtrsm_process *self, int axis, int root, int64_t elements, int64_t step)
{
    add_round(self, axis, root, elements, INT64_C(1) << (trsm_sum_steps(self->call, axis) - 1 - step), false);
}

void trsm_add_broadcast(const struct pdtrsm_process *self, int axis, int root, int64_t elements, int64_t step)
{
    if (elements == 0 || self->call->count[axis] == 1)
        return;
    if (self->call->rings)
        add_ring(self, axis, root, elements);
    else
        add_tree(self, axis, root, elements, step);
}

/* --- gathering --- */

/* How many coordinates have some of a range. */
static int n_holders(const struct pdtrsm_library *call, int axis, struct range range)
{
    return (int)int64_min(call->count[axis], (range.to - 1) / call->block - range.from / call->block + 1);
}

static int first_holder(const struct pdtrsm_library *call, int axis, struct range range)
{
    return trsm_owner(call, axis, call->backward ? range.to - 1 : range.from);
}

int trsm_gathered_at(const struct pdtrsm_library *call, int axis, struct range range)
{
    return trsm_further_on(call, axis, first_holder(call, axis, range), n_holders(call, axis, range) - 1);
}

void trsm_add_gather(const struct pdtrsm_process *self, int axis, struct range range, int64_t length)
{
    const struct pdtrsm_library *call = self->call;
    int64_t indices = 0;
    int from = first_holder(call, axis, range);
    for (int i = 1; i < n_holders(call, axis, range); i++) {
        int to = trsm_further_on(call, axis, from, 1);
        indices += trsm_held(call, axis, from, range);
        trsm_add_move(self, axis, from, to, indices * length, SCOPE_BROADCAST);
        from = to;
    }
}

/* --- turning --- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* How many indices of the range have both owners. */
static int64_t held_by_both(const struct pdtrsm_library *call, struct range range, const int owners[2])
{
    int64_t count = 0;
    for (int end = 0; end < 2; end++) {
        int64_t n = end == 0 ? range.from : range.to;
        const struct block_cyclic rows = dealt(call, 0, n), columns = dealt(call, 1, n);
        count += (end == 0 ? -1 : 1) * block_cyclic_overlap(&rows, owners[0], &columns, owners[1]);
    }
    return count;
}

/* On a square grid each process exchanges one message with one other, and sends it first. All others go through pairs
 * of owners, one after the other. */
static bool is_square(const struct pdtrsm_library *call)
{
    return call->count[0] == call->count[1];
}

static int64_t count_pairs(const struct pdtrsm_library *call)
{
    return is_square(call) ? 2 * call->count[0] : (int64_t)call->count[0] * call->count[1];
}

/* The i-th pair of owners. The library goes along both axes at once, round after round, each time beginning one further
 * on the second one. It begins with the owners of the first index, but on a single row or column with coordinate 0. */
static void turn_pair(const struct pdtrsm_library *call, const struct turn *turn, int64_t i, int owners[2])
{
    int axis = turn->axis, other = 1 - axis;
    int64_t common = common_divisor(call->count[0], call->count[1]);
    int64_t period = (int64_t)call->count[0] * call->count[1] / common;
    int64_t first = call->count[0] > 1 && call->count[1] > 1 ? turn->range.from : 0;
    int64_t shift = is_square(call) ? 0 : i / period;
    owners[axis] = (int)((trsm_owner(call, axis, first) + i % period) % call->count[axis]);
    owners[other] = (int)((trsm_owner(call, other, first) + i % period + shift) % call->count[other]);
}

static void add_turn_pair(const struct pdtrsm_process *self, const struct turn *turn, int to, int64_t i)
{
    const struct pdtrsm_library *call = self->call;
    int axis = turn->axis, other = 1 - axis, owners[2], sender[2], receiver[2];
    turn_pair(call, turn, i, owners);
    sender[axis] = owners[axis];
    sender[other] = turn->at;
    receiver[axis] = to;
    receiver[other] = owners[other];
    bool sends = self->at[0] == sender[0] && self->at[1] == sender[1];
    bool receives = self->at[0] == receiver[0] && self->at[1] == receiver[1];
    if (sends == receives || (is_square(call) && sends != (i < call->count[0])))
        return;
    const int *peer = sends ? receiver : sender;
    int64_t elements = held_by_both(call, turn->range, owners) * turn->length;
    if (elements > 0)
        trsm_add_message(self->list, sends ? OP_ISEND : OP_RECV, SCOPE_BROADCAST, peer[0] * call->count[1] + peer[1],
                         elements);
}

/* On a single row or column, what is wanted everywhere is put together as a sum of parts that are zero elsewhere. */
static void add_turn_sum(const struct pdtrsm_process *self, const struct turn *turn, int64_t step)
{
    int64_t elements = (turn->range.to - turn->range.from) * turn->length;
    if (in_phase(&step, trsm_sum_steps(self->call, turn->axis)))
        trsm_add_sum(self, turn->axis, 0, elements, step);
    else if (in_phase(&step, trsm_sum_steps(self->call, turn->axis)))
        add_tree(self, turn->axis, 0, elements, step);
}

static int64_t pair_steps(const struct pdtrsm_library *call)
{
    return ceil_div(count_pairs(call), TURN_PAIRS);
}

int64_t trsm_turn_steps(const struct pdtrsm_library *call, int axis)
{
    return int64_max(pair_steps(call) + trsm_broadcast_steps(call, axis), 2 * trsm_sum_steps(call, axis));
}

void trsm_add_turn(const struct pdtrsm_process *self, const struct turn *turn, int64_t step)
{
    const struct pdtrsm_library *call = self->call;
    int axis = turn->axis, other = 1 - axis;
    int64_t first = step * TURN_PAIRS;
    if (turn->to == EVERYWHERE && call->count[other] == 1) {
        add_turn_sum(self, turn, step);
        return;
    }
    int to = turn->to == EVERYWHERE ? trsm_owner(call, axis, turn->range.from) : turn->to;
    if (in_phase(&step, pair_steps(call))) {
        for (int64_t i = first; i < int64_min(first + TURN_PAIRS, count_pairs(call)); i++)
            add_turn_pair(self, turn, to, i);
    } else if (turn->to == EVERYWHERE && in_phase(&step, trsm_broadcast_steps(call, axis))) {
        trsm_add_broadcast(self, axis, to, trsm_held(call, other, self->at[other], turn->range) * turn->length, step);
    }
}
