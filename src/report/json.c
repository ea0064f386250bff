/* One JSON document: facts, and each table as an array of objects; numbers in SI units. The names are an interface. */
#include "report/json_internal.h"
#include "report/report.h"

#include <math.h>

static json_t *array_of(const struct table *table, bool is_list);

/* NULL: there is nothing to be written. */
static json_t *value_of(const struct cell *cell)
{
    switch (cell->kind) {
    case CELL_TEXT:
        return json_string(cell->text);
    case CELL_INTEGER:
        return json_integer((json_int_t)cell->integer);
    case CELL_REAL:
        return isfinite(cell->real) ? json_real(cell->real) : json_null();
    case CELL_FLAG:
        return json_boolean(cell->integer);
    case CELL_LIST:
    case CELL_ROWS:
        return array_of(cell->table, cell->kind == CELL_LIST);
    case CELL_NONE:
    case CELL_BLANK:
    default:
        return NULL;
    }
}

/* The object of that name in another one, which is made where it is not there; without a name that one itself. */
static json_t *group_of(json_t *object, const char *group)
{
    if (group == NULL)
        return object;
    json_t *inner = json_object_get(object, group);
    if (inner == NULL) {
        inner = json_object();
        json_object_set_new(object, group, inner);
    }
    return inner;
}

static void set(json_t *object, const struct column *name, const struct cell *cell)
{
    json_t *value = value_of(cell);
    if (value != NULL)
        json_object_set_new(group_of(object, name->group), name->id, value);
}

static void append_rows(json_t *array, const struct table *table, bool is_list)
{
    for (size_t row = 0; row < table_n_rows(table); row++) {
        json_t *element = is_list ? value_of(table_at(table, row, 0)) : json_object();
        for (size_t i = 0, c; !is_list && (c = table_order(table, row, i)) < table->n_columns; i++)
            set(element, &table->columns[c], table_at(table, row, c));
        json_array_append_new(array, element);
    }
}

static json_t *array_of(const struct table *table, bool is_list)
{
    json_t *array = json_array();
    append_rows(array, table, is_list);
    return array;
}

/* Tables of one name are one array. */
static void set_table(json_t *object, const struct table *table)
{
    json_t *group = group_of(object, table->group), *array = json_object_get(group, table->id);
    if (table->needs_rows && table_n_rows(table) == 0)
        return;
    if (array == NULL) {
        array = json_array();
        json_object_set_new(group, table->id, array);
    }
    append_rows(array, table, false);
}

json_t *json_of_document(const struct document *document, enum audience audience)
{
    json_t *object = json_object();
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        if (!(item->audience & audience))
            continue;
        if (item->kind == ITEM_FACT)
            set(object, &item->fact, &item->value);
        else if (item->kind == ITEM_TABLE)
            set_table(object, item->table);
    }
    return object;
}

static void json_write(FILE *stream, const struct document *document)
{
    json_t *object = json_of_document(document, FOR_PROGRAMS);
    json_dumpf(object, stream, JSON_STYLE);
    fputc('\n', stream);
    json_decref(object);
}

const struct report_spec report_json = {
    .name = "json", .summary = "one JSON document, SI units", .audience = FOR_PROGRAMS, .write = json_write};
