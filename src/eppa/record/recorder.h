/* The recorder of this process: where the wrappers write, and whether they do.
 *
 * A rank has one sequence of records. With MPI_THREAD_SERIALIZED all threads are recorded as one, because their calls
 * follow each other. With MPI_THREAD_MULTIPLE, threads take turns, which begin and end with a call, and are
 * interrupted while it is in the library; where another thread's turn begins, a record says so. Where the program
 * breaks its promise that only one thread calls MPI, and where there are too many threads, only the thread that
 * initialized MPI is recorded, or the first ones; calls of others are counted.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_RECORDER_H
#define EPPA_RECORD_RECORDER_H

#include "eppa/archive/regions.h"
#include "eppa/archive/spool.h"
#include "eppa/record/callers.h"
#include "eppa/record/paths.h"
#include "eppa/record/polls.h"
#include "eppa/record/processor.h"
#include "eppa/record/python.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Kinds of output that are made of a run. */
enum outcome { OUTCOME_TRACE, OUTCOME_JSON, OUTCOME_TEXT };

struct recorder {
    volatile bool on; /* also set to false by signals */
    bool has_sites;   /* where calls are made is recorded, too */
    bool has_paths;   /* and through which functions the program comes there */
    enum outcome outcome;
    bool all_threads; /* as one */
    bool several;     /* each for itself: they take turns */
    pthread_mutex_t turn;
    _Atomic uint32_t n_threads; /* that have numbers */
    uint32_t latest_thread;     /* whose records were the last */
    struct spool spool;
    bool is_used[N_REGIONS]; /* calls that are described as used */
    uint32_t place;          /* of the latest call, see recorder_place() */
    uint32_t last_request;   /* requests are numbered from 1 */
    uint32_t n_scopes;
    int rank, n_ranks;
    int definitions; /* file */
    int lock;        /* file; locked while the spool is in use */
    _Atomic uint64_t n_unrecorded;
    char base[SPOOL_MAX_PATH - 64];      /* of the archive: its path without ".otf2"; of a profile its path */
    char directory[SPOOL_MAX_PATH - 32]; /* of the spool */
};
extern struct recorder recorder;

struct thread_state {
    bool is_recorded;   /* the thread that initialized, or has a number */
    bool is_inside;     /* a call that is being recorded: what MPI calls itself is not */
    uint32_t number;    /* 0: the thread that initialized */
    uint32_t life;      /* of a thread that another one has created, while several are recorded; 0: it is not known */
    int64_t born_ns;    /* when that began */
    int64_t entered_ns; /* when the current call began */
};
extern _Thread_local struct thread_state thread_state;

static inline int64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The processor time of the thread. */
static inline int64_t clock_thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void put(enum spool_kind kind, uint16_t id, uint32_t a, int64_t time_ns, int n_words,
                       const int64_t *words)
{
    spool_put(&recorder.spool, kind, id, a, time_ns, n_words, words);
}

/* The thread's turn to record begins, or ends, where several do. */
void recorder_lock(void);
static inline void recorder_begin_turn(void)
{
    if (recorder.several)
        recorder_lock();
}
static inline void recorder_end_turn(void)
{
    if (recorder.several)
        pthread_mutex_unlock(&recorder.turn);
}

/* A call is made for the first time, or counted by a condition. */
void recorder_use(uint16_t region);
/* Enter the scopes again that are open: recording is on again. */
void recorder_reopen_scopes(int64_t now_ns);

/* Does a call of this thread count? A function of its own says why not. */
bool recorder_wants_thread(void);

static inline bool recorder_wants(void)
{
    if (!recorder.on || thread_state.is_inside)
        return false;
    return thread_state.is_recorded || recorder_wants_thread();
}

/* Anything but a poll is going to be recorded. */
static inline void recorder_step(int64_t now_ns)
{
    polls_close();
    processor_end_gap(now_ns);
}

/* The number of the place that calls: of its path, or of its site. */
static inline uint32_t recorder_place(struct caller caller)
{
    return recorder.has_paths ? paths_find(caller) : callers_site(caller.address);
}

/* A call begins; false if it is not to be recorded. It notes the caller of the function into which it is inlined. */
static inline __attribute__((always_inline)) bool call_begin(uint16_t region)
{
    if (!recorder_wants())
        return false;
    thread_state.is_inside = true;
    if (recorder.has_sites)
        python_look();
    recorder_begin_turn();
    if (!recorder.is_used[region])
        recorder_use(region);
    thread_state.entered_ns = clock_now_ns();
    if (recorder.has_sites)
        recorder.place = recorder_place(CALLER());
    recorder_step(thread_state.entered_ns);
    put(SPOOL_ENTER, region, recorder.place, thread_state.entered_ns, 0, NULL);
    return true;
}

static inline void call_end(uint16_t region, int64_t time_ns)
{
    put(SPOOL_LEAVE, region, 0, time_ns, 0, NULL);
    processor_begin_gap(time_ns);
    recorder_end_turn();
    thread_state.is_inside = false;
}

/* Are there not too many ranks? Rank 0 says if there are. */
bool recorder_takes(int rank, int n_ranks);
/* The path of the archive without ".otf2", or of a profile, from EPPA_FILE, absolute, and recorder.outcome; 0, or -1,
 * after saying why not if it speaks. */
int recorder_choose_file(char base[SPOOL_MAX_PATH - 64], bool speaks);
/* Make an empty spool for `base`, or see that a profile can be there, by one process. The process that opens the spool
 * keeps it locked until recorder_close(). */
int recorder_make_spool(const char *base);
/* Remove the spool: nothing is recorded after all. */
void recorder_remove_spool(void);
/* Open this rank's files and describe the rank in them. Says why not. */
int recorder_open(const char *base, int rank, int n_ranks);
/* Start recording on this thread; on all as one, or on several. */
void recorder_start(bool all_threads, bool several);
/* Stop recording. With is_whole, the rank's time ends at time_ns. */
void recorder_stop(bool is_whole, int64_t time_ns);
void recorder_close(void);

/* Add a definition of up to three parts. */
struct part {
    const void *data;
    size_t length;
};
void recorder_define(enum definition_kind kind, const struct part *parts, int n_parts);

/* Say something on stderr, from "eppa: " to the end of the line. */
void eppa_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
