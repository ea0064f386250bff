/* The answer first: which run is the fastest, for each size of the problem; then what all runs have in common.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { MOST_ANSWERS = 8 };
/* A smaller share of the message library's beginning and end is not worth a sentence. */
#define LEAST_STARTUP 0.005

/* --- what all runs have in common --- */

static bool is_named(const struct study_run *const *named, int n, const char *platform)
{
    for (int i = 0; i < n; i++)
        if (strcmp(named[i]->platform, platform) == 0)
            return true;
    return false;
}

/* "Platform t800-mesh", or "Platforms t800-mesh as mesh 16x8, torus 16x8". */
static void name_platforms(struct builder *line, const struct study *study)
{
    enum { MOST_PLATFORMS = 10 };
    const struct study_run *named[MOST_PLATFORMS];
    int n = 0, i = 0;
    for (; i < study->n_runs && n < MOST_PLATFORMS; i++)
        if (!is_named(named, n, study->runs[i].platform))
            named[n++] = &study->runs[i];
    for (int p = 0; p < n; p++)
        builder_add(line, "%s %s",
                    p > 0    ? ","
                    : n == 1 ? "Platform"
                             : "Platforms",
                    p > 0 && named[p]->wiring != NULL ? named[p]->wiring : named[p]->platform);
    builder_add(line, i < study->n_runs ? " ..." : "");
}

/* True if the line on the platform names a parameter: one that some run uses, and that is not at its default. */
static bool is_told(const struct study *study, int parameter)
{
    enum subject subject = study->runs[0].parameters[parameter].subject;
    if (study_shows(study, parameter) || subject == SUBJECT_NETWORK || subject == SUBJECT_TOPOLOGY ||
        subject == SUBJECT_DIMENSIONS) /* the platform's name says these */
        return false;
    for (int i = 0; i < study->n_runs; i++)
        if (!study->runs[i].parameters[parameter].is_unused)
            return true;
    return false;
}

static bool networks_vary(const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++)
        if (strcmp(study->runs[i].network, study->runs[0].network) != 0)
            return true;
    for (int i = 0; i < study->runs[0].n_parameters; i++)
        if (study->runs[0].parameters[i].subject == SUBJECT_NETWORK && study_varies(study, i))
            return true;
    return false;
}

static void add_parameters(struct document *document, const struct study *study)
{
    const struct study_run *run = &study->runs[0];
    struct builder line = {0};
    if (run->is_traced)
        builder_add(&line, "Traced run");
    else
        name_platforms(&line, study);
    if (!run->is_traced && !networks_vary(study))
        builder_add(&line, ", network model %s", run->network);
    for (int i = 0; i < run->n_parameters; i++)
        if (is_told(study, i))
            builder_add(&line, ", %s %s", run->parameters[i].name, run->parameters[i].text);
    builder_add(&line, ".");
    document_sentence(document, builder_take(&line));
}

/* T_seq of what one host cannot hold is said in more words. */
static void add_note_text(struct builder *line, enum note note, const char *text)
{
    if (note == NOTE_SEQUENTIAL_MEMORY)
        builder_add(line, ": one host cannot hold the problem; T_seq is what it would take with enough memory (%s).",
                    text + strlen(NOTE_TEXT_SEQUENTIAL_MEMORY ": "));
    else
        builder_add(line, ": %s.", text);
}

/* The processors that shares and efficiency refer to, where ranks have several. */
static void add_processors(struct document *document, const struct study *study)
{
    int least = run_processors_per_rank(&study->runs[0]), most = least;
    struct builder line = {0};
    for (int i = 1; i < study->n_runs; i++) {
        int n_each = run_processors_per_rank(&study->runs[i]);
        least = n_each < least ? n_each : least;
        most = n_each > most ? n_each : most;
    }
    if (most == 1)
        return;
    builder_add(&line, "Each rank has %d", least);
    if (most > least)
        builder_add(&line, " to %d", most);
    builder_add(&line, " processors; shares and efficiency are of the time of all of them.");
    document_sentence(document, builder_take(&line));
}

/* A note on several runs has the text of the first of them; where the others' differ, it says whose this is. */
static void add_note(struct document *document, const struct study *study, enum note note)
{
    const struct study_run *first = NULL;
    struct builder line = {0};
    int n_runs = 0;
    bool differ = false;
    for (int i = 0; i < study->n_runs; i++) {
        const char *text = run_note_text(&study->runs[i], note);
        if (text[0] == '\0')
            continue;
        first = first != NULL ? first : &study->runs[i];
        differ |= strcmp(text, run_note_text(first, note)) != 0;
        n_runs++;
    }
    if (n_runs == 0)
        return;
    builder_add(&line, "Note");
    if (n_runs < study->n_runs || differ)
        builder_add(&line, " on %d of %d runs", n_runs, study->n_runs);
    if (differ)
        study_name_varied(&line, study, first, NULL, ", here ");
    add_note_text(&line, note, run_note_text(first, note));
    document_sentence(document, builder_take(&line));
}

/* Add whether a real machine stands behind the times: a sentence for each machine that differs. */
void section_basis(struct document *document, const struct study *study)
{
    enum { MOST_BASES = 4 };
    const char *said[MOST_BASES];
    int n_said = 0;
    for (int i = 0; i < study->n_runs && n_said < MOST_BASES; i++) {
        const char *text = run_note_text(&study->runs[i], NOTE_BASIS);
        int s = 0;
        while (s < n_said && strcmp(said[s], text) != 0)
            s++;
        if (text[0] == '\0' || s < n_said)
            continue;
        said[n_said++] = text;
        document_sentence(document, xformat("%c%s.", text[0] == 'a' ? 'A' : text[0], text + 1));
    }
}

/* Add the platform. In a decision T_seq is a detail, shown only if verbose. */
void section_platform(struct document *document, const struct study *study)
{
    bool in_details = document->in_details;
    add_parameters(document, study);
    add_processors(document, study);
    for (int note = 0; note < N_NOTES; note++) {
        bool is_detail = note == NOTE_SEQUENTIAL_MEMORY && study->decision != M_NONE;
        document->in_details = in_details || is_detail;
        if (note != NOTE_BASIS && (!is_detail || study->verbose))
            add_note(document, study, (enum note)note);
    }
    document->in_details = in_details;
}

/* --- the fastest --- */

/* The first runs of each problem, in order; of more than MOST_ANSWERS one more than these. Return how many. */
static int find_problems(const struct study_run *firsts[MOST_ANSWERS + 1], const struct study *study)
{
    int count = 0;
    for (int i = 0; i < study->n_runs && count <= MOST_ANSWERS; i++) {
        int p = 0;
        while (p < count && run_compare_problems(firsts[p], &study->runs[i]) != 0)
            p++;
        if (p == count)
            firsts[count++] = &study->runs[i];
    }
    return count;
}

static const struct study_run *find_fastest(const struct study *study, const struct study_run *problem)
{
    const struct study_run *best = problem;
    for (int i = 0; i < study->n_runs; i++)
        if (run_compare_problems(problem, &study->runs[i]) == 0 && run_time(&study->runs[i]) < run_time(best))
            best = &study->runs[i];
    return best;
}

static bool is_problem(const struct study_parameter *parameter)
{
    return parameter->is_problem && parameter->subject != SUBJECT_RANKS;
}

static bool is_no_problem(const struct study_parameter *parameter)
{
    return !parameter->is_problem && parameter->subject != SUBJECT_RANKS;
}

/* " Just as fast: uplo lower; grid 1x8, side right; and 2 more.": in what they differ from the fastest. */
static void add_ties(struct builder *line, const struct study *study, const struct study_run *best)
{
    enum { MOST = 3 };
    int n_ties = 0;
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        if (run == best || run_compare_problems(best, run) != 0 || run_time(run) > run_time(best) || n_ties++ >= MOST)
            continue;
        const char *before = n_ties == 1 ? " Just as fast: " : "; ";
        for (int k = 0; k < run->n_parameters; k++) {
            if (run->parameters[k].number == best->parameters[k].number)
                continue;
            builder_add(line, "%s%s %s", before, run->parameters[k].name, run->parameters[k].text);
            before = ", ";
        }
    }
    if (n_ties > MOST)
        builder_add(line, "; and %d more", n_ties - MOST);
    builder_add(line, n_ties > 0 ? "." : "");
}

/* "; 55 % of its critical path is communication", and the largest part where that is of another group. */
static void add_parts(struct builder *line, const struct study_run *run, const char *before)
{
    double share, part_share;
    const struct measure *group = run_largest_group(run, &share), *part = run_largest_part(run, &part_share);
    if (group == NULL)
        return;
    builder_add(line, "%s%.0f %% of its critical path is %s", before, 100 * share, measure_label(group));
    if (part != NULL && part->of->id != group->of->id && measure_specs[part->of->id].parent != group->of->id)
        builder_add(line, " in all; the largest single part is %s %s, %.0f %%",
                    measure_specs[measure_specs[part->of->id].parent].label, measure_label(part), 100 * part_share);
}

/* " Beginning and ending MPI takes 95 % of the time; the shares are of the rest." */
static void add_startup(struct builder *line, const struct study_run *run)
{
    double startup_s = run_value(run, M_STARTUP) / run->ranks, share = startup_s / run_time(run);
    if (!isnan(share) && share >= LEAST_STARTUP)
        builder_add(line, " Starting and ending MPI takes %.0f %% of the time; the shares are of the rest.",
                    100 * share);
}

/* "64 ranks in 7.026 s, speedup 11.16, efficiency 17.4 %; 55 % of its critical path is communication." */
static void add_run(struct builder *line, const struct study *study, const struct study_run *run)
{
    double speedup = run_value(run, M_SPEEDUP);
    builder_add(line, "%d rank%s", run->ranks, run->ranks == 1 ? "" : "s");
    study_name_varied(line, study, run, is_no_problem, ", ");
    builder_add(line, " in ");
    builder_add_time(line, run_time(run));
    costs_add_band(line, run, M_TIME_LOW, M_TIME_HIGH);
    if (run_note_text(run, NOTE_CUT)[0] != '\0')
        builder_add(line, run->is_traced ? ", when the run was aborted" : ", of a run that was aborted");
    double of_traced = run_value(run, M_TRACED_FACTOR);
    if (fabs(of_traced - 1) < 0.005)
        builder_add(line, ", as long as traced");
    else if (!isnan(of_traced))
        builder_add(line, ", %.3g times as long as traced", of_traced);
    if (!isnan(speedup)) {
        builder_add(line, ", speedup %.2f", speedup);
        costs_add_band(line, run, M_SPEEDUP_LOW, M_SPEEDUP_HIGH);
        builder_add(line, ", efficiency %.1f %%", 100 * run_efficiency(run));
        costs_add_band(line, run, M_EFFICIENCY_LOW, M_EFFICIENCY_HIGH);
    }
    bool has_waits = wait_states_add_largest(line, run);
    add_parts(line, run, has_waits ? ". " : "; ");
    builder_add(line, ".");
    add_startup(line, run);
    add_ties(line, study, run);
}

static void add_fastest(struct document *document, const struct study *study, const struct study_run *problem)
{
    const struct study_run *best = find_fastest(study, problem);
    struct builder line = {0};
    if (study->n_runs > 1) {
        builder_add(&line, "Fastest");
        study_name_varied(&line, study, best, is_problem, " for ");
        builder_add(&line, ": ");
    }
    add_run(&line, study, best);
    document_sentence(document, builder_take(&line));
}

/* --- the range --- */

/* "size 1024 ... 10240": the least and the greatest value. */
static void add_values(struct builder *line, const struct study *study, int parameter)
{
    const struct study_parameter *least = &study->runs[0].parameters[parameter], *most = least;
    for (int i = 1; i < study->n_runs; i++) {
        const struct study_parameter *other = &study->runs[i].parameters[parameter];
        least = other->number < least->number ? other : least;
        most = other->number > most->number ? other : most;
    }
    builder_add(line, "%s%s %s ... %s", line->length == 0 ? "" : ", ", least->name, least->text, most->text);
}

static void add_range(struct document *document, const struct study *study)
{
    double least = INFINITY, most = -INFINITY, shortest = INFINITY, longest = 0;
    struct builder line = {0};
    for (int i = 0; i < study->runs[0].n_parameters; i++)
        if (study->runs[0].parameters[i].is_problem && study_varies(study, i))
            add_values(&line, study, i);
    for (int i = 0; i < study->n_runs; i++) { /* fmin and fmax skip NAN */
        least = fmin(least, run_efficiency(&study->runs[i]));
        most = fmax(most, run_efficiency(&study->runs[i]));
        shortest = fmin(shortest, run_time(&study->runs[i]));
        longest = fmax(longest, run_time(&study->runs[i]));
    }
    builder_add(&line, ": ");
    builder_add_time(&line, shortest);
    builder_add(&line, " ... ");
    builder_add_time(&line, longest);
    if (most >= least)
        builder_add(&line, "; efficiency %.1f %% ... %.1f %%", 100 * least, 100 * most);
    builder_add(&line, ".");
    document_sentence(document, builder_take(&line));
}

void section_answer(struct document *document, const struct study *study)
{
    const struct study_run *problems[MOST_ANSWERS + 1];
    int n_problems = find_problems(problems, study);
    if (study_varies_problem(study, true) && (!study_varies_problem(study, false) || n_problems > MOST_ANSWERS))
        add_range(document, study);
    else
        for (int p = 0; p < n_problems; p++)
            add_fastest(document, study, problems[p]);
}
