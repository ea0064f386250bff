/* From the words of an option to two moments and a list of ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/part/part.h"

#include "base/known.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define fail(error, ...) sim_error_set(error, SIM_BAD_INPUT, NULL, 0, __VA_ARGS__)

/* --- ranks --- */

static void skip_spaces(const char **text)
{
    *text += strspn(*text, " \t");
}

/* A number at *text, which moves behind it and the spaces around it; of more digits, the largest of nine. -1: there is
 * none. */
static int take_number(const char **text)
{
    enum { MOST_DIGITS = 9, LARGEST = 999999999 };
    skip_spaces(text);
    size_t length = strspn(*text, "0123456789");
    if (length == 0)
        return -1;
    int number = length > MOST_DIGITS ? LARGEST : (int)strtol(*text, NULL, 10);
    *text += length;
    skip_spaces(text);
    return number;
}

/* "3" or "0-3", at *text. A rank may be in several: it is chosen once. */
static int take_range(bool *chosen, const char **text, const char *all, int n_ranks, struct sim_error *error)
{
    int first = take_number(text), last = first;
    if (first >= 0 && **text == '-') {
        ++*text;
        last = take_number(text);
    }
    if (first < 0 || last < 0 || (**text != ',' && **text != '\0'))
        return fail(error, "--ranks: '%.80s' is not a list of ranks and ranges of them, such as 0-3,8", all);
    if (last < first)
        return fail(error, "--ranks: '%d-%d' runs backwards; the lower rank comes first: %d-%d", first, last, last,
                    first);
    if (last >= n_ranks)
        return fail(error, "--ranks: there is no rank %d; the trace has ranks 0 ... %d", last, n_ranks - 1);
    for (int rank = first; rank <= last; rank++)
        chosen[rank] = true;
    return 0;
}

static int find_ranks(struct part *part, const char *text, struct sim_error *error)
{
    bool *chosen = xcalloc((size_t)part->n_whole, sizeof *chosen);
    const char *rest = text;
    int status = 0;
    if (text == NULL)
        memset(chosen, 1, (size_t)part->n_whole * sizeof *chosen);
    else
        do
            status = take_range(chosen, &rest, text, part->n_whole, error);
        while (status == 0 && *rest++ == ',');
    for (int rank = 0; rank < part->n_whole; rank++) {
        part->number_of[rank] = chosen[rank] ? part->n_ranks : -1;
        if (chosen[rank])
            part->ranks[part->n_ranks++] = rank;
    }
    free(chosen);
    return status;
}

/* --- occurrences of scopes --- */

struct occurrence {
    const char *option, *text; /* as it is asked for */
    size_t length;             /* of the name in it */
    int64_t number;            /* from 1 */
    int64_t begin_ps, end_ps;  /* the first beginning, the last end; INT64_MAX, -1: none */
    int64_t most;              /* occurrences that a rank has */
};

static bool is_named(const struct occurrence *occurrence, const char *scope)
{
    return strlen(scope) == occurrence->length && strncmp(scope, occurrence->text, occurrence->length) == 0;
}

/* Where a rank's records are: how deep in scopes, and at what depth in the wanted one; -1: not in it. */
struct walk {
    int64_t depth, outer, count;
};

/* The rank enters or leaves a scope; true if that is the end of the wanted occurrence. */
static bool step(struct walk *walk, struct occurrence *wanted, const struct record_info *info,
                 const struct record *record)
{
    if (record->kind == RECORD_ENTER) {
        walk->depth++;
        if (walk->outer >= 0 || record->scope >= info->n_scopes || !is_named(wanted, info->scopes[record->scope]))
            return false;
        walk->outer = walk->depth;
        if (++walk->count == wanted->number)
            wanted->begin_ps = int64_min(wanted->begin_ps, record->start_ps);
    } else if (record->kind == RECORD_LEAVE && walk->depth-- == walk->outer) {
        walk->outer = -1;
        return walk->count == wanted->number;
    }
    return false;
}

/* Look at a rank's records up to the end of the occurrence, which may be that of its records. */
static int look_at_rank(struct occurrence *wanted, struct record_reader *reader, int rank, struct sim_error *error)
{
    struct walk walk = {.outer = -1};
    struct record record;
    int64_t last_ps = 0;
    int status;
    bool is_over = false;
    while (!is_over && (status = record_next(reader, rank, &record, error)) != 0) {
        if (status < 0)
            return -1;
        last_ps = record.end_ps;
        is_over = step(&walk, wanted, &reader->info, &record);
    }
    if (walk.count == wanted->number)
        wanted->end_ps = int64_max(wanted->end_ps, last_ps);
    wanted->most = int64_max(wanted->most, walk.count);
    return 0;
}

static const char *scope_at(const void *info, int i)
{
    const struct record_info *trace = info;
    return i + 1 < trace->n_scopes ? trace->scopes[i + 1] : NULL;
}

static int find_occurrence(struct occurrence *wanted, const struct part *part, struct record_reader *reader,
                           struct sim_error *error)
{
    for (int i = 0; i < part->n_ranks; i++)
        if (look_at_rank(wanted, reader, part->ranks[i], error) != 0)
            return -1;
    if (record_rewind(reader, error) != 0)
        return -1;
    if (wanted->end_ps >= 0)
        return 0;
    char *name = xformat("%.*s", (int)wanted->length, wanted->text), known[400];
    if (wanted->most > 0)
        fail(error, "--%s: scope '%.80s' occurs %lld time%s on a rank, not %lld", wanted->option, name,
             (long long)wanted->most, wanted->most == 1 ? "" : "s", (long long)wanted->number);
    else if (reader->info.n_scopes <= 1)
        fail(error, "--%s: there is no scope '%.80s': the trace has none; a time, such as 1.5s, is allowed",
             wanted->option, name);
    else {
        known_format(known, sizeof known, name, scope_at, &reader->info);
        fail(error, "--%s: there is no scope '%.80s'%s", wanted->option, name, known);
    }
    free(name);
    return -1;
}

/* --- moments --- */

/* The moment that an option says: of a scope the beginning, or the end. */
static int find_moment(int64_t *moment_ps, const char *option, const char *text, const struct part *part,
                       struct record_reader *reader, struct sim_error *error)
{
    char why[160];
    struct occurrence wanted = {.option = option, .text = text, .begin_ps = INT64_MAX, .end_ps = -1};
    const char *colon = strrchr(text, ':'), *digits = colon != NULL ? colon + 1 : "";
    if (colon == NULL) {
        if (units_parse(moment_ps, QUANTITY_TIME, text, why, sizeof why) == 0)
            return 0;
        return isdigit((unsigned char)text[0])
                   ? fail(error, "--%s: %s", option, why)
                   : fail(error,
                          "--%s: '%.80s' is neither a time, such as 1.5s, nor a scope's n-th occurrence, such as "
                          "%.80s:10",
                          option, text, text[0] != '\0' ? text : "solve");
    }
    wanted.length = (size_t)(colon - text);
    wanted.number = take_number(&digits);
    if (wanted.number < 1 || *digits != '\0' || wanted.length == 0)
        return fail(error, "--%s: '%.80s' is not a scope's n-th occurrence, such as solve:10; n counts from 1", option,
                    text);
    if (find_occurrence(&wanted, part, reader, error) != 0)
        return -1;
    *moment_ps = strcmp(option, "from") == 0 ? wanted.begin_ps : wanted.end_ps;
    return 0;
}

static int find_moments(struct part *part, struct record_reader *reader, const struct part_request *request,
                        struct sim_error *error)
{
    if (request->from == NULL && request->to == NULL)
        return 0;
    if (!reader->info.has_times)
        return fail(error, "--%s needs a trace with times; of this one, only --ranks can be chosen",
                    request->from != NULL ? "from" : "to");
    if (request->from != NULL && find_moment(&part->from_ps, "from", request->from, part, reader, error) != 0)
        return -1;
    if (request->to != NULL && find_moment(&part->to_ps, "to", request->to, part, reader, error) != 0)
        return -1;
    if (request->to == NULL && reader->info.end_ps > 0 && part->from_ps >= reader->info.end_ps)
        return fail(error, "--from: the run ends at %.9f s, which is not after %.9f s",
                    units_seconds(reader->info.end_ps), units_seconds(part->from_ps));
    if (part->to_ps <= part->from_ps)
        return fail(error, "--to: %.9f s is not after the beginning of the part, %.9f s", units_seconds(part->to_ps),
                    units_seconds(part->from_ps));
    return 0;
}

int part_find(struct part *part, struct record_reader *reader, const struct part_request *request,
              struct sim_error *error)
{
    size_t n = (size_t)reader->info.n_ranks;
    *part = (struct part){.to_ps = INT64_MAX,
                          .n_whole = reader->info.n_ranks,
                          .ranks = xcalloc(n, sizeof *part->ranks),
                          .number_of = xcalloc(n, sizeof *part->number_of)};
    if (find_ranks(part, request->ranks, error) == 0 && find_moments(part, reader, request, error) == 0)
        return 0;
    part_dispose(part);
    return -1;
}

void part_dispose(struct part *part)
{
    free(part->ranks);
    free(part->number_of);
    *part = (struct part){0};
}

struct record_part part_said(const struct part *part, int64_t run_end_ps)
{
    int64_t from_ps = int64_min(part->from_ps, run_end_ps);
    return (struct record_part){.from_ps = from_ps,
                                .to_ps = int64_min(part->to_ps, run_end_ps),
                                .whole_ps = run_end_ps,
                                .n_ranks = part->n_ranks,
                                .n_whole = part->n_whole};
}

char **part_processor_names(const struct part *part, const struct record_info *info)
{
    int n_processors = int_max(info->n_processors, 1);
    if (info->processor_names == NULL)
        return NULL;
    char **names = xcalloc((size_t)(n_processors * part->n_ranks), sizeof *names);
    for (int processor = 0; processor < n_processors; processor++)
        for (int i = 0; i < part->n_ranks; i++)
            names[processor * part->n_ranks + i] = info->processor_names[processor * part->n_whole + part->ranks[i]];
    return names;
}
