/* Paraver: three text files. The .prv has a line for each state (1), event (2) and communication (3), in order of time;
 * the .pcf says what their numbers mean, the .row what the locations are called ("Paraver: Tracefile description",
 * BSC). Times are whole nanoseconds, rounded down, so that order and sums are kept; what begins and ends within one has
 * no state. A node of the trace is a task with its controller, if it has one, as a second thread. */
#include "base/memory.h"
#include "os/output_folder.h"
#include "trace/record/call.h"
#include "trace/record/matcher.h"
#include "trace/record/sorter.h"
#include "trace/record/writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* States as Paraver's own configurations number them. */
static const int state_numbers[N_LOCATION_STATES] = {
    [STATE_USEFUL] = 1, [STATE_CONTROL] = 7, [STATE_SEND] = 4, [STATE_RECEIVE] = 3, [STATE_IDLE] = 0,
};
static const char *const state_colours[N_LOCATION_STATES] = {
    [STATE_USEFUL] = "{0,0,255}",  [STATE_CONTROL] = "{255,255,0}", [STATE_SEND] = "{255,0,174}",
    [STATE_RECEIVE] = "{255,0,0}", [STATE_IDLE] = "{117,195,255}",
};

/* Types of events. Scopes have that of user functions, which Paraver's own configurations know. */
enum { EVENTS_SCOPE = 60000019, EVENTS_CATEGORY = 90000001, EVENTS_OPERATION = 90000002 };

enum line { LINE_STATE = 1, LINE_EVENT = 2, LINE_MESSAGE = 3 };

/* A line of the .prv; its first time is that by which it is sorted. */
struct paraver_record {
    int32_t location, peer; /* of a message: sender, receiver */
    int64_t end_ps;         /* of a state */
    struct message_ends ends;
    int64_t bytes;
    int32_t tag;
    uint8_t line; /* enum line */
    uint8_t state, scope, category, operation;
};

struct location {
    struct call call;
    int scope, category, operation; /* of the last event; -1: none yet */
};

struct paraver {
    struct output_folder output;
    const struct event_setup *setup;
    struct sorter *sorter;
    struct matcher *matcher;
    struct location *locations;
};

static const char *const endings[] = {".prv", ".pcf", ".row", NULL};
static const char *const begins[] = {"#Paraver", "DEFAULT_OPTIONS", "LEVEL"};

static int64_t to_ns(int64_t ps)
{
    return ps / 1000;
}

static int locations_of_task(const struct event_setup *setup)
{
    return setup->n_locations > setup->n_ranks ? 2 : 1;
}

/* --- while events come --- */

static void *paraver_open(const char *file, struct sim_error *error)
{
    struct output_folder output;
    if (output_folder_open(&output, file, endings, begins, error) != 0)
        return NULL;
    struct paraver *self = xcalloc(1, sizeof *self);
    self->output = output;
    self->sorter = sorter_new(sizeof(struct paraver_record), file);
    self->matcher = matcher_new();
    return self;
}

static void paraver_begin(void *data, const struct event_setup *setup)
{
    struct paraver *self = data;
    self->setup = setup;
    self->locations = xcalloc((size_t)setup->n_locations, sizeof *self->locations);
    for (int location = 0; location < setup->n_locations; location++)
        self->locations[location] = (struct location){.scope = -1, .category = -1, .operation = -1};
}

static void add(struct paraver *self, int64_t at_ps, const struct paraver_record *record)
{
    sorter_add(self->sorter, to_ns(at_ps), record->line, record);
}

static void add_state(struct paraver *self, struct location *location, const struct event *event)
{
    struct paraver_record record = {.location = event->location,
                                    .end_ps = event->end_ps,
                                    .line = LINE_STATE,
                                    .state = event->state,
                                    .scope = event->scope,
                                    .category = event->category,
                                    .operation = event->operation};
    if (to_ns(event->start_ps) < to_ns(event->end_ps))
        add(self, event->start_ps, &record);
    if (location->scope == event->scope && location->category == event->category &&
        location->operation == event->operation)
        return;
    location->scope = event->scope;
    location->category = event->category;
    location->operation = event->operation;
    record.line = LINE_EVENT;
    add(self, event->start_ps, &record);
}

/* When the call began that the event belongs to. */
static int64_t called_at(struct location *location, const struct event *event)
{
    int64_t start_ps = event->start_ps;
    if (location->call.open && !call_takes(&location->call, event))
        location->call.open = false;
    if (call_takes(&location->call, event)) {
        location->call.open = !call_add(&location->call, event);
        start_ps = location->call.start_ps;
    }
    return start_ps;
}

static void add_message(struct paraver *self, const struct event *event, int64_t called_ps)
{
    struct message_ends ends;
    const struct message_end end = {called_ps, event->is_message ? event->start_ps : event->end_ps};
    if (!matcher_add(self->matcher, event, end, &ends))
        return;
    const struct paraver_record record = {.location = event->is_message ? event->location : event->peer,
                                          .peer = event->is_message ? event->peer : event->location,
                                          .ends = ends,
                                          .bytes = event->bytes,
                                          .tag = event->tag,
                                          .line = LINE_MESSAGE};
    add(self, ends.sent.called_ps, &record);
}

static void paraver_write(void *data, const struct event *event)
{
    struct paraver *self = data;
    struct location *location = &self->locations[event->location];
    if (event->start_ps < event->end_ps)
        add_state(self, location, event);
    if (call_is_mark(event))
        return;
    int64_t called_ps = called_at(location, event);
    if (event->is_message || event->is_receipt)
        add_message(self, event, called_ps);
}

/* --- the files --- */

/* The location as the format has it, all from 1 on: processor, application, task, thread. */
static void write_location(FILE *stream, const struct event_setup *setup, int location)
{
    bool is_rank = location < setup->n_ranks;
    int task = is_rank ? location : location - setup->n_ranks, thread = is_rank ? 1 : 2;
    fprintf(stream, "%d:1:%d:%d", task * locations_of_task(setup) + thread, task + 1, thread);
}

static void write_state(FILE *stream, const struct event_setup *setup, int64_t at_ns,
                        const struct paraver_record *record)
{
    fputs("1:", stream);
    write_location(stream, setup, record->location);
    fprintf(stream, ":%" PRId64 ":%" PRId64 ":%d\n", at_ns, to_ns(record->end_ps), state_numbers[record->state]);
}

static void write_event(FILE *stream, const struct event_setup *setup, int64_t at_ns,
                        const struct paraver_record *record)
{
    fputs("2:", stream);
    write_location(stream, setup, record->location);
    fprintf(stream, ":%" PRId64 ":%d:%d", at_ns, EVENTS_SCOPE, record->scope);
    if (setup->has_categories)
        fprintf(stream, ":%d:%d:%d:%d", EVENTS_CATEGORY, record->category, EVENTS_OPERATION, record->operation);
    fputc('\n', stream);
}

static void write_message(FILE *stream, const struct event_setup *setup, const struct paraver_record *record)
{
    const struct message_ends *ends = &record->ends;
    fputs("3:", stream);
    write_location(stream, setup, record->location);
    fprintf(stream, ":%" PRId64 ":%" PRId64 ":", to_ns(ends->sent.called_ps), to_ns(ends->sent.at_ps));
    write_location(stream, setup, record->peer);
    fprintf(stream, ":%" PRId64 ":%" PRId64 ":%" PRId64 ":%d\n", to_ns(ends->received.called_ps),
            to_ns(ends->received.at_ps), record->bytes, record->tag > 0 ? record->tag : 0);
}

/* The date is none, so that the same run gives the same file. */
static void write_header(FILE *stream, const struct event_setup *setup, int64_t end_ps)
{
    fprintf(stream, "#Paraver (01/01/1970 at 00:00):%" PRId64 "_ns:%d(", to_ns(end_ps), setup->n_ranks);
    for (int task = 0; task < setup->n_ranks; task++)
        fprintf(stream, "%s%d", task > 0 ? "," : "", locations_of_task(setup));
    fprintf(stream, "):1:%d(", setup->n_ranks);
    for (int task = 0; task < setup->n_ranks; task++)
        fprintf(stream, "%s%d:%d", task > 0 ? "," : "", locations_of_task(setup), task + 1);
    fputs(")\n", stream);
}

static void write_prv(struct paraver *self, FILE *stream, int64_t end_ps)
{
    const struct paraver_record *record;
    int64_t at_ns;
    write_header(stream, self->setup, end_ps);
    while ((record = sorter_next(self->sorter, &at_ns)) != NULL && !ferror(stream))
        if (record->line == LINE_STATE)
            write_state(stream, self->setup, at_ns, record);
        else if (record->line == LINE_EVENT)
            write_event(stream, self->setup, at_ns, record);
        else
            write_message(stream, self->setup, record);
}

static void write_type(FILE *stream, int type, const char *name)
{
    fprintf(stream, "\nEVENT_TYPE\n0    %d    %s\nVALUES\n", type, name);
}

static void write_value(FILE *stream, int value, const char *name)
{
    fprintf(stream, "%d      ", value);
    for (; *name != '\0'; name++)
        fputc((unsigned char)*name < 0x20 ? ' ' : *name, stream);
    fputc('\n', stream);
}

static void write_pcf(struct paraver *self, FILE *stream, int64_t end_ps)
{
    const struct event_setup *setup = self->setup;
    (void)end_ps;
    fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\nLOOK_BACK           100\n"
          "SPEED               1\nFLAG_ICONS          ENABLED\nNUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\n"
          "DEFAULT_SEMANTIC\n\nTHREAD_FUNC         State As Is\n\n\nSTATES\n",
          stream);
    for (int s = 0; s < N_LOCATION_STATES; s++)
        write_value(stream, state_numbers[s], location_state_names[s]);
    fputs("\n\nSTATES_COLOR\n", stream);
    for (int s = 0; s < N_LOCATION_STATES; s++)
        write_value(stream, state_numbers[s], state_colours[s]);
    write_type(stream, EVENTS_SCOPE, "scope");
    for (int i = 0; i < setup->n_scopes; i++)
        write_value(stream, i, setup->scopes[i][0] != '\0' ? setup->scopes[i] : "End");
    if (!setup->has_categories)
        return;
    write_type(stream, EVENTS_CATEGORY, "category");
    for (int c = 0; c < N_CATEGORIES; c++)
        write_value(stream, c, category_names[c]);
    write_type(stream, EVENTS_OPERATION, "operation");
    for (int o = 0; o < N_OPERATIONS; o++)
        write_value(stream, o, operation_names[o]);
}

static void write_location_names(FILE *stream, const struct event_setup *setup, const char *level)
{
    int threads = locations_of_task(setup);
    fprintf(stream, "LEVEL %s SIZE %d\n", level, setup->n_locations);
    for (int task = 0; task < setup->n_ranks; task++)
        for (int thread = 0; thread < threads; thread++)
            fprintf(stream, "%s %d\n", thread == 0 ? "rank" : "controller", task);
    fputc('\n', stream);
}

static void write_row(struct paraver *self, FILE *stream, int64_t end_ps)
{
    const struct event_setup *setup = self->setup;
    (void)end_ps;
    write_location_names(stream, setup, "CPU");
    fprintf(stream, "LEVEL NODE SIZE %d\n", setup->n_ranks);
    for (int task = 0; task < setup->n_ranks; task++)
        fprintf(stream, "node %d\n", task);
    fputc('\n', stream);
    write_location_names(stream, setup, "THREAD");
}

/* Write one of the files; 0, or the errno of what failed. */
static int write_file(struct paraver *self, const char *ending, int64_t end_ps,
                      void (*write)(struct paraver *self, FILE *stream, int64_t end_ps))
{
    char *name = xformat("%s/%s%s", self->output.partial, self->output.stem, ending);
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
    .ending = ".prv",
    .summary = "Paraver trace: .prv with .pcf and .row",
    .endings = endings,
    .open = paraver_open,
    .begin = paraver_begin,
    .write = paraver_write,
    .close = paraver_close,
    .abandon = paraver_abandon,
};
