/* Writes what each rank or controller did as regions and messages of OTF2.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/region_visits.h"

#include "interval/interval.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
} regions[N_REGIONS] = {
    [REGION_SEND] = {"MPI_Send", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [REGION_SSEND] = {"MPI_Ssend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [REGION_ISEND] = {"MPI_Isend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [REGION_ISSEND] = {"MPI_Issend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [REGION_RECV] = {"MPI_Recv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [REGION_IRECV] = {"MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [REGION_WAIT] = {"MPI_Wait", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [REGION_USEFUL] = {"useful", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_CONTROL] = {"control", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_MESSAGES] = {"messages", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_IDLE] = {"idle", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_INPUT] = {"input", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_USER},
    [REGION_OUTPUT] = {"output", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_USER},
    [REGION_LINKS] = {"links", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_USER},
    [REGION_COLLECTIVE_CALL] = {"collective", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_RECEIVE] = {"receive", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_OTHER] = {"MPI", OTF2_REGION_ROLE_RMA, OTF2_PARADIGM_MPI},
    [REGION_LIBRARY] = {"library", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI},
    [REGION_START] = {"MPI_Init, MPI_Finalize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI},
    [REGION_READ] = {"MPI_File_read", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_MPI},
    [REGION_WRITE] = {"MPI_File_write", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_MPI},
    [REGION_SIGNAL] = {"signal", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_AWAIT] = {"await", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_COLLECTIVES] = {"MPI_Barrier", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_MPI},
    {"MPI_Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL, OTF2_PARADIGM_MPI},
    {"MPI_Reduce", OTF2_REGION_ROLE_COLL_ALL2ONE, OTF2_PARADIGM_MPI},
    {"MPI_Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI},
    {"MPI_Scan", OTF2_REGION_ROLE_COLL_OTHER, OTF2_PARADIGM_MPI},
    {"MPI_Exscan", OTF2_REGION_ROLE_COLL_OTHER, OTF2_PARADIGM_MPI},
    {"MPI_Gather", OTF2_REGION_ROLE_COLL_ALL2ONE, OTF2_PARADIGM_MPI},
    {"MPI_Allgather", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI},
    {"MPI_Scatter", OTF2_REGION_ROLE_COLL_ONE2ALL, OTF2_PARADIGM_MPI},
    {"MPI_Alltoall", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI},
    {"MPI_Reduce_scatter_block", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI},
    {"MPI_Win_fence", OTF2_REGION_ROLE_RMA, OTF2_PARADIGM_MPI},
    {"MPI_Comm_dup", OTF2_REGION_ROLE_COLL_OTHER, OTF2_PARADIGM_MPI},
    {"MPI_File_sync", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_MPI},
    [REGION_WITH_BLOCKS] = {"MPI_Gatherv", OTF2_REGION_ROLE_COLL_ALL2ONE, OTF2_PARADIGM_MPI},
    {"MPI_Allgatherv", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI},
    {"MPI_Scatterv", OTF2_REGION_ROLE_COLL_ONE2ALL, OTF2_PARADIGM_MPI},
    {"MPI_Alltoallv", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI},
    {"MPI_Reduce_scatter", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI},
};

static const struct {
    const char *name, *description;
    OTF2_Type type;
} attributes[N_ATTRIBUTES] = {
    [ATTRIBUTE_ROLE] = {"eppa.role", "what the time is: a state, or what idling was for: ranks, foreign, asleep, off",
                        OTF2_TYPE_STRING},
    [ATTRIBUTE_OPERATIONS] = {"eppa.operations", "basic operations done", OTF2_TYPE_UINT64},
    [ATTRIBUTE_QUANTUMS] = {"eppa.quantums", "quantums of work done", OTF2_TYPE_UINT64},
    [ATTRIBUTE_IDLE] = {"simrun.idle_ps", "how much of the call was waiting, in ps", OTF2_TYPE_UINT64},
    [ATTRIBUTE_BYTES] = {"simrun.bytes", "bytes read or written", OTF2_TYPE_UINT64},
    [ATTRIBUTE_PEER] = {"simrun.peer", "the rank that had the shared processor until then", OTF2_TYPE_UINT64},
    [ATTRIBUTE_EXCHANGES] = {"simrun.exchanges", "1: the rank receives before it waits for the send", OTF2_TYPE_UINT64},
    [ATTRIBUTE_COMBINES] = {"simrun.combines", "1: what is received is added to what the rank has", OTF2_TYPE_UINT64},
    [ATTRIBUTE_AWAITED] = {"eppa.peer", "the rank that a call waited for", OTF2_TYPE_INT32},
    [ATTRIBUTE_AWAITED_TAG] = {"eppa.tag", "the tag of what it waited for", OTF2_TYPE_INT32},
    [ATTRIBUTE_AWAITED_COMM] = {"eppa.communicator", "the communicator of that rank", OTF2_TYPE_COMM},
    [ATTRIBUTE_POLLS] = {"eppa.polls", "so many calls, of which the last may have found something", OTF2_TYPE_UINT64},
    [ATTRIBUTE_SIGNAL] = {"simrun.signal", "a mark by which a thread lets others of its rank go on", OTF2_TYPE_UINT64},
    [ATTRIBUTE_AWAIT] = {"simrun.await", "the mark that a thread waits for", OTF2_TYPE_UINT64},
    [ATTRIBUTE_NEEDED] = {"simrun.needed", "how many regions have that mark", OTF2_TYPE_UINT64},
    [ATTRIBUTE_WAITED] = {"simrun.processor", "the processor of the rank that is waited for", OTF2_TYPE_UINT64},
    [ATTRIBUTE_ANY_SOURCE] = {"eppa.any_source", "1: the receive was from any source", OTF2_TYPE_UINT64},
};

/* Names of the roles that are no states. */
static const char *const role_names[N_VISIT_ROLES - VISIT_PLAIN] = {
    "", "ranks", "foreign", "asleep", "off", "launch", "unrecorded", "serial", "team", "lock", "messages"};

#define TICKS_PER_S UINT64_C(1000000000000)

void visit_output_init(struct visit_output *self)
{
    self->list = OTF2_AttributeList_New();
    archive_check(&self->archive, self->list != NULL ? OTF2_SUCCESS : OTF2_ERROR_MEM_ALLOC_FAILED);
}

void visit_output_dispose(struct visit_output *self)
{
    if (self->list != NULL)
        OTF2_AttributeList_Delete(self->list);
    self->list = NULL;
}

/* --- packed --- */

/* The part that every visit has. Further parts follow, a word each: for messages the bytes, and the time of the record
 * and the request where flags do not say them; then the number. */
struct packed {
    int64_t start_ps, end_ps;
    int16_t region, scope_region;
    uint8_t attribute, role, message, flags;
    int32_t peer, tag;
};

enum {
    AT_START = 1,
    AT_END = 2,
    NO_REQUEST = 4,
    EXCHANGES = 8,
    COMBINES = 16,
    PACKED_WORDS = sizeof(struct packed) / 8
};

static size_t pack_message(uint64_t *words, struct packed *packed, const struct region_visit *visit)
{
    size_t n = 0;
    words[n++] = (uint64_t)visit->bytes;
    if (visit->at_ps == visit->start_ps)
        packed->flags = AT_START;
    else if (visit->at_ps == visit->end_ps)
        packed->flags = AT_END;
    else
        words[n++] = (uint64_t)visit->at_ps;
    if (visit->request == 0)
        packed->flags |= NO_REQUEST;
    else
        words[n++] = visit->request;
    if (visit->attributes[1] == ATTRIBUTE_EXCHANGES)
        packed->flags |= EXCHANGES;
    if (visit->attributes[1] == ATTRIBUTE_COMBINES)
        packed->flags |= COMBINES;
    return n;
}

size_t visit_pack(uint64_t words[static VISIT_WORDS], const struct region_visit *visit)
{
    struct packed packed = {.start_ps = visit->start_ps,
                            .end_ps = visit->end_ps,
                            .region = (int16_t)visit->region,
                            .scope_region = (int16_t)visit->scope_region,
                            .attribute = visit->attributes[0],
                            .role = visit->role,
                            .message = visit->message,
                            .peer = visit->peer,
                            .tag = visit->tag};
    size_t n = PACKED_WORDS;
    if (visit->message != MESSAGE_NONE)
        n += pack_message(words + n, &packed, visit);
    memcpy(words, &packed, sizeof packed);
    if (visit->attributes[0] < N_ATTRIBUTES)
        words[n++] = (uint64_t)visit->numbers[0];
    return n * 8;
}

void visit_unpack(struct region_visit *visit, const uint64_t *words)
{
    const struct packed *packed = (const void *)words;
    uint8_t price = packed->flags & EXCHANGES  ? ATTRIBUTE_EXCHANGES
                    : packed->flags & COMBINES ? ATTRIBUTE_COMBINES
                                               : N_ATTRIBUTES;
    *visit = (struct region_visit){.start_ps = packed->start_ps,
                                   .end_ps = packed->end_ps,
                                   .region = packed->region,
                                   .scope_region = packed->scope_region,
                                   .attributes = {packed->attribute, price},
                                   .numbers = {0, 1},
                                   .role = packed->role,
                                   .message = packed->message,
                                   .peer = packed->peer,
                                   .tag = packed->tag};
    words += PACKED_WORDS;
    if (packed->message != MESSAGE_NONE) {
        visit->bytes = (int64_t)*words++;
        visit->at_ps = packed->flags & AT_START ? packed->start_ps
                       : packed->flags & AT_END ? packed->end_ps
                                                : (int64_t)*words++;
        visit->request = packed->flags & NO_REQUEST ? 0 : *words++;
    }
    if (packed->attribute < N_ATTRIBUTES)
        visit->numbers[0] = (int64_t)*words;
}

/* --- a location --- */

/* After what may come to write many times. The library says when it cannot flush; errno is looked at when the location
 * ends. */
static void check(struct visit_output *self, OTF2_ErrorCode status)
{
    if (status != OTF2_SUCCESS)
        archive_check(&self->archive, status);
}

OTF2_TimeStamp visit_tick(int64_t at_ps)
{
    return (OTF2_TimeStamp)at_ps + FIRST_TICK;
}

void region_enter(struct visit_output *self, int64_t at_ps, int region)
{
    check(self, OTF2_EvtWriter_Enter(self->writer, self->list, visit_tick(at_ps), (OTF2_RegionRef)region));
}

void region_leave(struct visit_output *self, int64_t at_ps, int region)
{
    check(self, OTF2_EvtWriter_Leave(self->writer, self->list, visit_tick(at_ps), (OTF2_RegionRef)region));
    self->end_ps = at_ps;
}

/* The scope's region, or none, is what goes around all that follows. */
static void set_scope(struct visit_output *self, int64_t at_ps, int region)
{
    if (region == self->scope_region)
        return;
    if (self->scope_region >= 0)
        region_leave(self, at_ps, self->scope_region);
    if (region >= 0)
        region_enter(self, at_ps, region);
    self->scope_region = region;
}

/* The tag to write. Of the tags below 0, which no program has, -1 is the largest number there is, and the others are
 * among the largest that programs may have; a TI trace has the same. */
static uint32_t tag_of(const struct region_visit *visit)
{
    return (uint32_t)(visit->tag < -1 ? INT32_MAX + (visit->tag + 1) : visit->tag);
}

static void write_message(struct visit_output *self, const struct region_visit *visit)
{
    OTF2_EvtWriter *writer = self->writer;
    uint32_t peer = (uint32_t)visit->peer, tag = tag_of(visit), comm = (uint32_t)visit->comm;
    uint64_t at = visit_tick(visit->at_ps), bytes = (uint64_t)visit->bytes, request = visit->request;
    OTF2_ErrorCode status = OTF2_SUCCESS;
    if (visit->from_any)
        check(self, OTF2_AttributeList_AddUint64(self->list, ATTRIBUTE_ANY_SOURCE, 1));
    switch ((enum visit_message)visit->message) {
    case MESSAGE_NONE:
        break;
    case MESSAGE_SENT:
        status = OTF2_EvtWriter_MpiSend(writer, NULL, at, peer, comm, tag, bytes);
        break;
    case MESSAGE_RECEIVED:
        status = OTF2_EvtWriter_MpiRecv(writer, self->list, at, peer, comm, tag, bytes);
        break;
    case MESSAGE_BEGUN:
        status = OTF2_EvtWriter_MpiIsend(writer, NULL, at, peer, comm, tag, bytes, request);
        break;
    case MESSAGE_POSTED:
        status = OTF2_EvtWriter_MpiIrecvRequest(writer, self->list, at, request);
        break;
    case MESSAGE_ENDED:
        status = OTF2_EvtWriter_MpiIsendComplete(writer, NULL, at, request);
        break;
    case MESSAGE_TAKEN_IN:
        status = OTF2_EvtWriter_MpiIrecv(writer, NULL, at, peer, comm, tag, bytes, request);
        break;
    }
    check(self, status);
}

void visit_write(struct visit_output *self, const struct region_visit *visit)
{
    set_scope(self, visit->start_ps, visit->scope_region);
    if (visit->role != VISIT_PLAIN && visit->region >= 0)
        check(self, OTF2_AttributeList_AddStringRef(self->list, ATTRIBUTE_ROLE, visit->role));
    if (visit->region >= 0)
        region_enter(self, visit->start_ps, visit->region);
    write_message(self, visit);
    for (int i = 0; i < 2; i++)
        if (visit->attributes[i] < N_ATTRIBUTES)
            check(self, OTF2_AttributeList_AddUint64(self->list, visit->attributes[i], (uint64_t)visit->numbers[i]));
    if (visit->region >= 0)
        region_leave(self, visit->end_ps, visit->region);
}

void visit_begin_location(struct visit_output *self, int location)
{
    errno = 0;
    self->scope_region = -1;
    self->end_ps = 0;
    self->writer = OTF2_Archive_GetEvtWriter(self->archive.archive, (OTF2_LocationRef)location);
    archive_check(&self->archive, self->writer != NULL ? OTF2_SUCCESS : OTF2_ERROR_MEM_ALLOC_FAILED);
}

void visit_end_location(struct visit_output *self, int location)
{
    if (self->writer == NULL)
        return;
    if (self->archive.status == OTF2_SUCCESS)
        set_scope(self, self->end_ps, -1);
    archive_check(&self->archive, OTF2_EvtWriter_GetNumberOfEvents(self->writer, &self->n_events[location]));
    archive_check(&self->archive, OTF2_Archive_CloseEvtWriter(self->archive.archive, self->writer));
    self->writer = NULL;
}

/* --- definitions --- */

void visit_define(struct visit_output *self, int64_t end_ps, bool says_waits)
{
    struct archive_output *archive = &self->archive;
    for (int s = 0; s < N_LOCATION_STATES; s++)
        archive_define_string(archive, location_state_names[s]);
    for (int r = VISIT_PLAIN; r < N_VISIT_ROLES; r++)
        archive_define_string(archive, role_names[r - VISIT_PLAIN]);
    archive_check(archive, OTF2_GlobalDefWriter_WriteClockProperties(archive->definitions, TICKS_PER_S, FIRST_TICK,
                                                                     (uint64_t)end_ps, OTF2_UNDEFINED_TIMESTAMP));
    for (int r = 0; r < N_REGIONS; r++)
        archive_define_region(archive, r, regions[r].name, regions[r].role, regions[r].paradigm);
    for (uint32_t a = 0; a < N_ATTRIBUTES; a++) {
        if (a == ATTRIBUTE_IDLE && !says_waits)
            continue;
        OTF2_StringRef name = archive_define_string(archive, attributes[a].name);
        OTF2_StringRef description = archive_define_string(archive, attributes[a].description);
        archive_check(archive, OTF2_GlobalDefWriter_WriteAttribute(archive->definitions, a, name, description,
                                                                   attributes[a].type));
    }
    archive_check(archive, OTF2_GlobalDefWriter_WriteParameter(archive->definitions, PARAMETER_BLOCK,
                                                               archive_define_string(archive, "eppa.block"),
                                                               OTF2_PARAMETER_TYPE_UINT64));
}
