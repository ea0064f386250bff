/* Exports to the trace that is written of a run how its links were used.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/trace_links.h"

#include "base/memory.h"
#include "base/range.h"
#include "core/links.h"
#include "metrics/detail.h"

#include <stdlib.h>

uint32_t trace_links_details(const struct trace *trace)
{
    return trace != NULL && trace_has_links(trace) ? DETAIL_BIT(DETAIL_LINKS) : 0;
}

static void export_links(struct trace *trace, const struct result *result)
{
    const struct result_bins *bins = &result->link_bins;
    size_t n_links;
    const struct links_row *links = result_links(result, &n_links);
    double *busy = xcalloc(bins->n_bins + 1, sizeof *busy);
    for (size_t i = 0; i < bins->n_links; i++) {
        for (size_t bin = 0; bin < bins->n_bins; bin++) {
            int64_t left_ps = int64_max(trace->end_ps - (int64_t)bin * bins->bin_ps, 1);
            busy[bin] = (double)bins->busy_ps[i * bins->n_bins + bin] / (double)int64_min(left_ps, bins->bin_ps);
        }
        trace_add_link(trace, &(struct trace_link){links[bins->link[i]].link, bins->bin_ps, bins->n_bins, busy});
    }
    free(busy);
}

void trace_links_export(struct trace *trace, struct result *result, uint32_t asked)
{
    if (trace_links_details(trace) == 0)
        return;
    export_links(trace, result);
    if ((asked & DETAIL_BIT(DETAIL_LINKS)) == 0)
        links_forget(result);
}
