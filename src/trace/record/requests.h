/* Requests that a location has begun and not waited for yet: their numbers in a trace, from the numbers that its
 * program gave them, which come again. Memory grows with the requests that are pending, but for sends without a number,
 * which only a wait for all can mean. The time to begin and to end one does not depend on how many there are.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_REQUESTS_H
#define TRACE_RECORD_REQUESTS_H

#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request {
    uint64_t id;
    uint32_t number; /* of a send the program's, 0: none; of a receive that of its interval */
    bool receives, collective;
};

/* All zero at first. */
struct requests {
    struct request_slot *slots; /* of those that are pending; the first two stand for none */
    size_t n_slots, capacity;
    uint32_t free;               /* chain of slots */
    struct map latest;           /* slot by number and collective */
    uint64_t n_begun;            /* of those that got a slot; they have even identifiers */
    uint64_t n_plain, end_plain; /* sends without a number, and those of them that have been ended; odd */
};

/* Begin a request; its identifier, which never comes again. Receives have numbers of their own, and so has what is
 * begun within a collective (`collective`). */
uint64_t requests_begin(struct requests *requests, uint32_t number, bool receives, bool collective);

/* End the one of that number, of several the latest; false if there is none. */
bool requests_end(struct requests *requests, struct request *ended, uint32_t number, bool receives, bool collective);

/* End any send within collectives, or outside; false if there is none. */
bool requests_end_send(struct requests *requests, struct request *ended, bool collective);

void requests_dispose(struct requests *requests);

#endif
