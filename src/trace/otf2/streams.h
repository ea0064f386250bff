/* Streams of accelerators: what each does, and where its rank launches that and waits for it.
 *
 * A stream is a location of its rank. Its activities follow one another: kernels, which are regions of it, and copies
 * between memories, from RmaGet or RmaPut to RmaOpCompleteBlocking (Score-P, for CUDA, HIP and OpenCL). An archive does
 * not say by which call of the rank an activity was launched. In the order in which they begin, kernels are matched
 * with the calls that launch kernels, copies with those that launch copies; what such calls have launched before the
 * rank has waited for all of its streams has run by then. An activity without a call is launched where the rank is when
 * it begins. Calls are known by their names.
 *
 *     stream     AWAIT its launch; SLEEP until it begins; COMPUTE, or CALL if it is a copy: receiving if that is to its
 *                memory, sending if it is from it; SIGNAL if it is awaited
 *     rank       SIGNAL where it launches; AWAIT in a call that waits: for all that each stream has done until the
 *                call's end, or for the activity that ended last within it
 *
 * In memory are 32 bytes for each activity, and 32 for each of those calls and each wait.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_STREAMS_H
#define TRACE_OTF2_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The effects of a call of a rank on its streams; combinations are sums. */
enum otf_offload_kind {
    OTF_LAUNCHES = 1,  /* a kernel */
    OTF_COPIES = 2,    /* it launches a copy */
    OTF_WAITS = 4,     /* for a stream */
    OTF_WAITS_ALL = 8, /* for all streams */
};
/* The same of a function; 0: none of it. */
uint8_t otf_offload_of(const char *name);

#define OTF_NO_LAUNCH INT64_MIN /* the rank itself has no events */

struct otf_activity {
    int64_t start_ps, end_ps; /* as all times here, before shift_ps */
    int64_t launch_ps;        /* or OTF_NO_LAUNCH */
    bool is_copy, is_awaited;
};

struct otf_activities {
    struct otf_activity *items;
    size_t n, capacity;
    size_t n_ended, n_awaited; /* while calls are gone through */
};

struct otf_offload_call {
    int64_t begin_ps, end_ps;
    int64_t activity; /* that it launches, ... */
    int thread;       /* ... and of which stream; 0: none */
    uint8_t does;     /* enum otf_offload_kind */
};

/* In a call, the rank waits for an activity. */
struct otf_await {
    size_t call;
    int thread;
    int64_t activity;
};

/* The streams of a rank, whose numbers as threads are `first` and the following ones. */
struct otf_offload {
    int first, n_streams;
    struct otf_activities *streams;
    struct otf_offload_call *calls;
    size_t n_calls, calls_capacity;
    struct otf_await *awaits; /* by call */
    size_t n_awaits, awaits_capacity;
};

struct otf_cursor;
struct otf_process;
struct otf_region;

/* The rank enters, or leaves, a region outside of calls of MPI; true if that is within one that waits for streams,
 * which says all there is to say. */
bool otf_offload_enter(struct otf_cursor *cursor, const struct otf_region *region);
void otf_offload_leave(struct otf_cursor *cursor);

/* On a stream, an activity begins, in the region that is entered now if it is a kernel; it ends. */
void otf_activity_begin(struct otf_cursor *cursor, bool is_copy);
void otf_activity_end(struct otf_cursor *cursor);
/* A copy begins, to the stream's memory or from it, or ends; on other locations, nothing does. */
void otf_transfer_begin(struct otf_cursor *cursor, uint64_t bytes, bool to_it);
void otf_transfer_end(struct otf_cursor *cursor);

/* After the survey, find the calls that launch and wait. Activities that no call launches are added to the process's
 * starts, at `last_ps` at the latest. */
void otf_offload_order(struct otf_process *process, int64_t last_ps);
void otf_offload_free(struct otf_offload *offload);

#endif
