/* One table of the variables' names; what else begins like them is a slip of the pen.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/settings.h"

#include "base/known.h"
#include "base/utf8.h"
#include "eppa/record/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { MAX_NAMES = 4, MAX_NAME = 64 }; /* that are said */

static const char prefix[] = "EPPA_";
static const char *const names[N_SETTINGS + 1] = {
    [SETTING_FILE] = "EPPA_FILE",   [SETTING_KEEP] = "EPPA_KEEP", [SETTING_PATHS] = "EPPA_PATHS",
    [SETTING_SITES] = "EPPA_SITES", [SETTING_WAIT] = "EPPA_WAIT", [SETTING_START] = "EPPA_START",
    [SETTING_STOP] = "EPPA_STOP"};

static const char *name_at(const void *table, int i)
{
    return ((const char *const *)table)[i];
}

const char *settings_text(enum setting setting)
{
    return secure_getenv(names[setting]);
}

const char *settings_name(enum setting setting)
{
    return names[setting];
}

/* Is it NAME=VALUE with a name that only seems to be the tracer's? */
static bool is_unknown(const char *variable)
{
    size_t length = strcspn(variable, "=");
    if (strncmp(variable, prefix, sizeof prefix - 1) != 0)
        return false;
    for (int i = 0; i < N_SETTINGS; i++)
        if (strlen(names[i]) == length && strncmp(variable, names[i], length) == 0)
            return false;
    return true;
}

/* ", EPPA_FLIE (EPPA_FILE?)": of a long name the beginning. */
static size_t add_name(char *text, size_t size, const char *variable)
{
    char name[MAX_NAME];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(variable, "="), variable);
    utf8_trim(name);
    const char *meant = known_find_meant(name, name_at, names);
    return (size_t)snprintf(text, size, meant == NULL ? ", %s" : ", %s (%s?)", name, meant);
}

void settings_say_unknown(void)
{
    char shown[MAX_NAMES * (2 * MAX_NAME + 8)] = "", more[32] = "", known[256];
    size_t used = 0;
    int n = 0;
    char **variable = getauxval(AT_SECURE) == 0 ? environ : NULL;
    for (; variable != NULL && *variable != NULL; variable++)
        if (is_unknown(*variable) && n++ < MAX_NAMES)
            used += add_name(shown + used, sizeof shown - used, *variable);
    if (n == 0)
        return;
    if (n > MAX_NAMES)
        snprintf(more, sizeof more, " and %d more", n - MAX_NAMES);
    known_format(known, sizeof known, "", name_at, names);
    eppa_say("unknown variables: %s%s%s", shown + 2, more, known);
}
