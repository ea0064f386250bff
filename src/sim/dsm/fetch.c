/* Bringing pages up to date: an access that the copy does not allow, the requests for the page or for the diffs it
 * lacks, and their answers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/dsm/internal.h"

#include "base/debug.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- fetches, pooled ---- */

static struct fetch *new_fetch(struct dsm *dsm)
{
    struct fetch *fetch = dsm->free_fetches;
    if (fetch != NULL) {
        dsm->free_fetches = fetch->next;
        return fetch;
    }
    fetch = xcalloc(1, sizeof *fetch);
    fetch->upto = xcalloc((size_t)dsm->n_nodes, sizeof *fetch->upto);
    fetch->provider = xcalloc((size_t)dsm->n_nodes, sizeof *fetch->provider);
    fetch->requests = xcalloc((size_t)dsm->n_nodes, sizeof *fetch->requests);
    fetch->all = dsm->all_fetches;
    dsm->all_fetches = fetch;
    return fetch;
}

static void free_fetch(struct dsm *dsm, struct fetch *fetch)
{
    fetch->next = dsm->free_fetches;
    dsm->free_fetches = fetch;
}

void dsm_fetches_close(struct dsm *dsm)
{
    while (dsm->all_fetches != NULL) {
        struct fetch *fetch = dsm->all_fetches;
        dsm->all_fetches = fetch->all;
        free(fetch->upto);
        free(fetch->provider);
        free(fetch->requests);
        free(fetch);
    }
}

/* ---- asking ---- */

static void then_wait_page(struct dsm *dsm, struct node *node)
{
    dsm_wait(dsm, node, OPERATION_PAGE, true);
}

static void then_wait_diff(struct dsm *dsm, struct node *node)
{
    dsm_wait(dsm, node, OPERATION_DIFF, true);
}

static void then_wait_collect(struct dsm *dsm, struct node *node)
{
    dsm_wait(dsm, node, OPERATION_COLLECT, true);
}

static void ask_for_page(struct dsm *dsm, struct node *node, int page)
{
    int source = dsm->pages[page].owner;
    int64_t ps = dsm_send_ps(dsm, DSM_REQUEST_BYTES);
    struct request *request = dsm_request_new(dsm, node->id, source, OPERATION_PAGE);
    request->page = page;
    DEBUG(DSM, dsm->now_ps, "node", node->id, "asks node %d for page %d", source, page);
    request->last_ps = dsm->now_ps + ps; /* the wait begins when all is sent */
    dsm_send(dsm, node->id, source, JOB_PAGE_REQUEST, request, DSM_REQUEST_BYTES, ps);
    dsm_spend(dsm, node, ps, OPERATION_PAGE, then_wait_page);
}

static bool is_asked(const struct fetch *fetch, int node)
{
    return fetch->upto[node] != 0 && fetch->provider[node] == node;
}

/* One request to each provider, one after another; the time that sending them takes. */
static int64_t ask_for_diffs(struct dsm *dsm, struct node *node, struct fetch *fetch, enum operation operation,
                             int64_t after_ps)
{
    int64_t all_ps = 0, ps = 0;
    fetch->n_open = 0;
    for (int n = 0; n < dsm->n_nodes; n++)
        if (is_asked(fetch, n)) {
            fetch->n_open++;
            all_ps += dsm_send_ps(dsm, dsm_diff_request_bytes(dsm, node, fetch, n));
        }
    for (int n = 0; n < dsm->n_nodes; n++) {
        if (!is_asked(fetch, n))
            continue;
        int64_t bytes = dsm_diff_request_bytes(dsm, node, fetch, n);
        struct request *request = dsm_request_new(dsm, node->id, n, operation);
        DEBUG(DSM, dsm->now_ps, "node", node->id, "asks node %d for diffs of page %d", n, fetch->page);
        request->fetch = fetch;
        fetch->requests[n] = request;
        request->page = fetch->page;
        request->early = operation == OPERATION_PREFETCH;
        request->last_ps = dsm->now_ps + after_ps + all_ps;
        ps += dsm_send_ps(dsm, bytes);
        dsm_send(dsm, node->id, n, JOB_DIFF_REQUEST, request, bytes, after_ps + ps);
    }
    node->copies[fetch->page].fetch = fetch;
    return ps;
}

void dsm_fetch_page(struct dsm *dsm, struct node *node, int page, enum operation operation)
{
    struct copy *copy = &node->copies[page];
    if (copy->state == COPY_NONE) {
        ask_for_page(dsm, node, page);
        return;
    }
    struct fetch *fetch = new_fetch(dsm);
    if (!dsm_plan_fetch(dsm, node, page, fetch)) {
        free_fetch(dsm, fetch);
        copy->state = COPY_READ;
        dsm_spend(dsm, node, 0, operation, dsm_continue);
        return;
    }
    fetch->awaited = true;
    int64_t ps = ask_for_diffs(dsm, node, fetch, operation, 0);
    dsm_spend(dsm, node, ps, operation, operation == OPERATION_COLLECT ? then_wait_collect : then_wait_diff);
}

int64_t dsm_prefetch(struct dsm *dsm, struct node *node)
{
    int64_t ps = 0;
    for (int i = 0; i < node->news.n_lost; i++) {
        int page = node->news.lost[i];
        struct fetch *fetch = new_fetch(dsm);
        /* It was valid when the notice came, so that no fetch was under way; since then the program has waited. */
        assert(node->copies[page].state == COPY_INVALID && node->copies[page].fetch == NULL);
        if (dsm_plan_fetch(dsm, node, page, fetch)) {
            fetch->awaited = false;
            ps += ask_for_diffs(dsm, node, fetch, OPERATION_PREFETCH, ps);
        } else {
            free_fetch(dsm, fetch);
        }
    }
    node->news.n_lost = 0;
    return ps;
}

/* ---- accesses ---- */

static void then_twin(struct dsm *dsm, struct node *node)
{
    if (node->copies[node->fault_page].state == COPY_READ)
        dsm_make_twin(dsm, node, node->fault_page);
    dsm_continue(dsm, node);
}

/* Begin the wait for a request: what a prefetch has taken before a rank waits for it explains nothing. */
static void await_request(struct dsm *dsm, struct request *request)
{
    request->early = false;
    memset(request->wait_ps, 0, sizeof request->wait_ps);
    if (request->last_ps < dsm->now_ps)
        request->last_ps = dsm->now_ps;
}

void dsm_await_fetch(struct dsm *dsm, struct node *node, int page, enum operation operation)
{
    struct fetch *fetch = node->copies[page].fetch;
    fetch->awaited = true;
    for (int n = 0; n < dsm->n_nodes; n++)
        if (fetch->requests[n] != NULL)
            await_request(dsm, fetch->requests[n]);
    dsm_wait(dsm, node, operation, true);
}

/* The diffs may be on their way, or have come while the node was busy. */
static void then_fetch(struct dsm *dsm, struct node *node)
{
    struct copy *copy = &node->copies[node->fault_page];
    if (copy->fetch != NULL) {
        dsm_await_fetch(dsm, node, node->fault_page, OPERATION_DIFF);
    } else if (copy->state == COPY_READ) {
        dsm_continue(dsm, node);
    } else {
        dsm_fetch_page(dsm, node, node->fault_page, OPERATION_DIFF);
    }
}

bool dsm_access(struct dsm *dsm, struct node *node, int page, bool write)
{
    struct copy *copy = &node->copies[page];
    if (dsm->n_nodes == 1)
        return true;
    if (copy->state == COPY_READ && write && dsm->options->hardware_diffs)
        dsm_make_twin(dsm, node, page); /* the snoop logic notes the words */
    if (copy->state >= COPY_WRITE || (copy->state == COPY_READ && !write)) {
        node->started = false;
        return true;
    }
    int64_t trap = node->started ? 0 : dsm_cost(dsm, DSM_TRAP, 1);
    DEBUG(DSM, dsm->now_ps, "node", node->id, "faults: %s page %d, of which it has %s", write ? "writes" : "reads",
          page,
          copy->state == COPY_NONE      ? "no copy"
          : copy->state == COPY_INVALID ? "an invalid copy"
                                        : "a copy to read");
    node->started = true;
    node->fault_page = page;
    if (copy->state == COPY_READ) {
        dsm_touch(dsm, node, 2 * dsm->costs->page_bytes, false);
        dsm_spend(dsm, node, trap + dsm_cost(dsm, DSM_TWIN, dsm->costs->page_bytes), OPERATION_TWIN, then_twin);
    } else {
        dsm_spend(dsm, node, trap, copy->state == COPY_NONE ? OPERATION_PAGE : OPERATION_DIFF, then_fetch);
    }
    return false;
}

/* ---- jobs ---- */

/* A page is compared with its twin, or its words are gathered that the snoop logic has seen. */
static int64_t diff_ps(struct dsm *dsm, struct node *node, int64_t n_words, bool controller)
{
    if (controller && dsm->options->hardware_diffs) {
        dsm_touch(dsm, node, n_words * DSM_WORD_BYTES, true);
        return dsm_cost(dsm, DSM_HW_DIFF, n_words * DSM_WORD_BYTES);
    }
    dsm_touch(dsm, node, 2 * dsm->costs->page_bytes, controller);
    return dsm_cost(dsm, controller ? DSM_CP_DIFF : DSM_DIFF, dsm->costs->page_bytes) + dsm_cost(dsm, DSM_PROTECT, 1);
}

/* From memory to a message, or from there; both are in a main processor's cache afterwards. */
static int64_t copy_ps(struct dsm *dsm, struct node *node, bool controller)
{
    int64_t page_bytes = dsm->costs->page_bytes;
    dsm_touch(dsm, node, controller ? page_bytes : 2 * page_bytes, controller);
    return dsm_cost(dsm, controller ? DSM_CP_COPY : DSM_COPY, page_bytes);
}

static int64_t reply_ps(const struct dsm *dsm, int64_t bytes, bool controller)
{
    return controller ? dsm_cost(dsm, DSM_MESSAGE, bytes + dsm->costs->header_bytes) : dsm_send_ps(dsm, bytes);
}

/* The copy is taken as it is now. A twin goes into a diff first, so that what the copy holds and what later diffs hold
 * fit together. */
static int64_t begin_page_request(struct dsm *dsm, struct node *node, struct packet *packet, bool controller)
{
    struct request *request = packet->request;
    int64_t page_bytes = dsm->costs->page_bytes, ps = 0;
    if (node->copies[request->page].state == COPY_PRIVATE)
        ps += dsm_cost(dsm, DSM_PROTECT, 1);
    if (dsm_flush(dsm, node, request->page))
        ps += diff_ps(dsm, node, page_bytes / DSM_WORD_BYTES, controller);
    dsm_copy_page(dsm, &dsm->nodes[request->node], node, request->page);
    return ps + copy_ps(dsm, node, controller) + reply_ps(dsm, page_bytes + dsm_vector_bytes(dsm), controller);
}

static void end_page_request(struct dsm *dsm, struct node *node, struct packet *packet)
{
    dsm_reply(dsm, node->id, JOB_PAGE_REPLY, packet->request, dsm->costs->page_bytes + dsm_vector_bytes(dsm));
}

static int64_t begin_page_reply(struct dsm *dsm, struct node *node, struct packet *packet, bool controller)
{
    (void)packet;
    return copy_ps(dsm, node, controller);
}

static void end_page_reply(struct dsm *dsm, struct node *node, struct packet *packet)
{
    struct fetch *fetch = new_fetch(dsm);
    if (!dsm_plan_fetch(dsm, node, packet->request->page, fetch))
        node->copies[packet->request->page].state = COPY_READ;
    free_fetch(dsm, fetch);
    dsm_request_free(dsm, packet->request);
    dsm_answer(dsm, node, packet->request);
}

static int64_t begin_diff_request(struct dsm *dsm, struct node *node, struct packet *packet, bool controller)
{
    int64_t n_words;
    int n_made = dsm_provide(dsm, node, packet->request, &packet->request->diff_bytes, &n_words);
    int64_t ps = n_made > 0 ? diff_ps(dsm, node, n_words, controller) : 0;
    return ps + reply_ps(dsm, packet->request->diff_bytes, controller);
}

static void end_diff_request(struct dsm *dsm, struct node *node, struct packet *packet)
{
    dsm_reply(dsm, node->id, JOB_DIFF_REPLY, packet->request, packet->request->diff_bytes);
}

static int64_t begin_diff_reply(struct dsm *dsm, struct node *node, struct packet *packet, bool controller)
{
    int64_t bytes = packet->request->diff_bytes;
    enum dsm_cost cost = !controller ? DSM_APPLY : dsm->options->hardware_diffs ? DSM_HW_APPLY : DSM_CP_APPLY;
    dsm_touch(dsm, node, controller ? bytes : 2 * bytes, controller);
    return dsm_cost(dsm, cost, bytes);
}

static void end_diff_reply(struct dsm *dsm, struct node *node, struct packet *packet)
{
    struct request *request = packet->request;
    struct fetch *fetch = request->fetch;
    fetch->requests[request->target] = NULL;
    dsm_request_free(dsm, request);
    if (--fetch->n_open > 0)
        return;
    dsm_apply(dsm, node, fetch);
    DEBUG(DSM, dsm->now_ps, "node", node->id, "has all diffs of page %d that it has asked for", fetch->page);
    node->copies[fetch->page].fetch = NULL;
    free_fetch(dsm, fetch);
    if (fetch->awaited)
        dsm_answer(dsm, node, request);
}

const struct job_spec dsm_fetch_jobs[] = {
    [JOB_PAGE_REQUEST] = {begin_page_request, end_page_request, false, false},
    [JOB_DIFF_REQUEST] = {begin_diff_request, end_diff_request, false, false},
    [JOB_PAGE_REPLY] = {begin_page_reply, end_page_reply, false, true},
    [JOB_DIFF_REPLY] = {begin_diff_reply, end_diff_reply, false, true},
};
