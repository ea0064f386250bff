/* Alternatives that two networks rank differently, and changes that change nothing.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "study/no_effect.h"
#include "study/ranking.h"

#include <stdlib.h>

enum { MOST = 6 };

static bool is_number(const struct study_parameter *parameter)
{
    return (parameter->is_number || parameter->is_problem) && parameter->subject != SUBJECT_NETWORK;
}

static bool is_alternative(const struct study_parameter *parameter)
{
    return !parameter->is_number && !parameter->is_problem && parameter->subject != SUBJECT_NETWORK;
}

/* "broadcast chain before broadcast flat on fifo (1.2 s, 1.3 s), after it on fluid (1.4 s, 1.3 s)." */
static void add_pair(struct document *document, const struct study *study, const struct ranking_pair *pair)
{
    const struct study_run *first = &study->runs[pair->first[0]], *second = &study->runs[pair->second[0]];
    struct builder line = {0};
    study_name_varied(&line, study, first, is_number, "");
    builder_add(&line, line.length > 0 ? ": " : "");
    study_name_varied(&line, study, first, is_alternative, "");
    builder_add(&line, " before ");
    study_name_varied(&line, study, second, is_alternative, "");
    for (int network = 0; network < 2; network++) {
        builder_add(&line, "%s %s (", network == 0 ? " on" : ", after it on",
                    study->runs[pair->first[network]].network);
        builder_add_time(&line, run_time(&study->runs[pair->first[network]]));
        builder_add(&line, ", ");
        builder_add_time(&line, run_time(&study->runs[pair->second[network]]));
        builder_add(&line, ")");
    }
    builder_add(&line, ".");
    document_sentence(document, builder_take(&line));
}

void section_disagreements(struct document *document, const struct study *study)
{
    struct ranking_pairs found;
    ranking_find_pairs(&found, study);
    if (found.n_compared > 0 && found.n_pairs == 0)
        document_heading(document, xformat("The networks rank all %d pair%s of alternatives alike.", found.n_compared,
                                           found.n_compared == 1 ? "" : "s"));
    if (found.n_pairs > 0)
        document_heading(document, xformat("The networks do not agree on %d of %d pairs of alternatives:",
                                           found.n_pairs, found.n_compared));
    for (int i = 0; i < found.n_pairs && i < MOST; i++)
        add_pair(document, study, &found.pairs[i]);
    if (found.n_pairs > MOST)
        document_note(document, xformat("... %d more in -f json.", found.n_pairs - MOST));
    free(found.pairs);
}

void section_no_effect(struct document *document, const struct study *study)
{
    int n_effects;
    struct no_effect *effects = no_effect_find(&n_effects, study);
    if (n_effects > 0)
        document_heading(document, xstrdup("Changes without effect: the time is the same to the picosecond"));
    for (int i = 0; i < n_effects && i < MOST; i++) {
        char *text = no_effect_describe(study, &effects[i], FOR_READERS);
        document_sentence(document, xformat("%s.", text));
        free(text);
    }
    if (n_effects > MOST)
        document_note(document, xformat("... %d more in -f json.", n_effects - MOST));
    free(effects);
}
