/* The rankings of a decision as tables.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "study/prominent.h"

#include <math.h>

/* --- what the time consists of --- */

enum { MOST_FOUND = 18, MOST_PARTS = 4 };

/* Parts of the critical path: computation, the phases of the communication, input and output. */
struct part {
    const char *name;
    const struct phase_spec *phase; /* of several phases that are one part, the first */
    enum measure_id id;             /* of the first measure that it is made of */
    const struct measure *measure;
    double largest; /* share of a run's time */
    bool is_other;  /* shown as one with others */
};

struct parts {
    int count, n_others;
    struct part items[MOST_FOUND];
};

/* The program's phase that a measure is of; NULL where nothing is known of it. */
static const struct phase_spec *phase_of(const struct study *study, const struct study_run *run,
                                         const struct measure *measure)
{
    for (const struct phase_spec *phase = study->phases; phase != NULL && phase->name != NULL; phase++)
        if (run_find_phase(run, phase) == measure)
            return phase;
    return NULL;
}

/* The part that a measure belongs to; false where it is none. */
static bool part_of(struct part *part, const struct study *study, const struct study_run *run,
                    const struct measure *measure)
{
    *part = (struct part){.id = measure->of->id, .measure = measure};
    switch (measure->of->id) {
    case M_PATH_PROCESSING:
    case M_PATH_MEMORY:
        part->id = M_PATH_PROCESSING;
        part->name = "computation";
        return true;
    case M_PATH_IO:
        part->name = measure_label(measure);
        return true;
    case M_PATH_PHASE:
        part->phase = phase_of(study, run, measure);
        part->name = part->phase != NULL && part->phase->part != NULL ? part->phase->part : measure_label(measure);
        return true;
    default:
        return false;
    }
}

static bool same_part(const struct part *a, const struct part *b)
{
    if (a->id != M_PATH_PHASE || b->id != M_PATH_PHASE)
        return a->id == b->id;
    return phase_same_part(a->phase, b->phase) || measure_same(a->measure, b->measure);
}

static double part_time(const struct study *study, const struct study_run *run, const struct part *part)
{
    struct part own;
    double sum = 0;
    for (size_t m = 0; m < run->result.n_measures; m++)
        if (part_of(&own, study, run, &run->result.measures[m]) && same_part(&own, part))
            sum += measure_value(&run->result.measures[m]);
    return sum;
}

static void add_parts(struct parts *parts, const struct study *study, const struct study_run *run)
{
    struct part part;
    for (size_t m = 0; m < run->result.n_measures; m++) {
        if (!part_of(&part, study, run, &run->result.measures[m]))
            continue;
        int p = 0;
        while (p < parts->count && !same_part(&parts->items[p], &part))
            p++;
        if (p == parts->count && p < MOST_FOUND)
            parts->items[parts->count++] = part;
    }
    for (int p = 0; p < parts->count; p++) {
        double share = part_time(study, run, &parts->items[p]) / run_time(run);
        parts->items[p].largest = fmax(parts->items[p].largest, share); /* fmax skips NAN */
    }
}

/* Find the parts of all runs; one that is written as 0 everywhere is none, and if there are many the smallest are shown
 * as one. */
static struct parts find_parts(const struct study *study)
{
    struct parts parts = {0};
    int n_kept = 0;
    for (int i = 0; i < study->n_runs; i++)
        add_parts(&parts, study, &study->runs[i]);
    for (int p = 0; p < parts.count; p++)
        if (parts.items[p].largest >= 0.0005)
            parts.items[n_kept++] = parts.items[p];
    parts.count = n_kept;
    while (parts.count - parts.n_others + (parts.n_others > 0) > MOST_PARTS) {
        struct part *least = NULL;
        for (int p = 0; p < parts.count; p++)
            if (!parts.items[p].is_other && (least == NULL || parts.items[p].largest <= least->largest))
                least = &parts.items[p];
        least->is_other = true;
        parts.n_others++;
    }
    return parts;
}

/* --- the columns --- */

/* Which there are; those in which there is nothing, or the same everywhere, are not. */
struct columns {
    const struct study *study;
    struct parts parts;
    bool moved, processors, memory, forecast, share, joint;
};

static bool vary(const struct study *study, enum measure_id id)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < study->n_runs; i++) {
        least = fmin(least, run_value(&study->runs[i], id)); /* skips NAN */
        most = fmax(most, run_value(&study->runs[i], id));
    }
    return most > least;
}

static struct columns find_columns(const struct study *study, bool joint)
{
    struct columns columns = {
        .study = study,
        .moved = study_has_above_0(study, M_BYTES),
        .processors = vary(study, M_PROCESSORS_USED),
        .memory = !joint && study_has_above_0(study, M_MEMORY_BYTES),
        .forecast = study_has(study, M_FORECAST_TIME),
        .joint = joint,
    };
    if (!joint)
        columns.parts = find_parts(study);
    if (columns.parts.count == 1) /* one part is all of it, and has a column */
        columns.parts = (struct parts){.count = 0};
    columns.share = columns.parts.count == 0;
    return columns;
}

/* True if the parameter is a column of the pass: in a joint table first the parameters that tell rankings apart, then
 * the candidates. */
static bool is_key(const struct columns *has, int parameter, int pass)
{
    return has->study->runs[0].parameters[parameter].is_candidate == (pass == 1) && study_varies(has->study, parameter);
}

/* In a joint table each value has its own unit, since those of all rankings are in it. */
static void add_columns(struct table *table, const struct columns *has)
{
    const struct study_run *run = &has->study->runs[0];
    unsigned digits = has->joint ? COLUMN_OWN_UNIT : COLUMN_OWN_DIGITS;
    for (int pass = has->joint ? 0 : 1; pass < 2; pass++)
        for (int i = 0; i < run->n_parameters; i++)
            if (is_key(has, i, pass))
                table_column(table, (struct column){.id = run->parameters[i].name,
                                                    .unit = UNIT_TEXT,
                                                    .flags = COLUMN_KEY | COLUMN_PARAMETER});
    table_column(table, (struct column){.id = "time", .unit = UNIT_SECONDS, .flags = digits});
    table_column(table, (struct column){.id = "slowdown", .unit = UNIT_SLOWDOWN});
    const char *before = "=";
    for (int p = 0; p < has->parts.count; p++)
        if (!has->parts.items[p].is_other) {
            table_column(table, (struct column){
                                    .id = has->parts.items[p].name,
                                    .head = document_format(table->document, "%s %s", before, has->parts.items[p].name),
                                    .unit = UNIT_SECONDS,
                                    .flags = digits | COLUMN_SILENT});
            before = "+";
        }
    if (has->parts.n_others > 0)
        table_column(
            table,
            (struct column){.id = "others", .head = "+ others", .unit = UNIT_SECONDS, .flags = digits | COLUMN_SILENT});
    table_column(table, (struct column){.id = "largest part", .unit = UNIT_TEXT});
    if (has->share)
        table_column(table, (struct column){.id = "its share", .unit = UNIT_SHARE});
    if (has->moved)
        table_column(table, (struct column){.id = "moved", .unit = UNIT_BYTES, .flags = digits});
    if (has->processors)
        table_column(table, (struct column){.id = "processors", .unit = UNIT_COUNT, .flags = COLUMN_BESIDE});
    if (has->memory)
        table_column(table, (struct column){.id = "memory", .unit = UNIT_BYTES, .flags = digits});
    if (has->forecast)
        table_column(table, (struct column){.id = "formula", .unit = UNIT_SECONDS, .flags = digits | COLUMN_BESIDE});
}

static void add_part_cells(struct table *table, const struct columns *has, const struct study_run *run)
{
    double others = run_time(run);
    for (int p = 0; p < has->parts.count; p++) {
        if (has->parts.items[p].is_other)
            continue;
        double time = part_time(has->study, run, &has->parts.items[p]);
        others -= time;
        table_real(table, time);
    }
    if (has->parts.n_others > 0)
        table_real(table, fmax(others, 0));
}

/* "broadcast", "fpu": without the group where the name says enough. */
static const char *short_name(struct document *document, const struct measure *part)
{
    return part == NULL                                                             ? ""
           : part->of->id == M_PATH_PHASE || part->of->id == M_PATH_PROCESSING_PART ? measure_label(part)
                                                                                    : part_label(document, part);
}

static void add_row(struct table *table, const struct columns *has, const struct study_run *run,
                    const struct study_run *best)
{
    double share;
    const struct measure *dominant = run_largest_part(run, &share);
    for (int pass = has->joint ? 0 : 1; pass < 2; pass++)
        for (int i = 0; i < run->n_parameters; i++)
            if (is_key(has, i, pass))
                table_text(table, run->parameters[i].text);
    table_real(table, run_time(run));
    table_real(table, run_time(best) > 0 ? run_time(run) / run_time(best) : (double)NAN);
    add_part_cells(table, has, run);
    table_text(table, short_name(table->document, dominant));
    if (has->share)
        table_real(table, share);
    if (has->moved)
        table_real(table, run_value(run, M_BYTES));
    if (has->processors)
        table_real(table, run_value(run, M_PROCESSORS_USED));
    if (has->memory)
        table_real(table, run_value(run, M_MEMORY_BYTES));
    if (has->forecast)
        table_real(table, run_value(run, M_FORECAST_TIME));
}

/* --- the tables --- */

enum { LONG_RANKING = 20, N_BEST = 10, N_WORST = 3, N_JOINT = 3, MANY_RANKINGS = 30, MOST_RANKINGS = 60 };
/* The number of candidates of each ranking, and of rankings, that someone reading in brief sees. */
enum { N_MARKED = 2, MOST_MARKED = 6 };

static void add_discarded(struct document *document, const struct study *study, const struct decision_ranking *ranking)
{
    enum { MOST = 10 };
    for (int i = ranking->n_ranked; i < ranking->n_runs && i < ranking->n_ranked + MOST; i++) {
        struct builder line = {0};
        builder_add(&line, "Discarded: ");
        decision_name_candidate(&line, study, ranking->runs[i]);
        builder_add(&line, ", on %d ranks; %s.", ranking->runs[i]->ranks, ranking->runs[i]->discarded);
        document_note(document, builder_take(&line));
    }
    if (ranking->n_runs > ranking->n_ranked + MOST)
        document_note(document, xformat("... %d more in -f csv.", ranking->n_runs - ranking->n_ranked - MOST));
}

/* A ranking, or the ends of a long one. */
static void add_ranking(struct document *document, const struct columns *has, const struct decision_ranking *ranking)
{
    int n_best = ranking->n_ranked, n_worst = 0;
    struct builder title = {0};
    builder_add(&title, "Candidates");
    decision_name_group(&title, has->study, ranking->runs[0]);
    builder_add(&title, ", by %s", decision_title(has->study->decision));
    if (ranking->n_ranked > LONG_RANKING) {
        n_best = N_BEST;
        n_worst = N_WORST;
        builder_add(&title, ": the best %d and the worst %d of %d; ... %d more in -f csv.", n_best, n_worst,
                    ranking->n_ranked, ranking->n_ranked - n_best - n_worst);
    }
    if (ranking->n_ranked == 0) {
        document_heading(document, builder_take(&title));
    } else {
        struct table *table =
            document_table(document, "candidates", document_own(document, builder_take(&title)), FOR_READERS);
        table->chart = CHART_BAR;
        add_columns(table, has);
        for (int i = 0; i < ranking->n_ranked; i++)
            if (i < n_best || i >= ranking->n_ranked - n_worst)
                add_row(table, has, ranking->runs[i], ranking->runs[0]);
    }
    add_discarded(document, has->study, ranking);
}

/* Add the best of each ranking, in one table, if there are many rankings. */
static void add_joint(struct document *document, const struct columns *has, const struct decision *decision)
{
    const int n_best = decision->n_rankings > MANY_RANKINGS ? 1 : N_JOINT;
    int n_shown = 0, n_discarded = 0;
    struct table *table = document_table(document, "candidates", "", FOR_READERS);
    add_columns(table, has);
    for (int r = 0; r < decision->n_rankings; r++) {
        const struct decision_ranking *ranking = &decision->rankings[r];
        for (int i = 0; r < MOST_RANKINGS && i < ranking->n_ranked && i < n_best; i++, n_shown++) {
            if (i < N_MARKED && prominent_is_spread(r, decision->n_rankings, MOST_MARKED))
                table_mark(table);
            add_row(table, has, ranking->runs[i], ranking->runs[0]);
        }
        n_discarded += ranking->n_runs - ranking->n_ranked;
    }
    table->title = document_format(document, "Candidates, by %s: the best %d of each ranking; ... %d more in -f csv.",
                                   decision_title(has->study->decision), n_best, has->study->n_runs - n_shown);
    if (n_discarded > 0)
        document_note(document, xformat("%d are discarded; -f csv gives the reasons.", n_discarded));
}

void section_candidates(struct document *document, const struct study *study, const struct decision *decision)
{
    const struct columns columns = find_columns(study, decision->n_rankings > DECISION_FEW);
    if (columns.joint)
        add_joint(document, &columns, decision);
    for (int i = 0; !columns.joint && i < decision->n_rankings; i++)
        add_ranking(document, &columns, &decision->rankings[i]);
}
