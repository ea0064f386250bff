/* Bottlenecks (Zemerly95, section 3.5): which component of the machine the run's time went into.
 *
 * The components are taken along the critical path, the chain of computations and messages that the run's end waited
 * for, so that they add up to T_par exactly. No trace is needed: every lane carries the component sums of the longest
 * chain that led to its present; where an interval ended because of another lane (CAUSE_PEER), it takes over that lane's
 * sums as of `origin_ps`, or those of the message's departure (CAUSE_MESSAGE). Invariant: while a lane is not idle, its sums add up to its present.
 *
 * B-ratio of a component = T_c / (T_par - T_c). U_p = sum p_i T_i / (p sum T_i) (eq. 8), p_i the processors that compute,
 * do I/O or set up links. */
#include "metrics/metrics.h"

#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_INPUT = N_WORK_COMPONENTS, PATH_OUTPUT, PATH_FIRST_SCOPE };

struct bottleneck {
    struct metrics_setup setup;
    int n_components; /* of a path: the work, input, output, communication by scope */
    int64_t *paths;   /* n_components for each lane */
    int64_t *marks;   /* n_components for each message that has left its lane behind, as of its departure */
    size_t n_marks;
    wide_int active_ps;
};

static void *bottleneck_open(const struct metrics_setup *setup)
{
    struct bottleneck *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->n_components = PATH_FIRST_SCOPE + setup->n_scopes;
    self->paths = xcalloc((size_t)setup->n_ranks * (size_t)self->n_components, sizeof *self->paths);
    return self;
}

static int64_t *path_of(const struct bottleneck *self, int lane)
{
    return &self->paths[(size_t)lane * (size_t)self->n_components];
}

static int64_t *mark_of(struct bottleneck *self, uint32_t message)
{
    if (message >= self->n_marks) {
        self->n_marks = ((size_t)message + 1) * 2;
        self->marks = xrealloc(self->marks, self->n_marks * (size_t)self->n_components * sizeof *self->marks);
    }
    return &self->marks[(size_t)message * (size_t)self->n_components];
}

static void bottleneck_take(void *data, const struct event *event)
{
    struct bottleneck *self = data;
    if (event->lane >= self->setup.n_ranks)
        return; /* a protocol controller */
    int64_t *path = path_of(self, event->lane);
    int64_t length = event->end_ps - event->start_ps;
    size_t size = (size_t)self->n_components * sizeof *path;
    if (event->departs)
        memcpy(mark_of(self, event->message), path, size);
    if (event->cause != CAUSE_SELF) {
        memcpy(path, event->cause == CAUSE_PEER ? path_of(self, event->peer) : mark_of(self, event->message), size);
        length = event->end_ps - event->origin_ps;
    } else if (event->state == STATE_IDLE) {
        return; /* either overtaken by what ended the wait, or the end of the lane */
    }
    if (event->state <= STATE_CONTROL)
        self->active_ps += length;
    switch ((enum event_kind)event->kind) {
    case EVENT_COMPUTE:
        for (int c = 0; c < N_WORK_COMPONENTS; c++)
            path[c] += event->work_ps[c];
        break;
    case EVENT_INPUT:
        path[PATH_INPUT] += length;
        break;
    case EVENT_OUTPUT:
        path[PATH_OUTPUT] += length;
        break;
    case EVENT_COMMUNICATE:
    case EVENT_WAIT_CPU:
    default:
        path[PATH_FIRST_SCOPE + event->scope] += length;
        break;
    }
}

/* The path of the lane that ended last: its sums add up to the run's time. */
static const int64_t *critical_path(const struct bottleneck *self, int64_t end_ps)
{
    const int64_t *longest = path_of(self, 0);
    int64_t longest_ps = -1;
    for (int lane = 0; lane < self->setup.n_ranks; lane++) {
        int64_t sum = 0;
        for (int c = 0; c < self->n_components; c++)
            sum += path_of(self, lane)[c];
        if (sum > longest_ps) {
            longest = path_of(self, lane);
            longest_ps = sum;
        }
    }
    assert(longest_ps == end_ps);
    (void)end_ps;
    return longest;
}

enum { GROUP_PROCESSING, GROUP_MEMORY, GROUP_COMMUNICATION, GROUP_IO, N_GROUPS };
static const char *const group_names[N_GROUPS] = {"processing", "memory", "communication", "io"};

static void add_path(const struct bottleneck *self, const int64_t *path, const int64_t group_ps[N_GROUPS],
                     struct result *result)
{
    static const char *const names[] = {"processing.cpu",  "processing.fpu", "memory.external",
                                        "memory.internal", "io.input",       "io.output"};
    for (int g = 0; g < N_GROUPS; g++)
        result_add_time(result, "critical_path_s", group_names[g], group_ps[g]);
    for (int c = 0; c < PATH_FIRST_SCOPE; c++)
        result_add_time(result, "critical_path_s", names[c], path[c]);
    for (int scope = 0; scope < self->setup.n_scopes; scope++) {
        if (path[PATH_FIRST_SCOPE + scope] == 0)
            continue;
        char name[sizeof((struct measure *)NULL)->name];
        snprintf(name, sizeof name, "communication.%s", self->setup.scopes[scope]);
        result_add_time(result, "critical_path_s", name, path[PATH_FIRST_SCOPE + scope]);
    }
}

static void add_ratios(const int64_t group_ps[N_GROUPS], int64_t end_ps, struct result *result)
{
    for (int g = 0; g < N_GROUPS; g++)
        if (group_ps[g] < end_ps)
            result_add_ratio(result, "b_ratio", group_names[g], (double)group_ps[g] / (double)(end_ps - group_ps[g]));
    int64_t computation = group_ps[GROUP_PROCESSING] + group_ps[GROUP_MEMORY];
    if (computation > 0)
        result_add_ratio(result, "", "communication_computation_ratio",
                         (double)group_ps[GROUP_COMMUNICATION] / (double)computation);
    if (group_ps[GROUP_PROCESSING] > 0)
        result_add_ratio(result, "", "memory_processing_ratio",
                         (double)group_ps[GROUP_MEMORY] / (double)group_ps[GROUP_PROCESSING]);
}

static void bottleneck_report(const void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct bottleneck *self = data;
    const int64_t *path = critical_path(self, totals->end_ps);
    int64_t group_ps[N_GROUPS] = {0};
    group_ps[GROUP_PROCESSING] = path[WORK_CPU] + path[WORK_FPU];
    group_ps[GROUP_MEMORY] = path[WORK_EXTERNAL] + path[WORK_INTERNAL];
    group_ps[GROUP_IO] = path[PATH_INPUT] + path[PATH_OUTPUT];
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        group_ps[GROUP_COMMUNICATION] += path[PATH_FIRST_SCOPE + scope];
    add_path(self, path, group_ps, result);
    add_ratios(group_ps, totals->end_ps, result);
    if (totals->end_ps > 0)
        result_add_ratio(result, "", "utilisation",
                         (double)self->active_ps / ((double)totals->end_ps * self->setup.n_ranks));
}

static void bottleneck_free(void *data)
{
    struct bottleneck *self = data;
    free(self->paths);
    free(self->marks);
    free(self);
}

const struct metric_spec metric_bottleneck = {
    .name = "bottleneck",
    .summary = "components of the time along the critical path, B-ratios, utilisation",
    .source = "Zemerly95, sections 3.4-3.5",
    .open = bottleneck_open,
    .take = bottleneck_take,
    .report = bottleneck_report,
    .free = bottleneck_free,
};
