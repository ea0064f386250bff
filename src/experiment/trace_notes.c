/* Notes on traced runs: aborted ones, clocks that disagree, calls that were not recorded. */
#include "experiment/trace_notes.h"

#include "base/units.h"

#include <stdio.h>

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void note_clocks(struct study_run *run, int64_t n_errors)
{
    if (n_errors > 0)
        snprintf(run->notes[NOTE_CLOCKS], NOTE_SIZE,
                 "by the clocks, %lld wait%s ended before what it was for had begun, and count%s as idle",
                 (long long)n_errors, plural(n_errors), n_errors == 1 ? "s" : "");
}

/* What is missing is said of an aborted run already. */
static void note_unreceived(struct study_run *run, const struct unreceived *found)
{
    int64_t count = found->n_messages;
    if (count > 0)
        snprintf(run->notes[NOTE_UNRECEIVED], NOTE_SIZE,
                 "%lld message%s never received, the first of %lld bytes from rank %d to rank %d under tag %d, sent at "
                 "%.9g s",
                 (long long)count, count == 1 ? " is" : "s are", (long long)found->bytes, found->from, found->to,
                 found->tag, units_seconds(found->at_ps));
}

static void note_unrecorded(struct study_run *run, const struct record_info *info)
{
    if (info->n_unrecorded > 0)
        snprintf(run->notes[NOTE_UNRECORDED], NOTE_SIZE,
                 "calls of other threads are missing from the trace: %lld; what they sent and received is not counted",
                 (long long)info->n_unrecorded);
}

/* Where an aborted run's first rank waited, in a call or for a rank. */
static void describe_wait(char *text, size_t size, const struct analysis_wait *wait)
{
    char call[32] = "", peer[24] = "";
    if (wait->what != NULL)
        snprintf(call, sizeof call, " in %.24s", wait->what);
    if (wait->peer >= 0)
        snprintf(peer, sizeof peer, " for rank %d", wait->peer);
    snprintf(text, size, "rank %d waits%s%s from %.6g s on", wait->rank, call, peer, units_seconds(wait->from_ps));
}

static void note_cut(struct study_run *run, const struct analysis_stats *stats)
{
    char wait[100] = "";
    if (stats->n_unfinished > 0)
        describe_wait(wait, sizeof wait, &stats->first_unfinished);
    snprintf(run->notes[NOTE_CUT], NOTE_SIZE,
             "the run was aborted: this is how far it got; waits for what never came: %lld%s%s",
             (long long)stats->n_unfinished, wait[0] != '\0' ? "; " : "", wait);
    if (stats->n_silent > 0)
        snprintf(run->notes[NOTE_SILENT], NOTE_SIZE,
                 "the trace says nothing of the end of %d rank%s, which counts as idle: of rank %d after %.6g s",
                 stats->n_silent, plural(stats->n_silent), stats->silent_rank, units_seconds(stats->silent_ps));
}

void trace_notes_analysed(struct study_run *run, const struct record_info *info, const struct analysis_stats *stats)
{
    note_clocks(run, stats->clock_errors);
    note_unrecorded(run, info);
    if (info->is_cut)
        note_cut(run, stats);
    else
        note_unreceived(run, &stats->unreceived);
}

void trace_notes_simulated(struct study_run *run, const struct record_info *info, const struct kernel_stats *stats)
{
    if (info != NULL)
        note_unrecorded(run, info);
    if (info != NULL && info->is_cut)
        snprintf(run->notes[NOTE_CUT], NOTE_SIZE,
                 "the trace is of a run that was aborted: it is replayed as far as it got, up to what never came");
    else
        note_unreceived(run, &stats->unreceived);
}
