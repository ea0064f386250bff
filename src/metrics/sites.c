/* Where a traced program calls the message library: times, calls and waits of each call site, as mpiP has them
 * (Vetter01).
 *
 * A site may call several functions (a layer between the program and MPI does), which have a row each. Memory grows
 * with the sites that are called from, and with the ranks that each waits for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/sites.h"

#include "base/map.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>

struct row {
    uint32_t site; /* as in intervals */
    uint16_t function;
    int64_t n_calls, n_waits[N_WAIT_STATES];
    wide_int bytes, time_ps, idle_ps, useful_ps, wait_ps[N_WAIT_STATES];
    uint32_t most[N_WAIT_STATES]; /* the awaited one for which it waits longest, from 1; 0: none */
};

/* A rank that a row waits for, in one state. */
struct awaited {
    int32_t rank;
    wide_int time_ps;
};

struct sites {
    struct interval_setup setup;
    struct map places; /* site and function -> index of a row */
    struct row *rows;
    size_t n_rows, capacity;
    struct map pairs; /* row, wait state and rank -> index of one that is awaited */
    struct awaited *awaited;
    size_t n_awaited, awaited_capacity;
};

struct sites *sites_new(const struct interval_setup *setup)
{
    if (setup->sites == NULL || setup->n_functions == 0)
        return NULL;
    struct sites *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    return self;
}

static struct row *find_row(struct sites *self, const struct interval *interval)
{
    struct map_entry *entry = map_add(&self->places, map_key((int32_t)interval->site, interval->function, 0, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)self->n_rows;
        self->rows = xgrow(self->rows, self->n_rows, &self->capacity, sizeof *self->rows);
        self->rows[self->n_rows++] = (struct row){.site = interval->site, .function = interval->function};
    }
    return &self->rows[entry->index];
}

static void take_awaited(struct sites *self, struct row *row, const struct interval *interval, int64_t length_ps)
{
    int32_t place = (int32_t)(row - self->rows);
    if (interval->awaited < 0 || interval->awaited >= self->setup.n_ranks)
        return;
    struct map_entry *entry =
        map_add(&self->pairs, map_key(place, (int32_t)interval->wait, (int32_t)interval->awaited, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)self->n_awaited;
        self->awaited = xgrow(self->awaited, self->n_awaited, &self->awaited_capacity, sizeof *self->awaited);
        self->awaited[self->n_awaited++] = (struct awaited){.rank = (int32_t)interval->awaited};
    }
    struct awaited *one = &self->awaited[entry->index];
    uint32_t *most = &row->most[interval->wait];
    one->time_ps += length_ps;
    if (*most == 0 || one->time_ps > self->awaited[*most - 1].time_ps)
        *most = entry->index + 1;
}

void sites_take(struct sites *self, const struct interval *interval)
{
    int64_t length_ps = interval->end_ps - interval->start_ps;
    if (self == NULL || interval->site == 0)
        return;
    struct row *row = find_row(self, interval);
    row->n_calls += interval->n_calls;
    row->time_ps += length_ps;
    if (interval->is_message || interval->is_receipt || interval->is_collective)
        row->bytes += interval->bytes;
    if (interval->state == STATE_USEFUL || interval->state == STATE_CONTROL)
        row->useful_ps += length_ps;
    if (interval->state != STATE_IDLE || length_ps == 0)
        return;
    row->idle_ps += length_ps;
    row->wait_ps[interval->wait] += length_ps;
    row->n_waits[interval->wait]++;
    take_awaited(self, row, interval, length_ps);
}

static void add_sites(const struct sites *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_SITES);
    for (size_t i = 0; i < self->n_rows; i++) {
        const struct row *row = &self->rows[i];
        *result_add_sites(table) = (struct sites_row){.site = result_name(self->setup.sites[row->site - 1]),
                                                      .function = result_name(self->setup.functions[row->function]),
                                                      .calls = row->n_calls,
                                                      .time_ps = row->time_ps,
                                                      .bytes = row->bytes,
                                                      .idle_ps = row->idle_ps,
                                                      .useful_ps = row->useful_ps};
    }
    if (self->setup.is_traced)
        result_leave_out(table, offsetof(struct sites_row, useful_ps));
}

static void add_waits(const struct sites *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_SITE_WAITS);
    for (int w = 0; w < N_WAIT_STATES; w++)
        for (size_t i = 0; i < self->n_rows; i++) {
            const struct row *row = &self->rows[i];
            const struct awaited *most = row->most[w] == 0 ? NULL : &self->awaited[row->most[w] - 1];
            if (row->n_waits[w] > 0)
                *result_add_site_waits(table) =
                    (struct site_waits_row){.wait = (enum wait_state)w,
                                            .site = result_name(self->setup.sites[row->site - 1]),
                                            .function = result_name(self->setup.functions[row->function]),
                                            .waits = row->n_waits[w],
                                            .time_ps = row->wait_ps[w],
                                            .for_rank = most == NULL ? -1 : most->rank,
                                            .for_rank_ps = most == NULL ? 0 : most->time_ps};
        }
}

const char *sites_largest(const struct sites *self, int function, enum wait_state state, wide_int *time_ps)
{
    const struct row *largest = NULL;
    for (size_t i = 0; self != NULL && i < self->n_rows; i++) {
        const struct row *row = &self->rows[i];
        if (row->function == function && row->wait_ps[state] > (largest == NULL ? 0 : largest->wait_ps[state]))
            largest = row;
    }
    *time_ps = largest == NULL ? 0 : largest->wait_ps[state];
    return largest == NULL ? NULL : self->setup.sites[largest->site - 1];
}

void sites_report(const struct sites *self, struct result *result)
{
    if (self == NULL || self->n_rows == 0)
        return;
    add_sites(self, result);
    add_waits(self, result);
}

void sites_free(struct sites *self)
{
    if (self == NULL)
        return;
    map_dispose(&self->places);
    map_dispose(&self->pairs);
    free(self->awaited);
    free(self->rows);
    free(self);
}
