/* Gives the ops of an application the numbers of their places, and intervals the sites that these are.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/source_lines.h"

#include "base/map.h"
#include "base/memory.h"
#include "interval/intern.h"
#include "metrics/metrics.h"
#include "metrics/sites.h"

#include <stdlib.h>
#include <string.h>

/* As many as the scope of an op has values. */
enum { MOST_PLACES = 256 };

static const char *const op_names[] = {[OP_SEND] = "send",
                                       [OP_RECV] = "receive",
                                       [OP_ISEND] = "isend",
                                       [OP_IRECV] = "irecv",
                                       [OP_WAIT] = "wait",
                                       [OP_MARK] = "mark",
                                       [OP_PROBE] = "probe",
                                       [OP_READ] = "read",
                                       [OP_WRITE] = "write",
                                       [OP_LINK_INIT] = "link_init",
                                       [OP_BROADCAST] = "broadcast",
                                       [OP_SCATTER] = "scatter",
                                       [OP_GATHER] = "gather",
                                       [OP_BARRIER] = "barrier",
                                       [OP_REDUCE] = "reduce",
                                       [OP_ALLREDUCE] = "allreduce",
                                       [OP_ALLGATHER] = "allgather",
                                       [OP_ALLTOALL] = "alltoall",
                                       [OP_FLOPS] = "flops",
                                       [OP_DELAY] = "delay",
                                       [OP_START] = "start",
                                       [OP_JOIN] = "join",
                                       [OP_PAGE_READ] = "page read",
                                       [OP_PAGE_WRITE] = "page write",
                                       [OP_ACQUIRE] = "acquire",
                                       [OP_RELEASE] = "release",
                                       [OP_FETCH_ADD] = "fetch and add",
                                       [OP_PUSH] = "push",
                                       [OP_POP] = "pop"};

/* A line that adds an op, with its scope and its kind, of a computation with its kernel. */
struct place {
    const char *at; /* as in struct op_list; NULL: no line is known */
    int16_t kernel;
    uint8_t kind, scope;
    int64_t n_calls;
};

/* The interval before of a location. */
struct last {
    int32_t peer;
    uint8_t state, is_message;
};

struct source_lines {
    const struct program *inner;
    const struct interval_setup *setup;
    struct program program; /* the inner one with other steps; its config is this struct */
    struct app_spec app;
    struct place places[MOST_PLACES]; /* the first is that of no op */
    int n_places;
    const char *sites[MOST_PLACES], *functions[MOST_PLACES + 1];
    struct map counted; /* rank and strand -> how many of its steps have been counted */
    struct last *last;
    struct sites *told;
    const struct interval_sink *sinks;
    int n_sinks;
};

/* --- steps --- */

static int find_place(struct source_lines *self, const char *at, const struct op *op)
{
    int16_t kernel = op->kind == OP_COMPUTE ? op->kernel : 0;
    for (int i = 1; i < self->n_places; i++) {
        const struct place *place = &self->places[i];
        if (place->at == at && place->kernel == kernel && place->kind == op->kind && place->scope == op->scope)
            return i;
    }
    if (self->n_places == MOST_PLACES) /* no application is so long */
        return 0;
    self->places[self->n_places] = (struct place){at, kernel, op->kind, op->scope, 0};
    self->sites[self->n_places] = "";
    self->functions[self->n_places + 1] = "";
    return self->n_places++;
}

/* A step may be asked for again; its ops are counted the first time. */
static bool is_new(struct source_lines *self, int rank, int64_t line, int64_t step)
{
    struct map_entry *entry = map_add(&self->counted, (struct map_key){(uint64_t)rank, (uint64_t)line});
    if (entry->index == MAP_NOTHING)
        entry->index = 0;
    if (step < (int64_t)entry->index)
        return false;
    entry->index = (uint32_t)step + 1;
    return true;
}

typedef bool ask(const struct program *inner, int rank, int64_t line, int64_t step, int64_t seen, struct op_list *list);

static bool list_step(struct source_lines *self, ask *inner, int rank, int64_t line, int64_t step, int64_t seen,
                      struct op_list *list)
{
    const char *places[OP_LIST_MAX] = {NULL};
    int first = list->count;
    list->places = places;
    bool is_step = inner(self->inner, rank, line, step, seen, list);
    list->places = NULL;
    bool counts = is_step && is_new(self, rank, line, step);
    for (int i = first; i < list->count; i++) {
        int place = find_place(self, places[i], &list->ops[i]);
        list->ops[i].scope = (uint8_t)place;
        self->places[place].n_calls += counts;
    }
    return is_step;
}

static bool ask_emit(const struct program *inner, int rank, int64_t line, int64_t step, int64_t seen,
                     struct op_list *list)
{
    (void)line, (void)seen;
    return inner->app->emit(inner->config, rank, step, list);
}

static bool ask_shared(const struct program *inner, int rank, int64_t line, int64_t step, int64_t seen,
                       struct op_list *list)
{
    (void)line;
    return inner->app->emit_shared(inner->config, rank, step, seen, list);
}

static bool ask_strand(const struct program *inner, int rank, int64_t line, int64_t step, int64_t seen,
                       struct op_list *list)
{
    (void)seen;
    return inner->app->emit_strand(inner->config, rank, line, step, list);
}

static bool emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    return list_step((struct source_lines *)config, ask_emit, rank, 0, step, 0, list);
}

static bool emit_shared(const void *config, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    return list_step((struct source_lines *)config, ask_shared, rank, 0, step, seen, list);
}

static bool emit_strand(const void *config, int rank, int64_t line, int64_t step, struct op_list *list)
{
    return list_step((struct source_lines *)config, ask_strand, rank, line, step, 0, list);
}

/* --- intervals --- */

/* Why a location is idle. A sender that waits for its receiver has begun to send just before. */
static enum wait_state wait_of(const struct source_lines *self, const struct interval *interval,
                               const struct place *place)
{
    const struct last *last = &self->last[interval->location];
    if (interval->wait != WAIT_NONE)
        return (enum wait_state)interval->wait;
    if (interval->kind == INTERVAL_WAIT_CPU)
        return WAIT_PROCESSOR;
    if (last->state == STATE_SEND && !last->is_message && last->peer == interval->peer && interval->peer >= 0)
        return WAIT_LATE_RECEIVER;
    if (place->kind == OP_BARRIER)
        return WAIT_BARRIER;
    if (place->kind == OP_ACQUIRE)
        return WAIT_LOCK;
    return interval->peer >= 0 ? WAIT_LATE_SENDER : WAIT_OTHER;
}

static void take(void *data, const struct interval *interval)
{
    struct source_lines *self = data;
    const struct place *place = &self->places[interval->scope];
    struct interval given = *interval;
    given.scope = place->scope;
    for (int i = 0; i < self->n_sinks; i++)
        interval_sink_give(&self->sinks[i], &given, 1);
    if (place->at != NULL && interval->location < interval_processors(self->setup)) {
        given.site = interval->scope + 1U;
        given.function = (uint16_t)(interval->scope + 1);
        given.n_calls = 0;
        given.wait = (uint8_t)(interval->state == STATE_IDLE ? wait_of(self, interval, place) : WAIT_NONE);
        given.awaited = given.wait == WAIT_PROCESSOR ? -1 : interval->peer;
        sites_take(self->told, &given);
    }
    self->last[interval->location] = (struct last){interval->peer, interval->state, interval->is_message};
}

/* --- all --- */

struct source_lines *source_lines_new(const struct program *program, const struct interval_setup *setup)
{
    struct source_lines *self = xcalloc(1, sizeof *self);
    self->inner = program;
    self->setup = setup;
    self->app = *program->app;
    self->app.emit = program->app->emit != NULL ? emit : NULL;
    self->app.emit_shared = program->app->emit_shared != NULL ? emit_shared : NULL;
    self->app.emit_strand = program->app->emit_strand != NULL ? emit_strand : NULL;
    self->app.failed = NULL;
    self->app.finished = NULL;
    self->app.describe = NULL;
    self->app.describe_strand = NULL;
    self->app.explain = NULL;
    self->program = *program;
    self->program.app = &self->app;
    self->program.config = self;
    self->sites[0] = self->functions[0] = self->functions[1] = "";
    self->last = xcalloc((size_t)setup->n_locations, sizeof *self->last);
    source_lines_restart(self);
    return self;
}

const struct program *source_lines_program(struct source_lines *self)
{
    return &self->program;
}

struct interval_sink source_lines_sink(struct source_lines *self, const struct interval_sink *sinks, int n_sinks)
{
    self->sinks = sinks;
    self->n_sinks = n_sinks;
    return (struct interval_sink){.take = take, .self = self};
}

void source_lines_restart(struct source_lines *self)
{
    struct interval_setup setup = *self->setup;
    setup.sites = self->sites;
    setup.functions = self->functions;
    setup.n_functions = MOST_PLACES + 1;
    sites_free(self->told);
    self->told = sites_new(&setup);
    self->n_places = 1;
    map_clear(&self->counted);
    memset(self->last, 0, (size_t)setup.n_locations * sizeof *self->last);
}

/* Name the places, and have their calls counted. */
static void name_places(struct source_lines *self)
{
    for (int i = 1; i < self->n_places; i++) {
        const struct place *place = &self->places[i];
        const char *folder = place->at == NULL ? NULL : strrchr(place->at, '/');
        const char *scope = self->inner->app->scopes[place->scope];
        if (place->at == NULL)
            continue;
        self->sites[i] =
            intern_format("%s%s%s", folder != NULL ? folder + 1 : place->at, scope[0] != '\0' ? " in " : "", scope);
        self->functions[i + 1] =
            place->kind == OP_COMPUTE ? self->inner->app->kernels[place->kernel] : op_names[place->kind];
        sites_take(self->told, &(struct interval){
                                   .site = (uint32_t)i + 1, .function = (uint16_t)(i + 1), .n_calls = place->n_calls});
    }
}

void source_lines_report(struct source_lines *self, struct result *result)
{
    size_t table = result->n_tables;
    name_places(self);
    sites_report(self->told, result);
    for (; table < result->n_tables; table++)
        result->tables[table].of_detail = true;
}

void source_lines_free(struct source_lines *self)
{
    if (self == NULL)
        return;
    sites_free(self->told);
    map_dispose(&self->counted);
    free(self->last);
    free(self);
}
