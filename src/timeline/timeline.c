/* Records a run: its intervals as they end, the two ends of messages as they come. Little is done for each interval;
 * ends are paired when all is known.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/internal.h"

#include "base/map.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static const struct timeline_limits usual_limits = {.most_intervals = 1500000, .most_messages = 500000};

static char **copy_names(const char *const *names, int n_names)
{
    char **copies = xcalloc((size_t)n_names, sizeof *copies);
    for (int i = 0; i < n_names; i++)
        copies[i] = xstrdup(names[i]);
    return copies;
}

static void free_names(char **names, int n_names)
{
    for (int i = 0; i < n_names; i++)
        free(names[i]);
    free(names);
}

struct timeline *timeline_new(const struct interval_setup *setup, const struct timeline_limits *limits)
{
    struct timeline *timeline = xcalloc(1, sizeof *timeline);
    timeline->limits = limits != NULL ? *limits : usual_limits;
    timeline->setup = *setup;
    timeline->n_ranks = setup->n_ranks;
    timeline->n_locations = setup->n_locations;
    timeline->scopes = copy_names(setup->scopes, setup->n_scopes);
    timeline->n_scopes = setup->n_scopes;
    timeline->end_ps = -1;
    timeline->open = xcalloc((size_t)setup->n_locations, sizeof *timeline->open);
    for (int location = 0; location < setup->n_locations; location++)
        timeline->open[location].interval.location = location;
    return timeline;
}

static void drop_intervals(struct timeline *timeline)
{
    free(timeline->intervals);
    timeline->intervals = NULL;
    timeline->n_intervals = timeline->interval_capacity = 0;
}

static void drop_messages(struct timeline *timeline)
{
    free(timeline->messages);
    timeline->messages = NULL;
    timeline->n_messages = timeline->message_capacity = 0;
    free(timeline->receipts);
    timeline->receipts = NULL;
    timeline->n_receipts = timeline->receipt_capacity = 0;
    timeline->lacks_messages = true;
}

void timeline_free(struct timeline *timeline)
{
    if (timeline == NULL)
        return;
    drop_intervals(timeline);
    drop_messages(timeline);
    if (timeline->has_bins)
        bins_dispose(&timeline->bins);
    free_names(timeline->scopes, timeline->n_scopes);
    free_names(timeline->components, timeline->n_components);
    free(timeline->segments);
    free(timeline->open);
    free(timeline);
}

/* ---- Intervals ---- */

static void add_to_bins(struct bins *bins, const struct drawn_interval *interval, int64_t start_ps)
{
    bins_add(bins, interval->location, start_ps, interval->end_ps, timeline_state(interval->class),
             timeline_scope(interval->class));
}

void timeline_fill(struct bins *bins, const struct timeline *timeline)
{
    int64_t *ends_ps = xcalloc((size_t)timeline->n_locations, sizeof *ends_ps), last_ps = 0;
    for (size_t i = 0; i < timeline->n_intervals; i++)
        last_ps = timeline->intervals[i].end_ps > last_ps ? timeline->intervals[i].end_ps : last_ps;
    bins_reach(bins, last_ps);
    for (size_t i = 0; i < timeline->n_intervals; i++) {
        const struct drawn_interval *interval = &timeline->intervals[i];
        add_to_bins(bins, interval, ends_ps[interval->location]);
        ends_ps[interval->location] = interval->end_ps;
    }
    free(ends_ps);
}

static void begin_bins(struct timeline *timeline)
{
    bins_init(&timeline->bins, timeline->n_ranks, timeline->n_locations, timeline->n_scopes);
    timeline_fill(&timeline->bins, timeline);
    timeline->has_bins = true;
    drop_intervals(timeline);
}

/* The open interval goes on no longer. */
static void keep(struct timeline *timeline, const struct open_interval *open)
{
    timeline->all_intervals++;
    if (!timeline->has_bins && timeline->n_intervals >= timeline->limits.most_intervals)
        begin_bins(timeline);
    if (timeline->has_bins) {
        add_to_bins(&timeline->bins, &open->interval, open->start_ps);
        return;
    }
    timeline->intervals =
        xgrow(timeline->intervals, timeline->n_intervals, &timeline->interval_capacity, sizeof *timeline->intervals);
    timeline->intervals[timeline->n_intervals++] = open->interval;
}

static void take_interval(struct timeline *timeline, const struct interval *interval)
{
    struct open_interval *open = &timeline->open[interval->location];
    timeline_class class = timeline_class_of(interval);
    assert(interval->start_ps == open->interval.end_ps);
    if (class != open->interval.class || open->start_ps == open->interval.end_ps) {
        if (open->start_ps < open->interval.end_ps)
            keep(timeline, open);
        open->start_ps = interval->start_ps;
        open->interval.class = class;
    }
    open->interval.end_ps = interval->end_ps;
}

/* ---- Messages ---- */

static void take_message(struct timeline *timeline, const struct interval *interval)
{
    if (timeline->lacks_messages)
        return;
    if (timeline->n_messages >= timeline->limits.most_messages) {
        drop_messages(timeline);
        return;
    }
    timeline->messages =
        xgrow(timeline->messages, timeline->n_messages, &timeline->message_capacity, sizeof *timeline->messages);
    timeline->messages[timeline->n_messages++] = (struct message){
        interval->start_ps, interval->location, interval->peer, interval->tag, interval->serial, MAP_NOTHING};
}

static void take_receipt(struct timeline *timeline, const struct interval *interval)
{
    timeline->all_messages++;
    if (timeline->lacks_messages)
        return;
    if (timeline->n_receipts >= timeline->limits.most_messages) {
        drop_messages(timeline);
        return;
    }
    timeline->receipts =
        xgrow(timeline->receipts, timeline->n_receipts, &timeline->receipt_capacity, sizeof *timeline->receipts);
    timeline->receipts[timeline->n_receipts++] = (struct receipt){
        interval->end_ps, interval->bytes, interval->peer, interval->location, interval->tag, interval->serial};
}

/* A queue for each sender, receiver, tag and serial, which comes again after 2^32 messages. next[i] is the message
 * behind message i. */
static void queue_messages(struct map *queues, uint32_t *next, const struct timeline *timeline)
{
    for (size_t i = 0; i < timeline->n_messages; i++) {
        const struct message *message = &timeline->messages[i];
        int from = interval_party(&timeline->setup, message->from);
        struct map_entry *entry = map_add(queues, map_key(from, message->to, message->tag, (int32_t)message->serial));
        uint32_t before = queue_append(entry, (uint32_t)i);
        next[i] = MAP_NOTHING;
        if (before != MAP_NOTHING)
            next[before] = (uint32_t)i;
    }
}

static void pair_messages(struct timeline *timeline)
{
    struct map queues = {0};
    uint32_t *next = xmalloc(timeline->n_messages * sizeof *next);
    queue_messages(&queues, next, timeline);
    for (size_t i = 0; i < timeline->n_receipts; i++) {
        const struct receipt *receipt = &timeline->receipts[i];
        int to = interval_party(&timeline->setup, receipt->to);
        struct map_entry *entry = map_find(&queues, map_key(receipt->from, to, receipt->tag, (int32_t)receipt->serial));
        if (entry == NULL)
            continue; /* its sending was not traced */
        uint32_t message = entry->index;
        timeline->messages[message].receipt = (uint32_t)i;
        timeline->messages[message].to = receipt->to;
        queue_drop_first(&queues, entry, next[message]);
    }
    map_dispose(&queues);
    free(next);
}

void timeline_take(void *self, const struct interval *interval)
{
    struct timeline *timeline = self;
    if (interval->is_message)
        take_message(timeline, interval);
    if (interval->is_receipt)
        take_receipt(timeline, interval);
    if (interval->start_ps < interval->end_ps)
        take_interval(timeline, interval);
}

/* ---- The critical path ---- */

void timeline_name_components(struct timeline *timeline, const char *const *names, int n_names)
{
    free_names(timeline->components, timeline->n_components);
    timeline->components = copy_names(names, n_names);
    timeline->n_components = n_names;
}

void timeline_add_path_segment(struct timeline *timeline, const struct timeline_segment *segment)
{
    if (timeline->all_segments++ >= (int64_t)timeline->limits.most_messages) {
        free(timeline->segments);
        timeline->segments = NULL;
        timeline->n_segments = timeline->segment_capacity = 0;
        return;
    }
    timeline->segments =
        xgrow(timeline->segments, timeline->n_segments, &timeline->segment_capacity, sizeof *timeline->segments);
    timeline->segments[timeline->n_segments++] = *segment;
}

void timeline_finish(struct timeline *timeline, int64_t end_ps)
{
    for (int location = 0; location < timeline->n_locations; location++) {
        struct open_interval *open = &timeline->open[location];
        if (open->start_ps < open->interval.end_ps)
            keep(timeline, open);
        open->start_ps = open->interval.end_ps;
    }
    pair_messages(timeline);
    timeline->end_ps = end_ps;
}
