#include "report/what_if.h"

#include "base/memory.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shares below it are written as 0.0 %. */
#define SHOWN_AS_0 0.0005

/* --- one cause: a row of the table "what_if_causes" --- */

struct worth {
    const char *cause, *status, *partner;
    bool is_attributed, differs;
    double base_s, attributed_s, time_s, mean_s, path_s, removed_s, returned_s, moved, partner_time_s, joint_time_s;
};

static struct worth read_worth(const struct report_run *run, const struct result_table *table, size_t row)
{
#define CELL(name) result_cell(table, row, result_column(table, name))
#define VALUE(name) result_cell_value(table, row, result_column(table, name))
    return (struct worth){
        .cause = CELL("cause")->text,
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

static double gain_of(const struct worth *worth)
{
    return (worth->base_s - worth->time_s) / worth->base_s;
}

/* --- the table --- */

static void write_table(FILE *stream, const struct report *report, const struct report_run *run,
                        const struct result_table *table)
{
    struct text_scale scale = text_scale_for(text_time(run));
    struct table *out = table_new();
    table_head(out, "without");
    table_head(out, "share");
    table_head(out, "gain");
    table_head(out, "time [%s]", scale.unit);
    table_head(out, "of the share");
    for (size_t row = 0; row < table->n_rows; row++) {
        struct worth worth = read_worth(run, table, row);
        if (!is_removed(&worth))
            continue;
        table_cell(out, "%s", worth.cause);
        text_cell_percent(out, worth.is_attributed ? worth.attributed_s / worth.base_s : NAN);
        text_cell_percent(out, gain_of(&worth));
        text_cell_time(out, scale, worth.time_s);
        if (!worth.is_attributed || worth.attributed_s < SHOWN_AS_0 * worth.base_s)
            table_cell(out, "-");
        else
            table_cell(out, "%.0f %%", 100 * (worth.base_s - worth.time_s) / worth.attributed_s);
    }
    if (report->n_runs > 1) {
        fputs("\n", stream);
        text_name_run(stream, report, run);
        fputs("\n", stream);
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
    double alone = (worth->base_s - worth->partner_time_s) / worth->base_s, own = gain_of(worth);
    double joint = (worth->base_s - worth->joint_time_s) / worth->base_s, sum = own + alone;
    if (worth->partner[0] == '\0')
        return line;
    const char *verdict = joint > sum * 1.02 + 0.0005   ? "each stands in for the other"
                          : joint < sum * 0.98 - 0.0005 ? "they are partly the same time"
                                                        : "they do not overlap";
    return text_append(line, " %s alone gains %.1f %%, both together %.1f %%: %s.", worth->partner, 100 * alone,
                       100 * joint, verdict);
}

static char *append_moved(char *line, const struct worth *worth)
{
    if (isnan(worth->moved))
        return line;
    if (worth->moved < 0.1)
        return text_append(line, " The path keeps to its ranks (%.0f %% of it has moved).", 100 * worth->moved);
    return text_append(line, " %.0f %% of the path runs over other ranks now.", 100 * worth->moved);
}

/* Imbalance is attributed by loads, and the critical path need not run over the rank that has most, nor over any single
 * one. */
static char *append_load(char *line, const struct worth *worth)
{
    char attributed[32], mean[32], before[32], after[32];
    double after_s = worth->path_s - worth->removed_s, least = 0.002 * worth->mean_s;
    line = text_append(
        line,
        " the rank that computes most has %s more than the mean of %s; the critical path computes %s, and "
        "%s when all have the mean",
        text_format_time(worth->attributed_s, attributed, sizeof attributed),
        text_format_time(worth->mean_s, mean, sizeof mean), text_format_time(worth->path_s, before, sizeof before),
        text_format_time(after_s, after, sizeof after));
    if (worth->path_s < worth->mean_s + worth->attributed_s - least)
        line = text_append(line, ": it does not run over that rank alone");
    if (after_s > worth->mean_s + least)
        line = text_append(line, "; it goes from rank to rank with the longest pieces, whose totals are even");
    return line;
}

static void write_reason(FILE *stream, const struct report_run *run, const struct worth *worth)
{
    char first[32], second[32];
    char *line = xformat("%s:", worth->cause);
    if (strcmp(worth->cause, "imbalance") == 0)
        line = append_load(line, worth);
    else
        line = text_append(line, " %s attributed, %s of it left the critical path",
                           text_format_time(worth->attributed_s, first, sizeof first),
                           text_format_time(worth->removed_s, second, sizeof second));
    if (worth->returned_s != 0) {
        line = text_append(
            line, ", and %s of other time %s it: ", text_format_time(fabs(worth->returned_s), second, sizeof second),
            worth->returned_s < 0 ? "left" : "came onto");
        line = append_changes(line, run, worth);
    }
    line = append_moved(text_append(line, "."), worth);
    text_write_line(stream, append_partner(line, worth));
}

/* Causes whose gain is their share, and how much of what they took came back all the same. */
static void write_agreement(FILE *stream, const struct report_run *run, const struct result_table *table)
{
    char *line = xformat("Share and gain agree to a fifth");
    double most = 0;
    int count = 0;
    for (size_t row = 0; row < table->n_rows; row++) {
        struct worth worth = read_worth(run, table, row);
        if (!is_removed(&worth) || !worth.is_attributed || worth.differs || worth.attributed_s <= 0)
            continue;
        line = text_append(line, "%s%s", count++ == 0 ? " for " : ", ", worth.cause);
        most = fmax(most, fabs(worth.base_s - worth.time_s - worth.attributed_s) / worth.attributed_s);
    }
    if (count == 0) {
        free(line);
        return;
    }
    text_write_line(stream,
                    text_append(line,
                                ": what takes their place on the critical path, or leaves it with them, is at most "
                                "%.1f %% of what is removed.",
                                100 * most));
}

/* Names after a heading, of those that the predicate is true of. */
static void write_names(FILE *stream, const struct report_run *run, const struct result_table *table,
                        const char *heading, bool (*is_meant)(const struct worth *))
{
    char *line = xformat("%s:", heading);
    int count = 0;
    for (size_t row = 0; row < table->n_rows; row++) {
        struct worth worth = read_worth(run, table, row);
        if (!is_meant(&worth))
            continue;
        line = text_append(line, "%s %s", count++ > 0 ? "," : "", worth.cause);
        if (!is_removed(&worth))
            line = text_append(line, " (%s)", worth.status);
    }
    if (count > 0)
        text_write_line(stream, text_append(line, "."));
    else
        free(line);
}

static bool is_absent(const struct worth *worth)
{
    return is_removed(worth) && worth->is_attributed && worth->attributed_s == 0 && worth->time_s == worth->base_s;
}

static bool is_unknown(const struct worth *worth)
{
    return is_removed(worth) && !worth->is_attributed;
}

static bool is_inapplicable(const struct worth *worth)
{
    return !is_removed(worth);
}

static void write_run(FILE *stream, const struct report *report, const struct report_run *run)
{
    const struct result_table *table = result_find_table(&run->result, "what_if_causes");
    if (table == NULL)
        return;
    write_table(stream, report, run, table);
    for (size_t row = 0; row < table->n_rows; row++) {
        struct worth worth = read_worth(run, table, row);
        if (is_removed(&worth) && worth.differs)
            write_reason(stream, run, &worth);
    }
    write_agreement(stream, run, table);
    write_names(stream, run, table, "There is none, and nothing changes", is_absent);
    write_names(stream, run, table, "No share, since the path does not tell them apart", is_unknown);
    write_names(stream, run, table, "Not removed", is_inapplicable);
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
    fputs("\nEfficiencies (POP; useful work includes I/O; the ideal time is that on a network where messages take no "
          "time)\n",
          stream);
    table_print(table, stream);
}

static int count_explained(const struct report *report)
{
    int count = 0;
    for (int i = 0; i < report->n_runs; i++)
        count += result_find_table(&report->runs[i].result, "what_if_causes") != NULL;
    return count;
}

void what_if_write(FILE *stream, const struct report *report)
{
    int n_explained = count_explained(report);
    if (n_explained == 0)
        return;
    write_efficiencies(stream, report);
    if (n_explained < report->n_runs)
        fprintf(
            stream, "\n  Only the fastest of the %d runs%s is simulated again without its causes.\n", report->n_runs,
            text_compare_problems(&report->runs[0], &report->runs[report->n_runs - 1]) != 0 ? " for the last problem"
                                                                                            : "");
    fputs("\nWhat a cause is worth: the run without it (share: what of the time is attributed to it, on the critical "
          "path;\n"
          "  gain: by what the run is shorter)\n",
          stream);
    for (int i = 0; i < report->n_runs; i++)
        write_run(stream, report, &report->runs[i]);
}
