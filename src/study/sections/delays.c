/* The cost of the largest delay to the others, in a sentence. The table of all is one of the details.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

/* "; 12 s of it passed on, by up to 10 ranks" */
static void add_passed_on(struct builder *line, const struct delays_row *row)
{
    if (row->passed_on_ps == 0)
        return;
    builder_add(line, "; ");
    builder_add_time(line, (double)row->passed_on_ps / 1e12);
    builder_add(line, " of it passed on, by up to %lld rank%s", (long long)row->farthest,
                row->farthest == 1 ? "" : "s");
}

void section_delays(struct document *document, const struct study *study)
{
    const struct study_run *run = study_find_detailed(study);
    size_t n_rows = 0;
    const struct delays_row *rows = run != NULL ? result_delays(&run->result, &n_rows) : NULL;
    if (n_rows == 0 || rows[0].rank < 0)
        return;
    struct builder line = {0};
    builder_add(&line, "Rank %d in %s", rows[0].rank, rows[0].scope);
    if (rows[0].function[0] != '\0')
        builder_add(&line, " (%s)", rows[0].function);
    builder_add(&line, " costs the others ");
    builder_add_time(&line, (double)rows[0].cost_ps / 1e12);
    builder_add(&line, " of waiting");
    add_passed_on(&line, &rows[0]);
    builder_add(&line, ".");
    document_sentence(document, builder_take(&line));
}
