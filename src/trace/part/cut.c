/* Each interval is cut, moved and numbered anew. The critical path of a part begins with the part: an interval that
 * depends on what the part lacks follows a checkpoint of its own location, which is where that began to wait.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/part/cut.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"
#include "trace/record/matcher.h"

#include <stdlib.h>
#include <string.h>

struct cut_location {
    bool waits;       /* its latest interval was a wait that nothing has ended yet */
    int64_t since_ps; /* when that began; its checkpoint is the location's */
};

struct part_cut {
    const struct part *part;
    const struct interval_sink *sinks;
    int n_sinks, n_locations; /* of the part */
    struct cut_location *locations;
    bool *is_passed; /* of each of the run's checkpoints: the latest was passed on */
    size_t n_checkpoints;
    struct matcher *matcher; /* of messages between ranks of the part; a `location` is 1 for an end in the part */
    int64_t n_ends, n_pairs; /* in the part: their ends, and those of which both are */
    int64_t n_outside;       /* messages with other ranks */
    struct part_counts counts;
};

void part_cut_describe(struct interval_setup *setup, const struct part *part, char *const *names)
{
    setup->n_locations = setup->n_locations / setup->n_ranks * part->n_ranks;
    setup->n_ranks = part->n_ranks;
    setup->processor_names = (const char *const *)names;
    setup->processor_ps = NULL;
}

struct part_cut *part_cut_new(const struct part *part, int n_locations, const struct interval_sink *sinks, int n_sinks)
{
    struct part_cut *cut = xcalloc(1, sizeof *cut);
    *cut = (struct part_cut){
        .part = part, .sinks = sinks, .n_sinks = n_sinks, .n_locations = n_locations / part->n_whole * part->n_ranks};
    cut->matcher = matcher_new();
    cut->locations = xcalloc((size_t)cut->n_locations, sizeof *cut->locations);
    return cut;
}

void part_cut_free(struct part_cut *cut)
{
    if (cut == NULL)
        return;
    matcher_free(cut->matcher);
    free(cut->locations);
    free(cut->is_passed);
    free(cut);
}

static void pass(const struct part_cut *cut, const struct interval *interval)
{
    for (int i = 0; i < cut->n_sinks; i++)
        cut->sinks[i].take(cut->sinks[i].self, interval);
}

/* --- which intervals, and how much of them --- */

/* An interval of no length belongs to what ends with it; at the beginning of the run, to what begins there. */
static bool is_before(const struct part *part, const struct interval *interval)
{
    bool begins = interval->iteration == ITERATION_BEGINS && interval->start_ps == part->from_ps;
    return interval->end_ps <= part->from_ps && part->from_ps > 0 && !begins;
}

static bool is_after(const struct part *part, const struct interval *interval)
{
    return interval->start_ps >= part->to_ps && (interval->end_ps > part->to_ps || interval->start_ps > part->to_ps);
}

static bool is_moment_of(const struct part *part, int64_t at_ps)
{
    return at_ps >= part->from_ps && at_ps < part->to_ps;
}

/* True if a message's end, which is the interval's, is in the part: it begins there, and a receipt only of what was
 * sent there, so that there is no receipt without its message. */
static bool ends_within(const struct part *part, const struct interval *interval)
{
    return is_moment_of(part, interval->start_ps) && (interval->is_message || is_moment_of(part, interval->origin_ps));
}

static int number_of(const struct part *part, int rank)
{
    return rank >= 0 && rank < part->n_whole ? part->number_of[rank] : -1;
}

/* Count the end of a message that is in the part; both ends, if the other one is and has been counted before. */
static void count_message(struct part_cut *cut, const struct interval *interval)
{
    const struct part *part = cut->part;
    const struct interval_setup whole = {.n_ranks = part->n_whole,
                                         .n_more_processors = cut->n_locations / part->n_ranks - 1};
    struct message_ends ends;
    if (!interval->is_message && !interval->is_receipt)
        return;
    bool is_within = ends_within(part, interval);
    if (number_of(part, interval->peer) < 0) {
        cut->n_outside += is_within;
        return;
    }
    cut->n_ends += is_within;
    if (matcher_add(cut->matcher, &whole, interval, (struct message_end){.location = is_within}, &ends))
        cut->n_pairs += ends.sent.location && ends.received.location;
}

/* The share of a count that is in the part, such that those of all parts add up. */
static int64_t share_of(int64_t count, const struct interval *whole, const struct interval *cut)
{
    wide_int length_ps = whole->end_ps - whole->start_ps;
    if (length_ps == 0)
        return count;
    return (int64_t)(count * (wide_int)(cut->end_ps - whole->start_ps) / length_ps -
                     count * (wide_int)(cut->start_ps - whole->start_ps) / length_ps);
}

/* Cut to the borders. */
static struct interval within(const struct part *part, const struct interval *whole)
{
    struct interval cut = *whole;
    if (whole->start_ps < part->from_ps) {
        cut.start_ps = part->from_ps;
        cut.n_calls = 0;
    }
    if (whole->end_ps > part->to_ps) {
        cut.end_ps = part->to_ps;
        cut.is_collective = 0;
    }
    if ((whole->is_message || whole->is_receipt) && !ends_within(part, whole))
        cut.is_message = cut.is_receipt = 0;
    cut.operations = share_of(whole->operations, whole, &cut);
    cut.quantums = share_of(whole->quantums, whole, &cut);
    return cut;
}

/* --- what it depends on --- */

static bool *passed(struct part_cut *cut, uint32_t checkpoint)
{
    if (checkpoint >= cut->n_checkpoints) {
        size_t before = cut->n_checkpoints;
        cut->n_checkpoints = 2 * ((size_t)checkpoint + 1);
        cut->is_passed = xrealloc(cut->is_passed, cut->n_checkpoints * sizeof *cut->is_passed);
        memset(cut->is_passed + before, 0, (cut->n_checkpoints - before) * sizeof *cut->is_passed);
    }
    return &cut->is_passed[checkpoint];
}

/* The cause in the part; false if it is outside. */
static bool find_cause(struct part_cut *cut, struct interval *interval)
{
    bool is_inside = interval->origin_ps >= cut->part->from_ps && interval->origin_ps <= cut->part->to_ps;
    switch ((enum interval_cause)interval->cause) {
    case CAUSE_PEER:
        return is_inside && number_of(cut->part, interval->peer) >= 0;
    case CAUSE_CHECKPOINT:
        if (!is_inside || !*passed(cut, interval->message))
            return false;
        interval->message += (uint32_t)cut->n_locations;
        return true;
    case CAUSE_SELF:
    default:
        return true;
    }
}

/* Mark the beginning of a wait. */
static void begin_wait(struct part_cut *cut, const struct interval *wait)
{
    struct cut_location *location = &cut->locations[wait->location];
    location->waits = true;
    location->since_ps = wait->start_ps;
    pass(cut, &(struct interval){.start_ps = wait->start_ps,
                                 .end_ps = wait->start_ps,
                                 .message = (uint32_t)wait->location,
                                 .location = wait->location,
                                 .peer = -1,
                                 .state = STATE_SEND,
                                 .kind = INTERVAL_COMMUNICATE,
                                 .scope = wait->scope,
                                 .is_checkpoint = CHECKPOINT_END});
}

/* The interval depends on something outside: on the wait before it, if there is one. */
static void depend_on_itself(const struct part_cut *cut, struct interval *interval)
{
    const struct cut_location *location = &cut->locations[interval->location];
    interval->cause = CAUSE_SELF;
    if (!location->waits || interval->state == STATE_IDLE)
        return;
    interval->cause = CAUSE_CHECKPOINT;
    interval->message = (uint32_t)interval->location;
    interval->origin_ps = location->since_ps;
}

/* --- intervals --- */

static void pass_checkpoint(struct part_cut *cut, struct interval interval)
{
    *passed(cut, interval.message) = true;
    interval.message += (uint32_t)cut->n_locations;
    pass(cut, &interval);
}

static void pass_cut(struct part_cut *cut, struct interval interval)
{
    struct cut_location *location = &cut->locations[interval.location];
    int64_t work_ps[N_WORK_COMPONENTS] = {[WORK_CPU] = interval.end_ps - interval.start_ps};
    if (interval.work_ps != NULL)
        interval.work_ps = work_ps;
    bool waits = interval.state == STATE_IDLE && interval.cause == CAUSE_SELF;
    if (waits && !location->waits)
        begin_wait(cut, &interval);
    location->waits = waits;
    bool of_messages = interval.kind == INTERVAL_COMMUNICATE;
    *(of_messages ? &cut->counts.message_quantums : &cut->counts.quantums) += interval.quantums;
    cut->counts.n_collectives += interval.is_collective;
    pass(cut, &interval);
}

void part_cut_take(void *self, const struct interval *interval)
{
    struct part_cut *cut = self;
    const struct part *part = cut->part;
    int location = part_location(part, interval->location);
    if (location < 0 || is_before(part, interval) || is_after(part, interval)) {
        if (interval->is_checkpoint)
            *passed(cut, interval->message) = false;
        if (location >= 0)
            count_message(cut, interval);
        return;
    }
    count_message(cut, interval);
    struct interval mine = within(part, interval);
    mine.location = location;
    bool is_known = find_cause(cut, &mine);
    mine.start_ps -= part->from_ps;
    mine.end_ps -= part->from_ps;
    mine.origin_ps -= mine.cause != CAUSE_SELF ? part->from_ps : 0;
    if (!is_known)
        depend_on_itself(cut, &mine);
    bool is_for_thread = interval->wait >= WAIT_THREAD && interval->wait <= WAIT_THREAD_LOCK && interval->peer >= 0;
    mine.peer = is_for_thread ? part_location(part, interval->peer) : number_of(part, interval->peer);
    mine.awaited = number_of(part, interval->awaited);
    if (mine.peer < 0)
        mine.is_message = mine.is_receipt = 0;
    if (mine.is_checkpoint)
        pass_checkpoint(cut, mine);
    else
        pass_cut(cut, mine);
}

struct part_counts part_cut_end(struct part_cut *cut, int64_t run_end_ps)
{
    const struct part *part = cut->part;
    struct record_part *said = &cut->counts.said;
    int waiting = 0;
    *said = part_said(part, run_end_ps);
    said->n_crossing = cut->n_ends - 2 * cut->n_pairs;
    said->n_outside = cut->n_outside;
    int64_t end_ps = said->to_ps - said->from_ps;
    while (waiting < cut->n_locations && cut->locations[waiting].waits)
        waiting++;
    if (waiting == cut->n_locations && end_ps > 0) /* one of them is the end of the critical path */
        pass(cut, &(struct interval){.start_ps = end_ps,
                                     .end_ps = end_ps,
                                     .origin_ps = cut->locations[0].since_ps,
                                     .message = 0,
                                     .peer = -1,
                                     .awaited = -1,
                                     .state = STATE_IDLE,
                                     .kind = INTERVAL_COMMUNICATE,
                                     .wait = WAIT_OTHER,
                                     .cause = CAUSE_CHECKPOINT});
    return cut->counts;
}
