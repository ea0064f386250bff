/* Debug output: one line for each event of a category that is asked for, to whatever the program has set as its sink.
 *
 * It is off unless debug_open() is called. A line that is off costs a test of one global mask.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_DEBUG_H
#define BASE_DEBUG_H

#include <stddef.h>
#include <stdint.h>

/* Identity, name, and what its lines say. */
#define DEBUG_CATEGORIES(X)                                                                                            \
    X(RUN, "run", "the runs that are simulated, with their ranks and network")                                         \
    X(SCHEDULE, "schedule", "which rank or message is called when, and what the rank does next")                       \
    X(MATCH, "match", "which message matches which receive, and which are unexpected")                                 \
    X(WAIT, "wait", "who waits for whom, and who ends the wait")                                                       \
    X(COLLECTIVE, "collective", "the algorithm of each collective, its group, its messages")                           \
    X(AHEAD, "ahead", "ranks that run ahead of simulated time")                                                        \
    X(NETWORK, "network", "what the network decides: links, queues, rates, deliveries")                                \
    X(DSM, "dsm", "shared memory: page faults, diffs, locks, barriers")

#define DEBUG_IDENTITY(ID, name, summary) DEBUG_##ID,
enum debug_category { DEBUG_CATEGORIES(DEBUG_IDENTITY) N_DEBUG_CATEGORIES };
#undef DEBUG_IDENTITY

/* The categories that are on, a bit each. */
extern uint32_t debug_categories;

static inline uint32_t debug_bit(enum debug_category category)
{
    return UINT32_C(1) << category;
}

/* Names divided by commas, "all" for all; -1, and in `why` which is unknown and which there are. */
int debug_parse(uint32_t *categories, const char *names, char *why, size_t size);

/* From now on `sink` gets each line of these categories, without a line feed. */
void debug_open(uint32_t categories, void (*sink)(const char *line));

/* One line: simulated time (-1: there is none), "rank" or whatever has that number, what it is about. */
void debug_line(enum debug_category category, int64_t at_ps, const char *kind, int64_t number, const char *format, ...)
    __attribute__((format(printf, 5, 6), cold));

/* Times within a line: "at %.12f s", DEBUG_S(at_ps). */
#define DEBUG_S(ps) ((double)(ps) / 1e12)

/* True if a category is on; for callers that need more than a line to say it, in a function of their own that is
 * DEBUG_COLD. */
#define DEBUG_IS_ON(category) __builtin_expect((debug_categories & debug_bit(DEBUG_##category)) != 0, 0)
#define DEBUG_COLD __attribute__((noinline, cold))

/* DEBUG(MATCH, now_ps, "rank", 3, "takes %d bytes", bytes): evaluates its arguments only where the category is on. */
#define DEBUG(category, ...)                                                                                           \
    do {                                                                                                               \
        if (DEBUG_IS_ON(category))                                                                                     \
            debug_line(DEBUG_##category, __VA_ARGS__);                                                                 \
    } while (0)

#endif
