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

/* Something that is set, with its text in either run; NULL where it is not there. */
struct setting {
    const char *name, *texts[2];
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
    settings->items[settings->count++] = (struct setting){name, {first, second}};
}

static const char *parameter_text(const struct report_run *run, const char *name)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (strcmp(run->parameters[i].name, name) == 0)
            return run->parameters[i].text;
    return NULL;
}

/* What differs. The platforms' contents are told where their names are the same. */
static struct settings find_settings(const struct compare_side sides[2])
{
    struct settings settings = {0};
    const struct report_run *first = sides[0].run, *second = sides[1].run;
    add_setting(&settings, "scenario", sides[0].scenario, sides[1].scenario);
    add_setting(&settings, "program", sides[0].program, sides[1].program);
    add_setting(&settings, "platform", first->platform, second->platform);
    if (settings.count == 0 || strcmp(settings.items[settings.count - 1].name, "platform") != 0)
        add_setting(&settings, "content of platform", sides[0].platform_hash, sides[1].platform_hash);
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
        if ((match != NULL && side == 1) || is_same(values[0], values[1]))
            continue;
        moves->items = xgrow(moves->items, moves->count, &moves->capacity, sizeof *moves->items);
        struct move *move = &moves->items[moves->count];
        *move = (struct move){measure, {values[0], values[1]}, group_of(moves, measure->group)};
        moves->count++;
    }
}

/* Group by group, the one that has moved most first. */
static int by_size(const void *left, const void *right)
{
    const struct move *a = left, *b = right;
    double x = fabs(a->values[1] - a->values[0]), y = fabs(b->values[1] - b->values[0]);
    if (a->group != b->group)
        return a->group - b->group;
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
        const struct result *own = &sides[side].run->result;
        for (size_t i = 0; i < own->n_measures; i++) {
            const struct measure *measure = &own->measures[i];
            if (strcmp(measure->group, "critical_path_s") != 0 || !components_is_leaf(own, measure))
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

/* "Run 7 takes 45.3 % less time than run 3: 3.840 s, not 7.026 s. 92 % of the difference is communication.broadcast." */
static void write_answer(FILE *stream, const struct compare_side sides[2])
{
    char texts[2][32];
    double first = text_time(sides[0].run), second = text_time(sides[1].run), share;
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
    const struct measure *cause = is_same(first, second) ? NULL : find_cause(sides, second - first, &share);
    if (cause != NULL)
        line = text_append(line, " %.0f %% of the difference is %s on the critical path.", 100 * share, cause->name);
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
    free(settings.items);
}

static void write_number(struct table *table, double value)
{
    if (isnan(value))
        table_cell(table, "-");
    else
        table_cell(table, fabs(value) >= 1e4 && fabs(value) < 1e15 && value == floor(value) ? "%.0f" : "%.5g", value);
}

static void write_moves(FILE *stream, const struct compare_side sides[2])
{
    struct moves moves = find_moves(sides);
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
        table_cell(table, "%s%s%s", group, group[0] != '\0' ? "." : "", move->measure->name);
        for (int side = 0; side < 2; side++)
            write_number(table, move->values[side]);
        write_number(table, move->values[1] - move->values[0]);
        text_cell_factor(table, move->values[1] / move->values[0]);
    }
    fputs("\nWhat moved, in SI units\n", stream);
    table_print(table, stream);
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
        record_number(record, "change", move->values[1] - move->values[0]);
        record_number(record, "factor", move->values[1] / move->values[0]);
    }
    record_write_json(stream, &head, "differences", records, (int)(settings.count + moves.count));
    for (size_t i = 0; i < moves.count; i++)
        free(names[i]);
    free(names);
    free(records);
    free(settings.items);
    free(moves.items);
}
