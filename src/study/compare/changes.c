/* Finds the differences between two versions: settings and measures.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/changes.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what is set --- */

static void add_setting(struct comparison_settings *settings, const char *name, const char *first, const char *second)
{
    if (first != NULL && second != NULL && strcmp(first, second) == 0)
        return;
    settings->items = xgrow(settings->items, settings->count, &settings->capacity, sizeof *settings->items);
    settings->items[settings->count++] = (struct comparison_setting){
        xstrdup(name), {first != NULL ? xstrdup(first) : NULL, second != NULL ? xstrdup(second) : NULL}};
}

void comparison_settings_dispose(struct comparison_settings *settings)
{
    for (size_t i = 0; i < settings->count; i++) {
        free(settings->items[i].name);
        free(settings->items[i].texts[0]);
        free(settings->items[i].texts[1]);
    }
    free(settings->items);
}

/* The text of a file from the place on where the other one differs: the rest of the line, with some of what is before
 * it; any character that a terminal might not take is replaced. NULL where the file has ended. */
static char *excerpt(const char *line, const char *place)
{
    enum { BEFORE = 12, LONGEST = 36 };
    if (*line == '\0')
        return NULL;
    while (line < place && (*line == ' ' || *line == '\t'))
        line++;
    const char *from = place - line > BEFORE ? place - BEFORE : line;
    int length = (int)strcspn(from, "\n"), cut = length > LONGEST ? LONGEST : length;
    char *text = xformat("%s%.*s%s", from > line ? "..." : "", cut, from, cut < length ? "..." : "");
    for (char *c = text; *c != '\0'; c++)
        *c = *c >= ' ' && *c <= '~' ? *c : '?';
    return text;
}

/* The first line that differs. */
static void add_file(struct comparison_settings *settings, const char *name, const char *first, const char *second)
{
    long number = 1;
    size_t at = 0, line = 0;
    for (; first[at] == second[at] && first[at] != '\0'; at++)
        if (first[at] == '\n') {
            number++;
            line = at + 1;
        }
    if (first[at] == second[at])
        return;
    char *label = xformat("%s, line %ld", name, number), *a = excerpt(first + line, first + at),
         *b = excerpt(second + line, second + at);
    settings->items = xgrow(settings->items, settings->count, &settings->capacity, sizeof *settings->items);
    settings->items[settings->count++] = (struct comparison_setting){label, {a, b}};
}

static const char *parameter_text(const struct study_run *run, const char *name)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (strcmp(run->parameters[i].name, name) == 0)
            return run->parameters[i].text;
    return NULL;
}

/* The texts that a store has of both; a file of one name may have two contents. */
static void add_origins(struct comparison_settings *settings, const struct compare_version *const sides[2])
{
    const struct compare_origin *first = sides[0]->origin, *second = sides[1]->origin;
    if (first == NULL || second == NULL)
        return;
    add_setting(settings, "kind", first->kind, second->kind);
    add_setting(settings, "scenario", first->scenario, second->scenario);
    if (strcmp(first->scenario, second->scenario) == 0)
        add_file(settings, "scenario file", first->scenario_text, second->scenario_text);
    add_setting(settings, "program", first->program, second->program);
    add_setting(settings, "input", first->input, second->input);
}

struct comparison_settings comparison_find_settings(const struct compare_version *const sides[2])
{
    struct comparison_settings settings = {0};
    const struct study_run *first = sides[0]->middle, *second = sides[1]->middle;
    const struct compare_origin *origins[2] = {sides[0]->origin, sides[1]->origin};
    add_origins(&settings, sides);
    add_setting(&settings, "platform", first->platform, second->platform);
    if (origins[0] != NULL && origins[1] != NULL && strcmp(first->platform, second->platform) == 0)
        add_file(&settings, "platform file", origins[0]->platform_text, origins[1]->platform_text);
    add_setting(&settings, "network used", first->network, second->network);
    for (int i = 0; i < first->n_parameters; i++)
        add_setting(&settings, first->parameters[i].name, first->parameters[i].text,
                    parameter_text(second, first->parameters[i].name));
    for (int i = 0; i < second->n_parameters; i++)
        if (parameter_text(first, second->parameters[i].name) == NULL)
            add_setting(&settings, second->parameters[i].name, NULL, second->parameters[i].text);
    return settings;
}

/* --- what moved --- */

bool comparison_is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 0.0005 * fmax(fabs(a), fabs(b));
}

/* Nor are those of a time that are nothing beside the largest time of its group. */
static bool is_noise(const struct compare_version *const sides[2], const struct measure *measure,
                     const double values[2])
{
    double largest = 0, change = fabs((isnan(values[1]) ? 0 : values[1]) - (isnan(values[0]) ? 0 : values[0]));
    if (measure->of->type != MEASURE_TIME)
        return false;
    for (int side = 0; side < 2; side++) {
        const struct result *result = &sides[side]->middle->result;
        for (size_t i = 0; i < result->n_measures; i++)
            if (measure_same_group(&result->measures[i], measure) && result->measures[i].of->type == MEASURE_TIME)
                largest = fmax(largest, fabs(measure_value(&result->measures[i])));
    }
    return change <= 0.0005 * largest;
}

static int group_of(const struct comparison_moves *moves, const struct measure *measure)
{
    int last = -1;
    for (size_t i = 0; i < moves->count; i++) {
        if (measure_same_group(moves->items[i].measure, measure))
            return moves->items[i].group;
        last = moves->items[i].group > last ? moves->items[i].group : last;
    }
    return measure->of->group[0] == '\0' ? -1 : last + 1; /* the run's own come first */
}

static void add_moves(struct comparison_moves *moves, const struct compare_version *const sides[2], int side)
{
    const struct result *own = &sides[side]->middle->result, *other = &sides[1 - side]->middle->result;
    for (size_t i = 0; i < own->n_measures; i++) {
        const struct measure *measure = &own->measures[i],
                             *match = result_find(other, measure->of->group, measure->of->name);
        double values[2] = {(double)NAN, (double)NAN};
        values[side] = measure_value(measure);
        if (match != NULL)
            values[1 - side] = measure_value(match);
        if ((match != NULL && side == 1) || comparison_is_same(values[0], values[1]) ||
            is_noise(sides, measure, values))
            continue;
        moves->items = xgrow(moves->items, moves->count, &moves->capacity, sizeof *moves->items);
        struct comparison_move *move = &moves->items[moves->count];
        *move = (struct comparison_move){measure, {values[0], values[1]}, group_of(moves, measure), i};
        moves->count++;
    }
}

double comparison_change(const struct comparison_move *move)
{
    bool none = move->measure->of->type == MEASURE_TIME;
    double first = move->values[0], second = move->values[1];
    return (isnan(second) && none ? 0 : second) - (isnan(first) && none ? 0 : first);
}

/* Group by group, the one that has moved most first; of the run's own, whose units differ, in the order of reports. */
static int by_size(const void *left, const void *right)
{
    const struct comparison_move *a = left, *b = right;
    double x = fabs(comparison_change(a)), y = fabs(comparison_change(b));
    if (a->group != b->group)
        return a->group - b->group;
    if (a->measure->of->group[0] == '\0')
        return (a->place > b->place) - (a->place < b->place);
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    if (x < y || x > y)
        return x < y ? 1 : -1;
    return strcmp(a->measure->of->name, b->measure->of->name);
}

struct comparison_moves comparison_find_moves(const struct compare_version *const sides[2])
{
    struct comparison_moves moves = {0};
    add_moves(&moves, sides, 0);
    add_moves(&moves, sides, 1);
    if (moves.count > 0)
        sort_stable(moves.items, moves.count, sizeof *moves.items, by_size);
    return moves;
}
