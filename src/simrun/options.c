#include "simrun/options.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/units.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_CHECK = 256, KEY_CALIBRATE, KEY_FORECAST, KEY_AT, KEY_BASELINE, KEY_SEQUENTIAL_TIME, MAX_JOBS = 256 };

static const struct argp_option option_rows[] = {
    {"set", 's', "NAME=VALUE[,VALUE...]", 0, "Override a parameter; several values make a sweep over them", 0},
    {"network", 'n', "NAME", 0, "Simulate on this network (see --list networks)", 0},
    {"jobs", 'j', "N", 0, "Simulate N runs of a sweep side by side", 0},
    {"format", 'f', "FORMAT", 0, "How to write the results (see --list formats); default text", 0},
    {"output", 'o', "FILE", 0, "Write the results to FILE instead of standard output", 0},
    {"trace", 't', "FILE", 0, "Write every event of a single run; the format goes by the ending (see --list formats)",
     0},
    {"baseline", KEY_BASELINE, "FILE", 0,
     "Of a trace: T_seq is the time of this trace, of the same problem on one rank", 0},
    {"sequential-time", KEY_SEQUENTIAL_TIME, "TIME", 0,
     "Of a trace, analysed or replayed: T_seq, such as 12.5s, for speedup and overheads", 0},
    {"check", KEY_CHECK, NULL, 0, "Validate the scenario and its platform, or the trace; simulate nothing", 0},
    {"calibrate", KEY_CALIBRATE, "OUT.xml", 0, "Measure this computer, in about 20 s, and write it as a platform file",
     0},
    {"forecast", KEY_FORECAST, "QUERY", 0,
     "Of a platform: what \"KERNEL DIMENSION... on HOST\" or a message \"HOST to HOST [SIZE]\" takes; may be given "
     "again",
     0},
    {"at", KEY_AT, "TIME", 0, "The time of the forecasts, such as 600s; default 0s", 0},
    {"list", 'l', NULL, 0,
     "List what there is, or only the KINDs given in place of files: applications, broadcasts, collectives, "
     "networks, metrics, formats, parameters",
     0},
    {"quiet", 'q', NULL, 0, "No progress on standard error", 0},
    {"verbose", 'v', NULL, 0, "Also a table of all processes, and what the simulation cost", 0},
    {NULL, 'h', NULL, OPTION_HIDDEN, NULL, -1},
    {0},
};

static void add_setting(struct options *options, char *setting)
{
    options->settings = xrealloc(options->settings, (size_t)(options->n_settings + 1) * sizeof *options->settings);
    options->settings[options->n_settings++] = setting;
}

static int parse_jobs(const char *text, struct argp_state *state)
{
    int64_t jobs = 0;
    char why[160];
    if (units_parse(&jobs, QUANTITY_COUNT, text, why, sizeof why) != 0)
        argp_error(state, "--jobs: %s", why);
    else if (jobs < 1 || jobs > MAX_JOBS)
        argp_error(state, "--jobs: '%s' is outside 1 ... %d", text, MAX_JOBS);
    return (int)jobs;
}

static void add_query(struct options *options, const char *query)
{
    options->queries = xrealloc(options->queries, (size_t)(options->n_queries + 1) * sizeof *options->queries);
    options->queries[options->n_queries++] = query;
}

static int64_t parse_time(const char *text, struct argp_state *state)
{
    int64_t ps = 0;
    char why[160];
    if (units_parse(&ps, QUANTITY_TIME, text, why, sizeof why) != 0)
        argp_error(state, "--at: %s", why);
    return ps;
}

static int64_t parse_sequential_time(const char *text, struct argp_state *state)
{
    int64_t ps = 0;
    char why[160];
    if (units_parse(&ps, QUANTITY_TIME, text, why, sizeof why) != 0)
        argp_error(state, "--sequential-time: %s", why);
    else if (ps < 1 || ps > PS_MAX)
        argp_error(state, "--sequential-time: '%s' is outside 1ps ... %llds", text, (long long)(PS_MAX / PS_PER_S));
    return ps;
}

static const struct report_spec *parse_format(const char *name, struct argp_state *state)
{
    char known[160] = "";
    const struct report_spec *format = report_find(name);
    for (int i = 0; report_specs[i] != NULL; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", report_specs[i]->name);
    if (format == NULL)
        argp_error(state, "--format: unknown format '%s'; known:%s", name, known);
    return format;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 's':
        add_setting(options, xstrdup(argument));
        break;
    case 'n':
        add_setting(options, xformat("network=%s", argument));
        break;
    case 'j':
        options->jobs = parse_jobs(argument, state);
        break;
    case 'f':
        options->format = parse_format(argument, state);
        break;
    case 'o':
        options->output = argument;
        break;
    case 't':
        options->trace = argument;
        break;
    case 'h':
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        break;
    case 'l':
        options->list = true;
        break;
    case 'q':
        options->quiet = true;
        break;
    case 'v':
        options->verbose = true;
        break;
    case KEY_CALIBRATE:
        options->calibrate = argument;
        break;
    case KEY_FORECAST:
        add_query(options, argument);
        break;
    case KEY_BASELINE:
        options->baseline = argument;
        break;
    case KEY_SEQUENTIAL_TIME:
        options->sequential_ps = parse_sequential_time(argument, state);
        break;
    case KEY_AT:
        options->at_ps = parse_time(argument, state);
        break;
    case KEY_CHECK:
        options->check = true;
        break;
    case ARGP_KEY_ARGS:
        options->files = state->argv + state->next;
        options->n_files = state->argc - state->next;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Calibration simulates nothing: of all options only --quiet goes with it. */
static void check_calibration(const struct options *options, struct argp_state *state)
{
    if (options->n_files > 0 || options->n_settings > 0 || options->jobs != 1 || options->format != report_specs[0] ||
        options->output != NULL || options->trace != NULL || options->check || options->list || options->verbose ||
        options->n_queries > 0 || options->at_ps >= 0 || options->baseline != NULL || options->sequential_ps >= 0)
        argp_error(state, "--calibrate measures this computer; of the other options only --quiet goes with it");
}

/* A forecast is of a platform and simulates nothing. */
static void check_forecast(const struct options *options, struct argp_state *state)
{
    if (options->n_settings > 0 || options->jobs != 1 || options->trace != NULL || options->check || options->list ||
        options->verbose || options->baseline != NULL || options->sequential_ps >= 0)
        argp_error(state,
                   "--forecast simulates nothing; of the other options only --at, --format, --output and --quiet "
                   "go with it");
    if (options->n_queries == 0)
        argp_error(state, "--at is the time of a --forecast, and there is none");
    if (options->n_files != 1)
        argp_error(state, "--forecast needs one platform; try simrun --forecast \"dgemm 512 512 64 on n3\" "
                          "platforms/icluster.xml");
    if (strcmp(options->format->name, "csv") == 0)
        argp_error(state, "--forecast writes the formats text and json, not csv");
}

/* Options that contradict each other. */
static void check_options(const struct options *options, struct argp_state *state)
{
    if (options->calibrate != NULL) {
        check_calibration(options, state);
        return;
    }
    if (options->n_queries > 0 || options->at_ps >= 0) {
        check_forecast(options, state);
        return;
    }
    if (options->baseline != NULL && options->sequential_ps >= 0)
        argp_error(state, "--baseline and --sequential-time both say what T_seq is");
    if (options->n_files > 1 && !options->list && (options->baseline != NULL || options->sequential_ps >= 0))
        argp_error(state, "--baseline and --sequential-time go with one file");
    if (options->quiet && options->verbose)
        argp_error(state, "--quiet and --verbose contradict each other");
    if (options->list && (options->baseline != NULL || options->sequential_ps >= 0))
        argp_error(state, "--list analyses nothing that --baseline or --sequential-time could be for");
    if (options->check && (options->trace != NULL || options->output != NULL))
        argp_error(state, "--check simulates nothing, so there is nothing to write to %s",
                   options->trace != NULL ? options->trace : options->output);
    if ((options->output != NULL && *options->output == '\0') || (options->trace != NULL && *options->trace == '\0'))
        argp_error(state, "--output and --trace need the name of a file");
    if (output_is_file(options->output, options->trace))
        argp_error(state, "--trace and --output name the same file %s", options->output);
    if (!options->list && options->n_files == 0)
        argp_error(state, "no scenario given; try simrun scenarios/gj256.xml");
    if (options->n_files > 1 && !options->list &&
        (options->output != NULL || options->trace != NULL || options->format != report_specs[0]))
        argp_error(state, "several scenarios go with neither --output, --trace nor --format: one at a time");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    if (key != ARGP_KEY_END)
        return parse_option(key, argument, state);
    check_options(state->input, state);
    return 0;
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {
        .options = option_rows,
        .parser = parse,
        .args_doc = "FILE...\n--list [KIND...]\n--forecast QUERY PLATFORM.xml\n--calibrate OUT.xml",
        .doc =
            "Simulate a parallel program on a parallel machine, account for every moment of every processor, and say "
            "where the time went.\v"
            "FILE is a scenario (.xml) to simulate, or the trace of a run (see --list formats) to analyse. Results go "
            "to standard output, everything else to standard error.\n"
            "Exit status: 0 done; 1 the simulation could not finish, or no candidate is left; 2 bad usage or bad "
            "input.",
    };
    argp_program_version = "simrun " SIMRUN_VERSION;
    argp_err_exit_status = 2;
    *options = (struct options){.jobs = 1, .at_ps = -1, .sequential_ps = -1, .format = report_specs[0]};
    argp_parse(&argp, argc, argv, 0, NULL, options);
}

void options_dispose(struct options *options)
{
    for (int i = 0; i < options->n_settings; i++)
        free(options->settings[i]);
    free(options->settings);
    free(options->queries);
}
