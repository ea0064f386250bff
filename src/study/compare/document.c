/* The answer about several versions: sentences and facts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/compare.h"

#include "base/memory.h"
#include "study/compare/beyond.h"
#include "study/compare/reason.h"
#include "study/compare/tables.h"
#include "study/compare/verdict.h"

#include <math.h>
#include <stdlib.h>

/* --- sentences --- */

/* "v0 has 4 ranks, v1 8: times by function, scope and call site are those of the mean rank." */
static void add_ranks(struct document *document, const struct comparison *comparison)
{
    struct builder line = {0};
    bool differ = false;
    for (int v = 0; v < comparison->n_versions; v++) {
        int ranks = comparison->versions[v].middle->ranks;
        differ |= ranks != comparison->versions[0].middle->ranks;
        builder_add(&line, "%s%s has %d rank%s", v > 0 ? ", " : "", comparison->versions[v].name, ranks,
                    ranks == 1 ? "" : "s");
    }
    char *text = builder_take(&line);
    if (differ)
        document_sentence(document,
                          xformat("%s: parts of the time are those of a mean rank, and ranks are held against each "
                                  "other where all have them.",
                                  text));
    free(text);
}

/* The names on an axis of which only one side has any time. */
static int count_alone(const struct compare_parts *parts, enum compare_axis by, int version, int *n_common)
{
    int n_alone = 0;
    *n_common = 0;
    for (size_t i = 0; i < parts->count; i++) {
        const struct compare_part *part = &parts->list[i];
        if (part->by != by)
            continue;
        double first_s = part_median(parts, part, 0).time_s, second_s = part_median(parts, part, version).time_s;
        *n_common += first_s > 0 && second_s > 0;
        n_alone += !isnan(first_s) && !isnan(second_s) && (first_s > 0) != (second_s > 0);
    }
    return n_alone;
}

/* Programs that share nothing but the beginning and the end of the message library are hardly two versions of one. */
static void add_strangers(struct document *document, const struct compare_parts *parts, int version)
{
    int n_functions, n_scopes;
    int alone =
        count_alone(parts, BY_FUNCTION, version, &n_functions) + count_alone(parts, BY_SCOPE, version, &n_scopes);
    if (alone > 2 && alone > 2 * (n_functions + n_scopes))
        document_sentence(
            document, xformat("%s and %s seem to be different programs: %d functions and scopes are in both, %d in "
                              "one only.",
                              parts->versions[0].name, parts->versions[version].name, n_functions + n_scopes, alone));
}

/* "mk: the run was aborted: ...": a run of which less is known than of others. */
static void add_aborted(struct document *document, const struct compare_version *version)
{
    if (run_note_text(version->middle, NOTE_CUT)[0] != '\0')
        document_sentence(document, xformat("%s: %s.", version->name, run_note_text(version->middle, NOTE_CUT)));
}

static void add_if_any(struct document *document, struct builder *line)
{
    char *text = builder_take(line);
    if (text[0] != '\0')
        document_sentence(document, text);
    else
        free(text);
}

/* The note on a run that is not whole; NULL: it is. */
static const char *part_of_run(const struct study_run *run)
{
    static const enum note parts[] = {NOTE_PART, NOTE_KEPT, NOTE_OFF, NOTE_HOLE};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (run_note_text(run, parts[i])[0] != '\0')
            return run_note_text(run, parts[i]);
    return NULL;
}

/* "v0 is only a part of its run, and so are its times: recording was off for 96 % of the program's time." */
static void add_partial(struct document *document, const struct comparison *comparison)
{
    for (int v = 0; v < comparison->n_versions; v++) {
        const struct compare_version *version = &comparison->versions[v];
        const char *part = NULL;
        for (int i = 0; i < version->n_runs && part == NULL; i++)
            part = part_of_run(&version->runs[i]);
        if (part != NULL)
            document_sentence(document,
                              xformat("%s is only a part of its run, and so are its times: %s.", version->name, part));
    }
}

static void add_sentences(struct document *document, const struct comparison *comparison,
                          const struct compare_parts *parts)
{
    add_partial(document, comparison);
    for (int v = 1; v < comparison->n_versions; v++) {
        struct builder line = {0};
        verdict_add(&line, parts, v);
        document_sentence(document, builder_take(&line));
        verdict_add_noise(&line, parts, v);
        add_if_any(document, &line);
        if (verdict_of(comparison->versions, v).is == VERDICT_NOISE)
            beyond_add(&line, parts, v);
        add_if_any(document, &line);
        add_strangers(document, parts, v);
    }
    for (int v = 0; v < comparison->n_versions; v++)
        add_aborted(document, &comparison->versions[v]);
    add_ranks(document, comparison);
}

/* --- facts --- */

static void add_number(struct document *document, const char *id, double number)
{
    document_fact(document, (struct column){.id = id}, cell_of_real(number));
}

/* For two versions alone. */
static void add_facts(struct document *document, const struct comparison *comparison, const struct compare_parts *parts)
{
    document_fact(document, (struct column){.id = "simrun"}, cell_of_text(comparison->simrun));
    if (comparison->are_stored_runs) {
        document_fact(document, (struct column){.id = "first"},
                      cell_of_integer(comparison->versions[0].origin->number));
        document_fact(document, (struct column){.id = "second"},
                      cell_of_integer(comparison->versions[1].origin->number));
    }
    if (comparison->n_versions != 2)
        return;
    const struct verdict verdict = verdict_of(comparison->versions, 1);
    double difference_s = verdict.is == VERDICT_SAME ? 0 : verdict.second_s - verdict.first_s;
    const struct compare_part *cause = reason_largest(parts, 1, difference_s);
    add_number(document, "first_time_s", verdict.first_s);
    add_number(document, "second_time_s", verdict.second_s);
    add_number(document, "factor", verdict.second_s / verdict.first_s);
    if (cause == NULL || verdict.is == VERDICT_SAME || verdict.is == VERDICT_NOISE)
        return;
    document_fact(document, (struct column){.id = "cause"}, cell_of_text(cause->name));
    add_number(document, "cause_share", part_change(parts, cause, 1) / difference_s);
}

/* Drawings of a page: of each version the middle run. */
static void add_drawings(struct document *document, const struct comparison *comparison)
{
    for (int v = 0; v < comparison->n_versions && document->audience & FOR_PAGE; v++) {
        const struct result *result = &comparison->versions[v].middle->result;
        if (result->timeline != NULL)
            document_bytes(document, document_format(document, "timeline-%d", v), result->timeline,
                           result->timeline_length);
    }
}

void comparison_document(struct document *document, const struct comparison *comparison)
{
    struct compare_parts parts;
    for (int v = 0; v < comparison->n_versions; v++)
        compare_find_middle(&comparison->versions[v]);
    parts_find(&parts, comparison->versions, comparison->n_versions);
    document->name = "comparison";
    document->is_brief = !comparison->verbose;
    add_sentences(document, comparison, &parts);
    add_facts(document, comparison, &parts);
    add_drawings(document, comparison);
    comparison_add_versions(document, comparison, FOR_READERS);
    comparison_add_parts(document, comparison, &parts, FOR_READERS);
    for (int v = 1; v < comparison->n_versions; v++) {
        comparison_add_settings(document, comparison, v);
        comparison_add_measures(document, comparison, v);
    }
    comparison_add_versions(document, comparison, FOR_PROGRAMS);
    comparison_add_parts(document, comparison, &parts, FOR_PROGRAMS);
    for (int v = 1; v < comparison->n_versions; v++)
        comparison_add_call_tree(document, comparison, v);
    parts_dispose(&parts);
}
