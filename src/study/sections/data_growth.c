/* Parts of the time, how each of them grows, and which does most, for programs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/growth.h"
#include "study/sections/sections.h"

#include <math.h>
#include <stdlib.h>

static const char *const group_names[N_PARTS_GROUPS] = {[PARTS_FUNCTIONS] = "function", [PARTS_SCOPES] = "scope"};

static void add_columns(struct table *table, const struct column *columns)
{
    for (const struct column *column = columns; column->id != NULL; column++)
        table_column(table, *column);
}

/* A cell of a number; one that is not finite is not there. */
static struct cell cell_of_finite(double value)
{
    return isfinite(value) ? cell_of_real(value) : (struct cell){.kind = CELL_NONE};
}

static struct cell cell_of_kind(const struct growth_row *row)
{
    return row->kind == DOING_MIXED ? (struct cell){.kind = CELL_NONE} : cell_of_text(part_kind_name(row->kind));
}

static void add_key(struct table *table, const struct growth *growth)
{
    table_text(table, growth->series);
    table_real(table, growth->at);
    table_text(table, group_names[growth->group]);
}

/* ---- The rows ---- */

static void add_row(struct table *table, const struct models *models, const struct growth *growth,
                    const struct growth_row *row)
{
    char term[120];
    growth_term(term, sizeof term, models, row);
    add_key(table, growth);
    table_text(table, row->name);
    table_cell(table, cell_of_kind(row));
    table_cell(table, cell_of_flag(row->is_inner));
    table_cell(table, cell_of_finite(row->first_s));
    table_cell(table, cell_of_finite(row->last_s));
    table_cell(table, cell_of_finite(row->first_share));
    table_cell(table, cell_of_finite(row->last_share));
    table_cell(table, cell_of_flag(row->is_told));
    table_text(table, growth_way_names[row->way]);
    table_text(table, document_format(table->document, "%s", term));
    table_cell(table, cell_of_finite(row->exponent));
    table_cell(table, cell_of_finite(row->forecast.value));
    table_cell(table, cell_of_finite(row->forecast.low));
    table_cell(table, cell_of_finite(row->forecast.high));
    table_cell(table, cell_of_finite(row->share));
    table_cell(table, cell_of_finite(row->share_low));
    table_cell(table, cell_of_finite(row->share_high));
    table_cell(table, cell_of_flag(row->is_told && (row->forecast.doubts & REGRESSION_UNSUPPORTED) == 0));
}

static void add_parts(struct document *document, const struct models *models, const struct growth *growths, int count)
{
    static const struct column columns[] = {
        {.id = "series", .flags = COLUMN_KEY},
        {.id = "at", .flags = COLUMN_KEY},
        {.id = "by", .flags = COLUMN_KEY},
        {.id = "part", .flags = COLUMN_KEY},
        {.id = "kind", .flags = COLUMN_KEY},
        {.id = "is_inner"},
        {.id = "first_s"},
        {.id = "last_s"},
        {.id = "first_share"},
        {.id = "last_share"},
        {.id = "told"},
        {.id = "way"},
        {.id = "term"},
        {.id = "exponent"},
        {.id = "value"},
        {.id = "low"},
        {.id = "high"},
        {.id = "share"},
        {.id = "share_low"},
        {.id = "share_high"},
        {.id = "supported"},
        {.id = NULL},
    };
    struct table *table = document_table(document, "parts", NULL, FOR_PROGRAMS);
    table->group = "models";
    add_columns(table, columns);
    for (int g = 0; g < count; g++)
        for (int i = 0; i < growths[g].n_rows; i++)
            add_row(table, models, &growths[g], &growths[g].rows[i]);
}

/* ---- What does most ---- */

static void add_named(struct table *table, const struct growth *growth, int index)
{
    if (index < 0) {
        table_none(table);
        table_none(table);
        return;
    }
    table_text(table, growth->rows[index].name);
    table_cell(table, cell_of_kind(&growth->rows[index]));
}

static void add_growth(struct table *table, const struct growth *growth)
{
    add_key(table, growth);
    table_real(table, growth->first);
    table_real(table, growth->last);
    add_named(table, growth, growth->most);
    add_named(table, growth, growth->fastest);
    add_named(table, growth, growth->most_measured);
    table_cell(table, cell_of_finite(growth->sum_s));
    table_cell(table, cell_of_finite(growth->time.value));
    table_cell(table, cell_of_finite(growth->time.low));
    table_cell(table, cell_of_finite(growth->time.high));
}

static void add_growths(struct document *document, const struct growth *growths, int count)
{
    static const struct column columns[] = {
        {.id = "series", .flags = COLUMN_KEY},
        {.id = "at", .flags = COLUMN_KEY},
        {.id = "by", .flags = COLUMN_KEY},
        {.id = "first"},
        {.id = "last"},
        {.id = "most"},
        {.id = "most_kind"},
        {.id = "fastest"},
        {.id = "fastest_kind"},
        {.id = "most_measured"},
        {.id = "most_measured_kind"},
        {.id = "sum_s"},
        {.id = "time_s"},
        {.id = "time_low_s"},
        {.id = "time_high_s"},
        {.id = NULL},
    };
    struct table *table = document_table(document, "growth", NULL, FOR_PROGRAMS);
    table->group = "models";
    add_columns(table, columns);
    for (int g = 0; g < count; g++)
        if (growths[g].n_rows > 0)
            add_growth(table, &growths[g]);
}

void section_data_growth(struct document *document, const struct models *models)
{
    int count = 0;
    if (!models->explains)
        return;
    struct growth *growths = growth_make_all(&count, models);
    add_growths(document, growths, count);
    add_parts(document, models, growths, count);
    for (int g = 0; g < count; g++)
        growth_dispose(&growths[g]);
    free(growths);
}
