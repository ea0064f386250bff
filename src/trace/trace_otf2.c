/* OTF2, as Score-P writes it: a location for each lane, one process each for the ranks and after them for the protocol
 * controllers; regions of MPI around messages and waiting, regions of the user around all other time. One tick is 1 ps.
 *
 *   MPI_Send, MPI_Recv  one message each, with its record; what of their time was waiting is on their Leave, as the
 *                       attribute simrun.idle_ps (of a receive it is the beginning, and may be 0: it waited for its
 *                       message to come, not to be sent)
 *   MPI_Wait            for sends that had gone on
 *   useful, control, idle, input, output, links
 *                       all other time; the attribute eppa.role on Enter is the state's name. On Leave eppa.operations or
 *                       simrun.bytes, where there are any; of waiting for a processor that ranks share, simrun.peer
 *   Comp, Wait/page ... the same of programs that share memory: category and operation of the protocol
 *
 * The program's scopes are regions around these. The tag of messages within a collective is the largest there is.
 *
 * OTF2 holds an open file and some 4 MiB for each location that is being written. So what comes is sorted by lane first,
 * and one lane is written after the other. */
#include "base/memory.h"
#include "base/output.h"
#include "trace/call.h"
#include "trace/otf2_output.h"
#include "trace/sorter.h"
#include "trace/trace.h"

#include <errno.h>
#include <stdlib.h>

enum region {
    REGION_SEND,
    REGION_RECV,
    REGION_WAIT,
    REGION_COLLECTIVE,
    REGION_USEFUL,
    REGION_CONTROL,
    REGION_IDLE,
    REGION_INPUT,
    REGION_OUTPUT,
    REGION_LINKS,
    N_REGIONS, /* from here on the categories, each with all operations, if there are any; then the scopes */
};

static const struct {
    const char *name;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
} regions[N_REGIONS] = {
    [REGION_SEND] = {"MPI_Send", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [REGION_RECV] = {"MPI_Recv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [REGION_WAIT] = {"MPI_Wait", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [REGION_COLLECTIVE] = {"MPI_Collective", OTF2_REGION_ROLE_COLL_OTHER, OTF2_PARADIGM_MPI},
    [REGION_USEFUL] = {"useful", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_CONTROL] = {"control", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_IDLE] = {"idle", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [REGION_INPUT] = {"input", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_USER},
    [REGION_OUTPUT] = {"output", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_USER},
    [REGION_LINKS] = {"links", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_USER},
};

enum attribute { ATTRIBUTE_ROLE, ATTRIBUTE_OPERATIONS, ATTRIBUTE_IDLE, ATTRIBUTE_BYTES, ATTRIBUTE_PEER, N_ATTRIBUTES };

static const struct {
    const char *name, *description;
    OTF2_Type type;
} attributes[N_ATTRIBUTES] = {
    [ATTRIBUTE_ROLE] = {"eppa.role", "what the time is: useful, control, send, receive, idle", OTF2_TYPE_STRING},
    [ATTRIBUTE_OPERATIONS] = {"eppa.operations", "basic operations done", OTF2_TYPE_UINT64},
    [ATTRIBUTE_IDLE] = {"simrun.idle_ps", "how much of the call was waiting, in ps", OTF2_TYPE_UINT64},
    [ATTRIBUTE_BYTES] = {"simrun.bytes", "bytes read or written", OTF2_TYPE_UINT64},
    [ATTRIBUTE_PEER] = {"simrun.peer", "the rank that had the shared processor until then", OTF2_TYPE_UINT64},
};

#define TICKS_PER_S UINT64_C(1000000000000)

static const char *const endings[] = {".otf2", ".def", "", NULL};

/* A region from Enter to Leave, with what is in it. */
struct piece {
    int64_t start_ps, end_ps;
    int64_t number; /* of the attribute on Leave */
    int64_t at_ps;  /* of the message's record */
    int64_t bytes;  /* of the message */
    int32_t peer, tag;
    int32_t region, scope_region; /* scope_region: around it; -1: none */
    uint8_t attribute;            /* that `number` is of; N_ATTRIBUTES: none */
    uint8_t role;                 /* enum lane_state; N_LANE_STATES: not said */
    uint8_t message;              /* enum message */
};

enum message { MESSAGE_NONE, MESSAGE_SENT, MESSAGE_RECEIVED };

/* The lane that is being written. */
struct location {
    OTF2_EvtWriter *writer; /* NULL: none */
    int scope_region;       /* that is entered; -1: none */
    int64_t end_ps;
};

/* Strings are numbered as they are written; those that events refer to come first: the names of the states, by state. */
struct otf2 {
    struct output_folder output;
    const struct trace_setup *setup;
    struct archive_output archive;
    OTF2_AttributeList *list;
    struct sorter *sorter; /* of pieces, by lane */
    struct call *calls;    /* of each lane */
    uint64_t *n_events;    /* of each lane */
    int n_written;         /* lanes whose writer has been closed */
    struct location location;
    int *scope_regions; /* of each scope; -1: none, because it has no name */
};

/* --- while events come --- */

static void *otf2_open(const char *file, struct sim_error *error)
{
    struct output_folder output;
    if (output_folder_open(&output, file, endings, error) != 0)
        return NULL;
    struct otf2 *self = xcalloc(1, sizeof *self);
    self->output = output;
    self->sorter = sorter_new(sizeof(struct piece), file);
    self->list = OTF2_AttributeList_New();
    archive_open(&self->archive, output.partial, output.stem);
    archive_check(&self->archive, self->list != NULL ? OTF2_SUCCESS : OTF2_ERROR_MEM_ALLOC_FAILED);
    return self;
}

static int region_of_category(int category, int operation)
{
    return N_REGIONS + (category - 1) * N_OPERATIONS + operation;
}

static void number_scopes(struct otf2 *self)
{
    const struct trace_setup *setup = self->setup;
    int next = setup->has_categories ? region_of_category(N_CATEGORIES, 0) : N_REGIONS;
    self->scope_regions = xcalloc((size_t)setup->n_scopes, sizeof *self->scope_regions);
    for (int i = 0; i < setup->n_scopes; i++)
        self->scope_regions[i] = setup->scopes[i][0] != '\0' ? next++ : -1;
}

static void otf2_begin(void *data, const struct trace_setup *setup)
{
    struct otf2 *self = data;
    self->setup = setup;
    number_scopes(self);
    self->calls = xcalloc((size_t)setup->n_lanes, sizeof *self->calls);
    self->n_events = xcalloc((size_t)setup->n_lanes, sizeof *self->n_events);
}

static enum region region_of_call(const struct call *call, const struct event *last)
{
    if (last != NULL && last->is_collective)
        return REGION_COLLECTIVE;
    if (last != NULL && (last->is_message || last->is_receipt))
        return last->is_message ? REGION_SEND : REGION_RECV;
    return call->state == STATE_IDLE ? REGION_IDLE : REGION_WAIT;
}

/* The lane's call is over; `last` is the event that ended it, or NULL if it just went no further. */
static void add_call(struct otf2 *self, int lane, const struct event *last)
{
    struct call *call = &self->calls[lane];
    enum region region = region_of_call(call, last);
    struct piece piece = {.start_ps = call->start_ps,
                          .end_ps = call->end_ps,
                          .number = call->idle_ps,
                          .attribute = region != REGION_IDLE && (call->waited || call->idle_ps > 0) ? ATTRIBUTE_IDLE
                                                                                                    : N_ATTRIBUTES,
                          .region = (int32_t)region,
                          .scope_region = self->scope_regions[call->scope],
                          .role = region == REGION_IDLE ? STATE_IDLE : N_LANE_STATES};
    if (last != NULL && (last->is_message || last->is_receipt)) {
        piece.message = last->is_message ? MESSAGE_SENT : MESSAGE_RECEIVED;
        piece.at_ps = last->is_message ? last->start_ps : last->end_ps;
        piece.bytes = last->bytes;
        piece.peer = last->peer;
        piece.tag = last->tag;
    }
    sorter_add(self->sorter, lane, 0, &piece);
    call->open = false;
}

static int region_of_state(const struct event *event)
{
    static const int of_state[N_LANE_STATES] = {
        [STATE_USEFUL] = REGION_USEFUL, [STATE_CONTROL] = REGION_CONTROL, [STATE_SEND] = REGION_WAIT,
        [STATE_RECEIVE] = REGION_WAIT,  [STATE_IDLE] = REGION_IDLE,
    };
    if (event->category != CATEGORY_NONE)
        return region_of_category(event->category, event->operation);
    if (event->kind == EVENT_INPUT || event->kind == EVENT_OUTPUT)
        return event->kind == EVENT_INPUT ? REGION_INPUT : REGION_OUTPUT;
    if (event->kind == EVENT_COMMUNICATE && event->state == STATE_CONTROL)
        return REGION_LINKS;
    return of_state[event->state];
}

/* What there is to say on Leave: `number` of an attribute, or N_ATTRIBUTES. */
static enum attribute attribute_of(const struct event *event, int64_t *number)
{
    if (event->kind == EVENT_WAIT_CPU && event->cause == CAUSE_PEER) {
        *number = event->peer;
        return ATTRIBUTE_PEER;
    }
    bool is_io = event->kind == EVENT_INPUT || event->kind == EVENT_OUTPUT;
    *number = is_io ? event->bytes : event->operations;
    return *number == 0 ? N_ATTRIBUTES : is_io ? ATTRIBUTE_BYTES : ATTRIBUTE_OPERATIONS;
}

static void add_state(struct otf2 *self, const struct event *event)
{
    int64_t number;
    enum attribute attribute = attribute_of(event, &number);
    const struct piece piece = {.start_ps = event->start_ps,
                                .end_ps = event->end_ps,
                                .number = number,
                                .attribute = (uint8_t)attribute,
                                .region = region_of_state(event),
                                .scope_region = self->scope_regions[event->scope],
                                .role = event->state};
    if (event->start_ps < event->end_ps || event->operations > 0)
        sorter_add(self->sorter, event->lane, 0, &piece);
}

static void otf2_write(void *data, const struct event *event)
{
    struct otf2 *self = data;
    struct call *call = &self->calls[event->lane];
    if (call_is_mark(event))
        return;
    if (call->open && !call_takes(call, event))
        add_call(self, event->lane, NULL);
    if (!call_takes(call, event))
        add_state(self, event);
    else if (call_add(call, event))
        add_call(self, event->lane, event);
}

/* --- the lanes' files --- */

/* Enter and leave; what has been added to the list goes along. */
static void enter(struct otf2 *self, int64_t at_ps, int region)
{
    archive_check(&self->archive, OTF2_EvtWriter_Enter(self->location.writer, self->list, (OTF2_TimeStamp)at_ps,
                                                       (OTF2_RegionRef)region));
}

static void leave(struct otf2 *self, int64_t at_ps, int region)
{
    archive_check(&self->archive, OTF2_EvtWriter_Leave(self->location.writer, self->list, (OTF2_TimeStamp)at_ps,
                                                       (OTF2_RegionRef)region));
}

/* The scope's region, or none, is what goes around all that follows. */
static void set_scope(struct otf2 *self, int64_t at_ps, int region)
{
    struct location *location = &self->location;
    if (region == location->scope_region)
        return;
    if (location->scope_region >= 0)
        leave(self, at_ps, location->scope_region);
    if (region >= 0)
        enter(self, at_ps, region);
    location->scope_region = region;
}

static void write_message(struct otf2 *self, const struct piece *piece)
{
    OTF2_EvtWriter *writer = self->location.writer;
    uint32_t peer = (uint32_t)piece->peer, tag = (uint32_t)piece->tag;
    uint64_t at = (uint64_t)piece->at_ps, bytes = (uint64_t)piece->bytes;
    if (piece->message == MESSAGE_SENT)
        archive_check(&self->archive, OTF2_EvtWriter_MpiSend(writer, NULL, at, peer, 0, tag, bytes));
    else if (piece->message == MESSAGE_RECEIVED)
        archive_check(&self->archive, OTF2_EvtWriter_MpiRecv(writer, NULL, at, peer, 0, tag, bytes));
}

static void write_piece(struct otf2 *self, const struct piece *piece)
{
    set_scope(self, piece->start_ps, piece->scope_region);
    if (piece->role < N_LANE_STATES)
        archive_check(&self->archive, OTF2_AttributeList_AddStringRef(self->list, ATTRIBUTE_ROLE, piece->role));
    enter(self, piece->start_ps, piece->region);
    write_message(self, piece);
    if (piece->attribute < N_ATTRIBUTES)
        archive_check(&self->archive,
                      OTF2_AttributeList_AddUint64(self->list, piece->attribute, (uint64_t)piece->number));
    leave(self, piece->end_ps, piece->region);
    self->location.end_ps = piece->end_ps;
}

static void open_location(struct otf2 *self, int lane)
{
    self->location = (struct location){.scope_region = -1};
    self->location.writer = OTF2_Archive_GetEvtWriter(self->archive.archive, (OTF2_LocationRef)lane);
    archive_check(&self->archive, self->location.writer != NULL ? OTF2_SUCCESS : OTF2_ERROR_MEM_ALLOC_FAILED);
}

/* A writer must be closed, whatever has failed. */
static void close_location(struct otf2 *self)
{
    OTF2_EvtWriter *writer = self->location.writer;
    if (writer == NULL)
        return;
    if (self->archive.status == OTF2_SUCCESS)
        set_scope(self, self->location.end_ps, -1);
    archive_check(&self->archive, OTF2_EvtWriter_GetNumberOfEvents(writer, &self->n_events[self->n_written++]));
    archive_check(&self->archive, OTF2_Archive_CloseEvtWriter(self->archive.archive, writer));
    self->location.writer = NULL;
}

/* Every lane gets a file, one without pieces too. */
static void write_lanes(struct otf2 *self)
{
    int n_lanes = self->setup->n_lanes;
    int64_t lane;
    for (int i = 0; i < n_lanes; i++)
        if (self->calls[i].open)
            add_call(self, i, NULL);
    const struct piece *piece = sorter_next(self->sorter, &lane);
    for (int i = 0; i < n_lanes && self->archive.status == OTF2_SUCCESS; i++) {
        errno = 0;
        open_location(self, i);
        for (; piece != NULL && lane == i && self->archive.status == OTF2_SUCCESS;
             piece = sorter_next(self->sorter, &lane))
            write_piece(self, piece);
        close_location(self);
    }
    errno = sorter_status(self->sorter);
    archive_check(&self->archive, errno == 0 ? OTF2_SUCCESS : OTF2_ERROR_FILE_INTERACTION);
    errno = 0;
}

/* --- definitions --- */

/* "Comp", "Extra/page" */
static void define_categories(struct otf2 *self)
{
    for (int c = CATEGORY_COMP; c < N_CATEGORIES; c++)
        for (int o = 0; o < N_OPERATIONS; o++) {
            const char *slash = o != OPERATION_NONE ? "/" : "",
                       *operation = o != OPERATION_NONE ? operation_names[o] : "";
            char *name = xformat("%s%s%s", category_names[c], slash, operation);
            archive_define_region(&self->archive, region_of_category(c, o), name, OTF2_REGION_ROLE_CODE,
                                  OTF2_PARADIGM_USER);
            free(name);
        }
}

static void define_regions(struct otf2 *self)
{
    const struct trace_setup *setup = self->setup;
    for (int r = 0; r < N_REGIONS; r++)
        archive_define_region(&self->archive, r, regions[r].name, regions[r].role, regions[r].paradigm);
    if (setup->has_categories)
        define_categories(self);
    for (int i = 0; i < setup->n_scopes; i++)
        if (self->scope_regions[i] >= 0)
            archive_define_region(&self->archive, self->scope_regions[i], setup->scopes[i], OTF2_REGION_ROLE_CODE,
                                  OTF2_PARADIGM_USER);
    for (uint32_t a = 0; a < N_ATTRIBUTES; a++) {
        OTF2_StringRef name = archive_define_string(&self->archive, attributes[a].name);
        OTF2_StringRef description = archive_define_string(&self->archive, attributes[a].description);
        archive_check(&self->archive, OTF2_GlobalDefWriter_WriteAttribute(self->archive.definitions, a, name,
                                                                          description, attributes[a].type));
    }
}

static void define_all(struct otf2 *self, int64_t end_ps)
{
    archive_begin_definitions(&self->archive, self->setup->n_lanes);
    if (self->archive.status != OTF2_SUCCESS)
        return;
    for (int s = 0; s < N_LANE_STATES; s++)
        archive_define_string(&self->archive, lane_state_names[s]);
    archive_check(&self->archive,
                  OTF2_GlobalDefWriter_WriteClockProperties(self->archive.definitions, TICKS_PER_S, 0, (uint64_t)end_ps,
                                                            OTF2_UNDEFINED_TIMESTAMP));
    define_regions(self);
    archive_define_locations(&self->archive, self->setup->n_ranks, self->setup->n_lanes, self->n_events);
}

/* --- the end --- */

/* All is freed but what is in the partial folder, which is whole if the status says so. */
static void close_archive(struct otf2 *self, int64_t end_ps)
{
    if (self->archive.status == OTF2_SUCCESS)
        write_lanes(self);
    if (self->archive.archive != NULL)
        archive_check(&self->archive, OTF2_Archive_CloseEvtFiles(self->archive.archive));
    if (self->archive.status == OTF2_SUCCESS)
        define_all(self, end_ps);
    archive_close(&self->archive);
    if (self->list != NULL)
        OTF2_AttributeList_Delete(self->list);
    sorter_free(self->sorter);
    free(self->scope_regions);
    free(self->n_events);
    free(self->calls);
}

static void otf2_abandon(void *data)
{
    struct otf2 *self = data;
    archive_check(&self->archive,
                  OTF2_ERROR_INTERRUPTED_BY_CALLBACK); /* so that nothing more is written than must be */
    close_archive(self, 0);
    output_folder_abandon(&self->output);
    free(self);
}

static int otf2_close(void *data, int64_t end_ps, struct sim_error *error)
{
    struct otf2 *self = data;
    close_archive(self, end_ps);
    int status = 0;
    if (self->archive.status != OTF2_SUCCESS) {
        status = sim_error_set(error, SIM_UNFINISHED, self->output.file, 0, "could not be written: %s",
                               archive_reason(&self->archive));
        output_folder_abandon(&self->output);
    } else {
        status = output_folder_close(&self->output, error);
    }
    free(self);
    return status;
}

const struct trace_format trace_otf2 = {
    .name = "otf2",
    .ending = ".otf2",
    .summary = "OTF2 archive, for Vampir, Scalasca and simrun itself",
    .open = otf2_open,
    .begin = otf2_begin,
    .write = otf2_write,
    .close = otf2_close,
    .abandon = otf2_abandon,
};
