/* Redistribution of an m x n matrix of doubles from one block-cyclic grid of processes to another (paper 003, section
 * 5.2). Grids are given as process rows x process columns and numbered row by row; the source grid begins at rank 0, the
 * destination grid at rank to_first, so that the two may be the same ranks, overlap, or be disjoint.
 *
 * Every rank sends every other one, in one message, just the elements that are its own before and the other's after.
 * What stays on its rank is not sent, and packing costs nothing. In each round, a step of the program, a rank sends to
 * at most one other and receives from at most one. The order is one of two:
 *
 * caterpillar, that of ScaLAPACK's pdgemr2d. The ranks of a grid stand in slots 0, 1, ... of two lists, one of senders
 * and one of receivers: first, in both, the ranks of both grids, then the other ranks of the one grid. In round t slot s
 * meets slot -1 - t - s, modulo the number of slots; of the two the lower one sends first.
 *
 * shift: all ranks used stand in one circle of p. In round t = 0 ... p-2 each sends to the one d = t + 1 places on and
 * receives from the one d places back. Round the circle in steps of d, or of p - d where that is shorter, those in
 * every other step receive first.
 *
 * The sends are standard, as the library's do not wait for their receives. But both orders end even if every send does.
 * Take the first round that has not ended: all that take part in it come to it. Two slots that meet do not both wait for
 * the other to begin. And a cycle of ranks, each of which sends to the next, has both a rank that sends first and one
 * that receives first, so not all wait. */
#include "sim/app.h"

#include "apps/block_cyclic.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stddef.h>

enum { SCHEDULE_CATERPILLAR, SCHEDULE_SHIFT };
enum { PARAM_M, PARAM_N, PARAM_BLOCK, PARAM_TO_BLOCK, PARAM_FROM_GRID, PARAM_TO_GRID, PARAM_TO_FIRST, PARAM_SCHEDULE };
enum { SCOPE_NONE, SCOPE_REDISTRIBUTION };
enum { DOUBLE_BYTES = 8, NOBODY = -1 };

static const char *const schedule_names[] = {"caterpillar", "shift", NULL};
static const char *const scopes[] = {"", "redistribution", NULL};
static const char *const kernels[] = {NULL};

static const struct param_spec params[] = {
    [PARAM_M] = {"m", PARAM_COUNT, NULL, 1, 1048576, NULL, "rows of the matrix"},
    [PARAM_N] = {"n", PARAM_COUNT, NULL, 1, 1048576, NULL, "columns of the matrix"},
    [PARAM_BLOCK] = {"block", PARAM_COUNT, "64", 1, 65536, NULL, "rows and columns of a block at the source"},
    [PARAM_TO_BLOCK] = {"to_block", PARAM_COUNT, "64", 1, 65536, NULL,
                        "rows and columns of a block at the destination"},
    [PARAM_FROM_GRID] = {"from_grid", PARAM_MESH, NULL, 0, 0, NULL, "source: process rows x process columns; not auto"},
    [PARAM_TO_GRID] = {"to_grid", PARAM_MESH, NULL, 0, 0, NULL, "destination: process rows x columns; not auto"},
    [PARAM_TO_FIRST] = {"to_first", PARAM_COUNT, "0", 0, 16777215, NULL, "first rank of the destination grid"},
    [PARAM_SCHEDULE] = {"schedule", PARAM_CHOICE, "caterpillar", 0, 0, schedule_names, "order of the messages"},
};

struct config {
    struct block_cyclic_matrix from, to;
    int n_senders, n_receivers; /* ranks of the grids; no receivers: nothing is moved */
    int to_first;
    int schedule;
};

/* Whom a rank deals with in a round; NOBODY where there is none. */
struct exchange {
    int to, from;
    bool send_first;
};

/* --- setup --- */

static int check_grid(const int64_t *values, int grid, int64_t first, int n_ranks, struct sim_error *error)
{
    const char *name = params[grid].name;
    int rows = PARAM_MESH_WIDTH(values[grid]), columns = PARAM_MESH_HEIGHT(values[grid]);
    int64_t needed = first + (int64_t)rows * columns;
    if (rows == 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter '%s': 'auto' is not ROWSxCOLUMNS", name);
    if (needed > n_ranks)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter '%s': %dx%d processes from rank %" PRId64 " on need %" PRId64
                             " ranks, there are %d",
                             name, rows, columns, first, needed, n_ranks);
    return 0;
}

static struct block_cyclic_matrix matrix_on(const int64_t *values, int block, int grid)
{
    return (struct block_cyclic_matrix){
        .rows = {values[PARAM_M], values[block], PARAM_MESH_WIDTH(values[grid]), 0},
        .columns = {values[PARAM_N], values[block], PARAM_MESH_HEIGHT(values[grid]), 0}};
}

static int grid_size(const struct block_cyclic_matrix *matrix)
{
    return matrix->rows.processes * matrix->columns.processes;
}

/* On one rank nothing is moved, whatever the grids. */
static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    int n_ranks = placement->n_ranks;
    if (n_ranks > 1 && (check_grid(values, PARAM_FROM_GRID, 0, n_ranks, error) != 0 ||
                        check_grid(values, PARAM_TO_GRID, values[PARAM_TO_FIRST], n_ranks, error) != 0))
        return -1;
    struct config *config = xcalloc(1, sizeof *config);
    program->config = config;
    if (n_ranks == 1)
        return 0;
    config->from = matrix_on(values, PARAM_BLOCK, PARAM_FROM_GRID);
    config->to = matrix_on(values, PARAM_TO_BLOCK, PARAM_TO_GRID);
    config->n_senders = grid_size(&config->from);
    config->n_receivers = grid_size(&config->to);
    config->to_first = (int)values[PARAM_TO_FIRST];
    config->schedule = (int)values[PARAM_SCHEDULE];
    return 0;
}

/* --- who meets whom --- */

static bool sends(const struct config *config, int rank)
{
    return rank < config->n_senders;
}

static bool receives(const struct config *config, int rank)
{
    return rank >= config->to_first && rank < config->to_first + config->n_receivers;
}

/* Ranks of both grids. They are the first of the receivers, so that a receiver's slot is its number in its grid. */
static int shared_count(const struct config *config)
{
    int shared = config->n_senders - config->to_first;
    if (shared > config->n_receivers)
        return config->n_receivers;
    return shared < 0 ? 0 : shared;
}

static int slot_of(const struct config *config, int rank)
{
    if (receives(config, rank))
        return rank - config->to_first;
    return rank < config->to_first ? shared_count(config) + rank : rank;
}

static int sender_in(const struct config *config, int slot)
{
    int shared = shared_count(config);
    if (slot >= config->n_senders)
        return NOBODY;
    if (slot < shared)
        return config->to_first + slot;
    return slot - shared < config->to_first ? slot - shared : slot;
}

static int receiver_in(const struct config *config, int slot)
{
    return slot < config->n_receivers ? config->to_first + slot : NOBODY;
}

static int slot_count(const struct config *config)
{
    return config->n_senders > config->n_receivers ? config->n_senders : config->n_receivers;
}

static struct exchange meet_caterpillar(const struct config *config, int rank, int64_t round)
{
    int slots = slot_count(config), slot = slot_of(config, rank);
    int other = (int)((2 * (int64_t)slots - 1 - round - slot) % slots);
    return (struct exchange){.to = sends(config, rank) ? receiver_in(config, other) : NOBODY,
                             .from = receives(config, rank) ? sender_in(config, other) : NOBODY,
                             .send_first = slot <= other};
}

/* Ranks between the grids, which take no part. */
static int gap_of(const struct config *config)
{
    return config->to_first > config->n_senders ? config->to_first - config->n_senders : 0;
}

static int circle_length(const struct config *config)
{
    int end = config->to_first + config->n_receivers;
    return end > config->n_senders ? end - gap_of(config) : config->n_senders;
}

static int place_of(const struct config *config, int rank)
{
    return rank < config->n_senders ? rank : rank - gap_of(config);
}

static int rank_at(const struct config *config, int64_t place)
{
    return (int)(place < config->n_senders ? place : place + gap_of(config));
}

/* A cycle of the shift comes by one of the first `stride` places, which are even, and goes on to the next ones, which
 * are odd. */
static struct exchange meet_shift(const struct config *config, int rank, int64_t round)
{
    int64_t length = circle_length(config), distance = round + 1, place = place_of(config, rank);
    int64_t stride = distance <= length - distance ? distance : length - distance;
    int to = rank_at(config, (place + distance) % length);
    int from = rank_at(config, (place + length - distance) % length);
    return (struct exchange){.to = sends(config, rank) && receives(config, to) ? to : NOBODY,
                             .from = receives(config, rank) && sends(config, from) ? from : NOBODY,
                             .send_first = place / stride % 2 == 0};
}

/* --- rounds --- */

/* The ranks outside both grids have no rounds. */
static int round_count(const struct config *config, int rank)
{
    if (!sends(config, rank) && !receives(config, rank))
        return 0;
    return config->schedule == SCHEDULE_SHIFT ? circle_length(config) - 1 : slot_count(config);
}

static struct exchange meet(const struct config *config, int rank, int64_t round)
{
    bool shift = config->schedule == SCHEDULE_SHIFT;
    return shift ? meet_shift(config, rank, round) : meet_caterpillar(config, rank, round);
}

static int64_t message_bytes(const struct config *config, int from, int to)
{
    if (from == NOBODY || to == NOBODY || from == to)
        return 0;
    return block_cyclic_volume(&config->from, from, &config->to, to - config->to_first) * DOUBLE_BYTES;
}

static void add_message(struct op_list *list, enum op_kind kind, int peer, int64_t bytes)
{
    if (bytes == 0)
        return;
    struct op *op = op_list_add(list, kind, SCOPE_REDISTRIBUTION);
    op->peer = peer;
    op->bytes = bytes;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    if (step >= round_count(config, rank))
        return false;
    struct exchange with = meet(config, rank, step);
    int64_t out = message_bytes(config, rank, with.to), in = message_bytes(config, with.from, rank);
    if (with.send_first)
        add_message(list, OP_SEND, with.to, out);
    add_message(list, OP_RECV, with.from, in);
    if (!with.send_first)
        add_message(list, OP_SEND, with.to, out);
    return true;
}

const struct app_spec app_redistribute = {
    .name = "redistribute",
    .summary = "a matrix moved from one block-cyclic grid of processes to another",
    .source = "Caron, Suter 2002 (paper 003), section 5.2; order of the messages: ScaLAPACK's pdgemr2d",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit = emit,
};
