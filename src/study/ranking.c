/* The ranking of alternatives, and networks that do not agree on it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/ranking.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- rankings --- */

static bool is_network(const struct study_parameter *parameter)
{
    return parameter->subject == SUBJECT_NETWORK;
}

/* True if alternatives vary, the network counting or not. */
static bool has_alternatives(const struct study *study, bool networks)
{
    for (int i = 0; study->n_runs > 0 && i < study->runs[0].n_parameters; i++) {
        const struct study_parameter *parameter = &study->runs[0].parameters[i];
        if (!parameter->is_number && !parameter->is_problem && (networks || !is_network(parameter)) &&
            study_varies(study, i))
            return true;
    }
    return false;
}

bool ranking_is_one(const struct study *study)
{
    return has_alternatives(study, true);
}

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_networks(const struct study_run *a, const struct study_run *b)
{
    for (int i = 0; i < a->n_parameters; i++)
        if (is_network(&a->parameters[i]))
            return compare_numbers(a->parameters[i].number, b->parameters[i].number);
    return 0;
}

int ranking_compare(const struct study *study, const struct study_run *a, const struct study_run *b)
{
    int order = run_compare_problems(a, b);
    return order != 0 || !has_alternatives(study, false) ? order : compare_networks(a, b);
}

struct ranking {
    const struct study *study;
    bool apart; /* networks are */
};

static int by_ranking_and_time(const void *left, const void *right, void *data)
{
    const struct ranking *ranking = data;
    const struct study_run *a = *(struct study_run *const *)left, *b = *(struct study_run *const *)right;
    int order = run_compare_problems(a, b);
    if (order == 0 && ranking->apart)
        order = compare_networks(a, b);
    double x = run_time(a), y = run_time(b);
    return order != 0 ? order : (x > y) - (x < y);
}

void ranking_add_run(struct study_run *run, int rank, double best_s)
{
    double share, largest = 0;
    const struct measure *dominant = run_largest_part(run, &share);
    run->dominant = dominant != NULL ? dominant->of->name : NULL;
    for (int id = M_OVERHEAD_CONTROL; id <= M_OVERHEAD_ANOMALY; id++) {
        double ratio = run_value(run, (enum measure_id)id);
        if (ratio > largest) {
            largest = ratio;
            run->largest_overhead = measure_specs[id].name;
        }
    }
    result_add_count(&run->result, "", "rank", rank);
    if (best_s > 0)
        result_add_ratio(&run->result, "", "factor_to_best", run_time(run) / best_s);
}

void ranking_add(struct study *study)
{
    struct ranking ranking = {study, has_alternatives(study, false)};
    if (study->decision != M_NONE || !ranking_is_one(study))
        return;
    study->is_ranked = true;
    struct study_run **runs = xmalloc((size_t)study->n_runs * sizeof(struct study_run *));
    for (int i = 0; i < study->n_runs; i++)
        runs[i] = &study->runs[i];
    sort_rows(runs, (size_t)study->n_runs, sizeof(struct study_run *), by_ranking_and_time, &ranking);
    for (int i = 0, first = 0, rank = 1; i < study->n_runs; i++) {
        bool begins = i == 0 || run_compare_problems(runs[first], runs[i]) != 0 ||
                      (ranking.apart && compare_networks(runs[first], runs[i]) != 0);
        first = begins ? i : first;
        if (begins || run_time(runs[i]) > run_time(runs[i - 1]))
            rank = i - first + 1;
        ranking_add_run(runs[i], rank, run_time(runs[first]));
    }
    free(runs);
}

/* --- networks that do not agree --- */

#define SAME 1e-5

static int by_numbers(const struct study_run *a, const struct study_run *b, bool numbers)
{
    for (int i = 0; i < a->n_parameters; i++) {
        const struct study_parameter *parameter = &a->parameters[i];
        bool counts = parameter->is_number || parameter->is_problem;
        if (counts != numbers || is_network(parameter))
            continue;
        int order = compare_numbers(parameter->number, b->parameters[i].number);
        if (order != 0)
            return order;
    }
    return 0;
}

/* Same numbers, same network, then alternative by alternative. */
static int by_alternative(const void *left, const void *right, void *data)
{
    const struct study *study = data;
    const struct study_run *a = &study->runs[*(const int *)left], *b = &study->runs[*(const int *)right];
    int order = by_numbers(a, b, true);
    if (order == 0)
        order = compare_networks(a, b);
    return order != 0 ? order : by_numbers(a, b, false);
}

/* The sign of a difference of times, 0 where it is too small for one. */
static int order_of(double a, double b)
{
    return fabs(a - b) <= SAME * fmax(a, b) ? 0 : a < b ? -1 : 1;
}

/* Two networks' runs of the same alternatives, `count` of them from `a` and `b` on in the sorted order. */
static void compare_orders(struct ranking_pairs *found, size_t *capacity, const struct study *study, const int *a,
                           const int *b, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            int on_first = order_of(run_time(&study->runs[a[i]]), run_time(&study->runs[a[k]]));
            int on_second = order_of(run_time(&study->runs[b[i]]), run_time(&study->runs[b[k]]));
            found->n_compared++;
            if (on_first * on_second >= 0)
                continue;
            int x = on_first < 0 ? i : k, y = on_first < 0 ? k : i; /* the one that the first network has faster */
            found->pairs = xgrow(found->pairs, (size_t)found->n_pairs, capacity, sizeof *found->pairs);
            found->pairs[found->n_pairs++] = (struct ranking_pair){{a[x], b[x]}, {a[y], b[y]}};
        }
}

/* By how much the networks contradict each other: the product of the two factors. */
static double contradiction(const struct study *study, const struct ranking_pair *pair)
{
    return run_time(&study->runs[pair->second[0]]) / run_time(&study->runs[pair->first[0]]) *
           (run_time(&study->runs[pair->first[1]]) / run_time(&study->runs[pair->second[1]]));
}

static int by_contradiction(const void *left, const void *right, void *data)
{
    const struct ranking_pair *a = left, *b = right;
    double x = contradiction(data, a), y = contradiction(data, b);
    return x > y ? -1 : x < y ? 1 : compare_numbers(a->first[0], b->first[0]);
}

/* The runs of the same numbers from `from` on: as many blocks as networks, each with the same alternatives. */
static void compare_block(struct ranking_pairs *found, size_t *capacity, const struct study *study, const int *order,
                          int n_runs)
{
    int per_network = 1;
    while (per_network < n_runs && compare_networks(&study->runs[order[0]], &study->runs[order[per_network]]) == 0)
        per_network++;
    for (int a = 0; a + per_network <= n_runs; a += per_network)
        for (int b = a + per_network; b + per_network <= n_runs; b += per_network)
            compare_orders(found, capacity, study, order + a, order + b, per_network);
}

static bool networks_vary(const struct study *study)
{
    for (int i = 0; i < study->runs[0].n_parameters; i++)
        if (is_network(&study->runs[0].parameters[i]))
            return study_varies(study, i);
    return false;
}

static bool any_discarded(const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++)
        if (run_is_discarded(&study->runs[i]))
            return true;
    return false;
}

void ranking_find_pairs(struct ranking_pairs *found, const struct study *study)
{
    size_t capacity = 0;
    *found = (struct ranking_pairs){0};
    if (study->n_runs < 4 || !networks_vary(study) || !has_alternatives(study, false) || any_discarded(study))
        return;
    int *order = xmalloc((size_t)study->n_runs * sizeof *order);
    for (int i = 0; i < study->n_runs; i++)
        order[i] = i;
    sort_rows(order, (size_t)study->n_runs, sizeof *order, by_alternative, (void *)(uintptr_t)study);
    for (int first = 0, end; first < study->n_runs; first = end) {
        end = first + 1;
        while (end < study->n_runs && by_numbers(&study->runs[order[first]], &study->runs[order[end]], true) == 0)
            end++;
        compare_block(found, &capacity, study, order + first, end - first);
    }
    if (found->n_pairs > 0)
        sort_rows(found->pairs, (size_t)found->n_pairs, sizeof *found->pairs, by_contradiction,
                  (void *)(uintptr_t)study);
    free(order);
}
