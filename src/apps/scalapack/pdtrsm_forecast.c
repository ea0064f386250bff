/* The time of pdtrsm by the formulas of its paper, and the memory that it needs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/pdtrsm_internal.h"
#include "sim/machine/predict.h"

static double kernel_s(const struct forecast_costs *costs, int kernel, int64_t m, int64_t n, int64_t k)
{
    return m == 0 || n == 0 ? 0 : predict_time_best(&costs->kernels[kernel], (int)m, (int)n, (int)k);
}

static double message_s(const struct forecast_costs *costs, int64_t elements)
{
    return forecast_message_s(costs, (double)(elements * DOUBLE_BYTES));
}

/* Equations 6 and 7, of whole blocks, R cut down to m or n where these are smaller. P is the number of lines and Q that
 * of their places. Where a line has one place there is no right neighbor, hence no T_broadcast; nor is there a T_send
 * (eq. 5) where nothing is left to be sent. The equations as printed have both: unreceived_s.
 *
 * They leave out the idle times of the ring (as the paper says itself): the last block's way round it, which the next
 * call may have to wait for. They take a message's wire to be free, while the right neighbor's may still carry the
 * block that it passes on, and take the rest of an update to be hidden, which it is not where n is large and P
 * small.
 *
 * Serial is to solve for the diagonal blocks: all others wait for each solved block. */
struct forecast pdtrsm_forecast(const void *data, const struct forecast_costs *costs)
{
    const struct pdtrsm_config *config = data;
    int64_t n_ahead = config->lines.processes - 1, n_places = config->places.processes;
    int64_t rows = int64_min(config->block, config->m), r = int64_min(config->block, config->places.n);
    double trsm_s = kernel_s(costs, KERNEL_DTRSM, trsm_sides_of_work(&config->call, rows, r), r, 0);
    double broadcast_s = message_s(costs, rows * r);
    struct forecast call = {.computation_s = 0};
    for (int64_t solved = 1; solved <= config->n_blocks; solved++) {
        int64_t blocks = ceil_div(config->n_blocks - solved, n_places);
        int64_t columns = r * (n_ahead == 0 ? blocks : int64_min(n_ahead, blocks));
        call.computation_s += trsm_s + kernel_s(costs, KERNEL_DGEMM, rows, columns, r);
        *(n_places == 1 ? &call.unreceived_s : &call.communication_s) += broadcast_s;
        if (n_ahead > 0) {
            call.computation_s += kernel_s(costs, KERNEL_MATADD, rows, columns, 0);
            *(columns == 0 ? &call.unreceived_s : &call.communication_s) += message_s(costs, rows * columns);
        }
    }
    double n_calls = config->vanishes ? 0 : (double)config->n_calls;
    return (struct forecast){.computation_s = n_calls * call.computation_s,
                             .communication_s = n_calls * call.communication_s,
                             .serial_s = n_calls * (double)config->n_blocks * trsm_s,
                             .unreceived_s = n_calls * call.unreceived_s,
                             .of_another_algorithm = config->library};
}

/* The rank's parts of A and of B, which X takes the place of. B is m x n with A on the right, n x m on the left. */
int64_t pdtrsm_memory(const void *data, int rank)
{
    const struct pdtrsm_config *config = data;
    const int *count = config->call.count;
    int own[] = {rank / count[1], rank % count[1]};
    int64_t a = 1, b = 1;
    if (own[0] >= count[0])
        return 0;
    for (int d = 0; d < 2; d++) {
        const struct block_cyclic n = {config->call.n, config->block, count[d], 0};
        const struct block_cyclic m = {config->call.m, config->block, count[d], 0};
        a *= block_cyclic_count(&n, own[d]);
        b *= block_cyclic_count(d == config->call.side ? &n : &m, own[d]);
    }
    return (a + b) * DOUBLE_BYTES;
}
