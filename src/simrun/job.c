/* Loads a scenario for a command and checks its runs; gives each of several files a process. */
#include "simrun/job.h"

#include "apps/replay/list.h"
#include "base/message.h"
#include "base/range.h"
#include "core/what_if/what_if.h"
#include "experiment/sweep.h"
#include "os/child.h"
#include "simrun/analyse.h"
#include "simrun/inputs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- a scenario --- */

static int load(struct scenario *scenario, const char *file, const struct options *options, struct sim_error *error)
{
    if (analyse_is_trace(file))
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is a trace; this needs a scenario, which may replay it");
    if (inputs_check_scenario(file, error) != 0 || scenario_load_file(scenario, file, app_specs, error) != 0)
        return -1;
    for (int i = 0; i < options->n_settings; i++)
        if (scenario_set(scenario, options->settings[i], error) != 0)
            return -1;
    return 0;
}

int job_load(struct job *job, const char *name, const struct options *options, struct sim_error *error)
{
    *job = (struct job){0};
    char *file = inputs_find_scenario(name, error);
    int status = file != NULL ? load(&job->scenario, file, options, error) : -1;
    free(file);
    return status;
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

int job_prepare(struct job *job, int64_t sequential_ps, const struct options *options, struct sim_error *error)
{
    struct machine *machine = NULL;
    uint32_t causes;
    double messages = 0;
    if (find_causes(&causes, &job->scenario, options, error) != 0)
        return -1;
    bool one = job->scenario.n_platforms == 1; /* of several, each is loaded in processes of its own */
    if (one && machines_open(&job->machines, &machine, &job->scenario, error) != 0)
        return -1;
    job->context = (struct run_context){.scenario = &job->scenario,
                                        .machine = machine,
                                        .machines = job->machines,
                                        .sequential = sequential_times_new(),
                                        .sequential_ps = sequential_ps,
                                        .what_if = causes,
                                        .details = options->details,
                                        .draws = options->format->shows_drawings};
    int status = sweep_check(&job->context, &job->n_discarded, &messages, error);
    job->context.messages = options->quiet ? 0 : messages;
    return status;
}

void job_close(struct job *job)
{
    keep_close(job->context.keep);
    if (job->context.sequential != NULL)
        sequential_times_free(job->context.sequential);
    machines_close(job->machines);
    scenario_dispose(&job->scenario);
}

/* --- several files --- */

typedef int run_file(const char *file, const struct options *options, struct sim_error *error);

/* In the child: the status that it ends with. */
static int run_alone(run_file *run, const char *file, const struct options *options)
{
    struct sim_error error = {0};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int status = run(file, options, &error) == 0 ? SIM_DONE : (int)error.status;
    if (status != SIM_DONE)
        message_print("%s", error.message);
    fflush(NULL);
    return status;
}

/* The status of the file's process, once it has ended. */
static int run_in_child(run_file *run, const char *file, const struct options *options)
{
    int status = 0;
    char end[CHILD_END];
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(run_alone(run, file, options));
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        message_print("%s: no process for it: %s", file, strerror(errno));
        return SIM_UNFINISHED;
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    child_describe(end, status);
    message_print("%s: was %s before it was done", file, end);
    return SIM_UNFINISHED;
}

int job_run_each(run_file *run, const struct options *options, struct sim_error *error)
{
    int worst = SIM_DONE;
    if (options->n_files == 1)
        return run(options->files[0], options, error);
    for (int i = 0; i < options->n_files; i++)
        if (analyse_is_trace(options->files[i]))
            return sim_error_set(error, SIM_BAD_INPUT, options->files[i], 0, "a trace goes alone, one at a time");
    for (int i = 0; i < options->n_files; i++) {
        if (i > 0)
            putchar('\n');
        worst = int_max(worst, run_in_child(run, options->files[i], options));
    }
    *error = (struct sim_error){.status = (enum sim_status)worst};
    return worst == SIM_DONE ? 0 : -1;
}
