/* Receives that are posted ahead, and waiting for what was begun.
 *
 * A non-blocking receive has an entry, until its message is delivered. If the message has not been sent, the entry
 * lies in the mailbox, where the message will find it. */
#include "sim/kernel/internal.h"
#include "sim/kernel/price.h"

/* For those who write calls down: one that takes no time of its own. */
static void note_call(struct kernel *kernel, int rank, const struct op *op, int context, enum event_call call,
                      enum location_state state)
{
    int64_t now_ps = kernel->ranks[rank].clock_ps;
    if (kernel->run->without_receipts)
        return;
    const struct event event = {.start_ps = now_ps,
                                .end_ps = now_ps,
                                .location = rank,
                                .peer = -1,
                                .tag = context != 0 ? -1 : 0,
                                .request = op->request,
                                .state = (uint8_t)state,
                                .kind = EVENT_COMMUNICATE,
                                .call = (uint8_t)call,
                                .scope = op->scope};
    kernel_emit(kernel, &event);
}

bool kernel_irecv(struct kernel *kernel, int rank, const struct op *op, int context)
{
    struct rank *self = &kernel->ranks[rank];
    struct pending receive = {
        .rank = rank, .peer = op->peer, .tag = op->tag, .context = context, .number = op->request, .is_receive = true};
    uint32_t index = mailbox_take(&kernel->mailbox, rank, op->peer, op->tag, context);
    note_call(kernel, rank, op, context, CALL_BEGUN, STATE_RECEIVE);
    const struct message *message = index != NO_MESSAGE ? &kernel->mailbox.messages[index] : NULL;
    if (message != NULL)
        kernel_check_length(kernel, message, op->bytes);
    if (message != NULL && message->arrived && message->phase == PHASE_DATA) {
        receive.complete = true;
        receive.bytes = message->bytes;
        mailbox_free_message(&kernel->mailbox, index);
        request_table_add(&kernel->requests, &receive);
        return true;
    }
    /* An RTS may come, or have come, before the moment at which the receive is posted. */
    bool may_be_late = self->clock_ps > kernel->now_ps || (message != NULL && message->arrived);
    if (message != NULL && message->phase == PHASE_DATA)
        may_be_late = false;
    uint32_t posted = mailbox_new_receive(&kernel->mailbox);
    kernel->mailbox.messages[posted] = (struct message){.posted_ps = self->clock_ps,
                                                        .bytes = op->bytes,
                                                        .sender = op->peer,
                                                        .receiver = rank,
                                                        .tag = op->tag,
                                                        .context = context,
                                                        .pending = request_table_add(&kernel->requests, &receive),
                                                        .is_posted_receive = 1};
    if (may_be_late)
        kernel_checkpoint(kernel, posted, rank, self->clock_ps, op->scope, NULL);
    if (index != NO_MESSAGE) {
        kernel_await(kernel, index, posted);
    } else {
        mailbox_put(&kernel->mailbox, posted);
        self->n_posted++;
    }
    return true;
}

/* Wait for one that is pending; true when it is complete. */
static bool wait_for(struct kernel *kernel, int rank, uint32_t index, int scope)
{
    struct rank *self = &kernel->ranks[rank];
    const struct pending pending = kernel->requests.items[index];
    if (pending.complete) {
        request_table_remove(&kernel->requests, index);
        int64_t receive_ps = kernel_price(kernel, pending.peer, rank, pending.bytes, false)->receive_ps;
        kernel_receive(kernel, rank, pending.peer, pending.tag, pending.bytes, receive_ps, scope);
        return true;
    }
    self->status = RANK_WAITING_ONE;
    self->pending = index;
    self->peer = pending.peer;
    self->tag = pending.tag;
    self->context = pending.context;
    self->scope = (uint8_t)scope;
    return false;
}

/* A wait for all is done again and again until there is no receive left; then the sends have one wait together. */
bool kernel_wait(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count)
{
    struct rank *self = &kernel->ranks[rank];
    uint32_t index = op->request != 0 ? request_table_find(&kernel->requests, rank, op->request, context != 0)
                                      : request_table_first_receive(&kernel->requests, rank);
    self->combines = false;
    note_call(kernel, rank, op, context, CALL_WAITS, index != NO_PENDING ? STATE_RECEIVE : STATE_SEND);
    if (op->request == 0 && index != NO_PENDING)
        return wait_for(kernel, rank, index, op->scope);
    ++*count;
    if (op->request != 0)
        return index == NO_PENDING || wait_for(kernel, rank, index, op->scope);
    if (self->n_pending == 0)
        return true;
    self->status = RANK_WAITING;
    self->scope = op->scope;
    return false;
}
