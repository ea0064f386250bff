/* Fuzzing of the conditions of simrun store ls, a line each, on a store. The runs that fulfill them are numbered,
 * rising.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "shared/sample_store.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CONDITIONS = 16 };

static struct store *open_sample(void)
{
    static struct store *store;
    struct sim_error error;
    if (store == NULL) {
        char *file = fuzz_path("sample.st");
        sample_store_make(file);
        fuzz_check(store_open(&store, file, STORE_READ, &error) == 0);
        free(file);
    }
    return store;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *lines[MAX_CONDITIONS], *rest = NULL, *text = fuzz_text(data, size);
    int n_lines = 0, n_ids = 0;
    int64_t *ids = NULL;
    struct sim_error error;
    fuzz_check_quiet();
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && n_lines < MAX_CONDITIONS;
         line = strtok_r(NULL, "\n", &rest))
        lines[n_lines++] = line;
    if (fuzz_has_read(conditions_select(&ids, &n_ids, open_sample(), lines, n_lines, &error), &error))
        for (int i = 1; i < n_ids; i++)
            fuzz_check(ids[i - 1] < ids[i]);
    free(ids);
    free(text);
    fuzz_check_quiet();
    return 0;
}
