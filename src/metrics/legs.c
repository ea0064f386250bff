/* Legs: rows that are kept in rings, where two rows' pasts have parted, and what a row was before.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/legs.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <assert.h>
#include <stdlib.h>

enum { LEAST_KEPT = 4096, MORE_OF_EACH = 4 };

static int64_t *lay_out(int64_t *rows, int64_t n_rows, int before, int width)
{
    int64_t *wider = xcalloc((size_t)n_rows * (size_t)width, sizeof *wider);
    for (int64_t i = 0; i < n_rows && before > 0; i++)
        memcpy(&wider[i * width], &rows[i * before], (size_t)before * sizeof *rows);
    free(rows);
    return wider;
}

/* Rows have become wider: so do those that are kept. */
static void widen(struct legs *legs)
{
    int width = legs->path.width;
    if (legs->width == width)
        return;
    legs->followed = lay_out(legs->followed, legs->most, legs->width, width);
    legs->own = lay_out(legs->own, legs->most, legs->width, width);
    legs->width = width;
}

struct leg *legs_find(const struct legs *legs, int64_t leg)
{
    int64_t number = leg / legs->path.n_ranks;
    return number > 0 && number + legs->most > legs->last ? &legs->legs[number % legs->most] : NULL;
}

static void set_leg(struct legs *legs, int location, int64_t leg)
{
    struct critical_path *path = &legs->path;
    critical_path_add(path, location, path->n_parts, leg - legs_of(legs, critical_path_row(path, location)));
}

void legs_init(struct legs *legs, int n_locations, int n_places)
{
    *legs = (struct legs){.most = int64_max(LEAST_KEPT, (int64_t)MORE_OF_EACH * n_locations)};
    critical_path_init_narrow(&legs->path, n_locations, n_places + 1, 1);
    legs->legs = xcalloc((size_t)legs->most, sizeof *legs->legs);
    legs->waiting_ps = xcalloc((size_t)n_locations, sizeof *legs->waiting_ps);
    for (int location = 0; location < n_locations; location++)
        set_leg(legs, location, ++legs->last * n_locations + location);
    widen(legs);
}

void legs_dispose(struct legs *legs)
{
    critical_path_dispose(&legs->path);
    free(legs->legs);
    free(legs->followed);
    free(legs->own);
    free(legs->waiting_ps);
}

const int64_t *legs_followed(const struct legs *legs, const struct interval *interval)
{
    const struct critical_path *path = &legs->path;
    if (interval->cause == CAUSE_SELF)
        return NULL;
    const int64_t *row = interval->cause == CAUSE_PEER ? critical_path_row(path, interval->peer)
                                                       : critical_path_checkpoint(path, interval->message);
    return legs_location(legs, legs_of(legs, row)) == interval->location ? NULL : row;
}

/* A leg of the interval's location begins, at its present. */
static struct leg *begin(struct legs *legs, const struct interval *interval, const int64_t *followed)
{
    struct critical_path *path = &legs->path;
    int location = interval->location;
    int64_t leg = ++legs->last * path->n_ranks + location, waiting_ps = legs->waiting_ps[location];
    int64_t now_ps = interval->state == STATE_IDLE ? interval->end_ps : interval->start_ps;
    struct leg *begun = &legs->legs[legs->last % legs->most];
    *begun = (struct leg){.origin_ps = interval->origin_ps,
                          .waits_ps = now_ps - waiting_ps,
                          .waited_ps = now_ps,
                          .previous = legs_of(legs, critical_path_row(path, location))};
    critical_path_copy(path, legs_row_followed(legs, leg), followed);
    critical_path_copy(path, legs_row_own(legs, leg), critical_path_row(path, location));
    set_leg(legs, location, leg);
    return begun;
}

struct leg *legs_take(struct legs *legs, const struct interval *interval, int place)
{
    const int64_t *followed = legs_followed(legs, interval);
    int64_t length_ps = interval->end_ps - interval->start_ps, *waiting_ps = &legs->waiting_ps[interval->location];
    bool waits =
        interval->state == STATE_IDLE && !interval_is_off(interval) && (interval->cause == CAUSE_SELF || followed);
    struct leg *begun = NULL;
    if (interval->is_checkpoint == CHECKPOINT_BEGINNING)
        critical_path_keep(&legs->path, interval);
    if (waits) {
        *waiting_ps += length_ps;
        critical_path_add(&legs->path, interval->location, legs_number_of_waiting(legs), length_ps);
        widen(legs);
        followed = legs_followed(legs, interval);
    }
    if (followed != NULL)
        begun = begin(legs, interval, followed);
    if (followed != NULL || (!waits && length_ps > 0))
        *waiting_ps = 0;
    if (!waits)
        critical_path_add(&legs->path, interval->location, place, length_ps);
    widen(legs);
    if (interval->is_checkpoint == CHECKPOINT_END)
        critical_path_keep(&legs->path, interval);
    return begun;
}

/* --- the past --- */

/* Where the two rows' ways back meet, over what each leg followed. */
static bool meet(const struct legs *legs, const int64_t *row, int64_t row_ps, const int64_t *other, int64_t other_ps,
                 struct parting *parting)
{
    int64_t leg = legs_of(legs, row), other_leg = legs_of(legs, other);
    while (leg != other_leg) {
        bool other_is_later = other_leg > leg;
        int64_t later = other_is_later ? other_leg : leg;
        const struct leg *found = legs_find(legs, later);
        if (found == NULL)
            return false;
        const int64_t *before = legs_row_followed(legs, later);
        *(other_is_later ? &other : &row) = before;
        *(other_is_later ? &other_ps : &row_ps) = found->origin_ps;
        *(other_is_later ? &other_leg : &leg) = found->previous == 0 ? 0 : legs_of(legs, before);
    }
    bool is_earlier = row_ps < other_ps;
    *parting = (struct parting){is_earlier ? row_ps : other_ps, leg == 0 ? -1 : legs_location(legs, leg),
                                is_earlier ? row : other};
    return true;
}

/* The last wait of the row's location for the other one itself, if that was after the parting. */
static void find_direct(const struct legs *legs, const int64_t *row, int location, struct parting *parting)
{
    int64_t leg = legs_of(legs, row);
    for (const struct leg *found; (found = legs_find(legs, leg)) != NULL; leg = found->previous) {
        if (found->waited_ps <= parting->at_ps || found->previous == 0)
            return;
        const int64_t *followed = legs_row_followed(legs, leg);
        if (legs_location(legs, legs_of(legs, followed)) != location || found->origin_ps <= parting->at_ps)
            continue;
        *parting = (struct parting){found->origin_ps, location, followed};
        return;
    }
}

bool legs_part(const struct legs *legs, const int64_t *row, int64_t row_ps, const int64_t *other, int64_t other_ps,
               struct parting *parting)
{
    if (!meet(legs, row, row_ps, other, other_ps, parting))
        return false;
    find_direct(legs, row, legs_location(legs, legs_of(legs, other)), parting);
    find_direct(legs, other, legs_location(legs, legs_of(legs, row)), parting);
    return true;
}

/* A row between two of the same location, in proportion. */
static void mix(const struct legs *legs, const int64_t *from, int64_t from_ps, const int64_t *to, int64_t to_ps,
                int64_t at_ps, int64_t *past)
{
    int64_t length_ps = int64_max(1, to_ps - from_ps), done_ps = int64_clamp(at_ps - from_ps, 0, length_ps);
    for (int column = 0; column < legs->path.n_used; column++) {
        int64_t begun = from == NULL ? 0 : from[column];
        past[column] = begun + (int64_t)((wide_int)(to[column] - begun) * done_ps / length_ps);
    }
}

bool legs_row_at(const struct legs *legs, const int64_t *row, int64_t row_ps, int64_t at_ps, int64_t *past)
{
    int waiting = legs_number_of_waiting(legs);
    int64_t leg = legs_of(legs, row);
    for (const struct leg *found; (found = legs_find(legs, leg)) != NULL; leg = found->previous) {
        const int64_t *own = found->previous == 0 ? NULL : legs_row_own(legs, leg);
        if (own == NULL || found->waited_ps <= at_ps || found->waits_ps <= at_ps) {
            bool is_wait = own != NULL && found->waited_ps > at_ps;
            mix(legs, own, found->waited_ps, is_wait ? own : row, is_wait ? found->waited_ps : row_ps, at_ps, past);
            if (is_wait)
                past[legs->path.columns[waiting]] = own[legs->path.columns[waiting]] - (found->waited_ps - at_ps);
            else if (legs->path.columns[waiting] != NO_COLUMN)
                past[legs->path.columns[waiting]] = own == NULL ? 0 : own[legs->path.columns[waiting]];
            return true;
        }
        row = own;
        row_ps = found->waits_ps;
    }
    return false;
}
