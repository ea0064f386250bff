#include "report/decision.h"

#include "base/memory.h"
#include "report/study.h"
#include "report/text_parts.h"
#include "report/winners.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- the order --- */

/* A run with what it is sorted by. */
struct entry {
    struct report_run *run;
    double value, time; /* the measure of the decision, and the time */
    int index;
};

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

/* By the parameters that are no candidates: equal for the runs of one ranking. */
static int compare_groups(const struct report_run *a, const struct report_run *b)
{
    for (int i = 0; i < a->n_parameters; i++) {
        int64_t left = a->parameters[i].number, right = b->parameters[i].number;
        if (!a->parameters[i].is_candidate && left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

static bool is_discarded(const struct report_run *run)
{
    return run->discarded[0] != '\0';
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = compare_groups(a->run, b->run);
    if (order == 0)
        order = is_discarded(a->run) - is_discarded(b->run);
    if (order == 0 && !is_discarded(a->run))
        order = compare(a->value, b->value);
    if (order == 0 && !is_discarded(a->run))
        order = compare(a->time, b->time);
    return order != 0 ? order : a->index - b->index;
}

static double value_of(const struct report_run *run, const char *measure)
{
    return strcmp(measure, "processors_used") == 0 ? text_computing(run) : text_value(run, "", measure);
}

void decision_init(struct decision *decision, const struct report *report)
{
    struct entry *entries = xmalloc((size_t)report->n_runs * sizeof *entries + 1);
    size_t capacity = 0;
    for (int i = 0; i < report->n_runs; i++) {
        struct report_run *run = &report->runs[i];
        entries[i] = (struct entry){run, value_of(run, report->decision), text_time(run), i};
    }
    qsort(entries, (size_t)report->n_runs, sizeof *entries, compare_entries);
    *decision = (struct decision){.runs = xmalloc((size_t)report->n_runs * sizeof(struct report_run *) + 1)};
    for (int i = 0; i < report->n_runs; i++) {
        decision->runs[i] = entries[i].run;
        if (i == 0 || compare_groups(entries[i - 1].run, entries[i].run) != 0) {
            decision->rankings =
                xgrow(decision->rankings, (size_t)decision->n_rankings, &capacity, sizeof *decision->rankings);
            decision->rankings[decision->n_rankings++] = (struct decision_ranking){.runs = &decision->runs[i]};
        }
        struct decision_ranking *ranking = &decision->rankings[decision->n_rankings - 1];
        ranking->n_runs++;
        ranking->n_ranked += !is_discarded(entries[i].run);
    }
    free(entries);
}

void decision_dispose(struct decision *decision)
{
    free(decision->runs);
    free(decision->rankings);
}

struct report_run *decision_find_last_best(const struct report *report)
{
    struct decision decision;
    struct report_run *best = NULL;
    decision_init(&decision, report);
    for (int i = 0; i < decision.n_rankings; i++)
        if (decision.rankings[i].n_ranked > 0)
            best = decision.rankings[i].runs[0];
    decision_dispose(&decision);
    return best;
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
        times[i] = text_time(ranking->runs[i]);
    qsort(times, (size_t)ranking->n_ranked, sizeof *times, by_time);
    for (int i = 0; i < ranking->n_ranked; i++) {
        const double time = text_time(ranking->runs[i]);
        int first = (int)((double *)bsearch(&time, times, (size_t)ranking->n_ranked, sizeof *times, by_time) - times);
        while (first > 0 && times[first - 1] >= time)
            first--;
        result_add_count(&ranking->runs[i]->result, "", "place", i + 1);
        study_rank_run(ranking->runs[i], first + 1, times[0]);
    }
    free(times);
}

void decision_rank(struct report *report)
{
    struct decision decision;
    for (int i = 0; i < report->n_runs; i++)
        if (!is_discarded(&report->runs[i]))
            result_add_count(&report->runs[i].result, "", "processors_used", text_computing(&report->runs[i]));
    decision_init(&decision, report);
    for (int i = 0; i < decision.n_rankings; i++)
        rank_group(&decision.rankings[i]);
    decision_dispose(&decision);
    report->is_ranked = true;
}

/* --- names --- */

char *decision_append_name(char *line, const struct report *report, const struct report_run *run, bool candidate)
{
    const char *before = "";
    for (int i = 0; i < run->n_parameters; i++) {
        if (run->parameters[i].is_candidate != candidate || !report_varies(report, i))
            continue;
        line = text_append(line, "%s%s %s", before, run->parameters[i].name, run->parameters[i].text);
        before = ", ";
    }
    return line;
}

char *decision_name_candidate(const struct report *report, const struct report_run *run)
{
    char *name = decision_append_name(xstrdup(""), report, run, true);
    return name[0] != '\0' ? name : text_append(name, "the only candidate"); /* --set has left one */
}

char *decision_append_group(char *line, const struct report *report, const struct report_run *run)
{
    char *group = decision_append_name(xstrdup(""), report, run, false);
    line = text_append(line, "%s%s", group[0] != '\0' ? " for " : "", group);
    free(group);
    return line;
}

/* --- the answers --- */

static void write_share(FILE *stream, double value, double best, const char *verb, const char *more, const char *less,
                        const char *times)
{
    double percent = fabs(100 * (value / best - 1));
    if (best > 0 && value >= 2 * best)
        fprintf(stream, "%s %.*f times as %s", verb, value < 10 * best ? 1 : 0, value / best, times);
    else if (best > 0)
        fprintf(stream, "%s %.*f %% %s", verb, percent < 10 ? 1 : 0, percent, value > best ? more : less);
    else
        fprintf(stream, "%s %s", verb, more);
}

/* How a run compares to the best one. */
static void write_time(FILE *stream, double value, double best)
{
    write_share(stream, value, best, "takes", "longer", "less time", "long");
}

static void write_bytes(FILE *stream, double value, double best)
{
    write_share(stream, value, best, "moves", "more data", "less data", "much data");
}

static void write_processors(FILE *stream, double value, double best)
{
    double more = fabs(value - best);
    fprintf(stream, value > best ? "needs %.0f more processor%s" : "leaves %.0f processor%s free", more,
            more > 1 ? "s" : "");
}

static const struct criterion {
    const char *measure, *title;
    void (*write)(FILE *stream, double value, double best);
} criteria[] = {
    {"time_s", "time", write_time},
    {"bytes", "data moved", write_bytes},
    {"processors_used", "processors used", write_processors},
};
enum { N_CRITERIA = sizeof criteria / sizeof criteria[0] };

const char *decision_title(const char *measure)
{
    int c = 0;
    while (c < N_CRITERIA - 1 && strcmp(criteria[c].measure, measure) != 0)
        c++;
    return criteria[c].title;
}

/* The sign of what a run has more than the best one; differences that would be written as 0.0 % are none. */
static int difference(const struct criterion *criterion, const struct report_run *run, const struct report_run *best)
{
    double value = text_value(run, "", criterion->measure), good = text_value(best, "", criterion->measure);
    return fabs(value - good) < 0.0005 * good ? 0 : compare(value, good);
}

/* Write those differences that have the sign, with commas and "and" between. */
static void write_differences(FILE *stream, const struct report_run *run, const struct report_run *best, int sign)
{
    int left = 0, written = 0;
    for (int c = 0; c < N_CRITERIA; c++)
        left += difference(&criteria[c], run, best) == sign;
    for (int c = 0; c < N_CRITERIA; c++) {
        if (difference(&criteria[c], run, best) != sign)
            continue;
        fputs(written == 0 ? "" : written + 1 == left ? " and " : ", ", stream);
        criteria[c].write(stream, text_value(run, "", criteria[c].measure), text_value(best, "", criteria[c].measure));
        written++;
    }
}

static bool differs(const struct report_run *run, const struct report_run *best, int sign)
{
    for (int c = 0; c < N_CRITERIA; c++)
        if (difference(&criteria[c], run, best) == sign)
            return true;
    return false;
}

/* The next candidate that is better than the best one in something else. */
static void write_alternative(FILE *stream, const struct report *report, const struct decision_ranking *ranking)
{
    const struct report_run *best = ranking->runs[0];
    int i = 1;
    while (i < ranking->n_ranked && !differs(ranking->runs[i], best, -1))
        i++;
    if (i >= ranking->n_ranked)
        return;
    char *name = decision_name_candidate(report, ranking->runs[i]);
    fprintf(stream, "; %s ", name);
    free(name);
    write_differences(stream, ranking->runs[i], best, 1);
    if (differs(ranking->runs[i], best, 1))
        fputs(" but ", stream);
    write_differences(stream, ranking->runs[i], best, -1);
}

static void write_answer(FILE *stream, const struct report *report, const struct decision_ranking *ranking)
{
    char time[32], *title = xformat("Best by %s", decision_title(report->decision));
    title = decision_append_group(title, report, ranking->runs[0]);
    fprintf(stream, "%s: ", title);
    free(title);
    if (ranking->n_ranked == 0) {
        fputs("none, all candidates are discarded.", stream);
        return;
    }
    char *name = decision_name_candidate(report, ranking->runs[0]);
    fprintf(stream, "%s in %s", name, text_format_time(text_time(ranking->runs[0]), time, sizeof time));
    free(name);
    write_alternative(stream, report, ranking);
    fputs(".", stream);
}

/* A sentence for each ranking, unless there are so many of them that a matrix says it better. */
void decision_write_answers(FILE *stream, const struct report *report, const struct decision *decision)
{
    enum { MOST = 20 };
    text_write_line(stream, xformat("%s", report->title != NULL ? report->title : report->scenario));
    fputc('\n', stream);
    bool has_matrix = winners_write(stream, report, decision);
    if (has_matrix && decision->n_rankings > DECISION_FEW)
        return;
    for (int i = 0; i < decision->n_rankings && i < MOST; i++) {
        char *line = NULL;
        size_t size;
        FILE *memory = open_memstream(&line, &size);
        write_answer(memory, report, &decision->rankings[i]);
        fclose(memory);
        text_write_line(stream, line);
    }
    if (decision->n_rankings > MOST)
        fprintf(stream, "... %d more in the table.\n", decision->n_rankings - MOST);
}
