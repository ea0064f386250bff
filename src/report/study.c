#include "report/study.h"

#include "base/memory.h"
#include "report/components.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- rankings --- */

static bool is_network(const struct report_parameter *parameter)
{
    return strcmp(parameter->name, "network") == 0;
}

/* Whether alternatives vary, the network counting or not. */
static bool has_alternatives(const struct report *report, bool networks)
{
    for (int i = 0; report->n_runs > 0 && i < report->runs[0].n_parameters; i++) {
        const struct report_parameter *parameter = &report->runs[0].parameters[i];
        if (!parameter->is_number && !parameter->is_problem && (networks || !is_network(parameter)) &&
            report_varies(report, i))
            return true;
    }
    return false;
}

bool study_is_ranking(const struct report *report)
{
    return has_alternatives(report, true);
}

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_networks(const struct report_run *a, const struct report_run *b)
{
    for (int i = 0; i < a->n_parameters; i++)
        if (is_network(&a->parameters[i]))
            return compare_numbers(a->parameters[i].number, b->parameters[i].number);
    return 0;
}

int study_compare_rankings(const struct report *report, const struct report_run *a, const struct report_run *b)
{
    int order = text_compare_problems(a, b);
    return order != 0 || !has_alternatives(report, false) ? order : compare_networks(a, b);
}

struct ranking {
    const struct report *report;
    bool apart; /* networks are */
};

static int by_ranking_and_time(const void *left, const void *right, void *data)
{
    const struct ranking *ranking = data;
    const struct report_run *a = *(struct report_run *const *)left, *b = *(struct report_run *const *)right;
    int order = text_compare_problems(a, b);
    if (order == 0 && ranking->apart)
        order = compare_networks(a, b);
    double x = text_time(a), y = text_time(b);
    return order != 0 ? order : (x > y) - (x < y);
}

void study_rank_run(struct report_run *run, int rank, double best_s)
{
    static const char *const overheads[] = {"control", "communication", "idle", "anomaly"};
    double share, largest = 0;
    result_add_count(&run->result, "", "rank", rank);
    if (best_s > 0)
        result_add_ratio(&run->result, "", "factor_to_best", text_time(run) / best_s);
    const char *dominant = components_largest(run, &share);
    snprintf(run->dominant, sizeof run->dominant, "%s", dominant != NULL ? dominant : "");
    for (size_t i = 0; i < sizeof overheads / sizeof overheads[0]; i++) {
        double ratio = text_value(run, "overhead_ratio", overheads[i]);
        if (ratio > largest) {
            largest = ratio;
            snprintf(run->largest_overhead, sizeof run->largest_overhead, "%s", overheads[i]);
        }
    }
}

void study_rank(struct report *report)
{
    struct ranking ranking = {report, has_alternatives(report, false)};
    if (report->decision != NULL || !study_is_ranking(report))
        return;
    report->is_ranked = true;
    struct report_run **runs = xmalloc((size_t)report->n_runs * sizeof(struct report_run *));
    for (int i = 0; i < report->n_runs; i++)
        runs[i] = &report->runs[i];
    qsort_r(runs, (size_t)report->n_runs, sizeof(struct report_run *), by_ranking_and_time, &ranking);
    for (int i = 0, first = 0, rank = 1; i < report->n_runs; i++) {
        bool begins = i == 0 || text_compare_problems(runs[first], runs[i]) != 0 ||
                      (ranking.apart && compare_networks(runs[first], runs[i]) != 0);
        first = begins ? i : first;
        if (begins || text_time(runs[i]) > text_time(runs[i - 1]))
            rank = i - first + 1;
        study_rank_run(runs[i], rank, text_time(runs[first]));
    }
    free(runs);
}

/* --- networks that do not agree --- */

#define SAME 1e-5

static int by_numbers(const struct report_run *a, const struct report_run *b, bool numbers)
{
    for (int i = 0; i < a->n_parameters; i++) {
        const struct report_parameter *parameter = &a->parameters[i];
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
    const struct report *report = data;
    const struct report_run *a = &report->runs[*(const int *)left], *b = &report->runs[*(const int *)right];
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

static void add_pair(struct study_pairs *found, size_t *capacity, const struct study_pair *pair)
{
    found->pairs = xgrow(found->pairs, (size_t)found->n_pairs, capacity, sizeof *found->pairs);
    found->pairs[found->n_pairs++] = *pair;
}

/* Two networks' runs of the same alternatives, `count` of them from `a` and `b` on in the sorted order. */
static void compare_orders(struct study_pairs *found, size_t *capacity, const struct report *report, const int *a,
                           const int *b, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            int on_first = order_of(text_time(&report->runs[a[i]]), text_time(&report->runs[a[k]]));
            int on_second = order_of(text_time(&report->runs[b[i]]), text_time(&report->runs[b[k]]));
            found->n_compared++;
            if (on_first * on_second >= 0)
                continue;
            int x = on_first < 0 ? i : k, y = on_first < 0 ? k : i; /* the one that the first network has faster */
            add_pair(found, capacity, &(struct study_pair){{a[x], b[x]}, {a[y], b[y]}});
        }
}

/* By how much the networks contradict each other: the product of the two factors. */
static double contradiction(const struct report *report, const struct study_pair *pair)
{
    return text_time(&report->runs[pair->second[0]]) / text_time(&report->runs[pair->first[0]]) *
           (text_time(&report->runs[pair->first[1]]) / text_time(&report->runs[pair->second[1]]));
}

static int by_contradiction(const void *left, const void *right, void *data)
{
    const struct study_pair *a = left, *b = right;
    double x = contradiction(data, a), y = contradiction(data, b);
    return x > y ? -1 : x < y ? 1 : compare_numbers(a->first[0], b->first[0]);
}

/* The runs of the same numbers from `from` on: as many blocks as networks, each with the same alternatives. */
static void compare_block(struct study_pairs *found, size_t *capacity, const struct report *report, const int *order,
                          int n_runs)
{
    int per_network = 1;
    while (per_network < n_runs && compare_networks(&report->runs[order[0]], &report->runs[order[per_network]]) == 0)
        per_network++;
    for (int a = 0; a + per_network <= n_runs; a += per_network)
        for (int b = a + per_network; b + per_network <= n_runs; b += per_network)
            compare_orders(found, capacity, report, order + a, order + b, per_network);
}

static bool networks_vary(const struct report *report)
{
    for (int i = 0; i < report->runs[0].n_parameters; i++)
        if (is_network(&report->runs[0].parameters[i]))
            return report_varies(report, i);
    return false;
}

static bool any_discarded(const struct report *report)
{
    for (int i = 0; i < report->n_runs; i++)
        if (report->runs[i].discarded[0] != '\0')
            return true;
    return false;
}

void study_find_pairs(struct study_pairs *found, const struct report *report)
{
    size_t capacity = 0;
    *found = (struct study_pairs){0};
    if (report->n_runs < 4 || !networks_vary(report) || !has_alternatives(report, false) || any_discarded(report))
        return;
    int *order = xmalloc((size_t)report->n_runs * sizeof *order);
    for (int i = 0; i < report->n_runs; i++)
        order[i] = i;
    qsort_r(order, (size_t)report->n_runs, sizeof *order, by_alternative, (void *)(uintptr_t)report);
    for (int first = 0, end; first < report->n_runs; first = end) {
        end = first + 1;
        while (end < report->n_runs && by_numbers(&report->runs[order[first]], &report->runs[order[end]], true) == 0)
            end++;
        compare_block(found, &capacity, report, order + first, end - first);
    }
    if (found->n_pairs > 0)
        qsort_r(found->pairs, (size_t)found->n_pairs, sizeof *found->pairs, by_contradiction,
                (void *)(uintptr_t)report);
    free(order);
}

/* --- text --- */

/* "broadcast chain, mode standard": the alternatives that vary, or, of a setting, the numbers. */
static char *append_varied(char *line, const struct report *report, const struct report_run *run, bool numbers)
{
    const char *before = "";
    for (int i = 0; i < run->n_parameters; i++) {
        const struct report_parameter *parameter = &run->parameters[i];
        if ((parameter->is_number || parameter->is_problem) != numbers || is_network(parameter) ||
            !report_varies(report, i))
            continue;
        line = text_append(line, "%s%s %s", before, parameter->name, parameter->text);
        before = ", ";
    }
    return line;
}

static void write_pair(FILE *stream, const struct report *report, const struct study_pair *pair)
{
    char times[4][32];
    const struct report_run *runs[4] = {&report->runs[pair->first[0]], &report->runs[pair->second[0]],
                                        &report->runs[pair->second[1]], &report->runs[pair->first[1]]};
    for (int i = 0; i < 4; i++)
        text_format_time(text_time(runs[i]), times[i], sizeof times[i]);
    char *setting = append_varied(xstrdup(""), report, runs[0], true);
    char *line = text_append(xstrdup(""), "%s%s", setting, setting[0] != '\0' ? ": " : "");
    free(setting);
    line = append_varied(line, report, runs[0], false);
    line = text_append(line, " before ");
    line = append_varied(line, report, runs[1], false);
    line = text_append(line, " on %s (%s, %s), after it on %s (%s, %s).", runs[0]->network, times[0], times[1],
                       runs[2]->network, times[3], times[2]);
    text_write_line(stream, line);
}

static void write_pairs(FILE *stream, const struct report *report)
{
    enum { MOST = 6 };
    struct study_pairs found;
    study_find_pairs(&found, report);
    if (found.n_compared > 0 && found.n_pairs == 0)
        fprintf(stream, "\nThe networks rank all %d pair%s of alternatives alike.\n", found.n_compared,
                found.n_compared == 1 ? "" : "s");
    if (found.n_pairs > 0)
        fprintf(stream, "\nThe networks do not agree on %d of %d pairs of alternatives:\n", found.n_pairs,
                found.n_compared);
    for (int i = 0; i < found.n_pairs && i < MOST; i++)
        write_pair(stream, report, &found.pairs[i]);
    if (found.n_pairs > MOST)
        fprintf(stream, "  ... %d more in -f json.\n", found.n_pairs - MOST);
    free(found.pairs);
}

static void write_effects(FILE *stream, const struct report *report)
{
    enum { MOST = 6 };
    int n_effects;
    struct study_effect *effects = study_find_effects(&n_effects, report);
    if (n_effects > 0)
        fputs("\nChanges without effect: the time is the same to the picosecond\n", stream);
    for (int i = 0; i < n_effects && i < MOST; i++) {
        char *sentence = study_describe_effect(report, &effects[i]);
        text_write_line(stream, text_append(sentence, "."));
    }
    if (n_effects > MOST)
        fprintf(stream, "  ... %d more in -f json.\n", n_effects - MOST);
    free(effects);
}

void study_write(FILE *stream, const struct report *report)
{
    write_pairs(stream, report);
    write_effects(stream, report);
}
