/* Reads the parts of a run's time out of its tables and measures.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/collect.h"

#include "base/memory.h"
#include "interval/intern.h"
#include "metrics/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More ranks are not told apart. */
enum { MOST_RANKS = 4096 };

struct collector {
    struct part_entries *entries;
    const struct study_run *from;
    int run;
    double n_processors;
};

static struct part_entry *add_entry(struct collector *self, enum compare_axis by, const char *name,
                                    struct part_amount amount)
{
    struct part_entries *entries = self->entries;
    entries->list = xgrow(entries->list, entries->count, &entries->capacity, sizeof *entries->list);
    struct part_entry *entry = &entries->list[entries->count++];
    *entry = (struct part_entry){.by = by,
                                 .name = name,
                                 .function = intern_text(""),
                                 .place = intern_text(""),
                                 .component = N_PATH_COMPONENTS,
                                 .rank = -1,
                                 .run = self->run,
                                 .amount = amount};
    return entry;
}

static void know(struct collector *self, enum compare_axis by)
{
    self->entries->knows[self->run * N_COMPARE_AXES + (int)by] = true;
}

static bool has_column(const struct study_run *run, enum table_id id, size_t offset)
{
    const struct result_table *table = result_find_table(&run->result, id);
    return table != NULL && result_has_column(table, table_column_at(id, offset));
}

/* The time of all processors as that of a mean one. */
static double mean_of(const struct collector *self, wide_int ps)
{
    return units_seconds(ps) / self->n_processors;
}

/* --- the critical path --- */

/* "processing in assemble", "communication in MPI_Recv". */
static void add_places(struct collector *self, bool has_scopes)
{
    size_t n_rows;
    const struct path_places_row *rows = result_path_places(&self->from->result, &n_rows);
    for (size_t i = 0; i < n_rows; i++) {
        const struct path_places_row *row = &rows[i];
        const char *scope = has_scopes ? row->scope : "";
        const char *where = row->function[0] != '\0' ? row->function : scope;
        const char *name =
            intern_format("%s%s%s", path_component_names[row->component], where[0] != '\0' ? " in " : "", where);
        struct part_entry *entry =
            add_entry(self, BY_PATH, name, (struct part_amount){units_seconds(row->time_ps), (double)NAN, (double)NAN});
        entry->component = row->component;
        entry->function = intern_text(row->function);
        entry->place = intern_text(scope);
    }
}

static enum path_component component_of(const struct measure *measure)
{
    static const enum measure_id wholes[] = {[COMPONENT_PROCESSING] = M_PATH_PROCESSING,
                                             [COMPONENT_MEMORY] = M_PATH_MEMORY,
                                             [COMPONENT_COMMUNICATION] = M_PATH_COMMUNICATION,
                                             [COMPONENT_LIBRARY] = M_PATH_LIBRARY,
                                             [COMPONENT_OFF] = M_PATH_OFF,
                                             [COMPONENT_IO] = M_PATH_IO};
    for (int c = 0; c <= COMPONENT_IO; c++)
        if (measure->of->id == wholes[c] || measure_specs[measure->of->id].parent == wholes[c])
            return (enum path_component)c;
    return N_PATH_COMPONENTS;
}

/* The components that have no parts, of runs that are not told apart further: "communication.broadcast". */
static void add_components(struct collector *self)
{
    const struct result *result = &self->from->result;
    for (size_t i = 0; i < result->n_measures; i++) {
        const struct measure *measure = &result->measures[i];
        if (measure_kind(measure) != KIND_PATH || !run_has_no_parts(result, measure))
            continue;
        const char *dot = strchr(measure->of->name, '.');
        struct part_entry *entry = add_entry(self, BY_PATH, intern_text(measure->of->name),
                                             (struct part_amount){measure_value(measure), (double)NAN, (double)NAN});
        entry->component = component_of(measure);
        if (entry->component == COMPONENT_COMMUNICATION && dot != NULL)
            entry->place = intern_text(dot + 1);
    }
}

/* --- calls --- */

static void add_functions(struct collector *self)
{
    size_t n_rows;
    const struct functions_row *rows = result_functions(&self->from->result, &n_rows);
    for (size_t i = 0; i < n_rows; i++)
        add_entry(self, BY_FUNCTION, intern_text(rows[i].function),
                  (struct part_amount){mean_of(self, rows[i].time_ps), (double)rows[i].calls, (double)rows[i].bytes})
            ->function = intern_text(rows[i].function);
}

static void add_sites(struct collector *self)
{
    size_t n_rows;
    const struct sites_row *rows = result_sites(&self->from->result, &n_rows);
    for (size_t i = 0; i < n_rows; i++) {
        struct part_entry *entry = add_entry(
            self, BY_SITE, intern_format("%s: %s", rows[i].site, rows[i].function),
            (struct part_amount){mean_of(self, rows[i].time_ps), (double)rows[i].calls, (double)rows[i].bytes});
        entry->function = intern_text(rows[i].function);
        entry->place = intern_text(rows[i].site);
    }
}

static bool is_of_library(const struct collector *self, const char *function)
{
    size_t n_rows;
    const struct functions_row *rows = result_functions(&self->from->result, &n_rows);
    for (size_t i = 0; i < n_rows; i++)
        if (strcmp(rows[i].function, function) == 0)
            return true;
    return false;
}

/* All time of a function of the library, at the path that calls it; of another one the time without waiting. */
static void add_call_paths(struct collector *self)
{
    size_t n_rows;
    const struct call_paths_row *rows = result_call_paths(&self->from->result, &n_rows);
    for (size_t i = 0; i < n_rows; i++) {
        const struct call_paths_row *row = &rows[i];
        bool calls = is_of_library(self, row->function);
        wide_int time_ps = row->own_ps - (calls ? 0 : row->own_idle_ps);
        struct part_entry *entry =
            add_entry(self, BY_CALL_PATH, intern_text(row->path),
                      (struct part_amount){mean_of(self, time_ps), (double)row->calls, (double)NAN});
        entry->function = intern_text(calls ? row->function : "");
        entry->place = intern_text(!calls ? row->path : row->outer > 0 ? rows[row->outer - 1].path : "");
    }
}

/* Profiles count messages, but do not know how long those of a size take. */
static void add_sizes(struct collector *self, enum compare_axis by, enum table_id id)
{
    size_t n_rows;
    const struct message_sizes_row *rows = result_rows(&self->from->result, id, &n_rows); /* both are alike */
    bool is_timed = has_column(self->from, id, offsetof(struct message_sizes_row, send_ps));
    for (size_t i = 0; i < n_rows; i++) {
        const struct message_sizes_row *row = &rows[i];
        double time_s = is_timed ? mean_of(self, row->send_ps + row->receive_ps) : (double)NAN;
        const char *name = row->from_bytes == row->to_bytes
                               ? intern_format("%lld B", (long long)row->from_bytes)
                               : intern_format("%lld to %lld B", (long long)row->from_bytes, (long long)row->to_bytes);
        add_entry(self, by, name, (struct part_amount){time_s, (double)row->count, (double)row->bytes});
    }
}

static void add_waits(struct collector *self)
{
    size_t n_rows;
    const struct function_waits_row *rows = result_function_waits(&self->from->result, &n_rows);
    for (size_t i = 0; i < n_rows; i++) {
        const char *function = rows[i].function;
        const char *name =
            intern_format("%s%s%s", wait_state_names[rows[i].wait], function[0] != '\0' ? " in " : "", function);
        add_entry(self, BY_WAIT, name,
                  (struct part_amount){mean_of(self, rows[i].time_ps), (double)rows[i].waits, (double)NAN})
            ->function = intern_text(function);
    }
}

/* --- scopes and ranks --- */

/* "elimination.idle" of the group scope_state_s: all states of the scope. */
static void add_scopes(struct collector *self, bool idle_waits)
{
    const struct result *result = &self->from->result;
    for (size_t i = 0; i < result->n_measures; i++) {
        const struct measure *measure = &result->measures[i];
        const char *dot = strrchr(measure->of->name, '.');
        if (measure->of->id != M_SCOPE_STATE || dot == NULL)
            continue;
        const char *scope = intern_format("%.*s", (int)(dot - measure->of->name), measure->of->name);
        add_entry(self, BY_SCOPE, scope,
                  (struct part_amount){measure_value(measure) / self->n_processors, (double)NAN, (double)NAN})
            ->place = scope != intern_text(METRICS_NO_SCOPE) ? scope : intern_text("");
        know(self, BY_SCOPE);
        if (idle_waits && strcmp(dot + 1, location_state_names[STATE_IDLE]) == 0) {
            add_entry(self, BY_WAIT, intern_format("idle in %s", scope),
                      (struct part_amount){measure_value(measure) / self->n_processors, (double)NAN, (double)NAN})
                ->place = scope;
            know(self, BY_WAIT);
        }
    }
}

static void add_ranks(struct collector *self)
{
    const struct study_run *run = self->from;
    size_t n_waits;
    const struct rank_waits_row *waits = result_rank_waits(&run->result, &n_waits);
    if (run->ranks > MOST_RANKS || run->result.n_processors < run->ranks)
        return;
    know(self, BY_RANK);
    for (int rank = 0; rank < run->ranks; rank++) {
        double busy_s = 0;
        for (int i = rank; i < run->result.n_processors; i += run->ranks)
            busy_s +=
                units_seconds((wide_int)run->result.state_ps[i][STATE_USEFUL] + run->result.state_ps[i][STATE_CONTROL]);
        add_entry(self, BY_RANK, intern_format("rank %d", rank), (struct part_amount){busy_s, (double)NAN, (double)NAN})
            ->rank = rank;
    }
    for (size_t i = 0; i < n_waits && has_column(run, TABLE_RANK_WAITS, offsetof(struct rank_waits_row, awaited_ps));
         i++)
        add_entry(self, BY_AWAITED, intern_format("for rank %d", waits[i].rank),
                  (struct part_amount){mean_of(self, waits[i].awaited_ps), (double)NAN, (double)NAN})
            ->rank = waits[i].rank;
}

static void add_rank_scopes(struct collector *self)
{
    size_t n_rows;
    const struct scope_states_row *rows = result_scope_states(&self->from->result, &n_rows);
    for (size_t i = 0; i < n_rows && self->from->ranks <= MOST_RANKS; i++) {
        const struct scope_states_row *row = &rows[i];
        wide_int busy_ps = (wide_int)row->state_ps[STATE_USEFUL] + row->state_ps[STATE_CONTROL];
        if (busy_ps == 0)
            continue;
        struct part_entry *entry = add_entry(self, BY_RANK_SCOPE, intern_format("rank %d in %s", row->rank, row->scope),
                                             (struct part_amount){units_seconds(busy_ps), (double)NAN, (double)NAN});
        entry->rank = row->rank;
        entry->place = intern_text(row->scope);
    }
}

/* "rank 0: asleep": why a rank is without a processor outside of the library. */
static void add_off(struct collector *self)
{
    size_t n_rows;
    const struct processors_row *rows = result_processors(&self->from->result, &n_rows);
    if (!has_column(self->from, TABLE_PROCESSORS, offsetof(struct processors_row, without_ps)))
        return;
    know(self, BY_OFF);
    for (size_t i = 0; i < n_rows && self->from->ranks <= MOST_RANKS; i++)
        for (int why = 0; why < N_WAITS_OFF; why++) {
            const char *name = wait_state_names[WAIT_PROCESSOR + why];
            struct part_amount amount = {units_seconds(rows[i].without_ps[why]), (double)NAN, (double)NAN};
            if (rows[i].without_ps[why] == 0)
                continue;
            struct part_entry *entry =
                add_entry(self, BY_OFF, intern_format("rank %d: %s", rows[i].rank, name), amount);
            entry->rank = rows[i].rank;
            entry->place = intern_text(name);
        }
}

/* --- all --- */

static void know_table(struct collector *self, enum compare_axis by, enum table_id id)
{
    if (result_find_table(&self->from->result, id) != NULL)
        know(self, by);
}

/* Profiles have no scopes. */
enum path_detail collect_path_detail(const struct study_run *run)
{
    if (result_find_table(&run->result, TABLE_PATH_PLACES) == NULL)
        return PATH_COMPONENTS;
    return result_get(&run->result, M_SCOPE_STATE) != NULL ? PATH_FUNCTIONS_AND_SCOPES : PATH_FUNCTIONS;
}

void collect_parts(struct part_entries *entries, int run, const struct study_run *from, enum path_detail detail,
                   bool idle_waits)
{
    struct collector self = {
        .entries = entries, .from = from, .run = run, .n_processors = (double)run_all_processors(from)};
    entries->n_ranks[run] = from->ranks;
    know(&self, BY_PATH);
    if (detail == PATH_COMPONENTS)
        add_components(&self);
    else
        add_places(&self, detail == PATH_FUNCTIONS_AND_SCOPES);
    static const struct {
        enum compare_axis by;
        enum table_id id;
    } known[] = {{BY_FUNCTION, TABLE_FUNCTIONS},   {BY_SITE, TABLE_SITES},
                 {BY_CALL_PATH, TABLE_CALL_PATHS}, {BY_RANK_SCOPE, TABLE_SCOPE_STATES},
                 {BY_SIZE, TABLE_MESSAGE_SIZES},   {BY_COLLECTIVE_SIZE, TABLE_COLLECTIVE_SIZES},
                 {BY_WAIT, TABLE_FUNCTION_WAITS},  {BY_AWAITED, TABLE_RANK_WAITS}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        know_table(&self, known[i].by, known[i].id);
    add_functions(&self);
    add_sites(&self);
    add_call_paths(&self);
    add_scopes(&self, idle_waits);
    add_ranks(&self);
    add_rank_scopes(&self);
    add_off(&self);
    add_sizes(&self, BY_SIZE, TABLE_MESSAGE_SIZES);
    add_sizes(&self, BY_COLLECTIVE_SIZE, TABLE_COLLECTIVE_SIZES);
    add_waits(&self);
}
