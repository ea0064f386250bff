#include "report/report.h"

#include "base/memory.h"

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

bool report_varies(const struct report *report, int parameter)
{
    if (report->whole != NULL)
        return report_varies(report->whole, parameter);
    if (report->varying != NULL)
        return report->varying[parameter];
    for (int i = 1; i < report->n_runs; i++)
        if (report->runs[i].parameters[parameter].number != report->runs[0].parameters[parameter].number)
            return true;
    return false;
}

bool *report_find_varying(const struct report *report)
{
    int n_parameters = report->n_runs > 0 ? report->runs[0].n_parameters : 0;
    bool *varying = xcalloc((size_t)n_parameters + 1, sizeof *varying);
    for (int i = 0; i < n_parameters; i++)
        varying[i] = report_varies(report, i);
    return varying;
}
