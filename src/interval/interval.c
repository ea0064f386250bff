/* The names of what intervals say, and giving intervals to sinks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "interval/interval.h"

#include <stdio.h>

_Static_assert(sizeof(struct interval) <= 128, "an interval is two cache lines");

const char *const location_state_names[N_LOCATION_STATES] = {
    [STATE_USEFUL] = "useful",   [STATE_CONTROL] = "control", [STATE_IO] = "io",     [STATE_SEND] = "send",
    [STATE_RECEIVE] = "receive", [STATE_LIBRARY] = "library", [STATE_IDLE] = "idle",
};
const bool location_state_is_usual[N_LOCATION_STATES] = {
    [STATE_USEFUL] = true, [STATE_CONTROL] = true, [STATE_SEND] = true, [STATE_RECEIVE] = true, [STATE_IDLE] = true,
};

const char *const category_names[N_CATEGORIES] = {
    [CATEGORY_NONE] = "none",     [CATEGORY_COMP] = "Comp",     [CATEGORY_EXTRA] = "Extra",
    [CATEGORY_WAIT] = "Wait",     [CATEGORY_PRSTE] = "Prste",   [CATEGORY_CPCOMP] = "CPComp",
    [CATEGORY_CPWAIT] = "CPWait", [CATEGORY_CPIDLE] = "CPIdle",
};

const char *const operation_names[N_OPERATIONS] = {
    [OPERATION_NONE] = "none",         [OPERATION_PAGE] = "page",       [OPERATION_DIFF] = "diff",
    [OPERATION_TWIN] = "twin",         [OPERATION_LOCK] = "lock",       [OPERATION_BARRIER] = "barrier",
    [OPERATION_PREFETCH] = "prefetch", [OPERATION_COLLECT] = "collect", [OPERATION_RESUME] = "resume",
};

const char *const wait_state_names[N_WAIT_STATES] = {
    [WAIT_NONE] = "none",
    [WAIT_LATE_SENDER] = "late sender",
    [WAIT_LATE_RECEIVER] = "late receiver",
    [WAIT_BARRIER] = "wait at barrier",
    [WAIT_N_TO_N] = "wait at N x N",
    [WAIT_LATE_ROOT] = "late root",
    [WAIT_EARLY_ROOT] = "early root",
    [WAIT_EARLY_SCAN] = "early scan",
    [WAIT_FENCE] = "wait at fence",
    [WAIT_LATE_POST] = "late post",
    [WAIT_EARLY_WAIT] = "early wait",
    [WAIT_LOCK] = "lock contention",
    [WAIT_CREATE] = "wait at create",
    [WAIT_FILE] = "wait at file",
    [WAIT_IN_VAIN] = "polls in vain",
    [WAIT_PROCESSOR] = "no processor",
    [WAIT_FOREIGN] = "other programs",
    [WAIT_SLEEP] = "asleep",
    [WAIT_OFF] = "off the processor",
    [WAIT_UNRECORDED] = "not recorded",
    [WAIT_START] = "before the start",
    [WAIT_END] = "after the end",
    [WAIT_NEVER] = "in vain",
    [WAIT_THREAD] = "wait for thread",
    [WAIT_STREAM] = "wait for stream",
    [WAIT_LAUNCH] = "wait for launch",
    [WAIT_SERIAL] = "serial part",
    [WAIT_TEAM] = "wait for team",
    [WAIT_THREAD_LOCK] = "lock of threads",
    [WAIT_OTHER] = "other waiting",
};

void interval_sink_give(const struct interval_sink *sink, const struct interval *intervals, int count)
{
    if (sink->take_many != NULL) {
        sink->take_many(sink->self, intervals, count);
        return;
    }
    for (int i = 0; i < count; i++)
        sink->take(sink->self, &intervals[i]);
}

void interval_name_processor(char name[PROCESSOR_NAME], const struct interval_setup *setup, int location)
{
    const char *given = setup->processor_names != NULL ? setup->processor_names[location] : NULL;
    if (given != NULL)
        snprintf(name, PROCESSOR_NAME, "%s", given);
    else
        snprintf(name, PROCESSOR_NAME, "cpu %d", location / setup->n_ranks);
}

void interval_name_location(char name[LOCATION_NAME], const struct interval_setup *setup, int location)
{
    int rank = location % setup->n_ranks;
    char processor[PROCESSOR_NAME];
    if (location >= interval_processors(setup)) {
        snprintf(name, LOCATION_NAME, setup->has_progress ? "rank %d progress" : "controller %d", rank);
    } else if (location < setup->n_ranks) {
        snprintf(name, LOCATION_NAME, "rank %d", rank);
    } else {
        interval_name_processor(processor, setup, location);
        snprintf(name, LOCATION_NAME, "rank %d %s", rank, processor);
    }
}
