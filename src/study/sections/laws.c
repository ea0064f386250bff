/* The answer of models that were asked for by their measures: the law of each in a sentence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "study/models/law_words.h"
#include "study/models/next.h"

#include <math.h>
#include <stdlib.h>

enum { SAID = 3 }; /* sentences at most */

/* The model that grows most of those that are not marked; -1: there is none. */
static int find_next(const struct models *models, const bool *are_said)
{
    int best = -1;
    for (int i = 0; i < models->n_models; i++) {
        if (are_said[i] || models->models[i].why[0] != '\0')
            continue;
        double factor = models_factor(models, &models->models[i]);
        if (best < 0 || factor > models_factor(models, &models->models[best]) ||
            (isnan(models_factor(models, &models->models[best])) && !isnan(factor)))
            best = i;
    }
    return best;
}

void section_laws(struct document *document, const struct study *study)
{
    const struct models *models = study->models;
    int next, n_said = 0, n_models = 0;
    if (models->explains)
        return;
    bool *are_said = xcalloc((size_t)models->n_models + 1, sizeof *are_said);
    char *advice = NULL;
    for (int i = 0; i < models->n_models; i++)
        n_models += models->models[i].why[0] == '\0';
    while (n_said < SAID && (next = find_next(models, are_said)) >= 0) {
        char *law = law_describe(models, &models->models[next]);
        are_said[next] = true;
        if (++n_said == SAID && n_models > SAID)
            document_sentence(document, xformat("%s; %d other%s less.", law, n_models - SAID,
                                                n_models > SAID + 1 ? "s grow" : " grows"));
        else
            document_sentence(document, xformat("%s.", law));
        if (advice == NULL)
            advice = models_next_describe(models, &models->models[next]);
        free(law);
    }
    if (advice != NULL)
        document_sentence(document, advice);
    free(are_said);
}
