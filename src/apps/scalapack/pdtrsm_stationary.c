/* Algorithm B of pdtrsm in PBLAS 2: A stays where it is. Lines and places are those of pdtrsm.c: a solved block goes
 * round the places of a line, the next one is solved in the next line.
 *
 * The right-hand sides of one process row or column after the other are taken in panels of about 32. A panel is brought
 * to the line that has the first block to be solved: moved there, where it is dealt over the places, or turned, where
 * it is dealt over the lines. It is solved in stretches of 64 times the least common multiple of lines and places.
 *
 * Within a stretch a line solves a block, and has it go round its places; what the next lines need first is updated and
 * sent on to the next line, then the rest. Between stretches the lines' sums for the next stretch are summed up by the
 * BLACS. In the end each line has X where it has solved it and zero elsewhere: one more sum brings it back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/pdtrsm_internal.h"

static int lines_of(const struct pdtrsm_library *call)
{
    return call->side == (call->transposed ? 0 : 1) ? 0 : 1;
}

static int64_t stretch_length(const struct pdtrsm_library *call)
{
    int64_t a = call->count[0], b = call->count[1], multiple = a;
    while (multiple % b != 0)
        multiple += a;
    return 2 * LIBRARY_PANEL * multiple;
}

/* --- panels of right-hand sides --- */

static int64_t panel_width(int64_t sides)
{
    return sides / ((sides - 1) / LIBRARY_PANEL + 1);
}

static int64_t piece_steps(const struct pdtrsm_library *call)
{
    return 2 + trsm_broadcast_steps(call, 1 - lines_of(call));
}

static int64_t stretch_steps(const struct pdtrsm_library *call)
{
    return call->n_pieces * piece_steps(call) + 2 + trsm_sum_steps(call, lines_of(call));
}

void pdtrsm_library_b_choose(struct pdtrsm_library *call)
{
    int lines = lines_of(call), owners = call->count[1 - call->side];
    call->n_chunks = 0;
    for (int i = 0; i < owners; i++) {
        int64_t sides = trsm_held_sides(call, i);
        if (sides > 0)
            call->n_chunks = int64_max(call->n_chunks, ceil_div(sides, panel_width(sides)));
    }
    call->n_panels = call->n_chunks * owners;
    call->n_pieces = int64_min(call->n - 1, stretch_length(call)) / call->block + 2;
    call->panel_steps = trsm_turn_steps(call, 0) + trsm_turn_steps(call, 1) + trsm_sum_steps(call, lines) +
                        ceil_div(call->n, stretch_length(call)) * stretch_steps(call);
}

struct panel {
    int lines, places; /* axes */
    int home;          /* coordinate of the owner of the right-hand sides */
    int64_t width;
    int work;    /* the line where the panel is brought to */
    bool spread; /* several lines have some of X in the end */
};

/* The library takes the owners in the order of the ring along which it broadcasts, if it is theirs. */
static struct panel panel_of(const struct pdtrsm_library *call, int64_t number)
{
    int lines = lines_of(call), axis = 1 - call->side, owners = call->count[axis];
    bool down = call->transposed && call->backward;
    int64_t turn = number / call->n_chunks, chunk = number % call->n_chunks;
    int home = (int)(down ? (trsm_owner(call, axis, call->m - 1) - turn + owners) % owners : turn);
    int64_t sides = trsm_held_sides(call, home), width = sides == 0 ? 0 : panel_width(sides);
    bool several = trsm_spans(call, lines, (struct range){0, call->n});
    return (struct panel){.lines = lines,
                          .places = 1 - lines,
                          .home = home,
                          .width = int64_max(0, int64_min(width, sides - chunk * width)),
                          .work = trsm_owner(call, lines, call->backward ? call->n - 1 : 0),
                          .spread =
                              several || (call->transposed && call->count[1 - lines] == 1 && call->count[lines] > 1)};
}

static void bring(const struct pdtrsm_process *self, const struct panel *panel, int64_t step)
{
    const struct range all = {0, self->call->n};
    if (self->call->transposed)
        trsm_add_turn(self, &(struct turn){panel->lines, panel->home, panel->work, all, panel->width}, step);
    else if (step == 0)
        trsm_add_move(self, panel->lines, panel->home, panel->work,
                      trsm_held(self->call, panel->places, self->at[panel->places], all) * panel->width,
                      SCOPE_BROADCAST);
}

static void bring_back(const struct pdtrsm_process *self, const struct panel *panel, int64_t step)
{
    const struct range all = {0, self->call->n};
    if (self->call->transposed)
        trsm_add_turn(self, &(struct turn){panel->places, panel->work, panel->home, all, panel->width}, step);
    else if (step == 0 && !panel->spread)
        trsm_add_move(self, panel->lines, panel->work, panel->home,
                      trsm_held(self->call, panel->places, self->at[panel->places], all) * panel->width,
                      SCOPE_BROADCAST);
}

/* --- a stretch --- */

/* The indices after a piece of a stretch whose sums go on to the next line: those of the next lines but this one. */
static struct range ahead_of(const struct pdtrsm_library *call, int lines, struct range stretch, struct range piece)
{
    struct range ahead = trsm_left_after(call, stretch, piece);
    int64_t length = int64_max(1, call->count[lines] - 1) * call->block;
    if (call->backward)
        ahead.from = int64_max(ahead.from, ahead.to - length);
    else
        ahead.to = int64_min(ahead.to, ahead.from + length);
    return ahead;
}

/* Update what the next lines need with the piece before, and send it on to the line of this one. */
static void pass_on(const struct pdtrsm_process *self, const struct panel *panel, int from, int to, int64_t ahead,
                    int64_t size)
{
    if (self->at[panel->lines] == from)
        trsm_add_work(self->list, KERNEL_DGEMM, SCOPE_UPDATE, panel->width, ahead, size);
    trsm_add_move(self, panel->lines, from, to, panel->width * ahead, SCOPE_ACCUMULATE);
    if (self->at[panel->lines] == to && from != to)
        trsm_add_work(self->list, KERNEL_MATADD, SCOPE_ACCUMULATE, panel->width, ahead, 0);
}

static void solve_piece(const struct pdtrsm_process *self, const struct panel *panel, struct range stretch,
                        int64_t number, int64_t step)
{
    const struct pdtrsm_library *call = self->call;
    int place = self->at[panel->places];
    bool cut = trsm_spans(call, 0, stretch) || trsm_spans(call, 1, stretch);
    struct range piece = trsm_piece_of(call, stretch, cut, number), before = piece;
    if (piece.from == piece.to)
        return;
    if (number > 0)
        before = trsm_piece_of(call, stretch, cut, number - 1);
    int line = trsm_owner(call, panel->lines, piece.from), line_before = trsm_owner(call, panel->lines, before.from);
    int64_t size = piece.to - piece.from, size_before = number > 0 ? before.to - before.from : 0;
    int64_t ahead =
        number > 0 ? trsm_held(call, panel->places, place, ahead_of(call, panel->lines, stretch, before)) : 0;
    bool solves = self->at[panel->lines] == line,
         goes_round = trsm_spans(call, panel->places, (struct range){0, call->n});
    int solver = trsm_owner(call, panel->places, piece.from);
    if (in_phase(&step, 1)) {
        pass_on(self, panel, line_before, line, ahead, size_before);
        trsm_add_solve(self->list, call, panel->width, solves && place == solver ? size : 0);
    } else if (in_phase(&step, trsm_broadcast_steps(call, panel->places))) {
        trsm_add_broadcast(self, panel->places, solver, solves && goes_round ? panel->width * size : 0, step);
    } else if (self->at[panel->lines] == line_before) {
        int64_t left = trsm_held(call, panel->places, place, trsm_left_after(call, stretch, before));
        trsm_add_work(self->list, KERNEL_DGEMM, SCOPE_UPDATE, panel->width, number > 0 ? left - ahead : 0, size_before);
    }
}

static struct range stretch_of(const struct pdtrsm_library *call, int64_t number)
{
    int64_t length = stretch_length(call), last = (call->n - 1) / length;
    int64_t from = (call->backward ? last - number : number) * length;
    return (struct range){from, int64_min(call->n, from + length)};
}

/* Update what comes after a stretch with all that has been solved in it; the next stretch first, whose sums are then
 * brought to the line that begins it. */
static void update_rest(const struct pdtrsm_process *self, const struct panel *panel, int64_t number, int64_t step)
{
    const struct pdtrsm_library *call = self->call;
    struct range stretch = stretch_of(call, number), rest = trsm_left_after(call, (struct range){0, call->n}, stretch);
    if (rest.from == rest.to)
        return;
    struct range next = panel->spread ? stretch_of(call, number + 1) : (struct range){rest.from, rest.from};
    int place = self->at[panel->places],
        root = trsm_owner(call, panel->lines, call->backward ? rest.to - 1 : rest.from);
    int64_t solved = trsm_held(call, panel->lines, self->at[panel->lines], stretch);
    int64_t n_next = trsm_held(call, panel->places, place, next), n_rest = trsm_held(call, panel->places, place, rest);
    if (in_phase(&step, 1))
        trsm_add_work(self->list, KERNEL_DGEMM, SCOPE_UPDATE, panel->width, n_next, solved);
    else if (in_phase(&step, trsm_sum_steps(call, panel->lines)))
        trsm_add_sum(self, panel->lines, root, n_next * panel->width, step);
    else
        trsm_add_work(self->list, KERNEL_DGEMM, SCOPE_UPDATE, panel->width, n_rest - n_next, solved);
}

static void emit_stretch(const struct pdtrsm_process *self, const struct panel *panel, int64_t number, int64_t step)
{
    int64_t each = piece_steps(self->call);
    if (in_phase(&step, self->call->n_pieces * each))
        solve_piece(self, panel, stretch_of(self->call, number), step / each, step % each);
    else
        update_rest(self, panel, number, step);
}

void pdtrsm_library_b_emit(const struct pdtrsm_process *self, int64_t number, int64_t step)
{
    const struct pdtrsm_library *call = self->call;
    const struct panel panel = panel_of(call, number);
    int64_t each = stretch_steps(call), stretches = ceil_div(call->n, stretch_length(call));
    if (panel.width == 0)
        return;
    if (in_phase(&step, trsm_turn_steps(call, panel.lines))) {
        bring(self, &panel, step);
    } else if (in_phase(&step, stretches * each)) {
        emit_stretch(self, &panel, step / each, step % each);
    } else if (in_phase(&step, trsm_sum_steps(call, panel.lines))) {
        int64_t own = trsm_held(call, panel.places, self->at[panel.places], (struct range){0, call->n});
        trsm_add_sum(self, panel.lines, call->transposed ? panel.work : panel.home,
                     panel.spread ? own * panel.width : 0, step);
    } else {
        bring_back(self, &panel, step);
    }
}
