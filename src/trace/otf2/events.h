/* The events of one location, from the files into a cursor.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_EVENTS_H
#define TRACE_OTF2_EVENTS_H

#include "trace/otf2/cursor.h"

/* trace/otf2/library.c: collects what the OTF2 library has to say, which it would print otherwise. One at a time. */
struct otf_complaint {
    char text[256]; /* the first one, "" if there is none */
};
void otf_complaint_listen(struct otf_complaint *complaint);

/* Where the library gets the memory of chunks. It clears that of a reader's first chunk, which is any. It does not
 * clear that of further chunks; when a file ends within one, it reads on into earlier contents, which may be another
 * rank's events. So these come fresh from the system and end in zeros: the end of a chunk. */
enum otf_memory { OTF_MEMORY_ANY, OTF_MEMORY_FRESH };
void otf_memory_from(enum otf_memory memory);
/* Give free memory back to the system: it has no contents from now on. */
void otf_memory_forget(void);

/* How many events a location's file can have at most: each takes a byte. Some writers' definitions say a wrong
 * number. */
uint64_t otf_most_events(const struct otf_shared *shared, uint64_t location);

/* trace/otf2/event_callbacks.c: have the reader hand its events over to the cursor. */
void otf_event_callbacks(OTF2_EvtReader *reader, struct otf_cursor *cursor);

/* trace/otf2/event_callbacks.c: have the reader hand its events over to the cursor. */
void otf_event_callbacks(OTF2_EvtReader *reader, struct otf_cursor *cursor);

struct otf_stream {
    OTF2_Reader *archive;
    OTF2_EvtReader *reader; /* NULL: not opened yet, or at its end */
    uint64_t most;          /* events that there can be */
    uint64_t n_read;
    bool is_done;
};

/* Hand events over until the cursor has records or there are no more events. The archive's files of events are open.
 * 0, or -1 with an error. Opens and closes the stream as needed: one that is all zero but for `archive` begins anew. */
int otf_stream_fill(struct otf_stream *stream, struct otf_cursor *cursor, struct otf_complaint *complaint,
                    struct sim_error *error);
void otf_stream_close(struct otf_stream *stream);

#endif
