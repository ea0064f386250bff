/* Packs cells of tables and states of ranks into bytes, least significant first, and unpacks them with distrust. */
#include "store/store_internal.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 16, NARROW = 8 };

static void put(FILE *stream, wide_uint number, int n_bytes)
{
    unsigned char bytes[WIDE];
    for (int i = 0; i < n_bytes; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    fwrite(bytes, 1, (size_t)n_bytes, stream);
}

static wide_uint get(const unsigned char *bytes, int n_bytes)
{
    wide_uint number = 0;
    for (int i = 0; i < n_bytes; i++)
        number |= (wide_uint)bytes[i] << (8 * i);
    return number;
}

static void put_cell(FILE *stream, const union result_cell *cell, enum measure_type type)
{
    uint64_t bits;
    size_t length;
    switch (type) {
    case MEASURE_TIME:
    case MEASURE_COUNT:
        put(stream, (wide_uint)cell->number, WIDE);
        break;
    case MEASURE_RATIO:
        memcpy(&bits, &cell->ratio, sizeof bits);
        put(stream, bits, NARROW);
        break;
    case MEASURE_TEXT:
        length = strnlen(cell->text, sizeof cell->text - 1);
        put(stream, length, 1);
        fwrite(cell->text, 1, length, stream);
        break;
    }
}

void cells_pack(char **bytes, size_t *size, const struct result_table *table)
{
    FILE *stream = open_memstream(bytes, size);
    for (size_t row = 0; row < table->n_rows; row++)
        for (size_t column = 0; column < table->n_columns; column++)
            put_cell(stream, result_cell(table, row, column), table->columns[column].type);
    fclose(stream);
}

/* How many bytes the cell takes; 0 where they are not there. */
static size_t get_cell(union result_cell *cell, enum measure_type type, const unsigned char *bytes, size_t size)
{
    uint64_t bits;
    if (type == MEASURE_TEXT) {
        if (size < 1 || bytes[0] >= sizeof cell->text || size - 1 < bytes[0])
            return 0;
        for (int i = 0; i < bytes[0]; i++)
            cell->text[i] = (char)(bytes[1 + i] >= ' ' && bytes[1 + i] <= '~' ? bytes[1 + i] : '?');
        return (size_t)1 + bytes[0];
    }
    size_t length = type == MEASURE_RATIO ? NARROW : WIDE;
    if (size < length)
        return 0;
    if (type == MEASURE_RATIO) {
        bits = (uint64_t)get(bytes, NARROW);
        memcpy(&cell->ratio, &bits, sizeof bits);
    } else {
        cell->number = (wide_int)get(bytes, WIDE);
    }
    return length;
}

int cells_unpack(struct result_table *table, const unsigned char *bytes, size_t size)
{
    size_t n_rows = table->n_rows;
    if (table->n_columns == 0 || n_rows > size) /* a row has a byte at least */
        return -1;
    table->n_rows = 0;
    for (size_t row = 0; row < n_rows; row++) {
        union result_cell *cells = result_add_row(table);
        for (size_t column = 0; column < table->n_columns; column++) {
            size_t length = get_cell(&cells[column], table->columns[column].type, bytes, size);
            if (length == 0)
                return -1;
            bytes += length;
            size -= length;
        }
    }
    return size == 0 ? 0 : -1;
}

void states_pack(char **bytes, size_t *size, const struct result *result)
{
    FILE *stream = open_memstream(bytes, size);
    for (int rank = 0; rank < result->n_ranks; rank++)
        for (int state = 0; state < N_LANE_STATES; state++)
            put(stream, (uint64_t)result->state_ps[rank][state], NARROW);
    fclose(stream);
}

int states_unpack(struct result *result, const unsigned char *bytes, size_t size)
{
    size_t of_rank = (size_t)N_LANE_STATES * NARROW;
    if (size % of_rank != 0 || size / of_rank > INT32_MAX)
        return -1;
    result->n_ranks = (int)(size / of_rank);
    result->state_ps = size == 0 ? NULL : xmalloc((size_t)result->n_ranks * sizeof *result->state_ps);
    for (int rank = 0; rank < result->n_ranks; rank++)
        for (int state = 0; state < N_LANE_STATES; state++, bytes += NARROW)
            result->state_ps[rank][state] = (int64_t)get(bytes, NARROW);
    return 0;
}
