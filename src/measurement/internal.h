/* Shared by the readers of benchmarks: benchmarks by name, the columns of a table, lines that start programs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASUREMENT_INTERNAL_H
#define MEASUREMENT_INTERNAL_H

#include "measurement/benchmark.h"
#include "measurement/sheet.h"

/* ---- Benchmarks (specs.c) ---- */

/* One that is not used. */
const struct benchmark_spec *spec_other(void);
/* By the title of its output, or spec_other(); by its name, or NULL; the i-th name, for known_format(). */
const struct benchmark_spec *spec_find_title(const char *title);
const struct benchmark_spec *spec_find(const char *name);
const char *spec_name_at(const void *table, int i);
/* The benchmark that a line "# OSU MPI Latency Test v5.8" begins; NULL: the line is no such. */
const struct benchmark_spec *spec_find_osu(const char *line);
/* The one that stands behind "# Benchmarking". */
const struct benchmark_spec *spec_find_imb(const char *name);

/* ---- Columns (columns.c) ---- */

enum { COLUMNS_MOST = 40 };

enum column_role {
    COLUMN_UNUSED,
    COLUMN_BYTES,
    COLUMN_TIME,
    COLUMN_RATE,
    COLUMN_MESSAGES, /* in a second */
    COLUMN_REPETITIONS,
    COLUMN_PAIRS,
    COLUMN_RANKS,
    COLUMN_HOSTS,
    COLUMN_PER_HOST,
    COLUMN_TEST,    /* the name of a benchmark */
    COLUMN_MACHINE, /* of which there may be only one */
    N_COLUMN_ROLES
};

struct columns {
    char separator; /* ' ' for any number of blanks */
    int count;
    enum column_role roles[COLUMNS_MOST];
    double factors[COLUMNS_MOST]; /* from the unit of the column to seconds, bytes, bytes per second */
    char names[COLUMNS_MOST][48];
    int of_role[N_COLUMN_ROLES]; /* the column; -1: there is none */
};

/* Read the names of columns, out of a line that is cut in doing so. An error if a unit is missing or unknown. */
int columns_read(struct columns *columns, char *line, const struct sheet *sheet, struct sim_error *error);
/* True if a line has names of columns, a length among them. */
bool columns_are_there(const char *line);
/* Cut a line into fields; how many, of which at most `most` are kept. */
int columns_cut(char *fields[], int most, char *line, char separator);

/* ---- Lines that start programs (launch.c) ---- */

/* Where a line starts an MPI program by jsrun, srun, mpirun, mpiexec or aprun, set its ranks and hosts as far as it
 * says. */
void launch_read(struct benchmark_facts *facts, const char *line);

#endif
