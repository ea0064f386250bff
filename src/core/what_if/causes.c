/* The table of causes: which costs each takes away, and which parts of the critical path are attributed to it. */
#include "core/what_if/internal.h"

#include <stdio.h>
#include <string.h>

#define PROCESSING (BIT(PART_CPU) | BIT(PART_FPU) | BIT(PART_CONTROL_CPU) | BIT(PART_CONTROL_FPU))
#define MEMORY (BIT(PART_EXTERNAL) | BIT(PART_INTERNAL) | BIT(PART_CONTROL_EXTERNAL) | BIT(PART_CONTROL_INTERNAL))
#define CONTROL                                                                                                        \
    (BIT(PART_CONTROL_CPU) | BIT(PART_CONTROL_FPU) | BIT(PART_CONTROL_EXTERNAL) | BIT(PART_CONTROL_INTERNAL))
#define USEFUL (BIT(PART_CPU) | BIT(PART_FPU) | BIT(PART_EXTERNAL) | BIT(PART_INTERNAL))
#define NETWORK (BIT(PART_LATENCY) | BIT(PART_LENGTH) | BIT(PART_CONTENTION) | BIT(PART_OVERHEAD))

const struct what_if_cause what_if_causes[] = {
    {.name = "latency",
     .part_of = "network",
     .summary = "what a message takes that has no length",
     .costs = COST_LATENCY,
     .parts = BIT(PART_LATENCY),
     .programs = ANY_PROGRAM,
     .is_partner = 1},
    {.name = "bandwidth",
     .part_of = "network",
     .summary = "what the length of messages adds; without it bandwidth has no bounds",
     .costs = COST_LENGTH,
     .parts = BIT(PART_LENGTH),
     .programs = ANY_PROGRAM,
     .is_partner = 1},
    {.name = "contention",
     .part_of = "network",
     .summary = "waiting for links that others use; without it the network is quiet",
     .parts = BIT(PART_CONTENTION),
     .quiet = 1,
     .programs = ANY_PROGRAM,
     .is_partner = 1},
    {.name = "overhead",
     .part_of = "network",
     .summary = "what processors do to hand messages over and take them in",
     .costs = COST_OVERHEAD,
     .parts = BIT(PART_OVERHEAD),
     .programs = ANY_PROGRAM,
     .is_partner = 1},
    [CAUSE_NETWORK] = {.name = "network",
                       .summary = "the four above together; without them the network is ideal, messages take no time",
                       .costs = COST_LATENCY | COST_LENGTH | COST_OVERHEAD,
                       .parts = NETWORK,
                       .quiet = 1,
                       .programs = ANY_PROGRAM},
    {.name = "imbalance",
     .summary = "without it every rank computes the mean of all ranks in each phase",
     .parts = USEFUL,
     .shared_parts = USEFUL,
     .balanced = 1,
     .programs = ANY_PROGRAM},
    {.name = "control",
     .summary = "all work that exists only because the program is parallel: computation, links, protocol",
     .costs = COST_LINK_INIT | COST_PROTOCOL,
     .parts = CONTROL | BIT(PART_LINK_INIT),
     .free_parts = CONTROL,
     .programs = ANY_PROGRAM},
    {.name = "link_init",
     .part_of = "control",
     .summary = "the initialisation of links",
     .costs = COST_LINK_INIT,
     .parts = BIT(PART_LINK_INIT),
     .programs = WITH_MESSAGES,
     .is_partner = 1},
    {.name = "io",
     .summary = "input and output",
     .costs = COST_IO,
     .parts = BIT(PART_INPUT) | BIT(PART_OUTPUT),
     .free_parts = BIT(PART_INPUT) | BIT(PART_OUTPUT),
     .programs = WITH_MESSAGES,
     .is_partner = 1},
    {.name = "processing",
     .part_of = "computation",
     .summary = "computation, its CPU and FPU time",
     .parts = PROCESSING,
     .shared_parts = PROCESSING,
     .free_parts = PROCESSING,
     .programs = ANY_PROGRAM},
    {.name = "memory",
     .part_of = "computation",
     .summary = "computation, its time of internal and external memory",
     .parts = MEMORY,
     .shared_parts = MEMORY,
     .free_parts = MEMORY,
     .programs = ANY_PROGRAM},
    {.name = "computation",
     .summary = "computation as a whole",
     .parts = PROCESSING | MEMORY,
     .shared_parts = PROCESSING | MEMORY,
     .free_parts = PROCESSING | MEMORY,
     .programs = ANY_PROGRAM,
     .is_partner = 1},
    {.name = "protocol",
     .part_of = "control",
     .summary = "what processors and controllers do to keep shared memory coherent",
     .costs = COST_PROTOCOL,
     .programs = WITH_SHARED_MEMORY},
    {.name = "interrupts",
     .part_of = "overhead",
     .summary = "leaving the program to serve others' requests, and coming back",
     .costs = COST_INTERRUPT,
     .programs = WITH_SHARED_MEMORY},
};
const int what_if_n_causes = sizeof what_if_causes / sizeof what_if_causes[0];

static int find_cause(const char *name, size_t length)
{
    for (int i = 0; i < what_if_n_causes; i++)
        if (strlen(what_if_causes[i].name) == length && strncmp(what_if_causes[i].name, name, length) == 0)
            return i;
    return -1;
}

/* Say what is wrong with a name, and which there are. */
static int fail(char *why, size_t why_size, const char *fault, const char *name, size_t length)
{
    int used = snprintf(why, why_size, "%s '%.*s'; known:", fault, length < 40 ? (int)length : 40, name);
    for (int i = 0; i < what_if_n_causes && (size_t)used < why_size; i++)
        used += snprintf(why + used, why_size - (size_t)used, " %s", what_if_causes[i].name);
    return -1;
}

int what_if_parse(uint32_t *causes, const char *list, char *why, size_t why_size)
{
    uint32_t found = list == NULL ? (uint32_t)BIT(what_if_n_causes) - 1 : 0;
    while (list != NULL) {
        size_t length = strcspn(list, ",");
        int cause = find_cause(list, length);
        if (cause < 0)
            return fail(why, why_size, "unknown cause", list, length);
        if (found & BIT(cause))
            return fail(why, why_size, "listed twice:", list, length);
        found |= BIT(cause);
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    *causes = found;
    return 0;
}
