/* Trace Event: JSON that Perfetto and Chrome open ("Trace Event Format", Google). The processors of ranks are threads
 * of one process, controllers of another, links of a third. A phase is a slice, and what its processor does are slices
 * in it. A message is a flow, from the slice in which its sending begins to that which it ends. A counter has the
 * useful ones, and one for each link how busy it is.
 *
 * Viewers count whole nanoseconds. All times are rounded down to them, so that slices nest and follow each other
 * without gap; what begins and ends within one is left out. A flow ends 1 ns before its receive does, since a slice's
 * end is no longer in it. Events of a thread are in order of time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "os/output.h"
#include "os/text_output.h"
#include "trace/record/matcher.h"
#include "trace/record/sorter.h"
#include "trace/record/writer.h"
#include "trace/timeline/chrome_names.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Events of the same time are in this order: a slice comes before what is in it. */
enum line { LINE_PHASE, LINE_STATE, LINE_SENT, LINE_RECEIVED };

/* An event of the file, but for its time. */
struct chrome_record {
    int32_t location, tag;
    uint8_t line; /* enum line */
    uint8_t state, scope, category, operation;
    int64_t length_ns;   /* of a slice, which ends with it */
    int64_t flow, bytes; /* of a message */
};

/* A slice that may go on. */
struct slice {
    int64_t start_ps, end_ps;
    uint8_t state, scope, category, operation;
};

struct chrome_location {
    struct slice phase, state;
};

/* The counter has one value for each of so many parts of the run, the mean over it. */
enum { COUNTER_VALUES = 1000 };

struct chrome {
    struct output output;
    const struct interval_setup *setup;
    struct sorter *sorter;
    struct matcher *matcher;
    struct chrome_location *locations;
    struct word *threads; /* of each location: what says which it is */
    int64_t n_flows;
    int64_t end_ns, part_ns; /* known when the run has ended */
    int64_t useful_ns[COUNTER_VALUES];
    struct trace_links links;
    struct text_output text;
};

static int64_t to_ns(int64_t ps)
{
    return ps / 1000;
}

/* --- while intervals come --- */

static void *chrome_open(const char *file, struct sim_error *error)
{
    struct output output;
    if (output_open(&output, file, error) != 0)
        return NULL;
    struct chrome *self = xcalloc(1, sizeof *self);
    self->output = output;
    self->sorter = sorter_new(output.partial);
    self->matcher = matcher_new();
    return self;
}

static void chrome_begin(void *data, const struct interval_setup *setup)
{
    struct chrome *self = data;
    self->setup = setup;
    self->locations = xcalloc((size_t)setup->n_locations, sizeof *self->locations);
    self->threads = xcalloc((size_t)setup->n_locations, sizeof *self->threads);
    for (int location = 0; location < setup->n_locations; location++)
        word_set(&self->threads[location], "\"pid\":%d,\"tid\":%d,\"ts\":", chrome_process(setup, location),
                 chrome_thread(setup, location));
}

static void add_slice(struct chrome *self, enum line line, int location, const struct slice *slice)
{
    int64_t start_ns = to_ns(slice->start_ps), length_ns = to_ns(slice->end_ps) - start_ns;
    struct chrome_record record = {.length_ns = length_ns,
                                   .location = location,
                                   .line = (uint8_t)line,
                                   .state = slice->state,
                                   .scope = slice->scope,
                                   .category = slice->category,
                                   .operation = slice->operation};
    if (length_ns > 0)
        sorter_add(self->sorter, start_ns, (int)line, &record, offsetof(struct chrome_record, flow));
}

static bool same_state(const struct slice *slice, const struct interval *interval)
{
    return slice->state == interval->state && slice->scope == interval->scope &&
           slice->category == interval->category && slice->operation == interval->operation;
}

/* The slice goes on, or is written, and that of the new interval begins. */
static void go_on(struct chrome *self, enum line line, struct slice *slice, const struct interval *interval, bool same)
{
    if (!same) {
        add_slice(self, line, interval->location, slice);
        *slice = (struct slice){interval->start_ps, 0, interval->state, interval->scope, interval->category,
                                interval->operation};
    }
    slice->end_ps = interval->end_ps;
}

static void add_flow(struct chrome *self, const struct interval *interval)
{
    struct message_ends ends;
    int64_t at_ps = interval->is_message ? interval->start_ps : interval->end_ps;
    const struct message_end end = {at_ps, at_ps, interval->location};
    if (!matcher_add(self->matcher, self->setup, interval, end, &ends))
        return;
    struct chrome_record record = {.flow = self->n_flows++, .bytes = interval->bytes, .tag = interval->tag};
    int64_t sent_ns = to_ns(ends.sent.at_ps), received_ns = to_ns(ends.received.at_ps) - 1;
    record.line = LINE_SENT;
    record.location = ends.sent.location;
    sorter_add(self->sorter, sent_ns, LINE_SENT, &record, sizeof record);
    record.line = LINE_RECEIVED;
    record.location = ends.received.location;
    sorter_add(self->sorter, received_ns > sent_ns ? received_ns : sent_ns, LINE_RECEIVED, &record, sizeof record);
}

static void chrome_write(void *data, const struct interval *interval)
{
    struct chrome *self = data;
    struct chrome_location *location = &self->locations[interval->location];
    if (interval->start_ps < interval->end_ps) {
        go_on(self, LINE_PHASE, &location->phase, interval, location->phase.scope == interval->scope);
        go_on(self, LINE_STATE, &location->state, interval, same_state(&location->state, interval));
    }
    if (interval->is_message || interval->is_receipt)
        add_flow(self, interval);
}

static void chrome_add_link(void *data, const struct trace_link *link)
{
    struct chrome *self = data;
    trace_links_add(&self->links, link);
}

/* --- the file --- */

/* A time, which is in microseconds. */
static char *put_time(char *to, int64_t ns)
{
    to = text_integer(to, ns / 1000);
    *to++ = '.';
    return text_digits(to, (uint64_t)ns % 1000, 3);
}

/* Put the part that all events have. */
static char *put_event(char *to, const struct chrome *self, char phase, int location, int64_t at_ns)
{
    to = TEXT(to, ",\n{\"ph\":\"");
    *to++ = phase;
    return put_time(text_word(TEXT(to, "\","), &self->threads[location]), at_ns);
}

static char *put_slice(char *to, const struct chrome *self, int64_t at_ns, const struct chrome_record *record)
{
    to = put_event(to, self, 'X', record->location, at_ns);
    to = put_time(TEXT(to, ",\"dur\":"), record->length_ns);
    to = TEXT(to, ",\"name\":");
    if (record->line == LINE_PHASE) {
        to = chrome_put_text(to, self->setup->scopes[record->scope]);
    } else if (record->category == CATEGORY_NONE) {
        to = TEXT(text_string(TEXT(to, "\""), location_state_names[record->state]), "\"");
    } else {
        to = text_string(TEXT(to, "\""), category_names[record->category]);
        to = text_string(TEXT(to, "/"), operation_names[record->operation]);
        to = TEXT(text_string(TEXT(to, "\",\"args\":{\"state\":\""), location_state_names[record->state]), "\"}");
    }
    return TEXT(to, "}");
}

static char *put_flow(char *to, const struct chrome *self, int64_t at_ns, const struct chrome_record *record)
{
    bool sent = record->line == LINE_SENT;
    to = put_event(to, self, sent ? 's' : 'f', record->location, at_ns < self->end_ns ? at_ns : self->end_ns - 1);
    to = sent ? TEXT(to, ",") : TEXT(to, ",\"bp\":\"e\",");
    to = text_integer(TEXT(to, "\"cat\":\"message\",\"name\":\"message\",\"id\":"), record->flow);
    if (!sent)
        return TEXT(to, "}");
    to = text_integer(TEXT(to, ",\"args\":{\"bytes\":"), record->bytes);
    return TEXT(text_integer(TEXT(to, ",\"tag\":"), record->tag), "}}");
}

/* Add a slice in which a processor is useful to the parts of the run that it is in. */
static void count(struct chrome *self, int64_t at_ns, int64_t end_ns)
{
    while (at_ns < end_ns) {
        int64_t part = at_ns / self->part_ns, next_ns = (part + 1) * self->part_ns;
        int64_t until_ns = next_ns < end_ns ? next_ns : end_ns;
        self->useful_ns[part] += until_ns - at_ns;
        at_ns = until_ns;
    }
}

static void write_record(struct chrome *self, int64_t at_ns, const struct chrome_record *record)
{
    char *to = text_begin(&self->text);
    if (record->line == LINE_SENT || record->line == LINE_RECEIVED)
        to = put_flow(to, self, at_ns, record);
    else if (record->line == LINE_STATE || record->scope != 0)
        to = put_slice(to, self, at_ns, record);
    text_end(&self->text, to);
    if (record->line == LINE_STATE && record->state == STATE_USEFUL &&
        record->location < interval_processors(self->setup))
        count(self, at_ns, at_ns + record->length_ns);
}

static void write_counter(struct chrome *self)
{
    bool has_more = self->setup->n_more_processors > 0;
    for (int part = 0; part * self->part_ns < self->end_ns; part++) {
        int64_t at_ns = part * self->part_ns, left_ns = self->end_ns - at_ns;
        int64_t length_ns = left_ns < self->part_ns ? left_ns : self->part_ns;
        int64_t useful = self->useful_ns[part] / length_ns, rest_ns = self->useful_ns[part] % length_ns;
        char *to = put_event(text_begin(&self->text), self, 'C', 0, at_ns);
        to = has_more ? TEXT(to, ",\"name\":\"useful processors\",\"args\":{\"processors\":")
                      : TEXT(to, ",\"name\":\"useful ranks\",\"args\":{\"ranks\":");
        to = TEXT(text_integer(to, useful), ".");
        to = text_digits(to, (uint64_t)(1000.0 * (double)rest_ns / (double)length_ns), 3);
        text_end(&self->text, TEXT(to, "}}"));
    }
}

/* A counter of a link has a value where it changes, in percent; behind its bins it is 0. */
static void write_link(struct chrome *self, const struct trace_link *link, size_t number)
{
    long last = -1;
    for (size_t i = 0; i <= link->n_bins; i++) {
        int64_t at_ns = to_ns((int64_t)i * link->bin_ps);
        long permille = i < link->n_bins ? lround(1000.0 * link->busy[i]) : 0;
        if (permille == last || at_ns >= self->end_ns)
            continue;
        char *to = text_natural(TEXT(text_begin(&self->text), ",\n{\"ph\":\"C\",\"pid\":3,\"tid\":"), number);
        to = TEXT(put_time(TEXT(to, ",\"ts\":"), at_ns), ",\"name\":");
        to = TEXT(chrome_put_text(to, link->name), ",\"args\":{\"busy [%]\":");
        to = TEXT(text_integer(to, permille / 10), ".");
        text_end(&self->text, TEXT(text_digits(to, (uint64_t)permille, 1), "}}"));
        last = permille;
    }
}

static void write_links(struct chrome *self)
{
    for (size_t i = 0; i < self->links.n_links; i++)
        write_link(self, &self->links.links[i], i + 1);
}

static void write_file(struct chrome *self)
{
    const struct chrome_record *record;
    int64_t at_ns;
    for (int location = 0; location < self->setup->n_locations; location++) {
        add_slice(self, LINE_PHASE, location, &self->locations[location].phase);
        add_slice(self, LINE_STATE, location, &self->locations[location].state);
    }
    self->part_ns = self->end_ns / COUNTER_VALUES + 1;
    chrome_write_names(self->output.stream, self->setup, self->links.n_links > 0);
    self->text.stream = self->output.stream;
    while ((record = sorter_next(self->sorter, &at_ns)) != NULL && !self->text.failed)
        write_record(self, at_ns, record);
    write_counter(self);
    write_links(self);
    text_end(&self->text, TEXT(text_begin(&self->text), "\n]}\n"));
    text_flush(&self->text);
}

static void chrome_free(struct chrome *self)
{
    sorter_free(self->sorter);
    matcher_free(self->matcher);
    trace_links_dispose(&self->links);
    free(self->locations);
    free(self->threads);
    free(self);
}

static void chrome_abandon(void *data)
{
    struct chrome *self = data;
    output_abandon(&self->output);
    chrome_free(self);
}

static int chrome_close(void *data, int64_t end_ps, struct sim_error *error)
{
    struct chrome *self = data;
    self->end_ns = to_ns(end_ps);
    write_file(self);
    int reason = sorter_status(self->sorter);
    if (reason != 0) {
        sim_error_set(error, SIM_UNFINISHED, self->output.file, 0, "could not be written: %s", strerror(reason));
        chrome_abandon(self);
        return -1;
    }
    int status = output_close(&self->output, error);
    chrome_free(self);
    return status;
}

const struct trace_format trace_chrome = {
    .name = "chrome",
    .extension = ".json",
    .summary = "Trace Event, for Perfetto and Chrome",
    .open = chrome_open,
    .begin = chrome_begin,
    .write = chrome_write,
    .add_link = chrome_add_link,
    .close = chrome_close,
    .abandon = chrome_abandon,
};
