/* The region visits of a location, as an OTF2 archive has them: each from Enter to Leave, with at most one message
 * between. One location is written after the other, because OTF2 holds an open file and some 4 MiB for each that is
 * being written.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_REGION_VISITS_H
#define TRACE_OTF2_REGION_VISITS_H

#include "interval/interval.h"
#include "trace/otf2/output.h"
#include "trace/record/record.h"

#include <stddef.h>
#include <stdint.h>

enum visit_region {
    REGION_SEND,
    REGION_SSEND,
    REGION_ISEND,
    REGION_ISSEND,
    REGION_RECV,
    REGION_IRECV,
    REGION_WAIT,
    REGION_USEFUL,
    REGION_CONTROL,
    REGION_MESSAGES,
    REGION_IDLE,
    REGION_INPUT,
    REGION_OUTPUT,
    REGION_LINKS,
    REGION_COLLECTIVE_CALL, /* calling one, besides its messages */
    REGION_RECEIVE,         /* of which nothing more is known */
    REGION_OTHER,           /* of the message library, and moves data */
    REGION_LIBRARY,         /* and moves none */
    REGION_START,           /* it begins or ends */
    REGION_READ,
    REGION_WRITE,
    REGION_SIGNAL,      /* another thread of the rank may go on */
    REGION_AWAIT,       /* the thread waits until that has been said */
    REGION_COLLECTIVES, /* of each enum record_collective, then */
    REGION_WITH_BLOCKS =
        REGION_COLLECTIVES + N_RECORD_COLLECTIVES, /* from gather on, those with blocks of different lengths */
    N_REGIONS = REGION_WITH_BLOCKS + 5,
};

enum visit_attribute {
    ATTRIBUTE_ROLE,
    ATTRIBUTE_OPERATIONS,
    ATTRIBUTE_QUANTUMS,
    ATTRIBUTE_IDLE,
    ATTRIBUTE_BYTES,
    ATTRIBUTE_PEER,
    ATTRIBUTE_EXCHANGES,
    ATTRIBUTE_COMBINES,
    ATTRIBUTE_AWAITED, /* with the next two, and not of visits */
    ATTRIBUTE_AWAITED_TAG,
    ATTRIBUTE_AWAITED_COMM,
    ATTRIBUTE_POLLS,      /* on Enter */
    ATTRIBUTE_SIGNAL,     /* a mark that is named, ... */
    ATTRIBUTE_AWAIT,      /* ... or waited for, ... */
    ATTRIBUTE_NEEDED,     /* ... by so many records; */
    ATTRIBUTE_WAITED,     /* for what this processor of the rank does */
    ATTRIBUTE_ANY_SOURCE, /* on the record of a receive */
    N_ATTRIBUTES
};

enum visit_message {
    MESSAGE_NONE,
    MESSAGE_SENT,
    MESSAGE_RECEIVED,
    MESSAGE_BEGUN,    /* a send under `request` */
    MESSAGE_POSTED,   /* a receive: only its request */
    MESSAGE_ENDED,    /* waiting for that send: only its request */
    MESSAGE_TAKEN_IN, /* waiting for that receive */
};

/* Roles of visits: each enum location_state, none, and what idling was for. */
enum visit_role {
    VISIT_PLAIN = N_LOCATION_STATES,
    VISIT_RANKS,
    VISIT_FOREIGN,
    VISIT_ASLEEP,
    VISIT_OFF,
    VISIT_LAUNCH,
    VISIT_UNRECORDED,
    VISIT_SERIAL,
    VISIT_TEAM,
    VISIT_THREAD_LOCK,
    VISIT_MESSAGES,
    N_VISIT_ROLES
};

/* A region from Enter to Leave, with what is in it. */
struct region_visit {
    int64_t start_ps, end_ps;
    int64_t numbers[2]; /* of the attributes on Leave */
    int64_t at_ps;      /* of the message's record */
    int64_t bytes;      /* of the message */
    uint64_t request;
    int32_t peer, tag, comm;      /* of the message; the peer is a rank of the communicator */
    int32_t region, scope_region; /* region: -1: another one is entered; scope_region: around it; -1: none */
    uint8_t attributes[2];        /* that `numbers` are of; N_ATTRIBUTES: none */
    uint8_t role;                 /* enum visit_role */
    uint8_t message;              /* enum visit_message */
    bool from_any;                /* of a receive: it was from any source; not of what is packed */
};

/* A visit of events, whose second number is 1, of what a machine may have a price for, and which is about the first
 * communicator, without what it does not have: its bytes, a multiple of 8; and back. */
enum { VISIT_WORDS = 8 };
size_t visit_pack(uint64_t words[static VISIT_WORDS], const struct region_visit *visit);
void visit_unpack(struct region_visit *visit, const uint64_t *words);

/* Where visits go. Strings are numbered as they are written; those that events refer to come first: the names of the
 * states, by state. */
struct visit_output {
    struct archive_output archive;
    OTF2_AttributeList *list;
    uint64_t *n_events;     /* of each location; as many as there are locations */
    OTF2_EvtWriter *writer; /* of the location that is being written; NULL: none */
    int scope_region;       /* that is entered; -1: none */
    int64_t end_ps;         /* of the location */
};

/* After archive_open() the rest: status in the archive's. */
void visit_output_init(struct visit_output *output);
void visit_output_dispose(struct visit_output *output);

/* A location from its first visit to its last one. It must be ended, whatever has failed. */
void visit_begin_location(struct visit_output *output, int location);
void visit_write(struct visit_output *output, const struct region_visit *visit);
void visit_end_location(struct visit_output *output, int location);

/* The tick of a time of the run. The first is 1, and the clock's offset says so. At tick 0 the library (3.0) writes a
 * time before every event, at the beginning of a chunk a second one, and no reader takes two in a row. */
enum { FIRST_TICK = 1 };
OTF2_TimeStamp visit_tick(int64_t at_ps);

/* Enter and leave a region; what has been added to the list of attributes goes along. */
void region_enter(struct visit_output *output, int64_t at_ps, int region);
void region_leave(struct visit_output *output, int64_t at_ps, int region);

/* The names of the states, the clock, up to end_ps, the regions and the attributes; says_waits: as in record_info. */
void visit_define(struct visit_output *output, int64_t end_ps, bool says_waits);

/* The parameter of the blocks' lengths of a collective. */
enum { PARAMETER_BLOCK };

#endif
