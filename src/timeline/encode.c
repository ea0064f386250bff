/* Writes the encoded form: its parts are in the order of timeline.h, which says what they mean. */
#include "timeline/column.h"
#include "timeline/internal.h"

#include "base/memory.h"
#include "base/units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { N_COLUMNS = 6 }; /* at most, of a part */

/* What is being written; the columns are those of the part that is. */
struct encoder {
    const struct timeline *timeline;
    int64_t unit_ps;
    struct column out;
    struct column columns[N_COLUMNS];
};

static void add(struct encoder *encoder, int column, uint64_t number)
{
    column_add(&encoder->columns[column], number);
}

static void add_signed(struct encoder *encoder, int column, int64_t number)
{
    column_add_signed(&encoder->columns[column], number);
}

static void move_columns(struct encoder *encoder, int n_columns)
{
    for (int i = 0; i < n_columns; i++)
        column_move(&encoder->out, &encoder->columns[i]);
}

/* Of a message; NULL: it was not received. */
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

static int64_t unit_of(const struct timeline *timeline)
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

/* ---- What it is of ---- */

static void add_names(struct column *out, const char *const *names, int n_names)
{
    column_add(out, (uint64_t)n_names);
    for (int i = 0; i < n_names; i++) {
        size_t length = strlen(names[i]);
        column_add(out, length);
        column_add_bytes(out, names[i], length);
    }
}

static void encode_header(struct encoder *encoder)
{
    static const uint8_t magic[] = {'T', 'L', 'N', 1};
    const struct timeline *timeline = encoder->timeline;
    struct column *out = &encoder->out;
    column_add_bytes(out, magic, sizeof magic);
    column_add(out, (uint64_t)timeline->n_ranks);
    column_add(out, (uint64_t)timeline->n_locations);
    column_add(out, (uint64_t)timeline->end_ps);
    column_add(out, (uint64_t)encoder->unit_ps);
    add_names(out, location_state_names, N_LOCATION_STATES);
    add_names(out, category_names, N_CATEGORIES);
    add_names(out, (const char *const *)timeline->scopes, timeline->n_scopes);
    add_names(out, (const char *const *)timeline->components, timeline->n_components);
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
    }
}

/* The intervals of one location; `order` has their numbers. */
static void add_lane(struct encoder *encoder, struct classes *classes, const uint32_t *order, size_t count)
{
    int64_t at_ps = 0;
    memset(classes->last, 0, classes->count * sizeof *classes->last);
    for (size_t i = 0; i < count; i++) {
        const struct interval *interval = &encoder->timeline->intervals[order[i]];
        uint32_t number = classes->numbers[interval->class] - 1;
        int64_t length = (interval->end_ps - at_ps) / encoder->unit_ps;
        add(encoder, 1, number);
        add_signed(encoder, 2, length - classes->last[number]);
        classes->last[number] = length;
        at_ps = interval->end_ps;
    }
}

static void encode_intervals(struct encoder *encoder)
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
        add(encoder, 0, counts[location]);
        add_lane(encoder, &classes, next, counts[location]);
        next += counts[location];
    }
    move_columns(encoder, 3);
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
        add_signed(encoder, 1, (int64_t)message->to - message->from);
        add(encoder, 2, (uint64_t)((message->sent_ps - sent_ps) / encoder->unit_ps));
        add_signed(encoder, 3, (receipt->at_ps - message->sent_ps) / encoder->unit_ps);
        add_signed(encoder, 4, receipt->bytes - bytes);
        add_signed(encoder, 5, (int64_t)message->tag - tag);
        sent_ps = message->sent_ps;
        bytes = receipt->bytes;
        tag = message->tag;
        n_received++;
    }
    return n_received;
}

static void encode_messages(struct encoder *encoder)
{
    const struct timeline *timeline = encoder->timeline;
    size_t *counts, n_received = 0;
    uint32_t *order = by_location(&counts, timeline->n_locations, timeline->n_messages, sender_of_message, timeline);
    const uint32_t *next = order;
    for (int location = 0; timeline->n_messages > 0 && location < timeline->n_locations; location++) {
        size_t n_of_sender = add_sent(encoder, next, counts[location]);
        add(encoder, 0, n_of_sender);
        n_received += n_of_sender;
        next += counts[location];
    }
    if (n_received == 0)
        encoder->columns[0].length = 0;
    column_add(&encoder->out, (uint64_t)timeline->all_messages);
    column_add(&encoder->out, n_received);
    move_columns(encoder, 6);
    free(order);
    free(counts);
}

/* ---- The critical path ---- */

static void encode_path(struct encoder *encoder)
{
    const struct timeline *timeline = encoder->timeline;
    struct timeline_segment last = {0};
    column_add(&encoder->out, (uint64_t)timeline->all_segments);
    column_add(&encoder->out, timeline->n_segments);
    for (size_t i = 0; i < timeline->n_segments; i++) {
        const struct timeline_segment *segment = &timeline->segments[i];
        add_signed(encoder, 0, (int64_t)segment->location - last.location);
        add_signed(encoder, 1, (segment->start_ps - last.end_ps) / encoder->unit_ps);
        add(encoder, 2, (uint64_t)((segment->end_ps - segment->start_ps) / encoder->unit_ps));
        add(encoder, 3, segment->component);
        add(encoder, 4, segment->scope);
        last = *segment;
    }
    move_columns(encoder, 5);
}

/* ---- Bins ---- */

/* A sum in cells is what the sum up to it is longer than that before, so that what is lost does not add up. */
static void add_cells(struct encoder *encoder, int column, const uint64_t *sums, int n_cells, int cell_shift)
{
    wide_int sum_ps = 0, written = 0;
    uint64_t n_zeros = 0;
    for (int i = 0; i < n_cells; i++) {
        sum_ps += sums[i];
        uint64_t cell = (uint64_t)((sum_ps >> cell_shift) - written);
        written += cell;
        if (n_zeros > 0 && cell != 0) {
            add(encoder, column, n_zeros - 1);
            n_zeros = 0;
        }
        if (cell != 0 || n_zeros == 0)
            add(encoder, column, cell);
        n_zeros += cell == 0;
    }
    if (n_zeros > 0)
        add(encoder, column, n_zeros - 1);
}

static void encode_bins(struct encoder *encoder, const struct bins *bins)
{
    int n_bins = bins_used(bins, encoder->timeline->end_ps);
    column_add(&encoder->out, (uint64_t)bins->n_rows);
    column_add(&encoder->out, (uint64_t)n_bins);
    column_add(&encoder->out, (uint64_t)bins->locations_per_row);
    column_add(&encoder->out, UINT64_C(1) << bins->shift);
    column_add(&encoder->out, UINT64_C(1) << bins->cell_shift);
    for (int row = 0; row < bins->n_rows; row++)
        for (int c = 0; c < bins->n_channels; c++)
            add_cells(encoder, c < N_LOCATION_STATES ? 0 : 1, bins_channel(bins, row, c), n_bins, bins->cell_shift);
    move_columns(encoder, 2);
}

static void encode_no_bins(struct encoder *encoder)
{
    for (int i = 0; i < 2; i++)
        column_add(&encoder->out, 0);
    for (int i = 0; i < 3; i++)
        column_add(&encoder->out, 1);
    move_columns(encoder, 2);
}

/* ---- The two forms ---- */

static void encode(struct encoder *encoder)
{
    encoder->unit_ps = unit_of(encoder->timeline);
    encoder->out.length = 0;
    encode_header(encoder);
    encode_intervals(encoder);
    encode_messages(encoder);
    encode_path(encoder);
    if (encoder->timeline->has_bins)
        encode_bins(encoder, &encoder->timeline->bins);
    else
        encode_no_bins(encoder);
}

/* The bins of a timeline that may have none; to be disposed of. */
static struct bins make_bins(const struct timeline *timeline)
{
    struct bins bins;
    bins_init(&bins, timeline->n_ranks, timeline->n_locations, timeline->n_scopes);
    if (!timeline->has_bins) {
        timeline_fill(&bins, timeline);
        return bins;
    }
    size_t size = (size_t)bins.n_rows * (size_t)bins.n_channels * (size_t)bins.n_bins * sizeof *bins.cells;
    memcpy(bins.cells, timeline->bins.cells, size);
    bins.shift = timeline->bins.shift;
    return bins;
}

/* Whether there is anything left to make smaller: the sums, bins down to 64, then rows, then bins again. */
static bool make_smaller(struct bins *bins)
{
    enum { FEW_BINS = 64 };
    bool has_rows = bins->n_rank_rows > 1, is_rounded = bins->cell_shift > 0;
    if (is_rounded && (bins->n_bins > FEW_BINS || (!has_rows && bins->n_bins > 1)))
        bins_halve(bins);
    else if (is_rounded && has_rows)
        bins_halve_rows(bins);
    else if (is_rounded)
        return false;
    bins_round(bins);
    return is_rounded || bins->cell_shift > 0;
}

/* As it is for a timeline that has kept nothing but bins. */
static void encode_overview(struct encoder *encoder, size_t most_bytes)
{
    struct timeline overview = *encoder->timeline;
    overview.n_intervals = overview.n_messages = overview.n_segments = 0;
    overview.bins = make_bins(encoder->timeline);
    overview.has_bins = true;
    encoder->timeline = &overview;
    do
        encode(encoder);
    while (encoder->out.length > most_bytes && make_smaller(&overview.bins));
    bins_dispose(&overview.bins);
}

void timeline_encode(uint8_t **bytes, size_t *length, const struct timeline *timeline, size_t most_bytes)
{
    struct encoder encoder = {.timeline = timeline};
    assert(timeline->end_ps >= 0);
    encode(&encoder);
    if (encoder.out.length > most_bytes)
        encode_overview(&encoder, most_bytes);
    *bytes = encoder.out.bytes;
    *length = encoder.out.length;
    for (int i = 0; i < N_COLUMNS; i++)
        free(encoder.columns[i].bytes);
}
