/* Which component of the critical path is the bottleneck.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"

static const enum measure_id ratios[] = {M_B_PROCESSING,      M_B_MEMORY,   M_B_COMMUNICATION,
                                         M_B_LIBRARY,         M_B_IO,       M_COMMUNICATION_COMPUTATION,
                                         M_MEMORY_PROCESSING, M_UTILISATION};
enum { N_RATIOS = sizeof ratios / sizeof ratios[0] };

/* In a sweep over ranks: say for which of them the ratio is above 1. False if for none. */
static bool add_range(struct document *document, const struct study *study, enum measure_id id, const char *text)
{
    int first = -1, last = -1, count = 0, n_runs = study->n_runs;
    for (int i = 0; i < n_runs; i++)
        if (run_value(&study->runs[i], id) > 1) {
            first = first < 0 ? i : first;
            last = i;
            count++;
        }
    if (first < 0)
        return false;
    const char *except = count < last - first + 1 ? " with exceptions" : "";
    int from = study->runs[first].ranks, to = study->runs[last].ranks;
    document_note(document, first == 0 && last == n_runs - 1 ? xformat("%s%s throughout.", text, except)
                            : last == n_runs - 1             ? xformat("%s%s from %d ranks on.", text, except, from)
                            : first == 0 ? xformat("%s%s up to %d rank%s.", text, except, to, to == 1 ? "" : "s")
                                         : xformat("%s%s from %d to %d ranks.", text, except, from, to));
    return true;
}

static void add_verdicts(struct document *document, const struct study *study)
{
    static const char *const verdicts[] = {
        "Processing is the bottleneck, outweighing everything else,",
        "Memory is the bottleneck, outweighing everything else,",
        "Communication is the bottleneck, outweighing everything else,",
        "The message library, apart from communication, is the bottleneck, outweighing everything else,",
        "I/O is the bottleneck, outweighing everything else,",
    };
    bool any = false;
    for (int i = 0; i < 5; i++)
        any |= add_range(document, study, ratios[i], verdicts[i]);
    if (!any)
        document_note(document, xstrdup("No single component outweighs all the others."));
    add_range(document, study, M_COMMUNICATION_COMPUTATION, "Communication takes longer than computation");
}

/* True if the runs differ in the number of ranks only, in rising order. */
static bool is_rank_sweep(const struct study *study)
{
    for (int i = 0; i < study->runs[0].n_parameters; i++)
        if (study_varies(study, i) && study->runs[0].parameters[i].subject != SUBJECT_RANKS)
            return false;
    for (int i = 1; i < study->n_runs; i++)
        if (study->runs[i].ranks <= study->runs[i - 1].ranks)
            return false;
    return study->n_runs > 1;
}

void section_verdicts(struct document *document, const struct study *study)
{
    const struct study *all = study->whole != NULL ? study->whole : study;
    if (is_rank_sweep(all))
        add_verdicts(document, all);
}

/* A column of zeros is left out: such a component takes no time in any of the runs. The components themselves say it,
 * too, so that it is for who wants all. */
void section_bottlenecks(struct document *document, const struct study *study)
{
    bool shown[N_RATIOS];
    document->in_details = true;
    struct table *table =
        document_table(document, "bottlenecks",
                       "Bottlenecks (B-ratio: a component over all others; above 1 it dominates)", FOR_READERS);
    table->chart = CHART_LINE;
    study_key_columns(table, study);
    for (int r = 0; r < N_RATIOS; r++) {
        const struct measure_spec *spec = &measure_specs[ratios[r]];
        if ((shown[r] = ratios[r] == M_UTILISATION || study_has_above_0(study, ratios[r])))
            table_column(table, (struct column){
                                    .id = spec->name, .head = spec->label, .group = spec->group, .unit = spec->unit});
    }
    for (int i = 0; i < study->n_runs; i++) {
        study_key_cells(table, study, &study->runs[i]);
        for (int r = 0; r < N_RATIOS; r++)
            if (shown[r])
                table_real(table, run_value(&study->runs[i], ratios[r]));
    }
    document_note(document, xformat("Utilization is relative to the time accounted for by %s, efficiency to T_seq.",
                                    study_has_processors(study) ? "processor" : "rank"));
    document->in_details = false;
}
