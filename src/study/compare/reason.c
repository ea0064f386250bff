/* Finds the largest contributions to a difference, and says them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/reason.h"

#include "base/memory.h"
#include "base/sort.h"
#include "interval/intern.h"
#include "study/compare/reason_ranks.h"

#include <math.h>
#include <stdlib.h>

/* A first contribution of that share needs no second beside it. */
#define ENOUGH 0.6
/* Counts and sizes that have changed so many times are worth a word. */
#define LEAST_FACTOR 1.2
/* Share of the difference from which changes in the other direction are reported. */
#define MUCH 0.3

/* " in assemble", where there are several scopes. */
static void add_place(struct builder *line, const struct reason *self, const struct compare_part *part)
{
    int n_scopes = 0;
    for (size_t i = 0; i < self->parts->count; i++)
        n_scopes += self->parts->list[i].by == BY_SCOPE && self->parts->list[i].place[0] != '\0';
    if (part->place[0] != '\0' && (n_scopes > 1 || part->component == COMPONENT_COMMUNICATION))
        builder_add(line, " in %s", part->place);
}

/* --- computation --- */

/* Computation that ran side by side, and now is one after the other; or the other way round. */
static void add_order(struct builder *line, const struct reason *self, const struct compare_part *part)
{
    const struct compare_part *wait = reason_find(self, BY_WAIT, NULL, NULL);
    builder_add(line, self->sign > 0 ? "ranks compute one after the other more than before, "
                                     : "ranks compute side by side more than before, ");
    reason_add_change(line, part_change(self->parts, part, self->version));
    builder_add(line, " on the critical path");
    if (wait == NULL || wait->function[0] == '\0')
        return;
    builder_add(line, ", and wait ");
    reason_add_change(line, part_change(self->parts, wait, self->version));
    builder_add(line, " in %s", wait->function);
}

/* " (main > solve)": the call path that has half of what ranks compute longer, at least. */
static void add_path(struct builder *line, const struct reason *self, const struct ranks *ranks)
{
    const struct compare_part *path = reason_find(self, BY_CALL_PATH, intern_text(""), NULL);
    if (path != NULL && reason_change(self, path) * ranks->n_ranks >= 0.5 * fabs(ranks->sum_s))
        builder_add(line, " (%s)", path->place);
}

static void add_computation(struct builder *line, const struct reason *self, const struct compare_part *part)
{
    bool by_scope = part->place[0] != '\0' && parts_have(self->parts, BY_RANK_SCOPE, self->version);
    struct ranks ranks = ranks_find(self, by_scope ? BY_RANK_SCOPE : BY_RANK, part->place);
    if (ranks.most_s < 0.3 * reason_change(self, part)) {
        add_order(line, self, part);
    } else {
        ranks_add_names(line, self, &ranks, "computes", "compute");
        reason_add_change(line, ranks.late_s);
        add_place(line, self, part);
        add_path(line, self, &ranks);
        ranks_add_waiting(line, self, &ranks);
    }
    free(ranks.change_s);
}

/* --- communication --- */

static void add_count(struct builder *line, const char *before, double first, double second, enum unit unit,
                      const char *after)
{
    char now[40], then[40];
    if (!(fabs(log(second / first)) > log(LEAST_FACTOR)) || !isfinite(second / first) || first <= 0 || second <= 0)
        return;
    builder_add(line, "%s%s%s instead of %s", before, scale_format(now, sizeof now, unit, second), after,
                scale_format(then, sizeof then, unit, first));
}

/* ", called 100000 times instead of 100, with 8 B each instead of 8 kB". */
static void add_calls(struct builder *line, const struct reason *self, const char *function)
{
    const struct compare_part *calls = parts_named(self->parts, BY_FUNCTION, function);
    if (calls == NULL)
        return;
    struct part_amount first = part_median(self->parts, calls, 0),
                       second = part_median(self->parts, calls, self->version);
    if (first.count <= 0 || second.count <= 0) {
        builder_add(line, ", which %s does not call", self->parts->versions[first.count <= 0 ? 0 : self->version].name);
        return;
    }
    add_count(line, ", called ", first.count, second.count, UNIT_COUNT, " times");
    add_count(line, ", with ", first.bytes / first.count, second.bytes / second.count, UNIT_BYTES, " each");
}

/* " (halo.c:41 in exchange)", " (main > solve > exchange)": where most of it is called. */
static void add_caller(struct builder *line, const struct reason *self, enum compare_axis by, const char *function)
{
    const struct compare_part *caller = reason_find(self, by, function, NULL);
    const struct compare_part *whole = parts_named(self->parts, BY_FUNCTION, function);
    if (caller != NULL && whole != NULL && reason_change(self, caller) >= 0.5 * reason_change(self, whole))
        builder_add(line, " (%s)", caller->place);
}

/* True if a function is called about as often as before, with as much. */
static bool is_called_alike(const struct reason *self, const char *function)
{
    const struct compare_part *calls = parts_named(self->parts, BY_FUNCTION, function);
    if (calls == NULL)
        return false;
    struct part_amount first = part_median(self->parts, calls, 0),
                       second = part_median(self->parts, calls, self->version);
    return first.count > 0 && second.count > 0 && fabs(log(second.count / first.count)) <= log(LEAST_FACTOR) &&
           !(fabs(log(second.bytes / first.bytes)) > log(LEAST_FACTOR));
}

/* A function that is called as before takes longer, and a few ranks compute longer by half of the difference: the
 * library does not take messages in while its rank computes, so that their senders are in transfers meanwhile. */
static bool add_hidden_computation(struct builder *line, const struct reason *self, const struct compare_part *part)
{
    if (part->function[0] == '\0' || !is_called_alike(self, part->function))
        return false;
    struct ranks ranks = ranks_find(self, BY_RANK, "");
    bool explains = ranks_stand_out(&ranks) && fabs(ranks.late_s) >= 0.5 * fabs(self->difference_s);
    if (explains) {
        ranks_add_names(line, self, &ranks, "computes", "compute");
        reason_add_change(line, ranks.late_s);
        ranks_add_waiting(line, self, &ranks);
    }
    free(ranks.change_s);
    return explains;
}

/* --- time off the processor --- */

/* The ranks that are longer without a processor, for the reason that most of it has: they sleep, or another one has it.
 * False if no rank explains it. */
static bool add_off(struct builder *line, const struct reason *self, const struct compare_part *part)
{
    static const char *const does[N_WAITS_OFF][3] = {
        [WAIT_PROCESSOR - WAIT_PROCESSOR] = {"waits", "wait", " for a processor that other ranks use"},
        [WAIT_FOREIGN - WAIT_PROCESSOR] = {"is", "are", " without a processor, which other programs use"},
        [WAIT_SLEEP - WAIT_PROCESSOR] = {"sleeps", "sleep", ""},
        [WAIT_OFF - WAIT_PROCESSOR] = {"is", "are", " off the processor"},
    };
    struct ranks most = {0};
    int why = 0;
    for (int i = 0; i < N_WAITS_OFF; i++) {
        struct ranks ranks = ranks_find(self, BY_OFF, intern_text(wait_state_names[WAIT_PROCESSOR + i]));
        bool is_more = ranks.most_s > most.most_s;
        free(is_more ? most.change_s : ranks.change_s);
        most = is_more ? ranks : most;
        why = is_more ? i : why;
    }
    bool explains = most.most_s >= 0.3 * reason_change(self, part);
    if (explains) {
        ranks_add_names(line, self, &most, does[why][0], does[why][1]);
        reason_add_change(line, most.late_s);
        add_place(line, self, part);
        builder_add(line, "%s", does[why][2]);
        ranks_add_waiting(line, self, &most);
    }
    free(most.change_s);
    return explains;
}

/* --- all but computation --- */

/* " on the critical path, although the mean rank is 103.4 ms less in it": the path runs over a rank that is in it
 * longer, and the others are in it for less. */
static void add_opposite(struct builder *line, const struct reason *self, const struct compare_part *part)
{
    const struct compare_part *whole = parts_named(self->parts, BY_FUNCTION, part->function);
    double change_s = whole != NULL ? reason_change(self, whole) : 0;
    if (change_s > -LEAST_SHARE * fabs(self->difference_s))
        return;
    builder_add(line, " on the critical path, although the mean rank is ");
    reason_add_change(line, self->sign * change_s);
    builder_add(line, " in it");
}

static void add_transfer(struct builder *line, const struct reason *self, const struct compare_part *part)
{
    static const char *const does[N_PATH_COMPONENTS + 1] = {
        [COMPONENT_COMMUNICATION] = "communication",
        [COMPONENT_LIBRARY] = "calls of the message library",
        [COMPONENT_OFF] = "time off the processor",
        [COMPONENT_IO] = "input and output",
        [COMPONENT_MEMORY] = "memory",
        [COMPONENT_UNRECORDED] = "time before the ranks' first records",
    };
    double change_s = part_change(self->parts, part, self->version);
    const char *what = does[part->component] != NULL ? does[part->component] : part->name;
    if (part->component == COMPONENT_OFF ? add_off(line, self, part) : add_hidden_computation(line, self, part))
        return;
    if (part->function[0] != '\0') {
        builder_add(line, "%s takes ", part->function);
        reason_add_change(line, change_s);
        add_opposite(line, self, part);
        add_caller(line, self, BY_SITE, part->function);
        add_caller(line, self, BY_CALL_PATH, part->function);
        add_calls(line, self, part->function);
        return;
    }
    builder_add_time(line, fabs(change_s));
    builder_add(line, " %s %s", change_s > 0 ? "more" : "less", what);
    add_place(line, self, part);
}

/* --- components --- */

struct component {
    const struct compare_part *part;
    double change_s; /* in the direction of the difference */
};

static int by_change(const void *a, const void *b)
{
    double left = ((const struct component *)a)->change_s, right = ((const struct component *)b)->change_s;
    return (left < right) - (left > right);
}

/* "1.1 s less memory.external, 658.7 ms less processing.cpu": of runs that are not told apart further, the largest
 * components until four fifths are told. */
static void add_components(struct builder *line, const struct reason *self)
{
    enum { MOST = 3 };
    struct component *components = xcalloc(self->parts->count + 1, sizeof *components);
    size_t count = 0;
    double all_s = 0, told_s = 0;
    for (size_t i = 0; i < self->parts->count; i++)
        if (self->parts->list[i].by == BY_PATH && reason_change(self, &self->parts->list[i]) > 0) {
            components[count] = (struct component){&self->parts->list[i], reason_change(self, &self->parts->list[i])};
            all_s += components[count++].change_s;
        }
    sort_stable(components, count, sizeof *components, by_change);
    for (size_t i = 0; i < count && i < MOST && told_s < 0.8 * all_s; i++) {
        builder_add(line, "%s", i > 0 ? ", " : "");
        builder_add_time(line, components[i].change_s);
        builder_add(line, " %s %s", self->sign > 0 ? "more" : "less", components[i].part->name);
        told_s += components[i].change_s;
    }
    free(components);
}

/* --- all of it --- */

static void add_part(struct builder *line, const struct reason *self, const struct compare_part *part)
{
    (part->component == COMPONENT_PROCESSING ? add_computation : add_transfer)(line, self, part);
}

/* ", partly offset by 44.25 ms less in MPI_Alltoall": what goes the other way, if it is much. */
static void add_offset(struct builder *line, const struct reason *self)
{
    const struct reason other = {self->parts, self->version, self->difference_s, -self->sign};
    const struct compare_part *part = reason_find(&other, BY_PATH, NULL, NULL);
    if (part == NULL || reason_change(&other, part) < MUCH * fabs(self->difference_s))
        return;
    builder_add(line, ", partly offset by ");
    builder_add_time(line, reason_change(&other, part));
    builder_add(line, " %s %s", self->sign > 0 ? "less" : "more", part->name);
}

static struct reason begin(const struct compare_parts *parts, int version, double difference_s)
{
    return (struct reason){parts, version, difference_s, difference_s > 0 ? 1 : -1};
}

const struct compare_part *reason_largest(const struct compare_parts *parts, int version, double difference_s)
{
    const struct reason self = begin(parts, version, difference_s);
    return reason_find(&self, BY_PATH, NULL, NULL);
}

bool reason_add(struct builder *line, const struct compare_parts *parts, int version, double difference_s)
{
    const struct reason self = begin(parts, version, difference_s);
    const struct compare_part *first = reason_find(&self, BY_PATH, NULL, NULL), *second = NULL;
    if (first == NULL)
        return false;
    if (!parts->has_places) {
        add_components(line, &self);
        add_offset(line, &self);
        return true;
    }
    add_part(line, &self, first);
    if (reason_change(&self, first) < ENOUGH * fabs(difference_s))
        second = reason_find(&self, BY_PATH, NULL, first);
    if (second != NULL && reason_change(&self, second) >= LEAST_SHARE * fabs(difference_s)) {
        builder_add(line, "; ");
        add_part(line, &self, second);
    }
    add_offset(line, &self);
    return true;
}
