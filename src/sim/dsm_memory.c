/* Pages, intervals and diffs: what the protocol knows, without what it costs.
 *
 * What a node has written is kept once, in the node's log and in the pages' diffs; what another node knows of it follows
 * from that node's vector time, and what its copy of a page holds from copy->applied. Invariants:
 *
 * - Interval i of a node is complete once it is closed, and known to others only then.
 * - A page with a twin is listed once, in the first interval that wrote it: who has learned of that notice lacks the diff,
 *   which will have all that is written until somebody asks for it.
 * - A copy with a twin is valid: it holds every diff that the node knows of. When a notice comes for such a page, the
 *   diff is made, and with it the twin goes.
 * - The diffs of a writer cover its notices of the page in order, each exactly once. A diff may also hold words of the
 *   interval that is open when it is made: who needs those needs the diff as well.
 * - Who wrote a page in an interval had the page valid then. So it has all the diffs that it knew of at the time, its own
 *   and others': the last writers can provide the diffs of all before them. */
#include "sim/dsm_internal.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NOTICE_BYTES = 4, INTERVAL_BYTES = 8, DIFF_BYTES = 16, RUN_BYTES = 4 };

struct copy *dsm_copy(const struct dsm *dsm, const struct node *node, int page)
{
    (void)dsm;
    return &node->copies[page];
}

static struct writer *writer_of(const struct dsm *dsm, int page, int node)
{
    return dsm->pages[page].writers == NULL ? NULL : &dsm->pages[page].writers[node];
}

static const struct interval *interval_at(const struct dsm *dsm, int node, int number)
{
    const struct interval_log *log = &dsm->logs[node];
    assert(number >= log->first && (size_t)(number - log->first) < log->count);
    return &log->items[number - log->first];
}

static size_t vector_size(const struct dsm *dsm)
{
    return (size_t)dsm->n_nodes * sizeof(int32_t);
}

/* ---- opening and closing ---- */

static void give_copy(struct dsm *dsm, struct copy *copy)
{
    if (copy->applied == NULL)
        copy->applied = xcalloc((size_t)dsm->n_nodes, sizeof *copy->applied);
    if (dsm->options->check && copy->versions == NULL)
        copy->versions = xcalloc((size_t)dsm->page_words, sizeof *copy->versions);
    copy->state = COPY_READ;
}

/* At the beginning node 0 has all pages. */
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
    for (int p = 0; p < dsm->n_pages; p++)
        give_copy(dsm, &dsm->nodes[0].copies[p]);
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
    copy->twin_first = copy->twin_last = 0;
    node->twins = xgrow(node->twins, node->n_twins, &node->twins_capacity, sizeof *node->twins);
    node->twins[node->n_twins++] = page;
}

void dsm_note_write(struct dsm *dsm, struct node *node, int page, int from, int to)
{
    (void)dsm;
    struct copy *copy = &node->copies[page];
    assert(copy->state == COPY_WRITE);
    copy->written = copy->twin_first == 0;
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
}

static void add_notice(struct dsm *dsm, struct node *node, int page, int32_t number)
{
    struct copy *copy = &node->copies[page];
    if (dsm->pages[page].writers == NULL)
        dsm->pages[page].writers = xcalloc((size_t)dsm->n_nodes, sizeof(struct writer));
    struct writer *writer = &dsm->pages[page].writers[node->id];
    writer->notices = xgrow(writer->notices, writer->n_notices, &writer->notices_capacity, sizeof *writer->notices);
    writer->notices[writer->n_notices++] = number;
    copy->twin_first = copy->twin_first == 0 ? number : copy->twin_first;
    copy->twin_last = number;
    copy->written = 0;
}

static int by_number(const void *a, const void *b)
{
    return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

int dsm_close_interval(struct dsm *dsm, struct node *node)
{
    struct interval made = {.pages = xmalloc(node->n_twins * sizeof *made.pages)};
    for (size_t i = 0; i < node->n_twins; i++)
        if (node->copies[node->twins[i]].written)
            made.pages[made.n_pages++] = node->twins[i];
    if (made.n_pages == 0) {
        free(made.pages);
        return 0;
    }
    qsort(made.pages, (size_t)made.n_pages, sizeof *made.pages, by_number);
    int32_t number = ++node->vector[node->id];
    made.vector = xmalloc(vector_size(dsm));
    memcpy(made.vector, node->vector, vector_size(dsm));
    for (int i = 0; i < made.n_pages; i++) {
        add_notice(dsm, node, made.pages[i], number);
        node->copies[made.pages[i]].applied[node->id] = number;
    }
    struct interval_log *log = &dsm->logs[node->id];
    log->items = xgrow(log->items, log->count, &log->capacity, sizeof *log->items);
    log->items[log->count++] = made;
    node->consistency_bytes += INTERVAL_BYTES + (int64_t)vector_size(dsm) + (int64_t)made.n_pages * NOTICE_BYTES;
    return made.n_pages;
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

static int64_t diff_bytes(const struct diff *diff)
{
    return DIFF_BYTES + (int64_t)diff->n_runs * RUN_BYTES + (int64_t)diff->n_words * DSM_WORD_BYTES;
}

bool dsm_flush(struct dsm *dsm, struct node *node, int page)
{
    struct copy *copy = &node->copies[page];
    if (copy->state != COPY_WRITE || copy->twin_first == 0)
        return false;
    struct diff diff = {.first = copy->twin_first, .last = copy->twin_last, .words = copy->words};
    count_words(&diff, dsm->page_longs);
    if (dsm->options->check) {
        diff.versions = xmalloc((size_t)dsm->page_words * sizeof *diff.versions);
        memcpy(diff.versions, copy->versions, (size_t)dsm->page_words * sizeof *diff.versions);
    }
    copy->words = NULL; /* the diff has it now */
    drop_twin(node, page);
    struct writer *writer = writer_of(dsm, page, node->id);
    writer->diffs = xgrow(writer->diffs, writer->n_diffs, &writer->diffs_capacity, sizeof *writer->diffs);
    writer->diffs[writer->n_diffs++] = diff;
    node->consistency_bytes += diff_bytes(&diff);
    return true;
}

/* ---- learning of intervals ---- */

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
    if (copy->state == COPY_READ && copy->referenced && news->lost != NULL)
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
    node->news.n_notices = node->news.n_diffs = 0;
    node->news.n_lost = 0;
    for (int other = 0; other < dsm->n_nodes; other++) {
        for (int32_t number = node->vector[other] + 1; number <= vector[other]; number++) {
            const struct interval *interval = interval_at(dsm, other, number);
            node->news.n_notices += interval->n_pages;
            for (int i = 0; i < interval->n_pages; i++)
                if (!is_forgotten(dsm, &node->copies[interval->pages[i]], number))
                    invalidate(dsm, node, interval->pages[i]);
        }
        if (vector[other] > node->vector[other])
            node->vector[other] = vector[other];
    }
}

int64_t dsm_news_bytes(const struct dsm *dsm, const int32_t *from, const int32_t *to, int64_t *n_notices)
{
    int64_t bytes = 0;
    *n_notices = 0;
    for (int other = 0; other < dsm->n_nodes; other++)
        for (int32_t number = to[other] + 1; number <= from[other]; number++) {
            int64_t n_pages = interval_at(dsm, other, number)->n_pages;
            bytes += INTERVAL_BYTES + (int64_t)vector_size(dsm) + n_pages * NOTICE_BYTES;
            *n_notices += n_pages;
        }
    return bytes;
}

int64_t dsm_own_news_bytes(const struct dsm *dsm, struct node *node, int64_t *n_notices)
{
    int64_t bytes = 0;
    *n_notices = 0;
    for (; node->n_announced < node->vector[node->id]; node->n_announced++) {
        int64_t n_pages = interval_at(dsm, node->id, node->n_announced + 1)->n_pages;
        bytes += INTERVAL_BYTES + (int64_t)vector_size(dsm) + n_pages * NOTICE_BYTES;
        *n_notices += n_pages;
    }
    return bytes;
}

/* ---- what a copy lacks ---- */

/* The last of a writer's notices that the node knows of and the copy does not hold; 0 if none. */
static int32_t last_missing(const struct writer *writer, int32_t known, int32_t applied)
{
    size_t low = 0, high = writer->n_notices;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (writer->notices[middle] <= known)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && writer->notices[low - 1] > applied ? writer->notices[low - 1] : 0;
}

/* Whether the interval `upto[a]` of node a happened before, or is known in, `upto[b]` of node b. */
static bool is_covered(const struct dsm *dsm, const int32_t *upto, int a, int b)
{
    return interval_at(dsm, b, upto[b])->vector[a] >= upto[a];
}

/* The last writers send their diffs and those of the writers that they cover: of several the first. */
static void choose_providers(const struct dsm *dsm, struct fetch *fetch)
{
    const int32_t *upto = fetch->upto;
    for (int a = 0; a < dsm->n_nodes; a++) {
        fetch->provider[a] = upto[a] == 0 ? DSM_NOBODY : a;
        for (int b = 0; b < dsm->n_nodes && upto[a] != 0; b++)
            if (b != a && upto[b] != 0 && is_covered(dsm, upto, a, b))
                fetch->provider[a] = b;
    }
    for (int a = 0; a < dsm->n_nodes; a++) /* who covers may be covered itself; vector times grow along the way */
        while (upto[a] != 0 && fetch->provider[fetch->provider[a]] != fetch->provider[a])
            fetch->provider[a] = fetch->provider[fetch->provider[a]];
}

bool dsm_plan_fetch(struct dsm *dsm, const struct node *node, int page, struct fetch *fetch)
{
    const struct copy *copy = &node->copies[page];
    bool any = false;
    fetch->page = page;
    for (int n = 0; n < dsm->n_nodes; n++) {
        const struct writer *writer = writer_of(dsm, page, n);
        int32_t applied = copy->applied == NULL ? 0 : copy->applied[n];
        fetch->upto[n] = writer == NULL || n == node->id ? 0 : last_missing(writer, node->vector[n], applied);
        any |= fetch->upto[n] != 0;
    }
    if (any)
        choose_providers(dsm, fetch);
    return any;
}

int dsm_page_source(const struct dsm *dsm, const struct node *node, int page)
{
    int best = dsm->pages[page].owner;
    int32_t best_upto = 0;
    for (int n = 0; n < dsm->n_nodes; n++) {
        const struct writer *writer = writer_of(dsm, page, n);
        int32_t upto = writer == NULL || n == node->id ? 0 : last_missing(writer, node->vector[n], 0);
        if (upto == 0)
            continue;
        if (best_upto == 0 || interval_at(dsm, n, upto)->vector[best] >= best_upto) {
            best = n;
            best_upto = upto;
        }
    }
    return best;
}

/* ---- providing and applying ---- */

int dsm_provide(struct dsm *dsm, struct node *provider, const struct request *request, int64_t *bytes, int64_t *n_words)
{
    const struct fetch *fetch = request->fetch;
    const int32_t *held = dsm->nodes[request->node].copies[fetch->page].applied;
    int n_made = 0;
    *bytes = *n_words = 0;
    if (fetch->provider[provider->id] == provider->id) {
        const struct copy *copy = &provider->copies[fetch->page];
        if (copy->state == COPY_WRITE && copy->twin_first != 0 && copy->twin_first <= fetch->upto[provider->id])
            n_made = dsm_flush(dsm, provider, fetch->page);
    }
    for (int n = 0; n < dsm->n_nodes; n++) {
        if (fetch->upto[n] == 0 || fetch->provider[n] != provider->id)
            continue;
        const struct writer *writer = writer_of(dsm, fetch->page, n);
        for (size_t d = 0; d < writer->n_diffs; d++)
            if (writer->diffs[d].last > held[n] && writer->diffs[d].first <= fetch->upto[n]) {
                *bytes += diff_bytes(&writer->diffs[d]);
                *n_words += writer->diffs[d].n_words;
            }
    }
    return n_made;
}

/* A diff with its place in the order of time: the sum of a vector time grows along every chain of causes. */
struct placed_diff {
    int64_t sum;
    int32_t node;
    const struct diff *diff;
};

static int by_time(const void *a, const void *b)
{
    const struct placed_diff *x = a, *y = b;
    if (x->sum != y->sum)
        return x->sum < y->sum ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->diff->first > y->diff->first) - (x->diff->first < y->diff->first);
}

static struct placed_diff place(const struct dsm *dsm, int node, const struct diff *diff)
{
    const int32_t *vector = interval_at(dsm, node, diff->first)->vector;
    struct placed_diff placed = {.node = node, .diff = diff};
    for (int n = 0; n < dsm->n_nodes; n++)
        placed.sum += vector[n];
    if (dsm->options->fault == DSM_FAULT_ORDER)
        placed.sum = -placed.sum;
    return placed;
}

static void write_diff(const struct dsm *dsm, struct copy *copy, const struct diff *diff)
{
    for (int word = 0; word < dsm->page_words; word++)
        if (diff->words[word / 64] >> (word % 64) & 1)
            copy->versions[word] = diff->versions[word];
}

/* Whether the writer's diffs reach as far as was asked for. */
static bool is_complete(const struct dsm *dsm, int page, int node, int32_t upto)
{
    const struct writer *writer = writer_of(dsm, page, node);
    return writer->n_diffs > 0 && writer->diffs[writer->n_diffs - 1].last >= upto;
}

void dsm_apply(struct dsm *dsm, struct node *node, const struct fetch *fetch)
{
    struct copy *copy = &node->copies[fetch->page];
    struct placed_diff *diffs = NULL;
    size_t count = 0, capacity = 0;
    for (int n = 0; n < dsm->n_nodes; n++) {
        const struct writer *writer = fetch->upto[n] == 0 ? NULL : writer_of(dsm, fetch->page, n);
        for (size_t d = 0; writer != NULL && d < writer->n_diffs; d++)
            if (writer->diffs[d].last > copy->applied[n] && writer->diffs[d].first <= fetch->upto[n]) {
                diffs = xgrow(diffs, count, &capacity, sizeof *diffs);
                diffs[count++] = place(dsm, n, &writer->diffs[d]);
                node->consistency_bytes += diff_bytes(&writer->diffs[d]);
            }
    }
    for (int n = 0; n < dsm->n_nodes; n++)
        if (fetch->upto[n] != 0 && !is_complete(dsm, fetch->page, n, fetch->upto[n]))
            dsm_fail(dsm, "check: rank %d lacks a diff of page %d by rank %d, which nobody has", node->id, fetch->page,
                     n);
    if (count > 1)
        qsort(diffs, count, sizeof *diffs, by_time);
    size_t first = dsm->options->fault == DSM_FAULT_DIFF && count > 0; /* leave one out */
    for (size_t d = first; d < count && dsm->options->check; d++)
        write_diff(dsm, copy, diffs[d].diff);
    for (size_t d = 0; d < count; d++)
        if (diffs[d].diff->last > copy->applied[diffs[d].node])
            copy->applied[diffs[d].node] = diffs[d].diff->last;
    free(diffs);
    copy->state = COPY_READ;
    for (int n = 0; n < dsm->n_nodes && copy->state == COPY_READ; n++) {
        const struct writer *writer = n == node->id ? NULL : writer_of(dsm, fetch->page, n);
        if (writer != NULL && last_missing(writer, node->vector[n], copy->applied[n]) != 0)
            copy->state = COPY_INVALID; /* a notice has come meanwhile */
    }
}

void dsm_copy_page(struct dsm *dsm, struct node *node, struct node *provider, int page)
{
    struct copy *copy = &node->copies[page], *source = &provider->copies[page];
    assert(copy->state == COPY_NONE && source->state != COPY_NONE);
    give_copy(dsm, copy);
    memcpy(copy->applied, source->applied, vector_size(dsm));
    if (dsm->options->check)
        memcpy(copy->versions, source->versions, (size_t)dsm->page_words * sizeof *copy->versions);
    copy->state = COPY_INVALID; /* until it is known that nothing is missing */
}

/* ---- garbage collection ---- */

static bool has_notices(const struct dsm *dsm, int page, int node)
{
    const struct writer *writer = writer_of(dsm, page, node);
    return writer != NULL && writer->n_notices > 0;
}

/* Who wrote a page since the last collection brings its copy up to date; other copies that are not are given up. */
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
                memcpy(node->copies[p].applied, node->vector, vector_size(dsm));
        node->consistency_bytes = 0;
    }
    for (int n = 0; n < dsm->n_nodes; n++)
        empty_log(&dsm->logs[n]);
}
