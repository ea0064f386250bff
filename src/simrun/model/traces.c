/* Models of a real program: of its traces, each on another number of ranks or of another size. */
#include "base/memory.h"
#include "base/sort.h"
#include "base/units.h"
#include "simrun/analyse.h"
#include "simrun/answer.h"
#include "simrun/model/model.h"
#include "study/models.h"
#include "study/runs.h"

#include <stdlib.h>
#include <string.h>

enum { FURTHER = 4, MOST_TRACES = 1000 }; /* FURTHER as in simrun/model/model.c */

struct modelling {
    const struct options *options;
    struct study study;
    struct models models;
    int over; /* which of the parameters */
};

static int compare_runs(const void *left, const void *right, void *data)
{
    const struct study_run *a = left, *b = right;
    int over = ((const struct modelling *)data)->over;
    return (a->parameters[over].number > b->parameters[over].number) -
           (a->parameters[over].number < b->parameters[over].number);
}

static bool has_parameter(const struct study_run *run, int i, const char *name)
{
    return i < run->n_parameters && strcmp(run->parameters[i].name, name) == 0;
}

/* Parameters that not all programs say in the same place are none. */
static void keep_common(struct study *study)
{
    int common = study->runs[0].n_parameters;
    for (int i = 0; i < study->n_runs; i++)
        for (int p = 0; p < common; p++)
            if (!has_parameter(&study->runs[i], p, study->runs[0].parameters[p].name))
                common = p;
    for (int i = 0; i < study->n_runs; i++) {
        struct study_run *run = &study->runs[i];
        for (; run->n_parameters > common; run->n_parameters--)
            free((char *)(uintptr_t)run->parameters[run->n_parameters - 1].name);
    }
}

static int find_over(struct modelling *self, struct sim_error *error)
{
    const struct study_run *first = &self->study.runs[0];
    const char *wanted = self->options->over != NULL ? self->options->over : "ranks";
    for (int p = 0; p < first->n_parameters; p++)
        if (first->parameters[p].is_number && strcmp(first->parameters[p].name, wanted) == 0) {
            self->over = p;
            return 0;
        }
    return sim_error_set(error, SIM_BAD_INPUT, self->options->files[0], 0,
                         "--over: '%s' is no number that all of these traces have; 'ranks' is", wanted);
}

static int check_points(const struct modelling *self, struct sim_error *error)
{
    const struct study *study = &self->study;
    int n_points = 0;
    for (int i = 0; i < study->n_runs; i++)
        n_points +=
            i == 0 || study->runs[i].parameters[self->over].number != study->runs[i - 1].parameters[self->over].number;
    if (n_points >= REGRESSION_MIN_POINTS)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, self->options->files[0], 0,
                         "a model needs traces with at least %d different values of %s, not %d", REGRESSION_MIN_POINTS,
                         study->runs[0].parameters[self->over].name, n_points);
}

/* "512,1024", or so many times the largest. */
static int find_places(struct models_request *request, const struct modelling *self, struct sim_error *error)
{
    const struct study_run *last = &self->study.runs[self->study.n_runs - 1];
    const char *text = self->options->predict;
    size_t capacity = 0;
    do {
        request->at = xgrow(request->at, (size_t)request->n_at, &capacity, sizeof *request->at);
        double *place = request->at[request->n_at++];
        place[0] = FURTHER * (double)last->parameters[self->over].number;
        place[1] = 1;
        if (text == NULL)
            break;
        char why[160], *word = xformat("%.*s", (int)strcspn(text, ","), text);
        int64_t value = 0;
        int status = units_parse(&value, QUANTITY_COUNT, word, why, sizeof why);
        if (status == 0 && value < 1)
            status = sim_error_why(why, sizeof why, "'%.40s' is not above 0", word);
        free(word);
        if (status != 0)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--predict: %s", why);
        place[0] = (double)value;
        text = strchr(text, ',');
    } while (text++ != NULL);
    return 0;
}

static int make_document(struct document *document, void *data, struct sim_error *error)
{
    struct modelling *self = data;
    struct models_request request = {.measures = self->options->model, .n_parameters = 1};
    keep_common(&self->study);
    if (find_over(self, error) != 0)
        return -1;
    sort_rows(self->study.runs, (size_t)self->study.n_runs, sizeof *self->study.runs, compare_runs, self);
    request.parameters[0] = self->over;
    if (check_points(self, error) != 0 || find_places(&request, self, error) != 0 ||
        models_make(&self->models, &self->study, &request, error) != 0) {
        free(request.at);
        return -1;
    }
    self->study.models = &self->models;
    runs_document(document, &self->study);
    return 0;
}

int model_traces(const struct options *options, struct sim_error *error)
{
    struct modelling self = {.options = options,
                             .study = {.version = SIMRUN_VERSION, .scenario = "traces", .verbose = options->verbose}};
    int status = 0;
    if (options->n_files > MOST_TRACES)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "model takes at most %d traces", MOST_TRACES);
    self.study.runs = xcalloc((size_t)options->n_files, sizeof *self.study.runs);
    for (int i = 0; i < options->n_files && status == 0; i++) {
        if (!analyse_is_trace(options->files[i]))
            status = sim_error_set(error, SIM_BAD_INPUT, options->files[i], 0,
                                   "is no trace; model takes one scenario, or traces of a program");
        else
            status = analyse_run(&self.study.runs[i], options->files[i], options, error);
        self.study.n_runs += status == 0;
    }
    if (status == 0)
        status = answer_output(options, make_document, &self, error);
    if (self.study.models != NULL)
        models_dispose(&self.models);
    for (int i = 0; i < self.study.n_runs; i++)
        analyse_run_dispose(&self.study.runs[i]);
    free(self.study.runs);
    return status;
}
