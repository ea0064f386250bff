/* The diffs that a copy lacks, from whom they come, and in which order they are applied.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a copy lacks ---- */

static int64_t n_notices_to(const struct writer *writer, int32_t interval)
{
    size_t low = 0, high = writer->n_notices;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (writer->notices[middle] <= interval)
            low = middle + 1;
        else
            high = middle;
    }
    return (int64_t)low;
}

/* The last of a writer's notices that the node knows of and the copy does not hold; 0 if none. */
static int32_t last_missing(const struct writer *writer, int32_t known, int32_t applied)
{
    int64_t count = n_notices_to(writer, known);
    return count > 0 && writer->notices[count - 1] > applied ? writer->notices[count - 1] : 0;
}

/* True if the interval `upto[a]` of node a happened before, or is known in, `upto[b]` of node b. */
static bool is_covered(const struct dsm *dsm, const int32_t *upto, int a, int b)
{
    return dsm_interval(dsm, b, upto[b])->vector[a] >= upto[a];
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
        const struct writer *writer = dsm_writer(dsm, page, n);
        int32_t applied = copy->applied == NULL ? 0 : copy->applied[n];
        fetch->upto[n] = writer == NULL || n == node->id ? 0 : last_missing(writer, node->vector[n], applied);
        any |= fetch->upto[n] != 0;
    }
    if (any)
        choose_providers(dsm, fetch);
    return any;
}

int64_t dsm_diff_request_bytes(const struct dsm *dsm, const struct node *node, const struct fetch *fetch, int provider)
{
    const int32_t *held = node->copies[fetch->page].applied;
    int64_t n_diffs = 0;
    for (int n = 0; n < dsm->n_nodes; n++) {
        if (fetch->upto[n] == 0 || fetch->provider[n] != provider)
            continue;
        const struct writer *writer = dsm_writer(dsm, fetch->page, n);
        n_diffs += n_notices_to(writer, fetch->upto[n]) - n_notices_to(writer, held[n]);
    }
    return DSM_REQUEST_BYTES + n_diffs * 2 * DSM_NUMBER_BYTES;
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
        if (copy->state == COPY_WRITE && copy->listed != 0 && copy->listed <= fetch->upto[provider->id])
            n_made = dsm_flush(dsm, provider, fetch->page);
    }
    assert(provider->copies[fetch->page].state != COPY_NONE);
    for (int n = 0; n < dsm->n_nodes; n++) {
        if (fetch->upto[n] == 0 || fetch->provider[n] != provider->id)
            continue;
        const struct writer *writer = dsm_writer(dsm, fetch->page, n);
        for (size_t d = 0; d < writer->n_diffs; d++)
            if (writer->diffs[d].interval > held[n] && writer->diffs[d].interval <= fetch->upto[n]) {
                *bytes += dsm_diff_bytes(&writer->diffs[d]);
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
    return (x->diff->interval > y->diff->interval) - (x->diff->interval < y->diff->interval);
}

static struct placed_diff place(const struct dsm *dsm, int node, const struct diff *diff)
{
    const int32_t *vector = dsm_interval(dsm, node, diff->interval)->vector;
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

/* True if the writer's diffs reach as far as was asked for. */
static bool is_complete(const struct dsm *dsm, int page, int node, int32_t upto)
{
    const struct writer *writer = dsm_writer(dsm, page, node);
    return writer->n_diffs > 0 && writer->diffs[writer->n_diffs - 1].interval >= upto;
}

void dsm_apply(struct dsm *dsm, struct node *node, const struct fetch *fetch)
{
    struct copy *copy = &node->copies[fetch->page];
    struct placed_diff *diffs = NULL;
    size_t count = 0, capacity = 0;
    for (int n = 0; n < dsm->n_nodes; n++) {
        const struct writer *writer = fetch->upto[n] == 0 ? NULL : dsm_writer(dsm, fetch->page, n);
        for (size_t d = 0; writer != NULL && d < writer->n_diffs; d++)
            if (writer->diffs[d].interval > copy->applied[n] && writer->diffs[d].interval <= fetch->upto[n]) {
                diffs = xgrow(diffs, count, &capacity, sizeof *diffs);
                diffs[count++] = place(dsm, n, &writer->diffs[d]);
                node->consistency_bytes += dsm_diff_bytes(&writer->diffs[d]);
            }
    }
    for (int n = 0; n < dsm->n_nodes; n++)
        if (fetch->upto[n] != 0 && !is_complete(dsm, fetch->page, n, fetch->upto[n]))
            dsm_fail(dsm, "check: rank %d lacks a diff of page %d by rank %d, which nobody has", node->id, fetch->page,
                     n);
    if (count > 1)
        sort_stable(diffs, count, sizeof *diffs, by_time);
    size_t first = dsm->options->fault == DSM_FAULT_DIFF && count > 0; /* leave one out */
    for (size_t d = first; d < count && dsm->options->check; d++)
        write_diff(dsm, copy, diffs[d].diff);
    for (size_t d = 1; d < count; d++)
        assert(diffs[d - 1].sum <= diffs[d].sum); /* in the order of time */
    for (size_t d = 0; d < count; d++)
        if (diffs[d].diff->interval > copy->applied[diffs[d].node])
            copy->applied[diffs[d].node] = diffs[d].diff->interval;
    free(diffs);
    copy->state = COPY_READ;
    for (int n = 0; n < dsm->n_nodes && copy->state == COPY_READ; n++) {
        const struct writer *writer = n == node->id ? NULL : dsm_writer(dsm, fetch->page, n);
        if (writer != NULL && last_missing(writer, node->vector[n], copy->applied[n]) != 0)
            copy->state = COPY_INVALID; /* a notice has come meanwhile */
    }
}

void dsm_copy_page(struct dsm *dsm, struct node *node, struct node *provider, int page)
{
    struct copy *copy = &node->copies[page], *source = &provider->copies[page];
    assert(copy->state == COPY_NONE && source->state != COPY_NONE);
    if (source->state == COPY_PRIVATE)
        source->state = COPY_READ;
    dsm_give_copy(dsm, copy);
    memcpy(copy->applied, source->applied, dsm_vector_size(dsm));
    if (dsm->options->check)
        memcpy(copy->versions, source->versions, (size_t)dsm->page_words * sizeof *copy->versions);
    copy->state = COPY_INVALID; /* until it is known that nothing is missing */
}
