/* The runs that an answer is about.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/run.h"

#include "base/memory.h"
#include "interval/intern.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* --- one run --- */

/* Measured programs have numbers that are not whole, too. */
double parameter_value(const struct study_parameter *parameter)
{
    char *end;
    if (parameter->is_number)
        return parameter->is_real ? (double)parameter->number / UNITS_REAL : (double)parameter->number;
    double value = strtod(parameter->text, &end);
    return parameter->text[0] != '\0' && *end == '\0' && isfinite(value) ? value : (double)NAN;
}

double run_value(const struct study_run *run, enum measure_id id)
{
    const struct measure *measure = result_get(&run->result, id);
    return measure != NULL ? measure_value(measure) : (double)NAN;
}

double run_program_time(const struct study_run *run)
{
    double startup = run_value(run, M_STARTUP);
    return run_time(run) - (isnan(startup) ? 0 : startup / run->ranks);
}

bool run_has_state(const struct study_run *run, int state)
{
    return location_state_is_usual[state] ||
           result_get(&run->result, (enum measure_id)((int)M_STATE_USEFUL + state)) != NULL;
}

double run_time(const struct study_run *run)
{
    return run_value(run, M_TIME);
}

void parameter_set_text(struct study_parameter *parameter, const char *text)
{
    char cut[PARAMETER_TEXT];
    snprintf(cut, sizeof cut, "%s", text);
    parameter->text = intern_text(cut);
}

static void set_note(struct study_run *run, enum note note, const char *text)
{
    struct run_notes notes = {{NULL}};
    if (run->notes != NULL)
        notes = *run->notes;
    notes.texts[note] = text;
    run->notes = intern_bytes(&notes, sizeof notes);
}

void run_note(struct study_run *run, enum note note, const char *format, ...)
{
    char text[NOTE_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    set_note(run, note, text[0] != '\0' ? intern_text(text) : NULL);
}

void run_remove_note(struct study_run *run, enum note note)
{
    if (run->notes != NULL)
        set_note(run, note, NULL);
}

const char *run_note_text(const struct study_run *run, enum note note)
{
    return run->notes != NULL && run->notes->texts[note] != NULL ? run->notes->texts[note] : "";
}

void run_discard(struct study_run *run, const char *reason)
{
    char text[DISCARDED_SIZE];
    snprintf(text, sizeof text, "%s", reason);
    run->discarded = intern_text(text);
}

bool run_is_discarded(const struct study_run *run)
{
    return run->discarded != NULL;
}

int run_processors_per_rank(const struct study_run *run)
{
    return run->ranks > 0 && run->result.n_processors > run->ranks ? run->result.n_processors / run->ranks : 1;
}

int run_all_processors(const struct study_run *run)
{
    return run->ranks * run_processors_per_rank(run);
}

int run_processor_at(const struct study_run *run, int i)
{
    int n_each = run_processors_per_rank(run);
    return n_each == 1 ? i : i % n_each * run->ranks + i / n_each;
}

int run_computing(const struct study_run *run)
{
    int count = 0;
    for (int i = 0; i < run->result.n_processors; i++)
        count += run->result.state_ps[i][STATE_USEFUL] + run->result.state_ps[i][STATE_CONTROL] > 0;
    return count;
}

int run_processors(const struct study_run *run)
{
    int count = run_computing(run);
    return count > 0 ? count : run_all_processors(run);
}

double run_efficiency(const struct study_run *run)
{
    return run_value(run, M_EFFICIENCY) * run_all_processors(run) / run_processors(run);
}

int run_compare_problems(const struct study_run *a, const struct study_run *b)
{
    for (int i = 0; i < a->n_parameters; i++)
        if (a->parameters[i].is_problem && a->parameters[i].number != b->parameters[i].number)
            return a->parameters[i].number < b->parameters[i].number ? -1 : 1;
    return 0;
}

bool run_has_no_parts(const struct result *result, const struct measure *component)
{
    for (size_t i = 0; i < result->n_measures; i++)
        if (measure_kind(&result->measures[i]) == KIND_PATH &&
            measure_specs[result->measures[i].of->id].parent == component->of->id)
            return false;
    return true;
}

const struct measure *run_find_phase(const struct study_run *run, const struct phase_spec *phase)
{
    char name[MEASURE_NAME];
    snprintf(name, sizeof name, "%s.%s", measure_specs[M_PATH_COMMUNICATION].name, phase->name);
    return result_find(&run->result, measure_specs[M_PATH_PHASE].group, name);
}

/* Without the beginning and the end of the message library, which are no part of the program. */
static double path_time(const struct study_run *run, const struct measure *measure)
{
    double startup = run_value(run, M_PATH_STARTUP), time = measure_value(measure);
    bool has_it = measure->of->id == M_PATH_LIBRARY || measure->of->id == M_PATH_STARTUP;
    return has_it && !isnan(startup) ? time - startup : time;
}

/* The largest component of the critical path that is a group of parts, or has none, and its share of the path, both
 * without the library's beginning and end. */
static const struct measure *find_largest(const struct study_run *run, bool group, double *share)
{
    const struct measure *largest = NULL;
    for (size_t i = 0; i < run->result.n_measures; i++) {
        const struct measure *measure = &run->result.measures[i];
        if (measure_kind(measure) == KIND_PATH && path_time(run, measure) > 0 &&
            (largest == NULL || path_time(run, measure) > path_time(run, largest)) &&
            (group ? measure_specs[measure->of->id].parent == M_TIME : run_has_no_parts(&run->result, measure)))
            largest = measure;
    }
    double startup = run_value(run, M_PATH_STARTUP);
    *share = largest != NULL ? path_time(run, largest) / (run_time(run) - (isnan(startup) ? 0 : startup)) : 0;
    return largest;
}

const struct measure *run_largest_part(const struct study_run *run, double *share)
{
    return find_largest(run, false, share);
}

const struct measure *run_largest_group(const struct study_run *run, double *share)
{
    return find_largest(run, true, share);
}

/* --- all of them --- */

bool study_varies(const struct study *study, int parameter)
{
    if (study->whole != NULL)
        return study_varies(study->whole, parameter);
    if (study->varying != NULL)
        return study->varying[parameter];
    for (int i = 1; i < study->n_runs; i++)
        if (study->runs[i].parameters[parameter].number != study->runs[0].parameters[parameter].number)
            return true;
    return false;
}

bool study_is_ranks(const struct study *study, int parameter)
{
    for (int i = 0; i < study->n_runs; i++)
        if (!study->runs[i].parameters[parameter].is_number ||
            study->runs[i].parameters[parameter].number != study->runs[i].ranks)
            return false;
    return true;
}

bool *study_find_varying(const struct study *study)
{
    int n_parameters = study->n_runs > 0 ? study->runs[0].n_parameters : 0;
    bool *varying = xcalloc((size_t)n_parameters + 1, sizeof *varying);
    for (int i = 0; i < n_parameters; i++)
        varying[i] = study_varies(study, i);
    return varying;
}

bool study_has_processors(const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++)
        if (run_processors_per_rank(&study->runs[i]) > 1)
            return true;
    return false;
}

const char *study_processors_word(const struct study *study)
{
    return study_has_processors(study) ? "processors" : "ranks";
}

bool study_has(const struct study *study, enum measure_id id)
{
    for (int i = 0; i < study->n_runs; i++)
        if (result_get(&study->runs[i].result, id) != NULL)
            return true;
    return false;
}

bool study_has_above_0(const struct study *study, enum measure_id id)
{
    for (int i = 0; i < study->n_runs; i++)
        if (run_value(&study->runs[i], id) > 0)
            return true;
    return false;
}

const struct measure **study_find_measures(size_t *count, const struct study *study,
                                           bool (*is_wanted)(const struct measure *measure))
{
    const struct measure **found = NULL;
    size_t capacity = 0;
    *count = 0;
    for (int i = 0; i < study->n_runs; i++)
        for (size_t m = 0; m < study->runs[i].result.n_measures; m++) {
            const struct measure *measure = &study->runs[i].result.measures[m];
            size_t known = 0;
            if (!is_wanted(measure))
                continue;
            while (known < *count && !measure_same(found[known], measure))
                known++;
            if (known < *count)
                continue;
            found = xgrow(found, *count, &capacity, sizeof(const struct measure *));
            found[(*count)++] = measure;
        }
    return found;
}

bool study_varies_problem(const struct study *study, bool problem)
{
    for (int i = 0; i < study->runs[0].n_parameters; i++)
        if (study->runs[0].parameters[i].is_problem == problem && study_varies(study, i))
            return true;
    return false;
}

/* --- words and columns --- */

void study_name_varied(struct builder *text, const struct study *study, const struct study_run *run,
                       bool (*is_wanted)(const struct study_parameter *), const char *before)
{
    for (int i = 0; i < run->n_parameters; i++) {
        const struct study_parameter *parameter = &run->parameters[i];
        if (!study_varies(study, i) || (is_wanted != NULL && !is_wanted(parameter)))
            continue;
        builder_add(text, "%s%s %s", before, parameter->name, parameter->text);
        before = ", ";
    }
}

static bool is_no_ranks(const struct study_parameter *parameter)
{
    return parameter->subject != SUBJECT_RANKS;
}

void study_name_run(struct builder *text, const struct study *study, const struct study_run *run)
{
    builder_add(text, "%d rank%s", run->ranks, run->ranks == 1 ? "" : "s");
    study_name_varied(text, study, run, is_no_ranks, ", ");
}

const char *part_label(struct document *document, const struct measure *component)
{
    enum measure_id whole = measure_specs[component->of->id].parent;
    if (whole == M_NONE || whole == M_TIME)
        return measure_label(component);
    return document_format(document, "%s %s", measure_specs[whole].label, measure_label(component));
}

void builder_add_time(struct builder *text, double seconds)
{
    char time[32];
    builder_add(text, "%s", scale_format(time, sizeof time, UNIT_SECONDS, seconds));
}

bool study_shows(const struct study *study, int parameter)
{
    return study_varies(study, parameter) ||
           (study->n_runs == 1 && study->runs[0].parameters[parameter].subject == SUBJECT_RANKS);
}

void study_key_columns(struct table *table, const struct study *study)
{
    for (int i = 0; i < study->runs[0].n_parameters; i++)
        if (study_shows(study, i))
            table_column(table, (struct column){.id = study->runs[0].parameters[i].name,
                                                .unit = study->runs[0].parameters[i].is_number ? UNIT_COUNT : UNIT_TEXT,
                                                .flags = COLUMN_KEY | COLUMN_PARAMETER});
}

struct cell cell_of_parameter(const struct study_parameter *parameter)
{
    if (!parameter->is_number)
        return cell_of_text(parameter->text);
    return cell_shown(parameter->is_real ? cell_of_real(parameter_value(parameter))
                                         : cell_of_integer(parameter->number),
                      parameter->text);
}

void study_key_cells(struct table *table, const struct study *study, const struct study_run *run)
{
    if (run->matters)
        table_mark(table);
    for (int i = 0; i < run->n_parameters; i++)
        if (study_shows(study, i))
            table_cell(table, cell_of_parameter(&run->parameters[i]));
}
