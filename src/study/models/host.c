/* Host time and memory as measures. */
#include "study/models/host.h"

#include "base/units.h"
#include "study/models/observations.h"

bool host_is_meant(const char *measures)
{
    return observations_mean(measures, "host");
}

/* Runs that were not simulated have taken nothing. */
void host_add(struct study *study)
{
    for (int i = 0; i < study->n_runs; i++) {
        struct study_run *run = &study->runs[i];
        if (run_is_discarded(run))
            continue;
        result_add_time(&run->result, "host", "wall_s", (wide_int)(run->wall_s * PS_PER_S));
        result_add_count(&run->result, "host", "events", run->events);
        result_add_count(&run->result, "host", "peak_rss_bytes", run->peak_rss_bytes);
    }
}
