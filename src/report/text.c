/* The report for people: the answer first, then where the time went and what the bottleneck is, a line a run. */
#include "report/carnival.h"
#include "report/report.h"

#include "base/memory.h"
#include "report/components.h"
#include "report/decision.h"
#include "report/forecast.h"
#include "report/grid.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_RANKING = 40, N_BEST = 10, N_WORST = 3 };

/* Alternatives (a choice varies) are ranked, the fastest first; a sweep over numbers keeps its order. */
static bool is_ranking(const struct report *report)
{
    for (int i = 0; i < report->runs[0].n_parameters; i++)
        if (!report->runs[0].parameters[i].is_number && report_varies(report, i))
            return true;
    return false;
}

/* What all runs have in common, in lines of at most 100 characters. */
static void write_parameters(FILE *stream, const struct report *report, const struct report_run *run)
{
    int column = fprintf(stream, "Platform %s, network %s", run->platform, run->network);
    for (int i = 0; i < run->n_parameters; i++) {
        if (text_shows(report, i) || strcmp(run->parameters[i].name, "network") == 0)
            continue;
        char item[96];
        int length = snprintf(item, sizeof item, "%s %s", run->parameters[i].name, run->parameters[i].text);
        if (column + length > 98) {
            fputs(",\n  ", stream);
            column = 2;
        } else {
            fputs(", ", stream);
        }
        column += fprintf(stream, "%s", item) + 2;
    }
    fputs(".\n", stream);
}

static void write_answer(FILE *stream, const struct report *report, const struct report_run *best)
{
    char time[32];
    fprintf(stream, "%s\n\n", report->title != NULL ? report->title : report->scenario);
    fprintf(stream, "%s", report->n_runs > 1 ? "Fastest: " : "");
    text_name_run(stream, report, best);
    fprintf(stream, " in %s", text_format_time(text_time(best), time, sizeof time));
    double speedup = text_value(best, "", "speedup");
    if (!isnan(speedup))
        fprintf(stream, ", speedup %.2f, efficiency %.1f %%", speedup, 100 * text_value(best, "", "efficiency"));
    double share;
    const char *dominant = components_dominant(best, &share);
    if (share > 0)
        fprintf(stream, "; %.0f %% of it is %s", 100 * share, dominant);
    fputs(".\n", stream);
    write_parameters(stream, report, best);
}

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

static void write_times(FILE *stream, const struct report *report)
{
    bool measured = text_has(report, "reference", "measured_s"),
         predicted = text_has(report, "reference", "predicted_s");
    bool ranking = is_ranking(report), speedup = text_has(report, "", "speedup");
    bool forecast = text_has(report, "", "forecast_s");
    double share;
    struct text_scale scale = text_scale_column(report, "", "time_s", text_scale(report, "", "time_s"));
    struct table *table = table_new();
    text_head_run(table, report);
    table_head(table, "time [%s]", scale.unit);
    if (ranking)
        table_head(table, "of best");
    if (speedup) {
        table_head(table, "speedup");
        table_head(table, "efficiency");
    }
    if (forecast) {
        table_head(table, "forecast [%s]", scale.unit);
        table_head(table, "off it");
    }
    if (ranking)
        table_head(table, "mostly");
    if (measured) {
        table_head(table, "measured [%s]", scale.unit);
        table_head(table, "error");
    }
    if (predicted) {
        table_head(table, "predicted [%s]", scale.unit);
        table_head(table, "error");
    }
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        text_cell_time(table, scale, text_time(run));
        if (ranking)
            table_cell(table, "x %.2f", text_time(run) / text_time(&report->runs[0]));
        if (speedup) {
            text_cell_ratio(table, text_value(run, "", "speedup"));
            text_cell_percent(table, text_value(run, "", "efficiency"));
        }
        if (forecast) {
            text_cell_time(table, scale, text_value(run, "", "forecast_s"));
            text_cell_error(table, text_value(run, "", "forecast_error"));
        }
        if (ranking)
            table_cell(table, "%s", components_dominant(run, &share));
        if (measured) {
            text_cell_time(table, scale, text_value(run, "reference", "measured_s"));
            text_cell_error(table, text_value(run, "reference", "error"));
        }
        if (predicted) {
            double prediction = text_value(run, "reference", "predicted_s");
            text_cell_time(table, scale, prediction);
            text_cell_error(table, prediction / text_value(run, "reference", "measured_s") - 1);
        }
    }
    fprintf(stream, "\nTime\n");
    table_print(table, stream);
    if (measured)
        mean_error(stream, report->whole != NULL ? report->whole : report);
}

static void write_lost_cycles(FILE *stream, const struct report *report)
{
    static const char *const classes[] = {"control", "communication", "idle", "anomaly"};
    struct table *table = table_new();
    text_head_run(table, report);
    for (int s = 0; s < N_LANE_STATES; s++)
        table_head(table, "%s", lane_state_names[s]);
    bool ratios = text_has(report, "overhead_ratio", "idle");
    for (int c = 0; ratios && c < 4; c++)
        table_head(table, "%s%s", c == 0 ? "| Ovh " : "", classes[c]);
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        for (int s = 0; s < N_LANE_STATES; s++)
            text_cell_percent(table, text_value(run, "state_s", lane_state_names[s]) / (text_time(run) * run->ranks));
        for (int c = 0; ratios && c < 4; c++)
            text_cell_ratio(table, text_value(run, "overhead_ratio", classes[c]));
    }
    fprintf(stream, "\nWhere the processors' time went (shares of ranks x time%s)\n",
            ratios ? "; Ovh = lost time / T_seq, speedup = ranks / (1 + sum of Ovh)" : "");
    table_print(table, stream);
}

static void write_processes(FILE *stream, const struct report *report, const struct report_run *run)
{
    double sequential = text_value(run, "", "sequential_time_s");
    struct table *table = table_new();
    table_head(table, "rank");
    for (int s = 0; s < N_LANE_STATES; s++)
        table_head(table, "%s", lane_state_names[s]);
    if (sequential > 0) {
        table_head(table, "| Ovh communication");
        table_head(table, "idle");
    }
    for (int rank = 0; rank < run->result.n_ranks; rank++) {
        const int64_t *state_ps = run->result.state_ps[rank];
        table_cell(table, "%d", rank);
        for (int s = 0; s < N_LANE_STATES; s++)
            text_cell_percent(table, (double)state_ps[s] / 1e12 / text_time(run));
        if (sequential > 0) {
            text_cell_ratio(table, (double)(state_ps[STATE_SEND] + state_ps[STATE_RECEIVE]) / 1e12 / sequential);
            text_cell_ratio(table, (double)state_ps[STATE_IDLE] / 1e12 / sequential);
        }
    }
    fputs("\nProcess by process, ", stream);
    text_name_run(stream, report, run);
    fputs(" (shares of the time)\n", stream);
    table_print(table, stream);
}

static int by_time(const void *a, const void *b)
{
    double left = text_time(a), right = text_time(b);
    return (left > right) - (left < right);
}

/* The runs that the tables show: all, or the ends of a long ranking, which then are a report of their own. */
static struct report shorten(const struct report *sorted)
{
    struct report shown = *sorted;
    if (!is_ranking(sorted) || sorted->n_runs <= LONG_RANKING)
        return shown;
    shown.whole = sorted;
    shown.n_runs = N_BEST + N_WORST;
    shown.runs = xmalloc((size_t)shown.n_runs * sizeof *shown.runs);
    memcpy(shown.runs, sorted->runs, N_BEST * sizeof *shown.runs);
    memcpy(shown.runs + N_BEST, sorted->runs + sorted->n_runs - N_WORST, N_WORST * sizeof *shown.runs);
    return shown;
}

static void write_tables(FILE *stream, const struct report *sorted)
{
    struct report shown = shorten(sorted);
    if (shown.whole != NULL)
        fprintf(stream, "\nThe tables show the best %d and the worst %d of %d runs; ... %d more in -f csv.\n", N_BEST,
                N_WORST, sorted->n_runs, sorted->n_runs - shown.n_runs);
    write_times(stream, &shown);
    forecast_write(stream, sorted);
    write_lost_cycles(stream, &shown);
    components_write_path(stream, &shown);
    components_write_bottlenecks(stream, &shown);
    if (shown.whole != NULL)
        free(shown.runs);
}

/* A decision shows its rankings; if verbose, the usual tables of what was simulated, too. */
static void write_decision(FILE *stream, const struct report *report)
{
    decision_write_answers(stream, report);
    write_parameters(stream, report, &report->runs[0]);
    decision_write_tables(stream, report);
    struct report simulated = *report;
    simulated.n_runs = 0;
    simulated.runs = xmalloc((size_t)report->n_runs * sizeof *simulated.runs);
    for (int i = 0; report->verbose && i < report->n_runs; i++)
        if (report->runs[i].discarded[0] == '\0')
            simulated.runs[simulated.n_runs++] = report->runs[i];
    if (simulated.n_runs > 0)
        write_tables(stream, &simulated);
    for (int i = 0; i < simulated.n_runs; i++)
        write_processes(stream, &simulated, &simulated.runs[i]);
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
    const struct report_run *best = &report->runs[0];
    for (int i = 1; i < report->n_runs; i++)
        if (text_time(&report->runs[i]) < text_time(best))
            best = &report->runs[i];
    if (is_ranking(report))
        qsort(sorted.runs, (size_t)sorted.n_runs, sizeof *sorted.runs, by_time);
    write_answer(stream, &sorted, best);
    grid_write(stream, &sorted);
    write_tables(stream, &sorted);
    carnival_write(stream, &sorted);
    for (int i = 0; report->verbose && i < sorted.n_runs; i++)
        write_processes(stream, &sorted, &sorted.runs[i]);
    free(sorted.runs);
}

const struct report_spec report_text = {
    .name = "text", .summary = "tables for reading, the answer first", .write = text_write};
