/* A table that is being read: what its head has said, and where its rows go.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASUREMENT_TABLE_H
#define MEASUREMENT_TABLE_H

#include "measurement/internal.h"

/* The part of a file from the title of a benchmark on. */
struct section {
    const struct benchmark_spec *spec; /* NULL: there is none */
    long line, head_line;
    int ranks, pairs, window; /* 0: it does not say */
    bool waits;               /* other ranks wait beside those that measure */
    bool is_on_device, has_columns;
    size_t n_rows;
};

struct table {
    struct benchmarks *all;
    int file;
    const struct benchmark_facts *told; /* by the user */
    struct benchmark_facts launched;    /* by the line that started the program */
    struct sheet sheet;
    struct section section;
    struct columns columns;
    char machine[64]; /* the one that the file is of; "": it does not say */
    long machine_line;
    int n_sections; /* with rows */
    long empty_line;
    char empty[80]; /* the last section without rows */
};

/* Read the names of columns: of the section, or of a table without title. */
int table_read_head(struct table *table, char *line, struct sim_error *error);
int table_read_row(struct table *table, char *line, struct sim_error *error);
/* Add a row of the section by itself. */
void table_add(struct table *table, int64_t bytes, double time_s);
/* The section ends here. */
void table_end(struct table *table);
/* The file ends; an error if it had no rows. */
int table_finish(struct table *table, struct sim_error *error);

/* False if there are as many rows as there may be. */
bool all_has_room(const struct benchmarks *all);

int table_check_machine(struct table *table, const char *name, struct sim_error *error);

#endif
