#include "report/report.h"

#include <string.h>

#define REPORT(name) extern const struct report_spec report_##name;
#include "report/report_list.def"
#undef REPORT

const struct report_spec *const report_specs[] = {
#define REPORT(name) &report_##name,
#include "report/report_list.def"
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
    for (int i = 1; i < report->n_runs; i++)
        if (report->runs[i].parameters[parameter].number != report->runs[0].parameters[parameter].number)
            return true;
    return false;
}
