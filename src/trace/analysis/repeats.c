/* One pass over the records of each rank. Two stretches between calls are the same if hashes of what was called in them
 * are: those of prefixes, as polynomials, give that of any stretch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/repeats.h"

#include "base/known.h"
#include "base/map.h"
#include "base/memory.h"
#include "interval/interval.h"

#include <stdlib.h>
#include <string.h>

#define BASE UINT64_C(0x9e3779b97f4a7c15)
/* Scopes or calls repeat if that share of the stretches between them is as the one before. */
#define MOSTLY 0.8

/* --- scopes --- */

struct scope_use {
    int64_t count, time_ps; /* of the rank; of all ranks */
    int64_t first_count;    /* of the first rank; -1: ranks differ */
};

/* --- calls --- */

struct call_use {
    uint64_t token;
    uint64_t prefix, stretch; /* hash up to its latest occurrence; of the stretch before that */
    int64_t position;         /* of that, in calls */
    int64_t count, n_same;
    uint16_t function;
};

struct search {
    struct record_reader *reader;
    struct scope_use *scopes;
    int64_t *entered_ps; /* a stack: when ... */
    uint16_t *entered;   /* ... which scope was entered */
    size_t depth, capacity, capacity_of_scopes;
    struct map tokens; /* of the rank: index into calls */
    struct call_use *calls;
    size_t n_calls, capacity_calls;
    uint64_t prefix;
    int64_t position;
};

static uint64_t power(int64_t exponent)
{
    uint64_t result = 1;
    for (uint64_t base = BASE; exponent > 0; exponent /= 2, base *= base)
        result *= exponent % 2 == 1 ? base : 1;
    return result;
}

/* Hash of a call without its partner and size; 0: the record is no call. */
static uint64_t token_of(const struct record *record)
{
    if (record->n_calls <= 0 || record->function == 0)
        return 0;
    uint64_t token = record->kind + UINT64_C(16) * record->collective + (UINT64_C(1) << 10) * record->function +
                     (UINT64_C(1) << 26) * record->site;
    return (token + 1) * UINT64_C(0xc2b2ae3d27d4eb4f) | 1;
}

static void take_call(struct search *search, const struct record *record)
{
    uint64_t token = token_of(record);
    if (token == 0)
        return;
    struct map_entry *entry = map_add(&search->tokens, map_key_64(token));
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)search->n_calls;
        search->calls = xgrow(search->calls, search->n_calls, &search->capacity_calls, sizeof *search->calls);
        search->calls[search->n_calls++] = (struct call_use){.token = token, .function = record->function};
    }
    struct call_use *use = &search->calls[entry->index];
    uint64_t stretch = search->prefix - use->prefix * power(search->position - use->position);
    use->n_same += use->count > 1 && stretch == use->stretch;
    use->stretch = stretch;
    use->count++;
    search->prefix = search->prefix * BASE + token;
    use->prefix = search->prefix;
    use->position = ++search->position;
}

static void take_scope(struct search *search, const struct record *record)
{
    if (record->kind == RECORD_ENTER && record->scope < search->reader->info.n_scopes) {
        search->entered = xgrow(search->entered, search->depth, &search->capacity_of_scopes, sizeof *search->entered);
        search->entered_ps = xgrow(search->entered_ps, search->depth, &search->capacity, sizeof *search->entered_ps);
        search->entered[search->depth] = record->scope;
        search->entered_ps[search->depth++] = record->start_ps;
        search->scopes[record->scope].count++;
    } else if (record->kind == RECORD_LEAVE && search->depth > 0) {
        search->depth--;
        search->scopes[search->entered[search->depth]].time_ps += record->end_ps - search->entered_ps[search->depth];
    }
}

/* Look at a rank; what is known of its calls stays until the next. */
static int look_at(struct search *search, int rank, struct sim_error *error)
{
    struct record record;
    int status;
    map_clear(&search->tokens);
    search->n_calls = search->depth = 0;
    search->prefix = 0;
    search->position = 0;
    while ((status = record_next(search->reader, rank, &record, error)) == 1) {
        take_scope(search, &record);
        take_call(search, &record);
    }
    for (int i = 0; i < search->reader->info.n_scopes; i++) {
        struct scope_use *scope = &search->scopes[i];
        if (rank == 0)
            scope->first_count = scope->count;
        else if (scope->count != scope->first_count)
            scope->first_count = -1;
        scope->count = 0;
    }
    return status < 0 ? -1 : 0;
}

/* The rank's call that it makes least often of those that repeat, `wanted` times unless that is 0; of the function, if
 * one is named. NULL: there is none. */
static const struct call_use *find_call(const struct search *search, const char *function, int64_t wanted)
{
    const struct call_use *found = NULL;
    for (size_t i = 0; i < search->n_calls; i++) {
        const struct call_use *use = &search->calls[i];
        bool repeats = (double)use->n_same >= MOSTLY * (double)(use->count - 2) && use->count >= REPEATS_LEAST_CALLS;
        bool is_good = function != NULL ? strcmp(search->reader->info.functions[use->function], function) == 0
                                        : repeats && (wanted == 0 || use->count == wanted);
        if (is_good && (found == NULL || use->count < found->count))
            found = use;
    }
    return found;
}

/* --- the choice --- */

static const char *scope_at(const void *info, int i)
{
    const struct record_info *trace = info;
    return i + 1 < trace->n_scopes ? trace->scopes[i + 1] : NULL;
}

static bool has_function(const struct record_info *info, const char *name)
{
    int i = 1;
    while (i < info->n_functions && strcmp(info->functions[i], name) != 0)
        i++;
    return i < info->n_functions;
}

/* Scopes first, and then functions. */
static const char *known_at(const void *table, int i)
{
    const struct record_info *info = table;
    const char *scope = scope_at(info, i);
    int n_before = info->n_scopes > 1 ? info->n_scopes - 1 : 0, function = i - n_before + 1; /* number 0 is none */
    return scope != NULL ? scope : function >= 1 && function < info->n_functions ? info->functions[function] : NULL;
}

static int refuse(const struct record_info *info, const char *name, struct sim_error *error)
{
    char known[400];
    known_format(known, sizeof known, name, known_at, info);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "--iterations: there is no scope or function '%.80s' in the trace%s", name, known);
}

static const char *find_scope(const struct search *search)
{
    const struct scope_use *best = NULL;
    for (int i = 1; i < search->reader->info.n_scopes; i++) {
        const struct scope_use *scope = &search->scopes[i];
        if (scope->first_count >= REPEATS_LEAST && (best == NULL || scope->time_ps > best->time_ps))
            best = scope;
    }
    return best != NULL ? search->reader->info.scopes[best - search->scopes] : NULL;
}

static bool choose_scope(struct repeats *repeats, const struct record_info *info, const char *name)
{
    bool is_there = false;
    bool *is_scope = xcalloc((size_t)info->n_scopes, sizeof *is_scope);
    for (int i = 1; name != NULL && i < info->n_scopes; i++)
        is_there |= is_scope[i] = strcmp(info->scopes[i], name) == 0;
    if (is_there) {
        repeats->is_scope = is_scope;
        repeats->name = xstrdup(name);
    } else {
        free(is_scope);
    }
    return is_there;
}

static int search_all(struct repeats *repeats, struct search *search, const char *name, struct sim_error *error)
{
    const struct record_info *info = &search->reader->info;
    const char *function = name != NULL && has_function(info, name) ? name : NULL;
    int64_t count = 0;
    if (name != NULL && choose_scope(repeats, info, name))
        return 1;
    if (name != NULL && function == NULL)
        return refuse(info, name, error);
    for (int rank = 0; rank < info->n_ranks; rank++) {
        if (look_at(search, rank, error) != 0)
            return -1;
        const struct call_use *call = find_call(search, function, count);
        repeats->anchor[rank] = call != NULL ? call->token : 0;
        if (rank == 0 && call != NULL) {
            count = call->count;
            repeats->name = xstrdup(info->functions[call->function]);
        }
    }
    const char *scope = function == NULL ? find_scope(search) : NULL;
    if (scope != NULL) {
        free(repeats->name);
        choose_scope(repeats, info, scope);
    }
    return repeats->name != NULL;
}

int repeats_find(struct repeats *repeats, struct record_reader *reader, const char *name, struct sim_error *error)
{
    size_t n_ranks = (size_t)reader->info.n_ranks;
    struct search search = {.reader = reader, .scopes = xcalloc((size_t)reader->info.n_scopes, sizeof *search.scopes)};
    *repeats = (struct repeats){.n_ranks = reader->info.n_ranks,
                                .anchor = xcalloc(n_ranks, sizeof *repeats->anchor),
                                .depth = xcalloc(n_ranks, sizeof *repeats->depth),
                                .outer = xcalloc(n_ranks, sizeof *repeats->outer),
                                .n_begun = xcalloc(n_ranks, sizeof *repeats->n_begun)};
    int status = search_all(repeats, &search, name, error);
    if (status >= 0 && record_rewind(reader, error) != 0)
        status = -1;
    free(search.scopes);
    free(search.entered);
    free(search.entered_ps);
    free(search.calls);
    map_dispose(&search.tokens);
    if (status < 0)
        repeats_dispose(repeats);
    return status;
}

void repeats_dispose(struct repeats *repeats)
{
    free(repeats->name);
    free(repeats->is_scope);
    free(repeats->anchor);
    free(repeats->depth);
    free(repeats->outer);
    free(repeats->n_begun);
    *repeats = (struct repeats){0};
}

static uint8_t meet(struct repeats *repeats, int rank, const struct record *record)
{
    if (rank >= repeats->n_ranks)
        return ITERATION_NONE;
    if (repeats->is_scope == NULL)
        return repeats->anchor[rank] != 0 && token_of(record) == repeats->anchor[rank] ? ITERATION_BEGINS
                                                                                       : ITERATION_NONE;
    if (record->kind == RECORD_ENTER) {
        int depth = ++repeats->depth[rank];
        if (repeats->outer[rank] != 0 || !repeats->is_scope[record->scope])
            return ITERATION_NONE;
        repeats->outer[rank] = depth;
        return ITERATION_BEGINS;
    }
    if (record->kind == RECORD_LEAVE && repeats->depth[rank]-- == repeats->outer[rank]) {
        repeats->outer[rank] = 0;
        return ITERATION_ENDS;
    }
    return ITERATION_NONE;
}

uint8_t repeats_meet(struct repeats *repeats, int rank, const struct record *record)
{
    uint8_t iteration = meet(repeats, rank, record);
    if (iteration == ITERATION_BEGINS)
        repeats->number = ++repeats->n_begun[rank];
    return iteration;
}
