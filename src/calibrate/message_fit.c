/* Fits latency, bandwidth and the length of control messages to round trips, and finds the eager limit's jump.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/message_fit.h"

#include "base/memory.h"
#include "model/least_squares.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define MIN_JUMP 1.15         /* times what the greater length accounts for at most */
#define MIN_JUMP_BYTES 256    /* below, times are as short as their disturbances */
#define MAX_JUMP_BYTES 262144 /* beyond, libraries have no eager limit; Open MPI's longest default is 64 KiB, for TCP */

enum { LATENCY, BYTE, CONTROL, N_UNKNOWNS };

static bool is_rendezvous(int64_t bytes, int64_t eager_limit)
{
    return bytes > eager_limit;
}

double message_fit_predict(const struct message_fit *fit, int64_t bytes)
{
    bool rendezvous = is_rendezvous(bytes, fit->eager_limit);
    return fit->send_s + fit->receive_s + (rendezvous ? 3 : 1) * fit->latency_s +
           ((double)bytes + (rendezvous ? 2 * fit->control_bytes : 0)) / fit->rate_Bps;
}

static void set_row(double *row, int n_unknowns, const struct message_sample *sample, int64_t eager_limit)
{
    bool rendezvous = is_rendezvous(sample->bytes, eager_limit);
    row[LATENCY] = (rendezvous ? 3 : 1) / sample->half_s;
    row[BYTE] = (double)sample->bytes / sample->half_s;
    if (n_unknowns > CONTROL)
        row[CONTROL] = rendezvous / sample->half_s;
}

/* With the first n_unknowns of the unknowns; the others are 0. 0 if what comes out is positive. */
static int solve(struct message_fit *fit, const struct message_sample *samples, int n_unknowns)
{
    double solution[N_UNKNOWNS] = {0};
    size_t n = (size_t)fit->n_samples;
    double *rows = xmalloc(n * N_UNKNOWNS * sizeof *rows), *right = xmalloc(n * sizeof *right);
    for (int s = 0; s < fit->n_samples; s++) {
        set_row(rows + s * n_unknowns, n_unknowns, &samples[s], fit->eager_limit);
        right[s] = 1 - (fit->send_s + fit->receive_s) / samples[s].half_s;
    }
    int status = least_squares(solution, rows, right, fit->n_samples, n_unknowns);
    free(rows);
    free(right);
    if (status != 0 || !(solution[LATENCY] > 0) || !(solution[BYTE] > 0) || solution[CONTROL] < 0)
        return -1;
    fit->latency_s = solution[LATENCY];
    fit->rate_Bps = 1 / solution[BYTE];
    fit->control_bytes = solution[CONTROL] / solution[BYTE] / 2;
    return 0;
}

/* The fullest model whose numbers are all positive: overheads that leave no latency are left in it. */
static int solve_any(struct message_fit *fit, const struct message_sample *samples)
{
    for (int n_unknowns = N_UNKNOWNS; n_unknowns >= CONTROL; n_unknowns--)
        if (solve(fit, samples, n_unknowns) == 0)
            return 0;
    return -1;
}

int message_fit(struct message_fit *fit, const struct message_sample *samples, int n_samples,
                const struct message_facts *facts, struct sim_error *error)
{
    struct message_fit trial = {.send_s = facts->send_s,
                                .receive_s = facts->receive_s,
                                .eager_limit = facts->eager_limit,
                                .n_samples = n_samples};
    if (solve_any(&trial, samples) != 0) {
        trial.send_s = trial.receive_s = 0;
        if (solve_any(&trial, samples) != 0)
            return sim_error_set(error, SIM_UNFINISHED, NULL, 0,
                                 "no positive latency and bandwidth fit the measured messages");
    }
    for (int s = 0; s < n_samples; s++)
        trial.residual += fabs(message_fit_predict(&trial, samples[s].bytes) / samples[s].half_s - 1) / n_samples;
    *fit = trial;
    return 0;
}

int message_find_jump(const struct message_sample *samples, int n_samples)
{
    int found = -1;
    double greatest = MIN_JUMP;
    for (int s = 0; s + 1 < n_samples; s++) {
        double longer = (double)samples[s + 1].bytes / (double)samples[s].bytes;
        double jump = samples[s + 1].half_s / samples[s].half_s / longer;
        if (samples[s].bytes >= MIN_JUMP_BYTES && samples[s].bytes < MAX_JUMP_BYTES && jump > greatest) {
            greatest = jump;
            found = s;
        }
    }
    return found;
}
