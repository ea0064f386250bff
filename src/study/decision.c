/* Decisions: the order of candidates, and the measures in which the best of them is better.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/decision.h"

#include "base/memory.h"
#include "base/sort.h"
#include "study/ranking.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* --- the order --- */

/* A run with what it is sorted by. */
struct entry {
    struct study_run *run;
    double value, time; /* the measure of the decision, and the time */
    int index;
};

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

/* By the parameters that are no candidates: equal for the runs of one ranking. */
static int compare_groups(const struct study_run *a, const struct study_run *b)
{
    for (int i = 0; i < a->n_parameters; i++) {
        int64_t left = a->parameters[i].number, right = b->parameters[i].number;
        if (!a->parameters[i].is_candidate && left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = compare_groups(a->run, b->run);
    if (order == 0)
        order = run_is_discarded(a->run) - run_is_discarded(b->run);
    if (order == 0 && !run_is_discarded(a->run))
        order = compare(a->value, b->value);
    if (order == 0 && !run_is_discarded(a->run))
        order = compare(a->time, b->time);
    return order != 0 ? order : a->index - b->index;
}

void decision_init(struct decision *decision, const struct study *study)
{
    struct entry *entries = xmalloc((size_t)study->n_runs * sizeof *entries + 1);
    size_t capacity = 0;
    for (int i = 0; i < study->n_runs; i++) {
        struct study_run *run = &study->runs[i];
        bool counts = study->decision == M_PROCESSORS_USED;
        double value = counts ? run_computing(run) : run_value(run, study->decision);
        entries[i] = (struct entry){run, value, run_time(run), i};
    }
    sort_stable(entries, (size_t)study->n_runs, sizeof *entries, compare_entries);
    *decision = (struct decision){.runs = xmalloc((size_t)study->n_runs * sizeof(struct study_run *) + 1)};
    for (int i = 0; i < study->n_runs; i++) {
        decision->runs[i] = entries[i].run;
        if (i == 0 || compare_groups(entries[i - 1].run, entries[i].run) != 0) {
            decision->rankings =
                xgrow(decision->rankings, (size_t)decision->n_rankings, &capacity, sizeof *decision->rankings);
            decision->rankings[decision->n_rankings++] = (struct decision_ranking){.runs = &decision->runs[i]};
        }
        struct decision_ranking *ranking = &decision->rankings[decision->n_rankings - 1];
        ranking->n_runs++;
        ranking->n_ranked += !run_is_discarded(entries[i].run);
    }
    free(entries);
}

void decision_dispose(struct decision *decision)
{
    free(decision->runs);
    free(decision->rankings);
}

int decision_find_last_best(struct study_run *best[], int most, const struct study *study)
{
    struct decision decision;
    int n = 0;
    decision_init(&decision, study);
    for (int i = decision.n_rankings - 1; i >= 0 && n == 0; i--)
        for (const struct decision_ranking *ranking = &decision.rankings[i]; n < most && n < ranking->n_ranked; n++)
            best[n] = ranking->runs[n];
    decision_dispose(&decision);
    return n;
}

static int by_time(const void *left, const void *right)
{
    return compare(*(const double *)left, *(const double *)right);
}

/* place by the measure of the decision; the others, as in any study, by the time. */
static void rank_group(const struct decision_ranking *ranking)
{
    double *times = xmalloc((size_t)ranking->n_ranked * sizeof *times + 1);
    for (int i = 0; i < ranking->n_ranked; i++)
        times[i] = run_time(ranking->runs[i]);
    sort_stable(times, (size_t)ranking->n_ranked, sizeof *times, by_time);
    for (int i = 0; i < ranking->n_ranked; i++) {
        const double time = run_time(ranking->runs[i]);
        int first = (int)((double *)bsearch(&time, times, (size_t)ranking->n_ranked, sizeof *times, by_time) - times);
        while (first > 0 && times[first - 1] >= time)
            first--;
        result_add_count(&ranking->runs[i]->result, "", "place", i + 1);
        ranking_add_run(ranking->runs[i], first + 1, times[0]);
    }
    free(times);
}

void decision_rank(struct study *study)
{
    struct decision decision;
    for (int i = 0; i < study->n_runs; i++)
        if (!run_is_discarded(&study->runs[i]))
            result_add_count(&study->runs[i].result, "", "processors_used", run_computing(&study->runs[i]));
    decision_init(&decision, study);
    for (int i = 0; i < decision.n_rankings; i++)
        rank_group(&decision.rankings[i]);
    decision_dispose(&decision);
    study->is_ranked = true;
}

/* --- names --- */

static bool is_candidate(const struct study_parameter *parameter)
{
    return parameter->is_candidate;
}

static bool is_no_candidate(const struct study_parameter *parameter)
{
    return !parameter->is_candidate;
}

void decision_name_candidate(struct builder *text, const struct study *study, const struct study_run *run)
{
    size_t before = text->length;
    study_name_varied(text, study, run, is_candidate, "");
    if (text->length == before) /* --set has left one */
        builder_add(text, "the only candidate");
}

void decision_name_group(struct builder *text, const struct study *study, const struct study_run *run)
{
    study_name_varied(text, study, run, is_no_candidate, " for ");
}

/* --- the answers --- */

/* How a run compares to the best one: by so much more or less, or so many times as much. */
struct criterion {
    enum measure_id measure;
    const char *title, *verb, *more, *less, *times;
};

static const struct criterion criteria[] = {
    {M_TIME, "time", "takes", "longer", "less time", "long"},
    {M_BYTES, "data moved", "moves", "more data", "less data", "much data"},
    {M_PROCESSORS_USED, "processors used", NULL, NULL, NULL, NULL}, /* which are counted */
};
enum { N_CRITERIA = sizeof criteria / sizeof criteria[0] };

const char *decision_title(enum measure_id measure)
{
    int c = 0;
    while (c < N_CRITERIA - 1 && criteria[c].measure != measure)
        c++;
    return criteria[c].title;
}

static void add_difference(struct builder *text, const struct criterion *criterion, double value, double best)
{
    double percent = fabs(100 * (value / best - 1)), more = fabs(value - best);
    if (criterion->verb == NULL)
        builder_add(text, value > best ? "needs %.0f more processor%s" : "leaves %.0f processor%s free", more,
                    more > 1 ? "s" : "");
    else if (best > 0 && value >= 2 * best)
        builder_add(text, "%s %.*f times as %s", criterion->verb, value < 10 * best ? 1 : 0, value / best,
                    criterion->times);
    else if (best > 0)
        builder_add(text, "%s %.*f %% %s", criterion->verb, percent < 10 ? 1 : 0, percent,
                    value > best ? criterion->more : criterion->less);
    else
        builder_add(text, "%s %s", criterion->verb, criterion->more);
}

/* The sign of what a run has more than the best one; differences that would be written as 0.0 % are none. */
static int difference(const struct criterion *criterion, const struct study_run *run, const struct study_run *best)
{
    double value = run_value(run, criterion->measure), good = run_value(best, criterion->measure);
    return fabs(value - good) < 0.0005 * good ? 0 : compare(value, good);
}

static int count_differences(const struct study_run *run, const struct study_run *best, int sign)
{
    int count = 0;
    for (int c = 0; c < N_CRITERIA; c++)
        count += difference(&criteria[c], run, best) == sign;
    return count;
}

/* Add the differences that have the sign, with commas and "and" between. */
static void add_differences(struct builder *text, const struct study_run *run, const struct study_run *best, int sign)
{
    int left = count_differences(run, best, sign), written = 0;
    for (int c = 0; c < N_CRITERIA; c++) {
        if (difference(&criteria[c], run, best) != sign)
            continue;
        builder_add(text, "%s", written == 0 ? "" : written + 1 == left ? " and " : ", ");
        add_difference(text, &criteria[c], run_value(run, criteria[c].measure), run_value(best, criteria[c].measure));
        written++;
    }
}

/* The next candidate that is better than the best one in something else. */
static void add_alternative(struct builder *text, const struct study *study, const struct decision_ranking *ranking)
{
    const struct study_run *best = ranking->runs[0];
    int i = 1;
    while (i < ranking->n_ranked && count_differences(ranking->runs[i], best, -1) == 0)
        i++;
    if (i >= ranking->n_ranked)
        return;
    builder_add(text, "; ");
    decision_name_candidate(text, study, ranking->runs[i]);
    builder_add(text, " ");
    add_differences(text, ranking->runs[i], best, 1);
    if (count_differences(ranking->runs[i], best, 1) > 0)
        builder_add(text, " but ");
    add_differences(text, ranking->runs[i], best, -1);
}

char *decision_describe(const struct study *study, const struct decision_ranking *ranking)
{
    struct builder text = {0};
    builder_add(&text, "Best by %s", decision_title(study->decision));
    decision_name_group(&text, study, ranking->runs[0]);
    builder_add(&text, ": ");
    if (ranking->n_ranked == 0) {
        builder_add(&text, "none, all candidates are discarded.");
        return builder_take(&text);
    }
    decision_name_candidate(&text, study, ranking->runs[0]);
    builder_add(&text, " in ");
    builder_add_time(&text, run_time(ranking->runs[0]));
    add_alternative(&text, study, ranking);
    builder_add(&text, ".");
    return builder_take(&text);
}
