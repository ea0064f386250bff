/* Why share and gain of a cause differ. */
#include "report/worth.h"

#include "base/memory.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    double alone = worth_part(worth, worth->base_s - worth->partner_time_s);
    double joint = worth_part(worth, worth->base_s - worth->joint_time_s), sum = worth_gain(worth) + alone;
    if (worth->partner[0] == '\0')
        return line;
    const char *verdict = joint > sum * 1.02 + 0.0005   ? "each hides a part of the other"
                          : joint < sum * 0.98 - 0.0005 ? "in part they take the same time"
                                                        : "the two just add up";
    return text_append(line, " Without %s alone the run is %.1f %% shorter, without both %.1f %%: %s.", worth->partner,
                       100 * alone, 100 * joint, verdict);
}

static bool gains_more(const struct worth *worth)
{
    return worth->base_s - worth->time_s > worth->attributed_s;
}

static const char *conjunction_of(const struct worth *worth)
{
    return gains_more(worth) ? "and" : "but";
}

/* "only 2.00 s shorter", "1.20 s longer": what the run is without the cause. */
static char *append_gain(char *line, const struct worth *worth)
{
    char time[32];
    double gain_s = worth->base_s - worth->time_s;
    if (gain_s == 0)
        return text_append(line, "the run takes the same time");
    return text_append(line, "the run is %s%s %s",
                       gain_s < 0          ? ""
                       : gains_more(worth) ? "even "
                                           : "only ",
                       text_format_time(fabs(gain_s), time, sizeof time), gain_s < 0 ? "longer" : "shorter");
}

/* Imbalance is attributed by loads, and the critical path need not run over the rank that has most, nor over any single
 * one. */
static char *describe_load(const struct worth *worth)
{
    char first[32], second[32];
    double most_s = worth->mean_s + worth->attributed_s, after_s = worth->path_s - worth->removed_s;
    double least = 0.002 * worth->mean_s;
    bool is_even = worth->attributed_s < least;
    text_format_time(worth->mean_s, second, sizeof second);
    char *line = is_even ? xformat("all ranks have much the same to compute, %s", second)
                         : xformat("one rank has %s more to compute than the mean of %s",
                                   text_format_time(worth->attributed_s, first, sizeof first), second);
    line = append_gain(text_append(line, ", %s when all have the mean in each phase ", conjunction_of(worth)), worth);
    line = text_append(line, "; of the critical path %s is computation, and then %s",
                       text_format_time(worth->path_s, first, sizeof first),
                       text_format_time(after_s, second, sizeof second));
    if (most_s - worth->path_s > least)
        line = text_append(line, "; it does not run over %s", is_even ? "one rank alone" : "that rank alone");
    if (worth->path_s - most_s > least || after_s - worth->mean_s > least)
        line = text_append(line, "; it goes from rank to rank, always where the next piece takes longest");
    return line;
}

static char *describe_share(const struct worth *worth)
{
    char time[32];
    const char *share = worth->attributed_s == 0 ? "none" : text_format_time(worth->attributed_s, time, sizeof time);
    return append_gain(xformat("%s of the time, %s without it ", share, conjunction_of(worth)), worth);
}

/* Where share and gain differ, it is by what came onto the critical path or left it besides the cause. */
char *worth_describe_reason(const struct report_run *run, const struct worth *worth)
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
