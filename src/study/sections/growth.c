/* Which part of the time grows fastest: a sentence for functions and one for scopes, and tables of the parts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/growth.h"
#include "study/models/growth_words.h"
#include "study/sections/sections.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAST_SHARE 0.005 /* smaller rows are for those who ask */
enum { MOST_ROWS = 12, MOST_SERIES = 4 };

static const char *const group_titles[N_PARTS_GROUPS] = {
    [PARTS_FUNCTIONS] = "The time by function of the message library", [PARTS_SCOPES] = "The time by scope"};

struct growth_section {
    struct document *document;
    const struct study *study;
    const struct models *models;
    const struct growth *growth;
};

/* ---- The table ---- */

/* True if a formula can be told; where there are too few places, none is, and the table has the measured values. */
static bool is_any_told(const struct growth *growth)
{
    for (int i = 0; i < growth->n_rows; i++)
        if (growth->rows[i].is_told)
            return true;
    return false;
}

/* "at 64" */
static const char *head_at(const struct growth_section *section, double x)
{
    return document_format(section->document, x < 1e9 && x == floor(x) ? "at %.0f" : "at %.4g", x);
}

static void add_columns(struct table *table, const struct growth_section *section)
{
    const struct growth *growth = section->growth;
    const char *first = head_at(section, growth->first), *last = head_at(section, growth->last);
    const struct column part = {.id = "part", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT};
    const struct column measured[] = {
        {.id = "first_share", .head = first, .unit = UNIT_SHARE},
        {.id = "last_share", .head = last, .unit = UNIT_SHARE},
        {.id = "first", .head = first, .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT | COLUMN_BEGINS},
        {.id = "last", .head = last, .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
    };
    const struct column told[] = {
        {.id = "last_share", .head = last, .unit = UNIT_SHARE},
        {.id = "formula", .head = "formula (s)", .unit = UNIT_TEXT, .flags = COLUMN_LEFT},
        {.id = "share", .head = head_at(section, growth->at), .unit = UNIT_SHARE},
        {.id = "value", .head = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "band", .head = "95 % band", .unit = UNIT_TEXT},
        {.id = "supported", .unit = UNIT_TEXT},
        {.id = "exponent", .head = "power", .unit = UNIT_NUMBER},
    };
    bool is_told = is_any_told(growth);
    table_column(table, part);
    for (size_t c = 0; c < (is_told ? sizeof told / sizeof told[0] : sizeof measured / sizeof measured[0]); c++)
        table_column(table, is_told ? told[c] : measured[c]);
}

static void add_time(struct table *table, double seconds)
{
    struct cell cell = cell_of_real(seconds);
    if (isfinite(seconds))
        table_cell(table, seconds == 0 ? cell_shown(cell, "0") : cell);
    else
        table_none(table);
}

/* "45 ... 249 ms", of which the larger one has the unit. */
static void add_band(struct table *table, const struct regression_forecast *forecast)
{
    if (!isfinite(forecast->low) || !isfinite(forecast->high)) {
        table_text(table, isnan(forecast->low) ? "-" : "any");
        return;
    }
    struct scale scale = scale_for(UNIT_SECONDS, forecast->high);
    table_text(table, document_format(table->document, "%.3g ... %.3g %s", forecast->low * scale.factor,
                                      forecast->high * scale.factor, scale.name));
}

/* "MPI_Recv", "MPI_Barrier: wait at barrier", and of a kind in the row before it "  late sender". */
static void add_name(struct table *table, const struct growth_row *row)
{
    struct builder name = {0};
    builder_add(&name, "%s%s", row->is_inner ? "  " : "", row->is_inner ? part_kind_name(row->kind) : row->name);
    if (!row->is_inner && row->kind != DOING_MIXED && row->type != GROWTH_KIND)
        builder_add(&name, ": %s", part_kind_name(row->kind));
    table_text(table, document_own(table->document, builder_take(&name)));
}

static void add_told(struct table *table, const struct growth_section *section, const struct growth_row *row)
{
    char formula[400] = "-", exponent[20];
    double grows = row->way == GROWTH_CONSTANT ? 0 : row->exponent;
    if (row->is_told)
        regression_formula_format(formula, sizeof formula, &row->model->model.best.formula,
                                  section->models->parameters);
    snprintf(exponent, sizeof exponent, "%.2f", grows);
    table_real(table, row->last_share);
    table_text(table, document_format(table->document, "%s", formula));
    table_real(table, row->is_told ? row->share : (double)NAN);
    add_time(table, row->is_told ? row->forecast.value : (double)NAN);
    add_band(table, &row->forecast);
    table_cell(table, cell_of_flag(growth_is_supported(row)));
    if (isnan(grows))
        table_none(table);
    else
        table_cell(table, cell_shown(cell_of_real(grows), document_format(table->document, "%s", exponent)));
}

static void add_cells(struct table *table, const struct growth_section *section, const struct growth_row *row)
{
    add_name(table, row);
    if (is_any_told(section->growth)) {
        add_told(table, section, row);
        return;
    }
    table_real(table, row->first_share);
    table_real(table, row->last_share);
    add_time(table, row->first_s);
    add_time(table, row->last_s);
}

/* True if a row matters to someone reading in brief: all rows that are large, until there are enough. */
static bool is_large(const struct growth_row *row)
{
    return fmax(row->share, fmax(row->first_share, row->last_share)) >= LEAST_SHARE; /* fmax() skips NAN */
}

static void add_rows(struct table *table, const struct growth_section *section)
{
    const struct growth *growth = section->growth;
    int n_shown = 0;
    for (int i = 0; i < growth->n_rows; i++) {
        const struct growth_row *row = &growth->rows[i];
        if (!section->study->verbose && (!is_large(row) || n_shown == MOST_ROWS))
            continue;
        add_cells(table, section, row);
        n_shown++;
    }
    if (n_shown < growth->n_rows)
        document_note(section->document, xformat("... %d smaller: -v.", growth->n_rows - n_shown));
}

/* ---- Notes ---- */

/* "The parts add up to 12.1 s at 64 ranks; the model of the time itself says 11.6 s, 4.1 % less." */
static void note_sum(const struct growth_section *section)
{
    const struct growth *growth = section->growth;
    const struct growth_row *untold = NULL;
    struct builder text = {0};
    for (int i = 0; i < growth->n_rows; i++)
        untold = growth->rows[i].is_told || growth->rows[i].is_inner ? untold : &growth->rows[i];
    if (growth->whole->why[0] != '\0' || growth->whole->model.n_points < REGRESSION_GROWTH_POINTS)
        return;
    double apart = growth->time.value / growth->sum_s - 1;
    builder_add(&text, "The parts add up to ");
    builder_add_time(&text, growth->sum_s);
    builder_add(&text, " at ");
    growth_add_place(&text, section->models, growth->at);
    builder_add(&text, "; the model of the time itself says ");
    builder_add_time(&text, growth->time.value);
    if (fabs(apart) >= 5e-4)
        builder_add(&text, ", %.1f %% %s", 100 * fabs(apart), apart < 0 ? "less" : "more");
    builder_add(&text, ".%s", untold != NULL ? " Parts without a formula are assumed not to change." : "");
    document_note(section->document, builder_take(&text));
}

/* "Not there at 1 rank: MPI_Recv, MPI_Send; ..." */
static void note_absent(const struct growth_section *section, bool at_last)
{
    const struct growth *growth = section->growth;
    struct builder text = {0};
    for (int i = 0; i < growth->n_rows; i++) {
        const struct growth_row *row = &growth->rows[i];
        if (row->is_inner || !is_large(row) || !isnan(at_last ? row->last_s : row->first_s))
            continue;
        const char *before = ",";
        if (text.length == 0) {
            builder_add(&text, "Not there at ");
            growth_add_place(&text, section->models, at_last ? growth->last : growth->first);
            before = ":";
        }
        builder_add(&text, "%s %s%s", before, row->name, row->is_told || at_last ? "" : " (too few others)");
    }
    if (text.length > 0)
        builder_add(&text, "%s",
                    at_last ? "; so there is no prediction for it." : "; its formula is from the other runs.");
    if (text.length > 0)
        document_note(section->document, builder_take(&text));
}

/* Computation of a rank that does not fall is work that others have done before, or more of it. */
static void note_computation(const struct growth_section *section)
{
    const struct growth *growth = section->growth;
    for (int i = 0; i < growth->n_rows && section->models->over_ranks; i++) {
        const struct growth_row *row = &growth->rows[i];
        if (row->is_inner || row->kind != DOING_COMPUTATION || growth->group != PARTS_FUNCTIONS || !row->is_told)
            continue;
        bool scatters = row->forecast.doubts & (REGRESSION_SCATTER | REGRESSION_ABOVE | REGRESSION_BELOW);
        if (!scatters && (row->way == GROWTH_CONSTANT || row->way == GROWTH_GROWS))
            document_note(section->document, xstrdup("Computation per rank does not fall with the ranks: all do the "
                                                     "same work (replicated), or the problem grows with them."));
    }
}

/* How many of a model's runs have more than one rank, as far as that is what it is over. */
static int count_parallel(const struct growth_section *section, const struct model *model)
{
    int count = 0;
    for (int i = 0; i < model->n_points; i++)
        count += !section->models->over_ranks || model->points[i].x[0] > 1;
    return count;
}

/* Warn if no function is called in all runs of several ranks, in traces that have some. */
static void note_programs(const struct growth_section *section)
{
    const struct growth *growth = section->growth;
    int n_functions = 0, n_common = 0, n_runs = count_parallel(section, growth->whole);
    for (int i = 0; i < growth->n_rows; i++) {
        const struct growth_row *row = &growth->rows[i];
        bool is_function = !row->is_inner && row->type == GROWTH_NAMED;
        n_functions += is_function;
        n_common += is_function && count_parallel(section, row->model) == n_runs;
    }
    if (growth->group == PARTS_FUNCTIONS && n_functions > 0 && n_common == 0)
        document_note(section->document,
                      xstrdup("Warning: no function is called in all runs. Are they runs of the same program?"));
}

static bool has_functions(const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++)
        if (result_find_table(&study->runs[i].result, TABLE_FUNCTIONS) != NULL)
            return true;
    return false;
}

static void describe_group(struct growth_section *section, int group)
{
    const struct growth *growth = section->growth;
    bool are_states = group == PARTS_FUNCTIONS && !has_functions(section->study);
    struct builder title = {0};
    builder_add(&title, "%s, mean of a rank, over %s = ", are_states ? "The time by state" : group_titles[group],
                section->models->parameters[0]);
    builder_add(&title, "%.4g ... %.4g", growth->first, growth->last);
    if (growth->series[0] != '\0')
        builder_add(&title, ", %s", growth->series);
    struct table *table = document_table(section->document, group == PARTS_FUNCTIONS ? "growth" : "scope_growth",
                                         document_own(section->document, builder_take(&title)), FOR_READERS);
    table->chart = CHART_BAR;
    add_columns(table, section);
    add_rows(table, section);
    note_sum(section);
    note_absent(section, false);
    note_absent(section, true);
    note_computation(section);
    note_programs(section);
    if (are_states)
        document_note(section->document, xstrdup("Functions are known only for traces."));
}

/* Headlines first, tables behind them. */
static void describe_series(struct document *document, const struct study *study, int series, int at)
{
    struct growth growths[N_PARTS_GROUPS];
    struct growth_section section = {document, study, study->models, NULL};
    for (int g = 0; g < N_PARTS_GROUPS; g++)
        growth_make(&growths[g], study->models, series, g, at);
    for (int pass = 0; pass < 2; pass++)
        for (int g = 0; g < N_PARTS_GROUPS; g++) {
            section.growth = &growths[g];
            if (growths[g].n_rows > 0 && pass == 0)
                document_sentence(document, growth_describe(study->models, &growths[g]));
            else if (growths[g].n_rows > 0)
                describe_group(&section, g);
        }
    for (int g = 0; g < N_PARTS_GROUPS; g++)
        growth_dispose(&growths[g]);
}

void section_growth(struct document *document, const struct study *study)
{
    const struct models *models = study->models;
    if (!models->explains)
        return;
    for (int s = 0; s < models->n_series && (study->verbose || s < MOST_SERIES); s++)
        for (int at = 0; at < models->n_at; at++)
            describe_series(document, study, s, at);
    if (models->n_series > MOST_SERIES && !study->verbose)
        document_note(document, xformat("... %d series more: -v.", models->n_series - MOST_SERIES));
}
