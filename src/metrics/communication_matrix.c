/* Who sends how much to whom, and who waits for whom: by pair of ranks, above 256 ranks by pair of hosts.
 *
 * Messages and bytes add up to the run's, exactly. What a rank is idle for before it receives or goes on sending is the
 * waiting of that message's pair. With waiting for no message, such as that at the end of a program, it adds up to
 * state_s.idle. Where there would be too many pairs, each row stands for several neighbours. */
#include "metrics/metrics.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 256, MOST_PAIRS = MOST_RANKS * MOST_RANKS };

struct pair {
    int32_t from, to;
    int64_t messages, bytes;
    wide_int sender_ps, receiver_ps; /* that each has waited for the other */
};

struct communication_matrix {
    int n_ranks;
    bool by_host;
    int32_t *place_of; /* of each rank: what it is in pairs */
    int32_t each;      /* so many neighbouring hosts or ranks are one place */
    int64_t *idle_ps;  /* of each rank, since its last event of a message */
    wide_int other_ps; /* waiting for no message */
    uint32_t *last;    /* of each rank: the pair that it was in last, which is often the next */
    struct map numbers;
    struct pair *pairs;
    size_t n_pairs, capacity;
};

static void *communication_matrix_open(const struct event_setup *setup)
{
    struct communication_matrix *self = xcalloc(1, sizeof *self);
    size_t n_ranks = (size_t)setup->n_ranks;
    self->n_ranks = setup->n_ranks;
    self->by_host = setup->n_ranks > MOST_RANKS && setup->host_of != NULL;
    self->each = 1;
    self->place_of = xcalloc(n_ranks, sizeof *self->place_of);
    self->idle_ps = xcalloc(n_ranks, sizeof *self->idle_ps);
    self->last = xcalloc(n_ranks, sizeof *self->last);
    for (int rank = 0; rank < setup->n_ranks; rank++)
        self->place_of[rank] = self->by_host ? setup->host_of(setup->placement, rank) : rank;
    return self;
}

/* --- pairs --- */

static uint32_t find_pair(struct communication_matrix *self, int32_t from, int32_t to)
{
    struct map_entry *entry = map_add(&self->numbers, map_key(from, to, 0, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)self->n_pairs;
        self->pairs = xgrow(self->pairs, self->n_pairs, &self->capacity, sizeof *self->pairs);
        self->pairs[self->n_pairs++] = (struct pair){.from = from, .to = to};
    }
    return entry->index;
}

/* Two neighbours are one from now on. How often that is done depends on the pairs, and not on their order. */
static void join_neighbours(struct communication_matrix *self)
{
    struct pair *old = self->pairs;
    size_t n_old = self->n_pairs;
    map_dispose(&self->numbers);
    self->numbers = (struct map){.count = 0};
    self->pairs = NULL;
    self->n_pairs = self->capacity = 0;
    self->each *= 2;
    for (int rank = 0; rank < self->n_ranks; rank++) {
        self->place_of[rank] /= 2;
        self->last[rank] = 0;
    }
    for (size_t i = 0; i < n_old; i++) {
        struct pair *pair = &self->pairs[find_pair(self, old[i].from / 2, old[i].to / 2)];
        pair->messages += old[i].messages;
        pair->bytes += old[i].bytes;
        pair->sender_ps += old[i].sender_ps;
        pair->receiver_ps += old[i].receiver_ps;
    }
    free(old);
}

/* The pair in which a rank is now; good until the next call. Controllers are at the places of their ranks. */
static struct pair *pair_of(struct communication_matrix *self, int rank, int from, int to)
{
    int32_t from_place = self->place_of[from % self->n_ranks], to_place = self->place_of[to % self->n_ranks];
    uint32_t last = self->last[rank];
    if (last < self->n_pairs && self->pairs[last].from == from_place && self->pairs[last].to == to_place)
        return &self->pairs[last];
    self->last[rank] = find_pair(self, from_place, to_place);
    if (self->n_pairs <= MOST_PAIRS)
        return &self->pairs[self->last[rank]];
    join_neighbours(self);
    return pair_of(self, rank, from, to);
}

/* --- events --- */

/* The rank has been idle because of this interval's message, of which it is one of the ends. */
static void take_waiting(struct communication_matrix *self, const struct event *event)
{
    int rank = event->location;
    bool sends = event->state == STATE_SEND;
    struct pair *pair = pair_of(self, rank, sends ? rank : event->peer, sends ? event->peer : rank);
    *(sends ? &pair->sender_ps : &pair->receiver_ps) += self->idle_ps[rank];
    self->idle_ps[rank] = 0;
}

static void communication_matrix_take(void *data, const struct event *event)
{
    struct communication_matrix *self = data;
    int rank = event->location;
    if (rank >= self->n_ranks || event->kind != EVENT_COMMUNICATE) {
        if (rank < self->n_ranks && event->state == STATE_IDLE)
            self->other_ps += event->end_ps - event->start_ps;
        return;
    }
    if (event->state == STATE_IDLE && event->peer >= 0)
        self->idle_ps[rank] += event->end_ps - event->start_ps;
    else if (event->state == STATE_IDLE)
        self->other_ps += event->end_ps - event->start_ps;
    else if (self->idle_ps[rank] > 0 && event->peer >= 0)
        take_waiting(self, event);
    if (!event->is_message)
        return;
    struct pair *pair = pair_of(self, rank, rank, event->peer);
    pair->messages++;
    pair->bytes += event->bytes;
}

/* --- the report --- */

static int by_place(const void *a, const void *b)
{
    const struct pair *left = a, *right = b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return left->to < right->to ? -1 : left->to > right->to;
}

static void add_pairs(const struct communication_matrix *self, struct result *result)
{
    enum { FROM, TO, MESSAGES, BYTES, WAIT, SENDER, RECEIVER, N_COLUMNS };
    static const struct result_column columns[N_COLUMNS] = {
        {"from", MEASURE_COUNT},          {"to", MEASURE_COUNT},    {"messages", MEASURE_COUNT},
        {"bytes", MEASURE_COUNT},         {"wait_s", MEASURE_TIME}, {"sender_wait_s", MEASURE_TIME},
        {"receiver_wait_s", MEASURE_TIME}};
    struct result_table *table = result_add_table(result, "communication_matrix", columns, N_COLUMNS);
    struct pair *pairs = xmalloc(self->n_pairs * sizeof *pairs + 1);
    if (self->n_pairs > 0)
        memcpy(pairs, self->pairs, self->n_pairs * sizeof *pairs);
    qsort(pairs, self->n_pairs, sizeof *pairs, by_place);
    for (size_t i = 0; i < self->n_pairs; i++) {
        union result_cell *row = result_add_row(table);
        row[FROM].number = (wide_int)pairs[i].from * self->each;
        row[TO].number = (wide_int)pairs[i].to * self->each;
        row[MESSAGES].number = pairs[i].messages;
        row[BYTES].number = pairs[i].bytes;
        row[WAIT].number = pairs[i].sender_ps + pairs[i].receiver_ps;
        row[SENDER].number = pairs[i].sender_ps;
        row[RECEIVER].number = pairs[i].receiver_ps;
    }
    free(pairs);
}

/* What the places are, and the waiting that is in no pair. */
static void add_places(const struct communication_matrix *self, struct result *result)
{
    static const struct result_column columns[] = {
        {"of", MEASURE_TEXT}, {"each", MEASURE_COUNT}, {"other_wait_s", MEASURE_TIME}};
    union result_cell *row = result_add_row(result_add_table(result, "communication_matrix_of", columns, 3));
    wide_int other_ps = self->other_ps;
    for (int rank = 0; rank < self->n_ranks; rank++)
        other_ps += self->idle_ps[rank];
    snprintf(row[0].text, sizeof row[0].text, "%s", self->by_host ? "host" : "rank");
    row[1].number = self->each;
    row[2].number = other_ps;
}

static void communication_matrix_report(const void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct communication_matrix *self = data;
    (void)totals;
    add_pairs(self, result);
    add_places(self, result);
}

static void communication_matrix_free(void *data)
{
    struct communication_matrix *self = data;
    map_dispose(&self->numbers);
    free(self->pairs);
    free(self->place_of);
    free(self->idle_ps);
    free(self->last);
    free(self);
}

const struct metric_spec metric_communication_matrix = {
    .name = "communication_matrix",
    .summary = "messages, bytes and waiting by sender and receiver; by host above 256 ranks",
    .details = DETAIL_BIT(DETAIL_MESSAGES),
    .open = communication_matrix_open,
    .take = communication_matrix_take,
    .report = communication_matrix_report,
    .free = communication_matrix_free,
};
