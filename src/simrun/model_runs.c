/* Models of measured runs: of traces, each of another size or number of ranks, or of runs that a store keeps.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/sort.h"
#include "simrun/analyse.h"
#include "simrun/answer.h"
#include "simrun/inputs.h"
#include "simrun/model.h"
#include "simrun/model_request.h"
#include "simrun/model_unify.h"
#include "simrun/profile_run.h"
#include "simrun/store_questions.h"
#include "study/models/host.h"
#include "study/models/models.h"
#include "study/models/parts.h"
#include "study/models/sequential.h"
#include "study/sections/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRACES = 1000 };

struct modelling {
    const struct options *options;
    struct study study;
    struct models models;
    struct study_run *loaded;       /* of traces, with parameters of their own; NULL: of a store */
    struct store_question question; /* of a store */
    struct run_marks *marks;        /* NULL: of traces */
    int over[REGRESSION_PARAMETERS], n_over;
};

/* ---- What models may be over ---- */

/* How many different values, and the largest; NAN where a run has none. */
static int count_values(double *largest, const struct study *study, int parameter)
{
    int n_values = 0;
    *largest = -INFINITY;
    for (int i = 0; i < study->n_runs; i++) {
        double value = parameter_value(&study->runs[i].parameters[parameter]);
        int k = 0;
        while (k < i && parameter_value(&study->runs[k].parameters[parameter]) != value)
            k++;
        n_values += k == i;
        *largest = isnan(value) || isnan(*largest) ? (double)NAN : fmax(*largest, value);
    }
    return n_values;
}

static bool is_same(const struct study_run *a, const struct study_run *b, int parameter)
{
    return strcmp(a->parameters[parameter].text, b->parameters[parameter].text) == 0;
}

/* The parameters that vary by themselves; more than a model may have need not be known. */
struct own {
    int places[REGRESSION_PARAMETERS + 1], count;
};

/* True if a parameter has one value for each combination of the others. */
static bool goes_along(const struct study *study, const struct own *others, int parameter)
{
    for (int i = 0; i < study->n_runs; i++)
        for (int k = 0; k < i; k++) {
            bool same = !is_same(&study->runs[i], &study->runs[k], parameter);
            for (int p = 0; p < others->count && same; p++)
                same = is_same(&study->runs[i], &study->runs[k], others->places[p]);
            if (same)
                return false;
        }
    return true;
}

static void list_parameters(struct variables *variables, const struct study *study)
{
    struct own own = {.count = 0};
    for (int p = 0; p < study->runs[0].n_parameters; p++) {
        struct variable *variable = &variables->list[variables->count++];
        *variable = (struct variable){.name = study->runs[0].parameters[p].name, .place = p};
        variable->n_values = count_values(&variable->largest, study, p);
        variable->is_number = !isnan(variable->largest);
        variable->is_ranks = study_is_ranks(study, p);
        variable->is_asked = !variable->is_number || goes_along(study, &own, p);
        if (!variable->is_asked && own.count <= REGRESSION_PARAMETERS)
            own.places[own.count++] = p;
    }
}

/* Numbers that all runs have counted: quantums, operations, messages. */
static void list_counts(struct variables *variables, const struct study *study)
{
    const struct result *first = &study->runs[0].result;
    for (size_t m = 0; m < first->n_measures; m++) {
        const struct measure *measure = &first->measures[m];
        struct variable *variable = &variables->list[variables->count];
        bool have_all = measure->of->type == MEASURE_COUNT && measure->of->group[0] == '\0', varies = false;
        *variable = (struct variable){.name = measure->of->name, .is_number = true, .is_asked = true, .is_count = true};
        for (int i = 0; i < study->n_runs && have_all; i++) {
            const struct measure *own = result_find(&study->runs[i].result, "", measure->of->name);
            have_all = own != NULL;
            variable->largest = have_all ? fmax(variable->largest, measure_value(own)) : 0;
            varies |= have_all && measure_number(own) != measure_number(measure);
        }
        variable->n_values = varies ? 2 : 1;
        variables->count += have_all;
    }
}

/* The mean size in the rows of a table comes first, and is what models of it are over. */
static void list_amount(struct variables *variables, const struct study *study, const struct models_table *table)
{
    struct variable *variable = &variables->list[variables->count++];
    *variable = (struct variable){
        .name = models_amount_name(table), .place = MODELS_AMOUNT, .is_number = true, .n_values = 2, .largest = 1};
    for (int i = 0; i < study->n_runs; i++) {
        const struct result_table *rows = result_find_table(&study->runs[i].result, table->id);
        for (size_t r = 0; rows != NULL && r < rows->n_rows; r++)
            variable->largest = fmax(variable->largest, models_amount(rows, r, table));
    }
}

static struct variables list_variables(const struct study *study, const struct models_table *table, const char *file)
{
    struct variables variables = {.file = file, .advice = "(all runs have the same)"};
    size_t room = (size_t)study->runs[0].n_parameters + study->runs[0].result.n_measures + 1;
    variables.list = xcalloc(room, sizeof *variables.list);
    list_parameters(&variables, study);
    if (table == NULL) {
        list_counts(&variables, study);
        return variables;
    }
    for (int i = 0; i < variables.count; i++)
        variables.list[i].is_asked = true;
    list_amount(&variables, study, table);
    return variables;
}

/* ---- The request ---- */

/* The table that "message_sizes.mean_s" is a column of; NULL: a measure is meant. */
static const struct models_table *find_table(const char *measures)
{
    for (const struct models_table *table = models_tables; table->id != N_TABLES; table++) {
        const char *name = table_specs[table->id].name;
        if (strncmp(measures, name, strlen(name)) == 0 && measures[strlen(name)] == '.')
            return table;
    }
    return NULL;
}

/* A count becomes a parameter of the runs; its place, or -1 with an error. */
static int add_count(struct study *study, const char *name, struct sim_error *error)
{
    for (int i = 0; i < study->n_runs; i++) {
        struct study_run *run = &study->runs[i];
        struct study_parameter *parameter = &run->parameters[run->n_parameters++];
        char text[24];
        wide_int number = measure_number(result_find(&run->result, "", name));
        if (number > INT64_MAX)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                                 "--over: %s: a run has %.4g; a model takes at most %lld", name, (double)number,
                                 (long long)INT64_MAX);
        *parameter = (struct study_parameter){.name = name, .is_number = true, .number = (int64_t)number};
        snprintf(text, sizeof text, "%lld", (long long)parameter->number);
        parameter_set_text(parameter, text);
    }
    return study->runs[0].n_parameters - 1;
}

/* Texts, in no order, have NAN as their value. */
static int compare_values(const struct study_run *a, const struct study_run *b, int parameter)
{
    double x = parameter_value(&a->parameters[parameter]), y = parameter_value(&b->parameters[parameter]);
    return (x > y) - (x < y);
}

/* By the parameters of the model, then by the others. */
static int compare_runs(const void *left, const void *right, void *data)
{
    const struct modelling *self = data;
    const struct study_run *a = left, *b = right;
    int order = 0;
    for (int p = 0; p < self->n_over && order == 0; p++)
        order = compare_values(a, b, self->over[p]);
    for (int p = 0; p < a->n_parameters && order == 0; p++)
        order = compare_values(a, b, p);
    return order;
}

static int make_request(struct models_request *request, struct modelling *self, struct sim_error *error)
{
    const struct models_table *table = find_table(self->options->model);
    struct variables variables = list_variables(&self->study, table, self->options->files[0]);
    int status = request_make(request, &variables, self->options, error);
    request->table = table;
    for (int p = 0; p < request->n_parameters; p++) {
        const struct variable *variable = &variables.list[request->parameters[p]];
        request->parameters[p] = variable->is_count ? add_count(&self->study, variable->name, error) : variable->place;
        if (request->parameters[p] >= 0)
            self->over[self->n_over++] = request->parameters[p];
        else if (variable->is_count)
            status = -1;
    }
    free(variables.list);
    return status;
}

static int fit(struct modelling *self, struct sim_error *error)
{
    struct models_request request;
    if (make_request(&request, self, error) != 0) {
        free(request.at);
        return -1;
    }
    sort_rows(self->study.runs, (size_t)self->study.n_runs, sizeof *self->study.runs, compare_runs, self);
    if (models_make(&self->models, &self->study, &request, error) != 0)
        return -1;
    self->study.models = &self->models;
    return 0;
}

/* ---- The answer ---- */

static int make_document(struct document *document, void *data, struct sim_error *error)
{
    struct modelling *self = data;
    unify_parameters(&self->study, self->marks, REGRESSION_PARAMETERS);
    document_keep(document, self->study.runs[0].parameters);
    self->study.n_sequential = sequential_find(&self->study);
    if (parts_are_meant(self->options->model))
        parts_add(&self->study);
    if ((host_is_meant(self->options->model) && host_add(&self->study, error) != 0) || fit(self, error) != 0)
        return -1;
    runs_document(document, &self->study);
    return 0;
}

static int answer(struct modelling *self, struct sim_error *error)
{
    int status = answer_output(self->options, make_document, self, error);
    if (self->study.models != NULL)
        models_dispose(&self->models);
    return status;
}

/* The measures change hands. */
static void take_run(struct study_run *run, struct study_run *from)
{
    *run = *from;
    result_init(&from->result);
}

static void dispose_runs(struct modelling *self)
{
    for (int i = 0; i < self->study.n_runs; i++)
        result_dispose(&self->study.runs[i].result);
    free(self->study.runs);
}

static int load_run(struct study_run *run, const char *file, const struct options *options, struct sim_error *error)
{
    return profile_run_takes(file) ? profile_run_load(run, file, error) : analyse_run(run, file, options, error);
}

int model_traces(const struct options *options, struct sim_error *error)
{
    struct modelling self = {.options = options,
                             .study = {.version = SIMRUN_VERSION, .scenario = "traces", .verbose = options->verbose}};
    size_t n_files = (size_t)options->n_files;
    int status = 0, n_loaded = 0;
    if (options->n_files > MOST_TRACES)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "model takes at most %d traces", MOST_TRACES);
    self.loaded = xcalloc(n_files, sizeof *self.loaded);
    self.study.runs = xcalloc(n_files, sizeof *self.study.runs);
    for (; n_loaded < options->n_files && status == 0; n_loaded += status == 0)
        status = load_run(&self.loaded[n_loaded], options->files[n_loaded], options, error);
    for (int i = 0; i < n_loaded; i++)
        take_run(&self.study.runs[i], &self.loaded[i]);
    self.study.n_runs = n_loaded;
    if (status == 0)
        status = answer(&self, error);
    for (int i = 0; i < n_loaded; i++)
        analyse_run_dispose(&self.loaded[i]);
    free(self.loaded);
    dispose_runs(&self);
    return status;
}

/* ---- A store ---- */

/* Traces are told apart by their parameters alone: each has a name of its own, and who has read it does not matter. */
static struct run_marks find_marks(const struct store_run *run)
{
    const struct run_marks simulated = {
        {run->scenario, run->scenario_hash, run->run.platform, run->platform_hash, run->run.network, run->program}};
    const struct run_marks traced = {{"traces", "", run->run.platform, "", run->run.network, ""}};
    return run->run.is_traced ? traced : simulated;
}

static int answer_stored(struct modelling *self, struct sim_error *error)
{
    const struct options *options = self->options;
    struct store_question *question = &self->question;
    if (store_question_load(question, error) != 0)
        return -1;
    if (question->count == 0)
        return sim_error_set(error, SIM_BAD_INPUT, options->files[0], 0, "has no such run to make a model of");
    size_t count = (size_t)question->count;
    self->marks = xcalloc(count, sizeof *self->marks);
    self->study.runs = xcalloc(count, sizeof *self->study.runs);
    for (; self->study.n_runs < question->count; self->study.n_runs++) {
        self->marks[self->study.n_runs] = find_marks(&question->runs[self->study.n_runs]);
        take_run(&self->study.runs[self->study.n_runs], &question->runs[self->study.n_runs].run);
    }
    return answer(self, error);
}

int model_stored(const struct options *options, struct sim_error *error)
{
    struct modelling self = {
        .options = options,
        .study = {.version = SIMRUN_VERSION, .scenario = options->files[0], .verbose = options->verbose}};
    if (store_question_open(&self.question, options, false, error) != 0)
        return -1;
    int status = answer_stored(&self, error);
    dispose_runs(&self);
    store_question_dispose(&self.question);
    free(self.marks);
    return status;
}
