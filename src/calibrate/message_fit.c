#include "calibrate/message_fit.h"

#include "base/memory.h"
#include "calibrate/least_squares.h"

#include <math.h>
#include <stdlib.h>

/* The model: latencies * latency + bytes / rate, besides the overheads. */
struct crossing {
    double latencies, bytes;
};

static struct crossing crossing_of(const struct message_facts *facts, int64_t bytes)
{
    if (bytes <= facts->eager_limit)
        return (struct crossing){1, (double)bytes};
    return (struct crossing){3, (double)bytes + 2 * (double)facts->control_bytes};
}

double message_fit_predict(const struct message_fit *fit, const struct message_facts *facts, int64_t bytes)
{
    struct crossing crossing = crossing_of(facts, bytes);
    return fit->send_s + fit->receive_s + crossing.latencies * fit->latency_s + crossing.bytes / fit->rate_Bps;
}

/* 0 if latency and rate are positive. */
static int solve(struct message_fit *fit, const struct message_sample *samples, int n_samples,
                 const struct message_facts *facts)
{
    double solution[2] = {0, 0};
    double *rows = xmalloc((size_t)n_samples * 2 * sizeof *rows), *right = xmalloc((size_t)n_samples * sizeof *right);
    for (int s = 0; s < n_samples; s++) {
        struct crossing crossing = crossing_of(facts, samples[s].bytes);
        rows[2 * s] = crossing.latencies / samples[s].half_s;
        rows[2 * s + 1] = crossing.bytes / samples[s].half_s;
        right[s] = 1 - (fit->send_s + fit->receive_s) / samples[s].half_s;
    }
    int status = least_squares(solution, rows, right, n_samples, 2);
    free(rows);
    free(right);
    if (status != 0 || !(solution[0] > 0) || !(solution[1] > 0))
        return -1;
    fit->latency_s = solution[0];
    fit->rate_Bps = 1 / solution[1];
    return 0;
}

int message_fit(struct message_fit *fit, const struct message_sample *samples, int n_samples,
                const struct message_facts *facts, struct sim_error *error)
{
    struct message_fit trial = {.send_s = facts->send_s, .receive_s = facts->receive_s, .n_samples = n_samples};
    if (solve(&trial, samples, n_samples, facts) != 0) {
        trial.send_s = trial.receive_s = 0; /* they are in the latency then */
        if (solve(&trial, samples, n_samples, facts) != 0)
            return sim_error_set(error, SIM_UNFINISHED, NULL, 0,
                                 "no positive latency and bandwidth fit the measured messages");
    }
    for (int s = 0; s < n_samples; s++)
        trial.residual +=
            fabs(message_fit_predict(&trial, facts, samples[s].bytes) / samples[s].half_s - 1) / n_samples;
    *fit = trial;
    return 0;
}
