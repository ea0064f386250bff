/* Fuzzing of the blocks of labs. Those that are taken have rows with words, and questions that name what they ask for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "simrun/lab_text.h"

#include <math.h>
#include <stdlib.h>

static void check(const struct lab *lab)
{
    for (size_t i = 0; i < lab->n_blocks; i++) {
        const struct lab_block *block = &lab->blocks[i];
        struct lab_question question;
        fuzz_check(block->number >= 1 && block->line >= 1 && lab_row(block, "scenario") != NULL);
        for (size_t r = 0; r < block->n_rows; r++)
            fuzz_check(block->rows[r].n_words >= 1 && block->rows[r].line > block->line);
        if (lab_question(&question, block))
            fuzz_check(question.name != NULL && question.scenario != NULL && isfinite(question.within));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lab lab;
    struct sim_error error;
    fuzz_check_quiet();
    fuzz_write("x.md", data, size);
    char *file = fuzz_path("x.md");
    if (fuzz_has_read(lab_load(&lab, file, &error), &error))
        check(&lab);
    lab_dispose(&lab);
    free(file);
    fuzz_check_quiet();
    return 0;
}
