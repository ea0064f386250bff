/* HPL, High-Performance Linpack: a random system of n linear equations solved by LU factorization with row
 * pivoting.
 *
 * The matrix is dealt block-cyclically. A panel of columns is factorized in its process column, broadcast along the
 * rows, and the columns behind it are updated: a right-looking factorization. With look-ahead the owner of the next
 * panel updates and factorizes that first, and processes forward it while they update. Messages, their receivers and
 * their lengths are those of HPL 2.x (tests/eppa/hpl.sh); how long depends on the pivots. Which of the recursive
 * variants factorizes a panel changes no message.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "apps/scalapack/hpl_internal.h"
#include "apps/scalapack/process_grid.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>

enum {
    PARAM_N,
    PARAM_BLOCK,
    PARAM_GRID,
    PARAM_BROADCAST,
    PARAM_LOOK_AHEAD,
    PARAM_SWAP,
    PARAM_THRESHOLD,
    PARAM_EQUILIBRATE,
    PARAM_STOP,
    PARAM_PIVOTS
};
enum { MAX_N = 1000000 };

static const char *const broadcast_names[] = {"1ring", "1ring-modified", "2ring", "2ring-modified",
                                              "long",  "long-modified",  NULL};
static const char *const swap_names[] = {"exchange", "spread", "mix", NULL};
static const char *const pivots_names[] = {"drawn", "matrix", NULL};
static const char *const yes_no[] = {"no", "yes", NULL};
static const char *const problem[] = {"n", NULL};
static const char *const scopes[] = {"", "factorisation", "broadcast", "swap", "update", "solution", NULL};
static const char *const kernels[] = {"dgemm", "dtrsm", "matadd", NULL};

static const struct param_spec params[] = {
    [PARAM_N] = {"n", PARAM_COUNT, "1000", .min = 1, .max = MAX_N, .summary = "equations"},
    [PARAM_BLOCK] = {"block", PARAM_COUNT, "64", .min = 1, .max = 4096, .summary = "columns of a panel (NB)"},
    [PARAM_GRID] = {"grid", PARAM_PROCESS_GRID, "auto", .summary = "process rows x process columns; auto: near-square"},
    [PARAM_BROADCAST] = {"broadcast", PARAM_CHOICE, "1ring-modified", .choices = broadcast_names,
                         .summary = "how panels are broadcast (BCASTs)"},
    [PARAM_LOOK_AHEAD] = {"look_ahead", PARAM_COUNT, "1", .max = 1, .summary = "panels of look-ahead (DEPTHs)"},
    [PARAM_SWAP] = {"swap", PARAM_CHOICE, "spread", .choices = swap_names,
                    .summary =
                        "how rows are swapped (SWAP); mix: exchange up to swap_threshold columns, spread beyond"},
    [PARAM_THRESHOLD] = {"swap_threshold", PARAM_COUNT, "64", .max = MAX_N,
                         .summary = "local columns up to which mix exchanges"},
    [PARAM_EQUILIBRATE] = {"equilibrate", PARAM_CHOICE, "yes", .choices = yes_no,
                           .summary = "whether spread balances the pieces before it passes them around"},
    [PARAM_STOP] = {"recursion_stop", PARAM_COUNT, "4", .min = 1, .max = 4096,
                    .summary = "columns at which the recursion in a panel stops (NBMINs)"},
    [PARAM_PIVOTS] = {"pivots", PARAM_CHOICE, "drawn", .choices = pivots_names,
                      .summary =
                          "drawn: random, as in a random matrix; matrix: those of HPL's matrix, for n up to 2048"},
};

/* --- setup --- */

struct hpl_panel hpl_panel(const struct hpl *hpl, int64_t number)
{
    int64_t begin = number * hpl->block;
    return (struct hpl_panel){.number = number,
                              .begin = begin,
                              .width = int64_min(hpl->block, hpl->n - begin),
                              .row = (int)(number % hpl->rows),
                              .column = (int)(number % hpl->columns)};
}

static void count_steps(struct hpl *hpl)
{
    bool ahead = hpl->looks_ahead;
    hpl->steps[HPL_SWAP] = hpl_swap_steps(hpl);
    hpl->steps[HPL_UPDATE] = hpl_update_steps(hpl);
    hpl->steps[HPL_AHEAD_SWAP] = ahead ? hpl->steps[HPL_SWAP] : 0;
    hpl->steps[HPL_AHEAD_UPDATE] = ahead ? 1 : 0;
    hpl->steps[HPL_FACTORISE] = hpl_factorise_steps(hpl);
    hpl->steps[HPL_CAST] = hpl_cast_steps(hpl);
    hpl->steps[HPL_CAST_END] = ahead ? 1 : 0;
    for (int i = 0; i < N_HPL_PHASES; i++) {
        hpl->own_steps += hpl->steps[i];
        hpl->other_steps += i < HPL_CAST ? 0 : hpl->steps[i];
    }
    hpl->solution_steps = hpl_solution_steps(hpl);
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    int rows, columns;
    if (process_grid_choose(&rows, &columns, values[PARAM_GRID], placement->n_ranks, error) != 0)
        return -1;
    if (rows > HPL_MAX_ROWS)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter 'grid': %d process rows; at most %d are allowed",
                             rows, HPL_MAX_ROWS);
    int64_t n = values[PARAM_N], block = values[PARAM_BLOCK], n_panels = ceil_div(n, block);
    struct hpl *hpl = xcalloc(1, sizeof *hpl + (size_t)(n_panels * (2 * rows + 1)) * sizeof hpl->layouts[0]);
    *hpl = (struct hpl){.n = n,
                        .block = block,
                        .n_panels = n_panels,
                        .threshold = values[PARAM_THRESHOLD],
                        .stop = values[PARAM_STOP],
                        .pivots = values[PARAM_PIVOTS],
                        .rows = rows,
                        .columns = columns,
                        .broadcast = (int)values[PARAM_BROADCAST],
                        .swap = (int)values[PARAM_SWAP],
                        .looks_ahead = values[PARAM_LOOK_AHEAD] > 0 && columns > 1,
                        .equilibrates = values[PARAM_EQUILIBRATE] != 0,
                        .row_map = {n, block, rows, 0},
                        .column_map = {n + 1, block, columns, 0}};
    count_steps(hpl);
    if (hpl_find_pivots(hpl, error) != 0) {
        free(hpl);
        return -1;
    }
    program->config = hpl;
    return 0;
}

/* --- ops --- */

int64_t hpl_local_rows(const struct hpl_process *self, int64_t from, int64_t to)
{
    return block_cyclic_count_range(&self->hpl->row_map, self->row, from, to);
}

int64_t hpl_local_columns(const struct hpl_process *self, int64_t from, int64_t to)
{
    return block_cyclic_count_range(&self->hpl->column_map, self->column, from, to);
}

static void add_message(const struct hpl_process *self, enum op_kind kind, int rank, int64_t doubles, int scope)
{
    op_list_message(self->list, kind, scope, rank, doubles * DOUBLE_BYTES);
}

void hpl_along_column(const struct hpl_process *self, enum op_kind kind, int row, int64_t doubles, int scope)
{
    add_message(self, kind, row * self->hpl->columns + self->column, doubles, scope);
}

void hpl_along_row(const struct hpl_process *self, enum op_kind kind, int column, int64_t doubles, int scope)
{
    add_message(self, kind, self->row * self->hpl->columns + column, doubles, scope);
}

void hpl_call(const struct hpl_process *self, int kernel, int64_t m, int64_t n, int64_t k, int scope)
{
    if (m == 0 || n == 0 || (kernel == HPL_DGEMM && k == 0))
        return;
    op_list_call(self->list, scope, kernel, m, n, k);
}

/* --- steps --- */

/* With look-ahead an iteration has a panel and the update of the one before, without it a panel and its own update. */
static int64_t count_iterations(const struct hpl *hpl)
{
    return hpl->n_panels + hpl->looks_ahead;
}

/* Bring the columns of the panel itself up to date before it is factorized. */
static void do_ahead(const struct hpl_process *self, int64_t number, int phase, int64_t step)
{
    if (number == 0)
        return;
    const struct hpl_panel panel = hpl_panel(self->hpl, number), before = hpl_panel(self->hpl, number - 1);
    const struct hpl_update update = {.panel = &before, .width = panel.width};
    (phase == HPL_AHEAD_SWAP ? hpl_swap : hpl_update)(self, &update, step);
}

/* The columns behind the panel, if there is one in this iteration, and the right-hand side. */
static void do_update(const struct hpl_process *self, int64_t number, int phase, int64_t step)
{
    const struct hpl *hpl = self->hpl;
    const struct hpl_panel panel = hpl_panel(hpl, number), before = hpl_panel(hpl, number - hpl->looks_ahead);
    bool has_panel = number < hpl->n_panels;
    const struct hpl_update update = {
        .panel = &before,
        .awaited = hpl->looks_ahead && has_panel ? &panel : NULL,
        .width = hpl_local_columns(self, has_panel ? panel.begin + panel.width : hpl->n, hpl->n + 1)};
    if (number >= hpl->looks_ahead)
        (phase == HPL_SWAP ? hpl_swap : hpl_update)(self, &update, step);
}

static void do_phase(const struct hpl_process *self, int64_t number, int phase, int64_t step)
{
    const struct hpl_panel panel = hpl_panel(self->hpl, number);
    if (phase == HPL_SWAP || phase == HPL_UPDATE)
        do_update(self, number, phase, step);
    else if (number == self->hpl->n_panels)
        return;
    else if (phase < HPL_FACTORISE)
        do_ahead(self, number, phase, step);
    else if (phase == HPL_FACTORISE)
        hpl_factorise(self, &panel, step);
    else if (phase == HPL_CAST)
        hpl_cast(self, &panel, step);
    else
        hpl_probe(self, &panel, PROBE_LAST);
}

/* The iterations in which the process column has the panel come in turn, and have more steps. Steps before an
 * iteration. */
static int64_t steps_before(const struct hpl_process *self, int64_t iteration)
{
    const struct hpl *hpl = self->hpl;
    int64_t owned = iteration / hpl->columns + (self->column < iteration % hpl->columns);
    return iteration * hpl->other_steps + owned * (hpl->own_steps - hpl->other_steps);
}

/* Which iteration a step is of. */
static int64_t find_iteration(const struct hpl_process *self, int64_t step)
{
    const struct hpl *hpl = self->hpl;
    int64_t round = steps_before(self, hpl->columns), iteration = step / round * hpl->columns, rest = step % round;
    int64_t before = self->column * hpl->other_steps;
    if (rest < before)
        return iteration + rest / hpl->other_steps;
    if (rest < before + hpl->own_steps)
        return iteration + self->column;
    return iteration + (rest - hpl->own_steps + hpl->other_steps) / hpl->other_steps;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct hpl *hpl = data;
    const struct hpl_process self = {hpl, rank / hpl->columns, rank % hpl->columns, list};
    if (rank >= hpl->rows * hpl->columns)
        return false;
    int64_t end = steps_before(&self, count_iterations(hpl));
    if (step >= end) {
        if (step - end < hpl->solution_steps)
            hpl_solution(&self, step - end);
        return step - end < hpl->solution_steps;
    }
    int64_t number = find_iteration(&self, step), within = step - steps_before(&self, number);
    int phase = number % hpl->columns == self.column ? 0 : HPL_CAST;
    while (within >= hpl->steps[phase])
        within -= hpl->steps[phase++];
    do_phase(&self, number, phase, within);
    return true;
}

/* The rank's part of the matrix, and of what it holds of a panel and of U. */
static int64_t memory(const void *data, int rank)
{
    const struct hpl *hpl = data;
    if (rank >= hpl->rows * hpl->columns)
        return 0;
    int64_t rows = block_cyclic_count(&hpl->row_map, rank / hpl->columns);
    int64_t columns = block_cyclic_count(&hpl->column_map, rank % hpl->columns);
    int64_t block = int64_min(hpl->block, hpl->n), panels = 1 + hpl->looks_ahead;
    return (rows * columns + panels * block * (rows + block + columns)) * DOUBLE_BYTES;
}

/* By which HPL counts its rate. */
static double count_flops(const void *data)
{
    double n = (double)((const struct hpl *)data)->n;
    return 2.0 / 3 * n * n * n + 3.0 / 2 * n * n;
}

const struct app_spec app_hpl = {
    .name = "hpl",
    .summary = "High-Performance Linpack: linear equations by LU factorization",
    .source = "Petitet, Whaley, Dongarra, Cleary, HPL 2.x",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = problem,
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit = emit,
    .memory = memory,
    .flops = count_flops,
};
