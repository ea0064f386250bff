/* Writes what a timeline has kept as it was: intervals, messages, the critical path. Finds the unit of their times.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/encoder.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The receipt of a message; NULL: it was not received. */
static const struct receipt *receipt_of(const struct timeline *timeline, size_t message)
{
    uint32_t receipt = timeline->messages[message].receipt;
    return receipt != MAP_NOTHING ? &timeline->receipts[receipt] : NULL;
}

/* ---- The unit: what divides all times ---- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

int64_t encode_unit(const struct timeline *timeline)
{
    int64_t unit_ps = 0;
    for (size_t i = 0; i < timeline->n_intervals; i++)
        unit_ps = common_divisor(timeline->intervals[i].end_ps, unit_ps);
    for (size_t i = 0; i < timeline->n_messages; i++)
        if (receipt_of(timeline, i) != NULL) {
            unit_ps = common_divisor(timeline->messages[i].sent_ps, unit_ps);
            unit_ps = common_divisor(receipt_of(timeline, i)->at_ps, unit_ps);
        }
    for (size_t i = 0; i < timeline->n_segments; i++) {
        unit_ps = common_divisor(timeline->segments[i].start_ps, unit_ps);
        unit_ps = common_divisor(timeline->segments[i].end_ps, unit_ps);
    }
    return unit_ps > 0 ? unit_ps : 1;
}

/* ---- Intervals ---- */

/* Numbers of items, to be freed, those of one location after those of another, each in their order; *counts, to be
 * freed, is how many each has. */
static uint32_t *by_location(size_t **counts, int n_locations, size_t n_items,
                             int location_of(const struct timeline *timeline, size_t item),
                             const struct timeline *timeline)
{
    uint32_t *order = xmalloc(n_items * sizeof *order);
    size_t *places = xcalloc((size_t)n_locations + 1, sizeof *places);
    *counts = xcalloc((size_t)n_locations, sizeof **counts);
    for (size_t i = 0; i < n_items; i++)
        places[location_of(timeline, i) + 1]++;
    for (int location = 0; location < n_locations; location++) {
        (*counts)[location] = places[location + 1];
        places[location + 1] += places[location];
    }
    for (size_t i = 0; i < n_items; i++)
        order[places[location_of(timeline, i)]++] = (uint32_t)i;
    free(places);
    return order;
}

static int location_of_interval(const struct timeline *timeline, size_t item)
{
    return timeline->intervals[item].location;
}

/* The classes that there are, numbered as they come. */
struct classes {
    timeline_class *list;
    size_t count, capacity;
    uint32_t *numbers; /* of each that there can be, 1 + its place in the list; 0: it is not there */
    int64_t *last;     /* of each in the list, the length of the last interval */
};

static void number_classes(struct classes *classes, const struct timeline *timeline, const uint32_t *order)
{
    *classes = (struct classes){.numbers = xcalloc(N_TIMELINE_CLASSES, sizeof *classes->numbers)};
    for (size_t i = 0; i < timeline->n_intervals; i++) {
        timeline_class class = timeline->intervals[order[i]].class;
        if (classes->numbers[class] != 0)
            continue;
        classes->list = xgrow(classes->list, classes->count, &classes->capacity, sizeof *classes->list);
        classes->list[classes->count++] = class;
        classes->numbers[class] = (uint32_t)classes->count;
    }
    classes->last = xmalloc(classes->count * sizeof *classes->last);
}

static void dispose_classes(struct classes *classes)
{
    free(classes->list);
    free(classes->numbers);
    free(classes->last);
}

static void encode_classes(struct column *out, const struct classes *classes)
{
    column_add(out, classes->count);
    for (size_t i = 0; i < classes->count; i++) {
        column_add(out, (uint64_t)timeline_state(classes->list[i]));
        column_add(out, (uint64_t)timeline_kind(classes->list[i]));
        column_add(out, (uint64_t)timeline_scope(classes->list[i]));
        column_add(out, (uint64_t)timeline_category(classes->list[i]));
        column_add(out, (uint64_t)timeline_operation(classes->list[i]));
    }
}

/* The intervals of one location; `order` has their numbers. */
static void add_lane(struct encoder *encoder, struct classes *classes, const uint32_t *order, size_t count)
{
    int64_t at_ps = 0;
    memset(classes->last, 0, classes->count * sizeof *classes->last);
    for (size_t i = 0; i < count; i++) {
        const struct drawn_interval *interval = &encoder->timeline->intervals[order[i]];
        uint32_t number = classes->numbers[interval->class] - 1;
        int64_t length = (interval->end_ps - at_ps) / encoder->unit_ps;
        encoder_add(encoder, 1, number);
        encoder_add_signed(encoder, 2, length - classes->last[number]);
        classes->last[number] = length;
        at_ps = interval->end_ps;
    }
}

void encode_intervals(struct encoder *encoder)
{
    const struct timeline *timeline = encoder->timeline;
    size_t *counts;
    uint32_t *order =
        by_location(&counts, timeline->n_locations, timeline->n_intervals, location_of_interval, timeline);
    struct classes classes;
    number_classes(&classes, timeline, order);
    column_add(&encoder->out, (uint64_t)timeline->all_intervals);
    column_add(&encoder->out, timeline->n_intervals);
    encode_classes(&encoder->out, &classes);
    const uint32_t *next = order;
    for (int location = 0; timeline->n_intervals > 0 && location < timeline->n_locations; location++) {
        encoder_add(encoder, 0, counts[location]);
        add_lane(encoder, &classes, next, counts[location]);
        next += counts[location];
    }
    encoder_move_columns(encoder, 3);
    dispose_classes(&classes);
    free(order);
    free(counts);
}

/* ---- Messages ---- */

static int sender_of_message(const struct timeline *timeline, size_t item)
{
    return timeline->messages[item].from;
}

/* The messages of one sender that have been received; returns how many. */
static size_t add_sent(struct encoder *encoder, const uint32_t *order, size_t count)
{
    int64_t sent_ps = 0, bytes = 0;
    int32_t tag = 0;
    size_t n_received = 0;
    for (size_t i = 0; i < count; i++) {
        const struct message *message = &encoder->timeline->messages[order[i]];
        const struct receipt *receipt = receipt_of(encoder->timeline, order[i]);
        if (receipt == NULL)
            continue;
        encoder_add_signed(encoder, 1, (int64_t)message->to - message->from);
        encoder_add(encoder, 2, (uint64_t)((message->sent_ps - sent_ps) / encoder->unit_ps));
        encoder_add_signed(encoder, 3, (receipt->at_ps - message->sent_ps) / encoder->unit_ps);
        encoder_add_signed(encoder, 4, receipt->bytes - bytes);
        encoder_add_signed(encoder, 5, (int64_t)message->tag - tag);
        sent_ps = message->sent_ps;
        bytes = receipt->bytes;
        tag = message->tag;
        n_received++;
    }
    return n_received;
}

void encode_messages(struct encoder *encoder)
{
    const struct timeline *timeline = encoder->timeline;
    size_t *counts, n_received = 0;
    uint32_t *order = by_location(&counts, timeline->n_locations, timeline->n_messages, sender_of_message, timeline);
    const uint32_t *next = order;
    for (int location = 0; timeline->n_messages > 0 && location < timeline->n_locations; location++) {
        size_t n_of_sender = add_sent(encoder, next, counts[location]);
        encoder_add(encoder, 0, n_of_sender);
        n_received += n_of_sender;
        next += counts[location];
    }
    if (n_received == 0)
        encoder->columns[0].length = 0;
    column_add(&encoder->out, (uint64_t)timeline->all_messages);
    column_add(&encoder->out, n_received);
    encoder_move_columns(encoder, 6);
    free(order);
    free(counts);
}

/* ---- The critical path ---- */

void encode_path(struct encoder *encoder)
{
    const struct timeline *timeline = encoder->timeline;
    struct timeline_segment last = {0};
    column_add(&encoder->out, (uint64_t)timeline->all_segments);
    column_add(&encoder->out, timeline->n_segments);
    for (size_t i = 0; i < timeline->n_segments; i++) {
        const struct timeline_segment *segment = &timeline->segments[i];
        encoder_add_signed(encoder, 0, (int64_t)segment->location - last.location);
        encoder_add_signed(encoder, 1, (segment->start_ps - last.end_ps) / encoder->unit_ps);
        encoder_add(encoder, 2, (uint64_t)((segment->end_ps - segment->start_ps) / encoder->unit_ps));
        encoder_add(encoder, 3, segment->component);
        encoder_add(encoder, 4, segment->scope);
        last = *segment;
    }
    encoder_move_columns(encoder, 5);
}
