/* pdtrsm as PBLAS 2 does it (ScaLAPACK 2.2.1). It has two algorithms, and by an estimate of what each moves it takes
 * the one or the other.
 *
 * AB takes A in panels of 32 (pilaenv) columns, whatever the blocks. A panel that lies in several process columns is
 * gathered in one of them, then broadcast along the process rows. The panel's part of X is solved by the process row
 * that has it, or, where the panel has been cut by the blocks, by one after the other. Then X is broadcast along the
 * process columns, and everybody updates its part of the rest of B. So it is for A X = B; for X A = B rows and columns
 * change places. With A transposed, panels of rows have to be turned into columns first; or else the algorithm is a
 * left-looking one: each panel's products with what has been solved are summed up by the BLACS, and within a cut panel
 * the sums go on from one process to the next. It takes the latter where it estimates it to be cheaper.
 *
 * B leaves A where it is: see apps/scalapack/pdtrsm_stationary.c.
 *
 * Broadcasts go round in rings in the direction of the solution. Only AB for m or n up to 32 leaves the topology as it
 * is: MPI_Bcast. Sums are always MPI_Reduce, or MPI_Allreduce. Collectives of MPI are binomial trees here, with the tag
 * TAG_COLLECTIVE; which tree MPI takes is its own affair (docs/explain/models/scalapack.md).
 *
 * No circle of waits can arise, even if every OP_SEND waits for its receive: all processes of a ring or tree go through
 * the same ones in the same order, and all else is sent by OP_ISEND. Their requests are waited for at the very end.
 *
 * Adding costs time, copying does not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/pdtrsm_internal.h"

/* --- what the library would do --- */

/* The most that a coordinate may have of n, in whole blocks (DNROC). */
static double most_held(const struct pdtrsm_library *call, int axis, int64_t n)
{
    return (double)(ceil_div(ceil_div(n, call->block), call->count[axis]) * call->block);
}

/* The library's estimates of the elements to be moved, term by term: AB left- and right-looking, and B. */
struct estimate {
    double left, right, b;
};

static struct estimate estimate(const struct pdtrsm_library *call)
{
    int side = call->side, other = 1 - side;
    bool several[2] = {call->count[0] > 1, call->count[1] > 1};
    double n = (double)call->n, blocks = (double)(ceil_div(call->n, call->block) * call->block);
    double a = several[other] ? most_held(call, side, call->n) / 2 : 0;
    double x = several[side] ? most_held(call, other, call->m) : 0;
    double most = most_held(call, call->count[0] < call->count[1] ? 0 : 1, call->n);
    if (!call->transposed) /* the columns' 1 is not multiplied, whichever the side */
        return (struct estimate){
            .left = n * (a + x), .right = n * (a + x), .b = (double)call->m * (blocks * several[0] + several[1])};
    return (struct estimate){.left = n * (a + 1.3 * x),
                             .right = n * (a + x + most / 2),
                             .b = (double)call->m * (blocks * (several[0] + several[1]) + most)};
}

static int64_t count_panels(const struct pdtrsm_library *call)
{
    if (call->form == FORM_RIGHT)
        return ceil_div(call->n, LIBRARY_PANEL);
    int64_t first = call->backward ? (call->n - 1) % call->block + 1 : int64_min(call->block, call->n);
    return 1 + ceil_div(call->n - first, LIBRARY_PANEL);
}

/* How many steps a panel's phases have. */
static int64_t spread_steps(const struct pdtrsm_library *call)
{
    int other = 1 - call->side;
    bool turned = call->transposed && call->form == FORM_RIGHT;
    return turned ? trsm_turn_steps(call, other) : int64_max(1, trsm_broadcast_steps(call, other));
}

static int64_t piece_steps(const struct pdtrsm_library *call)
{
    return call->form == FORM_RIGHT ? 2 + trsm_broadcast_steps(call, call->side) : 1;
}

static int64_t replicate_steps(const struct pdtrsm_library *call)
{
    return int64_max(1, trsm_broadcast_steps(call, call->side));
}

void pdtrsm_library_choose(struct pdtrsm_library *call)
{
    const struct estimate moved = estimate(call);
    bool both_large = call->m > LIBRARY_PANEL && call->n > LIBRARY_PANEL;
    bool b = moved.left > 2 * moved.b && moved.right > 2 * moved.b;
    bool left = call->transposed && both_large && moved.left <= moved.right;
    call->form = b ? FORM_B : left ? FORM_LEFT : FORM_RIGHT;
    call->rings = b || both_large;
    if (b) {
        pdtrsm_library_b_choose(call);
        return;
    }
    call->n_panels = count_panels(call);
    call->n_pieces = int64_min(call->n, LIBRARY_PANEL - 1) / call->block + 2;
    call->panel_steps = 1 + spread_steps(call) + call->n_pieces * piece_steps(call) + 1;
    call->panel_steps += left ? trsm_sum_steps(call, call->side) : replicate_steps(call);
}

/* --- a panel of A --- */

struct panel {
    struct range columns; /* or rows, in X A: what is solved */
    struct range rows;    /* of A, with which they are in the triangle */
    struct range rest;    /* rows without the columns: what is updated, or has been solved */
    bool first, cut;
    int64_t sides; /* right-hand sides of this process */
};

/* The columns of a panel. Left-looking, the first one is the whole first block. */
static struct range panel_columns(const struct pdtrsm_library *call, int64_t number)
{
    int64_t from = 0, to = call->n;
    if (call->form == FORM_LEFT) {
        const struct range all = {0, call->n}, first = trsm_piece_of(call, all, true, 0),
                           left = trsm_left_after(call, all, first);
        if (number-- == 0)
            return first;
        from = left.from;
        to = left.to;
    }
    int64_t last = (to - from - 1) / LIBRARY_PANEL;
    from += LIBRARY_PANEL * (call->backward ? last - number : number);
    return (struct range){from, int64_min(to, from + LIBRARY_PANEL)};
}

static struct panel panel_of(const struct pdtrsm_process *self, int64_t number)
{
    const struct pdtrsm_library *call = self->call;
    struct range columns = panel_columns(call, number), rows = columns, rest;
    bool below = call->backward == (call->form == FORM_LEFT); /* the rows go on to the last one */
    if (below)
        rows.to = call->n;
    else
        rows.from = 0;
    rest = below ? (struct range){columns.to, rows.to} : (struct range){rows.from, columns.from};
    return (struct panel){.columns = columns,
                          .rows = rows,
                          .rest = rest,
                          .first = number == 0,
                          .cut = trsm_spans(call, call->side, columns),
                          .sides = trsm_held_sides(call, self->at[1 - call->side])};
}

/* A transposed panel that is right-looking consists of rows of A, and so lies across. */
static bool lies_across(const struct pdtrsm_library *call)
{
    return call->transposed && call->form == FORM_RIGHT;
}

static void gather_panel(const struct pdtrsm_process *self, const struct panel *panel)
{
    int axis = lies_across(self->call) ? self->call->side : 1 - self->call->side;
    trsm_add_gather(self, axis, panel->columns, trsm_held(self->call, 1 - axis, self->at[1 - axis], panel->rows));
}

/* Bring the panel to all who have right-hand sides: all process columns, or the first one alone. */
static void spread_panel(const struct pdtrsm_process *self, const struct panel *panel, int64_t step)
{
    const struct pdtrsm_library *call = self->call;
    int side = call->side, other = 1 - side, from = trsm_gathered_at(call, other, panel->columns);
    bool everywhere = call->count[other] > 1 && call->m > call->block;
    int64_t width = panel->columns.to - panel->columns.from;
    int64_t elements = width * trsm_held(call, side, self->at[side], panel->rows);
    if (lies_across(call)) {
        const struct turn turn = {other, trsm_gathered_at(call, side, panel->columns), everywhere ? EVERYWHERE : 0,
                                  panel->rows, width};
        trsm_add_turn(self, &turn, step);
    } else if (everywhere) {
        trsm_add_broadcast(self, other, from, elements, step);
    } else if (step == 0) {
        trsm_add_move(self, other, from, 0, elements, SCOPE_BROADCAST);
    }
}

/* --- right-looking --- */

/* A piece of X that this process has solved is updated with the piece before, solved and broadcast; what the process
 * has of the later pieces is updated while the broadcast goes on, or before it comes. */
static void solve_piece(const struct pdtrsm_process *self, const struct panel *panel, int64_t number, int64_t step)
{
    const struct pdtrsm_library *call = self->call;
    int side = call->side;
    struct range piece = trsm_piece_of(call, panel->columns, panel->cut, number);
    if (piece.from == piece.to || panel->sides == 0)
        return;
    int solver = trsm_owner(call, side, piece.from);
    int64_t size = piece.to - piece.from, before = 0;
    if (number > 0) {
        struct range solved = trsm_piece_of(call, panel->columns, panel->cut, number - 1);
        before = solved.to - solved.from;
    }
    int64_t later = trsm_held(call, side, self->at[side], trsm_left_after(call, panel->columns, piece));
    bool solves = self->at[side] == solver;
    if (in_phase(&step, 1)) {
        trsm_add_work(self->list, KERNEL_DGEMM, SCOPE_UPDATE, panel->sides, solves ? size : later, before);
        trsm_add_solve(self->list, call, panel->sides, solves ? size : 0);
    } else if (in_phase(&step, trsm_broadcast_steps(call, side))) {
        trsm_add_broadcast(self, side, solver, panel->cut ? panel->sides * size : 0, step);
    } else if (solves) {
        trsm_add_work(self->list, KERNEL_DGEMM, SCOPE_UPDATE, panel->sides, later, before);
    }
}

/* Bring the solved part of X to all who have some of the rest. In a cut panel all have it. */
static void replicate_solution(const struct pdtrsm_process *self, const struct panel *panel, int64_t step)
{
    const struct pdtrsm_library *call = self->call;
    int side = call->side, from = trsm_owner(call, side, panel->columns.from);
    int64_t elements = panel->sides * (panel->columns.to - panel->columns.from);
    if (panel->cut || panel->rest.from == panel->rest.to)
        return;
    if (trsm_spans(call, side, panel->rest))
        trsm_add_broadcast(self, side, from, elements, step);
    else if (step == 0)
        trsm_add_move(self, side, from, trsm_owner(call, side, panel->rest.from), elements, SCOPE_BROADCAST);
}

static void emit_right(const struct pdtrsm_process *self, const struct panel *panel, int64_t step)
{
    const struct pdtrsm_library *call = self->call;
    int64_t each = piece_steps(call);
    if (in_phase(&step, call->n_pieces * each))
        solve_piece(self, panel, step / each, step % each);
    else if (in_phase(&step, replicate_steps(call)))
        replicate_solution(self, panel, step);
    else
        trsm_add_work(self->list, KERNEL_DGEMM, SCOPE_UPDATE, panel->sides,
                      trsm_held(call, call->side, self->at[call->side], panel->rest),
                      panel->columns.to - panel->columns.from);
}

/* --- left-looking --- */

/* A piece takes over the sums, is solved, and adds its products to the sums of the later pieces, which go on. */
static void solve_sums(const struct pdtrsm_process *self, const struct panel *panel, int64_t number)
{
    const struct pdtrsm_library *call = self->call;
    struct range piece = trsm_piece_of(call, panel->columns, panel->cut, number);
    if (piece.from == piece.to)
        return;
    struct range later = trsm_left_after(call, panel->columns, piece);
    int solver = trsm_owner(call, call->side, piece.from);
    int64_t size = piece.to - piece.from, n_later = later.to - later.from;
    if (self->at[call->side] == solver) {
        trsm_add_work(self->list, KERNEL_MATADD, SCOPE_ACCUMULATE, panel->sides, panel->first ? 0 : size, 0);
        trsm_add_solve(self->list, call, panel->sides, size);
        trsm_add_work(self->list, KERNEL_DGEMM, SCOPE_UPDATE, panel->sides, panel->cut ? n_later : 0, size);
    }
    if (panel->cut)
        trsm_add_move(self, call->side, solver, trsm_further_on(call, call->side, solver, 1), panel->sides * n_later,
                      SCOPE_ACCUMULATE);
}

static void emit_left(const struct pdtrsm_process *self, const struct panel *panel, int64_t step)
{
    const struct pdtrsm_library *call = self->call;
    int side = call->side;
    int64_t width = panel->columns.to - panel->columns.from;
    int root = trsm_owner(call, side, call->backward ? panel->columns.to - 1 : panel->columns.from);
    if (in_phase(&step, 1))
        trsm_add_work(self->list, KERNEL_DGEMM, SCOPE_UPDATE, panel->sides, panel->first ? 0 : width,
                      trsm_held(call, side, self->at[side], panel->rest));
    else if (in_phase(&step, trsm_sum_steps(call, side)))
        trsm_add_sum(self, side, root, panel->first ? 0 : panel->sides * width, step);
    else
        solve_sums(self, panel, step);
}

/* --- all --- */

static void emit_ab(const struct pdtrsm_process *self, int64_t number, int64_t step)
{
    const struct panel panel = panel_of(self, number);
    if (in_phase(&step, 1))
        gather_panel(self, &panel);
    else if (in_phase(&step, spread_steps(self->call)))
        spread_panel(self, &panel, step);
    else if (self->call->form == FORM_RIGHT)
        emit_right(self, &panel, step);
    else
        emit_left(self, &panel, step);
}

bool pdtrsm_library_emit(const struct pdtrsm_library *call, int rank, int64_t step, struct op_list *list)
{
    int64_t panel = step / call->panel_steps;
    if (rank / call->count[1] >= call->count[0] || step > call->n_panels * call->panel_steps)
        return false;
    const struct pdtrsm_process self = {call, {rank / call->count[1], rank % call->count[1]}, list};
    if (panel == call->n_panels)
        op_list_add(list, OP_WAIT, SCOPE_NONE);
    else if (call->form == FORM_B)
        pdtrsm_library_b_emit(&self, panel, step % call->panel_steps);
    else
        emit_ab(&self, panel, step % call->panel_steps);
    return true;
}
