/* Pages, twins and diffs: what the protocol knows, without what it costs. Intervals are in sim/dsm/intervals.c.
 *
 * The writes of a node are kept once, in the node's log and in the pages' diffs; what another node knows of it follows
 * from that node's vector time, and what its copy of a page holds from copy->applied. Invariants:
 *
 * - Interval i of a node is complete once it is closed, and known to others only then.
 * - A page with a twin is listed once, in the first interval that wrote it: who has learned of that notice lacks the
 *   diff, which will have all that is written until a node asks for it.
 * - A copy with a twin is valid: it holds every diff that the node knows of. When a notice comes for such a page, the
 *   diff is made, and with it the twin goes.
 * - The diffs of a writer cover its notices of the page in order, each exactly once. A diff may also hold words of the
 *   interval that is open when it is made: who needs those needs the diff as well.
 * - Who wrote a page in an interval had the page valid then. So it has all the diffs that it knew of at the time, its
 *   own and others': the last writers can provide the diffs of all before them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/debug.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { DIFF_BYTES = 4, RUN_BYTES = 4 };

struct writer *dsm_writer(const struct dsm *dsm, int page, int node)
{
    return dsm->pages[page].writers == NULL ? NULL : &dsm->pages[page].writers[node];
}

/* ---- opening and closing ---- */

int64_t dsm_page_footprint(const struct dsm_options *options, int n_nodes, int64_t page_bytes)
{
    enum { BLOCK_BYTES = 16 }; /* that the allocator keeps of each */
    int64_t copy =
        (int64_t)(sizeof(struct copy) + sizeof(struct writer) + sizeof(int32_t) * (size_t)n_nodes) + BLOCK_BYTES;
    int64_t page = (int64_t)sizeof(struct page) + BLOCK_BYTES;
    if (options->check) { /* a number for each word of a copy; of the page, that and who wrote it */
        copy += page_bytes / DSM_WORD_BYTES * (int64_t)sizeof(uint32_t) + BLOCK_BYTES;
        page += page_bytes / DSM_WORD_BYTES * (int64_t)(sizeof(uint32_t) + sizeof(int32_t));
    }
    return page + n_nodes * copy;
}

void dsm_give_copy(struct dsm *dsm, struct copy *copy)
{
    if (copy->applied == NULL)
        copy->applied = xcalloc((size_t)dsm->n_nodes, sizeof *copy->applied);
    if (dsm->options->check && copy->versions == NULL)
        copy->versions = xcalloc((size_t)dsm->page_words, sizeof *copy->versions);
    copy->state = COPY_READ;
}

/* At the beginning node 0 has all pages, and no other node knows of them. */
void dsm_memory_open(struct dsm *dsm)
{
    int64_t page_bytes = dsm->costs->page_bytes;
    dsm->n_pages = (int32_t)((dsm->options->shared_bytes + page_bytes - 1) / page_bytes);
    dsm->page_words = (int32_t)(page_bytes / DSM_WORD_BYTES);
    dsm->page_longs = (dsm->page_words + 63) / 64;
    dsm->pages = xcalloc((size_t)dsm->n_pages, sizeof *dsm->pages);
    dsm->logs = xcalloc((size_t)dsm->n_nodes, sizeof *dsm->logs);
    for (int n = 0; n < dsm->n_nodes; n++) {
        dsm->logs[n].first = 1;
        dsm->nodes[n].vector = xcalloc((size_t)dsm->n_nodes, sizeof(int32_t));
        dsm->nodes[n].copies = xcalloc((size_t)dsm->n_pages, sizeof(struct copy));
        if (dsm->options->prefetch)
            dsm->nodes[n].news.lost = xmalloc((size_t)dsm->n_pages * sizeof(int32_t));
    }
    for (int p = 0; p < dsm->n_pages; p++) {
        dsm_give_copy(dsm, &dsm->nodes[0].copies[p]);
        dsm->nodes[0].copies[p].state = COPY_PRIVATE;
    }
}

static void empty_writer(struct writer *writer)
{
    for (size_t d = 0; d < writer->n_diffs; d++) {
        free(writer->diffs[d].words);
        free(writer->diffs[d].versions);
    }
    writer->n_diffs = 0;
    writer->n_notices = 0;
}

static void empty_log(struct interval_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        free(log->items[i].vector);
        free(log->items[i].pages);
    }
    log->first += (int32_t)log->count;
    log->count = 0;
}

static void close_page(struct dsm *dsm, struct page *page)
{
    for (int n = 0; n < dsm->n_nodes && page->writers != NULL; n++) {
        empty_writer(&page->writers[n]);
        free(page->writers[n].notices);
        free(page->writers[n].diffs);
    }
    free(page->writers);
}

static void close_node(struct dsm *dsm, struct node *node)
{
    for (int p = 0; p < dsm->n_pages; p++) {
        free(node->copies[p].applied);
        free(node->copies[p].words);
        free(node->copies[p].versions);
    }
    free(node->copies);
    free(node->vector);
    free(node->twins);
    free(node->news.lost);
    dsm_history_close(&node->history);
}

void dsm_memory_close(struct dsm *dsm)
{
    for (int p = 0; p < dsm->n_pages; p++)
        close_page(dsm, &dsm->pages[p]);
    for (int n = 0; n < dsm->n_nodes; n++) {
        close_node(dsm, &dsm->nodes[n]);
        empty_log(&dsm->logs[n]);
        free(dsm->logs[n].items);
    }
    free(dsm->logs);
    free(dsm->pages);
}

/* ---- writing ---- */

void dsm_make_twin(struct dsm *dsm, struct node *node, int page)
{
    struct copy *copy = &node->copies[page];
    assert(copy->state == COPY_READ && copy->words == NULL);
    copy->state = COPY_WRITE;
    copy->words = xcalloc((size_t)dsm->page_longs, sizeof *copy->words);
    copy->listed = 0;
    node->twins = xgrow(node->twins, node->n_twins, &node->twins_capacity, sizeof *node->twins);
    node->twins[node->n_twins++] = page;
    DEBUG(DSM, dsm->now_ps, "node", node->id, "makes a twin of page %d", page);
}

void dsm_note_write(struct node *node, int page, int from, int to)
{
    struct copy *copy = &node->copies[page];
    assert(copy->state == COPY_WRITE && from < to);
    copy->written = copy->listed == 0;
    for (int word = from; word < to;) {
        int bit = word % 64, count = to - word < 64 - bit ? to - word : 64 - bit;
        copy->words[word / 64] |= (count == 64 ? ~UINT64_C(0) : ((UINT64_C(1) << count) - 1)) << bit;
        word += count;
    }
}

static void drop_twin(struct node *node, int page)
{
    struct copy *copy = &node->copies[page];
    free(copy->words);
    copy->words = NULL;
    copy->state = COPY_READ;
    copy->written = 0;
    for (size_t i = 0; i < node->n_twins; i++)
        if (node->twins[i] == page) {
            node->twins[i] = node->twins[--node->n_twins];
            return;
        }
    assert(false && "the page has no twin");
}

/* ---- diffs ---- */

static void count_words(struct diff *diff, int longs)
{
    bool before = false;
    for (int w = 0; w < longs; w++) {
        uint64_t bits = diff->words[w];
        diff->n_words += __builtin_popcountll(bits);
        diff->n_runs += __builtin_popcountll(bits & ~(bits << 1 | (uint64_t)before));
        before = bits >> 63 != 0;
    }
}

int64_t dsm_diff_bytes(const struct diff *diff)
{
    return DIFF_BYTES + (int64_t)diff->n_runs * RUN_BYTES + (int64_t)diff->n_words * DSM_WORD_BYTES;
}

bool dsm_flush(struct dsm *dsm, struct node *node, int page)
{
    struct copy *copy = &node->copies[page];
    if (copy->state != COPY_WRITE || copy->listed == 0)
        return false;
    struct diff diff = {.interval = copy->listed, .words = copy->words};
    count_words(&diff, dsm->page_longs);
    DEBUG(DSM, dsm->now_ps, "node", node->id, "makes a diff of page %d for interval %d: %d words in %d runs", page,
          diff.interval, diff.n_words, diff.n_runs);
    if (dsm->options->check) {
        diff.versions = xmalloc((size_t)dsm->page_words * sizeof *diff.versions);
        memcpy(diff.versions, copy->versions, (size_t)dsm->page_words * sizeof *diff.versions);
    }
    copy->words = NULL; /* the diff has it now */
    drop_twin(node, page);
    struct writer *writer = dsm_writer(dsm, page, node->id);
    assert(writer->n_diffs == 0 || writer->diffs[writer->n_diffs - 1].interval < diff.interval);
    assert(diff.n_words >= diff.n_runs && diff.n_runs > 0);
    writer->diffs = xgrow(writer->diffs, writer->n_diffs, &writer->diffs_capacity, sizeof *writer->diffs);
    writer->diffs[writer->n_diffs++] = diff;
    node->consistency_bytes += dsm_diff_bytes(&diff);
    return true;
}

#ifndef NDEBUG
/* True if the copy has what its state says, such as a twin with COPY_WRITE, and is not ahead of its node. */
static bool copy_is_sound(const struct dsm *dsm, const struct node *node, int page)
{
    const struct copy *copy = &node->copies[page];
    if ((copy->state == COPY_NONE) != (copy->applied == NULL) || (copy->state == COPY_WRITE) != (copy->words != NULL) ||
        (copy->written && copy->state != COPY_WRITE))
        return false;
    for (int n = 0; n < dsm->n_nodes && copy->applied != NULL; n++)
        if (copy->applied[n] > dsm->nodes[n].vector[n])
            return false;
    return true;
}

/* True if notices and diffs are in the order of their intervals, and no diff is without a notice. */
static bool writer_is_sound(const struct writer *writer)
{
    for (size_t i = 1; i < writer->n_notices; i++)
        if (writer->notices[i] <= writer->notices[i - 1])
            return false;
    for (size_t i = 1; i < writer->n_diffs; i++)
        if (writer->diffs[i].interval <= writer->diffs[i - 1].interval)
            return false;
    return writer->n_diffs <= writer->n_notices;
}

/* True if the owner of the page has a copy, and a private page has only one. */
static bool page_is_sound(const struct dsm *dsm, int page)
{
    const struct page *self = &dsm->pages[page];
    int n_copies = 0;
    bool is_private = false;
    for (int n = 0; n < dsm->n_nodes; n++) {
        uint8_t state = dsm->nodes[n].copies[page].state;
        n_copies += state != COPY_NONE;
        is_private |= state == COPY_PRIVATE;
        if (self->writers != NULL && !writer_is_sound(&self->writers[n]))
            return false;
        if (!copy_is_sound(dsm, &dsm->nodes[n], page))
            return false;
    }
    return dsm->nodes[self->owner].copies[page].state != COPY_NONE && !(is_private && n_copies > 1);
}

bool dsm_memory_is_sound(const struct dsm *dsm)
{
    for (int page = 0; page < dsm->n_pages; page++)
        if (!page_is_sound(dsm, page))
            return false;
    for (int n = 0; n < dsm->n_nodes; n++) {
        const struct node *node = &dsm->nodes[n];
        for (size_t i = 0; i < node->n_twins; i++)
            if (node->copies[node->twins[i]].state != COPY_WRITE)
                return false;
        if (dsm->logs[n].first + (int32_t)dsm->logs[n].count != node->vector[n] + 1)
            return false;
    }
    return true;
}
#endif

/* ---- garbage collection ---- */

static bool has_notices(const struct dsm *dsm, int page, int node)
{
    const struct writer *writer = dsm_writer(dsm, page, node);
    return writer != NULL && writer->n_notices > 0;
}

/* A node that has written a page since the last collection brings its copy up to date; other copies that are out of
 * date are given up. */
bool dsm_keep_copy(struct dsm *dsm, struct node *node, int page)
{
    struct copy *copy = &node->copies[page];
    if (copy->state != COPY_INVALID)
        return false;
    if (has_notices(dsm, page, node->id))
        return true;
    free(copy->applied);
    free(copy->versions);
    copy->applied = NULL;
    copy->versions = NULL;
    copy->state = COPY_NONE;
    return false;
}

/* All have what they keep, and all know of everything: nothing of the past is needed any more. */
void dsm_collect(struct dsm *dsm)
{
    DEBUG(DSM, dsm->now_ps, "nodes", dsm->n_nodes, "forget all intervals and diffs");
    for (int p = 0; p < dsm->n_pages; p++) {
        struct page *page = &dsm->pages[p];
        for (int n = dsm->n_nodes - 1; n >= 0 && page->writers != NULL; n--)
            if (page->writers[n].n_notices > 0) {
                page->owner = n;
                empty_writer(&page->writers[n]);
            }
    }
    for (int n = 0; n < dsm->n_nodes; n++) {
        struct node *node = &dsm->nodes[n];
        while (node->n_twins > 0)
            drop_twin(node, node->twins[0]);
        for (int p = 0; p < dsm->n_pages; p++)
            if (node->copies[p].applied != NULL)
                memcpy(node->copies[p].applied, node->vector, dsm_vector_size(dsm));
        node->consistency_bytes = 0;
    }
    for (int n = 0; n < dsm->n_nodes; n++)
        empty_log(&dsm->logs[n]);
    assert(dsm_memory_is_sound(dsm));
}
