/* simrun check FILE...: whether a scenario and its platform, or a trace, are in order; nothing is simulated. */
#include "base/message.h"
#include "simrun/analyse.h"
#include "simrun/command.h"
#include "simrun/job.h"

#include <stdlib.h>

static void print_checked(const struct job *job)
{
    long long n_runs = scenario_run_count(&job->scenario) * job->scenario.n_platforms;
    char *name = message_clean(job->scenario.file);
    printf("%s: ok, %lld run%s", name, n_runs, n_runs == 1 ? "" : "s");
    free(name);
    if (job->n_discarded > 0)
        printf(", %d of them discarded", job->n_discarded);
    putchar('\n');
}

static int check_scenario(const char *file, const struct options *options, struct sim_error *error)
{
    struct job job;
    int status = job_load(&job, file, options, error);
    if (status == 0)
        status = job_prepare(&job, -1, options, error);
    if (status == 0)
        print_checked(&job);
    job_close(&job);
    return status;
}

static int run_file(const char *file, const struct options *options, struct sim_error *error)
{
    return (analyse_is_trace(file) ? analyse_check : check_scenario)(file, options, error);
}

static int run(const struct options *options, struct sim_error *error)
{
    return job_run_each(run_file, options, error);
}

const struct command command_check = {
    .name = "check",
    .arguments = "FILE...",
    .summary = "check a scenario with its platform, or a trace",
    .about = "Nothing is simulated. Whether a replay comes to its end, only the replay says.\n",
    .example = "check gj-scaling",
    .options = OPTION_BIT(OPTION_SET) | OPTION_BIT(OPTION_NETWORK) | OPTION_BIT(OPTION_QUIET),
    .least = 1,
    .run = run,
};
