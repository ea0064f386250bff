/* Notes on a trace: what it lacks, or does not fit, in its analysis and in its replay.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/notes.h"

#include "base/units.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The characters that ranks which are missing in a collective may take in a note. */
enum { MOST_OF_ABSENT = 110 };

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void note_clocks(struct study_run *run, int64_t n_errors)
{
    if (n_errors > 0)
        run_note(run, NOTE_CLOCKS,
                 "by the clocks, %lld wait%s ended before the awaited event began, and count%s as idle",
                 (long long)n_errors, plural(n_errors), n_errors == 1 ? "s" : "");
}

/* Note messages that are not received. In an aborted run that is said already. */
static void note_unreceived(struct study_run *run, const struct unreceived *found)
{
    int64_t count = found->n_messages;
    if (count > 0)
        run_note(run, NOTE_UNRECEIVED,
                 "%lld message%s never received, the first of %lld bytes from rank %d to rank %d with tag %d, sent at "
                 "%.9g s",
                 (long long)count, count == 1 ? " is" : "s are", (long long)found->bytes, found->from, found->to,
                 found->tag, units_seconds(found->at_ps));
}

/* " of A, B and 3 others" */
static void name_functions(char *text, size_t size, const struct record_gap *gaps, int n_gaps)
{
    enum { MOST_NAMED = 3 };
    size_t length = 0;
    for (int i = 0; i < n_gaps && i < MOST_NAMED; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%.32s", i == 0 ? "" : ", ", gaps[i].function);
    if (n_gaps > MOST_NAMED)
        snprintf(text + length, size - length, " and %d other%s", n_gaps - MOST_NAMED, plural(n_gaps - MOST_NAMED));
}

/* How many calls they are; the share of all time is in *share, where it is known. */
static double sum_gaps(double *share, const struct record_info *info, const struct record_gap *gaps, int n_gaps)
{
    double n_calls = 0, time_ps = 0, all_ps = (double)info->end_ps * info->n_ranks;
    for (int i = 0; i < n_gaps; i++) {
        n_calls += (double)gaps[i].n_calls;
        time_ps += (double)gaps[i].time_ps;
    }
    *share = all_ps > 0 ? time_ps / all_ps : 0;
    return n_calls;
}

/* Note unknown calls of a trace. */
static void note_gaps(struct study_run *run, const struct record_info *info, const char *then)
{
    char functions[130];
    double share, n_calls = sum_gaps(&share, info, info->gaps, info->n_gaps);
    name_functions(functions, sizeof functions, info->gaps, info->n_gaps);
    if (n_calls > 0)
        run_note(run, NOTE_GAPS, "not analyzed: %.0f call%s of %s, %.1f %% of the time%s", n_calls,
                 n_calls > 1 ? "s" : "", functions, 100 * share, then);
    if (info->n_threads > 0 || info->n_accelerators > 0)
        run_note(run, NOTE_LOCATIONS,
                 "not analyzed: %lld event%s of %d thread%s and %d accelerator%s besides the ranks; a rank that waits "
                 "for them counts as computing%s",
                 (long long)info->n_passed_over, plural(info->n_passed_over), info->n_threads, plural(info->n_threads),
                 info->n_accelerators, plural(info->n_accelerators), then);
}

/* Note what a replay cannot know, unless it is next to nothing. */
static void note_fixed(struct study_run *run, const struct record_info *info)
{
    char functions[130];
    double share;
    sum_gaps(&share, info, info->fixed, info->n_fixed);
    name_functions(functions, sizeof functions, info->fixed, info->n_fixed);
    if (share >= 0.01)
        run_note(run, NOTE_FIXED, "taking as long as traced on any platform: %s, %.1f %% of the time", functions,
                 100 * share);
}

static void note_sleep(struct study_run *run, const struct record_info *info)
{
    double share = run_value(run, M_PATH_OFF) / run_time(run);
    if (share >= 0.01)
        run_note(run, NOTE_SLEEP, "taking as long as traced on any platform: sleep%s, %.1f %% of the critical path",
                 info->tells_sleep ? ""
                                   : " (or the load of other programs, which the trace does not distinguish from it)",
                 100 * share);
}

static void note_streams(struct study_run *run, const struct record_info *info)
{
    if (info->first_stream > 0)
        run_note(run, NOTE_STREAMS,
                 "taking as long as traced on any platform: kernels and copies of accelerators, and from their launch "
                 "until they begin");
}

static void note_assumed(struct study_run *run, const struct record_info *info)
{
    if (info->n_assumed > 0)
        run_note(run, NOTE_ASSUMED,
                 "the trace does not name the windows of one-sided communication: the k-th MPI_Win_fence of each rank "
                 "is assumed to match the k-th of the others; such calls: %lld",
                 (long long)info->n_assumed);
}

static void note_unrecorded(struct study_run *run, const struct record_info *info)
{
    if (info->n_unrecorded > 0)
        run_note(run, NOTE_UNRECORDED,
                 "not analyzed: calls by other threads are missing from the trace: %lld; what they sent and received "
                 "is not counted",
                 (long long)info->n_unrecorded);
}

static void note_miscounted(struct study_run *run, const struct record_info *info)
{
    if (info->n_miscounted > 0)
        run_note(run, NOTE_MISCOUNTED,
                 "the trace's definitions give a wrong number of events for %d location%s; all events in the files "
                 "were read",
                 info->n_miscounted, plural(info->n_miscounted));
}

static void note_cut_paths(struct study_run *run, const struct record_info *info)
{
    if (info->n_cut_paths > 0)
        run_note(run, NOTE_CUT_PATHS,
                 "calls whose call path is too deep or one too many, and was recorded only in part: %lld",
                 (long long)info->n_cut_paths);
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

/* Where a rank stands that has not come: "rank 3 waits in MPI_Recv for rank 5 from 3.1 s on". */
static int describe_stand(char *text, size_t size, const struct analysis_stand *stand)
{
    struct analysis_wait wait = {stand->rank, stand->from_ps, stand->peer, stand->what};
    if (!stand->waits)
        return snprintf(text, size, "rank %d is in no call after %.6g s", stand->rank, units_seconds(stand->from_ps));
    describe_wait(text, size, &wait);
    return (int)strlen(text);
}

/* Note the collective in which most ranks hung, and who has not come. */
static void note_hang(struct study_run *run, const struct analysis_hang *hang)
{
    char absent[NOTE_SIZE] = "", stand[72];
    int length = 0, n_named = 0;
    if (hang->what == NULL || hang->n_absent == 0)
        return;
    for (; n_named < hang->n_absent && n_named < ANALYSIS_MOST_ABSENT; n_named++) {
        if (length + describe_stand(stand, sizeof stand, &hang->absent[n_named]) > MOST_OF_ABSENT && n_named > 0)
            break;
        length += snprintf(absent + length, sizeof absent - (size_t)length, "%s%s", n_named > 0 ? ", " : "", stand);
    }
    if (n_named < hang->n_absent)
        snprintf(absent + length, sizeof absent - (size_t)length, ", and %d more", hang->n_absent - n_named);
    run_note(run, NOTE_HANG, "%d of %d ranks wait in %.24s from %.6g s on; not in it: %s", hang->n_in, hang->n_members,
             hang->what, units_seconds(hang->last_ps), absent);
}

static void note_cut(struct study_run *run, const struct analysis_stats *stats)
{
    char wait[100] = "";
    if (stats->n_unfinished > 0)
        describe_wait(wait, sizeof wait, &stats->first_unfinished);
    run_note(run, NOTE_CUT, "the run was aborted: this is how far it got; waits that never ended: %lld%s%s",
             (long long)stats->n_unfinished, wait[0] != '\0' ? "; " : "", wait);
    note_hang(run, &stats->hang);
    if (stats->n_silent > 0)
        run_note(run, NOTE_SILENT,
                 "the trace does not record the end of %d rank%s, which counts as idle: rank %d, after %.6g s",
                 stats->n_silent, plural(stats->n_silent), stats->silent_rank, units_seconds(stats->silent_ps));
}

/* Note that hosts have more ranks than cores: each of them alike, or the one where it is worst. */
static void note_crowded(struct study_run *run, const struct record_info *info)
{
    if (info->n_host_cores > 0 && info->n_host_ranks > info->n_host_cores)
        run_note(run, NOTE_CROWDED,
                 "traced with %d ranks on %d core%s, taking turns: only time on a processor is computation; messages "
                 "took longer than usual",
                 info->n_host_ranks, info->n_host_cores, info->n_host_cores == 1 ? "" : "s");
}

/* The part of the trace, in words: "1 s to 2 s of 10 s, ranks 0-3 of 16". */
static void describe_part(char *text, size_t size, const struct record_part *part)
{
    int length = 0;
    bool is_whole = part->from_ps == 0 && part->to_ps == part->whole_ps && part->ranks != NULL;
    if (part->whole_ps > 0 && !is_whole)
        length = snprintf(text, size, "%.9g s to %.9g s of %.9g s, ", units_seconds(part->from_ps),
                          units_seconds(part->to_ps), units_seconds(part->whole_ps));
    if (part->ranks != NULL && length < (int)size)
        snprintf(text + length, size - (size_t)length, "ranks %.60s of %d, numbered from 0 here", part->ranks,
                 part->n_whole);
    else if (length < (int)size)
        snprintf(text + length, size - (size_t)length, "all ranks");
}

/* `fate`: of messages that are not in the part with both ends. */
static void note_part(struct study_run *run, const struct record_info *info, const char *fate)
{
    char text[160];
    if (info->part == NULL)
        return;
    describe_part(text, sizeof text, info->part);
    if (info->part->n_crossing == 0 && info->part->n_outside == 0)
        run_note(run, NOTE_PART, "a part of the trace: %s", text);
    else
        run_note(run, NOTE_PART, "a part of the trace: %s; messages %s: %lld across its borders, %lld with other ranks",
                 text, fate, (long long)info->part->n_crossing, (long long)info->part->n_outside);
}

/* Recording was off; what was before it went on, and after it went off for good, is not in the trace at all. */
static void note_off(struct study_run *run, const struct record_info *info)
{
    if (info->off_percent > 0)
        run_note(run, NOTE_OFF,
                 "recording was off for %.3g %% of the program's time (MPI_Pcontrol, EPPA_START, EPPA_STOP)",
                 info->off_percent);
    else if (info->n_off > 0 && info->keep == NULL)
        run_note(run, NOTE_OFF, "recording was off meanwhile: %lld times, of all ranks together",
                 (long long)info->n_off);
}

/* Time that no rank recorded is in no figure. */
static void note_hole(struct study_run *run, const struct record_info *info)
{
    int64_t rest_ps = info->part != NULL ? info->part->whole_ps : info->end_ps;
    double hole_s = units_seconds(info->hole_ps), whole_s = hole_s + units_seconds(rest_ps);
    if (info->hole_ps > 0)
        run_note(run, NOTE_HOLE, "not recorded: %.4g s of %.4g s (%.3g %%) between; all figures are without that time",
                 hole_s, whole_s, 100 * hole_s / whole_s);
}

/* The ranks that kept the least and the most of their time. */
static void find_kept(const struct record_info *info, double percent[2], int ranks[2])
{
    for (int rank = 0; rank < info->n_ranks; rank++) {
        const struct record_processor *processor = &info->processors[rank];
        double kept = processor->run_ps > 0 ? 100 - 100 * (double)processor->lost_ps / (double)processor->run_ps : 100;
        if (rank == 0 || kept < percent[0])
            percent[0] = kept, ranks[0] = rank;
        if (rank == 0 || kept > percent[1])
            percent[1] = kept, ranks[1] = rank;
    }
}

/* Only a part of the run is in the trace. */
static void note_kept(struct study_run *run, const struct record_info *info)
{
    char shares[80] = "", alone[160] = "";
    double percent[2] = {0};
    int ranks[2] = {0};
    if (info->keep == NULL)
        return;
    if (info->processors != NULL) {
        find_kept(info, percent, ranks);
        snprintf(shares, sizeof shares, ": %.3g %% of the time of rank %d to %.3g %% of rank %d", percent[0], ranks[0],
                 percent[1], ranks[1]);
    }
    if (info->n_alone_messages > 0 || info->n_alone_collectives > 0)
        snprintf(
            alone, sizeof alone,
            "; left out, since the other side was not kept: %lld of the sends and receives, %lld of the collectives",
            (long long)info->n_alone_messages, (long long)info->n_alone_collectives);
    run_note(run, NOTE_KEPT, "EPPA_KEEP kept a part of the run (%s)%s%s", info->keep, shares, alone);
}

void notes_on_analysis(struct study_run *run, const struct record_info *info, const struct analysis_stats *stats)
{
    note_hole(run, info);
    note_part(run, info, "not counted");
    note_off(run, info);
    note_kept(run, info);
    note_clocks(run, stats->clock_errors);
    note_crowded(run, info);
    note_assumed(run, info);
    note_gaps(run, info, "");
    note_unrecorded(run, info);
    note_miscounted(run, info);
    note_cut_paths(run, info);
    if (info->is_cut)
        note_cut(run, stats);
    else
        note_unreceived(run, &stats->unreceived);
}
/* --- replays --- */

/* Note that a rank's messages were on its own wire at the same time, where that may matter. */
static void note_wires(struct study_run *run, const struct kernel_stats *stats)
{
    double share = stats->wire_ps > 0 ? (double)stats->shared_wire_ps / (double)stats->wire_ps : 0;
    if (share >= 0.01)
        run_note(run, NOTE_WIRES,
                 "on network quiet, messages of a rank do not wait for each other on its own wire: they share it for "
                 "%.0f %% "
                 "of their time on wires; networks loggp, fifo and fluid make them wait",
                 100 * share);
}

/* Note how the order of messages differs from the traced one, where receives were from any source. `time_ps`: of all
 * ranks together. */
static void note_sources(struct study_run *run, const struct first_come_stats *stats, double time_ps)
{
    char share[64] = "";
    run_note(run, NOTE_ANY_SOURCE,
             "receives that were from any source: %lld; they take the messages of the traced run, %s",
             (long long)stats->n_receives,
             stats->n_others == 0 ? "which come first here, too" : "in its order, even where others come first here");
    if (stats->n_others == 0)
        return;
    if (stats->waits_ps > 0)
        snprintf(share, sizeof share, "; ranks wait for the traced ones %.3g %% of the time",
                 100 * (double)stats->waits_ps / time_ps);
    run_note(run, NOTE_FIRST_COME,
             "by the clock, %lld of these get the message of another rank: first rank %d (event %lld), of rank %d in "
             "place of %d%s",
             (long long)stats->n_others, stats->rank, (long long)stats->position, stats->first, stats->traced, share);
}

void notes_on_replay(struct study_run *run, const struct program *program, const struct kernel_stats *stats)
{
    const struct record_info *info = program->traced;
    if (program->keeps_computation)
        run_note(
            run, NOTE_SPEED,
            "computations take as long as traced, whatever the platform's processors; --set speed=RATE scales them. On "
            "the traced computer, simrun calibrate --speed measures RATE");
    if (program->ignores_speed)
        run_note(run, NOTE_SPEED,
                 "speed has no effect: the trace has the operations of computations, which hosts do at their speed");
    if (info != NULL && info->n_begun > 0)
        run_note(run, NOTE_PROGRESS, "non-blocking collectives go on %s",
                 program->has_progress
                     ? "while their ranks compute; with --set progress=calls they do not"
                     : "only while their ranks do not compute (progress=calls); with progress=always they always do");
    note_wires(run, stats);
    if (program->has_any_source)
        run_note(
            run, NOTE_ANY_SOURCE,
            "receives from any source take the message that comes first in this run, which need not be the one of the "
            "traced run");
    if (program->knows_sources)
        note_sources(run, &stats->first_come, (double)stats->end_ps * info->n_ranks);
    if (info != NULL) {
        note_hole(run, info);
        note_part(run, info, "left out");
        note_off(run, info);
        note_kept(run, info);
        note_crowded(run, info);
        note_assumed(run, info);
        note_gaps(run, info, "; as long as traced");
        note_fixed(run, info);
        note_sleep(run, info);
        note_streams(run, info);
        note_unrecorded(run, info);
    }
    if (info != NULL && info->is_cut)
        run_note(run, NOTE_CUT,
                 "the traced run was aborted: it is replayed as far as it got, without the waits that never ended");
    else
        note_unreceived(run, &stats->unreceived);
}
