/* Reads traces for Paraver, as Extrae and simrun itself write them: a .prv, and the names in its .pcf.
 *
 * The lines are read once, sorted by time, and spooled by location (trace/paraver/input.h); each location's records are
 * made of that (trace/paraver/place.h). In memory are, of each location, what it has under way and 64 items; and 24
 * bytes for each collective with a root.
 *
 * Lost: communicators of messages; requests, of which what is known is in trace/paraver/calls.c; non-blocking
 * collectives, and whatever events say that trace/paraver/names.h does not list.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/record.h"

#include "base/memory.h"
#include "trace/paraver/place.h"

#include <stdlib.h>
#include <string.h>

struct prv_trace {
    struct prv_input input;
    struct prv_function *functions;
    struct map roots; /* communicator, number -> task */
    struct prv_place *places;
};

/* --- records of a place --- */

void prv_place_put(struct prv_place *place, struct record record, int64_t end_ps, int64_t position)
{
    if (place->now_ps < 0)
        place->now_ps = end_ps;
    record.start_ps = place->now_ps;
    record.end_ps = end_ps;
    record.position = position;
    if (record.kind != RECORD_SEND && record.kind != RECORD_RECV)
        record.idle_ps = -1;
    place->records = xgrow(place->records, place->n, &place->capacity, sizeof *place->records);
    place->records[place->n++] = record;
    place->now_ps = end_ps;
}

void prv_place_compute(struct prv_place *place, int64_t until_ps, int64_t position)
{
    if (place->now_ps < 0)
        place->now_ps = until_ps;
    if (until_ps > place->now_ps)
        prv_place_put(place, (struct record){.kind = RECORD_COMPUTE, .peer = -1}, until_ps, position);
}

static void leave_scope(struct prv_place *place, int64_t position)
{
    place->n_scopes--;
    prv_place_put(place, (struct record){.kind = RECORD_LEAVE, .peer = -1}, place->now_ps, position);
}

void prv_place_scope(struct prv_place *place, const struct prv_item *item)
{
    bool is_flat = place->input->names.has_flat_scopes;
    prv_place_compute(place, item->at_ps, item->position);
    if (place->n_scopes > 0 && (item->number == 0 || is_flat))
        leave_scope(place, item->position);
    if (item->number == 0)
        return;
    place->n_scopes++;
    prv_place_put(place, (struct record){.kind = RECORD_ENTER, .peer = -1, .scope = (uint16_t)item->number},
                  place->now_ps, item->position);
}

struct record prv_message_record(uint8_t kind, const struct prv_place *place, const struct prv_item *item)
{
    return (struct record){.kind = kind,
                           .peer = item->peer % place->input->header.n_tasks,
                           .tag = item->type,
                           .bytes = item->number,
                           .idle_ps = -1};
}

void prv_place_dispose(struct prv_place *place)
{
    free(place->records);
    free(place->parts);
    free(place->sends);
    map_dispose(&place->n_collectives);
}

/* Take items until there are records, or none are left. */
static int fill_place(struct prv_place *place, struct sim_error *error)
{
    const struct prv_input *input = place->input;
    bool has_calls = input->has_calls[place->location];
    struct prv_item item;
    place->n = place->taken = 0;
    /* A call's own records come all at once, with its end. */
    while (place->n == 0 && !place->is_over) {
        int status = prv_spool_next(input->spool, place->location, &item, error);
        if (status < 0)
            return -1;
        place->is_over = status == 0;
        if (status == 1)
            (has_calls ? prv_calls_take : prv_states_take)(place, &item);
        else
            (has_calls ? prv_calls_end : prv_states_end)(place);
    }
    while (place->is_over && place->n_scopes > 0)
        leave_scope(place, 0);
    return 0;
}

/* --- the whole --- */

/* The roots of one location: of its k-th collective with a root in a communicator, if it is the root. One in which
 * another call begins counts as none (trace/paraver/calls.c). */
static int find_roots_of(struct prv_trace *trace, int location, struct sim_error *error)
{
    struct map counts = {0};
    struct prv_item item;
    uint16_t function = 0;
    uint64_t communicator = 0;
    bool is_root = false;
    int status;
    while ((status = prv_spool_next(trace->input.spool, location, &item, error)) == 1) {
        if (item.kind == PRV_VALUE && item.type == PRV_COMMUNICATOR)
            communicator = (uint64_t)item.number;
        is_root |= item.kind == PRV_VALUE && item.type == PRV_IS_ROOT && item.number != 0;
        if (item.kind != PRV_CALL)
            continue;
        if (function != 0 && item.number == 0 && trace->functions[function].has_root) {
            struct map_entry *entry = map_add(&counts, map_key_64(communicator));
            uint32_t number = entry->index = entry->index == MAP_NOTHING ? 0 : entry->index + 1;
            if (is_root)
                map_add(&trace->roots, (struct map_key){communicator, number})->index =
                    (uint32_t)(location % trace->input.header.n_tasks);
        }
        function = (uint16_t)item.number;
        communicator = 0;
        is_root = false;
    }
    map_dispose(&counts);
    return status;
}

static int find_roots(struct prv_trace *trace, struct sim_error *error)
{
    int status = 0;
    for (int i = 0; status == 0 && i < trace->input.n_locations; i++)
        if (trace->input.has_calls[i])
            status = find_roots_of(trace, i, error);
    prv_spool_rewind(trace->input.spool);
    return status;
}

static void start_places(struct prv_trace *trace)
{
    for (int i = 0; i < trace->input.n_locations; i++)
        trace->places[i] = (struct prv_place){
            .input = &trace->input, .functions = trace->functions, .roots = &trace->roots, .location = i, .now_ps = -1};
}

static void stop_places(struct prv_trace *trace)
{
    for (int i = 0; trace->places != NULL && i < trace->input.n_locations; i++)
        prv_place_dispose(&trace->places[i]);
}

static char **name_threads(const struct prv_header *header)
{
    char **names = xcalloc((size_t)header->n_tasks * (size_t)header->n_threads, sizeof *names);
    for (int i = header->n_tasks; i < header->n_tasks * header->n_threads; i++)
        names[i] = xformat("thread %d", i / header->n_tasks);
    return names;
}

static void fill_info(struct record_info *info, const struct prv_input *input)
{
    const struct prv_header *header = &input->header;
    bool has_calls = false;
    for (int i = 0; i < input->n_locations; i++)
        has_calls |= input->has_calls[i];
    *info = (struct record_info){.n_ranks = header->n_tasks,
                                 .n_processors = header->n_threads,
                                 .processor_names = header->n_threads > 1 ? name_threads(header) : NULL,
                                 .groups = input->groups,
                                 .n_groups = input->n_groups,
                                 .scopes = input->names.scopes,
                                 .n_scopes = input->names.n_scopes,
                                 .functions = input->names.functions,
                                 .n_functions = input->names.n_functions,
                                 .has_times = true,
                                 .says_waits = !has_calls,
                                 .end_ps = header->end_ps,
                                 .processor_ps = -1};
}

static void prv_close(struct record_reader *reader)
{
    struct prv_trace *trace = reader->self;
    if (trace == NULL)
        return;
    for (int i = 0; reader->info.processor_names != NULL && i < trace->input.n_locations; i++)
        free(reader->info.processor_names[i]);
    free(reader->info.processor_names);
    stop_places(trace);
    free(trace->places);
    free(trace->functions);
    map_dispose(&trace->roots);
    prv_input_dispose(&trace->input);
    free(trace);
    reader->self = NULL;
    reader->info = (struct record_info){0};
}

static int prv_open(struct record_reader *reader, const char *file, struct sim_error *error)
{
    struct prv_trace *trace = xcalloc(1, sizeof *trace);
    reader->self = trace;
    if (prv_input_read(&trace->input, file, error) != 0) {
        prv_close(reader);
        return -1;
    }
    const struct prv_names *names = &trace->input.names;
    trace->functions = xmalloc((size_t)names->n_functions * sizeof *trace->functions);
    for (int i = 0; i < names->n_functions; i++)
        trace->functions[i] = prv_function_make(names->functions[i]);
    fill_info(&reader->info, &trace->input);
    trace->places = xcalloc((size_t)trace->input.n_locations, sizeof *trace->places);
    if (find_roots(trace, error) != 0) {
        prv_close(reader);
        return -1;
    }
    start_places(trace);
    return 0;
}

static int prv_next(struct record_reader *reader, int location, struct record *record, struct sim_error *error)
{
    struct prv_trace *trace = reader->self;
    struct prv_place *place = &trace->places[location];
    if (place->taken == place->n && fill_place(place, error) != 0)
        return -1;
    if (place->taken == place->n)
        return 0;
    *record = place->records[place->taken++];
    return 1;
}

static int prv_rewind(struct record_reader *reader, struct sim_error *error)
{
    struct prv_trace *trace = reader->self;
    (void)error;
    stop_places(trace);
    prv_spool_rewind(trace->input.spool);
    start_places(trace);
    return 0;
}

static const char *const extensions[] = {".prv", ".pcf", NULL};

const struct record_format read_paraver = {
    .name = "paraver",
    .extension = ".prv",
    .summary = "Paraver trace of Extrae or simrun: .prv with .pcf",
    .extensions = extensions,
    .open = prv_open,
    .next = prv_next,
    .rewind = prv_rewind,
    .close = prv_close,
};
