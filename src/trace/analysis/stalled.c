/* When no rank can go on: who is let go, whose wait ends without what it was for, or who is to blame. */
#include "trace/analysis/internal.h"

static int first_stalled(const struct analysis *analysis)
{
    int first = -1;
    for (int rank = 0; rank < analysis->n_ranks; rank++) {
        const struct location *location = &analysis->locations[rank];
        if (location->status == LOCATION_STALLED &&
            (first < 0 || location->record.start_ps < analysis->locations[first].record.start_ps))
            first = rank;
    }
    return first;
}

static int awaited(const struct analysis *analysis, int rank)
{
    bool collective = analysis->locations[rank].record.kind == RECORD_COLLECTIVE;
    return collective ? collective_awaited(analysis, rank) : message_awaited(analysis, rank);
}

/* The rank at whose end all the waiting begins: follow from one to the one it waits for. */
static int blame(struct analysis *analysis, int rank)
{
    for (int steps = 0; steps < analysis->n_ranks; steps++) {
        int next = awaited(analysis, rank);
        if (analysis->locations[next].status != LOCATION_STALLED)
            break;
        rank = next;
    }
    return analysis->locations[rank].record.kind == RECORD_COLLECTIVE ? collective_blame(analysis, rank)
                                                                      : message_blame(analysis, rank);
}

/* Let those go on whose waiting only the trace says; whether there are any. */
static bool let_go(struct analysis *analysis)
{
    bool any = false;
    for (int rank = 0; rank < analysis->n_ranks; rank++) {
        struct location *location = &analysis->locations[rank];
        location->first_waiter = -1; /* they all are let go */
        if (location->status == LOCATION_STALLED &&
            (location->record.kind == RECORD_SLEEP || message_may_go_on(analysis, rank))) {
            analysis_wake(analysis, rank);
            any = true;
        }
    }
    return any;
}

void analysis_count_unfinished(struct analysis *analysis, int rank, int peer, const char *what)
{
    struct analysis_stats *stats = &analysis->stats;
    int64_t from_ps = analysis->locations[rank].record.start_ps;
    if (stats->n_unfinished++ == 0 || from_ps < stats->first_unfinished.from_ps)
        stats->first_unfinished = (struct analysis_wait){rank, from_ps, peer, what};
}

int analysis_resolve(struct analysis *analysis)
{
    const struct record_info *info = &analysis->reader->info;
    bool lenient = info->is_cut || info->n_unrecorded > 0;
    int rank = first_stalled(analysis);
    if (rank >= 0 && let_go(analysis))
        return 0;
    if (rank >= 0 && !lenient)
        return blame(analysis, rank);
    if (rank >= 0) {
        analysis->locations[rank].forced = true;
        analysis_count_unfinished(analysis, rank, awaited(analysis, rank), NULL);
        analysis_wake(analysis, rank);
        return 0;
    }
    messages_count_unreceived(analysis);
    return lenient ? 0 : collectives_check_end(analysis);
}
