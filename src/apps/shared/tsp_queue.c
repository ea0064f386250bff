/* Best-first search for partial tours that are long enough to be completed recursively, as the traveling salesman
 * program of TreadMarks does it: a heap of tours by lower bound, a pool of tours, a stack of its free places. The order
 * in which a best-first search takes tours hardly depends on who takes them when, so it is the order of one processor
 * here.
 *
 * A diff holds the words that differ from the twin, so the values are kept: a word counts as written in a look if it is
 * another one at the end of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/shared/tsp_queue.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Tours whose bound is beyond this many times the bound of the empty tour are dropped, as if the best tour were known
 * from the beginning. The best tour was 1.17 to 1.50, on average 1.35 times that bound in eight sets of 19 cities. */
#define BEST_OVER_ROOT 1.35

struct tour {
    uint8_t prefix[TSP_MAX_CITIES];
    uint32_t cities;
    int last, length, bound;
};

/* The marks that a look leaves on a word. */
enum { TOUCHED = 1, READ = 2 };

struct queue {
    int n_cities, recursive, limit;
    int weight[TSP_MAX_CITIES][TSP_MAX_CITIES];
    struct tour tours[TSP_POOL];
    int stack[TSP_POOL], top;
    int heap[TSP_POOL], n_heap;
    struct tsp_looks *looks;
    int32_t memory[TSP_WORDS], before[TSP_WORDS]; /* now, and when the look began */
    uint8_t touched[TSP_WORDS];
    int32_t words[TSP_WORDS]; /* those touched in the look, n_words */
    int n_words;
};

/* ---- what is touched ---- */

static void touch(struct queue *queue, int word, int what)
{
    if (queue->touched[word] == 0) {
        queue->words[queue->n_words++] = word;
        queue->before[word] = queue->memory[word];
    }
    queue->touched[word] |= (uint8_t)(TOUCHED | what);
}

static void read_words(struct queue *queue, int word, int words)
{
    for (int i = 0; i < words; i++)
        touch(queue, word + i, READ);
}

static void write_word(struct queue *queue, int word, int value)
{
    touch(queue, word, 0);
    queue->memory[word] = value;
}

static void write_tour(struct queue *queue, int number)
{
    const struct tour *tour = &queue->tours[number];
    int word = TSP_TOURS + number * TSP_TOUR_WORDS;
    const int rest[] = {(int)tour->cities, tour->last, tour->length, tour->bound, tour->bound - tour->length};
    int prefix[TSP_PREFIX_WORDS];
    memcpy(prefix, tour->prefix, sizeof tour->prefix);
    for (int i = 0; i < TSP_PREFIX_WORDS; i++)
        write_word(queue, word + i, prefix[i]);
    for (int i = 0; i < TSP_TOUR_WORDS - TSP_PREFIX_WORDS; i++)
        write_word(queue, word + TSP_PREFIX_WORDS + i, rest[i]);
}

static void write_entry(struct queue *queue, int entry)
{
    write_word(queue, TSP_QUEUE + 2 * entry, queue->heap[entry]);
    write_word(queue, TSP_QUEUE + 2 * entry + 1, queue->tours[queue->heap[entry]].bound);
}

static int by_number(const void *a, const void *b)
{
    return (*(const int32_t *)a > *(const int32_t *)b) - (*(const int32_t *)a < *(const int32_t *)b);
}

static void add_word(struct tsp_looks *looks, size_t first, int32_t word, bool write)
{
    struct tsp_access *last = looks->n_accesses > first ? &looks->accesses[looks->n_accesses - 1] : NULL;
    if (last != NULL && last->write == write && last->word + last->words == word) {
        last->words++;
        return;
    }
    looks->accesses = xgrow(looks->accesses, looks->n_accesses, &looks->capacity, sizeof *looks->accesses);
    looks->accesses[looks->n_accesses++] = (struct tsp_access){word, 1, write};
}

/* List the look's accesses in runs, what is read before what is written. */
static void end_look(struct queue *queue, struct tsp_look *look)
{
    struct tsp_looks *looks = queue->looks;
    look->first_access = looks->n_accesses;
    sort_stable(queue->words, (size_t)queue->n_words, sizeof *queue->words, by_number);
    for (int i = 0; i < queue->n_words; i++)
        if (queue->touched[queue->words[i]] & READ)
            add_word(looks, look->first_access, queue->words[i], false);
    for (int i = 0; i < queue->n_words; i++) {
        int32_t word = queue->words[i];
        if (queue->memory[word] != queue->before[word])
            add_word(looks, look->first_access, word, true);
        queue->touched[word] = 0;
    }
    queue->n_words = 0;
    look->n_accesses = (int)(looks->n_accesses - look->first_access);
}

/* ---- the stack of free tours ---- */

static void free_tour(struct queue *queue, int tour)
{
    queue->stack[queue->top++] = tour;
    write_word(queue, TSP_STACK_TOP, queue->top);
    write_word(queue, TSP_STACK + queue->top - 1, tour);
}

static int take_free(struct queue *queue)
{
    read_words(queue, TSP_STACK + queue->top - 1, 1);
    write_word(queue, TSP_STACK_TOP, queue->top - 1);
    return queue->stack[--queue->top];
}

/* ---- the heap: entries 1 ... n_heap ---- */

static void read_last(struct queue *queue, int tour)
{
    read_words(queue, TSP_TOURS + tour * TSP_TOUR_WORDS + TSP_PREFIX_WORDS + 1, 1);
}

/* Entries have the bounds of their tours; of equal ones the longer tour comes first, which the tours tell. */
static bool is_before(struct queue *queue, int a, int b)
{
    const struct tour *x = &queue->tours[queue->heap[a]], *y = &queue->tours[queue->heap[b]];
    if (x->bound != y->bound)
        return x->bound < y->bound;
    read_last(queue, queue->heap[a]);
    read_last(queue, queue->heap[b]);
    return x->last > y->last;
}

static void exchange(struct queue *queue, int a, int b)
{
    int tour = queue->heap[a];
    queue->heap[a] = queue->heap[b];
    queue->heap[b] = tour;
    write_entry(queue, a);
    write_entry(queue, b);
}

static void push(struct queue *queue, int tour)
{
    int at = ++queue->n_heap;
    queue->heap[at] = tour;
    write_word(queue, TSP_QUEUE_LAST, at);
    write_entry(queue, at);
    for (; at > 1; at /= 2) {
        read_words(queue, TSP_QUEUE + at / 2 * 2, 2);
        if (!is_before(queue, at, at / 2))
            break;
        exchange(queue, at, at / 2);
    }
}

static int pop(struct queue *queue)
{
    int first = queue->heap[1];
    read_words(queue, TSP_QUEUE + 2, 2);
    read_words(queue, TSP_QUEUE + 2 * queue->n_heap, 2);
    queue->heap[1] = queue->heap[queue->n_heap--];
    write_entry(queue, 1);
    write_word(queue, TSP_QUEUE_LAST, queue->n_heap);
    for (int at = 1; at <= queue->n_heap / 2;) {
        int child = 2 * at;
        read_words(queue, TSP_QUEUE + 2 * child, child < queue->n_heap ? 4 : 2);
        if (child < queue->n_heap && is_before(queue, child + 1, child))
            child++;
        if (!is_before(queue, child, at))
            break;
        exchange(queue, at, child);
        at = child;
    }
    return first;
}

/* ---- tours ---- */

/* Its length, and of each city outside half of its two shortest edges. */
static void bound_tour(const struct queue *queue, struct tour *tour)
{
    tour->bound = tour->length + 1;
    for (int city = 0; city < queue->n_cities; city++) {
        int first = INT32_MAX / 2, second = INT32_MAX / 2;
        for (int other = 0; other < queue->n_cities && !(tour->cities >> city & 1); other++) {
            int weight = queue->weight[city][other];
            if (weight != 0 && weight < first) {
                second = first;
                first = weight;
            } else if (weight != 0 && weight < second) {
                second = weight;
            }
        }
        if (!(tour->cities >> city & 1))
            tour->bound += (first + second) / 2;
    }
}

static void make_tour(struct queue *queue, int from, int city)
{
    int made = take_free(queue);
    struct tour *tour = &queue->tours[made];
    *tour = queue->tours[from];
    tour->length += queue->weight[tour->prefix[tour->last]][city];
    tour->prefix[++tour->last] = (uint8_t)city;
    tour->cities |= UINT32_C(1) << city;
    bound_tour(queue, tour);
    write_tour(queue, made);
    queue->looks->items[queue->looks->count].n_tours++;
    push(queue, made);
}

/* Extend a tour by each city that does not make it too long. */
static void split_tour(struct queue *queue, int from)
{
    const struct tour *tour = &queue->tours[from];
    read_words(queue, TSP_TOURS + from * TSP_TOUR_WORDS, TSP_TOUR_WORDS);
    for (int city = 0; city < queue->n_cities; city++) {
        int weight = queue->weight[tour->prefix[tour->last]][city];
        bool fits = queue->top > 0 && queue->n_heap < TSP_POOL - 1;
        if (fits && !(tour->cities >> city & 1) && weight != 0 && tour->bound + weight <= queue->limit)
            make_tour(queue, from, city);
    }
}

/* Split the most promising tours until one is long enough; -1 when there are none. */
static int find_tour(struct queue *queue)
{
    while (queue->n_heap > 0) {
        read_words(queue, TSP_QUEUE_LAST, 1);
        int tour = pop(queue);
        read_last(queue, tour);
        if (queue->tours[tour].last >= queue->n_cities - queue->recursive - 1)
            return tour;
        split_tour(queue, tour);
        free_tour(queue, tour);
    }
    return -1;
}

/* Cities at random places of a square, 1000 wide. */
static void place_cities(struct queue *queue, uint64_t seed)
{
    for (int a = 0; a < queue->n_cities; a++)
        for (int b = 0; b < queue->n_cities; b++) {
            uint64_t i = 2 * (uint64_t)a, j = 2 * (uint64_t)b;
            double x = pseudo_uniform(seed, i) - pseudo_uniform(seed, j);
            double y = pseudo_uniform(seed, i + 1) - pseudo_uniform(seed, j + 1);
            queue->weight[a][b] = (int)(1000 * sqrt(x * x + y * y) + 0.5);
        }
}

static void begin(struct queue *queue)
{
    queue->tours[0].cities = 1;
    bound_tour(queue, &queue->tours[0]);
    queue->limit = (int)(BEST_OVER_ROOT * queue->tours[0].bound);
    queue->heap[queue->n_heap = 1] = 0;
    for (int tour = TSP_POOL - 1; tour > 0; tour--)
        queue->stack[queue->top++] = tour;
    for (int i = 0; i < queue->top; i++)
        queue->memory[TSP_STACK + i] = queue->stack[i];
    queue->memory[TSP_STACK_TOP] = queue->top;
    queue->memory[TSP_QUEUE_LAST] = 1;
}

void tsp_queue_run(struct tsp_looks *looks, int n_cities, int n_looks, int recursive, uint64_t seed)
{
    struct queue *queue = xcalloc(1, sizeof *queue);
    *looks = (struct tsp_looks){.items = xcalloc((size_t)n_looks, sizeof *looks->items)};
    queue->looks = looks;
    queue->n_cities = n_cities;
    queue->recursive = recursive;
    place_cities(queue, seed);
    begin(queue);
    int tour = -1;
    for (; looks->count < (size_t)n_looks; looks->count++) {
        struct tsp_look *look = &looks->items[looks->count];
        if (tour >= 0)
            free_tour(queue, tour); /* the one of the look before */
        tour = find_tour(queue);
        if (tour < 0)
            break;
        look->tour = tour;
        end_look(queue, look);
    }
    free(queue);
}
