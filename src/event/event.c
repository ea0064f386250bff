/* The names of what events say. */
#include "event/event.h"

const char *const location_state_names[N_LOCATION_STATES] = {"useful", "control", "send", "receive", "idle"};

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
