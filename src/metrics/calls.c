/* The calls of a traced program to the message library, function by function, and for what and for which rank it waits
 * there: the wait states of Scalasca (Geimer10), mpiP's table, and POP's efficiencies.
 *
 * The times of a function are those between its beginning and its end, exactly. The waits add up to state_s.idle. A
 * rank waits for the one that comes last, however long that one itself has waited.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"
#include "metrics/sites.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>
#include <string.h>

struct function {
    int64_t n_calls;
    wide_int bytes, state_ps[N_LOCATION_STATES];
};

/* A wait state in a function. */
struct cell {
    int64_t n_waits;
    wide_int time_ps;
    int64_t *for_ps; /* of each rank that is waited for; NULL: none is */
};

struct calls {
    struct interval_setup setup;
    struct function *functions;
    struct sites *sites;
    struct cell *cells; /* [function * N_WAIT_STATES + state] */
    wide_int *scope_ps; /* [scope * N_WAIT_STATES + state] */
    struct rank {
        int64_t useful_ps, waiting_ps, awaited_ps; /* awaited: others wait for it */
        int64_t other_ps;                          /* before its start, after its end, in the library's own */
        int64_t without_ps;                        /* of it waiting: without a processor, outside the library */
        struct busy *busy;
        size_t n_busy, capacity;
    } * ranks;        /* of each processor; `awaited` and `busy` are those of all of a rank's, at its first */
    int n_processors; /* of all ranks */
};

struct busy {
    int64_t time_ps;
    uint16_t function;
    uint8_t with; /* enum busy_with */
};

static void *calls_open(const struct interval_setup *setup)
{
    if (setup->n_functions == 0)
        return NULL;
    struct calls *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->functions = xcalloc((size_t)setup->n_functions, sizeof *self->functions);
    self->cells = xcalloc((size_t)setup->n_functions * N_WAIT_STATES, sizeof *self->cells);
    self->scope_ps = xcalloc((size_t)setup->n_scopes * N_WAIT_STATES, sizeof *self->scope_ps);
    self->n_processors = interval_processors(setup);
    self->ranks = xcalloc((size_t)self->n_processors, sizeof *self->ranks);
    self->sites = sites_new(setup);
    return self;
}

static void take_wait(struct calls *self, const struct interval *interval)
{
    struct cell *cell = &self->cells[interval->function * N_WAIT_STATES + interval->wait];
    int64_t length_ps = interval->end_ps - interval->start_ps;
    cell->n_waits++;
    cell->time_ps += length_ps;
    self->scope_ps[interval->scope * N_WAIT_STATES + interval->wait] += length_ps;
    self->ranks[interval->location].waiting_ps += length_ps;
    if (interval_is_off(interval))
        self->ranks[interval->location].without_ps += length_ps;
    if (interval->awaited < 0 || interval->awaited >= self->setup.n_ranks)
        return;
    if (cell->for_ps == NULL)
        cell->for_ps = xcalloc((size_t)self->setup.n_ranks, sizeof *cell->for_ps);
    cell->for_ps[interval->awaited] += length_ps;
    self->ranks[interval->awaited].awaited_ps += length_ps;
}

static void take_busy(struct rank *rank, const struct interval *interval, int with)
{
    size_t i = 0;
    while (i < rank->n_busy && (rank->busy[i].function != interval->function || rank->busy[i].with != with))
        i++;
    if (i == rank->n_busy) {
        rank->busy = xgrow(rank->busy, rank->n_busy, &rank->capacity, sizeof *rank->busy);
        rank->busy[rank->n_busy++] = (struct busy){.function = interval->function, .with = (uint8_t)with};
    }
    rank->busy[i].time_ps += interval->end_ps - interval->start_ps;
}

static void take_rank(struct calls *self, const struct interval *interval)
{
    struct rank *processor = &self->ranks[interval->location];
    struct rank *rank = &self->ranks[interval->location % self->setup.n_ranks];
    int64_t length_ps = interval->end_ps - interval->start_ps;
    if (interval->state == STATE_USEFUL)
        processor->useful_ps += length_ps;
    if (interval->kind == INTERVAL_INPUT || interval->kind == INTERVAL_OUTPUT)
        take_busy(rank, interval, interval->kind == INTERVAL_INPUT ? BUSY_READING : BUSY_WRITING);
    else if (interval->call & CALL_START || interval->wait == WAIT_START || interval->wait == WAIT_END)
        processor->other_ps += length_ps;
    else if (interval->state == STATE_LIBRARY)
        take_busy(rank, interval, BUSY_IN_LIBRARY);
}

static void calls_take(void *data, const struct interval *interval)
{
    struct calls *self = data;
    struct function *function = &self->functions[interval->function];
    int64_t length_ps = interval->end_ps - interval->start_ps;
    function->n_calls += interval->n_calls;
    function->state_ps[interval->state] += length_ps;
    if (interval->is_message || interval->is_receipt || interval->is_collective)
        function->bytes += interval->bytes;
    take_rank(self, interval);
    if (interval->state == STATE_IDLE && length_ps > 0)
        take_wait(self, interval);
    sites_take(self->sites, interval);
}

static void add_functions(const struct calls *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_FUNCTIONS);
    for (int f = 1; f < self->setup.n_functions; f++) {
        const struct function *function = &self->functions[f];
        if (function->n_calls == 0)
            continue;
        struct functions_row *row = result_add_functions(table);
        row->function = result_name(self->setup.functions[f]);
        row->calls = function->n_calls;
        row->bytes = function->bytes;
        memcpy(row->state_ps, function->state_ps, sizeof row->state_ps);
        for (int s = 0; s < N_LOCATION_STATES; s++)
            row->time_ps += function->state_ps[s];
    }
}

/* The rank for which a wait is longest; -1: it is for none. */
static int find_culprit(const struct calls *self, const struct cell *cell)
{
    int found = -1;
    for (int rank = 0; cell->for_ps != NULL && rank < self->setup.n_ranks; rank++)
        if (cell->for_ps[rank] > 0 && (found < 0 || cell->for_ps[rank] > cell->for_ps[found]))
            found = rank;
    return found;
}

static void add_wait(const struct calls *self, int function, enum wait_state wait, struct result_table *table)
{
    const struct cell *cell = &self->cells[function * N_WAIT_STATES + (int)wait];
    int culprit = find_culprit(self, cell);
    struct function_waits_row *row = result_add_function_waits(table);
    row->wait = wait;
    row->function = result_name(self->setup.functions[function]);
    row->waits = cell->n_waits;
    row->time_ps = cell->time_ps;
    row->for_rank = culprit;
    row->for_rank_ps = culprit >= 0 ? cell->for_ps[culprit] : 0;
    const char *site = sites_largest(self->sites, function, wait, &row->at_site_ps);
    row->site = result_name(site != NULL ? site : "");
}

static void add_waits(const struct calls *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_FUNCTION_WAITS);
    if (self->sites == NULL) {
        result_leave_out(table, offsetof(struct function_waits_row, site));
        result_leave_out(table, offsetof(struct function_waits_row, at_site_ps));
    }
    for (int w = 0; w < N_WAIT_STATES; w++)
        for (int f = 0; f < self->setup.n_functions; f++)
            if (self->cells[f * N_WAIT_STATES + w].n_waits > 0)
                add_wait(self, f, (enum wait_state)w, table);
}

static void add_scopes(const struct calls *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_SCOPE_WAITS);
    for (int w = 0; w < N_WAIT_STATES; w++)
        for (int scope = 0; scope < self->setup.n_scopes; scope++) {
            wide_int time_ps = self->scope_ps[scope * N_WAIT_STATES + w];
            if (time_ps != 0)
                *result_add_scope_waits(table) =
                    (struct scope_waits_row){(enum wait_state)w, metrics_scope_name(&self->setup, scope), time_ps};
        }
}

/* How long the rank is busy with that, and the function in which it is longest; 0: none. */
static wide_int busy_with(int *function, const struct rank *rank, int with)
{
    wide_int sum_ps = 0;
    int64_t most_ps = 0;
    *function = 0;
    for (size_t i = 0; i < rank->n_busy; i++) {
        const struct busy *busy = &rank->busy[i];
        if (busy->with != with)
            continue;
        sum_ps += busy->time_ps;
        if (busy->time_ps > most_ps) {
            *function = busy->function;
            most_ps = busy->time_ps;
        }
    }
    return sum_ps;
}

static void add_ranks(const struct calls *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_RANK_WAITS);
    for (int rank = 0; rank < self->setup.n_ranks; rank++) {
        struct rank_waits_row *row = result_add_rank_waits(table);
        row->rank = rank;
        row->awaited_ps = self->ranks[rank].awaited_ps;
        row->useful_ps = row->waiting_ps = 0;
        for (int i = rank; i < self->n_processors; i += self->setup.n_ranks) {
            row->useful_ps += self->ranks[i].useful_ps;
            row->waiting_ps += self->ranks[i].waiting_ps;
        }
        for (int with = 0; with < N_BUSY; with++) {
            int function;
            row->busy_ps[with] = busy_with(&function, &self->ranks[rank], with);
            row->busy_in[with] = result_name(self->setup.functions[function]);
        }
    }
}

/* Parallel efficiency = load balance x communication efficiency (POP). Where ranks would have computed without a
 * processor, or slept, there is a third factor: what the longest computation is of the longest time outside the
 * library. Communication is what the latter is of the time: the longest of a rank, from its first record to its last,
 * without the beginning and the end of the library. libeppa's profiles have the same. If ranks have several processors,
 * each counts as a rank does. */
static void add_efficiencies(const struct calls *self, const struct metrics_totals *totals, struct result *result)
{
    wide_int sum_ps = 0;
    int64_t most_ps = 0, time_ps = 0, outside_ps = 0;
    for (int rank = 0; rank < self->n_processors; rank++) {
        time_ps = int64_max(time_ps, totals->end_ps - self->ranks[rank].other_ps);
        sum_ps += self->ranks[rank].useful_ps;
        if (self->ranks[rank].useful_ps > most_ps)
            most_ps = self->ranks[rank].useful_ps;
        outside_ps = int64_max(outside_ps, self->ranks[rank].useful_ps + self->ranks[rank].without_ps);
    }
    if (most_ps <= 0 || time_ps <= 0)
        return;
    double mean_ps = (double)sum_ps / self->n_processors;
    result_add_ratio(result, "pop", "parallel_efficiency", mean_ps / (double)time_ps);
    result_add_ratio(result, "pop", "load_balance", mean_ps / (double)most_ps);
    result_add_ratio(result, "pop", "communication_efficiency", (double)outside_ps / (double)time_ps);
    if (outside_ps > most_ps)
        result_add_ratio(result, "pop", "processor_efficiency", (double)most_ps / (double)outside_ps);
}

static void calls_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct calls *self = data;
    add_efficiencies(self, totals, result);
    add_functions(self, result);
    add_waits(self, result);
    add_scopes(self, result);
    add_ranks(self, result);
    sites_report(self->sites, result);
}

static void calls_free(void *data)
{
    struct calls *self = data;
    for (int i = 0; i < self->setup.n_functions * N_WAIT_STATES; i++)
        free(self->cells[i].for_ps);
    for (int rank = 0; rank < self->setup.n_ranks; rank++)
        free(self->ranks[rank].busy);
    sites_free(self->sites);
    free(self->cells);
    free(self->functions);
    free(self->scope_ps);
    free(self->ranks);
    free(self);
}

const struct metric_spec metric_calls = {
    .name = "calls",
    .summary = "functions of the message library: calls, time, wait states, who is waited for",
    .source = "Geimer10; Vetter01",
    .runs = OF_TRACES,
    .open = calls_open,
    .take = calls_take,
    .report = calls_report,
    .free = calls_free,
};
