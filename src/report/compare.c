#include "report/compare.h"

#include "base/memory.h"
#include "report/components.h"
#include "report/record.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- what is set --- */

/* Something that is set, with its text in either run, both to be freed; NULL where it is not there. */
struct setting {
    char *name, *texts[2];
};

struct settings {
    struct setting *items;
    size_t count, capacity;
};

static void add_setting(struct settings *settings, const char *name, const char *first, const char *second)
{
    if (first != NULL && second != NULL && strcmp(first, second) == 0)
        return;
    settings->items = xgrow(settings->items, settings->count, &settings->capacity, sizeof *settings->items);
    settings->items[settings->count++] = (struct setting){
        xstrdup(name), {first != NULL ? xstrdup(first) : NULL, second != NULL ? xstrdup(second) : NULL}};
}

static void dispose_settings(struct settings *settings)
{
    for (size_t i = 0; i < settings->count; i++) {
        free(settings->items[i].name);
        free(settings->items[i].texts[0]);
        free(settings->items[i].texts[1]);
    }
    free(settings->items);
}

/* What a file has from the place on where another is different: the line's rest, of which a terminal takes anything, with
 * some of what is before it. NULL where the file has ended. */
static char *excerpt(const char *line, const char *place)
{
    enum { BEFORE = 12, LONGEST = 36 };
    if (*line == '\0')
        return NULL;
    while (line < place && (*line == ' ' || *line == '\t'))
        line++;
    const char *from = place - line > BEFORE ? place - BEFORE : line;
    int length = (int)strcspn(from, "\n"), cut = length > LONGEST ? LONGEST : length;
    char *text = xformat("%s%.*s%s", from > line ? "..." : "", cut, from, cut < length ? "..." : "");
    for (char *c = text; *c != '\0'; c++)
        *c = *c >= ' ' && *c <= '~' ? *c : '?';
    return text;
}

/* The first line that differs. */
static void add_file(struct settings *settings, const char *name, const char *first, const char *second)
{
    long number = 1;
    size_t at = 0, line = 0;
    for (; first[at] == second[at] && first[at] != '\0'; at++)
        if (first[at] == '\n') {
            number++;
            line = at + 1;
        }
    if (first[at] == second[at])
        return;
    char *label = xformat("%s, line %ld", name, number), *a = excerpt(first + line, first + at),
         *b = excerpt(second + line, second + at);
    settings->items = xgrow(settings->items, settings->count, &settings->capacity, sizeof *settings->items);
    settings->items[settings->count++] = (struct setting){label, {a, b}};
}

static const char *parameter_text(const struct report_run *run, const char *name)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (strcmp(run->parameters[i].name, name) == 0)
            return run->parameters[i].text;
    return NULL;
}

/* What differs. The contents of files are told where their names are the same. */
static struct settings find_settings(const struct compare_side sides[2])
{
    struct settings settings = {0};
    const struct report_run *first = sides[0].run, *second = sides[1].run;
    add_setting(&settings, "kind", sides[0].kind, sides[1].kind);
    add_setting(&settings, "scenario", sides[0].scenario, sides[1].scenario);
    if (strcmp(sides[0].scenario, sides[1].scenario) == 0)
        add_file(&settings, "scenario file", sides[0].scenario_text, sides[1].scenario_text);
    add_setting(&settings, "program", sides[0].program, sides[1].program);
    add_setting(&settings, "input", sides[0].input, sides[1].input);
    add_setting(&settings, "platform", first->platform, second->platform);
    if (strcmp(first->platform, second->platform) == 0)
        add_file(&settings, "platform file", sides[0].platform_text, sides[1].platform_text);
    add_setting(&settings, "network used", first->network, second->network);
    for (int i = 0; i < first->n_parameters; i++)
        add_setting(&settings, first->parameters[i].name, first->parameters[i].text,
                    parameter_text(second, first->parameters[i].name));
    for (int i = 0; i < second->n_parameters; i++)
        if (parameter_text(first, second->parameters[i].name) == NULL)
            add_setting(&settings, second->parameters[i].name, NULL, second->parameters[i].text);
    return settings;
}

/* --- what moved --- */

struct move {
    const struct measure *measure;
    double values[2]; /* NAN where a run does not have it */
    int group;        /* the place of its group among all groups */
    size_t place;     /* its own */
};

struct moves {
    struct move *items;
    size_t count, capacity;
};

/* Differences that no table would show are none. */
static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 0.0005 * fmax(fabs(a), fabs(b));
}

/* Nor are those of a time that are nothing beside the largest time of its group. */
static bool is_noise(const struct compare_side sides[2], const struct measure *measure, const double values[2])
{
    double largest = 0, change = fabs((isnan(values[1]) ? 0 : values[1]) - (isnan(values[0]) ? 0 : values[0]));
    if (measure->type != MEASURE_TIME)
        return false;
    for (int side = 0; side < 2; side++) {
        const struct result *result = &sides[side].run->result;
        for (size_t i = 0; i < result->n_measures; i++)
            if (strcmp(result->measures[i].group, measure->group) == 0 && result->measures[i].type == MEASURE_TIME)
                largest = fmax(largest, fabs(measure_value(&result->measures[i])));
    }
    return change <= 0.0005 * largest;
}

static int group_of(const struct moves *moves, const char *group)
{
    int last = -1;
    for (size_t i = 0; i < moves->count; i++) {
        if (strcmp(moves->items[i].measure->group, group) == 0)
            return moves->items[i].group;
        last = moves->items[i].group > last ? moves->items[i].group : last;
    }
    return group[0] == '\0' ? -1 : last + 1; /* the run's own come first */
}

static void add_moves(struct moves *moves, const struct compare_side sides[2], int side)
{
    const struct result *own = &sides[side].run->result, *other = &sides[1 - side].run->result;
    for (size_t i = 0; i < own->n_measures; i++) {
        const struct measure *measure = &own->measures[i], *match = result_find(other, measure->group, measure->name);
        double values[2] = {(double)NAN, (double)NAN};
        values[side] = measure_value(measure);
        if (match != NULL)
            values[1 - side] = measure_value(match);
        if ((match != NULL && side == 1) || is_same(values[0], values[1]) || is_noise(sides, measure, values))
            continue;
        moves->items = xgrow(moves->items, moves->count, &moves->capacity, sizeof *moves->items);
        struct move *move = &moves->items[moves->count];
        *move = (struct move){measure, {values[0], values[1]}, group_of(moves, measure->group), i};
        moves->count++;
    }
}

/* By how much it has moved; what takes no time need not be there. */
static double change_of(const struct move *move)
{
    bool none = move->measure->type == MEASURE_TIME;
    double first = move->values[0], second = move->values[1];
    return (isnan(second) && none ? 0 : second) - (isnan(first) && none ? 0 : first);
}

/* Group by group, the one that has moved most first; of the run's own, whose units differ, in the order of reports. */
static int by_size(const void *left, const void *right)
{
    const struct move *a = left, *b = right;
    double x = fabs(change_of(a)), y = fabs(change_of(b));
    if (a->group != b->group)
        return a->group - b->group;
    if (a->measure->group[0] == '\0')
        return (a->place > b->place) - (a->place < b->place);
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    if (x < y || x > y)
        return x < y ? 1 : -1;
    return strcmp(a->measure->name, b->measure->name);
}

static struct moves find_moves(const struct compare_side sides[2])
{
    struct moves moves = {0};
    add_moves(&moves, sides, 0);
    add_moves(&moves, sides, 1);
    if (moves.count > 0)
        qsort(moves.items, moves.count, sizeof *moves.items, by_size);
    return moves;
}

/* --- why --- */

/* The component of the critical path that explains most of a difference of the time; NULL if none does. */
static const struct measure *find_cause(const struct compare_side sides[2], double difference, double *most)
{
    const struct measure *cause = NULL;
    *most = 0;
    for (int side = 0; side < 2; side++) {
        const struct result *own = &sides[side].run->result, *other = &sides[1 - side].run->result;
        for (size_t i = 0; i < own->n_measures; i++) {
            const struct measure *measure = &own->measures[i];
            if (strcmp(measure->group, "critical_path_s") != 0 || !components_is_leaf(own, measure) ||
                !components_is_leaf(other, measure))
                continue;
            double first = text_value(sides[0].run, measure->group, measure->name),
                   second = text_value(sides[1].run, measure->group, measure->name);
            double share = ((isnan(second) ? 0 : second) - (isnan(first) ? 0 : first)) / difference;
            if (share > *most) {
                *most = share;
                cause = measure;
            }
        }
    }
    return cause;
}

/* A component of the critical path, and by how much it differs. */
struct part {
    const char *name;
    double change;
};

struct parts {
    struct part *items;
    size_t count, capacity;
};

static int by_change(const void *left, const void *right)
{
    double x = fabs(((const struct part *)left)->change), y = fabs(((const struct part *)right)->change);
    return (x < y) - (x > y);
}

/* The components that have no parts in either run, the one that differs most first. */
static struct parts find_parts(const struct compare_side sides[2])
{
    struct parts parts = {0};
    for (int side = 0; side < 2; side++) {
        const struct result *own = &sides[side].run->result, *other = &sides[1 - side].run->result;
        for (size_t i = 0; i < own->n_measures; i++) {
            const struct measure *measure = &own->measures[i];
            if (strcmp(measure->group, "critical_path_s") != 0 || !components_is_leaf(own, measure) ||
                !components_is_leaf(other, measure))
                continue;
            const struct measure *match = result_find(other, measure->group, measure->name);
            if (match != NULL && side == 1)
                continue;
            double change = (match != NULL ? measure_value(match) : 0) - measure_value(measure);
            parts.items = xgrow(parts.items, parts.count, &parts.capacity, sizeof *parts.items);
            parts.items[parts.count++] = (struct part){measure->name, side == 0 ? change : -change};
        }
    }
    if (parts.count > 0)
        qsort(parts.items, parts.count, sizeof *parts.items, by_change);
    return parts;
}

/* "-17.55 s memory.external, -10.49 s processing.cpu": those of one sign, until four fifths of them are told. */
static char *append_parts(char *line, const struct parts *parts, double sign, const char *before)
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
    struct parts parts = find_parts(sides);
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
    if (is_same(first, second))
        line = text_append(line, "as long as run %lld: %s.", (long long)sides[0].number, texts[1]);
    else if (first > 0 && second >= 2 * first)
        line = text_append(line, "%.3g times as long as run %lld: %s, not %s.", second / first,
                           (long long)sides[0].number, texts[1], texts[0]);
    else
        line = text_append(line, "%.1f %% %s time than run %lld: %s, not %s.", 100 * fabs(second / first - 1),
                           second > first ? "more" : "less", (long long)sides[0].number, texts[1], texts[0]);
    if (!is_same(first, second))
        line = append_why(line, sides, second - first);
    text_write_line(stream, line);
}

/* --- text --- */

static void write_settings(FILE *stream, const struct compare_side sides[2])
{
    struct settings settings = find_settings(sides);
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
    dispose_settings(&settings);
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
static bool is_told(const struct moves *moves, size_t i)
{
    enum { MOST = 5 };
    size_t first = i;
    const struct move *move = &moves->items[i];
    while (first > 0 && moves->items[first - 1].group == move->group)
        first--;
    double largest = change_of(&moves->items[first]);
    return move->measure->group[0] == '\0' || (i < first + MOST && !(fabs(change_of(move)) < 0.01 * fabs(largest)));
}

static void write_moves(FILE *stream, const struct compare_side sides[2])
{
    struct moves moves = find_moves(sides);
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
        const struct move *move = &moves.items[i];
        const char *group = move->measure->group;
        if (!is_told(&moves, i)) {
            n_untold++;
            continue;
        }
        table_cell(table, "%s%s%s", group, group[0] != '\0' ? "." : "", move->measure->name);
        for (int side = 0; side < 2; side++)
            write_value(table, move->measure->type, move->values[side], false);
        write_value(table, move->measure->type, change_of(move), true);
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

void compare_write_json(FILE *stream, const char *version, const struct compare_side sides[2])
{
    struct settings settings = find_settings(sides);
    struct moves moves = find_moves(sides);
    struct record *records = xcalloc(settings.count + moves.count + 1, sizeof *records), head = {.n_fields = 0};
    char **names = xcalloc(moves.count + 1, sizeof(char *));
    double first = text_time(sides[0].run), second = text_time(sides[1].run), share;
    record_text(&head, "simrun", version);
    record_count(&head, "first", sides[0].number);
    record_count(&head, "second", sides[1].number);
    record_number(&head, "first_time_s", first);
    record_number(&head, "second_time_s", second);
    record_number(&head, "factor", second / first);
    const struct measure *cause = is_same(first, second) ? NULL : find_cause(sides, second - first, &share);
    if (cause != NULL) {
        record_text(&head, "cause", cause->name);
        record_number(&head, "cause_share", share);
    }
    for (size_t i = 0; i < settings.count; i++) {
        const struct setting *setting = &settings.items[i];
        record_text(&records[i], "setting", setting->name);
        record_text(&records[i], "first", setting->texts[0] != NULL ? setting->texts[0] : "");
        record_text(&records[i], "second", setting->texts[1] != NULL ? setting->texts[1] : "");
    }
    for (size_t i = 0; i < moves.count; i++) {
        const struct move *move = &moves.items[i];
        struct record *record = &records[settings.count + i];
        const char *group = move->measure->group;
        names[i] = xformat("%s%s%s", group, group[0] != '\0' ? "." : "", move->measure->name);
        record_text(record, "measure", names[i]);
        record_number(record, "first", move->values[0]);
        record_number(record, "second", move->values[1]);
        record_number(record, "change", change_of(move));
        record_number(record, "factor", move->values[1] / move->values[0]);
    }
    record_write_json(stream, &head, "differences", records, (int)(settings.count + moves.count));
    for (size_t i = 0; i < moves.count; i++)
        free(names[i]);
    free(names);
    free(records);
    dispose_settings(&settings);
    free(moves.items);
}
