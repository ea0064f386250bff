/* Two runs side by side.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/comparison.h"

#include "base/memory.h"
#include "study/comparison_find.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- the answer --- */

/* "-17.55 s memory.external, -10.49 s processing.cpu": those of one sign, until four fifths of them are told. */
static void add_parts(struct builder *line, const struct comparison_parts *parts, double sign, const char *before)
{
    enum { MOST = 3 };
    double all = 0, told = 0;
    int count = 0;
    for (size_t i = 0; i < parts->count; i++)
        all += fmax(0, sign * parts->items[i].change);
    for (size_t i = 0; i < parts->count && count < MOST && told < 0.8 * all; i++) {
        double change = sign * parts->items[i].change;
        if (change <= 0)
            continue;
        builder_add(line, "%s %c", count++ == 0 ? before : ",", sign > 0 ? '+' : '-');
        builder_add_time(line, change);
        builder_add(line, " %s", parts->items[i].name);
        told += change;
    }
}

/* Add the parts of the difference on the critical path, and those against it, if they are a tenth of it. */
static void add_why(struct builder *line, const struct comparison_parts *parts, double difference)
{
    double sign = difference > 0 ? 1 : -1, against = 0;
    for (size_t i = 0; i < parts->count; i++)
        against += fmax(0, -sign * parts->items[i].change);
    add_parts(line, parts, sign, " On the critical path:");
    if (parts->count > 0 && against >= 0.1 * fabs(difference))
        add_parts(line, parts, -sign, ", partly offset by");
    builder_add(line, parts->count > 0 ? "." : "");
}

/* "Run 7 takes 45.3 % less time than run 3: 3.84 s, not 7.03 s. On the critical path: -3.50 s communication.broadcast,
 * partly offset by +0.32 s processing.cpu." */
static char *describe(const struct comparison_side sides[2], const struct comparison_parts *parts)
{
    double first = run_time(sides[0].run), second = run_time(sides[1].run);
    long long number = (long long)sides[0].number;
    struct builder line = {0};
    if (isnan(first) || isnan(second)) {
        const struct comparison_side *side = &sides[isnan(first) ? 0 : 1];
        return xformat("Run %lld was discarded: %s.", (long long)side->number, side->run->discarded);
    }
    bool same = comparison_is_same(first, second);
    builder_add(&line, "Run %lld takes ", (long long)sides[1].number);
    if (same)
        builder_add(&line, "as long as run %lld: ", number);
    else if (first > 0 && second >= 2 * first)
        builder_add(&line, "%.3g times as long as run %lld: ", second / first, number);
    else
        builder_add(&line, "%.1f %% %s time than run %lld: ", 100 * fabs(second / first - 1),
                    second > first ? "more" : "less", number);
    builder_add_time(&line, second);
    if (!same) {
        builder_add(&line, ", not ");
        builder_add_time(&line, first);
    }
    builder_add(&line, ".");
    if (!same)
        add_why(&line, parts, second - first);
    return builder_take(&line);
}

/* --- facts --- */

static void add_number(struct document *document, const char *id, double number)
{
    document_fact(document, (struct column){.id = id}, cell_of_real(number));
}

static void add_facts(struct document *document, const char *version, const struct comparison_side sides[2],
                      const struct comparison_parts *parts)
{
    double first = run_time(sides[0].run), second = run_time(sides[1].run);
    double difference = comparison_is_same(first, second) ? 0 : second - first;
    document_fact(document, (struct column){.id = "simrun"}, cell_of_text(version));
    document_fact(document, (struct column){.id = "first"}, cell_of_integer(sides[0].number));
    document_fact(document, (struct column){.id = "second"}, cell_of_integer(sides[1].number));
    add_number(document, "first_time_s", first);
    add_number(document, "second_time_s", second);
    add_number(document, "factor", second / first);
    for (size_t i = 0; i < parts->count; i++) /* the component that explains most of it */
        if (parts->items[i].change * difference > 0) {
            document_fact(document, (struct column){.id = "cause"}, cell_of_text(parts->items[i].name));
            add_number(document, "cause_share", parts->items[i].change / difference);
            return;
        }
}

/* --- tables: both are the array "differences" for programs --- */

static struct table *new_table(struct document *document, const char *title, const char *id, const char *head,
                               const struct comparison_side sides[2], enum audience audience)
{
    static const char *const ids[] = {"first", "second"};
    struct table *table = document_table(document, "differences", title, audience);
    table_column(table, (struct column){.id = id, .head = head, .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    for (int side = 0; side < 2; side++)
        table_column(table,
                     (struct column){.id = ids[side],
                                     .head = document_format(document, "run %lld", (long long)sides[side].number),
                                     .unit = UNIT_NUMBER});
    return table;
}

static void add_settings(struct document *document, const struct comparison_side sides[2])
{
    struct comparison_settings settings = comparison_find_settings(sides);
    struct table *table = new_table(document, "What differs", "setting", "what", sides, FOR_ALL);
    for (size_t i = 0; i < settings.count; i++) {
        table_text(table, document_format(document, "%s", settings.items[i].name));
        for (int side = 0; side < 2; side++) {
            const char *text = settings.items[i].texts[side];
            table_text(table, document_format(document, "%s", text != NULL ? text : ""));
        }
    }
    if (settings.count == 0)
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
static int add_moves(struct document *document, const struct comparison_side sides[2],
                     const struct comparison_moves *moves, enum audience audience)
{
    struct table *table = new_table(document, "What changed", "measure", NULL, sides, audience);
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
        table_text(table, document_own(document, measure_key(move->measure)));
        add_value(table, move, move->values[0], false);
        add_value(table, move, move->values[1], false);
        add_value(table, move, comparison_change(move), true);
        table_cell(table, cell_shown(cell_of_real(factor), isfinite(factor) ? NULL : "-"));
    }
    return n_untold;
}

void comparison_document(struct document *document, const char *version, const struct comparison_side sides[2])
{
    struct comparison_parts parts = comparison_find_parts(sides);
    struct comparison_moves moves = comparison_find_moves(sides);
    document->name = "comparison";
    document_sentence(document, describe(sides, &parts));
    add_facts(document, version, sides, &parts);
    add_settings(document, sides);
    add_moves(document, sides, &moves, FOR_PROGRAMS);
    int n_untold = add_moves(document, sides, &moves, FOR_READERS);
    if (moves.count == 0)
        document_heading(document, xstrdup("No measure changed."));
    if (n_untold > 0)
        document_note(document, xformat("%d smaller changes: --format json", n_untold));
    free(parts.items);
    free(moves.items);
}
