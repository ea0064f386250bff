/* The messages of a step of random.c, and how a rank does its part of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RANDOM_MESSAGES_H
#define RANDOM_MESSAGES_H

#include "random_draw.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = 12, LONGEST = 70000, MOST_REQUESTS = 2 * MOST + 2 };

/* One place to communicate in. Of an intercommunicator the two groups are sides; of others both are the same. */
struct place {
    MPI_Comm comm;
    bool is_inter;
    int side; /* this rank's */
    int rank; /* in it; -1 if it is not a member */
    int n[2]; /* members of the sides */
};
struct message {
    int from, to, tag, bytes; /* ranks in their sides */
    int side;                 /* of the sender */
};

static char out[MOST][LONGEST], in[MOST][LONGEST], mailbox[MOST * (LONGEST + MPI_BSEND_OVERHEAD)];

/* A rank's part in a step of messages, and its pending requests, the first n_in of receives. */
struct part {
    const struct place *place;
    struct message in[MOST], out[MOST];
    int n_in, n_out;
    MPI_Request requests[MOST_REQUESTS];
    int n, n_persistent;
    bool takes_any;
    long bytes_in;
};

/* Which source and tag a receive asks for; all of a rank's receives in the same way. */
static void ask(const struct part *part, const struct message *message, int way, int *source, int *tag)
{
    *source = part->takes_any && (way & 1) != 0 ? MPI_ANY_SOURCE : message->from;
    *tag = part->takes_any && (way & 2) != 0 ? MPI_ANY_TAG : message->tag;
}

static void post_receives(struct part *part, bool is_persistent)
{
    int source, tag, way = own(4);
    for (int i = 0; i < part->n_in; i++) {
        MPI_Request *request = &part->requests[part->n++];
        ask(part, &part->in[i], way, &source, &tag);
        if (is_persistent)
            MPI_Recv_init(in[i], LONGEST, MPI_CHAR, source, tag, part->place->comm, request);
        else
            MPI_Irecv(in[i], LONGEST, MPI_CHAR, source, tag, part->place->comm, request);
    }
}

typedef int send_function(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int isend_function(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static void send_blocking(const struct part *part, int i)
{
    static send_function *const sends[] = {MPI_Send, MPI_Ssend, MPI_Bsend};
    const struct message *message = &part->out[i];
    sends[own(3)](out[i], message->bytes, MPI_CHAR, message->to, message->tag, part->place->comm);
}

static void send_pending(struct part *part, int i, bool is_persistent)
{
    static isend_function *const sends[2][3] = {{MPI_Isend, MPI_Issend, MPI_Ibsend},
                                                {MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init}};
    const struct message *message = &part->out[i];
    sends[is_persistent][own(3)](out[i], message->bytes, MPI_CHAR, message->to, message->tag, part->place->comm,
                                 &part->requests[part->n++]);
}

static void start(struct part *part)
{
    if (own(2) == 0)
        MPI_Startall(part->n_persistent, part->requests);
    else
        for (int i = 0; i < part->n_persistent; i++)
            MPI_Start(&part->requests[i]);
}

/* Complete all requests, in one of nine ways; none of them is pending then. */
static void finish(struct part *part)
{
    MPI_Status statuses[MOST_REQUESTS];
    MPI_Request *requests = part->requests;
    int n = part->n, way = own(9), which[MOST_REQUESTS], done = 0, flag = 0;
    for (int i = 0; way == 0 && i < n; i++)
        MPI_Wait(&requests[i], own(2) == 0 ? MPI_STATUS_IGNORE : &statuses[i]);
    for (int i = 0; way == 1 && i < n; i++)
        for (flag = 0; !flag; sched_yield())
            MPI_Test(&requests[i], &flag, own(2) == 0 ? MPI_STATUS_IGNORE : &statuses[i]);
    if (way == 2)
        MPI_Waitall(n, requests, statuses);
    if (way == 3)
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    for (flag = 0; way == 4 && !flag; sched_yield())
        MPI_Testall(n, requests, &flag, own(2) == 0 ? MPI_STATUSES_IGNORE : statuses);
    for (done = 0; way == 5 && done != MPI_UNDEFINED;)
        MPI_Waitany(n, requests, &done, own(2) == 0 ? MPI_STATUS_IGNORE : statuses);
    for (done = 0; way == 6 && !(flag && done == MPI_UNDEFINED); sched_yield())
        MPI_Testany(n, requests, &done, &flag, own(2) == 0 ? MPI_STATUS_IGNORE : statuses);
    for (done = 0; way == 7 && done != MPI_UNDEFINED;)
        MPI_Waitsome(n, requests, &done, which, own(2) == 0 ? MPI_STATUSES_IGNORE : statuses);
    for (done = 0; way == 8 && done != MPI_UNDEFINED; sched_yield())
        MPI_Testsome(n, requests, &done, which, own(2) == 0 ? MPI_STATUSES_IGNORE : statuses);
    for (int i = 0, bytes; way == 2 && i < part->n_in; i++) {
        MPI_Get_count(&statuses[i], MPI_CHAR, &bytes);
        part->bytes_in -= bytes;
    }
    CHECK(way != 2 || part->bytes_in == 0);
}

/* Receive one message, found by a probe or not. */
static void receive(struct part *part, int i, int way)
{
    MPI_Comm comm = part->place->comm;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int source, tag, flag = 0, how = own(5);
    ask(part, &part->in[i], way, &source, &tag);
    if (how == 0)
        MPI_Probe(source, tag, comm, &status);
    while (how == 1 && !flag)
        MPI_Iprobe(source, tag, comm, &flag, &status);
    if (how == 2)
        MPI_Mprobe(source, tag, comm, &message, MPI_STATUS_IGNORE);
    while (how == 3 && !flag)
        MPI_Improbe(source, tag, comm, &flag, &message, &status);
    if (how < 2)
        MPI_Recv(in[i], LONGEST, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, comm, MPI_STATUS_IGNORE);
    else if (how == 2)
        MPI_Mrecv(in[i], LONGEST, MPI_CHAR, &message, &status);
    else if (how == 3)
        MPI_Imrecv(in[i], LONGEST, MPI_CHAR, &message, &request);
    else
        MPI_Recv(in[i], LONGEST, MPI_CHAR, source, tag, comm, own(2) == 0 ? MPI_STATUS_IGNORE : &status);
    if (how == 3)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A receive that nothing is sent to. */
static void cancel_one(const struct part *part)
{
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(in[0], 1, MPI_CHAR, 0, 99, part->place->comm, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
}

/* All receives are posted before any send. */
static void do_posted(struct part *part)
{
    post_receives(part, false);
    for (int i = 0; i < part->n_out; i++) {
        if (own(3) == 0)
            send_blocking(part, i);
        else
            send_pending(part, i, false);
    }
    if (own(4) == 0)
        cancel_one(part);
    finish(part);
}

/* No send blocks. */
static void do_probed(struct part *part)
{
    int way = own(4);
    for (int i = 0; i < part->n_out; i++)
        send_pending(part, i, false);
    for (int i = 0; i < part->n_in; i++)
        receive(part, i, way);
    part->n_in = 0;
    part->bytes_in = 0;
    finish(part);
}

/* The same messages several times. */
static void do_persistent(struct part *part, int n_rounds)
{
    long bytes = part->bytes_in;
    post_receives(part, true);
    for (int i = 0; i < part->n_out; i++)
        send_pending(part, i, true);
    part->n_persistent = part->n;
    for (int round = 0; round < n_rounds; round++) {
        part->bytes_in = bytes;
        start(part);
        finish(part);
        MPI_Barrier(part->place->comm);
        count_call("BARRIER");
    }
    for (int i = 0; i < part->n; i++)
        MPI_Request_free(&part->requests[i]);
}

/* One after the other, in the order of all; nobody sends to itself. */
static void do_ordered(struct part *part, const struct message *messages, int n)
{
    for (int i = 0, o = 0, r = 0; i < n; i++) {
        if (o < part->n_out && memcmp(&messages[i], &part->out[o], sizeof *messages) == 0)
            send_blocking(part, o++);
        if (r < part->n_in && memcmp(&messages[i], &part->in[r], sizeof *messages) == 0)
            receive(part, r++, 0);
    }
}

static void count_part(const struct part *part, int n_rounds)
{
    for (int i = 0; i < n_rounds * part->n_out; i++)
        count_send(part->place->comm, part->out[i / n_rounds].to, part->out[i / n_rounds].bytes);
    for (int i = 0; i < n_rounds * part->n_in; i++)
        count_receive(part->place->comm, part->in[i / n_rounds].from, part->in[i / n_rounds].bytes);
}

/* This rank's part of the plan's messages. */
static struct part part_of(const struct place *place, const struct message *messages, int n, bool takes_any)
{
    struct part part = {.place = place, .takes_any = takes_any};
    for (int i = 0; i < n; i++) {
        const struct message *message = &messages[i];
        bool comes = !place->is_inter || message->side != place->side;
        if ((!place->is_inter || message->side == place->side) && message->from == place->rank)
            part.out[part.n_out++] = *message;
        if (comes && message->to == place->rank) {
            part.in[part.n_in++] = *message;
            part.bytes_in += message->bytes;
        }
    }
    return part;
}

/* Everyone draws the same, also who is not a member, and groups of different size. */
static int plan_messages(const struct place *place, bool to_self, struct message *messages)
{
    int n = 1 + draw(MOST);
    for (int i = 0; i < n; i++) {
        uint32_t from = draw_any(), to = draw_any(), kind = draw_any(), length = draw_any();
        int side = draw(2), n_from = place->n[side], n_to = place->n[place->is_inter ? !side : side];
        bool is_long = kind % 5 == 0;
        if (place->rank < 0)
            continue;
        messages[i] = (struct message){.from = (int)(from % (uint32_t)n_from),
                                       .to = (int)(to % (uint32_t)n_to),
                                       .tag = (int)(kind >> 8) % 4,
                                       .bytes = (int)(length % (is_long ? LONGEST + 1 : 300)),
                                       .side = place->is_inter ? side : 0};
        if (!to_self && !place->is_inter && messages[i].from == messages[i].to)
            messages[i].to = (messages[i].to + 1) % n_to;
    }
    return n;
}

static void end_step(const struct place *place, bool with_barrier)
{
    void *buffer;
    int size;
    if (with_barrier) {
        MPI_Barrier(place->comm);
        count_call("BARRIER");
    }
    MPI_Buffer_detach(&buffer, &size); /* when it is empty */
    MPI_Buffer_attach(mailbox, (int)sizeof mailbox);
}

/* A step of messages. */
static void step_messages(const struct place *place)
{
    enum { POSTED, PROBED, PERSISTENT, ORDERED, N_KINDS };
    struct message messages[MOST];
    int kind = draw(N_KINDS), n_rounds = kind == PERSISTENT ? 1 + draw(3) : 1, takes_any = draw(2);
    int n = plan_messages(place, kind != ORDERED, messages);
    if (place->rank < 0 || (kind == ORDERED && !place->is_inter && place->n[0] == 1))
        return;
    struct part part = part_of(place, messages, n, takes_any != 0), plan = part;
    if (kind == POSTED)
        do_posted(&part);
    else if (kind == PROBED)
        do_probed(&part);
    else if (kind == PERSISTENT)
        do_persistent(&part, n_rounds);
    else
        do_ordered(&part, messages, n);
    count_part(&plan, n_rounds);
    end_step(place, takes_any);
}

#endif
