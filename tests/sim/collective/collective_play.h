/* Collectives carried out without a clock, as sends and receives of sets of blocks: to see what arrives.
 *
 * The whole, be it a message, a vector or all blocks in the order of ranks, is cut where any message's part of it
 * begins or ends. For each piece a rank has a set: of the ranks whose contribution is in it where something is
 * combined, else empty or not. A rank may send only what it has; it may add a contribution once only; a complete piece
 * takes the place of any other.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_COLLECTIVE_PLAY_H
#define TESTS_COLLECTIVE_PLAY_H

#include "base/memory.h"
#include "tests/sim/collective/collective_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CUTS = 4 * MOST * MOST };

static int failures;

struct parcel {
    int from, to;
    int64_t bytes;
    uint64_t *pieces; /* of the part */
    int first, count; /* which */
    bool taken;
    int next; /* of the same two ranks */
};

/* A receive that is posted ahead. */
struct posting {
    int peer, parcel; /* -1: it has not come */
    int64_t bytes;
    uint32_t number;
};

struct member {
    int64_t i;
    bool blocked;    /* in the send of a parcel that has not been taken */
    int parcel;      /* its */
    int begun[MOST]; /* by request: a parcel, or -1 */
    int n_begun;
    struct posting postings[MOST]; /* those that have not been waited for, in their order */
    int n_postings;
    bool waits; /* for all */
};

static struct {
    const struct collective_row *row;
    const struct coll_spec *spec;
    struct coll_call call;
    bool rendezvous;
    int64_t whole; /* bytes */
    int64_t cuts[MOST_CUTS];
    int n_pieces;
    uint64_t pieces[MOST][MOST_CUTS]; /* of each rank */
    struct member members[MOST];
    struct parcel *parcels;
    size_t n_parcels, capacity;
    int first[MOST][MOST], last[MOST][MOST]; /* parcels that have not been taken */
    int at[MOST][MOST];                      /* all-to-all: where the block from, to is; -1: under way */
    int64_t bytes;
    bool moved; /* since it was last looked at */
    bool broken;
} play;

static void complain(const char *what, int64_t found, int64_t expected)
{
    play.broken = true;
    if (failures++ < 10)
        fprintf(stderr, "%s %s, %d ranks, root %d, %" PRId64 " bytes%s: %s: %" PRId64 ", expected %" PRId64 "\n",
                coll_families[play.row->family].name, play.row->name, play.call.n_ranks, play.call.root,
                play.call.bytes, play.rendezvous ? ", rendezvous" : "", what, found, expected);
}

static bool expect(const char *what, int64_t found, int64_t expected)
{
    if (found != expected)
        complain(what, found, expected);
    return found == expected;
}

static enum coll_family family(void)
{
    return play.row->family;
}

static bool combines(void)
{
    return family() == COLL_REDUCE || family() == COLL_ALLREDUCE || family() == COLL_BARRIER;
}

static bool is_dealt(void)
{
    return family() == COLL_SCATTER || family() == COLL_GATHER || family() == COLL_ALLGATHER;
}

static uint64_t complete(void)
{
    return !combines() ? 1 : play.call.n_ranks == 64 ? UINT64_MAX : (UINT64_C(1) << play.call.n_ranks) - 1;
}

/* --- cuts --- */

static int compare_cuts(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static void add_cut(int64_t at)
{
    if (play.n_pieces == MOST_CUTS) {
        qsort(play.cuts, MOST_CUTS, sizeof play.cuts[0], compare_cuts);
        int kept = 0;
        for (int i = 0; i < MOST_CUTS; i++)
            if (i == 0 || play.cuts[i] != play.cuts[kept - 1])
                play.cuts[kept++] = play.cuts[i];
        play.n_pieces = kept;
    }
    play.cuts[play.n_pieces++] = at;
}

/* The number of the piece that begins there. */
static int piece_at(int64_t at)
{
    int64_t *found = bsearch(&at, play.cuts, (size_t)play.n_pieces + 1, sizeof at, compare_cuts);
    return found != NULL ? (int)(found - play.cuts) : -1;
}

static void find_cuts(void)
{
    int p = play.call.n_ranks;
    play.n_pieces = 0;
    add_cut(0);
    add_cut(play.whole);
    for (int r = 0; r < p && is_dealt(); r++)
        add_cut(play.whole / p * r);
    for (int r = 0; r < p; r++) {
        struct op op = {.kind = OP_RECV};
        for (int64_t i = 0; play.spec->next(&play.call, r, i, &op); i++)
            if ((op.kind == OP_SEND || op.kind == OP_ISEND) && play.whole > 0) {
                add_cut(op.offset % play.whole);
                add_cut((op.offset + op.bytes) % play.whole);
            }
    }
    add_cut(play.whole); /* so that there is room behind the last one */
    qsort(play.cuts, (size_t)play.n_pieces, sizeof play.cuts[0], compare_cuts);
    int kept = 0;
    for (int i = 0; i < play.n_pieces; i++)
        if (kept == 0 || play.cuts[i] != play.cuts[kept - 1])
            play.cuts[kept++] = play.cuts[i];
    play.n_pieces = kept - 1;
}

/* --- sending and receiving --- */

/* Blocks of an all-to-all that a message carries: the one for its receiver; by Bruck's algorithm all that have the bit
 * of its distance in theirs. */
static bool carries(int from, int to, int source, int target)
{
    int p = play.call.n_ranks, distance = (to - from + p) % p;
    if (strcmp(play.row->name, "bruck") != 0)
        return source == from && target == to;
    return play.at[source][target] == from && (((target - source + p) % p) & distance) != 0;
}

/* Which blocks are under way is remembered in the parcel's pieces: a bit for each target, of each source. */
static void pick_blocks(struct parcel *parcel)
{
    int p = play.call.n_ranks;
    int64_t count = 0;
    parcel->pieces = xcalloc((size_t)p, sizeof *parcel->pieces);
    for (int source = 0; source < p; source++)
        for (int target = 0; target < p; target++)
            if (source != target && carries(parcel->from, parcel->to, source, target)) {
                expect("where the block is that is sent", play.at[source][target], parcel->from);
                parcel->pieces[source] |= UINT64_C(1) << target;
                play.at[source][target] = -1;
                count++;
            }
    expect("bytes of the blocks", parcel->bytes, count * play.call.bytes);
}

static void pick_pieces(struct parcel *parcel, int64_t at)
{
    parcel->first = play.whole > 0 ? piece_at(at) : 0;
    parcel->pieces = xcalloc((size_t)play.n_pieces + 1, sizeof *parcel->pieces);
    if (family() == COLL_BARRIER) { /* whatever its length, a message tells of all that have come */
        parcel->pieces[0] = play.pieces[parcel->from][0];
        parcel->count = 1;
        expect("bytes", parcel->bytes, play.call.bytes);
        return;
    }
    if (!expect("a part begins within the whole", parcel->first >= 0 && (at < play.whole || parcel->bytes == 0), true))
        return;
    for (int64_t bytes = 0; bytes < parcel->bytes; parcel->count++) {
        int piece = (parcel->first + parcel->count) % play.n_pieces;
        if (!expect("a part is not more than the whole", parcel->count < play.n_pieces, true))
            return;
        bytes += play.cuts[piece + 1] - play.cuts[piece];
        expect("a part ends where a piece ends", bytes <= parcel->bytes, true);
        parcel->pieces[parcel->count] = play.pieces[parcel->from][piece];
        expect("the sender has what it sends", parcel->pieces[parcel->count] != 0, true);
    }
}

/* The parcels of two ranks go to the receives that the receiver has posted, as far as there are any. */
static void meet(int from, int to)
{
    struct member *receiver = &play.members[to];
    for (int i = 0; i < receiver->n_postings && play.first[from][to] >= 0; i++) {
        struct posting *posting = &receiver->postings[i];
        if (posting->peer != from || posting->parcel >= 0)
            continue;
        posting->parcel = play.first[from][to];
        play.parcels[posting->parcel].taken = true;
        play.first[from][to] = play.parcels[posting->parcel].next;
        play.moved = true;
    }
}

static int hand_over(int from, const struct op *op)
{
    play.parcels = xgrow(play.parcels, play.n_parcels, &play.capacity, sizeof *play.parcels);
    int index = (int)play.n_parcels++, to = op->peer;
    struct parcel *parcel = &play.parcels[index];
    *parcel = (struct parcel){.from = from, .to = to, .bytes = op->bytes, .next = -1};
    if (family() == COLL_ALLTOALL)
        pick_blocks(parcel);
    else
        pick_pieces(parcel, op->offset);
    if (play.first[from][to] < 0)
        play.first[from][to] = index;
    else
        play.parcels[play.last[from][to]].next = index;
    play.last[from][to] = index;
    play.bytes += op->bytes;
    play.moved = true;
    meet(from, to);
    return index;
}

static void unpack(int rank, const struct parcel *parcel)
{
    int p = play.call.n_ranks;
    for (int source = 0; source < p && family() == COLL_ALLTOALL; source++)
        for (int target = 0; target < p; target++)
            if ((parcel->pieces[source] >> target & 1) != 0)
                play.at[source][target] = rank;
    for (int i = 0; i < parcel->count; i++) {
        uint64_t *own = &play.pieces[rank][(parcel->first + i) % play.n_pieces], given = parcel->pieces[i];
        if (combines() && family() != COLL_BARRIER && given != complete())
            expect("contributions that come twice", (int64_t)(*own & given), 0);
        *own = given == complete() ? given : *own | given;
    }
}

static void take_in(int rank, struct parcel *parcel, int64_t bytes)
{
    expect("the length received", bytes, parcel->bytes);
    unpack(rank, parcel);
    free(parcel->pieces);
    parcel->pieces = NULL;
    parcel->taken = true;
}

static bool take(int rank, const struct op *op)
{
    int index = play.first[op->peer][rank];
    if (index < 0)
        return false;
    play.first[op->peer][rank] = play.parcels[index].next;
    take_in(rank, &play.parcels[index], op->bytes);
    return true;
}

static bool post(int rank, const struct op *op)
{
    struct member *self = &play.members[rank];
    if (!expect("room for a posted receive", self->n_postings < MOST, true))
        return false;
    self->postings[self->n_postings++] = (struct posting){op->peer, -1, op->bytes, op->request};
    meet(op->peer, rank);
    return true;
}

/* Take in what a posted receive has got; false when it has not come. */
static bool end_posting(int rank, int i)
{
    struct member *self = &play.members[rank];
    const struct posting posting = self->postings[i];
    if (posting.parcel < 0)
        return false;
    take_in(rank, &play.parcels[posting.parcel], posting.bytes);
    self->n_postings--;
    memmove(&self->postings[i], &self->postings[i + 1], (size_t)(self->n_postings - i) * sizeof posting);
    play.moved = true;
    return true;
}

/* A send that is begun is complete at once, or once it has been taken. */
static bool end_send(struct member *self, uint32_t number)
{
    if (play.rendezvous && !play.parcels[self->begun[number]].taken)
        return false;
    self->begun[number] = -1;
    self->n_begun--;
    return true;
}

static bool wait_for_all(int rank)
{
    struct member *self = &play.members[rank];
    expect("something that a wait for all is for", self->n_postings + self->n_begun > 0 || self->waits, true);
    self->waits = true;
    for (int i = 0; i < self->n_postings;)
        i += !end_posting(rank, i);
    for (uint32_t i = 0; i < MOST; i++)
        if (self->begun[i] >= 0)
            end_send(self, i);
    self->waits = self->n_postings + self->n_begun > 0;
    return !self->waits;
}

/* A number is that of a send, or of a receive; the latter's wait says what it is. */
static bool wait_for(int rank, const struct op *op)
{
    struct member *self = &play.members[rank];
    if (op->request == 0)
        return wait_for_all(rank);
    if (op->request < MOST && self->begun[op->request] >= 0)
        return end_send(self, op->request);
    for (int i = 0; i < self->n_postings; i++) {
        const struct posting *posting = &self->postings[i];
        if (posting->number == op->request)
            return expect("the peer of a wait for a receive", op->peer, posting->peer) &&
                   expect("its bytes", op->bytes, posting->bytes) && end_posting(rank, i);
    }
    return expect("a wait for what was begun", op->request, 0);
}

/* Do an op; false when it has to wait. */
static bool do_op(int rank, const struct op *op)
{
    struct member *self = &play.members[rank];
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
        if (!self->blocked)
            self->parcel = hand_over(rank, op);
        self->blocked = play.rendezvous && !play.parcels[self->parcel].taken;
        return !self->blocked;
    case OP_ISEND:
        if (!expect("a request", op->request > 0 && op->request < MOST && self->begun[op->request] < 0, true))
            return false;
        self->begun[op->request] = hand_over(rank, op);
        self->n_begun++;
        return true;
    case OP_RECV:
        return take(rank, op);
    case OP_IRECV:
        return post(rank, op);
    case OP_WAIT:
        return wait_for(rank, op);
    default:
        complain("an op of kind", op->kind, OP_SEND);
        return false;
    }
}

/* Do the next op of a rank; false when it has to wait, or has done all. */
static bool do_next(int rank)
{
    struct member *self = &play.members[rank];
    struct op op = {.tag = 99}, again = {.tag = 99};
    bool there = play.spec->next(&play.call, rank, self->i, &op);
    expect("asked again", play.spec->next(&play.call, rank, self->i, &again), there);
    if (!there)
        return false;
    expect("asked again, the op", memcmp(&op, &again, sizeof op), 0);
    expect("the tag", op.tag, 99);
    bool is_of_all = op.kind == OP_WAIT && op.request == 0;
    if (!is_of_all && (op.peer < 0 || op.peer >= play.call.n_ranks || op.peer == rank || op.bytes < 0)) {
        complain("the peer, or the length to it", op.peer, -1);
        return false;
    }
    bool done = do_op(rank, &op) && !play.broken;
    self->i += done;
    return done;
}

static void begin_with_pieces(int rank)
{
    int p = play.call.n_ranks;
    bool is_root = rank == play.call.root;
    for (int i = 0; i < play.n_pieces; i++) {
        bool own = play.cuts[i] >= play.whole / p * rank && play.cuts[i] < play.whole / p * (rank + 1);
        bool has = family() == COLL_GATHER || family() == COLL_ALLGATHER ? own : is_root;
        play.pieces[rank][i] = combines() ? UINT64_C(1) << rank : has;
    }
}

static void begin(void)
{
    int p = play.call.n_ranks;
    memset(play.members, 0, sizeof play.members);
    play.n_parcels = 0;
    play.bytes = 0;
    play.broken = false;
    play.whole = is_dealt() ? play.call.bytes * p : family() == COLL_BARRIER ? 1 : play.call.bytes;
    play.n_pieces = 1;
    if (family() != COLL_BARRIER && family() != COLL_ALLTOALL)
        find_cuts();
    else
        memcpy(play.cuts, (const int64_t[]){0, 1}, 2 * sizeof play.cuts[0]);
    for (int rank = 0; rank < p; rank++) {
        begin_with_pieces(rank);
        for (int i = 0; i < MOST; i++) {
            play.members[rank].begun[i] = -1;
            play.first[rank][i] = -1;
            play.at[rank][i] = rank;
        }
    }
}

static void check_pieces(int rank)
{
    int p = play.call.n_ranks;
    bool only_root = family() == COLL_REDUCE || family() == COLL_GATHER;
    for (int i = 0; i < play.n_pieces; i++) {
        bool own = play.cuts[i] >= play.whole / p * rank && play.cuts[i] < play.whole / p * (rank + 1);
        bool must = only_root ? rank == play.call.root : family() == COLL_SCATTER ? own : true;
        if (must && family() != COLL_ALLTOALL)
            expect("what a rank has in the end", (int64_t)play.pieces[rank][i], (int64_t)complete());
    }
}

static void check_end(void)
{
    static const int64_t beyond[] = {0, 1, 2, 3, 7, 64, 189, 190, 1000, INT64_C(1) << 33, INT64_MAX >> 1};
    struct op op = {0};
    const struct form form = {play.call.n_ranks, play.call.bytes, play.call.options->segment_bytes,
                              play.call.options->radix, NULL};
    for (int rank = 0; rank < play.call.n_ranks && !play.broken; rank++) {
        const struct member *self = &play.members[rank];
        expect("begun and not waited for", self->n_begun > 0 || self->n_postings > 0 || self->blocked, false);
        for (int other = 0; other < play.call.n_ranks; other++) {
            expect("messages that nobody takes", play.first[rank][other], -1);
            if (family() == COLL_ALLTOALL)
                expect("where a block is in the end", play.at[rank][other], other == rank ? rank : other);
        }
        check_pieces(rank);
        for (size_t b = 0; b < sizeof beyond / sizeof beyond[0]; b++)
            expect("an op beyond the end", play.spec->next(&play.call, rank, self->i + beyond[b], &op), false);
    }
    if (play.row->messages == NULL) /* it has no form */
        return;
    expect("messages", (int64_t)play.n_parcels, play.row->messages(&form));
    expect("bytes", play.bytes, play.row->bytes(&form));
}

static void run_play(const struct collective_row *row, const struct coll_call *call, bool rendezvous)
{
    play.row = row;
    play.spec = coll_find(row->family, row->name);
    play.call = *call;
    play.rendezvous = rendezvous;
    begin();
    for (play.moved = true; play.moved && !play.broken;) {
        play.moved = false;
        for (int rank = 0; rank < call->n_ranks && !play.broken; rank++)
            play.moved = do_next(rank) || play.moved;
    }
    if (!play.broken)
        check_end();
    for (size_t i = 0; i < play.n_parcels; i++)
        free(play.parcels[i].pieces);
}

#endif
