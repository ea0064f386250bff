/* HPL: the upper triangle is solved by columns, from the last block to the first (HPL, pdtrsv).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/hpl_internal.h"

/* The blocks that a step is between: the solution of `done` goes round its process column, and what it means for
 * the rows above goes to the column of the block before, `next`. */
struct hop {
    struct hpl_panel done, next;
};

int64_t hpl_solution_steps(const struct hpl *hpl)
{
    return hpl->n_panels + 1 + ceil_div(hpl_deal_rounds(hpl->rows), OP_LIST_MAX);
}

/* Rows above a block that the next blocks are of, as many as there are other process columns: they are needed first. */
static int64_t urgent_rows(const struct hpl_process *self, const struct hpl_panel *panel)
{
    int64_t reach = int64_max(self->hpl->columns - 1, 1) * self->hpl->block;
    return hpl_local_rows(self, int64_max(panel->begin - reach, 0), panel->begin);
}

/* The right-hand side goes to the process column of the last block, whose diagonal block is then solved. */
static void begin(const struct hpl_process *self)
{
    const struct hpl *hpl = self->hpl;
    const struct hpl_panel last = hpl_panel(hpl, hpl->n_panels - 1);
    int column = block_cyclic_owner(&hpl->column_map, hpl->n);
    int64_t rows = hpl_local_rows(self, 0, hpl->n);
    if (column != last.column && self->column == column)
        hpl_along_row(self, OP_SEND, last.column, rows, HPL_SCOPE_SOLUTION);
    else if (column != last.column && self->column == last.column)
        hpl_along_row(self, OP_RECV, column, rows, HPL_SCOPE_SOLUTION);
    if (self->column == last.column && self->row == last.row)
        hpl_call(self, HPL_MATADD, last.width, ceil_div(last.width, 2), 0, HPL_SCOPE_SOLUTION);
}

static void pass_solution(const struct hpl_process *self, const struct hop *hop)
{
    int rows = self->hpl->rows, me = hpl_distance(self->row, hop->done.row, rows);
    int above = (self->row + rows - 1) % rows;
    int64_t urgent = urgent_rows(self, &hop->done), all = hpl_local_rows(self, 0, hop->done.begin);
    if (me > 0)
        hpl_along_column(self, OP_RECV, (self->row + 1) % rows, hop->done.width, HPL_SCOPE_SOLUTION);
    else if (rows > 1)
        hpl_along_column(self, OP_SEND, above, hop->done.width, HPL_SCOPE_SOLUTION);
    hpl_call(self, HPL_MATADD, urgent, hop->done.width, 0, HPL_SCOPE_SOLUTION);
    if (self->hpl->columns > 1)
        hpl_along_row(self, OP_SEND, hop->next.column, urgent, HPL_SCOPE_SOLUTION);
    if (me > 1)
        hpl_along_column(self, OP_SEND, above, hop->done.width, HPL_SCOPE_SOLUTION);
    if (self->hpl->columns > 1)
        hpl_call(self, HPL_MATADD, all - urgent, hop->done.width, 0, HPL_SCOPE_SOLUTION);
}

static void hop_on(const struct hpl_process *self, int64_t number)
{
    const struct hpl *hpl = self->hpl;
    const struct hop hop = {hpl_panel(hpl, number), hpl_panel(hpl, number - 1)};
    if (self->column == hop.done.column)
        pass_solution(self, &hop);
    else if (self->column == hop.next.column)
        hpl_along_row(self, OP_RECV, hop.done.column, urgent_rows(self, &hop.done), HPL_SCOPE_SOLUTION);
    if (self->column == hop.next.column && self->row == hop.next.row)
        hpl_call(self, HPL_MATADD, hop.next.width, ceil_div(hop.next.width, 2), 0, HPL_SCOPE_SOLUTION);
}

/* The first block's solution goes to all of its process column, in a tree. */
static void replicate(const struct hpl_process *self, int64_t part)
{
    const struct hpl *hpl = self->hpl;
    const struct hpl_panel first = hpl_panel(hpl, 0);
    int rounds = hpl_deal_rounds(hpl->rows), me = hpl_distance(self->row, first.row, hpl->rows);
    for (int64_t r = part * OP_LIST_MAX; r < int64_min(rounds, (part + 1) * OP_LIST_MAX); r++) {
        const struct hpl_deal deal = hpl_deal_at(hpl->rows, me, (int)r);
        if (self->column != first.column || deal.partner < 0)
            continue;
        struct op *op = op_list_add(self->list, deal.sends ? OP_SEND : OP_RECV, HPL_SCOPE_SOLUTION);
        op->peer = hpl_place(deal.partner, first.row, hpl->rows) * hpl->columns + self->column;
        op->bytes = first.width * DOUBLE_BYTES;
        op->tag = HPL_TAG_COLLECTIVE;
    }
}

void hpl_solution(const struct hpl_process *self, int64_t step)
{
    int64_t n_panels = self->hpl->n_panels;
    if (step == 0)
        begin(self);
    else if (step < n_panels)
        hop_on(self, n_panels - step);
    else
        replicate(self, step - n_panels);
}
