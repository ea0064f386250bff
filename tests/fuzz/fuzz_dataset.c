/* Fuzzing of the readers of tables of measured values, in all formats. All numbers that are read are finite, and texts
 * are there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "dataset/dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check(const struct dataset *dataset)
{
    fuzz_check(dataset->n_rows > 0 && dataset->n_columns > 0);
    for (int c = 0; c < dataset->n_columns; c++) {
        const struct dataset_column *column = &dataset->columns[c];
        fuzz_check(dataset_find(dataset, column->name, strlen(column->name)) == c);
        for (size_t row = 0; row < dataset->n_rows; row++)
            fuzz_check(dataset_is_number(column) ? isfinite(column->numbers[row])
                                                 : column->texts[row] < dataset->n_texts);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dataset dataset;
    struct sim_error error;
    fuzz_check_quiet();
    fuzz_write("x.table", data, size);
    char *file = fuzz_path("x.table");
    if (fuzz_has_read(dataset_load(&dataset, file, &error), &error)) {
        check(&dataset);
        dataset_dispose(&dataset);
    }
    free(file);
    fuzz_check_quiet();
    return 0;
}
