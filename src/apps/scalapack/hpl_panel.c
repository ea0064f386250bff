/* HPL: how a panel is factorized in its process column, and broadcast along the rows.
 *
 * Each column of the panel costs one exchange in which the process column finds the pivot, brings its row to all,
 * and the row that it changes places with to its process. Messages have the length of the panel's whole rows (HPL,
 * pdmxswp).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/hpl_internal.h"

enum { HEADER = 4 }; /* doubles that a pivot row is sent with: its value, its local, global index, its process */

/* --- factorization --- */

static int64_t steps_of_column(const struct hpl *hpl)
{
    int64_t steps = ceil_div(hpl_exchange_stages(hpl->rows), HPL_STAGES_OF_STEP);
    return steps > 0 ? steps : 1;
}

int64_t hpl_factorise_steps(const struct hpl *hpl)
{
    return hpl->block * steps_of_column(hpl);
}

/* The length of a message of the exchange. The process that has the result from the beginning is the one with the
 * diagonal block. It has one more row to send, its own, which is all that it sends those beyond the power of two. */
static int64_t row_length(enum hpl_stage stage, bool whole, int64_t width)
{
    if (stage == HPL_TAIL || (stage == HPL_FOLD && whole))
        return width;
    return HEADER + width + (stage == HPL_ROUND && whole ? width : 0);
}

static void add_stage(const struct hpl_process *self, const struct hpl_panel *panel, int number)
{
    const struct hpl *hpl = self->hpl;
    struct hpl_exchange part;
    int me = hpl_distance(self->row, panel->row, hpl->rows);
    enum hpl_stage stage = hpl_exchange_at(&part, hpl->rows, me, number);
    if (part.partner < 0)
        return;
    int row = hpl_place(part.partner, panel->row, hpl->rows);
    bool both = part.sends && part.receives;
    int64_t received = row_length(stage, part.receives_whole, panel->width);
    if (both)
        hpl_along_column(self, OP_IRECV, row, received, HPL_SCOPE_FACTORISATION);
    if (part.sends)
        hpl_along_column(self, OP_SEND, row, row_length(stage, part.sends_whole, panel->width),
                         HPL_SCOPE_FACTORISATION);
    if (both)
        op_list_add(self->list, OP_WAIT, HPL_SCOPE_FACTORISATION);
    else if (part.receives)
        hpl_along_column(self, OP_RECV, row, received, HPL_SCOPE_FACTORISATION);
}

/* The elimination with column `i` once its pivot is known: the columns up to the next multiple of the recursion's stop
 * are brought up to date one by one; there as many columns as have been finished last are, in one go. */
static void add_elimination(const struct hpl_process *self, int64_t rows, int64_t i, int64_t width)
{
    int64_t stop = self->hpl->stop, done = i + 1, left = width - done;
    if (done % stop != 0) {
        hpl_call(self, HPL_DGEMM, rows, int64_min(stop - done % stop, left), 1, HPL_SCOPE_FACTORISATION);
        return;
    }
    int64_t finished = stop;
    while (done % (2 * finished) == 0)
        finished *= 2;
    int64_t next = int64_min(finished, left);
    hpl_call(self, HPL_DTRSM, next, finished, 0, HPL_SCOPE_FACTORISATION);
    hpl_call(self, HPL_DGEMM, rows, next, finished, HPL_SCOPE_FACTORISATION);
}

void hpl_factorise(const struct hpl_process *self, const struct hpl_panel *panel, int64_t step)
{
    int64_t of_column = steps_of_column(self->hpl), i = step / of_column, part = step % of_column;
    if (i >= panel->width)
        return;
    int64_t rows = hpl_local_rows(self, panel->begin + i, self->hpl->n);
    int stages = hpl_exchange_stages(self->hpl->rows);
    if (part == 0)
        hpl_call(self, HPL_MATADD, rows, 1, 0, HPL_SCOPE_FACTORISATION); /* the search, and the division */
    for (int64_t s = part * HPL_STAGES_OF_STEP; s < int64_min(stages, (part + 1) * HPL_STAGES_OF_STEP); s++)
        add_stage(self, panel, (int)s);
    if (part == of_column - 1)
        add_elimination(self, rows, i, panel->width);
}

/* --- broadcast --- */

bool hpl_cast_is_ring(const struct hpl *hpl)
{
    return hpl->broadcast < HPL_LONG;
}

/* The panel's rows below the diagonal block, that block, the pivots, and a word that says if it is singular. */
static int64_t panel_length(const struct hpl_process *self, const struct hpl_panel *panel)
{
    return hpl_local_rows(self, panel->begin + panel->width, self->hpl->n) * panel->width +
           panel->width * panel->width + panel->width + 1;
}

/* A ring, or two, of which the second begins half-way; modified, the first receiver does not send on. */
struct ring {
    int count, second; /* the distance where the second one begins; 0: there is none */
    bool modified;
};

static struct ring ring_of(const struct hpl *hpl)
{
    int count = hpl->columns;
    bool two = hpl->broadcast == HPL_2RING || hpl->broadcast == HPL_2RING_MODIFIED;
    return (struct ring){.count = count,
                         .second = two ? (count + 1) / 2 : 0,
                         .modified = hpl->broadcast == HPL_1RING_MODIFIED || hpl->broadcast == HPL_2RING_MODIFIED};
}

static bool gets_from_root(const struct ring *ring, int me)
{
    return me == 1 || me == ring->second || (ring->modified && me == 2);
}

static bool sends_on(const struct ring *ring, int me)
{
    return me + 1 < ring->count && me + 1 != ring->second && !(ring->modified && me == 1);
}

/* The sends of a process that has the panel. */
static void add_sends(const struct hpl_process *self, const struct hpl_panel *panel, int me)
{
    const struct ring ring = ring_of(self->hpl);
    int64_t length = panel_length(self, panel);
    const int direct[] = {1, ring.modified ? 2 : 0, ring.second};
    if (me > 0 && sends_on(&ring, me))
        hpl_along_row(self, OP_SEND, hpl_place(me + 1, panel->column, ring.count), length, HPL_SCOPE_BROADCAST);
    for (int i = 0; i < 3 && me == 0; i++)
        if (direct[i] > 0 && direct[i] < ring.count && (i == 0 || direct[i] != direct[i - 1]) &&
            (i < 2 || direct[i] != direct[0]))
            hpl_along_row(self, OP_SEND, hpl_place(direct[i], panel->column, ring.count), length, HPL_SCOPE_BROADCAST);
}

static int source_in_ring(const struct hpl_process *self, const struct hpl_panel *panel, int me)
{
    const struct ring ring = ring_of(self->hpl);
    return hpl_place(gets_from_root(&ring, me) ? 0 : me - 1, panel->column, ring.count);
}

/* Take the panel in and send it on. */
static void pass_on(const struct hpl_process *self, const struct hpl_panel *panel, int me)
{
    hpl_along_row(self, OP_RECV, source_in_ring(self, panel, me), panel_length(self, panel), HPL_SCOPE_BROADCAST);
    add_sends(self, panel, me);
}

void hpl_probe(const struct hpl_process *self, const struct hpl_panel *panel, enum probe_mode mode)
{
    int me = hpl_distance(self->column, panel->column, self->hpl->columns), before = self->list->count;
    if (me == 0 || !hpl_cast_is_ring(self->hpl))
        return;
    struct op *probe = op_list_add(self->list, OP_PROBE, HPL_SCOPE_BROADCAST);
    probe->peer = self->row * self->hpl->columns + source_in_ring(self, panel, me);
    probe->mode = (uint8_t)mode;
    pass_on(self, panel, me);
    probe->guarded = self->list->count - before - 1;
}

/* The processes of the row that a long broadcast deals the panel out to: all, or modified all but the first after the
 * owner, which gets all of it before. */
struct members {
    int count, me; /* -1: not one of them */
    bool modified;
};

static struct members members_of(const struct hpl *hpl, int me)
{
    bool modified = hpl->broadcast == HPL_LONG_MODIFIED;
    return (struct members){.count = hpl->columns - modified,
                            .me = !modified || me == 0 ? me
                                  : me == 1            ? -1
                                                       : me - 1,
                            .modified = modified};
}

static int column_of(const struct hpl_process *self, const struct hpl_panel *panel, const struct members *members,
                     int member)
{
    return hpl_place(member + (members->modified && member > 0), panel->column, self->hpl->columns);
}

/* Pieces [from, to) of `length` doubles cut evenly, the last piece with the rest. There may be fewer doubles than
 * pieces. */
static int64_t pieces_length(int64_t length, int count, int from, int to)
{
    int64_t each = int64_max(length / count, 1);
    return (to == count ? length : int64_min(length, to * each)) - int64_min(length, from * each);
}

static void add_piece(const struct hpl_process *self, enum op_kind kind, int column, int64_t doubles)
{
    struct op *op = op_list_add(self->list, kind, HPL_SCOPE_BROADCAST);
    op->peer = self->row * self->hpl->columns + column;
    op->bytes = doubles * DOUBLE_BYTES;
    op->mode = kind == OP_RECV ? 0 : SEND_SYNCHRONOUS;
}

static void add_deal(const struct hpl_process *self, const struct hpl_panel *panel, const struct members *members,
                     int round)
{
    const struct hpl_deal deal = hpl_deal_at(members->count, members->me, round);
    if (deal.partner >= 0)
        add_piece(self, deal.sends ? OP_SEND : OP_RECV, column_of(self, panel, members, deal.partner),
                  pieces_length(panel_length(self, panel), members->count, deal.from, deal.to));
}

static void add_roll(const struct hpl_process *self, const struct hpl_panel *panel, const struct members *members,
                     int k)
{
    const struct hpl_roll roll = hpl_roll_at(members->count, members->me, k);
    int column = column_of(self, panel, members, roll.partner), count = members->count;
    int64_t length = panel_length(self, panel);
    add_piece(self, OP_ISEND, column, pieces_length(length, count, roll.sent, roll.sent + 1));
    add_piece(self, OP_RECV, column, pieces_length(length, count, roll.received, roll.received + 1));
    op_list_add(self->list, OP_WAIT, HPL_SCOPE_BROADCAST);
}

/* First what the first one after the owner gets in one piece, then a round in each step. */
static void cast_long(const struct hpl_process *self, const struct hpl_panel *panel, int me, int64_t step)
{
    const struct members members = members_of(self->hpl, me);
    int rounds = hpl_deal_rounds(members.count);
    if (step == 0 && members.modified && me < 2) {
        add_piece(self, me == 0 ? OP_SEND : OP_RECV, hpl_place(1 - me, panel->column, self->hpl->columns),
                  panel_length(self, panel));
    } else if (step > 0 && members.me >= 0 && members.count > 1) {
        if (step <= rounds)
            add_deal(self, panel, &members, (int)step - 1);
        else if (step - rounds < members.count)
            add_roll(self, panel, &members, (int)step - 1 - rounds);
    }
}

int64_t hpl_cast_steps(const struct hpl *hpl)
{
    return hpl_cast_is_ring(hpl) || hpl->columns == 1 ? 1 : hpl_deal_rounds(hpl->columns) + hpl->columns;
}

void hpl_cast(const struct hpl_process *self, const struct hpl_panel *panel, int64_t step)
{
    int me = hpl_distance(self->column, panel->column, self->hpl->columns);
    if (self->hpl->columns == 1)
        return;
    if (!hpl_cast_is_ring(self->hpl))
        cast_long(self, panel, me, step);
    else if (me == 0)
        add_sends(self, panel, 0);
    else if (self->hpl->looks_ahead)
        hpl_probe(self, panel, PROBE_FIRST);
    else
        pass_on(self, panel, me);
}
