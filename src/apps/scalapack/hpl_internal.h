/* Declarations that the files of the application `hpl` share.
 *
 * The matrix has n rows and n + 1 columns, the last of which is the right-hand side. It is dealt in blocks to a grid of
 * process rows and process columns. Panel k is block k of the columns. A process row or column is called by its place
 * counted on from the one that has the panel's diagonal block, its distance, where that is easier.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SCALAPACK_HPL_INTERNAL_H
#define APPS_SCALAPACK_HPL_INTERNAL_H

#include "apps/scalapack/block_cyclic.h"
#include "base/error.h"
#include "base/range.h"
#include "sim/program/op.h"

#include <stdbool.h>
#include <stdint.h>

enum { HPL_SCOPE_FACTORISATION = 1, HPL_SCOPE_BROADCAST, HPL_SCOPE_SWAP, HPL_SCOPE_UPDATE, HPL_SCOPE_SOLUTION };
enum { HPL_DGEMM, HPL_DTRSM, HPL_MATADD };
enum { HPL_1RING, HPL_1RING_MODIFIED, HPL_2RING, HPL_2RING_MODIFIED, HPL_LONG, HPL_LONG_MODIFIED };
enum { HPL_EXCHANGE, HPL_SPREAD, HPL_MIX };
enum { HPL_PIVOTS_DRAWN, HPL_PIVOTS_OF_MATRIX };
enum { HPL_MAX_MATRIX = 2048 }; /* whose pivots are computed */
enum { HPL_MAX_ROWS = 1024 };   /* of a grid */
enum { HPL_TAG_COLLECTIVE = 1 };

/* How many rounds of a spread, stages of an exchange, and pieces of an update are listed in a step. */
enum { HPL_ROUNDS_OF_STEP = 4, HPL_STAGES_OF_STEP = 4, HPL_CHUNKS_OF_STEP = 3, HPL_MAX_CHUNKS = 64 };

enum hpl_phase {
    HPL_AHEAD_SWAP,   /* the panel that comes next gets what it lacks of the one before, */
    HPL_AHEAD_UPDATE, /* in the process column that has it, */
    HPL_FACTORISE,    /* and is factorized there */
    HPL_CAST,         /* its broadcast begins; without look-ahead, or a long one, it also ends */
    HPL_SWAP,         /* rows are exchanged in the columns behind, those of the pivots gathered everywhere, */
    HPL_UPDATE,       /* and the columns updated */
    HPL_CAST_END,     /* who has not met the panel yet waits for it */
    N_HPL_PHASES
};

/* Where the rows that become those of U come from, by panel: place i, 0 ... rows-1, of the order in which a spread
 * deals them is process row map[i], which gives from[i + 1] - from[i] of them. */
struct hpl_layout {
    const int32_t *map, *from;
};

struct hpl {
    int64_t n, block, n_panels, threshold, stop, pivots;
    int rows, columns; /* of the grid */
    int broadcast, swap;
    bool looks_ahead, equilibrates;
    struct block_cyclic row_map, column_map;
    int64_t steps[N_HPL_PHASES];
    int64_t own_steps, other_steps, solution_steps; /* of an iteration, where one has the panel or not; at the end */
    int32_t layouts[];                              /* of each panel, `rows` of its map and rows + 1 of its from */
};

/* A process, its coordinates, and where its ops go. */
struct hpl_process {
    const struct hpl *hpl;
    int row, column;
    struct op_list *list;
};

/* A panel. */
struct hpl_panel {
    int64_t number, begin, width; /* its first column */
    int row, column;              /* who has its diagonal block */
};

struct hpl_panel hpl_panel(const struct hpl *hpl, int64_t number);

static inline int hpl_distance(int place, int from, int count)
{
    return place >= from ? place - from : place - from + count;
}

static inline int hpl_place(int distance, int from, int count)
{
    return (from + distance) % count;
}

/* Local rows, and columns with the right-hand side, from `from` to to-1. */
int64_t hpl_local_rows(const struct hpl_process *self, int64_t from, int64_t to);
int64_t hpl_local_columns(const struct hpl_process *self, int64_t from, int64_t to);

/* Append a message of doubles to or from a process of the same column, or of the same row. */
void hpl_along_column(const struct hpl_process *self, enum op_kind kind, int row, int64_t doubles, int scope);
void hpl_along_row(const struct hpl_process *self, enum op_kind kind, int column, int64_t doubles, int scope);

/* Append a call of a kernel, or nothing where a dimension is 0. */
void hpl_call(const struct hpl_process *self, int kernel, int64_t m, int64_t n, int64_t k, int scope);

/* --- hpl_tree.c: in which order processes exchange --- */

/* The part of one of `count` processes in a stage of an exchange after which all have what all have together. Distance
 * 0 has the result from the beginning; a message is `whole` if its sender has it. */
struct hpl_exchange {
    int partner; /* its distance; -1: this one does nothing */
    bool sends, receives, sends_whole, receives_whole;
};
enum hpl_stage { HPL_FOLD, HPL_ROUND, HPL_TAIL, HPL_UNFOLD };
int hpl_exchange_stages(int count);
enum hpl_stage hpl_exchange_at(struct hpl_exchange *part, int count, int me, int stage);
int hpl_power_below(int count); /* the largest power of two that is not larger */

/* The part of one of `count` places in a round of a tree that deals out pieces from place 0 on: the partner's place or
 * -1; which pieces, [from, to), and whether they are sent. */
struct hpl_deal {
    int partner, from, to;
    bool sends;
};
int hpl_deal_rounds(int count);
struct hpl_deal hpl_deal_at(int count, int me, int round);

/* Round k of count-1 in which pieces go round: the partner's place, which piece is sent, and which is received. */
struct hpl_roll {
    int partner, sent, received;
};
struct hpl_roll hpl_roll_at(int count, int me, int k);

/* --- hpl_pivots.c --- */

/* Fill in hpl->layouts. -1 and an error if the pivots cannot be computed. */
int hpl_find_pivots(struct hpl *hpl, struct sim_error *error);
struct hpl_layout hpl_layout(const struct hpl *hpl, int64_t panel);

/* --- the phases: append the ops of a step --- */

void hpl_factorise(const struct hpl_process *self, const struct hpl_panel *panel, int64_t step);
int64_t hpl_factorise_steps(const struct hpl *hpl);

int64_t hpl_cast_steps(const struct hpl *hpl);
void hpl_cast(const struct hpl_process *self, const struct hpl_panel *panel, int64_t step);
bool hpl_cast_is_ring(const struct hpl *hpl);

/* Look whether a panel that comes in a ring has come, and if so, take it in and send it on. Its owner has it. */
void hpl_probe(const struct hpl_process *self, const struct hpl_panel *panel, enum probe_mode mode);

/* An update for `panel` of the columns of which the process has `width`; meanwhile look for `awaited`, if it is not
 * NULL. */
struct hpl_update {
    const struct hpl_panel *panel, *awaited;
    int64_t width;
};
int64_t hpl_swap_steps(const struct hpl *hpl);
void hpl_swap(const struct hpl_process *self, const struct hpl_update *update, int64_t step);
int64_t hpl_update_steps(const struct hpl *hpl);
void hpl_update(const struct hpl_process *self, const struct hpl_update *update, int64_t step);

int64_t hpl_solution_steps(const struct hpl *hpl);
void hpl_solution(const struct hpl_process *self, int64_t step);

#endif
