/* The report for people: the answer first, then where the time went and what the bottleneck is, a line a run. */
#include "report/carnival.h"
#include "report/report.h"

#include "base/memory.h"
#include "report/answer.h"
#include "report/components.h"
#include "report/decision.h"
#include "report/factors.h"
#include "report/fastest.h"
#include "report/forecast.h"
#include "report/grid.h"
#include "report/measured.h"
#include "report/models.h"
#include "report/sizes.h"
#include "report/study.h"
#include "report/table.h"
#include "report/text_parts.h"
#include "report/what_if.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shares below it are written as 0.0 %. */
#define SHOWN_AS_0 0.0005

/* Tables of more runs than that show the ends only. */
enum { LONG_RANKING = 40, N_BEST = 10, N_WORST = 3, LONG_SWEEP = 200, N_FIRST = 20, N_LAST = 20 };

static void mean_error(FILE *stream, const struct report *report)
{
    double simulated = 0, predicted = 0;
    int n_simulated = 0, n_predicted = 0;
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        double error = text_value(run, "reference", "error"), measured = text_value(run, "reference", "measured_s");
        double prediction = text_value(run, "reference", "predicted_s") / measured - 1;
        simulated += isnan(error) ? 0 : fabs(error);
        n_simulated += !isnan(error);
        predicted += isnan(prediction) ? 0 : fabs(prediction);
        n_predicted += !isnan(prediction);
    }
    if (n_simulated > 0)
        fprintf(stream, "  Mean |error| against %d measured: simulated %.1f %%", n_simulated,
                100 * simulated / n_simulated);
    if (n_simulated > 0 && n_predicted > 0)
        fprintf(stream, ", predicted by the reference's own model %.1f %%", 100 * predicted / n_predicted);
    if (n_simulated > 0)
        fputs(".\n", stream);
}

/* Whether there are ranks that have nothing to compute. */
static bool is_part(const struct report *report)
{
    for (int i = 0; i < report->n_runs; i++)
        if (text_processors(&report->runs[i]) < report->runs[i].ranks)
            return true;
    return false;
}

/* Which columns the table of times has. */
struct time_columns {
    bool ranking, overhead, part, speedup, forecast, measured, predicted;
    struct text_scale scale;
};

static void write_time_heads(struct table *table, const struct time_columns *has)
{
    table_head(table, "time [%s]", has->scale.unit);
    if (has->ranking)
        table_head(table, "of best");
    if (has->part)
        table_head(table, "processors");
    if (has->speedup) {
        table_head(table, "speedup");
        table_head(table, "efficiency");
    }
    if (has->forecast) {
        table_head(table, "forecast [%s]", has->scale.unit);
        table_head(table, "off it");
    }
    if (has->ranking) {
        table_head(table, "mostly");
        table_head(table, "share");
        if (has->overhead)
            table_head(table, "largest Ovh");
    }
    if (has->measured) {
        table_head(table, "measured [%s]", has->scale.unit);
        table_head(table, "error");
    }
    if (has->predicted) {
        table_head(table, "predicted [%s]", has->scale.unit);
        table_head(table, "error");
    }
}

static void write_time_row(struct table *table, const struct time_columns *has, const struct report_run *run,
                           const struct report_run *best)
{
    double share;
    text_cell_time(table, has->scale, text_time(run));
    if (has->ranking)
        text_cell_factor(table, text_time(run) / text_time(best));
    if (has->part)
        table_cell(table, "%d", text_processors(run));
    if (has->speedup) {
        text_cell_ratio(table, text_value(run, "", "speedup"));
        text_cell_percent(table, text_efficiency(run));
    }
    if (has->forecast) {
        text_cell_time(table, has->scale, text_value(run, "", "forecast_s"));
        text_cell_error(table, text_value(run, "", "forecast_error"));
    }
    if (has->ranking) {
        const char *dominant = components_largest(run, &share);
        table_cell(table, "%s", dominant != NULL ? dominant : "-");
        text_cell_percent(table, share);
        if (has->overhead)
            table_cell(table, "%s", run->largest_overhead[0] != '\0' ? run->largest_overhead : "-");
    }
    if (has->measured) {
        text_cell_time(table, has->scale, text_value(run, "reference", "measured_s"));
        text_cell_error(table, text_value(run, "reference", "error"));
    }
    if (has->predicted) {
        double prediction = text_value(run, "reference", "predicted_s");
        text_cell_time(table, has->scale, prediction);
        text_cell_error(table, prediction / text_value(run, "reference", "measured_s") - 1);
    }
}

/* The fastest run of the ranking that the run is in, of the runs from *first on, which are sorted; *first moves on. */
static const struct report_run *find_best(const struct report *report, const struct report_run *run, int *first)
{
    const struct report *all = report->whole != NULL ? report->whole : report;
    while (study_compare_rankings(all, &all->runs[*first], run) != 0)
        ++*first;
    return &all->runs[*first];
}

static void write_times(FILE *stream, const struct report *report)
{
    const struct time_columns has = {
        .ranking = study_is_ranking(report),
        .overhead = report->is_ranked && text_has(report, "overhead_ratio", "idle"),
        .part = is_part(report),
        .speedup = text_has(report, "", "speedup"),
        .forecast = text_has(report, "", "forecast_s"),
        .measured = text_has(report, "reference", "measured_s"),
        .predicted = text_has(report, "reference", "predicted_s"),
        .scale = text_scale_column(report, "", "time_s", text_scale(report, "", "time_s")),
    };
    struct table *table = table_new();
    text_head_run(table, report);
    write_time_heads(table, &has);
    for (int i = 0, first = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        write_time_row(table, &has, run, has.ranking ? find_best(report, run, &first) : run);
    }
    fprintf(stream, "\nTime\n");
    table_print(table, stream);
    if (has.part)
        fputs("  Processors are the ranks that compute; efficiency is speedup / processors. Shares below, and "
              "efficiency\n"
              "  in JSON, are of all ranks.\n",
              stream);
    if (has.measured)
        mean_error(stream, report->whole != NULL ? report->whole : report);
}

static double state_share(const struct report_run *run, int state)
{
    return text_value(run, "state_s", location_state_names[state]) / (text_time(run) * run->ranks);
}

enum { N_OVERHEADS = 4 };
static const char *const overheads[N_OVERHEADS] = {"control", "communication", "idle", "anomaly"};

/* Which of the columns are 0 in all runs, and left out; and the largest overhead ratio. */
struct lost_columns {
    bool states[N_LOCATION_STATES], overheads[N_OVERHEADS];
    double largest;
};

static struct lost_columns find_lost_columns(const struct report *report)
{
    struct lost_columns columns = {.largest = 0};
    for (int i = 0; i < report->n_runs; i++) {
        for (int s = 0; s < N_LOCATION_STATES; s++)
            columns.states[s] |= fabs(state_share(&report->runs[i], s)) >= SHOWN_AS_0;
        for (int c = 0; c < N_OVERHEADS; c++) /* fmax skips NAN */
            columns.largest = fmax(columns.largest, fabs(text_value(&report->runs[i], "overhead_ratio", overheads[c])));
    }
    for (int i = 0; i < report->n_runs; i++)
        for (int c = 0; c < N_OVERHEADS; c++)
            columns.overheads[c] |= fabs(text_value(&report->runs[i], "overhead_ratio", overheads[c])) >= SHOWN_AS_0;
    return columns;
}

static void write_lost_cycles(FILE *stream, const struct report *report)
{
    const struct lost_columns shown = find_lost_columns(report);
    const char *before = "| Ovh ";
    if (!text_has(report, "state_s", location_state_names[0]))
        return;
    struct table *table = table_new();
    text_head_run(table, report);
    for (int s = 0; s < N_LOCATION_STATES; s++)
        if (shown.states[s])
            table_head(table, "%s", location_state_names[s]);
    for (int c = 0; c < N_OVERHEADS; c++)
        if (shown.overheads[c]) {
            table_head(table, "%s%s", before, overheads[c]);
            before = "";
        }
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        for (int s = 0; s < N_LOCATION_STATES; s++)
            if (shown.states[s])
                text_cell_percent(table, state_share(run, s));
        for (int c = 0; c < N_OVERHEADS; c++)
            if (shown.overheads[c])
                text_cell_percent(table, text_value(run, "overhead_ratio", overheads[c]));
    }
    fprintf(stream, "\nWhere the processors' time went (shares of ranks x time%s)\n",
            shown.largest < SHOWN_AS_0 ? ""
            : text_has(report, "", "sequential_time_s")
                ? "; Ovh = lost time / T_seq, speedup = ranks / (1 + sum of Ovh)"
                : "; Ovh = lost time / useful time");
    table_print(table, stream);
}

static void write_processes(FILE *stream, const struct report *report, const struct report_run *run)
{
    double sequential = text_value(run, "", "sequential_time_s");
    struct table *table = table_new();
    table_head(table, "rank");
    for (int s = 0; s < N_LOCATION_STATES; s++)
        table_head(table, "%s", location_state_names[s]);
    if (sequential > 0) {
        table_head(table, "| Ovh communication");
        table_head(table, "idle");
    }
    for (int rank = 0; rank < run->result.n_ranks; rank++) {
        const int64_t *state_ps = run->result.state_ps[rank];
        table_cell(table, "%d", rank);
        for (int s = 0; s < N_LOCATION_STATES; s++)
            text_cell_percent(table, (double)state_ps[s] / 1e12 / text_time(run));
        if (sequential > 0) {
            text_cell_percent(table, (double)(state_ps[STATE_SEND] + state_ps[STATE_RECEIVE]) / 1e12 / sequential);
            text_cell_percent(table, (double)state_ps[STATE_IDLE] / 1e12 / sequential);
        }
    }
    fputs("\nProcess by process, ", stream);
    text_name_run(stream, report, run);
    fputs(" (shares of the time)\n", stream);
    table_print(table, stream);
}

/* One ranking after the other, of each the fastest run first. */
static int by_ranking_and_time(const void *a, const void *b, void *report)
{
    double left = text_time(a), right = text_time(b);
    int order = study_compare_rankings(report, a, b);
    return order != 0 ? order : (left > right) - (left < right);
}

/* The first and the last runs, as a report of their own. */
static struct report cut(const struct report *sorted, int n_first, int n_last)
{
    struct report shown = *sorted;
    shown.whole = sorted;
    shown.n_runs = n_first + n_last;
    shown.runs = xmalloc((size_t)shown.n_runs * sizeof *shown.runs);
    memcpy(shown.runs, sorted->runs, (size_t)n_first * sizeof *shown.runs);
    memcpy(shown.runs + n_first, sorted->runs + sorted->n_runs - n_last, (size_t)n_last * sizeof *shown.runs);
    return shown;
}

static bool is_one_ranking(const struct report *sorted)
{
    return study_is_ranking(sorted) &&
           study_compare_rankings(sorted, &sorted->runs[0], &sorted->runs[sorted->n_runs - 1]) == 0;
}

/* The runs that the tables show: all, or the ends of a long ranking or sweep. */
static struct report shorten(const struct report *sorted)
{
    bool ranking = is_one_ranking(sorted);
    if (sorted->n_runs <= (ranking ? LONG_RANKING : LONG_SWEEP))
        return *sorted;
    return ranking ? cut(sorted, N_BEST, N_WORST) : cut(sorted, N_FIRST, N_LAST);
}

/* What they do not show, if they are cut. */
static void write_cut(FILE *stream, const struct report *sorted, const struct report *shown)
{
    bool ranking = is_one_ranking(sorted);
    if (shown->whole == sorted)
        fprintf(stream, "\nThe tables show the %s %d and the %s %d of %d runs; ... %d more in -f csv.\n",
                ranking ? "best" : "first", ranking ? N_BEST : N_FIRST, ranking ? "worst" : "last",
                ranking ? N_WORST : N_LAST, sorted->n_runs, sorted->n_runs - shown->n_runs);
}

static void write_tables(FILE *stream, const struct report *sorted, const struct report *shown)
{
    write_cut(stream, sorted, shown);
    write_times(stream, shown);
    measured_write(stream, sorted);
    forecast_write(stream, sorted);
    fastest_write(stream, sorted);
    write_lost_cycles(stream, shown);
    components_write_path(stream, shown);
    components_write_bottlenecks(stream, shown);
    sizes_write(stream, sorted);
}

/* The runs in the order of the tables. */
static void sort(struct report *report)
{
    if (study_is_ranking(report))
        qsort_r(report->runs, (size_t)report->n_runs, sizeof *report->runs, by_ranking_and_time, report);
}

/* A decision shows its rankings; if verbose, the usual tables of what was simulated, too. */
static void write_decision(FILE *stream, const struct report *report)
{
    struct decision decision;
    decision_init(&decision, report);
    decision_write_answers(stream, report, &decision);
    what_if_write_answer(stream, report);
    answer_write_platform(stream, report);
    models_write(stream, report);
    what_if_write(stream, report);
    if (decision.n_rankings <= DECISION_FEW)
        factors_write(stream, report);
    decision_write_tables(stream, report, &decision);
    decision_dispose(&decision);
    if (!report->verbose) /* it is among the usual tables */
        fastest_write(stream, report);
    study_write(stream, report);
    struct report simulated = *report;
    simulated.n_runs = 0;
    simulated.varying = NULL;
    simulated.runs = xmalloc((size_t)report->n_runs * sizeof *simulated.runs);
    for (int i = 0; report->verbose && i < report->n_runs; i++)
        if (report->runs[i].discarded[0] == '\0')
            simulated.runs[simulated.n_runs++] = report->runs[i];
    bool *varying = report_find_varying(&simulated);
    simulated.varying = varying;
    sort(&simulated);
    struct report shown = shorten(&simulated);
    if (simulated.n_runs > 0)
        write_tables(stream, &simulated, &shown);
    for (int i = 0; i < simulated.n_runs; i++)
        write_processes(stream, &simulated, &simulated.runs[i]);
    if (shown.whole == &simulated)
        free(shown.runs);
    free(varying);
    free(simulated.runs);
}

static void text_write(FILE *stream, const struct report *report)
{
    if (report->decision != NULL) {
        write_decision(stream, report);
        return;
    }
    struct report sorted = *report;
    sorted.runs = xmalloc((size_t)report->n_runs * sizeof *sorted.runs);
    memcpy(sorted.runs, report->runs, (size_t)report->n_runs * sizeof *sorted.runs);
    sort(&sorted);
    struct report shown = shorten(&sorted);
    answer_write(stream, report);
    factors_write(stream, report);
    models_write(stream, report);
    what_if_write(stream, report);
    grid_write(stream, &sorted);
    write_tables(stream, &sorted, &shown);
    carnival_write(stream, &sorted, &shown);
    study_write(stream, report);
    for (int i = 0; report->verbose && i < sorted.n_runs; i++)
        write_processes(stream, &sorted, &sorted.runs[i]);
    if (shown.whole == &sorted)
        free(shown.runs);
    free(sorted.runs);
}

const struct report_spec report_text = {
    .name = "text", .summary = "tables for reading, the answer first", .write = text_write};
