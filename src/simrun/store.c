#include "simrun/store.h"

#include "base/memory.h"
#include "base/message.h"
#include "os/output.h"
#include "report/compare.h"
#include "report/components.h"
#include "report/table.h"
#include "report/text_parts.h"
#include "simrun/conditions.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

/* --- runs as a report --- */

struct selection {
    struct store_run *stored;
    int count;
    struct study report;
};

/* A parameter that differs from run to run is told by its text, also where it is no number. */
static int64_t number_text(struct study *report, int parameter, int run)
{
    for (int i = 0; i < run; i++)
        if (strcmp(report->runs[i].parameters[parameter].text, report->runs[run].parameters[parameter].text) == 0)
            return report->runs[i].parameters[parameter].number;
    return run;
}

static int find_parameter(const struct study_run *run, const char *name)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (strcmp(run->parameters[i].name, name) == 0)
            return i;
    return -1;
}

enum { OWN_COLUMNS = 3 };

/* The names of all runs' parameters, after those of the store's own; NULL-terminated, to be freed. */
static const char **find_columns(const struct selection *selection)
{
    size_t count = 0, capacity = 0;
    const char **names = NULL;
    static const char *const own[OWN_COLUMNS] = {"run", "scenario", "program"};
    for (int i = -1; i < selection->count; i++) {
        int n_own = i < 0 ? OWN_COLUMNS : selection->stored[i].run.n_parameters;
        for (int k = 0; k < n_own; k++) {
            const char *name = i < 0 ? own[k] : selection->stored[i].run.parameters[k].name;
            size_t known = i < 0 ? count : 0;
            while (known < count && strcmp(names[known], name) != 0)
                known++;
            if (known < count)
                continue;
            names = xgrow(names, count, &capacity, sizeof(const char *));
            names[count++] = name;
        }
    }
    names = xgrow(names, count, &capacity, sizeof(const char *));
    names[count] = NULL;
    return names;
}

static void set_own(struct study_parameter *parameters, const struct store_run *stored)
{
    parameters[0].is_number = true;
    parameters[0].number = stored->id;
    snprintf(parameters[0].text, sizeof parameters[0].text, "%lld", (long long)stored->id);
    snprintf(parameters[1].text, sizeof parameters[1].text, "%s", stored->scenario);
    snprintf(parameters[2].text, sizeof parameters[2].text, "%s", stored->program);
}

/* Reports want the same parameters of all runs: those that a run does not have are empty. */
static void unify(struct selection *selection)
{
    const char **names = find_columns(selection);
    int n_names = 0;
    while (names[n_names] != NULL)
        n_names++;
    for (int i = 0; i < selection->count; i++) {
        struct study_run *run = &selection->report.runs[i];
        struct study_parameter *parameters = xcalloc((size_t)n_names, sizeof *parameters);
        for (int k = 0; k < n_names; k++) {
            int own = k < OWN_COLUMNS ? -1 : find_parameter(&selection->stored[i].run, names[k]);
            if (own >= 0)
                parameters[k] = selection->stored[i].run.parameters[own];
            parameters[k].name = names[k];
        }
        set_own(parameters, &selection->stored[i]);
        run->parameters = parameters;
        run->n_parameters = n_names;
        for (int k = 0; k < n_names; k++)
            if (!parameters[k].is_number)
                parameters[k].number = number_text(&selection->report, k, i);
    }
    free(names);
}

static void dispose(struct selection *selection)
{
    for (int i = 0; i < selection->count; i++) {
        free(selection->stored[i].run.parameters);
        result_dispose(&selection->stored[i].run.result);
        if (selection->report.runs != NULL)
            free(selection->report.runs[i].parameters);
    }
    free(selection->report.runs);
    free(selection->stored);
}

static int load(struct selection *selection, struct store *store, const int64_t *ids, int n_ids,
                struct sim_error *error)
{
    selection->stored = xcalloc((size_t)n_ids + 1, sizeof *selection->stored);
    for (; selection->count < n_ids; selection->count++)
        if (store_load(&selection->stored[selection->count], store, ids[selection->count], error) != 0)
            return -1;
    return 0;
}

/* --- --runs --- */

/* What a run has besides parameters. Contents of files are told by a number, where files of one name differ. */
enum own { SCENARIO, SCENARIO_FILE, PLATFORM, PLATFORM_FILE, USED, PROGRAM, N_OWN };
static const char *const own_names[N_OWN] = {"scenario",      "scenario file", "platform",
                                             "platform file", "used",          "program"};

static const char *own_text(const struct store_run *stored, enum own own)
{
    const char *const texts[N_OWN] = {stored->scenario,      stored->scenario_hash, stored->run.platform,
                                      stored->platform_hash, stored->run.network,   stored->program};
    return texts[own];
}

static bool same_own(const struct selection *selection, enum own own, int i, int k)
{
    return strcmp(own_text(&selection->stored[i], own), own_text(&selection->stored[k], own)) == 0;
}

static bool own_varies(const struct selection *selection, enum own own)
{
    bool is_file = own == SCENARIO_FILE || own == PLATFORM_FILE;
    for (int i = 1; i < selection->count; i++) {
        int k = 0; /* the first of all, or of those of its name */
        while (is_file && !same_own(selection, own - 1, i, k))
            k++;
        if (!same_own(selection, own, i, k))
            return true;
    }
    return false;
}

/* Whether two runs have different texts of a parameter; *all is whether each of them has one. */
static bool parameter_varies(const struct study *report, int k, bool *all)
{
    const char *first = "";
    *all = true;
    for (int i = 0; i < report->n_runs; i++) {
        const char *text = report->runs[i].parameters[k].text;
        *all &= text[0] != '\0';
        if (text[0] != '\0' && first[0] != '\0' && strcmp(text, first) != 0)
            return true;
        first = text[0] != '\0' ? text : first;
    }
    return false;
}

/* The columns of the list: what differs, and the number of ranks. */
struct columns {
    bool own[N_OWN], *parameters;
};

/* Choose them, and write what is the same for all. */
static struct columns choose_columns(FILE *stream, const struct selection *selection)
{
    const struct study *report = &selection->report;
    const struct study_run *run = &report->runs[0];
    struct columns columns = {.parameters = xcalloc((size_t)run->n_parameters, sizeof(bool))};
    char *line = xstrdup(report->n_runs == 1 ? "It is of" : "All are of");
    const char *comma = "";
    for (enum own own = 0; own < N_OWN; own++) {
        columns.own[own] = own_varies(selection, own);
        if (columns.own[own] || own == SCENARIO_FILE || own == PLATFORM_FILE || own == PROGRAM)
            continue;
        line = text_append(line, "%s %s %s", comma, own == USED ? "network" : own_names[own],
                           own_text(&selection->stored[0], own));
        comma = ",";
    }
    for (int k = OWN_COLUMNS; k < run->n_parameters; k++) {
        const struct study_parameter *parameter = &run->parameters[k];
        bool all, varies = parameter_varies(report, k, &all);
        columns.parameters[k] = varies || strcmp(parameter->name, "ranks") == 0;
        if (columns.parameters[k] || !all || strcmp(parameter->name, "network") == 0)
            continue;
        line = text_append(line, "%s %s=%s", comma, parameter->name, parameter->text);
        comma = ",";
    }
    if (*comma != '\0')
        text_write_line(stream, text_append(line, "."));
    else
        free(line);
    return columns;
}

static void write_list_heads(struct table *table, const struct study_run *run, const struct columns *columns,
                             const char *unit)
{
    table_head(table, "run");
    table_keys(table);
    for (enum own own = 0; own < N_OWN; own++)
        if (columns->own[own])
            table_head(table, "%s", own_names[own]);
    for (int k = OWN_COLUMNS; k < run->n_parameters; k++)
        if (columns->parameters[k])
            table_head(table, "%s", run->parameters[k].name);
    table_head(table, "time [%s]", unit);
    table_head(table, "speedup");
    table_head(table, "mostly");
}

static void write_list_row(struct table *table, const struct store_run *stored, const struct study_run *run,
                           const struct columns *columns, struct text_scale scale)
{
    double share;
    table_cell(table, "%s", run->parameters[0].text);
    for (enum own own = 0; own < N_OWN; own++)
        if (columns->own[own])
            table_cell(table, "%.*s", own == SCENARIO_FILE || own == PLATFORM_FILE ? 8 : 100, own_text(stored, own));
    for (int k = OWN_COLUMNS; k < run->n_parameters; k++)
        if (columns->parameters[k])
            table_cell(table, "%s", run->parameters[k].text[0] != '\0' ? run->parameters[k].text : "-");
    text_cell_time(table, scale, run_time(run));
    text_cell_ratio(table, text_value(run, "", "speedup"));
    table_cell(table, "%s", run->discarded[0] != '\0' ? "discarded" : components_dominant(run, &share));
}

static void write_list(FILE *stream, const struct selection *selection, const char *file)
{
    const struct study *report = &selection->report;
    struct text_scale scale = text_scale_column(report, "", "time_s", text_scale(report, "", "time_s"));
    char *name = message_clean(file);
    fprintf(stream, "%s: %d run%s\n", name, report->n_runs, report->n_runs == 1 ? "" : "s");
    free(name);
    if (report->n_runs == 0)
        return;
    struct table *table = table_new();
    struct columns columns = choose_columns(stream, selection);
    write_list_heads(table, &report->runs[0], &columns, scale.unit);
    for (int i = 0; i < report->n_runs; i++)
        write_list_row(table, &selection->stored[i], &report->runs[i], &columns, scale);
    table_print(table, stream);
    free(columns.parameters);
}

static void write_runs(FILE *stream, struct selection *selection, const struct options *options)
{
    struct study *report = &selection->report;
    report->version = SIMRUN_VERSION;
    report->scenario = options->store;
    report->n_runs = selection->count;
    report->runs = xcalloc((size_t)selection->count + 1, sizeof *report->runs);
    for (int i = 0; i < selection->count; i++) {
        report->runs[i] = selection->stored[i].run;
        report->runs[i].parameters = NULL;
        report->runs[i].n_parameters = 0;
    }
    unify(selection);
    if (strcmp(options->format->name, "text") == 0)
        write_list(stream, selection, options->store);
    else
        options->format->write(stream, report);
}

static int answer_runs(FILE *stream, struct store *store, const struct options *options, struct sim_error *error)
{
    struct selection selection = {0};
    int64_t *ids = NULL;
    int n_ids = 0;
    int status = conditions_select(&ids, &n_ids, store, options->files, options->n_files, error);
    if (status == 0)
        status = load(&selection, store, ids, n_ids, error);
    if (status == 0)
        write_runs(stream, &selection, options);
    dispose(&selection);
    free(ids);
    return status;
}

/* --- --compare --- */

static int parse_pair(int64_t ids[2], const char *text, struct sim_error *error)
{
    long long first, second;
    char rest;
    if (sscanf(text, "%lld,%lld%c", &first, &second, &rest) != 2)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--compare: '%.80s' is not two numbers of runs, such as 3,7", text);
    ids[0] = first;
    ids[1] = second;
    return 0;
}

static int answer_compare(FILE *stream, struct store *store, const struct options *options, struct sim_error *error)
{
    struct selection selection = {0};
    struct compare_side sides[2];
    char *files[2][2] = {{NULL}};
    int64_t ids[2];
    if (parse_pair(ids, options->compare, error) != 0)
        return -1;
    int status = load(&selection, store, ids, 2, error);
    for (int i = 0; status == 0 && i < 2; i++) {
        const struct store_run *stored = &selection.stored[i];
        status = store_load_files(&files[i][0], &files[i][1], store, ids[i], error);
        sides[i] = (struct compare_side){stored->id,    stored->scenario, stored->program, stored->kind,
                                         stored->input, files[i][0],      files[i][1],     &stored->run};
    }
    if (status == 0 && strcmp(options->format->name, "text") == 0)
        compare_write_text(stream, sides);
    else if (status == 0)
        compare_write_json(stream, SIMRUN_VERSION, sides);
    for (int i = 0; i < 4; i++)
        free(files[i / 2][i % 2]);
    dispose(&selection);
    return status;
}

int stored_answer(const struct options *options, struct sim_error *error)
{
    struct store *store;
    struct output output;
    if (store_open(&store, options->store, STORE_READ, error) != 0)
        return -1;
    if (output_open(&output, options->output, error) != 0) {
        store_close(store);
        return -1;
    }
    int status = (options->runs ? answer_runs : answer_compare)(output.stream, store, options, error);
    if (status == 0)
        status = output_close(&output, error);
    else
        output_abandon(&output);
    store_close(store);
    return status;
}
