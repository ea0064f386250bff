/* Opens a trace, feeds its intervals to the metrics, and makes the report's run of what they say.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/analyse.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/range.h"
#include "experiment/notes.h"
#include "experiment/run_cache.h"
#include "interval/counters.h"
#include "metrics/metrics.h"
#include "os/host_use.h"
#include "simrun/analyse_parts.h"
#include "simrun/answer.h"
#include "simrun/source.h"
#include "study/sections/runs.h"
#include "trace/analysis/analysis.h"
#include "trace/analysis/repeats.h"
#include "trace/formats.h"
#include "trace/part/cut.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool analyse_is_trace(const char *file)
{
    return record_format_of(file) != NULL;
}

struct analyse {
    const char *file;
    const struct options *options;
    struct record_reader reader;
    struct analysis_scopes scopes;
    struct trace *trace; /* NULL: none is to be written */
    int64_t sequential_ps;
    struct study_run run;
    char name[200];
    struct study_run *into; /* of analyse_run() */
    struct part part;       /* that is analyzed; of no ranks: all */
    struct part_cut *cut;
    struct repeats repeats; /* the iterations that are asked for */
};

static bool is_part(const struct analyse *self)
{
    return self->part.n_ranks > 0;
}

/* The processor time of each rank, from the trace; NULL: it says nothing. To be freed. */
static int64_t *processor_times(const struct record_info *info)
{
    if (info->processors == NULL)
        return NULL;
    int64_t *times_ps = xcalloc((size_t)info->n_ranks, sizeof *times_ps);
    for (int rank = 0; rank < info->n_ranks; rank++)
        times_ps[rank] = info->processors[rank].used_ps;
    return times_ps;
}

/* The run, and then what is asked for of it. */
static struct interval_setup describe(const struct analyse *self, const int64_t *processor_ps, char *const *names)
{
    const struct record_info *info = &self->reader.info;
    struct interval_setup setup = {.n_ranks = info->n_ranks,
                                   .n_locations = record_locations(info),
                                   .n_more_processors = int_max(info->n_processors - 1, 0),
                                   .first_stream = info->first_stream,
                                   .processor_names = (const char *const *)info->processor_names,
                                   .scopes = self->scopes.names,
                                   .n_scopes = self->scopes.count,
                                   .functions = (const char *const *)info->functions,
                                   .n_functions = info->n_functions,
                                   .sites = (const char *const *)info->sites,
                                   .paths = info->paths,
                                   .is_traced = true,
                                   .details = self->options->details |
                                              (self->options->format->most_drawn > 0 ? DETAILS_DRAWN : 0),
                                   .processor_ps = processor_ps,
                                   .nests = self->scopes.nests};
    if (self->scopes.repeats != NULL) {
        setup.iterations = self->repeats.name;
        setup.iteration = &self->repeats.number;
    }
    if (is_part(self))
        part_cut_describe(&setup, &self->part, names);
    return setup;
}

/* If counters are asked for by their name, and there are none. Links, which no trace has, are only in "all". */
static void note_counters(struct analyse *self)
{
    uint32_t details = self->options->details;
    if ((details & DETAIL_BIT(DETAIL_COUNTERS)) == 0 || (details & DETAIL_BIT(DETAIL_LINKS)) != 0 ||
        result_find_table(&self->run.result, TABLE_COUNTERS) != NULL)
        return;
    run_note(&self->run, NOTE_COUNTERS, "%s",
             is_part(self) ? "--detail counters counts whole runs only, not a part"
                           : "--detail counters: the trace has no counters; Score-P records them (SCOREP_METRIC_PAPI)");
}

/* The answers, of the whole run or of the part. */
static void answer(struct analyse *self, const struct metrics *metrics, struct analysis_stats *stats)
{
    struct study_run *run = &self->run;
    struct record_info info = self->reader.info;
    struct part_counts counts = {0};
    int64_t end_ps = stats->end_ps;
    if (is_part(self)) {
        counts = part_cut_end(self->cut, end_ps);
        counts.said.ranks = self->options->part.ranks;
        info.part = &counts.said;
        end_ps = counts.said.to_ps - counts.said.from_ps;
        stats->quantums = counts.quantums;
        stats->message_quantums = counts.message_quantums;
        stats->n_collectives = counts.n_collectives;
    }
    const struct metrics_totals totals = {end_ps, self->sequential_ps};
    metrics_report(metrics, &totals, &run->result);
    analyse_add_counts(&run->result, stats);
    notes_on_analysis(run, &info, stats);
    note_counters(self);
    if (self->options->iterations != NULL)
        notes_on_iterations(run, self->repeats.name);
    if (self->sequential_ps < 0)
        run_note(run, NOTE_SEQUENTIAL_UNKNOWN, "%s", NOTE_TEXT_SEQUENTIAL_UNKNOWN);
    run->events = stats->records;
}

/* Give the intervals to the sinks, those of a part through the one that cuts them. */
static int go_through(struct analyse *self, struct analysis_stats *stats, const struct interval_sink *sinks,
                      int n_sinks, struct sim_error *error)
{
    struct interval_sink cuts = {.take = part_cut_take};
    if (!is_part(self))
        return analysis_run(stats, &self->reader, self->file, &self->scopes, sinks, n_sinks, error);
    cuts.self = self->cut = part_cut_new(&self->part, record_locations(&self->reader.info), sinks, n_sinks);
    return analysis_run(stats, &self->reader, self->file, &self->scopes, &cuts, 1, error);
}

/* Give the intervals to the metrics and, where one is to be written, to the other trace. */
static int measure(struct analyse *self, struct sim_error *error)
{
    struct study_run *run = &self->run;
    int64_t *processor_ps = processor_times(&self->reader.info);
    char **names = is_part(self) ? part_processor_names(&self->part, &self->reader.info) : NULL;
    struct interval_setup setup = describe(self, processor_ps, names);
    struct metrics metrics;
    struct analysis_stats stats;
    double start_s = host_clock_s();
    struct counters counters = {0};
    bool counts = (setup.details & DETAIL_BIT(DETAIL_COUNTERS)) != 0 && !is_part(self);
    int status = counts ? record_count(&self->reader, &counters, error) : 0;
    setup.counters = counts ? &counters : NULL;
    metrics_open(&metrics, &setup);
    struct interval_sink sinks[METRICS_MAX + 1];
    int n_sinks = metrics.count;
    memcpy(sinks, metrics.sinks, (size_t)n_sinks * sizeof *sinks);
    bool copies = self->trace != NULL && self->trace->format->copy != NULL && !is_part(self);
    if (self->trace != NULL && !copies) {
        trace_begin(self->trace, &setup);
        sinks[n_sinks++] = (struct interval_sink){.take = trace_take, .self = self->trace};
    }
    if (status == 0)
        status = go_through(self, &stats, sinks, n_sinks, error);
    if (status == 0 && copies)
        status = trace_copy(self->trace, &self->reader, error);
    if (status == 0)
        answer(self, &metrics, &stats);
    part_cut_free(self->cut);
    self->cut = NULL;
    metrics_close(&metrics);
    free(counters.rows);
    free(processor_ps);
    free(names);
    run->wall_s = host_clock_s() - start_s;
    run->peak_rss_bytes = host_peak_rss_bytes();
    return status;
}

/* Find the part that is asked for, if one is. */
static int find_part(struct analyse *self, struct sim_error *error)
{
    return part_is_asked(&self->options->part) ? part_find(&self->part, &self->reader, &self->options->part, error) : 0;
}

static int make_run(struct analyse *self, struct sim_error *error)
{
    struct study_run *run = &self->run;
    int n_ranks = is_part(self) ? self->part.n_ranks : self->reader.info.n_ranks;
    analyse_name_trace(self->name, sizeof self->name, self->file);
    *run = (struct study_run){.platform = "traced", .network = "real", .is_traced = true, .ranks = n_ranks};
    result_init(&run->result);
    if (measure(self, error) != 0)
        return -1;
    analyse_add_parameters(run, &self->reader.info, n_ranks);
    return 0;
}

static int make_document(struct document *document, void *data, struct sim_error *error)
{
    struct analyse *self = data;
    struct study_run *run = &self->run;
    if (make_run(self, error) != 0)
        return -1;
    if (self->options->store != NULL &&
        run_cache_add_trace(self->options->store, self->file, self->name, self->options->baseline, self->sequential_ps,
                            run, error) != 0)
        return -1;
    const struct study study = {
        .version = SIMRUN_VERSION, .scenario = self->name, .runs = run, .n_runs = 1, .verbose = self->options->verbose};
    runs_document(document, &study);
    return self->options->source != NULL ? source_add(document, run, self->options->source, error) : 0;
}

static int report(void *data, struct sim_error *error)
{
    struct analyse *self = data;
    const struct study_run *run = &self->run;
    int status = answer_output(self->options, make_document, self, error);
    if (status == 0 && self->options->verbose)
        message_print("%lld records in %.3f s, %.1f MB", (long long)run->events, run->wall_s,
                      (double)run->peak_rss_bytes / 1e6);
    analyse_run_dispose(&self->run);
    return status;
}

static int report_and_trace(struct analyse *self, struct sim_error *error)
{
    return answer_traced(&self->trace, self->options, report, self, error);
}

static int give_run(struct analyse *self, struct sim_error *error)
{
    int status = make_run(self, error);
    if (status == 0)
        *self->into = self->run;
    else
        analyse_run_dispose(&self->run);
    return status;
}

/* Find the iterations, if they are asked for; nothing may repeat. */
static int find_iterations(struct analyse *self, struct sim_error *error)
{
    const char *name = self->options->iterations;
    if (name == NULL)
        return 0;
    int status = repeats_find(&self->repeats, &self->reader, *name != '\0' ? name : NULL, error);
    if (status == 1)
        self->scopes.repeats = &self->repeats;
    return status < 0 ? -1 : 0;
}

/* Open the trace and do `what` with it. */
static int with_trace(int (*what)(struct analyse *self, struct sim_error *error), struct study_run *into,
                      const char *file, const struct options *options, struct sim_error *error)
{
    struct analyse self = {.file = file, .options = options, .into = into};
    if (analyse_check_options(file, options, error) != 0 || record_open(&self.reader, file, error) != 0)
        return -1;
    int status = analyse_check_info(file, &self.reader.info, error);
    if (status == 0)
        status = analyse_sequential(&self.sequential_ps, options, error);
    if (status == 0)
        status = find_part(&self, error);
    if (status == 0) {
        analysis_scopes_init(&self.scopes, &self.reader.info);
        status = find_iterations(&self, error);
        if (status == 0)
            status = what(&self, error);
        analysis_scopes_dispose(&self.scopes);
        repeats_dispose(&self.repeats);
        part_dispose(&self.part);
    }
    record_close(&self.reader);
    return status;
}

int analyse_file(const char *file, const struct options *options, struct sim_error *error)
{
    return with_trace(report_and_trace, NULL, file, options, error);
}

int analyse_run(struct study_run *run, const char *file, const struct options *options, struct sim_error *error)
{
    return with_trace(give_run, run, file, options, error);
}

int analyse_plainly(struct study_run *run, const char *file, const struct part_request *part, struct sim_error *error)
{
    struct options options = options_default();
    options.part = *part;
    struct analyse self = {.file = file, .options = &options, .sequential_ps = -1, .into = run};
    const struct record_format *format = record_format_of(file);
    if (format != NULL && format->is_untimed)
        return 0;
    if (record_open(&self.reader, file, error) != 0)
        return -1;
    int status = self.reader.info.has_times;
    if (status == 1 && find_part(&self, error) != 0)
        status = -1;
    if (status == 1) {
        analysis_scopes_init(&self.scopes, &self.reader.info);
        status = give_run(&self, error) == 0 ? 1 : -1;
        analysis_scopes_dispose(&self.scopes);
        part_dispose(&self.part);
    }
    record_close(&self.reader);
    return status;
}
