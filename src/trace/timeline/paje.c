/* Paje: a container for each processor or controller, a state for what its processor does, a state for the phase, an
 * arrow for each message, from the sending to the end of the receive (B. de Oliveira Stein, J. Chassin de Kergommeaux,
 * "Paje trace file format"). Times in seconds, and in order: what comes is sorted first.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "os/output.h"
#include "os/text_output.h"
#include "trace/record/matcher.h"
#include "trace/record/sorter.h"
#include "trace/record/writer.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum line { LINE_STATE, LINE_PHASE, LINE_CATEGORY, LINE_LINK_START, LINE_LINK_END };

/* A line of the file, but for its time. */
struct paje_record {
    int32_t location;
    uint8_t line;  /* enum line */
    uint8_t value; /* of a state */
    uint8_t operation;
    int64_t bytes, key; /* of a link; others end before them */
};

struct paje {
    struct output output;
    const struct interval_setup *setup;
    struct sorter *sorter;
    struct matcher *matcher;
    int64_t n_links;
    int *phases;            /* of each location, the last; -1: none yet */
    struct word *locations; /* "r5 " */
    struct word states[N_LOCATION_STATES];
    struct text_output text;
};

static const char header[] = "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n"
                             "%EndEventDef\n%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n"
                             "%  Name string\n%EndEventDef\n%EventDef PajeDefineLinkType 2\n%  Alias string\n"
                             "%  Type string\n%  StartContainerType string\n%  EndContainerType string\n"
                             "%  Name string\n%EndEventDef\n%EventDef PajeDefineEntityValue 3\n%  Alias string\n"
                             "%  Type string\n%  Name string\n%  Color color\n%EndEventDef\n"
                             "%EventDef PajeCreateContainer 4\n%  Time date\n%  Alias string\n%  Type string\n"
                             "%  Container string\n%  Name string\n%EndEventDef\n%EventDef PajeDestroyContainer 5\n"
                             "%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n%EventDef PajeSetState 6\n"
                             "%  Time date\n%  Type string\n%  Container string\n%  Value string\n%EndEventDef\n"
                             "%EventDef PajeStartLink 7\n%  Time date\n%  Type string\n%  Container string\n"
                             "%  StartContainer string\n%  Value string\n%  Key string\n%EndEventDef\n"
                             "%EventDef PajeEndLink 8\n%  Time date\n%  Type string\n%  Container string\n"
                             "%  EndContainer string\n%  Value string\n%  Key string\n%EndEventDef\n";

static const char *const colours[N_LOCATION_STATES] = {
    [STATE_USEFUL] = "0 0.6 0",      [STATE_CONTROL] = "0.6 0.6 0",   [STATE_IO] = "0.5 0.2 0.6",
    [STATE_SEND] = "0.9 0.4 0",      [STATE_RECEIVE] = "0.2 0.4 0.9", [STATE_LIBRARY] = "0.4 0.3 0.2",
    [STATE_IDLE] = "0.85 0.85 0.85",
};

/* In seconds. */
static char *put_time(char *to, int64_t ps)
{
    enum { DIGITS = 12 };
    to = text_natural(to, (uint64_t)ps / UINT64_C(1000000000000));
    *to++ = '.';
    return text_digits(to, (uint64_t)ps, DIGITS);
}

static const char *const category_colours[N_CATEGORIES] = {
    [CATEGORY_NONE] = "1 1 1",          [CATEGORY_COMP] = "0 0.6 0",       [CATEGORY_EXTRA] = "0.6 0.6 0",
    [CATEGORY_WAIT] = "0.85 0.85 0.85", [CATEGORY_PRSTE] = "0.6 0.2 0.6",  [CATEGORY_CPCOMP] = "0.2 0.4 0.9",
    [CATEGORY_CPWAIT] = "0.9 0.4 0",    [CATEGORY_CPIDLE] = "0.9 0.9 0.9",
};

/* Define the states of programs that share memory: two more of each processor, its category and the protocol's
 * operation. */
static void define_categories(FILE *stream)
{
    fputs("1 CATEGORY RANK category\n1 OPERATION RANK operation\n", stream);
    for (int c = CATEGORY_COMP; c < N_CATEGORIES; c++)
        fprintf(stream, "3 c%d CATEGORY %s \"%s\"\n", c, category_names[c], category_colours[c]);
    for (int o = 0; o < N_OPERATIONS; o++)
        fprintf(stream, "3 o%d OPERATION %s \"0.5 %.2f 0.5\"\n", o, operation_names[o], (double)o / N_OPERATIONS);
}

static void define_locations(FILE *stream, const struct interval_setup *setup)
{
    fputs("4 0.0 run RUN 0 run\n", stream);
    char name[LOCATION_NAME];
    int n_each = 1 + setup->n_more_processors + setup->has_progress;
    for (int i = 0; i < setup->n_locations; i++) {
        int location = interval_in_order(setup, n_each, i);
        interval_name_location(name, setup, location);
        fprintf(stream, "4 0.0 r%d RANK run \"%s\"\n", location, name);
    }
}

/* A name as it may stand between quotes. */
static void write_name(FILE *stream, const char *name)
{
    for (; *name != '\0'; name++)
        fputc(*name == '"' || (unsigned char)*name < 0x20 ? '\'' : *name, stream);
}

static void define(FILE *stream, const struct interval_setup *setup)
{
    fputs(header, stream);
    fputs("0 RUN 0 run\n0 RANK RUN rank\n1 STATE RANK state\n1 PHASE RANK phase\n2 MESSAGE RUN RANK RANK message\n",
          stream);
    for (int s = 0; s < N_LOCATION_STATES; s++)
        fprintf(stream, "3 %s STATE %s \"%s\"\n", location_state_names[s], location_state_names[s], colours[s]);
    for (int i = 0; i < setup->n_scopes; i++) {
        fprintf(stream, "3 p%d PHASE \"", i);
        write_name(stream, setup->scopes[i][0] != '\0' ? setup->scopes[i] : "end");
        fprintf(stream, "\" \"0.5 0.5 %.2f\"\n", (double)i / setup->n_scopes);
    }
    if (setup->has_categories)
        define_categories(stream);
    define_locations(stream, setup);
}

static void *paje_open(const char *file, struct sim_error *error)
{
    struct output output;
    if (output_open(&output, file, error) != 0)
        return NULL;
    struct paje *self = xcalloc(1, sizeof *self);
    self->output = output;
    self->sorter = sorter_new(output.partial);
    self->matcher = matcher_new();
    return self;
}

static void paje_begin(void *data, const struct interval_setup *setup)
{
    struct paje *self = data;
    self->setup = setup;
    self->phases = xmalloc((size_t)setup->n_locations * sizeof *self->phases);
    self->locations = xmalloc((size_t)setup->n_locations * sizeof *self->locations);
    for (int location = 0; location < setup->n_locations; location++) {
        self->phases[location] = -1;
        word_set(&self->locations[location], "r%d ", location);
    }
    for (int s = 0; s < N_LOCATION_STATES; s++)
        word_set(&self->states[s], "%s\n", location_state_names[s]);
    define(self->output.stream, setup);
    self->text.stream = self->output.stream;
}

static void add(struct paje *self, int64_t at_ps, const struct paje_record *record)
{
    bool is_link = record->line == LINE_LINK_START || record->line == LINE_LINK_END;
    sorter_add(self->sorter, at_ps, record->line, record,
               is_link ? sizeof *record : offsetof(struct paje_record, bytes));
}

static void add_state(struct paje *self, const struct interval *interval)
{
    struct paje_record record = {.location = interval->location, .line = LINE_STATE, .value = interval->state};
    add(self, interval->start_ps, &record);
    if (self->phases[interval->location] != interval->scope) {
        record.line = LINE_PHASE;
        record.value = interval->scope;
        self->phases[interval->location] = interval->scope;
        add(self, interval->start_ps, &record);
    }
    if (interval->category != CATEGORY_NONE) {
        record.line = LINE_CATEGORY;
        record.value = interval->category;
        record.operation = interval->operation;
        add(self, interval->start_ps, &record);
    }
}

static void add_link(struct paje *self, const struct interval *interval)
{
    struct message_ends ends;
    int64_t at_ps = interval->is_message ? interval->start_ps : interval->end_ps;
    const struct message_end end = {at_ps, at_ps, interval->location};
    if (!matcher_add(self->matcher, self->setup, interval, end, &ends))
        return;
    struct paje_record record = {.bytes = interval->bytes, .key = self->n_links++, .line = LINE_LINK_START};
    record.location = ends.sent.location;
    add(self, ends.sent.at_ps, &record);
    record.line = LINE_LINK_END;
    record.location = ends.received.location;
    add(self, ends.received.at_ps, &record);
}

static void paje_write(void *self, const struct interval *interval)
{
    if (interval->start_ps < interval->end_ps)
        add_state(self, interval);
    if (interval->is_message || interval->is_receipt)
        add_link(self, interval);
}

static char *put_state(char *to, int64_t at_ps)
{
    return put_time(TEXT(to, "6 "), at_ps);
}

static char *put_number(char *to, int number)
{
    to = text_integer(to, number);
    *to++ = '\n';
    return to;
}

static char *put_categories(char *to, int64_t at_ps, const struct word *location, const struct paje_record *record)
{
    to = text_word(TEXT(put_state(to, at_ps), " CATEGORY "), location);
    to = put_number(TEXT(to, "c"), record->value);
    to = text_word(TEXT(put_state(to, at_ps), " OPERATION "), location);
    return put_number(TEXT(to, "o"), record->operation);
}

static char *put_link(char *to, int64_t at_ps, const struct word *location, const struct paje_record *record)
{
    to = put_time(record->line == LINE_LINK_START ? TEXT(to, "7 ") : TEXT(to, "8 "), at_ps);
    to = text_word(TEXT(to, " MESSAGE run "), location);
    to = text_integer(to, record->bytes);
    *to++ = ' ';
    to = text_integer(to, record->key);
    *to++ = '\n';
    return to;
}

static void write_record(struct paje *self, int64_t at_ps, const struct paje_record *record)
{
    const struct word *location = &self->locations[record->location];
    char *to = text_begin(&self->text);
    switch ((enum line)record->line) {
    case LINE_STATE:
        to = text_word(text_word(TEXT(put_state(to, at_ps), " STATE "), location), &self->states[record->value]);
        break;
    case LINE_PHASE:
        to = put_number(TEXT(text_word(TEXT(put_state(to, at_ps), " PHASE "), location), "p"), record->value);
        break;
    case LINE_CATEGORY:
        to = put_categories(to, at_ps, location, record);
        break;
    case LINE_LINK_START:
    case LINE_LINK_END:
        to = put_link(to, at_ps, location, record);
        break;
    }
    text_end(&self->text, to);
}

static void write_end(struct paje *self, int64_t end_ps)
{
    for (int location = 0; location < self->setup->n_locations; location++) {
        char *to = put_time(TEXT(text_begin(&self->text), "5 "), end_ps);
        text_end(&self->text, put_number(TEXT(to, " RANK r"), location));
    }
    char *to = put_time(TEXT(text_begin(&self->text), "5 "), end_ps);
    text_end(&self->text, TEXT(to, " RUN run\n"));
    text_flush(&self->text);
}

static void paje_free(struct paje *self)
{
    sorter_free(self->sorter);
    matcher_free(self->matcher);
    free(self->phases);
    free(self->locations);
    free(self);
}

static void paje_abandon(void *data)
{
    struct paje *self = data;
    output_abandon(&self->output);
    paje_free(self);
}

static int paje_close(void *data, int64_t end_ps, struct sim_error *error)
{
    struct paje *self = data;
    const struct paje_record *record;
    int64_t at_ps;
    while ((record = sorter_next(self->sorter, &at_ps)) != NULL && !self->text.failed)
        write_record(self, at_ps, record);
    write_end(self, end_ps);
    int reason = sorter_status(self->sorter);
    if (reason != 0) {
        sim_error_set(error, SIM_UNFINISHED, self->output.file, 0, "could not be written: %s", strerror(reason));
        paje_abandon(self);
        return -1;
    }
    int status = output_close(&self->output, error);
    paje_free(self);
    return status;
}

const struct trace_format trace_paje = {
    .name = "paje",
    .extension = ".paje",
    .summary = "Paje trace, for pj_dump, ViTE and the like",
    .open = paje_open,
    .begin = paje_begin,
    .write = paje_write,
    .close = paje_close,
    .abandon = paje_abandon,
};
