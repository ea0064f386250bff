/* Queries of simrun forecast: from words to calls.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/units.h"
#include "sim/program/param.h"
#include "simrun/forecast.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMS                                                                                                          \
    "allowed: 'ROUTINE DIMENSION... on HOST', 'pdgemm|pdtrsm DIMENSION... [NAME=VALUE]... on ROWSxCOLUMNS|PROCESSES'," \
    " 'HOST to HOST [SIZE]'"

int query_blame(const struct query *query, struct sim_error *error)
{
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return sim_error_set(error, error->status, NULL, 0, "forecast '%.100s': %.900s", query->text, message);
}

static int query_error(const struct query *query, struct sim_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int query_error(const struct query *query, struct sim_error *error, const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "forecast '%.100s': %s", query->text, text);
}

/* ---- Words ---- */

int query_split(struct query *query, const char *text, struct sim_error *error)
{
    struct query read = {.text = text, .copy = xstrdup(text), .bytes = -1};
    char *rest = NULL;
    for (char *word = strtok_r(read.copy, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest)) {
        if (read.n_words == QUERY_WORDS) {
            free(read.copy);
            return query_error(&read, error, "more than %d words", QUERY_WORDS);
        }
        read.words[read.n_words++] = word;
    }
    if (read.n_words > 3 && strcmp(read.words[read.n_words - 2], "of") == 0) {
        read.platform = read.words[read.n_words - 1];
        read.n_words -= 2;
    }
    *query = read;
    return 0;
}

void query_dispose(struct query *query)
{
    free(query->copy);
    *query = (struct query){.copy = NULL};
}

static int parse_number(int64_t *number, const struct query *query, const char *word, int64_t most,
                        struct sim_error *error)
{
    char why[160];
    if (units_parse(number, QUANTITY_COUNT, word, why, sizeof why) != 0)
        return query_error(query, error, "%s", why);
    if (*number < 1 || *number > most)
        return query_error(query, error, "'%.40s' is out of range; allowed: 1 to %lld", word, (long long)most);
    return 0;
}

/* ---- Routines ---- */

static int parse_call(struct query *query, struct sim_error *error)
{
    int64_t *const dimensions[] = {&query->call.m, &query->call.n, &query->call.k};
    int n_settings = 0;
    query->call.routine = query->words[0];
    for (int i = 1; i < query->n_words - 2; i++) {
        if (strchr(query->words[i], '=') != NULL)
            query->settings[n_settings++] = query->words[i];
        else if (query->n_dimensions == 3)
            return query_error(query, error, "more than 3 dimensions, from '%.40s' on", query->words[i]);
        else if (parse_number(dimensions[query->n_dimensions++], query, query->words[i], INT_MAX, error) != 0)
            return -1;
    }
    return 0;
}

static bool is_parallel(const struct fast *fast, const char *name)
{
    const char *routine;
    bool parallel;
    for (int i = 0; (routine = fast_routine(fast, i, &parallel)) != NULL; i++)
        if (parallel && strcmp(routine, name) == 0)
            return true;
    return false;
}

/* ROWSxCOLUMNS, or a number of processes. */
static int parse_place(struct query *query, const char *word, struct sim_error *error)
{
    static const struct param_spec grids = {.name = "grid", .type = PARAM_PROCESS_GRID, .excludes_auto = true};
    char why[200];
    int64_t value;
    if (strchr(word, 'x') == NULL) {
        if (units_parse(&value, QUANTITY_COUNT, word, why, sizeof why) != 0)
            return query_error(query, error,
                               "'%.40s' is neither a grid such as 4x8 nor a number of processes such as 32", word);
        query->kind = QUERY_GRIDS;
        if (parse_number(&value, query, word, MOST_PROCESSES, error) != 0)
            return -1;
        query->n_processes = (int)value;
        return 0;
    }
    if (param_parse(&value, &grids, word, why, sizeof why) != 0)
        return query_error(query, error, "%s", why);
    query->kind = QUERY_GRID;
    query->call.rows = PARAM_MESH_WIDTH(value);
    query->call.columns = PARAM_MESH_HEIGHT(value);
    return 0;
}

static int parse_routine(struct query *query, const struct fast *fast, struct sim_error *error)
{
    char *place = query->words[query->n_words - 1];
    if (parse_call(query, error) != 0)
        return -1;
    if (is_parallel(fast, query->words[0]))
        return parse_place(query, place, error);
    if (query->settings[0] != NULL)
        return query_error(query, error, "'%.40s': parameters belong to pdgemm and pdtrsm", query->settings[0]);
    query->kind = QUERY_HOST;
    query->host = place;
    return 0;
}

/* ---- Messages ---- */

static int parse_message(struct query *query, struct sim_error *error)
{
    char why[160];
    query->kind = QUERY_MESSAGE;
    query->host = query->words[0];
    query->to = query->words[2];
    if (query->n_words == 4 && units_parse(&query->bytes, QUANTITY_SIZE, query->words[3], why, sizeof why) != 0)
        return query_error(query, error, "%s", why);
    return 0;
}

int query_parse(struct query *query, const struct fast *fast, struct sim_error *error)
{
    char **words = query->words;
    int n = query->n_words;
    if (n >= 3 && strcmp(words[n - 2], "on") == 0)
        return parse_routine(query, fast, error);
    if ((n == 3 || n == 4) && strcmp(words[1], "to") == 0)
        return parse_message(query, error);
    return query_error(query, error, "not understood; " FORMS);
}
