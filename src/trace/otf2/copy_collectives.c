/* Collectives, written to an archive: what each rank sends and receives, and its blocks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/copying.h"
#include "trace/otf2/sizes.h"

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

void copy_request(struct copying *self, const struct record *record)
{
    archive_check(&self->output->archive,
                  OTF2_EvtWriter_NonBlockingCollectiveRequest(self->output->writer, NULL, visit_tick(record->start_ps),
                                                              request_of(record)));
}

/* One that was begun before, at an unknown place, is begun where it was waited for. */
static void begin_collective(struct copying *self, const struct record *record)
{
    OTF2_EvtWriter *writer = self->output->writer;
    OTF2_TimeStamp tick = visit_tick(record->start_ps);
    if (!record->was_begun)
        archive_check(&self->output->archive, OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, tick));
    else if (record->request == 0)
        copy_request(self, record);
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

void copy_collective(struct copying *self, const struct record *record, bool is_inside)
{
    struct archive_output *archive = &self->output->archive;
    int kind = record->collective, n_members = self->info->groups[record->group].n_members;
    int me = copy_group_rank(self, record->group, self->rank);
    bool has_root = otf_collective_is_rooted(kind),
         has_blocks = (record->blocks != NULL && kind >= RECORD_GATHER) || record->varies;
    int root = has_root ? copy_group_rank(self, record->group, record->peer) : -1;
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
