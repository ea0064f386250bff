/* Finds the pieces of the time of runs: of functions in their tables, of scopes in their measures. */
#include "study/models/pieces.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

static enum part_kind kind_of_state(enum location_state state)
{
    static const enum part_kind kinds[N_LOCATION_STATES] = {
        [STATE_USEFUL] = PART_COMPUTATION, [STATE_CONTROL] = PART_CONTROL,  [STATE_IO] = PART_IO,
        [STATE_SEND] = PART_TRANSFER,      [STATE_RECEIVE] = PART_TRANSFER, [STATE_LIBRARY] = PART_LIBRARY,
        [STATE_IDLE] = PART_WAITING,
    };
    return kinds[state];
}

static enum part_kind kind_of_wait(const char *name)
{
    return (enum part_kind)(PART_WAITING + (int)wait_state_named(name));
}

static void add_piece(struct pieces *pieces, int run, const char *name, enum part_kind kind, wide_int ps)
{
    if (ps == 0)
        return;
    pieces->list = xgrow(pieces->list, pieces->count, &pieces->capacity, sizeof *pieces->list);
    struct piece *piece = &pieces->list[pieces->count++];
    *piece = (struct piece){.kind = kind, .run = run, .ps = ps};
    utf8_copy(piece->name, sizeof piece->name, name);
}

/* A row that has the name of its only kind. */
static void add_kind(struct pieces *pieces, int run, enum part_kind kind, wide_int ps)
{
    add_piece(pieces, run, part_kind_name(kind), kind, ps);
}

static int by_name(const void *a, const void *b)
{
    const struct piece *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    if (order == 0)
        order = (left->kind > right->kind) - (left->kind < right->kind);
    return order != 0 ? order : (left->run > right->run) - (left->run < right->run);
}

void pieces_merge(struct pieces *pieces)
{
    size_t count = 0;
    sort_stable(pieces->list, pieces->count, sizeof *pieces->list, by_name);
    for (size_t i = 0; i < pieces->count; i++)
        if (count > 0 && by_name(&pieces->list[count - 1], &pieces->list[i]) == 0)
            pieces->list[count - 1].ps += pieces->list[i].ps;
        else
            pieces->list[count++] = pieces->list[i];
    pieces->count = count;
}

size_t pieces_end_of_name(const struct pieces *pieces, size_t first)
{
    size_t end = first;
    while (end < pieces->count && strcmp(pieces->list[end].name, pieces->list[first].name) == 0)
        end++;
    return end;
}

/* ---- Where they come from ---- */

/* What a table, which a store may have made, has to have; -1 where a column is missing or of another type. */
static int find_columns(size_t *places, const struct result_table *table, const struct result_column *wanted, size_t n)
{
    for (size_t w = 0; w < n; w++) {
        size_t c = 0;
        while (c < table->n_columns &&
               (table->columns[c].type != wanted[w].type || strcmp(table->columns[c].name, wanted[w].name) != 0))
            c++;
        if (c == table->n_columns)
            return -1;
        places[w] = c;
    }
    return 0;
}

/* Of all ranks together. 2^24 of them for as long as the clock lasts are 2^85 ps; a store may say anything, whose sums
 * have to have room. */
static wide_int time_of(wide_int ps)
{
    const wide_int most_ps = (wide_int)1 << 100;
    return ps < 0 ? 0 : ps > most_ps ? most_ps : ps;
}

static wide_int time_at(const struct result_table *table, size_t row, size_t column)
{
    return time_of(result_cell(table, row, column)->number);
}

static wide_int time_in_state(const struct study_run *run, enum location_state state)
{
    const struct measure *measure = result_find(&run->result, "state_s", location_state_names[state]);
    return measure != NULL ? time_of(measure_number(measure)) : 0;
}

/* Waits of each function or scope, by what they are for. They are taken off what is known of idling as a whole. */
static void add_waits(struct pieces *pieces, int run, const struct result_table *waits, const char *column,
                      const char *nowhere)
{
    enum { WAIT, WHERE, TIME, N };
    const struct result_column wanted[N] = {{"wait", MEASURE_TEXT}, {column, MEASURE_TEXT}, {"time_s", MEASURE_TIME}};
    size_t places[N];
    if (waits == NULL || find_columns(places, waits, wanted, N) != 0)
        return;
    for (size_t row = 0; row < waits->n_rows; row++) {
        const char *where = result_cell(waits, row, places[WHERE])->text;
        const char *name = where[0] != '\0' ? where : nowhere;
        wide_int ps = time_at(waits, row, places[TIME]);
        add_piece(pieces, run, name, kind_of_wait(result_cell(waits, row, places[WAIT])->text), ps);
        add_piece(pieces, run, name, PART_WAITING, -ps);
    }
}

/* Of each function its states, which are taken off those of the ranks. */
static void add_functions(struct pieces *pieces, wide_int *left_ps, int run, const struct result_table *functions)
{
    const struct result_column name = {"function", MEASURE_TEXT};
    size_t names, place;
    bool good = find_columns(&names, functions, &name, 1) == 0;
    for (int s = 0; s < N_LOCATION_STATES && good; s++) {
        const struct result_column state = {location_state_columns[s], MEASURE_TIME};
        if (find_columns(&place, functions, &state, 1) != 0)
            continue;
        for (size_t row = 0; row < functions->n_rows; row++) {
            wide_int ps = time_at(functions, row, place);
            add_piece(pieces, run, result_cell(functions, row, names)->text, kind_of_state((enum location_state)s), ps);
            left_ps[s] -= ps;
        }
    }
}

void pieces_find_functions(struct pieces *pieces, int run, const struct study_run *from)
{
    const struct result_table *functions = result_find_table(&from->result, "functions");
    wide_int left_ps[N_LOCATION_STATES];
    for (int s = 0; s < N_LOCATION_STATES; s++)
        left_ps[s] = time_in_state(from, (enum location_state)s);
    if (functions != NULL) {
        add_functions(pieces, left_ps, run, functions);
        add_waits(pieces, run, result_find_table(&from->result, "function_waits"), "function", PARTS_NO_FUNCTION);
    }
    for (int s = 0; s < N_LOCATION_STATES; s++) {
        enum part_kind kind = kind_of_state((enum location_state)s);
        if (functions == NULL || s == STATE_USEFUL || s == STATE_CONTROL)
            add_kind(pieces, run, kind, left_ps[s]);
        else
            add_piece(pieces, run, PARTS_NO_FUNCTION, kind, left_ps[s]);
    }
}

/* "elimination.idle" of the group scope_state_s. */
void pieces_find_scopes(struct pieces *pieces, int run, const struct study_run *from)
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
                add_piece(pieces, run, name, kind_of_state((enum location_state)s), time_of(measure_number(measure)));
    }
    add_waits(pieces, run, result_find_table(&from->result, "scope_waits"), "scope", "");
}
