/* Fuzzing of the readers of benchmarks' tables and of descriptions of wires. Times are finite and above 0, what is
 * used can be fitted, and links are between nodes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "bring/model.h"
#include "fabric/fabric.h"

#include <math.h>
#include <stdlib.h>

static void check_rows(const struct benchmarks *benchmarks)
{
    for (size_t i = 0; i < benchmarks->n_rows; i++) {
        const struct benchmark_row *row = &benchmarks->rows[i];
        fuzz_check(row->bytes >= 0 && row->time_s > 0 && isfinite(row->time_s) && row->pairs >= 1 && row->hosts >= 0);
    }
}

static void fit(struct benchmarks *benchmarks)
{
    const struct model_facts facts = {.eager_limit = -1, .wire_latency_s = 1e-7};
    struct series_list list;
    struct model model;
    struct sim_error error;
    if (!fuzz_has_read(series_make(&list, benchmarks, &error), &error))
        return;
    if (fuzz_has_read(bring_fit(&model, &list, &facts, &error), &error))
        fuzz_check(model.between.rows.count >= 1 && model.core_Bps > 0);
    series_dispose(&list);
}

static void read_table(const char *file)
{
    const struct benchmark_facts facts = {.ranks = 0};
    struct benchmarks benchmarks = {0};
    struct sim_error error;
    if (fuzz_has_read(benchmarks_read(&benchmarks, file, &facts, &error), &error)) {
        check_rows(&benchmarks);
        fit(&benchmarks);
    }
    benchmarks_dispose(&benchmarks);
}

static void read_fabric(const char *file)
{
    struct fabric fabric = {0};
    struct sim_error error;
    if (fuzz_has_read(fabric_read(&fabric, file, &error), &error)) {
        for (size_t i = 0; i < fabric.n_links; i++)
            fuzz_check(fabric.links[i].from >= 0 && fabric.links[i].to < (int)fabric.n_nodes);
        fuzz_has_read(fabric_conclude(&fabric, &error), &error);
    }
    fabric_dispose(&fabric);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_check_quiet();
    fuzz_write("x.txt", data, size);
    char *file = fuzz_path("x.txt");
    (fabric_is_description(file) ? read_fabric : read_table)(file);
    free(file);
    fuzz_check_quiet();
    return 0;
}
