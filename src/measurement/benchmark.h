/* Tables that benchmarks of messages print, as one list of rows: OSU's micro-benchmarks and Intel's (IMB), NetPIPE,
 * mpptest, and CSV with columns of such names. Several may stand one after another in a file, between lines of other
 * programs.
 *
 * Measurements are of a few kinds; the kind defines the time of a row. Numbers are in seconds and bytes.
 * docs/howto/import-measurements.md lists formats, columns and units.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASUREMENT_BENCHMARK_H
#define MEASUREMENT_BENCHMARK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum benchmark_kind {
    BENCHMARK_LATENCY,    /* half of a round trip */
    BENCHMARK_STREAM,     /* of a window of messages one way: from one message of a pair to its next */
    BENCHMARK_BOTH,       /* the same of windows both ways at once: from one message of a direction to its next */
    BENCHMARK_EXCHANGE,   /* both send and receive once: MPI_Sendrecv */
    BENCHMARK_COLLECTIVE, /* one call */
    BENCHMARK_OTHER,      /* nothing that is used here */
    N_BENCHMARK_KINDS
};

/* A benchmark: "osu_bw", "IMB Uniband"; its collective as simrun names it, else NULL. */
struct benchmark_spec {
    const char *name;
    const char *title; /* as its output calls it */
    enum benchmark_kind kind;
    const char *collective;
    bool has_pairs; /* its rates are of all pairs together */
};

struct benchmark_row {
    const struct benchmark_spec *spec;
    int64_t bytes;
    double time_s;
    int ranks;  /* 0: unknown */
    int hosts;  /* on which the ranks are; 0: unknown */
    int pairs;  /* that send at once, 1 at least */
    int window; /* messages of a stream that are under way at once */
    int wires;  /* that a message crosses; 0: unknown */
    int file;   /* its place among the files */
    long line;
};

/* Facts that the user says of a file, behind its name: "log.txt:ranks=64,hosts=2". 0 and NULL: not said. */
struct benchmark_facts {
    int ranks, hosts, wires;
    const struct benchmark_spec *spec;
};

/* Anything that is not used, and why. */
struct benchmark_note {
    int file;
    long line; /* 0: of the whole file */
    char *what, *why;
};

struct benchmarks {
    struct benchmark_row *rows;
    size_t n_rows, capacity;
    struct benchmark_note *notes;
    size_t n_notes, notes_capacity;
    char **files; /* their names */
    size_t n_files, files_capacity;
};

enum { BENCHMARK_ROWS = 1 << 20, BENCHMARK_NOTES = 1000 }; /* at most; further notes are left out */

/* Take the facts off the end of an argument: *file is its name, to be freed. */
int benchmark_split(char **file, struct benchmark_facts *facts, const char *argument, struct sim_error *error);

/* Add what a file has. An error names file and line: a table that is cut, a column that is missing, a unit that is
 * unknown, two machines, or no table at all. */
int benchmarks_read(struct benchmarks *benchmarks, const char *file, const struct benchmark_facts *facts,
                    struct sim_error *error);
void benchmarks_dispose(struct benchmarks *benchmarks);

/* Note what is not used, once for each file; the texts are copied. */
void benchmarks_note(struct benchmarks *benchmarks, int file, long line, const char *what, const char *why);

/* The i-th benchmark that is known; NULL behind the last. */
const struct benchmark_spec *benchmark_spec_at(int i);

#endif
