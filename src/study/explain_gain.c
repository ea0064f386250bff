/* Why share and gain of a cause differ.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/what_if_gain.h"

#include "base/memory.h"
#include "base/sort.h"
#include "metrics/attribution.h"

#include <math.h>
#include <stdlib.h>

/* --- what has come onto the critical path, or left it, besides the cause itself --- */

struct change {
    const char *what, *scope;
    double more_s;
};

enum { MOST_CHANGES = 256, SHOWN_CHANGES = 3 };

/* Parts that are told apart in the table, but are one thing to who reads. */
static const char *const labels[N_PATH_PARTS] = {
    [PART_CPU] = "computation",
    [PART_FPU] = "computation",
    [PART_EXTERNAL] = "computation",
    [PART_INTERNAL] = "computation",
    [PART_CONTROL_CPU] = "control work",
    [PART_CONTROL_FPU] = "control work",
    [PART_CONTROL_EXTERNAL] = "control work",
    [PART_CONTROL_INTERNAL] = "control work",
    [PART_INPUT] = "input",
    [PART_OUTPUT] = "output",
    [PART_LINK_INIT] = "link initialization",
    [PART_OVERHEAD] = "software overhead",
    [PART_LATENCY] = "latency",
    [PART_LENGTH] = "transfer of bytes",
    [PART_CONTENTION] = "contention",
    [PART_PROTOCOL] = "protocol work",
    [PART_ANSWER] = "waiting for answers",
};

static void add_change(struct change *changes, int *count, enum path_part part, const char *scope, double more_s)
{
    const char *what = labels[part]; /* the same for all of one thing */
    for (int i = 0; i < *count; i++)
        if (changes[i].what == what && changes[i].scope == scope) {
            changes[i].more_s += more_s;
            return;
        }
    if (*count < MOST_CHANGES)
        changes[(*count)++] = (struct change){what, scope, more_s};
}

static int by_size(const void *a, const void *b)
{
    double left = fabs(((const struct change *)a)->more_s), right = fabs(((const struct change *)b)->more_s);
    return (left < right) - (left > right);
}

/* The largest first. */
static int find_changes(struct change *changes, const struct study_run *run, enum without cause)
{
    size_t n_rows;
    const struct what_if_paths_row *rows = result_what_if_paths(&run->result, &n_rows);
    int count = 0;
    for (size_t i = 0; i < n_rows; i++)
        if (rows[i].cause == cause && !rows[i].is_attributed)
            add_change(changes, &count, rows[i].component, rows[i].scope,
                       units_seconds(rows[i].after_ps) - units_seconds(rows[i].before_ps));
    sort_stable(changes, (size_t)count, sizeof *changes, by_size);
    return count;
}

/* "+1.2 s computation in update, +0.3 s contention in broadcast, -0.1 s others": they add up to what has come back. */
static void add_changes(struct builder *line, const struct study_run *run, const struct gain *gain)
{
    struct change *changes = xmalloc(MOST_CHANGES * sizeof *changes);
    int count = find_changes(changes, run, gain->cause);
    double rest_s = gain->returned_s;
    for (int i = 0; i < count && i < SHOWN_CHANGES; i++) {
        const struct change *change = &changes[i];
        if (i > 0 && fabs(change->more_s) < 0.05 * fabs(changes[0].more_s))
            break;
        builder_add(line, "%s%s", i > 0 ? ", " : "", change->more_s < 0 ? "-" : "+");
        builder_add_time(line, fabs(change->more_s));
        builder_add(line, " %s%s%s", change->what, change->scope[0] != '\0' ? " in " : "", change->scope);
        rest_s -= change->more_s;
    }
    if (count > 0 && fabs(rest_s) >= 0.005 * fabs(changes[0].more_s)) {
        builder_add(line, rest_s < 0 ? ", -" : ", +");
        builder_add_time(line, fabs(rest_s));
        builder_add(line, " others");
    }
    free(changes);
}

/* --- why share and gain differ --- */

/* Add the gain of removing another cause as well, which tells whether the two lie over each other. */
static void add_partner(struct builder *line, const struct gain *gain)
{
    double alone = gain_part(gain, gain->base_s - gain->partner_time_s);
    double joint = gain_part(gain, gain->base_s - gain->joint_time_s), sum = gain_ratio(gain) + alone;
    const char *verdict = joint > sum * 1.02 + 0.0005   ? "each hides part of the other"
                          : joint < sum * 0.98 - 0.0005 ? "they overlap in part"
                                                        : "the two just add up";
    if (gain->partner != WITHOUT_NOTHING)
        builder_add(line, " Without %s alone the run is %.1f %% shorter, without both %.1f %%: %s.",
                    without_names[gain->partner], 100 * alone, 100 * joint, verdict);
}

static bool gains_more(const struct gain *gain)
{
    return gain->base_s - gain->time_s > gain->attributed_s;
}

static const char *conjunction_of(const struct gain *gain)
{
    return gains_more(gain) ? "and" : "but";
}

/* "only 2.00 s shorter", "1.20 s longer": what the run is without the cause. */
static void add_gain(struct builder *line, const struct gain *gain)
{
    double gain_s = gain->base_s - gain->time_s;
    if (gain_s == 0) {
        builder_add(line, "the run takes the same time");
        return;
    }
    builder_add(line, "the run is %s", gain_s < 0 ? "" : gains_more(gain) ? "even " : "only ");
    builder_add_time(line, fabs(gain_s));
    builder_add(line, gain_s < 0 ? " longer" : " shorter");
}

/* Imbalance is attributed by loads, and the critical path need not run over the rank that has most, nor over any single
 * one. */
static void add_load(struct builder *line, const struct study_run *run, const struct gain *gain)
{
    const char *one = run_processors_per_rank(run) > 1 ? "processor" : "rank";
    double most_s = gain->mean_s + gain->attributed_s, after_s = gain->path_s - gain->removed_s;
    double least = 0.002 * gain->mean_s;
    bool is_even = gain->attributed_s < least;
    if (is_even) {
        builder_add(line, "all %ss have about the same amount to compute, ", one);
    } else {
        builder_add(line, "one %s has ", one);
        builder_add_time(line, gain->attributed_s);
        builder_add(line, " more to compute than the mean of ");
    }
    builder_add_time(line, gain->mean_s);
    builder_add(line, ", %s when all have the mean in each phase ", conjunction_of(gain));
    add_gain(line, gain);
    builder_add(line, "; of the critical path ");
    builder_add_time(line, gain->path_s);
    builder_add(line, " is computation, and then ");
    builder_add_time(line, after_s);
    if (most_s - gain->path_s > least)
        builder_add(line, "; it does not run over %s %s alone", is_even ? "one" : "that", one);
    if (gain->path_s - most_s > least || after_s - gain->mean_s > least)
        builder_add(line, "; it goes from %s to %s, always where the next piece takes longest", one, one);
}

static void add_share(struct builder *line, const struct gain *gain)
{
    if (gain->attributed_s == 0)
        builder_add(line, "none");
    else
        builder_add_time(line, gain->attributed_s);
    builder_add(line, " of the time, %s without it ", conjunction_of(gain));
    add_gain(line, gain);
}

/* Where share and gain differ, it is by what came onto the critical path or left it besides the cause. */
char *gain_explain(const struct study_run *run, const struct gain *gain)
{
    struct builder line = {0};
    double gap_s = gain->attributed_s - (gain->base_s - gain->time_s);
    if (gain->mean_s > 0) /* it is of loads */
        add_load(&line, run, gain);
    else
        add_share(&line, gain);
    if (fabs(gain->returned_s) >= 0.005 * fabs(gap_s)) {
        builder_add(&line, "; ");
        builder_add_time(&line, fabs(gain->returned_s));
        builder_add(&line, " of other things %s (",
                    gain->returned_s < 0 ? "go with it" : "that ran beside it are waited for instead");
        add_changes(&line, run, gain);
        builder_add(&line, ")");
    }
    builder_add(&line, ".");
    if (gain->moved >= 0.1)
        builder_add(&line, " %.0f %% of the critical path then runs over other ranks.", 100 * gain->moved);
    add_partner(&line, gain);
    return builder_take(&line);
}
