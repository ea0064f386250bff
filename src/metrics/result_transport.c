/* Results as bytes, there and back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/result_transport.h"

#include "base/builder.h"
#include "base/memory.h"
#include "interval/intern.h"

#include <stdlib.h>
#include <string.h>

enum { OF_COUNT = 8, OF_TYPE = 1, OF_NAME = 1 }; /* bytes of each */

const char *const measure_type_names[] = {
    [MEASURE_TIME] = "time", [MEASURE_COUNT] = "count", [MEASURE_RATIO] = "ratio", [MEASURE_TEXT] = "text"};

int measure_type_find(enum measure_type *type, const char *name)
{
    for (int t = MEASURE_TIME; t <= (int)MEASURE_TEXT; t++)
        if (strcmp(measure_type_names[t], name) == 0) {
            *type = (enum measure_type)t;
            return 0;
        }
    return -1;
}

/* How many there are; of what is read, how many are to come. */
static size_t transport_count(struct transport *transport, size_t count)
{
    wide_int number = (wide_int)count;
    transport_number(transport, &number, OF_COUNT);
    transport->failed = transport->failed || number < 0;
    return transport->failed ? 0 : (size_t)number;
}

/* --- measures --- */

/* A measure that is there, or one more. */
static void transport_measure(struct transport *transport, struct result *result, const struct measure *measure)
{
    static void (*const add_number[])(struct result *, const char *, const char *, wide_int) = {
        [MEASURE_TIME] = result_add_time, [MEASURE_COUNT] = result_add_count};
    bool has_ratio = measure != NULL && measure->of->type == MEASURE_RATIO;
    wide_int type = measure != NULL ? measure->of->type : MEASURE_TIME;
    wide_int number = measure != NULL && !has_ratio ? measure_number(measure) : 0;
    double ratio = has_ratio ? measure->ratio : 0;
    char group[MEASURE_GROUP], name[MEASURE_NAME];
    snprintf(group, sizeof group, "%s", measure != NULL ? measure->of->group : "");
    snprintf(name, sizeof name, "%s", measure != NULL ? measure->of->name : "");
    transport_text(transport, group, sizeof group, OF_NAME);
    transport_text(transport, name, sizeof name, OF_NAME);
    transport_number(transport, &type, OF_TYPE);
    transport->failed = transport->failed || type < MEASURE_TIME || type > MEASURE_RATIO;
    if (type == MEASURE_RATIO)
        transport_real(transport, &ratio);
    else
        transport_number(transport, &number, TRANSPORT_WIDE);
    if (measure != NULL || transport->failed)
        return;
    if (type == MEASURE_RATIO)
        result_add_ratio(result, group, name, ratio);
    else
        add_number[type](result, group, name, number);
}

static void transport_measures(struct transport *transport, struct result *result)
{
    size_t count = transport_count(transport, result->n_measures), n_there = result->n_measures;
    for (size_t i = 0; i < count && !transport->failed; i++)
        transport_measure(transport, result, i < n_there ? &result->measures[i] : NULL);
}

/* --- states --- */

void result_transport_states(struct transport *transport, struct result *result, size_t n_processors)
{
    if (transport->to == NULL) {
        transport->failed =
            transport->failed || n_processors > INT32_MAX || n_processors > transport->size / sizeof *result->state_ps;
        result->n_processors = transport->failed ? 0 : (int)n_processors;
        result->state_ps = result->n_processors == 0 ? NULL : xcalloc(n_processors, sizeof *result->state_ps);
    }
    for (int i = 0; i < result->n_processors; i++)
        for (int state = 0; state < N_LOCATION_STATES; state++)
            transport_int64(transport, &result->state_ps[i][state]);
}

/* --- tables --- */

char *result_format_columns(const struct result_table *table)
{
    const struct table_spec *spec = &table_specs[table->id];
    struct builder text = {0};
    for (size_t i = 0; i < spec->n_columns; i++)
        if (result_has_column(table, i))
            builder_add(&text, "%s%s:%s", text.length > 0 ? " " : "", spec->columns[i].name,
                        measure_type_names[kind_specs[spec->columns[i].kind].type]);
    return builder_take(&text);
}

static void transport_cell(struct transport *transport, struct result_cell *cell)
{
    char text[48];
    if (cell->type == MEASURE_RATIO)
        transport_real(transport, &cell->ratio);
    else if (cell->type != MEASURE_TEXT)
        transport_number(transport, &cell->number, TRANSPORT_WIDE);
    else {
        snprintf(text, sizeof text, "%s", cell->text);
        transport_text(transport, text, sizeof text, OF_NAME);
        cell->text = intern_text(text);
    }
}

void result_write_cells(struct transport *transport, const struct result_table *table)
{
    for (size_t row = 0; row < table->n_rows; row++)
        for (size_t column = 0; column < table_specs[table->id].n_columns; column++)
            if (result_has_column(table, column)) {
                struct result_cell cell = result_cell(table, row, column);
                transport_cell(transport, &cell);
            }
}

/* The columns that a table has in the bytes, in their order. */
struct layout {
    struct result_table *table; /* NULL: it is none of ours */
    struct {
        enum measure_type type;
        int place; /* among the table's; -1: it has no such column */
    } columns[64];
    size_t n_columns;
};

static int find_column(const struct result_table *table, const char *name, enum measure_type type)
{
    const struct table_spec *spec = table != NULL ? &table_specs[table->id] : NULL;
    for (size_t i = 0; spec != NULL && i < spec->n_columns; i++)
        if (strcmp(spec->columns[i].name, name) == 0 && kind_specs[spec->columns[i].kind].type == type)
            return (int)i;
    return -1;
}

/* The columns of the text, which is cut up. Those that it has not are absent. */
static int parse_columns(struct layout *layout, char *text)
{
    uint32_t found = 0;
    for (char *rest = text, *type; rest != NULL; layout->n_columns++) {
        type = strsep(&rest, " ");
        char *name = strsep(&type, ":");
        if (layout->n_columns == sizeof layout->columns / sizeof layout->columns[0] || type == NULL ||
            measure_type_find(&layout->columns[layout->n_columns].type, type) != 0)
            return -1;
        int place = find_column(layout->table, name, layout->columns[layout->n_columns].type);
        layout->columns[layout->n_columns].place = place;
        found |= place >= 0 ? UINT32_C(1) << place : 0;
    }
    if (layout->table != NULL)
        layout->table->absent = ~found;
    return 0;
}

static void read_row(struct transport *transport, const struct layout *layout)
{
    const struct result_cell nothing = {.type = MEASURE_TEXT, .text = ""};
    const struct table_spec *spec = layout->table != NULL ? &table_specs[layout->table->id] : NULL;
    if (spec != NULL)
        result_add_row(layout->table);
    for (size_t i = 0; spec != NULL && i < spec->n_columns; i++)
        if (spec->columns[i].kind == HOLDS_NAME)
            result_set_cell(layout->table, layout->table->n_rows - 1, i, &nothing);
    for (size_t i = 0; i < layout->n_columns && !transport->failed; i++) {
        struct result_cell cell = {.type = layout->columns[i].type, .text = ""};
        int place = layout->columns[i].place;
        transport_cell(transport, &cell);
        if (place >= 0 && !transport->failed &&
            !result_set_cell(layout->table, layout->table->n_rows - 1, (size_t)place, &cell))
            transport->failed = true;
    }
}

static struct result_table *add_named(struct result *result, const char *name)
{
    for (int id = 0; id < N_TABLES; id++)
        if (strcmp(table_specs[id].name, name) == 0)
            return result_add_table(result, (enum table_id)id);
    return NULL;
}

struct result_table *result_read_table(struct transport *transport, struct result *result, const char *name,
                                       const char *columns, size_t n_rows)
{
    char *text = xstrdup(columns);
    struct layout layout = {.table = add_named(result, name)};
    transport->failed = transport->failed || parse_columns(&layout, text) != 0;
    for (size_t row = 0; row < n_rows && !transport->failed; row++)
        read_row(transport, &layout);
    free(text);
    return layout.table;
}

static void transport_table(struct transport *transport, struct result *result, size_t i)
{
    const struct result_table *table = i < result->n_tables ? &result->tables[i] : NULL;
    char *name = table != NULL ? xstrdup(table_specs[table->id].name) : NULL;
    char *columns = table != NULL ? result_format_columns(table) : NULL;
    transport_long_text(transport, &name);
    transport_long_text(transport, &columns);
    size_t n_rows = transport_count(transport, table != NULL ? table->n_rows : 0);
    size_t of_detail = transport_count(transport, table != NULL && table->of_detail);
    if (table != NULL)
        result_write_cells(transport, table);
    else if (!transport->failed) {
        struct result_table *more = result_read_table(transport, result, name, columns, n_rows);
        if (more != NULL)
            more->of_detail = of_detail != 0;
    }
    free(name);
    free(columns);
}

static void transport_timeline(struct transport *transport, struct result *result)
{
    size_t length = transport_count(transport, result->timeline_length);
    if (transport->to == NULL)
        transport->failed = transport->failed || length > transport_left(transport);
    if (length == 0 || transport->failed)
        return;
    if (transport->to == NULL)
        result->timeline = xmalloc(length);
    result->timeline_length = length;
    transport_bytes(transport, result->timeline, length);
}

/* --- bins --- */

static void transport_bins(struct transport *transport, struct result *result)
{
    struct result_bins *bins = &result->link_bins;
    const struct result_table *links = result_find_table(result, TABLE_LINKS);
    int64_t n_rows = links != NULL ? (int64_t)links->n_rows : 0;
    size_t n_links = transport_count(transport, bins->n_links), n_bins = transport_count(transport, bins->n_bins);
    if (n_links == 0 || n_bins == 0)
        return;
    if (transport->to == NULL) {
        if (n_links > transport->size / sizeof *bins->link || n_bins > transport->size / n_links / sizeof *bins->bytes)
            transport->failed = true;
        if (transport->failed)
            return;
        result_set_bins(bins, n_links, n_bins);
    }
    transport_int64(transport, &bins->bin_ps);
    for (size_t i = 0; i < n_links; i++) {
        transport_int64(transport, &bins->link[i]);
        transport->failed = transport->failed || bins->link[i] < 0 || bins->link[i] >= n_rows;
    }
    for (size_t i = 0; i < n_links * n_bins; i++) {
        transport_int64(transport, &bins->busy_ps[i]);
        transport_int64(transport, &bins->bytes[i]);
    }
}

/* --- the whole --- */

void result_transport(struct transport *transport, struct result *result)
{
    transport_measures(transport, result);
    result_transport_states(transport, result, transport_count(transport, (size_t)result->n_processors));
    size_t n_tables = transport_count(transport, result->n_tables);
    for (size_t i = 0; i < n_tables && !transport->failed; i++)
        transport_table(transport, result, i);
    transport_bins(transport, result);
    transport_timeline(transport, result);
}
