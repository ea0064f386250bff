/* Delay costs: what the time that is lost in a place costs all others in waiting, at once and passed on
 * (Boehme, Geimer, Wolf, Arnold: Identifying the root causes of wait states in large-scale parallel applications, ICPP
 * 2010).
 *
 * A place is a rank, a scope and a function of the message library. A rank that waits is compared with the one that it
 * waits for, from when the two were last synchronized, through any rank (legs.h), to the beginning of the wait of the
 * one, and to the departure from the other. The time by which the late one was longer in a scope and function is a
 * delay; so is the time that it has waited longer. The wait is divided among these by their lengths. Delays cost
 * directly (short-term costs: direct waits). The part of late waiting has been passed on, and is divided among the
 * waits that the late one had, and each by what that was divided among (long-term costs: indirect waits). So the costs
 * of all places are the waiting of known cause exactly, and with the last row, which has the rest, they are all idling.
 *
 * Memory is bounded: of the shares of a wait only the largest are kept, and the last so many waits. What would have to
 * be passed on to others is that of a rank that is not known.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/sort.h"
#include "metrics/legs.h"

#include <assert.h>
#include <stdlib.h>

enum { NO_RANK = -1, NO_COLUMN_KNOWN = -1, MOST_SHARES = 64 };

struct place {
    int rank, column; /* of a row; NO_RANK, NO_COLUMN_KNOWN: not known */
    int64_t n_waits;
    int64_t farthest; /* by how many ranks it has been passed on, at most */
    wide_int direct_ps, passed_on_ps;
};

/* The part of a wait for which a place is the reason. */
struct share {
    uint32_t place;
    int32_t distance; /* by how many ranks it has been passed on */
    int64_t ps;
};

struct delays {
    struct interval_setup setup;
    struct legs legs;
    int n_functions;
    struct map numbers; /* rank and column -> index */
    struct place *places;
    size_t n_places, capacity;
    struct share *shares; /* a ring: those of legs, of as many as there are on average */
    uint64_t n_shares;    /* up to now */
    uint64_t most_shares;
    struct share now[MOST_SHARES]; /* of the wait at hand */
    int n_now;
    int64_t *past, *own_past; /* rows */
    int width;
    wide_int idle_ps;
};

static void *delays_open(const struct interval_setup *setup)
{
    enum { SHARES_OF_EACH = 8 };
    if (setup->has_categories)
        return NULL;
    struct delays *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->n_functions = int_max(1, setup->n_functions);
    int n = interval_paths(setup);
    legs_init(&self->legs, n, setup->n_scopes * self->n_functions);
    self->most_shares = (uint64_t)self->legs.most * SHARES_OF_EACH;
    self->shares = xcalloc((size_t)self->most_shares, sizeof *self->shares);
    return self;
}

static void delays_free(void *data)
{
    struct delays *self = data;
    legs_dispose(&self->legs);
    map_dispose(&self->numbers);
    free(self->places);
    free(self->shares);
    free(self->past);
    free(self->own_past);
    free(self);
}

/* --- the shares of a wait --- */

static uint32_t find_place(struct delays *self, int rank, int column)
{
    struct map_entry *entry = map_add(&self->numbers, map_key(rank, column, 0, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)self->n_places;
        self->places = xgrow(self->places, self->n_places, &self->capacity, sizeof *self->places);
        self->places[self->n_places++] = (struct place){.rank = rank, .column = column};
    }
    return entry->index;
}

/* The last of the shares is for all that there is no room for. */
static void add_share(struct delays *self, uint32_t place, int distance, int64_t ps)
{
    int i = 0;
    if (ps == 0)
        return;
    while (i < self->n_now && (self->now[i].place != place || (self->now[i].distance == 0) != (distance == 0)))
        i++;
    if (i == MOST_SHARES || (i == MOST_SHARES - 1 && i == self->n_now)) {
        i = MOST_SHARES - 1;
        place = find_place(self, NO_RANK, NO_COLUMN_KNOWN);
    }
    if (i == self->n_now)
        self->now[self->n_now++] = (struct share){.place = place, .distance = distance};
    self->now[i].ps += ps;
    self->now[i].distance = int_max(self->now[i].distance, distance);
}

static void add_unknown(struct delays *self, int64_t ps)
{
    if (ps != 0)
        add_share(self, find_place(self, NO_RANK, NO_COLUMN_KNOWN), 1, ps);
}

/* So much of a former wait has been passed on: by its shares, of which all together are all of it. */
static void pass_on_wait(struct delays *self, const struct leg *leg, int64_t ps)
{
    int64_t left_ps = leg->waited_ps - leg->waits_ps;
    bool is_kept = leg->n_shares > 0 && leg->first_share + self->most_shares >= self->n_shares;
    for (uint64_t i = 0; is_kept && i < leg->n_shares; i++) {
        struct share share = self->shares[(leg->first_share + i) % self->most_shares];
        int64_t part_ps = (int64_t)((wide_int)ps * share.ps / left_ps);
        add_share(self, share.place, share.distance + 1, part_ps);
        ps -= part_ps;
        left_ps -= share.ps;
    }
    add_unknown(self, ps);
}

static int64_t overlap_of(const struct leg *leg, int64_t since_ps)
{
    return leg->waited_ps - int64_max(since_ps, leg->waits_ps);
}

/* So much has been passed on of the waits that a location had since then, by their lengths. */
static void pass_on(struct delays *self, const int64_t *late, int64_t since_ps, int64_t ps)
{
    const struct leg *leg;
    int64_t last = legs_of(&self->legs, late), sum_ps = 0;
    for (int64_t i = last; (leg = legs_find(&self->legs, i)) != NULL && leg->waited_ps > since_ps; i = leg->previous)
        sum_ps += overlap_of(leg, since_ps);
    for (int64_t i = last; (leg = legs_find(&self->legs, i)) != NULL && leg->waited_ps > since_ps; i = leg->previous) {
        int64_t waited_ps = overlap_of(leg, since_ps);
        if (waited_ps == 0)
            continue;
        int64_t part_ps = (int64_t)((wide_int)ps * waited_ps / sum_ps);
        pass_on_wait(self, leg, part_ps);
        ps -= part_ps;
        sum_ps -= waited_ps;
    }
    add_unknown(self, ps);
}

/* Two rows of one wait: of who was late, and of who waited, and what they were when the two were synchronized. */
struct sides {
    const int64_t *late, *own, *late_past, *own_past;
    int waiting; /* the column in which `own` has the wait itself already: */
    int64_t wait_ps;
};

static int64_t excess_of(const struct sides *sides, int column)
{
    int64_t own_ps = sides->own[column] - sides->own_past[column] - (column == sides->waiting ? sides->wait_ps : 0);
    return int64_max(0, sides->late[column] - sides->late_past[column] - own_ps);
}

static void divide(struct delays *self, const struct sides *sides, int64_t since_ps)
{
    const struct legs *legs = &self->legs;
    int leg = legs->path.columns[legs->path.n_parts];
    int64_t wait_ps = sides->wait_ps;
    int rank = legs_location(legs, legs_of(legs, sides->late)) % self->setup.n_ranks;
    wide_int excess_ps = 0;
    for (int column = 0; column < legs->path.n_used; column++)
        excess_ps += column == leg ? 0 : excess_of(sides, column);
    for (int column = 0; column < legs->path.n_used; column++) {
        int64_t more_ps = column == leg ? 0 : excess_of(sides, column);
        if (more_ps == 0)
            continue;
        int64_t part_ps = (int64_t)(wait_ps * (wide_int)more_ps / excess_ps);
        if (column == sides->waiting)
            pass_on(self, sides->late, since_ps, part_ps);
        else
            add_share(self, find_place(self, rank, column), 0, part_ps);
        wait_ps -= part_ps;
        excess_ps -= more_ps;
    }
}

/* Keep the shares with the leg that ends the wait, and charge them if the wait counts. */
static void charge(struct delays *self, struct leg *leg, bool counts)
{
    leg->first_share = self->n_shares;
    leg->n_shares = (uint64_t)self->n_now;
    for (int i = 0; i < self->n_now; i++) {
        const struct share *share = &self->now[i];
        struct place *place = &self->places[share->place];
        self->shares[self->n_shares++ % self->most_shares] = *share;
        if (!counts)
            continue;
        place->n_waits++;
        place->farthest = int64_max(place->farthest, share->distance);
        *(share->distance == 0 ? &place->direct_ps : &place->passed_on_ps) += share->ps;
    }
}

/* The row of one side when the two were synchronized. */
static const int64_t *find_past(const struct delays *self, const int64_t *row, int64_t row_ps,
                                const struct parting *parting, int64_t *past)
{
    const struct legs *legs = &self->legs;
    if (parting->location == legs_location(legs, legs_of(legs, row)))
        return parting->row;
    return legs_row_at(legs, row, row_ps, parting->at_ps, past) ? past : NULL;
}

/* A wait ends, with which the leg of that number begins. */
static void explain(struct delays *self, struct leg *leg, int64_t number)
{
    const struct legs *legs = &self->legs;
    struct sides sides = {.late = legs_row_followed(legs, number),
                          .own = legs_row_own(legs, number),
                          .waiting = legs->path.columns[legs_number_of_waiting(legs)],
                          .wait_ps = leg->waited_ps - leg->waits_ps};
    struct parting parting;
    self->n_now = 0;
    if (self->width < legs->width) {
        self->width = legs->width;
        self->past = xrealloc(self->past, (size_t)self->width * sizeof *self->past);
        self->own_past = xrealloc(self->own_past, (size_t)self->width * sizeof *self->own_past);
    }
    if (legs_part(legs, sides.late, leg->origin_ps, sides.own, leg->waits_ps, &parting)) {
        sides.late_past = find_past(self, sides.late, leg->origin_ps, &parting, self->past);
        sides.own_past = find_past(self, sides.own, leg->waits_ps, &parting, self->own_past);
        if (sides.late_past != NULL && sides.own_past != NULL)
            divide(self, &sides, parting.at_ps);
    }
    charge(self, leg, legs_location(legs, number) < interval_processors(&self->setup));
}

/* --- intervals --- */

static void delays_take(void *data, const struct interval *interval)
{
    struct delays *self = data;
    if (interval->location >= interval_paths(&self->setup))
        return;
    if (interval->state == STATE_IDLE && interval->location < interval_processors(&self->setup))
        self->idle_ps += interval->end_ps - interval->start_ps;
    struct leg *begun = legs_take(&self->legs, interval, interval->scope * self->n_functions + interval->function);
    if (begun != NULL && begun->waited_ps > begun->waits_ps)
        explain(self, begun, self->legs.last * self->legs.path.n_ranks + interval->location);
}

/* --- the report --- */

static int by_cost(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    wide_int left_ps = left->direct_ps + left->passed_on_ps, right_ps = right->direct_ps + right->passed_on_ps;
    if (left_ps != right_ps)
        return left_ps < right_ps ? 1 : -1;
    return left->rank != right->rank ? left->rank - right->rank : left->column - right->column;
}

/* The number of each column; to be freed. */
static int *invert_columns(const struct critical_path *path)
{
    int *numbers = xcalloc((size_t)path->n_used, sizeof *numbers);
    for (int number = 0; number < path->n_numbers; number++)
        if (path->columns[number] != NO_COLUMN)
            numbers[path->columns[number]] = number;
    return numbers;
}

static void add_place(const struct delays *self, struct result_table *table, const struct place *place, int number)
{
    int function = number % self->n_functions;
    *result_add_delays(table) =
        (struct delays_row){.rank = place->rank,
                            .scope = metrics_scope_name(&self->setup, number / self->n_functions),
                            .function = result_name(self->setup.n_functions > 0 ? self->setup.functions[function] : ""),
                            .waits = place->n_waits,
                            .cost_ps = place->direct_ps + place->passed_on_ps,
                            .direct_ps = place->direct_ps,
                            .passed_on_ps = place->passed_on_ps,
                            .farthest = place->farthest};
}

/* Idling that no place is the known reason of: after a rank's end, without a processor, and the like. */
static void add_rest(struct result_table *table, wide_int rest_ps)
{
    assert(rest_ps >= 0);
    if (rest_ps != 0)
        *result_add_delays(table) = (struct delays_row){.rank = NO_RANK,
                                                        .scope = result_name(""),
                                                        .function = result_name(""),
                                                        .cost_ps = rest_ps,
                                                        .direct_ps = rest_ps};
}

static void add_delays(struct delays *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_DELAYS);
    int *numbers = invert_columns(&self->legs.path);
    wide_int rest_ps = self->idle_ps;
    if (self->setup.n_functions == 0)
        result_leave_out(table, offsetof(struct delays_row, function));
    sort_stable(self->places, self->n_places, sizeof *self->places, by_cost);
    for (size_t i = 0; i < self->n_places; i++) {
        const struct place *place = &self->places[i];
        if (place->rank == NO_RANK || place->n_waits == 0)
            continue;
        add_place(self, table, place, numbers[place->column]);
        rest_ps -= place->direct_ps + place->passed_on_ps;
    }
    free(numbers);
    add_rest(table, rest_ps);
}

static void delays_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    struct delays *self = data;
    (void)totals;
    add_delays(self, result);
}

const struct metric_spec metric_delays = {
    .name = "delays",
    .summary = "what the time lost in a rank and scope costs the others in waiting, directly and passed on",
    .source = "Boehme10; Meira, TR 663",
    .details = DETAIL_BIT(DETAIL_DELAYS),
    .open = delays_open,
    .take = delays_take,
    .report = delays_report,
    .free = delays_free,
};
