/* ScaLAPACK's triangular solve, pdtrsm (Caron02, section 4.2): op(A) X = alpha B or X op(A) = alpha B, A an n x n
 * triangle, and m right-hand sides: B is m x n with A on the right, n x m with A on the left. A is dealt
 * block-cyclically, in blocks of R x R, to a grid of processes, which are numbered row by row; ranks beyond the grid
 * stay idle. Multiplications by alpha are done within the calls of dtrsm and dgemm; with an alpha of 0 X is 0, and
 * there is nothing to do. A unit diagonal saves divisions, and no messages.
 *
 * The right-hand sides are solved R at a time (a call of pbdtrsm), in one stage for each diagonal block. Take X A = B,
 * A upper, on P x Q processes. In stage s the owner of A(s,s) solves for block s of X and sends it round its process
 * row. Block j > s then lacks the product of block s with A(s,j), which is in the same process row; each process
 * computes its own. Block j is completed in process row j mod P, so the sums of products of all P rows must come there:
 * those of blocks s+1 ... s+P-1 go on to the next process row, which adds its own, the others are left until their
 * turn. Work that the next stage waits for is done first. With P = 1 nothing has to go on, and everything is updated at
 * once.
 *
 * The other calls are this one, mirrored. Where a product needs A(j,i) in place of A(i,j), blocks go round process
 * columns and sums along process rows: rows and columns change places. So it is for A X = B and X A' = B, cases 1 and 3
 * of figure 2. Where the last block has to be solved first, blocks and sums go in the directions of falling numbers:
 * cases 1 and 4.
 *
 * The paper has cases 1 and 3 faster on "row-dominant", 2 and 4 on "column-dominant" grids, and for X A = B, A upper,
 * which is case 2, calls a grid that is one row the best. Both are true if a grid is row-dominant that has more rows
 * than columns; it follows from where the blocks of A are, too. With the other meaning of the word the paper would
 * contradict itself.
 *
 * The paper says neither how B comes to the process rows that complete its blocks nor how X comes back; it has no cost
 * for either, and none is simulated.
 *
 * The dimensions of the kernels are those of X A = B: right-hand sides first, dtrsm(m, n) with a triangle of order n.
 *
 * All messages follow the order of the stages: a process first takes the sums of the stage before, then the solved
 * block, and sends only within its stage or to the next one. So the first stage that has not ended can go on, even if
 * every send waits for its receive.
 *
 * All this is the algorithm of the paper. The algorithm of today's ScaLAPACK is in pdtrsm_library.c; the parameter
 * `algorithm` chooses, and the forecast is the paper's for both.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "apps/scalapack/letters.h"
#include "apps/scalapack/pdtrsm_internal.h"
#include "apps/scalapack/process_grid.h"
#include "base/memory.h"
#include "base/units.h"

#include <stddef.h>

enum {
    PARAM_M,
    PARAM_N,
    PARAM_BLOCK,
    PARAM_GRID,
    PARAM_UPLO,
    PARAM_SIDE,
    PARAM_TRANS,
    PARAM_DIAG,
    PARAM_ALPHA,
    PARAM_ALGORITHM
};
enum { MOST_FACTOR = 1000 };
enum { ALGORITHM_PAPER, ALGORITHM_LIBRARY };

static const char *const algorithm_names[] = {"paper", "library", NULL};
static const char *const scopes[] = {"", "solve", "broadcast", "update", "accumulate", NULL};
static const char *const kernels[] = {"dtrsm", "dgemm", "matadd", NULL};

static const struct param_spec params[] = {
    [PARAM_M] = {"m", PARAM_COUNT, .min = 1, .max = 1048576, .summary = "right-hand sides"},
    [PARAM_N] = {"n", PARAM_COUNT, .min = 1, .max = 1048576, .summary = "order of the triangular matrix"},
    [PARAM_BLOCK] = {"block", PARAM_COUNT, "64", .min = 1, .max = 65536, .summary = "rows and columns of a block"},
    [PARAM_GRID] = {"grid", PARAM_PROCESS_GRID, "auto", .summary = "process rows x process columns; auto: near-square"},
    [PARAM_UPLO] = {"uplo", PARAM_CHOICE, "upper", .choices = uplo_names, .aliases = uplo_letters,
                    .summary = "whether A is the upper or the lower triangle; U or L, too"},
    [PARAM_SIDE] = {"side", PARAM_CHOICE, "right", .choices = side_names, .aliases = side_letters,
                    .summary = "on which side of X it stands; L or R, too"},
    [PARAM_TRANS] = {"trans", PARAM_CHOICE, "no", .choices = trans_names, .aliases = trans_letters,
                     .summary = "whether it is transposed; N or T, too"},
    [PARAM_DIAG] = {"diag", PARAM_CHOICE, "non-unit", .choices = diag_names, .aliases = diag_letters,
                    .summary = "whether its diagonal is all 1, which saves the divisions; N or U, too"},
    [PARAM_ALPHA] = {"alpha", PARAM_REAL, "1", .max = MOST_FACTOR * UNITS_REAL,
                     .summary = "factor of B, without its sign; 0: nothing is solved"},
    [PARAM_ALGORITHM] = {"algorithm", PARAM_CHOICE, "paper", .choices = algorithm_names,
                         .summary = "paper: as in Caron02; library: as in PBLAS 2"},
};

/* --- setup --- */

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    int64_t n = values[PARAM_N], m = values[PARAM_M], block = values[PARAM_BLOCK];
    int rows, columns;
    if (process_grid_choose(&rows, &columns, values[PARAM_GRID], placement->n_ranks, error) != 0)
        return -1;
    struct pdtrsm_config *config = xmalloc(sizeof *config);
    bool left = values[PARAM_SIDE] == SIDE_LEFT, transposed = values[PARAM_TRANS] == TRANS_YES;
    bool op_is_upper = (values[PARAM_UPLO] == UPLO_UPPER) != transposed;
    bool by_columns = left != transposed;
    *config = (struct pdtrsm_config){.m = m,
                                     .block = block,
                                     .n_blocks = ceil_div(n, block),
                                     .n_calls = ceil_div(m, block),
                                     .lines = {n, block, by_columns ? columns : rows, 0},
                                     .places = {n, block, by_columns ? rows : columns, 0},
                                     .by_columns = by_columns,
                                     .backward = left == op_is_upper,
                                     .vanishes = values[PARAM_ALPHA] == 0,
                                     .library = values[PARAM_ALGORITHM] == ALGORITHM_LIBRARY,
                                     .call = {.m = m,
                                              .n = n,
                                              .block = block,
                                              .count = {rows, columns},
                                              .transposed = transposed,
                                              .unit = values[PARAM_DIAG] == DIAG_UNIT,
                                              .backward = left == op_is_upper,
                                              .side = left ? 0 : 1}};
    if (config->library)
        pdtrsm_library_choose(&config->call);
    program->config = config;
    return 0;
}

/* --- who and where --- */

static int line_of(const struct pdtrsm_config *config, int rank)
{
    return config->by_columns ? rank % config->lines.processes : rank / config->places.processes;
}

static int place_of(const struct pdtrsm_config *config, int rank)
{
    return config->by_columns ? rank / config->lines.processes : rank % config->places.processes;
}

static int rank_at(const struct pdtrsm_config *config, int line, int place)
{
    return config->by_columns ? place * config->lines.processes + line : line * config->places.processes + place;
}

/* The line or place `steps` (1 or -1) further in the direction of the stages. */
static int further(const struct pdtrsm_config *config, int from, int steps, int count)
{
    return (from + (config->backward ? -steps : steps) + count) % count;
}

/* Block of the s-th stage. */
static int64_t block_of(const struct pdtrsm_config *config, int64_t s)
{
    return config->backward ? config->n_blocks - 1 - s : s;
}

/* The first stage of a line; the others follow it at the distance of the number of lines. */
static int64_t first_stage(const struct pdtrsm_config *config, int line)
{
    int64_t stage = config->backward ? config->n_blocks - 1 - line : line;
    return stage >= 0 ? stage % config->lines.processes : stage + config->lines.processes;
}

/* How many indices of the blocks of stages from ... to-1 a place holds; there is nothing beyond the last stage. */
static int64_t count_indices(const struct pdtrsm_config *config, int place, int64_t from, int64_t to)
{
    int64_t last = config->n_blocks, n = config->places.n;
    from = int64_min(from, last);
    to = int64_min(to, last);
    int64_t low = (config->backward ? last - to : from) * config->block;
    int64_t high = (config->backward ? last - from : to) * config->block;
    return block_cyclic_count_range(&config->places, place, int64_min(low, n), int64_min(high, n));
}

/* --- the ops of a stage --- */

struct stage {
    const struct pdtrsm_config *config;
    int line, place;
    int64_t number;  /* in its call */
    int64_t rows;    /* right-hand sides of the call */
    int64_t block;   /* of X: the indices of its block */
    int solver;      /* place where it is solved */
    int64_t n_ahead; /* how many blocks after a stage have sums that go on: the number of lines less 1 */
};

/* Take over the sums that the line before has sent on. */
static void add_accumulation(const struct stage *stage, struct op_list *list)
{
    const struct pdtrsm_config *config = stage->config;
    if (stage->number == 0)
        return;
    int64_t columns = count_indices(config, stage->place, stage->number, stage->number + stage->n_ahead);
    int before = further(config, stage->line, -1, config->lines.processes);
    if (columns == 0)
        return;
    trsm_add_message(list, OP_RECV, SCOPE_ACCUMULATE, rank_at(config, before, stage->place), stage->rows * columns);
    trsm_add_work(list, KERNEL_MATADD, SCOPE_ACCUMULATE, stage->rows, columns, 0);
}

/* Solve for the block, or receive it; pass it on unless it has come round. */
static void add_solved_block(const struct stage *stage, struct op_list *list)
{
    const struct pdtrsm_config *config = stage->config;
    int n_places = config->places.processes;
    int next = further(config, stage->place, 1, n_places), before = further(config, stage->place, -1, n_places);
    int64_t elements = stage->rows * stage->block;
    if (stage->place == stage->solver)
        trsm_add_solve(list, &config->call, stage->rows, stage->block);
    else
        trsm_add_message(list, OP_RECV, SCOPE_BROADCAST, rank_at(config, stage->line, before), elements);
    if (next != stage->solver)
        trsm_add_message(list, OP_SEND, SCOPE_BROADCAST, rank_at(config, stage->line, next), elements);
}

/* Update the blocks whose sums go on and send them; meanwhile update the rest. */
static void add_updates(const struct stage *stage, struct op_list *list)
{
    const struct pdtrsm_config *config = stage->config;
    int64_t first = stage->number + 1, split = first + stage->n_ahead;
    int64_t ahead = count_indices(config, stage->place, first, split);
    int64_t rest = count_indices(config, stage->place, split, config->n_blocks);
    int next = further(config, stage->line, 1, config->lines.processes);
    trsm_add_work(list, KERNEL_DGEMM, SCOPE_UPDATE, stage->rows, ahead, stage->block);
    if (ahead > 0)
        trsm_add_message(list, OP_ISEND, SCOPE_ACCUMULATE, rank_at(config, next, stage->place), stage->rows * ahead);
    trsm_add_work(list, KERNEL_DGEMM, SCOPE_UPDATE, stage->rows, rest, stage->block);
    if (ahead > 0)
        op_list_add(list, OP_WAIT, SCOPE_ACCUMULATE);
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct pdtrsm_config *config = data;
    if (config->vanishes)
        return false;
    if (config->library)
        return pdtrsm_library_emit(&config->call, rank, step, list);
    int n_lines = config->lines.processes, n_places = config->places.processes;
    if (rank / n_lines >= n_places)
        return false;
    int line = line_of(config, rank);
    int64_t first = first_stage(config, line);
    int64_t n_stages = first < config->n_blocks ? (config->n_blocks - 1 - first) / n_lines + 1 : 0;
    if (n_stages == 0 || step / n_stages >= config->n_calls)
        return false;
    int64_t call = step / n_stages, number = first + step % n_stages * n_lines;
    int64_t i = block_of(config, number);
    const struct stage stage = {.config = config,
                                .line = line,
                                .place = place_of(config, rank),
                                .number = number,
                                .rows = int64_min(config->block, config->m - call * config->block),
                                .block = int64_min(config->block, config->places.n - i * config->block),
                                .solver = (int)(i % n_places),
                                .n_ahead = n_lines - 1};
    add_accumulation(&stage, list);
    add_solved_block(&stage, list);
    add_updates(&stage, list);
    return true;
}

const struct app_spec app_pdtrsm = {
    .name = "pdtrsm",
    .summary = "ScaLAPACK's solve with a triangular matrix and many right-hand sides",
    .source = "Caron02, section 4.2; library: PBLAS 2, counted",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"m", "n", NULL},
    .scopes = scopes,
    .phases = (const struct phase_spec[]){{"broadcast", SUBJECT_BROADCAST, NULL}, {0}},
    .kernels = kernels,
    .setup = setup,
    .emit = emit,
    .forecast = pdtrsm_forecast,
    .memory = pdtrsm_memory,
};
