/* Simulates for marks: calls this program, and reads its JSON.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/marks_simulate.h"

#include "base/builder.h"
#include "base/memory.h"
#include "os/child.h"
#include "os/data.h"
#include "os/named.h"
#include "os/temporary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- A process ---- */

/* Arguments of the program, NULL-terminated, which are freed with it. */
struct call {
    char *arguments[64];
    int n_arguments;
    int shared[2]; /* descriptors that it also gets, as 3 and 4; 0: none */
};

static void add(struct call *call, char *argument)
{
    if (call->n_arguments < (int)(sizeof call->arguments / sizeof call->arguments[0]) - 1)
        call->arguments[call->n_arguments++] = argument;
    else
        free(argument);
}

static void add_setting(struct call *call, const char *setting)
{
    add(call, xstrdup("--set"));
    add(call, xstrdup(setting));
}

static struct call call_begin(void)
{
    struct call call = {.n_arguments = 0};
    static const char *const first[] = {"simrun", "-q", "-f", "json"};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        add(&call, xstrdup(first[i]));
    return call;
}

static void call_dispose(struct call *call)
{
    for (int i = 0; i < call->n_arguments; i++)
        free(call->arguments[i]);
}

/* The files that it reads go to descriptors out of the way first, since dup2() may close what is still needed. */
static void work(const void *data, int descriptor)
{
    const struct call *call = data;
    enum { AWAY = 64 };
    dup2(descriptor, STDOUT_FILENO);
    dup2(descriptor, STDERR_FILENO);
    for (int i = 0; i < 2 && call->shared[i] != 0; i++)
        dup2(call->shared[i], AWAY + i);
    for (int i = 0; i < 2 && call->shared[i] != 0; i++)
        dup2(AWAY + i, 3 + i);
    trial_limit();
    alarm(MARKS_SECONDS);
    execv("/proc/self/exe", call->arguments);
    _exit(127);
}

/* The last line of what was said. */
static const char *last_line(char *text, size_t length)
{
    while (length > 0 && text[length - 1] == '\n')
        length--;
    text[length] = '\0';
    char *line = strrchr(text, '\n');
    line = line != NULL ? line + 1 : text;
    return strncmp(line, "simrun: ", 8) == 0 ? line + 8 : line;
}

/* Names that it was given for what it reads mean nothing to readers. */
static char *in_words(const char *text)
{
    static const char name[] = "/proc/self/fd/4";
    struct builder words = {0};
    for (const char *found; (found = strstr(text, name)) != NULL; text = found + sizeof name - 1)
        builder_add(&words, "%.*sown.txt", (int)(found - text), text);
    builder_add(&words, "%s", text);
    return builder_take(&words);
}

static int explain(char *text, size_t length, int status, struct sim_error *error)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "takes longer than %d s", MARKS_SECONDS);
    char end[CHILD_END];
    child_describe(end, status);
    char *words = in_words(last_line(text, length));
    bool is_said = WIFEXITED(status) && *words != '\0';
    sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s", is_said ? words : end);
    free(words);
    return -1;
}

static int simulate(struct json *json, struct call *call, struct sim_error *error)
{
    char *text = xmalloc(MARKS_SIMULATION_BYTES + 1);
    struct child child = {work, call, NULL, "to simulate", text, MARKS_SIMULATION_BYTES};
    size_t length;
    int ended, status = child_run(&child, &length, &ended, error);
    if (status == 0 && ended != 0)
        status = explain(text, length, ended, error);
    else if (status == 0 && length == MARKS_SIMULATION_BYTES)
        status = sim_error_set(error, SIM_UNFINISHED, NULL, 0, "has more than 16 MiB of results");
    struct input input;
    if (status == 0 && (status = input_open_bytes(&input, "results", text, length, error)) == 0) {
        status = json_parse(json, &input, error);
        input_close(&input);
    }
    free(text);
    return status;
}

/* ---- Values of a run ---- */

/* "overhead_ratio.idle" of a run, or one of its parameters; NULL: it has none. */
static const struct json_node *find_value(const struct json *json, const struct json_node *run, const char *name)
{
    const struct json_node *node = json_member(json, json_member(json, run, "parameters"), name);
    if (node != NULL)
        return node;
    char *path = xstrdup(name), *rest;
    node = run;
    for (char *part = strtok_r(path, ".", &rest); part != NULL; part = strtok_r(NULL, ".", &rest))
        node = json_member(json, node, part);
    free(path);
    return node;
}

static double number_of(const struct json *json, const struct json_node *run, const char *name)
{
    const struct json_node *node = find_value(json, run, name);
    return node != NULL && node->kind == JSON_NUMBER ? node->number : NAN;
}

static void text_of(char *text, size_t size, const struct json *json, const struct json_node *run, const char *name)
{
    const struct json_node *node = find_value(json, run, name);
    text[0] = '\0';
    if (node != NULL && node->kind == JSON_TEXT)
        snprintf(text, size, "%s", json_text_of(json, node));
    else if (node != NULL && node->kind == JSON_NUMBER)
        snprintf(text, size, "%.15g", node->number);
}

static const struct json_node *first_run(const struct json *json)
{
    const struct json_node *runs = json_member(json, json_at(json, 0), "runs");
    return runs != NULL ? json_at(json, runs->first) : NULL;
}

/* The run that is asked for. */
static const struct json_node *choose(const struct json *json, const struct lab_question *question)
{
    const struct json_node *best = NULL;
    for (const struct json_node *run = first_run(json); run != NULL; run = json_at(json, run->next)) {
        if (question->where != NULL && !(number_of(json, run, question->where) >= question->at_least))
            continue;
        if (question->of == NULL)
            return run;
        double value = number_of(json, run, question->of);
        double least = best != NULL ? number_of(json, best, question->of) : NAN;
        if (best == NULL || (question->is_least ? value < least : value > least))
            best = run;
    }
    return best;
}

static double ratio(const struct json *json, const char *name)
{
    const struct json_node *first = first_run(json), *last = first;
    while (last != NULL && json_at(json, last->next) != NULL)
        last = json_at(json, last->next);
    return first != NULL ? number_of(json, first, name) / number_of(json, last, name) : NAN;
}

static struct lab_value value_in(const struct json *json, const struct lab_question *question)
{
    if (question->is_ratio)
        return (struct lab_value){.kind = LAB_NUMBER, .number = ratio(json, question->name)};
    const struct json_node *run = choose(json, question);
    const struct json_node *node = run != NULL ? find_value(json, run, question->name) : NULL;
    struct lab_value value = {.kind = LAB_NONE};
    if (node != NULL && node->kind == JSON_NUMBER)
        value = (struct lab_value){.kind = LAB_NUMBER, .number = node->number};
    else if (node != NULL && node->kind == JSON_TEXT) {
        value.kind = LAB_TEXT;
        text_of(value.text, sizeof value.text, json, run, question->name);
    }
    return value;
}

int marks_answer(struct lab_value *value, const struct lab_question *question, struct sim_error *error)
{
    struct call call = call_begin();
    for (size_t i = 0; i < question->block->n_rows; i++) {
        const struct lab_row *row = &question->block->rows[i];
        for (int w = 1; strcmp(row->words[0], "set") == 0 && w < row->n_words; w++)
            add_setting(&call, row->words[w]);
    }
    add(&call, xstrdup(question->scenario));
    struct json json = {0};
    int status = simulate(&json, &call, error);
    if (status == 0)
        *value = value_in(&json, question);
    if (status == 0 && value->kind == LAB_NONE)
        status = sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "no run has %s", question->name);
    json_dispose(&json);
    call_dispose(&call);
    return status;
}

/* ---- Races ---- */

/* The text of a scenario that reads its lines from descriptor 4, and other files from the data folder. */
static char *with_whole_names(const char *text)
{
    static const char mark[] = "file=\"", broadcast[] = "<broadcast ";
    char *folder = data_folder();
    struct builder changed = {0};
    for (const char *found; (found = strstr(text, mark)) != NULL; text = found) {
        bool is_lines = found - text >= (long)sizeof broadcast - 1 &&
                        strncmp(found - (sizeof broadcast - 1), broadcast, sizeof broadcast - 1) == 0;
        found += sizeof mark - 1;
        builder_add(&changed, "%.*s", (int)(found - text), text);
        if (is_lines)
            builder_add(&changed, "/proc/self/fd/4");
        else
            builder_add(&changed, "%s/scenarios/", folder);
        found += is_lines ? strcspn(found, "\"") : 0;
    }
    builder_add(&changed, "%s", text);
    free(folder);
    return builder_take(&changed);
}

static char *scenario_with_lines(const char *name, struct sim_error *error)
{
    char *file = named_find("scenarios", name), *text = xcalloc(LAB_BYTES + 1, 1), *changed = NULL;
    FILE *stream = file != NULL ? fopen(file, "rb") : NULL;
    if (stream != NULL && fread(text, 1, LAB_BYTES, stream) > 0)
        changed = with_whole_names(text);
    else
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "there is no scenario '%s'", name);
    if (stream != NULL)
        fclose(stream);
    free(text);
    free(file);
    return changed;
}

/* A file without a name that holds the text. */
static int temporary_with(const char *text, struct sim_error *error)
{
    int descriptor = temporary_open(NULL);
    size_t length = strlen(text);
    if (descriptor >= 0 && write(descriptor, text, length) == (ssize_t)length)
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "a temporary file cannot be written");
}

/* The settings of the experiment; of its controls all lengths, and what stands there at first. */
static void add_controls(struct call *call, const struct lab_block *experiment)
{
    for (size_t i = 0; i < experiment->n_rows; i++) {
        const struct lab_row *row = &experiment->rows[i];
        const char *key = row->words[0], *name = row->words[1];
        for (int w = 1; strcmp(key, "set") == 0 && w < row->n_words; w++)
            if (strncmp(row->words[w], "broadcast=", 10) != 0)
                add_setting(call, row->words[w]);
        if (strcmp(key, "slider") != 0 && strcmp(key, "menu") != 0)
            continue;
        struct builder setting = {0};
        builder_add(&setting, "%s=", name);
        bool is_length = strcmp(name, "bytes") == 0 && strcmp(key, "menu") == 0;
        for (int w = 2; is_length && strcmp(row->words[w], "=") != 0 && w + 1 < row->n_words; w++)
            builder_add(&setting, "%s%s", w > 2 ? "," : "", row->words[w]);
        if (!is_length)
            builder_add(&setting, "%s", row->words[row->n_words - 1]);
        char *text = builder_take(&setting);
        add_setting(call, text);
        free(text);
    }
    add_setting(call, "broadcast=own");
}

static void keep_runs(struct contest_runs *runs, const struct json *json)
{
    size_t capacity = 0;
    *runs = (struct contest_runs){0};
    for (const struct json_node *run = first_run(json); run != NULL; run = json_at(json, run->next)) {
        runs->runs = xgrow(runs->runs, runs->n_runs, &capacity, sizeof *runs->runs);
        struct contest_run *one = &runs->runs[runs->n_runs++];
        one->time_s = number_of(json, run, "time_s");
        text_of(one->platform, sizeof one->platform, json, run, "platform");
        text_of(one->bytes, sizeof one->bytes, json, run, "bytes");
    }
}

int marks_race(struct contest_runs *runs, const struct lab_block *experiment, const char *platforms, const char *lines,
               struct sim_error *error)
{
    struct call call = call_begin();
    struct json json = {0};
    char *scenario = scenario_with_lines(lab_row(experiment, "scenario")->words[1], error);
    int status = scenario != NULL && (call.shared[0] = temporary_with(scenario, error)) > 0 &&
                         (call.shared[1] = temporary_with(lines, error)) > 0
                     ? 0
                     : -1;
    add(&call, xstrdup("--platform"));
    add(&call, xstrdup(platforms));
    add_controls(&call, experiment);
    add(&call, xstrdup("/proc/self/fd/3"));
    if (status == 0)
        status = simulate(&json, &call, error);
    if (status == 0)
        keep_runs(runs, &json);
    for (int i = 0; i < 2; i++)
        if (call.shared[i] > 0)
            close(call.shared[i]);
    free(scenario);
    json_dispose(&json);
    call_dispose(&call);
    return status;
}
