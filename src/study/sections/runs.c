/* The document of a scenario's runs: which sections there are, and of which runs.
 * SPDX-License-Identifier: BSD-3-Clause */
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

/* The thing a study must have for a section to have anything to show. */
enum need {
    NEEDS_NOTHING,
    NEEDS_TABLE,   /* of one run at least: enum table_id */
    NEEDS_MEASURE, /* likewise: enum measure_id */
    NEEDS_RANKING, /* alternatives */
    NEEDS_MODELS,
    NEEDS_DETAILS, /* tables that were asked for */
};

/* The runs a section is about: all as they are, all in the order of the tables, or those that the tables show. */
enum runs_of { OF_ALL, OF_SORTED, OF_SHOWN, N_RUNS_OF };

struct section {
    void (*add)(struct document *document, const struct study *study);
    enum runs_of of;
    enum need need;
    int what; /* the table or the measure */
};

static bool has_table(const struct study *study, int table)
{
    for (int i = 0; i < study->n_runs; i++)
        if (result_find_table(&study->runs[i].result, (enum table_id)table) != NULL)
            return true;
    return false;
}

static bool has_measure(const struct study *study, int measure)
{
    for (int i = 0; i < study->n_runs; i++)
        for (size_t m = 0; m < study->runs[i].result.n_measures; m++)
            if (study->runs[i].result.measures[m].of->id == (enum measure_id)measure)
                return true;
    return false;
}

static bool has_details(const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++)
        for (size_t t = 0; t < study->runs[i].result.n_tables; t++)
            if (study->runs[i].result.tables[t].of_detail)
                return true;
    return false;
}

static bool has_something(const struct study *study, const struct section *section)
{
    switch (section->need) {
    case NEEDS_TABLE:
        return has_table(study, section->what);
    case NEEDS_MEASURE:
        return has_measure(study, section->what);
    case NEEDS_RANKING:
        return ranking_is_one(study);
    case NEEDS_MODELS:
        return study->models != NULL;
    case NEEDS_DETAILS:
        return has_details(study);
    case NEEDS_NOTHING:
        break;
    }
    return true;
}

static void add_sections(struct document *document, const struct study *const studies[N_RUNS_OF],
                         const struct section *sections, size_t n_sections)
{
    for (size_t i = 0; i < n_sections; i++)
        if (has_something(studies[sections[i].of], &sections[i]))
            sections[i].add(document, studies[sections[i].of]);
}

#define ADD_SECTIONS(document, studies, sections)                                                                      \
    add_sections(document, studies, sections, sizeof(sections) / sizeof(sections)[0])

static void add_tables(struct document *document, const struct study *sorted)
{
    static const struct section sections[] = {
        {section_times, OF_SHOWN, NEEDS_NOTHING, 0},
        {section_measured, OF_SORTED, NEEDS_MEASURE, M_MEASURED},
        {section_formula, OF_SORTED, NEEDS_MEASURE, M_FORECAST_ERROR},
        {section_autotuned, OF_SORTED, NEEDS_TABLE, TABLE_FASTEST},
        {section_algorithms, OF_SORTED, NEEDS_TABLE, TABLE_ALGORITHMS},
        {section_costs, OF_SORTED, NEEDS_TABLE, TABLE_COSTS},
        {section_traced, OF_SORTED, NEEDS_MEASURE, M_TRACED_TIME},
        {section_wait_states, OF_SORTED, NEEDS_TABLE, TABLE_FUNCTIONS},
        {section_call_tree, OF_SORTED, NEEDS_TABLE, TABLE_CALL_PATHS},
        {section_iterations, OF_SORTED, NEEDS_TABLE, TABLE_ITERATIONS},
        {section_processors, OF_SORTED, NEEDS_TABLE, TABLE_PROCESSORS},
        {section_streams, OF_SORTED, NEEDS_TABLE, TABLE_STREAMS},
        {section_threads, OF_SORTED, NEEDS_TABLE, TABLE_TEAMS},
        {section_lost_cycles, OF_SHOWN, NEEDS_NOTHING, 0},
        {section_critical_path, OF_SHOWN, NEEDS_NOTHING, 0},
        {section_bottlenecks, OF_SHOWN, NEEDS_NOTHING, 0},
        {section_granularity, OF_SHOWN, NEEDS_MEASURE, M_GRANULARITY},
        {section_message_sizes, OF_SORTED, NEEDS_NOTHING, 0},
        {section_categories, OF_SHOWN, NEEDS_MEASURE, M_CATEGORY_COMP},
        {section_shared_memory, OF_SORTED, NEEDS_MEASURE, M_CATEGORY_COMP},
        {section_others, OF_SHOWN, NEEDS_NOTHING, 0},
    };
    struct study shown = shorten(document, sorted);
    prominent_mark(&shown);
    ADD_SECTIONS(document, ((const struct study *const[N_RUNS_OF]){NULL, sorted, &shown}), sections);
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
    static const struct section growth[] = {{section_laws, OF_ALL, NEEDS_MODELS, 0},
                                            {section_growth, OF_ALL, NEEDS_MODELS, 0}};
    static const struct section causes[] = {
        {section_basis, OF_ALL, NEEDS_NOTHING, 0},
        {section_gains, OF_ALL, NEEDS_TABLE, TABLE_WHAT_IF_CAUSES},
        {section_delays, OF_ALL, NEEDS_TABLE, TABLE_DELAYS},
        {section_platform, OF_ALL, NEEDS_NOTHING, 0},
        {section_details, OF_ALL, NEEDS_DETAILS, 0},
        {section_models, OF_ALL, NEEDS_MODELS, 0},
        {section_what_if, OF_ALL, NEEDS_TABLE, TABLE_WHAT_IF_CAUSES},
    };
    static const struct section alternatives[] = {
        {section_topologies, OF_ALL, NEEDS_RANKING, 0},
        {section_disagreements, OF_ALL, NEEDS_RANKING, 0},
    };
    static const struct section rest[] = {
        {section_autotuned, OF_ALL, NEEDS_TABLE, TABLE_FASTEST},
        {section_costs, OF_ALL, NEEDS_TABLE, TABLE_COSTS},
        {section_others, OF_ALL, NEEDS_NOTHING, 0},
    };
    const struct study *const of[N_RUNS_OF] = {study};
    struct decision decision;
    decision_init(&decision, study);
    ADD_SECTIONS(document, of, growth);
    section_best_candidates(document, study, &decision);
    ADD_SECTIONS(document, of, causes);
    if (decision.n_rankings <= DECISION_FEW)
        section_slowdown_matrix(document, study);
    ADD_SECTIONS(document, of, alternatives);
    section_candidates(document, study, &decision);
    decision_dispose(&decision);
    if (!study->verbose) /* else they are among the usual tables */
        ADD_SECTIONS(document, of, rest);
    section_no_effect(document, study);
    if (study->verbose)
        add_simulated(document, study);
}

static void add_sweep(struct document *document, const struct study *study)
{
    static const struct section sections[] = {
        {section_laws, OF_ALL, NEEDS_MODELS, 0},
        {section_growth, OF_ALL, NEEDS_MODELS, 0},
        {section_answer, OF_ALL, NEEDS_NOTHING, 0},
        {section_basis, OF_ALL, NEEDS_NOTHING, 0},
        {section_gains, OF_ALL, NEEDS_TABLE, TABLE_WHAT_IF_CAUSES},
        {section_efficiencies, OF_ALL, NEEDS_TABLE, TABLE_FUNCTIONS},
        {section_delays, OF_ALL, NEEDS_TABLE, TABLE_DELAYS},
        {section_platform, OF_ALL, NEEDS_NOTHING, 0},
        {section_details, OF_SORTED, NEEDS_DETAILS, 0},
        {section_slowdown_matrix, OF_ALL, NEEDS_RANKING, 0},
        {section_topologies, OF_ALL, NEEDS_RANKING, 0},
        {section_disagreements, OF_ALL, NEEDS_RANKING, 0},
        {section_models, OF_ALL, NEEDS_MODELS, 0},
        {section_what_if, OF_ALL, NEEDS_TABLE, TABLE_WHAT_IF_CAUSES},
        {section_process_grid, OF_SORTED, NEEDS_NOTHING, 0},
    };
    struct study sorted = *study;
    if (ranking_is_one(study)) {
        sorted.runs = new_runs(document, study->n_runs);
        memcpy(sorted.runs, study->runs, (size_t)study->n_runs * sizeof *sorted.runs);
        sort(&sorted);
    }
    ADD_SECTIONS(document, ((const struct study *const[N_RUNS_OF]){study, &sorted}), sections);
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
