#include "trace/trace.h"

#include <string.h>

#define TRACE(name) extern const struct trace_format trace_##name;
#include "trace/trace_list.def"
#undef TRACE

const char *const category_names[N_CATEGORIES] = {
    [CATEGORY_NONE] = "none",     [CATEGORY_COMP] = "Comp",     [CATEGORY_EXTRA] = "Extra",
    [CATEGORY_WAIT] = "Wait",     [CATEGORY_PRSTE] = "Prste",   [CATEGORY_CPCOMP] = "CPComp",
    [CATEGORY_CPWAIT] = "CPWait", [CATEGORY_CPIDLE] = "CPIdle",
};

const char *const operation_names[N_OPERATIONS] = {
    [OPERATION_NONE] = "none",         [OPERATION_PAGE] = "page",       [OPERATION_DIFF] = "diff",
    [OPERATION_TWIN] = "twin",         [OPERATION_LOCK] = "lock",       [OPERATION_BARRIER] = "barrier",
    [OPERATION_PREFETCH] = "prefetch", [OPERATION_COLLECT] = "collect",
};

const struct trace_format *const trace_formats[] = {
#define TRACE(name) &trace_##name,
#include "trace/trace_list.def"
#undef TRACE
    NULL,
};

const struct trace_format *trace_format_of(const char *file, struct sim_error *error)
{
    char known[128] = "";
    for (int i = 0; trace_formats[i] != NULL; i++) {
        size_t length = strlen(file), ending = strlen(trace_formats[i]->ending);
        if (length > ending && strcmp(file + length - ending, trace_formats[i]->ending) == 0)
            return trace_formats[i];
        strncat(known, " ", sizeof known - strlen(known) - 1);
        strncat(known, trace_formats[i]->ending, sizeof known - strlen(known) - 1);
    }
    sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--trace %s: unknown ending; known:%s", file, known);
    return NULL;
}

int trace_open(struct trace *trace, const char *file, struct sim_error *error)
{
    const struct trace_format *format = trace_format_of(file, error);
    if (format == NULL)
        return -1;
    trace->format = format;
    return output_open(&trace->output, file, error);
}

void trace_begin(struct trace *trace, const struct trace_setup *setup)
{
    trace->setup = *setup;
    trace->end_ps = 0;
    trace->format->begin(trace->output.stream, setup);
}

void trace_take(void *self, const struct event *event)
{
    struct trace *trace = self;
    if (event->end_ps > trace->end_ps)
        trace->end_ps = event->end_ps;
    trace->format->write(trace->output.stream, event);
}

int trace_close(struct trace *trace, struct sim_error *error)
{
    trace->format->end(trace->output.stream, trace->setup.n_lanes, trace->end_ps);
    return output_close(&trace->output, error);
}

void trace_abandon(struct trace *trace)
{
    output_abandon(&trace->output);
}
