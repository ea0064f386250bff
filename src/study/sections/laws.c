/* The answer of models that were asked for by their measures: the law of each in a sentence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "study/models/law_words.h"
#include "study/models/next.h"
#include "study/models/rank.h"

#include <stdlib.h>

enum { SAID = 3 }; /* sentences at most */

void section_laws(struct document *document, const struct study *study)
{
    const struct models *models = study->models;
    char *advice = NULL;
    int *order, n_matter;
    if (models->explains)
        return;
    int n_models = models_rank(&order, &n_matter, models);
    for (int i = 0; i < n_models && i < SAID; i++) {
        const struct model *model = &models->models[order[i]];
        char *law = law_describe(models, model);
        int n_others = n_models - SAID;
        if (i + 1 == SAID && n_others > 0)
            document_sentence(document,
                              xformat("%s; %d other%s less%s.", law, n_others, n_others > 1 ? "s grow" : " grows",
                                      n_matter < n_models ? ", or matter less" : ""));
        else
            document_sentence(document, xformat("%s.", law));
        if (advice == NULL)
            advice = models_next_describe(models, model);
        free(law);
    }
    if (advice != NULL)
        document_sentence(document, advice);
    free(order);
}
