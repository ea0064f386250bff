/* Where a traced program calls the message library: times, calls and waits of each call site, as mpiP has them
 * (Vetter01).
 *
 * A site may call several functions (a layer between the program and MPI does), which have a row each. Memory grows
 * with the sites that are called from.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/sites.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

struct row {
    uint32_t site; /* as in intervals */
    uint16_t function;
    int64_t n_calls, n_waits[N_WAIT_STATES];
    wide_int bytes, time_ps, idle_ps, wait_ps[N_WAIT_STATES];
};

struct sites {
    struct interval_setup setup;
    struct map places; /* site and function -> index */
    struct row *rows;
    size_t n_rows, capacity;
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
    if (interval->state != STATE_IDLE || length_ps == 0)
        return;
    row->idle_ps += length_ps;
    row->wait_ps[interval->wait] += length_ps;
    row->n_waits[interval->wait]++;
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
                                                      .idle_ps = row->idle_ps};
    }
}

static void add_waits(const struct sites *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_SITE_WAITS);
    for (int w = 0; w < N_WAIT_STATES; w++)
        for (size_t i = 0; i < self->n_rows; i++) {
            const struct row *row = &self->rows[i];
            if (row->n_waits[w] > 0)
                *result_add_site_waits(table) =
                    (struct site_waits_row){.wait = (enum wait_state)w,
                                            .site = result_name(self->setup.sites[row->site - 1]),
                                            .function = result_name(self->setup.functions[row->function]),
                                            .waits = row->n_waits[w],
                                            .time_ps = row->wait_ps[w]};
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
    free(self->rows);
    free(self);
}
