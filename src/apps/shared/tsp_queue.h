/* The queue of partial tours of the traveling salesman program: which words of shared memory each look for a tour
 * reads and writes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SHARED_TSP_QUEUE_H
#define APPS_SHARED_TSP_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TSP_MAX_CITIES = 32, TSP_POOL = 5000, TSP_WORD = 4 };

/* The layout of the shared memory, in words. A list of cities has a byte for each. */
enum {
    TSP_PREFIX_WORDS = TSP_MAX_CITIES / TSP_WORD,
    TSP_WEIGHTS = 0,
    TSP_STACK_TOP = TSP_MAX_CITIES * TSP_MAX_CITIES,
    TSP_DONE,
    TSP_QUEUE_LAST,
    TSP_BEST_LENGTH,
    TSP_BEST_TOUR,
    TSP_LOCKS = TSP_BEST_TOUR + TSP_PREFIX_WORDS,
    TSP_QUEUE = TSP_LOCKS + 3, /* entries of two words, from number 1 on */
    TSP_STACK = TSP_QUEUE + 2 * TSP_POOL,
    TSP_TOURS = TSP_STACK + TSP_POOL, /* of TSP_TOUR_WORDS words */
    TSP_TOUR_WORDS = TSP_PREFIX_WORDS + 5,
    TSP_WORDS = TSP_TOURS + TSP_POOL * TSP_TOUR_WORDS
};

/* `words` words from word `word` on. */
struct tsp_access {
    int32_t word, words;
    bool write;
};

/* One look for a tour: what it does under the lock, and the tour that it finds. */
struct tsp_look {
    size_t first_access; /* in tsp_looks.accesses */
    int n_accesses;
    int n_tours; /* that it has made */
    int32_t tour;
};

struct tsp_looks {
    struct tsp_look *items;
    size_t count;
    struct tsp_access *accesses;
    size_t n_accesses, capacity;
};

/* The first `n_looks` looks, fewer if the queue runs empty. The caller frees items and accesses. */
void tsp_queue_run(struct tsp_looks *looks, int n_cities, int n_looks, int recursive, uint64_t seed);

#endif
