/* Reads a trace as its analysis does, or, if it has no times, record by record.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/check_trace.h"

#include "base/message.h"
#include "base/units.h"
#include "trace/analysis/analysis.h"
#include "trace/formats.h"
#include "trace/record/pairs.h"

#include <stdio.h>
#include <stdlib.h>

/* "; as much is so of 2 further receives and 1 send" */
static void say_others(char *text, size_t size, const struct pairs_lone *lone)
{
    int64_t n_receives = lone->n_receives - lone->receives, n_sends = lone->n_sends - !lone->receives;
    const char *and = n_receives > 0 && n_sends > 0 ? " and " : "";
    char receives[48] = "", sends[48] = "";
    text[0] = '\0';
    if (n_receives > 0)
        snprintf(receives, sizeof receives, "%lld more receive%s", (long long)n_receives, n_receives == 1 ? "" : "s");
    if (n_sends > 0)
        snprintf(sends, sizeof sends, "%lld more send%s", (long long)n_sends, n_sends == 1 ? "" : "s");
    if (n_receives + n_sends > 0)
        snprintf(text, size, "; neither have %s%s%s", receives, and, sends);
}

static int fail_lone(const struct record_reader *reader, const char *file, const struct pairs_lone *lone,
                     struct sim_error *error)
{
    const struct record_format *format = reader->format;
    const char *lines = format->file_of != NULL ? format->file_of(reader, lone->rank) : NULL;
    char at[48] = "", others[160], missing[80] = "";
    if (reader->info.has_times)
        snprintf(at, sizeof at, ", %.9f s", units_seconds(lone->start_ps));
    else if (lines == NULL && lone->position > 0)
        snprintf(at, sizeof at, ", operation %lld", (long long)lone->position);
    say_others(others, sizeof others, lone);
    if (reader->info.n_unrecorded > 0)
        snprintf(missing, sizeof missing, "; calls by other threads are missing from the trace: %lld",
                 (long long)reader->info.n_unrecorded);
    return sim_error_set(error, SIM_BAD_INPUT, lines != NULL ? lines : file, lines != NULL ? (long)lone->position : 0,
                         lone->receives ? "rank %d%s: the receive from rank %d with tag %d has no matching send%s%s"
                                        : "rank %d%s: the send to rank %d with tag %d has no matching receive%s%s",
                         lone->rank, at, lone->peer, lone->tag, others, missing);
}

/* The run that was aborted, or whose calls are not all there, may lack the other side. */
static int check_pairs(int64_t *n_records, struct record_reader *reader, const char *file, struct sim_error *error)
{
    struct pairs_lone lone;
    if (pairs_check(&lone, n_records, reader, error) != 0)
        return -1;
    return lone.n_receives + lone.n_sends == 0 ? 0 : fail_lone(reader, file, &lone, error);
}

static int check_with_times(int64_t *n_records, struct record_reader *reader, const char *file, struct sim_error *error)
{
    struct analysis_scopes scopes;
    struct analysis_stats stats;
    analysis_scopes_init(&scopes, &reader->info);
    int status = analysis_run(&stats, reader, file, &scopes, NULL, 0, error);
    analysis_scopes_dispose(&scopes);
    if (status != 0)
        return -1;
    *n_records = stats.records;
    bool is_lone = !reader->info.is_cut && (stats.unreceived.n_messages > 0 || stats.n_unfinished > 0);
    return is_lone ? check_pairs(n_records, reader, file, error) : 0;
}

static int check_open(struct record_reader *reader, const char *file, struct sim_error *error)
{
    int64_t n_records = 0;
    int n_ranks = reader->info.n_ranks;
    if (n_ranks < 1)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is an empty trace: it has no ranks");
    if ((reader->info.has_times ? check_with_times : check_pairs)(&n_records, reader, file, error) != 0)
        return -1;
    char *name = message_clean(file);
    printf("%s: ok, %d rank%s, %lld record%s%s\n", name, n_ranks, n_ranks == 1 ? "" : "s", (long long)n_records,
           n_records == 1 ? "" : "s", reader->info.has_times ? "" : "; only a replay shows whether it deadlocks");
    free(name);
    return 0;
}

int check_trace(const char *file, struct sim_error *error)
{
    struct record_reader reader;
    if (record_open(&reader, file, error) != 0)
        return -1;
    int status = check_open(&reader, file, error);
    record_close(&reader);
    return status;
}
