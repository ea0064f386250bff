/* Carries the lines out: who sends what to whom, of each rank in its order.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/user_broadcast/internal.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct event {
    struct user_broadcast_op op;
    int32_t rank;
};

/* The state of carrying out the lines. */
struct interpreter {
    const struct user_broadcast_lines *lines;
    const struct user_broadcast_instruction *at;
    int64_t variables[OWN_MAX_VARIABLES];
    int n_ranks;
    struct event *events;
    size_t n_events, capacity;
    int64_t n_messages;
    struct sim_error *error;
};

#define FAIL(interpreter, ...)                                                                                         \
    sim_error_set((interpreter)->error, SIM_BAD_INPUT, (interpreter)->lines->label, (interpreter)->at->line,           \
                  __VA_ARGS__)

static int compute(const struct interpreter *interpreter, int node, int64_t *value)
{
    const char *why;
    if (user_broadcast_compute(value, interpreter->lines, node, interpreter->variables, &why))
        return 0;
    return FAIL(interpreter, "%s", why);
}

static int compute_rank(const struct interpreter *interpreter, int node, int64_t *rank)
{
    if (compute(interpreter, node, rank) != 0)
        return -1;
    if (*rank >= 0 && *rank < interpreter->n_ranks)
        return 0;
    return FAIL(interpreter, "rank %lld; of %d ranks they are 0 to %d", (long long)*rank, interpreter->n_ranks,
                interpreter->n_ranks - 1);
}

/* The segments of a message: all, one, or one to another. */
static int compute_segments(const struct interpreter *interpreter, int64_t *first, int64_t *last)
{
    int64_t count = interpreter->variables[OWN_SEGMENTS];
    *first = 0;
    *last = count - 1;
    if (interpreter->at->c < 0)
        return 0;
    if (compute(interpreter, interpreter->at->c, first) != 0)
        return -1;
    *last = *first;
    if (interpreter->at->d >= 0 && compute(interpreter, interpreter->at->d, last) != 0)
        return -1;
    if (*first >= 0 && *last < count && *first <= *last)
        return 0;
    if (*first > *last)
        return FAIL(interpreter, "segments %lld to %lld; the first must be the smaller one", (long long)*first,
                    (long long)*last);
    return FAIL(interpreter, "segment %lld; of %lld segments they are 0 to %lld",
                (long long)(*first < 0 ? *first : *last), (long long)count, (long long)count - 1);
}

static void add_event(struct interpreter *interpreter, int64_t rank, struct user_broadcast_op op)
{
    interpreter->events =
        xgrow(interpreter->events, interpreter->n_events, &interpreter->capacity, sizeof *interpreter->events);
    interpreter->events[interpreter->n_events++] = (struct event){op, (int32_t)rank};
}

static int do_message(struct interpreter *interpreter)
{
    const struct user_broadcast_instruction *at = interpreter->at;
    int64_t from, to, first, last;
    if (compute_rank(interpreter, at->a, &from) != 0 || compute_rank(interpreter, at->b, &to) != 0 ||
        compute_segments(interpreter, &first, &last) != 0)
        return -1;
    if (from == to)
        return FAIL(interpreter, "rank %lld sends to itself", (long long)from);
    if (interpreter->n_messages == OWN_MAX_MESSAGES)
        return FAIL(interpreter, "more than %d messages", OWN_MAX_MESSAGES);
    interpreter->n_messages += at->kind != USER_BROADCAST_RECEIVES;
    if (at->kind == USER_BROADCAST_RECEIVES && interpreter->n_events >= 2 * (size_t)OWN_MAX_MESSAGES)
        return FAIL(interpreter, "more than %d messages", OWN_MAX_MESSAGES);
    struct user_broadcast_op op = {(int32_t)to, at->line, (int32_t)first, (int32_t)(last - first + 1),
                                   at->kind != USER_BROADCAST_RECEIVES};
    add_event(interpreter, from, op);
    op.peer = (int32_t)from;
    op.is_send = false;
    if (at->kind == OWN_PASS)
        add_event(interpreter, to, op);
    return 0;
}

static int set(struct interpreter *interpreter)
{
    const struct user_broadcast_instruction *at = interpreter->at;
    int64_t value = 1; /* a step that is not given */
    if (at->a >= 0 && compute(interpreter, at->a, &value) != 0)
        return -1;
    if (at->variable == OWN_SEGMENTS && interpreter->n_events > 0)
        return FAIL(interpreter, "'segments' after a message; it must come before the first");
    if (at->variable == OWN_SEGMENTS && (value < 1 || value > OWN_MAX_SEGMENTS))
        return FAIL(interpreter, "%lld segments; must be 1 to %d", (long long)value, OWN_MAX_SEGMENTS);
    interpreter->variables[at->variable] = value;
    return 0;
}

/* Carry out one instruction; *next is the one that comes then. */
static int step(struct interpreter *interpreter, size_t *next)
{
    const struct user_broadcast_instruction *at = interpreter->at;
    int64_t value, *variables = interpreter->variables;
    switch ((enum user_broadcast_kind)at->kind) {
    case USER_BROADCAST_SET:
        return set(interpreter);
    case OWN_UNLESS:
        if (compute(interpreter, at->a, &value) != 0)
            return -1;
        *next = value != 0 ? *next : (size_t)at->target;
        return 0;
    case OWN_GO:
        *next = (size_t)at->target;
        return 0;
    case USER_BROADCAST_FOR_TEST: {
        if (variables[at->a + 1] == 0)
            return FAIL(interpreter, "step 0: the loop would not end");
        bool is_beyond = variables[at->a + 1] > 0 ? variables[at->variable] > variables[at->a]
                                                  : variables[at->variable] < variables[at->a];
        *next = is_beyond ? (size_t)at->target : *next;
        return 0;
    }
    case USER_BROADCAST_FOR_NEXT:
        *next = (size_t)at->target;
        if (__builtin_add_overflow(variables[at->variable], variables[at->a + 1], &variables[at->variable]))
            return FAIL(interpreter, "a number is larger than 2^63");
        return 0;
    default:
        return do_message(interpreter);
    }
}

static int carry_out(struct interpreter *interpreter)
{
    const struct user_broadcast_lines *lines = interpreter->lines;
    size_t next = 0;
    interpreter->variables[OWN_RANKS] = interpreter->n_ranks;
    interpreter->variables[OWN_SEGMENTS] = 1;
    for (int64_t steps = 0; next < lines->n_instructions; steps++) {
        interpreter->at = &lines->instructions[next++];
        if (steps == OWN_MAX_STEPS)
            return FAIL(interpreter, "the lines have not ended after %d steps; is there an endless loop?",
                        OWN_MAX_STEPS);
        if (step(interpreter, &next) != 0)
            return -1;
    }
    return 0;
}

/* Sort by rank; of each rank the order stays. */
static struct user_broadcast_messages *sort_messages(const struct interpreter *interpreter)
{
    struct user_broadcast_messages *made = xcalloc(1, sizeof *made);
    made->n_ranks = interpreter->n_ranks;
    made->n_segments = (int32_t)interpreter->variables[OWN_SEGMENTS];
    made->label = interpreter->lines->label;
    made->starts = xcalloc((size_t)made->n_ranks + 2, sizeof *made->starts);
    made->ops = xcalloc(interpreter->n_events + 1, sizeof *made->ops);
    for (size_t i = 0; i < interpreter->n_events; i++)
        made->starts[interpreter->events[i].rank + 2]++;
    for (int r = 2; r <= made->n_ranks; r++)
        made->starts[r] += made->starts[r - 1];
    for (size_t i = 0; i < interpreter->n_events; i++)
        made->ops[made->starts[interpreter->events[i].rank + 1]++] = interpreter->events[i].op;
    return made;
}

int user_broadcast_messages_make(struct user_broadcast_messages **messages, const struct user_broadcast_lines *lines,
                                 int n_ranks, struct sim_error *error)
{
    struct interpreter interpreter = {.lines = lines, .n_ranks = n_ranks, .error = error};
    int status = carry_out(&interpreter);
    struct user_broadcast_messages *made = status == 0 ? sort_messages(&interpreter) : NULL;
    free(interpreter.events);
    if (made != NULL && user_broadcast_check_delivery(made, error) != 0) {
        user_broadcast_messages_free(made);
        return -1;
    }
    if (made != NULL)
        *messages = made;
    return status;
}

void user_broadcast_messages_free(struct user_broadcast_messages *messages)
{
    if (messages == NULL)
        return;
    free(messages->starts);
    free(messages->ops);
    free(messages);
}
