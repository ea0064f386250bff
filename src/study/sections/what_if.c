/* The gain of a run without each of its causes, beside the share that is attributed to it; and POP's efficiencies.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "study/what_if_gain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- runs that say the same --- */

/* The runs that say the same as `first`: all names, or the first one and how many more. */
static void name_runs(struct builder *names, const struct study *study, char *const *texts, int first, bool all)
{
    int count = 0;
    for (int i = 0; i < study->n_runs; i++) {
        if (texts[i] == NULL || strcmp(texts[i], texts[first]) != 0 || (count++ > 0 && !all))
            continue;
        builder_add(names, count > 1 ? "; " : "");
        study_name_run(names, study, &study->runs[i]);
    }
    if (count > 1 && !all)
        builder_add(names, " and %d more", count - 1);
}

/* True if one before it is the same. */
static bool is_said(char *const *texts, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (texts[i] != NULL && strcmp(texts[i], texts[index]) == 0)
            return true;
    return false;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

/* --- the answer --- */

/* The name of a cause for readers. */
static const char *cause_label(enum without cause)
{
    return cause == WITHOUT_IO ? measure_specs[M_PATH_IO].label : without_names[cause];
}

enum { MOST_NAMED = 3 };

static bool is_part(const struct gain *part, const struct gain *whole)
{
    return part->part_of == whole->cause;
}

/* True if one of its parts gains nine tenths as much, so that this says it better. */
static bool is_mostly_part(const struct gains *gains, const struct gain *whole)
{
    for (size_t i = 0; i < gains->n_removed; i++)
        if (is_part(&gains->rows[i], whole) && gain_ratio(&gains->rows[i]) >= 0.9 * gain_ratio(whole))
            return true;
    return false;
}

static bool is_said_by_other(const struct gains *gains, const struct gain *gain)
{
    for (size_t i = 0; i < gains->n_removed; i++)
        if (is_part(gain, &gains->rows[i]) && !is_mostly_part(gains, &gains->rows[i]))
            return true;
    return is_mostly_part(gains, gain);
}

/* "without bandwidth it would take 3.408 s, -51.5 %; without io 5.048 s, -28.1 %" */
static char *describe_gains(const struct study_run *run)
{
    struct gains gains = gains_read(run);
    struct builder line = {0};
    int count = 0;
    for (size_t i = 0; i < gains.n_removed && count < MOST_NAMED; i++) {
        const struct gain *gain = &gains.rows[i];
        if (gain_ratio(gain) < GAIN_SMALL || is_said_by_other(&gains, gain))
            continue;
        builder_add(&line, "%s %s%s ", count == 0 ? "without" : "; without", cause_label(gain->cause),
                    count == 0 ? " it would take" : "");
        builder_add_time(&line, gain->time_s);
        builder_add(&line, ", -%.1f %%", 100 * gain_ratio(gain));
        count++;
    }
    if (count == 0 && gains.n_removed > 0)
        builder_add(&line, "without any single cause, it would be less than %.1f %% shorter", 100 * GAIN_SMALL);
    free(gains.rows);
    return builder_take(&line);
}

void section_gains(struct document *document, const struct study *study)
{
    size_t n_runs = (size_t)study->n_runs;
    char **texts = xcalloc(n_runs, sizeof *texts);
    for (size_t i = 0; i < n_runs; i++)
        texts[i] = gains_are_known(&study->runs[i]) ? describe_gains(&study->runs[i]) : NULL;
    for (size_t i = 0; i < n_runs; i++) {
        struct builder line = {0};
        if (texts[i] == NULL || texts[i][0] == '\0' || is_said(texts, i))
            continue;
        if (n_runs > 1) {
            name_runs(&line, study, texts, (int)i, false);
            builder_add(&line, ": %s.", texts[i]);
        } else
            builder_add(&line, "W%s.", texts[i] + 1);
        document_sentence(document, builder_take(&line));
    }
    free_texts(texts, n_runs);
}

/* --- the causes of a run --- */

static void add_row(struct table *table, const struct gain *gain, int depth)
{
    if (!gain_is_small(gain))
        table_mark(table);
    table_cell(table, cell_shown(cell_of_text(without_names[gain->cause]),
                                 document_format(table->document, "%*s%s", 2 * depth, "", cause_label(gain->cause))));
    table_real(table, gain->time_s);
    table_real(table, gain_ratio(gain));
    table_real(table, gain_share(gain));
    table_real(table, gain_share(gain) >= GAIN_SMALL ? gain_ratio(gain) / gain_share(gain) : (double)NAN);
}

/* Add those of the first n_removed that the cause of this name was put together of; each is followed by its own
 * parts. */
static void add_rows(struct table *table, const struct gains *gains, enum without whole, int depth)
{
    for (size_t i = 0; i < gains->n_removed; i++)
        if (gains_whole(gains, &gains->rows[i]) == whole) {
            add_row(table, &gains->rows[i], depth);
            add_rows(table, gains, gains->rows[i].cause, depth + 1);
        }
}

static void add_table(struct document *document, const struct gains *gains)
{
    static const struct column columns[] = {
        {.id = "without", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "time", .unit = UNIT_SECONDS, .flags = COLUMN_FINE},
        {.id = "gain", .unit = UNIT_SHARE},
        {.id = "share", .unit = UNIT_SHARE},
        {.id = "gain/share", .unit = UNIT_RATIO},
    };
    struct table *table = document_table(document, "gains", NULL, FOR_READERS);
    table->chart = CHART_BAR;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    table->hides_silently = true; /* a note names them */
    add_rows(table, gains, WITHOUT_NOTHING, 0);
}

/* Causes of which the same is to be said are named together. */
static void add_reasons(struct document *document, const struct study_run *run, const struct gains *gains)
{
    char **texts = xcalloc(gains->count + 1, sizeof *texts);
    for (size_t row = 0; row < gains->n_removed; row++)
        if (gains->rows[row].differs && !gain_is_small(&gains->rows[row]))
            texts[row] = gain_explain(run, &gains->rows[row]);
    for (size_t row = 0; row < gains->n_removed; row++) {
        struct builder line = {0};
        if (texts[row] == NULL || is_said(texts, row))
            continue;
        builder_add(&line, "%s", cause_label(gains->rows[row].cause));
        for (size_t other = row + 1; other < gains->n_removed; other++)
            if (texts[other] != NULL && strcmp(texts[other], texts[row]) == 0)
                builder_add(&line, ", %s", cause_label(gains->rows[other].cause));
        builder_add(&line, ": %s", texts[row]);
        document_note(document, builder_take(&line));
    }
    free_texts(texts, gains->count);
}

/* Names after a heading, of those that the predicate is true of. */
static void add_names(struct document *document, const struct gains *gains, const char *heading,
                      bool (*is_meant)(const struct gain *))
{
    struct builder line = {0};
    for (size_t row = 0; row < gains->n_removed; row++)
        if (is_meant(&gains->rows[row]))
            builder_add(&line, "%s%s %s", line.length == 0 ? heading : "", line.length == 0 ? ":" : ",",
                        cause_label(gains->rows[row].cause));
    if (line.length == 0)
        return;
    builder_add(&line, ".");
    document_note(document, builder_take(&line));
}

static bool is_unknown(const struct gain *gain)
{
    return !gain->is_attributed;
}

/* "Not removed: latency (without it the program does not end)." What such a program cannot have is named only where
 * nothing else was asked for. */
static void add_obstacles(struct document *document, const struct gains *gains)
{
    struct builder line = {0};
    for (size_t row = gains->n_removed; row < gains->count; row++) {
        const struct gain *gain = &gains->rows[row];
        if (gain->removal == REMOVAL_UNFINISHED || gains->n_removed == 0)
            builder_add(&line, "%s %s (%s)", line.length == 0 ? "Not removed:" : ",", cause_label(gain->cause),
                        removal_names[gain->removal]);
    }
    if (line.length == 0)
        return;
    builder_add(&line, ".");
    document_note(document, builder_take(&line));
}

static void add_run(struct document *document, const struct study_run *run)
{
    struct gains gains = gains_read(run);
    add_table(document, &gains);
    bool was_detail = document->in_details;
    document->in_details = true;
    add_reasons(document, run, &gains);
    document->in_details = was_detail;
    add_names(document, &gains, "Gain and share are too small to matter, below 0.5 % of the time", gain_is_small);
    add_names(document, &gains, "Without a share, because the causes of waiting are not known here", is_unknown);
    add_obstacles(document, &gains);
    free(gains.rows);
}

/* A text that tells the causes of a run from those of another one: all their numbers. */
static char *fingerprint(const struct study_run *run)
{
    struct gains gains = gains_read(run);
    struct builder text = {0};
    for (size_t i = 0; i < gains.count; i++)
        builder_add(&text, "%s %s %a %a %a ", without_names[gains.rows[i].cause], removal_names[gains.rows[i].removal],
                    gains.rows[i].time_s, gains.rows[i].attributed_s, gains.rows[i].returned_s);
    free(gains.rows);
    return builder_take(&text);
}

static size_t find_fastest(const struct study *study)
{
    size_t fastest = (size_t)study->n_runs;
    for (size_t i = 0; i < (size_t)study->n_runs; i++)
        if (gains_are_known(&study->runs[i]) &&
            (fastest == (size_t)study->n_runs || run_time(&study->runs[i]) < run_time(&study->runs[fastest])))
            fastest = i;
    return fastest;
}

/* The causes of a run, and of those that say the same. */
static void add_named(struct document *document, const struct study *study, char *const *texts, size_t i)
{
    struct builder names = {0};
    if (study->n_runs > 1) {
        builder_add(&names, "Gains, ");
        name_runs(&names, study, texts, (int)i, true);
        document_heading(document, builder_take(&names));
    }
    add_run(document, &study->runs[i]);
}

/* The fastest run first, which is all of it for who reads in brief. */
static void add_runs(struct document *document, const struct study *study)
{
    size_t n_runs = (size_t)study->n_runs, fastest = find_fastest(study);
    char **texts = xcalloc(n_runs, sizeof *texts);
    for (size_t i = 0; i < n_runs; i++)
        texts[i] = gains_are_known(&study->runs[i]) ? fingerprint(&study->runs[i]) : NULL;
    add_named(document, study, texts, fastest);
    document->in_details = true;
    for (size_t i = 0; i < n_runs; i++)
        if (texts[i] != NULL && !is_said(texts, i) && strcmp(texts[i], texts[fastest]) != 0)
            add_named(document, study, texts, i);
    document->in_details = false;
    free_texts(texts, n_runs);
}

/* --- POP's efficiencies --- */

static void add_efficiencies(struct document *document, const struct study *study)
{
    if (!study_has(study, M_POP_TRANSFER))
        return;
    struct table *table = document_table(
        document, "efficiencies",
        document_format(document,
                        "Efficiencies (POP): the share of the time in which %s do useful work, and its factors",
                        study_processors_word(study)),
        FOR_READERS);
    table->chart = CHART_BAR;
    study_key_columns(table, study);
    for (int id = M_POP_IDEAL_TIME; id <= M_POP_TRANSFER; id++)
        table_column(table, (struct column){.id = measure_specs[id].name,
                                            .head = measure_specs[id].label,
                                            .group = measure_specs[id].group,
                                            .unit = measure_specs[id].unit,
                                            .flags = COLUMN_FINE});
    for (int i = 0; i < study->n_runs; i++) {
        if (result_get(&study->runs[i].result, M_POP_TRANSFER) == NULL)
            continue;
        study_key_cells(table, study, &study->runs[i]);
        for (int id = M_POP_IDEAL_TIME; id <= M_POP_TRANSFER; id++)
            table_real(table, run_value(&study->runs[i], (enum measure_id)id));
    }
    document_note(document, xformat("Load balance: mean / largest useful work of a %s; serialization: largest useful "
                                    "work / ideal time; transfer: ideal time / time.",
                                    study_has_processors(study) ? "processor" : "rank"));
}

void section_what_if(struct document *document, const struct study *study)
{
    int n_examined = 0, n_simulated = 0;
    for (int i = 0; i < study->n_runs; i++) {
        n_examined += gains_are_known(&study->runs[i]);
        n_simulated += !run_is_discarded(&study->runs[i]);
    }
    document_heading(document, xstrdup("What a run gains without a cause (gain: how much shorter the run is; share: "
                                       "the cause's part of the critical path)"));
    if (n_examined < n_simulated)
        document_note(document, xformat("Of %d runs only one is examined: %s.", n_simulated,
                                        study->decision != M_NONE ? "the best of the last ranking"
                                        : run_compare_problems(&study->runs[0], &study->runs[study->n_runs - 1]) != 0
                                            ? "the fastest of the last problem"
                                            : "the fastest"));
    add_runs(document, study);
    add_efficiencies(document, study);
}
