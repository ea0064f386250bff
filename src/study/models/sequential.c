/* T_seq of measured runs, from those on one rank.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/sequential.h"

#include "base/memory.h"
#include "base/sort.h"
#include "metrics/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which parameters say nothing of the problem; to be freed. */
static bool *find_ranks(const struct study *study)
{
    int n = study->runs[0].n_parameters;
    bool *is_ranks = xcalloc((size_t)n + 1, sizeof *is_ranks);
    for (int p = 0; p < n; p++)
        is_ranks[p] = study->runs[0].parameters[p].is_label || study_is_ranks(study, p);
    return is_ranks;
}

static bool is_same_problem(const struct study_run *a, const struct study_run *b, const bool *is_ranks)
{
    for (int i = 0; i < a->n_parameters; i++)
        if (!is_ranks[i] && strcmp(a->parameters[i].text, b->parameters[i].text) != 0)
            return false;
    return true;
}

static int by_time(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* The median time of the problem on one rank; 0 if there is no such run. */
static int64_t find_time(const struct study *study, const struct study_run *run, const bool *is_ranks)
{
    int64_t *times = xcalloc((size_t)study->n_runs, sizeof *times), median = 0;
    int n_times = 0;
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *one = &study->runs[i];
        const struct measure *time = result_get(&one->result, M_TIME);
        if (one->ranks == 1 && run_note_text(one, NOTE_CUT)[0] == '\0' && time != NULL &&
            is_same_problem(one, run, is_ranks))
            times[n_times++] = units_clamp(measure_number(time));
    }
    sort_stable(times, (size_t)n_times, sizeof *times, by_time);
    if (n_times > 0)
        median = times[(n_times - 1) / 2] + (times[n_times / 2] - times[(n_times - 1) / 2]) / 2;
    free(times);
    return median;
}

int sequential_find(struct study *study)
{
    int count = 0;
    bool *is_ranks = study->n_runs > 0 ? find_ranks(study) : NULL;
    for (int i = 0; i < study->n_runs; i++) {
        struct study_run *run = &study->runs[i];
        int64_t sequential_ps =
            result_get(&run->result, M_SEQUENTIAL_TIME) == NULL ? find_time(study, run, is_ranks) : 0;
        if (sequential_ps <= 0)
            continue;
        lost_cycles_set_sequential(&run->result, run_all_processors(run), sequential_ps);
        run_remove_note(run, NOTE_SEQUENTIAL_UNKNOWN);
        count++;
    }
    free(is_ranks);
    return count;
}

double sequential_spread(const struct study *study)
{
    double spread = 1;
    bool *none = xcalloc((size_t)study->runs[0].n_parameters + 1, sizeof *none);
    for (int i = 0; i < study->n_runs; i++)
        for (int k = 0; k < study->n_runs; k++)
            if (run_time(&study->runs[k]) > 0 && is_same_problem(&study->runs[i], &study->runs[k], none))
                spread = fmax(spread, run_time(&study->runs[i]) / run_time(&study->runs[k]));
    free(none);
    return spread;
}
