/* The memory that the nodes share: pages, intervals and diffs, which take no time.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_DSM_MEMORY_INTERNAL_H
#define SIM_DSM_MEMORY_INTERNAL_H

#include "sim/dsm/dsm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dsm;
struct fetch;
struct node;
struct request;

enum { DSM_WORD_BYTES = 4 };

/* A node's writes between two of its synchronizations. The interval's number is its place in the node's log + 1. */
struct dsm_interval {
    int32_t *vector; /* the node's vector time at its end, n_nodes */
    int32_t *pages;  /* written, n_pages */
    int32_t n_pages;
};

struct interval_log {
    struct dsm_interval *items;
    size_t count, capacity;
    int32_t first; /* number of the first that is kept; those before it are collected */
};

/* The words that one node has written to a page since the interval that lists it, until the diff was made. */
struct diff {
    int32_t interval;
    int32_t n_words, n_runs;
    uint64_t *words;    /* a bit for each word of the page */
    uint32_t *versions; /* of each word of the page, when checking */
};

/* The writes of one node to one page since the last collection. */
struct writer {
    int32_t *notices; /* its intervals that list the page, ascending */
    size_t n_notices, notices_capacity;
    struct diff *diffs; /* in the order of their intervals */
    size_t n_diffs, diffs_capacity;
};

struct page {
    struct writer *writers; /* n_nodes; NULL before the first write */
    int32_t owner;          /* has a copy, however old: who has none asks here */
};

/* Private is a page that no other node has asked for: who has it writes without a twin, and no notice tells of it. */
enum copy_state { COPY_NONE, COPY_INVALID, COPY_READ, COPY_WRITE, COPY_PRIVATE };

/* A node's copy of a page. */
struct copy {
    int32_t *applied;    /* n_nodes: the intervals of each node that the copy holds; NULL with COPY_NONE */
    uint64_t *words;     /* the words written since the twin was made, with COPY_WRITE */
    uint32_t *versions;  /* what the copy holds, when checking */
    struct fetch *fetch; /* under way, or NULL */
    int32_t listed;      /* the closed interval that lists the page since the twin was made; 0: none */
    uint8_t state;       /* enum copy_state */
    uint8_t written;     /* in the interval that is open */
    uint8_t referenced;  /* since it was last brought up to date */
};

/* The news that a node learned at a synchronization: counts of notices, and of diffs that had to be made of pages that
 * they invalidate; with prefetching also the pages that were in use, room for n_pages. */
struct dsm_news {
    int64_t n_notices, n_diffs, n_invalidated;
    int32_t *lost;
    int32_t n_lost;
};

/* Pages, in order; in that of the present phase, in the order of their first accesses. */
struct dsm_phase {
    int32_t *pages;
    size_t count, capacity;
};

/* The last phases of a node; `number` is the present one. */
enum { DSM_PHASES = 512 };
struct dsm_history {
    struct dsm_phase phases[DSM_PHASES];
    int64_t number;
};

/* ---- sim/dsm/history.c: what will be accessed after a synchronization ---- */

/* The node accesses a page for the first time since it was invalidated. */
void dsm_history_note(struct dsm *dsm, struct node *node, int page);
/* A synchronization is over: the pages that follow it go to node->news.lost, for dsm_prefetch(). */
void dsm_history_predict(struct dsm *dsm, struct node *node);
void dsm_history_close(struct dsm_history *history);

/* ---- sim/dsm/memory.c: pages, copies, twins ---- */

void dsm_memory_open(struct dsm *dsm);
void dsm_memory_close(struct dsm *dsm);
/* The bytes of this computer's memory that a page takes when all nodes have a copy of it and have written it. */
int64_t dsm_page_footprint(const struct dsm_options *options, int n_nodes, int64_t page_bytes);
/* The node's writes to the page; NULL before the first write to it. */
struct writer *dsm_writer(const struct dsm *dsm, int page, int node);
/* Have a copy to read, whatever it holds. */
void dsm_give_copy(struct dsm *dsm, struct copy *copy);
/* Give a valid page a twin. */
void dsm_make_twin(struct dsm *dsm, struct node *node, int page);
/* Note that words from ... to-1 of the page are written. */
void dsm_note_write(struct node *node, int page, int from, int to);
/* Make the diff of a page with a twin if closed intervals list it; whether one was made. */
bool dsm_flush(struct dsm *dsm, struct node *node, int page);
/* In a message, and in the memory of its node. */
int64_t dsm_diff_bytes(const struct diff *diff);
/* Keep a node's copy before a collection, or give it up: true if the page has to be brought up to date. */
bool dsm_keep_copy(struct dsm *dsm, struct node *node, int page);
#ifndef NDEBUG
/* True if pages, copies, twins and what is known of them fit together; it looks at all. */
bool dsm_memory_is_sound(const struct dsm *dsm);
#endif
/* Forget the past, which is not needed any more. */
void dsm_collect(struct dsm *dsm);

/* ---- sim/dsm/intervals.c: what nodes have written, and what others learn of it ---- */

/* A closed one that has not been collected. */
const struct dsm_interval *dsm_interval(const struct dsm *dsm, int node, int number);
/* Close the node's open interval; the number of pages that it lists, 0 if nothing was written and there is none. */
int dsm_close_interval(struct dsm *dsm, struct node *node);
/* Learn of all intervals in `vector`, for node->news. */
void dsm_learn(struct dsm *dsm, struct node *node, const int32_t *vector);
/* Bytes of a message that tells the barrier's manager of what the node has written since the last one. */
int64_t dsm_own_news_bytes(const struct dsm *dsm, struct node *node, int64_t *n_notices);
/* Bytes of a message that tells of all intervals that `from` knows and `to` does not. */
int64_t dsm_news_bytes(const struct dsm *dsm, const int32_t *from, const int32_t *to, int64_t *n_notices);

/* ---- sim/dsm/diffs.c: what a copy lacks, from whom it comes ---- */

/* The diffs that the copy lacks for all the node knows; false if none. */
bool dsm_plan_fetch(struct dsm *dsm, const struct node *node, int page, struct fetch *fetch);
/* The bytes of the request to a provider: two numbers say which diff it is that is asked for. */
int64_t dsm_diff_request_bytes(const struct dsm *dsm, const struct node *node, const struct fetch *fetch, int provider);
/* At a provider: have the diffs made that are still to be made; how many were, and the bytes of all to be sent. */
int dsm_provide(struct dsm *dsm, struct node *provider, const struct request *request, int64_t *bytes,
                int64_t *n_words);
/* Put the fetched diffs into the copy in the order of time. */
void dsm_apply(struct dsm *dsm, struct node *node, const struct fetch *fetch);
/* Give a node the provider's copy, which is private no longer. */
void dsm_copy_page(struct dsm *dsm, struct node *node, struct node *provider, int page);

/* ---- sim/dsm/check.c: the proof that reads see what they must ---- */

void dsm_check_open(struct dsm *dsm);
void dsm_check_close(struct dsm *dsm);
/* Words from ... to-1 of the page are written, or read. */
void dsm_check_write(struct dsm *dsm, struct node *node, int page, int from, int to);
void dsm_check_read(struct dsm *dsm, struct node *node, int page, int from, int to);

#endif
