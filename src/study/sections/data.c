/* All that is known of the runs, for programs: a row each, then what the runs say together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "study/no_effect.h"
#include "study/ranking.h"

#include <math.h>
#include <stdlib.h>

/* --- cells --- */

/* A cell; a value that is none has no cell. */
static struct cell cell_of_value(enum measure_type type, wide_int number, double value)
{
    return type == MEASURE_COUNT && number <= INT64_MAX ? cell_of_integer((int64_t)number)
           : type == MEASURE_COUNT || isfinite(value)   ? cell_of_real(value)
                                                        : (struct cell){.kind = CELL_NONE};
}

static struct cell cell_of_result(const struct result_table *rows, size_t row, size_t column)
{
    struct result_cell cell = result_cell(rows, row, column);
    return cell.type == MEASURE_TEXT ? cell_of_text(cell.text)
                                     : cell_of_value(cell.type, cell.number, result_cell_value(rows, row, column));
}

static struct cell rows_of(struct document *document, const struct result_table *rows)
{
    const struct table_spec *spec = &table_specs[rows->id];
    struct table *table = document_inner_table(document);
    for (size_t c = 0; c < spec->n_columns; c++)
        if (result_has_column(rows, c))
            table_column(table, (struct column){.id = spec->columns[c].name});
    for (size_t row = 0; row < rows->n_rows; row++)
        for (size_t c = 0; c < spec->n_columns; c++)
            if (result_has_column(rows, c))
                table_cell(table, cell_of_result(rows, row, c));
    return cell_of_table(table, CELL_ROWS);
}

/* Some of a link's bins, in seconds or bytes. */
static struct cell amounts_of(struct document *document, const int64_t *amounts, size_t n, bool is_time)
{
    struct table *list = document_inner_list(document);
    for (size_t i = 0; i < n; i++)
        table_cell(list, is_time ? cell_of_real((double)amounts[i] / 1e12) : cell_of_integer(amounts[i]));
    return cell_of_table(list, CELL_LIST);
}

/* The end of the stretch of bins that begins at one in which a link does something: behind it there is nothing in some
 * bins, more than a row of its own is worth. */
static size_t stretch_end(const int64_t *busy_ps, const int64_t *bytes, size_t first, size_t n_bins)
{
    enum { MOST_EMPTY = 4 };
    size_t end = first;
    for (size_t i = first; i < n_bins && i <= end + MOST_EMPTY; i++)
        if (busy_ps[i] != 0 || bytes[i] != 0)
            end = i + 1;
    return end;
}

/* The bins of a link, one row for each stretch of them: mostly a link does nothing. */
static void add_stretches(struct table *table, const struct result_bins *bins, size_t i, const struct cell *name)
{
    const int64_t *busy_ps = &bins->busy_ps[i * bins->n_bins], *bytes = &bins->bytes[i * bins->n_bins];
    for (size_t first = 0; first < bins->n_bins; first++) {
        if (busy_ps[first] == 0 && bytes[first] == 0)
            continue;
        size_t end = stretch_end(busy_ps, bytes, first, bins->n_bins);
        table_cell(table, *name);
        table_integer(table, (int64_t)first);
        table_cell(table, amounts_of(table->document, &busy_ps[first], end - first, true));
        table_cell(table, amounts_of(table->document, &bytes[first], end - first, false));
        first = end;
    }
}

static struct cell bins_of(struct document *document, const struct result *result)
{
    static const char *const names[] = {"link", "first", "busy_s", "bytes"};
    const struct result_bins *bins = &result->link_bins;
    size_t n_links;
    const struct links_row *links = result_links(result, &n_links);
    struct table *table = document_inner_table(document);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_column(table, (struct column){.id = names[i]});
    for (size_t i = 0; links != NULL && i < bins->n_links; i++) {
        const struct cell name = cell_of_text(links[bins->link[i]].link);
        add_stretches(table, bins, i, &name);
    }
    return cell_of_table(table, CELL_ROWS);
}

static struct cell notes_of(struct document *document, const struct study_run *run)
{
    struct table *list = document_inner_list(document);
    for (int note = 0; note < NOTE_BASIS; note++) /* that is in the answer */
        if (run->notes != NULL && run->notes->texts[note] != NULL)
            table_text(list, run->notes->texts[note]);
    return cell_of_table(list, CELL_LIST);
}

/* A state of every processor, rank by rank. */
static struct cell states_of(struct document *document, const struct study_run *run, int state)
{
    struct table *list = document_inner_list(document);
    for (int i = 0; i < run->result.n_processors; i++)
        table_real(list, (double)run->result.state_ps[run_processor_at(run, i)][state] / 1e12);
    return cell_of_table(list, CELL_LIST);
}

/* The ranks of the same processors, or their numbers within these. */
static struct cell places_of(struct document *document, const struct study_run *run, bool within_rank)
{
    struct table *list = document_inner_list(document);
    int n_each = run_processors_per_rank(run);
    for (int i = 0; i < run->result.n_processors; i++)
        table_integer(list, within_rank ? i % n_each : i / n_each);
    return cell_of_table(list, CELL_LIST);
}

/* --- a run, as a record --- */

static void put_parameters(struct sparse_row *row, const struct study_run *run)
{
    for (int i = 0; i < run->n_parameters; i++) {
        const struct study_parameter *parameter = &run->parameters[i];
        struct cell cell = cell_of_parameter(parameter);
        if (!parameter->is_number && parameter->text[0] == '\0') /* of stored runs, one that this run does not have */
            cell.kind = CELL_NONE;
        unsigned flags = COLUMN_PARAMETER | (parameter->is_label ? COLUMN_LABEL : 0);
        sparse_put(row, (struct column){.group = "parameters", .id = parameter->name, .flags = flags}, cell);
    }
}

static void put_measures(struct sparse_row *row, const struct result *result)
{
    for (size_t i = 0; i < result->n_measures; i++) {
        const struct measure *measure = &result->measures[i];
        sparse_put(row,
                   (struct column){.group = measure->of->group[0] != '\0' ? measure->of->group : NULL,
                                   .id = measure->of->name,
                                   .unit = measure_unit(measure)},
                   cell_of_value(measure->of->type, measure_number(measure), measure_value(measure)));
    }
}

static void put_record(struct sparse_row *row, const struct result_table *table)
{
    const struct table_spec *spec = &table_specs[table->id];
    for (size_t c = 0; c < spec->n_columns && table->n_rows > 0; c++)
        if (result_has_column(table, c))
            sparse_put(row, (struct column){.group = spec->name, .id = spec->columns[c].name},
                       cell_of_result(table, 0, c));
}

/* Put what a run has beside its measures. The lists are made when the row is filled in. */
static void put_lists(struct sparse_row *row, const struct study_run *run)
{
    struct document *document = row->table->document;
    const struct cell none = {.kind = CELL_NONE};
    for (const struct result_table *table = run->result.tables; table < run->result.tables + run->result.n_tables;
         table++)
        if (table_specs[table->id].place == AS_RECORD)
            put_record(row, table);
        else
            sparse_put(row,
                       (struct column){.id = table_specs[table->id].name,
                                       .flags = COLUMN_BESIDE | (table->of_detail ? COLUMN_DETAIL : 0)},
                       row->fills ? rows_of(document, table) : none);
    if (run->result.link_bins.n_links > 0) {
        const double bin_s = (double)run->result.link_bins.bin_ps / 1e12;
        sparse_put(row, (struct column){.group = "link_bins", .id = "bin_s"}, cell_of_real(bin_s));
        sparse_put(row, (struct column){.group = "link_bins", .id = "rows", .flags = COLUMN_BESIDE | COLUMN_DETAIL},
                   row->fills ? bins_of(document, &run->result) : none);
    }
    for (int s = 0; s < N_LOCATION_STATES; s++)
        if (run_has_state(run, s))
            sparse_put(
                row, (struct column){.group = "process_state_s", .id = location_state_names[s], .flags = COLUMN_BESIDE},
                row->fills ? states_of(document, run, s) : none);
    static const char *const places[] = {"rank", "processor"};
    for (int p = 0; p < 2 && run_processors_per_rank(run) > 1; p++)
        sparse_put(row, (struct column){.group = "process", .id = places[p], .flags = COLUMN_BESIDE},
                   row->fills ? places_of(document, run, p == 1) : none);
    sparse_put(row, (struct column){.group = "host", .id = "wall_s", .flags = COLUMN_BESIDE},
               run->peak_rss_bytes > 0 ? cell_of_real(run->wall_s) : none);
    sparse_put(row, (struct column){.group = "host", .id = "events", .flags = COLUMN_BESIDE},
               cell_of_integer(run->events));
    sparse_put(row, (struct column){.group = "host", .id = "peak_rss_bytes", .flags = COLUMN_BESIDE},
               run->peak_rss_bytes > 0 ? cell_of_integer(run->peak_rss_bytes) : none);
}

static struct cell cell_of_name(const char *name)
{
    return name != NULL && name[0] != '\0' ? cell_of_text(name) : (struct cell){.kind = CELL_NONE};
}

static void put_run(struct sparse_row *row, const struct study *study, const struct study_run *run)
{
    const struct cell none = {.kind = CELL_NONE};
    bool discarded = run_is_discarded(run); /* it was not simulated */
    put_parameters(row, run);
    sparse_put(row, (struct column){.id = "platform"}, cell_of_text(run->platform));
    sparse_put(row, (struct column){.id = "network", .flat = "network_used"}, cell_of_text(run->network));
    sparse_put(row, (struct column){.id = "ranks", .flags = COLUMN_BESIDE}, cell_of_integer(run->ranks));
    if (run_processors_per_rank(run) > 1)
        sparse_put(row, (struct column){.id = "processors_per_rank"}, cell_of_integer(run_processors_per_rank(run)));
    if (study->decision != M_NONE || discarded)
        sparse_put(row, (struct column){.id = "discarded"}, discarded ? cell_of_text(run->discarded) : none);
    if (discarded)
        return;
    sparse_put(row, (struct column){.id = "notes", .flags = COLUMN_BESIDE},
               row->fills ? notes_of(row->table->document, run) : none);
    put_measures(row, &run->result);
    if (study->is_ranked) {
        sparse_put(row, (struct column){.id = "dominant"}, cell_of_name(run->dominant));
        sparse_put(row, (struct column){.id = "largest_overhead"}, cell_of_name(run->largest_overhead));
    }
    put_lists(row, run);
}

static void put_run_later(struct sparse_row *row, const void *data, size_t i)
{
    const struct study *study = data;
    put_run(row, study, &study->runs[i]);
}

static void add_runs(struct table *table, const struct study *study, struct study_run *runs, int n_runs)
{
    struct study *copy = xmalloc(sizeof *copy);
    *copy = *study;
    copy->runs = runs;
    document_keep(table->document, copy);
    table_make_later(table, (size_t)n_runs, put_run_later, copy);
}

static void add_timeline(struct document *document, const struct study_run *run, int at)
{
    document_bytes(document, document_format(document, "timeline-%d", at), run->result.timeline,
                   run->result.timeline_length);
}

/* Add the drawings of a page: of the runs that were made again for it, or of those that have a timeline. */
static void add_drawings(struct document *document, const struct study *study)
{
    if (!(document->audience & FOR_PAGE))
        return;
    for (int i = 0; i < study->n_runs; i++)
        if (study->runs[i].result.timeline != NULL)
            add_timeline(document, &study->runs[i], i);
    if (study->drawn == NULL)
        return;
    add_runs(document_table(document, "drawn", NULL, FOR_PAGE), study, study->drawn, study->n_drawn);
    struct table *place = document_table(document, "drawn_at", NULL, FOR_PAGE);
    table_column(place, (struct column){.id = "index"});
    for (int i = 0; i < study->n_drawn; i++) {
        table_integer(place, study->drawn_at[i]);
        add_timeline(document, &study->drawn[i], study->drawn_at[i]);
    }
}

/* --- what runs say together --- */

static struct cell pair_of(struct document *document, int first, int second)
{
    struct table *list = document_inner_list(document);
    table_integer(list, first);
    table_integer(list, second);
    return cell_of_table(list, CELL_LIST);
}

/* A table that says something of the runs, and is left out where it is empty. */
static struct table *new_aside(struct document *document, const char *id, const char *const *names, int count)
{
    struct table *table = document_table(document, id, NULL, FOR_PROGRAMS);
    table->is_aside = table->needs_rows = true;
    for (int i = 0; i < count; i++)
        table_column(table, (struct column){.id = names[i]});
    return table;
}

/* Pairs of alternatives that two networks rank differently, with the indices of their runs. */
static void add_pairs(struct document *document, const struct study *study)
{
    static const char *const names[] = {"network", "order", "other_network", "other_order"};
    struct table *table = new_aside(document, "ranked_differently", names, 4);
    struct ranking_pairs found;
    ranking_find_pairs(&found, study);
    for (int i = 0; i < found.n_pairs; i++) {
        const struct ranking_pair *pair = &found.pairs[i];
        table_text(table, study->runs[pair->first[0]].network);
        table_cell(table, pair_of(document, pair->first[0], pair->second[0]));
        table_text(table, study->runs[pair->first[1]].network);
        table_cell(table, pair_of(document, pair->second[1], pair->first[1]));
    }
    free(found.pairs);
}

static void add_effects(struct document *document, const struct study *study)
{
    static const char *const names[] = {"parameter", "all_values", "settings", "of", "reason", "runs", "text"};
    struct table *table = new_aside(document, "without_effect", names, 7);
    int n_effects;
    struct no_effect *effects = no_effect_find(&n_effects, study);
    for (int i = 0; i < n_effects; i++) {
        table_text(table, study->runs[0].parameters[effects[i].parameter].name);
        table_cell(table, cell_of_flag(effects[i].all));
        table_integer(table, effects[i].n_settings);
        table_integer(table, effects[i].n_others);
        table_text(table, no_effect_reason_names[effects[i].reason]);
        table_cell(table, pair_of(document, effects[i].first, effects[i].second));
        table_text(table, document_own(document, no_effect_describe(study, &effects[i], FOR_PROGRAMS)));
    }
    free(effects);
}

void section_data(struct document *document, const struct study *study)
{
    document_fact(document, (struct column){.id = "simrun"}, cell_of_text(study->version));
    document_fact(document, (struct column){.id = "scenario"}, cell_of_text(study->scenario));
    add_runs(document_table(document, "runs", NULL, FOR_PROGRAMS), study, study->runs, study->n_runs);
    add_drawings(document, study);
    if (study->models != NULL)
        section_data_models(document, study->models);
    section_data_topologies(document, study);
    add_pairs(document, study);
    add_effects(document, study);
}
