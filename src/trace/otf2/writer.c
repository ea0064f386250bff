/* OTF2, as Score-P writes it: an OTF2 location for each location, one process each for the ranks and after them for the
 * protocol controllers; regions of MPI around messages and waiting, regions of the user around all other time. One tick
 * is 1 ps.
 *
 *   MPI_Send, MPI_Recv  one message each, with its record; what of their time was waiting is on their Leave, as the
 *                       attribute simrun.idle_ps (of a receive it is the beginning, and may be 0: it waited for its
 *                       message to come, not to be sent). MPI_Ssend: a rendezvous that the program wants
 *   MPI_Isend, MPI_Irecv, MPI_Wait
 *                       one request each; the message of a receive is where it is waited for
 *   useful, control, idle, input, output, links
 *                       all other time; the attribute eppa.role on Enter is the state's name. On Leave eppa.operations
 *                       or simrun.bytes, where there are any; of waiting for a processor that ranks share, simrun.peer
 *   Comp, Wait/page ... the same of programs that share memory: category and operation of the protocol
 *
 * The program's scopes are regions around these. The tag of messages within a collective is the largest there is. A
 * trace that was read is written from its records instead (trace/otf2/copy.h).
 *
 * OTF2 holds an open file and some 4 MiB for each location that is being written. So what comes is sorted by location
 * first, and one location is written after the other. */
#include "trace/record/writer.h"
#include "base/memory.h"
#include "os/output_folder.h"
#include "trace/otf2/copy.h"
#include "trace/otf2/pieces.h"
#include "trace/record/call.h"
#include "trace/record/requests.h"
#include "trace/record/sorter.h"

#include <errno.h>
#include <stdlib.h>

static const char *const endings[] = {".otf2", ".def", "", NULL};
static const char *const begins[] = {"\003?OTF2", "\003?", "\003?"}; /* the second character is the order of bytes */

/* What a location is doing. */
struct location {
    struct call call;
    struct requests requests;
    struct request awaited; /* of the receive it waits for */
    bool waits_receive;
    bool waits_sends; /* for those with a `request` that are in `sends` */
    struct request *sends;
    size_t n_sends, capacity;
    int64_t waits_ps; /* since when */
    uint8_t waits_scope;
};

struct otf2 {
    struct output_folder output;
    const struct event_setup *setup;
    struct piece_output pieces;
    struct sorter *sorter; /* of pieces, by location */
    struct location *locations;
    struct copy copy;   /* of records; empty while events come */
    int *scope_regions; /* of each scope; -1: none, because it has no name */
};

/* --- while events come --- */

static void *otf2_open(const char *file, struct sim_error *error)
{
    struct output_folder output;
    if (output_folder_open(&output, file, endings, begins, error) != 0)
        return NULL;
    struct otf2 *self = xcalloc(1, sizeof *self);
    self->output = output;
    self->sorter = sorter_new(sizeof(struct piece), file);
    archive_open(&self->pieces.archive, output.partial, output.stem);
    piece_output_init(&self->pieces);
    return self;
}

static int region_of_category(int category, int operation)
{
    return N_REGIONS + (category - 1) * N_OPERATIONS + operation;
}

static void number_scopes(struct otf2 *self)
{
    const struct event_setup *setup = self->setup;
    int next = setup->has_categories ? region_of_category(N_CATEGORIES, 0) : N_REGIONS;
    self->scope_regions = xcalloc((size_t)setup->n_scopes, sizeof *self->scope_regions);
    for (int i = 0; i < setup->n_scopes; i++)
        self->scope_regions[i] = setup->scopes[i][0] != '\0' ? next++ : -1;
}

static void otf2_begin(void *data, const struct event_setup *setup)
{
    struct otf2 *self = data;
    self->setup = setup;
    number_scopes(self);
    self->locations = xcalloc((size_t)setup->n_locations, sizeof *self->locations);
    self->pieces.n_events = xcalloc((size_t)setup->n_locations, sizeof *self->pieces.n_events);
}

/* --- calls --- */

static enum piece_region region_of_send(const struct event *event)
{
    bool synchronous = (event->call & CALL_SYNCHRONOUS) != 0;
    if (event->call & CALL_BEGUN)
        return synchronous ? REGION_ISSEND : REGION_ISEND;
    return synchronous ? REGION_SSEND : REGION_SEND;
}

static enum piece_region region_of_call(const struct location *location, const struct event *last)
{
    if (last != NULL && last->is_message)
        return region_of_send(last);
    if (last != NULL && last->is_receipt)
        return location->waits_receive ? REGION_WAIT : REGION_RECV;
    return location->call.state == STATE_IDLE ? REGION_IDLE : REGION_WAIT;
}

/* Whether a call says how much of it was waiting. Where nothing is said, it is found out by when the other rank
 * came. */
static bool says_idle(const struct call *call, enum piece_region region)
{
    return region != REGION_IDLE &&
           (call->waited || call->idle_ps > 0 || region == REGION_SSEND || region == REGION_ISSEND);
}

static void fill_message(struct location *location, struct piece *piece, const struct event *last)
{
    piece->at_ps = last->is_message ? last->start_ps : last->end_ps;
    piece->bytes = last->bytes;
    piece->peer = last->peer;
    piece->tag = last->tag;
    if (last->is_message && (last->call & CALL_BEGUN)) {
        piece->message = MESSAGE_BEGUN;
        piece->request = requests_begin(&location->requests, last->request, false, last->tag == -1);
    } else if (last->is_message) {
        piece->message = MESSAGE_SENT;
    } else {
        piece->message = location->waits_receive ? MESSAGE_TAKEN_IN : MESSAGE_RECEIVED;
        piece->request = location->awaited.id;
        location->waits_receive = false;
    }
}

/* The location's call is over; `last` is the event that ended it, or NULL if it just went no further. */
static void add_call(struct otf2 *self, int number, const struct event *last)
{
    struct location *location = &self->locations[number];
    const struct call *call = &location->call;
    enum piece_region region = region_of_call(location, last);
    struct piece piece = {.start_ps = call->start_ps,
                          .end_ps = call->end_ps,
                          .numbers = {call->idle_ps},
                          .attributes = {says_idle(call, region) ? ATTRIBUTE_IDLE : N_ATTRIBUTES, N_ATTRIBUTES},
                          .region = (int32_t)region,
                          .scope_region = self->scope_regions[call->scope],
                          .role = region == REGION_IDLE ? STATE_IDLE : N_LOCATION_STATES};
    if (last != NULL && (last->is_message || last->is_receipt))
        fill_message(location, &piece, last);
    sorter_add(self->sorter, number, 0, &piece);
    location->call.open = false;
}

/* A call that takes no time and is only about a request. */
static void add_request(struct otf2 *self, int number, int64_t start_ps, int64_t end_ps, int scope,
                        enum piece_message message, uint64_t request)
{
    const struct piece piece = {.start_ps = start_ps,
                                .end_ps = end_ps,
                                .at_ps = end_ps,
                                .attributes = {message == MESSAGE_ENDED ? ATTRIBUTE_IDLE : N_ATTRIBUTES, N_ATTRIBUTES},
                                .region = message == MESSAGE_ENDED ? REGION_WAIT : REGION_IRECV,
                                .scope_region = self->scope_regions[scope],
                                .role = N_LOCATION_STATES,
                                .message = (uint8_t)message,
                                .request = request};
    sorter_add(self->sorter, number, 0, &piece);
}

/* The location has waited for its sends until end_ps: for the first of them, then the others are complete too. */
static void end_sends(struct otf2 *self, int number, int64_t end_ps)
{
    struct location *location = &self->locations[number];
    for (size_t i = 0; i < location->n_sends; i++)
        add_request(self, number, i == 0 ? location->waits_ps : end_ps, end_ps, location->waits_scope, MESSAGE_ENDED,
                    location->sends[i].id);
    location->n_sends = 0;
}

static void add_awaited_send(struct location *location, const struct request *request)
{
    location->sends = xgrow(location->sends, location->n_sends, &location->capacity, sizeof *location->sends);
    location->sends[location->n_sends++] = *request;
}

/* A number that is not pending means nothing, to the kernel too. */
static void begin_wait(struct location *location, const struct event *event)
{
    struct request request;
    location->waits_ps = event->start_ps;
    location->waits_scope = event->scope;
    if (event->request == 0 && event->state == STATE_SEND) {
        while (requests_end_first(&location->requests, &request, false))
            add_awaited_send(location, &request);
        return;
    }
    if (event->request == 0 ? !requests_end_first(&location->requests, &request, true)
                            : !requests_end(&location->requests, &request, event->request, event->tag == -1))
        return;
    if (!request.receives)
        add_awaited_send(location, &request);
    else
        location->awaited = request;
    location->waits_receive = request.receives;
}

/* Events of enum event_call that are no messages: whether this is one. */
static bool take_request(struct otf2 *self, const struct event *event)
{
    struct location *location = &self->locations[event->location];
    if (event->call & CALL_WAITED && location->n_sends > 0) {
        end_sends(self, event->location, event->end_ps);
        return true;
    }
    end_sends(self, event->location, location->waits_ps);
    if (event->call & CALL_WAITS)
        begin_wait(location, event);
    else if (event->call & CALL_BEGUN && !event->is_message)
        add_request(self, event->location, event->start_ps, event->start_ps, event->scope, MESSAGE_POSTED,
                    requests_begin(&location->requests, event->request, true, event->tag == -1));
    else
        return false;
    return true;
}

/* --- all other time --- */

static int region_of_state(const struct event *event)
{
    static const int of_state[N_LOCATION_STATES] = {
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
static enum piece_attribute attribute_of(const struct event *event, int64_t *number)
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
    enum piece_attribute attribute = attribute_of(event, &number);
    const struct piece piece = {.start_ps = event->start_ps,
                                .end_ps = event->end_ps,
                                .numbers = {number},
                                .attributes = {(uint8_t)attribute, N_ATTRIBUTES},
                                .region = region_of_state(event),
                                .scope_region = self->scope_regions[event->scope],
                                .role = event->state};
    if (event->start_ps < event->end_ps || event->operations > 0)
        sorter_add(self->sorter, event->location, 0, &piece);
}

static void otf2_write(void *data, const struct event *event)
{
    struct otf2 *self = data;
    struct call *call = &self->locations[event->location].call;
    bool is_mark = call_is_mark(event);
    if (is_mark && event->call == CALL_PLAIN)
        return;
    if (call->open && (is_mark || !call_takes(call, event)))
        add_call(self, event->location, NULL);
    if (take_request(self, event))
        return;
    if (!call_takes(call, event))
        add_state(self, event);
    else if (call_add(call, event))
        add_call(self, event->location, event);
}

static int otf2_copy(void *data, struct record_reader *reader, struct sim_error *error)
{
    struct otf2 *self = data;
    return copy_records(&self->copy, &self->pieces, reader, self->scope_regions, error);
}

/* --- the locations' files --- */

/* Every location gets a file, one without pieces too. */
static void write_locations(struct otf2 *self)
{
    int n_locations = self->setup->n_locations;
    struct archive_output *archive = &self->pieces.archive;
    int64_t location;
    for (int i = 0; i < n_locations; i++) {
        if (self->locations[i].call.open)
            add_call(self, i, NULL);
        end_sends(self, i, self->locations[i].waits_ps);
    }
    const struct piece *piece = sorter_next(self->sorter, &location);
    for (int i = 0; i < n_locations && archive->status == OTF2_SUCCESS; i++) {
        piece_begin_location(&self->pieces, i);
        for (; piece != NULL && location == i && archive->status == OTF2_SUCCESS;
             piece = sorter_next(self->sorter, &location))
            piece_write(&self->pieces, piece);
        piece_end_location(&self->pieces, i);
    }
    errno = sorter_status(self->sorter);
    archive_check(archive, errno == 0 ? OTF2_SUCCESS : OTF2_ERROR_FILE_INTERACTION);
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
            archive_define_region(&self->pieces.archive, region_of_category(c, o), name, OTF2_REGION_ROLE_CODE,
                                  OTF2_PARADIGM_USER);
            free(name);
        }
}

static void define_all(struct otf2 *self, int64_t end_ps)
{
    const struct event_setup *setup = self->setup;
    struct archive_output *archive = &self->pieces.archive;
    archive_begin_definitions(archive, setup->n_locations);
    if (archive->status != OTF2_SUCCESS)
        return;
    piece_define(&self->pieces, end_ps);
    if (setup->has_categories)
        define_categories(self);
    for (int i = 0; i < setup->n_scopes; i++)
        if (self->scope_regions[i] >= 0)
            archive_define_region(archive, self->scope_regions[i], setup->scopes[i], OTF2_REGION_ROLE_CODE,
                                  OTF2_PARADIGM_USER);
    archive_define_locations(archive, setup->n_ranks, setup->n_locations, self->pieces.n_events);
    copy_define(&self->copy, archive);
}

/* --- the end --- */

static void dispose(struct otf2 *self)
{
    int n_locations = self->setup != NULL ? self->setup->n_locations : 0;
    for (int i = 0; i < n_locations; i++) {
        requests_dispose(&self->locations[i].requests);
        free(self->locations[i].sends);
    }
    copy_dispose(&self->copy);
    piece_output_dispose(&self->pieces);
    sorter_free(self->sorter);
    free(self->pieces.n_events);
    free(self->scope_regions);
    free(self->locations);
}

/* All is freed but what is in the partial folder, which is whole if the status says so. */
static void close_archive(struct otf2 *self, int64_t end_ps)
{
    struct archive_output *archive = &self->pieces.archive;
    if (archive->status == OTF2_SUCCESS && self->copy.info == NULL)
        write_locations(self);
    if (archive->archive != NULL)
        archive_check(archive, OTF2_Archive_CloseEvtFiles(archive->archive));
    if (archive->status == OTF2_SUCCESS)
        define_all(self, self->copy.info != NULL ? self->copy.info->end_ps : end_ps);
    archive_close(archive);
    dispose(self);
}

static void otf2_abandon(void *data)
{
    struct otf2 *self = data;
    archive_check(&self->pieces.archive,
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
    if (self->pieces.archive.status != OTF2_SUCCESS) {
        status = sim_error_set(error, SIM_UNFINISHED, self->output.file, 0, "could not be written: %s",
                               archive_reason(&self->pieces.archive));
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
    .endings = endings,
    .open = otf2_open,
    .begin = otf2_begin,
    .write = otf2_write,
    .copy = otf2_copy,
    .close = otf2_close,
    .abandon = otf2_abandon,
};
