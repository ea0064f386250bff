/* An OTF2 archive that is being written: the part that is the same whatever is in it. Calls of the library go through
 * archive_check(), which keeps the first failure; after one nothing more should be written, but all is to be closed.
 * The names do not begin with otf2_: the library has functions so named, and would call these.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_OUTPUT_H
#define TRACE_OTF2_OUTPUT_H

#include "interval/interval.h"

#include <otf2/otf2.h>

struct archive_output {
    OTF2_Archive *archive; /* NULL: it could not be opened */
    OTF2_GlobalDefWriter *definitions;
    uint32_t n_strings;    /* defined */
    OTF2_ErrorCode status; /* of the first call that failed */
    int reason;            /* the errno it left; the library's own codes seldom say what has happened */
};

/* Open FOLDER/NAME.otf2 for writing by this process alone, and its files for events. */
void archive_open(struct archive_output *archive, const char *folder, const char *name);
void archive_close(struct archive_output *archive);

/* After each call of the library, errno having been 0 before the first of a series. */
void archive_check(struct archive_output *archive, OTF2_ErrorCode status);
/* The reason of the first failure. */
const char *archive_reason(const struct archive_output *archive);

/* After the events: files of definitions for each location, then the definitions. */
void archive_begin_definitions(struct archive_output *archive, int n_locations);
OTF2_StringRef archive_define_string(struct archive_output *archive, const char *string);
void archive_define_region(struct archive_output *archive, int region, const char *name, OTF2_RegionRole role,
                           OTF2_Paradigm paradigm);
/* Locations: ranks 0 ... n_ranks-1, which are MPI_COMM_WORLD, number 0, a process each; their further processors, which
 * are threads of these processes; then controllers, a process each. */
void archive_define_locations(struct archive_output *archive, const struct interval_setup *setup,
                              const uint64_t *n_events);
/* A further communicator, number 1 or more, of ranks of the world. */
void archive_define_comm(struct archive_output *archive, int number, const int *members, int n_members);

#endif
