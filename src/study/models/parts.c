/* Adds what the time of runs consists of to their measures, by function and by scope. */
#include "study/models/parts.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "metrics/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.001
enum { MOST_ROWS = 24, NAME_SIZE = 38 }; /* with a kind behind it a name is that of a measure */

const struct parts_group parts_groups[N_PARTS_GROUPS] = {
    [PARTS_FUNCTIONS] = {"function_s", "function_part_s"},
    [PARTS_SCOPES] = {"scope_s", "scope_part_s"},
};

/* ---- Kinds ---- */

const char *part_kind_name(enum part_kind kind)
{
    static const char *const names[] = {"computation", "control", "transfer", "waiting"};
    return kind <= PART_WAITING ? names[kind] : wait_state_names[kind - PART_WAITING];
}

enum part_kind part_kind_named(const char *name)
{
    int kind = 0;
    while (kind < N_PART_KINDS && strcmp(part_kind_name((enum part_kind)kind), name) != 0)
        kind++;
    return (enum part_kind)kind;
}

static enum part_kind kind_of_state(enum location_state state)
{
    static const enum part_kind kinds[N_LOCATION_STATES] = {
        [STATE_USEFUL] = PART_COMPUTATION, [STATE_CONTROL] = PART_CONTROL, [STATE_SEND] = PART_TRANSFER,
        [STATE_RECEIVE] = PART_TRANSFER,   [STATE_IDLE] = PART_WAITING,
    };
    return kinds[state];
}

static enum part_kind kind_of_wait(const char *name)
{
    return (enum part_kind)(PART_WAITING + (int)wait_state_named(name));
}

bool parts_are_meant(const char *measures)
{
    if (measures[0] == '\0')
        return true;
    for (const char *word = measures;; word++) {
        size_t length = strcspn(word, ",");
        size_t group = strcspn(word, ".,");
        for (int g = 0; g < N_PARTS_GROUPS; g++)
            if ((strlen(parts_groups[g].rows) == group && strncmp(word, parts_groups[g].rows, group) == 0) ||
                (strlen(parts_groups[g].kinds) == group && strncmp(word, parts_groups[g].kinds, group) == 0))
                return true;
        word += length;
        if (*word == '\0')
            return false;
    }
}

/* ---- Pieces ---- */

/* Time of all ranks of a run, of one kind in one row. */
struct piece {
    char name[NAME_SIZE];
    enum part_kind kind;
    int run;
    wide_int ps;
};

struct pieces {
    struct piece *list;
    size_t count, capacity;
};

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

/* Sort, and add up what is of the same name, kind and run. */
static void merge(struct pieces *pieces)
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

/* Behind the last piece of the name that the piece at `first` has. */
static size_t end_of_name(const struct pieces *pieces, size_t first)
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

static wide_int time_at(const struct result_table *table, size_t row, size_t column)
{
    wide_int ps = result_cell(table, row, column)->number;
    return ps > 0 ? units_clamp(ps) : 0;
}

static wide_int time_in_state(const struct study_run *run, enum location_state state)
{
    const struct measure *measure = result_find(&run->result, "state_s", location_state_names[state]);
    return measure != NULL && measure->number > 0 ? units_clamp(measure->number) : 0;
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
    enum { NAME, STATES, N = STATES + N_LOCATION_STATES };
    static const struct result_column wanted[N] = {{"function", MEASURE_TEXT},  {"useful_s", MEASURE_TIME},
                                                   {"control_s", MEASURE_TIME}, {"send_s", MEASURE_TIME},
                                                   {"receive_s", MEASURE_TIME}, {"idle_s", MEASURE_TIME}};
    size_t places[N];
    if (find_columns(places, functions, wanted, N) != 0)
        return;
    for (size_t row = 0; row < functions->n_rows; row++)
        for (int s = 0; s < N_LOCATION_STATES; s++) {
            wide_int ps = time_at(functions, row, places[STATES + s]);
            add_piece(pieces, run, result_cell(functions, row, places[NAME])->text,
                      kind_of_state((enum location_state)s), ps);
            left_ps[s] -= ps;
        }
}

static void find_functions(struct pieces *pieces, int run, const struct study_run *from)
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
static void find_scopes(struct pieces *pieces, int run, const struct study_run *from)
{
    for (size_t m = 0; m < from->result.n_measures; m++) {
        const struct measure *measure = &from->result.measures[m];
        const char *dot = strrchr(measure->name, '.');
        char name[sizeof measure->name];
        if (measure->id != M_SCOPE_STATE || measure->type != MEASURE_TIME || dot == NULL || measure->number < 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(dot - measure->name), measure->name);
        for (int s = 0; s < N_LOCATION_STATES; s++)
            if (strcmp(location_state_names[s], dot + 1) == 0)
                add_piece(pieces, run, name, kind_of_state((enum location_state)s), units_clamp(measure->number));
    }
    add_waits(pieces, run, result_find_table(&from->result, "scope_waits"), "scope", "");
}

/* ---- Small ones ---- */

struct name {
    size_t first; /* its pieces */
    double share; /* the largest of a run */
};

static int by_share(const void *a, const void *b)
{
    const struct name *left = a, *right = b;
    if (left->share != right->share)
        return left->share > right->share ? -1 : 1;
    return left->first < right->first ? -1 : left->first > right->first;
}

static double largest_share(const struct pieces *pieces, size_t first, const struct study *study, double *sums)
{
    double largest = 0;
    size_t end = end_of_name(pieces, first);
    memset(sums, 0, (size_t)study->n_runs * sizeof *sums);
    for (size_t i = first; i < end; i++) {
        const struct study_run *run = &study->runs[pieces->list[i].run];
        double share = sums[pieces->list[i].run] += units_seconds(pieces->list[i].ps) / (run->ranks * run_time(run));
        largest = share > largest ? share : largest;
    }
    return largest;
}

/* What is small in all runs, and what comes behind MOST_ROWS, gets one name. */
static void lump(struct pieces *pieces, const struct study *study, const char *others)
{
    size_t n_names = 0, kept = 0;
    struct name *names = xcalloc(pieces->count + 1, sizeof *names);
    double *sums = xcalloc((size_t)study->n_runs + 1, sizeof *sums);
    for (size_t first = 0; first < pieces->count; first = end_of_name(pieces, first))
        names[n_names++] = (struct name){first, largest_share(pieces, first, study, sums)};
    sort_stable(names, n_names, sizeof *names, by_share);
    while (kept < n_names && kept < MOST_ROWS && names[kept].share >= LEAST_SHARE)
        kept++;
    for (size_t n = kept; n < n_names && n_names - kept > 1; n++)
        for (size_t i = names[n].first, end = end_of_name(pieces, i); i < end; i++)
            pieces->list[i].run |= INT32_MIN; /* marked, as a new name would end the search */
    for (size_t i = 0; i < pieces->count; i++)
        if (pieces->list[i].run < 0) {
            pieces->list[i].run &= INT32_MAX;
            snprintf(pieces->list[i].name, sizeof pieces->list[i].name, "%s", others);
        }
    merge(pieces);
    free(names);
    free(sums);
}

/* ---- To measures ---- */

static void add_mean(struct study_run *run, const char *group, const char *name, wide_int ps)
{
    result_add_time(&run->result, group, name, ps / run->ranks);
}

/* Computation and control are the rows of functions that are no function. */
static bool is_kind(const char *name, const struct parts_group *group)
{
    return group == &parts_groups[PARTS_FUNCTIONS] && part_kind_named(name) != PART_MIXED;
}

/* Of what is no function or scope that a run may lack, no time is time, too. So it is on one rank, which has nobody to
 * exchange messages with. */
static bool is_always_there(const char *name, const struct parts_group *group, const struct study_run *run)
{
    return run->ranks == 1 || is_kind(name, group) || strcmp(name, PARTS_NO_FUNCTION) == 0 ||
           strcmp(name, METRICS_NO_SCOPE) == 0;
}

/* The pieces of one row, in a run that has it: their sum, or the sum of each kind that any run has. */
static void write_row(struct study_run *run, int index, const struct piece *pieces, size_t n,
                      const struct parts_group *group, bool by_kind)
{
    wide_int whole = 0, sums[N_PART_KINDS] = {0};
    bool has[N_PART_KINDS] = {false};
    for (size_t i = 0; i < n; i++) {
        wide_int ps = pieces[i].run == index ? pieces[i].ps : 0;
        has[pieces[i].kind] |= pieces[i].ps > 0;
        sums[pieces[i].kind] += ps;
        whole += ps;
    }
    if (whole <= 0 && !is_always_there(pieces->name, group, run))
        return;
    if (!by_kind)
        add_mean(run, group->rows, pieces->name, whole);
    for (int kind = 0; kind < N_PART_KINDS && by_kind && !is_kind(pieces->name, group); kind++) {
        char name[sizeof((struct measure *)NULL)->name];
        snprintf(name, sizeof name, "%s.%s", pieces->name, part_kind_name((enum part_kind)kind));
        if (has[kind])
            add_mean(run, group->kinds, name, sums[kind]);
    }
}

/* All rows, then all kinds in them. */
static void write_all(struct study *study, const struct pieces *pieces, const struct parts_group *group)
{
    for (int by_kind = 0; by_kind < 2; by_kind++)
        for (size_t first = 0, end; first < pieces->count; first = end) {
            end = end_of_name(pieces, first);
            for (int r = 0; r < study->n_runs; r++)
                if (result_get(&study->runs[r].result, M_TIME) != NULL)
                    write_row(&study->runs[r], r, &pieces->list[first], end - first, group, by_kind == 1);
        }
}

void parts_add(struct study *study)
{
    static void (*const find[N_PARTS_GROUPS])(struct pieces *, int, const struct study_run *) = {
        [PARTS_FUNCTIONS] = find_functions, [PARTS_SCOPES] = find_scopes};
    static const char *const others[N_PARTS_GROUPS] = {"other functions", "other scopes"};
    for (int g = 0; g < N_PARTS_GROUPS; g++) {
        struct pieces pieces = {0};
        for (int r = 0; r < study->n_runs; r++)
            if (run_time(&study->runs[r]) > 0)
                find[g](&pieces, r, &study->runs[r]);
        merge(&pieces);
        if (g == PARTS_FUNCTIONS || end_of_name(&pieces, 0) < pieces.count) {
            lump(&pieces, study, others[g]);
            write_all(study, &pieces, &parts_groups[g]);
        }
        free(pieces.list);
    }
}
