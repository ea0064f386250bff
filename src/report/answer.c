/* The answer first: which run is the fastest, for each size of the problem. */
#include "report/answer.h"

#include "base/memory.h"
#include "report/components.h"
#include "report/text_parts.h"
#include "report/what_if.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ANSWERS = 8 };

/* --- what all runs have in common --- */

static bool is_network(const struct report_parameter *parameter)
{
    return strcmp(parameter->name, "network") == 0;
}

/* What stands behind the name of the platform that topologies are made of: "torus 16x8" of "t800-mesh as torus
 * 16x8". */
static const char *shape_of(const char *platform)
{
    const char *as = strstr(platform, " as ");
    return as != NULL ? as + strlen(" as ") : platform;
}

static bool is_named(const struct report_run *const *named, int n, const char *platform)
{
    for (int i = 0; i < n; i++)
        if (strcmp(named[i]->platform, platform) == 0)
            return true;
    return false;
}

/* "Platform t800-mesh", or "Platforms t800-mesh as mesh 16x8, torus 16x8". */
static char *name_platforms(const struct report *report)
{
    enum { MOST_PLATFORMS = 10 };
    const struct report_run *named[MOST_PLATFORMS] = {&report->runs[0]};
    int n = 1, i = 1;
    for (; i < report->n_runs && n < MOST_PLATFORMS; i++)
        if (!is_named(named, n, report->runs[i].platform))
            named[n++] = &report->runs[i];
    char *line = xformat(n == 1 ? "Platform %s" : "Platforms %s", named[0]->platform);
    for (int p = 1; p < n; p++)
        line = text_append(line, ", %s", shape_of(named[p]->platform));
    return i < report->n_runs ? text_append(line, " ...") : line;
}

/* Whether the line on the platform names a parameter: not where it is in the platform's name, nor where some run does
 * not use it, such as the order of the ranks on a mesh. */
static bool is_told(const struct report *report, int parameter)
{
    static const char *const in_name[] = {"topology", "dimensions"};
    const struct report_run *run = &report->runs[0];
    for (size_t i = 0; i < sizeof in_name / sizeof in_name[0]; i++)
        if (strcmp(run->parameters[parameter].name, in_name[i]) == 0 && shape_of(run->platform) != run->platform)
            return false;
    for (int i = 0; i < report->n_runs; i++)
        if (report->runs[i].parameters[parameter].is_unused)
            return false;
    return !text_shows(report, parameter) && !is_network(&run->parameters[parameter]);
}

static void write_parameters(FILE *stream, const struct report *report)
{
    const struct report_run *run = &report->runs[0];
    bool network_varies = false;
    for (int i = 1; i < report->n_runs; i++)
        network_varies |= strcmp(report->runs[i].network, run->network) != 0;
    char *line = name_platforms(report);
    for (int i = 0; i < run->n_parameters; i++)
        network_varies |= is_network(&run->parameters[i]) && report_varies(report, i);
    if (!network_varies)
        line = text_append(line, ", network %s", run->network);
    for (int i = 0; i < run->n_parameters; i++) {
        if (is_told(report, i))
            line = text_append(line, ", %s %s", run->parameters[i].name, run->parameters[i].text);
    }
    text_write_line(stream, text_append(line, "."));
}

/* A note on several runs has the text of the first of them; where the others' differ, it says whose this is. */
static void write_note(FILE *stream, const struct report *report, enum note note)
{
    const struct report_run *first = NULL;
    int n_runs = 0;
    bool differ = false;
    for (int i = 0; i < report->n_runs; i++) {
        const char *text = report->runs[i].notes[note];
        if (text[0] == '\0')
            continue;
        first = first != NULL ? first : &report->runs[i];
        differ |= strcmp(text, first->notes[note]) != 0;
        n_runs++;
    }
    if (n_runs == 0)
        return;
    char *line = xformat("Note");
    if (n_runs < report->n_runs || differ)
        line = text_append(line, " on %d of %d runs", n_runs, report->n_runs);
    const char *before = ", here ";
    for (int i = 0; differ && i < first->n_parameters; i++)
        if (report_varies(report, i)) {
            line = text_append(line, "%s%s %s", before, first->parameters[i].name, first->parameters[i].text);
            before = ", ";
        }
    text_write_line(stream, text_append(line, ": %s.", first->notes[note]));
}

/* Of a decision T_seq is shown only if verbose. */
void answer_write_platform(FILE *stream, const struct report *report)
{
    write_parameters(stream, report);
    for (int note = 0; note < N_NOTES; note++)
        if (note != NOTE_SEQUENTIAL_MEMORY || report->decision == NULL || report->verbose)
            write_note(stream, report, (enum note)note);
}

/* --- the sizes of the problem --- */

/* Whether a parameter varies that is one of the problem, or one that is not. */
static bool varies(const struct report *report, bool problem)
{
    for (int i = 0; i < report->runs[0].n_parameters; i++)
        if (report->runs[0].parameters[i].is_problem == problem && report_varies(report, i))
            return true;
    return false;
}

/* The first runs of each problem, in order; of more than MOST_ANSWERS one more than these. Return how many. */
static int find_problems(const struct report_run *firsts[MOST_ANSWERS + 1], const struct report *report)
{
    int count = 0;
    for (int i = 0; i < report->n_runs && count <= MOST_ANSWERS; i++) {
        int p = 0;
        while (p < count && text_compare_problems(firsts[p], &report->runs[i]) != 0)
            p++;
        if (p == count)
            firsts[count++] = &report->runs[i];
    }
    return count;
}

/* --- the fastest --- */

static const struct report_run *find_fastest(const struct report *report, const struct report_run *problem)
{
    const struct report_run *best = problem;
    for (int i = 0; i < report->n_runs; i++)
        if (text_compare_problems(problem, &report->runs[i]) == 0 && text_time(&report->runs[i]) < text_time(best))
            best = &report->runs[i];
    return best;
}

/* ", n 50" or ", broadcast binomial": the parameters that vary, those of the problem or the others; ranks are named
 * anyway. */
static char *append_varied(char *line, const struct report *report, const struct report_run *run, bool problem,
                           const char *before)
{
    for (int i = 0; i < run->n_parameters; i++) {
        const struct report_parameter *parameter = &run->parameters[i];
        if (parameter->is_problem != problem || !report_varies(report, i) || strcmp(parameter->name, "ranks") == 0)
            continue;
        line = text_append(line, "%s%s %s", before, parameter->name, parameter->text);
        before = ", ";
    }
    return line;
}

/* " Just as fast: uplo lower; grid 1x8, side right; and 2 more.": in what they differ from the fastest. */
static char *append_ties(char *line, const struct report *report, const struct report_run *best)
{
    enum { MOST = 3 };
    int n_ties = 0;
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        if (run == best || text_compare_problems(best, run) != 0 || text_time(run) > text_time(best))
            continue;
        if (n_ties++ >= MOST)
            continue;
        const char *before = n_ties == 1 ? " Just as fast: " : "; ";
        for (int k = 0; k < run->n_parameters; k++) {
            if (run->parameters[k].number == best->parameters[k].number)
                continue;
            line = text_append(line, "%s%s %s", before, run->parameters[k].name, run->parameters[k].text);
            before = ", ";
        }
    }
    if (n_ties > MOST)
        line = text_append(line, "; and %d more", n_ties - MOST);
    return n_ties > 0 ? text_append(line, ".") : line;
}

/* Where the largest part, which the tables name, is none of the largest group of parts. */
static char *append_parts(char *line, const struct report_run *run, const char *dominant)
{
    double share;
    const char *largest = components_largest(run, &share);
    bool io = largest != NULL && strncmp(largest, "io.", 3) == 0;
    if (largest == NULL || strncmp(largest, dominant, strlen(dominant)) == 0 || (io && strcmp(dominant, "I/O") == 0))
        return line;
    return text_append(line, " in all; the largest single part is %s, %.0f %%", largest, 100 * share);
}

/* "64 ranks in 7.026 s, speedup 11.16, efficiency 17.4 %; 55 % of it is communication." */
static void write_run(FILE *stream, const struct report *report, char *line, const struct report_run *run)
{
    char time[32];
    double speedup = text_value(run, "", "speedup"), share;
    line = text_append(line, "%d rank%s", run->ranks, run->ranks == 1 ? "" : "s");
    line = append_varied(line, report, run, false, ", ");
    line = text_append(line, " in %s", text_format_time(text_time(run), time, sizeof time));
    if (!isnan(speedup))
        line = text_append(line, ", speedup %.2f, efficiency %.1f %%", speedup, 100 * text_efficiency(run));
    const char *dominant = components_dominant(run, &share);
    if (share > 0)
        line = append_parts(text_append(line, "; %.0f %% of it is %s", 100 * share, dominant), run, dominant);
    text_write_line(stream, append_ties(text_append(line, "."), report, run));
}

static void write_fastest(FILE *stream, const struct report *report, const struct report_run *const *problems,
                          int n_problems)
{
    for (int p = 0; p < n_problems; p++) {
        const struct report_run *best = find_fastest(report, problems[p]);
        char *line = xformat("%s", report->n_runs == 1 ? "" : "Fastest");
        if (varies(report, true))
            line = append_varied(line, report, best, true, " for ");
        if (report->n_runs > 1)
            line = text_append(line, ": ");
        write_run(stream, report, line, best);
    }
}

/* --- the range --- */

static const struct report_run *extreme_time(const struct report *report, double sign)
{
    const struct report_run *run = &report->runs[0];
    for (int i = 1; i < report->n_runs; i++)
        if (sign * text_time(&report->runs[i]) > sign * text_time(run))
            run = &report->runs[i];
    return run;
}

/* "size 1024 ... 10240": the least and the greatest value. */
static char *append_range(char *line, const struct report *report, int parameter)
{
    const struct report_parameter *least = &report->runs[0].parameters[parameter], *most = least;
    for (int i = 1; i < report->n_runs; i++) {
        const struct report_parameter *other = &report->runs[i].parameters[parameter];
        least = other->number < least->number ? other : least;
        most = other->number > most->number ? other : most;
    }
    return text_append(line, "%s%s %s ... %s", line[0] == '\0' ? "" : ", ", least->name, least->text, most->text);
}

static void write_range(FILE *stream, const struct report *report)
{
    char shortest[32], longest[32], *line = xformat("%s", "");
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < report->runs[0].n_parameters; i++)
        if (report->runs[0].parameters[i].is_problem && report_varies(report, i))
            line = append_range(line, report, i);
    for (int i = 0; i < report->n_runs; i++) {
        least = fmin(least, text_efficiency(&report->runs[i])); /* fmin skips NAN */
        most = fmax(most, text_efficiency(&report->runs[i]));
    }
    line = text_append(line, ": %s ... %s",
                       text_format_time(text_time(extreme_time(report, -1)), shortest, sizeof shortest),
                       text_format_time(text_time(extreme_time(report, 1)), longest, sizeof longest));
    if (most >= least)
        line = text_append(line, "; efficiency %.1f %% ... %.1f %%", 100 * least, 100 * most);
    text_write_line(stream, text_append(line, "."));
}

void answer_write(FILE *stream, const struct report *report)
{
    text_write_line(stream, xformat("%s", report->title != NULL ? report->title : report->scenario));
    fputc('\n', stream);
    const struct report_run *problems[MOST_ANSWERS + 1];
    int n_problems = find_problems(problems, report);
    if (varies(report, true) && (!varies(report, false) || n_problems > MOST_ANSWERS))
        write_range(stream, report);
    else
        write_fastest(stream, report, problems, n_problems);
    what_if_write_answer(stream, report);
    answer_write_platform(stream, report);
}
