/* What lies between an application's own formula and the simulated time: a table of the terms that the difference is the
 * sum of, and what they mean, in words. */
#include "report/forecast.h"

#include "base/memory.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_TABLE = 20, N_LARGEST = 10 };
enum { COMPUTATION, COMMUNICATION, CONTENTION, N_TERMS };

/* A term that is shown as 0.0 % everywhere explains nothing. */
static const double least_share = 0.0005;

static const struct term {
    const char *measure, *name;
    const char *more, *less; /* what it means above and below 0 */
} terms[N_TERMS] = {
    {"computation_difference_s", "computation",
     "The chain of work and messages that the end waits for computes more than the formula has: parts do not divide\n"
     "  evenly, or work is not hidden behind messages.",
     "The chain of work and messages that the end waits for computes less than the formula has, which takes the\n"
     "  largest parts to be on it throughout."},
    {"communication_difference_s", "communication",
     "The chain of work and messages that the end waits for communicates more than the formula has: it is idle in a\n"
     "  pipeline, waits for a message to come round a ring, or has messages of more than an even share.",
     "Steps overlap: their messages are under way while others still are or while there is work on them; the formula\n"
     "  adds them up."},
    {"contention_s", "contention", "Messages meet on the network, and wait for each other or share a wire.",
     "Messages that give way to others let the end come earlier than without contention."},
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
        for (int s = 0; s < N_LANE_STATES; s++)
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

/* What is to be said of all runs together. */
struct summary {
    int n_runs, n_cancelled;
    double mean;                          /* |difference| */
    double terms[N_TERMS], sums[N_TERMS]; /* mean |term|, and the sum with its sign */
    const struct report_run *worst, *most_cancelled;
};

/* How much of a run's contention is taken back by what overlaps without contention. */
static double cancelled(const struct report_run *run)
{
    return fmin(share_of(run, CONTENTION), -share_of(run, COMMUNICATION));
}

/* Of `report`, the runs with the largest difference first. */
static struct summary summarise(const struct report *report)
{
    struct summary summary = {.n_runs = report->n_runs, .worst = &report->runs[0]};
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        summary.mean += fabs(difference_of(run)) / report->n_runs;
        for (int t = 0; t < N_TERMS; t++) {
            summary.terms[t] += fabs(share_of(run, t)) / report->n_runs;
            summary.sums[t] += share_of(run, t);
        }
        if (cancelled(run) < 0.01)
            continue;
        summary.n_cancelled++;
        if (summary.most_cancelled == NULL || cancelled(run) > cancelled(summary.most_cancelled))
            summary.most_cancelled = run;
    }
    return summary;
}

static int largest(const double shares[N_TERMS])
{
    int term = 0;
    for (int t = 1; t < N_TERMS; t++)
        if (fabs(shares[t]) > fabs(shares[term]))
            term = t;
    return term;
}

static void write_worst(FILE *stream, const struct report *report, const struct summary *summary, int most)
{
    double shares[N_TERMS];
    for (int t = 0; t < N_TERMS; t++)
        shares[t] = share_of(summary->worst, t);
    int term = largest(shares);
    bool same = term == most && (shares[term] > 0) == (summary->sums[most] > 0);
    fputs("  The worst, ", stream);
    text_name_run(stream, report, summary->worst);
    fprintf(stream, ", is %+.1f %% off, %s by %s, %+.1f %%.\n", 100 * difference_of(summary->worst),
            same ? "again most" : "but most", terms[term].name, 100 * shares[term]);
    if (!same)
        fprintf(stream, "  %s\n", shares[term] > 0 ? terms[term].more : terms[term].less);
}

static void write_cancelled(FILE *stream, const struct report *report, const struct summary *summary)
{
    const struct report_run *run = summary->most_cancelled;
    fprintf(stream, "  Contention takes back what would overlap without it in %d run%s, most in ", summary->n_cancelled,
            summary->n_cancelled == 1 ? "" : "s");
    text_name_run(stream, report, run);
    fprintf(stream, ":\n  %+.1f %% and %+.1f %%.\n", 100 * share_of(run, COMMUNICATION),
            100 * share_of(run, CONTENTION));
}

static void write_words(FILE *stream, const struct report *report, const struct summary *summary)
{
    int most = largest(summary->terms);
    if (summary->terms[most] < least_share) {
        fputs("  The formula and the simulation say the same.\n", stream);
        return;
    }
    if (summary->n_runs > 1) {
        fprintf(stream, "  Mean of %d runs, without sign: difference %.1f %%", summary->n_runs, 100 * summary->mean);
        for (int t = 0; t < N_TERMS; t++)
            fprintf(stream, ", %s %.1f %%", terms[t].name, 100 * summary->terms[t]);
        fputs(".\n", stream);
    }
    fprintf(stream, "  Most is %s.\n  %s\n", terms[most].name,
            summary->sums[most] > 0 ? terms[most].more : terms[most].less);
    if (summary->n_runs > 1)
        write_worst(stream, report, summary, most);
    if (summary->most_cancelled != NULL)
        write_cancelled(stream, report, summary);
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
    const struct summary summary = summarise(&explained);
    write_words(stream, &explained, &summary);
    free(explained.runs);
}
