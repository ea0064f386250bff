/* Makes the scenario of a trace and a platform, and sets the trace's own account beside the runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/replay.h"

#include "apps/replay/list.h"
#include "base/builder.h"
#include "base/known.h"
#include "base/memory.h"
#include "os/named.h"
#include "os/path.h"
#include "simrun/analyse.h"
#include "simrun/inputs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the scenario --- */

static int refuse_platform(const char *name, struct sim_error *error)
{
    struct found platforms;
    char known[600];
    if (strpbrk(name, "/.") != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--platform: %s: %s", name, strerror(errno));
    find_all(&platforms, "platforms");
    known_format(known, sizeof known, name, found_name_at, &platforms);
    found_dispose(&platforms);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--platform: '%.80s' is neither a file nor a platform%s", name,
                         known);
}

/* A path that holds anywhere; to be freed. */
static char *find_platform(const char *name, struct sim_error *error)
{
    char *file = access(name, F_OK) == 0 ? xstrdup(name) : named_find("platforms", name);
    char here[PATH_MAX] = "", *path = NULL;
    if (file == NULL || (file[0] != '/' && getcwd(here, sizeof here) == NULL))
        refuse_platform(name, error);
    else
        path = xformat("%s%s%s", here, here[0] != '\0' ? "/" : "", file);
    if (path != NULL && strchr(path, ',') != NULL) {
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--platform: %s: a comma in the path of a platform", path);
        free(path);
        path = NULL;
    }
    free(file);
    return path;
}

char *replay_find_platforms(const char *platforms, struct sim_error *error)
{
    char *copy = xstrdup(platforms), *rest = copy, *name, *path = copy;
    struct builder list = {0};
    while (path != NULL && (name = strsep(&rest, ",")) != NULL) {
        path = find_platform(name, error);
        builder_add(&list, "%s%s", list.length > 0 ? "," : "", path != NULL ? path : "");
        free(path);
    }
    bool is_good = path != NULL;
    free(copy);
    char *text = builder_take(&list);
    if (is_good)
        return text;
    free(text);
    return NULL;
}

static void add_escaped(struct builder *text, const char *value)
{
    for (; *value != '\0'; value++)
        switch (*value) {
        case '&':
            builder_add(text, "&amp;");
            break;
        case '<':
            builder_add(text, "&lt;");
            break;
        case '"':
            builder_add(text, "&quot;");
            break;
        default:
            builder_add(text, "%c", *value);
        }
}

static void add_attribute(struct builder *text, const char *name, const char *value)
{
    if (value == NULL)
        return;
    builder_add(text, " %s=\"", name);
    add_escaped(text, value);
    builder_add(text, "\"");
}

int replay_load(struct scenario *scenario, const char *trace, const struct part_request *part, const char *platforms,
                struct sim_error *error)
{
    struct builder text = {0};
    char *files = replay_find_platforms(platforms, error), *name = path_title(trace);
    *scenario = (struct scenario){0};
    int status = files != NULL ? 0 : -1;
    if (status == 0) {
        builder_add(&text, "<scenario");
        add_attribute(&text, "name", name);
        builder_add(&text, "><platform");
        add_attribute(&text, "file", files);
        builder_add(&text, "/><application name=\"trace\"");
        add_attribute(&text, "file", path_base(trace));
        add_attribute(&text, "from", part->from);
        add_attribute(&text, "to", part->to);
        add_attribute(&text, "ranks", part->ranks);
        builder_add(&text, "/></scenario>");
        status = scenario_load_text(scenario, text.text, text.length, trace, app_specs, error);
    }
    free(builder_take(&text));
    free(files);
    free(name);
    return status;
}

/* --- the trace beside it --- */

static void add_measures(struct result *result, const struct study_run *traced, double time_s)
{
    wide_int sum = 0, most = 0;
    for (int s = 0; s < N_LOCATION_STATES; s++) {
        const struct measure *state = result_find(&traced->result, "state_s", location_state_names[s]);
        char name[32];
        snprintf(name, sizeof name, "%s_s", location_state_names[s]);
        if (state != NULL)
            result_add_time(result, "traced", name, measure_number(state));
    }
    for (int rank = 0; rank < traced->result.n_processors; rank++) {
        int64_t useful_ps = traced->result.state_ps[rank][STATE_USEFUL];
        sum += useful_ps;
        most = useful_ps > most ? useful_ps : most;
    }
    if (most > 0)
        result_add_ratio(result, "traced", "load_balance", (double)sum / traced->result.n_processors / (double)most);
    if (time_s > 0)
        result_add_ratio(result, "traced", "factor", measure_value(result_find(result, "", "time_s")) / time_s);
}

int replay_add_traced(struct study *study, const struct scenario *scenario, struct sim_error *error)
{
    struct study_run traced = {0};
    if (scenario->app->open_input == NULL || scenario->input_file == NULL)
        return 0;
    const struct part_request part = {scenario->from, scenario->to, scenario->ranks};
    int status = analyse_plainly(&traced, scenario->input_file, &part, error);
    if (status <= 0)
        return status;
    const struct measure *time = result_find(&traced.result, "", "time_s");
    for (int i = 0; i < study->n_runs; i++) {
        struct result *result = &study->runs[i].result;
        if (run_is_discarded(&study->runs[i]) || result_find(result, "", "time_s") == NULL)
            continue;
        result_add_time(result, "traced", "time_s", measure_number(time));
        add_measures(result, &traced, measure_value(time));
    }
    analyse_run_dispose(&traced);
    return 0;
}
