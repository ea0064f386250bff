/* The time of pdgemm by its formula, and the memory that it needs.
 *
 * Caron02, eqs. 1 and 3, for C = A B: trees, blocks as panels and rounded-up local sizes, whichever form is simulated.
 * The paper's blocks are small. Where one is larger than the even share of a process, the share of the one that has
 * most takes its place, and a panel has no more columns than the matrix. All panels are taken to be of the mean width,
 * which gives eq. 3 where a message takes lambda + L tau. Nothing is serial.
 *
 * "The other cases are similar", says the paper and has no formulas for them. Those here count the messages of
 * pdgemm_transposed.c in the same way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/pdgemm_internal.h"
#include "sim/machine/predict.h"

/* Blocks that are larger than an even share of the indices leave the first process with more than that. */
static bool is_even(const struct block_cyclic *d)
{
    return d->block <= ceil_div(d->n, d->processes);
}

/* How many indices the paper's even share has: rounded up; and what the first process has where blocks are larger. */
static int64_t local_size(const struct block_cyclic *d)
{
    return is_even(d) ? ceil_div(d->n, d->processes) : block_cyclic_count(d, 0);
}

/* The same without rounding, as in eq. 3. */
static double share(const struct block_cyclic *d)
{
    return is_even(d) ? (double)d->n / d->processes : (double)block_cyclic_count(d, 0);
}

static double kernel_s(const struct forecast_costs *costs, int kernel, int64_t m, int64_t n, int64_t k)
{
    return predict_time_best(&costs->kernels[kernel], (int)m, (int)n, (int)k);
}

/* Panels of one dimension: how many, how wide the calls of dgemm are, and the mean width. */
struct panels {
    int64_t count, width;
    double mean_width;
};

static struct panels cut(int64_t n, int64_t block)
{
    int64_t count = ceil_div(n, block);
    return (struct panels){count, block < n ? block : n, (double)n / (double)count};
}

/* The rounds of a tree of `count` processes, each of a message of so many elements. */
static double tree_s(const struct forecast_costs *costs, int count, double elements)
{
    return count == 1 ? 0 : ceil_log2(count) * forecast_message_s(costs, elements * DOUBLE_BYTES);
}

/* A sum of outer products: eqs. 1 and 3. */
static struct forecast of_outer(const struct pdgemm_config *config, const struct forecast_costs *costs)
{
    const struct panels panels = cut(config->k, config->block);
    double dgemm_s =
        kernel_s(costs, KERNEL_DGEMM, local_size(&config->rows), local_size(&config->columns), panels.width);
    double a_s = tree_s(costs, config->columns.processes, share(&config->rows) * panels.mean_width);
    double b_s = tree_s(costs, config->rows.processes, panels.mean_width * share(&config->columns));
    return (struct forecast){.computation_s = (double)panels.count * dgemm_s,
                             .communication_s = (double)panels.count * (a_s + b_s)};
}

/* A B' (form BC) or A' B: a panel is broadcast, and the products are summed. */
static struct forecast of_inner(const struct pdgemm_config *config, const struct forecast_costs *costs)
{
    bool bc = config->form == FORM_BC;
    const struct block_cyclic *fixed = bc ? &config->rows : &config->columns;
    const struct block_cyclic *moved = bc ? &config->columns : &config->rows;
    const struct block_cyclic k = {config->k, config->block, moved->processes, 0};
    const struct panels panels = cut(moved->n, config->block);
    int64_t m = bc ? local_size(fixed) : panels.width, n = bc ? panels.width : local_size(fixed);
    double work_s = kernel_s(costs, KERNEL_DGEMM, m, n, local_size(&k)) +
                    ceil_log2(moved->processes) * kernel_s(costs, KERNEL_MATADD, m, n, 0);
    double spread_s = tree_s(costs, fixed->processes, panels.mean_width * share(&k));
    double sum_s = tree_s(costs, moved->processes, share(fixed) * panels.mean_width);
    return (struct forecast){.computation_s = (double)panels.count * work_s,
                             .communication_s = (double)panels.count * (spread_s + sum_s)};
}

static int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* The transposition of B A: a process has elements for P Q / gcd(P, Q)^2 others, one of which may be itself. */
static double transposition_s(const struct pdgemm_config *config, const struct forecast_costs *costs)
{
    int p = config->rows.processes, q = config->columns.processes, common = gcd(p, q);
    double partners = (double)(p / common) * (q / common), others = common == 1 ? partners - 1 : partners;
    double elements = share(&config->rows) * share(&config->columns) / partners;
    return others == 0 ? 0 : others * forecast_message_s(costs, elements * DOUBLE_BYTES);
}

/* The process that has most of C adds to it, or multiplies it by beta. */
static double own_c_s(const struct pdgemm_config *config, const struct forecast_costs *costs)
{
    const struct block_cyclic_matrix c = pdgemm_matrix_c(config);
    return config->adds_c ? kernel_s(costs, KERNEL_MATADD, local_size(&c.rows), local_size(&c.columns), 0) : 0;
}

struct forecast pdgemm_forecast(const void *data, const struct forecast_costs *costs)
{
    const struct pdgemm_config *config = data;
    if (config->vanishes)
        return (struct forecast){.computation_s = own_c_s(config, costs)};
    struct forecast made = (config->aligned ? of_inner : of_outer)(config, costs);
    if (config->swapped && config->rows.processes * config->columns.processes > 1) {
        made.computation_s += own_c_s(config, costs);
        made.communication_s += transposition_s(config, costs);
    }
    made.of_another_algorithm = config->library;
    return made;
}

/* A process's elements of a matrix. */
static int64_t count_own(const struct pdgemm_config *config, int64_t rows, int64_t columns, int rank)
{
    int p = config->rows.processes, q = config->columns.processes;
    const struct block_cyclic r = {rows, config->block, p, 0}, c = {columns, config->block, q, 0};
    return block_cyclic_count(&r, rank / q) * block_cyclic_count(&c, rank % q);
}

/* The rank's parts of A, B and C, and of B A where that is transposed. */
int64_t pdgemm_memory(const void *data, int rank)
{
    const struct pdgemm_config *config = data;
    int64_t m = config->rows.n, n = config->columns.n, k = config->k;
    bool a = config->aligned && config->form == FORM_AC, b = config->aligned && config->form == FORM_BC;
    if (rank >= config->rows.processes * config->columns.processes)
        return 0;
    int64_t elements = count_own(config, a ? k : m, a ? m : k, rank) + count_own(config, b ? n : k, b ? k : n, rank) +
                       count_own(config, m, n, rank) + (config->swapped ? count_own(config, n, m, rank) : 0);
    return elements * DOUBLE_BYTES;
}
