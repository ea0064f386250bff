/* Reads the command line by argp, and says which options do not go together. */
#include "simrun/options.h"

#include "base/known.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/units.h"
#include "experiment/what_if.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_CHECK = 256,
    KEY_WRITE_PLATFORM,
    KEY_CALIBRATE,
    KEY_FORECAST,
    KEY_AT,
    KEY_BASELINE,
    KEY_SEQUENTIAL_TIME,
    KEY_STORE,
    KEY_RUNS,
    KEY_COMPARE,
    KEY_MODEL,
    KEY_OVER,
    KEY_WHAT_IF,
    MAX_JOBS = 256
};

static const struct argp_option option_rows[] = {
    {"set", 's', "NAME=VALUE[,VALUE...]", 0,
     "Override a parameter; several values, or ranges such as 1..128, 16..256:16 (step), 1..128*2 (factor), make a "
     "sweep",
     0},
    {"network", 'n', "NAME", 0, "Simulate on this network (see --list networks)", 0},
    {"jobs", 'j', "N", 0, "Simulate N runs of a sweep side by side", 0},
    {"format", 'f', "FORMAT", 0, "How to write the results (see --list formats); default text", 0},
    {"output", 'o', "FILE", 0, "Write the results to FILE instead of standard output, which is also -", 0},
    {"trace", 't', "FILE", 0, "Write every event of a single run; the format goes by the ending (see --list formats)",
     0},
    {"baseline", KEY_BASELINE, "FILE", 0,
     "Of a trace, analysed or replayed: T_seq is the time of this trace, of the same problem on one rank", 0},
    {"sequential-time", KEY_SEQUENTIAL_TIME, "TIME", 0,
     "Of a trace, analysed or replayed: T_seq, such as 12.5s, for speedup and overheads", 0},
    {"store", KEY_STORE, "FILE", 0,
     "Keep every run in FILE, an SQLite database, and take those from it that are there already", 0},
    {"runs", KEY_RUNS, NULL, 0,
     "List or export the runs of the --store, or those that fulfil all CONDITIONs given in place of files, such as "
     "ranks=64 or time_s<10ms",
     0},
    {"compare", KEY_COMPARE, "RUN,RUN", 0, "Compare two runs of the --store, by their numbers in --runs", 0},
    {"what-if", KEY_WHAT_IF, "CAUSE[,CAUSE...]", OPTION_ARG_OPTIONAL,
     "Simulate again without each of the causes (see --list causes), or without each there is, and set the gain beside "
     "the share of the time that is attributed to it; of more than 8 runs only of the best",
     0},
    {"check", KEY_CHECK, NULL, 0, "Validate the scenario and its platform, or the trace; simulate nothing", 0},
    {"write-platform", KEY_WRITE_PLATFORM, "OUT.xml", 0,
     "Write the machine that the parameter topology makes (see --list topologies) as a platform file, simulate "
     "nothing",
     0},
    {"calibrate", KEY_CALIBRATE, "OUT.xml", 0, "Measure this computer, in about 20 s, and write it as a platform file",
     0},
    {"forecast", KEY_FORECAST, "QUERY", 0,
     "Of a platform: what \"KERNEL DIMENSION... on HOST\" or a message \"HOST to HOST [SIZE]\" takes; may be given "
     "again",
     0},
    {"at", KEY_AT, "TIME|VALUE[,VALUE...]", 0,
     "The time of the forecasts, such as 600s; default 0s. Where the models are to say something, such as 1024, or "
     "1024:4096 for two parameters; default four times the largest",
     0},
    {"model", KEY_MODEL, "MEASURE[,MEASURE...]", 0,
     "Of a sweep: how measures, named as in JSON (time_s, overhead_ratio), grow with what varies, and how sure that is",
     0},
    {"over", KEY_OVER, "NAME[,NAME]", 0, "The one or two parameters of the models; default the numbers that vary", 0},
    {"list", 'l', NULL, 0,
     "List what there is, or only the KINDs given in place of files: applications, broadcasts, collectives, "
     "networks, topologies, metrics, causes, formats, parameters",
     0},
    {"quiet", 'q', NULL, 0, "No progress on standard error, nor what came from the store", 0},
    {"verbose", 'v', NULL, 0, "Also a table of all processes, and what the simulation cost", 0},
    {NULL, 'h', NULL, 0, "The same as --help", -1},
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

static uint32_t parse_what_if(const char *list, struct argp_state *state)
{
    uint32_t causes = 0;
    char why[320];
    if (list != NULL && *list == '\0')
        argp_error(
            state,
            "--what-if= names no cause; give names of --list causes with commas between, or leave out = for all");
    else if (what_if_parse(&causes, list, why, sizeof why) != 0)
        argp_error(state, "--what-if: %s", why);
    return causes;
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

/* A name that would take the place of another would leave that file unwritten without a word. */
static void set_file(const char **file, const char *option, const char *name, struct argp_state *state)
{
    if (*file != NULL)
        argp_error(state, "%s is given twice, with %s and %s; it writes one file", option, *file, name);
    *file = name;
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
        set_file(&options->output, "--output", argument, state);
        break;
    case 't':
        set_file(&options->trace, "--trace", argument, state);
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
    case KEY_WRITE_PLATFORM:
        options->write_platform = argument;
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
        options->at = argument;
        break;
    case KEY_MODEL:
        options->model = argument;
        break;
    case KEY_OVER:
        options->over = argument;
        break;
    case KEY_STORE:
        options->store = argument;
        break;
    case KEY_RUNS:
        options->runs = true;
        break;
    case KEY_COMPARE:
        options->compare = argument;
        break;
    case KEY_WHAT_IF:
        options->what_if |= parse_what_if(argument, state);
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
        options->output != NULL || options->trace != NULL || options->check || options->write_platform != NULL ||
        options->list || options->verbose || options->n_queries > 0 || options->at != NULL ||
        options->baseline != NULL || options->sequential_ps >= 0 || options->model != NULL || options->over != NULL ||
        options->store != NULL || options->runs || options->compare != NULL || options->what_if != 0)
        argp_error(state, "--calibrate measures this computer; of the other options only --quiet goes with it");
}

/* A forecast is of a platform and simulates nothing. */
static void check_forecast(struct options *options, struct argp_state *state)
{
    if (options->n_settings > 0 || options->jobs != 1 || options->trace != NULL || options->check ||
        options->write_platform != NULL || options->list || options->verbose || options->baseline != NULL ||
        options->sequential_ps >= 0 || options->model != NULL || options->over != NULL || options->store != NULL ||
        options->runs || options->compare != NULL || options->what_if != 0)
        argp_error(state,
                   "--forecast simulates nothing; of the other options only --at, --format, --output and --quiet "
                   "go with it");
    if (options->n_files != 1)
        argp_error(state, "--forecast needs one platform; try simrun --forecast \"dgemm 512 512 64 on n3\" "
                          "platforms/icluster.xml");
    if (options->at != NULL)
        options->at_ps = parse_time(options->at, state);
}

/* Models are of a sweep. */
static void check_model(const struct options *options, struct argp_state *state)
{
    if (options->model == NULL)
        argp_error(state, options->over != NULL
                              ? "--over is of a --model, and there is none"
                              : "--at is the time of a --forecast or the place of a --model, and there is neither");
    if (options->list || options->trace != NULL)
        argp_error(state, "--model is of a sweep, and goes with neither --list nor --trace");
}

/* What is asked of a store simulates nothing. */
static void check_stored(const struct options *options, struct argp_state *state)
{
    if (options->store == NULL)
        argp_error(state, "--runs and --compare are of a --store, and there is none");
    if (options->runs && options->compare != NULL)
        argp_error(state, "--runs and --compare are two questions: one at a time");
    if (options->n_settings > 0 || options->jobs != 1 || options->trace != NULL || options->check || options->list ||
        options->verbose || options->baseline != NULL || options->sequential_ps >= 0 || options->model != NULL)
        argp_error(state,
                   "--runs and --compare simulate nothing; of the other options only --store, --format, --output "
                   "and --quiet go with them");
    if (options->compare != NULL && options->n_files > 0)
        argp_error(state, "--compare takes two numbers of runs, such as --compare 3,7, and no files");
}

/* The causes are part of the option, so that a blank before them makes files of them. */
static void check_what_if(const struct options *options, struct argp_state *state)
{
    uint32_t causes;
    char why[320];
    if (options->what_if == 0)
        return;
    if (options->check || options->list)
        argp_error(state, "--what-if simulates, and --%s does not", options->check ? "check" : "list");
    if (options->store != NULL)
        argp_error(state, "a --store has no place for what --what-if finds; one at a time");
    for (int i = 0; i < options->n_files; i++)
        if (what_if_parse(&causes, options->files[i], why, sizeof why) == 0)
            argp_error(state, "'%s' is no scenario; causes follow an equals sign: --what-if=%s", options->files[i],
                       options->files[i]);
}

/* The last of two would win without a word; several values of one parameter are a list. */
static void check_settings(const struct options *options, struct argp_state *state)
{
    for (int i = 0; i < options->n_settings; i++)
        for (int k = 0; k < i; k++) {
            const char *first = options->settings[k], *second = options->settings[i];
            size_t length = strcspn(first, "=");
            if (strncmp(first, second, length) == 0 && strcspn(second, "=") == length)
                argp_error(state,
                           "'%.*s' is set twice, by %s and %s; several values have commas between them: --set %s,%s",
                           (int)length, first, first, second, first, second + length + (second[length] == '='));
        }
}

/* Options that contradict each other. */
static void check_options(struct options *options, struct argp_state *state)
{
    if (options->calibrate != NULL) {
        check_calibration(options, state);
        return;
    }
    if (options->n_queries > 0) {
        check_forecast(options, state);
        return;
    }
    if (options->store != NULL && *options->store == '\0')
        argp_error(state, "--store needs the name of a file");
    if (options->runs || options->compare != NULL) {
        check_stored(options, state);
        return;
    }
    if (options->store != NULL && (options->check || options->list || options->write_platform != NULL))
        argp_error(state, "--check, --list and --write-platform simulate nothing that --store could keep");
    if (options->list && (options->output != NULL || options->format != report_specs[0]))
        argp_error(state, "--list writes text to standard output; --format and --output do not go with it");
    check_settings(options, state);
    if (options->baseline != NULL && options->sequential_ps >= 0)
        argp_error(state, "--baseline and --sequential-time both say what T_seq is");
    if (options->n_files > 1 && !options->list && (options->baseline != NULL || options->sequential_ps >= 0))
        argp_error(state, "--baseline and --sequential-time go with one file");
    if (options->model != NULL || options->over != NULL || options->at != NULL)
        check_model(options, state);
    if (options->quiet && options->verbose)
        argp_error(state, "--quiet and --verbose contradict each other");
    check_what_if(options, state);
    if (options->list && (options->baseline != NULL || options->sequential_ps >= 0))
        argp_error(state, "--list analyses nothing that --baseline or --sequential-time could be for");
    if (options->check && (options->trace != NULL || options->output != NULL))
        argp_error(state, "--check simulates nothing, so there is nothing to write to %s",
                   options->trace != NULL ? options->trace : options->output);
    if (options->write_platform != NULL && (options->trace != NULL || options->output != NULL))
        argp_error(state, "--write-platform simulates nothing, so there is nothing to write to %s",
                   options->trace != NULL ? options->trace : options->output);
    if ((options->output != NULL && *options->output == '\0') || (options->trace != NULL && *options->trace == '\0'))
        argp_error(state, "--output and --trace need the name of a file");
    if (!options->list && options->n_files == 0)
        argp_error(state, "no scenario given; try simrun scenarios/gj256.xml");
    if (options->n_files > 1 && !options->list &&
        (options->output != NULL || options->trace != NULL || options->write_platform != NULL ||
         options->format != report_specs[0]))
        argp_error(state,
                   "several scenarios go with neither --output, --trace, --write-platform nor --format: one at a time");
}

static bool is_stdout(const char *file)
{
    return file != NULL && strcmp(file, "-") == 0;
}

/* "-" is standard output, where results can go, and nothing else. */
static void take_stdout(struct options *options, struct argp_state *state)
{
    if (is_stdout(options->trace))
        argp_error(state, "--trace writes to a file, whose ending says the format (see --list formats); standard "
                          "output, -, has none");
    const char *const files[][2] = {{"--calibrate", options->calibrate},
                                    {"--write-platform", options->write_platform},
                                    {"--store", options->store}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (is_stdout(files[i][1]))
            argp_error(state, "%s writes to a file, not to standard output, -", files[i][0]);
    if (is_stdout(options->output))
        options->output = NULL;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    if (key != ARGP_KEY_END)
        return parse_option(key, argument, state);
    take_stdout(state->input, state);
    check_options(state->input, state);
    return 0;
}

/* --- what argp and getopt say --- */

/* Both print, and argp ends the program. What they print is kept until then, and becomes one message. */
static struct {
    FILE *stream; /* in place of stderr; NULL: they have nothing more to say */
    char *text;
    size_t size;
} complaint;

static const char *name_of_option(const void *rows, int i)
{
    return ((const struct argp_option *)rows)[i].name;
}

/* The option that is nearest to the one that getopt does not know; NULL if none is, or that is not what it says. */
static const char *meant_option(const char *text)
{
    static const char unknown[] = "unrecognized option '--";
    const char *word = strstr(text, unknown);
    if (word == NULL)
        return NULL;
    word += sizeof unknown - 1;
    char *name = xformat("%.*s", (int)strcspn(word, "='"), word);
    const char *meant = known_find_meant(name, name_of_option, option_rows);
    free(name);
    return meant;
}

static void print_complaint(void)
{
    static const char hint[] = "\nTry `";
    char *end = NULL;
    if (complaint.stream == NULL || fflush(complaint.stream) != 0 || complaint.size == 0)
        return;
    for (char *at = complaint.text; (at = strstr(at, hint)) != NULL; at++) /* the last one is argp's */
        end = at;
    if (end == NULL)
        end = complaint.text + strcspn(complaint.text, "\n");
    *end = '\0';
    const char *meant = meant_option(complaint.text);
    char *line = meant != NULL ? xformat("%s; did you mean '--%s'?", complaint.text, meant) : xstrdup(complaint.text);
    message_print_line(line);
    free(line);
}

/* The C library documents that stderr may be set. */
static FILE *listen_to_complaints(void)
{
    FILE *former = stderr;
    complaint.stream = open_memstream(&complaint.text, &complaint.size);
    if (complaint.stream != NULL && atexit(print_complaint) == 0)
        stderr = complaint.stream;
    return former;
}

static void end_complaints(FILE *former)
{
    stderr = former;
    if (complaint.stream != NULL)
        fclose(complaint.stream);
    complaint.stream = NULL;
    free(complaint.text);
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {
        .options = option_rows,
        .parser = parse,
        .args_doc = "FILE...\n--model MEASURES [--over NAMES] [--at VALUES] FILE\n"
                    "--what-if[=CAUSES] FILE\n--write-platform OUT.xml FILE\n--list [KIND...]\n--store FILE --runs "
                    "[CONDITION...]\n--store FILE --compare RUN,RUN\n--forecast QUERY [--at TIME] "
                    "PLATFORM.xml\n--calibrate OUT.xml",
        .doc =
            "Simulate a parallel program on a parallel machine, account for every moment of every processor, and say "
            "where the time went.\v"
            "FILE is a scenario (.xml) to simulate, or the trace of a run (see --list formats) to analyse. Results go "
            "to standard output, everything else to standard error. The manual, simrun(1), names the documents.\n"
            "Exit status: 0 done; 1 the simulation could not finish, or no candidate is left; 2 bad usage or bad "
            "input.",
    };
    argp_program_version = "simrun " SIMRUN_VERSION;
    argp_err_exit_status = 2;
    *options = (struct options){.jobs = 1, .at_ps = -1, .sequential_ps = -1, .format = report_specs[0]};
    static char name[] = "simrun"; /* not the path that it was called by, in what getopt says */
    argv[0] = name;
    FILE *former = listen_to_complaints();
    argp_parse(&argp, argc, argv, 0, NULL, options);
    end_complaints(former);
}

void options_dispose(struct options *options)
{
    for (int i = 0; i < options->n_settings; i++)
        free(options->settings[i]);
    free(options->settings);
    free(options->queries);
}
