/* Every algorithm of every collective, with its number of messages, its bytes and its time on a quiet network with
 * equal distances, where a send ends with its delivery. p members, counted from the root; n bytes, as in struct op.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_COLLECTIVE_ROWS_H
#define TESTS_COLLECTIVE_ROWS_H

#include "sim/collective/collective.h"

struct form {
    int64_t p, n, segment, radix;
    int64_t (*message_ps)(int64_t bytes); /* the time of a message */
};

struct collective_row {
    enum coll_family family;
    const char *name;
    int64_t (*messages)(const struct form *form);
    int64_t (*bytes)(const struct form *form);
    int64_t (*time_ps)(const struct form *form);
};

typedef const struct form *f;
enum { MOST = 64, MOST_SEGMENTS = 64 };

/* --- numbers --- */

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t log_down(int64_t n)
{
    int64_t k = 0;
    for (; n > 1; n /= 2)
        k++;
    return k;
}

static int64_t log_up(int64_t n)
{
    return n > 1 ? log_down(n - 1) + 1 : 0;
}

static int64_t ones(int64_t n)
{
    int64_t count = 0;
    for (; n > 0; n /= 2)
        count += n % 2;
    return count;
}

/* Sum of ones() over 0 ... n - 1. */
static int64_t all_ones(int64_t n)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        count += ones(i);
    return count;
}

/* Bytes of the parts from ... to - 1 when n bytes are cut into `parts`, of which the first ones are longer by one. */
static int64_t cut(int64_t n, int64_t parts, int64_t from, int64_t to)
{
    return n / parts * (to - from) + min(to, n % parts) - min(from, n % parts);
}

/* The largest power of two that is not above p, and what p is above it. */
static int64_t even(f x)
{
    return INT64_C(1) << log_down(x->p);
}

static int64_t rest(f x)
{
    return x->p - even(x);
}

static int64_t t(f x, int64_t bytes)
{
    return x->message_ps(bytes);
}

/* --- messages and bytes --- */

static int64_t once(f x)
{
    return x->p - 1;
}
static int64_t once_bytes(f x)
{
    return (x->p - 1) * x->n;
}
static int64_t twice(f x)
{
    return 2 * (x->p - 1);
}
static int64_t twice_bytes(f x)
{
    return 2 * (x->p - 1) * x->n;
}
static int64_t pairs(f x)
{
    return x->p * (x->p - 1);
}
static int64_t pairs_bytes(f x)
{
    return x->p * (x->p - 1) * x->n;
}
static int64_t rounds_of_all(f x)
{
    return x->p * log_up(x->p);
}
static int64_t rounds_of_all_bytes(f x)
{
    return x->p * log_up(x->p) * x->n;
}
static int64_t doubling(f x)
{
    return even(x) * log_down(x->p) + 2 * rest(x);
}
static int64_t doubling_bytes(f x)
{
    return doubling(x) * x->n;
}
static int64_t tree_bytes(f x)
{
    return x->n * all_ones(x->p);
}

/* --- times in rounds --- */

static int64_t one_after_another(f x)
{
    return (x->p - 1) * t(x, x->n);
}
static int64_t at_once(f x)
{
    return x->p > 1 ? t(x, x->n) : 0;
}
static int64_t tree_down(f x)
{
    return log_up(x->p) * t(x, x->n);
}
static int64_t tree_up(f x)
{
    return log_down(x->p) * t(x, x->n);
}
static int64_t up_and_down(f x)
{
    return tree_up(x) + tree_down(x);
}
static int64_t all_to_one_to_all(f x)
{
    return x->p > 1 ? x->p * t(x, x->n) : 0;
}
static int64_t doubling_time(f x)
{
    return tree_up(x) + (rest(x) > 0 ? 2 * t(x, x->n) : 0);
}

/* --- broadcasts --- */

static int64_t split_ring_time(f x)
{
    int64_t up = x->p / 2, down = x->p - 1 - up;
    return max(up, down > 0 ? 1 + down : 0) * t(x, x->n);
}

static int64_t multipath_time(f x)
{
    int64_t paths = min(x->radix, x->p - 1);
    if (paths == 0)
        return 0;
    int64_t length = (x->p - 1) / paths, longer = (x->p - 1) % paths;
    return max(longer > 0 ? longer + length : 0, paths + length - 1) * t(x, x->n); /* the last of either length */
}

/* Rank r is reached through its digits to the base k, the highest first: one that is 0 lets pass the sends that its
 * holder does there. */
static int64_t knomial_time(f x)
{
    int64_t k = x->radix, top = 1, most = 0;
    while (top < x->p)
        top *= k;
    for (int64_t r = 0; r < x->p; r++) {
        int64_t rounds = 0;
        for (int64_t step = top / k; step > 0; step /= k) {
            int64_t digit = r / step % k, holder = r - r % (step * k);
            rounds += digit > 0 ? digit : min(k - 1, (x->p - 1 - holder) / step);
        }
        most = max(most, rounds);
    }
    return most * t(x, x->n);
}

/* Rank r is reached after a round for each step to the left and two for each to the right. */
static int64_t binary_rounds(int64_t r)
{
    return log_down(r + 1) + ones(r + 1) - 1;
}

static int64_t binary_time(f x)
{
    int64_t most = 0;
    for (int64_t r = 0; r < x->p; r++)
        most = max(most, binary_rounds(r));
    return most * t(x, x->n);
}

static int64_t segments(f x, int64_t bytes)
{
    return max(1, (bytes + x->segment - 1) / x->segment);
}

static int64_t segment(f x, int64_t bytes, int64_t s)
{
    return min(x->segment, bytes - s * x->segment);
}

static int64_t segmented(f x)
{
    return (x->p - 1) * segments(x, x->n);
}

/* One segment a round passes each rank; the last one is shorter. */
static int64_t pipe_time(f x)
{
    int64_t count = segments(x, x->n);
    return x->p > 1 ? (x->p + count - 3) * t(x, segment(x, x->n, 0)) + t(x, segment(x, x->n, count - 1)) : 0;
}

/* When rank r of a binary tree has passed on each segment, by when it has got them. */
struct passing {
    int64_t got[MOST][MOST_SEGMENTS], done[MOST];
};

static void pass_on(f x, struct passing *passing, int64_t p, int64_t r, int64_t bytes)
{
    int64_t now = 0;
    for (int64_t s = 0; s < segments(x, bytes); s++) {
        now = max(now, passing->got[r][s]);
        for (int64_t child = 2 * r + 1; child <= 2 * r + 2 && child < p; child++)
            passing->got[child][s] = now += t(x, segment(x, bytes, s));
    }
    passing->done[r] = now;
}

static int64_t binary_segmented_time(f x)
{
    static struct passing passing;
    int64_t most = 0;
    passing = (struct passing){.done = {0}};
    for (int64_t r = 0; r < x->p; r++) {
        pass_on(x, &passing, x->p, r, x->n);
        most = max(most, passing.done[r]);
    }
    return most;
}

static int64_t left_half(f x)
{
    return (x->n + 1) / 2;
}
static int64_t right_half(f x)
{
    return x->n / 2;
}

static int64_t split_binary_messages(f x)
{
    int64_t odd = x->p / 2, others = (x->p - 1) / 2;
    return odd * segments(x, left_half(x)) + others * segments(x, right_half(x)) + 2 * others + (x->p % 2 == 0);
}

/* Two trees, whose tops get their segments from the root in turn; then rank 2q + 1 and 2q + 2 exchange. */
static int64_t split_binary_time(f x)
{
    static struct passing sides[2];
    int64_t sizes[2] = {x->p / 2, (x->p - 1) / 2}, halves[2] = {left_half(x), right_half(x)};
    int64_t root = 0, most = 0;
    sides[0] = sides[1] = (struct passing){.done = {0}};
    for (int64_t s = 0; s < max(segments(x, halves[0]), segments(x, halves[1])); s++)
        for (int side = 0; side < 2; side++)
            if (sizes[side] > 0 && s < segments(x, halves[side]))
                sides[side].got[0][s] = root += t(x, segment(x, halves[side], s));
    for (int side = 0; side < 2; side++)
        for (int64_t q = 0; q < sizes[side]; q++)
            pass_on(x, &sides[side], sizes[side], q, halves[side]);
    for (int64_t q = 0; q < sizes[0]; q++) {
        int64_t other = q < sizes[1] ? sides[1].done[q] : root;
        int64_t back = q < sizes[1] ? sides[0].done[q] + t(x, halves[0]) : 0;
        most = max(most, max(max(sides[0].done[q], other + t(x, halves[1])), max(other, back)));
    }
    return most;
}

/* --- dealing parts along a binomial tree: who has r of n parts has them at `begin`; when all have theirs. ends[] is
 * when each is done, if it is wanted --- */

static int64_t deal(f x, int64_t n, int64_t first, int64_t last, int64_t begin, int64_t (*size)(f, int64_t, int64_t),
                    int64_t *ends)
{
    int64_t most = begin, now = begin;
    for (int64_t step = INT64_C(1) << log_up(n); step > 0; step /= 2)
        if (first % (2 * step) == 0 && first + step < last) {
            int64_t to = min(last, first + 2 * step);
            now += t(x, size(x, first + step, to));
            most = max(most, deal(x, n, first + step, to, now, size, ends));
        }
    if (ends != NULL)
        ends[first] = now;
    return max(most, now);
}

/* The same, the smallest subtree first. */
static int64_t deal_up(f x, int64_t n, int64_t first, int64_t last, int64_t begin)
{
    int64_t most = begin, now = begin;
    for (int64_t step = 1; step < n && first % (2 * step) == 0 && first + step < last; step *= 2) {
        int64_t to = min(last, first + 2 * step);
        now += t(x, (to - first - step) * x->n);
        most = max(most, deal_up(x, n, first + step, to, now));
    }
    return most;
}

static int64_t blocks(f x, int64_t from, int64_t to)
{
    return (to - from) * x->n;
}
static int64_t parts_of_all(f x, int64_t from, int64_t to)
{
    return cut(x->n, x->p, from, to);
}

static int64_t scatter_ompi_binomial_time(f x)
{
    return deal_up(x, x->p, 0, x->p, 0);
}

static int64_t scatter_binomial_time(f x)
{
    return deal(x, x->p, 0, x->p, 0, blocks, NULL);
}

/* Subtrees come together at the same time, each when its own have. */
static int64_t gather_time(f x, int64_t size)
{
    int64_t most = 0;
    for (int64_t step = 1; step < size; step *= 2) {
        int64_t below = min(step, size - step);
        most = max(most, gather_time(x, below) + t(x, below * x->n));
    }
    return most;
}

static int64_t gather_binomial_time(f x)
{
    return gather_time(x, x->p);
}

/* --- scatter and allgather --- */

static int64_t dealt_bytes(f x, int64_t parts)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < parts; i++)
        sum += ones(i) * cut(x->n, parts, i, i + 1);
    return sum;
}

static int64_t scatter_ring_messages(f x)
{
    return (x->p - 1) * (x->p + 1);
}
static int64_t scatter_ring_bytes(f x)
{
    return dealt_bytes(x, x->p) + (x->p - 1) * x->n;
}

/* After round s rank r has part r - s - 1; it begins the next round when its send and its receive are done. */
static int64_t scatter_ring_time(f x)
{
    int64_t now[MOST], next[MOST], most = 0, p = x->p;
    deal(x, p, 0, p, 0, parts_of_all, now);
    for (int64_t s = 0; s < p - 1; s++) {
        for (int64_t r = 0; r < p; r++) {
            int64_t given = (r - s + p) % p, taken = (given + p - 1) % p;
            next[r] = max(now[r] + t(x, parts_of_all(x, given, given + 1)),
                          now[(r + p - 1) % p] + t(x, parts_of_all(x, taken, taken + 1)));
        }
        for (int64_t r = 0; r < p; r++)
            now[r] = next[r];
    }
    for (int64_t r = 0; r < p; r++)
        most = max(most, now[r]);
    return most;
}

static int64_t scatter_doubling_messages(f x)
{
    return even(x) - 1 + even(x) * log_down(x->p) + rest(x);
}
static int64_t scatter_doubling_bytes(f x)
{
    return dealt_bytes(x, even(x)) + (even(x) - 1) * x->n + rest(x) * x->n;
}

/* The parts 0 ... 2^k - 1, which are the longest of as many, in every round. */
static int64_t first_parts_time(f x)
{
    int64_t sum = 0;
    for (int64_t size = 1; size < even(x); size *= 2)
        sum += t(x, cut(x->n, even(x), 0, size));
    return sum;
}

static int64_t scatter_doubling_time(f x)
{
    int64_t sum = first_parts_time(x) + (rest(x) > 0 ? t(x, x->n) : 0);
    for (int64_t size = 1; size < even(x); size *= 2)
        sum += t(x, cut(x->n, even(x), size, 2 * size));
    return sum;
}

/* --- allreduce --- */

static int64_t ring_twice(f x)
{
    return 2 * x->p * (x->p - 1);
}
static int64_t ring_twice_time(f x)
{
    return 2 * (x->p - 1) * t(x, cut(x->n, x->p, 0, 1));
}
static int64_t rabenseifner_messages(f x)
{
    return 2 * (even(x) * log_down(x->p) + rest(x));
}
static int64_t rabenseifner_bytes(f x)
{
    return 2 * x->n * (even(x) - 1 + rest(x));
}

/* Ranks that take part for two begin later. In each round a number and the one that differs from it by `size` exchange:
 * it has, or wants, the parts of its own group of `size`, and the other one those of the other group. */
static int64_t rabenseifner_time(f x)
{
    int64_t now[MOST] = {0}, next[MOST], most = 0, n = even(x), rounds = log_down(x->p);
    for (int64_t i = 0; i < rest(x); i++)
        now[i] = t(x, x->n);
    for (int64_t round = 0; round < 2 * rounds; round++) {
        bool halves = round < rounds;
        int64_t size = INT64_C(1) << (halves ? rounds - 1 - round : round - rounds);
        for (int64_t i = 0; i < n; i++) {
            int64_t own = i - i % size, others = own ^ size;
            int64_t mine = t(x, cut(x->n, n, own, own + size)), theirs = t(x, cut(x->n, n, others, others + size));
            next[i] = max(now[i] + (halves ? theirs : mine), now[i ^ size] + (halves ? mine : theirs));
        }
        for (int64_t i = 0; i < n; i++)
            now[i] = next[i];
    }
    for (int64_t i = 0; i < n; i++)
        most = max(most, now[i] + (i < rest(x) ? t(x, x->n) : 0));
    return most;
}

/* --- allgather --- */

static int64_t allgather_doubling_bytes(f x)
{
    return x->n * (x->p * (even(x) - 1) + rest(x) * (1 + x->p));
}

static int64_t allgather_doubling_time(f x)
{
    int64_t sum = rest(x) > 0 ? t(x, x->n) + t(x, x->p * x->n) : 0;
    for (int64_t size = 1; size < even(x); size *= 2)
        sum += t(x, (size + min(size, rest(x))) * x->n);
    return sum;
}

static int64_t allgather_bruck_time(f x)
{
    int64_t sum = 0;
    for (int64_t distance = 1; distance < x->p; distance *= 2)
        sum += t(x, min(distance, x->p - distance) * x->n);
    return sum;
}

/* With an odd number of ranks, it is the ring. */
static int64_t neighbour_exchange_messages(f x)
{
    return x->p % 2 == 0 ? x->p * (x->p / 2) : pairs(x);
}
static int64_t neighbour_exchange_time(f x)
{
    return x->p % 2 == 0 ? t(x, x->n) + (x->p / 2 - 1) * t(x, 2 * x->n) : one_after_another(x);
}

static int64_t gather_broadcast_bytes(f x)
{
    return tree_bytes(x) + (x->p - 1) * x->p * x->n;
}
static int64_t gather_broadcast_time(f x)
{
    return gather_time(x, x->p) + log_up(x->p) * t(x, x->p * x->n);
}

/* --- all-to-all --- */

static int64_t alltoall_bruck_bytes(f x)
{
    return x->p * x->n * all_ones(x->p);
}

static int64_t alltoall_bruck_time(f x)
{
    int64_t sum = 0;
    for (int64_t bit = 1; bit < x->p; bit *= 2) {
        int64_t count = 0;
        for (int64_t i = 0; i < x->p; i++)
            count += (i & bit) != 0;
        sum += t(x, count * x->n);
    }
    return sum;
}

/* Ends with a row without a name. */
static const struct collective_row collective_rows[] = {
    {COLL_BROADCAST, "flat", once, once_bytes, one_after_another},
    {COLL_BROADCAST, "flattree", once, once_bytes, at_once},
    {COLL_BROADCAST, "neighbour", once, once_bytes, one_after_another},
    {COLL_BROADCAST, "binomial", once, once_bytes, tree_down},
    {COLL_BROADCAST, "chain", once, once_bytes, one_after_another},
    {COLL_BROADCAST, "chain_segmented", segmented, once_bytes, pipe_time},
    {COLL_BROADCAST, "chain_down", once, once_bytes, one_after_another},
    {COLL_BROADCAST, "split_ring", once, once_bytes, split_ring_time},
    {COLL_BROADCAST, "multipath", once, once_bytes, multipath_time},
    {COLL_BROADCAST, "hypercube", once, once_bytes, tree_down},
    {COLL_BROADCAST, "knomial", once, once_bytes, knomial_time},
    {COLL_BROADCAST, "binary", once, once_bytes, binary_time},
    {COLL_BROADCAST, "binary_segmented", segmented, once_bytes, binary_segmented_time},
    {COLL_BROADCAST, "split_binary", split_binary_messages, once_bytes, split_binary_time},
    {COLL_BROADCAST, "scatter_ring", scatter_ring_messages, scatter_ring_bytes, scatter_ring_time},
    {COLL_BROADCAST, "scatter_doubling", scatter_doubling_messages, scatter_doubling_bytes, scatter_doubling_time},
    {COLL_SCATTER, "flat", once, once_bytes, one_after_another},
    {COLL_SCATTER, "binomial", once, tree_bytes, scatter_binomial_time},
    {COLL_SCATTER, "ompi_linear_nb", once, once_bytes, at_once},
    {COLL_SCATTER, "ompi_binomial", once, tree_bytes, scatter_ompi_binomial_time},
    {COLL_GATHER, "flat", once, once_bytes, at_once},
    {COLL_GATHER, "binomial", once, tree_bytes, gather_binomial_time},
    {COLL_REDUCE, "binomial", once, once_bytes, tree_up},
    {COLL_REDUCE, "ompi_binomial", once, once_bytes, tree_up},
    {COLL_REDUCE, "flat", once, once_bytes, at_once},
    {COLL_REDUCE, "chain", once, once_bytes, one_after_another},
    {COLL_REDUCE, "chain_segmented", segmented, once_bytes, pipe_time},
    {COLL_ALLREDUCE, "recursive_doubling", doubling, doubling_bytes, doubling_time},
    {COLL_ALLREDUCE, "ring", ring_twice, twice_bytes, ring_twice_time},
    {COLL_ALLREDUCE, "rabenseifner", rabenseifner_messages, rabenseifner_bytes, rabenseifner_time},
    {COLL_ALLREDUCE, "reduce_broadcast", twice, twice_bytes, up_and_down},
    {COLL_ALLGATHER, "ring", pairs, pairs_bytes, one_after_another},
    {COLL_ALLGATHER, "recursive_doubling", doubling, allgather_doubling_bytes, allgather_doubling_time},
    {COLL_ALLGATHER, "bruck", rounds_of_all, pairs_bytes, allgather_bruck_time},
    {COLL_ALLGATHER, "neighbour_exchange", neighbour_exchange_messages, pairs_bytes, neighbour_exchange_time},
    {COLL_ALLGATHER, "exchange", pairs, pairs_bytes, one_after_another},
    {COLL_ALLGATHER, "linear", pairs, pairs_bytes, at_once},
    {COLL_ALLGATHER, "gather_broadcast", twice, gather_broadcast_bytes, gather_broadcast_time},
    {COLL_ALLTOALL, "pairwise", pairs, pairs_bytes, one_after_another},
    {COLL_ALLTOALL, "exchange", pairs, pairs_bytes, one_after_another},
    {COLL_ALLTOALL, "linear", pairs, pairs_bytes, at_once},
    {COLL_ALLTOALL, "bruck", rounds_of_all, alltoall_bruck_bytes, alltoall_bruck_time},
    {COLL_BARRIER, "dissemination", rounds_of_all, rounds_of_all_bytes, tree_down},
    {COLL_BARRIER, "flat", twice, twice_bytes, all_to_one_to_all},
    {COLL_BARRIER, "tree", twice, twice_bytes, up_and_down},
    {COLL_BARRIER, "recursive_doubling", doubling, doubling_bytes, doubling_time},
    {.name = NULL},
};

#endif
