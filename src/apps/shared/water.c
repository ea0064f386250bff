/* SPLASH's Water (the n-squared one) as TreadMarks runs it: water molecules, each against the n/2 that follow it, the
 * last followed by the first.
 *
 * A molecule is a record of 84 doubles: the position of its center, then for each of nine quantities three directions
 * of three atoms: displacement, velocity, acceleration, derivatives 3 to 6, forces, and one that is not used. A rank
 * has a block of molecules, all the same number, and the last also what is left over, as SPLASH has it. (TreadMarks'
 * source of 1997 shares them out evenly and has that rule in a comment. The program measured in 1994 was SPLASH's,
 * except for the private sums.) A time step:
 *
 *   start       rank 0 clears the shared sums
 *   predict     displacements to derivative 5 from Taylor series; center and forces inside each molecule; virial
 *   pairs       distances of all pairs, forces of those within the cutoff, summed up privately; virial
 *   add         the private sums are added to the molecules' forces, each under the lock of its molecule
 *   correct     forces are divided by masses, displacements to derivative 6 corrected; kinetic energy by direction
 *   potential   if energies are to be printed: centers, a barrier, then the pairs once more
 *
 * with a barrier after each but `pairs` and one more at the end: seven a step. 343 molecules on 8 ranks make 343 + 8 *
 * 171 locks of molecules and 8 * 6 of sums a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/shared/ops.h"
#include "sim/kernel/app.h"

#include "base/memory.h"
#include "base/range.h"

#include <stddef.h>

enum { PARAM_MOLECULES, PARAM_STEPS, PARAM_PRINT, PARAM_DSM };
enum { SCOPE_NONE, SCOPE_PREDICT, SCOPE_PAIRS, SCOPE_ADD, SCOPE_CORRECT, SCOPE_POTENTIAL };
enum { KERNEL_PREDICT, KERNEL_DISTANCE, KERNEL_FORCE, KERNEL_ADD, KERNEL_CORRECT, KERNEL_SELF, KERNEL_POTENTIAL };

/* The record, in bytes. The shared sums follow the molecules on a page of their own; the names of the molecules' locks
 * lie between. */
enum {
    VECTOR_BYTES = 24,
    QUANTITY_BYTES = 72,
    DISPLACEMENT_AT = VECTOR_BYTES,
    VELOCITY_AT = DISPLACEMENT_AT + QUANTITY_BYTES,
    FORCES_AT = DISPLACEMENT_AT + 7 * QUANTITY_BYTES,
    PREDICTED_BYTES = 6 * QUANTITY_BYTES,
    CORRECTED_BYTES = 7 * QUANTITY_BYTES,
    MOLECULE_BYTES = DISPLACEMENT_AT + 9 * QUANTITY_BYTES,
    SUMS_ALIGNMENT = 4096,
};

/* The sums, in bytes behind their beginning, and the locks. */
enum { VIRIAL_AT = 0, KINETIC_AT = 8, POTENTIAL_AT = 32, SUMS_BYTES = 56, SUM_BYTES = 8, POTENTIAL_BYTES = 24 };
enum { LOCK_INTRA = 1, LOCK_INTER = 2, LOCK_KINETIC = 6, LOCK_POTENTIAL = 7, LOCK_MOLECULE = 8 };

/* Molecules whose forces one step adds: five ops each. */
enum { ADDED_PER_STEP = OP_LIST_MAX / 5 };

static const char *const scopes[] = {"", "predict", "pairs", "add", "correct", "potential", NULL};
static const char *const kernels[] = {"water.predict", "water.distance", "water.force",     "water.add",
                                      "water.correct", "water.self",     "water.potential", NULL};

static const struct param_spec params[] = {
    [PARAM_MOLECULES] = {"molecules", PARAM_COUNT, "343", .min = 2, .max = 65536, .summary = "molecules"},
    [PARAM_STEPS] = {"steps", PARAM_COUNT, "5", .min = 1, .max = 1000000, .summary = "time steps"},
    [PARAM_PRINT] = {"print_every", PARAM_COUNT, "1", .min = 1, .max = 1000000,
                     .summary = "time steps between outputs"},
    DSM_PARAMS,
};

struct config {
    int64_t n, n_steps, print_every;
    int64_t sums_at;
    int64_t within_ppm; /* of a million pairs those within the cutoff */
    int n_ranks;
};

/* The cutoff is half the side of the box, at most 11 Angstrom: pi/6 of all pairs, or the sphere's 5575 cubic Angstrom
 * over the box's 29.975 a molecule. */
static int64_t within_cutoff_ppm(int64_t n)
{
    int64_t half_box = 523599, sphere = 5575280 * INT64_C(1000000) / (29975 * n);
    return sphere < half_box ? sphere : half_box;
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    int64_t n = values[PARAM_MOLECULES];
    int64_t sums_at = (n * MOLECULE_BYTES + SUMS_ALIGNMENT - 1) / SUMS_ALIGNMENT * SUMS_ALIGNMENT;
    *config = (struct config){.n = n,
                              .n_steps = values[PARAM_STEPS],
                              .print_every = values[PARAM_PRINT],
                              .sums_at = sums_at,
                              .within_ppm = within_cutoff_ppm(n),
                              .n_ranks = placement->n_ranks};
    program->config = config;
    program->dsm = dsm_options(values + PARAM_DSM, sums_at + SUMS_BYTES, LOCK_MOLECULE + (int)n, 0);
    return 0;
}

/* ---- molecules and pairs ---- */

/* As many for each rank, and what is left over for the last, as SPLASH has it. */
static struct span own(const struct config *config, int rank)
{
    int64_t each = config->n / config->n_ranks;
    return (struct span){rank * each, rank == config->n_ranks - 1 ? config->n : (rank + 1) * each};
}

/* The last molecule, counted on beyond n, that molecule i is paired with. If n is even, two molecules face each other
 * across n/2, and one of them has the pair. */
static int64_t last_partner(const struct config *config, int64_t i)
{
    int64_t half = config->n / 2, last = i + half;
    bool leaves_out = i >= half ? i % 2 == 0 : last % 2 == 1;
    return last - (config->n % 2 == 0 && leaves_out);
}

/* The molecules that the rank has and that they are paired with, counted on beyond n but at most once each. */
static struct span touched(const struct config *config, int rank)
{
    struct span span = own(config, rank);
    if (span.to > span.from)
        span.to = last_partner(config, span.to - 1) + 1;
    if (span.to > span.from + config->n)
        span.to = span.from + config->n;
    return span;
}

static int64_t n_pairs(const struct config *config, int rank)
{
    struct span span = own(config, rank);
    int64_t count = 0;
    for (int64_t i = span.from; i < span.to; i++)
        count += last_partner(config, i) - i;
    return count;
}

/* `bytes` at `at` of each molecule's record. */
static struct pieces parts_of(struct span span, int64_t at, int64_t bytes)
{
    return (struct pieces){span.from * MOLECULE_BYTES + at, bytes, span.to - span.from, MOLECULE_BYTES};
}

/* Centers and displacements of all that the rank's pairs need. */
static void read_positions(const struct config *config, int rank, int scope, struct op_list *list)
{
    struct span span = touched(config, rank), wrapped = {0, span.to - config->n};
    span.to = span.to < config->n ? span.to : config->n;
    shared_read(list, scope, parts_of(span, 0, VECTOR_BYTES + QUANTITY_BYTES));
    shared_read(list, scope, parts_of(wrapped, 0, VECTOR_BYTES + QUANTITY_BYTES));
}

static void work_pairs(const struct config *config, int rank, int scope, int kernel, struct op_list *list)
{
    int64_t pairs = n_pairs(config, rank);
    op_list_work(list, scope, KERNEL_DISTANCE, pairs);
    op_list_work(list, scope, kernel, (pairs * config->within_ppm + 500000) / 1000000);
}

/* ---- the phases of a time step ---- */

static struct pieces sums(const struct config *config, int64_t at, int64_t bytes)
{
    return (struct pieces){config->sums_at + at, bytes, 1, 0};
}

static void add_sum(int scope, int lock, struct pieces sum, struct op_list *list)
{
    shared_lock(list, OP_ACQUIRE, scope, lock);
    shared_read(list, scope, sum);
    shared_write(list, scope, sum);
    shared_lock(list, OP_RELEASE, scope, lock);
}

static void start(const struct config *config, int rank, struct op_list *list)
{
    if (rank == 0)
        shared_write(list, SCOPE_PREDICT, sums(config, 0, SUMS_BYTES));
    op_list_add(list, OP_BARRIER, SCOPE_PREDICT);
}

static void predict(const struct config *config, int rank, struct op_list *list)
{
    struct span span = own(config, rank);
    shared_read(list, SCOPE_PREDICT, parts_of(span, DISPLACEMENT_AT, CORRECTED_BYTES));
    op_list_work(list, SCOPE_PREDICT, KERNEL_PREDICT, span.to - span.from);
    shared_write(list, SCOPE_PREDICT, parts_of(span, 0, VECTOR_BYTES + PREDICTED_BYTES));
    shared_write(list, SCOPE_PREDICT, parts_of(span, FORCES_AT, QUANTITY_BYTES));
    add_sum(SCOPE_PREDICT, LOCK_INTRA, sums(config, VIRIAL_AT, SUM_BYTES), list);
    op_list_add(list, OP_BARRIER, SCOPE_PREDICT);
}

static void pairs(const struct config *config, int rank, struct op_list *list)
{
    read_positions(config, rank, SCOPE_PAIRS, list);
    work_pairs(config, rank, SCOPE_PAIRS, KERNEL_FORCE, list);
    add_sum(SCOPE_PAIRS, LOCK_INTER, sums(config, VIRIAL_AT, SUM_BYTES), list);
}

/* One of the steps of `add`: a few molecules in their order, from the rank's first one on. */
static void add_forces(const struct config *config, int rank, int64_t which, struct op_list *list)
{
    struct span span = touched(config, rank);
    int64_t from = span.from + which * ADDED_PER_STEP;
    for (int64_t i = from; i < from + ADDED_PER_STEP && i < span.to; i++) {
        int64_t molecule = i % config->n;
        struct pieces forces = parts_of((struct span){molecule, molecule + 1}, FORCES_AT, QUANTITY_BYTES);
        shared_lock(list, OP_ACQUIRE, SCOPE_ADD, LOCK_MOLECULE + molecule);
        shared_read(list, SCOPE_ADD, forces);
        shared_write(list, SCOPE_ADD, forces);
        op_list_work(list, SCOPE_ADD, KERNEL_ADD, 1);
        shared_lock(list, OP_RELEASE, SCOPE_ADD, LOCK_MOLECULE + molecule);
    }
}

static void correct(const struct config *config, int rank, struct op_list *list)
{
    struct span span = own(config, rank);
    op_list_add(list, OP_BARRIER, SCOPE_ADD);
    shared_read(list, SCOPE_CORRECT, parts_of(span, DISPLACEMENT_AT, CORRECTED_BYTES + QUANTITY_BYTES));
    shared_write(list, SCOPE_CORRECT, parts_of(span, DISPLACEMENT_AT, CORRECTED_BYTES + QUANTITY_BYTES));
    op_list_work(list, SCOPE_CORRECT, KERNEL_CORRECT, span.to - span.from);
}

/* The energy of the three directions is added one after another. */
static void kinetic(const struct config *config, int rank, struct op_list *list)
{
    shared_read(list, SCOPE_CORRECT, parts_of(own(config, rank), VELOCITY_AT, QUANTITY_BYTES));
    for (int direction = 0; direction < 3; direction++)
        add_sum(SCOPE_CORRECT, LOCK_KINETIC, sums(config, KINETIC_AT + direction * SUM_BYTES, SUM_BYTES), list);
    op_list_add(list, OP_BARRIER, SCOPE_CORRECT);
    shared_read(list, SCOPE_CORRECT, sums(config, VIRIAL_AT, POTENTIAL_AT));
}

static void potential_self(const struct config *config, int rank, struct op_list *list)
{
    struct span span = own(config, rank);
    shared_write(list, SCOPE_POTENTIAL, parts_of(span, 0, VECTOR_BYTES));
    op_list_work(list, SCOPE_POTENTIAL, KERNEL_SELF, span.to - span.from);
    op_list_add(list, OP_BARRIER, SCOPE_POTENTIAL);
}

static void potential_pairs(const struct config *config, int rank, struct op_list *list)
{
    read_positions(config, rank, SCOPE_POTENTIAL, list);
    work_pairs(config, rank, SCOPE_POTENTIAL, KERNEL_POTENTIAL, list);
    add_sum(SCOPE_POTENTIAL, LOCK_POTENTIAL, sums(config, POTENTIAL_AT, POTENTIAL_BYTES), list);
    op_list_add(list, OP_BARRIER, SCOPE_POTENTIAL);
    shared_read(list, SCOPE_POTENTIAL, sums(config, 0, SUMS_BYTES));
}

static void end(const struct config *config, int rank, struct op_list *list)
{
    (void)config;
    (void)rank;
    op_list_add(list, OP_BARRIER, SCOPE_NONE);
}

/* Every rank has as many steps to add forces, so that phases have the same numbers everywhere; some are empty. */
static int64_t n_add_steps(const struct config *config)
{
    struct span last = own(config, config->n_ranks - 1);
    int64_t largest = int64_min(last.to - last.from + config->n / 2, config->n);
    return (largest + ADDED_PER_STEP - 1) / ADDED_PER_STEP;
}

static const struct phase {
    void (*emit)(const struct config *config, int rank, struct op_list *list);
    bool when_printing;
} before_add[] = {{start, false}, {predict, false}, {pairs, false}},
  after_add[] = {{correct, false}, {kinetic, false}, {potential_self, true}, {potential_pairs, true}, {end, false}};
enum { N_BEFORE = sizeof before_add / sizeof before_add[0], N_AFTER = sizeof after_add / sizeof after_add[0] };

static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    const struct config *config = data;
    int64_t n_add = n_add_steps(config), n_phases = N_BEFORE + n_add + N_AFTER;
    int64_t time_step = step / n_phases, phase = step % n_phases;
    (void)seen;
    if (time_step >= config->n_steps)
        return false;
    if (phase >= N_BEFORE && phase < N_BEFORE + n_add) {
        add_forces(config, rank, phase - N_BEFORE, list);
        return true;
    }
    const struct phase *found = phase < N_BEFORE ? &before_add[phase] : &after_add[phase - N_BEFORE - n_add];
    if (!found->when_printing || (time_step + 1) % config->print_every == 0)
        found->emit(config, rank, list);
    return true;
}

const struct app_spec app_water = {
    .name = "water",
    .summary = "molecular dynamics of water, all pairs, forces added under one lock per molecule",
    .source = "SPLASH, Water; Keleher, Cox, Dwarkadas, Zwaenepoel 1994",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"molecules", "steps", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit_shared = emit_shared,
};
