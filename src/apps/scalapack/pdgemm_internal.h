/* Declarations that the files of pdgemm share: the configuration, and how collectives and work become ops.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SCALAPACK_PDGEMM_INTERNAL_H
#define APPS_SCALAPACK_PDGEMM_INTERNAL_H

#include "apps/scalapack/block_cyclic.h"
#include "sim/collective/collective.h"
#include "sim/kernel/app.h"
#include "sim/program/op.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SCOPE_NONE,
    SCOPE_BROADCAST_A,
    SCOPE_BROADCAST_B,
    SCOPE_MULTIPLICATION,
    SCOPE_TRANSPOSITION,
    SCOPE_ACCUMULATION
};
enum { KERNEL_DGEMM, KERNEL_MATADD };
enum { STEP_OPS = 12 }; /* of messages, listed at a time; less than OP_LIST_MAX */

/* Tags: a message that the program sends itself, and one that a collective of MPI consists of. */
enum { TAG_OWN, TAG_MPI };

/* A form is named by the matrices that it moves; the third one stays where it is. */
enum pdgemm_form { FORM_AB, FORM_AC, FORM_BC };

/* A panel or a part of one, whose indices have the same owners: of k in form AB, of m in AC, of n in BC. */
struct panel_part {
    int32_t width;
    int32_t column, row; /* of the grid: the owners */
    int32_t multiplied;  /* width of the panel if it ends here, else 0 */
};

/* The number of rounds of a tree of x processes. */
static inline int ceil_log2(int64_t x)
{
    int log = 0;
    while (INT64_C(1) << log < x)
        log++;
    return log;
}

/* The phases of a part, in form AB and in the other two, each of a fixed number of steps. */
enum { PHASE_MOVE_A, PHASE_MOVE_B, PHASE_MULTIPLY };
enum { PHASE_TRANSPOSE, PHASE_SPREAD, PHASE_WORK, PHASE_ACCUMULATE, N_PHASES };

struct pdgemm_config {
    struct block_cyclic rows, columns; /* of C */
    int64_t k, block;
    enum pdgemm_form form;
    bool library;  /* the algorithm */
    bool aligned;  /* form AC or BC of a transposed A or B: see pdgemm_transposed.c */
    bool swapped;  /* both are transposed: the product is B A, and `rows` and `columns` are of that */
    bool vanishes; /* alpha is 0 */
    bool adds_c;   /* beta C has to be computed if no call of dgemm does so */
    struct coll_options broadcast, mpi_tree; /* the latter for MPI's collectives */
    int broadcast_tag;
    int steps[N_PHASES], steps_of_part;
    int64_t n_parts;
    struct panel_part parts[];
};

/* How C is dealt to the grid. */
static inline struct block_cyclic_matrix pdgemm_matrix_c(const struct pdgemm_config *config)
{
    struct block_cyclic_matrix c = {config->rows, config->columns};
    if (config->swapped) {
        c.rows.n = config->columns.n;
        c.columns.n = config->rows.n;
    }
    return c;
}

/* A collective of `count` ranks, `first` and every `stride`-th after it, as the `me`-th of them sees it. */
struct group_call {
    int count, first, stride;
    int me, root;
    int64_t bytes;
    int scope, tag;
};

/* Add the ops of the `step`-th step of a broadcast; there are none where there are no bytes. */
void pdgemm_add_broadcast(const struct group_call *call, const struct coll_options *options, int step,
                          struct op_list *list);

/* The steps that a binomial tree of `count` ranks takes. */
int pdgemm_tree_steps(int count);

/* Add a message, unless it is empty. */
void pdgemm_add_message(enum op_kind kind, int peer, int64_t bytes, int scope, int tag, struct op_list *list);

/* Add a call of a kernel, unless a dimension is 0. */
void pdgemm_add_multiplication(int64_t m, int64_t n, int64_t k, struct op_list *list);
void pdgemm_add_addition(int64_t m, int64_t n, int scope, struct op_list *list);

/* --- what is transposed: pdgemm_transposed.c --- */

/* A step after the panels: of the transposition of B A, or of the multiplication of C by beta where alpha is 0. False
 * behind the last. */
bool pdgemm_transposed_end(const struct pdgemm_config *config, int rank, int64_t step, struct op_list *list);

/* --- pdgemm_forecast.c: the application's hooks of these names --- */

struct forecast pdgemm_forecast(const void *config, const struct forecast_costs *costs);
int64_t pdgemm_memory(const void *config, int rank);

/* --- the library's choices, and its forms AC and BC --- */

enum pdgemm_form pdgemm_library_form(const struct pdgemm_config *config);

/* True if it insists on rings, false if it leaves the broadcasts to MPI. */
bool pdgemm_library_rings(const struct pdgemm_config *config);

/* Cut the library's panels of the configuration's form and return their number; `parts` may be NULL. */
int64_t pdgemm_library_cut(const struct pdgemm_config *config, struct panel_part *parts);

/* Forms AC and BC: the steps of the phases, of which a broadcast takes `broadcast_steps`; and one step. */
void pdgemm_inner_steps(struct pdgemm_config *config, int broadcast_steps);
void pdgemm_inner_emit(const struct pdgemm_config *config, int rank, const struct panel_part *part, int phase, int step,
                       struct op_list *list);

#endif
