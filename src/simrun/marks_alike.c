/* Finds submissions that share what two people hardly have by chance.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/marks_alike.h"

#include "base/builder.h"
#include "base/memory.h"
#include "base/sort.h"
#include "os/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ---- */

char *marks_plain_lines(const char *lines)
{
    char *plain = xmalloc(strlen(lines) + 1), *to = plain;
    bool in_comment = false, after_blank = true;
    for (; *lines != '\0'; lines++) {
        in_comment = *lines == '\n' ? false : in_comment || *lines == '#';
        bool is_blank = in_comment || strchr(" \t\r\n", *lines) != NULL;
        if (!is_blank)
            *to++ = *lines;
        else if (!after_blank)
            *to++ = ' ';
        after_blank = is_blank;
    }
    if (to > plain && to[-1] == ' ')
        to--;
    *to = '\0';
    return plain;
}

bool marks_are_given_lines(const char *plain)
{
    static const char *const given[] = {"binomial", "chain", "flat", "deadlock"};
    char *folder = data_folder();
    bool found = plain[0] == '\0';
    for (size_t i = 0; i < sizeof given / sizeof given[0] && !found; i++) {
        char *file = xformat("%s/scenarios/own/%s.txt", folder, given[i]), text[4096];
        FILE *stream = fopen(file, "rb");
        size_t length = stream != NULL ? fread(text, 1, sizeof text - 1, stream) : 0;
        text[length] = '\0';
        char *other = marks_plain_lines(text);
        found = strcmp(plain, other) == 0;
        free(other);
        free(file);
        if (stream != NULL)
            fclose(stream);
    }
    free(folder);
    return found;
}

/* ---- Features ---- */

enum { MOMENT, LINES, CURVE, N_FEATURES };
static const char *const feature_names[N_FEATURES] = {"something at the same moment", "the same lines",
                                                      "the same drawn curve"};

struct feature {
    char *key; /* equal where it is shared */
    size_t owner;
};
struct features {
    struct feature *list;
    size_t count, capacity;
};

static void add(struct features *features, size_t owner, char *key)
{
    features->list = xgrow(features->list, features->count, &features->capacity, sizeof *features->list);
    features->list[features->count++] = (struct feature){key, owner};
}

static void add_curve(struct features *features, size_t owner, const char *place, const struct json *json,
                      const struct json_node *points)
{
    struct builder key = {0};
    builder_add(&key, "%s", place);
    for (const struct json_node *point = json_at(json, points->first); point != NULL;
         point = json_at(json, point->next))
        builder_add(&key, " %.6g", point->kind == JSON_NUMBER ? point->number : 0);
    add(features, owner, builder_take(&key));
}

/* The part of a block of a lab that it shares with others. */
static void add_block(struct features features[N_FEATURES], size_t owner, const char *place, const struct json *json,
                      const struct json_node *block)
{
    const struct json_node *when = json_member(json, block, "when"), *lines = json_member(json, block, "lines"),
                           *points = json_member(json, block, "points");
    if (when != NULL && when->kind == JSON_TEXT)
        add(&features[MOMENT], owner, xformat("%s %s", place, json_text_of(json, when)));
    if (points != NULL && points->kind == JSON_LIST && points->first != JSON_NONE)
        add_curve(&features[CURVE], owner, place, json, points);
    if (lines == NULL || lines->kind != JSON_TEXT)
        return;
    char *plain = marks_plain_lines(json_text_of(json, lines));
    if (marks_are_given_lines(plain))
        free(plain);
    else
        add(&features[LINES], owner, plain);
}

/* Members of an object in turn. */
#define EACH_MEMBER(node, json, object)                                                                                \
    const struct json_node *node = (object)->kind == JSON_OBJECT ? json_at(json, (object)->first) : NULL;              \
    node != NULL;                                                                                                      \
    node = json_at(json, node->next)

static void add_all(struct features features[N_FEATURES], size_t owner, const struct submission *submission)
{
    const struct json *json = &submission->json;
    const struct json_node *labs = submission->fault == NULL ? json_member(json, json_at(json, 0), "labs") : NULL;
    if (labs == NULL)
        return;
    for (EACH_MEMBER(lab, json, labs))
        for (EACH_MEMBER(kind, json, lab))
            for (EACH_MEMBER(block, json, kind)) {
                char *place =
                    xformat("%s %s %s", json_name_of(json, lab), json_name_of(json, kind), json_name_of(json, block));
                add_block(features, owner, place, json, block);
                free(place);
            }
}

/* ---- Groups ---- */

static size_t find_root(size_t *parents, size_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct feature *)a)->key, ((const struct feature *)b)->key);
}

/* The group of each submission, as the first one in it. */
static size_t *join(struct features *features, size_t n_submissions)
{
    size_t *parents = xmalloc(n_submissions * sizeof *parents);
    for (size_t i = 0; i < n_submissions; i++)
        parents[i] = i;
    sort_stable(features->list, features->count, sizeof *features->list, by_key);
    for (size_t i = 1; i < features->count; i++)
        if (strcmp(features->list[i - 1].key, features->list[i].key) == 0) {
            size_t a = find_root(parents, features->list[i - 1].owner);
            size_t b = find_root(parents, features->list[i].owner);
            parents[a > b ? a : b] = a > b ? b : a;
        }
    for (size_t i = 0; i < n_submissions; i++)
        parents[i] = find_root(parents, i);
    return parents;
}

static int64_t put_groups(struct table *table, const char *what, const size_t *groups,
                          const struct submission *submissions, size_t n_submissions, int64_t number)
{
    for (size_t first = 0; first < n_submissions; first++) {
        size_t size = 0;
        for (size_t i = first; i < n_submissions && groups[first] == first; i++)
            size += groups[i] == first;
        if (size < 2)
            continue;
        number++;
        for (size_t i = first; i < n_submissions; i++)
            if (groups[i] == first) {
                table_integer(table, number);
                table_text(table, what);
                table_text(table, submissions[i].who);
                table_text(table, submissions[i].file);
            }
    }
    return number;
}

void marks_put_alike(struct document *document, const struct submission *submissions, size_t n_submissions)
{
    struct features features[N_FEATURES] = {{0}};
    struct table *table = document_table(document, "alike", "Submissions that are alike", FOR_ALL);
    table_column(table, (struct column){.id = "group", .unit = UNIT_COUNT, .flags = COLUMN_KEY | COLUMN_LABEL});
    table_column(table, (struct column){.id = "shares", .unit = UNIT_TEXT});
    table_column(table, (struct column){.id = "who", .unit = UNIT_TEXT});
    table_column(table, (struct column){.id = "file", .unit = UNIT_TEXT});
    for (size_t i = 0; i < n_submissions; i++)
        add_all(features, i, &submissions[i]);
    int64_t number = 0;
    for (int f = 0; f < N_FEATURES; f++) {
        size_t *groups = join(&features[f], n_submissions);
        number = put_groups(table, feature_names[f], groups, submissions, n_submissions, number);
        for (size_t i = 0; i < features[f].count; i++)
            free(features[f].list[i].key);
        free(features[f].list);
        free(groups);
    }
}
