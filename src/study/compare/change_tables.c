/* The tables of a comparison: settings that differ, and measures that moved.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/tables.h"

#include "base/memory.h"
#include "study/compare/changes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- settings and measures: both are the array "differences" for programs --- */

struct pair {
    const struct compare_version *sides[2];
    bool is_one_of_several; /* its rows say of which version they are */
};

static struct pair pair_of(const struct comparison *comparison, int version)
{
    return (struct pair){{&comparison->versions[0], &comparison->versions[version]}, comparison->n_versions > 2};
}

static struct table *new_table(struct document *document, const char *title, const char *id, const char *head,
                               const struct pair *pair, enum audience audience)
{
    static const char *const ids[] = {"first", "second"};
    struct table *table = document_table(document, "differences", title, audience);
    table_column(table, (struct column){.id = id, .head = head, .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    if (pair->is_one_of_several)
        table_column(table, (struct column){.id = "version", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    for (int side = 0; side < 2; side++)
        table_column(table, (struct column){.id = ids[side], .head = pair->sides[side]->name, .unit = UNIT_NUMBER});
    return table;
}

static void add_key(struct table *table, const struct pair *pair, const char *name)
{
    table_text(table, name);
    if (pair->is_one_of_several)
        table_text(table, pair->sides[1]->name);
}

void comparison_add_settings(struct document *document, const struct comparison *comparison, int version)
{
    const struct pair pair = pair_of(comparison, version);
    struct comparison_settings settings = comparison_find_settings(pair.sides);
    struct table *table = new_table(document, "What differs", "setting", "what", &pair, FOR_ALL);
    for (size_t i = 0; i < settings.count; i++) {
        add_key(table, &pair, document_format(document, "%s", settings.items[i].name));
        for (int side = 0; side < 2; side++) {
            const char *text = settings.items[i].texts[side];
            table_text(table, document_format(document, "%s", text != NULL ? text : ""));
        }
    }
    if (settings.count == 0 && comparison->are_stored_runs)
        document_heading(document, xstrdup("All settings are the same."));
    comparison_settings_dispose(&settings);
}

/* Four digits, and the unit of a time; a change has a sign. */
static const char *show(struct document *document, const struct measure *measure, double value, bool is_change)
{
    char text[64];
    bool whole = measure->of->type == MEASURE_COUNT && fabs(value) < 1e7, none = value >= 0 && value <= 0;
    enum unit unit = measure->of->type == MEASURE_TIME && !none ? UNIT_SECONDS : UNIT_COUNT;
    if (isnan(value))
        return "-";
    if (unit == UNIT_SECONDS || whole)
        scale_format(text, sizeof text, unit, fabs(value));
    else
        snprintf(text, sizeof text, "%.4g", fabs(value));
    return document_format(document, "%s%s", value < 0 ? "-" : is_change && value > 0 ? "+" : "", text);
}

static void add_value(struct table *table, const struct comparison_move *move, double value, bool is_change)
{
    table_cell(table, cell_shown(cell_of_real(value), show(table->document, move->measure, value, is_change)));
}

/* True if readers are told a move: it is a hundredth at least, one of the five largest of its group, and no less than a
 * hundredth of the largest. */
static bool is_told(const struct comparison_moves *moves, size_t i)
{
    enum { MOST = 5 };
    size_t first = i;
    const struct comparison_move *move = &moves->items[i];
    while (first > 0 && moves->items[first - 1].group == move->group)
        first--;
    double largest = comparison_change(&moves->items[first]);
    if (fabs(comparison_change(move)) < 0.01 * fabs(move->values[0]))
        return false;
    return move->measure->of->group[0] == '\0' ||
           (i < first + MOST && !(fabs(comparison_change(move)) < 0.01 * fabs(largest)));
}

/* All of them for programs, those that matter for readers; how many are not told. */
static int add_moves(struct document *document, const struct pair *pair, const struct comparison_moves *moves,
                     enum audience audience)
{
    struct table *table = new_table(document, "What changed", "measure", NULL, pair, audience);
    int n_untold = 0;
    table_column(table, (struct column){.id = "change", .unit = UNIT_NUMBER});
    table_column(table, (struct column){.id = "factor", .unit = UNIT_SLOWDOWN});
    for (size_t i = 0; i < moves->count; i++) {
        const struct comparison_move *move = &moves->items[i];
        double factor = move->values[1] / move->values[0];
        if (audience == FOR_READERS && !is_told(moves, i)) {
            n_untold++;
            continue;
        }
        add_key(table, pair, document_own(document, measure_key(move->measure)));
        add_value(table, move, move->values[0], false);
        add_value(table, move, move->values[1], false);
        add_value(table, move, comparison_change(move), true);
        table_cell(table, cell_shown(cell_of_real(factor), isfinite(factor) ? NULL : "-"));
    }
    return n_untold;
}

void comparison_add_measures(struct document *document, const struct comparison *comparison, int version)
{
    const struct pair pair = pair_of(comparison, version);
    struct comparison_moves moves = comparison_find_moves(pair.sides);
    add_moves(document, &pair, &moves, FOR_PROGRAMS);
    int n_untold = add_moves(document, &pair, &moves, FOR_READERS);
    if (moves.count == 0)
        document_heading(document, xstrdup("No measure changed."));
    if (n_untold > 0)
        document_note(document, xformat("%d smaller change%s: --format json", n_untold, n_untold == 1 ? "" : "s"));
    free(moves.items);
}
