#include "report/compare.h"

#include "base/memory.h"
#include "report/compare_find.h"
#include "report/record.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "-17.55 s memory.external, -10.49 s processing.cpu": those of one sign, until four fifths of them are told. */
static char *append_parts(char *line, const struct compare_parts *parts, double sign, const char *before)
{
    enum { MOST = 3 };
    char text[32];
    double all = 0, told = 0;
    int count = 0;
    for (size_t i = 0; i < parts->count; i++)
        all += fmax(0, sign * parts->items[i].change);
    for (size_t i = 0; i < parts->count && count < MOST && told < 0.8 * all; i++) {
        double change = sign * parts->items[i].change;
        if (change <= 0)
            continue;
        line = text_append(line, "%s %c%s %s", count++ == 0 ? before : ",", sign > 0 ? '+' : '-',
                           text_format_time(change, text, sizeof text), parts->items[i].name);
        told += change;
    }
    return line;
}

/* What the difference consists of on the critical path, and what is against it, if that is a tenth of it. */
static char *append_why(char *line, const struct compare_side sides[2], double difference)
{
    struct compare_parts parts = compare_find_parts(sides);
    double sign = difference > 0 ? 1 : -1, against = 0;
    for (size_t i = 0; i < parts.count; i++)
        against += fmax(0, -sign * parts.items[i].change);
    line = append_parts(line, &parts, sign, " On the critical path:");
    if (parts.count > 0 && against >= 0.1 * fabs(difference))
        line = append_parts(line, &parts, -sign, ", partly offset by");
    free(parts.items);
    return parts.count > 0 ? text_append(line, ".") : line;
}

/* "Run 7 takes 45.3 % less time than run 3: 3.84 s, not 7.03 s. On the critical path: -3.50 s communication.broadcast,
 * partly offset by +0.32 s processing.cpu." */
static void write_answer(FILE *stream, const struct compare_side sides[2])
{
    char texts[2][32];
    double first = text_time(sides[0].run), second = text_time(sides[1].run);
    if (isnan(first) || isnan(second)) {
        fprintf(stream, "Run %lld was discarded: %s.\n", (long long)sides[isnan(first) ? 0 : 1].number,
                sides[isnan(first) ? 0 : 1].run->discarded);
        return;
    }
    text_format_time(first, texts[0], sizeof texts[0]);
    text_format_time(second, texts[1], sizeof texts[1]);
    char *line = xformat("Run %lld takes ", (long long)sides[1].number);
    if (compare_is_same(first, second))
        line = text_append(line, "as long as run %lld: %s.", (long long)sides[0].number, texts[1]);
    else if (first > 0 && second >= 2 * first)
        line = text_append(line, "%.3g times as long as run %lld: %s, not %s.", second / first,
                           (long long)sides[0].number, texts[1], texts[0]);
    else
        line = text_append(line, "%.1f %% %s time than run %lld: %s, not %s.", 100 * fabs(second / first - 1),
                           second > first ? "more" : "less", (long long)sides[0].number, texts[1], texts[0]);
    if (!compare_is_same(first, second))
        line = append_why(line, sides, second - first);
    text_write_line(stream, line);
}

/* --- text --- */

static void write_settings(FILE *stream, const struct compare_side sides[2])
{
    struct compare_settings settings = compare_find_settings(sides);
    if (settings.count == 0) {
        fputs("\nNothing that is set differs.\n", stream);
        return;
    }
    struct table *table = table_new();
    table_head(table, "what");
    for (int side = 0; side < 2; side++)
        table_head(table, "run %lld", (long long)sides[side].number);
    for (size_t i = 0; i < settings.count; i++) {
        table_cell(table, "%s", settings.items[i].name);
        for (int side = 0; side < 2; side++)
            table_cell(table, "%s", settings.items[i].texts[side] != NULL ? settings.items[i].texts[side] : "-");
    }
    fputs("\nWhat differs\n", stream);
    table_print(table, stream);
    compare_settings_dispose(&settings);
}

/* Four digits, and the unit of a time; a change has a sign. */
static void write_value(struct table *table, enum measure_type type, double value, bool is_change)
{
    char text[32];
    const char *sign = value < 0 ? "-" : is_change && value > 0 ? "+" : "";
    if (isnan(value))
        table_cell(table, "-");
    else if (type == MEASURE_TIME && (value < 0 || value > 0))
        table_cell(table, "%s%s", sign, text_format_time(fabs(value), text, sizeof text));
    else if (type == MEASURE_COUNT && fabs(value) < 1e7)
        table_cell(table, "%s%.0f", sign, fabs(value));
    else
        table_cell(table, "%s%.4g", sign, fabs(value));
}

/* Whether a move is told in words: one of the five largest of its group, and no hundredth of the largest. */
static bool is_told(const struct compare_moves *moves, size_t i)
{
    enum { MOST = 5 };
    size_t first = i;
    const struct compare_move *move = &moves->items[i];
    while (first > 0 && moves->items[first - 1].group == move->group)
        first--;
    double largest = compare_change(&moves->items[first]);
    return move->measure->group[0] == '\0' ||
           (i < first + MOST && !(fabs(compare_change(move)) < 0.01 * fabs(largest)));
}

static void write_moves(FILE *stream, const struct compare_side sides[2])
{
    struct compare_moves moves = compare_find_moves(sides);
    int n_untold = 0;
    if (moves.count == 0) {
        fputs("\nNo measure moved.\n", stream);
        return;
    }
    struct table *table = table_new();
    table_head(table, "measure");
    for (int side = 0; side < 2; side++)
        table_head(table, "run %lld", (long long)sides[side].number);
    table_head(table, "change");
    table_head(table, "factor");
    for (size_t i = 0; i < moves.count; i++) {
        const struct compare_move *move = &moves.items[i];
        const char *group = move->measure->group;
        if (!is_told(&moves, i)) {
            n_untold++;
            continue;
        }
        table_cell(table, "%s%s%s", group, group[0] != '\0' ? "." : "", move->measure->name);
        for (int side = 0; side < 2; side++)
            write_value(table, move->measure->type, move->values[side], false);
        write_value(table, move->measure->type, compare_change(move), true);
        text_cell_factor(table, move->values[1] / move->values[0]);
    }
    fputs("\nWhat moved\n", stream);
    table_print(table, stream);
    if (n_untold > 0)
        fprintf(stream, "  %d that moved less: --format json\n", n_untold);
    free(moves.items);
}

void compare_write_text(FILE *stream, const struct compare_side sides[2])
{
    write_answer(stream, sides);
    write_settings(stream, sides);
    write_moves(stream, sides);
}

/* --- JSON --- */

/* The component that explains most of a difference of the time; none where there is no difference. */
static void record_cause(struct record *head, const struct compare_parts *parts, double difference)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->items[i].change * difference > 0) {
            record_text(head, "cause", parts->items[i].name);
            record_number(head, "cause_share", parts->items[i].change / difference);
            return;
        }
}

void compare_write_json(FILE *stream, const char *version, const struct compare_side sides[2])
{
    struct compare_settings settings = compare_find_settings(sides);
    struct compare_moves moves = compare_find_moves(sides);
    struct compare_parts parts = compare_find_parts(sides);
    struct record *records = xcalloc(settings.count + moves.count + 1, sizeof *records), head = {.n_fields = 0};
    char **names = xcalloc(moves.count + 1, sizeof(char *));
    double first = text_time(sides[0].run), second = text_time(sides[1].run);
    record_text(&head, "simrun", version);
    record_count(&head, "first", sides[0].number);
    record_count(&head, "second", sides[1].number);
    record_number(&head, "first_time_s", first);
    record_number(&head, "second_time_s", second);
    record_number(&head, "factor", second / first);
    record_cause(&head, &parts, compare_is_same(first, second) ? 0 : second - first);
    for (size_t i = 0; i < settings.count; i++) {
        const struct compare_setting *setting = &settings.items[i];
        record_text(&records[i], "setting", setting->name);
        record_text(&records[i], "first", setting->texts[0] != NULL ? setting->texts[0] : "");
        record_text(&records[i], "second", setting->texts[1] != NULL ? setting->texts[1] : "");
    }
    for (size_t i = 0; i < moves.count; i++) {
        const struct compare_move *move = &moves.items[i];
        struct record *record = &records[settings.count + i];
        const char *group = move->measure->group;
        names[i] = xformat("%s%s%s", group, group[0] != '\0' ? "." : "", move->measure->name);
        record_text(record, "measure", names[i]);
        record_number(record, "first", move->values[0]);
        record_number(record, "second", move->values[1]);
        record_number(record, "change", compare_change(move));
        record_number(record, "factor", move->values[1] / move->values[0]);
    }
    record_write_json(stream, &head, "differences", records, (int)(settings.count + moves.count));
    for (size_t i = 0; i < moves.count; i++)
        free(names[i]);
    free(names);
    free(records);
    compare_settings_dispose(&settings);
    free(moves.items);
    free(parts.items);
}
