/* Questions to FAST (core/fast.h), and the documents that answer them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_FORECAST_H
#define SIMRUN_FORECAST_H

#include "base/error.h"
#include "core/fast.h"
#include "document/document.h"
#include "sim/machine/machine.h"

#include <stdbool.h>
#include <stdint.h>

enum { QUERY_WORDS = 24, MOST_PROCESSES = 1024 };

enum query_kind { QUERY_HOST, QUERY_MESSAGE, QUERY_GRID, QUERY_GRIDS, N_QUERY_KINDS };

/* A question, in words and understood. Zero: nothing yet; query_dispose() frees what query_split() made. */
struct query {
    const char *text; /* borrowed */
    char *copy, *words[QUERY_WORDS];
    int n_words;
    const char *platform; /* that it names; NULL: none. In the copy, like all below */

    enum query_kind kind;
    struct fast_call call;
    const char *settings[QUERY_WORDS];
    int n_dimensions;
    const char *host, *to;
    int64_t bytes;   /* of the message; -1: not given */
    int n_processes; /* of QUERY_GRIDS: at most */
};

/* Cut the text into words, and take "of PLATFORM" off. */
int query_split(struct query *query, const char *text, struct sim_error *error);
/* Understand the words, of a machine that has these routines. Hosts and dimensions are checked by who answers. */
int query_parse(struct query *query, const struct fast *fast, struct sim_error *error);
void query_dispose(struct query *query);
/* Put before an error of which query it is; -1. */
int query_blame(const struct query *query, struct sim_error *error);

struct answer;

/* How a kind of query is answered: asked for, put as rows for programs, twice as rows are, and said to readers. */
struct answer_kind {
    int (*ask)(struct answer *answer, struct sim_error *error);
    void (*put)(const struct answer *answer, struct table *table, bool fills);
    void (*say)(const struct answer *answer, struct document *document);
    void (*dispose)(struct answer *answer); /* NULL: there is nothing to */
};
extern const struct answer_kind answer_host, answer_message, answer_grids;

/* A grid of processes, and what the call takes on it. */
struct grid {
    int rows, columns;
    struct fast_forecast forecast;
    double bound_s;        /* the formula, but not less than Amdahl's law: less leaves computation out */
    bool fits;             /* into the memory of its hosts, if that is known */
    double simulated_s;    /* NAN: not known */
    double quiet_s;        /* the same without contention, of a grid that the formula is far off; NAN: not known */
    struct sim_error *why; /* NULL unless the simulation failed */
};

/* A query with all that is said of it. */
struct answer {
    const struct query *query;
    struct fast *fast;
    struct machine *machine;
    double at_s;

    /* of a computation */
    double best_s, expected_s, memory_bytes; /* NAN: not known */
    double low_s, high_s;                    /* of what is expected, by the law of the cost */
    struct fast_value availability;

    /* of a message */
    struct fast_value latency, bandwidth;
    double message_best_s, message_s;
    int hops;

    /* of grids: all, the first n_simulated of which are the best by the formula */
    struct grid *grids;
    int n_grids, n_simulated;
};

/* ---- Words for all ---- */

/* " (3.91 s to 4.02 s)", the band of a time; "" if it has none. */
const char *say_band(struct document *document, double low_s, double high_s);

const char *show_value(struct document *document, enum unit unit, double value);
void put_cell(struct sparse_row *row, const char *id, enum unit unit, struct cell cell);
/* " at 600 s", or "" at 0. */
const char *say_time(struct document *document, double at_s);

#endif
