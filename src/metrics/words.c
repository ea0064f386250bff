/* The names of what tables say by a word.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/words.h"

const char *const path_component_names[N_PATH_COMPONENTS] = {
    [COMPONENT_PROCESSING] = "processing",       [COMPONENT_MEMORY] = "memory",
    [COMPONENT_COMMUNICATION] = "communication", [COMPONENT_LIBRARY] = "library",
    [COMPONENT_OFF] = "off_processor",           [COMPONENT_IO] = "io",
    [COMPONENT_UNRECORDED] = "unrecorded",
};

const char *const path_part_names[N_PATH_PARTS] = {
    [PART_CPU] = "processing.cpu",
    [PART_FPU] = "processing.fpu",
    [PART_EXTERNAL] = "memory.external",
    [PART_INTERNAL] = "memory.internal",
    [PART_CONTROL_CPU] = "control.cpu",
    [PART_CONTROL_FPU] = "control.fpu",
    [PART_CONTROL_EXTERNAL] = "control.external",
    [PART_CONTROL_INTERNAL] = "control.internal",
    [PART_INPUT] = "io.input",
    [PART_OUTPUT] = "io.output",
    [PART_LINK_INIT] = "communication.link_init",
    [PART_LIBRARY] = "library",
    [PART_STARTUP] = "startup",
    [PART_OFF] = "off_processor",
    [PART_OVERHEAD] = "communication.overhead",
    [PART_LATENCY] = "communication.latency",
    [PART_LENGTH] = "communication.length",
    [PART_CONTENTION] = "communication.contention",
    [PART_PROTOCOL] = "protocol",
    [PART_ANSWER] = "answers",
};

const char *const waited_for_names[N_CATEGORIES] = {
    [CATEGORY_NONE] = "answer",   [CATEGORY_COMP] = "Comp",     [CATEGORY_EXTRA] = "Extra",
    [CATEGORY_WAIT] = "Wait",     [CATEGORY_PRSTE] = "Prste",   [CATEGORY_CPCOMP] = "CPComp",
    [CATEGORY_CPWAIT] = "CPWait", [CATEGORY_CPIDLE] = "CPIdle",
};

const char *const place_kind_names[N_PLACE_KINDS] = {[PLACE_RANK] = "rank", [PLACE_HOST] = "host"};

const char *const node_kind_names[N_NODE_KINDS] = {[NODE_HOST] = "host", [NODE_SWITCH] = "switch"};

const char *const without_names[N_CAUSES + 1] = {
    [WITHOUT_LATENCY] = "latency",       [WITHOUT_BANDWIDTH] = "bandwidth",   [WITHOUT_CONTENTION] = "contention",
    [WITHOUT_OVERHEAD] = "overhead",     [WITHOUT_NETWORK] = "network",       [WITHOUT_IMBALANCE] = "imbalance",
    [WITHOUT_CONTROL] = "control",       [WITHOUT_LINK_INIT] = "link_init",   [WITHOUT_IO] = "io",
    [WITHOUT_PROCESSING] = "processing", [WITHOUT_MEMORY] = "memory",         [WITHOUT_COMPUTATION] = "computation",
    [WITHOUT_PROTOCOL] = "protocol",     [WITHOUT_INTERRUPTS] = "interrupts", [WITHOUT_NOTHING] = "",
};

const char *const removal_names[N_REMOVALS] = {
    [REMOVAL_DONE] = "removed",
    [REMOVAL_NEEDS_MESSAGES] = "not of programs that share memory",
    [REMOVAL_NEEDS_SHARED_MEMORY] = "only of programs that share memory",
    [REMOVAL_UNFINISHED] = "without it the program does not end",
};
