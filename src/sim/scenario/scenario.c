/* From the elements of a scenario file to its platforms, its application and what else it names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/scenario/scenario.h"

#include "base/builder.h"
#include "base/known.h"
#include "base/memory.h"
#include "os/prolog.h"
#include "os/reserved_outputs.h"
#include "os/unpack.h"
#include "sim/program/allocation.h"
#include "sim/scenario/params_internal.h"
#include "sim/scenario/platforms.h"
#include "sim/scenario/xml.h"
#include "sim/user_broadcast/user_broadcast.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name, *measure;
} criteria[] = {{"time", "time_s"}, {"bytes", "bytes"}, {"processors", "processors_used"}};

const char *scenario_criterion(const char *name)
{
    for (size_t i = 0; i < sizeof criteria / sizeof criteria[0]; i++)
        if (strcmp(criteria[i].name, name) == 0)
            return criteria[i].measure;
    return NULL;
}

static const char *app_name_at(const void *table, int i)
{
    const struct app_spec *app = ((const struct app_spec *const *)table)[i];
    return app == NULL ? NULL : app->name;
}

static char *resolve_path(const char *scenario_file, const char *file)
{
    const char *slash = strrchr(scenario_file, '/');
    if (*file == '/' || slash == NULL)
        return xstrdup(file);
    return xformat("%.*s%s", (int)(slash + 1 - scenario_file), scenario_file, file);
}

static char *copy(const char *text)
{
    return text != NULL ? xstrdup(text) : NULL;
}

/* Open the file that describes the application, if one does. Unless it is set, `ranks` is that of the file. */
static int open_input(struct scenario *scenario, const struct scenario_text *text, struct sim_error *error)
{
    const struct scenario_element *element = &text->application;
    struct scenario_param *ranks = &scenario->params[COMMON_RANKS];
    const struct part_request part = {element->from, element->to, element->ranks};
    int n_ranks;
    if (scenario->app->open_input == NULL && element->file != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, element->line,
                             "<application> file: application '%s' takes no file", scenario->app->name);
    if (scenario->app->open_input == NULL && part_is_asked(&part))
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, element->line,
                             "<application> from, to, ranks: application '%s' has no parts; only a trace has",
                             scenario->app->name);
    if (scenario->app->open_input == NULL)
        return 0;
    if (element->file == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, element->line,
                             "<application> file: missing; application '%s' needs a file name", scenario->app->name);
    scenario->input_file = resolve_path(scenario->file, element->file);
    scenario->from = copy(part.from);
    scenario->to = copy(part.to);
    scenario->ranks = copy(part.ranks);
    if (scenario->app->open_input(&scenario->input, &n_ranks, scenario->input_file, &part, error) != 0)
        return -1;
    if (ranks->line == 0)
        ranks->values[0] = n_ranks;
    return 0;
}

/* A file that another names is regular, so that no pipe or device is waited for. */
static FILE *open_named(const char *file, const char *named_by, struct sim_error *error)
{
    struct stat status;
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | (named_by != NULL ? O_NONBLOCK : 0));
    bool is_bad = descriptor >= 0 && named_by != NULL && (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode));
    if (descriptor < 0)
        sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    else if (is_bad)
        sim_error_set(error, SIM_BAD_INPUT, file, 0, "is not a regular file");
    else
        return fdopen(descriptor, "rb");
    if (is_bad)
        close(descriptor);
    return NULL;
}

/* Read a file of at most so many bytes, and one more, so that more is noticed; to be freed. */
static int read_file(char **text, size_t *size, size_t most, const char *file, const char *named_by,
                     struct sim_error *error)
{
    if (reserved_outputs_check(file, named_by, error) != 0)
        return -1;
    FILE *stream = open_named(file, named_by, error);
    if (stream == NULL)
        return -1;
    char *read = xmalloc(most + 1);
    *size = fread(read, 1, most + 1, stream);
    int status = ferror(stream) ? sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno)) : 0;
    fclose(stream);
    *text = read;
    if (status == 0 && !unpack_is_packed(read, *size))
        return 0;
    free(read);
    return status == 0 ? unpack_text(text, size, most, file, error) : -1;
}

/* Read the lines of the broadcast `own`. */
static int open_own(struct scenario *scenario, const struct scenario_element *element, struct sim_error *error)
{
    if (element->file == NULL)
        return 0;
    scenario->own_file = resolve_path(scenario->file, element->file);
    if (read_file(&scenario->own_text, &scenario->own_size, USER_BROADCAST_MAX_BYTES, scenario->own_file,
                  scenario->file, error) != 0)
        return -1;
    return user_broadcast_lines_read(&scenario->own, scenario->own_text, scenario->own_size, scenario->own_file, error);
}

/* Give the elements their meaning. */
static int resolve(struct scenario *scenario, const struct scenario_text *text, const struct app_spec *const *apps,
                   struct sim_error *error)
{
    char known[800];
    const struct app_spec *app = app_find(apps, text->application.name);
    if (app == NULL) {
        known_format(known, sizeof known, text->application.name, app_name_at, apps);
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, text->application.line,
                             "<application> name: unknown application '%.80s'%s", text->application.name, known);
    }
    scenario->app = app;
    scenario->name = xstrdup(text->scenario.name);
    scenario->title = text->scenario.title == NULL ? NULL : xstrdup(text->scenario.title);
    scenario->platform_line = text->platform.line;
    if (scenario_platforms_read(scenario, text->platform.file, text->platform.line, error) != 0)
        return -1;
    if (text->reference.file != NULL) {
        scenario->reference_file = resolve_path(scenario->file, text->reference.file);
        scenario->reference_line = text->reference.line;
        if (reserved_outputs_check(scenario->reference_file, scenario->file, error) != 0)
            return -1;
    }
    scenario->asks_what_if = text->what_if.line != 0;
    scenario->causes_line = text->what_if.line;
    scenario->causes = text->what_if.causes == NULL ? NULL : xstrdup(text->what_if.causes);
    scenario_params_init(scenario);
    if (scenario_params_read(scenario, text, error) != 0 || open_input(scenario, text, error) != 0 ||
        open_own(scenario, &text->broadcast, error) != 0 ||
        scenario_title_check(scenario, text->scenario.line, error) != 0)
        return -1;
    if (text->decision.line == 0)
        return 0;
    scenario->decision = scenario_criterion(text->decision.by != NULL ? text->decision.by : "time");
    return scenario_params_decide(scenario, text->decision.line, error);
}

static int check_size(size_t size, const char *label, struct sim_error *error)
{
    if (size == 0)
        return sim_error_set(error, SIM_BAD_INPUT, label, 0, "the file is empty; it must hold a <scenario>");
    if (size > SCENARIO_MAX_BYTES)
        return sim_error_set(error, SIM_BAD_INPUT, label, 0,
                             "the file is larger than 1 MiB, the most that a scenario may have");
    return 0;
}

int scenario_load_text(struct scenario *scenario, const char *text, size_t size, const char *file_label,
                       const struct app_spec *const *apps, struct sim_error *error)
{
    struct scenario_text elements;
    *scenario = (struct scenario){0};
    if (check_size(size, file_label, error) != 0)
        return -1;
    char *own = xmalloc(size);
    memcpy(own, text, size);
    prolog_mend(own, size);
    if (scenario_xml_read(&elements, own, size, file_label, error) != 0) {
        free(own);
        return -1;
    }
    scenario->file = xstrdup(file_label);
    scenario->text = own;
    scenario->size = size;
    int status = resolve(scenario, &elements, apps, error);
    scenario_xml_dispose(&elements);
    if (status != 0) {
        scenario_dispose(scenario);
        return -1;
    }
    return 0;
}

int scenario_load_file(struct scenario *scenario, const char *file, const struct app_spec *const *apps,
                       struct sim_error *error)
{
    *scenario = (struct scenario){0};
    char *text;
    size_t size;
    if (read_file(&text, &size, SCENARIO_MAX_BYTES, file, NULL, error) != 0)
        return -1;
    int status = scenario_load_text(scenario, text, size, file, apps, error);
    free(text);
    return status;
}

void scenario_dispose(struct scenario *scenario)
{
    for (int i = 0; i < scenario->n_params; i++)
        free(scenario->params[i].values);
    free(scenario->params);
    free(scenario->file);
    free(scenario->text);
    free(scenario->name);
    free(scenario->title);
    scenario_platforms_dispose(scenario);
    free(scenario->reference_file);
    free(scenario->input_file);
    free(scenario->from);
    free(scenario->to);
    free(scenario->ranks);
    free(scenario->causes);
    free(scenario->own_file);
    free(scenario->own_text);
    user_broadcast_lines_free(scenario->own);
    if (scenario->allocation != NULL)
        allocation_dispose(scenario->allocation);
    free(scenario->allocation);
    free(scenario->allocation_text);
    if (scenario->input != NULL)
        scenario->app->close_input(scenario->input);
    *scenario = (struct scenario){0};
}
