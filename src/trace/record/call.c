/* Gathers the intervals that belong to one call of a message library. */
#include "trace/record/call.h"

bool call_is_mark(const struct event *event)
{
    return event->start_ps == event->end_ps && (event->is_checkpoint || event->call != CALL_PLAIN) &&
           !event->is_message && !event->is_receipt;
}

bool call_takes(const struct call *call, const struct event *event)
{
    if (event->is_message || event->is_receipt || event->is_collective) {
        int state = event->is_message ? STATE_SEND : event->is_receipt ? STATE_RECEIVE : event->state;
        return !call->open || call->state == STATE_IDLE || call->state == state || event->state == STATE_IDLE;
    }
    if (event->category != CATEGORY_NONE || (event->call & CALL_COLLECTIVE) != 0)
        return false;
    if (event->state == STATE_IDLE)
        return event->kind == EVENT_COMMUNICATE ? event->peer >= 0 : call->open;
    return (event->state == STATE_SEND || event->state == STATE_RECEIVE) &&
           (!call->open || call->state == STATE_IDLE || call->state == event->state);
}

bool call_add(struct call *call, const struct event *event)
{
    if (!call->open)
        *call = (struct call){.start_ps = event->start_ps, .state = STATE_IDLE, .scope = event->scope, .open = true};
    call->end_ps = event->end_ps;
    if (event->is_message)
        call->state = STATE_SEND;
    else if (event->is_receipt)
        call->state = STATE_RECEIVE;
    else if (event->state == STATE_IDLE)
        call->idle_ps += event->end_ps - event->start_ps;
    else
        call->state = event->state;
    call->waited |= event->state == STATE_RECEIVE && event->cause != CAUSE_SELF;
    return event->is_message || event->is_receipt || (event->is_collective && event->state != STATE_IDLE) ||
           (event->state == STATE_SEND && event->cause != CAUSE_SELF);
}
