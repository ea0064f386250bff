/* The times of the runs, with what they are held against.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "study/ranking.h"

#include <math.h>

/* Which columns the table has. */
struct columns {
    bool band, ranking, overhead, part, speedup, forecast, measured, predicted;
};

/* True if there are processors that have nothing to compute. */
static bool is_part(const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++)
        if (run_processors(&study->runs[i]) < run_all_processors(&study->runs[i]))
            return true;
    return false;
}

static void add_column(struct table *table, bool is_there, const char *head, enum unit unit)
{
    if (is_there)
        table_column(table, (struct column){.id = head, .unit = unit});
}

static void add_beside(struct table *table, bool is_there, const char *head, enum unit unit)
{
    if (is_there)
        table_column(table, (struct column){.id = head, .unit = unit, .flags = COLUMN_BESIDE});
}

static void add_columns(struct table *table, const struct columns *has)
{
    add_column(table, true, "time", UNIT_SECONDS);
    add_column(table, has->band, "from", UNIT_SECONDS);
    add_column(table, has->band, "to", UNIT_SECONDS);
    add_column(table, has->ranking, "slowdown", UNIT_SLOWDOWN);
    add_beside(table, has->part, "processors", UNIT_COUNT);
    add_column(table, has->speedup, "speedup", UNIT_RATIO);
    add_column(table, has->band && has->speedup, "speedup from", UNIT_RATIO);
    add_column(table, has->band && has->speedup, "speedup to", UNIT_RATIO);
    add_column(table, has->speedup, "efficiency", UNIT_SHARE);
    add_column(table, has->forecast, "formula", UNIT_SECONDS);
    add_column(table, has->forecast, "off formula", UNIT_DIFFERENCE);
    add_column(table, has->ranking, "largest part", UNIT_TEXT);
    add_beside(table, has->ranking, "its share", UNIT_SHARE);
    add_beside(table, has->overhead, "largest overhead", UNIT_TEXT);
    add_column(table, has->measured, "measured", UNIT_SECONDS);
    add_column(table, has->measured, "error", UNIT_DIFFERENCE);
    add_column(table, has->predicted, "formula", UNIT_SECONDS);
    add_column(table, has->predicted, "formula's error", UNIT_DIFFERENCE);
}

static void add_value(struct table *table, bool is_there, double value)
{
    if (is_there)
        table_real(table, value);
}

static void add_row(struct table *table, const struct columns *has, const struct study_run *run,
                    const struct study_run *best)
{
    double share, predicted = run_value(run, M_PREDICTED_TIME), time = run_time(run);
    const struct measure *dominant = run_largest_part(run, &share);
    table_real(table, time);
    add_value(table, has->band, run_value(run, M_TIME_LOW));
    add_value(table, has->band, run_value(run, M_TIME_HIGH));
    add_value(table, has->ranking, run_time(best) > 0 ? time / run_time(best) : (double)NAN);
    if (has->part)
        table_integer(table, run_processors(run));
    add_value(table, has->speedup, run_value(run, M_SPEEDUP));
    add_value(table, has->band && has->speedup, run_value(run, M_SPEEDUP_LOW));
    add_value(table, has->band && has->speedup, run_value(run, M_SPEEDUP_HIGH));
    add_value(table, has->speedup, run_efficiency(run));
    add_value(table, has->forecast, run_value(run, M_FORECAST_TIME));
    add_value(table, has->forecast, run_value(run, M_FORECAST_ERROR));
    if (has->ranking)
        table_text(table, dominant != NULL ? part_label(table->document, dominant) : "");
    add_value(table, has->ranking, share);
    if (has->overhead)
        table_text(table, run->largest_overhead != NULL ? run->largest_overhead : "");
    add_value(table, has->measured, run_value(run, M_MEASURED_TIME));
    add_value(table, has->measured, run_value(run, M_MEASURED_ERROR));
    add_value(table, has->predicted, predicted);
    add_value(table, has->predicted, predicted / run_value(run, M_MEASURED_TIME) - 1);
}

/* Errors without their sign, of several runs. */
struct mean {
    double sum;
    int count;
};

static void mean_add(struct mean *mean, double error)
{
    mean->sum += isnan(error) ? 0 : fabs(error);
    mean->count += !isnan(error);
}

/* "simulated 3.3 %, by the paper's formula 6.7 %, as printed 16.0 %" */
static void add_means(struct builder *line, const struct study *study, bool with_outliers)
{
    static const struct {
        const char *who;
        enum measure_id id;
    } kinds[] = {{"simulated", M_TIME}, {"by the paper's formula", M_PREDICTED_TIME}, {"as printed", M_PRINTED_TIME}};
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        struct mean mean = {0};
        for (int i = 0; i < study->n_runs; i++) {
            const struct study_run *run = &study->runs[i];
            if (with_outliers || isnan(run_value(run, M_OUTLIER)))
                mean_add(&mean, run_value(run, kinds[kind].id) / run_value(run, M_MEASURED_TIME) - 1);
        }
        if (mean.count > 0)
            builder_add(line, "%s%s %.1f %%", kind > 0 ? ", " : "", kinds[kind].who, 100 * mean.sum / mean.count);
    }
}

static void add_mean_error(struct document *document, const struct study *study)
{
    struct builder line = {0};
    int n_measured = 0, n_outliers = 0;
    for (int i = 0; i < study->n_runs; i++) {
        n_measured += !isnan(run_value(&study->runs[i], M_MEASURED_TIME));
        n_outliers += !isnan(run_value(&study->runs[i], M_OUTLIER));
    }
    if (n_measured == 0)
        return;
    builder_add(&line, "Mean |error| against %d measured: ", n_measured);
    add_means(&line, study, true);
    if (n_outliers > 0 && n_outliers < n_measured) {
        builder_add(&line, "; without %d outlier%s: ", n_outliers, n_outliers == 1 ? "" : "s");
        add_means(&line, study, false);
    }
    builder_add(&line, ".");
    document_note(document, builder_take(&line));
}

/* The fastest run of the ranking that the run is in, of the runs from *first on, which are sorted; *first moves on. */
static const struct study_run *find_best(const struct study *study, const struct study_run *run, int *first)
{
    const struct study *all = study->whole != NULL ? study->whole : study;
    while (ranking_compare(all, &all->runs[*first], run) != 0)
        ++*first;
    return &all->runs[*first];
}

void section_times(struct document *document, const struct study *study)
{
    const struct columns has = {
        .band = study_has(study, M_TIME_LOW),
        .ranking = ranking_is_one(study),
        .overhead = study->is_ranked && study_has(study, M_OVERHEAD_IDLE),
        .part = is_part(study),
        .speedup = study_has(study, M_SPEEDUP),
        .forecast = study_has(study, M_FORECAST_TIME),
        .measured = study_has(study, M_MEASURED_TIME),
        .predicted = study_has(study, M_PREDICTED_TIME),
    };
    struct table *table = document_table(document, "times", "Time", FOR_READERS);
    table->chart = has.ranking ? CHART_BAR : CHART_LINE;
    study_key_columns(table, study);
    add_columns(table, &has);
    for (int i = 0, first = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        study_key_cells(table, study, run);
        add_row(table, &has, run, has.ranking ? find_best(study, run, &first) : run);
    }
    if (has.part)
        document_note(document,
                      xformat("Processors are %s that compute; efficiency is speedup / processors. "
                              "Shares below are of all %s.",
                              study_has_processors(study) ? "those" : "the ranks", study_processors_word(study)));
    if (has.measured)
        add_mean_error(document, study->whole != NULL ? study->whole : study);
}
