/* One JSON document: the answer in sentences, facts, and each table as an array of objects; numbers in SI units. The
 * names are an interface.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/json_internal.h"
#include "report/report.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void write_rows(struct json_writer *writer, const struct table *table);

static bool is_value(const struct cell *cell)
{
    return cell->kind != CELL_NONE && cell->kind != CELL_BLANK;
}

static void write_cell(struct json_writer *writer, const struct cell *cell);

static void write_list(struct json_writer *writer, const struct table *table)
{
    json_begin(writer, '[');
    for (size_t row = 0; row < table_n_rows(table); row++)
        if (is_value(table_at(table, row, 0)))
            write_cell(writer, table_at(table, row, 0));
    json_end(writer, ']');
}

static void write_cell(struct json_writer *writer, const struct cell *cell)
{
    switch (cell->kind) {
    case CELL_TEXT:
        json_text(writer, cell->text);
        break;
    case CELL_INTEGER:
        json_integer(writer, cell->integer);
        break;
    case CELL_REAL:
        json_real(writer, cell->real);
        break;
    case CELL_FLAG:
        json_flag(writer, cell->integer != 0);
        break;
    case CELL_LIST:
        write_list(writer, cell->table);
        break;
    case CELL_ROWS:
        json_begin(writer, '[');
        write_rows(writer, cell->table);
        json_end(writer, ']');
        break;
    case CELL_NONE:
    case CELL_BLANK:
    default:
        break;
    }
}

/* --- objects --- */

/* A value with its name, or the rows of all tables of a name. */
struct member {
    const char *group, *name;
    const struct cell *cell; /* NULL: the tables */
};

struct members {
    const struct document *document; /* of the tables */
    enum audience audience;
    struct member *items;
    size_t count;
};

static bool is_same(const char *one, const char *other)
{
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

static const struct table *table_of(const struct members *members, size_t item)
{
    const struct document_item *found = &members->document->items[item];
    bool is_table = found->kind == ITEM_TABLE && (found->audience & members->audience) != 0;
    return is_table && (!found->table->needs_rows || table_n_rows(found->table) > 0) ? found->table : NULL;
}

static void write_member(struct json_writer *writer, const struct members *members, const struct member *member)
{
    json_name(writer, member->name);
    if (member->cell != NULL) {
        write_cell(writer, member->cell);
        return;
    }
    json_begin(writer, '[');
    for (size_t i = 0; i < members->document->n_items; i++) {
        const struct table *table = table_of(members, i);
        if (table != NULL && is_same(table->id, member->name) && is_same(table->group, member->group))
            write_rows(writer, table);
    }
    json_end(writer, ']');
}

static bool is_first_of_group(const struct members *members, size_t i)
{
    for (size_t before = i; before-- > 0;)
        if (is_same(members->items[before].group, members->items[i].group))
            return false;
    return true;
}

/* Members of a group are an object, which stands where the first of them does. */
static void write_members(struct json_writer *writer, const struct members *members)
{
    for (size_t i = 0; i < members->count; i++) {
        const char *group = members->items[i].group;
        if (group == NULL)
            write_member(writer, members, &members->items[i]);
        if (group == NULL || !is_first_of_group(members, i))
            continue;
        json_name(writer, group);
        json_begin(writer, '{');
        for (size_t j = i; j < members->count; j++)
            if (is_same(members->items[j].group, group))
                write_member(writer, members, &members->items[j]);
        json_end(writer, '}');
    }
}

static void write_rows(struct json_writer *writer, const struct table *table)
{
    struct members members = {.items = xcalloc(table->n_columns, sizeof *members.items)};
    for (size_t row = 0; row < table_n_rows(table); row++) {
        members.count = 0;
        for (size_t i = 0, c; (c = table_order(table, row, i)) < table->n_columns; i++) {
            const struct cell *cell = table_at(table, row, c);
            if (is_value(cell))
                members.items[members.count++] = (struct member){table->columns[c].group, table->columns[c].id, cell};
        }
        json_begin(writer, '{');
        write_members(writer, &members);
        json_end(writer, '}');
    }
    free(members.items);
}

/* --- the document --- */

/* Write what readers are told in sentences, so that a program can show it; but no details. */
static void write_answer(struct json_writer *writer, const struct document *document)
{
    bool has_begun = false;
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        if (item->kind != ITEM_SENTENCE || item->is_detail)
            continue;
        if (!has_begun) {
            json_name(writer, "answer");
            json_begin(writer, '[');
            has_begun = true;
        }
        json_text(writer, item->text);
    }
    if (has_begun)
        json_end(writer, ']');
}

/* Tables of one name are one array, which stands where the first of them does. */
static bool is_there(const struct members *members, const struct table *table)
{
    for (size_t i = 0; i < members->count; i++)
        if (is_same(members->items[i].name, table->id) && is_same(members->items[i].group, table->group))
            return true;
    return false;
}

void json_write_document(struct json_writer *writer, const struct document *document, enum audience audience)
{
    struct members members = {document, audience, xcalloc(document->n_items, sizeof *members.items), 0};
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        const struct table *table = table_of(&members, i);
        if (item->kind == ITEM_FACT && (item->audience & audience) != 0 && is_value(&item->value))
            members.items[members.count++] = (struct member){item->fact.group, item->fact.id, &item->value};
        else if (table != NULL && !is_there(&members, table))
            members.items[members.count++] = (struct member){table->group, table->id, NULL};
    }
    json_begin(writer, '{');
    if (audience == FOR_PROGRAMS) {
        json_name(writer, "schema");
        json_integer(writer, JSON_SCHEMA);
        write_answer(writer, document);
    }
    write_members(writer, &members);
    json_end(writer, '}');
    free(members.items);
}

/* --- the format --- */

static void take(void *stream, const void *bytes, size_t length)
{
    fwrite(bytes, 1, length, stream);
}

static void json_write(FILE *stream, const struct document *document)
{
    struct json_writer writer;
    json_writer_init(&writer, take, stream);
    json_write_document(&writer, document, FOR_PROGRAMS);
    json_writer_finish(&writer);
    fputc('\n', stream);
}

const struct report_spec report_json = {
    .name = "json", .summary = "one JSON document, SI units", .audience = FOR_ALL | FOR_LISTS, .write = json_write};
