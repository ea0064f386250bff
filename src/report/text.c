/* The report for people: sentences broken into lines, and tables with right-aligned columns. */
#include "report/report.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "report/layout.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 118 };

/* --- sentences --- */

static int width_of_word(const char *word, int length)
{
    char *copy = xformat("%.*s", length, word);
    int width = utf8_width(copy);
    free(copy);
    return width;
}

/* A word, with its unit if it is a number. */
static int length_of_word(const char *word)
{
    static const char *const units[] = {"%", "s", "ms", "us", "ns", "B", "kB", "MB", "GB"};
    size_t length = strcspn(word, " ");
    if (length == 0 || word[length] == '\0' || !isdigit((unsigned char)word[length - 1]))
        return (int)length;
    const char *next = word + length + 1;
    size_t unit = strcspn(next, " .,;:)");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i]) == unit && strncmp(next, units[i], unit) == 0)
            return (int)(length + 1 + strcspn(next, " "));
    return (int)length;
}

/* The first line begins behind so many blanks, the others two further on. */
static void write_sentence(FILE *stream, const char *text, int indent)
{
    int column = 0;
    for (const char *word = text; *word != '\0';) {
        int length = length_of_word(word), width = width_of_word(word, length);
        bool breaks = column > 0 && column + 1 + width > WIDEST;
        if (column == 0 || breaks)
            column = fprintf(stream, "%s%*s", breaks ? "\n" : "", breaks ? indent + 2 : indent, "") - breaks;
        else
            column += fprintf(stream, " ");
        fprintf(stream, "%.*s", length, word);
        column += width;
        word += length + (word[length] == ' ');
    }
    fputc('\n', stream);
}

/* --- columns --- */

static bool has_scale(enum unit unit)
{
    return unit == UNIT_SECONDS || unit == UNIT_BYTES || unit == UNIT_BANDWIDTH;
}

/* The largest value of all columns that have that unit together. */
static double find_largest(const struct table *table, enum unit unit)
{
    double largest = 0;
    for (size_t row = 0; row < table_n_rows(table); row++)
        for (size_t c = 0; c < table->n_columns; c++)
            if (table->columns[c].unit == unit && !(table->columns[c].flags & COLUMN_OWN_UNIT)) /* fmax skips NAN */
                largest = fmax(largest, fabs(cell_value(table_at(table, row, c))));
    return largest;
}

static struct scale scale_column(const struct table *table, size_t column)
{
    struct scale scale = scale_for(table->columns[column].unit, find_largest(table, table->columns[column].unit));
    double least = INFINITY;
    if (table->columns[column].flags & COLUMN_FINE)
        return scale;
    for (size_t row = 0; row < table_n_rows(table); row++) {
        double value = fabs(cell_value(table_at(table, row, column)));
        if (value > 0)
            least = fmin(least, value);
    }
    return scale_digits(scale, least);
}

static struct scale *scale_columns(const struct table *table)
{
    struct scale *scales = xcalloc(table->n_columns, sizeof *scales);
    for (size_t c = 0; c < table->n_columns; c++)
        scales[c] = c > 0 && (table->columns[c].flags & COLUMN_LIKE_LAST) ? scales[c - 1] : scale_column(table, c);
    return scales;
}

static void write_heads(struct layout *layout, const struct table *table, const struct scale *scales)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        const struct column *column = &table->columns[c];
        const char *head = column->head != NULL ? column->head : column->id;
        bool says_unit = has_scale(column->unit) && !table->unit_in_title &&
                         !(column->flags & (COLUMN_OWN_UNIT | COLUMN_LIKE_LAST | COLUMN_SILENT));
        layout_head(layout, says_unit ? "%s%s [%s]" : "%s%s", column->flags & COLUMN_BEGINS ? "| " : "", head,
                    scales[c].name);
        if ((column->flags & COLUMN_KEY) && (c + 1 == table->n_columns || !(column[1].flags & COLUMN_KEY)))
            layout_keys(layout);
    }
}

static void write_number(struct layout *layout, const struct column *column, struct scale scale, double value)
{
    char text[64];
    if (!has_scale(column->unit) || (column->flags & COLUMN_OWN_UNIT) || !isfinite(value))
        layout_cell(layout, "%s", scale_format(text, sizeof text, column->unit, value));
    else if (column->flags & COLUMN_OWN_DIGITS)
        layout_cell(layout, "%.*f", value > 0 ? scale_digits(scale, value).decimals : scale.decimals,
                    value * scale.factor);
    else
        layout_cell(layout, "%.*f", scale.decimals, value * scale.factor);
}

static void write_cell(struct layout *layout, const struct column *column, struct scale scale, const struct cell *cell)
{
    if (cell->shown != NULL)
        layout_cell(layout, "%s", cell->shown);
    else if (cell->kind == CELL_TEXT)
        layout_cell(layout, "%s", cell->text[0] != '\0' ? cell->text : "-");
    else if (cell->kind == CELL_FLAG)
        layout_cell(layout, "%s", cell->integer ? "yes" : "no");
    else if (cell->kind == CELL_BLANK)
        layout_cell(layout, "%s", "");
    else if (cell->kind == CELL_LIST || cell->kind == CELL_ROWS)
        layout_cell(layout, "(%zu)", table_n_rows(cell->table));
    else
        write_number(layout, column, scale, cell_value(cell));
}

static void write_table(FILE *stream, const struct table *table)
{
    struct scale *scales = scale_columns(table);
    size_t last = table->n_columns - 1;
    if (table->title != NULL && table->unit_in_title)
        fprintf(stream, "%*s%s [%s]\n", table->is_part ? 2 : 0, "", table->title, scales[last].name);
    else if (table->title != NULL)
        write_sentence(stream, table->title, table->is_part ? 2 : 0);
    struct layout *layout = layout_new();
    write_heads(layout, table, scales);
    for (size_t row = 0; row < table_n_rows(table); row++)
        for (size_t c = 0; c < table->n_columns; c++)
            write_cell(layout, &table->columns[c], scales[c], table_at(table, row, c));
    layout_print(layout, stream);
    free(scales);
}

/* --- the document --- */

/* An empty line is before what begins something new. */
static bool begins(const struct document_item *item, const struct document_item *before)
{
    if (item->kind == ITEM_SENTENCE)
        return before != NULL && before->kind != ITEM_SENTENCE && before->kind != ITEM_HEADING;
    return item->kind == ITEM_HEADING || (item->kind == ITEM_TABLE && item->table->title != NULL);
}

static void text_write(FILE *stream, const struct document *document)
{
    const struct document_item *before = NULL;
    if (document->title[0] != '\0') {
        write_sentence(stream, document->title, 0);
        fputc('\n', stream);
    }
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        if (item->kind == ITEM_FACT || (item->kind == ITEM_TABLE && table_n_rows(item->table) == 0))
            continue;
        if (before != NULL && begins(item, before))
            fputc('\n', stream);
        if (item->kind == ITEM_TABLE)
            write_table(stream, item->table);
        else
            write_sentence(stream, item->text, item->kind == ITEM_NOTE ? 2 : 0);
        before = item;
    }
}

const struct report_spec report_text = {
    .name = "text", .summary = "tables for reading, the answer first", .audience = FOR_READERS, .write = text_write};
