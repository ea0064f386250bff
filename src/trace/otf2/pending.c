/* Pending requests: non-blocking sends and receives, from where they are posted to where they complete. The message
 * that each receive got is kept in a nameless file between the two passes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/calls.h"

#include "base/memory.h"
#include "os/temporary.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* ---- The file ---- */

static int fail_file(const char *what, struct sim_error *error)
{
    return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "temporary file of receives (in $TMPDIR or /tmp): %s: %s",
                         what, strerror(errno));
}

int otf_receipts_open(struct sim_error *error)
{
    int file = temporary_open(NULL);
    return file >= 0 ? file : fail_file("cannot be made", error);
}

static off_t place_of(uint64_t index)
{
    return (off_t)(index * sizeof(struct otf_receipt));
}

int otf_receipts_put(int file, uint64_t index, const struct otf_receipt *receipt, struct sim_error *error)
{
    ssize_t written = pwrite(file, receipt, sizeof *receipt, place_of(index));
    if (written >= 0 && (size_t)written < sizeof *receipt)
        errno = ENOSPC;
    return written == (ssize_t)sizeof *receipt ? 0 : fail_file("cannot be written", error);
}

int otf_receipts_get(struct otf_receipt *receipt, int file, struct otf_receipt_block *block, uint64_t index,
                     struct sim_error *error)
{
    if (index < block->first || index >= block->first + block->count) {
        memset(block->receipts, 0, sizeof block->receipts); /* the file may end before: never written */
        if (pread(file, block->receipts, sizeof block->receipts, place_of(index)) < 0)
            return fail_file("cannot be read", error);
        block->first = index;
        block->count = OTF_RECEIPT_BLOCK;
    }
    *receipt = block->receipts[index - block->first];
    return 0;
}

/* ---- Requests ---- */

/* A request of the reader's own. A free one has in `number` the next one in the chain. */
struct otf_slot {
    uint64_t number; /* of the posting, among the rank's sends or receives */
    bool sends;
    bool vanishes; /* it never completes, and has no record */
};

uint32_t otf_slot_take(struct otf_cursor *cursor)
{
    uint32_t slot = cursor->free_slot;
    if (slot == UINT32_MAX) {
        slot = (uint32_t)cursor->n_slots++;
        cursor->slots = xgrow(cursor->slots, slot, &cursor->capacity_slots, sizeof *cursor->slots);
    } else {
        cursor->free_slot = (uint32_t)cursor->slots[slot].number;
    }
    cursor->slots[slot] = (struct otf_slot){0};
    return slot;
}

void otf_slot_free(struct otf_cursor *cursor, uint32_t slot)
{
    cursor->slots[slot] = (struct otf_slot){.number = cursor->free_slot};
    cursor->free_slot = slot;
}

/* Begin a request. One of the same name that is still pending has been freed without being waited for. Others that have
 * been freed stay pending. */
static int begin_request(uint32_t *slot, struct otf_cursor *cursor, uint64_t request, bool sends, uint64_t number)
{
    bool is_freed = map_get(&cursor->pending, map_key_64(request), slot);
    if (is_freed)
        otf_slot_free(cursor, *slot);
    else if (cursor->pending.count >= OTF_MAX_PENDING)
        return OTF_CURSOR_FAIL(cursor, "begins a request while %d are pending; at most so many are allowed",
                               OTF_MAX_PENDING);
    *slot = otf_slot_take(cursor);
    cursor->slots[*slot] = (struct otf_slot){.number = number, .sends = sends};
    map_add(&cursor->pending, map_key_64(request))->index = *slot;
    return 0;
}

static int find_request(uint32_t *slot, struct otf_cursor *cursor, uint64_t request)
{
    return map_get(&cursor->pending, map_key_64(request), slot)
               ? 0
               : OTF_CURSOR_FAIL(cursor, "request %llu is not pending", (unsigned long long)request);
}

/* True if another thread of the rank has begun the request. It is then left out there, and the receive is done here. */
static bool is_of_another_thread(const struct otf_cursor *cursor, uint64_t request)
{
    uint32_t slot;
    return cursor->shared->processes != NULL && !map_get(&cursor->pending, map_key_64(request), &slot);
}

static void end_request(struct otf_cursor *cursor, uint64_t request, uint32_t slot)
{
    map_remove(&cursor->pending, map_find(&cursor->pending, map_key_64(request)));
    otf_slot_free(cursor, slot);
}

static int wait_for(struct otf_cursor *cursor, uint64_t request, uint32_t slot, struct record *wait)
{
    bool vanishes = cursor->slots[slot].vanishes;
    wait->request = slot + 1;
    end_request(cursor, request, slot);
    return vanishes ? 0 : otf_calls_do(cursor, wait);
}

/* True if the send that is posted now will be cancelled. */
static bool will_be_cancelled(struct otf_cursor *cursor, uint64_t number)
{
    const struct otf_survey *survey = cursor->survey;
    if (cursor->first_pass || cursor->n_cancelled == survey->n_cancelled ||
        survey->cancelled[cursor->n_cancelled] != number)
        return false;
    cursor->n_cancelled++;
    return true;
}

int otf_cursor_isend(struct otf_cursor *cursor, const struct otf_message *message)
{
    struct record record = otf_record(RECORD_ISEND, cursor->now_ps, cursor->now_ps);
    uint64_t number = cursor->n_sends++;
    record.synchronous = cursor->n_calls > 0 && otf_calls_synchronous(cursor);
    uint32_t slot = UINT32_MAX;
    if (otf_calls_fill(&record, cursor, message) < 0 ||
        begin_request(&slot, cursor, message->request, true, number) < 0)
        return -1;
    if (cursor->first_pass)
        cursor->survey->n_sends = cursor->n_sends;
    if (will_be_cancelled(cursor, number)) {
        cursor->slots[slot].vanishes = true;
        return 0;
    }
    record.request = slot + 1;
    return otf_calls_do(cursor, &record);
}

int otf_cursor_isend_complete(struct otf_cursor *cursor, uint64_t request)
{
    struct record wait = otf_record(RECORD_WAIT, cursor->now_ps, cursor->now_ps);
    uint32_t slot = UINT32_MAX;
    if (is_of_another_thread(cursor, request))
        return 0;
    if (find_request(&slot, cursor, request) < 0)
        return -1;
    if (!cursor->slots[slot].sends)
        return OTF_CURSOR_FAIL(cursor, "request %llu completes as a send, but is a receive",
                               (unsigned long long)request);
    return wait_for(cursor, request, slot, &wait);
}

/* Post the receive, with what the first pass has found out; one that never completes is left out. */
int otf_cursor_irecv(struct otf_cursor *cursor, uint64_t request, bool from_any)
{
    struct record record = otf_record(RECORD_IRECV, cursor->now_ps, cursor->now_ps);
    struct otf_receipt receipt = {0};
    uint64_t number = cursor->n_receives++;
    uint32_t slot = UINT32_MAX;
    otf_calls_count_any(cursor, from_any);
    if (begin_request(&slot, cursor, request, false, number) < 0)
        return -1;
    if (cursor->first_pass) {
        cursor->survey->n_receives = cursor->n_receives;
        return 0;
    }
    if (cursor->shared->receipts >= 0 && otf_receipts_get(&receipt, cursor->shared->receipts, &cursor->receipts,
                                                          cursor->survey->first_receipt + number, cursor->error) < 0)
        return -1;
    if (!receipt.complete) {
        cursor->slots[slot].vanishes = true;
        return 0;
    }
    record.request = slot + 1;
    record.peer = receipt.peer;
    record.tag = receipt.tag;
    record.bytes = receipt.bytes;
    record.group = receipt.group;
    record.from_any = from_any;
    return otf_calls_do(cursor, &record);
}

static int note_receipt(struct otf_cursor *cursor, uint64_t number, const struct record *wait)
{
    struct otf_shared *shared = cursor->shared;
    struct otf_receipt receipt = {wait->bytes, wait->peer, wait->tag, wait->group, 1};
    if (shared->receipts < 0)
        shared->receipts = otf_receipts_open(cursor->error);
    return shared->receipts < 0
               ? -1
               : otf_receipts_put(shared->receipts, cursor->survey->first_receipt + number, &receipt, cursor->error);
}

int otf_cursor_irecv_complete(struct otf_cursor *cursor, const struct otf_message *message)
{
    struct record wait = otf_record(RECORD_WAIT, cursor->now_ps, cursor->now_ps);
    uint32_t slot = UINT32_MAX;
    if (is_of_another_thread(cursor, message->request))
        return otf_cursor_recv(cursor, message);
    if (find_request(&slot, cursor, message->request) < 0 || otf_calls_fill(&wait, cursor, message) < 0)
        return -1;
    if (cursor->slots[slot].sends)
        return OTF_CURSOR_FAIL(cursor, "request %llu completes as a receive, but is a send",
                               (unsigned long long)message->request);
    if (cursor->first_pass && note_receipt(cursor, cursor->slots[slot].number, &wait) < 0)
        return -1;
    return wait_for(cursor, message->request, slot, &wait);
}

/* A cancelled receive has no receipt. */
int otf_cursor_cancelled(struct otf_cursor *cursor, uint64_t request)
{
    struct otf_survey *survey = cursor->survey;
    uint32_t slot = UINT32_MAX;
    if (is_of_another_thread(cursor, request))
        return 0;
    if (find_request(&slot, cursor, request) < 0)
        return -1;
    if (cursor->first_pass && cursor->slots[slot].sends) {
        survey->cancelled = xrealloc(survey->cancelled, (survey->n_cancelled + 1) * sizeof *survey->cancelled);
        survey->cancelled[survey->n_cancelled++] = cursor->slots[slot].number;
    }
    end_request(cursor, request, slot);
    return 0;
}
