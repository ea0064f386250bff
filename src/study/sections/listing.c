/* The runs of an experiment store as a list.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/listing.h"

#include "base/memory.h"
#include "base/message.h"
#include "study/sections/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_COLUMNS = 4 };

/* --- runs as a study --- */

struct names {
    const char **items;
    size_t count, capacity;
};

/* The place of a name, which is added if it is new. */
static size_t find_name(struct names *names, const char *name)
{
    size_t known = 0;
    while (known < names->count && strcmp(names->items[known], name) != 0)
        known++;
    if (known == names->count) {
        names->items = xgrow(names->items, names->count, &names->capacity, sizeof(const char *));
        names->items[names->count++] = name;
    }
    return known;
}

/* A parameter that differs from run to run is told by its text, also where it is no number. */
static int64_t number_text(const struct study *study, size_t parameter, int run)
{
    for (int i = 0; i < run; i++)
        if (strcmp(study->runs[i].parameters[parameter].text, study->runs[run].parameters[parameter].text) == 0)
            return study->runs[i].parameters[parameter].number;
    return run;
}

static void set_own(struct study_parameter *parameters, const struct listing_run *stored)
{
    parameters[0].is_number = parameters[0].is_label = true;
    parameters[0].number = stored->id;
    char id[24];
    snprintf(id, sizeof id, "%lld", (long long)stored->id);
    parameter_set_text(&parameters[0], id);
    parameter_set_text(&parameters[1], stored->scenario);
    parameter_set_text(&parameters[2], stored->program);
    parameter_set_text(&parameters[3], stored->compiler);
}

/* The parameters of all runs, the store's own first: those that a run does not have are empty. */
static void unify(struct study *study, struct document *document, const struct listing_run *runs)
{
    static const char *const own[OWN_COLUMNS] = {"run", "scenario", "program", "compiler"};
    struct names names = {0};
    for (int k = 0; k < OWN_COLUMNS; k++) {
        names.items = xgrow(names.items, names.count, &names.capacity, sizeof(const char *));
        names.items[names.count++] = own[k];
    }
    for (int i = 0; i < study->n_runs; i++)
        for (int k = 0; k < runs[i].run->n_parameters; k++)
            find_name(&names, runs[i].run->parameters[k].name);
    for (int i = 0; i < study->n_runs; i++) {
        struct study_parameter *parameters = xcalloc(names.count, sizeof *parameters);
        document_keep(document, parameters);
        for (int k = 0; k < runs[i].run->n_parameters; k++)
            parameters[find_name(&names, runs[i].run->parameters[k].name)] = runs[i].run->parameters[k];
        for (size_t k = 0; k < names.count; k++) {
            parameters[k].name = names.items[k];
            parameters[k].text = parameters[k].text != NULL ? parameters[k].text : "";
        }
        set_own(parameters, &runs[i]);
        study->runs[i].parameters = parameters;
        study->runs[i].n_parameters = (int)names.count;
        for (size_t k = 0; k < names.count; k++)
            if (!parameters[k].is_number)
                parameters[k].number = number_text(study, k, i);
    }
    free(names.items);
}

/* --- what runs have besides parameters. Contents of files are told by a number, where files of one name differ --- */

enum own { SCENARIO, SCENARIO_FILE, PLATFORM, PLATFORM_FILE, USED, PROGRAM, COMPILER, N_OWN };
static const char *const own_names[N_OWN] = {"scenario", "scenario file", "platform", "platform file",
                                             "used",     "program",       "compiler"};

static const char *own_text(const struct listing_run *stored, enum own own)
{
    const char *const texts[N_OWN] = {stored->scenario,      stored->scenario_hash, stored->run->platform,
                                      stored->platform_hash, stored->run->network,  stored->program,
                                      stored->compiler};
    return texts[own];
}

static bool is_file(enum own own)
{
    return own == SCENARIO_FILE || own == PLATFORM_FILE;
}

static bool own_varies(const struct listing_run *runs, int n_runs, enum own own)
{
    for (int i = 1; i < n_runs; i++) {
        int k = 0; /* the first of all, or of those of its name */
        while (is_file(own) && strcmp(own_text(&runs[i], own - 1), own_text(&runs[k], own - 1)) != 0)
            k++;
        if (strcmp(own_text(&runs[i], own), own_text(&runs[k], own)) != 0)
            return true;
    }
    return false;
}

/* True if two runs have different texts of a parameter; *all is true if each run has one. */
static bool parameter_varies(const struct study *study, int k, bool *all)
{
    const char *first = "";
    *all = true;
    for (int i = 0; i < study->n_runs; i++) {
        const char *text = study->runs[i].parameters[k].text;
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

/* Choose them, and say what is the same for all. */
static struct columns choose_columns(struct document *document, const struct study *study,
                                     const struct listing_run *runs)
{
    const struct study_run *run = &study->runs[0];
    struct columns columns = {.parameters = xcalloc((size_t)run->n_parameters, sizeof(bool))};
    struct builder line = {0};
    const char *all_are = study->n_runs == 1 ? "It is of" : "All are of";
    for (enum own own = 0; own < N_OWN; own++) {
        columns.own[own] = own_varies(runs, study->n_runs, own);
        if (!columns.own[own] && !is_file(own) && own < PROGRAM)
            builder_add(&line, "%s %s %s", line.length == 0 ? all_are : ",", own == USED ? "network" : own_names[own],
                        own_text(&runs[0], own));
    }
    for (int k = OWN_COLUMNS; k < run->n_parameters; k++) {
        const struct study_parameter *parameter = &run->parameters[k];
        bool all, varies = parameter_varies(study, k, &all);
        columns.parameters[k] = varies || parameter->subject == SUBJECT_RANKS;
        if (!columns.parameters[k] && all && !parameter->is_unused && parameter->subject != SUBJECT_NETWORK)
            builder_add(&line, "%s %s=%s", line.length == 0 ? all_are : ",", parameter->name, parameter->text);
    }
    builder_add(&line, ".");
    if (line.length > 1)
        document_sentence(document, builder_take(&line));
    free(line.text);
    return columns;
}

static void add_heads(struct table *table, const struct study_run *run, const struct columns *columns)
{
    table_column(table, (struct column){.id = "run", .unit = UNIT_COUNT, .flags = COLUMN_KEY});
    for (enum own own = 0; own < N_OWN; own++)
        if (columns->own[own])
            table_column(table, (struct column){.id = own_names[own], .unit = UNIT_TEXT});
    for (int k = OWN_COLUMNS; k < run->n_parameters; k++)
        if (columns->parameters[k])
            table_column(table, (struct column){.id = run->parameters[k].name, .unit = UNIT_TEXT});
    table_column(table, (struct column){.id = "time", .unit = UNIT_SECONDS});
    table_column(table, (struct column){.id = "speedup", .unit = UNIT_RATIO});
    table_column(table, (struct column){.id = "largest part", .unit = UNIT_TEXT});
}

/* The program's identity with only the first 12 digits of the hash of its sources. */
static const char *shorten_program(struct document *document, const char *program)
{
    static const char sources[] = " sources ";
    const char *hash = strstr(program, sources);
    int length = hash != NULL ? (int)(hash - program) + (int)strlen(sources) + 12 : (int)strlen(program);
    return document_format(document, "%.*s", length, program);
}

static void add_row(struct table *table, const struct listing_run *stored, const struct study_run *run,
                    const struct columns *columns)
{
    double share;
    const struct measure *group = run_largest_group(run, &share);
    table_integer(table, stored->id);
    for (enum own own = 0; own < N_OWN; own++)
        if (columns->own[own])
            table_text(table, is_file(own)     ? document_format(table->document, "%.8s", own_text(stored, own))
                              : own == PROGRAM ? shorten_program(table->document, stored->program)
                                               : own_text(stored, own));
    for (int k = OWN_COLUMNS; k < run->n_parameters; k++)
        if (columns->parameters[k])
            table_text(table, run->parameters[k].text);
    table_real(table, run_time(run));
    table_real(table, run_value(run, M_SPEEDUP));
    table_text(table, run_is_discarded(run) ? "discarded" : group != NULL ? measure_label(group) : "");
}

static void add_list(struct document *document, const struct study *study, const struct listing_run *runs)
{
    if (study->n_runs == 0)
        return;
    struct columns columns = choose_columns(document, study, runs);
    struct table *table = document_table(document, "list", NULL, FOR_READERS);
    table->chart = CHART_BAR;
    add_heads(table, &study->runs[0], &columns);
    for (int i = 0; i < study->n_runs; i++)
        add_row(table, &runs[i], &study->runs[i], &columns);
    free(columns.parameters);
}

void listing_document(struct document *document, const char *version, const char *file, const struct phase_spec *phases,
                      const struct listing_run *runs, int n_runs)
{
    struct study study = {.version = version, .scenario = file, .phases = phases, .n_runs = n_runs};
    char *name = message_clean(file);
    study.runs = xcalloc((size_t)n_runs + 1, sizeof *study.runs);
    document_keep(document, study.runs);
    for (int i = 0; i < n_runs; i++)
        study.runs[i] = *runs[i].run;
    unify(&study, document, runs);
    document->name = file;
    document_sentence(document, xformat("%s: %d run%s", name, n_runs, n_runs == 1 ? "" : "s"));
    free(name);
    runs_data(document, &study);
    add_list(document, &study, runs);
}
