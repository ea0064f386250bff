/* Links that each serve messages first come, first served.
 *
 * The head of a message waits until the link is free, crosses it and stands at the next one; the tail follows the head
 * at the distance inject_ps. Where the machine has a formula, a link passes messages on packet by packet
 * (store-and-forward): the head takes hop_ps, and the link is busy for link_busy_ps, the time of the message's packets.
 * Elsewhere it cuts through: the head takes the wire's latency, and the link is busy for length / bandwidth. Without
 * contention the delivery is as on `quiet`.
 *
 * Moments of all links need not be in order: those of each have to be. No head takes less than a day (calendar.h) to
 * its next link. So what comes to links on one day is known when the days before are over, and the engine has begun
 * what it begins on that day. Then each link serves what has come to it in the order in which the engine's queue would
 * have had it: by moment, then by rank. A message that sets out comes as the moment of the engine that it is from. */
#include "sim/network/internal.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/sort.h"
#include "sim/network/calendar.h"
#include "sim/network/link_loads.h"

#include <stdlib.h>

/* A transfer on its way: a cache line. */
struct flight {
    int64_t at_ps; /* when it comes to its next link, or ends; equal moments are in the order of the next two */
    uint64_t turn; /* order and item of the moment in the engine's queue */
    union {
        struct passage passage; /* of every link */
        int64_t bytes;          /* where the links differ */
    };
    struct walk walk;
    uint32_t begun; /* how many have set out at this moment, itself counted; 0: it has a link behind it */
    uint32_t order; /* its own in the engine's queue */
};

struct fifo {
    struct network network;
    const struct machine *machine;
    bool alike;       /* all links take the same for a message */
    int64_t least_ps; /* that any head takes to its next link; 0: nothing, so that the engine keeps the order */
    struct calendar calendar;
    struct flight *flights; /* by number, `room` of them, as of what follows */
    int64_t *tails_ps;      /* what each is behind its head in the end */
    uint32_t *links;        /* that serve something on a day */
    uint32_t *queue;        /* at one of them */
    uint32_t *ended;        /* to be told of */
    size_t room, n_ended;
    uint32_t n_begun; /* at begun_ps */
    int64_t begun_ps;
    struct flight late; /* the first to come behind the clock's end, as it stood before; begun UINT32_MAX: none */
    uint32_t late_number;
    uint32_t *waiting; /* at each link, 1 + the first of the day; 0: none */
    int64_t free_at[]; /* of each link */
};

/* ---- Opening ---- */

/* What a hop takes at least; 0 where it is not known to be more. */
static int64_t least_hop_ps(const struct machine *machine)
{
    const struct cost_rows *rows = &machine->costs.message;
    int64_t least_ps = PS_MAX, from_bytes = 0;
    for (int i = 0; i < rows->count; from_bytes = rows->row[i++].max_bytes) {
        const struct message_cost *row = &rows->row[i];
        wide_int ps = row->hop_ps + (wide_int)row->byte_hop_ps * from_bytes;
        least_ps = row->byte_hop_ps < 0 || ps <= 0 ? 0 : int64_min(least_ps, units_clamp(ps));
    }
    int n_wires = rows->count > 0 ? 0 : machine->net->one_wire ? 1 : machine_link_count(machine);
    for (int i = 0; i < n_wires; i++)
        least_ps = int64_min(least_ps, machine->net->wires[i].latency_ps);
    return rows->count == 0 && machine->costs.free_latency ? 0 : least_ps;
}

static struct network *fifo_open(const struct machine *machine)
{
    size_t n_links = (size_t)machine_link_count(machine);
    struct fifo *self = xcalloc(1, sizeof *self + n_links * sizeof self->free_at[0]);
    self->network = (struct network){.spec = &network_fifo, .next_ps = INT64_MAX};
    self->machine = machine;
    self->alike = machine->costs.message.count > 0 || machine->net->one_wire;
    self->least_ps = least_hop_ps(machine);
    self->waiting = xcalloc(n_links, sizeof *self->waiting);
    self->late.begun = UINT32_MAX;
    calendar_init(&self->calendar);
    return &self->network;
}

static void fifo_close(struct network *network)
{
    struct fifo *self = (struct fifo *)network;
    calendar_dispose(&self->calendar);
    free(self->flights);
    free(self->tails_ps);
    free(self->links);
    free(self->queue);
    free(self->ended);
    free(self->waiting);
    free(self);
}

static void *resize(void *block, size_t count, size_t element_size)
{
    return xrealloc(block, count * element_size);
}

static void make_room(struct fifo *self, uint32_t number)
{
    size_t room = self->room > 0 ? self->room : 64;
    while (room <= number)
        room *= 2;
    self->flights = resize(self->flights, room, sizeof *self->flights);
    self->tails_ps = resize(self->tails_ps, room, sizeof *self->tails_ps);
    self->links = resize(self->links, room, sizeof *self->links);
    self->queue = resize(self->queue, room, sizeof *self->queue);
    self->ended = resize(self->ended, room, sizeof *self->ended);
    self->calendar.next = resize(self->calendar.next, room, sizeof *self->calendar.next);
    self->room = room;
}

/* ---- One link after another ---- */

static inline struct passage passage_at(const struct fifo *self, const struct flight *flight)
{
    return self->alike ? flight->passage : wire_passage(self->machine, flight->bytes, flight->walk.link);
}

/* Cross the link that it has come to. False if that was the last, and at_ps is the end. What is behind the clock's end
 * stays there, however long it is. */
static inline bool serve(struct fifo *self, struct flight *flight, uint32_t number)
{
    struct passage passage = passage_at(self, flight);
    int64_t *free_at = &self->free_at[flight->walk.link], start = int64_max(flight->at_ps, *free_at);
    *free_at = int64_min(start + passage.busy_ps, 2 * PS_MAX);
    flight->at_ps = start + passage.head_ps;
    if (walk_on(&flight->walk, self->machine))
        return true;
    flight->at_ps += self->tails_ps[number];
    return false;
}

static void begin(struct fifo *self, const struct transfer *transfer, uint32_t number, int64_t now)
{
    if (number >= self->room)
        make_room(self, number);
    struct flight *flight = &self->flights[number];
    const struct heap_entry *moment = &self->network.moment;
    self->n_begun = now == self->begun_ps ? self->n_begun + 1 : 1;
    self->begun_ps = now;
    flight->at_ps = now;
    flight->turn = (uint64_t)moment->order << 32 | moment->item;
    flight->begun = self->n_begun;
    flight->order = transfer->order;
    walk_begin(&flight->walk, self->machine, transfer);
    if (self->alike)
        flight->passage = passage_of(self->machine, transfer, 0);
    else
        flight->bytes = transfer->bytes;
    self->tails_ps[number] = transfer->inject_ps;
}

/* ---- A day of all links ---- */

static inline bool is_before(const struct flight *a, const struct flight *b)
{
    if (a->at_ps != b->at_ps)
        return a->at_ps < b->at_ps;
    return a->turn != b->turn ? a->turn < b->turn : a->begun < b->begun;
}

static int compare(const void *left, const void *right, void *context)
{
    const struct flight *flights = context;
    return is_before(&flights[*(const uint32_t *)right], &flights[*(const uint32_t *)left]) ? 1 : -1;
}

/* One that came at a moment is behind the clock's end. The engine must hear first of that of which it would have heard
 * first: its run fails. */
static __attribute__((noinline)) void note_late(struct fifo *self, uint32_t number, int64_t came_ps)
{
    struct flight late = self->flights[number];
    late.at_ps = came_ps;
    if (self->late.begun != UINT32_MAX && is_before(&self->late, &late))
        return;
    self->late = late;
    self->late_number = number;
}

static inline void pass_on(struct fifo *self, uint32_t number)
{
    struct flight *flight = &self->flights[number];
    int64_t came_ps = flight->at_ps;
    bool goes_on = serve(self, flight, number);
    if (flight->at_ps > PS_MAX) {
        note_late(self, number, came_ps);
        return;
    }
    if (!goes_on) {
        self->ended[self->n_ended++] = number;
        return;
    }
    flight->turn = (uint64_t)flight->order << 32 | number;
    flight->begun = 0;
    self->network.n_moves++;
    calendar_add(&self->calendar, number, flight->at_ps);
}

/* Several come to a link, the first of them being 1 + `first`. */
static void pass_several(struct fifo *self, uint32_t first)
{
    enum { FEW = 16 };
    uint32_t n = 0, *queue = self->queue;
    for (uint32_t item = first; item != 0; item = self->calendar.next[item - 1])
        queue[n++] = item - 1;
    if (n > FEW)
        sort_rows(queue, n, sizeof *queue, compare, self->flights);
    for (uint32_t i = 1; n <= FEW && i < n; i++) {
        uint32_t number = queue[i], hole = i;
        for (; hole > 0 && is_before(&self->flights[number], &self->flights[queue[hole - 1]]); hole--)
            queue[hole] = queue[hole - 1];
        queue[hole] = number;
    }
    for (uint32_t i = 0; i < n; i++)
        pass_on(self, queue[i]);
}

static void serve_day(struct fifo *self)
{
    uint32_t n_links = 0, *next = self->calendar.next;
    for (uint32_t item = calendar_take(&self->calendar), after; item != 0; item = after) {
        uint32_t link = (uint32_t)self->flights[item - 1].walk.link;
        after = next[item - 1];
        if (self->waiting[link] == 0)
            self->links[n_links++] = link;
        next[item - 1] = self->waiting[link];
        self->waiting[link] = item;
    }
    for (uint32_t i = 0; i < n_links; i++) {
        uint32_t first = self->waiting[self->links[i]];
        self->waiting[self->links[i]] = 0;
        if (next[first - 1] == 0)
            pass_on(self, first - 1);
        else
            pass_several(self, first);
    }
    if (self->late.begun != UINT32_MAX)
        self->ended[self->n_ended++] = self->late_number;
    self->late.begun = UINT32_MAX;
}

/* ---- The network ---- */

static void set_next(struct fifo *self)
{
    self->network.next_ps = self->n_ended > 0 ? 0 : calendar_end_ps(&self->calendar);
}

/* A day must not be longer than a hop of what is under way. */
static void fit_days(struct fifo *self, int64_t hop_ps, int64_t now)
{
    struct calendar *calendar = &self->calendar;
    int shift = 63 - __builtin_clzll((unsigned long long)hop_ps);
    bool is_empty = calendar->first == INT64_MAX;
    if (!is_empty && shift >= calendar->shift)
        return;
    uint32_t n = 0;
    int64_t first_ps = now;
    while (calendar->first != INT64_MAX)
        for (uint32_t item = calendar_take(calendar); item != 0; item = calendar->next[item - 1]) {
            self->queue[n++] = item - 1;
            first_ps = int64_min(first_ps, self->flights[item - 1].at_ps);
        }
    calendar->shift = shift;
    calendar->today = first_ps >> shift;
    for (uint32_t i = 0; i < n; i++)
        calendar_add(calendar, self->queue[i], self->flights[self->queue[i]].at_ps);
}

/* The engine calls again when the head has come to the next link. */
static enum transfer_state step(struct fifo *self, const struct transfer *transfer, uint32_t number, int64_t now,
                                int64_t *at)
{
    struct flight *flight = &self->flights[number];
    int32_t link = flight->walk.link;
    struct passage passage = passage_at(self, flight);
    flight->at_ps = now;
    if (self->network.loads != NULL)
        link_loads_serve(self->network.loads, link, transfer->bytes, now, int64_max(now, self->free_at[link]),
                         passage.busy_ps);
    bool goes_on = serve(self, flight, number);
    *at = flight->at_ps;
    return goes_on ? TRANSFER_MOVES : TRANSFER_ENDS;
}

static enum transfer_state fifo_advance(struct network *network, struct transfer *transfer, uint32_t number,
                                        int64_t now, int64_t *at)
{
    struct fifo *self = (struct fifo *)network;
    bool looks_ahead = network->has_moment && network->loads == NULL && self->least_ps > 0;
    if (transfer->hops == 0) {
        *at = now + transfer->inject_ps;
        return TRANSFER_ENDS;
    }
    if (transfer->next_hop++ == 0)
        begin(self, transfer, number, now);
    if (!looks_ahead)
        return step(self, transfer, number, now, at);
    fit_days(self, self->alike ? self->flights[number].passage.head_ps : self->least_ps, now);
    calendar_add(&self->calendar, number, now);
    set_next(self);
    return TRANSFER_SHARES;
}

static bool fifo_next(struct network *network, int64_t until, uint32_t *number, int64_t *at)
{
    struct fifo *self = (struct fifo *)network;
    while (self->n_ended == 0 && self->calendar.first != INT64_MAX && calendar_end_ps(&self->calendar) <= until)
        serve_day(self);
    bool ends = self->n_ended > 0;
    if (ends) {
        *number = self->ended[--self->n_ended];
        *at = self->flights[*number].at_ps;
    }
    set_next(self);
    return ends;
}

const struct network_spec network_fifo = {
    .name = "fifo",
    .summary = "every link serves messages first come, first served",
    .open = fifo_open,
    .close = fifo_close,
    .advance = fifo_advance,
    .next = fifo_next,
};
