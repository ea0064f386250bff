/* The command line. */
#ifndef SIMRUN_OPTIONS_H
#define SIMRUN_OPTIONS_H

#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>

struct options {
    char **files;
    int n_files;
    char **settings; /* of --set and --network, in their order, as NAME=VALUE */
    int n_settings;
    int jobs;
    const struct report_spec *format;
    const char *output;   /* NULL: standard output */
    const char *trace;    /* NULL: none */
    const char **queries; /* of --forecast, in their order */
    int n_queries;
    const char *at;             /* of --at, as given: a time with --forecast, places with --model; NULL: not given */
    int64_t at_ps;              /* the time; -1: not given */
    uint32_t what_if;           /* of --what-if: causes, as bits of their places among what_if_causes; 0: not given */
    const char *baseline;       /* of a trace: that of the same problem on one rank; NULL: none */
    int64_t sequential_ps;      /* of --sequential-time; -1: not given */
    const char *model;          /* the measures of --model; NULL: none */
    const char *over;           /* the parameters of --over; NULL: those that vary */
    const char *write_platform; /* the platform file to write the runs' machine to; NULL: simulate */
    const char *calibrate;      /* the platform file to measure this computer into; NULL: simulate */
    const char *store;          /* the experiment store; NULL: none */
    const char *compare;        /* of --compare: two numbers of stored runs; NULL: none */
    bool check, list, runs, quiet, verbose;
};

/* Parse; ends the program for --help and --version, and with status 2 for bad usage. */
void options_parse(struct options *options, int argc, char **argv);
void options_dispose(struct options *options);

#endif
