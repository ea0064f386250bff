/* simrun forecast [PLATFORM] QUERY...: what FAST says of a platform, as a document.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/forecast.h"

#include "base/known.h"
#include "base/memory.h"
#include "base/units.h"
#include "os/named.h"
#include "sim/platform/platform.h"
#include "simrun/answer.h"
#include "simrun/command.h"
#include "simrun/inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char default_platform[] = "icluster"; /* that of Caron02 */

static const struct answer_kind *const kinds[N_QUERY_KINDS] = {
    [QUERY_HOST] = &answer_host,
    [QUERY_MESSAGE] = &answer_message,
    [QUERY_GRID] = &answer_grids,
    [QUERY_GRIDS] = &answer_grids,
};

/* ---- Words for all ---- */

const char *show_value(struct document *document, enum unit unit, double value)
{
    char text[64];
    return document_format(document, "%s", scale_format(text, sizeof text, unit, value));
}

void put_cell(struct sparse_row *row, const char *id, enum unit unit, struct cell cell)
{
    sparse_put(row, (struct column){.id = id, .unit = unit, .flags = cell.kind == CELL_TEXT ? COLUMN_KEY : 0}, cell);
}

const char *say_time(struct document *document, double at_s)
{
    return at_s == 0 ? "" : document_format(document, " at %.10g s", at_s);
}

const char *say_band(struct document *document, double low_s, double high_s)
{
    if (low_s == high_s)
        return "";
    if (isinf(high_s))
        return document_format(document, " (%s or more)", show_value(document, UNIT_SECONDS, low_s));
    return document_format(document, " (%s to %s)", show_value(document, UNIT_SECONDS, low_s),
                           show_value(document, UNIT_SECONDS, high_s));
}

/* ---- The document ---- */

/* A platform and what is said of it. */
struct answers {
    const struct options *options;
    struct machine machine;
    struct fast *fast;
    struct query *queries;
    struct answer *items;
    int count;
};

static const struct answer_kind *kind_of(const struct answer *answer)
{
    return kinds[answer->query->kind];
}

static int make_document(struct document *document, void *data, struct sim_error *error)
{
    const struct answers *answers = data;
    const struct machine *machine = &answers->machine;
    (void)error;
    document->name = machine->name;
    document_fact(document, (struct column){.id = "simrun"}, cell_of_text(SIMRUN_VERSION));
    document_fact(document, (struct column){.id = "platform"}, cell_of_text(machine->name));
    document_fact(document, (struct column){.id = "at_s", .unit = UNIT_SECONDS}, cell_of_real(answers->items[0].at_s));
    struct table *table = document_table(document, "forecasts", NULL, FOR_PROGRAMS);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < answers->count; i++)
            kind_of(&answers->items[i])->put(&answers->items[i], table, pass == 1);
    for (int i = 0; i < answers->count; i++)
        kind_of(&answers->items[i])->say(&answers->items[i], document);
    return 0;
}

/* ---- Answers ---- */

/* All queries are understood before the first is answered. */
static int answer_all(struct answers *answers, struct sim_error *error)
{
    double at_s = units_seconds(answers->options->at_ps);
    int status = 0;
    fast_set_time(answers->fast, at_s);
    for (int i = 0; i < answers->count && status == 0; i++)
        status = query_parse(&answers->queries[i], answers->fast, error);
    for (int i = 0; i < answers->count && status == 0; i++) {
        struct answer *answer = &answers->items[i];
        *answer = (struct answer){
            .query = &answers->queries[i], .fast = answers->fast, .machine = &answers->machine, .at_s = at_s};
        status = kind_of(answer)->ask(answer, error);
        if (status != 0)
            query_blame(answer->query, error);
    }
    return status;
}

static int refuse_platform(const char *name, struct sim_error *error)
{
    struct found platforms;
    char known[512];
    find_all(&platforms, "platforms");
    known_format(known, sizeof known, name, found_name_at, &platforms);
    found_dispose(&platforms);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "'%.80s' is neither a platform nor a file%s", name, known);
}

static int answer_of(struct answers *answers, const char *platform, struct sim_error *error)
{
    char *found = access(platform, F_OK) != 0 ? named_find("platforms", platform) : NULL;
    if (found == NULL && access(platform, F_OK) != 0 && strpbrk(platform, "./") == NULL)
        return refuse_platform(platform, error);
    int status = machine_load(&answers->machine, found != NULL ? found : platform, error);
    free(found);
    if (status != 0)
        return -1;
    answers->fast = fast_new(&answers->machine);
    answers->items = xcalloc((size_t)answers->count, sizeof *answers->items);
    status = answer_all(answers, error);
    if (status == 0)
        status = answer_output(answers->options, make_document, answers, error);
    for (int i = 0; i < answers->count; i++)
        if (answers->items[i].query != NULL && kind_of(&answers->items[i])->dispose != NULL)
            kind_of(&answers->items[i])->dispose(&answers->items[i]);
    free(answers->items);
    fast_free(answers->fast);
    machine_dispose(&answers->machine);
    return status;
}

/* ---- The command line ---- */

/* A query has several words; a platform is one, or a file. */
static bool is_query(const char *argument)
{
    return strpbrk(argument, " \t") != NULL && access(argument, F_OK) != 0;
}

/* The platform that is given, or that queries name; *platform is NULL or given at first. */
static int choose_platform(const char **platform, const struct answers *answers, struct sim_error *error)
{
    for (int i = 0; i < answers->count; i++) {
        const char *its = answers->queries[i].platform;
        if (its != NULL && *platform != NULL && strcmp(its, *platform) != 0)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                                 "forecast '%.100s': the platform is already '%.100s'; allowed: one for all queries",
                                 answers->queries[i].text, *platform);
        if (its != NULL)
            *platform = its;
    }
    if (*platform == NULL)
        *platform = default_platform;
    return 0;
}

static int run(const struct options *options, struct sim_error *error)
{
    bool has_platform = !is_query(options->files[0]);
    struct answers answers = {.options = options, .count = options->n_files - has_platform};
    const char *platform = has_platform ? options->files[0] : NULL;
    int status = 0;
    if (has_platform && answers.count > 1 && !is_query(options->files[1]) && access(platform, F_OK) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "forecast '%.100s': put the query in quotes: simrun forecast \"pdgemm 2048 on 4x8\"",
                             options->files[0]);
    if (answers.count == 0)
        return sim_error_set(
            error, SIM_BAD_INPUT, NULL, 0,
            "forecast '%.100s': a QUERY is missing; for example: simrun forecast \"pdgemm 2048 on 4x8\"",
            options->files[0]);
    answers.queries = xcalloc((size_t)answers.count, sizeof *answers.queries);
    for (int i = 0; i < answers.count && status == 0; i++)
        status = query_split(&answers.queries[i], options->files[i + has_platform], error);
    if (status == 0 && (status = choose_platform(&platform, &answers, error)) == 0)
        status = answer_of(&answers, platform, error);
    for (int i = 0; i < answers.count; i++)
        query_dispose(&answers.queries[i]);
    free(answers.queries);
    return status;
}

const struct command command_forecast = {
    .name = "forecast",
    .arguments = "[PLATFORM] QUERY...",
    .summary = "forecast how long a routine or a message takes",
    .about = "QUERY is one of these, followed by \"of PLATFORM\" unless PLATFORM is given:\n"
             "  \"ROUTINE DIMENSION... on HOST\"          a routine, such as dgemm, on a host\n"
             "  \"pdgemm|pdtrsm DIMENSION... on PxQ\"     on a grid of P rows, Q columns\n"
             "  \"pdgemm|pdtrsm DIMENSION... on N\"       on the best grid of up to N processes\n"
             "  \"HOST to HOST [SIZE]\"                   a message\n"
             "For a parallel routine, one DIMENSION stands for all, and parameters such as\nblock=32 may come before "
             "\"on\". The forecast uses the profiles of the platform.\nFor a grid, the formula, LogP and Amdahl's law "
             "are compared with a simulation.\nThe default PLATFORM is icluster.\n",
    .example = "forecast \"pdgemm 2048 on 4x8\"",
    .options = OPTION_BIT(OPTION_AT) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT),
    .least = 1,
    .run = run,
};
