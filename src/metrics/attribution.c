/* Follows the critical path by part, scope and rank, for what causes are attributed. */
#include "metrics/attribution.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 1024 }; /* that a path is told apart by: each message that is waited for copies as many numbers */

const char *const path_part_names[N_PATH_PARTS] = {
    [PART_CPU] = "processing.cpu",
    [PART_FPU] = "processing.fpu",
    [PART_EXTERNAL] = "memory.external",
    [PART_INTERNAL] = "memory.internal",
    [PART_CONTROL_CPU] = "control.cpu",
    [PART_CONTROL_FPU] = "control.fpu",
    [PART_CONTROL_EXTERNAL] = "control.external",
    [PART_CONTROL_INTERNAL] = "control.internal",
    [PART_INPUT] = "io.input",
    [PART_OUTPUT] = "io.output",
    [PART_LINK_INIT] = "communication.link_init",
    [PART_OVERHEAD] = "communication.overhead",
    [PART_LATENCY] = "communication.latency",
    [PART_LENGTH] = "communication.length",
    [PART_CONTENTION] = "communication.contention",
    [PART_PROTOCOL] = "protocol",
    [PART_ANSWER] = "answers",
};

void attribution_init(struct attribution *attribution, int n_ranks, int n_scopes, bool shared)
{
    size_t ranks = (size_t)n_ranks, scopes = (size_t)n_scopes;
    *attribution = (struct attribution){
        .n_ranks = n_ranks, .n_scopes = n_scopes, .shared = shared, .by_rank = n_ranks <= MOST_RANKS};
    attribution->n_parts = N_PATH_PARTS * n_scopes + (attribution->by_rank ? n_ranks : 0);
    attribution->paths = xcalloc(ranks * (size_t)attribution->n_parts, sizeof *attribution->paths);
    attribution->computation_ps = xcalloc(ranks * scopes, sizeof *attribution->computation_ps);
    attribution->useful_ps = xcalloc(ranks, sizeof *attribution->useful_ps);
}

void attribution_dispose(struct attribution *attribution)
{
    free(attribution->paths);
    free(attribution->marks);
    free(attribution->computation_ps);
    free(attribution->useful_ps);
}

static int64_t *path_of(const struct attribution *self, int rank)
{
    return &self->paths[(size_t)rank * (size_t)self->n_parts];
}

static int64_t *mark_of(struct attribution *self, uint32_t message)
{
    if (message >= self->n_marks) {
        self->n_marks = ((uint64_t)message + 1) * 2;
        self->marks = xrealloc(self->marks, self->n_marks * (size_t)self->n_parts * sizeof *self->marks);
    }
    return &self->marks[(size_t)message * (size_t)self->n_parts];
}

/* Add the interval's time to the parts of its scope. */
static void add_parts(const struct attribution *self, int64_t *path, const struct event *event, int64_t length_ps)
{
    int n_scopes = self->n_scopes, scope = event->scope, part = PART_OVERHEAD;
    int first = event->state == STATE_CONTROL ? PART_CONTROL_CPU : PART_CPU;
    if (event->kind == EVENT_COMPUTE) {
        for (int c = 0; c < N_WORK_COMPONENTS; c++)
            path[(first + c) * n_scopes + scope] += event->work_ps[c];
        return;
    }
    if (event->parts_ps != NULL) {
        for (int c = 0; c < N_MESSAGE_PARTS; c++)
            path[(PART_LATENCY + c) * n_scopes + scope] += event->parts_ps[c];
        return;
    }
    if (event->kind == EVENT_INPUT || event->kind == EVENT_OUTPUT)
        part = event->kind == EVENT_INPUT ? PART_INPUT : PART_OUTPUT;
    else if (self->shared)
        part = event->state == STATE_CONTROL ? PART_PROTOCOL : PART_ANSWER;
    else if (event->state == STATE_CONTROL)
        part = PART_LINK_INIT;
    path[part * n_scopes + scope] += length_ps;
}

void attribution_take(void *data, const struct event *event)
{
    struct attribution *self = data;
    if (event->lane >= self->n_ranks)
        return; /* a protocol controller */
    int64_t *path = path_of(self, event->lane), length_ps = event->end_ps - event->start_ps;
    size_t size = (size_t)self->n_parts * sizeof *path;
    if (event->state == STATE_USEFUL)
        self->useful_ps[event->lane] += length_ps;
    if (event->state == STATE_USEFUL && event->kind == EVENT_COMPUTE)
        self->computation_ps[(size_t)event->lane * (size_t)self->n_scopes + event->scope] += length_ps;
    if (event->departs)
        memcpy(mark_of(self, event->message), path, size);
    if (event->cause != CAUSE_SELF) {
        memcpy(path, event->cause == CAUSE_PEER ? path_of(self, event->peer) : mark_of(self, event->message), size);
        length_ps = event->end_ps - event->origin_ps;
    } else if (event->state == STATE_IDLE) {
        return; /* either overtaken by what ended the wait, or the end of the lane */
    }
    if (length_ps == 0)
        return;
    add_parts(self, path, event, length_ps);
    if (self->by_rank)
        path[N_PATH_PARTS * self->n_scopes + event->lane] += length_ps;
}

const int64_t *attribution_path(const struct attribution *self)
{
    const int64_t *longest = path_of(self, 0);
    int64_t longest_ps = -1;
    for (int rank = 0; rank < self->n_ranks; rank++) {
        int64_t sum = 0;
        for (int i = 0; i < N_PATH_PARTS * self->n_scopes; i++)
            sum += path_of(self, rank)[i];
        if (sum > longest_ps) {
            longest = path_of(self, rank);
            longest_ps = sum;
        }
    }
    return longest;
}

static int64_t load_of(const struct attribution *self, int rank, bool computation)
{
    int64_t sum = 0;
    if (!computation)
        return self->useful_ps[rank];
    for (int scope = 0; scope < self->n_scopes; scope++)
        sum += self->computation_ps[(size_t)rank * (size_t)self->n_scopes + (size_t)scope];
    return sum;
}

int64_t attribution_largest(const struct attribution *self, bool computation)
{
    int64_t largest = 0;
    for (int rank = 0; rank < self->n_ranks; rank++) {
        int64_t load = load_of(self, rank, computation);
        largest = load > largest ? load : largest;
    }
    return largest;
}

wide_int attribution_sum(const struct attribution *self, bool computation)
{
    wide_int sum = 0;
    for (int rank = 0; rank < self->n_ranks; rank++)
        sum += load_of(self, rank, computation);
    return sum;
}
