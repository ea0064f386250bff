/* Reports: the runs of a scenario, written in one of several formats.
 *
 * One file src/report/<name>.c, one line in report/list.def. A report writes to a stream that its caller opens, checks
 * and closes. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "metrics/result.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report_parameter {
    const char *name;
    char text[40];
    bool is_number;
    bool is_candidate; /* a decision is between its values */
    bool is_problem;   /* says how much there is to do: no value of it is better than another */
    bool is_unused;    /* at its default, and of no consequence */
    int64_t number;
    int width, height; /* of a WIDTHxHEIGHT; 0 for anything else */
};

/* What a reader should know of a run, one sentence of each kind at most. */
enum note {
    NOTE_MEMORY,             /* the data of a rank do not fit into the memory of its host */
    NOTE_SEQUENTIAL_MEMORY,  /* nor would those of one rank alone */
    NOTE_HOSTS,              /* hosts differ, or change with time */
    NOTE_RANGE,              /* the cost of a call is extrapolated */
    NOTE_SEQUENTIAL_UNKNOWN, /* nobody knows T_seq */
    NOTE_CLOCKS,             /* of a trace whose ranks' clocks disagree */
    NOTE_CUT,                /* of a trace whose run was aborted */
    NOTE_SILENT,             /* the end of some ranks of such a run is not known */
    NOTE_UNRECORDED,         /* of a trace that lacks calls */
    NOTE_UNRECEIVED,         /* messages that nobody receives */
    NOTE_CHECK,              /* what was read from shared memory has been checked */
    N_NOTES
};
enum { NOTE_SIZE = 200 };
#define NOTE_TEXT_SEQUENTIAL_UNKNOWN                                                                                   \
    "T_seq is unknown, so there is no speedup, and overheads are ratios to the useful work; --sequential-time, or "    \
    "--baseline of a trace, gives it"

struct report_run {
    struct report_parameter *parameters;
    int n_parameters;
    const char *platform;
    const char *network; /* the one that was used */
    int ranks;
    bool is_traced;       /* nothing was simulated: the events come from a trace */
    struct result result; /* the metrics' measures, and the reference's in the group "reference" */
    double wall_s;        /* what this run cost on this computer */
    int64_t events;
    int64_t peak_rss_bytes;
    char notes[N_NOTES][NOTE_SIZE]; /* without capital and full stop; "" for those that it does not have */
    char discarded[200];            /* in a decision, why this is no candidate; it has no measures then. Else "" */
    char dominant[48];              /* in a ranking, the component of the critical path that takes most; else "" */
    char largest_overhead[16];      /* likewise; "" also where there is no overhead */
};

struct report_models;

struct report {
    const char *version;
    const char *scenario;
    char *title;          /* with what the command line has changed; NULL if the scenario has none */
    const char *decision; /* the measure by which the scenario ranks its candidates; NULL: it is no decision */
    struct report_run *runs;
    int n_runs;
    int n_stored;                 /* of them, how many come from an experiment store */
    bool is_ranked;               /* alternatives are compared: the runs have the measures rank and factor_to_best */
    bool verbose;                 /* text: also a line for every process */
    const bool *varying;          /* what report_varies() says of each parameter; NULL: not worked out yet */
    const struct report *whole;   /* the report of which these are some of the runs; else NULL */
    struct report_models *models; /* performance models of the measures; NULL: none are asked for */
};

struct report_spec {
    const char *name;
    const char *summary;
    void (*write)(FILE *stream, const struct report *report);
};

/* All formats, NULL-terminated; the first is the default. */
extern const struct report_spec *const report_specs[];
const struct report_spec *report_find(const char *name);

/* Whether the parameter of that index differs between the runs, those of the whole report. */
bool report_varies(const struct report *report, int parameter);
/* For all parameters at once; to be freed. */
bool *report_find_varying(const struct report *report);

#endif
