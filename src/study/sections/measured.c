/* Measures other than the time beside what was measured of them: a row for each run that the reference knows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include <stdlib.h>

#include <math.h>

enum { MAX_MEASURES = 8 }; /* of a table, so that it is not too wide */

static double reference_value(const struct study_run *run, enum measure_id family, const struct measure *measured)
{
    const struct measure *measure = result_get_of(&run->result, family, measure_label(measured));
    return measure != NULL ? measure_value(measure) : (double)NAN;
}

static bool is_measured(const struct measure *measure)
{
    return measure->of->id == M_MEASURED;
}

static bool is_known(const struct study_run *run, const struct measure *const *measured, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (!isnan(reference_value(run, M_MEASURED, measured[n])))
            return true;
    return false;
}

/* The components of the critical path are times, in a unit that fits them; everything else is a plain number. */
static enum unit find_unit(const struct study *study, const struct measure *measured)
{
    for (int i = 0; i < study->n_runs; i++)
        if (result_find(&study->runs[i].result, measure_specs[M_PATH_IO].group, measure_label(measured)) != NULL)
            return UNIT_SECONDS;
    return UNIT_RATIO;
}

static void add_columns(struct table *table, const struct study *study, const struct measure *const *measured,
                        size_t count)
{
    study_key_columns(table, study);
    for (size_t n = 0; n < count; n++) {
        enum unit unit = find_unit(study, measured[n]);
        const char *label = measure_label(measured[n]);
        table_column(table, (struct column){.id = label, .unit = unit, .flags = n > 0 ? COLUMN_BEGINS : 0});
        table_column(table, (struct column){.id = document_format(table->document, "%s measured", label),
                                            .head = "measured",
                                            .unit = unit,
                                            .flags = COLUMN_LIKE_LAST});
        table_column(table, (struct column){.id = document_format(table->document, "%s error", label),
                                            .head = "error",
                                            .unit = UNIT_DIFFERENCE,
                                            .flags = COLUMN_LIKE_LAST});
    }
}

/* "Mean |error|: speedup 10.9 % of 4, messages_per_s 17.7 % of 4." */
static void add_means(struct document *document, const struct study *study, const struct measure *const *measured,
                      size_t count)
{
    struct builder line = {0};
    for (size_t n = 0; n < count; n++) {
        double sum = 0;
        int n_runs = 0;
        for (int i = 0; i < study->n_runs; i++) {
            double error = reference_value(&study->runs[i], M_SIMULATED_ERROR, measured[n]);
            sum += isnan(error) ? 0 : fabs(error);
            n_runs += !isnan(error);
        }
        if (n_runs > 0)
            builder_add(&line, "%s%s %.1f %% of %d", line.length == 0 ? "Mean |error|: " : ", ",
                        measure_label(measured[n]), 100 * sum / n_runs, n_runs);
    }
    builder_add(&line, ".");
    if (line.length > 1)
        document_note(document, builder_take(&line));
    free(line.text);
}

static void add_table(struct document *document, const struct study *study, const struct measure *const *measured,
                      size_t count)
{
    struct table *table =
        document_table(document, "measured", "Compared with measurements of the real machine", FOR_READERS);
    add_columns(table, study, measured, count);
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        if (!is_known(run, measured, count))
            continue;
        study_key_cells(table, study, run);
        for (size_t n = 0; n < count; n++) {
            table_real(table, reference_value(run, M_SIMULATED, measured[n]));
            table_real(table, reference_value(run, M_MEASURED, measured[n]));
            table_real(table, reference_value(run, M_SIMULATED_ERROR, measured[n]));
        }
    }
    add_means(document, study, measured, count);
}

void section_measured(struct document *document, const struct study *study)
{
    size_t count;
    const struct measure **measured = study_find_measures(&count, study, is_measured);
    if (count > 0)
        add_table(document, study, measured, count < MAX_MEASURES ? count : MAX_MEASURES);
    free(measured);
}
