/* The spool: what a rank records while it runs. A directory NAME.eppa holds two files for each rank:
 *
 *     RANK.events  records, mapped into memory window by window: what is written there is in the file even when the
 *                  process is killed the next moment
 *     RANK.defs    definitions: communicators, scopes, parameters, clock offsets
 *
 * They are made into an OTF2 archive when the run ends (archive.h). Both are in the byte order of the machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_SPOOL_H
#define EPPA_ARCHIVE_SPOOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SPOOL_WINDOW_BYTES = 256 * 1024, SPOOL_MAX_WORDS = 4, SPOOL_HEAD = 16, SPOOL_MAX_PATH = 4096 };

/* Limits of a spool: more is no record of a run. Lengths [bytes]. */
enum {
    SPOOL_MAX_RANKS = 1 << 16,
    SPOOL_MAX_THREADS = 64, /* of a rank */
    SPOOL_MAX_DEFINITION = 1 << 20,
    SPOOL_MAX_VALUE = 1 << 16, /* of a parameter */
    SPOOL_MAX_SCOPES = 1024,   /* of a rank */
    SPOOL_MAX_SITES = 4096,    /* of a rank */
    SPOOL_MAX_PATHS = 1 << 16, /* of a rank */
    SPOOL_MAX_PARAMETERS = 1024,
    SPOOL_MAX_LIBRARY = 96 /* the name and version of the library of MPI, with its 0 */
};

/* Times and offsets of CLOCK_MONOTONIC are less than 36 years [ns], and CLOCK_REALTIME is before the year 2116, so that
 * what is computed of them fits. */
#define SPOOL_MAX_TIME_NS (INT64_MAX / 8)
#define SPOOL_MAX_REALTIME_NS (INT64_MAX / 2)

/* a: the communicator of messages and collectives, the window, the file, the request or the scope of others, of ENTER
 * the call site, or, if the rank has any, the call path, from 1; 0: it is not known. */
enum spool_kind {
    SPOOL_NOTHING, /* the file's end so far */
    SPOOL_BEGIN,   /* of the rank's time */
    SPOOL_FINISH,  /* of the rank's time: all is there */
    SPOOL_ENTER,   /* id: enum region; of polls a word: how many they are, of which at most the last found it */
    SPOOL_LEAVE,
    SPOOL_SCOPE_ENTER,   /* id: enum scope_role */
    SPOOL_SCOPE_LEAVE,   /* id: enum scope_role; with a phase: operations, quantums */
    SPOOL_SEND,          /* words of a message: peer | tag << 32, bytes */
    SPOOL_RECV,          /* a message; id: 1 if from any source */
    SPOOL_ISEND,         /* a message, request */
    SPOOL_IRECV,         /* a message, request: complete */
    SPOOL_IRECV_REQUEST, /* posted; id: 1 if from any source */
    SPOOL_ISEND_DONE,
    SPOOL_CANCELLED,
    SPOOL_COLL_BEGIN,
    SPOOL_COLL_END,      /* id: OTF2's operation; words: root, sent, received [bytes] */
    SPOOL_ICOLL_REQUEST, /* a: request; word: the communicator */
    SPOOL_ICOLL_DONE,    /* as SPOOL_COLL_END and request */
    SPOOL_BLOCK,         /* length of a block [bytes] */
    SPOOL_AWAITS,        /* the call that has begun does, a message: source | tag << 32, negative: any */
    SPOOL_FOUND,         /* by a probe, a message: source | tag << 32 */
    SPOOL_PAUSE, /* id: REGION_WITHOUT ...: in what was computed up to now, so long [ns]; a: path of what follows */
    SPOOL_WINDOW_BEGIN, /* all its members call something ... */
    SPOOL_WINDOW_END,   /* ... id: OTF2's operation */
    SPOOL_FILE_END,     /* likewise of a file, after SPOOL_COLL_BEGIN; words: written, read [bytes] */
    SPOOL_GROUP_SYNC,   /* some members do; word: the group of them */
    SPOOL_LOCK,         /* of a window is had; id: OTF2's type; word: rank whose it is, or OTF2_UNDEFINED_UINT32: all */
    SPOOL_UNLOCK,       /* is given back; word: rank */
    SPOOL_THREAD,       /* a: the thread whose records follow, 0 the one that initialized; before any of these, that */
    SPOOL_OFF,          /* recording is off from here ... */
    SPOOL_ON,           /* ... to here; words: requests up to these two were begun before that, and before this */
    SPOOL_LIFE,         /* of a thread; id: enum life_event; a: its number */
    /* For a spool that keeps a part (keep.h): */
    SPOOL_LAP,    /* a: the number of the occurrence that begins, from 1 */
    SPOOL_WINDOW, /* the window's first record; id: 1 if a frame follows; a: occurrences before it; word: its number */
    SPOOL_FRAME,  /* id: 1 if recording is off; a: thread; words: beginning [ns], latest request, times it went on */
    SPOOL_OPEN,   /* what is open, outermost first: a; id: its own; word: thread | kind << 32 */
    SPOOL_COUNT,  /* id: enum follow_kind, a: communicator; words: peer | tag << 32, number up to now */
    N_SPOOL_KINDS,
    SPOOL_PAD = 255 /* the next record is in the next window */
};

enum life_event { LIFE_IS_CREATED, LIFE_BEGINS, LIFE_ENDS, LIFE_IS_AWAITED };

enum scope_role { SCOPE_PLAIN, SCOPE_USEFUL, SCOPE_CONTROL, SCOPE_IDLE, SCOPE_MESSAGES, N_SCOPE_ROLES };

struct spool_record {
    uint8_t kind, n_words;
    uint16_t id;
    uint32_t a;
    int64_t time_ns; /* of CLOCK_MONOTONIC */
    int64_t words[SPOOL_MAX_WORDS];
};

/* Receives a full window: the records from `window` to `end`. */
typedef void (*spool_take)(const unsigned char *window, const unsigned char *end);

/* The part of the run that a spool keeps: the last so many bytes; or, if that is 0, so many first and last
 * occurrences. */
struct define_keep {
    int64_t bytes;
    uint32_t n_laps, unused;
};

/* A rank's events being written. */
struct spool {
    unsigned char *next, *limit; /* of the current window; while it is paused, of a place that is not read ... */
    unsigned char *paused_next, *paused_limit; /* ... and these of the window; NULL: it is not */
    unsigned char *window;
    int64_t n_windows;
    int fd;
    bool is_broken;    /* nothing can be written any more */
    spool_take take;   /* NULL: the records go to the file */
    struct keep *keep; /* which windows of it stay; NULL: all */
};

/* Open RANK.events anew, in an open directory; 0, or -1 with errno. */
int spool_open(struct spool *spool, int folder, int rank);
/* Keep a part only, of a spool that is empty still; false if there is no memory. */
bool spool_keep_part(struct spool *spool, const struct define_keep *part);
/* Without a file: the records go through one window in memory to `take`, which has all of them after a flush. */
void spool_open_memory(struct spool *spool, spool_take take);
void spool_flush(struct spool *spool);
void spool_close(struct spool *spool);
/* Records go nowhere until the spool goes on. */
void spool_pause(struct spool *spool);
void spool_resume(struct spool *spool);
/* Make room for a record; without any, is_broken is set, and records go nowhere from now on. */
void spool_advance(struct spool *spool);

/* Add a record. The head comes last, so that a record is there as a whole or not at all. */
static inline void spool_put(struct spool *spool, enum spool_kind kind, uint16_t id, uint32_t a, int64_t time_ns,
                             int n_words, const int64_t *words)
{
    size_t length = SPOOL_HEAD + 8 * (size_t)n_words;
    if (length > (size_t)(spool->limit - spool->next))
        spool_advance(spool);
    unsigned char *place = spool->next;
    memcpy(place + 8, &time_ns, 8);
    for (int i = 0; i < n_words; i++)
        memcpy(place + SPOOL_HEAD + 8 * i, words + i, 8);
    uint64_t head = (uint64_t)kind | (uint64_t)n_words << 8 | (uint64_t)id << 16 | (uint64_t)a << 32;
    atomic_store_explicit((_Atomic uint64_t *)(void *)place, head, memory_order_release);
    spool->next = place + length;
}

/* Change the last record, which is an ENTER of polls: its time and its word; its region and site. */
static inline void spool_amend(unsigned char *place, int64_t time_ns, int64_t word)
{
    memcpy(place + 8, &time_ns, 8);
    memcpy(place + SPOOL_HEAD, &word, 8);
}
static inline void spool_amend_id(unsigned char *place, uint16_t id, uint32_t a)
{
    memcpy(place + 2, &id, 2);
    memcpy(place + 4, &a, 4);
}

/* A window of a spool that keeps a part, as its first record says. */
struct spool_window {
    int64_t number, place, time_ns; /* place: in the file, in windows */
    uint32_t lap;                   /* occurrences before it */
    bool has_frame;
};

/* A rank's events being read. */
struct spool_reader {
    int fd;
    int64_t window_index;
    size_t at, length; /* in the window */
    unsigned char *window;
    /* For a spool that keeps a part, its windows in order, of which one after a gap has a frame; else NULL. */
    struct spool_window *windows;
    int64_t n_windows, n_first; /* those before the gap */
};
int spool_reader_open(struct spool_reader *reader, int folder, int rank);
/* The next record: false after the last that is whole and has a time. */
bool spool_reader_next(struct spool_reader *reader, struct spool_record *record);
void spool_reader_close(struct spool_reader *reader);

/* Definitions: a head and `length` bytes. */
enum definition_kind {
    DEFINE_RANK,       /* struct define_rank, then the names of host and program, each with its 0 */
    DEFINE_COMM,       /* struct define_comm, then the members and remote members as ranks of the world (int32_t) */
    DEFINE_COMM_NAME,  /* uint32_t communicator, then its name */
    DEFINE_CALL,       /* uint32_t enum region: it is made */
    DEFINE_SCOPE,      /* uint32_t role, then its name; scopes are numbered from 0 as they are defined */
    DEFINE_PARAMETER,  /* name and value, each with its 0 */
    DEFINE_CLOCK,      /* struct define_clock */
    DEFINE_UNRECORDED, /* uint64_t calls of other threads, at the end */
    DEFINE_CORES,      /* struct define_cores */
    DEFINE_PROCESSOR,  /* struct define_processor, at the end */
    DEFINE_SITE,       /* uint64_t place in a module, then its path; sites are numbered from 1 as they are defined */
    DEFINE_LIBRARY,    /* name and version of the library of MPI, with its 0 */
    DEFINE_OFF,        /* struct define_off, at the end; without it, recording was never off */
    DEFINE_SOURCE,     /* a site: uint64_t line, then file and function, each with its 0 */
    DEFINE_PATH,       /* struct define_path; paths are numbered from 1 as they are defined */
    DEFINE_CUT,        /* uint64_t calls whose paths are not whole, at the end */
    DEFINE_KEEP        /* struct define_keep; without it, all is kept */
};
struct definition_head {
    uint32_t kind, length;
};
struct define_rank {
    int32_t rank, n_ranks;
    int64_t time_ns, realtime_ns; /* the same moment on CLOCK_MONOTONIC and CLOCK_REALTIME */
    uint64_t numbering;           /* of processes: machine_identity("pid") */
    int32_t process, unused;
};
/* How a rank describes itself, which is its first definition; false if it has not. n_ranks is greater than the rank,
 * but may be greater than SPOOL_MAX_RANKS. */
bool spool_read_rank(int folder, int rank, struct define_rank *self);
/* Is it a time of CLOCK_MONOTONIC? */
bool spool_is_time(int64_t time_ns);
/* Things that the members of a communicator have together, as each numbers them. */
enum comm_kind {
    COMM_PLAIN,
    COMM_SELF,   /* MPI_COMM_SELF */
    COMM_WINDOW, /* of one-sided communication: it has a communicator of its own */
    COMM_FILE,   /* likewise an open file */
    COMM_GROUP,  /* no communicator, but ranks that synchronize in a window */
    N_COMM_KINDS
};
struct define_comm {
    uint32_t id;
    uint32_t kind; /* enum comm_kind */
    int32_t n_members, n_remote;
};
struct define_cores {
    int32_t n_own, n_host, n_ranks; /* cores that the rank may use; that ranks of its host may use; these ranks */
    /* Cores that it may have to share with others, which may have to share them with further ones: the number of these
     * cores, the number of ranks that share them, itself included, and the first of these. */
    int32_t n_shared, n_sharing, first_sharing;
};
/* From the beginning of the rank's time to its end; -1: not known. */
struct define_processor {
    int64_t process_ns;          /* processor time of the process, all its threads */
    int64_t thread_ns, delay_ns; /* of the recorded thread, and how long it lacked a processor */
};
/* How long recording was off, and the rank's whole time. */
struct define_off {
    int64_t off_ns, run_ns;
};
/* A call path: one that has been defined before, 0: none, and a site within it. */
struct define_path {
    uint32_t outer, site;
};
struct define_clock {
    int64_t time_ns, offset_ns; /* offset_ns is to be added for the clock of rank 0 */
};

#endif
