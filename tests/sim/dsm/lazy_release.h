/* Lazy release consistency once more, by sets instead of vector times, for programs in which one thing happens after
 * the other: what each of them sends, and what it waits for, counted in the order of the program. The rules are those
 * of docs/explain/shared-memory.md.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_LAZY_RELEASE_H
#define TESTS_LAZY_RELEASE_H

#include "interval/interval.h"
#include "sim/program/dsm_options.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    LRC_NODES = 16,
    LRC_PAGES = 32,
    LRC_LOCKS = 8,
    LRC_INTERVALS = 512,
    LRC_PHASES = 1024, /* from one synchronization to the next */
    LRC_PAGE_WORDS = 16,
    LRC_WORD_BYTES = 4,
    LRC_PAGE_BYTES = LRC_PAGE_WORDS * LRC_WORD_BYTES,
    LRC_HEADER_BYTES = 32,
    LRC_REQUEST_BYTES = 4
};

/* Messages and waits of a run; the protocol's simulation is counted into the same. */
struct lrc_count {
    int64_t messages[LRC_NODES][LRC_NODES], bytes;
    int64_t waits[LRC_NODES][N_OPERATIONS];
};

typedef bool lrc_set[LRC_INTERVALS];

struct lrc_interval {
    int node;
    bool collected; /* forgotten */
    bool pages[LRC_PAGES];
    int64_t diff_bytes[LRC_PAGES]; /* 0: not made yet */
    lrc_set known;                 /* to its node, when it ended */
};

struct lrc_copy {
    bool exists, valid;
    bool twin, written; /* written: in the interval that is open, which will list it */
    bool used;          /* since it was last brought up to date */
    bool shown;         /* to another node; until then node 0 writes its pages without a twin */
    int listed;         /* the interval that lists what the twin shows, or -1 */
    uint32_t words;     /* written since the twin was made */
    lrc_set holds;
};

struct lrc_node {
    lrc_set known, announced;
    struct lrc_copy copies[LRC_PAGES];
    int64_t kept_bytes; /* of intervals and diffs */
    bool lost[LRC_PAGES];
    uint32_t phases[LRC_PHASES]; /* the pages first accessed since they were invalidated, a bit each */
    int n_phases;                /* that are over */
};

struct lrc {
    struct lrc_count count;
    struct dsm_options options;
    int n_nodes, n_pages, n_intervals;
    struct lrc_interval intervals[LRC_INTERVALS];
    struct lrc_node nodes[LRC_NODES];
    int owner[LRC_PAGES], holder[LRC_LOCKS];
    const char *broken; /* an expectation of this count that does not hold, or NULL */
};

static inline void lrc_begin(struct lrc *lrc, int n_nodes, int n_pages, const struct dsm_options *options)
{
    memset(lrc, 0, sizeof *lrc);
    lrc->options = *options;
    lrc->n_nodes = n_nodes;
    lrc->n_pages = n_pages;
    for (int lock = 0; lock < LRC_LOCKS; lock++)
        lrc->holder[lock] = lock % n_nodes;
    for (int page = 0; page < n_pages; page++)
        lrc->nodes[0].copies[page] = (struct lrc_copy){.exists = true, .valid = true, .listed = -1};
}

/* --- messages --- */

static inline void lrc_send(struct lrc *lrc, int from, int to, int64_t bytes)
{
    if (from == to)
        return;
    lrc->count.messages[from][to]++;
    lrc->count.bytes += LRC_HEADER_BYTES + bytes;
}

static inline int64_t lrc_vector_bytes(const struct lrc *lrc)
{
    return 2 * lrc->n_nodes;
}

static inline int64_t lrc_interval_bytes(const struct lrc *lrc, int interval)
{
    int64_t bytes = 2 + lrc_vector_bytes(lrc);
    for (int page = 0; page < lrc->n_pages; page++)
        bytes += lrc->intervals[interval].pages[page] ? 2 : 0;
    return bytes;
}

/* A message with the intervals that are in one set and not in another. */
static inline void lrc_tell(struct lrc *lrc, int from, int to, const bool *known, const bool *known_there)
{
    int64_t bytes = 0;
    for (int i = 0; i < lrc->n_intervals; i++)
        bytes += known[i] && !known_there[i] ? lrc_interval_bytes(lrc, i) : 0;
    lrc_send(lrc, from, to, bytes);
}

/* --- writing --- */

/* The interval that the node has open ends, if something was written in it. */
static inline void lrc_close(struct lrc *lrc, int number)
{
    struct lrc_node *node = &lrc->nodes[number];
    struct lrc_interval made = {.node = number};
    bool any = false;
    for (int page = 0; page < lrc->n_pages; page++) {
        made.pages[page] = node->copies[page].twin && node->copies[page].written;
        any |= made.pages[page];
    }
    if (!any)
        return;
    int i = lrc->n_intervals++;
    node->known[i] = true;
    memcpy(made.known, node->known, sizeof made.known);
    lrc->intervals[i] = made;
    node->kept_bytes += lrc_interval_bytes(lrc, i);
    for (int page = 0; page < lrc->n_pages; page++)
        if (made.pages[page]) {
            node->copies[page].listed = i;
            node->copies[page].written = false;
            node->copies[page].holds[i] = true;
        }
}

/* The twin, if an interval lists what it shows, becomes a diff. */
static inline void lrc_make_diff(struct lrc *lrc, int number, int page)
{
    struct lrc_copy *copy = &lrc->nodes[number].copies[page];
    if (!copy->twin || copy->listed < 0)
        return;
    int64_t bytes = 4;
    for (int word = 0; word < LRC_PAGE_WORDS; word++)
        if (copy->words >> word & 1)
            bytes += LRC_WORD_BYTES + (word == 0 || !(copy->words >> (word - 1) & 1) ? 4 : 0);
    lrc->intervals[copy->listed].diff_bytes[page] = bytes;
    lrc->nodes[number].kept_bytes += bytes;
    copy->twin = copy->written = false;
}

/* --- fetching --- */

/* The last interval of a writer that lists the page, that the node knows of, and that the copy does not hold; -1:
 * none. */
static inline int lrc_missing(const struct lrc *lrc, int number, int page, int writer, const bool *holds)
{
    int last = -1;
    for (int i = 0; i < lrc->n_intervals && writer != number; i++)
        if (lrc->intervals[i].node == writer && lrc->intervals[i].pages[page] && !lrc->intervals[i].collected &&
            lrc->nodes[number].known[i] && !holds[i])
            last = i;
    return last;
}

static inline bool lrc_misses(const struct lrc *lrc, int number, int page)
{
    for (int writer = 0; writer < lrc->n_nodes; writer++)
        if (lrc_missing(lrc, number, page, writer, lrc->nodes[number].copies[page].holds) >= 0)
            return true;
    return false;
}

/* True if another writer that is asked anyway has seen the interval, and so sends its diff, too. */
static inline bool lrc_is_covered(const struct lrc *lrc, const int *upto, int writer)
{
    for (int other = 0; other < lrc->n_nodes; other++)
        if (other != writer && upto[other] >= 0 && lrc->intervals[upto[other]].known[upto[writer]])
            return true;
    return false;
}

/* All diffs that are missing come, each writer's once, from the last writers. A page may have come with all of them. */
static inline void lrc_fetch_diffs(struct lrc *lrc, int number, int page, enum operation operation)
{
    struct lrc_node *node = &lrc->nodes[number];
    struct lrc_copy *copy = &node->copies[page];
    int upto[LRC_NODES];
    if (operation != OPERATION_PREFETCH && lrc_misses(lrc, number, page))
        lrc->count.waits[number][operation]++;
    for (int writer = 0; writer < lrc->n_nodes; writer++)
        upto[writer] = lrc_missing(lrc, number, page, writer, copy->holds);
    for (int writer = 0; writer < lrc->n_nodes; writer++) {
        if (upto[writer] < 0)
            continue;
        if (!lrc_is_covered(lrc, upto, writer)) {
            if (lrc->nodes[writer].copies[page].listed <= upto[writer]) /* a later one has not been asked for */
                lrc_make_diff(lrc, writer, page);
            lrc_send(lrc, number, writer, LRC_REQUEST_BYTES);
            lrc_send(lrc, writer, number, 0);
        }
        for (int i = 0; i <= upto[writer]; i++) {
            const struct lrc_interval *interval = &lrc->intervals[i];
            if (interval->node != writer || !interval->pages[page] || interval->collected || copy->holds[i])
                continue;
            if (interval->diff_bytes[page] == 0)
                lrc->broken = "a diff that others must have is not made";
            lrc->count.bytes += 4 + interval->diff_bytes[page]; /* the request has four bytes for it */
            node->kept_bytes += interval->diff_bytes[page];
            copy->holds[i] = true;
        }
    }
    copy->valid = true;
}

static inline void lrc_fetch_page(struct lrc *lrc, int number, int page)
{
    int source = lrc->owner[page];
    struct lrc_copy *copy = &lrc->nodes[number].copies[page];
    if (!lrc->nodes[source].copies[page].exists)
        lrc->broken = "who should have a page has none";
    lrc->nodes[source].copies[page].shown = true;
    lrc_make_diff(lrc, source, page);
    lrc_send(lrc, number, source, LRC_REQUEST_BYTES);
    lrc_send(lrc, source, number, lrc_vector_bytes(lrc) + LRC_PAGE_BYTES);
    *copy = (struct lrc_copy){.exists = true, .shown = true, .listed = -1};
    memcpy(copy->holds, lrc->nodes[source].copies[page].holds, sizeof copy->holds);
    copy->valid = !lrc_misses(lrc, number, page);
    lrc->count.waits[number][OPERATION_PAGE]++;
}

/* The node reads or writes words of a page. */
static inline void lrc_access(struct lrc *lrc, int number, int page, uint32_t words, bool write)
{
    struct lrc_copy *copy = &lrc->nodes[number].copies[page];
    if (!copy->exists)
        lrc_fetch_page(lrc, number, page);
    if (!copy->valid)
        lrc_fetch_diffs(lrc, number, page, OPERATION_DIFF);
    if (!copy->used)
        lrc->nodes[number].phases[lrc->nodes[number].n_phases] |= UINT32_C(1) << page;
    copy->used = true;
    if (!write || (number == 0 && !copy->shown))
        return;
    if (!copy->twin) {
        copy->twin = true;
        copy->listed = -1;
        copy->words = 0;
    }
    copy->words |= words;
    copy->written = copy->listed < 0;
}

/* --- synchronizing --- */

static inline void lrc_invalidate(struct lrc *lrc, int number, int page)
{
    struct lrc_copy *copy = &lrc->nodes[number].copies[page];
    lrc_make_diff(lrc, number, page);
    if (copy->exists && copy->valid && copy->used)
        lrc->nodes[number].lost[page] = true;
    copy->valid = copy->used = false;
}

static inline void lrc_learn(struct lrc *lrc, int number, const bool *known)
{
    struct lrc_node *node = &lrc->nodes[number];
    memset(node->lost, 0, sizeof node->lost);
    for (int i = 0; i < lrc->n_intervals; i++) {
        for (int page = 0; page < lrc->n_pages && known[i] && !node->known[i]; page++)
            if (lrc->intervals[i].pages[page])
                lrc_invalidate(lrc, number, page);
        node->known[i] |= known[i];
    }
}

static inline bool lrc_alike(uint32_t a, uint32_t b)
{
    return 2 * __builtin_popcount(a & b) >= __builtin_popcount(a | b);
}

/* By history: what came after the last phase like the one that ends, if those before both were alike, too. */
static inline void lrc_predict(struct lrc *lrc, int number)
{
    struct lrc_node *node = &lrc->nodes[number];
    const uint32_t *phases = node->phases;
    int now = node->n_phases, then = now - 1;
    memset(node->lost, 0, sizeof node->lost);
    while (then >= 1 && !(lrc_alike(phases[then], phases[now]) && lrc_alike(phases[then - 1], phases[now - 1])))
        then--;
    for (int page = 0; page < lrc->n_pages && then >= 1; page++)
        node->lost[page] =
            (phases[then + 1] >> page & 1) != 0 && node->copies[page].exists && !node->copies[page].valid;
    if (++node->n_phases == LRC_PHASES)
        lrc->broken = "too many synchronisations";
}

/* With prefetching, pages that were in use are brought up to date at once. One may have been fetched whole after the
 * write that a notice tells of only now. It lacks nothing, so that nothing is asked for; it stays invalid until it is
 * accessed, and a collection before that gives it up. */
static inline void lrc_prefetch(struct lrc *lrc, int number)
{
    if (lrc->options.policy == DSM_PREFETCH_HISTORY)
        lrc_predict(lrc, number);
    for (int page = 0; page < lrc->n_pages; page++)
        if (lrc->options.prefetch && lrc->nodes[number].lost[page] && lrc_misses(lrc, number, page))
            lrc_fetch_diffs(lrc, number, page, OPERATION_PREFETCH);
}

/* A lock that nobody has: from who had it last, by way of its manager. */
static inline void lrc_acquire(struct lrc *lrc, int number, int lock)
{
    int manager = lock % lrc->n_nodes, holder = lrc->holder[lock];
    if (holder == number)
        return;
    lrc_close(lrc, number);
    lrc_send(lrc, number, manager, LRC_REQUEST_BYTES + lrc_vector_bytes(lrc));
    lrc_send(lrc, manager, holder, LRC_REQUEST_BYTES + lrc_vector_bytes(lrc));
    lrc_close(lrc, holder);
    lrc_tell(lrc, holder, number, lrc->nodes[holder].known, lrc->nodes[number].known);
    lrc_learn(lrc, number, lrc->nodes[holder].known);
    lrc->holder[lock] = number;
    lrc->count.waits[number][OPERATION_LOCK]++;
    lrc_prefetch(lrc, number);
}

/* All come, and all go on knowing everything. True if the manager, when it does, finds too much kept. */
static inline bool lrc_meet(struct lrc *lrc, enum operation operation)
{
    bool too_much = false;
    lrc_set all = {false};
    for (int n = 0; n < lrc->n_nodes; n++) {
        struct lrc_node *node = &lrc->nodes[n];
        lrc_set own = {false};
        lrc_close(lrc, n);
        for (int i = 0; i < lrc->n_intervals; i++) {
            own[i] = lrc->intervals[i].node == n;
            all[i] |= node->known[i];
        }
        lrc_tell(lrc, n, 0, own, node->announced);
        lrc->count.bytes += n == 0 ? 0 : LRC_REQUEST_BYTES + lrc_vector_bytes(lrc);
        memcpy(node->announced, own, sizeof own);
        lrc->count.waits[n][operation]++;
    }
    for (int n = 1; n < lrc->n_nodes; n++)
        lrc_tell(lrc, 0, n, all, lrc->nodes[n].known);
    lrc_learn(lrc, 0, all);
    for (int n = 0; n < lrc->n_nodes; n++)
        too_much |= lrc->nodes[n].kept_bytes > lrc->options.collect_at_bytes;
    for (int n = 1; n < lrc->n_nodes; n++)
        lrc_learn(lrc, n, all);
    return too_much;
}

static inline bool lrc_has_written(const struct lrc *lrc, int number, int page)
{
    for (int i = 0; i < lrc->n_intervals; i++)
        if (lrc->intervals[i].node == number && lrc->intervals[i].pages[page] && !lrc->intervals[i].collected)
            return true;
    return false;
}

/* Writers of a page bring their copies up to date, others discard theirs; all meet, and the past is forgotten. */
static inline void lrc_collect(struct lrc *lrc)
{
    for (int n = 0; n < lrc->n_nodes; n++)
        for (int page = 0; page < lrc->n_pages; page++) {
            struct lrc_copy *copy = &lrc->nodes[n].copies[page];
            if (copy->exists && !copy->valid && lrc_has_written(lrc, n, page))
                lrc_fetch_diffs(lrc, n, page, OPERATION_COLLECT);
            else if (!copy->valid)
                copy->exists = false;
        }
    lrc_meet(lrc, OPERATION_COLLECT);
    for (int page = 0; page < lrc->n_pages; page++)
        for (int n = lrc->n_nodes - 1; n >= 0; n--)
            if (lrc_has_written(lrc, n, page))
                lrc->owner[page] = n;
    for (int i = 0; i < lrc->n_intervals; i++)
        lrc->intervals[i].collected = true;
    for (int n = 0; n < lrc->n_nodes; n++) {
        lrc->nodes[n].kept_bytes = 0;
        for (int page = 0; page < lrc->n_pages; page++)
            lrc->nodes[n].copies[page].twin = false;
    }
}

static inline void lrc_barrier(struct lrc *lrc)
{
    if (lrc_meet(lrc, OPERATION_BARRIER)) {
        lrc_collect(lrc);
        return;
    }
    for (int n = 0; n < lrc->n_nodes; n++)
        lrc_prefetch(lrc, n);
}

/* --- comparing --- */

/* True if both are the same; else the first difference is printed. */
static inline bool lrc_same(const struct lrc_count *found, const struct lrc_count *expected)
{
    for (int a = 0; a < LRC_NODES; a++)
        for (int b = 0; b < LRC_NODES; b++)
            if (found->messages[a][b] != expected->messages[a][b]) {
                fprintf(stderr, "from %d to %d go %lld messages, counted are %lld\n", a, b,
                        (long long)found->messages[a][b], (long long)expected->messages[a][b]);
                return false;
            }
    for (int a = 0; a < LRC_NODES; a++)
        for (int o = 0; o < N_OPERATIONS; o++)
            if (found->waits[a][o] != expected->waits[a][o]) {
                fprintf(stderr, "node %d waits %lld times for %s, counted are %lld\n", a, (long long)found->waits[a][o],
                        operation_names[o], (long long)expected->waits[a][o]);
                return false;
            }
    if (found->bytes != expected->bytes)
        fprintf(stderr, "%lld bytes are sent, counted are %lld\n", (long long)found->bytes, (long long)expected->bytes);
    return found->bytes == expected->bytes;
}

#endif
