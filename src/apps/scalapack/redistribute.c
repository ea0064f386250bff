/* Redistribution of an m x n matrix of doubles from one block-cyclic grid of processes to another (Caron02, section
 * 5.2). Grids are given as process rows x process columns and numbered row by row; the source grid begins at rank
 * from_first, the destination grid at rank to_first, so that the two may be the same ranks, overlap, or be disjoint.
 *
 * Every rank sends every other one, in one message, just the elements that are its own before and the other's after.
 * Elements that stay on their rank are not sent, and packing costs nothing. In each round, a step of the program, a
 * rank sends to at most one other and receives from at most one. The order is one of two:
 *
 * caterpillar, that of ScaLAPACK's pdgemr2d. The ranks of a grid stand in slots 0, 1, ... of two lists, one of senders
 * and one of receivers: first, in both, the ranks of both grids, then the other ranks of the one grid. In round t slot
 * s meets slot -1 - t - s, modulo the number of slots; of the two the lower one sends first.
 *
 * shift: all ranks used stand in one circle of p. In round t = 0 ... p-2 each sends to the one d = t + 1 places on and
 * receives from the one d places back. Round the circle in steps of d, or of p - d where that is shorter, those in
 * every other step receive first.
 *
 * The sends are standard, as the library's do not wait for their receives. But both orders end even if every send does.
 * Take the first round that has not ended: all that take part in it come to it. Two slots that meet do not both wait
 * for the other to begin. And a cycle of ranks, each of which sends to the next, has both a rank that sends first and
 * one that receives first, so not all wait.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "apps/scalapack/block_cyclic.h"
#include "apps/scalapack/process_grid.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>

enum { SCHEDULE_CATERPILLAR, SCHEDULE_SHIFT };
enum {
    PARAM_M,
    PARAM_N,
    PARAM_BLOCK,
    PARAM_TO_BLOCK,
    PARAM_FROM_GRID,
    PARAM_TO_GRID,
    PARAM_FROM_FIRST,
    PARAM_TO_FIRST,
    PARAM_SCHEDULE
};
enum { SCOPE_NONE, SCOPE_REDISTRIBUTION };
enum { NOBODY = -1 };

static const char *const schedule_names[] = {"caterpillar", "shift", NULL};
static const char *const scopes[] = {"", "redistribution", NULL};

static const struct param_spec params[] = {
    [PARAM_M] = {"m", PARAM_COUNT, .min = 1, .max = 1048576, .summary = "rows of the matrix"},
    [PARAM_N] = {"n", PARAM_COUNT, .min = 1, .max = 1048576, .summary = "columns of the matrix"},
    [PARAM_BLOCK] = {"block", PARAM_COUNT, "64", .min = 1, .max = 65536,
                     .summary = "rows and columns of a block at the source"},
    [PARAM_TO_BLOCK] = {"to_block", PARAM_COUNT, "64", .min = 1, .max = 65536,
                        .summary = "rows and columns of a block at the destination"},
    [PARAM_FROM_GRID] = {"from_grid", PARAM_PROCESS_GRID, .excludes_auto = true,
                         .summary = "source: process rows x process columns"},
    [PARAM_TO_GRID] = {"to_grid", PARAM_PROCESS_GRID, .excludes_auto = true,
                       .summary = "destination: process rows x process columns"},
    [PARAM_FROM_FIRST] = {"from_first", PARAM_COUNT, "0", .max = 16777215, .summary = "first rank of the source grid"},
    [PARAM_TO_FIRST] = {"to_first", PARAM_COUNT, "0", .max = 16777215, .summary = "first rank of the destination grid"},
    [PARAM_SCHEDULE] = {"schedule", PARAM_CHOICE, "caterpillar", .choices = schedule_names,
                        .summary = "order of the messages"},
};

/* The ranks of a grid: `count` from `first` on. */
struct span {
    int first, count;
};

struct config {
    struct block_cyclic_matrix from, to;
    struct span senders, receivers;
    struct span shared; /* the ranks of both */
    int begin;          /* of the circle of shift: all ranks of either, without those between the two grids, */
    int gap_at, gap;    /* `gap` of them from rank gap_at on */
    int n_rounds;
    int schedule;
};

/* The partners of a rank in a round; NOBODY: none. */
struct exchange {
    int to, from;
    bool send_first;
};

/* --- setup --- */

static struct block_cyclic_matrix matrix_on(const int64_t *values, int block, int grid)
{
    return (struct block_cyclic_matrix){
        .rows = {values[PARAM_M], values[block], PARAM_MESH_WIDTH(values[grid]), 0},
        .columns = {values[PARAM_N], values[block], PARAM_MESH_HEIGHT(values[grid]), 0}};
}

static int end_of(struct span span)
{
    return span.first + span.count;
}

static bool holds(struct span span, int rank)
{
    return rank >= span.first && rank < end_of(span);
}

static struct span span_of(const struct block_cyclic_matrix *matrix, int64_t first)
{
    return (struct span){(int)first, matrix->rows.processes * matrix->columns.processes};
}

/* Both spans begin before the other ends, or the one that begins later leaves a gap. */
static void compare_spans(struct config *config)
{
    const struct span a = config->senders, b = config->receivers;
    const struct span early = a.first < b.first ? a : b, late = a.first < b.first ? b : a;
    int end = end_of(early) < end_of(late) ? end_of(early) : end_of(late);
    config->shared = (struct span){late.first, end > late.first ? end - late.first : 0};
    config->begin = early.first;
    config->gap_at = end_of(early);
    config->gap = late.first > end_of(early) ? late.first - end_of(early) : 0;
    if (config->schedule == SCHEDULE_SHIFT) /* every rank meets each other one */
        config->n_rounds = a.count + b.count - config->shared.count - 1;
    else /* every slot meets each one, itself too */
        config->n_rounds = a.count > b.count ? a.count : b.count;
}

/* On one rank nothing is moved, whatever the grids. */
static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    static const int grids[][2] = {{PARAM_FROM_GRID, PARAM_FROM_FIRST}, {PARAM_TO_GRID, PARAM_TO_FIRST}};
    int n_ranks = placement->n_ranks;
    for (int i = 0; n_ranks > 1 && i < 2; i++)
        if (process_grid_check(params[grids[i][0]].name, values[grids[i][0]], values[grids[i][1]], n_ranks, error) != 0)
            return -1;
    struct config *config = xcalloc(1, sizeof *config);
    program->config = config;
    if (n_ranks == 1)
        return 0;
    config->from = matrix_on(values, PARAM_BLOCK, PARAM_FROM_GRID);
    config->to = matrix_on(values, PARAM_TO_BLOCK, PARAM_TO_GRID);
    config->senders = span_of(&config->from, values[PARAM_FROM_FIRST]);
    config->receivers = span_of(&config->to, values[PARAM_TO_FIRST]);
    config->schedule = (int)values[PARAM_SCHEDULE];
    compare_spans(config);
    return 0;
}

/* --- who meets whom --- */

/* A rank's slot in the list of a grid that it belongs to, and who of the grid is in a slot. */
static int slot_of(const struct config *config, struct span grid, int rank)
{
    if (holds(config->shared, rank))
        return rank - config->shared.first;
    return rank - grid.first + (rank < config->shared.first ? config->shared.count : 0);
}

static int rank_in(const struct config *config, struct span grid, int slot)
{
    int shared = config->shared.count;
    if (slot >= grid.count)
        return NOBODY;
    if (slot < shared)
        return config->shared.first + slot;
    return grid.first + (slot - shared < config->shared.first - grid.first ? slot - shared : slot);
}

static struct exchange meet_caterpillar(const struct config *config, int rank, int64_t round)
{
    bool sends = holds(config->senders, rank), receives = holds(config->receivers, rank);
    int slots = config->n_rounds, slot = slot_of(config, sends ? config->senders : config->receivers, rank);
    int other = (int)((2 * (int64_t)slots - 1 - round - slot) % slots);
    return (struct exchange){.to = sends ? rank_in(config, config->receivers, other) : NOBODY,
                             .from = receives ? rank_in(config, config->senders, other) : NOBODY,
                             .send_first = slot <= other};
}

static int place_of(const struct config *config, int rank)
{
    return rank - config->begin - (rank < config->gap_at ? 0 : config->gap);
}

static int rank_at(const struct config *config, int64_t place)
{
    int rank = config->begin + (int)place;
    return rank < config->gap_at ? rank : rank + config->gap;
}

/* A cycle of the shift comes by one of the first `stride` places, which are even, and goes on to the next ones, which
 * are odd. */
static struct exchange meet_shift(const struct config *config, int rank, int64_t round)
{
    int64_t length = config->n_rounds + 1, distance = round + 1, place = place_of(config, rank);
    int64_t stride = distance <= length - distance ? distance : length - distance;
    int to = rank_at(config, (place + distance) % length);
    int from = rank_at(config, (place + length - distance) % length);
    return (struct exchange){.to = holds(config->senders, rank) && holds(config->receivers, to) ? to : NOBODY,
                             .from = holds(config->receivers, rank) && holds(config->senders, from) ? from : NOBODY,
                             .send_first = place / stride % 2 == 0};
}

/* --- rounds --- */

static struct exchange meet(const struct config *config, int rank, int64_t round)
{
    bool shift = config->schedule == SCHEDULE_SHIFT;
    return shift ? meet_shift(config, rank, round) : meet_caterpillar(config, rank, round);
}

static int64_t message_bytes(const struct config *config, int from, int to)
{
    if (from == NOBODY || to == NOBODY || from == to)
        return 0;
    return DOUBLE_BYTES *
           block_cyclic_volume(&config->from, from - config->senders.first, &config->to, to - config->receivers.first);
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    if (step >= config->n_rounds || (!holds(config->senders, rank) && !holds(config->receivers, rank)))
        return false;
    struct exchange with = meet(config, rank, step);
    int64_t out = message_bytes(config, rank, with.to), in = message_bytes(config, with.from, rank);
    if (with.send_first)
        op_list_message(list, OP_SEND, SCOPE_REDISTRIBUTION, with.to, out);
    op_list_message(list, OP_RECV, SCOPE_REDISTRIBUTION, with.from, in);
    if (!with.send_first)
        op_list_message(list, OP_SEND, SCOPE_REDISTRIBUTION, with.to, out);
    return true;
}

/* --- forecast --- */

/* A message of a round, if its sender sends first or not, as the caller wants: it begins when both of its ranks are
 * done with those before, and takes lambda + L tau. */
static void add_time(double *clocks, const struct config *config, int rank, int64_t round, bool send_first,
                     const struct forecast_costs *costs)
{
    struct exchange with = meet(config, rank, round);
    int64_t bytes = message_bytes(config, rank, with.to);
    if (with.send_first != send_first || bytes == 0)
        return;
    double start = clocks[rank] > clocks[with.to] ? clocks[rank] : clocks[with.to];
    clocks[rank] = clocks[with.to] = start + forecast_message_s(costs, (double)bytes);
}

/* Caron02, section 5.2, forecasts each message, along the library's order of them. */
static struct forecast forecast(const void *data, const struct forecast_costs *costs)
{
    const struct config *config = data;
    int from = config->senders.first, to = end_of(config->senders), last = end_of(config->receivers);
    double *clocks = xcalloc((size_t)(to > last ? to : last), sizeof *clocks);
    struct forecast sum = {.computation_s = 0};
    for (int64_t round = 0; round < config->n_rounds; round++)
        for (int pass = 0; pass < 2; pass++)
            for (int rank = from; rank < to; rank++)
                add_time(clocks, config, rank, round, pass == 0, costs);
    for (int rank = config->receivers.first; rank < last; rank++)
        sum.communication_s = clocks[rank] > sum.communication_s ? clocks[rank] : sum.communication_s;
    free(clocks);
    return sum;
}

const struct app_spec app_redistribute = {
    .name = "redistribute",
    .summary = "moves a matrix from one block-cyclic process grid to another",
    .source = "Caron02, section 5.2; order of the messages: ScaLAPACK's pdgemr2d",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"m", "n", NULL},
    .scopes = scopes,
    .setup = setup,
    .emit = emit,
    .forecast = forecast,
};
