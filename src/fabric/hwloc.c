/* hwloc's XML, of which the objects of a host are counted: versions 1 to 3.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fabric/internal.h"

#include <stdio.h>
#include <string.h>

bool hwloc_is(const char *line)
{
    return strncmp(line, "<topology", strlen("<topology")) == 0 || strstr(line, "\"hwloc") != NULL;
}

/* Occurrences of a text in a line. */
static int count(const char *line, const char *text)
{
    int n = 0;
    for (const char *at = strstr(line, text); at != NULL; at = strstr(at + 1, text))
        n++;
    return n;
}

/* The value of an info of that name, the first in the file. */
static void take_info(char value[80], const char *line, const char *name)
{
    const char *at = strstr(line, name), *text = at != NULL ? strstr(at, "value=\"") : NULL;
    if (text == NULL || value[0] != '\0')
        return;
    text += strlen("value=\"");
    snprintf(value, 80, "%.*s", (int)strcspn(text, "\""), text);
}

int hwloc_read(struct fabric *fabric, struct sheet *sheet, struct sim_error *error)
{
    int n_machines = 0, n_cores = 0, n_units = 0, n_packages = 0;
    while (sheet_next(sheet)) {
        n_machines += count(sheet->line, "<object type=\"Machine\"");
        if (n_machines > 1)
            return sheet_fail(sheet, error, "has a second machine; allowed: the description of one host");
        n_cores += count(sheet->line, "<object type=\"Core\"");
        n_units += count(sheet->line, "<object type=\"PU\"");
        n_packages += count(sheet->line, "<object type=\"Package\"") + count(sheet->line, "<object type=\"Socket\"");
        take_info(fabric->machine, sheet->line, "name=\"CPUModel\"");
    }
    if (n_cores + n_units == 0)
        return sim_error_set(error, SIM_BAD_INPUT, sheet->file, 0,
                             "has no cores: neither <object type=\"Core\"> nor <object type=\"PU\">");
    fabric->cores = n_cores > 0 ? n_cores : n_units;
    fabric->packages = n_packages;
    return 0;
}
