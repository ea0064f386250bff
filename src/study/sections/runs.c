/* The document of a scenario's runs: which sections there are, and of which runs. */
#include "study/sections/runs.h"

#include "base/memory.h"
#include "base/sort.h"
#include "study/decision.h"
#include "study/prominent.h"
#include "study/ranking.h"
#include "study/sections/sections.h"

#include <stdlib.h>
#include <string.h>

/* Tables of more runs than that show the ends only. */
enum { LONG_RANKING = 40, LONG_SWEEP = 200, LONG_SWEEP_LINES = 50 };

struct ends {
    int n_first, n_last;
};

/* The number of rows of a table; a screen has room for ten of a long sweep. */
static struct ends ends_of(const struct study *sorted, bool ranking)
{
    bool brief = sorted->n_runs > LONG_SWEEP && !sorted->verbose;
    if (ranking)
        return brief ? (struct ends){7, 3} : (struct ends){10, 3};
    return brief ? (struct ends){5, 5} : (struct ends){20, 20};
}

/* Room for copies of runs, whose texts the document may borrow. */
static struct study_run *new_runs(struct document *document, int n_runs)
{
    struct study_run *runs = xmalloc((size_t)n_runs * sizeof *runs + 1);
    document_keep(document, runs);
    return runs;
}

/* --- in the order of the tables --- */

/* One ranking after the other, of each the fastest run first. */
static int by_ranking_and_time(const void *a, const void *b, void *study)
{
    double left = run_time(a), right = run_time(b);
    int order = ranking_compare(study, a, b);
    return order != 0 ? order : (left > right) - (left < right);
}

static void sort(struct study *study)
{
    if (ranking_is_one(study))
        sort_rows(study->runs, (size_t)study->n_runs, sizeof *study->runs, by_ranking_and_time, study);
}

/* The first and the last runs, as a study of their own. */
static struct study cut(struct document *document, const struct study *sorted, struct ends ends)
{
    struct study shown = *sorted;
    shown.whole = sorted;
    shown.n_runs = ends.n_first + ends.n_last;
    shown.runs = new_runs(document, shown.n_runs);
    memcpy(shown.runs, sorted->runs, (size_t)ends.n_first * sizeof *shown.runs);
    memcpy(shown.runs + ends.n_first, sorted->runs + sorted->n_runs - ends.n_last,
           (size_t)ends.n_last * sizeof *shown.runs);
    return shown;
}

/* The runs that the tables show: all, or the ends of a long ranking or sweep. */
static struct study shorten(struct document *document, const struct study *sorted)
{
    bool ranking =
        ranking_is_one(sorted) && ranking_compare(sorted, &sorted->runs[0], &sorted->runs[sorted->n_runs - 1]) == 0;
    if (sorted->n_runs <= (ranking ? LONG_RANKING : LONG_SWEEP))
        return *sorted;
    struct ends ends = ends_of(sorted, ranking);
    struct study shown = cut(document, sorted, ends);
    document_heading(document, xformat("The tables show the %s %d and the %s %d of %d runs; ... %d more in -f csv.",
                                       ranking ? "best" : "first", ends.n_first, ranking ? "worst" : "last",
                                       ends.n_last, sorted->n_runs, sorted->n_runs - shown.n_runs));
    return shown;
}

/* --- the sections --- */

static void add_tables(struct document *document, const struct study *sorted)
{
    struct study shown = shorten(document, sorted);
    prominent_mark(&shown);
    section_times(document, &shown);
    section_measured(document, sorted);
    section_formula(document, sorted);
    section_autotuned(document, sorted);
    section_algorithms(document, sorted);
    section_traced(document, sorted);
    section_wait_states(document, sorted);
    section_processors(document, sorted);
    section_lost_cycles(document, &shown);
    section_critical_path(document, &shown);
    section_bottlenecks(document, &shown);
    section_message_sizes(document, sorted);
    section_shared_memory(document, sorted, &shown);
    section_others(document, &shown);
}

/* The usual tables of what was simulated. */
static void add_simulated(struct document *document, const struct study *study)
{
    struct study simulated = *study;
    simulated.n_runs = 0;
    simulated.varying = NULL;
    simulated.runs = new_runs(document, study->n_runs);
    for (int i = 0; i < study->n_runs; i++)
        if (!run_is_discarded(&study->runs[i]))
            simulated.runs[simulated.n_runs++] = study->runs[i];
    bool *varying = study_find_varying(&simulated);
    simulated.varying = varying;
    sort(&simulated);
    if (simulated.n_runs > 0)
        add_tables(document, &simulated);
    section_processes(document, &simulated);
    free(varying);
}

/* A decision shows its rankings; if verbose, the usual tables, too. */
static void add_decision(struct document *document, const struct study *study)
{
    struct decision decision;
    decision_init(&decision, study);
    section_growth(document, study);
    section_best_candidates(document, study, &decision);
    section_gains(document, study);
    section_platform(document, study);
    section_details(document, study);
    section_models(document, study);
    section_what_if(document, study);
    if (decision.n_rankings <= DECISION_FEW)
        section_slowdown_matrix(document, study);
    section_topologies(document, study);
    section_disagreements(document, study);
    section_candidates(document, study, &decision);
    decision_dispose(&decision);
    if (!study->verbose) { /* they are among the usual tables */
        section_autotuned(document, study);
        section_others(document, study);
    }
    section_no_effect(document, study);
    if (study->verbose)
        add_simulated(document, study);
}

static void add_sweep(struct document *document, const struct study *study)
{
    struct study sorted = *study;
    if (ranking_is_one(study)) {
        sorted.runs = new_runs(document, study->n_runs);
        memcpy(sorted.runs, study->runs, (size_t)study->n_runs * sizeof *sorted.runs);
        sort(&sorted);
    }
    section_growth(document, study);
    section_answer(document, study);
    section_gains(document, study);
    section_efficiencies(document, study);
    section_platform(document, study);
    section_details(document, &sorted);
    section_slowdown_matrix(document, study);
    section_topologies(document, study);
    section_disagreements(document, study);
    section_models(document, study);
    section_what_if(document, study);
    section_process_grid(document, &sorted);
    add_tables(document, &sorted);
    section_no_effect(document, study);
    if (study->verbose)
        section_processes(document, &sorted);
}

void runs_data(struct document *document, const struct study *study)
{
    if (document->audience & FOR_PROGRAMS)
        section_data(document, study);
}

void runs_document(struct document *document, const struct study *study)
{
    document->name = study->scenario;
    document->title = study->title != NULL ? study->title : study->scenario;
    document->is_brief = !study->verbose;
    document->most_lines = study->n_runs > LONG_SWEEP ? LONG_SWEEP_LINES : 0;
    runs_data(document, study);
    if (!(document->audience & FOR_READERS))
        return;
    if (study->decision != M_NONE)
        add_decision(document, study);
    else
        add_sweep(document, study);
}
