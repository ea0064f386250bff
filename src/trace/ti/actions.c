/* The table of TI's actions, and the records that each of them makes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/actions.h"

#include "base/units.h"
#include "trace/ti/collectives.h"
#include "trace/ti/source.h"
#include "trace/ti/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct ti_action {
    const char *name;
    size_t length;
    int (*read)(struct ti_call *call);
    uint8_t kind; /* enum record_kind */
    uint8_t collective;
    bool has_blocks;
};

/* A record of that kind without anything in it. */
static void begin_record(struct record *record, unsigned kind, unsigned collective)
{
    static const struct record nothing = {.peer = -1, .idle_ps = -1};
    *record = nothing;
    record->kind = (uint8_t)kind;
    record->collective = (uint8_t)collective;
}

/* --- actions of one rank --- */

static int read_message(struct ti_call *call);

/* MPI_Ssend, as SMPI writes it. */
static int read_synchronous(struct ti_call *call)
{
    int status = read_message(call);
    call->record->synchronous = true;
    return status;
}

static int read_nothing(struct ti_call *call)
{
    (void)call;
    return 0;
}

static int read_split(struct ti_call *call)
{
    if (call->self->split_line == 0)
        call->self->split_line = call->line;
    return 0;
}

static int read_init(struct ti_call *call)
{
    call->self->default_bytes = ti_has_more(call) ? 8 : 1;
    call->self->begun = true;
    return 0;
}

static int read_finalize(struct ti_call *call)
{
    call->self->ended = true;
    return ti_read_end(call, 0);
}

static int read_compute(struct ti_call *call)
{
    if (ti_read_flops(call, &call->record->flops) != 0)
        return -1;
    call->record->control = ti_read_word(call, "control");
    return ti_read_end(call, 1);
}

static int read_sleep(struct ti_call *call)
{
    if (!ti_has_more(call))
        return ti_fail_missing(call, "the seconds");
    const char *word = call->at;
    if (!ti_parse_seconds(&call->record->end_ps, &call->at) || call->record->end_ps < 0)
        return sim_error_set(call->error, SIM_BAD_INPUT, call->file, call->line,
                             "sleep: '%.*s' is not a number of seconds within 0 ... %.6g", ti_shown_length(word), word,
                             units_seconds(PS_MAX));
    return ti_read_end(call, 1);
}

/* --- messages --- */

/* How much is sent, or received: then it may be -1, not known until it has come, which SMPI itself writes unsigned. */
static int read_length(struct ti_call *call, int64_t *count, bool sends)
{
    static const char unknown[] = "18446744073709551615";
    if (!sends && ti_has_more(call) && ti_read_word(call, unknown)) {
        *count = -1;
        return 0;
    }
    return ti_read_count_from(call, count, sends ? 0 : -1);
}

static int read_message(struct ti_call *call)
{
    struct record *record = call->record;
    bool sends = record->kind == RECORD_SEND || record->kind == RECORD_ISEND;
    int64_t count, bytes;
    if ((sends ? ti_read_rank(call, &record->peer, "the destination") : ti_read_source(call, &record->peer)) != 0 ||
        (sends ? ti_read_tag(call, &record->tag) : ti_read_any_tag(call, &record->tag, &record->any_tag)) != 0 ||
        read_length(call, &count, sends) != 0 || ti_read_datatype(call, &bytes) != 0)
        return -1;
    record->bytes = count < 0 ? -1 : count * bytes;
    record->synchronous = sends && ti_read_word(call, "synchronous");
    record->exchanges = record->kind == RECORD_ISEND && ti_read_word(call, "exchanges");
    record->combines = (record->kind == RECORD_RECV || record->kind == RECORD_IRECV) && ti_read_word(call, "combines");
    if (record->kind == RECORD_ISEND)
        record->request = ti_pending_begin(&call->self->pending, call->rank, record->peer, record->tag);
    else if (record->kind == RECORD_IRECV)
        record->request = ti_pending_begin(&call->self->pending, record->peer, call->rank,
                                           record->any_tag ? TI_ANY_TAG : record->tag);
    return ti_read_end(call, 1);
}

/* A receive from any source may be waited for by the source that it had, or under the tag. */
static uint32_t end_request(struct ti_pending *pending, int from, int to, int tag)
{
    uint32_t request = ti_pending_end(pending, from, to, tag);
    if (request == 0)
        request = ti_pending_end(pending, -1, to, tag);
    if (request == 0)
        request = ti_pending_end(pending, from, to, TI_ANY_TAG);
    return request != 0 ? request : ti_pending_end(pending, -1, to, TI_ANY_TAG);
}

/* A request of that name must have been begun, or, as SimGrid has it, at least another one. */
static int read_wait(struct ti_call *call)
{
    struct ti_pending *pending = &call->self->pending;
    int32_t from, to, tag;
    bool any = ti_pending_any(pending), any_tag;
    if (ti_read_source(call, &from) != 0 || ti_read_rank(call, &to, "the destination") != 0 ||
        ti_read_any_tag(call, &tag, &any_tag) != 0)
        return -1;
    call->record->request = end_request(pending, from, to, any_tag ? TI_ANY_TAG : tag);
    if (!any)
        return sim_error_set(call->error, SIM_BAD_INPUT, call->file, call->line,
                             "wait: rank %d has no isend or irecv that it has not waited for yet", call->rank);
    return ti_read_end(call, call->record->request != 0);
}

/* Says nothing of whether the request was complete, so that it is left to be waited for. */
static int read_test(struct ti_call *call)
{
    int32_t from, to, tag;
    bool any_tag;
    if (ti_read_source(call, &from) != 0 || ti_read_rank(call, &to, "the destination") != 0 ||
        ti_read_any_tag(call, &tag, &any_tag) != 0)
        return -1;
    return ti_read_end(call, 0);
}

static int read_waitall(struct ti_call *call)
{
    call->record->request = RECORD_ALL_REQUESTS;
    return ti_pending_end_all(&call->self->pending);
}

static int read_sendrecv(struct ti_call *call)
{
    struct record *send = call->record, *receive = &call->self->further[1], *wait = &call->self->further[0];
    int64_t sent, received, sent_bytes, received_bytes;
    if (call->self->exchange_line == 0)
        call->self->exchange_line = call->line;
    begin_record(receive, RECORD_RECV, 0);
    begin_record(wait, RECORD_WAIT, 0);
    if (ti_read_count(call, &sent) != 0 || ti_read_rank(call, &send->peer, "the destination") != 0 ||
        ti_read_count(call, &received) != 0 || ti_read_rank(call, &receive->peer, "the source") != 0 ||
        ti_read_datatypes(call, &sent_bytes, &received_bytes) != 0)
        return -1;
    send->bytes = sent * sent_bytes;
    send->exchanges = true;
    receive->bytes = received * received_bytes;
    send->request = wait->request = ti_pending_begin(&call->self->pending, call->rank, -1, 0);
    ti_pending_end(&call->self->pending, call->rank, -1, 0); /* its wait follows at once */
    call->self->n_further = 2;
    return ti_read_end(call, 1);
}

/* --- all of them --- */

#define ROW(name, read, kind, collective, has_blocks)                                                                  \
    {                                                                                                                  \
        name, sizeof name - 1, read, kind, collective, has_blocks                                                      \
    }
#define ACTION(name, read, kind, collective) ROW(name, read, kind, collective, false)
#define IGNORED(name) ACTION(name, read_nothing, RECORD_CALL, 0)
#define MESSAGE(name, kind) ACTION(name, read_message, kind, 0)
#define COLLECTIVE(name, read, collective) ACTION(name, read, RECORD_COLLECTIVE, collective)
#define WITH_BLOCKS(name, read, collective) ROW(name, read, RECORD_COLLECTIVE, collective, true)

/* The frequent ones first. */
static const struct ti_action actions[] = {
    MESSAGE("send", RECORD_SEND),
    MESSAGE("recv", RECORD_RECV),
    ACTION("compute", read_compute, RECORD_COMPUTE, 0),
    MESSAGE("isend", RECORD_ISEND),
    MESSAGE("irecv", RECORD_IRECV),
    ACTION("Ssend", read_synchronous, RECORD_SEND, 0),
    ACTION("wait", read_wait, RECORD_WAIT, 0),
    ACTION("waitall", read_waitall, RECORD_WAIT, 0),
    ACTION("test", read_test, RECORD_WAIT, 0),
    ACTION("sendRecv", read_sendrecv, RECORD_ISEND, 0),
    ACTION("sleep", read_sleep, RECORD_SLEEP, 0),
    COLLECTIVE("barrier", ti_read_barrier, RECORD_BARRIER),
    COLLECTIVE("bcast", ti_read_broadcast, RECORD_BROADCAST),
    COLLECTIVE("reduce", ti_read_reduction, RECORD_REDUCE),
    COLLECTIVE("allreduce", ti_read_reduction, RECORD_ALLREDUCE),
    COLLECTIVE("scan", ti_read_reduction, RECORD_SCAN),
    COLLECTIVE("exscan", ti_read_reduction, RECORD_EXSCAN),
    COLLECTIVE("alltoall", ti_read_exchange, RECORD_ALLTOALL),
    COLLECTIVE("allgather", ti_read_exchange, RECORD_ALLGATHER),
    COLLECTIVE("gather", ti_read_exchange, RECORD_GATHER),
    COLLECTIVE("scatter", ti_read_exchange, RECORD_SCATTER),
    WITH_BLOCKS("gatherv", ti_read_gatherv, RECORD_GATHER),
    WITH_BLOCKS("allgatherv", ti_read_gatherv, RECORD_ALLGATHER),
    WITH_BLOCKS("scatterv", ti_read_scatterv, RECORD_SCATTER),
    WITH_BLOCKS("reducescatter", ti_read_reduce_scatter, RECORD_REDUCE_SCATTER),
    WITH_BLOCKS("alltoallv", ti_read_alltoallv, RECORD_ALLTOALL),
    ACTION("init", read_init, RECORD_CALL, 0),
    ACTION("finalize", read_finalize, RECORD_CALL, 0),
    IGNORED("comm_size"),
    ACTION("comm_split", read_split, RECORD_CALL, 0),
    IGNORED("comm_dup"),
    IGNORED("location"),
};

enum { N_ACTIONS = sizeof actions / sizeof actions[0] };

static int fail_unknown(struct ti_call *call)
{
    char known[400] = "";
    for (int i = 0; i < N_ACTIONS; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", actions[i].name);
    if (*call->at == '\n')
        return sim_error_set(call->error, SIM_BAD_INPUT, call->file, call->line,
                             "the line ends where it must have an action; known:%s", known);
    if (!call->self->is_known) /* the file may be no trace, and not meant to be read by all */
        return sim_error_set(call->error, SIM_BAD_INPUT, call->file, call->line, "unknown action; known:%s", known);
    return sim_error_set(call->error, SIM_BAD_INPUT, call->file, call->line, "unknown action '%.*s'; known:%s",
                         ti_shown_length(call->at), call->at, known);
}

/* The action that the word names, or NULL; its length. */
static const struct ti_action *find_action(const char *word, size_t *length)
{
    *length = (size_t)(ti_skip_word(word) - word);
    for (int i = 0; i < N_ACTIONS; i++)
        if (actions[i].length == *length && actions[i].name[0] == word[0] &&
            memcmp(actions[i].name, word, *length) == 0)
            return &actions[i];
    return NULL;
}

bool ti_is_action(const char *word)
{
    size_t length;
    return find_action(word, &length) != NULL;
}

bool ti_has_blocks(const char *word)
{
    size_t length;
    const struct ti_action *action = find_action(word, &length);
    return action != NULL && action->has_blocks;
}

int ti_action_read(struct ti_call *call)
{
    size_t length;
    const struct ti_action *action = find_action(call->at, &length);
    if (action == NULL)
        return fail_unknown(call);
    call->action = action->name;
    call->self->is_known = true;
    call->default_bytes = call->self->default_bytes;
    call->at += length;
    begin_record(call->record, action->kind, action->collective);
    return action->read(call);
}

int ti_action_further(struct ti_rank *self, struct record *record)
{
    if (self->n_further > 0) {
        *record = self->further[--self->n_further];
        return 1;
    }
    return 0;
}
