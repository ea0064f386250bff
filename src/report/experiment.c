/* An experiment of the tool Extra-P, .extra-p: the measurements that models were made of, and the models.
 *
 * Format: a ZIP archive with experiment.json, which refers to repetitions in values/0.vals, arrays of NumPy whose
 * places values/0.indx has. Times are in seconds. The statistics of a model are those that Extra-P shows, of the means.
 * Source: docs/file-formats.md, extrap/entities and extrap/fileio/values_io.py of github.com/extra-p/extrap, version
 * 4.2; numpy.lib.format, version 1.0.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include "base/memory.h"
#include "os/zip.h"
#include "report/arrays.h"
#include "report/json_writer.h"
#include "report/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXTRAP_VERSION "4.2.0" /* of the format */

struct experiment {
    const struct table *fits;
    size_t measure, series, formula, constant, terms, measured; /* columns; n_columns where there is none */
    struct json_writer writer;
    struct bytes json;
    struct arrays values;
};

/* ---- The table of models ---- */

static bool is_called(const char *name, const char *wanted)
{
    return strcmp(name, wanted) == 0;
}

static size_t find_column(const struct table *table, const char *id)
{
    size_t column = 0;
    while (column < table->n_columns && !is_called(table->columns[column].id, id))
        column++;
    return column;
}

static const struct table *find_fits(const struct document *document)
{
    for (size_t i = 0; i < document->n_items; i++) {
        const struct table *table = document->items[i].table;
        if (table != NULL && is_called(table->id, "fits") && find_column(table, "formula") < table->n_columns)
            return table;
    }
    return NULL;
}

static const struct cell *cell_of(const struct experiment *self, size_t row, size_t column)
{
    return table_at(self->fits, row, column);
}

static bool has_model(const struct experiment *self, size_t row)
{
    return cell_of(self, row, self->formula)->kind == CELL_TEXT;
}

/* The region, which a table of measurements may name, or what else tells series apart. */
static const char *region_of(const struct experiment *self, size_t row)
{
    static const char prefix[] = "region ";
    const struct cell *cell = self->series < self->fits->n_columns ? cell_of(self, row, self->series) : NULL;
    const char *series = cell != NULL && cell->kind == CELL_TEXT ? cell->text : "";
    if (series[0] == '\0')
        return "<root>";
    return strncmp(series, prefix, strlen(prefix)) == 0 && strchr(series, ',') == NULL ? series + strlen(prefix)
                                                                                       : series;
}

/* ---- Measurements ---- */

static void write_number(struct json_writer *writer, const char *name, double value)
{
    json_name(writer, name);
    json_real(writer, value);
}

static void write_statistics(struct json_writer *writer, const struct point *point)
{
    const struct point_statistics statistics = point_find_statistics(point);
    write_number(writer, "median", statistics.median);
    write_number(writer, "mean", point->mean);
    write_number(writer, "minimum", statistics.least);
    write_number(writer, "maximum", statistics.most);
    write_number(writer, "std", statistics.deviation);
    json_name(writer, "repetitions");
    json_integer(writer, (int64_t)point->count);
}

static void write_point(void *data, const struct table *measured, const struct point *point)
{
    struct experiment *self = data;
    struct json_writer *writer = &self->writer;
    json_begin(writer, '{');
    json_name(writer, "coordinate");
    json_begin(writer, '[');
    for (size_t p = 0; p < points_parameters(measured); p++)
        json_real(writer, cell_value(table_at(measured, point->row, p)));
    json_end(writer, ']');
    write_statistics(writer, point);
    json_name(writer, "values");
    json_begin(writer, '[');
    json_integer(writer, 0);
    json_integer(writer, self->values.count);
    json_end(writer, ']');
    json_end(writer, '}');
    arrays_add(&self->values, point->values, point->count);
}

static void write_measurements(struct experiment *self, size_t row)
{
    json_begin(&self->writer, '[');
    points_each(cell_of(self, row, self->measured)->table, write_point, self);
    json_end(&self->writer, ']');
}

/* ---- Models ---- */

/* An exponent: "2/3", as Extra-P has fractions, or a whole number. */
static void write_simple_term(struct json_writer *writer, const char *type, double exponent)
{
    char text[40];
    int denominator = 1;
    while (denominator < 8 && fabs(exponent * denominator - round(exponent * denominator)) > 1e-9)
        denominator++;
    snprintf(text, sizeof text, "%.0f/%d", round(exponent * denominator), denominator);
    json_begin(writer, '{');
    json_name(writer, "term_type");
    json_text(writer, type);
    json_name(writer, "exponent");
    if (denominator > 1)
        json_text(writer, text);
    else
        json_real(writer, exponent);
    json_end(writer, '}');
}

/* A factor in one parameter; the columns of terms are the coefficient, and of each parameter its exponents. */
static void write_factor(struct json_writer *writer, const struct table *terms, size_t row, size_t parameter)
{
    double exponent = cell_value(table_at(terms, row, 1 + 2 * parameter));
    double logs = cell_value(table_at(terms, row, 2 + 2 * parameter));
    json_name(writer, "simple_terms");
    json_begin(writer, '[');
    if (exponent != 0)
        write_simple_term(writer, "polynomial", exponent);
    if (logs != 0)
        write_simple_term(writer, "logarithm", logs);
    json_end(writer, ']');
}

static void write_pairs(struct json_writer *writer, const struct table *terms, size_t row, size_t n_parameters)
{
    json_name(writer, "parameter_term_pairs");
    json_begin(writer, '{');
    for (size_t p = 0; p < n_parameters; p++) {
        char name[24];
        if (isnan(cell_value(table_at(terms, row, 1 + 2 * p))))
            continue;
        snprintf(name, sizeof name, "%zu", p);
        json_name(writer, name);
        json_begin(writer, '{');
        write_number(writer, "coefficient", 1);
        write_factor(writer, terms, row, p);
        json_end(writer, '}');
    }
    json_end(writer, '}');
}

static const char *kind_of(const struct table *terms, size_t n_parameters)
{
    return table_n_rows(terms) == 0 ? "Constant" : n_parameters == 1 ? "SingleParameter" : "MultiParameter";
}

static void write_type(struct json_writer *writer, const char *kind, const char *of)
{
    char *type = xformat("%s%s", kind, of);
    json_name(writer, "$type");
    json_text(writer, type);
    free(type);
}

static void write_function(struct experiment *self, size_t row, size_t n_parameters)
{
    struct json_writer *writer = &self->writer;
    const struct table *terms = cell_of(self, row, self->terms)->table;
    json_begin(writer, '{');
    write_number(writer, "constant_coefficient", cell_value(cell_of(self, row, self->constant)));
    json_name(writer, "compound_terms");
    json_begin(writer, '[');
    for (size_t t = 0; t < table_n_rows(terms); t++) {
        json_begin(writer, '{');
        write_number(writer, "coefficient", cell_value(table_at(terms, t, 0)));
        if (n_parameters == 1)
            write_factor(writer, terms, t, 0);
        else
            write_pairs(writer, terms, t, n_parameters);
        json_end(writer, '}');
    }
    json_end(writer, ']');
    write_type(writer, kind_of(terms, n_parameters), "Function");
    json_end(writer, '}');
}

static void write_model(struct experiment *self, size_t row)
{
    struct json_writer *writer = &self->writer;
    const struct table *measured = cell_of(self, row, self->measured)->table;
    const struct point_errors errors = points_find_errors(measured);
    double n = (double)errors.count;
    json_begin(writer, '{');
    json_name(writer, "hypothesis");
    json_begin(writer, '{');
    json_name(writer, "function");
    write_function(self, row, points_parameters(measured));
    write_number(writer, "RSS", errors.squares);
    write_number(writer, "rRSS", errors.relative_squares);
    write_number(writer, "nRSS", errors.sum != 0 ? sqrt(errors.squares) * n / errors.sum : 0);
    write_number(writer, "SMAPE", 100 * errors.symmetric / n);
    write_number(writer, "AR2", cell_value(cell_of(self, row, find_column(self->fits, "adjusted_r2"))));
    write_number(writer, "RE", errors.relative / n);
    json_name(writer, "_use_median");
    json_flag(writer, false);
    json_name(writer, "_use_measure");
    json_text(writer, "MEAN");
    json_name(writer, "_costs_are_calculated");
    json_flag(writer, true);
    write_type(writer, kind_of(cell_of(self, row, self->terms)->table, points_parameters(measured)), "Hypothesis");
    json_end(writer, '}');
    json_end(writer, '}');
}

/* ---- The document ---- */

/* {REGION: {METRIC: ...}}, for each model. */
static void write_regions(struct experiment *self, void (*write)(struct experiment *self, size_t row))
{
    size_t n_rows = table_n_rows(self->fits);
    json_begin(&self->writer, '{');
    for (size_t row = 0; row < n_rows; row++) {
        size_t first = 0;
        while (first < row && (!has_model(self, first) || strcmp(region_of(self, first), region_of(self, row)) != 0))
            first++;
        if (!has_model(self, row) || first < row)
            continue;
        json_name(&self->writer, region_of(self, row));
        json_begin(&self->writer, '{');
        for (size_t i = row; i < n_rows; i++)
            if (has_model(self, i) && strcmp(region_of(self, i), region_of(self, row)) == 0) {
                json_name(&self->writer, cell_of(self, i, self->measure)->text);
                write(self, i);
            }
        json_end(&self->writer, '}');
    }
    json_end(&self->writer, '}');
}

static void write_parameters(struct experiment *self)
{
    size_t row = 0;
    while (!has_model(self, row))
        row++;
    const struct table *measured = cell_of(self, row, self->measured)->table;
    json_begin(&self->writer, '[');
    for (size_t p = 0; p < points_parameters(measured); p++)
        json_text(&self->writer, measured->columns[p].id);
    json_end(&self->writer, ']');
}

static void write_document(struct experiment *self)
{
    struct json_writer *writer = &self->writer;
    json_writer_init(writer, bytes_add, &self->json);
    json_begin(writer, '{');
    json_name(writer, "Extra-P");
    json_text(writer, EXTRAP_VERSION);
    json_name(writer, "parameters");
    write_parameters(self);
    json_name(writer, "measurements");
    write_regions(self, write_measurements);
    json_name(writer, "modelers");
    json_begin(writer, '[');
    json_begin(writer, '{');
    json_name(writer, "name");
    json_text(writer, "simrun " SIMRUN_VERSION);
    json_name(writer, "modeler");
    json_begin(writer, '{');
    write_type(writer, "_EmptyModeler", "");
    json_end(writer, '}');
    json_name(writer, "models");
    write_regions(self, write_model);
    json_end(writer, '}');
    json_end(writer, ']');
    json_end(writer, '}');
    json_writer_finish(writer);
}

static const char *find_obstacle(const struct document *document)
{
    return find_fits(document) != NULL ? NULL : "there are no models to write; simrun model MEASURE makes them";
}

static void experiment_write(FILE *stream, const struct document *document)
{
    const struct table *fits = find_fits(document);
    struct experiment *self = xcalloc(1, sizeof *self);
    *self = (struct experiment){.fits = fits,
                                .measure = find_column(fits, "measure"),
                                .series = find_column(fits, "series"),
                                .formula = find_column(fits, "formula"),
                                .constant = find_column(fits, "constant"),
                                .terms = find_column(fits, "terms"),
                                .measured = find_column(fits, "measured")};
    arrays_begin(&self->values);
    write_document(self);
    const struct bytes index = arrays_index(&self->values);
    const struct zip_member members[] = {{"experiment.json", self->json.bytes, self->json.size},
                                         {"values/0.vals", self->values.bytes.bytes, self->values.bytes.size},
                                         {"values/0.indx", index.bytes, index.size}};
    zip_write(stream, members, sizeof members / sizeof members[0]);
    free(self->json.bytes);
    free(index.bytes);
    arrays_dispose(&self->values);
    free(self);
}

const struct report_spec report_experiment = {.name = "experiment",
                                              .summary = "models and their measurements, an experiment of Extra-P",
                                              .audience = FOR_PROGRAMS | FOR_LISTS,
                                              .compares_rows = true,
                                              .find_obstacle = find_obstacle,
                                              .write = experiment_write};
