/* Intervals: what a node has written between two synchronizations, and what the others learn of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/debug.h"
#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct dsm_interval *dsm_interval(const struct dsm *dsm, int node, int number)
{
    const struct interval_log *log = &dsm->logs[node];
    assert(number >= log->first && (size_t)(number - log->first) < log->count);
    return &log->items[number - log->first];
}

/* The bytes of an interval in a message, and in the memory of its node: whose it is, its vector time, its pages. */
static int64_t interval_bytes(const struct dsm *dsm, const struct dsm_interval *interval)
{
    return DSM_NUMBER_BYTES + dsm_vector_bytes(dsm) + (int64_t)interval->n_pages * DSM_NUMBER_BYTES;
}

/* ---- closing ---- */

static void add_notice(struct dsm *dsm, struct node *node, int page, int32_t number)
{
    struct copy *copy = &node->copies[page];
    if (dsm->pages[page].writers == NULL)
        dsm->pages[page].writers = xcalloc((size_t)dsm->n_nodes, sizeof(struct writer));
    struct writer *writer = &dsm->pages[page].writers[node->id];
    writer->notices = xgrow(writer->notices, writer->n_notices, &writer->notices_capacity, sizeof *writer->notices);
    assert(writer->n_notices == 0 || writer->notices[writer->n_notices - 1] < number);
    writer->notices[writer->n_notices++] = number;
    copy->listed = number;
    copy->written = 0;
}

static int by_number(const void *a, const void *b)
{
    return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

int dsm_close_interval(struct dsm *dsm, struct node *node)
{
    struct dsm_interval made = {.pages = xmalloc(node->n_twins * sizeof *made.pages)};
    for (size_t i = 0; i < node->n_twins; i++)
        if (node->copies[node->twins[i]].written)
            made.pages[made.n_pages++] = node->twins[i];
    if (made.n_pages == 0) {
        free(made.pages);
        return 0;
    }
    sort_stable(made.pages, (size_t)made.n_pages, sizeof *made.pages, by_number);
    int32_t number = ++node->vector[node->id];
    made.vector = xmalloc(dsm_vector_size(dsm));
    memcpy(made.vector, node->vector, dsm_vector_size(dsm));
    for (int i = 0; i < made.n_pages; i++) {
        add_notice(dsm, node, made.pages[i], number);
        node->copies[made.pages[i]].applied[node->id] = number;
    }
    struct interval_log *log = &dsm->logs[node->id];
    log->items = xgrow(log->items, log->count, &log->capacity, sizeof *log->items);
    assert(number == log->first + (int32_t)log->count); /* the interval's number is its place */
    log->items[log->count++] = made;
    DEBUG(DSM, dsm->now_ps, "node", node->id, "closes interval %d, in which it has written %d pages", number,
          made.n_pages);
    node->consistency_bytes += interval_bytes(dsm, &made);
    return made.n_pages;
}

/* ---- learning ---- */

/* A notice has come: the copy is no longer good. */
static void invalidate(struct dsm *dsm, struct node *node, int page)
{
    struct dsm_news *news = &node->news;
    struct copy *copy = &node->copies[page];
    if (copy->state == COPY_WRITE) {
        /* The node's own interval has been closed before it learns, so all that the twin shows is in closed ones. */
        bool made = dsm_flush(dsm, node, page);
        assert(made);
        news->n_diffs += made;
    }
    news->n_invalidated += copy->state == COPY_READ;
    if (copy->state == COPY_READ && copy->referenced && news->lost != NULL &&
        dsm->options->policy == DSM_PREFETCH_INVALIDATED)
        news->lost[news->n_lost++] = page;
    if (copy->state != COPY_NONE)
        copy->state = COPY_INVALID;
    copy->referenced = 0;
}

/* Leave some notices out. */
static bool is_forgotten(const struct dsm *dsm, const struct copy *copy, int number)
{
    return dsm->options->fault == DSM_FAULT_NOTICE && copy->state == COPY_READ && number % 2 == 0;
}

void dsm_learn(struct dsm *dsm, struct node *node, const int32_t *vector)
{
    node->news.n_notices = node->news.n_diffs = node->news.n_invalidated = 0;
    node->news.n_lost = 0;
    assert(vector[node->id] <= node->vector[node->id]); /* no node knows more of a node than itself */
    for (int other = 0; other < dsm->n_nodes; other++) {
        assert(vector[other] <= dsm->nodes[other].vector[other]);
        for (int32_t number = node->vector[other] + 1; number <= vector[other]; number++) {
            const struct dsm_interval *interval = dsm_interval(dsm, other, number);
            node->news.n_notices += interval->n_pages;
            for (int i = 0; i < interval->n_pages; i++)
                if (!is_forgotten(dsm, &node->copies[interval->pages[i]], number))
                    invalidate(dsm, node, interval->pages[i]);
        }
        if (vector[other] > node->vector[other])
            DEBUG(DSM, dsm->now_ps, "node", node->id, "learns of node %d's intervals %d to %d", other,
                  node->vector[other] + 1, vector[other]);
        if (vector[other] > node->vector[other])
            node->vector[other] = vector[other];
    }
}

/* ---- write notices ---- */

/* Count an interval in a message: its notices; returns its bytes. */
static int64_t add_interval(const struct dsm *dsm, int node, int number, int64_t *n_notices)
{
    const struct dsm_interval *interval = dsm_interval(dsm, node, number);
    *n_notices += interval->n_pages;
    return interval_bytes(dsm, interval);
}

int64_t dsm_news_bytes(const struct dsm *dsm, const int32_t *from, const int32_t *to, int64_t *n_notices)
{
    int64_t bytes = 0;
    *n_notices = 0;
    for (int other = 0; other < dsm->n_nodes; other++)
        for (int32_t number = to[other] + 1; number <= from[other]; number++)
            bytes += add_interval(dsm, other, number, n_notices);
    return bytes;
}

int64_t dsm_own_news_bytes(const struct dsm *dsm, struct node *node, int64_t *n_notices)
{
    int64_t bytes = 0;
    *n_notices = 0;
    while (node->n_announced < node->vector[node->id])
        bytes += add_interval(dsm, node->id, ++node->n_announced, n_notices);
    return bytes;
}
