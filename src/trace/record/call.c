/* Gathers the intervals that belong to one call of a message library.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/call.h"

bool call_is_mark(const struct interval *interval)
{
    return interval->start_ps == interval->end_ps && (interval->is_checkpoint || interval->call != CALL_PLAIN) &&
           !interval->is_message && !interval->is_receipt;
}

bool call_takes(const struct call *call, const struct interval *interval)
{
    if (interval->is_message || interval->is_receipt || interval->is_collective) {
        int state = interval->is_message ? STATE_SEND : interval->is_receipt ? STATE_RECEIVE : interval->state;
        return !call->open || call->state == STATE_IDLE || call->state == state || interval->state == STATE_IDLE;
    }
    if (interval->category != CATEGORY_NONE || (interval->call & CALL_COLLECTIVE) != 0)
        return false;
    if (interval->state == STATE_IDLE)
        return interval->kind == INTERVAL_COMMUNICATE ? interval->peer >= 0 : call->open;
    return (interval->state == STATE_SEND || interval->state == STATE_RECEIVE) &&
           (!call->open || call->state == STATE_IDLE || call->state == interval->state);
}

bool call_add(struct call *call, const struct interval *interval)
{
    if (!call->open)
        *call =
            (struct call){.start_ps = interval->start_ps, .state = STATE_IDLE, .scope = interval->scope, .open = true};
    call->end_ps = interval->end_ps;
    if (interval->is_message)
        call->state = STATE_SEND;
    else if (interval->is_receipt)
        call->state = STATE_RECEIVE;
    else if (interval->state == STATE_IDLE)
        call->idle_ps += interval->end_ps - interval->start_ps;
    else
        call->state = interval->state;
    call->waited |= interval->state == STATE_RECEIVE && interval->cause != CAUSE_SELF;
    return interval->is_message || interval->is_receipt || (interval->is_collective && interval->state != STATE_IDLE) ||
           (interval->state == STATE_SEND && interval->cause != CAUSE_SELF);
}
