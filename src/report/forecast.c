/* What lies between an application's own formula and the simulated time: a table of the terms that the difference is
 * the sum of, and what they mean, in words. */
#include "report/forecast.h"

#include "base/memory.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_TABLE = 20, N_LARGEST = 10 };
enum { COMPUTATION, COMMUNICATION, CONTENTION, N_TERMS };

/* Differences that are said to be none, those that are not explained, and terms that are not mentioned. */
static const double no_difference = 0.0005, small_difference = 0.02, small_term = 0.01;

static const struct term {
    const char *measure, *name;
    const char *more, *less; /* what it means above and below 0 */
} terms[N_TERMS] = {
    {"computation_difference_s", "computation", "parts do not divide evenly, or work is not hidden behind messages",
     "the largest parts are not on the critical path throughout"},
    {"communication_difference_s", "communication", "waits in a pipeline or round a ring, or uneven shares of messages",
     "steps overlap, which the formula adds up"},
    {"contention_s", "contention", "messages wait for each other or share a wire",
     "messages that give way to others let the end come earlier"},
};

static double difference_of(const struct report_run *run)
{
    return text_value(run, "", "forecast_error");
}

/* A term as a share of the forecast. */
static double share_of(const struct report_run *run, int term)
{
    return text_value(run, "forecast", terms[term].measure) / text_value(run, "forecast", "time_s");
}

/* How much of their time the ranks are idle that have anything to do. */
static double idle_of(const struct report_run *run)
{
    double idle = 0, all = 0;
    for (int rank = 0; rank < run->result.n_ranks; rank++) {
        double total = 0, rank_idle = (double)run->result.state_ps[rank][STATE_IDLE];
        for (int s = 0; s < N_LOCATION_STATES; s++)
            total += (double)run->result.state_ps[rank][s];
        if (rank_idle < total) {
            idle += rank_idle;
            all += total;
        }
    }
    return idle / all;
}

/* --- the table --- */

static int by_difference(const void *a, const void *b)
{
    double left = fabs(difference_of(a)), right = fabs(difference_of(b));
    return (left < right) - (left > right);
}

static void write_table(FILE *stream, const struct report *report)
{
    struct text_scale scale = text_scale_column(report, "", "time_s", text_scale(report, "", "time_s"));
    struct table *table = table_new();
    text_head_run(table, report);
    table_head(table, "forecast [%s]", scale.unit);
    table_head(table, "simulated [%s]", scale.unit);
    table_head(table, "difference");
    for (int t = 0; t < N_TERMS; t++)
        table_head(table, "%c %s", t == 0 ? '=' : '+', terms[t].name);
    table_head(table, "idle");
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        text_cell_time(table, scale, text_value(run, "forecast", "time_s"));
        text_cell_time(table, scale, text_time(run));
        text_cell_error(table, difference_of(run));
        for (int t = 0; t < N_TERMS; t++)
            text_cell_error(table, share_of(run, t));
        text_cell_percent(table, idle_of(run));
    }
    table_print(table, stream);
}

/* --- the words --- */

static bool is_of_another_algorithm(const struct report_run *run)
{
    return text_value(run, "forecast", "of_another_algorithm") > 0;
}

/* One line for a term that is above (sign 1) or below (-1) 0: in how many runs, how far, and what it means. */
static void write_cause(FILE *stream, const struct report *report, int term, double sign)
{
    int count = 0;
    double largest = 0;
    for (int i = 0; i < report->n_runs; i++) {
        double share = sign * share_of(&report->runs[i], term);
        if (share < small_term)
            continue;
        count++;
        largest = fmax(largest, share);
    }
    if (count == 0)
        return;
    fprintf(stream, "  %c%s %+.1f %%", toupper(terms[term].name[0]), terms[term].name + 1, 100 * sign * largest);
    if (report->n_runs > 1)
        fprintf(stream, "%s in %d run%s", count == 1 ? "" : " at most,", count, count == 1 ? "" : "s");
    fprintf(stream, ": %s.\n", sign > 0 ? terms[term].more : terms[term].less);
}

static double mean_difference(const struct report *report)
{
    double sum = 0;
    for (int i = 0; i < report->n_runs; i++)
        sum += fabs(difference_of(&report->runs[i]));
    return sum / report->n_runs;
}

static void write_mean(FILE *stream, const struct report *report, const char *title)
{
    fprintf(stream, "  %s %.1f %% in the mean of %d runs without sign, and %+.1f %% at most.\n", title,
            100 * mean_difference(report), report->n_runs, 100 * difference_of(&report->runs[0]));
}

/* Of runs whose forecast is of what is simulated, the largest difference first. */
static void write_words(FILE *stream, const struct report *report)
{
    double largest = fabs(difference_of(&report->runs[0]));
    if (largest < small_difference) {
        fputs(largest < no_difference ? "  The formula and the simulation say the same.\n"
              : report->n_runs == 1   ? "  The difference is below 2 %.\n"
                                      : "  All differences are below 2 %.\n",
              stream);
        return;
    }
    if (report->n_runs > 1)
        write_mean(stream, report, "The difference is");
    for (int t = 0; t < N_TERMS; t++) {
        write_cause(stream, report, t, 1);
        write_cause(stream, report, t, -1);
    }
}

/* Of runs whose forecast is of another algorithm, which explains nothing. */
static void write_other_words(FILE *stream, const struct report *report)
{
    fputs("  The formula is of another algorithm than the one that is simulated; the difference is that between the "
          "two.\n",
          stream);
    if (report->n_runs > 1)
        write_mean(stream, report, "It is");
}

/* The runs that have a forecast, of this or another algorithm; to be freed. */
static struct report select_algorithm(const struct report *report, bool another)
{
    struct report selected = *report;
    selected.n_runs = 0;
    selected.runs = xmalloc((size_t)report->n_runs * sizeof *selected.runs);
    for (int i = 0; i < report->n_runs; i++)
        if (is_of_another_algorithm(&report->runs[i]) == another)
            selected.runs[selected.n_runs++] = report->runs[i];
    return selected;
}

static void write_all_words(FILE *stream, const struct report *report)
{
    struct report own = select_algorithm(report, false), other = select_algorithm(report, true);
    if (own.n_runs > 0 && other.n_runs > 0)
        fprintf(stream, "  Where the formula is of the algorithm that is simulated, %d of %d runs:\n", own.n_runs,
                report->n_runs);
    if (own.n_runs > 0)
        write_words(stream, &own);
    if (own.n_runs > 0 && other.n_runs > 0)
        fprintf(stream, "  In the other %d runs:\n", other.n_runs);
    if (other.n_runs > 0)
        write_other_words(stream, &other);
    free(own.runs);
    free(other.runs);
}

/* The runs that have a forecast; only these are explained. */
static struct report select_runs(const struct report *report)
{
    struct report selected = *report;
    selected.whole = report->whole != NULL ? report->whole : report;
    selected.n_runs = 0;
    selected.runs = xmalloc((size_t)report->n_runs * sizeof *selected.runs);
    for (int i = 0; i < report->n_runs; i++)
        if (!isnan(difference_of(&report->runs[i])))
            selected.runs[selected.n_runs++] = report->runs[i];
    return selected;
}

void forecast_write(FILE *stream, const struct report *report)
{
    struct report explained = select_runs(report), shown = explained;
    if (explained.n_runs == 0) {
        free(explained.runs);
        return;
    }
    fputs("\nForecast, the application's own formula: what it leaves out (in % of it; idle: of the ranks that take "
          "part)\n",
          stream);
    if (explained.n_runs <= LONG_TABLE) {
        write_table(stream, &explained);
        qsort(explained.runs, (size_t)explained.n_runs, sizeof *explained.runs, by_difference);
    } else {
        qsort(explained.runs, (size_t)explained.n_runs, sizeof *explained.runs, by_difference);
        shown.n_runs = N_LARGEST;
        write_table(stream, &shown);
        fprintf(stream, "  These are the %d largest differences; ... %d more in -f csv.\n", N_LARGEST,
                explained.n_runs - N_LARGEST);
    }
    write_all_words(stream, &explained);
    free(explained.runs);
}
