/* The options of all commands: how they are called, and the values that they leave.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_OPTIONS_H
#define SIMRUN_OPTIONS_H

#include "base/error.h"
#include "interval/part.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct command; /* simrun/command.h */

enum option_id {
    OPTION_PLATFORM,
    OPTION_SET,
    OPTION_PLACEMENT,
    OPTION_NETWORK,
    OPTION_RANKS,
    OPTION_PATHS,
    OPTION_JOBS,
    OPTION_SHARD,
    OPTION_STORE,
    OPTION_WHAT_IF,
    OPTION_DETAIL,
    OPTION_BASELINE,
    OPTION_OVER,
    OPTION_PREDICT,
    OPTION_UNTIL,
    OPTION_AT,
    OPTION_FORMAT,
    OPTION_LIVE,
    OPTION_OUTPUT,
    OPTION_RECORD, /* --output of a command that writes no results */
    OPTION_TRACE,
    OPTION_PART_FROM,
    OPTION_PART_TO,
    OPTION_PART_RANKS,
    OPTION_ITERATIONS,
    OPTION_SOURCE,
    OPTION_FROM,
    OPTION_TOPOLOGY,
    OPTION_HOSTS,
    OPTION_CORES,
    OPTION_EAGER_LIMIT,
    OPTION_WIDTH,
    OPTION_TEXT,
    OPTION_SPEED,
    OPTION_SOLUTIONS,
    OPTION_ONLY,
    OPTION_SCHEMA,
    OPTION_FAIL_IF,
    OPTION_JUNIT,
    OPTION_VERBOSE,
    OPTION_QUIET,
    OPTION_DEBUG,
    OPTION_HELP,
    OPTION_VERSION,
    N_OPTIONS
};
#define OPTION_BIT(id) (UINT64_C(1) << (id))

/* Where the explanations begin in a help. */
enum { HELP_COLUMN = 31 };

struct options {
    /* Words that are no option, in their order: scenarios, traces, names; the command says which is which. */
    char **files;
    int n_files;
    /* Arguments of --set and --network, in their order, as NAME=VALUE. */
    char **settings;
    int n_settings;
    /* Arguments of --fail-if, in their order. */
    const char **conditions;
    int n_conditions;
    int jobs;
    /* The ranks on which simrun trace runs a program. */
    int n_ranks;
    /* The shard that is to be simulated, from 1, and how many there are; 0: all runs. */
    int shard, n_shards;
    const struct report_spec *format;
    /* NULL: standard output. */
    const char *output;
    /* The panel that `simrun figure` draws, NULL: no figure; and its width in mm. */
    const char *panel;
    double width_mm;
    /* The argument of --platform, as it is given; NULL: the scenario's own. */
    const char *platform;
    /* NULL: ranks take the hosts in order. */
    const char *placement;
    /* NULL: none. */
    const char *trace, *store, *junit;
    /* The part of a trace, as --from, --to and --ranks give it. */
    struct part_request part;
    /* Asks for iterations: their scope or function, "" for what is found; NULL: it does not. */
    const char *iterations;
    /* Folders with the source of a traced program, "DIR,DIR"; NULL: not asked for. */
    const char *source;
    /* The time of forecasts; 0 unless given. */
    int64_t at_ps;
    /* Causes, as bits of their places among what_if_causes; 0: not given. */
    uint32_t what_if;
    /* Details that runs are asked for beside the usual, metrics/detail.h. */
    uint32_t details;
    /* T_seq of a traced program, as --baseline gives it: the trace of the same problem on one rank, or the time. NULL
     * and -1: not given. */
    const char *baseline;
    int64_t sequential_ps;
    /* Requests of models: the measures, "" for the parts of the time, NULL without models; the parameters, NULL: those
     * that vary; where to predict, NULL: further out. */
    const char *model, *over, *predict;
    /* How wide half a band may be, over its value, for further runs not to be simulated; 0: none are. */
    double until;
    /* The words in getopt's order, which the others point into. */
    char **argv;
    /* Which options are there, as bits of enum option_id. */
    uint64_t given;
    /* The experiment that a laboratory has alone, as LAB.NUMBER; NULL: all. */
    const char *only;
    /* Facts of a machine that is made from tables, as --topology, --hosts, --cores and --eager-limit give them; NULL
     * and 0: not given. */
    const char *topology;
    int n_hosts, n_cores;
    int64_t eager_limit;
    bool quiet, verbose, paths, text, speed, from, solutions, live, schema, help, version;
};

/* Before anything is given. */
struct options options_default(void);

/* Read the words behind the command's name, which may be put into another order. All but what is in the files is
 * checked. */
int options_parse(struct options *options, const struct command *command, int n_words, char **words,
                  struct sim_error *error);
/* Check, for several files, that all options that are given go with more than one. */
int options_check_alone(const struct options *options, struct sim_error *error);
void options_dispose(struct options *options);

/* True if an option is there. */
bool options_has(const struct options *options, enum option_id id);

/* Write the lines of --help about these options, by groups. */
void options_help(FILE *stream, uint64_t options);

#endif
