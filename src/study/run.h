/* The runs that an answer is about: parameters, measures, notes. This folder makes their contents; report prints them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_RUN_H
#define STUDY_RUN_H

#include "base/builder.h"
#include "base/subject.h"
#include "document/document.h"
#include "metrics/result.h"

#include <stdbool.h>
#include <stdint.h>

enum { PARAMETER_TEXT = 40 };

struct study_parameter {
    const char *name;
    const char *text; /* of at most PARAMETER_TEXT - 1 bytes */
    int64_t number;
    unsigned width : 25; /* of a WIDTHxHEIGHT; 0 for anything else */
    bool is_number : 1;
    bool is_real : 1;      /* is_number, and `number` is in millionths */
    bool is_candidate : 1; /* a decision is between its values */
    bool is_problem : 1;   /* says how much there is to do: no value of it is better than another */
    bool is_unused : 1;    /* at its default, or of no consequence */
    bool is_label : 1;     /* names the run, as its number in a store does: nothing depends on it */
    unsigned height : 25;
    unsigned subject : 7; /* enum subject: what it is about */
};

/* Notes that a reader should know of a run, one sentence of each kind at most. */
enum note {
    NOTE_MEMORY,             /* the data of a rank do not fit into the memory of its host */
    NOTE_SEQUENTIAL_MEMORY,  /* nor would those of one rank alone */
    NOTE_PLATFORM,           /* what the platform has that is not simulated */
    NOTE_HOSTS,              /* hosts differ, or change with time */
    NOTE_RANGE,              /* the cost of a call is extrapolated */
    NOTE_HOLE,               /* of a trace: how much time no rank recorded */
    NOTE_PART,               /* of which part of a trace this is */
    NOTE_ITERATIONS,         /* of a trace whose iterations are asked for: how many, and what stands out first */
    NOTE_OFF,                /* of a trace whose recording was off meanwhile */
    NOTE_KEPT,               /* of a trace of which a part was kept */
    NOTE_SEQUENTIAL_UNKNOWN, /* T_seq is unknown */
    NOTE_CLOCKS,             /* of a trace whose ranks' clocks disagree */
    NOTE_CROWDED,            /* of a trace whose ranks had fewer cores than they are */
    NOTE_CUT,                /* of a trace whose run was aborted */
    NOTE_HANG,               /* the collective in which most ranks of such a run hung, and who is missing in it */
    NOTE_SILENT,             /* the end of some ranks of such a run is not known */
    NOTE_ASSUMED,            /* of a trace that does not say which calls belong together */
    NOTE_GAPS,               /* of a trace with unknown calls */
    NOTE_FIXED,              /* of a replayed trace with calls that no platform makes shorter */
    NOTE_SLEEP,              /* of one whose ranks sleep */
    NOTE_STREAMS,            /* of one with streams of accelerators */
    NOTE_LOCATIONS,          /* of a trace with more than its ranks */
    NOTE_UNRECORDED,         /* of a trace that lacks calls */
    NOTE_MISCOUNTED,         /* of a trace that says wrongly how many events it has */
    NOTE_CUT_PATHS,          /* of a trace in which not all call paths are whole */
    NOTE_COLLECTIVES,        /* of a replay: who chose the algorithms of its collectives */
    NOTE_UNRECEIVED,         /* messages that are never received */
    NOTE_CHECK,              /* what was read from shared memory has been checked */
    NOTE_REFERENCE,          /* what the reference says of a measurement or of its own prediction */
    NOTE_SPEED,              /* of a replay: computations keep the traced computer's speed */
    NOTE_WIRES,              /* how much a rank's wire is shared without contention; where no link is waited for */
    NOTE_ANY_SOURCE,         /* of a replay with receives from any source, */
    NOTE_FIRST_COME,         /* and of those that would get another message than traced */
    NOTE_PROGRESS,           /* of a replay: when non-blocking collectives go on */
    NOTE_GROWN,              /* the topology has more hosts than the platform */
    NOTE_LOCAL,              /* messages within a host take no time */
    NOTE_BASIS,              /* whether times on the platform have been held against a real machine */
    NOTE_COUNTERS,           /* of a trace whose counters are asked for, and that has none */
    N_NOTES
};
enum { NOTE_SIZE = 200, DISCARDED_SIZE = 200 };
#define NOTE_TEXT_SEQUENTIAL_UNKNOWN                                                                                   \
    "T_seq is unknown, so there is no speedup, and overheads are relative to the useful work; --baseline sets it"

/* The beginning of NOTE_SEQUENTIAL_MEMORY; behind a colon and a blank it says of which data. */
#define NOTE_TEXT_SEQUENTIAL_MEMORY "T_seq is that of a host with more memory"

/* Without capital and full stop; NULL for those that a run does not have. */
struct run_notes {
    const char *texts[N_NOTES];
};

/* Facts known of the topology of a run's machine (struct topology_facts). */
struct study_topology {
    char name[120]; /* "torus 16x8" */
    int64_t hosts;
    int64_t diameter, bisection, wires, degree, host_degree;
    int links_per_host; /* of the hardware; 0: not known */
};

/* There may be 100,000 of them: texts are interned, for as long as the program lives (interval/intern.h). */
struct study_run {
    struct study_parameter *parameters;
    int n_parameters;
    const char *platform;
    const char *wiring; /* the topology that it was made of, with its dimensions; NULL: it is as its file says */
    const struct study_topology *topology; /* NULL: nothing is known */
    const char *network;                   /* the one that was used */
    int ranks;
    bool is_traced;       /* nothing was simulated: the intervals come from a trace */
    struct result result; /* the metrics' measures, and the reference's in the group "reference" */
    double wall_s;        /* what this run cost on this computer */
    int64_t events;
    int64_t most_queued, most_messages; /* at once: events in the queue, messages and receives that waited */
    int64_t peak_rss_bytes;
    const struct run_notes *notes; /* NULL: it has none */
    bool matters;                  /* who reads in brief sees it; of few runs none is told from the others */
    const char *discarded;         /* in a decision, why this is no candidate; it has no measures then. Else NULL */
    const char *dominant;          /* in a ranking, the component of the critical path that takes most; else NULL */
    const char *largest_overhead;  /* likewise; NULL also where there is no overhead */
};

struct models;

struct study {
    const char *version;
    const char *scenario;
    char *title;              /* with what the command line has changed; NULL if the scenario has none */
    enum measure_id decision; /* the measure by which the scenario ranks its candidates; M_NONE: it is no decision */
    const struct phase_spec *phases; /* of the program; NULL: nothing is known of them */
    struct study_run *runs;
    int n_runs;
    int n_stored;              /* of them, how many come from an experiment store */
    int n_sequential;          /* of measured runs: how many have T_seq from another one, on one rank */
    bool is_ranked;            /* alternatives are compared: the runs have the measures rank and factor_to_best */
    bool verbose;              /* readers want a line for every process, too */
    const bool *varying;       /* what study_varies() says of each parameter; NULL: not worked out yet */
    const struct study *whole; /* the study of which these are some of the runs; else NULL */
    struct study_run *drawn;   /* for a page: the best runs again, with all details; NULL: the runs have theirs */
    int drawn_at[MOST_DRAWN];  /* their places among the runs; the best one first */
    int n_drawn;
    struct models *models; /* performance models of the measures; NULL: none are asked for */
};

/* --- one run --- */

/* A parameter as a number: NAN where it is none. */
double parameter_value(const struct study_parameter *parameter);
/* Its text, cut to PARAMETER_TEXT. */
void parameter_set_text(struct study_parameter *parameter, const char *text);
/* True if the run's account has that state: if only some runs have it, whether any rank was in it. */
bool run_has_state(const struct study_run *run, int state);
/* A number of the run, seconds for a time; NAN where it has none. */
double run_value(const struct study_run *run, enum measure_id id);
double run_time(const struct study_run *run);
/* The mean of its ranks' times without the beginning and the end of the message library. */
double run_program_time(const struct study_run *run);
bool run_is_discarded(const struct study_run *run);
/* Set a note, cut to NOTE_SIZE, or take it away; its text, "" if there is none. */
void run_note(struct study_run *run, enum note note, const char *format, ...) __attribute__((format(printf, 3, 4)));
void run_remove_note(struct study_run *run, enum note note);
const char *run_note_text(const struct study_run *run, enum note note);
/* Discard it for a reason, which is cut to DISCARDED_SIZE. */
void run_discard(struct study_run *run, const char *reason);
/* The processors that each rank has; those of all ranks. */
int run_processors_per_rank(const struct study_run *run);
int run_all_processors(const struct study_run *run);
/* The i-th of these as an index of its states: those of a rank stand side by side. */
int run_processor_at(const struct study_run *run, int i);
/* How many of the processors compute; the same, but all of them where none does or nothing is known; the speedup over
 * these. */
int run_computing(const struct study_run *run);
int run_processors(const struct study_run *run);
double run_efficiency(const struct study_run *run);
/* The order of two runs by the parameters of the problem; 0: it is the same. */
int run_compare_problems(const struct study_run *a, const struct study_run *b);

/* The component of the critical path that takes most of the time, of those without parts, or of the four largest
 * groups; NULL if none takes any. *share is its part of the time. */
const struct measure *run_largest_part(const struct study_run *run, double *share);
const struct measure *run_largest_group(const struct study_run *run, double *share);
/* "processing fpu", "I/O input": what readers call a component; a text of the document. */
const char *part_label(struct document *document, const struct measure *component);
/* True if a component of the run's critical path has no parts. */
bool run_has_no_parts(const struct result *result, const struct measure *component);

/* --- all of them --- */

/* True if the parameter of that index differs between the runs, those of the whole study. */
bool study_varies(const struct study *study, int parameter);
/* True if it is the number of ranks in all runs. */
bool study_is_ranks(const struct study *study, int parameter);
/* For all parameters at once; to be freed. */
bool *study_find_varying(const struct study *study);
/* True if ranks of any run have several processors; "ranks", or "processors" then. */
bool study_has_processors(const struct study *study);
const char *study_processors_word(const struct study *study);
/* True if any run has the measure; if any has it above 0. */
bool study_has(const struct study *study, enum measure_id id);
bool study_has_above_0(const struct study *study, enum measure_id id);
/* The distinct measures of all runs that are wanted, in the order of their first appearance, as those of some run;
 * to be freed. */
const struct measure **study_find_measures(size_t *count, const struct study *study,
                                           bool (*is_wanted)(const struct measure *measure));
/* The component of the critical path that a phase is of; NULL: the run has none. */
const struct measure *run_find_phase(const struct study_run *run, const struct phase_spec *phase);
/* True if a parameter varies that is one of the problem, or one that is not. */
bool study_varies_problem(const struct study *study, bool problem);

/* --- words and columns --- */

/* Append the parameters that vary, and that `is_wanted` means, with `before` in front of the first: "broadcast flat, n
 * 64". */
void study_name_varied(struct builder *text, const struct study *study, const struct study_run *run,
                       bool (*is_wanted)(const struct study_parameter *), const char *before);
/* "128 ranks" or "128 ranks, broadcast binomial": what tells this run from the others. */
void study_name_run(struct builder *text, const struct study *study, const struct study_run *run);
/* "7.026 s" */
void builder_add_time(struct builder *text, double seconds);

/* A parameter of a run, with its text for readers. */
struct cell cell_of_parameter(const struct study_parameter *parameter);
/* The columns that tell the runs apart: the parameters that vary, or the ranks of a single run; and their cells. */
bool study_shows(const struct study *study, int parameter);
void study_key_columns(struct table *table, const struct study *study);
void study_key_cells(struct table *table, const struct study *study, const struct study_run *run);

#endif
