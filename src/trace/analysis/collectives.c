/* Collectives of a trace: the k-th call of a member of a group is part of the group's k-th collective.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/internal.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t root, others; /* what the end of the root (of one without: all), of the others depends on */
    bool root_sends, others_send;
    bool has_root;
    uint8_t wait; /* enum wait_state */
} kinds[N_RECORD_COLLECTIVES] = {
    [RECORD_BARRIER] = {"barrier", ON_ALL, ON_ALL, false, false, false, WAIT_BARRIER},
    [RECORD_BROADCAST] = {"broadcast", ON_NOBODY, ON_ROOT, true, false, true, WAIT_LATE_ROOT},
    [RECORD_REDUCE] = {"reduce", ON_ALL, ON_NOBODY, false, true, true, WAIT_EARLY_ROOT},
    [RECORD_ALLREDUCE] = {"allreduce", ON_ALL, ON_ALL, false, false, false, WAIT_N_TO_N},
    [RECORD_SCAN] = {"scan", ON_LOWER, ON_LOWER, false, false, false, WAIT_EARLY_SCAN},
    [RECORD_EXSCAN] = {"exscan", ON_LOWER, ON_LOWER, false, false, false, WAIT_EARLY_SCAN},
    [RECORD_GATHER] = {"gather", ON_ALL, ON_NOBODY, false, true, true, WAIT_EARLY_ROOT},
    [RECORD_ALLGATHER] = {"allgather", ON_ALL, ON_ALL, false, false, false, WAIT_N_TO_N},
    [RECORD_SCATTER] = {"scatter", ON_NOBODY, ON_ROOT, true, false, true, WAIT_LATE_ROOT},
    [RECORD_ALLTOALL] = {"alltoall", ON_ALL, ON_ALL, false, false, false, WAIT_N_TO_N},
    [RECORD_REDUCE_SCATTER] = {"reduce_scatter", ON_ALL, ON_ALL, false, false, false, WAIT_N_TO_N},
    [RECORD_FENCE] = {"fence", ON_ALL, ON_ALL, false, false, false, WAIT_FENCE},
    [RECORD_HANDLE] = {"making or freeing a handle", ON_ALL, ON_ALL, false, false, false, WAIT_CREATE},
    [RECORD_FILE] = {"a call on a file", ON_ALL, ON_ALL, false, false, false, WAIT_FILE},
};

/* The instance of that number, a new one if it is the next. */
static struct instance *reach_instance(struct analysis *analysis, struct group *group, int64_t number, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    if (number < group->first_number + (int64_t)group->n_instances)
        return group_instance(group, number);
    struct instance *instance = group_add_instance(group);
    *instance = (struct instance){
        .collective = record->collective, .root = record->peer, .first_rank = analysis_rank_of(analysis, rank)};
    if (kinds[record->collective].others == ON_LOWER)
        instance->begun = xcalloc((size_t)group->members->n_members, sizeof *instance->begun);
    else
        instance->latest = (struct begun){.at_ps = -1, .checkpoint = message_new(analysis), .rank = -1};
    instance->started = (struct begun){.at_ps = -1, .checkpoint = MAP_NOTHING, .rank = -1};
    return instance;
}

/* --- what a member waits for --- */

static enum dependence dependence_of(const struct instance *instance, int rank)
{
    bool root = !kinds[instance->collective].has_root || rank == instance->root;
    return (enum dependence)(root ? kinds[instance->collective].root : kinds[instance->collective].others);
}

static bool is_ready(const struct group *group, const struct instance *instance, int group_rank, int rank)
{
    switch (dependence_of(instance, rank)) {
    case ON_ROOT:
        return instance->root_begun;
    case ON_ALL:
        return instance->n_begun == group->members->n_members;
    case ON_LOWER:
        return instance->n_prefix > group_rank;
    case ON_NOBODY:
    default:
        return true;
    }
}

static void wake_member(struct analysis *analysis, const struct group *group, const struct instance *instance,
                        int64_t number, int group_rank)
{
    int rank = group->members->members[group_rank];
    for (int i = rank; i < analysis->n_locations; i += analysis->n_ranks) {
        const struct location *location = &analysis->locations[i];
        if (location->status == LOCATION_STALLED && location->record.kind == RECORD_COLLECTIVE &&
            location->number == number && group_of(analysis, &location->record) == group &&
            is_ready(group, instance, group_rank, rank))
            analysis_wake(analysis, i);
    }
}

/* Members that have been missing are there: of a scan, the latest up to each group rank is now known. */
static void advance_prefix(struct analysis *analysis, struct group *group, struct instance *instance, int64_t number)
{
    int n = group->members->n_members;
    while (instance->n_prefix < n && instance->begun[instance->n_prefix].checkpoint != 0) {
        int group_rank = instance->n_prefix++;
        struct begun *begun = instance->begun;
        bool is_latest = group_rank == 0 || begun[group_rank].at_ps >= begun[begun[group_rank - 1].latest].at_ps;
        begun[group_rank].latest = is_latest ? group_rank : begun[group_rank - 1].latest;
        wake_member(analysis, group, instance, number, group_rank);
    }
}

static struct map_key start_key(int location, const struct record *record)
{
    return map_key(location, (int32_t)record->request, 0, 0);
}

void collective_start(struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    uint32_t checkpoint = message_new(analysis);
    analysis->messages[checkpoint].origin_ps = record->start_ps;
    account_checkpoint(analysis, rank, checkpoint, -1);
    map_add(&analysis->starts, start_key(rank, record))->index = checkpoint;
}

/* The member has started before it waits: if it is the last so far that counts, keep its checkpoint. */
static void note_start(struct analysis *analysis, struct instance *instance, int at, bool counts)
{
    const struct record *record = &analysis->locations[at].record;
    struct map_entry *entry = record->was_begun ? map_find(&analysis->starts, start_key(at, record)) : NULL;
    if (entry == NULL)
        return;
    uint32_t checkpoint = entry->index, unused = checkpoint;
    int64_t at_ps = analysis->messages[checkpoint].origin_ps;
    map_remove(&analysis->starts, entry);
    if (counts && at_ps >= instance->started.at_ps) {
        unused = instance->started.checkpoint;
        instance->started =
            (struct begun){.at_ps = at_ps, .checkpoint = checkpoint, .rank = analysis_rank_of(analysis, at)};
    }
    if (unused != MAP_NOTHING)
        message_free(analysis, unused);
}

static void begin_member(struct analysis *analysis, struct group *group, struct instance *instance, int at)
{
    struct location *location = &analysis->locations[at];
    int rank = analysis_rank_of(analysis, at);
    int64_t start_ps = location->record.start_ps;
    bool root = rank == instance->root, was_ready = instance->root_begun;
    bool counts = instance->begun == NULL && (root || kinds[instance->collective].others != ON_ROOT);
    note_start(analysis, instance, at, counts);
    instance->n_begun++;
    if (instance->begun != NULL) { /* a checkpoint is kept as one more than it is, so that 0 is none */
        uint32_t checkpoint = message_new(analysis);
        instance->begun[location->group_rank] =
            (struct begun){.at_ps = start_ps, .checkpoint = checkpoint + 1, .rank = rank};
        account_checkpoint(analysis, at, checkpoint, -1);
        advance_prefix(analysis, group, instance, location->number);
        return;
    }
    instance->root_begun |= root;
    if (counts && start_ps >= instance->latest.at_ps) {
        instance->latest.at_ps = start_ps;
        instance->latest.rank = rank;
        account_checkpoint(analysis, at, instance->latest.checkpoint, -1);
    }
    if (instance->n_begun == group->members->n_members || instance->root_begun != was_ready)
        for (int group_rank = 0; group_rank < group->members->n_members; group_rank++)
            wake_member(analysis, group, instance, location->number, group_rank);
}

/* The latest of those that the member depends on; if there is none: one without a checkpoint. Members of a scan look at
 * the lower ones. */
static struct begun latest_of(const struct instance *instance, int group_rank, int rank)
{
    struct begun latest = {.at_ps = -1, .checkpoint = MAP_NOTHING, .rank = -1};
    if (dependence_of(instance, rank) == ON_NOBODY)
        return latest;
    if (instance->begun == NULL)
        return instance->latest;
    int known = int_min(group_rank, instance->n_prefix); /* less only where the run was aborted */
    if (known > 0) {
        const struct begun *begun = &instance->begun[instance->begun[known - 1].latest];
        latest = (struct begun){.at_ps = begun->at_ps, .checkpoint = begun->checkpoint - 1, .rank = begun->rank};
    }
    return latest;
}

/* --- records --- */

static int check_record(struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    const struct record_info *info = &analysis->reader->info;
    if (record->collective >= N_RECORD_COLLECTIVES)
        return analysis_fail(analysis, rank, "calls a collective of the unknown kind %d", record->collective);
    if (record->group < 0 || record->group >= info->n_groups)
        return analysis_fail(analysis, rank, "calls %s of the unknown communicator %d", kinds[record->collective].name,
                             (int)record->group);
    return 0;
}

int collective_begin(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    const struct record *record = &location->record;
    if (check_record(analysis, rank) != 0)
        return -1;
    struct group *group = group_of(analysis, record);
    if (!group->used && !group_prepare(group, &analysis->reader->info.groups[record->group], analysis->n_ranks))
        return analysis_fail(analysis, rank, "calls %s of communicator %d, whose members are not different ranks",
                             kinds[record->collective].name, (int)record->group);
    location->group_rank = group_rank_of(group, analysis_rank_of(analysis, rank));
    if (location->group_rank < 0)
        return analysis_fail(analysis, rank, "calls %s of communicator %d, but is not a member of it",
                             kinds[record->collective].name, (int)record->group);
    if (kinds[record->collective].has_root && group_rank_of(group, record->peer) < 0)
        return analysis_fail(analysis, rank, "calls %s whose root, rank %d, is not a member of communicator %d",
                             kinds[record->collective].name, (int)record->peer, (int)record->group);
    location->number = group->n_calls[location->group_rank]++;
    struct instance *instance = reach_instance(analysis, group, location->number, rank);
    if (instance->collective != record->collective)
        return analysis_fail(analysis, rank, "calls %s where rank %d calls %s: number %lld of communicator %d",
                             kinds[record->collective].name, instance->first_rank, kinds[instance->collective].name,
                             (long long)location->number + 1, (int)record->group);
    if (kinds[record->collective].has_root && instance->root != record->peer)
        return analysis_fail(analysis, rank,
                             "calls %s with root %d where rank %d has root %d: number %lld of communicator %d",
                             kinds[record->collective].name, (int)record->peer, instance->first_rank,
                             (int)instance->root, (long long)location->number + 1, (int)record->group);
    analysis->stats.n_collectives += !record_synchronises(record->collective);
    begin_member(analysis, group, instance, rank);
    return is_ready(group, group_instance(group, location->number), location->group_rank,
                    analysis_rank_of(analysis, rank));
}

void collective_finish(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    const struct record *record = &location->record;
    struct group *group = group_of(analysis, record);
    struct instance *instance = group_instance(group, location->number);
    int own_rank = analysis_rank_of(analysis, rank);
    bool root = own_rank == instance->root, forced = location->forced;
    bool sends = root ? kinds[record->collective].root_sends : kinds[record->collective].others_send;
    struct begun latest = latest_of(instance, location->group_rank, own_rank);
    if (latest.at_ps > record->end_ps && instance->started.rank >= 0)
        latest = instance->started; /* that was enough: it waits itself only later */
    struct interval interval = {.bytes = record->bytes,
                                .peer = -1,
                                .state = sends ? STATE_SEND : STATE_RECEIVE,
                                .kind = INTERVAL_COMMUNICATE,
                                .is_collective = 1};
    if (record_synchronises(record->collective))
        interval = account_call_interval(record);
    struct interval idle = {.peer = -1,
                            .state = STATE_IDLE,
                            .kind = INTERVAL_COMMUNICATE,
                            .wait = kinds[record->collective].wait,
                            .awaited = forced ? -1 : latest.rank};
    int64_t start_ps = location->now_ps, end_ps = record->end_ps;
    int64_t idle_end_ps = forced ? end_ps : latest.at_ps < start_ps ? start_ps : latest.at_ps;
    if (idle_end_ps > end_ps)
        idle_end_ps = end_ps;
    if (record->idle_ps >= 0)
        idle_end_ps = record->idle_ps < end_ps - start_ps ? start_ps + record->idle_ps : end_ps;
    analysis->stats.clock_errors += !forced && latest.at_ps > end_ps;
    if (forced || latest.at_ps < start_ps || latest.at_ps > end_ps) {
        account_wait(analysis, rank, idle_end_ps, idle);
    } else if (latest.checkpoint != MAP_NOTHING) {
        account(analysis, rank, idle_end_ps, idle);
        interval.cause = CAUSE_CHECKPOINT;
        interval.message = latest.checkpoint;
        interval.origin_ps = latest.at_ps;
    }
    account(analysis, rank, end_ps, interval);
    group_leave(analysis, group, instance);
}

/* --- what does not fit --- */

/* The first member that has not come to the collective in which the rank is stalled. */
int collective_awaited(const struct analysis *analysis, int rank)
{
    const struct location *location = &analysis->locations[rank];
    const struct group *group = group_of(analysis, &location->record);
    const struct instance *instance = group_instance(group, location->number);
    if (dependence_of(instance, analysis_rank_of(analysis, rank)) == ON_ROOT)
        return instance->root;
    for (int group_rank = 0; group_rank < group->members->n_members; group_rank++)
        if (group->n_calls[group_rank] <= location->number)
            return group->members->members[group_rank];
    return rank;
}

const char *collective_name(const struct record *record)
{
    return kinds[record->collective].name;
}

int collective_blame(struct analysis *analysis, int rank)
{
    const struct location *location = &analysis->locations[rank];
    return analysis_fail(analysis, rank, "is in %s, number %lld of communicator %d, to which rank %d never comes",
                         kinds[location->record.collective].name, (long long)location->number + 1,
                         (int)location->record.group, collective_awaited(analysis, rank));
}

int collectives_check_end(struct analysis *analysis)
{
    for (int g = 0; g < 2 * analysis->reader->info.n_groups; g++) {
        const struct group *group = &analysis->groups[g];
        if (!group->used || group->n_instances == 0)
            continue;
        const struct instance *first = &group->instances[group->first];
        int missing = 0;
        while (missing < group->members->n_members - 1 && group->n_calls[missing] > group->first_number)
            missing++;
        return sim_error_set(analysis->error, SIM_BAD_INPUT, analysis->file, 0,
                             "rank %d calls %s, number %lld of communicator %d, to which rank %d never comes",
                             first->first_rank, kinds[first->collective].name, (long long)group->first_number + 1,
                             g / 2, group->members->members[missing]);
    }
    return 0;
}
