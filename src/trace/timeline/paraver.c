/* Paraver: three text files. The .prv has a line for each state (1), event (2) and communication (3), in order of time;
 * the .pcf says what their numbers mean, the .row what the locations are called ("Paraver: Tracefile description",
 * BSC). Times are whole nanoseconds, rounded down, so that order and sums are kept; what begins and ends within one has
 * no state. A node of the trace is a task; its other processors, or its controller, are further threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "os/output_folder.h"
#include "os/text_output.h"
#include "trace/record/call.h"
#include "trace/record/matcher.h"
#include "trace/record/sorter.h"
#include "trace/record/writer.h"
#include "trace/timeline/paraver_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum line { LINE_STATE = 1, LINE_EVENT = 2, LINE_MESSAGE = 3 };

/* A line of the .prv; its first time is that by which it is sorted. */
struct paraver_record {
    int32_t location, peer; /* of a message: sender, receiver */
    uint8_t line;           /* enum line */
    uint8_t state, scope, category, operation;
    int64_t end_ps; /* of a state; events end before it */
    /* Fields of a message; states end before them. */
    struct message_ends ends;
    int64_t bytes;
    int64_t tag;
};

struct location {
    struct call call;
    int scope, category, operation; /* of the last interval; -1: none yet */
};

struct paraver {
    struct output_folder output;
    const struct interval_setup *setup;
    struct sorter *sorter;
    struct matcher *matcher;
    struct location *locations;
    struct word
        *numbers; /* of each location, as the format has it, all from 1 on: processor, application, task, thread */
    struct word states[N_LOCATION_STATES];
    struct text_output text;
};

static const char *const extensions[] = {".prv", ".pcf", ".row", NULL};
static const char *const begins[] = {"#Paraver", "DEFAULT_OPTIONS", "LEVEL"};

static int64_t to_ns(int64_t ps)
{
    return ps / 1000;
}

/* --- while intervals come --- */

static void *paraver_open(const char *file, struct sim_error *error)
{
    struct output_folder output;
    if (output_folder_open(&output, file, extensions, begins, error) != 0)
        return NULL;
    struct paraver *self = xcalloc(1, sizeof *self);
    self->output = output;
    self->sorter = sorter_new(file);
    self->matcher = matcher_new();
    return self;
}

static void number_location(struct word *word, const struct interval_setup *setup, int location)
{
    int task = location % setup->n_ranks, thread = 1 + location / setup->n_ranks;
    word_set(word, "%d:1:%d:%d:", task * paraver_threads(setup) + thread, task + 1, thread);
}

static void paraver_begin(void *data, const struct interval_setup *setup)
{
    struct paraver *self = data;
    self->setup = setup;
    self->locations = xcalloc((size_t)setup->n_locations, sizeof *self->locations);
    self->numbers = xmalloc((size_t)setup->n_locations * sizeof *self->numbers);
    for (int location = 0; location < setup->n_locations; location++) {
        self->locations[location] = (struct location){.scope = -1, .category = -1, .operation = -1};
        number_location(&self->numbers[location], setup, location);
    }
    for (int s = 0; s < N_LOCATION_STATES; s++)
        word_set(&self->states[s], "%d\n", paraver_state_numbers[s]);
}

static void add(struct paraver *self, int64_t at_ps, const struct paraver_record *record)
{
    static const size_t bytes[] = {
        [LINE_STATE] = offsetof(struct paraver_record, ends),
        [LINE_EVENT] = offsetof(struct paraver_record, end_ps),
        [LINE_MESSAGE] = sizeof *record,
    };
    sorter_add(self->sorter, to_ns(at_ps), record->line, record, bytes[record->line]);
}

static void add_state(struct paraver *self, struct location *location, const struct interval *interval)
{
    struct paraver_record record = {.location = interval->location,
                                    .end_ps = interval->end_ps,
                                    .line = LINE_STATE,
                                    .state = interval->state,
                                    .scope = interval->scope,
                                    .category = interval->category,
                                    .operation = interval->operation};
    if (to_ns(interval->start_ps) < to_ns(interval->end_ps))
        add(self, interval->start_ps, &record);
    if (location->scope == interval->scope && location->category == interval->category &&
        location->operation == interval->operation)
        return;
    location->scope = interval->scope;
    location->category = interval->category;
    location->operation = interval->operation;
    record.line = LINE_EVENT;
    add(self, interval->start_ps, &record);
}

/* When the call began that the interval belongs to. */
static int64_t called_at(struct location *location, const struct interval *interval)
{
    int64_t start_ps = interval->start_ps;
    if (location->call.open && !call_takes(&location->call, interval))
        location->call.open = false;
    if (call_takes(&location->call, interval)) {
        location->call.open = !call_add(&location->call, interval);
        start_ps = location->call.start_ps;
    }
    return start_ps;
}

static void add_message(struct paraver *self, const struct interval *interval, int64_t called_ps)
{
    struct message_ends ends;
    const struct message_end end = {called_ps, interval->is_message ? interval->start_ps : interval->end_ps,
                                    interval->location};
    if (!matcher_add(self->matcher, self->setup, interval, end, &ends))
        return;
    const struct paraver_record record = {.location = ends.sent.location,
                                          .peer = ends.received.location,
                                          .ends = ends,
                                          .bytes = interval->bytes,
                                          .tag = interval->tag,
                                          .line = LINE_MESSAGE};
    add(self, ends.sent.called_ps, &record);
}

static void paraver_write(void *data, const struct interval *interval)
{
    struct paraver *self = data;
    struct location *location = &self->locations[interval->location];
    if (interval->start_ps < interval->end_ps)
        add_state(self, location, interval);
    if (call_is_mark(interval))
        return;
    int64_t called_ps = called_at(location, interval);
    if (interval->is_message || interval->is_receipt)
        add_message(self, interval, called_ps);
}

/* --- the files --- */

/* A time, or another number, and what follows it. */
static char *put_number(char *to, int64_t number, char end)
{
    to = text_integer(to, number);
    *to++ = end;
    return to;
}

static char *put_state(char *to, const struct paraver *self, int64_t at_ns, const struct paraver_record *record)
{
    to = text_word(TEXT(to, "1:"), &self->numbers[record->location]);
    to = put_number(put_number(to, at_ns, ':'), to_ns(record->end_ps), ':');
    return text_word(to, &self->states[record->state]);
}

static char *put_type(char *to, int type, int value)
{
    *to++ = ':';
    return text_integer(put_number(to, type, ':'), value);
}

static char *put_event(char *to, const struct paraver *self, int64_t at_ns, const struct paraver_record *record)
{
    to = text_word(TEXT(to, "2:"), &self->numbers[record->location]);
    to = put_type(text_integer(to, at_ns), EVENTS_SCOPE, record->scope);
    if (self->setup->has_categories)
        to = put_type(put_type(to, EVENTS_CATEGORY, record->category), EVENTS_OPERATION, record->operation);
    *to++ = '\n';
    return to;
}

static char *put_message(char *to, const struct paraver *self, const struct paraver_record *record)
{
    const struct message_ends *ends = &record->ends;
    to = text_word(TEXT(to, "3:"), &self->numbers[record->location]);
    to = put_number(put_number(to, to_ns(ends->sent.called_ps), ':'), to_ns(ends->sent.at_ps), ':');
    to = text_word(to, &self->numbers[record->peer]);
    to = put_number(put_number(to, to_ns(ends->received.called_ps), ':'), to_ns(ends->received.at_ps), ':');
    return put_number(put_number(to, record->bytes, ':'), record->tag > 0 ? record->tag : 0, '\n');
}

/* The date is none, so that the same run gives the same file. */
static void write_header(FILE *stream, const struct interval_setup *setup, int64_t end_ps)
{
    fprintf(stream, "#Paraver (01/01/1970 at 00:00):%" PRId64 "_ns:%d(", to_ns(end_ps), setup->n_ranks);
    for (int task = 0; task < setup->n_ranks; task++)
        fprintf(stream, "%s%d", task > 0 ? "," : "", paraver_threads(setup));
    fprintf(stream, "):1:%d(", setup->n_ranks);
    for (int task = 0; task < setup->n_ranks; task++)
        fprintf(stream, "%s%d:%d", task > 0 ? "," : "", paraver_threads(setup), task + 1);
    fputs(")\n", stream);
}

static void write_prv(struct paraver *self, FILE *stream, int64_t end_ps)
{
    const struct paraver_record *record;
    int64_t at_ns;
    struct text_output *text = &self->text;
    write_header(stream, self->setup, end_ps);
    text->stream = stream;
    while ((record = sorter_next(self->sorter, &at_ns)) != NULL && !text->failed) {
        char *to = text_begin(text);
        if (record->line == LINE_STATE)
            to = put_state(to, self, at_ns, record);
        else if (record->line == LINE_EVENT)
            to = put_event(to, self, at_ns, record);
        else
            to = put_message(to, self, record);
        text_end(text, to);
    }
    text_flush(text);
}

static void write_pcf(struct paraver *self, FILE *stream, int64_t end_ps)
{
    (void)end_ps;
    paraver_write_pcf(stream, self->setup);
}

static void write_row(struct paraver *self, FILE *stream, int64_t end_ps)
{
    (void)end_ps;
    paraver_write_row(stream, self->setup);
}

/* Write one of the files; 0, or the errno of what failed. */
static int write_file(struct paraver *self, const char *extension, int64_t end_ps,
                      void (*write)(struct paraver *self, FILE *stream, int64_t end_ps))
{
    char *name = xformat("%s/%s%s", self->output.partial, self->output.stem, extension);
    FILE *stream = fopen(name, "we");
    free(name);
    if (stream == NULL)
        return errno;
    errno = 0;
    write(self, stream, end_ps);
    int reason = ferror(stream) ? errno : 0;
    if (fclose(stream) != 0 && reason == 0)
        reason = errno;
    return reason;
}

static void paraver_free(struct paraver *self)
{
    sorter_free(self->sorter);
    matcher_free(self->matcher);
    free(self->locations);
    free(self->numbers);
    free(self);
}

static void paraver_abandon(void *data)
{
    struct paraver *self = data;
    output_folder_abandon(&self->output);
    paraver_free(self);
}

static int paraver_close(void *data, int64_t end_ps, struct sim_error *error)
{
    struct paraver *self = data;
    int reason = write_file(self, ".prv", end_ps, write_prv);
    if (reason == 0)
        reason = sorter_status(self->sorter);
    if (reason == 0)
        reason = write_file(self, ".pcf", end_ps, write_pcf);
    if (reason == 0)
        reason = write_file(self, ".row", end_ps, write_row);
    if (reason != 0) {
        sim_error_set(error, SIM_UNFINISHED, self->output.file, 0, "could not be written: %s", strerror(reason));
        paraver_abandon(self);
        return -1;
    }
    int status = output_folder_close(&self->output, error);
    paraver_free(self);
    return status;
}

const struct trace_format trace_paraver = {
    .name = "paraver",
    .extension = ".prv",
    .summary = "Paraver trace: .prv with .pcf and .row",
    .extensions = extensions,
    .open = paraver_open,
    .begin = paraver_begin,
    .write = paraver_write,
    .close = paraver_close,
    .abandon = paraver_abandon,
};
