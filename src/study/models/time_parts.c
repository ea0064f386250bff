/* Finds the parts of the time of runs: of functions in their tables, of scopes in their measures.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/time_parts.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

static enum part_kind kind_of_state(enum location_state state)
{
    static const enum part_kind kinds[N_LOCATION_STATES] = {
        [STATE_USEFUL] = DOING_COMPUTATION, [STATE_CONTROL] = DOING_CONTROL,  [STATE_IO] = DOING_IO,
        [STATE_SEND] = DOING_TRANSFER,      [STATE_RECEIVE] = DOING_TRANSFER, [STATE_LIBRARY] = DOING_LIBRARY,
        [STATE_IDLE] = DOING_WAITING,
    };
    return kinds[state];
}

static void add_time_part(struct time_parts *parts, int run, const char *name, enum part_kind kind, wide_int ps)
{
    if (ps == 0)
        return;
    parts->list = xgrow(parts->list, parts->count, &parts->capacity, sizeof *parts->list);
    struct time_part *part = &parts->list[parts->count++];
    *part = (struct time_part){.kind = kind, .run = run, .ps = ps};
    utf8_copy(part->name, sizeof part->name, name);
}

/* A row that has the name of its only kind. */
static void add_kind(struct time_parts *parts, int run, enum part_kind kind, wide_int ps)
{
    add_time_part(parts, run, part_kind_name(kind), kind, ps);
}

static int by_name(const void *a, const void *b)
{
    const struct time_part *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    if (order == 0)
        order = (left->kind > right->kind) - (left->kind < right->kind);
    return order != 0 ? order : (left->run > right->run) - (left->run < right->run);
}

void time_parts_merge(struct time_parts *parts)
{
    size_t count = 0;
    sort_stable(parts->list, parts->count, sizeof *parts->list, by_name);
    for (size_t i = 0; i < parts->count; i++)
        if (count > 0 && by_name(&parts->list[count - 1], &parts->list[i]) == 0)
            parts->list[count - 1].ps += parts->list[i].ps;
        else
            parts->list[count++] = parts->list[i];
    parts->count = count;
}

size_t time_parts_end_of_name(const struct time_parts *parts, size_t first)
{
    size_t end = first;
    while (end < parts->count && strcmp(parts->list[end].name, parts->list[first].name) == 0)
        end++;
    return end;
}

/* ---- Where they come from ---- */

/* A time of all ranks together, within bounds: 2^24 ranks for as long as the clock lasts are 2^85 ps; a store may say
 * anything, and sums need room. */
static wide_int time_of(wide_int ps)
{
    const wide_int most_ps = (wide_int)1 << 100;
    return ps < 0 ? 0 : ps > most_ps ? most_ps : ps;
}

static wide_int time_in_state(const struct study_run *run, enum location_state state)
{
    const struct measure *measure = result_find(&run->result, "state_s", location_state_names[state]);
    return measure != NULL ? time_of(measure_number(measure)) : 0;
}

/* Waits of a function or scope, by what they are for. They are taken off what is known of idling as a whole. */
static void add_wait(struct time_parts *parts, int run, const char *name, enum wait_state wait, wide_int ps)
{
    add_time_part(parts, run, name, (enum part_kind)(DOING_WAITING + (int)wait), time_of(ps));
    add_time_part(parts, run, name, DOING_WAITING, -time_of(ps));
}

/* Add the states of each function, which are taken off those of the ranks, and its waits. */
static void add_functions(struct time_parts *parts, wide_int *left_ps, int run, const struct result *result)
{
    size_t n_functions, n_waits;
    const struct functions_row *functions = result_functions(result, &n_functions);
    const struct function_waits_row *waits = result_function_waits(result, &n_waits);
    for (int s = 0; s < N_LOCATION_STATES; s++)
        for (size_t i = 0; i < n_functions; i++) {
            wide_int ps = time_of(functions[i].state_ps[s]);
            add_time_part(parts, run, functions[i].function, kind_of_state((enum location_state)s), ps);
            left_ps[s] -= ps;
        }
    for (size_t i = 0; i < n_waits; i++)
        add_wait(parts, run, waits[i].function[0] != '\0' ? waits[i].function : PARTS_NO_FUNCTION, waits[i].wait,
                 waits[i].time_ps);
}

void time_parts_find_functions(struct time_parts *parts, int run, const struct study_run *from)
{
    bool has_functions = result_find_table(&from->result, TABLE_FUNCTIONS) != NULL;
    wide_int left_ps[N_LOCATION_STATES];
    for (int s = 0; s < N_LOCATION_STATES; s++)
        left_ps[s] = time_in_state(from, (enum location_state)s);
    if (has_functions)
        add_functions(parts, left_ps, run, &from->result);
    for (int s = 0; s < N_LOCATION_STATES; s++) {
        enum part_kind kind = kind_of_state((enum location_state)s);
        if (!has_functions || s == STATE_USEFUL || s == STATE_CONTROL)
            add_kind(parts, run, kind, left_ps[s]);
        else
            add_time_part(parts, run, PARTS_NO_FUNCTION, kind, left_ps[s]);
    }
}

/* "elimination.idle" of the group scope_state_s. */
void time_parts_find_scopes(struct time_parts *parts, int run, const struct study_run *from)
{
    for (size_t m = 0; m < from->result.n_measures; m++) {
        const struct measure *measure = &from->result.measures[m];
        const char *dot = strrchr(measure->of->name, '.');
        char name[MEASURE_NAME];
        if (measure->of->id != M_SCOPE_STATE || measure->of->type != MEASURE_TIME || dot == NULL ||
            measure_number(measure) < 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(dot - measure->of->name), measure->of->name);
        for (int s = 0; s < N_LOCATION_STATES; s++)
            if (strcmp(location_state_names[s], dot + 1) == 0)
                add_time_part(parts, run, name, kind_of_state((enum location_state)s),
                              time_of(measure_number(measure)));
    }
    size_t n_waits;
    const struct scope_waits_row *waits = result_scope_waits(&from->result, &n_waits);
    for (size_t i = 0; i < n_waits; i++)
        add_wait(parts, run, waits[i].scope, waits[i].wait, waits[i].time_ps);
}
