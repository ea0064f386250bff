/* The table of causes: which costs each takes away, and which parts of the critical path are attributed to it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/what_if/internal.h"

#include "base/known.h"

#include <stdio.h>
#include <string.h>

#define PROCESSING (BIT(PART_CPU) | BIT(PART_FPU) | BIT(PART_CONTROL_CPU) | BIT(PART_CONTROL_FPU))
#define MEMORY (BIT(PART_EXTERNAL) | BIT(PART_INTERNAL) | BIT(PART_CONTROL_EXTERNAL) | BIT(PART_CONTROL_INTERNAL))
#define CONTROL                                                                                                        \
    (BIT(PART_CONTROL_CPU) | BIT(PART_CONTROL_FPU) | BIT(PART_CONTROL_EXTERNAL) | BIT(PART_CONTROL_INTERNAL))
#define USEFUL (BIT(PART_CPU) | BIT(PART_FPU) | BIT(PART_EXTERNAL) | BIT(PART_INTERNAL))
#define NETWORK (BIT(PART_LATENCY) | BIT(PART_LENGTH) | BIT(PART_CONTENTION) | BIT(PART_OVERHEAD))

const struct what_if_cause what_if_causes[N_CAUSES] = {
    [WITHOUT_LATENCY] = {.part_of = WITHOUT_NETWORK,
                         .summary = "the time of an empty message",
                         .costs = COST_LATENCY,
                         .parts = BIT(PART_LATENCY),
                         .programs = ANY_PROGRAM,
                         .is_partner = 1},
    [WITHOUT_BANDWIDTH] = {.part_of = WITHOUT_NETWORK,
                           .summary = "the time per byte of a message; without it, bandwidth is infinite",
                           .costs = COST_LENGTH,
                           .parts = BIT(PART_LENGTH),
                           .programs = ANY_PROGRAM,
                           .is_partner = 1},
    [WITHOUT_CONTENTION] = {.part_of = WITHOUT_NETWORK,
                            .summary = "waiting for links that other messages use; without it, the network is quiet",
                            .parts = BIT(PART_CONTENTION),
                            .quiet = 1,
                            .programs = ANY_PROGRAM,
                            .is_partner = 1},
    [WITHOUT_OVERHEAD] = {.part_of = WITHOUT_NETWORK,
                          .summary = "processor time for sending and receiving messages",
                          .costs = COST_OVERHEAD,
                          .parts = BIT(PART_OVERHEAD),
                          .programs = ANY_PROGRAM,
                          .is_partner = 1},
    [WITHOUT_NETWORK] = {.part_of = WITHOUT_NOTHING,
                         .summary = "all four above; without them, the network is ideal and messages take no time",
                         .costs = COST_LATENCY | COST_LENGTH | COST_OVERHEAD,
                         .parts = NETWORK,
                         .quiet = 1,
                         .programs = ANY_PROGRAM},
    [WITHOUT_IMBALANCE] = {.part_of = WITHOUT_NOTHING,
                           .summary = "without it, every rank computes the mean of all ranks in each phase",
                           .parts = USEFUL,
                           .shared_parts = USEFUL,
                           .balanced = 1,
                           .programs = ANY_PROGRAM},
    [WITHOUT_CONTROL] = {.part_of = WITHOUT_NOTHING,
                         .summary =
                             "all work that exists only because the program is parallel: computation, links, protocol",
                         .costs = COST_LINK_INIT | COST_PROTOCOL,
                         .parts = CONTROL | BIT(PART_LINK_INIT),
                         .free_parts = CONTROL,
                         .programs = ANY_PROGRAM},
    [WITHOUT_LINK_INIT] = {.part_of = WITHOUT_CONTROL,
                           .summary = "the initialization of links",
                           .costs = COST_LINK_INIT,
                           .parts = BIT(PART_LINK_INIT),
                           .programs = WITH_MESSAGES,
                           .is_partner = 1},
    [WITHOUT_IO] = {.part_of = WITHOUT_NOTHING,
                    .summary = "input and output",
                    .costs = COST_IO,
                    .parts = BIT(PART_INPUT) | BIT(PART_OUTPUT),
                    .free_parts = BIT(PART_INPUT) | BIT(PART_OUTPUT),
                    .programs = WITH_MESSAGES,
                    .is_partner = 1},
    [WITHOUT_PROCESSING] = {.part_of = WITHOUT_COMPUTATION,
                            .summary = "the CPU and FPU time of computation",
                            .parts = PROCESSING,
                            .shared_parts = PROCESSING,
                            .free_parts = PROCESSING,
                            .programs = ANY_PROGRAM},
    [WITHOUT_MEMORY] = {.part_of = WITHOUT_COMPUTATION,
                        .summary = "the internal and external memory time of computation",
                        .parts = MEMORY,
                        .shared_parts = MEMORY,
                        .free_parts = MEMORY,
                        .programs = ANY_PROGRAM},
    [WITHOUT_COMPUTATION] = {.part_of = WITHOUT_NOTHING,
                             .summary = "all computation",
                             .parts = PROCESSING | MEMORY,
                             .shared_parts = PROCESSING | MEMORY,
                             .free_parts = PROCESSING | MEMORY,
                             .programs = ANY_PROGRAM,
                             .is_partner = 1},
    [WITHOUT_PROTOCOL] = {.part_of = WITHOUT_CONTROL,
                          .summary = "what processors and controllers do to keep shared memory coherent",
                          .costs = COST_PROTOCOL,
                          .programs = WITH_SHARED_MEMORY},
    [WITHOUT_INTERRUPTS] = {.part_of = WITHOUT_OVERHEAD,
                            .summary = "interrupting the program to serve others' requests, and resuming it",
                            .costs = COST_INTERRUPT,
                            .programs = WITH_SHARED_MEMORY},
};

static int find_cause(const char *name, size_t length)
{
    for (int i = 0; i < N_CAUSES; i++)
        if (strlen(without_names[i]) == length && strncmp(without_names[i], name, length) == 0)
            return i;
    return -1;
}

static const char *cause_name_at(const void *table, int i)
{
    (void)table;
    return i < N_CAUSES ? without_names[i] : NULL;
}

/* Say what is wrong with a name, and which there are. */
static int fail_unknown(char *why, size_t why_size, const char *name, size_t length)
{
    char word[41], known[240];
    snprintf(word, sizeof word, "%.*s", length < 40 ? (int)length : 40, name);
    known_format(known, sizeof known, word, cause_name_at, NULL);
    return sim_error_why(why, why_size, "unknown cause '%s'%s", word, known);
}

int what_if_parse(uint32_t *causes, const char *list, char *why, size_t why_size)
{
    uint32_t found = list == NULL ? (uint32_t)BIT(N_CAUSES) - 1 : 0;
    while (list != NULL) {
        size_t length = strcspn(list, ",");
        int cause = find_cause(list, length);
        if (cause < 0)
            return fail_unknown(why, why_size, list, length);
        if (found & BIT(cause))
            return sim_error_why(why, why_size, "'%.*s' is listed twice", (int)length, list);
        found |= BIT(cause);
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    *causes = found;
    return 0;
}
