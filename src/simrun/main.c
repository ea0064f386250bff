/* simrun: scenario or trace in, explained result out. Everything here wires the other folders together. */
#include "apps/list.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/message.h"
#include "experiment/run.h"
#include "experiment/sweep.h"
#include "experiment/what_if.h"
#include "os/child.h"
#include "os/output.h"
#include "sim/machine/machine.h"
#include "sim/scenario/scenario.h"
#include "simrun/analyse.h"
#include "simrun/answer.h"
#include "simrun/forecast.h"
#include "simrun/inputs.h"
#include "simrun/list.h"
#include "simrun/model.h"
#include "simrun/options.h"
#include "simrun/store.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The status to end with. */
static int fail(const struct sim_error *error)
{
    message_print("%s", error->message);
    return (int)error->status;
}

static int load_scenario(struct scenario *scenario, const char *file, const struct options *options,
                         struct sim_error *error)
{
    if (scenario_load_file(scenario, file, app_specs, error) != 0)
        return -1;
    for (int i = 0; i < options->n_settings; i++)
        if (scenario_set(scenario, options->settings[i], error) != 0)
            return -1;
    long long n_runs = scenario_run_count(scenario) * scenario->n_platforms;
    if (options->trace != NULL && n_runs > 1)
        return sim_error_set(
            error, SIM_BAD_INPUT, file, 0,
            "--trace writes one run, and this scenario has %lld; pick one with --set, e.g. --set ranks=%lld", n_runs,
            (long long)scenario->params[COMMON_RANKS].values[0]);
    return 0;
}

static void print_cost(const struct study *study)
{
    double wall_s = 0;
    long long events = 0, peak_bytes = 0;
    for (int i = 0; i < study->n_runs; i++) {
        wall_s += study->runs[i].wall_s;
        events += study->runs[i].events;
        peak_bytes = study->runs[i].peak_rss_bytes > peak_bytes ? study->runs[i].peak_rss_bytes : peak_bytes;
    }
    message_print("%d runs in %.3f s, %lld events, %.1f MB at most", study->n_runs, wall_s, events,
                  (double)peak_bytes / 1e6);
}

/* A decision of which no candidate is left has been reported, but decides nothing. */
static int check_decided(const struct study *study, const char *file, struct sim_error *error)
{
    int n_discarded = 0;
    for (int i = 0; i < study->n_runs; i++)
        n_discarded += study->runs[i].discarded[0] != '\0';
    if (study->decision == M_NONE || n_discarded < study->n_runs)
        return 0;
    return sim_error_set(error, SIM_UNFINISHED, file, 0, "no decision: all %d candidates are discarded", study->n_runs);
}

/* Simulate all runs, then print the answer; the output is opened first, so that nothing is simulated in vain. */
static int simulate_and_report(const struct run_context *context, const struct options *options,
                               struct sim_error *error)
{
    struct output output;
    struct study study = {.verbose = options->verbose};
    if (output_open(&output, options->output, error) != 0)
        return -1;
    int status = sweep_simulate(&study, context, options->jobs, !options->quiet && isatty(STDERR_FILENO), error);
    if (status == 0)
        status = model_fit(&study, context->scenario, options, error);
    if (status == 0) {
        answer_runs(output.stream, options->format, &study);
        if (options->verbose)
            print_cost(&study);
        if (study.n_stored > 0 && (options->verbose || !options->quiet))
            message_print("%d of %d runs from the store %s", study.n_stored, study.n_runs, keep_file(context->keep));
        status = output_close(&output, error);
        if (status == 0)
            status = check_decided(&study, context->scenario->file, error);
    } else {
        output_abandon(&output);
    }
    model_dispose(&study);
    sweep_dispose(&study);
    return status;
}

static int run_traced(struct run_context *context, const struct options *options, struct sim_error *error)
{
    struct trace trace;
    if (options->trace == NULL)
        return simulate_and_report(context, options, error);
    if (trace_open(&trace, options->trace, error) != 0)
        return -1;
    context->trace = &trace;
    int status = simulate_and_report(context, options, error);
    if (status != 0)
        trace_abandon(&trace);
    else
        status = trace_close(&trace, error);
    return status;
}

/* Of what can run on one rank T_seq is simulated; of a replay it is what the options say. */
static int check_sequential(const struct scenario *scenario, const struct options *options, struct sim_error *error)
{
    if ((options->sequential_ps < 0 && options->baseline == NULL) || scenario->app->parallel_only)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0,
                         "%s is for traces and their replay; T_seq of '%s' is simulated",
                         options->baseline != NULL ? "--baseline" : "--sequential-time", scenario->app->name);
}

static void print_checked(const struct scenario *scenario, int n_discarded)
{
    long long n_runs = scenario_run_count(scenario) * scenario->n_platforms;
    char *name = message_clean(scenario->file);
    printf("%s: ok, %lld run%s", name, n_runs, n_runs == 1 ? "" : "s");
    free(name);
    if (n_discarded > 0)
        printf(", %d of them discarded", n_discarded);
    putchar('\n');
}

/* The causes whose gains are asked for: by the command line, else by the scenario. */
static int find_causes(uint32_t *causes, const struct scenario *scenario, const struct options *options,
                       struct sim_error *error)
{
    char why[320];
    *causes = options->what_if;
    if (!scenario->asks_what_if || *causes != 0)
        return 0;
    if (what_if_parse(causes, scenario->causes, why, sizeof why) == 0)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, scenario->file, scenario->causes_line, "<what-if> causes: %s", why);
}

static int run_scenario(const struct scenario *scenario, const struct options *options, struct sim_error *error)
{
    struct machine *machine = NULL;
    struct machines *machines = NULL;
    uint32_t causes;
    int64_t sequential_ps;
    if (find_causes(&causes, scenario, options, error) != 0)
        return -1;
    if (check_sequential(scenario, options, error) != 0 || model_check(scenario, options, error) != 0 ||
        analyse_sequential(&sequential_ps, options, error) != 0)
        return -1;
    bool one = scenario->n_platforms == 1; /* of several, each is loaded in processes of its own */
    if (!one && options->write_platform != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0,
                             "--write-platform writes one machine, and the scenario has several platforms");
    if (one && machines_open(&machines, &machine, scenario, error) != 0)
        return -1;
    struct run_context context = {.scenario = scenario,
                                  .machine = machine,
                                  .machines = machines,
                                  .sequential = sequential_times_new(),
                                  .sequential_ps = sequential_ps,
                                  .what_if = causes};
    int n_discarded = 0;
    double messages;
    int status = sweep_check(&context, &n_discarded, &messages,
                             error); /* the last run's fault is better found before the first */
    context.messages = options->quiet ? 0 : messages;
    if (status == 0 && options->write_platform != NULL)
        status = machines_write(machines, scenario, options->write_platform, error);
    if (status == 0 && options->check)
        print_checked(scenario, n_discarded);
    else if (status == 0 && options->store != NULL && options->write_platform == NULL)
        status = keep_open(&context.keep, options->store, scenario, sequential_ps, error);
    if (status == 0 && !options->check && options->write_platform == NULL)
        status = run_traced(&context, options, error);
    keep_close(context.keep);
    sequential_times_free(context.sequential);
    machines_close(machines);
    return status;
}

static int simulate_file(const char *file, const struct options *options, struct sim_error *error)
{
    struct scenario scenario = {0};
    int status = inputs_check_scenario(file, error);
    if (status == 0)
        status = load_scenario(&scenario, file, options, error);
    if (status == 0)
        status = run_scenario(&scenario, options, error);
    scenario_dispose(&scenario);
    return status;
}

static int run_file(const char *file, const struct options *options)
{
    struct sim_error error = {0};
    int status = analyse_is_trace(file) ? analyse_file(file, options, &error) : simulate_file(file, options, &error);
    return status == 0 ? SIM_DONE : fail(&error);
}

/* SimGrid keeps one platform for the life of a process, so each of several scenarios gets a process of its own. */
static int run_files(const struct options *options)
{
    int worst = SIM_DONE;
    if (options->n_files == 1)
        return run_file(options->files[0], options);
    for (int i = 0; i < options->n_files; i++)
        if (analyse_is_trace(options->files[i])) {
            message_print("%s: a trace goes alone, one at a time", options->files[i]);
            return SIM_BAD_INPUT;
        }
    for (int i = 0; i < options->n_files; i++) {
        if (i > 0)
            putchar('\n');
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM);
            int status = run_file(options->files[i], options);
            fflush(NULL);
            _exit(status);
        }
        int status = 0;
        char end[CHILD_END];
        if (child < 0 || waitpid(child, &status, 0) < 0) {
            message_print("%s: no process for it: %s", options->files[i], strerror(errno));
            worst = worst == SIM_DONE ? SIM_UNFINISHED : worst;
        } else if (!WIFEXITED(status)) {
            child_describe(end, status);
            message_print("%s: was %s before it was done", options->files[i], end);
            worst = worst == SIM_DONE ? SIM_UNFINISHED : worst;
        } else if (WEXITSTATUS(status) > worst)
            worst = WEXITSTATUS(status);
    }
    return worst;
}

/* A file opened later must not take the place of a standard stream that the caller has closed. */
static void open_standard_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

/* ---- Calibration, by a program of its own: it needs libraries that simulating does not ---- */

/* The file beside this program that measures. The caller frees it. */
static char *calibrator_path(void)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(program, '/');
    return xformat("%.*ssimrun-calibrate", slash == NULL ? 0 : (int)(slash + 1 - program), program);
}

/* Become mpirun; return only if that fails. Root has to say that it means it. */
static void exec_mpirun(char *calibrator, bool progress, const char *file)
{
    const char *arguments[16] = {"mpirun", "-np", "2", "--oversubscribe", "--bind-to", "none"};
    int n = 6;
    if (geteuid() == 0)
        arguments[n++] = "--allow-run-as-root";
    arguments[n++] = calibrator;
    if (progress)
        arguments[n++] = "--progress";
    arguments[n] = file;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execvp(arguments[0], (char *const *)arguments);
}

/* Whether the file can be written is found before anything is measured. */
static int run_calibration(const struct options *options)
{
    struct sim_error error = {0};
    struct output output;
    char *calibrator = calibrator_path();
    if (access(calibrator, X_OK) != 0)
        sim_error_set(&error, SIM_BAD_INPUT, NULL, 0,
                      "--calibrate needs %s, which is not there: install libopenmpi-dev openmpi-bin libopenblas-dev "
                      "(in a checkout: tools/install-packages calibrate), then configure and build again",
                      calibrator);
    else if (output_open(&output, options->calibrate, &error) == 0) {
        output_abandon(&output);
        exec_mpirun(calibrator, !options->quiet && isatty(STDERR_FILENO), options->calibrate);
        sim_error_set(&error, SIM_BAD_INPUT, NULL, 0,
                      "--calibrate runs mpirun, which cannot be started (%s): install openmpi-bin", strerror(errno));
    }
    free(calibrator);
    return fail(&error);
}

static int run_command(const struct options *options)
{
    struct sim_error error = {0};
    int status;
    if (inputs_claim_outputs(options, &error) != 0)
        return fail(&error);
    if (options->calibrate != NULL)
        return run_calibration(options);
    if (options->n_queries > 0)
        status = query_run(options, &error);
    else if (options->runs || options->compare != NULL)
        status = stored_answer(options, &error);
    else if (options->list)
        status = list_print(options->files, options->n_files, &error);
    else
        return run_files(options);
    return status == 0 ? SIM_DONE : fail(&error);
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "C"); /* numbers have a point, whatever a preloaded library has set */
    open_standard_streams();
    struct options options;
    options_parse(&options, argc, argv);
    int status = run_command(&options);
    options_dispose(&options);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (status == SIM_DONE) /* otherwise it has been said */
            message_print("standard output could not be written");
        return status == SIM_DONE ? SIM_UNFINISHED : status;
    }
    return status;
}
