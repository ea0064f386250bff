#include "report/what_if.h"

#include "base/memory.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Share and gain below it, of the run's time, are not worth a sentence of their own. */
#define SMALL 0.005

/* --- one cause: a row of the table "what_if_causes" --- */

struct worth {
    const char *cause, *part_of, *status, *partner;
    bool is_attributed, differs;
    int index; /* its row */
    double base_s, attributed_s, time_s, mean_s, path_s, removed_s, returned_s, moved, partner_time_s, joint_time_s;
};

static struct worth read_worth(const struct report_run *run, const struct result_table *table, size_t row)
{
#define CELL(name) result_cell(table, row, result_column(table, name))
#define VALUE(name) result_cell_value(table, row, result_column(table, name))
    return (struct worth){
        .cause = CELL("cause")->text,
        .part_of = CELL("part_of")->text,
        .status = CELL("status")->text,
        .partner = CELL("partner")->text,
        .is_attributed = CELL("is_attributed")->number != 0,
        .differs = CELL("differs")->number != 0,
        .base_s = text_time(run),
        .attributed_s = VALUE("attributed_s"),
        .time_s = VALUE("time_s"),
        .mean_s = VALUE("mean_computation_s"),
        .path_s = VALUE("path_s"),
        .removed_s = VALUE("removed_s"),
        .returned_s = VALUE("returned_s"),
        .moved = VALUE("moved"),
        .partner_time_s = VALUE("partner_time_s"),
        .joint_time_s = VALUE("joint_time_s"),
    };
#undef CELL
#undef VALUE
}

static bool is_removed(const struct worth *worth)
{
    return strcmp(worth->status, "removed") == 0;
}

/* Of the run's time; of one that takes none, nothing. */
static double part_of_time(const struct worth *worth, double seconds)
{
    return worth->base_s > 0 ? seconds / worth->base_s : 0;
}

static double gain_of(const struct worth *worth)
{
    return part_of_time(worth, worth->base_s - worth->time_s);
}

static double share_of(const struct worth *worth)
{
    return worth->is_attributed ? part_of_time(worth, worth->attributed_s) : NAN;
}

static bool is_small(const struct worth *worth)
{
    return is_removed(worth) && worth->is_attributed && fabs(share_of(worth)) < SMALL && fabs(gain_of(worth)) < SMALL;
}

/* The causes of a run, those that were removed first, by what they gain. */
struct worths {
    struct worth *rows;
    size_t count, n_removed;
};

static int by_gain(const void *left, const void *right)
{
    const struct worth *a = left, *b = right;
    double x = gain_of(a), y = gain_of(b);
    if (is_removed(a) != is_removed(b))
        return is_removed(b) - is_removed(a);
    return !is_removed(a) || x == y ? a->index - b->index : (x < y) - (x > y);
}

static bool is_examined(const struct report_run *run)
{
    return result_find_table(&run->result, "what_if_causes") != NULL;
}

/* rows is to be freed. */
static struct worths read_worths(const struct report_run *run)
{
    const struct result_table *table = result_find_table(&run->result, "what_if_causes");
    struct worths worths = {.rows = xcalloc(table->n_rows + 1, sizeof *worths.rows), .count = table->n_rows};
    for (size_t row = 0; row < table->n_rows; row++) {
        worths.rows[row] = read_worth(run, table, row);
        worths.rows[row].index = (int)row;
        worths.n_removed += is_removed(&worths.rows[row]);
    }
    qsort(worths.rows, worths.count, sizeof *worths.rows, by_gain);
    return worths;
}

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
        texts[i] = is_examined(&report->runs[i]) ? describe(&report->runs[i]) : NULL;
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
        if (is_part(&worths->rows[i], whole) && gain_of(&worths->rows[i]) >= 0.9 * gain_of(whole))
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
    struct worths worths = read_worths(run);
    char *line = xformat("%s", ""), time[32];
    int count = 0;
    for (size_t i = 0; i < worths.n_removed && count < MOST_NAMED; i++) {
        const struct worth *worth = &worths.rows[i];
        if (gain_of(worth) < SMALL || is_said_by_other(&worths, worth))
            continue;
        line = text_append(line, "%s %s%s %s, -%.1f %%", count == 0 ? "without" : "; without", worth->cause,
                           count == 0 ? " it would take" : "", text_format_time(worth->time_s, time, sizeof time),
                           100 * gain_of(worth));
        count++;
    }
    if (count == 0 && worths.n_removed > 0)
        line = text_append(line, "without any one of the causes it would be less than %.1f %% shorter", 100 * SMALL);
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
        text_cell_percent(out, gain_of(worth));
        text_cell_percent(out, share_of(worth));
        text_cell_ratio(out, share_of(worth) >= SMALL ? gain_of(worth) / share_of(worth) : NAN);
    }
    table_print(out, stream);
}

/* --- what has come onto the critical path, or left it, besides the cause itself --- */

struct change {
    char name[128];
    double more_s;
};

enum { MOST_CHANGES = 256, SHOWN_CHANGES = 3 };

/* Parts that are told apart in the table, but are one thing to who reads. */
static const char *plain_name(const char *component)
{
    static const char *const names[][2] = {
        {"processing", "computation"},
        {"memory", "computation"},
        {"control", "control work"},
        {"io.input", "input"},
        {"io.output", "output"},
        {"communication.link_init", "link initialisation"},
        {"communication.overhead", "software overhead"},
        {"communication.latency", "latency"},
        {"communication.length", "transfer of bytes"},
        {"communication.contention", "contention"},
        {"protocol", "protocol work"},
        {"answers", "waiting for answers"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(component, names[i][0], strlen(names[i][0])) == 0)
            return names[i][1];
    return component;
}

static void add_change(struct change *changes, int *count, const char *component, const char *scope, double more_s)
{
    char name[sizeof changes->name];
    snprintf(name, sizeof name, "%s%s%s", plain_name(component), scope[0] != '\0' ? " in " : "", scope);
    for (int i = 0; i < *count; i++)
        if (strcmp(changes[i].name, name) == 0) {
            changes[i].more_s += more_s;
            return;
        }
    if (*count == MOST_CHANGES)
        return;
    memcpy(changes[*count].name, name, sizeof name);
    changes[(*count)++].more_s = more_s;
}

static int by_size(const void *a, const void *b)
{
    double left = fabs(((const struct change *)a)->more_s), right = fabs(((const struct change *)b)->more_s);
    return (left < right) - (left > right);
}

/* The largest first. */
static int find_changes(struct change *changes, const struct report_run *run, const char *cause)
{
    const struct result_table *table = result_find_table(&run->result, "what_if_paths");
    size_t before = result_column(table, "before_s"), after = result_column(table, "after_s");
    int count = 0;
    for (size_t row = 0; row < table->n_rows; row++)
        if (strcmp(result_cell(table, row, result_column(table, "cause"))->text, cause) == 0 &&
            result_cell(table, row, result_column(table, "is_attributed"))->number == 0)
            add_change(changes, &count, result_cell(table, row, result_column(table, "component"))->text,
                       result_cell(table, row, result_column(table, "scope"))->text,
                       result_cell_value(table, row, after) - result_cell_value(table, row, before));
    qsort(changes, (size_t)count, sizeof *changes, by_size);
    return count;
}

/* "+1.2 s computation in update, +0.3 s contention in broadcast, -0.1 s others": they add up to what has come back. */
static char *append_changes(char *line, const struct report_run *run, const struct worth *worth)
{
    struct change *changes = xmalloc(MOST_CHANGES * sizeof *changes);
    int count = find_changes(changes, run, worth->cause);
    double rest_s = worth->returned_s;
    char time[32];
    for (int i = 0; i < count && i < SHOWN_CHANGES; i++) {
        if (i > 0 && fabs(changes[i].more_s) < 0.05 * fabs(changes[0].more_s))
            break;
        line = text_append(line, "%s%s%s %s", i > 0 ? ", " : "", changes[i].more_s < 0 ? "-" : "+",
                           text_format_time(fabs(changes[i].more_s), time, sizeof time), changes[i].name);
        rest_s -= changes[i].more_s;
    }
    if (count > 0 && fabs(rest_s) >= 0.005 * fabs(changes[0].more_s))
        line = text_append(line, ", %s%s others", rest_s < 0 ? "-" : "+",
                           text_format_time(fabs(rest_s), time, sizeof time));
    free(changes);
    return line;
}

/* --- why share and gain differ --- */

/* What it gains to remove another cause as well, and so whether the two lie over each other. */
static char *append_partner(char *line, const struct worth *worth)
{
    double alone = part_of_time(worth, worth->base_s - worth->partner_time_s);
    double joint = part_of_time(worth, worth->base_s - worth->joint_time_s), sum = gain_of(worth) + alone;
    if (worth->partner[0] == '\0')
        return line;
    const char *verdict = joint > sum * 1.02 + 0.0005   ? "each hides a part of the other"
                          : joint < sum * 0.98 - 0.0005 ? "in part they take the same time"
                                                        : "the two just add up";
    return text_append(line, " Without %s alone the run is %.1f %% shorter, without both %.1f %%: %s.", worth->partner,
                       100 * alone, 100 * joint, verdict);
}

/* "only 2.00 s shorter", "1.20 s longer": what the run is without the cause. */
static char *append_gain(char *line, const struct worth *worth)
{
    char time[32];
    double gain_s = worth->base_s - worth->time_s;
    if (gain_s == 0)
        return text_append(line, "the run takes the same time");
    return text_append(line, "the run is %s%s %s",
                       gain_s < 0                     ? ""
                       : gain_s < worth->attributed_s ? "only "
                                                      : "even ",
                       text_format_time(fabs(gain_s), time, sizeof time), gain_s < 0 ? "longer" : "shorter");
}

/* Imbalance is attributed by loads, and the critical path need not run over the rank that has most, nor over any single
 * one. */
static char *describe_load(const struct worth *worth)
{
    char first[32], second[32];
    double after_s = worth->path_s - worth->removed_s, least = 0.002 * worth->mean_s;
    bool runs_elsewhere = worth->mean_s + worth->attributed_s - worth->path_s > least;
    bool seeks_longest = after_s - worth->mean_s > least;
    char *line = xformat("one rank has %s more to compute than the mean of %s, but when all have the mean ",
                         text_format_time(worth->attributed_s, first, sizeof first),
                         text_format_time(worth->mean_s, second, sizeof second));
    line = append_gain(line, worth);
    line = text_append(line, "; of the critical path %s is computation, and then %s",
                       text_format_time(worth->path_s, first, sizeof first),
                       text_format_time(after_s, second, sizeof second));
    if (runs_elsewhere)
        line = text_append(line, "; it does not run over that rank alone");
    if (seeks_longest)
        line = text_append(line, "; it still goes from rank to rank, always where the next piece takes longest");
    return line;
}

static char *describe_share(const struct worth *worth)
{
    char time[32];
    const char *share = worth->attributed_s == 0 ? "none" : text_format_time(worth->attributed_s, time, sizeof time);
    bool is_more = worth->base_s - worth->time_s > worth->attributed_s;
    return append_gain(xformat("%s of the time, %s without it ", share, is_more ? "and" : "but"), worth);
}

/* Where share and gain differ, it is by what came onto the critical path or left it besides the cause. */
static char *describe_reason(const struct report_run *run, const struct worth *worth)
{
    char time[32];
    double gap_s = worth->attributed_s - (worth->base_s - worth->time_s);
    char *line = strcmp(worth->cause, "imbalance") == 0 ? describe_load(worth) : describe_share(worth);
    if (fabs(worth->returned_s) >= 0.005 * fabs(gap_s)) {
        const char *what = worth->returned_s < 0 ? "go with it" : "that ran beside it are waited for instead";
        text_format_time(fabs(worth->returned_s), time, sizeof time);
        line = append_changes(text_append(line, "; %s of other things %s (", time, what), run, worth);
        line = text_append(line, ")");
    }
    line = text_append(line, ".");
    if (worth->moved >= 0.1)
        line = text_append(line, " %.0f %% of the critical path then runs over other ranks.", 100 * worth->moved);
    return append_partner(line, worth);
}

/* Causes of which the same is to be said are named together. */
static void write_reasons(FILE *stream, const struct report_run *run, const struct worths *worths)
{
    char **texts = xcalloc(worths->count + 1, sizeof *texts);
    for (size_t row = 0; row < worths->n_removed; row++)
        if (worths->rows[row].differs && !is_small(&worths->rows[row]))
            texts[row] = describe_reason(run, &worths->rows[row]);
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

/* --- all of one run --- */

/* Causes whose gain is their share. */
static void write_agreement(FILE *stream, const struct worths *worths)
{
    char *line = xformat("%s", "");
    double most = 0;
    for (size_t row = 0; row < worths->n_removed; row++) {
        const struct worth *worth = &worths->rows[row];
        if (!worth->is_attributed || worth->differs || is_small(worth))
            continue;
        line = text_append(line, "%s%s", line[0] != '\0' ? ", " : "", worth->cause);
        most = fmax(most, fabs(gain_of(worth) / share_of(worth) - 1));
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
    struct worths worths = read_worths(run);
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    write_table(memory, run, &worths);
    write_reasons(memory, run, &worths);
    write_agreement(memory, &worths);
    write_names(memory, &worths, "Gain and share are too small to matter, below 0.5 % of the time", is_small);
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
    fputs("  Load balance: a rank's mean useful work, I/O included, over the most of any rank. Serialisation: that "
          "most over\n"
          "  the ideal time, in which the run ends where messages take none; the rest is waiting for each other. "
          "Transfer:\n"
          "  the ideal time over the time; the rest is the network's.\n",
          stream);
}

void what_if_write(FILE *stream, const struct report *report)
{
    int n_examined = 0;
    for (int i = 0; i < report->n_runs; i++)
        n_examined += is_examined(&report->runs[i]);
    if (n_examined == 0)
        return;
    fputs("\nWhat a cause is worth: the run simulated again without it (gain: how much shorter the run is; share: what "
          "the\n"
          "  cause takes of the critical path, the chain of work and messages that the end waits for)\n",
          stream);
    if (n_examined < report->n_runs)
        fprintf(stream, "  Of %d runs only one is examined: %s.\n", report->n_runs,
                report->decision != NULL ? "the best of the last ranking"
                : text_compare_problems(&report->runs[0], &report->runs[report->n_runs - 1]) != 0
                    ? "the fastest of the last problem"
                    : "the fastest");
    write_runs(stream, report);
    write_efficiencies(stream, report);
}
