/* Writes the records of a trace that was read as an OTF2 archive.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/copy.h"

#include "base/memory.h"
#include "interval/interval.h"
#include "trace/otf2/defs.h"
#include "trace/otf2/sizes.h"

#include <stdlib.h>
#include <string.h>

struct copying {
    struct copy *copy;
    struct visit_output *output;
    const struct record_info *info;
    const int *scope_regions;
    struct group_member **by_rank; /* of each group that has been asked for; else NULL */
    int rank;
    struct record next; /* it is written when it is known what follows; its blocks are copied */
    bool has_next;
    bool is_open, is_alone; /* the region of its call is entered; the call has one record */
};

/* --- group ranks --- */

/* The group rank of a rank, or -1. */
static int group_rank_of(struct copying *self, int group, int rank)
{
    if (group == 0)
        return rank;
    if (self->by_rank[group] == NULL)
        self->by_rank[group] = group_sort(&self->info->groups[group]);
    return group_find(self->by_rank[group], self->info->groups[group].n_members, rank);
}

/* --- records that are region visits --- */

/* How each kind is written. An attribute: what its Leave says, if the record has it. */
static const struct {
    uint8_t region, role, message;
} ways[] = {
    [RECORD_COMPUTE] = {REGION_USEFUL, STATE_USEFUL, MESSAGE_NONE},
    [RECORD_SLEEP] = {REGION_IDLE, STATE_IDLE, MESSAGE_NONE},
    [RECORD_SEND] = {REGION_SEND, N_LOCATION_STATES, MESSAGE_SENT},
    [RECORD_RECV] = {REGION_RECV, N_LOCATION_STATES, MESSAGE_RECEIVED},
    [RECORD_ISEND] = {REGION_ISEND, N_LOCATION_STATES, MESSAGE_BEGUN},
    [RECORD_IRECV] = {REGION_IRECV, N_LOCATION_STATES, MESSAGE_POSTED},
    [RECORD_WAIT] = {REGION_WAIT, N_LOCATION_STATES, MESSAGE_ENDED},
    [RECORD_CALL] = {REGION_OTHER, N_LOCATION_STATES, MESSAGE_NONE},
    [RECORD_PROBE] = {REGION_OTHER, N_LOCATION_STATES, MESSAGE_NONE},
};

static const struct {
    uint8_t region, role;
} calls[] = {
    [RECORD_CALL_OTHER] = {REGION_OTHER, N_LOCATION_STATES},
    [RECORD_CALL_INPUT] = {REGION_INPUT, STATE_USEFUL},
    [RECORD_CALL_LIBRARY] = {REGION_LIBRARY, STATE_LIBRARY},
    [RECORD_CALL_START] = {REGION_START, STATE_LIBRARY},
    [RECORD_CALL_READ] = {REGION_READ, STATE_IO},
    [RECORD_CALL_WRITE] = {REGION_WRITE, STATE_IO},
    [RECORD_CALL_OUTPUT] = {REGION_OUTPUT, STATE_USEFUL},
    [RECORD_CALL_SEND] = {REGION_COLLECTIVE_CALL, STATE_SEND},
    [RECORD_CALL_RECEIVE] = {REGION_RECEIVE, STATE_RECEIVE},
    [RECORD_CALL_CONTROL] = {REGION_LINKS, STATE_CONTROL},
    [RECORD_CALL_POLL] = {REGION_OTHER, N_LOCATION_STATES},
    [RECORD_CALL_WAIT] = {REGION_OTHER, N_LOCATION_STATES},
};

static const uint8_t sleeps[N_RECORD_SLEEPS] = {[SLEEP_IDLE] = STATE_IDLE,
                                                [SLEEP_PROCESSOR] = VISIT_RANKS,
                                                [SLEEP_FOREIGN] = VISIT_FOREIGN,
                                                [SLEEP_ASLEEP] = VISIT_ASLEEP,
                                                [SLEEP_OFF] = VISIT_OFF,
                                                [SLEEP_LAUNCH] = VISIT_LAUNCH,
                                                [SLEEP_UNRECORDED] = VISIT_UNRECORDED,
                                                [SLEEP_SERIAL] = VISIT_SERIAL,
                                                [SLEEP_TEAM] = VISIT_TEAM,
                                                [SLEEP_LOCK] = VISIT_THREAD_LOCK};

static void say(struct region_visit *visit, enum visit_attribute attribute, int64_t number)
{
    int i = visit->attributes[0] < N_ATTRIBUTES;
    visit->attributes[i] = (uint8_t)attribute;
    visit->numbers[i] = number;
}

static void say_all(struct region_visit *visit, const struct record *record)
{
    if (record->kind == RECORD_COMPUTE && record->operations > 0)
        say(visit, ATTRIBUTE_OPERATIONS, record->operations);
    if (record->kind == RECORD_COMPUTE && record->quantums > 0)
        say(visit, ATTRIBUTE_QUANTUMS, record->quantums);
    if (record->kind == RECORD_SLEEP && record->sleep == SLEEP_PROCESSOR && record->peer >= 0)
        say(visit, ATTRIBUTE_PEER, record->peer);
    if (record->idle_ps >= 0)
        say(visit, ATTRIBUTE_IDLE, record->idle_ps);
    if (record->kind == RECORD_CALL && record->bytes > 0)
        say(visit, ATTRIBUTE_BYTES, record->bytes);
}

/* A region of MPI_Sendrecv says by itself that it exchanges. */
static void say_price(struct region_visit *visit, const struct record *record)
{
    if (record->exchanges)
        say(visit, ATTRIBUTE_EXCHANGES, 1);
    if (record->combines)
        say(visit, ATTRIBUTE_COMBINES, 1);
}

/* Fill in the message; a message received under a request is put where the request is waited for. */
static void fill_message(struct copying *self, struct region_visit *visit, const struct record *record)
{
    bool ends_receive = record->kind == RECORD_WAIT && record->peer >= 0;
    int group_rank = record->peer >= 0 ? group_rank_of(self, record->group, record->peer) : -1;
    if (record->synchronous)
        visit->region += REGION_SSEND - REGION_SEND;
    if (ends_receive)
        visit->message = MESSAGE_TAKEN_IN;
    visit->from_any = record->from_any;
    bool sends = record->kind == RECORD_SEND || record->kind == RECORD_ISEND;
    visit->at_ps = sends && self->is_alone ? record->start_ps : record->end_ps;
    visit->request = record->request;
    visit->bytes = record->bytes;
    visit->tag = record->tag;
    visit->comm = group_rank >= 0 ? record->group : 0;
    visit->peer = group_rank >= 0 ? group_rank : record->peer;
}

/* With is_inside, the region is entered, and left by others. */
static void write_visit(struct copying *self, const struct record *record, bool is_inside)
{
    struct region_visit visit = {.start_ps = record->start_ps,
                                 .end_ps = record->end_ps,
                                 .region = ways[record->kind].region,
                                 .scope_region = -1,
                                 .role = ways[record->kind].role,
                                 .message = ways[record->kind].message,
                                 .attributes = {N_ATTRIBUTES, N_ATTRIBUTES}};
    if (record->kind == RECORD_COMPUTE && record->control) {
        visit.region = REGION_CONTROL;
        visit.role = STATE_CONTROL;
    } else if (record->kind == RECORD_COMPUTE && record->of_messages) {
        visit.region = REGION_MESSAGES;
        visit.role = VISIT_MESSAGES;
    } else if (record->kind == RECORD_SLEEP && record->peer < 0) {
        visit.role = sleeps[record->sleep];
    } else if (record->kind == RECORD_CALL) {
        visit.region = calls[record->call].region;
        visit.role = calls[record->call].role;
    }
    say_all(&visit, record);
    if (self->is_alone)
        say_price(&visit, record);
    if (visit.message != MESSAGE_NONE)
        fill_message(self, &visit, record);
    if (is_inside)
        visit.region = -1;
    visit_write(self->output, &visit);
}

/* --- regions by name --- */

static int region_of_name(struct copy *copy, const char *name, OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
    size_t i = 0;
    while (i < copy->n_names && (copy->names[i].role != role || copy->names[i].paradigm != paradigm ||
                                 strcmp(copy->names[i].name, name) != 0))
        i++;
    if (i == copy->n_names) {
        copy->names = xgrow(copy->names, copy->n_names, &copy->capacity, sizeof *copy->names);
        copy->names[copy->n_names++] = (struct copy_name){xstrdup(name), role, paradigm};
    }
    return copy->first_region + (int)i;
}

/* The region of the function that the record is of; -1: of none, or its name does not tell what it is for. */
static int function_region(struct copying *self, const struct record *record)
{
    static const OTF2_RegionRole roles[] = {
        [RECORD_CALL_OTHER] = OTF2_REGION_ROLE_RMA,        [RECORD_CALL_LIBRARY] = OTF2_REGION_ROLE_FUNCTION,
        [RECORD_CALL_START] = OTF2_REGION_ROLE_FUNCTION,   [RECORD_CALL_READ] = OTF2_REGION_ROLE_FILE_IO,
        [RECORD_CALL_WRITE] = OTF2_REGION_ROLE_FILE_IO,    [RECORD_CALL_INPUT] = OTF2_REGION_ROLE_FILE_IO,
        [RECORD_CALL_OUTPUT] = OTF2_REGION_ROLE_FILE_IO,   [RECORD_CALL_RECEIVE] = OTF2_REGION_ROLE_FILE_IO,
        [RECORD_CALL_CONTROL] = OTF2_REGION_ROLE_FILE_IO,  [RECORD_CALL_POLL] = OTF2_REGION_ROLE_POINT2POINT,
        [RECORD_CALL_WAIT] = OTF2_REGION_ROLE_POINT2POINT, [RECORD_CALL_CUT] = OTF2_REGION_ROLE_POINT2POINT};
    OTF2_RegionRole role = OTF2_REGION_ROLE_POINT2POINT;
    OTF2_Paradigm paradigm = OTF2_PARADIGM_MPI;
    if (record->function == 0 || record->function >= self->info->n_functions)
        return -1;
    char *name = self->info->functions[record->function];
    if (record->kind == RECORD_CALL) {
        bool is_plain = record->call == RECORD_CALL_INPUT || record->call == RECORD_CALL_OUTPUT;
        role = roles[record->call];
        paradigm = is_plain ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI;
    } else if (record->kind == RECORD_COLLECTIVE && record->collective == RECORD_FENCE) {
        role = OTF2_REGION_ROLE_RMA;
    } else if (record->kind == RECORD_COLLECTIVE && record->collective == RECORD_FILE) {
        role = OTF2_REGION_ROLE_FILE_IO;
    }
    bool is_told = role == OTF2_REGION_ROLE_POINT2POINT || otf_region_make(name, role, paradigm).call == record->call;
    return is_told ? region_of_name(self->copy, name, role, paradigm) : -1;
}

static void say_awaited(struct copying *self, int peer, int tag, int comm)
{
    struct archive_output *archive = &self->output->archive;
    OTF2_AttributeList *list = self->output->list;
    archive_check(archive, OTF2_AttributeList_AddInt32(list, ATTRIBUTE_AWAITED, peer));
    archive_check(archive, OTF2_AttributeList_AddInt32(list, ATTRIBUTE_AWAITED_TAG, tag));
    archive_check(archive, OTF2_AttributeList_AddCommRef(list, ATTRIBUTE_AWAITED_COMM, (OTF2_CommRef)comm));
}

static void write_cut(struct copying *self, const struct record *record)
{
    int region = record->what != NULL
                     ? region_of_name(self->copy, record->what, OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI)
                     : REGION_WAIT;
    region_enter(self->output, record->start_ps, region);
    if (record->peer >= 0)
        say_awaited(self, record->peer, -1, 0);
    region_leave(self->output, record->end_ps, region);
}

/* --- collectives --- */

static void write_blocks(struct copying *self, const struct record *record, int n_members)
{
    for (int i = 0; record->blocks != NULL && i < n_members; i++)
        archive_check(&self->output->archive,
                      OTF2_EvtWriter_ParameterUnsignedInt(self->output->writer, NULL, visit_tick(record->end_ps),
                                                          PARAMETER_BLOCK, (uint64_t)record->blocks[i]));
}

/* The request of a collective that goes on by itself; where that is not known, it is none of others'. */
static uint64_t request_of(const struct record *record)
{
    return record->request != 0 ? record->request : UINT64_MAX;
}

static void write_request(struct copying *self, const struct record *record)
{
    archive_check(&self->output->archive,
                  OTF2_EvtWriter_NonBlockingCollectiveRequest(self->output->writer, NULL, visit_tick(record->start_ps),
                                                              request_of(record)));
}

/* One that was begun before, nobody knows where, is begun where it was waited for. */
static void begin_collective(struct copying *self, const struct record *record)
{
    OTF2_EvtWriter *writer = self->output->writer;
    OTF2_TimeStamp tick = visit_tick(record->start_ps);
    if (!record->was_begun)
        archive_check(&self->output->archive, OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, tick));
    else if (record->request == 0)
        write_request(self, record);
}

static void end_collective(struct copying *self, const struct record *record, const struct otf_collective *call,
                           uint32_t root)
{
    OTF2_EvtWriter *writer = self->output->writer;
    OTF2_TimeStamp tick = visit_tick(record->end_ps);
    OTF2_CommRef comm = (OTF2_CommRef)record->group;
    archive_check(
        &self->output->archive,
        record->was_begun
            ? OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, NULL, tick, call->op, comm, root, call->sent,
                                                           call->received, request_of(record))
            : OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, tick, call->op, comm, root, call->sent, call->received));
}

static void write_collective(struct copying *self, const struct record *record, bool is_inside)
{
    struct archive_output *archive = &self->output->archive;
    int kind = record->collective, n_members = self->info->groups[record->group].n_members;
    int me = group_rank_of(self, record->group, self->rank);
    bool has_root = otf_collective_is_rooted(kind),
         has_blocks = (record->blocks != NULL && kind >= RECORD_GATHER) || record->varies;
    int root = has_root ? group_rank_of(self, record->group, record->peer) : -1;
    int region = has_blocks ? REGION_WITH_BLOCKS + kind - RECORD_GATHER : REGION_COLLECTIVES + kind;
    struct otf_collective call = {
        .is_root = root == me, .n_members = (uint64_t)n_members, .me = me >= 0 ? (uint64_t)me : 0};
    otf_collective_write(&call, kind, has_blocks, (uint64_t)record->bytes);
    if (!is_inside)
        region_enter(self->output, record->start_ps, region);
    begin_collective(self, record);
    write_blocks(self, record, n_members);
    end_collective(self, record, &call, has_root ? (uint32_t)root : OTF2_COLLECTIVE_ROOT_NONE);
    if (record->idle_ps >= 0)
        archive_check(archive,
                      OTF2_AttributeList_AddUint64(self->output->list, ATTRIBUTE_IDLE, (uint64_t)record->idle_ps));
    if (!is_inside)
        region_leave(self->output, record->end_ps, region);
}

/* --- records --- */

static void say_number(struct copying *self, enum visit_attribute attribute, int64_t number)
{
    archive_check(&self->output->archive,
                  OTF2_AttributeList_AddUint64(self->output->list, attribute, (uint64_t)number));
}

/* Where threads of the rank let each other go on. */
static void write_mark(struct copying *self, const struct record *record)
{
    bool waits = record->kind == RECORD_AWAIT;
    int region = waits ? REGION_AWAIT : REGION_SIGNAL;
    archive_check(&self->output->archive,
                  OTF2_AttributeList_AddStringRef(self->output->list, ATTRIBUTE_ROLE, sleeps[record->sleep]));
    region_enter(self->output, record->start_ps, region);
    say_number(self, waits ? ATTRIBUTE_AWAIT : ATTRIBUTE_SIGNAL, record->mark);
    say_number(self, ATTRIBUTE_NEEDED, record->request);
    if (record->peer >= 0)
        say_number(self, ATTRIBUTE_WAITED, record->peer);
    region_leave(self->output, record->end_ps, region);
}

/* A call in which a collective begins that goes on by itself. */
static void write_begin(struct copying *self, const struct record *record, bool is_inside)
{
    if (!is_inside)
        region_enter(self->output, record->start_ps, REGION_COLLECTIVE_CALL);
    write_request(self, record);
    if (!is_inside)
        region_leave(self->output, record->end_ps, REGION_COLLECTIVE_CALL);
}

static void write_record(struct copying *self, const struct record *record, bool is_inside)
{
    int region;
    if (record->kind == RECORD_CALL && record->request != 0) {
        write_begin(self, record, is_inside);
        return;
    }
    switch ((enum record_kind)record->kind) {
    case RECORD_ENTER:
    case RECORD_LEAVE:
        region = self->scope_regions[record->scope];
        if (region < 0)
            break;
        if (record->kind == RECORD_ENTER)
            region_enter(self->output, record->start_ps, region);
        else
            region_leave(self->output, record->end_ps, region);
        break;
    case RECORD_COLLECTIVE:
        write_collective(self, record, is_inside);
        break;
    case RECORD_SIGNAL:
    case RECORD_AWAIT:
        write_mark(self, record);
        break;
    default:
        write_visit(self, record, is_inside);
        break;
    }
}

static bool is_cut(const struct record *record)
{
    return record->kind == RECORD_CALL && record->call == RECORD_CALL_CUT;
}

/* A call's records are in one region: the first says how many calls it is, of a further one n_calls is 0. */
static void write_next(struct copying *self, bool goes_on)
{
    const struct record *record = &self->next;
    int region = function_region(self, record);
    if (!self->has_next)
        return;
    if (is_cut(record)) {
        write_cut(self, record);
        return;
    }
    if (region >= 0 && !self->is_open) {
        if (record->n_calls > 1)
            archive_check(&self->output->archive,
                          OTF2_AttributeList_AddUint64(self->output->list, ATTRIBUTE_POLLS, (uint64_t)record->n_calls));
        region_enter(self->output, record->start_ps, region);
    }
    self->is_alone = !self->is_open && !goes_on;
    write_record(self, record, region >= 0);
    self->is_open = region >= 0 && goes_on;
    if (region >= 0 && !goes_on) {
        if (record->kind == RECORD_PROBE)
            say_awaited(self, group_rank_of(self, record->group, record->peer), record->tag, record->group);
        region_leave(self->output, record->end_ps, region);
    }
}

static void keep_next(struct copying *self, const struct record *record)
{
    int64_t *blocks = self->next.blocks;
    self->next = *record;
    self->next.blocks = NULL;
    self->has_next = true;
    if (record->blocks != NULL) {
        size_t n = (size_t)self->info->groups[record->group].n_members;
        blocks = xrealloc(blocks, n * sizeof *blocks);
        memcpy(blocks, record->blocks, n * sizeof *blocks);
        self->next.blocks = blocks;
    } else {
        free(blocks);
    }
}

static int copy_location(struct copying *self, int location, struct record_reader *reader, struct sim_error *error)
{
    struct record record;
    int status = 0;
    self->has_next = self->is_open = false;
    self->rank = location % self->info->n_ranks;
    visit_begin_location(self->output, location);
    while (self->output->archive.status == OTF2_SUCCESS &&
           (status = record_next(reader, location, &record, error)) == 1) {
        write_next(self, record.n_calls == 0 && record.function != 0 && record.function == self->next.function);
        keep_next(self, &record);
    }
    write_next(self, false);
    free(self->next.blocks);
    self->next = (struct record){0};
    visit_end_location(self->output, location);
    return status < 0 ? -1 : 0;
}

int copy_records(struct copy *copy, struct visit_output *output, struct record_reader *reader, const int *scope_regions,
                 struct sim_error *error)
{
    struct copying self = {.copy = copy, .output = output, .info = &reader->info, .scope_regions = scope_regions};
    copy->info = &reader->info;
    copy->first_region = N_REGIONS;
    for (int i = 0; i < reader->info.n_scopes; i++)
        if (scope_regions[i] >= copy->first_region)
            copy->first_region = scope_regions[i] + 1;
    self.by_rank = xcalloc((size_t)reader->info.n_groups, sizeof(struct group_member *));
    int status = record_rewind(reader, error);
    for (int i = 0; status == 0 && i < record_locations(&reader->info) && output->archive.status == OTF2_SUCCESS; i++)
        status = copy_location(&self, i, reader, error);
    for (int g = 0; g < reader->info.n_groups; g++)
        free(self.by_rank[g]);
    free(self.by_rank);
    return status;
}
