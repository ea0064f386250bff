/* The columns of a table of timings that a platform names.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PLATFORM_TABLE_COLUMNS_H
#define SIM_PLATFORM_TABLE_COLUMNS_H

#include "dataset/dataset.h"
#include "sim/platform/table.h"

#include <stdint.h>

/* A prop that is being read. Columns are places in the dataset. */
struct cost_table {
    const struct machine_prop *prop;
    const char *kernel;
    struct dataset dataset;
    int measure, metric, label; /* metric: of Extra-P; label: says the kernel */
    int sizes[N_LAW_SIZES];
    char *measure_name, *size_names[N_LAW_SIZES]; /* as the prop gives them; NULL: it does not */
};

/* Find the columns of a dataset that has been loaded. */
int table_find_columns(struct cost_table *table, struct sim_error *error);

/* "TABLE.csv:LINE: kernel.NAME: ..."; -1. */
#define TABLE_NO_ROW SIZE_MAX /* an error of the table as a whole */
int table_fail(const struct cost_table *table, size_t row, struct sim_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
