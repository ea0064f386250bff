#include "simrun/sweep.h"

#include "base/memory.h"
#include "report/decision.h"
#include "report/reference.h"
#include "report/text_parts.h"
#include "sim/network.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether a value is the default and needs no mention: one that says nothing, an extra that is not asked for, or of a mesh
 * that the machine is not. */
static bool is_unused(const struct param_spec *spec, const struct report_parameter *parameter, bool mesh)
{
    bool of_mesh = spec == &common_params[COMMON_MESH] || spec == &common_params[COMMON_LAYOUT] ||
                   spec == &common_params[COMMON_ROOT];
    bool empty = strcmp(parameter->text, "auto") == 0 || strcmp(parameter->text, "0") == 0 ||
                 spec == &common_params[COMMON_RANKS_PER_HOST] || spec->choices == dsm_check_names;
    return spec->fallback != NULL && strcmp(parameter->text, spec->fallback) == 0 && (empty || (of_mesh && !mesh));
}

static void name_parameters(struct report_run *run, const struct scenario *scenario, bool mesh, const int64_t *values)
{
    run->n_parameters = scenario->n_params;
    run->parameters = xcalloc((size_t)scenario->n_params, sizeof *run->parameters);
    for (int i = 0; i < scenario->n_params; i++) {
        const struct param_spec *spec = scenario->params[i].spec;
        struct report_parameter *parameter = &run->parameters[i];
        parameter->name = spec->name;
        parameter->number = values[i];
        parameter->is_number = spec->type == PARAM_COUNT || spec->type == PARAM_SIZE;
        parameter->is_candidate = scenario->decision != NULL && scenario_is_candidate(spec);
        parameter->width = param_has_sides(spec) ? PARAM_MESH_WIDTH(values[i]) : 0;
        parameter->height = param_has_sides(spec) ? PARAM_MESH_HEIGHT(values[i]) : 0;
        param_format(parameter->text, sizeof parameter->text, spec, values[i]);
        parameter->is_problem = i >= N_COMMON_PARAMS && app_is_problem(scenario->app, spec->name);
        parameter->is_unused = is_unused(spec, parameter, mesh);
    }
}

static void show_progress(bool progress, int64_t done, int64_t total)
{
    if (progress)
        fprintf(stderr, "\r%lld of %lld runs", (long long)done, (long long)total);
    if (progress && done == total)
        fputs("\r\033[K", stderr);
}

/* Say in an error which of the runs it is about. */
static void name_run(struct sim_error *error, const struct scenario *scenario, const int64_t *values)
{
    size_t used = strlen(error->message);
    const char *before = " (run with";
    for (int i = 0; i < scenario->n_params; i++) {
        char value[128];
        if (scenario->params[i].n_values < 2)
            continue;
        param_format(value, sizeof value, scenario->params[i].spec, values[i]);
        snprintf(error->message + used, sizeof error->message - used, "%s %s=%s", before,
                 scenario->params[i].spec->name, value);
        used = strlen(error->message);
        before = "";
    }
    snprintf(error->message + used, sizeof error->message - used, ")");
}

static int simulate_run(struct report_run *run, const struct run_context *context, int64_t i, struct sim_error *error)
{
    int64_t *values = xmalloc((size_t)context->scenario->n_params * sizeof *values);
    scenario_run_values(context->scenario, i, values);
    int status = run_simulate(run, context, values, error);
    if (status != 0 && scenario_run_count(context->scenario) > 1)
        name_run(error, context->scenario, values);
    free(values);
    return status;
}

/* --- in child processes, which send their results through pipes --- */

/* Each child does every jobs-th run. Where a network has a clock of its own that goes on from run to run, each run has a
 * child to itself, so that it starts at 0 and its last digits do not depend on the runs before. */

struct worker {
    pid_t pid;
    FILE *results;
};

/* What a child sends ahead of the measures and the processes' states; the pointers hold in the parent as well, since
 * they point into what both had before the fork. */
struct parcel {
    int status;
    struct sim_error error;
    struct report_run run;
};

static void send_tables(FILE *pipe, const struct result *result)
{
    if (result->n_tables > 0)
        fwrite(result->tables, sizeof *result->tables, result->n_tables, pipe);
    for (size_t i = 0; i < result->n_tables; i++) {
        const struct result_table *table = &result->tables[i];
        if (table->n_rows > 0)
            fwrite(table->cells, sizeof *table->cells, table->n_rows * table->n_columns, pipe);
    }
}

static bool receive_tables(struct result *result, size_t n_tables, FILE *pipe)
{
    struct result_table *tables = xcalloc(n_tables, sizeof *tables);
    bool good = fread(tables, sizeof *tables, n_tables, pipe) == n_tables;
    result->tables = tables;
    for (size_t i = 0; good && i < n_tables; i++) {
        size_t n_cells = tables[i].n_rows * tables[i].n_columns;
        tables[i].capacity = tables[i].n_rows;
        tables[i].cells = xmalloc(n_cells * sizeof *tables[i].cells);
        result->n_tables = result->tables_capacity = i + 1;
        good = fread(tables[i].cells, sizeof *tables[i].cells, n_cells, pipe) == n_cells;
    }
    return good;
}

static void send_runs(FILE *pipe, const struct run_context *context, int first, int step)
{
    int64_t count = scenario_run_count(context->scenario);
    for (int64_t i = first; i < count; i += step) {
        struct parcel parcel;
        memset(&parcel, 0, sizeof parcel);
        parcel.status = simulate_run(&parcel.run, context, i, &parcel.error);
        struct result *result = &parcel.run.result;
        fwrite(&parcel, sizeof parcel, 1, pipe);
        if (parcel.status == 0 && result->n_measures > 0) { /* a run that is discarded has none */
            fwrite(result->measures, sizeof *result->measures, result->n_measures, pipe);
            fwrite(result->state_ps, sizeof *result->state_ps, (size_t)result->n_ranks, pipe);
            send_tables(pipe, result);
        }
        result_dispose(result);
        if (fflush(pipe) != 0)
            return;
    }
}

static int start_worker(struct worker *worker, const struct run_context *context, int first, int step,
                        struct sim_error *error)
{
    int ends[2];
    if (pipe(ends) != 0)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "cannot start a job: %s", strerror(errno));
    fflush(NULL);
    worker->pid = fork();
    if (worker->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* no job outlives the program */
        signal(SIGTERM, SIG_DFL);
        signal(SIGINT, SIG_DFL);
        close(ends[0]);
        send_runs(fdopen(ends[1], "w"), context, first, step);
        _exit(0);
    }
    close(ends[1]);
    worker->results = fdopen(ends[0], "r");
    if (worker->pid < 0 || worker->results == NULL)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "cannot start a job: %s", strerror(errno));
    return 0;
}

static int receive_run(struct report_run *run, FILE *pipe, struct sim_error *error)
{
    struct parcel parcel;
    if (fread(&parcel, sizeof parcel, 1, pipe) != 1)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "a job ended before its runs were done");
    if (parcel.status != 0) {
        *error = parcel.error;
        return -1;
    }
    struct report_parameter *parameters = run->parameters;
    int n_parameters = run->n_parameters;
    *run = parcel.run;
    run->parameters = parameters;
    run->n_parameters = n_parameters;
    struct result *result = &run->result;
    size_t n_tables = result->n_tables;
    result->tables = NULL;
    result->n_tables = 0;
    if (result->n_measures == 0)
        return 0;
    result->capacity = result->n_measures;
    result->measures = xmalloc(result->n_measures * sizeof *result->measures);
    result->state_ps = xmalloc((size_t)result->n_ranks * sizeof *result->state_ps);
    if (fread(result->measures, sizeof *result->measures, result->n_measures, pipe) != result->n_measures ||
        fread(result->state_ps, sizeof *result->state_ps, (size_t)result->n_ranks, pipe) != (size_t)result->n_ranks ||
        !receive_tables(result, n_tables, pipe))
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "a job ended before its runs were done");
    return 0;
}

static void stop_worker(struct worker *worker, bool early)
{
    if (worker->results != NULL)
        fclose(worker->results);
    if (early && worker->pid > 0)
        kill(worker->pid, SIGTERM);
    if (worker->pid > 0)
        waitpid(worker->pid, NULL, 0);
    *worker = (struct worker){0};
}

static int simulate_in_children(struct report *report, const struct run_context *context, int jobs, bool alone,
                                bool progress, struct sim_error *error)
{
    struct worker *workers = xcalloc((size_t)jobs, sizeof *workers);
    int status = 0, step = alone ? report->n_runs : jobs;
    for (int w = 0; status == 0 && w < jobs; w++)
        status = start_worker(&workers[w], context, w, step, error);
    for (int i = 0; status == 0 && i < report->n_runs; i++) {
        struct worker *worker = &workers[i % jobs];
        show_progress(progress, i, report->n_runs);
        status = receive_run(&report->runs[i], worker->results, error);
        if (status == 0 && alone && i + jobs < report->n_runs) {
            stop_worker(worker, false);
            status = start_worker(worker, context, i + jobs, step, error);
        }
    }
    for (int w = 0; w < jobs; w++)
        stop_worker(&workers[w], status != 0);
    free(workers);
    return status;
}

/* --- the sweep --- */

static int parse_parameter(const void *context, int parameter, const char *text, int64_t *value, char *why,
                           size_t why_size)
{
    const struct scenario *scenario = context;
    return param_parse(value, scenario->params[parameter].spec, text, why, why_size);
}

static int match_references(struct report *report, const struct scenario *scenario, struct sim_error *error)
{
    struct reference *reference = NULL;
    if (scenario->reference_file == NULL)
        return 0;
    const struct reference_parameters parameters = {report->runs[0].parameters, report->runs[0].n_parameters,
                                                    parse_parameter, scenario};
    if (reference_load(&reference, scenario->reference_file, &parameters, error) != 0)
        return -1;
    for (int i = 0; i < report->n_runs; i++)
        if (report->runs[i].discarded[0] == '\0')
            reference_match(reference, &report->runs[i]);
    reference_free(reference);
    return 0;
}

static void open_report(struct report *report, const struct run_context *context)
{
    const struct scenario *scenario = context->scenario;
    report->version = SIMRUN_VERSION;
    report->scenario = scenario->name;
    report->title = scenario_heading(scenario);
    report->decision = scenario->decision;
    report->n_runs = (int)scenario_run_count(scenario);
    report->runs = xcalloc((size_t)report->n_runs, sizeof *report->runs);
    int64_t *values = xmalloc((size_t)scenario->n_params * sizeof *values);
    for (int i = 0; i < report->n_runs; i++) {
        scenario_run_values(scenario, i, values);
        name_parameters(&report->runs[i], scenario, context->machine->mesh_width > 0, values);
    }
    free(values);
}

static bool any_needs_process(const struct run_context *context)
{
    bool any = false;
    int64_t *values = xmalloc((size_t)context->scenario->n_params * sizeof *values);
    for (int64_t i = 0; !any && i < scenario_run_count(context->scenario); i++) {
        scenario_run_values(context->scenario, i, values);
        any = run_needs_process(context, values);
    }
    free(values);
    return any;
}

/* The fastest of those runs that have the problem of the last one; NULL if none is left of them. */
static struct report_run *find_best(const struct report *report)
{
    struct report_run *best = NULL;
    const struct report_run *last = &report->runs[report->n_runs - 1];
    for (int i = 0; i < report->n_runs; i++) {
        struct report_run *run = &report->runs[i];
        if (run->discarded[0] == '\0' && text_compare_problems(run, last) == 0 &&
            (best == NULL || text_time(run) < text_time(best)))
            best = run;
    }
    return best;
}

/* Of a long sweep, only the best run is simulated again without what may be its causes. */
static int explain_best(struct report *report, const struct run_context *context, struct sim_error *error)
{
    struct report_run *best = find_best(report), again = {0};
    if (best == NULL)
        return 0;
    int status = simulate_run(&again, context, best - report->runs, error);
    again.parameters = best->parameters;
    again.n_parameters = best->n_parameters;
    result_dispose(&best->result);
    *best = again;
    return status;
}

int sweep_simulate(struct report *report, const struct run_context *context, int jobs, bool progress,
                   struct sim_error *error)
{
    enum { MOST_EXPLAINED = 8 };
    open_report(report, context);
    int status = 0;
    struct run_context all = *context;
    bool only_best = context->what_if != 0 && report->n_runs > MOST_EXPLAINED;
    if (only_best)
        all.what_if = 0;
    if (jobs > report->n_runs)
        jobs = report->n_runs;
    bool alone = report->n_runs > 1 && any_needs_process(context), children = jobs > 1 || alone;
    if (children)
        status = simulate_in_children(report, &all, jobs, alone, progress, error);
    for (int i = 0; !children && status == 0 && i < report->n_runs; i++) {
        show_progress(progress, i, report->n_runs);
        status = simulate_run(&report->runs[i], &all, i, error);
    }
    show_progress(progress, report->n_runs, report->n_runs);
    if (status == 0 && only_best)
        status = explain_best(report, context, error);
    if (status == 0)
        status = match_references(report, context->scenario, error);
    if (status == 0 && report->decision != NULL)
        decision_rank(report);
    return status;
}

int sweep_check(const struct run_context *context, int *n_discarded, struct sim_error *error)
{
    struct report report = {0};
    open_report(&report, context);
    int64_t *values = xmalloc((size_t)context->scenario->n_params * sizeof *values);
    int status = 0;
    *n_discarded = 0;
    for (int i = 0; status == 0 && i < report.n_runs; i++) {
        scenario_run_values(context->scenario, i, values);
        bool discarded = false;
        status = run_check(context, values, &discarded, error);
        *n_discarded += discarded;
    }
    free(values);
    for (int i = 0; i < report.n_runs; i++)
        result_add_ratio(&report.runs[i].result, "", "time_s", 1.0);
    if (status == 0)
        status = match_references(&report, context->scenario, error);
    sweep_dispose(&report);
    return status;
}

void sweep_dispose(struct report *report)
{
    for (int i = 0; i < report->n_runs; i++) {
        free(report->runs[i].parameters);
        result_dispose(&report->runs[i].result);
    }
    free(report->runs);
    free(report->title);
}
