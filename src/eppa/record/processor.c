/* Run delay and processor time of the recorded thread, asked as seldom as can be.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/processor.h"

#include "eppa/record/recorder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined __has_include
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#endif

/* Less than LEAST_NS is no pause: the clocks differ by what reading them takes. After LOOK_NS it is asked anyway. */
enum { LEAST_NS = 2000, LOOK_NS = 500000 };

/* The times and counts of the thread at a moment. */
struct look {
    int64_t at_ns, used_ns;      /* its processor time */
    int64_t delay_ns;            /* 0 if the system does not say */
    long n_blocked, n_preempted; /* how often it has left the processor: by itself, or because others came */
};

static struct {
    const struct thread_state *thread; /* that is watched; NULL: none */
    int schedstat;                     /* file; -1: the system has none */
    bool has_mark;                     /* that it has left the processor shows without asking */
    struct look first, latest;
    int64_t first_process_ns;
    int64_t gap_ns; /* when it began; -1: it is not known */
} watch;

static int64_t clock_process_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* --- has it left the processor? --- */

#ifdef RSEQ_SIG
/* A critical section in which no thread ever is: of one that has left its processor, the kernel removes it. The members
 * are the kernel's. */
static const uint32_t abort_code[2] = {RSEQ_SIG, 0};
static struct {
    uint32_t version, flags;
    uint64_t start_ip, post_commit_offset, abort_ip;
} __attribute__((aligned(32))) section;

/* The member rseq_cs of the thread's struct rseq. */
static volatile uint64_t *mark_of_thread(void)
{
    enum { RSEQ_CS = 8 };
    return (volatile uint64_t *)(void *)((char *)__builtin_thread_pointer() + __rseq_offset + RSEQ_CS);
}

static void mark(void)
{
    if (watch.has_mark)
        *mark_of_thread() = (uintptr_t)&section;
}

/* Tried out, since it may be there and do nothing. */
static bool can_mark(void)
{
    if (__rseq_size == 0)
        return false;
    section.start_ip = (uintptr_t)&section;
    section.post_commit_offset = 1;
    section.abort_ip = (uintptr_t)&abort_code[1];
    *mark_of_thread() = (uintptr_t)&section;
    nanosleep(&(struct timespec){.tv_nsec = 1}, NULL);
    return *mark_of_thread() == 0;
}

static bool is_marked(void)
{
    return *mark_of_thread() == (uintptr_t)&section;
}
#else
static void mark(void)
{
}

static bool can_mark(void)
{
    return false;
}

static bool is_marked(void)
{
    return false;
}
#endif

/* May it have, since? There are systems that keep the mark of a thread from which they took the processor, at times. */
static bool has_left(int64_t since_ns, int64_t now_ns)
{
    return (watch.has_mark && !is_marked()) || now_ns - since_ns >= LOOK_NS;
}

/* --- looking --- */

/* The second number of schedstat. */
static int64_t read_delay(void)
{
    char text[96];
    unsigned long long used, delay;
    ssize_t n = watch.schedstat < 0 ? -1 : pread(watch.schedstat, text, sizeof text - 1, 0);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    return sscanf(text, "%llu %llu", &used, &delay) == 2 && delay <= SPOOL_MAX_TIME_NS ? (int64_t)delay : 0;
}

/* The processor's time comes first, so that it is that of the moment at which a gap begins or ends, even if others have
 * the processor while it is looked. */
static struct look look(void)
{
    mark();
    struct rusage usage;
    struct look look = {.used_ns = clock_thread_ns(), .delay_ns = read_delay()};
    getrusage(RUSAGE_THREAD, &usage);
    look.n_blocked = usage.ru_nvcsw;
    look.n_preempted = usage.ru_nivcsw;
    look.at_ns = clock_now_ns();
    return look;
}

void processor_start(int64_t now_ns)
{
    watch.has_mark = can_mark();
    watch.schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    watch.first_process_ns = clock_process_ns();
    watch.first = watch.latest = look();
    watch.thread = &thread_state;
    watch.gap_ns = now_ns;
}

void processor_stop(void)
{
    if (watch.thread == NULL)
        return;
    struct define_processor used = {
        .process_ns = clock_process_ns() - watch.first_process_ns, .thread_ns = -1, .delay_ns = -1};
    if (watch.thread == &thread_state) {
        struct look last = look();
        used.thread_ns = last.used_ns - watch.first.used_ns;
        used.delay_ns = watch.schedstat < 0 ? -1 : last.delay_ns - watch.first.delay_ns;
    }
    recorder_define(DEFINE_PROCESSOR, &(struct part){&used, sizeof used}, 1);
    if (watch.schedstat >= 0)
        close(watch.schedstat);
    watch.thread = NULL;
}

/* --- gaps --- */

/* Begin a gap; nothing is known of threads other than the one that is watched. */
void processor_begin_gap(int64_t now_ns)
{
    if (recorder.several && watch.thread != &thread_state)
        return;
    watch.gap_ns = watch.thread == &thread_state ? now_ns : -1;
    if (watch.gap_ns >= 0 && has_left(watch.latest.at_ns, now_ns))
        watch.latest = look();
}

static void record(enum region region, int64_t end_ns, int64_t length_ns)
{
    if (length_ns < LEAST_NS)
        return;
    if (!recorder.is_used[region])
        recorder_use((uint16_t)region);
    put(SPOOL_PAUSE, (uint16_t)region, recorder.has_paths ? recorder.place : 0, end_ns, 1, &length_ns);
}

static int64_t at_most(int64_t length_ns, int64_t most_ns)
{
    return length_ns < 0 ? 0 : length_ns < most_ns ? length_ns : most_ns;
}

/* Between an earlier look and the gap's beginning the thread had a processor, or there would be a later look. */
static void split_gap(int64_t now_ns)
{
    struct look before = watch.latest, after = look();
    watch.latest = after;
    int64_t gap_ns = now_ns - watch.gap_ns, earlier_ns = at_most(watch.gap_ns - before.at_ns, INT64_MAX);
    int64_t used_ns = at_most(after.used_ns - before.used_ns - earlier_ns, gap_ns);
    int64_t off_ns = gap_ns - used_ns, lacked_ns = at_most(after.delay_ns - before.delay_ns, off_ns);
    bool has_blocked = after.n_blocked > before.n_blocked;
    if (!has_blocked) /* what is more than the system says was taken from the system: of a virtual machine */
        lacked_ns = off_ns;
    if (has_blocked && watch.schedstat < 0 && after.n_preempted > before.n_preempted) {
        record(REGION_OFF, now_ns, off_ns);
        return;
    }
    record(REGION_ASLEEP, now_ns - lacked_ns, off_ns - lacked_ns);
    record(REGION_WITHOUT, now_ns, lacked_ns);
}

void processor_end_gap(int64_t now_ns)
{
    if (watch.gap_ns < 0 || watch.thread != &thread_state || now_ns <= watch.gap_ns)
        return;
    if (has_left(watch.gap_ns, now_ns))
        split_gap(now_ns);
    watch.gap_ns = now_ns;
}
