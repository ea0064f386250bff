/* Host time and memory as measures.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/host.h"

#include "base/units.h"
#include "study/models/observations.h"

bool host_is_meant(const char *measures)
{
    return observations_mean(measures, "host");
}

int host_add(struct study *study, struct sim_error *error)
{
    int n_known = 0;
    for (int i = 0; i < study->n_runs; i++) {
        struct study_run *run = &study->runs[i];
        if (run_is_discarded(run) || run->peak_rss_bytes == 0)
            continue;
        n_known++;
        result_add_time(&run->result, "host", "wall_s", (wide_int)(run->wall_s * PS_PER_S));
        result_add_count(&run->result, "host", "events", run->events);
        result_add_count(&run->result, "host", "peak_rss_bytes", run->peak_rss_bytes);
    }
    if (n_known > 0)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "model: the cost of simulating is known only for runs that are simulated now: for a scenario, "
                         "not for a store or traces");
}
