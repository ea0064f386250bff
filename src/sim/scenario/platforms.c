/* The list of a scenario's platforms, which `--set platform=` can narrow.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/scenario/platforms.h"

#include "base/known.h"
#include "base/memory.h"
#include "os/named.h"
#include "os/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int find_name(const struct scenario *scenario, const char *name)
{
    for (int i = 0; i < scenario->n_platforms; i++)
        if (strcmp(scenario->platforms[i].name, name) == 0)
            return i;
    return -1;
}

/* A file beside the scenario, or else a platform of that name that comes with simrun; to be freed. */
static char *find_file(const struct scenario *scenario, const char *name)
{
    char *beside = path_beside(scenario->file, name, strlen(name));
    char *known = access(beside, F_OK) == 0 ? NULL : named_find("platforms", name);
    if (known == NULL)
        return beside;
    free(beside);
    return known;
}

static int add_platform(struct scenario *scenario, const char *file, long line, struct sim_error *error)
{
    char *name = path_title(file);
    int status = 0;
    if (*file == '\0')
        status = sim_error_set(error, SIM_BAD_INPUT, scenario->file, line,
                               "<platform> file: the list of platforms has an empty item");
    else if (find_name(scenario, name) >= 0)
        status = sim_error_set(error, SIM_BAD_INPUT, scenario->file, line, "<platform> file: '%.200s' is listed twice",
                               name);
    else if (scenario->n_platforms == SCENARIO_MAX_PLATFORMS)
        status = sim_error_set(error, SIM_BAD_INPUT, scenario->file, line,
                               "<platform> file: more than %d platforms found, the most that are allowed",
                               SCENARIO_MAX_PLATFORMS);
    if (status != 0) {
        free(name);
        return -1;
    }
    scenario->platforms =
        xrealloc(scenario->platforms, (size_t)(scenario->n_platforms + 1) * sizeof *scenario->platforms);
    scenario->platforms[scenario->n_platforms++] = (struct scenario_platform){find_file(scenario, file), name};
    return 0;
}

int scenario_platforms_read(struct scenario *scenario, const char *files, long line, struct sim_error *error)
{
    char *copy = xstrdup(files), *rest = copy, *file;
    int status = 0;
    while (status == 0 && (file = strsep(&rest, ",")) != NULL)
        status = add_platform(scenario, file, line, error);
    free(copy);
    if (status == 0)
        scenario->platform_file = scenario->platforms[0].file;
    return status;
}

static const char *name_at(const void *data, int i)
{
    const struct scenario *scenario = data;
    return i < scenario->n_platforms ? scenario->platforms[i].name : NULL;
}

static bool is_file(const char *name)
{
    struct stat status; /* not opened: it may be a pipe */
    return stat(name, &status) == 0 && S_ISREG(status.st_mode) && access(name, R_OK) == 0;
}

/* A platform that the scenario does not name: a file beside the first that it does. */
static int add_other(struct scenario *scenario, const char *name, const char *label, struct sim_error *error)
{
    char known[600], *other = xformat("%s.xml", name);
    char *file = path_beside(scenario->platforms[0].file, other, strlen(other));
    free(other);
    if (strchr(name, '/') == NULL && *name != '\0' && scenario->n_platforms < SCENARIO_MAX_PLATFORMS && is_file(file)) {
        scenario->platforms =
            xrealloc(scenario->platforms, (size_t)(scenario->n_platforms + 1) * sizeof *scenario->platforms);
        scenario->platforms[scenario->n_platforms++] = (struct scenario_platform){file, xstrdup(name)};
        scenario->has_other_platforms = true;
        return 0;
    }
    free(file);
    known_format(known, sizeof known, name, name_at, scenario);
    return sim_error_set(error, SIM_BAD_INPUT, label, 0,
                         "'%.80s' is neither one of the scenario's platforms nor a file next to %.200s%s", name,
                         scenario->platforms[0].file, known);
}

/* Mark the named ones, and add those that are not there. */
static int mark(bool *marked, struct scenario *scenario, char *names, const char *label, struct sim_error *error)
{
    char *name;
    while ((name = strsep(&names, ",")) != NULL) {
        int found = find_name(scenario, name);
        if (found >= 0 && marked[found])
            return sim_error_set(error, SIM_BAD_INPUT, label, 0, "'%.80s' is listed twice", name);
        if (found < 0 && add_other(scenario, name, label, error) != 0)
            return -1;
        marked[found >= 0 ? found : scenario->n_platforms - 1] = true;
    }
    return 0;
}

/* Keep the marked ones. */
static void keep(struct scenario *scenario, const bool *marked)
{
    int n_kept = 0;
    for (int i = 0; i < scenario->n_platforms; i++) {
        struct scenario_platform platform = scenario->platforms[i];
        if (marked[i]) {
            scenario->platforms[n_kept++] = platform;
            continue;
        }
        free(platform.file);
        free(platform.name);
    }
    scenario->n_platforms = n_kept;
    scenario->platform_file = scenario->platforms[0].file;
}

int scenario_platforms_select(struct scenario *scenario, const char *names, const char *label, struct sim_error *error)
{
    bool marked[SCENARIO_MAX_PLATFORMS] = {false}, as_before[SCENARIO_MAX_PLATFORMS] = {false};
    for (int i = 0; i < scenario->n_platforms; i++)
        as_before[i] = true;
    char *copy = xstrdup(names);
    int status = mark(marked, scenario, copy, label, error);
    free(copy);
    keep(scenario, status == 0 ? marked : as_before);
    return status;
}

int scenario_platforms_replace(struct scenario *scenario, const char *files, struct sim_error *error)
{
    scenario_platforms_dispose(scenario);
    scenario->platforms = NULL;
    scenario->n_platforms = 0;
    scenario->has_other_platforms = true;
    return scenario_platforms_read(scenario, files, 0, error);
}

void scenario_platforms_dispose(struct scenario *scenario)
{
    for (int i = 0; i < scenario->n_platforms; i++) {
        free(scenario->platforms[i].file);
        free(scenario->platforms[i].name);
    }
    free(scenario->platforms);
}
