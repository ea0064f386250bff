/* Adds up records, which are those of a trace: the same functions have the same calls and times.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/profile/tally.h"

#include "base/map.h"

#include <stdlib.h>

struct tally tally;

/* Where each thread of the rank is; number 0 is the one that initialized MPI. */
static struct place {
    int64_t time_ns;        /* of the record before */
    enum tally_state phase; /* outside MPI */
    bool is_inside;         /* a call */
    uint16_t region;
    uint32_t site;
    int64_t n_polls, entered_ns, sent, received; /* of the call */
} places[SPOOL_MAX_THREADS];
static uint32_t current; /* whose records come */
static struct map rows;  /* of the sites */

void tally_open(bool has_sites)
{
    tally.sites = has_sites ? calloc(SPOOL_MAX_SITES, sizeof *tally.sites) : NULL;
}

void tally_add_calls(struct tally_calls *sum, const struct tally_calls *calls)
{
    if (calls->n_calls == 0)
        return;
    if (sum->n_calls == 0 || calls->shortest_ns < sum->shortest_ns)
        sum->shortest_ns = calls->shortest_ns;
    if (calls->longest_ns > sum->longest_ns)
        sum->longest_ns = calls->longest_ns;
    sum->n_calls += calls->n_calls;
    sum->time_ns += calls->time_ns;
    sum->sent += calls->sent;
    sum->received += calls->received;
}

/* The row of a function at a site; NULL: it has none. */
static struct tally_calls *find_row(uint32_t site, uint16_t region)
{
    struct map_key key = map_key((int32_t)site, region, 0, 0);
    if (site == 0 || tally.sites == NULL || !map_reserve(&rows))
        return NULL;
    struct map_entry *entry = map_find(&rows, key);
    if (entry != NULL)
        return &tally.sites[entry->index].calls;
    if (tally.n_sites == SPOOL_MAX_SITES)
        return NULL;
    map_add(&rows, key)->index = tally.n_sites;
    tally.sites[tally.n_sites] = (struct tally_site){.site = site, .region = region};
    return &tally.sites[tally.n_sites++].calls;
}

static void call_end(struct place *now, int64_t time_ns)
{
    int64_t length_ns = time_ns - now->entered_ns, each_ns = length_ns / now->n_polls;
    struct tally_calls calls = {now->n_polls, length_ns, each_ns, each_ns, now->sent, now->received};
    struct tally_calls *row = find_row(now->site, now->region);
    tally_add_calls(&tally.functions[now->region], &calls);
    if (row != NULL)
        tally_add_calls(row, &calls);
    now->is_inside = false;
    if (now == places) {
        tally.state_ns[TALLY_MPI] += length_ns;
    } else {
        tally.n_others += now->n_polls;
        tally.others_ns += length_ns;
    }
}

static void call_begin(struct place *now, const struct spool_record *record)
{
    now->is_inside = record->id < N_REGIONS;
    now->region = record->id;
    now->site = record->a;
    now->n_polls = record->n_words == 1 && record->words[0] > 1 ? record->words[0] : 1;
    now->entered_ns = record->time_ns;
    now->sent = now->received = 0;
}

static void add_size(struct tally_class *classes, int64_t bytes)
{
    struct tally_class *class = &classes[bytes <= 0 ? 0 : 64 - __builtin_clzll((unsigned long long)bytes)];
    class->n++;
    class->bytes += bytes;
}

static void collective(struct place *now, int64_t sent, int64_t received)
{
    now->sent += sent;
    now->received += received;
    add_size(tally.collectives, sent > received ? sent : received);
}

/* Add the bytes that messages and collectives move. */
static void moved(struct place *now, const struct spool_record *record)
{
    switch (record->kind) {
    case SPOOL_SEND:
    case SPOOL_ISEND:
        now->sent += record->words[1];
        add_size(tally.messages, record->words[1]);
        break;
    case SPOOL_RECV:
    case SPOOL_IRECV:
        now->received += record->words[1];
        break;
    case SPOOL_COLL_END:
    case SPOOL_ICOLL_DONE:
        collective(now, record->words[1], record->words[2]);
        break;
    default:
        break;
    }
}

/* A piece of the time up to now, but not of what was before the record before. */
static void pause_within(const struct place *now, const struct spool_record *record, int64_t length_ns)
{
    if (record->id < REGION_WITHOUT || record->id > REGION_OFF)
        return;
    if (record->words[0] < length_ns)
        length_ns = record->words[0];
    tally.state_ns[now->phase] -= length_ns;
    tally.state_ns[TALLY_WITHOUT + record->id - REGION_WITHOUT] += length_ns;
}

static void scope(struct place *now, const struct spool_record *record)
{
    static const enum tally_state states[N_SCOPE_ROLES] = {[SCOPE_PLAIN] = TALLY_USEFUL,
                                                           [SCOPE_USEFUL] = TALLY_USEFUL,
                                                           [SCOPE_CONTROL] = TALLY_CONTROL,
                                                           [SCOPE_MESSAGES] = TALLY_USEFUL,
                                                           [SCOPE_IDLE] = TALLY_IDLE};
    if (record->id != SCOPE_PLAIN && record->id < N_SCOPE_ROLES)
        now->phase = record->kind == SPOOL_SCOPE_ENTER ? states[record->id] : TALLY_USEFUL;
}

/* The rank's time ends, and calls that its threads are in. */
static void finish(int64_t time_ns)
{
    for (int i = 0; i < SPOOL_MAX_THREADS; i++)
        if (places[i].is_inside)
            call_end(&places[i], time_ns);
    tally.end_ns = time_ns;
}

static void take(struct place *now, const struct spool_record *record)
{
    int64_t length_ns = record->time_ns - now->time_ns;
    if (now == places && !now->is_inside && record->kind != SPOOL_BEGIN && record->kind != SPOOL_ON)
        tally.state_ns[now->phase] += length_ns;
    switch (record->kind) {
    case SPOOL_BEGIN:
        tally.begin_ns = record->time_ns;
        break;
    case SPOOL_OFF:
        now->phase = TALLY_USEFUL; /* scopes are entered again */
        break;
    case SPOOL_ON:
        tally.begin_ns += length_ns; /* the time is what is recorded */
        break;
    case SPOOL_FINISH:
        finish(record->time_ns);
        break;
    case SPOOL_ENTER:
        call_begin(now, record);
        break;
    case SPOOL_LEAVE:
        if (now->is_inside)
            call_end(now, record->time_ns);
        break;
    case SPOOL_SCOPE_ENTER:
    case SPOOL_SCOPE_LEAVE:
        scope(now, record);
        break;
    case SPOOL_PAUSE:
        pause_within(now, record, length_ns);
        break;
    default:
        moved(now, record);
        break;
    }
    now->time_ns = record->time_ns;
}

void tally_take(const unsigned char *window, const unsigned char *end)
{
    struct spool_record record;
    while (window < end) {
        size_t length = SPOOL_HEAD + 8 * (size_t)window[1];
        memcpy(&record, window, length);
        if (record.kind == SPOOL_THREAD)
            current = record.a;
        else
            take(&places[record.kind == SPOOL_FINISH ? 0 : current], &record);
        window += length;
    }
}

void tally_define(enum definition_kind kind, const void *data, size_t length)
{
    if (kind == DEFINE_CORES && length == sizeof tally.cores)
        memcpy(&tally.cores, data, length);
    else if (kind == DEFINE_PROCESSOR && length == sizeof tally.processor)
        memcpy(&tally.processor, data, length);
    else if (kind == DEFINE_LIBRARY && length <= sizeof tally.library)
        memcpy(tally.library, data, length);
    else if (kind == DEFINE_UNRECORDED && length == sizeof tally.n_unrecorded)
        memcpy(&tally.n_unrecorded, data, length);
    else if (kind == DEFINE_OFF && length == sizeof tally.off)
        memcpy(&tally.off, data, length);
}
