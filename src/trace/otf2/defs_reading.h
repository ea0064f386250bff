/* The state of reading the global definitions, for the files that take them: defs.c, defs_locations.c, defs_comms.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_DEFS_READING_H
#define TRACE_OTF2_DEFS_READING_H

#include "trace/otf2/defs.h"

/* The names of a list, by their text. */
struct names {
    struct map map;
    size_t capacity;
};

/* The state that the callbacks share. Identifiers are anything; where one is defined twice, the later definition
 * counts. */
struct reading {
    struct otf_defs *defs;
    struct record_info *info;
    const char *file;
    struct sim_error *error;
    bool failed;
    struct otf_location *locations; /* all CPU threads, and streams, in the order of definition */
    struct map location_map, process_map;
    struct map creator_map; /* group of locations -> the process that has made it */
    struct map host_map;    /* process -> index into hosts */
    struct names scopes, functions;
    uint64_t *first_threads; /* of each process, its first thread */
    size_t n_locations, n_first_threads;
    size_t capacity_locations, capacity_contexts, capacity_first_threads, capacity_strings, capacity_regions,
        capacity_members, capacity_comms;
    uint32_t world; /* index of the group of MPI's locations, or UINT32_MAX */
};

#define FAIL(reading, ...)                                                                                             \
    ((reading)->failed = true, sim_error_set((reading)->error, SIM_BAD_INPUT, (reading)->file, 0, __VA_ARGS__),        \
     OTF2_CALLBACK_INTERRUPT)

/* Have definitions taken: those of locations and their groups; of groups of ranks, communicators, windows and files. */
void otf_defs_take_locations(OTF2_GlobalDefReaderCallbacks *callbacks);
void otf_defs_take_comms(OTF2_GlobalDefReaderCallbacks *callbacks);

/* The members of a group of locations are identifiers of locations, of up to 64 bits: these become the ranks. */
OTF2_CallbackCode otf_defs_take_world(struct reading *reading, uint32_t n, const uint64_t *locations);

/* After all definitions: find the locations of the ranks; then those of their threads and streams. Both are added to
 * the definitions. */
int otf_defs_find_ranks(struct reading *reading);
void otf_defs_list_threads(struct reading *reading);

#endif
