/* Fuzzing of saved work: each file has a line, its texts are text, and what is alike can be looked for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "simrun/marks_alike.h"
#include "simrun/marks_submission.h"

#include <stdlib.h>
#include <string.h>

static void check(const struct submission *submission)
{
    static const char *const kinds[] = {"answers", "predictions", "values"};
    fuzz_check(strchr(submission->who, '\n') == NULL && strlen(submission->who) < 200);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct json_node *block = submission_block(submission, "1-gauss-jordan", kinds[i], 1);
        char *text = submission_text(submission, block, "given");
        fuzz_check(strchr(text, '\n') == NULL && strlen(text) < 200);
        free(text);
    }
    submission_lines(submission, submission_block(submission, "3-own-broadcast", "values", 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct submission *submissions;
    size_t n_submissions;
    struct sim_error error;
    fuzz_check_quiet();
    fuzz_write("x.json", data, size);
    fuzz_write("y.json", data, size);
    char *folder = fuzz_path("");
    if (fuzz_has_read(submissions_read(&submissions, &n_submissions, folder, &error), &error)) {
        struct document document;
        fuzz_check(n_submissions >= 2);
        for (size_t i = 0; i < n_submissions; i++)
            check(&submissions[i]);
        document_init(&document, FOR_ALL);
        marks_put_alike(&document, submissions, n_submissions);
        document_dispose(&document);
        submissions_free(submissions, n_submissions);
    }
    free(folder);
    fuzz_check_quiet();
    return 0;
}
