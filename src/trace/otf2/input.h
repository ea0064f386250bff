/* An OTF2 archive that is open for reading: the library's handle, the definitions, and what its first pass found.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_INPUT_H
#define TRACE_OTF2_INPUT_H

#include "trace/otf2/events.h"

struct otf_input {
    char *file;
    OTF2_Reader *handle;
    struct otf_defs defs;
    struct otf_shared shared;
    struct otf_survey *surveys; /* of each location that is read */
    struct otf_complaint complaint;
};

/* Open the archive in a child process: whether the library survives it (trace/otf2/trial.c). */
int otf_input_try(const char *file, struct sim_error *error);

/* Open the archive and read its definitions, the global ones and the ranks' own. On an error, too, the input and the
 * info are to be disposed of. */
int otf_input_open(struct otf_input *input, struct record_info *info, const char *file, struct sim_error *error);
void otf_input_dispose(struct otf_input *input);
/* -1 if a file of the location, by its identifier, is there and is none that the library may open. */
int otf_input_check_location(const struct otf_input *input, uint64_t location, struct sim_error *error);

/* Read all events once: what is wrong with them, when they begin and end, what became of requests. */
int otf_input_survey(struct otf_input *input, struct sim_error *error);

/* trace/otf2/threads.c: before the survey, find the further threads that communicate, and pass the others over; after
 * it, find out which of them begin of themselves. */
void otf_threads_find(struct otf_input *input, struct record_info *info);
void otf_threads_order(struct otf_input *input);
void otf_threads_dispose(struct otf_shared *shared);

/* trace/otf2/synchronise.c: around the survey, make room for what synchronizes; and find out what does. Groups of
 * `info` may be added. */
void otf_meetings_init(struct otf_shared *shared, const struct record_info *info);
void otf_meetings_check(struct otf_input *input, struct record_info *info);
/* trace/otf2/info.c: after that, what nothing but the time is known of becomes part of the info. */
void otf_gaps_collect(const struct otf_input *input, struct record_info *info);
void otf_meetings_dispose(struct otf_shared *shared);

#endif
