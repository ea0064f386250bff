/* The sections of a document of runs: each adds its sentences and tables, or nothing where it has nothing to say. Those
 * that need a table, a measure, alternatives or models are asked only where a study has them: runs.c says which.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_SECTIONS_SECTIONS_H
#define STUDY_SECTIONS_SECTIONS_H

#include "study/decision.h"
#include "study/run.h"

/* The fastest run: of all, or, where the size of the problem varies with something else, one for each size, of which
 * there may be 8. Else the range of the times. */
void section_answer(struct document *document, const struct study *study);
void section_basis(struct document *document, const struct study *study);
/* The platform with what all runs have in common, and what should be known of them. */
void section_platform(struct document *document, const struct study *study);
/* The beginning of a decision: which candidates are best, and where that changes; and the rankings. */
void section_best_candidates(struct document *document, const struct study *study, const struct decision *decision);
void section_candidates(struct document *document, const struct study *study, const struct decision *decision);
/* How many times as long as the best each alternative takes, for each problem, all else at its best. Nothing where
 * the table of times says the same, or where there are many. */
void section_slowdown_matrix(struct document *document, const struct study *study);
/* A sentence for each run of which it was asked, with what gains most; then all of it. */
void section_gains(struct document *document, const struct study *study);
void section_what_if(struct document *document, const struct study *study);
/* Which function, and which scope, takes most of the time further out, and grows fastest; and all of them. */
void section_growth(struct document *document, const struct study *study);
/* The laws of models that were asked for, in words: those that grow most, if there are many; then all of it. */
void section_laws(struct document *document, const struct study *study);
void section_models(struct document *document, const struct study *study);
/* Times of a sweep over grids of processes, as matrices. */
void section_process_grid(struct document *document, const struct study *study);
void section_times(struct document *document, const struct study *study);
/* Measures other than the time that the reference has: simulated and measured. */
void section_measured(struct document *document, const struct study *study);
/* The terms that an application's own formula leaves out. */
void section_formula(struct document *document, const struct study *study);
/* If verbose: the algorithms by which the collectives of replays were done. */
void section_algorithms(struct document *document, const struct study *study);
/* The algorithms that `fastest` has stood for. */
void section_autotuned(struct document *document, const struct study *study);
/* The laws by which kernels cost, if tables give them. Append " (6.89 to 7.12)", the band that they give a measure. */
void section_costs(struct document *document, const struct study *study);
void costs_add_band(struct builder *line, const struct study_run *run, enum measure_id low, enum measure_id high);
void section_lost_cycles(struct document *document, const struct study *study);
void section_critical_path(struct document *document, const struct study *study);
/* Which component is the bottleneck, in a sweep over ranks: notes below a table. */
void section_verdicts(struct document *document, const struct study *study);
void section_granularity(struct document *document, const struct study *study);
void section_bottlenecks(struct document *document, const struct study *study);
/* For replays: the trace's own account beside the runs'. */
void section_traced(struct document *document, const struct study *study);
/* For traces: the functions of the message library, and what is waited for there; POP's efficiencies, in a sentence. */
void section_wait_states(struct document *document, const struct study *study);
/* The call tree of each trace that has one. */
void section_call_tree(struct document *document, const struct study *study);
void section_efficiencies(struct document *document, const struct study *study);
/* The time that a rank is busy by itself [s], how many times the mean that is, and "computes" or what else it does. */
double culprit_busy_s(const struct study_run *run, int rank);
double culprit_load(const struct study_run *run, int rank);
const char *culprit_word(const struct study_run *run, int rank);
/* ", which writes a file by MPI_File_write for 16.4 ms": what a rank is late with, if that is known. */
void culprit_add_reason(struct builder *line, const struct study_run *run, int rank);
/* For traces: what each rank had of a processor. True if a table "processors" has the trace's own word on it, not only
 * times without one. */
bool processors_are_known(const struct study_run *run);
void section_processors(struct document *document, const struct study *study);
/* Append ": 26 % of the time ...", what takes most of the waiting of a traced run; false where nothing is worth it. */
bool wait_states_add_largest(struct builder *line, const struct study_run *run);
/* For traces with teams of threads: the serial part and the waiting of each rank's, and where that is. Append ", 80 %
 * of it in a region, mostly for thread 3", where most of a wait of such threads is. */
void section_threads(struct document *document, const struct study *study);
void threads_add_place(struct builder *line, const struct study_run *run, enum wait_state wait);
/* For traces with streams of accelerators. Append ", 80 % of it in a function for a kernel", where ranks wait. */
void section_streams(struct document *document, const struct study *study);
void streams_add_place(struct builder *line, const struct study_run *run);
/* For traces whose iterations are asked for. */
void section_iterations(struct document *document, const struct study *study);
void section_message_sizes(struct document *document, const struct study *study);
/* For programs that share memory: shares of the categories; in detail the fastest and the slowest run that waited, or
 * all if verbose. */
void section_categories(struct document *document, const struct study *study);
void section_shared_memory(struct document *document, const struct study *study);
void section_wait_causes(struct document *document, const struct study_run *run, bool verbose);
/* For a ranking with several topologies: what each is made of, beside its time. */
void section_topologies(struct document *document, const struct study *study);
/* The tables of details that were asked for: the largest rows of one run, or all if verbose. */
void section_details(struct document *document, const struct study *study);
/* The place whose delays cost the others most, in the run whose details are shown. */
void section_delays(struct document *document, const struct study *study);
/* The use of links in the course of time, in one of these runs. */
void section_link_times(struct document *document, const struct study *study, const struct study_run *run);
/* The run whose details are shown: the fastest. */
const struct study_run *study_find_detailed(const struct study *study);
/* Measures and tables that no other section knows. */
void section_others(struct document *document, const struct study *study);
/* Networks that do not rank alternatives alike; changes that change nothing. */
void section_disagreements(struct document *document, const struct study *study);
void section_no_effect(struct document *document, const struct study *study);
void section_processes(struct document *document, const struct study *study);
/* All of it, for programs. */
void section_data(struct document *document, const struct study *study);
void section_data_models(struct document *document, const struct models *models);
void section_data_growth(struct document *document, const struct models *models);
void section_data_topologies(struct document *document, const struct study *study);

#endif
