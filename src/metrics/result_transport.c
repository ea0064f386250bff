/* Results as bytes, there and back. */
#include "metrics/result_transport.h"

#include "base/memory.h"

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

void result_transport_states(struct transport *transport, struct result *result, size_t n_ranks)
{
    if (transport->to == NULL) {
        transport->failed =
            transport->failed || n_ranks > INT32_MAX || n_ranks > transport->size / sizeof *result->state_ps;
        result->n_ranks = transport->failed ? 0 : (int)n_ranks;
        result->state_ps = result->n_ranks == 0 ? NULL : xcalloc(n_ranks, sizeof *result->state_ps);
    }
    for (int rank = 0; rank < result->n_ranks; rank++)
        for (int state = 0; state < N_LOCATION_STATES; state++)
            transport_int64(transport, &result->state_ps[rank][state]);
}

/* --- tables --- */

char *result_format_columns(const struct result_table *table)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; i < table->n_columns; i++)
        fprintf(stream, "%s%s:%s", i > 0 ? " " : "", table->columns[i].name,
                measure_type_names[table->columns[i].type]);
    fclose(stream);
    return text;
}

/* The columns of the text, which is cut up for their names. */
static int parse_columns(struct result_column *columns, size_t *n_columns, size_t most, char *text)
{
    *n_columns = 0;
    for (char *rest = text, *type; rest != NULL; (*n_columns)++) {
        type = strsep(&rest, " ");
        char *name = strsep(&type, ":");
        if (*n_columns == most || type == NULL || measure_type_find(&columns[*n_columns].type, type) != 0)
            return -1;
        columns[*n_columns].name = name;
    }
    return 0;
}

/* The names are behind the columns, in one block. */
struct result_table *result_add_named_table(struct result *result, const char *name, const char *text)
{
    enum { MOST = 64 };
    size_t n_columns, name_size = strlen(name) + 1;
    struct result_column *columns = xmalloc(MOST * sizeof *columns + name_size + strlen(text) + 1);
    char *own_name = (char *)&columns[MOST], *own_text = own_name + name_size;
    strcpy(own_name, name);
    strcpy(own_text, text);
    if (parse_columns(columns, &n_columns, MOST, own_text) != 0) {
        free(columns);
        return NULL;
    }
    struct result_table *table = result_add_table(result, own_name, columns, n_columns);
    table->own = columns;
    return table;
}

static void transport_cell(struct transport *transport, union result_cell *cell, enum measure_type type)
{
    if (type == MEASURE_TEXT)
        transport_text(transport, cell->text, sizeof cell->text, OF_NAME);
    else if (type == MEASURE_RATIO)
        transport_real(transport, &cell->ratio);
    else
        transport_number(transport, &cell->number, TRANSPORT_WIDE);
}

void result_transport_cells(struct transport *transport, struct result_table *table, size_t n_rows)
{
    for (size_t row = 0; row < n_rows && !transport->failed; row++) {
        if (row == table->n_rows)
            result_add_row(table);
        for (size_t column = 0; column < table->n_columns; column++)
            transport_cell(transport, &table->cells[row * table->n_columns + column], table->columns[column].type);
    }
}

static void transport_table(struct transport *transport, struct result *result, size_t i)
{
    struct result_table *table = i < result->n_tables ? &result->tables[i] : NULL;
    char *name = table != NULL ? xstrdup(table->name) : NULL;
    char *columns = table != NULL ? result_format_columns(table) : NULL;
    transport_long_text(transport, &name);
    transport_long_text(transport, &columns);
    size_t n_rows = transport_count(transport, table != NULL ? table->n_rows : 0);
    size_t of_detail = transport_count(transport, table != NULL && table->of_detail);
    size_t is_record = transport_count(transport, table != NULL && table->is_record);
    if (table == NULL && !transport->failed)
        table = result_add_named_table(result, name, columns);
    if (table != NULL) {
        table->of_detail = of_detail != 0;
        table->is_record = is_record != 0;
        result_transport_cells(transport, table, n_rows);
    }
    transport->failed = transport->failed || table == NULL;
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
    const struct result_table *links = result_find_table(result, "links");
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
    result_transport_states(transport, result, transport_count(transport, (size_t)result->n_ranks));
    size_t n_tables = transport_count(transport, result->n_tables);
    for (size_t i = 0; i < n_tables && !transport->failed; i++)
        transport_table(transport, result, i);
    transport_bins(transport, result);
    transport_timeline(transport, result);
}
