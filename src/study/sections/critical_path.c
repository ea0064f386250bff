/* The components of the machine along the critical path: their times.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* Components in the order of the columns, or rows, that they are shown in. */
struct components {
    const struct measure **items; /* of some run */
    size_t count;
    size_t shown; /* those after the first `shown` are shown as one, "others" */
};

static double component_s(const struct study_run *run, const struct measure *component)
{
    const struct measure *own = result_find(&run->result, component->of->group, component->of->name);
    return own != NULL ? measure_value(own) : (double)NAN;
}

/* The time that the reference predicts of a component. */
static double predicted_s(const struct study_run *run, const struct measure *component)
{
    const struct measure *predicted = result_get_of(&run->result, M_PREDICTED, component->of->name);
    return predicted != NULL ? measure_value(predicted) : (double)NAN;
}

static bool has_prediction(const struct study *study, const struct measure *component)
{
    for (int i = 0; i < study->n_runs; i++)
        if (!isnan(predicted_s(&study->runs[i], component)))
            return true;
    return false;
}

/* True if a component has any time, simulated or predicted. */
static bool takes_time(const struct study *study, const struct measure *component)
{
    for (int i = 0; i < study->n_runs; i++)
        if (component_s(&study->runs[i], component) > 0 || predicted_s(&study->runs[i], component) > 0)
            return true;
    return false;
}

static bool is_path(const struct measure *measure)
{
    return measure_kind(measure) == KIND_PATH;
}

/* Add the parts of a whole that take time in some run, in order. */
static void add_parts(struct components *components, const struct study *study, enum measure_id whole)
{
    size_t count;
    const struct measure **found = study_find_measures(&count, study, is_path);
    components->items = xrealloc(components->items, (components->count + count + 1) * sizeof(const struct measure *));
    for (size_t i = 0; i < count; i++)
        if (measure_specs[found[i]->of->id].parent == whole && takes_time(study, found[i]))
            components->items[components->count++] = found[i];
    components->shown = components->count;
    free(found);
}

static size_t count_shown(const struct components *components)
{
    return components->shown + (components->shown < components->count);
}

static const char *shown_label(const struct components *components, size_t c)
{
    const char *label = c == components->shown ? "others" : measure_label(components->items[c]);
    return label[0] != '\0' ? label : "elsewhere";
}

/* NAN where the run has none of it. */
static double shown_s(const struct components *components, const struct study_run *run, size_t c)
{
    if (c < components->shown)
        return component_s(run, components->items[c]);
    double sum = NAN;
    for (; c < components->count; c++) {
        double value = component_s(run, components->items[c]);
        if (!isnan(value))
            sum = isnan(sum) ? value : sum + value;
    }
    return sum;
}

/* --- tables --- */

/* The components' times and, where the reference has them, its predictions beside them: a column each. */
static void add_columns(struct table *table, const struct study *study, const struct components *components)
{
    bool *predicted = xcalloc(components->count + 1, sizeof *predicted);
    table->unit_in_title = true;
    study_key_columns(table, study);
    for (size_t c = 0; c < count_shown(components); c++) {
        const char *label = shown_label(components, c);
        predicted[c] = c < components->shown && has_prediction(study, components->items[c]);
        table_column(table, (struct column){.id = label, .unit = UNIT_SECONDS});
        if (predicted[c])
            table_column(table, (struct column){.id = document_format(table->document, "%s predicted", label),
                                                .head = "formula",
                                                .unit = UNIT_SECONDS,
                                                .flags = COLUMN_LIKE_LAST});
    }
    for (int i = 0; i < study->n_runs; i++) {
        study_key_cells(table, study, &study->runs[i]);
        for (size_t c = 0; c < count_shown(components); c++) {
            table_real(table, shown_s(components, &study->runs[i], c));
            if (predicted[c])
                table_real(table, predicted_s(&study->runs[i], components->items[c]));
        }
    }
    free(predicted);
}

/* The components of a single run that has many: a row each. */
static void add_rows(struct table *table, const struct study_run *run, const struct components *components)
{
    table_column(table, (struct column){.id = "phase", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "time", .unit = UNIT_SECONDS});
    table_column(table, (struct column){.id = "of all", .unit = UNIT_SHARE});
    for (size_t c = 0; c < count_shown(components); c++) {
        table_text(table, shown_label(components, c));
        table_real(table, shown_s(components, run, c));
        table_real(table, shown_s(components, run, c) / run_time(run));
    }
}

static void add_table(struct document *document, const struct study *study, const char *id, const char *title,
                      const struct components *components, bool rows)
{
    struct table *table = document_table(document, id, title, FOR_READERS);
    table->chart = CHART_STACKED_BAR;
    table->is_part = measure_specs[components->items[0]->of->id].parent != M_TIME;
    if (rows)
        add_rows(table, &study->runs[0], components);
    else
        add_columns(table, study, components);
}

/* --- phases --- */

struct ranked {
    const struct measure *component;
    double largest; /* share of a run */
    size_t place;
};

static int by_size(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    if (left->largest != right->largest)
        return left->largest < right->largest ? 1 : -1;
    return (left->place > right->place) - (left->place < right->place);
}

/* Put those first that are the largest part of any run. */
static void sort_components(struct components *components, const struct study *study)
{
    struct ranked *ranked = xcalloc(components->count, sizeof *ranked);
    for (size_t c = 0; c < components->count; c++) {
        ranked[c] = (struct ranked){components->items[c], 0, c};
        for (int i = 0; i < study->n_runs; i++) /* fmax skips NAN */
            ranked[c].largest =
                fmax(ranked[c].largest, shown_s(components, &study->runs[i], c) / run_time(&study->runs[i]));
    }
    sort_stable(ranked, components->count, sizeof *ranked, by_size);
    for (size_t c = 0; c < components->count; c++)
        components->items[c] = ranked[c].component;
    free(ranked);
}

/* One phase alone is all of the communication, which the reader knows; of many those are shown that matter. */
static void add_phases(struct document *document, const struct study *study)
{
    enum { MANY = 6, MOST = 10 };
    struct components phases = {0};
    add_parts(&phases, study, M_PATH_COMMUNICATION);
    bool rows = study->n_runs == 1 && phases.count > MANY;
    if (rows || phases.count > MOST + 1)
        sort_components(&phases, study);
    if (phases.count > MOST + 1)
        phases.shown = MOST;
    if (phases.count > 1 || (phases.count == 1 && has_prediction(study, phases.items[0])))
        add_table(document, study, "phases", "communication on the critical path, by phase", &phases, rows);
    free(phases.items);
}

void section_critical_path(struct document *document, const struct study *study)
{
    struct components groups = {0}, parts = {0};
    add_parts(&groups, study, M_TIME);
    if (groups.count > 0)
        add_table(document, study, "critical_path", "What the time consists of, along the critical path", &groups,
                  false);
    section_verdicts(document, study);
    document->in_details = true;
    add_parts(&parts, study, M_PATH_PROCESSING);
    add_parts(&parts, study, M_PATH_MEMORY);
    add_parts(&parts, study, M_PATH_IO);
    if (parts.count > 1) /* a single one is all there is of its group */
        add_table(document, study, "parts", "processing, memory and I/O on the critical path", &parts, false);
    document->in_details = false;
    free(parts.items);
    free(groups.items);
    add_phases(document, study);
}
