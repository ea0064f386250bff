/* Declarations that the two forms of pdtrsm share, and the library's form: see pdtrsm_library.c.
 *
 * A grid has two axes: axis 0 goes from process row to process row, axis 1 from process column to process column. A
 * process is given by its coordinate on each. Indices are those of the triangle, 0 ... n-1; on both axes they are dealt
 * in the same blocks, beginning with coordinate 0. A range of indices is from ... to-1.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SCALAPACK_PDTRSM_INTERNAL_H
#define APPS_SCALAPACK_PDTRSM_INTERNAL_H

#include "apps/scalapack/block_cyclic.h"
#include "base/range.h"
#include "sim/kernel/app.h"
#include "sim/program/op.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCOPE_NONE, SCOPE_SOLVE, SCOPE_BROADCAST, SCOPE_UPDATE, SCOPE_ACCUMULATE };
enum { KERNEL_DTRSM, KERNEL_DGEMM, KERNEL_MATADD };

enum {
    LIBRARY_PANEL = 32, /* pilaenv */
    TURN_PAIRS = 6,     /* pairs of processes whose messages of a turn are listed in a step */
};

/* The tag of messages within a collective of MPI, which keeps them apart from all others; those have the tag 0. */
enum { TAG_COLLECTIVE = 1 };

enum pdtrsm_form {
    FORM_RIGHT, /* PBLAS: AB, right-looking: A and X are broadcast, B stays */
    FORM_LEFT,  /* PBLAS: AB, left-looking: A is broadcast, products with X are summed up */
    FORM_B,     /* A stays, B goes to its processes and X comes back */
};

struct pdtrsm_library {
    int64_t m, n, block; /* right-hand sides, order of the triangle */
    int count[2];        /* process rows, process columns */
    bool transposed;
    bool unit;     /* the diagonal of A is all 1 */
    bool backward; /* the last block is solved first */
    bool rings;    /* broadcasts go in rings, or else they are MPI_Bcast */
    int side;      /* axis along which the rows of X in A X, the columns of X in X A are dealt */
    enum pdtrsm_form form;
    int64_t n_panels; /* of A, or for FORM_B of right-hand sides */
    int64_t panel_steps;
    int64_t n_pieces; /* most pieces that one step of the solution is cut into by the blocks */
    int64_t n_chunks; /* FORM_B: most panels that one process has */
};

/* A line is the set of processes that a solved block goes round, a process row or a process column. The stages go from
 * one line to the next; within a line, the block of each stage is solved one place further than that of the stage
 * before. A process is in a line, at a place. */
struct pdtrsm_config {
    int64_t m, block;
    int64_t n_blocks, n_calls;
    /* To which line, and to which place in it, the indices of A come. */
    struct block_cyclic lines, places;
    bool by_columns; /* lines are process columns */
    bool backward;   /* the last block is solved first */
    bool vanishes;   /* alpha is 0 */
    /* True if the library's algorithm, `call`, is simulated in place of the paper's. */
    bool library;
    struct pdtrsm_library call;
};

struct range {
    int64_t from, to;
};

/* A process that appends the ops of a step to a list. */
struct pdtrsm_process {
    const struct pdtrsm_library *call;
    int at[2];
    struct op_list *list;
};

/* --- pdtrsm_forecast.c: the application's hooks of these names --- */

struct forecast pdtrsm_forecast(const void *config, const struct forecast_costs *costs);
int64_t pdtrsm_memory(const void *config, int rank);

/* --- pdtrsm_library.c --- */

/* Decide what the library would do; call has its dimensions, count, transposed, backward and side. */
void pdtrsm_library_choose(struct pdtrsm_library *call);
bool pdtrsm_library_emit(const struct pdtrsm_library *call, int rank, int64_t step, struct op_list *list);

/* --- apps/scalapack/pdtrsm_stationary.c --- */

void pdtrsm_library_b_choose(struct pdtrsm_library *call);
void pdtrsm_library_b_emit(const struct pdtrsm_process *self, int64_t panel, int64_t step);

/* --- pdtrsm_grid.c --- */

/* True if the step is one of the next `length`; if not, it is counted from their end on. */
static inline bool in_phase(int64_t *step, int64_t length)
{
    if (*step < length)
        return true;
    *step -= length;
    return false;
}

int trsm_owner(const struct pdtrsm_library *call, int axis, int64_t index);
/* How many indices of the range, and how many right-hand sides, a coordinate has. */
int64_t trsm_held(const struct pdtrsm_library *call, int axis, int coordinate, struct range range);
int64_t trsm_held_sides(const struct pdtrsm_library *call, int coordinate);
/* True if more than one coordinate has some of the range. */
bool trsm_spans(const struct pdtrsm_library *call, int axis, struct range range);
/* The i-th piece into which the blocks cut a range, in the order of solution; empty if there are fewer. Where the range
 * is not cut, it is its own only piece. */
struct range trsm_piece_of(const struct pdtrsm_library *call, struct range range, bool cut, int64_t i);
/* The rest of the range after a piece of it. */
struct range trsm_left_after(const struct pdtrsm_library *call, struct range range, struct range piece);
/* Coordinates further on in the direction of the solution. */
int trsm_further_on(const struct pdtrsm_library *call, int axis, int coordinate, int steps);

/* A call of a kernel, unless it has nothing to do, and a message of so many elements. */
void trsm_add_work(struct op_list *list, int kernel, int scope, int64_t m, int64_t n, int64_t k);
/* The call of dtrsm that solves for so many right-hand sides and a triangle of order n. */
void trsm_add_solve(struct op_list *list, const struct pdtrsm_library *call, int64_t sides, int64_t n);
/* The right-hand sides for which a triangle of order n needs as many operations as `sides` do: all of them, sides n^2
 * operations, or for one with a unit diagonal sides n (n - 1), as there is nothing to divide by; rounded. */
int64_t trsm_sides_of_work(const struct pdtrsm_library *call, int64_t sides, int64_t n);
void trsm_add_message(struct op_list *list, enum op_kind kind, int scope, int peer, int64_t elements);
/* From one coordinate to another one on an axis, on any rank; nothing if they are the same or it is empty. */
void trsm_add_move(const struct pdtrsm_process *self, int axis, int from, int to, int64_t elements, int scope);

/* A broadcast and a sum along an axis, and how many steps they take. An empty one does nothing. */
int64_t trsm_broadcast_steps(const struct pdtrsm_library *call, int axis);
void trsm_add_broadcast(const struct pdtrsm_process *self, int axis, int root, int64_t elements, int64_t step);
int64_t trsm_sum_steps(const struct pdtrsm_library *call, int axis);
void trsm_add_sum(const struct pdtrsm_process *self, int axis, int root, int64_t elements, int64_t step);

/* The coordinates of an axis that have some of a range pass it on in a chain, each adding its own, until the last one
 * has it all; for each index `length` elements. And which one that is. */
void trsm_add_gather(const struct pdtrsm_process *self, int axis, struct range range, int64_t length);
int trsm_gathered_at(const struct pdtrsm_library *call, int axis, struct range range);

/* A turn: data that are dealt along an axis and have coordinate `at` on the other one are dealt along the other one and
 * get coordinate `to` on this one, or all of them where `to` is EVERYWHERE; for each index `length` elements. */
enum { EVERYWHERE = -1 };
struct turn {
    int axis, at, to;
    struct range range;
    int64_t length;
};
int64_t trsm_turn_steps(const struct pdtrsm_library *call, int axis);
void trsm_add_turn(const struct pdtrsm_process *self, const struct turn *turn, int64_t step);

#endif
