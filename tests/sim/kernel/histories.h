/* For the tests of the kernel: random programs that end, what they must take on the quiet network, and the critical
 * path by a walk back through the whole record.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_HISTORIES_H
#define TESTS_HISTORIES_H

#include "tests/sim/network/wires.h"

/* --- random numbers, the same everywhere --- */

static uint64_t random_state;

static inline int64_t random_below(int64_t bound)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((random_state >> 33) % (uint64_t)bound);
}

/* A random number up to `bound`, of any magnitude. */
static inline int64_t random_magnitude(int64_t bound)
{
    int64_t top = 1;
    while (top < bound && random_below(8) > 0)
        top *= 4;
    return random_below(top < bound ? top : bound);
}

/* --- random programs that end ---
 *
 * A history is a list of acts in an order in which they can happen one after the other; each rank's program is its part
 * of it. Who waits for isends has their receives before that in the history, and who waits for a receive its send, so
 * no program can deadlock. */

enum act_kind { ACT_WORK, ACT_SEND, ACT_ISEND, ACT_RECV, ACT_IRECV, ACT_WAIT_ONE, ACT_WAIT, ACT_MARK, ACT_WAIT_MARKED };

struct act {
    enum act_kind kind;
    int rank, message;
    int64_t work_ps;
};

struct planned_message {
    int from, to, tag;
    int64_t bytes;
    bool synchronous;
    bool posted, received; /* by an irecv; and taken in */
};

enum { MAX_ACTS = 900, MAX_PLANNED = 120 };

struct history {
    int n_ranks, n_tags, n_acts, n_messages;
    bool ahead; /* some receives are irecvs, and some isends are waited for alone or with others */
    struct act acts[MAX_ACTS];
    struct planned_message messages[MAX_PLANNED];
};

static inline struct act *act(struct history *history, enum act_kind kind, int rank, int message)
{
    struct act *act = &history->acts[history->n_acts++];
    *act = (struct act){.kind = kind, .rank = rank, .message = message};
    return act;
}

static inline void post(struct history *history, int message)
{
    act(history, ACT_IRECV, history->messages[message].to, message);
    history->messages[message].posted = true;
}

/* Messages with the same ends and tag are received in the order in which they were sent; but what is posted is waited
 * for in any order. */
static inline void receive(struct history *history, int message)
{
    const struct planned_message *last = &history->messages[message];
    for (int i = 0; i <= message; i++) {
        struct planned_message *planned = &history->messages[i];
        if (planned->received || planned->from != last->from || planned->to != last->to || planned->tag != last->tag)
            continue;
        if (planned->posted ? random_below(2) == 0 : history->ahead && random_below(2) == 0) {
            if (!planned->posted)
                post(history, i);
            continue;
        }
        act(history, planned->posted ? ACT_WAIT_ONE : ACT_RECV, planned->to, i);
        planned->received = true;
    }
}

/* Take in some of what the rank has posted, one by one or together. */
static inline void wait_for_posted(struct history *history, int rank)
{
    bool together = random_below(2) == 0;
    for (int i = history->n_messages - 1; i >= 0; i--) {
        struct planned_message *planned = &history->messages[i];
        if (planned->to == rank && planned->posted && !planned->received && random_below(2) == 0) {
            act(history, together ? ACT_MARK : ACT_WAIT_ONE, rank, i);
            planned->received = true;
        }
    }
    if (together)
        act(history, ACT_WAIT_MARKED, rank, -1);
}

/* A message by a blocking send, whose receive follows, or by an isend, whose receive may come much later; a receive may
 * also be posted before. */
static inline void plan_message(struct history *history)
{
    int p = history->n_ranks, message = history->n_messages++;
    struct planned_message *planned = &history->messages[message];
    bool blocking = random_below(2) == 0;
    *planned = (struct planned_message){.from = (int)random_below(p),
                                        .tag = (int)random_below(history->n_tags),
                                        .bytes = random_magnitude(300000),
                                        .synchronous = random_below(6) == 0};
    planned->to = (int)((planned->from + 1 + random_below(p - 1)) % p);
    if (history->ahead && random_below(3) == 0) {
        planned->received = true; /* not before it is sent */
        receive(history, message);
        planned->received = false;
        post(history, message);
        if (random_below(2) == 0)
            act(history, ACT_WORK, planned->to, -1)->work_ps = random_magnitude(5 * MS);
        if (random_below(2) == 0)
            act(history, ACT_WORK, planned->from, -1)->work_ps = random_magnitude(5 * MS);
    }
    act(history, blocking ? ACT_SEND : ACT_ISEND, planned->from, message);
    if (blocking || random_below(3) == 0)
        receive(history, message);
}

/* Wait for all that the rank has begun, or for some of its sends, one by one or together. */
static inline void wait_for_own(struct history *history, int rank)
{
    bool some = history->ahead && random_below(2) == 0, together = random_below(2) == 0;
    for (int i = 0; i < history->n_messages; i++) {
        if (history->messages[i].from != rank)
            continue;
        receive(history, i);
        if (some && random_below(3) == 0)
            act(history, together ? ACT_MARK : ACT_WAIT_ONE, rank, i);
    }
    if (some && together)
        act(history, ACT_WAIT_MARKED, rank, -1);
    if (some)
        return;
    act(history, ACT_WAIT, rank, -1);
    for (int i = 0; i < history->n_messages; i++)
        if (history->messages[i].to == rank && history->messages[i].posted)
            history->messages[i].received = true;
}

static inline void make_history(struct history *history, int n_ranks, int n_tags, bool ahead)
{
    *history = (struct history){.n_ranks = n_ranks, .n_tags = n_tags, .ahead = ahead};
    int64_t n = 5 + random_below(MAX_PLANNED - 5);
    while (history->n_messages < n && history->n_acts < MAX_ACTS - 5 * MAX_PLANNED) {
        int rank = (int)random_below(n_ranks);
        int64_t choice = random_below(ahead ? 10 : 8);
        if (choice < 2)
            act(history, ACT_WORK, rank, -1)->work_ps = random_magnitude(20 * MS);
        else if (choice < 3)
            wait_for_own(history, rank);
        else if (choice < 4 && history->n_messages > 0)
            receive(history, (int)random_below(history->n_messages));
        else if (choice >= 8)
            wait_for_posted(history, rank);
        else
            plan_message(history);
    }
    for (int i = 0; i < history->n_messages; i++)
        receive(history, i);
    for (int r = 0; r < n_ranks; r++)
        if (ahead || random_below(2) == 0)
            act(history, ACT_WAIT, r, -1);
}

/* The history's programs. With `split`, an irecv and its wait stand for each receive. */
static inline void make_script(struct script *script, const struct history *history, int ranks_per_host, bool split)
{
    static const enum op_kind kinds[] = {OP_COMPUTE, OP_SEND, OP_ISEND, OP_RECV, OP_IRECV,
                                         OP_WAIT,    OP_WAIT, OP_MARK,  OP_WAIT};
    *script = (struct script){.n_ranks = history->n_ranks, .ranks_per_host = ranks_per_host};
    script->chunk = (int)random_below(OP_LIST_MAX) + 1;
    for (int i = 0; i < history->n_acts; i++) {
        const struct act *now = &history->acts[i];
        struct op *op = add(script, now->rank, kinds[now->kind], -1, 0);
        op->times = now->work_ps;
        op->marked = now->kind == ACT_WAIT_MARKED;
        op->scope = (uint8_t)(i % 2 + 1);
        op->role = i % 3 == 0 ? ROLE_CONTROL : ROLE_USEFUL;
        if (now->message < 0)
            continue;
        const struct planned_message *planned = &history->messages[now->message];
        op->peer = planned->from == now->rank ? planned->to : planned->from;
        op->bytes = planned->bytes;
        op->tag = planned->tag;
        op->mode = planned->synchronous ? SEND_SYNCHRONOUS : SEND_STANDARD;
        if (now->kind != ACT_SEND && now->kind != ACT_RECV)
            op->request = (uint32_t)now->message + 1;
        if (now->kind != ACT_RECV || !split)
            continue;
        op->kind = OP_IRECV;
        op->request = UINT32_MAX - (uint32_t)now->message;
        struct op *wait = add(script, now->rank, OP_WAIT, -1, 0);
        wait->request = op->request;
        wait->scope = op->scope;
    }
}

/* --- the reckoning for the quiet network: through the history, every rank with a clock --- */

struct reckoning {
    int64_t clock[MAX_RANKS];
    int64_t isent[MAX_RANKS];    /* when the rank's isends are complete, as far as that is known */
    int64_t begun[MAX_PLANNED];  /* handed to the network */
    int64_t posted[MAX_PLANNED]; /* asked for */
    int64_t ended[MAX_PLANNED];  /* delivered */
    int64_t done[MAX_PLANNED];   /* the sender may go on */
    bool is_begun[MAX_PLANNED], is_posted[MAX_PLANNED], is_taken[MAX_PLANNED], blocks[MAX_PLANNED];
    bool is_marked[MAX_PLANNED];           /* and not waited for yet */
    int postings[MAX_PLANNED], n_postings; /* the irecvs in their order */
};

static inline int64_t travel_ps(const struct planned_message *planned, int64_t bytes, bool back)
{
    const struct route *route =
        machine_route(&machine, back ? planned->to : planned->from, back ? planned->from : planned->to);
    return route->latency_ps + llround((double)bytes * route->byte_ps);
}

static inline bool is_rendezvous(const struct planned_message *planned)
{
    return planned->synchronous || planned->bytes > machine.costs.eager_limit;
}

/* Note when a message's sender may go on. */
static inline void complete(struct reckoning *reckoning, const struct planned_message *planned, int message, int64_t at)
{
    int64_t *when = reckoning->blocks[message] ? &reckoning->clock[planned->from] : &reckoning->isent[planned->from];
    *when = max64(*when, at);
    reckoning->done[message] = at;
}

/* Complete a message once it is both begun and asked for. */
static inline void meet(struct reckoning *reckoning, const struct planned_message *planned, int message)
{
    int64_t start = reckoning->begun[message];
    if (!reckoning->is_begun[message] || !reckoning->is_posted[message])
        return;
    if (is_rendezvous(planned))
        start = max64(reckoning->posted[message], start + travel_ps(planned, machine.costs.control_bytes, false)) +
                travel_ps(planned, machine.costs.control_bytes, true);
    reckoning->ended[message] = start + travel_ps(planned, planned->bytes, false);
    if (is_rendezvous(planned))
        complete(reckoning, planned, message, reckoning->ended[message]);
}

static inline void reckon_send(struct reckoning *reckoning, const struct planned_message *planned, int message,
                               bool blocks)
{
    int64_t *clock = &reckoning->clock[planned->from];
    *clock += machine.costs.send_start_ps + machine.costs.send_byte_ps * planned->bytes;
    reckoning->begun[message] = *clock;
    reckoning->is_begun[message] = true;
    reckoning->blocks[message] = blocks;
    if (!is_rendezvous(planned) && !machine.costs.buffers_sends)
        complete(reckoning, planned, message, *clock + travel_ps(planned, planned->bytes, false));
    meet(reckoning, planned, message);
}

static inline void reckon_posting(struct reckoning *reckoning, const struct planned_message *planned, int message)
{
    reckoning->posted[message] = reckoning->clock[planned->to];
    reckoning->is_posted[message] = true;
    meet(reckoning, planned, message);
}

static inline void reckon_taking(struct reckoning *reckoning, const struct planned_message *planned, int message)
{
    int64_t *clock = &reckoning->clock[planned->to];
    if (reckoning->is_taken[message])
        return;
    *clock = max64(*clock, reckoning->ended[message]) + machine.costs.receive_start_ps +
             machine.costs.receive_byte_ps * planned->bytes;
    reckoning->is_taken[message] = true;
}

/* The first message to come of those that the rank has posted and not taken in, or has marked; -1: there is none. */
static inline int first_to_come(const struct reckoning *reckoning, const struct history *history, int rank, bool marked)
{
    int first = -1;
    for (int i = 0; i < reckoning->n_postings; i++) {
        int message = reckoning->postings[i];
        if (history->messages[message].to == rank && !reckoning->is_taken[message] &&
            (!marked || reckoning->is_marked[message]) &&
            (first < 0 || reckoning->ended[message] < reckoning->ended[first]))
            first = message;
    }
    return first;
}

static inline void reckon_end(struct reckoning *reckoning, int rank, int message)
{
    if (!reckoning->blocks[message])
        reckoning->clock[rank] = max64(reckoning->clock[rank], reckoning->done[message]);
}

/* The receives that the rank has marked, as they come, then its sends. */
static inline void reckon_marked(struct reckoning *reckoning, const struct history *history, int rank)
{
    int message;
    while ((message = first_to_come(reckoning, history, rank, true)) >= 0)
        reckon_taking(reckoning, &history->messages[message], message);
    for (int i = 0; i < history->n_messages; i++)
        if (reckoning->is_marked[i] && history->messages[i].from == rank)
            reckon_end(reckoning, rank, i);
    for (int i = 0; i < history->n_messages; i++)
        if (history->messages[i].from == rank || history->messages[i].to == rank)
            reckoning->is_marked[i] = false;
}

/* All that the rank has posted, as it comes, then its sends. */
static inline void reckon_wait(struct reckoning *reckoning, const struct history *history, int rank)
{
    int message;
    while ((message = first_to_come(reckoning, history, rank, false)) >= 0)
        reckon_taking(reckoning, &history->messages[message], message);
    reckoning->clock[rank] = max64(reckoning->clock[rank], reckoning->isent[rank]);
}

static inline void reckon_act(struct reckoning *reckoning, const struct history *history, const struct act *now)
{
    const struct planned_message *planned = &history->messages[now->message >= 0 ? now->message : 0];
    switch (now->kind) {
    case ACT_WORK:
        reckoning->clock[now->rank] += now->work_ps;
        break;
    case ACT_SEND:
    case ACT_ISEND:
        reckon_send(reckoning, planned, now->message, now->kind == ACT_SEND);
        break;
    case ACT_IRECV:
        reckoning->postings[reckoning->n_postings++] = now->message;
        reckon_posting(reckoning, planned, now->message);
        break;
    case ACT_RECV:
        reckon_posting(reckoning, planned, now->message);
        reckon_taking(reckoning, planned, now->message);
        break;
    case ACT_WAIT_ONE:
        if (now->rank == planned->to)
            reckon_taking(reckoning, planned, now->message);
        else
            reckon_end(reckoning, now->rank, now->message);
        break;
    case ACT_MARK:
        reckoning->is_marked[now->message] = true;
        break;
    case ACT_WAIT_MARKED:
        reckon_marked(reckoning, history, now->rank);
        break;
    case ACT_WAIT:
        reckon_wait(reckoning, history, now->rank);
        break;
    }
}

/* The makespan of the history. */
static inline int64_t reckon(const struct history *history)
{
    static struct reckoning reckoning;
    int64_t end = 0;
    memset(&reckoning, 0, sizeof reckoning);
    for (int i = 0; i < history->n_acts; i++)
        reckon_act(&reckoning, history, &history->acts[i]);
    for (int r = 0; r < history->n_ranks; r++)
        end = max64(end, reckoning.clock[r]);
    return end;
}

/* --- the critical path, once more, from the whole record --- */

enum { SUM_PROCESSING, SUM_COMMUNICATION, N_SUMS };
static const char *const sum_names[N_SUMS] = {"processing", "communication"};

/* The last interval before number `before` of the location, or -1. */
static inline int64_t last_of(const struct recording *record, int location, int64_t before)
{
    int64_t i = before - 1;
    while (i >= 0 && record->intervals[i].location != location)
        i--;
    return i;
}

/* The last departure of the message before the interval; its number, or -1. */
static inline int64_t departure_of(const struct recording *record, uint32_t message, int64_t before)
{
    int64_t i = before - 1;
    while (i >= 0 && !(record->intervals[i].is_checkpoint && record->intervals[i].message == message))
        i--;
    return i;
}

/* From the end of interval i back to the start of the run. False where the path has a gap or idles. */
static inline bool walk_back(const struct recording *record, int64_t i, int64_t sums[N_SUMS])
{
    int64_t time = record->intervals[i].end_ps;
    while (i >= 0) {
        const struct interval *interval = &record->intervals[i];
        if (interval->end_ps != time)
            return false;
        int64_t origin = interval->cause == CAUSE_SELF ? interval->start_ps : interval->origin_ps;
        if (interval->state == STATE_IDLE && origin < time)
            return false;
        sums[interval->kind == INTERVAL_COMPUTE ? SUM_PROCESSING : SUM_COMMUNICATION] += time - origin;
        time = origin;
        if (interval->cause == CAUSE_CHECKPOINT) {
            i = departure_of(record, interval->message, i); /* itself of no length, on the path */
            if (i < 0 || record->intervals[i].end_ps != origin)
                return false;
        } else {
            i = last_of(record, interval->cause == CAUSE_PEER ? interval->peer : interval->location, i);
        }
    }
    return time == 0;
}

/* The last interval of the first location that is busy to the end; -1 if there is none. */
static inline int64_t busy_to_the_end(const struct recording *record, int n_locations, int64_t end_ps)
{
    for (int location = 0; location < n_locations; location++) {
        int64_t last = last_of(record, location, (int64_t)record->count);
        if (last >= 0 && (record->intervals[last].state != STATE_IDLE || record->intervals[last].start_ps == end_ps))
            return last;
    }
    return -1;
}

static inline bool path_agrees(const struct outcome *outcome, int n_locations, const struct result *result)
{
    int64_t sums[N_SUMS] = {0}, end_ps = outcome->stats.end_ps;
    int64_t last = busy_to_the_end(&outcome->record, n_locations, end_ps);
    bool good = last >= 0 && walk_back(&outcome->record, last, sums);
    good = good && sums[SUM_PROCESSING] + sums[SUM_COMMUNICATION] == end_ps;
    for (int s = 0; s < N_SUMS; s++)
        good = good && path_part(result, sum_names[s]) == sums[s];
    return good && path_part(result, "memory") == 0 && path_part(result, "io") == 0;
}

/* --- what was recorded --- */

/* Every message is sent once, with its bytes. */
static inline bool messages_counted(const struct outcome *outcome, const struct history *history)
{
    wide_int bytes = 0, bytes_seen = 0;
    int64_t seen = 0;
    for (int i = 0; i < history->n_messages; i++)
        bytes += history->messages[i].bytes;
    for (size_t i = 0; i < outcome->record.count; i++)
        if (outcome->record.intervals[i].is_message) {
            seen++;
            bytes_seen += outcome->record.intervals[i].bytes;
        }
    return outcome->stats.messages == history->n_messages && seen == history->n_messages &&
           outcome->stats.bytes == bytes && bytes_seen == bytes;
}

/* True if the record has one message of the receipt's serial between its two ranks under its tag, and that has its
 * length and begins before the receipt ends. */
static inline bool has_its_message(const struct recording *record, const struct interval *receipt)
{
    int found = 0;
    for (size_t i = 0; i < record->count; i++) {
        const struct interval *interval = &record->intervals[i];
        if (!interval->is_message || interval->serial != receipt->serial || interval->location != receipt->peer ||
            interval->peer != receipt->location || interval->tag != receipt->tag)
            continue;
        if (interval->bytes != receipt->bytes || interval->start_ps > receipt->end_ps)
            return false;
        found++;
    }
    return found == 1;
}

/* One receipt for each message, of its sender, length and tag: of those with the same ends and tag as many of each
 * length as there are messages. */
static inline bool receipts_counted(const struct outcome *outcome, const struct history *history)
{
    bool used[MAX_PLANNED] = {false};
    int seen = 0;
    for (size_t i = 0; i < outcome->record.count; i++) {
        const struct interval *interval = &outcome->record.intervals[i];
        if (!interval->is_receipt)
            continue;
        int l = 0;
        while (l < history->n_messages &&
               (used[l] || history->messages[l].from != interval->peer ||
                history->messages[l].to != interval->location || history->messages[l].bytes != interval->bytes ||
                history->messages[l].tag != interval->tag))
            l++;
        if (l == history->n_messages || interval->state != STATE_RECEIVE ||
            !has_its_message(&outcome->record, interval))
            return false;
        used[l] = true;
        seen++;
    }
    return seen == history->n_messages;
}

/* A number that tells two records apart. */
static inline uint64_t digest(const struct recording *record)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < record->count; i++) {
        const struct interval *interval = &record->intervals[i];
        const int64_t words[] = {interval->start_ps,      interval->end_ps,     interval->origin_ps,  interval->bytes,
                                 interval->message,       interval->operations, interval->location,   interval->peer,
                                 interval->state,         interval->kind,       interval->cause,      interval->scope,
                                 interval->is_checkpoint, interval->is_message, interval->is_receipt, interval->tag};
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            hash = (hash ^ (uint64_t)words[w]) * UINT64_C(1099511628211);
    }
    return hash;
}

#endif
