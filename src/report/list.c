/* The table of output formats.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include <string.h>

#define REPORT(name) extern const struct report_spec report_##name;
#include "report/list.def"
#undef REPORT

const struct report_spec *const report_specs[] = {
#define REPORT(name) &report_##name,
#include "report/list.def"
#undef REPORT
    NULL,
};

const struct report_spec *report_find(const char *name)
{
    for (int i = 0; report_specs[i] != NULL; i++)
        if (strcmp(report_specs[i]->name, name) == 0)
            return report_specs[i];
    return NULL;
}
