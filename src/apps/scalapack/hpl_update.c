/* HPL: the rows that the pivots name change places with those at the top, the former come to all processes of a
 * column as U, and the columns behind the panel are updated. Meanwhile processes look whether the next panel has
 * come.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/hpl_internal.h"

#include <stddef.h>

/* --- the exchange of rows, each process sending all that it has (HPL, pdlaswp00) --- */

/* How many rows the process at that distance gives. */
static int64_t rows_of(const struct hpl *hpl, const struct hpl_layout *layout, const struct hpl_panel *panel,
                       int distance)
{
    int row = hpl_place(distance, panel->row, hpl->rows), place = 0;
    while (layout->map[place] != row)
        place++;
    return distance == 0 ? 0 : layout->from[place + 1] - layout->from[place];
}

/* How many it has gathered before a round in which it sends them: those of 2^k processes, each with what the one beyond
 * the power of two has given it. */
static int64_t gathered(const struct hpl *hpl, const struct hpl_panel *panel, int distance, enum hpl_stage stage, int k)
{
    const struct hpl_layout layout = hpl_layout(hpl, panel->number);
    if (stage == HPL_FOLD)
        return rows_of(hpl, &layout, panel, distance);
    int power = hpl_power_below(hpl->rows), first = distance & ~((1 << k) - 1);
    int64_t rows = 0;
    for (int i = first; i < first + (1 << k); i++)
        rows += rows_of(hpl, &layout, panel, i) +
                (i > 0 && i + power < hpl->rows ? rows_of(hpl, &layout, panel, i + power) : 0);
    return rows;
}

/* Rows are sent with a word each that says where they go, but for U. */
static int64_t swap_length(const struct hpl *hpl, const struct hpl_update *update, int sender, bool whole,
                           enum hpl_stage stage, int k)
{
    return whole ? update->panel->width * update->width
                 : gathered(hpl, update->panel, sender, stage, k) * (update->width + 1);
}

static void add_exchange(const struct hpl_process *self, const struct hpl_update *update, int number)
{
    const struct hpl *hpl = self->hpl;
    const struct hpl_panel *panel = update->panel;
    struct hpl_exchange part;
    int me = hpl_distance(self->row, panel->row, hpl->rows);
    enum hpl_stage stage = hpl_exchange_at(&part, hpl->rows, me, number);
    if (part.partner < 0)
        return;
    int row = hpl_place(part.partner, panel->row, hpl->rows);
    int64_t sent = part.sends ? swap_length(hpl, update, me, part.sends_whole, stage, number - 1) : 0;
    int64_t received =
        part.receives ? swap_length(hpl, update, part.partner, part.receives_whole, stage, number - 1) : 0;
    bool both = sent > 0 && received > 0;
    if (received > 0 && both)
        hpl_along_column(self, OP_IRECV, row, received, HPL_SCOPE_SWAP);
    hpl_along_column(self, OP_SEND, row, sent, HPL_SCOPE_SWAP);
    if (both)
        op_list_add(self->list, OP_WAIT, HPL_SCOPE_SWAP);
    else
        hpl_along_column(self, OP_RECV, row, received, HPL_SCOPE_SWAP);
}

/* --- dealt out and rolled (HPL, pdlaswp01) --- */

static int place_of(const struct hpl_process *self, const struct hpl_layout *layout)
{
    int place = 0;
    while (layout->map[place] != self->row)
        place++;
    return place;
}

/* In an even share the first places have one row more. */
static int64_t even_from(int64_t total, int count, int64_t place)
{
    return place * (total / count) + int64_min(place, total % count);
}

/* True if all places but the last, at which HPL does not look, have an even share. */
static bool is_even(const struct hpl *hpl, const struct hpl_layout *layout)
{
    int64_t least = layout->from[hpl->rows] / hpl->rows;
    int64_t most = ceil_div(layout->from[hpl->rows], hpl->rows);
    for (int i = 0; i < hpl->rows - 1; i++) {
        int64_t rows = layout->from[i + 1] - layout->from[i];
        if (rows != least && rows != most)
            return false;
    }
    return true;
}

/* Where the rows begin that place i rolls. */
static int64_t rolled_from(const struct hpl *hpl, const struct hpl_layout *layout, int i)
{
    bool shared = hpl->equilibrates && hpl->rows > 2 && !is_even(hpl, layout);
    return shared ? even_from(layout->from[hpl->rows], hpl->rows, i) : layout->from[i];
}

/* A round of dealing out to the right or the left of place `source` what begins, of each place i, at from[i]. To
 * the left HPL sends what is dealt to one place more. */
static void add_deal(const struct hpl_process *self, const struct hpl_layout *layout, const int64_t *from, int source,
                     bool leftwards, int round, int64_t width)
{
    int me = place_of(self, layout), count = leftwards ? source + 1 : self->hpl->rows - source;
    int at = leftwards ? source - me : me - source;
    if (at < 0 || count == 1 || round >= hpl_deal_rounds(count))
        return;
    const struct hpl_deal deal = hpl_deal_at(count, at, round);
    if (deal.partner < 0)
        return;
    int bit = deal.partner ^ at;
    int64_t rows = leftwards ? from[source - deal.from + 1] - from[int64_max(source - deal.from - bit, 0)]
                             : from[source + deal.to] - from[source + deal.from];
    int partner = leftwards ? source - deal.partner : source + deal.partner;
    hpl_along_column(self, deal.sends ? OP_SEND : OP_RECV, layout->map[partner], rows * width, HPL_SCOPE_SWAP);
}

/* The part that each place gets of the rows of `source` when all shall have even shares: cut[i] is where it begins. */
static void cut_even(const struct hpl *hpl, const struct hpl_layout *layout, int source, int64_t *cut)
{
    int64_t at = layout->from[source], end = layout->from[source + 1];
    for (int i = 0; i < hpl->rows; i++) {
        cut[i] = at;
        at = int64_max(at, int64_min(end, even_from(layout->from[hpl->rows], hpl->rows, i + 1)));
    }
    cut[hpl->rows] = at;
}

/* Some rounds of one place's sending its surplus to one side. */
static void add_equilibration(const struct hpl_process *self, const struct hpl_layout *layout, int source,
                              bool leftwards, int first_round, const struct hpl_update *update)
{
    const struct hpl *hpl = self->hpl;
    int64_t total = layout->from[hpl->rows], begin = layout->from[source], end = layout->from[source + 1];
    bool left = begin < even_from(total, hpl->rows, source), right = even_from(total, hpl->rows, source + 1) < end;
    if (begin == end || !(leftwards ? left : right))
        return;
    int64_t cut[HPL_MAX_ROWS + 1];
    cut_even(hpl, layout, source, cut);
    for (int r = first_round; r < first_round + HPL_ROUNDS_OF_STEP; r++)
        add_deal(self, layout, cut, source, leftwards, r, update->width);
    if (update->awaited != NULL)
        hpl_probe(self, update->awaited, PROBE_AGAIN);
}

static void add_roll(const struct hpl_process *self, const struct hpl_layout *layout, int k, int64_t width)
{
    const struct hpl *hpl = self->hpl;
    const struct hpl_roll roll = hpl_roll_at(hpl->rows, place_of(self, layout), k);
    int row = layout->map[roll.partner];
    int64_t sent = rolled_from(hpl, layout, roll.sent + 1) - rolled_from(hpl, layout, roll.sent);
    int64_t received = rolled_from(hpl, layout, roll.received + 1) - rolled_from(hpl, layout, roll.received);
    hpl_along_column(self, OP_IRECV, row, received * width, HPL_SCOPE_SWAP);
    hpl_along_column(self, OP_SEND, row, sent * width, HPL_SCOPE_SWAP);
    if (received > 0)
        op_list_add(self->list, OP_WAIT, HPL_SCOPE_SWAP);
}

/* --- one or the other --- */

static int64_t parts(const struct hpl *hpl)
{
    return ceil_div(hpl_deal_rounds(hpl->rows), HPL_ROUNDS_OF_STEP);
}

static int64_t spread_steps(const struct hpl *hpl)
{
    return parts(hpl) * (1 + 2 * hpl->rows) + hpl->rows - 1;
}

int64_t hpl_swap_steps(const struct hpl *hpl)
{
    if (hpl->rows == 1)
        return 1;
    int64_t exchange = hpl_exchange_stages(hpl->rows);
    return 1 + (hpl->swap == HPL_EXCHANGE ? exchange : int64_max(spread_steps(hpl), exchange));
}

static void spread(const struct hpl_process *self, const struct hpl_update *update, int64_t step)
{
    const struct hpl *hpl = self->hpl;
    const struct hpl_layout layout = hpl_layout(hpl, update->panel->number);
    int64_t n_parts = parts(hpl), equilibration = n_parts * 2 * hpl->rows;
    if (step < n_parts) {
        int64_t from[HPL_MAX_ROWS + 1];
        for (int i = 0; i <= hpl->rows; i++)
            from[i] = layout.from[i];
        for (int64_t r = step * HPL_ROUNDS_OF_STEP; r < (step + 1) * HPL_ROUNDS_OF_STEP; r++)
            add_deal(self, &layout, from, 0, false, (int)r, update->width);
    } else if (step - n_parts < equilibration) {
        int64_t at = step - n_parts, source = at / (2 * n_parts), rest = at % (2 * n_parts);
        if (hpl->equilibrates && hpl->rows > 2 && !is_even(hpl, &layout))
            add_equilibration(self, &layout, (int)source, rest < n_parts, (int)(rest % n_parts) * HPL_ROUNDS_OF_STEP,
                              update);
        return;
    } else if (step - n_parts - equilibration < hpl->rows - 1) {
        add_roll(self, &layout, (int)(step - n_parts - equilibration), update->width);
    }
    if (update->awaited != NULL && step < spread_steps(hpl))
        hpl_probe(self, update->awaited, PROBE_AGAIN);
}

void hpl_swap(const struct hpl_process *self, const struct hpl_update *update, int64_t step)
{
    const struct hpl *hpl = self->hpl;
    if (update->width == 0)
        return;
    if (step == hpl->steps[HPL_SWAP] - 1) /* U is put in order */
        hpl_call(self, HPL_MATADD, update->panel->width, update->width, 0, HPL_SCOPE_SWAP);
    else if (hpl->swap == HPL_SPREAD || (hpl->swap == HPL_MIX && update->width > hpl->threshold))
        spread(self, update, step);
    else if (step < hpl_exchange_stages(hpl->rows)) {
        add_exchange(self, update, (int)step);
        if (update->awaited != NULL)
            hpl_probe(self, update->awaited, PROBE_AGAIN);
    }
}

/* --- the update --- */

/* Between two looks for the next panel HPL updates a block of columns; many blocks are taken together here. */
static int64_t chunk_width(const struct hpl *hpl)
{
    int64_t widest = ceil_div(hpl->n + 1, hpl->columns);
    return int64_max(hpl->block, ceil_div(widest, HPL_MAX_CHUNKS));
}

int64_t hpl_update_steps(const struct hpl *hpl)
{
    int64_t widest = block_cyclic_count(&hpl->column_map, 0);
    return hpl->looks_ahead ? ceil_div(ceil_div(widest, chunk_width(hpl)), HPL_CHUNKS_OF_STEP) : 1;
}

static void add_chunk(const struct hpl_process *self, const struct hpl_panel *panel, int64_t width)
{
    int64_t rows = hpl_local_rows(self, panel->begin + panel->width, self->hpl->n);
    hpl_call(self, HPL_DTRSM, width, panel->width, 0, HPL_SCOPE_UPDATE);
    hpl_call(self, HPL_DGEMM, rows, width, panel->width, HPL_SCOPE_UPDATE);
}

void hpl_update(const struct hpl_process *self, const struct hpl_update *update, int64_t step)
{
    if (update->awaited == NULL) {
        if (step == 0)
            add_chunk(self, update->panel, update->width);
        return;
    }
    int64_t chunk = chunk_width(self->hpl);
    for (int64_t i = step * HPL_CHUNKS_OF_STEP; i < (step + 1) * HPL_CHUNKS_OF_STEP; i++) {
        int64_t width = int64_min(chunk, update->width - i * chunk);
        if (width <= 0)
            return;
        add_chunk(self, update->panel, width);
        hpl_probe(self, update->awaited, PROBE_AGAIN);
    }
}
