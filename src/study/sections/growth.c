/* Which part of the time grows fastest: in a sentence for functions and for scopes, and a table of the parts. */
#include "study/models/growth.h"
#include "study/sections/sections.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.005 /* smaller rows are for those who ask */
enum { MOST_ROWS = 12, MOST_SERIES = 4 };

/* What the rows of a group are, and the word before the name of one. */
static const struct {
    const char *title, *of, *by[2]; /* by: at the beginning of a sentence, and behind something */
} group_words[N_PARTS_GROUPS] = {
    [PARTS_FUNCTIONS] = {"The time by function of the message library", "in ", {"", ""}},
    [PARTS_SCOPES] = {"The time by scope", "in scope ", {"By scope: ", "by scope: "}},
};

struct telling {
    struct document *document;
    const struct study *study;
    const struct models *models;
    const struct growth *growth;
};

/* ---- Words ---- */

/* "64 ranks", "N = 960". */
static void add_place(struct builder *text, const struct models *models, double x)
{
    if (!models->over_ranks)
        builder_add(text, "%s = ", models->parameters[0]);
    builder_add(text, x < 1e9 && x == floor(x) ? "%.0f" : "%.4g", x);
    if (models->over_ranks)
        builder_add(text, x == 1 ? " rank" : " ranks");
}

/* "computation", "transfer in MPI_Bcast", "waiting in scope solve (late sender)". */
static void add_part(struct builder *text, const struct growth *growth, const struct growth_row *row)
{
    bool is_named = growth->group == PARTS_SCOPES || part_kind_named(row->name) == PART_MIXED;
    builder_add(text, "%s", part_kind_name(row->kind > PART_WAITING ? PART_WAITING : row->kind));
    if (is_named && strcmp(row->name, PARTS_NO_FUNCTION) == 0)
        builder_add(text, " outside of functions");
    else if (is_named)
        builder_add(text, " %s%s", group_words[growth->group].of, row->name);
    if (row->kind > PART_WAITING && row->kind < N_PART_KINDS)
        builder_add(text, " (%s)", part_kind_name(row->kind));
}

static void add_percent(struct builder *text, double share)
{
    builder_add(text, share >= 0.0995 || share == 0 ? "%.0f" : "%.1f", 100 * share);
}

/* "58 % (41 to 71 %)". */
static void add_share(struct builder *text, const struct growth_row *row)
{
    add_percent(text, row->share);
    builder_add(text, " %% (");
    add_percent(text, row->share_low);
    builder_add(text, " to ");
    add_percent(text, row->share_high);
    builder_add(text, " %%)");
}

static bool is_supported(const struct growth_row *row)
{
    return row->is_told && (row->forecast.doubts & REGRESSION_UNSUPPORTED) == 0;
}

/* ---- The headline ---- */

static void add_way(struct builder *text, const struct telling *telling, const struct growth_row *row)
{
    char term[120];
    growth_term(term, sizeof term, telling->models, row);
    if (row->way == GROWTH_LEVELS_OFF)
        builder_add(text, ", towards a bound");
    else
        builder_add(text, ", as %s", term);
}

/* ". Not supported by the data: the band is wider than the value"; the first sentence says why. */
static void add_doubts(struct builder *text, const struct growth *growth, const struct growth_row *row)
{
    const char *before = ": ";
    if (!is_supported(row))
        builder_add(text, ". Not supported by the data");
    for (int d = 0; growth->group == PARTS_FUNCTIONS && models_doubts[d].words != NULL; d++)
        if (row->forecast.doubts & models_doubts[d].doubt) {
            builder_add(text, "%s%s", before, models_doubts[d].words);
            before = "; ";
        }
}

static void tell_growing(struct builder *text, const struct telling *telling)
{
    const struct growth *growth = telling->growth;
    const struct growth_row *most = &growth->rows[growth->most];
    const struct growth_row *fastest = growth->fastest >= 0 ? &growth->rows[growth->fastest] : most;
    builder_add(text, "%s ", text->length > 0 ? "at" : "At");
    add_place(text, telling->models, growth->at);
    builder_add(text, " ");
    add_share(text, most);
    builder_add(text, " of the time will be ");
    add_part(text, growth, most);
    builder_add(text, ": it %s", most == fastest ? "grows fastest" : "adds most to the time");
    add_way(text, telling, most);
    add_doubts(text, growth, most);
    if (most == fastest)
        return;
    builder_add(text, ". Faster grows ");
    add_part(text, growth, fastest);
    add_way(text, telling, fastest);
    builder_add(text, ", to ");
    add_share(text, fastest);
    if (!is_supported(fastest))
        builder_add(text, ", which is not supported");
}

/* The largest row of one kind, of which there is a forecast; NULL: none. */
static const struct growth_row *find_largest(const struct growth *growth)
{
    const struct growth_row *largest = NULL;
    for (int i = 0; i < growth->n_rows; i++)
        if (growth->rows[i].kind != PART_MIXED && growth->rows[i].is_told &&
            (largest == NULL || growth->rows[i].share > largest->share))
            largest = &growth->rows[i];
    return largest;
}

static void tell_none(struct builder *text, const struct telling *telling, const struct growth_row *largest)
{
    builder_add(text, "%s part is seen to grow; at ", text->length > 0 ? "no" : "No");
    add_place(text, telling->models, telling->growth->at);
    builder_add(text, " ");
    add_share(text, largest);
    builder_add(text, " of the time will be ");
    add_part(text, telling->growth, largest);
    add_doubts(text, telling->growth, largest);
}

/* What was measured, where there are too few places for more. */
static void tell_measured(struct builder *text, const struct telling *telling)
{
    const struct growth *growth = telling->growth;
    const struct growth_row *row = growth->most_measured >= 0 ? &growth->rows[growth->most_measured] : NULL;
    if (row == NULL) {
        builder_add(text, "%s part has grown", text->length > 0 ? "no" : "No");
    } else {
        builder_add(text, "%s ", text->length > 0 ? "from" : "From");
        add_place(text, telling->models, growth->first);
        builder_add(text, " to ");
        add_place(text, telling->models, growth->last);
        builder_add(text, " ");
        add_part(text, growth, row);
        builder_add(text, " grew most, from ");
        add_percent(text, isnan(row->first_share) ? 0 : row->first_share);
        builder_add(text, " to ");
        add_percent(text, row->last_share);
        builder_add(text, " %% of the time");
    }
    if (growth->group == PARTS_FUNCTIONS)
        builder_add(text, ". %d different values of %s tell no formula: it takes %d, and %d to support one",
                    growth->n_places, telling->models->parameters[0], REGRESSION_GROWTH_POINTS,
                    REGRESSION_FEW_POINTS + 1);
}

static void add_headline(const struct telling *telling)
{
    const struct growth *growth = telling->growth;
    const struct growth_row *largest = find_largest(growth);
    struct builder text = {0};
    if (growth->series[0] != '\0')
        builder_add(&text, "%s: ", growth->series);
    builder_add(&text, "%s", group_words[growth->group].by[text.length > 0]);
    if (growth->most >= 0)
        tell_growing(&text, telling);
    else if (largest != NULL)
        tell_none(&text, telling, largest);
    else
        tell_measured(&text, telling);
    builder_add(&text, ".");
    document_sentence(telling->document, builder_take(&text));
}

/* ---- The table ---- */

/* Of places with too few others to tell a formula the table has what was measured. */
static bool is_any_told(const struct growth *growth)
{
    for (int i = 0; i < growth->n_rows; i++)
        if (growth->rows[i].is_told)
            return true;
    return false;
}

/* "at 64" */
static const char *head_at(const struct telling *telling, double x)
{
    return document_format(telling->document, x < 1e9 && x == floor(x) ? "at %.0f" : "at %.4g", x);
}

static void add_columns(struct table *table, const struct telling *telling)
{
    const struct growth *growth = telling->growth;
    const char *first = head_at(telling, growth->first), *last = head_at(telling, growth->last);
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
        {.id = "share", .head = head_at(telling, growth->at), .unit = UNIT_SHARE},
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
    if (!row->is_inner && row->kind != PART_MIXED && strcmp(row->name, part_kind_name(row->kind)) != 0)
        builder_add(&name, ": %s", part_kind_name(row->kind));
    table_text(table, document_own(table->document, builder_take(&name)));
}

static void add_told(struct table *table, const struct telling *telling, const struct growth_row *row)
{
    char formula[400] = "-", exponent[20];
    double grows = row->way == GROWTH_CONSTANT ? 0 : row->exponent;
    if (row->is_told)
        regression_formula_format(formula, sizeof formula, &row->model->model.best.formula,
                                  telling->models->parameters);
    snprintf(exponent, sizeof exponent, "%.2f", grows);
    table_real(table, row->last_share);
    table_text(table, document_format(table->document, "%s", formula));
    table_real(table, row->is_told ? row->share : (double)NAN);
    add_time(table, row->is_told ? row->forecast.value : (double)NAN);
    add_band(table, &row->forecast);
    table_cell(table, cell_of_flag(is_supported(row)));
    if (isnan(grows))
        table_none(table);
    else
        table_cell(table, cell_shown(cell_of_real(grows), document_format(table->document, "%s", exponent)));
}

static void add_cells(struct table *table, const struct telling *telling, const struct growth_row *row)
{
    add_name(table, row);
    if (is_any_told(telling->growth)) {
        add_told(table, telling, row);
        return;
    }
    table_real(table, row->first_share);
    table_real(table, row->last_share);
    add_time(table, row->first_s);
    add_time(table, row->last_s);
}

/* Those that matter to who reads in brief: all that are large, until there are enough. */
static bool is_large(const struct growth_row *row)
{
    return fmax(row->share, isnan(row->last_share) ? 0 : row->last_share) >= LEAST_SHARE;
}

static void add_rows(struct table *table, const struct telling *telling)
{
    const struct growth *growth = telling->growth;
    int n_shown = 0;
    for (int i = 0; i < growth->n_rows; i++) {
        const struct growth_row *row = &growth->rows[i];
        if (!telling->study->verbose && (!is_large(row) || n_shown == MOST_ROWS))
            continue;
        add_cells(table, telling, row);
        n_shown++;
    }
    if (n_shown < growth->n_rows)
        document_note(telling->document, xformat("... %d smaller: -v.", growth->n_rows - n_shown));
}

/* ---- Notes ---- */

/* "The parts add up to 12.1 s at 64 ranks; the model of the time itself says 11.6 s, 4.1 % less." */
static void note_sum(const struct telling *telling)
{
    const struct growth *growth = telling->growth;
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
    add_place(&text, telling->models, growth->at);
    builder_add(&text, "; the model of the time itself says ");
    builder_add_time(&text, growth->time.value);
    if (fabs(apart) >= 5e-4)
        builder_add(&text, ", %.1f %% %s", 100 * fabs(apart), apart < 0 ? "less" : "more");
    builder_add(&text, ".%s", untold != NULL ? " What has no formula is taken as it was." : "");
    document_note(telling->document, builder_take(&text));
}

/* "Not there at 1 rank: MPI_Recv, MPI_Send; ..." */
static void note_absent(const struct telling *telling, bool at_last)
{
    const struct growth *growth = telling->growth;
    struct builder text = {0};
    for (int i = 0; i < growth->n_rows; i++) {
        const struct growth_row *row = &growth->rows[i];
        if (row->is_inner || !is_large(row) || !isnan(at_last ? row->last_s : row->first_s))
            continue;
        if (text.length == 0) {
            builder_add(&text, "Not there at ");
            add_place(&text, telling->models, at_last ? growth->last : growth->first);
        }
        builder_add(&text, "%s %s%s", strchr(text.text, ':') == NULL ? ":" : ",", row->name,
                    row->is_told || at_last ? "" : " (too few others)");
    }
    if (text.length > 0)
        builder_add(&text, "%s",
                    at_last ? "; so nothing is said of it further out." : "; what is said of it is of the other runs.");
    if (text.length > 0)
        document_note(telling->document, builder_take(&text));
}

/* Computation of a rank that does not fall is work that others have done before, or more of it. */
static void note_computation(const struct telling *telling)
{
    const struct growth *growth = telling->growth;
    for (int i = 0; i < growth->n_rows && telling->models->over_ranks; i++) {
        const struct growth_row *row = &growth->rows[i];
        if (row->is_inner || row->kind != PART_COMPUTATION || growth->group != PARTS_FUNCTIONS || !row->is_told)
            continue;
        if (row->way == GROWTH_CONSTANT || row->way == GROWTH_GROWS)
            document_note(telling->document,
                          xstrdup("Computation of a rank does not fall with the ranks: the same work is done by all "
                                  "(replicated), or the problem grows with them."));
    }
}

/* How many of a model's runs have more than one rank, as far as that is what it is over. */
static int count_parallel(const struct telling *telling, const struct model *model)
{
    int count = 0;
    for (int i = 0; i < model->n_points; i++)
        count += !telling->models->over_ranks || model->points[i].x[0] > 1;
    return count;
}

/* Whether any function is called in all runs of several ranks, of traces that have some. */
static void note_programs(const struct telling *telling)
{
    const struct growth *growth = telling->growth;
    int n_functions = 0, n_common = 0, n_runs = count_parallel(telling, growth->whole);
    for (int i = 0; i < growth->n_rows; i++) {
        const struct growth_row *row = &growth->rows[i];
        bool is_function =
            !row->is_inner && part_kind_named(row->name) == PART_MIXED && strcmp(row->name, PARTS_NO_FUNCTION) != 0;
        n_functions += is_function;
        n_common += is_function && count_parallel(telling, row->model) == n_runs;
    }
    if (growth->group == PARTS_FUNCTIONS && n_functions > 0 && n_common == 0)
        document_note(telling->document,
                      xstrdup("Warning: no function is called in all runs. Are they of one program?"));
}

static bool has_functions(const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++)
        if (result_find_table(&study->runs[i].result, "functions") != NULL)
            return true;
    return false;
}

static void tell(struct telling *telling, int group)
{
    const struct growth *growth = telling->growth;
    bool are_states = group == PARTS_FUNCTIONS && !has_functions(telling->study);
    struct builder title = {0};
    builder_add(&title, "%s, mean of a rank, over %s = ", are_states ? "The time by state" : group_words[group].title,
                telling->models->parameters[0]);
    builder_add(&title, "%.4g ... %.4g", growth->first, growth->last);
    if (growth->series[0] != '\0')
        builder_add(&title, ", %s", growth->series);
    struct table *table = document_table(telling->document, group == PARTS_FUNCTIONS ? "growth" : "scope_growth",
                                         document_own(telling->document, builder_take(&title)), FOR_READERS);
    table->chart = CHART_BAR;
    add_columns(table, telling);
    add_rows(table, telling);
    note_sum(telling);
    note_absent(telling, false);
    note_absent(telling, true);
    note_computation(telling);
    note_programs(telling);
    if (are_states)
        document_note(telling->document, xstrdup("Functions are known of traces only."));
}

/* Headlines first, tables behind them. */
static void tell_series(struct document *document, const struct study *study, int series, int at)
{
    struct growth growths[N_PARTS_GROUPS];
    struct telling telling = {document, study, study->models, NULL};
    for (int g = 0; g < N_PARTS_GROUPS; g++)
        growth_make(&growths[g], study->models, series, g, at);
    for (int pass = 0; pass < 2; pass++)
        for (int g = 0; g < N_PARTS_GROUPS; g++) {
            telling.growth = &growths[g];
            if (growths[g].n_rows > 0 && pass == 0)
                add_headline(&telling);
            else if (growths[g].n_rows > 0)
                tell(&telling, g);
        }
    for (int g = 0; g < N_PARTS_GROUPS; g++)
        growth_dispose(&growths[g]);
}

void section_growth(struct document *document, const struct study *study)
{
    const struct models *models = study->models;
    if (models == NULL || !models->explains)
        return;
    for (int s = 0; s < models->n_series && (study->verbose || s < MOST_SERIES); s++)
        for (int at = 0; at < models->n_at; at++)
            tell_series(document, study, s, at);
    if (models->n_series > MOST_SERIES && !study->verbose)
        document_note(document, xformat("... %d series more: -v.", models->n_series - MOST_SERIES));
}
