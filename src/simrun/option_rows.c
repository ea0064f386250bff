/* The table of all options, and the functions that take their arguments.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/option_rows.h"

#include "base/debug.h"
#include "base/known.h"
#include "base/memory.h"
#include "base/units.h"
#include "core/what_if/what_if.h"
#include "figure/figure.h"
#include "metrics/detail.h"
#include "os/file_kind.h"
#include "simrun/program.h"
#include "trace/formats.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOBS = 256 };

/* --- values --- */

static int add_setting(struct options *options, char *setting)
{
    options->settings = xrealloc(options->settings, (size_t)(options->n_settings + 1) * sizeof *options->settings);
    options->settings[options->n_settings++] = setting;
    return 0;
}

static int take_set(struct options *options, const char *text, struct sim_error *error)
{
    (void)error;
    return add_setting(options, xstrdup(text));
}

static int take_network(struct options *options, const char *text, struct sim_error *error)
{
    (void)error;
    return add_setting(options, xformat("--network=%s", text));
}

static int take_jobs(struct options *options, const char *text, struct sim_error *error)
{
    int64_t jobs = 0;
    char why[160];
    if (units_parse(&jobs, QUANTITY_COUNT, text, why, sizeof why) != 0)
        return option_fail(error, "--jobs: %s", why);
    if (jobs < 1 || jobs > MAX_JOBS)
        return option_fail(error, "--jobs: '%s' is outside 1 ... %d", text, MAX_JOBS);
    options->jobs = (int)jobs;
    return 0;
}

static int take_ranks(struct options *options, const char *text, struct sim_error *error)
{
    enum { MOST = 1 << 20 };
    int64_t ranks = 0;
    char why[160];
    if (units_parse(&ranks, QUANTITY_COUNT, text, why, sizeof why) != 0)
        return option_fail(error, "--ranks: %s", why);
    if (ranks < 1 || ranks > MOST)
        return option_fail(error, "--ranks: '%s' is outside 1 ... %d", text, MOST);
    options->n_ranks = (int)ranks;
    return 0;
}

static int take_machine_count(int *count, const char *option, const char *text, struct sim_error *error)
{
    enum { MOST = 1 << 20 };
    int64_t value = 0;
    char why[160];
    if (units_parse(&value, QUANTITY_COUNT, text, why, sizeof why) != 0)
        return option_fail(error, "--%s: %s", option, why);
    if (value < 1 || value > MOST)
        return option_fail(error, "--%s: '%s' is outside 1 ... %d", option, text, MOST);
    *count = (int)value;
    return 0;
}

static int take_hosts(struct options *options, const char *text, struct sim_error *error)
{
    return take_machine_count(&options->n_hosts, "hosts", text, error);
}

static int take_cores(struct options *options, const char *text, struct sim_error *error)
{
    return take_machine_count(&options->n_cores, "cores", text, error);
}

static int take_eager_limit(struct options *options, const char *text, struct sim_error *error)
{
    char why[160];
    if (units_parse(&options->eager_limit, QUANTITY_SIZE, text, why, sizeof why) != 0)
        return option_fail(error, "--eager-limit: %s", why);
    if (options->eager_limit > INT64_C(1) << 30)
        return option_fail(error, "--eager-limit: '%s' is outside 0B ... 1GiB", text);
    return 0;
}

/* I/N. A sweep has no more runs than there may be shards, so that each may have one of its own. */
static int take_shard(struct options *options, const char *text, struct sim_error *error)
{
    enum { MOST = 100000 };
    long long parts[2] = {0, 0};
    int end = -1;
    bool whole = strspn(text, "0123456789/") == strlen(text) &&
                 sscanf(text, "%9lld/%9lld%n", &parts[0], &parts[1], &end) == 2 && text[end] == '\0';
    if (!whole)
        return option_fail(error, "--shard: '%s' is not I/N, such as 3/16", text);
    if (parts[1] < 1 || parts[1] > MOST)
        return option_fail(error, "--shard: %lld shards are outside 1 ... %d", parts[1], MOST);
    if (parts[0] < 1 || parts[0] > parts[1])
        return option_fail(error, "--shard: of %lld shards there is no %lld: they are 1 ... %lld", parts[1], parts[0],
                           parts[1]);
    options->shard = (int)parts[0];
    options->n_shards = (int)parts[1];
    return 0;
}

/* "85" and "85mm". */
static int take_width(struct options *options, const char *text, struct sim_error *error)
{
    char *end;
    double width_mm = strtod(text, &end);
    if (end == text || (*end != '\0' && strcmp(end, "mm") != 0))
        return option_fail(error, "--width: '%s' is no width, such as 85mm", text);
    if (!(width_mm >= FIGURE_LEAST_MM && width_mm <= FIGURE_MOST_MM))
        return option_fail(error, "--width: '%s' is outside %d ... %d mm", text, FIGURE_LEAST_MM, FIGURE_MOST_MM);
    options->width_mm = width_mm;
    return 0;
}

static int take_until(struct options *options, const char *text, struct sim_error *error)
{
    static const double least = 0.1, most = 100;
    char *end;
    double percent = strtod(text, &end);
    if (end == text || (*end == '%' ? end[1] : *end) != '\0')
        return option_fail(error, "--until: '%s' is no percentage, such as 5%%", text);
    if (!(percent >= least && percent <= most))
        return option_fail(error, "--until: '%s' is outside %g ... %g %%", text, least, most);
    options->until = percent / 100;
    return 0;
}

static int take_at(struct options *options, const char *text, struct sim_error *error)
{
    char why[160];
    if (units_parse(&options->at_ps, QUANTITY_TIME, text, why, sizeof why) != 0)
        return option_fail(error, "--at: %s", why);
    return 0;
}

/* Take --baseline: an argument that begins with a digit and is neither a trace nor the name of another file is a
 * time. */
static int take_baseline(struct options *options, const char *text, struct sim_error *error)
{
    char why[160];
    options->baseline = NULL;
    options->sequential_ps = -1;
    if (!isdigit((unsigned char)text[0]) || record_format_of(text) != NULL) {
        options->baseline = text;
        return 0;
    }
    if (units_parse(&options->sequential_ps, QUANTITY_TIME, text, why, sizeof why) != 0) {
        options->baseline = file_kind_of(text)->is != FILE_ABSENT ? text : NULL;
        return options->baseline != NULL ? 0 : option_fail(error, "--baseline: %s", why);
    }
    if (options->sequential_ps < 1 || options->sequential_ps > PS_MAX)
        return option_fail(error, "--baseline: '%s' is outside 1ps ... %llds", text, (long long)(PS_MAX / PS_PER_S));
    return 0;
}

static int take_what_if(struct options *options, const char *text, struct sim_error *error)
{
    uint32_t causes = 0;
    char why[320];
    if (text != NULL && *text == '\0')
        return option_fail(error,
                           "--what-if= names no cause; give names of simrun list causes, or leave out = for all");
    if (what_if_parse(&causes, text, why, sizeof why) != 0)
        return option_fail(error, "--what-if: %s", why);
    options->what_if |= causes;
    return 0;
}

static int take_iterations(struct options *options, const char *text, struct sim_error *error)
{
    if (text != NULL && *text == '\0')
        return option_fail(error, "--iterations= names nothing; give a scope or a function, or leave out =");
    options->iterations = text != NULL ? text : "";
    return 0;
}

static int take_detail(struct options *options, const char *text, struct sim_error *error)
{
    uint32_t details = 0;
    char why[240];
    if (detail_parse(&details, text, why, sizeof why) != 0)
        return option_fail(error, "--detail: %s", why);
    options->details |= details;
    return 0;
}

static const char *format_name_at(const void *table, int i)
{
    (void)table;
    return report_specs[i] != NULL ? report_specs[i]->name : NULL;
}

static int take_format(struct options *options, const char *text, struct sim_error *error)
{
    char known[160];
    const struct report_spec *format = report_find(text);
    if (format == NULL) {
        known_format(known, sizeof known, text, format_name_at, NULL);
        return option_fail(error, "--format: unknown format '%.80s'%s", text, known);
    }
    const char *lack = format->find_lack != NULL ? format->find_lack() : NULL;
    if (lack != NULL)
        return option_fail(error, "--format %s: %s", text, lack);
    options->format = format;
    return 0;
}

static int take_fail_if(struct options *options, const char *text, struct sim_error *error)
{
    (void)error;
    options->conditions =
        xrealloc((void *)options->conditions, (size_t)(options->n_conditions + 1) * sizeof *options->conditions);
    options->conditions[options->n_conditions++] = text;
    return 0;
}

static int take_debug(struct options *options, const char *text, struct sim_error *error)
{
    (void)options;
    return program_debug("--debug", text, error);
}

/* --- the table --- */

const char *const option_group_names[N_OPTION_GROUPS] = {"Runs", "Questions", "Output"};

#define TAKES(function) TAKEN, 0, function, LIBRARY_NONE
#define KEEPS_BY(library, kind, member) kind, offsetof(struct options, member), NULL, library
#define KEEPS(kind, member) KEEPS_BY(LIBRARY_NONE, kind, member)

/* clang-format off */
const struct option_row option_rows[N_OPTIONS] = {
    [OPTION_PLATFORM] = {"platform", 'p', "FILE,...", 0, RUNS, KEEPS(TEXT, platform),
                         "the platform, a file or a name; replays traces"},
    [OPTION_SET] = {"set", 's', "NAME=VALUE,...", 0, RUNS, TAKES(take_set),
                    "a parameter; several values or 1..128*2: a sweep"},
    [OPTION_PLACEMENT] = {"placement", 0, "FILE|HOSTS", 0, RUNS, KEEPS(TEXT, placement),
                          "hosts of ranks: a hostfile, a rankfile, n[0-3]"},
    [OPTION_NETWORK] = {"network", 'n', "NAME", 0, RUNS, TAKES(take_network),
                        "the network model; see simrun list networks"},
    [OPTION_RANKS] = {"ranks", 'n', "N", 0, RUNS, TAKES(take_ranks), "number of ranks; default: 2"},
    [OPTION_PATHS] = {"paths", 0, NULL, 0, RUNS, KEEPS(FLAG, paths), "record call paths, too"},
    [OPTION_JOBS] = {"jobs", 'j', "N", 0, RUNS, TAKES(take_jobs), "simulate N runs of a sweep in parallel"},
    [OPTION_SHARD] = {"shard", 0, "I/N", 0, RUNS, TAKES(take_shard), "simulate every N-th run, starting with the I-th"},
    [OPTION_STORE] = {"store", 0, "FILE", 0, RUNS, KEEPS_BY(LIBRARY_SQLITE, A_FILE, store),
                      "keep runs in FILE, and reuse those already there"},
    [OPTION_WHAT_IF] = {"what-if", 0, "CAUSE,...", MAY_LACK_ARGUMENT, QUESTIONS, TAKES(take_what_if),
                        "the gain without each of these causes, or of all"},
    [OPTION_DETAIL] = {"detail", 0, "DETAIL,...", 0, QUESTIONS, TAKES(take_detail),
                       "record details of a run; see simrun list details"},
    [OPTION_BASELINE] = {"baseline", 0, "TRACE|TIME", ALONE, QUESTIONS, TAKES(take_baseline),
                         "sequential time of a traced program (T_seq)"},
    [OPTION_OVER] = {"over", 0, "NAME,...", 0, QUESTIONS, KEEPS(TEXT, over),
                     "parameters of models; default: those that vary"},
    [OPTION_PREDICT] = {"predict", 0, "VALUE,...", 0, QUESTIONS, KEEPS(TEXT, predict),
                        "points to predict; VALUE:VALUE for two parameters"},
    [OPTION_UNTIL] = {"until", 0, "PERCENT", 0, QUESTIONS, TAKES(take_until),
                      "simulate further sizes until bands are narrow"},
    [OPTION_AT] = {"at", 0, "TIME", 0, QUESTIONS, TAKES(take_at), "time of the forecast, such as 600s; default: 0s"},
    [OPTION_FORMAT] = {"format", 'f', "FORMAT", ALONE, OUTPUT, TAKES(take_format),
                       "text by default; others: see simrun list formats"},
    [OPTION_LIVE] = {"live", 0, NULL, ALONE, OUTPUT, KEEPS(FLAG, live),
                     "with -f html: a page that can be questioned"},
    [OPTION_OUTPUT] = {"output", 'o', "FILE", ALONE, OUTPUT, KEEPS(RESULT, output),
                       "write to FILE instead of standard output (-)"},
    [OPTION_RECORD] = {"output", 'o', "FILE", ALONE, OUTPUT, KEEPS(RESULT, output),
                       "write to FILE instead of trace.otf2"},
    [OPTION_TRACE] = {"trace", 't', "FILE", ALONE, OUTPUT, KEEPS(A_FILE, trace),
                      "write a trace; its extension sets the format"},
    [OPTION_PART_FROM] = {"from", 0, "TIME|SCOPE:N", ALONE, QUESTIONS, KEEPS(TEXT, part.from),
                          "a part of a trace: its beginning"},
    [OPTION_PART_TO] = {"to", 0, "TIME|SCOPE:N", ALONE, QUESTIONS, KEEPS(TEXT, part.to),
                        "its end: a time, or that of SCOPE's N-th"},
    [OPTION_PART_RANKS] = {"ranks", 0, "LIST", ALONE, QUESTIONS, KEEPS(TEXT, part.ranks),
                           "its ranks, such as 0-3,8"},
    [OPTION_ITERATIONS] = {"iterations", 0, "NAME", ALONE | MAY_LACK_ARGUMENT, QUESTIONS, TAKES(take_iterations),
                           "times of a trace's iterations, and outliers"},
    [OPTION_SOURCE] = {"source", 0, "DIR,...", ALONE, QUESTIONS, KEEPS(TEXT, source),
                       "a traced program's source, line by line"},
    [OPTION_FROM] = {"from", 0, NULL, 0, RUNS, KEEPS(FLAG, from), "make the platform from tables of benchmarks"},
    [OPTION_TOPOLOGY] = {"topology", 0, "TEXT", 0, RUNS, KEEPS(TEXT, topology),
                         "its wires, such as 'fat_tree 18x44:1x9'"},
    [OPTION_HOSTS] = {"hosts", 0, "N", 0, RUNS, TAKES(take_hosts), "its hosts; default: those of the tables"},
    [OPTION_CORES] = {"cores", 0, "N", 0, RUNS, TAKES(take_cores), "cores of a host"},
    [OPTION_EAGER_LIMIT] = {"eager-limit", 0, "SIZE", 0, RUNS, TAKES(take_eager_limit),
                            "its eager limit; default: where times have a step"},
    [OPTION_WIDTH] = {"width", 0, "MM", 0, OUTPUT, TAKES(take_width), "the width of a figure, in mm; default: 85"},
    [OPTION_TEXT] = {"text", 0, NULL, 0, OUTPUT, KEEPS(FLAG, text), "write the machine as text for libsimrun"},
    [OPTION_SPEED] = {"speed", 0, NULL, 0, OUTPUT, KEEPS(FLAG, speed),
                      "print the speed of a processor, for --set speed="},
    [OPTION_SOLUTIONS] = {"solutions", 0, NULL, 0, OUTPUT, KEEPS(FLAG, solutions), "include the sheets of solutions"},
    [OPTION_ONLY] = {"only", 0, "LAB.NUMBER", 0, OUTPUT, KEEPS(TEXT, only),
                     "one experiment of a lab alone, such as 1.2"},
    [OPTION_SCHEMA] = {"schema", 0, NULL, 0, OUTPUT, KEEPS(FLAG, schema), "print the JSON Schema of --format json"},
    [OPTION_FAIL_IF] = {"fail-if", 0, "CONDITION", 0, QUESTIONS, TAKES(take_fail_if),
                        "end with status 3 if that changed: 'time_s > 5 %'"},
    [OPTION_JUNIT] = {"junit", 0, "FILE", 0, OUTPUT, KEEPS(A_FILE, junit), "write what --fail-if found as JUnit XML"},
    [OPTION_VERBOSE] = {"verbose", 'v', NULL, 0, OUTPUT, KEEPS(FLAG, verbose),
                        "the full report, and the cost of simulating"},
    [OPTION_QUIET] = {"quiet", 'q', NULL, 0, OUTPUT, KEEPS(FLAG, quiet),
                      "no progress or notes on standard error"},
    [OPTION_DEBUG] = {"debug", 0, "CATEGORY,...", 0, OUTPUT, TAKES(take_debug),
                      "log events to standard error, one per line"},
    [OPTION_HELP] = {"help", 'h', NULL, 0, OUTPUT, KEEPS(FLAG, help), "show this help"},
    [OPTION_VERSION] = {"version", 'V', NULL, 0, OUTPUT, KEEPS(FLAG, version), "show the version"},
};
/* clang-format on */

/* --- one option --- */

/* A name that would take the place of another would leave that file unwritten without a word. */
static int keep_text(const char **value, const struct option_row *row, const char *text, struct sim_error *error)
{
    if (*value != NULL)
        return option_fail(error, "--%s is given twice, with %s and %s; once is allowed", row->name, *value, text);
    if (row->kind != TEXT && *text == '\0')
        return option_fail(error, "--%s needs the name of a file", row->name);
    if (row->kind == A_FILE && strcmp(text, "-") == 0)
        return option_fail(error, "--%s writes to a file, not to standard output (-)", row->name);
    *value = text;
    return 0;
}

static int refuse_option(const struct option_row *row, struct sim_error *error)
{
    char *name = xformat("--%s", row->name);
    library_refuse(row->needs, name, error);
    free(name);
    return -1;
}

int option_take(struct options *options, enum option_id id, const char *text, struct sim_error *error)
{
    const struct option_row *row = &option_rows[id];
    char *member = (char *)options + row->offset;
    if (!library_is_there(row->needs))
        return refuse_option(row, error);
    options->given |= OPTION_BIT(id);
    if (row->kind == TAKEN)
        return row->take(options, text, error);
    if (row->kind != FLAG)
        return keep_text((const char **)(void *)member, row, text, error);
    *(bool *)member = true;
    return 0;
}
