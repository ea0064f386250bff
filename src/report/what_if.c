#include "report/what_if.h"

#include "base/memory.h"
#include "report/table.h"
#include "report/text_parts.h"
#include "report/worth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- runs that say the same --- */

typedef char *describe_run(const struct report_run *run);

/* Several runs, the first of which is `first`: all names, or the first one and how many more. */
static char *name_runs(const struct report *report, char *const *texts, int first, bool all)
{
    char *names = NULL;
    size_t size;
    int count = 0;
    FILE *memory = open_memstream(&names, &size);
    for (int i = first; i < report->n_runs; i++) {
        if (texts[i] == NULL || strcmp(texts[i], texts[first]) != 0)
            continue;
        if (count++ > 0 && !all)
            continue;
        fputs(count > 1 ? "; " : "", memory);
        text_name_run(memory, report, &report->runs[i]);
    }
    if (count > 1 && !all)
        fprintf(memory, " and %d more", count - 1);
    fclose(memory);
    return names;
}

/* What is to be said of each run that was examined, once for those of which it is the same; NULL for all others. */
static char **describe_runs(const struct report *report, describe_run *describe)
{
    char **texts = xcalloc((size_t)report->n_runs, sizeof *texts);
    for (int i = 0; i < report->n_runs; i++)
        texts[i] = worths_are_known(&report->runs[i]) ? describe(&report->runs[i]) : NULL;
    return texts;
}

static bool is_said(char *const *texts, int run)
{
    for (int i = 0; i < run; i++)
        if (texts[i] != NULL && strcmp(texts[i], texts[run]) == 0)
            return true;
    return false;
}

static void free_texts(char **texts, int count)
{
    for (int i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

/* --- the answer --- */

enum { MOST_NAMED = 3 };

static bool is_part(const struct worth *part, const struct worth *whole)
{
    return strcmp(part->part_of, whole->cause) == 0;
}

/* Whether one of its parts gains nine tenths as much, so that this says it better. */
static bool is_mostly_part(const struct worths *worths, const struct worth *whole)
{
    for (size_t i = 0; i < worths->n_removed; i++)
        if (is_part(&worths->rows[i], whole) && worth_gain(&worths->rows[i]) >= 0.9 * worth_gain(whole))
            return true;
    return false;
}

static bool is_said_by_other(const struct worths *worths, const struct worth *worth)
{
    for (size_t i = 0; i < worths->n_removed; i++)
        if (is_part(worth, &worths->rows[i]) && !is_mostly_part(worths, &worths->rows[i]))
            return true;
    return is_mostly_part(worths, worth);
}

/* "without bandwidth it would take 3.408 s, -51.5 %; without io 5.048 s, -28.1 %" */
static char *describe_gains(const struct report_run *run)
{
    struct worths worths = worths_read(run);
    char *line = xformat("%s", ""), time[32];
    int count = 0;
    for (size_t i = 0; i < worths.n_removed && count < MOST_NAMED; i++) {
        const struct worth *worth = &worths.rows[i];
        if (worth_gain(worth) < WORTH_SMALL || is_said_by_other(&worths, worth))
            continue;
        line = text_append(line, "%s %s%s %s, -%.1f %%", count == 0 ? "without" : "; without", worth->cause,
                           count == 0 ? " it would take" : "", text_format_time(worth->time_s, time, sizeof time),
                           100 * worth_gain(worth));
        count++;
    }
    if (count == 0 && worths.n_removed > 0)
        line = text_append(line, "without any one of those that were removed it would be less than %.1f %% shorter",
                           100 * WORTH_SMALL);
    free(worths.rows);
    return line;
}

void what_if_write_answer(FILE *stream, const struct report *report)
{
    char **texts = describe_runs(report, describe_gains);
    for (int i = 0; i < report->n_runs; i++) {
        if (texts[i] == NULL || texts[i][0] == '\0' || is_said(texts, i))
            continue;
        char *names = name_runs(report, texts, i, false);
        if (report->n_runs > 1)
            text_write_line(stream, xformat("%s: %s.", names, texts[i]));
        else
            text_write_line(stream, xformat("W%s.", texts[i] + 1));
        free(names);
    }
    free_texts(texts, report->n_runs);
}

/* --- the table --- */

static void write_table(FILE *stream, const struct report_run *run, const struct worths *worths)
{
    struct text_scale scale = text_scale_for(text_time(run));
    if (worths->n_removed == 0)
        return;
    struct table *out = table_new();
    table_head(out, "without");
    table_head(out, "time [%s]", scale.unit);
    table_head(out, "gain");
    table_head(out, "share");
    table_head(out, "gain/share");
    for (size_t row = 0; row < worths->n_removed; row++) {
        const struct worth *worth = &worths->rows[row];
        table_cell(out, "%s", worth->cause);
        text_cell_time(out, scale, worth->time_s);
        text_cell_percent(out, worth_gain(worth));
        text_cell_percent(out, worth_share(worth));
        text_cell_ratio(out, worth_share(worth) >= WORTH_SMALL ? worth_gain(worth) / worth_share(worth) : NAN);
    }
    table_print(out, stream);
}

/* --- all of one run --- */

/* Causes of which the same is to be said are named together. */
static void write_reasons(FILE *stream, const struct report_run *run, const struct worths *worths)
{
    char **texts = xcalloc(worths->count + 1, sizeof *texts);
    for (size_t row = 0; row < worths->n_removed; row++)
        if (worths->rows[row].differs && !worth_is_small(&worths->rows[row]))
            texts[row] = worth_describe_reason(run, &worths->rows[row]);
    for (size_t row = 0; row < worths->n_removed; row++) {
        if (texts[row] == NULL || is_said(texts, (int)row))
            continue;
        char *line = xformat("%s", worths->rows[row].cause);
        for (size_t other = row + 1; other < worths->n_removed; other++)
            if (texts[other] != NULL && strcmp(texts[other], texts[row]) == 0)
                line = text_append(line, ", %s", worths->rows[other].cause);
        text_write_line(stream, text_append(line, ": %s", texts[row]));
    }
    free_texts(texts, (int)worths->count);
}

/* Causes whose gain is their share. */
static void write_agreement(FILE *stream, const struct worths *worths)
{
    char *line = xformat("%s", "");
    double most = 0;
    for (size_t row = 0; row < worths->n_removed; row++) {
        const struct worth *worth = &worths->rows[row];
        if (!worth->is_attributed || worth->differs || worth_is_small(worth))
            continue;
        line = text_append(line, "%s%s", line[0] != '\0' ? ", " : "", worth->cause);
        most = fmax(most, fabs(worth_gain(worth) / worth_share(worth) - 1));
    }
    char *gap = most < 0.0005 ? xformat("the same") : xformat("within %.1f %% of each other", 100 * most);
    if (line[0] != '\0')
        text_write_line(
            stream,
            xformat("Gain and share are %s for %s: without them the run saves about what they take.", gap, line));
    free(gap);
    free(line);
}

/* Names after a heading, of those that the predicate is true of. */
static void write_names(FILE *stream, const struct worths *worths, const char *heading,
                        bool (*is_meant)(const struct worth *))
{
    char *line = xformat("%s:", heading);
    int count = 0;
    for (size_t row = 0; row < worths->n_removed; row++)
        if (is_meant(&worths->rows[row]))
            line = text_append(line, "%s %s", count++ > 0 ? "," : "", worths->rows[row].cause);
    if (count > 0)
        text_write_line(stream, text_append(line, "."));
    else
        free(line);
}

static bool is_unknown(const struct worth *worth)
{
    return !worth->is_attributed;
}

/* "Not removed: protocol, interrupts (only of programs that share memory)." */
static void write_obstacles(FILE *stream, const struct worths *worths)
{
    char *line = xformat("Not removed:");
    for (size_t row = worths->n_removed; row < worths->count; row++) {
        const struct worth *worth = &worths->rows[row];
        bool is_last = row + 1 == worths->count || strcmp(worth->status, worth[1].status) != 0;
        line = text_append(line, " %s", worth->cause);
        if (is_last)
            line = text_append(line, " (%s)", worth->status);
        line = text_append(line, row + 1 < worths->count ? "," : ".");
    }
    if (worths->count > worths->n_removed)
        text_write_line(stream, line);
    else
        free(line);
}

static char *describe_worth(const struct report_run *run)
{
    struct worths worths = worths_read(run);
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    write_table(memory, run, &worths);
    write_reasons(memory, run, &worths);
    write_agreement(memory, &worths);
    write_names(memory, &worths, "Gain and share are too small to matter, below 0.5 % of the time", worth_is_small);
    write_names(memory, &worths, "Without a share, since what ranks wait for is not told apart here", is_unknown);
    write_obstacles(memory, &worths);
    fclose(memory);
    free(worths.rows);
    return text;
}

static void write_runs(FILE *stream, const struct report *report)
{
    char **texts = describe_runs(report, describe_worth);
    for (int i = 0; i < report->n_runs; i++) {
        if (texts[i] == NULL || is_said(texts, i))
            continue;
        if (report->n_runs > 1) {
            fputs("\n", stream);
            text_write_line(stream, name_runs(report, texts, i, true));
        }
        fputs(texts[i], stream);
    }
    free_texts(texts, report->n_runs);
}

/* --- POP's efficiencies --- */

static void write_efficiencies(FILE *stream, const struct report *report)
{
    static const struct {
        const char *name, *title;
    } ratios[] = {
        {"parallel_efficiency", "parallel"},
        {"load_balance", "= load balance"},
        {"communication_efficiency", "x communication"},
        {"serialisation", "= serialisation"},
        {"transfer", "x transfer"},
    };
    enum { N_RATIOS = sizeof ratios / sizeof ratios[0] };
    if (!text_has(report, "pop", "transfer"))
        return;
    struct text_scale scale = text_scale(report, "pop", "ideal_time_s");
    struct table *table = table_new();
    text_head_run(table, report);
    table_head(table, "ideal time [%s]", scale.unit);
    for (int r = 0; r < N_RATIOS; r++)
        table_head(table, "%s", ratios[r].title);
    for (int i = 0; i < report->n_runs; i++) {
        if (result_find(&report->runs[i].result, "pop", "transfer") == NULL)
            continue;
        text_cell_run(table, report, &report->runs[i]);
        text_cell_time(table, scale, text_value(&report->runs[i], "pop", "ideal_time_s"));
        for (int r = 0; r < N_RATIOS; r++)
            text_cell_percent(table, text_value(&report->runs[i], "pop", ratios[r].name));
    }
    fputs(
        "\nEfficiencies (POP): the share of the time in which ranks do useful work, and the factors that make it so\n",
        stream);
    table_print(table, stream);
    fputs("  Load balance: the mean useful work of the ranks, I/O included, over the largest.\n"
          "  Serialisation: the largest over the ideal time, if messages take none; the rest is waiting.\n"
          "  Transfer: the ideal time over the time; the rest is what the network costs.\n",
          stream);
}

void what_if_write(FILE *stream, const struct report *report)
{
    int n_examined = 0, n_simulated = 0;
    for (int i = 0; i < report->n_runs; i++) {
        n_examined += worths_are_known(&report->runs[i]);
        n_simulated += report->runs[i].discarded[0] == '\0';
    }
    if (n_examined == 0)
        return;
    fputs(
        "\nWhat a cause is worth: the run again without it (gain: how much shorter the run is; share: what the cause\n"
        "  takes of the critical path, the chain of work and messages that the end waits for)\n",
        stream);
    if (n_examined < n_simulated)
        fprintf(stream, "  Of %d runs only one is examined: %s.\n", n_simulated,
                report->decision != NULL ? "the best of the last ranking"
                : text_compare_problems(&report->runs[0], &report->runs[report->n_runs - 1]) != 0
                    ? "the fastest of the last problem"
                    : "the fastest");
    write_runs(stream, report);
    write_efficiencies(stream, report);
}
