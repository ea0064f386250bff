/* How busy links are in the course of time: of the run whose details are shown, the links that are busy longest.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/sort.h"

#include <stdlib.h>

enum { MOST_PARTS = 8, MOST_LINKS = 10 };

/* A link, by its place among those with bins. */
struct load {
    size_t i;
    int64_t busy_ps;
};

static int by_busy(const void *a, const void *b)
{
    const struct load *left = a, *right = b;
    if (left->busy_ps != right->busy_ps)
        return left->busy_ps > right->busy_ps ? -1 : 1;
    return left->i < right->i ? -1 : left->i > right->i;
}

static int64_t busy_in(const struct result_bins *bins, size_t i, size_t first, size_t end)
{
    int64_t busy_ps = 0;
    for (size_t bin = first; bin < end; bin++)
        busy_ps += bins->busy_ps[i * bins->n_bins + bin];
    return busy_ps;
}

/* The busiest first; to be freed. */
static struct load *rank_links(const struct result_bins *bins)
{
    struct load *loads = xmalloc(bins->n_links * sizeof *loads);
    for (size_t i = 0; i < bins->n_links; i++)
        loads[i] = (struct load){i, busy_in(bins, i, 0, bins->n_bins)};
    sort_stable(loads, bins->n_links, sizeof *loads, by_busy);
    return loads;
}

/* Parts of the run are so many bins each, and called by when they begin; the last one ends with the run. */
static void add_head(struct table *table, const struct result_bins *bins, size_t each, const struct scale *scale)
{
    table_column(table, (struct column){.id = "link", .unit = UNIT_TEXT});
    for (size_t first = 0; first < bins->n_bins; first += each) {
        double from = scale->factor * (double)first * (double)bins->bin_ps / 1e12;
        table_column(table, (struct column){.id = document_format(table->document, "%.*f", scale->decimals, from),
                                            .unit = UNIT_SHARE});
    }
}

static void add_link(struct table *table, const struct study_run *run, size_t i, size_t each)
{
    const struct result_bins *bins = &run->result.link_bins;
    size_t n_links;
    const struct links_row *links = result_links(&run->result, &n_links);
    const double end_ps = run_time(run) * 1e12;
    table_cell(table, cell_of_text(links[bins->link[i]].link));
    for (size_t first = 0; first < bins->n_bins; first += each) {
        size_t end = first + each < bins->n_bins ? first + each : bins->n_bins;
        double from_ps = (double)first * (double)bins->bin_ps, to_ps = (double)end * (double)bins->bin_ps;
        double length_ps = (to_ps < end_ps ? to_ps : end_ps) - from_ps;
        int64_t busy_ps = busy_in(bins, i, first, end);
        table_cell(table, cell_shown(cell_of_real((double)busy_ps / length_ps), busy_ps == 0 ? "." : NULL));
    }
}

void section_link_times(struct document *document, const struct study *study, const struct study_run *run)
{
    const struct result_bins *bins = &run->result.link_bins;
    if (bins->n_links == 0 || bins->n_bins < 2)
        return;
    size_t n_shown = study->verbose ? bins->n_links : size_min(bins->n_links, MOST_LINKS);
    size_t each = (bins->n_bins - 1) / MOST_PARTS + 1;
    struct load *loads = rank_links(bins);
    const struct scale scale = scale_for(UNIT_SECONDS, run_time(run));
    struct builder title = {0};
    builder_add(&title, "Links over time (busy, by the beginning of each part [%s]), ", scale.name);
    study_name_run(&title, study, run);
    if (n_shown < bins->n_links)
        builder_add(&title, " (the largest %zu of %zu; all: -v)", n_shown, bins->n_links);
    struct table *table =
        document_table(document, "link_times", document_own(document, builder_take(&title)), FOR_READERS);
    table->chart = CHART_HEATMAP;
    add_head(table, bins, each, &scale);
    for (size_t i = 0; i < n_shown; i++)
        add_link(table, run, loads[i].i, each);
    free(loads);
}
