/* Before a trace is analyzed: which options and traces do not go together, and the sequential time to compare with.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/analyse.h"
#include "simrun/analyse_parts.h"

#include "trace/formats.h"
#include "trace/part/part.h"
#include "trace/trace.h"

int analyse_check_options(const char *file, const struct options *options, struct sim_error *error)
{
    if (options->n_settings > 0)
        return sim_error_set(
            error, SIM_BAD_INPUT, file, 0,
            "--set and --network apply to simulations; --platform FILE replays the trace on a machine");
    if (options->placement != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "--placement needs a simulation; --platform FILE replays the trace on a machine");
    if (options->what_if != 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "--what-if needs a simulation; --platform FILE replays the trace on a machine");
    if (part_is_asked(&options->part) && (options_has(options, OPTION_BASELINE) || options->store != NULL))
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "--%s is about whole runs, and does not go with --from, --to and --ranks",
                             options->store != NULL ? "store" : "baseline");
    if (options->trace != NULL) {
        const struct trace_format *format = trace_format_of(options->trace, error);
        if (format == NULL)
            return -1;
        if (format->of_program)
            return sim_error_set(error, SIM_BAD_INPUT, options->trace, 0,
                                 "a %s file describes a program, not the events of a run; with --platform FILE, "
                                 "--trace makes one from a trace",
                                 format->extension);
    }
    return 0;
}

int analyse_check_info(const char *file, const struct record_info *info, struct sim_error *error)
{
    if (info->n_ranks < 1)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is an empty trace: it has no ranks");
    if (info->has_times)
        return 0;
    return sim_error_set(
        error, SIM_BAD_INPUT, file, 0,
        "is a trace without times, so there is nothing to analyze; --platform FILE replays it on a machine");
}

static int check_stats(const char *file, const struct analysis_stats *stats, struct sim_error *error)
{
    if (stats->records > 0)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is an empty trace: none of its ranks does anything");
}

static int measure_baseline(int64_t *sequential_ps, struct record_reader *reader, const char *file,
                            struct sim_error *error)
{
    struct analysis_scopes scopes;
    struct analysis_stats stats;
    if (analyse_check_info(file, &reader->info, error) != 0)
        return -1;
    if (reader->info.is_cut)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "--baseline needs a trace of a whole run; this one was aborted");
    if (reader->info.n_ranks != 1)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "--baseline needs a trace of the same problem on one rank; this one has %d",
                             reader->info.n_ranks);
    analysis_scopes_init(&scopes, &reader->info);
    int status = analysis_run(&stats, reader, file, &scopes, NULL, 0, error);
    analysis_scopes_dispose(&scopes);
    if (status == 0)
        status = check_stats(file, &stats, error);
    if (status == 0)
        *sequential_ps = stats.end_ps;
    return status;
}

int analyse_sequential(int64_t *sequential_ps, const struct options *options, struct sim_error *error)
{
    struct record_reader reader;
    *sequential_ps = options->sequential_ps;
    if (options->baseline == NULL)
        return 0;
    if (record_open(&reader, options->baseline, error) != 0)
        return -1;
    int status = measure_baseline(sequential_ps, &reader, options->baseline, error);
    record_close(&reader);
    return status;
}
