/* Where a traced program calls the message library: times, calls and waits of each call site, as mpiP has them
 * (Vetter01).
 *
 * A site may call several functions (a layer between the program and MPI does), which have a row each. Memory grows
 * with the sites that are called from. */
#include "metrics/traced/sites.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>

struct row {
    uint32_t site; /* as in events */
    uint16_t function;
    int64_t n_calls, n_waits[N_WAIT_STATES];
    wide_int bytes, time_ps, idle_ps, wait_ps[N_WAIT_STATES];
};

struct sites {
    struct event_setup setup;
    struct map places; /* site and function -> index */
    struct row *rows;
    size_t n_rows, capacity;
};

struct sites *sites_new(const struct event_setup *setup)
{
    if (setup->sites == NULL || setup->n_functions == 0)
        return NULL;
    struct sites *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    return self;
}

static struct row *find_row(struct sites *self, const struct event *event)
{
    struct map_entry *entry = map_add(&self->places, map_key((int32_t)event->site, event->function, 0, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)self->n_rows;
        self->rows = xgrow(self->rows, self->n_rows, &self->capacity, sizeof *self->rows);
        self->rows[self->n_rows++] = (struct row){.site = event->site, .function = event->function};
    }
    return &self->rows[entry->index];
}

void sites_take(struct sites *self, const struct event *event)
{
    int64_t length_ps = event->end_ps - event->start_ps;
    if (self == NULL || event->site == 0)
        return;
    struct row *row = find_row(self, event);
    row->n_calls += event->n_calls;
    row->time_ps += length_ps;
    if (event->is_message || event->is_receipt || event->is_collective)
        row->bytes += event->bytes;
    if (event->state != STATE_IDLE || length_ps == 0)
        return;
    row->idle_ps += length_ps;
    row->wait_ps[event->wait] += length_ps;
    row->n_waits[event->wait]++;
}

static void write_name(union result_cell *cell, const char *name)
{
    utf8_copy(cell->text, sizeof cell->text, name);
}

static void add_sites(const struct sites *self, struct result *result)
{
    enum { SITE, FUNCTION, CALLS, TIME, BYTES, IDLE, N_COLUMNS };
    static const struct result_column columns[N_COLUMNS] = {{"site", MEASURE_TEXT},   {"function", MEASURE_TEXT},
                                                            {"calls", MEASURE_COUNT}, {"time_s", MEASURE_TIME},
                                                            {"bytes", MEASURE_COUNT}, {"idle_s", MEASURE_TIME}};
    struct result_table *table = result_add_table(result, "sites", columns, N_COLUMNS);
    for (size_t i = 0; i < self->n_rows; i++) {
        const struct row *row = &self->rows[i];
        union result_cell *cells = result_add_row(table);
        write_name(&cells[SITE], self->setup.sites[row->site - 1]);
        write_name(&cells[FUNCTION], self->setup.functions[row->function]);
        cells[CALLS].number = row->n_calls;
        cells[TIME].number = row->time_ps;
        cells[BYTES].number = row->bytes;
        cells[IDLE].number = row->idle_ps;
    }
}

static void add_waits(const struct sites *self, struct result *result)
{
    enum { STATE, SITE, FUNCTION, WAITS, TIME, N_COLUMNS };
    static const struct result_column columns[N_COLUMNS] = {{"wait", MEASURE_TEXT},
                                                            {"site", MEASURE_TEXT},
                                                            {"function", MEASURE_TEXT},
                                                            {"waits", MEASURE_COUNT},
                                                            {"time_s", MEASURE_TIME}};
    struct result_table *table = result_add_table(result, "site_waits", columns, N_COLUMNS);
    for (int w = 0; w < N_WAIT_STATES; w++)
        for (size_t i = 0; i < self->n_rows; i++) {
            const struct row *row = &self->rows[i];
            if (row->n_waits[w] == 0)
                continue;
            union result_cell *cells = result_add_row(table);
            write_name(&cells[STATE], wait_state_names[w]);
            write_name(&cells[SITE], self->setup.sites[row->site - 1]);
            write_name(&cells[FUNCTION], self->setup.functions[row->function]);
            cells[WAITS].number = row->n_waits[w];
            cells[TIME].number = row->wait_ps[w];
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
